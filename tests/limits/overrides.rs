//! Overrides of a limb's joints, for humanoid goals: any description of the same hinge gives the
//! same limb, and no goal takes a joint beyond what it was given.

use sinew::animator::Animator;
use sinew::humanoid::{HumanBone, HumanoidSettings, IkGoal};
use sinew::limits::{BendAxis, Freedom, HingeAxis, JointModel, Range, SwingRegion};
use sinew::math::{Mat3, Quat, Transform, Vec3, axis_angle};
use testkit::characters::{self, joint, set_pose, world};
use testkit::matchers::{self, product, rotate, wide};
use testkit::person::{Person, PersonOptions, person};
use testkit::{BoneRolls, Random};

/// A limb, with its mid joint's bone and the axis that people bend it about, in the joint's space.
struct Limb {
    goal: IkGoal,
    root: usize,
    mid: usize,
    end: usize,
    bone: Vec3,
    axis: Vec3,
}

fn people() -> Vec<Person> {
    let plain = PersonOptions::default();
    vec![person(&plain), person(&PersonOptions { bone_rolls: BoneRolls::Random(5), ..plain })]
}

fn limited(person: &Person) -> Animator {
    let mut animator = characters::animator(person, 0.0);
    animator.set_settings(&HumanoidSettings { limits_enabled: true, ..Default::default() }).unwrap();
    animator
}

fn limb(animator: &Animator, goal: IkGoal, mid: HumanBone) -> Limb {
    let [root, _, end] = goal.bones().map(|bone| joint(animator, bone));
    let bone = animator.skeleton().rest_local()[end].position.normalize();
    let bend = animator.avatar().unwrap().human_limits().model(mid).unwrap().frame * Vec3::X;
    let axis = (bend - bone * bend.dot(bone)).normalize();
    Limb { goal, root, mid: joint(animator, mid), end, bone, axis }
}

/// The rotation whose axes are these, unit and at right angles.
fn frame(x: Vec3, y: Vec3) -> Quat {
    Quat::from_mat3(&Mat3::from_cols(x, y, x.cross(y))).normalize()
}

fn model(freedom: Freedom, frame: Quat) -> JointModel {
    JointModel { frame, ..JointModel::limited(freedom) }
}

/// One hinge, 0 … `most` about the axis, described in many limit spaces.
fn descriptions(limb: &Limb, most: f32) -> Vec<(&'static str, JointModel)> {
    let (axis, bone) = (limb.axis, limb.bone);
    let hinge = |axis, min, max| Freedom::Hinge { axis, range: Range::new(min, max) };
    let universal =
        |bend, min, max| Freedom::Universal { bend, bend_range: Range::new(min, max), twist: Range::new(-0.01, 0.01) };
    let aside = axis.cross(bone);
    // The bones of real rigs are a degree or two beside the axes of their joints.
    let beside = axis_angle(axis, 0.04) * bone;
    vec![
        ("X", model(hinge(HingeAxis::X, 0.0, most), frame(axis, bone))),
        ("-X", model(hinge(HingeAxis::X, -most, 0.0), frame(-axis, bone))),
        ("X, bone along -Y", model(hinge(HingeAxis::X, 0.0, most), frame(axis, -bone))),
        ("-X, bone along -Y", model(hinge(HingeAxis::X, -most, 0.0), frame(-axis, -bone))),
        ("Z", model(hinge(HingeAxis::Z, 0.0, most), frame(-aside, bone))),
        ("-Z", model(hinge(HingeAxis::Z, -most, 0.0), frame(aside, bone))),
        ("Y", model(hinge(HingeAxis::Y, 0.0, most), frame(bone, axis))),
        ("-Y", model(hinge(HingeAxis::Y, -most, 0.0), frame(aside, -axis))),
        ("X, bone along Z", model(hinge(HingeAxis::X, 0.0, most), frame(axis, -aside))),
        ("X, bone beside Y", model(hinge(HingeAxis::X, 0.0, most), frame(axis, beside))),
        ("-X, bone beside -Y", model(hinge(HingeAxis::X, -most, 0.0), frame(-axis, -beside))),
        ("X and Y, bone beside Y", model(universal(BendAxis::X, 0.0, most), frame(axis, beside))),
        ("X and Y", model(universal(BendAxis::X, 0.0, most), frame(axis, bone))),
        ("-X and Y", model(universal(BendAxis::X, -most, 0.0), frame(-axis, bone))),
        ("-Z and Y, bone along -Y", model(universal(BendAxis::Z, -most, 0.0), frame(-aside, -bone))),
    ]
}

/// How a joint is turned from rest, in `f64`.
fn from_rest(animator: &Animator, joint: usize) -> [f64; 4] {
    let unit = |q: Quat| {
        let q = q.to_array().map(f64::from);
        let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
        q.map(|x| x / length)
    };
    let rest = unit(animator.skeleton().rest_local()[joint].rotation);
    let q = product([-rest[0], -rest[1], -rest[2], rest[3]], unit(animator.pose().local()[joint].rotation));
    if q[3] < 0.0 { q.map(|x| -x) } else { q }
}

/// Angle about an axis, and that of the turn beside it.
fn about(q: [f64; 4], axis: Vec3) -> (f64, f64) {
    let a = wide(axis);
    let along = q[0] * a[0] + q[1] * a[1] + q[2] * a[2];
    let size = (along * along + q[3] * q[3]).sqrt();
    (2.0 * libm::atan2(along, q[3]), 2.0 * libm::acos(size.min(1.0)))
}

fn end_of(animator: &Animator, limb: &Limb) -> [f64; 3] {
    world(animator)[limb.end].position
}

fn solve_for(animator: &mut Animator, limb: &Limb, start: &[Transform], place: [f64; 3]) {
    set_pose(animator, start);
    animator.set_ik_position(limb.goal, matchers::vec3(place)).unwrap();
    animator.set_ik_position_weight(limb.goal, 1.0).unwrap();
    animator.solve().unwrap();
    matchers::assert_sound(animator.pose().local());
}

#[test]
fn a_hinge_bends_however_its_limit_space_describes_it() {
    const MOST: f32 = 1.2;
    for person in people() {
        let rest = person.skeleton.rest_local().to_vec();
        for (goal, mid) in [(IkGoal::LeftHand, HumanBone::LeftLowerArm), (IkGoal::RightFoot, HumanBone::RightLowerLeg)]
        {
            let plain = limited(&person);
            let limb = limb(&plain, goal, mid);
            for (name, model) in descriptions(&limb, MOST) {
                let mut animator = limited(&person);
                animator.set_joint_limits(limb.root, &JointModel::FREE).unwrap();
                animator.set_joint_limits(limb.mid, &model).unwrap();
                let mut random = Random::new(41);
                for round in 0..40 {
                    let mut other = rest.clone();
                    other[limb.root].rotation = (other[limb.root].rotation * random.rotation_within(0.6)).normalize();
                    let angle = random.between(0.1, MOST - 0.1);
                    other[limb.mid].rotation = (other[limb.mid].rotation * axis_angle(limb.axis, angle)).normalize();
                    set_pose(&mut animator, &other);
                    assert!(animator.joint_violation_rad(limb.mid).unwrap() < 1e-3, "{name}");
                    let place = end_of(&animator, &limb);
                    solve_for(&mut animator, &limb, &rest, place);
                    let off = matchers::distance(end_of(&animator, &limb), place);
                    let (turned, beside) = about(from_rest(&animator, limb.mid), limb.axis);
                    let case = format!("{goal:?} {name} {round}: {off} m off, turned by {turned}, {beside} beside");
                    assert!(off < 2e-3, "{case}");
                    assert!((-2e-3..f64::from(MOST) + 2e-3).contains(&turned) && beside < 0.013, "{case}");
                }
            }
        }
    }
}

#[test]
fn no_hand_goal_takes_an_elbow_beyond_an_override_of_any_kind() {
    for person in people() {
        let rest = person.skeleton.rest_local().to_vec();
        let plain = limited(&person);
        let limb = limb(&plain, IkGoal::LeftHand, HumanBone::LeftLowerArm);
        let along = frame(limb.axis, limb.bone);
        let range = Range::new;
        let cone = SwingRegion::Ellipse { x: range(-0.4, 0.4), z: range(-0.4, 0.4) };
        let askew = (limb.axis + 0.6 * limb.bone).normalize();
        let mut models = descriptions(&limb, 0.5);
        models.extend(descriptions(&limb, 2.4));
        models.extend([
            ("fixed", model(Freedom::Fixed, Quat::IDENTITY)),
            ("cone", model(Freedom::Ball { swing: cone, twist: range(-0.4, 0.4) }, along)),
            ("swing", model(Freedom::Swing(cone), along)),
            (
                "angles",
                model(Freedom::Angles { x: range(0.0, 0.5), z: range(-0.01, 0.01), y: range(-0.01, 0.01) }, along),
            ),
            (
                "askew",
                model(
                    Freedom::Hinge { axis: HingeAxis::X, range: range(-0.3, 0.8) },
                    Quat::from_rotation_arc(Vec3::X, askew),
                ),
            ),
            ("roll", model(Freedom::Hinge { axis: HingeAxis::Y, range: range(-0.3, 0.8) }, along)),
        ]);
        for (name, model) in models {
            let mut animator = limited(&person);
            animator.set_joint_limits(limb.mid, &model).unwrap();
            set_pose(&mut animator, &rest);
            let places = world(&animator);
            let shoulder = places[limb.root].position;
            let reach = matchers::distance(shoulder, places[limb.mid].position)
                + matchers::distance(places[limb.mid].position, places[limb.end].position);
            let mut random = Random::new(67);
            for round in 0..150 {
                let away = random.unit_vector() * (reach as f32 * random.between(0.4, 1.02));
                let place = [0, 1, 2].map(|i| shoulder[i] + f64::from(away[i]));
                solve_for(&mut animator, &limb, &rest, place);
                let q = from_rest(&animator, limb.mid);
                let beyond = animator.joint_violation_rad(limb.mid).unwrap();
                assert!(beyond < 4e-3, "{name} {round}: {beyond} rad beyond, {q:?}");
                // From outside, where it is easily said.
                let (turned, beside) = about(q, limb.axis);
                let bone = matchers::direction_angle_rad(rotate(q, wide(limb.bone)), wide(limb.bone));
                match model.freedom {
                    Freedom::Fixed => assert!(bone < 4e-3 && turned.abs() < 4e-3, "{name} {round}: {bone} {turned}"),
                    Freedom::Ball { .. } | Freedom::Swing(_) => assert!(bone < 0.405, "{name} {round}: {bone}"),
                    Freedom::Angles { .. } => {
                        assert!((-0.02..0.52).contains(&turned) && beside < 0.03, "{name} {round}")
                    }
                    Freedom::Hinge { .. } if name != "askew" && name != "roll" => {
                        assert!(turned > -4e-3 && beside < 4e-3, "{name} {round}: {turned}, {beside} beside");
                    }
                    _ => {}
                }
            }
        }
    }
}

#[test]
fn an_override_of_an_upper_arm_judges_the_joint_itself() {
    for person in people() {
        let mut start = person.skeleton.rest_local().to_vec();
        let mut animator = limited(&person);
        let limb = limb(&animator, IkGoal::LeftHand, HumanBone::LeftLowerArm);
        let bone = start[limb.mid].position.normalize();
        let range = Range::new(-0.5, 0.5);
        let freedom = Freedom::Ball { swing: SwingRegion::Ellipse { x: range, z: range }, twist: range };
        animator.set_joint_limits(limb.root, &model(freedom, Quat::from_rotation_arc(Vec3::Y, bone))).unwrap();
        start[limb.mid].rotation = (start[limb.mid].rotation * axis_angle(limb.axis, 0.5)).normalize();
        set_pose(&mut animator, &start);
        let shoulder = world(&animator)[limb.root].position;
        let reach = matchers::distance(shoulder, end_of(&animator, &limb));
        let mut random = Random::new(23);
        for round in 0..200 {
            let away = random.unit_vector() * (reach as f32 * random.between(0.4, 1.04));
            solve_for(&mut animator, &limb, &start, [0, 1, 2].map(|i| shoulder[i] + f64::from(away[i])));
            let q = from_rest(&animator, limb.root);
            let (twist, _) = about(q, bone);
            let swing = matchers::direction_angle_rad(rotate(q, wide(bone)), wide(bone));
            assert!(twist.abs() < 0.505 && swing < 0.505, "{round}: twist {twist}, swing {swing}");
        }
    }
}
