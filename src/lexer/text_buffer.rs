//! A string on its way through a machine: it is lent from its source, unless something in it means
//! another thing than what is written. It must not know of which token it is.

use super::cursor::Cursor;
use crate::event::record::Queue;
use crate::event::strings::{Cleaned, ScratchOffset, Str};
use crate::input::Mark;
use crate::scan::Classes;

/// A string on its way: as it was written, until something in it means another thing.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(crate) struct TextBuffer {
    /// Mark of its first byte, or none.
    pub(crate) start: Mark,
    /// Mark up to which it was copied, if it is in the scratch buffer.
    copied: Mark,
    /// Its beginning in the scratch buffer, or none.
    clean: ScratchOffset,
    /// What was taken out last, and is so far at the end of the string.
    gap: Mark,
    gap_end: Mark,
    /// That is no part of the span either.
    foreign: bool,
}

impl TextBuffer {
    pub(crate) const NONE: TextBuffer = TextBuffer {
        start: Mark::NONE,
        copied: Mark::NONE,
        clean: ScratchOffset::NONE,
        gap: Mark::NONE,
        gap_end: Mark::NONE,
        foreign: false,
    };

    #[inline(always)]
    pub(crate) fn at(start: Mark) -> TextBuffer {
        TextBuffer {
            start,
            copied: start,
            clean: ScratchOffset::NONE,
            gap: Mark::NONE,
            gap_end: Mark::NONE,
            foreign: false,
        }
    }

    #[inline(always)]
    pub(crate) fn is_none(&self) -> bool {
        self.start.is_none()
    }

    /// Where the string begins, if it means what is written, up to where it was read.
    #[inline(always)]
    pub(crate) fn as_written(&self) -> Option<Mark> {
        (self.clean.is_none() && self.gap.is_none()).then_some(self.copied)
    }

    pub(crate) fn rebase(&mut self, by: u32) {
        if self.start.is_none() {
            return;
        }
        self.start -= by;
        self.copied -= by;
        if !self.gap.is_none() {
            self.gap -= by;
            self.gap_end -= by;
        }
    }

    pub(crate) fn rebase_scratch(&mut self, by: u32) {
        if !self.is_none() && !self.clean.is_none() {
            self.clean = self.clean.rebased(by);
        }
    }

    /// What is written between two marks means `meant`.
    #[cold]
    #[inline(never)]
    pub(crate) fn replace<K: Classes>(
        &mut self,
        input: Cursor<'_, K>,
        out: &mut Queue,
        from: Mark,
        to: Mark,
        meant: &str,
    ) {
        if self.start.is_none() {
            return;
        }
        self.close_gap(input, out);
        self.begin_clean(out);
        self.copy(input, out, from);
        out.scratch.push_str(meant);
        out.work.cleaned += meant.len() as u64;
        self.copied = to;
    }

    /// Takes back that what is written between two marks means `character`, if that was said last.
    pub(crate) fn take_back(
        &mut self,
        out: &mut Queue,
        from: Mark,
        to: Mark,
        character: char,
    ) -> bool {
        let is_last =
            self.start <= from && !self.clean.is_none() && self.gap.is_none() && self.copied == to;
        if !is_last || !out.scratch.ends_with(character) {
            return false;
        }
        out.scratch.pop();
        self.copied = from;
        if self.clean == ScratchOffset::end_of(&out.scratch) {
            self.clean = ScratchOffset::NONE;
        }
        true
    }

    /// What is written between two marks is not part of the string. At either end of the string this
    /// copies nothing.
    pub(crate) fn remove<K: Classes>(
        &mut self,
        input: Cursor<'_, K>,
        out: &mut Queue,
        from: Mark,
        to: Mark,
    ) {
        self.take_out(input, out, (from, to), false);
    }

    /// What is written between two marks is another token. At the end of the string, its span ends
    /// before that.
    pub(crate) fn leave_out<K: Classes>(
        &mut self,
        input: Cursor<'_, K>,
        out: &mut Queue,
        from: Mark,
        to: Mark,
    ) {
        self.take_out(input, out, (from, to), true);
    }

    /// Makes a gap in the string, or the last one longer, if that is of the same kind.
    fn take_out<K: Classes>(
        &mut self,
        input: Cursor<'_, K>,
        out: &mut Queue,
        (from, to): (Mark, Mark),
        foreign: bool,
    ) {
        if self.start.is_none() {
            return;
        }
        if !self.gap.is_none() && self.gap_end == from && self.foreign == foreign {
            self.gap_end = to;
            return;
        }
        self.close_gap(input, out);
        if !foreign && self.clean.is_none() && self.copied == from {
            self.copied = to;
        } else {
            (self.gap, self.gap_end, self.foreign) = (from, to, foreign);
        }
    }

    /// What is written between two marks is not part of the string. At its beginning, the string begins
    /// after that; at its end, its span ends before that.
    pub(crate) fn skip<K: Classes>(
        &mut self,
        input: Cursor<'_, K>,
        out: &mut Queue,
        from: Mark,
        to: Mark,
    ) {
        if !self.start.is_none() && self.as_written() == Some(from) {
            *self = TextBuffer::at(to);
        } else {
            self.leave_out(input, out, from, to);
        }
    }

    /// Whether nothing is in the string up to the mark `end`.
    pub(crate) fn is_empty(&self, end: Mark) -> bool {
        let raw_end = if self.gap_end == end { self.gap } else { end };
        self.clean.is_none() && self.copied >= raw_end
    }

    /// The end of the span of the string, if all up to the mark `end` was taken for it.
    #[inline(always)]
    pub(crate) fn end(&self, end: Mark) -> Mark {
        if self.gap_end == end && self.foreign {
            self.gap
        } else {
            end
        }
    }

    /// All of the string so far is in the scratch buffer: it goes on at the mark `copied` of another
    /// source, where it begins at the mark `start`.
    pub(crate) fn resume(&mut self, start: Mark, copied: Mark) {
        self.start = start;
        self.copied = copied;
    }

    fn close_gap<K: Classes>(&mut self, input: Cursor<'_, K>, out: &mut Queue) {
        if self.gap.is_none() {
            return;
        }
        self.begin_clean(out);
        self.copy(input, out, self.gap);
        self.copied = self.gap_end;
        // Neither mark is rebased where there is no gap.
        (self.gap, self.gap_end) = (Mark::NONE, Mark::NONE);
    }

    /// From here on the string is in the scratch buffer, if it was not before.
    fn begin_clean(&mut self, out: &mut Queue) {
        if !self.clean.is_none() {
            return;
        }
        // PERF: most small documents have less of it than this.
        if out.scratch.capacity() == 0 {
            out.scratch.reserve_exact(256);
        }
        self.clean = ScratchOffset::end_of(&out.scratch);
    }

    /// Copies what was written up to `end`, where part of the string is in the scratch buffer.
    fn copy<K: Classes>(&mut self, input: Cursor<'_, K>, out: &mut Queue, end: Mark) {
        let (first, second) = input.pieces(&out.retained, self.copied, end);
        out.scratch.push_str(first);
        out.scratch.push_str(second);
        out.work.cleaned += (first.len() + second.len()) as u64;
        self.copied = end;
    }

    /// Ends the string at the mark `end`. Gives where it is.
    #[inline(always)]
    pub(crate) fn finish<K: Classes>(
        &mut self,
        input: Cursor<'_, K>,
        out: &mut Queue,
        end: Mark,
    ) -> Str {
        if self.clean.is_none() && self.gap.is_none() {
            Str::Lent(self.copied, end)
        } else {
            self.finish_cleaned(input, out, end)
        }
    }

    #[cold]
    #[inline(never)]
    fn finish_cleaned<K: Classes>(
        &mut self,
        input: Cursor<'_, K>,
        out: &mut Queue,
        end: Mark,
    ) -> Str {
        if self.gap_end == end && !self.gap.is_none() {
            if self.clean.is_none() {
                return Str::Lent(self.copied, self.gap);
            }
            self.copy(input, out, self.gap);
        } else {
            self.close_gap(input, out);
            self.copy(input, out, end);
        }
        Str::Cleaned(Cleaned::since(self.clean, &out.scratch))
    }
}
