//! Limits of joints.

mod human;
mod joint_model;
mod nearest;
mod overrides;
mod routes;
mod table;
