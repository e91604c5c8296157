//! States in comments, which are not tokens: the string token around a comment continues.

use crate::dialects::sky::errors;
use crate::dialects::sky::machine::{Lexer, SkyMachine};
use crate::dialects::sky::state::{Next, State};
use crate::engine::tokenizer::Unit::{Byte, Eof};

impl SkyMachine {
    /// Implements the *comment start 1 state* and the *comment start 2 state*: reads the unit after `<!` or `<!-`.
    /// After a `-`, the next state is `next`.
    #[inline(always)]
    pub(super) fn comment_start(&mut self, next: State, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'-') => next,
            Byte(byte) => {
                let end = lex.mark() - 1;
                lex.report(errors::INVALID_COMMENT_START, self.token, end);
                self.emit_as_text();
                self.data_byte(lex, byte)
            }
            Eof => self.eof_in_comment_start(lex),
        })
    }

    /// Handles the end of the input in `<!--`, whose characters are text.
    fn eof_in_comment_start(&mut self, lex: &mut Lexer<'_>) -> State {
        self.error_at_end(lex, errors::EOF_IN_COMMENT);
        self.emit_as_text();
        self.end_of_file(lex)
    }

    /// Implements the *comment state*: reads the comment up to a `-`.
    pub(super) fn comment(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.until_byte(b'-')? {
            Byte(_) => State::CommentEnd1,
            Eof => self.eof_in_comment(lex),
        })
    }

    /// Implements the *comment end 1 state*: reads the unit after one `-`.
    pub(super) fn comment_end_1(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'-') => State::CommentEnd2,
            Byte(_) => State::Comment,
            Eof => self.eof_in_comment(lex),
        })
    }

    /// Implements the *comment end 2 state*: reads the unit after `--`. A `>` ends the comment.
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

    /// Handles the end of the input in a comment, which is dropped.
    fn eof_in_comment(&mut self, lex: &mut Lexer<'_>) -> State {
        self.error_at_end(lex, errors::EOF_IN_COMMENT);
        self.flush_text(lex, self.token);
        self.end_of_file(lex)
    }
}
