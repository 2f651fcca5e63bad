//! Defaults of structs for clients that know them as they once were.

use super::aim::sinew_aim_job_default;
use super::animator::sinew_animator_def_default;
use super::animator_body::sinew_humanoid_input_default;
use super::animator_match::sinew_match_target_default;
use super::animator_settings::sinew_humanoid_settings_default;
use super::avatar;
use super::avatar::sinew_avatar_def_default;
use super::body::sinew_body_settings_default;
use super::body_drag::sinew_body_drag_default;
use super::body_solver::sinew_body_solver_settings_default;
use super::body_tasks::sinew_body_task_default;
use super::c_types::c_void;
use super::chain_solve::sinew_chain_job_default;
use super::constraint_goals::{sinew_constraint_goal_default, sinew_pole_default};
use super::constraints::{
    sinew_aim_def_default, sinew_chain_def_default, sinew_copy_rotation_def_default, sinew_spline_def_default,
    sinew_two_bone_def_default,
};
use super::grounder::{sinew_foot_model_default, sinew_grounder_settings_default};
use super::grounder_frame::sinew_grounder_frame_default;
use super::grounder_stepping::{sinew_contact_rule_default, sinew_stepping_settings_default};
use super::guard::{Failure, guard};
use super::joint_limb::sinew_joint_limb_job_default;
use super::joint_limits::sinew_joint_limits_default;
use super::mapping::sinew_mapping_hints_default;
use super::read;
use super::result::SinewResult;
use super::skeleton::sinew_skeleton_def_default;
use super::tracked_body::sinew_tracked_body_settings_default;
use super::two_bone::sinew_two_bone_job_default;
use super::types::*;
use super::world_solve::sinew_world_frame_default;
use safer_ffi::layout::ReprC;

/// A default function whose error texts are its own.
struct Filler<'a> {
    function: &'static str,
    argument: &'a str,
    /// Sizes that the struct once had.
    older: &'a [usize],
}

impl Filler<'_> {
    /// Fills as much of a struct as the caller has. Not inlined: the structs of all kinds would be
    /// on the stack at once.
    ///
    /// # Safety
    /// `out` is NULL or leads to `size` bytes.
    #[inline(never)]
    unsafe fn fill<T: ReprC + Copy>(
        &self,
        out: *mut c_void,
        size: u32,
        default: impl FnOnce(Option<&mut T>) -> SinewResult,
    ) -> SinewResult {
        // SAFETY: such structs are plain numbers and pointers.
        let mut whole: T = unsafe { core::mem::zeroed() };
        let code = default(Some(&mut whole));
        if code != SinewResult::SinewOk {
            return code;
        }
        guard(self.function, || {
            read::check_pointer(self.argument, out.cast::<T>(), 1)?;
            if size as usize != size_of::<T>() && !self.older.contains(&(size as usize)) {
                let message = format_args!("{} has {size} bytes, the library has {}", self.argument, size_of::<T>());
                return Err(Failure::new(SinewResult::SinewErrorStructSize, message));
            }
            // SAFETY: the caller vouches for as many bytes; they are not more than T has.
            unsafe { core::ptr::copy_nonoverlapping((&raw const whole).cast(), out.cast::<u8>(), size as usize) };
            // SAFETY: every such struct begins with its size.
            unsafe { out.cast::<u32>().write(size) };
            Ok(())
        })
    }
}

macro_rules! older {
    () => {
        &[]
    };
    ($older:expr) => {
        $older
    };
}

macro_rules! sized_structs {
    ($which:ident, $out:ident, $size:ident, $task:ident, $kind:ident:
     $($variant:ident: $type:ty = $default:ident, $argument:ident $(, $older:expr)?;)*) => {
        match $which {
            $(SinewSizedStruct::$variant => {
                let function = stringify!($default);
                let filler = Filler { function, argument: stringify!($argument), older: older!($($older)?) };
                // SAFETY: required of the caller of the C function; see `read`.
                unsafe { filler.fill::<$type>($out, $size, |out| $default(out)) }
            })*
            SinewSizedStruct::BodyTaskDef => {
                // SAFETY: as above.
                unsafe { $task.fill::<SinewBodyTaskDef>($out, $size, |out| sinew_body_task_default($kind, out)) }
            }
        }
    };
}

/// Fills a struct with defaults like its ..._default function, but no more of it than the caller
/// has. The macros ..._default of the C header call it, so that a client that was compiled when the
/// struct was smaller is never overrun.
///
/// @param which     a SinewSizedStruct.
/// @param argument  what the ..._default function takes beside the struct: a SinewBodyTaskKind for
///                  SINEW_SIZED_STRUCT_BODY_TASK_DEF; not used for the others.
/// @param out       the struct.
/// @param size      size of the caller's struct, bytes.
/// @return SINEW_ERROR_STRUCT_SIZE: a size that the struct never had; nothing is written.
pub unsafe extern "C" fn sinew_default_sized(
    which: SinewSizedStructArg,
    argument: i32,
    out: *mut c_void,
    size: u32,
) -> SinewResult {
    let mut chosen = None;
    let code = guard("sinew_default_sized", || {
        chosen = Some(read::decode::<SinewSizedStruct>("which", which)?);
        Ok(())
    });
    let Some(which) = chosen else { return code };
    let task = Filler { function: "sinew_body_task_default", argument: "out_def", older: &[] };
    sized_structs! { which, out, size, task, argument:
        SkeletonDef: SinewSkeletonDef = sinew_skeleton_def_default, out_def;
        AvatarDef: SinewAvatarDef = sinew_avatar_def_default, out_def, &avatar::OLDER_SIZES;
        MappingHints: SinewMappingHints = sinew_mapping_hints_default, out_hints;
        AnimatorDef: SinewAnimatorDef = sinew_animator_def_default, out_def;
        HumanoidInput: SinewHumanoidInput = sinew_humanoid_input_default, out_input;
        HumanoidSettings: SinewHumanoidSettings = sinew_humanoid_settings_default, out_settings;
        MatchTarget: SinewMatchTarget = sinew_match_target_default, out_target;
        ChainDef: SinewChainDef = sinew_chain_def_default, out_def;
        TwoBoneDef: SinewTwoBoneDef = sinew_two_bone_def_default, out_def;
        CopyRotationDef: SinewCopyRotationDef = sinew_copy_rotation_def_default, out_def;
        AimDef: SinewAimDef = sinew_aim_def_default, out_def;
        SplineDef: SinewSplineDef = sinew_spline_def_default, out_def;
        ConstraintGoal: SinewConstraintGoal = sinew_constraint_goal_default, out_goal;
        Pole: SinewPole = sinew_pole_default, out_pole;
        JointLimits: SinewJointLimits = sinew_joint_limits_default, out_limits;
        BodySettings: SinewBodySettings = sinew_body_settings_default, out_settings;
        BodyDrag: SinewBodyDrag = sinew_body_drag_default, out_drag;
        BodySolverSettings: SinewBodySolverSettings = sinew_body_solver_settings_default, out_settings;
        WorldFrame: SinewWorldFrame = sinew_world_frame_default, out_frame;
        GrounderSettings: SinewGrounderSettings = sinew_grounder_settings_default, out_settings;
        FootModel: SinewFootModel = sinew_foot_model_default, out_foot;
        GrounderFrame: SinewGrounderFrame = sinew_grounder_frame_default, out_frame;
        SteppingSettings: SinewSteppingSettings = sinew_stepping_settings_default, out_settings;
        ContactRule: SinewContactRule = sinew_contact_rule_default, out_rule;
        TrackedBodySettings: SinewTrackedBodySettings = sinew_tracked_body_settings_default, out_settings;
        TwoBoneJob: SinewTwoBoneJob = sinew_two_bone_job_default, out_job;
        JointLimbJob: SinewJointLimbJob = sinew_joint_limb_job_default, out_job;
        AimJob: SinewAimJob = sinew_aim_job_default, out_job;
        ChainJob: SinewChainJob = sinew_chain_job_default, out_job;
    }
}
