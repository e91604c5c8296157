//! The states of CDATA sections. Their content belongs to the run of text around them.

use crate::dialects::html::errors;
use crate::dialects::html::machine::{CDATA, HtmlMachine, Lexer, reconsume};
use crate::dialects::html::state::{Next, State};
use crate::engine::event::queue::SplitAt;
use crate::engine::event::record::{IN_CDATA, NULLS};
use crate::engine::input::BufferOffset;
use crate::engine::tokenizer::Unit::{Byte, Eof};

impl HtmlMachine {
    /// Handles the `<![CDATA[` that was just consumed: excludes it from the run of text.
    pub(super) fn start_cdata_section(&mut self, lex: &mut Lexer<'_>) -> State {
        let (start, end) = (self.token, lex.mark());
        if !self.split_text(lex, SplitAt::Markup, (start, end), 0) {
            lex.skip_in(&mut self.text, start, end);
        }
        self.token = BufferOffset::NONE;
        State::CdataSection
    }

    /// Implements the *CDATA section state*: in a CDATA section.
    pub(super) fn cdata_section(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.until_set(&CDATA)? {
            Byte(b']') => State::CdataSectionBracket,
            Byte(b'\r') => {
                self.carriage_return(lex);
                State::CdataSection
            }
            Byte(byte) => {
                if byte == 0 {
                    let end = lex.mark();
                    self.split_text(lex, SplitAt::Markup, (end - 1, end - 1), IN_CDATA);
                    self.dialect.nulls = NULLS;
                    self.split_text(lex, SplitAt::Markup, (end, end), IN_CDATA);
                }
                State::CdataSection
            }
            Eof => {
                let end = lex.mark();
                self.split_text(lex, SplitAt::Markup, (end, end), IN_CDATA);
                self.end_in(lex, errors::EOF_IN_CDATA)
            }
        })
    }

    /// Implements the *CDATA section bracket state*: after one `]` in a CDATA section.
    pub(super) fn cdata_section_bracket(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b']') => State::CdataSectionEnd,
            unit => reconsume(lex, unit, State::CdataSection),
        })
    }

    /// Implements the *CDATA section end state*: after `]]` in a CDATA section.
    pub(super) fn cdata_section_end(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b']') => State::CdataSectionEnd,
            Byte(b'>') => {
                let end = lex.mark();
                if !self.split_text(lex, SplitAt::Markup, (end - 3, end), IN_CDATA) {
                    lex.skip_in(&mut self.text, end - 3, end);
                }
                State::Data
            }
            unit => reconsume(lex, unit, State::CdataSection),
        })
    }
}
