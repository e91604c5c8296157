//! Comments.

use crate::event::record::Queue;
use crate::input::cursor::Unit::{Byte, Eof};
use crate::xml::errors;
use crate::xml::machine::{Cursor, DELIMITED, XmlMachine};
use crate::xml::state::State;

impl XmlMachine {
    /// Comment state
    pub(in crate::xml) fn comment(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.until::<DELIMITED>()? {
            Byte(b'-') => State::CommentDash,
            Byte(byte) => {
                self.string_character(input, out, byte);
                State::Comment
            }
            Eof => self.eof_in_comment(input, out, 0),
        })
    }

    /// Comment dash state
    ///
    /// "Stay in the current state" on anything else is a slip: it returns to the comment state.
    pub(in crate::xml) fn comment_dash(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b'-') => State::CommentEnd,
            Byte(_) => {
                input.back();
                State::Comment
            }
            Eof => self.eof_in_comment(input, out, 1),
        })
    }

    /// Comment end state
    ///
    /// On `-`, one `-` is appended and two are still pending: `--->` ends a comment.
    pub(in crate::xml) fn comment_end(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b'>') => self.emit_comment(input, out, input.mark() - 3),
            Byte(byte) => {
                let dashes = input.mark() - 3;
                let code = errors::DOUBLE_HYPHEN_IN_COMMENT;
                let state = if byte == b'-' {
                    State::CommentEnd
                } else {
                    input.back();
                    State::Comment
                };
                self.error(input, out, code, dashes, dashes + 2);
                state
            }
            Eof => self.eof_in_comment(input, out, 2),
        })
    }

    /// Emits the comment without the dashes that are pending.
    fn eof_in_comment(&mut self, input: &mut Cursor<'_>, out: &mut Queue, pending: u32) -> State {
        self.error_at_end(input, out, errors::EOF_IN_COMMENT);
        self.emit_comment(input, out, input.mark() - pending)
    }
}
