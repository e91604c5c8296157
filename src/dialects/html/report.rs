//! The reporting of parse errors, in the order of the document.
//!
//! Errors of the input stream are found when a window starts ([`stream`](super::stream)), before the states run. Before
//! a state emits a record or an error, [`emit_stream_errors`](HtmlMachine::emit_stream_errors) emits the errors of the
//! input stream that precede it.

use super::errors;
use super::machine::{HtmlMachine, Lexer};
use crate::engine::error::ErrorCode;
use crate::engine::event::queue::{Queue, SplitAt};
use crate::engine::event::record::{Attr, IN_CDATA, MORE};
use crate::engine::event::referred::Referred;
use crate::engine::input::BufferOffset;
use crate::engine::tokenizer::{Tokenizer, Unit};

impl HtmlMachine {
    /// Reports a parse error between two offsets.
    #[inline(always)]
    pub(super) fn error(
        &mut self,
        lex: &mut Lexer<'_>,
        code: ErrorCode,
        start: BufferOffset,
        end: BufferOffset,
    ) {
        // PERF: only the queue is passed on, so that the lexer can stay in machine registers.
        if lex.out.settings.reports_errors && self.error_cold(lex.out, code, start, end) {
            lex.suspend();
        }
    }

    #[cold]
    #[inline(never)]
    fn error_cold(
        &mut self,
        out: &mut Queue,
        code: ErrorCode,
        start: BufferOffset,
        end: BufferOffset,
    ) -> bool {
        self.error_about(out, code, (start, end), None)
    }

    /// Called before an error of a text at the offset `at`. If text in balanced events is returned in pieces and errors are
    /// reported, emits the text before the error. The tags that the text implies then precede the error, wherever the
    /// text was divided before.
    #[cold]
    #[inline(never)]
    pub(super) fn split_before_error(&mut self, lex: &mut Lexer<'_>, at: BufferOffset) {
        if lex.out.settings.reports_errors && self.dialect.balancing.is_some() {
            self.split_text(lex, SplitAt::Markup, (at, at), 0);
        }
    }

    /// Emits the errors of the input stream before the cursor when the states suspend. If text in balanced events is
    /// returned in pieces, the text in which they are is emitted too, in the same batch.
    #[cold]
    #[inline(never)]
    pub(super) fn emit_stream_errors_at_end(&mut self, lex: &mut Lexer<'_>) {
        let mark = lex.mark_of_character();
        let until = self.certain_text(mark);
        let is_split = lex.out.settings.splits_at_markup && self.dialect.balancing.is_some();
        let has_error = self
            .dialect
            .stream
            .get(self.dialect.reported)
            .is_some_and(|next| next.start < until);
        if is_split && has_error && self.text.start < until {
            let flags = match self.is_in_cdata() {
                true => IN_CDATA | MORE,
                false => MORE,
            };
            match self.after_cr && self.is_in_text() && until == mark {
                true => self.flush_before_cr(lex, until, flags),
                false if self.text.is_empty(until) => {}
                false => self.flush(lex, until, flags),
            }
        }
        self.emit_stream_errors(lex.out, mark);
    }

    /// Reports a duplicate attribute, together with the position of the first attribute of that name. Its name ended
    /// before `unit`, which was just consumed.
    #[cold]
    #[inline(never)]
    pub(super) fn duplicate_attribute(&mut self, lex: &mut Lexer<'_>, new: Attr, unit: Unit) {
        if lex.out.settings.reports_errors {
            let first = lex.first_attribute(&self.names, &new, true);
            let first = first.map(Referred::first_attribute);
            let place = place(lex.mark(), unit);
            if self.error_about(lex.out, errors::DUPLICATE_ATTRIBUTE, place, first) {
                lex.suspend();
            }
        }
    }

    /// Emits an error with the name `code`, after the errors of the input stream that precede it. `referred` is a
    /// related location. Returns whether the batch is full.
    #[cold]
    fn error_about(
        &mut self,
        out: &mut Queue,
        code: ErrorCode,
        (start, end): (BufferOffset, BufferOffset),
        referred: Option<Referred>,
    ) -> bool {
        if out.fatal.is_some() {
            return false;
        }
        // An error with an empty range precedes the character at its position, which is not consumed yet.
        self.emit_stream_errors(out, start + u32::from(start < end));
        out.push_error_in(code, (start, end), None, referred);
        out.has_full_batch()
    }

    /// Reports a parse error at the unit that was just consumed.
    #[inline(always)]
    pub(super) fn error_at(&mut self, lex: &mut Lexer<'_>, code: ErrorCode, unit: Unit) {
        if lex.out.settings.reports_errors && self.error_at_cold(lex.out, code, lex.mark(), unit) {
            lex.suspend();
        }
    }

    #[cold]
    #[inline(never)]
    fn error_at_cold(
        &mut self,
        out: &mut Queue,
        code: ErrorCode,
        mark: BufferOffset,
        unit: Unit,
    ) -> bool {
        self.error_about(out, code, place(mark, unit), None)
    }

    /// Emits the errors of the input stream that start before the offset `until`.
    #[inline(always)]
    pub(super) fn emit_stream_errors(&mut self, out: &mut Queue, until: BufferOffset) {
        if self.dialect.reported < self.dialect.stream.len() {
            self.emit_stream_errors_cold(out, until);
        }
    }

    #[cold]
    #[inline(never)]
    fn emit_stream_errors_cold(&mut self, out: &mut Queue, until: BufferOffset) {
        while let Some(reported) = self.dialect.stream.get(self.dialect.reported)
            && reported.start < until
        {
            if out.fatal.is_none() {
                out.push_error(reported.code, reported.start, reported.end);
            }
            self.dialect.reported += 1;
        }
    }
}

/// Returns the range of the character whose first byte is the unit that was just consumed. `mark` is the offset of
/// the cursor, after that byte. The range is empty for the end of the input.
fn place(mark: BufferOffset, unit: Unit) -> (BufferOffset, BufferOffset) {
    let (start, length) = match unit {
        Unit::Eof => (mark, 0),
        Unit::Byte(0..0xC0) => (mark - 1, 1),
        Unit::Byte(0xC0..0xE0) => (mark - 1, 2),
        Unit::Byte(0xE0..0xF0) => (mark - 1, 3),
        Unit::Byte(0xF0..) => (mark - 1, 4),
    };
    (start, start + length)
}
