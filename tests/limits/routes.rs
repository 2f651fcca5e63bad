//! Limits are looked at after limbs and gaze were solved without them, or during the separate
//! steps: both give the same pose.

use sinew::animator::Animator;
use sinew::humanoid::{HumanoidSettings, IkGoal, LookAtWeight};
use sinew::math::{Vec3, rotation_angle};
use testkit::axes::turn;
use testkit::characters::{self, joint, pose, set_pose};
use testkit::human_pose::random_human_pose;
use testkit::mannequin::Mannequin;
use testkit::person::{PersonOptions, person};
use testkit::{BoneRolls, Random};

/// A weight that changes nothing, and that only the separate steps know.
const NOTHING: f32 = 1e-30;

fn ask(animator: &mut Animator, targets: &[Vec3; 4], ahead: Vec3, random: &mut Random) {
    for (goal, target) in IkGoal::ALL.into_iter().zip(targets) {
        animator.set_ik_position(goal, *target).unwrap();
        animator.set_ik_position_weight(goal, if random.unit01() < 0.7 { 1.0 } else { random.unit01() }).unwrap();
        animator.set_ik_rotation(goal, random.rotation()).unwrap();
        animator.set_ik_rotation_weight(goal, if random.unit01() < 0.5 { 0.0 } else { random.unit01() }).unwrap();
    }
    animator.set_look_at_position(ahead).unwrap();
    let weight = random.unit01();
    animator.set_look_at_weight(LookAtWeight { weight, body: 0.3, head: 1.0, eyes: 0.5, clamp: 0.3 }).unwrap();
}

#[test]
fn limits_after_the_solve_and_in_separate_steps_give_the_same_pose() {
    let mut random = Random::new(11);
    let (mut frames, mut differing, mut worst) = (0, 0, 0.0_f32);
    for bone_rolls in BoneRolls::ALL {
        let person = person(&PersonOptions { bone_rolls, ..PersonOptions::default() });
        let [mut after, mut separate] = [0.0, NOTHING].map(|spine_weight| {
            let mut animator = characters::animator(&person, 0.0);
            let settings = HumanoidSettings { limits_enabled: true, spine_weight, ..Default::default() };
            animator.set_settings(&settings).unwrap();
            animator
        });
        let axes = Mannequin::new(person.view()).axes();
        for frame in 0..400 {
            let start = random_human_pose(person.view(), &mut random, 0.5);
            let ends = {
                set_pose(&mut after, &random_human_pose(person.view(), &mut random, 0.5));
                let world = characters::world(&after);
                IkGoal::ALL.map(|goal| world[joint(&after, goal.bones()[2])].position)
            };
            let targets = ends.map(|p| Vec3::new(p[0] as f32, p[1] as f32, p[2] as f32) + random.in_ball(0.3));
            let up = turn(axes.forward, axes.up, 60.0 * random.between(-1.0, 1.0));
            let ahead = up * (axes.forward + axes.up * 1.5) * 2.0 + random.unit_vector();
            let seed = random.bits();
            for animator in [&mut after, &mut separate] {
                set_pose(animator, &start);
                ask(animator, &targets, ahead, &mut Random::new(seed));
                animator.solve().unwrap();
            }
            frames += 1;
            let off = pose(&after)
                .iter()
                .zip(pose(&separate))
                .map(|(a, b)| rotation_angle(a.rotation.conjugate() * b.rotation))
                .fold(0.0, f32::max);
            assert!(off < 0.01, "{bone_rolls:?} {frame}: {off}");
            // On borders rounding is larger.
            differing += usize::from(off > 1e-3);
            for goal in IkGoal::ALL {
                let [a, b] = [&after, &separate].map(|animator| animator.ik_outcome(goal).unwrap());
                let left = (a.residual_m - b.residual_m).abs().max((a.residual_rad - b.residual_rad).abs());
                assert!(left < 0.01, "{bone_rolls:?} {frame} {goal:?}: {a:?} {b:?}");
                // What is left may be near what counts as nothing.
                let is_missed = a.residual_m.max(b.residual_m) > 5e-4 || a.residual_rad.max(b.residual_rad) > 3e-3;
                assert!(a.status == b.status || !is_missed, "{bone_rolls:?} {frame} {goal:?}: {a:?} {b:?}");
            }
            worst = worst.max(off);
        }
    }
    println!("{frames} frames, {differing} differ by over 1e-3, the worst by {worst}");
    assert!(differing * 20 <= frames, "{differing} of {frames}");
}

#[test]
fn a_limited_limb_has_the_same_rotations_whatever_the_others_do() {
    let mut random = Random::new(12);
    let person = person(&PersonOptions::default());
    let mut animator = characters::animator(&person, 0.0);
    let settings = HumanoidSettings { limits_enabled: true, ..Default::default() };
    animator.set_settings(&settings).unwrap();
    let mut limited = 0;
    for frame in 0..300 {
        let start = random_human_pose(person.view(), &mut random, 0.5);
        let targets = IkGoal::ALL.map(|goal| {
            let height = if goal.is_foot() { 0.3 } else { 1.2 };
            Vec3::new(0.0, height, 0.1) + random.in_ball(0.7)
        });
        let mut solved = |goals: &[IkGoal], enabled: bool| {
            animator.set_settings(&HumanoidSettings { limits_enabled: enabled, ..settings }).unwrap();
            for (goal, target) in IkGoal::ALL.into_iter().zip(targets) {
                animator.set_ik_position(goal, target).unwrap();
                animator.set_ik_position_weight(goal, if goals.contains(&goal) { 1.0 } else { 0.0 }).unwrap();
            }
            set_pose(&mut animator, &start);
            animator.solve().unwrap();
            IkGoal::ALL.map(|goal| goal.bones().map(|bone| pose(&animator)[joint(&animator, bone)].rotation))
        };
        let together = solved(&IkGoal::ALL, true);
        let free = solved(&IkGoal::ALL, false);
        for (i, goal) in IkGoal::ALL.into_iter().enumerate() {
            let alone = solved(&[goal], true);
            let pair = solved(&[IkGoal::ALL[(i + 1) % 4], goal], true);
            for others in [alone, pair] {
                assert_eq!(together[i][0], others[i][0], "{frame} {goal:?}");
                // Ends keep their orientation in frames that are computed anew where a clavicle of
                // another limb has moved, and share their twist with mid joints.
                for joint in 1..3 {
                    let off = rotation_angle(together[i][joint].conjugate() * others[i][joint]);
                    assert!(off < 1e-5, "{frame} {goal:?}: {off}");
                }
            }
            limited += usize::from(together[i] != free[i]);
        }
    }
    assert!(limited > 300, "{limited}");
}
