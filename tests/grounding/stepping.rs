//! Feet that step by themselves: who steps when, and that standing feet stand.

use crate::walker::{answer, flat};
use sinew::grounding::{
    BodyResult, Contact, FootModel, Gait, Grounded, Grounder, GrounderFrame, GrounderSettings, LegPose, LegResult,
    SteppingSettings,
};
use sinew::math::{Quat, Vec3, axis_angle, float};

/// Hips on a circle of 0.3 m, feet on one of 0.75 m, without soles.
fn homes(count: usize, root: Vec3, rotation: Quat) -> Vec<LegPose> {
    (0..count)
        .map(|leg| {
            let angle = core::f32::consts::TAU * (leg as f32 + 0.5) / count as f32;
            let way = rotation * Vec3::new(float::sin(angle), 0.0, float::cos(angle));
            let at = |out: f32, up: f32| root + way * out + Vec3::Y * up;
            LegPose {
                hip_ws: at(0.3, 0.45),
                knee_ws: at(0.65, 0.6),
                ankle_ws: at(0.75, 0.0),
                ball_ws: at(0.75, 0.0),
                foot_ws: rotation,
                weight: 1.0,
                contact: Contact::Auto,
                landing: None,
            }
        })
        .collect()
}

struct Creature {
    grounder: Grounder,
    count: usize,
}

impl Creature {
    fn new(count: usize, gait: Gait) -> Self {
        let foot = FootModel { ball_height: 0.0, heel_height: 0.0, toe_length: 0.0, heel_length: 0.0, has_sole: false };
        let mut grounder = Grounder::new(&vec![foot; count], GrounderSettings::default());
        assert!(grounder.set_stepping(Some(SteppingSettings { gait, ..SteppingSettings::default() }), &[]));
        Self { grounder, count }
    }

    fn frame(
        &mut self,
        root: Vec3,
        rotation: Quat,
        dt: f32,
        ground: impl Fn(f32, f32) -> (f32, Vec3),
    ) -> (BodyResult, Vec<LegResult>) {
        let frame = GrounderFrame {
            root_ws: root,
            rotation_ws: rotation,
            up_ws: Vec3::Y,
            pelvis_ws: root + Vec3::Y * 0.45,
            dt_s: dt,
            grounded: Grounded::Yes,
        };
        let mut hits = Vec::new();
        let poses = homes(self.count, root, rotation);
        let (body, legs) =
            self.grounder.solve_with(&frame, &poses, &mut hits, |query| answer(query, &ground)).expect("a frame");
        (*body, legs.to_vec())
    }
}

const DT: f32 = 1.0 / 60.0;

#[test]
fn neighbours_never_swing_together_and_standing_feet_do_not_slide() {
    // One leg at a time keeps up with a slow body only.
    for (gait, pace) in [(Gait::Groups, 1.0), (Gait::Wave, 0.25), (Gait::Free, 1.0)] {
        for count in [1, 2, 3, 4, 6, 8] {
            let mut creature = Creature::new(count, gait);
            let (mut steps, mut before, mut most) = (0, Vec::<LegResult>::new(), 0);
            for frame in 0..360 {
                // Forward, then on a curve, then standing.
                let t = (frame as f32 * DT).min(4.0);
                let turn = axis_angle(Vec3::Y, pace * 0.5 * (t - 2.0).max(0.0));
                let root = Vec3::new(0.3 * (t - 2.0).max(0.0), 0.0, 0.6 * t) * pace;
                let (_, legs) = creature.frame(root, turn, DT, flat);
                let swinging = legs.iter().filter(|leg| !leg.planted).count();
                most = most.max(swinging);
                if frame > 1 && count > 1 {
                    for leg in 0..count {
                        let next = (leg + 1) % count;
                        assert!(
                            legs[leg].planted || legs[next].planted,
                            "{gait:?}, {count} legs: {leg} and {next} swing in frame {frame}"
                        );
                    }
                }
                for (leg, (now, was)) in legs.iter().zip(&before).enumerate() {
                    if now.planted && was.planted && frame > 2 {
                        let slid = (now.ball_ws - was.ball_ws).length();
                        assert!(slid < 1e-3, "{gait:?}, {count} legs: foot {leg} slid by {slid} m in frame {frame}");
                    }
                    steps += usize::from(now.planted && !was.planted);
                }
                before = legs;
            }
            let least = if gait == Gait::Wave { count } else { 4 * count };
            assert!(steps >= least, "{gait:?}, {count} legs made {steps} steps");
            assert!(gait != Gait::Wave || most == 1, "{most} legs of a wave in the air");
            let last = homes(count, Vec3::new(0.6, 0.0, 2.4) * pace, axis_angle(Vec3::Y, pace));
            for (leg, (now, home)) in before.iter().zip(&last).enumerate() {
                let off = (now.ball_ws - home.ball_ws).length();
                assert!(now.planted && off < 0.1, "{gait:?}, {count} legs: foot {leg} stands {off} m from its home");
            }
        }
    }
}

#[test]
fn feet_step_over_a_kerb_and_stand_on_it() {
    // 15 cm up at z = 1.
    let kerb = |_: f32, z: f32| (if z > 1.0 { 0.15 } else { 0.0 }, Vec3::Y);
    let mut creature = Creature::new(6, Gait::Groups);
    let (mut deepest, mut legs) = (0.0_f32, Vec::new());
    for frame in 0..480 {
        let z = 0.5 * frame as f32 * DT;
        let root = Vec3::new(0.0, 0.15 * float::smooth_step(0.2, 1.8, z), z);
        legs = creature.frame(root, Quat::IDENTITY, DT, kerb).1;
        for leg in &legs {
            deepest = deepest.max(kerb(0.0, leg.ball_ws.z).0 - leg.ball_ws.y);
        }
    }
    assert!(deepest < 0.045, "a foot was {deepest} m deep in the kerb");
    for leg in &legs {
        assert!((leg.ball_ws.y - 0.15).abs() < 0.1, "a foot at {}", leg.ball_ws);
        assert!(!leg.planted || (leg.ball_ws.y - 0.15).abs() < 2e-3, "a standing foot at {}", leg.ball_ws);
    }
}

#[test]
fn a_lean_steps_for_balance() {
    let mut creature = Creature::new(2, Gait::Groups);
    let mut stepped = false;
    for frame in 0..120 {
        let frame_of = GrounderFrame {
            root_ws: Vec3::ZERO,
            rotation_ws: Quat::IDENTITY,
            up_ws: Vec3::Y,
            pelvis_ws: Vec3::new(0.0, 0.45, 0.3 * (frame as f32 * DT)),
            dt_s: DT,
            grounded: Grounded::Yes,
        };
        // The feet's homes go with the body, slower than a distance would need.
        let poses: Vec<LegPose> = homes(2, Vec3::new(0.0, 0.0, 0.03 * (frame as f32 * DT)), Quat::IDENTITY);
        let mut hits = Vec::new();
        let (_, legs) =
            creature.grounder.solve_with(&frame_of, &poses, &mut hits, |query| answer(query, flat)).expect("a frame");
        stepped |= frame > 1 && legs.iter().any(|leg| !leg.planted);
    }
    assert!(stepped, "nobody stepped");
}

#[test]
fn frame_rates_walk_the_same_way() {
    let track = |count: usize, gait: Gait, rate: usize| -> Vec<Vec<Vec3>> {
        let mut creature = Creature::new(count, gait);
        let per = rate / 6;
        let mut all = Vec::new();
        for frame in 0..=(4 * rate) {
            let t = frame as f32 / rate as f32;
            let root = Vec3::new(0.0, 0.0, 0.5 * t);
            let (_, legs) = creature.frame(root, Quat::IDENTITY, 1.0 / rate as f32, flat);
            if frame % per == 0 {
                all.push(legs.iter().map(|leg| leg.ball_ws).collect());
            }
        }
        all
    };
    // Two feet step for balance, the others for their distance; a wave of more than four feet does
    // not keep up with this body.
    let cases = [(2, Gait::Groups), (4, Gait::Groups), (4, Gait::Wave), (6, Gait::Groups), (6, Gait::Free)];
    for (count, gait) in cases {
        let fine = track(count, gait, 144);
        for rate in [60, 36, 30] {
            for (frame, (a, b)) in fine.iter().zip(&track(count, gait, rate)).enumerate() {
                for (leg, (a, b)) in a.iter().zip(b).enumerate() {
                    let off = (*a - *b).length();
                    assert!(off < 2e-3, "{count} feet, {rate} Hz: {leg} is {off} m off at frame {frame} of 6 Hz");
                }
            }
        }
    }
}

#[test]
fn legs_that_are_due_together_are_chosen_alike_at_all_frame_rates() {
    // The first two legs are at their trigger after 0.45 s, at the end of a frame of 60 Hz, but for
    // rounding.
    let first = |rate: usize| {
        let foot = FootModel { ball_height: 0.02, heel_height: 0.02, has_sole: false, ..FootModel::default() };
        let mut grounder = Grounder::new(&[foot; 6], GrounderSettings::default());
        assert!(grounder.set_stepping(Some(SteppingSettings { gait: Gait::Wave, ..SteppingSettings::default() }), &[]));
        let mut hits = Vec::new();
        (1..rate).find_map(|i| {
            let root = Vec3::Z * (0.4 * (i as f32 / rate as f32));
            let frame = GrounderFrame {
                root_ws: root,
                rotation_ws: Quat::IDENTITY,
                up_ws: Vec3::Y,
                pelvis_ws: root + Vec3::Y * 0.35,
                dt_s: 1.0 / rate as f32,
                grounded: Grounded::Auto,
            };
            let mut poses = homes(6, Vec3::ZERO, Quat::IDENTITY);
            for pose in &mut poses {
                let way = pose.ball_ws.normalize();
                pose.hip_ws = root + way * 0.15 + Vec3::Y * 0.35;
                pose.knee_ws = root + way * 0.35 + Vec3::Y * 0.5;
                pose.ball_ws = root + way * 0.5 + Vec3::Y * 0.02;
                pose.ankle_ws = pose.ball_ws;
            }
            let solved = grounder.solve_with(&frame, &poses, &mut hits, |query| answer(query, flat));
            solved.expect("a frame").1.iter().position(|leg| !leg.planted).filter(|_| i > 2)
        })
    };
    let usual = first(60);
    assert!(usual.is_some());
    for rate in [30, 36, 90, 144] {
        assert_eq!(first(rate), usual, "at {rate} Hz another leg goes first");
    }
}

#[test]
fn a_restored_snapshot_goes_on_with_the_same_bits() {
    let place = |frame: usize| Vec3::new(0.0, 0.0, 0.6 * frame as f32 * DT);
    let mut creature = Creature::new(4, Gait::Groups);
    for frame in 0..77 {
        creature.frame(place(frame), Quat::IDENTITY, DT, flat);
    }
    let mut bytes = vec![0; creature.grounder.snapshot_size()];
    assert!(creature.grounder.snapshot(&mut bytes));
    let mut other = Creature::new(4, Gait::Groups);
    assert!(other.grounder.restore(&bytes));
    for frame in 77..200 {
        let a = creature.frame(place(frame), Quat::IDENTITY, DT, flat);
        let b = other.frame(place(frame), Quat::IDENTITY, DT, flat);
        assert_eq!(a, b, "frame {frame}");
    }
    let mut plain = Grounder::new(&[FootModel::default(); 4], GrounderSettings::default());
    assert!(!plain.restore(&bytes), "a snapshot with steps in a grounder without");
}
