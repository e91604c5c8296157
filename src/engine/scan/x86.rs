//! Computation of masks with AVX2, if the processor has it.
//!
//! The low nibble of a byte selects a row of the set, and its high nibble a bit in that row. Two shuffles and an AND
//! therefore classify 32 bytes at once, for any set of ASCII bytes. The shuffle by high nibble is shared by all sets.
//! Sets with some of the bytes from 0x80 up need a second pair of shuffles.

use super::classes::Classes;
use super::masks::Masks;
use super::set::High;
use core::arch::x86_64::{
    __m256i, _mm_loadu_si128, _mm256_and_si256, _mm256_broadcastsi128_si256, _mm256_cmpeq_epi8,
    _mm256_loadu_si256, _mm256_movemask_epi8, _mm256_or_si256, _mm256_set1_epi8, _mm256_setr_epi8,
    _mm256_setzero_si256, _mm256_shuffle_epi8, _mm256_srli_epi16,
};

/// Writes the masks of `window` for the `N` sets of `K`, or nothing if the processor has no AVX2.
#[inline]
pub(super) fn classify<K: Classes, const N: usize>(window: &[u8], masks: &mut Masks) {
    if std::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has AVX2.
        #[expect(unsafe_code)]
        unsafe {
            classify_avx2::<K, N>(window, masks);
        }
    }
}

// There are no closures here: a closure inherits the target features of its function, but the iterator method that
// calls it does not, and would not be inlined.

/// The tables of a set as vectors: each table of 16 bytes is repeated, so that it fills a vector of 32 bytes.
#[derive(Clone, Copy)]
struct Wide {
    /// The rows for ASCII bytes. For a set with all bytes from 0x80 up they are inverted: the rows of the bytes that
    /// are not in the set.
    rows: __m256i,
    high_rows: __m256i,
}

#[target_feature(enable = "avx2")]
fn classify_avx2<K: Classes, const N: usize>(window: &[u8], masks: &mut Masks) {
    let zero = _mm256_setzero_si256();
    let mut wide = [Wide {
        rows: zero,
        high_rows: zero,
    }; N];
    for (wide, set) in wide.iter_mut().zip(K::SETS) {
        *wide = Wide {
            rows: match set.high {
                High::All => broadcast(&set.rows.map(|row| !row)),
                High::None | High::Only(_) | High::Some => broadcast(&set.rows),
            },
            high_rows: broadcast(&set.high_rows),
        };
    }
    let (blocks, rest) = window.as_chunks::<64>();
    let masks = masks.of_length(window.len().div_ceil(64) * N);
    let (masks, _) = masks.as_chunks_mut::<N>();
    for (block, masks) in blocks.iter().zip(&mut *masks) {
        *masks = block_masks::<K, N>(block, &wide);
    }
    if !rest.is_empty()
        && let Some(last) = masks.last_mut()
    {
        let mut block = [0; 64];
        block[..rest.len()].copy_from_slice(rest);
        *last = block_masks::<K, N>(&block, &wide);
    }
}

#[target_feature(enable = "avx2")]
#[inline]
fn block_masks<K: Classes, const N: usize>(block: &[u8; 64], sets: &[Wide; N]) -> [u64; N] {
    // SAFETY: both loads read 32 of the block's 64 bytes.
    #[expect(unsafe_code)]
    let (low, high) = unsafe {
        (
            _mm256_loadu_si256(block.as_ptr().cast()),
            _mm256_loadu_si256(block.as_ptr().add(32).cast()),
        )
    };
    let (low, high) = (Places::of(low), Places::of(high));
    let mut masks = [0; N];
    // PERF: each set is a constant here, so the compiler removes the cases that the set does not need.
    macro_rules! masks_of {
        ($($class:literal)*) => {
            $(if $class < N {
                let high_bytes = const { high_of::<K>($class) };
                let set = sets[$class % N];
                let (low, high) = (absent(low, set, high_bytes), absent(high, set, high_bytes));
                let absent = u64::from(low as u32) | u64::from(high as u32) << 32;
                masks[$class % N] = match high_bytes {
                    High::All => absent,
                    High::None | High::Only(_) | High::Some => !absent,
                };
            })*
        };
    }
    const { assert!(N <= 8, "at most eight classes") };
    masks_of!(0 1 2 3 4 5 6 7);
    masks
}

/// Returns which bytes from 0x80 up are in a class, or `None` if the dialect has no class with this number.
const fn high_of<K: Classes>(class: usize) -> High {
    match class < K::SETS.len() {
        true => K::SETS[class].high,
        false => High::None,
    }
}

/// 32 bytes, and the result of the shuffles that do not depend on the set.
#[derive(Clone, Copy)]
struct Places {
    bytes: __m256i,
    /// For each ASCII byte, the bit of its high nibble: `1 << high nibble`. Zero for bytes from 0x80 up.
    columns: __m256i,
    /// The low nibble of each byte.
    nibbles: __m256i,
    /// For each byte from 0x80 up, the bit of its high nibble: `1 << (high nibble - 8)`. Zero for ASCII bytes.
    high_columns: __m256i,
}

impl Places {
    #[target_feature(enable = "avx2")]
    #[inline]
    fn of(bytes: __m256i) -> Places {
        #[rustfmt::skip]
        let bits = _mm256_setr_epi8(
            1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0,
            1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0,
        );
        #[rustfmt::skip]
        let high_bits = _mm256_setr_epi8(
            0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, -128,
            0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, -128,
        );
        let fifteen = _mm256_set1_epi8(15);
        let high_nibbles = _mm256_and_si256(_mm256_srli_epi16(bytes, 4), fifteen);
        Places {
            bytes,
            columns: _mm256_shuffle_epi8(bits, high_nibbles),
            nibbles: _mm256_and_si256(bytes, fifteen),
            high_columns: _mm256_shuffle_epi8(high_bits, high_nibbles),
        }
    }
}

/// Returns one bit for every byte that is not in the tables of the set.
#[target_feature(enable = "avx2")]
#[inline]
fn absent(places: Places, set: Wide, high: High) -> i32 {
    // For an index from 0x80 up the shuffle returns zero, so this classifies ASCII bytes only.
    let ascii = _mm256_and_si256(_mm256_shuffle_epi8(set.rows, places.bytes), places.columns);
    let found = match high {
        High::None | High::All => ascii,
        High::Only(byte) => _mm256_or_si256(
            ascii,
            _mm256_cmpeq_epi8(places.bytes, _mm256_set1_epi8(byte as i8)),
        ),
        High::Some => {
            let high = _mm256_shuffle_epi8(set.high_rows, places.nibbles);
            _mm256_or_si256(ascii, _mm256_and_si256(high, places.high_columns))
        }
    };
    _mm256_movemask_epi8(_mm256_cmpeq_epi8(found, _mm256_setzero_si256()))
}

#[target_feature(enable = "avx2")]
#[inline]
fn broadcast(rows: &[u8; 16]) -> __m256i {
    // SAFETY: the load reads the sixteen bytes of the array.
    #[expect(unsafe_code)]
    let half = unsafe { _mm_loadu_si128(rows.as_ptr().cast()) };
    _mm256_broadcastsi128_si256(half)
}
