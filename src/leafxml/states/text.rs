//! Text tokens, and the line breaks of content assemblies.

use crate::input::Mark;
use crate::leafxml::errors;
use crate::leafxml::machine::{LeafXmlMachine, Lexer, NOT_SPACE, TEXT};
use crate::leafxml::state::{Next, State};
use crate::lexer::Unit::{Byte, Eof};
use crate::text::leafxml_names::is_char;
use crate::text::normal::plain_run;

/// Whether the character, before or after the root element, is padding: white space once line breaks
/// are normalized.
pub(super) const fn is_padding(character: char) -> bool {
    matches!(character, '\t' | '\n' | '\r' | ' ' | '\u{85}' | '\u{2028}')
}

impl LeafXmlMachine {
    /// In a text token inside the root element.
    #[inline(always)]
    pub(super) fn text(&mut self, lex: &mut Lexer<'_>) -> Next {
        match lex.until::<TEXT>()? {
            Byte(b'<') => {
                self.token = lex.mark() - 1;
                self.state = State::Token;
                self.tag_chain(lex, self.token)
            }
            Byte(b'&') => Some(self.escape_from(State::Text, lex)),
            Byte(byte) => {
                let run = match byte {
                    0x80.. => {
                        let (text, from) = (lex.since_last(), lex.mark() - 1);
                        self.own.normal.take_run::<true>(text, lex.chunk(), from)
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

    /// A character of a content assembly that is more than itself, or not ASCII. `within` is the state
    /// that goes on.
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

    /// A CR of a content assembly was taken as it was written.
    fn content_carriage_return(&mut self, lex: &mut Lexer<'_>, within: State) -> State {
        let at = lex.mark() - 1;
        if lex.peek() == Some(b'\n') {
            // The LF stays for both, in the next piece if one ends here.
            lex.leave_out(&mut self.text, at, at + 1);
            self.own.normal.removed(at, at + 1);
            return within;
        }
        self.replace_content(lex, at, at + 1, '\n');
        self.own.after_cr = true;
        match within {
            State::Text => State::TextLineBreak,
            _ => State::CdataLineBreak,
        }
    }

    /// After a CR in content: an LF or NEL is the same line break. So it is across the borders of
    /// tokens and escapes.
    pub(super) fn line_break(&mut self, lex: &mut Lexer<'_>, within: State) -> Next {
        let Byte(byte) = lex.next()? else {
            return Some(within);
        };
        let from = lex.mark() - 1;
        match byte {
            b'\n' => {
                self.remove_content(lex, from, from + 1);
                self.own.after_cr = false;
            }
            // A window holds whole characters.
            0xC2 if lex.peek() == Some(0x85) => {
                lex.skip(1);
                self.remove_content(lex, from, from + 2);
                self.own.after_cr = false;
            }
            // Another token or an escape may follow, or nothing of either.
            b'<' if within == State::Text => {
                self.token = from;
                return Some(State::Token);
            }
            b'&' if within == State::Text => return Some(self.escape_from(within, lex)),
            b']' if within == State::Cdata => return Some(State::CdataBracket),
            b'\t' | b' '..=b'~' => self.own.after_cr = false,
            _ => {
                self.own.after_cr = false;
                let state = lex.aside(|lex| self.content_character(lex, byte, within));
                return Some(state);
            }
        }
        Some(within)
    }

    /// Characters of a content assembly beyond ASCII, the first byte of which was taken.
    fn wide_content(&mut self, lex: &mut Lexer<'_>, byte: u8) {
        let mut byte = byte;
        loop {
            let run = plain_run::<true>(lex.since_last());
            if run > 0 {
                lex.skip(run - 1);
                match lex.peek() {
                    Some(next @ 0x80..) => {
                        lex.skip(1);
                        byte = next;
                    }
                    _ => return,
                }
            }
            let (character, from, to) = lex.character(byte);
            if matches!(character, '\u{85}' | '\u{2028}') {
                self.replace_content(lex, from, to, '\n');
            } else if is_char(character) {
                let before = |at| lex.character_before(at);
                self.own.normal.take_literal(character, from, to, before);
            } else {
                self.fail(lex, errors::DISALLOWED_CHARACTER, from, to);
                return;
            }
            match lex.peek() {
                Some(next @ 0x80..) => {
                    lex.skip(1);
                    byte = next;
                }
                _ => return,
            }
        }
    }

    /// What stands between two marks means `character` in the content assembly.
    pub(super) fn replace_content(
        &mut self,
        lex: &mut Lexer<'_>,
        from: Mark,
        to: Mark,
        character: char,
    ) {
        lex.replace_by(&mut self.text, from, to, character);
        self.own.meant = (character, from, to);
        self.own.normal.take(character, from, to);
        self.own.normal.replaced(to);
    }

    /// What stands between two marks is not part of the content assembly.
    pub(super) fn remove_content(&mut self, lex: &mut Lexer<'_>, from: Mark, to: Mark) {
        lex.remove(&mut self.text, from, to);
        self.own.normal.removed(from, to);
    }

    /// In a text token before the first tag or after the last: white space only.
    pub(super) fn outside(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.until::<NOT_SPACE>()? {
            Byte(b'<') => {
                self.token = lex.mark() - 1;
                State::Token
            }
            Byte(b'&') => {
                // The escape is held like a token.
                self.token = lex.mark() - 1;
                self.escape_from(State::Outside, lex)
            }
            Byte(byte) => self.outside_character(lex, byte, State::Outside),
            Eof => lex.aside(|lex| self.end_of_file(lex)),
        })
    }

    /// A character before the first tag or after the last that is no ASCII white space.
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
