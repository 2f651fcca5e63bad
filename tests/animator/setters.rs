//! Single setters in any order equal one call with the whole input.

use sinew::animator::Animator;
use sinew::humanoid::{IkGoal, IkHint, LookAtWeight};
use sinew::math::Vec3;
use testkit::Random;
use testkit::characters;
use testkit::human_pose::random_human_pose;
use testkit::person::{PersonOptions, person};

#[test]
fn calls_in_any_order_are_an_input() {
    let person = person(&PersonOptions::default());
    let avatar = characters::avatar(&person, 0.05);
    let mut random = Random::new(7);
    let mut moved = 0;
    for round in 0..200 {
        let mut one = characters::animator_of(&avatar);
        let place = |random: &mut Random| Vec3::new(0.0, 1.0, 0.2) + random.in_ball(0.8);
        // Weights come and go, before and after there is anything to weigh.
        for _ in 0..random.below(24) {
            let (goal, hint) = (IkGoal::ALL[random.below(4)], IkHint::ALL[random.below(4)]);
            let weight = if random.below(3) == 0 { 0.0 } else { random.unit01() };
            match random.below(8) {
                0 => one.set_ik_position(goal, place(&mut random)),
                1 => one.set_ik_position_weight(goal, weight),
                2 => one.set_ik_rotation(goal, random.rotation()),
                3 => one.set_ik_rotation_weight(goal, weight),
                4 => one.set_ik_hint_position(hint, place(&mut random)),
                5 => one.set_ik_hint_position_weight(hint, weight),
                6 => one.set_look_at_position(place(&mut random)),
                _ => one.set_look_at_weight(LookAtWeight { weight, body: 0.3, ..LookAtWeight::default() }),
            }
            .unwrap();
        }
        let mut other = characters::animator_of(&avatar);
        other.set_input(one.input().unwrap()).unwrap();
        let animation = random_human_pose(person.view(), &mut random, 0.3);
        for animator in [&mut one, &mut other] {
            animator.pose_mut().local_mut().copy_from_slice(&animation);
            animator.solve().unwrap();
        }
        // A rotation that is made unit once more may differ in its last bit.
        let off = one
            .pose()
            .local()
            .iter()
            .zip(other.pose().local())
            .map(|(a, b)| a.position.distance(b.position).max((a.rotation - b.rotation).length()));
        let off = off.fold(0.0, f32::max);
        assert!(off < 2e-6, "round {round}: {off} {:?}", one.input());
        for goal in IkGoal::ALL {
            let status = |animator: &Animator| animator.ik_outcome(goal).unwrap().status;
            assert_eq!(status(&one), status(&other), "round {round}");
        }
        assert_eq!(one.look_at_outcome().unwrap().status, other.look_at_outcome().unwrap().status, "round {round}");
        moved += usize::from(one.pose().local() != animation);
    }
    assert!(moved > 100, "only {moved} of 200 rounds asked for anything");
}
