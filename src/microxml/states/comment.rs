//! Comments: they are no tokens, and do not end the text around them.

use crate::lexer::{
    Keyword,
    Unit::{self, Byte, Eof},
};
use crate::microxml::classes::COMMENT;
use crate::microxml::errors;
use crate::microxml::machine::{Lexer, MicroXmlMachine};
use crate::microxml::state::{Next, State};
use crate::microxml::states::Closer;

impl MicroXmlMachine {
    /// Not in the document: in `COMMENT_OPEN`, of which so many characters are read.
    pub(super) fn comment_open(&mut self, read: u8, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'-') if read == 3 => self.start_comment(lex),
            Byte(b'[') if read == 2 && self.own.is_final => {
                self.keyword = Keyword::after(1, b"[CDATA[");
                State::CdataOpen
            }
            Byte(b'd' | b'D') if read == 2 && self.own.is_final => {
                self.keyword = Keyword::after(1, b"doctype");
                State::DoctypeOpen
            }
            Byte(b'-') => State::CommentOpen(read + 1),
            Byte(byte) => self.no_token(lex, byte),
            Eof => self.no_token_at_end(lex),
        })
    }

    /// `<!--` was taken, in the Main mode or a DOCTYPE's subset.
    pub(super) fn start_comment(&mut self, lex: &mut Lexer<'_>) -> State {
        if self.look_for(Closer::Comment, lex) {
            return State::Comment;
        }
        // No `-->` is ahead.
        let end = lex.mark();
        lex.aside(|lex| self.no_token_until(lex, end));
        State::Main
    }

    /// Comment tokenization mode
    pub(super) fn comment(&mut self, lex: &mut Lexer<'_>) -> Next {
        if self.own.is_final && !self.own.strict {
            return Some(match self.until_closer(Closer::Comment, lex)? {
                true => self.end_comment(lex),
                false => self.eof_in_comment(lex),
            });
        }
        let unit: Unit = match self.own.strict {
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

    /// Not in the document: in `COMMENT_CLOSE`, after `-`.
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

    /// Not in the document: in `COMMENT_CLOSE`, after `--`.
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

    /// `-->` was taken.
    fn end_comment(&mut self, lex: &mut Lexer<'_>) -> State {
        if core::mem::take(&mut self.own.in_subset) {
            return State::Subset;
        }
        self.leave_out(lex, self.token, lex.mark());
        State::Main
    }

    /// The end of the input in a comment, which runs up to there; by the final revision it is none.
    fn eof_in_comment(&mut self, lex: &mut Lexer<'_>) -> State {
        if self.own.is_final && !self.own.strict {
            if core::mem::take(&mut self.own.in_subset) {
                // It may still be a declaration.
                self.go_back(lex, self.own.inner);
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
