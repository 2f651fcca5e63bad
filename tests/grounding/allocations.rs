//! A frame of grounding allocates nothing, nor does a batch of frames through the C ABI.

use crate::walker::{Walk, answer, steps};
use sinew::grounding::{GrounderSettings, Hit, LegPose};
use testkit::allocations::calls;

#[test]
fn a_frame_allocates_nothing() {
    for rate in [30.0, 60.0, 144.0] {
        let walk = Walk::quadruped(1.0);
        let mut grounder = walk.grounder(GrounderSettings { body_tilt: 0.8, ..GrounderSettings::default() });
        let mut hits: Vec<Hit> = Vec::with_capacity(20);
        let mut poses: Vec<LegPose> = Vec::with_capacity(4);
        let mut counts = 0;
        for frame in 0..200 {
            let t = frame as f32 / rate;
            poses.clear();
            poses.extend((0..4).map(|leg| walk.pose(leg, t)));
            let given = walk.frame(t, 1.0 / rate);
            let before = calls();
            let solved = grounder.solve_with(&given, &poses, &mut hits, |query| answer(query, steps)).is_some();
            counts += calls() - before;
            assert!(solved);
        }
        assert_eq!(counts, 0, "allocations in 200 frames at {rate} Hz");
    }
}
