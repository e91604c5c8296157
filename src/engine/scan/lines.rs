//! Line ends and characters in a short text: the gap between two positions that a program requests.

mod counts;
#[cfg(target_arch = "x86_64")]
mod sse2;

use counts::Lines;
#[cfg(target_arch = "x86_64")]
use sse2::lines_by;

/// Maximum number of bytes that are counted here. Longer gaps are rare, and are counted by the line index.
const MAX_COUNTED_BYTES: usize = 256;

/// Counts the line ends in the first `length` bytes of `text`, and the characters after the last of them. Returns
/// `None` if there are too many bytes, if `text` is shorter than `length`, or if the bytes contain a CR.
#[inline(always)]
pub(crate) fn lines(text: &[u8], length: usize) -> Option<Lines> {
    if length > MAX_COUNTED_BYTES || length > text.len() {
        return None;
    }
    lines_by(text, length)
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

/// Line ends and non-ASCII bytes of a text of any length.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Survey {
    /// Number of LF.
    pub(crate) newlines: u64,
    /// True if there is a CR.
    pub(crate) has_return: bool,
    /// True if there is a NUL.
    pub(crate) has_null: bool,
    /// True if all bytes are ASCII.
    pub(crate) is_ascii: bool,
}

/// Counts the LF of a text, and finds out whether it contains a CR, a NUL or bytes that are not ASCII, in one pass.
pub(crate) fn survey(text: &[u8]) -> Survey {
    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    if std::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has AVX2.
        #[expect(unsafe_code)]
        return unsafe { survey_avx2(text) };
    }
    survey_blocks(text)
}

/// The same function, compiled for vectors of 32 bytes.
#[cfg(all(target_arch = "x86_64", feature = "std"))]
#[target_feature(enable = "avx2")]
fn survey_avx2(text: &[u8]) -> Survey {
    survey_blocks(text)
}

/// Each lane of a block has an accumulator of its own, so that the compiler uses vectors.
#[inline(always)]
fn survey_blocks(text: &[u8]) -> Survey {
    const LANES: usize = 64;
    let (blocks, rest) = text.as_chunks::<LANES>();
    // The smallest difference to a CR, the smallest byte, and the bits of all bytes.
    let (mut nearest, mut least) = ([u8::MAX; LANES], [u8::MAX; LANES]);
    let (mut bits, mut newlines) = ([0; LANES], 0);
    // Sums of 255 blocks fit in one byte.
    for part in blocks.chunks(u8::MAX as usize) {
        let mut counts = [0u8; LANES];
        for block in part {
            for lane in 0..LANES {
                // PERF: a comparison of vectors gives 0xFF, which is subtracted as -1.
                let is_newline = if block[lane] == b'\n' { u8::MAX } else { 0 };
                counts[lane] = counts[lane].wrapping_sub(is_newline);
                nearest[lane] = nearest[lane].min(block[lane] ^ b'\r');
                least[lane] = least[lane].min(block[lane]);
                bits[lane] |= block[lane];
            }
        }
        for count in counts {
            newlines += u64::from(count);
        }
    }
    for (lane, &byte) in rest.iter().enumerate() {
        newlines += u64::from(byte == b'\n');
        nearest[lane] = nearest[lane].min(byte ^ b'\r');
        least[lane] = least[lane].min(byte);
        bits[lane] |= byte;
    }
    Survey {
        newlines,
        // PERF: the compiler folds vectors, but it compares the bytes of a search one by one.
        has_return: nearest.into_iter().fold(u8::MAX, u8::min) == 0,
        has_null: least.into_iter().fold(u8::MAX, u8::min) == 0,
        is_ascii: bits.is_ascii(),
    }
}

/// Returns the number of characters in UTF-8 text of any length, and its length in UTF-16 code units.
pub(crate) fn lengths(text: &[u8]) -> (u64, u64) {
    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    if std::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has AVX2.
        #[expect(unsafe_code)]
        return unsafe { lengths_avx2(text) };
    }
    lengths_of_blocks(text)
}

#[cfg(all(target_arch = "x86_64", feature = "std"))]
#[target_feature(enable = "avx2")]
fn lengths_avx2(text: &[u8]) -> (u64, u64) {
    lengths_of_blocks(text)
}

#[inline(always)]
fn lengths_of_blocks(text: &[u8]) -> (u64, u64) {
    const LANES: usize = 32;
    let is_first = |byte: u8| byte as i8 >= -0x40;
    let is_long = |byte: u8| byte >= 0xF0;
    let (blocks, rest) = text.as_chunks::<LANES>();
    let (mut characters, mut pairs) = (0, 0);
    for part in blocks.chunks(u8::MAX as usize) {
        let (mut first, mut long) = ([0u8; LANES], [0u8; LANES]);
        for block in part {
            for lane in 0..LANES {
                first[lane] = first[lane].wrapping_sub(if is_first(block[lane]) { 255 } else { 0 });
                long[lane] = long[lane].wrapping_sub(if is_long(block[lane]) { 255 } else { 0 });
            }
        }
        for lane in 0..LANES {
            characters += u64::from(first[lane]);
            pairs += u64::from(long[lane]);
        }
    }
    for &byte in rest {
        characters += u64::from(is_first(byte));
        pairs += u64::from(is_long(byte));
    }
    (characters, characters + pairs)
}

#[cfg(test)]
mod tests {
    use super::{
        Lines, MAX_COUNTED_BYTES, Survey, lengths, lengths_of_blocks, lines, lines_by_bytes,
        survey, survey_blocks,
    };

    /// Checks the lengths against those of the standard library, also beyond the blocks whose sums fit in one byte.
    #[test]
    fn lengths_are_those_of_the_standard_library() {
        let long = if cfg!(miri) { 20 } else { 33 * 255 };
        for length in (0..60).chain([long]) {
            for pattern in ["a", "é", "€b", "😀", "a😀é\u{10FFFF}€"] {
                let text = pattern.repeat(length);
                let want = (
                    text.chars().count() as u64,
                    text.encode_utf16().count() as u64,
                );
                assert_eq!(lengths(text.as_bytes()), want, "{pattern} {length} times");
                assert_eq!(
                    lengths_of_blocks(text.as_bytes()),
                    want,
                    "{pattern} {length} times"
                );
            }
        }
    }

    use alloc::vec::Vec;

    /// Checks that all versions of `survey` agree with counts byte by byte, at every length, and beyond the 255 blocks
    /// whose sums fit in one byte.
    #[test]
    fn surveys_are_counted_one_by_one() {
        let long = if cfg!(miri) { 70 } else { 33 * 255 * 2 };
        for length in (0..70).chain([long, long + 7]) {
            let odd = [(b'a', 0), (b'\r', 0), (b'\r', 40), (0x80, 3), (0xFF, 66)];
            for (odd, at) in odd.into_iter().chain([(0, 0), (0, 33), (0, 68)]) {
                let mut text: Vec<u8> = b"\n\n\nx\n".iter().copied().cycle().take(length).collect();
                if let Some(byte) = text.get_mut(at) {
                    *byte = odd;
                }
                let want = Survey {
                    newlines: text.iter().filter(|byte| **byte == b'\n').count() as u64,
                    has_return: text.contains(&b'\r'),
                    has_null: text.contains(&0),
                    is_ascii: text.is_ascii(),
                };
                assert_eq!(survey(&text), want, "{odd} at {at} of {length}");
                assert_eq!(survey_blocks(&text), want, "{odd} at {at} of {length}");
            }
        }
    }

    /// Counts line ends, and the characters and UTF-16 code units of the last line.
    fn naive(text: &str) -> Option<(u64, (u64, u64))> {
        let last = text.rsplit('\n').next().unwrap_or_default();
        let ends = text.matches('\n').count() as u64;
        let column = (last.chars().count(), last.encode_utf16().count());
        (!text.contains('\r')).then_some((ends, (column.0 as u64, column.1 as u64)))
    }

    /// Checks that all versions of the function agree at every length and alignment, whatever bytes follow the text.
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
        assert_eq!(
            lines(&[b'a'; MAX_COUNTED_BYTES + 1], MAX_COUNTED_BYTES + 1),
            None
        );
    }
}
