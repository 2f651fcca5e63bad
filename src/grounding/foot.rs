//! Foot model: heights of the joints above the ground and the outline of the sole, from the rest
//! pose or given.

use crate::math::{Vec3, length};

/// What stands on the ground at the end of a leg. Lengths in metres (host units).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FootModel {
    /// Height of the ball joint (root of the toes) above the ground when the foot stands flat. For
    /// a leg without a foot, of
    /// the last joint. 0 or more.
    pub ball_height: f32,
    /// Height of the ankle joint above the ground when the foot stands flat. 0 or more.
    pub heel_height: f32,
    /// How far the sole reaches beyond the ball joint. 0 or more; default 0.07.
    pub toe_length: f32,
    /// How far the sole reaches behind the ankle joint. 0 or more; default 0.04.
    pub heel_length: f32,
    /// Whether ankle and ball are two joints with a sole between them. `false` for hooves, stilts
    /// and insect legs: the ball is
    /// then the only contact point and ankle and ball coincide.
    pub has_sole: bool,
}

impl Default for FootModel {
    fn default() -> Self {
        Self { ball_height: 0.03, heel_height: 0.09, toe_length: 0.07, heel_length: 0.04, has_sole: true }
    }
}

impl FootModel {
    /// From joints of a pose that stands on flat ground: `ground` any point of that ground, `up`
    /// its unit normal. Without a
    /// ball joint the leg has a single contact point; without a toe tip the toes are as long as
    /// 0.55 of the way from ankle
    /// to ball.
    pub fn from_rest(ankle: Vec3, ball: Option<Vec3>, toe_tip: Option<Vec3>, ground: Vec3, up: Vec3) -> Self {
        let height = |p: Vec3| (p - ground).dot(up).max(0.0);
        let flat = |v: Vec3| length(v - up * v.dot(up));
        match ball {
            Some(ball) => {
                let instep = flat(ball - ankle);
                Self {
                    ball_height: height(ball),
                    heel_height: height(ankle),
                    toe_length: toe_tip.map_or(instep * 0.55, |tip| flat(tip - ball)),
                    heel_length: instep * 0.3,
                    // Of a figure of any size; rounding of one joint's place makes no sole.
                    has_sole: instep > (1e-3 * height(ankle)).max(1e-6),
                }
            }
            None => Self {
                ball_height: height(ankle),
                heel_height: height(ankle),
                toe_length: 0.0,
                heel_length: 0.0,
                has_sole: false,
            },
        }
    }

    /// From the outline of the sole, given as points in the rest pose: the joints' heights above
    /// the lowest of them, and how
    /// far it reaches beyond ball and ankle along the foot.
    pub fn from_outline(ankle: Vec3, ball: Vec3, outline: &[Vec3], up: Vec3) -> Self {
        let Some(ground) = outline.iter().copied().min_by(|a, b| a.dot(up).total_cmp(&b.dot(up))) else {
            return Self::from_rest(ankle, Some(ball), None, ankle, up);
        };
        let mut model = Self::from_rest(ankle, Some(ball), None, ground, up);
        let along = ball - ankle;
        let along = along - up * along.dot(up);
        let reach = length(along);
        if reach > 1e-4 {
            let along = along / reach;
            let most = |from: Vec3, way: Vec3| outline.iter().map(|p| (*p - from).dot(way)).fold(0.0, f32::max);
            model.toe_length = most(ball, along);
            model.heel_length = most(ankle, -along);
        }
        model
    }
}
