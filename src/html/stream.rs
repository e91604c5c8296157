//! What the standard's "preprocessing the input stream" reports: control characters and
//! noncharacters.
//!
//! Each window is looked through once, and only where parse errors are wanted, so that neither the
//! states nor their byte classes know of these. They are delivered in the order of the document with
//! what the states report.

use super::errors;
use crate::error::ErrorCode;
use crate::input::Mark;
use alloc::vec::Vec;

/// A character that is reported: its marks, and as what.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(super) struct Reported {
    pub(super) start: Mark,
    pub(super) end: Mark,
    #[cfg_attr(feature = "checkpoints", serde(with = "crate::saved"))]
    pub(super) code: ErrorCode,
}

/// Whether a byte is, or may begin, a character that is reported.
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

/// Appends what is to be reported of `window`, which begins at the mark `start` and holds whole
/// characters.
pub(super) fn look_through(window: &str, start: Mark, reported: &mut Vec<Reported>) {
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

fn is_noncharacter(character: char) -> bool {
    matches!(character, '\u{FDD0}'..='\u{FDEF}') || character as u32 & 0xFFFE == 0xFFFE
}
