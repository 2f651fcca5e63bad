//! Runs the solvers over a group and keeps what they made of every frame.

use super::format::{Case, Group};
use super::geometry::Rotation;
use super::goals::{Goal, Reach, goals, reach};
use super::joints::SwingMeasure;
use super::kinematics::BonePose;
use super::measure::{Measure, measure};
use super::subjects::{FrameSolver, Subject};
use anyhow::{anyhow, ensure};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

/// Name of the reference's own results.
pub const REFERENCE: &str = "blender";

/// What one solver made of one case.
pub struct CaseRun {
    pub solver: String,
    /// One per frame.
    pub poses: Vec<BonePose>,
    pub measures: Vec<Measure>,
    /// Microseconds of one solve, per frame.
    pub times_us: Vec<f64>,
}

/// One case with what is known about it, and all runs.
pub struct CaseResult<'a> {
    pub case: &'a Case,
    pub goals: Vec<Option<Vec<Goal>>>,
    /// `None` where the goals have no closed form.
    pub reach: Vec<Option<Reach>>,
    /// The reference first.
    pub runs: Vec<CaseRun>,
}

/// A group's results, and what went otherwise than it should.
pub struct GroupResult<'a> {
    pub name: String,
    pub cases: Vec<CaseResult<'a>>,
    /// Solver → (reason → number of cases).
    pub not_applicable: BTreeMap<String, BTreeMap<String, usize>>,
    /// Panics, unrepeatable results, refusals: one line each.
    pub complaints: Vec<String>,
}

/// Solves all cases of a group with all subjects.
pub fn run_group<'a>(group: &'a Group, subjects: &[Subject]) -> GroupResult<'a> {
    let mut result = GroupResult {
        name: group.group.clone(),
        cases: Vec::new(),
        not_applicable: BTreeMap::new(),
        complaints: Vec::new(),
    };
    for case in &group.cases {
        let goals: Vec<_> = case.frames.iter().map(|frame| goals(case, frame)).collect();
        let reach = case.frames.iter().zip(&goals).map(|(f, g)| g.as_ref().map(|g| reach(case, f, g))).collect();
        let mut runs = vec![reference(case, &goals)];
        runs.extend(witness(case, &goals));
        for subject in subjects {
            match run_case(case, &goals, subject) {
                Ok((run, complaint)) => {
                    runs.push(run);
                    let told = complaint.map(|text| format!("{} {}: {text}", case.id, subject.name));
                    result.complaints.extend(told);
                }
                Err(reason) => {
                    let reasons = result.not_applicable.entry(subject.name.to_owned()).or_default();
                    *reasons.entry(reason).or_default() += 1;
                }
            }
        }
        result.cases.push(CaseResult { case, goals, reach, runs });
    }
    result
}

/// The poses in the file.
fn reference(case: &Case, goals: &[Option<Vec<Goal>>]) -> CaseRun {
    let poses: Vec<BonePose> = case.frames.iter().map(|frame| frame.pose()).collect();
    let time = case.time_us.as_ref().map_or(f64::NAN, |t| (t.with_ik - t.without_ik).max(0.0));
    CaseRun {
        solver: REFERENCE.to_owned(),
        measures: measure_all(case, goals, &poses),
        times_us: vec![time; poses.len()],
        poses,
    }
}

/// The witness poses of all frames, as if a solver had found them: proof of what can be had, and of
/// continuity.
fn witness(case: &Case, goals: &[Option<Vec<Goal>>]) -> Option<CaseRun> {
    let rigid = |pose: &Vec<[f64; 4]>| BonePose::rigid(pose.iter().map(|q| Rotation::new(*q)).collect());
    let poses: Vec<BonePose> =
        case.frames.iter().map(|f| f.witness_local.as_ref().map(rigid)).collect::<Option<_>>()?;
    let measures = measure_all(case, goals, &poses);
    Some(CaseRun { solver: "witness".to_owned(), measures, times_us: vec![f64::NAN; poses.len()], poses })
}

fn measure_all(case: &Case, goals: &[Option<Vec<Goal>>], poses: &[BonePose]) -> Vec<Measure> {
    let swing = SwingMeasure::of(&case.solver);
    let frames = case.frames.iter().zip(goals).zip(poses);
    frames.map(|((frame, goals), pose)| measure(case, frame, goals.as_deref(), pose, swing)).collect()
}

/// Solves every frame from the pose before IK. A panic, or a pose that cannot be read, counts as a
/// broken pose.
fn run_case(case: &Case, goals: &[Option<Vec<Goal>>], subject: &Subject) -> Result<(CaseRun, Option<String>), String> {
    let mut solver = subject.prepare(case)?;
    let mut complaint = None;
    let (mut poses, mut times_us) = (Vec::new(), Vec::new());
    for (index, frame) in case.frames.iter().enumerate() {
        let (pose, time) = catch_unwind(AssertUnwindSafe(|| solve_frame(solver.as_mut(), index)))
            .unwrap_or_else(|_| Err(anyhow!("panicked")))
            .unwrap_or_else(|error| {
                complaint = Some(format!("frame {}: {error:#}", frame.frame));
                let mut broken = BonePose::rigid(case.fk_rotations());
                broken.scale[0] = f64::NAN;
                (broken, f64::NAN)
            });
        poses.push(pose);
        times_us.push(time);
    }
    let measures = measure_all(case, goals, &poses);
    Ok((CaseRun { solver: subject.name.to_owned(), poses, measures, times_us }, complaint))
}

/// Pose, and microseconds: one solve to warm up, then the median of a few. Every solve must give
/// the same pose.
fn solve_frame(solver: &mut dyn FrameSolver, frame: usize) -> anyhow::Result<(BonePose, f64)> {
    solver.load(frame)?;
    solver.solve()?;
    let pose = solver.read()?;
    let mut samples = Vec::new();
    let started = Instant::now();
    // Three at least, unless they take very long: a single one may have been interrupted.
    while samples.len() < 5
        && (samples.len() < 3 || started.elapsed().as_millis() < 3)
        && (samples.is_empty() || started.elapsed().as_millis() < 60)
    {
        let before = Instant::now();
        solver.solve()?;
        samples.push(before.elapsed().as_secs_f64() * 1e6);
    }
    ensure!(solver.read()? == pose || !pose.is_finite(), "another pose the second time");
    Ok((pose, median(&mut samples)))
}

/// Median; NaN of nothing.
pub fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    if values.is_empty() { f64::NAN } else { values[values.len() / 2] }
}
