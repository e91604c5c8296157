//! The data state.

use crate::input::Mark;
use crate::lexer::{
    TextBuffer,
    Unit::{Byte, Eof},
};
use crate::xml::errors;
use crate::xml::frames::FIRST;
use crate::xml::machine::{Lexer, NOT_SPACE, TEXT, XmlMachine};
use crate::xml::state::{Next, State};

/// Whether the character whose first byte was taken last, 0xEF, is neither U+FFFE nor U+FFFF: the full-width punctuation
/// of Chinese begins so.
fn is_full_width(lex: &Lexer<'_>) -> bool {
    (lex.peek(), lex.peek_at(1)) < (Some(0xBF), Some(0xBE))
}

/// Takes text with such characters.
///
/// PERF: what reads plain content need not be begun again behind each.
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
    /// Data state
    #[inline(always)]
    pub(in crate::xml) fn data(&mut self, lex: &mut Lexer<'_>) -> Next {
        if self.is_plain(lex) {
            let state = self.content_loop(lex);
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

    /// A `>` was taken: with `]]` before it, it is an error. The two stand in this run if they are
    /// there at all: references, CDATA sections and tags end with other characters.
    #[cold]
    #[inline(never)]
    fn check_cdata_end(&mut self, lex: &mut Lexer<'_>) {
        let end = lex.mark();
        // The mark before replacement text stands for what is no part of it.
        let begin = match self.own.frames.is_empty() {
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

    /// Not in the document: the data state outside the root element. White space is no event there.
    pub(in crate::xml) fn outside(&mut self, lex: &mut Lexer<'_>) -> Next {
        if self.is_plain_root(lex) {
            let state = self.content_loop(lex);
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

    /// What was taken for the beginning of a token is text; the unit taken last is reconsumed in the
    /// data state.
    pub(in crate::xml) fn emit_as_text(&mut self) -> State {
        if self.text.is_none() {
            self.text = TextBuffer::at(self.token);
        }
        self.token = Mark::NONE;
        State::Data
    }
}
