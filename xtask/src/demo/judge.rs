//! Measures a host's poses from outside: forward kinematics in double precision, distances and
//! angles to the goals.

use super::hosts::Run;
use super::recording::{CylinderPose, HostHash, JointPose, RecordedFrame, RecordedJoint, Recording};
use anyhow::{Context, Result, ensure};
use sinew::humanoid::HumanBone;
use sinew::math::{Quat, Transform, Vec3};
use sinew::skeleton::Skeleton;
use testkit::matchers::{Affine64, direction_angle_rad, forward_kinematics, model_rotations, rotation_angle_rad};
use testkit::scene::HoldCylinderScene;

/// A pose in the world.
struct World {
    frames: Vec<Affine64>,
    rotations: Vec<Quat>,
}

impl World {
    fn new(skeleton: &Skeleton, local: &[Transform], root: &Transform) -> Self {
        let outer = Affine64::from_transform(root);
        let frames = forward_kinematics(skeleton, local).iter().map(|f| outer.then(f)).collect();
        let rotations = model_rotations(skeleton, local)
            .iter()
            .map(|q| (root.rotation * Quat::from_xyzw(q[0] as f32, q[1] as f32, q[2] as f32, q[3] as f32)).normalize())
            .collect();
        Self { frames, rotations }
    }
    fn joints(&self) -> Vec<JointPose> {
        let one = |(frame, rotation): (&Affine64, &Quat)| JointPose {
            position: frame.position_f32().to_array(),
            rotation: rotation.to_array(),
        };
        self.frames.iter().zip(&self.rotations).map(one).collect()
    }
}

fn to64(v: Vec3) -> [f64; 3] {
    [v.x.into(), v.y.into(), v.z.into()]
}

fn status_word(status: i32) -> &'static str {
    ["inactive", "reached", "unreachable", "stalled", "out of iterations"].get(status as usize).unwrap_or(&"unknown")
}

/// Puts the scene and a host's poses together, every residual measured here.
pub fn record(scene: &HoldCylinderScene, run: &Run, model: Option<&str>, hosts: Vec<HostHash>) -> Result<Recording> {
    ensure!(run.frames.len() == scene.frame_count(), "the host left {} frames", run.frames.len());
    let skeleton = &scene.skeleton;
    let joint = |bone: HumanBone| scene.human[bone.index()];
    let hand = joint(HumanBone::RightHand).context("no right hand")?;
    let head = joint(HumanBone::Head).context("no head")?;
    let eyes = [joint(HumanBone::LeftEye), joint(HumanBone::RightEye)];

    // What is fixed in hand and head, from the T-pose: the goal frame and the face's direction.
    let in_t_pose = World::new(skeleton, &scene.t_pose, &Transform::IDENTITY);
    let goal_t = sinew::math::frame_rotation(scene.axes.right, scene.axes.up);
    let goal_from_hand = in_t_pose.rotations[hand].conjugate() * goal_t;
    let face_from_head = in_t_pose.rotations[head].conjugate() * scene.axes.forward;

    let metres = 1.0 / scene.scale;
    let mut frames = Vec::with_capacity(run.frames.len());
    for (index, left) in run.frames.iter().enumerate() {
        ensure!(left.pose.len() == skeleton.joint_count(), "frame {index} has {} joints", left.pose.len());
        let root = scene.root(index);
        let animated = World::new(skeleton, &scene.pose(index), &root);
        let solved = World::new(skeleton, &left.pose, &root);
        let (goal, cylinder) = (scene.goal(index), scene.cylinder(index));
        let eye_point = match eyes {
            [Some(l), Some(r)] => (solved.frames[l].position_f32() + solved.frames[r].position_f32()) * 0.5,
            _ => solved.frames[head].position_f32(),
        };
        let face = solved.rotations[head] * face_from_head;
        let hand_rotation = (solved.rotations[hand] * goal_from_hand).normalize();
        let off = to64(solved.frames[hand].position_f32() - goal.position);
        frames.push(RecordedFrame {
            time_s: scene.time_s(index),
            ik_active: scene.ik_active(index),
            weight: left.weight,
            animated: animated.joints(),
            solved: solved.joints(),
            goal: JointPose { position: goal.position.to_array(), rotation: goal.rotation.to_array() },
            cylinder: CylinderPose {
                position: cylinder.position.to_array(),
                rotation: cylinder.rotation.to_array(),
                radius_m: scene.cylinder_radius * metres,
                length_m: scene.cylinder_length * metres,
            },
            look_target: cylinder.position.to_array(),
            look_from: eye_point.to_array(),
            look_dir: face.to_array(),
            hand_residual_m: (testkit::matchers::distance(off, [0.0; 3]) as f32) * metres,
            hand_residual_rad: rotation_angle_rad(hand_rotation, goal.rotation) as f32,
            look_residual_rad: direction_angle_rad(to64(face), to64(cylinder.position - eye_point)) as f32,
            // The solver judges the weighted goal; while the weight moves, "reached" would read
            // wrong.
            status: if left.weight > 0.0 && left.weight < 1.0 { "easing" } else { status_word(left.hand_status) }
                .to_string(),
        });
    }
    let bone_of = |j: usize| scene.human.iter().position(|mapped| *mapped == Some(j)).and_then(HumanBone::from_index);
    Ok(Recording {
        title: "The hand takes hold of the cylinder".into(),
        subtitle: match model {
            Some(name) => format!("{name}: {} joints, solved through the C ABI", skeleton.joint_count()),
            None => format!("Built-in mannequin: {} joints, solved through the C ABI", skeleton.joint_count()),
        },
        fps: scene.fps as f32,
        left_handed: scene.axes.is_left_handed(),
        up: scene.axes.up.to_array(),
        forward: scene.axes.forward.to_array(),
        metres_per_unit: metres,
        joints: (0..skeleton.joint_count())
            .map(|j| RecordedJoint {
                name: skeleton.name(j).to_string(),
                parent: skeleton.parent(j),
                human_bone: bone_of(j).map(|b| b.name().to_string()),
            })
            .collect(),
        frames,
        hosts,
    })
}

/// Prints what the frames at full weight came to.
pub fn report(recording: &Recording) {
    let full = || recording.frames.iter().filter(|f| f.weight >= 1.0);
    let reached: Vec<_> = full().filter(|f| f.status == "reached").collect();
    let worst = |values: &mut dyn Iterator<Item = f32>| values.fold(0.0f32, f32::max);
    println!(
        "frames at full weight: {}, goal reached in {}: hand off by at most {:.4} mm and {:.4} degrees",
        full().count(),
        reached.len(),
        1000.0 * worst(&mut reached.iter().map(|f| f.hand_residual_m)),
        worst(&mut reached.iter().map(|f| f.hand_residual_rad)).to_degrees(),
    );
    println!(
        "out of reach in {}: hand short by up to {:.1} mm; gaze off the cylinder by at most {:.3} degrees",
        full().count() - reached.len(),
        1000.0 * worst(&mut full().filter(|f| f.status != "reached").map(|f| f.hand_residual_m)),
        worst(&mut full().map(|f| f.look_residual_rad)).to_degrees(),
    );
}
