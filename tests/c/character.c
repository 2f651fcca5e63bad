/* The rest of a character's day: getters, bone overrides, batches, and roots that are moved,
 * turned, scaled and mirrored. */
#include "calls.h"
#include "snapshot.h"

static Rig rig;
static SinewAnimator animator;
static SinewTransform *pose;
static Affine world[RIG_JOINTS];

static const int ENDS[4] = {RIG_LEFT_FOOT, RIG_RIGHT_FOOT, RIG_LEFT_HAND, RIG_RIGHT_HAND};
static const int MIDS[4] = {RIG_LEFT_LOWER_LEG, RIG_RIGHT_LOWER_LEG, RIG_LEFT_LOWER_ARM, RIG_RIGHT_LOWER_ARM};

static void fresh(int rolled)
{
    rig_make(&rig, rolled);
    animator = rig_animator(&rig);
    EXPECT_OK(sinew_animator_get_pose_buffer(animator, &pose, NULL));
    rig_bent_pose(&rig, 0.2, pose);
}
static void done(void)
{
    EXPECT_OK(sinew_animator_destroy(animator));
    rig_free(&rig);
}

/* Identity, moved and turned, scaled, scaled unevenly, mirrored, mirrored and uneven. */
enum { ROOTS = 6, EVEN_ROOTS = 3 };
static SinewTransform root_case(int k)
{
    static const double SCALES[ROOTS][3] = {{1, 1, 1}, {1, 1, 1}, {2.5, 2.5, 2.5}, {1, 1.4, 0.8}, {-1, 1, 1}, {0.7, -1.3, 1.1}};
    Quatd turn = k == 0 ? quatd(0, 0, 0, 1) : quatd_about(vec3d(0.3, 1, -0.2), 1.1 * k);
    Vec3d at = k == 0 ? vec3d(0, 0, 0) : vec3d(3, -1, 2);
    return transform(at, turn, vec3d(SCALES[k][0], SCALES[k][1], SCALES[k][2]));
}

static void joint_world_is_forward_kinematics_under_any_root(void)
{
    int rolled, k, j;
    for (rolled = 0; rolled < 2; ++rolled) {
        fresh(rolled);
        for (k = 0; k < ROOTS; ++k) {
            SinewTransform root = root_case(k);
            EXPECT_OK(sinew_animator_set_root(animator, &root));
            forward(RIG_JOINTS, rig.parents, pose, &root, world);
            for (j = 0; j < RIG_JOINTS; ++j) {
                SinewVec3 position;
                SinewQuat rotation;
                EXPECT_OK(sinew_animator_get_joint_world(animator, (uint32_t)j, &position, &rotation));
                CHECK(distance(from_vec3(position), world[j].at) < 1e-5, "root %d, joint %d: %g m off", k, j,
                      distance(from_vec3(position), world[j].at));
                if (k < EVEN_ROOTS) {
                    double off = quatd_angle(from_quat(rotation), orientation(j, rig.parents, pose, &root));
                    CHECK(off < 1e-5, "root %d, joint %d: %g rad off", k, j, off);
                }
            }
        }
        done();
    }
}

static void goals_are_reached_under_any_root(void)
{
    int rolled, k, goal;
    for (rolled = 0; rolled < 2; ++rolled) {
        for (k = 0; k < ROOTS; ++k) {
            SinewHumanoidInput input = full_input();
            SinewTransform root = root_case(k);
            Affine world_from_model = affine_from(&root);
            SinewOutcome outcome;
            fresh(rolled);
            EXPECT_OK(sinew_animator_set_root(animator, &root));
            input.set &= ~(uint32_t)(SINEW_INPUT_BODY_POSITION | SINEW_INPUT_BODY_ROTATION);
            for (goal = 0; goal < 4; ++goal) { /* the goals of full_input are in model space: bring them to world space */
                input.goals[goal].position = to_vec3(affine_point(&world_from_model, from_vec3(input.goals[goal].position)));
                input.hints[goal].position = to_vec3(affine_point(&world_from_model, from_vec3(input.hints[goal].position)));
                input.goals[goal].position_weight = 1.0f;
            }
            input.look_at_position = to_vec3(affine_point(&world_from_model, from_vec3(input.look_at_position)));
            EXPECT_OK(sinew_animator_set_input(animator, &input));
            EXPECT_OK(sinew_animator_solve(animator));
            forward(RIG_JOINTS, rig.parents, pose, &root, world);
            for (goal = 0; goal < 4; ++goal) {
                double off = distance(world[ENDS[goal]].at, from_vec3(input.goals[goal].position));
                CHECK(off < 2e-5, "rig %d, root %d, goal %d: %g m off", rolled, k, goal, off);
                EXPECT_OK(sinew_animator_get_ik_outcome(animator, goal, &outcome));
                CHECK(fabs(outcome.residual_m - off) < 2e-5, "root %d, goal %d: residual %g, really %g", k, goal,
                      (double)outcome.residual_m, off);
            }
            done();
        }
    }
}

static void getters_give_the_animation_until_something_is_set(void)
{
    SinewTransform root = root_case(1);
    SinewVec3 position, set = {0.2f, 1.1f, 0.3f};
    SinewQuat rotation;
    int goal;
    fresh(1);
    EXPECT_OK(sinew_animator_set_root(animator, &root));
    forward(RIG_JOINTS, rig.parents, pose, &root, world);
    for (goal = 0; goal < 4; ++goal) {
        EXPECT_OK(sinew_animator_get_ik_position(animator, goal, &position));
        CHECK(distance(from_vec3(position), world[ENDS[goal]].at) < 1e-5, "goal %d is not the animation's", goal);
        EXPECT_OK(sinew_animator_get_ik_hint_position(animator, goal, &position));
        CHECK(distance(from_vec3(position), world[MIDS[goal]].at) < 1e-5, "hint %d is not the animation's", goal);
        EXPECT_OK(sinew_animator_set_ik_position(animator, goal, &set));
        EXPECT_OK(sinew_animator_get_ik_position(animator, goal, &position));
        CHECK(memcmp(&position, &set, sizeof set) == 0, "goal %d is not what was set", goal);
        EXPECT_OK(sinew_animator_set_ik_hint_position(animator, goal, &set));
        EXPECT_OK(sinew_animator_get_ik_hint_position(animator, goal, &position));
        CHECK(memcmp(&position, &set, sizeof set) == 0, "hint %d is not what was set", goal);
    }
    EXPECT_OK(sinew_animator_set_look_at_position(animator, &set));
    EXPECT_OK(sinew_animator_get_look_at_position(animator, &position));
    CHECK(memcmp(&position, &set, sizeof set) == 0, "look-at is not what was set");
    EXPECT_OK(sinew_animator_get_bone_local_rotation(animator, SINEW_HUMAN_BONE_NECK, &rotation));
    CHECK(quatd_angle(from_quat(rotation), from_quat(pose[RIG_NECK].rotation)) < 1e-6, "the neck is not the animation's");
    EXPECT_OK(sinew_animator_solve(animator)); /* a new frame: the next callback sees the animation again */
    forward(RIG_JOINTS, rig.parents, pose, &root, world);
    EXPECT_OK(sinew_animator_get_ik_position(animator, 3, &position));
    CHECK(distance(from_vec3(position), world[ENDS[3]].at) < 1e-5, "after a solve the goal is not the pose's");
    done();
}

static void bone_overrides_replace_local_rotations(void)
{
    Quatd turn = quatd_about(vec3d(0.2, 1, 0.3), 0.6);
    SinewQuat q = to_quat(turn), got;
    SinewTransform before[RIG_JOINTS];
    int j;
    fresh(1);
    memcpy(before, pose, sizeof before);
    EXPECT_OK(sinew_animator_set_bone_local_rotation(animator, SINEW_HUMAN_BONE_CHEST, &q));
    EXPECT_OK(sinew_animator_get_bone_local_rotation(animator, SINEW_HUMAN_BONE_CHEST, &got));
    CHECK(quatd_angle(from_quat(got), turn) < 1e-6, "the getter does not give the replacement");
    EXPECT_OK(sinew_animator_solve(animator));
    for (j = 0; j < RIG_JOINTS; ++j) {
        if (j == RIG_CHEST) {
            CHECK(quatd_angle(from_quat(pose[j].rotation), turn) < 1e-6, "the chest was not replaced");
        } else {
            CHECK(memcmp(&pose[j], &before[j], sizeof before[j]) == 0, "joint %d changed too", j);
        }
    }
    EXPECT_OK(sinew_animator_clear_bone_local_rotations(animator));
    memcpy(pose, before, sizeof before);
    EXPECT_OK(sinew_animator_solve(animator));
    CHECK(memcmp(pose, before, sizeof before) == 0, "cleared, yet the pose changed");
    done();
}

static void all_input_can_be_cleared(void)
{
    SinewHumanoidInput input = full_input(), zero, read;
    SinewTransform before[RIG_JOINTS];
    SinewQuat q = {0, 0.6f, 0, 0.8f};
    fresh(0);
    memcpy(before, pose, sizeof before);
    EXPECT_OK(sinew_animator_set_input(animator, &input));
    EXPECT_OK(sinew_animator_set_bone_local_rotation(animator, SINEW_HUMAN_BONE_HEAD, &q));
    EXPECT_OK(sinew_animator_clear_body(animator));
    EXPECT_OK(sinew_animator_get_input(animator, &read));
    CHECK(read.set == (uint32_t)(SINEW_INPUT_BODY_POSITION - 1), "clear_body left set = %#x", read.set);
    EXPECT_OK(sinew_animator_reset_ik(animator));
    EXPECT_OK(sinew_animator_get_input(animator, &read));
    EXPECT_OK(sinew_humanoid_input_default(&zero));
    CHECK(memcmp(&read, &zero, sizeof zero) == 0, "a reset input is not the default one");
    EXPECT_OK(sinew_animator_solve(animator));
    CHECK(memcmp(pose, before, sizeof before) == 0, "reset, yet the pose changed");
    done();
}

static void a_batch_equals_single_solves_bit_for_bit(void)
{
    enum { MANY = 16 };
    SinewAnimator single[MANY], batch[MANY];
    int32_t results[MANY];
    Snapshot one, other;
    int k, j;
    fresh(1);
    for (k = 0; k < MANY; ++k) {
        SinewHumanoidInput input = full_input();
        SinewTransform animation[RIG_JOINTS], root = root_case(k % ROOTS);
        rig_bent_pose(&rig, 0.03 * k, animation);
        for (j = 0; j < 4; ++j) {
            input.goals[j].position_weight = (float)((k + j) % 5) / 4.0f;
        }
        single[k] = rig_animator(&rig);
        batch[k] = rig_animator(&rig);
        for (j = 0; j < 2; ++j) {
            SinewAnimator a = j == 0 ? single[k] : batch[k];
            EXPECT_OK(sinew_animator_set_pose(a, animation, RIG_JOINTS));
            EXPECT_OK(sinew_animator_set_root(a, &root));
            EXPECT_OK(sinew_animator_set_input(a, &input));
        }
        EXPECT_OK(sinew_animator_solve(single[k]));
        results[k] = -1;
    }
    EXPECT_OK(sinew_animator_solve_batch(batch, MANY, results));
    for (k = 0; k < MANY; ++k) {
        CHECK(results[k] == SINEW_OK, "result %d is %d", k, results[k]);
        snapshot(single[k], &one);
        snapshot(batch[k], &other);
        EXPECT_SAME(one, other, "animator %d differs", k);
        EXPECT_OK(sinew_animator_destroy(single[k]));
        EXPECT_OK(sinew_animator_destroy(batch[k]));
    }
    done();
}

static void the_avatar_knows_axes_scale_and_soles(void)
{
    int rolled;
    for (rolled = 0; rolled < 2; ++rolled) {
        SinewVec3 right, up, ahead;
        float scale = 0, left_sole = 0, right_sole = 0;
        uint32_t human = 0, found = 0;
        int32_t map[SINEW_HUMAN_BONE_COUNT], joint = 0;
        fresh(rolled);
        EXPECT_OK(sinew_avatar_get_axes(rig.avatar, &right, &up, &ahead));
        CHECK(angle(from_vec3(right), vec3d(1, 0, 0)) < 1e-3 && angle(from_vec3(up), vec3d(0, 1, 0)) < 1e-3 &&
                  angle(from_vec3(ahead), vec3d(0, 0, 1)) < 1e-3,
              "axes: right (%g %g %g), up (%g %g %g), forward (%g %g %g)", (double)right.x, (double)right.y, (double)right.z,
              (double)up.x, (double)up.y, (double)up.z, (double)ahead.x, (double)ahead.y, (double)ahead.z);
        EXPECT_OK(sinew_animator_get_human_scale(animator, &scale));
        CHECK(scale > 0.8f && scale < 1.2f, "human scale %g", (double)scale);
        EXPECT_OK(sinew_animator_get_left_feet_bottom_height(animator, &left_sole));
        EXPECT_OK(sinew_animator_get_right_feet_bottom_height(animator, &right_sole));
        CHECK(left_sole > 0.03f && left_sole < 0.12f && fabs(left_sole - right_sole) < 1e-4, "soles %g and %g",
              (double)left_sole, (double)right_sole);
        EXPECT_OK(sinew_animator_get_is_human(animator, &human));
        CHECK(human == 1, "not human");
        EXPECT_OK(sinew_skeleton_map_human_names(rig.skeleton, map, SINEW_HUMAN_BONE_COUNT, &found));
        CHECK(memcmp(map, rig.human, sizeof map) == 0 && found == 23, "map by names: %u found", found);
        EXPECT_OK(sinew_animator_get_bone_joint(animator, SINEW_HUMAN_BONE_RIGHT_HAND, &joint));
        CHECK(joint == RIG_RIGHT_HAND, "the right hand is joint %d", joint);
        done();
    }
}

static void debug_lines_follow_the_pose(void)
{
    SinewDebugLine lines[LINE_ROOM];
    SinewTransform root = root_case(2);
    SinewHumanoidInput input = full_input();
    uint32_t count = 0, k, parts[6] = {0, 0, 0, 0, 0, 0};
    fresh(1);
    EXPECT_OK(sinew_animator_set_root(animator, &root));
    EXPECT_OK(sinew_animator_set_input(animator, &input));
    EXPECT_OK(sinew_animator_solve(animator));
    forward(RIG_JOINTS, rig.parents, pose, &root, world);
    EXPECT_OK(sinew_animator_get_debug_lines(animator, lines, LINE_ROOM, &count));
    for (k = 0; k < count; ++k) {
        int j, found = 0;
        REQUIRE(lines[k].part >= SINEW_DEBUG_PART_BONE && lines[k].part <= SINEW_DEBUG_PART_BODY, "part %d", lines[k].part);
        ++parts[lines[k].part];
        for (j = 1; j < RIG_JOINTS && lines[k].part == SINEW_DEBUG_PART_BONE; ++j) {
            found |= distance(from_vec3(lines[k].from), world[rig.parents[j]].at) < 1e-4 &&
                     distance(from_vec3(lines[k].to), world[j].at) < 1e-4;
        }
        CHECK(found || lines[k].part != SINEW_DEBUG_PART_BONE, "bone line %u is no bone", k);
    }
    CHECK(parts[SINEW_DEBUG_PART_BONE] == RIG_JOINTS - 1 && parts[SINEW_DEBUG_PART_RESIDUAL] > 0 &&
              parts[SINEW_DEBUG_PART_GOAL_AXIS] > 0 && parts[SINEW_DEBUG_PART_HINT] > 0 && parts[SINEW_DEBUG_PART_LOOK_AT] > 0 &&
              parts[SINEW_DEBUG_PART_BODY] > 0,
          "lines per part: %u %u %u %u %u %u", parts[0], parts[1], parts[2], parts[3], parts[4], parts[5]);
    done();
}

/* Number `row`, `column` of a matrix of a layout. */
static double element(const float *matrix, int32_t layout, int row, int column)
{
    switch (layout) {
    case SINEW_MATRIX_LAYOUT_COLUMNS4X4: return (double)matrix[4 * column + row];
    case SINEW_MATRIX_LAYOUT_ROWS4X4: return (double)matrix[4 * row + column];
    case SINEW_MATRIX_LAYOUT_COLUMNS3X4: return (double)matrix[3 * column + row];
    default: return (double)matrix[4 * row + column];
    }
}

/* The largest difference between a matrix and an affine map. */
static double matrix_off(const float *matrix, int32_t layout, const Affine *wanted)
{
    const Vec3d columns[4] = {wanted->x, wanted->y, wanted->z, wanted->at};
    int row, column, rows = layout == SINEW_MATRIX_LAYOUT_COLUMNS4X4 || layout == SINEW_MATRIX_LAYOUT_ROWS4X4 ? 4 : 3;
    double worst = 0;
    for (row = 0; row < rows; ++row) {
        for (column = 0; column < 4; ++column) {
            const double last = column == 3 ? 1 : 0;
            const double want = row == 0 ? columns[column].x : row == 1 ? columns[column].y : row == 2 ? columns[column].z : last;
            worst = fmax(worst, fabs(element(matrix, layout, row, column) - want));
        }
    }
    return worst;
}

static void matrices_are_forward_kinematics_in_every_layout(void)
{
    static float model[16 * RIG_JOINTS], placed[16 * RIG_JOINTS];
    SinewTransform identity = root_case(0);
    Affine in_model[RIG_JOINTS];
    int32_t layout;
    int k, j;
    fresh(1);
    for (k = 0; k < ROOTS; ++k) {
        SinewTransform root = root_case(k);
        EXPECT_OK(sinew_animator_set_root(animator, &root));
        forward(RIG_JOINTS, rig.parents, pose, &root, world);
        forward(RIG_JOINTS, rig.parents, pose, &identity, in_model);
        for (layout = 0; layout < 4; ++layout) {
            const int size = layout < SINEW_MATRIX_LAYOUT_COLUMNS3X4 ? 16 : 12;
            memset(model, 0xA5, sizeof model);
            memset(placed, 0xA5, sizeof placed);
            EXPECT_OK(sinew_animator_get_model_matrices(animator, layout, model, RIG_JOINTS));
            EXPECT_OK(sinew_animator_get_world_matrices(animator, layout, placed, RIG_JOINTS));
            for (j = 0; j < RIG_JOINTS; ++j) {
                double off = matrix_off(model + size * j, layout, &in_model[j]);
                CHECK(off < 1e-5, "root %d, layout %d, joint %d: %g off in model space", k, (int)layout, j, off);
                off = matrix_off(placed + size * j, layout, &world[j]);
                CHECK(off < 2e-5, "root %d, layout %d, joint %d: %g off in world space", k, (int)layout, j, off);
            }
            for (j = size * RIG_JOINTS; j < 16 * RIG_JOINTS; ++j) {
                CHECK(((unsigned char *)&model[j])[0] == 0xA5, "layout %d wrote beyond its matrices", (int)layout);
            }
        }
        EXPECT(SINEW_ERROR_LENGTH_MISMATCH, sinew_animator_get_world_matrices(animator, 0, placed, RIG_JOINTS - 1));
    }
    done();
}

static void names_and_constraints_can_be_listed(void)
{
    SinewConstraint added[3], listed[5];
    char name[64];
    uint32_t length = 0, count = 9, j, k;
    fresh(0);
    for (j = 0; j < RIG_JOINTS; ++j) {
        EXPECT_OK(sinew_skeleton_get_joint_name(rig.skeleton, j, name, sizeof name, &length));
        CHECK(strcmp(name, rig.names[j]) == 0 && length == strlen(name) + 1, "joint %u is \"%s\", %u bytes", j, name, length);
    }
    memset(name, 'x', sizeof name);
    EXPECT(SINEW_ERROR_BUFFER_TOO_SMALL, sinew_skeleton_get_joint_name(rig.skeleton, 0, name, 2, &length));
    CHECK(name[0] == 'x' && length == strlen(rig.names[0]) + 1, "too small, yet it wrote; %u bytes needed", length);
    EXPECT(SINEW_ERROR_OUT_OF_RANGE, sinew_skeleton_get_joint_name(rig.skeleton, RIG_JOINTS, name, sizeof name, &length));
    EXPECT_OK(sinew_animator_get_constraints(animator, NULL, 0, &count));
    CHECK(count == 0, "%u constraints of none", count);
    for (k = 0; k < 3; ++k) {
        SinewChainEnd end;
        SinewChainDef def = rig_chain_def(&end);
        EXPECT_OK(sinew_animator_add_chain(animator, &def, &added[k]));
    }
    EXPECT(SINEW_ERROR_BUFFER_TOO_SMALL, sinew_animator_get_constraints(animator, listed, 2, &count));
    CHECK(count == 3, "%u constraints of 3", count);
    EXPECT_OK(sinew_animator_get_constraints(animator, listed, 5, &count));
    for (k = 0; k < 3; ++k) {
        CHECK(count == 3 && listed[k].bits == added[k].bits, "constraint %u of %u is another", k, count);
    }
    /* One before a step is solved before the others. */
    EXPECT_OK(sinew_animator_set_constraint_placement(animator, added[2], SINEW_CONSTRAINT_PLACEMENT_BEFORE, SINEW_FRAME_STEP_LIMBS));
    EXPECT_OK(sinew_animator_get_constraints(animator, listed, 5, &count));
    CHECK(listed[0].bits == added[2].bits && listed[1].bits == added[0].bits, "the order is not that of the solve");
    EXPECT_OK(sinew_animator_remove_constraint(animator, added[0]));
    EXPECT_OK(sinew_animator_get_constraints(animator, listed, 5, &count));
    CHECK(count == 2 && listed[1].bits == added[1].bits, "%u constraints after one was removed", count);
    done();
}

/* Two animators that were set up alike, one frame of each. */
static void same_frame(SinewAnimator a, int frame)
{
    SinewHumanoidInput input = full_input();
    input.goals[2].position.x += 0.01f * (float)frame;
    EXPECT_OK(sinew_animator_reset_pose(a));
    EXPECT_OK(sinew_animator_set_input(a, &input));
    EXPECT_OK(sinew_animator_advance(a, 1.0f / 60));
    EXPECT_OK(sinew_animator_solve(a));
}

static uint64_t hash_of(SinewAnimator a)
{
    uint64_t hash = 0;
    EXPECT_OK(sinew_animator_hash(a, &hash));
    return hash;
}

static void a_hash_is_that_of_the_state_and_follows_every_change(void)
{
    SinewAnimator twin;
    SinewHumanoidSettings settings;
    SinewConstraint chains[2];
    SinewAnimator both[2];
    SinewVec3 at = {0.1f, 1.2f, 0.3f};
    SinewTransform root = root_case(1);
    SinewWorld worlds[2];
    unsigned char saved[16384];
    uint64_t seen[12], hash, of_world[2];
    uint32_t size = 0;
    int k, m, count = 0, frame;
    fresh(0);
    twin = rig_animator(&rig);
    both[0] = animator;
    both[1] = twin;
    EXPECT_OK(sinew_humanoid_settings_default(&settings));
    for (k = 0; k < 4; ++k) {
        settings.inertialization_times_s[k] = 0.2f;
    }
    for (k = 0; k < 2; ++k) {
        SinewChainEnd end;
        SinewChainDef def = rig_chain_def(&end);
        EXPECT_OK(sinew_animator_set_settings(both[k], &settings));
        EXPECT_OK(sinew_animator_add_chain(both[k], &def, &chains[k]));
        for (frame = 0; frame < 5; ++frame) {
            same_frame(both[k], frame);
        }
    }
    CHECK(hash_of(animator) == hash_of(twin), "twins have different hashes");
    CHECK(hash_of(animator) == hash_of(animator), "a hash changes by itself");
    /* Each change by itself is seen. */
    seen[count++] = hash_of(twin);
    EXPECT_OK(sinew_animator_set_root(twin, &root));
    seen[count++] = hash_of(twin);
    EXPECT_OK(sinew_animator_set_ik_position(twin, 1, &at));
    seen[count++] = hash_of(twin);
    EXPECT_OK(sinew_animator_set_ik_hint_position_weight(twin, 1, 0.25f));
    seen[count++] = hash_of(twin);
    EXPECT_OK(sinew_animator_set_constraint_position(twin, chains[1], 0, &at));
    seen[count++] = hash_of(twin);
    EXPECT_OK(sinew_animator_set_constraint_weight(twin, chains[1], 0.5f));
    seen[count++] = hash_of(twin);
    EXPECT_OK(sinew_animator_inertialize(twin, 2));
    EXPECT_OK(sinew_animator_solve(twin));
    seen[count++] = hash_of(twin);
    EXPECT_OK(sinew_animator_set_constraint_inertialization_time(twin, chains[1], 0.25f));
    EXPECT_OK(sinew_animator_solve(twin));
    EXPECT_OK(sinew_animator_inertialize_constraint(twin, chains[1]));
    seen[count++] = hash_of(twin);
    EXPECT_OK(sinew_animator_reset_pose(twin));
    seen[count++] = hash_of(twin);
    for (k = 0; k < count; ++k) {
        for (m = 0; m < k; ++m) {
            CHECK(seen[k] != seen[m], "change %d has the hash of change %d", k, m);
        }
    }
    /* Rolled back and played again: the same hashes, frame by frame. */
    EXPECT_OK(sinew_animator_snapshot(animator, saved, sizeof saved, &size));
    for (frame = 5; frame < 12; ++frame) {
        same_frame(animator, frame);
        seen[frame - 5] = hash_of(animator);
    }
    EXPECT_OK(sinew_animator_restore(animator, saved, size));
    for (frame = 5; frame < 12; ++frame) {
        same_frame(animator, frame);
        hash = hash_of(animator);
        CHECK(hash == seen[frame - 5], "frame %d after the roll-back has another hash", frame);
    }
    /* A world's hash is that of its animators. */
    for (k = 0; k < 2; ++k) {
        EXPECT_OK(sinew_world_create(&worlds[k]));
        EXPECT_OK(sinew_world_hash(worlds[k], &of_world[k]));
    }
    CHECK(of_world[0] == of_world[1], "empty worlds have different hashes");
    EXPECT_OK(sinew_world_join(worlds[0], animator, NULL));
    EXPECT_OK(sinew_world_hash(worlds[0], &of_world[0]));
    CHECK(of_world[0] != of_world[1], "a member does not count");
    same_frame(animator, 40);
    EXPECT_OK(sinew_world_hash(worlds[0], &hash));
    CHECK(hash != of_world[0], "a member's state does not count");
    EXPECT_OK(sinew_world_destroy(worlds[0]));
    EXPECT_OK(sinew_world_destroy(worlds[1]));
    EXPECT_OK(sinew_animator_destroy(twin));
    done();
}

int main(void)
{
    RUN(matrices_are_forward_kinematics_in_every_layout);
    RUN(names_and_constraints_can_be_listed);
    RUN(a_hash_is_that_of_the_state_and_follows_every_change);
    RUN(joint_world_is_forward_kinematics_under_any_root);
    RUN(goals_are_reached_under_any_root);
    RUN(getters_give_the_animation_until_something_is_set);
    RUN(bone_overrides_replace_local_rotations);
    RUN(all_input_can_be_cleared);
    RUN(a_batch_equals_single_solves_bit_for_bit);
    RUN(the_avatar_knows_axes_scale_and_soles);
    RUN(debug_lines_follow_the_pose);
    return check_report();
}
