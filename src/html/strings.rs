//! What stands in a string and means something else there: line ends and U+0000.

use super::machine::{HtmlMachine, Lexer};
use super::state::State;
use crate::event::record::Piece;

impl HtmlMachine {
    /// A CR was taken, in a string: it and an LF after it mean an LF.
    #[cold]
    #[inline(never)]
    pub(super) fn carriage_return(&mut self, lex: &mut Lexer<'_>) {
        let at = lex.mark() - 1;
        match lex.peek() {
            // The LF stays.
            Some(b'\n') => lex.remove(self.piece(), at, at + 1),
            Some(_) => lex.replace(self.piece(), at, at + 1, "\n"),
            None => {
                lex.replace(self.piece(), at, at + 1, "\n");
                self.after_cr = true;
            }
        }
    }

    /// A U+0000 was taken, in a string: an error, and U+FFFD.
    #[cold]
    #[inline(never)]
    pub(super) fn null(&mut self, lex: &mut Lexer<'_>) {
        let at = lex.mark() - 1;
        lex.replace(self.piece(), at, at + 1, "\u{FFFD}");
        let code = super::errors::UNEXPECTED_NULL_CHARACTER;
        self.error(lex, code, at, at + 1);
    }

    /// A byte was taken in a string that may mean something else there.
    #[inline(always)]
    pub(super) fn string_character(&mut self, lex: &mut Lexer<'_>, byte: u8) {
        match byte {
            b'\r' => self.carriage_return(lex),
            0 => self.null(lex),
            _ => {}
        }
    }

    /// The string that the current state adds to.
    pub(super) fn piece(&mut self) -> &mut Piece {
        match self.state {
            State::Data
            | State::Rcdata
            | State::Rawtext
            | State::ScriptData
            | State::Plaintext
            | State::ScriptDataEscaped
            | State::ScriptDataEscapedDash
            | State::ScriptDataEscapedDashDash
            | State::ScriptDataDoubleEscaped
            | State::ScriptDataDoubleEscapedDash
            | State::ScriptDataDoubleEscapedDashDash
            | State::CdataSection => &mut self.text,
            _ => &mut self.string,
        }
    }
}
