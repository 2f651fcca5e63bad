//! Targets round, past and through the head never make the pose jump.

use super::*;

/// Lines through and around the head that find the places where a look-at likes to tear.
fn circles() -> Vec<(&'static str, [f32; 3], [f32; 3])> {
    vec![
        ("level", [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]),
        ("nearly level", [0.0, 0.05, 1.0], [1.0, 0.02, 0.0]),
        ("upright", [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]),
        ("nearly upright", [0.05, 0.0, 1.0], [0.02, 1.0, 0.0]),
        ("sideways", [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]),
        ("skew", [0.7, 0.2, 0.7], [-0.3, 0.9, 0.1]),
        ("behind", [1.0, 0.0, -0.5], [0.0, 1.0, -0.5]),
    ]
}

#[test]
fn circling_targets_make_no_jump() {
    let mut random = Random::new(2);
    let mut looker = Looker::new(&PersonOptions::default());
    let mut bad = Vec::new();
    let mut fastest: f64 = 0.0;
    for amount in [0.0, 0.5, 1.0] {
        for _ in 0..3 {
            let pose = looker.random_pose(&mut random, amount);
            for clamp in [0.0, 0.3, 0.5, 0.8, 1.0] {
                for (name, x, y) in circles() {
                    let weight = LookAtWeight {
                        weight: [0.5, 1.0][random.below(2)],
                        body: [0.0, 0.3, 1.0][random.below(3)],
                        head: [0.6, 1.0][random.below(2)],
                        eyes: random.below(2) as f32,
                        clamp,
                    };
                    let (x, y) =
                        (looker.along_chest(&pose, x[0], x[1], x[2]), looker.along_chest(&pose, y[0], y[1], y[2]));
                    let found = continuity::judge(240, 1.0, |s| {
                        let a = s as f32 * core::f32::consts::TAU;
                        let direction = x * float::cos(a) + y * float::sin(a);
                        let target = looker.point(&pose, direction, 1.5);
                        looker.look(&pose, target, weight)
                    });
                    fastest = fastest.max(found.step_rad * 240.0 / core::f64::consts::TAU);
                    if found.jump > 5e-3 {
                        let joint = looker.person.skeleton.name(found.joint).to_owned();
                        bad.push(format!("{name} amount {amount} {weight:?} {joint} {found:?}"));
                    }
                }
            }
        }
    }
    println!("circles: fastest {fastest:.1} rad per rad");
    assert!(bad.is_empty(), "{} tears:\n{}", bad.len(), bad.join("\n"));
}

#[test]
fn random_paths_past_the_head_make_no_jump() {
    let mut random = Random::new(3);
    let mut bad = Vec::new();
    for options in
        [PersonOptions::default(), PersonOptions { with_optional: false, with_fingers: false, ..Default::default() }]
    {
        let mut looker = Looker::new(&options);
        for _ in 0..15 {
            let pose = looker.random_pose(&mut random, 1.0);
            let weight = LookAtWeight {
                weight: 1.0,
                body: random.unit01(),
                head: random.unit01(),
                eyes: random.unit01(),
                clamp: random.unit01(),
            };
            let head = looker.point(&pose, Vec3::Y, 0.0);
            let path = continuity::SmoothPath::random(&mut random, 8, head, 0.6);
            let found = continuity::judge(300, 1.0, |s| looker.look(&pose, path.at(s), weight));
            if found.jump > 5e-3 {
                let joint = looker.person.skeleton.name(found.joint).to_owned();
                bad.push(format!("{weight:?} {joint} {found:?}"));
            }
        }
    }
    assert!(bad.is_empty(), "{} tears:\n{}", bad.len(), bad.join("\n"));
}

#[test]
fn a_target_through_the_eye_makes_no_jump() {
    let mut random = Random::new(4);
    let mut looker = Looker::new(&PersonOptions::default());
    let mut worst = 0.0f64;
    for _ in 0..6 {
        let pose = looker.random_pose(&mut random, 1.0);
        for direction in [Vec3::X, Vec3::Y, Vec3::Z, random.unit_vector()] {
            let weight = LookAtWeight { weight: 1.0, body: 0.3, head: 1.0, eyes: 1.0, clamp: 0.3 };
            let (from, to) = (looker.point(&pose, direction, 0.3), looker.point(&pose, -direction, 0.3));
            let found = continuity::judge(400, 1.0, |s| looker.look(&pose, from.lerp(to, s as f32), weight));
            worst = worst.max(found.jump);
            assert!(found.jump < 5e-3, "{direction} {found:?}");
        }
        // In the eye itself there is nothing to look at.
        let at_eye = looker.point(&pose, Vec3::X, 0.0);
        let after = looker.look(&pose, at_eye, head_only(1.0));
        assert!(matchers::max_joint_step_rad(&pose, &after) < 1e-3);
    }
    println!("through the eye: {worst:.1e}");
}

#[test]
fn weights_are_continuous() {
    let mut random = Random::new(5);
    let mut looker = Looker::new(&PersonOptions::default());
    let mut bad = Vec::new();
    for amount in [0.0, 1.0] {
        for _ in 0..6 {
            let pose = looker.random_pose(&mut random, amount);
            let direction = random.unit_vector();
            let target = looker.point(&pose, direction, 1.0);
            let base = LookAtWeight { weight: 1.0, body: 0.4, head: 0.8, eyes: 0.9, clamp: 0.3 };
            type Set = fn(LookAtWeight, f32) -> LookAtWeight;
            let sets: [(&str, Set); 5] = [
                ("weight", |w, s| LookAtWeight { weight: s, ..w }),
                ("body", |w, s| LookAtWeight { body: s, ..w }),
                ("head", |w, s| LookAtWeight { head: s, ..w }),
                ("eyes", |w, s| LookAtWeight { eyes: s, ..w }),
                ("clamp", |w, s| LookAtWeight { clamp: s, ..w }),
            ];
            for (name, set) in sets {
                let found = continuity::judge(60, 1.0, |s| looker.look(&pose, target, set(base, s as f32)));
                if found.jump > 2e-3 {
                    bad.push(format!("{name} amount {amount} {direction} {found:?}"));
                }
            }
        }
    }
    assert!(bad.is_empty(), "{} tears:\n{}", bad.len(), bad.join("\n"));
}

#[test]
fn straight_up_and_over_the_back_nothing_rolls_or_jumps() {
    let mut looker = Looker::new(&PersonOptions::default());
    let pose = looker.t_pose();
    // Over the head from front to back, through straight up, and a finger's breadth beside it: the
    // same turns, but for that.
    for clamp in [0.0, 0.5] {
        let weight = LookAtWeight { weight: 1.0, body: 0.3, head: 1.0, eyes: 1.0, clamp };
        let over = |looker: &mut Looker, s: f64, aside: f32| {
            let a = s as f32 * core::f32::consts::PI;
            let direction = looker.along_chest(&pose, aside, float::sin(a), float::cos(a));
            let target = looker.point(&pose, direction, 1.5);
            looker.look(&pose, target, weight)
        };
        let found = continuity::judge(300, 1.0, |s| over(&mut looker, s, 0.0));
        assert!(found.jump < 5e-3, "{clamp} {found:?}");
        for i in 0..=85 {
            let s = f64::from(i) / 100.0;
            let (exact, beside) = (over(&mut looker, s, 0.0), over(&mut looker, s, 0.01));
            let off = matchers::max_joint_step_rad(&exact, &beside);
            assert!(off < 0.06, "{clamp} at {s}: {off}");
            // In the middle plane the head neither tilts nor turns aside.
            let spaces = looker.spaces(&exact);
            let right = looker.head.now(&spaces)[0];
            let chest = looker.trunk.now(&spaces)[0];
            let tilt = matchers::direction_angle_rad(right, chest);
            assert!(tilt < 1e-3, "{clamp} at {s}: {tilt}");
        }
    }
}
