//! Encodings that are defined by tables.

use super::iso_2022_jp::{Mode, is_shift};
use super::{Encode, ascii};
use crate::engine::input::encoding::{Encoding, Scheme};
use crate::engine::input::tables::standard;
use alloc::vec::Vec;

impl Encode {
    /// Writes a character. Returns false if the encoding does not contain it.
    pub(super) fn by_table(
        &mut self,
        encoding: Encoding,
        character: char,
        out: &mut Vec<u8>,
    ) -> bool {
        match encoding.scheme() {
            Scheme::Latin5 => one_byte(encoding_rs::WINDOWS_1254, character, out),
            Scheme::LatinThai => one_byte(encoding_rs::WINDOWS_874, character, out),
            _ if self.has_modes() => self.shifted(character, out),
            _ => table(encoding, character, out),
        }
    }

    /// Writes a character in ISO-2022-JP.
    fn shifted(&mut self, character: char, out: &mut Vec<u8>) -> bool {
        let mut bytes = Vec::new();
        let mode = match character {
            '\0'..='\x7F' if is_shift(character as u8) => None,
            '\0'..='\x7F' => {
                bytes.push(character as u8);
                Some(Mode::Ascii)
            }
            '\u{FF61}'..='\u{FF9F}' => {
                bytes.push((u32::from(character) - 0xFF61 + 0x21) as u8);
                Some(Mode::Katakana)
            }
            _ if encoded(encoding_rs::ISO_2022_JP, character, &mut bytes) && bytes.len() > 3 => {
                // An escape sequence precedes the character, and another one may follow it.
                let mode = Mode::of(&bytes[..3]);
                bytes.drain(..3);
                bytes.truncate(if mode == Some(Mode::Kanji) { 2 } else { 1 });
                mode
            }
            _ => None,
        };
        let Some(mode) = mode else { return false };
        self.modes.put_character(&bytes, mode, out);
        true
    }
}

/// Writes a character in a single-byte encoding. Bytes 0x80 to 0x9F are refused, because this crate decodes them to C1
/// control characters.
fn one_byte(encoding: &'static encoding_rs::Encoding, character: char, out: &mut Vec<u8>) -> bool {
    let from = out.len();
    let is_there = encoded(encoding, character, out);
    let is_other = is_there && (0x80..0xA0).contains(&out[from]);
    if is_other {
        out.truncate(from);
    }
    is_there && !is_other
}

/// Writes a character in an encoding that is defined by a table.
fn table(encoding: Encoding, character: char, out: &mut Vec<u8>) -> bool {
    (encoding.is_ascii_compatible() && ascii(character, out))
        || standard(encoding).is_some_and(|standard| encoded(standard, character, out))
}

/// Writes a character with the encoder of `encoding_rs`, but only if decoding the bytes results in the same character.
/// Returns false otherwise.
fn encoded(encoding: &'static encoding_rs::Encoding, character: char, out: &mut Vec<u8>) -> bool {
    let mut text = [0; 4];
    let text = character.encode_utf8(&mut text);
    let (bytes, _, is_other) = encoding.encode(text);
    if is_other {
        return false;
    }
    let read = encoding.decode_without_bom_handling_and_without_replacement(&bytes);
    let is_same = read.is_some_and(|read| read == *text);
    if is_same {
        out.extend_from_slice(&bytes);
    }
    is_same
}
