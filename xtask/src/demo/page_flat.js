// Draws views on a plain 2D canvas where there is no WebGL: the body's shapes as shaded capsules, far ones first.

const SHAPE = 17;

function createFlatRenderer(canvas) {
  const pen = canvas.getContext("2d");
  if (!pen) return null;

  const gamma = (v) => Math.round(255 * Math.pow(clamp(v, 0, 1), 1 / 2.2));
  const tone = (c) => css(c.map(gamma));
  const shade = (c, k) => css(c.map((v) => Math.round(clamp(v * k, 0, 255))));

  function floor(cam, w, h, theme) {
    const sky = pen.createLinearGradient(0, 0, 0, h);
    sky.addColorStop(0, tone(mix(theme.near, theme.far, 0.4)));
    sky.addColorStop(0.55, tone(theme.near));
    sky.addColorStop(1, tone(scaled(theme.ground, 0.97)));
    pen.fillStyle = sky;
    pen.fillRect(0, 0, w, h);
    const side = Math.round(4 * meta.scale) || 1;
    pen.lineWidth = 1;
    for (let i = -side * 2; i <= side * 2; i++) {
      const v = i / 2;
      pen.strokeStyle = `rgb(128 136 150 / ${i % 2 ? 0.18 : 0.38})`;
      stroke(cam, [v, meta.floor, -side], [v, meta.floor, side]);
      stroke(cam, [-side, meta.floor, v], [side, meta.floor, v]);
    }
  }

  function stroke(cam, from, to) {
    const depth = (p) => dot(sub(p, cam.eye), cam.ahead), near = 0.05;
    const [df, dt] = [depth(from), depth(to)];
    if (df < near && dt < near) return;
    const cut = () => mix(from, to, (near - df) / (dt - df));
    const [a, b] = [cam.project(df < near ? cut() : from), cam.project(dt < near ? cut() : to)];
    pen.beginPath();
    pen.moveTo(a[0], a[1]);
    pen.lineTo(b[0], b[1]);
    pen.stroke();
  }

  // The hull of two circles, lit from the upper left of the picture.
  function capsule(item) {
    const { a, b, ra, rb, colour } = item;
    const dx = b[0] - a[0], dy = b[1] - a[1], length = Math.hypot(dx, dy);
    pen.beginPath();
    if (length <= Math.abs(ra - rb) + 0.01) {
      const big = ra > rb ? a : b;
      pen.arc(big[0], big[1], Math.max(ra, rb), 0, 2 * Math.PI);
    } else {
      const heading = Math.atan2(dy, dx), open = Math.acos(clamp((ra - rb) / length, -1, 1));
      pen.arc(a[0], a[1], ra, heading + open, heading - open);
      pen.arc(b[0], b[1], rb, heading - open, heading + open);
      pen.closePath();
    }
    const r = Math.max(ra, rb), cx = (a[0] + b[0]) / 2, cy = (a[1] + b[1]) / 2;
    let [nx, ny] = length > r * 0.5 ? [-dy / length, dx / length] : [0.6, -0.8];
    if (nx * 0.6 - ny * 0.8 < 0) { nx = -nx; ny = -ny; }
    const paint = pen.createLinearGradient(cx + nx * r, cy + ny * r, cx - nx * r, cy - ny * r);
    paint.addColorStop(0, shade(colour, 1.08));
    paint.addColorStop(0.4, shade(colour, 0.98));
    paint.addColorStop(1, shade(colour, 0.66));
    pen.fillStyle = paint;
    pen.fill();
  }

  function bodyItems(view, cam, m) {
    const items = [], s = data.shapes;
    for (let i = 0; i < s.length; i += SHAPE) {
      const ja = s[i + 12], jb = s[i + 13], a = moved(m, ja, at3(s, i)), b = moved(m, jb, at3(s, i + 3));
      const pa = cam.project(a), pb = cam.project(b);
      if (pa[2] < 0.05 || pb[2] < 0.05) continue;
      const along = sub(b, a), across = Math.hypot(...along) > 1e-4 ? unit(cross(cam.ahead, along)) : cam.right;
      const c = dot(across, turned(m, ja, at3(s, i + 8))), flat = s[i + 11], seen = Math.sqrt(1 - c * c + c * c * flat * flat);
      const mid = (pa[2] + pb[2]) / 2, front = Math.min(s[i + 6], s[i + 7]) * flat;
      items.push({ a: pa, b: pb, ra: s[i + 6] * seen * cam.zoom / pa[2], rb: s[i + 7] * seen * cam.zoom / pb[2], depth: mid - 0.6 * front, colour: [s[i + 14], s[i + 15], s[i + 16]] });
    }
    return items;
  }

  function cylinderItem(view, cam) {
    const c = at3(view.cylinder, 0), half = turn(view.cylinder, 3, [0, meta.cylinder[1] / 2 - meta.cylinder[0] * 0.5, 0]);
    const a = cam.project(sub(c, half)), b = cam.project(add(c, half)), r = meta.cylinder[0] * cam.zoom;
    return { a, b, ra: r / a[2], rb: r / b[2], depth: (a[2] + b[2]) / 2, colour: meta.colours.cylinder };
  }

  function drawView(view, theme) {
    const [x, y, w, h] = view.box, cam = pinhole(view.camera, w, h);
    pen.save();
    pen.beginPath();
    pen.rect(x, canvas.height - y - h, w, h);
    pen.clip();
    pen.translate(x, canvas.height - y - h);
    floor(cam, w, h, theme);
    const m = skinMatrices(view.pose, view.cylinder);
    const items = view.layers.body ? bodyItems(view, cam, m) : [];
    items.push(cylinderItem(view, cam));
    items.sort((p, q) => q.depth - p.depth).forEach(capsule);
    pen.lineCap = "round";
    for (const l of view.lines) {
      pen.lineWidth = l.width * view.ratio;
      pen.strokeStyle = css(l.colour, l.alpha);
      stroke(cam, l.from, l.to);
    }
    pen.restore();
  }

  return { name: "flat", draw: (views, theme) => { for (const view of views) drawView(view, theme); }, lost: () => false };
}
