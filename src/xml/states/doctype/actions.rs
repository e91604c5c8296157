//! The actions that the states of a DOCTYPE share with those of content, which take a cursor and the
//! queue apart.

use super::Lexer;
use crate::error::Code;
use crate::limits::Limit;
use crate::xml::machine::XmlMachine;

impl XmlMachine {
    /// Reports something that is wrong between two marks.
    pub(super) fn report(&mut self, lex: &mut Lexer<'_>, code: Code, start: u32, end: u32) {
        lex.with(|input, out| self.error(input, out, code, start, end));
    }

    /// Reports the character whose first byte was taken last.
    pub(super) fn report_here(&mut self, lex: &mut Lexer<'_>, code: Code) {
        lex.with(|input, out| self.error_here(input, out, code));
    }

    /// Reports the character that comes next and is not taken yet.
    pub(super) fn report_next(&mut self, lex: &mut Lexer<'_>, code: Code) {
        lex.with(|input, out| self.error_next(input, out, code));
    }

    /// Reports the end of the input.
    pub(super) fn report_at_end(&mut self, lex: &mut Lexer<'_>, code: Code) {
        lex.with(|input, out| self.error_at_end(input, out, code));
    }

    /// A limit was reached by what stands between two marks.
    pub(super) fn reach(&mut self, lex: &mut Lexer<'_>, limit: Limit, start: u32, end: u32) {
        lex.with(|input, out| self.exceed(input, out, limit, start, end));
    }

    /// A byte was taken that may be, or begin, a character that is not one of XML's.
    pub(super) fn check_byte(&mut self, lex: &mut Lexer<'_>, byte: u8) {
        lex.with(|input, out| self.check_character(input, out, byte));
    }

    /// The first byte of a character of a name was taken; the first one is to `start` it.
    pub(super) fn in_name(&mut self, lex: &mut Lexer<'_>, byte: u8, start: bool) {
        lex.with(|input, out| *input = self.name_character(*input, out, byte, start));
    }

    /// The same of a name that has no colon where there are namespaces.
    pub(super) fn in_local_name(&mut self, lex: &mut Lexer<'_>, byte: u8, start: bool) {
        lex.with(|input, out| *input = self.target_character(*input, out, byte, start));
    }
}
