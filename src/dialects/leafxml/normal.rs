//! Incremental check for Unicode normal form NFC, and points at which a string can be split.
//!
//! [`Normality`] implements the quick check of Unicode Standard Annex #15 while a string is read, character by
//! character. As long as it is sure that the string is in NFC, the string needs no conversion. Most text consists of
//! *plain* characters ([`is_plain`]), which NFC never changes and which never combine with the characters before
//! them; the check ignores them.
//!
//! A long string can be delivered in pieces. It can be split before a plain character that is in the source as
//! written, since this character does not combine with anything before it:
//!
//! ```text
//! source   c a f e ´ s            ´ is a combining accent
//!                ^ ^ ^ ^
//!                | | | the end: no split, because an accent that follows would combine with the `s`
//!                | | a split is possible before the `s`
//!                | no split: the accent combines with the `e`
//!                a split is possible before the `e`
//! ```
//!
//! While the last character is plain, the string can be split before it. The register `boundary` is the start of the
//! last plain character that is followed by a character that is not plain.

use crate::engine::input::BufferOffset;
use crate::engine::text::leafxml_names::is_char;
use crate::engine::text::normal::{is_plain, plain_run};
use unicode_normalization::IsNormalized;
use unicode_normalization::char::{canonical_combining_class, compose};

/// State of the NFC check for one string. All offsets are offsets in the source, which is in the buffered text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Normality {
    /// True if the string up to now is certainly in NFC.
    pub(super) sure: bool,
    /// Combining class of the last character that is not plain ([`is_plain`]).
    class: u8,
    /// Offset after that character. A character that starts at any other offset follows a plain character, whose
    /// combining class is 0.
    end: BufferOffset,
    /// Offset from which on the string is identical to its source: nothing was replaced or removed.
    literal: BufferOffset,
    /// The last known offset at which the string can be split, whatever characters follow; otherwise
    /// `BufferOffset::NONE`.
    boundary: BufferOffset,
}

impl Normality {
    /// Returns the state for a string that starts at offset `start`.
    #[inline(always)]
    pub(super) fn at(start: BufferOffset) -> Normality {
        Normality {
            sure: true,
            class: 0,
            end: BufferOffset::NONE,
            literal: start,
            boundary: BufferOffset::NONE,
        }
    }

    /// Decreases all offsets by `by`, because the text before offset `by` is discarded.
    pub(super) fn rebase(&mut self, by: u32) {
        for mark in [&mut self.end, &mut self.literal, &mut self.boundary] {
            if !mark.is_none() {
                *mark = mark.rebased(by);
            }
        }
    }

    /// Adds `character`, whose source is `from..to`, to the string. The characters before it are not examined, so the
    /// check is less precise than [`take_literal`](Self::take_literal).
    #[inline]
    pub(super) fn take(&mut self, character: char, from: BufferOffset, to: BufferOffset) {
        if !is_plain(character) {
            self.check(character, from, to, None);
        }
    }

    /// Adds a character that is in the source as written. `before` returns the character that ends at an offset, and
    /// its start.
    #[inline]
    pub(super) fn take_literal(
        &mut self,
        character: char,
        from: BufferOffset,
        to: BufferOffset,
        before: impl Fn(BufferOffset) -> (char, BufferOffset),
    ) {
        if is_plain(character) {
            return;
        }
        let before = (from > self.literal).then(|| before(from));
        if let Some((_, boundary)) = before
            && self.is_parted(from)
        {
            self.boundary = boundary;
        }
        let before = before.map(|(character, _)| character);
        self.check(character, from, to, before);
    }

    /// Adds the run of characters at the beginning of `text`, which is at offset `from` of the source and starts with
    /// a character beyond ASCII. Returns the length of the run in bytes.
    ///
    /// Returns 0 if the first character needs more than this check: it is a line break, is not in the character set,
    /// or is at the beginning of the chunk, so that the character before it is not accessible. The chunk is the text
    /// from offset `chunk_start` on. `SPACE` is true if spaces may be part of the run.
    #[inline]
    pub(super) fn take_run<const SPACE: bool>(
        &mut self,
        text: &str,
        (chunk, chunk_start): (&str, BufferOffset),
        from: BufferOffset,
    ) -> usize {
        match plain_run::<SPACE>(text) {
            0 if text.is_empty() => 0,
            0 => self.take_odd((chunk, chunk_start), from),
            run => run,
        }
    }

    /// Adds one character that is not plain, at offset `from`. Returns its length in bytes, or 0 under the conditions
    /// of [`take_run`](Self::take_run).
    #[inline(never)]
    fn take_odd(
        &mut self,
        (chunk, chunk_start): (&str, BufferOffset),
        from: BufferOffset,
    ) -> usize {
        let (before, after) = chunk.split_at(from.index_from(chunk_start));
        let (Some(last), Some(character)) = (before.chars().next_back(), after.chars().next())
        else {
            return 0;
        };
        if matches!(character, '\u{85}' | '\u{2028}') || !is_char(character) {
            return 0;
        }
        let length = character.len_utf8();
        let start = from - last.len_utf8() as u32;
        self.take_literal(character, from, from + length as u32, |_| (last, start));
        length
    }

    /// Returns true if the character that ends at offset `at` is plain and is in the source as written.
    fn is_parted(&self, at: BufferOffset) -> bool {
        at > self.literal && self.end != at
    }

    /// Adds a character that is not plain. `last` is the character before it, if known.
    fn check(&mut self, character: char, from: BufferOffset, to: BufferOffset, last: Option<char>) {
        let before = if self.end == from { self.class } else { 0 };
        let class = canonical_combining_class(character);
        let normal = match unicode_normalization::is_nfc_quick(core::iter::once(character)) {
            IsNormalized::Yes => true,
            IsNormalized::No => false,
            // A character of combining class 0 can only combine with the character directly before it.
            IsNormalized::Maybe => {
                class == 0 && last.is_some_and(|last| compose(last, character).is_none())
            }
        };
        if !normal || class != 0 && before > class {
            self.sure = false;
        }
        (self.class, self.end) = (class, to);
    }

    /// Notes that the source up to offset `to` includes a replaced part. The string cannot be split there.
    pub(super) fn replaced(&mut self, to: BufferOffset) {
        (self.literal, self.boundary) = (to, BufferOffset::NONE);
    }

    /// Notes that the source in `from..to` is not part of the string.
    pub(super) fn removed(&mut self, from: BufferOffset, to: BufferOffset) {
        self.replaced(to);
        if self.end == from {
            self.end = to;
        }
    }

    /// Returns an offset at which the string, read up to offset `until`, can be split: the parts are in NFC if the
    /// string is. `before` returns the start of the character that ends at an offset.
    pub(super) fn boundary(
        &self,
        until: BufferOffset,
        before: impl Fn(BufferOffset) -> BufferOffset,
    ) -> Option<BufferOffset> {
        if self.is_parted(until) {
            return Some(before(until));
        }
        (!self.boundary.is_none()).then_some(self.boundary)
    }

    /// Notes that the string was split at offset `at`, so that the part after it is the string now.
    pub(super) fn part(&mut self, at: BufferOffset) {
        // If the second part contains no characters except plain ones, it is certainly in NFC.
        self.sure |= self.end.is_none() || self.end <= at;
        if !self.end.is_none() && self.end <= at {
            self.end = BufferOffset::NONE;
        }
        self.boundary = BufferOffset::NONE;
        // Offsets before the second part are no longer valid.
        self.literal = self.literal.max(at);
    }
}

crate::checkpoint::checkpointable! {
    struct Normality { sure, class, end, literal, boundary }
}
