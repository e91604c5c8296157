//! The markup declaration open state: comments, DOCTYPEs and CDATA sections after `<!`.

use crate::dialects::html::errors;
use crate::dialects::html::machine::{HtmlMachine, Lexer, reconsume};
use crate::dialects::html::state::{Next, State};
use crate::engine::event::record::Record;
use crate::engine::input::BufferOffset;
use crate::engine::tokenizer::{
    Keyword, TextBuffer,
    Unit::{self, Byte, Eof},
};

impl HtmlMachine {
    /// Implements the *markup declaration open state*: after `<!`.
    ///
    /// If a CDATA section may follow, the run of text before the `<!` continues in it. Otherwise the run ends here.
    pub(super) fn markup_declaration_open(&mut self, lex: &mut Lexer<'_>) -> Next {
        let unit = lex.next()?;
        self.keyword = match unit {
            Byte(b'-') => Keyword::after(1, b"--"),
            Byte(b'D' | b'd') => Keyword::in_any_case(b"DOCTYPE"),
            Byte(b'[') => Keyword::after(1, b"[CDATA["),
            _ => return Some(self.incorrectly_opened_comment(lex, unit)),
        };
        if unit != Byte(b'[') || !self.allows_cdata() {
            self.end_text_before(lex, self.token);
        }
        Some(State::MarkupDeclarationKeyword)
    }

    /// Not a state of the standard: continues the markup declaration open state in the middle of `--`, `DOCTYPE` or
    /// `[CDATA[`.
    pub(super) fn markup_declaration_keyword(&mut self, lex: &mut Lexer<'_>) -> Next {
        let unit = lex.next()?;
        let Byte(byte) = unit else {
            return Some(self.incorrectly_opened_comment(lex, unit));
        };
        Some(match (self.keyword.take(byte), self.keyword.word()) {
            (None, _) => self.incorrectly_opened_comment(lex, unit),
            (Some(false), _) => State::MarkupDeclarationKeyword,
            (Some(true), b"--") => {
                self.value = TextBuffer::at(lex.mark());
                State::CommentStart
            }
            (Some(true), b"DOCTYPE") => {
                self.dialect.doctype = Default::default();
                State::Doctype
            }
            (Some(true), _) if self.allows_cdata() => self.start_cdata_section(lex),
            (Some(true), _) => {
                self.error_at(lex, errors::CDATA_IN_HTML_CONTENT, unit);
                self.start_bogus_comment(lex, self.token + 2)
            }
        })
    }

    /// Starts a bogus comment after a `<!` that starts no other token, as `unit` shows, which was just consumed. The
    /// comment's data starts after the `<!`, so it includes the part of a keyword that was consumed. That part
    /// contains only characters that a comment leaves unchanged.
    fn incorrectly_opened_comment(&mut self, lex: &mut Lexer<'_>, unit: Unit) -> State {
        let data = self.token + 2;
        let here = lex.mark() == data || (unit != Eof && lex.mark() == data + 1);
        let state = self.start_bogus_comment(lex, data);
        if here {
            self.error_at(lex, errors::INCORRECTLY_OPENED_COMMENT, unit);
        } else {
            let code = errors::INCORRECTLY_OPENED_COMMENT;
            self.error(lex, code, data, data + 1);
        }
        reconsume(lex, unit, state)
    }

    /// Emits a record whose data is the current string. The string ends at the offset `end`.
    pub(super) fn emit_string(
        &mut self,
        lex: &mut Lexer<'_>,
        mut record: Record,
        end: BufferOffset,
    ) {
        lex.finish_in(&mut record, &mut self.value, end);
        self.push(lex, record);
        self.content(lex);
    }
}
