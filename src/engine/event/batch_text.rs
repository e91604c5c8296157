//! The strings of a batch, for a loop over its records.

use super::part::{ParserData, cut};
use super::strings::Str;
use crate::engine::input::BufferOffset;

/// The buffers that contain the strings of a batch: the current chunk, and the scratch buffer.
///
/// PERF: a loop over the records of a batch looks up the chunk once, and not for each name and each value.
#[derive(Clone, Copy)]
pub(crate) struct BatchText<'b> {
    /// The validated part of the current chunk.
    chunk: &'b str,
    /// Offset in the buffered text at which the chunk begins.
    pub(crate) base: BufferOffset,
    scratch: &'b str,
}

impl<'b> BatchText<'b> {
    /// Returns the buffers of the current batch of a parser.
    #[inline(always)]
    pub(crate) fn of(data: &'b ParserData) -> BatchText<'b> {
        let (chunk, base) = data.input.chunk();
        BatchText {
            chunk,
            base,
            scratch: &data.queue.scratch,
        }
    }

    /// Returns the chunk.
    #[inline(always)]
    pub(crate) fn chunk(self) -> &'b str {
        self.chunk
    }

    /// Returns the chunk and the indices of a part of it.
    #[inline(always)]
    pub(crate) fn range(self, start: BufferOffset, end: BufferOffset) -> (&'b str, usize, usize) {
        let index = |offset: BufferOffset| offset.index_from(self.base);
        (self.chunk, index(start), index(end))
    }

    /// Returns false if the string is not in the chunk but in the bytes that were retained before it.
    #[inline(always)]
    pub(crate) fn has(self, string: Str) -> bool {
        match string {
            Str::Borrowed(start, _) => start >= self.base,
            Str::Cleaned(_) => true,
        }
    }

    /// Returns a string, or `None` if it is not in the chunk but in the bytes that were retained before it.
    #[inline(always)]
    pub(crate) fn get(self, string: Str) -> Option<&'b str> {
        match string {
            Str::Borrowed(start, end) if start >= self.base => {
                let (chunk, from, to) = self.range(start, end);
                Some(cut(chunk, from, to))
            }
            Str::Borrowed(..) => None,
            Str::Cleaned(range) => Some(&self.scratch[range.start.index()..range.end.index()]),
        }
    }
}
