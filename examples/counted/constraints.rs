//! Constraints on an animator, as a host calls them. A unit is a solve.

use super::{Row, counted};
use sinew::constraints::{ChainDefinition, ConstraintDefinition, ConstraintGoal};
use sinew::humanoid::Animator;
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

/// The animator's whole solve with one chain, from rest each time, reached to rounding.
fn chain_row(bones: usize) -> Row {
    let work = move || {
        let skeleton = skeleton(bones);
        let mut animator = Animator::new(skeleton.clone(), None).expect("no avatar");
        let definition = ChainDefinition::to_root(bones);
        let chain = animator.add_constraint(&ConstraintDefinition::Chain(definition)).expect("a sound chain");
        // The first one warms up.
        for (i, target) in Reach::new(1).targets.into_iter().cycle().take(1 + TARGETS).enumerate() {
            animator.pose_mut().local_mut().copy_from_slice(skeleton.rest_local());
            let input = animator.constraint_mut(chain).expect("just added");
            (input.weight, input.goals[0]) = (1.0, ConstraintGoal::at(target));
            let mut solve = || animator.solve().expect("a sound pose");
            if i == 0 { solve() } else { counted(&mut solve) }
        }
        TARGETS as u64
    };
    Row { name: format!("constraint_chain/{bones}"), work: Box::new(work) }
}

pub fn rows() -> Vec<Row> {
    [2, 10, 100].into_iter().map(chain_row).collect()
}
