//! Tree building of MicroXML, applied to each tag when it is emitted: matches end tags with start tags.
//!
//! The specification also requires exactly one root element. Whether that holds is known only at the end of the
//! input, so the tree builder adds a root element if necessary (see [`MicroXml`](super::MicroXml)).

use super::errors;
use super::machine::{Lexer, MicroXmlMachine};
use crate::engine::event::record::{Record, RecordKind, SELF_CLOSING};
use crate::engine::input::BufferOffset;
use crate::engine::namespaces::NO_NAMESPACE;
use alloc::string::String;

impl MicroXmlMachine {
    /// Emits a start tag (the specification's `StartTagOpen` with its attributes and `StartTagClose`) or, with the
    /// flag [`SELF_CLOSING`], an empty-element tag. The tag ends at offset `end`, where content begins.
    #[inline(always)]
    pub(super) fn emit_start_tag(&mut self, lex: &mut Lexer<'_>, flags: u8, end: BufferOffset) {
        let start = self.token;
        lex.join(start, end);
        if self.open.is_empty() || self.open.is_near() {
            lex.aside(|lex| self.check_start_tag(lex, end));
        }
        let (a, b) = (self.name, self.name_end);
        if flags & SELF_CLOSING == 0 {
            self.open.push(lex.one_piece(a, b), 0, (start, end));
        }
        let record = Record::new(RecordKind::Start, start, end).of(a, b);
        self.push_start(lex, Record { flags, ..record });
        self.start_text(end);
    }

    /// Notes the first root element and reports a second one, or ends the parse if one more open element exceeds a
    /// limit. Called only if one of the two is possible.
    #[cold]
    #[inline(never)]
    fn check_start_tag(&mut self, lex: &mut Lexer<'_>, end: BufferOffset) {
        let start = self.token;
        if self.open.is_near()
            && let Some(limit) = self.open.check(0)
        {
            self.exceed(lex, limit, start, end);
        } else if self.open.is_empty() && core::mem::replace(&mut self.dialect.seen_root, true) {
            self.repair(lex, errors::SECOND_ROOT, start, end);
        }
    }

    /// Emits an end tag (`EndTag`), and closes the current element if the names are equal.
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
        let record = Record::new(RecordKind::End, start, end).of(a, b);
        lex.emit(record);
        self.open.pop();
    }

    /// Handles an end tag whose name is not that of the current element. If an open element has the name, closes it
    /// and all elements inside it; in a balanced stream, the missing end tags become implied events. Otherwise emits
    /// the tag as it is, or drops it in a balanced stream.
    #[cold]
    #[inline(never)]
    fn emit_mismatched_end_tag(&mut self, lex: &mut Lexer<'_>) {
        let (start, end) = (self.token, lex.mark());
        let (a, b) = (self.name, self.name_end);
        let name = String::from(lex.one_piece(a, b));
        let record = Record::new(RecordKind::End, start, end).of(a, b);
        let Some(at) = self.open.find(&name) else {
            let open = self.open.opened();
            self.repair_about(lex, errors::UNMATCHED_END_TAG, (start, end), open);
            match self.dialect.balanced {
                true => lex.out.end_run(),
                false => lex.emit(record),
            }
            return;
        };
        let open = self.open.opened();
        self.repair_about(lex, errors::MISMATCHED_END_TAG, (start, end), open);
        if lex.out.fatal.is_some() {
            return;
        }
        while self.open.len() > at + 1 {
            if self.dialect.balanced {
                self.push_implied_end(lex, start, NO_NAMESPACE);
            }
            self.open.pop();
        }
        lex.emit(record);
        self.open.pop();
    }

    /// Handles the end of the input: reports open elements or a missing root element. In a balanced stream, open
    /// elements get implied end tags.
    pub(super) fn end_of_tokens(&mut self, lex: &mut Lexer<'_>) {
        let end = lex.mark();
        if !self.open.is_empty() {
            lex.aside(|lex| {
                let open = self.open.opened();
                self.repair_about(lex, errors::UNCLOSED_ELEMENT, (end, end), open);
            });
        } else if !self.dialect.seen_root {
            self.repair(lex, errors::MISSING_ROOT, end, end);
        }
        while self.dialect.balanced && !self.open.is_empty() && lex.out.fatal.is_none() {
            self.push_implied_end(lex, end, NO_NAMESPACE);
            self.open.pop();
        }
    }
}
