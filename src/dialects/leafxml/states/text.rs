//! States in text tokens, and the normalization of line breaks in content assemblies. A content assembly is all text and
//! CDATA between two tags.

use crate::dialects::leafxml::errors;
use crate::dialects::leafxml::machine::{LeafXmlMachine, Lexer, NOT_SPACE, TEXT, next_wide};
use crate::dialects::leafxml::state::{Next, State};
use crate::engine::event::strings::ScratchOffset;
use crate::engine::input::BufferOffset;
use crate::engine::text::leafxml_names::is_char;
use crate::engine::text::normal::{is_plain, plain_run};
use crate::engine::tokenizer::Unit::{Byte, Eof};

/// Returns true if the character is allowed before and after the root element: whitespace, or a line break that is
/// normalized to whitespace.
pub(super) const fn is_padding(character: char) -> bool {
    matches!(character, '\t' | '\n' | '\r' | ' ' | '\u{85}' | '\u{2028}')
}

impl LeafXmlMachine {
    /// Reads text inside the root element up to the next byte that needs attention.
    #[inline(always)]
    pub(super) fn text(&mut self, lex: &mut Lexer<'_>) -> Next {
        match lex.until::<TEXT>()? {
            Byte(b'<') => {
                self.token = lex.mark() - 1;
                self.state = State::Token;
                self.plain_tag(lex, self.token)
            }
            Byte(b'&') => Some(self.escape_from(State::Text, lex)),
            Byte(byte) => {
                let run = match byte {
                    0x80.. => {
                        let (text, from) = (lex.since_last(), lex.mark() - 1);
                        self.dialect
                            .normal
                            .take_run::<true>(text, lex.chunk(), from)
                    }
                    _ => 0,
                };
                if run > 0 {
                    lex.skip(run - 1);
                    return Some(State::Text);
                }
                let state = lex.aside(|lex| self.content_character(lex, byte, State::Text));
                Some(state)
            }
            Eof => {
                let state = lex.aside(|lex| self.end_of_file(lex));
                Some(state)
            }
        }
    }

    /// Handles a byte of a content assembly that needs attention: a line break, a character beyond ASCII, or an
    /// error. `within` is the state that continues.
    #[cold]
    #[inline(never)]
    pub(super) fn content_character(
        &mut self,
        lex: &mut Lexer<'_>,
        byte: u8,
        within: State,
    ) -> State {
        match byte {
            b'\r' => self.content_carriage_return(lex, within),
            0x80.. => {
                self.wide_content(lex, byte);
                within
            }
            _ => self.fail_here(lex, byte, errors::DISALLOWED_CHARACTER),
        }
    }

    /// Handles a CR in a content assembly, which was just consumed. `within` is the state that continues.
    fn content_carriage_return(&mut self, lex: &mut Lexer<'_>, within: State) -> State {
        let at = lex.mark() - 1;
        if lex.peek() == Some(b'\n') {
            // Only the CR is left out. The LF represents the line break; if the text is delivered in pieces and one
            // ends here, the LF is in the next piece.
            self.note_split(lex, at);
            lex.leave_out(&mut self.text, at, at + 1);
            self.dialect.normal.removed(at, at + 1);
            return within;
        }
        self.replace_content(lex, at, at + 1, '\n');
        self.dialect.after_cr = true;
        match within {
            State::Text => State::TextLineBreak,
            _ => State::CdataLineBreak,
        }
    }

    /// Reads the unit after a CR in content: a line feed or NEL belongs to the same line break and is removed. This
    /// also holds if there is an escape or the border of a token between the two.
    pub(super) fn line_break(&mut self, lex: &mut Lexer<'_>, within: State) -> Next {
        let Byte(byte) = lex.next()? else {
            return Some(within);
        };
        let from = lex.mark() - 1;
        match byte {
            b'\n' => {
                self.remove_content(lex, from, from + 1);
                self.dialect.after_cr = false;
            }
            // A window never ends inside a character.
            0xC2 if lex.peek() == Some(0x85) => {
                lex.skip(1);
                self.remove_content(lex, from, from + 2);
                self.dialect.after_cr = false;
            }
            // An escape, or another token, may produce the second part of the line break, so `after_cr` stays set.
            b'<' if within == State::Text => {
                self.token = from;
                return Some(State::Token);
            }
            b'&' if within == State::Text => return Some(self.escape_from(within, lex)),
            b']' if within == State::Cdata => return Some(State::CdataBracket),
            b'\t' | b' '..=b'~' => self.dialect.after_cr = false,
            _ => {
                self.dialect.after_cr = false;
                let state = lex.aside(|lex| self.content_character(lex, byte, within));
                return Some(state);
            }
        }
        Some(within)
    }

    /// Handles characters beyond ASCII in a content assembly, the first byte of which was just consumed.
    fn wide_content(&mut self, lex: &mut Lexer<'_>, byte: u8) {
        let mut byte = byte;
        loop {
            let run = plain_run::<true>(lex.since_last());
            if run > 0 {
                lex.skip(run - 1);
                let Some(next) = next_wide(lex) else { return };
                byte = next;
            }
            let (character, from, to) = lex.character(byte);
            if matches!(character, '\u{85}' | '\u{2028}') {
                self.replace_content(lex, from, to, '\n');
            } else if is_char(character) {
                let before = |at| lex.character_before(at);
                self.dialect
                    .normal
                    .take_literal(character, from, to, before);
            } else {
                self.fail(lex, errors::DISALLOWED_CHARACTER, from, to);
                return;
            }
            let Some(next) = next_wide(lex) else { return };
            byte = next;
        }
    }

    /// Replaces the source in `from..to` by `character` in the content assembly.
    pub(super) fn replace_content(
        &mut self,
        lex: &mut Lexer<'_>,
        from: BufferOffset,
        to: BufferOffset,
        character: char,
    ) {
        self.note_split(lex, from);
        lex.replace_by(&mut self.text, from, to, character);
        if character == '\n' || is_plain(character) {
            // A newline or a plain character combines with nothing before it.
            let copied = ScratchOffset::end_of(&lex.out.scratch) - character.len_utf8() as u32;
            self.dialect.split = (from, copied);
        }
        self.dialect.normal.take(character, from, to);
        self.dialect.normal.replaced(to);
    }

    /// Removes the source in `from..to` from the content assembly.
    pub(super) fn remove_content(
        &mut self,
        lex: &mut Lexer<'_>,
        from: BufferOffset,
        to: BufferOffset,
    ) {
        self.note_split(lex, from);
        lex.remove(&mut self.text, from, to);
        self.dialect.normal.removed(from, to);
    }

    /// Reads a text token before the first tag or after the last one, where only whitespace is allowed.
    pub(super) fn outside(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.until::<NOT_SPACE>()? {
            Byte(b'<') => {
                self.token = lex.mark() - 1;
                State::Token
            }
            Byte(b'&') => {
                // The bytes of the escape stay buffered, as those of a token do.
                self.token = lex.mark() - 1;
                self.escape_from(State::Outside, lex)
            }
            Byte(byte) => self.outside_character(lex, byte, State::Outside),
            Eof => lex.aside(|lex| self.end_of_file(lex)),
        })
    }

    /// Checks a character before the first tag or after the last one that is not ASCII whitespace. Returns `within`,
    /// the state that continues.
    pub(super) fn outside_character(
        &mut self,
        lex: &mut Lexer<'_>,
        byte: u8,
        within: State,
    ) -> State {
        let (character, from, to) = lex.character(byte);
        if is_padding(character) {
            within
        } else if is_char(character) {
            self.fail(lex, errors::STRAY_CONTENT, from, to)
        } else {
            self.fail(lex, errors::DISALLOWED_CHARACTER, from, to)
        }
    }
}
