//! The data state, in content, and its variant outside the root element.

use crate::dialects::xml::errors;
use crate::dialects::xml::frames::FIRST;
use crate::dialects::xml::machine::{Lexer, NOT_SPACE, TEXT, XmlMachine};
use crate::dialects::xml::state::{Next, State};
use crate::engine::input::BufferOffset;
use crate::engine::tokenizer::{
    TextBuffer,
    Unit::{Byte, Eof},
};

/// Returns true if the character whose first byte, 0xEF, was just consumed is certainly neither U+FFFE nor U+FFFF.
/// Most characters that start with 0xEF are the full-width punctuation of Chinese and Japanese (U+FF00 and above).
fn is_full_width(lex: &Lexer<'_>) -> bool {
    (lex.peek(), lex.peek_at(1)) < (Some(0xBF), Some(0xBE))
}

/// Consumes text that contains characters starting with 0xEF, up to the next byte of another kind that needs attention.
///
/// PERF: without this loop, each such character would leave and re-enter the fast path.
#[cold]
#[inline(never)]
fn pass_full_width(lex: &mut Lexer<'_>) {
    while let Some(Byte(byte)) = lex.until::<TEXT>() {
        if byte != 0xEF || !is_full_width(lex) {
            lex.back();
            return;
        }
    }
}

impl XmlMachine {
    /// Implements the *data state*: reads text up to a `<`, a `&` or a character that has to be checked. If the window
    /// is long enough, the fast path reads most of the content instead.
    #[inline(always)]
    pub(in crate::dialects::xml) fn data(&mut self, lex: &mut Lexer<'_>) -> Next {
        if self.is_plain(lex) {
            let state = self.fast_path(lex);
            if state != State::Data {
                return Some(state);
            }
        }
        Some(match lex.until::<TEXT>()? {
            Byte(b'<') => {
                self.token = lex.mark() - 1;
                State::Tag
            }
            Byte(b'&') => self.reference_from(State::Data, lex),
            Byte(b'\r') => {
                lex.aside(|lex| self.line_end(lex, "\n"));
                State::Data
            }
            Byte(b'>') => {
                lex.aside(|lex| self.check_cdata_end(lex));
                State::Data
            }
            Byte(0xEF) if is_full_width(lex) => {
                lex.aside(pass_full_width);
                State::Data
            }
            Byte(byte) => {
                lex.aside(|lex| self.check_character(lex, byte));
                State::Data
            }
            Eof => lex.aside(|lex| self.end_of_file(lex)),
        })
    }

    /// Reports `]]>` in text, whose `>` was just consumed. If there are brackets before it, they are in the current
    /// run of text, because references, CDATA sections and tags end with other characters.
    #[cold]
    #[inline(never)]
    fn check_cdata_end(&mut self, lex: &mut Lexer<'_>) {
        let end = lex.mark();
        // Offset 0 does not denote a byte of the replacement text (see `frames.rs`).
        let begin = match self.dialect.entities.frames.is_empty() {
            true => self.text.start,
            false => self.text.start.max(FIRST),
        };
        if end - begin >= 3 {
            lex.looked(2);
            let [first, second] = [3, 2].map(|back| lex.byte(end - back));
            if first == b']' && second == b']' {
                self.error(lex, errors::CDATA_END_IN_TEXT, end - 3, end);
            }
        }
    }

    /// Our own state: reads the whitespace at the start of a document, and notes the offset of the first token, which may
    /// be the XML declaration.
    pub(in crate::dialects::xml) fn start(&mut self, lex: &mut Lexer<'_>) -> Next {
        if let Byte(_) = lex.until::<NOT_SPACE>()? {
            lex.back();
            self.dialect.start = self.dialect.base + u64::from(lex.mark().get());
        }
        Some(State::Outside)
    }

    /// Our own state: implements the data state outside the root element, where whitespace is not an event and other
    /// text is an error.
    pub(in crate::dialects::xml) fn outside(&mut self, lex: &mut Lexer<'_>) -> Next {
        if self.is_plain_root(lex) {
            let state = self.fast_path(lex);
            return Some(state);
        }
        Some(match lex.until::<NOT_SPACE>()? {
            Byte(b'<') => {
                self.token = lex.mark() - 1;
                State::Tag
            }
            Byte(_) => {
                lex.back();
                self.error_next(lex, errors::TEXT_OUTSIDE_ROOT);
                self.text = TextBuffer::at(lex.mark());
                State::Data
            }
            Eof => self.end_of_file(lex),
        })
    }

    /// Turns the characters since the last `<`, which do not start a token, into text. The caller lets the data state
    /// read the last unit again.
    pub(in crate::dialects::xml) fn emit_as_text(&mut self) -> State {
        if self.text.is_none() {
            self.text = TextBuffer::at(self.token);
        }
        self.token = BufferOffset::NONE;
        State::Data
    }
}
