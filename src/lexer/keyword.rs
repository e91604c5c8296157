//! A word that is expected byte by byte. It must not know what follows it.

/// A word of which a part was taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Keyword {
    word: &'static [u8],
    taken: usize,
    /// The word is in capitals, and small letters do as well.
    any_case: bool,
}

impl Keyword {
    /// So many bytes of `word` were taken.
    pub(crate) const fn after(taken: usize, word: &'static [u8]) -> Keyword {
        Keyword {
            word,
            taken,
            any_case: false,
        }
    }

    /// The first letter of `word`, which is in capitals, was taken; neither its case matters nor that of
    /// the others.
    pub(crate) const fn in_any_case(word: &'static [u8]) -> Keyword {
        Keyword {
            word,
            taken: 1,
            any_case: true,
        }
    }

    /// The word, as it is expected.
    pub(crate) fn word(self) -> &'static [u8] {
        self.word
    }

    /// Takes the next byte: `None` if it is not the word's, else whether the word is whole.
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

/// Every word that is expected anywhere: one that was saved is one of them.
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
impl crate::saved::Saved for Keyword {
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
