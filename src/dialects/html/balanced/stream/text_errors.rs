//! The places of errors in a text that is returned in pieces, and of parse errors among its events.
//!
//! The text of a token may have several parts, and a part may imply tags. Errors must have the same places however the
//! text is divided into tokens. An error of tree construction is therefore at the start of the part that causes it, before
//! the events of the part. An error of the tokenizer in the middle of a part follows the tags that the part implies, as if
//! the text was divided at the error.
//!
//! ```text
//! text     \n x\u{1}y        errors: missing-doctype at x, control-character at U+0001
//! events   (missing-doctype) <html> <head> </head> <body> (control-character) x\u{1}y
//! ```

use super::{Stream, TextPart};
use crate::engine::error::ErrorCode;
use crate::engine::event::record::{Payload, Record, RecordKind};
use crate::engine::input::BufferOffset;
use alloc::vec::Vec;
use core::ops::Range;

impl Stream {
    /// Holds an error of the tokenizer until the next token.
    #[cold]
    pub(in crate::dialects::html::balanced) fn hold_error(&mut self, error: Record) {
        self.batch.held_errors.push(error);
    }

    /// Emits the errors that are held, except those inside the text `token`.
    #[cold]
    pub(in crate::dialects::html::balanced) fn release_errors(&mut self, token: &Record) {
        let is_inside =
            |error: &Record| token.kind == RecordKind::Text && error.start > token.start;
        let inside = self.batch.held_errors.iter().position(is_inside);
        let before = inside.unwrap_or(self.batch.held_errors.len());
        self.batch
            .events
            .extend(self.batch.held_errors.drain(..before));
        self.batch.token_from = self.batch.events.len();
    }

    /// Begins a part of the text of the current token.
    #[cold]
    pub(super) fn begin_part(&mut self) {
        let token = self.token.number;
        self.batch.parts.retain(|part| part.token == token);
        let errors = self.batch.parts.last().map_or(0, |part| part.errors);
        self.batch.parts.push(TextPart {
            from: self.batch.events.len(),
            start: self.token.record.start,
            errors,
            token,
        });
    }

    /// Ends a part of a text that has caused errors. `codes` are all errors of the token so far. The errors of the part
    /// are removed if `is_known` is true.
    #[cold]
    pub(super) fn end_part(&mut self, codes: &mut Vec<ErrorCode>, is_known: bool) {
        if let Some(part) = self.batch.parts.last_mut() {
            if is_known {
                codes.truncate(part.errors);
            }
            part.errors = codes.len();
        }
    }

    /// Notes the character of a part of a text at which the limit on memory is exceeded. If the part is stored, each of
    /// its characters needs memory, otherwise only the first.
    #[cold]
    pub(in crate::dialects::html::balanced) fn exceed(
        &mut self,
        part: &str,
        retained: usize,
        is_stored: bool,
    ) {
        if self.batch.exceeded_at.is_some() {
            return;
        }
        let excess = self.memory_used(retained) - self.max_memory;
        let within = part.len().checked_sub(excess).filter(|_| is_stored);
        let mut within = within.unwrap_or(0);
        while !part.is_char_boundary(within) {
            within -= 1;
        }
        let at = self.part_of_text(part).map(|(start, _)| start + within);
        // The source of the first character starts with the token: it can be a newline of two bytes.
        let at = at.filter(|at| *at > 0).and_then(|at| self.source_of(at));
        self.batch.exceeded_at = Some(at.unwrap_or(self.token.record.start));
    }

    /// Inserts the errors of a text into its events: those of tree construction, given by their indices in the queue, and
    /// those of the tokenizer that are held.
    #[cold]
    pub(in crate::dialects::html::balanced) fn put_errors_of_text(&mut self, codes: Range<u32>) {
        if codes.is_empty() && self.batch.held_errors.is_empty() {
            return;
        }
        let (token, from) = (self.token.number, self.batch.token_from);
        let mut parts = core::mem::take(&mut self.batch.parts);
        parts.retain(|part| part.token == token);
        if parts.is_empty() {
            parts.push(TextPart {
                from,
                start: self.token.record.start,
                errors: codes.len(),
                token,
            });
        }
        let mut errors = core::mem::take(&mut self.batch.held_errors);
        // The last part comes first, so that the indices of the parts before it stay as they are.
        let mut end = self.batch.events.len();
        while let Some(part) = parts.pop() {
            let first = errors.iter().position(|error| error.start >= part.start);
            let of_part = errors.split_off(first.unwrap_or(errors.len()));
            let at_start = of_part.iter().take_while(|error| error.start == part.start);
            let (at_start, inside) = of_part.split_at(at_start.count());
            let last = end.checked_sub(1).filter(|last| *last >= part.from);
            let text = last.filter(|last| self.batch.events[*last].kind == RecordKind::Text);
            self.put_before(text.unwrap_or(end), inside.to_vec());
            let before = parts.last().map_or(0, |part| part.errors);
            let of_part = codes.start + before as u32..codes.start + part.errors as u32;
            self.put_errors_before(part.from, of_part, (part.start, part.start));
            self.put_before(part.from, at_start.to_vec());
            end = part.from;
        }
        // These precede all parts: the text that they are in was ignored.
        self.put_before(from, errors);
    }

    /// Inserts parse errors, given by their indices in the queue, into the events of the batch, before the event at the
    /// index `from`. The errors are between the offsets `start` and `end`.
    #[cold]
    pub(in crate::dialects::html::balanced) fn put_errors_before(
        &mut self,
        from: usize,
        codes: Range<u32>,
        (start, end): (BufferOffset, BufferOffset),
    ) {
        let errors = codes.map(|code| Record {
            payload: Payload::error(code, 0),
            ..Record::new(RecordKind::Error, start, end)
        });
        self.put_before(from, errors.collect());
    }
}
