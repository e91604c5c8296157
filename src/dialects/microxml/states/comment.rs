//! Comments, which are not tokens: the run of text around a comment continues.

use crate::dialects::microxml::classes::COMMENT;
use crate::dialects::microxml::errors;
use crate::dialects::microxml::machine::{Lexer, MicroXmlMachine};
use crate::dialects::microxml::state::{Next, State};
use crate::dialects::microxml::states::Closer;
use crate::engine::tokenizer::{
    Keyword,
    Unit::{self, Byte, Eof},
};

impl MicroXmlMachine {
    /// Reads `COMMENT_OPEN`, `<!--`, of which `read` bytes were consumed. In the final revision, `<![CDATA[` and
    /// `<!DOCTYPE` start here too.
    pub(super) fn comment_open(&mut self, read: u8, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'-') if read == 3 => self.start_comment(lex),
            Byte(b'[') if read == 2 && self.dialect.is_final => {
                self.keyword = Keyword::after(1, b"[CDATA[");
                State::CdataOpen
            }
            Byte(b'd' | b'D') if read == 2 && self.dialect.is_final => {
                self.keyword = Keyword::after(1, b"doctype");
                State::DoctypeOpen
            }
            Byte(b'-') => State::CommentOpen(read + 1),
            Byte(byte) => self.no_token(lex, byte),
            Eof => self.no_token_at_end(lex),
        })
    }

    /// Starts a comment in the Main mode, whose `<!--` was just consumed. In the final revision, a comment without
    /// `-->` is text.
    pub(super) fn start_comment(&mut self, lex: &mut Lexer<'_>) -> State {
        if self.look_for(Closer::Comment, lex) {
            return State::Comment;
        }
        // The input contains no further `-->`.
        let end = lex.mark();
        lex.aside(|lex| self.no_token_until(lex, end));
        State::Main
    }

    /// Implements the *Comment tokenization mode*: reads the comment up to a `-`, or up to its end.
    pub(super) fn comment(&mut self, lex: &mut Lexer<'_>) -> Next {
        if self.dialect.is_final && !self.dialect.strict {
            return Some(match self.until_closer(Closer::Comment, lex)? {
                true => self.end_comment(lex),
                false => self.eof_in_comment(lex),
            });
        }
        let unit: Unit = match self.dialect.strict {
            false => lex.until_byte(b'-')?,
            true => lex.until_set(&COMMENT)?,
        };
        Some(match unit {
            Byte(b'-') => State::CommentDash,
            Byte(byte) => {
                self.check_character(lex, byte);
                State::Comment
            }
            Eof => self.eof_in_comment(lex),
        })
    }

    /// Reads the unit after a `-` in a comment.
    pub(super) fn comment_dash(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'-') => State::CommentDashDash,
            Byte(byte) => {
                self.check_character(lex, byte);
                State::Comment
            }
            Eof => self.eof_in_comment(lex),
        })
    }

    /// Reads the unit after `--` in a comment. Strict parses allow `>` only.
    pub(super) fn comment_dash_dash(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'>') => self.end_comment(lex),
            Byte(byte) => {
                let end = lex.mark() - 1;
                let code = errors::DOUBLE_HYPHEN_IN_COMMENT;
                self.refuse(lex, code, end - 2, end);
                match byte {
                    b'-' => State::CommentDashDash,
                    _ => State::Comment,
                }
            }
            Eof => self.eof_in_comment(lex),
        })
    }

    /// Ends a comment, whose `-->` was just consumed, and returns to the surrounding mode.
    fn end_comment(&mut self, lex: &mut Lexer<'_>) -> State {
        if core::mem::take(&mut self.dialect.in_subset) {
            return State::Subset;
        }
        self.leave_out(lex, self.token, lex.mark());
        State::Main
    }

    /// Handles the end of the input in a comment. In the first revision the comment extends to the end. In the final
    /// revision it is not a comment, and its `<` is text.
    fn eof_in_comment(&mut self, lex: &mut Lexer<'_>) -> State {
        if self.dialect.is_final && !self.dialect.strict {
            if core::mem::take(&mut self.dialect.in_subset) {
                // The characters may be a declaration instead, so they are read again.
                self.go_back(lex, self.dialect.inner);
                return State::Subset;
            }
            return self.no_inner_token(lex);
        }
        let (token, end) = (self.token, lex.mark());
        self.repair(lex, errors::UNFINISHED_COMMENT, end, end);
        self.flush_text(lex, token);
        self.end_of_file(lex)
    }
}
