//! The tree construction stage: its three phases, applied to the tokens as they are emitted.
//!
//! It reports what does not fit. Where the stream is to be balanced, it also drops the tokens that
//! the phases ignore and adds the end tags that they imply, so that what comes out is a tree.

use super::errors;
use super::machine::{Lexer, Phase, XmlMachine};
use super::state::State;
use crate::event::record::{Kind, Queue, Record, SELF_CLOSING, SHORT};
use crate::namespaces::NO_NAMESPACE;
use alloc::string::String;

impl XmlMachine {
    /// A start tag token or, with [`SELF_CLOSING`], an empty tag token.
    #[inline(never)]
    pub(super) fn emit_start_tag(&mut self, lex: &mut Lexer<'_>, flags: u8) -> State {
        let (a, b) = (self.name, self.name_end);
        let (start, end) = (self.token, lex.mark());
        lex.join(start, end);
        let (scope, changes) = (self.own.bindings.len(), lex.out.history.len());
        let mut namespace = self.own.bindings.default();
        if self.own.changes_tags {
            let name = lex.one_piece(a, b);
            if self.own.declarations.changes(name.as_bytes()) {
                self.apply_declarations(lex, a, b);
            }
        }
        if self.own.colon || self.own.declares || self.own.prefixed > 0 {
            namespace = self.qualify(lex);
            self.own.declares = false;
            self.own.prefixed = 0;
        }
        if self.own.phase != Phase::Main || self.open.is_near() {
            self.check_start_tag(lex);
        }
        let ended = flags & SELF_CLOSING != 0;
        match self.own.balanced && self.own.phase == Phase::End {
            true => self.end_attributes(lex),
            false => {
                let record = Record::new(Kind::Start, start, end).of(a, b);
                let record = Record {
                    flags,
                    namespace,
                    ..record
                };
                self.push_start(lex, record);
            }
        }
        if ended || self.own.phase == Phase::End {
            if self.own.bindings.len() > scope {
                self.own.bindings.truncate(scope, lex.out.now());
                if self.own.balanced && self.own.phase == Phase::End {
                    // No event has seen them.
                    lex.out.history.truncate(changes);
                }
            }
            if self.own.phase == Phase::Start {
                self.own.phase = Phase::End;
            }
        } else {
            let odd = u32::from(self.own.odd) << 1;
            let note = (scope as u32) << 2 | odd | u32::from(self.own.colon);
            let tag = self.outer_span(start, end);
            self.open.push(lex.one_piece(a, b), note, tag);
            if self.own.in_external
                && let Some(entity) = self.in_entity(start, end)
            {
                self.open.opened_in(entity);
            }
            self.own.phase = Phase::Main;
        }
        self.after_tag(lex)
    }

    /// A start tag that is not simply inside the root element.
    #[cold]
    #[inline(never)]
    fn check_start_tag(&mut self, lex: &mut Lexer<'_>) {
        let (start, end) = (self.token, lex.mark());
        if self.own.phase == Phase::End {
            self.error(lex, errors::SECOND_ROOT, start, end);
        } else if let Some(limit) = self.open.check(self.held()) {
            self.exceed(lex, limit, start, end);
        }
    }

    /// An end tag token.
    pub(super) fn emit_end_tag(&mut self, lex: &mut Lexer<'_>) -> State {
        let (start, end) = (self.token, lex.mark());
        lex.join(start, end);
        let (a, b) = (self.name, self.name_end);
        lex.out.work.compared += u64::from(b - a);
        let name = lex.one_piece(a, b);
        let matches = self.open.current() == Some(name.as_bytes());
        if !matches {
            self.emit_mismatched_end_tag(lex);
            return self.after_tag(lex);
        }
        let namespace = self.current_namespace();
        let record = Record {
            namespace,
            ..Record::new(Kind::End, start, end).of(a, b)
        };
        lex.emit(record);
        self.close(lex.out);
        self.after_tag(lex)
    }

    /// The namespace of the current element.
    #[inline(always)]
    pub(super) fn current_namespace(&self) -> u32 {
        self.namespace_noted(self.open.note())
    }

    /// The same, of an element with this note.
    #[inline(always)]
    pub(super) fn namespace_noted(&self, note: u32) -> u32 {
        if note & 1 == 0 {
            self.own.bindings.default()
        } else {
            self.prefix_namespace()
        }
    }

    fn prefix_namespace(&self) -> u32 {
        let name = self.open.current_name();
        super::qualify::prefix(name)
            .filter(|_| self.own.options.has_namespaces())
            .and_then(|prefix| self.own.bindings.find(prefix))
            .unwrap_or(NO_NAMESPACE)
    }

    /// Pops the current element.
    #[inline(always)]
    pub(super) fn close(&mut self, out: &mut Queue) {
        self.close_noted(self.open.note(), out);
    }

    /// The same, of an element with this note.
    #[inline(always)]
    pub(super) fn close_noted(&mut self, note: u32, out: &mut Queue) {
        let scope = (note >> 2) as usize;
        if self.own.bindings.len() > scope {
            self.own.bindings.truncate(scope, out.now());
        }
        self.open.pop();
        if self.open.is_empty() {
            self.own.phase = self.own.outer;
        }
    }

    /// An end tag token that is not that of the current element: if it is that of another open one,
    /// all inside that one is closed.
    #[cold]
    #[inline(never)]
    fn emit_mismatched_end_tag(&mut self, lex: &mut Lexer<'_>) {
        let (start, end) = (self.token, lex.mark());
        let (a, b) = (self.name, self.name_end);
        let (first, second) = lex.pieces(a, b);
        let name = String::from_iter([first, second]);
        let mut record = Record::new(Kind::End, start, end).of(a, b);
        if self.open.is_empty() || !self.open.contains(&name) {
            let open = self.open.opened();
            self.error_about(lex, errors::STRAY_END_TAG, (start, end), open);
            if !self.own.balanced {
                lex.emit(record);
            }
            return;
        }
        let open = self.open.opened();
        self.error_about(lex, errors::MISMATCHED_END_TAG, (start, end), open);
        if lex.out.fatal.is_some() {
            return;
        }
        while self.open.current() != Some(name.as_bytes()) {
            if self.own.balanced {
                self.push_implied_end(lex, start, self.current_namespace());
            }
            self.close(lex.out);
        }
        record.namespace = self.current_namespace();
        lex.emit(record);
        self.close(lex.out);
    }

    /// A short end tag token.
    pub(super) fn emit_short_end_tag(&mut self, lex: &mut Lexer<'_>) -> State {
        let (start, end) = (self.token, lex.mark());
        if self.open.is_empty() {
            self.error(lex, errors::STRAY_END_TAG, start, end);
        } else {
            self.error(lex, errors::SHORT_END_TAG, start, end);
            let record = Record {
                flags: SHORT,
                namespace: self.current_namespace(),
                ..Record::new(Kind::End, start, end)
            };
            self.push_nameless_end(lex, record);
            self.close(lex.out);
        }
        self.after_tag(lex)
    }

    /// An end-of-file token.
    pub(super) fn end_of_file_token(&mut self, lex: &mut Lexer<'_>) {
        match self.own.phase {
            Phase::Start => self.error_at_end(lex, errors::MISSING_ROOT),
            Phase::Main if self.open.is_empty() => {}
            Phase::Main => {
                let (end, open) = (lex.mark(), self.open.opened());
                self.error_about(lex, errors::UNCLOSED_ELEMENT, (end, end), open);
                if self.own.balanced && lex.out.fatal.is_none() {
                    while !self.open.is_empty() {
                        self.push_implied_end(lex, lex.mark(), self.current_namespace());
                        self.close(lex.out);
                    }
                }
            }
            Phase::End => {}
        }
    }
}
