//! CDATA tokens: their content is part of the content assembly.

use crate::event::record::{NONE, Queue};
use crate::input::cursor::Unit::{Byte, Eof};
use crate::leafxml::errors;
use crate::leafxml::machine::{Cursor, DELIMITED, LeafXmlMachine, NOT_SPACE};
use crate::leafxml::state::State;

impl LeafXmlMachine {
    /// `<![CDATA[` was taken.
    pub(in crate::leafxml) fn start_cdata(&mut self, input: &Cursor<'_>, out: &mut Queue) -> State {
        self.remove_content(input, out, self.token, input.mark());
        // Without content to hold, the token is held: its brackets may turn out to be stray.
        if !self.text.is_none() {
            self.token = NONE;
        }
        match self.after_cr {
            true => State::CdataLineBreak,
            false => State::Cdata,
        }
    }

    /// In a CDATA token.
    pub(in crate::leafxml) fn cdata(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        let unit = match self.text.is_none() {
            true => input.until::<NOT_SPACE>()?,
            false => input.until::<DELIMITED>()?,
        };
        Some(match unit {
            Byte(b']') => State::CdataBracket,
            Byte(byte) if self.text.is_none() => {
                self.outside_character(input, out, byte, State::Cdata)
            }
            Byte(b'-' | b'?') => State::Cdata,
            Byte(byte) => {
                let (state, after) = self.content_character(*input, out, byte, State::Cdata);
                *input = after;
                state
            }
            Eof => self.fail_at_end(input, out, errors::UNTERMINATED_CDATA),
        })
    }

    /// After `]` in a CDATA token.
    pub(in crate::leafxml) fn cdata_bracket(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b']') => State::CdataEnd,
            Byte(_) => {
                input.back();
                let bracket = input.mark() - 1;
                self.content_bracket(input, out, bracket, State::Cdata)
            }
            Eof => self.fail_at_end(input, out, errors::UNTERMINATED_CDATA),
        })
    }

    /// After `]]` in a CDATA token.
    pub(in crate::leafxml) fn cdata_end(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b'>') => {
                let end = input.mark();
                self.remove_content(input, out, end - 3, end);
                self.content()
            }
            Byte(b']') => {
                let bracket = input.mark() - 3;
                self.content_bracket(input, out, bracket, State::CdataEnd)
            }
            Byte(_) => {
                input.back();
                let bracket = input.mark() - 2;
                self.content_bracket(input, out, bracket, State::Cdata)
            }
            Eof => self.fail_at_end(input, out, errors::UNTERMINATED_CDATA),
        })
    }

    /// The bracket at a mark does not end the token.
    fn content_bracket(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        bracket: u32,
        then: State,
    ) -> State {
        self.after_cr = false;
        if self.text.is_none() {
            return self.fail(input, out, errors::STRAY_CONTENT, bracket, bracket + 1);
        }
        then
    }
}
