// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Arithmetic of rotations: x y z w.

export function rotate([x, y, z, w]: readonly number[], [a, b, c]: readonly number[]): [number, number, number] {
  const [tx, ty, tz] = [2 * (y! * c! - z! * b!), 2 * (z! * a! - x! * c!), 2 * (x! * b! - y! * a!)];
  return [a! + w! * tx + y! * tz - z! * ty, b! + w! * ty + z! * tx - x! * tz, c! + w! * tz + x! * ty - y! * tx];
}

export function multiply([ax, ay, az, aw]: readonly number[], [bx, by, bz, bw]: readonly number[]): number[] {
  return [
    aw! * bx! + ax! * bw! + ay! * bz! - az! * by!, aw! * by! - ax! * bz! + ay! * bw! + az! * bx!,
    aw! * bz! + ax! * by! - ay! * bx! + az! * bw!, aw! * bw! - ax! * bx! - ay! * by! - az! * bz!,
  ];
}
