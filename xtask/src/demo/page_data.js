// The recording, unpacked, and the arithmetic on poses. Stage space: right-handed, metres, Y up, facing +Z.

const meta = JSON.parse(document.getElementById("meta").textContent);

function bytesOf(id) {
  const text = atob(document.getElementById("data-" + id).textContent);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}
const floatsOf = (id) => new Float32Array(bytesOf(id).buffer);

const POSE = 7; // position, rotation x y z w
const MOMENT = { time: 0, weight: 1, active: 2, status: 3, hand: 4, turn: 5, look: 6, goal: 7, cylinder: 14, target: 21, from: 24, dir: 27, size: 30 };

const data = {
  animated: floatsOf("animated"),
  solved: floatsOf("solved"),
  moments: floatsOf("moments"),
  inverseBind: floatsOf("inverse-bind"),
  shapes: floatsOf("shapes"),
  vertices: bytesOf("vertices"),
  indices: meta.wideIndices ? new Uint32Array(bytesOf("indices").buffer) : new Uint16Array(bytesOf("indices").buffer),
};
const lastFrame = meta.frames - 1;
const duration = lastFrame / meta.fps;

const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const scaled = (a, k) => [a[0] * k, a[1] * k, a[2] * k];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const mix = (a, b, t) => a.map((v, i) => v + (b[i] - v) * t);
const unit = (a) => { const n = Math.hypot(a[0], a[1], a[2]); return n > 1e-9 ? scaled(a, 1 / n) : [0, 1, 0]; };
const clamp = (v, low, high) => Math.min(high, Math.max(low, v));
const at3 = (array, i) => [array[i], array[i + 1], array[i + 2]];
const css = (c, alpha = 1) => `rgb(${c[0]} ${c[1]} ${c[2]} / ${alpha})`;

// Turns point p by the quaternion at q[i..i+4].
function turn(q, i, p) {
  const x = q[i], y = q[i + 1], z = q[i + 2], w = q[i + 3];
  const tx = 2 * (y * p[2] - z * p[1]), ty = 2 * (z * p[0] - x * p[2]), tz = 2 * (x * p[1] - y * p[0]);
  return [p[0] + w * tx + y * tz - z * ty, p[1] + w * ty + z * tx - x * tz, p[2] + w * tz + x * ty - y * tx];
}

// Mixes `count` packed poses at offsets a and b of `source` into `out`.
function mixPoses(source, a, b, t, count, out) {
  for (let j = 0; j < count * POSE; j += POSE) {
    const i = a + j, k = b + j;
    for (let c = 0; c < 3; c++) out[j + c] = source[i + c] + (source[k + c] - source[i + c]) * t;
    let d = 0;
    for (let c = 3; c < 7; c++) d += source[i + c] * source[k + c];
    const s = d < 0 ? -t : t;
    let n = 0;
    for (let c = 3; c < 7; c++) { out[j + c] = source[i + c] * (1 - t) + source[k + c] * s; n += out[j + c] * out[j + c]; }
    n = 1 / Math.sqrt(n || 1);
    for (let c = 3; c < 7; c++) out[j + c] *= n;
  }
  return out;
}

// Everything at time t (seconds from the first frame), mixed between the two frames around it.
const scratch = { animated: new Float32Array(meta.joints * POSE), solved: new Float32Array(meta.joints * POSE), goal: new Float32Array(POSE), cylinder: new Float32Array(POSE) };
function momentAt(t) {
  const f = clamp(t * meta.fps, 0, lastFrame), i = Math.min(Math.floor(f + 1e-4), lastFrame), k = Math.min(i + 1, lastFrame), s = clamp(f - i, 0, 1);
  const size = meta.joints * POSE, m = data.moments, a = i * MOMENT.size, b = k * MOMENT.size;
  const point = (at) => mix(at3(m, a + at), at3(m, b + at), s);
  return {
    frame: Math.round(f),
    animated: mixPoses(data.animated, i * size, k * size, s, meta.joints, scratch.animated),
    solved: mixPoses(data.solved, i * size, k * size, s, meta.joints, scratch.solved),
    goal: mixPoses(m, a + MOMENT.goal, b + MOMENT.goal, s, 1, scratch.goal),
    cylinder: mixPoses(m, a + MOMENT.cylinder, b + MOMENT.cylinder, s, 1, scratch.cylinder),
    target: point(MOMENT.target), from: point(MOMENT.from), dir: unit(point(MOMENT.dir)),
    weight: m[a + MOMENT.weight] + (m[b + MOMENT.weight] - m[a + MOMENT.weight]) * s,
  };
}
const valueAt = (frame, what) => data.moments[frame * MOMENT.size + what];

// Rows of the 3x4 matrices that move bind-space vertices, one per joint and one for the cylinder.
const matrices = new Float32Array((meta.joints + 1) * 12);
function skinMatrices(pose, cylinder) {
  const put = (row, source, i, inverse, k) => {
    const [x, y, z, w] = inverse
      ? multiply(source, i + 3, inverse, k + 3)
      : [source[i + 3], source[i + 4], source[i + 5], source[i + 6]];
    const p = inverse ? add(at3(source, i), turn(source, i + 3, at3(inverse, k))) : at3(source, i);
    matrices.set([
      1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), p[0],
      2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x), p[1],
      2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y), p[2],
    ], row * 12);
  };
  for (let j = 0; j < meta.joints; j++) put(j, pose, j * POSE, data.inverseBind, j * POSE);
  put(meta.joints, cylinder, 0, null, 0);
  return matrices;
}
function multiply(a, i, b, k) {
  const [ax, ay, az, aw] = [a[i], a[i + 1], a[i + 2], a[i + 3]], [bx, by, bz, bw] = [b[k], b[k + 1], b[k + 2], b[k + 3]];
  return [aw * bx + ax * bw + ay * bz - az * by, aw * by + ay * bw + az * bx - ax * bz, aw * bz + az * bw + ax * by - ay * bx, aw * bw - ax * bx - ay * by - az * bz];
}
const moved = (m, j, p) => [0, 4, 8].map((r) => m[j * 12 + r] * p[0] + m[j * 12 + r + 1] * p[1] + m[j * 12 + r + 2] * p[2] + m[j * 12 + r + 3]);
const turned = (m, j, p) => [0, 4, 8].map((r) => m[j * 12 + r] * p[0] + m[j * 12 + r + 1] * p[1] + m[j * 12 + r + 2] * p[2]);

// A pinhole camera for a view of w by h pixels.
function pinhole(camera, w, h) {
  const { target, yaw, pitch, distance, fov } = camera;
  const back = [Math.sin(yaw) * Math.cos(pitch), Math.sin(pitch), Math.cos(yaw) * Math.cos(pitch)];
  const eye = add(target, scaled(back, distance)), ahead = scaled(back, -1);
  const right = unit(cross(ahead, [0, 1, 0])), up = cross(right, ahead);
  const zoom = 0.5 * h / Math.tan(fov / 2);
  const near = Math.max(0.02, distance * 0.05), far = distance + 40 * meta.scale;
  const project = (p) => {
    const d = sub(p, eye), depth = dot(d, ahead), k = zoom / Math.max(depth, 1e-4);
    return [w / 2 + dot(d, right) * k, h / 2 - dot(d, up) * k, depth];
  };
  // Column-major clip-from-stage matrix.
  const sx = 2 * zoom / w, sy = 2 * zoom / h, a = (far + near) / (far - near), b = -2 * far * near / (far - near);
  const column = (i) => [right[i] * sx, up[i] * sy, ahead[i] * a, ahead[i]];
  const origin = [-dot(right, eye) * sx, -dot(up, eye) * sy, -dot(ahead, eye) * a + b, -dot(ahead, eye)];
  return { eye, ahead, right, up, zoom, project, clip: new Float32Array([...column(0), ...column(1), ...column(2), ...origin]) };
}
