//! Of the final revision of the specification: lookahead for the terminators `-->`, `?>`, `"` and `'`, with memory.
//!
//! A `<!--` starts a comment only if a `-->` follows anywhere in the input; otherwise it is text. The same holds for
//! processing instructions and literals. A lookahead that finds its terminator is the token itself, and is not
//! repeated. A lookahead that fails has read to the end of the input, and the input after the opening must be read
//! again. Without further measures, `<!--<!--<!--…` would cost quadratic time.
//!
//! Therefore each lookahead records the last position of *every* terminator that it passes. After one has reached the
//! end of the input, these positions are final: a later construct looks up whether its terminator occurs after it,
//! so that no second lookahead reads to the end in vain.

use crate::dialects::microxml::classes::CLOSER;
use crate::dialects::microxml::machine::{Lexer, MicroXmlMachine};
use crate::dialects::microxml::state::{Ahead, Last};
use crate::engine::input::BufferOffset;
use crate::engine::tokenizer::Unit::{Byte, Eof};

/// A terminator that may have to be looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::dialects::microxml) enum Closer {
    /// `-->`, the end of a comment.
    Comment,
    /// `?>`, the end of a processing instruction.
    Pi,
    /// A double quote, the end of a literal or value.
    DoubleQuote,
    /// A single quote, the end of a literal or value.
    SingleQuote,
}

impl Closer {
    /// Returns the terminator of a string that starts with the quote `byte`.
    pub(super) fn quote(byte: u8) -> Closer {
        match byte {
            b'"' => Closer::DoubleQuote,
            _ => Closer::SingleQuote,
        }
    }
}

impl MicroXmlMachine {
    /// Starts a lookahead for `closer` at the current position. Returns false if it is known that `closer` does not
    /// occur in the rest of the input.
    pub(super) fn look_for(&mut self, closer: Closer, lex: &Lexer<'_>) -> bool {
        let from = lex.mark();
        let Ahead { known, last, .. } = self.dialect.ahead;
        if known.is_some_and(|known| known <= from) && last[closer as usize] < from {
            return false;
        }
        (self.dialect.ahead.from, self.dialect.ahead.seen) = (from, Last::default());
        true
    }

    /// Consumes input up to and including the terminator `wanted`. Returns `Some(false)` at the end of the input, and
    /// `None` if the window is used up.
    pub(super) fn until_closer(&mut self, wanted: Closer, lex: &mut Lexer<'_>) -> Option<bool> {
        loop {
            let found = match lex.until_set(&CLOSER)? {
                Byte(b'>') => self.closed_by_bracket(lex),
                Byte(quote) => Some((Closer::quote(quote), lex.mark() - 1)),
                Eof => {
                    (self.dialect.ahead.known, self.dialect.ahead.last) =
                        (Some(self.dialect.ahead.from), self.dialect.ahead.seen);
                    return Some(false);
                }
            };
            if let Some((closer, begin)) = found {
                self.dialect.ahead.seen[closer as usize] = begin;
                if closer == wanted {
                    return Some(true);
                }
            }
        }
    }

    /// Returns the terminator that the `>`, which was just consumed, completes, with the offset of its first byte.
    /// Returns `None` for a `>` that completes none.
    fn closed_by_bracket(&self, lex: &Lexer<'_>) -> Option<(Closer, BufferOffset)> {
        let bracket = lex.mark() - 1;
        let taken = bracket - self.dialect.ahead.from;
        let before = |count| lex.byte(bracket - count);
        match taken {
            1.. if before(1) == b'?' => Some((Closer::Pi, bracket - 1)),
            2.. if before(1) == b'-' && before(2) == b'-' => Some((Closer::Comment, bracket - 2)),
            _ => None,
        }
    }
}
