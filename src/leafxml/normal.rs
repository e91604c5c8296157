//! NFC: whether a string on its way is certainly normal already, and where it can be parted.
//!
//! Most text needs no more than a look at each character beyond ASCII. It must not know what the
//! string is; places are marks.

use crate::input::Mark;
use crate::text::leafxml_names::is_char;
use crate::text::normal::{is_plain, plain_run};
use unicode_normalization::IsNormalized;
use unicode_normalization::char::{canonical_combining_class, compose};

/// The quick check of Unicode Standard Annex #15, character by character.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(super) struct Normality {
    /// So far the string is certainly in NFC.
    pub(super) sure: bool,
    /// Combining class of the last character that is not [`is_plain`].
    class: u8,
    /// The mark after that: what follows other characters follows none of its class.
    end: Mark,
    /// All from this mark on stands in the string as it was written.
    literal: Mark,
    /// The last place known before which the string is complete, whatever follows.
    boundary: Mark,
}

impl Normality {
    /// A string begins at the mark `start`.
    #[inline(always)]
    pub(super) fn at(start: Mark) -> Normality {
        Normality {
            sure: true,
            class: 0,
            end: Mark::NONE,
            literal: start,
            boundary: Mark::NONE,
        }
    }

    pub(super) fn rebase(&mut self, by: u32) {
        for mark in [&mut self.end, &mut self.literal, &mut self.boundary] {
            if !mark.is_none() {
                *mark = mark.rebased(by);
            }
        }
    }

    /// What stands between two marks means this character.
    #[inline]
    pub(super) fn take(&mut self, character: char, from: Mark, to: Mark) {
        if !is_plain(character) {
            self.check(character, from, to, None);
        }
    }

    /// A character was taken as it was written. `before` finds the character before a mark, and its
    /// first mark.
    #[inline]
    pub(super) fn take_literal(
        &mut self,
        character: char,
        from: Mark,
        to: Mark,
        before: impl Fn(Mark) -> (char, Mark),
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

    /// Takes the characters beyond ASCII, and what plain ones are between them, that stand as they were
    /// written from the mark `from` on; gives how many bytes these are. None, if the first is no plain
    /// matter of the string: a line break, not in the character set, or right at the chunk's beginning.
    /// The chunk begins at the mark `shift`.
    #[inline]
    pub(super) fn take_run<const SPACE: bool>(
        &mut self,
        text: &str,
        (chunk, shift): (&str, Mark),
        from: Mark,
    ) -> usize {
        match plain_run::<SPACE>(text) {
            0 if text.is_empty() => 0,
            0 => self.take_odd((chunk, shift), from),
            run => run,
        }
    }

    #[inline(never)]
    fn take_odd(&mut self, (chunk, shift): (&str, Mark), from: Mark) -> usize {
        let (before, after) = chunk.split_at(from.index_from(shift));
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

    /// Whether the character before the mark `at` is literal and plain.
    fn is_parted(&self, at: Mark) -> bool {
        at > self.literal && self.end != at
    }

    /// Checks a character after the character `last`, if that is known.
    fn check(&mut self, character: char, from: Mark, to: Mark, last: Option<char>) {
        let before = if self.end == from { self.class } else { 0 };
        let class = canonical_combining_class(character);
        let normal = match unicode_normalization::is_nfc_quick(core::iter::once(character)) {
            IsNormalized::Yes => true,
            IsNormalized::No => false,
            // A character of class 0 composes with the one right before it, or not at all.
            IsNormalized::Maybe => {
                class == 0 && last.is_some_and(|last| compose(last, character).is_none())
            }
        };
        if !normal || class != 0 && before > class {
            self.sure = false;
        }
        (self.class, self.end) = (class, to);
    }

    /// What is written between two marks is not what is meant.
    pub(super) fn replaced(&mut self, to: Mark) {
        (self.literal, self.boundary) = (to, Mark::NONE);
    }

    /// What is written between two marks is no part of the string.
    pub(super) fn removed(&mut self, from: Mark, to: Mark) {
        self.replaced(to);
        if self.end == from {
            self.end = to;
        }
    }

    /// A mark at which the string can be parted, if all up to the mark `until` was taken: its parts
    /// are in NFC if it is.
    pub(super) fn boundary(&self, until: Mark, before: impl Fn(Mark) -> Mark) -> Option<Mark> {
        if self.is_parted(until) {
            return Some(before(until));
        }
        (!self.boundary.is_none()).then_some(self.boundary)
    }

    /// The string was parted at the mark `at`.
    pub(super) fn part(&mut self, at: Mark) {
        // With no odd character in the second part, there is nothing to be unsure of.
        self.sure |= self.end.is_none() || self.end <= at;
        if !self.end.is_none() && self.end <= at {
            self.end = Mark::NONE;
        }
        self.boundary = Mark::NONE;
        // The second part is the string now: no mark before it is kept.
        self.literal = self.literal.max(at);
    }
}
