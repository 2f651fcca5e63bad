// SPDX-License-Identifier: MIT OR Apache-2.0

/** One of the playground's pages. */
export interface View {
  readonly name: string;
  /** Fills the panel and the scene. */
  show(panel: HTMLElement): void;
  hide(): void;
  /** One frame; `frameMs`: how long the last one took in all. */
  update(dtS: number, frameMs: number): void;
}
