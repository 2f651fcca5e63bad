/* Prints size and field offsets of every struct of sinew.h, as the C compiler lays them out: "Struct size" and
 * "Struct.field offset". LayoutTests.cs compares them with the C# structs. */
#include <sinew/sinew.h>
#include <stddef.h>
#include <stdio.h>

#define S(type) printf(#type " %u\n", (unsigned)sizeof(type))
#define F(type, field) printf(#type "." #field " %u\n", (unsigned)offsetof(type, field))

int main(void)
{
    S(SinewSkeleton); F(SinewSkeleton, bits);
    S(SinewAvatar); F(SinewAvatar, bits);
    S(SinewAnimator); F(SinewAnimator, bits);
    S(SinewVec3); F(SinewVec3, x); F(SinewVec3, y); F(SinewVec3, z);
    S(SinewQuat); F(SinewQuat, x); F(SinewQuat, y); F(SinewQuat, z); F(SinewQuat, w);
    S(SinewTransform); F(SinewTransform, position); F(SinewTransform, rotation); F(SinewTransform, scale);
    S(SinewVersion); F(SinewVersion, major); F(SinewVersion, minor); F(SinewVersion, patch); F(SinewVersion, abi);
    S(SinewOutcome); F(SinewOutcome, status); F(SinewOutcome, iterations); F(SinewOutcome, residual_m);
    F(SinewOutcome, residual_rad);
    S(SinewSkeletonDef); F(SinewSkeletonDef, struct_size); F(SinewSkeletonDef, joint_count); F(SinewSkeletonDef, parents);
    F(SinewSkeletonDef, rest); F(SinewSkeletonDef, names);
    S(SinewAvatarDef); F(SinewAvatarDef, struct_size); F(SinewAvatarDef, human_joint_count); F(SinewAvatarDef, skeleton);
    F(SinewAvatarDef, human_joints); F(SinewAvatarDef, t_pose); F(SinewAvatarDef, up); F(SinewAvatarDef, forward);
    F(SinewAvatarDef, arm_stretch); F(SinewAvatarDef, leg_stretch);
    F(SinewAvatarDef, upper_arm_twist); F(SinewAvatarDef, lower_arm_twist); F(SinewAvatarDef, upper_leg_twist);
    F(SinewAvatarDef, lower_leg_twist); F(SinewAvatarDef, feet_spacing);
    F(SinewAvatarDef, human_range_count); F(SinewAvatarDef, human_ranges);
    S(SinewHumanRange); F(SinewHumanRange, bone); F(SinewHumanRange, bend_min_rad); F(SinewHumanRange, bend_max_rad);
    F(SinewHumanRange, side_min_rad); F(SinewHumanRange, side_max_rad); F(SinewHumanRange, twist_min_rad);
    F(SinewHumanRange, twist_max_rad); F(SinewHumanoidSettings, limits_enabled);
    S(SinewHumanoidSettings); F(SinewHumanoidSettings, struct_size); F(SinewHumanoidSettings, shoulder_weights[0]);
    F(SinewHumanoidSettings, shoulder_weights[1]); F(SinewHumanoidSettings, spine_weight);
    F(SinewHumanoidSettings, pull_weights[0]); F(SinewHumanoidSettings, pull_weights[1]);
    F(SinewHumanoidSettings, pull_weights[2]); F(SinewHumanoidSettings, pull_weights[3]);
    F(SinewHumanoidSettings, inertialization_times_s[0]); F(SinewHumanoidSettings, inertialization_times_s[1]);
    F(SinewHumanoidSettings, inertialization_times_s[2]); F(SinewHumanoidSettings, inertialization_times_s[3]);
    S(SinewMatchTarget); F(SinewMatchTarget, struct_size); F(SinewMatchTarget, part); F(SinewMatchTarget, position);
    F(SinewMatchTarget, rotation); F(SinewMatchTarget, position_weight); F(SinewMatchTarget, rotation_weight);
    F(SinewMatchTarget, start_time); F(SinewMatchTarget, end_time);
    S(SinewAnimatorDef); F(SinewAnimatorDef, struct_size); F(SinewAnimatorDef, flags); F(SinewAnimatorDef, skeleton);
    F(SinewAnimatorDef, avatar);
    S(SinewIkGoalInput); F(SinewIkGoalInput, position); F(SinewIkGoalInput, rotation);
    F(SinewIkGoalInput, position_weight); F(SinewIkGoalInput, rotation_weight);
    S(SinewIkHintInput); F(SinewIkHintInput, position); F(SinewIkHintInput, weight);
    S(SinewLookAtWeight); F(SinewLookAtWeight, weight); F(SinewLookAtWeight, body); F(SinewLookAtWeight, head);
    F(SinewLookAtWeight, eyes); F(SinewLookAtWeight, clamp);
    S(SinewHumanoidInput); F(SinewHumanoidInput, struct_size); F(SinewHumanoidInput, set);
    F(SinewHumanoidInput, goals[0]); F(SinewHumanoidInput, goals[1]); F(SinewHumanoidInput, goals[2]);
    F(SinewHumanoidInput, goals[3]); F(SinewHumanoidInput, hints[0]); F(SinewHumanoidInput, hints[1]);
    F(SinewHumanoidInput, hints[2]); F(SinewHumanoidInput, hints[3]); F(SinewHumanoidInput, look_at_position);
    F(SinewHumanoidInput, look_at_weight); F(SinewHumanoidInput, body_position); F(SinewHumanoidInput, body_rotation);
    S(SinewConstraint); F(SinewConstraint, bits);
    S(SinewChainEnd); F(SinewChainEnd, joint); F(SinewChainEnd, tip);
    S(SinewChainDef); F(SinewChainDef, struct_size); F(SinewChainDef, end_count); F(SinewChainDef, ends);
    F(SinewChainDef, spring_bias); F(SinewChainDef, spring_bias_count); F(SinewChainDef, joint_count);
    F(SinewChainDef, solver); F(SinewChainDef, flags); F(SinewChainDef, tolerance);
    F(SinewChainDef, tolerance_rad); F(SinewChainDef, max_iterations); F(SinewChainDef, max_attempts);
    F(SinewChainDef, damping); F(SinewChainDef, max_step_rad); F(SinewChainDef, sweep_step_rad);
    F(SinewChainDef, plane_axis);
    S(SinewTwoBoneDef); F(SinewTwoBoneDef, struct_size); F(SinewTwoBoneDef, end); F(SinewTwoBoneDef, mid);
    F(SinewTwoBoneDef, root); F(SinewTwoBoneDef, bend_side); F(SinewTwoBoneDef, softness);
    F(SinewTwoBoneDef, stretch);
    S(SinewCopyRotationDef); F(SinewCopyRotationDef, struct_size); F(SinewCopyRotationDef, joint);
    F(SinewCopyRotationDef, source); F(SinewCopyRotationDef, offset); F(SinewCopyRotationDef, axis);
    F(SinewCopyRotationDef, swing); F(SinewCopyRotationDef, twist);
    S(SinewAimDef); F(SinewAimDef, struct_size); F(SinewAimDef, end); F(SinewAimDef, weights);
    F(SinewAimDef, weight_count); F(SinewAimDef, joint_count); F(SinewAimDef, axis); F(SinewAimDef, offset);
    F(SinewAimDef, up); F(SinewAimDef, clamp_rad); F(SinewAimDef, clamp_softness); F(SinewAimDef, behind_rad);
    S(SinewSplineDef); F(SinewSplineDef, struct_size); F(SinewSplineDef, end); F(SinewSplineDef, joint_count);
    F(SinewSplineDef, point_count); F(SinewSplineDef, curve); F(SinewSplineDef, flags); F(SinewSplineDef, tip);
    F(SinewSplineDef, stretch); F(SinewSplineDef, stretch_min); F(SinewSplineDef, stretch_max);
    F(SinewSplineDef, roll_start_rad); F(SinewSplineDef, roll_end_rad);
    S(SinewConstraintGoal); F(SinewConstraintGoal, struct_size); F(SinewConstraintGoal, set);
    F(SinewConstraintGoal, position); F(SinewConstraintGoal, rotation); F(SinewConstraintGoal, axis);
    F(SinewConstraintGoal, direction); F(SinewConstraintGoal, position_weight);
    F(SinewConstraintGoal, rotation_weight); F(SinewConstraintGoal, distance_mode);
    F(SinewConstraintGoal, radius);
    S(SinewPole); F(SinewPole, struct_size); F(SinewPole, flags); F(SinewPole, at); F(SinewPole, reference);
    F(SinewPole, angle_rad); F(SinewPole, weight);
    S(SinewJointLimits); F(SinewJointLimits, struct_size); F(SinewJointLimits, flags);
    F(SinewJointLimits, frame); F(SinewJointLimits, min_rad); F(SinewJointLimits, max_rad);
    F(SinewJointLimits, stiffness); F(SinewJointLimits, soft_rad); F(SinewJointLimits, preferred_bend);
    F(SinewJointLimits, stretch_min); F(SinewJointLimits, stretch_max); F(SinewJointLimits, stretch_compliance);
    F(SinewJointLimits, corner_count); F(SinewJointLimits, corners[0]); F(SinewJointLimits, corners[1]);
    F(SinewJointLimits, corners[2]); F(SinewJointLimits, corners[3]); F(SinewJointLimits, corners[4]);
    F(SinewJointLimits, corners[5]); F(SinewJointLimits, corners[6]); F(SinewJointLimits, corners[7]);
    S(SinewDebugLine); F(SinewDebugLine, from); F(SinewDebugLine, to); F(SinewDebugLine, part);
    S(SinewJob); F(SinewJob, bits);
    S(SinewJointLimbJob); F(SinewJointLimbJob, struct_size); F(SinewJointLimbJob, root); F(SinewJointLimbJob, mid);
    F(SinewJointLimbJob, end); F(SinewJointLimbJob, end_goal); F(SinewJointLimbJob, mid_at);
    F(SinewJointLimbJob, end_at); F(SinewJointLimbJob, target); F(SinewJointLimbJob, pole);
    F(SinewJointLimbJob, bend_side); F(SinewJointLimbJob, centre); F(SinewJointLimbJob, weight);
    F(SinewJointLimbJob, pole_weight); F(SinewJointLimbJob, softness); F(SinewJointLimbJob, stretch);
    F(SinewJointLimbJob, end_weight);
    S(SinewJointLimbResult); F(SinewJointLimbResult, root); F(SinewJointLimbResult, mid);
    F(SinewJointLimbResult, end); F(SinewJointLimbResult, stretch); F(SinewJointLimbResult, beyond);
    S(SinewTwoBoneJob); F(SinewTwoBoneJob, struct_size); F(SinewTwoBoneJob, root_mid); F(SinewTwoBoneJob, mid_end);
    F(SinewTwoBoneJob, target); F(SinewTwoBoneJob, pole); F(SinewTwoBoneJob, hinge); F(SinewTwoBoneJob, centre);
    F(SinewTwoBoneJob, weight); F(SinewTwoBoneJob, pole_weight); F(SinewTwoBoneJob, softness);
    F(SinewTwoBoneJob, stretch);
    S(SinewTwoBoneResult); F(SinewTwoBoneResult, root); F(SinewTwoBoneResult, mid); F(SinewTwoBoneResult, stretch);
    F(SinewTwoBoneResult, beyond);
    S(SinewWorld); F(SinewWorld, bits);
    S(SinewWorldArrays); F(SinewWorldArrays, locals); F(SinewWorldArrays, frames); F(SinewWorldArrays, joint_count);
    F(SinewWorldArrays, place);
    S(SinewWorldFrame); F(SinewWorldFrame, struct_size); F(SinewWorldFrame, row_count); F(SinewWorldFrame, layout);
    F(SinewWorldFrame, records_stride); F(SinewWorldFrame, records); F(SinewWorldFrame, pointers);
    F(SinewWorldFrame, positions); F(SinewWorldFrame, rotations); F(SinewWorldFrame, scales);
    F(SinewWorldFrame, positions_row_stride); F(SinewWorldFrame, positions_joint_stride);
    F(SinewWorldFrame, rotations_row_stride); F(SinewWorldFrame, rotations_joint_stride);
    F(SinewWorldFrame, scales_row_stride); F(SinewWorldFrame, scales_joint_stride); F(SinewWorldFrame, roots);
    F(SinewWorldFrame, inputs); F(SinewWorldFrame, roots_stride); F(SinewWorldFrame, inputs_stride);
    F(SinewWorldFrame, out_results); F(SinewWorldFrame, out_states);
    S(SinewWorldReport); F(SinewWorldReport, solved); F(SinewWorldReport, between); F(SinewWorldReport, cut);
    F(SinewWorldReport, off); F(SinewWorldReport, failed);
    return 0;
}
