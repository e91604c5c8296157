//! Of the final revision of the specification: processing instructions, of which no event is made, and constructs of a
//! DOCTYPE that have no end.

use crate::dialects::microxml::errors;
use crate::dialects::microxml::machine::{Lexer, MicroXmlMachine};
use crate::dialects::microxml::state::{Next, State};
use crate::dialects::microxml::states::Closer;
use crate::engine::input::BufferOffset;

impl MicroXmlMachine {
    /// Starts a processing instruction, whose `<?` was just consumed in the Main mode or in the internal subset of a
    /// DOCTYPE.
    pub(super) fn start_pi(&mut self, lex: &mut Lexer<'_>, in_subset: bool) -> State {
        self.dialect.in_subset = in_subset;
        let end = lex.mark();
        self.refuse(lex, errors::STRAY_MARKUP, end - 2, end);
        match (self.look_for(Closer::Pi, lex), in_subset) {
            (true, _) => State::Pi,
            (false, true) => self.no_inner_token(lex),
            (false, false) => {
                lex.aside(|lex| self.no_token_until(lex, end));
                State::Main
            }
        }
    }

    /// Reads a processing instruction (`PI`) up to its `?>`.
    pub(super) fn pi(&mut self, lex: &mut Lexer<'_>) -> Next {
        if !self.until_closer(Closer::Pi, lex)? {
            return Some(self.no_inner_token(lex));
        }
        if core::mem::take(&mut self.dialect.in_subset) {
            return Some(State::Subset);
        }
        self.leave_out(lex, self.token, lex.mark());
        Some(State::Main)
    }

    /// Handles a construct that has turned out not to be a token. In a DOCTYPE, the DOCTYPE ends before the
    /// construct, which is read again in the Main mode. Otherwise its `<` is text, and the input is read again from
    /// the next byte on.
    pub(super) fn no_inner_token(&mut self, lex: &mut Lexer<'_>) -> State {
        if core::mem::take(&mut self.dialect.in_subset) {
            let inner = self.dialect.inner;
            self.end_doctype(lex, inner);
            self.go_back(lex, inner);
            return State::Main;
        }
        // The `<` is text. The characters after it are read again.
        let token = self.token;
        lex.aside(|lex| self.no_token_until(lex, token + 1));
        self.go_back(lex, token + 1);
        State::Main
    }

    /// Ends the DOCTYPE at offset `end`, before its `>`, and reports it.
    pub(super) fn end_doctype(&mut self, lex: &mut Lexer<'_>, end: BufferOffset) {
        self.repair(lex, errors::UNFINISHED_DOCTYPE, end, end);
        self.leave_out(lex, self.token, end);
    }
}
