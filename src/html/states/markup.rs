//! The markup declaration open state.

use crate::event::record::{CLEANED, Piece, Queue, Record};
use crate::html::errors;
use crate::html::machine::{Cursor, HtmlMachine, Keyword};
use crate::html::state::State;
use crate::input::cursor::Unit::{self, Byte, Eof};

impl HtmlMachine {
    /// Markup declaration open state
    ///
    /// Text goes on only in a CDATA section, and ends here where there can be none.
    pub(in crate::html) fn markup_declaration_open(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        let unit = input.next()?;
        self.keyword = match unit {
            Byte(b'-') => Keyword::new(b"--", true),
            Byte(b'D' | b'd') => Keyword::new(b"DOCTYPE", false),
            Byte(b'[') => Keyword::new(b"[CDATA[", true),
            _ => return Some(self.incorrectly_opened_comment(input, out, unit)),
        };
        if unit != Byte(b'[') || !self.allows_cdata() {
            self.flush_text(input, out, self.token);
        }
        Some(State::MarkupDeclarationKeyword)
    }

    /// Not a state of the standard: the markup declaration open state in the middle of a word.
    pub(in crate::html) fn markup_declaration_keyword(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        let unit = input.next()?;
        let Byte(byte) = unit else {
            return Some(self.incorrectly_opened_comment(input, out, unit));
        };
        Some(match (self.keyword.take(byte), self.keyword.word[0]) {
            (None, _) => self.incorrectly_opened_comment(input, out, unit),
            (Some(false), _) => State::MarkupDeclarationKeyword,
            (Some(true), b'-') => {
                self.string = Piece::at(input.mark());
                State::CommentStart
            }
            (Some(true), b'D') => {
                self.doctype = Default::default();
                State::Doctype
            }
            (Some(true), _) if self.allows_cdata() => self.start_cdata_section(input, out),
            (Some(true), _) => {
                self.error_at(input, out, errors::CDATA_IN_HTML_CONTENT, unit);
                self.start_bogus_comment(input, out, self.token + 2)
            }
        })
    }

    /// What follows `<!` opens nothing, as `unit` shows: what was taken since is plain, and the data
    /// of a comment.
    fn incorrectly_opened_comment(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        unit: Unit,
    ) -> State {
        let data = self.token + 2;
        let here = input.mark() == data || (unit != Eof && input.mark() == data + 1);
        let state = self.start_bogus_comment(input, out, data);
        if here {
            self.error_at(input, out, errors::INCORRECTLY_OPENED_COMMENT, unit);
        } else {
            let code = errors::INCORRECTLY_OPENED_COMMENT;
            self.error(input, out, code, data, data + 1);
        }
        self.again(input, out, unit, state)
    }

    /// Adds a record whose data is the current string, which ends at the mark `end`.
    pub(in crate::html) fn emit_string(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        mut record: Record,
        end: u32,
    ) {
        self.join(input, out, record.start, record.end);
        let (a, b, cleaned) = self.string.finish(*input, out, end);
        (record.a, record.b) = (a, b);
        if cleaned {
            record.flags |= CLEANED;
            out.unfinished = b;
        }
        self.string = Piece::NONE;
        self.push(input, out, record);
        self.content(input);
    }
}
