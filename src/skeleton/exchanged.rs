//! A pose that works on other memory for a time, while its own keeps its address and its numbers.

use super::Pose;
use crate::math::Transform;
use core::ops::{Deref, DerefMut};

/// Something that has a pose.
pub(crate) trait HasPose {
    /// The pose.
    fn pose_mut(&mut self) -> &mut Pose;
}

/// The holder of a pose whose local transforms may be exchanged for others. When this is dropped,
/// also by a panic, its own are back: a host has their address.
#[derive(Debug)]
pub(crate) struct Exchanged<'a, H: HasPose> {
    holder: H,
    other: &'a mut Vec<Transform>,
    is_other: bool,
}

impl<'a, H: HasPose> Exchanged<'a, H> {
    /// With its own local transforms, until [`Self::exchange`]. `other`: memory for the others,
    /// allocated when they are needed.
    pub fn new(holder: H, other: &'a mut Vec<Transform>) -> Self {
        Self { holder, other, is_other: false }
    }
    /// From now on the pose has others, with any numbers.
    pub fn exchange(&mut self) {
        if !self.is_other {
            self.holder.pose_mut().exchange(self.other);
            self.is_other = true;
        }
    }
}

impl<H: HasPose> Drop for Exchanged<'_, H> {
    #[inline]
    fn drop(&mut self) {
        if self.is_other {
            self.holder.pose_mut().exchange(self.other);
        }
    }
}

impl<H: HasPose> Deref for Exchanged<'_, H> {
    type Target = H;
    fn deref(&self) -> &H {
        &self.holder
    }
}

impl<H: HasPose> DerefMut for Exchanged<'_, H> {
    fn deref_mut(&mut self) -> &mut H {
        &mut self.holder
    }
}
