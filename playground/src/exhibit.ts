// SPDX-License-Identifier: MIT OR Apache-2.0
//
// A scene of the gallery, solved as `cargo xtask gallery` tells it.

import {
  BodyTaskKind, CalibrationPose, ChainSolver, HumanBone, DistanceMode, BODY_TASK_PIN, Status, TRACKER_SAMPLE_POSITION,
  TRACKER_SAMPLE_ROTATION, TRANSFORM_FLOATS, TrackerScale,
} from "sinew-ik";
import type {
  Animator, Body, BodySettings, BodyTaskDef, BodyTaskHandle, ConstraintHandle, JointLimits, Quat, Sinew,
  TrackedBody, TrackerCalibration, TrackerRole, Transform, Vec3,
} from "sinew-ik";
import { multiply, rotate } from "./turn.js";
import { STATUS } from "./status.js";

export type Point = [number, number, number];

interface Goal {
  position?: Vec3;
  rotation?: Quat;
  axis?: Vec3;
  direction?: Vec3;
  mode?: "Inside" | "On" | "Outside";
  radius?: number;
}

/** A frame of the script. */
interface Step {
  weight: number;
  goals: Goal[];
  pole: Vec3 | null;
  pose?: number[];
  iterations?: number;
}

interface Rig {
  parents: number[];
  rest: number[];
}

type Task = BodyTaskDef;

export interface Told {
  group: string;
  title: string;
  note: string;
  /** Parent of each point that is drawn. */
  parents: number[];
  /** Per frame, lines in millimetres: what stands around a body. */
  lines: number[][][];
  /** Where the joints are in a frame, millimetres. */
  checked: { frame: number; joints: number[] };
  live: LiveConstraint | LiveBodies | LivePlayer;
}

interface LiveConstraint {
  rig: Rig;
  ends: { joint: number; tip: Vec3 }[];
  constraint: { kind: "Chain" | "TwoBone" | "CopyRotation" | "Aim" | "Spline"; solver?: keyof typeof ChainSolver; def: any };
  /** `border`: about the joint above, in its space. */
  limits: { joint: number; limits: Partial<JointLimits>; border: Point[] }[];
  script: Step[];
}

interface LiveBodies {
  actors: {
    rig: Rig;
    root: number;
    place: Transform;
    animation: number[];
    settings?: Partial<BodySettings>;
    human?: number[];
    limits: { joint: number; limits: Partial<JointLimits> }[];
    stiff: { joint: number; stiffness: number }[];
    tasks: Task[];
  }[];
  /** Per frame and actor: tasks that are set. */
  script: [number, Task][][][];
}

interface Placed {
  position: Vec3;
  rotation: Quat;
}

interface LivePlayer {
  player: {
    rig: Rig;
    human: number[];
    /** Height of the soles in the T-pose, metres. */
    floor: number;
    /** Seconds of a frame. */
    stepS: number;
    roles: TrackerRole[];
    /** The trackers in the T-pose, on their joints. */
    start: Placed[];
    /** Frame whose trackers are calibrated on; -1: on `start`, before the first one. */
    calibratesAt: number;
  };
  /** Per frame: where the trackers are. */
  script: Placed[][];
}

/** What is drawn, metres, world space. */
export interface Shown {
  joints: Point[];
  /** A point beside the middle of each bone, which shows its roll. */
  fins: Point[];
  lines: Point[][];
  status: string;
  residualM: number;
  iterations: number;
}

/** What is dragged. */
export interface Mark {
  key: string;
  at: Point;
  isPole: boolean;
}

export interface Exhibit {
  readonly frames: number;
  /** For bodies: half the width of the bone that ends at each joint, metres; 0: not drawn, below: a head. */
  readonly widths?: readonly number[];
  /** Goals of a frame, moved as they are held. */
  marks(frame: number, held: ReadonlyMap<string, Point>): Mark[];
  solve(frame: number, held: ReadonlyMap<string, Point>): Shown;
}

const point = ({ x, y, z }: Vec3): Point => [x, y, z];
const vector = ([x, y, z]: Point): Vec3 => ({ x, y, z });
const add = (a: Point, b: Point): Point => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const scale = (a: Point, s: number): Point => [a[0] * s, a[1] * s, a[2] * s];
const turn = ({ x, y, z, w }: Quat): number[] => [x, y, z, w];

/** Forward kinematics: places and rotations of all joints. */
function forward(parents: readonly number[], pose: ArrayLike<number>, root?: Transform): { places: Point[]; turns: number[][] } {
  const places: Point[] = [];
  const turns: number[][] = [];
  parents.forEach((parent, joint) => {
    const i = joint * TRANSFORM_FLOATS;
    const own: Point = [pose[i]!, pose[i + 1]!, pose[i + 2]!];
    const by = [pose[i + 3]!, pose[i + 4]!, pose[i + 5]!, pose[i + 6]!];
    const above = parent >= 0 ? turns[parent]! : root ? turn(root.rotation) : [0, 0, 0, 1];
    const from = parent >= 0 ? places[parent]! : root ? point(root.position) : ([0, 0, 0] as Point);
    places.push(add(from, rotate(above, own)));
    turns.push(multiply(above, by));
  });
  return { places, turns };
}

function circle(centre: Point, radius: number, x: Point, y: Point): Point[] {
  return Array.from({ length: 33 }, (_, i) => {
    const a = (i / 32) * 2 * Math.PI;
    return add(centre, add(scale(x, Math.cos(a) * radius), scale(y, Math.sin(a) * radius)));
  });
}

const AXES: Point[] = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];

/** A chain, tree, aim, curve or copied rotation. */
class Constraint implements Exhibit {
  readonly frames: number;
  readonly #animator: Animator;
  readonly #rest: Float32Array;
  #constraint: ConstraintHandle;
  #iterations = -1;

  constructor(sinew: Sinew, readonly told: Told, readonly live: LiveConstraint) {
    this.frames = live.script.length;
    this.#rest = Float32Array.from(live.rig.rest);
    const skeleton = sinew.createSkeleton({ parents: live.rig.parents, rest: this.#rest });
    this.#animator = sinew.createAnimator(skeleton);
    skeleton.destroy();
    for (const { joint, limits } of live.limits) this.#animator.setJointLimits(joint, limits);
    this.#constraint = this.#make(live.constraint.def);
  }

  #make(def: any): ConstraintHandle {
    const { kind, solver } = this.live.constraint;
    switch (kind) {
      case "Chain": return this.#animator.addChain({ ...def, solver: ChainSolver[solver!] });
      case "TwoBone": return this.#animator.addTwoBone(def);
      case "CopyRotation": return this.#animator.addCopyRotation(def);
      case "Aim": return this.#animator.addAim(def);
      case "Spline": return this.#animator.addSpline(def);
    }
  }

  marks(frame: number, held: ReadonlyMap<string, Point>): Mark[] {
    const { goals, pole } = this.live.script[frame]!;
    const marks: Mark[] = [];
    goals.forEach(({ position }, i) => {
      if (position) marks.push({ key: `goal ${i}`, at: held.get(`goal ${i}`) ?? point(position), isPole: false });
    });
    if (pole) marks.push({ key: "pole", at: held.get("pole") ?? point(pole), isPole: true });
    return marks;
  }

  solve(frame: number, held: ReadonlyMap<string, Point>): Shown {
    const animator = this.#animator;
    const { weight, goals, pole, pose, iterations } = this.live.script[frame]!;
    if (iterations !== undefined && iterations !== this.#iterations) {
      animator.removeConstraint(this.#constraint);
      this.#constraint = this.#make({ ...this.live.constraint.def, maxIterations: Math.max(1, iterations) });
      this.#iterations = iterations;
    }
    const constraint = this.#constraint;
    animator.pose.set(pose ?? this.#rest);
    animator.setConstraintWeight(constraint, weight);
    const lines: Point[][] = [];
    const inputs = this.marks(frame, held);
    goals.forEach(({ rotation, axis, direction, mode, radius }, i) => {
      const at = inputs.find(({ key }) => key === `goal ${i}`)?.at;
      animator.clearConstraintGoal(constraint, i);
      if (at) animator.setConstraintPosition(constraint, i, vector(at));
      if (rotation) animator.setConstraintRotation(constraint, i, rotation);
      if (axis && direction) animator.setConstraintAxis(constraint, i, axis, direction);
      if (at && mode) {
        animator.setConstraintDistance(constraint, i, DistanceMode[mode], radius!);
        AXES.forEach((x, k) => lines.push(circle(at, radius!, x, AXES[(k + 1) % 3]!)));
      }
    });
    const facing = inputs.find(({ isPole }) => isPole);
    if (pole && facing) animator.setConstraintPole(constraint, { at: vector(facing.at) });
    animator.solve();
    const { status, residualM, iterations: count } = animator.getConstraintOutcome(constraint);
    const { places, turns } = forward(this.live.rig.parents, animator.pose);
    this.#borders(places, turns, lines);
    const joints = [...places, ...this.live.ends.map(({ joint, tip }) => add(places[joint]!, rotate(turns[joint]!, point(tip))))];
    const fins = joints.map((at, i): Point => {
      const parent = this.told.parents[i]!;
      if (parent < 0) return at;
      return add(scale(add(at, joints[parent]!), 0.5), rotate(turns[parent]!, [0.045, 0, 0]));
    });
    return { joints, fins, lines, status: STATUS[status] ?? "", residualM, iterations: count };
  }

  /** Borders of the limits. */
  #borders(places: Point[], turns: number[][], lines: Point[][]): void {
    const { parents } = this.live.rig;
    for (const { joint, border } of this.live.limits) {
      const above = parents[joint]! >= 0 ? turns[parents[joint]!]! : [0, 0, 0, 1];
      lines.push(border.map((at) => add(places[joint]!, rotate(above, at))));
    }
  }
}

/** Half the width of what ends at a human bone. */
const WIDTHS: readonly [RegExp, number][] = [
  [/^(Spine|Chest|UpperChest)$/, 0.1], [/^Neck$/, 0.05], [/^Head$/, -0.11], [/Eye|Jaw/, 0], [/Shoulder$/, 0.06], [/UpperArm$/, 0.055],
  [/LowerArm$/, 0.046], [/Hand$/, 0.036], [/UpperLeg$/, 0.095], [/LowerLeg$/, 0.075], [/Foot$/, 0.052], [/Toes$/, 0.036],
];

/** Widths of a rig's bones. */
function widthsOf({ parents, rest }: Rig, human: readonly number[] | undefined): number[] {
  const names = Object.keys(HumanBone);
  return parents.map((parent, joint) => {
    const name = names[human?.indexOf(joint) ?? -1];
    const found = name && WIDTHS.find(([pattern]) => pattern.test(name))?.[1];
    if (found !== undefined && found !== "") return found;
    if (human) return human.indexOf(parent) === HumanBone.Head ? 0 : 0.014;
    return Math.min(0.05, 0.2 * Math.hypot(...rest.slice(joint * TRANSFORM_FLOATS, joint * TRANSFORM_FLOATS + 3)));
  });
}

/** Bodies with their tasks. */
class Bodies implements Exhibit {
  readonly frames: number;
  readonly widths: readonly number[];
  readonly #bodies: { body: Body; tasks: BodyTaskHandle[] }[];
  /** The tasks of each actor as they are in a frame. */
  readonly #script: Task[][][] = [];

  constructor(sinew: Sinew, readonly told: Told, readonly live: LiveBodies) {
    this.frames = live.script.length;
    this.widths = live.actors.flatMap(({ rig, human }) => widthsOf(rig, human));
    this.#bodies = live.actors.map(({ rig, root, place, settings, human, limits, stiff, tasks }) => {
      const skeleton = sinew.createSkeleton({ parents: rig.parents, rest: Float32Array.from(rig.rest) });
      const body = sinew.createBody(skeleton, root, settings ?? {});
      if (human) {
        const avatar = sinew.createAvatar(skeleton, human);
        body.setHumanRanges(avatar);
        body.setHumanMasses(avatar);
        avatar.destroy();
      }
      skeleton.destroy();
      body.setRoot(place);
      for (const { joint, limits: given } of limits) body.setJointLimits(joint, given);
      for (const { joint, stiffness } of stiff) {
        body.setJointLimits(joint, { ...body.getJointLimits(joint), stiffness: { x: stiffness, y: stiffness, z: stiffness } });
      }
      return { body, tasks: tasks.map((task) => body.addTask(task)) };
    });
    let now = live.actors.map(({ tasks }) => tasks);
    for (const step of live.script) {
      now = now.map((tasks, actor) => {
        const next = [...tasks];
        for (const [task, def] of step[actor]!) next[task] = def;
        return next;
      });
      this.#script.push(now);
    }
  }

  marks(frame: number, held: ReadonlyMap<string, Point>): Mark[] {
    return this.#script[frame]!.flatMap((tasks, actor) => tasks.flatMap((task, i) => {
      const moves = task.kind === BodyTaskKind.Position && !(task.flags & BODY_TASK_PIN) && task.level === 0;
      const key = `${actor} ${i}`;
      return moves ? [{ key, at: held.get(key) ?? point(task.goal), isPole: false }] : [];
    }));
  }

  solve(frame: number, held: ReadonlyMap<string, Point>): Shown {
    const shown: Shown = { joints: [], fins: [], lines: [], status: "", residualM: 0, iterations: 0 };
    let worst: number = Status.Inactive;
    this.live.actors.forEach(({ rig, animation, place }, actor) => {
      const { body, tasks } = this.#bodies[actor]!;
      this.#script[frame]![actor]!.forEach((task, i) => {
        const at = held.get(`${actor} ${i}`);
        body.setTask(tasks[i]!, at ? { ...task, goal: vector(at) } : task);
      });
      body.pose.set(animation);
      const outcome = body.solve(0);
      worst = Math.max(worst, outcome.status);
      shown.residualM = Math.max(shown.residualM, outcome.residualM);
      shown.iterations += outcome.iterations;
      const { places, turns } = forward(rig.parents, body.pose, place);
      places.forEach((at, joint) => {
        const parent = rig.parents[joint]!;
        shown.joints.push(at);
        shown.fins.push(parent < 0 ? at : add(scale(add(at, places[parent]!), 0.5), rotate(turns[parent]!, [0, 0, 0.03])));
      });
    });
    shown.status = STATUS[worst] ?? "";
    shown.lines = this.told.lines[frame]!.map((line) =>
      Array.from({ length: line.length / 3 }, (_, i): Point => [line[3 * i]! / 1000, line[3 * i + 1]! / 1000, line[3 * i + 2]! / 1000]));
    return shown;
  }
}

/** A person who is moved by trackers. */
class Tracked implements Exhibit {
  readonly frames: number;
  readonly widths: readonly number[];
  readonly #body: TrackedBody;
  readonly #fresh: TrackerCalibration;
  /** The frame that the body is in, -1: none yet; and what was held in it. */
  #last = -1;
  #held = "";

  constructor(sinew: Sinew, readonly live: LivePlayer) {
    const { rig, human } = live.player;
    this.frames = live.script.length;
    this.widths = widthsOf(rig, human);
    const skeleton = sinew.createSkeleton({ parents: rig.parents, rest: Float32Array.from(rig.rest) });
    const avatar = sinew.createAvatar(skeleton, human);
    this.#body = sinew.createTrackedBody(skeleton, avatar);
    this.#fresh = this.#body.getCalibration();
    avatar.destroy();
    skeleton.destroy();
  }

  marks(frame: number, held: ReadonlyMap<string, Point>): Mark[] {
    return this.live.script[frame]!.map(({ position }, i) => ({
      key: `tracker ${i}`, at: held.get(`tracker ${i}`) ?? point(position), isPole: false,
    }));
  }

  #give(places: readonly Placed[], timeS: number, held?: ReadonlyMap<string, Point>): void {
    const set = TRACKER_SAMPLE_POSITION | TRACKER_SAMPLE_ROTATION;
    this.live.player.roles.forEach((role, i) => {
      const at = held?.get(`tracker ${i}`);
      const { position, rotation } = places[i]!;
      this.#body.setTracker(role, { timeS, position: at ? vector(at) : position, rotation, set, confidence: 1 });
    });
  }

  #calibrate(): void {
    this.#body.calibrate(CalibrationPose.TPose, TrackerScale.Height, this.live.player.floor);
  }

  /** Back to before the first frame. */
  #restart(): void {
    const { roles, start, stepS, calibratesAt } = this.live.player;
    for (const role of roles) this.#body.clearTracker(role);
    this.#body.setCalibration(this.#fresh);
    this.#body.reset();
    if (calibratesAt < 0) {
      this.#give(start, -stepS);
      this.#calibrate();
      this.#body.update(-stepS);
    }
    this.#last = -1;
  }

  /** A body has a past, so a frame is reached by way of those before it. */
  solve(frame: number, held: ReadonlyMap<string, Point>): Shown {
    const { rig, roles, stepS, calibratesAt } = this.live.player;
    const now = JSON.stringify([...held]);
    if (this.#last < 0 || frame < this.#last || (frame === this.#last && now !== this.#held)) this.#restart();
    for (let next = this.#last + 1; next <= frame; next++) {
      this.#give(this.live.script[next]!, next * stepS, next === calibratesAt ? undefined : held);
      if (next === calibratesAt) this.#calibrate();
      this.#body.update(next * stepS);
    }
    [this.#last, this.#held] = [frame, now];
    this.#body.pose.set(rig.rest);
    this.#body.apply();
    const { places, turns } = forward(rig.parents, this.#body.pose);
    const fins = places.map((at, joint): Point => {
      const parent = rig.parents[joint]!;
      return parent < 0 ? at : add(scale(add(at, places[parent]!), 0.5), rotate(turns[parent]!, [0, 0, 0.03]));
    });
    const outcomes = roles.map((role) => this.#body.getOutcome(role));
    const status = Math.max(...outcomes.map((outcome) => outcome.status));
    const residualM = Math.max(...outcomes.map((outcome) => outcome.residualM));
    return { joints: places, fins, lines: [], status: STATUS[status] ?? "", residualM, iterations: 0 };
  }
}

export function makeExhibit(sinew: Sinew, told: Told): Exhibit {
  const { live } = told;
  if ("player" in live) return new Tracked(sinew, live);
  return "rig" in live ? new Constraint(sinew, told, live) : new Bodies(sinew, told, live);
}
