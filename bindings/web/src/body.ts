// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Objects of the library whose pose is kept on this side: whole bodies and tracked bodies.

import {
  BodyCalls, TrackedBodyCalls, pushBodyDrags, pushBodyPins, pushBodyTies, pushBodyWorks, readBodyBatchReport,
  readBodyMeeting, readBodyOutcome, readBodyTie, readBodyWork,
} from "./abi.g.js";
import type {
  BodyBatchReport, BodyDrag, BodyMeeting, BodyOutcome, BodyPin, BodyTie, BodyWork, JointLimits, WorldCalls, WorldHandle,
} from "./abi.g.js";
import { number } from "./check.js";
import { countCorners } from "./counts.js";
import { OwnPose, sizeOf } from "./own_pose.js";
import type { Memory, SinewError } from "./memory.js";

/** A drag of {@link Body.drag}: see {@link BodyDrag} for the members. */
export type DragInput = Partial<Omit<BodyDrag, "pins" | "pinCount">> & {
  /** Joints that stay; at most `BODY_MAX_PINS`. Default none; the flags of one default to 0. */
  pins?: readonly (Pick<BodyPin, "joint"> & Partial<BodyPin>)[];
};

/** A body of {@link Body.solveBatch} with its level of detail: see {@link BodyWork}. */
export interface BatchBody {
  /** The body, which is solved from its pose and gets the answer there. */
  body: Body;
  /** Share of the iterations and attempts of the settings, 0 to 1. Default 1. */
  iterationShare?: number;
  /** Highest priority level whose tasks count. Default: all. */
  maxLevel?: number;
}

/** What {@link Body.solveBatch} did. */
export interface BodyBatch {
  /** Numbers of bodies that were solved, cut and failed. */
  report: BodyBatchReport;
  /** Per body: a BodyWorkState, a Result, and the outcome where it was solved. */
  works: Pick<BodyWork, "state" | "result" | "outcome">[];
  /** Why the first body that failed was not solved; undefined when none failed. */
  error: SinewError | undefined;
}

const WORK_BYTES = 56;

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

  /** Limits of a joint; null: it is free. Without `cornerCount` all `corners` count. */
  override setJointLimits(joint: number, limits: Partial<JointLimits> | null): void {
    super.setJointLimits(joint, limits && countCorners("setJointLimits", limits));
  }

  /**
   * Solves {@link pose} in place.
   *
   * @param dtS - length of the frame, seconds, 0 to 1000, for track mode; else not used.
   * @throws SINEW_ERROR_NOT_FINITE, SINEW_ERROR_INVALID_ROTATION: the pose, which is as it was.
   */
  solve(dtS: number): BodyOutcome {
    number(dtS, "dtS");
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
   * Drags a joint of {@link pose} to a place, in place, for editors and posing tools: the chain of
   * joints above it follows, pinned joints stay, limits hold. The body's tasks do not count. To
   * drag with a mouse, write the pose at which the drag began before each call: then the answer
   * depends on the goal alone.
   *
   * @param drag - the joint and its goal, world space, metres; what is left out is as in
   *   `bodyDragDefault`.
   * @throws SINEW_ERROR_OUT_OF_RANGE: a joint; SINEW_ERROR_INVALID_ARGUMENT: unknown flags, too
   *   many pins; others as for {@link solve}. The pose is as it was.
   */
  drag(drag: DragInput): BodyOutcome {
    const { pins = [], ...rest } = drag;
    const m = this.memory;
    const mark = m.mark();
    try {
      const list = pushBodyPins(m, pins.map((pin) => ({ flags: 0, ...pin })));
      const at = pushBodyDrags(m, [{ ...rest, pinCount: pins.length, pins: list }]);
      const outcome = m.push(256);
      m.must(m.exports.sinew_body_drag(this.handle, at, this.#pose.at, this.jointCount, outcome));
      return readBodyOutcome(m, outcome);
    } finally {
      m.release(mark);
    }
  }

  /**
   * Solves many bodies in one call, each in its own {@link pose}, with the bits of {@link solve}. A
   * body that cannot be solved does not keep the others from it: its result and the error say why.
   *
   * @param bodies - no body twice, all of one module.
   * @param dtS - length of the frame, seconds, 0 to 1000, for track mode.
   * @param world - has the threads and the budget of native hosts; here it changes nothing.
   * @throws SINEW_ERROR_INVALID_ARGUMENT: a body twice, dtS; then nothing was done.
   */
  static solveBatch(bodies: readonly (Body | BatchBody)[], dtS = 0, world?: WorldCalls): BodyBatch {
    number(dtS, "dtS");
    const works = bodies.map((one) => (one instanceof Body ? { body: one } : one));
    const m = works[0]?.body.memory;
    if (!m) return { report: { solved: 0, cut: 0, failed: 0 }, works: [], error: undefined };
    const mark = m.mark();
    try {
      const at = pushBodyWorks(m, works.map(({ body, ...detail }) => ({
        ...detail, body, pose: body.#pose.at, jointCount: body.jointCount,
      })));
      const out = m.push(12);
      m.clear(out, 12);
      const threads = world ? m.bits(world) : (0n as WorldHandle);
      const error = m.failure(m.exports.sinew_body_solve_batch(at, works.length, dtS, threads, out));
      const report = readBodyBatchReport(m, out);
      // Without a body that failed the call itself was refused.
      if (error && report.failed === 0) throw error;
      const done = works.map((_, i) => {
        const { state, result, outcome } = readBodyWork(m, at + i * WORK_BYTES);
        return { state, result, outcome };
      });
      return { report, works: done, error };
    } finally {
      m.release(mark);
    }
  }

  /**
   * Sets the goals of tied tasks of several bodies, which stand with the poses that they will be
   * solved from: places that both effectors can be brought to, or where they are nearest to each
   * other. Poses stay as they are: solve the bodies next.
   *
   * @param bodies - at most 16 of one module.
   * @param ties - at most 32: `firstWork` and `secondWork` are places in `bodies`, by default 0 and
   *   1; `gap` gets what was left, metres or radians.
   * @param dtS - length of the frame, seconds, for track mode.
   * @param maxRounds - most rounds, 1 to 64; each solves every body once.
   */
  static meet(bodies: readonly Body[], ties: Partial<BodyTie>[], dtS = 0, maxRounds = 8): BodyMeeting {
    const m = bodies[0]?.memory;
    if (!m) throw new RangeError("no bodies");
    const mark = m.mark();
    try {
      const works = pushBodyWorks(m, bodies.map((body) => ({ body, pose: body.#pose.at, jointCount: body.jointCount })));
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
