//! States at the beginning of a token: after `<` and `<!`.

use crate::dialects::leafxml::errors;
use crate::dialects::leafxml::machine::{LeafXmlMachine, Lexer, TagStack};
use crate::dialects::leafxml::state::{Next, State};
use crate::engine::text::leafxml_names::is_char;
use crate::engine::tokenizer::{
    Keyword,
    Unit::{Byte, Eof},
};

impl LeafXmlMachine {
    /// Reads the unit after `<`, which decides the kind of token. Only a tag ends the content assembly.
    pub(super) fn token(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'/') => {
                self.flush_text(lex, self.token);
                State::EndTag
            }
            Byte(b'!') => State::Declaration,
            Byte(b'?') => State::Instruction,
            Byte(b'>') => self.no_token(lex),
            Byte(byte) => self.start_tag(lex, byte),
            Eof => self.no_token(lex),
        })
    }

    /// Reads the unit after `<!`.
    pub(super) fn declaration(&mut self, lex: &mut Lexer<'_>) -> Next {
        let (word, then): (&[u8], State) = match lex.next()? {
            Byte(b'-') => (b"--", State::Comment),
            Byte(b'[') => (b"[CDATA[", State::Cdata),
            Byte(b'D') => (b"DOCTYPE", State::Doctype),
            Byte(byte) => return Some(self.odd_declaration(lex, byte)),
            Eof => return Some(self.no_token(lex)),
        };
        self.keyword = Keyword::after(1, word);
        self.dialect.then = then;
        Some(State::DeclarationWord)
    }

    /// Compares the next byte with the rest of `<!--`, `<![CDATA[` or `<!DOCTYPE`.
    pub(super) fn declaration_word(&mut self, lex: &mut Lexer<'_>) -> Next {
        let Byte(byte) = lex.next()? else {
            return Some(self.no_token(lex));
        };
        Some(match (self.keyword.take(byte), self.dialect.then) {
            (Some(false), _) => State::DeclarationWord,
            (Some(true), State::Cdata) => self.start_cdata(lex),
            (Some(true), State::Doctype) => self.start_doctype(lex),
            (Some(true), then) => then,
            (None, _) => self.odd_declaration(lex, byte),
        })
    }

    /// Ends the parse, because `<!` is followed by something else than a known keyword. `byte` was consumed last.
    fn odd_declaration(&mut self, lex: &mut Lexer<'_>, byte: u8) -> State {
        let (character, from, to) = lex.character(byte);
        match is_char(character) {
            true => self.no_token(lex),
            false => self.fail(lex, errors::DISALLOWED_CHARACTER, from, to),
        }
    }

    /// Ends the parse, because the characters since the `<` do not start a token.
    fn no_token(&mut self, lex: &mut Lexer<'_>) -> State {
        let (start, end) = (self.token, lex.mark());
        self.fail(lex, errors::INVALID_TOKEN, start, end)
    }

    /// Starts a DOCTYPE, whose `<!DOCTYPE` was just consumed. Ends the parse if it is not the first one or follows a
    /// tag.
    fn start_doctype(&mut self, lex: &mut Lexer<'_>) -> State {
        let (start, end) = (self.token, lex.mark());
        if self.dialect.seen_doctype {
            self.fail(lex, errors::SECOND_DOCTYPE, start, end)
        } else if self.dialect.stack != TagStack::Initial {
            self.fail(lex, errors::MISPLACED_DOCTYPE, start, end)
        } else {
            self.dialect.seen_doctype = true;
            State::Doctype
        }
    }
}
