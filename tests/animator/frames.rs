//! Frames of joints: the same bits for one character and for eight in step, joint by joint or all
//! at once, and close to forward kinematics in `f64`.

use sinew::animator::Animator;
use sinew::math::dispatch::Level;
use sinew::math::{Frame, Rigid, Transform, Vec3};
use sinew::skeleton::crowd::{self, Eight, STEP};
use sinew::skeleton::{JointDefinition, Pose, Skeleton};
use std::sync::Arc;
use testkit::Random;
use testkit::human_pose::random_human_pose;
use testkit::matchers;
use testkit::person::{PersonOptions, person};

/// A skeleton of any shape: one or more roots, each joint below any earlier one, near ones more
/// often than far.
fn any_skeleton(random: &mut Random, joints: usize) -> Skeleton {
    let reach = [1, 2, 5, joints][random.below(4)];
    let joint = |i: usize| {
        let root = i == 0 || random.below(40) == 0;
        let parent = (!root).then(|| i - 1 - random.below(reach.min(i)));
        JointDefinition { name: String::new(), parent, rest: random.rigid(0.3) }
    };
    Skeleton::new((0..joints).map(joint).collect()).expect("a skeleton")
}

/// How a transform may be odd.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Oddness {
    /// Not at all.
    Plain,
    /// Rotations off unit length, and places of any size.
    Off,
    /// Scale, too, here and there.
    Scaled,
}

fn any_pose(random: &mut Random, joints: usize, oddness: Oddness) -> Vec<Transform> {
    let joint = |_| {
        let mut t = random.rigid(0.5);
        if oddness != Oddness::Plain && random.below(3) == 0 {
            let sizes = [1.0 + 3e-7, 1.0 - 2e-7, 1.001, 0.01, 500.0];
            t.rotation *= sizes[random.below(sizes.len())];
            t.position *= [0.0, -0.0, 1e-30, 1e6, 1.0][random.below(5)];
        }
        if oddness == Oddness::Scaled && random.below(6) == 0 {
            t.scale = [Vec3::splat(2.0), Vec3::new(1.0, -1.0, 1.0), Vec3::new(0.5, 1.0, 3.0)][random.below(3)];
        }
        t
    };
    (0..joints).map(joint).collect()
}

fn bits(frame: &Frame) -> Vec<u32> {
    let linear = frame.linear();
    let numbers = [frame.position.to_array(), frame.signs().to_array()].concat();
    let numbers = [numbers, frame.rotation.to_array().to_vec(), linear.to_cols_array().to_vec()].concat();
    numbers.into_iter().map(f32::to_bits).collect()
}

fn loaded(skeleton: &Skeleton, local: &[Transform]) -> Pose {
    let mut pose = Pose::rest(skeleton);
    pose.load(local.iter().copied()).expect("a pose");
    pose
}

fn written(skeleton: &Skeleton, local: &[Transform]) -> Pose {
    let mut pose = Pose::rest(skeleton);
    pose.local_mut().copy_from_slice(local);
    pose
}

#[track_caller]
fn assert_same(skeleton: &Skeleton, one: &Pose, other: &Pose) {
    for joint in 0..skeleton.joint_count() {
        assert_eq!(bits(&one.model(joint)), bits(&other.model(joint)), "joint {joint}");
    }
}

#[test]
fn every_way_to_update_gives_the_same_bits() {
    let mut random = Random::new(1);
    for oddness in [Oddness::Plain, Oddness::Off, Oddness::Scaled] {
        for _ in 0..200 {
            let count = 1 + random.below(90);
            let skeleton = any_skeleton(&mut random, count);
            let local = any_pose(&mut random, count, oddness);
            let mut all = loaded(&skeleton, &local);
            all.update(&skeleton);

            let mut raw = written(&skeleton, &local);
            raw.update(&skeleton);
            assert_same(&skeleton, &all, &raw);

            let mut checked = written(&skeleton, &local);
            checked.check_local().expect("a pose");
            checked.update(&skeleton);
            assert_same(&skeleton, &all, &checked);

            let mut one_by_one = written(&skeleton, &local);
            one_by_one.update_joints(&skeleton, &(0..count).collect::<Vec<_>>());
            assert_same(&skeleton, &all, &one_by_one);

            // From another pose, with a scale or without, by the joints below each root.
            let other = [Oddness::Plain, Oddness::Scaled][random.below(2)];
            let mut by_parts = loaded(&skeleton, &any_pose(&mut random, count, other));
            by_parts.update(&skeleton);
            by_parts.local_mut().copy_from_slice(&local);
            for &root in skeleton.roots() {
                by_parts.update_subtree(&skeleton, root);
            }
            assert_same(&skeleton, &all, &by_parts);
        }
    }
}

#[test]
fn the_rest_pose_has_the_skeleton_s_frames() {
    let mut random = Random::new(2);
    for oddness in [Oddness::Plain, Oddness::Scaled] {
        for _ in 0..50 {
            let shape = any_skeleton(&mut random, 60);
            let rest = any_pose(&mut random, 60, oddness);
            let joint = |i: usize| JointDefinition { name: String::new(), parent: shape.parent(i), rest: rest[i] };
            let skeleton = Skeleton::new((0..60).map(joint).collect()).expect("a skeleton");
            let mut updated = Pose::rest(&skeleton);
            updated.update(&skeleton);
            assert_same(&skeleton, &Pose::rest(&skeleton), &updated);
        }
    }
}

/// Eight characters of one skeleton in step have the bits of eight poses, on every vector unit of
/// this processor.
#[test]
fn eight_in_step_are_eight_poses() {
    let mut random = Random::new(3);
    for oddness in [Oddness::Plain, Oddness::Off] {
        for count in [1, 2, 9, 67, 130, 1000] {
            let skeleton = any_skeleton(&mut random, count);
            let poses: Vec<_> = (0..STEP).map(|_| any_pose(&mut random, count, oddness)).collect();
            let mut local = vec![Rigid::<Eight>::default(); count];
            for (c, pose) in poses.iter().enumerate() {
                pose.iter().zip(&mut local).for_each(|(t, local)| local.put(c, Rigid::from_transform(t)));
            }
            for level in Level::all() {
                let mut model = vec![Rigid::<Eight>::default(); count];
                crowd::update(level, &skeleton, &local, &mut model);
                for (c, local) in poses.iter().enumerate() {
                    let mut alone = loaded(&skeleton, local);
                    alone.update(&skeleton);
                    for (joint, model) in model.iter().enumerate() {
                        let (frame, own) = (model.at(c).tightened(), alone.model(joint));
                        let numbers = |p: Vec3, q: [f32; 4]| [p.to_array().to_vec(), q.to_vec()].concat();
                        let together = numbers(frame.position.to_vec3(), frame.rotation.to_quat().to_array());
                        let single = numbers(own.position, own.rotation.to_array());
                        let same = together.iter().zip(&single).all(|(a, b)| a.to_bits() == b.to_bits());
                        assert!(same, "{level:?} {oddness:?} joint {joint}: {together:?} {single:?}");
                    }
                }
            }
        }
    }
}

/// Largest distance of a joint from where `f64` has it, in units of the body's `size_m`, and how
/// far the read rotations are off unit.
fn errors(skeleton: &Skeleton, local: &[Transform], size_m: f64) -> (f64, f64) {
    let mut pose = loaded(skeleton, local);
    pose.update(skeleton);
    let judge = matchers::forward_kinematics(skeleton, local);
    let (mut worst, mut off) = (0.0f64, 0.0f64);
    for (joint, exact) in judge.iter().enumerate() {
        let frame = pose.model(joint);
        worst = worst.max(matchers::distance(frame.position.to_array().map(f64::from), exact.position));
        let length2: f64 = frame.rotation.to_array().iter().map(|v| f64::from(*v) * f64::from(*v)).sum();
        off = off.max((length2 - 1.0).abs());
    }
    (worst / size_m, off)
}

fn summary(mut errors: Vec<(f64, f64)>) -> (f64, f64, f64) {
    errors.sort_by(|a, b| a.0.total_cmp(&b.0));
    let off = errors.iter().map(|e| e.1).fold(0.0, f64::max);
    (errors[errors.len() / 2].0, errors[errors.len() - 1].0, off)
}

#[test]
fn people_s_joints_are_where_they_should_be() {
    let mut random = Random::new(4);
    let options = PersonOptions::default();
    let person = person(&options);
    let of = |_| {
        let mut pose = random_human_pose(person.view(), &mut random, 1.0);
        pose.iter_mut().for_each(|t| t.rotation = t.rotation.normalize());
        errors(&person.skeleton, &pose, f64::from(options.height_m))
    };
    let (median, worst, off) = summary((0..2000).map(of).collect());
    println!("person: median {median:.1e}, worst {worst:.1e}, off unit {off:.1e}");
    assert!(median < 3e-7 && worst < 1e-6 && off < 3.5e-7, "{median:e} {worst:e} {off:e}");
}

#[test]
fn long_chains_do_not_drift() {
    let mut random = Random::new(5);
    for (count, bend) in [(67, 3.0), (1000, 0.1), (1000, 3.0), (10_000, 0.01)] {
        let joint = |i: usize| JointDefinition {
            name: String::new(),
            parent: i.checked_sub(1),
            rest: Transform::at(Vec3::Y * 0.1),
        };
        let skeleton = Skeleton::new((0..count).map(joint).collect()).expect("a skeleton");
        let of = |_| {
            let turned = |t: &Transform| Transform { rotation: random.rotation_within(bend), ..*t };
            let local: Vec<_> = skeleton.rest_local().iter().map(turned).collect();
            errors(&skeleton, &local, 0.1 * count as f64)
        };
        let (median, worst, off) = summary((0..20).map(of).collect());
        println!("chain of {count}, bends to {bend}: median {median:.1e}, worst {worst:.1e}, off unit {off:.1e}");
        assert!(worst < 3e-5 && off < 3.5e-7, "{count}: {median:e} {worst:e} {off:e}");
    }
}

/// [`Animator::joint_ws`] goes along the path from the root in registers.
#[test]
fn the_frame_of_one_joint_is_composed_along_its_path() {
    let mut random = Random::new(23);
    for round in 0..300 {
        let joints = 1 + random.below(60);
        let skeleton = Arc::new(any_skeleton(&mut random, joints));
        let mut animator = Animator::new(skeleton.clone(), None).expect("an animator");
        let oddness = [Oddness::Plain, Oddness::Off, Oddness::Scaled][round % 3];
        let mut local = any_pose(&mut random, joints, oddness);
        for t in local.iter_mut().filter(|_| round % 7 == 0) {
            // Zeros of either sign, which must come out with theirs.
            t.rotation = sinew::math::Quat::from_xyzw(-0.0, 0.0, [0.0, -0.0][random.below(2)], 1.0);
            t.position.x = [0.0, -0.0][random.below(2)];
        }
        animator.pose_mut().local_mut().copy_from_slice(&local);
        let own = |joint: usize| {
            Frame::from_transform(&Transform { rotation: local[joint].rotation.normalize(), ..local[joint] })
        };
        for joint in 0..joints {
            let above = skeleton.ancestors(joint).fold(own(joint), |inner, above| own(above).compose(&inner));
            let expected = animator.world_frame().compose(&above);
            assert_eq!(bits(&animator.joint_ws(joint)), bits(&expected), "round {round}, {oddness:?}, joint {joint}");
        }
    }
}
