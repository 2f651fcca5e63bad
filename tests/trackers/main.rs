//! Whole bodies from trackers, judged from outside in double precision: what is promised
//! (`promises.rs`), and what players of other systems complain of, a named test each
//! (`complaints.rs`). `cargo xtask trackers` has the measures on captured motion.

mod complaints;
mod player;
mod promises;
