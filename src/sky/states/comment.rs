//! Comments: they are no tokens, and do not end the string token around them.

use crate::lexer::Unit::{Byte, Eof};
use crate::sky::errors;
use crate::sky::machine::{Lexer, SkyMachine};
use crate::sky::state::{Next, State};

impl SkyMachine {
    /// Comment start 1 state
    pub(super) fn comment_start_1(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'-') => State::CommentStart2,
            Byte(byte) => {
                let end = lex.mark() - 1;
                lex.report(errors::INVALID_COMMENT_START, self.token, end);
                self.emit_as_text();
                self.data_byte(lex, byte)
            }
            Eof => self.eof_in_comment_start(lex),
        })
    }

    /// Comment start 2 state
    pub(super) fn comment_start_2(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'-') => State::Comment,
            Byte(byte) => {
                let end = lex.mark() - 1;
                lex.report(errors::INVALID_COMMENT_START, self.token, end);
                self.emit_as_text();
                self.data_byte(lex, byte)
            }
            Eof => self.eof_in_comment_start(lex),
        })
    }

    fn eof_in_comment_start(&mut self, lex: &mut Lexer<'_>) -> State {
        self.error_at_end(lex, errors::EOF_IN_COMMENT);
        self.emit_as_text();
        self.end_of_file(lex)
    }

    /// Comment state
    pub(super) fn comment(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.until_byte(b'-')? {
            Byte(_) => State::CommentEnd1,
            Eof => self.eof_in_comment(lex),
        })
    }

    /// Comment end 1 state
    pub(super) fn comment_end_1(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'-') => State::CommentEnd2,
            Byte(_) => State::Comment,
            Eof => self.eof_in_comment(lex),
        })
    }

    /// Comment end 2 state
    pub(super) fn comment_end_2(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'>') => {
                self.leave_out(lex, self.token, lex.mark());
                State::Data
            }
            Byte(b'-') => State::CommentEnd2,
            Byte(_) => State::Comment,
            Eof => self.eof_in_comment(lex),
        })
    }

    /// The end of the input in a comment: that is dropped.
    fn eof_in_comment(&mut self, lex: &mut Lexer<'_>) -> State {
        self.error_at_end(lex, errors::EOF_IN_COMMENT);
        self.flush_text(lex, self.token);
        self.end_of_file(lex)
    }
}
