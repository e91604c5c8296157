//! States in the signature of a file, which is its first line.

use crate::dialects::sky::errors;
use crate::dialects::sky::machine::{Lexer, SkyMachine};
use crate::dialects::sky::options::Context;
use crate::dialects::sky::state::{Next, State};
use crate::engine::error::ErrorKind;
use crate::engine::input::BufferOffset;
use crate::engine::tokenizer::{
    Keyword,
    Unit::{Byte, Eof},
};

/// The signature of an application.
const APPLICATION: &[u8] = b"#!mojo mojo:sky";
/// The signature of a module.
const MODULE: &[u8] = b"SKY MODULE";

impl SkyMachine {
    /// Implements the *signature state*: reads the first byte of the input.
    pub(super) fn signature(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match (lex.next()?, self.dialect.options.context()) {
            (Byte(b'#'), Context::Application) => self.expect(APPLICATION),
            (Byte(b'S'), Context::Module) => self.expect(MODULE),
            (Byte(byte), _) => self.failed_signature(lex, byte),
            (Eof, _) => self.failed_signature_at_end(lex),
        })
    }

    /// Implements the steps to *expect a string*, whose first character was just consumed.
    fn expect(&mut self, expectation: &'static [u8]) -> State {
        self.keyword = Keyword::after(1, expectation);
        State::ExpectString
    }

    /// Implements the *expect a string state*: compares the next byte with the signature.
    pub(super) fn expect_string(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(byte) => match self.keyword.take(byte) {
                Some(true) => State::AfterSignature,
                Some(false) => State::ExpectString,
                None => self.failed_signature(lex, byte),
            },
            Eof => self.failed_signature_at_end(lex),
        })
    }

    /// Implements the *after signature state*: reads the byte after the signature.
    pub(super) fn after_signature(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(byte @ (b'\n' | b'\r')) => self.end_of_signature_line(lex, byte),
            Byte(b' ') => State::ConsumeRestOfLine,
            Byte(byte) => self.failed_signature(lex, byte),
            Eof => self.end_of_file(lex),
        })
    }

    /// Implements the *consume rest of line state*: skips the rest of the signature line.
    pub(super) fn consume_rest_of_line(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(byte @ (b'\n' | b'\r')) => self.end_of_signature_line(lex, byte),
            Byte(_) => State::ConsumeRestOfLine,
            Eof => self.end_of_file(lex),
        })
    }

    /// Ends the signature line at `byte`, a CR or LF that was just consumed. Content starts after it.
    fn end_of_signature_line(&mut self, lex: &mut Lexer<'_>, byte: u8) -> State {
        if byte == b'\r' {
            match lex.peek() {
                Some(b'\n') => lex.skip(1),
                Some(_) => {}
                None => self.after_cr = true,
            }
        }
        self.start_text(lex);
        State::Data
    }

    /// Implements the *failed signature state*: ends the parse with an error at the character that starts with
    /// `byte`.
    fn failed_signature(&mut self, lex: &mut Lexer<'_>, byte: u8) -> State {
        let start = lex.mark() - 1;
        if byte >= 0x80 {
            lex.wide();
        }
        self.fail_signature(lex, start)
    }

    /// Ends the parse because the input ends inside its signature.
    fn failed_signature_at_end(&mut self, lex: &mut Lexer<'_>) -> State {
        let start = lex.mark();
        self.fail_signature(lex, start)
    }

    /// Ends the parse with an error at the range from `start` to the current position.
    fn fail_signature(&mut self, lex: &mut Lexer<'_>, start: BufferOffset) -> State {
        let end = lex.mark();
        let kind = ErrorKind::Syntax(errors::FAILED_SIGNATURE);
        lex.aside(|lex| self.end_parse(lex, kind, start, end));
        State::Finished
    }
}
