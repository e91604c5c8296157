//! NFC: whether a string on its way is certainly normal already, and where it can be parted.
//!
//! Most text needs no more than a look at each character beyond ASCII. It must not know what the
//! string is; places are marks.

use crate::event::record::NONE;
use unicode_normalization::IsNormalized;
use unicode_normalization::char::canonical_combining_class;

/// The quick check of Unicode Standard Annex #15, character by character.
#[derive(Clone, Copy, Debug)]
pub(super) struct Normality {
    /// So far the string is certainly in NFC.
    pub(super) sure: bool,
    /// Combining class of the last character that is not [`always_normal`].
    class: u8,
    /// The mark after that: what follows other characters follows none of its class.
    end: u32,
    /// All from this mark on stands in the string as it was written.
    literal: u32,
    /// The last place known before which the string is complete, whatever follows.
    boundary: u32,
}

impl Normality {
    /// A string begins at the mark `start`.
    #[inline(always)]
    pub(super) fn at(start: u32) -> Normality {
        Normality {
            sure: true,
            class: 0,
            end: NONE,
            literal: start,
            boundary: NONE,
        }
    }

    pub(super) fn rebase(&mut self, by: u32) {
        for mark in [&mut self.end, &mut self.literal, &mut self.boundary] {
            if *mark != NONE {
                *mark = mark.wrapping_sub(by);
            }
        }
    }

    /// What stands between two marks means this character.
    #[inline]
    pub(super) fn take(&mut self, character: char, from: u32, to: u32) {
        if !always_normal(character) {
            self.check(character, from, to);
        }
    }

    /// A character was taken as it was written. `before` finds the first mark of the character before
    /// a mark.
    #[inline]
    pub(super) fn take_literal(
        &mut self,
        character: char,
        from: u32,
        to: u32,
        before: impl Fn(u32) -> u32,
    ) {
        if always_normal(character) {
            return;
        }
        if self.is_parted(from) {
            self.boundary = before(from);
        }
        self.check(character, from, to);
    }

    /// Whether the character before the mark `at` is literal and always normal.
    fn is_parted(&self, at: u32) -> bool {
        at > self.literal && self.end != at
    }

    fn check(&mut self, character: char, from: u32, to: u32) {
        let before = if self.end == from { self.class } else { 0 };
        let class = canonical_combining_class(character);
        let normal = unicode_normalization::is_nfc_quick(core::iter::once(character));
        if normal != IsNormalized::Yes || class != 0 && before > class {
            self.sure = false;
        }
        (self.class, self.end) = (class, to);
    }

    /// What is written between two marks is not what is meant.
    pub(super) fn replaced(&mut self, to: u32) {
        (self.literal, self.boundary) = (to, NONE);
    }

    /// What is written between two marks is no part of the string.
    pub(super) fn removed(&mut self, from: u32, to: u32) {
        self.replaced(to);
        if self.end == from {
            self.end = to;
        }
    }

    /// A mark at which the string can be parted, if all up to the mark `until` was taken: its parts
    /// are in NFC if it is.
    pub(super) fn boundary(&self, until: u32, before: impl Fn(u32) -> u32) -> Option<u32> {
        if self.is_parted(until) {
            return Some(before(until));
        }
        (self.boundary != NONE).then_some(self.boundary)
    }

    /// The string was parted at the mark `at`.
    pub(super) fn part(&mut self, at: u32) {
        // With no odd character in the second part, there is nothing to be unsure of.
        self.sure |= self.end == NONE || self.end <= at;
        if self.end != NONE && self.end <= at {
            self.end = NONE;
        }
        self.boundary = NONE;
    }
}

/// Whether the character neither changes under NFC nor ever composes with what stands before it, and
/// has combining class 0. Not all that are so are found: letters of common scripts, and what is
/// written between them.
///
/// PERF: other characters cost two look-ups in tables each.
pub(super) const fn always_normal(character: char) -> bool {
    matches!(character,
        '\0'..='\u{2FF}' | '\u{388}'..='\u{482}' | '\u{48A}'..='\u{590}' | '\u{5D0}'..='\u{5EA}'
        | '\u{620}'..='\u{64A}' | '\u{904}'..='\u{928}' | '\u{92A}'..='\u{930}'
        | '\u{E01}'..='\u{E33}' | '\u{1E00}'..='\u{1EFF}' | '\u{2002}'..='\u{2070}'
        | '\u{2190}'..='\u{2328}' | '\u{2500}'..='\u{27FF}' | '\u{2E80}'..='\u{2FFF}'
        | '\u{3000}'..='\u{3029}' | '\u{3041}'..='\u{3096}' | '\u{30A0}'..='\u{312F}'
        | '\u{4E00}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}' | '\u{FF01}'..='\u{FFEE}'
        | '\u{1F000}'..='\u{1FAFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_always_normal_is_so_by_the_tables() {
        for character in ('\0'..=char::MAX).filter(|&character| always_normal(character)) {
            let code = u32::from(character);
            let quick = unicode_normalization::is_nfc_quick(core::iter::once(character));
            assert_eq!(quick, IsNormalized::Yes, "U+{code:04X}");
            assert_eq!(canonical_combining_class(character), 0, "U+{code:04X}");
        }
    }
}
