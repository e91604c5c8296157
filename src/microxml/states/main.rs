//! Main tokenization mode: data, and the look-aheads that make a start tag or an end tag of it.
//!
//! A look-ahead that fails leaves data: nothing in it but its last character could be the beginning
//! of another token, so nothing is read twice.

use crate::event::record::{Attr, NONE, Piece, Queue, SELF_CLOSING};
use crate::input::cursor::Unit::{Byte, Eof};
use crate::microxml::classes::{NAME, NOT_SPACE, TEXT};
use crate::microxml::errors;
use crate::microxml::machine::{Cursor, MicroXmlMachine};
use crate::microxml::state::State;
use crate::text::microxml_names::is_name_start_byte;

impl MicroXmlMachine {
    /// Main tokenization mode
    #[inline(always)]
    pub(in crate::microxml) fn main(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        let unit = match self.blank {
            // Strictly, a form feed is no white space.
            true if self.strict => input.next()?,
            true => input.until::<NOT_SPACE>()?,
            false => input.until::<TEXT>()?,
        };
        Some(match unit {
            Byte(byte) => {
                if self.strict
                    && !self.blank
                    && let run @ 1.. = self.legal_run_from(input, byte)
                {
                    input.skip(run - 1);
                    return Some(State::Main);
                }
                self.main_byte(input, out, byte)
            }
            Eof => self.end_of_file(input, out),
        })
    }

    /// A byte was taken in the Main mode.
    #[inline(always)]
    pub(in crate::microxml) fn main_byte(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        byte: u8,
    ) -> State {
        match byte {
            b'<' => {
                self.token = input.mark() - 1;
                State::Open
            }
            b'&' => {
                if self.blank {
                    // Strictly, no reference may stand outside the root element.
                    self.end_strict_text(input, out, input.mark() - 1);
                }
                self.reference_from(State::Main, input)
            }
            b'\r' => {
                self.state = State::Main;
                *input = self.carriage_return(*input, out);
                State::Main
            }
            _ => {
                self.state = State::Main;
                *input = self.data_char(*input, out, byte);
                State::Main
            }
        }
    }

    /// A data character was taken that is more than itself: outside the root element, or in a strict
    /// parse.
    #[cold]
    #[inline(never)]
    fn data_char<'w>(&mut self, mut input: Cursor<'w>, out: &mut Queue, byte: u8) -> Cursor<'w> {
        let start = input.mark() - 1;
        if byte == b'>' {
            let code = errors::GREATER_THAN_IN_TEXT;
            self.refuse(&mut input, out, code, start, start + 1);
        }
        self.check_character(&mut input, out, byte);
        if !matches!(byte, b'\t' | b'\n' | 0xC | b' ') {
            self.solid(&mut input, out, start);
        }
        input
    }

    /// A data character that is no white space begins at this mark.
    pub(in crate::microxml) fn solid(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        start: u32,
    ) {
        if self.blank {
            self.blank = false;
            self.repair(input, out, errors::TEXT_OUTSIDE_ROOT, start, start);
        }
    }

    /// Strictly, text ends at this mark, whatever follows.
    #[inline(always)]
    pub(in crate::microxml) fn end_strict_text(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        mark: u32,
    ) {
        if self.strict && self.text.start < mark {
            self.flush_text(input, out, mark);
            self.text = Piece::at(mark);
        }
    }

    /// What was read since the `<` is no token but data, up to the byte taken last.
    #[inline(always)]
    pub(in crate::microxml) fn no_token(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        byte: u8,
    ) -> State {
        let end = input.mark() - 1;
        *input = self.no_token_until(*input, out, end);
        self.main_byte(input, out, byte)
    }

    #[cold]
    #[inline(never)]
    pub(in crate::microxml) fn no_token_until<'w>(
        &mut self,
        mut input: Cursor<'w>,
        out: &mut Queue,
        end: u32,
    ) -> Cursor<'w> {
        let start = self.token;
        self.repair(&mut input, out, errors::STRAY_MARKUP, start, start + 1);
        self.token = NONE;
        out.attributes.truncate(out.open as usize);
        self.solid(&mut input, out, start);
        self.normalise(&mut input, out, end);
        input
    }

    /// The end of the input in a token: it is data.
    #[cold]
    pub(in crate::microxml) fn no_token_at_end(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> State {
        *input = self.no_token_until(*input, out, input.mark());
        self.end_of_file(input, out)
    }

    /// Not in the document: after `<`.
    #[inline(always)]
    pub(in crate::microxml) fn open(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b'/') => {
                self.end_strict_text(input, out, self.token);
                State::EndTag
            }
            Byte(b'!') => State::CommentOpen(2),
            Byte(b'?') if self.is_final => self.start_pi(input, out, false),
            Byte(byte) if is_name_start_byte(byte) => {
                self.name = input.mark() - 1;
                self.end_strict_text(input, out, self.token);
                State::StartTagName
            }
            Byte(byte) => self.no_token(input, out, byte),
            Eof => self.no_token_at_end(input, out),
        })
    }

    /// Not in the document: in `START_TAG_OPEN`.
    #[inline(always)]
    pub(in crate::microxml) fn start_tag_name(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.until::<NAME>()? {
            Byte(b'>') => {
                self.end_name(input, out);
                self.emit_simple_tag(input, out, 0)
            }
            Byte(byte @ (b' ' | b'\t' | b'\n' | b'\r' | 0xC)) => {
                self.end_name(input, out);
                self.space_after_name(input, out, byte);
                self.attribute = Attr::EMPTY;
                if let Some(state) = self.first_attribute_chain(input, out) {
                    return Some(state);
                }
                match self.is_final {
                    true => self.start_context(false),
                    false => State::StartTagSpace,
                }
            }
            Byte(b'/') => {
                self.end_name(input, out);
                State::StartTagSlash
            }
            Byte(byte) => self.no_token(input, out, byte),
            Eof => self.no_token_at_end(input, out),
        })
    }

    /// Not in the document: in `S` of `SIMPLE_START_TAG`, `SIMPLE_EMPTY_ELEMENT_TAG` or
    /// `START_TAG_ATTRIBUTE`.
    #[inline(always)]
    pub(in crate::microxml) fn start_tag_space(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match self.until_no_space(input, out)? {
            Byte(b'\r') => {
                self.note_carriage(input);
                State::StartTagSpace
            }
            Byte(b'>') => self.emit_simple_tag(input, out, 0),
            Byte(b'/') => State::StartTagSlash,
            Byte(byte) if is_name_start_byte(byte) => {
                self.attribute.name = input.mark() - 1;
                State::StartTagAttribute
            }
            Byte(byte) => self.no_token(input, out, byte),
            Eof => self.no_token_at_end(input, out),
        })
    }

    /// Not in the document: in the last `S` of `START_TAG_ATTRIBUTE`.
    pub(in crate::microxml) fn start_tag_equals(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match self.until_no_space(input, out)? {
            Byte(b'\r') => {
                self.note_carriage(input);
                State::StartTagEquals
            }
            Byte(b'=') => self.emit_tag_open(input, out),
            Byte(byte) => self.no_token(input, out, byte),
            Eof => self.no_token_at_end(input, out),
        })
    }

    /// Not in the document: in `SIMPLE_EMPTY_ELEMENT_TAG`, after `/`.
    pub(in crate::microxml) fn start_tag_slash(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b'>') => self.emit_simple_tag(input, out, SELF_CLOSING),
            Byte(byte) => self.no_token(input, out, byte),
            Eof => self.no_token_at_end(input, out),
        })
    }

    /// Not in the document: in the `ATTRIBUTE_NAME_EQUALS` of `START_TAG_ATTRIBUTE`.
    #[inline(always)]
    pub(in crate::microxml) fn start_tag_attribute(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.until::<NAME>()? {
            Byte(b'=') => {
                self.attribute.name_end = input.mark() - 1;
                self.emit_tag_open(input, out)
            }
            Byte(byte @ (b' ' | b'\t' | b'\n' | b'\r' | 0xC)) => {
                self.attribute.name_end = input.mark() - 1;
                self.space_after_name(input, out, byte);
                State::StartTagEquals
            }
            Byte(byte) => self.no_token(input, out, byte),
            Eof => self.no_token_at_end(input, out),
        })
    }

    /// A `START_TAG_ATTRIBUTE` is whole: the tag is open.
    #[inline(always)]
    fn emit_tag_open(&mut self, input: &mut Cursor<'_>, out: &mut Queue) -> State {
        self.carriage = NONE;
        self.flush_text(input, out, self.token);
        self.check_tag_name(input, out);
        self.start_attribute(input, out);
        State::StartAttributeValue
    }

    /// A `SIMPLE_START_TAG` or `SIMPLE_EMPTY_ELEMENT_TAG` is whole.
    #[inline(always)]
    pub(in crate::microxml) fn emit_simple_tag(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        flags: u8,
    ) -> State {
        self.carriage = NONE;
        self.flush_text(input, out, self.token);
        self.check_tag_name(input, out);
        let end = input.mark();
        self.emit_start_tag(input, out, flags, end);
        State::Main
    }

    /// Not in the document: in `END_TAG`, after `</`.
    #[inline(always)]
    pub(in crate::microxml) fn end_tag(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(byte) if is_name_start_byte(byte) => {
                self.name = input.mark() - 1;
                State::EndTagName
            }
            Byte(byte) => self.no_token(input, out, byte),
            Eof => self.no_token_at_end(input, out),
        })
    }

    /// Not in the document: in the `NAME` of `END_TAG`.
    #[inline(always)]
    pub(in crate::microxml) fn end_tag_name(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.until::<NAME>()? {
            Byte(b'>') => {
                self.end_name(input, out);
                self.emit_whole_end_tag(input, out)
            }
            Byte(byte @ (b' ' | b'\t' | b'\n' | b'\r' | 0xC)) => {
                self.end_name(input, out);
                self.space_after_name(input, out, byte);
                State::EndTagSpace
            }
            Byte(byte) => self.no_token(input, out, byte),
            Eof => self.no_token_at_end(input, out),
        })
    }

    /// Not in the document: in `S` of `END_TAG`.
    pub(in crate::microxml) fn end_tag_space(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match self.until_no_space(input, out)? {
            Byte(b'\r') => {
                self.note_carriage(input);
                State::EndTagSpace
            }
            Byte(b'>') => self.emit_whole_end_tag(input, out),
            Byte(byte) => self.no_token(input, out, byte),
            Eof => self.no_token_at_end(input, out),
        })
    }

    #[inline(always)]
    fn emit_whole_end_tag(&mut self, input: &mut Cursor<'_>, out: &mut Queue) -> State {
        self.carriage = NONE;
        self.flush_text(input, out, self.token);
        self.emit_end_tag(input, out);
        self.start_text(input.mark());
        State::Main
    }

    /// The end of the input, where what is pending is data.
    #[cold]
    pub(in crate::microxml) fn end_of_file(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> State {
        let end = input.mark();
        self.flush_text(input, out, end);
        self.end_of_tokens(input, out);
        State::Finished
    }
}
