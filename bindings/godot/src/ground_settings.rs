//! Settings of a grounder from the properties of its node.

use crate::ground_rig::LegNames;
use crate::grounder::SinewGrounder;
use godot::builtin::{GString, PackedStringArray};
use sinew::grounding::{Gait, GrounderSettings, Quality, SteppingSettings};

impl SinewGrounder {
    /// Settings from the properties, of a character with legs of that size beside a person's.
    pub(crate) fn settings(&self, leg_scale: f32, legs: usize) -> GrounderSettings {
        let from_0 = |value: f32| if value > 0.0 { value.min(1e6) } else { 0.0 };
        let least = |value: f32, least: f32| if value > least { value.min(1e6) } else { least };
        let some = |value: f32| least(value, 0.01);
        let part = |value: f32| from_0(value).min(1.0);
        GrounderSettings {
            quality: match self.quality {
                1 => Quality::One,
                3 => Quality::Three,
                _ => Quality::Five,
            },
            query_radius: from_0(self.query_radius),
            max_step_up: from_0(self.max_step_up),
            max_step_down: from_0(self.max_step_down),
            plant_speed: some(self.plant_speed),
            release_speed: some(self.release_speed).max(some(self.plant_speed)),
            plant_height: from_0(self.plant_height),
            release_height: from_0(self.release_height).max(from_0(self.plant_height)),
            release_distance: least(self.release_distance, 1e-3),
            release_twist: least(self.release_twist, 1e-3),
            release_stretch: least(self.release_stretch, 1e-3),
            plant_time: from_0(self.plant_time),
            release_time: from_0(self.release_time),
            swing_time: some(self.swing_time),
            tilt_time: from_0(self.tilt_time),
            soft_extension: part(self.soft_extension),
            max_extension: part(self.max_extension),
            heel_lift: part(self.heel_lift),
            foothold_shift: from_0(self.foothold_shift),
            swing_clearance: from_0(self.swing_clearance),
            foot_tilt: part(self.foot_tilt),
            max_foot_tilt: from_0(self.max_foot_tilt),
            pelvis_follow: part(self.pelvis_follow),
            pelvis_rise_time: some(self.pelvis_rise_time),
            pelvis_fall_time: some(self.pelvis_fall_time),
            max_pelvis_offset: from_0(self.max_pelvis_offset),
            body_tilt: if self.body_tilt < 0.0 && legs > 2 { 0.8 } else { part(self.body_tilt) },
            max_body_tilt: from_0(self.max_body_tilt),
            airborne_height: from_0(self.airborne_height),
            airborne_time: some(self.airborne_time),
            scale: (least(self.character_scale, 1e-4) * leg_scale).clamp(1e-4, 1e4),
            ..GrounderSettings::default()
        }
    }

    /// How the feet step.
    pub(crate) fn stepping_settings(&self) -> SteppingSettings {
        let some = |value: f32| if value > 0.01 { value.min(1e6) } else { 0.01 };
        let from_0 = |value: f32| if value > 0.0 { value.min(1e6) } else { 0.0 };
        SteppingSettings {
            gait: match self.gait {
                1 => Gait::Wave,
                2 => Gait::Free,
                _ => Gait::Groups,
            },
            trigger_distance: some(self.trigger_distance),
            trigger_angle: some(self.trigger_angle),
            trigger_balance: some(self.trigger_balance),
            lead: from_0(self.step_lead).min(1.0),
            step_time: some(self.step_time),
            step_height: from_0(self.step_height),
        }
    }

    /// Names and sizes of the legs, with a sentence for each size that none can have.
    pub(crate) fn leg_names(&self) -> (LegNames, Vec<String>) {
        /// Largest size of a foot that is read, metres.
        const MOST: f32 = 100.0;
        let texts = |array: &PackedStringArray| array.as_slice().iter().map(GString::to_string).collect();
        let mut problems = Vec::new();
        let mut size = |value: f32, name: &str| {
            if value.is_nan() || value > MOST {
                problems.push(format!("{name} is {value}, more than {MOST} m or no number: it is not read."));
                return -1.0;
            }
            value
        };
        let names = LegNames {
            feet: texts(&self.feet),
            toes: texts(&self.toes),
            pelvis: self.pelvis_bone.to_string(),
            heights: (size(*self.ball_height, "Ball Height"), size(*self.ankle_height, "Ankle Height")),
            lengths: (size(*self.toe_length, "Toe Length"), size(*self.heel_length, "Heel Length")),
        };
        (names, problems)
    }
}
