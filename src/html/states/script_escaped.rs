//! Script data: text like a comment of HTML, and a script in that.

use crate::event::record::Queue;
use crate::html::errors;
use crate::html::machine::{COMMENT, Cursor, HtmlMachine};
use crate::html::state::State;
use crate::input::cursor::Unit::{self, Byte, Eof};

/// How much of a name is that of `script`, in any case.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::html) struct ScriptName {
    /// So many letters are right; past the name's end, one was wrong.
    letters: usize,
}

impl ScriptName {
    const NAME: &[u8] = b"script";

    fn step(&mut self, letter: u8) {
        self.letters = match Self::NAME.get(self.letters) {
            Some(&right) if letter.to_ascii_lowercase() == right => self.letters + 1,
            _ => Self::NAME.len() + 1,
        };
    }

    fn is_whole(self) -> bool {
        self.letters == Self::NAME.len()
    }
}

impl HtmlMachine {
    /// Script data escaped state
    pub(in crate::html) fn script_data_escaped(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        let unit = input.until_set(&COMMENT)?;
        Some(self.in_script_data_escaped(input, out, unit))
    }

    /// `unit` was taken in the script data escaped state.
    #[inline(always)]
    pub(in crate::html) fn in_script_data_escaped(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        unit: Unit,
    ) -> State {
        match unit {
            Byte(b'-') => State::ScriptDataEscapedDash,
            Byte(b'<') => self.less_than_sign(input, State::ScriptDataEscapedLessThanSign),
            Eof => self.end_in_script(input, out),
            Byte(byte) => {
                self.string_character(input, out, byte);
                State::ScriptDataEscaped
            }
        }
    }

    /// Script data escaped dash state
    pub(in crate::html) fn script_data_escaped_dash(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b'-') => State::ScriptDataEscapedDashDash,
            Byte(b'<') => self.less_than_sign(input, State::ScriptDataEscapedLessThanSign),
            Eof => self.end_in_script(input, out),
            Byte(byte) => {
                self.string_character(input, out, byte);
                State::ScriptDataEscaped
            }
        })
    }

    /// Script data escaped dash dash state
    pub(in crate::html) fn script_data_escaped_dash_dash(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b'-') => State::ScriptDataEscapedDashDash,
            Byte(b'<') => self.less_than_sign(input, State::ScriptDataEscapedLessThanSign),
            Byte(b'>') => State::ScriptData,
            Eof => self.end_in_script(input, out),
            Byte(byte) => {
                self.string_character(input, out, byte);
                State::ScriptDataEscaped
            }
        })
    }

    /// Script data escaped less-than sign state
    pub(in crate::html) fn script_data_escaped_less_than_sign(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b'/') => State::ScriptDataEscapedEndTagOpen,
            Byte(byte) if byte.is_ascii_alphabetic() => {
                self.script = ScriptName::default();
                self.script.step(byte);
                self.emit_as_text(State::ScriptDataDoubleEscapeStart)
            }
            unit => self.text_again(input, out, unit, State::ScriptDataEscaped),
        })
    }

    /// Script data escaped end tag open state
    pub(in crate::html) fn script_data_escaped_end_tag_open(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(byte) if byte.is_ascii_alphabetic() => {
                self.start_name(input.mark() - 1, byte);
                State::ScriptDataEscapedEndTagName
            }
            unit => self.text_again(input, out, unit, State::ScriptDataEscaped),
        })
    }

    /// Script data escaped end tag name state
    pub(in crate::html) fn script_data_escaped_end_tag_name(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        let unit = input.next()?;
        Some(self.text_end_tag_name(input, out, unit, State::ScriptDataEscaped))
    }

    /// Script data double escape start state
    pub(in crate::html) fn script_data_double_escape_start(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        let then = (State::ScriptDataDoubleEscaped, State::ScriptDataEscaped);
        self.double_escape(input, out, then)
    }

    /// Script data double escaped state
    pub(in crate::html) fn script_data_double_escaped(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        let unit = input.until_set(&COMMENT)?;
        Some(self.in_script_data_double_escaped(input, out, unit))
    }

    /// `unit` was taken in the script data double escaped state.
    #[inline(always)]
    pub(in crate::html) fn in_script_data_double_escaped(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        unit: Unit,
    ) -> State {
        match unit {
            Byte(b'-') => State::ScriptDataDoubleEscapedDash,
            Byte(b'<') => State::ScriptDataDoubleEscapedLessThanSign,
            Eof => self.end_in_script(input, out),
            Byte(byte) => {
                self.string_character(input, out, byte);
                State::ScriptDataDoubleEscaped
            }
        }
    }

    /// Script data double escaped dash state
    pub(in crate::html) fn script_data_double_escaped_dash(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b'-') => State::ScriptDataDoubleEscapedDashDash,
            Byte(b'<') => State::ScriptDataDoubleEscapedLessThanSign,
            Eof => self.end_in_script(input, out),
            Byte(byte) => {
                self.string_character(input, out, byte);
                State::ScriptDataDoubleEscaped
            }
        })
    }

    /// Script data double escaped dash dash state
    pub(in crate::html) fn script_data_double_escaped_dash_dash(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b'-') => State::ScriptDataDoubleEscapedDashDash,
            Byte(b'<') => State::ScriptDataDoubleEscapedLessThanSign,
            Byte(b'>') => State::ScriptData,
            Eof => self.end_in_script(input, out),
            Byte(byte) => {
                self.string_character(input, out, byte);
                State::ScriptDataDoubleEscaped
            }
        })
    }

    /// Script data double escaped less-than sign state
    pub(in crate::html) fn script_data_double_escaped_less_than_sign(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b'/') => {
                self.script = ScriptName::default();
                State::ScriptDataDoubleEscapeEnd
            }
            Byte(b'<') => State::ScriptDataDoubleEscapedLessThanSign,
            unit => self.text_again(input, out, unit, State::ScriptDataDoubleEscaped),
        })
    }

    /// Script data double escape end state
    pub(in crate::html) fn script_data_double_escape_end(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        let then = (State::ScriptDataEscaped, State::ScriptDataDoubleEscaped);
        self.double_escape(input, out, then)
    }

    /// What the double escape states have in common: a name is read. What ends it is reconsumed, as
    /// text, in the first of two states if the name is `script`, else in the second.
    fn double_escape(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        then: (State, State),
    ) -> Option<State> {
        let unit = input.next()?;
        if let Byte(byte) = unit
            && byte.is_ascii_alphabetic()
        {
            self.script.step(byte);
            return Some(self.state);
        }
        let ends = matches!(
            unit,
            Byte(b'\t' | b'\n' | b'\x0C' | b'\r' | b' ' | b'/' | b'>')
        );
        let is_script = ends && self.script.is_whole();
        let state = if is_script { then.0 } else { then.1 };
        Some(self.text_again(input, out, unit, state))
    }

    fn end_in_script(&mut self, input: &mut Cursor<'_>, out: &mut Queue) -> State {
        self.end_in(input, out, errors::EOF_IN_SCRIPT_HTML_COMMENT_LIKE_TEXT)
    }
}
