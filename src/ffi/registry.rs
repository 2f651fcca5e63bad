//! The process's one registry, by handle.

use super::guard::Failure;
use super::ids::{SinewAnimator, SinewAvatar, SinewConstraint, SinewSkeleton};
use super::result::SinewResult;
use crate::constraints::ConstraintId;
use crate::humanoid::{Animator, Avatar};
use crate::skeleton::Skeleton;
use crate::store::{Id, StoreError};
use crate::world::{Character, Registry};
use std::sync::Arc;

static REGISTRY: Registry = Registry::new();

pub(super) fn skeleton(handle: SinewSkeleton) -> Result<Arc<Skeleton>, Failure> {
    REGISTRY.skeletons.get(Id::from_bits(handle.bits)).map_err(|e| Failure::store(e, "skeleton", handle.bits))
}
pub(super) fn insert_skeleton(skeleton: Arc<Skeleton>) -> Result<SinewSkeleton, Failure> {
    let id = REGISTRY.skeletons.insert(skeleton).map_err(|e| Failure::store(e, "skeleton", 0))?;
    Ok(SinewSkeleton { bits: id.bits() })
}
pub(super) fn remove_skeleton(handle: SinewSkeleton) -> Result<(), Failure> {
    REGISTRY.skeletons.forget(Id::from_bits(handle.bits)).map_err(|e| Failure::store(e, "skeleton", handle.bits))
}

pub(super) fn avatar(handle: SinewAvatar) -> Result<Arc<Avatar>, Failure> {
    REGISTRY.avatars.get(Id::from_bits(handle.bits)).map_err(|e| Failure::store(e, "avatar", handle.bits))
}
pub(super) fn insert_avatar(avatar: Arc<Avatar>) -> Result<SinewAvatar, Failure> {
    let id = REGISTRY.avatars.insert(avatar).map_err(|e| Failure::store(e, "avatar", 0))?;
    Ok(SinewAvatar { bits: id.bits() })
}
pub(super) fn remove_avatar(handle: SinewAvatar) -> Result<(), Failure> {
    REGISTRY.avatars.forget(Id::from_bits(handle.bits)).map_err(|e| Failure::store(e, "avatar", handle.bits))
}

pub(super) fn insert_animator(skeleton: Arc<Skeleton>, avatar: Option<Arc<Avatar>>) -> Result<SinewAnimator, Failure> {
    let id = REGISTRY.add_character(skeleton, avatar).map_err(|e| Failure::world(e, "animator", 0))?;
    Ok(SinewAnimator { bits: id.bits() })
}
pub(super) fn animator_is_valid(handle: SinewAnimator) -> bool {
    REGISTRY.characters.contains(Id::from_bits(handle.bits))
}
pub(super) fn remove_animator(handle: SinewAnimator) -> Result<(), Failure> {
    let removed = REGISTRY.characters.remove(Id::from_bits(handle.bits));
    removed.map(drop).map_err(|e| Failure::store(e, "animator", handle.bits))
}
/// Uses an animator; busy at once when somebody else does.
pub(super) fn with_animator<R>(
    handle: SinewAnimator,
    use_it: impl FnOnce(&mut Character) -> Result<R, Failure>,
) -> Result<R, Failure> {
    REGISTRY
        .characters
        .with(Id::from_bits(handle.bits), use_it)
        .map_err(|e| Failure::store(e, "animator", handle.bits))?
}
/// Kind of a constraint's handle, in its top byte; differs from the kinds of `Registry` in several bits.
const CONSTRAINT_KIND: u64 = 0xE8 << 56;

/// The handle of a constraint.
pub(super) fn constraint_handle(id: ConstraintId) -> SinewConstraint {
    SinewConstraint { bits: CONSTRAINT_KIND | id.0 }
}
/// Uses an animator with one of its own constraints.
pub(super) fn with_character_constraint<R>(
    animator: SinewAnimator,
    constraint: SinewConstraint,
    use_it: impl FnOnce(&mut Character, ConstraintId) -> Result<R, Failure>,
) -> Result<R, Failure> {
    with_animator(animator, |character| {
        let id = ConstraintId(constraint.bits ^ CONSTRAINT_KIND);
        if character.animator.constraint(id).is_err() {
            return Err(Failure::new(
                SinewResult::SinewErrorInvalidHandle,
                format_args!("constraint {:#018x}: {}, or another animator's", constraint.bits, StoreError::Invalid),
            ));
        }
        use_it(character, id)
    })
}
/// The same, for calls that need the animator only.
pub(super) fn with_constraint<R>(
    animator: SinewAnimator,
    constraint: SinewConstraint,
    use_it: impl FnOnce(&mut Animator, ConstraintId) -> Result<R, Failure>,
) -> Result<R, Failure> {
    with_character_constraint(animator, constraint, |character, id| use_it(&mut character.animator, id))
}
/// Solves in order; `report` hears each code; the first failure is returned.
pub(super) fn solve_batch(
    handles: &[SinewAnimator],
    mut report: impl FnMut(usize, SinewResult),
) -> Result<(), Failure> {
    let mut first = Ok(());
    REGISTRY.solve_batch(handles.iter().map(|h| Id::from_bits(h.bits)), |index, result| match result {
        Ok(()) => report(index, SinewResult::SinewOk),
        Err(error) => {
            let failure = Failure::world(error, format_args!("animators[{index}]"), handles[index].bits);
            report(index, failure.code);
            if first.is_ok() {
                first = Err(failure);
            }
        }
    });
    first
}
