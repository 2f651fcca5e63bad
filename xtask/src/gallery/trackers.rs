//! Trackers: a person who is moved by what a player wears.
#![allow(clippy::disallowed_methods)] // paths of trackers and pictures, not poses

use super::exhibit::{Exhibit, FRAMES, Frame, share, show, there_and_back};
use super::live;
use serde_json::{Value, json};
use sinew::humanoid::{Avatar, AvatarDefinition, HumanBone, HumanMap, IkGoal};
use sinew::math::{self, Quat, Transform, Vec3, axis_angle};
use sinew::skeleton::{Pose, Skeleton};
use sinew::trackers::{CalibrationPose, ScalePolicy, TrackedBody, TrackedBodySettings, TrackerRole, TrackerSample};
use std::f32::consts::TAU;
use std::sync::Arc;
use testkit::person::{Handedness, PersonOptions, person};

const GROUP: &str = "Trackers: a body from what a player wears";
/// Seconds from frame to frame.
const STEP_S: f64 = 1.0 / 30.0;
const HANDS: [TrackerRole; 2] = [TrackerRole::LeftHand, TrackerRole::RightHand];
const THREE: &[TrackerRole] = &[TrackerRole::Head, HANDS[0], HANDS[1]];
const SIX: &[TrackerRole] =
    &[TrackerRole::Head, HANDS[0], HANDS[1], TrackerRole::Hips, TrackerRole::LeftFoot, TrackerRole::RightFoot];

/// The gallery's fifth part.
pub fn exhibits() -> Vec<Exhibit> {
    vec![calibration(), three(), six()]
}

/// Where a tracker is and how it is turned.
type Place = (Vec3, Quat);

/// A person of the player's own build, who faces +Z, in the T-pose.
struct Player {
    skeleton: Arc<Skeleton>,
    avatar: Arc<Avatar>,
    /// Joints of the T-pose, model space.
    t_pose: Pose,
    human: Value,
}

impl Player {
    fn new() -> Self {
        let made = person(&PersonOptions { handedness: Handedness::Right, ..PersonOptions::default() });
        let skeleton = Arc::new(made.skeleton);
        let definition = AvatarDefinition { map: HumanMap::from_array(made.human), ..AvatarDefinition::default() };
        let avatar = Arc::new(Avatar::new(skeleton.clone(), &definition).expect("a person"));
        let mut t_pose = Pose::rest(&skeleton);
        t_pose.load(avatar.t_pose().iter().copied()).expect("a T-pose");
        t_pose.update(&skeleton);
        let human = made.human.iter().map(|joint| joint.map_or(-1, |joint| joint as i64)).collect();
        Self { skeleton, avatar, t_pose, human }
    }
    fn bone(&self, bone: HumanBone) -> math::Frame {
        self.t_pose.model(self.avatar.joint(bone).expect("a bone of the person"))
    }
    /// A role's joint in the T-pose, moved and turned.
    fn moved(&self, role: TrackerRole, way: Vec3, turn: Quat) -> Place {
        let bone = self.bone(role.bone());
        (bone.position + way, (turn * bone.rotation).normalize())
    }
    /// A hand between two places beside the shoulder; `turns` from the T-pose about Z and Y.
    fn hand(&self, right: bool, from: (Vec3, Quat), to: (Vec3, Quat), share: f32) -> Place {
        let (upper, role, side) = match right {
            false => (HumanBone::LeftUpperArm, HANDS[0], 1.0),
            true => (HumanBone::RightUpperArm, HANDS[1], -1.0),
        };
        let mirrored = |v: Vec3| Vec3::new(v.x * side, v.y, v.z);
        let turned = |q: Quat| Quat::from_xyzw(q.x, q.y * side, q.z * side, q.w);
        let at = self.bone(upper).position + mirrored(from.0.lerp(to.0, share));
        let turn = turned(from.1.slerp(to.1, share));
        (at, (turn * self.bone(role.bone()).rotation).normalize())
    }
    /// Height of the soles.
    fn floor(&self) -> f32 {
        self.bone(HumanBone::LeftFoot).position.y - self.avatar.foot_bottom_height(IkGoal::LeftFoot)
    }
}

/// A left hand that hangs beside the thigh, one before the chest, and one out to the side: from the
/// shoulder, and turned from the T-pose.
fn hangs() -> (Vec3, Quat) {
    (Vec3::new(0.07, -0.48, 0.04), axis_angle(Vec3::Z, -1.35))
}
fn ahead(down: f32) -> (Vec3, Quat) {
    (Vec3::new(-0.02, -down, 0.4), axis_angle(Vec3::Y, -1.35))
}
fn aside() -> (Vec3, Quat) {
    (Vec3::new(0.42, -0.24, 0.06), axis_angle(Vec3::Z, -0.5))
}

/// Plays a scene: `each` states where the trackers of the roles are at a share of the loop. They
/// are calibrated on the T-pose before the first frame, or in the middle of the loop on what they
/// state then.
fn play(
    player: &Player,
    [title, note]: [&str; 2],
    roles: &[TrackerRole],
    calibrates_at: Option<usize>,
    each: impl Fn(f32) -> Vec<Place>,
) -> Exhibit {
    let mut body = TrackedBody::new(player.avatar.clone(), TrackedBodySettings::default());
    let floor = player.floor();
    let give = |body: &mut TrackedBody, places: &[Place], time_s: f64| {
        for (role, (position, rotation)) in roles.iter().zip(places) {
            let (position, rotation) = (Some(*position), Some(*rotation));
            body.set_tracker(*role, &TrackerSample { time_s, position, rotation, confidence: 1.0 });
        }
    };
    let calibrate = |body: &mut TrackedBody| {
        body.calibrate(CalibrationPose::TPose, ScalePolicy::Height, floor).expect("a T-pose");
    };
    let told = |places: &[Place]| places.iter().map(|(at, turn)| live::sample(*at, *turn)).collect::<Value>();
    let start: Vec<Place> = roles.iter().map(|role| player.moved(*role, Vec3::ZERO, Quat::IDENTITY)).collect();
    if calibrates_at.is_none() {
        give(&mut body, &start, -STEP_S);
        calibrate(&mut body);
        body.update(-STEP_S);
    }
    let (mut frames, mut script) = (Vec::new(), Vec::new());
    for number in 0..FRAMES {
        let places = each(share(number));
        let time_s = number as f64 * STEP_S;
        give(&mut body, &places, time_s);
        if calibrates_at == Some(number) {
            calibrate(&mut body);
        }
        body.update(time_s);
        let mut local = player.skeleton.rest_local().to_vec();
        assert!(body.apply(&mut local), "a pose of the person's joints");
        let mut pose = Pose::rest(&player.skeleton);
        pose.load(local.iter().copied()).expect("a body is sound");
        pose.update(&player.skeleton);
        let (mut joints, mut fins) = (Vec::new(), Vec::new());
        show(&player.skeleton, &pose, &Transform::IDENTITY, &mut joints, &mut fins);
        let residual = roles.iter().map(|role| body.outcome(*role).residual_m).fold(0.0, f32::max);
        let targets = places.iter().map(|(at, _)| at.to_array()).collect();
        frames.push(Frame { joints, fins, targets, pole: None, lines: Vec::new(), residual });
        script.push(told(&places));
    }
    let live = json!({
        "player": {
            "rig": live::skeleton(&player.skeleton),
            "human": player.human,
            "floor": floor,
            "stepS": STEP_S,
            "roles": roles.iter().map(|role| role.index()).collect::<Vec<_>>(),
            "start": told(&start),
            "calibratesAt": calibrates_at.map_or(-1, |frame| frame as i64),
        },
        "script": script,
    });
    let parents = player.skeleton.parents().to_vec();
    Exhibit { group: GROUP, title: title.to_string(), note: note.to_string(), parents, frames, live }
}

/// Worn anyhow, by a player who stands anywhere: one call in the T-pose finds out how.
fn calibration() -> Exhibit {
    let player = Player::new();
    let (stance, way) = (axis_angle(Vec3::Y, 0.6), Vec3::new(0.12, 0.0, 0.1));
    // What a tracker is off its joint, in the joint's axes.
    let mount = |role: TrackerRole| match role {
        TrackerRole::Head => (Vec3::new(0.0, 0.08, 0.1), axis_angle(Vec3::X, 0.3)),
        TrackerRole::LeftHand => (Vec3::new(0.08, 0.03, 0.0), axis_angle(Vec3::Y, 1.2)),
        TrackerRole::RightHand => (Vec3::new(-0.08, 0.03, 0.0), axis_angle(Vec3::Y, -1.2)),
        TrackerRole::Hips => (Vec3::new(0.0, 0.05, -0.11), axis_angle(Vec3::Y, 0.8)),
        _ => (Vec3::new(0.0, -0.02, 0.09), axis_angle(Vec3::X, -0.9)),
    };
    let note =
        "trackers sit beside their joints, and the player stands anywhere; after one call in the T-pose they fit";
    play(&player, ["calibration", note], SIX, Some(FRAMES / 3), |t| {
        let s = there_and_back(((t - 0.36) / 0.64).max(0.0));
        let worn = |role: TrackerRole| {
            let t_pose = (Vec3::new(0.49, 0.0, 0.0), Quat::IDENTITY);
            let (at, turn) = match role {
                TrackerRole::LeftHand | TrackerRole::RightHand => {
                    player.hand(role == TrackerRole::RightHand, t_pose, ahead(0.05), s)
                }
                _ => player.moved(role, Vec3::ZERO, Quat::IDENTITY),
            };
            let (off, own) = mount(role);
            let at = at + turn * off;
            (stance * at + way, (stance * turn * own).normalize())
        };
        SIX.iter().map(|role| worn(*role)).collect()
    })
}

/// Headset and controllers: hips, elbows and knees are found.
fn three() -> Exhibit {
    let player = Player::new();
    let note = "a headset and two controllers; hips, elbows and knees are found";
    play(&player, ["three trackers", note], THREE, None, |t| {
        let s = there_and_back(t);
        let sway = (t * TAU).sin();
        let bend = axis_angle(Vec3::Y, 0.35 * sway) * axis_angle(Vec3::X, 0.35 * s);
        let down = Vec3::new(0.06 * sway, -0.42 * s, 0.16 * s);
        let arm = |right| {
            let (at, turn) = player.hand(right, hangs(), ahead(0.3), s);
            (at + down, turn)
        };
        vec![player.moved(TrackerRole::Head, down, bend), arm(false), arm(true)]
    })
}

/// Hips and feet are worn, too: a leg is lifted, the other one carries.
fn six() -> Exhibit {
    let player = Player::new();
    let note = "hips and feet, too: one leg carries, the other one lifts; elbows and knees are found";
    // Turned towards the eye.
    let stance = axis_angle(Vec3::Y, 0.5);
    play(&player, ["six trackers", note], SIX, None, |t| {
        let s = there_and_back(t);
        let shift = Vec3::new(-0.08 * s, -0.03 * s, 0.0);
        let arm = |right| {
            let (at, turn) = player.hand(right, hangs(), aside(), s);
            (at + shift, turn)
        };
        let lifted = Vec3::new(0.0, 0.34 * s, 0.26 * s);
        let places = [
            player.moved(TrackerRole::Head, shift, axis_angle(Vec3::X, 0.12 * s)),
            arm(false),
            arm(true),
            player.moved(TrackerRole::Hips, shift, Quat::IDENTITY),
            player.moved(TrackerRole::LeftFoot, lifted, axis_angle(Vec3::X, 0.5 * s)),
            player.moved(TrackerRole::RightFoot, Vec3::ZERO, Quat::IDENTITY),
        ];
        places.map(|(at, turn)| (stance * at, (stance * turn).normalize())).to_vec()
    })
}
