//! The search without vectors: eight bytes at a time in a word, or one by one where the class is large.

use super::Set;
use super::set::High;

const ONES: u64 = u64::MAX / 255;
const HIGHS: u64 = ONES << 7;

/// A word with the high bit of each byte set that equals `byte`; a byte above such a one may be set
/// in error, never one below.
fn equal(word: u64, byte: u8) -> u64 {
    let difference = word ^ (ONES * u64::from(byte));
    difference.wrapping_sub(ONES) & !difference
}

/// The index of the first byte of `set` at or after `at`, or the window's length.
pub(super) fn find(set: &Set, window: &[u8], mut at: usize) -> usize {
    if let Some((needles, controls)) = set.needles() {
        while let Some(bytes) = window.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
            let word = u64::from_le_bytes(*bytes);
            let mut hits = if controls {
                word.wrapping_sub(ONES * 0x20) & !word
            } else {
                0
            };
            if set.high == High::All {
                hits |= word;
            }
            for &needle in needles {
                hits |= equal(word, needle);
            }
            hits &= HIGHS;
            // TAB, LF and what a borrow has set in error are settled by the table.
            while hits != 0 {
                let index = at + (hits.trailing_zeros() / 8) as usize;
                if set.contains(window[index]) {
                    return index;
                }
                hits &= hits - 1;
            }
            at += 8;
        }
    }
    while at < window.len() && !set.contains(window[at]) {
        at += 1;
    }
    at
}
