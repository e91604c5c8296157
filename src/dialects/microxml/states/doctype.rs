//! Of the final revision of the specification: DOCTYPEs. They are read, and no event is made of them.

use crate::dialects::microxml::classes::{DECL, NOT_SPACE};
use crate::dialects::microxml::errors;
use crate::dialects::microxml::machine::{Lexer, MicroXmlMachine};
use crate::dialects::microxml::state::{Next, State};
use crate::dialects::microxml::states::Closer;
use crate::engine::tokenizer::Unit::{Byte, Eof};

impl MicroXmlMachine {
    /// Reads `DOCTYPE_OPEN`, `<!DOCTYPE`, one byte at a time. Letters match in either case.
    pub(super) fn doctype_open(&mut self, lex: &mut Lexer<'_>) -> Next {
        let Byte(byte) = lex.next()? else {
            return Some(self.no_token_at_end(lex));
        };
        Some(match self.keyword.take(byte.to_ascii_lowercase()) {
            Some(true) => {
                let (start, end) = (self.token, lex.mark());
                self.refuse(lex, errors::STRAY_MARKUP, start, end);
                State::Doctype
            }
            Some(false) => State::DoctypeOpen,
            None => self.no_token(lex, byte),
        })
    }

    /// Implements the *Doctype mode*: reads a DOCTYPE up to its `>`, a literal or the internal subset.
    pub(super) fn doctype(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.until_set(&DECL)? {
            Byte(b'>') => {
                self.leave_out(lex, self.token, lex.mark());
                State::Main
            }
            Byte(b'[') => State::Subset,
            Byte(quote @ (b'"' | b'\'')) => {
                self.dialect.inner = lex.mark() - 1;
                self.dialect.quote = quote;
                match self.look_for(Closer::quote(quote), lex) {
                    true => State::DoctypeLiteral,
                    false => self.leave_doctype(lex, quote),
                }
            }
            Byte(byte) => self.leave_doctype(lex, byte),
            Eof => self.eof_in_doctype(lex),
        })
    }

    /// Ends the DOCTYPE before `byte`, which was just consumed and is not allowed there. The byte is handled in the
    /// Main mode.
    fn leave_doctype(&mut self, lex: &mut Lexer<'_>, byte: u8) -> State {
        let end = lex.mark() - 1;
        self.end_doctype(lex, end);
        self.main_byte(lex, byte)
    }

    /// Handles the end of the input in a DOCTYPE.
    fn eof_in_doctype(&mut self, lex: &mut Lexer<'_>) -> State {
        let end = lex.mark();
        self.end_doctype(lex, end);
        self.end_of_file(lex)
    }

    /// Reads a `LITERAL` of the DOCTYPE.
    pub(super) fn doctype_literal(&mut self, lex: &mut Lexer<'_>) -> Next {
        let wanted = Closer::quote(self.dialect.quote);
        Some(match self.until_closer(wanted, lex)? {
            true => State::Doctype,
            false => self.no_subset_token(lex),
        })
    }

    /// Implements the *Subset mode*: reads the first byte of the next construct in the internal subset.
    pub(super) fn subset(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.until::<NOT_SPACE>()? {
            Byte(b'<') => {
                self.dialect.inner = lex.mark() - 1;
                State::SubsetOpen
            }
            Byte(b']') => {
                self.dialect.inner = lex.mark() - 1;
                State::SubsetClose
            }
            Byte(b'\r') => State::Subset,
            Byte(byte) => self.leave_doctype(lex, byte),
            Eof => self.eof_in_doctype(lex),
        })
    }

    /// Handles a construct in the DOCTYPE that is not one of its tokens: the DOCTYPE ends before it.
    fn no_subset_token(&mut self, lex: &mut Lexer<'_>) -> State {
        self.dialect.in_subset = true;
        self.no_inner_token(lex)
    }

    /// Reads the unit after `<` in the internal subset.
    pub(super) fn subset_open(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'!') => State::SubsetDeclaration(0),
            Byte(b'?') => self.start_pi(lex, true),
            Byte(_) | Eof => self.no_subset_token(lex),
        })
    }

    /// Reads the unit after `<!` and `read` hyphens in the internal subset.
    pub(super) fn subset_declaration(&mut self, read: u8, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'-') if read == 0 => State::SubsetDeclaration(1),
            Byte(b'-') if self.look_for(Closer::Comment, lex) => {
                self.dialect.in_subset = true;
                State::Comment
            }
            Byte(byte) => self.decl_byte(lex, byte),
            Eof => self.no_subset_token(lex),
        })
    }

    /// Reads a declaration (`DECL`) of the internal subset up to a byte with a meaning.
    pub(super) fn decl(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.until_set(&DECL)? {
            Byte(byte) => self.decl_byte(lex, byte),
            Eof => self.no_subset_token(lex),
        })
    }

    /// Handles a byte of a declaration.
    fn decl_byte(&mut self, lex: &mut Lexer<'_>, byte: u8) -> State {
        match byte {
            b'>' => State::Subset,
            b'"' | b'\'' if self.look_for(Closer::quote(byte), lex) => {
                self.dialect.quote = byte;
                State::DeclLiteral
            }
            b'[' | b']' | b'<' | b'"' | b'\'' => self.no_subset_token(lex),
            _ => State::Decl,
        }
    }

    /// Reads a `LITERAL` in a declaration.
    pub(super) fn decl_literal(&mut self, lex: &mut Lexer<'_>) -> Next {
        let wanted = Closer::quote(self.dialect.quote);
        Some(match self.until_closer(wanted, lex)? {
            true => State::Decl,
            false => self.no_subset_token(lex),
        })
    }

    /// Reads `SUBSET_CLOSE`: whitespace and `>` after the `]`.
    pub(super) fn subset_close(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.until::<NOT_SPACE>()? {
            Byte(b'>') => {
                self.leave_out(lex, self.token, lex.mark());
                State::Main
            }
            Byte(b'\r') => State::SubsetClose,
            Byte(_) | Eof => self.no_subset_token(lex),
        })
    }
}
