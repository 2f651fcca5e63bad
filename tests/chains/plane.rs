//! Chains in a plane: every method, limits included, turns its joints about the plane's axis only,
//! and a loop in the plane flips nothing.

use sinew::animator::Animator;
use sinew::chains::ChainSolver;
use sinew::constraints::{ChainDefinition, ConstraintDefinition, ConstraintGoal, ConstraintId};
use sinew::limits::{AxisLimits, Freedom, HingeAxis, JointModel, Range};
use sinew::math::{Quat, Transform, Vec3, axis_angle, perpendicular};
use sinew::outcome::Status;
use testkit::chains::{ChainOptions, ParentKind, Rig, chain};
use testkit::characters::{self, to_rest};
use testkit::matchers::{self, vec3};
use testkit::{BoneRolls, Random, continuity};

/// Those that turn the chain as a whole before they bend it.
const AIMED: [ChainSolver; 4] = [ChainSolver::Default, ChainSolver::Fabrik, ChainSolver::Ccd, ChainSolver::Spring];

fn animator(rig: &Rig) -> Animator {
    characters::on_rig(rig, Transform::new(Vec3::new(0.3, -0.2, 1.1), axis_angle(Vec3::Y, 0.4)))
}

fn tip(animator: &Animator, joint: usize) -> Vec3 {
    vec3(characters::world(animator)[joint].position)
}

fn add(animator: &mut Animator, rig: &Rig, solver: ChainSolver, axis_ms: Vec3) -> ConstraintId {
    let definition = ChainDefinition {
        solver,
        plane_axis_ms: Some(axis_ms),
        ..ChainDefinition::ending_at(rig.end(), rig.joints.len())
    };
    animator.add_constraint(&ConstraintDefinition::Chain(definition)).unwrap()
}

fn solve(animator: &mut Animator, id: ConstraintId, target: Vec3) {
    let input = animator.constraint_mut(id).unwrap();
    (input.goals[0], input.weight) = (ConstraintGoal::at(target), 1.0);
    animator.solve().unwrap();
}

/// The joints' signed angles about the axis, from rest to now; fails when one turns about anything
/// else.
fn angles(animator: &Animator, rig: &Rig, axis_ms: Vec3) -> Vec<f32> {
    let parent = rig.joints[0] - 1;
    let frames = |pose: &[Transform]| matchers::model_rotations(animator.skeleton(), pose);
    let (rest, now) = (frames(animator.skeleton().rest_local()), frames(animator.pose().local()));
    let quat = |q: [f64; 4]| Quat::from_xyzw(q[0] as f32, q[1] as f32, q[2] as f32, q[3] as f32);
    assert_eq!(rest[parent], now[parent], "what the chain hangs from stays");
    let mut before = 0.0;
    let turns = rig.joints.iter().map(|&joint| {
        let turn = quat(now[joint]) * quat(rest[joint]).conjugate();
        let v = Vec3::new(turn.x, turn.y, turn.z);
        assert!(v.cross(axis_ms).length() < 2e-4, "joint {joint} leaves the plane: {turn}");
        let whole = 2.0 * sinew::math::float::atan2(v.dot(axis_ms), turn.w);
        let own = whole - before;
        before = whole;
        own - (own / core::f32::consts::TAU).round() * core::f32::consts::TAU
    });
    turns.collect()
}

fn some_rig(bones: usize, parent: ParentKind, random: &mut Random) -> Rig {
    let rolls = BoneRolls::Random(random.bits());
    chain(&ChainOptions { bone_count: bones, bone_length: 0.25, bend_rad: 0.35, rolls, parent, ..Default::default() })
}

/// The normal of the generated chain's plane, model space.
fn normal(rig: &Rig) -> Vec3 {
    let p = |i: usize| rig.skeleton.rest_model()[rig.joints[i]].position;
    (p(1) - p(0)).cross(p(2) - p(1)).normalize()
}

#[test]
fn every_method_reaches_in_the_plane_and_nothing_leaves_it() {
    let mut random = Random::new(1);
    for parent in [ParentKind::Identity, ParentKind::Rotated, ParentKind::Scaled] {
        for solver in ChainSolver::ALL {
            for bones in [2, 4, 8] {
                for case in 0..6 {
                    let rig = some_rig(bones, parent, &mut random);
                    // The chain's own plane, or any other: then the chain keeps its height over it.
                    let axis_ms = if case % 2 == 0 { normal(&rig) } else { random.unit_vector() };
                    let mut animator = animator(&rig);
                    let id = add(&mut animator, &rig, solver, axis_ms);
                    // Reachable by construction: every joint turned about the axis.
                    let mut other = animator.clone();
                    other.set_root(Transform::IDENTITY).unwrap();
                    for &joint in &rig.joints {
                        let turned = axis_angle(axis_ms, random.between(-0.7, 0.7)) * other.joint_ws(joint).rotation;
                        let above = other.joint_ws(joint - 1);
                        other.pose_mut().local_mut()[joint].rotation = above.rotation_in(turned);
                    }
                    other.set_root(*animator.root()).unwrap();
                    let target = tip(&other, rig.end());
                    let off_plane = animator.root().rotation * axis_ms * 0.3;
                    solve(&mut animator, id, target + off_plane);
                    let off = tip(&animator, rig.end()).distance(target);
                    let outcome = animator.constraint_outcome(id).unwrap();
                    assert!(off < 2e-5, "{parent:?} {solver:?} {bones} {case}: {off:e} {outcome:?}");
                    assert_eq!(
                        outcome.status,
                        Status::Reached,
                        "{parent:?} {solver:?} {bones} {case}: {off:e} {outcome:?}"
                    );
                    if parent != ParentKind::Scaled {
                        angles(&animator, &rig, axis_ms);
                    }
                }
            }
        }
    }
}

#[test]
fn limits_about_the_axis_hold_in_the_plane() {
    let mut random = Random::new(2);
    for solver in ChainSolver::ALL {
        for case in 0..10 {
            let mut rig = some_rig(4, ParentKind::Rotated, &mut random);
            // Joint frames whose X is the plane's axis, so that a range about X is one in the
            // plane.
            rig = aligned(&rig);
            let axis_ms = normal(&rig);
            let mut animator = animator(&rig);
            let id = add(&mut animator, &rig, solver, axis_ms);
            let range = Range::new(-random.between(0.2, 0.9), random.between(0.2, 0.9));
            let freedom = match case % 3 {
                0 => Freedom::Hinge { axis: HingeAxis::X, range },
                1 => AxisLimits { locked: [false, true, false], range: [Some(range), None, None] }.into(),
                _ => AxisLimits { locked: [false; 3], range: [Some(range), Some(range), Some(range)] }.into(),
            };
            for &joint in &rig.joints {
                animator.set_joint_limits(joint, &JointModel::limited(freedom)).unwrap();
            }
            let mut other = animator.clone();
            for &joint in &rig.joints {
                let turn = axis_angle(Vec3::X, random.between(range.min, range.max));
                other.pose_mut().local_mut()[joint].rotation *= turn;
            }
            let target = tip(&other, rig.end());
            solve(&mut animator, id, target);
            let off = tip(&animator, rig.end()).distance(target);
            assert!(off < 2e-5, "{solver:?} {case}: {off:e} {:?}", animator.constraint_outcome(id).unwrap());
            for angle in angles(&animator, &rig, axis_ms) {
                assert!(angle > range.min - 1e-3 && angle < range.max + 1e-3, "{solver:?} {case}: {angle} {range:?}");
            }
        }
    }
}

/// The same rig with the X axis of every joint along the plane's normal.
fn aligned(rig: &Rig) -> Rig {
    let axis = normal(rig);
    let frames = rig.skeleton.rest_model();
    let mut joints = Vec::new();
    let mut rotations: Vec<Quat> = Vec::new();
    for joint in 0..rig.skeleton.joint_count() {
        let parent = rig.skeleton.parent(joint);
        let rotation = if rig.joints.contains(&joint) {
            // Z across the normal; X is Y × Z.
            let z = perpendicular(axis);
            sinew::math::frame_rotation(z, z.cross(axis))
        } else {
            frames[joint].rotation
        };
        let outer = parent.map_or(Quat::IDENTITY, |p| rotations[p]);
        let from = parent.map_or(Vec3::ZERO, |p| frames[p].position);
        let rest = Transform {
            position: outer.conjugate() * (frames[joint].position - from),
            rotation: (outer.conjugate() * rotation).normalize(),
            scale: Vec3::ONE,
        };
        rotations.push(rotation);
        joints.push(sinew::skeleton::JointDefinition { name: format!("j{joint}"), parent, rest });
    }
    Rig { skeleton: sinew::skeleton::Skeleton::new(joints).unwrap(), joints: rig.joints.clone() }
}

#[test]
fn a_loop_in_the_plane_round_the_root_flips_nothing() {
    let mut random = Random::new(3);
    for solver in ChainSolver::ALL {
        for bones in [2, 4] {
            let rig = some_rig(bones, ParentKind::Rotated, &mut random);
            let axis_ms = normal(&rig);
            let mut animator = animator(&rig);
            let id = add(&mut animator, &rig, solver, axis_ms);
            let root = tip(&animator, rig.start());
            let reach = tip(&animator, rig.end()).distance(root);
            let out = (tip(&animator, rig.end()) - root).normalize();
            let axis_ws = animator.root().rotation * axis_ms;
            // A loop in front of the root for all; round the root for those that aim first.
            let found = continuity::judge(90, 1.0, |s| {
                to_rest(&mut animator);
                let angle = (s * core::f64::consts::TAU) as f32;
                let round = axis_angle(axis_ws, angle) * out;
                let target = root + out * (0.75 * reach) + round * (0.2 * reach);
                solve(&mut animator, id, target);
                animator.pose().local().to_vec()
            });
            println!("{solver:?} {bones}: step {:.3} jump {:.1e}", found.step_rad, found.jump);
            assert!(found.jump < 2e-3, "{solver:?} {bones}: {found:?}");
            if AIMED.contains(&solver) {
                let found = continuity::judge(120, 1.0, |s| {
                    to_rest(&mut animator);
                    let angle = (s * core::f64::consts::TAU) as f32;
                    solve(&mut animator, id, root + axis_angle(axis_ws, angle) * out * (0.8 * reach));
                    animator.pose().local().to_vec()
                });
                assert!(found.jump < 2e-3, "{solver:?} {bones} round: {found:?}");
            }
        }
    }
}
