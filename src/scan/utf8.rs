//! UTF-8 validity: which bytes of a chunk are known to be text.

#[cfg(feature = "html")]
use alloc::string::String;
use bytes::{Buf, Bytes};

/// A chunk of the caller's bytes, of which those up to a limit are known to be UTF-8.
///
/// This type is the proof by which the rest of the crate sees text without checking it twice.
#[derive(Clone, Debug, Default)]
pub(crate) struct Checked {
    bytes: Bytes,
    /// Invariant: `bytes[..valid]` is UTF-8 and ends at the end of a character.
    valid: usize,
}

/// What was found after the bytes that are known to be UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Validity {
    /// Well-formed as far as it was looked at.
    Whole,
    /// The chunk ends inside a character.
    Unfinished,
    /// An ill-formed sequence of this length follows.
    IllFormed(usize),
}

impl Checked {
    /// A chunk of which nothing is known yet.
    pub(crate) fn new(bytes: Bytes) -> Checked {
        Checked { bytes, valid: 0 }
    }

    /// A chunk that is text.
    #[cfg(feature = "html")]
    pub(crate) fn text(text: String) -> Checked {
        let (valid, bytes) = (text.len(), Bytes::from(text));
        Checked { bytes, valid }
    }

    /// Drops text from the beginning, up to an index where a character begins. Nothing is moved.
    #[cfg(feature = "html")]
    pub(crate) fn drop_text(&mut self, to: usize) {
        assert!(self.as_str().is_char_boundary(to), "a character is cut");
        self.bytes.advance(to);
        self.valid -= to;
    }

    /// Length of the whole chunk in bytes.
    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// How many bytes are known to be text.
    pub(crate) fn valid(&self) -> usize {
        self.valid
    }

    /// The bytes that are not known to be text yet.
    pub(crate) fn rest(&self) -> &[u8] {
        &self.bytes[self.valid..]
    }

    /// The whole chunk, of which nothing is known any more.
    pub(crate) fn into_bytes(self) -> Bytes {
        self.bytes
    }

    /// The same bytes as a chunk of their own, without copying, from `skip` bytes after the text on.
    pub(crate) fn split_rest(&self, skip: usize) -> Bytes {
        self.bytes.slice(self.valid + skip..)
    }

    /// The bytes that are known to be text.
    #[inline(always)]
    pub(crate) fn as_str(&self) -> &str {
        // SAFETY: the type's invariant.
        #[expect(unsafe_code)]
        unsafe {
            core::str::from_utf8_unchecked(self.bytes.get_unchecked(..self.valid))
        }
    }

    /// Checks about `most` further bytes, whole characters and at least one, and takes the
    /// well-formed ones among them for text.
    pub(crate) fn extend(&mut self, most: usize) -> Validity {
        let rest = &self.bytes[self.valid..];
        let mut end = whole_characters(rest, most.min(rest.len()));
        if end == 0 {
            // No whole character fits: one is taken all the same.
            let length = rest.first().map_or(0, |&lead| character_length(lead));
            end = whole_characters(rest, rest.len().min(length));
        }
        let window = &rest[..end];
        if simdutf8::basic::from_utf8(window).is_ok() {
            self.valid += window.len();
            if self.valid < self.bytes.len() && window.len() < most {
                return validity(&self.bytes[self.valid..]);
            }
            return Validity::Whole;
        }
        match core::str::from_utf8(window) {
            Ok(_) => unreachable!("both validators say the same"),
            Err(error) => {
                self.valid += error.valid_up_to();
                // The window may end in a character that the bytes after it show to be none.
                match error.error_len() {
                    Some(length) => Validity::IllFormed(length),
                    None => validity(&self.bytes[self.valid..]),
                }
            }
        }
    }
}

/// What the first character of `bytes` is; `bytes` is not empty.
fn validity(bytes: &[u8]) -> Validity {
    match core::str::from_utf8(&bytes[..bytes.len().min(4)]) {
        Err(error) if error.valid_up_to() == 0 => error
            .error_len()
            .map_or(Validity::Unfinished, Validity::IllFormed),
        _ => Validity::Whole,
    }
}

/// How long a character is that begins with `lead`, as far as that says.
fn character_length(lead: u8) -> usize {
    match lead {
        0..0xC0 => 1,
        0xC0..0xE0 => 2,
        0xE0..0xF0 => 3,
        0xF0.. => 4,
    }
}

/// The largest length up to `most` at which no character is cut, as far as the lead byte says: the
/// fast validator can then be asked for a plain yes or no.
fn whole_characters(bytes: &[u8], most: usize) -> usize {
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

/// The bytes are looked at again: nothing else proves what they are.
#[cfg(feature = "checkpoints")]
impl crate::saved::Saved for Checked {
    fn save<S: serde_core::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Checked { bytes, valid } = self;
        serde_core::Serialize::serialize(&(crate::saved::Saving(bytes), valid), to)
    }

    fn load<'de, D: serde_core::Deserializer<'de>>(from: D) -> Result<Checked, D::Error> {
        let (crate::saved::Loaded(bytes), valid): (crate::saved::Loaded<Bytes>, usize) =
            serde_core::Deserialize::deserialize(from)?;
        match bytes.get(..valid).map(simdutf8::basic::from_utf8) {
            Some(Ok(_)) => Ok(Checked { bytes, valid }),
            _ => Err(serde_core::de::Error::custom("a chunk is no text")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;

    /// Text, U+FFFD for each ill-formed sequence, and whether an unfinished character is left.
    fn lossy(bytes: &[u8], most: usize) -> (String, bool) {
        let mut out = String::new();
        let mut chunk = Checked::new(Bytes::copy_from_slice(bytes));
        loop {
            let found = chunk.extend(most);
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
            for most in [1, 2, 3, 4, 5, 7, 64] {
                let (text, unfinished) = lossy(sample, most);
                let mut whole = String::from_utf8_lossy(sample).into_owned();
                if unfinished {
                    assert_eq!(whole.pop(), Some('\u{FFFD}'));
                }
                assert_eq!(text, whole, "{sample:?} by {most}");
            }
        }
    }
}
