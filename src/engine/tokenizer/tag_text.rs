//! The names and values of a start tag, for the dialects with namespaces.

use crate::engine::event::record::{Attr, NAME_CLEANED};
use crate::engine::event::strings::Str;
use crate::engine::input::BufferOffset;

/// The text of a start tag whose source is contiguous.
#[derive(Clone, Copy)]
pub(crate) struct TagText<'t> {
    /// The buffer that contains the tag: the retained bytes or the chunk.
    source: &'t str,
    /// Offset of the first byte of `source`.
    base: BufferOffset,
    scratch: &'t str,
}

impl<'t> TagText<'t> {
    /// Creates the text of the tag at the offset `token`. `chunk` is the chunk with the offset of its first byte.
    pub(crate) fn new(
        token: BufferOffset,
        (chunk, chunk_start): (&'t str, BufferOffset),
        retained: &'t str,
        scratch: &'t str,
    ) -> TagText<'t> {
        let (source, base) = match token < chunk_start {
            true => (retained, BufferOffset::ZERO),
            false => (chunk, chunk_start),
        };
        TagText {
            source,
            base,
            scratch,
        }
    }

    pub(crate) fn between(self, from: BufferOffset, to: BufferOffset) -> &'t str {
        &self.source[from.index_from(self.base)..to.index_from(self.base)]
    }

    pub(crate) fn name(self, attribute: &Attr) -> &'t str {
        match attribute.flags & NAME_CLEANED {
            0 => self.between(attribute.name, attribute.name_end),
            _ => attribute.clean_name(self.scratch),
        }
    }

    pub(crate) fn value(self, attribute: &Attr) -> &'t str {
        match attribute.value() {
            Str::Cleaned(value) => value.within(self.scratch),
            Str::Borrowed(from, to) => self.between(from, to),
        }
    }
}
