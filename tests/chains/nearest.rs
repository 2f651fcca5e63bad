//! Lines of hinges whose limits keep goals away: the answer is about as near as any that other
//! start poses lead to.

use crate::cases::Case;
use sinew::chains::{Chain, ChainGoal, ChainJoint, ChainPose, ChainSettings, ChainSolver, Effector};
use sinew::limits::{Freedom, HingeAxis, JointModel, Range};
use sinew::math::{Quat, Vec3};
use testkit::{Random, branched};

/// A straight line of hinges about X and Z in turn.
fn line(joints: usize, range: Range) -> Chain {
    let joint = |number: usize| ChainJoint {
        parent: number.checked_sub(1),
        offset: if number == 0 { Vec3::ZERO } else { Vec3::Y },
        rest: Quat::IDENTITY,
        model: JointModel::limited(Freedom::Hinge { axis: [HingeAxis::X, HingeAxis::Z][number % 2], range }),
    };
    let effector = Effector { joint: joints - 1, offset: Vec3::Y };
    Chain::new((0..joints).map(joint).collect(), vec![effector]).expect("a sound chain")
}

#[test]
fn limited_hinges_come_as_near_as_from_other_start_poses() {
    let kinds = [
        ("4 hinges", 4, Range::new(-1.05, 1.05)),
        ("7 hinges", 7, Range::new(-0.7, 0.7)),
        ("7 hinges, wide", 7, Range::new(-1.05, 1.05)),
        ("a finger of 7", 7, Range::new(-0.1, 1.2)),
    ];
    for (name, joints, range) in kinds {
        let chain = line(joints, range);
        let mut random = Random::new(7);
        let (mut missed, mut far, mut worst) = (0, 0, 0.0_f64);
        for seed in 0..150 {
            let rest = ChainPose::rest(&chain);
            let mut case = Case::of(seed, chain.clone(), rest.clone());
            case.goals[0] = ChainGoal::at(random.unit_vector() * (random.between(0.25, 1.0) * chain.length()));
            let mut solve_from = |start: &ChainPose| {
                case.start.clone_from(start);
                case.solve(ChainSolver::Default, &ChainSettings::default());
                case.miss().0
            };
            let own = solve_from(&rest);
            if own < 1e-4 {
                continue;
            }
            missed += 1;
            let others = (0..12).map(|_| solve_from(&branched::posed(&chain, 2.0, &mut random)));
            let best = others.fold(own, f64::min);
            if best < 0.98 * own - 1e-4 {
                (far, worst) = (far + 1, worst.max(own - best));
            }
        }
        println!("{name}: {far} of {missed} goals out of reach end farther than another start leads to, by {worst}");
        assert!(
            missed > 20 && 20 * far <= missed && worst < 0.12,
            "{name}: {far} of {missed}, by {worst} of the length"
        );
    }
}
