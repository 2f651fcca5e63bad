//! The sections of the header, in its order.
//!
//! Every file of `src/ffi` that exports anything belongs to exactly one section; generation fails
//! when one is in none, in two, or does not exist. Within a section the order is: constants, enums,
//! structs, callbacks, functions, each in the order of the files and of the items in them.

use anyhow::{Result, bail};

/// A group of the header (`@defgroup`).
pub struct Section {
    /// Identifier of the group, without the prefix `sinew_`.
    pub id: &'static str,
    /// Title.
    pub title: &'static str,
    /// What its items have in common, one paragraph per entry.
    pub text: &'static [&'static str],
    /// Files below `src/ffi`, without `.rs`.
    pub files: &'static [&'static str],
}

/// All sections.
pub const SECTIONS: &[Section] = &[
    Section {
        id: "result",
        title: "Results, errors, version",
        text: &[],
        files: &["result", "types/version", "version"],
    },
    Section {
        id: "sizes",
        title: "Sizes of structs",
        text: &[
            "A struct that begins with struct_size may grow at its end. Its ..._default function is a macro, too, \
                 which states the size that it had when the program was compiled.",
        ],
        files: &["types/sized", "defaults"],
    },
    Section {
        id: "memory",
        title: "Memory",
        text: &["Calls that allocate return SINEW_ERROR_OUT_OF_MEMORY when there is no memory for them; \
                 nothing has changed then. That holds for the libraries that are shipped; where memory runs \
                 out in one that was built without the feature `host-allocator`, the process ends."],
        files: &["types/memory", "allocator"],
    },
    Section {
        id: "math",
        title: "Vectors, quaternions, transforms",
        text: &["Layouts are those of plain C floats; pointers need the alignment of a float only."],
        files: &["types/math"],
    },
    Section {
        id: "handle",
        title: "Handles",
        text: &["Passed by value. 0 is null; a handle whose object is destroyed is refused, never reused."],
        files: &["ids"],
    },
    Section { id: "outcome", title: "Outcomes", text: &[], files: &["types/outcome"] },
    Section {
        id: "skeleton",
        title: "Skeletons",
        text: &["A rig: joints with parents, rest transforms and names. Immutable; any number of animators \
                 share one."],
        files: &["types/skeleton", "skeleton"],
    },
    Section {
        id: "avatar",
        title: "Avatars and human bones",
        text: &["An avatar maps human bones to the joints of a skeleton. An animator that has one is a \
                 humanoid and takes goals for hands and feet, a look-at, and body goals."],
        files: &["types/human_bone", "types/avatar", "types/mapping", "avatar", "mapping", "human_ranges"],
    },
    Section {
        id: "animator",
        title: "Animators",
        text: &["One character of any rig. Each frame: write the animation of every joint to the pose \
                 buffer, set root and goals, solve, read the result from the pose buffer."],
        files: &["types/animator", "types/matrix", "animator", "animator_matrices"],
    },
    Section {
        id: "humanoid",
        title: "Humanoid goals",
        text: &["The calls of Unity's Animator. All of them return SINEW_ERROR_NOT_HUMANOID for an animator \
                 without avatar, except sinew_animator_get_is_human and sinew_animator_get_human_scale."],
        files: &["types/humanoid", "animator_ik", "animator_body"],
    },
    Section {
        id: "settings",
        title: "Humanoid settings and switches",
        text: &["Features beyond Unity's: compensation by shoulder, spine and hips, human joint limits, and \
                 switches of goals that take time. SINEW_ERROR_NOT_HUMANOID as above."],
        files: &["animator_settings"],
    },
    Section {
        id: "frame",
        title: "Steps of a frame, and state between frames",
        text: &["The order in which a solve runs its steps, where constraints are placed among them, and \
                 what lasts from one frame to the next."],
        files: &["types/frame", "animator_state", "animator_work", "hash"],
    },
    Section {
        id: "match",
        title: "Matching pose and targets",
        text: &["Root motion that brings a body part to a target, and seamless changes between animation \
                 and IK. SINEW_ERROR_NOT_HUMANOID as above."],
        files: &["types/match_target", "animator_match"],
    },
    Section {
        id: "constraint",
        title: "Constraints",
        text: &["Chains, limbs, aims and splines of any rig, humanoid or not. They are solved after the \
                 humanoid goals, in the order they were added, and have no effect until they have a weight \
                 and a goal. What a definition points to is copied."],
        files: &["types/constraint", "constraints"],
    },
    Section {
        id: "goal",
        title: "Goals of constraints",
        text: &["A constraint has one goal per end (a spline: per control point) and at most one pole."],
        files: &["types/constraint_goal", "constraint_goals"],
    },
    Section {
        id: "limits",
        title: "Joint limits",
        text: &["Limits of single joints of any rig. Ranges of human bones: see SinewHumanRange."],
        files: &["types/joint_limits", "joint_limits"],
    },
    Section { id: "debug", title: "Debug lines", text: &[], files: &["types/debug_line", "animator_debug"] },
    Section {
        id: "body",
        title: "The whole body",
        text: &["Any number of tasks on one skeleton, met in one solve: effectors, directions, distances, \
                 ties between joints, the centre of mass, with limits and priorities. On any rig; the host \
                 carries poses to a body and results away. docs/body.md is the manual."],
        files: &[
            "types/body",
            "types/body_host",
            "body",
            "body_tasks",
            "body_host",
            "body_solve",
            "body_batch",
            "body_meet",
            "body_drag",
        ],
    },
    Section {
        id: "body_solver",
        title: "The whole body of a humanoid",
        text: &["The goals of a humanoid animator met by the whole body at once, and effectors beside hands \
                 and feet: a switch of the animator, off by default. SINEW_ERROR_NOT_HUMANOID as above."],
        files: &["types/body_solver", "body_solver"],
    },
    Section {
        id: "world",
        title: "Worlds",
        text: &["A set of animators that one call solves: eight at a time, on one or many threads, with \
                 levels of detail and a time budget. docs/world.md is the manual."],
        files: &["types/world", "world", "world_arrays", "world_jobs", "world_solve"],
    },
    Section {
        id: "grounding",
        title: "Grounding",
        text: &["Feet on the ground for any number of legs, without animator or skeleton: the library says \
                 which ground it must know, the host answers, joints and a pelvis offset come back. \
                 docs/grounding.md is the manual."],
        files: &[
            "types/grounding",
            "grounder",
            "grounder_frame",
            "grounder_stepping",
            "grounder_debug",
            "animator_grounding",
        ],
    },
    Section {
        id: "trackers",
        title: "Trackers",
        text: &["A whole body from three to 25 trackers: headset, controllers and whatever else is \
                 worn. Samples in, the pose of an avatar out, before an animator's solve. docs/trackers.md \
                 is the manual."],
        files: &["types/trackers", "tracked_body", "tracker_calibration", "tracker_network"],
    },
    Section {
        id: "record",
        title: "Recordings",
        text: &["All calls with their data in a file, to be replayed natively with the same bits. \
                 docs/recording.md is the manual."],
        files: &["types/record", "record"],
    },
    Section {
        id: "kernel",
        title: "Kernels",
        text: &["Closed forms, chains and model frames as plain functions, without skeleton or animator, \
                 for hosts with their own pose data and job system. Inputs and results are plain structs \
                 and arrays; a batch gives each job the bits of the single call. docs/batch.md is the manual."],
        files: &["types/limb_job", "types/aim_job", "types/chain_job", "two_bone", "joint_limb", "aim", "chain_solve"],
    },
];

/// Checks that `exported`, files below `src/ffi` without `.rs`, are exactly those of the sections.
pub fn check(exported: &[String]) -> Result<()> {
    for file in exported {
        let count = SECTIONS.iter().flat_map(|s| s.files).filter(|f| *f == file).count();
        if count != 1 {
            bail!(
                "src/ffi/{file}.rs is in {count} sections of the header, not in one: see SECTIONS in \
                 xtask/src/codegen/sections.rs"
            );
        }
    }
    for file in SECTIONS.iter().flat_map(|s| s.files) {
        if !exported.iter().any(|e| e == file) {
            bail!("xtask/src/codegen/sections.rs lists {file}, which src/ffi does not export");
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed() -> Vec<String> {
        SECTIONS.iter().flat_map(|s| s.files).map(|f| f.to_string()).collect()
    }

    #[test]
    fn a_file_that_is_in_no_section_is_an_error() {
        assert!(check(&listed()).is_ok());
        let mut more = listed();
        more.push("forgotten".into());
        let message = check(&more).expect_err("a file too many").to_string();
        assert!(message.contains("src/ffi/forgotten.rs"), "{message}");
    }

    #[test]
    fn a_section_that_lists_a_missing_file_is_an_error() {
        let mut fewer = listed();
        let gone = fewer.remove(3);
        let message = check(&fewer).expect_err("a file too few").to_string();
        assert!(message.contains(&gone), "{message}");
    }
}
