//! Line ends and characters in a short text: the gap between two positions that a program requests.

/// Maximum number of bytes that are counted here. Longer gaps are requested less often.
const SHORT: usize = 256;

/// Counts of a text without CR.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Lines {
    /// Number of LF.
    pub(crate) ends: u64,
    /// Index of the start of the last line.
    last: usize,
    /// Number of bytes in the last line that continue a character (`further`), and that start a character of four
    /// bytes (`long`).
    further: u32,
    long: u32,
}

impl Lines {
    /// Returns the number of characters in the last line, and its length in UTF-16 code units. `length` is the length
    /// of the text in bytes.
    #[inline(always)]
    pub(crate) fn column(&self, length: usize) -> (u64, u64) {
        let characters = (length - self.last) as u64 - u64::from(self.further);
        (characters, characters + u64::from(self.long))
    }
}

/// Counts the first `length` bytes of `text`. Returns `None` if they are too many or contain a CR.
#[inline(always)]
pub(crate) fn lines(text: &[u8], length: usize) -> Option<Lines> {
    if length > SHORT || length > text.len() {
        return None;
    }
    lines_by(text, length)
}

/// PERF: uses SSE2, which every x86-64 processor has, and loads bytes after the end of the text if there are some.
/// Measured with `benches/run --only owned`.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn lines_by(text: &[u8], length: usize) -> Option<Lines> {
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
#[cfg(target_arch = "x86_64")]
#[cold]
#[inline(never)]
fn padded(rest: &[u8]) -> [u8; 32] {
    let mut block = [0; 32];
    block[..rest.len()].copy_from_slice(rest);
    block
}

/// One bit for each byte of a block: CR, LF and bytes outside ASCII.
#[cfg(target_arch = "x86_64")]
struct Masks {
    returns: u32,
    ends: u32,
    /// Bytes outside ASCII.
    high: u32,
}

#[cfg(target_arch = "x86_64")]
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
#[cfg(target_arch = "x86_64")]
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

#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
fn lines_by(text: &[u8], length: usize) -> Option<Lines> {
    lines_by_bytes(&text[..length])
}

/// Counts a whole text byte by byte: the portable version and the oracle of the tests.
#[cfg(any(test, not(target_arch = "x86_64")))]
fn lines_by_bytes(text: &[u8]) -> Option<Lines> {
    let mut found = Lines::default();
    for (at, &byte) in text.iter().enumerate() {
        match byte {
            b'\r' => return None,
            b'\n' => {
                found = Lines {
                    ends: found.ends + 1,
                    last: at + 1,
                    ..Lines::default()
                }
            }
            0x80..0xC0 => found.further += 1,
            0xF0.. => found.long += 1,
            _ => {}
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::{Lines, SHORT, lines, lines_by_bytes};

    /// Counts line ends, and the characters and UTF-16 code units of the last line.
    fn naive(text: &str) -> Option<(u64, (u64, u64))> {
        let last = text.rsplit('\n').next().unwrap_or_default();
        let ends = text.matches('\n').count() as u64;
        let column = (last.chars().count(), last.encode_utf16().count());
        (!text.contains('\r')).then_some((ends, (column.0 as u64, column.1 as u64)))
    }

    /// All versions agree at every length and alignment, whatever follows the text.
    #[test]
    fn lines_are_those_that_are_counted_one_by_one() {
        let step = if cfg!(miri) { 7 } else { 1 };
        let odd = [
            "a",
            "\n",
            "\r",
            "\0",
            "\u{7F}",
            "\u{B}",
            "é",
            "\u{8A}",
            "€",
            "😀\u{10FFFF}",
        ];
        for odd in odd {
            for at in (0..60).step_by(step) {
                let mut text = "abc\n\n defghij\nklmnopqrstuvw\u{B}".repeat(4);
                text.insert_str(at, odd);
                for length in (0..90).step_by(step) {
                    if !text.is_char_boundary(length) {
                        continue;
                    }
                    let (part, bytes) = (&text[..length], text.as_bytes());
                    let want = naive(part);
                    let ways = [
                        lines(bytes, length),
                        lines(part.as_bytes(), length),
                        lines_by_bytes(part.as_bytes()),
                    ];
                    for found in ways {
                        let found = found.map(|lines: Lines| (lines.ends, lines.column(length)));
                        assert_eq!(found, want, "{odd} at {at} of {length}");
                    }
                }
            }
        }
        assert_eq!(lines(&[b'a'; SHORT + 1], SHORT + 1), None);
    }
}
