//! States in comments, both in content and in a DOCTYPE.

use crate::dialects::xml::errors;
use crate::dialects::xml::machine::{DELIMITED, Lexer, XmlMachine};
use crate::dialects::xml::state::{Next, State};
use crate::engine::tokenizer::Unit::{Byte, Eof};

impl XmlMachine {
    /// Implements the *comment state* and the *DOCTYPE comment state*: reads the data up to a `-` or a character that
    /// has to be checked.
    pub(in crate::dialects::xml) fn comment(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.until::<DELIMITED>()? {
            Byte(b'-') => State::CommentDash,
            Byte(byte) => {
                self.string_character(lex, byte);
                State::Comment
            }
            Eof => self.eof_in_comment(lex, 0),
        })
    }

    /// Implements the *comment dash state* and the *DOCTYPE comment dash state*, after one `-`.
    ///
    /// XML-ER says "Stay in the current state" for any other character. This is a slip: the state returns to the
    /// comment state.
    pub(in crate::dialects::xml) fn comment_dash(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'-') => State::CommentEnd,
            Byte(_) => lex.reconsume(State::Comment),
            Eof => self.eof_in_comment(lex, 1),
        })
    }

    /// Implements the *comment end state* and the *DOCTYPE comment end state*, after `--`: a `>` ends the comment.
    ///
    /// On another `-`, the first of the three becomes data and the state continues with the other two, so that `--->`
    /// ends the comment. XML-ER returns to the dash state in the DOCTYPE variant, which is a slip.
    pub(in crate::dialects::xml) fn comment_end(&mut self, lex: &mut Lexer<'_>) -> Next {
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

    /// Handles the end of the input in a comment: emits the comment without its last `pending` bytes, which are
    /// dashes that might have started `-->`. In a DOCTYPE, nothing is emitted.
    fn eof_in_comment(&mut self, lex: &mut Lexer<'_>, pending: u32) -> State {
        if self.is_in_subset() {
            return self.eof_in_doctype(lex);
        }
        self.error_at_end(lex, errors::EOF_IN_COMMENT);
        lex.incomplete(|lex| self.emit_comment(lex, lex.mark() - pending))
    }
}
