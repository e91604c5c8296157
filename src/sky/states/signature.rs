//! The signature of a file, and how a string is expected.

use crate::error::ErrorKind;
use crate::event::record::Queue;
use crate::input::cursor::Unit::{Byte, Eof};
use crate::sky::machine::{Cursor, SkyMachine};
use crate::sky::state::State;
use crate::sky::{Context, errors};

const APPLICATION: &[u8] = b"#!mojo mojo:sky";
const MODULE: &[u8] = b"SKY MODULE";

impl SkyMachine {
    /// Signature state
    pub(in crate::sky) fn signature(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match (input.next()?, self.options.context()) {
            (Byte(b'#'), Context::Application) => self.expect(APPLICATION),
            (Byte(b'S'), Context::Module) => self.expect(MODULE),
            (Byte(byte), _) => self.failed_signature(input, out, byte),
            (Eof, _) => self.failed_signature_at_end(input, out),
        })
    }

    /// The steps to expect a string, whose first character was taken.
    fn expect(&mut self, expectation: &'static [u8]) -> State {
        self.expectation = expectation;
        self.index = 1;
        State::ExpectString
    }

    /// Expect a string state
    pub(in crate::sky) fn expect_string(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(byte) if self.expectation.get(self.index) == Some(&byte) => {
                self.index += 1;
                if self.index == self.expectation.len() {
                    State::AfterSignature
                } else {
                    State::ExpectString
                }
            }
            Byte(byte) => self.failed_signature(input, out, byte),
            Eof => self.failed_signature_at_end(input, out),
        })
    }

    /// After signature state
    pub(in crate::sky) fn after_signature(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(byte @ (b'\n' | b'\r')) => self.end_of_signature_line(input, byte),
            Byte(b' ') => State::ConsumeRestOfLine,
            Byte(byte) => self.failed_signature(input, out, byte),
            Eof => self.end_of_file(input, out),
        })
    }

    /// Consume rest of line state
    pub(in crate::sky) fn consume_rest_of_line(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(byte @ (b'\n' | b'\r')) => self.end_of_signature_line(input, byte),
            Byte(_) => State::ConsumeRestOfLine,
            Eof => self.end_of_file(input, out),
        })
    }

    fn end_of_signature_line(&mut self, input: &mut Cursor<'_>, byte: u8) -> State {
        if byte == b'\r' {
            match input.peek() {
                Some(b'\n') => input.skip(1),
                Some(_) => {}
                None => self.after_cr = true,
            }
        }
        self.start_text(input);
        State::Data
    }

    /// Failed signature state
    fn failed_signature(&mut self, input: &mut Cursor<'_>, out: &mut Queue, byte: u8) -> State {
        let start = input.mark() - 1;
        if byte >= 0x80 {
            input.wide();
        }
        self.fail_signature(input, out, start)
    }

    fn failed_signature_at_end(&mut self, input: &mut Cursor<'_>, out: &mut Queue) -> State {
        let start = input.mark();
        self.fail_signature(input, out, start)
    }

    fn fail_signature(&mut self, input: &mut Cursor<'_>, out: &mut Queue, start: u32) -> State {
        let end = input.mark();
        let kind = ErrorKind::Syntax(errors::FAILED_SIGNATURE);
        *input = self.fail(*input, out, kind, start, end);
        State::Finished
    }
}
