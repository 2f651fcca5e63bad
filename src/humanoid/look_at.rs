//! Look-at: spine, neck, head and eyes share the turn towards a point.
//!
//! Unity names the weights (body, head, eyes, clamp) but not the law; ours:
//!
//! 1. The gaze starts midway between the eyes (at the head joint when there are none). Its angle to
//!    the *chest's* forward is limited to (1 − clamp)·180°, softly over the last 10 % before and
//!    after the limit.
//! 2. For a target exactly behind, left and right are equally far. So towards exactly behind the
//!    angle fades to zero: over the last 20° when unclamped, over half of the angle beyond the
//!    limit else. A character gives up looking at what is behind it.
//! 3. The spine takes `body`, shared evenly by spine, chest and upper chest, as far as present.
//!    Neck and head take `head` of the rest, four tenths of it in the neck. At head weight 1 the
//!    head's forward line, from between the eyes, goes through the target. The eyes take `eyes` of
//!    what is left, each for itself, so near targets make them converge, within the ranges of human
//!    eyes (20° in and out, 15° up, 10° down, each measured out of the head's middle planes).
//! 4. A target nearer than a twentieth of the body scale to the eyes fades out: at the eye itself
//!    there is no direction. Nearer than about 0.25 m the head's line of sight passes beside the
//!    target: the head turns about the neck, not about the eyes.
//!
//! Limbs move only with the spine that carries them: in rigs whose clavicles are children of the
//! neck, or whose thighs are children of the spine (as in 3ds Max Biped), limbs are kept in place
//! when that joint turns.
//!
//! Why nothing tears: [`crate::closed_form::gaze`], the law that aim constraints share.

use super::facing::Facing;
use super::look_at_rig::LookAtRig;
use super::weighted_goals::MISSED_RAD;
use crate::closed_form::aim_ray::{self, Aim};
use crate::closed_form::gaze::{Gaze, ViewCone, Way, angle_between, behind};
use crate::math::dispatch::Task;
use crate::math::soft::soft_limit;
use crate::math::{Lane, LaneMask, LaneQuat, LaneVec3, Single, Vec3, float, lane_fraction};
use crate::outcome::Outcome;
use crate::skeleton::joint_view::{JointView, refresh_all};

const PI: f32 = core::f32::consts::PI;
/// Softness of the clamp: part of the limit over which the angle bends to it.
const CLAMP_SOFTNESS: f32 = 0.1;
/// Part of the head's share that the neck takes.
const NECK_SHARE: f32 = 0.4;
/// Ranges of the eyes, radians: sideways, up, down (Unity's default muscle ranges).
const EYE_SIDE: f32 = 20.0 * PI / 180.0;
const EYE_UP: f32 = 15.0 * PI / 180.0;
const EYE_DOWN: f32 = 10.0 * PI / 180.0;
const EYE_SOFTNESS: f32 = 0.2;
/// Least angle over which the gaze fades to zero towards exactly behind, radians.
const BEHIND: f32 = 20.0 * PI / 180.0;
/// Nearest point the head aims at, in distances from the head joint to the eyes. Above 2 the eyes
/// never come past it.
const NEAREST_AIM: f32 = 2.5;

/// What to look at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LookAtGoal<L> {
    /// Model space, not farther than a million body heights.
    pub target_ms: LaneVec3<L>,
    /// Shares, each times the weight of all, 0 … 1.
    pub body: L,
    pub head: L,
    pub eyes: L,
    /// See [`super::LookAtWeight::clamp`].
    pub clamp: L,
}

/// A head's line of sight, model space.
struct View<L> {
    offset: LaneVec3<L>,
    origin: LaneVec3<L>,
    gaze: LaneVec3<L>,
}

/// Where a look-at of given weights points, model space: what its residual is measured from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WeightedGaze<L: Lane> {
    /// Point on the line of sight of the head, without clamp and fades.
    head_ms: LaneVec3<L>,
    /// The same of each eye, in the order of [`LookAtRig::eyes`].
    eyes_ms: [LaneVec3<L>; 2],
    /// Where eyes take part: then they are measured, else the head.
    by_eyes: L::Mask,
}

impl<L: Single> WeightedGaze<L> {
    /// The plain numbers.
    pub fn to_scalar(self) -> WeightedGaze<f32> {
        let point = |p: LaneVec3<L>| LaneVec3::new(p.x.into(), p.y.into(), p.z.into());
        WeightedGaze { head_ms: point(self.head_ms), eyes_ms: self.eyes_ms.map(point), by_eyes: self.by_eyes }
    }
}

/// What looking has left.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LookAtOutcome<L: Lane> {
    /// Angle between the line of sight and its weighted goal; where eyes take part, the larger one
    /// of the eyes'.
    pub residual_rad: L,
    /// Where the weighted goal was missed: by the clamp, a fade, or the range of the eyes.
    pub kept_back: L::Mask,
    pub goal: WeightedGaze<L>,
}

impl LookAtRig {
    /// Refreshes the way from the spine to the head, between two places or up to the end.
    #[inline(always)]
    fn follow<L: Lane>(&self, figure: &mut impl JointView<L>, after: usize, before: Option<usize>) {
        refresh_all(figure, &self.path[after + 1..before.unwrap_or(self.path.len())]);
    }

    /// Where the gaze starts, seen from the head joint and from model space, and its direction, of
    /// any length.
    #[inline(always)]
    fn view<L: Lane>(&self, figure: &impl JointView<L>) -> View<L> {
        let joint = self.head.joint;
        let offset = figure.vector_out(joint, self.gaze_js);
        View {
            offset,
            origin: figure.model(joint).position + offset,
            gaze: figure.direction_out(joint, self.head.forward_js),
        }
    }

    /// The chest's frame as it is now.
    #[inline(always)]
    fn chest<L: Lane>(&self, figure: &impl JointView<L>) -> Gaze<L> {
        let Facing { joint, facing, forward_js, up_js } = self.trunk;
        Gaze::of(figure.facing(joint, facing, forward_js, up_js))
    }

    /// Turns spine, neck, head and eyes. The frames above and of [`Self::path`] are up to date
    /// before and after, where no limb is carried; those of eyes before.
    pub fn solve<L: Lane>(&self, figure: &mut impl JointView<L>, goal: &LookAtGoal<L>) -> LookAtOutcome<L> {
        L::run(Look { rig: self, figure, goal })
    }
    #[inline(always)]
    fn look<L: Lane>(&self, figure: &mut impl JointView<L>, goal: &LookAtGoal<L>) -> LookAtOutcome<L> {
        let (zero, one) = (L::splat(0.0), L::splat(1.0));
        let View { origin, gaze, .. } = self.view(figure);
        let to_target = goal.target_ms - origin;
        let distance = to_target.dot(to_target).root();
        let near = self.near(distance);

        // The direction the gaze may take: limited against the chest's forward, faded towards
        // exactly behind.
        let trunk = self.chest(figure);
        let [from, wanted] = trunk.logs([gaze, to_target]);
        let angle = wanted.angle();
        let limit_rad = (one - goal.clamp) * L::splat(PI);
        let cone = ViewCone { limit_rad, softness: L::splat(CLAMP_SOFTNESS), behind_rad: L::splat(BEHIND) };
        let (in_view, limited) = (cone.in_view(angle), cone.allowed(angle));
        let is_limited = limited.lt(angle).or(angle.lt(limited));
        let (mut to, mut goal_ms) = (wanted, goal.target_ms);
        if is_limited.any() {
            to = Way::select(is_limited, wanted.to_angle(limited), wanted);
            goal_ms = LaneVec3::select(is_limited, origin + trunk.exp(&to) * distance, goal_ms);
        }

        // Spine: each joint an equal part of the body's share.
        let body = goal.body * near;
        let bends = zero.lt(body);
        if bends.any() && !self.spine.is_empty() {
            let parts = self.spine_places.len();
            let mut ways = [from; 4];
            for (k, way) in ways.iter_mut().enumerate() {
                *way = from.lerp(&to, body * L::splat(k.min(parts) as f32 / parts as f32));
            }
            let seen = Gaze::orientations(ways, parts + 1);
            // Each joint goes with those below it and then on, so that it has made all turns up to
            // its own. The rotation before is taken as it is: where nothing is to turn, no rounding
            // does.
            let still = [0, 1, 2].map(|k| match self.spine_places.get(k) {
                Some(&place) => figure.model(self.path[place]).rotation,
                None => LaneQuat::identity(),
            });
            let turns = trunk.turns_from(seen[0]);
            let mut turned = None;
            for k in 0..parts.min(3) {
                let place = self.spine_places[k];
                if let Some(above) = turned.replace(place) {
                    self.follow(figure, above, Some(place));
                }
                self.turn_to(figure, bends, self.path[place], turns.to(seen[k + 1], still[k]));
            }
            self.follow(figure, turned.unwrap_or(0), None);
        }
        let head = goal.head * near;
        let nods = zero.lt(head);
        let mut seen_ms = goal.target_ms;
        if nods.any() {
            let through_ms = self.turn_head(figure, nods, goal_ms, head, goal);
            seen_ms = LaneVec3::select(goal.head.lt(one), through_ms, seen_ms);
        }
        if nods.not().any() {
            // The spine turns the direction, wherever it takes the head.
            let part = Way::select(zero.lt(goal.body), from.lerp(&wanted, goal.body), from);
            let along = self.view(figure).origin + trunk.exp(&part) * distance.max(L::splat(self.nearest));
            seen_ms = LaneVec3::select(nods, seen_ms, along);
        }
        // At the eyes there is no fade towards behind either.
        let eyes = goal.eyes * (one - (one - in_view) * near);
        let has_eyes = !self.eyes.is_empty();
        let by_eyes = if has_eyes { zero.lt(goal.eyes) } else { zero.lt(zero) };
        let mut weighted = WeightedGaze { head_ms: seen_ms, eyes_ms: [goal.target_ms; 2], by_eyes };
        let mut residual_rad = zero;
        if by_eyes.any() {
            refresh_all(figure, &self.eye_joints);
            let facing = self.head_axes(figure);
            for (eye, seen_ms) in self.eyes.iter().zip(&mut weighted.eyes_ms) {
                *seen_ms = self.turn_eye(figure, eye, &facing, goal, eyes);
                residual_rad = residual_rad.max(self.eye_left(figure, eye, *seen_ms));
            }
        }
        if by_eyes.not().any() {
            residual_rad = L::select(by_eyes, residual_rad, self.head_left(figure, seen_ms));
        }
        // A head that the clamp or the fades keep back has missed its goal at any weight.
        let is_kept = L::splat(1e-3).lt(angle - limited).or(near.lt(one)).and(by_eyes.not());
        LookAtOutcome { residual_rad, kept_back: L::splat(MISSED_RAD).lt(residual_rad).or(is_kept), goal: weighted }
    }

    /// Angle between the head's line of sight and a point.
    #[inline(always)]
    fn head_left<L: Lane>(&self, figure: &impl JointView<L>, point_ms: LaneVec3<L>) -> L {
        let View { origin, gaze, .. } = self.view(figure);
        angle_between(gaze, point_ms - origin)
    }
    /// Angle between an eye's line of sight and a point.
    #[inline(always)]
    fn eye_left<L: Lane>(&self, figure: &impl JointView<L>, eye: &Facing, point_ms: LaneVec3<L>) -> L {
        angle_between(figure.direction_out(eye.joint, eye.forward_js), point_ms - figure.model(eye.joint).position)
    }
    /// The outcome of a look-at on the pose as later steps have left it. The frames of the head and
    /// the eyes must be up to date.
    pub fn measure_again(&self, figure: &impl JointView<f32>, goal: &WeightedGaze<f32>, outcome: Outcome) -> Outcome {
        let residual_rad = match goal.by_eyes {
            true => {
                let eyes = self.eyes.iter().zip(goal.eyes_ms);
                eyes.map(|(eye, point_ms)| self.eye_left(figure, eye, point_ms)).fold(0.0, f32::max)
            }
            false => self.head_left(figure, goal.head_ms),
        };
        outcome.measured_again(0.0, residual_rad, residual_rad <= MISSED_RAD)
    }

    /// How much a target at this distance counts: nothing at the eye itself.
    #[inline(always)]
    fn near<L: Lane>(&self, distance: L) -> L {
        float::smooth_step(L::splat(0.0), L::splat(self.nearest), distance)
    }

    /// Turns neck and head so that the line of sight goes `head` of the way to a point. Returns the
    /// point to which it would go without clamp and fades, for weights below 1.
    #[inline(always)]
    fn turn_head<L: Lane>(
        &self,
        figure: &mut impl JointView<L>,
        mask: L::Mask,
        goal_ms: LaneVec3<L>,
        head: L,
        whole: &LookAtGoal<L>,
    ) -> LaneVec3<L> {
        // Seen from where the spine has brought chest and eyes.
        let trunk = self.chest(figure);
        let View { origin, offset, gaze } = self.view(figure);
        let to_goal = goal_ms - origin;
        let distance = to_goal.dot(to_goal).root();
        let [from, wanted] = trunk.logs([gaze, to_goal]);
        let mut through_ms = whole.target_ms;
        if whole.head.lt(L::splat(1.0)).any() {
            let part = from.lerp(&trunk.log(whole.target_ms - origin), whole.head);
            through_ms = origin + trunk.exp(&part) * distance.max(offset.dot(offset).root() * L::splat(NEAREST_AIM));
        }
        let kept = L::splat(1.0) - behind(wanted.angle(), L::splat(BEHIND));
        let wanted = Way { right: wanted.right * kept, up: wanted.up * kept };
        let to = from.lerp(&wanted, head * self.near(distance));
        let half_way = from.lerp(&to, L::splat(NECK_SHARE));
        let [before, after, half_way, _] = Gaze::orientations([from, to, half_way, to], 3);
        let turns = trunk.turns_from(before);
        let head = turns.to(after, figure.model(self.head.joint).rotation);
        if let Some(place) = self.neck_place {
            let neck = self.path[place];
            self.turn_to(figure, mask, neck, turns.to(half_way, figure.model(neck).rotation));
            self.follow(figure, place, Some(self.path.len() - 1));
        }
        // The turns go through the joints, not through the eyes: aim for the little the eyes move.
        let far = distance.max(offset.dot(offset).root() * L::splat(NEAREST_AIM));
        let turned = figure.rotation_in_parent(self.head.joint, head);
        self.aim_head(figure, mask, turned, origin + trunk.exp(&to) * far);
        through_ms
    }

    /// Sets the head's rotation to `turned` and the shortest turn from there that brings its line
    /// of sight through a point. In the space of the head's parent, where turning the head is a
    /// turn whatever the scale above it.
    #[inline(always)]
    fn aim_head<L: Lane>(
        &self,
        figure: &mut impl JointView<L>,
        mask: L::Mask,
        turned: LaneQuat<L>,
        goal_ms: LaneVec3<L>,
    ) {
        let joint = self.head.joint;
        let (goal_ps, there) = figure.point_in_parent(joint, goal_ms);
        let along = figure.direction_in_parent(joint, turned, LaneVec3::splat(self.head.forward_js));
        let (axis, _) = along.unit_or(LaneVec3::splat(Vec3::Z), L::splat(1e-18));
        let aim = Aim {
            offset: figure.vector_in_parent(joint, turned, LaneVec3::splat(self.gaze_js)),
            axis,
            target: goal_ps - figure.local(joint).position,
            behind: axis.any_perpendicular(),
        };
        let aimed = (aim_ray::solve(&aim).turn * turned).normalize();
        figure.set_rotation(mask, joint, LaneQuat::select(there, aimed, turned));
        figure.refresh(joint);
    }

    /// Right, up and forward of the head, model space.
    #[inline(always)]
    fn head_axes<L: Lane>(&self, figure: &impl JointView<L>) -> [LaneVec3<L>; 3] {
        let Facing { joint, forward_js, up_js, .. } = self.head;
        let mut axes = [LaneVec3::splat(Vec3::Z); 3];
        for (axis, v) in axes.iter_mut().zip([self.right_js, up_js, forward_js]) {
            *axis = figure.direction_out(joint, v).normalize_or(*axis, L::splat(1e-20)).0;
        }
        axes
    }

    /// Turns an eye. Returns a point on its line of sight if it had no range.
    #[inline(always)]
    fn turn_eye<L: Lane>(
        &self,
        figure: &mut impl JointView<L>,
        eye: &Facing,
        [right, up, forward]: &[LaneVec3<L>; 3],
        goal: &LookAtGoal<L>,
        weight: L,
    ) -> LaneVec3<L> {
        let target_ms = goal.target_ms;
        let out = figure.direction_out(eye.joint, eye.forward_js);
        let (now, _) = out.normalize_or(LaneVec3::splat(Vec3::Z), L::splat(1e-20));
        let (wanted, distance) = (target_ms - figure.model(eye.joint).position).unit_or(now, L::splat(1e-18));
        let weight = weight * self.near(distance);
        // Angles out of the middle planes of the head: no jump anywhere, and both zero for what is
        // right behind.
        let (side, rise) = (float::asin(wanted.dot(*right)), float::asin(wanted.dot(*up)));
        let limited =
            |angle: L, limit: L| float::sin(soft_limit(angle.abs(), limit, L::splat(EYE_SOFTNESS)).copy_sign(angle));
        let x = limited(side, L::splat(EYE_SIDE));
        let y = limited(rise, L::select(rise.lt(L::splat(0.0)), L::splat(EYE_DOWN), L::splat(EYE_UP)));
        let direction = *right * x + *up * y + *forward * (L::splat(1.0) - x * x - y * y).sqrt();
        let (direction, _) = direction.normalize_or(now, L::splat(1e-20));
        let aside = now.any_perpendicular();
        let turn = LaneQuat::arc(now, direction, aside);
        let partly = goal.eyes.lt(L::splat(1.0));
        let mut seen_ms = target_ms;
        if partly.any() {
            let part = lane_fraction(LaneQuat::arc(now, wanted, aside), goal.eyes).rotate(now);
            let point = figure.model(eye.joint).position + part * distance.max(L::splat(self.nearest));
            seen_ms = LaneVec3::select(partly, point, seen_ms);
        }
        self.turn(figure, L::splat(0.0).lt(weight), eye.joint, lane_fraction(turn, weight));
        seen_ms
    }
}

/// [`LookAtRig::solve`].
struct Look<'a, L, V> {
    rig: &'a LookAtRig,
    figure: &'a mut V,
    goal: &'a LookAtGoal<L>,
}

impl<L: Lane, V: JointView<L>> Task for Look<'_, L, V> {
    type Output = LookAtOutcome<L>;
    #[inline(always)]
    fn run(self) -> LookAtOutcome<L> {
        self.rig.look(self.figure, self.goal)
    }
}
