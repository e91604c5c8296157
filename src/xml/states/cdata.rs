//! CDATA sections: their content is part of the run of text.

use crate::input::Mark;
use crate::lexer::{
    TextBuffer,
    Unit::{Byte, Eof},
};
use crate::xml::errors;
use crate::xml::machine::{DELIMITED, Lexer, XmlMachine};
use crate::xml::state::{Next, State};

impl XmlMachine {
    /// `<![CDATA[` was taken.
    pub(in crate::xml) fn start_cdata(&mut self, lex: &mut Lexer<'_>) {
        let (start, end) = (self.token, lex.mark());
        if self.text.is_none() {
            self.text = TextBuffer::at(start);
            self.error(lex, errors::TEXT_OUTSIDE_ROOT, start, end);
        }
        lex.remove(&mut self.text, start, end);
        self.token = Mark::NONE;
    }

    /// CDATA state
    pub(in crate::xml) fn cdata(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.until::<DELIMITED>()? {
            Byte(b']') => State::CdataBracket,
            Byte(byte) => {
                self.string_character(lex, byte);
                State::Cdata
            }
            Eof => self.eof_in_cdata(lex, 0),
        })
    }

    /// CDATA bracket state
    ///
    /// "Stay in the current state" on anything else is a slip: it returns to the CDATA state.
    pub(in crate::xml) fn cdata_bracket(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b']') => State::CdataEnd,
            Byte(_) => lex.reconsume(State::Cdata),
            Eof => self.eof_in_cdata(lex, 1),
        })
    }

    /// CDATA end state
    pub(in crate::xml) fn cdata_end(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'>') => {
                let end = lex.mark();
                lex.remove(&mut self.text, end - 3, end);
                State::Data
            }
            Byte(b']') => State::CdataEnd,
            Byte(_) => lex.reconsume(State::Cdata),
            Eof => self.eof_in_cdata(lex, 2),
        })
    }

    /// The brackets that are pending are lost.
    fn eof_in_cdata(&mut self, lex: &mut Lexer<'_>, pending: u32) -> State {
        self.error_at_end(lex, errors::EOF_IN_CDATA);
        let end = lex.mark();
        if pending > 0 {
            lex.remove(&mut self.text, end - pending, end);
        }
        State::Data
    }
}
