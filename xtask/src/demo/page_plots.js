// Curves over time under the views, and the coloured bands behind the scrub slider.

const look = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

function statusClass(word) {
  if (word === "reached") return "good";
  if (word === "unreachable") return "bad";
  return word === "inactive" ? "idle" : "busy";
}
const statusColour = (word) => look("--" + statusClass(word));

// Runs of frames with the same key: [first, last, key].
function runs(keyOf) {
  const found = [];
  for (let i = 0; i <= lastFrame; i++) {
    const key = keyOf(i), open = found[found.length - 1];
    if (open && open[2] === key) open[1] = i; else found.push([i, i, key]);
  }
  return found;
}
const activeRuns = runs((i) => valueAt(i, MOMENT.active) > 0.5);
const statusRuns = runs((i) => meta.statuses[valueAt(i, MOMENT.status)]);

const millimetres = (v) => (v < 0.1 ? v.toFixed(4) : v < 10 ? v.toFixed(2) : v.toFixed(1)) + " mm";
const degrees = (v) => (v < 0.1 ? v.toFixed(4) : v.toFixed(2)) + "°";

const CURVES = [
  { title: "Hand position residual", what: MOMENT.hand, factor: 1000, unit: "mm", show: millimetres, floor: 0.001 },
  { title: "Hand rotation residual", what: MOMENT.turn, factor: 180 / Math.PI, unit: "°", show: degrees, floor: 0.001 },
  { title: "Look residual", what: MOMENT.look, factor: 180 / Math.PI, unit: "°", show: degrees, floor: 0.001 },
  { title: "Weight", what: MOMENT.weight, factor: 1, unit: "", show: (v) => v.toFixed(3), top: 1, note: "shaded: IK switched on · red: out of reach" },
];

// Fits a canvas to its box and gives a pen in CSS pixels.
function fit(canvas) {
  const ratio = window.devicePixelRatio || 1, box = canvas.getBoundingClientRect();
  const w = Math.max(1, Math.round(box.width * ratio)), h = Math.max(1, Math.round(box.height * ratio));
  if (canvas.width !== w || canvas.height !== h) { canvas.width = w; canvas.height = h; }
  const pen = canvas.getContext("2d");
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  return { pen, w: box.width, h: box.height };
}

function roundTop(v) {
  if (v <= 0) return 1;
  const power = Math.pow(10, Math.floor(Math.log10(v)));
  return [1, 1.5, 2, 3, 4, 5, 6, 8, 10].find((k) => k * power >= v) * power;
}
const shortNumber = (v) => String(+v.toPrecision(2));

function createPlots(host, scrubTo) {
  const MARGIN = { left: 44, right: 8, top: 6, bottom: 18 };
  let logarithmic = false;
  const plots = CURVES.map((curve) => {
    const card = document.createElement("div");
    card.className = "plot";
    card.innerHTML = `<header><h2>${curve.title}</h2>${curve.floor ? '<button type="button" aria-pressed="false" title="Logarithmic scale">log</button>' : ""}<span>${curve.note || ""}</span><output></output></header><canvas role="img" aria-label="${curve.title} over time; click to go there"></canvas>`;
    host.append(card);
    const canvas = card.querySelector("canvas"), button = card.querySelector("button");
    const still = document.createElement("canvas");
    let highest = 0;
    for (let i = 0; i <= lastFrame; i++) highest = Math.max(highest, valueAt(i, curve.what) * curve.factor);
    const plot = { ...curve, canvas, still, button, out: card.querySelector("output"), top: curve.top || Math.max(1, roundTop(highest)) };
    button?.addEventListener("click", () => {
      logarithmic = !logarithmic;
      for (const p of plots) p.button?.setAttribute("aria-pressed", String(logarithmic));
      redraw();
    });
    const seek = (event) => {
      const box = canvas.getBoundingClientRect();
      scrubTo(clamp((event.clientX - box.left - MARGIN.left) / (box.width - MARGIN.left - MARGIN.right), 0, 1) * duration);
    };
    canvas.addEventListener("pointerdown", (e) => { canvas.setPointerCapture(e.pointerId); seek(e); });
    canvas.addEventListener("pointermove", (e) => { if (e.buttons) seek(e); });
    return plot;
  });

  function paint(plot) {
    const { pen, w, h } = fit(plot.canvas), inner = { w: w - MARGIN.left - MARGIN.right, h: h - MARGIN.top - MARGIN.bottom };
    const x = (frame) => MARGIN.left + inner.w * frame / Math.max(lastFrame, 1);
    const log = logarithmic && plot.floor, low = log ? Math.log10(plot.floor) : 0, high = log ? Math.log10(Math.max(plot.top, plot.floor * 10)) : plot.top;
    const y = (v) => MARGIN.top + inner.h * (1 - clamp(((log ? Math.log10(Math.max(v, plot.floor)) : v) - low) / (high - low), 0, 1));
    pen.clearRect(0, 0, w, h);
    for (const [first, last, active] of activeRuns) {
      if (!active) continue;
      pen.globalAlpha = 0.1;
      pen.fillStyle = look("--accent");
      pen.fillRect(x(first), MARGIN.top, x(last) - x(first), inner.h);
    }
    for (const [first, last, word] of statusRuns) {
      pen.globalAlpha = word === "unreachable" ? 0.14 : 0;
      pen.fillStyle = statusColour(word);
      pen.fillRect(x(first), MARGIN.top, x(last) - x(first), inner.h);
      pen.globalAlpha = 0.9;
      pen.fillRect(x(first), h - MARGIN.bottom + 1, Math.max(1, x(last + 1) - x(first)), 3);
    }
    pen.globalAlpha = 1;
    pen.font = "11px system-ui, sans-serif";
    pen.textBaseline = "middle";
    pen.lineWidth = 1;
    const ticks = log ? Array.from({ length: Math.ceil(high - low) + 1 }, (_, i) => Math.pow(10, low + i)).filter((v, i) => i % 2 === 0 && v <= plot.top * 1.001) : [0, plot.top / 2, plot.top];
    pen.textAlign = "right";
    for (const v of ticks) {
      pen.strokeStyle = look("--grid");
      pen.beginPath();
      pen.moveTo(MARGIN.left, Math.round(y(v)) + 0.5);
      pen.lineTo(w - MARGIN.right, Math.round(y(v)) + 0.5);
      pen.stroke();
      pen.fillStyle = look("--faint");
      pen.fillText(shortNumber(v), MARGIN.left - 6, y(v));
    }
    pen.textAlign = "center";
    const step = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 60].find((s) => duration / s <= inner.w / 55) || 120;
    for (let t = 0; t <= duration + 1e-6; t += step) pen.fillText(`${+t.toFixed(2)} s`, clamp(x(t * meta.fps), MARGIN.left + 8, w - 16), h - 6);
    pen.beginPath();
    for (let i = 0; i <= lastFrame; i++) pen.lineTo(x(i), y(valueAt(i, plot.what) * plot.factor));
    pen.strokeStyle = look("--accent");
    pen.lineWidth = 1.6;
    pen.lineJoin = "round";
    pen.stroke();
    plot.still.width = plot.canvas.width;
    plot.still.height = plot.canvas.height;
    plot.still.getContext("2d").drawImage(plot.canvas, 0, 0);
    plot.place = { x, y, h, w };
  }

  // The curves are painted once; a frame only copies them and adds the cursor.
  let shown = 0;
  function cursor(t) {
    shown = t;
    const f = clamp(t * meta.fps, 0, lastFrame), i = Math.round(f);
    for (const plot of plots) {
      if (!plot.place) continue;
      const pen = plot.canvas.getContext("2d"), { x, y, h, w } = plot.place, value = valueAt(i, plot.what) * plot.factor;
      pen.clearRect(0, 0, w, h);
      pen.drawImage(plot.still, 0, 0, w, h);
      pen.strokeStyle = look("--ink");
      pen.lineWidth = 1;
      pen.globalAlpha = 0.7;
      pen.beginPath();
      pen.moveTo(x(f), MARGIN.top);
      pen.lineTo(x(f), h - MARGIN.bottom);
      pen.stroke();
      pen.globalAlpha = 1;
      pen.fillStyle = look("--accent");
      pen.strokeStyle = look("--card");
      pen.lineWidth = 2;
      pen.beginPath();
      pen.arc(x(f), y(value), 4.5, 0, 2 * Math.PI);
      pen.fill();
      pen.stroke();
      plot.out.textContent = plot.show(value);
    }
  }

  function redraw() { plots.forEach(paint); cursor(shown); }
  return { redraw, cursor };
}

// Outcome of every frame as a strip of colour; faint where IK is switched off.
function paintBands(canvas) {
  const { pen, w, h } = fit(canvas), x = (frame) => w * frame / Math.max(lastFrame, 1);
  pen.clearRect(0, 0, w, h);
  for (const [first, last, word] of statusRuns) {
    pen.globalAlpha = word === "inactive" ? 0.35 : 0.85;
    pen.fillStyle = statusColour(word);
    pen.fillRect(x(first), 0, x(last + 1) - x(first) + 0.5, h);
  }
  pen.globalAlpha = 1;
}
