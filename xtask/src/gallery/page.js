"use strict";
const main = document.getElementById("main");
const view = { yaw: 0.7, pitch: 0.28, playing: true, time: 0, speed: 1 };
const colour = name => getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
const cells = [], groups = [];
let hall = null, group = null;
for (const exhibit of exhibits) {
  if (exhibit.group !== group) {
    group = exhibit.group;
    const title = document.createElement("h2");
    title.textContent = group;
    hall = document.createElement("div");
    hall.className = "hall";
    main.append(title, hall);
  }
  const figure = document.createElement("figure");
  const canvas = document.createElement("canvas");
  const caption = document.createElement("figcaption");
  const title = document.createElement("b"), note = document.createElement("span"), score = document.createElement("div");
  title.textContent = exhibit.title;
  note.textContent = exhibit.note;
  score.className = "score";
  caption.append(title, note, score);
  figure.append(canvas, caption);
  hall.append(figure);
  if (!groups.includes(exhibit.group)) groups.push(exhibit.group);
  cells.push({ hue: 215 + 65 * groups.indexOf(exhibit.group), exhibit, canvas, score, seen: false, box: bounds(exhibit) });
}
const watcher = new IntersectionObserver(entries => {
  for (const entry of entries) cells.find(c => c.canvas === entry.target).seen = entry.isIntersecting;
}, { rootMargin: "60px" });
for (const cell of cells) {
  watcher.observe(cell.canvas);
  cell.canvas.addEventListener("pointerdown", e => cell.canvas.setPointerCapture(e.pointerId));
  cell.canvas.addEventListener("pointermove", e => {
    if (!e.buttons) return;
    view.yaw -= e.movementX * 0.01;
    view.pitch = Math.max(-1.4, Math.min(1.4, view.pitch + e.movementY * 0.01));
  });
}
document.getElementById("play").onclick = e => { view.playing = !view.playing; e.target.textContent = view.playing ? "pause" : "play"; };
document.getElementById("speed").oninput = e => { view.speed = +e.target.value; };

function bounds(exhibit) {
  const low = [1e9, 1e9, 1e9], high = [-1e9, -1e9, -1e9];
  for (const [joints, , targets] of exhibit.frames)
    for (const list of [joints, targets])
      for (let i = 0; i < list.length; i++) { low[i % 3] = Math.min(low[i % 3], list[i]); high[i % 3] = Math.max(high[i % 3], list[i]); }
  const centre = low.map((l, i) => (l + high[i]) / 2);
  return { centre, radius: Math.hypot(...low.map((l, i) => high[i] - l)) / 2, floor: Math.min(0, low[1]) };
}

function draw(cell) {
  const { canvas, exhibit, box } = cell;
  const ratio = window.devicePixelRatio || 1, w = canvas.clientWidth, h = canvas.clientHeight;
  if (canvas.width !== Math.round(w * ratio)) { canvas.width = Math.round(w * ratio); canvas.height = Math.round(h * ratio); }
  const pen = canvas.getContext("2d");
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, w, h);
  const frame = exhibit.frames[Math.floor(view.time) % exhibit.frames.length];
  const [joints, fins, targets, pole, lines, residual, status, iterations] = frame;
  const scale = 0.46 * Math.min(w, h) / box.radius, cy = Math.cos(view.yaw), sy = Math.sin(view.yaw), cp = Math.cos(view.pitch), sp = Math.sin(view.pitch);
  const project = (list, i) => {
    const x = list[3 * i] - box.centre[0], y = list[3 * i + 1] - box.centre[1], z = list[3 * i + 2] - box.centre[2];
    const u = cy * x - sy * z, v = sy * x + cy * z;
    const near = 1 / (1 - 0.00018 * (cp * v + sp * y));
    return [w / 2 + u * scale * near, h / 2 - (cp * y - sp * v) * scale * near, cp * v + sp * y];
  };
  const path = (list, close) => {
    pen.beginPath();
    for (let i = 0; i < list.length / 3; i++) pen.lineTo(...project(list, i).slice(0, 2));
    if (close) pen.closePath();
    pen.stroke();
  };
  pen.lineCap = pen.lineJoin = "round";
  pen.lineWidth = 1;
  pen.strokeStyle = colour("floor");
  for (let i = -4; i <= 4; i++) {
    path([i * 200, box.floor, -800, i * 200, box.floor, 800]);
    path([-800, box.floor, i * 200, 800, box.floor, i * 200]);
  }
  pen.strokeStyle = colour("border");
  for (const line of lines) path(line);
  const trail = [];
  for (let back = 40; back >= 0; back--) {
    const n = exhibit.frames.length, past = exhibit.frames[(Math.floor(view.time) - back + n * 2) % n][2];
    trail.push(...past.slice(0, 3));
  }
  pen.strokeStyle = colour("target");
  pen.globalAlpha = 0.35;
  path(trail);
  pen.globalAlpha = 1;
  const bones = exhibit.parents.map((p, i) => [p, i]).filter(([p]) => p >= 0)
    .map(([p, i]) => ({ a: project(joints, p), b: project(joints, i), fin: project(fins, i) }))
    .sort((p, q) => p.a[2] + p.b[2] - q.a[2] - q.b[2]);
  for (const { a, b, fin } of bones) {
    const middle = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
    pen.strokeStyle = colour("fin");
    pen.lineWidth = 2;
    pen.beginPath(); pen.moveTo(...middle); pen.lineTo(fin[0], fin[1]); pen.stroke();
    pen.fillStyle = pen.strokeStyle = `hsl(${cell.hue} 35% ${colour("dark") ? 74 : 42}%)`;
    const dx = b[0] - a[0], dy = b[1] - a[1], l = Math.hypot(dx, dy) || 1, nx = -dy / l * Math.min(6, l * 0.16), ny = dx / l * Math.min(6, l * 0.16);
    pen.beginPath();
    pen.moveTo(a[0], a[1]); pen.lineTo(a[0] + dx * 0.2 + nx, a[1] + dy * 0.2 + ny); pen.lineTo(b[0], b[1]); pen.lineTo(a[0] + dx * 0.2 - nx, a[1] + dy * 0.2 - ny);
    pen.closePath(); pen.fill();
    pen.lineWidth = 1.5; pen.stroke();
  }
  const dot = (list, i, name, size) => {
    const p = project(list, i);
    pen.fillStyle = colour(name);
    pen.beginPath(); pen.arc(p[0], p[1], size, 0, 7); pen.fill();
  };
  for (let i = 0; i < targets.length / 3; i++) dot(targets, i, "target", 5);
  if (pole) dot(pole, 0, "pole", 5);
  cell.score.textContent = `${status} · off by ${residual} m · ${iterations} iterations`;
}
let last = performance.now();
function tick(now) {
  if (view.playing) view.time += Math.min(100, now - last) * 0.03 * view.speed;
  last = now;
  for (const cell of cells) if (cell.seen) draw(cell);
  requestAnimationFrame(tick);
}
requestAnimationFrame(tick);
