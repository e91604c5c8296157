//! The machine: the registers as XML-ER names them, the dispatch, and the actions that states share.

use super::Xml;
use super::classes::XmlClasses;
pub(super) use super::classes::{DELIMITED, NAME, NOT_SPACE, QUOTED_VALUE, TEXT};
use super::declarations::Declarations;
use super::errors;
use super::external::Asked;
use super::frames::{Frame, Outermost};
use super::state::State;
use crate::attributes::AttributeNames;
use crate::error::{Code, ErrorKind};
use crate::event::record::{Attr, CLEANED, Kind, NONE, Piece, Record};
use crate::input::sniff::{Sniffed, XmlSniffer};
use crate::lexer;
use crate::limits::{Limit, Limits};
use crate::namespaces::Bindings;
use crate::stack::OpenElements;
use crate::text::numeric::Number;
use alloc::sync::Arc;
use alloc::vec::Vec;

pub(super) type Lexer<'w> = lexer::Lexer<'w, XmlClasses>;

/// The phases of XML-ER's tree construction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    Start,
    Main,
    End,
}

/// A word of which a part was matched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Keyword {
    pub(super) word: &'static [u8],
    pub(super) matched: usize,
    /// The state that follows the whole word.
    pub(super) then: State,
}

impl Keyword {
    pub(super) fn new(word: &'static [u8], then: State) -> Keyword {
        Keyword {
            word,
            matched: 1,
            then,
        }
    }
}

/// The machine of [`Xml`].
#[derive(Clone, Debug)]
pub struct XmlMachine {
    pub(super) options: Xml,
    pub(super) limits: Limits,
    pub(super) state: State,
    pub(super) balanced: bool,

    /// The characters emitted and not yet handed out: one run.
    pub(super) text: Piece,
    /// The `<` of the token being read.
    pub(super) token: u32,
    /// The `<` of a token in the internal subset.
    pub(super) inner: u32,
    /// Tag name, target, or name of a reference.
    pub(super) name: u32,
    pub(super) name_end: u32,
    /// The name has a colon.
    pub(super) colon: bool,
    /// The name being read was reported as none; the tag's name was.
    pub(super) name_reported: bool,
    pub(super) odd: bool,
    /// The current attribute, and whether it is to be dropped.
    pub(super) attribute: Attr,
    pub(super) dropped: bool,
    /// Some attribute of the tag may declare the default namespace; so many have prefixes.
    pub(super) declares: bool,
    pub(super) prefixed: u32,
    /// Names of the attributes of the current tag, once there are many.
    pub(super) names: AttributeNames,
    /// A value, comment, identifier or data on its way.
    pub(super) string: Piece,
    /// Where a reference goes on, its `&` or `%`, its number.
    pub(super) return_state: State,
    pub(super) reference: u32,
    /// So far behind that stands the first colon of its name, if there is one.
    pub(super) colon_in_reference: Option<u32>,
    pub(super) number: Number,
    pub(super) keyword: Keyword,
    pub(super) doctype: super::states::Register,
    /// The quote that ends a literal in a declaration.
    pub(super) quote: u8,
    /// The byte before the window is a CR: an LF at its start is the same line end.
    pub(super) after_cr: bool,

    /// Mark 0 is no more the beginning of the input.
    pub(super) rebased: bool,

    pub(super) phase: Phase,
    pub(super) open: OpenElements,
    pub(super) bindings: Bindings,
    pub(super) seen_doctype: bool,
    /// Entities may be declared where this parser does not read.
    pub(super) unread_declarations: bool,
    /// A parameter entity was not read: what is declared after it is not processed.
    pub(super) unread_parameter: bool,
    pub(super) standalone: bool,
    pub(super) declarations: Arc<Declarations>,
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
    pub(super) percent: u32,
    /// The `%` in a declaration of which it is not known yet whether it begins a reference.
    pub(super) stray_percent: u32,
    /// The document is one of XML 1.1.
    pub(super) is_1_1: bool,
    /// It has just turned out to be.
    pub(super) turns_1_1: bool,
    /// Bytes that entities and defaults have come to.
    pub(super) expanded: u64,
    /// Bytes of text before mark 0.
    pub(super) base: u64,
    pub(super) masks: Vec<u64>,
    pub(super) sniffer: XmlSniffer,
    pub(super) sniffed: Option<Sniffed>,
}

impl XmlMachine {
    pub(super) fn new(options: Xml) -> XmlMachine {
        XmlMachine {
            options,
            limits: Limits::default(),
            state: State::Outside,
            balanced: false,
            text: Piece::NONE,
            token: NONE,
            inner: NONE,
            name: 0,
            name_end: 0,
            colon: false,
            name_reported: false,
            odd: false,
            attribute: Attr::EMPTY,
            dropped: false,
            declares: false,
            prefixed: 0,
            names: AttributeNames::default(),
            string: Piece::NONE,
            return_state: State::Data,
            reference: NONE,
            colon_in_reference: None,
            number: Number::default(),
            keyword: Keyword::new(b"", State::Data),
            doctype: super::states::Register::default(),
            quote: 0,
            after_cr: false,
            rebased: false,
            phase: Phase::Start,
            open: OpenElements::default(),
            bindings: Bindings::new(),
            seen_doctype: false,
            unread_declarations: false,
            unread_parameter: false,
            standalone: false,
            declarations: Arc::default(),
            changes_tags: false,
            present: Vec::new(),
            frames: Vec::new(),
            outermost: Outermost::NONE,
            in_external: false,
            asked: None,
            percent: NONE,
            stray_percent: NONE,
            is_1_1: false,
            turns_1_1: false,
            expanded: 0,
            base: 0,
            masks: Vec::new(),
            sniffer: XmlSniffer::default(),
            sniffed: None,
        }
    }

    pub(super) fn balance(&mut self) {
        self.balanced = true;
    }

    /// Runs states until one suspends. The data state, which enters the loop of plain content, is part
    /// of this function; the others are out of line, so that the lexer stays in registers here. Gives
    /// where that stands.
    pub(super) fn states(&mut self, mut lex: Lexer<'_>) -> (usize, u32) {
        let lex = &mut lex;
        loop {
            if self.state == State::Data {
                match self.data(lex) {
                    Some(next) => self.state = next,
                    None => return lex.done(),
                }
            } else if !lex.aside(|lex| self.other_states(lex)) {
                return lex.done();
            }
        }
    }

    /// Runs one state; gives whether it has not suspended.
    #[inline(never)]
    pub(super) fn one_state(&mut self, lex: &mut Lexer<'_>) -> bool {
        if self.state != State::Data {
            return self.other_states(lex);
        }
        let next = self.data(lex);
        self.state = next.unwrap_or(self.state);
        next.is_some()
    }

    /// Runs states other than the data state, until that comes or one suspends; gives which. Of those in
    /// replacement text it runs one.
    #[inline(never)]
    fn other_states(&mut self, lex: &mut Lexer<'_>) -> bool {
        let in_replacement = !self.frames.is_empty();
        while self.state != State::Data {
            let Some(next) = self.other_state(lex) else {
                return false;
            };
            self.state = next;
            if in_replacement {
                break;
            }
        }
        true
    }

    #[inline(always)]
    fn other_state(&mut self, lex: &mut Lexer<'_>) -> Option<State> {
        match self.state {
            State::Tag => self.tag(lex),
            State::EndTag => self.end_tag(lex),
            State::EndTagName => self.end_tag_name(lex),
            State::TagName => self.tag_name(lex),
            State::EmptyTag => self.empty_tag(lex),
            State::TagAttributeNameBefore => self.tag_attribute_name_before(lex),
            State::TagAttributeName => self.tag_attribute_name(lex),
            State::TagAttributeValueBefore => self.tag_attribute_value_before(lex),
            State::TagAttributeValueDoubleQuoted => self.tag_attribute_value_double_quoted(lex),
            State::Outside => self.outside(lex),
            State::Reference => self.reference(lex),
            State::ReferenceName => self.reference_name(lex),
            State::ReferenceNumber => self.reference_number(lex),
            State::ReferenceDecimal => self.reference_decimal(lex),
            State::ReferenceHexadecimal => self.reference_hexadecimal(lex),
            State::EndTagNameAfter => self.end_tag_name_after(lex),
            State::Pi => self.pi(lex),
            State::PiTarget => self.pi_target(lex),
            State::PiTargetAfter => self.pi_target_after(lex),
            State::PiData => self.pi_data(lex),
            State::PiAfter => self.pi_after(lex),
            State::Declaration => self.declaration(lex),
            State::DeclarationAfter => self.declaration_after(lex),
            State::MarkupDeclaration => self.markup_declaration(lex),
            State::MarkupDeclarationKeyword => self.markup_declaration_keyword(lex),
            State::Comment => self.comment(lex),
            State::CommentDash => self.comment_dash(lex),
            State::CommentEnd => self.comment_end(lex),
            State::Cdata => self.cdata(lex),
            State::CdataBracket => self.cdata_bracket(lex),
            State::CdataEnd => self.cdata_end(lex),
            State::TagAttributeNameAfter => self.tag_attribute_name_after(lex),
            State::TagAttributeValueSingleQuoted => self.tag_attribute_value_single_quoted(lex),
            State::TagAttributeValueUnquoted => self.tag_attribute_value_unquoted(lex),
            State::BogusComment => self.bogus_comment(lex),
            State::Data | State::Finished => None,
            _ => self.doctype_states(lex),
        }
    }

    /// Bytes that are held of what was read, open elements aside.
    pub(super) fn held(&self) -> usize {
        self.bindings
            .held()
            .saturating_add(self.declarations.held())
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
    pub(super) fn error(&mut self, lex: &mut Lexer<'_>, code: Code, start: u32, end: u32) {
        if self.options.is_strict() {
            return self.fail(lex, ErrorKind::Syntax(code), start, end);
        }
        if lex.out.report && lex.out.fatal.is_none() {
            let entity = self.in_entity(start, end);
            let (start, end) = self.outer_span(start, end);
            lex.out.push_error_in(code, start, end, entity);
            if lex.out.records.len() >= lex.out.capacity {
                lex.fence();
            }
        }
    }

    /// Ends the parse. The text read so far is delivered before.
    #[cold]
    #[inline(never)]
    fn fail(&mut self, lex: &mut Lexer<'_>, kind: ErrorKind, start: u32, end: u32) {
        if lex.out.fatal.is_none() {
            let until = self.certain(start);
            self.flush_text(lex, until);
            let entity = self.in_entity(start, end);
            let (start, end) = self.outer_span(start, end);
            lex.out.fail_in(kind, start, end, entity);
        }
        lex.fence();
    }

    /// A limit was reached by what stands between two marks.
    pub(super) fn exceed(&mut self, lex: &mut Lexer<'_>, limit: Limit, start: u32, end: u32) {
        self.fail(lex, ErrorKind::Limit(limit), start, end);
    }

    /// Reports the character whose first byte was taken last.
    pub(super) fn error_here(&mut self, lex: &mut Lexer<'_>, code: Code) {
        self.error_character(lex, code, lex.mark() - 1);
    }

    /// Reports the character that comes next and is not taken yet.
    pub(super) fn error_next(&mut self, lex: &mut Lexer<'_>, code: Code) {
        self.error_character(lex, code, lex.mark());
    }

    #[cold]
    #[inline(never)]
    fn error_character(&mut self, lex: &mut Lexer<'_>, code: Code, start: u32) {
        let length = match lex.byte(start) {
            0..0xC0 => 1,
            0xC0..0xE0 => 2,
            0xE0..0xF0 => 3,
            0xF0.. => 4,
        };
        self.error(lex, code, start, start + length);
    }

    /// Reports the end of the input.
    pub(super) fn error_at_end(&mut self, lex: &mut Lexer<'_>, code: Code) {
        self.error(lex, code, lex.mark(), lex.mark());
    }

    /// The mark up to which characters are certainly text, if all before `mark` was taken.
    pub(super) fn certain(&self, mark: u32) -> u32 {
        let until = mark.min(self.token);
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

    /// Ends the run of characters at the mark `end` and hands it out.
    #[inline(always)]
    pub(super) fn flush_text(&mut self, lex: &mut Lexer<'_>, end: u32) {
        let start = self.text.start;
        if start < end {
            if let Some(a) = self.text.as_written() {
                lex.join(start, end);
                let record = Record {
                    a,
                    b: end,
                    ..Record::new(Kind::Text, start, end)
                };
                if !(self.balanced && self.phase != Phase::Main) && a < end {
                    lex.emit(record);
                }
            } else {
                self.emit_cleaned_text(lex, end, 0);
            }
        }
        self.text.start = NONE;
    }

    /// Hands out the run of characters up to the mark `end`.
    #[cold]
    #[inline(never)]
    pub(super) fn emit_cleaned_text(&mut self, lex: &mut Lexer<'_>, end: u32, more: u8) {
        let start = self.text.start;
        let (a, b, cleaned) = lex.finish(&mut self.text, end);
        let end = self.text.end(end);
        let mut record = Record {
            a,
            b,
            flags: more,
            ..Record::new(Kind::Text, start, end)
        };
        if cleaned {
            record.flags |= CLEANED;
            lex.out.unfinished = b;
        } else {
            lex.join(start, end);
        }
        if a < b && !(self.balanced && self.phase != Phase::Main) {
            lex.emit(record);
        } else if start == 0 {
            // A run that began before the reference is not handed out: the next has its own beginning.
            self.outermost.run = NONE;
        }
    }

    /// The state that follows a token: text begins here.
    #[inline(always)]
    pub(super) fn content(&mut self, lex: &Lexer<'_>) -> State {
        self.token = NONE;
        if self.open.is_empty() {
            State::Outside
        } else {
            self.text = Piece::at(lex.mark());
            State::Data
        }
    }

    /// A CR was taken, in a string: it and an LF after it mean `meant`.
    #[cold]
    #[inline(never)]
    pub(super) fn carriage_return(&mut self, lex: &mut Lexer<'_>, meant: &str) {
        let at = lex.mark() - 1;
        if self.in_internal_entity() {
            // There it comes from a reference, and is no line end.
            if meant == " " {
                lex.replace(self.piece(), at, at + 1, meant);
            }
            return;
        }
        match lex.peek() {
            // The LF stays, and means what it means to the state.
            Some(b'\n') => lex.remove(self.piece(), at, at + 1),
            Some(_) => lex.replace(self.piece(), at, at + 1, meant),
            None => {
                lex.replace(self.piece(), at, at + 1, meant);
                // The text of an entity is held whole: nothing follows.
                self.after_cr = self.frames.is_empty();
            }
        }
    }

    /// The string that the current state adds to.
    pub(super) fn piece(&mut self) -> &mut Piece {
        match self.state {
            State::Data | State::Cdata => &mut self.text,
            _ => &mut self.string,
        }
    }

    /// A byte was taken that may be, or begin, a character that is not one of XML's.
    #[cold]
    #[inline(never)]
    pub(super) fn check_character(&mut self, lex: &mut Lexer<'_>, byte: u8) {
        let legal = match byte {
            b'\t' | b'\n' | b'\r' => true,
            // In XML 1.1, references may have brought them into replacement text.
            1..0x20 | 0x7F | 0xC2 if self.is_1_1 && self.in_internal_entity() => true,
            0..0x20 => false,
            0x7F => !self.is_1_1,
            0xC2 => !self.is_1_1 || !matches!(lex.peek(), Some(0x80..=0x9F)),
            0xEF => lex.peek() != Some(0xBF) || !matches!(lex.peek_at(1), Some(0xBE | 0xBF)),
            _ => true,
        };
        if !legal {
            let start = lex.mark() - 1;
            match byte {
                0xEF => lex.skip(2),
                0xC2 => lex.skip(1),
                _ => {}
            }
            let end = lex.mark();
            self.error(lex, errors::ILLEGAL_CHARACTER, start, end);
        }
    }

    /// Emits the end-of-file token: the tree construction's last word.
    #[cold]
    #[inline(never)]
    pub(super) fn end_of_file(&mut self, lex: &mut Lexer<'_>) -> State {
        if !self.frames.is_empty() {
            return self.leave(lex);
        }
        let end = lex.mark();
        self.flush_text(lex, end);
        self.end_of_file_token(lex);
        State::Finished
    }
}
