//! Two-bone IK, judged from outside: forward kinematics in `f64` on the result, under every kind of
//! parent and bone roll. The solver's own flags are checked against the judge.

mod batch;
#[cfg(feature = "capi")]
mod calls;
mod joints;
mod motion;
mod pole;
mod reach;

use sinew::closed_form::limb::{self, LimbGoal, LimbJoints};
use sinew::closed_form::two_bone::{self, TwoBone};
use sinew::math::soft::soft_limit;
use sinew::math::{LaneVec3, Quat, Transform, Vec3, float};
use sinew::outcome::{Outcome, Status};
use sinew::skeleton::{Pose, Skeleton};
use testkit::chains::{ChainOptions, LimbOptions, ParentKind, Rig, chain, limb as limb_rig, odd_limbs};
use testkit::continuity::{self, SmoothPath};
use testkit::matchers::{self, Affine64, wide};
use testkit::{BoneRolls, Random};

const PI: f32 = core::f32::consts::PI;

/// A limb on a rig, and where its parent's space and its joints are.
struct Case {
    name: String,
    rig: Rig,
    joints: LimbJoints,
    upper: f32,
    lower: f32,
}

impl Case {
    fn new(options: LimbOptions) -> Self {
        let rig = limb_rig(&options);
        let joints = LimbJoints::new(&rig.skeleton, 2, 3, 4).expect("joints of one limb");
        let name = format!("{:?} {:?}", options.parent, options.rolls);
        Self { name, rig, joints, upper: options.upper, lower: options.lower }
    }
    /// Every parent, every roll.
    fn all(upper: f32, lower: f32, bend_rad: f32) -> Vec<Self> {
        let mut cases = Vec::new();
        for parent in ParentKind::ALL {
            for rolls in BoneRolls::ALL {
                cases.push(Self::new(LimbOptions { upper, lower, bend_rad, rolls, parent }));
            }
        }
        cases
    }
    fn length(&self) -> f32 {
        self.upper + self.lower
    }
    /// The rest pose with random rotations of the limb's joints.
    fn random_pose(&self, random: &mut Random) -> Vec<Transform> {
        let mut pose = self.rig.pose();
        pose[2..5].iter_mut().for_each(|joint| joint.rotation = random.rotation());
        pose
    }
    /// Space of the limb's parent.
    fn parent(&self) -> Affine64 {
        matchers::forward_kinematics(&self.rig.skeleton, &self.rig.pose())[1]
    }
    /// A point given from the limb's root in its parent's space, in model space.
    fn out(&self, from_root: Vec3) -> Vec3 {
        let root = self.rig.skeleton.rest_local()[2].position;
        vec3(self.parent().point((root + from_root).to_array().map(f64::from)))
    }
    /// A point of model space, in the parent's space from the limb's root.
    fn back(&self, point_ms: [f64; 3]) -> [f64; 3] {
        let parent = self.parent();
        let root = parent.point(self.rig.skeleton.rest_local()[2].position.to_array().map(f64::from));
        solve3(&parent.columns, sub(point_ms, root))
    }
    /// Side the limb bends to in the rest pose, in the root joint's own space: −z of the parent's.
    fn bend_side_js(&self) -> Vec3 {
        self.rig.skeleton.rest_local()[2].rotation.conjugate() * Vec3::NEG_Z
    }
    /// Mid and end, in the parent's space from the root.
    fn places(&self, pose: &[Transform]) -> [[f64; 3]; 2] {
        let fk = matchers::forward_kinematics(&self.rig.skeleton, pose);
        [self.back(fk[3].position), self.back(fk[4].position)]
    }
    fn solve(&self, pose: &[Transform], goal: &LimbGoal) -> (Vec<Transform>, Outcome) {
        solve_on(&self.rig.skeleton, &self.joints, pose, goal)
    }
    fn goal(&self, target_from_root: Vec3) -> LimbGoal {
        LimbGoal::at(self.out(target_from_root), self.bend_side_js())
    }
    /// A target that both bones can reach, from the root.
    fn reachable(&self, random: &mut Random) -> Vec3 {
        let (low, high) = ((self.upper - self.lower).abs(), self.length());
        random.unit_vector() * random.between(low + 0.001 * high, 0.999 * high)
    }
}

fn solve_on(
    skeleton: &Skeleton,
    joints: &LimbJoints,
    local: &[Transform],
    goal: &LimbGoal,
) -> (Vec<Transform>, Outcome) {
    let mut pose = Pose::rest(skeleton);
    pose.local_mut().copy_from_slice(local);
    pose.update(skeleton);
    let outcome = limb::solve(skeleton, &mut pose, joints, goal);
    (pose.local().to_vec(), outcome)
}

fn vec3(v: [f64; 3]) -> Vec3 {
    Vec3::new(v[0] as f32, v[1] as f32, v[2] as f32)
}

fn sub(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn length(v: [f64; 3]) -> f64 {
    dot(v, v).sqrt()
}

/// Part of `v` at right angles to `along`.
fn across(v: [f64; 3], along: [f64; 3]) -> [f64; 3] {
    let k = dot(v, along) / dot(along, along);
    [v[0] - along[0] * k, v[1] - along[1] * k, v[2] - along[2] * k]
}

/// Solves the 3×3 system with these columns, by Cramer's rule.
fn solve3(columns: &[[f64; 3]; 3], v: [f64; 3]) -> [f64; 3] {
    let det = dot(columns[0], cross(columns[1], columns[2]));
    [
        dot(v, cross(columns[1], columns[2])) / det,
        dot(columns[0], cross(v, columns[2])) / det,
        dot(columns[0], cross(columns[1], v)) / det,
    ]
}

/// Median and worst.
fn summary(errors: &mut [f64]) -> (f64, f64) {
    errors.sort_by(f64::total_cmp);
    (errors[errors.len() / 2], errors[errors.len() - 1])
}

const LENGTHS: [(f32, f32); 4] = [(0.2, 0.2), (0.33, 0.26), (0.25, 0.45), (0.5, 0.5)];
