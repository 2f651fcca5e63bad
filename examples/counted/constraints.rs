//! Constraints on an animator, as a host calls them. A unit is a solve.

use super::{Row, counted};
use sinew::animator::Animator;
use sinew::constraints::{AimDefinition, ChainDefinition, ConstraintDefinition, ConstraintGoal, TwoBoneDefinition};
use sinew::limits::{Freedom, JointModel, Range, SwingRegion};
use sinew::math::{Transform, Vec3, axis_angle};
use sinew::skeleton::{JointDefinition, Skeleton};
use std::sync::Arc;
use testkit::reach::{Reach, TARGETS};

/// A chain of as many bones and an end joint, length 1, bent by one radian.
fn skeleton(bones: usize) -> Arc<Skeleton> {
    let each = 1.0 / bones as f32;
    let joint = |i: usize| JointDefinition {
        name: format!("bone {i}"),
        parent: i.checked_sub(1),
        rest: match i {
            0 => Transform::IDENTITY,
            _ => Transform::new(Vec3::Y * each, axis_angle(Vec3::X, each)),
        },
    };
    Arc::new(Skeleton::new((0..=bones).map(joint).collect()).expect("a sound skeleton"))
}

/// The animator's whole solve with one constraint, from rest each time, reached to rounding.
fn row(name: &str, bones: usize, definition: ConstraintDefinition, limits: Option<JointModel>) -> Row {
    let work = move || {
        let skeleton = skeleton(bones);
        let mut animator = Animator::new(skeleton.clone(), None).expect("no avatar");
        let constraint = animator.add_constraint(&definition).expect("a sound definition");
        for joint in 0..=bones {
            if let Some(limits) = &limits {
                animator.set_joint_limits(joint, limits).expect("sound limits");
            }
        }
        // The first one warms up.
        for (i, target) in Reach::new(1).targets.into_iter().cycle().take(1 + TARGETS).enumerate() {
            animator.pose_mut().local_mut().copy_from_slice(skeleton.rest_local());
            let input = animator.constraint_mut(constraint).expect("just added");
            (input.weight, input.goals[0]) = (1.0, ConstraintGoal::at(target));
            let mut solve = || animator.solve().expect("a sound pose");
            if i == 0 { solve() } else { counted(&mut solve) }
        }
        TARGETS as u64
    };
    Row { name: name.to_string(), work: Box::new(work) }
}

pub fn rows() -> Vec<Row> {
    let chain = |bones: usize| {
        let definition = ConstraintDefinition::Chain(ChainDefinition::to_root(bones));
        row(&format!("constraint_chain/{bones}"), bones, definition, None)
    };
    let mut rows: Vec<Row> = [2, 10, 100].into_iter().map(chain).collect();
    rows.push(row("constraint_two_bone", 2, ConstraintDefinition::TwoBone(TwoBoneDefinition::ending_at(2)), None));
    rows.push(row("constraint_aim", 1, ConstraintDefinition::Aim(AimDefinition::of(1)), None));
    let cone = Freedom::Ball { swing: SwingRegion::cone(0.5), twist: Range::new(-0.3, 0.3) };
    let aim = ConstraintDefinition::Aim(AimDefinition::ending_at(4, 4));
    rows.push(row("constraint_aim_limits/4", 4, aim, Some(JointModel::limited(cone))));
    rows
}
