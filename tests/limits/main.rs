//! Limits of joints.

mod human;
mod joint_model;
mod overrides;
mod routes;
mod table;
