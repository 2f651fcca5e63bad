//! The whole-input struct, to and from the core's.

use super::guard::Failure;
use super::read;
use super::result::SinewResult;
use super::types::{
    SINEW_INPUT_BODY_MOVE, SINEW_INPUT_BODY_POSITION, SINEW_INPUT_BODY_ROTATION, SINEW_INPUT_LEFT_FOOT_POSITION,
    SINEW_INPUT_LEFT_FOOT_ROTATION, SINEW_INPUT_LEFT_KNEE_POSITION, SINEW_INPUT_LOOK_AT_POSITION, SinewHumanoidInput,
    SinewIkGoalInput, SinewIkHintInput,
};
use crate::humanoid::{BodyMove, HumanoidInput, IkGoalInput, IkHintInput, LookAtWeight};
use crate::math::{Quat, Vec3};

const KNOWN_BITS: u32 = (1 << 16) - 1;

// The flags of goals and hints are those of the first one, shifted by the number.
const _: () = {
    use super::types::*;
    use SinewIkGoal as Goal;
    use SinewIkHint as Hint;
    assert!(SINEW_INPUT_RIGHT_FOOT_POSITION == SINEW_INPUT_LEFT_FOOT_POSITION << Goal::RightFoot as u32);
    assert!(SINEW_INPUT_LEFT_HAND_POSITION == SINEW_INPUT_LEFT_FOOT_POSITION << Goal::LeftHand as u32);
    assert!(SINEW_INPUT_RIGHT_HAND_POSITION == SINEW_INPUT_LEFT_FOOT_POSITION << Goal::RightHand as u32);
    assert!(SINEW_INPUT_RIGHT_FOOT_ROTATION == SINEW_INPUT_LEFT_FOOT_ROTATION << Goal::RightFoot as u32);
    assert!(SINEW_INPUT_LEFT_HAND_ROTATION == SINEW_INPUT_LEFT_FOOT_ROTATION << Goal::LeftHand as u32);
    assert!(SINEW_INPUT_RIGHT_HAND_ROTATION == SINEW_INPUT_LEFT_FOOT_ROTATION << Goal::RightHand as u32);
    assert!(SINEW_INPUT_RIGHT_KNEE_POSITION == SINEW_INPUT_LEFT_KNEE_POSITION << Hint::RightKnee as u32);
    assert!(SINEW_INPUT_LEFT_ELBOW_POSITION == SINEW_INPUT_LEFT_KNEE_POSITION << Hint::LeftElbow as u32);
    assert!(SINEW_INPUT_RIGHT_ELBOW_POSITION == SINEW_INPUT_LEFT_KNEE_POSITION << Hint::RightElbow as u32);
};

/// Nothing set, all weights 0.
pub(super) fn default() -> SinewHumanoidInput {
    write(&HumanoidInput::default())
}

/// Checks every part that is flagged and every weight.
pub(super) fn read(input: &SinewHumanoidInput) -> Result<HumanoidInput, Failure> {
    read::struct_size("input.struct_size", input.struct_size, size_of::<SinewHumanoidInput>())?;
    if input.set & !KNOWN_BITS != 0 {
        return Err(Failure::new(
            SinewResult::SinewErrorInvalidArgument,
            format_args!("input.set is {:#x}, which has unknown bits", input.set),
        ));
    }
    let is_set = |bit: u32| input.set & bit != 0;
    if is_set(SINEW_INPUT_BODY_MOVE) && is_set(SINEW_INPUT_BODY_POSITION | SINEW_INPUT_BODY_ROTATION) {
        return Err(Failure::new(
            SinewResult::SinewErrorInvalidArgument,
            format_args!("input.set is {:#x}: a move of the body excludes its position and rotation", input.set),
        ));
    }
    let mut out = HumanoidInput::default();
    for (i, given) in input.goals.iter().enumerate() {
        out.goals[i] = IkGoalInput {
            position: when(is_set(SINEW_INPUT_LEFT_FOOT_POSITION << i), || {
                read::vec3(format_args!("input.goals[{i}].position"), &given.position)
            })?,
            rotation: when(is_set(SINEW_INPUT_LEFT_FOOT_ROTATION << i), || {
                read::quat(format_args!("input.goals[{i}].rotation"), &given.rotation)
            })?,
            position_weight: read::weight(format_args!("input.goals[{i}].position_weight"), given.position_weight)?,
            rotation_weight: read::weight(format_args!("input.goals[{i}].rotation_weight"), given.rotation_weight)?,
        };
    }
    for (i, given) in input.hints.iter().enumerate() {
        out.hints[i] = IkHintInput {
            position: when(is_set(SINEW_INPUT_LEFT_KNEE_POSITION << i), || {
                read::vec3(format_args!("input.hints[{i}].position"), &given.position)
            })?,
            weight: read::weight(format_args!("input.hints[{i}].weight"), given.weight)?,
        };
    }
    let look = &input.look_at_weight;
    out.look_at_position =
        when(is_set(SINEW_INPUT_LOOK_AT_POSITION), || read::vec3("input.look_at_position", &input.look_at_position))?;
    out.look_at_weight = LookAtWeight {
        weight: read::weight("input.look_at_weight.weight", look.weight)?,
        body: read::weight("input.look_at_weight.body", look.body)?,
        head: read::weight("input.look_at_weight.head", look.head)?,
        eyes: read::weight("input.look_at_weight.eyes", look.eyes)?,
        clamp: read::weight("input.look_at_weight.clamp", look.clamp)?,
    };
    out.body_position =
        when(is_set(SINEW_INPUT_BODY_POSITION), || read::vec3("input.body_position", &input.body_position))?;
    out.body_rotation =
        when(is_set(SINEW_INPUT_BODY_ROTATION), || read::quat("input.body_rotation", &input.body_rotation))?;
    out.body_move = when(is_set(SINEW_INPUT_BODY_MOVE), || {
        Ok(BodyMove {
            offset_ws: read::vec3("input.body_position", &input.body_position)?,
            turn_ws: read::quat("input.body_rotation", &input.body_rotation)?,
        })
    })?;
    Ok(out)
}

fn when<T>(set: bool, read: impl FnOnce() -> Result<T, Failure>) -> Result<Option<T>, Failure> {
    if set { read().map(Some) } else { Ok(None) }
}

/// As it is set; what is not set is zero (rotations: the identity) and not flagged.
pub(super) fn write(input: &HumanoidInput) -> SinewHumanoidInput {
    let mut set = 0;
    let mut flag = |bit: u32, there: bool| set |= if there { bit } else { 0 };
    for (i, goal) in input.goals.iter().enumerate() {
        flag(SINEW_INPUT_LEFT_FOOT_POSITION << i, goal.position.is_some());
        flag(SINEW_INPUT_LEFT_FOOT_ROTATION << i, goal.rotation.is_some());
    }
    for (i, hint) in input.hints.iter().enumerate() {
        flag(SINEW_INPUT_LEFT_KNEE_POSITION << i, hint.position.is_some());
    }
    flag(SINEW_INPUT_LOOK_AT_POSITION, input.look_at_position.is_some());
    flag(SINEW_INPUT_BODY_POSITION, input.body_position.is_some());
    flag(SINEW_INPUT_BODY_ROTATION, input.body_rotation.is_some());
    // A Rust program may have set both; a move has the two members then.
    let (mut body_position, mut body_rotation) = (input.body_position, input.body_rotation);
    if let Some(moved) = input.body_move {
        flag(SINEW_INPUT_BODY_MOVE, true);
        (body_position, body_rotation) = (Some(moved.offset_ws), Some(moved.turn_ws));
    }
    let point = |p: Option<Vec3>| p.unwrap_or(Vec3::ZERO).into();
    let turn = |q: Option<Quat>| q.unwrap_or(Quat::IDENTITY).into();
    SinewHumanoidInput {
        struct_size: size_of::<SinewHumanoidInput>() as u32,
        set,
        goals: input.goals.map(|goal| SinewIkGoalInput {
            position: point(goal.position),
            rotation: turn(goal.rotation),
            position_weight: goal.position_weight,
            rotation_weight: goal.rotation_weight,
        }),
        hints: input.hints.map(|hint| SinewIkHintInput { position: point(hint.position), weight: hint.weight }),
        look_at_position: point(input.look_at_position),
        look_at_weight: input.look_at_weight.into(),
        body_position: point(body_position),
        body_rotation: turn(body_rotation),
    }
}
