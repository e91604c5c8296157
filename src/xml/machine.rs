//! The machine: the registers as XML-ER names them, and the actions that states share.

use super::Xml;
use super::classes::XmlClasses;
pub(super) use super::classes::{DELIMITED, NAME, NOT_SPACE, QUOTED_VALUE, TEXT};
use super::content::Brief;
use super::declarations;
use super::errors;
use super::external::Asked;
use super::frames::{BEFORE, Frame, Outermost};
use super::state::State;
use crate::error::{ErrorCode, ErrorKind};
use crate::event::referred::Referred;
use crate::input::Mark;
use crate::input::sniff::{Sniffed, XmlSniffer};
use crate::lexer::{self, StateMachine, TextBuffer};
use crate::namespaces::Bindings;
use crate::text::xml_names;
use alloc::vec::Vec;

pub(super) type Lexer<'w> = lexer::Lexer<'w, XmlClasses>;

/// The phases of XML-ER's tree construction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(super) enum Phase {
    Start,
    Main,
    End,
}

/// The machine of [`Xml`]. Its value is any string on its way: a comment, data, an identifier.
pub(super) type XmlMachine = StateMachine<State, Registers>;

/// What only the machine of XML has.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub struct Registers {
    #[cfg_attr(feature = "checkpoints", serde(skip))]
    pub(super) options: Xml,
    pub(super) balanced: bool,
    /// The state that follows the keyword.
    pub(super) then: State,
    /// The `<` of a token in the internal subset.
    pub(super) inner: Mark,
    /// The name has a colon.
    pub(super) colon: bool,
    /// The name being read was reported as none; the tag's name was.
    pub(super) name_reported: bool,
    pub(super) odd: bool,
    /// Some attribute of the tag may declare the default namespace; so many have prefixes.
    pub(super) declares: bool,
    pub(super) prefixed: u32,
    /// So far behind the `&` or `%` of a reference stands the first colon of its name, if there is one.
    pub(super) colon_in_reference: Option<u32>,
    pub(super) doctype: super::states::Register,
    /// The quote that ends a literal in a declaration.
    pub(super) quote: u8,

    /// Mark 0 is no more the beginning of the input.
    pub(super) rebased: bool,

    pub(super) phase: Phase,
    /// The phase outside all elements, once there was one: of a fragment, that of content.
    pub(super) outer: Phase,
    pub(super) bindings: Bindings,
    pub(super) seen_doctype: bool,
    /// Entities may be declared where this parser does not read.
    pub(super) unread_declarations: bool,
    /// A parameter entity was not read: what is declared after it is not processed.
    pub(super) unread_parameter: bool,
    pub(super) standalone: bool,
    pub(super) declarations: declarations::Shared,
    /// Some element types have attributes that make their tags other than they are written.
    pub(super) changes_tags: bool,
    /// The declared attributes that are on the tag; empty between tags.
    pub(super) present: Vec<u32>,
    /// The replacement text being read, the innermost last.
    pub(super) frames: Vec<Frame>,
    pub(super) outermost: Outermost,
    /// Some of it is that of an external entity.
    pub(super) in_external: bool,
    /// The external entity that is wanted.
    pub(super) asked: Option<Asked>,
    /// The `%` that the current state was given as a space.
    pub(super) percent: Mark,
    /// The `%` in a declaration of which it is not known yet whether it begins a reference.
    pub(super) stray_percent: Mark,
    /// The document is one of XML 1.1.
    pub(super) is_1_1: bool,
    /// It has just turned out to be.
    pub(super) turns_1_1: bool,
    /// Bytes that entities and defaults have come to.
    pub(super) expanded: u64,
    /// Bytes of text before mark 0.
    pub(super) base: u64,
    pub(super) masks: Vec<u64>,
    /// The elements inside the others that the loop of plain content has opened; empty when it ends.
    pub(super) brief: Vec<Brief>,
    pub(super) sniffer: XmlSniffer,
    pub(super) sniffed: Option<Sniffed>,
}

impl XmlMachine {
    pub(super) fn of(options: Xml) -> XmlMachine {
        let is_fragment = options.is_fragment();
        let own = Registers {
            options,
            balanced: false,
            then: State::Data,
            inner: Mark::NONE,
            colon: false,
            name_reported: false,
            odd: false,
            declares: false,
            prefixed: 0,
            colon_in_reference: None,
            doctype: super::states::Register::default(),
            quote: 0,
            rebased: false,
            phase: if is_fragment {
                Phase::Main
            } else {
                Phase::Start
            },
            outer: if is_fragment { Phase::Main } else { Phase::End },
            bindings: Bindings::new(),
            seen_doctype: false,
            unread_declarations: false,
            unread_parameter: false,
            standalone: false,
            declarations: declarations::Shared::default(),
            changes_tags: false,
            present: Vec::new(),
            frames: Vec::new(),
            outermost: Outermost::NONE,
            in_external: false,
            asked: None,
            percent: Mark::NONE,
            stray_percent: Mark::NONE,
            is_1_1: false,
            turns_1_1: false,
            expanded: 0,
            base: 0,
            masks: Vec::new(),
            brief: Vec::new(),
            sniffer: XmlSniffer::default(),
            sniffed: None,
        };
        match is_fragment {
            true => StateMachine::new(State::Data, TextBuffer::at(Mark::ZERO), own),
            false => StateMachine::new(State::Outside, TextBuffer::NONE, own),
        }
    }

    pub(super) fn balance(&mut self) {
        self.own.balanced = true;
    }

    /// Bytes that are held of what was read, open elements aside.
    pub(super) fn held(&self) -> usize {
        self.own
            .bindings
            .held()
            .saturating_add(self.own.declarations.held())
    }

    /// Whether all that is held is within the limit of memory, if so many bytes more are.
    #[cold]
    pub(super) fn may_hold(&mut self, more: usize) -> bool {
        self.open.recheck();
        let held = self.held().saturating_add(self.open.held());
        held.saturating_add(more) <= self.limits.memory
    }

    /// Reports something that is wrong: a parse error, or the end of a strict parse.
    #[cold]
    #[inline(never)]
    pub(super) fn error(&mut self, lex: &mut Lexer<'_>, code: ErrorCode, start: Mark, end: Mark) {
        self.error_about(lex, code, (start, end), None);
    }

    /// The same, where that refers to something else: in replacement text, if to nothing, to the declaration of
    /// the entity.
    #[cold]
    #[inline(never)]
    pub(super) fn error_about(
        &mut self,
        lex: &mut Lexer<'_>,
        code: ErrorCode,
        (start, end): (Mark, Mark),
        referred: Option<Referred>,
    ) {
        if self.own.options.is_strict() {
            let kind = ErrorKind::Syntax(code);
            return self.end_parse_about(lex, kind, (start, end), referred);
        }
        if lex.out.report && lex.out.fatal.is_none() {
            let entity = self.in_entity(start, end);
            let referred = referred.or_else(|| self.entity_in_hand());
            let at = self.outer_span(start, end);
            lex.out.push_error_in(code, at, entity, referred);
            if lex.out.records.len() >= lex.out.capacity {
                lex.fence();
            }
        }
    }

    /// Reports the character whose first byte was taken last.
    pub(super) fn error_here(&mut self, lex: &mut Lexer<'_>, code: ErrorCode) {
        self.error_character(lex, code, lex.mark() - 1);
    }

    /// Reports the character that comes next and is not taken yet.
    pub(super) fn error_next(&mut self, lex: &mut Lexer<'_>, code: ErrorCode) {
        self.error_character(lex, code, lex.mark());
    }

    #[cold]
    #[inline(never)]
    fn error_character(&mut self, lex: &mut Lexer<'_>, code: ErrorCode, start: Mark) {
        let length = match lex.byte(start) {
            0..0xC0 => 1,
            0xC0..0xE0 => 2,
            0xE0..0xF0 => 3,
            0xF0.. => 4,
        };
        self.error(lex, code, start, start + length);
    }

    /// Reports the end of the input.
    pub(super) fn error_at_end(&mut self, lex: &mut Lexer<'_>, code: ErrorCode) {
        self.error(lex, code, lex.mark(), lex.mark());
    }

    /// Ends the run of characters at the mark `end` and hands it out.
    #[inline(always)]
    pub(super) fn flush_text(&mut self, lex: &mut Lexer<'_>, end: Mark) {
        if self.text.start < end {
            match self.text.as_written() {
                Some(_) if !self.ignores_text() => lex.emit_text(&mut self.text, end, 0),
                _ => self.emit_run(lex, end, 0),
            }
        }
        self.text.start = Mark::NONE;
    }

    /// The same out of line, before what is seldom.
    #[inline(never)]
    pub(super) fn end_text_before(&mut self, lex: &mut Lexer<'_>, end: Mark) {
        self.flush_text(lex, end);
    }

    /// Whether text is no event: outside the root element it is not part of a tree.
    #[inline(always)]
    fn ignores_text(&self) -> bool {
        self.own.balanced && self.own.phase != Phase::Main
    }

    /// Hands out the run of characters up to the mark `end`, if it is one of the events.
    #[cold]
    #[inline(never)]
    pub(super) fn emit_run(&mut self, lex: &mut Lexer<'_>, end: Mark, more: u8) {
        let (start, before) = (self.text.start, lex.out.records.len());
        match self.ignores_text() {
            true => lex.out.unfinished = lex.out.scratch_end(),
            false => lex.emit_cleaned_text(&mut self.text, end, more),
        }
        if start == BEFORE && lex.out.records.len() == before {
            // A run that began before the reference is not handed out: the next has its own beginning.
            self.own.outermost.run = Mark::NONE;
        }
    }

    /// The state that follows a token: text begins here.
    #[inline(always)]
    pub(super) fn content(&mut self, lex: &Lexer<'_>) -> State {
        self.token = Mark::NONE;
        if self.own.phase != Phase::Main {
            State::Outside
        } else {
            self.text = TextBuffer::at(lex.mark());
            State::Data
        }
    }

    /// A CR was taken, in a string: it and an LF after it mean `meant`.
    #[cold]
    #[inline(never)]
    pub(super) fn line_end(&mut self, lex: &mut Lexer<'_>, meant: &str) {
        let at = lex.mark() - 1;
        if self.in_internal_entity() {
            // There it comes from a reference, and is no line end.
            if meant == " " {
                lex.replace(self.string(), at, at + 1, meant);
            }
            return;
        }
        match lex.peek() {
            // The LF stays, and means what it means to the state.
            Some(b'\n') => lex.remove(self.string(), at, at + 1),
            Some(_) => lex.replace(self.string(), at, at + 1, meant),
            None => {
                lex.replace(self.string(), at, at + 1, meant);
                // The text of an entity is held whole: nothing follows.
                self.after_cr = self.own.frames.is_empty();
            }
        }
    }

    /// A byte was taken that may be, or begin, a character that is not one of XML's.
    #[cold]
    #[inline(never)]
    pub(super) fn check_character(&mut self, lex: &mut Lexer<'_>, byte: u8) {
        // What is none of these is legal, or the rest of a character.
        if matches!(byte, 0..0x80 | 0xC2 | 0xEF) {
            let (character, from, to) = lex.character(byte);
            self.check(lex, character, from, to);
        }
    }

    /// The character between two marks may be none of XML's.
    pub(super) fn check(&mut self, lex: &mut Lexer<'_>, character: char, from: Mark, to: Mark) {
        // In XML 1.1, references may have brought control characters into replacement text.
        let legal = match self.own.is_1_1 {
            true if self.in_internal_entity() => self.is_char(character),
            true if matches!(character, '\u{7F}'..'\u{A0}') => false,
            _ => xml_names::is_char(character),
        };
        if !legal {
            self.error(lex, errors::ILLEGAL_CHARACTER, from, to);
        }
    }

    /// Emits the end-of-file token: the tree construction's last word.
    #[cold]
    #[inline(never)]
    pub(super) fn end_of_file(&mut self, lex: &mut Lexer<'_>) -> State {
        if !self.own.frames.is_empty() {
            return self.leave(lex);
        }
        let end = lex.mark();
        self.end_text_before(lex, end);
        self.end_of_file_token(lex);
        State::Finished
    }
}
