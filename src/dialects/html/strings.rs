//! Characters that are replaced in strings: line breaks and U+0000.

use super::machine::{HtmlMachine, Lexer};

impl HtmlMachine {
    /// Handles a U+0000 that was just consumed in a string: reports it and replaces it by U+FFFD.
    #[cold]
    #[inline(never)]
    pub(super) fn null(&mut self, lex: &mut Lexer<'_>) {
        let at = lex.mark() - 1;
        lex.replace(self.string(), at, at + 1, "\u{FFFD}");
        let code = super::errors::UNEXPECTED_NULL_CHARACTER;
        self.error(lex, code, at, at + 1);
    }

    /// Handles a byte that was just consumed in a string, if it is a CR or U+0000. Other bytes are ignored.
    #[inline(always)]
    pub(super) fn string_character(&mut self, lex: &mut Lexer<'_>, byte: u8) {
        match byte {
            b'\r' => self.carriage_return(lex),
            0 => self.null(lex),
            _ => {}
        }
    }
}
