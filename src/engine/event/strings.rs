//! Types for the ranges of strings in the buffered text and in the scratch buffer.
//!
//! A string that equals its source is a range of the buffered text, which is *lent*. Any other string is *cleaned*:
//! it was copied to the scratch buffer. [`Str`] says which of the two applies. A record stores the two numbers only
//! ([`StringRange`]) and says by a flag which of the two applies, which makes it smaller.

use crate::engine::input::BufferOffset;
use core::ops::{Add, AddAssign, Sub};

/// An offset in the scratch buffer, in bytes. It is a type of its own, so that it cannot be mistaken for a
/// [`BufferOffset`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ScratchOffset(u32);

impl ScratchOffset {
    /// No offset.
    pub(crate) const NONE: ScratchOffset = ScratchOffset(u32::MAX);

    #[inline(always)]
    pub(crate) const fn new(offset: u32) -> ScratchOffset {
        ScratchOffset(offset)
    }

    /// Returns the end of the scratch buffer, where the next string starts.
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

    /// Returns the offset minus `by`, after that many bytes were removed from the start of the scratch buffer. The
    /// offset of a string that was removed may wrap around; no code reads it any more.
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

impl Sub<u32> for ScratchOffset {
    type Output = ScratchOffset;

    #[inline(always)]
    fn sub(self, bytes: u32) -> ScratchOffset {
        ScratchOffset(self.0 - bytes)
    }
}

impl AddAssign<u32> for ScratchOffset {
    #[inline(always)]
    fn add_assign(&mut self, bytes: u32) {
        *self = *self + bytes;
    }
}

/// The range of a string in the scratch buffer.
#[derive(Clone, Copy, Debug, Default)]
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

    /// Returns the range of the text that was appended to the scratch buffer since it ended at `start`.
    #[inline(always)]
    pub(crate) fn since(start: ScratchOffset, scratch: &str) -> Cleaned {
        let end = ScratchOffset::end_of(scratch);
        Cleaned { start, end }
    }

    #[inline(always)]
    pub(crate) const fn length(self) -> u32 {
        self.end.get() - self.start.get()
    }

    /// Returns the string that has this range in the scratch buffer `scratch`.
    #[inline(always)]
    pub(crate) fn within(self, scratch: &str) -> &str {
        &scratch[self.start.index()..self.end.index()]
    }

    /// Returns the range of the string after the buffer that contains it was inserted into another buffer at the offset
    /// `to`.
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

/// The range of a string.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Str {
    /// A range of the buffered text, which equals the string.
    Borrowed(BufferOffset, BufferOffset),
    /// A range of the scratch buffer.
    Cleaned(Cleaned),
}

impl Str {
    /// Returns the range without its last byte, if it has one.
    pub(crate) fn without_last(self) -> Str {
        match self {
            string if string.is_empty() => string,
            Str::Borrowed(start, end) => Str::Borrowed(start, end - 1),
            Str::Cleaned(Cleaned { start, end }) => {
                Str::Cleaned(Cleaned::of(start.get(), end.get() - 1))
            }
        }
    }

    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        match self {
            Str::Borrowed(start, end) => start >= end,
            Str::Cleaned(string) => string.start == string.end,
        }
    }
}

/// The range of a string, stored in a record whose flags say which buffer it refers to. It can be read only together
/// with these flags.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StringRange(pub(super) u32, pub(super) u32);

impl StringRange {
    /// Returns the range without its first `bytes` bytes.
    #[inline(always)]
    pub(crate) fn without_first(self, bytes: u32) -> StringRange {
        StringRange(self.0 + bytes, self.1)
    }

    #[inline(always)]
    pub(super) const fn lent(start: BufferOffset, end: BufferOffset) -> StringRange {
        StringRange(start.get(), end.get())
    }

    #[inline(always)]
    pub(super) const fn cleaned(string: Cleaned) -> StringRange {
        StringRange(string.start.get(), string.end.get())
    }

    /// Returns the range as indices in its buffer, which starts at offset `base`. For the scratch buffer, `base` is
    /// 0.
    ///
    /// PERF: one computation for both buffers makes a read of vk.xml take 0.3 % fewer instructions (`valgrind
    /// --tool=callgrind`, `benches/peers`).
    #[inline(always)]
    pub(super) fn indices(self, base: BufferOffset) -> (usize, usize) {
        let index = |place| (place - base.get()) as usize;
        (index(self.0), index(self.1))
    }

    /// Returns the range with its buffer: the scratch buffer if `is_cleaned` is true.
    #[inline(always)]
    pub(super) fn read(self, is_cleaned: bool) -> Str {
        match is_cleaned {
            true => Str::Cleaned(Cleaned::of(self.0, self.1)),
            false => Str::Borrowed(BufferOffset::new(self.0), BufferOffset::new(self.1)),
        }
    }
}

crate::checkpoint::checkpointable! {
    struct ScratchOffset(value);
    struct Cleaned { start, end }
    struct StringRange(value, second);
}
