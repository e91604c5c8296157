//! Comments, of the content and of a DOCTYPE.

use crate::lexer::Unit::{Byte, Eof};
use crate::xml::errors;
use crate::xml::machine::{DELIMITED, Lexer, XmlMachine};
use crate::xml::state::{Next, State};

impl XmlMachine {
    /// Comment state, and DOCTYPE comment state
    pub(in crate::xml) fn comment(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.until::<DELIMITED>()? {
            Byte(b'-') => State::CommentDash,
            Byte(byte) => {
                self.string_character(lex, byte);
                State::Comment
            }
            Eof => self.eof_in_comment(lex, 0),
        })
    }

    /// Comment dash state, and DOCTYPE comment dash state
    ///
    /// "Stay in the current state" on anything else is a slip: it returns to the comment state.
    pub(in crate::xml) fn comment_dash(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'-') => State::CommentEnd,
            Byte(_) => lex.reconsume(State::Comment),
            Eof => self.eof_in_comment(lex, 1),
        })
    }

    /// Comment end state, and DOCTYPE comment end state
    ///
    /// On `-`, one `-` is appended and two are still pending: `--->` ends a comment. Going back to the
    /// dash state there, in a DOCTYPE, is a slip.
    pub(in crate::xml) fn comment_end(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'>') => self.emit_comment(lex, lex.mark() - 3),
            Byte(byte) => {
                let dashes = lex.mark() - 3;
                let code = errors::DOUBLE_HYPHEN_IN_COMMENT;
                let state = if byte == b'-' {
                    State::CommentEnd
                } else {
                    lex.back();
                    State::Comment
                };
                self.error(lex, code, dashes, dashes + 2);
                state
            }
            Eof => self.eof_in_comment(lex, 2),
        })
    }

    /// Emits the comment without the dashes that are pending.
    fn eof_in_comment(&mut self, lex: &mut Lexer<'_>, pending: u32) -> State {
        if self.is_in_subset() {
            return self.eof_in_doctype(lex);
        }
        self.error_at_end(lex, errors::EOF_IN_COMMENT);
        self.emit_comment(lex, lex.mark() - pending)
    }
}
