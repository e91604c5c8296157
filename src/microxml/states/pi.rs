//! Final revision: processing instructions, which are dropped; and tokens within a DOCTYPE that do not
//! complete.

use crate::event::record::Queue;
use crate::microxml::errors;
use crate::microxml::machine::{Cursor, MicroXmlMachine};
use crate::microxml::state::State;
use crate::microxml::states::Closer;

impl MicroXmlMachine {
    /// `<?` was taken, in the Main mode or a DOCTYPE's subset.
    pub(in crate::microxml) fn start_pi(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        in_subset: bool,
    ) -> State {
        self.in_subset = in_subset;
        let end = input.mark();
        self.refuse(input, out, errors::STRAY_MARKUP, end - 2, end);
        match (self.look_for(Closer::Pi, input), in_subset) {
            (true, _) => State::Pi,
            (false, true) => self.no_inner_token(input, out),
            (false, false) => {
                *input = self.no_token_until(*input, out, end);
                State::Main
            }
        }
    }

    /// In `PI`.
    pub(in crate::microxml) fn pi(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        if !self.until_closer(Closer::Pi, input, out)? {
            return Some(self.no_inner_token(input, out));
        }
        if core::mem::take(&mut self.in_subset) {
            return Some(State::Subset);
        }
        self.leave_out(input, out, self.token, input.mark());
        Some(State::Main)
    }

    /// A token that was begun, in the Main mode or within a DOCTYPE, is none: what was read of it is
    /// read again, in the Main mode, which a DOCTYPE ends for.
    pub(in crate::microxml) fn no_inner_token(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> State {
        if core::mem::take(&mut self.in_subset) {
            let inner = self.inner;
            self.end_doctype(input, out, inner);
            self.go_back(input, inner);
            return State::Main;
        }
        // What follows the `<` is data up to here at least.
        let token = self.token;
        *input = self.no_token_until(*input, out, token + 1);
        self.go_back(input, token + 1);
        State::Main
    }

    /// The DOCTYPE ends before its `>`, at the mark `end`.
    pub(in crate::microxml) fn end_doctype(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        end: u32,
    ) {
        self.repair(input, out, errors::UNFINISHED_DOCTYPE, end, end);
        self.leave_out(input, out, self.token, end);
    }
}
