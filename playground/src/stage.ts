// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Camera, light, floor, and handles that are dragged by mouse, touch and keyboard.

import {
  AmbientLight, BasicShadowMap, CircleGeometry, Color, DirectionalLight, GridHelper, HemisphereLight, Mesh, MeshBasicMaterial,
  Object3D, PCFShadowMap, PerspectiveCamera, Plane, Raycaster, Scene, ShadowMaterial, SphereGeometry, Texture, Vector2,
  Vector3, WebGLRenderer,
} from "three";
import type { SkinnedMesh } from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";

/** A ball that is dragged; its position is in world space. */
export class Handle {
  readonly mesh: Mesh<SphereGeometry, MeshBasicMaterial>;
  /** Called after each move. */
  moved: () => void = () => {};
  #active = true;

  /** `label`: how it is called when it is selected. */
  constructor(readonly name: string, color: number, readonly radius = 0.035, readonly label = name) {
    this.mesh = new Mesh(
      new SphereGeometry(1, 16, 12),
      new MeshBasicMaterial({ color, transparent: true, opacity: 0.75, depthTest: false }),
    );
    this.mesh.name = `handle ${name}`;
    this.mesh.renderOrder = 10;
    this.mesh.scale.setScalar(radius);
  }

  get position(): Vector3 {
    return this.mesh.position;
  }

  /** Shown, and can be dragged. */
  get active(): boolean {
    return this.#active;
  }

  set active(value: boolean) {
    this.#active = value;
    this.mesh.visible = value;
  }

  highlight(on: boolean): void {
    this.mesh.material.opacity = on ? 1 : 0.75;
    this.mesh.scale.setScalar(this.radius * (on ? 1.25 : 1));
  }
}

/** Whether pages are drawn by the processor, without a graphics card. */
function drawnByProcessor(): boolean {
  const probe = document.createElement("canvas").getContext("webgl2");
  const info = probe?.getExtension("WEBGL_debug_renderer_info");
  const name = info ? String(probe!.getParameter(info.UNMASKED_RENDERER_WEBGL)) : "";
  probe?.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|software|basic render/i.test(name);
}

export class Stage {
  readonly scene = new Scene();
  readonly camera = new PerspectiveCamera(38, 1, 0.05, 200);
  readonly renderer: WebGLRenderer;
  readonly controls: OrbitControls;
  readonly handles: Handle[] = [];
  readonly #floor: Mesh;
  #grid: GridHelper;
  readonly #ray = new Raycaster();
  readonly #plane = new Plane();
  readonly #grip = new Vector3();
  /** The handle that is dragged, and the pointer that drags it: others are not its. */
  #held: { readonly handle: Handle; readonly pointer: number } | undefined;
  #selected: Handle | undefined;
  /** Called when a handle is selected by the keyboard. */
  selected: (handle: Handle | undefined) => void = () => {};
  /** Called when the graphics context is lost, and when it is there again. */
  contextChanged: (lost: boolean) => void = () => {};

  constructor(readonly canvas: HTMLCanvasElement) {
    // Without a graphics card every sample of a pixel costs: one, and hard shadows.
    const plain = drawnByProcessor();
    this.renderer = new WebGLRenderer({ canvas, antialias: !plain, powerPreference: "high-performance" });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = plain ? BasicShadowMap : PCFShadowMap;
    // A shadow map is half the triangles of a frame: without a graphics card, see `draw`.
    this.renderer.shadowMap.autoUpdate = !plain;
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, plain ? 1 : 2));
    const sun = new DirectionalLight(0xffffff, 2.2);
    sun.position.set(2.5, 5, 3.5);
    sun.castShadow = true;
    sun.shadow.mapSize.setScalar(plain ? 512 : 1024);
    Object.assign(sun.shadow.camera, { left: -3, right: 3, top: 3, bottom: -3, near: 1, far: 14 });
    sun.shadow.radius = 4;
    this.scene.add(sun, new HemisphereLight(0xffffff, 0x9a8f7d, 1.3), new AmbientLight(0xffffff, 0.25));
    // As large as the ground that the sun's camera sees: beyond it there is no shadow to draw.
    this.#floor = new Mesh(new CircleGeometry(5, 48), new ShadowMaterial({ opacity: 0.25 }));
    this.#floor.rotation.x = -Math.PI / 2;
    this.#floor.receiveShadow = true;
    this.#grid = new GridHelper(12, 24);
    this.scene.add(this.#floor, this.#grid);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = true;
    this.controls.maxPolarAngle = Math.PI * 0.54;
    this.look(new Vector3(0, 0.95, 0), new Vector3(1.5, 1.4, 3.2));
    // Before the controls' own listeners: a drag of a handle is no orbit.
    canvas.addEventListener("pointerdown", (event) => this.#down(event), { capture: true });
    canvas.addEventListener("pointermove", (event) => this.#move(event));
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"] as const) {
      canvas.addEventListener(end, (event) => this.#up(event));
    }
    canvas.addEventListener("webglcontextlost", () => this.contextChanged(true));
    canvas.addEventListener("webglcontextrestored", () => this.contextChanged(false));
    canvas.addEventListener("keydown", (event) => this.#key(event));
    // A finger that moves up and down scrolls the page, one that moves sideways orbits, two zoom;
    // only one that begins on a handle is kept here.
    canvas.style.touchAction = "pan-y";
    canvas.addEventListener("touchstart", (event) => {
      if (this.#held) event.preventDefault();
    }, { passive: false });
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement!);
    this.resize();
    this.theme();
  }

  look(at: Vector3, from: Vector3): void {
    this.controls.target.copy(at);
    this.camera.position.copy(from);
    this.controls.update();
  }

  resize(): void {
    const { clientWidth, clientHeight } = this.canvas.parentElement!;
    if (clientWidth === 0 || clientHeight === 0) return;
    this.renderer.setSize(clientWidth, clientHeight, false);
    this.camera.aspect = clientWidth / clientHeight;
    // A narrow view steps back, so that the same width is seen.
    this.camera.fov = this.camera.aspect < 1 ? Math.min(38 / this.camera.aspect, 62) : 38;
    this.camera.updateProjectionMatrix();
  }

  /** Colours of the page. */
  theme(): void {
    const style = getComputedStyle(document.documentElement);
    this.scene.background = new Color(style.getPropertyValue("--back").trim() || "#ffffff");
    const line = new Color(style.getPropertyValue("--line").trim() || "#cccccc");
    this.scene.remove(this.#grid);
    this.#grid.dispose();
    this.#grid = new GridHelper(12, 24, line, line);
    this.scene.add(this.#grid);
  }

  add(...handles: Handle[]): void {
    for (const handle of handles) {
      this.handles.push(handle);
      this.scene.add(handle.mesh);
    }
  }

  clear(): void {
    for (const handle of this.handles.splice(0)) {
      this.scene.remove(handle.mesh);
      handle.mesh.geometry.dispose();
      handle.mesh.material.dispose();
    }
    this.#held = this.#selected = undefined;
  }

  /** Where a world point is in the canvas, CSS pixels. */
  screenOf(at: Vector3): { x: number; y: number } {
    this.camera.updateMatrixWorld();
    const p = at.clone().project(this.camera);
    const box = this.canvas.getBoundingClientRect();
    return { x: box.left + ((p.x + 1) / 2) * box.width, y: box.top + ((1 - p.y) / 2) * box.height };
  }

  draw(): void {
    this.controls.update();
    // Read only where maps are not drawn in every frame: then in every second one.
    this.renderer.shadowMap.needsUpdate = this.renderer.info.render.frame % 2 === 0;
    this.renderer.render(this.scene, this.camera);
  }

  #aim(event: PointerEvent): void {
    const box = this.canvas.getBoundingClientRect();
    const at = new Vector2(((event.clientX - box.left) / box.width) * 2 - 1, 1 - ((event.clientY - box.top) / box.height) * 2);
    this.#ray.setFromCamera(at, this.camera);
  }

  /** The handle under the pointer: the nearest to its ray, within a finger's width. */
  #under(event: PointerEvent): Handle | undefined {
    const reach = event.pointerType === "touch" ? 28 : 16;
    let [best, least] = [undefined as Handle | undefined, reach];
    for (const handle of this.handles) {
      if (!handle.active) continue;
      const { x, y } = this.screenOf(handle.position);
      const off = Math.hypot(x - event.clientX, y - event.clientY);
      if (off < least) [best, least] = [handle, off];
    }
    return best;
  }

  #down(event: PointerEvent): void {
    if (this.#held) {
      // A second finger neither takes the handle over nor moves the camera.
      event.stopImmediatePropagation();
      return;
    }
    const handle = event.button === 0 ? this.#under(event) : undefined;
    if (!handle) return;
    event.stopImmediatePropagation();
    this.canvas.setPointerCapture(event.pointerId);
    this.#held = { handle, pointer: event.pointerId };
    this.select(handle);
    this.canvas.classList.add("held");
    this.#plane.setFromNormalAndCoplanarPoint(this.camera.getWorldDirection(new Vector3()), handle.position);
    this.#aim(event);
    const hit = this.#ray.ray.intersectPlane(this.#plane, new Vector3());
    this.#grip.copy(handle.position).sub(hit ?? handle.position);
  }

  #move(event: PointerEvent): void {
    if (!this.#held) {
      this.canvas.classList.toggle("over", this.#under(event) !== undefined);
      return;
    }
    if (event.pointerId !== this.#held.pointer) return;
    this.#aim(event);
    const hit = this.#ray.ray.intersectPlane(this.#plane, new Vector3());
    if (!hit) return;
    const { handle } = this.#held;
    handle.position.copy(hit.add(this.#grip));
    handle.moved();
  }

  #up(event: PointerEvent): void {
    if (event.pointerId !== this.#held?.pointer) return;
    this.#held = undefined;
    this.canvas.classList.remove("held");
  }

  select(handle: Handle | undefined): void {
    this.#selected?.highlight(false);
    this.#selected = handle;
    handle?.highlight(true);
  }

  /** Tab and Shift-Tab select, the arrow keys move: with Shift away and back. */
  #key(event: KeyboardEvent): void {
    const active = this.handles.filter((handle) => handle.active);
    if (event.key === "Tab") {
      const next = (this.#selected ? active.indexOf(this.#selected) : event.shiftKey ? active.length : -1) + (event.shiftKey ? -1 : 1);
      this.select(active[next]);
      this.selected(active[next]);
      // Past the last one the page has the focus again.
      if (active[next]) event.preventDefault();
      return;
    }
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (!this.#selected || !step) return;
    event.preventDefault();
    const [x, y] = step as [number, number];
    const away = this.camera.getWorldDirection(new Vector3()).setY(0).normalize();
    const right = new Vector3().crossVectors(away, new Vector3(0, 1, 0));
    this.#selected.position.addScaledVector(right, x * 0.02);
    if (event.shiftKey) this.#selected.position.addScaledVector(away, y * 0.02);
    else this.#selected.position.y += y * 0.02;
    this.#selected.moved();
  }
}

/** Removes an object and frees what it holds on the graphics card. */
export function remove(object: Object3D): void {
  object.removeFromParent();
  object.traverse((part) => {
    const mesh = part as Mesh;
    mesh.geometry?.dispose();
    (part as SkinnedMesh).skeleton?.dispose();
    for (const material of [mesh.material ?? []].flat()) {
      for (const value of Object.values(material)) if (value instanceof Texture) value.dispose();
      material.dispose();
    }
  });
}
