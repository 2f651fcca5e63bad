//! The hash of what a call has written: what a replay is compared by. Of poses, results, outcomes
//! and other records of a fixed size; not of texts, matrices, queries, snapshots and debug lines,
//! nor of a world's `out_results` and `out_states`.

use super::super::grounder_read;
use super::super::ids::{SinewAnimator, SinewGrounder, SinewWorld};
use super::super::registry;
use super::super::result::SinewResult;
use super::super::running::pose_bytes;
use super::super::shapes::{Function, Kind, Shape, from_word};
use super::super::types::{
    SinewBodyTie, SinewBodyWork, SinewBodyWorkState, SinewChainJob, SinewPoseLayout, SinewTransform, SinewWorldFrame,
};
use super::super::world_frame::HostFrame;
use super::memory::bytes;
use crate::math::Transform;
use crate::record::BitHash;
use crate::store::Id;
use crate::world::{Character, PoseArrays, RowState};

/// The bytes of a character's pose buffer, ten floats a joint.
pub fn buffer(character: &Character) -> &[u8] {
    let local = character.buffer();
    // SAFETY: ten floats each, which the host does not write during a call.
    unsafe { bytes(local.as_ptr(), local.len()) }
}

/// The hash of what a call has written, or 0: nothing.
///
/// # Safety
/// As for [`written`].
pub unsafe fn hash(function: &Function, words: &[u64], result: SinewResult) -> u64 {
    // SAFETY: required of the caller.
    unsafe { hash_seen(function, words, result, |_, _| ()) }
}

/// The same; each piece is shown to `see`, too.
///
/// # Safety
/// As for [`written`].
pub unsafe fn hash_seen(
    function: &Function,
    words: &[u64],
    result: SinewResult,
    mut see: impl FnMut(&[u8], Owner),
) -> u64 {
    let (mut hash, mut has_any) = (BitHash::default(), false);
    let mut each = |piece: &[u8], owner| {
        hash.add(piece);
        has_any = true;
        see(piece, owner);
    };
    // SAFETY: required of the caller.
    unsafe { written(function, words, result, &mut each) };
    if has_any { hash.finish() } else { 0 }
}

/// Whose pose a piece is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    /// It is something else.
    None,
    /// That of an animator, whole, in its pose buffer.
    Buffer(u64),
    /// A joint of an animator, elsewhere.
    Joint(u64),
}

/// Receives what a call has written, piece by piece.
pub type Each<'a> = &'a mut dyn FnMut(&[u8], Owner);

/// Hands over what a call has written.
///
/// # Safety
/// The words are arguments such as the function requires, of a call that has checked them, and it
/// has returned `result`.
pub unsafe fn written(function: &Function, words: &[u64], result: SinewResult, each: Each) {
    let is_done = result == SinewResult::SinewOk;
    let is_solve = function.kind == Kind::solve;
    let count = |place: usize| words[place] as u32 as usize;
    for (place, shape) in function.shapes.iter().enumerate() {
        let word = words[place];
        // SAFETY: the shape states that it is an address.
        let address: *const u8 = unsafe { from_word(word) };
        let written = match shape {
            Shape::Handle if place == 0 && is_solve => {
                animator(word, each);
                grounder(word, each);
                continue;
            }
            Shape::Handles { count: length } if is_solve => {
                // SAFETY: required of the caller.
                let handles = unsafe { bytes(address.cast::<SinewGrounder>(), count(*length)) };
                handles.as_chunks::<8>().0.iter().for_each(|bits| grounder(u64::from_ne_bytes(*bits), each));
                continue;
            }
            Shape::Animators => {
                // SAFETY: required of the caller.
                let handles = unsafe { bytes(address.cast::<SinewAnimator>(), count(place + 1)) };
                for bits in handles.as_chunks::<8>().0 {
                    animator(u64::from_ne_bytes(*bits), each);
                }
                continue;
            }
            Shape::Frame => {
                // SAFETY: required of the caller.
                world(words[0], unsafe { frame_of(address) }, each);
                continue;
            }
            Shape::Out(size) if is_done => *size,
            Shape::OutArray { size, count: length, is_filled: true } if is_done => size.saturating_mul(count(*length)),
            Shape::InOut { size, count: length } => size.saturating_mul(count(*length)),
            Shape::Ties { count: length } if is_done => {
                for index in 0..count(*length) {
                    // SAFETY: required of the caller.
                    let tie = unsafe { address.cast::<SinewBodyTie>().add(index).read_unaligned() };
                    each(&tie.gap.to_le_bytes(), Owner::None);
                }
                continue;
            }
            Shape::ChainPose => {
                // SAFETY: required of the caller.
                match unsafe { from_word::<*const SinewChainJob>(words[0]).as_ref() } {
                    Some(job) => size_of::<SinewTransform>().saturating_mul(job.joint_count as usize),
                    None => 0,
                }
            }
            Shape::Works { count: length } => {
                // SAFETY: required of the caller.
                unsafe { works(address.cast(), count(*length), each) };
                continue;
            }
            _ => continue,
        };
        // SAFETY: required of the caller.
        each(unsafe { bytes(address, written) }, Owner::None);
    }
}

/// Whether a call solves animators of a list, or those of a world, in their pose buffers.
pub fn solves_buffers(function: &Function, words: &[u64]) -> bool {
    match function.shapes {
        [Shape::Animators, ..] => true,
        // SAFETY: the argument of the call that has just returned.
        [_, Shape::Frame, ..] => Poses::of(unsafe { frame_of(from_word(words[1])) }.as_ref()) == Poses::Own,
        _ => false,
    }
}

fn animator(bits: u64, each: Each) {
    let _ = registry::characters().with(Id::from_bits(bits), |character| each(buffer(character), Owner::Buffer(bits)));
}

/// The results of the last finished frame.
fn grounder(bits: u64, each: Each) {
    let handle = SinewGrounder { bits };
    if !registry::grounder_is_valid(handle) {
        return;
    }
    let _ = registry::with_grounder(handle, |host| {
        let (body, legs) = host.grounder.results();
        let body = grounder_read::body_out(body);
        // SAFETY: numbers without padding.
        each(unsafe { bytes(&raw const body, 1) }, Owner::None);
        for leg in legs {
            let leg = grounder_read::leg_out(leg);
            // SAFETY: as above.
            each(unsafe { bytes(&raw const leg, 1) }, Owner::None);
        }
        Ok(())
    });
}

/// The frame at an address; a copy, as the address may be of any alignment.
///
/// # Safety
/// The address is NULL or leads to a frame, or to as much of it as its first member states.
pub unsafe fn frame_of(address: *const u8) -> Option<SinewWorldFrame> {
    if address.is_null() || !address.cast::<SinewWorldFrame>().is_aligned() {
        return None;
    }
    // SAFETY: required of the caller.
    let size = unsafe { address.cast::<u32>().read_unaligned() };
    if size as usize != size_of::<SinewWorldFrame>() {
        return None;
    }
    // SAFETY: as above.
    Some(unsafe { address.cast::<SinewWorldFrame>().read_unaligned() })
}

/// What a frame does about poses: in the buffers, in the world's arrays, or elsewhere.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Poses {
    /// The pose buffers.
    Own,
    /// The world's arrays.
    Arrays,
    /// Memory of the host.
    Host,
}

impl Poses {
    /// Of a frame, or of none.
    pub fn of(frame: Option<&SinewWorldFrame>) -> Self {
        let layout = frame.map_or(SinewPoseLayout::Own as i32, |frame| frame.layout);
        if layout == SinewPoseLayout::Own as i32 {
            Self::Own
        } else if layout == SinewPoseLayout::Soa as i32 {
            Self::Arrays
        } else {
            Self::Host
        }
    }
}

fn world(handle: u64, frame: Option<SinewWorldFrame>, each: Each) {
    let poses = Poses::of(frame.as_ref());
    let _ = registry::with_world(SinewWorld { bits: handle }, |world| {
        let set = &mut world.set;
        let has_arrays = set.arrays() != PoseArrays::None;
        let of_host = frame.as_ref().filter(|_| poses == Poses::Host);
        let host = of_host.map(|frame| HostFrame::new(frame, set.most_joints())).transpose()?;
        for row in 0..set.row_count() as u32 {
            let Some(id) = set.member(row) else { continue };
            each(&row.to_le_bytes(), Owner::None);
            match (poses, &host) {
                (Poses::Own, _) => animator(id.bits(), each),
                // Of other rows the call has read and written nothing.
                (Poses::Host, Some(host)) if has_pose(set.state(row)) => {
                    let _ = registry::characters().with(id, |character| {
                        let owner = Owner::Joint(id.bits());
                        host.gather(row, character, |transform| each(pose_bytes(&[transform]), owner))
                    });
                }
                (Poses::Arrays, _) if has_arrays => {
                    if let Some((tile, place)) = set.pose_tile(row) {
                        let owner = Owner::Joint(id.bits());
                        tile.pose(place).for_each(|transform| each(transform_bytes(&transform), owner));
                    }
                }
                _ => {}
            }
        }
        Ok(())
    });
}

/// Whether a call has left a pose in a row.
fn has_pose(state: RowState) -> bool {
    matches!(state, RowState::Solved | RowState::Between | RowState::Cut)
}

/// The ten floats of a transform.
pub fn transform_bytes(transform: &Transform) -> &[u8] {
    // SAFETY: ten floats without padding.
    unsafe { bytes(transform, 1) }
}

const _: () = assert!(size_of::<Transform>() == 40 && size_of::<SinewTransform>() == 40);

/// The pose of a work that was not solved is as it was.
///
/// # Safety
/// There are as many works, and those that are solved have poses of as many joints as they state.
unsafe fn works(first: *const SinewBodyWork, count: usize, each: Each) {
    for index in 0..count {
        // SAFETY: required of the caller.
        let work = unsafe { first.add(index).read_unaligned() };
        if work.state == SinewBodyWorkState::Solved as i32 && work.pose.is_aligned() {
            // SAFETY: required of the caller.
            each(unsafe { bytes(work.pose, work.joint_count as usize) }, Owner::None);
        }
        each(&work.state.to_le_bytes(), Owner::None);
        each(&work.result.to_le_bytes(), Owner::None);
        // SAFETY: numbers without padding.
        each(unsafe { bytes(&raw const work.outcome, 1) }, Owner::None);
    }
}
