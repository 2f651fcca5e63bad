// The npm package, used as its users do: node --test package.mjs, in a project that has it.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import test from "node:test";
import {
  CHAIN_FINISH, CalibrationPose, ChainSolver, HumanBone, IkGoal, Result, Sinew, SinewError, Status, TRACKER_SAMPLE_POSITION,
  TRACKER_SAMPLE_ROTATION, TRANSFORM_FLOATS, TrackerRole, TrackerScale,
} from "sinew-ik";

const module = await readFile(fileURLToPath(Sinew.url()));
const load = () => Sinew.load(module);

/** World positions by forward kinematics in 64 bits: the library's own numbers are not used. */
function positions(parents, pose) {
  const places = [];
  parents.forEach((parent, joint) => {
    const [px, py, pz, x, y, z, w, sx] = pose.subarray(joint * TRANSFORM_FLOATS, joint * TRANSFORM_FLOATS + 8);
    assert.ok(Math.abs(sx - 1) < 1e-6, "a rig without scale");
    const up = parent < 0 ? { at: [0, 0, 0], turn: [0, 0, 0, 1] } : places[parent];
    const moved = rotate(up.turn, [px, py, pz]);
    places.push({ at: up.at.map((a, i) => a + moved[i]), turn: multiply(up.turn, [x, y, z, w]) });
  });
  return places.map((place) => place.at);
}

function rotate([x, y, z, w], [a, b, c]) {
  const t = [2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)];
  return [a + w * t[0] + y * t[2] - z * t[1], b + w * t[1] + z * t[0] - x * t[2], c + w * t[2] + x * t[1] - y * t[0]];
}

function multiply([ax, ay, az, aw], [bx, by, bz, bw]) {
  return [
    aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw, aw * bw - ax * bx - ay * by - az * bz,
  ];
}

function far(a, b) {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

function rigOf(joints) {
  const rest = new Float32Array(joints.length * TRANSFORM_FLOATS);
  joints.forEach(([, , at], joint) => rest.set([...at, 0, 0, 0, 1, 1, 1, 1], joint * TRANSFORM_FLOATS));
  return { parents: joints.map(([, parent]) => parent), rest, names: joints.map(([name]) => name) };
}

/** Fifteen joints in a T-pose that face +Z. */
function person() {
  const joints = [["Hips", -1, [0, 1, 0]], ["Spine", 0, [0, 0.2, 0]], ["Head", 1, [0, 0.4, 0]]];
  for (const [side, x] of [["Left", 1], ["Right", -1]]) {
    const next = joints.length;
    joints.push([`${side}UpperArm`, 1, [0.2 * x, 0.3, 0]], [`${side}LowerArm`, next, [0.28 * x, 0, 0]]);
    joints.push([`${side}Hand`, next + 1, [0.25 * x, 0, 0]], [`${side}UpperLeg`, 0, [0.1 * x, 0, 0]]);
    joints.push([`${side}LowerLeg`, next + 3, [0, -0.45, 0.01]], [`${side}Foot`, next + 4, [0, -0.45, -0.01]]);
  }
  return rigOf(joints);
}

function tail(bones) {
  return rigOf(Array.from({ length: bones + 1 }, (_, i) => [`Tail${i}`, i - 1, [i === 0 ? 0 : 0.1, i % 2 ? 0.01 : -0.01, 0]]));
}

test("a hand reaches its goal", async () => {
  const sinew = await load();
  const rig = person();
  const skeleton = sinew.createSkeleton(rig);
  const animator = sinew.createAnimator(skeleton, sinew.createAvatar(skeleton));
  animator.setIkPosition(IkGoal.RightHand, { x: -0.3, y: 1.2, z: 0.4 });
  animator.setIkPositionWeight(IkGoal.RightHand, 1);
  animator.solve();
  const hand = rig.names.indexOf("RightHand");
  assert.ok(far(positions(rig.parents, animator.pose)[hand], [-0.3, 1.2, 0.4]) < 1e-5);
  assert.equal(animator.getIkOutcome(IkGoal.RightHand).status, Status.Reached);
  assert.equal(animator.getBoneJoint(HumanBone.RightHand), hand);
});

test("three trackers make a body: head and hands are where they are, knees bend", async () => {
  const sinew = await load();
  const rig = person();
  const skeleton = sinew.createSkeleton(rig);
  const avatar = sinew.createAvatar(skeleton);
  const body = sinew.createTrackedBody(skeleton, avatar, { stepWeight: 1 });
  assert.throws(() => sinew.createTrackedBody(skeleton, avatar, { fadeTimeS: -1 }), SinewError);
  const roles = [["Head", TrackerRole.Head], ["LeftHand", TrackerRole.LeftHand], ["RightHand", TrackerRole.RightHand]];
  const rest = positions(rig.parents, rig.rest);
  const set = TRACKER_SAMPLE_POSITION | TRACKER_SAMPLE_ROTATION;
  const give = (role, [x, y, z], timeS) => body.setTracker(role, {
    timeS, position: { x, y, z }, rotation: { x: 0, y: 0, z: 0, w: 1 }, set, confidence: 1,
  });
  for (const [name, role] of roles) give(role, rest[rig.names.indexOf(name)], 0);
  // A player as tall as the avatar: the soles are below the ankles by what the avatar has there.
  const floor = rest[rig.names.indexOf("LeftFoot")][1] - avatar.getGoalConstants(IkGoal.LeftFoot).bottomHeight;
  body.calibrate(CalibrationPose.TPose, TrackerScale.Height, floor);
  const calibration = body.getCalibration();
  assert.ok(Math.abs(calibration.scale - 1) < 1e-4 && Math.abs(calibration.floor - floor) < 1e-6, JSON.stringify(calibration));
  body.setCalibration(calibration);
  assert.deepEqual(body.getCalibration(), calibration);
  let goals;
  for (let frame = 1; frame <= 60; frame++) {
    const down = (0.25 * frame) / 60;
    goals = [[0, 1.6 - down, 0.02], [0.3, 1.3 - down, 0.3], [-0.3, 1.3 - down, 0.3]];
    roles.forEach(([, role], i) => give(role, goals[i], frame / 60));
    body.update(frame / 60);
  }
  body.pose.set(rig.rest);
  body.apply();
  const places = positions(rig.parents, body.pose);
  roles.forEach(([name], i) => {
    const off = far(places[rig.names.indexOf(name)], goals[i]);
    assert.ok(off < 1e-3, `${name}: ${off} m`);
  });
  const [hip, knee, foot] = ["LeftUpperLeg", "LeftLowerLeg", "LeftFoot"].map((name) => places[rig.names.indexOf(name)]);
  assert.ok(far(hip, foot) < 0.85, "the leg is bent");
  assert.ok(knee[2] > (hip[2] + foot[2]) / 2 + 0.05, "the knee is ahead");
  assert.equal(body.getOutcome(TrackerRole.Head).status, Status.Reached);
  body.destroy();
  assert.equal(body.isValid(), false);
});

test("a chain of a thousand bones reaches with every solver that finishes", async () => {
  const sinew = await load();
  for (const [bones, solvers] of [[12, Object.values(ChainSolver)], [1000, [ChainSolver.Default]]]) {
    const rig = tail(bones);
    const animator = sinew.createAnimator(sinew.createSkeleton(rig));
    const goal = [0.04 * bones, 0.03 * bones, 0.01 * bones];
    for (const solver of solvers) {
      animator.resetPose();
      const chain = animator.createChain({ end: bones, solver, flags: CHAIN_FINISH });
      animator.setConstraintPosition(chain, 0, { x: goal[0], y: goal[1], z: goal[2] });
      animator.solve();
      const off = far(positions(rig.parents, animator.pose)[bones], goal);
      assert.ok(off < 1e-4 * bones, `${bones} bones, solver ${solver}: ${off} m`);
      animator.removeConstraint(chain);
    }
  }
});

test("the pose is still the pose after the memory has grown", async () => {
  const sinew = await load();
  const rig = tail(10);
  const skeleton = sinew.createSkeleton(rig);
  const animator = sinew.createAnimator(skeleton);
  const before = animator.pose;
  before[1] = 0.5;
  const bytes = sinew.exports.memory.buffer.byteLength;
  const others = [];
  while (sinew.exports.memory.buffer.byteLength === bytes) others.push(sinew.createAnimator(skeleton));
  assert.equal(before.length, 0, "the old view has ended");
  assert.equal(animator.pose[1], 0.5);
  animator.solve();
  for (const other of others) other.destroy();
});

test("arguments larger than the stack for them, and memory that is given back", async () => {
  const sinew = await load();
  const rig = tail(20000);
  const size = () => sinew.exports.memory.buffer.byteLength;
  for (let round = 0, settled = 0; round < 12; round++) {
    const skeleton = sinew.createSkeleton(rig);
    const animator = sinew.createAnimator(skeleton);
    animator.setPose(rig.rest);
    assert.equal(animator.getPose(20001).length, 20001);
    animator.destroy();
    skeleton.destroy();
    if (round === 2) settled = size();
    if (round > 2) assert.equal(size(), settled, `round ${round}`);
  }
});

test("errors are sentences with function, argument and value", async () => {
  const sinew = await load();
  const skeleton = sinew.createSkeleton(tail(3));
  const animator = sinew.createAnimator(skeleton);
  const thrown = (call) => {
    try {
      call();
    } catch (error) {
      assert.ok(error instanceof SinewError, String(error));
      return error;
    }
    assert.fail("nothing thrown");
  };
  const early = thrown(() => animator.setIkPosition(IkGoal.LeftHand, { x: 0, y: 0, z: 0 }));
  assert.equal(early.code, Result.ErrorNotHumanoid);
  assert.match(early.message, /sinew_animator_set_ik_position/);
  const long = thrown(() => animator.createChain({ end: 3, jointCount: 9 }));
  assert.equal(long.code, Result.ErrorInvalidChain, long.message);
  assert.match(long.message, /9 joints.*only 4/);
  const missing = thrown(() => sinew.createAvatar(skeleton));
  assert.equal(missing.code, Result.ErrorMissingBone);
  animator.destroy();
  assert.equal(thrown(() => animator.solve()).code, Result.ErrorInvalidHandle);
  assert.equal(animator.isValid(), false);
  assert.throws(() => sinew.createSkeleton({ parents: [-1], rest: new Float32Array(20) }), RangeError);
  assert.throws(() => sinew.createAvatar(skeleton, { Hip: 0 }), /Hip is no human bone/);
  assert.throws(() => sinew.createAnimator(skeleton).setPose(new Float32Array(39)), RangeError);
});

test("what a call returns is what was set", async () => {
  const sinew = await load();
  const skeleton = sinew.createSkeleton(person());
  const animator = sinew.createAnimator(skeleton, sinew.createAvatar(skeleton));
  animator.setLookAtWeight(0.5, 0.25, 0.75, 0.125, 1);
  assert.deepEqual(animator.getLookAtWeight(), { weight: 0.5, body: 0.25, head: 0.75, eyes: 0.125, clamp: 1 });
  animator.setRoot({ position: { x: 1, y: 2, z: 3 }, rotation: { x: 0, y: 1, z: 0, w: 0 }, scale: { x: 2, y: 2, z: -2 } });
  assert.deepEqual(animator.getRoot().scale, { x: 2, y: 2, z: -2 });
  animator.setSettings({ inertializationTimesS: [0, 0, 0.25, 0.5], limitsEnabled: 1 });
  assert.deepEqual(animator.getSettings().inertializationTimesS, [0, 0, 0.25, 0.5]);
  assert.equal(animator.getSettings().spineWeight, 0, "left out: the default");
  assert.equal(skeleton.findJoint("LeftFoot"), 8);
  assert.equal(sinew.humanBoneFromName("left foot"), HumanBone.LeftFoot);
  assert.match(sinew.resultText(Result.ErrorBusy), /SINEW_ERROR_BUSY/);
  const saved = animator.save();
  animator.restore(saved);
  assert.ok(saved instanceof Uint8Array);
});

test("a world gives the bits of a single solve", async () => {
  const sinew = await load();
  const skeleton = sinew.createSkeleton(person());
  const avatar = sinew.createAvatar(skeleton);
  const world = sinew.createWorld();
  const pairs = Array.from({ length: 20 }, (_, i) => {
    const both = [sinew.createAnimator(skeleton, avatar), sinew.createAnimator(skeleton, avatar)];
    for (const animator of both) {
      animator.setIkPosition(IkGoal.LeftHand, { x: 0.3, y: 1 + i * 0.02, z: 0.3 });
      animator.setIkPositionWeight(IkGoal.LeftHand, 1);
    }
    world.join(both[0]);
    return both;
  });
  const report = world.solve({});
  assert.equal(world.getCount(), 20);
  assert.ok(report);
  for (const [together, alone] of pairs) {
    alone.solve();
    assert.deepEqual(together.pose, alone.pose);
  }
});

test("a body meets its tasks", async () => {
  const sinew = await load();
  const rig = person();
  const skeleton = sinew.createSkeleton(rig);
  const body = sinew.createBody(skeleton, 0);
  const { BodyTaskKind } = await import("sinew-ik");
  const hand = rig.names.indexOf("LeftHand");
  const goal = { x: 0.5, y: 1.7, z: 0.5 };
  body.addTask({ kind: BodyTaskKind.Position, joint: hand, goal });
  body.pose.set(rig.rest);
  const outcome = body.solve(1 / 60);
  assert.equal(outcome.status, Status.Reached);
  assert.ok(far(positions(rig.parents, body.pose)[hand], [0.5, 1.7, 0.5]) < 1e-3);
  body.destroy();
});

test("hands of two bodies meet", async () => {
  const sinew = await load();
  const { Body, BodyTaskKind } = await import("sinew-ik");
  const rig = person();
  const skeleton = sinew.createSkeleton(rig);
  const bodies = [sinew.createBody(skeleton, 0), sinew.createBody(skeleton, 0)];
  const hands = ["LeftHand", "RightHand"].map((name) => rig.names.indexOf(name));
  const tasks = bodies.map((body, i) => body.addTask({ kind: BodyTaskKind.Position, joint: hands[i] }));
  for (const body of bodies) body.pose.set(rig.rest);
  const ties = [{ firstTask: tasks[0], secondTask: tasks[1] }];
  const meeting = Body.meet(bodies, ties);
  assert.equal(meeting.status, Status.Reached);
  assert.equal(ties[0].gap, meeting.gapM);
  for (const body of bodies) assert.equal(body.solve(0).status, Status.Reached);
  const places = bodies.map((body, i) => positions(rig.parents, body.pose)[hands[i]]);
  assert.ok(far(places[0], places[1]) < 1e-3);
  assert.throws(() => Body.meet(bodies, [{ ...ties[0], secondWork: 0 }]), /second_task/);
  for (const body of bodies) body.destroy();
});
