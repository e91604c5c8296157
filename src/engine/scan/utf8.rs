//! Validation of UTF-8 in a chunk.

use super::{Survey, survey};
use alloc::string::String;
use bytes::{Buf, Bytes};

/// Length of the longest characters in bytes.
const MAX_CHARACTER_BYTES: usize = 4;

/// A chunk of the caller's bytes, of which the first `valid` bytes are known to be UTF-8.
///
/// This type is the proof by which the rest of the crate sees those bytes as `str` without validating them again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Checked {
    pub(super) bytes: Bytes,
    /// Invariant: `bytes[..valid]` is UTF-8 and ends at the end of a character.
    pub(super) valid: usize,
}

/// Result of validating further bytes of a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Validity {
    /// All bytes that were examined are well-formed.
    Whole,
    /// The chunk ends inside a character.
    Unfinished,
    /// An ill-formed sequence of this length follows the valid bytes.
    IllFormed(usize),
}

impl Checked {
    /// Creates a chunk of which no byte is validated yet.
    pub(crate) const fn new(bytes: Bytes) -> Checked {
        Checked { bytes, valid: 0 }
    }

    /// Creates a chunk from a string.
    pub(crate) fn text(text: String) -> Checked {
        let (valid, bytes) = (text.len(), Bytes::from(text));
        Checked { bytes, valid }
    }

    /// Removes text from the front, up to the index `to`, where a character must begin. The rest is not moved.
    pub(crate) fn drop_text(&mut self, to: usize) {
        assert!(self.as_str().is_char_boundary(to), "a character is cut");
        self.bytes.advance(to);
        self.valid -= to;
    }

    /// Returns the length of the whole chunk in bytes.
    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Returns the number of bytes that are known to be UTF-8.
    pub(crate) fn valid(&self) -> usize {
        self.valid
    }

    /// Returns the bytes that are not validated yet.
    pub(crate) fn rest(&self) -> &[u8] {
        &self.bytes[self.valid..]
    }

    /// Returns the bytes of the whole chunk, without the knowledge of which are valid.
    pub(crate) fn into_bytes(self) -> Bytes {
        self.bytes
    }

    /// Returns the bytes from `skip` bytes after the valid ones on, as a buffer that shares the chunk's memory.
    pub(crate) fn split_rest(&self, skip: usize) -> Bytes {
        self.bytes.slice(self.valid + skip..)
    }

    /// Returns the index in the chunk at which a string begins that is a part of the valid bytes, in memory and not
    /// only by its content. Returns `None` for any other string.
    #[inline(always)]
    pub(crate) fn place(&self, part: &str) -> Option<usize> {
        let at = part
            .as_ptr()
            .addr()
            .wrapping_sub(self.bytes.as_ptr().addr());
        (at < self.valid && part.len() <= self.valid - at).then_some(at)
    }

    /// Returns whether both are the same chunk in memory.
    pub(crate) fn is_same(&self, other: &Checked) -> bool {
        core::ptr::eq(&raw const *self.bytes, &raw const *other.bytes)
    }

    /// Takes over how much of the same chunk is valid.
    pub(crate) fn follow(&mut self, other: &Checked) {
        if self.is_same(other) {
            self.valid = self.valid.max(other.valid);
        }
    }

    /// Returns the valid bytes as a string.
    #[inline(always)]
    pub(crate) fn as_str(&self) -> &str {
        // SAFETY: by the invariant of `Checked`, `bytes[..valid]` is UTF-8 and `valid` is at most the length.
        #[expect(unsafe_code)]
        unsafe {
            core::str::from_utf8_unchecked(self.bytes.get_unchecked(..self.valid))
        }
    }

    /// Validates about `most` further bytes, in whole characters and at least one. The well-formed bytes among them
    /// become part of the string. They are validated in parts of about `part` bytes. `pass` is called for each part
    /// that is well-formed, with the text up to the end of the part, the index of its start, and a survey of it; the
    /// last bytes before an ill-formed sequence are in no such part.
    pub(crate) fn extend(
        &mut self,
        most: usize,
        part: usize,
        mut pass: impl FnMut(&[u8], usize, &Survey),
    ) -> Validity {
        let rest = &self.bytes[self.valid..];
        let mut end = whole_characters(rest, most.min(rest.len()));
        if end == 0 {
            // If not even one whole character fits into `most` bytes, validate one anyway.
            let length = rest.first().map_or(0, |&lead| character_length(lead));
            end = whole_characters(rest, rest.len().min(length));
        }
        let mut window = &rest[..end];
        let part = part.max(MAX_CHARACTER_BYTES);
        while !window.is_empty() {
            // A part at the end may be longer, so that none is much shorter.
            let length = match window.len() <= part + part / 2 {
                true => window.len(),
                false => whole_characters(window, part),
            };
            let (text, after) = window.split_at(length);
            // PERF: text in ASCII needs no validation. The line index needs the survey anyway.
            let found = survey(text);
            if !found.is_ascii && simdutf8::basic::from_utf8(text).is_err() {
                let Err(error) = core::str::from_utf8(text) else {
                    unreachable!("both validators say the same");
                };
                self.valid += error.valid_up_to();
                // The last character of the text may be incomplete, and the bytes after the text may make it
                // ill-formed.
                return match error.error_len() {
                    Some(length) => Validity::IllFormed(length),
                    None => validity(&self.bytes[self.valid..]),
                };
            }
            let from = self.valid;
            self.valid += text.len();
            pass(&self.bytes[..self.valid], from, &found);
            window = after;
        }
        if self.valid < self.bytes.len() && end < most {
            return validity(&self.bytes[self.valid..]);
        }
        Validity::Whole
    }
}

/// Classifies the first character of `bytes`, which must not be empty.
fn validity(bytes: &[u8]) -> Validity {
    match core::str::from_utf8(&bytes[..bytes.len().min(4)]) {
        Err(error) if error.valid_up_to() == 0 => error
            .error_len()
            .map_or(Validity::Unfinished, Validity::IllFormed),
        _ => Validity::Whole,
    }
}

/// Returns the length of a character that starts with the byte `lead`, as far as that byte determines it.
pub(crate) fn character_length(lead: u8) -> usize {
    match lead {
        0..0xC0 => 1,
        0xC0..0xE0 => 2,
        0xE0..0xF0 => 3,
        0xF0.. => 4,
    }
}

/// Returns the largest length up to `most` at which no character is split, as far as lead bytes determine it. The
/// fast validator can then be asked for a plain yes or no.
pub(crate) fn whole_characters(bytes: &[u8], most: usize) -> usize {
    let tail = &bytes[most.saturating_sub(3)..most];
    for (back, &byte) in tail.iter().rev().enumerate() {
        if matches!(byte, 0x80..0xC0) {
            continue;
        }
        let length = character_length(byte);
        return if back + 1 < length {
            most - back - 1
        } else {
            most
        };
    }
    most
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;

    /// Decodes all bytes with U+FFFD for each ill-formed sequence. Returns the text, and whether an incomplete
    /// character is left.
    fn lossy(bytes: &[u8], most: usize, part: usize) -> (String, bool) {
        let mut out = String::new();
        let mut chunk = Checked::new(Bytes::copy_from_slice(bytes));
        loop {
            let from = chunk.valid();
            let mut to = from;
            let found = chunk.extend(most, part, |text, from, found| {
                assert_eq!(from, to, "each part follows the one before");
                assert_eq!(*found, survey(&text[from..]));
                to = text.len();
            });
            assert!(to <= chunk.valid(), "all parts are well-formed");
            if found == Validity::Whole {
                assert_eq!(to, chunk.valid(), "the parts are the whole text");
            }
            match found {
                Validity::Whole if chunk.valid() == chunk.len() => {
                    out.push_str(chunk.as_str());
                    return (out, false);
                }
                Validity::Whole => {}
                Validity::Unfinished => {
                    out.push_str(chunk.as_str());
                    return (out, true);
                }
                Validity::IllFormed(length) => {
                    out.push_str(chunk.as_str());
                    out.push('\u{FFFD}');
                    chunk = Checked::new(chunk.split_rest(length));
                }
            }
        }
    }

    #[test]
    fn agrees_with_the_standard_library_on_every_window() {
        let samples: [&[u8]; 13] = [
            b"plain",
            "é𝄞日本語ü".as_bytes(),
            b"\xff\xfea\xc3",
            b"a\xe2\x82",
            b"\xf0\x9f\x98\x80\xf0\x9f\x98",
            b"\xed\xa0\x80x\xc0\x80\xf5",
            b"\xe2\x28\xa1\xf0\x28\x8c\xbc",
            b"\x80\x80\x80\x80\x80",
            b"a\xc3\xc3b",
            b"ab\xe2\xe2\x82",
            b"a\xf0\x9f\xe2\x82\xacb",
            b"\xc3\xe2\x82",
            b"\xe2\x82\xf0\x9f\x98",
        ];
        for sample in samples {
            for (most, part) in [1, 2, 3, 4, 5, 7, 64]
                .into_iter()
                .flat_map(|most| [1, 4, 5, 6, 64].map(|part| (most, part)))
            {
                let (text, unfinished) = lossy(sample, most, part);
                let mut whole = String::from_utf8_lossy(sample).into_owned();
                if unfinished {
                    assert_eq!(whole.pop(), Some('\u{FFFD}'));
                }
                assert_eq!(text, whole, "{sample:?} by {most} in parts of {part}");
            }
        }
    }
}
