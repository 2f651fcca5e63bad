//! Limbs that were solved as if there were no limits, brought within them: measured side by side,
//! and changed only where one does not keep to its limits.

use super::avatar::LimbRig;
use super::end_limit;
use super::ik_goal::IkGoal;
use super::limb_limits::{self, LimbLimits, LimitedLimb};
use super::limb_shape::{LimbBones, LimbShape};
use super::pose_steps::PoseSteps;
use super::weighted_goals::WeightedEnd;
use crate::closed_form::limb_kernel::RigidOutcome;
use crate::math::{Quat, ScalarInRegister, Vec3};
use crate::skeleton::JointIndex;
use core::array::from_fn;

impl PoseSteps<'_> {
    /// Brings limbs and their ends within limits; `left` is what the solve without limits has left
    /// of each, `before` returns positions and rotations in the animation where the solve may have
    /// changed them. Returns what the outcomes of limbs that have changed are measured from; the
    /// frames of those are up to date, as those above the limbs must be.
    pub fn keep_limbs(
        &mut self,
        left: &[Option<RigidOutcome<ScalarInRegister>>; 4],
        before: impl Fn(JointIndex) -> Option<(Vec3, Quat)>,
    ) -> [Option<WeightedEnd>; 4] {
        let (table, skeleton, avatar) = (self.limits, self.skeleton, self.avatar);
        let limbs = IkGoal::ALL.map(|goal| left[goal.index()].is_some().then(|| avatar.limb(goal)));
        // Limits and shapes are large: they are written where they stay.
        let (mut mids, mut ends) = ([const { None }; 4], [const { None }; 4]);
        for (i, limb) in limbs.iter().enumerate() {
            if let Some(LimbRig { joints, .. }) = limb {
                mids[i] = Some(table.limit_of(skeleton, joints.mid()));
                ends[i] = Some(table.prepared_of(skeleton, joints.end()));
            }
        }
        let pose = &*self.pose;
        let bones = |i: usize, is_animated: bool| {
            let local = |joint: JointIndex| {
                let mut local = pose.local()[joint];
                if let (true, Some(animated)) = (is_animated, before(joint)) {
                    (local.position, local.rotation) = animated;
                }
                local
            };
            LimbBones::of(&limbs[i]?.joints, mids[i].as_deref()?, local)
        };
        let origin = |limb| limb_limits::root_origin(table, skeleton, pose, limb);
        let origins = limbs.map(|limb| limb.map_or(Quat::IDENTITY, origin));
        let pair = measured_pair(&limbs.map(|limb| limb.is_some()), bones);
        let has_animated = pair.is_some();
        let [mut solved, mut animated] = pair.unwrap_or_else(|| {
            let mut solved = [None; 4];
            LimbShape::several(&from_fn(|i| bones(i, false)), &mut solved);
            [solved, [None; 4]]
        });
        let is_beyond = |i: usize| {
            limbs[i].is_some_and(|limb| limb_limits::is_beyond(table, skeleton, limb, origins[i], solved[i].as_ref()))
        };
        let beyond: [bool; 4] = from_fn(is_beyond);
        let mut limits = [const { None }; 4];
        if beyond.contains(&true) {
            if !has_animated {
                LimbShape::several(&from_fn(|i| if beyond[i] { bones(i, true) } else { None }), &mut animated);
            }
            let rotation =
                |joint: JointIndex| before(joint).map_or(pose.local()[joint].rotation, |(_, rotation)| rotation);
            for (i, goal) in IkGoal::ALL.into_iter().enumerate() {
                let (Some(limb), Some(mid), true) = (limbs[i], mids[i].as_deref(), beyond[i]) else { continue };
                let weight = self.limb_weight(goal);
                let limb = LimitedLimb { table, skeleton, limb, mid, origin: origins[i], weight };
                limits[i] = Some(LimbLimits::new(limb, animated[i].as_ref(), rotation));
            }
        }
        let roots = solved.each_ref().map(|shape| shape.as_ref().map_or(Quat::IDENTITY, |shape| shape.root));
        let asides = limits.each_ref().map(|limits| limits.as_ref().map(|limits| limits.aside_before));
        LimbShape::put_on_hinges(&mut solved, asides);
        let mut kept = [None; 4];
        for (i, goal) in IkGoal::ALL.into_iter().enumerate() {
            let (Some(limits), Some(limb), Some(left)) = (&limits[i], limbs[i], &left[i]) else { continue };
            let end = limb.joints.end();
            self.pose.update_joints(skeleton, limb.joints.path());
            let wanted = self.pose.model(end);
            if let Some(shape) = solved[i].as_ref().filter(|_| !left.still) {
                let path = limb.joints.path();
                match (limits.limit_limb(self.pose, limb, shape, roots[i]), &limb.shoulder) {
                    (true, Some(clavicle)) => {
                        self.pose.update_joints_from(skeleton, &avatar.core_joints, clavicle.joint());
                    }
                    _ => self.pose.update_joints(skeleton, &path[..path.len() - 1]),
                }
            }
            self.pose.set_rotation_ms(skeleton, end, wanted.rotation);
            kept[i] = Some(WeightedEnd::on_view(&wanted, left, self.active_goals.turns(goal)));
        }
        let animated_end = |limb: &LimbRig| before(limb.joints.end()).map_or(Quat::IDENTITY, |(_, rotation)| rotation);
        let end = |i: usize| {
            let (limb, limit, mid) = (limbs[i]?, ends[i].as_deref()?, mids[i].as_deref()?);
            let before = match &limits[i] {
                Some(limits) => limits.end,
                None => solved[i].as_ref()?.end_before(animated_end(limb)),
            };
            Some(before.end(self.pose, limb, limit, mid))
        };
        let within = end_limit::limited(&from_fn(end));
        self.put_ends(left, within, &mut kept);
        kept
    }

    /// Writes local rotations of limbs' ends where they have changed, or the limb has.
    fn put_ends(
        &mut self,
        left: &[Option<RigidOutcome<ScalarInRegister>>; 4],
        within: [Quat; 4],
        kept: &mut [Option<WeightedEnd>; 4],
    ) {
        for (i, goal) in IkGoal::ALL.into_iter().enumerate() {
            let (Some(left), limb) = (&left[i], self.avatar.limb(goal)) else { continue };
            let end = limb.joints.end();
            if kept[i].is_none() {
                if self.pose.local()[end].rotation == within[i] {
                    continue;
                }
                self.pose.update_joints(self.skeleton, limb.joints.path());
                kept[i] = Some(WeightedEnd::on_view(&self.pose.model(end), left, self.active_goals.turns(goal)));
            }
            self.pose.put_rotation(end, within[i]);
            self.pose.update_joints(self.skeleton, &[end]);
        }
    }
}

/// Up to two limbs as they were solved and as they are in the animation, all measured together;
/// `None` where there are more. `bones` returns those of a limb, in the animation or not.
fn measured_pair<'a>(
    exist: &[bool; 4],
    bones: impl Fn(usize, bool) -> Option<LimbBones<'a>>,
) -> Option<[[Option<LimbShape>; 4]; 2]> {
    let mut active = (0..4).filter(|i| exist[*i]);
    let pair = [active.next(), active.next()];
    if active.next().is_some() {
        return None;
    }
    let mut limbs = [None; 4];
    for (place, i) in pair.into_iter().enumerate() {
        if let Some(i) = i {
            limbs[place] = bones(i, false);
            limbs[place + 2] = bones(i, true);
        }
    }
    let mut shapes = [None; 4];
    LimbShape::several(&limbs, &mut shapes);
    let mut all = [[None; 4]; 2];
    for (place, i) in pair.into_iter().enumerate() {
        if let Some(i) = i {
            (all[0][i], all[1][i]) = (shapes[place], shapes[place + 2]);
        }
    }
    Some(all)
}
