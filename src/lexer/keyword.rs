//! A word that is expected byte by byte. It must not know what follows it.

/// A word of which a part was taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Keyword {
    word: &'static [u8],
    taken: usize,
}

impl Keyword {
    /// So many bytes of `word` were taken.
    pub(crate) const fn after(taken: usize, word: &'static [u8]) -> Keyword {
        Keyword { word, taken }
    }

    /// Takes the next byte: `None` if it is not the word's, else whether the word is whole.
    pub(crate) fn take(&mut self, byte: u8) -> Option<bool> {
        if self.word.get(self.taken) != Some(&byte) {
            return None;
        }
        self.taken += 1;
        Some(self.taken == self.word.len())
    }
}
