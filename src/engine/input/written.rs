//! The source text of an XML 1.1 document in which NEL and LS were replaced by LF. Raw strings of events contain NEL
//! and LS unchanged, and line numbers do not count them, because editors do not treat them as line ends.

use super::anchor::Anchor;
use super::buffer_offset::BufferOffset;
use super::corrections::{Shift, push, section, shift};
use alloc::string::String;
use alloc::vec::Vec;

/// The buffered text as it was before NEL and LS were replaced.
#[derive(Clone, Debug)]
pub(super) struct Written {
    /// The source text, from the first buffered byte on.
    text: String,
    /// Differences in length to the buffered text, each at the offset after a replacement. An LS after a CR is
    /// replaced by two LF, of which the first corresponds to no source text.
    shifts: Vec<Shift>,
}

impl Written {
    /// Creates the source text of the text buffered so far, which has no replacements.
    pub(super) fn new(held: &str) -> Written {
        Written {
            text: String::from(held),
            shifts: Vec::new(),
        }
    }

    /// Appends source text.
    pub(super) fn append(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Records that the `length` LF before `mark` replace a line end of `source` bytes.
    pub(super) fn replaced(&mut self, mark: BufferOffset, length: usize, source: usize) {
        if length == 2 {
            push(&mut self.shifts, mark - 1, -1);
        }
        push(&mut self.shifts, mark, source as i8 - 1);
    }

    /// Returns the source text between two offsets in the buffered text.
    pub(super) fn between(&self, from: BufferOffset, to: BufferOffset) -> &str {
        &self.text[self.index(from)..self.index(to)]
    }

    fn index(&self, mark: BufferOffset) -> usize {
        mark.get().wrapping_add(shift(&self.shifts, mark)) as usize
    }

    /// Returns the position after `text`, which starts at `anchor`. A replaced NEL or LS counts as a character and not
    /// as a line end, because an editor shows it so.
    pub(super) fn after(&self, anchor: Anchor, text: &[u8]) -> Anchor {
        let (start, end) = (anchor.mark, anchor.mark + text.len() as u32);
        let text_to = |from: BufferOffset, to: BufferOffset| {
            &text[from.index_from(start)..to.index_from(start)]
        };
        let mut place = anchor;
        let first = self.shifts.partition_point(|shift| shift.last() <= start);
        for shift in &self.shifts[first..] {
            if shift.mark > end {
                break;
            }
            // The LF without source text only completes the line end of the CR before it.
            if shift.each < 0 {
                continue;
            }
            for mark in shift.marks_after(start).take_while(|&mark| mark <= end) {
                place = place.after(text_to(place.mark, mark - 1));
                place.pass_character();
            }
        }
        place.after(text_to(place.mark, end))
    }

    /// Returns the source text from `from` to `to` alone, or `None` if it equals the buffered text there.
    pub(super) fn section(&self, from: BufferOffset, to: BufferOffset) -> Option<Written> {
        let shifts = section(&self.shifts, from, to);
        let text = || String::from(self.between(from, to));
        (!shifts.is_empty()).then(|| Written {
            text: text(),
            shifts,
        })
    }

    /// Discards the text before `by`. Returns whether the rest still differs from the buffered text.
    pub(super) fn rebase(&mut self, by: BufferOffset) -> bool {
        let folded = shift(&self.shifts, by);
        self.text.drain(..self.index(by));
        self.shifts.retain_mut(|shift| shift.rebase(by, folded));
        !self.shifts.is_empty()
    }
}

crate::checkpoint::checkpointable! {
    struct Written { text, shifts }
}
