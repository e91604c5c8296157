//! Text in the encoding of the input: what is put into that is to be read as it was meant. It must not know
//! what is put, nor where.

use crate::input::encoding::{Encoding, Scheme};
use crate::write::{Reason, Refusal};
use alloc::vec::Vec;
use core::fmt::Write;

/// How the bytes of ISO-2022-JP are read, behind an escape sequence that says so.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Mode {
    #[default]
    Ascii,
    Roman,
    Katakana,
    Kanji,
}

const ESCAPE: u8 = 0x1B;

impl Mode {
    /// What an escape sequence changes to.
    fn of(sequence: &[u8]) -> Option<Mode> {
        match sequence {
            b"\x1B(B" => Some(Mode::Ascii),
            b"\x1B(J" => Some(Mode::Roman),
            b"\x1B(I" => Some(Mode::Katakana),
            b"\x1B$@" | b"\x1B$B" => Some(Mode::Kanji),
            _ => None,
        }
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

/// What the output is in, and how it stands.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Encode {
    /// Known once the input is known to be in it.
    encoding: Option<Encoding>,
    /// Of ISO-2022-JP: the mode of the input, and that of the output.
    read: Mode,
    written: Mode,
}

impl Encode {
    pub(super) fn set(&mut self, encoding: Option<Encoding>) {
        self.encoding = encoding;
    }

    /// Whether bytes of ASCII are what they are anywhere.
    pub(super) fn is_ascii(&self) -> bool {
        self.encoding.is_none_or(Encoding::keeps_ascii)
    }

    fn is_shifted(&self) -> bool {
        self.encoding == Some(Encoding::ISO_2022_JP)
    }

    /// Puts bytes of the input.
    #[inline]
    pub(super) fn copy(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        if self.is_shifted() && !bytes.is_empty() {
            if self.written != self.read && bytes[0] != ESCAPE {
                out.extend_from_slice(self.read.sequence());
            }
            self.pass(bytes);
            self.written = self.read;
        }
        out.extend_from_slice(bytes);
    }

    /// Leaves bytes of the input out.
    pub(super) fn leave_out(&mut self, bytes: &[u8]) {
        if self.is_shifted() {
            self.pass(bytes);
        }
    }

    #[cold]
    fn pass(&mut self, bytes: &[u8]) {
        for at in memchr::memchr_iter(ESCAPE, bytes) {
            let sequence = bytes.get(at..at + 3).unwrap_or_default();
            self.read = Mode::of(sequence).unwrap_or(self.read);
        }
    }

    /// Puts text; with references in place of what the encoding has not, if it may have any.
    pub(super) fn put(
        &mut self,
        text: &str,
        may_refer: bool,
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
            let mut reference = Reference::default();
            let _ = write!(reference, "&#x{:X};", u32::from(character));
            let is_said = may_refer
                && reference
                    .bytes()
                    .all(|byte| self.character(byte.into(), out));
            if !is_said {
                return Err(Refusal::new(
                    Reason::Encoding,
                    character.encode_utf8(&mut [0; 4]),
                ));
            }
        }
        Ok(())
    }

    /// Puts ASCII as it is where no escape sequence stands before it.
    pub(super) fn put_ascii(&self, text: &str, out: &mut Vec<u8>) {
        let mut plain = Encode {
            encoding: self.encoding,
            ..Encode::default()
        };
        for character in text.chars() {
            plain.character(character, out);
        }
    }

    /// Puts a character; gives whether there is such a one.
    fn character(&mut self, character: char, out: &mut Vec<u8>) -> bool {
        let code = u32::from(character);
        // Whatever the encoding turns out to be, ASCII is in it, or the input would have told.
        let Some(encoding) = self.encoding else {
            return ascii(character, out);
        };
        match encoding.scheme() {
            Scheme::Utf32Le => out.extend_from_slice(&code.to_le_bytes()),
            Scheme::Utf32Be => out.extend_from_slice(&code.to_be_bytes()),
            Scheme::Latin1 if code < 0x100 => out.push(code as u8),
            Scheme::Latin1 => return false,
            Scheme::Ascii => return ascii(character, out),
            Scheme::Latin5 | Scheme::LatinThai if (0x80..0xA0).contains(&code) => {
                out.push(code as u8);
            }
            Scheme::Latin5 => return one_byte(encoding_rs::WINDOWS_1254, character, out),
            Scheme::LatinThai => return one_byte(encoding_rs::WINDOWS_874, character, out),
            Scheme::Standard(_) if self.is_shifted() => return self.shifted(character, out),
            Scheme::Standard(standard) => return self::standard(standard, character, out),
        }
        true
    }

    /// Puts a character of ISO-2022-JP.
    fn shifted(&mut self, character: char, out: &mut Vec<u8>) -> bool {
        if character.is_ascii() {
            let is_shift = matches!(character, '\u{E}' | '\u{F}' | '\u{1B}');
            let is_same = self.written == Mode::Roman && !matches!(character, '\\' | '~');
            if is_shift {
                return false;
            }
            if !is_same {
                self.shift(Mode::Ascii, out);
            }
            out.push(character as u8);
            return true;
        }
        if let '\u{FF61}'..='\u{FF9F}' = character {
            self.shift(Mode::Katakana, out);
            out.push((u32::from(character) - 0xFF61 + 0x21) as u8);
            return true;
        }
        let mut bytes = Vec::new();
        if !encoded(encoding_rs::ISO_2022_JP, character, &mut bytes) || bytes.len() < 4 {
            return false;
        }
        let Some(mode) = Mode::of(&bytes[..3]) else {
            return false;
        };
        let length = if mode == Mode::Kanji { 2 } else { 1 };
        self.shift(mode, out);
        out.extend_from_slice(bytes.get(3..3 + length).unwrap_or_default());
        true
    }

    fn shift(&mut self, mode: Mode, out: &mut Vec<u8>) {
        if self.written != mode {
            out.extend_from_slice(mode.sequence());
            self.written = mode;
        }
    }
}

fn ascii(character: char, out: &mut Vec<u8>) -> bool {
    if character.is_ascii() {
        out.push(character as u8);
    }
    character.is_ascii()
}

/// Puts a character of an encoding of one byte, whose bytes 0x80 to 0x9F are not these.
fn one_byte(encoding: &'static encoding_rs::Encoding, character: char, out: &mut Vec<u8>) -> bool {
    let from = out.len();
    let is_there = encoded(encoding, character, out);
    let is_other = is_there && (0x80..0xA0).contains(&out[from]);
    if is_other {
        out.truncate(from);
    }
    is_there && !is_other
}

/// Puts a character of an encoding of the Encoding Standard.
fn standard(encoding: &'static encoding_rs::Encoding, character: char, out: &mut Vec<u8>) -> bool {
    let mut units = [0; 2];
    if encoding == encoding_rs::UTF_16LE {
        let units = character.encode_utf16(&mut units).iter();
        out.extend(units.flat_map(|unit| unit.to_le_bytes()));
        return true;
    }
    if encoding == encoding_rs::UTF_16BE {
        let units = character.encode_utf16(&mut units).iter();
        out.extend(units.flat_map(|unit| unit.to_be_bytes()));
        return true;
    }
    encoding != encoding_rs::REPLACEMENT
        && (encoding.is_ascii_compatible() && ascii(character, out)
            || encoded(encoding, character, out))
}

/// Puts a character, if it is read as it was.
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

/// A reference, which is short.
#[derive(Default)]
struct Reference {
    bytes: [u8; 12],
    length: usize,
}

impl Reference {
    fn bytes(&self) -> impl Iterator<Item = u8> {
        self.bytes.into_iter().take(self.length)
    }
}

impl Write for Reference {
    fn write_str(&mut self, text: &str) -> core::fmt::Result {
        let to = self.length + text.len();
        let room = self
            .bytes
            .get_mut(self.length..to)
            .ok_or(core::fmt::Error)?;
        room.copy_from_slice(text.as_bytes());
        self.length = to;
        Ok(())
    }
}
