//! Counting of lines and characters with SSE2.

use super::counts::Lines;

/// Counts the first `length` bytes of `text`, or returns `None` if they contain a CR.
///
/// PERF: uses SSE2, which every x86-64 processor has, and loads bytes after the end of the text if there are some.
/// Measured with `benches/run --only owned`.
#[inline(always)]
pub(super) fn lines_by(text: &[u8], length: usize) -> Option<Lines> {
    let mut found = Lines::default();
    let mut at = 0;
    while at < length {
        let last;
        let block = match text[at..].first_chunk() {
            Some(block) => block,
            None => {
                last = padded(&text[at..]);
                &last
            }
        };
        let masks = Masks::of(block);
        let here = u32::MAX >> (32 - (length - at).min(32));
        if masks.returns & here != 0 {
            return None;
        }
        let ends = masks.ends & here;
        if ends != 0 {
            // There are few line ends, and many targets have no instruction that counts bits.
            found.ends += match ends & (ends - 1) {
                0 => 1,
                _ => u64::from(ends.count_ones()),
            };
            found.last = at + (32 - ends.leading_zeros()) as usize;
            (found.further, found.long) = (0, 0);
        }
        if masks.high & here != 0 {
            let line = here & !u32::MAX.checked_shr(ends.leading_zeros()).unwrap_or(0);
            let (further, long) = further_and_long(block);
            found.further += (further & line).count_ones();
            found.long += (long & line).count_ones();
        }
        at += 32;
    }
    Some(found)
}

/// Returns the last bytes of a text, filled up with zeros to a whole block.
#[cold]
#[inline(never)]
fn padded(rest: &[u8]) -> [u8; 32] {
    let mut block = [0; 32];
    block[..rest.len()].copy_from_slice(rest);
    block
}

/// One bit for each byte of a block: CR, LF and bytes outside ASCII.
struct Masks {
    returns: u32,
    ends: u32,
    /// Bytes outside ASCII.
    high: u32,
}

impl Masks {
    #[inline(always)]
    fn of(block: &[u8; 32]) -> Masks {
        use core::arch::x86_64::{
            _mm_cmpeq_epi8, _mm_loadu_si128, _mm_movemask_epi8, _mm_set1_epi8,
        };

        // SAFETY: the loads read the halves of the block; all instructions are SSE2, which is part of the target.
        #[expect(unsafe_code)]
        let half = |from: usize| unsafe {
            let bytes = _mm_loadu_si128(block[from..from + 16].as_ptr().cast());
            let returns = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(b'\r' as i8));
            let ends = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(b'\n' as i8));
            [returns, ends, bytes].map(|mask| _mm_movemask_epi8(mask) as u32)
        };
        let (first, second) = (half(0), half(16));
        Masks {
            returns: first[0] | second[0] << 16,
            ends: first[1] | second[1] << 16,
            high: first[2] | second[2] << 16,
        }
    }
}

/// Returns one bit for each byte that continues a character, and one for each that starts a character of four bytes.
#[inline(never)]
fn further_and_long(block: &[u8; 32]) -> (u32, u32) {
    use core::arch::x86_64::{
        _mm_andnot_si128, _mm_cmplt_epi8, _mm_loadu_si128, _mm_movemask_epi8, _mm_set1_epi8,
    };

    // SAFETY: the loads read the halves of the block; all instructions are SSE2, which is part of the target. The
    // comparisons treat bytes as signed: those below -0x40 are 0x80 to 0xBF, and negative ones not below -0x10 are
    // 0xF0 to 0xFF.
    #[expect(unsafe_code)]
    let half = |from: usize| unsafe {
        let bytes = _mm_loadu_si128(block[from..from + 16].as_ptr().cast());
        let further = _mm_cmplt_epi8(bytes, _mm_set1_epi8(-0x40));
        let long = _mm_andnot_si128(_mm_cmplt_epi8(bytes, _mm_set1_epi8(-0x10)), bytes);
        [further, long].map(|mask| _mm_movemask_epi8(mask) as u32)
    };
    let (first, second) = (half(0), half(16));
    (first[0] | second[0] << 16, first[1] | second[1] << 16)
}
