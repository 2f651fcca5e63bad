//! Free chains of two bones under the default solver, which are solved in closed form, and joints
//! behind the last bone of a chain.

use sinew::chains::{self, Chain, ChainGoal, ChainPose, ChainSettings, ChainSolver, ChainWorkspace, Pole};
use sinew::limits::JointModel;
use sinew::math::{Quat, Vec3, arc, rotation_angle};
use sinew::outcome::{Outcome, Status};
use testkit::Random;

/// A chain of bones of any length, turned any way, with `behind` joints at its end whose bones have
/// none.
fn some_chain(bones: usize, behind: usize, random: &mut Random) -> (Chain, ChainPose) {
    let mut vectors: Vec<Vec3> = (0..bones).map(|_| random.unit_vector() * random.between(0.2, 0.6)).collect();
    vectors.resize(bones + behind, Vec3::ZERO);
    let rests: Vec<Quat> = vectors.iter().map(|_| random.rotation()).collect();
    let chain = Chain::serial(&vectors, &rests, &vec![JointModel::FREE; vectors.len()]).unwrap();
    let mut pose = ChainPose::rest(&chain);
    pose.rotations.iter_mut().for_each(|q| *q = random.rotation());
    (pose.root_position, pose.root_rotation) = (random.in_ball(1.0), random.rotation());
    (chain, pose)
}

/// The bones in the solve space.
fn bones(chain: &Chain, pose: &ChainPose) -> Vec<Vec3> {
    let (joints, mut rotation) = (chain.joints(), pose.root_rotation);
    let offset = |i: usize| joints.get(i + 1).map_or(chain.effectors()[0].offset, |next| next.offset);
    let mut lie = |i: usize| {
        rotation = (rotation * joints[i].rest * pose.rotations[i]).normalize();
        rotation * offset(i)
    };
    (0..joints.len()).map(&mut lie).collect()
}

fn tip(chain: &Chain, pose: &ChainPose) -> Vec3 {
    bones(chain, pose).iter().fold(pose.root_position, |at, bone| at + *bone)
}

fn solve(chain: &Chain, pose: &mut ChainPose, goal: ChainGoal) -> Outcome {
    let mut workspace = ChainWorkspace::new(chain);
    chains::solve(ChainSolver::Default, chain, pose, &[goal], &ChainSettings::default(), &mut workspace)
}

/// A target in reach, by a witness pose.
fn target(chain: &Chain, pose: &ChainPose, random: &mut Random) -> Vec3 {
    let mut witness = pose.clone();
    witness.rotations.iter_mut().for_each(|q| *q = random.rotation());
    tip(chain, &witness)
}

#[test]
fn two_bones_reach_without_an_iteration_and_keep_the_side_they_bend_to() {
    let mut random = Random::new(41);
    let mut judged = 0;
    for case in 0..2000 {
        let (chain, start) = some_chain(2, case % 3, &mut random);
        let goal = target(&chain, &start, &mut random);
        let mut pose = start.clone();
        let outcome = solve(&chain, &mut pose, ChainGoal::at(goal));
        let left = (tip(&chain, &pose) - goal).length();
        assert_eq!(outcome.status, Status::Reached, "{case}: {outcome:?}");
        assert!(left < 3e-6 * chain.length(), "{case}: {left}");

        let (before, after) = (bones(&chain, &start), bones(&chain, &pose));
        let (from, to) = (before[0] + before[1], goal - start.root_position);
        let (hinge, hinge_after) = (before[0].cross(before[1]), after[0].cross(after[1]));
        // Of no direction: straight or folded chains, and targets at the root; exactly behind is
        // the singular direction.
        let clear = |v: Vec3, least: f32| v.length() > least * chain.length();
        let flat = !clear(hinge, 0.01 * chain.length()) || !clear(hinge_after, 0.01 * chain.length());
        if flat || !clear(from, 0.02) || !clear(to, 0.02) || from.angle_between(to) > 3.0 {
            continue;
        }
        assert_eq!(outcome.iterations, 0, "{case}");
        let carried = arc(from.normalize(), to.normalize()) * hinge;
        let off = carried.angle_between(hinge_after);
        assert!(off < 3e-3, "{case}: the bend came {off} rad off its plane");
        judged += 1;
    }
    assert!(judged > 1500, "{judged}");
}

#[test]
fn two_bones_out_of_reach_end_straight() {
    let mut random = Random::new(42);
    for case in 0..300 {
        let (chain, mut pose) = some_chain(2, case % 2, &mut random);
        let direction = random.unit_vector();
        let goal = pose.root_position + direction * (chain.length() * random.between(1.01, 4.0));
        let outcome = solve(&chain, &mut pose, ChainGoal::at(goal));
        assert_eq!(outcome.status, Status::Unreachable, "{case}");
        let off = (tip(&chain, &pose) - (pose.root_position + direction * chain.length())).length();
        assert!(off < 3e-6 * chain.length(), "{case}: {off}");
    }
}

#[test]
fn a_rotation_goal_turns_the_joint_behind_two_bones() {
    let mut random = Random::new(43);
    for case in 0..500 {
        let (chain, start) = some_chain(2, 1 + case % 2, &mut random);
        let (goal, turned) = (target(&chain, &start, &mut random), random.rotation());
        let pole = Pole::point(random.in_ball(2.0));
        let pole = if case % 2 == 0 { Some(pole) } else { None };
        let mut pose = start.clone();
        let outcome = solve(&chain, &mut pose, ChainGoal { pole, ..ChainGoal::pose(goal, turned) });
        assert_eq!(outcome.status, Status::Reached, "{case}: {outcome:?}");
        assert!((tip(&chain, &pose) - goal).length() < 3e-6 * chain.length(), "{case}");
        let stands = chain.joints().iter().zip(&pose.rotations).fold(pose.root_rotation, |q, (j, r)| q * j.rest * *r);
        assert!(rotation_angle(stands.normalize() * turned.conjugate()) < 1e-5, "{case}");
    }
}

#[test]
fn joints_behind_the_last_bone_are_carried_along() {
    let mut random = Random::new(44);
    for bones in [2, 3, 5, 9, 20, 40] {
        for case in 0..60 {
            let (chain, start) = some_chain(bones, 1 + case % 2, &mut random);
            let far = tip(&chain, &start) - start.root_position;
            // Once longer, once shorter.
            let share = if case % 4 < 2 { random.between(0.6, 0.95) } else { random.between(1.05, 1.4) };
            let goal = start.root_position + random.rotation_within(1.0) * far * share;
            let mut pose = start.clone();
            if solve(&chain, &mut pose, ChainGoal::at(goal)).status != Status::Reached {
                continue;
            }
            for joint in bones..chain.joints().len() {
                let turned = rotation_angle(pose.rotations[joint] * start.rotations[joint].conjugate());
                assert!(turned < 1e-4, "{bones} bones, {case}: joint {joint} turned by {turned} rad");
            }
        }
    }
}
