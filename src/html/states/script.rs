//! Script data: its end tag, and where text like a comment of HTML begins.

use crate::event::record::Queue;
use crate::html::machine::{Cursor, HtmlMachine};
use crate::html::state::State;
use crate::input::cursor::Unit::Byte;

impl HtmlMachine {
    /// Script data less-than sign state
    pub(in crate::html) fn script_data_less_than_sign(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b'/') => State::ScriptDataEndTagOpen,
            Byte(b'!') => self.emit_as_text(State::ScriptDataEscapeStart),
            unit => self.text_again(input, out, unit, State::ScriptData),
        })
    }

    /// Script data end tag open state
    pub(in crate::html) fn script_data_end_tag_open(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(byte) if byte.is_ascii_alphabetic() => {
                self.start_name(input.mark() - 1, byte);
                State::ScriptDataEndTagName
            }
            unit => self.text_again(input, out, unit, State::ScriptData),
        })
    }

    /// Script data end tag name state
    pub(in crate::html) fn script_data_end_tag_name(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        let unit = input.next()?;
        Some(self.text_end_tag_name(input, out, unit, State::ScriptData))
    }

    /// Script data escape start state
    pub(in crate::html) fn script_data_escape_start(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b'-') => State::ScriptDataEscapeStartDash,
            unit => self.text_again(input, out, unit, State::ScriptData),
        })
    }

    /// Script data escape start dash state
    pub(in crate::html) fn script_data_escape_start_dash(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b'-') => State::ScriptDataEscapedDashDash,
            unit => self.text_again(input, out, unit, State::ScriptData),
        })
    }
}
