//! A demo run as plain data: the character before and after IK, frame by frame.
//!
//! All poses are in world space and in the host's units and axes, exactly as the host saw them;
//! `stage.rs` brings them into one frame for drawing. A recording does not contain how it was made,
//! so a page can be drawn from a run of any host.

use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};

/// One run of the demo: a skeleton, its frames, and the hash every host got for the same run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Recording {
    /// Headline of the page.
    pub title: String,
    /// One sentence below the headline; may be empty.
    pub subtitle: String,
    /// Frames per second of `frames`; above zero.
    pub fps: f32,
    /// Whether the host's axes are left-handed (Unity) or right-handed (glTF, Godot).
    pub left_handed: bool,
    /// The host's up axis, unit length, host axes.
    pub up: [f32; 3],
    /// The axis the character faces in its rest pose, unit length, host axes.
    pub forward: [f32; 3],
    /// Metres in one host unit: 1 for Unity, 0.01 for a rig in centimetres.
    pub metres_per_unit: f32,
    /// The skeleton, parents before children.
    pub joints: Vec<RecordedJoint>,
    /// The run, in order of time, evenly spaced by `1 / fps`.
    pub frames: Vec<RecordedFrame>,
    /// One entry per host language that ran the same demo; may be empty.
    pub hosts: Vec<HostHash>,
}

/// A joint of the recorded skeleton.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RecordedJoint {
    /// The rig's own name.
    pub name: String,
    /// Index of the parent in [`Recording::joints`], smaller than this joint's own; `None` for a
    /// root.
    pub parent: Option<usize>,
    /// Unity's name of the human bone ("Hips", "LeftUpperLeg", "Left Thumb Proximal"), with or
    /// without spaces.
    pub human_bone: Option<String>,
}

/// One frame of the run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RecordedFrame {
    /// Seconds from the start of the run.
    pub time_s: f32,
    /// Whether the script has IK active at this moment; `weight` eases after it.
    pub ik_active: bool,
    /// The eased weight of the goals, 0 to 1.
    pub weight: f32,
    /// Every joint before IK.
    pub animated: Vec<JointPose>,
    /// Every joint after IK.
    pub solved: Vec<JointPose>,
    /// Goal position of the right hand.
    pub goal: JointPose,
    /// The cylinder that the hand takes hold of.
    pub cylinder: CylinderPose,
    /// Look-at goal of the head, world, host units.
    pub look_target: [f32; 3],
    /// The point between the eyes after IK, world, host units.
    pub look_from: [f32; 3],
    /// The direction the face points after IK, world, unit length.
    pub look_dir: [f32; 3],
    /// Distance from the hand to its goal, metres.
    pub hand_residual_m: f32,
    /// Angle from the hand's rotation to its goal's, radians.
    pub hand_residual_rad: f32,
    /// Angle from the face's direction to the look target, radians.
    pub look_residual_rad: f32,
    /// The solver's outcome: "reached", "unreachable", "inactive" and the like.
    pub status: String,
}

/// A joint's place in the world, host units and axes.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct JointPose {
    /// World position, host units.
    pub position: [f32; 3],
    /// World rotation as a unit quaternion, x y z w.
    pub rotation: [f32; 4],
}

/// The cylinder's place and size.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct CylinderPose {
    /// World position of the centre, host units.
    pub position: [f32; 3],
    /// World rotation as a unit quaternion, x y z w; the axis of the cylinder is its local Y.
    pub rotation: [f32; 4],
    /// Radius, metres.
    pub radius_m: f32,
    /// Length along local Y, metres.
    pub length_m: f32,
}

/// The hash of the whole run as one host computed it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct HostHash {
    /// The host's name, as shown: "C", "C++", "C#", "Rust".
    pub host: String,
    /// The hash, as shown and as compared.
    pub hash: String,
}

impl Recording {
    /// Refuses what cannot be drawn: no frames, a parent after its child, a frame of the wrong
    /// length, NaN.
    pub fn check(&self) -> Result<()> {
        ensure!(!self.frames.is_empty(), "recording has no frames");
        ensure!(!self.joints.is_empty(), "recording has no joints");
        ensure!(self.fps > 0.0 && self.fps.is_finite(), "recording.fps is {}", self.fps);
        ensure!(self.metres_per_unit > 0.0, "recording.metres_per_unit is {}", self.metres_per_unit);
        for (index, joint) in self.joints.iter().enumerate() {
            ensure!(joint.parent.is_none_or(|p| p < index), "joint {index} ({}) comes before its parent", joint.name);
        }
        for (index, frame) in self.frames.iter().enumerate() {
            for (what, poses) in [("animated", &frame.animated), ("solved", &frame.solved)] {
                ensure!(
                    poses.len() == self.joints.len(),
                    "frame {index} has {} {what} poses for {} joints",
                    poses.len(),
                    self.joints.len()
                );
                let bad = poses.iter().position(|p| !p.is_finite());
                ensure!(bad.is_none(), "frame {index}: {what} pose {} is not finite", bad.unwrap_or(0));
            }
            ensure!(frame.goal.is_finite(), "frame {index}: goal is not finite");
        }
        Ok(())
    }

    /// Length of the run, seconds, from the first frame to the last.
    pub fn duration_s(&self) -> f32 {
        self.frames.last().map_or(0.0, |last| last.time_s - self.frames[0].time_s)
    }

    /// Whether at least one host reported and all reported the same hash.
    pub fn hosts_agree(&self) -> bool {
        !self.hosts.is_empty() && self.hosts.iter().all(|h| h.hash == self.hosts[0].hash)
    }
}

impl JointPose {
    fn is_finite(&self) -> bool {
        self.position.iter().chain(&self.rotation).all(|v| v.is_finite())
    }
}
