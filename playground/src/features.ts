// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Pages of constraints on plain bones: aim, curves and joint limits.

import { BufferGeometry, Line, LineBasicMaterial, Quaternion, Vector3 } from "three";
import {
  Curve, LIMIT_LOCK_Y, LIMIT_LOCK_Z, LIMIT_RANGE_X, LIMIT_RANGE_Z, SPLINE_START_ON_CURVE,
} from "sinew-ik";
import type { JointLimits } from "sinew-ik";
import { RigView, manual } from "./rig.js";
import type { RigJoint } from "./rig.js";
import { choice, element, group, slider, toggle } from "./ui.js";

const degrees = (radians: number) => `${Math.round((radians * 180) / Math.PI)}°`;

/** Bones upwards, each turned by `curl` radians about X: towards +Z. */
function stalk(count: number, length: number, curl: number): RigJoint[] {
  return Array.from({ length: count + 1 }, (_, joint) => ({
    parent: joint - 1,
    at: [0, joint > 0 ? length / count : 0, 0],
    turn: joint > 0 && joint < count ? [Math.sin(curl / 2), 0, 0, Math.cos(curl / 2)] : [0, 0, 0, 1],
  }));
}

/** A long neck turns its head to a target. */
export class AimView extends RigView {
  readonly name = "Aim";
  #share = 0.5;
  #clamp = Math.PI;
  #behind = 0.35;
  #ray: Line | undefined;

  show(panel: HTMLElement): void {
    this.stage.look(new Vector3(0, 0.9, 0), new Vector3(3.2, 1.7, 3.2));
    this.handle("Target", 0x2f9e5a, [0.8, 1.5, 1.1]);
    this.#ray = new Line(new BufferGeometry().setFromPoints([new Vector3(), new Vector3()]), new LineBasicMaterial({ color: 0x2f9e5a }));
    this.#ray.frustumCulled = false;
    this.stage.scene.add(this.#ray);
    this.#make();
    panel.append(
      element("h2", { textContent: "Aim" }),
      element("p", { textContent: "Five joints share the turn of a ray towards the target: a neck, a spine with a rifle, a turret." }),
      group("Aim",
        slider("Share of the neck", { min: 0, max: 1, step: 0.01, value: this.#share }, (share) => { this.#share = share; this.#make(); }),
        slider("Cone around the animation", { min: 0, max: Math.PI, step: 0.01, value: this.#clamp }, (angle) => { this.#clamp = angle; this.#make(); }, degrees),
        slider("Fade before exactly behind", { min: 0, max: 1.5, step: 0.01, value: this.#behind }, (angle) => { this.#behind = angle; this.#make(); }, degrees),
      ),
      group("What is left", this.readings.table),
      manual("aim", "constraints.html"),
    );
  }

  override hide(): void {
    this.#ray?.removeFromParent();
    this.#ray?.geometry.dispose();
    super.hide();
  }

  #make(): void {
    const neck = stalk(5, 1.2, 0.12);
    this.build([...neck, { parent: 5, at: [0, 0.02, 0.26] }], 0.055);
    // What the head does not take is spread over the neck.
    const weights = [0, ...Array.from({ length: 4 }, () => this.#share / 4), 1 - this.#share];
    this.constraint = this.animator.addAim({
      end: 5, jointCount: 6, weights, weightCount: 6, clampRad: this.#clamp, behindRad: this.#behind,
    });
    this.animator.setConstraintWeight(this.constraint, 1);
  }

  protected aim(): void {
    const { position } = this.handles.get("Target")!;
    this.animator.setConstraintPosition(this.constraint, 0, position);
  }

  override update(): void {
    super.update();
    const { position, rotation } = this.animator.getJointWorld(5);
    const from = new Vector3(position.x, position.y, position.z);
    const ray = new Vector3(0, 0, 1).applyQuaternion(new Quaternion(rotation.x, rotation.y, rotation.z, rotation.w));
    const reach = from.distanceTo(this.handles.get("Target")!.position);
    this.#ray!.geometry.setFromPoints([from, from.clone().addScaledVector(ray, reach)]);
  }
}

/** Bones along a curve through points that are dragged. */
export class SplineView extends RigView {
  readonly name = "Curve";
  #curve: Curve = Curve.CatmullRom;
  #stretch = 1;
  #roll = 0;

  show(panel: HTMLElement): void {
    this.stage.look(new Vector3(0.2, 0.9, 0), new Vector3(1.4, 1.8, 4.2));
    this.handle("Point 1", 0x2f7fd6, [0, 0.05, 0]);
    this.handle("Point 2", 0xe07b16, [0.45, 0.7, 0.3]);
    this.handle("Point 3", 0xe07b16, [-0.25, 1.2, 0.1]);
    this.handle("Point 4", 0xe07b16, [0.55, 1.6, -0.2]);
    this.#make();
    panel.append(
      element("h2", { textContent: "Bones along a curve" }),
      element("p", { textContent: "A spine, a rope or a tentacle follows a curve. Drag its four points." }),
      group("Curve",
        choice("Kind", [["Catmull-Rom", Curve.CatmullRom], ["Bezier", Curve.Bezier]] as const, this.#curve, (curve) => { this.#curve = curve; this.#make(); }),
        slider("Stretch to the curve's end", { min: 0, max: 1, step: 0.01, value: this.#stretch }, (stretch) => { this.#stretch = stretch; this.#make(); }),
        slider("Roll at the end", { min: -Math.PI, max: Math.PI, step: 0.01, value: this.#roll }, (roll) => { this.#roll = roll; this.#make(); }, degrees),
      ),
      group("What is left", this.readings.table),
      manual("curves", "constraints.html"),
    );
  }

  #make(): void {
    this.build(stalk(24, 1.9, 0.02), 0.04);
    this.constraint = this.animator.addSpline({
      end: 24, pointCount: 4, curve: this.#curve, flags: SPLINE_START_ON_CURVE, stretch: this.#stretch, rollEndRad: this.#roll,
    });
    this.animator.setConstraintWeight(this.constraint, 1);
  }

  protected aim(): void {
    [...this.handles.values()].forEach(({ position }, i) => this.animator.setConstraintPosition(this.constraint, i, position));
  }
}

/** Kinds of joints, for every joint of an arm. */
const KINDS = ["Free", "Hinge", "Cone", "Ellipse", "Polygon", "No twist"] as const;

/** A chain whose joints have limits. */
export class LimitsView extends RigView {
  readonly name = "Limits";
  #kind: (typeof KINDS)[number] = "Cone";
  #angle = 0.5;
  #soft = 0;

  show(panel: HTMLElement): void {
    this.stage.look(new Vector3(0, 0.8, 0.2), new Vector3(2.4, 1.5, 3.2));
    this.handle("End", 0xe07b16, [0.3, 1.0, 0.7]);
    this.fromRest = false;
    this.#make();
    panel.append(
      element("h2", { textContent: "Joint limits" }),
      element("p", { textContent: "Every joint keeps to its range, whatever the goal. What cannot be reached is an outcome, not an error." }),
      group("Every joint",
        choice("Kind", KINDS.map((kind) => [kind, kind] as const), this.#kind, (kind) => { this.#kind = kind; this.#make(); }),
        slider("Range", { min: 0.02, max: 1.5, step: 0.01, value: this.#angle }, (angle) => { this.#angle = angle; this.#make(); }, degrees),
        slider("Soft zone", { min: 0, max: 0.5, step: 0.01, value: this.#soft }, (soft) => { this.#soft = soft; this.#make(); }, degrees),
        toggle("Start from the last result", !this.fromRest, (on) => { this.fromRest = !on; }),
      ),
      group("What is left", this.readings.table),
      manual("joint limits", "constraints.html#joint-limits"),
    );
  }

  #limits(): Partial<JointLimits> | null {
    const a = this.#angle;
    const range = (x: number, z: number): Partial<JointLimits> => ({
      flags: LIMIT_RANGE_X | LIMIT_RANGE_Z, minRad: { x: -x, y: 0, z: -z }, maxRad: { x, y: 0, z }, softRad: this.#soft,
    });
    switch (this.#kind) {
      case "Free": return null;
      case "Hinge": return { ...range(a, a), flags: LIMIT_RANGE_X | LIMIT_LOCK_Y | LIMIT_LOCK_Z };
      case "Cone": return range(a, a);
      case "Ellipse": return range(a, a / 3);
      case "No twist": return { flags: LIMIT_LOCK_Y };
      case "Polygon": {
        const reach = Math.tan(Math.min(a, 1.3));
        const corner = (x: number, z: number) => ({ x: x * reach, y: 1, z: z * reach });
        return { cornerCount: 3, corners: [corner(0, 1), corner(0.9, -0.5), corner(-0.9, -0.5)] };
      }
    }
  }

  #make(): void {
    this.build(stalk(6, 1.5, 0.1), 0.06);
    for (let joint = 0; joint < 6; joint++) this.animator.setJointLimits(joint, this.#limits());
    this.constraint = this.animator.createChain({ end: 6 });
  }

  protected aim(): void {
    this.animator.setConstraintPosition(this.constraint, 0, this.handles.get("End")!.position);
  }
}
