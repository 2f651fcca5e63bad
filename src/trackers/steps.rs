//! Feet without trackers: they stand until they are too far from where they belong, then step.
//!
//! Places are kept in the host's world, so that feet stay where they stand while a stick moves the
//! whole tracking space.

use super::prior::Placed;
use super::settings::TrackedBodySettings;
use super::stream::decay;
use crate::math::{Quat, Vec3, normalize_or, rotation_angle, slerp_short};
use bytemuck::{Pod, Zeroable};

/// Half-life of the measured velocity of the homes, seconds.
const SETTLES: f32 = 0.15;
/// Least part of the step time that a step takes.
const QUICKEST: f32 = 0.9;
/// How far a foot's turn counts as a distance, metres per radian.
const TURN_COUNTS: f32 = 0.25;
/// Part of a swing for which its goal still moves.
const OPEN: f32 = 0.8;
/// Part of the distance at which a foot steps that it lands ahead of its home where a stick carries
/// the room on.
const AHEAD: f32 = 0.75;
/// How far from its home, as it is now, a foot lands at most, metres.
const MAX_LEAD: f32 = 0.5;
/// Least distance of the feet across their heading, as a part of that of their homes, or of that
/// in the T-pose where the homes are narrower. Half of that in the T-pose is about the width of a
/// foot, and of the steps of people who walk: feet side by side do not overlap, and pass each
/// other.
const OWN_SIDE: f32 = 0.5;

/// What lasts of a foot: numbers only.
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Step {
    started: u32,
    swings: u32,
    elapsed: f32,
    duration: f32,
    at: Vec3,
    from: Vec3,
    to: Vec3,
    home: Vec3,
    velocity: Vec3,
    /// The home in the room, and the velocity with which the host moves the room there.
    home_in_room: Vec3,
    carried: Vec3,
    turn: Quat,
}

/// Where a foot belongs in this frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Home {
    pub at: Vec3,
    pub turn: Quat,
    /// The same place in the room.
    pub in_room: Vec3,
    /// Height above its standing height that the foot may have.
    pub floor: f32,
    /// Whether the foot steps by itself at all.
    pub free: bool,
}

/// Keeps each foot on its own side of the other one.
struct Sides {
    /// To the left, across the heading of the homes.
    left: Vec3,
    /// How far each home is moved outward, metres.
    widens: f32,
    /// Least distance to the left at which the left foot lands from the right one, metres.
    least: f32,
}

impl Sides {
    /// `stance`: distance of the feet to the left in the T-pose.
    fn new(homes: &[Home; 2], stance: f32) -> Self {
        let [a, b] = homes.each_ref().map(|home| flat(home.turn * Vec3::X));
        let left = normalize_or(a + b, normalize_or(a, Vec3::X));
        let apart = (homes[0].at - homes[1].at).dot(left);
        let narrowest = OWN_SIDE * stance.max(0.0);
        Self { left, widens: 0.5 * (narrowest - apart).max(0.0), least: OWN_SIDE * apart.max(stance).max(0.0) }
    }
    fn outward(&self, side: usize) -> Vec3 {
        if side == 0 { self.left } else { -self.left }
    }
    /// Where a foot comes nearest to a place from its own side. `other`: where the other foot is.
    fn keep(&self, side: usize, place: Vec3, other: Vec3) -> Vec3 {
        let outward = self.outward(side);
        let place = place + outward * self.widens;
        place + outward * (self.least - outward.dot(place - other)).max(0.0)
    }
}

impl Step {
    /// Stands at a place of the host's world, wherever the foot was.
    pub fn stand(&mut self, at: Vec3, turn: Quat) {
        (self.at, self.from, self.to) = (at, at, at);
        self.turn = turn;
        (self.swings, self.elapsed) = (0, 0.0);
    }
    pub fn is_sound(&self) -> bool {
        let points = [self.at, self.from, self.to, self.home, self.velocity, self.home_in_room, self.carried];
        points.iter().all(|p| p.is_finite())
            && self.turn.is_finite()
            && self.elapsed.is_finite()
            && self.duration.is_finite()
    }
}

/// Moves both feet on by `dt`. `room`: how the host has turned the room. `scale`: of the avatar
/// against one of usual size.
pub(super) fn walk(
    feet: &mut [Step; 2],
    homes: &[Home; 2],
    room: Quat,
    dt: f32,
    (scale, stance): (f32, f32),
    settings: &TrackedBodySettings,
) -> [Placed; 2] {
    for (foot, home) in feet.iter_mut().zip(homes) {
        if foot.started == 0 || !home.free {
            *foot = Step {
                started: 1,
                at: home.at,
                turn: home.turn,
                from: home.at,
                to: home.at,
                home: home.at,
                velocity: if foot.started == 0 { Vec3::ZERO } else { foot.velocity },
                carried: if foot.started == 0 { Vec3::ZERO } else { foot.carried },
                home_in_room: if foot.started == 0 { home.in_room } else { foot.home_in_room },
                ..Step::default()
            };
        }
        if dt > 0.0 {
            let way = home.at - foot.home;
            let own = room * (home.in_room - foot.home_in_room);
            let part = decay(SETTLES, dt);
            foot.velocity += (way / dt - foot.velocity) * part;
            foot.carried += ((way - own) / dt - foot.carried) * part;
        }
        (foot.home, foot.home_in_room) = (home.at, home.in_room);
        foot.elapsed += dt;
        if foot.swings != 0 && foot.elapsed >= foot.duration {
            foot.swings = 0;
        }
    }
    let sides = Sides::new(homes, stance);
    start(feet, homes, &sides, scale, settings);
    [0, 1].map(|i| {
        let other = feet[1 - i].at;
        let allowed = |at| sides.keep(i, at, other);
        pose(&mut feet[i], &homes[i], allowed, (scale, dt), settings)
    })
}

/// Begins the step of the foot that needs it most, while the other one stands; a runner's feet may
/// both be in the air.
fn start(feet: &mut [Step; 2], homes: &[Home; 2], sides: &Sides, scale: f32, settings: &TrackedBodySettings) {
    let need = |i: usize| {
        if feet[i].swings != 0 || !homes[i].free {
            return 0.0;
        }
        let ahead = homes[i].at + flat(feet[i].velocity) * 0.1;
        // A foot that the other one keeps from home needs no step before the other one.
        let ahead = sides.keep(i, ahead, feet[1 - i].at);
        let turned = rotation_angle((homes[i].turn * feet[i].turn.conjugate()).normalize());
        let lifted = (homes[i].at.y - homes[i].floor).max(0.0);
        (flat(ahead - feet[i].at).length() + TURN_COUNTS * scale * turned + lifted)
            / (settings.step_distance * scale).max(1e-4)
    };
    let needs = [need(0), need(1)];
    let i = if needs[1] > needs[0] { 1 } else { 0 };
    let other = &feet[1 - i];
    let speed = flat(feet[i].velocity).length() / scale;
    let patience = if other.swings == 0 || !homes[1 - i].free {
        1.0
    } else if other.elapsed > 0.5 * other.duration {
        1.8 - 0.3 * speed.min(2.0)
    } else {
        3.0
    };
    if needs[i] <= patience {
        return;
    }
    let foot = &mut feet[i];
    let quick = 2.0 * settings.step_distance / speed.max(1e-3);
    foot.duration = settings.step_time_s.min(quick).max(QUICKEST * settings.step_time_s);
    (foot.swings, foot.elapsed) = (1, 0.0);
    foot.from = foot.at;
}

fn flat(v: Vec3) -> Vec3 {
    Vec3::new(v.x, 0.0, v.z)
}

/// Where a foot is. `allowed`: a place at which it may land.
fn pose(
    foot: &mut Step,
    home: &Home,
    allowed: impl Fn(Vec3) -> Vec3,
    (scale, dt): (f32, f32),
    settings: &TrackedBodySettings,
) -> Placed {
    let mut lift = 0.0;
    if foot.swings != 0 {
        let s = (foot.elapsed / foot.duration.max(1e-4)).clamp(0.0, 1.0);
        if s <= OPEN {
            let left = foot.duration - foot.elapsed;
            let lead = flat(foot.velocity) * left;
            let most = MAX_LEAD * scale;
            let lead = if lead.length() > most { lead * (most / lead.length()) } else { lead };
            // A stick carries the room on at a steady speed: part of the stance is ahead of the
            // home. How people walk in the room is in the homes already.
            let carried = flat(foot.carried);
            let most = settings.step_distance * scale / carried.length().max(1e-3);
            foot.to = allowed(home.at + lead + carried * (AHEAD * most.min(settings.step_time_s)));
        }
        let eased = |s: f32| s * s * s * (10.0 - 15.0 * s + 6.0 * s * s);
        foot.at = foot.from.lerp(foot.to, eased(s));
        // From where it is: the way from where it left the ground changes sides where the home has
        // turned by half a turn since.
        let before = eased(((foot.elapsed - dt) / foot.duration.max(1e-4)).clamp(0.0, 1.0));
        let part = if before < 1.0 { (eased(s) - before) / (1.0 - before) } else { 1.0 };
        foot.turn = slerp_short(foot.turn, home.turn, part);
        lift = 16.0 * s * s * (1.0 - s) * (1.0 - s) * settings.step_height * scale;
    }
    foot.at.y = home.floor;
    (Vec3::new(foot.at.x, home.floor + lift, foot.at.z), foot.turn)
}
