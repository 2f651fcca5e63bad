//! First phase of a leg: way, time and place of its landing, and where ground must be known.

use super::foot::FootModel;
use super::landing::{self, Swing};
use super::leg::{FRAME, LegPose, LegState, Stage, flat, turned};
use super::past::Seen;
use super::query::{Purpose, Quality, Query};
use super::settings::GrounderSettings;
use crate::math::eight_lane::EightLane;
use crate::math::{Lane, LaneVec3, Vec3, normalize_or, plain_length};

/// How far before a swinging ball the ground below it is requested, metres: a riser is met a little
/// early.
const ONWARDS: f32 = 0.004;

/// Level speed from which a swinging foot looks where it is going to be soon, m/s.
const FAST: f32 = 2.5;
/// How soon, seconds.
pub(super) const SOON: f32 = 0.08;

/// Speed over the root's plane from which ground rises, m/s.
const RISES: f32 = 0.05;

/// A planted ball that is nearer to its anchor than this is there, metres.
const SETTLED: f32 = 2e-3;

/// How far from where it is a foot lands at most, in lengths of the leg: a sprinter's step is five.
const FARTHEST_LANDING: f32 = 6.0;

/// How much further above and below it ground is looked for per level distance from the root.
const FARTHER: f32 = 0.8;

/// How far above and below the root's plane ground is looked for at a level distance from the root.
#[inline(always)]
pub(super) fn range<L: Lane>(level: L, known_rise: f32, settings: &GrounderSettings) -> (L, L) {
    // A slope that begins near the root is higher further out; what is that high without ground
    // that leads there, a table or a beam, is no ground: the ray starts below it.
    let far = L::splat(FARTHER) * level;
    (L::splat(settings.max_step_up) + Lane::min(far, L::splat(known_rise)), L::splat(settings.max_step_down) + far)
}

/// Places below and above which ground is looked for, and what for.
struct Places {
    at: [[f32; 8]; 3],
    purpose: [Purpose; 8],
    count: usize,
}

impl Places {
    #[inline(always)]
    fn add(&mut self, at: Vec3, purpose: Purpose) {
        let i = self.count % 8;
        (self.at[0][i], self.at[1][i], self.at[2][i], self.purpose[i]) = (at.x, at.y, at.z, purpose);
        self.count = i + 1;
    }
}

impl LegState {
    /// The queries of places.
    #[inline(always)]
    fn query<E: EightLane>(
        &self,
        places: &Places,
        leg: u32,
        stage: &Stage,
        settings: &GrounderSettings,
        out: &mut Vec<Query>,
    ) {
        let [root, up] = [stage.root, stage.up].map(LaneVec3::<E>::splat);
        let [x, y, z] = places.at.map(E::of_numbers);
        let away = LaneVec3::new(x, y, z) - root;
        let level = away - up * away.dot(up);
        let (above, depth) = range(level.dot(level).root(), self.known_rise, settings);
        // Far beyond any ground, it may be more than a float can hold.
        let length = (above + depth).min(E::splat(f32::MAX)).numbers();
        let top = root + level + up * above;
        let (x, y, z) = (top.x.numbers(), top.y.numbers(), top.z.numbers());
        let (direction_ws, radius) = (-stage.up, settings.query_radius);
        out.extend((0..places.count.min(8)).map(|i| {
            let origin_ws = Vec3::new(x[i], y[i], z[i]);
            Query { origin_ws, direction_ws, length: length[i], radius, leg, purpose: places.purpose[i] }
        }));
    }

    /// How far the highest ground that this leg knows is over the root's plane, 0 or more.
    #[inline(always)]
    fn highest_known<E: EightLane>(&self, stage: &Stage) -> f32 {
        // A lift that rises beside the root leads nowhere yet.
        let most = RISES + if stage.dt > 0.0 { stage.rise / stage.dt } else { 0.0 };
        let rises = |seen: &Seen| seen.body != 0 && seen.velocity.dot(stage.up) > most;
        let seen = self.seen.iter().filter(|seen| seen.hit != 0 && !rises(seen)).map(|seen| seen.point.dot(stage.up));
        let highest = seen.fold(self.memory.highest::<E>(stage.up, most), f32::max);
        (highest - stage.root.dot(stage.up)).max(0.0)
    }

    /// First phase: where ground must be known. At most `settings.quality` queries.
    #[inline(always)]
    pub fn ask<E: EightLane>(
        &mut self,
        leg: u32,
        pose: &LegPose,
        foot: &FootModel,
        stage: &Stage,
        settings: &GrounderSettings,
        out: &mut Vec<Query>,
    ) {
        let mut places = Places { at: [[0.0; 8]; 3], purpose: [Purpose::Path; 8], count: 0 };
        self.choose_places::<E>(pose, foot, stage, settings, &mut places);
        self.query::<E>(&places, leg, stage, settings, out);
    }

    /// Where ground must be known, and way, time and place of the landing.
    #[inline(always)]
    fn choose_places<E: EightLane>(
        &mut self,
        pose: &LegPose,
        foot: &FootModel,
        stage: &Stage,
        settings: &GrounderSettings,
        out: &mut Places,
    ) {
        let up = stage.up;
        self.measure(pose, stage);
        self.known_rise = self.highest_known::<E>(stage);
        let velocity = self.velocity;
        let lever = pose.ankle_ws - pose.ball_ws;
        // Where the ball will be, as far as the way there does not depend on the answers.
        let ball = if self.planted != 0 {
            self.anchor + self.owed + self.ground_goes(self.anchor, up, stage.frame_dt) * stage.frame_dt
        } else {
            let lag = if self.started != 0 { self.faded(stage.dt).0 } else { self.lag };
            // The animation counts twice: the ways aside end soon.
            let going = flat(velocity * 2.0 + self.lag_rate + self.aside_rate, up);
            let onwards = normalize_or(going, Vec3::ZERO) * ONWARDS;
            pose.ball_ws + lag + self.aside + self.aside_rate * stage.dt + onwards
        };
        let heel = ball + turned(self.align, lever);
        self.foresee(pose, foot, stage, settings, velocity);
        let target = if self.has_foothold != 0 { self.foothold } else { self.landing };
        let first = if settings.quality == Quality::One && self.planted == 0 { target } else { ball };
        let purpose =
            if settings.quality == Quality::One && self.planted == 0 { Purpose::Landing } else { Purpose::Ball };
        out.add(first, purpose);
        if settings.quality == Quality::One {
            return;
        }
        out.add(heel, Purpose::Heel);
        if stage.remembered {
            // What counts in the step itself: nothing is looked for.
            if self.planted == 0 {
                out.add(target, Purpose::Landing);
            }
            if let Some(at) = self.soon_or_settling(ball, velocity, stage, settings) {
                out.add(at, Purpose::Path);
            }
            return;
        }
        if !stage.looks {
            return;
        }
        let reach = flat(self.landing - ball, up).dot(self.way);
        // A foot that was moved beyond its landing place still needs the ground behind that.
        let from = reach.min(0.0) - (plain_length(flat(lever, up)) + foot.heel_length);
        let reach = reach.max(0.12 * flat(velocity, up).dot(self.way)).max(0.0);
        let to = reach + foot.toe_length + settings.foothold_shift;
        let next = self.memory.look::<E>(ball, self.way, up, stage.root, from, to);
        let five = settings.quality == Quality::Five;
        let turn_of_landing = five || stage.is_even;
        if self.planted == 0 && turn_of_landing {
            out.add(target, Purpose::Landing);
        }
        let paths = if five { 2 } else { usize::from(self.planted != 0 || !turn_of_landing) };
        let paths = match self.soon_or_settling(ball, velocity, stage, settings) {
            Some(at) => {
                out.add(at, Purpose::Path);
                paths - usize::from(!five || self.planted == 0)
            }
            None => paths,
        };
        if self.started == 0 && paths > 0 {
            // Nothing is known: of two steps, a foot stands on the one below its middle.
            out.add(ball + flat(lever, up) * landing::OVERHANG, Purpose::Path);
            return;
        }
        for ahead in next.into_iter().take(paths).flatten() {
            out.add(ball + self.way * ahead, Purpose::Path);
        }
    }

    /// The place along the way that is set by the motion of the foot, if there is one.
    #[inline(always)]
    fn soon_or_settling(&self, ball: Vec3, velocity: Vec3, stage: &Stage, settings: &GrounderSettings) -> Option<Vec3> {
        let up = stage.up;
        if self.settles() {
            Some(ball + self.faded(stage.dt).0)
        } else if self.looks_soon(settings, flat(velocity, up)) {
            Some(ball + flat(velocity + self.aside_rate + self.lag_rate, up) * SOON)
        } else {
            None
        }
    }

    /// Whether the first query along the way goes to where a fast foot is going to be soon, for
    /// edges that it did not expect to pass.
    pub(super) fn looks_soon(&self, settings: &GrounderSettings, level_velocity: Vec3) -> bool {
        settings.quality == Quality::Five && self.planted == 0 && plain_length(level_velocity) > FAST
    }

    /// Whether the first query along the way goes to where a planted ball is, on its way to its
    /// anchor.
    pub(super) fn settles(&self) -> bool {
        self.planted != 0 && self.started != 0 && self.lag.length_squared() > SETTLED * SETTLED
    }

    /// Way, time and place of the landing.
    #[inline(always)]
    fn foresee(
        &mut self,
        pose: &LegPose,
        foot: &FootModel,
        stage: &Stage,
        settings: &GrounderSettings,
        velocity: Vec3,
    ) {
        let up = stage.up;
        let usual =
            if self.swing_time > 0.0 { self.swing_time } else { stage.usual_time.unwrap_or(settings.swing_time) };
        let root_velocity = stage.root_velocity - flat(self.ground_velocity, up);
        let height = (pose.ball_ws - stage.root).dot(up) - foot.ball_height;
        let speed = plain_length(flat(velocity, up));
        if stage.dt > 0.0 {
            // The speed of a first frame is not known.
            let is_known = self.elapsed > 0.0 && self.planted == 0 && self.last_pace > 0.0;
            let slowing = if is_known { (self.speed - speed) / stage.dt } else { 0.0 };
            self.slowing += (slowing - self.slowing) * stage.slowing_part;
            self.speed = speed;
        }
        let swing = Swing {
            slowing: self.slowing,
            whole: self.whole_swing != 0,
            // Before take-off: a whole swing is still to come.
            elapsed: if self.planted != 0 { 0.0 } else { (self.elapsed + stage.dt - FRAME).max(0.0) },
            usual,
            root: stage.root,
            root_velocity,
            usual_place: if self.has_place != 0 {
                Some(flat(stage.rotation * self.place, up))
            } else {
                // Planted from the start: as far ahead as others land; in the air from the start:
                // nothing is known.
                stage.usual_reach.filter(|_| self.planted != 0).map(|reach| {
                    let way = normalize_or(stage.root_velocity, Vec3::ZERO);
                    let local = flat(pose.ball_ws - stage.root, up);
                    local + way * (reach - local.dot(way))
                })
            },
            ball: pose.ball_ws,
            ball_velocity: flat(velocity, up),
            height,
            height_rate: velocity.dot(up),
        };
        let (left, landing) = match pose.landing {
            Some((left, place)) => {
                let at = stage.root + stage.rotation * place + root_velocity * left;
                (left.max(0.0), at + up * (pose.ball_ws - at).dot(up))
            }
            None => landing::predict(&swing, up),
        };
        self.time_to_landing = left;
        // A root that was corrected by a metre in a frame has a speed that leads out of the world.
        let farthest = FARTHEST_LANDING * pose.length();
        let onward = landing - pose.ball_ws;
        let share = farthest / plain_length(onward).max(farthest).max(f32::MIN_POSITIVE);
        let landing = if share < 1.0 { pose.ball_ws + onward * share } else { landing };
        self.landing = landing;
        // A foot that is moved to a foothold beyond its landing place does not turn round.
        let unmoved = match (self.started, self.planted) {
            // No ball was put out yet.
            (0, _) => landing,
            (_, 0) => self.ball - self.aside,
            _ => self.ball,
        };
        let way = flat(landing - unmoved, up);
        if self.started == 0 {
            self.way = normalize_or(flat(stage.rotation * Vec3::Z, up), crate::math::perpendicular(up));
        }
        let going = flat(velocity, up);
        if self.planted == 0
            && left > 0.1
            && plain_length(going) > 0.4
            && way.dot(going) < 0.5 * plain_length(way) * plain_length(going)
        {
            // It does not go to where it is expected: the ground along its own way counts.
            self.way = normalize_or(going, self.way);
        } else if plain_length(way) > 0.12 {
            self.way = normalize_or(way, self.way);
        }
        self.way = normalize_or(flat(self.way, up), Vec3::ZERO);
        if self.way == Vec3::ZERO {
            self.way = crate::math::perpendicular(up);
        }
    }
}
