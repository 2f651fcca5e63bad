//! Memory of the host as bytes.

/// The bytes of `count` records.
///
/// # Safety
/// They are there, have no padding, and they are not written as long as the bytes are used.
pub(super) unsafe fn bytes<'a, T>(first: *const T, count: usize) -> &'a [u8] {
    if count == 0 || first.is_null() {
        return &[];
    }
    // SAFETY: required of the caller.
    unsafe { core::slice::from_raw_parts(first.cast(), count.saturating_mul(size_of::<T>())) }
}

/// An address as a log has it: whether there is one, and its alignment.
pub(super) fn masked(address: u64) -> u64 {
    if address == 0 { 0 } else { 16 | (address & 15) }
}
