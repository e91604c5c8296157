//! Search for byte classes in a window, and validation of UTF-8.
//!
//! Tokenizers ask where the next byte of a class is ("the next `<` or `&`"). One pass of vector code over a window
//! computes the answers for all classes of a dialect beforehand: for every 64 bytes and every class a `u64` mask with
//! one bit per byte. A search is then a shift and a count of trailing zeros.
//!
//! ```text
//! bytes           a  b  <  c  &  d
//! mask of `<&`    0  0  1  0  1  0      bit i: byte i is in the class
//! ```
//!
//! If the processor has no such vector instructions, or the window is too short to be worth a pass, words of eight
//! bytes are searched instead.
//!
//! This is the only module with `unsafe` code. Each use has a safe function as its oracle in the tests.

mod ascii;
#[cfg(feature = "checkpoints")]
mod checkpoint;
mod classes;
mod lines;
mod masks;
#[cfg(target_arch = "aarch64")]
mod neon;
mod packed;
mod set;
mod swar;
mod utf8;
#[cfg(all(target_arch = "x86_64", feature = "std"))]
mod x86;

pub(crate) use ascii::ascii;
use classes::MIN_CLASSIFIED_BYTES;
pub(crate) use classes::{Block, ByteClasses, Classes};
pub(crate) use lines::{Survey, lengths, lines, survey};
pub(crate) use masks::Masks;
#[cfg(target_arch = "aarch64")]
use neon as vectors;
pub(crate) use packed::Packed;
pub(crate) use set::Set;
pub(crate) use utf8::{Checked, Validity, character_length, whole_characters};
#[cfg(all(target_arch = "x86_64", feature = "std"))]
use x86 as vectors;

/// Writes the masks of the `N` classes of `K`: for every 64 bytes of `window` one mask per class, in which bit `i`
/// says whether byte `i` is in the class. Leaves `masks` empty if the window is short or the processor has no
/// suitable vector instructions.
///
/// Bits after the end of the window are unspecified, and so are the bits of 0xFF bytes, which no UTF-8 text contains.
pub(crate) fn classify<K: Classes, const N: usize>(window: &[u8], masks: &mut Masks) {
    const { assert!(N == K::SETS.len(), "as many masks as classes") };
    masks.clear();
    if window.len() >= MIN_CLASSIFIED_BYTES {
        vectors::classify::<K, N>(window, masks);
    }
}

/// Fallback for processors without supported vector instructions: there are no masks.
#[cfg(not(any(target_arch = "aarch64", all(target_arch = "x86_64", feature = "std"))))]
mod vectors {
    use crate::engine::scan::{Classes, Masks};

    pub(super) fn classify<K: Classes, const N: usize>(_: &[u8], _: &mut Masks) {}
}

/// Writes the same masks as [`classify`], byte by byte and for windows of any length. `is_in(class, byte)` returns
/// whether a byte is in a class.
pub(crate) fn classify_bytes<const N: usize>(
    window: &[u8],
    is_in: impl Fn(usize, u8) -> bool,
    masks: &mut Masks,
) {
    let masks = masks.of_length(window.len().div_ceil(64) * N);
    for (block, masks) in window.chunks(64).zip(masks.chunks_mut(N)) {
        for (class, mask) in masks.iter_mut().enumerate() {
            let bits = block.iter().enumerate();
            *mask = bits.fold(0, |mask, (bit, &byte)| {
                mask | u64::from(is_in(class, byte)) << bit
            });
        }
    }
}

/// Returns the index of the first byte of class `C` at or after `at`, or the window's length.
#[inline(always)]
pub(crate) fn find<K: Classes, const C: usize>(
    masks: &[K::Block],
    window: &[u8],
    at: usize,
) -> usize {
    find_within::<K, C>(masks, window, at).min(window.len())
}

/// Returns the index of the first byte of class `C` at or after `at`, or any index not less than the window's length.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(crate) fn find_within<K: Classes, const C: usize>(
    masks: &[K::Block],
    window: &[u8],
    at: usize,
) -> usize {
    let mut block = at / 64;
    let Some(first) = masks.get(block) else {
        return unmasked::<K, C>(!masks.is_empty(), window, at);
    };
    let ahead = first.mask(C) >> (at % 64);
    if ahead != 0 {
        return at + ahead.trailing_zeros() as usize;
    }
    loop {
        block += 1;
        let Some(next) = masks.get(block) else {
            return window.len();
        };
        if next.mask(C) != 0 {
            return block * 64 + next.mask(C).trailing_zeros() as usize;
        }
    }
}

/// Returns the index of the first byte of `set` at or after `at`, or the window's length. Needs no masks.
pub(crate) fn find_in(set: &Set, window: &[u8], at: usize) -> usize {
    match at < window.len() {
        true => swar::find(set, window, at),
        false => window.len(),
    }
}

/// Returns the index of the first byte of `set`, which must be a short list of bytes, or the window's length. Made for
/// a search in which most bytes are not in the set. `is_plain` says that the window contains no NUL and no CR.
pub(crate) fn find_far(set: &Set, window: &[u8], is_plain: bool) -> usize {
    let Some((needles, false)) = set.needles() else {
        return find_in(set, window, 0);
    };
    // PERF: these two are last in the sets of HTML, and a search for one byte takes half as many instructions as one for
    // three.
    let needles = match needles {
        [others @ .., 0, b'\r'] if is_plain => others,
        needles => needles,
    };
    let mut window = window;
    for needles in needles.chunks(3) {
        let found = match *needles {
            [one, two, three] => memchr::memchr3(one, two, three, window),
            [one, two] => memchr::memchr2(one, two, window),
            _ => memchr::memchr(needles[0], window),
        };
        window = &window[..found.unwrap_or(window.len())];
    }
    window.len()
}

#[cold]
#[inline(never)]
fn unmasked<K: Classes, const C: usize>(has_masks: bool, window: &[u8], at: usize) -> usize {
    if !has_masks && at < window.len() {
        swar::find(&K::SETS[C], window, at)
    } else {
        window.len()
    }
}

/// Returns whether two short strings are equal. Compares two overlapping words, which is faster than a call of
/// `memcmp`.
#[inline(always)]
pub(crate) fn same(one: &[u8], two: &[u8]) -> bool {
    if one.len() != two.len() {
        return false;
    }
    let length = one.len();
    match length {
        0 => true,
        1..4 => {
            let ends = one[0] == two[0] && one[length - 1] == two[length - 1];
            ends && one[length / 2] == two[length / 2]
        }
        4..8 => {
            one.first_chunk::<4>() == two.first_chunk::<4>()
                && one.last_chunk::<4>() == two.last_chunk::<4>()
        }
        8..=16 => {
            one.first_chunk::<8>() == two.first_chunk::<8>()
                && one.last_chunk::<8>() == two.last_chunk::<8>()
        }
        _ => one == two,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SETS: [Set; 6] = [
        Set::of(b"<&>").and_controls().and(0xEF),
        Set::of(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._").complement(),
        Set::of(b"\t\n\r ").complement(),
        Set::of(b"\""),
        Set::of(b"<&\x7F").and_controls().and_high(),
        Set::of(b"<x")
            .and_controls()
            .and_some_high(&[0x80, 0x8F, 0xC2, 0xCC, 0xE0, 0xEF, 0xF4]),
    ];

    struct Six;
    impl Classes for Six {
        const SETS: &'static [Set] = &SETS;
        type Block = [u64; SETS.len()];
        fn classify(window: &[u8], masks: &mut Masks) {
            classify::<Six, 6>(window, masks);
        }
    }

    fn naive(set: &Set, window: &[u8], at: usize) -> usize {
        (at..window.len())
            .find(|&i| set.contains(window[i]))
            .unwrap_or(window.len())
    }

    fn noise(length: usize, seed: u64, plain: bool) -> Vec<u8> {
        let mut x = seed | 1;
        (0..length)
            .map(|_| {
                x ^= x << 13;
                x ^= x >> 7;
                x ^= x << 17;
                let byte = ((x >> 24) as u8).min(0xFE);
                if plain && !byte.is_multiple_of(61) {
                    b'a'
                } else {
                    byte
                }
            })
            .collect()
    }

    fn check<const C: usize>(masks: &[u64], window: &[u8]) {
        let masks = <Six as Classes>::Block::blocks(masks);
        for at in 0..=window.len() {
            let want = naive(&SETS[C], window, at);
            assert_eq!(
                find::<Six, C>(masks, window, at),
                want,
                "masks, class {C} at {at}"
            );
            assert_eq!(
                find::<Six, C>(&[], window, at),
                want,
                "words, class {C} at {at}"
            );
        }
    }

    #[test]
    fn every_way_agrees_with_the_naive_one_at_every_alignment_and_length() {
        let edges = [127, 128, 129, 191, 192, 193, 300, 390];
        let all: Vec<usize> = (0..70).chain(edges).collect();
        // Miri runs this test ten thousand times more slowly, so it tests fewer cases there.
        let (seeds, step, lengths): (u64, usize, &[usize]) = match cfg!(miri) {
            true => (1, 5, &[0, 1, 7, 17, 33, 63, 64, 65]),
            false => (12, 1, &all),
        };
        let mut masks = Masks::new();
        for seed in 0..seeds {
            let bytes = noise(400, 0x9E37_79B9 + seed * 77, seed % 2 == 0);
            for from in (0..9).step_by(step) {
                for &length in lengths {
                    let window = &bytes[from..from + length];
                    Six::classify(window, &mut masks);
                    let has_vectors =
                        cfg!(target_arch = "aarch64") && length >= MIN_CLASSIFIED_BYTES;
                    assert!(!has_vectors || !masks.is_empty(), "no masks");
                    check::<0>(&masks, window);
                    check::<1>(&masks, window);
                    check::<2>(&masks, window);
                    check::<3>(&masks, window);
                    check::<4>(&masks, window);
                    check::<5>(&masks, window);
                }
            }
        }
    }

    /// Checks the search that needs no masks, for sets of one to five bytes, and for one that is not a list of bytes.
    #[test]
    fn the_first_byte_of_a_short_set_is_found() {
        let lists = [&b"<"[..], b"<\0", b"<\0\r", b"<\0\r-", b"<\0\r-]"];
        let sets = lists.map(Set::of).into_iter().chain([SETS[0]]);
        for (number, set) in sets.enumerate() {
            for length in [0, 1, 31, 64, 65, 130] {
                let mut window = noise(length, 7 + number as u64, true);
                for at in 0..length {
                    window[at] = b"<\0\r-]"[at % 5];
                    let is_plain = !window.contains(&0) && !window.contains(&b'\r');
                    for is_plain in [false, is_plain] {
                        assert_eq!(
                            find_far(&set, &window, is_plain),
                            naive(&set, &window, 0),
                            "{set:?} {at}"
                        );
                    }
                    window[at] = b'a';
                }
                assert_eq!(
                    find_far(&set, &window, true),
                    naive(&set, &window, 0),
                    "{set:?}"
                );
            }
        }
    }

    #[test]
    fn all_bytes_are_classified_alike() {
        let bytes: Vec<u8> = (0..255).collect();
        let mut masks = Masks::new();
        Six::classify(&bytes, &mut masks);
        check::<0>(&masks, &bytes);
        check::<1>(&masks, &bytes);
        check::<2>(&masks, &bytes);
        check::<3>(&masks, &bytes);
        check::<4>(&masks, &bytes);
        check::<5>(&masks, &bytes);
    }
}
