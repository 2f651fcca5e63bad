// SPDX-License-Identifier: MIT OR Apache-2.0

/** What a page in one file carries in an element: compressed bytes; undefined without the element. */
export async function embedded(id: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const text = document.getElementById(id)?.textContent;
  if (!text) return undefined;
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
