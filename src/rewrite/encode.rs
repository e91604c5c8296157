//! Encoding of the output: converts inserted text to the encoding of the input.
//!
//! In ISO-2022-JP, escape sequences change the meaning of the bytes that follow. [`Encode`] therefore tracks the modes
//! of the input and of the output, and writes an escape sequence where they differ.

#[cfg(feature = "encodings")]
mod by_table;

use crate::engine::input::encoding::{Encoding, Scheme};
use crate::engine::input::one_byte;
use crate::write::{Reason, Refusal};
use alloc::vec::Vec;

/// The mode of ISO-2022-JP that an escape sequence selects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Mode {
    #[default]
    Ascii,
    Roman,
    Katakana,
    Kanji,
}

const ESCAPE: u8 = 0x1B;

impl Mode {
    /// Returns the mode that an escape sequence selects.
    fn of(sequence: &[u8]) -> Option<Mode> {
        match sequence {
            b"\x1B(B" => Some(Mode::Ascii),
            b"\x1B(J" => Some(Mode::Roman),
            b"\x1B(I" => Some(Mode::Katakana),
            b"\x1B$@" | b"\x1B$B" => Some(Mode::Kanji),
            _ => None,
        }
    }

    /// Returns true if each byte is a character of its own, which for most bytes is the one of ASCII.
    fn is_ascii(self) -> bool {
        matches!(self, Mode::Ascii | Mode::Roman)
    }

    fn sequence(self) -> &'static [u8; 3] {
        match self {
            Mode::Ascii => b"\x1B(B",
            Mode::Roman => b"\x1B(J",
            Mode::Katakana => b"\x1B(I",
            Mode::Kanji => b"\x1B$B",
        }
    }
}

/// The encoding that the input and the output share, and for ISO-2022-JP the current mode of each.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Encode {
    /// The encoding of the input; `None` until it is known.
    pub(super) encoding: Option<Encoding>,
    /// ISO-2022-JP: the current mode of the input.
    pub(super) read: Mode,
    /// ISO-2022-JP: the current mode of the output.
    written: Mode,
}

impl Encode {
    /// Returns true if each ASCII character is encoded as one byte with its code. This is false for UTF-16, UTF-32 and
    /// ISO-2022-JP.
    pub(super) fn is_ascii(&self) -> bool {
        self.encoding.is_none_or(Encoding::is_ascii_compatible)
    }

    /// Returns true if the bytes at the end of the output are ASCII characters unless they are 0x80 or more. This is
    /// false in the double-byte mode and the katakana mode of ISO-2022-JP.
    pub(super) fn is_in_ascii(&self) -> bool {
        self.written.is_ascii()
    }

    /// Returns an error if the encoding lacks a character of a text in which references are not allowed.
    pub(super) fn check(&self, text: &str) -> Result<(), Refusal> {
        if text.is_ascii() {
            return Ok(());
        }
        let (mut encode, mut out) = (*self, Vec::new());
        encode.put(text, None, &mut out)
    }

    /// Returns true if escape sequences change the meaning of the bytes that follow.
    pub(super) fn has_modes(&self) -> bool {
        self.encoding == Some(Encoding::ISO_2022_JP)
    }

    /// ISO-2022-JP: appends bytes of the input to the output, and updates the modes of both.
    pub(super) fn copy(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        if let Some(first) = bytes.first() {
            if self.written != self.read && *first != ESCAPE {
                out.extend_from_slice(self.read.sequence());
            }
            self.leave_out(bytes);
            self.written = self.read;
        }
        out.extend_from_slice(bytes);
    }

    /// ISO-2022-JP: omits bytes of the input, but updates the mode of the input.
    #[cold]
    pub(super) fn leave_out(&mut self, bytes: &[u8]) {
        for at in memchr::memchr_iter(ESCAPE, bytes) {
            let sequence = bytes.get(at..at + 3).unwrap_or_default();
            self.read = Mode::of(sequence).unwrap_or(self.read);
        }
    }

    /// Returns the number and the order of the bytes that an ASCII character has in this encoding.
    pub(super) fn unit(&self) -> Unit {
        let (length, is_big_endian) = match self.encoding.map(Encoding::scheme) {
            Some(Scheme::Utf32Le) => (4, false),
            Some(Scheme::Utf32Be) => (4, true),
            Some(Scheme::Utf16Le) => (2, false),
            Some(Scheme::Utf16Be) => (2, true),
            _ => (1, false),
        };
        Unit {
            length,
            is_big_endian,
        }
    }

    /// Returns the first character of the input and its length in bytes. Non-ASCII characters are decoded in UTF-8
    /// only.
    pub(super) fn first(&self, bytes: &[u8]) -> Option<(char, usize)> {
        let unit = self.unit();
        let first = bytes.get(..unit.length)?;
        if let Some(byte) = unit.ascii(first) {
            return (self.read.is_ascii() && byte != ESCAPE).then_some((byte.into(), unit.length));
        }
        if self.encoding != Some(Encoding::UTF_8) {
            return None;
        }
        // The first byte is a continuation byte of UTF-8, which could complete a character whose first bytes are
        // directly before it in the output.
        if let [0x80..=0xBF, ..] = bytes {
            return Some((char::REPLACEMENT_CHARACTER, 1));
        }
        let character = bytes.utf8_chunks().next()?.valid().chars().next()?;
        Some((character, character.len_utf8()))
    }

    /// Writes a numeric reference to a character. Returns false if the encoding cannot represent the reference.
    pub(super) fn put_reference(&mut self, character: char, out: &mut Vec<u8>) -> bool {
        let reference = alloc::format!("&#x{:X};", u32::from(character));
        reference.chars().all(|one| self.character(one, out))
    }

    /// Writes text. If `may_refer` is `Some`, a character that the encoding does not contain becomes a character
    /// reference; if it is `None`, references are not allowed and the text is refused. The value in `Some` is true for
    /// HTML, whose references cannot represent C1 control characters.
    pub(super) fn put(
        &mut self,
        text: &str,
        may_refer: Option<bool>,
        out: &mut Vec<u8>,
    ) -> Result<(), Refusal> {
        if self.encoding == Some(Encoding::UTF_8) {
            out.extend_from_slice(text.as_bytes());
            return Ok(());
        }
        for character in text.chars() {
            if self.character(character, out) {
                continue;
            }
            // In HTML, numeric references to C1 control characters mean characters of windows-1252.
            let is_c1 = matches!(character, '\u{80}'..='\u{9F}');
            let may_refer = may_refer.is_some_and(|is_html| !(is_html && is_c1));
            if !(may_refer && self.put_reference(character, out)) {
                return Err(Refusal::new(
                    Reason::Encoding,
                    character.encode_utf8(&mut [0; 4]),
                ));
            }
        }
        Ok(())
    }

    /// Writes a character. Returns false if the encoding does not contain it.
    fn character(&mut self, character: char, out: &mut Vec<u8>) -> bool {
        let code = u32::from(character);
        // The encoding is not known yet, but it contains ASCII: otherwise the first bytes of the input would have
        // determined it.
        let Some(encoding) = self.encoding else {
            return ascii(character, out);
        };
        let mut units = [0; 2];
        match encoding.scheme() {
            Scheme::Utf8 => out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
            Scheme::Utf16Le => {
                let units = character.encode_utf16(&mut units).iter();
                out.extend(units.flat_map(|unit| unit.to_le_bytes()));
            }
            Scheme::Utf16Be => {
                let units = character.encode_utf16(&mut units).iter();
                out.extend(units.flat_map(|unit| unit.to_be_bytes()));
            }
            Scheme::Utf32Le => out.extend_from_slice(&code.to_le_bytes()),
            Scheme::Utf32Be => out.extend_from_slice(&code.to_be_bytes()),
            Scheme::Latin1 => return high(char::from, character, out),
            Scheme::Windows1252 => return high(one_byte::windows_1252, character, out),
            Scheme::UserDefined => return high(one_byte::user_defined, character, out),
            Scheme::Ascii => return ascii(character, out),
            Scheme::Replacement => return false,
            Scheme::Latin5 | Scheme::LatinThai if (0x80..0xA0).contains(&code) => {
                out.push(code as u8);
            }
            Scheme::Latin5 | Scheme::LatinThai | Scheme::Table(_) => {
                return self.by_table(encoding, character, out);
            }
        }
        true
    }
}

/// Replacement without the feature `encodings`: input in encodings that are defined by tables is not decoded, so no
/// text is written in these encodings.
#[cfg(not(feature = "encodings"))]
impl Encode {
    fn by_table(&mut self, _: Encoding, _: char, _: &mut Vec<u8>) -> bool {
        false
    }
}

fn ascii(character: char, out: &mut Vec<u8>) -> bool {
    if character.is_ascii() {
        out.push(character as u8);
    }
    character.is_ascii()
}

/// Writes a character in a single-byte encoding that consists of ASCII and 128 other characters.
fn high(decode: fn(u8) -> char, character: char, out: &mut Vec<u8>) -> bool {
    let byte = (0x80..=0xFF).find(|byte| decode(*byte) == character);
    out.extend(byte);
    byte.is_some() || ascii(character, out)
}

/// The number and the order of the bytes that an ASCII character has in an encoding.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unit {
    pub(super) length: usize,
    is_big_endian: bool,
}

impl Unit {
    /// Decodes an ASCII character from its bytes. Returns `None` if the bytes are not an ASCII character.
    pub(super) fn ascii(self, bytes: &[u8]) -> Option<u8> {
        let (byte, rest) = match self.is_big_endian {
            true => bytes.split_last()?,
            false => bytes.split_first()?,
        };
        let is_it = byte.is_ascii() && rest.iter().all(|byte| *byte == 0);
        is_it.then_some(*byte)
    }
}

crate::checkpoint::checkpointable! {
    enum Mode { Ascii, Roman, Katakana, Kanji }
    struct Encode { encoding, read, written }
}
