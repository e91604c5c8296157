//! The states of comments.

use crate::dialects::html::errors;
use crate::dialects::html::machine::{BOGUS, COMMENT, HtmlMachine, Lexer, reconsume};
use crate::dialects::html::state::{Next, State};
use crate::engine::error::ErrorCode;
use crate::engine::event::record::{Record, RecordKind};
use crate::engine::input::BufferOffset;
use crate::engine::tokenizer::Unit::{Byte, Eof};

impl HtmlMachine {
    /// Implements the *bogus comment state*: in markup that is ill-formed and becomes a comment, up to `>`.
    pub(super) fn bogus_comment(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.until_set(&BOGUS)? {
            Byte(b'>') => self.emit_comment(lex, 1),
            Byte(byte) => {
                self.string_character(lex, byte);
                State::BogusComment
            }
            Eof => {
                lex.incomplete(|lex| self.emit_comment(lex, 0));
                self.finish(lex)
            }
        })
    }

    /// Implements the *comment start state*: after `<!--`.
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

    /// Implements the *comment start dash state*: after `<!---`.
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

    /// Implements the *comment state*: in a comment.
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

    /// Implements the *comment less-than sign state*: after a `<` in a comment.
    pub(super) fn comment_less_than_sign(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'!') => State::CommentLessThanSignBang,
            Byte(b'<') => State::CommentLessThanSign,
            unit => reconsume(lex, unit, State::Comment),
        })
    }

    /// Implements the *comment less-than sign bang state*: after `<!` in a comment.
    pub(super) fn comment_less_than_sign_bang(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'-') => State::CommentLessThanSignBangDash,
            unit => reconsume(lex, unit, State::Comment),
        })
    }

    /// Implements the *comment less-than sign bang dash state*: after `<!-` in a comment.
    pub(super) fn comment_less_than_sign_bang_dash(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'-') => State::CommentLessThanSignBangDashDash,
            unit => reconsume(lex, unit, State::CommentEndDash),
        })
    }

    /// Implements the *comment less-than sign bang dash dash state*: after `<!--` in a comment.
    pub(super) fn comment_less_than_sign_bang_dash_dash(&mut self, lex: &mut Lexer<'_>) -> Next {
        let unit = lex.next()?;
        if !matches!(unit, Byte(b'>') | Eof) {
            self.error_at(lex, errors::NESTED_COMMENT, unit);
        }
        Some(reconsume(lex, unit, State::CommentEnd))
    }

    /// Implements the *comment end dash state*: after one `-` in a comment.
    pub(super) fn comment_end_dash(&mut self, lex: &mut Lexer<'_>) -> Next {
        let unit = lex.next()?;
        Some(match unit {
            Byte(b'-') => State::CommentEnd,
            Eof => self.eof_in_comment(lex, 1),
            Byte(_) => reconsume(lex, unit, State::Comment),
        })
    }

    /// Implements the *comment end state*: after `--` in a comment.
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

    /// Implements the *comment end bang state*: after `--!` in a comment.
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

    /// Starts a bogus comment whose data begins at the offset `data`, after a `<` or `<!` that starts no other token.
    /// Ends the run of text before it.
    pub(super) fn start_bogus_comment(&mut self, lex: &mut Lexer<'_>, data: BufferOffset) -> State {
        self.value = crate::engine::tokenizer::TextBuffer::at(data);
        self.end_text_before(lex, self.token);
        State::BogusComment
    }

    fn eof_in_comment(&mut self, lex: &mut Lexer<'_>, pending: u32) -> State {
        let code: ErrorCode = errors::EOF_IN_COMMENT;
        self.error_at(lex, code, Eof);
        lex.incomplete(|lex| self.emit_comment(lex, pending));
        self.finish(lex)
    }

    /// Emits the comment. The last `pending` bytes that were consumed are not part of its data.
    fn emit_comment(&mut self, lex: &mut Lexer<'_>, pending: u32) -> State {
        let end = lex.mark();
        let record = Record::new(RecordKind::Comment, self.token, end);
        self.emit_string(lex, record, end - pending);
        State::Data
    }
}
