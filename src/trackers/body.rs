//! A body from trackers: the order of a frame, and what lasts between frames.

use super::animated::Animated;
use super::calibration::{self, CalibrationError, CalibrationInput, CalibrationPose, ScalePolicy, TrackerCalibration};
use super::fingers::{FingerPose, Fingers};
use super::frame_input::{BoneGoal, Goals};
use super::legs::{self, FootGoal};
use super::packet::Sender;
use super::parts::TrackedPart;
use super::posture::{FARTHEST_M, Posture};
use super::prior::{self, History, Placed};
use super::receiver::Receiver;
use super::rig::Rig;
use super::role::{FIRST_FINGER, HEAD, HIPS, TrackerRole, leg, of_side};
use super::settings::TrackedBodySettings;
use super::steps::{self, Home, Step};
use super::stream::{Stream, TrackerSample};
use super::swivel::Swivel;
use super::trunk::{self, TrunkGoal};
use super::upper;
use crate::humanoid::Avatar;
use crate::math::float::smooth01;
use crate::math::{Quat, Transform, Vec3, rotation_angle, slerp_short};
use crate::outcome::{Outcome, Status, weight01};
use crate::skeleton::{JointIndex, Pose, path};
use std::sync::Arc;

/// Distance and angle within which a tracker counts as met, metres and radians.
const MET_M: f32 = 1e-3;
const MET_RAD: f32 = 0.5 * core::f32::consts::PI / 180.0;

/// A whole body from any subset of trackers: see the [module](super).
#[derive(Clone, Debug)]
pub struct TrackedBody {
    avatar: Arc<Avatar>,
    pub(super) rig: Rig,
    settings: TrackedBodySettings,
    calibration: TrackerCalibration,
    pub(super) streams: [Stream; TrackerRole::COUNT],
    pub(super) history: History,
    pub(super) steps: [Step; 2],
    /// Of elbows, then knees; left before right.
    pub(super) swivels: [[Swivel; 2]; 2],
    pub(super) time_s: f64,
    pub(super) started: bool,
    /// Tracking space in the host's world, canonical: its place and its turn.
    pub(super) origin: (Vec3, Quat),
    posture: Posture,
    pub(super) animated: Animated,
    pub(super) fingers: Fingers,
    outcomes: [Outcome; TrackerRole::COUNT],
    pub(super) last_goals: Goals,
    pub(super) last_seen: [Placed; 4],
    pose: Pose,
    pub(super) sender: Sender,
    pub(super) receiver: Option<Box<Receiver>>,
}

impl TrackedBody {
    /// For an avatar. Allocates; nothing after this does.
    pub fn new(avatar: Arc<Avatar>, settings: TrackedBodySettings) -> Self {
        let rig = Rig::new(&avatar);
        let mut pose = Pose::rest(avatar.skeleton());
        pose.local_mut().copy_from_slice(avatar.t_pose());
        pose.update(avatar.skeleton());
        Self {
            posture: Posture::t_pose(&rig),
            animated: Animated::new(&rig),
            fingers: Fingers::new(&avatar, &rig.canonical, &pose),
            avatar,
            rig,
            settings,
            calibration: TrackerCalibration::default(),
            streams: [Stream::default(); TrackerRole::COUNT],
            history: History::default(),
            steps: [Step::default(); 2],
            swivels: [[Swivel::default(); 2]; 2],
            time_s: 0.0,
            started: false,
            origin: (Vec3::ZERO, Quat::IDENTITY),
            outcomes: [Outcome::INACTIVE; TrackerRole::COUNT],
            last_goals: Goals::default(),
            last_seen: [(Vec3::ZERO, Quat::IDENTITY); 4],
            pose,
            sender: Sender::default(),
            receiver: None,
        }
    }
    /// The avatar.
    pub fn avatar(&self) -> &Arc<Avatar> {
        &self.avatar
    }
    /// Settings in force.
    pub fn settings(&self) -> &TrackedBodySettings {
        &self.settings
    }
    /// Changes the settings; what lasts between frames stays.
    pub fn set_settings(&mut self, settings: TrackedBodySettings) {
        self.settings = settings;
    }
    /// The calibration in force.
    pub fn calibration(&self) -> &TrackerCalibration {
        &self.calibration
    }
    /// Changes the calibration, at any time: a tracker was moved, another player took over.
    pub fn set_calibration(&mut self, calibration: TrackerCalibration) {
        self.calibration = calibration;
    }
    /// Calibrates from the newest samples, while the player stands in a pose, whichever way they
    /// face; takes the result over. Trackers that are lost (confidence 0), or have not reported for
    /// `lost_after_s`, do not count. An error changes nothing.
    pub fn calibrate(
        &mut self,
        pose: CalibrationPose,
        policy: ScalePolicy,
        floor: f32,
    ) -> Result<(), CalibrationError> {
        self.calibration = calibration::calibrate(&self.avatar, &self.newest(), pose, policy, floor)?;
        Ok(())
    }
    /// States what unlabelled trackers are worn on, from their places, while the player stands in
    /// the T-pose with a tracked head (and hands, which report left from right). `out` gets a role
    /// per tracker; strays get none. Returns how many got a role; `None` without a head.
    pub fn assign(&self, trackers: &[Vec3], floor: f32, out: &mut [Option<TrackerRole>]) -> Option<usize> {
        calibration::assign(&self.avatar, &self.newest(), floor, trackers, out)
    }
    fn newest(&self) -> CalibrationInput {
        let newest_s = self.streams.iter().filter_map(Stream::newest_s).fold(f64::NEG_INFINITY, f64::max);
        let since_s = newest_s - f64::from(self.settings.lost_after_s);
        core::array::from_fn(|i| self.streams[i].newest(since_s))
    }
    /// Takes a sample of a tracker. One that is older than the newest of its role is dropped:
    /// `false`. Exception: where the newest is more than `lost_after_s` ahead of the last update
    /// and this one is not, the time of the newest was wrong, and this one replaces it.
    pub fn set_tracker(&mut self, role: TrackerRole, sample: &TrackerSample) -> bool {
        let frame_s = self.started.then_some(self.time_s);
        self.streams[role.index()].push(sample, &self.settings, frame_s)
    }
    /// Forgets a tracker at once; one that only stops reporting fades out instead.
    pub fn clear_tracker(&mut self, role: TrackerRole) {
        self.streams[role.index()] = Stream::default();
    }
    /// Part of a tracker in the body, 0 … 1.
    pub fn presence(&self, role: TrackerRole) -> f32 {
        self.streams[role.index()].presence()
    }
    /// Where tracking space is in the host's world, model axes: a stick moves and turns it. Only
    /// the turn about up counts. Untracked feet stand in that world.
    pub fn set_origin(&mut self, position: Vec3, rotation: Quat) {
        let turn = super::posture::heading(self.rig.canonical.rotation_in(rotation));
        self.origin = (self.rig.canonical.vector_in(position), turn);
    }
    /// Forgets what lasts between frames, but not the newest samples: after a teleport or a cut.
    pub fn reset(&mut self) {
        self.history = History::default();
        self.steps = [Step::default(); 2];
        self.swivels = [[Swivel::default(); 2]; 2];
        self.animated.reset();
        self.started = false;
    }

    /// Builds the body for a time, on the clock of the samples. A time before the last one counts
    /// as the last one. Trackers so far away that products of their positions are no finite numbers
    /// leave the last body as it is, and all outcomes inactive.
    pub fn update(&mut self, time_s: f64) {
        let first = !self.started;
        let dt = if first { 0.0 } else { ((time_s - self.time_s) as f32).clamp(0.0, 1.0) };
        self.time_s = if first { time_s } else { self.time_s.max(time_s) };
        self.started = true;
        let goals = self.read_goals(dt, first);
        let seen = self.seen(&goals, dt);
        if self.history.started == 0 {
            self.history.follow(&seen, 0.0);
        } else {
            self.history.follow(&seen, dt);
        }
        let weight = self.settings.prior_weight.clamp(0.0, 1.0);
        let hips = *goals.of(TrackerRole::Hips);
        let ((guess_at, guess_turn), mut feet) = prior::from_head(&mut self.history, &self.rig, &seen, dt, weight);
        let placed = hips.place_weight.min(1.0);
        let mut body_hips = (hips.place_over(guess_at), hips.turn_over(guess_turn));
        body_hips.0 = legs::draw_hips(&self.rig, body_hips, seen[0].0, &goals, 1.0 - placed);
        if placed > 0.0 {
            let seen = [seen[0], seen[1], seen[2], body_hips];
            let own = prior::from_hips(&mut self.history, &self.rig, &seen, dt, weight);
            for (foot, own) in feet.iter_mut().zip(own) {
                *foot = (foot.0.lerp(own.0, placed), slerp_short(foot.1, own.1, placed));
            }
        }
        self.history.started = 1;
        let trunk_goal = TrunkGoal {
            hips: body_hips.0,
            hips_turn: body_hips.1,
            head: seen[0].0,
            head_turn: seen[0].1,
            hips_weight: placed,
            floor: trunk::floor(&self.rig, seen[0].0.y + (hips.sensor.y - seen[0].0.y) * placed),
        };
        let lasting = (&mut self.history.followed, &mut self.swivels[0]);
        let mut body = upper::solve(&self.rig, &trunk_goal, &goals, &self.settings, lasting, dt);
        let mut due = self.feet(&feet, &goals, &body, dt);
        let mut feet = due;
        for (side, (goal, due)) in feet.iter_mut().zip(&mut due).enumerate() {
            *goal = legs::solve(&self.rig, side, due, &goals, (&mut self.swivels[1][side], dt), &mut body);
        }
        if !body.is_sound() {
            // A product of large numbers ran over. The last sound body stays, and what the filters
            // remember of those numbers is forgotten.
            self.reset();
            self.outcomes = [Outcome::INACTIVE; TrackerRole::COUNT];
            return;
        }
        self.animated.follow(&body, body_hips.0, &due, dt);
        self.posture = body;
        self.bend_fingers(&goals);
        self.last_goals = goals;
        self.last_seen = seen;
        self.judge(&goals, seen[0], body_hips, &feet);
        self.write_pose();
    }

    /// Trackers as goals of bones.
    fn read_goals(&mut self, dt: f32, first: bool) -> Goals {
        let mut goals = Goals::default();
        let Self { streams, settings, calibration, rig, posture, .. } = self;
        for role in TrackerRole::ALL {
            let Some(reading) = streams[role.index()].read(self.time_s, dt, first, settings) else { continue };
            let offset = calibration.offsets[role.index()].unwrap_or_default();
            let turn = rig.canonical.rotation_in(reading.rotation);
            let floor = Vec3::Y * calibration.floor;
            let place = (rig.canonical.vector_in(reading.position) - floor) * calibration.scale;
            // A tracker without rotation is carried by its bone, as that was turned last.
            let mount = rig.canonical.rotation_in(offset.rotation);
            let mounted = if reading.turn_weight < 1.0 {
                let bone = rig.bone_of(role).map_or(Quat::IDENTITY, |bone| posture.turn[bone]);
                slerp_short((bone * mount.conjugate()).normalize(), turn, reading.turn_weight)
            } else {
                turn
            };
            goals.0[role.index()] = BoneGoal {
                sensor: place,
                position: place + mounted * rig.canonical.vector_in(offset.position),
                turn: (turn * mount).normalize(),
                place_weight: reading.place_weight,
                turn_weight: reading.turn_weight,
            };
        }
        goals
    }

    /// Head, hands and hips as far as they are tracked, and what is assumed of the rest.
    fn seen(&mut self, goals: &Goals, dt: f32) -> [Placed; 4] {
        let rig = &self.rig;
        let hips = goals.of(TrackerRole::Hips);
        let head = goals.of(TrackerRole::Head);
        // Without a head tracker: above the hips as far as they are tracked, or where it was.
        let (last, hips_turn) = (&self.posture, hips.turn_over(self.posture.turn[HIPS]));
        let above = (
            last.at[HEAD].lerp(hips.position + hips_turn * rig.span(HIPS, HEAD), hips.place_weight),
            slerp_short(last.turn[HEAD], hips_turn, hips.place_weight.max(hips.turn_weight)),
        );
        let head = (head.place_over(above.0), head.turn_over(above.1));
        self.history.facing.follow(head.1, dt, self.history.started == 0);
        let below = prior::hips_below(head.0, self.history.facing.heading(), rig);
        let mut trunk = Posture::t_pose(rig);
        trunk.at[rig.top] = below.0 + below.1 * rig.span(HIPS, rig.top);
        trunk.turn[rig.top] = below.1;
        let hand = |side: usize| {
            let goal = goals.of(of_side(TrackerRole::LeftHand, side));
            let assumed = prior::hanging_hand(rig, side, &trunk);
            (goal.place_over(assumed.0), goal.turn_over(assumed.1))
        };
        [head, hand(0), hand(1), (hips.place_over(below.0), hips.turn_over(below.1))]
    }

    /// Where the feet are to be: tracked, or standing, stepping and gliding by themselves.
    fn feet(&mut self, guess: &[Placed; 2], goals: &Goals, body: &Posture, dt: f32) -> [FootGoal; 2] {
        let rig = &self.rig;
        let scale = rig.leg_length(0) / 0.85;
        let (place, turn) = self.origin;
        let out = |p: Vec3| place + turn * p;
        let back = turn.conjugate();
        let step_weight = self.settings.step_weight.clamp(0.0, 1.0);
        let homes = [0, 1].map(|side| {
            let tracked = goals.of(of_side(TrackerRole::LeftFoot, side)).place_weight;
            let (at, own) = guess[side];
            Home {
                at: out(at),
                // A standing foot is level.
                turn: (turn * super::posture::heading(own)).normalize(),
                in_room: at,
                floor: out(Vec3::Y * rig.at[leg(side)[2]].y).y,
                free: tracked < 1.0 && step_weight > 0.0,
            }
        });
        if self.animated.is_active() {
            self.animated.stand_where_shown(&mut self.steps);
        }
        let stance = (rig.at[leg(0)[2]] - rig.at[leg(1)[2]]).x;
        let stepped = steps::walk(&mut self.steps, &homes, turn, dt, (scale, stance), &self.settings);
        let low = rig.at[HIPS].y;
        let upright = smooth01((body.at[HIPS].y / low.max(1e-3) - 0.15) / 0.2);
        [0, 1].map(|side| {
            let (at, own) = guess[side];
            let standing = rig.at[leg(side)[2]].y;
            let in_air = smooth01((at.y - standing) / (0.15 * scale) - 1.0);
            let glide = Vec3::new(at.x, at.y.max(0.3 * standing), at.z);
            let part = step_weight * upright * (1.0 - in_air);
            let (step_at, step_turn) = stepped[side];
            let turn = slerp_short(own, back * step_turn, part);
            let mut ankle = glide.lerp(back * (step_at - place), part);
            ankle.y = ankle.y.max(legs::ankle_on_floor(rig, side, turn));
            let assumed = (ankle, turn);
            let goal = goals.of(of_side(TrackerRole::LeftFoot, side));
            FootGoal {
                at: goal.place_over(assumed.0),
                turn: goal.turn_over(assumed.1),
                assumed: 1.0 - goal.place_weight.clamp(0.0, 1.0),
                turn_assumed: 1.0 - goal.turn_weight.clamp(0.0, 1.0),
            }
        })
    }

    /// How near every tracker's bone came to it: of head, hands, hips and feet with a part of less
    /// than 1, to where that part has it, between the tracker and what is assumed without it.
    fn judge(&mut self, goals: &Goals, head: Placed, hips: Placed, feet: &[FootGoal; 2]) {
        let hands = [0, 1].map(|side| {
            let goal = goals.of(of_side(TrackerRole::LeftHand, side));
            let assumed = prior::hanging_hand(&self.rig, side, &self.posture);
            (goal.place_over(assumed.0), goal.turn_over(assumed.1))
        });
        for role in TrackerRole::ALL {
            let goal = goals.of(role);
            let out = &mut self.outcomes[role.index()];
            if !goal.is_active() {
                *out = Outcome::INACTIVE;
                continue;
            }
            let Some(bone) = self.rig.bone_of(role) else { continue };
            let (at, turn) = match role {
                TrackerRole::Head => head,
                TrackerRole::Hips => hips,
                TrackerRole::LeftHand => hands[0],
                TrackerRole::RightHand => hands[1],
                TrackerRole::LeftFoot => (feet[0].at, feet[0].turn),
                TrackerRole::RightFoot => (feet[1].at, feet[1].turn),
                _ => (goal.position, goal.turn),
            };
            let residual_m = if goal.place_weight > 0.0 { (self.posture.at[bone] - at).length() } else { 0.0 };
            let off = (self.posture.turn[bone] * turn.conjugate()).normalize();
            let residual_rad = if goal.turn_weight > 0.0 { rotation_angle(off) } else { 0.0 };
            *out = outcome(residual_m, residual_rad);
        }
    }
    fn bend_fingers(&mut self, goals: &Goals) {
        let Self { fingers, calibration, rig, posture, outcomes, .. } = self;
        let (_, outcomes) = outcomes.split_at_mut(FIRST_FINGER);
        let (_, offsets) = calibration.offsets.split_at(FIRST_FINGER);
        let mount = |i: usize| rig.canonical.vector_in(offsets[i].unwrap_or_default().position);
        fingers.solve(goals, mount, posture, |number, left| {
            outcomes[number] = left.map_or(Outcome::INACTIVE, |(m, rad)| outcome(m, rad));
        });
    }
    /// How near a tracker's bone came to it in the last update; inactive for one that takes no
    /// part.
    pub fn outcome(&self, role: TrackerRole) -> Outcome {
        self.outcomes[role.index()]
    }
    /// The body of the last update: local transforms of all joints. Those that no tracker moves
    /// (face, fingers that are not tracked) are in their T-pose.
    pub fn pose(&self) -> &[Transform] {
        self.pose.local()
    }
    /// Sets how much of a part is the tracked body's own answer, 0 … 1 (clamped); the rest is the
    /// animation's, which is the pose that [`Self::apply`] writes over. Default 1. It counts for
    /// trackers of that part, too.
    pub fn set_part_weight(&mut self, part: TrackedPart, weight: f32) {
        self.animated.set_weight(part, weight01(weight));
    }
    /// How much of a part is the tracked body's own answer, 0 … 1.
    pub fn part_weight(&self, part: TrackedPart) -> f32 {
        self.animated.weight(part)
    }
    /// Writes the body of the last update into local transforms of the avatar's skeleton: the
    /// joints from the hips to head, hands and toes, and tracked fingers, which fade between what
    /// is there and their trackers, as do the parts whose weight is below 1
    /// ([`Self::set_part_weight`]). All others stay as they are. `false`, with nothing changed,
    /// when their number is another, or when a part is animated and a bone of the animation has no
    /// rotation or no place within 1e9 m.
    pub fn apply(&mut self, local: &mut [Transform]) -> bool {
        if local.len() != self.pose.local().len() {
            return false;
        }
        if self.animated.is_active() {
            if !self.apply_parts(local) {
                return false;
            }
        } else {
            for joint in self.rig.written() {
                local[joint] = self.pose.local()[joint];
            }
        }
        self.fingers.apply(self.animated.fingers(), local);
        true
    }
    /// The first joint for which [`Self::apply`] refuses a pose of the right length, where that
    /// reads it.
    pub fn unfit_joint(&self, local: &[Transform]) -> Option<JointIndex> {
        let is_near = |joint: JointIndex| {
            let place_ms = path::frame::<true, false>(self.avatar.skeleton(), local, joint).position;
            self.rig.canonical.vector_in(place_ms).length() < FARTHEST_M
        };
        let is_fit = |joint: &JointIndex| Pose::check_joint(*joint, &local[*joint]).is_ok() && is_near(*joint);
        self.rig.written().find(|joint| !is_fit(joint))
    }
    /// Writes the body and the animation that is there, a weight per part. The pose of the body is
    /// where both are computed, and has the tracked body again after it.
    #[cold]
    fn apply_parts(&mut self, local: &mut [Transform]) -> bool {
        let floor = self.floor();
        let Self { avatar, rig, pose, animated, posture, origin, .. } = self;
        for joint in rig.written() {
            pose.local_mut()[joint] = local[joint];
            pose.update_joints(avatar.skeleton(), &[joint]);
        }
        let (at, turn) = rig.read(pose);
        let animation = Posture { at, turn };
        let is_sound = animation.is_sound();
        if is_sound {
            let blended = animated.blend(rig, posture, &animation, *origin);
            let shown = if blended.is_sound() { &blended } else { &*posture };
            rig.write(avatar, &shown.at, &shown.turn, floor, pose);
            for joint in rig.written() {
                local[joint] = pose.local()[joint];
            }
        }
        rig.write(avatar, &posture.at, &posture.turn, floor, pose);
        is_sound
    }
    /// Height of the floor, model space.
    fn floor(&self) -> f32 {
        (self.calibration.floor * self.calibration.scale).clamp(-FARTHEST_M, FARTHEST_M)
    }
    pub(super) fn posture(&self) -> &Posture {
        &self.posture
    }
    fn write_pose(&mut self) {
        let floor = self.floor();
        self.rig.write(&self.avatar, &self.posture.at, &self.posture.turn, floor, &mut self.pose);
        self.fingers.write(self.avatar.skeleton(), &self.rig.canonical, &self.posture, &mut self.pose);
    }
    pub(super) fn set_posture(&mut self, posture: Posture, fingers: FingerPose) {
        self.posture = posture;
        self.fingers.pose = fingers;
        self.outcomes = [Outcome::INACTIVE; TrackerRole::COUNT];
        self.write_pose();
    }
}

fn outcome(residual_m: f32, residual_rad: f32) -> Outcome {
    let met = residual_m <= MET_M && residual_rad <= MET_RAD;
    let status = if met { Status::Reached } else { Status::Unreachable };
    Outcome { status, iterations: 0, residual_m, residual_rad }
}
