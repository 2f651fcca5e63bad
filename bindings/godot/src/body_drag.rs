//! Drags of a [`SinewBodyIK`]: one bone of the skeleton's own pose.

use crate::body_ik::SinewBodyIK;
use crate::calls::Rig;
use crate::convert::{is_rotation, quat, vec3};
use crate::whole_body::{Settings, WholeBody};
use godot::builtin::{GString, PackedStringArray, Quaternion, Vector3};
use godot::register::godot_api;
use sinew::body::{Drag, DragPin};
use sinew::math::{Quat, Vec3};
use sinew::outcome::{Outcome, Status};

/// A bone that is dragged; see [`Drag`].
#[derive(Debug)]
pub struct BoneDrag<'a> {
    /// Its name.
    pub bone: &'a str,
    /// The point of it that goes there, in its own space.
    pub point: Vec3,
    /// Where to, world space.
    pub goal: Vec3,
    /// How it is turned, world space.
    pub rotation: Option<Quat>,
    /// Number of bones above it that turn.
    pub chain_length: u32,
    /// Names of the bones that stay.
    pub pins: &'a [String],
    /// Whether these keep their rotation, too.
    pub pins_turn: bool,
}

#[godot_api(secondary)]
impl SinewBodyIK {
    /// Drags a bone to a point in world space and keeps the result as the skeleton's pose, for
    /// editors and posing tools: `chain_length` bones above it turn (0: all up to the root, which
    /// moves as [member root_moves] allows), the bones named in `pins` stay, limits hold. Effectors
    /// do not count. [param rotation]: how the bone is to be turned, world space; zero (default):
    /// it turns with what carries it. [param point_offset]: the point of it that goes to the goal,
    /// in its own space, metres. Returns a STATUS; Inactive when a bone does not exist or a number
    /// is not finite.
    #[func]
    #[allow(clippy::too_many_arguments)]
    fn drag_bone(
        &mut self,
        bone: GString,
        goal: Vector3,
        chain_length: i32,
        pins: PackedStringArray,
        pins_turn: bool,
        #[opt(default = Quaternion::new(0.0, 0.0, 0.0, 0.0))] rotation: Quaternion,
        #[opt(default = Vector3::ZERO)] point_offset: Vector3,
    ) -> i32 {
        let Some(rig) = Rig::of(&self.base) else { return Status::Inactive as i32 };
        self.set_up(rig);
        let settings = self.settings();
        let (bone, pins) = (bone.to_string(), pins.as_slice().iter().map(GString::to_string).collect::<Vec<_>>());
        let drag = BoneDrag {
            bone: &bone,
            point: vec3(point_offset),
            goal: vec3(goal),
            rotation: Some(quat(rotation)).filter(|rotation| *rotation != Quat::from_xyzw(0.0, 0.0, 0.0, 0.0)),
            chain_length: chain_length.max(0) as u32,
            pins: &pins,
            pins_turn,
        };
        let dragged = self.whole.as_mut().and_then(|whole| whole.drag(rig, &settings, &drag));
        dragged.map_or(Status::Inactive as i32, |outcome| outcome.status as i32)
    }
}

impl WholeBody {
    /// Drags a bone of the skeleton's own pose, which keeps the result. `None` when a bone does not
    /// exist or a number is not finite.
    pub fn drag(&mut self, rig: Rig, settings: &Settings, drag: &BoneDrag<'_>) -> Option<Outcome> {
        let joint = |name: &str| self.subset.skeleton.find_joint(name);
        let pins: Option<Vec<DragPin>> = drag
            .pins
            .iter()
            .map(|name| Some(DragPin { joint: joint(name)?, holds_rotation: drag.pins_turn }))
            .collect();
        let (joint, pins) = (joint(drag.bone)?, pins?);
        let is_sound = drag.goal.is_finite() && drag.point.is_finite() && drag.rotation.is_none_or(is_rotation);
        if !is_sound || !self.attached.read(rig, None) {
            return None;
        }
        self.body.set_root(*self.attached.animator.root()).ok()?;
        settings.apply(&mut self.body);
        let drag = Drag {
            joint,
            point_js: drag.point,
            goal_ws: self.attached.place.point(drag.goal),
            rotation_ws: drag.rotation.map(|rotation| self.attached.place.rotation(rotation.normalize())),
            chain_length: drag.chain_length,
            pins: &pins,
        };
        let Self { recorded, dragger, body, attached, .. } = self;
        let outcome = recorded.drag(dragger, body, attached.animator.pose_mut().local_mut(), &drag).ok()?;
        self.attached.write(rig);
        let (residual_m, residual_rad) = (outcome.residual_m, outcome.residual_rad);
        Some(Outcome { status: outcome.status, iterations: outcome.iterations, residual_m, residual_rad })
    }
}
