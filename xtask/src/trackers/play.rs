//! Plays a clip: trackers from its truth, exact or as real ones report, and the body that comes
//! out.

use super::clip::{Clip, Frame, bones};
use super::host::Host;
use crate::motion::subject::Subject;
use crate::oracle::geometry::{Rotation, V3};
use anyhow::Result;
use sinew::ffi::{SinewTrackedBodySettings, SinewTrackerRole as Role};
use sinew::humanoid::HumanBone;
use std::time::Instant;

/// The trackers of a set, by their number.
pub const SETS: [(usize, &[(Role, HumanBone)]); 6] = {
    const ALL: [(Role, HumanBone); 10] = [
        (Role::Head, HumanBone::Head),
        (Role::LeftHand, HumanBone::LeftHand),
        (Role::RightHand, HumanBone::RightHand),
        (Role::Hips, HumanBone::Hips),
        (Role::LeftFoot, HumanBone::LeftFoot),
        (Role::RightFoot, HumanBone::RightFoot),
        (Role::LeftElbow, HumanBone::LeftLowerArm),
        (Role::RightElbow, HumanBone::RightLowerArm),
        (Role::LeftKnee, HumanBone::LeftLowerLeg),
        (Role::RightKnee, HumanBone::RightLowerLeg),
    ];
    [
        (3, ALL.split_at(3).0),
        (4, ALL.split_at(4).0),
        (6, ALL.split_at(6).0),
        (8, ALL.split_at(8).0),
        (10, &ALL),
        (
            11,
            &[
                ALL[0],
                ALL[1],
                ALL[2],
                ALL[3],
                ALL[4],
                ALL[5],
                ALL[6],
                ALL[7],
                ALL[8],
                ALL[9],
                (Role::Chest, HumanBone::UpperChest),
            ],
        ),
    ]
};

/// How trackers report.
#[derive(Clone, Copy, PartialEq)]
pub enum Reports {
    Exact,
    /// 2 mm and 1° of noise, 30 ms late, and gone for 0.3 s every now and then.
    Real,
}

const NOISE_M: f64 = 0.002;
const NOISE_RAD: f64 = 1.0 * std::f64::consts::PI / 180.0;
const LATENCY_S: f64 = 0.03;
const GONE_S: f64 = 0.3;
/// Mean seconds between two losses of a tracker.
const GONE_EVERY_S: f64 = 4.0;

/// Numbers without pattern, the same on every machine.
struct Random(u64);

impl Random {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
    /// Normal, mean 0, variance 1.
    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.unit()).sum::<f64>() - 6.0
    }
    fn vector(&mut self, size: f64) -> V3 {
        V3([self.normal(), self.normal(), self.normal()]) * (size / 3f64.sqrt())
    }
}

/// What came out.
pub struct Played {
    pub frames: Vec<Frame>,
    /// Size of the body against the player's.
    pub scale: f64,
    /// Microseconds of samples, update and pose, per frame.
    pub micros: f64,
}

pub fn placed(frame: &Frame, bone: HumanBone) -> Option<(V3, Rotation)> {
    let index = super::clip::BONES.iter().position(|b| *b == bone)?;
    frame[index].or_else(|| {
        // The chest's tracker sits on the topmost spine bone that there is.
        let lower = match bone {
            HumanBone::UpperChest => HumanBone::Chest,
            HumanBone::Chest => HumanBone::Spine,
            _ => return None,
        };
        placed(frame, lower)
    })
}

/// Settings for a kind of reports.
pub fn settings(reports: Reports) -> Result<SinewTrackedBodySettings> {
    let mut settings = Host::settings()?;
    if reports == Reports::Real {
        (settings.min_cutoff_hz, settings.speed_cutoff) = (1.5, 4.0);
    }
    Ok(settings)
}

/// Height of the lower sole in the T-pose.
pub fn sole(t_pose: &Frame, up: V3, ankle_heights: [f64; 2]) -> f64 {
    let feet = [HumanBone::LeftFoot, HumanBone::RightFoot].into_iter().zip(ankle_heights);
    let soles = feet.filter_map(|(bone, height)| Some(placed(t_pose, bone)?.0.dot(up) - height));
    soles.fold(f64::MAX, f64::min)
}

/// Height of a clip's floor: its lowest foot joint is where the T-pose's is over the sole.
pub fn floor(clip: &Clip, t_pose: &Frame, sole: f64) -> f64 {
    let lowest = t_pose.iter().flatten().map(|(at, _)| at.dot(clip.subject.up)).fold(f64::MAX, f64::min);
    clip.low - (lowest - sole)
}

/// Calibrates in a T-pose somewhere in the room, turned away, then plays all frames. `body`: of
/// the clip, or another.
pub fn play(
    clip: &Clip,
    body: &Subject,
    set: &[(Role, HumanBone)],
    reports: Reports,
    settings: &SinewTrackedBodySettings,
) -> Result<Played> {
    let (player, mut host) = (Host::new(&clip.subject, settings)?, Host::new(body, settings)?);
    let t_pose = bones(&clip.subject, &clip.subject.t_pose);
    let sole = sole(&t_pose, clip.subject.up, [player.ankle_height(0)?, player.ankle_height(1)?]);
    // The T-pose, carried and turned about.
    let turn = Rotation::about([0.0, 1.0, 0.0], 0.7);
    let way = V3([0.4, 0.0, -0.3]);
    for (role, bone) in set {
        let Some((at, own)) = placed(&t_pose, *bone) else { continue };
        host.set(*role, turn.rotate(at) + way, turn * own, 0.0, 1.0)?;
    }
    let scale = host.calibrate(sole)?;
    let is_own = std::ptr::eq(body, &clip.subject);
    let is_found = !is_own || (scale - 1.0).abs() < 1e-3;
    anyhow::ensure!(is_found, "{}: calibration found a scale of {scale}", clip.subject.name);
    host.reset()?;
    host.set_floor(floor(clip, &t_pose, sole))?;

    let mut random =
        Random(clip.subject.name.bytes().fold(7, |sum: u64, b| sum.wrapping_mul(31).wrapping_add(b.into())));
    let dt = 1.0 / clip.fps;
    let late = if reports == Reports::Real { (LATENCY_S * clip.fps).round() as usize } else { 0 };
    let mut gone = vec![0.0; set.len()];
    let (mut frames, mut spent) = (Vec::with_capacity(clip.frames.len()), 0.0);
    for now in 0..clip.frames.len() {
        let seen = &clip.frames[now.saturating_sub(late)];
        let time = now as f64 * dt;
        let mut samples = Vec::new();
        for (i, (role, bone)) in set.iter().enumerate() {
            let Some((mut at, mut own)) = placed(seen, *bone) else { continue };
            if reports == Reports::Real {
                gone[i] -= dt;
                if gone[i] < -GONE_S && now > 30 && random.unit() < dt / GONE_EVERY_S {
                    gone[i] = GONE_S;
                }
                if gone[i] > 0.0 {
                    continue;
                }
                at = at + random.vector(NOISE_M);
                let tilt = random.vector(NOISE_RAD);
                let angle = tilt.len();
                own = Rotation::about((tilt * (1.0 / angle.max(1e-12))).0, angle) * own;
            }
            samples.push((*role, at, own));
        }
        let clock = Instant::now();
        for (role, at, own) in samples {
            host.set(role, at, own, time - late as f64 * dt, 1.0)?;
        }
        host.update(time)?;
        spent += clock.elapsed().as_secs_f64();
        frames.push(bones(body, &host.pose()?));
    }
    Ok(Played { scale, micros: spent * 1e6 / clip.frames.len() as f64, frames })
}
