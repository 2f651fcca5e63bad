//! The steps of a frame over a [`JointView`]: one pose without scale, or eight of one avatar.

use super::frame::Frame;
use crate::humanoid::Avatar;
use crate::humanoid::lane_steps::{self, StepInput, StepOutput};
use crate::math::Lane;
use crate::skeleton::joint_view::JointView;

/// A view and the input of its characters.
pub(super) struct ViewFrame<'a, L: Lane, V: JointView<L>> {
    pub avatar: &'a Avatar,
    pub view: &'a mut V,
    pub input: &'a StepInput<L>,
    /// Whether rolls are distributed here; else they are stored in [`StepOutput::twists`], for
    /// frames in which constraints come first.
    pub shares_twists: bool,
    pub left: &'a mut StepOutput<L>,
}

impl<L: Lane, V: JointView<L>> Frame for ViewFrame<'_, L, V> {
    #[inline(always)]
    fn look_at(&mut self) {
        lane_steps::refresh_trunk(self.avatar, self.view);
        lane_steps::look_at(self.avatar, self.view, self.input, self.left);
    }
    /// Also the end rotations: one kernel computes both.
    #[inline(always)]
    fn limbs(&mut self) {
        lane_steps::limbs(self.avatar, self.view, self.input, self.shares_twists, self.left);
    }
    #[inline(always)]
    fn twist(&mut self) {
        if self.shares_twists && self.left.twists.iter().any(Option::is_some) {
            lane_steps::share_twists(self.avatar, self.view, &self.left.twists);
        }
    }
}
