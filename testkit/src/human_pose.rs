//! Random human poses: every bone within its range, elbows and knees bent in their direction.

use crate::axes::{Side, turn};
use crate::hand;
use crate::mannequin::{Mannequin, RigView};
use crate::random::Random;
use sinew::humanoid::HumanBone::*;
use sinew::math::{Quat, Transform};

/// Local transforms of a random pose within human ranges, one per joint. `amount01` is how much of
/// the range is used: near 0 gives arms and legs close to a T-pose, 1 everything a limber adult can
/// do. The hips keep their place and turn only a little.
pub fn random_human_pose(view: RigView, random: &mut Random, amount01: f32) -> Vec<Transform> {
    let mut mannequin = Mannequin::new(view);
    let axes = mannequin.axes();
    let (right, up, forward) = (axes.right, axes.up, axes.forward);
    let mut range = |low_deg: f32, high_deg: f32| random.between(low_deg, high_deg) * amount01;

    let hips = turn(forward, right, range(-30.0, 30.0)) * turn(up, forward, range(-10.0, 20.0));
    mannequin.turn(Hips, hips.normalize());
    for (bone, limit) in [(Spine, 15.0), (Chest, 12.0), (UpperChest, 10.0), (Neck, 20.0), (Head, 25.0)] {
        let lean = turn(up, forward, range(-0.6 * limit, limit));
        let tilt = turn(up, right, range(-0.7 * limit, 0.7 * limit));
        let twist = turn(forward, right, range(-limit, limit));
        mannequin.turn(bone, (twist * lean * tilt).normalize());
    }
    for side in Side::BOTH {
        let out = axes.out(side);
        let shrug = turn(out, up, range(-5.0, 25.0)) * turn(out, forward, range(-15.0, 20.0));
        mannequin.turn(side.pick(LeftShoulder, RightShoulder), shrug.normalize());
        // From T-pose: down to the side or up beside the head; back or across the chest; rolled in
        // or out.
        let lift = turn(out, up, range(-80.0, 60.0));
        let swing = turn(out, forward, range(-30.0, 100.0));
        let roll = turn(forward, up, range(-60.0, 60.0));
        mannequin.turn(side.pick(LeftUpperArm, RightUpperArm), (swing * lift * roll).normalize());
        let elbow = turn(out, forward, range(0.0, 140.0)) * turn(forward, up, range(-20.0, 110.0));
        mannequin.turn(side.pick(LeftLowerArm, RightLowerArm), elbow.normalize());
        let wrist = turn(out, up, range(-60.0, 55.0)) * turn(out, forward, range(-25.0, 15.0));
        mannequin.turn(side.pick(LeftHand, RightHand), wrist.normalize());
        for finger in 1..5 {
            for segment in 0..3 {
                let bend = turn(out, -up, range(0.0, 80.0));
                mannequin.turn(hand::finger_bone(side, finger, segment), bend);
            }
        }
        let thigh = turn(-up, forward, range(-20.0, 100.0))
            * turn(-up, out, range(-15.0, 45.0))
            * turn(forward, out, range(-30.0, 40.0));
        mannequin.turn(side.pick(LeftUpperLeg, RightUpperLeg), thigh.normalize());
        mannequin.turn(side.pick(LeftLowerLeg, RightLowerLeg), turn(-up, -forward, range(0.0, 130.0)));
        let foot: Quat = turn(forward, up, range(-40.0, 20.0)) * turn(up, out, range(-15.0, 15.0));
        mannequin.turn(side.pick(LeftFoot, RightFoot), foot.normalize());
        mannequin.turn(side.pick(LeftToes, RightToes), turn(forward, up, range(-20.0, 45.0)));
    }
    mannequin.into_locals()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matchers;
    use crate::person::{PersonOptions, person};
    use crate::rolls::BoneRolls;

    #[test]
    fn poses_are_sound_and_joints_bend_their_way() {
        for bone_rolls in BoneRolls::ALL {
            let person = person(&PersonOptions { bone_rolls, ..PersonOptions::default() });
            let mut random = Random::new(21);
            for _ in 0..50 {
                let pose = random_human_pose(person.view(), &mut random, 1.0);
                matchers::assert_sound(&pose);
                matchers::assert_bone_lengths_kept(&person.skeleton, &person.t_pose, &pose, 1e-5);
                let none = random_human_pose(person.view(), &mut random, 0.0);
                assert!(matchers::max_joint_step_rad(&none, &person.t_pose) < 2e-3);
            }
        }
    }
}
