//! Marks: positions in what is held of the text. It must not know what is held.

use core::ops::{Add, AddAssign, Sub, SubAssign};

/// A position, counted from the first byte that is still held. It is not an offset in the input: the
/// [`LineIndex`](super::line_index::LineIndex) makes one of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub struct Mark(u32);

impl Mark {
    /// The first byte that is held.
    pub(crate) const ZERO: Mark = Mark(0);

    /// No mark: it is behind all others.
    pub(crate) const NONE: Mark = Mark(u32::MAX);

    /// The mark of the byte of this index in what is held.
    #[inline(always)]
    pub(crate) const fn new(index: u32) -> Mark {
        Mark(index)
    }

    /// How many bytes that are held come before it.
    #[inline(always)]
    pub(crate) const fn get(self) -> u32 {
        self.0
    }

    /// The same, to index with.
    #[inline(always)]
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }

    #[inline(always)]
    pub(crate) fn is_none(self) -> bool {
        self == Mark::NONE
    }

    /// Its index in a text that begins at the mark `base`.
    #[inline(always)]
    pub(crate) fn index_from(self, base: Mark) -> usize {
        (self - base) as usize
    }

    /// So many bytes before it, or mark 0.
    #[inline(always)]
    pub(crate) fn saturating_sub(self, bytes: u32) -> Mark {
        Mark(self.0.saturating_sub(bytes))
    }

    /// The same place, when the mark `by` has become mark 0. Of a mark that is used no more, any.
    #[inline(always)]
    pub(crate) fn rebased(self, by: u32) -> Mark {
        Mark(self.0.wrapping_sub(by))
    }
}

impl Add<u32> for Mark {
    type Output = Mark;

    #[inline(always)]
    fn add(self, bytes: u32) -> Mark {
        Mark(self.0 + bytes)
    }
}

impl Sub<u32> for Mark {
    type Output = Mark;

    #[inline(always)]
    fn sub(self, bytes: u32) -> Mark {
        Mark(self.0 - bytes)
    }
}

/// How many bytes stand between two marks.
impl Sub for Mark {
    type Output = u32;

    #[inline(always)]
    fn sub(self, from: Mark) -> u32 {
        self.0 - from.0
    }
}

impl AddAssign<u32> for Mark {
    #[inline(always)]
    fn add_assign(&mut self, bytes: u32) {
        *self = *self + bytes;
    }
}

impl SubAssign<u32> for Mark {
    #[inline(always)]
    fn sub_assign(&mut self, bytes: u32) {
        *self = *self - bytes;
    }
}
