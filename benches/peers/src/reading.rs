//! What is done with everything that an engine reads: all of it counted and hashed, the same way
//! for every engine. It knows nothing of any of them. `native/fold.h` is the same in C.
//!
//! Engines split text differently, so text is hashed as one stream from each tag to the next.
//! Text outside the root element is white space that some engines leave out, and so do we.

use std::fmt;

/// Takes what an engine reads.
pub trait Reading {
    /// Whether names must come as they are written, at whatever cost.
    const EXACT: bool;

    /// A start tag.
    fn start(&mut self, name: &str);
    /// An attribute of it.
    fn attribute(&mut self, name: &str, value: &str);
    /// That it ends in a slash, which only HTML tells.
    fn self_closing(&mut self) {}
    /// The name of a namespace.
    fn namespace(&mut self, _: &str) {}
    /// Text, or some of it.
    fn text(&mut self, text: &str);
    /// An end tag, written or not.
    fn end(&mut self, name: &str);
    /// A comment, of HTML only.
    fn comment(&mut self, text: &str);
    /// The name of a DOCTYPE, of HTML only.
    fn doctype(&mut self, name: &str);
}

/// Counts and a hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Report {
    elements: u64,
    attributes: u64,
    bytes: u64,
    hash: u64,
}

impl Report {
    /// Elements and attributes.
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

/// Counts and hashes what is read, one number for all of it.
#[derive(Debug)]
#[repr(C)]
pub struct Fold<const EXACT: bool> {
    elements: u64,
    attributes: u64,
    bytes: u64,
    depth: u64,
    hash: u64,
    /// For C, which has no constant parameters.
    exact: u64,
}

/// For checking: each byte changes the hash of all that follows. Declarations of namespaces are
/// left out, as some engines don't list them among the attributes.
pub type Exact = Fold<true>;

/// For timing: reads each byte, but in words, so that little of the time is its own.
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
    /// What came of it.
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

    /// A string after a mark, which no byte of UTF-8 looks like, or, for the clock, in words.
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

/// All bytes of a string in one number, by words that may overlap.
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
