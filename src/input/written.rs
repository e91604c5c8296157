//! What was written where line ends are read as others: XML 1.1 reads NEL and LS as LF. They are no line
//! ends to a person, so lines are not counted by them, and raw strings have them as they are. It must
//! not know who reads the text.

use super::Mark;
use super::line_index::{Anchor, Shift, push, shift};
use alloc::string::String;
use alloc::vec::Vec;

/// The text that is held, as it was written.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(super) struct Written {
    /// From mark 0 on.
    text: String,
    /// The marks after what was replaced, and how much longer it was written. Of the two LF that an LS
    /// after a CR is read as, the first was not written at all.
    shifts: Vec<Shift>,
}

impl Written {
    /// What is held so far is as it was written.
    pub(super) fn new(held: &str) -> Written {
        Written {
            text: String::from(held),
            shifts: Vec::new(),
        }
    }

    /// More text was appended, which was so written.
    pub(super) fn append(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// The `length` LF before `mark` stand for a line end of `source` bytes.
    pub(super) fn replaced(&mut self, mark: Mark, length: usize, source: usize) {
        if length == 2 {
            push(&mut self.shifts, mark - 1, -1);
        }
        push(&mut self.shifts, mark, source as i8 - 1);
    }

    /// What was written between two marks.
    pub(super) fn between(&self, from: Mark, to: Mark) -> &str {
        &self.text[self.index(from)..self.index(to)]
    }

    fn index(&self, mark: Mark) -> usize {
        mark.get().wrapping_add(shift(&self.shifts, mark)) as usize
    }

    /// The place after `text`, which begins at the anchor: what was replaced is a character like others.
    pub(super) fn after(&self, anchor: Anchor, text: &[u8]) -> Anchor {
        let (start, end) = (anchor.mark, anchor.mark + text.len() as u32);
        let text_to = |from: Mark, to: Mark| &text[from.index_from(start)..to.index_from(start)];
        let mut place = anchor;
        let first = self.shifts.partition_point(|shift| shift.last() <= start);
        for shift in &self.shifts[first..] {
            if shift.mark > end {
                break;
            }
            // An LF that was not written is that of a CR.
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

    /// The same from the mark `from`, which becomes mark 0, up to `to`; nothing where all is as it was
    /// written.
    pub(super) fn section(&self, from: Mark, to: Mark) -> Option<Written> {
        let shifts = super::line_index::section(&self.shifts, from, to);
        let text = || String::from(self.between(from, to));
        (!shifts.is_empty()).then(|| Written {
            text: text(),
            shifts,
        })
    }

    /// The mark `by` becomes mark 0; gives whether anything behind it is not as it was written.
    pub(super) fn rebase(&mut self, by: Mark) -> bool {
        let folded = shift(&self.shifts, by);
        self.text.drain(..self.index(by));
        self.shifts.retain_mut(|shift| shift.rebase(by, folded));
        !self.shifts.is_empty()
    }
}
