//! The line ends of a short text: what stands between two places that somebody asks for. It must not
//! know what a place is.

/// So many bytes are looked at in one go at most: whatever is longer has fewer questions asked of it.
const SHORT: usize = 256;

/// What was found in a text of ASCII without CR.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lines {
    /// How many LF there are.
    pub(crate) ends: u64,
    /// Where the last line begins.
    pub(crate) last: usize,
}

/// The line ends of the first `length` bytes of `text`; none is said of a long text, and of one that
/// has anything but ASCII without CR.
#[inline(always)]
pub(crate) fn lines(text: &[u8], length: usize) -> Option<Lines> {
    if length > SHORT || length > text.len() {
        return None;
    }
    lines_by(text, length)
}

/// PERF: vectors that every such machine has, of bytes behind the text too, where there are some:
/// `benches/run --only owned`.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn lines_by(text: &[u8], length: usize) -> Option<Lines> {
    let mut found = Lines { ends: 0, last: 0 };
    let mut at = 0;
    while at < length {
        let Some(block) = text[at..].first_chunk() else {
            return lines_in_words(text, length);
        };
        let (odd, ends) = masks(block);
        let here = u32::MAX >> (32 - (length - at).min(32));
        if odd & here != 0 {
            return None;
        }
        let ends = ends & here;
        if ends != 0 {
            found.last = at + (32 - ends.leading_zeros()) as usize;
            // There are few: many a target has no instruction that counts bits.
            found.ends += match ends & (ends - 1) {
                0 => 1,
                _ => u64::from(ends.count_ones()),
            };
        }
        at += 32;
    }
    Some(found)
}

/// A bit for each byte that is CR or no ASCII, and one for each LF.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn masks(block: &[u8; 32]) -> (u32, u32) {
    use core::arch::x86_64::{
        _mm_cmpeq_epi8, _mm_loadu_si128, _mm_movemask_epi8, _mm_or_si128, _mm_set1_epi8,
    };

    // SAFETY: the loads read the halves of the block; all of this is SSE2, which is part of the target.
    #[expect(unsafe_code)]
    let half = |from: usize| unsafe {
        let bytes = _mm_loadu_si128(block[from..from + 16].as_ptr().cast());
        let returns = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(b'\r' as i8));
        let ends = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(b'\n' as i8));
        let odd = _mm_movemask_epi8(_mm_or_si128(bytes, returns));
        (odd as u32, _mm_movemask_epi8(ends) as u32)
    };
    let ((odd, ends), (more_odd, more_ends)) = (half(0), half(16));
    (odd | more_odd << 16, ends | more_ends << 16)
}

#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
fn lines_by(text: &[u8], length: usize) -> Option<Lines> {
    lines_in_words(text, length)
}

/// The same, eight bytes at a time.
#[cfg_attr(target_arch = "x86_64", inline(never))]
fn lines_in_words(text: &[u8], length: usize) -> Option<Lines> {
    let mut words = Words {
        odd: 0,
        ends: 0,
        last: 0,
    };
    let mut at = 0;
    while at + 8 <= length {
        words.pass(word(text, at), at);
        at += 8;
    }
    if at < length {
        // What follows the text is no part of it: 0 stands for no character here.
        let rest = u64::MAX >> (8 * (at + 8 - length));
        words.pass(word(text, at) & rest, at);
    }
    (words.odd == 0).then_some(Lines {
        ends: words.ends,
        last: words.last,
    })
}

/// A text, as far as its words were looked at.
struct Words {
    /// Not 0 if there is anything but ASCII without CR: then the rest says nothing.
    odd: u64,
    ends: u64,
    last: usize,
}

impl Words {
    /// Eight bytes go by, which stand at the index `at`.
    #[inline(always)]
    fn pass(&mut self, word: u64, at: usize) {
        const EACH: u64 = 0x0101_0101_0101_0101;
        const HIGH: u64 = EACH * 0x80;
        // The high bit of each byte that is not the one: no byte is above 0x7F, else nothing counts.
        let is_not = |byte: u8| (word ^ (EACH * u64::from(byte))).wrapping_add(EACH * 0x7F);
        self.odd |= (word | !is_not(b'\r')) & HIGH;
        let ends = !is_not(b'\n') & HIGH;
        if ends != 0 {
            // The sum of all bytes: many a target has no instruction that counts bits.
            self.ends += (ends >> 7).wrapping_mul(EACH) >> 56;
            self.last = at + 8 - (ends.leading_zeros() / 8) as usize;
        }
    }
}

/// The eight bytes at an index; those behind the end of the text are 0.
#[inline(always)]
fn word(text: &[u8], at: usize) -> u64 {
    let rest = &text[at..];
    u64::from_le_bytes(rest.first_chunk().copied().unwrap_or_else(|| {
        let mut word = [0; 8];
        word[..rest.len()].copy_from_slice(rest);
        word
    }))
}

#[cfg(test)]
mod tests {
    use super::{Lines, SHORT, lines, lines_in_words};
    use alloc::vec::Vec;

    fn naive(text: &[u8]) -> Option<Lines> {
        let is_plain = text.iter().all(|&byte| byte.is_ascii() && byte != b'\r');
        let ends = text.iter().filter(|&&byte| byte == b'\n').count() as u64;
        let last = text.iter().rposition(|&byte| byte == b'\n');
        let last = last.map_or(0, |at| at + 1);
        is_plain.then_some(Lines { ends, last })
    }

    /// All ways agree at every length and alignment, whatever follows the text.
    #[test]
    fn lines_are_those_that_are_counted_one_by_one() {
        let step = if cfg!(miri) { 7 } else { 1 };
        for odd in [b'a', b'\n', b'\r', 0x80, 0xFF, 0x0B, 0x8A, 0x00, 0x7F] {
            for at in (0..60).step_by(step) {
                let mut text: Vec<u8> = b"abc\n\n defghij\nklmnopqrstuvw\x0B".repeat(3);
                text[at] = odd;
                for length in (0..70).step_by(step) {
                    let want = naive(&text[..length]);
                    assert_eq!(lines(&text, length), want, "{odd} at {at} of {length}");
                    assert_eq!(lines(&text[..length], length), want);
                    assert_eq!(lines_in_words(&text, length), want);
                }
            }
        }
        assert_eq!(lines(&[b'a'; SHORT + 1], SHORT + 1), None);
    }
}
