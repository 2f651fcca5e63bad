//! Poses of worlds in every layout: they are in the hash of a frame, and figures show them.

use super::*;

const ROWS: usize = 3;
const FRAMES: usize = 3;

/// Where the poses of a world are.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Layout {
    Own,
    Records,
    Pointers,
    Strided,
    Arrays,
}
use Layout::*;

/// A session of animators that a world solves together, and where their joints are in each frame.
fn session(layout: Layout) -> Vec<Vec<[f32; 3]>> {
    let mut cast = cast(ROWS);
    let mut world = none();
    ok(sinew_world_create(Some(&mut world)));
    for animator in &cast.animators {
        ok(sinew_world_join(world, *animator, None));
    }
    if layout == Arrays {
        ok(sinew_world_set_arrays(world, 1));
    }
    let joints = cast.person.t_pose.len();
    let mut seen = Vec::new();
    for _ in 0..FRAMES {
        for (place, animator) in cast.animators.clone().into_iter().enumerate() {
            cast.set_goals(animator);
            let mut root = transforms(&[sinew::math::Transform::IDENTITY])[0];
            root.position.x = place as f32;
            ok(sinew_animator_set_root(animator, Some(&root)));
        }
        let mut poses: Vec<SinewTransform> = (0..ROWS).flat_map(|_| cast.pose()).collect();
        let rows: Vec<*mut SinewTransform> = poses.chunks_exact_mut(joints).map(<[_]>::as_mut_ptr).collect();
        let mut frame: SinewWorldFrame = default(|frame| sinew_world_frame_default(frame));
        frame.row_count = ROWS as u32;
        frame.layout = layout as i32;
        let (row, joint) = ((joints * 40) as u32, 40);
        match layout {
            Own => {
                for (animator, pose) in cast.animators.iter().zip(poses.chunks_exact(joints)) {
                    buffer(*animator).copy_from_slice(pose);
                }
            }
            Records => (frame.records, frame.records_stride) = (poses.as_mut_ptr(), row),
            Pointers => frame.pointers = rows.as_ptr(),
            Strided => {
                let first = poses.as_mut_ptr();
                frame.positions = unsafe { &raw mut (*first).position }.cast();
                frame.rotations = unsafe { &raw mut (*first).rotation }.cast();
                frame.scales = unsafe { &raw const (*first).scale }.cast();
                (frame.positions_row_stride, frame.positions_joint_stride) = (row, joint);
                (frame.rotations_row_stride, frame.rotations_joint_stride) = (row, joint);
                (frame.scales_row_stride, frame.scales_joint_stride) = (row, joint);
            }
            Arrays => {
                for (animator, pose) in cast.animators.iter().zip(poses.chunks_exact(joints)) {
                    put(world, *animator, pose);
                }
            }
        }
        ok(unsafe { sinew_world_solve(world, Some(&frame), None) });
        for (animator, pose) in cast.animators.iter().zip(poses.chunks_exact_mut(joints)) {
            match layout {
                Own => pose.copy_from_slice(buffer(*animator)),
                Arrays => get(world, *animator, pose),
                _ => {}
            }
        }
        seen.push(
            poses.chunks_exact(joints).zip(0..).flat_map(|(pose, place)| world_places(&cast, pose, place)).collect(),
        );
    }
    ok(sinew_world_destroy(world));
    cast.destroy();
    seen
}

/// The numbers of an animator in the world's arrays.
fn numbers(world: SinewWorld, animator: SinewAnimator) -> impl Fn(usize, usize) -> *mut f32 {
    let mut found: SinewWorldArrays = none();
    ok(sinew_world_get_arrays(world, animator, Some(&mut found)));
    move |joint, number| unsafe { found.locals.add((joint * 7 + number) * 8 + found.place as usize) }
}
fn put(world: SinewWorld, animator: SinewAnimator, pose: &[SinewTransform]) {
    let at = numbers(world, animator);
    for (joint, transform) in pose.iter().enumerate() {
        let (p, q) = (transform.position, transform.rotation);
        for (number, value) in [p.x, p.y, p.z, q.x, q.y, q.z, q.w].into_iter().enumerate() {
            unsafe { at(joint, number).write(value) };
        }
    }
}
fn get(world: SinewWorld, animator: SinewAnimator, pose: &mut [SinewTransform]) {
    let at = numbers(world, animator);
    for (joint, transform) in pose.iter_mut().enumerate() {
        let [x, y, z, qx, qy, qz, qw] = core::array::from_fn(|number| unsafe { at(joint, number).read() });
        transform.position = SinewVec3 { x, y, z };
        transform.rotation = SinewQuat { x: qx, y: qy, z: qz, w: qw };
    }
}

/// Joints of a pose in world space, by the library's forward kinematics of plain arrays.
fn world_places(cast: &Cast, pose: &[SinewTransform], place: usize) -> Vec<[f32; 3]> {
    let parents: Vec<i32> = cast.person.skeleton.parents().iter().map(|p| p.map_or(-1, |p| p as i32)).collect();
    let mut frames = vec![none::<SinewModelFrame>(); pose.len()];
    let count = pose.len() as u32;
    ok(unsafe { sinew_model_frames_compute(parents.as_ptr(), pose.as_ptr(), count, frames.as_mut_ptr()) });
    frames.iter().map(|frame| [frame.position.x + place as f32, frame.position.y, frame.position.z]).collect()
}

#[test]
fn a_changed_bit_of_a_pose_shows_in_every_layout() {
    let _alone = alone();
    for layout in [Own, Records, Pointers, Strided, Arrays] {
        let (log, _) = record(|| session(layout));
        for played in replay(&log) {
            assert!(played.is_same(), "{layout:?}: {played:?}");
        }
        let read = Log::read(&log).expect("a log");
        let mut poses: Vec<&[u8]> = Vec::new();
        for entry in &read.entries {
            match entry {
                Entry::Pose { pose, .. } if layout == Own => poses.push(pose),
                Entry::Arrays { locals, .. } => poses.push(locals),
                Entry::Call(call) => {
                    poses.extend(call.parts.iter().filter(|part| part.tag == Tag::Row).map(|part| part.bytes));
                }
                _ => {}
            }
        }
        assert_eq!(poses.len(), ROWS * FRAMES, "{layout:?}");
        for pose in poses {
            let mut changed = log.clone();
            // The lowest bit of the position of a joint.
            changed[pose.as_ptr().addr() - log.as_ptr().addr() + 5 * 40] ^= 1;
            let differing = replay(&changed).iter().filter(|played| !played.is_same()).count();
            assert!(differing > 0, "{layout:?}: one bit of a pose");
        }
    }
}

#[test]
fn a_changed_goal_shows_in_every_layout() {
    let _alone = alone();
    for layout in [Own, Records, Pointers, Strided, Arrays] {
        let (log, _) = record(|| session(layout));
        let read = Log::read(&log).expect("a log");
        let name =
            |entry: &Entry| matches!(entry, Entry::Name { name, .. } if *name == "sinew_animator_set_ik_position");
        let named = read.entries.iter().find(|entry| name(entry));
        let Some(Entry::Name { function: goal, .. }) = named else { panic!("no goal") };
        let mut player = Player::new(&read.head).expect("of this version");
        let mut differing = 0;
        for entry in &read.entries {
            // The goals of the first two animators are left out.
            if matches!(entry, Entry::Call(call) if call.function == *goal && call.words[1] > 1) {
                continue;
            }
            differing += player.play(entry).map_or(0, |played| usize::from(!played.is_same()));
        }
        assert_eq!(differing, FRAMES, "{layout:?}");
    }
}

#[test]
fn figures_have_the_pose_of_the_last_solve_in_every_layout() {
    let _alone = alone();
    for layout in [Own, Records, Pointers, Strided, Arrays] {
        let (log, seen) = record(|| session(layout));
        let read = Log::read(&log).expect("a log");
        let mut player = Player::new(&read.head).expect("of this version");
        let mut frames = seen.iter();
        for entry in &read.entries {
            let Some(Played { function: "sinew_world_solve", .. }) = player.play(entry) else { continue };
            let shown: Vec<[f32; 3]> = player.figures().into_iter().flat_map(|figure| figure.joints).collect();
            let wanted = frames.next().expect("as many frames");
            assert_eq!(shown.len(), wanted.len());
            let off = |(a, b): (&[f32; 3], &[f32; 3])| (0..3).map(|i| (a[i] - b[i]).abs()).fold(0.0, f32::max);
            let farthest = shown.iter().zip(wanted).map(off).fold(0.0, f32::max);
            assert!(farthest < 1e-5, "{layout:?}: {farthest} m");
        }
        assert!(frames.next().is_none());
    }
}

#[test]
fn the_hash_of_a_world_before_its_solve_replays() {
    let _alone = alone();
    let (log, ()) = record(|| {
        let mut cast = cast(2);
        let mut world = none();
        ok(sinew_world_create(Some(&mut world)));
        for animator in cast.animators.clone() {
            ok(sinew_world_join(world, animator, None));
        }
        for _ in 0..2 {
            for animator in cast.animators.clone() {
                let pose = cast.pose();
                buffer(animator).copy_from_slice(&pose);
            }
            ok(sinew_world_hash(world, Some(&mut 0)));
            ok(unsafe { sinew_world_solve(world, None, None) });
        }
        ok(sinew_world_destroy(world));
        cast.destroy();
    });
    for played in replay(&log) {
        assert!(played.is_same(), "{played:?}");
    }
}

#[test]
fn frames_of_grounders_have_a_hash() {
    let _alone = alone();
    let (log, ()) = record(grounder);
    let frames: Vec<_> = replay(&log).into_iter().filter(|played| played.is_frame).collect();
    assert!(frames.len() == 4 && frames.iter().all(|frame| frame.recorded_hash != 0 && frame.is_same()));
    let read = Log::read(&log).expect("a log");
    let legs = read.entries.iter().rev().find_map(|entry| match entry {
        Entry::Call(call) => call.parts.iter().find(|part| part.tag == Tag::Data && part.argument == 2),
        _ => None,
    });
    let mut changed = log.clone();
    let at = legs.expect("the legs of the last frame").bytes.as_ptr().addr() - log.as_ptr().addr();
    // The lowest bit of a knee's place.
    changed[at + 12] ^= 1;
    let differing: Vec<_> = replay(&changed).into_iter().filter(|played| !played.is_same()).collect();
    assert_eq!(differing.first().map(|played| played.function), Some("sinew_grounder_solve"));
}
