//! Fixed work for counting instructions and taking times: `cargo xtask bench` runs each row under
//! callgrind, which counts what happens inside `counted` and nothing else, and once more by the
//! clock.
//!
//! A row has the name of the criterion benchmark that times the same work, where there is one. New
//! rows go into `rows`, and with `cargo xtask bench --instructions --save` into
//! benches/instructions.json.
//!
//! Without arguments: the names of the rows. With a name: does that work and prints `units N`, by
//! which the count is divided. With `--times` and part of a name: times those rows, and the scenes,
//! which are too long to be counted; a line is name, nanoseconds per unit, rounds.

#[path = "counted/bodies.rs"]
mod bodies;
#[path = "counted/c_abi.rs"]
mod c_abi;
#[path = "counted/constraints.rs"]
mod constraints;
#[path = "counted/grounding.rs"]
mod grounding;
#[path = "counted/kernels.rs"]
mod kernels;
#[path = "counted/humanoid.rs"]
mod humanoid;
#[path = "counted/recorded.rs"]
mod recorded;
#[path = "counted/scenes.rs"]
mod scenes;
#[path = "counted/time.rs"]
mod time;
#[path = "counted/trackers.rs"]
mod trackers;
#[path = "counted/trees.rs"]
mod trees;
#[path = "counted/worlds.rs"]
mod worlds;

use sinew::chains::{ChainSettings, ChainSolver};
use testkit::golden;
use testkit::reach::{Reach, TARGETS};

/// One line of the table.
struct Row {
    name: String,
    /// Does the work and returns how many units it was; what counts goes through [`counted`].
    work: Box<dyn Fn() -> u64>,
}

/// What counts: watched by callgrind, and by the clock.
fn counted(work: &mut dyn FnMut()) {
    time::add(time::timed(|| watched(work)));
}

/// What callgrind watches. Not inlined, so that it has a name.
#[inline(never)]
fn watched(work: &mut dyn FnMut()) {
    work();
}

/// Solves from rest for all targets. A unit is a solve.
fn solves(solver: ChainSolver, bones: usize, settings: &ChainSettings, targets: usize) -> (u64, u64) {
    let mut reach = Reach::new(bones);
    let mut iterations = 0;
    // The first one warms up.
    reach.solve(solver, settings, 0);
    for i in 0..targets {
        let goal = reach.start(i);
        counted(&mut || iterations += u64::from(reach.run(solver, settings, &goal).iterations));
    }
    (targets as u64, iterations)
}

/// Whole solves from rest to 1e-3 of the length.
fn solve_row(solver: ChainSolver, name: &str, bones: usize) -> Row {
    let settings = ChainSettings { tolerance: 1e-3, ..ChainSettings::default() };
    Row { name: format!("chains_{name}/{bones}"), work: Box::new(move || solves(solver, bones, &settings, TARGETS).0) }
}

/// Iterations of a method on its own, tolerance 0: a unit is one bone and iteration, what is done
/// once per solve spread over them.
fn iteration_row(solver: ChainSolver, name: &str, bones: usize, iterations: u32) -> Row {
    let settings = ChainSettings {
        tolerance: 0.0,
        finish: false,
        max_attempts: 0,
        max_iterations: iterations,
        ..ChainSettings::default()
    };
    Row {
        name: format!("chains_{name}_bone_iteration/{bones}"),
        work: Box::new(move || solves(solver, bones, &settings, 4).1 * bones as u64),
    }
}

fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for bones in [2, 3, 10, 20, 30, 100, 300, 1000, 4000] {
        rows.push(solve_row(ChainSolver::Default, "default", bones));
    }
    for bones in [100, 1000] {
        rows.push(iteration_row(ChainSolver::Fabrik, "fabrik", bones, 100));
        rows.push(iteration_row(ChainSolver::Ccd, "ccd", bones, 100));
        rows.push(iteration_row(ChainSolver::DampedLeastSquares, "damped", bones, 20));
        rows.push(iteration_row(ChainSolver::Transpose, "transpose", bones, 20));
        rows.push(iteration_row(ChainSolver::PseudoInverse, "pseudo_inverse", bones, 20));
        rows.push(iteration_row(ChainSolver::SelectivelyDamped, "selective", bones, 20));
    }
    rows.extend(trees::rows());
    rows.extend(constraints::rows());
    rows.extend(kernels::rows());
    rows.extend(humanoid::rows());
    rows.extend(worlds::rows());
    rows.extend(c_abi::rows());
    rows.extend(recorded::rows());
    rows.extend(trackers::rows());
    rows.extend(bodies::rows());
    rows.extend(grounding::rows());
    rows
}

fn main() {
    let wanted = std::env::args().nth(1);
    if wanted.as_deref() == Some("--goldens") {
        // As examples/golden.rs does: one optimised build less for `cargo xtask test`.
        golden::print();
        return;
    }
    if wanted.as_deref() == Some("--times") {
        let part = std::env::args().nth(2).unwrap_or_default();
        let line = |name: &str, (ns, rounds): (f64, u32)| println!("{name} {ns:.2} {rounds}");
        rows().iter().filter(|row| row.name.contains(&part)).for_each(|row| line(&row.name, time::row(&row.work)));
        let scenes = scenes::scenes();
        scenes.iter().filter(|scene| scene.name.contains(&part)).for_each(|scene| line(&scene.name, scene.time()));
        return;
    }
    for row in rows() {
        match &wanted {
            None => println!("{}", row.name),
            Some(name) if *name == row.name => println!("units {}", (row.work)()),
            Some(_) => {}
        }
    }
}
