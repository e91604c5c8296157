//! External entities: the request to the program, its answer, and the decoding of the bytes that it supplies.
//!
//! The library opens nothing. When a reference needs an external entity, [`XmlMachine::ask`] stores an
//! [`EntityRequest`] and suspends the tokenizer. The program sees the request in
//! [`Status::NeedsEntity`](crate::Status::NeedsEntity) and supplies the bytes or declines. Then
//! [`XmlMachine::continue_after_answer`] detects the encoding, decodes the bytes, reads the text declaration, and
//! starts to read the text as replacement text (`frames.rs`).

use super::declarations::{Content, External};
use super::errors;
use super::frames::{Reading, Replacement};
use super::machine::{Lexer, XmlMachine};
use super::state::State;
use crate::engine::entity::{Answer, ENTITY_SHARE};
use crate::engine::entity::{EntityId, EntityRequest};
use crate::engine::error::{ErrorCode, ErrorKind};
use crate::engine::event::in_entity::{EntityText, InEntity};
use crate::engine::event::queue::Queue;
use crate::engine::input::BufferOffset;
use crate::engine::input::Input;
use crate::engine::input::decode::Decoder;
use crate::engine::input::decoded::Decoded;
use crate::engine::input::line_ends::LineEnds;
use crate::engine::input::line_index::LineIndex;
use crate::engine::input::sniff::{Sniffed, XmlSniffer, of_text};
use crate::engine::limits::Limit;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

/// A request for an external entity, and the program's answer once it has arrived.
#[derive(Clone, Debug)]
pub(super) struct PendingRequest {
    request: EntityRequest,
    /// Index of the entity in the declarations; `None` for the external subset.
    entity: Option<usize>,
    /// The place of the reference, which decides by which rules the entity is read.
    reading: Reading,
    /// Start and end of the reference, as offsets in the text that contains it: the document, or the innermost
    /// replacement text.
    start: BufferOffset,
    end: BufferOffset,
    /// The answer of the program, or `None` while the tokenizer waits for it.
    answer: Option<Answer>,
}

/// An error in the decoded text of an entity: its code, and the start and end offset in bytes.
type Problem = (ErrorCode, usize, usize);

impl XmlMachine {
    /// Requests the bytes of an external entity and suspends: no further input is consumed until the program has
    /// answered.
    ///
    /// `entity` is its index in the declarations, `None` for the external subset. The reference is in `start..end`.
    pub(super) fn ask(
        &mut self,
        lex: &mut Lexer<'_>,
        id: &Arc<EntityId>,
        entity: Option<usize>,
        reading: Reading,
        (start, end): (BufferOffset, BufferOffset),
    ) {
        let id = Arc::clone(id);
        self.dialect.entities.more.request = Some(PendingRequest {
            request: EntityRequest { id },
            entity,
            reading,
            start,
            end,
            answer: None,
        });
        lex.suspend();
    }

    /// Returns the entity that the program is asked for, while it has not answered.
    pub(super) fn wanted_entity(&self) -> Option<&EntityRequest> {
        let asked = self.dialect.entities.more.request.as_ref()?;
        asked.answer.is_none().then_some(&asked.request)
    }

    /// Returns true if the program has answered the pending request.
    pub(super) fn is_answered(&self) -> bool {
        let asked = self.dialect.entities.more.request.as_ref();
        asked.is_some_and(|asked| asked.answer.is_some())
    }

    /// Stores the program's answer. Only the first answer to a request counts.
    pub(super) fn take_answer(&mut self, answer: Answer) {
        if let Some(asked) = &mut self.dialect.entities.more.request {
            asked.answer.get_or_insert(answer);
        }
    }

    /// Continues after the program's answer, at the position of the reference: in the document, or in the innermost
    /// replacement text.
    pub(super) fn continue_after_answer(&mut self, input: &Input, out: &mut Queue) {
        let Some(asked) = self.dialect.entities.more.request.take() else {
            return;
        };
        if self.dialect.entities.frames.is_empty() {
            self.apply_answer(&mut Lexer::over(input.view(), false, out), asked);
        } else {
            self.in_frame(out, |machine, lex| machine.apply_answer(lex, asked));
        }
    }

    /// Applies the answer: starts reading the entity, or skips it. Ends the parse if the entity exceeds the limit of
    /// memory or its encoding is not supported by this build.
    fn apply_answer(&mut self, lex: &mut Lexer<'_>, asked: PendingRequest) {
        let PendingRequest {
            request,
            entity,
            reading,
            start,
            end,
            answer,
        } = asked;
        let (bytes, is_text, location) = match answer {
            Some(Answer::Bytes {
                bytes,
                is_text,
                location,
            }) => (bytes, is_text, location),
            Some(Answer::TooLong) => {
                self.exceed(lex, Limit::Memory, start, end);
                return;
            }
            Some(Answer::Skip) | None => {
                self.skip_external(lex, reading, (start, end));
                return;
            }
        };
        if !self.may_hold(bytes.len().saturating_mul(ENTITY_SHARE)) {
            self.exceed(lex, Limit::Memory, start, end);
            return;
        }
        let sniffed = sniff(&bytes, is_text);
        if !sniffed.encoding.is_available() {
            let (start, end) = self.outer_span(start, end);
            let kind = ErrorKind::UnavailableEncoding(sniffed.encoding);
            lex.out.fail(kind, start, end);
            return;
        }
        let (text, from, problems) = self.read_entity(&bytes, sniffed, &request.id);
        drop(bytes);
        let replacement = self.store_entity(&request, location, text, from);
        for problem in problems {
            self.problem_in_entity(lex, &replacement, (start, end), problem);
        }
        if lex.out.fatal.is_some() {
            return;
        }
        if let Some(entity) = entity {
            let declarations = self.dialect.dtd.declarations.change();
            declarations.set_replacement(entity, replacement.clone());
        }
        self.enter_external(lex, entity, replacement, reading, (start, end));
    }

    /// Starts reading the text of an external entity in place of the reference in `at`.
    fn enter_external(
        &mut self,
        lex: &mut Lexer<'_>,
        entity: Option<usize>,
        replacement: Replacement,
        reading: Reading,
        at: (BufferOffset, BufferOffset),
    ) {
        if reading == Reading::Content {
            self.enter_content(lex, entity, replacement, at);
            return;
        }
        self.enter(lex, entity, replacement, reading, at);
        if reading == Reading::Subset {
            self.state = State::DoctypeInternalSubset;
        }
    }

    /// Stores the decoded text of an external entity. `from` is the byte offset at which its replacement text starts.
    fn store_entity(
        &mut self,
        request: &EntityRequest,
        location: Option<Arc<str>>,
        text: String,
        from: usize,
    ) -> Replacement {
        let memory_used = text.len() + request.id.memory_used();
        self.dialect.dtd.declarations.change().hold(memory_used);
        let text = EntityText {
            id: Arc::clone(&request.id),
            location,
            lines: LineIndex::of(&text),
            text: text.into(),
        };
        Replacement {
            text: Arc::clone(&text.text),
            from,
            external: Some(Arc::new(text)),
        }
    }

    /// Handles an external entity that the program does not supply. `reading` is the place of the reference in
    /// `start..end`.
    pub(super) fn skip_external(
        &mut self,
        lex: &mut Lexer<'_>,
        reading: Reading,
        (start, end): (BufferOffset, BufferOffset),
    ) {
        match reading {
            Reading::Content => self.state = self.skip_entity(lex, start, end),
            Reading::Subset => {}
            Reading::Separator | Reading::Declaration | Reading::Literal => {
                self.state = self.skip_parameter(reading, self.state);
            }
        }
    }

    /// Reports an error in the text of an entity before that text is entered. The error is located at the reference,
    /// and refers to the place inside the entity.
    fn problem_in_entity(
        &mut self,
        lex: &mut Lexer<'_>,
        replacement: &Replacement,
        (start, end): (BufferOffset, BufferOffset),
        (code, from, to): Problem,
    ) {
        let Some(entity) = &replacement.external else {
            return;
        };
        let place = InEntity {
            entity: Arc::clone(entity),
            start: from,
            end: to,
        };
        if self.dialect.options.is_strict() && lex.out.fatal.is_none() {
            self.end_text_before(lex, start);
        }
        let at = self.outer_span(start, end);
        let kind = ErrorKind::Syntax(code);
        if self.dialect.options.is_strict() {
            lex.out.fail_in(kind, at, Some(place), None);
        } else if lex.out.settings.reports_errors && lex.out.fatal.is_none() {
            lex.out.push_error_in(code, at, Some(place), None);
        }
    }

    /// Decodes the bytes of an external entity. Returns its text, the offset in it of the first byte after the text
    /// declaration, and the errors found in both.
    ///
    /// Ill-formed sequences become U+FFFD. The text of a parameter entity gets a space at its end, as XML 1.0
    /// requires for its replacement text.
    fn read_entity(
        &self,
        bytes: &[u8],
        sniffed: Sniffed,
        id: &EntityId,
    ) -> (String, usize, Vec<Problem>) {
        let mut problems = Vec::new();
        let mut text = String::new();
        let mut ill_formed = Vec::new();
        let mut decoder = Decoder::new(sniffed.encoding);
        let mut rest = &bytes[sniffed.mark..];
        loop {
            match decoder.decode(&mut rest, true, &mut text, usize::MAX) {
                Decoded::Text if rest.is_empty() => break,
                Decoded::Text => {}
                Decoded::IllFormed => {
                    let from = text.len();
                    text.push(char::REPLACEMENT_CHARACTER);
                    ill_formed.push((errors::ILL_FORMED_BYTES, from, text.len()));
                }
            }
        }
        let from = self.read_text_declaration(&text, sniffed, &mut problems);
        if self.dialect.version.is_1_1() {
            replace_line_ends(&mut text, from, &mut ill_formed);
        }
        problems.extend(ill_formed);
        if id.is_parameter {
            text.push(' ');
        }
        (text, from, problems)
    }
}

/// Returns the encoding of the bytes of an entity, all of which are available. Bytes that were given as a string
/// (`is_text`) are UTF-8.
fn sniff(bytes: &[u8], is_text: bool) -> Sniffed {
    let sniffed = XmlSniffer::default().sniff(bytes, true, None, false);
    sniffed
        .filter(|_| !is_text)
        .unwrap_or_else(|| of_text(bytes))
}

/// Replaces the newlines of XML 1.1 (CR, CR LF, NEL, CR NEL, LS) in `text[from..]` by line feeds, and adjusts the
/// offsets of `problems`, which are sorted by offset.
fn replace_line_ends(text: &mut String, from: usize, problems: &mut [Problem]) {
    let old = text.split_off(from);
    let mut line_ends = LineEnds::new();
    let mut next = problems.partition_point(|(_, start, _)| *start < from);
    for (at, character) in old.char_indices() {
        if let Some((_, start, end)) = problems.get_mut(next)
            && *start == from + at
        {
            (*start, *end) = (text.len(), text.len() + *end - *start);
            next += 1;
        }
        match line_ends.replace(character) {
            Some(feeds) => text.push_str(feeds),
            None => text.push(character),
        }
    }
}

impl External {
    /// Returns the content of a newly declared external entity, whose text was not read yet.
    pub(super) fn declared(id: EntityId) -> Content {
        Content::External(External {
            id: Arc::new(id),
            replacement: None,
        })
    }
}

crate::checkpoint::checkpointable! {
    struct PendingRequest { request, entity, reading, start, end, answer }
}
