//! Animated parts under and beside a tracked body: the clip is generated, the judge is forward
//! kinematics in double precision of what `apply` wrote.

use crate::clip::{self, IDLE, LEGS, WALK};
use crate::joint_steps::Steps;
use crate::player::{FOUR, Player, SIX, THREE, avatar, local_equal, missed, place};
use sinew::humanoid::Avatar;
use sinew::humanoid::HumanBone::{self, *};
use sinew::math::{Quat, Transform, Vec3, axis_angle, float};
use sinew::trackers::TrackedPart::{self, *};
use sinew::trackers::{TrackedBodySettings, TrackerRole, TrackerSample};
use std::sync::Arc;
use testkit::characters;
use testkit::matchers::{Affine64, angle_between_rad, forward_kinematics, model_rotations};
use testkit::person::{Handedness, PersonOptions, person};
use testkit::rolls::BoneRolls;

const BOTH_LEGS: [TrackedPart; 2] = [LeftLeg, RightLeg];
/// Between the feet of standing players: their tables add nothing to the closed form.
fn plain() -> TrackedBodySettings {
    TrackedBodySettings { prior_weight: 0.0, ..TrackedBodySettings::default() }
}

fn player(roles: &[TrackerRole], settings: TrackedBodySettings) -> Player {
    player_of(avatar(), roles, settings)
}

fn player_of(avatar: Arc<Avatar>, roles: &[TrackerRole], settings: TrackedBodySettings) -> Player {
    let mut player = Player::of(avatar, settings);
    player.calibrate(roles);
    player
}

fn set(player: &mut Player, parts: &[TrackedPart], weight: f32) {
    parts.iter().for_each(|part| player.body.set_part_weight(*part, weight));
}

/// Updates the body and writes it over a clip's frame.
fn shown(player: &mut Player, clip: &[Transform], dt: f64) -> Vec<Transform> {
    player.body.update(player.time);
    player.time += dt;
    let mut local = clip.to_vec();
    assert!(player.body.apply(&mut local), "the pose has all joints");
    local
}

fn kinematics(player: &Player, local: &[Transform]) -> Vec<Affine64> {
    forward_kinematics(player.avatar.skeleton(), local)
}

/// Angle between two rotations of a joint in double precision, the second turned by `turn`.
fn turned_off(player: &Player, a: &[Transform], b: &[Transform], bone: HumanBone, turn: Quat) -> f64 {
    let joint = player.avatar.joint(bone).expect("a bone");
    let skeleton = player.avatar.skeleton();
    let of = |local: &[Transform]| model_rotations(skeleton, local)[joint];
    let turn = turn.to_array().map(f64::from);
    angle_between_rad(of(a), testkit::matchers::product(turn, of(b)))
}

/// The rigs of the tests: left- and right-handed, other axes, other units, joints that are missing.
fn avatars() -> Vec<Arc<Avatar>> {
    let usual = PersonOptions { handedness: Handedness::Right, ..PersonOptions::default() };
    [
        usual,
        PersonOptions { bone_rolls: BoneRolls::AlongBone, twist_joints: true, ..usual },
        PersonOptions { handedness: Handedness::Left, with_optional: false, ..usual },
        PersonOptions { up: Vec3::Z, facing: Vec3::NEG_Y, height_m: 1.2, ..usual },
    ]
    .iter()
    .map(|options| characters::avatar(&person(options), 0.0))
    .collect()
}

#[test]
fn animated_feet_are_where_the_clip_has_them_below_the_tracked_body() {
    for (number, avatar) in avatars().into_iter().enumerate() {
        let mut player = player_of(avatar, THREE, plain());
        set(&mut player, &BOTH_LEGS, 0.0);
        let [up, _, _] = player.axes();
        for facing in [0.0, 2.2] {
            let turn = axis_angle(up, facing);
            player.body.reset();
            for frame in 0..120 {
                let t = frame as f32 / 60.0;
                let way = -up * (0.09 * player.size()) + turn * player.axes()[1] * (0.3 * t * player.size());
                player.at_ease(THREE, turn, way);
                let clip = clip::pose(&player, &WALK, 6.0 * t);
                let local = shown(&mut player, &clip, 1.0 / 60.0);
                let (from, now) = (kinematics(&player, &clip), kinematics(&player, &local));
                let what = format!("avatar {number}, facing {facing}, frame {frame}");
                // The player is the T-pose, carried and turned: so is the clip's root, on the
                // floor.
                let root = way - up * way.dot(up);
                for bones in LEGS {
                    let due = turn * place(&from, &player.avatar, bones[2]) + root;
                    let off = place(&now, &player.avatar, bones[2]).distance(due) / player.size();
                    assert!(off < 1e-4, "{what}: {:?} is {off} m off", bones[2]);
                    let rad = turned_off(&player, &local, &clip, bones[2], turn);
                    assert!(rad < 1e-3, "{what}: {:?} is {rad} rad off", bones[2]);
                    let [hip, knee, ankle] = [0, 1, 2].map(|i| place(&now, &player.avatar, bones[i]));
                    let line = (ankle - hip).normalize();
                    let bend = knee - hip - line * (knee - hip).dot(line);
                    let [a, b, c] = [0, 1, 2].map(|i| turn * place(&from, &player.avatar, bones[i]));
                    let line = (c - a).normalize();
                    let clips = b - a - line * (b - a).dot(line);
                    let rad = bend.angle_between(clips);
                    assert!(rad < 0.08, "{what}: {:?} points {rad} rad off the clip's", bones[1]);
                    assert!(bend.dot(turn * player.axes()[1]) > 0.0, "{what}: {:?} bends back", bones[1]);
                }
                for role in [TrackerRole::Head, TrackerRole::LeftHand, TrackerRole::RightHand] {
                    let outcome = player.body.outcome(role);
                    assert!(outcome.residual_m < 1e-3 * player.size(), "{what}: {role:?} {outcome:?}");
                }
                let head = missed(&now, &player.avatar, TrackerRole::Head, turn * player.rest(Head) + way);
                assert!(head < 1e-3 * player.size(), "{what}: the head is {head} m off");
            }
        }
    }
}

#[test]
fn the_upper_body_has_the_same_bits_over_animated_legs() {
    let mut plain = player(THREE, TrackedBodySettings::default());
    let mut animated = player(THREE, TrackedBodySettings::default());
    set(&mut animated, &BOTH_LEGS, 0.0);
    let skeleton = plain.avatar.skeleton().clone();
    let leg = |joint| LEGS.iter().any(|b| skeleton.is_self_or_ancestor(plain.avatar.joint(b[0]).unwrap(), joint));
    let legs: Vec<bool> = (0..skeleton.joint_count()).map(leg).collect();
    for frame in 0..120 {
        let clip = clip::pose(&plain, &WALK, 0.1 * frame as f32);
        let out = [&mut plain, &mut animated].map(|player| {
            let way = Vec3::new(0.0, -0.05, 0.004 * frame as f32);
            player.at_ease(THREE, axis_angle(Vec3::Y, 0.01 * frame as f32), way);
            shown(player, &clip, 1.0 / 60.0)
        });
        for joint in (0..skeleton.joint_count()).filter(|joint| !legs[*joint]) {
            assert!(local_equal(&out[0][joint..=joint], &out[1][joint..=joint]), "frame {frame}, joint {joint}");
        }
    }
}

#[test]
fn at_full_weight_the_pose_that_is_written_over_does_not_count() {
    let mut player = player(SIX, TrackedBodySettings::default());
    set(&mut player, &TrackedPart::ALL, 0.3);
    set(&mut player, &TrackedPart::ALL, 7.0);
    for part in TrackedPart::ALL {
        assert_eq!(player.body.part_weight(part), 1.0);
    }
    for frame in 0..60 {
        player.at_ease(SIX, Quat::IDENTITY, Vec3::new(0.0, 0.0, 0.01 * frame as f32));
        let clip = clip::pose(&player, &WALK, 0.1 * frame as f32);
        let local = shown(&mut player, &clip, 1.0 / 60.0);
        for bone in HumanBone::ALL.into_iter().take(1 + RightToes.index()) {
            let joint = player.avatar.joint(bone).unwrap();
            assert!(local_equal(&local[joint..=joint], &player.body.pose()[joint..=joint]), "{bone:?}");
        }
    }
}

#[test]
fn the_clips_bob_and_sway_move_the_hips_below_a_head_that_stays() {
    for facing in [0.0, 1.1] {
        let mut tracked = player(FOUR, plain());
        let mut animated = player(FOUR, plain());
        set(&mut animated, &[Pelvis, LeftLeg, RightLeg], 0.0);
        let turn = axis_angle(Vec3::Y, facing);
        let low = Vec3::NEG_Y * 0.03;
        let gait = clip::Gait { dip: 0.01, bob: 0.01, sway: 0.03, ..WALK };
        let mut most = 0.0_f32;
        for frame in 0..120 {
            let clip = clip::pose(&tracked, &gait, 0.1 * frame as f32);
            let [a, b] = [&mut tracked, &mut animated].map(|player| {
                player.at_ease(FOUR, turn, low);
                // A spine that is bent has room on both sides.
                player.give(TrackerRole::Hips, turn * player.rest(Hips), turn);
                let local = shown(player, &clip, 1.0 / 60.0);
                kinematics(player, &local)
            });
            let from = kinematics(&tracked, &clip);
            let due = turn * (place(&from, &tracked.avatar, Hips) - tracked.rest(Hips));
            let moved = place(&b, &tracked.avatar, Hips) - place(&a, &tracked.avatar, Hips);
            assert!(moved.distance(due) < 1e-4, "frame {frame}: the hips moved by {moved}, not {due}");
            most = most.max(moved.length());
            for bone in [Head, LeftHand, RightHand] {
                let off = place(&a, &tracked.avatar, bone).distance(place(&b, &tracked.avatar, bone));
                assert!(off < 1e-3, "frame {frame}: {bone:?} moved by {off} m");
            }
        }
        assert!(most > 0.025, "the hips moved by {most} m at most");
    }
}

#[test]
fn a_crouch_of_the_clip_gives_way_to_the_head() {
    // The head stays, so hips that are 0.4 m lower are out of the spine's reach.
    let mut player = player(THREE, plain());
    set(&mut player, &[Pelvis, LeftLeg, RightLeg], 0.0);
    let mut steps = Steps::new();
    for frame in 0..120 {
        player.at_ease(THREE, Quat::IDENTITY, Vec3::ZERO);
        let gait = clip::Gait { dip: 0.4 * float::sin(0.05 * frame as f32).abs(), bend: 1.2, ..IDLE };
        let clip = clip::pose(&player, &gait, 0.0);
        let local = shown(&mut player, &clip, 1.0 / 60.0);
        let now = kinematics(&player, &local);
        assert!(missed(&now, &player.avatar, TrackerRole::Head, player.rest(Head)) < 1e-3);
        let span = place(&now, &player.avatar, Hips).distance(place(&now, &player.avatar, Head));
        assert!(span < 1.02 * player.rest(Hips).distance(player.rest(Head)), "the spine is {span} m long");
        steps.see(frame, &now, &player.avatar);
    }
    assert!(steps.most < 0.05, "a step of {} m at {:?}", steps.most, steps.at);
}

#[test]
fn a_deep_crouch_of_the_clip_moves_the_hips_down_and_not_aside() {
    for low in [0.0, 0.03, 0.05, 0.08, 0.15] {
        let mut lowest = 0.0_f32;
        for dip in [0.0, 0.05, 0.07, 0.09, 0.12, 0.16, 0.2, 0.3, 0.45] {
            let mut tracked = player(THREE, plain());
            let mut animated = player(THREE, plain());
            set(&mut animated, &[Pelvis, LeftLeg, RightLeg], 0.0);
            let clip = clip::pose(&tracked, &clip::Gait { dip, bend: 0.9, ..IDLE }, 0.0);
            let [a, b] = [&mut tracked, &mut animated].map(|player| {
                for _ in 0..45 {
                    player.at_ease(THREE, Quat::IDENTITY, Vec3::NEG_Y * low);
                    shown(player, &clip, 1.0 / 60.0);
                }
                let local = shown(player, &clip, 1.0 / 60.0);
                place(&kinematics(player, &local), &player.avatar, Hips)
            });
            let moved = b - a;
            let aside = Vec3::new(moved.x, 0.0, moved.z).length();
            assert!(aside < 0.012, "head {low} m low, dip {dip}: the hips moved aside by {aside} m");
            assert!(moved.y < lowest + 1e-3, "head {low} m low, dip {dip}: hips at {}, after {lowest}", moved.y);
            lowest = lowest.min(moved.y);
        }
    }
}

#[test]
fn an_animated_arm_has_the_clips_rotations_on_the_tracked_ribs() {
    for avatar in avatars() {
        let mut player = player_of(avatar, THREE, TrackedBodySettings::default());
        set(&mut player, &[LeftArm], 0.0);
        let skeleton = player.avatar.skeleton().clone();
        for frame in 0..60 {
            let t = 0.1 * frame as f32;
            let [up, _, _] = player.axes();
            let turn = axis_angle(up, 0.3 * float::sin(t));
            player.at_ease(THREE, turn, -up * 0.05);
            let clip = clip::pose(&player, &WALK, t);
            let local = shown(&mut player, &clip, 1.0 / 60.0);
            let ribs = [UpperChest, Chest, Spine].into_iter().find_map(|bone| player.avatar.joint(bone)).unwrap();
            let own = |local: &[Transform], bone: HumanBone| {
                let all = model_rotations(&skeleton, local);
                let [x, y, z, w] = all[ribs];
                testkit::matchers::product([-x, -y, -z, w], all[player.avatar.joint(bone).unwrap()])
            };
            for bone in [LeftShoulder, LeftUpperArm, LeftLowerArm, LeftHand] {
                if player.avatar.joint(bone).is_some() {
                    let rad = angle_between_rad(own(&local, bone), own(&clip, bone));
                    assert!(rad < 0.02, "frame {frame}: {bone:?} is {rad} rad off");
                }
            }
            assert!(player.body.outcome(TrackerRole::RightHand).residual_m < 1e-3);
            let now = kinematics(&player, &local);
            let right = kinematics(&player, player.body.pose());
            let off = place(&now, &player.avatar, RightHand).distance(place(&right, &player.avatar, RightHand));
            assert!(off < 1e-5, "the other hand moved by {off} m");
        }
    }
}

#[test]
fn tracked_feet_fade_with_their_leg() {
    let mut player = player(SIX, plain());
    set(&mut player, &BOTH_LEGS, 0.0);
    let low = Vec3::NEG_Y * 0.09;
    let clip = clip::pose(&player, &WALK, 1.0);
    for weight in [0.0, 0.5, 1.0] {
        set(&mut player, &BOTH_LEGS, weight);
        player.at_ease(SIX, Quat::IDENTITY, low);
        let tracked = [0.12, -0.2].map(|z| Vec3::new(0.0, 0.03, z));
        for (side, way) in tracked.into_iter().enumerate() {
            let role = [TrackerRole::LeftFoot, TrackerRole::RightFoot][side];
            player.give(role, player.rest(role.bone()) + way, Quat::IDENTITY);
        }
        let local = shown(&mut player, &clip, 1.0 / 60.0);
        let (from, now) = (kinematics(&player, &clip), kinematics(&player, &local));
        for side in 0..2 {
            let foot = LEGS[side][2];
            let animated = place(&from, &player.avatar, foot);
            let due = animated.lerp(player.rest(foot) + tracked[side], weight);
            let off = place(&now, &player.avatar, foot).distance(due);
            assert!(off < 4e-3, "weight {weight}, side {side}: {off} m off");
        }
    }
}

#[test]
fn a_weight_that_sweeps_moves_no_joint_by_a_jump() {
    let mut player = player(THREE, TrackedBodySettings::default());
    for _ in 0..30 {
        player.at_ease(THREE, Quat::IDENTITY, Vec3::NEG_Y * 0.05);
        player.frame();
    }
    // One update, applied again and again: what is left is the weight.
    let clip = clip::pose(&player, &WALK, 2.0);
    for parts in [&[LeftLeg][..], &[LeftArm], &[Pelvis], &TrackedPart::ALL] {
        let (mut steps, count) = (Steps::new(), 1000);
        let mut first = None;
        for i in 0..=count {
            set(&mut player, parts, i as f32 / count as f32);
            let mut local = clip.clone();
            assert!(player.body.apply(&mut local));
            steps.see(i, &kinematics(&player, &local), &player.avatar);
            first.get_or_insert(local);
        }
        assert!(steps.most < 0.001, "{parts:?}: a step of {} m at {:?}", steps.most, steps.at);
        set(&mut player, parts, 0.0);
        let mut again = clip.clone();
        player.body.apply(&mut again);
        assert!(local_equal(&again, &first.unwrap()), "{parts:?}: not a function of the weights");
        set(&mut player, parts, 1.0);
    }
}

/// The fastest joint, m/s, of a player who sways, turns and swings the hands about while all parts
/// fade in and out over a clip.
fn fastest_joint(rate: f64) -> (f32, HumanBone) {
    let mut player = player(THREE, TrackedBodySettings::default());
    let mut steps = Steps::new();
    for frame in 0..(20.0 * rate) as usize {
        let t = (frame as f64 / rate) as f32;
        let swing = |rate: f32, phase: f32| float::sin(rate * t + phase);
        for (number, part) in TrackedPart::ALL.into_iter().enumerate() {
            let weight = 0.5 + 0.8 * swing(2.0 + 0.3 * number as f32, number as f32);
            player.body.set_part_weight(part, weight);
        }
        let turn = axis_angle(Vec3::Y, 0.8 * swing(0.9, 0.0));
        let way = Vec3::new(0.2 * swing(1.3, 1.0), -0.1 + 0.08 * swing(1.7, 0.5), 0.2 * swing(0.7, 0.3));
        player.at_ease(THREE, turn, way);
        for (role, side) in [(TrackerRole::LeftHand, 1.0), (TrackerRole::RightHand, -1.0)] {
            let reach = Vec3::new(side * 0.3, -0.2 + 0.35 * swing(2.1, side), 0.3 + 0.15 * swing(1.9, 2.0 * side));
            let own = axis_angle(Vec3::X, 1.2 * swing(1.1, side)) * axis_angle(Vec3::Y, -side * 1.2);
            let at = player.rest(Head) + reach;
            player.give(role, turn * at + way, (turn * own).normalize());
        }
        let clip = clip::pose(&player, &WALK, 5.0 * t);
        let local = shown(&mut player, &clip, 1.0 / rate);
        steps.see(frame, &kinematics(&player, &local), &player.avatar);
    }
    (steps.most * rate as f32, steps.at.1)
}

#[test]
fn parts_that_fade_while_all_moves_do_not_jump() {
    // A jump would count eight times as much at eight times the rate.
    let [(slow, at), (fast, fast_at)] = [60.0, 480.0].map(fastest_joint);
    assert!(slow < 4.0 && fast < 1.15 * slow, "{slow} m/s of {at:?} at 60 Hz, {fast} m/s of {fast_at:?} at 480 Hz");
}

/// The fastest ankle in the host's world beside the speed of the clip's own, m/s, when the legs'
/// weight fades between 0 and 1 within `fade_s`, again and again, while a stick walks the player.
fn fastest_foot(fade_s: f32, rate: f64) -> f32 {
    let mut player = player(THREE, TrackedBodySettings::default());
    let speed = 1.2;
    let (mut last, mut most): (Option<[Vec3; 2]>, f32) = (None, 0.0);
    let frames = (12.0 * rate) as usize;
    for frame in 0..frames {
        let t = frame as f32 / rate as f32;
        // 2 s at 0, a fade, 1 s at 1, a fade.
        let period = 3.0 + 2.0 * fade_s;
        let s = t % period;
        let weight = if s < 2.0 {
            0.0
        } else if s < 2.0 + fade_s {
            (s - 2.0) / fade_s
        } else if s < 3.0 + fade_s {
            1.0
        } else {
            1.0 - (s - 3.0 - fade_s) / fade_s
        };
        set(&mut player, &BOTH_LEGS, weight);
        let origin = Vec3::Z * (speed * t);
        player.body.set_origin(origin, Quat::IDENTITY);
        player.at_ease(THREE, Quat::IDENTITY, Vec3::NEG_Y * 0.06);
        let clip = clip::pose(&player, &WALK, 5.0 * t);
        let local = shown(&mut player, &clip, 1.0 / rate);
        let now = kinematics(&player, &local);
        let feet = LEGS.map(|bones| place(&now, &player.avatar, bones[2]) + origin);
        for (a, b) in feet.iter().zip(last.unwrap_or(feet)) {
            most = most.max(a.distance(b) * rate as f32);
        }
        last = Some(feet);
    }
    most
}

#[test]
fn feet_that_fade_back_to_the_tracked_body_do_not_jump() {
    for fade_s in [0.2, 0.5] {
        // A jump would count six times as much at six times the rate.
        let [slow, fast] = [60.0, 360.0].map(|rate| fastest_foot(fade_s, rate));
        assert!(slow < 7.0 && fast < 7.0, "within {fade_s} s: {slow} and {fast} m/s");
        assert!(fast < 1.1 * slow, "within {fade_s} s: {slow} m/s at 60 Hz and {fast} m/s at 360 Hz");
    }
}

#[test]
fn feet_that_fade_in_begin_where_they_are_seen() {
    // A clip that stands with the feet apart, one ahead: they stay there and step from there.
    let mut player = player(THREE, TrackedBodySettings::default());
    set(&mut player, &BOTH_LEGS, 0.0);
    let gait = clip::Gait { swing: 0.12, ..IDLE };
    let clip = clip::pose(&player, &gait, core::f32::consts::FRAC_PI_2);
    let mut before = None;
    for frame in 0..90 {
        player.at_ease(THREE, Quat::IDENTITY, Vec3::NEG_Y * 0.03);
        let weight = (frame as f32 - 60.0).max(0.0) / 30.0;
        set(&mut player, &BOTH_LEGS, weight);
        let local = shown(&mut player, &clip, 1.0 / 60.0);
        let now = kinematics(&player, &local);
        let feet = LEGS.map(|bones| place(&now, &player.avatar, bones[2]));
        if frame == 60 {
            before = Some(feet);
        }
        for (a, b) in feet.iter().zip(before.unwrap_or(feet)) {
            let flat = (*a - b) * Vec3::new(1.0, 0.0, 1.0);
            assert!(flat.length() < 1e-3, "frame {frame}: a foot slid by {} m", flat.length());
        }
    }
    assert!(before.is_some());
}

#[test]
fn a_head_that_nods_and_looks_around_does_not_kick_the_legs() {
    let [nods, looks] = nodding_and_looking(plain());
    assert!(nods[0] < 0.02 && nods[1] < 0.1, "{nods:?} m/s while nodding");
    // Hips face where the head does, and the knees are between them and the feet.
    assert!(looks[0] < 0.4 && looks[1] < 0.9, "{looks:?} m/s while looking around");
    // The tables believe that hands which are beside the body that the head faces mean something.
    let [nods, looks] = nodding_and_looking(TrackedBodySettings::default());
    assert!(nods[0] < 0.3 && nods[1] < 0.3, "with tables {nods:?} m/s while nodding");
    assert!(looks[0] < 0.8 && looks[1] < 1.1, "with tables {looks:?} m/s while looking around");
}

/// The fastest ankle and knee, m/s, while the head nods and while it looks around.
fn nodding_and_looking(settings: TrackedBodySettings) -> [[f32; 2]; 2] {
    let mut player = player(THREE, settings);
    set(&mut player, &[LeftLeg, RightLeg, Pelvis], 0.0);
    let clip = clip::pose(&player, &IDLE, 0.0);
    let bones = [LeftFoot, RightFoot, LeftLowerLeg, RightLowerLeg];
    let mut fastest = [[0.0_f32; 2]; 2];
    let mut last: Option<[Vec3; 4]> = None;
    for frame in 0..480 {
        let t = frame as f32 / 60.0;
        player.at_ease(THREE, Quat::IDENTITY, Vec3::NEG_Y * 0.05);
        // Nods of 50°, then looks of 60° to both sides, as fast as people look: 10 rad/s.
        let looks = frame / 240;
        let turn = if looks == 0 {
            axis_angle(Vec3::X, 0.9 * float::sin(2.5 * core::f32::consts::PI * t))
        } else {
            axis_angle(Vec3::Y, (2.0 * float::sin(5.0 * (t - 4.0))).clamp(-1.0, 1.0))
        };
        player.give(TrackerRole::Head, player.rest(Head) + Vec3::NEG_Y * 0.05, turn);
        let local = shown(&mut player, &clip, 1.0 / 60.0);
        let now = kinematics(&player, &local);
        let at = bones.map(|bone| place(&now, &player.avatar, bone));
        for (i, (a, b)) in at.iter().zip(last.unwrap_or(at)).enumerate() {
            let most = &mut fastest[looks][i / 2];
            *most = most.max(a.distance(b) * 60.0);
        }
        last = Some(at);
    }
    fastest
}

#[test]
fn a_snapshot_has_weights_and_animated_legs() {
    let mut player = player(THREE, TrackedBodySettings::default());
    let mut bytes = vec![0; player.body.snapshot_size()];
    let mut kept: Option<sinew::trackers::TrackedBody> = None;
    for frame in 0..120 {
        let t = frame as f32 / 60.0;
        let weight = (0.5 + 0.8 * float::sin(3.0 * t)).clamp(0.0, 1.0);
        player.at_ease(THREE, axis_angle(Vec3::Y, t), Vec3::NEG_Y * 0.05);
        let clip = clip::pose(&player, &WALK, 6.0 * t);
        if let Some(body) = &mut kept {
            // The same samples: the snapshot of this frame brings them.
            let mut now = vec![0; bytes.len()];
            assert!(player.body.snapshot(&mut now) && body.restore(&now));
            assert_eq!(body.part_weight(LeftLeg), player.body.part_weight(LeftLeg));
        }
        let time = player.time;
        let mut other = kept.as_mut().map(|body| {
            body.set_part_weight(LeftLeg, weight);
            body.set_part_weight(Pelvis, 1.0 - weight);
            body.update(time);
            let mut local = clip.clone();
            assert!(body.apply(&mut local));
            local
        });
        player.body.set_part_weight(LeftLeg, weight);
        player.body.set_part_weight(Pelvis, 1.0 - weight);
        let local = shown(&mut player, &clip, 1.0 / 60.0);
        if let Some(other) = other.take() {
            assert!(local_equal(&local, &other), "frame {frame}");
        }
        if frame == 40 {
            assert!(player.body.snapshot(&mut bytes));
            let mut body = crate::player::Player::new(TrackedBodySettings::default());
            body.body.set_calibration(*player.body.calibration());
            assert!(body.body.restore(&bytes));
            kept = Some(body.body);
        }
    }
    // Applied without another update, too.
    let clip = clip::pose(&player, &WALK, 1.0);
    let mut now = vec![0; bytes.len()];
    assert!(player.body.snapshot(&mut now));
    let mut body = kept.unwrap();
    assert!(body.restore(&now));
    let [mut a, mut b] = [clip.clone(), clip];
    assert!(player.body.apply(&mut a) && body.apply(&mut b));
    assert!(local_equal(&a, &b));
}

#[test]
fn a_pose_that_is_no_animation_is_refused_where_it_counts() {
    let mut player = player(THREE, TrackedBodySettings::default());
    player.at_ease(THREE, Quat::IDENTITY, Vec3::ZERO);
    player.frame();
    let mut clip = clip::pose(&player, &IDLE, 0.0);
    let knee = player.avatar.joint(LeftLowerLeg).unwrap();
    clip[knee].rotation = Quat::from_xyzw(f32::NAN, 0.0, 0.0, 1.0);
    let pose = player.body.pose().to_vec();
    let mut local = clip.clone();
    assert!(player.body.apply(&mut local), "nothing of the pose counts");
    set(&mut player, &[RightLeg], 0.5);
    let mut local = clip.clone();
    assert!(!player.body.apply(&mut local));
    assert!(local_equal(&local, &clip), "changed");
    assert!(local_equal(&pose, player.body.pose()), "the body itself changed");
    player.body.set_part_weight(LeftArm, f32::NAN);
    assert_eq!(player.body.part_weight(LeftArm), 0.0);
}

#[test]
fn fingers_fade_to_the_clip_by_their_own_weight() {
    let roles: Vec<TrackerRole> = TrackerRole::ALL.into_iter().filter(|role| role.index() >= 15).collect();
    let mut player = player(THREE, TrackedBodySettings::default());
    for _ in 0..60 {
        player.at_ease(THREE, Quat::IDENTITY, Vec3::ZERO);
        for role in &roles {
            let bent = axis_angle(player.axes()[1], if role.name().starts_with("Left") { 1.0 } else { -1.0 });
            let rotation = player.turned(role.bone(), bent);
            let sample =
                TrackerSample { time_s: player.time, position: None, rotation: Some(rotation), confidence: 1.0 };
            player.body.set_tracker(*role, &sample);
        }
        player.frame();
    }
    set(&mut player, &[LeftFingers], 0.0);
    let clip = clip::pose(&player, &IDLE, 0.0);
    let mut local = clip.clone();
    assert!(player.body.apply(&mut local));
    for (left, right) in [(LeftIndexProximal, RightIndexProximal), (LeftLittleDistal, RightLittleDistal)] {
        let [left, right] = [left, right].map(|bone| player.avatar.joint(bone).unwrap());
        assert!(local_equal(&local[left..=left], &clip[left..=left]));
        assert!(!local_equal(&local[right..=right], &clip[right..=right]));
    }
}

#[test]
fn a_tracked_hip_turns_the_clip_with_it() {
    let mut player = player(FOUR, plain());
    set(&mut player, &BOTH_LEGS, 0.0);
    let clip = clip::pose(&player, &WALK, 0.7);
    let turn = axis_angle(Vec3::Y, 0.8);
    let low = Vec3::NEG_Y * 0.09;
    let mut local = clip.clone();
    for _ in 0..180 {
        player.at_ease(FOUR, Quat::IDENTITY, low);
        player.give(TrackerRole::Hips, player.rest(Hips) + low, turn);
        local = shown(&mut player, &clip, 1.0 / 60.0);
    }
    for bones in LEGS {
        let rad = turned_off(&player, &local, &clip, bones[2], turn);
        assert!(rad < 0.02, "{:?} is {rad} rad off", bones[2]);
    }
}
