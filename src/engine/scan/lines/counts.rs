//! `Lines`: the number of line feeds in a short text, and the lengths from which the column at its end follows.

/// Counts of a text without CR.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Lines {
    /// Number of LF.
    pub(crate) ends: u64,
    /// Index of the start of the last line.
    pub(super) last: usize,
    /// Number of bytes in the last line that continue a character (`further`), and that start a character of four
    /// bytes (`long`).
    pub(super) further: u32,
    pub(super) long: u32,
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
