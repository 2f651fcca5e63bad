//! Settings of a solve, and the methods.

use crate::math::float;

/// Settings of a solve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChainSettings {
    /// Distance at which a position is reached, as a share of the chain's length; default 1e-6.
    /// Below 3e-7 rounding decides. Rounding grows with the number of joints: more than 0 counts
    /// as 1e-7 times the root of that number, at least.
    pub tolerance: f32,
    /// Angle at which a rotation is reached, radians; default 1e-5.
    pub tolerance_rad: f32,
    /// Most iterations (or sweeps) of one attempt; default 200. The default solver may make several
    /// attempts.
    pub max_iterations: u32,
    /// Most attempts of the default solver from other poses when limits or folds stop it short of a
    /// target; default 40, 0: only the given pose. Fewer where several in a row gain nothing.
    pub max_attempts: u32,
    /// Damping of the least-squares methods as a share of the mean eigenvalue, default 1e-3. Small
    /// values are quick and jumpy near singular poses, large ones slow and smooth. The default
    /// solver adapts it.
    pub damping: f32,
    /// Largest turn of a joint in one iteration of the Jacobian methods, radians; default 0.6.
    pub max_step_rad: f32,
    /// Largest turn of a joint in one sweep of FABRIK or CCD, radians; default π: no cap. Smaller
    /// ones spread a motion over more joints, and take more sweeps. The turn of the first joint
    /// that aims a chain before the sweeps is not capped.
    pub sweep_step_rad: f32,
    /// Whether a named method that stops short of its goals hands over to the default one; default
    /// true. With false the method is on its own.
    pub finish: bool,
    /// Whether bones may change length within their [`crate::limits::Stretch`]; default true.
    pub use_stretch: bool,
}

impl Default for ChainSettings {
    fn default() -> Self {
        Self {
            tolerance: 1e-6,
            tolerance_rad: 1e-5,
            max_iterations: 200,
            max_attempts: 40,
            damping: 1e-3,
            max_step_rad: 0.6,
            sweep_step_rad: core::f32::consts::PI,
            finish: true,
            use_stretch: true,
        }
    }
}

impl ChainSettings {
    /// The tolerance of a chain with this many joints.
    pub(in crate::chains) fn tolerance_of(&self, joints: usize) -> f32 {
        if self.tolerance > 0.0 { self.tolerance.max(1e-7 * float::sqrt(joints as f32)) } else { self.tolerance }
    }
    /// With this share, 0 … 1, of the iterations and attempts; one iteration at least.
    pub fn with_iteration_scale(&self, share: f32) -> Self {
        if share >= 1.0 {
            return *self;
        }
        let part = |most: u32| (most as f32 * share) as u32;
        Self { max_iterations: part(self.max_iterations).max(1), max_attempts: part(self.max_attempts), ..*self }
    }
}

/// The methods.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum ChainSolver {
    /// The one to use: aims, then damped least squares with adapted damping, other attempts when
    /// stopped short.
    #[default]
    Default,
    /// Damped least squares with fixed damping.
    DampedLeastSquares,
    /// Jacobian transpose with the optimal step.
    Transpose,
    /// Pseudo-inverse: least squares with hardly any damping.
    PseudoInverse,
    /// Selectively damped least squares.
    SelectivelyDamped,
    /// Forward and backward reaching, rotation goals by the effectors' own joints; trees meet in
    /// the middle of what their branches need. Unbranched chains are aimed first, as by the
    /// default solver, so that a target that moves on does not find the sweep on the other side.
    Fabrik,
    /// Cyclic coordinate descent, aimed first; in a tree a joint turns as is best for all effectors
    /// it carries.
    Ccd,
    /// All bends open and close together, in the proportions of the rest pose
    /// ([`set_spring_bias`](super::Chain::set_spring_bias)); positions of unbranched chains,
    /// rotation goals by the last
    /// joint.
    Spring,
}

impl ChainSolver {
    /// All methods, in the order of their numbers in the C interface.
    pub const ALL: [Self; 8] = [
        Self::Default,
        Self::DampedLeastSquares,
        Self::Transpose,
        Self::PseudoInverse,
        Self::SelectivelyDamped,
        Self::Fabrik,
        Self::Ccd,
        Self::Spring,
    ];
}
