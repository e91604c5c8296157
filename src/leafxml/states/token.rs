//! Where tokens begin: after `<` and `<!`.

use crate::event::record::Queue;
use crate::input::cursor::Unit::{Byte, Eof};
use crate::leafxml::errors;
use crate::leafxml::machine::{Cursor, LeafXmlMachine, TagStack, Word};
use crate::leafxml::state::State;
use crate::text::leafxml_names::is_char;

impl LeafXmlMachine {
    /// After `<`. Only a tag ends the content assembly.
    pub(in crate::leafxml) fn token(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b'/') => {
                self.flush_text(input, out, self.token);
                State::EndTag
            }
            Byte(b'!') => State::Declaration,
            Byte(b'?') => State::Instruction,
            Byte(b'>') => self.no_token(input, out),
            Byte(byte) => self.start_tag(input, out, byte),
            Eof => self.no_token(input, out),
        })
    }

    /// After `<!`.
    pub(in crate::leafxml) fn declaration(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        let (word, then): (&[u8], State) = match input.next()? {
            Byte(b'-') => (b"--", State::Comment),
            Byte(b'[') => (b"[CDATA[", State::Cdata),
            Byte(b'D') => (b"DOCTYPE", State::Doctype),
            Byte(byte) => return Some(self.odd_declaration(input, out, byte)),
            Eof => return Some(self.no_token(input, out)),
        };
        self.word = Word {
            word,
            matched: 1,
            then,
        };
        Some(State::DeclarationWord)
    }

    /// In the middle of `<!--`, `<![CDATA[` or `<!DOCTYPE`.
    pub(in crate::leafxml) fn declaration_word(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        let Word {
            word,
            matched,
            then,
        } = self.word;
        Some(match input.next()? {
            Byte(byte) if byte == word[matched] => {
                self.word.matched += 1;
                if matched + 1 < word.len() {
                    return Some(State::DeclarationWord);
                }
                match then {
                    State::Cdata => self.start_cdata(input, out),
                    State::Doctype => self.start_doctype(input, out),
                    _ => then,
                }
            }
            Byte(byte) => self.odd_declaration(input, out, byte),
            Eof => self.no_token(input, out),
        })
    }

    /// What follows `<!` is no token that there is.
    fn odd_declaration(&mut self, input: &mut Cursor<'_>, out: &mut Queue, byte: u8) -> State {
        let (character, from, to) = Self::character(input, byte);
        match is_char(character) {
            true => self.no_token(input, out),
            false => self.fail(input, out, errors::DISALLOWED_CHARACTER, from, to),
        }
    }

    /// What stands between the `<` and here begins no token.
    fn no_token(&mut self, input: &mut Cursor<'_>, out: &mut Queue) -> State {
        let (start, end) = (self.token, input.mark());
        self.fail(input, out, errors::INVALID_TOKEN, start, end)
    }

    /// `<!DOCTYPE` was taken.
    fn start_doctype(&mut self, input: &mut Cursor<'_>, out: &mut Queue) -> State {
        let (start, end) = (self.token, input.mark());
        if self.seen_doctype {
            self.fail(input, out, errors::SECOND_DOCTYPE, start, end)
        } else if self.stack != TagStack::Initial {
            self.fail(input, out, errors::MISPLACED_DOCTYPE, start, end)
        } else {
            self.seen_doctype = true;
            State::Doctype
        }
    }
}
