// SPDX-License-Identifier: MIT OR Apache-2.0
//
// C cannot see how long a list is: a count above its length would read what is behind it.

import { LIMIT_MAX_CORNERS } from "./abi.g.js";
import { shown } from "./check.js";

/**
 * The definition with the length of a list as its count. Without a list, or with an address in its
 * place, it stays as it is.
 *
 * @throws RangeError: a count that is given, not 0, and another than the list's length.
 * @internal
 */
export function counted<D extends object>(call: string, def: D, list: keyof D & string, count: keyof D & string): D {
  const values: unknown = def[list];
  if (values === undefined || typeof values === "number") return def;
  const { length } = asList(`${call}: ${list}`, values);
  const given: unknown = def[count];
  if (given !== undefined && given !== 0 && given !== length) {
    throw new RangeError(`${call}: ${count} is ${String(given)}, but ${list} has ${length} elements`);
  }
  return { ...def, [count]: length };
}

/**
 * The value as a list.
 *
 * @throws TypeError: it has no length.
 * @internal
 */
export function asList(name: string, values: unknown): ArrayLike<unknown> {
  const length = (values as { length?: unknown } | null)?.length;
  if (typeof values === "object" && Number.isInteger(length)) return values as ArrayLike<unknown>;
  throw new TypeError(`${name} is ${shown(values)}, not a list`);
}

/**
 * Checks that a list has this many elements.
 *
 * @throws RangeError: it has another number of them; TypeError: it is no list.
 * @internal
 */
export function mustHave(name: string, values: unknown, wanted: number, why: string): void {
  const { length } = asList(name, values);
  if (length !== wanted) throw new RangeError(`${name} has ${length} elements, not ${wanted}: ${why}`);
}

/**
 * The limits with the length of `corners` as their count where it is left out.
 *
 * @throws RangeError: more corners than the record has room for, or fewer than `cornerCount`.
 * @internal
 */
export function countCorners<L extends { corners?: readonly unknown[]; cornerCount?: number }>(call: string, limits: L): L {
  const { corners, cornerCount } = limits;
  if (corners === undefined) return limits;
  const { length } = asList(`${call}: corners`, corners);
  if (length > LIMIT_MAX_CORNERS) throw new RangeError(`${call}: corners has ${length} elements, more than ${LIMIT_MAX_CORNERS}`);
  if (cornerCount === undefined) return { ...limits, cornerCount: length };
  if (cornerCount > length) throw new RangeError(`${call}: cornerCount is ${cornerCount}, but corners has ${length} elements`);
  return limits;
}
