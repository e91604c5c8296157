//! A string on its way through a machine: it is lent from its source, unless something in it means
//! another thing than what is written. It must not know of which token it is.

use super::cursor::Cursor;
use crate::event::record::{NONE, Queue};
use crate::scan::Classes;

/// A string on its way: as it was written, until something in it means another thing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TextBuffer {
    /// Mark of its first byte, or none.
    pub(crate) start: u32,
    /// Mark up to which it was copied, if it is in the scratch buffer.
    copied: u32,
    /// Its beginning in the scratch buffer, or none.
    clean: u32,
    /// What was taken out last, and is so far at the end of the string.
    gap: u32,
    gap_end: u32,
    /// That is no part of the span either.
    foreign: bool,
}

impl TextBuffer {
    pub(crate) const NONE: TextBuffer = TextBuffer {
        start: NONE,
        copied: NONE,
        clean: NONE,
        gap: NONE,
        gap_end: NONE,
        foreign: false,
    };

    #[inline(always)]
    pub(crate) fn at(start: u32) -> TextBuffer {
        TextBuffer {
            start,
            copied: start,
            clean: NONE,
            gap: NONE,
            gap_end: NONE,
            foreign: false,
        }
    }

    #[inline(always)]
    pub(crate) fn is_none(&self) -> bool {
        self.start == NONE
    }

    /// Where the string begins, if it means what is written, up to where it was read.
    #[inline(always)]
    pub(crate) fn as_written(&self) -> Option<u32> {
        (self.clean == NONE && self.gap == NONE).then_some(self.copied)
    }

    pub(crate) fn rebase(&mut self, by: u32) {
        if self.start == NONE {
            return;
        }
        self.start -= by;
        self.copied -= by;
        if self.gap != NONE {
            self.gap -= by;
            self.gap_end -= by;
        }
    }

    pub(crate) fn rebase_scratch(&mut self, by: u32) {
        if self.start != NONE && self.clean != NONE {
            self.clean = self.clean.wrapping_sub(by);
        }
    }

    /// What is written between two marks means `meant`.
    #[cold]
    #[inline(never)]
    pub(crate) fn replace<K: Classes>(
        &mut self,
        input: Cursor<'_, K>,
        out: &mut Queue,
        from: u32,
        to: u32,
        meant: &str,
    ) {
        if self.start == NONE {
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
        from: u32,
        to: u32,
        character: char,
    ) -> bool {
        let is_last =
            self.start <= from && self.clean != NONE && self.gap == NONE && self.copied == to;
        if !is_last || !out.scratch.ends_with(character) {
            return false;
        }
        out.scratch.pop();
        self.copied = from;
        if out.scratch.len() as u32 == self.clean {
            self.clean = NONE;
        }
        true
    }

    /// What is written between two marks is not part of the string. At either end of the string this
    /// copies nothing.
    pub(crate) fn remove<K: Classes>(
        &mut self,
        input: Cursor<'_, K>,
        out: &mut Queue,
        from: u32,
        to: u32,
    ) {
        self.take_out(input, out, (from, to), false);
    }

    /// What is written between two marks is another token. At the end of the string, its span ends
    /// before that.
    pub(crate) fn leave_out<K: Classes>(
        &mut self,
        input: Cursor<'_, K>,
        out: &mut Queue,
        from: u32,
        to: u32,
    ) {
        self.take_out(input, out, (from, to), true);
    }

    /// Makes a gap in the string, or the last one longer, if that is of the same kind.
    fn take_out<K: Classes>(
        &mut self,
        input: Cursor<'_, K>,
        out: &mut Queue,
        (from, to): (u32, u32),
        foreign: bool,
    ) {
        if self.start == NONE {
            return;
        }
        if self.gap != NONE && self.gap_end == from && self.foreign == foreign {
            self.gap_end = to;
            return;
        }
        self.close_gap(input, out);
        if !foreign && self.clean == NONE && self.copied == from {
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
        from: u32,
        to: u32,
    ) {
        if self.start != NONE && self.as_written() == Some(from) {
            *self = TextBuffer::at(to);
        } else {
            self.leave_out(input, out, from, to);
        }
    }

    /// Whether nothing is in the string up to the mark `end`.
    pub(crate) fn is_empty(&self, end: u32) -> bool {
        let raw_end = if self.gap_end == end { self.gap } else { end };
        self.clean == NONE && self.copied >= raw_end
    }

    /// The end of the span of the string, if all up to the mark `end` was taken for it.
    #[inline(always)]
    pub(crate) fn end(&self, end: u32) -> u32 {
        if self.gap_end == end && self.foreign {
            self.gap
        } else {
            end
        }
    }

    /// All of the string so far is in the scratch buffer: it goes on at the mark `copied` of another
    /// source, where it begins at the mark `start`.
    pub(crate) fn resume(&mut self, start: u32, copied: u32) {
        self.start = start;
        self.copied = copied;
    }

    fn close_gap<K: Classes>(&mut self, input: Cursor<'_, K>, out: &mut Queue) {
        if self.gap == NONE {
            return;
        }
        self.begin_clean(out);
        self.copy(input, out, self.gap);
        self.copied = self.gap_end;
        // Neither mark is rebased where there is no gap.
        (self.gap, self.gap_end) = (NONE, NONE);
    }

    /// From here on the string is in the scratch buffer, if it was not before.
    fn begin_clean(&mut self, out: &mut Queue) {
        if self.clean != NONE {
            return;
        }
        // PERF: most small documents have less of it than this.
        if out.scratch.capacity() == 0 {
            out.scratch.reserve_exact(256);
        }
        self.clean = out.scratch.len() as u32;
    }

    /// Copies what was written up to `end`, where part of the string is in the scratch buffer.
    fn copy<K: Classes>(&mut self, input: Cursor<'_, K>, out: &mut Queue, end: u32) {
        let (first, second) = input.pieces(&out.retained, self.copied, end);
        out.scratch.push_str(first);
        out.scratch.push_str(second);
        out.work.cleaned += (first.len() + second.len()) as u64;
        self.copied = end;
    }

    /// Ends the string at the mark `end`. Gives its range, and whether that is in the scratch buffer;
    /// else it is one of marks.
    #[inline(always)]
    pub(crate) fn finish<K: Classes>(
        &mut self,
        input: Cursor<'_, K>,
        out: &mut Queue,
        end: u32,
    ) -> (u32, u32, bool) {
        if self.clean == NONE && self.gap == NONE {
            (self.copied, end, false)
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
        end: u32,
    ) -> (u32, u32, bool) {
        if self.gap_end == end && self.gap != NONE {
            if self.clean == NONE {
                return (self.copied, self.gap, false);
            }
            self.copy(input, out, self.gap);
        } else {
            self.close_gap(input, out);
            self.copy(input, out, end);
        }
        (self.clean, out.scratch.len() as u32, true)
    }
}
