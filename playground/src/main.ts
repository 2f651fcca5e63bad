// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The playground: pages with one scene each, on one instance of the library.

import { Box3, Vector3 } from "three";
import type { Object3D } from "three";
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
  if (bytes.byteLength < 12) throw new Error(`the file ends after ${bytes.byteLength} bytes`);
  const head = new DataView(bytes);
  // A .glb states its own length.
  if (head.getUint32(0) === 0x676c5446 && head.getUint32(8, true) > bytes.byteLength) {
    throw new Error(`the file ends after ${bytes.byteLength} of ${head.getUint32(8, true)} bytes`);
  }
  const gltf = await loader.parseAsync(bytes, "");
  if (!gltf.scene) throw new Error("the file has no scene");
  return gltf;
}

/** The box around a model's meshes; of a model without meshes, around its objects. */
function boxOf(model: Object3D): Box3 {
  const box = new Box3().setFromObject(model);
  if (box.isEmpty()) model.traverse((object) => { if (object !== model) box.expandByPoint(object.getWorldPosition(new Vector3())); });
  return box;
}

async function start(): Promise<void> {
  let stage: Stage | undefined;
  startTheme(find("theme"), () => stage?.theme());
  const demo = await readDemo(parse);
  const sinew = await Sinew.load(demo?.module);
  try {
    stage = new Stage(find<HTMLCanvasElement>("view"));
  } catch (error) {
    throw new Error("this browser has no WebGL 2, or it is switched off.", { cause: error });
  }
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
  const panel = find("panel");
  const tabs = views.map((view) => button(view.name, () => open(view)));
  tabs.forEach((tab, i) => Object.assign(tab, { role: "tab", id: `tab-${views[i]!.name.toLowerCase()}` }).setAttribute("aria-controls", "panel"));
  find("tabs").append(...tabs);
  find("tabs").addEventListener("keydown", (event) => {
    const from = tabs.indexOf(document.activeElement as HTMLButtonElement);
    const to = { ArrowLeft: from - 1, ArrowRight: from + 1, Home: 0, End: -1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const tab = tabs.at(to % tabs.length)!;
    tab.focus();
    tab.click();
  });
  let current: View | undefined;
  /** The page whose update threw: it stands still until another one is opened. */
  let failed: View | undefined;
  const open = (view: View, isOwn = false) => {
    current?.hide();
    panel.replaceChildren();
    current = view;
    failed = undefined;
    say(version);
    tabs.forEach((tab, i) => {
      tab.ariaSelected = String(views[i] === view);
      // One stop of the Tab key; arrows go on from there.
      tab.tabIndex = views[i] === view ? 0 : -1;
      if (views[i] === view) panel.setAttribute("aria-labelledby", tab.id);
    });
    view.show(panel);
    try {
      history.replaceState(null, "", `#${view.name.toLowerCase()}`);
    } catch { /* some browsers refuse it for files */ }
    if (!isOwn && demo?.model && demo.file && view instanceof CharacterView) void load(demo.file, view);
  };

  /** How many files were opened: the last one counts, whichever is read first. */
  let opened = 0;
  const load = async (file: File, into?: CharacterView) => {
    const own = ++opened;
    try {
      const gltf = await parse(file);
      if (own !== opened) return;
      const model = gltf.scene;
      model.updateMatrixWorld(true);
      const box = boxOf(model);
      const { x, y, z } = box.getSize(new Vector3());
      const largest = Math.max(x, y, z);
      if (!(largest > 0 && largest < Infinity)) throw new Error("the file has nothing of a size");
      // What lies flat has no height to go by.
      const scale = 1.75 / (y > 1e-3 * largest ? y : largest);
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
      if (own === opened) say(`${file.name}: ${error instanceof Error ? error.message : error}`, true);
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

  const named = () => views.find((view) => `#${view.name.toLowerCase()}` === location.hash.toLowerCase());
  open(named() ?? views[0]!);
  // Addresses that are typed or followed; `replaceState` causes none of these events.
  addEventListener("hashchange", () => {
    const view = named();
    if (view && view !== current) open(view);
  });
  stage.selected = (handle) => say(handle ? `${handle.label}: the arrow keys move it` : version);
  stage.contextChanged = (lost) => {
    if (lost) say("The graphics context was lost. The view returns when the browser restores it; else load the page again.", true);
    else say(version);
  };
  let last = performance.now();
  let frames = 0;
  stage.renderer.setAnimationLoop((now: number) => {
    // The first frame may have begun before the page was ready.
    const frameMs = Math.max(now - last, 0);
    last = now;
    try {
      // A tab that comes back from the background makes no leap.
      if (failed !== current) current!.update(Math.min(frameMs / 1000, 0.1), frameMs);
    } catch (error) {
      failed = current;
      say(String(error), true);
      console.error(error);
    }
    stage.draw();
    frames++;
  });
  // For the tests.
  Object.assign(window, { playground: { sinew, stage, views, get current() { return current; }, get frames() { return frames; }, load } });
}

start().catch((error: unknown) => say(`The playground cannot start: ${error instanceof Error ? error.message : error}`, true));
