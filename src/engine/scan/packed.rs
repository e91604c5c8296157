//! A string followed by other bytes that are not text, in one allocation. Short contents need no allocation at all.
//! Owned events store their strings in it.
//!
//! The string is stored as bytes, because the same array holds the other bytes. Reading it back is `unsafe`: it was a
//! `&str` when it was stored, and is not validated again. An owned event reads it for each name and value that a
//! program asks for, so validation would cost 11 to 25 % of the instructions of a program that stores events and reads
//! them (callgrind, four pages and documents). The oracle of the tests is a `String` and a `Vec<u8>`.

use alloc::vec::Vec;

/// Number of bytes that fit into a [`Packed`] without an allocation: enough for names, whitespace and short tags.
const INLINE_BYTES: usize = 40;

/// A string, followed by arbitrary bytes.
#[derive(Clone)]
pub(crate) struct Packed(Memory);

/// The storage: an array in the value itself, or a vector. Invariant: the first `text` bytes are UTF-8.
#[derive(Clone)]
enum Memory {
    Inline {
        text: u8,
        length: u8,
        bytes: [u8; INLINE_BYTES],
    },
    Heap {
        text: usize,
        bytes: Vec<u8>,
    },
}

impl Packed {
    /// An empty string, followed by no bytes.
    pub(crate) const EMPTY: Packed = Packed(Memory::Inline {
        text: 0,
        length: 0,
        bytes: [0; INLINE_BYTES],
    });

    /// Empties the string and the bytes after it. Allocated memory is kept.
    #[inline]
    pub(crate) fn clear(&mut self) {
        match &mut self.0 {
            Memory::Inline { text, length, .. } => (*text, *length) = (0, 0),
            Memory::Heap { text, bytes } => {
                *text = 0;
                bytes.clear();
            }
        }
    }

    /// Becomes the part `from..to` of `source`, followed by no bytes.
    ///
    /// PERF: a short part is copied as an array of fixed size, together with the bytes after it in `source`, so that
    /// the cost does not depend on its length.
    #[inline]
    pub(crate) fn assign(&mut self, source: &str, from: usize, to: usize) {
        let part = &source[from..to];
        if part.len() <= INLINE_BYTES
            && let Memory::Inline {
                text,
                length,
                bytes,
            } = &mut self.0
            && let Some(all) = source.as_bytes()[from..].first_chunk()
        {
            *bytes = *all;
            (*text, *length) = (part.len() as u8, part.len() as u8);
            return;
        }
        self.clear();
        self.push(part);
    }

    /// Reserves space for `more` further bytes.
    #[inline]
    pub(crate) fn reserve(&mut self, more: usize) {
        match &mut self.0 {
            Memory::Heap { bytes, .. } => bytes.reserve(more),
            Memory::Inline {
                text,
                length,
                bytes,
            } => {
                let (text, length) = (*text as usize, *length as usize);
                if length + more > INLINE_BYTES {
                    let mut heap = Vec::with_capacity(length + more);
                    heap.extend_from_slice(&bytes[..length]);
                    self.0 = Memory::Heap { text, bytes: heap };
                }
            }
        }
    }

    /// Appends to the string and returns the range of the appended part. The bytes after the string are dropped.
    #[inline]
    pub(crate) fn push(&mut self, string: &str) -> (u32, u32) {
        let from = self.text().len();
        let end = from + string.len();
        if let Memory::Inline {
            text,
            length,
            bytes,
        } = &mut self.0
        {
            *length = *text;
            if let Some(place) = bytes.get_mut(from..end) {
                place.copy_from_slice(string.as_bytes());
                (*text, *length) = (end as u8, end as u8);
                return (from as u32, end as u32);
            }
        }
        self.reserve(string.len());
        if let Memory::Heap { text, bytes } = &mut self.0 {
            bytes.truncate(*text);
            bytes.extend_from_slice(string.as_bytes());
            *text = bytes.len();
        }
        (from as u32, end as u32)
    }

    /// Appends to the bytes after the string.
    #[inline]
    pub(crate) fn push_after(&mut self, more: &[u8]) {
        if let Memory::Inline { length, bytes, .. } = &mut self.0 {
            let from = *length as usize;
            if let Some(place) = bytes.get_mut(from..from + more.len()) {
                place.copy_from_slice(more);
                *length += more.len() as u8;
                return;
            }
        }
        self.reserve(more.len());
        if let Memory::Heap { bytes, .. } = &mut self.0 {
            bytes.extend_from_slice(more);
        }
    }

    /// Returns the string.
    #[inline(always)]
    pub(crate) fn text(&self) -> &str {
        let text = match &self.0 {
            Memory::Inline { text, bytes, .. } => &bytes[..*text as usize],
            Memory::Heap { text, bytes } => &bytes[..*text],
        };
        // SAFETY: by the invariant of `Memory`, the first `text` bytes are UTF-8.
        #[expect(unsafe_code)]
        unsafe {
            core::str::from_utf8_unchecked(text)
        }
    }

    /// Returns the bytes that follow the string.
    #[inline(always)]
    pub(crate) fn bytes_after(&self) -> &[u8] {
        match &self.0 {
            Memory::Inline {
                text,
                length,
                bytes,
            } => &bytes[*text as usize..*length as usize],
            Memory::Heap { text, bytes } => &bytes[*text..],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{INLINE_BYTES, Packed};
    use alloc::string::String;

    /// Compares `Packed` with a `String` and a `Vec`, for contents of every size.
    #[test]
    fn what_was_pushed_is_there() {
        let long = "é".repeat(INLINE_BYTES);
        let pieces = ["", "a", "äöü", "name of twenty bytes", &long];
        for before in ["", "short", &long] {
            for first in pieces {
                for second in pieces {
                    for bytes_after in ["", "123456789012", &long] {
                        let mut packed = Packed::EMPTY;
                        packed.push(before);
                        packed.clear();
                        packed.push_after(b"gone");
                        let mut text = String::new();
                        for piece in [first, second] {
                            let from = text.len() as u32;
                            text.push_str(piece);
                            assert_eq!(packed.push(piece), (from, text.len() as u32));
                            assert_eq!(packed.text(), text);
                        }
                        assert!(packed.bytes_after().is_empty());
                        packed.push_after(bytes_after.as_bytes());
                        packed.push_after(bytes_after.as_bytes());
                        assert_eq!(packed.text(), text);
                        assert_eq!(packed.bytes_after(), bytes_after.repeat(2).as_bytes());
                        packed.clear();
                        assert!(packed.text().is_empty() && packed.bytes_after().is_empty());
                    }
                }
            }
        }
    }

    #[test]
    fn parts_of_a_string_are_that_part() {
        let source = "é".repeat(INLINE_BYTES);
        for before in ["", &source] {
            let mut packed = Packed::EMPTY;
            packed.push(before);
            for from in (0..source.len()).step_by(2) {
                for to in (from..=source.len()).step_by(2) {
                    packed.assign(&source, from, to);
                    assert_eq!(packed.text(), &source[from..to]);
                    assert!(packed.bytes_after().is_empty());
                }
            }
        }
    }
}
