// SPDX-License-Identifier: MIT OR Apache-2.0
//
// What a chain of the gallery looks like: each bone is drawn flat, from the farthest to the nearest.

/** A point of the picture: pixels, and how near it is. */
export type Seen = readonly [x: number, y: number, near: number];

export interface Bone {
  a: Seen;
  b: Seen;
  /** A point beside its middle, which shows its roll. */
  fin: Seen;
  /** Place from the root on, 0 … 1. */
  along: number;
  isLast: boolean;
  isFirst: boolean;
  /** Half its width in pixels, for bodies. */
  wide: number;
}

export interface Pen {
  draw: CanvasRenderingContext2D;
  /** Degrees. */
  hue: number;
  isDark: boolean;
  /** Pixels of a decimetre. */
  unit: number;
}

export type Look = (pen: Pen, bone: Bone) => void;

const color = ({ hue, isDark }: Pen, light = 0, saturation = 45) =>
  `hsl(${hue} ${saturation}% ${(isDark ? 62 : 46) + light}%)`;

/** Length of a bone and its direction, and the direction across, in the picture. */
function span({ a, b }: Bone) {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  const length = Math.hypot(dx, dy) || 1;
  return { length, dx, dy, x: dx / length, y: dy / length };
}

function disc(draw: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
  draw.beginPath();
  draw.arc(x, y, Math.max(radius, 0.5), 0, 7);
  draw.fill();
}

function shape(draw: CanvasRenderingContext2D, ...points: (readonly [number, number])[]): void {
  draw.beginPath();
  points.forEach(([x, y]) => draw.lineTo(x, y));
  draw.closePath();
  draw.fill();
}

function line(draw: CanvasRenderingContext2D, width: number, ...points: (readonly [number, number])[]): void {
  draw.lineWidth = width;
  draw.beginPath();
  points.forEach(([x, y]) => draw.lineTo(x, y));
  draw.stroke();
}

/** A strip from one width to another with round ends. */
function limb(pen: Pen, bone: Bone, from: number, to: number, light = 0): void {
  const { draw } = pen;
  const { x, y } = span(bone);
  const { a, b } = bone;
  draw.fillStyle = color(pen, light);
  shape(draw, [a[0] - y * from, a[1] + x * from], [b[0] - y * to, b[1] + x * to], [b[0] + y * to, b[1] - x * to], [a[0] + y * from, a[1] - x * from]);
  disc(draw, a[0], a[1], from);
  disc(draw, b[0], b[1], to);
}

function fin(pen: Pen, { a, b, fin: at }: Bone): void {
  pen.draw.strokeStyle = pen.isDark ? "#e0a94a" : "#c9752f";
  line(pen.draw, 2, [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2], [at[0], at[1]]);
}

/** A bone of an armature with a fin. */
const bones: Look = (pen, bone) => {
  const { draw } = pen;
  const { length, dx, dy, x, y } = span(bone);
  const { a, b } = bone;
  fin(pen, bone);
  const [nx, ny] = [-y * Math.min(7, length * 0.18), x * Math.min(7, length * 0.18)];
  const waist = [a[0] + dx * 0.2, a[1] + dy * 0.2] as const;
  draw.fillStyle = color(pen, 6);
  shape(draw, [a[0], a[1]], [waist[0] + nx, waist[1] + ny], [b[0], b[1]]);
  draw.fillStyle = color(pen, -6);
  shape(draw, [a[0], a[1]], [waist[0] - nx, waist[1] - ny], [b[0], b[1]]);
};

const tentacle: Look = (pen, bone) => {
  const width = (t: number) => pen.unit * (0.62 - 0.5 * t);
  const step = 0.1;
  limb(pen, bone, width(bone.along), width(Math.min(1, bone.along + step)), 8 * bone.along);
  // Suckers, on the side of the fin.
  const { a, b, fin: at } = bone;
  pen.draw.fillStyle = color(pen, 24, 30);
  disc(pen.draw, (a[0] + b[0]) / 2 + (at[0] - (a[0] + b[0]) / 2) * 0.45, (a[1] + b[1]) / 2 + (at[1] - (a[1] + b[1]) / 2) * 0.45, width(bone.along) * 0.32);
};

const robot: Look = (pen, bone) => {
  const { draw, unit } = pen;
  limb(pen, bone, unit * 0.3, unit * 0.24);
  draw.fillStyle = color(pen, -18);
  disc(draw, bone.a[0], bone.a[1], unit * 0.34);
  draw.fillStyle = color(pen, 26);
  disc(draw, bone.a[0], bone.a[1], unit * 0.14);
  fin(pen, bone);
  if (!bone.isLast) return;
  const { x, y } = span(bone);
  const [bx, by] = bone.b;
  draw.strokeStyle = color(pen, -18);
  for (const s of [-1, 1]) {
    line(draw, 3, [bx, by], [bx + (x - y * s) * unit * 0.2, by + (y + x * s) * unit * 0.2], [bx + (x * 2 - y * s * 0.6) * unit * 0.2, by + (y * 2 + x * s * 0.6) * unit * 0.2]);
  }
};

const beads: Look = (pen, bone) => {
  const { draw, unit } = pen;
  const { a, b } = bone;
  draw.strokeStyle = color(pen, -20, 20);
  line(draw, 1.5, [a[0], a[1]], [b[0], b[1]]);
  for (const [t, size] of [[0, 0.38], [0.5, 0.26]] as const) {
    const [x, y] = [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t];
    draw.fillStyle = color(pen, t ? 14 : 0);
    disc(draw, x, y, unit * size);
    draw.fillStyle = color(pen, 30);
    disc(draw, x - unit * size * 0.3, y - unit * size * 0.3, unit * size * 0.25);
  }
};

const crane: Look = (pen, bone) => {
  const { draw, unit } = pen;
  const { dx, dy, x, y } = span(bone);
  const { a } = bone;
  const wide = unit * (0.42 - 0.2 * bone.along);
  const at = (t: number, side: number) => [a[0] + dx * t - y * wide * side, a[1] + dy * t + x * wide * side] as const;
  draw.strokeStyle = color(pen, -8, 60);
  line(draw, 2.5, at(0, 1), at(1, 1));
  line(draw, 2.5, at(0, -1), at(1, -1));
  line(draw, 1.5, ...[0, 1, 2, 3, 4].map((i) => at(i / 4, i % 2 ? 1 : -1)));
  line(draw, 2, at(0, 1), at(0, -1));
  if (!bone.isLast) return;
  const [bx, by] = bone.b;
  draw.fillStyle = color(pen, -20, 60);
  disc(draw, bx, by, unit * 0.22);
};

const rope: Look = (pen, bone) => {
  const { draw, unit } = pen;
  limb(pen, bone, unit * 0.2, unit * 0.2);
  const { dx, dy, x, y } = span(bone);
  draw.strokeStyle = color(pen, -16);
  for (const t of [0.2, 0.5, 0.8]) {
    const [cx, cy] = [bone.a[0] + dx * t, bone.a[1] + dy * t];
    line(draw, 1.5, [cx - (y - x) * unit * 0.16, cy + (x + y) * unit * 0.16], [cx + (y - x) * unit * 0.16, cy - (x + y) * unit * 0.16]);
  }
};

const coil: Look = (pen, bone) => {
  const { draw, unit } = pen;
  const { dx, dy, x, y } = span(bone);
  const { a } = bone;
  const wide = unit * 0.42;
  draw.strokeStyle = color(pen, -4, 25);
  line(draw, 3, ...Array.from({ length: 9 }, (_, i) => {
    const side = i % 8 === 0 ? 0 : i % 2 ? 1 : -1;
    return [a[0] + (dx * i) / 8 - y * wide * side, a[1] + (dy * i) / 8 + x * wide * side] as const;
  }));
};

const plant: Look = (pen, bone) => {
  const { draw, unit } = pen;
  const { length, x, y } = span(bone);
  limb(pen, bone, unit * (0.3 - 0.18 * bone.along), unit * (0.26 - 0.18 * bone.along), -6);
  const [cx, cy] = [(bone.a[0] + bone.b[0]) / 2, (bone.a[1] + bone.b[1]) / 2];
  draw.fillStyle = color(pen, 10, 55);
  for (const side of [-1, 1]) {
    const [lx, ly] = [cx + (x * 0.6 - y * side) * length * 0.4, cy + (y * 0.6 + x * side) * length * 0.4];
    draw.beginPath();
    draw.ellipse((cx + lx) / 2, (cy + ly) / 2, length * 0.24, length * 0.09, Math.atan2(ly - cy, lx - cx), 0, 7);
    draw.fill();
  }
  if (!bone.isLast) return;
  draw.fillStyle = `hsl(${(pen.hue + 200) % 360} 75% 62%)`;
  for (let i = 0; i < 5; i++) disc(draw, bone.b[0] + Math.cos(i * 1.2566) * unit * 0.24, bone.b[1] + Math.sin(i * 1.2566) * unit * 0.24, unit * 0.19);
};

const snake: Look = (pen, bone) => {
  const { draw, unit } = pen;
  const wide = unit * (0.28 + 0.2 * Math.sin(Math.PI * Math.min(bone.along + 0.1, 0.9)));
  limb(pen, bone, wide, wide, Math.round(bone.along * 20) % 2 ? 10 : -4);
  if (!bone.isLast) return;
  const { x, y } = span(bone);
  const [bx, by] = bone.b;
  draw.strokeStyle = "#d6455d";
  line(draw, 2, [bx + x * wide, by + y * wide], [bx + x * wide * 2, by + y * wide * 2]);
  draw.fillStyle = color(pen, 4);
  disc(draw, bx, by, wide * 1.15);
  for (const side of [-1, 1]) {
    const [ex, ey] = [bx + (x * 0.4 - y * side * 0.6) * wide, by + (y * 0.4 + x * side * 0.6) * wide];
    draw.fillStyle = "#fff";
    disc(draw, ex, ey, wide * 0.36);
    draw.fillStyle = "#111";
    disc(draw, ex + x * 1.2, ey + y * 1.2, wide * 0.18);
  }
};

const plates: Look = (pen, bone) => {
  const { draw, unit } = pen;
  const { dx, dy, length } = span(bone);
  for (const t of [0.2, 0.6]) {
    const wide = unit * (0.62 - 0.34 * (bone.along + t * 0.1));
    draw.fillStyle = color(pen, t > 0.4 ? 8 : -4);
    draw.beginPath();
    draw.ellipse(bone.a[0] + dx * t, bone.a[1] + dy * t, length * 0.34, wide, Math.atan2(dy, dx), 0, 7);
    draw.fill();
  }
};

const lamp: Look = (pen, bone) => {
  const { draw, unit } = pen;
  draw.strokeStyle = color(pen, -10);
  line(draw, 4, [bone.a[0], bone.a[1]], [bone.b[0], bone.b[1]]);
  draw.fillStyle = color(pen, -22);
  disc(draw, bone.a[0], bone.a[1], unit * (bone.isFirst ? 0.5 : 0.22));
  if (!bone.isLast) return;
  const { x, y } = span(bone);
  const [bx, by] = bone.b;
  const at = (along: number, side: number) => [bx + x * unit * along - y * unit * side, by + y * unit * along + x * unit * side] as const;
  draw.fillStyle = "rgb(255 214 90 / 0.22)";
  shape(draw, at(0.4, 0.5), at(4.5, 1.7), at(4.5, -1.7), at(0.4, -0.5));
  draw.fillStyle = color(pen, 4, 60);
  shape(draw, at(-0.4, 0.2), at(0.5, 0.62), at(0.5, -0.62), at(-0.4, -0.2));
};

const leg: Look = (pen, bone) => {
  const { draw, unit } = pen;
  limb(pen, bone, unit * (bone.isFirst ? 0.62 : 0.44), unit * (bone.isLast ? 0.26 : 0.4));
  draw.fillStyle = color(pen, -14);
  disc(draw, bone.a[0], bone.a[1], unit * 0.4);
  if (!bone.isLast) return;
  const { x, y } = span(bone);
  draw.fillStyle = color(pen, -20);
  const s = y >= 0 ? 1 : -1;
  draw.beginPath();
  draw.ellipse(bone.b[0] + y * s * unit * 0.35, bone.b[1] - x * s * unit * 0.35, unit * 0.6, unit * 0.24, Math.atan2(-x * s, y * s), 0, 7);
  draw.fill();
};

/** A person or an animal: round limbs. */
export const body: Look = (pen, bone) => {
  const { wide, b } = bone;
  if (wide === 0) return;
  if (wide < 0) {
    // The head, above the joint that carries it.
    const { x, y } = span(bone);
    pen.draw.fillStyle = color(pen, 10);
    pen.draw.beginPath();
    pen.draw.ellipse(b[0] - x * wide * 0.8, b[1] - y * wide * 0.8, -wide * 1.15, -wide * 0.85, Math.atan2(y, x), 0, 7);
    pen.draw.fill();
    limb(pen, bone, -wide * 0.45, -wide * 0.45, 2);
    return;
  }
  limb(pen, bone, wide, wide * 0.85, 4);
};

/** By the exhibit's title; those that show roll keep their fins. */
const LOOKS: Record<string, Look> = {
  default: tentacle,
  "damped least squares": robot,
  "pseudo-inverse": snake,
  "selectively damped": crane,
  "Jacobian transpose": plant,
  FABRIK: beads,
  CCD: plates,
  spring: coil,
  pole: leg,
  weight: snake,
  "distance: inside": lamp,
  "distance: on": rope,
  "distance: outside": plant,
  "out of reach and back": tentacle,
  "in a plane": crane,
  tree: plant,
  "tree, FABRIK": beads,
  "two bones": leg,
  "spline: Catmull-Rom": rope,
  "spline: Bezier": snake,
  "aim, shared": lamp,
  "aim in a cone": robot,
  hinge: robot,
  universal: crane,
  fixed: robot,
  "soft cone": tentacle,
  stiff: plates,
  stretch: coil,
  "preferred bend": leg,
};

export function lookOf(title: string): Look {
  return LOOKS[title] ?? bones;
}
