//! The buffered text together with its positions: maps offsets in the buffered text to positions in the input.

use super::BufferOffset;
use super::line_index::{Anchor, LineIndex};
use super::raw::Side;

/// The buffered text: the retained bytes, followed by the current chunk.
#[derive(Clone, Copy)]
pub(crate) struct HeldText<'t> {
    pub(crate) lines: &'t LineIndex,
    pub(crate) retained: &'t str,
    pub(crate) chunk: &'t str,
    /// Offset, in the buffered text, of the start of `chunk`.
    pub(crate) chunk_start: BufferOffset,
}

impl HeldText<'_> {
    /// Returns the offset in the input, in bytes, that belongs to an offset in the buffered text. `side` says whether
    /// the character before or after that offset is meant.
    pub(crate) fn offset(&self, mark: BufferOffset, side: Side) -> u64 {
        self.lines.offset(mark, side)
    }

    /// Returns the line and column of an offset in the buffered text.
    pub(crate) fn anchor(&self, mark: BufferOffset) -> Anchor {
        let (text, base) = match mark < self.chunk_start {
            true => (self.retained, BufferOffset::ZERO),
            false => (self.chunk, self.chunk_start),
        };
        self.lines.place(mark, text, base)
    }
}

/// Callback before buffered text is discarded, for values that hold offsets in the buffered text and need positions
/// in the input instead.
pub(crate) trait BeforeDiscard {
    /// Called before the text up to `to` is discarded. Afterwards the byte at `to` has the offset 0.
    fn leave(&mut self, text: &HeldText<'_>, to: BufferOffset);
}

/// A callback that does nothing.
impl BeforeDiscard for () {
    fn leave(&mut self, _: &HeldText<'_>, _: BufferOffset) {}
}
