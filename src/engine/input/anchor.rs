//! [`Anchor`]: the line and the columns of an offset in the buffered text.

use super::buffer_offset::BufferOffset;
use crate::engine::scan::{Survey, lengths, lines, survey};
use memchr::memrchr2;

/// The line and columns of an offset in the buffered text. Lines and columns count from 1; `column` counts
/// characters, `column_utf16` UTF-16 code units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Anchor {
    pub(crate) mark: BufferOffset,
    pub(crate) line: u64,
    pub(crate) column: u64,
    pub(crate) column_utf16: u64,
    /// True if the character before is a CR. An LF that follows belongs to the same line end.
    pub(crate) after_cr: bool,
}

impl Anchor {
    pub(crate) const START: Anchor = Anchor {
        mark: BufferOffset::ZERO,
        line: 1,
        column: 1,
        column_utf16: 1,
        after_cr: false,
    };

    /// Returns the position after `text`, which starts at this position.
    pub(crate) fn after(mut self, text: &[u8]) -> Anchor {
        self.pass(text);
        self
    }

    /// Advances over one byte of buffered text that replaces one character of the input, where that character does not
    /// end a line.
    pub(super) fn pass_character(&mut self) {
        self.column += 1;
        self.column_utf16 += 1;
        self.after_cr = false;
        self.mark += 1;
    }

    fn pass(&mut self, text: &[u8]) {
        if !self.pass_short(text, text.len()) {
            self.pass_any(text);
        }
    }

    /// Advances over the first `length` bytes of `text`, if `length` is small and these bytes contain no CR. Returns
    /// false, without a change, otherwise.
    ///
    /// PERF: the gap between two events is short, so an inline loop beats a call of memchr.
    #[inline(always)]
    pub(super) fn pass_short(&mut self, text: &[u8], length: usize) -> bool {
        if self.after_cr {
            return false;
        }
        let Some(lines) = lines(text, length) else {
            return false;
        };
        if lines.ends > 0 {
            self.line += lines.ends;
            (self.column, self.column_utf16) = (1, 1);
        }
        let (characters, units) = lines.column(length);
        self.column += characters;
        self.column_utf16 += units;
        self.mark += length as u32;
        true
    }

    #[inline(never)]
    fn pass_any(&mut self, text: &[u8]) {
        self.pass_surveyed(text, &survey(text));
    }

    /// Advances over a text of which a survey was made.
    pub(super) fn pass_surveyed(&mut self, text: &[u8], found: &Survey) {
        let Some(&last) = text.last() else { return };
        let is_simple = !found.has_return && !self.after_cr;
        let ends_line = found.has_return || found.newlines > 0;
        // PERF: a search from the end of a text without line ends would read all of it again.
        let line = match ends_line.then(|| memrchr2(b'\n', b'\r', text)).flatten() {
            None => text,
            Some(at) => {
                self.line += match is_simple {
                    true => found.newlines,
                    false => line_ends(&text[..=at], self.after_cr),
                };
                self.column = 1;
                self.column_utf16 = 1;
                &text[at + 1..]
            }
        };
        let (characters, units) = match found.is_ascii {
            true => (line.len() as u64, line.len() as u64),
            false => lengths(line),
        };
        self.column += characters;
        self.column_utf16 += units;
        self.after_cr = last == b'\r';
        self.mark += text.len() as u32;
    }
}

/// Returns the number of line ends in `text`. `after_cr` says that the byte before it is a CR.
fn line_ends(text: &[u8], after_cr: bool) -> u64 {
    let (Some(&first), Some(&last)) = (text.first(), text.last()) else {
        return 0;
    };
    // A CR ends a line; an LF directly after a CR does not end another. So the boundary between two bytes ends a line
    // if the first of them is a CR or the second is an LF, and it ends only one line if both are so.
    let is_end = |before: u8, byte: u8| u8::from((before == b'\r') | (byte == b'\n'));
    let mut count = u64::from(first == b'\n' && !after_cr) + u64::from(last == b'\r');
    for (befores, bytes) in text
        .chunks(SUMMED_BYTES)
        .zip(text[1..].chunks(SUMMED_BYTES))
    {
        let ends = befores.iter().zip(bytes);
        let sum = ends.fold(0, |sum: u8, (&before, &byte)| sum + is_end(before, byte));
        count += u64::from(sum);
    }
    count
}

/// Number of bytes whose line ends are counted in one byte, which the compiler does in all lanes of a vector. As a
/// multiple of the length of a vector, it leaves no rest.
const SUMMED_BYTES: usize = 224;

crate::checkpoint::checkpointable! {
    struct Anchor { mark, line, column, column_utf16, after_cr }
}
