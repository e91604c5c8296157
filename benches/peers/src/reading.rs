//! Counts and hashes everything that an engine reads, in the same way for every engine. `native/fold.h` is the same in
//! C.
//!
//! Engines split text differently, so text is hashed as one stream from each tag to the next. Some engines do not
//! report whitespace outside the root element, so that whitespace is ignored.

use std::fmt;

/// Receives what an engine reads, as strings.
pub trait Reading {
    /// True if names must be passed as they are written, even if that costs time.
    const EXACT: bool;

    /// A start tag.
    fn start(&mut self, name: &str);
    /// An attribute of the last start tag.
    fn attribute(&mut self, name: &str, value: &str);
    /// The last start tag ends in a slash. Only HTML tokenizers report this.
    fn self_closing(&mut self) {}
    /// A namespace name.
    fn namespace(&mut self, _: &str) {}
    /// A text or a part of one.
    fn text(&mut self, text: &str);
    /// An end tag, or the end of an element without an end tag.
    fn end(&mut self, name: &str);
    /// A comment. Only read in HTML.
    fn comment(&mut self, text: &str);
    /// The name of a DOCTYPE. Only read in HTML.
    fn doctype(&mut self, name: &str);
}

/// Counts and a hash of everything that was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Report {
    elements: u64,
    attributes: u64,
    bytes: u64,
    hash: u64,
}

impl Report {
    /// Returns the numbers of elements and attributes.
    pub fn counts(&self) -> (u64, u64) {
        (self.elements, self.attributes)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report {
            elements,
            attributes,
            bytes,
            hash,
        } = self;
        write!(
            f,
            "{elements:>8} elements {attributes:>8} attributes {bytes:>9} bytes, hash {hash:016x}"
        )
    }
}

const PRIME: u64 = 0x0100_0000_01b3;
const MIX: u64 = 0x9e37_79b9_7f4a_7c15;

/// Counts what is read, and combines all strings into one hash.
#[derive(Debug)]
#[repr(C)]
pub struct Fold<const EXACT: bool> {
    elements: u64,
    attributes: u64,
    bytes: u64,
    depth: u64,
    hash: u64,
    /// The value of the constant parameter as a number, for C.
    exact: u64,
}

/// For comparisons: each byte changes the hash of all that follow. Namespace declarations are ignored, because some
/// engines do not report them as attributes.
pub type Exact = Fold<true>;

/// For measurements: all bytes are read, but in words, so that the hash takes little time.
pub type Quick = Fold<false>;

impl<const EXACT: bool> Default for Fold<EXACT> {
    fn default() -> Fold<EXACT> {
        Fold {
            elements: 0,
            attributes: 0,
            bytes: 0,
            depth: 0,
            hash: 0,
            exact: u64::from(EXACT),
        }
    }
}

impl<const EXACT: bool> Fold<EXACT> {
    /// Returns the counts and the hash.
    pub fn report(&self) -> Report {
        Report {
            elements: self.elements,
            attributes: self.attributes,
            bytes: self.bytes,
            hash: self.hash,
        }
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.bytes += bytes.len() as u64;
        self.hash = bytes.iter().fold(self.hash, |hash, byte| {
            (hash ^ u64::from(*byte)).wrapping_mul(PRIME)
        });
    }

    /// Hashes a string after a mark, which differs from every byte of UTF-8. In the quick reading, folds the string by
    /// words instead.
    #[inline(always)]
    fn marked(&mut self, mark: u64, text: &str) {
        if EXACT {
            self.hash = (self.hash ^ (mark << 8)).wrapping_mul(PRIME);
            self.bytes(text.as_bytes());
        } else {
            self.bytes += text.len() as u64;
            self.hash = (self.hash ^ fold(text.as_bytes())).wrapping_mul(MIX);
        }
    }
}

#[inline(always)]
fn word(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap_or_default())
}

#[inline(always)]
fn half(bytes: &[u8], at: usize) -> u64 {
    u64::from(u32::from_le_bytes(
        bytes[at..at + 4].try_into().unwrap_or_default(),
    ))
}

/// Combines all bytes of a string into one number, by words that may overlap.
#[inline(always)]
fn fold(bytes: &[u8]) -> u64 {
    let length = bytes.len();
    if length >= 8 {
        let mut sum = word(bytes, length - 8);
        for chunk in bytes.chunks_exact(8) {
            sum = sum.rotate_left(5).wrapping_add(word(chunk, 0));
        }
        sum
    } else if length >= 4 {
        half(bytes, 0) << 32 | half(bytes, length - 4)
    } else if length > 0 {
        let middle = u64::from(bytes[length / 2]);
        u64::from(bytes[0]) | middle << 8 | u64::from(bytes[length - 1]) << 16
    } else {
        0
    }
}

impl<const EXACT: bool> Reading for Fold<EXACT> {
    const EXACT: bool = EXACT;

    #[inline(always)]
    fn start(&mut self, name: &str) {
        self.elements += 1;
        self.depth += 1;
        self.marked(1, name);
    }

    #[inline(always)]
    fn attribute(&mut self, name: &str, value: &str) {
        if EXACT && (name == "xmlns" || name.starts_with("xmlns:")) {
            return;
        }
        self.attributes += 1;
        self.marked(2, name);
        self.marked(3, value);
    }

    #[inline(always)]
    fn namespace(&mut self, name: &str) {
        if !EXACT {
            self.marked(0, name);
        }
    }

    #[inline(always)]
    fn text(&mut self, text: &str) {
        let is_space = |byte: &u8| b" \t\r\n".contains(byte);
        if !EXACT {
            self.marked(0, text);
        } else if self.depth > 0 || !text.as_bytes().iter().all(is_space) {
            self.bytes(text.as_bytes());
        }
    }

    #[inline(always)]
    fn end(&mut self, name: &str) {
        self.depth = self.depth.saturating_sub(1);
        self.marked(4, name);
    }

    #[inline(always)]
    fn comment(&mut self, text: &str) {
        self.marked(5, text);
    }

    #[inline(always)]
    fn doctype(&mut self, name: &str) {
        self.marked(6, name);
    }
}
