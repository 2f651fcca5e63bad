//! Grounders.

use crate::log::{alone, assert_near, record, replay};
use sinew::ffi::mirror::{RecordedGrounder, take_left_out};
use sinew::grounding::{
    Contact, FootModel, Grounded, Grounder, GrounderFrame, GrounderSettings, Hit, LegPose, Query, SteppingSettings,
};
use sinew::math::{Quat, Vec3, float};

/// Two legs that walk, or whose feet step by themselves.
struct Walker {
    grounder: Grounder,
    recorded: RecordedGrounder,
    steps: bool,
}

impl Walker {
    fn new(steps: bool) -> Self {
        let foot = FootModel::from_rest(
            Vec3::new(0.0, 0.09, 0.0),
            Some(Vec3::new(0.0, 0.02, 0.15)),
            None,
            Vec3::ZERO,
            Vec3::Y,
        );
        let mut grounder = Grounder::new(&[foot; 2], GrounderSettings::default());
        if steps {
            assert!(grounder.set_stepping(Some(SteppingSettings::default()), &[]));
        }
        Self { grounder, recorded: RecordedGrounder::default(), steps }
    }
    fn leg(&self, side: f32, at: f32, frame: u64) -> LegPose {
        let swing = float::sin(0.2 * frame as f32 + if side > 0.0 { 0.0 } else { core::f32::consts::PI });
        let (reach, lift) = if self.steps { (0.0, 0.0) } else { (0.25 * swing, 0.1 * swing.max(0.0)) };
        let ankle_ws = Vec3::new(0.1 * side, 0.09 + lift, at + reach);
        LegPose {
            hip_ws: Vec3::new(0.1 * side, 0.9, at),
            knee_ws: Vec3::new(0.1 * side, 0.5, at + 0.1),
            ankle_ws,
            ball_ws: ankle_ws + Vec3::new(0.0, -0.07, 0.15),
            foot_ws: Quat::IDENTITY,
            weight: 1.0,
            contact: Contact::Auto,
            landing: None,
        }
    }
    /// Frames over a slope; all numbers of the results.
    fn play(&mut self, frames: core::ops::Range<u64>) -> Vec<f32> {
        let mut all = Vec::new();
        let mut hits = Vec::new();
        for number in frames {
            let at = 0.02 * number as f32;
            let frame = GrounderFrame {
                root_ws: Vec3::Z * at,
                rotation_ws: Quat::IDENTITY,
                up_ws: Vec3::Y,
                pelvis_ws: Vec3::new(0.0, 0.95, at),
                dt_s: 1.0 / 60.0,
                grounded: Grounded::Yes,
            };
            if number == 12 {
                self.grounder.set_settings(GrounderSettings { foot_tilt: 0.5, ..GrounderSettings::default() });
            }
            let poses = [-1.0, 1.0].map(|side| self.leg(side, at, number));
            let ground = |query: &Query| Hit {
                hit: true,
                body: 3,
                point_ws: Vec3::new(query.origin_ws.x, 0.1 * query.origin_ws.z, query.origin_ws.z),
                normal_ws: sinew::math::normalize_or(Vec3::new(0.0, 1.0, -0.1), Vec3::Y),
                ..Hit::default()
            };
            let (body, legs) =
                self.recorded.solve_with(&mut self.grounder, &frame, &poses, &mut hits, ground).expect("a frame");
            all.extend(body.offset_ws.to_array());
            for leg in legs {
                all.extend(leg.ankle_ws.to_array());
                all.extend(leg.foot_ws.to_array());
                all.push(if leg.planted { 1.0 } else { 0.0 });
            }
        }
        all
    }
}

#[test]
fn a_recording_has_every_frame_and_changes_no_result() {
    let _alone = alone();
    for steps in [false, true] {
        let (mut usual, mut walker) = (Walker::new(steps), Walker::new(steps));
        assert_near(&usual.play(0..20), &walker.play(0..20));
        let mut results = Vec::new();
        let log = record(|| results = walker.play(20..60));
        assert_eq!(take_left_out(), 0);
        let expected = usual.play(20..60);
        assert!(expected.contains(&1.0), "a foot stands in some frame");
        assert_near(&expected, &results);
        assert_eq!(replay(&log), 40);
        assert_eq!(replay(&record(|| _ = walker.play(60..63))), 3);
    }
}
