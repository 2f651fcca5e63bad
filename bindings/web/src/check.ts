// SPDX-License-Identifier: MIT OR Apache-2.0
//
// WebAssembly takes a text, undefined and null for 0: a misspelled constant would be another goal.

/** The value; a TypeError with its name unless it is an integer of 32 bits. @internal */
export function integer(value: number, name: string): number {
  // 2 ** 32 would be taken as 0.
  if (Number.isInteger(value) && value >= -(2 ** 31) && value < 2 ** 32) return value;
  throw new TypeError(`${name} is ${shown(value)}, not an integer${typeof value === "number" ? " of 32 bits" : ""}`);
}

/** The value; a TypeError with its name unless it is a number. @internal */
export function number(value: number, name: string): number {
  if (typeof value === "number") return value;
  throw new TypeError(`${name} is ${shown(value)}, not a number`);
}

/** The value; a TypeError with its name unless it is a text that C can read. @internal */
export function text(value: string, name: string): string {
  if (typeof value !== "string") throw new TypeError(`${name} is ${shown(value)}, not a text`);
  // C reads up to the first zero: "Head\0Tip" would be another joint.
  if (value.includes("\0")) throw new TypeError(`${name} is ${shown(value)}, with a zero character`);
  return value;
}

/** A value in a sentence. @internal */
export function shown(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "bigint") return `${value}n`;
  return typeof value === "object" && value !== null ? `an object (${value.constructor?.name ?? "no class"})` : String(value);
}
