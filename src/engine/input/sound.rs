//! Validation of an `Input` that was loaded from a checkpoint.

use super::Input;

impl Input {
    /// Returns the number of bytes fed so far.
    pub(crate) fn fed(&self) -> u64 {
        self.fed_to().fed
    }

    /// Returns the number of inputs that follow inserted text.
    pub(crate) fn insertions(&self) -> usize {
        self.beneath.len()
    }

    /// Returns whether all offsets and lengths are consistent, so that the input can be read without a panic.
    /// `retained` is the retained bytes that belong to it.
    pub(crate) fn is_sound(&self, retained: &str) -> bool {
        let mut beneath = self.beneath.iter();
        self.is_one_sound(retained)
            && beneath.all(|one| one.beneath.is_empty() && one.is_one_sound(""))
    }

    fn is_one_sound(&self, retained: &str) -> bool {
        let (chunk, chunk_start) = self.chunk();
        let waiting = self.pending.iter().map(|piece| piece.len()).sum::<usize>();
        let known = waiting + self.staged.len();
        let rest = match self.is_own {
            true => 0,
            false => self.shared.len() - self.shared.valid(),
        };
        // The range of a token may start in the retained bytes and end in the chunk.
        retained.is_char_boundary(chunk_start.index())
            && self.from <= self.at
            && self.at <= self.to
            && chunk.is_char_boundary(self.from)
            && chunk.is_char_boundary(self.to)
            && self.tail_length < self.tail.len()
            && self.ill_formed <= self.tail.len()
            && (self.unread == known || self.unread == known + rest)
            && self.unread as u64 <= self.fed
            && (self.sniffed.is_some() || self.prefix.len() >= self.prefix_bytes)
            && self.sizes.are_sound()
            && self.stride > 0
    }
}
