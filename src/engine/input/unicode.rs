//! Decoders for UTF-8, UTF-16 and UTF-32. Characters may be split between calls at any byte.

use super::decode::{Decoder, PartialCharacter};
use super::decoded::Decoded;
use alloc::string::String;
use core::str;

/// Number of UTF-16 code units that are tested for ASCII together.
const BLOCK: usize = 16;

/// The first character in a sequence of UTF-16 code units.
enum Front {
    /// A character, and its length in bytes.
    Character(char, usize),
    /// A surrogate that is not part of a pair.
    Half,
    /// Too few bytes to decide.
    Short,
}

/// Examines the first code unit or pair of units in `bytes`. `number` converts the two bytes of a unit.
fn front(number: fn([u8; 2]) -> u16, bytes: &[u8]) -> Front {
    let Some((first, rest)) = bytes.split_first_chunk() else {
        return Front::Short;
    };
    let first = number(*first);
    if let Some(character) = char::from_u32(first.into()) {
        return Front::Character(character, 2);
    }
    let second = rest.first_chunk().map(|second| number(*second));
    let is_first = first < 0xDC00;
    match second {
        None if is_first => Front::Short,
        Some(second @ 0xDC00..=0xDFFF) if is_first => {
            let code = 0x1_0000 + (u32::from(first & 0x3FF) << 10) + u32::from(second & 0x3FF);
            char::from_u32(code).map_or(Front::Half, |character| Front::Character(character, 4))
        }
        _ => Front::Half,
    }
}

impl Decoder {
    /// Decodes UTF-8.
    pub(super) fn utf8(
        &mut self,
        bytes: &mut &[u8],
        last: bool,
        out: &mut String,
        goal: usize,
    ) -> Decoded {
        while out.len() < goal {
            if self.partial.bytes().is_empty() {
                if bytes.is_empty() {
                    return Decoded::Text;
                }
                let room = (goal - out.len()).min(bytes.len());
                let error = match simdutf8::compat::from_utf8(&bytes[..room]) {
                    Ok(text) => {
                        out.push_str(text);
                        *bytes = &bytes[room..];
                        continue;
                    }
                    Err(error) => error,
                };
                let (valid, rest) = bytes.split_at(error.valid_up_to());
                out.push_str(str::from_utf8(valid).unwrap_or_default());
                if let Some(length) = error.error_len() {
                    *bytes = &rest[length..];
                    return Decoded::IllFormed;
                }
                let (cut, rest) = rest.split_at(room - valid.len());
                cut.iter().for_each(|byte| self.partial.push(*byte));
                *bytes = rest;
                continue;
            }
            let Some((byte, rest)) = bytes.split_first() else {
                return self.end(last);
            };
            // The held bytes are ill-formed without this byte, which is decoded by itself next.
            if !self.continue_utf8(*byte, out) {
                return Decoded::IllFormed;
            }
            *bytes = rest;
        }
        Decoded::Text
    }

    /// Adds a byte to the held bytes of an incomplete character. Returns false, and holds no byte, if the byte does not
    /// continue the character.
    fn continue_utf8(&mut self, byte: u8, out: &mut String) -> bool {
        let mut longer = self.partial;
        longer.push(byte);
        match str::from_utf8(longer.bytes()) {
            Ok(character) => {
                out.push_str(character);
                self.partial = PartialCharacter::default();
            }
            Err(error) if error.error_len().is_none() => self.partial = longer,
            Err(_) => {
                self.partial = PartialCharacter::default();
                return false;
            }
        }
        true
    }

    /// Decodes UTF-16. `number` converts the two bytes of a unit, in the encoding's byte order.
    pub(super) fn utf16(
        &mut self,
        number: fn([u8; 2]) -> u16,
        bytes: &mut &[u8],
        last: bool,
        out: &mut String,
        goal: usize,
    ) -> Decoded {
        // Number of code units to decode one by one before the next block is tested.
        let mut mixed = 0;
        while out.len() < goal {
            let is_fresh = self.partial.bytes().is_empty();
            // PERF: text in ASCII takes a sixth of the instructions.
            if is_fresh && mixed == 0 && goal - out.len() >= BLOCK {
                if let Some((block, rest)) = bytes.split_first_chunk::<{ 2 * BLOCK }>()
                    && let Some(ascii) = narrow(number, block)
                {
                    out.push_str(str::from_utf8(&ascii).unwrap_or_default());
                    *bytes = rest;
                    continue;
                }
                mixed = BLOCK;
            }
            mixed = mixed.saturating_sub(1);
            let units = if is_fresh {
                *bytes
            } else {
                self.partial.bytes()
            };
            match front(number, units) {
                Front::Character(character, length) => {
                    out.push(character);
                    self.pass(is_fresh, length, bytes);
                }
                Front::Half => {
                    self.pass(is_fresh, 2, bytes);
                    return Decoded::IllFormed;
                }
                Front::Short => match bytes.split_first() {
                    Some((byte, rest)) => {
                        self.partial.push(*byte);
                        *bytes = rest;
                    }
                    None => return self.end(last),
                },
            }
        }
        Decoded::Text
    }

    /// Removes the first `count` bytes from `bytes` if `is_fresh` is true, and from the held bytes otherwise.
    fn pass(&mut self, is_fresh: bool, count: usize, bytes: &mut &[u8]) {
        if is_fresh {
            *bytes = &bytes[count..];
            return;
        }
        let before = core::mem::take(&mut self.partial);
        before.bytes()[count..]
            .iter()
            .for_each(|byte| self.partial.push(*byte));
    }

    /// Decodes UTF-32. `number` converts the four bytes of a unit, in the encoding's byte order.
    pub(super) fn utf32(
        &mut self,
        number: fn([u8; 4]) -> u32,
        bytes: &mut &[u8],
        last: bool,
        out: &mut String,
        goal: usize,
    ) -> Decoded {
        while out.len() < goal {
            let unit = if self.partial.bytes().is_empty()
                && let Some((unit, rest)) = bytes.split_first_chunk::<4>()
            {
                *bytes = rest;
                *unit
            } else if let Some((byte, rest)) = bytes.split_first() {
                *bytes = rest;
                self.partial.push(*byte);
                let Some(unit) = self.partial.whole() else {
                    continue;
                };
                self.partial = PartialCharacter::default();
                unit
            } else {
                return self.end(last);
            };
            match char::from_u32(number(unit)) {
                Some(character) => out.push(character),
                None => return Decoded::IllFormed,
            }
        }
        Decoded::Text
    }

    /// Handles the end of the bytes of this call. At the end of the stream, held bytes are an ill-formed sequence.
    fn end(&mut self, last: bool) -> Decoded {
        if !last || self.partial.bytes().is_empty() {
            return Decoded::Text;
        }
        self.partial = PartialCharacter::default();
        Decoded::IllFormed
    }
}

/// Converts a block of code units to bytes, or returns `None` if not all of them are ASCII.
fn narrow(number: fn([u8; 2]) -> u16, block: &[u8; 2 * BLOCK]) -> Option<[u8; BLOCK]> {
    let mut all = 0;
    let mut ascii = [0; BLOCK];
    for (to, unit) in ascii.iter_mut().zip(block.as_chunks().0) {
        let unit = number(*unit);
        all |= unit;
        *to = unit as u8;
    }
    (all < 0x80).then_some(ascii)
}
