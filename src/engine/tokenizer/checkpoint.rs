//! Checkpoints of keywords. A keyword is a constant, so its number is saved.

use super::Keyword;
use crate::checkpoint::{Checkpointable, Damaged, Reader, Writer};

/// All keywords of all dialects. Their numbers are their indices.
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

impl Checkpointable for Keyword {
    fn save(&self, to: &mut Writer) {
        let Keyword {
            word,
            taken,
            any_case,
        } = self;
        let number = WORDS.iter().position(|known| known == word);
        number.expect("the list has all keywords").save(to);
        taken.save(to);
        any_case.save(to);
    }

    fn load(from: &mut Reader<'_>) -> Result<Keyword, Damaged> {
        Ok(Keyword {
            word: WORDS.get(usize::load(from)?).ok_or(Damaged)?,
            taken: usize::load(from)?,
            any_case: bool::load(from)?,
        })
    }
}
