//! The markup declaration open state.

use super::reconsume;
use crate::event::record::Record;
use crate::html::errors;
use crate::html::machine::{HtmlMachine, Lexer};
use crate::html::state::{Next, State};
use crate::input::Mark;
use crate::lexer::{
    Keyword, TextBuffer,
    Unit::{self, Byte, Eof},
};

impl HtmlMachine {
    /// Markup declaration open state
    ///
    /// Text goes on only in a CDATA section, and ends here where there can be none.
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

    /// Not a state of the standard: the markup declaration open state in the middle of a word.
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
                self.own.doctype = Default::default();
                State::Doctype
            }
            (Some(true), _) if self.allows_cdata() => self.start_cdata_section(lex),
            (Some(true), _) => {
                self.error_at(lex, errors::CDATA_IN_HTML_CONTENT, unit);
                self.start_bogus_comment(lex, self.token + 2)
            }
        })
    }

    /// What follows `<!` opens nothing, as `unit` shows: what was taken since is plain, and the data
    /// of a comment.
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

    /// Adds a record whose data is the current string, which ends at the mark `end`.
    pub(super) fn emit_string(&mut self, lex: &mut Lexer<'_>, mut record: Record, end: Mark) {
        lex.finish_in(&mut record, &mut self.value, end);
        self.push(lex, record);
        self.content(lex);
    }
}
