// SPDX-License-Identifier: MIT OR Apache-2.0
//
// A mannequin: one bone per part, each part a body of revolution or an ellipsoid. All parts are one
// mesh, so that it is drawn at once.

import {
  Bone, BufferAttribute, Color, Group, LatheGeometry, Matrix4, MeshLambertMaterial, Quaternion, Skeleton, SkinnedMesh,
  SphereGeometry, Uint16BufferAttribute, Vector2, Vector3, Euler,
} from "three";
import type { BufferGeometry } from "three";
import { mergeGeometries } from "three/addons/utils/BufferGeometryUtils.js";

type Place = readonly [number, number, number];

/** Human bone, its parent, and its place in it: metres, Y up, facing Z, the left side at X. */
const CENTRE: readonly (readonly [string, string | null, Place])[] = [
  ["Hips", null, [0, 0.965, 0]],
  ["Spine", "Hips", [0, 0.11, -0.005]],
  ["Chest", "Spine", [0, 0.15, 0]],
  ["Neck", "Chest", [0, 0.235, -0.015]],
  ["Head", "Neck", [0, 0.09, 0.015]],
];

const SIDE: readonly (readonly [string, string, Place])[] = [
  ["Shoulder", "Chest", [0.03, 0.185, 0]],
  ["UpperArm", "Shoulder", [0.145, 0, -0.01]],
  ["LowerArm", "UpperArm", [0.275, 0, 0]],
  ["Hand", "LowerArm", [0.245, 0, 0]],
  ["UpperLeg", "Hips", [0.095, -0.035, 0]],
  ["LowerLeg", "UpperLeg", [0, -0.435, 0.005]],
  ["Foot", "LowerLeg", [0, -0.42, -0.015]],
  ["Toes", "Foot", [0, -0.055, 0.135]],
];

/** All joints of the rig: name, index of the parent, place in it. Parents come first. */
export const JOINTS: readonly { name: string; parent: number; at: Place }[] = (() => {
  const list: { name: string; parent: number; at: Place }[] = [];
  const find = (name: string) => list.findIndex((joint) => joint.name === name);
  for (const [name, parent, at] of CENTRE) list.push({ name, parent: parent ? find(parent) : -1, at });
  for (const [side, sign] of [["Left", 1], ["Right", -1]] as const) {
    for (const [name, parent, [x, y, z]] of SIDE) {
      const own = find(side + parent);
      list.push({ name: side + name, parent: own < 0 ? find(parent) : own, at: [x * sign, y, z] });
    }
  }
  return list;
})();

/** A body of revolution along Y from 0 to `length`: radii at even steps, round ends. */
function limb(length: number, radii: readonly number[], round = 14): BufferGeometry {
  const points: Vector2[] = [];
  const [first, last] = [radii[0]!, radii[radii.length - 1]!];
  for (let i = 0; i <= 5; i++) {
    const a = ((i / 5) * Math.PI) / 2;
    points.push(new Vector2(Math.max(first * Math.sin(a), 1e-4), first * (0.5 - 0.5 * Math.cos(a)) - first * 0.3));
  }
  radii.slice(1, -1).forEach((radius, i) => points.push(new Vector2(radius, (length * (i + 1)) / (radii.length - 1))));
  for (let i = 5; i >= 0; i--) {
    const a = ((i / 5) * Math.PI) / 2;
    points.push(new Vector2(Math.max(last * Math.sin(a), 1e-4), length + last * 0.3 - last * (0.5 - 0.5 * Math.cos(a))));
  }
  return new LatheGeometry(points, round);
}

function ball(x: number, y: number, z: number, detail = Math.max(x, y, z) < 0.05 ? 12 : 16): BufferGeometry {
  return new SphereGeometry(1, detail, Math.ceil(detail * 0.7)).scale(x, y, z);
}

/** The mannequin; its bones have the names of human bones. */
export function makeMannequin(bodyColor = 0xe4dccf, jointColor = 0x4a5a72): Group {
  const body = new Color(bodyColor);
  const joint = new Color(jointColor);
  const model = new Group();
  model.name = "mannequin";
  const bones = new Map<string, Bone>();
  for (const { name, parent, at } of JOINTS) {
    const bone = new Bone();
    bone.name = name;
    bone.position.set(...at);
    (parent < 0 ? model : bones.get(JOINTS[parent]!.name)!).add(bone);
    bones.set(name, bone);
  }
  model.updateMatrixWorld(true);
  const order = [...bones.keys()];
  const shapes: BufferGeometry[] = [];
  const add = (bone: string, shape: BufferGeometry, color = body, at: Place = [0, 0, 0], turn: Place = [0, 0, 0]) => {
    const place = new Matrix4().compose(new Vector3(...at), new Quaternion().setFromEuler(new Euler(...turn)), new Vector3(1, 1, 1));
    shape.applyMatrix4(place.premultiply(bones.get(bone)!.matrixWorld));
    const count = shape.getAttribute("position").count;
    const fill = (width: number, row: readonly number[]) => Float32Array.from({ length: count * width }, (_, i) => row[i % width]!);
    shape.deleteAttribute("uv");
    shape.setAttribute("color", new BufferAttribute(fill(3, color.toArray()), 3));
    shape.setAttribute("skinIndex", new Uint16BufferAttribute(fill(4, [order.indexOf(bone), 0, 0, 0]), 4));
    shape.setAttribute("skinWeight", new BufferAttribute(fill(4, [1, 0, 0, 0]), 4));
    shapes.push(shape);
  };
  add("Hips", ball(0.145, 0.1, 0.1), body, [0, 0.005, 0]);
  add("Spine", ball(0.105, 0.1, 0.085), joint, [0, 0.02, 0]);
  add("Chest", ball(0.155, 0.165, 0.108, 20), body, [0, 0.085, 0]);
  add("Neck", limb(0.1, [0.046, 0.042, 0.044]), joint, [0, -0.02, 0]);
  add("Head", ball(0.079, 0.112, 0.095, 20), body, [0, 0.1, 0.022]);
  // A band in place of a face: it shows where the head looks.
  const band = new SphereGeometry(1, 20, 4, Math.PI / 2 - 1.05, 2.1, 1.33, 0.3).scale(0.0805, 0.1135, 0.0965);
  add("Head", band, joint, [0, 0.1, 0.022]);
  for (const [side, sign] of [["Left", 1], ["Right", -1]] as const) {
    const out: Place = [0, 0, -sign * (Math.PI / 2)];
    const down: Place = [Math.PI, 0, 0];
    add(side + "UpperArm", ball(0.056, 0.056, 0.056), joint);
    add(side + "UpperArm", limb(0.225, [0.04, 0.05, 0.047, 0.04, 0.036]), body, [sign * 0.03, 0, 0], out);
    add(side + "LowerArm", ball(0.037, 0.037, 0.037), joint);
    add(side + "LowerArm", limb(0.2, [0.033, 0.042, 0.038, 0.03, 0.025]), body, [sign * 0.025, 0, 0], out);
    add(side + "Hand", ball(0.027, 0.027, 0.027), joint);
    add(side + "Hand", ball(0.06, 0.02, 0.042), body, [sign * 0.065, 0, 0]);
    add(side + "Hand", ball(0.045, 0.015, 0.036), body, [sign * 0.135, -0.003, 0]);
    add(side + "Hand", ball(0.035, 0.013, 0.014), body, [sign * 0.055, -0.004, 0.05], [0, -sign * 0.6, 0]);
    add(side + "UpperLeg", ball(0.07, 0.07, 0.07), joint);
    add(side + "UpperLeg", limb(0.36, [0.062, 0.08, 0.072, 0.06, 0.05]), body, [0, -0.035, 0], down);
    add(side + "LowerLeg", ball(0.052, 0.052, 0.052), joint);
    add(side + "LowerLeg", limb(0.345, [0.047, 0.062, 0.055, 0.042, 0.034]), body, [0, -0.04, 0], down);
    add(side + "Foot", ball(0.038, 0.038, 0.038), joint);
    add(side + "Foot", ball(0.044, 0.034, 0.09), body, [0, -0.042, 0.04]);
    add(side + "Toes", ball(0.042, 0.022, 0.05), body, [0, -0.006, 0.015]);
  }
  const mesh = new SkinnedMesh(mergeGeometries(shapes), new MeshLambertMaterial({ vertexColors: true }));
  mesh.name = "mannequin's mesh";
  mesh.castShadow = true;
  // Its box is that of the pose in which it was made.
  mesh.frustumCulled = false;
  model.add(mesh);
  mesh.bind(new Skeleton([...bones.values()]));
  return model;
}
