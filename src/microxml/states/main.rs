//! Main tokenization mode: data, and the look-aheads that make a start tag or an end tag of it.
//!
//! A look-ahead that fails leaves data: nothing in it but its last character could be the beginning
//! of another token, so nothing is read twice.

use crate::event::record::{Attr, SELF_CLOSING};
use crate::input::Mark;
use crate::lexer::{
    TextBuffer,
    Unit::{Byte, Eof},
};
use crate::microxml::classes::{NAME, NOT_SPACE, TEXT};
use crate::microxml::errors;
use crate::microxml::machine::{Lexer, MicroXmlMachine};
use crate::microxml::state::{Next, State};
use crate::text::microxml_names::is_name_start_byte;

impl MicroXmlMachine {
    /// Main tokenization mode
    #[inline(always)]
    pub(super) fn main(&mut self, lex: &mut Lexer<'_>) -> Next {
        let unit = match self.own.blank {
            // Strictly, a form feed is no white space.
            true if self.own.strict => lex.next()?,
            true => lex.until::<NOT_SPACE>()?,
            false => lex.until::<TEXT>()?,
        };
        Some(match unit {
            Byte(byte) => {
                if self.own.strict
                    && !self.own.blank
                    && let run @ 1.. = self.legal_run_from(lex, byte)
                {
                    lex.skip(run - 1);
                    return Some(State::Main);
                }
                self.main_byte(lex, byte)
            }
            Eof => self.end_of_file(lex),
        })
    }

    /// A byte was taken in the Main mode.
    #[inline(always)]
    pub(super) fn main_byte(&mut self, lex: &mut Lexer<'_>, byte: u8) -> State {
        match byte {
            b'<' => {
                self.token = lex.mark() - 1;
                State::Open
            }
            b'&' => {
                if self.own.blank {
                    // Strictly, no reference may stand outside the root element.
                    self.end_strict_text(lex, lex.mark() - 1);
                }
                self.reference_from(State::Main, lex)
            }
            b'\r' => {
                self.state = State::Main;
                lex.aside(|lex| self.carriage_return(lex));
                State::Main
            }
            _ => {
                self.state = State::Main;
                lex.aside(|lex| self.data_char(lex, byte));
                State::Main
            }
        }
    }

    /// A data character was taken that is more than itself: outside the root element, or in a strict
    /// parse.
    #[cold]
    #[inline(never)]
    fn data_char(&mut self, lex: &mut Lexer<'_>, byte: u8) {
        let start = lex.mark() - 1;
        if byte == b'>' {
            let code = errors::GREATER_THAN_IN_TEXT;
            self.refuse(lex, code, start, start + 1);
        }
        self.check_character(lex, byte);
        if !matches!(byte, b'\t' | b'\n' | 0xC | b' ') {
            self.solid(lex, start);
        }
    }

    /// A data character that is no white space begins at this mark.
    pub(super) fn solid(&mut self, lex: &mut Lexer<'_>, start: Mark) {
        if self.own.blank {
            self.own.blank = false;
            self.repair(lex, errors::TEXT_OUTSIDE_ROOT, start, start);
        }
    }

    /// Strictly, text ends at this mark, whatever follows.
    #[inline(always)]
    pub(super) fn end_strict_text(&mut self, lex: &mut Lexer<'_>, mark: Mark) {
        if self.own.strict && self.text.start < mark {
            self.flush_text(lex, mark);
            self.text = TextBuffer::at(mark);
        }
    }

    /// What was read since the `<` is no token but data, up to the byte taken last.
    #[inline(always)]
    pub(super) fn no_token(&mut self, lex: &mut Lexer<'_>, byte: u8) -> State {
        let end = lex.mark() - 1;
        lex.aside(|lex| self.no_token_until(lex, end));
        self.main_byte(lex, byte)
    }

    #[cold]
    #[inline(never)]
    pub(super) fn no_token_until(&mut self, lex: &mut Lexer<'_>, end: Mark) {
        let start = self.token;
        self.repair(lex, errors::STRAY_MARKUP, start, start + 1);
        self.token = Mark::NONE;
        lex.out.attributes.truncate(lex.out.open as usize);
        self.solid(lex, start);
        self.normalise(lex, end);
    }

    /// The end of the input in a token: it is data.
    #[cold]
    pub(super) fn no_token_at_end(&mut self, lex: &mut Lexer<'_>) -> State {
        lex.aside(|lex| self.no_token_until(lex, lex.mark()));
        self.end_of_file(lex)
    }

    /// Not in the document: after `<`.
    #[inline(always)]
    pub(super) fn open(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'/') => {
                self.end_strict_text(lex, self.token);
                State::EndTag
            }
            Byte(b'!') => State::CommentOpen(2),
            Byte(b'?') if self.own.is_final => self.start_pi(lex, false),
            Byte(byte) if is_name_start_byte(byte) => {
                self.name = lex.mark() - 1;
                self.end_strict_text(lex, self.token);
                State::StartTagName
            }
            Byte(byte) => self.no_token(lex, byte),
            Eof => self.no_token_at_end(lex),
        })
    }

    /// Not in the document: in `START_TAG_OPEN`.
    #[inline(always)]
    pub(super) fn start_tag_name(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.until::<NAME>()? {
            Byte(b'>') => {
                self.end_name(lex);
                self.emit_simple_tag(lex, 0)
            }
            Byte(byte @ (b' ' | b'\t' | b'\n' | b'\r' | 0xC)) => {
                self.end_name(lex);
                self.space_after_name(lex, byte);
                self.attribute = Attr::EMPTY;
                if let Some(state) = self.first_attribute_chain(lex) {
                    return Some(state);
                }
                match self.own.is_final {
                    true => self.start_context(false),
                    false => State::StartTagSpace,
                }
            }
            Byte(b'/') => {
                self.end_name(lex);
                State::StartTagSlash
            }
            Byte(byte) => self.no_token(lex, byte),
            Eof => self.no_token_at_end(lex),
        })
    }

    /// Not in the document: in `S` of `SIMPLE_START_TAG`, `SIMPLE_EMPTY_ELEMENT_TAG` or
    /// `START_TAG_ATTRIBUTE`.
    #[inline(always)]
    pub(super) fn start_tag_space(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match self.until_no_space(lex)? {
            Byte(b'\r') => {
                self.note_carriage(lex);
                State::StartTagSpace
            }
            Byte(b'>') => self.emit_simple_tag(lex, 0),
            Byte(b'/') => State::StartTagSlash,
            Byte(byte) if is_name_start_byte(byte) => {
                self.attribute.name = lex.mark() - 1;
                State::StartTagAttribute
            }
            Byte(byte) => self.no_token(lex, byte),
            Eof => self.no_token_at_end(lex),
        })
    }

    /// Not in the document: in the last `S` of `START_TAG_ATTRIBUTE`.
    pub(super) fn start_tag_equals(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match self.until_no_space(lex)? {
            Byte(b'\r') => {
                self.note_carriage(lex);
                State::StartTagEquals
            }
            Byte(b'=') => self.emit_tag_open(lex),
            Byte(byte) => self.no_token(lex, byte),
            Eof => self.no_token_at_end(lex),
        })
    }

    /// Not in the document: in `SIMPLE_EMPTY_ELEMENT_TAG`, after `/`.
    pub(super) fn start_tag_slash(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'>') => self.emit_simple_tag(lex, SELF_CLOSING),
            Byte(byte) => self.no_token(lex, byte),
            Eof => self.no_token_at_end(lex),
        })
    }

    /// Not in the document: in the `ATTRIBUTE_NAME_EQUALS` of `START_TAG_ATTRIBUTE`.
    #[inline(always)]
    pub(super) fn start_tag_attribute(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.until::<NAME>()? {
            Byte(b'=') => {
                self.attribute.name_end = lex.mark() - 1;
                self.emit_tag_open(lex)
            }
            Byte(byte @ (b' ' | b'\t' | b'\n' | b'\r' | 0xC)) => {
                self.attribute.name_end = lex.mark() - 1;
                self.space_after_name(lex, byte);
                State::StartTagEquals
            }
            Byte(byte) => self.no_token(lex, byte),
            Eof => self.no_token_at_end(lex),
        })
    }

    /// A `START_TAG_ATTRIBUTE` is whole: the tag is open.
    #[inline(always)]
    fn emit_tag_open(&mut self, lex: &mut Lexer<'_>) -> State {
        self.own.carriage = Mark::NONE;
        self.flush_text(lex, self.token);
        self.check_tag_name(lex);
        self.start_attribute(lex);
        State::StartAttributeValue
    }

    /// A `SIMPLE_START_TAG` or `SIMPLE_EMPTY_ELEMENT_TAG` is whole.
    #[inline(always)]
    pub(super) fn emit_simple_tag(&mut self, lex: &mut Lexer<'_>, flags: u8) -> State {
        self.own.carriage = Mark::NONE;
        self.flush_text(lex, self.token);
        self.check_tag_name(lex);
        let end = lex.mark();
        self.emit_start_tag(lex, flags, end);
        State::Main
    }

    /// Not in the document: in `END_TAG`, after `</`.
    #[inline(always)]
    pub(super) fn end_tag(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(byte) if is_name_start_byte(byte) => {
                self.name = lex.mark() - 1;
                State::EndTagName
            }
            Byte(byte) => self.no_token(lex, byte),
            Eof => self.no_token_at_end(lex),
        })
    }

    /// Not in the document: in the `NAME` of `END_TAG`.
    #[inline(always)]
    pub(super) fn end_tag_name(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.until::<NAME>()? {
            Byte(b'>') => {
                self.end_name(lex);
                self.emit_whole_end_tag(lex)
            }
            Byte(byte @ (b' ' | b'\t' | b'\n' | b'\r' | 0xC)) => {
                self.end_name(lex);
                self.space_after_name(lex, byte);
                State::EndTagSpace
            }
            Byte(byte) => self.no_token(lex, byte),
            Eof => self.no_token_at_end(lex),
        })
    }

    /// Not in the document: in `S` of `END_TAG`.
    pub(super) fn end_tag_space(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match self.until_no_space(lex)? {
            Byte(b'\r') => {
                self.note_carriage(lex);
                State::EndTagSpace
            }
            Byte(b'>') => self.emit_whole_end_tag(lex),
            Byte(byte) => self.no_token(lex, byte),
            Eof => self.no_token_at_end(lex),
        })
    }

    #[inline(always)]
    fn emit_whole_end_tag(&mut self, lex: &mut Lexer<'_>) -> State {
        self.own.carriage = Mark::NONE;
        self.flush_text(lex, self.token);
        self.emit_end_tag(lex);
        self.start_text(lex.mark());
        State::Main
    }

    /// The end of the input, where what is pending is data.
    #[cold]
    pub(super) fn end_of_file(&mut self, lex: &mut Lexer<'_>) -> State {
        let end = lex.mark();
        self.flush_text(lex, end);
        self.end_of_tokens(lex);
        State::Finished
    }
}
