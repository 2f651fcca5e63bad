//! A recording brought into the one frame that pictures are drawn in: right-handed, metres, Y up,
//! the character facing +Z (so its left is +X).
//!
//! Let `M` have the host's left, up and forward as rows. A point goes to `M p`. A rotation `R` goes
//! to `M R Mᵀ`, which is the quaternion `(det M · M v, w)`: for a left-handed host `det M = -1`,
//! and a left hand stays a left hand.

use super::recording::{JointPose, RecordedJoint, Recording};
use crate::picture::vector::{Quat, Rigid, Vec3, vec3};

/// The frames of a recording, ready to draw.
pub struct Stage<'a> {
    /// What the stage was made from.
    pub recording: &'a Recording,
    /// The skeleton, parents before children.
    pub joints: &'a [RecordedJoint],
    /// One per recorded frame.
    pub frames: Vec<StageFrame>,
    /// Directions of the host's X, Y and Z axes on the stage; they make a left-handed set for a
    /// left-handed host.
    pub host_axes: [Vec3; 3],
    basis: Basis,
}

/// One frame in stage space.
pub struct StageFrame {
    /// Joints before IK.
    pub animated: Vec<Rigid>,
    /// Joints after IK.
    pub solved: Vec<Rigid>,
    /// The hand's goal.
    pub goal: Rigid,
    /// The cylinder's centre, turned so that its axis is the local Y of this pose.
    pub cylinder: Rigid,
    /// The point to look at.
    pub look_target: Vec3,
    /// Between the eyes, after IK.
    pub look_from: Vec3,
    /// Where the face points, after IK, unit length.
    pub look_dir: Vec3,
}

struct Basis {
    rows: [Vec3; 3],
    det: f32,
    metres_per_unit: f32,
}

impl Basis {
    fn new(recording: &Recording) -> Basis {
        let up = Vec3::from(recording.up).unit_or(Vec3::Y);
        let forward = Vec3::from(recording.forward).across(up).unit_or(Vec3::Z);
        // In a right-handed frame left is up x forward; the same formula in a left-handed frame
        // gives right.
        let det = if recording.left_handed { -1.0 } else { 1.0 };
        Basis { rows: [up.cross(forward) * det, up, forward], det, metres_per_unit: recording.metres_per_unit }
    }

    fn direction(&self, d: Vec3) -> Vec3 {
        vec3(self.rows[0].dot(d), self.rows[1].dot(d), self.rows[2].dot(d))
    }

    fn point(&self, p: [f32; 3]) -> Vec3 {
        self.direction(Vec3::from(p)) * self.metres_per_unit
    }

    fn rotation(&self, q: [f32; 4]) -> Quat {
        let q = Quat::from(q);
        Quat { v: self.direction(q.v) * self.det, w: q.w }
    }

    fn pose(&self, pose: &JointPose) -> Rigid {
        Rigid { p: self.point(pose.position), q: self.rotation(pose.rotation) }
    }
}

impl<'a> Stage<'a> {
    /// Brings every frame of `recording` onto the stage.
    pub fn new(recording: &'a Recording) -> Stage<'a> {
        let basis = Basis::new(recording);
        let host_axes = [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| basis.direction(axis));
        let frames = recording
            .frames
            .iter()
            .map(|f| {
                let turn = basis.rotation(f.cylinder.rotation);
                let axis = turn.turn(host_axes[1]);
                StageFrame {
                    animated: f.animated.iter().map(|p| basis.pose(p)).collect(),
                    solved: f.solved.iter().map(|p| basis.pose(p)).collect(),
                    goal: basis.pose(&f.goal),
                    cylinder: Rigid { p: basis.point(f.cylinder.position), q: Quat::between(Vec3::Y, axis) },
                    look_target: basis.point(f.look_target),
                    look_from: basis.point(f.look_from),
                    look_dir: basis.direction(Vec3::from(f.look_dir)).unit_or(Vec3::Z),
                }
            })
            .collect();
        Stage { recording, joints: &recording.joints, frames, host_axes, basis }
    }

    /// A pose of the host, in its units and axes.
    pub fn pose(&self, pose: &JointPose) -> Rigid {
        self.basis.pose(pose)
    }

    /// A point and a direction of the host.
    pub fn point(&self, point: [f32; 3], direction: [f32; 3]) -> (Vec3, Vec3) {
        (self.basis.point(point), self.basis.direction(Vec3::from(direction)))
    }

    /// The host's directions that are left, up and forward of the character.
    pub fn axes(&self) -> [[f32; 3]; 3] {
        self.basis.rows.map(Vec3::array)
    }

    /// The host's point of a point of the stage.
    pub fn point_back(&self, point: Vec3) -> [f32; 3] {
        (self.direction_back(point) * (1.0 / self.basis.metres_per_unit)).array()
    }

    /// The host's direction of one of the stage.
    pub fn direction_back(&self, direction: Vec3) -> Vec3 {
        let [left, up, forward] = self.basis.rows;
        left * direction.x + up * direction.y + forward * direction.z
    }

    /// The host's pose of one of the stage.
    pub fn pose_back(&self, pose: Rigid) -> ([f32; 3], Quat) {
        let v = self.direction_back(pose.q.v) * self.basis.det;
        (self.point_back(pose.p), Quat { v, w: pose.q.w })
    }

    /// The joint that is the human bone `name` (spaces do not count), if the rig has it.
    pub fn bone(&self, name: &str) -> Option<usize> {
        let same = |b: &str| b.chars().filter(|c| *c != ' ').eq(name.chars().filter(|c| *c != ' '));
        self.joints.iter().position(|j| j.human_bone.as_deref().is_some_and(same))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn basis(left_handed: bool, forward: Vec3) -> Basis {
        let rows = [Vec3::Y.cross(forward) * if left_handed { -1.0 } else { 1.0 }, Vec3::Y, forward];
        Basis { rows, det: if left_handed { -1.0 } else { 1.0 }, metres_per_unit: 1.0 }
    }

    #[test]
    fn a_left_hand_stays_left_in_every_host() {
        // Facing +Z, the left hand is at -X in Unity and at +X in glTF; facing -Z in glTF it is at
        // -X.
        for (left_handed, forward, hand) in [(true, Vec3::Z, -1.0), (false, Vec3::Z, 1.0), (false, -Vec3::Z, -1.0)] {
            let on_stage = basis(left_handed, forward).point([hand, 1.0, 0.0]);
            assert!((on_stage - vec3(1.0, 1.0, 0.0)).len() < 1e-6, "{on_stage:?}");
        }
    }

    #[test]
    fn turning_and_mapping_commute() {
        let p = vec3(0.2, 0.7, -0.4);
        let q = Quat::between(vec3(0.3, -0.8, 0.5), vec3(0.6, 0.1, 0.9));
        for left_handed in [true, false] {
            let b = basis(left_handed, -Vec3::Z);
            let turned_then_mapped = b.direction(q.turn(p));
            let mapped_then_turned = b.rotation([q.v.x, q.v.y, q.v.z, q.w]).turn(b.direction(p));
            assert!((turned_then_mapped - mapped_then_turned).len() < 1e-5);
        }
    }
}
