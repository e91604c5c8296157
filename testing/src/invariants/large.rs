//! Checks that documents of 64 to 200 KB with ill-formed bytes give the same result in chunks of 1 to 65,536 bytes.

use crate::generate::{self, Parts, large};
use crate::pull::{Pull, write_event};
use crate::random::Random;
use crate::random_cases::{Drawn, Feed, RandomTest, Verdict};
use bytes::Bytes;
use std::hash::{DefaultHasher, Hash, Hasher};
use tagstream::{Balance, Encoding, Html, LeafXml, MicroXml, Parser, Sizes, Sky, TreeBuilder, Xml};

/// Maximum length of a chunk, in bytes.
const LONGEST: usize = 1 << 16;

/// The seed of the chunk sizes.
type Chunks = u64;

/// The tests of all dialects.
pub const TESTS: [RandomTest<Chunks>; 5] = [
    kind(
        "html/large",
        |random| drawn(random, generate::html::document),
        |chunks, feed, input| {
            let html = Html::default().encoding(Encoding::UTF_8);
            let make = |sizes| {
                Parser::new(html.clone())
                    .report_errors(true)
                    .inspect_sizes(sizes)
            };
            one_result(*chunks, feed, input, make)?;
            html_tree(*chunks, feed, input)
        },
    ),
    kind(
        "xml/large",
        |random| drawn(random, generate::xml::document),
        |chunks, feed, input| of(&Xml::default(), *chunks, feed, input),
    ),
    kind(
        "microxml/large",
        |random| drawn(random, generate::microxml::document),
        |chunks, feed, input| of(&MicroXml::default(), *chunks, feed, input),
    ),
    kind(
        "sky/large",
        |random| drawn(random, generate::sky::document),
        |chunks, feed, input| of(&Sky::fragment(), *chunks, feed, input),
    ),
    kind(
        "leafxml/large",
        |random| {
            // Most documents are refused at the first error. A long well-formed beginning lets more of the document be
            // read.
            let (chunks, mut parts) = drawn(random, generate::leafxml::document);
            let text = ["x", "é", "日本", "<b/>", "&lt;", "e\u{301}"][random.below(6)];
            let right = text.repeat(random.below(120 << 10) / text.len());
            parts.insert(0, format!("<a xmlns:p='u'>{right}").into_bytes());
            (chunks, parts)
        },
        |chunks, feed, input| of(&LeafXml::default(), *chunks, feed, input),
    ),
];

const fn kind(
    name: &'static str,
    draw: fn(&mut Random) -> Drawn<Chunks>,
    check: fn(&Chunks, Feed, &[u8]) -> Result<Verdict, String>,
) -> RandomTest<Chunks> {
    RandomTest {
        name,
        quick: 4,
        full: 200,
        draw,
        check,
        other: [0, 0],
        shrinks: true,
    }
}

fn drawn(random: &mut Random, draw: fn(&mut Random) -> Parts) -> Drawn<Chunks> {
    (random.number(), large(random, draw))
}

/// Compares the events of a dialect, and its balanced events.
fn of<D: Balance>(
    dialect: &D,
    chunks: Chunks,
    feed: Feed,
    input: &[u8],
) -> Result<Verdict, String> {
    let parser = || Parser::new(dialect.clone()).report_errors(true);
    one_result(chunks, feed, input, |sizes| parser().inspect_sizes(sizes))?;
    let balanced = || Parser::new(dialect.clone()).balanced().report_errors(true);
    one_result(chunks, feed, input, |sizes| balanced().inspect_sizes(sizes))?;
    Ok(Verdict::Right)
}

/// Compares the trees of HTML.
fn html_tree(chunks: Chunks, feed: Feed, input: &[u8]) -> Result<Verdict, String> {
    let tree = |sizes, pieces: &[usize]| {
        let html = Html::default().encoding(Encoding::UTF_8);
        let mut builder = TreeBuilder::new(html).inspect_sizes(sizes);
        let mut from = 0;
        for &to in pieces {
            builder.supply(Bytes::copy_from_slice(&input[from..to]));
            let _ = builder.build();
            from = to;
        }
        builder.supply_end();
        let failure = builder.build().err().map(|error| error.to_string());
        (builder.into_sink().to_html(), failure)
    };
    let whole = tree(Sizes::USUAL, &[input.len()]);
    match whole == tree(feed.sizes, &ends(chunks, input)) {
        true => Ok(Verdict::Right),
        false => Err("the trees differ".to_owned()),
    }
}

/// Returns the offsets at which chunks end. Some chunks are short, some are long.
fn ends(chunks: Chunks, input: &[u8]) -> Vec<usize> {
    let mut random = Random(chunks);
    let (mut ends, mut at) = (Vec::new(), 0);
    while at < input.len() {
        let most = LONGEST >> random.below(17);
        at += random.below(most) + 1;
        ends.push(at.min(input.len()));
    }
    ends
}

fn one_result<P: Pull>(
    chunks: Chunks,
    feed: Feed,
    input: &[u8],
    make: impl Fn(Sizes) -> P,
) -> Result<(), String> {
    let cut = ends(chunks, input);
    let whole = digest(make(Sizes::USUAL), input, &[input.len()], &mut |_| {});
    if whole == digest(make(feed.sizes), input, &cut, &mut |_| {}) {
        return Ok(());
    }
    let mut lines = [Vec::new(), Vec::new()];
    digest(make(Sizes::USUAL), input, &[input.len()], &mut |line| {
        lines[0].push(line.to_owned());
    });
    digest(make(feed.sizes), input, &cut, &mut |line| {
        lines[1].push(line.to_owned())
    });
    let [whole, found] = lines;
    let differs = whole.iter().zip(&found).position(|(one, two)| one != two);
    let at = differs.unwrap_or(whole.len().min(found.len()));
    let (whole, found) = (whole.get(at), found.get(at));
    Err(format!("event {at}: whole {whole:?}, in chunks {found:?}"))
}

/// Returns a hash of everything that is reported for an input. `each` receives the line of each event.
fn digest(mut parser: impl Pull, input: &[u8], ends: &[usize], each: &mut impl FnMut(&str)) -> u64 {
    let (mut hasher, mut line) = (DefaultHasher::new(), String::new());
    let mut from = 0;
    for number in 0..=ends.len() {
        match ends.get(number) {
            Some(&to) => {
                parser.feed(Bytes::copy_from_slice(&input[from..to]));
                from = to;
            }
            None => parser.finish(),
        }
        while let Ok(Some(event)) = parser.pull() {
            write_event(&mut line, &event);
            line.hash(&mut hasher);
            each(&line);
            line.clear();
        }
    }
    let end = parser
        .pull()
        .err()
        .map(|error| (error.span(), error.to_string()));
    let end = format!("{end:?} {:?}", parser.status());
    each(&end);
    end.hash(&mut hasher);
    hasher.finish()
}
