//! Look-at, judged from outside: the head's forward line in `f64`.

mod motion;
mod head;
mod shares;

use sinew::animator::Animator;
use sinew::humanoid::{HumanBone, LookAtWeight};
use sinew::math::{Transform, Vec3, float};
use sinew::outcome::Status;
use testkit::chains::ParentKind;
use testkit::characters::{self, Facing64};
use testkit::continuity;
use testkit::human_pose::random_human_pose;
use testkit::matchers::{self, Affine64};
use testkit::person::{Handedness, Person, PersonOptions, Units, person};
use testkit::{BoneRolls, Random};

const DEGREES: f64 = 180.0 / core::f64::consts::PI;

/// A person, its animator, and the judge's own idea of its gaze.
struct Looker {
    person: Person,
    animator: Animator,
    head: Facing64,
    trunk: Facing64,
}

impl Looker {
    fn new(options: &PersonOptions) -> Self {
        Self::of(person(options))
    }
    fn of(person: Person) -> Self {
        let animator = characters::animator(&person, 0.05);
        let bone = |b: HumanBone| person.human[b.index()];
        let chest = bone(HumanBone::UpperChest).or(bone(HumanBone::Chest)).or(bone(HumanBone::Spine)).unwrap();
        let avatar = animator.avatar().unwrap();
        let head = Facing64::new(avatar, bone(HumanBone::Head).unwrap());
        let trunk = Facing64::new(avatar, chest);
        Self { head, trunk, animator, person }
    }
    /// The default person and everything that differs from it.
    fn kinds() -> Vec<(String, Self)> {
        let plain = PersonOptions::default();
        let mut kinds = Vec::new();
        for bone_rolls in BoneRolls::ALL {
            for handedness in [Handedness::Left, Handedness::Right] {
                let options = PersonOptions { bone_rolls, handedness, ..plain };
                kinds.push((format!("{bone_rolls:?} {handedness:?}"), Self::new(&options)));
            }
        }
        let cm = PersonOptions { units: Units::Centimetres, bone_rolls: BoneRolls::Random(3), ..plain };
        kinds.push(("centimetres".into(), Self::new(&cm)));
        let up = PersonOptions { up: Vec3::Z, facing: Vec3::NEG_Y, ..PersonOptions::gltf() };
        kinds.push(("Z up".into(), Self::new(&up)));
        let least = PersonOptions { with_optional: false, with_fingers: false, ..plain };
        kinds.push(("least".into(), Self::new(&least)));
        for kind in ParentKind::ALL {
            kinds.push((format!("hung {kind:?}"), Self::of(characters::hung(&person(&plain), kind))));
        }
        kinds
    }
    fn unit(&self) -> f32 {
        self.person.options.units.per_metre()
    }
    fn t_pose(&self) -> Vec<Transform> {
        self.person.t_pose.clone()
    }
    fn random_pose(&self, random: &mut Random, amount01: f32) -> Vec<Transform> {
        random_human_pose(self.person.view(), random, amount01)
    }
    /// Where the gaze starts.
    fn origin(&self, spaces: &[Affine64]) -> [f64; 3] {
        let bone = |b: HumanBone| self.person.human[b.index()];
        match (bone(HumanBone::LeftEye), bone(HumanBone::RightEye)) {
            (Some(l), Some(r)) => [0, 1, 2].map(|i| (spaces[l].position[i] + spaces[r].position[i]) * 0.5),
            _ => spaces[self.head.joint].position,
        }
    }
    /// A direction in the chest's right, up, forward, in the world.
    fn along_chest(&self, pose: &[Transform], right: f32, up: f32, forward: f32) -> Vec3 {
        let [r, u, f] = self.trunk.now(&self.spaces(pose));
        let at = |i: usize| (f64::from(right) * r[i] + f64::from(up) * u[i] + f64::from(forward) * f[i]) as f32;
        Vec3::new(at(0), at(1), at(2))
    }
    fn spaces(&self, pose: &[Transform]) -> Vec<Affine64> {
        let root = Affine64::from_transform(self.animator.root());
        matchers::forward_kinematics(&self.person.skeleton, pose).iter().map(|f| root.then(f)).collect()
    }
    /// A point this far from the eyes of the pose, in world space.
    fn point(&self, pose: &[Transform], direction: Vec3, metres: f32) -> Vec3 {
        let origin = self.origin(&self.spaces(pose));
        Vec3::new(origin[0] as f32, origin[1] as f32, origin[2] as f32) + direction.normalize() * (metres * self.unit())
    }
    fn look(&mut self, pose: &[Transform], target_ws: Vec3, weight: LookAtWeight) -> Vec<Transform> {
        characters::set_pose(&mut self.animator, pose);
        self.animator.set_look_at_position(target_ws).unwrap();
        self.animator.set_look_at_weight(weight).unwrap();
        self.animator.solve().unwrap();
        characters::pose(&self.animator)
    }
    /// Angle between the head's forward line and a point, degrees.
    fn off_deg(&self, pose: &[Transform], target_ws: Vec3) -> f64 {
        let spaces = self.spaces(pose);
        let origin = self.origin(&spaces);
        let to = target_ws.to_array().map(f64::from);
        let to = [to[0] - origin[0], to[1] - origin[1], to[2] - origin[2]];
        matchers::direction_angle_rad(self.head.now(&spaces)[2], to) * DEGREES
    }
    /// Angle between the head's and the chest's forward, degrees.
    fn turned_deg(&self, pose: &[Transform]) -> f64 {
        let spaces = self.spaces(pose);
        matchers::direction_angle_rad(self.head.now(&spaces)[2], self.trunk.now(&spaces)[2]) * DEGREES
    }
}

fn head_only(weight: f32) -> LookAtWeight {
    LookAtWeight { weight, ..LookAtWeight::default() }
}

fn spread(angle_deg: f32, around_deg: f32) -> [f32; 3] {
    let (a, b) = (angle_deg.to_radians(), around_deg.to_radians());
    [float::sin(a) * float::cos(b), float::sin(a) * float::sin(b), float::cos(a)]
}
