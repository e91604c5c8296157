//! What stands in a string and means something else there: line ends and U+0000.

use super::machine::{HtmlMachine, Lexer};

impl HtmlMachine {
    /// A U+0000 was taken, in a string: an error, and U+FFFD.
    #[cold]
    #[inline(never)]
    pub(super) fn null(&mut self, lex: &mut Lexer<'_>) {
        let at = lex.mark() - 1;
        lex.replace(self.string(), at, at + 1, "\u{FFFD}");
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
}
