//! The machine: the registers, the dispatch, and the actions that states share.

use super::host::Host;
use super::state::State;
use super::{Context, Sky, errors};
use crate::error::ErrorCode;
use crate::event::record::{CONTINUED, Queue};
use crate::input::Mark;
use crate::input::{Advance, Input};
use crate::lexer::{self, Lexing, StateMachine, TextBuffer};
use crate::scan::{Classes, Set, classify};
use alloc::boxed::Box;
use alloc::vec::Vec;

/// In text: what may be markup or is not what it means.
pub(super) const TEXT: usize = 0;
/// What ends or changes a name in a tag, or an unquoted value.
pub(super) const NAME: usize = 1;
/// In a value between double quotes.
pub(super) const DOUBLE_QUOTED: usize = 2;
/// In a value between single quotes.
pub(super) const SINGLE_QUOTED: usize = 3;
/// Anything but U+0020 and U+000A.
pub(super) const NOT_SPACE: usize = 4;

const SETS: [Set; 5] = [
    Set::of(b"<&\r\0"),
    Set::of(b" \n\r/>=\0&"),
    Set::of(b"\"&\r\0"),
    Set::of(b"'&\r\0"),
    Set::of(b" \n").complement(),
];

/// The byte classes of Sky.
#[derive(Clone, Copy, Debug)]
pub struct SkyClasses;

impl Classes for SkyClasses {
    const SETS: &'static [Set] = &SETS;
    type Block = [u64; SETS.len()];

    fn classify(window: &[u8], masks: &mut Vec<u64>) {
        classify::<Self, { SETS.len() }>(window, masks);
    }
}

pub(super) type Lexer<'w> = lexer::Lexer<'w, SkyClasses>;

/// The machine of [`Sky`].
pub(super) type SkyMachine = StateMachine<State, Registers>;

/// What only the machine of Sky has.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub struct Registers {
    #[cfg_attr(feature = "checkpoints", serde(with = "crate::saved"))]
    pub(super) options: Sky,
    pub(super) balanced: bool,
    /// The string token on its way stays in the tree, whatever else it holds.
    pub(super) solid: bool,
    /// [`CONTINUED`] if a part of it was handed out.
    pub(super) continued: u8,
    /// The name of the tag token has a U+0000.
    pub(super) name_null: bool,
    pub(super) is_end_tag: bool,
    /// The name of the current attribute has a U+0000; that of some attribute of the tag has.
    pub(super) attribute_null: bool,
    pub(super) nulls: bool,
    /// Where in the stack of open nodes the templates are; a template and its fragment are one frame.
    pub(super) templates: Vec<u32>,
    /// How many `t` elements are in it.
    pub(super) preformatted: u32,
    /// What the host is to be told and was told, if there is one.
    pub(super) host: Option<Box<Host>>,
}

impl SkyMachine {
    pub(super) fn of(options: Sky) -> SkyMachine {
        let (state, text) = match options.context() {
            Context::Fragment => (State::Data, TextBuffer::at(Mark::ZERO)),
            Context::Application | Context::Module => (State::Signature, TextBuffer::NONE),
        };
        let own = Registers {
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
        StateMachine::new(state, text, own)
    }

    pub(super) fn balance(&mut self) {
        self.own.balanced = true;
        self.own.solid = false;
    }

    /// Reports the byte taken last, which is ASCII.
    #[inline(always)]
    pub(super) fn error_here(&self, lex: &mut Lexer<'_>, code: ErrorCode) {
        let end = lex.mark();
        lex.report(code, end - 1, end);
    }

    /// Reports the end of the input.
    #[inline(always)]
    pub(super) fn error_at_end(&self, lex: &mut Lexer<'_>, code: ErrorCode) {
        let end = lex.mark();
        lex.report(code, end, end);
    }

    /// Ends the run of characters at the mark `end` and hands it out, unless the tree does without.
    #[inline(always)]
    pub(super) fn flush_text(&mut self, lex: &mut Lexer<'_>, end: Mark) {
        if !self.own.solid {
            self.text.start = Mark::NONE;
            lex.out.unfinished = lex.out.scratch_end();
            return;
        }
        if self.own.host.is_some() {
            lex.aside(|lex| self.keep_script(lex, end));
        }
        lex.emit_text(&mut self.text, end, self.own.continued);
    }

    /// A token ends here: characters that follow are a string token of their own.
    #[inline(always)]
    pub(super) fn start_text(&mut self, lex: &Lexer<'_>) {
        self.token = Mark::NONE;
        self.text = TextBuffer::at(lex.mark());
        self.own.solid = !self.own.balanced || self.own.preformatted > 0;
        self.own.continued = 0;
    }

    /// What was taken since the `<` is no token but text.
    #[inline(always)]
    pub(super) fn emit_as_text(&mut self) {
        self.token = Mark::NONE;
        self.own.solid = true;
    }

    /// A U+0000 was taken in text or a value.
    #[cold]
    #[inline(never)]
    pub(super) fn null(&mut self, lex: &mut Lexer<'_>) {
        let at = lex.mark() - 1;
        self.own.solid |= self.is_in_text();
        lex.replace(self.string(), at, at + 1, "\u{FFFD}");
        self.error_here(lex, errors::NULL_CHARACTER);
    }
}

impl Lexing for SkyMachine {
    type Classes = SkyClasses;

    fn states(&mut self, lex: Lexer<'_>) -> (usize, u32) {
        self.run_states(lex)
    }

    fn is_finished(&self) -> bool {
        self.state == State::Finished
    }

    fn ill_formed(&mut self, lex: &mut Lexer<'_>, start: Mark, end: Mark) {
        lex.report(errors::ILL_FORMED_BYTES, start, end);
    }

    fn stops(&self) -> Option<usize> {
        (self.state == State::Data && self.own.solid).then_some(TEXT)
    }

    fn certain(&self, until: Mark) -> Mark {
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

    fn advance(&mut self, input: &mut Input, out: &mut Queue, keep: Mark, most: usize) -> Advance {
        input.advance::<SkyClasses>(keep, &mut out.retained, most, &mut self.open)
    }

    fn line_feed_after(&mut self, lex: &mut Lexer<'_>) {
        if self.is_in_text() && self.text.start == lex.mark() - 1 {
            // The CR was no text: it ended the signature.
            self.text = TextBuffer::at(lex.mark());
        } else {
            self.drop_line_feed(lex);
        }
    }

    fn end_text(&mut self, lex: &mut Lexer<'_>, end: Mark) {
        self.flush_text(lex, end);
    }

    fn flush(&mut self, lex: &mut Lexer<'_>, until: Mark, more: u8) {
        if self.own.solid {
            self.keep_script(lex, until);
            let flags = self.own.continued | more;
            lex.emit_cleaned_text(&mut self.text, until, flags);
            self.text = TextBuffer::at(until);
            self.own.continued = CONTINUED;
        }
    }

    fn is_paused(&self) -> bool {
        let host = self.own.host.as_ref();
        host.is_some_and(|host| host.is_waiting())
    }

    fn is_busy(&self) -> bool {
        let host = self.own.host.as_ref();
        host.is_some_and(|host| host.is_resumed())
    }
}
