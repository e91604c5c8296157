//! Where strings are: between two marks, or in the scratch buffer. It must not know of which events they are.

use crate::input::Mark;
use core::ops::{Add, AddAssign};

/// A place in the scratch buffer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(crate) struct ScratchOffset(u32);

impl ScratchOffset {
    pub(crate) const NONE: ScratchOffset = ScratchOffset(u32::MAX);

    #[inline(always)]
    pub(crate) const fn new(offset: u32) -> ScratchOffset {
        ScratchOffset(offset)
    }

    /// Where the next string begins.
    #[inline(always)]
    pub(crate) fn end_of(scratch: &str) -> ScratchOffset {
        ScratchOffset(scratch.len() as u32)
    }

    #[inline(always)]
    pub(crate) const fn get(self) -> u32 {
        self.0
    }

    #[inline(always)]
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }

    #[inline(always)]
    pub(crate) fn is_none(self) -> bool {
        self == ScratchOffset::NONE
    }

    /// The same place, when so many bytes before it are gone. Of one that is used no more, any.
    #[inline(always)]
    pub(crate) fn rebased(self, by: u32) -> ScratchOffset {
        ScratchOffset(self.0.wrapping_sub(by))
    }
}

impl Add<u32> for ScratchOffset {
    type Output = ScratchOffset;

    #[inline(always)]
    fn add(self, bytes: u32) -> ScratchOffset {
        ScratchOffset(self.0 + bytes)
    }
}

impl AddAssign<u32> for ScratchOffset {
    #[inline(always)]
    fn add_assign(&mut self, bytes: u32) {
        *self = *self + bytes;
    }
}

/// A string in the scratch buffer.
#[derive(Clone, Copy, Debug, Default)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(crate) struct Cleaned {
    pub(crate) start: ScratchOffset,
    pub(crate) end: ScratchOffset,
}

impl Cleaned {
    pub(crate) const EMPTY: Cleaned = Cleaned::of(0, 0);

    #[inline(always)]
    pub(super) const fn of(start: u32, end: u32) -> Cleaned {
        Cleaned {
            start: ScratchOffset::new(start),
            end: ScratchOffset::new(end),
        }
    }

    /// What was appended to the scratch buffer since it ended at `start`.
    #[inline(always)]
    pub(crate) fn since(start: ScratchOffset, scratch: &str) -> Cleaned {
        let end = ScratchOffset::end_of(scratch);
        Cleaned { start, end }
    }

    #[inline(always)]
    pub(crate) const fn length(self) -> u32 {
        self.end.get() - self.start.get()
    }

    /// The string itself.
    #[inline(always)]
    pub(crate) fn within(self, scratch: &str) -> &str {
        &scratch[self.start.index()..self.end.index()]
    }

    /// The same string, when the buffer that it is in is put at `to` of another.
    pub(crate) fn moved(self, to: ScratchOffset) -> Cleaned {
        Cleaned {
            start: self.start + to.get(),
            end: self.end + to.get(),
        }
    }

    #[inline(always)]
    pub(crate) fn rebased(self, by: u32) -> Cleaned {
        Cleaned {
            start: self.start.rebased(by),
            end: self.end.rebased(by),
        }
    }
}

/// Where a string is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Str {
    /// It is lent from what was written between two marks.
    Lent(Mark, Mark),
    Cleaned(Cleaned),
}

impl Str {
    /// The same without its last byte, if it has one.
    pub(crate) fn without_last(self) -> Str {
        match self {
            string if string.is_empty() => string,
            Str::Lent(start, end) => Str::Lent(start, end - 1),
            Str::Cleaned(Cleaned { start, end }) => {
                Str::Cleaned(Cleaned::of(start.get(), end.get() - 1))
            }
        }
    }

    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        match self {
            Str::Lent(start, end) => start >= end,
            Str::Cleaned(string) => string.start == string.end,
        }
    }
}

/// A string of a record, whose flags say where it is: only with them it can be read.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(crate) struct StringRange(pub(super) u32, pub(super) u32);

impl StringRange {
    /// The same without so many bytes at its beginning.
    #[inline(always)]
    pub(crate) fn without_first(self, bytes: u32) -> StringRange {
        StringRange(self.0 + bytes, self.1)
    }

    #[inline(always)]
    pub(super) const fn lent(start: Mark, end: Mark) -> StringRange {
        StringRange(start.get(), end.get())
    }

    #[inline(always)]
    pub(super) const fn cleaned(string: Cleaned) -> StringRange {
        StringRange(string.start.get(), string.end.get())
    }

    /// The indices in the text that it is one of, which begins at `base`.
    ///
    /// PERF: computed in one way for both, a read of vk.xml takes 0.3 % fewer instructions
    /// (`valgrind --tool=callgrind`, `benches/peers`).
    #[inline(always)]
    pub(super) fn behind(self, base: Mark) -> (usize, usize) {
        let index = |place| (place - base.get()) as usize;
        (index(self.0), index(self.1))
    }

    #[inline(always)]
    pub(super) fn read(self, is_cleaned: bool) -> Str {
        match is_cleaned {
            true => Str::Cleaned(Cleaned::of(self.0, self.1)),
            false => Str::Lent(Mark::new(self.0), Mark::new(self.1)),
        }
    }
}
