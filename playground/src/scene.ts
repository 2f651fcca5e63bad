// SPDX-License-Identifier: MIT OR Apache-2.0
//
// "Hold the cylinder", as the programs in examples/hold_cylinder play it: the file, the calls of a
// frame, and the hash of a whole run. Math.fround rounds to 32 bits after each operation, as they
// do.

import { IkGoal, TRANSFORM_FLOATS } from "sinew-ik";
import type { Animator, Sinew, Transform } from "sinew-ik";

const f = Math.fround;
type Axes = { x: number; y: number; z: number };
type Turn = Axes & { w: number };

export interface SceneFrame {
  active: boolean;
  root: Transform;
  cylinder: Transform;
  animation: Float32Array;
}

export interface Scene {
  jointCount: number;
  deltaTimeS: number;
  parents: Int32Array;
  rest: Float32Array;
  names: string[];
  /** Joint of each human bone, -1: none. */
  humanJoints: Int32Array;
  /** Where the hand takes hold, in the cylinder. */
  handleLocal: Transform;
  radius: number;
  length: number;
  frames: SceneFrame[];
}

/** How a frame of the untouched scene came out. */
export interface Played {
  weight: number;
  status: number;
  residualM: number;
}

export function transform(floats: Float32Array, at = 0): Transform {
  const [px, py, pz, x, y, z, w, sx, sy, sz] = floats.subarray(at, at + TRANSFORM_FLOATS) as unknown as number[];
  return {
    position: { x: px!, y: py!, z: pz! }, rotation: { x: x!, y: y!, z: z!, w: w! }, scale: { x: sx!, y: sy!, z: sz! },
  };
}

export function readScene(bytes: Uint8Array): Scene {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  const u32 = () => view.getUint32((at += 4) - 4, true);
  const i32 = () => view.getInt32((at += 4) - 4, true);
  const f32 = () => view.getFloat32((at += 4) - 4, true);
  const floats = (count: number) => Float32Array.from({ length: count }, f32);
  const text = (count: number) => new TextDecoder().decode(bytes.subarray(at, (at += count)));
  if (text(8) !== "SNWSCENE" || u32() !== 1) throw new Error("not a scene of version 1");
  const [jointCount, frameCount, deltaTimeS] = [u32(), u32(), f32()];
  const parents = new Int32Array(jointCount);
  const rest = new Float32Array(jointCount * TRANSFORM_FLOATS);
  const names: string[] = [];
  const humanJoints = new Int32Array(55).fill(-1);
  for (let joint = 0; joint < jointCount; joint++) {
    parents[joint] = i32();
    const bone = i32();
    if (bone >= 0) humanJoints[bone] = joint;
    rest.set(floats(TRANSFORM_FLOATS), joint * TRANSFORM_FLOATS);
    const length = u32();
    names.push(text(length));
    at += (4 - (length % 4)) % 4;
  }
  const handleLocal = transform(floats(TRANSFORM_FLOATS));
  const [radius, length] = [f32(), f32()];
  const frames = Array.from({ length: frameCount }, () => ({
    active: u32() !== 0,
    root: transform(floats(TRANSFORM_FLOATS)),
    cylinder: transform(floats(TRANSFORM_FLOATS)),
    animation: floats(jointCount * TRANSFORM_FLOATS),
  }));
  return { jointCount, deltaTimeS, parents, rest, names, humanJoints, handleLocal, radius, length, frames };
}

export function setup(sinew: Sinew, scene: Scene): Animator {
  const skeleton = sinew.createSkeleton(scene);
  const avatar = sinew.createAvatar(skeleton, scene.humanJoints);
  const animator = sinew.createAnimator(skeleton, avatar);
  avatar.destroy();
  skeleton.destroy();
  return animator;
}

/** Goals and weights of a frame, with the names of Unity's Animator. */
export function onAnimatorIk(animator: Animator, weight: number, lookAt: Axes, handle: Pick<Transform, "position" | "rotation">): void {
  animator.setLookAtWeight(weight, 0, 1, 0, 0.5);
  animator.setLookAtPosition(lookAt);
  animator.setIkPositionWeight(IkGoal.RightHand, weight);
  animator.setIkRotationWeight(IkGoal.RightHand, weight);
  animator.setIkPosition(IkGoal.RightHand, handle.position);
  animator.setIkRotation(IkGoal.RightHand, handle.rotation);
}

function cross(a: Axes, b: Axes): Axes {
  const minus = (p: number, q: number, r: number, s: number) => f(f(p * q) - f(r * s));
  return { x: minus(a.y, b.z, a.z, b.y), y: minus(a.z, b.x, a.x, b.z), z: minus(a.x, b.y, a.y, b.x) };
}

function rotate(q: Turn, v: Axes): Axes {
  const t = cross(q, v);
  for (const axis of ["x", "y", "z"] as const) t[axis] = f(t[axis] * 2);
  const c = cross(q, t);
  const sum = (axis: "x" | "y" | "z") => f(f(v[axis] + f(t[axis] * q.w)) + c[axis]);
  return { x: sum("x"), y: sum("y"), z: sum("z") };
}

function multiply(a: Turn, b: Turn): Turn {
  const sum = (...terms: number[]) => terms.reduce((total, term) => f(total + term));
  return {
    x: sum(f(a.w * b.x), f(a.x * b.w), f(a.y * b.z), -f(a.z * b.y)),
    y: sum(f(a.w * b.y), -f(a.x * b.z), f(a.y * b.w), f(a.z * b.x)),
    z: sum(f(a.w * b.z), f(a.x * b.y), -f(a.y * b.x), f(a.z * b.w)),
    w: sum(f(a.w * b.w), -f(a.x * b.x), -f(a.y * b.y), -f(a.z * b.z)),
  };
}

/** A place in another, as place and rotation in the world. */
export function toWorld(parent: Transform, local: Transform): Pick<Transform, "position" | "rotation"> {
  const scaled = { x: f(local.position.x * parent.scale.x), y: f(local.position.y * parent.scale.y), z: f(local.position.z * parent.scale.z) };
  const turned = rotate(parent.rotation, scaled);
  const { x, y, z } = parent.position;
  return {
    position: { x: f(x + turned.x), y: f(y + turned.y), z: f(z + turned.z) },
    rotation: multiply(parent.rotation, local.rotation),
  };
}

/** FNV-1a of 64 bits, in two halves. */
class Hash {
  #high = 0xcbf29ce4;
  #low = 0x84222325;

  add(bytes: Uint8Array): void {
    let [high, low] = [this.#high, this.#low];
    for (const byte of bytes) {
      low = (low ^ byte) >>> 0;
      // Times 2^40 + 0x1b3.
      const product = low * 0x1b3;
      high = (Math.imul(high, 0x1b3) + Math.floor(product / 0x1_0000_0000) + (low << 8)) >>> 0;
      low = product >>> 0;
    }
    [this.#high, this.#low] = [high, low];
  }

  toString(): string {
    return [this.#high, this.#low].map((half) => half.toString(16).padStart(8, "0")).join("");
  }
}

/** Plays the whole scene as every host does. */
export function playThrough(sinew: Sinew, scene: Scene): { hash: string; frames: Played[] } {
  const animator = setup(sinew, scene);
  const hash = new Hash();
  const frames: Played[] = [];
  let weight = 0;
  for (const frame of scene.frames) {
    const step = f(scene.deltaTimeS * f(2.5));
    weight = frame.active ? Math.min(f(weight + step), 1) : Math.max(f(weight - step), 0);
    animator.pose.set(frame.animation);
    animator.setRoot(frame.root);
    onAnimatorIk(animator, weight, frame.cylinder.position, toWorld(frame.cylinder, scene.handleLocal));
    animator.solve();
    const { status, residualM } = animator.getIkOutcome(IkGoal.RightHand);
    const pose = animator.pose;
    hash.add(new Uint8Array(pose.buffer, pose.byteOffset, pose.byteLength));
    frames.push({ weight, status, residualM });
  }
  animator.destroy();
  return { hash: hash.toString(), frames };
}
