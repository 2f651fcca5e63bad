//! Numbers without a skeleton or a chain: what the iterating solvers share.
//!
//! | file | what is in it |
//! |---|---|
//! | `progress` | when an iteration has stopped making progress |
//! | `root` | zero and minimum of a function of one number |

pub(crate) mod progress;
pub(crate) mod root;
