//! Tree building, applied to the tokens as they are emitted: start tags and end tags are made to match.
//!
//! What needs the whole document, an element around it that the text outside and further elements are
//! put into, is done where the tree is built.

use super::errors;
use super::machine::{Lexer, MicroXmlMachine};
use crate::event::record::{Kind, Record, SELF_CLOSING};
use crate::input::Mark;
use crate::namespaces::NO_NAMESPACE;
use alloc::string::String;

impl MicroXmlMachine {
    /// `StartTagOpen` and its attributes, with `StartTagClose` or, by [`SELF_CLOSING`],
    /// `EmptyElementTagClose`. The tag ends at the mark `end`, where content begins.
    #[inline(always)]
    pub(super) fn emit_start_tag(&mut self, lex: &mut Lexer<'_>, flags: u8, end: Mark) {
        let start = self.token;
        lex.join(start, end);
        if self.open.is_empty() || self.open.is_near() {
            lex.aside(|lex| self.check_start_tag(lex, end));
        }
        let (a, b) = (self.name, self.name_end);
        if flags & SELF_CLOSING == 0 {
            self.open.push(lex.one_piece(a, b), 0, (start, end));
        }
        let record = Record::new(Kind::Start, start, end).of(a, b);
        self.push_start(lex, Record { flags, ..record });
        self.start_text(end);
    }

    /// A start tag that is not simply inside another element.
    #[cold]
    #[inline(never)]
    fn check_start_tag(&mut self, lex: &mut Lexer<'_>, end: Mark) {
        let start = self.token;
        if self.open.is_near()
            && let Some(limit) = self.open.check(0)
        {
            self.exceed(lex, limit, start, end);
        } else if self.open.is_empty() && core::mem::replace(&mut self.own.seen_root, true) {
            self.repair(lex, errors::SECOND_ROOT, start, end);
        }
    }

    /// `EndTag`
    #[inline(always)]
    pub(super) fn emit_end_tag(&mut self, lex: &mut Lexer<'_>) {
        let (start, end) = (self.token, lex.mark());
        lex.join(start, end);
        let (a, b) = (self.name, self.name_end);
        lex.out.work.compared += u64::from(b - a);
        if self.open.current() != Some(lex.one_piece(a, b).as_bytes()) {
            lex.aside(|lex| self.emit_mismatched_end_tag(lex));
            return;
        }
        let record = Record::new(Kind::End, start, end).of(a, b);
        lex.emit(record);
        self.open.pop();
    }

    /// An end tag that is not that of the current element.
    #[cold]
    #[inline(never)]
    fn emit_mismatched_end_tag(&mut self, lex: &mut Lexer<'_>) {
        let (start, end) = (self.token, lex.mark());
        let (a, b) = (self.name, self.name_end);
        let name = String::from(lex.one_piece(a, b));
        let record = Record::new(Kind::End, start, end).of(a, b);
        let Some(at) = self.open.find(&name) else {
            let open = self.open.opened();
            self.repair_about(lex, errors::UNMATCHED_END_TAG, (start, end), open);
            if !self.own.balanced {
                lex.emit(record);
            }
            return;
        };
        let open = self.open.opened();
        self.repair_about(lex, errors::MISMATCHED_END_TAG, (start, end), open);
        if lex.out.fatal.is_some() {
            return;
        }
        while self.open.len() > at + 1 {
            if self.own.balanced {
                self.push_implied_end(lex, start, NO_NAMESPACE);
            }
            self.open.pop();
        }
        lex.emit(record);
        self.open.pop();
    }

    /// The end of the sequence of tokens.
    pub(super) fn end_of_tokens(&mut self, lex: &mut Lexer<'_>) {
        let end = lex.mark();
        if !self.open.is_empty() {
            lex.aside(|lex| {
                let open = self.open.opened();
                self.repair_about(lex, errors::UNCLOSED_ELEMENT, (end, end), open);
            });
        } else if !self.own.seen_root {
            self.repair(lex, errors::MISSING_ROOT, end, end);
        }
        while self.own.balanced && !self.open.is_empty() && lex.out.fatal.is_none() {
            self.push_implied_end(lex, end, NO_NAMESPACE);
            self.open.pop();
        }
    }
}
