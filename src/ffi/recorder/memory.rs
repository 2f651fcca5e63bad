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

/// Where bytes are written, one after the other.
pub(super) struct Writer {
    first: *mut u8,
    written: usize,
}

impl Writer {
    /// Begins behind what a list has.
    pub fn behind(list: &mut Vec<u8>) -> Self {
        Self { first: list.spare_capacity_mut().as_mut_ptr().cast(), written: 0 }
    }
    /// Bytes so far.
    pub fn written(&self) -> usize {
        self.written
    }
    /// Adds bytes.
    ///
    /// # Safety
    /// There is room for them.
    #[inline(always)]
    pub unsafe fn put<const COUNT: usize>(&mut self, bytes: [u8; COUNT]) {
        // SAFETY: required of the caller.
        unsafe { self.put_at(self.written, bytes) };
        self.written += COUNT;
    }
    /// Adds as many bytes as there are.
    ///
    /// # Safety
    /// As for [`Self::put`].
    #[inline(always)]
    pub unsafe fn put_all(&mut self, bytes: &[u8]) {
        // SAFETY: required of the caller; the list does not have what is written yet.
        unsafe { self.first.add(self.written).copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
        self.written += bytes.len();
    }
    /// Writes bytes at a place.
    ///
    /// # Safety
    /// There is room for them.
    #[inline(always)]
    pub unsafe fn put_at<const COUNT: usize>(&mut self, place: usize, bytes: [u8; COUNT]) {
        // SAFETY: required of the caller.
        unsafe { self.first.add(place).cast::<[u8; COUNT]>().write(bytes) };
    }
}
