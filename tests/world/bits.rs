//! A world gives each member the bits of a single solve: any threads, order and pose layout.

use super::*;
use sinew::animator::Animator;
use sinew::humanoid::HumanBone;

#[test]
fn a_world_equals_single_solves_bit_for_bit_whatever_the_threads_and_the_order() {
    for (seed, count) in [(1, 1), (2, 7), (3, 8), (4, 9), (5, 61)] {
        let crowd = Crowd::new(count, seed);
        // Same characters, solved one by one.
        let alone = Crowd::new(count, seed);
        let mut world = crowd.world();
        let mut random = Random::new(seed ^ 0xABCD);
        let runners: [&dyn Runner; 6] = [
            &Serial,
            &Scattered { threads: 1, grain: 1 },
            &Scattered { threads: 2, grain: 3 },
            &Scattered { threads: 3, grain: 1 },
            &Scattered { threads: 8, grain: 2 },
            &Serial,
        ];
        for runner in runners {
            let inputs = crowd.random_inputs(&mut random);
            for (member, given) in inputs.iter().enumerate() {
                crowd.set_input(member, given);
                alone.set_input(member, given);
                alone.registry.solve(alone.members[member].0).unwrap();
            }
            let report = solve_with(&mut world, &crowd.registry, runner);
            assert_eq!(report, Report { solved: count as u32, ..Report::default() });
            for (member, (id, ..)) in crowd.members.iter().enumerate() {
                let wanted = pose_of(&alone.registry, alone.members[member].0);
                assert_eq!(bits(&pose_of(&crowd.registry, *id)), bits(&wanted), "member {member} of {count}");
                if inputs[member].input.is_some() {
                    let outcome = |registry: &Registry, id| {
                        registry.characters.with(id, |c| c.animator.ik_outcome(IkGoal::LeftHand).unwrap()).unwrap()
                    };
                    assert_eq!(outcome(&crowd.registry, *id), outcome(&alone.registry, alone.members[member].0));
                }
            }
        }
    }
}

/// Gives some humans goals in the spaces of joints, and effector points.
fn give_places(crowd: &Crowd) {
    for (member, (id, ..)) in crowd.members.iter().enumerate() {
        let given = crowd.registry.characters.with(*id, |character| {
            let animator = &mut character.animator;
            if !animator.is_human() {
                return;
            }
            let joint = |animator: &Animator, bone| animator.bone_joint(bone).unwrap();
            if member % 3 == 1 {
                let hand = joint(animator, HumanBone::RightHand);
                animator.set_ik_goal_space(IkGoal::LeftHand, hand).unwrap();
                let head = joint(animator, HumanBone::Head);
                animator.set_ik_goal_space(IkGoal::RightHand, head).unwrap();
            }
            if member % 4 == 2 {
                animator.set_ik_effector_point(IkGoal::LeftFoot, Vec3::new(0.01, -0.05, 0.1)).unwrap();
            }
        });
        given.unwrap();
    }
}

#[test]
fn goal_spaces_and_effector_points_have_the_same_bits_on_any_threads() {
    let (crowd, alone) = (Crowd::new(48, 61), Crowd::new(48, 61));
    give_places(&crowd);
    give_places(&alone);
    let mut world = crowd.world();
    let mut random = Random::new(62);
    let mut moved = 0;
    for threads in [1, 2, 3, 8] {
        let inputs = crowd.random_inputs(&mut random);
        for (member, given) in inputs.iter().enumerate() {
            crowd.set_input(member, given);
            alone.set_input(member, given);
            alone.registry.solve(alone.members[member].0).unwrap();
        }
        let report = solve_with(&mut world, &crowd.registry, &Scattered { threads, grain: 1 });
        assert_eq!(report, Report { solved: 48, ..Report::default() });
        for (member, (id, ..)) in crowd.members.iter().enumerate() {
            let wanted = pose_of(&alone.registry, alone.members[member].0);
            assert_eq!(bits(&pose_of(&crowd.registry, *id)), bits(&wanted), "member {member}");
            moved += usize::from(bits(&wanted) != bits(&inputs[member].pose));
        }
    }
    assert!(moved > 100, "{moved}");
}

/// The same members twice: poses in the world's own arrays, and in their own buffers.
#[test]
fn a_worlds_own_arrays_have_the_bits_of_buffers_whatever_the_levels_and_threads() {
    let count = 45;
    let (in_arrays, in_buffers) = (Crowd::new(count, 21), Crowd::new(count, 21));
    let (mut world, mut other) = (in_arrays.world(), in_buffers.world());
    world.set_arrays(PoseArrays::LocalsAndFrames);
    let mut random = Random::new(22);
    for round in 0..12 {
        let inputs = in_arrays.random_inputs(&mut random);
        if round == 4 {
            // Who leaves and joins again begins anew.
            for member in [3, 20, 21] {
                world.leave(&in_arrays.registry.characters, in_arrays.members[member].0).unwrap();
                other.leave(&in_buffers.registry.characters, in_buffers.members[member].0).unwrap();
            }
            for member in [20, 3, 21] {
                world.join(&in_arrays.registry.characters, in_arrays.members[member].0).unwrap();
                other.join(&in_buffers.registry.characters, in_buffers.members[member].0).unwrap();
            }
        }
        for (member, given) in inputs.iter().enumerate() {
            let (id, twin) = (in_arrays.members[member].0, in_buffers.members[member].0);
            if round == 2 {
                let level = [Level::Full, Level::EveryNth(3), Level::Full, Level::Off, Level::Fewer(0.5)][member % 5];
                world.set_level(id, level).unwrap();
                other.set_level(twin, level).unwrap();
            }
            in_buffers.set_input(member, given);
            let rest = in_arrays.kinds[in_arrays.members[member].1].person.skeleton.rest_local();
            in_arrays.set_input(member, &MemberInput { pose: rest.to_vec(), ..given.clone() });
            let (tile, place) = world.pose_tile(world.row(id).unwrap()).unwrap();
            tile.put_pose(place, &given.pose);
        }
        let runner = Scattered { threads: 3, grain: 1 };
        let call =
            Call { characters: &in_arrays.registry.characters, host: &InArrays, runner: &runner, clock: &|| 0.0 };
        assert_eq!(world.solve_with(&call), solve_with(&mut other, &in_buffers.registry, &Serial));
        for (member, (id, ..)) in in_arrays.members.iter().enumerate() {
            let wanted = pose_of(&in_buffers.registry, in_buffers.members[member].0);
            let row = world.row(*id).unwrap();
            let (tile, place) = world.pose_tile(row).unwrap();
            assert_eq!(bits(&tile.pose(place).collect::<Vec<_>>()), bits(&wanted), "round {round}, member {member}");
            let mut pose = Pose::rest(&in_arrays.kinds[in_arrays.members[member].1].person.skeleton);
            pose.local_mut().copy_from_slice(&wanted);
            pose.update(&in_arrays.kinds[in_arrays.members[member].1].person.skeleton);
            for joint in 0..wanted.len() {
                let frame = tile.model()[joint].at(place).tightened();
                assert_eq!(frame.position.to_vec3(), pose.model(joint).position, "round {round}, member {member}");
                assert_eq!(frame.rotation.to_quat(), pose.model(joint).rotation, "round {round}, member {member}");
            }
        }
    }
}

#[test]
fn a_world_without_arrays_reports_it() {
    let crowd = Crowd::new(3, 23);
    let mut world = crowd.world();
    let call = Call { characters: &crowd.registry.characters, host: &InArrays, runner: &Serial, clock: &|| 0.0 };
    assert_eq!(world.solve_with(&call).failed, 3);
    assert_eq!(world.failed()[0].error, WorldError::NoArrays);
    assert!(world.pose_tile(0).is_none());
    world.set_arrays(PoseArrays::Locals);
    assert_eq!(world.solve_with(&call).solved, 3);
}

#[cfg(feature = "rayon")]
#[test]
fn own_threads_leave_the_same_bits_whatever_their_number() {
    use sinew::world::Threads;
    let crowd = Crowd::new(90, 51);
    let alone = Crowd::new(90, 51);
    let mut world = crowd.world();
    let mut random = Random::new(52);
    for count in [1, 2, 3, 7, 16] {
        let threads = Threads::new(count).unwrap();
        for _ in 0..3 {
            for (member, given) in crowd.random_inputs(&mut random).iter().enumerate() {
                crowd.set_input(member, given);
                alone.set_input(member, given);
                alone.registry.solve(alone.members[member].0).unwrap();
            }
            let report = solve_with(&mut world, &crowd.registry, &threads);
            assert_eq!(report, Report { solved: 90, ..Report::default() });
            for (member, (id, ..)) in crowd.members.iter().enumerate() {
                let wanted = pose_of(&alone.registry, alone.members[member].0);
                assert_eq!(bits(&pose_of(&crowd.registry, *id)), bits(&wanted), "member {member}, {count} threads");
            }
        }
    }
}
