//! The markup declaration state (`<!`), the bogus comment state, and the actions that all string tokens share.

use crate::dialects::xml::errors;
use crate::dialects::xml::machine::{DELIMITED, Lexer, XmlMachine};
use crate::dialects::xml::state::{Next, State};
use crate::engine::event::record::{Record, RecordKind};
use crate::engine::input::BufferOffset;
use crate::engine::tokenizer::{
    Keyword, TextBuffer,
    Unit::{Byte, Eof},
};

impl XmlMachine {
    /// Implements the *markup declaration state*: reads the first character of `--`, `[CDATA[` or `DOCTYPE`.
    ///
    /// A comment ends the run of text before it. The run continues in a CDATA section, and after a misplaced DOCTYPE
    /// unless the parse is strict.
    pub(in crate::dialects::xml) fn markup_declaration(&mut self, lex: &mut Lexer<'_>) -> Next {
        let (word, then): (&[u8], _) = match lex.next()? {
            Byte(b'-') => {
                self.end_text_before(lex, self.token);
                (b"--", State::Comment)
            }
            Byte(b'[') => (b"[CDATA[", State::Cdata),
            Byte(b'D') => {
                if self.dialect.options.is_strict() {
                    // In a strict parse, a misplaced DOCTYPE ends the parse here. The text before it is delivered
                    // first.
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

    /// Expects the rest of `word`, whose first byte was consumed, and after it the state `then`.
    pub(in crate::dialects::xml) fn expect(&mut self, word: &'static [u8], then: State) {
        self.keyword = Keyword::after(1, word);
        self.dialect.then = then;
    }

    /// Our own state: compares the next byte with the expected keyword. XML-ER looks ahead instead, which is impossible
    /// if the keyword is cut by the end of a chunk.
    pub(in crate::dialects::xml) fn markup_declaration_keyword(
        &mut self,
        lex: &mut Lexer<'_>,
    ) -> Next {
        let Byte(byte) = lex.next()? else {
            return Some(self.bogus_markup_declaration(lex));
        };
        Some(match (self.keyword.take(byte), self.dialect.then) {
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

    /// Reports a `<!` that starts nothing known, and treats it as a bogus comment, whose data includes the characters
    /// consumed since the `<!`.
    pub(in crate::dialects::xml) fn bogus_markup_declaration(
        &mut self,
        lex: &mut Lexer<'_>,
    ) -> State {
        let start = self.token;
        self.end_text_before(lex, start);
        self.error(lex, errors::INVALID_MARKUP_DECLARATION, start, start + 2);
        self.start_bogus_comment(lex)
    }

    /// Starts a bogus comment. Its data begins after the `<!` or `<?`.
    pub(in crate::dialects::xml) fn start_bogus_comment(&mut self, lex: &mut Lexer<'_>) -> State {
        self.end_text_before(lex, self.token);
        self.value = TextBuffer::at(self.token + 2);
        State::BogusComment
    }

    /// Implements the *bogus comment state*: reads the data up to `>`.
    pub(in crate::dialects::xml) fn bogus_comment(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.until::<DELIMITED>()? {
            Byte(b'>') => self.emit_comment(lex, lex.mark() - 1),
            Byte(byte) => {
                self.string_character(lex, byte);
                State::BogusComment
            }
            Eof => lex.incomplete(|lex| self.emit_comment(lex, lex.mark())),
        })
    }

    /// Handles a byte in a comment, a CDATA section or a processing instruction that does not end the token:
    /// normalizes a newline, or checks the character.
    pub(in crate::dialects::xml) fn string_character(&mut self, lex: &mut Lexer<'_>, byte: u8) {
        match byte {
            b'\r' => self.line_end(lex, "\n"),
            b'-' | b'?' | b']' | b'>' => {}
            _ => self.check_character(lex, byte),
        }
    }

    /// Emits the comment whose data ends at offset `end`. Comments in a DOCTYPE are not events.
    pub(in crate::dialects::xml) fn emit_comment(
        &mut self,
        lex: &mut Lexer<'_>,
        end: BufferOffset,
    ) -> State {
        if self.is_in_subset() {
            return State::DoctypeInternalSubset;
        }
        let record = Record::new(RecordKind::Comment, self.token, lex.mark());
        self.emit_string(lex, record, end);
        self.after_tag(lex)
    }

    /// Emits `record` with the current string as its data. The string ends at offset `end`.
    pub(in crate::dialects::xml) fn emit_string(
        &mut self,
        lex: &mut Lexer<'_>,
        mut record: Record,
        end: BufferOffset,
    ) {
        lex.finish_in(&mut record, &mut self.value, end);
        lex.emit(record);
    }
}
