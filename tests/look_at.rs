//! Look-at, judged from outside: where the head's forward line goes, in `f64`.

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

#[test]
fn the_head_looks_at_what_is_in_range() {
    let mut random = Random::new(1);
    let mut worst: f64 = 0.0;
    for (name, mut looker) in Looker::kinds() {
        for (root_kind, root) in characters::roots() {
            looker.animator.set_root(root).unwrap();
            for amount in [0.0, 1.0] {
                let pose = looker.random_pose(&mut random, amount);
                for _ in 0..4 {
                    let [r, u, f] = spread(random.between(0.0, 78.0), random.between(0.0, 360.0));
                    let direction = looker.along_chest(&pose, r, u, f);
                    let body = if random.below(2) == 0 { 0.0 } else { random.unit01() };
                    // A body that leans towards a near target brings the eyes right up to it.
                    let nearest = if body > 0.0 || name.contains("hung") { 1.5 } else { 0.3 };
                    let metres = random.between(nearest, 5.0) * root.scale.abs().max_element();
                    let target = looker.point(&pose, direction, metres);
                    let weight = LookAtWeight { weight: 1.0, body, head: 1.0, eyes: 0.0, clamp: 0.0 };
                    let after = looker.look(&pose, target, weight);
                    matchers::assert_sound(&after);
                    let off = looker.off_deg(&after, target);
                    worst = worst.max(off);
                    assert!(
                        off < 0.1,
                        "{name} root {root_kind:?} amount {amount}: {off} {weight:?} at {metres} m, {r} {u} {f}, head {}",
                        looker.turned_deg(&pose)
                    );
                    let outcome = looker.animator.look_at_outcome().unwrap();
                    assert_eq!(outcome.status, Status::Reached, "{name} {root_kind:?}");
                    // Told in model space, so only where world and model agree on angles.
                    if !matches!(root_kind, ParentKind::UnevenlyScaled) {
                        assert!((f64::from(outcome.residual_rad) * DEGREES - off).abs() < 0.02, "{outcome:?} {off}");
                    }
                }
            }
        }
    }
    println!("in range: worst {worst:.1e} degrees");
}

/// Lines through and around the head that find the places where a look-at likes to tear.
fn circles() -> Vec<(&'static str, [f32; 3], [f32; 3])> {
    vec![
        ("level", [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]),
        ("nearly level", [0.0, 0.05, 1.0], [1.0, 0.02, 0.0]),
        ("upright", [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]),
        ("nearly upright", [0.05, 0.0, 1.0], [0.02, 1.0, 0.0]),
        ("sideways", [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]),
        ("skew", [0.7, 0.2, 0.7], [-0.3, 0.9, 0.1]),
        ("behind", [1.0, 0.0, -0.5], [0.0, 1.0, -0.5]),
    ]
}

#[test]
fn circling_targets_never_tear_the_pose() {
    let mut random = Random::new(2);
    let mut looker = Looker::new(&PersonOptions::default());
    let mut bad = Vec::new();
    let mut fastest: f64 = 0.0;
    for amount in [0.0, 0.5, 1.0] {
        for _ in 0..3 {
            let pose = looker.random_pose(&mut random, amount);
            for clamp in [0.0, 0.3, 0.5, 0.8, 1.0] {
                for (name, x, y) in circles() {
                    let weight = LookAtWeight {
                        weight: [0.5, 1.0][random.below(2)],
                        body: [0.0, 0.3, 1.0][random.below(3)],
                        head: [0.6, 1.0][random.below(2)],
                        eyes: random.below(2) as f32,
                        clamp,
                    };
                    let (x, y) =
                        (looker.along_chest(&pose, x[0], x[1], x[2]), looker.along_chest(&pose, y[0], y[1], y[2]));
                    let found = continuity::judge(240, 1.0, |s| {
                        let a = s as f32 * core::f32::consts::TAU;
                        let direction = x * float::cos(a) + y * float::sin(a);
                        let target = looker.point(&pose, direction, 1.5);
                        looker.look(&pose, target, weight)
                    });
                    fastest = fastest.max(found.step_rad * 240.0 / core::f64::consts::TAU);
                    if found.jump > 5e-3 {
                        let joint = looker.person.skeleton.name(found.joint).to_owned();
                        bad.push(format!("{name} amount {amount} {weight:?} {joint} {found:?}"));
                    }
                }
            }
        }
    }
    println!("circles: fastest {fastest:.1} rad per rad");
    assert!(bad.is_empty(), "{} tears:\n{}", bad.len(), bad.join("\n"));
}

#[test]
fn random_paths_past_the_head_never_tear_the_pose() {
    let mut random = Random::new(3);
    let mut bad = Vec::new();
    for options in
        [PersonOptions::default(), PersonOptions { with_optional: false, with_fingers: false, ..Default::default() }]
    {
        let mut looker = Looker::new(&options);
        for _ in 0..15 {
            let pose = looker.random_pose(&mut random, 1.0);
            let weight = LookAtWeight {
                weight: 1.0,
                body: random.unit01(),
                head: random.unit01(),
                eyes: random.unit01(),
                clamp: random.unit01(),
            };
            let head = looker.point(&pose, Vec3::Y, 0.0);
            let path = continuity::SmoothPath::random(&mut random, 8, head, 0.6);
            let found = continuity::judge(300, 1.0, |s| looker.look(&pose, path.at(s), weight));
            if found.jump > 5e-3 {
                let joint = looker.person.skeleton.name(found.joint).to_owned();
                bad.push(format!("{weight:?} {joint} {found:?}"));
            }
        }
    }
    assert!(bad.is_empty(), "{} tears:\n{}", bad.len(), bad.join("\n"));
}

#[test]
fn a_target_through_the_eye_never_tears_the_pose() {
    let mut random = Random::new(4);
    let mut looker = Looker::new(&PersonOptions::default());
    let mut worst = 0.0f64;
    for _ in 0..6 {
        let pose = looker.random_pose(&mut random, 1.0);
        for direction in [Vec3::X, Vec3::Y, Vec3::Z, random.unit_vector()] {
            let weight = LookAtWeight { weight: 1.0, body: 0.3, head: 1.0, eyes: 1.0, clamp: 0.3 };
            let (from, to) = (looker.point(&pose, direction, 0.3), looker.point(&pose, -direction, 0.3));
            let found = continuity::judge(400, 1.0, |s| looker.look(&pose, from.lerp(to, s as f32), weight));
            worst = worst.max(found.jump);
            assert!(found.jump < 5e-3, "{direction} {found:?}");
        }
        // In the eye itself there is nothing to look at.
        let at_eye = looker.point(&pose, Vec3::X, 0.0);
        let after = looker.look(&pose, at_eye, head_only(1.0));
        assert!(matchers::max_joint_step_rad(&pose, &after) < 1e-3);
    }
    println!("through the eye: {worst:.1e}");
}

#[test]
fn weights_are_continuous() {
    let mut random = Random::new(5);
    let mut looker = Looker::new(&PersonOptions::default());
    let mut bad = Vec::new();
    for amount in [0.0, 1.0] {
        for _ in 0..6 {
            let pose = looker.random_pose(&mut random, amount);
            let direction = random.unit_vector();
            let target = looker.point(&pose, direction, 1.0);
            let base = LookAtWeight { weight: 1.0, body: 0.4, head: 0.8, eyes: 0.9, clamp: 0.3 };
            type Set = fn(LookAtWeight, f32) -> LookAtWeight;
            let sets: [(&str, Set); 5] = [
                ("weight", |w, s| LookAtWeight { weight: s, ..w }),
                ("body", |w, s| LookAtWeight { body: s, ..w }),
                ("head", |w, s| LookAtWeight { head: s, ..w }),
                ("eyes", |w, s| LookAtWeight { eyes: s, ..w }),
                ("clamp", |w, s| LookAtWeight { clamp: s, ..w }),
            ];
            for (name, set) in sets {
                let found = continuity::judge(60, 1.0, |s| looker.look(&pose, target, set(base, s as f32)));
                if found.jump > 2e-3 {
                    bad.push(format!("{name} amount {amount} {direction} {found:?}"));
                }
            }
        }
    }
    assert!(bad.is_empty(), "{} tears:\n{}", bad.len(), bad.join("\n"));
}

#[test]
fn weight_0_leaves_every_bit() {
    let mut random = Random::new(6);
    for (name, mut looker) in Looker::kinds() {
        let pose = looker.random_pose(&mut random, 1.0);
        let target = looker.point(&pose, Vec3::X, 1.0);
        for weight in [
            LookAtWeight { weight: 0.0, body: 1.0, head: 1.0, eyes: 1.0, clamp: 0.0 },
            LookAtWeight { weight: 1.0, body: 0.0, head: 0.0, eyes: 0.0, clamp: 0.0 },
        ] {
            let after = looker.look(&pose, target, weight);
            matchers::assert_pose_bits_equal(&pose, &after);
            assert_eq!(looker.animator.look_at_outcome().unwrap().status, Status::Inactive, "{name}");
        }
    }
}

#[test]
fn the_clamp_limits_how_far_the_head_turns() {
    let mut looker = Looker::new(&PersonOptions::default());
    let pose = looker.t_pose();
    for clamp in [0.0, 0.25, 0.5, 0.75, 0.9, 1.0] {
        let limit = 180.0 * (1.0 - f64::from(clamp));
        let mut farthest: f64 = 0.0;
        for angle in 0..=180 {
            for around in [0.0, 40.0, 90.0, 135.0, 200.0, 270.0] {
                let [r, u, f] = spread(angle as f32, around);
                let target = looker.point(&pose, looker.along_chest(&pose, r, u, f), 3.0);
                let after = looker.look(&pose, target, LookAtWeight { clamp, ..head_only(1.0) });
                let turned = looker.turned_deg(&after);
                farthest = farthest.max(turned);
                // The eyes move a little with the head, so the angle at the eyes is not quite that
                // of the head.
                assert!(turned < limit + 6.0, "clamp {clamp} angle {angle} around {around}: {turned}");
            }
        }
        println!("clamp {clamp}: turns up to {farthest:.1} of {limit:.1} degrees");
    }
}

#[test]
fn what_is_right_behind_is_not_looked_at() {
    let mut looker = Looker::new(&PersonOptions::default());
    let pose = looker.t_pose();
    for clamp in [0.0, 0.5] {
        let behind = looker.point(&pose, looker.along_chest(&pose, 0.0, 0.0, -1.0), 2.0);
        let after = looker.look(&pose, behind, LookAtWeight { clamp, body: 0.5, eyes: 1.0, ..head_only(1.0) });
        assert!(matchers::max_joint_step_rad(&pose, &after) < 2e-3);
        assert_eq!(looker.animator.look_at_outcome().unwrap().status, Status::Unreachable);
    }
}

#[test]
fn level_targets_leave_the_head_upright() {
    for (name, mut looker) in Looker::kinds() {
        if name.contains("Uneven") {
            continue; // sheared: no right angles to keep
        }
        let pose = looker.t_pose();
        for body in [0.0, 0.5] {
            for degrees in [-70, -40, -10, 10, 40, 70] {
                let [r, _, f] = spread(degrees as f32, 0.0);
                let target = looker.point(&pose, looker.along_chest(&pose, r, 0.0, f), 50.0);
                let after = looker.look(&pose, target, LookAtWeight { body, ..head_only(1.0) });
                let spaces = looker.spaces(&after);
                let tilt = matchers::direction_angle_rad(looker.head.now(&spaces)[1], looker.trunk.now(&spaces)[1]);
                assert!(tilt * DEGREES < 0.5, "{name} body {body} {degrees}: {}", tilt * DEGREES);
            }
        }
    }
}

#[test]
fn up_and_aside_the_ears_stay_level() {
    // Without roll, the line through the ears is at right angles to the chest's up.
    let mut looker = Looker::new(&PersonOptions::default());
    let pose = looker.t_pose();
    for (r, u, f) in [(0.5, 0.5, 0.7), (-0.5, 0.5, 0.7), (0.6, -0.4, 0.7), (0.8, 0.3, 0.3)] {
        let target = looker.point(&pose, looker.along_chest(&pose, r, u, f), 20.0);
        let after = looker.look(&pose, target, head_only(1.0));
        let spaces = looker.spaces(&after);
        let ears = matchers::direction_angle_rad(looker.head.now(&spaces)[0], looker.trunk.now(&spaces)[1]) * DEGREES;
        println!("towards {r} {u} {f}: ears {:.2} degrees off level", ears - 90.0);
        assert!((ears - 90.0).abs() < 3.0, "{r} {u} {f}: {ears}");
    }
}

#[test]
fn eyes_stay_in_their_ranges_and_meet_the_target() {
    let mut random = Random::new(7);
    for (name, mut looker) in Looker::kinds() {
        let Some(left) = looker.person.human[HumanBone::LeftEye.index()] else { continue };
        let right = looker.person.human[HumanBone::RightEye.index()].unwrap();
        if name.contains("Uneven") {
            continue; // sheared: angles mean something else
        }
        let pose = looker.t_pose();
        for eye in [left, right] {
            let facing = Facing64::new(looker.animator.avatar().unwrap(), eye);
            for _ in 0..20 {
                let direction = random.unit_vector();
                let target = looker.point(&pose, direction, random.between(0.1, 5.0));
                let weight = LookAtWeight { weight: 1.0, body: 0.0, head: 0.0, eyes: 1.0, clamp: 0.0 };
                let after = looker.look(&pose, target, weight);
                let spaces = looker.spaces(&after);
                let ([r, u, f], gaze) = (looker.head.now(&spaces), facing.now(&spaces)[2]);
                let d = |a: [f64; 3]| (a[0] * gaze[0] + a[1] * gaze[1] + a[2] * gaze[2]) as f32;
                assert!(d(f) > 0.0, "{name}: an eye looks into the head");
                let side = f64::from(float::asin(d(r))) * DEGREES;
                let rise = f64::from(float::asin(d(u))) * DEGREES;
                assert!(side.abs() < 20.1 && rise < 15.1 && rise > -10.1, "{name}: {side} {rise}");
            }
            // Inside the ranges both meet it.
            let near = looker.point(&pose, looker.along_chest(&pose, 0.05, 0.05, 1.0), 0.6);
            let weight = LookAtWeight { weight: 1.0, body: 0.0, head: 0.0, eyes: 1.0, clamp: 0.0 };
            let after = looker.look(&pose, near, weight);
            let spaces = looker.spaces(&after);
            let at = spaces[eye].position;
            let to = near.to_array().map(f64::from);
            let to = [to[0] - at[0], to[1] - at[1], to[2] - at[2]];
            let off = matchers::direction_angle_rad(facing.now(&spaces)[2], to) * DEGREES;
            assert!(off < 0.1, "{name}: an eye is {off} degrees off");
        }
    }
}

#[test]
fn eyes_converge_on_what_is_near_and_are_parallel_on_what_is_far() {
    let mut random = Random::new(17);
    for (name, mut looker) in Looker::kinds() {
        let bone = |b: HumanBone| looker.person.human[b.index()];
        let (Some(left), Some(right)) = (bone(HumanBone::LeftEye), bone(HumanBone::RightEye)) else { continue };
        if name.contains("Uneven") || name.contains("Mirrored") {
            continue;
        }
        let facing = [left, right].map(|eye| Facing64::new(looker.animator.avatar().unwrap(), eye));
        let pose = looker.random_pose(&mut random, 0.5);
        let weight = LookAtWeight { weight: 1.0, body: 0.2, head: 1.0, eyes: 1.0, clamp: 0.0 };
        let ahead = looker.along_chest(&pose, 0.2, 0.1, 1.0);
        let mut before = f64::INFINITY;
        for metres in [0.3, 0.6, 1.2, 5.0, 100.0] {
            let target = looker.point(&pose, ahead, metres);
            let after = looker.look(&pose, target, weight);
            let spaces = looker.spaces(&after);
            let [l, r] = facing.each_ref().map(|f| f.now(&spaces)[2]);
            let [at_l, at_r] = [left, right].map(|eye| spaces[eye].position);
            let to = target.to_array().map(f64::from);
            let sub = |a: [f64; 3], b: [f64; 3]| [0, 1, 2].map(|i| a[i] - b[i]);
            let wanted = matchers::direction_angle_rad(sub(to, at_l), sub(to, at_r)) * DEGREES;
            let vergence = matchers::direction_angle_rad(l, r) * DEGREES;
            // The nearest asks for less than the 20° an eye turns in, so nothing is cut off.
            assert!((vergence - wanted).abs() < 0.1, "{name} {metres} m: {vergence}° for {wanted}°");
            assert!(vergence < before, "{name} {metres} m");
            before = vergence;
        }
        assert!(before < 0.1, "{name}: {before}° on what is far");
    }
}

#[test]
fn half_the_eyes_weight_turns_them_half_the_way() {
    let mut looker = Looker::new(&PersonOptions::default());
    let pose = looker.t_pose();
    let eye = looker.person.human[HumanBone::LeftEye.index()].unwrap();
    let target = looker.point(&pose, looker.along_chest(&pose, 0.15, 0.05, 1.0), 2.0);
    let turned = |looker: &mut Looker, eyes: f32| {
        let weight = LookAtWeight { weight: 1.0, body: 0.0, head: 0.0, eyes, clamp: 0.0 };
        let after = looker.look(&pose, target, weight);
        matchers::rotation_angle_rad(pose[eye].rotation, after[eye].rotation)
    };
    let whole = turned(&mut looker, 1.0);
    let half = turned(&mut looker, 0.5);
    assert!(whole > 0.1 && (half - 0.5 * whole).abs() < 1e-3, "{half} of {whole}");
    // What the head already takes, the eyes need not: at full head weight they only converge.
    let weight = LookAtWeight { weight: 1.0, body: 0.0, head: 1.0, eyes: 1.0, clamp: 0.0 };
    let after = looker.look(&pose, target, weight);
    let left = matchers::rotation_angle_rad(pose[eye].rotation, after[eye].rotation);
    assert!(left < 0.25 * whole, "{left} of {whole}");
}

#[test]
fn straight_up_and_over_the_back_nothing_rolls_or_tears() {
    let mut looker = Looker::new(&PersonOptions::default());
    let pose = looker.t_pose();
    // Over the head from front to back, through straight up, and a finger's breadth beside it: the
    // same turns, but for that.
    for clamp in [0.0, 0.5] {
        let weight = LookAtWeight { weight: 1.0, body: 0.3, head: 1.0, eyes: 1.0, clamp };
        let over = |looker: &mut Looker, s: f64, aside: f32| {
            let a = s as f32 * core::f32::consts::PI;
            let direction = looker.along_chest(&pose, aside, float::sin(a), float::cos(a));
            let target = looker.point(&pose, direction, 1.5);
            looker.look(&pose, target, weight)
        };
        let found = continuity::judge(300, 1.0, |s| over(&mut looker, s, 0.0));
        assert!(found.jump < 5e-3, "{clamp} {found:?}");
        for i in 0..=85 {
            let s = f64::from(i) / 100.0;
            let (exact, beside) = (over(&mut looker, s, 0.0), over(&mut looker, s, 0.01));
            let off = matchers::max_joint_step_rad(&exact, &beside);
            assert!(off < 0.06, "{clamp} at {s}: {off}");
            // In the middle plane the head neither tilts nor turns aside.
            let spaces = looker.spaces(&exact);
            let right = looker.head.now(&spaces)[0];
            let chest = looker.trunk.now(&spaces)[0];
            let tilt = matchers::direction_angle_rad(right, chest);
            assert!(tilt < 1e-3, "{clamp} at {s}: {tilt}");
        }
    }
}

#[test]
fn the_spine_takes_the_bodys_share() {
    for (name, mut looker) in Looker::kinds() {
        if name.contains("hung") {
            continue; // shares are of angles; scaled spaces have others
        }
        let pose = looker.t_pose();
        let hips = Facing64::new(looker.animator.avatar().unwrap(), looker.person.joint(HumanBone::Hips));
        for (body, head) in [(0.5, 0.0), (1.0, 0.0), (0.3, 1.0)] {
            let [r, _, f] = spread(60.0, 0.0);
            let target = looker.point(&pose, looker.along_chest(&pose, r, 0.0, f), 100.0);
            let weight = LookAtWeight { weight: 1.0, body, head, eyes: 0.0, clamp: 0.0 };
            let after = looker.look(&pose, target, weight);
            let spaces = looker.spaces(&after);
            let chest = matchers::direction_angle_rad(looker.trunk.now(&spaces)[2], hips.now(&spaces)[2]) * DEGREES;
            assert!((chest - 60.0 * f64::from(body)).abs() < 0.5, "{name} body {body}: chest turned {chest}");
            let gaze = matchers::direction_angle_rad(looker.head.now(&spaces)[2], hips.now(&spaces)[2]) * DEGREES;
            let expected = if head == 1.0 { 60.0 } else { 60.0 * f64::from(body) };
            assert!((gaze - expected).abs() < 1.0, "{name} body {body} head {head}: gaze turned {gaze}");
        }
    }
}

#[test]
fn half_the_head_weight_goes_half_the_way() {
    let mut looker = Looker::new(&PersonOptions::default());
    let pose = looker.t_pose();
    let [r, u, f] = spread(60.0, 20.0);
    let target = looker.point(&pose, looker.along_chest(&pose, r, u, f), 100.0);
    for weight in [0.25, 0.5, 0.75] {
        let after = looker.look(&pose, target, head_only(weight));
        let turned = looker.turned_deg(&after);
        assert!((turned - 60.0 * f64::from(weight)).abs() < 2.0, "{weight}: {turned}");
    }
}

#[test]
fn a_mirrored_target_gives_the_mirrored_gaze() {
    let mut random = Random::new(8);
    let mut looker = Looker::new(&PersonOptions::default());
    let pose = looker.t_pose();
    for _ in 0..40 {
        let direction = random.unit_vector();
        let weight = LookAtWeight {
            weight: 1.0,
            body: random.unit01(),
            head: random.unit01(),
            eyes: 1.0,
            clamp: random.unit01(),
        };
        let mirrored = Vec3::new(-direction.x, direction.y, direction.z);
        let (a, b) = (looker.point(&pose, direction, 1.0), looker.point(&pose, mirrored, 1.0));
        let (a, b) = (looker.look(&pose, a, weight), looker.look(&pose, b, weight));
        for bone in [HumanBone::Spine, HumanBone::UpperChest, HumanBone::Neck, HumanBone::Head] {
            let joint = looker.person.joint(bone);
            let (q, m) = (a[joint].rotation, b[joint].rotation);
            let seen = sinew::math::Quat::from_xyzw(m.x, -m.y, -m.z, m.w);
            let off = matchers::rotation_angle_rad(q, seen);
            assert!(off < 2e-3, "{} {direction} {weight:?}: {off}", bone.name());
        }
        let (left, right) = (looker.person.joint(HumanBone::LeftEye), looker.person.joint(HumanBone::RightEye));
        let m = b[right].rotation;
        let off = matchers::rotation_angle_rad(a[left].rotation, sinew::math::Quat::from_xyzw(m.x, -m.y, -m.z, m.w));
        assert!(off < 2e-3, "eyes {direction} {weight:?}: {off}");
    }
}

#[test]
fn only_spine_neck_head_and_eyes_turn() {
    let mut random = Random::new(9);
    let mut looker = Looker::new(&PersonOptions::default());
    for _ in 0..10 {
        let pose = looker.random_pose(&mut random, 1.0);
        let target = looker.point(&pose, random.unit_vector(), 1.0);
        let after =
            looker.look(&pose, target, LookAtWeight { weight: 1.0, body: 0.5, head: 1.0, eyes: 1.0, clamp: 0.3 });
        use HumanBone::*;
        let may = [Spine, Chest, UpperChest, Neck, Head, LeftEye, RightEye].map(|b| looker.person.joint(b));
        for joint in (0..pose.len()).filter(|j| !may.contains(j)) {
            matchers::assert_pose_bits_equal(&pose[joint..=joint], &after[joint..=joint]);
        }
        for joint in may {
            assert_eq!((pose[joint].position, pose[joint].scale), (after[joint].position, after[joint].scale));
        }
    }
}

#[test]
fn every_rig_looks_the_same_way() {
    let mut reference: Option<Vec<f64>> = None;
    for (name, mut looker) in Looker::kinds() {
        if name.contains("hung") || name == "least" {
            continue;
        }
        let pose = looker.t_pose();
        let target = looker.point(&pose, looker.along_chest(&pose, 0.6, 0.3, 0.6), 1.0);
        let weight = LookAtWeight { weight: 0.9, body: 0.3, head: 0.8, eyes: 1.0, clamp: 0.4 };
        let after = looker.look(&pose, target, weight);
        let spaces = looker.spaces(&after);
        let axes = looker.person.axes;
        let model = [axes.right, axes.up, axes.forward].map(|v| v.to_array().map(f64::from));
        let mut seen = Vec::new();
        for facing in [looker.head, looker.trunk] {
            for axis in facing.now(&spaces) {
                seen.extend(model.map(|m| axis[0] * m[0] + axis[1] * m[1] + axis[2] * m[2]));
            }
        }
        let expected = reference.get_or_insert_with(|| seen.clone());
        for (a, b) in expected.iter().zip(&seen) {
            assert!((a - b).abs() < 2e-4, "{name}: {a} {b}");
        }
    }
}

#[test]
fn the_getter_gives_the_animations_own_gaze() {
    let mut random = Random::new(10);
    for (name, mut looker) in Looker::kinds() {
        let pose = looker.random_pose(&mut random, 1.0);
        characters::set_pose(&mut looker.animator, &pose);
        let spaces = looker.spaces(&pose);
        let (origin, gaze) = looker.animator.gaze_ws().unwrap();
        let expected = looker.origin(&spaces);
        let off = matchers::distance(expected, origin.to_array().map(f64::from)) / f64::from(looker.unit());
        assert!(off < 5e-6, "{name}: {off}");
        let angle = matchers::direction_angle_rad(looker.head.now(&spaces)[2], gaze.to_array().map(f64::from));
        assert!(angle < 1e-5, "{name}: {angle}");
        assert_eq!(looker.animator.look_at_position().unwrap(), origin + gaze);
        looker.animator.set_look_at_position(Vec3::ONE).unwrap();
        assert_eq!(looker.animator.look_at_position().unwrap(), Vec3::ONE);
    }
}

#[test]
fn a_still_head_that_already_looks_there_keeps_still() {
    let mut random = Random::new(11);
    let mut looker = Looker::new(&PersonOptions::default());
    let mut worst = 0.0f64;
    for _ in 0..20 {
        let pose = looker.random_pose(&mut random, 0.6);
        let spaces = looker.spaces(&pose);
        let gaze = looker.head.now(&spaces)[2];
        let direction = Vec3::new(gaze[0] as f32, gaze[1] as f32, gaze[2] as f32);
        let target = looker.point(&pose, direction, 2.0);
        let after = looker.look(&pose, target, LookAtWeight { clamp: 0.2, body: 0.5, ..head_only(1.0) });
        worst = worst.max(matchers::max_joint_step_rad(&pose, &after));
    }
    assert!(worst < 1e-3, "{worst}");
}
