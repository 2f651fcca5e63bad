//! The whole solve is a continuous function of weights and goals.

use super::*;

#[test]
fn the_whole_solve_is_continuous_in_every_weight_and_goal() {
    let mut random = Random::new(11);
    let mut bad = Vec::new();
    let rigs = [
        PersonOptions::default(),
        PersonOptions { bone_rolls: BoneRolls::Random(4), ..PersonOptions::gltf() },
        PersonOptions { with_optional: false, with_fingers: false, ..PersonOptions::default() },
    ];
    for options in rigs {
        let person = person(&options);
        let mut animator = characters::animator(&person, STRETCH);
        for round in 0..8 {
            let animation = match round {
                0 => person.t_pose.clone(),
                _ => random_human_pose(person.view(), &mut random, 1.0),
            };
            let centre = Vec3::Y * 1.1;
            let mut path = || SmoothPath::random(&mut random, 6, centre, 0.9);
            let hands = IkGoal::ALL.map(|_| path());
            let hints = IkHint::ALL.map(|_| path());
            let (look, body) = (path(), path());
            // Each weight has its own curve from 0 to 1 and back.
            let mut curve = || SmoothPath::random(&mut random, 5, Vec3::splat(0.5), 0.9);
            let weights = [curve(), curve(), curve(), curve(), curve(), curve()];
            set_pose(&mut animator, &animation);
            animator.reset_ik().unwrap();
            // Not near a half turn from the animation: there the shorter way changes sides, for any
            // partial weight.
            let own = IkGoal::ALL.map(|goal| animator.ik_rotation(goal).unwrap());
            let found = continuity::judge(250, 1.0, |s| {
                let w = |i: usize| weights[i].at(s);
                let mut input = HumanoidInput::default();
                for goal in IkGoal::ALL {
                    let i = goal.index();
                    input.goals[i] = IkGoalInput {
                        position: Some(hands[i].at(s)),
                        rotation: Some(axis_angle(hands[i].at(0.3).normalize(), hands[i].at(s).x) * own[i]),
                        position_weight: w(i).x,
                        rotation_weight: w(i).y,
                    };
                    input.hints[i].position = Some(hints[i].at(s));
                    input.hints[i].weight = w(i).z;
                }
                input.look_at_position = Some(look.at(s));
                input.look_at_weight =
                    LookAtWeight { weight: w(4).x, body: w(4).y, head: w(4).z, eyes: w(5).x, clamp: w(5).y };
                if round % 2 == 1 {
                    input.body_position = Some(body.at(s));
                }
                set_pose(&mut animator, &animation);
                animator.set_input(&input).unwrap();
                animator.solve().unwrap();
                pose(&animator)
            });
            if found.jump > 6e-3 {
                bad.push(format!("round {round} {} {found:?}", person.skeleton.name(found.joint)));
            }
        }
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

#[test]
fn a_goal_far_out_and_back_is_continuous_on_the_t_pose() {
    let person = person(&PersonOptions::default());
    let mut animator = characters::animator(&person, STRETCH);
    for goal in IkGoal::ALL {
        set_pose(&mut animator, &person.t_pose);
        let here = narrow(end_ws(&animator, goal));
        for direction in [Vec3::X, Vec3::NEG_X, Vec3::Z, Vec3::NEG_Y, Vec3::Y] {
            let found = continuity::judge(300, 1.0, |s| {
                set_pose(&mut animator, &person.t_pose);
                animator.reset_ik().unwrap();
                animator.set_ik_position(goal, here + direction * (s as f32 - 0.5)).unwrap();
                animator.set_ik_position_weight(goal, 1.0).unwrap();
                animator.solve().unwrap();
                pose(&animator)
            });
            assert!(found.jump < 5e-3, "{goal:?} {direction} {found:?}");
        }
    }
}
