//! Final revision: DOCTYPEs, which are dropped.

use crate::event::record::Queue;
use crate::input::cursor::Unit::{Byte, Eof};
use crate::microxml::classes::{DECL, NOT_SPACE};
use crate::microxml::errors;
use crate::microxml::machine::{Cursor, MicroXmlMachine};
use crate::microxml::state::State;
use crate::microxml::states::Closer;

const DOCTYPE_OPEN: &[u8] = b"<!doctype";

impl MicroXmlMachine {
    /// In `DOCTYPE_OPEN`, of which so many characters are read.
    pub(in crate::microxml) fn doctype_open(
        &mut self,
        read: u8,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        let expected = DOCTYPE_OPEN.get(usize::from(read)).copied();
        Some(match input.next()? {
            Byte(byte) if Some(byte.to_ascii_lowercase()) == expected => {
                if usize::from(read) + 1 < DOCTYPE_OPEN.len() {
                    return Some(State::DoctypeOpen(read + 1));
                }
                let (start, end) = (self.token, input.mark());
                self.refuse(input, out, errors::STRAY_MARKUP, start, end);
                State::Doctype
            }
            Byte(byte) => self.no_token(input, out, byte),
            Eof => self.no_token_at_end(input, out),
        })
    }

    /// Doctype mode
    pub(in crate::microxml) fn doctype(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.until_set(&DECL)? {
            Byte(b'>') => {
                self.leave_out(input, out, self.token, input.mark());
                State::Main
            }
            Byte(b'[') => State::Subset,
            Byte(quote @ (b'"' | b'\'')) => {
                self.inner = input.mark() - 1;
                self.quote = quote;
                match self.look_for(Closer::quote(quote), input) {
                    true => State::DoctypeLiteral,
                    false => self.leave_doctype(input, out, quote),
                }
            }
            Byte(byte) => self.leave_doctype(input, out, byte),
            Eof => self.eof_in_doctype(input, out),
        })
    }

    /// The byte taken last is none of the DOCTYPE's: it is read in the Main mode.
    fn leave_doctype(&mut self, input: &mut Cursor<'_>, out: &mut Queue, byte: u8) -> State {
        let end = input.mark() - 1;
        self.end_doctype(input, out, end);
        self.main_byte(input, out, byte)
    }

    fn eof_in_doctype(&mut self, input: &mut Cursor<'_>, out: &mut Queue) -> State {
        let end = input.mark();
        self.end_doctype(input, out, end);
        self.end_of_file(input, out)
    }

    /// Doctype mode, in `LITERAL`.
    pub(in crate::microxml) fn doctype_literal(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        let wanted = Closer::quote(self.quote);
        Some(match self.until_closer(wanted, input, out)? {
            true => State::Doctype,
            false => self.no_subset_token(input, out),
        })
    }

    /// Subset mode
    pub(in crate::microxml) fn subset(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.until::<NOT_SPACE>()? {
            Byte(b'<') => {
                self.inner = input.mark() - 1;
                State::SubsetOpen
            }
            Byte(b']') => {
                self.inner = input.mark() - 1;
                State::SubsetClose
            }
            Byte(b'\r') => State::Subset,
            Byte(byte) => self.leave_doctype(input, out, byte),
            Eof => self.eof_in_doctype(input, out),
        })
    }

    /// A token of the DOCTYPE that was begun is none.
    fn no_subset_token(&mut self, input: &mut Cursor<'_>, out: &mut Queue) -> State {
        self.in_subset = true;
        self.no_inner_token(input, out)
    }

    /// Subset mode, after `<`.
    pub(in crate::microxml) fn subset_open(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b'!') => State::SubsetDeclaration(0),
            Byte(b'?') => self.start_pi(input, out, true),
            Byte(_) | Eof => self.no_subset_token(input, out),
        })
    }

    /// Subset mode, after `<!` and so many hyphens.
    pub(in crate::microxml) fn subset_declaration(
        &mut self,
        read: u8,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b'-') if read == 0 => State::SubsetDeclaration(1),
            Byte(b'-') if self.look_for(Closer::Comment, input) => {
                self.in_subset = true;
                State::Comment
            }
            Byte(byte) => self.decl_byte(input, out, byte),
            Eof => self.no_subset_token(input, out),
        })
    }

    /// In `DECL`.
    pub(in crate::microxml) fn decl(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.until_set(&DECL)? {
            Byte(byte) => self.decl_byte(input, out, byte),
            Eof => self.no_subset_token(input, out),
        })
    }

    fn decl_byte(&mut self, input: &mut Cursor<'_>, out: &mut Queue, byte: u8) -> State {
        match byte {
            b'>' => State::Subset,
            b'"' | b'\'' if self.look_for(Closer::quote(byte), input) => {
                self.quote = byte;
                State::DeclLiteral
            }
            b'[' | b']' | b'<' | b'"' | b'\'' => self.no_subset_token(input, out),
            _ => State::Decl,
        }
    }

    /// In `LITERAL` of `DECL`.
    pub(in crate::microxml) fn decl_literal(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        let wanted = Closer::quote(self.quote);
        Some(match self.until_closer(wanted, input, out)? {
            true => State::Decl,
            false => self.no_subset_token(input, out),
        })
    }

    /// In `SUBSET_CLOSE`.
    pub(in crate::microxml) fn subset_close(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.until::<NOT_SPACE>()? {
            Byte(b'>') => {
                self.leave_out(input, out, self.token, input.mark());
                State::Main
            }
            Byte(b'\r') => State::SubsetClose,
            Byte(_) | Eof => self.no_subset_token(input, out),
        })
    }
}
