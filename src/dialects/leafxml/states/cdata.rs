//! States in CDATA tokens, whose content is part of the content assembly.

use crate::dialects::leafxml::errors;
use crate::dialects::leafxml::machine::{DELIMITED, LeafXmlMachine, Lexer, NOT_SPACE};
use crate::dialects::leafxml::state::{Next, State};
use crate::engine::event::queue::SplitAt;
use crate::engine::event::record::IN_CDATA;
use crate::engine::input::BufferOffset;
use crate::engine::tokenizer::Unit::{Byte, Eof};

impl LeafXmlMachine {
    /// Starts a CDATA token, whose `<![CDATA[` was just consumed.
    pub(super) fn start_cdata(&mut self, lex: &mut Lexer<'_>) -> State {
        let (start, end) = (self.token, lex.mark());
        if !self.split_content(lex, SplitAt::Section, (start, end), 0) {
            self.remove_content(lex, start, end);
        }
        // Text keeps the token's bytes buffered. Outside the root element there is no text, so the register `token`
        // stays set instead, because an error may have to refer to the last brackets.
        if !self.text.is_none() {
            self.token = BufferOffset::NONE;
        }
        match self.dialect.after_cr {
            true => State::CdataLineBreak,
            false => State::Cdata,
        }
    }

    /// Reads the content of a CDATA token up to a `]` or a character that needs attention. Outside the root element,
    /// only whitespace is allowed.
    pub(super) fn cdata(&mut self, lex: &mut Lexer<'_>) -> Next {
        let unit = match self.text.is_none() {
            true => lex.until::<NOT_SPACE>()?,
            false => lex.until::<DELIMITED>()?,
        };
        Some(match unit {
            Byte(b']') => State::CdataBracket,
            Byte(byte) if self.text.is_none() => self.outside_character(lex, byte, State::Cdata),
            Byte(b'-' | b'?') => State::Cdata,
            Byte(byte) => lex.aside(|lex| self.content_character(lex, byte, State::Cdata)),
            Eof => self.fail_at_end(lex, errors::UNTERMINATED_CDATA),
        })
    }

    /// Reads the unit after one `]`.
    pub(super) fn cdata_bracket(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b']') => State::CdataEnd,
            Byte(_) => {
                lex.back();
                let bracket = lex.mark() - 1;
                self.content_bracket(lex, bracket, State::Cdata)
            }
            Eof => self.fail_at_end(lex, errors::UNTERMINATED_CDATA),
        })
    }

    /// Reads the unit after `]]`. A `>` ends the token.
    pub(super) fn cdata_end(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'>') => {
                let end = lex.mark();
                if !self.split_content(lex, SplitAt::Section, (end - 3, end), IN_CDATA) {
                    self.remove_content(lex, end - 3, end);
                }
                self.content()
            }
            Byte(b']') => {
                let bracket = lex.mark() - 3;
                self.content_bracket(lex, bracket, State::CdataEnd)
            }
            Byte(_) => {
                lex.back();
                let bracket = lex.mark() - 2;
                self.content_bracket(lex, bracket, State::Cdata)
            }
            Eof => self.fail_at_end(lex, errors::UNTERMINATED_CDATA),
        })
    }

    /// Handles the bracket at offset `bracket`, which does not end the token and is content. Outside the root element
    /// this is an error. Returns the next state, `then`.
    fn content_bracket(
        &mut self,
        lex: &mut Lexer<'_>,
        bracket: BufferOffset,
        then: State,
    ) -> State {
        self.dialect.after_cr = false;
        if self.text.is_none() {
            return self.fail(lex, errors::STRAY_CONTENT, bracket, bracket + 1);
        }
        then
    }
}
