//! A string that is being read. Its value is a range of the buffered text as long as it equals its source; otherwise
//! it is copied to the scratch buffer.
//!
//! A copy becomes necessary when something inside the string means something else than what is written: a character
//! reference, a CR LF, a removed character. Text that is removed at either end needs no copy: at the start, the range
//! begins later; at the end, the removed text is a *gap*, which is only copied around if more text follows.
//!
//! ```text
//! source      a b &amp; c d <!-- x -->
//!             |        |    |         |
//!             start    |    gap       gap_end
//!                      copied
//! scratch     ...a b &
//!                ^ clean
//! value       "a b & c d "
//! ```

use super::cursor::Cursor;
use crate::engine::event::queue::Queue;
use crate::engine::event::strings::{Cleaned, ScratchOffset, Str};
use crate::engine::input::BufferOffset;
use crate::engine::scan::Classes;
use alloc::string::String;

/// A string that is being read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TextBuffer {
    /// Offset in the buffered text of the first byte of the string's source, or [`BufferOffset::NONE`].
    pub(crate) start: BufferOffset,
    /// Offset up to which the string's source is copied to the scratch buffer. If nothing is copied yet, the start of
    /// the string's value.
    copied: BufferOffset,
    /// Start of the copy in the scratch buffer, or [`ScratchOffset::NONE`] if there is no copy yet.
    clean: ScratchOffset,
    /// Range of the gap: the text that was removed last, if no text of the string follows it yet. `NONE` if there is no
    /// gap.
    gap: BufferOffset,
    gap_end: BufferOffset,
    /// True if the gap is a token of its own, so that the source of the string ends before it.
    foreign: bool,
    /// True if the string contains a reference whose replacement text was read: see [`resume`](TextBuffer::resume).
    pub(crate) is_from_entity: bool,
}

impl TextBuffer {
    pub(crate) const NONE: TextBuffer = TextBuffer {
        start: BufferOffset::NONE,
        copied: BufferOffset::NONE,
        clean: ScratchOffset::NONE,
        gap: BufferOffset::NONE,
        gap_end: BufferOffset::NONE,
        foreign: false,
        is_from_entity: false,
    };

    #[inline(always)]
    pub(crate) fn at(start: BufferOffset) -> TextBuffer {
        TextBuffer {
            start,
            copied: start,
            clean: ScratchOffset::NONE,
            gap: BufferOffset::NONE,
            gap_end: BufferOffset::NONE,
            foreign: false,
            is_from_entity: false,
        }
    }

    /// Creates a string whose source begins at `start` and whose value begins later, at `text`. The string begins with
    /// a CR LF, which becomes one LF: the CR between the two offsets is not part of the value.
    #[inline(always)]
    pub(crate) fn after_cr(start: BufferOffset, text: BufferOffset) -> TextBuffer {
        TextBuffer {
            copied: text,
            ..TextBuffer::at(start)
        }
    }

    #[inline(always)]
    pub(crate) fn is_none(&self) -> bool {
        self.start.is_none()
    }

    /// Returns the start of the value if the value equals its source from that offset on, and `None` if a copy exists.
    #[inline(always)]
    pub(crate) fn as_written(&self) -> Option<BufferOffset> {
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

    /// Records that the text between two offsets means `meant`.
    #[inline(never)]
    pub(crate) fn replace<K: Classes>(
        &mut self,
        input: Cursor<'_, K>,
        out: &mut Queue,
        from: BufferOffset,
        to: BufferOffset,
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

    /// Undoes [`replace`](Self::replace) of a range by `character`, if that was the last change. Returns whether it
    /// was.
    pub(crate) fn take_back(
        &mut self,
        out: &mut Queue,
        from: BufferOffset,
        to: BufferOffset,
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

    /// Returns the offset that the character at the offset `at` of the source will have in the scratch buffer, once the
    /// source up to there is copied. It must not be copied yet, and must not be before the gap.
    pub(crate) fn clean_offset(&self, out: &Queue, at: BufferOffset) -> ScratchOffset {
        let bytes = match self.gap.is_none() || self.gap > at {
            true => at - self.copied,
            false => (self.gap - self.copied) + (at - self.gap_end),
        };
        ScratchOffset::end_of(&out.scratch) + bytes
    }

    /// Divides the string before the character whose source begins at `at`. `clean` is the offset of this character in
    /// the scratch buffer if it is copied. `self` becomes the first part, which has to be finished next. Returns the second
    /// part, and the text that is copied for it: see [`continue_copy`](Self::continue_copy).
    pub(crate) fn split(
        &mut self,
        out: &mut Queue,
        at: BufferOffset,
        clean: ScratchOffset,
    ) -> (TextBuffer, String) {
        let mut rest = TextBuffer::at(at);
        if !self.gap.is_none() && self.gap >= at {
            (rest.gap, rest.gap_end, rest.foreign) = (self.gap, self.gap_end, self.foreign);
            (self.gap, self.gap_end) = (BufferOffset::NONE, BufferOffset::NONE);
        }
        if self.copied <= at {
            return (rest, String::new());
        }
        rest.copied = self.copied;
        self.copied = at;
        (rest, out.scratch.split_off(clean.index()))
    }

    /// Appends the text to the scratch buffer that was copied for this part of a divided string, after the first part was
    /// finished.
    pub(crate) fn continue_copy(&mut self, out: &mut Queue, copied: &str) {
        if !copied.is_empty() {
            self.begin_clean(out);
            out.scratch.push_str(copied);
            out.work.cleaned += copied.len() as u64;
        }
    }

    /// Excludes the text between two offsets from the value. At either end of the string nothing is copied.
    pub(crate) fn remove<K: Classes>(
        &mut self,
        input: Cursor<'_, K>,
        out: &mut Queue,
        from: BufferOffset,
        to: BufferOffset,
    ) {
        self.take_out(input, out, (from, to), false);
    }

    /// Excludes the text between two offsets from the value, because it is no part of the string, such as a comment. At
    /// the end of the string, the source of the string ends before that text.
    pub(crate) fn leave_out<K: Classes>(
        &mut self,
        input: Cursor<'_, K>,
        out: &mut Queue,
        from: BufferOffset,
        to: BufferOffset,
    ) {
        self.take_out(input, out, (from, to), true);
    }

    /// Adds a gap, or extends the last one if the new gap is adjacent and of the same kind.
    fn take_out<K: Classes>(
        &mut self,
        input: Cursor<'_, K>,
        out: &mut Queue,
        (from, to): (BufferOffset, BufferOffset),
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

    /// Excludes the text between two offsets. At the start of the string, its source begins after that text; at the
    /// end, its source ends before it.
    pub(crate) fn skip<K: Classes>(
        &mut self,
        input: Cursor<'_, K>,
        out: &mut Queue,
        from: BufferOffset,
        to: BufferOffset,
    ) {
        if !self.start.is_none() && self.as_written() == Some(from) {
            *self = TextBuffer::at(to);
        } else {
            self.leave_out(input, out, from, to);
        }
    }

    /// Returns whether the value is empty if the string ends at `end`.
    pub(crate) fn is_empty(&self, end: BufferOffset) -> bool {
        let raw_end = if self.gap_end == end { self.gap } else { end };
        self.clean.is_none() && self.copied >= raw_end
    }

    /// Returns the end of the source if the string ends at `end`.
    #[inline(always)]
    pub(crate) fn end(&self, end: BufferOffset) -> BufferOffset {
        if self.gap_end == end && self.foreign {
            self.gap
        } else {
            end
        }
    }

    /// Continues the string in the replacement text of an entity, or after the reference, at the offset `copied` there.
    /// The value so far must already be in the scratch buffer. `start` is the offset of the string in the new source.
    pub(crate) fn resume(&mut self, start: BufferOffset, copied: BufferOffset) {
        self.start = start;
        self.copied = copied;
        self.is_from_entity = true;
    }

    #[inline(always)]
    fn close_gap<K: Classes>(&mut self, input: Cursor<'_, K>, out: &mut Queue) {
        if !self.gap.is_none() {
            self.copy_before_gap(input, out);
        }
    }

    #[cold]
    #[inline(never)]
    fn copy_before_gap<K: Classes>(&mut self, input: Cursor<'_, K>, out: &mut Queue) {
        self.begin_clean(out);
        self.copy(input, out, self.gap);
        self.copied = self.gap_end;
        // Offsets of a gap are rebased only while there is a gap, so both are reset to `NONE`.
        (self.gap, self.gap_end) = (BufferOffset::NONE, BufferOffset::NONE);
    }

    /// Starts the copy in the scratch buffer, unless it exists.
    fn begin_clean(&mut self, out: &mut Queue) {
        if !self.clean.is_none() {
            return;
        }
        // PERF: most small documents need less than this, so the buffer is allocated once.
        if out.scratch.capacity() == 0 {
            out.scratch.reserve_exact(256);
        }
        self.clean = ScratchOffset::end_of(&out.scratch);
    }

    /// Copies the source up to `end` to the scratch buffer.
    #[inline]
    fn copy<K: Classes>(&mut self, input: Cursor<'_, K>, out: &mut Queue, end: BufferOffset) {
        let (first, second) = input.pieces(&out.retained, self.copied, end);
        if !first.is_empty() {
            out.scratch.push_str(first);
        }
        out.scratch.push_str(second);
        out.work.cleaned += (first.len() + second.len()) as u64;
        self.copied = end;
    }

    /// Ends the string at `end`. Returns its value: a range of the buffered text, or of the scratch buffer.
    #[inline(always)]
    pub(crate) fn finish<K: Classes>(
        &mut self,
        input: Cursor<'_, K>,
        out: &mut Queue,
        end: BufferOffset,
    ) -> Str {
        if self.clean.is_none() && self.gap.is_none() {
            Str::Borrowed(self.copied, end)
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
        end: BufferOffset,
    ) -> Str {
        if self.gap_end == end && !self.gap.is_none() {
            if self.clean.is_none() {
                return Str::Borrowed(self.copied, self.gap);
            }
            self.copy(input, out, self.gap);
        } else {
            self.close_gap(input, out);
            self.copy(input, out, end);
        }
        Str::Cleaned(Cleaned::since(self.clean, &out.scratch))
    }
}

crate::checkpoint::checkpointable! {
    struct TextBuffer { start, copied, clean, gap, gap_end, foreign, is_from_entity }
}
