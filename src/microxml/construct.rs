//! Tree building, applied to the tokens as they are emitted: start tags and end tags are made to match.
//!
//! What needs the whole document, an element around it that the text outside and further elements are
//! put into, is done where the tree is built.

use super::errors;
use super::machine::{Cursor, MicroXmlMachine};
use crate::event::record::{CLEANED, IMPLIED, Kind, Queue, Record, SELF_CLOSING};
use alloc::string::String;

impl MicroXmlMachine {
    /// `StartTagOpen` and its attributes, with `StartTagClose` or, by [`SELF_CLOSING`],
    /// `EmptyElementTagClose`. The tag ends at the mark `end`, where content begins.
    #[inline(always)]
    pub(super) fn emit_start_tag(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        flags: u8,
        end: u32,
    ) {
        let start = self.token;
        out.join(input, start, end);
        if self.open.is_empty() || self.open.is_near() {
            *input = self.check_start_tag(*input, out, end);
        }
        let (c, d) = (out.open, out.attributes.len() as u32);
        let (a, b) = (self.name, self.name_end);
        let record = Record {
            flags,
            a,
            b,
            c,
            d,
            ..Record::new(Kind::Start, start, end)
        };
        if flags & SELF_CLOSING == 0 {
            self.open.push(input.one_piece(&out.carry, a, b), 0);
            out.emit(input, record);
        } else {
            out.emit(input, record);
            let end_tag = Record {
                kind: Kind::End,
                start: end,
                c: 0,
                d: 0,
                ..record
            };
            out.emit(input, end_tag);
        }
        self.names.clear();
        out.open = d;
        out.unfinished = out.scratch.len() as u32;
        self.start_text(end);
    }

    /// A start tag that is not simply inside another element.
    #[cold]
    #[inline(never)]
    fn check_start_tag<'w>(
        &mut self,
        mut input: Cursor<'w>,
        out: &mut Queue,
        end: u32,
    ) -> Cursor<'w> {
        let start = self.token;
        if self.open.is_near()
            && let Some(limit) = self.open.check(0)
        {
            self.exceed(&mut input, out, limit, start, end);
        } else if self.open.is_empty() && core::mem::replace(&mut self.seen_root, true) {
            self.repair(&mut input, out, errors::SECOND_ROOT, start, end);
        }
        input
    }

    /// `EndTag`
    #[inline(always)]
    pub(super) fn emit_end_tag(&mut self, input: &mut Cursor<'_>, out: &mut Queue) {
        let (start, end) = (self.token, input.mark());
        out.join(input, start, end);
        let (a, b) = (self.name, self.name_end);
        let name = input.one_piece(&out.carry, a, b);
        out.work.compared += name.len() as u64;
        if self.open.current() != Some(name.as_bytes()) {
            *input = self.emit_mismatched_end_tag(*input, out);
            return;
        }
        let record = Record {
            a,
            b,
            ..Record::new(Kind::End, start, end)
        };
        out.emit(input, record);
        self.open.pop();
    }

    /// An end tag that is not that of the current element.
    #[cold]
    #[inline(never)]
    fn emit_mismatched_end_tag<'w>(
        &mut self,
        mut cursor: Cursor<'w>,
        out: &mut Queue,
    ) -> Cursor<'w> {
        let input = &mut cursor;
        let (start, end) = (self.token, input.mark());
        let (a, b) = (self.name, self.name_end);
        let name = String::from(input.one_piece(&out.carry, a, b));
        let record = Record {
            a,
            b,
            ..Record::new(Kind::End, start, end)
        };
        let Some(at) = self.open.find(&name) else {
            self.repair(input, out, errors::UNMATCHED_END_TAG, start, end);
            if !self.balanced {
                out.emit(input, record);
            }
            return cursor;
        };
        self.repair(input, out, errors::MISMATCHED_END_TAG, start, end);
        while self.open.len() > at + 1 {
            if self.balanced {
                self.emit_implied_end_tag(input, out, start);
            }
            self.open.pop();
        }
        out.emit(input, record);
        self.open.pop();
        cursor
    }

    /// The end tag of the current element, which is not written but implied at the mark `at`.
    fn emit_implied_end_tag(&self, input: &mut Cursor<'_>, out: &mut Queue, at: u32) {
        let name = self.open.current_name();
        let a = out.scratch.len() as u32;
        out.scratch.push_str(name);
        let b = out.scratch.len() as u32;
        out.unfinished = b;
        out.work.cleaned += name.len() as u64;
        let record = Record {
            flags: IMPLIED | CLEANED,
            a,
            b,
            ..Record::new(Kind::End, at, at)
        };
        out.emit(input, record);
    }

    /// The end of the sequence of tokens.
    pub(super) fn end_of_tokens(&mut self, input: &mut Cursor<'_>, out: &mut Queue) {
        let end = input.mark();
        if !self.open.is_empty() {
            self.repair(input, out, errors::UNCLOSED_ELEMENT, end, end);
        } else if !self.seen_root {
            self.repair(input, out, errors::MISSING_ROOT, end, end);
        }
        while self.balanced && !self.open.is_empty() {
            self.emit_implied_end_tag(input, out, end);
            self.open.pop();
        }
    }
}
