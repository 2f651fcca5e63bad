//! Numbers without a skeleton or a chain: what the iterating solvers share.
//!
//! | module | what is in it |
//! |---|---|
//! | `root` | zero and minimum of a function of one number |

pub(crate) mod root;
