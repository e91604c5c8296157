//! Comments.

use crate::error::Code;
use crate::event::record::{Kind, Queue, Record};
use crate::html::errors;
use crate::html::machine::{BOGUS, COMMENT, Cursor, HtmlMachine};
use crate::html::state::State;
use crate::input::cursor::Unit::{self, Byte, Eof};

impl HtmlMachine {
    /// Bogus comment state
    pub(in crate::html) fn bogus_comment(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        let unit = input.until_set(&BOGUS)?;
        Some(self.in_bogus_comment(input, out, unit))
    }

    /// `unit` was taken in the bogus comment state.
    #[inline(always)]
    pub(in crate::html) fn in_bogus_comment(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        unit: Unit,
    ) -> State {
        match unit {
            Byte(b'>') => self.emit_comment(input, out, 1),
            Byte(byte) => {
                self.string_character(input, out, byte);
                State::BogusComment
            }
            Eof => {
                self.emit_comment(input, out, 0);
                self.finish(input, out)
            }
        }
    }

    /// Comment start state
    pub(in crate::html) fn comment_start(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b'-') => State::CommentStartDash,
            unit @ Byte(b'>') => {
                self.error_at(input, out, errors::ABRUPT_CLOSING_OF_EMPTY_COMMENT, unit);
                self.emit_comment(input, out, 1)
            }
            unit => self.again(input, out, unit, State::Comment),
        })
    }

    /// Comment start dash state
    pub(in crate::html) fn comment_start_dash(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b'-') => State::CommentEnd,
            unit @ Byte(b'>') => {
                self.error_at(input, out, errors::ABRUPT_CLOSING_OF_EMPTY_COMMENT, unit);
                self.emit_comment(input, out, 2)
            }
            Eof => self.eof_in_comment(input, out, 1),
            unit => self.again(input, out, unit, State::Comment),
        })
    }

    /// Comment state
    pub(in crate::html) fn comment(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        let unit = input.until_set(&COMMENT)?;
        Some(self.in_comment(input, out, unit))
    }

    /// `unit` was taken in the comment state.
    #[inline(always)]
    pub(in crate::html) fn in_comment(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        unit: Unit,
    ) -> State {
        match unit {
            Byte(b'<') => State::CommentLessThanSign,
            Byte(b'-') => State::CommentEndDash,
            Byte(byte) => {
                self.string_character(input, out, byte);
                State::Comment
            }
            Eof => self.eof_in_comment(input, out, 0),
        }
    }

    /// Comment less-than sign state
    pub(in crate::html) fn comment_less_than_sign(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b'!') => State::CommentLessThanSignBang,
            Byte(b'<') => State::CommentLessThanSign,
            unit => self.again(input, out, unit, State::Comment),
        })
    }

    /// Comment less-than sign bang state
    pub(in crate::html) fn comment_less_than_sign_bang(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b'-') => State::CommentLessThanSignBangDash,
            unit => self.again(input, out, unit, State::Comment),
        })
    }

    /// Comment less-than sign bang dash state
    pub(in crate::html) fn comment_less_than_sign_bang_dash(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b'-') => State::CommentLessThanSignBangDashDash,
            unit => self.at_comment_end_dash(input, out, unit),
        })
    }

    /// Comment less-than sign bang dash dash state
    pub(in crate::html) fn comment_less_than_sign_bang_dash_dash(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        let unit = input.next()?;
        if !matches!(unit, Byte(b'>') | Eof) {
            self.error_at(input, out, errors::NESTED_COMMENT, unit);
        }
        Some(self.at_comment_end(input, out, unit))
    }

    /// Comment end dash state
    pub(in crate::html) fn comment_end_dash(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        let unit = input.next()?;
        Some(self.at_comment_end_dash(input, out, unit))
    }

    /// The unit was taken, or is reconsumed, in the comment end dash state.
    fn at_comment_end_dash(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        unit: Unit,
    ) -> State {
        match unit {
            Byte(b'-') => State::CommentEnd,
            Eof => self.eof_in_comment(input, out, 1),
            Byte(_) => self.again(input, out, unit, State::Comment),
        }
    }

    /// Comment end state
    pub(in crate::html) fn comment_end(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        let unit = input.next()?;
        Some(self.at_comment_end(input, out, unit))
    }

    /// The unit was taken, or is reconsumed, in the comment end state.
    fn at_comment_end(&mut self, input: &mut Cursor<'_>, out: &mut Queue, unit: Unit) -> State {
        match unit {
            Byte(b'>') => self.emit_comment(input, out, 3),
            Byte(b'!') => State::CommentEndBang,
            Byte(b'-') => State::CommentEnd,
            Eof => self.eof_in_comment(input, out, 2),
            Byte(_) => self.again(input, out, unit, State::Comment),
        }
    }

    /// Comment end bang state
    pub(in crate::html) fn comment_end_bang(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b'-') => State::CommentEndDash,
            unit @ Byte(b'>') => {
                self.error_at(input, out, errors::INCORRECTLY_CLOSED_COMMENT, unit);
                self.emit_comment(input, out, 4)
            }
            Eof => self.eof_in_comment(input, out, 3),
            unit => self.again(input, out, unit, State::Comment),
        })
    }

    /// What follows the `<` at once, or the `!` after it, up to the mark `data`, is no token: what
    /// comes from there on is a comment.
    pub(in crate::html) fn start_bogus_comment(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        data: u32,
    ) -> State {
        self.string = crate::event::record::Piece::at(data);
        self.flush_text(input, out, self.token);
        State::BogusComment
    }

    fn eof_in_comment(&mut self, input: &mut Cursor<'_>, out: &mut Queue, pending: u32) -> State {
        let code: Code = errors::EOF_IN_COMMENT;
        self.error_at(input, out, code, Eof);
        self.emit_comment(input, out, pending);
        self.finish(input, out)
    }

    /// Emits the comment, to whose data the `pending` bytes taken last do not belong.
    fn emit_comment(&mut self, input: &mut Cursor<'_>, out: &mut Queue, pending: u32) -> State {
        let end = input.mark();
        let record = Record::new(Kind::Comment, self.token, end);
        self.emit_string(input, out, record, end - pending);
        State::Data
    }
}
