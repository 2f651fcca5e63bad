// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Many characters in one call: each points at the target and looks at it.

import { CapsuleGeometry, Color, InstancedMesh, Matrix4, MeshLambertMaterial, Quaternion, Vector3 } from "three";
import { IkGoal, Status, TRANSFORM_FLOATS } from "sinew-ik";
import type { Animator, Sinew, WorldCalls } from "sinew-ik";
import { JOINTS } from "./mannequin.js";
import { manual } from "./rig.js";
import { Handle, remove } from "./stage.js";
import type { Stage } from "./stage.js";
import { Meter, Readings, element, group, slider } from "./ui.js";
import type { View } from "./view.js";

/** Joint at each end of a drawn bone, and its thickness in metres. */
const BONES: [number, number, number][] = JOINTS.flatMap(({ parent, name }, joint) =>
  parent < 0 ? [] : [[parent, joint, /Spine|Chest|Neck/.test(name) ? 0.085 : /Leg/.test(name) ? 0.055 : 0.038]]);
const UP = new Vector3(0, 1, 0);

export class CrowdView implements View {
  readonly name = "Crowd";
  readonly readings = new Readings();
  readonly handles = new Map<string, Handle>();
  readonly meter = new Meter();
  animators: Animator[] = [];
  #world: WorldCalls | undefined;
  #mesh: InstancedMesh | undefined;
  #roots: Vector3[] = [];
  #count = 200;
  #time = 0;
  #rest = new Float32Array();

  constructor(readonly sinew: Sinew, readonly stage: Stage) {}

  show(panel: HTMLElement): void {
    // As far away as all of them need.
    const side = Math.sqrt(this.#count);
    this.stage.look(new Vector3(0, 0.8, 0), new Vector3(0.35, 0.4, 1).multiplyScalar(1.5 + side));
    const target = new Handle("Target", 0x2f9e5a, 0.12);
    target.position.set(0, 1.8, 1);
    this.handles.set("Target", target);
    this.stage.add(target);
    this.#build();
    panel.append(
      element("h2", { textContent: "A crowd in one call" }),
      element("p", { textContent: "Everyone looks at the green ball and points at it, feet on the ground. A world solves all in one call, eight at a time." }),
      group("Crowd", slider("Characters", { min: 8, max: 1000, step: 8, value: this.#count }, (count) => { this.#count = count; this.#build(); }, String)),
      group("Time of a frame (line: 1/60 s)", this.meter.canvas, this.readings.table),
      manual("worlds", "world.html"),
    );
  }

  hide(): void {
    this.#drop();
    this.stage.clear();
    this.handles.clear();
  }

  #drop(): void {
    this.#world?.destroy();
    this.#world = undefined;
    for (const animator of this.animators.splice(0)) animator.destroy();
    if (this.#mesh) remove(this.#mesh);
    this.#mesh = undefined;
  }

  #build(): void {
    this.#drop();
    const { sinew } = this;
    const rest = new Float32Array(JOINTS.length * TRANSFORM_FLOATS);
    JOINTS.forEach(({ at }, joint) => rest.set([...at, 0, 0, 0, 1, 1, 1, 1], joint * TRANSFORM_FLOATS));
    this.#rest = rest;
    const skeleton = sinew.createSkeleton({ parents: JOINTS.map((j) => j.parent), rest, names: JOINTS.map((j) => j.name) });
    const avatar = sinew.createAvatar(skeleton);
    this.#world = sinew.createWorld();
    const side = Math.ceil(Math.sqrt(this.#count));
    this.#roots = [];
    for (let i = 0; i < this.#count; i++) {
      const animator = sinew.createAnimator(skeleton, avatar);
      // A grid, a little out of line by a fixed rule.
      const jitter = (salt: number) => ((Math.imul(i + 1, salt) >>> 8) % 1000) / 1000 - 0.5;
      const root = new Vector3((i % side) - (side - 1) / 2 + 0.3 * jitter(2654435761), 0, Math.floor(i / side) - (side - 1) / 2 + 0.3 * jitter(40503));
      const turn = new Quaternion().setFromAxisAngle(UP, 1.2 * jitter(69069));
      animator.setRoot({ position: root, rotation: turn, scale: { x: 1, y: 1, z: 1 } });
      animator.setLookAtWeight(1, 0.3, 0.9, 0, 0.4);
      animator.setIkPositionWeight(IkGoal.RightHand, 1);
      for (const [goal, x] of [[IkGoal.LeftFoot, 0.1], [IkGoal.RightFoot, -0.1]] as const) {
        animator.setIkPositionWeight(goal, 1);
        animator.setIkPosition(goal, new Vector3(x, 0.09, 0).applyQuaternion(turn).add(root));
      }
      this.#world.join(animator);
      this.animators.push(animator);
      this.#roots.push(root);
    }
    avatar.destroy();
    skeleton.destroy();
    this.#mesh = new InstancedMesh(new CapsuleGeometry(1, 1, 3, 8), new MeshLambertMaterial(), this.#count * BONES.length);
    this.#mesh.frustumCulled = false;
    const color = new Color();
    for (let i = 0; i < this.#count; i++) {
      color.setHSL(0.06 + 0.09 * ((i * 7) % 11) / 11, 0.45, 0.5 + 0.2 * ((i * 5) % 7) / 7);
      for (let bone = 0; bone < BONES.length; bone++) this.#mesh.setColorAt(i * BONES.length + bone, color);
    }
    this.stage.scene.add(this.#mesh);
  }

  update(dtS: number, frameMs: number): void {
    this.#time += dtS;
    const { position } = this.handles.get("Target")!;
    const pointed = new Vector3();
    this.animators.forEach((animator, i) => {
      const root = this.#roots[i]!;
      const { pose } = animator;
      pose.set(this.#rest);
      pose[1]! += -0.05 - 0.03 * Math.sin(this.#time * 2 + i);
      animator.setLookAtPosition(position);
      pointed.copy(position).sub(root).setY(position.y - 1.35).setLength(0.32).add(root);
      pointed.y += 1.35;
      animator.setIkPosition(IkGoal.RightHand, pointed);
    });
    const start = performance.now();
    this.#world!.solve({});
    const solveMs = performance.now() - start;
    this.#draw();
    this.meter.add(frameMs, solveMs);
    const reached = this.animators.filter((a) => a.getIkOutcome(IkGoal.RightHand).status === Status.Reached).length;
    this.readings.set("Solve, all", `${solveMs.toFixed(2)} ms`);
    this.readings.set("Solve, one", `${((solveMs * 1000) / this.animators.length).toFixed(1)} µs`);
    this.readings.set("Frame", `${frameMs.toFixed(1)} ms`);
    this.readings.set("Hands at their goals", `${reached} of ${this.animators.length}`, reached === this.animators.length ? "reached" : "missed");
  }

  #draw(): void {
    const places = JOINTS.map(() => new Vector3());
    const turns = JOINTS.map(() => new Quaternion());
    const [own, along, matrix, size] = [new Quaternion(), new Vector3(), new Matrix4(), new Vector3()];
    this.animators.forEach((animator, i) => {
      const { pose } = animator;
      const root = animator.getRoot();
      JOINTS.forEach(({ parent }, joint) => {
        const at = joint * TRANSFORM_FLOATS;
        const turn = parent < 0 ? own.set(root.rotation.x, root.rotation.y, root.rotation.z, root.rotation.w) : turns[parent]!;
        places[joint]!.fromArray(pose, at).applyQuaternion(turn).add(parent < 0 ? this.#roots[i]! : places[parent]!);
        turns[joint]!.fromArray(pose, at + 3).premultiply(turn);
      });
      BONES.forEach(([from, to, thick], bone) => {
        along.copy(places[to]!).sub(places[from]!);
        const length = along.length();
        const middle = places[from]!.clone().addScaledVector(along, 0.5);
        // A capsule of radius 1 and height 3 in all.
        size.set(thick, (length + thick) / 3, thick);
        this.#mesh!.setMatrixAt(i * BONES.length + bone, matrix.compose(middle, own.setFromUnitVectors(UP, along.divideScalar(length)), size));
      });
    });
    this.#mesh!.instanceMatrix.needsUpdate = true;
  }
}
