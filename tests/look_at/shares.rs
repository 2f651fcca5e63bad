//! The shares of eyes and spine.

use super::*;

#[test]
fn eyes_stay_in_their_ranges_and_meet_the_target() {
    let mut random = Random::new(7);
    for (name, mut looker) in Looker::kinds() {
        let Some(left) = looker.person.human[HumanBone::LeftEye.index()] else { continue };
        let right = looker.person.human[HumanBone::RightEye.index()].unwrap();
        if name.contains("Uneven") {
            continue; // sheared: angles mean something else
        }
        let pose = looker.t_pose();
        for eye in [left, right] {
            let facing = Facing64::new(looker.animator.avatar().unwrap(), eye);
            for _ in 0..20 {
                let direction = random.unit_vector();
                let target = looker.point(&pose, direction, random.between(0.1, 5.0));
                let weight = LookAtWeight { weight: 1.0, body: 0.0, head: 0.0, eyes: 1.0, clamp: 0.0 };
                let after = looker.look(&pose, target, weight);
                let spaces = looker.spaces(&after);
                let ([r, u, f], gaze) = (looker.head.now(&spaces), facing.now(&spaces)[2]);
                let d = |a: [f64; 3]| (a[0] * gaze[0] + a[1] * gaze[1] + a[2] * gaze[2]) as f32;
                assert!(d(f) > 0.0, "{name}: an eye looks into the head");
                let side = f64::from(float::asin(d(r))) * DEGREES;
                let rise = f64::from(float::asin(d(u))) * DEGREES;
                assert!(side.abs() < 20.1 && rise < 15.1 && rise > -10.1, "{name}: {side} {rise}");
            }
            // Inside the ranges both meet it.
            let near = looker.point(&pose, looker.along_chest(&pose, 0.05, 0.05, 1.0), 0.6);
            let weight = LookAtWeight { weight: 1.0, body: 0.0, head: 0.0, eyes: 1.0, clamp: 0.0 };
            let after = looker.look(&pose, near, weight);
            let spaces = looker.spaces(&after);
            let at = spaces[eye].position;
            let to = near.to_array().map(f64::from);
            let to = [to[0] - at[0], to[1] - at[1], to[2] - at[2]];
            let off = matchers::direction_angle_rad(facing.now(&spaces)[2], to) * DEGREES;
            assert!(off < 0.1, "{name}: an eye is {off} degrees off");
        }
    }
}

#[test]
fn eyes_converge_on_what_is_near_and_are_parallel_on_what_is_far() {
    let mut random = Random::new(17);
    for (name, mut looker) in Looker::kinds() {
        let bone = |b: HumanBone| looker.person.human[b.index()];
        let (Some(left), Some(right)) = (bone(HumanBone::LeftEye), bone(HumanBone::RightEye)) else { continue };
        if name.contains("Uneven") || name.contains("Mirrored") {
            continue;
        }
        let facing = [left, right].map(|eye| Facing64::new(looker.animator.avatar().unwrap(), eye));
        let pose = looker.random_pose(&mut random, 0.5);
        let weight = LookAtWeight { weight: 1.0, body: 0.2, head: 1.0, eyes: 1.0, clamp: 0.0 };
        let ahead = looker.along_chest(&pose, 0.2, 0.1, 1.0);
        let mut before = f64::INFINITY;
        for metres in [0.3, 0.6, 1.2, 5.0, 100.0] {
            let target = looker.point(&pose, ahead, metres);
            let after = looker.look(&pose, target, weight);
            let spaces = looker.spaces(&after);
            let [l, r] = facing.each_ref().map(|f| f.now(&spaces)[2]);
            let [at_l, at_r] = [left, right].map(|eye| spaces[eye].position);
            let to = target.to_array().map(f64::from);
            let sub = |a: [f64; 3], b: [f64; 3]| [0, 1, 2].map(|i| a[i] - b[i]);
            let wanted = matchers::direction_angle_rad(sub(to, at_l), sub(to, at_r)) * DEGREES;
            let vergence = matchers::direction_angle_rad(l, r) * DEGREES;
            // The nearest needs less than the 20° by which an eye can turn inwards, so nothing is
            // clamped.
            assert!((vergence - wanted).abs() < 0.1, "{name} {metres} m: {vergence}° for {wanted}°");
            assert!(vergence < before, "{name} {metres} m");
            before = vergence;
        }
        assert!(before < 0.1, "{name}: {before}° on what is far");
    }
}

#[test]
fn half_the_eyes_weight_turns_them_half_the_way() {
    let mut looker = Looker::new(&PersonOptions::default());
    let pose = looker.t_pose();
    let eye = looker.person.human[HumanBone::LeftEye.index()].unwrap();
    let target = looker.point(&pose, looker.along_chest(&pose, 0.15, 0.05, 1.0), 2.0);
    let turned = |looker: &mut Looker, eyes: f32| {
        let weight = LookAtWeight { weight: 1.0, body: 0.0, head: 0.0, eyes, clamp: 0.0 };
        let after = looker.look(&pose, target, weight);
        matchers::rotation_angle_rad(pose[eye].rotation, after[eye].rotation)
    };
    let whole = turned(&mut looker, 1.0);
    let half = turned(&mut looker, 0.5);
    assert!(whole > 0.1 && (half - 0.5 * whole).abs() < 1e-3, "{half} of {whole}");
    // What the head already takes, the eyes need not: at full head weight they only converge.
    let weight = LookAtWeight { weight: 1.0, body: 0.0, head: 1.0, eyes: 1.0, clamp: 0.0 };
    let after = looker.look(&pose, target, weight);
    let left = matchers::rotation_angle_rad(pose[eye].rotation, after[eye].rotation);
    assert!(left < 0.25 * whole, "{left} of {whole}");
}

#[test]
fn the_spine_takes_the_bodys_share() {
    for (name, mut looker) in Looker::kinds() {
        if name.contains("hung") {
            continue; // shares are of angles; scaled spaces have others
        }
        let pose = looker.t_pose();
        let hips = Facing64::new(looker.animator.avatar().unwrap(), looker.person.joint(HumanBone::Hips));
        for (body, head) in [(0.5, 0.0), (1.0, 0.0), (0.3, 1.0)] {
            let [r, _, f] = spread(60.0, 0.0);
            let target = looker.point(&pose, looker.along_chest(&pose, r, 0.0, f), 100.0);
            let weight = LookAtWeight { weight: 1.0, body, head, eyes: 0.0, clamp: 0.0 };
            let after = looker.look(&pose, target, weight);
            let spaces = looker.spaces(&after);
            let chest = matchers::direction_angle_rad(looker.trunk.now(&spaces)[2], hips.now(&spaces)[2]) * DEGREES;
            assert!((chest - 60.0 * f64::from(body)).abs() < 0.5, "{name} body {body}: chest turned {chest}");
            let gaze = matchers::direction_angle_rad(looker.head.now(&spaces)[2], hips.now(&spaces)[2]) * DEGREES;
            let expected = if head == 1.0 { 60.0 } else { 60.0 * f64::from(body) };
            assert!((gaze - expected).abs() < 1.0, "{name} body {body} head {head}: gaze turned {gaze}");
        }
    }
}
