// SPDX-License-Identifier: MIT OR Apache-2.0

export * from "./abi.g.js";
export * from "./sinew.js";
export { hasSimd } from "./simd.js";
export type { HandleOf, Pointer } from "./memory.js";
