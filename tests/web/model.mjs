// A person as a .glb file: fifteen bones with names of Mixamo, in centimetres, each with a box, and
// a picture of one colour.
//
//     node model.mjs FILE
import { writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

/** A PNG of one pixel, magenta. */
const PICTURE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z/AfAAQAAf8iCjrwAAAAAElFTkSuQmCC";

/** Eight bones in a line along the ground, without names, as a .gltf file. */
export function line() {
  const nodes = Array.from({ length: 8 }, (_, i) => ({ translation: [0, 0, i ? 0.3 : 0], ...(i < 7 && { children: [i + 1] }) }));
  return Buffer.from(JSON.stringify({
    asset: { version: "2.0" }, scene: 0, scenes: [{ nodes: [0] }], nodes, skins: [{ joints: nodes.map((_, i) => i) }],
  }));
}

/**
 * `hasSkin`: without, its nodes are no bones, and a box stays where it is. `hasMesh`: without, there
 * are only its bones, below a node that makes metres of them.
 */
export function model(hasSkin = true, hasMesh = true) {
  const nodes = [];
  const places = [];
  const add = (name, parent, translation) => {
    nodes.push({ name: `mixamorig:${name}`, translation });
    places.push(translation.map((x, i) => x + (parent >= 0 ? places[parent][i] : 0)));
    if (parent >= 0) (nodes[parent].children ??= []).push(nodes.length - 1);
    return nodes.length - 1;
  };
  const hips = add("Hips", -1, [0, 100, 0]);
  const spine = add("Spine", hips, [0, 20, 0]);
  add("Head", spine, [0, 40, 0]);
  for (const [side, x] of [["Left", 1], ["Right", -1]]) {
    const arm = add(`${side}Arm`, spine, [20 * x, 30, 0]);
    add(`${side}Hand`, add(`${side}ForeArm`, arm, [28 * x, 0, 0]), [25 * x, 0, 0]);
    const leg = add(`${side}UpLeg`, hips, [10 * x, 0, 0]);
    add(`${side}Foot`, add(`${side}Leg`, leg, [0, -45, 1]), [0, -45, -1]);
  }
  const bones = nodes.length;
  const [points, joints, order] = [[], [], []];
  places.forEach(([x, y, z], bone) => {
    const first = points.length / 3;
    for (let corner = 0; corner < 8; corner++) {
      points.push(x + (corner & 1 ? 7 : -7), y + (corner & 2 ? 9 : -9), z + (corner & 4 ? 6 : -6));
      joints.push(bone, 0, 0, 0);
    }
    for (const [a, b, c, d] of [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]]) {
      order.push(...[a, b, c, a, c, d].map((i) => first + i));
    }
  });
  const count = points.length / 3;
  const inverse = new Float32Array(16 * bones);
  places.forEach(([x, y, z], i) => inverse.set([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -x, -y, -z, 1], i * 16));
  const weights = Float32Array.from({ length: 4 * count }, (_, i) => (i % 4 === 0 ? 1 : 0));
  const parts = [
    Float32Array.from(points), Uint8Array.from(joints), weights, inverse, Uint16Array.from(order),
    new Float32Array(2 * count),
  ].map((list) => Buffer.from(list.buffer));
  const picture = Buffer.from(PICTURE, "base64");
  parts.push(Buffer.concat([picture, Buffer.alloc((4 - (picture.length % 4)) % 4)]));
  let at = 0;
  const bufferViews = parts.map((part) => ({ buffer: 0, byteOffset: (at += part.length) - part.length, byteLength: part.length }));
  bufferViews[6].byteLength = picture.length;
  if (hasMesh) nodes.push({ name: "Body", mesh: 0, ...(hasSkin && { skin: 0 }) });
  else nodes.push({ name: "Armature", scale: [0.01, 0.01, 0.01], children: [hips] });
  const least = (axis, pick) => pick(...points.filter((_, i) => i % 3 === axis));
  const json = Buffer.from(JSON.stringify({
    asset: { version: "2.0" }, scene: 0, scenes: [{ nodes: hasMesh ? [hips, bones] : [bones] }], nodes,
    meshes: [{ primitives: [{ attributes: { POSITION: 0, JOINTS_0: 1, WEIGHTS_0: 2, TEXCOORD_0: 5 }, indices: 4, material: 0 }] }],
    materials: [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 }, metallicFactor: 0, roughnessFactor: 1 } }],
    textures: [{ source: 0 }],
    images: [{ bufferView: 6, mimeType: "image/png" }],
    skins: !hasSkin ? undefined : [{ joints: Array.from({ length: bones }, (_, i) => i), inverseBindMatrices: 3 }],
    buffers: [{ byteLength: at }], bufferViews,
    accessors: [
      { bufferView: 0, componentType: 5126, count, type: "VEC3", min: [0, 1, 2].map((i) => least(i, Math.min)), max: [0, 1, 2].map((i) => least(i, Math.max)) },
      { bufferView: 1, componentType: 5121, count, type: "VEC4" },
      { bufferView: 2, componentType: 5126, count, type: "VEC4" },
      { bufferView: 3, componentType: 5126, count: bones, type: "MAT4" },
      { bufferView: 4, componentType: 5123, count: order.length, type: "SCALAR" },
      { bufferView: 5, componentType: 5126, count, type: "VEC2" },
    ],
  }));
  const padded = Buffer.concat([json, Buffer.alloc((4 - (json.length % 4)) % 4, " ")]);
  const binary = Buffer.concat(parts);
  const head = (length, type) => Buffer.concat([Buffer.from(Uint32Array.of(length).buffer), Buffer.from(type)]);
  const body = Buffer.concat([head(padded.length, "JSON"), padded, head(binary.length, "BIN\0"), binary]);
  return Buffer.concat([Buffer.from("glTF"), Buffer.from(Uint32Array.of(2, body.length + 12).buffer), body]);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) writeFileSync(process.argv[2], model());
