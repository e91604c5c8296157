//! Keywords that are compared byte by byte, because a window may end inside them.

/// A keyword of which the first bytes were matched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Keyword {
    pub(super) word: &'static [u8],
    pub(super) taken: usize,
    /// True if the case of letters is ignored. The word is in upper case then.
    pub(super) any_case: bool,
}

impl Keyword {
    /// Creates the state after the first `taken` bytes of `word` were matched.
    pub(crate) const fn after(taken: usize, word: &'static [u8]) -> Keyword {
        Keyword {
            word,
            taken,
            any_case: false,
        }
    }

    /// Creates the state after the first letter of `word` was matched. The word is in upper case and matches in any
    /// case.
    pub(crate) const fn in_any_case(word: &'static [u8]) -> Keyword {
        Keyword {
            word,
            taken: 1,
            any_case: true,
        }
    }

    /// Returns the whole keyword.
    pub(crate) fn word(self) -> &'static [u8] {
        self.word
    }

    /// Matches the next byte. Returns `None` if it differs, and otherwise whether the keyword is complete.
    pub(crate) fn take(&mut self, byte: u8) -> Option<bool> {
        let byte = match self.any_case {
            true => byte.to_ascii_uppercase(),
            false => byte,
        };
        if self.word.get(self.taken) != Some(&byte) {
            return None;
        }
        self.taken += 1;
        Some(self.taken == self.word.len())
    }
}
