//! Where tokens begin: after `<` and `<!`.

use crate::leafxml::errors;
use crate::leafxml::machine::{LeafXmlMachine, Lexer, TagStack};
use crate::leafxml::state::{Next, State};
use crate::lexer::{
    Keyword,
    Unit::{Byte, Eof},
};
use crate::text::leafxml_names::is_char;

impl LeafXmlMachine {
    /// After `<`. Only a tag ends the content assembly.
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

    /// After `<!`.
    pub(super) fn declaration(&mut self, lex: &mut Lexer<'_>) -> Next {
        let (word, then): (&[u8], State) = match lex.next()? {
            Byte(b'-') => (b"--", State::Comment),
            Byte(b'[') => (b"[CDATA[", State::Cdata),
            Byte(b'D') => (b"DOCTYPE", State::Doctype),
            Byte(byte) => return Some(self.odd_declaration(lex, byte)),
            Eof => return Some(self.no_token(lex)),
        };
        self.keyword = Keyword::after(1, word);
        self.own.then = then;
        Some(State::DeclarationWord)
    }

    /// In the middle of `<!--`, `<![CDATA[` or `<!DOCTYPE`.
    pub(super) fn declaration_word(&mut self, lex: &mut Lexer<'_>) -> Next {
        let Byte(byte) = lex.next()? else {
            return Some(self.no_token(lex));
        };
        Some(match (self.keyword.take(byte), self.own.then) {
            (Some(false), _) => State::DeclarationWord,
            (Some(true), State::Cdata) => self.start_cdata(lex),
            (Some(true), State::Doctype) => self.start_doctype(lex),
            (Some(true), then) => then,
            (None, _) => self.odd_declaration(lex, byte),
        })
    }

    /// What follows `<!` is no token that there is.
    fn odd_declaration(&mut self, lex: &mut Lexer<'_>, byte: u8) -> State {
        let (character, from, to) = lex.character(byte);
        match is_char(character) {
            true => self.no_token(lex),
            false => self.fail(lex, errors::DISALLOWED_CHARACTER, from, to),
        }
    }

    /// What stands between the `<` and here begins no token.
    fn no_token(&mut self, lex: &mut Lexer<'_>) -> State {
        let (start, end) = (self.token, lex.mark());
        self.fail(lex, errors::INVALID_TOKEN, start, end)
    }

    /// `<!DOCTYPE` was taken.
    fn start_doctype(&mut self, lex: &mut Lexer<'_>) -> State {
        let (start, end) = (self.token, lex.mark());
        if self.own.seen_doctype {
            self.fail(lex, errors::SECOND_DOCTYPE, start, end)
        } else if self.own.stack != TagStack::Initial {
            self.fail(lex, errors::MISPLACED_DOCTYPE, start, end)
        } else {
            self.own.seen_doctype = true;
            State::Doctype
        }
    }
}
