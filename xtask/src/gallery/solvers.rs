//! The chain solvers side by side: following a target, finding it from rest, and giving up
//! gracefully.

use super::exhibit::{Exhibit, FRAMES, Player, bent_chain, eight, share};
use sinew::chains::{ChainSettings, ChainSolver};
use sinew::constraints::ConstraintGoal;
use sinew::math::Vec3;

const BONES: usize = 10;
/// Frames for which an iteration is held.
const HELD: usize = 8;

/// Every solver with its name and what to look for.
pub const SOLVERS: [(ChainSolver, &str, &str); 8] = [
    (
        ChainSolver::Default,
        "default",
        "aims first, then bends all joints alike; the answer depends on target and start alone",
    ),
    (
        ChainSolver::DampedLeastSquares,
        "damped least squares",
        "bends all joints at once, those far from the target most; slow where the chain is straight",
    ),
    (
        ChainSolver::PseudoInverse,
        "pseudo-inverse",
        "the same with hardly any damping: quick, and wild near straight poses",
    ),
    (
        ChainSolver::SelectivelyDamped,
        "selectively damped",
        "damps only the directions that would swing the joints too far",
    ),
    (ChainSolver::Transpose, "Jacobian transpose", "follows the pull of the target: smooth, small steps, many of them"),
    (ChainSolver::Fabrik, "FABRIK", "pulls the bones along like a string of beads; keeps the look of the pose"),
    (ChainSolver::Ccd, "CCD", "turns joint after joint from the tip: the tip curls, the root stays calm"),
    (ChainSolver::Spring, "spring", "all bends open and close in the proportions of the rest pose, like a spring"),
];

/// The gallery's first part.
pub fn exhibits() -> Vec<Exhibit> {
    let mut out = Vec::new();
    for (solver, name, note) in SOLVERS {
        out.push(follows(solver, name, note));
    }
    // The default and the spring have no iterations worth watching.
    for (solver, name, _) in SOLVERS.into_iter().skip(1).filter(|s| s.0 != ChainSolver::Spring) {
        out.push(finds(solver, name));
    }
    out
}

/// Each frame starts from rest, so that the method's own way of bending shows.
fn follows(solver: ChainSolver, name: &str, note: &str) -> Exhibit {
    let mut player = Player::chain(bent_chain(BONES, 0.9), |d| d.solver = solver);
    for frame in 0..FRAMES {
        player.rest();
        let target = eight(share(frame), Vec3::new(0.0, 0.45, 0.35), 0.4);
        player.animator.constraint_mut(player.constraint).expect("there").goals[0] = ConstraintGoal::at(target);
        player.shoot(Vec::new());
    }
    player.exhibit("Solvers: a target on a figure of eight, each frame from rest", name, note)
}

/// The pose after 0, 1, 2 … iterations of the bare method.
fn finds(solver: ChainSolver, name: &str) -> Exhibit {
    let target = Vec3::new(0.35, 0.15, 0.45);
    let mut whole = None;
    for iterations in 0..FRAMES / HELD {
        let mut player = Player::chain(bent_chain(BONES, 0.9), |d| {
            d.solver = solver;
            d.settings = ChainSettings {
                max_iterations: iterations as u32,
                max_step_rad: 0.2,
                finish: false,
                ..ChainSettings::default()
            };
        });
        let input = player.animator.constraint_mut(player.constraint).expect("there");
        input.goals[0] = ConstraintGoal::at(target);
        if iterations == 0 {
            input.weight = 0.0;
        }
        player.shoot(Vec::new());
        let mut shot = player.exhibit(
            "Solvers: one iteration after the other, from rest",
            name,
            "the bare method with small steps, a quarter of a second for each iteration",
        );
        shot.live["script"][0]["iterations"] = iterations.into();
        match &mut whole {
            None => whole = Some(shot),
            Some(whole) => {
                whole.frames.extend(shot.frames);
                let script = whole.live["script"].as_array_mut().expect("a list");
                script.push(shot.live["script"][0].take());
            }
        }
    }
    let mut whole = whole.expect("frames");
    whole.frames = whole.frames.into_iter().flat_map(|frame| std::iter::repeat_n(frame, HELD)).collect();
    let script = whole.live["script"].as_array_mut().expect("a list");
    *script = script.iter().flat_map(|frame| std::iter::repeat_n(frame.clone(), HELD)).collect();
    whole
}
