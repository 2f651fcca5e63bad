//! Debug lines of a grounder: queries, contacts, landings, displacement of the pelvis.

use super::grounder::Grounder;
use super::query::Hit;
use crate::debug::{Line, Part, Sink};
use crate::math::Vec3;

/// Sizes, as parts of the leg's length.
const NORMAL: f32 = 0.12;
const PLANTED: f32 = 0.12;
const SWINGING: f32 = 0.05;

impl Grounder {
    /// Draws the last finished frame, world space: each query up to its hit (`Part::GoalAxis`, with
    /// the ground's normal) or over its whole length (`Part::Residual`), a large cross
    /// (`Part::Support`) at the ball of a planted foot, a small one at a swinging one with a line
    /// to its landing (`Part::LookAt`), and the displacement of the pelvis (`Part::Body`). `hits`
    /// are the answers that [`Self::finish`] was given; none, and no queries are drawn.
    pub fn draw(&self, hits: &[Hit], sink: &mut impl Sink) {
        let (body, legs) = self.results();
        let size = legs.first().map_or(1.0, |leg| (leg.ankle_ws - leg.hip_ws).length());
        for (query, hit) in self.queries().iter().zip(hits) {
            let end = query.origin_ws + query.direction_ws * query.length;
            let (to_ws, part) = if hit.hit { (hit.point_ws, Part::GoalAxis) } else { (end, Part::Residual) };
            sink.line(Line { from_ws: query.origin_ws, to_ws, part });
            if hit.hit {
                let tip = hit.point_ws + hit.normal_ws * (NORMAL * size);
                sink.line(Line { from_ws: hit.point_ws, to_ws: tip, part });
            }
        }
        for leg in legs {
            if leg.planted {
                sink.cross(leg.ball_ws, PLANTED * size, Part::Support);
            } else {
                sink.cross(leg.ball_ws, SWINGING * size, Part::LookAt);
                sink.line(Line { from_ws: leg.ball_ws, to_ws: leg.landing_ws, part: Part::LookAt });
            }
        }
        if let Some(pelvis_ws) = self.pelvis_ws()
            && body.offset_ws != Vec3::ZERO
        {
            sink.line(Line { from_ws: pelvis_ws, to_ws: pelvis_ws + body.offset_ws, part: Part::Body });
        }
    }
}
