// Hold the cylinder, in JavaScript, for node (hold_cylinder.mjs) and for browsers (index.html).
//
// The two functions to read are `setup` (once per character) and `onAnimatorIk` (once per frame).
// Formats and arithmetic are those of ../README.md; Math.fround rounds to 32 bits after each
// operation, as the other hosts do.
import { IkGoal, TRANSFORM_FLOATS } from "sinew-ik";

/** Once per character: joints, human bones, and an animator to pose them. */
function setup(sinew, scene) {
  const skeleton = sinew.createSkeleton(scene);
  const avatar = sinew.createAvatar(skeleton, scene.humanJoints);
  const animator = sinew.createAnimator(skeleton, avatar);
  avatar.destroy(); // the animator keeps what it needs
  skeleton.destroy();
  return animator;
}

/** Once per frame, before the solve: goals and weights, with the names of Unity's Animator. */
function onAnimatorIk(animator, weight, lookAt, handle) {
  animator.setLookAtWeight(weight, 0, 1, 0, 0.5);
  animator.setLookAtPosition(lookAt);
  animator.setIkPositionWeight(IkGoal.RightHand, weight);
  animator.setIkRotationWeight(IkGoal.RightHand, weight);
  animator.setIkPosition(IkGoal.RightHand, handle.position);
  animator.setIkRotation(IkGoal.RightHand, handle.rotation);
}

const f = Math.fround;

function transform(floats, at = 0) {
  const [px, py, pz, x, y, z, w, sx, sy, sz] = floats.subarray(at, at + TRANSFORM_FLOATS);
  return { position: { x: px, y: py, z: pz }, rotation: { x, y, z, w }, scale: { x: sx, y: sy, z: sz } };
}

function cross(a, b) {
  const minus = (p, q, r, s) => f(f(p * q) - f(r * s));
  return { x: minus(a.y, b.z, a.z, b.y), y: minus(a.z, b.x, a.x, b.z), z: minus(a.x, b.y, a.y, b.x) };
}

function rotate(q, v) {
  const t = cross(q, v);
  for (const axis of ["x", "y", "z"]) t[axis] = f(t[axis] * 2);
  const c = cross(q, t);
  const sum = (axis) => f(f(v[axis] + f(t[axis] * q.w)) + c[axis]);
  return { x: sum("x"), y: sum("y"), z: sum("z") };
}

function multiply(a, b) {
  const sum = (...terms) => terms.reduce((total, term) => f(total + term));
  return {
    x: sum(f(a.w * b.x), f(a.x * b.w), f(a.y * b.z), -f(a.z * b.y)),
    y: sum(f(a.w * b.y), -f(a.x * b.z), f(a.y * b.w), f(a.z * b.x)),
    z: sum(f(a.w * b.z), f(a.x * b.y), -f(a.y * b.x), f(a.z * b.w)),
    w: sum(f(a.w * b.w), -f(a.x * b.x), -f(a.y * b.y), -f(a.z * b.z)),
  };
}

function toWorld(parent, local) {
  const scaled = {};
  for (const axis of ["x", "y", "z"]) scaled[axis] = f(local.position[axis] * parent.scale[axis]);
  const turned = rotate(parent.rotation, scaled);
  const position = {};
  for (const axis of ["x", "y", "z"]) position[axis] = f(parent.position[axis] + turned[axis]);
  return { position, rotation: multiply(parent.rotation, local.rotation) };
}

function readScene(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  const u32 = () => view.getUint32((at += 4) - 4, true);
  const i32 = () => view.getInt32((at += 4) - 4, true);
  const f32 = () => view.getFloat32((at += 4) - 4, true);
  const floats = (count) => Float32Array.from({ length: count }, f32);
  const text = (count) => new TextDecoder().decode(bytes.subarray(at, (at += count)));
  if (text(8) !== "SNWSCENE" || u32() !== 1) throw new Error("not a scene of version 1");
  const [jointCount, frameCount, deltaTimeS] = [u32(), u32(), f32()];
  const parents = new Int32Array(jointCount);
  const rest = new Float32Array(jointCount * TRANSFORM_FLOATS);
  const names = [];
  const humanJoints = new Int32Array(55).fill(-1);
  for (let joint = 0; joint < jointCount; joint++) {
    parents[joint] = i32();
    const bone = i32();
    if (bone >= 0) humanJoints[bone] = joint;
    rest.set(floats(TRANSFORM_FLOATS), joint * TRANSFORM_FLOATS);
    const length = u32();
    names.push(text(length));
    at += (4 - (length % 4)) % 4;
  }
  const handleLocal = transform(floats(TRANSFORM_FLOATS));
  at += 8; // radius and length of the cylinder
  const frames = Array.from({ length: frameCount }, () => ({
    active: u32() !== 0,
    root: transform(floats(TRANSFORM_FLOATS)),
    cylinder: transform(floats(TRANSFORM_FLOATS)),
    animation: floats(jointCount * TRANSFORM_FLOATS),
  }));
  return { jointCount, deltaTimeS, parents, rest, names, humanJoints, handleLocal, frames };
}

/** Plays the scene file; returns the pose file, and the hash of the poses. */
export function play(sinew, bytes) {
  const scene = readScene(bytes);
  const animator = setup(sinew, scene);

  const frameBytes = 24 + scene.jointCount * TRANSFORM_FLOATS * 4;
  const out = new DataView(new ArrayBuffer(20 + scene.frames.length * frameBytes));
  new TextEncoder().encodeInto("SNWPOSES", new Uint8Array(out.buffer));
  [1, scene.jointCount, scene.frames.length].forEach((value, i) => out.setUint32(8 + i * 4, value, true));
  let hash = 0xcbf29ce484222325n;
  let weight = 0;
  let at = 20;
  for (const frame of scene.frames) {
    const step = f(scene.deltaTimeS * f(2.5));
    weight = frame.active ? Math.min(f(weight + step), 1) : Math.max(f(weight - step), 0);

    animator.pose.set(frame.animation); // 1. the animation, and where the root is
    animator.setRoot(frame.root);
    onAnimatorIk(animator, weight, frame.cylinder.position, toWorld(frame.cylinder, scene.handleLocal)); // 2. goals
    animator.solve(); // 3. `animator.pose` now holds the result
    const hand = animator.getIkOutcome(IkGoal.RightHand); // 4. how well it went
    const look = animator.getLookAtOutcome();

    out.setFloat32(at, weight, true);
    out.setInt32(at + 4, hand.status, true);
    out.setFloat32(at + 8, hand.residualM, true);
    out.setFloat32(at + 12, hand.residualRad, true);
    out.setInt32(at + 16, look.status, true);
    out.setFloat32(at + 20, look.residualRad, true);
    new Uint8Array(out.buffer, at + 24, frameBytes - 24).set(new Uint8Array(animator.pose.slice().buffer));
    for (const byte of new Uint8Array(out.buffer, at + 24, frameBytes - 24)) {
      hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
    }
    at += frameBytes;
  }
  animator.destroy();
  return { poses: new Uint8Array(out.buffer), hash: hash.toString(16).padStart(16, "0") };
}
