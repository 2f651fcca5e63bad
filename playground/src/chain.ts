// SPDX-License-Identifier: MIT OR Apache-2.0
//
// A chain of up to a thousand bones, whose end is dragged.

import { Vector3 } from "three";
import { CHAIN_FINISH, ChainSolver } from "sinew-ik";
import { RigView, manual } from "./rig.js";
import type { RigJoint } from "./rig.js";
import { choice, element, group, slider, toggle } from "./ui.js";

const LENGTH_M = 3;

export class ChainView extends RigView {
  readonly name = "Chain";
  count = 1000;
  #solver: ChainSolver = ChainSolver.Default;
  #finish = true;

  show(panel: HTMLElement): void {
    this.stage.look(new Vector3(0, 1.3, 0), new Vector3(1.2, 2.0, 6.2));
    this.handle("End", 0xe07b16, [1.1, 1.5, 0.5], 0.06);
    this.fromRest = false;
    this.#make();
    panel.append(
      element("h2", { textContent: "A chain of a thousand bones" }),
      element("p", { textContent: "Drag its end. Every solver of the library, on the same chain." }),
      group("Chain",
        slider("Bones", { min: 2, max: 1000, step: 1, value: this.count }, (count) => { this.count = count; this.#make(); }, String),
        choice("Solver", Object.entries(ChainSolver), this.#solver, (solver) => { this.#solver = solver; this.#make(); }),
        toggle("Finish with the default solver", this.#finish, (on) => { this.#finish = on; this.#make(); }),
        toggle("Start from the last result", !this.fromRest, (on) => { this.fromRest = !on; }),
      ),
      group("What is left", this.readings.table),
      manual("constraints and solvers", "constraints.html"),
    );
  }

  /** A skeleton that stands upright, a little curved, so that it has a side to bend to. */
  #make(): void {
    const step = LENGTH_M / this.count;
    const curl = 1.2 / this.count;
    const joints: RigJoint[] = Array.from({ length: this.count + 1 }, (_, joint) => ({
      parent: joint - 1,
      at: [0, joint > 0 ? step : 0, 0],
      turn: joint > 0 && joint < this.count ? [0, 0, Math.sin(-curl / 2), Math.cos(curl / 2)] : [0, 0, 0, 1],
    }));
    this.build(joints, Math.min(0.06, Math.max(step * 0.35, 0.012)));
    this.constraint = this.animator.createChain({
      end: this.count, solver: this.#solver, flags: this.#finish ? CHAIN_FINISH : 0,
    });
  }

  protected aim(): void {
    this.animator.setConstraintPosition(this.constraint, 0, this.handles.get("End")!.position);
  }
}
