//! The machine: the registers, the dispatch, and the actions that states share.

use super::host::Host;
use super::state::State;
use super::{Context, Sky, errors};
use crate::attributes::AttributeNames;
use crate::dialect::Machine;
use crate::error::{Code, ErrorKind};
use crate::event::record::{Attr, CONTINUED, MORE, NONE, Piece, Queue};
use crate::input::sniff::{self, Sniffed};
use crate::input::{Advance, Input};
use crate::lexer;
use crate::limits::{Limit, Limits};
use crate::scan::{Classes, Set, classify};
use crate::stack::OpenElements;
use crate::text::numeric::Number;
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
pub(super) struct SkyClasses;

impl Classes for SkyClasses {
    const SETS: &'static [Set] = &SETS;

    fn classify(window: &[u8], masks: &mut Vec<u64>) {
        classify::<Self, { SETS.len() }>(window, masks);
    }
}

pub(super) type Lexer<'w> = lexer::Lexer<'w, SkyClasses>;

/// The machine of [`Sky`].
#[derive(Clone, Debug)]
pub struct SkyMachine {
    pub(super) options: Sky,
    pub(super) limits: Limits,
    pub(super) state: State,
    pub(super) balanced: bool,

    /// The character tokens emitted and not yet handed out: one string token to be.
    pub(super) text: Piece,
    /// That string token stays in the tree, whatever else it holds.
    pub(super) solid: bool,
    /// [`CONTINUED`] if a part of it was handed out.
    pub(super) continued: u8,
    /// The `<` of the token being read.
    pub(super) token: u32,
    /// The tag token: its name, and whether that has a U+0000.
    pub(super) name: u32,
    pub(super) name_end: u32,
    pub(super) name_null: bool,
    pub(super) is_end_tag: bool,
    /// The current attribute, whether its name has a U+0000, and whether it is to be dropped.
    pub(super) attribute: Attr,
    pub(super) attribute_null: bool,
    pub(super) dropped: bool,
    /// Some attribute of the tag has a U+0000 in its name.
    pub(super) nulls: bool,
    pub(super) names: AttributeNames,
    /// The value on its way.
    pub(super) value: Piece,
    /// Where a reference goes on, its `&`, its value.
    pub(super) return_state: State,
    pub(super) reference: u32,
    pub(super) number: Number,
    /// The expectation, and the index in it.
    pub(super) expectation: &'static [u8],
    pub(super) index: usize,
    /// The byte before the window is a CR: an LF at its start is the same line end.
    pub(super) after_cr: bool,

    /// The stack of open nodes. A template and its fragment are one frame.
    pub(super) open: OpenElements,
    /// Where in it the templates are.
    pub(super) templates: Vec<u32>,
    /// How many `t` elements are in it.
    pub(super) preformatted: u32,
    /// What the host is to be told and was told, if there is one.
    pub(super) host: Option<Box<Host>>,
}

impl SkyMachine {
    pub(super) fn new(options: Sky) -> SkyMachine {
        let state = match options.context() {
            Context::Fragment => State::Data,
            Context::Application | Context::Module => State::Signature,
        };
        let text = match state {
            State::Data => Piece::at(0),
            _ => Piece::NONE,
        };
        SkyMachine {
            options,
            limits: Limits::default(),
            state,
            balanced: false,
            text,
            solid: true,
            continued: 0,
            token: NONE,
            name: 0,
            name_end: 0,
            name_null: false,
            is_end_tag: false,
            attribute: Attr::EMPTY,
            attribute_null: false,
            dropped: false,
            nulls: false,
            names: AttributeNames::default(),
            value: Piece::NONE,
            return_state: State::Data,
            reference: NONE,
            number: Number::default(),
            expectation: b"",
            index: 0,
            after_cr: false,
            open: OpenElements::default(),
            templates: Vec::new(),
            preformatted: 0,
            host: None,
        }
    }

    pub(super) fn balance(&mut self) {
        self.balanced = true;
        self.solid = false;
    }

    /// Reports the byte taken last, which is ASCII.
    #[inline(always)]
    pub(super) fn error_here(&self, lex: &mut Lexer<'_>, code: Code) {
        let end = lex.mark();
        lex.report(code, end - 1, end);
    }

    /// Reports the end of the input.
    #[inline(always)]
    pub(super) fn error_at_end(&self, lex: &mut Lexer<'_>, code: Code) {
        let end = lex.mark();
        lex.report(code, end, end);
    }

    /// Ends the parse. The text read so far is delivered before.
    #[cold]
    #[inline(never)]
    pub(super) fn fail(&mut self, lex: &mut Lexer<'_>, kind: ErrorKind, start: u32, end: u32) {
        if lex.out.fatal.is_none() {
            let until = self.certain(start);
            self.flush_text(lex, until);
        }
        lex.end_parse(kind, start, end)
    }

    /// A limit was reached by what stands between two marks.
    #[inline(always)]
    pub(super) fn exceed(&mut self, lex: &mut Lexer<'_>, limit: Limit, start: u32, end: u32) {
        lex.aside(|lex| self.fail(lex, ErrorKind::Limit(limit), start, end));
    }

    /// The mark up to which characters are certainly text, if all before `mark` was taken.
    fn certain(&self, mark: u32) -> u32 {
        let until = mark.min(self.token);
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

    /// Ends the run of characters at the mark `end` and hands it out, unless the tree does without.
    #[inline(always)]
    pub(super) fn flush_text(&mut self, lex: &mut Lexer<'_>, end: u32) {
        if !self.solid {
            self.text.start = NONE;
            lex.out.unfinished = lex.out.scratch.len() as u32;
            return;
        }
        if self.host.is_some() {
            lex.aside(|lex| self.keep_script(lex, end));
        }
        lex.emit_text(&mut self.text, end, self.continued);
    }

    /// A token ends here: characters that follow are a string token of their own.
    #[inline(always)]
    pub(super) fn start_text(&mut self, lex: &Lexer<'_>) {
        self.token = NONE;
        self.text = Piece::at(lex.mark());
        self.solid = !self.balanced || self.preformatted > 0;
        self.continued = 0;
    }

    /// What was taken since the `<` is no token but text.
    #[inline(always)]
    pub(super) fn emit_as_text(&mut self) {
        self.token = NONE;
        self.solid = true;
    }

    /// A CR was taken in text or a value: it, and an LF after it, mean one LF.
    #[cold]
    #[inline(never)]
    pub(super) fn carriage_return(&mut self, lex: &mut Lexer<'_>) {
        let at = lex.mark() - 1;
        let in_text = matches!(
            self.state,
            State::Data | State::ScriptRawData | State::StyleRawData
        );
        let piece = match in_text {
            true => &mut self.text,
            false => &mut self.value,
        };
        match lex.peek() {
            Some(b'\n') => {
                lex.skip(1);
                match in_text {
                    true => lex.remove(piece, at, at + 1),
                    // The value as written begins with the CR.
                    false => lex.replace(piece, at, at + 1, ""),
                }
            }
            Some(_) => lex.replace(piece, at, at + 1, "\n"),
            None => {
                lex.replace(piece, at, at + 1, "\n");
                self.after_cr = true;
            }
        }
    }

    /// A U+0000 was taken in text or a value.
    #[cold]
    #[inline(never)]
    pub(super) fn null(&mut self, lex: &mut Lexer<'_>) {
        let at = lex.mark() - 1;
        let piece = match self.state {
            State::Data | State::ScriptRawData | State::StyleRawData => {
                self.solid = true;
                &mut self.text
            }
            _ => &mut self.value,
        };
        lex.replace(piece, at, at + 1, "\u{FFFD}");
        self.error_here(lex, errors::NULL_CHARACTER);
    }

    /// The LF after a CR that ended the window before.
    fn line_feed_after(&mut self, lex: &mut Lexer<'_>) {
        self.after_cr = false;
        if lex.peek() != Some(b'\n') {
            return;
        }
        let at = lex.mark();
        lex.skip(1);
        let in_text = matches!(
            self.state,
            State::Data | State::ScriptRawData | State::StyleRawData
        );
        if in_text && self.text.start == at {
            // The CR was no text: it ended the signature.
            self.text = Piece::at(at + 1);
        } else if in_text {
            lex.replace(&mut self.text, at, at + 1, "");
        } else {
            lex.replace(&mut self.value, at, at + 1, "");
        }
    }
}

impl Machine for SkyMachine {
    fn set_limits(&mut self, limits: &Limits) {
        self.limits = *limits;
        self.open.set_limits(limits.depth, limits.memory);
    }

    fn sniff(&mut self, prefix: &[u8], finished: bool) -> Option<Sniffed> {
        sniff::utf8(prefix, finished)
    }

    fn keep(&self, end: u32) -> u32 {
        end.min(self.text.start).min(self.token)
    }

    fn token(&self) -> u32 {
        self.token
    }

    fn advance(&mut self, input: &mut Input, out: &mut Queue, most: usize) -> Advance {
        let keep = self.keep(input.end());
        let advance = input.advance::<SkyClasses>(keep, &mut out.carry, most);
        let by = advance.rebase;
        if by > 0 {
            self.text.rebase(by);
            self.value.rebase(by);
            if self.token != NONE {
                self.token -= by;
            }
            for mark in [&mut self.name, &mut self.name_end, &mut self.reference] {
                *mark = mark.wrapping_sub(by);
            }
            self.attribute.rebase(by);
        }
        advance
    }

    fn ill_formed(&mut self, input: &mut Input, out: &mut Queue) {
        let lex = &mut Lexer::new(input.cursor(false), out);
        let start = lex.mark();
        let end = start + char::REPLACEMENT_CHARACTER.len_utf8() as u32;
        lex.report(errors::ILL_FORMED_BYTES, start, end);
    }

    fn run(&mut self, input: &mut Input, out: &mut Queue, eof: bool) {
        let mut lex = Lexer::new(input.cursor(eof), out);
        if self.after_cr && !eof {
            self.line_feed_after(&mut lex);
        }
        let (at, again) = self.states(lex);
        let taken = input.took(at);
        out.work.states += taken as u64 + u64::from(again);
    }

    fn flush(&mut self, input: &mut Input, out: &mut Queue, more: bool) {
        let lex = &mut Lexer::new(input.cursor(false), out);
        let until = self.certain(lex.mark());
        if self.solid && self.text.start < until && !self.text.is_empty(until) {
            self.keep_script(lex, until);
            let flags = self.continued | if more { MORE } else { 0 };
            lex.emit_cleaned_text(&mut self.text, until, flags);
            self.text = Piece::at(until);
            self.continued = CONTINUED;
        }
    }

    fn rebase_scratch(&mut self, by: u32) {
        self.text.rebase_scratch(by);
        self.value.rebase_scratch(by);
        self.attribute.rebase_scratch(by);
    }

    fn is_finished(&self) -> bool {
        self.state == State::Finished
    }

    fn is_paused(&self) -> bool {
        self.host.as_ref().is_some_and(|host| host.is_waiting())
    }

    fn is_busy(&self) -> bool {
        self.host.as_ref().is_some_and(|host| host.is_resumed())
    }
}
