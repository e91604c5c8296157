//! Validation of an `Input` that was loaded from a checkpoint.

use super::Input;
use super::sizes::Sizes;

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
    pub(crate) fn is_valid(&self, retained: &str) -> bool {
        let mut beneath = self.beneath.iter();
        self.is_one_valid(retained)
            && beneath.all(|one| one.beneath.is_empty() && one.is_one_valid(""))
    }

    fn is_one_valid(&self, retained: &str) -> bool {
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
            && self.sizes.are_valid()
            && self.stride > 0
    }
}

impl Sizes {
    /// Returns whether a parser can work with these sizes: none may be zero.
    fn are_valid(&self) -> bool {
        let Sizes {
            window,
            cautious,
            in_place,
            part,
            lines,
            expansion,
            batch,
            plain: _,
            brief: _,
        } = *self;
        ![window, cautious, in_place, part, lines, expansion, batch].contains(&0)
    }
}
