// Playback, camera and layers.

const byId = (id) => document.getElementById(id);
const stage = byId("stage"), scrub = byId("scrub");
let canvas = byId("view");

// ---- state, from the address where it says so
const asked = new URLSearchParams(location.hash.slice(1));
const state = {
  t: clamp(parseFloat(asked.get("t")) || 0, 0, duration),
  playing: asked.get("paused") !== "1" && !matchMedia("(prefers-reduced-motion: reduce)").matches,
  speed: parseFloat(asked.get("speed")) || 1,
  view: "quarter",
  layers: { body: true, skeleton: false, goal: true, look: true, trail: true },
};
if (asked.has("layers")) for (const name in state.layers) state.layers[name] = asked.get("layers").split(",").includes(name);

// ---- camera
const S = meta.scale;
const PRESETS = {
  quarter: { yaw: -0.62, pitch: 0.2, follow: "hips" },
  front: { yaw: 0, pitch: 0.08, follow: "hips" },
  side: { yaw: -Math.PI / 2, pitch: 0.08, follow: "hips" },
  hand: { yaw: -0.82, pitch: 0.4, distance: 0.95, follow: "hand" },
  face: { yaw: -0.5, pitch: 0.05, distance: 1.15, follow: "head" },
};
const FOV = 0.52;
// `distance` is metres; where `fit` is set it is a factor on the distance that shows the whole run.
const camera = { yaw: 0, pitch: 0, distance: 1, pan: [0, 0, 0], follow: "hips", fit: null };
function preset(name) {
  const p = PRESETS[name] || PRESETS.quarter;
  state.view = PRESETS[name] ? name : "quarter";
  Object.assign(camera, p, { distance: p.distance ? p.distance * S : 1, pan: [0, 0, 0], fit: p.distance ? null : { yaw: p.yaw, pitch: p.pitch } });
  for (const b of document.querySelectorAll("[data-view]")) b.setAttribute("aria-pressed", String(b.dataset.view === state.view));
}

// The way of the hips over the floor, without the bob of the steps.
const track = (() => {
  const reach = Math.round(meta.fps * 0.5), way = [];
  const hips = (i) => at3(data.animated, (i * meta.joints + meta.hips) * POSE);
  for (let i = 0; i <= lastFrame; i++) {
    let sum = [0, 0, 0], n = 0;
    for (let k = Math.max(0, i - reach); k <= Math.min(lastFrame, i + reach); k += 3) { sum = add(sum, hips(k)); n++; }
    way.push(scaled(sum, 1 / n));
  }
  return way;
})();

// All that must be in the picture, seen from the hips: the body after IK, and the cylinder while IK has any weight.
const around = (() => {
  const points = [], step = Math.max(1, Math.floor(meta.frames / 120));
  for (let i = 0; i <= lastFrame; i += step) {
    const from = track[i], put = (p) => points.push(sub(p, [from[0], 0, from[2]]));
    for (let j = 0; j < meta.joints; j++) put(at3(data.solved, (i * meta.joints + j) * POSE));
    put(add(at3(data.solved, (i * meta.joints + meta.head) * POSE), [0, 0.16 * S, 0]));
    if (valueAt(i, MOMENT.weight) > 0) {
      const c = i * MOMENT.size + MOMENT.cylinder, half = turn(data.moments, c + 3, [0, meta.cylinder[1] / 2, 0]);
      put(add(at3(data.moments, c), half));
      put(sub(at3(data.moments, c), half));
    }
  }
  points.push([0, meta.floor, 0]);
  return points;
})();

// The nearest camera in the preset's direction that sees all of it: Camera::fit of raster.rs.
const fits = new Map();
function fitted({ yaw, pitch }, aspect) {
  const key = `${yaw} ${pitch} ${aspect.toFixed(3)}`;
  if (fits.has(key)) return fits.get(key);
  const back = [Math.sin(yaw) * Math.cos(pitch), Math.sin(pitch), Math.cos(yaw) * Math.cos(pitch)], right = unit(cross([0, 1, 0], back)), up = cross(back, right);
  const seen = around.map((p) => [dot(p, right), dot(p, up), dot(p, back)]), margin = meta.margin, slope = Math.tan(FOV / 2);
  const centre = [0, 1, 2].map((k) => (seen.reduce((low, p) => Math.min(low, p[k]), Infinity) + seen.reduce((high, p) => Math.max(high, p[k]), -Infinity)) / 2);
  let distance = 0.1;
  for (const p of seen) distance = Math.max(distance, p[2] - centre[2] + Math.max((Math.abs(p[0] - centre[0]) + margin) / (slope * aspect), (Math.abs(p[1] - centre[1]) + margin) / slope));
  const target = add(add(scaled(right, centre[0]), scaled(up, centre[1])), scaled(back, centre[2]));
  fits.set(key, { target, distance });
  return fits.get(key);
}

let metresAway = 1;
function cameraFor(pose, moment, w, h) {
  let target, distance = camera.distance;
  if (camera.follow === "hand") target = mix(at3(pose, meta.hand * POSE), at3(pose, meta.knuckle * POSE), 0.8);
  else if (camera.follow === "head") target = add(at3(pose, meta.head * POSE), [0, 0.07 * S, 0.03 * S]);
  else {
    const p = track[moment.frame], whole = fitted(camera.fit, w / h);
    target = add(whole.target, [p[0], 0, p[2]]);
    distance *= whole.distance;
  }
  metresAway = distance;
  return { target: add(target, camera.pan), yaw: camera.yaw, pitch: camera.pitch, distance, fov: FOV };
}

// ---- what is drawn over the body
const SKELETON = [70, 78, 92], BONE = [255, 214, 92];
function linesFor(pose, moment, solvedView) {
  const lines = [], put = (from, to, width, colour, alpha) => lines.push({ from, to, width, colour, alpha });
  const { layers } = state, colours = meta.colours, goal = at3(moment.goal, 0);
  if (layers.trail) {
    const m = data.moments, place = (i) => at3(m, i * MOMENT.size + MOMENT.goal), step = Math.max(1, Math.round(meta.fps / 30), Math.floor(meta.frames / 500));
    for (let i = 0; i + step <= lastFrame; i += step) {
      const age = (moment.frame - i) / meta.fps, recent = age >= 0 && age < 1.2 ? 1 - age / 1.2 : 0;
      put(place(i), place(i + step), 1.2 + 1.8 * recent, colours.cylinder, 0.16 + 0.7 * recent);
    }
  }
  if (layers.look) {
    const head = meta.head * POSE;
    if (solvedView) {
      put(moment.from, moment.target, 2, colours.look, 0.2 + 0.65 * moment.weight);
      put(moment.target, moment.target, 9, colours.look, 0.9);
    } else {
      // Before IK the face points wherever the animation turns the head: carry eye and face over from the solved head.
      const back = [-moment.solved[head + 3], -moment.solved[head + 4], -moment.solved[head + 5], moment.solved[head + 6]];
      const over = (v) => turn(moment.animated, head + 3, turn(back, 0, v));
      const from = add(at3(moment.animated, head), over(sub(moment.from, at3(moment.solved, head))));
      put(from, add(from, scaled(over(moment.dir), 0.45 * S)), 2, colours.look, 0.5);
      put(moment.target, moment.target, 9, colours.look, 0.9);
    }
  }
  if (layers.goal) {
    meta.axes.forEach((axis, i) => put(goal, add(goal, scaled(turn(moment.goal, 3, axis), 0.085 * S)), 3.4, colours.axes[i], 0.95));
    const hand = at3(pose, meta.hand * POSE);
    if (Math.hypot(...sub(hand, goal)) > 0.004 * S) put(hand, goal, 2, colours.gap, solvedView ? 0.35 + 0.6 * moment.weight : 0.35);
  }
  if (layers.skeleton) {
    meta.parents.forEach((parent, j) => {
      const p = at3(pose, j * POSE);
      if (parent >= 0) put(at3(pose, parent * POSE), p, 3.2, SKELETON, 1);
    });
    meta.parents.forEach((_, j) => { const p = at3(pose, j * POSE); put(p, p, 5, BONE, 1); });
    // Twice: bones lie inside the body, where lines only shine through.
    if (layers.body) lines.push(...lines.slice(-2 * meta.joints).filter((l) => l.colour === SKELETON || l.colour === BONE));
  }
  return lines;
}

// ---- drawing
let stale = true;
let renderer = null;
try {
  if (asked.get("renderer") !== "flat") renderer = createGlRenderer(canvas, () => { stale = true; });
} catch (error) {
  console.warn("WebGL is not usable, drawing without it:", error.message);
}
if (!renderer) {
  // A canvas keeps its first kind of context: start over with a new one in case WebGL got half way.
  const fresh = canvas.cloneNode();
  canvas.replaceWith(fresh);
  canvas = fresh;
  renderer = createFlatRenderer(canvas);
  if (!renderer) throw new Error("This browser can draw neither WebGL nor 2D");
}

const dark = matchMedia("(prefers-color-scheme: dark)");
const themeOf = () => (dark.matches
  ? { near: [0.036, 0.042, 0.054], far: [0.016, 0.019, 0.026], ground: [0.05, 0.056, 0.068], grid: -2.6 }
  : { near: [0.84, 0.87, 0.9], far: [0.7, 0.75, 0.82], ground: [0.74, 0.77, 0.8], grid: 1 });


function draw() {
  const ratio = Math.min(window.devicePixelRatio || 1, 2), box = canvas.getBoundingClientRect();
  const w = Math.max(2, Math.round(box.width * ratio)), h = Math.max(2, Math.round(box.height * ratio));
  if (canvas.width !== w || canvas.height !== h) { canvas.width = w; canvas.height = h; }
  const stacked = w < h * 0.95;
  stage.classList.toggle("stacked", stacked);
  const gap = Math.round(ratio), vw = stacked ? w : (w - gap) >> 1, vh = stacked ? (h - gap) >> 1 : h;
  const boxes = stacked ? [[0, h - vh, vw, vh], [0, 0, vw, vh]] : [[0, 0, vw, vh], [w - vw, 0, vw, vh]];
  const moment = momentAt(state.t);
  const views = boxes.map((viewBox, i) => {
    const pose = i ? moment.solved : moment.animated;
    return { box: viewBox, camera: cameraFor(pose, moment, vw, vh), pose, cylinder: moment.cylinder, layers: state.layers, ratio, cylinderIndices: meta.cylinderIndices, lines: linesFor(pose, moment, i === 1) };
  });
  renderer.draw(views, themeOf());
  readouts(moment.frame);
}

function readouts(frame) {
  const word = meta.statuses[valueAt(frame, MOMENT.status)] || "–", pill = byId("status");
  pill.textContent = word;
  pill.className = "pill " + statusClass(word);
  byId("read-hand").textContent = millimetres(valueAt(frame, MOMENT.hand) * 1000);
  byId("read-turn").textContent = degrees(valueAt(frame, MOMENT.turn) * 180 / Math.PI);
  byId("read-look").textContent = degrees(valueAt(frame, MOMENT.look) * 180 / Math.PI);
  byId("read-weight").textContent = valueAt(frame, MOMENT.weight).toFixed(3);
  byId("clock").textContent = `${state.t.toFixed(2)} / ${duration.toFixed(2)} s`;
  scrub.value = String(frame);
  scrub.setAttribute("aria-valuetext", `${state.t.toFixed(2)} seconds, ${word}`);
  plots.cursor(state.t);
}

let before = null;
function tick(now) {
  if (state.playing && before !== null) {
    state.t += Math.min(0.1, (now - before) / 1000) * state.speed;
    if (state.t > duration) state.t = duration > 0 ? state.t % duration : 0;
    stale = true;
  }
  before = now;
  if (stale && !renderer.lost()) { stale = false; draw(); }
  requestAnimationFrame(tick);
}

// ---- controls
function setPlaying(playing) {
  state.playing = playing;
  byId("play").textContent = playing ? "❚❚" : "▶";
  byId("play").setAttribute("aria-label", playing ? "Pause" : "Play");
  if (!playing) remember();
  stale = true;
}
function scrubTo(t) { state.t = clamp(t, 0, duration); if (!state.playing) remember(); stale = true; }
function stepBy(frames) { setPlaying(false); scrubTo((Math.round(state.t * meta.fps) + frames) / meta.fps); }
// Keeps the moment in the address, so that it can be copied and reloaded.
function remember() {
  const keep = new URLSearchParams({ t: state.t.toFixed(3), view: state.view, paused: "1" });
  if (asked.has("renderer")) keep.set("renderer", asked.get("renderer"));
  try { history.replaceState(null, "", "#" + keep); } catch { /* some browsers refuse it for files */ }
}
function toggleLayer(name) {
  state.layers[name] = !state.layers[name];
  showLayers();
  stale = true;
}
function showLayers() {
  for (const b of document.querySelectorAll("[data-layer]")) b.setAttribute("aria-pressed", String(state.layers[b.dataset.layer]));
}
function orbit(dx, dy) { camera.yaw -= dx; camera.pitch = clamp(camera.pitch + dy, -1.45, 1.45); stale = true; }
function zoom(factor) { if (metresAway * factor > 0.15 * S && metresAway * factor < 30 * S) camera.distance *= factor; stale = true; }
function pan(dx, dy) {
  const k = metresAway * 0.53 / canvas.getBoundingClientRect().height, { yaw, pitch } = camera;
  const right = [Math.cos(yaw), 0, -Math.sin(yaw)], up = [-Math.sin(yaw) * Math.sin(pitch), Math.cos(pitch), -Math.cos(yaw) * Math.sin(pitch)];
  camera.pan = add(camera.pan, add(scaled(right, -dx * k), scaled(up, dy * k)));
  stale = true;
}

const fingers = new Map();
canvas.addEventListener("pointerdown", (e) => { canvas.setPointerCapture(e.pointerId); fingers.set(e.pointerId, [e.clientX, e.clientY]); });
for (const kind of ["pointerup", "pointercancel"]) canvas.addEventListener(kind, (e) => fingers.delete(e.pointerId));
canvas.addEventListener("pointermove", (e) => {
  const last = fingers.get(e.pointerId);
  if (!last) return;
  const dx = e.clientX - last[0], dy = e.clientY - last[1];
  if (fingers.size === 2) {
    const other = [...fingers].find(([id]) => id !== e.pointerId)[1], span = (p) => Math.hypot(p[0] - other[0], p[1] - other[1]);
    zoom(span(last) / Math.max(1, span([e.clientX, e.clientY])));
    pan(dx / 2, dy / 2);
  } else if (e.shiftKey || e.buttons === 2 || e.buttons === 4) pan(dx, dy);
  else orbit(dx * 0.008, dy * 0.008);
  fingers.set(e.pointerId, [e.clientX, e.clientY]);
});
canvas.addEventListener("contextmenu", (e) => e.preventDefault());
canvas.addEventListener("wheel", (e) => { e.preventDefault(); zoom(Math.exp(clamp(e.deltaY, -200, 200) * 0.0015)); }, { passive: false });
canvas.addEventListener("webglcontextlost", (e) => e.preventDefault());
canvas.addEventListener("webglcontextrestored", () => { renderer = createGlRenderer(canvas, () => { stale = true; }) || renderer; stale = true; });
canvas.addEventListener("keydown", (e) => {
  const turns = { ArrowLeft: [0.12, 0], ArrowRight: [-0.12, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1] }[e.key];
  if (turns) orbit(...turns);
  else if (e.key === "+" || e.key === "=") zoom(0.9);
  else if (e.key === "-") zoom(1 / 0.9);
  else return;
  e.preventDefault();
});

byId("play").addEventListener("click", () => setPlaying(!state.playing));
byId("back").addEventListener("click", () => stepBy(-1));
byId("ahead").addEventListener("click", () => stepBy(1));
scrub.max = String(lastFrame);
scrub.addEventListener("input", () => scrubTo(+scrub.value / meta.fps));
byId("speed").value = String(state.speed);
byId("speed").addEventListener("change", (e) => { state.speed = +e.target.value; });
for (const b of document.querySelectorAll("[data-view]")) b.addEventListener("click", () => { preset(b.dataset.view); stale = true; });
for (const b of document.querySelectorAll("[data-layer]")) b.addEventListener("click", () => toggleLayer(b.dataset.layer));
const LAYER_KEYS = { b: "body", s: "skeleton", g: "goal", l: "look", t: "trail" };
document.addEventListener("keydown", (e) => {
  if (e.ctrlKey || e.metaKey || e.altKey || e.target.closest("select")) return;
  // A focused button keeps its own space bar.
  if (e.key === " " && !e.target.closest("button")) { setPlaying(!state.playing); e.preventDefault(); }
  else if (e.key === ",") stepBy(-1);
  else if (e.key === ".") stepBy(1);
  else if (LAYER_KEYS[e.key]) toggleLayer(LAYER_KEYS[e.key]);
  else if (e.key >= "1" && e.key <= "5") { preset(Object.keys(PRESETS)[e.key - 1]); stale = true; }
});

// ---- hosts
(() => {
  const body = byId("hosts"), verdict = byId("verdict");
  for (const { host, hash } of meta.hosts) {
    const row = body.insertRow(), same = hash === meta.hosts[0].hash, code = document.createElement("code");
    row.insertCell().textContent = host;
    code.textContent = hash;
    row.insertCell().append(code);
    const mark = row.insertCell();
    mark.textContent = same ? "✓ same" : "✗ differs";
    mark.className = same ? "good" : "bad";
  }
  if (!meta.hosts.length) { body.insertRow().insertCell().textContent = "No host reported a hash."; return; }
  verdict.textContent = meta.hostsAgree ? `✓ ${meta.hosts.map((h) => h.host).join(", ")}: same hash` : "✗ hosts disagree";
  verdict.className = "verdict " + (meta.hostsAgree ? "good" : "bad");
})();

// ---- start
const plots = createPlots(byId("plots"), scrubTo);
function layout() { plots.redraw(); paintBands(byId("bands")); stale = true; }
new ResizeObserver(layout).observe(document.body);
dark.addEventListener("change", layout);
window.addEventListener("hashchange", () => {
  const now = new URLSearchParams(location.hash.slice(1));
  if (now.has("view")) preset(now.get("view"));
  if (now.has("t")) scrubTo(parseFloat(now.get("t")) || 0);
  if (now.has("paused")) setPlaying(now.get("paused") !== "1");
  stale = true;
});
preset(asked.get("view") || "quarter");
showLayers();
layout();
setPlaying(state.playing);
requestAnimationFrame(tick);
