// SPDX-License-Identifier: MIT OR Apache-2.0
//
// A page with one rig of plain bones, whose constraints follow handles.

import { Status, TRANSFORM_FLOATS } from "sinew-ik";
import type { Animator, ConstraintHandle, Outcome, Sinew } from "sinew-ik";
import { Bones } from "./bones.js";
import { Handle } from "./stage.js";
import type { Stage } from "./stage.js";
import { STATUS } from "./status.js";
import { Readings, element } from "./ui.js";
import type { View } from "./view.js";

/** A joint of a rig: its parent, and its place and rotation (x y z w) in it. */
export interface RigJoint {
  parent: number;
  at: readonly [number, number, number];
  turn?: readonly [number, number, number, number];
}

export abstract class RigView implements View {
  abstract readonly name: string;
  readonly readings = new Readings();
  readonly handles = new Map<string, Handle>();
  animator!: Animator;
  constraint!: ConstraintHandle;
  /** Start from the rest pose in each frame. */
  protected fromRest = true;
  #bones: Bones | undefined;

  constructor(readonly sinew: Sinew, readonly stage: Stage) {}

  abstract show(panel: HTMLElement): void;
  /** Sets the goals of a frame. */
  protected abstract aim(): void;

  hide(): void {
    this.drop();
    this.stage.clear();
    this.handles.clear();
  }

  protected drop(): void {
    if (!this.#bones) return;
    this.animator.destroy();
    this.#bones.destroy();
    this.#bones = undefined;
  }

  protected handle(name: string, color: number, at: readonly [number, number, number], radius = 0.05): Handle {
    const made = new Handle(name, color, radius);
    made.position.set(...at);
    this.handles.set(name, made);
    this.stage.add(made);
    return made;
  }

  /** A rig with an animator; `thick`: radius of a bone, metres. */
  protected build(joints: readonly RigJoint[], thick: number): void {
    this.drop();
    const rest = new Float32Array(joints.length * TRANSFORM_FLOATS);
    joints.forEach(({ at, turn }, i) => rest.set([...at, ...(turn ?? [0, 0, 0, 1]), 1, 1, 1], i * TRANSFORM_FLOATS));
    const parents = joints.map(({ parent }) => parent);
    const skeleton = this.sinew.createSkeleton({ parents, rest });
    this.animator = this.sinew.createAnimator(skeleton);
    skeleton.destroy();
    this.#bones = new Bones(this.stage.scene, parents, thick);
  }

  update(): void {
    const { animator } = this;
    if (this.fromRest) animator.resetPose();
    this.aim();
    const start = performance.now();
    animator.solve();
    const solveMs = performance.now() - start;
    this.#bones!.draw(animator.pose);
    this.report(animator.getConstraintOutcome(this.constraint));
    this.readings.set("Solve", `${solveMs.toFixed(2)} ms`);
  }

  protected report({ status, iterations, residualM }: Outcome): void {
    this.readings.set("Goal", STATUS[status] ?? "", status === Status.Reached ? "reached" : "missed");
    this.readings.set("Left to the goal", millimetres(residualM));
    this.readings.set("Iterations", String(iterations));
  }
}

/** The last line of a panel. */
export function manual(text: string, page: string): HTMLElement {
  return element("p", { className: "manual" }, [element("a", { textContent: `In the manual: ${text}`, href: `../manual/${page}` })]);
}

export function millimetres(metres: number): string {
  return metres < 1e-5 ? `${(metres * 1e6).toFixed(1)} µm` : `${(metres * 1e3).toFixed(1)} mm`;
}
