// SPDX-License-Identifier: MIT OR Apache-2.0

import {
  ABI_VERSION, AnimatorCalls, AvatarCalls, BodyCalls, GrounderCalls, HUMAN_BONE_COUNT, HumanBone,
  ModuleCalls, Result, SkeletonCalls, TrackedBodyCalls, WorldCalls, pushBodyTies, pushBodyWorks,
  readBodyMeeting, readBodyOutcome, readBodyTie,
} from "./abi.g.js";
import type {
  AvatarDef, BodyMeeting, BodyOutcome, BodySettings, BodyTie, ChainDef, ChainEnd, ConstraintHandle, Exports, FootModel,
  GrounderSettings, TrackedBodySettings, Transform,
} from "./abi.g.js";
import { integer } from "./check.js";
import { Memory, SinewError } from "./memory.js";
import type { Pointer } from "./memory.js";
import { hasSimd } from "./simd.js";

/** Floats of one transform: position x y z, rotation x y z w, scale x y z. */
export const TRANSFORM_FLOATS = 10;

/** Joint of each human bone by its name in {@link HumanBone}; bones left out are not mapped. */
export type HumanMap = { -readonly [bone in keyof typeof HumanBone]?: number };

/** What a skeleton is made of. */
export interface SkeletonInput {
  /** Parent of each joint: an index below its own, or -1 for a root. */
  parents: ArrayLike<number>;
  /** Rest transform of each joint in its parent: objects, or ten floats per joint. */
  rest: readonly Transform[] | Float32Array;
  /** Name of each joint; left out: none. */
  names?: readonly string[];
}

/** Where the module comes from: its bytes, a response, an address, or already compiled. */
export type Source = BufferSource | Response | Promise<Response> | URL | string | WebAssembly.Module;

/**
 * The library: one WebAssembly instance, and what it creates.
 *
 * One instance serves any number of characters. A panic inside the library ends the instance: calls
 * throw `WebAssembly.RuntimeError`, and a new one must be loaded.
 */
export class Sinew extends ModuleCalls {
  private constructor(readonly exports: Exports) {
    super(new Memory(exports));
  }

  /**
   * Loads the library. Without a source, the module beside this file is fetched: the one with
   * vector instructions where the browser has them; both give the same bits.
   */
  static async load(source: Source = Sinew.url()): Promise<Sinew> {
    // The type of a compiled module is empty, so TypeScript cannot tell it from the others.
    const given: unknown = source;
    if (given instanceof WebAssembly.Module) {
      return Sinew.#started(await WebAssembly.instantiate(given, {}));
    }
    if (given instanceof ArrayBuffer || ArrayBuffer.isView(given)) {
      return Sinew.#started((await WebAssembly.instantiate(given as BufferSource, {})).instance);
    }
    const response = await (typeof given === "string" || given instanceof URL ? fetch(given) : (given as Promise<Response>));
    if (!response.ok) throw new Error(`${response.url}: ${response.status} ${response.statusText}`);
    return Sinew.#started((await WebAssembly.instantiate(await response.arrayBuffer(), {})).instance);
  }

  /** Address of the module that {@link load} fetches. */
  static url(): URL {
    return hasSimd() ? new URL("./sinew.simd.wasm", import.meta.url) : new URL("./sinew.wasm", import.meta.url);
  }

  static #started(instance: WebAssembly.Instance): Sinew {
    const sinew = new Sinew(instance.exports as unknown as Exports);
    const { abi } = sinew.version();
    if (abi !== ABI_VERSION) throw new Error(`the module has ABI ${abi}, this package needs ${ABI_VERSION}`);
    return sinew;
  }

  createSkeleton(input: SkeletonInput): Skeleton {
    const { parents, rest, names } = input;
    const count = parents.length;
    const floats = rest instanceof Float32Array ? rest.length / TRANSFORM_FLOATS : rest.length;
    if (floats !== count) throw new RangeError(`${count} parents, but ${floats} rest transforms`);
    if (names && names.length !== count) throw new RangeError(`${count} parents, but ${names.length} names`);
    const handle = this.skeletonCreate({ jointCount: count, parents, rest, names: names ?? 0 });
    return new Skeleton(this.memory, handle, count);
  }

  /** An avatar: which joint is which human bone, by table or (default) by names and shape. */
  createAvatar(skeleton: Skeleton, map?: HumanMap | ArrayLike<number>, options: Partial<AvatarDef> = {}): Avatar {
    const humanJoints = map === undefined ? skeleton.mapHumanBones(HUMAN_BONE_COUNT).joints : table(map);
    return new Avatar(this.memory, this.avatarCreate({ ...options, skeleton, humanJoints }));
  }

  /** A character; with an avatar a humanoid. It keeps what it needs of both. */
  createAnimator(skeleton: Skeleton, avatar?: Avatar): Animator {
    const handle = this.animatorCreate(avatar ? { skeleton, avatar } : { skeleton });
    return new Animator(this.memory, handle, skeleton.jointCount);
  }

  createWorld(): WorldCalls {
    return new WorldCalls(this.memory, this.worldCreate());
  }

  createBody(skeleton: Skeleton, rootJoint: number, settings: Partial<BodySettings> = {}): Body {
    const handle = this.bodyCreate(skeleton, rootJoint, settings);
    return new Body(this.memory, handle, skeleton.jointCount);
  }

  createGrounder(feet: readonly Partial<FootModel>[], settings: Partial<GrounderSettings> = {}): GrounderCalls {
    return new GrounderCalls(this.memory, this.grounderCreate(feet, settings));
  }

  /** The body of a player who wears trackers. It keeps what it needs of the avatar. */
  createTrackedBody(skeleton: Skeleton, avatar: Avatar, settings: Partial<TrackedBodySettings> = {}): TrackedBody {
    const handle = this.trackedBodyCreate(avatar, { ...this.trackedBodySettingsDefault(), ...settings });
    return new TrackedBody(this.memory, handle, skeleton.jointCount);
  }
}

function table(map: HumanMap | ArrayLike<number>): ArrayLike<number> {
  if ("length" in map && typeof map.length === "number") return map as ArrayLike<number>;
  const joints = new Int32Array(HUMAN_BONE_COUNT).fill(-1);
  for (const [bone, joint] of Object.entries(map)) {
    const index = HumanBone[bone as keyof typeof HumanBone];
    if (index === undefined) throw new RangeError(`${bone} is no human bone`);
    // Bones that are left out may be given as undefined.
    if (joint !== undefined) joints[index] = integer(joint as number, bone);
  }
  return joints;
}

/** A rig: joints with parents, rest transforms and names. */
export class Skeleton extends SkeletonCalls {
  constructor(memory: Memory, handle: Skeleton["handle"], readonly jointCount: number) {
    super(memory, handle);
  }
}

/** Which joint is which human bone. */
export class Avatar extends AvatarCalls {}

/** A chain of joints, or with several ends a tree: what {@link Animator.createChain} takes. */
export type ChainInput = Partial<Omit<ChainDef, "ends" | "endCount" | "springBias" | "springBiasCount">> & {
  /** The last joint, or all ends of a tree. */
  end?: number;
  ends?: readonly ChainEnd[];
  /** See {@link ChainDef.springBias}. */
  springBias?: ArrayLike<number>;
};

/** One character: a pose, its goals and constraints, and the outcome of its last solve. */
export class Animator extends AnimatorCalls {
  constructor(memory: Memory, handle: Animator["handle"], readonly jointCount: number) {
    super(memory, handle);
  }

  /**
   * Local transforms of all joints, ten floats each, in the library's memory. Write every joint
   * from the animation, solve, read the result. Fetch it anew each frame: the view ends when the
   * memory grows. Do not keep it beyond {@link destroy}: the memory is another object's then.
   *
   * @throws SINEW_ERROR_INVALID_HANDLE: the animator is destroyed.
   */
  get pose(): Float32Array {
    // The library is called each time: it alone knows whether the memory is still the animator's.
    return this.memory.floats(this.getPoseBuffer().pose, this.jointCount * TRANSFORM_FLOATS);
  }

  /** Adds a chain with weight 1; its goal is set by {@link setConstraintPosition} and the like. */
  createChain(input: ChainInput): ConstraintHandle {
    const { end, ends = end === undefined ? [] : [{ joint: end, tip: { x: 0, y: 0, z: 0 } }], springBias, ...rest } = input;
    const bias = springBias ? { springBias, springBiasCount: springBias.length } : {};
    const chain = this.addChain({ ...rest, ...bias, ends, endCount: ends.length });
    this.setConstraintWeight(chain, 1);
    return chain;
  }

  /** Everything that lasts between frames; {@link restore} sets it. */
  save(): Uint8Array {
    const { memory: m, handle } = this;
    return this.snapshot(sizeOf(m, (at) => m.exports.sinew_animator_snapshot(handle, 0, 0, at))).bytes;
  }
}

/** The size that a call writes which has no room for what it returns. */
function sizeOf(m: Memory, call: (size: Pointer) => number): number {
  const mark = m.mark();
  try {
    const at = m.push(4);
    m.data.setUint32(at, 0, true);
    const code = call(at);
    const size = m.data.getUint32(at, true);
    if (size === 0) m.must(code);
    return size;
  } finally {
    m.release(mark);
  }
}

/** A pose of this side, for objects that have none of their own. */
class OwnPose {
  #at: Pointer;

  constructor(readonly memory: Memory, readonly jointCount: number, readonly owner: string) {
    this.#at = memory.allocate(jointCount * TRANSFORM_FLOATS * 4);
  }

  /** Its address. */
  get at(): Pointer {
    if (this.#at === 0) throw new SinewError(Result.ErrorInvalidHandle, `${this.owner}.pose: the object is destroyed`);
    return this.#at;
  }

  get floats(): Float32Array {
    return this.memory.floats(this.at, this.jointCount * TRANSFORM_FLOATS);
  }

  free(): void {
    this.memory.free(this.at, this.jointCount * TRANSFORM_FLOATS * 4);
    this.#at = 0;
  }
}

/** The whole-body solver for one character of any rig, with a pose of its own. */
export class Body extends BodyCalls {
  readonly #pose: OwnPose;

  constructor(memory: Memory, handle: Body["handle"], readonly jointCount: number) {
    super(memory, handle);
    this.#pose = new OwnPose(memory, jointCount, "Body");
  }

  /** As {@link Animator.pose}; zero until the first pose is written. */
  get pose(): Float32Array {
    return this.#pose.floats;
  }

  /** Everything that lasts between frames; {@link restore} sets it. */
  save(): Uint8Array {
    const { memory: m, handle } = this;
    return this.snapshot(sizeOf(m, (at) => m.exports.sinew_body_snapshot(handle, 0, 0, at))).bytes;
  }

  /** Solves {@link pose} in place. `dtS`: seconds since the last solve. */
  solve(dtS: number): BodyOutcome {
    const m = this.memory;
    const mark = m.mark();
    try {
      const outcome = m.push(256);
      m.must(m.exports.sinew_body_solve(this.handle, this.#pose.at, this.jointCount, dtS, outcome));
      return readBodyOutcome(m, outcome);
    } finally {
      m.release(mark);
    }
  }

  /**
   * Sets the goals of tied tasks of several bodies, which stand with the poses that they will be
   * solved from: places that both effectors can be brought to, or where they are nearest to each
   * other. Poses stay as they are: solve the bodies next.
   *
   * @param bodies at most 16 of one module.
   * @param ties at most 32: `firstWork` and `secondWork` are places in `bodies`, by default 0 and
   *   1; `gap` gets what was left, metres or radians.
   * @param dtS length of the frame, seconds, for track mode.
   * @param maxRounds most rounds, 1 to 64; each solves every body once.
   */
  static meet(bodies: readonly Body[], ties: Partial<BodyTie>[], dtS = 0, maxRounds = 8): BodyMeeting {
    const m = bodies[0]?.memory;
    if (!m) throw new RangeError("no bodies");
    const mark = m.mark();
    try {
      const works = pushBodyWorks(m, bodies.map((body) => ({ body: body.handle, pose: body.#pose.at, jointCount: body.jointCount })));
      const pairs = pushBodyTies(m, ties);
      const meeting = m.push(16);
      m.must(m.exports.sinew_body_meet(works, bodies.length, pairs, ties.length, dtS, maxRounds, meeting));
      ties.forEach((tie, i) => { tie.gap = readBodyTie(m, pairs + i * 48).gap; });
      return readBodyMeeting(m, meeting);
    } finally {
      m.release(mark);
    }
  }

  override destroy(): void {
    super.destroy();
    this.#pose.free();
  }
}

/**
 * Trackers in, the pose of an avatar out. Each frame: {@link setTracker} for those that report,
 * {@link update}, then {@link apply}, or {@link applyToAnimator}.
 */
export class TrackedBody extends TrackedBodyCalls {
  readonly #pose: OwnPose;

  constructor(memory: Memory, handle: TrackedBody["handle"], readonly jointCount: number) {
    super(memory, handle);
    this.#pose = new OwnPose(memory, jointCount, "TrackedBody");
  }

  /** As {@link Animator.pose}; zero until the first pose is written: the rest pose, an animation. */
  get pose(): Float32Array {
    return this.#pose.floats;
  }

  /** Writes the body over {@link pose}. The face, and fingers without trackers, stay as they are. */
  apply(): void {
    this.memory.must(this.memory.exports.sinew_tracked_body_apply(this.handle, this.#pose.at, this.jointCount));
  }

  override destroy(): void {
    super.destroy();
    this.#pose.free();
  }
}

export { Memory, SinewError };
