//! Random documents: small ones, from a grammar of nasty pieces, each put to every check of
//! `testing::invariants`. One run has a fixed seed; another has a fresh one, which it prints.

#[path = "random/doctype.rs"]
mod doctype;
#[path = "random/html.rs"]
mod html;
#[path = "random/html_prescan.rs"]
mod html_prescan;
#[path = "random/html_standard.rs"]
mod html_standard;
#[path = "random/html_tree.rs"]
mod html_tree;
#[path = "random/streams.rs"]
mod streams;
#[path = "random/xml_standard.rs"]
mod xml_standard;

use testing::invariants::{Options, check_xml};
use testing::random::Random;

/// What documents are put together from. Each piece is where something begins, ends or goes wrong.
const PIECES: &[&str] = &[
    "<a>",
    "</a>",
    "<b>",
    "</b>",
    "<a/>",
    "<p:a>",
    "</p:a>",
    "</>",
    "<é>",
    "</é>",
    "<",
    ">",
    "/",
    "<a ",
    "<b ",
    " x=\"1\"",
    " x='2'",
    " y=z",
    " x",
    " p:x=\"1\"",
    " q:x='1'",
    "=",
    "\"",
    "'",
    " xmlns=\"u\"",
    " xmlns:p=\"u\"",
    " xmlns:q='u'",
    " xmlns:p=''",
    " xmlns=''",
    " xml:lang='e'",
    " xmlns:xml='u'",
    " xmlns:xmlns='u'",
    " é=\"ü\"",
    " a=\"<\"",
    " a=\"&lt;\r\n\t&#10;\"",
    "/>",
    "/ >",
    "</a ",
    "</b x='>'>",
    "</",
    "<3",
    "<:",
    ":",
    "<a:b:c>",
    "<a<b>",
    " ",
    "\n",
    "\r",
    "\r\n",
    "\t",
    "x",
    "text",
    "日本",
    "𝄞",
    "\u{85}",
    "\u{2028}",
    "\u{1}",
    "\u{fffe}",
    "\u{feff}",
    "]]>",
    "]]",
    "]",
    "&lt;",
    "&amp;",
    "&apos;",
    "&quot;",
    "&gt;",
    "&#65;",
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
    "--!>",
    "<!-- c -->",
    "<!---->",
    "<!-->",
    "<!--->",
    "<![CDATA[",
    "<![CDATA[c]]>",
    "<![CDATA[]]>",
    "<![CD",
    "<!",
    "<?",
    "?>",
    "?",
    "<?pi d?>",
    "<?pi?>",
    "<??>",
    "<?xml version=\"1.0\"?>",
    "<?xml ",
    "<?xml?>",
    " version='1.1'",
    " encoding='utf-8'",
    " standalone=\"yes\"",
    "<?XML x?>",
    "<!DOCTYPE",
    " a",
    "<!DOCTYPE a>",
    "<!DOCTYPE a [",
    "]>",
    " PUBLIC \"p\" 's'",
    " SYSTEM 's'",
    "<!DOCTYPE a SYSTEM 's'>",
    "<!ELEMENT a ANY>",
    "<!ATTLIST a b CDATA #IMPLIED>",
    "<!ENTITY e 'v'>",
    "<!NOTATION n SYSTEM 'n'>",
    "%p;",
    "%",
    "[",
    "!",
    "#",
    "&e;",
    "<!ELEMENT",
    "<!ENTITY % p '>'>",
    "<!DOCTYPE a [<?p i?><!--c-->]>",
];

/// Bytes that are not UTF-8.
const ILL_FORMED: &[&[u8]] = &[
    b"\xff",
    b"\xc3",
    b"\xe6\x97",
    b"\xf0\x9f\x98",
    b"\x80",
    b"\xed\xa0\x80",
    b"\xc0\x80",
    b"\xfe\xff",
    b"\xf4\x90\x80\x80",
    b"\xef\xbb\xbf",
    b"\xff\xfe",
    b"\0",
    b"<\0a\0>\0",
];

/// How many documents a run makes.
const DOCUMENTS: usize = 10_000;

#[test]
fn fixed_seed() {
    documents(0x7461_6773_7472_6561);
}

#[test]
fn fresh_seed() {
    documents(Random::fresh_seed());
}

/// What was wrong once, as options, what it is, and the input.
const FOUND: &[(u8, &str, &[u8])] = &[
    (
        2,
        "half a character behind a full token",
        b"\xfe\xff\x3c\x30\x3c\x30\x3c\x30\x3c\x30\x3c\x30\x3c\x30\x3c\x30\x3c\x30\x3c\x30\
          \x3c\x30\x3c\x30\x3c\x30\x3c\x30\x3c\x30\x3c",
    ),
    (0, "cut character at the end", b"\r\xed"),
    (2, "cut character at the end, within limits", b"<>\xef"),
    (
        1,
        "wide character where an attribute begins",
        b"<?x?><a p=\"\"\xe2\x80\xa8",
    ),
    (
        0,
        "wide character after an attribute's name",
        b"<c t\r\xc2\x85",
    ),
    (
        2,
        "gap over the limit of a token",
        b"ion=\"1.0\"?><!DOCTYPE a [<?p i?><!--c-->]><![CDATA[]]>x",
    ),
    (
        0,
        "two declarations in a batch",
        b"<?xml?>><?xml version=\"1.0\"?>",
    ),
    (0, "closing brackets in pieces", b"]]>"),
    (
        0,
        "ill-formed bytes by the dozen",
        b"<a>\xff\xff\xff\xff\xff\xff\xff\xff\xff&lt;\xff",
    ),
    (0, "end of the input in a CDATA section", b"<![CDATA[a "),
    (
        4,
        "end tag with a wide name that is none",
        b"<\xc3\xa9></\xc3\xa9>",
    ),
    (0, "instruction in a late DOCTYPE", b"<0>]<!DOCTYPE a[<??>"),
    (0, "CR LF in a late DOCTYPE", b"<a>\r<!DOCTYPE a[<?\r\n"),
    (
        0,
        "CR in an identifier of a late DOCTYPE",
        b"<b>&#xD;<!DOCTYPE a\t'\r",
    ),
    (
        0,
        "CR LF in an identifier of a late DOCTYPE",
        b"<a>&#0;<!DOCTYPE a '\r\n",
    ),
    (
        0,
        "CR LF in an instruction of a DOCTYPE",
        b"<!DOCTYPE a[<?\r\n?>",
    ),
    (
        0,
        "replacement character in a DOCTYPE",
        b"<!DOCTYPE a[]\xef",
    ),
    (
        0,
        "what comes of one reference shares its span",
        b"<!DOCTYPE a[<!ENTITY e 'x<b>y</b><c/>z'>]><a>w&e;&e;</a>",
    ),
    (
        4,
        "what comes of one reference shares its span, in Latin-1",
        b"\xe9<!DOCTYPE a[<!ENTITY e '<b>\xe9</b>'>]><a>&e;</a>",
    ),
    (
        0,
        "instructions of one parameter entity share its span",
        b"<!DOCTYPE a[<!ENTITY % p '<?x?><?y?>'>%p;]><a/>",
    ),
];

#[test]
fn found_before() {
    for (options, what, document) in FOUND {
        if let Err(problem) = checked(Options(*options), document) {
            panic!("{what}: {problem}");
        }
    }
}

/// A batch that is full at the text before an end tag.
#[test]
fn full_batches() {
    for events in 120..136 {
        let document = format!(
            "<a>{}x</a>",
            "<b/>".repeat(events / 2) + &"<!---->".repeat(events % 2)
        );
        if let Err(problem) = checked(Options(0), document.as_bytes()) {
            panic!("{events} events: {problem}");
        }
    }
}

fn documents(seed: u64) {
    let mut random = Random(seed);
    println!("seed {seed}");
    for number in 0..DOCUMENTS {
        let options = Options(options(&mut random));
        let document = document(&mut random);
        if let Err(problem) = checked(options, &document) {
            let (document, problem) = smaller(check_xml, options, document, problem);
            panic!(
                "seed {seed}, document {number}, {options:?}: {:?}\n{problem}",
                String::from_utf8_lossy(&document)
            );
        }
    }
}

/// Mostly none, so that documents without an error are among them.
fn options(random: &mut Random) -> u8 {
    match random.below(8) {
        0..4 => 0,
        4 => 1,
        5 => 2,
        6 => random.below(4) as u8,
        _ => random.below(8) as u8,
    }
}

fn document(random: &mut Random) -> Vec<u8> {
    let mut document = Vec::new();
    if random.below(8) == 0 {
        document.extend_from_slice(b"<?xml version='1.0'?>");
    }
    // Half of them begin as a document does, so that what follows stands inside an element.
    if random.below(2) == 0 {
        document.extend_from_slice(b"<a xmlns:p='u'>");
    }
    let dirty = random.below(8) == 0;
    // A few have more events than a batch holds.
    let most = match random.below(64) {
        0 => 400,
        other => [4, 8, 16, 64][other % 4],
    };
    for _ in 0..random.below(most) + 1 {
        if dirty && random.below(4) == 0 {
            document.extend_from_slice(ILL_FORMED[random.below(ILL_FORMED.len())]);
        } else {
            document.extend_from_slice(PIECES[random.below(PIECES.len())].as_bytes());
        }
    }
    if random.below(2) == 0 {
        document.extend_from_slice(b"</a>");
    }
    if random.below(32) == 0 {
        document = utf16(&document);
    }
    document
}

fn utf16(document: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(document);
    let units = core::iter::once(0xfeff).chain(text.encode_utf16());
    units.flat_map(u16::to_le_bytes).collect()
}

/// The check, a panic in the library told as any other problem.
fn checked(options: Options, document: &[u8]) -> Result<(), String> {
    checked_by(check_xml, options, document)
}

/// What is checked of a document.
type Check = fn(Options, &[u8]) -> Result<(), String>;

fn checked_by(check: Check, options: Options, document: &[u8]) -> Result<(), String> {
    match std::panic::catch_unwind(|| check(options, document)) {
        Ok(result) => result,
        Err(panic) => {
            let words = panic.downcast_ref::<String>().cloned();
            let words = words.or(panic.downcast_ref::<&str>().map(ToString::to_string));
            Err(format!("panic: {words:?}"))
        }
    }
}

/// Takes bytes out of a document as long as there is a problem with it.
fn smaller(
    check: Check,
    options: Options,
    mut document: Vec<u8>,
    mut problem: String,
) -> (Vec<u8>, String) {
    let mut length = document.len() / 2;
    while length > 0 {
        let mut at = 0;
        let mut found = false;
        while at + length <= document.len() {
            let mut less = document.clone();
            less.drain(at..at + length);
            match checked_by(check, options, &less) {
                Err(still) => {
                    (document, problem) = (less, still);
                    found = true;
                }
                Ok(()) => at += 1,
            }
        }
        if !found {
            length /= 2;
        }
    }
    (document, problem)
}
