//! The machine: the registers as the standard names them, the dispatch, and the actions that states
//! share.

use super::foreign::Foreign;
use super::state::State;
use super::states::ScriptName;
use super::stream::{self, Reported};
use super::{Html, InitialState};
use crate::attributes::AttributeNames;
use crate::dialect::Machine;
use crate::error::Code;
use crate::event::record::{Attr, CLEANED, DoctypeDetails, Kind, MORE, NONE, Piece, Queue, Record};
use crate::input::cursor::{self, Unit};
use crate::input::sniff::Sniffed;
use crate::input::sniff::html::HtmlSniffer;
use crate::input::{Advance, Input, Supply};
use crate::limits::Limits;
use crate::scan::{Classes, Set, classify};
use crate::text::html_names::Match;
use crate::text::numeric::Number;
use alloc::string::String;
use alloc::vec::Vec;

/// In text: what does not stand for itself.
pub(super) const TEXT: usize = 0;
/// Anything but a character of a tag's or attribute's name that stands for itself.
pub(super) const NAME: usize = 1;
/// In a value between double quotes.
pub(super) const DOUBLE_QUOTED: usize = 2;

/// The classes that windows have masks of, in the order of these constants.
///
/// PERF: each more costs a page one to four instructions in a hundred, by callgrind over a program that
/// reads it; the sets below are looked for byte by byte.
const SETS: [Set; 3] = [
    Set::of(b"<&\0\r"),
    Set::of(b"\t\n\x0C\r />=\0\"'<ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
    Set::of(b"\"&\0\r"),
];

/// In a value between single quotes.
pub(super) static SINGLE_QUOTED: Set = Set::of(b"'&\0\r");
/// In a value without quotes.
pub(super) static UNQUOTED: Set = Set::of(b"\t\n\x0C\r &>\0\"'<=`");
/// In comments, and scripts like comments.
pub(super) static COMMENT: Set = Set::of(b"-<\0\r");
/// In CDATA sections.
pub(super) static CDATA: Set = Set::of(b"]\0\r");
/// In processing instructions, bogus comments and bogus DOCTYPEs.
pub(super) static BOGUS: Set = Set::of(b">?\0\r");
/// Anything but white space.
pub(super) static NOT_SPACE: Set = Set::of(b"\t\n\x0C\r ").complement();

/// The byte classes of HTML.
#[derive(Clone, Copy, Debug)]
pub(super) struct HtmlClasses;

impl Classes for HtmlClasses {
    const SETS: &'static [Set] = &SETS;

    fn classify(window: &[u8], masks: &mut Vec<u64>) {
        classify::<Self, { SETS.len() }>(window, masks);
    }
}

pub(super) type Cursor<'w> = cursor::Cursor<'w, HtmlClasses>;

/// A word, in capitals, of which a part was matched in any case.
#[derive(Clone, Copy, Debug)]
pub(super) struct Keyword {
    pub(super) word: &'static [u8],
    pub(super) matched: usize,
    /// Whether only capitals match.
    pub(super) exact: bool,
}

impl Keyword {
    /// The first letter of `word` was taken.
    pub(super) fn new(word: &'static [u8], exact: bool) -> Keyword {
        Keyword {
            word,
            matched: 1,
            exact,
        }
    }

    /// Takes the next byte: `None` if it is not the word's, else whether the word is whole.
    pub(super) fn take(&mut self, byte: u8) -> Option<bool> {
        let byte = if self.exact {
            byte
        } else {
            byte.to_ascii_uppercase()
        };
        if self.word[self.matched] != byte {
            return None;
        }
        self.matched += 1;
        Some(self.matched == self.word.len())
    }
}

/// The machine of [`Html`].
#[derive(Clone, Debug)]
pub struct HtmlMachine {
    pub(super) options: Html,
    pub(super) limits: Limits,
    pub(super) state: State,
    pub(super) return_state: State,

    /// The characters emitted and not yet handed out: one run.
    pub(super) text: Piece,
    /// `NULLS`, if there is U+0000 among them.
    pub(super) nulls: u8,
    /// The `<` of the token being read.
    pub(super) token: u32,
    /// Tag name, target, or keyword.
    pub(super) name: u32,
    pub(super) name_end: u32,
    /// The name is written with what it does not mean: capitals, or U+0000.
    pub(super) odd_name: bool,
    /// The tag is an end tag.
    pub(super) is_end_tag: bool,
    /// The current attribute, and whether it is to be dropped.
    pub(super) attribute: Attr,
    pub(super) dropped: bool,
    /// Names of the attributes of the current tag, once there are many.
    pub(super) names: AttributeNames,
    /// A value, comment, identifier or data on its way.
    pub(super) string: Piece,
    /// The `&` of a reference, and what is known of it.
    pub(super) reference: u32,
    pub(super) named: Match,
    pub(super) number: Number,
    pub(super) keyword: Keyword,
    pub(super) script: ScriptName,
    pub(super) doctype: DoctypeDetails,
    /// The byte before the window is a CR: an LF at its start is the same line end.
    pub(super) after_cr: bool,
    /// What the input stream reports of the window, from `told` on not yet told.
    pub(super) stream: Vec<Reported>,
    pub(super) told: usize,

    /// The name of the last start tag, where its end tag matters.
    pub(super) last_start_tag: String,
    /// The content of the last start tag is text, up to its end tag.
    pub(super) in_text_element: bool,
    pub(super) foreign: Foreign,
    /// A consumer of the tags says what they switch to, and whether CDATA sections are read.
    pub(super) feedback: Option<Feedback>,
    sniffer: HtmlSniffer,
    pub(super) sniffed: Option<Sniffed>,
    /// The encoding is tentative, and no `meta` has confirmed it.
    pub(super) is_tentative: bool,
}

/// What the consumer of the tags, a tree builder, has said.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Feedback {
    /// The state to go on in, where it is another one than that which the tags tell.
    pub(crate) state: Option<InitialState>,
    /// Whether the adjusted current node is foreign, so that CDATA sections are read; `None`: it is, but
    /// the first text will come into a formatting element.
    pub(crate) cdata: Option<bool>,
    /// Whether any open element is foreign: then every tag ends its batch.
    pub(crate) foreign: bool,
}

impl HtmlMachine {
    pub(super) fn new(options: Html) -> HtmlMachine {
        HtmlMachine {
            state: State::from(options.initial_state),
            last_start_tag: options
                .last_start_tag
                .as_deref()
                .map_or_else(String::new, str::to_ascii_lowercase),
            in_text_element: options.initial_state != InitialState::Data,
            foreign: options
                .fragment
                .as_deref()
                .map_or_else(Foreign::default, Foreign::within),
            options,
            limits: Limits::default(),
            return_state: State::Data,
            text: Piece::at(0),
            nulls: 0,
            token: NONE,
            name: 0,
            name_end: 0,
            odd_name: false,
            is_end_tag: false,
            attribute: Attr::EMPTY,
            dropped: false,
            names: AttributeNames::default(),
            string: Piece::NONE,
            reference: NONE,
            named: Match::new(),
            number: Number::default(),
            keyword: Keyword::new(b"", true),
            script: ScriptName::default(),
            doctype: DoctypeDetails::default(),
            after_cr: false,
            stream: Vec::new(),
            told: 0,
            feedback: None,
            sniffer: HtmlSniffer::default(),
            sniffed: None,
            is_tentative: false,
        }
    }

    /// Runs states until one suspends; content is read by the fast path as far as that goes.
    #[inline(always)]
    fn states<'w>(&mut self, mut input: Cursor<'w>, out: &mut Queue) -> Cursor<'w> {
        loop {
            if self.state == State::Data && self.is_plain(&input, out) {
                (self.state, input) = self.fast_path(&input, out);
            }
            match self.run_state(&mut input, out) {
                Some(state) => self.state = state,
                None => return input,
            }
        }
    }

    /// Runs a state.
    #[inline(always)]
    fn run_state(&mut self, input: &mut Cursor<'_>, out: &mut Queue) -> Option<State> {
        match self.state {
            State::Data => self.data(input, out),
            State::Rcdata => self.rcdata(input, out),
            State::Rawtext => self.rawtext(input, out),
            State::ScriptData => self.script_data(input, out),
            State::Plaintext => self.plaintext(input, out),
            State::TagOpen => self.tag_open(input, out),
            State::EndTagOpen => self.end_tag_open(input, out),
            State::TagName => self.tag_name(input, out),
            State::RcdataLessThanSign => self.rcdata_less_than_sign(input, out),
            State::RcdataEndTagOpen => self.rcdata_end_tag_open(input, out),
            State::RcdataEndTagName => self.rcdata_end_tag_name(input, out),
            State::RawtextLessThanSign => self.rawtext_less_than_sign(input, out),
            State::RawtextEndTagOpen => self.rawtext_end_tag_open(input, out),
            State::RawtextEndTagName => self.rawtext_end_tag_name(input, out),
            State::ScriptDataLessThanSign => self.script_data_less_than_sign(input, out),
            State::ScriptDataEndTagOpen => self.script_data_end_tag_open(input, out),
            State::ScriptDataEndTagName => self.script_data_end_tag_name(input, out),
            State::ScriptDataEscapeStart => self.script_data_escape_start(input, out),
            State::ScriptDataEscapeStartDash => self.script_data_escape_start_dash(input, out),
            State::ScriptDataEscaped => self.script_data_escaped(input, out),
            State::ScriptDataEscapedDash => self.script_data_escaped_dash(input, out),
            State::ScriptDataEscapedDashDash => self.script_data_escaped_dash_dash(input, out),
            State::ScriptDataEscapedLessThanSign => {
                self.script_data_escaped_less_than_sign(input, out)
            }
            State::ScriptDataEscapedEndTagOpen => self.script_data_escaped_end_tag_open(input, out),
            State::ScriptDataEscapedEndTagName => self.script_data_escaped_end_tag_name(input, out),
            State::ScriptDataDoubleEscapeStart => self.script_data_double_escape_start(input, out),
            State::ScriptDataDoubleEscaped => self.script_data_double_escaped(input, out),
            State::ScriptDataDoubleEscapedDash => self.script_data_double_escaped_dash(input, out),
            State::ScriptDataDoubleEscapedDashDash => {
                self.script_data_double_escaped_dash_dash(input, out)
            }
            State::ScriptDataDoubleEscapedLessThanSign => {
                self.script_data_double_escaped_less_than_sign(input, out)
            }
            State::ScriptDataDoubleEscapeEnd => self.script_data_double_escape_end(input, out),
            State::BeforeAttributeName => self.before_attribute_name(input, out),
            State::AttributeName => self.attribute_name(input, out),
            State::AfterAttributeName => self.after_attribute_name(input, out),
            State::BeforeAttributeValue => self.before_attribute_value(input, out),
            State::AttributeValueDoubleQuoted => self.attribute_value_double_quoted(input, out),
            State::AttributeValueSingleQuoted => self.attribute_value_single_quoted(input, out),
            State::AttributeValueUnquoted => self.attribute_value_unquoted(input, out),
            State::AfterAttributeValueQuoted => self.after_attribute_value_quoted(input, out),
            State::SelfClosingStartTag => self.self_closing_start_tag(input, out),
            State::BogusComment => self.bogus_comment(input, out),
            State::MarkupDeclarationOpen => self.markup_declaration_open(input, out),
            State::MarkupDeclarationKeyword => self.markup_declaration_keyword(input, out),
            State::CommentStart => self.comment_start(input, out),
            State::CommentStartDash => self.comment_start_dash(input, out),
            State::Comment => self.comment(input, out),
            State::CommentLessThanSign => self.comment_less_than_sign(input, out),
            State::CommentLessThanSignBang => self.comment_less_than_sign_bang(input, out),
            State::CommentLessThanSignBangDash => self.comment_less_than_sign_bang_dash(input, out),
            State::CommentLessThanSignBangDashDash => {
                self.comment_less_than_sign_bang_dash_dash(input, out)
            }
            State::CommentEndDash => self.comment_end_dash(input, out),
            State::CommentEnd => self.comment_end(input, out),
            State::CommentEndBang => self.comment_end_bang(input, out),
            State::Doctype => self.doctype(input, out),
            State::BeforeDoctypeName => self.before_doctype_name(input, out),
            State::DoctypeName => self.doctype_name(input, out),
            State::AfterDoctypeName => self.after_doctype_name(input, out),
            State::AfterDoctypeNameKeyword => self.after_doctype_name_keyword(input, out),
            State::AfterDoctypePublicKeyword => self.after_doctype_public_keyword(input, out),
            State::BeforeDoctypePublicIdentifier => {
                self.before_doctype_public_identifier(input, out)
            }
            State::DoctypePublicIdentifierDoubleQuoted => {
                self.doctype_public_identifier_double_quoted(input, out)
            }
            State::DoctypePublicIdentifierSingleQuoted => {
                self.doctype_public_identifier_single_quoted(input, out)
            }
            State::AfterDoctypePublicIdentifier => self.after_doctype_public_identifier(input, out),
            State::BetweenDoctypePublicAndSystemIdentifiers => {
                self.between_doctype_public_and_system_identifiers(input, out)
            }
            State::AfterDoctypeSystemKeyword => self.after_doctype_system_keyword(input, out),
            State::BeforeDoctypeSystemIdentifier => {
                self.before_doctype_system_identifier(input, out)
            }
            State::DoctypeSystemIdentifierDoubleQuoted => {
                self.doctype_system_identifier_double_quoted(input, out)
            }
            State::DoctypeSystemIdentifierSingleQuoted => {
                self.doctype_system_identifier_single_quoted(input, out)
            }
            State::AfterDoctypeSystemIdentifier => self.after_doctype_system_identifier(input, out),
            State::BogusDoctype => self.bogus_doctype(input, out),
            State::CdataSection => self.cdata_section(input, out),
            State::CdataSectionBracket => self.cdata_section_bracket(input, out),
            State::CdataSectionEnd => self.cdata_section_end(input, out),
            State::ProcessingInstructionOpen => self.processing_instruction_open(input, out),
            State::ProcessingInstructionTarget => self.processing_instruction_target(input, out),
            State::AfterProcessingInstructionTarget => {
                self.after_processing_instruction_target(input, out)
            }
            State::ProcessingInstructionData => self.processing_instruction_data(input, out),
            State::ProcessingInstructionQuestionable => {
                self.processing_instruction_questionable(input, out)
            }
            State::CharacterReference => self.character_reference(input, out),
            State::NamedCharacterReference => self.named_character_reference(input, out),
            State::AmbiguousAmpersand => self.ambiguous_ampersand(input, out),
            State::NumericCharacterReference => self.numeric_character_reference(input, out),
            State::HexadecimalCharacterReferenceStart => {
                self.hexadecimal_character_reference_start(input, out)
            }
            State::HexadecimalCharacterReference => {
                self.hexadecimal_character_reference(input, out)
            }
            State::DecimalCharacterReference => self.decimal_character_reference(input, out),
            State::Finished => None,
        }
    }

    /// The mark up to which characters are certainly text, if all before `mark` was taken.
    pub(super) fn certain(&self, mark: u32) -> u32 {
        let until = mark.min(self.token);
        match self.state {
            State::CharacterReference
            | State::NamedCharacterReference
            | State::NumericCharacterReference
            | State::HexadecimalCharacterReferenceStart
            | State::HexadecimalCharacterReference
            | State::DecimalCharacterReference => until.min(self.reference),
            State::CdataSectionBracket => until.saturating_sub(1),
            State::CdataSectionEnd => until.saturating_sub(2),
            _ => until,
        }
    }

    /// Ends the run of characters at the mark `end` and hands it out.
    #[inline(always)]
    pub(super) fn flush_text(&mut self, input: &mut Cursor<'_>, out: &mut Queue, end: u32) {
        let start = self.text.start;
        if start < end {
            if let Some(a) = self.text.as_written() {
                self.join(input, out, start, end);
                let record = Record {
                    a,
                    b: end,
                    flags: core::mem::take(&mut self.nulls),
                    ..Record::new(Kind::Text, start, end)
                };
                if a < end {
                    self.push(input, out, record);
                }
            } else {
                *input = self.emit_cleaned_text(*input, out, end, 0);
            }
        }
        self.text.start = NONE;
    }

    /// Hands out the run of characters up to the mark `end`.
    #[cold]
    #[inline(never)]
    fn emit_cleaned_text<'w>(
        &mut self,
        mut input: Cursor<'w>,
        out: &mut Queue,
        end: u32,
        more: u8,
    ) -> Cursor<'w> {
        let start = self.text.start;
        let (a, b, cleaned) = self.text.finish(input, out, end);
        let end = self.text.end(end);
        let mut record = Record {
            a,
            b,
            flags: more | core::mem::take(&mut self.nulls),
            ..Record::new(Kind::Text, start, end)
        };
        if cleaned {
            record.flags |= CLEANED;
            out.unfinished = b;
        } else {
            self.join(&input, out, start, end);
        }
        if a < b {
            self.push(&mut input, out, record);
        }
        input
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
        self.tell(out, record.end);
        if out.push(record) {
            input.fence();
        }
    }

    /// A token has ended: text begins here.
    #[inline(always)]
    pub(super) fn content(&mut self, input: &Cursor<'_>) {
        self.token = NONE;
        self.text = Piece::at(input.mark());
    }

    /// What was taken for the beginning of a token is text.
    #[inline(always)]
    pub(super) fn emit_as_text(&mut self, state: State) -> State {
        self.token = NONE;
        state
    }

    /// A `<` was taken in text.
    #[inline(always)]
    pub(super) fn less_than_sign(&mut self, input: &Cursor<'_>, state: State) -> State {
        self.token = input.mark() - 1;
        state
    }

    /// Whether CDATA sections are read here.
    pub(super) fn allows_cdata(&self) -> bool {
        match self.feedback {
            Some(feedback) => feedback.cdata.unwrap_or(true),
            None => self.foreign.reads_cdata(),
        }
    }

    /// A `!` was taken after a `<`: the text before may decide whether CDATA sections are read. Then the
    /// batch ends with it.
    #[inline(always)]
    pub(super) fn settle_cdata(&mut self, input: &mut Cursor<'_>, out: &mut Queue) {
        let is_open = self
            .feedback
            .is_some_and(|feedback| feedback.cdata.is_none());
        if is_open || !self.allows_cdata() {
            self.flush_text(input, out, self.token);
        }
        if is_open {
            // A CDATA section would be text, from here on.
            self.text = Piece::at(self.token);
            if !out.records.is_empty() {
                input.fence();
            }
        }
    }

    /// Emits the end-of-file token.
    #[cold]
    #[inline(never)]
    pub(super) fn end_of_file<'w>(
        &mut self,
        mut input: Cursor<'w>,
        out: &mut Queue,
    ) -> (State, Cursor<'w>) {
        let end = input.mark();
        self.flush_text(&mut input, out, end);
        (State::Finished, input)
    }

    /// The end of the input, with what it is an error in.
    pub(super) fn end_in(&mut self, input: &mut Cursor<'_>, out: &mut Queue, code: Code) -> State {
        self.error_at(input, out, code, Unit::Eof);
        let (state, after) = self.end_of_file(*input, out);
        *input = after;
        state
    }
}

impl Machine for HtmlMachine {
    fn set_limits(&mut self, limits: &Limits) {
        self.limits = *limits;
    }

    fn sniff(&mut self, prefix: &[u8], finished: bool) -> Option<Sniffed> {
        let (certain, hint) = (self.options.encoding, self.options.encoding_hint);
        self.sniffed = self.sniffer.sniff(prefix, finished, certain, hint);
        self.is_tentative = self.sniffed.is_some_and(|sniffed| sniffed.is_tentative());
        self.sniffed
    }

    fn keep(&self, end: u32) -> u32 {
        end.min(self.text.start).min(self.token)
    }

    fn token(&self) -> u32 {
        self.token
    }

    fn advance(&mut self, input: &mut Input, out: &mut Queue, most: usize) -> Advance {
        let keep = self.keep(input.end());
        let advance = input.advance::<HtmlClasses>(keep, &mut out.carry, most);
        let by = advance.rebase;
        if by > 0 {
            self.text.rebase(by);
            self.string.rebase(by);
            if self.token != NONE {
                self.token -= by;
            }
            for mark in [&mut self.name, &mut self.name_end, &mut self.reference] {
                *mark = mark.wrapping_sub(by);
            }
            self.attribute.rebase(by);
        }
        if out.report && advance.supply == Supply::Window {
            self.stream.clear();
            self.told = 0;
            let cursor: Cursor<'_> = input.cursor(false);
            stream::look_through(cursor.rest(), cursor.mark(), &mut self.stream);
        }
        advance
    }

    fn ill_formed(&mut self, _: &mut Input, _: &mut Queue) {
        // The standard has no name for this error; the text says it with U+FFFD.
    }

    fn run(&mut self, input: &mut Input, out: &mut Queue, eof: bool) {
        let mut cursor = input.cursor(eof);
        if self.after_cr && !eof {
            self.after_cr = false;
            if cursor.peek() == Some(b'\n') {
                cursor.skip(1);
                let at = cursor.mark() - 1;
                self.piece().replace(cursor, out, at, at + 1, "");
            }
        }
        let cursor = self.states(cursor, out);
        self.tell(out, cursor.mark());
        let (at, again) = cursor.done();
        let taken = input.took(at);
        out.work.states += taken as u64 + u64::from(again);
    }

    fn flush(&mut self, input: &mut Input, out: &mut Queue, more: bool) {
        let cursor = input.cursor(false);
        let until = self.certain(cursor.mark());
        if self.text.start < until && !self.text.is_empty(until) {
            self.emit_cleaned_text(cursor, out, until, if more { MORE } else { 0 });
            self.text = Piece::at(until);
        }
    }

    fn rebase_scratch(&mut self, by: u32) {
        self.text.rebase_scratch(by);
        self.string.rebase_scratch(by);
        self.attribute.rebase_scratch(by);
    }

    fn is_finished(&self) -> bool {
        self.state == State::Finished
    }
}
