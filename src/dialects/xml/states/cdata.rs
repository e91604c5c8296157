//! States in CDATA sections, whose content becomes part of the surrounding run of text.

use crate::dialects::xml::errors;
use crate::dialects::xml::machine::{DELIMITED, Lexer, XmlMachine};
use crate::dialects::xml::state::{Next, State};
use crate::engine::event::queue::SplitAt;
use crate::engine::event::record::IN_CDATA;
use crate::engine::input::BufferOffset;
use crate::engine::tokenizer::{
    TextBuffer,
    Unit::{Byte, Eof},
};

impl XmlMachine {
    /// Removes `<![CDATA[`, which was just consumed, from the run of text. Outside the root element, reports the
    /// section and starts a run.
    pub(in crate::dialects::xml) fn start_cdata(&mut self, lex: &mut Lexer<'_>) {
        let (start, end) = (self.token, lex.mark());
        if self.text.is_none() {
            self.text = TextBuffer::at(start);
            self.error(lex, errors::TEXT_OUTSIDE_ROOT, start, end);
        }
        if !self.split_text(lex, SplitAt::Section, (start, end), 0) {
            lex.remove(&mut self.text, start, end);
        }
        self.token = BufferOffset::NONE;
    }

    /// Implements the *CDATA state*: reads the content up to a `]` or a character that has to be checked.
    pub(in crate::dialects::xml) fn cdata(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.until::<DELIMITED>()? {
            Byte(b']') => State::CdataBracket,
            Byte(byte) => {
                self.string_character(lex, byte);
                State::Cdata
            }
            Eof => self.eof_in_cdata(lex, 0),
        })
    }

    /// Implements the *CDATA bracket state*, after one `]`.
    ///
    /// XML-ER says "Stay in the current state" for any other character. This is a slip: the state returns to the
    /// CDATA state.
    pub(in crate::dialects::xml) fn cdata_bracket(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b']') => State::CdataEnd,
            Byte(_) => lex.reconsume(State::Cdata),
            Eof => self.eof_in_cdata(lex, 1),
        })
    }

    /// Implements the *CDATA end state*, after `]]`: a `>` ends the section.
    pub(in crate::dialects::xml) fn cdata_end(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'>') => {
                let end = lex.mark();
                if !self.split_text(lex, SplitAt::Section, (end - 3, end), self.cdata_flag()) {
                    lex.remove(&mut self.text, end - 3, end);
                }
                State::Data
            }
            Byte(b']') => State::CdataEnd,
            Byte(_) => lex.reconsume(State::Cdata),
            Eof => self.eof_in_cdata(lex, 2),
        })
    }

    /// Handles the end of the input in a CDATA section. The last `pending` bytes are brackets that might have started
    /// `]]>`; XML-ER drops them.
    fn eof_in_cdata(&mut self, lex: &mut Lexer<'_>, pending: u32) -> State {
        self.error_at_end(lex, errors::EOF_IN_CDATA);
        let end = lex.mark();
        let is_split = self.split_text(
            lex,
            SplitAt::Section,
            (end - pending, end),
            self.cdata_flag(),
        );
        if !is_split && pending > 0 {
            lex.remove(&mut self.text, end - pending, end);
        }
        State::Data
    }

    /// Returns the flag of a piece of text in a CDATA section: [`IN_CDATA`], or 0 in replacement text, whose sections are
    /// not in the input.
    fn cdata_flag(&self) -> u8 {
        match self.dialect.entities.frames.is_empty() {
            true => IN_CDATA,
            false => 0,
        }
    }
}
