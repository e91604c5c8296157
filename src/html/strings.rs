//! What stands in a string and means something else there: line ends and U+0000.

use super::machine::{Cursor, HtmlMachine};
use super::state::State;
use crate::event::record::{Piece, Queue};

impl HtmlMachine {
    /// A CR was taken, in a string: it and an LF after it mean an LF.
    #[cold]
    #[inline(never)]
    pub(super) fn carriage_return(&mut self, input: Cursor<'_>, out: &mut Queue) {
        let at = input.mark() - 1;
        match input.peek() {
            // The LF stays.
            Some(b'\n') => self.piece().remove(input, out, at, at + 1),
            Some(_) => self.piece().replace(input, out, at, at + 1, "\n"),
            None => {
                self.piece().replace(input, out, at, at + 1, "\n");
                self.after_cr = true;
            }
        }
    }

    /// A U+0000 was taken, in a string: an error, and U+FFFD.
    #[cold]
    #[inline(never)]
    pub(super) fn null<'w>(&mut self, mut input: Cursor<'w>, out: &mut Queue) -> Cursor<'w> {
        let at = input.mark() - 1;
        self.piece().replace(input, out, at, at + 1, "\u{FFFD}");
        let code = super::errors::UNEXPECTED_NULL_CHARACTER;
        self.error(&mut input, out, code, at, at + 1);
        input
    }

    /// A byte was taken in a string that may mean something else there.
    #[inline(always)]
    pub(super) fn string_character(&mut self, input: &mut Cursor<'_>, out: &mut Queue, byte: u8) {
        match byte {
            b'\r' => self.carriage_return(*input, out),
            0 => *input = self.null(*input, out),
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
