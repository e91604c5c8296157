//! What every machine does to the queue: hand records out, hand text out, report.
//!
//! It knows records and the cursor, and must not know any dialect.

use super::record::{CLEANED, Kind, NONE, Piece, Queue, Record};
use crate::error::{Code, ErrorKind};
use crate::input::cursor::Cursor;
use crate::scan::Classes;

impl Queue {
    /// Adds a record, and lets nothing more be taken once the batch is full.
    #[inline(always)]
    pub(crate) fn emit<K: Classes>(&mut self, input: &mut Cursor<'_, K>, record: Record) {
        if self.push(record) {
            input.fence();
        }
    }

    /// Lets the batch end, if what it holds beside its records is large.
    pub(crate) fn end_if_large<K: Classes>(&mut self, input: &mut Cursor<'_, K>) {
        if self.is_large() {
            input.fence();
        }
    }

    /// Makes the token between two marks one piece, where a chunk ended in it.
    #[inline(always)]
    pub(crate) fn join<K: Classes>(&mut self, input: &Cursor<'_, K>, from: u32, to: u32) {
        if from < input.chunk().1 {
            self.work.copied += input.join(&mut self.carry, to) as u64;
        }
    }

    /// Ends a run of text at the mark `end` and hands it out, unless nothing is in it.
    #[inline(always)]
    pub(crate) fn emit_text<K: Classes>(
        &mut self,
        input: &mut Cursor<'_, K>,
        text: &mut Piece,
        end: u32,
        flags: u8,
    ) {
        let start = text.start;
        if start < end {
            if let Some(a) = text.as_written() {
                if a < end {
                    self.join(input, start, end);
                    let record = Record {
                        a,
                        b: end,
                        flags,
                        ..Record::new(Kind::Text, start, end)
                    };
                    self.emit(input, record);
                }
            } else {
                *input = self.emit_cleaned_text(*input, text, end, flags);
            }
        }
        text.start = NONE;
    }

    /// Hands out the run of text up to the mark `end`; `flags` say whether it may go on,
    /// and whether it does.
    #[cold]
    #[inline(never)]
    pub(crate) fn emit_cleaned_text<'w, K: Classes>(
        &mut self,
        mut input: Cursor<'w, K>,
        text: &mut Piece,
        end: u32,
        flags: u8,
    ) -> Cursor<'w, K> {
        let start = text.start;
        let (a, b, cleaned) = text.finish(input, self, end);
        let end = text.end(end);
        let mut record = Record {
            a,
            b,
            flags,
            ..Record::new(Kind::Text, start, end)
        };
        if cleaned {
            record.flags |= CLEANED;
            self.unfinished = b;
        } else {
            self.join(&input, start, end);
        }
        if a < b {
            self.emit(&mut input, record);
        }
        input
    }

    /// Reports what was repaired between two marks.
    #[inline(always)]
    pub(crate) fn report<K: Classes>(
        &mut self,
        input: &mut Cursor<'_, K>,
        code: Code,
        start: u32,
        end: u32,
    ) {
        *input = self.report_cold(*input, code, start, end);
    }

    #[cold]
    #[inline(never)]
    fn report_cold<'w, K: Classes>(
        &mut self,
        mut input: Cursor<'w, K>,
        code: Code,
        start: u32,
        end: u32,
    ) -> Cursor<'w, K> {
        if self.report && self.fatal.is_none() {
            self.push_error(code, start, end);
            if self.records.len() >= self.capacity {
                input.fence();
            }
        }
        input
    }

    /// Ends the parse; nothing more is taken.
    #[cold]
    #[inline(never)]
    pub(crate) fn end_parse<'w, K: Classes>(
        &mut self,
        mut input: Cursor<'w, K>,
        kind: ErrorKind,
        start: u32,
        end: u32,
    ) -> Cursor<'w, K> {
        self.fail(kind, start, end);
        input.fence();
        input
    }
}
