//! More of what players of other systems complain of: limbs, noise, motion of the whole body.

use crate::player::{Player, SIX, THREE, angle_at, avatar, missed, place, with_t_pose};
use sinew::humanoid::HumanBone::{self, *};
use sinew::math::{Quat, Transform, Vec3, axis_angle, rotation_angle, swing_twist};
use sinew::trackers::{TrackedBodySettings, TrackerRole};
use testkit::matchers::Affine64;
use testkit::random::Random;

fn player(settings: TrackedBodySettings, roles: &[TrackerRole]) -> Player {
    let mut player = Player::new(settings);
    player.calibrate(roles);
    player
}

const TEN: &[TrackerRole] = &[
    TrackerRole::Head,
    TrackerRole::LeftHand,
    TrackerRole::RightHand,
    TrackerRole::Hips,
    TrackerRole::LeftFoot,
    TrackerRole::RightFoot,
    TrackerRole::LeftElbow,
    TrackerRole::RightElbow,
    TrackerRole::LeftKnee,
    TrackerRole::RightKnee,
];

#[test]
fn lifting_a_leg_does_not_bend_the_chest() {
    // "With both", head and hips locked, leg motion disturbs the spine elsewhere.
    let both = TrackedBodySettings { hips_lock: 1.0, ..TrackedBodySettings::default() };
    for settings in [TrackedBodySettings::default(), both] {
        let mut player = player(settings, SIX);
        let [up, forward, _] = player.axes();
        player.at_ease(SIX, Quat::IDENTITY, Vec3::ZERO);
        let before = player.frame();
        for step in 0..40 {
            player.at_ease(SIX, Quat::IDENTITY, Vec3::ZERO);
            let lift = step as f32 / 39.0;
            let foot = player.rest(LeftFoot) + up * (0.5 * lift) + forward * (0.3 * lift);
            player.give(TrackerRole::LeftFoot, foot, Quat::IDENTITY);
            let frames = player.frame();
            for bone in [Spine, Chest, Neck, Head] {
                let moved = place(&frames, &player.avatar, bone).distance(place(&before, &player.avatar, bone));
                assert!(moved < 1e-4, "step {step}: {bone:?} moved {moved} m");
            }
        }
    }
}

#[test]
fn a_head_that_comes_down_to_the_hips_does_not_fold_the_spine() {
    let mut player = player(TrackedBodySettings::default(), SIX);
    let [up, ..] = player.axes();
    for step in 0..60 {
        player.at_ease(SIX, Quat::IDENTITY, Vec3::ZERO);
        let head = player.rest(Head) - up * (0.18 * step as f32 / 60.0);
        player.give(TrackerRole::Head, head, Quat::IDENTITY);
        let frames = player.frame();
        for bones in [[Hips, Spine, Chest], [Spine, Chest, Neck], [Chest, Neck, Head]] {
            let angle = angle_at(&frames, &player.avatar, bones);
            assert!(angle > 1.0, "step {step}: {:?} is bent to {angle} rad", bones[1]);
        }
        assert!(missed(&frames, &player.avatar, TrackerRole::Head, head) < 1e-3, "step {step}");
    }
}

#[test]
fn elbow_trackers_give_no_impossible_elbows() {
    let mut player = player(TrackedBodySettings::default(), TEN);
    let [up, forward, left] = player.axes();
    let bones = [LeftUpperArm, LeftLowerArm, LeftHand];
    let lengths = |frames: &[Affine64], player: &Player| {
        let [a, b, c] = bones.map(|bone| place(frames, &player.avatar, bone));
        [a.distance(b), b.distance(c)]
    };
    player.stand(TEN, Quat::IDENTITY, Vec3::ZERO);
    let rest = player.frame();
    let own = lengths(&rest, &player);
    for slip in [Vec3::ZERO, up * 0.08, -up * 0.08, forward * 0.1, left * 0.1, -left * 0.12] {
        for step in 0..30 {
            player.at_ease(TEN, Quat::IDENTITY, Vec3::ZERO);
            let far = 0.2 + 0.01 * step as f32;
            let hand = player.rest(LeftUpperArm) + forward * far - up * 0.1;
            player.give(TrackerRole::LeftHand, hand, axis_angle(up, -1.4));
            // The elbow's tracker has slipped.
            let elbow = player.rest(LeftUpperArm) - up * 0.22 + forward * (0.5 * far) + slip;
            player.give(TrackerRole::LeftElbow, elbow, axis_angle(forward, -1.2));
            let frames = player.frame();
            for (now, own) in lengths(&frames, &player).into_iter().zip(own) {
                assert!((now - own).abs() < 1e-4, "slip {slip}: a bone of {own} m has {now} m");
            }
            let angle = angle_at(&frames, &player.avatar, bones);
            assert!(angle > 0.35, "slip {slip}, step {step}: the elbow is bent to {angle} rad");
            assert!(missed(&frames, &player.avatar, TrackerRole::LeftHand, hand) < 1e-3, "slip {slip}");
        }
    }
}

#[test]
fn the_twist_of_a_hand_is_shared_by_the_forearm() {
    let mut player = player(TrackedBodySettings::default(), SIX);
    let [up, forward, left] = player.axes();
    let twist_of = |player: &mut Player, twist: f32| {
        for _ in 0..2 {
            player.at_ease(SIX, Quat::IDENTITY, Vec3::ZERO);
            let hand = player.rest(LeftUpperArm) + forward * 0.4 - up * 0.1;
            // The forearm's side of the hand points forward; twisted about it.
            let turn = axis_angle(forward, twist) * axis_angle(up, -core::f32::consts::FRAC_PI_2);
            player.give(TrackerRole::LeftHand, hand, turn.normalize());
            player.frame();
        }
        let mut pose = sinew::skeleton::Pose::rest(player.avatar.skeleton());
        pose.local_mut().copy_from_slice(player.body.pose());
        pose.update(player.avatar.skeleton());
        let of = |bone: HumanBone| pose.model(player.avatar.joint(bone).expect("a bone"));
        (of(LeftLowerArm).rotation, of(LeftHand).position - of(LeftLowerArm).position)
    };
    let (before, _) = twist_of(&mut player, 0.0);
    let (after, along) = twist_of(&mut player, 1.0);
    let turned = swing_twist((after * before.conjugate()).normalize(), along.normalize()).1;
    let share = rotation_angle(turned);
    assert!((0.3..0.8).contains(&share), "the forearm takes {share} rad of 1, to the {left}");
}

#[test]
fn arms_do_not_flicker_near_the_straight_pose() {
    let mut player = player(TrackedBodySettings::default(), THREE);
    let [up, forward, left] = player.axes();
    let shoulder = player.rest(LeftUpperArm);
    let whole = shoulder.distance(player.rest(LeftHand));
    let mut last = None::<Vec3>;
    for frame in 0..600 {
        let t = frame as f32 / 60.0;
        player.at_ease(THREE, Quat::IDENTITY, Vec3::ZERO);
        // To and fro through the straight arm, while it goes around.
        let far = whole * (0.985 + 0.02 * sinew::math::float::sin(2.0 * t));
        let way = axis_angle(up, 0.5 * sinew::math::float::sin(0.7 * t)) * (left * 0.6 + forward * 0.8);
        player.give(TrackerRole::LeftHand, shoulder + way * far, axis_angle(up, -0.9));
        let frames = player.frame();
        let elbow = place(&frames, &player.avatar, LeftLowerArm);
        if let Some(last) = last.filter(|_| frame > 1) {
            assert!(elbow.distance(last) < 0.025, "frame {frame}: the elbow jumps {} m", elbow.distance(last));
        }
        last = Some(elbow);
    }
}

#[test]
fn arms_do_not_jitter_when_the_body_itself_moves() {
    let mut player = player(TrackedBodySettings::default(), SIX);
    let [up, forward, _] = player.axes();
    let mut first = None::<Vec<Vec3>>;
    for frame in 0..240 {
        let t = frame as f32 / 60.0;
        let (turn, way) = (axis_angle(up, 0.9 * t), forward * (1.7 * t));
        player.at_ease(SIX, turn, way);
        let frames = player.frame();
        // Everything as seen from the body, which is always the same.
        let seen: Vec<Vec3> = [LeftUpperArm, LeftLowerArm, LeftHand, RightLowerArm, LeftLowerLeg, Chest]
            .into_iter()
            .map(|bone| turn.conjugate() * (place(&frames, &player.avatar, bone) - way))
            .collect();
        let first = first.get_or_insert_with(|| seen.clone());
        for (a, b) in seen.iter().zip(first) {
            assert!(a.distance(*b) < 1e-4, "frame {frame}: a joint is {} m off", a.distance(*b));
        }
    }
}

#[test]
fn locomotion_animation_does_not_shift_the_legs() {
    let mut player = player(TrackedBodySettings::default(), SIX);
    player.at_ease(SIX, Quat::IDENTITY, Vec3::ZERO);
    player.frame();
    let mut still = player.avatar.t_pose().to_vec();
    let mut walking = still.clone();
    let walked: Vec<_> = [LeftUpperLeg, LeftLowerLeg, Hips, Spine].map(|b| player.avatar.joint(b)).into();
    for joint in walked.into_iter().flatten() {
        walking[joint].rotation = axis_angle(Vec3::X, 0.6);
        walking[joint].position += Vec3::splat(0.1);
    }
    assert!(player.body.apply(&mut still) && player.body.apply(&mut walking));
    assert!(crate::player::local_equal(&still, &walking), "the animation shows through");
}

#[test]
fn feet_are_not_glued_together_and_elbows_do_not_turn_around() {
    let mut player = player(TrackedBodySettings::default(), THREE);
    let [up, _, left] = player.axes();
    let apart = (player.rest(LeftFoot) - player.rest(RightFoot)).dot(left);
    for step in 0..480 {
        let t = step as f32 / 60.0;
        // Standing, then going down and up, then turning on the spot.
        let down = if t < 4.0 { 0.15 * (1.0 - sinew::math::float::cos(1.6 * t)) } else { 0.0 };
        let turn = axis_angle(up, 0.8 * (t - 4.0).max(0.0));
        player.at_ease(THREE, turn, up * -down);
        // The hands before the belly.
        for (role, side) in [(TrackerRole::LeftHand, 1.0), (TrackerRole::RightHand, -1.0)] {
            let shoulder = player.rest(if side > 0.0 { LeftUpperArm } else { RightUpperArm });
            let [up, forward, left] = player.axes();
            let at = shoulder - up * 0.35 + forward * 0.3 - left * (0.05 * side);
            player.give(role, turn * at - up * down, (turn * axis_angle(up, -side * 1.4)).normalize());
        }
        let frames = player.frame();
        let at = |bone| turn.conjugate() * place(&frames, &player.avatar, bone);
        let between = {
            let off = at(LeftFoot) - at(RightFoot);
            (off - up * off.dot(up)).length()
        };
        assert!(between > 0.6 * apart, "step {step}: the ankles are {between} m apart, of {apart} m");
        let [_, forward, left] = player.axes();
        for (arm, side) in
            [([LeftUpperArm, LeftLowerArm, LeftHand], 1.0), ([RightUpperArm, RightLowerArm, RightHand], -1.0)]
        {
            let [shoulder, elbow, hand] = arm.map(at);
            let line = (hand - shoulder).normalize();
            let off = elbow - shoulder;
            let side_of_arm = off - line * off.dot(line);
            // Behind the line from shoulder to hand, or outside of it, and never above and inside.
            let outward = side_of_arm.dot(left) * side;
            assert!(side_of_arm.dot(forward) < 0.02, "step {step}: an elbow points forward: {side_of_arm}");
            assert!(outward > -0.05, "step {step}: an elbow points inward by {outward} m");
        }
    }
}

/// The usual person with joints whose axes are along nothing; `bent`: knees and elbows beside the
/// straight line of their limbs, metres.
fn with_odd_joints(bent: f32) -> std::sync::Arc<sinew::humanoid::Avatar> {
    let usual = avatar();
    let skeleton = usual.skeleton();
    let mut pose = sinew::skeleton::Pose::rest(skeleton);
    pose.local_mut().copy_from_slice(usual.t_pose());
    pose.update(skeleton);
    let mut random = Random::new(7);
    let axes = usual.axes();
    let mut model: Vec<_> = (0..skeleton.joint_count()).map(|joint| pose.model(joint)).collect();
    for (bone, off) in [
        (LeftLowerLeg, axes.right),
        (RightLowerLeg, axes.forward),
        (LeftLowerArm, axes.up),
        (RightLowerArm, -axes.forward),
    ] {
        model[usual.joint(bone).expect("a bone")].position += off * bent;
    }
    for frame in &mut model {
        frame.rotation = (frame.rotation * random.rotation()).normalize();
    }
    let local = (0..model.len()).map(|joint| {
        let own = &model[joint];
        let (position, rotation) = match skeleton.parent(joint) {
            None => (own.position, own.rotation),
            Some(parent) => {
                let back = model[parent].rotation.conjugate();
                (back * (own.position - model[parent].position), (back * own.rotation).normalize())
            }
        };
        Transform { position, rotation, scale: Vec3::ONE }
    });
    with_t_pose(&usual, local.collect())
}

/// Everything of a body in a few poses: squats with the hands before the chest.
fn squats(
    avatar: std::sync::Arc<sinew::humanoid::Avatar>,
    mut see: impl FnMut(usize, &Player, &[Affine64], [Vec3; 2]),
) {
    let mut player = Player::of(avatar, TrackedBodySettings::default());
    player.calibrate(SIX);
    let [up, forward, left] = player.axes();
    for step in 0..60 {
        let down = up * (-0.35 * step as f32 / 59.0);
        player.stand(SIX, Quat::IDENTITY, Vec3::ZERO);
        for role in [TrackerRole::Head, TrackerRole::Hips] {
            player.give(role, player.rest(role.bone()) + down, Quat::IDENTITY);
        }
        let hands = [(TrackerRole::LeftHand, 1.0), (TrackerRole::RightHand, -1.0)].map(|(role, side)| {
            let shoulder = player.rest(if side > 0.0 { LeftUpperArm } else { RightUpperArm });
            let at = shoulder + forward * 0.35 - up * 0.15 - left * (0.05 * side) + down;
            player.give(role, at, axis_angle(up, -side * 1.5));
            at
        });
        let frames = player.frame();
        see(step, &player, &frames, hands);
    }
}

#[test]
fn joint_axes_that_are_along_no_bone_change_nothing() {
    let of = |avatar| {
        let mut seen = Vec::new();
        squats(avatar, |_, player, frames, _| {
            seen.push(
                HumanBone::ALL.map(|bone| player.avatar.joint(bone).map(|_| place(frames, &player.avatar, bone))),
            );
        });
        seen
    };
    for (step, (usual, odd)) in of(avatar()).into_iter().zip(of(with_odd_joints(0.0))).enumerate() {
        for (bone, (usual, odd)) in HumanBone::ALL.into_iter().zip(usual.into_iter().zip(odd)) {
            let off = usual.map_or(0.0, |usual| usual.distance(odd.expect("the same bones")));
            assert!(off < 2e-3, "step {step}: {bone:?} is {off} m off");
        }
    }
}

#[test]
fn joints_beside_the_line_of_their_limb_are_met_with_straight_bones() {
    let odd = with_odd_joints(0.04);
    let legs = [[LeftUpperLeg, LeftLowerLeg, LeftFoot], [RightUpperLeg, RightLowerLeg, RightFoot]];
    let arms = [[LeftUpperArm, LeftLowerArm, LeftHand], [RightUpperArm, RightLowerArm, RightHand]];
    squats(odd, |step, player, frames, hands| {
        for [a, b, c] in legs.into_iter().chain(arms) {
            for (a, b) in [(a, b), (b, c)] {
                let now = place(frames, &player.avatar, a).distance(place(frames, &player.avatar, b));
                let own = player.rest(a).distance(player.rest(b));
                assert!((now - own).abs() < 1e-4, "step {step}: {a:?} has {now} m of {own} m");
            }
        }
        for (role, at) in [(TrackerRole::LeftHand, hands[0]), (TrackerRole::RightHand, hands[1])] {
            let off = missed(frames, &player.avatar, role, at);
            assert!(off < 1e-3, "step {step}: {role:?} is {off} m off");
        }
        for (role, [hip, knee, foot]) in [TrackerRole::LeftFoot, TrackerRole::RightFoot].into_iter().zip(legs) {
            let off = missed(frames, &player.avatar, role, player.rest(role.bone()));
            assert!(off < 2e-3, "step {step}: {role:?} is {off} m off");
            // Once the knees are bent by more than they are beside the line.
            let [hip, knee, foot] = [hip, knee, foot].map(|bone| place(frames, &player.avatar, bone));
            let ahead = (knee - (hip + foot) * 0.5).dot(player.axes()[1]);
            assert!(step < 30 || ahead > 0.05, "step {step}: {role:?}'s knee is {ahead} m ahead");
        }
    });
}
