//! Generators of random documents, one for each dialect. The pieces contain the places at which constructs begin, end
//! or become ill-formed.

pub mod attacks;
pub mod encoded;
pub mod fluent;
pub mod html;
pub mod leafxml;
pub mod microxml;
pub mod plain;
pub mod policies;
pub mod prefixes;
pub mod select;
pub mod sky;
pub mod well_formed;
pub mod xml;
pub mod xpath;

use crate::pieces::{self, pieces, words};
use crate::random::Random;
use std::sync::LazyLock;

/// Pieces of documents.
pub type Pieces = LazyLock<Vec<String>>;

/// A document in parts. A document is reduced by removing parts.
pub type Parts = Vec<Vec<u8>>;

/// Draws a piece of a list.
fn some<'p>(random: &mut Random, pieces: &'p [String]) -> &'p str {
    &pieces[random.below(pieces.len())]
}

/// Draws a piece of a list, as a part of a document.
fn one(random: &mut Random, pieces: &[String]) -> Vec<u8> {
    some(random, pieces).as_bytes().to_vec()
}

/// Draws the number of pieces of a document. A few documents have more events than a batch holds.
fn many(random: &mut Random) -> usize {
    let most = match random.below(64) {
        0 => 400,
        other => [4, 8, 16, 64][other % 4],
    };
    random.below(most) + 1
}

/// Adds pieces to a document. A third of them are from the second list.
fn content(random: &mut Random, common: &[String], others: &[String], parts: &mut Parts) {
    for _ in 0..many(random) {
        parts.push(match random.below(3) {
            0 => one(random, others),
            _ => one(random, common),
        });
        if random.one_in(16) {
            parts.push(vec![random.below(0x80) as u8]);
        }
    }
}

/// Pieces that MicroXML, Sky and LeafXML have in common.
static COMMON: Pieces = Pieces::new(|| {
    words(
        "<a> </a> <b> </b> <a/> <b␣/> </> <é> </é> < > / <a␣ <b␣ </ </a␣ /> </a\n> <a␣b> \
         <a␣b␣c/> ␣b=\"1\" ␣c='2' ␣d=e ␣f ␣b ␣b␣=␣\"&amp;\" ␣g='<' ␣h=\"a<b>\" ␣i=\" ␣j=' ␣k= \
         ␣é=\"ü\" = \" ' '␣ \"> \"/> ␣ \n \r \r\n \t \u{c} x text 日本 𝄞 \u{85} \u{2028} \u{1} \0 \
         \u{fffe} \u{feff} e\u{301} \u{212b} &lt; &amp; &apos; &quot; &gt; &#65; &#x41; \
         &#x1F600; &#0; &#xD; &#xd800; &#99999999999; &# &#x & &a &a; &é; ; <!-- --> -- - \
         <!--␣c␣--> <!----> <!--> <!---> ! <! <!- ] ]]> <$:a.-> <1> <␣ <a=b>",
    )
});

/// Bytes that are not UTF-8, byte-order marks, and bytes of UTF-16.
static ILL_FORMED: pieces::Pieces = pieces::Pieces::new(|| {
    pieces(
        r"\xFF \xC3 \xC3\xC3 \xE6\x97 \xE2\x82 \xE2\xE2\x82 \xAC \xF0\x9F\x98 \xF0\x9F \xF0\xF0 \x80
        \x80\x80\x80\x80 \xED\xA0\x80 \xED\xBF\xBF \xC0\x80 \xE0\x80\xAF \xF4\x90\x80\x80 \xEF\xBB\xBF
        \xFE\xFF \xFF\xFE \0 <\0a\0>\0",
    )
});

/// Draws a sequence of ill-formed bytes.
pub fn ill_formed(random: &mut Random) -> Vec<u8> {
    ILL_FORMED[random.below(ILL_FORMED.len())].clone()
}

/// Inserts ill-formed bytes in one document of eight.
#[must_use]
pub fn spoilt(random: &mut Random, mut parts: Parts) -> Parts {
    if random.one_in(8) {
        for _ in 0..=random.below(parts.len() / 4 + 2) {
            let at = random.below(parts.len() + 1);
            parts.insert(at, ill_formed(random));
        }
    }
    parts
}

/// Encodes a document in UTF-16, with a byte-order mark.
fn utf16(document: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(document);
    let units = core::iter::once(0xFEFF).chain(text.encode_utf16());
    units.flat_map(u16::to_le_bytes).collect()
}

/// Draws a document of 64 to 200 KB: many small documents with long texts between them, and ill-formed bytes.
pub fn large(random: &mut Random, draw: impl Fn(&mut Random) -> Parts) -> Parts {
    // The last texts are ill-formed or in other encodings.
    const TEXTS: [&[u8]; 10] = [
        b"y",
        b"text ",
        "日本，".as_bytes(),
        "𝄞".as_bytes(),
        "é\r\n".as_bytes(),
        b"\n",
        b"\xFF",
        b"\xFF\xE2\x82&",
        b"Stra\xDFe, ",
        b"\x82\xA0\x82\xA2",
    ];
    let length = (64 << 10) + random.below(136 << 10);
    let (mut parts, mut so_far) = (Parts::new(), 0);
    while so_far < length {
        let first = parts.len();
        match random.below(4) {
            0 => parts.push(ill_formed(random)),
            1 => {
                let most = [16, 256, 4096, 9000][random.below(4)];
                let text = random.pick(&TEXTS);
                parts.push(text.repeat(random.below(most) / text.len() + 1));
            }
            _ => parts.extend(draw(random)),
        }
        so_far += parts[first..].iter().map(Vec::len).sum::<usize>();
    }
    parts
}
