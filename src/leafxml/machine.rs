//! The machine: its registers, the dispatch, and the actions that states share.

use super::LeafXml;
use super::errors;
use super::normal::Normality;
use super::state::State;
use super::states::{Names, TagName};
use crate::dialect::Machine;
use crate::error::{Code, ErrorKind};
use crate::event::record::{Attr, CLEANED, Kind, MORE, NONE, Piece, Queue, Record};
use crate::input::cursor;
use crate::input::sniff::{Sniffed, sniff_mark};
use crate::input::{Advance, Input};
use crate::limits::{Limit, Limits};
use crate::namespaces::Bindings;
use crate::scan::{Classes, Set, classify};
use crate::stack::OpenElements;
use crate::text::leafxml_names::is_char;
use crate::text::normal::{ODD_LEADS, is_plain};
use crate::text::numeric::Number;
use alloc::string::String;
use alloc::vec::Vec;
use unicode_normalization::UnicodeNormalization;

// Beyond ASCII, characters that begin otherwise than with an odd byte are plain: nothing has to be done
// with them but in names.

/// In text: what may be markup, and what must be looked at.
pub(super) const TEXT: usize = 0;
/// Anything but an ASCII character that may stand in any name and has no further meaning.
pub(super) const NAME: usize = 1;
/// In a double-quoted value.
pub(super) const DOUBLE_QUOTED: usize = 2;
/// In a single-quoted value.
pub(super) const SINGLE_QUOTED: usize = 3;
/// In comments, CDATA, instructions.
pub(super) const DELIMITED: usize = 4;
/// Anything but ASCII white space.
pub(super) const NOT_SPACE: usize = 5;

const SETS: [Set; 6] = [
    Set::of(b"<&\x7F").and_controls().and_some_high(&ODD_LEADS),
    Set::of(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-").complement(),
    Set::of(b"\"<& \t\n\x7F")
        .and_controls()
        .and_some_high(&ODD_LEADS),
    Set::of(b"'<& \t\n\x7F")
        .and_controls()
        .and_some_high(&ODD_LEADS),
    Set::of(b"-?]\x7F").and_controls().and_some_high(&ODD_LEADS),
    Set::of(b"\t\n\r ").complement(),
];

/// The byte classes of LeafXML.
#[derive(Clone, Copy, Debug)]
pub(super) struct LeafXmlClasses;

impl Classes for LeafXmlClasses {
    const SETS: &'static [Set] = &SETS;

    fn classify(window: &[u8], masks: &mut Vec<u64>) {
        classify(window, &SETS, masks);
    }
}

pub(super) type Cursor<'w> = cursor::Cursor<'w, LeafXmlClasses>;

/// The states of the tag stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TagStack {
    Initial,
    Active,
    Finished,
}

/// A word of which a part was matched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word {
    pub(super) word: &'static [u8],
    pub(super) matched: usize,
    /// The state that follows the whole word.
    pub(super) then: State,
}

/// An entity escape on its way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Escape {
    /// Mark of its `&`.
    pub(super) start: u32,
    /// Where it stands.
    pub(super) within: State,
    /// The letters of its name so far.
    pub(super) letters: [u8; 4],
    pub(super) length: usize,
    pub(super) number: Number,
}

/// The machine of [`LeafXml`].
#[derive(Clone, Debug)]
pub struct LeafXmlMachine {
    pub(super) options: LeafXml,
    pub(super) limits: Limits,
    pub(super) state: State,

    /// The content assembly: text that was not yet handed out.
    pub(super) text: Piece,
    /// The last character of the content assembly that was not taken as it was written, and its marks.
    pub(super) meant: (char, u32, u32),
    /// The last character of the content assembly is a CR: an LF or NEL is the same line break.
    pub(super) after_cr: bool,
    /// The `<` of the token being read.
    pub(super) token: u32,
    pub(super) word: Word,
    pub(super) escape: Escape,

    /// The name of the tag.
    pub(super) name: TagName,
    /// The current attribute, and its value on its way.
    pub(super) attribute: Attr,
    pub(super) value: Piece,
    /// The last character of the value so far is white space, or there is none.
    pub(super) space: bool,
    /// The mark up to which `space` has seen the value.
    pub(super) seen: u32,
    /// Names of attributes of the current tag, if some are not as written or there are many.
    pub(super) names: Names,
    /// Some attribute of the tag may declare the default namespace; so many have prefixes.
    pub(super) declares: bool,
    pub(super) prefixed: u32,

    /// NFC of the content assembly, and of the name or value on its way.
    pub(super) normal: Normality,
    pub(super) tag_normal: Normality,

    pub(super) stack: TagStack,
    pub(super) open: OpenElements,
    pub(super) bindings: Bindings,
    pub(super) seen_doctype: bool,
}

impl LeafXmlMachine {
    pub(super) fn new(options: LeafXml) -> LeafXmlMachine {
        LeafXmlMachine {
            options,
            limits: Limits::default(),
            state: State::Outside,
            text: Piece::NONE,
            meant: ('\0', NONE, NONE),
            after_cr: false,
            token: NONE,
            word: Word {
                word: b"",
                matched: 0,
                then: State::Text,
            },
            escape: Escape {
                start: NONE,
                within: State::Text,
                letters: [0; 4],
                length: 0,
                number: Number::default(),
            },
            name: TagName::default(),
            attribute: Attr::EMPTY,
            value: Piece::NONE,
            space: false,
            seen: 0,
            names: Names::default(),
            declares: false,
            prefixed: 0,
            normal: Normality::at(NONE),
            tag_normal: Normality::at(NONE),
            stack: TagStack::Initial,
            open: OpenElements::default(),
            bindings: Bindings::new(),
            seen_doctype: false,
        }
    }

    /// Runs states until one suspends. The text state, with the chain that it begins, is part of this
    /// function; the others are out of line and take the cursor by value, so that it stays in
    /// registers here.
    fn states<'w>(&mut self, mut input: Cursor<'w>, out: &mut Queue) -> Cursor<'w> {
        loop {
            if self.state == State::Text {
                match self.text(&mut input, out) {
                    Some(next) => self.state = next,
                    None => return input,
                }
            } else {
                let going;
                (going, input) = self.other_states(input, out);
                if !going {
                    return input;
                }
            }
        }
    }

    /// Runs states other than the text state, until that comes or one suspends; gives which.
    ///
    /// PERF: to hand the cursor back costs as much as a small tag; it is done once for all of them.
    #[inline(never)]
    fn other_states<'w>(&mut self, mut cursor: Cursor<'w>, out: &mut Queue) -> (bool, Cursor<'w>) {
        let input = &mut cursor;
        while self.state != State::Text {
            let next = match self.state {
                State::Token => self.token(input, out),
                State::EndTag => self.end_tag(input, out),
                State::EndTagName => self.end_tag_name(input, out),
                State::TagName => self.tag_name(input, out),
                State::EmptyTag => self.empty_tag(input, out),
                State::AttributeBefore => self.attribute_before(input, out),
                State::AttributeName => self.attribute_name(input, out),
                State::ValueBefore => self.value_before(input, out),
                State::DoubleQuotedValue => self.double_quoted_value(input, out),
                State::SingleQuotedValue => self.single_quoted_value(input, out),
                State::ValueAfter => self.value_after(input, out),
                State::AttributeNameAfter => self.attribute_name_after(input, out),
                State::EndTagNameAfter => self.end_tag_name_after(input, out),
                State::Outside => self.outside(input, out),
                State::TextLineBreak => self.line_break(input, out, State::Text),
                State::CdataLineBreak => self.line_break(input, out, State::Cdata),
                State::Escape => self.escape(input, out),
                State::EscapeNumber => self.escape_number(input, out),
                State::EscapeDecimal => self.escape_decimal(input, out),
                State::EscapeHexadecimal => self.escape_hexadecimal(input, out),
                State::Declaration => self.declaration(input, out),
                State::DeclarationWord => self.declaration_word(input, out),
                State::Cdata => self.cdata(input, out),
                State::CdataBracket => self.cdata_bracket(input, out),
                State::CdataEnd => self.cdata_end(input, out),
                State::Comment => self.comment(input, out),
                State::CommentDash => self.comment_dash(input, out),
                State::CommentEnd => self.comment_end(input, out),
                State::Instruction => self.instruction(input, out),
                State::InstructionEnd => self.instruction_end(input, out),
                State::Doctype => self.doctype(input, out),
                State::DoctypeSingleQuoted => self.doctype_quoted(input, out, b'\''),
                State::DoctypeDoubleQuoted => self.doctype_quoted(input, out, b'"'),
                State::Text | State::Finished => None,
            };
            let Some(next) = next else {
                return (false, cursor);
            };
            self.state = next;
        }
        (true, cursor)
    }

    /// Ends the parse with an error at what stands between two marks. The state given is none that
    /// will run.
    #[inline(always)]
    pub(super) fn fail(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        code: Code,
        start: u32,
        end: u32,
    ) -> State {
        *input = self.fail_cold(*input, out, ErrorKind::Syntax(code), start, end);
        self.state
    }

    /// Ends the parse. The text read so far is delivered before.
    #[cold]
    #[inline(never)]
    fn fail_cold<'w>(
        &mut self,
        mut input: Cursor<'w>,
        out: &mut Queue,
        kind: ErrorKind,
        start: u32,
        end: u32,
    ) -> Cursor<'w> {
        if out.fatal.is_none() {
            let until = self.certain(start);
            self.flush_text(&mut input, out, until);
            out.fail(kind, start, end);
        }
        input.fence();
        input
    }

    /// A limit was reached by what stands between two marks.
    #[inline(always)]
    pub(super) fn exceed(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        limit: Limit,
        start: u32,
        end: u32,
    ) {
        *input = self.fail_cold(*input, out, ErrorKind::Limit(limit), start, end);
    }

    /// Fails at the end of the input.
    pub(super) fn fail_at_end(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        code: Code,
    ) -> State {
        let end = input.mark();
        self.fail(input, out, code, end, end)
    }

    /// Takes the rest of the character whose first byte was taken last; gives it with its marks.
    #[inline]
    pub(super) fn character(input: &mut Cursor<'_>, byte: u8) -> (char, u32, u32) {
        let from = input.mark() - 1;
        let character = match byte {
            0..0x80 => char::from(byte),
            _ => input.wide(),
        };
        (character, from, input.mark())
    }

    /// Fails at the character whose first byte was taken last: with `code`, unless the character may
    /// stand nowhere.
    pub(super) fn fail_here(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        byte: u8,
        code: Code,
    ) -> State {
        let (character, from, to) = Self::character(input, byte);
        let code = match is_char(character) {
            true => code,
            false => errors::DISALLOWED_CHARACTER,
        };
        self.fail(input, out, code, from, to)
    }

    /// Takes the rest of a character, and those beyond ASCII that follow it, where their only meaning
    /// is that they must be in the character set.
    pub(super) fn check_characters(&mut self, input: &mut Cursor<'_>, out: &mut Queue, byte: u8) {
        let mut byte = byte;
        loop {
            let (character, from, to) = Self::character(input, byte);
            if !is_char(character) {
                self.fail(input, out, errors::DISALLOWED_CHARACTER, from, to);
                return;
            }
            match input.peek() {
                Some(next @ 0x80..) => {
                    input.skip(1);
                    byte = next;
                }
                _ => return,
            }
        }
    }

    /// The mark of the character before the mark `at`, which is held.
    #[inline]
    pub(super) fn before(input: &Cursor<'_>, carry: &str, at: u32) -> u32 {
        let mut at = at - 1;
        while input.byte(carry, at) & 0xC0 == 0x80 {
            at -= 1;
        }
        at
    }

    /// The character before the mark `at`, which is held, and its mark.
    pub(super) fn character_before(input: &Cursor<'_>, carry: &str, at: u32) -> (char, u32) {
        let from = Self::before(input, carry, at);
        let (first, second) = input.pieces(carry, from, at);
        let character = first.chars().chain(second.chars()).next();
        (character.unwrap_or(char::REPLACEMENT_CHARACTER), from)
    }

    /// The mark up to which characters are certainly text, if all before `mark` was taken.
    fn certain(&self, mark: u32) -> u32 {
        let until = mark.min(self.token);
        match self.state {
            State::Escape
            | State::EscapeNumber
            | State::EscapeDecimal
            | State::EscapeHexadecimal => until.min(self.escape.start),
            State::CdataBracket => until.saturating_sub(1),
            State::CdataEnd => until.saturating_sub(2),
            _ => until,
        }
    }

    /// Ends the content assembly at the mark `end` and hands it out.
    #[inline(always)]
    pub(super) fn flush_text(&mut self, input: &mut Cursor<'_>, out: &mut Queue, end: u32) {
        if self.text.start < end {
            self.emit_text(input, out, end, 0);
        }
        self.text = Piece::NONE;
    }

    #[inline(always)]
    fn emit_text(&mut self, input: &mut Cursor<'_>, out: &mut Queue, end: u32, more: u8) {
        let start = self.text.start;
        let (mut a, mut b, mut cleaned) = self.text.finish(*input, out, end);
        let end = self.text.end(end);
        if !cleaned {
            self.join(input, out, start, end);
        }
        if !self.normal.sure {
            (a, b) = self.normalize(input, out, a, b, cleaned);
            cleaned = true;
        }
        let mut record = Record {
            a,
            b,
            flags: more,
            ..Record::new(Kind::Text, start, end)
        };
        if cleaned {
            record.flags |= CLEANED;
            out.unfinished = b;
        }
        if a < b {
            self.push(input, out, record);
        }
    }

    /// NFC of a string, which is at the end of the scratch buffer if `cleaned`, and else between two
    /// marks of a token that was joined. Gives its range in the scratch buffer.
    #[cold]
    #[inline(never)]
    pub(super) fn normalize(
        &self,
        input: &Cursor<'_>,
        out: &mut Queue,
        a: u32,
        b: u32,
        cleaned: bool,
    ) -> (u32, u32) {
        let scratch = &mut out.scratch;
        let from = if cleaned {
            scratch.truncate(b as usize);
            let string: String = scratch.split_off(a as usize);
            scratch.extend(string.nfc());
            a
        } else {
            let from = scratch.len() as u32;
            scratch.extend(input.one_piece(&out.carry, a, b).nfc());
            from
        };
        let to = scratch.len() as u32;
        out.work.cleaned += u64::from(to - from);
        (from, to)
    }

    /// Hands out a piece of the text up to its last character, if that ends at the mark `end`, is not as
    /// it was written, and parts the text.
    #[cold]
    fn flush_before_meant(&mut self, input: &mut Cursor<'_>, out: &mut Queue, end: u32) {
        let (character, from, to) = self.meant;
        if to != end || !is_plain(character) || !self.text.take_back(out, from, to, character) {
            return;
        }
        if !self.text.is_empty(from) {
            self.emit_text(input, out, from, MORE);
            self.normal.part(from);
            self.text = Piece::at(from);
        }
        let mut buffer = [0; 4];
        let meant = &*character.encode_utf8(&mut buffer);
        self.text.replace(*input, out, from, to, meant);
    }

    /// Makes the token between two marks one piece, where a chunk ended in it.
    #[inline(always)]
    pub(super) fn join(&self, input: &Cursor<'_>, out: &mut Queue, from: u32, to: u32) {
        if from < input.chunk().1 {
            out.work.copied += input.join(&mut out.carry, to) as u64;
        }
    }

    /// Adds a record, and lets nothing more be taken once the batch is full.
    #[inline(always)]
    pub(super) fn push(&mut self, input: &mut Cursor<'_>, out: &mut Queue, record: Record) {
        if out.push(record) {
            input.fence();
        }
    }

    /// The state that follows a tag: a content assembly may begin here.
    #[inline(always)]
    pub(super) fn after_tag(&mut self, input: &Cursor<'_>) -> State {
        self.token = NONE;
        self.after_cr = false;
        if self.open.is_empty() {
            self.normal = Normality::at(NONE);
            State::Outside
        } else {
            self.text = Piece::at(input.mark());
            self.normal = Normality::at(input.mark());
            State::Text
        }
    }

    /// The state that follows a token that is no tag: the content assembly goes on.
    pub(super) fn content(&mut self) -> State {
        self.token = NONE;
        if self.text.is_none() {
            State::Outside
        } else if self.after_cr {
            State::TextLineBreak
        } else {
            State::Text
        }
    }

    /// The end of the input.
    #[cold]
    #[inline(never)]
    pub(super) fn end_of_file<'w>(
        &mut self,
        mut cursor: Cursor<'w>,
        out: &mut Queue,
    ) -> (State, Cursor<'w>) {
        let input = &mut cursor;
        let state = match self.stack {
            TagStack::Initial => self.fail_at_end(input, out, errors::NO_TAGS),
            TagStack::Active => self.fail_at_end(input, out, errors::UNCLOSED_TAGS),
            TagStack::Finished => State::Finished,
        };
        (state, cursor)
    }
}

impl Machine for LeafXmlMachine {
    fn set_limits(&mut self, limits: &Limits) {
        self.limits = *limits;
        self.open.set_limits(limits.depth, limits.memory);
    }

    fn sniff(&mut self, prefix: &[u8], finished: bool) -> Option<Sniffed> {
        sniff_mark(prefix, finished)
    }

    fn keep(&self, end: u32) -> u32 {
        end.min(self.text.start).min(self.token)
    }

    fn token(&self) -> u32 {
        self.token
    }

    fn advance(&mut self, input: &mut Input, out: &mut Queue, most: usize) -> Advance {
        let keep = self.keep(input.end());
        self.bindings.forget(&mut out.namespaces);
        let advance = input.advance::<LeafXmlClasses>(keep, &mut out.carry, most);
        let by = advance.rebase;
        if by > 0 {
            self.text.rebase(by);
            self.value.rebase(by);
            self.normal.rebase(by);
            self.tag_normal.rebase(by);
            self.name.rebase(by);
            if self.token != NONE {
                self.token -= by;
            }
            for mark in [&mut self.escape.start, &mut self.seen] {
                *mark = mark.wrapping_sub(by);
            }
            self.attribute.rebase(by);
            let (_, from, to) = &mut self.meant;
            (*from, *to) = match *from >= by {
                true => (*from - by, to.wrapping_sub(by)),
                false => (NONE, NONE),
            };
        }
        advance
    }

    fn ill_formed(&mut self, input: &mut Input, out: &mut Queue) {
        let mut cursor = input.cursor(false);
        let start = cursor.mark();
        let end = start + char::REPLACEMENT_CHARACTER.len_utf8() as u32;
        self.fail(&mut cursor, out, errors::ILL_FORMED_BYTES, start, end);
    }

    fn run(&mut self, input: &mut Input, out: &mut Queue, eof: bool) {
        let cursor = input.cursor(eof);
        Bindings::start(&mut out.namespaces);
        let cursor = self.states(cursor, out);
        let (at, again) = cursor.done();
        let taken = input.took(at);
        out.work.states += taken as u64 + u64::from(again);
    }

    fn flush(&mut self, input: &mut Input, out: &mut Queue, more: bool) {
        let mut cursor = input.cursor(false);
        let mut until = self.certain(cursor.mark());
        if self.text.start >= until {
            return;
        }
        if more {
            // A comment or an instruction in the assembly would be an event before all of its text.
            if self.options.has_events_within() {
                return;
            }
            let before = |at| Self::before(&cursor, &out.carry, at);
            match self.normal.boundary(until, before) {
                Some(boundary) if !self.text.is_empty(boundary) => until = boundary,
                _ => {
                    self.flush_before_meant(&mut cursor, out, until);
                    return;
                }
            }
        }
        self.emit_text(&mut cursor, out, until, if more { MORE } else { 0 });
        self.text = Piece::at(until);
        self.normal.part(until);
    }

    fn rebase_scratch(&mut self, by: u32) {
        self.text.rebase_scratch(by);
        self.value.rebase_scratch(by);
        self.name.rebase_scratch(by);
        self.attribute.rebase_scratch(by);
    }

    fn is_finished(&self) -> bool {
        self.state == State::Finished
    }
}
