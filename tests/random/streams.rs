//! Random documents of MicroXML, Sky and LeafXML.

use crate::{Check, ILL_FORMED, checked_by, smaller};
use testing::invariants::Options;
use testing::invariants::streams::{check_leafxml, check_microxml, check_sky};
use testing::random::Random;

/// What documents of all of them are put together from.
const PIECES: &[&str] = &[
    "<a>",
    "</a>",
    "<b>",
    "</b>",
    "<a/>",
    "<b />",
    "</>",
    "<é>",
    "</é>",
    "<",
    ">",
    "/",
    "<a ",
    "<b ",
    "</",
    "</a ",
    "/>",
    "</a\n>",
    "<a b>",
    "<a b c/>",
    " b=\"1\"",
    " c='2'",
    " d=e",
    " f",
    " b",
    " b = \"&amp;\"",
    " g='<'",
    " h=\"a<b>\"",
    " i=\"",
    " j='",
    " k=",
    " é=\"ü\"",
    "=",
    "\"",
    "'",
    "' ",
    "\">",
    "\"/>",
    " ",
    "\n",
    "\r",
    "\r\n",
    "\t",
    "\u{c}",
    "x",
    "text",
    "日本",
    "𝄞",
    "\u{85}",
    "\u{2028}",
    "\u{1}",
    "\0",
    "\u{fffe}",
    "\u{feff}",
    "e\u{301}",
    "\u{212b}",
    "&lt;",
    "&amp;",
    "&apos;",
    "&quot;",
    "&gt;",
    "&#65;",
    "&#x41;",
    "&#x1F600;",
    "&#0;",
    "&#xD;",
    "&#xd800;",
    "&#99999999999;",
    "&#",
    "&#x",
    "&",
    "&a",
    "&a;",
    "&é;",
    ";",
    "<!--",
    "-->",
    "--",
    "-",
    "<!-- c -->",
    "<!---->",
    "<!-->",
    "<!--->",
    "!",
    "<!",
    "<!-",
    "]",
    "]]>",
    "<$:a.->",
    "<1>",
    "< ",
    "<a=b>",
];

/// What else documents of MicroXML are put together from.
const MICROXML: &[&str] = &[
    "<![CDATA[",
    "<![CDATA[c]]>",
    "<![CD",
    "<?",
    "?>",
    "<?pi d?>",
    "<??>",
    "?",
    "<!DOCTYPE",
    "<!doctype a>",
    "<!DOCTYPE a [",
    "]>",
    "<!b c>",
    "<!b 'c>' \"d\">",
    "[",
    " 'lit'",
    " xmlns='u'",
    " b c d",
    "<a\rb",
];

/// What else documents of Sky are put together from.
const SKY: &[&str] = &[
    "<script>",
    "</script>",
    "</script ",
    "</scrip",
    "<style>",
    "</style>",
    "</style/",
    "<template>",
    "</template>",
    "<t>",
    "</t>",
    "<script/>",
    "<import src=a as=b />",
    "#!mojo mojo:sky\n",
    "SKY MODULE\n",
    "SKY MODULE x\n",
    "<\0>",
    " b\0=c",
    "<_.->",
    "&lt",
    "&gt;",
];

/// What else documents of LeafXML are put together from.
const LEAFXML: &[&str] = &[
    "<![CDATA[",
    "<![CDATA[c]]>",
    "<![CDATA[]]>",
    "<?pi d?>",
    "<?",
    "?>",
    "<!DOCTYPE a>",
    "<!DOCTYPE a [",
    "]>",
    "<p:a>",
    "</p:a>",
    "<a xmlns:p='u' p:b=''>",
    " xmlns='u'",
    " xmlns:p=\"u\"",
    " p:b='1'",
    " xml:lang='e'",
    "\u{301}",
    "a\u{327}",
    "<e\u{301}>",
    "</\u{e9}>",
    "&#x301;",
    "&#13;",
    "&#10;",
];

/// What is between a beginning and an end that make a document of it.
struct Grammar {
    check: Check,
    pieces: &'static [&'static str],
    around: (&'static str, &'static str),
}

const GRAMMARS: [Grammar; 3] = [
    Grammar {
        check: check_microxml,
        pieces: MICROXML,
        around: ("<a>", "</a>"),
    },
    Grammar {
        check: check_sky,
        pieces: SKY,
        around: ("SKY MODULE\n", "</>"),
    },
    Grammar {
        check: check_leafxml,
        pieces: LEAFXML,
        around: ("<a xmlns:p='u'>", "</a>"),
    },
];

const DOCUMENTS: usize = 5_000;

#[test]
fn fixed_seed() {
    for (number, grammar) in GRAMMARS.iter().enumerate() {
        documents(grammar, 0x736b_7973 + number as u64);
    }
}

#[test]
fn fresh_seed() {
    let seed = Random::fresh_seed();
    for grammar in &GRAMMARS {
        documents(grammar, seed);
    }
}

fn documents(grammar: &Grammar, seed: u64) {
    let mut random = Random(seed);
    println!("seed {seed}");
    for number in 0..DOCUMENTS {
        let options = match random.below(4) {
            0 => Options(random.below(32) as u8),
            1 => Options(2),
            2 => Options(1),
            _ => Options(0),
        };
        let document = document(grammar, &mut random);
        if let Err(problem) = checked_by(grammar.check, options, &document) {
            let (document, problem) = smaller(grammar.check, options, document, problem);
            panic!(
                "{:?}, seed {seed}, document {number}, {options:?}: {:?}\n{problem}",
                grammar.around.0,
                String::from_utf8_lossy(&document)
            );
        }
    }
}

fn document(grammar: &Grammar, random: &mut Random) -> Vec<u8> {
    let dirty = random.below(8) == 0;
    // A few have more events than a batch holds.
    let most = match random.below(64) {
        0 => 400,
        other => [4, 8, 16, 64][other % 4],
    };
    let mut document = Vec::new();
    if random.below(2) == 0 {
        document.extend_from_slice(grammar.around.0.as_bytes());
    }
    for _ in 0..random.below(most) + 1 {
        let pieces = match random.below(3) {
            0 => grammar.pieces,
            _ => PIECES,
        };
        if dirty && random.below(4) == 0 {
            document.extend_from_slice(ILL_FORMED[random.below(ILL_FORMED.len())]);
        } else {
            document.extend_from_slice(pieces[random.below(pieces.len())].as_bytes());
        }
    }
    if random.below(2) == 0 {
        document.extend_from_slice(grammar.around.1.as_bytes());
    }
    document
}
