//! Random documents with declarations, and with external entities.

use crate::{ILL_FORMED, checked_by, options, smaller, utf16};
use testing::invariants::Options;
use testing::invariants::entities::{SEPARATOR, check_entities};
use testing::random::Random;

/// Pieces of declarations; in one of them, `@` is a letter that may be another each time.
const DECLARATIONS: &[&str] = &[
    "<!ENTITY @ '",
    "<!ENTITY @ \"",
    "<!ENTITY @ 'x'>",
    "<!ENTITY @ '<b>&@;</b>'>",
    "<!ENTITY @ '&#60;b/>&#38;@;'>",
    "<!ENTITY @ '<b>'>",
    "<!ENTITY @ \"<c x='&@;'/>\r\n&#13;\">",
    "<!ENTITY @ '&@;%@;&#37;'>",
    "<!ENTITY @ SYSTEM '1'>",
    "<!ENTITY @ PUBLIC 'p' '2'>",
    "<!ENTITY @ SYSTEM '9'>",
    "<!ENTITY @ SYSTEM '1' NDATA n>",
    "<!ENTITY % @ '",
    "<!ENTITY % @ 'CDATA'>",
    "<!ENTITY % @ \"<!ENTITY @ 'y'>\">",
    "<!ENTITY % @ '<?p i?>&#37;@;'>",
    "<!ENTITY % @ '<!--'>",
    "<!ENTITY % @ ''>",
    "<!ENTITY % @ SYSTEM '2'>",
    "<!ENTITY % @ SYSTEM '3'>",
    "<!ENTITY %@; 'z'>",
    "%@;",
    "%@;",
    "%",
    "% ",
    "&@;",
    "<!ATTLIST b x ",
    "<!ATTLIST b x CDATA 'd'>",
    "<!ATTLIST b x NMTOKEN ' &@;\t&#32;e '>",
    "<!ATTLIST c y (f|g) #REQUIRED x ID #IMPLIED>",
    "<!ATTLIST c xmlns CDATA #FIXED 'u'>",
    "<!ATTLIST p:c xmlns:p CDATA 'u' p:x CDATA 'v'>",
    "<!ATTLIST b x %@; 'w'>",
    "<!ATTLIST %@;>",
    " CDATA",
    " NOTATION (n|m)",
    " #FIXED",
    " #IMPLIED",
    " (h|",
    "<!ELEMENT b ",
    "<!ELEMENT b ANY>",
    "<!ELEMENT b (#PCDATA|c)*>",
    "<!ELEMENT b (%@;)>",
    "(c,(b|c)+)",
    "EMPTY",
    "<!NOTATION n SYSTEM 'n'>",
    "<!NOTATION m PUBLIC \"p\">",
    "<!NOTATION m ",
    "<![INCLUDE[",
    "<![IGNORE[",
    "<![ %@; [",
    "]]>",
    "<?p i?>",
    "<?p",
    "<!--c-->",
    "<!--",
    "-->",
    "?>",
    ">",
    ">",
    "'",
    "\"",
    "<",
    "<!",
    "]",
    " ",
    "\r\n",
    "\u{85}",
    "é",
    "日",
    "𝄞",
    "\u{1}",
];

/// Pieces of content.
const CONTENT: &[&str] = &[
    "&@;",
    "&@;",
    "&@;",
    "<b x='&@;'>",
    "<b>",
    "</b>",
    "<c/>",
    "<p:c>",
    "</p:c>",
    "<b x=\" & &@; &#9; \">",
    "x",
    "\r",
    "\r\n",
    "\u{85}",
    "\u{2028}",
    "日",
    "]]>",
    "<![CDATA[&@;]]>",
    "<!--c-->",
    "<?p i?>",
    "<",
    "&",
    "&lt;",
    "&#13;",
    "</",
    "</a>",
    "<a>",
    "%@;",
    "<!DOCTYPE a [",
    "]>",
    "\u{1}",
];

/// What an entity begins with.
const OPENINGS: &[&str] = &[
    "<?xml encoding='utf-8'?>",
    "<?xml version='1.0' encoding='iso-8859-1'?>",
    "<?xml version='1.1' encoding='utf-8'?>",
    "<?xml version='1.0'?>",
    "<?xml encoding='klingon'?>",
    "<?xml ",
];

const LETTERS: [&str; 4] = ["e", "f", "g", "e"];

/// How many documents a run makes.
const DOCUMENTS: usize = 5_000;

/// What was wrong once, as options, what it is, and the input.
const FOUND: &[(u8, &str, &[u8])] = &[(
    0,
    "text after an entity that is cut off in its text declaration",
    b"<!DOCTYPE a[<!ATTLIST c p CDATA '' p CDATA ''><!ENTITY e PUBLIC '' '2'>]><a>&e;>\x1e\x1e<?xml ",
)];

#[test]
fn found_before() {
    for (options, what, document) in FOUND {
        if let Err(problem) = checked_by(check_entities, Options(*options), document) {
            panic!("{what}: {problem}");
        }
    }
}

#[test]
fn fixed_seed() {
    documents(0x646f_6374_7970_6573);
}

#[test]
fn fresh_seed() {
    documents(Random::fresh_seed());
}

fn documents(seed: u64) {
    let mut random = Random(seed);
    println!("seed {seed}");
    for number in 0..DOCUMENTS {
        let options = Options(options(&mut random));
        let document = document(&mut random);
        if let Err(problem) = checked_by(check_entities, options, &document) {
            let (document, problem) = smaller(check_entities, options, document, problem);
            panic!(
                "seed {seed}, document {number}, {options:?}: {:?}\n{problem}",
                String::from_utf8_lossy(&document)
            );
        }
    }
}

/// A document, and behind it its external entities: one for content, two for declarations.
fn document(random: &mut Random) -> Vec<u8> {
    let mut document = String::new();
    match random.below(12) {
        0 => document += "<?xml version='1.1'?>",
        1 => document += "<?xml version='1.0' standalone='yes'?>",
        2 => document += "<?xml version='1.0'?>",
        _ => {}
    }
    document += match random.below(4) {
        0 => "<!DOCTYPE a SYSTEM '2' [",
        1 => "<!DOCTYPE a SYSTEM '3' [",
        _ => "<!DOCTYPE a [",
    };
    put(random, &mut document, DECLARATIONS, 6);
    document += "]><a xmlns:p='u'>";
    put(random, &mut document, CONTENT, 8);
    document += ["</a>", "</b></a>", ""][random.below(3)];
    let mut input = document.into_bytes();
    for pieces in [CONTENT, DECLARATIONS, DECLARATIONS] {
        let mut entity = String::new();
        if random.below(4) == 0 {
            entity += OPENINGS[random.below(OPENINGS.len())];
        }
        put(random, &mut entity, pieces, 6);
        let mut entity = entity.into_bytes();
        match random.below(24) {
            0 => entity.extend_from_slice(ILL_FORMED[random.below(ILL_FORMED.len())]),
            1 => entity = utf16(&entity),
            _ => {}
        }
        entity.retain(|byte| *byte != SEPARATOR);
        input.push(SEPARATOR);
        input.append(&mut entity);
    }
    input
}

fn put(random: &mut Random, text: &mut String, pieces: &[&str], most: usize) {
    for _ in 0..random.below(most) {
        let piece = pieces[random.below(pieces.len())];
        for (index, part) in piece.split('@').enumerate() {
            if index > 0 {
                *text += LETTERS[random.below(LETTERS.len())];
            }
            *text += part;
        }
    }
}
