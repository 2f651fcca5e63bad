//! Joining, leaving and rows.

use super::*;

#[test]
fn joining_and_leaving_in_any_order_changes_nothing_for_the_others() {
    let crowd = Crowd::new(40, 11);
    let alone = Crowd::new(40, 11);
    let mut world = World::new();
    let mut random = Random::new(12);
    let mut inside = [false; 40];
    for _ in 0..60 {
        for _ in 0..12 {
            let member = random.below(40);
            let id = crowd.members[member].0;
            if inside[member] {
                world.leave(&crowd.registry.characters, id).unwrap();
            } else {
                world.join(&crowd.registry.characters, id).unwrap();
            }
            inside[member] = !inside[member];
        }
        let inputs = crowd.random_inputs(&mut random);
        for (member, given) in inputs.iter().enumerate() {
            crowd.set_input(member, given);
            alone.set_input(member, given);
            if inside[member] {
                alone.registry.solve(alone.members[member].0).unwrap();
            }
        }
        let solved = inside.iter().filter(|i| **i).count();
        assert_eq!(world.solve(&crowd.registry.characters), Report { solved: solved as u32, ..Report::default() });
        assert_eq!(world.count(), solved);
        for (member, inside) in inside.iter().enumerate() {
            let (id, other) = (crowd.members[member].0, alone.members[member].0);
            assert_eq!(bits(&pose_of(&crowd.registry, id)), bits(&pose_of(&alone.registry, other)), "member {member}");
            assert_eq!(world.row(id).is_some(), *inside);
        }
    }
}

#[test]
fn rows_are_the_lowest_free_numbers_and_stay() {
    let crowd = Crowd::new(20, 3);
    let mut world = World::new();
    let characters = &crowd.registry.characters;
    let id = |member: usize| crowd.members[member].0;
    for member in 0..10 {
        assert_eq!(world.join(characters, id(member)).unwrap(), member as u32);
    }
    for member in [7, 2, 4] {
        world.leave(characters, id(member)).unwrap();
    }
    for (member, row) in [(10, 2), (11, 4), (12, 7), (13, 10)] {
        assert_eq!(world.join(characters, id(member)).unwrap(), row);
    }
    for member in [0, 1, 3, 5, 6, 8, 9] {
        assert_eq!((world.row(id(member)), world.member(member as u32)), (Some(member as u32), Some(id(member))));
    }
    assert_eq!((world.row(id(7)), world.member(11), world.row_count()), (None, None, 11));
}

#[test]
fn a_character_belongs_to_at_most_one_world_that_exists() {
    let crowd = Crowd::new(1, 4);
    let characters = &crowd.registry.characters;
    let id = crowd.members[0].0;
    let (mut one, mut other) = (World::new(), World::new());
    one.join(characters, id).unwrap();
    assert_eq!(one.join(characters, id), Err(WorldError::AlreadyMember));
    assert_eq!(other.join(characters, id), Err(WorldError::AlreadyMember));
    assert_eq!(other.leave(characters, id), Err(WorldError::NotMember));
    assert_eq!(other.set_level(id, Level::Off), Err(WorldError::NotMember));
    assert_eq!((one.count(), other.count()), (1, 0));
    one.leave(characters, id).unwrap();
    assert_eq!(one.leave(characters, id), Err(WorldError::NotMember));
    other.join(characters, id).unwrap();
    drop(other);
    one.join(characters, id).unwrap();
}

#[test]
fn one_that_is_destroyed_has_left() {
    let crowd = Crowd::new(12, 6);
    let mut world = crowd.world();
    let id = crowd.members[3].0;
    crowd.registry.characters.remove(id).unwrap();
    let report = world.solve(&crowd.registry.characters);
    assert_eq!((report.solved, report.failed, world.count()), (11, 0, 11));
    assert_eq!((world.state(3), world.member(3), world.row(id)), (RowState::Empty, None, None));
}
