//! Bodies from trackers through the C functions: a player who walks in a circle. A unit is a frame
//! of one body: samples, update, and the pose.

use super::c_abi::capi::{RigData, ok, quat, transforms, vec3};
use super::{Row, counted};
use sinew::ffi::*;
use sinew::math::{Quat, Vec3, axis_angle, float};
use sinew::skeleton::Pose;
use sinew::trackers::TrackerRole;
use testkit::person::{Person, PersonOptions, person};

/// Frames that are counted, after as many that are not.
const FRAMES: u32 = 120;
const FRAMES_PER_SECOND: f64 = 90.0;
/// Walk: radius and speed of the circle, metres and metres per second.
const RADIUS: f32 = 1.5;
const SPEED: f32 = 1.3;

/// Trackers in the order in which sets grow.
const WORN: [TrackerRole; 6] = {
    use TrackerRole::{Head, Hips, LeftFoot, LeftHand, RightFoot, RightHand};
    [Head, LeftHand, RightHand, Hips, LeftFoot, RightFoot]
};

/// Head, hands and the ends of all fingers.
const GLOVES: [TrackerRole; 13] = {
    use TrackerRole::*;
    [
        Head,
        LeftHand,
        RightHand,
        LeftThumb,
        RightThumb,
        LeftIndex,
        RightIndex,
        LeftMiddle,
        RightMiddle,
        LeftRing,
        RightRing,
        LeftLittle,
        RightLittle,
    ]
};

/// A player with a number of trackers, and the body that follows them.
struct Player {
    body: SinewTrackedBody,
    /// Trackers in the T-pose.
    worn: Vec<(TrackerRole, Vec3, Quat)>,
    up: Vec3,
    forward: Vec3,
    pose: Vec<SinewTransform>,
}

impl Player {
    fn new(person: &Person, roles: &[TrackerRole]) -> Self {
        let (_, avatar) = RigData::of_person(person).avatar();
        let mut body = SinewTrackedBody { bits: 0 };
        ok(unsafe { sinew_tracked_body_create(avatar, core::ptr::null(), Some(&mut body)) });
        let mut pose = Pose::rest(&person.skeleton);
        pose.local_mut().copy_from_slice(&person.t_pose);
        pose.update(&person.skeleton);
        let place = |role: &TrackerRole| {
            let frame = pose.model(person.human[role.bone().index()].expect("a person has the bone"));
            (*role, frame.position, frame.rotation)
        };
        let worn = roles.iter().map(place).collect();
        let player = Self {
            body,
            worn,
            up: person.axes.up,
            forward: person.axes.forward,
            pose: transforms(person.skeleton.rest_local()),
        };
        for (role, position, rotation) in &player.worn {
            player.report(*role, *position, *rotation, 0.0);
        }
        let (pose, scale) = (SinewCalibrationPose::TPose as i32, SinewTrackerScale::Height as i32);
        ok(sinew_tracked_body_calibrate(body, pose, scale, 0.0));
        player
    }
    fn report(&self, role: TrackerRole, position: Vec3, rotation: Quat, time_s: f64) {
        let sample = SinewTrackerSample {
            time_s,
            position: vec3(position),
            rotation: quat(rotation),
            set: SINEW_TRACKER_SAMPLE_POSITION | SINEW_TRACKER_SAMPLE_ROTATION,
            confidence: 1.0,
        };
        ok(sinew_tracked_body_set_tracker(self.body, role.index() as i32, Some(&sample)));
    }
    /// Samples of a frame: the T-pose with lowered arms, carried along the circle.
    fn walk(&self, frame: u32) -> f64 {
        let time = f64::from(frame) / FRAMES_PER_SECOND;
        let turn = axis_angle(self.up, -SPEED / RADIUS * time as f32);
        let side = self.up.cross(self.forward);
        for (role, position, rotation) in &self.worn {
            // Fingers go with their hand.
            let is_left = position.dot(side) * self.worn[1].1.dot(side) > 0.0;
            let is_hand =
                !matches!(role, TrackerRole::Head | TrackerRole::Hips | TrackerRole::LeftFoot | TrackerRole::RightFoot);
            let along = if is_hand { self.worn[if is_left { 1 } else { 2 }].1.dot(side) } else { position.dot(side) };
            let swing = 0.2 * along.signum() * float::sin(6.0 * time as f32);
            let lowered =
                if is_hand { side * (-0.55 * along) + self.forward * swing - self.up * 0.45 } else { Vec3::ZERO };
            let bob = self.up * (0.02 * float::sin(12.0 * time as f32));
            let at = turn * (*position + lowered + bob + side * RADIUS);
            self.report(*role, at, (turn * *rotation).normalize(), time);
        }
        time
    }
    fn apply(&mut self) {
        ok(unsafe { sinew_tracked_body_apply(self.body, self.pose.as_mut_ptr(), self.pose.len() as u32) });
    }
}

fn tracked(name: &str, roles: &'static [TrackerRole]) -> Row {
    let work = move || {
        let mut player = Player::new(&person(&PersonOptions::default()), roles);
        let mut all = |from: u32| {
            for frame in from..from + FRAMES {
                let time = player.walk(frame);
                ok(sinew_tracked_body_update(player.body, time));
                player.apply();
            }
        };
        all(1);
        counted(&mut || all(1 + FRAMES));
        u64::from(FRAMES)
    };
    Row { name: format!("{name}/{}", roles.len()), work: Box::new(work) }
}

/// A remote player with three trackers whose packets come thirty times a second.
fn remote() -> Row {
    let work = || {
        let person = person(&PersonOptions::default());
        let (sender, mut far) = (Player::new(&person, &WORN[..3]), Player::new(&person, &WORN[..3]));
        let mut packets = Vec::new();
        for frame in 1..=2 * FRAMES {
            let time = sender.walk(frame);
            ok(sinew_tracked_body_update(sender.body, time));
            let (mut bytes, mut size) = (vec![0; SINEW_TRACKER_PACKET_SIZE as usize], 0);
            if frame % 3 == 0 {
                let room = bytes.len() as u32;
                ok(unsafe { sinew_tracked_body_pack(sender.body, bytes.as_mut_ptr(), room, Some(&mut size)) });
            }
            bytes.truncate(size as usize);
            packets.push((time, bytes));
        }
        let mut all = |part: &[(f64, Vec<u8>)]| {
            for (time, bytes) in part {
                if !bytes.is_empty() {
                    let size = bytes.len() as u32;
                    ok(unsafe { sinew_tracked_body_receive(far.body, bytes.as_ptr(), size, *time) });
                }
                ok(sinew_tracked_body_update_remote(far.body, *time));
                far.apply();
            }
        };
        let (first, second) = packets.split_at(FRAMES as usize);
        all(first);
        counted(&mut || all(second));
        u64::from(FRAMES)
    };
    Row { name: "tracked_body_remote/3".to_string(), work: Box::new(work) }
}

pub fn rows() -> Vec<Row> {
    let worn = |count: usize| tracked("tracked_body", &WORN[..count]);
    vec![worn(3), worn(4), worn(6), tracked("tracked_body_fingers", &GLOVES), remote()]
}
