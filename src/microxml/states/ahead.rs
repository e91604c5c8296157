//! Final revision: how look-aheads read on, and what they learn. One that comes to the end of the input
//! has seen where anything ended that others could look for, so that none has to look again.

use crate::input::Mark;
use crate::lexer::Unit::{Byte, Eof};
use crate::microxml::classes::CLOSER;
use crate::microxml::machine::{Lexer, MicroXmlMachine};

/// What ends a token that has to be looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::microxml) enum Closer {
    /// `-->`
    Comment,
    /// `?>`
    Pi,
    /// `"`
    DoubleQuote,
    /// `'`
    SingleQuote,
}

impl Closer {
    pub(super) fn quote(byte: u8) -> Closer {
        match byte {
            b'"' => Closer::DoubleQuote,
            _ => Closer::SingleQuote,
        }
    }
}

/// Where each closer begins last; mark 0 if there is none.
type Last = [Mark; 4];

/// What look-aheads have learnt.
#[derive(Clone, Copy, Debug, Default)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(in crate::microxml) struct Ahead {
    /// Where the look-ahead begins, and what it has come by.
    from: Mark,
    seen: Last,
    /// A look-ahead from here on came to the end of the input; what it had come by.
    known: Option<Mark>,
    last: Last,
}

impl Ahead {
    pub(in crate::microxml) fn rebase(&mut self, by: u32) {
        // What is no longer held is behind everything that is.
        for mark in self.seen.iter_mut().chain(&mut self.last) {
            *mark = mark.saturating_sub(by);
        }
        self.from = self.from.saturating_sub(by);
        self.known = self.known.map(|mark| mark.saturating_sub(by));
    }
}

impl MicroXmlMachine {
    /// A look-ahead for this begins here, unless it is known that there is none.
    pub(super) fn look_for(&mut self, closer: Closer, lex: &Lexer<'_>) -> bool {
        let from = lex.mark();
        let Ahead { known, last, .. } = self.own.ahead;
        if known.is_some_and(|known| known <= from) && last[closer as usize] < from {
            return false;
        }
        (self.own.ahead.from, self.own.ahead.seen) = (from, Last::default());
        true
    }

    /// Crosses the input until this has been taken. `Some(false)`: the input has ended.
    pub(super) fn until_closer(&mut self, wanted: Closer, lex: &mut Lexer<'_>) -> Option<bool> {
        loop {
            let found = match lex.until_set(&CLOSER)? {
                Byte(b'>') => self.closed_by_bracket(lex),
                Byte(quote) => Some((Closer::quote(quote), lex.mark() - 1)),
                Eof => {
                    (self.own.ahead.known, self.own.ahead.last) =
                        (Some(self.own.ahead.from), self.own.ahead.seen);
                    return Some(false);
                }
            };
            if let Some((closer, begin)) = found {
                self.own.ahead.seen[closer as usize] = begin;
                if closer == wanted {
                    return Some(true);
                }
            }
        }
    }

    /// What the `>` that was taken last ends, and where that begins.
    fn closed_by_bracket(&self, lex: &Lexer<'_>) -> Option<(Closer, Mark)> {
        let bracket = lex.mark() - 1;
        let taken = bracket - self.own.ahead.from;
        let before = |count| lex.byte(bracket - count);
        match taken {
            1.. if before(1) == b'?' => Some((Closer::Pi, bracket - 1)),
            2.. if before(1) == b'-' && before(2) == b'-' => Some((Closer::Comment, bracket - 2)),
            _ => None,
        }
    }
}
