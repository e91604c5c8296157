//! Final revision: processing instructions, which are dropped; and tokens within a DOCTYPE that do not
//! complete.

use crate::input::Mark;
use crate::microxml::errors;
use crate::microxml::machine::{Lexer, MicroXmlMachine};
use crate::microxml::state::{Next, State};
use crate::microxml::states::Closer;

impl MicroXmlMachine {
    /// `<?` was taken, in the Main mode or a DOCTYPE's subset.
    pub(super) fn start_pi(&mut self, lex: &mut Lexer<'_>, in_subset: bool) -> State {
        self.own.in_subset = in_subset;
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

    /// In `PI`.
    pub(super) fn pi(&mut self, lex: &mut Lexer<'_>) -> Next {
        if !self.until_closer(Closer::Pi, lex)? {
            return Some(self.no_inner_token(lex));
        }
        if core::mem::take(&mut self.own.in_subset) {
            return Some(State::Subset);
        }
        self.leave_out(lex, self.token, lex.mark());
        Some(State::Main)
    }

    /// A token that was begun, in the Main mode or within a DOCTYPE, is none: what was read of it is
    /// read again, in the Main mode, which a DOCTYPE ends for.
    pub(super) fn no_inner_token(&mut self, lex: &mut Lexer<'_>) -> State {
        if core::mem::take(&mut self.own.in_subset) {
            let inner = self.own.inner;
            self.end_doctype(lex, inner);
            self.go_back(lex, inner);
            return State::Main;
        }
        // What follows the `<` is data up to here at least.
        let token = self.token;
        lex.aside(|lex| self.no_token_until(lex, token + 1));
        self.go_back(lex, token + 1);
        State::Main
    }

    /// The DOCTYPE ends before its `>`, at the mark `end`.
    pub(super) fn end_doctype(&mut self, lex: &mut Lexer<'_>, end: Mark) {
        self.repair(lex, errors::UNFINISHED_DOCTYPE, end, end);
        self.leave_out(lex, self.token, end);
    }
}
