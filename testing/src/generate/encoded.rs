//! Converts parts of documents to encodings other than UTF-8.

use super::{Pieces, some};
use crate::pieces::{self, pieces, words};
use crate::random::Random;

/// Texts that can be encoded in some of the encodings.
static TEXTS: Pieces = Pieces::new(|| {
    words("Größe naïve Ελλάδα Україна 日本語 ｶﾀｶﾅ ｶ日a 中文简体 繁體 한국어 😀 Ê̄ê̌ € \u{f7c0} ¥ x")
});

/// Incomplete characters and escape sequences of some encodings.
static HALVES: pieces::Pieces = pieces::Pieces::new(|| {
    pieces(
        r"\x1B \x1B( \x1B(J \x1B(I \x1B(B \x1B$B \x1B$@ \x1B$ \x1B(B\x1B(B $$ \x0E \x80 \x81 \x810 \x810\x81 \x810\x810
        \xE39\xFE9 \x8E \x8F \x8F\xA2 \x8F\xA2\xB7 \xA1 \xA4\xA2 \x82 \x82\xA0 \x88\x62 \x88\x66 \x88\xA5 \xC7\x41 \xD8 \xD8\x3D
        \x3D\xD8 \x00\xDE \xDC\x00 \xFF \xFE \0 \0\0 \0\0\0",
    )
});

/// Draws a few of these incomplete sequences.
pub fn ill_formed(random: &mut Random) -> Vec<u8> {
    let some = (0..=random.below(3)).map(|_| HALVES[random.below(HALVES.len())].clone());
    some.collect::<Vec<_>>().concat()
}

/// Converts a part of a document to the encoding with this name, sometimes with additional text. Characters that the
/// encoding lacks become character references.
pub fn part(random: &mut Random, part: &[u8], name: &str) -> Vec<u8> {
    let mut text = String::from_utf8_lossy(part).into_owned();
    if random.one_in(4) {
        text += some(random, &TEXTS);
    }
    match name {
        "utf-16le" => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        "utf-16be" => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
        "utf-32le" => text
            .chars()
            .flat_map(|c| u32::from(c).to_le_bytes())
            .collect(),
        "utf-32be" => text
            .chars()
            .flat_map(|c| u32::from(c).to_be_bytes())
            .collect(),
        _ => {
            let name = if name == "iso-8859-1" {
                "windows-1252"
            } else {
                name
            };
            let encoding = encoding_rs::Encoding::for_label(name.as_bytes()).expect("a label");
            encoding.encode(&text).0.into_owned()
        }
    }
}
