//! The markup declaration state and the bogus comment state.

use crate::event::record::{CLEANED, Kind, Piece, Queue, Record};
use crate::input::cursor::Unit::{Byte, Eof};
use crate::xml::errors;
use crate::xml::machine::{Cursor, DELIMITED, Keyword, XmlMachine};
use crate::xml::state::State;

impl XmlMachine {
    /// Markup declaration state
    ///
    /// Text goes on in a CDATA section and past a late DOCTYPE; all else ends it.
    pub(in crate::xml) fn markup_declaration(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        self.keyword = match input.next()? {
            Byte(b'-') => {
                self.flush_text(input, out, self.token);
                Keyword::new(b"--", State::Comment)
            }
            Byte(b'[') => Keyword::new(b"[CDATA[", State::Cdata),
            Byte(b'D') => {
                if self.options.is_strict() {
                    // A late DOCTYPE is an error here, past which no text goes on.
                    self.flush_text(input, out, self.token);
                }
                Keyword::new(b"DOCTYPE", State::Doctype)
            }
            Byte(_) => {
                input.back();
                return Some(self.bogus_markup_declaration(input, out));
            }
            Eof => return Some(self.bogus_markup_declaration(input, out)),
        };
        Some(State::MarkupDeclarationKeyword)
    }

    /// Not in the document: the markup declaration state in the middle of a word.
    pub(in crate::xml) fn markup_declaration_keyword(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        let Keyword {
            word,
            matched,
            then,
        } = self.keyword;
        Some(match input.next()? {
            Byte(byte) if byte == word[matched] => {
                self.keyword.matched += 1;
                if matched + 1 < word.len() {
                    return Some(State::MarkupDeclarationKeyword);
                }
                if then == State::Cdata {
                    self.start_cdata(input, out);
                } else {
                    self.string = Piece::at(input.mark());
                }
                then
            }
            Byte(_) => {
                input.back();
                self.bogus_markup_declaration(input, out)
            }
            Eof => self.bogus_markup_declaration(input, out),
        })
    }

    /// What follows `<!` is no declaration: a comment of all that was read since then, and more.
    pub(in crate::xml) fn bogus_markup_declaration(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> State {
        let start = self.token;
        self.flush_text(input, out, start);
        self.error(
            input,
            out,
            errors::INVALID_MARKUP_DECLARATION,
            start,
            start + 2,
        );
        self.start_bogus_comment(input, out)
    }

    /// What follows `<!` or `<?` is a comment.
    pub(in crate::xml) fn start_bogus_comment(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> State {
        self.flush_text(input, out, self.token);
        self.string = Piece::at(self.token + 2);
        State::BogusComment
    }

    /// Bogus comment state
    pub(in crate::xml) fn bogus_comment(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.until::<DELIMITED>()? {
            Byte(b'>') => self.emit_comment(input, out, input.mark() - 1),
            Byte(byte) => {
                self.string_character(input, out, byte);
                State::BogusComment
            }
            Eof => self.emit_comment(input, out, input.mark()),
        })
    }

    /// A character in a comment, a section or data that does not delimit it.
    pub(in crate::xml) fn string_character(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        byte: u8,
    ) {
        match byte {
            b'\r' => self.carriage_return(input, out, "\n"),
            b'-' | b'?' | b']' | b'>' => {}
            _ => self.check_character(input, out, byte),
        }
    }

    /// Emits a comment whose data ends at the mark `end`.
    pub(in crate::xml) fn emit_comment(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        end: u32,
    ) -> State {
        let record = Record::new(Kind::Comment, self.token, input.mark());
        self.emit_string(input, out, record, end);
        self.after_tag(input)
    }

    /// Adds a record whose data is the current string, which ends at the mark `end`.
    pub(in crate::xml) fn emit_string(
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
    }
}
