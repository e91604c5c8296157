//! Whether the input of a checkpoint is one: what is in it lies where it says. It must not know what was saved.

use super::Input;

impl Input {
    /// All bytes fed.
    pub(crate) fn fed(&self) -> u64 {
        self.fed_to().fed
    }

    /// How many inputs wait behind what was inserted.
    pub(crate) fn insertions(&self) -> usize {
        self.beneath.len()
    }

    /// Whether its parts fit together, so that they can be read.
    pub(crate) fn is_sound(&self, retained: &str) -> bool {
        let mut beneath = self.beneath.iter();
        self.is_one_sound(retained)
            && beneath.all(|one| one.beneath.is_empty() && one.is_one_sound(""))
    }

    fn is_one_sound(&self, retained: &str) -> bool {
        let (chunk, shift) = self.chunk();
        let waiting = self.pending.iter().map(|piece| piece.len()).sum::<usize>();
        let known = waiting + self.staged.len();
        let rest = match self.is_own {
            true => 0,
            false => self.shared.len() - self.shared.valid(),
        };
        // What began in the retained bytes may end behind them, in the chunk.
        retained.is_char_boundary(shift.index())
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
