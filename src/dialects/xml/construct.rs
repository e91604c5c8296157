//! Tree construction stage of XML-ER, applied to each tag token when it is emitted.
//!
//! XML-ER defines three phases: *start* (before the root element), *main* (inside it) and *end* (after it); see
//! [`Phase`]. This module keeps the stack of open elements, reports tags that do not fit the phase or the stack, and
//! pops namespace bindings when their element ends.
//!
//! If the stream is balanced (`own.balanced`), the module also drops the tags that a phase ignores and inserts the
//! end tags that XML-ER implies. The resulting events then always form a tree.
//!
//! Each open element carries a 32-bit *note*:
//!
//! ```text
//!   31                                 2     1      0
//!  |------------------------------------|-------|-------|
//!   number of namespace bindings before   odd     colon
//!   the start tag
//!
//!   odd     the name contains an illegal character, which was reported
//!   colon   the name contains a colon, so its namespace is found by its prefix
//! ```

use super::errors;
use super::machine::{Lexer, Phase, XmlMachine};
use super::state::State;
use crate::engine::event::queue::Queue;
use crate::engine::event::record::{Payload, Record, RecordKind, SELF_CLOSING, SHORT};
use crate::engine::namespaces::NO_NAMESPACE;
use crate::engine::text::xml_names::prefix;
use alloc::string::String;

impl XmlMachine {
    /// Emits a start tag token or, with the flag [`SELF_CLOSING`], an empty tag token, and opens the element.
    ///
    /// The name is between the offsets `name` and `name_end`; the attributes are at the end of the queue. Returns the
    /// state for the content after the tag.
    #[inline(always)]
    pub(super) fn emit_start_tag(&mut self, lex: &mut Lexer<'_>, flags: u8) -> State {
        self.emit_start_tag_from(lex, flags, false)
    }

    /// As [`emit_start_tag`](Self::emit_start_tag). `is_fast` is true if the fast path has read the tag and goes on, so
    /// that it can close the element.
    #[inline(never)]
    pub(super) fn emit_start_tag_from(
        &mut self,
        lex: &mut Lexer<'_>,
        flags: u8,
        is_fast: bool,
    ) -> State {
        let (a, b) = (self.name, self.name_end);
        let (start, end) = (self.token, lex.mark());
        lex.join(start, end);
        let (scope, changes) = (self.dialect.bindings.len(), lex.out.bindings.history.len());
        let mut namespace = self.dialect.bindings.default();
        if self.dialect.dtd.changes_tags {
            let name = lex.one_piece(a, b);
            if self.dialect.dtd.declarations.changes(name.as_bytes()) {
                self.apply_declarations(lex, a, b);
            }
        }
        if self.dialect.tag.has_colon
            || self.dialect.tag.may_declare
            || self.dialect.tag.prefixed_attributes > 0
        {
            namespace = self.qualify(lex);
            self.dialect.tag.may_declare = false;
            self.dialect.tag.prefixed_attributes = 0;
        }
        if self.dialect.phase != Phase::Main || self.open.is_near() {
            self.check_start_tag(lex);
        }
        let is_ignored = self.dialect.balanced && self.dialect.phase == Phase::End;
        match is_ignored {
            true => self.end_attributes(lex),
            false => {
                let mut record = Record::new(RecordKind::Start, start, end).of(a, b);
                (record.flags, record.namespace) = (flags, namespace);
                self.push_start(lex, record);
            }
        }
        if flags & SELF_CLOSING == 0 && self.dialect.phase != Phase::End {
            let is_brief = is_fast && lex.is_last() && scope == 0;
            match is_brief && self.dialect.phase == Phase::Start && !self.dialect.tag.is_odd {
                true => self.open_brief_root(lex, namespace),
                false => self.open_element(lex, scope),
            }
            self.dialect.phase = Phase::Main;
            return self.after_tag(lex);
        }
        if self.dialect.bindings.len() > scope {
            self.dialect.bindings.truncate(scope, lex.out.now());
            if is_ignored {
                // The tag became no event, so no program can ask for the bindings in scope at it.
                lex.out.bindings.history.truncate(changes);
            }
        }
        if self.dialect.phase == Phase::Start {
            self.dialect.phase = Phase::End;
        }
        self.after_tag(lex)
    }

    /// Opens the element of the current start tag. `scope` is the number of namespace bindings before the tag.
    #[inline(always)]
    fn open_element(&mut self, lex: &mut Lexer<'_>, scope: usize) {
        let (start, end) = (self.token, lex.mark());
        let odd = u32::from(self.dialect.tag.is_odd) << 1;
        let note = (scope as u32) << 2 | odd | u32::from(self.dialect.tag.has_colon);
        let tag = self.outer_span(start, end);
        let name = lex.one_piece(self.name, self.name_end);
        debug_assert!(
            self.dialect.brief.is_empty(),
            "those are below this element"
        );
        self.open.push(name, note, tag);
        if self.dialect.entities.more.in_external
            && let Some(entity) = self.in_entity(start, end)
        {
            self.open.opened_in(entity);
        }
    }

    /// Reports a start tag that follows the root element, or ends the parse if opening one more element exceeds a
    /// limit. Called only if one of the two is possible.
    #[cold]
    #[inline(never)]
    fn check_start_tag(&mut self, lex: &mut Lexer<'_>) {
        let (start, end) = (self.token, lex.mark());
        if self.dialect.phase == Phase::End {
            self.error(lex, errors::SECOND_ROOT, start, end);
        } else if let Some(limit) = self.open.check(self.memory_used()) {
            self.exceed(lex, limit, start, end);
        }
    }

    /// Emits an end tag token and closes the current element if the names are equal. Other end tags are left to
    /// `emit_mismatched_end_tag`.
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
            ..Record::new(RecordKind::End, start, end).of(a, b)
        };
        lex.emit(record);
        self.close(lex.out);
        self.after_tag(lex)
    }

    /// Returns the namespace index of the current element.
    #[inline(always)]
    pub(super) fn current_namespace(&self) -> u32 {
        self.namespace_noted(self.open.note())
    }

    /// Returns the namespace index of the current element. `note` is the number that the stack stores with the element:
    /// see the top of this module. Its lowest bit says whether the name has a colon. An element whose name has none is in
    /// the default namespace.
    #[inline(always)]
    pub(super) fn namespace_noted(&self, note: u32) -> u32 {
        if note & 1 == 0 {
            self.dialect.bindings.default()
        } else {
            self.prefix_namespace()
        }
    }

    /// Returns the namespace index bound to the prefix of the current element's name, or `NO_NAMESPACE` if namespaces
    /// are off or the prefix is not bound.
    fn prefix_namespace(&self) -> u32 {
        let name = self.open.current_name();
        prefix(name)
            .filter(|_| self.dialect.options.has_namespaces())
            .and_then(|prefix| self.dialect.bindings.find(prefix))
            .unwrap_or(NO_NAMESPACE)
    }

    /// Closes the current element: ends the scope of its namespace declarations and pops it. After the last element
    /// the phase becomes [`XmlState::outer_phase`](super::machine::XmlState::outer_phase).
    #[inline(always)]
    pub(super) fn close(&mut self, out: &mut Queue) {
        self.close_noted(self.open.note(), out);
    }

    /// Closes the current element. `note` is its note, which the caller has read already.
    #[inline(always)]
    pub(super) fn close_noted(&mut self, note: u32, out: &mut Queue) {
        let scope = (note >> 2) as usize;
        if self.dialect.bindings.len() > scope {
            self.dialect.bindings.truncate(scope, out.now());
        }
        self.open.pop();
        if self.open.is_empty() {
            self.dialect.phase = self.dialect.outer_phase();
        }
    }

    /// Handles an end tag whose name is not that of the current element, which is always an error.
    ///
    /// If an open element has the name, that element and all elements inside it are closed; in a balanced stream, the
    /// missing end tags become implied events. If no open element has the name, the tag is an event of its own, or is
    /// dropped in a balanced stream.
    #[cold]
    #[inline(never)]
    fn emit_mismatched_end_tag(&mut self, lex: &mut Lexer<'_>) {
        let (start, end) = (self.token, lex.mark());
        let (a, b) = (self.name, self.name_end);
        let (first, second) = lex.pieces(a, b);
        let name = String::from_iter([first, second]);
        let mut record = Record::new(RecordKind::End, start, end).of(a, b);
        if self.open.is_empty() || !self.open.contains(&name) {
            let open = self.open.opened();
            self.error_about(lex, errors::STRAY_END_TAG, (start, end), open);
            match self.dialect.balanced {
                true => lex.out.end_run(),
                false => lex.emit(record),
            }
            return;
        }
        let open = self.open.opened();
        self.error_about(lex, errors::MISMATCHED_END_TAG, (start, end), open);
        if lex.out.fatal.is_some() {
            return;
        }
        while self.open.current() != Some(name.as_bytes()) {
            if self.dialect.balanced {
                self.push_implied_end(lex, start, self.current_namespace());
            }
            self.close(lex.out);
        }
        record.namespace = self.current_namespace();
        lex.emit(record);
        self.close(lex.out);
    }

    /// Handles a short end tag, `</>`. XML-ER recovers by closing the current element; the error is reported in any
    /// case.
    pub(super) fn emit_short_end_tag(&mut self, lex: &mut Lexer<'_>) -> State {
        let (start, end) = (self.token, lex.mark());
        if self.open.is_empty() {
            self.error(lex, errors::STRAY_END_TAG, start, end);
            lex.out.end_run();
        } else {
            self.error(lex, errors::SHORT_END_TAG, start, end);
            let record = Record {
                flags: SHORT,
                payload: Payload::written_name(2, 2),
                namespace: self.current_namespace(),
                ..Record::new(RecordKind::End, start, end)
            };
            self.push_nameless_end(lex, record);
            self.close(lex.out);
        }
        self.after_tag(lex)
    }

    /// Handles the end-of-file token: reports a missing root element or unclosed elements. In a balanced stream,
    /// unclosed elements get implied end tags.
    pub(super) fn end_of_file_token(&mut self, lex: &mut Lexer<'_>) {
        match self.dialect.phase {
            Phase::Start => self.error_at_end(lex, errors::MISSING_ROOT),
            Phase::Main if self.open.is_empty() => {}
            Phase::Main => {
                let (end, open) = (lex.mark(), self.open.opened());
                self.error_about(lex, errors::UNCLOSED_ELEMENT, (end, end), open);
                if self.dialect.balanced && lex.out.fatal.is_none() {
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
