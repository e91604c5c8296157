//! Decoders for single-byte encodings that need at most a few table entries.

use super::decoded::Decoded;
use crate::engine::scan;
use alloc::string::String;
use core::str;

/// Returns the character of a byte in windows-1252.
pub(crate) const fn windows_1252(byte: u8) -> char {
    match byte {
        0x80..=0x9F => C1[(byte - 0x80) as usize],
        _ => byte as char,
    }
}

/// Returns the character of a byte in x-user-defined.
pub(crate) fn user_defined(byte: u8) -> char {
    match byte {
        0x80.. => char::from_u32(0xF700 + u32::from(byte)).unwrap_or(char::REPLACEMENT_CHARACTER),
        _ => char::from(byte),
    }
}

/// The characters of windows-1252 at 0x80 to 0x9F. The five unassigned bytes are control characters.
static C1: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8D}', 'Ž', '\u{8F}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9D}', 'ž', 'Ÿ',
];

/// Decodes an encoding in which each byte is a character and ASCII bytes are ASCII characters.
pub(super) fn decode(
    character: fn(u8) -> char,
    bytes: &mut &[u8],
    out: &mut String,
    goal: usize,
) -> Decoded {
    while !bytes.is_empty() && out.len() < goal {
        pass_ascii(bytes, out, goal);
        for byte in bytes.iter().take_while(|byte| !byte.is_ascii()) {
            out.push(character(*byte));
            *bytes = &bytes[1..];
            if out.len() >= goal {
                break;
            }
        }
    }
    Decoded::Text
}

/// Decodes US-ASCII.
pub(super) fn decode_ascii(bytes: &mut &[u8], out: &mut String, goal: usize) -> Decoded {
    pass_ascii(bytes, out, goal);
    if bytes.is_empty() || out.len() >= goal {
        return Decoded::Text;
    }
    *bytes = &bytes[1..];
    Decoded::IllFormed
}

/// Decodes ASCII bytes at the front of `bytes`.
fn pass_ascii(bytes: &mut &[u8], out: &mut String, goal: usize) {
    let room = goal.saturating_sub(out.len()).min(bytes.len());
    let (ascii, rest) = bytes.split_at(scan::ascii(&bytes[..room]));
    out.push_str(str::from_utf8(ascii).unwrap_or_default());
    *bytes = rest;
}
