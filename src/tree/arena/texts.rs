//! The texts of names: one buffer in which they follow each other. They are never changed or removed.

use crate::engine::room::reserve_first_bytes;
use alloc::string::String;

/// The location of a text: its offset and its length in the buffer, in bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct TextRange {
    start: usize,
    length: usize,
}

/// The texts of all names, or of all namespaces, of a document.
#[derive(Clone, Debug, Default)]
pub(super) struct Texts(String);

impl Texts {
    /// Reserves capacity for this number of additional bytes.
    pub(super) fn reserve(&mut self, bytes: usize) {
        reserve_first_bytes(&mut self.0, bytes);
    }

    /// Adds a text.
    pub(super) fn store(&mut self, text: &str) -> TextRange {
        let start = self.0.len();
        self.0.push_str(text);
        TextRange {
            start,
            length: text.len(),
        }
    }

    /// Returns the text at a location.
    #[inline]
    pub(super) fn read(&self, range: TextRange) -> &str {
        &self.0[range.start..][..range.length]
    }

    /// Returns the number of bytes of all texts.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns the number of bytes that are allocated on the heap.
    pub(super) fn heap_size(&self) -> usize {
        self.0.capacity()
    }

    /// Returns the text at a location, or `None` if the location is invalid.
    #[cfg(feature = "checkpoints")]
    pub(super) fn find(&self, range: TextRange) -> Option<&str> {
        let end = range.start.checked_add(range.length)?;
        self.0.get(range.start..end)
    }
}

crate::checkpoint::checkpointable! {
    struct TextRange { start, length }
    struct Texts(value);
}
