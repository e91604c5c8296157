//! The buffered text together with its positions ([`HeldText`]), and the change of the buffered text when the input
//! makes a window ([`Change`]).

use super::anchor::Anchor;
use super::buffer_offset::BufferOffset;
use super::line_index::LineIndex;
use super::raw::Side;

/// The buffered text: the retained bytes, followed by the current chunk.
#[derive(Clone, Copy)]
pub struct HeldText<'t> {
    pub(crate) lines: &'t LineIndex,
    pub(crate) retained: &'t str,
    pub(crate) chunk: &'t str,
    /// Offset, in the buffered text, of the start of `chunk`.
    pub(crate) chunk_start: BufferOffset,
}

impl HeldText<'_> {
    /// Returns the offset in the input, in bytes, that belongs to an offset in the buffered text. `side` matters only
    /// within the text of one encoded sequence: see [`Side`].
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

/// Callback before the text up to an offset is discarded, for values that hold offsets in the buffered text and need
/// positions in the input instead. Afterwards the byte at that offset has the offset 0.
pub(crate) type BeforeDiscard<'c> = dyn FnMut(&HeldText<'_>, BufferOffset) + 'c;

/// Arguments and results of one call of [`Input::advance`].
pub(super) struct Change<'l> {
    pub(super) keep: BufferOffset,
    pub(super) rebase: u32,
    pub(super) copied: usize,
    pub(super) before_discard: &'l mut BeforeDiscard<'l>,
}

impl<'l> Change<'l> {
    pub(super) fn new(keep: BufferOffset, before_discard: &'l mut BeforeDiscard<'l>) -> Change<'l> {
        Change {
            keep,
            rebase: 0,
            copied: 0,
            before_discard,
        }
    }

    /// Records that the buffered text before `keep` was discarded.
    pub(super) fn rebased(&mut self) {
        self.rebase += self.keep.get();
        self.keep = BufferOffset::ZERO;
    }
}
