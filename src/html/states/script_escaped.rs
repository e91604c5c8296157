//! Script data: text like a comment of HTML, and a script in that.

use crate::html::errors;
use crate::html::machine::{COMMENT, HtmlMachine, Lexer};
use crate::html::state::{Next, State};
use crate::lexer::Unit::{Byte, Eof};

/// How much of a name is that of `script`, in any case.
#[derive(Clone, Copy, Debug, Default)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
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
    pub(super) fn script_data_escaped(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.until_set(&COMMENT)? {
            Byte(b'-') => State::ScriptDataEscapedDash,
            Byte(b'<') => self.less_than_sign(lex, State::ScriptDataEscapedLessThanSign),
            Eof => self.end_in_script(lex),
            Byte(byte) => {
                self.string_character(lex, byte);
                State::ScriptDataEscaped
            }
        })
    }

    /// Script data escaped dash state
    pub(super) fn script_data_escaped_dash(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'-') => State::ScriptDataEscapedDashDash,
            Byte(b'<') => self.less_than_sign(lex, State::ScriptDataEscapedLessThanSign),
            Eof => self.end_in_script(lex),
            Byte(byte) => {
                self.string_character(lex, byte);
                State::ScriptDataEscaped
            }
        })
    }

    /// Script data escaped dash dash state
    pub(super) fn script_data_escaped_dash_dash(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'-') => State::ScriptDataEscapedDashDash,
            Byte(b'<') => self.less_than_sign(lex, State::ScriptDataEscapedLessThanSign),
            Byte(b'>') => State::ScriptData,
            Eof => self.end_in_script(lex),
            Byte(byte) => {
                self.string_character(lex, byte);
                State::ScriptDataEscaped
            }
        })
    }

    /// Script data escaped less-than sign state
    pub(super) fn script_data_escaped_less_than_sign(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'/') => State::ScriptDataEscapedEndTagOpen,
            Byte(byte) if byte.is_ascii_alphabetic() => {
                self.own.script = ScriptName::default();
                self.own.script.step(byte);
                self.emit_as_text(State::ScriptDataDoubleEscapeStart)
            }
            unit => self.text_again(lex, unit, State::ScriptDataEscaped),
        })
    }

    /// Script data escaped end tag open state
    pub(super) fn script_data_escaped_end_tag_open(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(byte) if byte.is_ascii_alphabetic() => {
                self.start_name(lex.mark() - 1, byte);
                State::ScriptDataEscapedEndTagName
            }
            unit => self.text_again(lex, unit, State::ScriptDataEscaped),
        })
    }

    /// Script data escaped end tag name state
    pub(super) fn script_data_escaped_end_tag_name(&mut self, lex: &mut Lexer<'_>) -> Next {
        let unit = lex.next()?;
        Some(self.text_end_tag_name(lex, unit, State::ScriptDataEscaped))
    }

    /// Script data double escape start state
    pub(super) fn script_data_double_escape_start(&mut self, lex: &mut Lexer<'_>) -> Next {
        let then = (State::ScriptDataDoubleEscaped, State::ScriptDataEscaped);
        self.double_escape(lex, then)
    }

    /// Script data double escaped state
    pub(super) fn script_data_double_escaped(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.until_set(&COMMENT)? {
            Byte(b'-') => State::ScriptDataDoubleEscapedDash,
            Byte(b'<') => State::ScriptDataDoubleEscapedLessThanSign,
            Eof => self.end_in_script(lex),
            Byte(byte) => {
                self.string_character(lex, byte);
                State::ScriptDataDoubleEscaped
            }
        })
    }

    /// Script data double escaped dash state
    pub(super) fn script_data_double_escaped_dash(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'-') => State::ScriptDataDoubleEscapedDashDash,
            Byte(b'<') => State::ScriptDataDoubleEscapedLessThanSign,
            Eof => self.end_in_script(lex),
            Byte(byte) => {
                self.string_character(lex, byte);
                State::ScriptDataDoubleEscaped
            }
        })
    }

    /// Script data double escaped dash dash state
    pub(super) fn script_data_double_escaped_dash_dash(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'-') => State::ScriptDataDoubleEscapedDashDash,
            Byte(b'<') => State::ScriptDataDoubleEscapedLessThanSign,
            Byte(b'>') => State::ScriptData,
            Eof => self.end_in_script(lex),
            Byte(byte) => {
                self.string_character(lex, byte);
                State::ScriptDataDoubleEscaped
            }
        })
    }

    /// Script data double escaped less-than sign state
    pub(super) fn script_data_double_escaped_less_than_sign(
        &mut self,
        lex: &mut Lexer<'_>,
    ) -> Next {
        Some(match lex.next()? {
            Byte(b'/') => {
                self.own.script = ScriptName::default();
                State::ScriptDataDoubleEscapeEnd
            }
            Byte(b'<') => State::ScriptDataDoubleEscapedLessThanSign,
            unit => self.text_again(lex, unit, State::ScriptDataDoubleEscaped),
        })
    }

    /// Script data double escape end state
    pub(super) fn script_data_double_escape_end(&mut self, lex: &mut Lexer<'_>) -> Next {
        let then = (State::ScriptDataEscaped, State::ScriptDataDoubleEscaped);
        self.double_escape(lex, then)
    }

    /// What the double escape states have in common: a name is read. What ends it is reconsumed, as
    /// text, in the first of two states if the name is `script`, else in the second.
    fn double_escape(&mut self, lex: &mut Lexer<'_>, then: (State, State)) -> Next {
        let unit = lex.next()?;
        if let Byte(byte) = unit
            && byte.is_ascii_alphabetic()
        {
            self.own.script.step(byte);
            return Some(self.state);
        }
        let ends = matches!(
            unit,
            Byte(b'\t' | b'\n' | b'\x0C' | b'\r' | b' ' | b'/' | b'>')
        );
        let is_script = ends && self.own.script.is_whole();
        let state = if is_script { then.0 } else { then.1 };
        Some(self.text_again(lex, unit, state))
    }

    fn end_in_script(&mut self, lex: &mut Lexer<'_>) -> State {
        self.end_in(lex, errors::EOF_IN_SCRIPT_HTML_COMMENT_LIKE_TEXT)
    }
}
