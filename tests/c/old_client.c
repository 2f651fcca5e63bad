/* Clients that were compiled against older headers: the library fills and reads no more of their
 * structs than they have. */
#include "rig.h"

#include <stddef.h>

/* function, name, type */
#define SIZED_STRUCTS(X) \
    X(sinew_skeleton_def_default, SKELETON_DEF, SinewSkeletonDef) \
    X(sinew_avatar_def_default, AVATAR_DEF, SinewAvatarDef) \
    X(sinew_mapping_hints_default, MAPPING_HINTS, SinewMappingHints) \
    X(sinew_animator_def_default, ANIMATOR_DEF, SinewAnimatorDef) \
    X(sinew_humanoid_input_default, HUMANOID_INPUT, SinewHumanoidInput) \
    X(sinew_humanoid_settings_default, HUMANOID_SETTINGS, SinewHumanoidSettings) \
    X(sinew_match_target_default, MATCH_TARGET, SinewMatchTarget) \
    X(sinew_chain_def_default, CHAIN_DEF, SinewChainDef) \
    X(sinew_two_bone_def_default, TWO_BONE_DEF, SinewTwoBoneDef) \
    X(sinew_copy_rotation_def_default, COPY_ROTATION_DEF, SinewCopyRotationDef) \
    X(sinew_aim_def_default, AIM_DEF, SinewAimDef) \
    X(sinew_spline_def_default, SPLINE_DEF, SinewSplineDef) \
    X(sinew_constraint_goal_default, CONSTRAINT_GOAL, SinewConstraintGoal) \
    X(sinew_pole_default, POLE, SinewPole) \
    X(sinew_joint_limits_default, JOINT_LIMITS, SinewJointLimits) \
    X(sinew_body_settings_default, BODY_SETTINGS, SinewBodySettings) \
    X(sinew_body_drag_default, BODY_DRAG, SinewBodyDrag) \
    X(sinew_body_solver_settings_default, BODY_SOLVER_SETTINGS, SinewBodySolverSettings) \
    X(sinew_world_frame_default, WORLD_FRAME, SinewWorldFrame) \
    X(sinew_grounder_settings_default, GROUNDER_SETTINGS, SinewGrounderSettings) \
    X(sinew_foot_model_default, FOOT_MODEL, SinewFootModel) \
    X(sinew_grounder_frame_default, GROUNDER_FRAME, SinewGrounderFrame) \
    X(sinew_stepping_settings_default, STEPPING_SETTINGS, SinewSteppingSettings) \
    X(sinew_contact_rule_default, CONTACT_RULE, SinewContactRule) \
    X(sinew_tracked_body_settings_default, TRACKED_BODY_SETTINGS, SinewTrackedBodySettings) \
    X(sinew_two_bone_job_default, TWO_BONE_JOB, SinewTwoBoneJob) \
    X(sinew_joint_limb_job_default, JOINT_LIMB_JOB, SinewJointLimbJob) \
    X(sinew_aim_job_default, AIM_JOB, SinewAimJob) \
    X(sinew_chain_job_default, CHAIN_JOB, SinewChainJob) \
    X(sinew_joint_coupling_default, JOINT_COUPLING, SinewJointCoupling)

enum { ROOM = 4096, AFTER = 0x5A };

typedef struct Sized {
    const char *name;
    int32_t which;
    size_t size;
    SinewResult (*macro)(void *out);
    SinewResult (*function)(void *out);
} Sized;

/* As a program calls it, and as other languages do. */
#define CALLERS(function, which, type)                                                   \
    static SinewResult macro_##function(void *out) { return function((type *)out); }     \
    static SinewResult plain_##function(void *out) { return (function)((type *)out); }
SIZED_STRUCTS(CALLERS)
#define SIZED_ROW(function, which, type) \
    {#function, (int32_t)SINEW_SIZED_STRUCT_##which, sizeof(type), macro_##function, plain_##function},
static const Sized ALL[] = {SIZED_STRUCTS(SIZED_ROW)};
enum { ALL_COUNT = (int)(sizeof ALL / sizeof ALL[0]) };

static union {
    uint64_t align;
    unsigned char bytes[ROOM];
} given, other;

static int is_after(size_t from)
{
    for (; from < ROOM; ++from) {
        if (given.bytes[from] != AFTER) {
            return 0;
        }
    }
    return 1;
}

static void defaults_state_the_size_of_the_callers_struct(void)
{
    uint32_t size;
    int k;
    for (k = 0; k < ALL_COUNT; ++k) {
        memset(&given, AFTER, sizeof given);
        memset(&other, AFTER, sizeof other);
        EXPECT_OK(ALL[k].macro(given.bytes));
        EXPECT_OK(ALL[k].function(other.bytes));
        memcpy(&size, given.bytes, sizeof size);
        CHECK(size == ALL[k].size, "%s wrote struct_size %u, not %u", ALL[k].name, size, (unsigned)ALL[k].size);
        CHECK(memcmp(&given, &other, 8) == 0, "%s: macro and function differ", ALL[k].name);
        CHECK(is_after(ALL[k].size), "%s wrote beyond its struct", ALL[k].name);
        EXPECT(SINEW_ERROR_NULL_POINTER, ALL[k].macro(NULL));
    }
}

static int has_been_of(const Sized *type, size_t size)
{
    return type->which == (int32_t)SINEW_SIZED_STRUCT_AVATAR_DEF ||
           (type->which == (int32_t)SINEW_SIZED_STRUCT_HUMANOID_SETTINGS &&
            (size == offsetof(SinewHumanoidSettings, look_at_inertialization_time_s) ||
             size == offsetof(SinewHumanoidSettings, trunk_avoidance))) ||
           (type->which == (int32_t)SINEW_SIZED_STRUCT_GROUNDER_SETTINGS && size == offsetof(SinewGrounderSettings, scale));
}

static void a_size_that_a_struct_never_had_is_refused(void)
{
    const char *text = "";
    uint32_t size;
    int k;
    for (k = 0; k < ALL_COUNT; ++k) {
        for (size = 0; size < ALL[k].size + 64; ++size) {
            memset(&given, AFTER, sizeof given);
            if (sinew_default_sized(ALL[k].which, 0, given.bytes, size) == SINEW_OK) {
                CHECK(is_after(size), "%s of %u bytes is overrun", ALL[k].name, size);
                CHECK(size == ALL[k].size || has_been_of(&ALL[k], size), "%s of %u bytes is taken", ALL[k].name, size);
                continue;
            }
            CHECK(is_after(0), "%s of %u bytes was refused and written", ALL[k].name, size);
            (void)sinew_last_error(&text);
            CHECK(strstr(text, ALL[k].name) != NULL, "%s: the text is \"%s\"", ALL[k].name, text);
            EXPECT(SINEW_ERROR_STRUCT_SIZE, sinew_default_sized(ALL[k].which, 0, given.bytes, size));
        }
    }
    EXPECT(SINEW_ERROR_INVALID_ENUM, sinew_default_sized(-1, 0, given.bytes, 8));
    EXPECT(SINEW_ERROR_INVALID_ENUM, sinew_default_sized(1000, 0, given.bytes, 8));
    EXPECT(SINEW_ERROR_INVALID_ENUM,
           sinew_default_sized((int32_t)SINEW_SIZED_STRUCT_BODY_TASK_DEF, 99, given.bytes, sizeof(SinewBodyTaskDef)));
}

static void the_task_of_a_body_takes_its_kind(void)
{
    SinewBodyTaskDef def, plain;
    EXPECT_OK(sinew_body_task_default((int32_t)SINEW_BODY_TASK_KIND_GAZE, &def));
    EXPECT_OK((sinew_body_task_default)((int32_t)SINEW_BODY_TASK_KIND_GAZE, &plain));
    CHECK(memcmp(&def, &plain, sizeof def) == 0 && def.kind == (int32_t)SINEW_BODY_TASK_KIND_GAZE, "another kind");
}

/* SinewAvatarDef as it was before twist and feet spacing were added, with its macro. */
typedef struct OldAvatarDef {
    uint32_t struct_size;
    uint32_t human_joint_count;
    SinewSkeleton skeleton;
    const int32_t *human_joints;
    const SinewTransform *t_pose;
    SinewVec3 up;
    SinewVec3 forward;
    float arm_stretch;
    float leg_stretch;
} OldAvatarDef;
#define old_avatar_def_default(out) \
    sinew_default_sized(SINEW_SIZED_STRUCT_AVATAR_DEF, 0, (1 ? (out) : (OldAvatarDef *)0), (uint32_t)sizeof(OldAvatarDef))

static void a_client_with_smaller_structs_is_never_overrun(void)
{
    struct {
        OldAvatarDef def;
        unsigned char after[64];
    } old;
    SinewAvatarDef def;
    SinewAvatar avatar;
    Rig rig;
    size_t k;
    float scale = 0, today = 1;
    CHECK(sizeof(OldAvatarDef) < sizeof(SinewAvatarDef) && sizeof(OldAvatarDef) == offsetof(SinewAvatarDef, upper_arm_twist),
          "it has not grown");
    rig_make(&rig, 1);
    memset(&old, AFTER, sizeof old);
    EXPECT_OK(old_avatar_def_default(&old.def));
    for (k = 0; k < sizeof old.after; ++k) {
        CHECK(old.after[k] == AFTER, "byte %u beyond the struct was written", (unsigned)k);
    }
    CHECK(old.def.struct_size == sizeof(OldAvatarDef) && old.def.arm_stretch == 0.05f, "other defaults");
    old.def.skeleton = rig.skeleton;
    old.def.human_joints = rig.human;
    EXPECT_OK(sinew_avatar_create((const SinewAvatarDef *)(const void *)&old.def, &avatar));
    EXPECT_OK(sinew_avatar_get_human_scale(avatar, &scale));
    EXPECT_OK(sinew_avatar_destroy(avatar));
    def = rig_avatar_def(&rig);
    EXPECT_OK(sinew_avatar_create(&def, &avatar));
    EXPECT_OK(sinew_avatar_get_human_scale(avatar, &today));
    EXPECT_OK(sinew_avatar_destroy(avatar));
    CHECK(scale == today, "an avatar of the old definition differs");
    rig_free(&rig);
}

int main(void)
{
    RUN(defaults_state_the_size_of_the_callers_struct);
    RUN(a_size_that_a_struct_never_had_is_refused);
    RUN(the_task_of_a_body_takes_its_kind);
    RUN(a_client_with_smaller_structs_is_never_overrun);
    return check_report();
}
