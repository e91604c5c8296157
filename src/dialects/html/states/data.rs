//! The states of text: data, RCDATA, RAWTEXT, script data and PLAINTEXT.

use crate::dialects::html::errors;
use crate::dialects::html::machine::{HtmlMachine, Lexer, TEXT};
use crate::dialects::html::state::{Next, State};
use crate::engine::event::queue::SplitAt;
use crate::engine::event::record::NULLS;
use crate::engine::tokenizer::TextBuffer;
use crate::engine::tokenizer::Unit::{Byte, Eof};

impl HtmlMachine {
    /// Implements the *data state*: in content, outside of tags, comments and other markup.
    pub(super) fn data(&mut self, lex: &mut Lexer<'_>) -> Next {
        let unit = lex.until::<TEXT>()?;
        Some(match unit {
            Byte(b'&') => self.reference_from(lex, State::Data),
            Byte(b'<') => self.less_than_sign(lex, State::TagOpen),
            Byte(b'\r') => {
                let at = lex.mark() - 1;
                if self.text.start == at && lex.peek() == Some(b'\n') {
                    // PERF: between the lines of a file, a run of text begins with CR LF. The general way takes 1.2 of
                    // 55 million instructions more for contents.html with CR LF (`valgrind --tool=callgrind`).
                    lex.skip(1);
                    self.text = TextBuffer::after_cr(at, at + 1);
                } else {
                    self.carriage_return(lex);
                }
                State::Data
            }
            Byte(0) => {
                // Tree construction ignores the character, so it is a piece of its own.
                let end = lex.mark();
                self.split_text(lex, SplitAt::Markup, (end - 1, end - 1), 0);
                self.dialect.nulls = NULLS;
                self.split_text(lex, SplitAt::Markup, (end, end), 0);
                self.error_at(lex, errors::UNEXPECTED_NULL_CHARACTER, unit);
                State::Data
            }
            Byte(_) => State::Data,
            Eof => self.finish(lex),
        })
    }

    /// Implements the *RCDATA state*: in text with character references, such as the content of a `title`.
    pub(super) fn rcdata(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.until::<TEXT>()? {
            Byte(b'<') => self.less_than_sign(lex, State::RcdataLessThanSign),
            Byte(b'&') => self.reference_from(lex, State::Rcdata),
            Byte(byte) => {
                self.string_character(lex, byte);
                State::Rcdata
            }
            Eof => self.finish(lex),
        })
    }

    /// Implements the *RAWTEXT state*: in text without character references, such as the content of a `style`.
    pub(super) fn rawtext(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.until::<TEXT>()? {
            Byte(b'<') => self.less_than_sign(lex, State::RawtextLessThanSign),
            Byte(byte) => {
                self.string_character(lex, byte);
                State::Rawtext
            }
            Eof => self.finish(lex),
        })
    }

    /// Implements the *script data state*: in the text of a script.
    pub(super) fn script_data(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.until::<TEXT>()? {
            Byte(b'<') => self.less_than_sign(lex, State::ScriptDataLessThanSign),
            Byte(byte) => {
                self.string_character(lex, byte);
                State::ScriptData
            }
            Eof => self.finish(lex),
        })
    }

    /// Implements the *PLAINTEXT state*: in text that extends to the end of the input.
    pub(super) fn plaintext(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.until::<TEXT>()? {
            Byte(byte) => {
                self.string_character(lex, byte);
                State::Plaintext
            }
            Eof => self.finish(lex),
        })
    }

    /// Handles the end of the input where it is not a parse error.
    #[inline(always)]
    pub(super) fn finish(&mut self, lex: &mut Lexer<'_>) -> State {
        self.end_of_file(lex)
    }
}
