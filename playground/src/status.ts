// SPDX-License-Identifier: MIT OR Apache-2.0

import { Status } from "sinew-ik";

/** "OutOfIterations" → "out of iterations". */
export function words(name: string): string {
  return name.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
}

/** Outcomes in words. */
export const STATUS: Record<number, string> = Object.fromEntries(
  Object.entries(Status).map(([name, value]) => [value, words(name)]),
);
