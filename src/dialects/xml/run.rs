//! Interface of the XML tokenizer to the parser: detection of the encoding, windows, suspension, discarded text.
//!
//! [`Tokenizer`] is the trait through which the parser runs the tokenizer of any dialect. XML has to do more than the
//! other dialects before its states run ([`Tokenizer::prepare`]): it switches to the newlines of XML 1.1, continues
//! after the program's answer for an external entity, and reads the replacement text of entities.

use super::classes::{DELIMITED, QUOTED_VALUE, TEXT, Xml11Classes, XmlClasses};
use super::errors;
use super::frames::EntityReading;
use super::machine::{Lexer, Version, XmlMachine, XmlState};
use super::state::State;
use crate::engine::entity::Answer;
use crate::engine::entity::EntityRequest;
use crate::engine::error::ErrorKind;
use crate::engine::event::queue::Queue;
use crate::engine::event::record::MORE;
use crate::engine::input::BufferOffset;
use crate::engine::input::Input;
use crate::engine::input::held_text::HeldText;
use crate::engine::input::sniff::Sniffed;
use crate::engine::scan::ByteClasses;
use crate::engine::tokenizer::{TextBuffer, Tokenizer};
use core::mem::take;

impl Tokenizer for XmlMachine {
    type Classes = XmlClasses;
    type State = State;
    type Dialect = XmlState;

    fn reuse_buffers(&mut self, other: &mut Self) {
        self.open.inherit(&mut other.open);
        self.dialect.bindings.inherit(&mut other.dialect.bindings);
        self.dialect.brief = take(&mut other.dialect.brief);
        self.dialect.brief.clear();
    }

    fn sniff(&mut self, prefix: &[u8], finished: bool) -> Option<Sniffed> {
        let dialect = &mut self.dialect;
        let (certain, skips_space) = (
            dialect.options.certain_encoding(),
            dialect.options.may_begin_with_space(),
        );
        let encoding = &mut dialect.encoding;
        encoding.detected = encoding
            .sniffer
            .sniff(prefix, finished, certain, skips_space);
        encoding.detected
    }

    fn set_encoding(&mut self, sniffed: Sniffed) {
        self.dialect.encoding.detected = Some(sniffed);
    }

    fn states(&mut self, lex: Lexer<'_>) -> (usize, u32) {
        self.run_states(lex)
    }

    fn is_finished(&self) -> bool {
        self.state == State::Finished
    }

    fn ill_formed(&mut self, lex: &mut Lexer<'_>, start: BufferOffset, end: BufferOffset) {
        self.error(lex, errors::ILL_FORMED_BYTES, start, end);
    }

    fn run_terminators(&self) -> Option<usize> {
        let class = match self.state {
            State::Data => TEXT,
            State::Cdata | State::Comment | State::PiData => DELIMITED,
            State::TagAttributeValueDoubleQuoted | State::TagAttributeValueSingleQuoted => {
                QUOTED_VALUE
            }
            _ => return None,
        };
        self.dialect.entities.frames.is_empty().then_some(class)
    }

    fn certain(&self, until: BufferOffset) -> BufferOffset {
        match self.state {
            State::Reference
            | State::ReferenceName
            | State::ReferenceNumber
            | State::ReferenceDecimal
            | State::ReferenceHexadecimal => until.min(self.reference),
            State::CdataBracket => until.saturating_sub(1),
            State::CdataEnd => until.saturating_sub(2),
            _ => until,
        }
    }

    fn earliest(&self, taken: BufferOffset) -> BufferOffset {
        self.earliest_outside(taken)
    }

    fn is_in_text(&self) -> bool {
        matches!(self.state, State::Data | State::Cdata)
    }

    fn is_in_cdata(&self) -> bool {
        let is_in_section = matches!(
            self.state,
            State::Cdata | State::CdataBracket | State::CdataEnd
        );
        is_in_section && self.dialect.entities.frames.is_empty()
    }

    fn has_text(&self) -> bool {
        let frames = &self.dialect.entities.frames;
        !self.text.is_none() || frames.iter().any(EntityReading::has_text_around)
    }

    fn classes(&self) -> ByteClasses {
        match self.dialect.version.is_1_1() {
            true => ByteClasses::of::<Xml11Classes>(),
            false => ByteClasses::of::<XmlClasses>(),
        }
    }

    fn before_window(&mut self, _: &mut Input, out: &mut Queue) {
        debug_assert!(out.records.is_empty(), "records have indices of namespaces");
        debug_assert!(self.dialect.brief.is_empty(), "offsets in the last window");
        self.dialect.bindings.forget(&mut out.bindings.namespaces);
    }

    fn before_discard(&mut self, text: &HeldText<'_>, to: BufferOffset) {
        self.open.before_discard(text, to);
        self.dialect.dtd.declarations.before_discard(text, to);
    }

    fn rebase(&mut self, by: u32) {
        let dialect = &mut self.dialect;
        dialect.base += u64::from(by);
        let subset = &mut dialect.subset;
        for mark in [
            &mut subset.start,
            &mut subset.token,
            &mut subset.stray_percent,
        ] {
            if !mark.is_none() {
                *mark = mark.rebased(by);
            }
        }
    }

    fn line_feed_after(&mut self, lex: &mut Lexer<'_>) {
        self.drop_line_feed(lex);
    }

    fn prepare(&mut self, input: &mut Input, out: &mut Queue, eof: bool) -> bool {
        if self.dialect.bindings.is_stale() && out.records.is_empty() {
            self.dialect.bindings.forget(&mut out.bindings.namespaces);
        }
        if self.dialect.version == Version::Xml11Declared {
            self.dialect.version = Version::Xml11;
            let is_end = eof && input.is_dry();
            let by = input.replace_line_ends(&mut out.retained);
            self.dialect.base += u64::from(by);
            if self.state == State::Data {
                // In a fragment, a run of text has begun after the XML declaration. Its offset changes with the
                // buffer.
                self.text = TextBuffer::at(self.text.start - by);
            }
            if !is_end {
                return false;
            }
        }
        if self.is_answered() {
            self.continue_after_answer(input, out);
            if out.fatal.is_some() {
                return false;
            }
        }
        if !self.dialect.entities.frames.is_empty() {
            self.run_frames(out);
            if out.is_full() || !self.dialect.entities.frames.is_empty() || out.fatal.is_some() {
                return false;
            }
        }
        self.dialect.entities.more.request.is_none()
    }

    fn runs_on(&self) -> bool {
        !self.dialect.entities.frames.is_empty()
    }

    fn end_text(&mut self, lex: &mut Lexer<'_>, end: BufferOffset) {
        self.end_text_before(lex, end);
    }

    fn fail_at(
        &mut self,
        lex: &mut Lexer<'_>,
        kind: ErrorKind,
        (start, end): (BufferOffset, BufferOffset),
    ) {
        let entity = self.in_entity(start, end);
        let at = self.outer_span(start, end);
        lex.out.fail_in(kind, at, entity, self.current_entity());
    }

    fn flush_before_markup(&mut self, lex: &mut Lexer<'_>, until: BufferOffset, flags: u8) {
        self.emit_run(lex, until, flags);
    }

    fn flush(&mut self, lex: &mut Lexer<'_>, mut until: BufferOffset, flags: u8) {
        if flags & MORE != 0 && self.state == State::Data {
            // Brackets at the end of the text may be the beginning of `]]>`, which is an error in text. They must
            // stay in the run, because the data state looks back at them when it reads the `>`.
            let last = until.saturating_sub(2).max(self.text.start);
            while until > last && lex.byte(until - 1) == b']' {
                until -= 1;
            }
        }
        if self.text.start < until && !self.text.is_empty(until) {
            self.emit_run(lex, until, flags);
            self.text = TextBuffer::at(until);
        }
    }

    fn is_busy(&self) -> bool {
        // The state after the external subset emits the DOCTYPE, whose last byte is already consumed.
        !self.dialect.entities.frames.is_empty()
            || self.is_answered()
            || self.state == State::DoctypeExternalSubset
    }

    fn requested_entity(&self) -> Option<&EntityRequest> {
        self.wanted_entity()
    }

    fn answer_entity(&mut self, answer: Answer) {
        self.take_answer(answer);
    }
}
