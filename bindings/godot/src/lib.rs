//! Sinew for Godot 4.6: inverse kinematics as `SkeletonModifier3D` nodes.
//!
//! Files, in the order data flows; each uses only those above it:
//!
//! | file | what is in it |
//! |---|---|
//! | `convert` | numbers of Godot to numbers of the core and back |
//! | `calls` | the engine calls that updates consist of |
//! | `argument` | arguments of methods: numbers out of range, arrays of any type |
//! | `snapshot` | snapshots of nodes, as bytes |
//! | `property` | property types that note their changes; targets given as node paths |
//! | `bones` | a `Skeleton3D` as a skeleton of the core: which bone is which joint |
//! | `display` | display of a node: debug lines in the 3D view, warnings in the editor |
//! | `detail` | levels of detail |
//! | `attached` | an animator on a `Skeleton3D`: poses in and out, world and skeleton space |
//! | `recording` | `Sinew`: recordings begin and end |
//! | `outcome` | outcomes in Godot's types |
//! | `limits` | `SinewSkeletonLimits`, `SinewJointLimits`: joint limits, as resources |
//! | `constraint` | shared code of the nodes with one constraint |
//! | `constraint_lines` | a constraint and its limits as lines |
//! | `body_rows` | rows of an effector that a Callable computes |
//! | `body_effector` | `SinewBodyEffector`: one demand on a whole body, as a resource |
//! | `whole_body` | effectors as tasks of a body, and its solve |
//! | `two_bone_ik`, `chain_ik`, `spline_ik`, `copy_rotation` | nodes for any skeleton |
//! | `chain_snapshot` | last answer and snapshots of a chain |
//! | `ground_time` | motion in physics ticks, made even over the frames between them |
//! | `ground_cast` | queries of a grounder in the physics world |
//! | `avatar` | the map of human bones, shared by all characters of a rig |
//! | `ground_rig` | the legs of a skeleton for its grounder |
//! | `grounder` | feet on the ground |
//! | `ground_snapshot` | its snapshots |
//! | `ground_settings` | settings from its properties |
//! | `tracker` | `SinewTracker`: a tracker of a tracked body, as a resource |
//! | `xr_body` | bodies of the XRServer, read and written |
//! | `tracked_body` | a whole body from trackers |
//! | `tracked_snapshot` | its snapshots |
//! | `humanoid` | the solve of a humanoid, with the input of one update |
//! | `crowd_threads` | the engine's worker threads, for crowds |
//! | `crowd_solve` | the solves of a crowd's call |
//! | `crowd_call` | crowds: who belongs to them, and when they are called |
//! | `body_ik` | node for the whole body, any skeleton |
//! | `body_drag` | one of its bones dragged, for posing tools |
//! | `body_snapshot` | its snapshots |
//! | `body_tie` | `SinewBodyTie`: effectors of two bodies that meet, as a resource |
//! | `body_ties` | bodies that meet |
//! | `human_effector` | `SinewHumanEffector`: the goal of a body part, as a resource; lists of them |
//! | `aim`, `humanoid_ik` | nodes for humanoids |
//! | `humanoid_bones` | rotations of its bones that are set |
//! | `humanoid_update` | its updates |
//! | `humanoid_crowd` | as a member of a crowd |
//! | `humanoid_snapshot` | its snapshots |
//! | `humanoid_input` | input from its properties and nodes |
//! | `humanoid_calls` | its methods for scripts |
//! | `humanoid_match` | those that start from the present pose |
//! | `crowd` | node for characters that are solved together |
//!
//! The build switches off the binding crate's own checks of object lifetimes (feature
//! `safeguards-release-disengaged`), which would cost more than the solvers. So no node keeps a
//! reference to a node it does not own: the skeleton is looked up in every update, and of targets
//! only the instance ids are kept, which the engine turns into objects while these live
//! (`calls::Mark`).

mod convert;
mod calls;
mod argument;
mod snapshot;
mod property;
mod bones;
mod display;
mod detail;
mod attached;
mod recording;
mod outcome;
mod limits;
mod constraint;
mod constraint_lines;
mod two_bone_ik;
mod chain_ik;
mod chain_snapshot;
mod spline_ik;
mod copy_rotation;
mod avatar;
mod ground_time;
mod ground_cast;
mod ground_rig;
mod grounder;
mod ground_snapshot;
mod ground_settings;
mod tracker;
mod xr_body;
mod tracked_body;
mod tracked_snapshot;
mod body_rows;
mod body_effector;
mod whole_body;
mod body_ik;
mod body_drag;
mod body_snapshot;
mod body_tie;
mod body_ties;
mod humanoid;
mod crowd_threads;
mod crowd_solve;
mod crowd_call;
mod human_effector;
mod aim;
mod humanoid_ik;
mod humanoid_bones;
mod humanoid_update;
mod humanoid_crowd;
mod humanoid_snapshot;
mod humanoid_input;
mod humanoid_calls;
mod humanoid_match;
mod humanoid_places;
mod humanoid_priorities;
mod crowd;

use godot::init::{ExtensionLibrary, gdextension};

struct SinewExtension;

// SAFETY: the entry point is made by the macro and called by the engine alone.
#[gdextension]
unsafe impl ExtensionLibrary for SinewExtension {}
