//! The markup declaration state and the bogus comment state.

use crate::event::record::{Kind, Record};
use crate::input::Mark;
use crate::lexer::{
    Keyword, TextBuffer,
    Unit::{Byte, Eof},
};
use crate::xml::errors;
use crate::xml::machine::{DELIMITED, Lexer, XmlMachine};
use crate::xml::state::{Next, State};

impl XmlMachine {
    /// Markup declaration state
    ///
    /// Text goes on in a CDATA section and past a late DOCTYPE; all else ends it.
    pub(in crate::xml) fn markup_declaration(&mut self, lex: &mut Lexer<'_>) -> Next {
        let (word, then): (&[u8], _) = match lex.next()? {
            Byte(b'-') => {
                self.end_text_before(lex, self.token);
                (b"--", State::Comment)
            }
            Byte(b'[') => (b"[CDATA[", State::Cdata),
            Byte(b'D') => {
                if self.own.options.is_strict() {
                    // A late DOCTYPE is an error here, past which no text goes on.
                    self.end_text_before(lex, self.token);
                }
                (b"DOCTYPE", State::Doctype)
            }
            Byte(_) => {
                lex.back();
                return Some(self.bogus_markup_declaration(lex));
            }
            Eof => return Some(self.bogus_markup_declaration(lex)),
        };
        self.expect(word, then);
        Some(State::MarkupDeclarationKeyword)
    }

    /// Of a word whose first letter was taken the others are expected, and after it comes this state.
    pub(in crate::xml) fn expect(&mut self, word: &'static [u8], then: State) {
        self.keyword = Keyword::after(1, word);
        self.own.then = then;
    }

    /// Not in the document: the markup declaration state in the middle of a word.
    pub(in crate::xml) fn markup_declaration_keyword(&mut self, lex: &mut Lexer<'_>) -> Next {
        let Byte(byte) = lex.next()? else {
            return Some(self.bogus_markup_declaration(lex));
        };
        Some(match (self.keyword.take(byte), self.own.then) {
            (Some(false), _) => State::MarkupDeclarationKeyword,
            (Some(true), State::Cdata) => {
                self.start_cdata(lex);
                State::Cdata
            }
            (Some(true), State::Comment) => {
                self.value = TextBuffer::at(lex.mark());
                State::Comment
            }
            (Some(true), then) => then,
            (None, _) => {
                lex.back();
                self.bogus_markup_declaration(lex)
            }
        })
    }

    /// What follows `<!` is no declaration: a comment of all that was read since then, and more.
    pub(in crate::xml) fn bogus_markup_declaration(&mut self, lex: &mut Lexer<'_>) -> State {
        let start = self.token;
        self.end_text_before(lex, start);
        self.error(lex, errors::INVALID_MARKUP_DECLARATION, start, start + 2);
        self.start_bogus_comment(lex)
    }

    /// What follows `<!` or `<?` is a comment.
    pub(in crate::xml) fn start_bogus_comment(&mut self, lex: &mut Lexer<'_>) -> State {
        self.end_text_before(lex, self.token);
        self.value = TextBuffer::at(self.token + 2);
        State::BogusComment
    }

    /// Bogus comment state
    pub(in crate::xml) fn bogus_comment(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.until::<DELIMITED>()? {
            Byte(b'>') => self.emit_comment(lex, lex.mark() - 1),
            Byte(byte) => {
                self.string_character(lex, byte);
                State::BogusComment
            }
            Eof => self.emit_comment(lex, lex.mark()),
        })
    }

    /// A character in a comment, a section or data that does not delimit it.
    pub(in crate::xml) fn string_character(&mut self, lex: &mut Lexer<'_>, byte: u8) {
        match byte {
            b'\r' => self.line_end(lex, "\n"),
            b'-' | b'?' | b']' | b'>' => {}
            _ => self.check_character(lex, byte),
        }
    }

    /// Emits a comment whose data ends at the mark `end`. Those of the internal subset are no events.
    pub(in crate::xml) fn emit_comment(&mut self, lex: &mut Lexer<'_>, end: Mark) -> State {
        if self.is_in_subset() {
            return State::DoctypeInternalSubset;
        }
        let record = Record::new(Kind::Comment, self.token, lex.mark());
        self.emit_string(lex, record, end);
        self.after_tag(lex)
    }

    /// Adds a record whose data is the current string, which ends at the mark `end`.
    pub(in crate::xml) fn emit_string(
        &mut self,
        lex: &mut Lexer<'_>,
        mut record: Record,
        end: Mark,
    ) {
        lex.finish_in(&mut record, &mut self.value, end);
        lex.emit(record);
    }
}
