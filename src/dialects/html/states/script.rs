//! The states of scripts: their end tag, and the start of an escaped part (`<!--`).

use crate::dialects::html::machine::{HtmlMachine, Lexer};
use crate::dialects::html::state::{Next, State};
use crate::engine::tokenizer::Unit::Byte;

impl HtmlMachine {
    /// Implements the *script data less-than sign state*: after `<` in a script.
    pub(super) fn script_data_less_than_sign(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'/') => State::ScriptDataEndTagOpen,
            Byte(b'!') => self.emit_as_text(State::ScriptDataEscapeStart),
            unit => self.text_again(lex, unit, State::ScriptData),
        })
    }

    /// Implements the *script data end tag open state*: after `</` in a script.
    pub(super) fn script_data_end_tag_open(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(byte) if byte.is_ascii_alphabetic() => {
                self.start_name(lex.mark() - 1, byte);
                State::ScriptDataEndTagName
            }
            unit => self.text_again(lex, unit, State::ScriptData),
        })
    }

    /// Implements the *script data end tag name state*: after `</` and a letter in a script.
    pub(super) fn script_data_end_tag_name(&mut self, lex: &mut Lexer<'_>) -> Next {
        let unit = lex.next()?;
        Some(self.text_end_tag_name(lex, unit, State::ScriptData))
    }

    /// Implements the *script data escape start state*: after `<!` in a script.
    pub(super) fn script_data_escape_start(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'-') => State::ScriptDataEscapeStartDash,
            unit => self.text_again(lex, unit, State::ScriptData),
        })
    }

    /// Implements the *script data escape start dash state*: after `<!-` in a script.
    pub(super) fn script_data_escape_start_dash(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'-') => {
                lex.out.has_escaped_script = true;
                State::ScriptDataEscapedDashDash
            }
            unit => self.text_again(lex, unit, State::ScriptData),
        })
    }
}
