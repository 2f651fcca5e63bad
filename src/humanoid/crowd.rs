//! Characters in step: the solve of many animators of one avatar in one call.

use super::animator::{Animator, AnimatorError};

/// What a crowd's solve leaves besides the local transforms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Frames {
    /// Model frames of no joint in particular: what [`Animator::solve`] leaves.
    #[default]
    Any,
    /// Model frames of all joints, as [`Pose::update`](crate::skeleton::Pose::update) after the solve.
    All,
}

/// Room for what a crowd's solve has in hand. One per thread; nothing of it lasts from call to call.
#[derive(Clone, Debug, Default)]
pub struct Workspace {}

/// [`Animator::solve`] for each, with the same results bit for bit; cheapest for animators of one avatar side by side (others may be among
/// them). `failed` is told the places of those that would have failed, with the error: nothing of them changes.
pub fn solve(
    animators: &mut [&mut Animator],
    frames: Frames,
    workspace: &mut Workspace,
    mut failed: impl FnMut(usize, AnimatorError),
) {
    let _ = workspace;
    for (place, animator) in animators.iter_mut().enumerate() {
        match animator.solve() {
            Ok(()) if frames == Frames::All => animator.update_frames(),
            Ok(()) => {}
            Err(error) => failed(place, error),
        }
    }
}
