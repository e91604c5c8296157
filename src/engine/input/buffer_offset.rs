//! Offsets in the buffered text.
//!
//! The buffered text is the part of the decoded input that the parser still holds: the retained bytes, followed by
//! the current chunk. Tokens and events store marks. When text is discarded from the front, every mark is rebased:
//!
//! ```text
//! offset   0         5              20                       0              15
//!          |consumed |needed        |             becomes    |needed        |
//!          |---------|--------------|- - -                   |--------------|- - -
//!                    discard up to 5, rebase by 5
//! ```

use core::ops::{Add, AddAssign, Sub, SubAssign};

/// A byte offset in the buffered text. It is not an offset in the input: the
/// [`LineIndex`](super::line_index::LineIndex) converts it to one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct BufferOffset(u32);

impl BufferOffset {
    /// Offset of the first buffered byte.
    pub(crate) const ZERO: BufferOffset = BufferOffset(0);

    /// A value for "no offset". It is greater than all other offsets.
    pub(crate) const NONE: BufferOffset = BufferOffset(u32::MAX);

    /// Returns the offset of the byte with this index in the buffered text.
    #[inline(always)]
    pub(crate) const fn new(index: u32) -> BufferOffset {
        BufferOffset(index)
    }

    /// Returns the number of buffered bytes before this offset.
    #[inline(always)]
    pub(crate) const fn get(self) -> u32 {
        self.0
    }

    /// Returns the number of buffered bytes before this offset, as a `usize` for indexing.
    #[inline(always)]
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }

    #[inline(always)]
    pub(crate) fn is_none(self) -> bool {
        self == BufferOffset::NONE
    }

    /// Returns the index of this offset in a text that starts at the offset `base`.
    #[inline(always)]
    pub(crate) fn index_from(self, base: BufferOffset) -> usize {
        (self - base) as usize
    }

    /// Returns the offset `bytes` earlier, or 0 if there are fewer bytes before this one.
    #[inline(always)]
    pub(crate) fn saturating_sub(self, bytes: u32) -> BufferOffset {
        BufferOffset(self.0.saturating_sub(bytes))
    }

    /// Returns the new offset of the same byte after `by` bytes were discarded from the front. The result is
    /// meaningless if the byte itself was discarded.
    #[inline(always)]
    pub(crate) fn rebased(self, by: u32) -> BufferOffset {
        BufferOffset(self.0.wrapping_sub(by))
    }
}

impl Add<u32> for BufferOffset {
    type Output = BufferOffset;

    #[inline(always)]
    fn add(self, bytes: u32) -> BufferOffset {
        BufferOffset(self.0 + bytes)
    }
}

impl Sub<u32> for BufferOffset {
    type Output = BufferOffset;

    #[inline(always)]
    fn sub(self, bytes: u32) -> BufferOffset {
        BufferOffset(self.0 - bytes)
    }
}

/// The number of bytes between two offsets.
impl Sub for BufferOffset {
    type Output = u32;

    #[inline(always)]
    fn sub(self, from: BufferOffset) -> u32 {
        self.0 - from.0
    }
}

impl AddAssign<u32> for BufferOffset {
    #[inline(always)]
    fn add_assign(&mut self, bytes: u32) {
        *self = *self + bytes;
    }
}

impl SubAssign<u32> for BufferOffset {
    #[inline(always)]
    fn sub_assign(&mut self, bytes: u32) {
        *self = *self - bytes;
    }
}

crate::checkpoint::checkpointable! {
    struct BufferOffset(value);
}
