//! The Sky tokenizer: its byte classes, its registers, its interface to the parser, and the actions that the states
//! share.
//!
//! A *string token* is a run of character tokens between two other tokens. Tree construction drops a string token
//! that contains only whitespace, unless a `t` element is open. The register `solid` tells whether the current string
//! token is kept.

use super::errors;
use super::host::Host;
use super::options::{Context, Sky};
use super::state::State;
use crate::engine::error::ErrorCode;
use crate::engine::event::record::CONTINUED;
use crate::engine::input::BufferOffset;
use crate::engine::scan::{Classes, Masks, Set, classify};
use crate::engine::tokenizer::{self, StateMachine, TextBuffer, Tokenizer};
use alloc::boxed::Box;
use alloc::vec::Vec;

/// Byte class at which a scan of text stops: bytes that may start markup or a reference, or that are replaced.
pub(super) const TEXT: usize = 0;
/// Byte class at which a scan of a name, or of a value without quotes, stops.
pub(super) const NAME: usize = 1;
/// Byte class at which a scan of a value between double quotes stops.
pub(super) const DOUBLE_QUOTED: usize = 2;
/// Byte class at which a scan of a value between single quotes stops.
pub(super) const SINGLE_QUOTED: usize = 3;
/// Byte class at which a scan of whitespace stops: every byte except space and line feed.
pub(super) const NOT_SPACE: usize = 4;

/// The byte sets, indexed by the constants [`TEXT`] to [`NOT_SPACE`].
const SETS: [Set; 5] = [
    Set::of(b"<&\r\0"),
    Set::of(b" \n\r/>=\0&"),
    Set::of(b"\"&\r\0"),
    Set::of(b"'&\r\0"),
    Set::of(b" \n").complement(),
];

/// Bytes with a meaning in scripts and styles.
static RAW_TEXT: Set = Set::of(b"<\r\0");
/// Bytes with a meaning in comments.
static COMMENT: Set = Set::of(b"-");

/// The byte classes of Sky.
#[derive(Clone, Copy, Debug)]
pub struct SkyClasses;

impl Classes for SkyClasses {
    const SETS: &'static [Set] = &SETS;
    type Block = [u64; SETS.len()];

    fn classify(window: &[u8], masks: &mut Masks) {
        classify::<Self, { SETS.len() }>(window, masks);
    }
}

/// The cursor on the input together with the queue of records, as the states receive it.
pub(super) type Lexer<'w> = tokenizer::Lexer<'w, SkyClasses>;

/// The tokenizer of [`Sky`].
pub(super) type SkyMachine = StateMachine<State, SkyState>;

/// State of the tokenizer that only Sky has.
#[derive(Clone, Debug)]
pub struct SkyState {
    /// The options of the dialect, with the names that the host has registered since.
    pub(super) options: Sky,
    /// True if the events have to form a tree.
    pub(super) balanced: bool,
    /// True if the current string token is emitted even if the rest of it is whitespace: it contains another
    /// character, a `t` element is open, or the stream is not balanced.
    pub(super) solid: bool,
    /// [`CONTINUED`] if a part of the current string token was emitted already, otherwise 0.
    pub(super) continued: u8,
    /// True if the name of the current tag contains U+0000.
    pub(super) name_null: bool,
    /// True if the current tag is an end tag.
    pub(super) is_end_tag: bool,
    /// True if the name of the current attribute contains U+0000.
    pub(super) attribute_null: bool,
    /// True if the name of some attribute of the current tag contains U+0000.
    pub(super) nulls: bool,
    /// Indices in the stack of open nodes of the open `template` elements. The specification puts a template and its
    /// content fragment on the stack; here they share one entry.
    pub(super) templates: Vec<u32>,
    /// Number of open `t` elements.
    pub(super) preformatted: u32,
    /// The communication with the host, if the tree builder has one.
    pub(super) host: Option<Box<Host>>,
}

impl SkyMachine {
    /// Returns a tokenizer at the start of an input.
    pub(super) fn of(options: Sky) -> SkyMachine {
        let (state, text) = match options.context() {
            Context::Fragment => (State::Data, TextBuffer::at(BufferOffset::ZERO)),
            Context::Application | Context::Module => (State::Signature, TextBuffer::NONE),
        };
        let dialect = SkyState {
            options,
            balanced: false,
            solid: true,
            continued: 0,
            name_null: false,
            is_end_tag: false,
            attribute_null: false,
            nulls: false,
            templates: Vec::new(),
            preformatted: 0,
            host: None,
        };
        StateMachine::new(state, text, dialect)
    }

    /// Makes the events form a tree.
    pub(super) fn balance(&mut self) {
        self.dialect.balanced = true;
        self.dialect.solid = false;
    }

    /// Reports an error at the byte consumed last, which must be ASCII.
    #[inline(always)]
    pub(super) fn error_here(&self, lex: &mut Lexer<'_>, code: ErrorCode) {
        let end = lex.mark();
        lex.report(code, end - 1, end);
    }

    /// Reports an error at the end of the input, with an empty span.
    #[inline(always)]
    pub(super) fn error_at_end(&self, lex: &mut Lexer<'_>, code: ErrorCode) {
        let end = lex.mark();
        lex.report(code, end, end);
    }

    /// Ends the string token at offset `end` and emits it, unless tree construction would drop it.
    #[inline(always)]
    pub(super) fn flush_text(&mut self, lex: &mut Lexer<'_>, end: BufferOffset) {
        if !self.dialect.solid {
            self.text.start = BufferOffset::NONE;
            lex.out.unfinished = lex.out.scratch_end();
            return;
        }
        if self.dialect.host.is_some() {
            lex.aside(|lex| self.keep_script(lex, end));
        }
        lex.emit_text(&mut self.text, end, self.dialect.continued);
    }

    /// Starts a string token at the current position, after another token.
    #[inline(always)]
    pub(super) fn start_text(&mut self, lex: &Lexer<'_>) {
        self.token = BufferOffset::NONE;
        self.text = TextBuffer::at(lex.mark());
        self.dialect.solid = !self.dialect.balanced || self.dialect.preformatted > 0;
        self.dialect.continued = 0;
    }

    /// Turns the characters of an incomplete token, from its `<` on, into text.
    #[inline(always)]
    pub(super) fn emit_as_text(&mut self) {
        self.token = BufferOffset::NONE;
        self.dialect.solid = true;
    }

    /// Replaces a U+0000 in text or in a value, which was just consumed, by U+FFFD, and reports it.
    #[cold]
    #[inline(never)]
    pub(super) fn null(&mut self, lex: &mut Lexer<'_>) {
        let at = lex.mark() - 1;
        self.dialect.solid |= self.is_in_text();
        lex.replace(self.string(), at, at + 1, "\u{FFFD}");
        self.error_here(lex, errors::NULL_CHARACTER);
    }
}

impl Tokenizer for SkyMachine {
    type Classes = SkyClasses;
    type State = State;
    type Dialect = SkyState;

    fn states(&mut self, lex: Lexer<'_>) -> (usize, u32) {
        self.run_states(lex)
    }

    fn is_finished(&self) -> bool {
        self.state == State::Finished
    }

    fn ill_formed(&mut self, lex: &mut Lexer<'_>, start: BufferOffset, end: BufferOffset) {
        lex.report(errors::ILL_FORMED_BYTES, start, end);
    }

    fn run_terminators(&self) -> Option<usize> {
        (self.state == State::Data && self.dialect.solid).then_some(TEXT)
    }

    fn raw_terminators(&self) -> Option<&'static Set> {
        match self.state {
            State::ScriptRawData | State::StyleRawData if self.dialect.solid => Some(&RAW_TEXT),
            State::Comment => Some(&COMMENT),
            _ => None,
        }
    }

    fn certain(&self, until: BufferOffset) -> BufferOffset {
        match self.state {
            State::CharacterReference
            | State::NumericCharacterReference
            | State::BeforeHexadecimalNumericCharacterReference
            | State::HexadecimalNumericCharacterReference
            | State::DecimalNumericCharacterReference
            | State::NamedCharacterReference => until.min(self.reference),
            _ => until,
        }
    }

    fn is_in_text(&self) -> bool {
        let state = self.state;
        matches!(
            state,
            State::Data | State::ScriptRawData | State::StyleRawData
        )
    }

    fn line_feed_after(&mut self, lex: &mut Lexer<'_>) {
        if self.is_in_text() && self.text.start == lex.mark() - 1 {
            // The CR before this line feed ended the line of the signature. Both are part of that line, not of the
            // text.
            self.text = TextBuffer::at(lex.mark());
        } else {
            self.drop_line_feed(lex);
        }
    }

    fn end_text(&mut self, lex: &mut Lexer<'_>, end: BufferOffset) {
        self.flush_text(lex, end);
    }

    fn may_split_text(&self) -> bool {
        self.dialect.solid
    }

    fn flush(&mut self, lex: &mut Lexer<'_>, until: BufferOffset, flags: u8) {
        if self.dialect.solid {
            self.keep_script(lex, until);
            let flags = self.dialect.continued | flags;
            lex.emit_cleaned_text(&mut self.text, until, flags);
            self.text = TextBuffer::at(until);
            self.dialect.continued = CONTINUED;
        }
    }

    fn is_paused(&self) -> bool {
        let host = self.dialect.host.as_ref();
        host.is_some_and(|host| host.is_waiting())
    }

    fn is_busy(&self) -> bool {
        let host = self.dialect.host.as_ref();
        host.is_some_and(|host| host.is_resumed())
    }
}

crate::checkpoint::checkpointable! {
    struct SkyState {
        options, balanced, solid, continued, name_null, is_end_tag, attribute_null, nulls,
        templates, preformatted, host,
    }
}
