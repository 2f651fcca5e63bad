//! Constraints come and go: definitions, adding, removing.

use super::convert::joint_index;
use super::guard::{Failure, guard, in_ref, out_ref};
use super::ids::{SinewAnimator, SinewConstraint};
use super::result::SinewResult;
use super::types::{
    SINEW_CHAIN_FINISH, SINEW_CHAIN_PLANE, SINEW_CHAIN_STRETCH, SINEW_CHAIN_WARM_START, SINEW_SPLINE_MAX_POINTS,
    SINEW_SPLINE_START_ON_CURVE, SinewAimDef, SinewChainDef, SinewChainEnd, SinewCopyRotationDef, SinewCurve,
    SinewSplineDef, SinewTwoBoneDef,
};
use super::{read, registry, rooms};
use crate::chains::spline::CurveKind;
use crate::chains::{Chain, ChainError, ChainSettings, ChainSolver};
use crate::constraints::{
    AimDefinition, ChainDefinition, ChainEnd, ConstraintDefinition, ConstraintError, CopyRotationDefinition,
    SplineDefinition, TwoBoneDefinition,
};
use crate::math::Vec3;

const _: () = assert!(SINEW_SPLINE_MAX_POINTS as usize == SplineDefinition::MAX_POINTS);

impl From<ConstraintError> for Failure {
    fn from(error: ConstraintError) -> Self {
        let code = match error {
            ConstraintError::NoSuchJoint(_) => SinewResult::SinewErrorOutOfRange,
            // Of a chain's counts only the list of biases is not checked before.
            ConstraintError::WeightCount { .. } | ConstraintError::Chain(ChainError::Counts) => {
                SinewResult::SinewErrorLengthMismatch
            }
            ConstraintError::EndCount(_)
            | ConstraintError::PointCount(_)
            | ConstraintError::BadNumber(_)
            | ConstraintError::BadWeights
            | ConstraintError::Chain(_) => SinewResult::SinewErrorInvalidArgument,
            ConstraintError::TooLong { .. } | ConstraintError::NotBelow { .. } | ConstraintError::NoLimb => {
                SinewResult::SinewErrorInvalidChain
            }
        };
        match error {
            // The members have these names in C, without the space.
            ConstraintError::BadNumber(name) => {
                let member = name.trim_end_matches("_js").trim_end_matches("_ms");
                Self::new(code, format_args!("def.{member}: {}", ConstraintError::BadNumber("it")))
            }
            ConstraintError::Chain(ChainError::BadTip { effector }) => {
                Self::new(code, format_args!("def.ends[{effector}].tip: {error}"))
            }
            _ => Self::new(code, format_args!("def: {error}")),
        }
    }
}

fn add(
    animator: SinewAnimator,
    out: &mut SinewConstraint,
    define: impl FnOnce(usize) -> Result<ConstraintDefinition, Failure>,
) -> Result<(), Failure> {
    registry::with_animator(animator, |character| {
        let _room = rooms::CONSTRAINT.room(character.buffer().len())?;
        let definition = define(character.buffer().len())?;
        *out = registry::constraint_handle(character.animator.add_constraint(&definition)?);
        Ok(())
    })
}

/// Fills a chain definition with defaults; set `ends`.
///
/// @param out_def  the definition.
pub extern "C" fn sinew_chain_def_default(out_def: Option<&mut SinewChainDef>) -> SinewResult {
    guard("sinew_chain_def_default", || {
        *out_ref(out_def, "out_def")? = default_chain();
        Ok(())
    })
}

pub(super) fn default_chain() -> SinewChainDef {
    chain_record(&ChainDefinition::default(), &[])
}

/// A definition as the record that [`sinew_animator_add_chain`] reads; it leads to `ends` and into
/// `of`.
pub(super) fn chain_record(of: &ChainDefinition, ends: &[SinewChainEnd]) -> SinewChainDef {
    let s = &of.settings;
    let flag = |is_set: bool, bit: u32| if is_set { bit } else { 0 };
    SinewChainDef {
        struct_size: size_of::<SinewChainDef>() as u32,
        end_count: ends.len() as u32,
        ends: address(ends),
        spring_bias: address(&of.spring_bias),
        spring_bias_count: of.spring_bias.len() as u32,
        joint_count: of.joint_count as u32,
        solver: of.solver as i32,
        flags: flag(s.finish, SINEW_CHAIN_FINISH)
            | flag(s.use_stretch, SINEW_CHAIN_STRETCH)
            | flag(of.plane_axis_ms.is_some(), SINEW_CHAIN_PLANE)
            | flag(of.warm_start, SINEW_CHAIN_WARM_START),
        tolerance: s.tolerance,
        tolerance_rad: s.tolerance_rad,
        max_iterations: s.max_iterations,
        max_attempts: s.max_attempts,
        damping: s.damping,
        max_step_rad: s.max_step_rad,
        sweep_step_rad: s.sweep_step_rad,
        plane_axis: of.plane_axis_ms.unwrap_or(Vec3::ZERO).into(),
    }
}

/// Ends of a chain as records.
pub(super) fn end_records(of: &ChainDefinition) -> Vec<SinewChainEnd> {
    of.ends.iter().map(|end| SinewChainEnd { joint: end.joint as u32, tip: end.tip_js.into() }).collect()
}

/// Where a list begins; NULL for an empty one.
fn address<T>(list: &[T]) -> *const T {
    if list.is_empty() { core::ptr::null() } else { list.as_ptr() }
}

/// A chain definition of the caller, its numbers checked.
pub(super) struct ChainArguments<'a> {
    pub ends: &'a [SinewChainEnd],
    spring_bias: &'a [f32],
    joint_count: usize,
    solver: ChainSolver,
    settings: ChainSettings,
    plane_axis_ms: Option<Vec3>,
    pub warm_start: bool,
}

impl<'a> ChainArguments<'a> {
    /// Follows the pointers of `def`.
    pub unsafe fn new(def: &SinewChainDef) -> Result<Self, Failure> {
        read::struct_size("def.struct_size", def.struct_size, size_of::<SinewChainDef>())?;
        let count = def.end_count as usize;
        if count == 0 || count > Chain::MAX_EFFECTORS {
            return Err(Failure::argument(format_args!("def.end_count is {count}, not 1 to {}", Chain::MAX_EFFECTORS)));
        }
        let known = SINEW_CHAIN_FINISH | SINEW_CHAIN_STRETCH | SINEW_CHAIN_PLANE | SINEW_CHAIN_WARM_START;
        read::flags("def.flags", def.flags, known)?;
        let settings = ChainSettings {
            tolerance: read::above_zero("def.tolerance", def.tolerance)?,
            tolerance_rad: read::above_zero("def.tolerance_rad", def.tolerance_rad)?,
            max_iterations: read::within("def.max_iterations", def.max_iterations, 1, 100_000)?,
            max_attempts: read::within("def.max_attempts", def.max_attempts, 0, 10_000)?,
            damping: read::above_zero("def.damping", def.damping)?,
            max_step_rad: read::above_zero("def.max_step_rad", def.max_step_rad)?,
            sweep_step_rad: read::above_zero("def.sweep_step_rad", def.sweep_step_rad)?,
            finish: def.flags & SINEW_CHAIN_FINISH != 0,
            use_stretch: def.flags & SINEW_CHAIN_STRETCH != 0,
        };
        let has_plane = def.flags & SINEW_CHAIN_PLANE != 0;
        Ok(Self {
            solver: read::solver(def.solver)?,
            settings,
            plane_axis_ms: has_plane.then(|| read::direction("def.plane_axis", &def.plane_axis)).transpose()?,
            joint_count: def.joint_count as usize,
            warm_start: def.flags & SINEW_CHAIN_WARM_START != 0,
            // SAFETY: required of the caller of the C function; see `read`.
            ends: unsafe { read::array("def.ends", def.ends, count) }?,
            // SAFETY: required of the caller of the C function; see `read`.
            spring_bias: unsafe { read::shares("def.spring_bias", def.spring_bias, def.spring_bias_count) }?,
        })
    }
    /// On a skeleton with this many joints.
    pub fn definition(&self, joints: usize) -> Result<ChainDefinition, Failure> {
        let mut ends = Vec::with_capacity(self.ends.len());
        for (i, end) in self.ends.iter().enumerate() {
            ends.push(ChainEnd {
                joint: read::joint(format_args!("def.ends[{i}].joint"), end.joint, joints)?,
                tip_js: read::vec3(format_args!("def.ends[{i}].tip"), &end.tip)?,
            });
        }
        Ok(ChainDefinition {
            ends,
            joint_count: self.joint_count,
            solver: self.solver,
            spring_bias: self.spring_bias.to_vec(),
            settings: self.settings,
            plane_axis_ms: self.plane_axis_ms,
            warm_start: self.warm_start,
        })
    }
    /// Whether [`Self::definition`] gives `definition`.
    pub fn is_of(&self, definition: &ChainDefinition) -> bool {
        let same_end = |(end, other): (&SinewChainEnd, &ChainEnd)| {
            end.joint as usize == other.joint && Vec3::from(end.tip) == other.tip_js
        };
        self.joint_count == definition.joint_count
            && self.solver == definition.solver
            && self.settings == definition.settings
            && self.plane_axis_ms == definition.plane_axis_ms
            && self.spring_bias == definition.spring_bias
            && self.ends.len() == definition.ends.len()
            && self.ends.iter().zip(&definition.ends).all(same_end)
    }
}

/// Returns the constraints of an animator, in the order in which a solve comes to them.
///
/// @param out_constraints  room for `capacity` handles; may be NULL when capacity is 0.
/// @param capacity         number of handles there is room for.
/// @param out_count        number of constraints; also written with SINEW_ERROR_BUFFER_TOO_SMALL.
/// @return SINEW_ERROR_BUFFER_TOO_SMALL: out_constraints is not written.
pub unsafe extern "C" fn sinew_animator_get_constraints(
    animator: SinewAnimator,
    out_constraints: *mut SinewConstraint,
    capacity: u32,
    out_count: Option<&mut u32>,
) -> SinewResult {
    guard("sinew_animator_get_constraints", || {
        let out_count = out_ref(out_count, "out_count")?;
        registry::with_animator(animator, |character| {
            let ids = character.animator.constraint_ids();
            let count = ids.len();
            if count > capacity as usize {
                *out_count = count as u32;
                return Err(Failure::new(
                    SinewResult::SinewErrorBufferTooSmall,
                    format_args!("capacity is {capacity}, there are {count} constraints"),
                ));
            }
            if capacity > 0 {
                // SAFETY: required of the caller of the C function; see `read`.
                let out = unsafe { read::array_mut("out_constraints", out_constraints, capacity as usize) }?;
                for (out, id) in out.iter_mut().zip(ids) {
                    *out = registry::constraint_handle(id);
                }
            }
            *out_count = count as u32;
            Ok(())
        })
    })
}

/// Adds a chain or tree constraint. Allocates.
///
/// @param def             see SinewChainDef.
/// @param out_constraint  the constraint.
/// @return SINEW_ERROR_INVALID_ARGUMENT: end_count, flags, or a setting outside its range;
///         SINEW_ERROR_OUT_OF_RANGE: a joint; SINEW_ERROR_LENGTH_MISMATCH: spring_bias_count;
///         SINEW_ERROR_INVALID_CHAIN: the ends are not below the chain's root.
pub unsafe extern "C" fn sinew_animator_add_chain(
    animator: SinewAnimator,
    def: Option<&SinewChainDef>,
    out_constraint: Option<&mut SinewConstraint>,
) -> SinewResult {
    guard("sinew_animator_add_chain", || {
        let def = in_ref(def, "def")?;
        let out = out_ref(out_constraint, "out_constraint")?;
        // SAFETY: required of the caller of the C function; see `read`.
        let arguments = unsafe { ChainArguments::new(def) }?;
        add(animator, out, |joints| Ok(ConstraintDefinition::Chain(arguments.definition(joints)?)))
    })
}

/// Fills a two-bone definition with defaults; set `end`.
///
/// @param out_def  the definition.
pub extern "C" fn sinew_two_bone_def_default(out_def: Option<&mut SinewTwoBoneDef>) -> SinewResult {
    guard("sinew_two_bone_def_default", || {
        *out_ref(out_def, "out_def")? = SinewTwoBoneDef::from(&TwoBoneDefinition::ending_at(0));
        Ok(())
    })
}

impl From<&TwoBoneDefinition> for SinewTwoBoneDef {
    fn from(of: &TwoBoneDefinition) -> Self {
        Self {
            struct_size: size_of::<Self>() as u32,
            end: of.end as u32,
            mid: joint_index(of.mid),
            root: joint_index(of.root),
            bend_side: of.bend_side_js.into(),
            softness: of.softness,
            stretch: of.stretch,
        }
    }
}

/// Adds a two-bone constraint. Solved in closed form as long as none of its joints has limits, and
/// always where `end` is in another branch. Allocates.
///
/// @param def             see SinewTwoBoneDef.
/// @param out_constraint  the constraint.
/// @return SINEW_ERROR_OUT_OF_RANGE: a joint; SINEW_ERROR_INVALID_ARGUMENT: softness or stretch
///         outside 0 … 1; SINEW_ERROR_INVALID_CHAIN: `mid` is not below `root`, or `end` is
///         neither below `mid` nor in another branch than `root`.
pub extern "C" fn sinew_animator_add_two_bone(
    animator: SinewAnimator,
    def: Option<&SinewTwoBoneDef>,
    out_constraint: Option<&mut SinewConstraint>,
) -> SinewResult {
    guard("sinew_animator_add_two_bone", || {
        let def = in_ref(def, "def")?;
        read::struct_size("def.struct_size", def.struct_size, size_of::<SinewTwoBoneDef>())?;
        let out = out_ref(out_constraint, "out_constraint")?;
        let bend_side_js = read::vec3("def.bend_side", &def.bend_side)?;
        let softness = read::fraction("def.softness", def.softness)?;
        let stretch = read::fraction("def.stretch", def.stretch)?;
        add(animator, out, |joints| {
            Ok(ConstraintDefinition::TwoBone(TwoBoneDefinition {
                end: read::joint("def.end", def.end, joints)?,
                mid: read::optional_joint("def.mid", def.mid, joints)?,
                root: read::optional_joint("def.root", def.root, joints)?,
                bend_side_js,
                softness,
                stretch,
            }))
        })
    })
}

/// Fills a copy-rotation definition with defaults; set `joint`.
///
/// @param out_def  the definition.
pub extern "C" fn sinew_copy_rotation_def_default(out_def: Option<&mut SinewCopyRotationDef>) -> SinewResult {
    guard("sinew_copy_rotation_def_default", || {
        *out_ref(out_def, "out_def")? = SinewCopyRotationDef::from(&CopyRotationDefinition::of(0));
        Ok(())
    })
}

impl From<&CopyRotationDefinition> for SinewCopyRotationDef {
    fn from(of: &CopyRotationDefinition) -> Self {
        Self {
            struct_size: size_of::<Self>() as u32,
            joint: of.joint as u32,
            source: joint_index(of.source),
            offset: of.offset.into(),
            axis: of.axis_js.into(),
            swing: of.swing,
            twist: of.twist,
        }
    }
}

/// Adds a copy-rotation constraint: a joint follows the rotation goal of the only end, or the
/// rotation of another joint. Allocates.
///
/// @param def             see SinewCopyRotationDef.
/// @param out_constraint  the constraint.
/// @return SINEW_ERROR_OUT_OF_RANGE: a joint; SINEW_ERROR_INVALID_ARGUMENT: an axis of length zero,
///         swing or twist outside 0 … 1.
pub extern "C" fn sinew_animator_add_copy_rotation(
    animator: SinewAnimator,
    def: Option<&SinewCopyRotationDef>,
    out_constraint: Option<&mut SinewConstraint>,
) -> SinewResult {
    guard("sinew_animator_add_copy_rotation", || {
        let def = in_ref(def, "def")?;
        read::struct_size("def.struct_size", def.struct_size, size_of::<SinewCopyRotationDef>())?;
        let out = out_ref(out_constraint, "out_constraint")?;
        let offset = read::quat("def.offset", &def.offset)?;
        let axis_js = read::direction("def.axis", &def.axis)?;
        let swing = read::fraction("def.swing", def.swing)?;
        let twist = read::fraction("def.twist", def.twist)?;
        add(animator, out, |joints| {
            Ok(ConstraintDefinition::CopyRotation(CopyRotationDefinition {
                joint: read::joint("def.joint", def.joint, joints)?,
                source: read::optional_joint("def.source", def.source, joints)?,
                offset,
                axis_js,
                swing,
                twist,
            }))
        })
    })
}

/// Fills an aim definition with defaults; set `end`.
///
/// @param out_def  the definition.
pub extern "C" fn sinew_aim_def_default(out_def: Option<&mut SinewAimDef>) -> SinewResult {
    guard("sinew_aim_def_default", || {
        *out_ref(out_def, "out_def")? = SinewAimDef::from(&AimDefinition::of(0));
        Ok(())
    })
}

/// The record leads into the definition.
impl From<&AimDefinition> for SinewAimDef {
    fn from(of: &AimDefinition) -> Self {
        Self {
            struct_size: size_of::<Self>() as u32,
            end: of.end as u32,
            weights: address(&of.weights),
            weight_count: of.weights.len() as u32,
            joint_count: of.joint_count as u32,
            axis: of.axis_js.into(),
            offset: of.offset_js.into(),
            up: of.up_js.into(),
            clamp_rad: of.clamp_rad,
            clamp_softness: of.clamp_softness,
            behind_rad: of.behind_rad,
        }
    }
}

/// Adds an aim constraint: joints turn a ray towards the position goal of the only end. Allocates.
///
/// @param def             see SinewAimDef.
/// @param out_constraint  the constraint.
/// @return SINEW_ERROR_OUT_OF_RANGE: end; SINEW_ERROR_LENGTH_MISMATCH: weight_count;
///         SINEW_ERROR_INVALID_ARGUMENT: a direction of length zero, a negative weight, or a
///         setting outside its range; SINEW_ERROR_INVALID_CHAIN: joint_count is larger than the
///         number of joints above the end.
pub unsafe extern "C" fn sinew_animator_add_aim(
    animator: SinewAnimator,
    def: Option<&SinewAimDef>,
    out_constraint: Option<&mut SinewConstraint>,
) -> SinewResult {
    guard("sinew_animator_add_aim", || {
        let def = in_ref(def, "def")?;
        read::struct_size("def.struct_size", def.struct_size, size_of::<SinewAimDef>())?;
        let out = out_ref(out_constraint, "out_constraint")?;
        let definition = AimDefinition {
            end: 0,
            joint_count: def.joint_count as usize,
            axis_js: read::direction("def.axis", &def.axis)?,
            offset_js: read::vec3("def.offset", &def.offset)?,
            up_js: read::direction("def.up", &def.up)?,
            clamp_rad: read::half_turn_rad("def.clamp_rad", def.clamp_rad)?,
            clamp_softness: read::fraction("def.clamp_softness", def.clamp_softness)?,
            behind_rad: read::half_turn_rad("def.behind_rad", def.behind_rad)?,
            // SAFETY: required of the caller of the C function; see `read`.
            weights: unsafe { read::shares("def.weights", def.weights, def.weight_count) }?.to_vec(),
        };
        add(animator, out, |joints| {
            Ok(ConstraintDefinition::Aim(AimDefinition { end: read::joint("def.end", def.end, joints)?, ..definition }))
        })
    })
}

/// Fills a spline definition with defaults; set `end`.
///
/// @param out_def  the definition.
pub extern "C" fn sinew_spline_def_default(out_def: Option<&mut SinewSplineDef>) -> SinewResult {
    guard("sinew_spline_def_default", || {
        *out_ref(out_def, "out_def")? = SinewSplineDef::from(&SplineDefinition::ending_at(0, 0, 4));
        Ok(())
    })
}

impl From<&SplineDefinition> for SinewSplineDef {
    fn from(of: &SplineDefinition) -> Self {
        let curve = match of.curve {
            CurveKind::CatmullRom => SinewCurve::CatmullRom,
            CurveKind::Bezier => SinewCurve::Bezier,
        };
        Self {
            struct_size: size_of::<Self>() as u32,
            end: of.end as u32,
            joint_count: of.joint_count as u32,
            point_count: of.point_count as u32,
            curve: curve as i32,
            flags: if of.start_on_curve { SINEW_SPLINE_START_ON_CURVE } else { 0 },
            tip: of.tip_js.into(),
            stretch: of.stretch,
            stretch_min: of.stretch_bounds[0],
            stretch_max: of.stretch_bounds[1],
            roll_start_rad: of.roll_start_rad,
            roll_end_rad: of.roll_end_rad,
        }
    }
}

/// Adds a spline constraint: a chain follows a curve whose control points are its ends. Allocates.
///
/// @param def             see SinewSplineDef.
/// @param out_constraint  the constraint.
/// @return SINEW_ERROR_OUT_OF_RANGE: end; SINEW_ERROR_INVALID_ARGUMENT: point_count, flags, or a
///         setting outside its range; SINEW_ERROR_INVALID_CHAIN: joint_count is larger than the
///         number of joints above the end.
pub extern "C" fn sinew_animator_add_spline(
    animator: SinewAnimator,
    def: Option<&SinewSplineDef>,
    out_constraint: Option<&mut SinewConstraint>,
) -> SinewResult {
    guard("sinew_animator_add_spline", || {
        let def = in_ref(def, "def")?;
        read::struct_size("def.struct_size", def.struct_size, size_of::<SinewSplineDef>())?;
        let out = out_ref(out_constraint, "out_constraint")?;
        read::flags("def.flags", def.flags, SINEW_SPLINE_START_ON_CURVE)?;
        let definition = SplineDefinition {
            end: 0,
            joint_count: def.joint_count as usize,
            tip_js: read::vec3("def.tip", &def.tip)?,
            curve: read::curve(def.curve)?,
            point_count: read::within("def.point_count", def.point_count, 2, SINEW_SPLINE_MAX_POINTS)? as usize,
            stretch: read::fraction("def.stretch", def.stretch)?,
            stretch_bounds: [
                read::fraction("def.stretch_min", def.stretch_min)?,
                read::between("def.stretch_max", def.stretch_max, 1.0, 1000.0)?,
            ],
            roll_start_rad: read::weight("def.roll_start_rad", def.roll_start_rad)?,
            roll_end_rad: read::weight("def.roll_end_rad", def.roll_end_rad)?,
            start_on_curve: def.flags & SINEW_SPLINE_START_ON_CURVE != 0,
        };
        add(animator, out, |joints| {
            let end = read::joint("def.end", def.end, joints)?;
            Ok(ConstraintDefinition::Spline(SplineDefinition { end, ..definition }))
        })
    })
}

/// Removes a constraint. Frees memory.
pub extern "C" fn sinew_animator_remove_constraint(
    animator: SinewAnimator,
    constraint: SinewConstraint,
) -> SinewResult {
    guard("sinew_animator_remove_constraint", || {
        registry::with_constraint(animator, constraint, |animator, id| Ok(animator.remove_constraint(id)?))
    })
}
