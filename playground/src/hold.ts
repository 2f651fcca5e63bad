// SPDX-License-Identifier: MIT OR Apache-2.0
//
// "Hold the cylinder", live: the script moves the cylinder, or a person does.

import {
  Box3, CylinderGeometry, Group, Material, Matrix4, Mesh, MeshLambertMaterial, Object3D, Quaternion, Vector3,
} from "three";
import { clone } from "three/addons/utils/SkeletonUtils.js";
import { HumanBone, IkGoal, TRANSFORM_FLOATS } from "sinew-ik";
import type { Animator, Sinew, Transform } from "sinew-ik";
import { Bones } from "./bones.js";
import { jointObjects } from "./demo.js";
import type { Demo } from "./demo.js";
import { millimetres } from "./rig.js";
import { onAnimatorIk, playThrough, setup, toWorld } from "./scene.js";
import type { Played } from "./scene.js";
import { Handle } from "./stage.js";
import type { Stage } from "./stage.js";
import { STATUS } from "./status.js";
import { Readings, button, choice, element, group, slider, toggle } from "./ui.js";
import type { View } from "./view.js";

/** Handles that take hold of a limb once they are dragged. */
const LIMBS = [
  { name: "Left hand", goal: IkGoal.LeftHand, bone: HumanBone.LeftHand },
  { name: "Left foot", goal: IkGoal.LeftFoot, bone: HumanBone.LeftFoot },
  { name: "Right foot", goal: IkGoal.RightFoot, bone: HumanBone.RightFoot },
] as const;

const BESIDE = new Vector3(0, 0.3, 0);

/** A drawn character: its body, and where its pose is written. */
class Figure {
  /** Scene space on the stage. */
  readonly outer = new Group();
  readonly root = new Group();
  readonly #joints: readonly Object3D[] | undefined;
  readonly #bones: Bones | undefined;

  constructor(demo: Demo, joints: readonly Object3D[] | undefined, body: Object3D | undefined, toStage: Matrix4) {
    this.outer.matrixAutoUpdate = false;
    this.outer.matrix.copy(toStage);
    this.outer.add(this.root);
    this.#joints = joints;
    if (joints && body) {
      body.traverse((part) => {
        part.castShadow = true;
        part.frustumCulled = false;
      });
      this.root.add(body);
    } else {
      this.#bones = new Bones(this.root, demo.scene.parents, 0.022 / demo.metres);
    }
  }

  draw(root: Transform, pose: Float32Array): void {
    this.root.position.copy(root.position);
    this.root.quaternion.copy(root.rotation);
    this.root.scale.copy(root.scale);
    this.#bones?.draw(pose);
    this.#joints?.forEach((joint, i) => {
      joint.position.fromArray(pose, i * TRANSFORM_FLOATS);
      joint.quaternion.fromArray(pose, i * TRANSFORM_FLOATS + 3);
      joint.scale.fromArray(pose, i * TRANSFORM_FLOATS + 7);
    });
  }
}

export class HoldView implements View {
  readonly name = "Hold";
  readonly readings = new Readings();
  readonly handles = new Map<string, Handle>();
  /** What this page's module made of the scene. */
  readonly hash: string;
  animator!: Animator;
  readonly #played: Played[];
  readonly #figure: Figure;
  readonly #animation: Figure | undefined;
  readonly #cylinder: Mesh;
  readonly #toStage: Matrix4;
  readonly #toScene: Matrix4;
  readonly #joints: readonly Object3D[] | undefined;
  readonly #band = element("canvas", { className: "band", width: 840, height: 40 });
  readonly #scrub = element("input", { type: "range", min: "0", step: "1", value: "0", ariaLabel: "Time" });
  readonly #clock = element("output");
  readonly #play = button("Pause", () => this.play(!this.playing));
  readonly #release = button("Back to the script", () => this.release());
  readonly #held = new Set<string>();
  playing = true;
  time = 0;
  #speed = 1;
  /** Of the body, and how far its copy is aside, metres. */
  readonly #size: Vector3;
  readonly #aside: number;
  #ik: "script" | "on" | "off" = "script";
  #beside = innerWidth > 700;
  readonly #keys = (event: KeyboardEvent) => this.#key(event);

  constructor(readonly sinew: Sinew, readonly stage: Stage, readonly demo: Demo) {
    const { scene, left, up, forward, metres, floor } = demo;
    const { hash, frames } = playThrough(sinew, scene);
    this.hash = hash;
    this.#played = frames;
    // Left, up and forward of the character to X, Y and Z of the stage, the floor to 0.
    this.#toStage = new Matrix4().set(...left, 0, ...up, 0, ...forward, 0, 0, 0, 0, 1);
    this.#toStage.premultiply(new Matrix4().makeScale(metres, metres, metres));
    const { x, z } = new Vector3().copy(scene.frames[0]!.root.position).applyMatrix4(this.#toStage);
    this.#toStage.premultiply(new Matrix4().makeTranslation(-x, -floor, -z));
    this.#toScene = this.#toStage.clone().invert();
    const joints = jointObjects(demo);
    this.#joints = joints;
    const body = joints && demo.gltf?.scene;
    const twin = body && this.#copy(body, joints);
    this.#figure = new Figure(demo, joints, body, this.#toStage);
    const { root, animation } = scene.frames[0]!;
    this.#figure.draw(root, animation);
    this.#figure.outer.updateMatrixWorld(true);
    const box = new Box3().setFromObject(this.#figure.outer, true);
    this.#size = box.getSize(new Vector3()).max(new Vector3(0.5, 1, 0.3));
    this.#aside = Math.max(1, this.#size.x + 0.15);
    const aside = new Matrix4().makeTranslation(this.#aside, 0, -0.3).multiply(this.#toStage);
    this.#animation = twin && new Figure(demo, twin.joints, twin.body, aside);
    const size = [scene.radius, scene.radius, scene.length].map((part) => part * metres);
    this.#cylinder = new Mesh(new CylinderGeometry(...size, 32), new MeshLambertMaterial({ color: 0xec9e3e }));
    this.#cylinder.castShadow = true;
    this.#scrub.max = String(scene.frames.length - 1);
    this.#scrub.oninput = () => {
      this.play(false);
      this.time = Number(this.#scrub.value) * scene.deltaTimeS;
    };
  }

  /** The same body in grey. */
  #copy(body: Object3D, joints: readonly Object3D[]): { body: Object3D; joints: Object3D[] } {
    const twin = clone(body);
    const places = new Map<Object3D, Object3D>();
    const pair = (a: Object3D, b: Object3D) => {
      places.set(a, b);
      a.children.forEach((child, i) => pair(child, b.children[i]!));
    };
    pair(body, twin);
    const grey = new MeshLambertMaterial({ color: 0x9aa1aa });
    twin.traverse((part) => {
      if ((part as Mesh).isMesh) (part as Mesh).material = grey as Material;
    });
    return { body: twin, joints: joints.map((joint) => places.get(joint)!) };
  }

  show(panel: HTMLElement): void {
    const { stage, demo } = this;
    this.animator = setup(this.sinew, demo.scene);
    stage.scene.add(this.#figure.outer, this.#cylinder);
    this.#showAnimation(this.#beside);
    const handle = (name: string, color: number, radius = 0.04) => {
      const made = new Handle(name, color, radius);
      made.moved = () => {
        this.#held.add(name);
        this.#release.disabled = false;
      };
      this.handles.set(name, made);
      stage.add(made);
    };
    handle("Cylinder", 0xe07b16, 0.05);
    handle("Gaze", 0x2f9e5a);
    for (const { name } of LIMBS) handle(name, 0x2f7fd6, 0.034);
    this.release();
    document.addEventListener("keydown", this.#keys);
    panel.append(
      element("h2", { textContent: demo.title }),
      element("p", { textContent: `${demo.subtitle}. Drag the cylinder (orange) and the hand takes hold of it, live in this page; green: what the head looks at; blue: the other limbs.` }),
      group("Script",
        element("div", { className: "row" }, [
          this.#play, button("‹", () => this.step(-1)), button("›", () => this.step(1)), this.#clock,
        ]),
        element("div", { className: "time" }, [this.#band, this.#scrub]),
        slider("Speed", { min: 0.1, max: 2, step: 0.1, value: this.#speed }, (speed) => { this.#speed = speed; }, (v) => `${v.toFixed(1)}×`),
        choice("IK", [["as scripted", "script"], ["on", "on"], ["off", "off"]] as const, this.#ik, (ik) => { this.#ik = ik; }),
        ...(this.#animation ? [toggle("Beside it, grey: without IK", this.#beside, (on) => this.#showAnimation(on))] : []),
        element("div", { className: "row" }, [this.#release]),
      ),
      group("What is left", this.readings.table),
      group("Same bits in every host", this.#hosts()),
    );
    this.#drawBand();
    const wide = this.#beside && this.#animation ? this.#aside / 2 : 0;
    const { y: height, x: width } = this.#size;
    const far = Math.max(height / 1.75, (width + wide) / 1.6);
    stage.look(new Vector3(wide, 0.56 * height, 0), new Vector3(wide - 0.9 * far, 0.85 * height, 4.1 * far));
  }

  hide(): void {
    document.removeEventListener("keydown", this.#keys);
    this.animator.destroy();
    this.#figure.outer.removeFromParent();
    this.#animation?.outer.removeFromParent();
    this.#cylinder.removeFromParent();
    this.stage.clear();
    this.handles.clear();
  }

  #showAnimation(on: boolean): void {
    this.#beside = on;
    if (!this.#animation) return;
    if (on) this.stage.scene.add(this.#animation.outer);
    else this.#animation.outer.removeFromParent();
  }

  play(on: boolean): void {
    this.playing = on;
    this.#play.textContent = on ? "Pause" : "Play";
  }

  step(frames: number): void {
    this.play(false);
    this.time = (this.#frame() + frames) * this.demo.scene.deltaTimeS;
  }

  /** Handles follow the script again. */
  release(): void {
    this.#held.clear();
    this.#release.disabled = true;
  }

  /** The drawn bone; undefined where bones are drawn as cones. */
  bone(name: keyof typeof HumanBone): Object3D | undefined {
    return this.#joints?.[this.demo.scene.humanJoints[HumanBone[name]]!];
  }

  #frame(): number {
    const { frames, deltaTimeS } = this.demo.scene;
    const frame = Math.round(this.time / deltaTimeS) % frames.length;
    return frame < 0 ? frame + frames.length : frame;
  }

  #key(event: KeyboardEvent): void {
    const control = (event.target as Element).closest("button, input, select");
    if (event.key === " " && !control) {
      event.preventDefault();
      this.play(!this.playing);
    } else if (event.key === "," || event.key === ".") {
      this.step(event.key === "," ? -1 : 1);
    }
  }

  #hosts(): HTMLElement {
    const mine = { host: "this page", hash: this.hash };
    const first = this.demo.hosts[0]?.hash;
    return element("table", { className: "hosts" }, [...this.demo.hosts, mine].map(({ host, hash }) => {
      const same = first === undefined || hash === first;
      return element("tr", {}, [
        element("th", { textContent: host, scope: "row" }),
        element("td", { className: same ? "reached" : "missed", title: hash }, [element("code", { textContent: hash }), same ? " ✓" : " ✗"]),
      ]);
    }));
  }

  /** What the script comes to: green where the hand is at its goal, red where it is out of reach. */
  #drawBand(): void {
    const pen = this.#band.getContext("2d");
    if (!pen) return;
    const style = getComputedStyle(document.documentElement);
    const color = (name: string) => style.getPropertyValue(name);
    const { width, height } = this.#band;
    const worst = Math.max(...this.#played.map(({ residualM }) => residualM));
    this.#played.forEach(({ status, weight, residualM }, i) => {
      const x = (i / this.#played.length) * width;
      pen.globalAlpha = 0.25 + 0.75 * weight;
      pen.fillStyle = color(weight === 0 ? "--line" : STATUS[status] === "reached" ? "--good" : "--bad");
      pen.fillRect(x, height - 6, 2, 6);
      const part = weight === 0 || worst === 0 ? 0 : (residualM / worst) * (height - 8);
      pen.fillRect(x, height - 6 - part, 2, part);
    });
  }

  update(dtS: number): void {
    const { animator, handles } = this;
    const { frames, deltaTimeS, handleLocal, humanJoints } = this.demo.scene;
    if (this.playing) this.time = (this.time + dtS * this.#speed) % (frames.length * deltaTimeS);
    const at = this.#frame();
    const frame = frames[at]!;
    const cylinder = handles.get("Cylinder")!;
    const gaze = handles.get("Gaze")!;
    if (!this.#held.has("Cylinder")) cylinder.position.copy(frame.cylinder.position).applyMatrix4(this.#toStage);
    // Beside what is looked at, so that both can be taken.
    if (!this.#held.has("Gaze")) gaze.position.copy(cylinder.position).add(BESIDE);
    const inScene = (handle: Handle) => handle.position.clone().applyMatrix4(this.#toScene);
    // A goal that follows the script has the script's own bits.
    const moved = this.#held.has("Cylinder") ? { ...frame.cylinder, position: inScene(cylinder) } : frame.cylinder;
    const lookAt = this.#held.has("Gaze") ? inScene(gaze) : moved.position;
    const own = this.#held.size > 0 && this.#ik === "script";
    const weight = this.#ik === "off" ? 0 : this.#ik === "on" || own ? 1 : this.#played[at]!.weight;
    const start = performance.now();
    animator.pose.set(frame.animation);
    animator.setRoot(frame.root);
    onAnimatorIk(animator, weight, lookAt, toWorld(moved, handleLocal));
    for (const { name, goal } of LIMBS) {
      const held = this.#held.has(name);
      animator.setIkPositionWeight(goal, held && this.#ik !== "off" ? 1 : 0);
      if (held) animator.setIkPosition(goal, inScene(handles.get(name)!));
    }
    animator.solve();
    const solveMs = performance.now() - start;
    this.#figure.draw(frame.root, animator.pose);
    if (this.#beside) this.#animation?.draw(frame.root, frame.animation);
    for (const { name, bone } of LIMBS) {
      if (!this.#held.has(name)) {
        handles.get(name)!.position.copy(animator.getJointWorld(humanJoints[bone]!).position).applyMatrix4(this.#toStage);
      }
    }
    this.#place(cylinder, moved.rotation);
    this.#report(at, weight, solveMs);
  }

  /** Puts the drawn cylinder, whose axis is Y, where its goal is. */
  #place(handle: Handle, { x, y, z, w }: Transform["rotation"]): void {
    const axis = new Vector3(0, 1, 0).applyQuaternion(new Quaternion(x, y, z, w)).transformDirection(this.#toStage);
    this.#cylinder.position.copy(handle.position);
    this.#cylinder.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), axis);
  }

  #report(at: number, weight: number, solveMs: number): void {
    const { animator, demo } = this;
    const show = (name: string, goal: IkGoal) => {
      const { status, residualM } = animator.getIkOutcome(goal);
      const word = STATUS[status] ?? "";
      this.readings.set(name, `${word}, ${millimetres(residualM * demo.metres)}`,
        word === "reached" ? "reached" : word === "inactive" ? "" : "missed");
    };
    show("Right hand", IkGoal.RightHand);
    for (const { name, goal } of LIMBS) if (this.#held.has(name)) show(name, goal);
    const { residualRad } = animator.getLookAtOutcome();
    this.readings.set("Gaze", `${((residualRad * 180) / Math.PI).toFixed(2)}°`);
    this.readings.set("Weight", weight.toFixed(2));
    this.readings.set("Solve", `${solveMs.toFixed(2)} ms`);
    this.#scrub.value = String(at);
    const { deltaTimeS, frames } = demo.scene;
    this.#clock.textContent = `${(at * deltaTimeS).toFixed(2)} / ${(frames.length * deltaTimeS).toFixed(0)} s`;
  }
}
