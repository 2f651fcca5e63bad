/* What the snippets of the manual take for granted: the host's own variables. tests/snippets.rs
 * includes this before each of them and compiles; nothing is run. */
#include <sinew/sinew.h>

extern SinewSkeleton skeleton;
extern SinewAvatar avatar;
extern SinewAnimator animator, far_away;
extern SinewWorld world;
extern SinewGrounder grounder;
extern SinewTrackedBody body, remote;
extern SinewConstraint constraint;
extern SinewAvatarDef avatar_def;
extern SinewHumanoidSettings settings;
extern SinewVec3 handle, other_handle, enemy, beside, center, ankle, forestock, strap_of_chest;
extern SinewVec3 touch_down, zero, apple, forward, palm, cup, place, at_chest;
extern SinewVec3 grip_right_of_chest, grip_left_of_chest, barrel_of_chest;
extern SinewQuat grip, rotation, turn, toes[2], local;
extern SinewTransform root, *pose, *poses;
extern SinewGrounderFrame ground_frame;
extern SinewGrounderBody ground_body;
extern SinewFootModel feet[2];
extern SinewGrounderLeg legs[2];
extern SinewGrounderLegResult results[2];
extern SinewGroundQuery queries[10];
extern SinewGroundHit hits[10];
extern SinewBodyOutcome outcome;
extern SinewWorldReport report;
extern SinewWorldArrays at;
extern SinewWorldFrame frame;
extern uint32_t query_count, row, size, pose_count, joint_count, chest, hips, right_hand, left_foot;
extern uint32_t thigh[2], shin[2], foot[2], toe_root[2];
extern uint32_t tail_tip, ankle_joint, barrel, base, twist_bone, hand_joint, knee_joint, joint;
extern int is_planted, was_planted, i;
extern float dt_s, rotation_x, y;
extern double now, time_of_the_sample;
extern uint8_t bytes[4096];

extern float weight;
extern int stick_is_pushed;
extern SinewVec3 origin;
float move_toward(float value, float goal, float step);
void cast_rays(const SinewGroundQuery *queries, SinewGroundHit *hits, uint32_t count);
SinewVec3 target_in_parents_space(int limb);
SinewQuat multiply(SinewQuat a, SinewQuat b);
SinewQuat inverse(SinewQuat a);

typedef struct Ball {
    SinewVec3 center, palm;
    float radius;
} Ball;
extern Ball ball;
extern SinewBodyTaskDef def;
extern SinewBody figure, people[2];
extern SinewTransform *pose_of[2];
extern SinewBodyTask palms[2];
extern SinewBodyTask task;
extern float error;
SinewVec3 point_of(const SinewTaskPlacement *joint, SinewVec3 point);
SinewVec3 minus(SinewVec3 a, SinewVec3 b);
SinewVec3 times(SinewVec3 a, float factor);
float length_of(SinewVec3 a);
