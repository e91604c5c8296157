//! Line ends and characters in a short text: the gap between two positions that a program requests.

#[cfg(target_arch = "x86_64")]
mod sse2;
#[cfg(target_arch = "x86_64")]
use sse2::lines_by;

/// Maximum number of bytes that are counted here. Longer gaps are rare, and are counted by the line index.
const MAX_COUNTED_BYTES: usize = 256;

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

#[cfg(test)]
mod tests {
    use super::{Lines, MAX_COUNTED_BYTES, lines, lines_by_bytes};

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
