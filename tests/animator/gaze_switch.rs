//! Switches of the look-at: no jump, at any frame rate, past the front, with hands on their goals.

use sinew::animator::{Animator, StateHash};
use sinew::humanoid::{HumanBone, HumanoidSettings, IkGoal, LookAtWeight};
use sinew::math::{Transform, Vec3, axis_angle};
use testkit::characters::{self, joint, pose, set_pose, world};
use testkit::human_pose::random_human_pose;
use testkit::person::{Person, PersonOptions, person};
use testkit::{Random, matchers};

const TIME: f32 = 0.4;
const LOOK: LookAtWeight = LookAtWeight { weight: 1.0, body: 0.3, head: 0.8, eyes: 0.9, clamp: 0.3 };

fn slow() -> HumanoidSettings {
    HumanoidSettings { look_at_inertialization_time_s: TIME, ..Default::default() }
}

fn people() -> [(&'static str, Person); 3] {
    let least = PersonOptions { with_optional: false, ..PersonOptions::default() };
    [("person", person(&PersonOptions::default())), ("gltf", person(&PersonOptions::gltf())), ("least", person(&least))]
}

fn frame(animator: &mut Animator, animation: &[Transform], dt_s: f32) -> Vec<Transform> {
    set_pose(animator, animation);
    animator.advance(dt_s);
    animator.solve().unwrap();
    let pose = pose(animator);
    matchers::assert_sound(&pose);
    pose
}

/// A person in an animation, and points two metres away from the eyes by yaw and pitch from where
/// the animation looks, degrees.
fn scene(person: &Person, random: &mut Random) -> (Animator, Vec<Transform>, impl Fn(f32, f32) -> Vec3 + use<>) {
    let mut animator = characters::animator(person, 0.05);
    let start = random_human_pose(person.view(), random, 0.3);
    set_pose(&mut animator, &start);
    let (origin_ws, gaze_ws) = animator.gaze_ws().unwrap();
    let ahead = (gaze_ws - Vec3::Y * gaze_ws.y).normalize();
    let right = Vec3::Y.cross(ahead);
    let at = move |yaw: f32, pitch: f32| {
        let turn = axis_angle(Vec3::Y, yaw.to_radians()) * axis_angle(right, -pitch.to_radians());
        origin_ws + turn * ahead * 2.0
    };
    (animator, start, at)
}

/// Lets both see a target, and switches to another one.
#[test]
fn a_switched_target_or_weight_moves_nothing_at_once_and_gets_there_in_its_time() {
    let mut random = Random::new(1);
    let weights = [
        LookAtWeight { weight: 0.0, ..LOOK },
        LookAtWeight { head: 0.2, body: 0.9, ..LOOK },
        LookAtWeight { eyes: 0.0, clamp: 0.7, ..LOOK },
    ];
    for (name, person) in people() {
        let (mut animator, start, at) = scene(&person, &mut random);
        animator.set_look_at_weight(LOOK).unwrap();
        animator.set_look_at_position(at(50.0, 10.0)).unwrap();
        let mut at_once = animator.clone();
        animator.set_settings(&slow()).unwrap();
        let first = frame(&mut animator, &start, 0.01);
        matchers::assert_pose_bits_equal(&first, &frame(&mut at_once, &start, 0.01));
        for switch in 0..4 {
            frame(&mut animator, &start, 0.01);
            let before = frame(&mut animator, &start, 0.01);
            for animator in [&mut animator, &mut at_once] {
                match switch {
                    0 => {
                        animator.inertialize_look_at().unwrap();
                        animator.set_look_at_position(at(-40.0, -15.0)).unwrap();
                    }
                    _ => animator.set_look_at_weight(weights[switch - 1]).unwrap(),
                }
            }
            let goal = frame(&mut at_once, &start, 0.01);
            let jump = matchers::max_joint_step_rad(&before, &goal);
            assert!(jump > 0.03, "{name} {switch} {jump}");
            // No time passes: nothing moves.
            let now = frame(&mut animator, &start, 0.0);
            assert!(matchers::max_joint_step_rad(&before, &now) < 1e-4, "{name} {switch}");
            assert!(animator.is_inertializing_look_at().unwrap());
            let (steps, mut last) = (200, now);
            for _ in 0..steps {
                let next = frame(&mut animator, &start, TIME / steps as f32);
                let step = matchers::max_joint_step_rad(&last, &next);
                assert!(step < (jump + 0.3) * 5.0 / f64::from(steps), "{name} {switch}: {step} of {jump}");
                last = next;
            }
            let left = matchers::max_joint_step_rad(&last, &goal);
            assert!(left < 0.05 * jump + 1e-3, "{name} {switch}: {left} of {jump} after the switch time");
            for _ in 0..40 {
                last = frame(&mut animator, &start, 0.25 * TIME);
            }
            assert!(!animator.is_inertializing_look_at().unwrap(), "{name} {switch}");
            matchers::assert_pose_bits_equal(&last, &goal);
        }
    }
}

#[test]
fn the_way_is_the_same_at_30_60_and_144_hz() {
    let person = person(&PersonOptions::default());
    let mut ends: Vec<Vec<Transform>> = Vec::new();
    for rate in [30, 60, 144] {
        let (mut animator, start, at) = scene(&person, &mut Random::new(2));
        animator.set_settings(&slow()).unwrap();
        animator.set_look_at_weight(LOOK).unwrap();
        animator.set_look_at_position(at(45.0, 0.0)).unwrap();
        frame(&mut animator, &start, 1.0 / rate as f32);
        frame(&mut animator, &start, 1.0 / rate as f32);
        animator.inertialize_look_at().unwrap();
        animator.set_look_at_position(at(-45.0, 20.0)).unwrap();
        frame(&mut animator, &start, 0.0);
        for _ in 0..rate / 6 {
            frame(&mut animator, &start, 1.0 / rate as f32);
        }
        ends.push(pose(&animator));
    }
    for end in &ends[1..] {
        let apart = matchers::max_joint_step_rad(&ends[0], end);
        assert!(apart < 2e-3, "{apart} rad");
    }
}

#[test]
fn from_behind_one_shoulder_to_behind_the_other_the_gaze_passes_the_front() {
    let person = person(&PersonOptions::default());
    let (mut animator, start, at) = scene(&person, &mut Random::new(3));
    animator.set_settings(&slow()).unwrap();
    animator.set_look_at_weight(LOOK).unwrap();
    animator.set_look_at_position(at(140.0, 0.0)).unwrap();
    (0..3).for_each(|_| _ = frame(&mut animator, &start, 0.01));
    let front = (at(0.0, 0.0) - at(180.0, 0.0)).normalize();
    let mut nearest = -1.0_f32;
    animator.inertialize_look_at().unwrap();
    animator.set_look_at_position(at(-140.0, 0.0)).unwrap();
    let mut last = pose(&animator);
    for _ in 0..200 {
        let next = frame(&mut animator, &start, 0.005);
        assert!(matchers::max_joint_step_rad(&last, &next) < 0.12);
        last = next;
        let (_, gaze_ws) = animator.gaze_ws().unwrap();
        nearest = nearest.max(gaze_ws.dot(front));
    }
    assert!(nearest > 0.95, "the gaze passes the front at a cosine of {nearest}");
}

#[test]
fn weights_that_change_while_a_target_goes_round_behind_turn_nothing() {
    let person = person(&PersonOptions::default());
    // The frames in which the target is about behind the chest.
    for switched in 40..60 {
        let (mut animator, start, at) = scene(&person, &mut Random::new(3));
        animator.set_settings(&slow()).unwrap();
        animator.set_look_at_weight(LOOK).unwrap();
        let mut last: Option<Vec<Transform>> = None;
        for number in 0..100 {
            animator.set_look_at_position(at(155.0 + 0.5 * number as f32, 0.0)).unwrap();
            if number == switched {
                animator.set_look_at_weight(LookAtWeight { head: 0.75, ..LOOK }).unwrap();
            }
            let next = frame(&mut animator, &start, 0.01);
            let step = last.map_or(0.0, |last| matchers::max_joint_step_rad(&last, &next));
            assert!(step < 0.1, "{switched} {number}: {step} rad");
            last = Some(next);
        }
    }
}

#[test]
fn hands_stay_on_their_goals_while_the_spine_turns_with_the_gaze() {
    for (name, person) in people() {
        let (mut animator, start, at) = scene(&person, &mut Random::new(4));
        animator.set_settings(&slow()).unwrap();
        animator.set_look_at_weight(LookAtWeight { body: 1.0, ..LOOK }).unwrap();
        animator.set_look_at_position(at(40.0, 0.0)).unwrap();
        let hand = joint(&animator, HumanBone::RightHand);
        let upper = joint(&animator, HumanBone::RightUpperArm);
        let here = world(&animator);
        let (from, to) = (here[hand].position, here[upper].position);
        let goal = Vec3::from_array(core::array::from_fn(|i| (0.6 * from[i] + 0.4 * to[i]) as f32));
        animator.set_ik_position_weight(IkGoal::RightHand, 1.0).unwrap();
        (0..3).for_each(|_| _ = frame(&mut animator, &start, 0.01));
        animator.inertialize_look_at().unwrap();
        animator.set_look_at_position(at(-40.0, 0.0)).unwrap();
        for step in 0..100 {
            animator.set_ik_position(IkGoal::RightHand, goal).unwrap();
            frame(&mut animator, &start, 0.005);
            let off = matchers::distance(world(&animator)[hand].position, goal.to_array().map(f64::from));
            assert!(off < 1e-4, "{name} {step}: {off} m");
        }
    }
}

#[test]
fn snapshots_resets_and_matches_know_the_switch() {
    let person = person(&PersonOptions::default());
    let (mut animator, start, at) = scene(&person, &mut Random::new(5));
    animator.set_settings(&slow()).unwrap();
    animator.set_look_at_weight(LOOK).unwrap();
    animator.set_look_at_position(at(45.0, 0.0)).unwrap();
    (0..3).for_each(|_| _ = frame(&mut animator, &start, 0.01));
    animator.inertialize_look_at().unwrap();
    animator.set_look_at_position(at(-45.0, 20.0)).unwrap();
    (0..5).for_each(|_| _ = frame(&mut animator, &start, 0.01));
    let (mut saved, mut hash) = (Vec::new(), StateHash::default());
    animator.snapshot(&mut saved);
    animator.hash_state(&mut hash);
    let mut other = animator.clone();
    let after: Vec<_> = (0..20).map(|_| frame(&mut animator, &start, 0.01)).collect();
    (0..3).for_each(|_| _ = frame(&mut other, &start, 0.02));
    other.restore(&saved).unwrap();
    let mut again = StateHash::default();
    other.hash_state(&mut again);
    assert_eq!(hash, again);
    for (number, expected) in after.iter().enumerate() {
        matchers::assert_pose_bits_equal(expected, &frame(&mut other, &start, 0.01));
        assert!(number > 3 || other.is_inertializing_look_at().unwrap());
    }
    // What was asked for is not what is seen meanwhile.
    assert_eq!(other.input().unwrap().look_at_position, Some(at(-45.0, 20.0)));
    other.restore(&saved).unwrap();
    other.reset_state();
    assert!(!other.is_inertializing_look_at().unwrap());
    let mut at_once = other.clone();
    at_once.set_settings(&HumanoidSettings::default()).unwrap();
    assert!(at_once.restore(&saved).is_err(), "a snapshot with a switch time in an animator without");
    let now = frame(&mut other, &start, 0.01);
    matchers::assert_pose_bits_equal(&now, &frame(&mut at_once, &start, 0.01));
}

/// Angle between where the animator looks and a point, radians.
fn off(animator: &mut Animator, point_ws: Vec3) -> f32 {
    let (origin_ws, gaze_ws) = animator.gaze_ws().unwrap();
    gaze_ws.angle_between(point_ws - origin_ws)
}

#[test]
fn a_target_that_was_cut_throws_the_gaze_nowhere() {
    for (name, person) in people() {
        let (mut animator, start, at) = scene(&person, &mut Random::new(6));
        animator.set_settings(&slow()).unwrap();
        animator.set_look_at_weight(LookAtWeight { body: 0.0, head: 1.0, eyes: 0.0, clamp: 0.0, ..LOOK }).unwrap();
        for from in [-45.0, -20.0, 70.0] {
            for dt in [1.0 / 144.0, 1.0 / 60.0, 1e-5] {
                animator.reset_state();
                let mut last = start.clone();
                for number in 0..20 {
                    // Cut in the last frame, without a switch.
                    animator.set_look_at_position(at(if number == 19 { 45.0 } else { from }, 0.0)).unwrap();
                    last = frame(&mut animator, &start, dt);
                }
                animator.inertialize_look_at().unwrap();
                animator.set_look_at_position(at(0.0, 0.0)).unwrap();
                let first = off(&mut animator, at(0.0, 0.0));
                for number in 0..120 {
                    let next = frame(&mut animator, &start, 1.0 / 60.0);
                    let step = matchers::max_joint_step_rad(&last, &next);
                    let what = format!("{name}, from {from}°, {dt} s, frame {number}");
                    assert!(step < 0.3, "{what}: {step} rad");
                    let now = off(&mut animator, at(0.0, 0.0));
                    assert!(now < first + 0.1, "{what}: {now} rad off the target, {first} before");
                    last = next;
                }
            }
        }
    }
}

#[test]
fn a_target_is_followed_while_weights_change() {
    for (name, person) in people() {
        let (mut animator, start, at) = scene(&person, &mut Random::new(7));
        animator.set_settings(&slow()).unwrap();
        let look = LookAtWeight { body: 0.0, head: 1.0, eyes: 0.0, clamp: 0.0, ..LOOK };
        let yaw = |number: i32| (-40.0 + 1.2 * number as f32).min(20.0);
        let (mut most, mut still) = (0.0_f32, 0.0_f32);
        for number in 0..120 {
            // A weight that changes in every frame, of what the gaze does not use.
            let clamp = 0.001 * (number % 60) as f32;
            animator.set_look_at_weight(LookAtWeight { clamp, ..look }).unwrap();
            animator.set_look_at_position(at(yaw(number), 0.0)).unwrap();
            frame(&mut animator, &start, 1.0 / 60.0);
            let now = off(&mut animator, at(yaw(number), 0.0));
            if number > 20 {
                most = most.max(now);
            }
            if number > 60 {
                still = still.max(now);
            }
        }
        assert!(most < 0.03, "{name}: {most} rad behind the target");
        assert!(still < 0.03, "{name}: the gaze swings {still} rad past a target that has stopped");
    }
}
