// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Solves of plain arrays, which need no objects of the library.

import {
  pushConstraintGoals, pushJointLimitss, pushJointLimbJobs, pushLimbPlacess, pushPoles, pushTransforms, readModelFrame,
  readOutcome, writeChainJob,
} from "./abi.g.js";
import type { ChainDef, ChainEnd, ConstraintGoal, JointLimbJob, JointLimits, LimbPlaces, ModelFrame, Outcome, Pole, Transform } from "./abi.g.js";
import { countCorners, mustHave } from "./counts.js";
import type { Memory } from "./memory.js";
import { TRANSFORM_FLOATS } from "./own_pose.js";

/** A chain of joints, or with several ends a tree: what {@link Animator.createChain} takes. */
export type ChainInput = Partial<Omit<ChainDef, "ends" | "endCount" | "springBias" | "springBiasCount">> & {
  /** The last joint, or all ends of a tree. */
  end?: number;
  ends?: readonly ChainEnd[];
  /** See {@link ChainDef.springBias}. */
  springBias?: ArrayLike<number>;
};

/**
 * A chain as plain arrays: what `Sinew.chainSolve` takes. Model space is that of joints without
 * parent.
 */
export interface ChainSolveInput {
  /** Index of each joint's parent, lower than its own; -1 for none. One per joint. */
  parents: ArrayLike<number>;
  /** Rest transform of each joint in its parent: objects, or ten floats per joint. */
  rest: readonly Transform[] | Float32Array;
  /** Limits of each joint, from its rest rotation; null: it is free. Default: all are free. */
  limits?: readonly (Partial<JointLimits> | null)[];
  /** Goal of each end, model space; what is not in its `set` does not count. */
  goals: readonly Partial<ConstraintGoal>[];
  /** Pole of a chain with one end, model space. Default: the bend of the pose. */
  pole?: Partial<Pole>;
  /** Ends, number of joints, solver and its settings. */
  chain: ChainInput;
  /** How many steps of work the solve may take, at most `MAX_WORK`, the default. */
  maxWork?: number;
}

/** The definition of a chain, as `addChain` takes it. @internal */
export function chainDef(input: ChainInput): Partial<ChainDef> & { ends: readonly ChainEnd[] } {
  const { end, ends = end === undefined ? [] : [{ joint: end, tip: { x: 0, y: 0, z: 0 } }], springBias, ...rest } = input;
  const bias = springBias ? { springBias, springBiasCount: springBias.length } : {};
  return { ...rest, ...bias, ends, endCount: ends.length };
}

/** @internal */
export function chainSolve(m: Memory, input: ChainSolveInput, pose: Float32Array): Outcome {
  const { parents, rest, limits, goals, pole, chain, maxWork } = input;
  const count = parents.length;
  const def = chainDef(chain);
  mustHavePose("chainSolve: pose", m, pose, count);
  mustHave("chainSolve: rest", rest, rest instanceof Float32Array ? count * TRANSFORM_FLOATS : count, "one transform per joint");
  if (limits) mustHave("chainSolve: limits", limits, count, "one per joint");
  mustHave("chainSolve: goals", goals, def.ends.length, "one per end");
  const mark = m.mark();
  try {
    const job = m.push(CHAIN_JOB_BYTES);
    writeChainJob(m, job, {
      jointCount: count, parents: m.pushInt32s(parents), rest: pushTransforms(m, rest),
      limits: limits ? pushJointLimitss(m, limits.map((one) => countCorners("chainSolve", one ?? {}))) : 0,
      goals: pushConstraintGoals(m, goals), pole: pole ? pushPoles(m, [pole]) : 0, def: def as ChainDef,
      ...(maxWork !== undefined && { maxWork }),
    });
    const [at, outcome] = [m.pushFloat32s(pose), m.push(16)];
    m.must(m.exports.sinew_chain_solve(job, at, outcome));
    pose.set(m.floats(at, pose.length));
    return readOutcome(m, outcome);
  } finally {
    m.release(mark);
  }
}

/** @internal */
export function modelFramesCompute(m: Memory, parents: ArrayLike<number>, pose: Float32Array): ModelFrame[] {
  const count = parents.length;
  mustHavePose("modelFramesCompute: pose", m, pose, count);
  const mark = m.mark();
  try {
    const [list, locals, frames] = [m.pushInt32s(parents), m.pushFloat32s(pose), m.push(count * FRAME_BYTES)];
    m.must(m.exports.sinew_model_frames_compute(list, locals, count, frames));
    return Array.from({ length: count }, (_, i) => readModelFrame(m, frames + i * FRAME_BYTES));
  } finally {
    m.release(mark);
  }
}

/** @internal */
export function jointLimbSolveRecords(
  m: Memory, records: Float32Array, places: readonly LimbPlaces[], jobs: readonly Partial<JointLimbJob>[],
): number[] {
  const count = places.length;
  mustHave("jointLimbSolveRecords: jobs", jobs, count, "one per limb");
  mustHavePose("jointLimbSolveRecords: records", m, records, m.count(records, TRANSFORM_FLOATS));
  const mark = m.mark();
  try {
    const list = m.pushFloat32s(records);
    const [where, what, beyond] = [pushLimbPlacess(m, places), pushJointLimbJobs(m, jobs), m.push(count * 4)];
    m.must(m.exports.sinew_joint_limb_solve_records(list, records.length / TRANSFORM_FLOATS, where, what, count, beyond));
    records.set(m.floats(list, records.length));
    return Array.from(m.floats(beyond, count));
  } finally {
    m.release(mark);
  }
}

const CHAIN_JOB_BYTES = 104;
const FRAME_BYTES = 64;

/** A pose that is copied in and out: not a view of the module's memory, which a call may end. */
function mustHavePose(name: string, m: Memory, pose: Float32Array, joints: number): void {
  if (!(pose instanceof Float32Array)) throw new TypeError(`${name} is no Float32Array`);
  mustHave(name, pose, joints * TRANSFORM_FLOATS, "ten floats per joint");
  if (pose.buffer === m.exports.memory.buffer) throw new TypeError(`${name} is a view of the module's memory: give a copy`);
}
