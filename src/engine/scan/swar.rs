//! Search without vector instructions ("SIMD within a register"): eight bytes at a time in a `u64`, or byte by byte
//! if the class is large.

use super::set::{High, Set};

const ONES: u64 = u64::MAX / 255;
const HIGHS: u64 = ONES << 7;

/// Returns a word in which the high bit of each byte that equals `byte` is set. Bytes above the first such byte may
/// have the bit set in error; bytes below it never do. The other bits have no meaning.
fn equal(word: u64, byte: u8) -> u64 {
    let difference = word ^ (ONES * u64::from(byte));
    difference.wrapping_sub(ONES) & !difference
}

/// Returns the index of the first byte of `set` at or after `at`, or the window's length.
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
            // A hit may be wrong: it may be a TAB or LF, or a byte that a borrow of the subtraction changed. The table
            // decides.
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
