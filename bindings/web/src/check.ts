// SPDX-License-Identifier: MIT OR Apache-2.0
//
// WebAssembly takes a text, undefined and null for 0: a misspelled constant would be another goal.

/** The value; a TypeError with its name unless it is an integer. @internal */
export function integer(value: number, name: string): number {
  if (Number.isInteger(value)) return value;
  throw new TypeError(`${name} is ${shown(value)}, not an integer`);
}

/** The value; a TypeError with its name unless it is a number. @internal */
export function number(value: number, name: string): number {
  if (typeof value === "number") return value;
  throw new TypeError(`${name} is ${shown(value)}, not a number`);
}

function shown(value: unknown): string {
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}
