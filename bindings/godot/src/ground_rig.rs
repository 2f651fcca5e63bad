//! The legs of a skeleton for its grounder: joints out as points, the grounder's points in as a
//! pose.

use crate::attached::{Attached, Place};
use crate::avatar::{self, AvatarSource};
use crate::bones::{BoneTable, Subset};
use crate::calls::Rig;
use crate::ground_time::Shift;
use godot::builtin::Transform3D;
use sinew::constraints::{ConstraintDefinition, ConstraintGoal, ConstraintId, TwoBoneDefinition};
use sinew::grounding::{BodyResult, Contact, FootModel, LegPose, LegResult};
use sinew::humanoid::HumanBone;
use sinew::math::{Frame, Quat, Vec3, length, normalize_or};
use sinew::skeleton::JointIndex;

/// Leg length, metres, that the grounder's lengths and speeds are made for.
const USUAL_LEG: f32 = 0.85;

/// Bones of a leg, by name or number in the skeleton.
#[derive(Clone, Copy, Debug)]
struct LegBones {
    hip: i32,
    knee: i32,
    ankle: i32,
    ball: Option<i32>,
}

/// A leg on the animator.
#[derive(Clone, Copy, Debug)]
struct Leg {
    hip: JointIndex,
    knee: JointIndex,
    ankle: JointIndex,
    ball: Option<JointIndex>,
    limb: ConstraintId,
    /// Animated toes of this update, world rotation.
    toes: Quat,
}

/// What a node says about its legs.
#[derive(Clone, Debug, Default)]
pub struct LegNames {
    /// Last bones of the legs; empty: those of the humanoid.
    pub feet: Vec<String>,
    /// Roots of the toes, one per foot or none.
    pub toes: Vec<String>,
    /// The bone that is moved for all legs; empty: the hips, or the nearest bone above all legs.
    pub pelvis: String,
    /// Heights of ball and ankle over the ground, metres; negative: from the rest pose.
    pub heights: (f32, f32),
    /// How far the sole reaches beyond the ball and behind the ankle, metres; negative: from the
    /// rest pose.
    pub lengths: (f32, f32),
}

/// The legs of one skeleton.
#[derive(Debug)]
pub struct GroundRig {
    attached: Attached,
    pelvis: JointIndex,
    legs: Vec<Leg>,
    names: LegNames,
    /// Height of the skeleton's Y axis when the foot models were measured.
    size: f32,
    /// Length of the longest leg in the world beside a person's.
    pub scale: f32,
    /// From the root that is drawn to the one at the time of the update, where they differ.
    to_even: Option<Shift>,
}

impl GroundRig {
    /// Finds the bones. The error text names what is missing.
    pub fn new(rig: Rig, names: LegNames) -> Result<Self, String> {
        let table = BoneTable::read(&rig.to_gd());
        let (legs, pelvis) = if names.feet.is_empty() { humanoid(&table)? } else { named(&table, &names)? };
        let pelvis = if names.pelvis.is_empty() {
            pelvis
        } else {
            crate::constraint::bone(&table, &names.pelvis, "Pelvis Bone")?
        };
        let wanted = legs.iter().flat_map(|leg| [leg.hip, leg.knee, leg.ankle].into_iter().chain(leg.ball));
        let subset = Subset::new(&table, wanted.chain([pelvis]))?;
        let mut attached = Attached::new(&subset, None)?;
        let joint = |bone: i32| subset.joint(bone).ok_or("a leg has a bone that is not there");
        let mut made = Vec::new();
        for leg in &legs {
            let (hip, knee, ankle) = (joint(leg.hip)?, joint(leg.knee)?, joint(leg.ankle)?);
            let ball = leg.ball.map(joint).transpose()?;
            // A straight leg bends to where its toes point.
            let rest = subset.skeleton.rest_model();
            let toes = ball.map_or(Vec3::ZERO, |ball| rest[ball].position - rest[ankle].position);
            let forward = Vec3::new(toes.x, 0.0, toes.z);
            let definition = TwoBoneDefinition {
                mid: Some(knee),
                root: Some(hip),
                bend_side_js: rest[hip].rotation.conjugate() * forward,
                ..TwoBoneDefinition::ending_at(ankle)
            };
            let limb = attached.add_constraint(&ConstraintDefinition::TwoBone(definition))?;
            made.push(Leg { hip, knee, ankle, ball, limb, toes: Quat::IDENTITY });
        }
        let pelvis = joint(pelvis)?;
        Ok(Self { attached, pelvis, legs: made, names, size: 0.0, scale: 1.0, to_even: None })
    }

    /// Takes sizes of the feet; names of bones count only for another rig.
    pub fn set_names(&mut self, names: LegNames) {
        self.names = names;
    }
    /// Number of legs.
    pub fn leg_count(&self) -> usize {
        self.legs.len()
    }

    /// Reads the animation. `false` when the skeleton has a zero scale.
    pub fn read(&mut self, rig: Rig) -> bool {
        self.to_even = None;
        self.attached.read(rig, None)
    }
    /// Reads the animation of a skeleton that is drawn at `drawn_ws`. Poses are those at `even_ws`.
    pub fn read_between(&mut self, rig: Rig, drawn_ws: Transform3D, even_ws: &Transform3D) -> bool {
        self.to_even = Shift::between(&drawn_ws, even_ws);
        self.attached.read_at(rig, None, drawn_ws)
    }

    /// Whether the skeleton's size is another one than when [`Self::feet`] was called.
    pub fn is_resized(&self) -> bool {
        let size = self.up_axis().0;
        (size - self.size).abs() > 1e-4 * self.size
    }

    /// Foot models from the rest pose, at the skeleton's present size.
    pub fn feet(&mut self) -> Vec<FootModel> {
        self.size = self.up_axis().0;
        let skeleton = self.attached.animator.skeleton().clone();
        let rest = |joint: JointIndex| skeleton.rest_model()[joint].position * self.size;
        let mut longest: f32 = 0.0;
        let mut feet = Vec::new();
        for leg in &self.legs {
            let (hip, knee, ankle) = (rest(leg.hip), rest(leg.knee), rest(leg.ankle));
            let whole = length(knee - hip) + length(ankle - knee);
            longest = longest.max(whole);
            let ball = leg.ball.map(rest);
            let low = ball.unwrap_or(ankle);
            // Joints of a standing rest pose are near the ground; other rest poses say nothing
            // about it.
            let stands = (-0.02 * whole..0.25 * whole).contains(&low.y);
            let ground = if stands {
                Vec3::ZERO
            } else {
                low - Vec3::Y * (if leg.ball.is_some() { 0.035 * whole } else { 0.0 })
            };
            let mut foot = FootModel::from_rest(ankle, ball, None, ground, Vec3::Y);
            let (ball_height, ankle_height) = self.names.heights;
            if ball_height >= 0.0 {
                foot.heel_height += ball_height - foot.ball_height;
                foot.ball_height = ball_height;
            }
            if ankle_height >= 0.0 {
                foot.heel_height = ankle_height;
            }
            foot.heel_height = foot.heel_height.max(0.0);
            let (toe_length, heel_length) = self.names.lengths;
            if toe_length >= 0.0 && foot.has_sole {
                foot.toe_length = toe_length;
            }
            if heel_length >= 0.0 && foot.has_sole {
                foot.heel_length = heel_length;
            }
            feet.push(foot);
        }
        self.scale = (longest / USUAL_LEG).max(1e-4);
        feet
    }

    /// Length and direction of the skeleton's Y axis in the world.
    pub fn up_axis(&self) -> (f32, Vec3) {
        let (size, up) = self.attached.place.up();
        (size, self.to_even.map_or(up, |shift| shift.direction(up)))
    }

    /// Place and rotation of the skeleton in the world.
    pub fn root(&self) -> (Vec3, Quat) {
        let (at, turned) = self.attached.place.skeleton();
        self.to_even.map_or((at, turned), |shift| (shift.point(at), shift.rotation(turned)))
    }

    /// A joint at the time of the update.
    fn even(&self, joint: JointIndex) -> (Vec3, Quat) {
        let (at, turned) = self.world(joint);
        self.to_even.map_or((at, turned), |shift| (shift.point(at), shift.rotation(turned)))
    }

    fn world(&self, joint: JointIndex) -> (Vec3, Quat) {
        let (frame, place) = (self.attached.animator.joint_ws(joint), &self.attached.place);
        (place.point_out(frame.position), place.rotation_out(frame.rotation))
    }

    /// The pelvis, world space.
    pub fn pelvis(&self) -> Vec3 {
        self.even(self.pelvis).0
    }

    /// The animated legs; `told` gives weight, contact and landing of a leg.
    pub fn poses(&mut self, out: &mut Vec<LegPose>, told: impl Fn(usize) -> (f32, Contact, Option<(f32, Vec3)>)) {
        out.clear();
        for i in 0..self.legs.len() {
            let leg = self.legs[i];
            let (ankle_ws, foot_ws) = self.even(leg.ankle);
            let ball = leg.ball.map(|ball| self.even(ball));
            self.legs[i].toes = ball.map_or(Quat::IDENTITY, |(_, toes)| toes);
            let (weight, contact, landing) = told(i);
            out.push(LegPose {
                hip_ws: self.even(leg.hip).0,
                knee_ws: self.even(leg.knee).0,
                ankle_ws,
                ball_ws: ball.map_or(ankle_ws, |(at, _)| at),
                foot_ws,
                weight,
                contact,
                landing,
            });
        }
    }

    /// Moves the pelvis, solves the limbs, turns the toes, writes the pose. `below`: from where the
    /// ground of a foot is at the time of the update to where it is drawn.
    pub fn apply(
        &mut self,
        rig: Rig,
        body: &BodyResult,
        poses: &[LegPose],
        results: &[LegResult],
        below: impl Fn(usize) -> Option<Shift>,
    ) {
        let moved = body.offset_ws != Vec3::ZERO || body.turn_ws != Quat::IDENTITY;
        if moved {
            self.move_pelvis(body);
        }
        // What stands is drawn on its ground, what swings with its body.
        let to_drawn = self.to_even.map(|shift| shift.inverse());
        let shift_of = |leg: usize| if results[leg].planted { below(leg) } else { to_drawn };
        let mut solves = false;
        for (i, (leg, (pose, result))) in self.legs.iter().zip(poses.iter().zip(results)).enumerate() {
            let (place, shift) = (&self.attached.place, shift_of(i));
            let (mut ankle, mut foot) = (result.ankle_ws, result.foot_ws);
            if let Some(shift) = shift {
                (ankle, foot) = (shift.point(ankle), shift.rotation(foot));
            }
            let goal = ConstraintGoal::pose(place.point(ankle), place.rotation(foot));
            let Ok(input) = self.attached.animator.constraint_mut(leg.limb) else { return };
            // A foot in the air over flat ground is the animation, bit for bit.
            let changed = moved
                || result.ankle_ws != pose.ankle_ws
                || result.foot_ws != pose.foot_ws
                || (result.planted && shift != to_drawn);
            input.weight = if changed && goal.position_ws.is_some_and(Vec3::is_finite) { 1.0 } else { 0.0 };
            input.goals[0] = goal;
            solves |= input.weight > 0.0;
        }
        if solves && self.attached.solve().is_err() {
            return;
        }
        for i in 0..self.legs.len() {
            self.turn_toes(i, &poses[i], &results[i], shift_of(i));
        }
        self.attached.write(rig);
    }

    fn move_pelvis(&mut self, body: &BodyResult) {
        let (at, turned) = self.world(self.pelvis);
        let (animator, place) = (&self.attached.animator, &self.attached.place);
        let above = match animator.skeleton().parent(self.pelvis) {
            Some(parent) => animator.joint_ws(parent),
            None => Frame::from_transform(animator.root()),
        };
        let Some(position) = above.point_in(place.point(at + body.offset_ws)) else { return };
        let rotation = above.rotation_in(place.rotation((body.turn_ws * turned).normalize()));
        let local = &mut self.attached.animator.pose_mut().local_mut()[self.pelvis];
        local.position = position;
        if body.turn_ws != Quat::IDENTITY {
            local.rotation = rotation;
        }
    }

    /// Toes stay along the ground while the heel lifts.
    fn turn_toes(&mut self, i: usize, pose: &LegPose, result: &LegResult, shift: Option<Shift>) {
        let leg = self.legs[i];
        let Some(ball) = leg.ball else { return };
        let carried = (result.foot_ws * pose.foot_ws.conjugate() * leg.toes).normalize();
        let wanted = (result.toes_turn * leg.toes).normalize();
        if carried.dot(wanted).abs() > 0.999_999 {
            return;
        }
        let wanted = shift.map_or(wanted, |shift| shift.rotation(wanted));
        let above = self.attached.animator.joint_ws(leg.ankle);
        let rotation = above.rotation_in(self.attached.place.rotation(wanted));
        self.attached.animator.pose_mut().local_mut()[ball].rotation = rotation;
    }
}

impl Place {
    /// Length and unit direction of the skeleton's Y axis in the world.
    fn up(&self) -> (f32, Vec3) {
        let up = crate::convert::vec3(self.skeleton_ws().basis.col_b());
        (length(up), normalize_or(up, Vec3::Y))
    }
    /// Place and rotation of the skeleton in the world.
    fn skeleton(&self) -> (Vec3, Quat) {
        let at = self.skeleton_ws();
        (crate::convert::vec3(at.origin), crate::convert::rotation(&at.basis))
    }
}

/// The legs of a humanoid, found as by all nodes for humanoids.
fn humanoid(table: &BoneTable) -> Result<(Vec<LegBones>, i32), String> {
    let rigged = avatar::rigged(&AvatarSource::of(table.clone()))?;
    let bone = |bone: HumanBone| rigged.avatar.joint(bone).map(|joint| rigged.subset.bones[joint]);
    let need = |human: HumanBone| bone(human).ok_or_else(|| format!("The humanoid has no {}.", human.name()));
    use HumanBone::*;
    let mut legs = Vec::new();
    for [hip, knee, ankle, ball] in
        [[LeftUpperLeg, LeftLowerLeg, LeftFoot, LeftToes], [RightUpperLeg, RightLowerLeg, RightFoot, RightToes]]
    {
        legs.push(LegBones { hip: need(hip)?, knee: need(knee)?, ankle: need(ankle)?, ball: bone(ball) });
    }
    Ok((legs, need(Hips)?))
}

/// Legs by the names of their last bones: knee and hip are the bones above.
fn named(table: &BoneTable, names: &LegNames) -> Result<(Vec<LegBones>, i32), String> {
    let mut legs = Vec::new();
    for (i, foot) in names.feet.iter().enumerate() {
        let ankle = crate::constraint::bone(table, foot, "Feet")?;
        let above =
            |bone: i32| table.parent(bone).ok_or_else(|| format!("Feet: \"{foot}\" has no two bones above it."));
        let knee = above(ankle)?;
        let ball = match names.toes.get(i) {
            Some(name) if !name.is_empty() => Some(crate::constraint::bone(table, name, "Toes")?),
            _ => None,
        };
        legs.push(LegBones { hip: above(knee)?, knee, ankle, ball });
    }
    let first = legs.first().map_or(0, |leg| leg.hip);
    let common =
        table.lineage(first).skip(1).find(|bone| legs.iter().all(|leg| table.lineage(leg.hip).any(|b| b == *bone)));
    Ok((legs, common.unwrap_or(first)))
}
