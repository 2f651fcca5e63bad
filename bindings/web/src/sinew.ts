// SPDX-License-Identifier: MIT OR Apache-2.0

import {
  ABI_VERSION, AnimatorCalls, AvatarCalls, HUMAN_BONE_COUNT, HumanBone, ModuleCalls, Result, SkeletonCalls,
} from "./abi.g.js";
import type {
  AimDef, AnimatorHandle, AvatarDef, AvatarHandle, BodySettings, ChainDef, ConstraintHandle, Exports, FootModel,
  GrounderSettings, JointLimbJob, JointLimits, LimbPlaces, ModelFrame, Outcome, SkeletonDef, SkeletonHandle,
  TrackedBodySettings, Transform,
} from "./abi.g.js";
import { chainDef, chainSolve, jointLimbSolveRecords, modelFramesCompute } from "./arrays.js";
import type { ChainInput, ChainSolveInput } from "./arrays.js";
import { Body, TrackedBody } from "./body.js";
import { integer } from "./check.js";
import { countCorners, counted, mustHave } from "./counts.js";
import { Grounder } from "./grounder.js";
import { Memory, SinewError } from "./memory.js";
import type { HandleOf } from "./memory.js";
import { TRANSFORM_FLOATS, sizeOf } from "./own_pose.js";
import { hasSimd } from "./simd.js";
import { World } from "./world.js";

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
   * Loads the library. Without a source, the module beside this file is fetched (in node: read):
   * the one with vector instructions where they are there; both give the same bits.
   *
   * @throws Error: the module cannot be fetched, or is of another version than this package.
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
    const file = given instanceof URL && given.protocol === "file:" ? fileBytes(given) : undefined;
    if (file) return Sinew.#started((await WebAssembly.instantiate(file, {})).instance);
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

  /** As in the base class; `jointCount` may be left out, and lists are as long as it says. */
  override skeletonCreate(def: Partial<SkeletonDef>): SkeletonHandle {
    const given = counted("skeletonCreate", def, "parents", "jointCount");
    const { jointCount = 0, rest, names } = given;
    if (rest !== undefined && typeof rest !== "number") {
      const wanted = rest instanceof Float32Array ? jointCount * TRANSFORM_FLOATS : jointCount;
      mustHave("skeletonCreate: rest", rest, wanted, `${jointCount} joints`);
    }
    if (names !== undefined && typeof names !== "number") mustHave("skeletonCreate: names", names, jointCount, `${jointCount} joints`);
    return super.skeletonCreate(given);
  }

  /** As in the base class; the lengths of lists are their counts, a T-pose has all joints. */
  override avatarCreate(def: Partial<AvatarDef>): AvatarHandle {
    const joints = counted("avatarCreate", def, "humanJoints", "humanJointCount");
    const { tPose, skeleton } = joints;
    if (skeleton !== undefined && tPose !== undefined && typeof tPose !== "number") {
      const count = new SkeletonCalls(this.memory, this.memory.bits(skeleton)).getJointCount();
      const wanted = tPose instanceof Float32Array ? count * TRANSFORM_FLOATS : count;
      mustHave("avatarCreate: tPose", tPose, wanted, `the skeleton has ${count} joints`);
    }
    return super.avatarCreate(counted("avatarCreate", joints, "humanRanges", "humanRangeCount"));
  }

  /**
   * A rig.
   *
   * @throws RangeError: lists of different lengths; SINEW_ERROR_INVALID_PARENT: a parent that does
   *   not come before its joint; SINEW_ERROR_INVALID_ARGUMENT: no joints.
   */
  createSkeleton(input: SkeletonInput): Skeleton {
    const { parents, rest, names } = input;
    const handle = this.skeletonCreate({ parents, rest, names: names ?? 0 });
    return new Skeleton(this.memory, handle, parents.length);
  }

  /**
   * An avatar: which joint is which human bone, by table or (default) by names and shape.
   *
   * @throws RangeError: a name that is no human bone; SINEW_ERROR_MISSING_BONE: the sentence names
   *   the bones that are missing; SINEW_ERROR_LENGTH_MISMATCH: a table without one entry per bone.
   */
  createAvatar(skeleton: Skeleton, map?: HumanMap | ArrayLike<number>, options: Partial<AvatarDef> = {}): Avatar {
    const humanJoints = map === undefined ? skeleton.mapHumanBones(HUMAN_BONE_COUNT).joints : table(map);
    return new Avatar(this.memory, this.avatarCreate({ ...options, skeleton, humanJoints }));
  }

  /** A character; with an avatar a humanoid. It keeps what it needs of both. */
  createAnimator(skeleton: Skeleton, avatar?: Avatar): Animator {
    const handle = this.animatorCreate(avatar ? { skeleton, avatar } : { skeleton });
    return new Animator(this.memory, handle, skeleton.jointCount);
  }

  /**
   * Solves many animators, each in its own pose, in the given order. One that fails does not stop
   * the others, and is no exception: look at the results; `lastError` has the sentence of the first.
   *
   * @returns a Result of each animator.
   * @throws TypeError: what is no animator of this instance.
   */
  override animatorSolveBatch(animators: readonly HandleOf<AnimatorHandle>[]): number[] {
    const m = this.memory;
    const mark = m.mark();
    try {
      const [list, results] = [m.pushHandles(animators), m.push(animators.length * 4)];
      m.clear(results, animators.length * 4);
      const error = m.failure(m.exports.sinew_animator_solve_batch(list, animators.length, results));
      const codes = Array.from({ length: animators.length }, (_, i) => m.data.getInt32(results + i * 4, true));
      // Without an animator that failed the call itself was refused.
      if (error && codes.every((code) => code === Result.Ok)) throw error;
      return codes;
    } finally {
      m.release(mark);
    }
  }

  /** Many characters in one call: those that join it. */
  createWorld(): World {
    return new World(this.memory, this.worldCreate());
  }

  /** A whole body of any rig; `rootJoint`: the joint that moves it. */
  createBody(skeleton: Skeleton, rootJoint: number, settings: Partial<BodySettings> = {}): Body {
    const handle = this.bodyCreate(skeleton, rootJoint, settings);
    return new Body(this.memory, handle, skeleton.jointCount);
  }

  /** Feet on the ground: one foot model per leg. */
  createGrounder(feet: readonly Partial<FootModel>[], settings: Partial<GrounderSettings> = {}): Grounder {
    return new Grounder(this.memory, this.grounderCreate(feet, settings));
  }

  /** The body of a player who wears trackers. It keeps what it needs of the avatar. */
  createTrackedBody(skeleton: Skeleton, avatar: Avatar, settings: Partial<TrackedBodySettings> = {}): TrackedBody {
    const handle = this.trackedBodyCreate(avatar, { ...this.trackedBodySettingsDefault(), ...settings });
    return new TrackedBody(this.memory, handle, skeleton.jointCount);
  }

  /**
   * Solves a chain or tree given as plain arrays, with the result of a chain constraint of weight
   * 1.
   *
   * @param input - joints, ends, goals and settings, model space.
   * @param pose - ten floats per joint: the animation, which the result replaces. An array of the
   *   caller's, not a view of the module's memory.
   * @returns the outcome of the worst end.
   * @throws RangeError: a list has another length than joints or ends; SINEW_ERROR_INVALID_PARENT;
   *   SINEW_ERROR_OUT_OF_RANGE: a joint; SINEW_ERROR_INVALID_CHAIN: the ends are not below one
   *   root; SINEW_ERROR_INVALID_ARGUMENT: a setting. The pose is as it was.
   */
  chainSolve(input: ChainSolveInput, pose: Float32Array): Outcome {
    return chainSolve(this.memory, input, pose);
  }

  /**
   * Model frames of a pose given as an array (forward kinematics).
   *
   * @param parents - index of each joint's parent, lower than its own; -1 for none.
   * @param pose - ten floats per joint.
   * @throws RangeError: the pose has another length; SINEW_ERROR_INVALID_PARENT.
   */
  modelFramesCompute(parents: ArrayLike<number>, pose: Float32Array): ModelFrame[] {
    return modelFramesCompute(this.memory, parents, pose);
  }

  /**
   * Solves many limbs in place, whose joints are records of one list of local transforms.
   *
   * @param records - ten floats per record; those of limbs have scale 1.
   * @param places - one per limb: its joints in `records`. No two limbs share a joint.
   * @param jobs - one per limb; what is in the records is taken from there.
   * @returns per limb: distance from the weighted target to the nearest point within reach.
   * @throws SINEW_ERROR_OUT_OF_RANGE: a place; SINEW_ERROR_INVALID_ROTATION: a record. The records
   *   are as they were.
   */
  jointLimbSolveRecords(records: Float32Array, places: readonly LimbPlaces[], jobs: readonly Partial<JointLimbJob>[]): number[] {
    return jointLimbSolveRecords(this.memory, records, places, jobs);
  }
}

/** The bytes of a file, where the host is node, whose `fetch` takes no files. */
function fileBytes(file: URL): BufferSource | undefined {
  // Not an import: bundlers for browsers would look for the module.
  const host = (globalThis as { process?: { getBuiltinModule?(name: string): unknown } }).process;
  const files = host?.getBuiltinModule?.("node:fs") as { readFileSync(file: URL): BufferSource } | undefined;
  return files?.readFileSync(file);
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
    const chain = this.addChain(chainDef(input));
    this.setConstraintWeight(chain, 1);
    return chain;
  }

  /** As in the base class; the lengths of `ends` and `springBias` are their counts. */
  override addChain(def: Partial<ChainDef>): ConstraintHandle {
    const ended = counted("addChain", def, "ends", "endCount");
    return super.addChain(counted("addChain", ended, "springBias", "springBiasCount"));
  }

  /** As in the base class; the length of `weights` is their count. */
  override addAim(def: Partial<AimDef>): ConstraintHandle {
    return super.addAim(counted("addAim", def, "weights", "weightCount"));
  }

  /** As in the base class; without `cornerCount` all `corners` count. */
  override setJointLimits(joint: number, limits: Partial<JointLimits> | null): void {
    super.setJointLimits(joint, limits && countCorners("setJointLimits", limits));
  }

  /** Everything that lasts between frames; {@link restore} sets it. */
  save(): Uint8Array {
    const { memory: m, handle } = this;
    return this.snapshot(sizeOf(m, (at) => m.exports.sinew_animator_snapshot(handle, 0, 0, at))).bytes;
  }
}

export { Body, Grounder, Memory, SinewError, TRANSFORM_FLOATS, TrackedBody, World };
export type { BatchBody, BodyBatch, DragInput } from "./body.js";
export type { ChainInput, ChainSolveInput } from "./arrays.js";
export type { GroundAnswer, LegInput } from "./grounder.js";
export type { WorldRows } from "./world.js";
