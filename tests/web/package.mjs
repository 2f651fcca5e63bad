// The npm package, used as its users do: node --test package.mjs, in a project that has it.
import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import test from "node:test";
import { register } from "node:module";
import {
  BODY_DRAG_ROTATION, Body, BodyTaskKind, BodyWorkState, CHAIN_FINISH, CONSTRAINT_POSITION, CalibrationPose, ChainSolver,
  Grounder, HumanBone, IkGoal, MatrixLayout, PoseLayout, Result, RowState, Sinew, SinewError,
  Status, TRACKER_SAMPLE_POSITION, TRACKER_SAMPLE_ROTATION, TRANSFORM_FLOATS, TrackedPart, TrackerRole, TrackerScale,
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
    animator.pose.set(rig.rest);
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

/** A body with trackers on head and hands in the T-pose. */
function tracked(sinew) {
  const rig = person();
  const skeleton = sinew.createSkeleton(rig);
  const body = sinew.createTrackedBody(skeleton, sinew.createAvatar(skeleton));
  const rest = positions(rig.parents, rig.rest);
  for (const role of ["Head", "LeftHand", "RightHand"]) {
    const [x, y, z] = rest[rig.names.indexOf(role)];
    const set = TRACKER_SAMPLE_POSITION | TRACKER_SAMPLE_ROTATION;
    body.setTracker(TrackerRole[role], { timeS: 0, position: { x, y, z }, rotation: { x: 0, y: 0, z: 0, w: 1 }, set, confidence: 1 });
  }
  return { rig, skeleton, body };
}

test("lists have as many elements as C wrote, and room for all of them", async () => {
  const sinew = await load();
  const { rig, skeleton, body } = tracked(sinew);
  // Room for one role was reserved: the others were written over what was behind it.
  const worn = { Hips: [0, 1, 0], LeftKnee: [0.1, 0.5, 0], RightKnee: [-0.1, 0.5, 0], LeftFoot: [0.1, 0.1, 0], RightFoot: [-0.1, 0.1, 0] };
  const roles = body.assignTrackers(Object.values(worn).map(([x, y, z]) => ({ x, y, z })), 0);
  assert.deepEqual(roles, Object.keys(worn).map((name) => TrackerRole[name]));

  const animator = sinew.createAnimator(skeleton);
  const joints = rig.parents.length;
  const hand = rig.names.indexOf("LeftHand");
  const at = positions(rig.parents, rig.rest)[hand];
  for (const [layout, size, place] of [["Columns4x4", 16, [12, 13, 14]], ["Rows3x4", 12, [3, 7, 11]]]) {
    const matrices = animator.getModelMatrices(MatrixLayout[layout], joints);
    assert.equal(matrices.length, joints * size, layout);
    assert.ok(far(place.map((i) => matrices[hand * size + i]), at) < 1e-6, layout);
    assert.deepEqual(animator.getWorldMatrices(MatrixLayout[layout], joints), matrices);
  }

  const drawn = animator.getDebugLines(500);
  assert.ok(drawn.count > 0 && drawn.count < 500 && drawn.lines.length === drawn.count, `${drawn.lines.length}`);
  assert.equal(animator.getConstraints(9).constraints.length, 0);
  body.calibrate(CalibrationPose.TPose, TrackerScale.Height, 0);
  assert.equal(body.getPartWeight(TrackedPart.LeftLeg), 1);
  body.setPartWeight(TrackedPart.LeftLeg, 0.25);
  assert.equal(body.getPartWeight(TrackedPart.LeftLeg), 0.25);
  assert.throws(() => body.setPartWeight(TrackedPart.Pelvis, Number.NaN), Error);
  body.setPartWeight(TrackedPart.LeftLeg, 1);
  body.update(0);
  const packet = body.pack(200);
  assert.equal(packet.bytes.length, packet.size);
  const remote = tracked(sinew).body;
  remote.receive(packet.bytes, 0);

  const whole = sinew.createBody(skeleton, 0);
  const task = whole.addTask({ kind: BodyTaskKind.Position, joint: hand, goal: { x: 0.5, y: 1.7, z: 0.5 } });
  whole.pose.set(rig.rest);
  whole.solve(0);
  assert.equal(whole.getLimitedJoints(task, 64).joints.length, whole.getLimitedJoints(task, 64).count);
  const { bytes, size } = whole.snapshot(100000);
  assert.equal(bytes.length, size);
  assert.deepEqual(whole.save(), bytes);
  whole.restore(bytes);
  assert.throws(() => sinew.createBody(skeleton, 0).restore(bytes.slice(1)), SinewError);

  const foot = sinew.footModelDefault?.() ?? {};
  const grounder = sinew.createGrounder([foot, foot]);
  const zero = { x: 0, y: 0, z: 0 };
  const legs = [0.1, -0.1].map((x) => ({
    hip: { x, y: 0.9, z: 0 }, knee: { x, y: 0.5, z: 0.05 }, ankle: { x, y: 0.08, z: 0 }, ball: { x, y: 0.02, z: 0.12 },
    foot: { x: 0, y: 0, z: 0, w: 1 }, weight: 1, contact: 0, hasLanding: 0, landingTimeS: 0, landing: zero,
  }));
  const count = grounder.begin({}, legs);
  const asked = grounder.getQueries(count + 20);
  assert.deepEqual([asked.count, asked.queries.length], [count, count]);
  // In centimetres its rays are a hundred times as long.
  const large = sinew.createGrounder([foot, foot], { scale: 100 });
  const times = ({ x, y, z }) => ({ x: 100 * x, y: 100 * y, z: 100 * z });
  const moved = ["hip", "knee", "ankle", "ball"];
  large.begin({}, legs.map((leg) => ({ ...leg, ...Object.fromEntries(moved.map((at) => [at, times(leg[at])])) })));
  const { queries } = large.getQueries(count + 20);
  assert.ok(Math.abs(queries[0].length / asked.queries[0].length - 100) < 1e-3, `${queries[0].length}`);
  assert.equal(large.getSettings().scale, 100);
});

test("the pose of a destroyed object is refused: its memory is another's", async () => {
  const sinew = await load();
  const { rig, skeleton, body } = tracked(sinew);
  const animator = sinew.createAnimator(skeleton);
  const whole = sinew.createBody(skeleton, 0);
  const again = new animator.constructor(sinew.memory, animator.handle, rig.parents.length);
  for (const object of [animator, body, whole]) {
    assert.equal(object.pose.length, rig.rest.length);
    object.destroy();
    const refused = (error) => error instanceof SinewError && error.code === Result.ErrorInvalidHandle;
    assert.throws(() => object.pose, refused);
    assert.throws(() => object.destroy(), refused);
    assert.throws(() => object.pose, refused);
  }
  assert.throws(() => again.pose, SinewError, "another wrapper of the same animator");
  assert.throws(() => whole.solve(0), SinewError);
  assert.throws(() => body.apply(), SinewError);
});

test("what is no number is refused, and not taken as 0", async () => {
  const sinew = await load();
  const skeleton = sinew.createSkeleton(person());
  const animator = sinew.createAnimator(skeleton, sinew.createAvatar(skeleton));
  const before = animator.getIkPosition(IkGoal.LeftFoot);
  const point = { x: 9, y: 9, z: 9 };
  for (const goal of ["RightHand", undefined, null, NaN, 1.5, IkGoal.Bogus, true]) {
    assert.throws(() => animator.setIkPosition(goal, point), { name: "TypeError", message: /goal is / });
  }
  assert.throws(() => animator.setIkPosition("RightHand", point), /goal is "RightHand", not an integer/);
  assert.deepEqual(animator.getIkPosition(IkGoal.LeftFoot), before);
  for (const wrong of [undefined, "1", null]) {
    assert.throws(() => animator.setIkPositionWeight(IkGoal.LeftHand, wrong), { name: "TypeError", message: /weight is / });
    assert.throws(() => animator.getJointWorld(wrong), TypeError);
  }
  assert.throws(() => animator.createChain({ end: "Head" }), { name: "TypeError", message: /joint is "Head"/ });
  assert.throws(() => sinew.createBody(skeleton, 0).addTask({ kind: "Position", joint: 3 }), /kind is "Position"/);
  assert.throws(() => sinew.createSkeleton({ ...tail(1), parents: [-1, undefined] }), /element 1 of a list/);
  assert.throws(() => sinew.createAvatar(skeleton, { Hips: "Hips" }), /Hips is "Hips"/);
  for (const room of [undefined, -64, NaN]) assert.throws(() => animator.getDebugLines(room));
  animator.setIkPosition(IkGoal.RightHand, point);
});

test("one character of many that fails keeps none from being solved, and is named", async () => {
  const sinew = await load();
  const skeleton = sinew.createSkeleton(tail(3));
  const world = sinew.createWorld();
  const animators = [0, 1, 2].map(() => {
    const animator = sinew.createAnimator(skeleton);
    animator.setConstraintPosition(animator.createChain({ end: 3 }), 0, { x: 0.1, y: 0.2, z: 0 });
    world.join(animator);
    return animator;
  });
  const reached = (animator) => far(positions(tail(3).parents, animator.pose)[3], [0.1, 0.2, 0]) < 1e-4;
  for (const solve of ["solveRows", "animatorSolveBatch"]) {
    for (const animator of animators) animator.resetPose();
    animators[1].pose[3] = NaN;
    if (solve === "solveRows") {
      const { report, results, states, error } = world.solveRows();
      assert.deepEqual([report.solved, report.failed], [2, 1]);
      assert.deepEqual(results, [Result.Ok, Result.ErrorNotFinite, Result.Ok]);
      assert.deepEqual(states, [RowState.Solved, RowState.Failed, RowState.Solved]);
      assert.match(error.message, /row 1.*NaN/);
    } else {
      assert.deepEqual(sinew.animatorSolveBatch(animators), [Result.Ok, Result.ErrorNotFinite, Result.Ok]);
      assert.match(sinew.lastError(), /NaN/);
    }
    assert.ok(reached(animators[0]) && reached(animators[2]), solve);
  }
  animators[1].resetPose();
  assert.equal(world.solveRows().error, undefined);
  assert.throws(() => world.solve({ layout: PoseLayout.Records, rowCount: 3, records: 0xfffffff0, recordsStride: 160 }), /records is 4294967280/);
  assert.throws(() => world.solve({ rowCount: 3, outResults: sinew.memory.data.byteLength - 4 }), RangeError);
  assert.equal(world.solve().solved, 3);
});

/** C functions without a method, each for a reason that the page of the package gives. */
const NO_METHOD = [
  "sinew_animator_draw", "sinew_body_add_host_task", "sinew_default_sized", "sinew_grounder_solve", "sinew_job_run",
  "sinew_record_begin_callback", "sinew_set_allocator", "sinew_world_set_budget", "sinew_world_set_jobs",
];

test("every function of the C interface has a method, but for those that need callbacks or threads", async () => {
  const folder = new URL("./", Sinew.url());
  const scripts = (await readdir(folder)).filter((name) => name.endsWith(".js"));
  const texts = await Promise.all(scripts.map((name) => readFile(new URL(name, folder), "utf8")));
  const called = new Set(texts.flatMap((text) => text.match(/(?<=exports\.)sinew_\w+/g) ?? []));
  const all = Object.keys((await load()).exports).filter((name) => name.startsWith("sinew_"));
  assert.deepEqual(all.filter((name) => !called.has(name)).sort(), NO_METHOD);
});

test("node reads the module beside the package without being given its bytes", async () => {
  const sinew = await Sinew.load();
  assert.equal(sinew.version().abi, (await load()).version().abi);
});

test("a hand is dragged while the other one stays", async () => {
  const sinew = await load();
  const rig = person();
  const body = sinew.createBody(sinew.createSkeleton(rig), 0);
  const [left, right] = ["LeftHand", "RightHand"].map((name) => rig.names.indexOf(name));
  const goal = { x: 0.4, y: 1.6, z: 0.4 };
  body.pose.set(rig.rest);
  const stays = positions(rig.parents, rig.rest)[right];
  const outcome = body.drag({ joint: left, goal, pins: [{ joint: right }] });
  assert.equal(outcome.status, Status.Reached);
  const places = positions(rig.parents, body.pose);
  assert.ok(far(places[left], [0.4, 1.6, 0.4]) < 1e-3 && far(places[right], stays) < 1e-3);
  const before = body.pose.slice();
  assert.throws(() => body.drag({ joint: left, goal: { ...goal, y: NaN } }), /sinew_body_drag: .*y is NaN/);
  assert.throws(() => body.drag({ joint: 99, goal }), /sinew_body_drag: .*99/);
  assert.throws(() => body.drag({ joint: left, goal, pins: [{ joint: "RightHand" }] }), /joint is "RightHand"/);
  assert.deepEqual(body.pose, before, "a refused call changes nothing");
  const rotation = { x: 0, y: Math.SQRT1_2, z: 0, w: Math.SQRT1_2 };
  assert.equal(body.drag({ joint: left, goal, rotation, flags: BODY_DRAG_ROTATION }).status, Status.Reached);
});

test("many bodies in one call have the bits of single solves; one that fails keeps none from it", async () => {
  const sinew = await load();
  const rig = person();
  const skeleton = sinew.createSkeleton(rig);
  const joint = rig.names.indexOf("LeftHand");
  const make = (i) => {
    const body = sinew.createBody(skeleton, 0);
    body.addTask({ kind: BodyTaskKind.Position, joint, goal: { x: 0.4, y: 1.2 + 0.1 * i, z: 0.4 } });
    body.pose.set(rig.rest);
    return body;
  };
  const [together, alone] = [0, 1].map(() => [0, 1, 2].map(make));
  const { report, works, error } = Body.solveBatch([together[0], { body: together[1] }, together[2]], 1 / 60);
  assert.deepEqual([report, error], [{ solved: 3, cut: 0, failed: 0 }, undefined]);
  together.forEach((body, i) => {
    assert.deepEqual(works[i].outcome, alone[i].solve(1 / 60));
    assert.deepEqual(body.pose, alone[i].pose);
  });
  together[1].pose[3] = NaN;
  const second = Body.solveBatch(together, 1 / 60);
  assert.equal(second.report.failed, 1);
  assert.deepEqual(second.works.map(({ result }) => result), [Result.Ok, Result.ErrorNotFinite, Result.Ok]);
  assert.equal(second.works[2].state, BodyWorkState.Solved);
  assert.match(second.error.message, /NaN/);
  assert.throws(() => Body.solveBatch([together[0], together[0]]), SinewError);
  assert.throws(() => Body.solveBatch(together, "1"), /dtS is "1"/);
  assert.match(Body.solveBatch([{ body: together[0], iterationShare: NaN }]).error.message, /iteration_share/);
  assert.deepEqual(Body.solveBatch([]).works, []);
});

test("plain arrays: a chain, model frames and limbs", async () => {
  const sinew = await load();
  const rig = tail(6);
  const goal = { x: 0.3, y: 0.35, z: 0.1 };
  const animator = sinew.createAnimator(sinew.createSkeleton(rig));
  const chain = animator.createChain({ end: 6 });
  animator.setConstraintPosition(chain, 0, goal);
  animator.solve();
  const pose = rig.rest.slice();
  const input = { parents: rig.parents, rest: rig.rest, chain: { end: 6 }, goals: [{ set: CONSTRAINT_POSITION, position: goal }] };
  assert.deepEqual(sinew.chainSolve(input, pose), animator.getConstraintOutcome(chain));
  assert.deepEqual(pose, animator.pose.slice(), "the bits of a constraint");
  animator.setConstraintInertializationTime(chain, 0.5);
  assert.equal(animator.getConstraintInertializationTime(chain), 0.5);
  const timed = (dt) => {
    animator.pose.set(rig.rest);
    animator.advance(dt);
    animator.solve();
    return animator.pose.slice();
  };
  timed(0.1);
  animator.inertializeConstraint(chain);
  animator.setConstraintPosition(chain, 0, { x: -0.3, y: 0.35, z: 0.1 });
  const under = timed(0);
  assert.ok(Math.max(...under.map((number, i) => Math.abs(number - pose[i]))) < 1e-4, "nothing moves at once");
  assert.ok(animator.getConstraintIsInertializing(chain));
  const after = timed(0.5);
  assert.ok(Math.max(...after.map((number, i) => Math.abs(number - pose[i]))) > 0.1, "it goes over");
  for (let frame = 0; frame < 20; ++frame) timed(0.5);
  assert.ok(!animator.getConstraintIsInertializing(chain));
  const frames = sinew.modelFramesCompute(rig.parents, pose);
  positions(rig.parents, pose).forEach((at, i) => assert.ok(far(Object.values(frames[i].position), at) < 1e-5, `joint ${i}`));
  const limits = rig.parents.map((_, i) => (i === 2 ? { flags: 0 } : null));
  assert.equal(sinew.chainSolve({ ...input, limits }, pose).status, Status.Reached);

  const wrong = [
    [{ goals: [] }, /goals has 0 elements, not 1/], [{ limits: [null] }, /limits has 1 elements, not 7/],
    [{ rest: rig.rest.slice(10) }, /rest has 60 elements, not 70/], [{ chain: {} }, /goals has 1 elements, not 0/],
  ];
  for (const [change, message] of wrong) assert.throws(() => sinew.chainSolve({ ...input, ...change }, pose), { name: "RangeError", message });
  assert.throws(() => sinew.chainSolve(input, pose.slice(1)), /pose has 69 elements, not 70/);
  assert.throws(() => sinew.chainSolve(input, Array.from(pose)), /pose is no Float32Array/);
  assert.throws(() => sinew.chainSolve(input, animator.pose), /view of the module's memory/);
  assert.throws(() => sinew.chainSolve({ ...input, chain: { end: 77 } }, pose), /sinew_chain_solve: .*77/);
  assert.throws(() => sinew.modelFramesCompute([0], pose.slice(0, 10)), /sinew_model_frames_compute/);

  const arm = person();
  const [root, mid, end] = ["LeftUpperArm", "LeftLowerArm", "LeftHand"].map((name) => arm.names.indexOf(name));
  const beyond = sinew.jointLimbSolveRecords(arm.rest, [{ root, mid, end }], [{ target: { x: 0.3, y: 0.1, z: 0.2 } }]);
  const places = positions(arm.parents, arm.rest);
  assert.equal(beyond[0], 0);
  assert.ok(far(places[end].map((a, i) => a - places[root][i]), [0.3, 0.1, 0.2]) < 1e-5);
  assert.throws(() => sinew.jointLimbSolveRecords(arm.rest, [{ root, mid, end }], []), /jobs has 0 elements, not 1/);
  assert.throws(() => sinew.jointLimbSolveRecords(arm.rest, [{ root, mid, end: 99 }], [{}]), /99/);
});

test("grounders: answers from a function, and many in two calls", async () => {
  const sinew = await load();
  const legs = [0.1, -0.1].map((x) => ({
    hip: { x, y: 0.9, z: 0 }, knee: { x, y: 0.5, z: 0.05 }, ankle: { x, y: 0.08, z: 0 }, ball: { x, y: 0.02, z: 0.12 },
    foot: { x: 0, y: 0, z: 0, w: 1 },
  }));
  const cast = ({ origin }) => ({ point: { x: origin.x, y: 0.1 + 0.1 * origin.x, z: origin.z }, normal: { x: -0.1, y: 1, z: 0 } });
  const [one, ...many] = [0, 1, 2].map(() => sinew.createGrounder([{}, {}]));
  for (let frame = 0; frame < 30; frame++) {
    one.solve({}, legs, cast);
    const queries = Grounder.beginBatch(many, many.map(() => ({})), many.map(() => legs));
    const answers = Grounder.finishBatch(many, queries.map((own) => own.map(cast)));
    for (const { body, legs } of answers) assert.deepEqual([body, legs], [one.getBody(), one.getLegs(2)]);
  }
  assert.ok(one.getLegs(2)[0].ankle.y > one.getLegs(2)[1].ankle.y + 0.01, "the ground is higher on the left");
  for (const none of [() => null, () => undefined, () => ({ hit: 0 })]) one.solve({}, legs, none);
  assert.throws(() => one.solve({}, legs, () => { throw new Error("no ground yet"); }), /no ground yet/);
  assert.throws(() => one.solve({}, [legs[0]], cast), { code: Result.ErrorLengthMismatch });
  assert.throws(() => Grounder.beginBatch(many, [{}], [legs, legs]), /frames has 1 elements, not 2/);
  assert.throws(() => Grounder.finishBatch(many, [[], []]), SinewError);
  one.setStepping(null, null);
  one.clearStepping();
});

test("counts are those of the lists, and no list is read beyond its end", async () => {
  const sinew = await load();
  const skeleton = sinew.createSkeleton(person());
  const animator = sinew.createAnimator(skeleton);
  const ends = [{ joint: 5, tip: { x: 0, y: 0, z: 0 } }];
  const corners = [[0, 1], [1, -1], [-1, -1]].map(([x, z]) => ({ x, y: 1, z }));
  const wrong = [
    [() => animator.addChain({ ends, endCount: 9, jointCount: 3 }), /addChain: endCount is 9, but ends has 1/],
    [() => animator.addChain({ ends, jointCount: 3, springBias: [1], springBiasCount: 3 }), /springBiasCount is 3/],
    [() => animator.addChain({ ends: "Head", jointCount: 3 }), /ends is "Head", not a list/],
    [() => animator.addAim({ end: 2, jointCount: 3, weights: [1], weightCount: 3 }), /weightCount is 3/],
    [() => animator.setJointLimits(3, { corners: [...corners, ...corners, ...corners] }), /corners has 9 elements, more than 8/],
    [() => animator.setJointLimits(3, { corners, cornerCount: 4 }), /cornerCount is 4/],
    [() => sinew.skeletonCreate({ jointCount: 100, parents: [-1], rest: new Float32Array(10) }), /jointCount is 100/],
    [() => sinew.createSkeleton({ ...tail(2), names: ["a"] }), /names has 1 elements, not 3/],
    [() => sinew.createAvatar(skeleton, undefined, { tPose: new Float32Array(10) }), /tPose has 10 elements, not 150/],
    [() => sinew.createAvatar(skeleton, undefined, { humanRanges: [], humanRangeCount: 2 }), /humanRangeCount is 2/],
  ];
  for (const [call, message] of wrong) assert.throws(call, { message });
  assert.throws(() => sinew.createAvatar(skeleton, [0, 1, 2]), /human_joint_count is 3, not 55/);
  animator.addChain({ ends, jointCount: 3 });
  assert.throws(() => animator.addAim({ end: 2, jointCount: 3, weights: [0.5, 0.5] }), /2 weights for 3 joints/);
  animator.setJointLimits(3, { corners });
  const limits = animator.getJointLimits(3);
  assert.equal(limits.cornerCount, 3);
  animator.setJointLimits(3, limits);
  assert.deepEqual(animator.getJointLimits(3), limits);
});

test("room that memory cannot have is refused, and the animator is still of use", async () => {
  const sinew = await load();
  const skeleton = sinew.createSkeleton(person());
  const animator = sinew.createAnimator(skeleton);
  assert.throws(() => animator.getDebugLines(1e9), RangeError);
  assert.throws(() => animator.getPose(1e8), RangeError);
  assert.throws(() => sinew.memory.allocate(-1), RangeError);
  assert.throws(() => sinew.memory.allocate(2 ** 32 + 16), RangeError);
  animator.solve();
  assert.equal(animator.getPose(15).length, 15);
});

test("objects of another instance, texts and coordinates that are none are refused", async () => {
  const [sinew, other] = [await load(), await load()];
  const skeleton = sinew.createSkeleton(person());
  const animator = sinew.createAnimator(skeleton, sinew.createAvatar(skeleton));
  other.createSkeleton(tail(1));
  assert.throws(() => other.createAnimator(skeleton), /Skeleton\) belongs to another instance/);
  assert.throws(() => sinew.createAnimator({}), /Object\) is no object of the library/);
  assert.throws(() => sinew.createAnimator(sinew.createAvatar(skeleton)), /of another kind/);
  assert.throws(() => skeleton.findJoint(undefined), /undefined, not a text/);
  assert.throws(() => skeleton.findJoint("Head\0Tip"), /zero character/);
  assert.throws(() => sinew.createSkeleton({ ...tail(1), names: ["a", undefined] }), /element 1 of a list of texts is undefined/);
  for (const z of [null, "0", undefined, true]) {
    assert.throws(() => animator.setIkPosition(IkGoal.LeftHand, { x: 0, y: 1, z }), /sinew_animator_set_ik_position: position.z is NaN/);
  }
  assert.throws(() => animator.setIkPosition(2 ** 32 + IkGoal.RightHand, { x: 0, y: 1, z: 0 }), /not an integer of 32 bits/);
});

/** Stands in for three.js, which the project does not have: as much of it as the adapter calls. */
const THREE = `
export class Vector3 {
  x = 0; y = 0; z = 0;
  set(x, y, z) { this.x = x; this.y = y; this.z = z; return this; }
  toArray(into, at) { into.set([this.x, this.y, this.z], at); }
  fromArray(a, at) { return this.set(a[at], a[at + 1], a[at + 2]); }
}
export class Quaternion {
  x = 0; y = 0; z = 0; w = 1;
  toArray(into, at) { into.set([this.x, this.y, this.z, this.w], at); }
  fromArray(a, at) { [this.x, this.y, this.z, this.w] = a.subarray(at, at + 4); }
}
export class Bone {
  isObject3D = true; isBone = true; parent = null; children = [];
  position = new Vector3(); quaternion = new Quaternion(); scale = new Vector3().set(1, 1, 1);
  matrixWorld = { decompose(p, q, s) { p.set(0, 0, 0); s.set(1, 1, 1); } };
  constructor(name) { this.name = name; }
  add(child) { child.parent = this; this.children.push(child); }
  traverse(call) { call(this); for (const child of this.children) child.traverse(call); }
  updateWorldMatrix() {}
  updateMatrixWorld() {}
}`;

register(`data:text/javascript,${encodeURIComponent(`export const resolve = (name, context, next) =>
  name === "three" ? { url: ${JSON.stringify(`data:text/javascript,${encodeURIComponent(THREE)}`)}, shortCircuit: true }
    : next(name, context);`)}`);

/** A character of a person's bones. */
async function threeCharacter() {
  const { Bone } = await import("three");
  const { Character } = await import("sinew-ik/three");
  const rig = person();
  const model = new Bone("model");
  const bones = rig.names.map((name) => new Bone(name));
  bones.forEach((bone, i) => {
    bone.position.fromArray(rig.rest, i * TRANSFORM_FLOATS);
    (bones[rig.parents[i]] ?? model).add(bone);
  });
  return { bones, character: new Character(await load(), model) };
}

test("chains of a three.js character end with a rebuild and their removal", async () => {
  const { bones, character } = await threeCharacter();
  const target = { x: 0.3, y: 1.2, z: 0.4 };
  const old = character.chain("LeftHand", target, { jointCount: 3 });
  character.update(0);
  character.rebuild({ armStretch: 0 });
  const cleared = { name: "RangeError", message: /LeftHand.*rebuild/ };
  assert.throws(() => character.setChainTarget(old, target), cleared);
  assert.throws(() => character.removeChain(old), cleared);
  character.update(0);
  const chain = character.chain("LeftHand", null, { jointCount: 3 });
  character.setChainTarget(chain, target);
  character.update(0);
  // A point has no rotation: the weight for it would turn the hand to the world's axes.
  character.reach(IkGoal.RightHand, { x: -0.3, y: 1.2, z: 0.4 }, 1, 1);
  assert.equal(character.animator.getIkRotationWeight(IkGoal.RightHand), 0);
  character.reach(IkGoal.RightHand, bones[0], 1, 1);
  assert.equal(character.animator.getIkRotationWeight(IkGoal.RightHand), 1);
  character.reach(IkGoal.RightHand, null);
  const pose = Float32Array.from(character.animator.pose);
  const hand = character.joint("LeftHand");
  assert.ok(far(positions(character.joints.map((j) => character.joints.indexOf(j.parent)), pose)[hand], [0.3, 1.2, 0.4]) < 1e-4);
  assert.throws(() => character.removeChain(old), cleared);
  character.removeChain(chain);
  assert.throws(() => character.removeChain(chain), cleared);
  character.update(0);
  character.destroy();
});

test("a bone that an animation moves and does not turn loses the last result", async () => {
  const { character } = await threeCharacter();
  character.reach(IkGoal.RightHand, { x: -0.3, y: 1.2, z: 0.4 });
  character.update(0);
  const arm = character.bone("RightUpperArm");
  assert.ok(Math.abs(arm.quaternion.w) < 0.99, "the arm turned");
  // As three's mixer does: it writes what changes, here the place alone.
  arm.position.y += 0.01;
  character.reach(IkGoal.RightHand, null);
  character.update(0);
  const { x, y, z, w } = arm.quaternion;
  assert.deepEqual([x, y, z, w], [0, 0, 0, 1]);
  character.destroy();
});
