//! Computation of masks with NEON, which every 64-bit ARM processor has.
//!
//! The low nibble of a byte selects a row of the set, and its high nibble a bit in that row. Two lookups in tables of
//! sixteen bytes and a bit test therefore classify sixteen bytes at once, for any set. The lookup by high nibble is
//! shared by all sets. Bytes from 0x80 up need a second pair of tables.

use super::classes::Classes;
use super::masks::Masks;
use super::set::{High, Set};
use core::arch::aarch64::{
    uint8x16_t, vandq_u8, vceqq_u8, vcgeq_u8, vdupq_n_u8, vgetq_lane_u64, vld1q_u8, vorrq_u8,
    vpaddq_u8, vqtbl1q_u8, vreinterpretq_u64_u8, vshrq_n_u8, vtstq_u8,
};

/// Writes the masks of `window` for the `N` sets of `K`.
pub(super) fn classify<K: Classes, const N: usize>(window: &[u8], masks: &mut Masks) {
    let (blocks, rest) = window.as_chunks::<64>();
    let masks = masks.of_length(window.len().div_ceil(64) * N);
    let (masks, _) = masks.as_chunks_mut::<N>();
    for (block, masks) in blocks.iter().zip(&mut *masks) {
        *masks = block_masks::<K, N>(block);
    }
    if !rest.is_empty()
        && let Some(last) = masks.last_mut()
    {
        let mut block = [0; 64];
        block[..rest.len()].copy_from_slice(rest);
        *last = block_masks::<K, N>(&block);
    }
}

#[inline(always)]
fn block_masks<K: Classes, const N: usize>(block: &[u8; 64]) -> [u64; N] {
    let (quarters, _) = block.as_chunks::<16>();
    let places = [0, 1, 2, 3].map(|quarter| Places::of(load(&quarters[quarter])));
    let mut masks = [0; N];
    for (mask, set) in masks.iter_mut().zip(K::SETS) {
        *mask = bits(places.map(|places| places.inside(set)));
    }
    masks
}

/// Sixteen bytes, and the result of the lookups that do not depend on the set.
#[derive(Clone, Copy)]
struct Places {
    bytes: uint8x16_t,
    nibbles: uint8x16_t,
    /// For each ASCII byte, the bit of its high nibble: `1 << high nibble`. Zero for bytes from 0x80 up.
    columns: uint8x16_t,
    /// For each byte from 0x80 up, the bit of its high nibble: `1 << (high nibble - 8)`. Zero for ASCII bytes.
    high_columns: uint8x16_t,
}

#[expect(unsafe_code)]
impl Places {
    #[inline(always)]
    fn of(bytes: uint8x16_t) -> Places {
        let columns = load(&[1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0]);
        let high_columns = load(&[0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128]);
        // SAFETY: the processor has NEON.
        unsafe {
            let high_nibbles = vshrq_n_u8::<4>(bytes);
            Places {
                bytes,
                nibbles: vandq_u8(bytes, vdupq_n_u8(15)),
                columns: vqtbl1q_u8(columns, high_nibbles),
                high_columns: vqtbl1q_u8(high_columns, high_nibbles),
            }
        }
    }

    /// Returns 0xFF for every byte that is in the set, and 0 for the others.
    #[inline(always)]
    fn inside(self, set: &Set) -> uint8x16_t {
        let Places {
            bytes,
            nibbles,
            columns,
            high_columns,
        } = self;
        // SAFETY: the processor has NEON.
        unsafe {
            let ascii = vtstq_u8(vqtbl1q_u8(load(&set.rows), nibbles), columns);
            match set.high {
                High::None => ascii,
                High::All => vorrq_u8(ascii, vcgeq_u8(bytes, vdupq_n_u8(0x80))),
                High::Only(byte) => vorrq_u8(ascii, vceqq_u8(bytes, vdupq_n_u8(byte))),
                High::Some => {
                    let high = vqtbl1q_u8(load(&set.high_rows), nibbles);
                    vorrq_u8(ascii, vtstq_u8(high, high_columns))
                }
            }
        }
    }
}

/// Returns one bit for each byte of four vectors, whose bytes are 0 or 0xFF.
#[expect(unsafe_code)]
#[inline(always)]
fn bits(vectors: [uint8x16_t; 4]) -> u64 {
    let bit = load(&[1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128]);
    // SAFETY: the processor has NEON. Pairwise sums collect eight different bits in one byte.
    unsafe {
        let [a, b, c, d] = vectors.map(|vector| vandq_u8(vector, bit));
        let pairs = vpaddq_u8(vpaddq_u8(a, b), vpaddq_u8(c, d));
        vgetq_lane_u64::<0>(vreinterpretq_u64_u8(vpaddq_u8(pairs, pairs)))
    }
}

#[expect(unsafe_code)]
#[inline(always)]
fn load(bytes: &[u8; 16]) -> uint8x16_t {
    // SAFETY: the load reads the sixteen bytes of the array.
    unsafe { vld1q_u8(bytes.as_ptr()) }
}
