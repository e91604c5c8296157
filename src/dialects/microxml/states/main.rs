//! Main tokenization mode: text, and the tokens of start tags and end tags.
//!
//! The specification recognizes a token only if all of it is present: `<a b` is text unless `=` follows (in the final
//! revision, or `>`). The states read the token provisionally, while the text before it stays open. If the token
//! fails, its characters become part of that text. None of them except the last could start another token, so nothing
//! is read twice.

use crate::dialects::microxml::classes::{NAME, NOT_SPACE, TEXT};
use crate::dialects::microxml::errors;
use crate::dialects::microxml::machine::{Lexer, MicroXmlMachine};
use crate::dialects::microxml::state::{Next, State};
use crate::engine::event::record::{Attr, SELF_CLOSING};
use crate::engine::input::BufferOffset;
use crate::engine::text::microxml_names::is_name_start_byte;
use crate::engine::tokenizer::{
    TextBuffer,
    Unit::{Byte, Eof},
};

impl MicroXmlMachine {
    /// Implements the *Main tokenization mode*: reads text up to the next byte that needs attention.
    #[inline(always)]
    pub(super) fn main(&mut self, lex: &mut Lexer<'_>) -> Next {
        let unit = match self.dialect.blank {
            // In strict parses a form feed is not whitespace.
            true if self.dialect.strict => lex.next()?,
            true => lex.until::<NOT_SPACE>()?,
            false => lex.until::<TEXT>()?,
        };
        Some(match unit {
            Byte(byte) => {
                if self.dialect.strict
                    && !self.dialect.blank
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

    /// Handles a byte that was just consumed in the Main mode.
    #[inline(always)]
    pub(super) fn main_byte(&mut self, lex: &mut Lexer<'_>, byte: u8) -> State {
        match byte {
            b'<' => {
                self.token = lex.mark() - 1;
                State::Open
            }
            b'&' => {
                if self.dialect.blank {
                    // In strict parses, references outside the root element are not allowed.
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

    /// Handles a data character that needs a check, because the text is outside the root element or the parse is
    /// strict.
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

    /// Notes that the run of text contains a character other than whitespace, which starts at offset `start`. Outside
    /// the root element this is reported.
    pub(super) fn solid(&mut self, lex: &mut Lexer<'_>, start: BufferOffset) {
        if self.dialect.blank {
            self.dialect.blank = false;
            self.repair(lex, errors::TEXT_OUTSIDE_ROOT, start, start);
        }
    }

    /// In strict parses: ends the run of text at offset `mark`, and starts a new one there. The old run is delivered
    /// even if the next construct ends the parse.
    #[inline(always)]
    pub(super) fn end_strict_text(&mut self, lex: &mut Lexer<'_>, mark: BufferOffset) {
        if self.dialect.strict && self.text.start < mark {
            self.flush_text(lex, mark);
            self.text = TextBuffer::at(mark);
        }
    }

    /// Handles a failed token: the characters from its `<` up to `byte`, which was consumed last, are text. Then
    /// handles `byte`.
    #[inline(always)]
    pub(super) fn no_token(&mut self, lex: &mut Lexer<'_>, byte: u8) -> State {
        let end = lex.mark() - 1;
        lex.aside(|lex| self.no_token_until(lex, end));
        self.main_byte(lex, byte)
    }

    /// Turns the characters of a failed token, up to offset `end`, into text.
    #[cold]
    #[inline(never)]
    pub(super) fn no_token_until(&mut self, lex: &mut Lexer<'_>, end: BufferOffset) {
        let start = self.token;
        self.repair(lex, errors::STRAY_MARKUP, start, start + 1);
        self.token = BufferOffset::NONE;
        lex.out.attributes.truncate(lex.out.open as usize);
        self.solid(lex, start);
        self.normalise(lex, end);
    }

    /// Handles the end of the input in a token, whose characters are text.
    #[cold]
    pub(super) fn no_token_at_end(&mut self, lex: &mut Lexer<'_>) -> State {
        lex.aside(|lex| self.no_token_until(lex, lex.mark()));
        self.end_of_file(lex)
    }

    /// Reads the unit after `<`.
    #[inline(always)]
    pub(super) fn open(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'/') => {
                self.end_strict_text(lex, self.token);
                State::EndTag
            }
            Byte(b'!') => State::CommentOpen(2),
            Byte(b'?') if self.dialect.is_final => self.start_pi(lex, false),
            Byte(byte) if is_name_start_byte(byte) => {
                self.name = lex.mark() - 1;
                self.end_strict_text(lex, self.token);
                State::StartTagName
            }
            Byte(byte) => self.no_token(lex, byte),
            Eof => self.no_token_at_end(lex),
        })
    }

    /// Reads the name of a start tag (`START_TAG_OPEN`).
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
                if let Some(state) = self.plain_attributes(lex) {
                    return Some(state);
                }
                match self.dialect.is_final {
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

    /// Reads whitespace after the name of a start tag. The token may be `SIMPLE_START_TAG`,
    /// `SIMPLE_EMPTY_ELEMENT_TAG` or `START_TAG_ATTRIBUTE`.
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

    /// Reads whitespace between the name of the first attribute and its `=`.
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

    /// Reads the `>` after the `/` of `SIMPLE_EMPTY_ELEMENT_TAG`.
    pub(super) fn start_tag_slash(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'>') => self.emit_simple_tag(lex, SELF_CLOSING),
            Byte(byte) => self.no_token(lex, byte),
            Eof => self.no_token_at_end(lex),
        })
    }

    /// Reads the name of the first attribute (`START_TAG_ATTRIBUTE`).
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

    /// Handles a complete `START_TAG_ATTRIBUTE`: emits the text before the tag, and opens the tag.
    #[inline(always)]
    fn emit_tag_open(&mut self, lex: &mut Lexer<'_>) -> State {
        self.dialect.carriage = BufferOffset::NONE;
        self.flush_text(lex, self.token);
        self.check_tag_name(lex);
        self.start_attribute(lex);
        State::StartAttributeValue
    }

    /// Handles a complete `SIMPLE_START_TAG` or `SIMPLE_EMPTY_ELEMENT_TAG`: emits the text before the tag, and the
    /// tag.
    #[inline(always)]
    pub(super) fn emit_simple_tag(&mut self, lex: &mut Lexer<'_>, flags: u8) -> State {
        self.dialect.carriage = BufferOffset::NONE;
        self.flush_text(lex, self.token);
        self.check_tag_name(lex);
        let end = lex.mark();
        self.emit_start_tag(lex, flags, end);
        State::Main
    }

    /// Reads the unit after `</`.
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

    /// Reads the name of an end tag (`END_TAG`).
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

    /// Reads whitespace after the name of an end tag.
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

    /// Handles a complete `END_TAG`: emits the text before the tag, and the tag.
    #[inline(always)]
    fn emit_whole_end_tag(&mut self, lex: &mut Lexer<'_>) -> State {
        self.dialect.carriage = BufferOffset::NONE;
        self.flush_text(lex, self.token);
        self.emit_end_tag(lex);
        self.start_text(lex.mark());
        State::Main
    }

    /// Handles the end of the input. Everything that is pending is text.
    #[cold]
    pub(super) fn end_of_file(&mut self, lex: &mut Lexer<'_>) -> State {
        let end = lex.mark();
        self.flush_text(lex, end);
        self.end_of_tokens(lex);
        State::Finished
    }
}
