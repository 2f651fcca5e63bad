// SPDX-License-Identifier: MIT OR Apache-2.0
//
// A chain of up to a thousand bones, whose end is dragged.

import { Color, ConeGeometry, InstancedMesh, Matrix4, MeshLambertMaterial, Quaternion, Vector3 } from "three";
import { CHAIN_FINISH, ChainSolver, Status, TRANSFORM_FLOATS } from "sinew-ik";
import type { Animator, ConstraintHandle, Sinew } from "sinew-ik";
import { millimetres } from "./character.js";
import { Handle, remove } from "./stage.js";
import type { Stage } from "./stage.js";
import { Readings, choice, element, group, slider, toggle } from "./ui.js";
import type { View } from "./view.js";

const LENGTH_M = 3;
const UP = new Vector3(0, 1, 0);

export class ChainView implements View {
  readonly name = "Chain";
  readonly readings = new Readings();
  readonly handles = new Map<string, Handle>();
  animator!: Animator;
  count = 1000;
  #constraint!: ConstraintHandle;
  #mesh: InstancedMesh | undefined;
  #solver: ChainSolver = ChainSolver.Default;
  #finish = true;
  #keep = true;

  constructor(readonly sinew: Sinew, readonly stage: Stage) {}

  show(panel: HTMLElement): void {
    this.stage.look(new Vector3(0, 1.3, 0), new Vector3(1.2, 2.0, 6.2));
    const end = new Handle("End", 0xe07b16, 0.06);
    end.position.set(1.1, 1.5, 0.5);
    this.handles.set("End", end);
    this.stage.add(end);
    this.#build();
    panel.append(
      element("h2", { textContent: "A chain of a thousand bones" }),
      element("p", { textContent: "Drag its end. Every solver of the library, on the same chain." }),
      group("Chain",
        slider("Bones", { min: 2, max: 1000, step: 1, value: this.count }, (count) => { this.count = count; this.#build(); }, String),
        choice("Solver", Object.entries(ChainSolver), this.#solver, (solver) => { this.#solver = solver; this.#build(); }),
        toggle("Finish with the default solver", this.#finish, (on) => { this.#finish = on; this.#build(); }),
        toggle("Start from the last result", this.#keep, (on) => { this.#keep = on; }),
      ),
      group("What is left", this.readings.table),
      element("p", {}, [element("a", { textContent: "In the manual: constraints and solvers", href: "../manual/constraints.html" })]),
    );
  }

  hide(): void {
    this.#drop();
    this.stage.clear();
    this.handles.clear();
  }

  #drop(): void {
    if (!this.#mesh) return;
    this.animator.destroy();
    remove(this.#mesh);
    this.#mesh = undefined;
  }

  /** A skeleton that stands upright, a little curved, so that it has a side to bend to. */
  #build(): void {
    this.#drop();
    const count = this.count + 1;
    const parents = Int32Array.from({ length: count }, (_, joint) => joint - 1);
    const rest = new Float32Array(count * TRANSFORM_FLOATS);
    const step = LENGTH_M / this.count;
    const curl = 1.2 / this.count;
    for (let joint = 0; joint < count; joint++) {
      const at = joint * TRANSFORM_FLOATS;
      if (joint > 0) rest[at + 1] = step;
      if (joint > 0 && joint < count - 1) rest[at + 5] = Math.sin(-curl / 2);
      rest[at + 6] = joint > 0 && joint < count - 1 ? Math.cos(curl / 2) : 1;
      rest.fill(1, at + 7, at + 10);
    }
    const skeleton = this.sinew.createSkeleton({ parents, rest });
    this.animator = this.sinew.createAnimator(skeleton);
    skeleton.destroy();
    this.#constraint = this.animator.createChain({
      end: count - 1, solver: this.#solver, flags: this.#finish ? CHAIN_FINISH : 0,
    });
    const shape = new ConeGeometry(Math.min(0.06, Math.max(step * 0.35, 0.012)), step, 8).translate(0, step / 2, 0);
    this.#mesh = new InstancedMesh(shape, new MeshLambertMaterial(), this.count);
    this.#mesh.frustumCulled = false;
    this.#mesh.castShadow = true;
    const color = new Color();
    for (let i = 0; i < this.count; i++) this.#mesh.setColorAt(i, color.setHSL(0.08 + (0.5 * i) / this.count, 0.55, 0.55));
    this.stage.scene.add(this.#mesh);
  }

  update(): void {
    const { animator } = this;
    const end = this.handles.get("End")!;
    if (!this.#keep) animator.resetPose();
    animator.setConstraintPosition(this.#constraint, 0, end.position);
    const start = performance.now();
    animator.solve();
    const solveMs = performance.now() - start;
    this.#draw();
    const { status, iterations, residualM } = animator.getConstraintOutcome(this.#constraint);
    this.readings.set("Goal", `${Object.keys(Status).find((key) => Status[key as keyof typeof Status] === status)}`.toLowerCase(),
      status === Status.Reached ? "reached" : "missed");
    this.readings.set("Left to the goal", millimetres(residualM));
    this.readings.set("Iterations", String(iterations));
    this.readings.set("Solve", `${solveMs.toFixed(2)} ms`);
  }

  #draw(): void {
    const { pose } = this.animator;
    const [at, turn, own, move, matrix] = [new Vector3(), new Quaternion(), new Quaternion(), new Vector3(), new Matrix4()];
    const one = new Vector3(1, 1, 1);
    const tip = new Vector3();
    for (let joint = 0; joint <= this.count; joint++) {
      const i = joint * TRANSFORM_FLOATS;
      at.add(move.fromArray(pose, i).applyQuaternion(turn));
      if (joint > 0) {
        // A bone points from its joint to the next one, whatever its rotation about itself.
        const along = at.clone().sub(tip).normalize();
        this.#mesh!.setMatrixAt(joint - 1, matrix.compose(tip, own.setFromUnitVectors(UP, along), one));
      }
      turn.multiply(own.fromArray(pose, i + 3));
      tip.copy(at);
    }
    this.#mesh!.instanceMatrix.needsUpdate = true;
  }
}

