//! The tree construction stage: its three phases, applied to the tokens as they are emitted.
//!
//! It reports what does not fit. Where the stream is to be balanced, it also drops the tokens that
//! the phases ignore and adds the end tags that they imply, so that what comes out is a tree.

use super::errors;
use super::machine::{Cursor, Phase, XmlMachine};
use super::state::State;
use crate::event::record::{CLEANED, IMPLIED, Kind, Queue, Record, SELF_CLOSING, SHORT};
use crate::namespaces::NO_NAMESPACE;
use alloc::string::String;

impl XmlMachine {
    /// A start tag token or, with [`SELF_CLOSING`], an empty tag token.
    #[inline(never)]
    pub(super) fn emit_start_tag(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        flags: u8,
    ) -> State {
        let (a, b) = (self.name, self.name_end);
        let (start, end) = (self.token, input.mark());
        self.join(input, out, start, end);
        let scope = self.bindings.len();
        let mut namespace = self.bindings.default();
        if self.changes_tags {
            let name = input.one_piece(&out.carry, a, b);
            if self.declarations.changes(name.as_bytes()) {
                *input = self.apply_declarations(*input, out, a, b);
            }
        }
        if self.colon || self.declares || self.prefixed > 0 {
            (namespace, *input) = self.qualify(*input, out);
            self.declares = false;
            self.prefixed = 0;
        }
        if self.phase != Phase::Main || self.open.is_near() {
            *input = self.check_start_tag(*input, out);
        }
        let (c, d) = (out.open, out.attributes.len() as u32);
        let ended = flags & SELF_CLOSING != 0;
        if !(self.balanced && self.phase == Phase::End) {
            let record = Record {
                kind: Kind::Start,
                flags,
                written: 0,
                start,
                end,
                a,
                b,
                c,
                d,
                namespace,
            };
            self.push(input, out, record);
            if ended {
                let record = Record {
                    start: end,
                    kind: Kind::End,
                    c: 0,
                    d: 0,
                    ..record
                };
                self.push(input, out, record);
            }
        }
        self.names.clear();
        out.open = d;
        out.unfinished = out.scratch.len() as u32;
        if ended || self.phase == Phase::End {
            if self.bindings.len() > scope {
                self.bindings.truncate(scope);
            }
            if self.phase == Phase::Start {
                self.phase = Phase::End;
            }
        } else {
            let odd = u32::from(self.odd) << 1;
            let note = (scope as u32) << 2 | odd | u32::from(self.colon);
            self.open.push(input.one_piece(&out.carry, a, b), note);
            self.phase = Phase::Main;
        }
        self.after_tag(input)
    }

    /// A start tag that is not simply inside the root element.
    #[cold]
    #[inline(never)]
    fn check_start_tag<'w>(&mut self, mut cursor: Cursor<'w>, out: &mut Queue) -> Cursor<'w> {
        let input = &mut cursor;
        let (start, end) = (self.token, input.mark());
        if self.phase == Phase::End {
            self.error(input, out, errors::SECOND_ROOT, start, end);
        } else if let Some(limit) = self.open.check(self.held()) {
            self.exceed(input, out, limit, start, end);
        }
        cursor
    }

    /// An end tag token.
    pub(super) fn emit_end_tag(&mut self, input: &mut Cursor<'_>, out: &mut Queue) -> State {
        let (start, end) = (self.token, input.mark());
        self.join(input, out, start, end);
        let (a, b) = (self.name, self.name_end);
        let name = input.one_piece(&out.carry, a, b);
        out.work.compared += name.len() as u64;
        let matches = self.open.current() == Some(name.as_bytes());
        if !matches {
            *input = self.emit_mismatched_end_tag(*input, out);
            return self.after_tag(input);
        }
        let namespace = self.current_namespace();
        let record = Record {
            a,
            b,
            namespace,
            ..Record::new(Kind::End, start, end)
        };
        self.push(input, out, record);
        self.close();
        self.after_tag(input)
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
            self.bindings.default()
        } else {
            self.prefix_namespace()
        }
    }

    fn prefix_namespace(&self) -> u32 {
        let name = self.open.current_name();
        super::qualify::prefix(name)
            .filter(|_| self.options.has_namespaces())
            .and_then(|prefix| self.bindings.find(prefix))
            .unwrap_or(NO_NAMESPACE)
    }

    /// Pops the current element.
    #[inline(always)]
    pub(super) fn close(&mut self) {
        self.close_noted(self.open.note());
    }

    /// The same, of an element with this note.
    #[inline(always)]
    pub(super) fn close_noted(&mut self, note: u32) {
        let scope = (note >> 2) as usize;
        if self.bindings.len() > scope {
            self.bindings.truncate(scope);
        }
        self.open.pop();
        if self.open.is_empty() {
            self.phase = Phase::End;
        }
    }

    /// An end tag token that is not that of the current element: if it is that of another open one,
    /// all inside that one is closed.
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
        let (first, second) = input.pieces(&out.carry, a, b);
        let name = String::from_iter([first, second]);
        let mut record = Record {
            a,
            b,
            ..Record::new(Kind::End, start, end)
        };
        if self.open.is_empty() || !self.open.contains(&name) {
            self.error(input, out, errors::STRAY_END_TAG, start, end);
            if !self.balanced {
                self.push(input, out, record);
            }
            return cursor;
        }
        self.error(input, out, errors::MISMATCHED_END_TAG, start, end);
        while self.open.current() != Some(name.as_bytes()) {
            if self.balanced {
                self.emit_implied_end_tag(input, out, start);
            }
            self.close();
        }
        record.namespace = self.current_namespace();
        self.push(input, out, record);
        self.close();
        cursor
    }

    /// The end tag of the current element, which is not written but implied at the mark `at`.
    fn emit_implied_end_tag(&mut self, input: &mut Cursor<'_>, out: &mut Queue, at: u32) {
        let record = Record {
            flags: IMPLIED,
            ..Record::new(Kind::End, at, at)
        };
        self.emit_nameless_end_tag(input, out, record);
    }

    /// An end tag whose name is that of the current element.
    fn emit_nameless_end_tag(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        mut record: Record,
    ) {
        let name = self.open.current_name();
        record.a = out.scratch.len() as u32;
        out.scratch.push_str(name);
        record.b = out.scratch.len() as u32;
        record.flags |= CLEANED;
        record.namespace = self.current_namespace();
        out.unfinished = record.b;
        out.work.cleaned += name.len() as u64;
        self.push(input, out, record);
    }

    /// A short end tag token.
    pub(super) fn emit_short_end_tag(&mut self, input: &mut Cursor<'_>, out: &mut Queue) -> State {
        let (start, end) = (self.token, input.mark());
        if self.open.is_empty() {
            self.error(input, out, errors::STRAY_END_TAG, start, end);
        } else {
            self.error(input, out, errors::SHORT_END_TAG, start, end);
            let record = Record {
                flags: SHORT,
                ..Record::new(Kind::End, start, end)
            };
            self.emit_nameless_end_tag(input, out, record);
            self.close();
        }
        self.after_tag(input)
    }

    /// An end-of-file token.
    pub(super) fn end_of_file_token(&mut self, input: &mut Cursor<'_>, out: &mut Queue) {
        match self.phase {
            Phase::Start => self.error_at_end(input, out, errors::MISSING_ROOT),
            Phase::Main => {
                self.error_at_end(input, out, errors::UNCLOSED_ELEMENT);
                if self.balanced {
                    while !self.open.is_empty() {
                        self.emit_implied_end_tag(input, out, input.mark());
                        self.close();
                    }
                }
            }
            Phase::End => {}
        }
    }
}
