// The right hand goes to a point, and the head looks at it.
import { IkGoal, Sinew } from "sinew-ik";

// Fifteen joints in a T-pose that face +Z. Yours come from a file or from your engine.
const joints = [["Hips", -1, 0, 1, 0], ["Spine", 0, 0, 0.2, 0], ["Head", 1, 0, 0.4, 0]];
for (const [side, x] of [["Left", 1], ["Right", -1]]) {
  const first = joints.length;
  joints.push([`${side}UpperArm`, 1, 0.2 * x, 0.3, 0], [`${side}LowerArm`, first, 0.28 * x, 0, 0]);
  joints.push([`${side}Hand`, first + 1, 0.25 * x, 0, 0], [`${side}UpperLeg`, 0, 0.1 * x, 0, 0]);
  joints.push([`${side}LowerLeg`, first + 3, 0, -0.45, 0.01], [`${side}Foot`, first + 4, 0, -0.45, -0.01]);
}
const parents = joints.map(([, parent]) => parent); // parents before children; -1: a root
const names = joints.map(([name]) => name);
const rest = new Float32Array(joints.flatMap(([, , ...at]) => [...at, 0, 0, 0, 1, 1, 1, 1]));

const sinew = await Sinew.load();
const skeleton = sinew.createSkeleton({ parents, rest, names });
const avatar = sinew.createAvatar(skeleton); // Mixamo, VRM, Unreal, Biped … names, or your own table
const animator = sinew.createAnimator(skeleton, avatar);
const handle = { x: -0.3, y: 1.2, z: 0.4 }; // world space, metres
animator.setIkPosition(IkGoal.RightHand, handle);
animator.setIkPositionWeight(IkGoal.RightHand, 1);
animator.setLookAtPosition(handle);
animator.setLookAtWeight(1, 0, 1, 0, 0.5);

for (let frame = 0; frame < 60; frame++) {
  // Rewrite every joint from your animation: the pose still holds the last result.
  animator.pose.set(rest);
  animator.solve(); // then read `animator.pose`
}
console.log(`the hand is ${animator.getIkOutcome(IkGoal.RightHand).residualM} m off`);
animator.destroy();
