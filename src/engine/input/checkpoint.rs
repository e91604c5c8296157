//! Validation of an `Input` that was loaded from a checkpoint.

use super::Input;
use super::sizes::Sizes;

impl Input {
    /// Returns the number of bytes fed so far.
    pub(crate) fn fed(&self) -> u64 {
        self.fed_to().chunks.total
    }

    /// Returns the number of inputs on the stack below the current one, each of which continues when the insertion
    /// above it ends. 0 if no text is being inserted.
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
        let waiting = self
            .chunks
            .pending
            .iter()
            .map(|piece| piece.len())
            .sum::<usize>();
        let known = waiting + self.chunks.staged.len();
        let rest = match self.current.is_own {
            true => 0,
            false => self.current.shared.len() - self.current.shared.valid(),
        };
        // The range of a token may start in the retained bytes and end in the chunk.
        retained.is_char_boundary(chunk_start.index())
            && self.window.from <= self.window.at
            && self.window.at <= self.window.to
            && chunk.is_char_boundary(self.window.from)
            && chunk.is_char_boundary(self.window.to)
            && self.decoding.partial_length < self.decoding.partial.len()
            && self.ill_formed.next_length <= self.decoding.partial.len()
            && (self.chunks.unread == known || self.chunks.unread == known + rest)
            && self.chunks.unread as u64 <= self.chunks.total
            && (self.detection.sniffed.is_some()
                || self.detection.prefix.len() >= self.detection.prefix_bytes)
            && self.sizes.are_valid()
            && self.window.stride > 0
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
            raw,
            batch,
            ..
        } = *self;
        ![
            window, cautious, in_place, part, lines, expansion, raw, batch,
        ]
        .contains(&0)
    }
}
