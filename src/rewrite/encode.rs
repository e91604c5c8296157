//! Encoding of the output: converts inserted text to the encoding of the input.
//!
//! Everything that an edit inserts is checked by [`Encode::check`] before the edit is recorded, so that encoding it does
//! not fail later. ISO-2022-JP, in which escape sequences change the meaning of the bytes that follow, is in
//! `encode/iso_2022_jp.rs`.

#[cfg(feature = "encodings")]
mod by_table;
mod iso_2022_jp;

use crate::engine::dialect::Syntax;
use crate::engine::input::decode::Decoder;
use crate::engine::input::decoded::Decoded;
use crate::engine::input::encoding::{Encoding, Scheme};
use crate::engine::input::one_byte;
use crate::engine::text::xml_names::is_char;
use crate::write::{Reason, Refusal};
use alloc::string::String;
use alloc::vec::Vec;
use iso_2022_jp::{Modes, is_shift};

/// The characters that may be written as references.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum References {
    /// None: references are not read at this place.
    No,
    /// Those to which a numeric reference of this dialect can refer.
    Of(Syntax),
}

impl References {
    /// Returns true if a numeric reference to a character can be written, and is read as this character.
    pub(super) fn can_refer_to(self, character: char) -> bool {
        match self {
            References::No => false,
            // Numeric references to C1 control characters mean characters of windows-1252.
            References::Of(Syntax::Html { .. }) => !matches!(character, '\0' | '\u{80}'..='\u{9F}'),
            References::Of(_) => is_char(character),
        }
    }
}

/// Decodes bytes. Returns `None` if they are ill-formed.
fn decode(decoder: &mut Decoder, mut bytes: &[u8], text: &mut String) -> Option<()> {
    while !bytes.is_empty() {
        if decoder.decode(&mut bytes, false, text, usize::MAX) == Decoded::IllFormed {
            return None;
        }
    }
    Some(())
}

/// The encoding that the input and the output share.
#[derive(Clone, Debug, Default)]
pub(super) struct Encode {
    /// The encoding of the input; `None` until it is known.
    pub(super) encoding: Option<Encoding>,
    /// ISO-2022-JP: the states of decoders after the input and after the output.
    pub(super) modes: Modes,
}

impl Encode {
    /// Returns true if each ASCII character is encoded as one byte with its code. This is false for UTF-16, UTF-32 and
    /// ISO-2022-JP.
    pub(super) fn is_ascii(&self) -> bool {
        self.encoding.is_none_or(Encoding::is_ascii_compatible)
    }

    pub(super) fn is_utf8(&self) -> bool {
        self.encoding == Some(Encoding::UTF_8)
    }

    /// Returns an error if a text cannot be written. `references` says which characters are written as references if
    /// the encoding lacks them.
    pub(super) fn check(&self, text: &str, references: References) -> Result<(), Refusal> {
        let is_plain = |byte: u8| byte.is_ascii() && !is_shift(byte);
        let is_well = match self.encoding {
            Some(Encoding::UTF_8) => true,
            Some(Encoding::REPLACEMENT) => text.is_empty(),
            _ => text.bytes().all(is_plain),
        };
        if is_well {
            return Ok(());
        }
        let mut encode = Encode {
            encoding: self.encoding,
            modes: Modes::default(),
        };
        encode.put(text, references, &mut Vec::new())
    }

    /// Returns true if escape sequences change the meaning of the bytes that follow.
    pub(super) fn has_modes(&self) -> bool {
        self.encoding == Some(Encoding::ISO_2022_JP)
    }

    /// ISO-2022-JP: appends the next bytes of the input to the output.
    pub(super) fn copy(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        self.modes.copy(bytes, out);
    }

    /// ISO-2022-JP: omits the next bytes of the input.
    #[cold]
    pub(super) fn leave_out(&mut self, bytes: &[u8]) {
        self.modes.leave_out(bytes);
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

    /// Returns the first character of the input and its length in bytes. Returns `None` if the first bytes are
    /// ill-formed, except for a continuation byte of UTF-8.
    pub(super) fn first(&self, bytes: &[u8]) -> Option<(char, usize)> {
        let unit = self.unit();
        let first = bytes.get(..unit.length)?;
        if let Some(byte) = unit.ascii(first)
            && !self.has_modes()
        {
            return Some((byte.into(), unit.length));
        }
        // The first byte is a continuation byte of UTF-8, which could complete a character whose first bytes are
        // directly before it in the output.
        if self.encoding == Some(Encoding::UTF_8)
            && let [0x80..=0xBF, ..] = bytes
        {
            return Some((char::REPLACEMENT_CHARACTER, 1));
        }
        let mut decoder = Decoder::new(self.encoding?);
        let mut text = String::new();
        if self.has_modes() {
            decode(&mut decoder, &self.modes.prefix(), &mut text);
            text.clear();
        }
        for (at, byte) in bytes.iter().enumerate() {
            decode(&mut decoder, &[*byte], &mut text)?;
            if let Some(character) = text.chars().next() {
                return Some((character, at + 1));
            }
        }
        None
    }

    /// Returns true if bytes end with the beginning of a character whose other bytes are missing. `bytes` are the end of
    /// the output, and may begin inside of a character.
    pub(super) fn ends_in_partial(&self, bytes: &[u8]) -> bool {
        let is_table = |one: &Encoding| matches!(one.scheme(), Scheme::Table(_));
        let Some(encoding) = self.encoding.filter(is_table) else {
            return false;
        };
        // In all these encodings, smaller bytes are characters of their own.
        let start = bytes.iter().rposition(|byte| *byte < b'0');
        let mut rest = &bytes[start.map_or(0, |start| start + 1)..];
        let (mut decoder, mut text) = (Decoder::new(encoding), String::new());
        while !rest.is_empty() {
            decoder.decode(&mut rest, false, &mut text, usize::MAX);
        }
        let end = decoder.decode(&mut rest, true, &mut text, usize::MAX);
        !self.has_modes() && end == Decoded::IllFormed
    }

    /// Writes a numeric reference to a character. Returns false if the encoding cannot represent the reference.
    pub(super) fn put_reference(&mut self, character: char, out: &mut Vec<u8>) -> bool {
        let reference = alloc::format!("&#x{:X};", u32::from(character));
        reference.chars().all(|one| self.character(one, out))
    }

    /// Writes text, and references in place of the characters that the encoding does not contain, where `references`
    /// allows that.
    pub(super) fn put(
        &mut self,
        text: &str,
        references: References,
        out: &mut Vec<u8>,
    ) -> Result<(), Refusal> {
        if self.is_utf8() || self.is_ascii() && text.is_ascii() {
            out.extend_from_slice(text.as_bytes());
            return Ok(());
        }
        for character in text.chars() {
            if self.character(character, out) {
                continue;
            }
            if !(references.can_refer_to(character) && self.put_reference(character, out)) {
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
    if ascii(character, out) {
        return true;
    }
    let byte = (0x80..=0xFF).find(|byte| decode(*byte) == character);
    out.extend(byte);
    byte.is_some()
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
    struct Encode { encoding, modes }
}
