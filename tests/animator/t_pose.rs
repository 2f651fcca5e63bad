//! The T-pose and the axes of small bodies made for the purpose; `rig_data.rs` has real ones.

use sinew::humanoid::HumanBone::{self, *};
use sinew::humanoid::{BodyAxes, HumanMap, body_axes, t_pose};
use sinew::math::{Vec3, axis_angle, rotation_angle};
use sinew::skeleton::{JointIndex, Pose, Skeleton, SkeletonBuilder};

/// A body of one leg pair, one arm pair and a head: Y up, facing +Z, right-handed. `lower_arms`
/// turns the arms down by this angle in radians; detached feet are children of the root.
fn body(lower_arms: f32, detached_feet: bool) -> (Skeleton, HumanMap) {
    let mut builder = SkeletonBuilder::new();
    let mut map = HumanMap::new();
    let root = builder.joint_at("root", None, Vec3::ZERO);
    let hips = builder.joint_at("hips", Some(root), Vec3::new(0.0, 1.0, 0.0));
    let spine = builder.joint_at("spine", Some(hips), Vec3::new(0.0, 0.2, 0.0));
    let head = builder.joint_at("head", Some(spine), Vec3::new(0.0, 0.4, 0.0));
    for (bone, joint) in [(Hips, hips), (Spine, spine), (Head, head)] {
        map.set(bone, Some(joint));
    }
    for (mirror, x) in [(false, 1.0), (true, -1.0)] {
        let mut put = |bone: HumanBone, joint: JointIndex| {
            map.set(if mirror { bone.mirrored() } else { bone }, Some(joint));
            joint
        };
        let down = axis_angle(Vec3::Z, -x * lower_arms);
        let along = |length: f32| Vec3::new(x * length, 0.0, 0.0);
        let upper = builder.joint_turned("upper arm", Some(spine), Vec3::new(x * 0.2, 0.3, 0.0), down);
        let twist = builder.joint_at("twist", Some(put(LeftUpperArm, upper)), along(0.15));
        let lower = builder.joint_at("lower arm", Some(twist), along(0.15));
        let hand = builder.joint_at("hand", Some(put(LeftLowerArm, lower)), along(0.25));
        put(LeftHand, hand);
        let thigh = builder.joint_at("thigh", Some(hips), Vec3::new(x * 0.1, 0.0, 0.0));
        let shin = builder.joint_at("shin", Some(put(LeftUpperLeg, thigh)), Vec3::new(0.0, -0.45, 0.01));
        put(LeftLowerLeg, shin);
        let foot = if detached_feet {
            builder.joint_at("foot", Some(root), Vec3::new(x * 0.1, 0.12, 0.0))
        } else {
            builder.joint_at("foot", Some(shin), Vec3::new(0.0, -0.43, -0.01))
        };
        let toes = builder.joint_at("toes", Some(put(LeftFoot, foot)), Vec3::new(0.0, -0.08, 0.12));
        put(LeftToes, toes);
    }
    (builder.build().unwrap(), map)
}

const AXES: BodyAxes = BodyAxes { right: Vec3::NEG_X, up: Vec3::Y, forward: Vec3::Z, left_handed: false };

#[test]
fn axes_come_from_the_body_and_hints_override_them() {
    let (skeleton, map) = body(0.7, false);
    assert_eq!(body_axes(&skeleton, &map, None, None), Some(AXES));
    let turned = body_axes(&skeleton, &map, None, Some(Vec3::new(0.0, 0.0, -2.0))).unwrap();
    assert_eq!(turned, BodyAxes { forward: Vec3::NEG_Z, left_handed: true, ..AXES });
    for bad in [Vec3::ZERO, Vec3::NAN, Vec3::INFINITY, Vec3::Y, Vec3::X] {
        assert_eq!(body_axes(&skeleton, &map, None, Some(bad)), Some(AXES), "{bad}");
    }
    assert_eq!(body_axes(&skeleton, &HumanMap::new(), None, None), None);
    // The map of another skeleton.
    let mut beyond = map.clone();
    beyond.set(LeftFoot, Some(1000));
    assert!(body_axes(&skeleton, &beyond, None, None).is_some());
    assert_eq!(t_pose(&skeleton, &beyond, &AXES).len(), skeleton.joint_count());
}

#[test]
fn without_mapped_toes_the_children_of_the_feet_define_forward() {
    let (skeleton, mut map) = body(0.0, false);
    let feet = [LeftFoot, RightFoot].map(|b| map.get(b).unwrap());
    for (bone, foot) in [(LeftToes, feet[0]), (RightToes, feet[1])] {
        map.set(bone, None);
        assert!(skeleton.children(foot).count() == 1);
    }
    assert_eq!(body_axes(&skeleton, &map, None, None), Some(AXES));
}

#[test]
fn a_t_pose_stays_bit_for_bit_and_lowered_arms_rise() {
    let (skeleton, map) = body(0.0, false);
    assert_eq!(t_pose(&skeleton, &map, &AXES), skeleton.rest_local());
    // 4 degrees are within the tolerance of arms, 6 are not.
    let (skeleton, map) = body(0.07, false);
    assert_eq!(t_pose(&skeleton, &map, &AXES), skeleton.rest_local());
    for angle in [0.105, 0.8, 1.57, -0.5, 3.0] {
        let (skeleton, map) = body(angle, false);
        let local = t_pose(&skeleton, &map, &AXES);
        let upper = [LeftUpperArm, RightUpperArm].map(|b| map.get(b).unwrap());
        for (joint, (now, rest)) in local.iter().zip(skeleton.rest_local()).enumerate() {
            if upper.contains(&joint) {
                assert!(rotation_angle(now.rotation) < 1e-3, "{angle} {now:?}");
            } else {
                assert_eq!(now, rest, "{angle} {joint}");
            }
        }
    }
}

#[test]
fn feet_below_the_root_go_with_the_legs() {
    let (skeleton, map) = body(0.0, true);
    // A leg turned forward by 60 degrees: the foot stays where the rig left it until the leg is
    // straightened.
    let mut joints: Vec<_> = skeleton.rest_local().to_vec();
    let thigh = map.get(LeftUpperLeg).unwrap();
    joints[thigh].rotation = axis_angle(Vec3::X, -1.05);
    let mut builder = SkeletonBuilder::new();
    for (i, rest) in joints.iter().enumerate() {
        builder.joint(skeleton.name(i), skeleton.parent(i), *rest);
    }
    let skeleton = builder.build().unwrap();
    let mut pose = Pose::rest(&skeleton);
    let lengths = |pose: &Pose| {
        let at = |b: HumanBone| pose.model(map.get(b).unwrap()).position;
        ((at(LeftFoot) - at(LeftLowerLeg)).length(), at(LeftLowerLeg), at(LeftFoot))
    };
    let (before, ..) = lengths(&pose);
    pose.local_mut().copy_from_slice(&t_pose(&skeleton, &map, &AXES));
    pose.update(&skeleton);
    let (after, knee, foot) = lengths(&pose);
    assert!((before - after).abs() < 1e-4);
    let shin = (foot - knee) / after;
    assert!(shin.dot(Vec3::NEG_Y) > 0.93, "{shin}");
}

/// Motion capture skeletons have necks and hips of zero length, which come out a rounding error
/// long.
#[test]
fn bones_without_length_have_no_direction() {
    let rig = testkit::person(&testkit::PersonOptions::default());
    for noise in [Vec3::ZERO, Vec3::new(1e-7, -9e-8, 7e-8), Vec3::new(0.0, -1e-5, 1e-4)] {
        for bone in [Chest, UpperChest, Neck] {
            let joint = rig.joint(bone);
            let mut builder = SkeletonBuilder::new();
            for j in 0..rig.skeleton.joint_count() {
                let mut local = rig.skeleton.rest_local()[j];
                if j == joint {
                    local.position = noise;
                }
                builder.joint(rig.skeleton.name(j), rig.skeleton.parent(j), local);
            }
            let skeleton = builder.build().unwrap();
            let map = HumanMap::from_array(rig.human);
            let axes = body_axes(&skeleton, &map, None, None).unwrap();
            assert_eq!(t_pose(&skeleton, &map, &axes), skeleton.rest_local(), "{bone:?} {noise}");
        }
    }
}
