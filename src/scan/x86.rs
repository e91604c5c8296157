//! The masks of a window with AVX2, where the processor has it.
//!
//! A byte's low nibble selects a row of the set, its high nibble a bit of the row: two shuffles and an
//! AND decide sixteen bytes of any set of ASCII bytes, and the second shuffle serves all sets.

use super::Set;
use super::set::High;
use alloc::vec::Vec;
use core::arch::x86_64::{
    __m256i, _mm_loadu_si128, _mm256_and_si256, _mm256_broadcastsi128_si256, _mm256_cmpeq_epi8,
    _mm256_loadu_si256, _mm256_movemask_epi8, _mm256_set1_epi8, _mm256_setr_epi8,
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

#[target_feature(enable = "avx2,bmi1,lzcnt,popcnt")]
fn classify_avx2<const N: usize>(window: &[u8], sets: &[Set; N], masks: &mut Vec<u64>) {
    let (blocks, rest) = window.as_chunks::<64>();
    masks.reserve((blocks.len() + 1) * N);
    for block in blocks {
        masks.extend_from_slice(&block_masks(block, sets));
    }
    if !rest.is_empty() {
        let mut block = [0; 64];
        block[..rest.len()].copy_from_slice(rest);
        masks.extend_from_slice(&block_masks(&block, sets));
    }
}

#[target_feature(enable = "avx2,bmi1,lzcnt,popcnt")]
#[inline]
fn block_masks<const N: usize>(block: &[u8; 64], sets: &[Set; N]) -> [u64; N] {
    // SAFETY: both loads read 32 of the block's 64 bytes.
    #[allow(unsafe_code)]
    let halves = unsafe {
        [
            _mm256_loadu_si256(block.as_ptr().cast()),
            _mm256_loadu_si256(block.as_ptr().add(32).cast()),
        ]
    };
    let nibble = _mm256_set1_epi8(15);
    #[rustfmt::skip]
    let bits = _mm256_setr_epi8(
        1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0,
        1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0,
    );
    let columns = halves.map(|half| {
        _mm256_shuffle_epi8(bits, _mm256_and_si256(_mm256_srli_epi16(half, 4), nibble))
    });
    let mut masks = [0; N];
    for (mask, set) in masks.iter_mut().zip(sets) {
        let rows = broadcast(&set.rows);
        // An index from 0x80 on gives row 0, so those bytes are in no set as yet.
        let low = outside(_mm256_and_si256(
            _mm256_shuffle_epi8(rows, halves[0]),
            columns[0],
        ));
        let high = outside(_mm256_and_si256(
            _mm256_shuffle_epi8(rows, halves[1]),
            columns[1],
        ));
        let ascii = !(u64::from(low) | u64::from(high) << 32);
        *mask =
            ascii
                | match set.high {
                    High::None => 0,
                    High::All => join(halves.map(|half| _mm256_movemask_epi8(half) as u32)),
                    High::Only(byte) => {
                        let wanted = _mm256_set1_epi8(byte as i8);
                        join(halves.map(|half| {
                            _mm256_movemask_epi8(_mm256_cmpeq_epi8(half, wanted)) as u32
                        }))
                    }
                };
    }
    masks
}

fn join([low, high]: [u32; 2]) -> u64 {
    u64::from(low) | u64::from(high) << 32
}

/// A bit for every byte that is zero.
#[target_feature(enable = "avx2")]
#[inline]
fn outside(bytes: __m256i) -> u32 {
    _mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes, _mm256_setzero_si256())) as u32
}

#[target_feature(enable = "avx2")]
#[inline]
fn broadcast(rows: &[u8; 16]) -> __m256i {
    // SAFETY: the load reads the sixteen bytes of the array.
    #[allow(unsafe_code)]
    let half = unsafe { _mm_loadu_si128(rows.as_ptr().cast()) };
    _mm256_broadcastsi128_si256(half)
}
