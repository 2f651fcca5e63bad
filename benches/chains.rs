//! Chain solvers from rest to 1e-3 of the length, for 3 to 4000 bones, and a textbook FABRIK to
//! compare with.
//!
//! Criterion's groups come first (`chains_METHOD/BONES`: one solve, all targets in turn); then,
//! unless a filter leaves them out, a table: time per solve, iterations, solves that ended within
//! the tolerance, the ratio to the textbook in the same run, and how time grows with the number of
//! bones. Baseline: `chains_textbook`, written below from the paper, positions only.

use criterion::{BenchmarkId, Criterion};
use sinew::chains::{ChainSettings, ChainSolver};
use sinew::math::Vec3;
use sinew::outcome::Status;
use std::hint::black_box;
use std::time::{Duration, Instant};
use testkit::reach::{Reach, TARGETS};

const SIZES: [usize; 8] = [3, 10, 20, 30, 100, 300, 1000, 4000];

const SOLVERS: [(&str, ChainSolver); 7] = [
    ("default", ChainSolver::Default),
    ("fabrik", ChainSolver::Fabrik),
    ("ccd", ChainSolver::Ccd),
    ("damped", ChainSolver::DampedLeastSquares),
    ("pseudo_inverse", ChainSolver::PseudoInverse),
    ("transpose", ChainSolver::Transpose),
    ("selective", ChainSolver::SelectivelyDamped),
];

/// The named methods on their own, so that what is measured is them.
fn settings() -> ChainSettings {
    ChainSettings { tolerance: 1e-3, finish: false, ..ChainSettings::default() }
}

/// FABRIK as in Aristidou and Lasenby 2011, algorithm 1: points and lengths, nothing else. Returns
/// the iterations.
fn textbook(points: &mut [Vec3], lengths: &[f32], target: Vec3, tolerance: f32) -> u32 {
    let (root, last) = (points[0], points.len() - 1);
    for iteration in 0..200 {
        if (points[last] - target).length() <= tolerance {
            return iteration;
        }
        points[last] = target;
        for i in (0..last).rev() {
            let share = lengths[i] / (points[i + 1] - points[i]).length();
            points[i] = points[i + 1] * (1.0 - share) + points[i] * share;
        }
        points[0] = root;
        for i in 0..last {
            let share = lengths[i] / (points[i + 1] - points[i]).length();
            points[i + 1] = points[i] * (1.0 - share) + points[i + 1] * share;
        }
    }
    200
}

/// What the textbook works on.
struct Textbook {
    rest: Vec<Vec3>,
    points: Vec<Vec3>,
    lengths: Vec<f32>,
    targets: Vec<Vec3>,
}

impl Textbook {
    fn new(bones: usize) -> Self {
        let reach = Reach::new(bones);
        let rest = reach.points();
        let lengths = rest.windows(2).map(|p| (p[1] - p[0]).length()).collect();
        Self { points: rest.clone(), rest, lengths, targets: reach.targets }
    }
    fn solve(&mut self, number: usize) -> u32 {
        self.points.copy_from_slice(&self.rest);
        textbook(&mut self.points, &self.lengths, self.targets[number % TARGETS], 1e-3)
    }
}

fn groups(criterion: &mut Criterion) {
    for (name, solver) in SOLVERS {
        let mut group = criterion.benchmark_group(format!("chains_{name}"));
        group.sample_size(10).warm_up_time(Duration::from_millis(100)).measurement_time(Duration::from_millis(400));
        for bones in SIZES {
            let (mut reach, mut number) = (Reach::new(bones), 0);
            group.bench_function(BenchmarkId::from_parameter(bones), |bencher| {
                bencher.iter(|| {
                    number += 1;
                    black_box(reach.solve(solver, &settings(), number))
                })
            });
        }
        group.finish();
    }
    let mut group = criterion.benchmark_group("chains_textbook");
    group.sample_size(10).warm_up_time(Duration::from_millis(100)).measurement_time(Duration::from_millis(400));
    for bones in SIZES {
        let (mut textbook, mut number) = (Textbook::new(bones), 0);
        group.bench_function(BenchmarkId::from_parameter(bones), |bencher| {
            bencher.iter(|| {
                number += 1;
                black_box(textbook.solve(number))
            })
        });
    }
    group.finish();
}

/// One cell of the table.
#[derive(Clone, Copy, Default)]
struct Cell {
    micros: f64,
    iterations: f64,
    reached: usize,
}

/// Mean over the targets of the least time among several rounds: a solve is short enough to be left
/// alone now and then on a busy machine.
fn fastest(rounds: usize, targets: usize, mut solve: impl FnMut(usize) -> (u32, bool)) -> Cell {
    let mut least = vec![f64::INFINITY; targets];
    let (mut iterations, mut reached) = (0, 0);
    for round in 0..rounds {
        for (number, least) in least.iter_mut().enumerate() {
            let started = Instant::now();
            let (used, met) = black_box(solve(number));
            *least = least.min(started.elapsed().as_secs_f64() * 1e6);
            if round == 0 {
                iterations += u64::from(used);
                reached += usize::from(met);
            }
        }
    }
    Cell {
        micros: least.iter().sum::<f64>() / targets as f64,
        iterations: iterations as f64 / targets as f64,
        reached: reached * 100 / targets,
    }
}

/// Slope of a straight line through the logarithms.
fn exponent(points: impl Iterator<Item = (usize, f64)>) -> f64 {
    let logs: Vec<(f64, f64)> = points.map(|(n, y)| ((n as f64).log2(), y.max(1e-12).log2())).collect();
    let count = logs.len() as f64;
    let (mx, my) = (logs.iter().map(|l| l.0).sum::<f64>() / count, logs.iter().map(|l| l.1).sum::<f64>() / count);
    let cross: f64 = logs.iter().map(|l| (l.0 - mx) * (l.1 - my)).sum();
    cross / logs.iter().map(|l| (l.0 - mx) * (l.0 - mx)).sum::<f64>()
}

fn table() {
    // Rows: the methods, then the textbook; interleaved by size, so that a busy moment meets all of
    // them.
    let mut cells = vec![[Cell::default(); SIZES.len()]; SOLVERS.len() + 1];
    for (column, &bones) in SIZES.iter().enumerate() {
        // Slow methods on long chains get fewer targets.
        let (rounds, targets) = if bones <= 100 { (15, TARGETS) } else { (15, TARGETS / 5) };
        let mut book = Textbook::new(bones);
        cells[SOLVERS.len()][column] = fastest(rounds, targets, |i| {
            let used = book.solve(i);
            (used, used < 200)
        });
        let mut reach = Reach::new(bones);
        for (row, (_, solver)) in SOLVERS.iter().enumerate() {
            cells[row][column] = fastest(rounds, targets, |i| {
                let outcome = reach.solve(*solver, &settings(), i);
                (outcome.iterations, outcome.status == Status::Reached)
            });
        }
    }
    let names = || SOLVERS.iter().map(|s| s.0).chain(["textbook"]);
    let header = SIZES.iter().map(|n| format!("{n:>10}")).collect::<String>();
    println!("\nfrom rest to 1e-3 of the length\n{:<16}{header}   exponent", "us per solve");
    for (row, name) in names().enumerate() {
        let list: String = cells[row].iter().map(|c| format!("{:>10.2}", c.micros)).collect();
        println!("{name:<16}{list}{:>11.2}", exponent(SIZES.iter().copied().zip(cells[row].iter().map(|c| c.micros))));
    }
    println!("{:<16}{header}   exponent", "us per iteration");
    for (row, name) in names().enumerate() {
        let each = cells[row].map(|c| c.micros / c.iterations.max(1.0));
        let list: String = each.iter().map(|us| format!("{us:>10.3}")).collect();
        let long = SIZES.iter().copied().zip(each).filter(|(n, _)| (20..=1000).contains(n));
        println!("{name:<16}{list}{:>11.2} (20 to 1000)", exponent(long));
    }
    println!("{:<16}{header}", "iterations");
    for (row, name) in names().enumerate() {
        println!("{name:<16}{}", cells[row].iter().map(|c| format!("{:>10.1}", c.iterations)).collect::<String>());
    }
    println!("{:<16}{header}", "reached, %");
    for (row, name) in names().enumerate() {
        println!("{name:<16}{}", cells[row].iter().map(|c| format!("{:>10}", c.reached)).collect::<String>());
    }
    println!("{:<16}{header}", "textbook / it");
    for (row, (name, _)) in SOLVERS.iter().enumerate() {
        let ratio = |column: usize| cells[SOLVERS.len()][column].micros / cells[row][column].micros;
        println!("{name:<16}{}", (0..SIZES.len()).map(|c| format!("{:>10.2}", ratio(c))).collect::<String>());
    }
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    groups(&mut criterion);
    criterion.final_summary();
    // What is not an option is a filter; `--test` and `--list` need no measurement.
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let quiet = arguments.iter().any(|a| a == "--test" || a == "--list");
    let wanted = arguments.iter().filter(|a| !a.starts_with("--")).all(|a| "chains_growth".contains(a.as_str()));
    if !quiet && wanted {
        table();
    }
}
