// SPDX-License-Identifier: MIT OR Apache-2.0
//
// What `cargo xtask demo` puts into the page: the module, the scene, and the character's file.

import type { GLTF } from "three/addons/loaders/GLTFLoader.js";
import type { Object3D } from "three";
import { embedded } from "./embedded.js";
import { readScene } from "./scene.js";
import type { Scene } from "./scene.js";

type Row = [number, number, number];

/** The page's own settings. */
interface Meta {
  title: string;
  subtitle: string;
  /** Directions of the scene that are left, up and forward of the character, and its unit. */
  left: Row;
  up: Row;
  forward: Row;
  metres: number;
  /** Height of the floor, metres. */
  floor: number;
  /** Node of the character's file for each joint; null: no file, its bones are drawn. */
  nodes: number[] | null;
  /** Name of a file of the user's; null: the built-in mannequin. */
  model: string | null;
  hosts: { host: string; hash: string }[];
}

export interface Demo extends Meta {
  scene: Scene;
  module: Uint8Array<ArrayBuffer>;
  /** The character's file. */
  file: File | undefined;
  gltf: GLTF | undefined;
}

/** Undefined on the plain playground. */
export async function readDemo(parse: (file: File) => Promise<GLTF>): Promise<Demo | undefined> {
  const text = document.getElementById("sinew-demo")?.textContent;
  if (!text) return undefined;
  const meta = JSON.parse(text) as Meta;
  const [module, scene, model] = await Promise.all(["sinew-module", "sinew-scene", "sinew-model"].map(embedded));
  if (!module || !scene) throw new Error("the page has no module or no scene");
  const file = model && new File([model], meta.model ?? "mannequin.glb");
  // Its bones are drawn where its mesh cannot be read.
  const gltf = file && meta.nodes ? await parse(file).catch(() => undefined) : undefined;
  return { ...meta, module, scene: readScene(scene), file, gltf };
}

/** The object of each joint; undefined when one of them is missing. */
export function jointObjects({ gltf, nodes }: Demo): Object3D[] | undefined {
  if (!gltf || !nodes) return undefined;
  const objects = new Map<number, Object3D>();
  gltf.scene.traverse((object) => {
    const node = gltf.parser.associations.get(object)?.nodes;
    if (node !== undefined && !objects.has(node)) objects.set(node, object);
  });
  const found = nodes.map((node) => objects.get(node));
  return found.every((object) => object !== undefined) ? found : undefined;
}
