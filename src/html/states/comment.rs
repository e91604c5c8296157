//! Comments.

use super::reconsume;
use crate::error::ErrorCode;
use crate::event::record::{Kind, Record};
use crate::html::errors;
use crate::html::machine::{BOGUS, COMMENT, HtmlMachine, Lexer};
use crate::html::state::{Next, State};
use crate::input::Mark;
use crate::lexer::Unit::{Byte, Eof};

impl HtmlMachine {
    /// Bogus comment state
    pub(super) fn bogus_comment(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.until_set(&BOGUS)? {
            Byte(b'>') => self.emit_comment(lex, 1),
            Byte(byte) => {
                self.string_character(lex, byte);
                State::BogusComment
            }
            Eof => {
                self.emit_comment(lex, 0);
                self.finish(lex)
            }
        })
    }

    /// Comment start state
    pub(super) fn comment_start(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'-') => State::CommentStartDash,
            unit @ Byte(b'>') => {
                self.error_at(lex, errors::ABRUPT_CLOSING_OF_EMPTY_COMMENT, unit);
                self.emit_comment(lex, 1)
            }
            unit => reconsume(lex, unit, State::Comment),
        })
    }

    /// Comment start dash state
    pub(super) fn comment_start_dash(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'-') => State::CommentEnd,
            unit @ Byte(b'>') => {
                self.error_at(lex, errors::ABRUPT_CLOSING_OF_EMPTY_COMMENT, unit);
                self.emit_comment(lex, 2)
            }
            Eof => self.eof_in_comment(lex, 1),
            unit => reconsume(lex, unit, State::Comment),
        })
    }

    /// Comment state
    pub(super) fn comment(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.until_set(&COMMENT)? {
            Byte(b'<') => State::CommentLessThanSign,
            Byte(b'-') => State::CommentEndDash,
            Byte(byte) => {
                self.string_character(lex, byte);
                State::Comment
            }
            Eof => self.eof_in_comment(lex, 0),
        })
    }

    /// Comment less-than sign state
    pub(super) fn comment_less_than_sign(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'!') => State::CommentLessThanSignBang,
            Byte(b'<') => State::CommentLessThanSign,
            unit => reconsume(lex, unit, State::Comment),
        })
    }

    /// Comment less-than sign bang state
    pub(super) fn comment_less_than_sign_bang(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'-') => State::CommentLessThanSignBangDash,
            unit => reconsume(lex, unit, State::Comment),
        })
    }

    /// Comment less-than sign bang dash state
    pub(super) fn comment_less_than_sign_bang_dash(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'-') => State::CommentLessThanSignBangDashDash,
            unit => reconsume(lex, unit, State::CommentEndDash),
        })
    }

    /// Comment less-than sign bang dash dash state
    pub(super) fn comment_less_than_sign_bang_dash_dash(&mut self, lex: &mut Lexer<'_>) -> Next {
        let unit = lex.next()?;
        if !matches!(unit, Byte(b'>') | Eof) {
            self.error_at(lex, errors::NESTED_COMMENT, unit);
        }
        Some(reconsume(lex, unit, State::CommentEnd))
    }

    /// Comment end dash state
    pub(super) fn comment_end_dash(&mut self, lex: &mut Lexer<'_>) -> Next {
        let unit = lex.next()?;
        Some(match unit {
            Byte(b'-') => State::CommentEnd,
            Eof => self.eof_in_comment(lex, 1),
            Byte(_) => reconsume(lex, unit, State::Comment),
        })
    }

    /// Comment end state
    pub(super) fn comment_end(&mut self, lex: &mut Lexer<'_>) -> Next {
        let unit = lex.next()?;
        Some(match unit {
            Byte(b'>') => self.emit_comment(lex, 3),
            Byte(b'!') => State::CommentEndBang,
            Byte(b'-') => State::CommentEnd,
            Eof => self.eof_in_comment(lex, 2),
            Byte(_) => reconsume(lex, unit, State::Comment),
        })
    }

    /// Comment end bang state
    pub(super) fn comment_end_bang(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'-') => State::CommentEndDash,
            unit @ Byte(b'>') => {
                self.error_at(lex, errors::INCORRECTLY_CLOSED_COMMENT, unit);
                self.emit_comment(lex, 4)
            }
            Eof => self.eof_in_comment(lex, 3),
            unit => reconsume(lex, unit, State::Comment),
        })
    }

    /// What follows the `<` at once, or the `!` after it, up to the mark `data`, is no token: what
    /// comes from there on is a comment.
    pub(super) fn start_bogus_comment(&mut self, lex: &mut Lexer<'_>, data: Mark) -> State {
        self.value = crate::lexer::TextBuffer::at(data);
        self.end_text_before(lex, self.token);
        State::BogusComment
    }

    fn eof_in_comment(&mut self, lex: &mut Lexer<'_>, pending: u32) -> State {
        let code: ErrorCode = errors::EOF_IN_COMMENT;
        self.error_at(lex, code, Eof);
        self.emit_comment(lex, pending);
        self.finish(lex)
    }

    /// Emits the comment, to whose data the `pending` bytes taken last do not belong.
    fn emit_comment(&mut self, lex: &mut Lexer<'_>, pending: u32) -> State {
        let end = lex.mark();
        let record = Record::new(Kind::Comment, self.token, end);
        self.emit_string(lex, record, end - pending);
        State::Data
    }
}
