//! A constraint that keeps joints within limits leaves an animation that is beyond them with its
//! weight. A hinge at 1 radian, of a range to 0.5, was at 0.5 with the first millionth of the
//! weight.

use sinew::animator::Animator;
use sinew::chains::ChainSolver;
use sinew::constraints::{
    AimDefinition, ChainDefinition, ConstraintDefinition, CopyRotationDefinition, SplineDefinition, TwoBoneDefinition,
};
use sinew::limits::{Freedom, HingeAxis, JointModel, Range, SwingRegion};
use sinew::math::{Quat, Transform, Vec3, axis_angle};
use sinew::skeleton::{JointDefinition, Skeleton};
use std::sync::Arc;
use testkit::matchers::{self, distance, forward_kinematics};

const LIMITED: usize = 2;

fn rig() -> Skeleton {
    let place = |joint: usize| Transform {
        position: if joint == 0 { Vec3::ZERO } else { Vec3::Y },
        rotation: axis_angle(Vec3::X, [0.0, 0.0, 0.4, 0.3, 0.0][joint]),
        scale: Vec3::ONE,
    };
    let joint =
        |joint: usize| JointDefinition { name: String::new(), parent: joint.checked_sub(1), rest: place(joint) };
    Skeleton::new((0..5).map(joint).collect()).unwrap()
}

fn kinds() -> Vec<(String, ConstraintDefinition)> {
    let chain = |solver| ConstraintDefinition::Chain(ChainDefinition { solver, ..ChainDefinition::ending_at(4, 4) });
    let solvers = [
        ChainSolver::Default,
        ChainSolver::DampedLeastSquares,
        ChainSolver::Transpose,
        ChainSolver::PseudoInverse,
        ChainSolver::SelectivelyDamped,
        ChainSolver::Fabrik,
        ChainSolver::Ccd,
        ChainSolver::Spring,
    ];
    let mut kinds: Vec<_> = solvers.map(|solver| (format!("{solver:?}"), chain(solver))).into();
    let limb = TwoBoneDefinition { mid: Some(2), root: Some(1), ..TwoBoneDefinition::ending_at(4) };
    kinds.push(("two bones".into(), ConstraintDefinition::TwoBone(limb)));
    let flat = ChainDefinition { plane_axis_ms: Some(Vec3::X), ..ChainDefinition::ending_at(4, 4) };
    kinds.push(("in a plane".into(), ConstraintDefinition::Chain(flat)));
    kinds.push(("aim".into(), ConstraintDefinition::Aim(AimDefinition { joint_count: 4, ..AimDefinition::of(4) })));
    kinds.push(("spline".into(), ConstraintDefinition::Spline(SplineDefinition::ending_at(4, 4, 4))));
    let copy = CopyRotationDefinition { source: Some(4), ..CopyRotationDefinition::of(LIMITED) };
    kinds.push(("copy".into(), ConstraintDefinition::CopyRotation(copy)));
    kinds
}

#[test]
fn constraints_leave_an_animation_beyond_limits_with_their_weight() {
    let skeleton = Arc::new(rig());
    let range = Range::new(-0.3, 0.3);
    let models = [
        Freedom::Hinge { axis: HingeAxis::X, range: Range::new(-0.2, 0.5) },
        Freedom::Ball { swing: SwingRegion::Ellipse { x: range, z: range }, twist: range },
    ];
    let mut start = skeleton.rest_local().to_vec();
    start[LIMITED].rotation = (start[LIMITED].rotation * axis_angle(Vec3::X, 0.9)).normalize();
    start[1].rotation = axis_angle(Vec3::Z, 0.3);
    let before = forward_kinematics(&skeleton, &start);
    for (name, definition) in kinds() {
        for (number, freedom) in models.iter().enumerate() {
            for away in [Vec3::ZERO, Vec3::new(0.2, -0.3, 0.1)] {
                let mut animator = Animator::new(skeleton.clone(), None).unwrap();
                animator.set_joint_limits(LIMITED, &JointModel::limited(*freedom)).unwrap();
                let id = animator.add_constraint(&definition).unwrap();
                let ahead = if name == "aim" { Vec3::new(0.0, 0.0, 2.0) } else { Vec3::ZERO };
                let mut solve = |weight: f32| {
                    let input = animator.constraint_mut(id).unwrap();
                    let last = input.goals.len() - 1;
                    input.goals[last].position_ws = Some(matchers::vec3(before[4].position) + ahead + away);
                    input.weight = weight;
                    animator.pose_mut().local_mut().copy_from_slice(&start);
                    animator.solve().unwrap();
                    matchers::assert_sound(animator.pose().local());
                    let violation = animator.joint_violation_rad(LIMITED).unwrap();
                    let outcome = animator.constraint_outcome(id).unwrap();
                    (forward_kinematics(&skeleton, animator.pose().local()), violation, outcome)
                };
                let case = format!("{name}, limits {number}, {away}");
                for (weight, most) in [(1e-6, 1e-4), (1e-3, 4e-3), (1e-2, 0.2)] {
                    let (now, ..) = solve(weight);
                    let moved = now.iter().zip(&before).map(|(a, b)| distance(a.position, b.position));
                    let moved = moved.fold(0.0, f64::max);
                    assert!(moved < most, "{case} at {weight}: moved by {moved}");
                }
                for weight in [0.1, 0.5, 1.0] {
                    let (_, violation, _) = solve(weight);
                    assert!(violation < 1e-3, "{case} at {weight}: {violation}");
                }
                if name != "aim" && name != "spline" && name != "copy" && name != "in a plane" && away == Vec3::ZERO {
                    // The outcome is that of the pose: at the goal where nothing has moved yet.
                    let (now, _, outcome) = solve(1e-4);
                    let off = distance(now[4].position, before[4].position);
                    assert!((f64::from(outcome.residual_m) - off).abs() < 1e-4, "{case}: {outcome:?}, {off}");
                }
            }
        }
    }
}

#[test]
fn the_weight_of_a_copied_rotation_counts_likewise() {
    let skeleton = Arc::new(rig());
    let mut animator = Animator::new(skeleton.clone(), None).unwrap();
    let hinge = Freedom::Hinge { axis: HingeAxis::X, range: Range::new(-0.2, 0.5) };
    animator.set_joint_limits(LIMITED, &JointModel::limited(hinge)).unwrap();
    let definition = ConstraintDefinition::CopyRotation(CopyRotationDefinition::of(LIMITED));
    let id = animator.add_constraint(&definition).unwrap();
    let mut start = skeleton.rest_local().to_vec();
    start[LIMITED].rotation = (start[LIMITED].rotation * axis_angle(Vec3::X, 0.9)).normalize();
    animator.pose_mut().local_mut().copy_from_slice(&start);
    let input = animator.constraint_mut(id).unwrap();
    input.weight = 1.0;
    input.goals[0].rotation_ws = Some(Quat::IDENTITY);
    input.goals[0].rotation_weight = 1e-6;
    animator.solve().unwrap();
    let turned = matchers::rotation_angle_rad(start[LIMITED].rotation, animator.pose().local()[LIMITED].rotation);
    assert!(turned < 1e-4, "{turned}");
}
