//! Tag assemblies of LeafXML: the events of tags, and the tag stack.
//!
//! A note of 32 bits is stored with each open element: bit 0 is set if the name contains a colon, and the other bits
//! hold the number of namespace bindings before the start tag.

use super::errors;
use super::machine::{LeafXmlMachine, Lexer, TagStack};
use super::state::{State, TagName};
use crate::engine::event::queue::Queue;
use crate::engine::event::record::{Payload, Record, RecordKind, SELF_CLOSING};
use crate::engine::namespaces::NO_NAMESPACE;

impl LeafXmlMachine {
    /// Emits a start tag or, with the flag [`SELF_CLOSING`], an empty tag. Its name is in the register `name`.
    /// Returns the next state.
    #[inline(never)]
    pub(super) fn emit_start_tag(&mut self, lex: &mut Lexer<'_>, flags: u8) -> State {
        self.emit_start(lex, flags, self.dialect.name)
    }

    /// Emits a start tag or, with the flag [`SELF_CLOSING`], an empty tag, with the given name. Returns the next
    /// state.
    #[inline(always)]
    pub(super) fn emit_start(&mut self, lex: &mut Lexer<'_>, flags: u8, name: TagName) -> State {
        let (start, end) = (self.token, lex.mark());
        lex.join(start, end);
        if self.dialect.stack != TagStack::Active || self.open.is_near() {
            lex.aside(|lex| self.check_start_tag(lex));
        }
        let scope = self.dialect.bindings.len();
        let mut namespace = self.dialect.bindings.default();
        if name.colon || self.dialect.declares || self.dialect.prefixed > 0 {
            self.dialect.name = name;
            namespace = lex.aside(|lex| self.qualify(lex));
            self.dialect.declares = false;
            self.dialect.prefixed = 0;
        }
        self.dialect.cleaned_names = false;
        let ended = flags & SELF_CLOSING != 0;
        let record = Record::new(RecordKind::Start, start, end).of(name.start, name.end);
        let mut record = Record {
            flags,
            namespace,
            ..record
        };
        if let Some(clean) = name.clean {
            record = record.cleaned(clean);
            record.written = u16::try_from(name.end - name.start).unwrap_or(u16::MAX);
        }
        let text = lex.joined(name.string());
        if !ended {
            let note = (scope as u32) << 1 | u32::from(name.colon);
            self.open.push(text, note, (start, end));
            self.dialect.stack = TagStack::Active;
        }
        self.push_start(lex, record);
        if ended {
            if self.dialect.bindings.len() > scope {
                self.dialect.bindings.truncate(scope, lex.out.now());
            }
            if self.open.is_empty() {
                self.dialect.stack = TagStack::Finished;
            }
        }
        self.after_tag(lex)
    }

    /// Ends the parse if the start tag follows the root element, or if one more open element exceeds a limit. Called
    /// only if one of the two is possible.
    #[cold]
    #[inline(never)]
    fn check_start_tag(&mut self, lex: &mut Lexer<'_>) {
        let (start, end) = (self.token, lex.mark());
        if self.dialect.stack == TagStack::Finished {
            self.fail(lex, errors::SECOND_ROOT, start, end);
        } else if let Some(limit) = self.open.check(self.dialect.bindings.memory_used()) {
            self.exceed(lex, limit, start, end);
        }
    }

    /// Emits an end tag, and closes the current element. Ends the parse if the names differ. Returns the next state.
    pub(super) fn emit_end_tag(&mut self, lex: &mut Lexer<'_>) -> State {
        let (start, end) = (self.token, lex.mark());
        lex.join(start, end);
        let name = self.dialect.name;
        let text = lex.joined(name.string());
        let length = text.len() as u64;
        let is_current = self.open.current() == Some(text.as_bytes());
        lex.out.work.compared += length;
        if !is_current {
            let code = match self.open.is_empty() {
                true => errors::STRAY_END_TAG,
                false => errors::MISMATCHED_END_TAG,
            };
            return lex.aside(|lex| self.fail_about(lex, code, (start, end), self.open.opened()));
        }
        let namespace = self.current_namespace();
        let mut record = Record {
            namespace,
            ..Record::new(RecordKind::End, start, end)
        };
        if name.clean.is_some() {
            lex.out.unfinished = lex.out.scratch_end();
            record.payload = Payload::written_name(name.start - start, name.end - start);
        }
        lex.emit(record.with(name.string()));
        self.close(lex.out);
        self.after_tag(lex)
    }

    /// Returns the namespace index of the current element.
    #[inline(always)]
    pub(super) fn current_namespace(&self) -> u32 {
        if self.open.note() & 1 == 0 {
            self.dialect.bindings.default()
        } else {
            self.prefix_namespace()
        }
    }

    /// Returns the namespace index bound to the prefix of the current element's name.
    #[cold]
    fn prefix_namespace(&self) -> u32 {
        let name = self.open.current_name();
        name.split_once(':')
            .and_then(|(prefix, _)| self.dialect.bindings.find(prefix))
            .unwrap_or(NO_NAMESPACE)
    }

    /// Closes the current element, and ends the scope of its namespace declarations.
    #[inline(always)]
    pub(super) fn close(&mut self, out: &mut Queue) {
        let scope = (self.open.note() >> 1) as usize;
        if self.dialect.bindings.len() > scope {
            self.dialect.bindings.truncate(scope, out.now());
        }
        self.open.pop();
        if self.open.is_empty() {
            self.dialect.stack = TagStack::Finished;
        }
    }
}
