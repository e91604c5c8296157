//! Comments: they are no tokens, and do not end the text around them.

use crate::event::record::Queue;
use crate::input::cursor::Unit::{self, Byte, Eof};
use crate::microxml::classes::COMMENT;
use crate::microxml::errors;
use crate::microxml::machine::{Cursor, MicroXmlMachine};
use crate::microxml::state::State;
use crate::microxml::states::Closer;

impl MicroXmlMachine {
    /// Not in the document: in `COMMENT_OPEN`, of which so many characters are read.
    pub(in crate::microxml) fn comment_open(
        &mut self,
        read: u8,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b'-') if read == 3 => self.start_comment(input, out),
            Byte(b'[') if read == 2 && self.is_final => State::CdataOpen(3),
            Byte(b'd' | b'D') if read == 2 && self.is_final => State::DoctypeOpen(3),
            Byte(b'-') => State::CommentOpen(read + 1),
            Byte(byte) => self.no_token(input, out, byte),
            Eof => self.no_token_at_end(input, out),
        })
    }

    /// `<!--` was taken, in the Main mode or a DOCTYPE's subset.
    pub(in crate::microxml) fn start_comment(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> State {
        if self.look_for(Closer::Comment, input) {
            return State::Comment;
        }
        // No `-->` is ahead.
        let end = input.mark();
        *input = self.no_token_until(*input, out, end);
        State::Main
    }

    /// Comment tokenization mode
    pub(in crate::microxml) fn comment(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        if self.is_final && !self.strict {
            return Some(match self.until_closer(Closer::Comment, input, out)? {
                true => self.end_comment(input, out),
                false => self.eof_in_comment(input, out),
            });
        }
        let unit: Unit = match self.strict {
            false => input.until_byte(b'-')?,
            true => input.until_set(&COMMENT)?,
        };
        Some(match unit {
            Byte(b'-') => State::CommentDash,
            Byte(byte) => {
                self.check_character(input, out, byte);
                State::Comment
            }
            Eof => self.eof_in_comment(input, out),
        })
    }

    /// Not in the document: in `COMMENT_CLOSE`, after `-`.
    pub(in crate::microxml) fn comment_dash(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b'-') => State::CommentDashDash,
            Byte(byte) => {
                self.check_character(input, out, byte);
                State::Comment
            }
            Eof => self.eof_in_comment(input, out),
        })
    }

    /// Not in the document: in `COMMENT_CLOSE`, after `--`.
    pub(in crate::microxml) fn comment_dash_dash(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b'>') => self.end_comment(input, out),
            Byte(byte) => {
                let end = input.mark() - 1;
                let code = errors::DOUBLE_HYPHEN_IN_COMMENT;
                self.refuse(input, out, code, end - 2, end);
                match byte {
                    b'-' => State::CommentDashDash,
                    _ => State::Comment,
                }
            }
            Eof => self.eof_in_comment(input, out),
        })
    }

    /// `-->` was taken.
    fn end_comment(&mut self, input: &Cursor<'_>, out: &mut Queue) -> State {
        if core::mem::take(&mut self.in_subset) {
            return State::Subset;
        }
        self.leave_out(input, out, self.token, input.mark());
        State::Main
    }

    /// The end of the input in a comment, which runs up to there; by the final revision it is none.
    fn eof_in_comment(&mut self, input: &mut Cursor<'_>, out: &mut Queue) -> State {
        if self.is_final && !self.strict {
            if core::mem::take(&mut self.in_subset) {
                // It may still be a declaration.
                self.go_back(input, self.inner);
                return State::Subset;
            }
            return self.no_inner_token(input, out);
        }
        let (token, end) = (self.token, input.mark());
        self.repair(input, out, errors::UNFINISHED_COMMENT, end, end);
        self.flush_text(input, out, token);
        self.end_of_file(input, out)
    }
}
