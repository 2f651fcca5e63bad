//! Small rigs: a limb of three joints, chains of any length, under every kind of parent.

use crate::axes::turn;
use crate::random::Random;
use crate::rolls::{self, BoneRolls};
use sinew::math::{Quat, Transform, Vec3};
use sinew::skeleton::{JointIndex, Skeleton};

/// Parents of a limb. Each kind is two nested parents, so that transforms really multiply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ParentKind {
    /// Two joints that do nothing.
    #[default]
    Identity,
    /// Moved, not turned.
    Moved,
    /// Moved and turned about skew axes.
    Rotated,
    /// Turned, and scaled alike in all directions: 2.5 and 0.3.
    Scaled,
    /// Turned, and scaled unevenly, which gives shear below.
    UnevenlyScaled,
    /// Turned, and mirrored by a negative scale along one axis.
    Mirrored,
}

impl ParentKind {
    /// All kinds, the mildest first.
    pub const ALL: [ParentKind; 6] =
        [Self::Identity, Self::Moved, Self::Rotated, Self::Scaled, Self::UnevenlyScaled, Self::Mirrored];

    /// Local transforms of the outer and the inner parent.
    pub fn transforms(self) -> [Transform; 2] {
        let here = [Vec3::new(0.4, -0.2, 0.7), Vec3::new(-0.1, 0.5, 0.25)];
        let turned = [turn(Vec3::X, Vec3::new(0.3, 0.8, 0.4), 50.0), turn(Vec3::Y, Vec3::new(-0.6, 0.1, 0.9), 110.0)];
        let scale = match self {
            ParentKind::Identity => return [Transform::IDENTITY; 2],
            ParentKind::Moved => return here.map(Transform::at),
            ParentKind::Rotated => [Vec3::ONE; 2],
            ParentKind::Scaled => [Vec3::splat(2.5), Vec3::splat(0.3)],
            ParentKind::UnevenlyScaled => [Vec3::new(1.0, 2.0, 0.5), Vec3::new(1.5, 0.8, 1.0)],
            ParentKind::Mirrored => [Vec3::new(-1.0, 1.0, 1.0), Vec3::ONE],
        };
        [0, 1].map(|i| Transform { position: here[i], rotation: turned[i], scale: scale[i] })
    }
}

/// Options of [`limb`]. The default is a human arm with a slight bend.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LimbOptions {
    /// Start to middle joint, rig units; 0 for the degenerate limb.
    pub upper: f32,
    /// Middle to end joint, rig units; 0 for the degenerate limb.
    pub lower: f32,
    /// Bend of the middle joint in radians, 0 straight.
    pub bend_rad: f32,
    /// Orientation of the joint frames.
    pub rolls: BoneRolls,
    /// The limb's parents.
    pub parent: ParentKind,
}

impl Default for LimbOptions {
    fn default() -> Self {
        Self { upper: 0.33, lower: 0.26, bend_rad: 0.3, rolls: BoneRolls::Identity, parent: ParentKind::Identity }
    }
}

/// A small rig.
#[derive(Clone, Debug)]
pub struct Rig {
    /// Two parents, the joints of the chain, and a tip.
    pub skeleton: Skeleton,
    /// The chain from its start to its end joint, without parents and tip.
    pub joints: Vec<JointIndex>,
}

impl Rig {
    /// Local transforms of the rest pose.
    pub fn pose(&self) -> Vec<Transform> {
        self.skeleton.rest_local().to_vec()
    }
    /// First joint of the chain.
    pub fn start(&self) -> JointIndex {
        self.joints[0]
    }
    /// Last joint of the chain (the parent of the tip).
    pub fn end(&self) -> JointIndex {
        self.joints[self.joints.len() - 1]
    }
}

/// A limb: in its parent's space it starts 0.1 up the `y` axis, runs along +x, and the middle joint
/// bends the end towards +z (as a right arm in Unity's T-pose does). Joint indices: 0 and 1 the
/// parents, 2, 3, 4 the limb, 5 a tip.
pub fn limb(options: &LimbOptions) -> Rig {
    let bend = turn(Vec3::X, Vec3::Z, options.bend_rad * (180.0 / core::f32::consts::PI));
    let start = Vec3::new(0.0, 0.1, 0.0);
    let middle = start + Vec3::X * options.upper;
    let end = middle + bend * Vec3::X * options.lower;
    let tip = end + bend * Vec3::X * 0.08;
    hang(
        &["start", "middle", "end", "tip"].map(str::to_owned),
        &[start, middle, end, tip],
        options.rolls,
        options.parent,
    )
}

/// Degenerate limbs: straight, upper or lower bone or both without length, very uneven, fully
/// folded.
pub fn odd_limbs(parent: ParentKind, rolls: BoneRolls) -> Vec<(&'static str, Rig)> {
    let plain = LimbOptions { parent, rolls, ..LimbOptions::default() };
    vec![
        ("straight", limb(&LimbOptions { bend_rad: 0.0, ..plain })),
        ("no upper bone", limb(&LimbOptions { upper: 0.0, ..plain })),
        ("no lower bone", limb(&LimbOptions { lower: 0.0, ..plain })),
        ("no bones", limb(&LimbOptions { upper: 0.0, lower: 0.0, ..plain })),
        ("short upper bone", limb(&LimbOptions { upper: 0.02, ..plain })),
        ("folded", limb(&LimbOptions { bend_rad: core::f32::consts::PI, ..plain })),
    ]
}

/// Options of [`chain`]. The default is a tail of ten bones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChainOptions {
    /// Bones in the chain, at least 1; it has one joint more.
    pub bone_count: usize,
    /// Length of each bone, rig units.
    pub bone_length: f32,
    /// Each joint's bend against the one before, radians; the sign alternates with `zigzag`.
    pub bend_rad: f32,
    /// Bends to and fro instead of into a curve.
    pub zigzag: bool,
    /// Orientation of the joint frames.
    pub rolls: BoneRolls,
    /// The chain's parents.
    pub parent: ParentKind,
}

impl Default for ChainOptions {
    fn default() -> Self {
        Self {
            bone_count: 10,
            bone_length: 0.1,
            bend_rad: 0.1,
            zigzag: false,
            rolls: BoneRolls::Identity,
            parent: ParentKind::Identity,
        }
    }
}

/// A chain in the xz plane of its parent's space, starting at the origin along +x. Joint indices: 0
/// and 1 the parents, then the `bone_count + 1` joints; no further tip.
pub fn chain(options: &ChainOptions) -> Rig {
    let mut positions = vec![Vec3::ZERO];
    let mut whole = Quat::IDENTITY;
    for bone in 0..options.bone_count.max(1) {
        let sign = if options.zigzag && bone % 2 == 1 { -1.0 } else { 1.0 };
        let degrees = sign * options.bend_rad * (180.0 / core::f32::consts::PI);
        whole = (whole * turn(Vec3::X, Vec3::Z, degrees)).normalize();
        positions.push(positions[bone] + whole * Vec3::X * options.bone_length);
    }
    let names: Vec<String> = (0..positions.len()).map(|i| format!("chain_{i}")).collect();
    let mut rig = hang(&names, &positions, options.rolls, options.parent);
    rig.joints = (2..2 + positions.len()).collect();
    rig
}

/// A chain of the given joints, each within `spread` of the one before, with random positions and
/// frames; for fuzzing.
pub fn random_chain(random: &mut Random, joint_count: usize, spread: f32, parent: ParentKind) -> Rig {
    let mut positions = vec![Vec3::ZERO];
    for joint in 1..joint_count.max(2) {
        positions.push(positions[joint - 1] + random.in_ball(spread));
    }
    let names: Vec<String> = (0..positions.len()).map(|i| format!("random_{i}")).collect();
    let mut rig = hang(&names, &positions, BoneRolls::Random(random.bits()), parent);
    rig.joints = (2..2 + positions.len()).collect();
    rig
}

/// Adds joints, each the child of the one before, below the two parents of a kind. `positions` are
/// in the inner parent's space.
fn hang(names: &[String], positions: &[Vec3], rolls: BoneRolls, parent: ParentKind) -> Rig {
    let parents: Vec<Option<JointIndex>> = (0..positions.len()).map(|i| i.checked_sub(1)).collect();
    let bones = rolls::bones_ms(&parents, positions, |_| None);
    let rotations = rolls.rotations_ms(&bones, Vec3::Z);
    let [outer, inner] = parent.transforms();
    let mut rest = vec![outer, inner];
    rest.extend(rolls::local_transforms(&parents, positions, &rotations));
    let mut all_names = vec!["outer".to_owned(), "inner".to_owned()];
    all_names.extend_from_slice(names);
    let all_parents: Vec<Option<JointIndex>> = (0..rest.len()).map(|i| i.checked_sub(1)).collect();
    Rig { skeleton: rolls::skeleton(&all_names, &all_parents, &rest), joints: (2..rest.len() - 1).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matchers::{direction_angle_rad, distance, forward_kinematics};

    #[test]
    fn lengths_and_bends_match_the_options_for_any_rolls() {
        for rolls in BoneRolls::ALL {
            let options = LimbOptions { upper: 0.4, lower: 0.3, bend_rad: 0.5, rolls, parent: ParentKind::Rotated };
            let rig = limb(&options);
            let at = forward_kinematics(&rig.skeleton, &rig.pose());
            let [a, b, c] = [2, 3, 4].map(|joint: usize| at[joint].position);
            assert_eq!(rig.joints, [2, 3, 4]);
            assert!((distance(a, b) - 0.4).abs() < 1e-6 && (distance(b, c) - 0.3).abs() < 1e-6);
            let upper = [0, 1, 2].map(|i| b[i] - a[i]);
            let lower = [0, 1, 2].map(|i| c[i] - b[i]);
            assert!((direction_angle_rad(upper, lower) - 0.5).abs() < 1e-5);
        }
    }

    #[test]
    fn parent_kinds_transform_as_named() {
        let det = |kind: ParentKind| {
            let rig = limb(&LimbOptions { parent: kind, ..LimbOptions::default() });
            rig.skeleton.rest_model()[rig.start()].linear().determinant()
        };
        assert!((det(ParentKind::Rotated) - 1.0).abs() < 1e-5);
        assert!((det(ParentKind::Scaled) - 0.421_875).abs() < 1e-4);
        assert!((det(ParentKind::UnevenlyScaled) - 1.2).abs() < 1e-4);
        assert!((det(ParentKind::Mirrored) + 1.0).abs() < 1e-5);
    }

    #[test]
    fn odd_limbs_are_valid_rigs() {
        for parent in ParentKind::ALL {
            for rolls in BoneRolls::ALL {
                for (name, rig) in odd_limbs(parent, rolls) {
                    assert!(crate::matchers::all_finite(&rig.pose()), "{name}");
                }
            }
        }
        assert_eq!(chain(&ChainOptions { bone_count: 1000, ..ChainOptions::default() }).joints.len(), 1001);
        assert_eq!(random_chain(&mut Random::new(1), 9, 0.2, ParentKind::Scaled).joints.len(), 9);
    }
}
