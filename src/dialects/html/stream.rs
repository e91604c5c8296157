//! The parse errors of the standard's "preprocessing the input stream": control characters and noncharacters.
//!
//! If parse errors are reported, each window is searched once for such characters before it is tokenized. The states
//! and their byte classes therefore do not have to handle them. The tokenizer emits these errors in document order
//! with its own errors.

use super::errors;
use crate::engine::error::ErrorCode;
use crate::engine::input::BufferOffset;
use crate::engine::text::is_noncharacter;
use alloc::vec::Vec;

/// A character that is a parse error: its start and end offset in the buffered text, and the error code.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reported {
    pub(super) start: BufferOffset,
    pub(super) end: BufferOffset,
    pub(super) code: ErrorCode,
}

/// For each byte, whether it is or may start a character that is a parse error.
const SUSPECTS: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 1;
    while byte < 0x20 {
        table[byte] = !matches!(byte, 0x09 | 0x0A | 0x0C | 0x0D);
        byte += 1;
    }
    table[0x7F] = true;
    table[0xC2] = true;
    byte = 0xEF;
    while byte < 0xF5 {
        table[byte] = true;
        byte += 1;
    }
    table
};

/// Appends the errors in `window` to `reported`. The window starts at the offset `start` in the buffered text and
/// consists of whole characters.
pub(super) fn look_through(window: &str, start: BufferOffset, reported: &mut Vec<Reported>) {
    let bytes = window.as_bytes();
    let suspects = bytes.iter().enumerate();
    for (index, _) in suspects.filter(|&(_, &byte)| SUSPECTS[usize::from(byte)]) {
        let Some(character) = window[index..].chars().next() else {
            return;
        };
        let code = match character {
            '\u{80}'.. if is_noncharacter(character) => errors::NONCHARACTER_IN_INPUT_STREAM,
            '\u{A0}'.. => continue,
            _ => errors::CONTROL_CHARACTER_IN_INPUT_STREAM,
        };
        let start = start + index as u32;
        reported.push(Reported {
            start,
            end: start + character.len_utf8() as u32,
            code,
        });
    }
}

crate::checkpoint::checkpointable! {
    struct Reported { start, end, code }
}
