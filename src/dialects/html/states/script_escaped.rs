//! The states of scripts after `<!--` (escaped), and after a further `<script` there (double escaped). An end tag
//! `</script>` does not end a script whose text is double escaped.

use crate::dialects::html::errors;
use crate::dialects::html::machine::{COMMENT, HtmlMachine, Lexer};
use crate::dialects::html::state::{Next, ScriptName, State};
use crate::engine::tokenizer::Unit::{Byte, Eof};

impl HtmlMachine {
    /// Implements the *script data escaped state*: after `<!--` in a script.
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

    /// Implements the *script data escaped dash state*: after `<!--` in a script, after a further `-`.
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

    /// Implements the *script data escaped dash dash state*: after `<!--` in a script, or after a further `--`.
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

    /// Implements the *script data escaped less-than sign state*: after `<!--` in a script, after a `<`.
    pub(super) fn script_data_escaped_less_than_sign(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'/') => State::ScriptDataEscapedEndTagOpen,
            Byte(byte) if byte.is_ascii_alphabetic() => {
                self.dialect.script = ScriptName::default();
                self.dialect.script.step(byte);
                self.emit_as_text(State::ScriptDataDoubleEscapeStart)
            }
            unit => self.text_again(lex, unit, State::ScriptDataEscaped),
        })
    }

    /// Implements the *script data escaped end tag open state*: after `<!--` in a script, after `</`.
    pub(super) fn script_data_escaped_end_tag_open(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(byte) if byte.is_ascii_alphabetic() => {
                self.start_name(lex.mark() - 1, byte);
                State::ScriptDataEscapedEndTagName
            }
            unit => self.text_again(lex, unit, State::ScriptDataEscaped),
        })
    }

    /// Implements the *script data escaped end tag name state*: after `<!--` in a script, after `</` and a letter.
    pub(super) fn script_data_escaped_end_tag_name(&mut self, lex: &mut Lexer<'_>) -> Next {
        let unit = lex.next()?;
        Some(self.text_end_tag_name(lex, unit, State::ScriptDataEscaped))
    }

    /// Implements the *script data double escape start state*: after `<!--` and `<` and a letter in a script. The
    /// name may be `script`.
    pub(super) fn script_data_double_escape_start(&mut self, lex: &mut Lexer<'_>) -> Next {
        let then = (State::ScriptDataDoubleEscaped, State::ScriptDataEscaped);
        self.double_escape(lex, then)
    }

    /// Implements the *script data double escaped state*: after `<!--` and `<script` in a script.
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

    /// Implements the *script data double escaped dash state*: after `<!--` and `<script` in a script, after a `-`.
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

    /// Implements the *script data double escaped dash dash state*: after `<!--`, `<script` and `--` in a script.
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

    /// Implements the *script data double escaped less-than sign state*: after `<!--`, `<script` and `<` in a script.
    pub(super) fn script_data_double_escaped_less_than_sign(
        &mut self,
        lex: &mut Lexer<'_>,
    ) -> Next {
        Some(match lex.next()? {
            Byte(b'/') => {
                self.dialect.script = ScriptName::default();
                State::ScriptDataDoubleEscapeEnd
            }
            Byte(b'<') => State::ScriptDataDoubleEscapedLessThanSign,
            unit => self.text_again(lex, unit, State::ScriptDataDoubleEscaped),
        })
    }

    /// Implements the *script data double escape end state*: after `<!--`, `<script` and `</` in a script. The name
    /// may be `script`.
    pub(super) fn script_data_double_escape_end(&mut self, lex: &mut Lexer<'_>) -> Next {
        let then = (State::ScriptDataEscaped, State::ScriptDataDoubleEscaped);
        self.double_escape(lex, then)
    }

    /// Implements the two double escape states, which read a name. The unit after the name is reconsumed as text, in
    /// `then.0` if the name is `script`, otherwise in `then.1`.
    fn double_escape(&mut self, lex: &mut Lexer<'_>, then: (State, State)) -> Next {
        let unit = lex.next()?;
        if let Byte(byte) = unit
            && byte.is_ascii_alphabetic()
        {
            self.dialect.script.step(byte);
            return Some(self.state);
        }
        let ends = matches!(
            unit,
            Byte(b'\t' | b'\n' | b'\x0C' | b'\r' | b' ' | b'/' | b'>')
        );
        let is_script = ends && self.dialect.script.is_whole();
        let state = if is_script { then.0 } else { then.1 };
        Some(self.text_again(lex, unit, state))
    }

    fn end_in_script(&mut self, lex: &mut Lexer<'_>) -> State {
        self.end_in(lex, errors::EOF_IN_SCRIPT_HTML_COMMENT_LIKE_TEXT)
    }
}
