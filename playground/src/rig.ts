// SPDX-License-Identifier: MIT OR Apache-2.0
//
// A page with one rig of plain bones, whose constraints follow handles.

import { Color, ConeGeometry, InstancedMesh, Matrix4, MeshLambertMaterial, Quaternion, Vector3 } from "three";
import { Status, TRANSFORM_FLOATS } from "sinew-ik";
import type { Animator, ConstraintHandle, Outcome, Sinew } from "sinew-ik";
import { Handle, remove } from "./stage.js";
import type { Stage } from "./stage.js";
import { Readings, element } from "./ui.js";
import type { View } from "./view.js";

const UP = new Vector3(0, 1, 0);
const ONE = new Vector3(1, 1, 1);

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
  #mesh: InstancedMesh | undefined;
  #parents: number[] = [];

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
    if (!this.#mesh) return;
    this.animator.destroy();
    remove(this.#mesh);
    this.#mesh = undefined;
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
    this.#parents = joints.map(({ parent }) => parent);
    const skeleton = this.sinew.createSkeleton({ parents: this.#parents, rest });
    this.animator = this.sinew.createAnimator(skeleton);
    skeleton.destroy();
    const count = this.#parents.filter((parent) => parent >= 0).length;
    const shape = new ConeGeometry(1, 1, count > 100 ? 6 : 12).translate(0, 0.5, 0);
    this.#mesh = new InstancedMesh(shape, new MeshLambertMaterial(), count);
    this.#mesh.userData.thick = thick;
    this.#mesh.frustumCulled = false;
    this.#mesh.castShadow = true;
    const color = new Color();
    for (let i = 0; i < count; i++) this.#mesh.setColorAt(i, color.setHSL(0.08 + (0.5 * i) / count, 0.55, 0.55));
    this.stage.scene.add(this.#mesh);
  }

  update(): void {
    const { animator } = this;
    if (this.fromRest) animator.resetPose();
    this.aim();
    const start = performance.now();
    animator.solve();
    const solveMs = performance.now() - start;
    this.#draw();
    this.report(animator.getConstraintOutcome(this.constraint));
    this.readings.set("Solve", `${solveMs.toFixed(2)} ms`);
  }

  protected report({ status, iterations, residualM }: Outcome): void {
    const word = Object.keys(Status).find((key) => Status[key as keyof typeof Status] === status) ?? "";
    this.readings.set("Goal", word.toLowerCase(), status === Status.Reached ? "reached" : "missed");
    this.readings.set("Left to the goal", millimetres(residualM));
    this.readings.set("Iterations", String(iterations));
  }

  #draw(): void {
    const { pose } = this.animator;
    const mesh = this.#mesh!;
    const thick = mesh.userData.thick as number;
    const places = this.#parents.map(() => new Vector3());
    const turns = this.#parents.map(() => new Quaternion());
    const [own, along, size, matrix] = [new Quaternion(), new Vector3(), new Vector3(), new Matrix4()];
    let bone = 0;
    this.#parents.forEach((parent, joint) => {
      const i = joint * TRANSFORM_FLOATS;
      const place = places[joint]!.fromArray(pose, i);
      const turn = turns[joint]!.fromArray(pose, i + 3);
      if (parent < 0) return;
      place.applyQuaternion(turns[parent]!).add(places[parent]!);
      turn.premultiply(turns[parent]!);
      // A bone points from its joint to the next one, whatever its rotation about itself.
      const length = along.copy(place).sub(places[parent]!).length();
      size.copy(ONE).multiplyScalar(thick).setY(length);
      mesh.setMatrixAt(bone++, matrix.compose(places[parent]!, own.setFromUnitVectors(UP, along.divideScalar(length || 1)), size));
    });
    mesh.instanceMatrix.needsUpdate = true;
  }
}

/** The last line of a panel. */
export function manual(text: string, page: string): HTMLElement {
  return element("p", {}, [element("a", { textContent: `In the manual: ${text}`, href: `../manual/${page}` })]);
}

export function millimetres(metres: number): string {
  return metres < 1e-5 ? `${(metres * 1e6).toFixed(1)} µm` : `${(metres * 1e3).toFixed(1)} mm`;
}
