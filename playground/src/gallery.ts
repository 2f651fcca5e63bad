// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The gallery: small scenes that are solved in the page, each with goals that can be dragged.

import { Sinew } from "sinew-ik";
import { embedded } from "./embedded.js";
import { makeExhibit } from "./exhibit.js";
import type { Exhibit, Mark, Point, Shown, Told } from "./exhibit.js";
import { body, lookOf } from "./looks.js";
import type { Bone, Look, Seen } from "./looks.js";
import { startTheme } from "./theme.js";
import { button, element } from "./ui.js";

const FRAMES_PER_S = 30;
/** Places that a target was at, drawn behind it. */
const TRAIL = 40;
/** Half of what is shown, against the sides of its picture. */
const FIT = 0.43;

const find = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;
const state = { playing: true, time: 0, speed: 1 };
const cards: Card[] = [];

/** Palette of the page. */
function paint(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

class Card {
  readonly canvas = element("canvas", { tabIndex: 0 });
  readonly figure: HTMLElement;
  readonly exhibit: Exhibit;
  readonly held = new Map<string, Point>();
  isSeen = false;
  #yaw = 0.7;
  #pitch = 0.28;
  #grip: { mark: string; offset: [number, number] } | "turn" | undefined;
  readonly #look: Look;
  readonly #hue: number;
  readonly #score = element("output");
  readonly #back = button("↺", () => this.release());
  readonly #centre: Point;
  /** Half of what is shown, across and up, metres. */
  readonly #half: [number, number] = [0.1, 0.1];
  readonly #floor: number;
  readonly #depths: number[];
  #shown: Shown;

  constructor(sinew: Sinew, readonly told: Told, number: number) {
    this.exhibit = makeExhibit(sinew, told);
    this.#look = "actors" in told.live || "player" in told.live ? body : lookOf(told.title);
    this.#hue = (20 + number * 137.5) % 360;
    this.canvas.setAttribute("aria-label", `${told.title}: drag a goal; arrow keys move the first one`);
    Object.assign(this.#back, { title: "Back to the script", hidden: true });
    this.figure = element("figure", {}, [
      this.canvas, this.#back,
      element("figcaption", {}, [element("b", { textContent: told.title }), element("span", { textContent: told.note }), this.#score]),
    ]);
    this.#shown = this.exhibit.solve(0, this.held);
    // Everything that the script shows is in the picture.
    const all: Point[] = [];
    for (let frame = 0; frame < this.exhibit.frames; frame += 12) {
      const { joints, lines } = this.exhibit.solve(frame, this.held);
      all.push(...joints, ...lines.flat(), ...this.exhibit.marks(frame, this.held).map((mark) => mark.at));
    }
    const ends = [Math.min, Math.max].map((pick) => [0, 1, 2].map((i) => pick(...all.map((at) => at[i]!))));
    this.#centre = [0, 1, 2].map((i) => (ends[0]![i]! + ends[1]![i]!) / 2) as Point;
    this.#floor = Math.min(0, ends[0]![1]!);
    for (const at of all) {
      const [u, v] = this.#turned(at);
      this.#half[0] = Math.max(this.#half[0], Math.abs(u));
      this.#half[1] = Math.max(this.#half[1], Math.abs(v));
    }
    const depth = (joint: number): number => (told.parents[joint]! < 0 ? 0 : 1 + depth(told.parents[joint]!));
    this.#depths = told.parents.map((_, joint) => depth(joint));
    this.#listen();
  }

  release(): void {
    this.held.clear();
    this.#back.hidden = true;
  }

  get #frame(): number {
    return Math.floor(state.time * FRAMES_PER_S) % this.exhibit.frames;
  }

  /** Across, up and towards the eye, metres from the centre. */
  #turned(at: Point): Point {
    const [x, y, z] = at.map((v, i) => v - this.#centre[i]!) as Point;
    const [cy, sy, cp, sp] = [Math.cos(this.#yaw), Math.sin(this.#yaw), Math.cos(this.#pitch), Math.sin(this.#pitch)];
    const [u, v] = [cy * x - sy * z, sy * x + cy * z];
    return [u, cp * y - sp * v, cp * v + sp * y];
  }

  /** Pixels of a metre. */
  get #scale(): number {
    const { clientWidth: w, clientHeight: h } = this.canvas;
    return FIT * Math.min(w / this.#half[0], h / this.#half[1]);
  }

  /** To the picture: pixels and nearness. */
  #project(at: Point): Seen {
    const { clientWidth: w, clientHeight: h } = this.canvas;
    const [u, v, near] = this.#turned(at);
    return [w / 2 + u * this.#scale, h / 2 - v * this.#scale, near];
  }

  /** A point moved by pixels in the plane of the picture. */
  #moved(at: Point, dx: number, dy: number): Point {
    const [u, v] = [dx / this.#scale, -dy / this.#scale];
    const [cy, sy, cp, sp] = [Math.cos(this.#yaw), Math.sin(this.#yaw), Math.cos(this.#pitch), Math.sin(this.#pitch)];
    return [at[0] + cy * u - sp * sy * v, at[1] + cp * v, at[2] - sy * u - sp * cy * v];
  }

  marks(): Mark[] {
    return this.exhibit.marks(this.#frame, this.held);
  }

  /** Where a mark is in the page, for tests. */
  screenOf(mark: Mark): { x: number; y: number } {
    const box = this.canvas.getBoundingClientRect();
    const [x, y] = this.#project(mark.at);
    return { x: box.left + x, y: box.top + y };
  }

  #under(event: PointerEvent): { mark: Mark; x: number; y: number } | undefined {
    let least = event.pointerType === "touch" ? 30 : 18;
    let best: { mark: Mark; x: number; y: number } | undefined;
    for (const mark of this.marks()) {
      const { x, y } = this.screenOf(mark);
      const off = Math.hypot(x - event.clientX, y - event.clientY);
      if (off < least) [best, least] = [{ mark, x, y }, off];
    }
    return best;
  }

  #hold(mark: Mark, at: Point): void {
    this.held.set(mark.key, at);
    this.#back.hidden = false;
  }

  #listen(): void {
    const { canvas } = this;
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      const found = this.#under(event);
      this.#grip = found ? { mark: found.mark.key, offset: [found.x - event.clientX, found.y - event.clientY] } : "turn";
      if (found) this.#hold(found.mark, found.mark.at);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (this.#grip === undefined) {
        canvas.classList.toggle("over", this.#under(event) !== undefined);
      } else if (this.#grip === "turn") {
        this.#yaw -= event.movementX * 0.01;
        this.#pitch = Math.max(-1.4, Math.min(1.4, this.#pitch + event.movementY * 0.01));
      } else {
        const { mark: key, offset } = this.#grip;
        const mark = this.marks().find((other) => other.key === key);
        if (!mark) return;
        const { x, y } = this.screenOf(mark);
        this.#hold(mark, this.#moved(mark.at, event.clientX + offset[0] - x, event.clientY + offset[1] - y));
      }
    });
    for (const end of ["pointerup", "pointercancel"] as const) canvas.addEventListener(end, () => { this.#grip = undefined; });
    // A finger on a goal does not scroll the page.
    canvas.addEventListener("touchstart", (event) => {
      if (typeof this.#grip === "object") event.preventDefault();
    }, { passive: false });
    canvas.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: [-6, 0], ArrowRight: [6, 0], ArrowUp: [0, -6], ArrowDown: [0, 6] }[event.key];
      const mark = this.marks()[0];
      if (!step || !mark) return;
      event.preventDefault();
      this.#hold(mark, this.#moved(mark.at, step[0]!, step[1]!));
    });
  }

  update(): void {
    this.#shown = this.exhibit.solve(this.#frame, this.held);
    this.#draw();
    const { status, residualM, iterations } = this.#shown;
    const left = residualM < 1e-5 ? `${(residualM * 1e6).toFixed(1)} µm` : `${(residualM * 1e3).toFixed(1)} mm`;
    this.#score.textContent = `${status}, ${left} left, ${iterations} iterations`;
  }

  #draw(): void {
    const { canvas, told } = this;
    const ratio = Math.min(devicePixelRatio || 1, 2);
    const { clientWidth: w, clientHeight: h } = canvas;
    if (canvas.width !== Math.round(w * ratio) || canvas.height !== Math.round(h * ratio)) {
      Object.assign(canvas, { width: Math.round(w * ratio), height: Math.round(h * ratio) });
    }
    const draw = canvas.getContext("2d");
    if (!draw) return;
    const isDark = document.documentElement.dataset.theme === "dark";
    draw.setTransform(ratio, 0, 0, ratio, 0, 0);
    draw.fillStyle = `hsl(${this.#hue} ${isDark ? "22% 15%" : "45% 95%"})`;
    draw.fillRect(0, 0, w, h);
    draw.lineCap = draw.lineJoin = "round";
    const path = (points: readonly Point[]) => {
      draw.beginPath();
      for (const at of points) {
        const [x, y] = this.#project(at);
        draw.lineTo(x, y);
      }
      draw.stroke();
    };
    draw.lineWidth = 1;
    draw.strokeStyle = paint("--line");
    for (let i = -4; i <= 4; i++) {
      path([[i * 0.2, this.#floor, -0.8], [i * 0.2, this.#floor, 0.8]]);
      path([[-0.8, this.#floor, i * 0.2], [0.8, this.#floor, i * 0.2]]);
    }
    const marks = this.marks();
    this.#trail(draw, marks, path);
    const scale = this.#scale;
    const longest = Math.max(1, ...this.#depths);
    const parents = new Set(told.parents);
    const { joints, fins } = this.#shown;
    const bones = told.parents.flatMap((parent, i): Bone[] => parent < 0 ? [] : [{
      a: this.#project(joints[parent]!), b: this.#project(joints[i]!), fin: this.#project(fins[i]!),
      along: (this.#depths[i]! - 1) / longest, isLast: !parents.has(i), isFirst: told.parents[parent]! < 0, wide: (this.exhibit.widths?.[i] ?? 0.02) * scale,
    }]).filter(({ a, b }) => Math.hypot(a[0] - b[0], a[1] - b[1]) > 0.5);
    bones.sort((p, q) => p.a[2] + p.b[2] - q.a[2] - q.b[2]);
    for (const bone of bones) this.#look({ draw, hue: this.#hue, isDark, unit: 0.1 * scale }, bone);
    draw.lineWidth = 1.5;
    draw.strokeStyle = paint("--good");
    for (const line of this.#shown.lines) path(line);
    for (const mark of marks) {
      const [x, y] = this.#project(mark.at);
      draw.fillStyle = paint(mark.isPole ? "--pole" : "--bad");
      draw.beginPath();
      draw.arc(x, y, this.held.has(mark.key) ? 8 : 6, 0, 7);
      draw.fill();
      draw.strokeStyle = paint("--card");
      draw.lineWidth = 1.5;
      draw.stroke();
    }
  }

  /** Where the first goal has been, as long as the script moves it. */
  #trail(draw: CanvasRenderingContext2D, marks: readonly Mark[], path: (points: readonly Point[]) => void): void {
    const first = marks[0];
    if (!first || this.held.has(first.key)) return;
    const { frames } = this.exhibit;
    const past = Array.from({ length: TRAIL }, (_, back) => {
      const at = this.exhibit.marks((this.#frame + frames - TRAIL + back) % frames, this.held).find(({ key }) => key === first.key);
      return at?.at;
    }).filter((at) => at !== undefined);
    draw.strokeStyle = paint("--bad");
    draw.globalAlpha = 0.35;
    path([...past, first.at]);
    draw.globalAlpha = 1;
  }
}

async function start(): Promise<void> {
  startTheme(find("theme"), () => {});
  const [module, data] = await Promise.all([embedded("sinew-module"), embedded("sinew-gallery")]);
  if (!module || !data) throw new Error("the page has no module or no scenes");
  const sinew = await Sinew.load(module);
  const all = JSON.parse(new TextDecoder().decode(data)) as Told[];
  const main = find("main");
  main.replaceChildren();
  let hall: HTMLElement | undefined;
  all.forEach((told, number) => {
    if (told.group !== all[number - 1]?.group) {
      hall = element("div", { className: "hall" });
      main.append(element("h2", { textContent: told.group }), hall);
    }
    const card = new Card(sinew, told, number);
    cards.push(card);
    hall!.append(card.figure);
  });
  const watcher = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) cards.find(({ canvas }) => canvas === target)!.isSeen = isIntersecting;
  }, { rootMargin: "60px" });
  // Each is drawn once: a print or a picture of the whole page has them all.
  for (const card of cards) {
    card.update();
    watcher.observe(card.canvas);
  }
  const play = find<HTMLButtonElement>("play");
  play.onclick = () => {
    state.playing = !state.playing;
    play.textContent = state.playing ? "Pause" : "Play";
  };
  find<HTMLInputElement>("speed").oninput = (event) => { state.speed = Number((event.target as HTMLInputElement).value); };
  let last = performance.now();
  let frames = 0;
  const tick = (now: number) => {
    if (state.playing) state.time += Math.min(Math.max(now - last, 0), 100) * 0.001 * state.speed;
    last = now;
    for (const card of cards) if (card.isSeen) card.update();
    frames++;
    requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
  // For the tests.
  Object.assign(window, { gallery: { cards, state, get frames() { return frames; } } });
}

start().catch((error: unknown) => {
  find("main").textContent = `The gallery cannot start: ${error instanceof Error ? error.message : error}`;
});
