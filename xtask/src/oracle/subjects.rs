//! The library's solvers behind one trait: set up a case once, then solve its frames.

use super::format::Case;
use super::kinematics::BonePose;
use super::{body_subject, chain_subject, limb_subject};
use anyhow::Result;
use sinew::ffi::SinewChainSolver;

/// Why a solver does not support a case.
pub type NotApplicable = String;

/// A solver set up for a case.
pub trait FrameSolver {
    /// Sets the goals of a frame.
    fn load(&mut self, frame: usize) -> Result<()>;
    /// Solves from the pose before IK: what is timed.
    fn solve(&mut self) -> Result<()>;
    /// The resulting pose.
    fn read(&self) -> Result<BonePose>;
}

/// A solver of the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subject {
    /// Name in tables and files; the default solver is `default`.
    pub name: &'static str,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Chain(SinewChainSolver),
    TwoBone,
    Body,
    /// A body in track mode with the solver and the damping that the case names.
    NamedBody,
}

/// All solvers, the default first.
pub fn all() -> Vec<Subject> {
    let chain = |name, solver| Subject { name, kind: Kind::Chain(solver) };
    vec![
        chain("default", SinewChainSolver::Default),
        chain("dls", SinewChainSolver::DampedLeastSquares),
        chain("sdls", SinewChainSolver::SelectivelyDamped),
        chain("pseudo_inv", SinewChainSolver::PseudoInverse),
        chain("transpose", SinewChainSolver::Transpose),
        chain("fabrik", SinewChainSolver::Fabrik),
        chain("ccd", SinewChainSolver::Ccd),
        chain("spring", SinewChainSolver::Spring),
        Subject { name: "two_bone", kind: Kind::TwoBone },
        Subject { name: "body", kind: Kind::Body },
        Subject { name: "body_named", kind: Kind::NamedBody },
    ]
}

impl Subject {
    /// Whether it runs only where the arguments name it: its poses are late in another way, and are
    /// not what others are measured by.
    pub fn is_only_by_name(&self) -> bool {
        self.kind == Kind::NamedBody
    }
    /// Does the work that is needed once per rig.
    pub fn prepare<'a>(&self, case: &'a Case) -> Result<Box<dyn FrameSolver + 'a>, NotApplicable> {
        let is_partial = case.constraints.iter().any(|constraint| constraint.is_partial());
        let needs_body = is_partial || case.simulation().is_some();
        Ok(match self.kind {
            Kind::NamedBody if case.simulation().is_none() => {
                return Err("a body's other solvers go on from the frame before".into());
            }
            Kind::NamedBody => Box::new(body_subject::Bodies::new(case, true)?),
            Kind::Body => Box::new(body_subject::Bodies::new(case, false)?),
            // What chains do not have is documented to be solved with a body.
            Kind::Chain(SinewChainSolver::Default) if needs_body => Box::new(body_subject::Bodies::new(case, false)?),
            _ if is_partial => return Err("some axes only, or a distance".into()),
            _ if needs_body => return Err("a solve that goes on from the frame before".into()),
            Kind::Chain(solver) => Box::new(chain_subject::Trees::new(case, solver)?),
            Kind::TwoBone => Box::new(limb_subject::Limbs::new(case)?),
        })
    }
}
