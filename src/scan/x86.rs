//! The masks of a window with AVX2, where the processor has it.
//!
//! A byte's low nibble selects a row of the set, its high nibble a bit of the row: two shuffles and an
//! AND decide sixteen bytes of any set of ASCII bytes, and the second shuffle serves all sets.

use super::Set;
use super::set::High;
use alloc::vec::Vec;
use core::arch::x86_64::{
    __m256i, _mm_loadu_si128, _mm256_and_si256, _mm256_broadcastsi128_si256, _mm256_cmpeq_epi8,
    _mm256_loadu_si256, _mm256_movemask_epi8, _mm256_or_si256, _mm256_set1_epi8, _mm256_setr_epi8,
    _mm256_setzero_si256, _mm256_shuffle_epi8, _mm256_srli_epi16,
};

/// Appends the masks of `window`, or nothing where the processor has no AVX2.
#[inline]
pub(super) fn classify<const N: usize>(window: &[u8], sets: &[Set; N], masks: &mut Vec<u64>) {
    if std::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has AVX2.
        #[allow(unsafe_code)]
        unsafe {
            classify_avx2(window, sets, masks);
        }
    }
}

// No closures here: one inherits the features of its function, but what calls it does not, so that
// it would not be inlined.

/// A set in vectors.
#[derive(Clone, Copy)]
struct Wide {
    rows: __m256i,
    /// The high bit, if all bytes from 0x80 on are in the set.
    high: __m256i,
    /// The one byte from 0x80 on that is in the set, or one that no text holds.
    only: __m256i,
}

#[target_feature(enable = "avx2")]
fn classify_avx2<const N: usize>(window: &[u8], sets: &[Set; N], masks: &mut Vec<u64>) {
    let zero = _mm256_setzero_si256();
    let mut wide = [Wide {
        rows: zero,
        high: zero,
        only: zero,
    }; N];
    for (wide, set) in wide.iter_mut().zip(sets) {
        let (high, only) = match set.high {
            High::None => (0, 0xFF),
            High::All => (0x80, 0xFF),
            High::Only(byte) => (0, byte),
        };
        *wide = Wide {
            rows: broadcast(&set.rows),
            high: _mm256_set1_epi8(high as u8 as i8),
            only: _mm256_set1_epi8(only as i8),
        };
    }
    let (blocks, rest) = window.as_chunks::<64>();
    masks.reserve((blocks.len() + 1) * N);
    for block in blocks {
        masks.extend_from_slice(&block_masks(block, &wide));
    }
    if !rest.is_empty() {
        let mut block = [0; 64];
        block[..rest.len()].copy_from_slice(rest);
        masks.extend_from_slice(&block_masks(&block, &wide));
    }
}

#[target_feature(enable = "avx2")]
#[inline]
fn block_masks<const N: usize>(block: &[u8; 64], sets: &[Wide; N]) -> [u64; N] {
    // SAFETY: both loads read 32 of the block's 64 bytes.
    #[allow(unsafe_code)]
    let (low, high) = unsafe {
        (
            _mm256_loadu_si256(block.as_ptr().cast()),
            _mm256_loadu_si256(block.as_ptr().add(32).cast()),
        )
    };
    let (low_columns, high_columns) = (columns(low), columns(high));
    let mut masks = [0; N];
    for c in 0..N {
        let low = outside(low, low_columns, sets[c]);
        let high = outside(high, high_columns, sets[c]);
        masks[c] = !(u64::from(low as u32) | u64::from(high as u32) << 32);
    }
    masks
}

/// For each byte the bit of its high nibble, none from 0x80 on.
#[target_feature(enable = "avx2")]
#[inline]
fn columns(bytes: __m256i) -> __m256i {
    #[rustfmt::skip]
    let bits = _mm256_setr_epi8(
        1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0,
        1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0,
    );
    let nibbles = _mm256_and_si256(_mm256_srli_epi16(bytes, 4), _mm256_set1_epi8(15));
    _mm256_shuffle_epi8(bits, nibbles)
}

/// A bit for every byte that is not in the set.
#[target_feature(enable = "avx2")]
#[inline]
fn outside(bytes: __m256i, columns: __m256i, set: Wide) -> i32 {
    // An index from 0x80 on gives zero: the rows know of ASCII only.
    let ascii = _mm256_and_si256(_mm256_shuffle_epi8(set.rows, bytes), columns);
    let high = _mm256_and_si256(bytes, set.high);
    let only = _mm256_cmpeq_epi8(bytes, set.only);
    let found = _mm256_or_si256(_mm256_or_si256(ascii, high), only);
    _mm256_movemask_epi8(_mm256_cmpeq_epi8(found, _mm256_setzero_si256()))
}

#[target_feature(enable = "avx2")]
#[inline]
fn broadcast(rows: &[u8; 16]) -> __m256i {
    // SAFETY: the load reads the sixteen bytes of the array.
    #[allow(unsafe_code)]
    let half = unsafe { _mm_loadu_si128(rows.as_ptr().cast()) };
    _mm256_broadcastsi128_si256(half)
}
