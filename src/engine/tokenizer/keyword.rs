//! Keywords that are compared byte by byte, because a window may end inside them.

/// A keyword of which the first bytes were matched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Keyword {
    word: &'static [u8],
    taken: usize,
    /// True if the case of letters is ignored. The word is in upper case then.
    any_case: bool,
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

/// All keywords of all dialects. A checkpoint stores the index of a keyword in this list.
#[cfg(feature = "checkpoints")]
const WORDS: [&[u8]; 15] = [
    b"",
    b"--",
    b"DOCTYPE",
    b"doctype",
    b"[CDATA[",
    b"PUBLIC",
    b"SYSTEM",
    b"ENTITY",
    b"ELEMENT",
    b"ATTLIST",
    b"NOTATION",
    b"INCLUDE",
    b"IGNORE",
    b"#!mojo mojo:sky",
    b"SKY MODULE",
];

#[cfg(feature = "checkpoints")]
impl crate::checkpoint::Saved for Keyword {
    fn save<S: serde_core::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Keyword {
            word,
            taken,
            any_case,
        } = self;
        let number = WORDS.iter().position(|known| known == word);
        let number = number.ok_or_else(|| serde_core::ser::Error::custom("a word is missing"))?;
        serde_core::Serialize::serialize(&(number, taken, any_case), to)
    }

    fn load<'de, D: serde_core::Deserializer<'de>>(from: D) -> Result<Keyword, D::Error> {
        let (number, taken, any_case): (usize, _, _) = serde_core::Deserialize::deserialize(from)?;
        let word = WORDS.get(number);
        let word = word.ok_or_else(|| serde_core::de::Error::custom("no such word"))?;
        Ok(Keyword {
            word,
            taken,
            any_case,
        })
    }
}
