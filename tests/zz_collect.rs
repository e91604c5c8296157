//! Random documents: small ones, from a grammar of nasty pieces, each put to every check of
//! `tests/invariants`. One run has a fixed seed; another has a fresh one, which it prints.

mod invariants;

use invariants::{Options, Random, check_xml};

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
fn collect() {
    std::panic::set_hook(Box::new(|_| {}));
    let mut random = Random(std::env::var("SEED").map_or(1, |s| s.parse().unwrap()));
    let mut seen = std::collections::BTreeMap::<String, (usize, Vec<u8>, String)>::new();
    let n: usize = std::env::var("N").map_or(10000, |s| s.parse().unwrap());
    for _ in 0..n {
        let options = Options(options(&mut random));
        let document = document(&mut random);
        if let Err(p) = checked(options, &document) {
            let key = |p: &str| {
                p.lines()
                    .next()
                    .unwrap()
                    .chars()
                    .take(46)
                    .filter(|c| !c.is_ascii_digit())
                    .collect::<String>()
            };
            let k = key(&p);
            if let Some(e) = seen.get_mut(&k) {
                e.0 += 1;
                if e.0 > 1 {
                    continue;
                }
            }
            let (d, q) = smaller2(options, document, p, &|q| key(q) == k);
            let k2 = key(&q);
            seen.entry(k2)
                .or_insert((0, d, format!("{options:?} {q}")))
                .0 += 1;
            if k != key(&q) {
                seen.entry(k)
                    .or_insert((0, vec![], "shrank to another".into()))
                    .0 += 1;
            }
        }
    }
    for (k, (n, d, q)) in seen {
        println!(
            "=== {k} x{n}: {:?} {:?}\n{q}",
            String::from_utf8_lossy(&d),
            d.iter().filter(|b| !b.is_ascii()).collect::<Vec<_>>()
        );
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
    let most = [4, 8, 16, 64][random.below(4)];
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
    match std::panic::catch_unwind(|| check_xml(options, document)) {
        Ok(result) => result,
        Err(panic) => {
            let words = panic.downcast_ref::<String>().cloned();
            let words = words.or(panic.downcast_ref::<&str>().map(ToString::to_string));
            Err(format!("panic: {words:?}"))
        }
    }
}

/// Takes bytes out of a document as long as there is a problem with it.
fn smaller2(
    options: Options,
    mut document: Vec<u8>,
    mut problem: String,
    ok: &dyn Fn(&str) -> bool,
) -> (Vec<u8>, String) {
    let mut length = document.len() / 2;
    while length > 0 {
        let mut at = 0;
        let mut found = false;
        while at + length <= document.len() {
            let mut less = document.clone();
            less.drain(at..at + length);
            match checked(options, &less) {
                Err(still) if ok(&still) => {
                    (document, problem) = (less, still);
                    found = true;
                }
                _ => at += 1,
            }
        }
        if !found {
            length /= 2;
        }
    }
    (document, problem)
}
