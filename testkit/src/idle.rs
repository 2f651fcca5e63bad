//! A person standing at ease: arms down, breathing, the weight going slowly from one foot to the
//! other.
//!
//! The motion is a handful of sines of one phase, so it loops without a seam every [`PERIOD_S`]
//! seconds: two breaths, one sway from side to side. All angles are turns in body axes on the
//! T-pose (see [`Mannequin`]), so any rig takes the same pose. The feet keep their T-pose
//! positions; each leg is the closed-form triangle of hip, knee and ankle, bent in the plane of the
//! toes.

use crate::axes::{Side, turn};
use crate::hand;
use crate::mannequin::{Mannequin, RigView};
use crate::person::Person;
use sinew::humanoid::HumanBone::{self, *};
use sinew::math::{Quat, Transform, Vec3, float, fraction, frame_rotation, normalize_or};

/// Length of the loop in seconds.
pub const PERIOD_S: f32 = 6.0;

/// Angle by which each foot's toes point outwards, degrees.
const TOE_OUT_DEG: f32 = 7.0;

/// Local transforms of `person` at `time_s` seconds, one per joint.
pub fn idle_pose(person: &Person, time_s: f32) -> Vec<Transform> {
    idle_pose_of(person.view(), time_s)
}

/// Local transforms of any humanoid rig at `time_s` seconds, one per joint. Rigs without hips or
/// legs keep those parts of the motion that they have bones for.
pub fn idle_pose_of(view: RigView, time_s: f32) -> Vec<Transform> {
    let mut mannequin = Mannequin::new(view);
    let beat = Beat::at(time_s);
    let leg_length = leg_length(&mannequin);
    stand(&mut mannequin, &beat, leg_length);
    trunk(&mut mannequin, &beat);
    for side in Side::BOTH {
        arm(&mut mannequin, side, &beat);
        hand::relax(&mut mannequin, side);
    }
    mannequin.update();
    for side in Side::BOTH {
        plant(&mut mannequin, side);
    }
    look(&mut mannequin, &beat);
    mannequin.into_locals()
}

/// State of the loop at a time.
struct Beat {
    /// −1 (weight on the left foot) … 1 (on the right).
    sway: f32,
    /// Sway from heels to toes, −1 … 1, twice per loop.
    rock: f32,
    /// 0 (breathed out) … 1 (breathed in), twice per loop.
    breath: f32,
    /// Slow turn of the head, −1 … 1.
    glance: f32,
    /// Nod of the head, −1 … 1.
    nod: f32,
}

impl Beat {
    fn at(time_s: f32) -> Self {
        let loops = time_s / PERIOD_S;
        let phase01 = loops - loops.floor();
        let wave = |cycles: f32, shift01: f32| float::sin((phase01 * cycles + shift01) * core::f32::consts::TAU);
        // Breathing in is quicker than breathing out: the second harmonic makes the wave
        // asymmetric.
        let breath = 0.5 + 0.44 * wave(2.0, 0.0) + 0.10 * wave(4.0, 0.0);
        Self {
            sway: wave(1.0, 0.0),
            rock: wave(2.0, 0.15),
            breath,
            glance: 0.8 * wave(1.0, 0.35) + 0.2 * wave(3.0, 0.1),
            nod: wave(2.0, 0.6),
        }
    }
}

/// Hip to ankle along the bones, rig units; the mean of both sides.
fn leg_length(mannequin: &Mannequin) -> f32 {
    let one = |side: Side| -> Option<f32> {
        let [hip, knee, ankle] = leg_bones(side).map(|bone| mannequin.t_bone_ms(bone));
        Some((knee? - hip?).length() + (ankle? - knee?).length())
    };
    0.5 * (one(Side::Left).unwrap_or(0.0) + one(Side::Right).unwrap_or(0.0))
}

fn leg_bones(side: Side) -> [HumanBone; 3] {
    side.pick([LeftUpperLeg, LeftLowerLeg, LeftFoot], [RightUpperLeg, RightLowerLeg, RightFoot])
}

/// Moves and tilts the pelvis.
fn stand(mannequin: &mut Mannequin, beat: &Beat, leg_length: f32) {
    let Some(hips) = mannequin.joint(Hips) else { return };
    let axes = mannequin.axes();
    // A little lower than in T-pose, so that the knees are free and the legs long enough for the
    // sway.
    let down = leg_length * (0.0032 + 0.0006 * beat.sway * beat.sway - 0.0005 * beat.breath);
    let offset = axes.vector(leg_length * 0.016 * beat.sway, -down, leg_length * (0.003 + 0.004 * beat.rock));
    mannequin.move_to(hips, mannequin.t_position_ms(hips) + offset);
    // The hip of the free leg sinks, and comes forward a little.
    let tilt = turn(axes.up, -axes.right, 0.7 * beat.sway);
    let twist = turn(axes.forward, axes.right, 1.2 * beat.sway);
    mannequin.turn_whole(hips, (twist * tilt).normalize());
}

/// Spine, chest and clavicles; the existing bones share the bend.
fn trunk(mannequin: &mut Mannequin, beat: &Beat) {
    let axes = mannequin.axes();
    let bones: Vec<HumanBone> =
        [Spine, Chest, UpperChest].into_iter().filter(|b| mannequin.joint(*b).is_some()).collect();
    let share = 1.0 / bones.len().max(1) as f32;
    for (place, bone) in bones.iter().enumerate() {
        // The upper part leans back as the chest fills, the lower part stays; all of it works
        // against the pelvis.
        let upper = if place + 1 == bones.len() { 1.0 } else { 0.0 };
        let lean = turn(axes.up, axes.forward, (1.5 - 0.6 * beat.rock) * share - 1.3 * beat.breath * upper);
        let tilt = turn(axes.up, axes.right, 1.1 * beat.sway * share);
        let twist = turn(axes.forward, -axes.right, 1.6 * beat.sway * share);
        mannequin.turn(*bone, (twist * tilt * lean).normalize());
    }
    for side in Side::BOTH {
        let clavicle = side.pick(LeftShoulder, RightShoulder);
        let lower = turn(axes.out(side), -axes.up, 3.5 - 1.8 * beat.breath);
        let back = turn(axes.out(side), -axes.forward, 2.0 + 0.8 * beat.breath);
        mannequin.turn(clavicle, (back * lower).normalize());
    }
}

/// Lowers an arm from the T-pose to the side, which brings the palm to the thigh; then a little
/// inward turn, bend of the elbow and of the wrist.
fn arm(mannequin: &mut Mannequin, side: Side, beat: &Beat) {
    let axes = mannequin.axes();
    let (out, down, forward) = (axes.out(side), -axes.up, axes.forward);
    // Without a clavicle the upper arm makes up for it.
    let has_clavicle = mannequin.joint(side.pick(LeftShoulder, RightShoulder)).is_some();
    let lower_deg = if has_clavicle { 76.5 } else { 79.5 } + 0.8 * beat.breath - 0.7 * side.sign() * beat.sway;
    let lower = turn(out, down, lower_deg);
    let swing = turn(down, forward, -1.0 + 0.9 * beat.rock + 0.6 * side.sign() * beat.sway);
    let inward = turn(forward, down, 14.0);
    mannequin.turn(side.pick(LeftUpperArm, RightUpperArm), (swing * lower * inward).normalize());

    let bend = turn(out, forward, 17.0 + 1.2 * beat.breath + 0.8 * beat.rock);
    let pronate = turn(forward, down, 10.0);
    mannequin.turn(side.pick(LeftLowerArm, RightLowerArm), (bend * pronate).normalize());

    let drop = turn(out, down, 5.0);
    let tilt = turn(out, -forward, 4.0);
    mannequin.turn(side.pick(LeftHand, RightHand), (tilt * drop).normalize());
}

/// Puts the ankle back where it is in T-pose, with the toes a little outwards, by bending hip and
/// knee.
fn plant(mannequin: &mut Mannequin, side: Side) {
    let [Some(hip), Some(knee), Some(ankle)] = leg_bones(side).map(|bone| mannequin.joint(bone)) else { return };
    let axes = mannequin.axes();
    let toe_out = turn(axes.forward, axes.out(side), TOE_OUT_DEG);
    let [hip_t, knee_t, ankle_t] = [hip, knee, ankle].map(|joint| mannequin.t_position_ms(joint));
    let hip_ms = mannequin.position_ms(hip);
    let thigh = (knee_t - hip_t).length();
    let shank = (ankle_t - knee_t).length();
    let straight = ankle_t - hip_ms;
    let reach = straight.length().clamp((thigh - shank).abs(), (thigh + shank) * 0.999_99);
    let along = normalize_or(straight, -axes.up);
    let aside = normalize_or((toe_out * axes.forward) - along * along.dot(toe_out * axes.forward), axes.forward);
    // Law of cosines: how far along the line from hip to ankle the projection of the knee is, and
    // the knee's distance from the line.
    let x = (thigh * thigh - shank * shank + reach * reach) / (2.0 * reach.max(1e-6));
    let knee_ms = hip_ms + along * x + aside * float::sqrt(thigh * thigh - x * x);
    let ankle_ms = hip_ms + along * reach;
    let bone_turn = |from_t: Vec3, from: Vec3| -> Quat {
        (frame_rotation(from, aside) * frame_rotation(from_t, axes.forward).conjugate()).normalize()
    };
    mannequin.turn_whole(hip, bone_turn(knee_t - hip_t, knee_ms - hip_ms));
    mannequin.turn_whole(knee, bone_turn(ankle_t - knee_t, ankle_ms - knee_ms));
    mannequin.turn_whole(ankle, toe_out);
}

/// Keeps the head level on the moving trunk, with a slow drift.
fn look(mannequin: &mut Mannequin, beat: &Beat) {
    let axes = mannequin.axes();
    let Some(head) = mannequin.joint(Head) else { return };
    let yaw = turn(axes.forward, axes.right, 5.0 * beat.glance);
    let pitch = turn(axes.forward, -axes.up, 2.0 + 1.6 * beat.nod);
    let roll = turn(axes.up, axes.right, 1.0 * beat.sway);
    let wanted = (yaw * pitch * roll).normalize();
    if let Some(neck) = mannequin.joint(Neck) {
        let below = mannequin.view().skeleton.parent(neck).map_or(Quat::IDENTITY, |parent| mannequin.turned_ms(parent));
        // The neck takes half of the way, on top of a slight forward lean that the head takes back.
        let half = fraction((wanted * below.conjugate()).normalize(), 0.5) * below;
        mannequin.turn_whole(neck, (turn(axes.up, axes.forward, 3.0) * half).normalize());
    }
    mannequin.turn_whole(head, wanted);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::axes::BodyAxes;
    use crate::mannequin::HumanMap;
    use crate::matchers;
    use crate::person::{self, PersonOptions, RestPose, Units, person};
    use crate::rolls::BoneRolls;
    use sinew::skeleton::Skeleton;

    fn kinds() -> Vec<PersonOptions> {
        let plain = PersonOptions::default();
        vec![
            plain,
            PersonOptions { bone_rolls: BoneRolls::Random(3), twist_joints: true, ..plain },
            PersonOptions { rest: RestPose::A, bone_rolls: BoneRolls::AlongBone, ..PersonOptions::gltf() },
            PersonOptions { units: Units::Centimetres, facing: Vec3::NEG_Z, ..plain },
            PersonOptions { up: Vec3::Z, facing: Vec3::NEG_Y, handedness: person::Handedness::Right, ..plain },
            PersonOptions { with_fingers: false, with_optional: false, height_m: 1.2, ..plain },
        ]
    }

    #[test]
    fn ankles_stay_planted_and_bones_keep_their_lengths() {
        for options in kinds() {
            let person = person(&options);
            let unit = options.units.per_metre() as f64;
            let t_pose = matchers::forward_kinematics(&person.skeleton, &person.t_pose);
            for step in 0..60 {
                let pose = idle_pose(&person, step as f32 * 0.1);
                matchers::assert_sound(&pose);
                let now = matchers::forward_kinematics(&person.skeleton, &pose);
                for bone in [LeftFoot, RightFoot] {
                    let joint = person.joint(bone);
                    let off_m = matchers::distance(now[joint].position, t_pose[joint].position) / unit;
                    assert!(off_m < 2e-4, "{} {off_m} m off at step {step}, {options:?}", bone.name());
                }
                assert!(matchers::bone_length_change(&person.skeleton, &person.t_pose, &pose) / unit < 1e-5);
            }
        }
    }

    #[test]
    fn every_rig_takes_the_same_pose() {
        let reference = person(&PersonOptions::default());
        for options in kinds().into_iter().filter(|o| o.with_optional) {
            let other = person(&options);
            let unit = options.units.per_metre();
            for time_s in [0.0, 1.3, 4.0] {
                let place = |p: &Person, bone: HumanBone, unit: f32| {
                    let world = matchers::forward_kinematics(&p.skeleton, &idle_pose(p, time_s));
                    let v = world[p.joint(bone)].position_f32() * (1.0 / unit);
                    Vec3::new(v.dot(p.axes.right), v.dot(p.axes.up), v.dot(p.axes.forward))
                };
                for bone in HumanBone::ALL {
                    let off = place(&reference, bone, 1.0) - place(&other, bone, unit);
                    assert!(off.length() < 1e-4, "{} {off}, {options:?}", bone.name());
                }
            }
        }
    }

    /// The person below one more joint, as importers make it.
    fn below_armature(person: &Person, armature: Transform) -> (Skeleton, HumanMap, Vec<Transform>) {
        let hang = |locals: &[Transform]| -> Vec<Transform> {
            core::iter::once(armature).chain(locals.iter().copied()).collect()
        };
        let old = &person.skeleton;
        let names: Vec<String> =
            core::iter::once("Armature").chain(old.names().iter().map(|n| n.as_str())).map(str::to_owned).collect();
        let parents: Vec<_> =
            core::iter::once(None).chain(old.parents().iter().map(|p| Some(p.map_or(0, |p| p + 1)))).collect();
        let skeleton = crate::rolls::skeleton(&names, &parents, &hang(old.rest_local()));
        (skeleton, person.human.map(|joint| joint.map(|j| j + 1)), hang(&person.t_pose))
    }

    #[test]
    fn scaled_turned_and_mirrored_armatures_change_nothing() {
        let centimetres =
            PersonOptions { units: Units::Centimetres, bone_rolls: BoneRolls::Random(9), ..PersonOptions::default() };
        let reference = person(&PersonOptions::default());
        let turned = turn(Vec3::X, Vec3::new(0.2, -0.5, 0.7), 130.0);
        for (scale, rotation) in [(Vec3::splat(0.01), turned), (Vec3::new(-0.01, 0.01, 0.01), Quat::IDENTITY)] {
            let inner = person(&centimetres);
            let armature = Transform { position: Vec3::new(0.3, 0.1, -0.2), rotation, scale };
            let (skeleton, human, t_pose) = below_armature(&inner, armature);
            // Mirroring the x axis makes a person of a right-handed world.
            let mirror = scale.x < 0.0;
            let carry = |v: Vec3| if mirror { Vec3::new(-v.x, v.y, v.z) } else { rotation * v };
            let axes = BodyAxes { right: carry(Vec3::X), up: carry(Vec3::Y), forward: carry(Vec3::Z) };
            let pose = idle_pose_of(RigView { skeleton: &skeleton, human: &human, t_pose: &t_pose, axes }, 1.7);
            let now = matchers::forward_kinematics(&skeleton, &pose);
            let expected = matchers::forward_kinematics(&reference.skeleton, &idle_pose(&reference, 1.7));
            for bone in HumanBone::ALL {
                let place = now[human[bone.index()].unwrap()].position_f32();
                let wanted = armature.position + carry(expected[reference.joint(bone)].position_f32());
                assert!((place - wanted).length() < 2e-5, "{} {place} {wanted}", bone.name());
            }
        }
    }

    #[test]
    fn it_moves_smoothly_and_loops() {
        let person = person(&PersonOptions::default());
        let frames: Vec<_> = (0..=360).map(|f| idle_pose(&person, f as f32 / 60.0)).collect();
        for pair in frames.windows(2) {
            assert!(matchers::max_joint_step_rad(&pair[0], &pair[1]) < 0.01);
        }
        assert!(matchers::max_joint_step_rad(&frames[0], &frames[360]) < 1e-5);
        assert!(matchers::max_joint_step_rad(&frames[0], &frames[90]) > 0.01, "a living person moves");
    }

    #[test]
    fn elbows_and_knees_bend_the_anatomical_way() {
        let person = person(&PersonOptions::default());
        let now = matchers::forward_kinematics(&person.skeleton, &idle_pose(&person, 2.0));
        let at = |bone| now[person.joint(bone)].position_f32();
        for side in Side::BOTH {
            let [hip, knee, ankle] = leg_bones(side).map(at);
            assert!(knee.z > 0.5 * (hip.z + ankle.z));
            let shoulder = at(side.pick(LeftUpperArm, RightUpperArm));
            let elbow = at(side.pick(LeftLowerArm, RightLowerArm));
            let wrist = at(side.pick(LeftHand, RightHand));
            assert!(elbow.z < 0.5 * (shoulder.z + wrist.z));
            assert!(wrist.y < elbow.y && elbow.y < shoulder.y);
            let index = at(side.pick(LeftIndexProximal, RightIndexProximal));
            let little = at(side.pick(LeftLittleProximal, RightLittleProximal));
            assert!(index.z > little.z, "palms face the thighs, thumbs forward");
        }
    }
}
