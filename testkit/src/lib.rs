//! Rigs, motion and matchers for Sinew's tests.
