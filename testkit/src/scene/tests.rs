//! The scene's promises, checked on rigs of several kinds.

use super::*;
use crate::matchers::{self, forward_kinematics};
use crate::person::{Handedness, Person, RestPose, Units};
use crate::rolls::BoneRolls;
use sinew::math::{arc, rotation_angle};

const DEGREES: f32 = 180.0 / core::f32::consts::PI;
const GOLDEN: [u64; 4] = [0xc0f1_5523_6f34_41a9, 0x69ea_e86c_96cd_5e9a, 0x4923_e8cd_efc7_24a5, 0xbeeb_1453_a769_fd50];

fn scene_of(person: Person) -> HoldCylinderScene {
    HoldCylinderScene::for_rig(person.skeleton, person.human, person.t_pose, person.axes, Motion::Idle, None)
        .expect("complete")
}

fn scenes() -> Vec<HoldCylinderScene> {
    let plain = PersonOptions::default();
    let kinds = [
        plain,
        PersonOptions { units: Units::Centimetres, bone_rolls: BoneRolls::Random(5), ..plain },
        PersonOptions { rest: RestPose::A, facing: Vec3::NEG_Z, ..PersonOptions::gltf() },
        PersonOptions { up: Vec3::Z, facing: Vec3::NEG_Y, handedness: Handedness::Right, height_m: 1.1, ..plain },
    ];
    kinds.iter().map(|options| scene_of(person(options))).collect()
}

/// Directions of upper arm and forearm when the animated arm swings to the goal the shortest way,
/// elbow plane and all.
fn swung_forearm(scene: &HoldCylinderScene, frame: usize) -> Vec3 {
    let now = forward_kinematics(&scene.skeleton, &scene.pose(frame));
    let [shoulder, elbow, wrist] =
        [RightUpperArm, RightLowerArm, RightHand].map(|b| now[scene.human[b.index()].unwrap()].position_f32());
    let root = scene.root(frame);
    let to_goal = root.rotation.conjugate() * (scene.goal(frame).position - root.position) - shoulder;
    let (upper, lower) = ((elbow - shoulder).length(), (wrist - elbow).length());
    let reach = to_goal.length().min((upper + lower) * 0.9999);
    let (before, after) = ((wrist - shoulder).normalize(), to_goal.normalize());
    let aside = arc(before, after) * ((elbow - shoulder) - before * before.dot(elbow - shoulder)).normalize();
    let x = (upper * upper - lower * lower + reach * reach) / (2.0 * reach);
    let bent = after * x + aside * float::sqrt(upper * upper - x * x);
    root.rotation * (after * reach - bent).normalize()
}

#[test]
fn hand_goals_are_humanly_possible() {
    for scene in scenes() {
        let up = scene.root(0).rotation * scene.axes.up;
        for frame in 0..scene.frame_count() {
            let (goal, cylinder) = (scene.goal(frame), scene.cylinder(frame));
            assert!((goal.rotation.length() - 1.0).abs() < 1e-5 && (cylinder.rotation.length() - 1.0).abs() < 1e-5);
            // The palm faces the axis: it is straight below the hand, at the distance of the grip.
            let axis = cylinder.rotation * Vec3::Y;
            let offset = cylinder.position - goal.position;
            let towards = offset - goal.rotation * Vec3::Z * offset.dot(goal.rotation * Vec3::Z);
            let palm = goal.rotation * Vec3::NEG_Y;
            assert!((towards - axis * axis.dot(towards)).normalize().dot(palm) > 0.9999);
            assert!((goal.rotation * Vec3::X).dot(axis).abs() > 0.9999, "the axis runs across the palm");
            // Thumb: away from the little finger, which is on the side of x in a left-handed world.
            let thumb = goal.rotation * Vec3::NEG_X * if scene.axes.is_left_handed() { 1.0 } else { -1.0 };
            assert!(thumb.dot(axis) > 0.9999, "the thumb points along the cylinder's y");
            if scene.reach01(frame) < 1.0 {
                assert!(thumb.dot(up) > 0.0, "thumb up at {}", scene.time_s(frame));
                let angle = float::acos(swung_forearm(&scene, frame).dot(goal.rotation * Vec3::Z)) * DEGREES;
                assert!(angle < 45.0, "wrist bent by {angle} at {}", scene.time_s(frame));
            }
        }
    }
}

#[test]
fn the_path_visits_all_phases_of_the_scene() {
    let scene = HoldCylinderScene::new();
    let active = |f: &usize| scene.ik_active(*f);
    let seconds = |frames: usize| frames as f32 * scene.delta_time_s();
    let all: Vec<usize> = (0..scene.frame_count()).collect();
    assert_eq!(all.len(), 840);
    let comfortable = all.iter().filter(|f| active(f) && scene.reach01(**f) < 0.96).count();
    assert!(seconds(comfortable) > 6.0, "{}", seconds(comfortable));
    // More than the arm and 10 cm from the shoulder.
    let out_of_reach = all.iter().filter(|f| active(f) && **f > 500 && scene.reach01(**f) > 1.0 + 0.1 / USUAL_ARM_M);
    let out_of_reach = seconds(out_of_reach.count());
    assert!((1.0..2.6).contains(&out_of_reach), "{out_of_reach}");
    assert!(all.iter().all(|f| scene.reach01(*f) > 0.5), "never so near that the arm folds up");
    let height = |f: &usize| scene.goal(*f).position.y;
    assert!(all.iter().filter(|f| active(f)).any(|f| height(f) > 1.85), "overhead");
    assert!(all.iter().filter(|f| active(f)).any(|f| height(f) < 1.05), "low beside the hip");
    let flips: Vec<usize> = all.windows(2).filter(|w| active(&w[0]) != active(&w[1])).map(|w| w[1]).collect();
    assert_eq!(flips, [90, 420, 492, 792]);
}

#[test]
fn everything_moves_in_small_steps() {
    for scene in scenes() {
        for frame in 1..scene.frame_count() {
            let (a, b) = (scene.cylinder(frame - 1), scene.cylinder(frame));
            let step_m = (b.position - a.position).length() / scene.scale;
            let turned = rotation_angle(b.rotation * a.rotation.conjugate()) * DEGREES;
            assert!(step_m < 0.025, "{step_m} m in frame {frame}");
            assert!(turned < 1.5, "{turned} degrees in frame {frame}");
            let step = matchers::max_joint_step_rad(&scene.pose(frame - 1), &scene.pose(frame));
            assert!(step < 0.08, "{step} rad in frame {frame}");
        }
    }
}

#[test]
fn ankles_are_planted_and_poses_sound() {
    for scene in scenes() {
        let feet = [LeftFoot, RightFoot].map(|b| scene.human[b.index()].unwrap());
        let planted = forward_kinematics(&scene.skeleton, &scene.t_pose);
        for frame in (0..scene.frame_count()).step_by(7) {
            let pose = scene.pose(frame);
            matchers::assert_sound(&pose);
            let now = forward_kinematics(&scene.skeleton, &pose);
            for foot in feet {
                let off = matchers::distance(now[foot].position, planted[foot].position) as f32 / scene.scale;
                assert!(off < 5e-4, "{off}");
            }
        }
    }
}

#[test]
fn closed_fingers_touch_the_cylinder() {
    let scene = HoldCylinderScene::new();
    let frame = 210;
    assert_eq!(scene.closed01[frame], 1.0);
    let now = forward_kinematics(&scene.skeleton, &scene.pose(frame));
    let place = |joint: JointIndex| now[joint].position_f32();
    // The cylinder in the hand at the hand's current position: by the goal frame of the T-pose.
    let hand = scene.human[RightHand.index()].unwrap();
    let turned = matchers::model_rotations(&scene.skeleton, &scene.pose(frame))[hand].map(|c| c as f32);
    let goal = Quat::from_array(turned) * frame_rotation(scene.axes.right, scene.axes.up);
    let handle = scene.handle_local();
    let rotation = goal * handle.rotation.conjugate();
    let centre = place(hand) - rotation * handle.position;
    let axis = rotation * Vec3::Y;
    for finger in 0..5 {
        for segment in 0..3 {
            let joint = scene.human[hand::finger_bone(Side::Right, finger, segment).index()].unwrap();
            let tip = scene.skeleton.children(joint).next().unwrap();
            let from_axis = place(tip) - centre;
            let distance = (from_axis - axis * axis.dot(from_axis)).length() - scene.cylinder_radius;
            assert!((0.006..0.018).contains(&distance), "finger {finger} segment {segment}: {distance} m above");
        }
    }
}

#[test]
fn every_rig_sees_the_same_scene_in_its_own_axes() {
    let reference = HoldCylinderScene::new();
    for scene in scenes() {
        for frame in [0, 200, 470, 700] {
            let seen = |s: &HoldCylinderScene, v: Vec3| {
                Vec3::new(v.dot(s.axes.right), v.dot(s.axes.up), v.dot(s.axes.forward))
            };
            let place = |s: &HoldCylinderScene| {
                let root = s.root(frame);
                let back = root.rotation.conjugate();
                let from_shoulder = back * (s.cylinder(frame).position - root.position) - s.shoulder_ms;
                (seen(s, from_shoulder) * (1.0 / s.scale), seen(s, back * (s.cylinder(frame).rotation * Vec3::Y)))
            };
            let ((a, a_axis), (b, b_axis)) = (place(&reference), place(&scene));
            assert!((a - b).length() < 2e-4 && (a_axis - b_axis).length() < 2e-4, "{a} {b}");
        }
    }
}

#[test]
fn a_missing_bone_is_named_and_poses_repeat() {
    let mut incomplete = person(&PersonOptions::default());
    incomplete.human[RightHand.index()] = None;
    let p = incomplete;
    let failed = HoldCylinderScene::for_rig(p.skeleton.clone(), p.human, p.t_pose.clone(), p.axes, Motion::Idle, None);
    assert_eq!(failed.unwrap_err().to_string(), "the rig has no RightHand");

    let p = person(&PersonOptions { with_fingers: false, with_optional: false, ..PersonOptions::default() });
    let poses = vec![p.t_pose.clone(), crate::idle::idle_pose(&p, 1.0)];
    let motion = Motion::Poses(poses.clone());
    let scene = HoldCylinderScene::for_rig(p.skeleton, p.human, p.t_pose, p.axes, motion, Some(1.0)).unwrap();
    matchers::assert_pose_bits_equal(&scene.pose(0), &poses[0]);
    matchers::assert_pose_bits_equal(&scene.pose(5), &poses[1]);
    assert_eq!(scene.cylinder_radius, 0.04);
}

#[test]
fn the_weight_eases_linearly_and_stops() {
    let delta_time_s = 1.0 / 60.0;
    let mut weight = 0.0;
    for _ in 0..12 {
        weight = ease_weight(weight, true, delta_time_s);
    }
    assert!((weight - 0.5).abs() < 1e-5);
    assert_eq!(ease_weight(0.99, true, delta_time_s), 1.0);
    assert_eq!(ease_weight(0.01, false, delta_time_s), 0.0);
    assert_eq!(ease_weight(0.5, false, 0.1), 0.25);
}

#[test]
fn the_scene_is_the_same_bits_everywhere() {
    // One number for every platform and optimisation level. It changes only when person, idle
    // motion or path do; then take the new one from the message.
    let hash = |bytes: &[u8]| {
        bytes.iter().fold(matchers::HASH_START, |h, b| (h ^ u64::from(*b)).wrapping_mul(0x0000_0100_0000_01b3))
    };
    let hashes: Vec<u64> = scenes().iter().map(|scene| hash(&scene.to_bytes())).collect();
    assert!(hashes == GOLDEN, "now {hashes:#018x?}");
}

#[test]
fn the_file_reads_back() {
    let scene = HoldCylinderScene::new();
    let bytes = scene.to_bytes();
    let u32_at = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    let transform_at = |at: usize| -> Vec<u32> { (0..10).map(|i| u32_at(at + 4 * i)).collect() };
    let bits = |t: &Transform| numbers(t).map(f32::to_bits).to_vec();
    let joints = scene.skeleton.joint_count();
    assert_eq!(&bytes[..8], b"SNWSCENE");
    assert_eq!([8, 12, 16].map(u32_at), [1, joints as u32, 840]);
    assert_eq!(f32::from_bits(u32_at(20)), 1.0 / 60.0);
    let mut at = 24;
    for joint in 0..joints {
        assert_eq!(u32_at(at) as i32, scene.skeleton.parent(joint).map_or(-1, |p| p as i32));
        let bone = u32_at(at + 4) as i32;
        assert!(bone == -1 || scene.human[bone as usize] == Some(joint));
        assert_eq!(transform_at(at + 8), bits(&scene.skeleton.rest_local()[joint]));
        let length = u32_at(at + 48) as usize;
        assert_eq!(&bytes[at + 52..at + 52 + length], scene.skeleton.name(joint).as_bytes());
        at += 52 + length.next_multiple_of(4);
    }
    assert_eq!(transform_at(at), bits(&scene.handle_local()));
    assert_eq!([u32_at(at + 40), u32_at(at + 44)].map(f32::from_bits), [0.04, 0.30].map(|m: f32| m * scene.scale));
    at += 48;
    let frame_size = 4 + 40 * (2 + joints);
    assert_eq!(bytes.len(), at + frame_size * 840);
    let last = at + frame_size * 839;
    assert_eq!(u32_at(last), 0);
    assert_eq!(transform_at(last + 4), bits(&scene.root(839)));
    assert_eq!(transform_at(last + 44), bits(&scene.cylinder(839)));
    assert_eq!(transform_at(last + 84), bits(&scene.pose(839)[0]));
}
