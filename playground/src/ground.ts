// SPDX-License-Identifier: MIT OR Apache-2.0
//
// A walk on flat ground, put on stairs, slopes, rocks, and a block that is dragged.

import { BoxGeometry, BufferGeometry, Color, Float32BufferAttribute, Mesh, MeshLambertMaterial, Quaternion, Vector3 } from "three";
import { IkGoal, TRANSFORM_FLOATS } from "sinew-ik";
import type { FootModel, GrounderCalls, GrounderLeg, GroundHit, GroundQuery, Sinew } from "sinew-ik";
import { Character } from "sinew-ik/three";
import { JOINTS, makeMannequin } from "./mannequin.js";
import { manual, millimetres } from "./rig.js";
import { Handle, remove } from "./stage.js";
import type { Stage } from "./stage.js";
import { Readings, choice, element, group, slider, toggle } from "./ui.js";
import type { View } from "./view.js";

const UP = new Vector3(0, 1, 0);
const X = new Vector3(1, 0, 0);
const Y = new Vector3(0, 1, 0);
const Z = new Vector3(0, 0, 1);

/** The way: a circle about the origin, metres. */
const RADIUS = 2;
const WIDTH = 1.1;
const ROUND = 2 * Math.PI * RADIUS;
const BLOCK = 0.34;

/** Half a cycle of the walk, metres, and the part of a cycle that a foot stands. */
const STEP = 0.45;
const STANCE = 0.62;

const LEGS = [
  { side: "Left", goal: IkGoal.LeftFoot, phase: 0, inward: 1 },
  { side: "Right", goal: IkGoal.RightFoot, phase: 0.5, inward: -1 },
] as const;

/** The mannequin's feet: see makeMannequin. */
const FOOT: FootModel = { hasSole: 1, ballHeight: 0.026, heelHeight: 0.081, toeLength: 0.06, heelLength: 0.05 };
const BALL = new Vector3(0, -0.055, 0.135);

const smooth = (t: number) => t * t * t * (10 - 15 * t + 6 * t * t);
const clamp = (t: number) => Math.min(Math.max(t, 0), 1);

/** A number in 0 … 1 for a cell, by a fixed rule. */
function chance(i: number, k: number): number {
  let bits = Math.imul(i + 17, 0x9e3779b1) ^ Math.imul(k + 59, 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 15), 0x2c1b3c6d);
  return ((bits ^ (bits >>> 13)) >>> 0) / 4294967296;
}

/** Height of the course `s` metres along the way and `r` from its centre. */
function course(s: number, r: number): number {
  if (Math.abs(r - RADIUS) > WIDTH / 2) return 0;
  if (s < 1.5) return 0;
  if (s < 2.7) return 0.15 * (1 + Math.floor((s - 1.5) / 0.3));
  if (s < 3.9) return 0.6;
  if (s < 5.1) return 0.15 * (3 - Math.floor((s - 3.9) / 0.3));
  if (s < 6) return 0;
  if (s < 8) return 0.2 * (s - 6);
  if (s < 9) return 0.4 * (9 - s);
  if (s < 9.6) return 0;
  if (s < 11.7) {
    // Between heights of the corners of cells of 0.3 m, flat at both ends.
    const [u, v] = [(s - 9.6) / 0.3, (r - RADIUS + WIDTH / 2) / 0.3];
    const [i, k] = [Math.floor(u), Math.floor(v)];
    const corner = (i: number, k: number) => (i <= 0 || i >= 7 ? 0 : 0.16 * chance(i, k));
    const row = (k: number) => corner(i, k) + (corner(i + 1, k) - corner(i, k)) * (u - i);
    return row(k) + (row(k + 1) - row(k)) * (v - k);
  }
  return 0;
}

/** Where the course has a riser, metres along the way. */
const RISERS = [...[0, 1, 2, 3].map((i) => 1.5 + 0.3 * i), ...[0, 1, 2, 3].map((i) => 3.9 + 0.3 * i)];

export class GroundView implements View {
  readonly name = "Ground";
  readonly readings = new Readings();
  readonly handles = new Map<string, Handle>();
  /** Depth of the ball of each foot that stands in the ground, metres, on the joints as drawn. */
  depths: number[] = [];
  /** The deepest of both feet, standing or not: where its ball is. */
  lowest = { at: new Vector3(), depth: 0 };
  hipsHeight = 0;
  #character: Character | undefined;
  #grounder: GrounderCalls | undefined;
  #course: Mesh | undefined;
  #block: Mesh | undefined;
  #blockBefore = new Vector3();
  #blockVelocity = new Vector3();
  #cycle = 0;
  #speed = 0.9;
  #quality = 5;
  #on = true;
  #walker = new Vector3();
  #rootHeight = 0;

  constructor(readonly sinew: Sinew, readonly stage: Stage) {}

  show(panel: HTMLElement): void {
    const { stage } = this;
    this.#cycle = 0.2;
    this.#rootHeight = 0;
    this.#character = new Character(this.sinew, makeMannequin());
    for (const { goal } of LEGS) {
      this.#character.animator.setIkPositionWeight(goal, 1);
      this.#character.animator.setIkRotationWeight(goal, 1);
    }
    this.#course = courseMesh();
    this.#block = new Mesh(new BoxGeometry(BLOCK, 1, BLOCK), new MeshLambertMaterial({ color: 0xb08d57 }));
    this.#block.castShadow = this.#block.receiveShadow = true;
    stage.scene.add(this.#character.model, this.#course, this.#block);
    const handle = new Handle("Block", 0xe07b16, 0.05);
    handle.position.copy(place(0.95, 0)).setY(0.14);
    this.#blockBefore.copy(handle.position);
    this.handles.set("Block", handle);
    stage.add(handle);
    this.#walker.copy(place(2 * STEP * this.#cycle, 0));
    stage.look(this.#walker.clone().setY(0.8), this.#walker.clone().multiplyScalar(2.6).setY(1.7));
    this.#make();
    panel.append(
      element("h2", { textContent: "Feet on the ground" }),
      element("p", { textContent: "The animation walks on a plane. Feet, knees and pelvis follow stairs, slopes and rocks; drag the block below the feet." }),
      group("Grounding",
        toggle("On", this.#on, (on) => { this.#on = on; }),
        slider("Speed", { min: 0, max: 1.6, step: 0.05, value: this.#speed }, (speed) => { this.#speed = speed; }, (speed) => `${speed.toFixed(2)} m/s`),
        choice("Rays a foot", [1, 3, 5].map((n) => [String(n), n] as const), this.#quality, (quality) => { this.#quality = quality; this.#make(); }),
      ),
      group("This frame", this.readings.table),
      manual("grounding", "grounding.html"),
    );
  }

  hide(): void {
    this.#grounder?.destroy();
    this.#grounder = undefined;
    this.#character?.destroy();
    for (const object of [this.#character?.model, this.#course, this.#block]) if (object) remove(object);
    this.#character = this.#course = this.#block = undefined;
    this.stage.clear();
    this.handles.clear();
  }

  #make(): void {
    this.#grounder?.destroy();
    this.#grounder = this.sinew.createGrounder(LEGS.map(() => FOOT), { quality: this.#quality });
  }

  /** Height of the ground below a point, and whether that is the block. */
  ground(x: number, z: number): { height: number; isBlock: boolean } {
    const s = (((Math.atan2(x, z) * RADIUS) % ROUND) + ROUND) % ROUND;
    const height = course(s, Math.hypot(x, z));
    const { position } = this.handles.get("Block")!;
    const isBlock = Math.abs(x - position.x) < BLOCK / 2 && Math.abs(z - position.z) < BLOCK / 2 && position.y > height;
    return { height: isBlock ? position.y : height, isBlock };
  }

  #cast({ origin, length }: GroundQuery): GroundHit {
    const { x, y, z } = origin;
    const { height, isBlock } = this.ground(x, z);
    // The slope over two millimetres; an edge between them is none.
    const rise = (dx: number, dz: number) => {
      const [from, to] = [this.ground(x - dx, z - dz), this.ground(x + dx, z + dz)];
      return from.isBlock !== to.isBlock || Math.abs(to.height - from.height) > 0.004 ? 0 : (to.height - from.height) / 0.002;
    };
    return {
      hit: y >= height && y - height <= length ? 1 : 0,
      body: isBlock ? 1 : 0,
      point: { x, y: height, z },
      normal: isBlock ? UP : new Vector3(-rise(0.001, 0), 1, -rise(0, 0.001)).normalize(),
      velocity: isBlock ? this.#blockVelocity : { x: 0, y: 0, z: 0 },
      angularVelocity: { x: 0, y: 0, z: 0 },
    };
  }

  update(dtS: number): void {
    const character = this.#character!;
    const grounder = this.#grounder!;
    const { animator, model } = character;
    const block = this.handles.get("Block")!.position;
    block.y = Math.min(Math.max(block.y, 0.02), 0.35);
    this.#block!.position.copy(block).setY(block.y / 2);
    this.#block!.scale.y = block.y;
    if (dtS > 0) this.#blockVelocity.copy(block).sub(this.#blockBefore).divideScalar(dtS);
    this.#blockBefore.copy(block);

    this.#cycle += (dtS * this.#speed) / (2 * STEP);
    const s = 2 * STEP * this.#cycle;
    const root = place(s, 0);
    // As the capsule of a game's character does, the root goes to the ground's height.
    this.#rootHeight += (this.ground(root.x, root.z).height - this.#rootHeight) * -Math.expm1(-8 * dtS);
    root.y = this.#rootHeight;
    const heading = facing(s);
    model.position.copy(root);
    model.quaternion.copy(heading);
    this.stage.camera.position.add(root).sub(this.#walker);
    this.stage.controls.target.add(root).sub(this.#walker);
    this.#walker.copy(root);

    // The animation: a pose, and feet by the animation's own goals on the plane.
    const index = (name: string) => character.joint(name);
    const rest = animated(this.#cycle, index);
    const feet = LEGS.map((leg) => footOf(this.#cycle + leg.phase, leg.phase, leg.inward));
    for (const { ball } of feet) ball.y += root.y;
    const goals = feet.map(({ ball, turn }) => ({ at: BALL.clone().applyQuaternion(turn).negate().add(ball), turn }));
    animator.setRoot({ position: root, rotation: heading, scale: { x: 1, y: 1, z: 1 } });
    const set = () => LEGS.forEach(({ goal }, i) => {
      animator.setIkPosition(goal, goals[i]!.at);
      animator.setIkRotationBone(goal, goals[i]!.turn);
    });
    set();
    animator.pose.set(rest);
    animator.solve();
    const at = (name: string) => vector(animator.getJointWorld(index(name)).position);
    const legs: GrounderLeg[] = LEGS.map(({ side }, i) => ({
      hip: at(side + "UpperLeg"), knee: at(side + "LowerLeg"), ankle: at(side + "Foot"), ball: at(side + "Toes"),
      foot: goals[i]!.turn, weight: 1, contact: 0, hasLanding: 0, landingTimeS: 0, landing: { x: 0, y: 0, z: 0 },
    }));
    const pelvis = at("Hips");

    const start = performance.now();
    const count = grounder.begin({ root, rotation: heading, up: UP, pelvis, dtS }, legs);
    const { queries } = grounder.getQueries(count);
    grounder.finish(queries.map((query) => this.#cast(query)));
    const results = grounder.getLegs(legs.length);
    const body = grounder.getBody();
    const groundMs = performance.now() - start;

    const offset = new Vector3();
    if (this.#on) {
      offset.copy(body.offset);
      results.forEach(({ ankle, foot }, i) => {
        goals[i] = { at: vector(ankle), turn: new Quaternion(foot.x, foot.y, foot.z, foot.w) };
      });
    }
    set();
    const hips = index("Hips") * TRANSFORM_FLOATS;
    offset.clone().applyQuaternion(heading.clone().invert()).add(new Vector3().fromArray(rest, hips)).toArray(rest, hips);
    character.animate = (pose) => {
      pose.set(rest);
      // The toes of a heel that is lifted stay on the ground.
      LEGS.forEach(({ side }, i) => {
        const { toesTurn } = results[i]!;
        const toes = this.#on ? new Quaternion(toesTurn.x, toesTurn.y, toesTurn.z, toesTurn.w) : new Quaternion();
        const local = goals[i]!.turn.clone().invert().multiply(toes).multiply(feet[i]!.toes);
        local.toArray(pose, index(side + "Toes") * TRANSFORM_FLOATS + 3);
      });
    };
    character.update(dtS);

    const drawn = (name: string) => character.joints[character.joint(name)]!.getWorldPosition(new Vector3());
    const balls = LEGS.map(({ side }) => {
      const at = drawn(side + "Toes");
      return { at, depth: this.ground(at.x, at.z).height + FOOT.ballHeight - at.y };
    });
    this.depths = balls.filter((_, i) => results[i]!.planted).map(({ depth }) => depth);
    this.lowest = balls.reduce((a, b) => (b.depth > a.depth ? b : a));
    this.hipsHeight = drawn("Hips").y;
    const planted = results.filter((leg) => leg.planted).length;
    this.readings.set("Feet that stand", `${planted} of 2`);
    const deepest = Math.max(0, this.lowest.depth);
    this.readings.set("In the ground", millimetres(deepest), deepest < 0.02 ? "reached" : "missed");
    this.readings.set("Pelvis", `${(offset.y * 100).toFixed(1)} cm`);
    this.readings.set("Rays", String(queries.length));
    this.readings.set("Grounder", `${groundMs.toFixed(2)} ms`);
  }
}

function vector({ x, y, z }: { x: number; y: number; z: number }): Vector3 {
  return new Vector3(x, y, z);
}

/** A point `s` metres along the way, `inward` metres towards the centre. */
function place(s: number, inward: number): Vector3 {
  const angle = s / RADIUS;
  return new Vector3(Math.sin(angle), 0, Math.cos(angle)).multiplyScalar(RADIUS - inward);
}

/** The rotation of a body that walks there: it faces Z without. */
function facing(s: number): Quaternion {
  return new Quaternion().setFromAxisAngle(UP, s / RADIUS + Math.PI / 2);
}

/** How far the hips are below rest: lowest when both feet stand. */
function sink(cycle: number): number {
  return -0.055 - 0.012 * Math.cos(4 * Math.PI * (cycle - 0.06));
}

/** One foot at a time of its cycle: it lands at whole numbers. */
function footOf(time: number, phase: number, inward: number): { ball: Vector3; turn: Quaternion; toes: Quaternion } {
  const n = Math.floor(time);
  const u = time - n;
  // The ball stands before the hip for a little more than half of the stance.
  const landing = (n: number) => 2 * STEP * (n - phase) + STEP * STANCE + 0.1;
  const w = clamp((u - STANCE) / (1 - STANCE));
  const s = landing(n) + 2 * STEP * smooth(w);
  // The heel rises before the foot leaves the ground and comes down first.
  const off = smooth(clamp((u - 0.36) / (STANCE - 0.36)));
  const pitch = 0.75 * off * (1 - smooth(clamp(w / 0.6))) - 0.18 * smooth(clamp((w - 0.5) / 0.5)) - 0.18 * (1 - smooth(clamp(u / 0.09))) * (u < 0.09 ? 1 : 0);
  const lift = 0.085 * Math.sin(Math.PI * w) ** 2 + Math.max(0, -pitch) * 0.13;
  const ball = place(s, inward * 0.085).setY(FOOT.ballHeight + lift);
  const yaw = facing(s);
  const turn = yaw.clone().multiply(new Quaternion().setFromAxisAngle(X, pitch));
  // Toes stay level while the heel rises.
  const toes = yaw.clone().multiply(new Quaternion().setFromAxisAngle(X, pitch > 0 ? 0.25 * pitch * (w > 0 ? 1 : 0) : pitch));
  return { ball, turn, toes };
}

/** The pose of a walk without feet: knees that bend, arms that swing against the legs. */
function animated(cycle: number, index: (name: string) => number): Float32Array {
  const pose = new Float32Array(JOINTS.length * TRANSFORM_FLOATS);
  JOINTS.forEach(({ name, at: [x, y, z], parent }) => {
    pose.set([x, parent < 0 ? y + sink(cycle) : y, z, 0, 0, 0, 1, 1, 1, 1], index(name) * TRANSFORM_FLOATS);
  });
  const turn = (name: string, ...turns: [Vector3, number][]) => {
    const q = new Quaternion();
    for (const [axis, angle] of turns) q.multiply(new Quaternion().setFromAxisAngle(axis, angle));
    q.toArray(pose, index(name) * TRANSFORM_FLOATS + 3);
  };
  // The left leg is foremost at whole numbers.
  const swing = Math.cos(2 * Math.PI * cycle);
  turn("Hips", [Y, -0.07 * swing]);
  turn("Spine", [X, 0.04], [Y, 0.06 * swing]);
  turn("Chest", [Y, 0.09 * swing]);
  turn("Neck", [X, -0.02], [Y, -0.08 * swing]);
  for (const [side, sign] of [["Left", 1], ["Right", -1]] as const) {
    turn(side + "UpperArm", [X, 0.08 + 0.38 * sign * swing], [Z, -sign * 1.33]);
    turn(side + "LowerArm", [Y, -sign * (0.35 - 0.15 * sign * swing)]);
    turn(side + "UpperLeg", [X, -0.3]);
    turn(side + "LowerLeg", [X, 0.6]);
  }
  return pose;
}

/** The course as a mesh with flat faces and walls. */
function courseMesh(): Mesh {
  const rows: [number, number][] = [];
  const step = 0.06;
  for (let i = 0; i * step < ROUND; i++) rows.push([i * step, 0]);
  rows.push([ROUND, -1e-6]);
  for (const riser of [...RISERS, 6, 9]) rows.push([riser, -1e-6], [riser, 1e-6]);
  rows.sort((a, b) => a[0] + a[1] - b[0] - b[1]);
  const across = Array.from({ length: 9 }, (_, i) => RADIUS - WIDTH / 2 + (WIDTH * i) / 8);
  const [inner, outer] = [across[0]!, across[8]!];
  const inside = across.map((r): [number, number] => [Math.min(Math.max(r, inner + 1e-6), outer - 1e-6), 1]);
  const radii: [number, number][] = [[inner, 0], ...inside, [outer, 0]];
  const corner = ([s, side]: readonly [number, number], [r, high]: readonly [number, number]) => {
    const at = place(s, RADIUS - r);
    // The floor has its own grid and shadow: what is level with it is hidden below.
    const height = high * course(Math.min(Math.max(s + side, 0), ROUND - 1e-6), r);
    return at.setY(height < 1e-4 ? -0.004 : height);
  };
  const places: number[] = [];
  const colours: number[] = [];
  const [top, wall] = [new Color(0xc9c2b4), new Color(0x9c9384)];
  const [side, other] = [new Vector3(), new Vector3()];
  for (let i = 0; i + 1 < rows.length; i++) {
    for (let k = 0; k + 1 < radii.length; k++) {
      const [a, b, c, d] = [corner(rows[i]!, radii[k]!), corner(rows[i]!, radii[k + 1]!), corner(rows[i + 1]!, radii[k + 1]!), corner(rows[i + 1]!, radii[k]!)];
      if (Math.max(a.y, b.y, c.y, d.y) < 0) continue;
      side.subVectors(c, a);
      other.subVectors(d, b);
      const colour = Math.abs(side.cross(other).normalize().y) > 0.5 ? top : wall;
      for (const point of [a, b, c, a, c, d]) {
        places.push(point.x, point.y, point.z);
        colours.push(colour.r, colour.g, colour.b);
      }
    }
  }
  const shape = new BufferGeometry();
  shape.setAttribute("position", new Float32BufferAttribute(places, 3));
  shape.setAttribute("color", new Float32BufferAttribute(colours, 3));
  shape.computeVertexNormals();
  const mesh = new Mesh(shape, new MeshLambertMaterial({ vertexColors: true }));
  mesh.receiveShadow = true;
  return mesh;
}
