// SPDX-License-Identifier: MIT OR Apache-2.0

/** A module of one function that returns a vector of zeros. */
const PROBE = Uint8Array.of(
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
);

/** Whether WebAssembly's vector instructions are there. */
export function hasSimd(): boolean {
  return WebAssembly.validate(PROBE);
}
