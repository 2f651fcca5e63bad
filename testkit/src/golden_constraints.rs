//! The golden scene of constraints: each kind by itself on chains under every parent, for random
//! poses, goals and weights.

use crate::chains::{ParentKind, random_chain};
use crate::characters;
use crate::matchers::{HASH_START, hash_transforms};
use crate::random::Random;
use sinew::chains::Pole;
use sinew::constraints::{
    AimDefinition, ChainDefinition, ConstraintDefinition, ConstraintGoal, CopyRotationDefinition, DistanceGoal,
    DistanceMode, SplineDefinition, TwoBoneDefinition,
};
use sinew::math::{Transform, Vec3};

/// Joints of a chain.
const JOINTS: usize = 8;
/// Poses that each constraint is solved on.
const POSES: usize = 6;

/// Plays the scene.
///
/// # Panics
/// When the core refuses what is written here.
pub fn play() -> u64 {
    let mut random = Random::new(31);
    let mut hash = HASH_START;
    for parent in ParentKind::ALL {
        let rig = random_chain(&mut random, JOINTS, 0.4, parent);
        for definition in definitions(&rig.joints) {
            for (_, root) in characters::roots() {
                let mut animator = characters::on_rig(&rig, root);
                let id = animator.add_constraint(&definition).expect("a sound definition");
                for _ in 0..POSES {
                    let pose = random.pose_near_rest(&rig.skeleton, 0.6);
                    characters::set_pose(&mut animator, &pose);
                    let around = characters::world(&animator)[rig.joints[0]].point([0.0; 3]).map(|x| x as f32);
                    let mut near = || Vec3::from_array(around) + random.in_ball(1.2);
                    let pole = Pole::point(near());
                    let goals: Vec<Vec3> = (0..4).map(|_| near()).collect();
                    let turned = random.rotation();
                    let weights: [f32; 4] = core::array::from_fn(|_| random.unit01());
                    let kind = random.below(3);
                    let input = animator.constraint_mut(id).expect("just added");
                    input.weight = if kind == 0 { 1.0 } else { weights[0] };
                    input.pole_ws = (kind == 1).then_some(Pole { weight: weights[1], ..pole });
                    for (goal, place) in input.goals.iter_mut().zip(goals) {
                        *goal = if kind == 2 { ConstraintGoal::pose(place, turned) } else { ConstraintGoal::at(place) };
                        (goal.position_weight, goal.rotation_weight) = (weights[2], weights[3]);
                    }
                    if kind == 0 {
                        input.goals[0].position_weight = 1.0;
                        input.goals[0].distance = (weights[3] < 0.3)
                            .then_some(DistanceGoal { mode: DistanceMode::Outside, radius_m: weights[2] });
                    }
                    animator.solve().expect("a sound pose");
                    hash = hash_transforms(animator.pose().local(), hash);
                    let left = animator.constraint_outcome(id).expect("just solved");
                    hash = hash_transforms(&[Transform::at(Vec3::new(left.residual_m, left.residual_rad, 0.0))], hash);
                }
            }
        }
    }
    hash
}

fn definitions(joints: &[usize]) -> Vec<ConstraintDefinition> {
    let end = joints[joints.len() - 1];
    let aim = AimDefinition { offset_js: Vec3::new(0.02, 0.0, 0.01), ..AimDefinition::of(end) };
    let aims = AimDefinition {
        weights: vec![0.2, 0.0, 0.5, 0.4],
        axis_js: Vec3::new(0.3, -0.2, 1.0),
        clamp_rad: 1.2,
        ..AimDefinition::ending_at(end, 4)
    };
    let limb = TwoBoneDefinition { softness: 0.2, stretch: 0.1, ..TwoBoneDefinition::ending_at(end) };
    let mut tip = ChainDefinition::ending_at(end, 5);
    tip.ends[0].tip_js = Vec3::new(0.0, 0.1, 0.05);
    let copy = CopyRotationDefinition {
        source: Some(joints[1]),
        swing: 0.6,
        twist: 0.8,
        ..CopyRotationDefinition::of(joints[joints.len() - 2])
    };
    let spline = SplineDefinition { stretch: 0.5, roll_end_rad: 0.7, ..SplineDefinition::ending_at(end, 6, 4) };
    vec![
        ConstraintDefinition::Aim(aim),
        ConstraintDefinition::Aim(aims),
        ConstraintDefinition::TwoBone(limb),
        ConstraintDefinition::Chain(ChainDefinition::ending_at(end, 3)),
        ConstraintDefinition::Chain(tip),
        ConstraintDefinition::Chain(ChainDefinition {
            plane_axis_ms: Some(Vec3::new(0.2, 1.0, -0.1)),
            ..ChainDefinition::ending_at(end, 4)
        }),
        ConstraintDefinition::CopyRotation(copy),
        ConstraintDefinition::Spline(spline),
    ]
}
