//! The text that is held, by its marks: where in the input something stands, as long as that can be told. It
//! must not know who asks.

use super::Mark;
use super::line_index::{Anchor, LineIndex};
use super::raw::Side;

/// The text that is held: the retained bytes, and the chunk behind them.
#[derive(Clone, Copy)]
pub(crate) struct HeldText<'t> {
    pub(crate) lines: &'t LineIndex,
    pub(crate) retained: &'t str,
    pub(crate) chunk: &'t str,
    /// The mark at which the chunk begins.
    pub(crate) shift: Mark,
}

impl HeldText<'_> {
    /// Offset in the input, where something begins or ends.
    pub(crate) fn offset(&self, mark: Mark, side: Side) -> u64 {
        self.lines.offset(mark, side)
    }

    /// Line and column.
    pub(crate) fn anchor(&self, mark: Mark) -> Anchor {
        let (text, base) = match mark < self.shift {
            true => (self.retained, Mark::ZERO),
            false => (self.chunk, self.shift),
        };
        self.lines.place(mark, text, base)
    }
}

/// Who has marks of text, and wants to know their places before it goes.
pub(crate) trait Leaving {
    /// What is held before the mark `to` goes: that becomes mark 0.
    fn leave(&mut self, text: &HeldText<'_>, to: Mark);
}

/// Nobody has.
impl Leaving for () {
    fn leave(&mut self, _: &HeldText<'_>, _: Mark) {}
}
