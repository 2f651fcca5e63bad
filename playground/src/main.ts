// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The playground: pages with one scene each, on one instance of the library.

import { Box3, Vector3 } from "three";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import type { GLTF } from "three/addons/loaders/GLTFLoader.js";
import { MeshoptDecoder } from "three/addons/libs/meshopt_decoder.module.js";
import { Sinew } from "sinew-ik";
import { vrmHumanMap } from "sinew-ik/three";
import { CharacterView } from "./character.js";
import { ChainView } from "./chain.js";
import { CrowdView } from "./crowd.js";
import { readDemo } from "./demo.js";
import type { Demo } from "./demo.js";
import { AimView, LimitsView, SplineView } from "./features.js";
import { GroundView } from "./ground.js";
import { HoldView } from "./hold.js";
import { Stage } from "./stage.js";
import { startTheme } from "./theme.js";
import { button } from "./ui.js";
import type { View } from "./view.js";

const find = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;
const status = find<HTMLOutputElement>("status");

function say(text: string, isError = false): void {
  status.textContent = text;
  status.classList.toggle("error", isError);
}

/** A glTF file's objects. */
async function parse(file: File): Promise<GLTF> {
  const loader = new GLTFLoader().setMeshoptDecoder(MeshoptDecoder);
  const bytes = await file.arrayBuffer();
  // A .glb begins with "glTF", a .gltf is JSON.
  if (!["glTF", "{"].some((start) => new TextDecoder().decode(bytes.slice(0, 4)).trimStart().startsWith(start))) {
    throw new Error("this is no glTF file");
  }
  const gltf = await loader.parseAsync(bytes, "");
  if (!gltf.scene) throw new Error("the file has no scene");
  return gltf;
}

async function start(): Promise<void> {
  let stage: Stage | undefined;
  startTheme(find("theme"), () => stage?.theme());
  const demo = await readDemo(parse);
  const sinew = await Sinew.load(demo?.module);
  stage = new Stage(find<HTMLCanvasElement>("view"));
  run(sinew, stage, demo);
}

function run(sinew: Sinew, stage: Stage, demo: Demo | undefined): void {
  const { major, minor, patch } = sinew.version();
  const version = `Sinew ${major}.${minor}.${patch}, WebAssembly`;
  const character = new CharacterView(sinew, stage);
  const views: View[] = [
    ...(demo ? [new HoldView(sinew, stage, demo)] : []), character, new CharacterView(sinew, stage, true), new ChainView(sinew, stage), new AimView(sinew, stage),
    new SplineView(sinew, stage), new LimitsView(sinew, stage), new GroundView(sinew, stage), new CrowdView(sinew, stage),
  ];
  const tabs = views.map((view) => button(view.name, () => open(view)));
  tabs.forEach((tab) => tab.setAttribute("role", "tab"));
  find("tabs").append(...tabs);
  const panel = find("panel");
  let current: View | undefined;
  const open = (view: View, isOwn = false) => {
    current?.hide();
    panel.replaceChildren();
    current = view;
    say(version);
    tabs.forEach((tab, i) => tab.setAttribute("aria-selected", String(views[i] === view)));
    view.show(panel);
    try {
      history.replaceState(null, "", `#${view.name.toLowerCase()}`);
    } catch { /* some browsers refuse it for files */ }
    if (!isOwn && demo?.model && demo.file && view instanceof CharacterView) void load(demo.file, view);
  };

  const load = async (file: File, into?: CharacterView) => {
    try {
      const gltf = await parse(file);
      const model = gltf.scene;
      model.updateMatrixWorld(true);
      const box = new Box3().setFromObject(model);
      const scale = 1.75 / Math.max(box.getSize(new Vector3()).y, 1e-6);
      // VRM 0 faces away.
      if (gltf.parser.json.extensions?.VRM) model.rotation.y = Math.PI;
      model.scale.multiplyScalar(scale);
      model.position.y -= box.min.y * scale;
      model.traverse((part) => { part.castShadow = true; part.frustumCulled = false; });
      const page = into ?? (current instanceof CharacterView ? current : character);
      if (into && current !== into) return;
      if (current !== page) open(page, true);
      const humanoid = vrmHumanMap(gltf);
      page.load(model, humanoid ? { humanoid } : {});
      const { joints, humanoidError } = page.character;
      say(humanoidError ? `${file.name}: no humanoid; drag the ends of its bones` : `${file.name}: ${joints.length} joints`);
    } catch (error) {
      say(`${file.name}: ${error instanceof Error ? error.message : error}`, true);
    }
  };
  for (const view of views) if (view instanceof CharacterView) view.open = (file) => void load(file);
  const drop = find("drop");
  addEventListener("dragover", (event) => {
    event.preventDefault();
    drop.hidden = false;
  });
  addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) drop.hidden = true;
  });
  addEventListener("drop", (event) => {
    event.preventDefault();
    drop.hidden = true;
    const file = event.dataTransfer?.files[0];
    if (file) void load(file);
  });

  open(views.find((view) => `#${view.name.toLowerCase()}` === location.hash) ?? views[0]!);
  let last = performance.now();
  let frames = 0;
  stage.renderer.setAnimationLoop((now: number) => {
    // The first frame may have begun before the page was ready.
    const frameMs = Math.max(now - last, 0);
    last = now;
    try {
      // A tab that comes back from the background makes no leap.
      current!.update(Math.min(frameMs / 1000, 0.1), frameMs);
    } catch (error) {
      say(String(error), true);
      stage.renderer.setAnimationLoop(null);
      throw error;
    }
    stage.draw();
    frames++;
  });
  // For the tests.
  Object.assign(window, { playground: { sinew, stage, views, get current() { return current; }, get frames() { return frames; }, load } });
}

start().catch((error: unknown) => say(`The playground cannot start: ${error instanceof Error ? error.message : error}`, true));
