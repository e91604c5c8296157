//! How the states report: parse errors in the order of the document, and limits.

use super::machine::{Cursor, HtmlMachine};
use crate::error::{Code, ErrorKind};
use crate::event::record::Queue;
use crate::input::cursor::Unit;
use crate::limits::Limit;

impl HtmlMachine {
    /// Reports what is wrong between two marks.
    #[inline(always)]
    pub(super) fn error(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        code: Code,
        start: u32,
        end: u32,
    ) {
        if out.report {
            *input = self.error_cold(*input, out, code, start, end);
        }
    }

    #[cold]
    #[inline(never)]
    fn error_cold<'w>(
        &mut self,
        mut input: Cursor<'w>,
        out: &mut Queue,
        code: Code,
        start: u32,
        end: u32,
    ) -> Cursor<'w> {
        if out.fatal.is_none() {
            // What stands behind an empty place is not read yet.
            self.tell(out, start + u32::from(start < end));
            out.push_error(code, start, end);
            if out.records.len() >= out.capacity {
                input.fence();
            }
        }
        input
    }

    /// Reports the unit taken last.
    #[inline(always)]
    pub(super) fn error_at(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        code: Code,
        unit: Unit,
    ) {
        if out.report {
            *input = self.error_at_cold(*input, out, code, unit);
        }
    }

    #[cold]
    #[inline(never)]
    fn error_at_cold<'w>(
        &mut self,
        input: Cursor<'w>,
        out: &mut Queue,
        code: Code,
        unit: Unit,
    ) -> Cursor<'w> {
        let mark = input.mark();
        let (start, length) = match unit {
            Unit::Eof => (mark, 0),
            Unit::Byte(0..0xC0) => (mark - 1, 1),
            Unit::Byte(0xC0..0xE0) => (mark - 1, 2),
            Unit::Byte(0xE0..0xF0) => (mark - 1, 3),
            Unit::Byte(0xF0..) => (mark - 1, 4),
        };
        self.error_cold(input, out, code, start, start + length)
    }

    /// Tells what the input stream reports before the mark `until`.
    #[inline(always)]
    pub(super) fn tell(&mut self, out: &mut Queue, until: u32) {
        if self.told < self.stream.len() {
            self.tell_cold(out, until);
        }
    }

    #[cold]
    #[inline(never)]
    fn tell_cold(&mut self, out: &mut Queue, until: u32) {
        while let Some(reported) = self.stream.get(self.told)
            && reported.start < until
        {
            if out.fatal.is_none() {
                out.push_error(reported.code, reported.start, reported.end);
            }
            self.told += 1;
        }
    }

    /// A limit was reached by what stands between two marks. The text read so far is delivered before.
    #[cold]
    #[inline(never)]
    pub(super) fn exceed<'w>(
        &mut self,
        mut input: Cursor<'w>,
        out: &mut Queue,
        limit: Limit,
        start: u32,
        end: u32,
    ) -> Cursor<'w> {
        if out.fatal.is_none() {
            let until = self.certain(start);
            self.flush_text(&mut input, out, until);
            self.tell(out, input.mark());
            out.fail(ErrorKind::Limit(limit), start, end);
        }
        input.fence();
        input
    }
}
