//! Comments: they are no tokens, and do not end the string token around them.

use crate::event::record::{Piece, Queue};
use crate::input::cursor::Unit::{Byte, Eof};
use crate::sky::errors;
use crate::sky::machine::{Cursor, SkyMachine};
use crate::sky::state::State;

impl SkyMachine {
    /// Comment start 1 state
    pub(in crate::sky) fn comment_start_1(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b'-') => State::CommentStart2,
            Byte(byte) => {
                let end = input.mark() - 1;
                out.report(input, errors::INVALID_COMMENT_START, self.token, end);
                self.emit_as_text();
                self.data_byte(input, out, byte)
            }
            Eof => self.eof_in_comment_start(input, out),
        })
    }

    /// Comment start 2 state
    pub(in crate::sky) fn comment_start_2(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b'-') => State::Comment,
            Byte(byte) => {
                let end = input.mark() - 1;
                out.report(input, errors::INVALID_COMMENT_START, self.token, end);
                self.emit_as_text();
                self.data_byte(input, out, byte)
            }
            Eof => self.eof_in_comment_start(input, out),
        })
    }

    fn eof_in_comment_start(&mut self, input: &mut Cursor<'_>, out: &mut Queue) -> State {
        self.error_at_end(input, out, errors::EOF_IN_COMMENT);
        self.emit_as_text();
        self.end_of_file(input, out)
    }

    /// Comment state
    pub(in crate::sky) fn comment(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.until_byte(b'-')? {
            Byte(_) => State::CommentEnd1,
            Eof => self.eof_in_comment(input, out),
        })
    }

    /// Comment end 1 state
    pub(in crate::sky) fn comment_end_1(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b'-') => State::CommentEnd2,
            Byte(_) => State::Comment,
            Eof => self.eof_in_comment(input, out),
        })
    }

    /// Comment end 2 state
    pub(in crate::sky) fn comment_end_2(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b'>') => {
                let (start, end) = (self.token, input.mark());
                if self.text.is_empty(start) {
                    self.text = Piece::at(end);
                } else {
                    self.text.leave_out(*input, out, start, end);
                }
                self.token = crate::event::record::NONE;
                State::Data
            }
            Byte(b'-') => State::CommentEnd2,
            Byte(_) => State::Comment,
            Eof => self.eof_in_comment(input, out),
        })
    }

    /// The end of the input in a comment: that is dropped.
    fn eof_in_comment(&mut self, input: &mut Cursor<'_>, out: &mut Queue) -> State {
        self.error_at_end(input, out, errors::EOF_IN_COMMENT);
        self.flush_text(input, out, self.token);
        self.end_of_file(input, out)
    }
}
