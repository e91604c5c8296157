//! Tests of random edits of documents in chunks, in several encodings, and with a checkpoint between two chunks.

use crate::generate::{self, Parts, encoded};
use crate::random::Random;
use crate::random_cases::{Feed, RandomTest, Verdict};
use crate::rewriting_cuts::difference;
use crate::rewriting_edits::{Events, draw, rewritten, rewritten_with};
use crate::rewriting_tree::Tested;
use tagstream::{
    Balance, Encoding, Form, Html, LeafXml, MicroXml, RewriteError, Rewriter, Sky, Xml,
};

/// The options of a document.
#[derive(Clone, Copy, Debug)]
pub struct How {
    dialect: Tested,
    is_balanced: bool,
    /// The encoding, if it is not UTF-8.
    encoding: Option<Encoding>,
    seed: u64,
}

/// Checks that neither the output nor the refused edits depend on the chunks, or on a checkpoint.
fn checked(how: &How, feed: Feed, input: &[u8]) -> Result<Verdict, String> {
    let encoding = how.encoding.unwrap_or(Encoding::UTF_8);
    match how.dialect {
        Tested::Html => in_form(&Html::default().encoding(encoding), how, feed, input),
        Tested::Xml => match how.encoding {
            Some(encoding) => in_form(&Xml::default().encoding(encoding), how, feed, input),
            None => in_form(&Xml::default(), how, feed, input),
        },
        Tested::MicroXml => in_form(&MicroXml::default(), how, feed, input),
        Tested::Sky => in_form(&Sky::fragment(), how, feed, input),
        Tested::LeafXml => in_form(&LeafXml::default(), how, feed, input),
    }
}

fn in_form<D: Balance>(
    dialect: &D,
    how: &How,
    feed: Feed,
    input: &[u8],
) -> Result<Verdict, String> {
    let rewriter = Rewriter::new(dialect.clone());
    match how.is_balanced {
        true => in_chunks(dialect, &rewriter.balanced(), how, feed, input),
        false => in_chunks(dialect, &rewriter, how, feed, input),
    }
}

fn in_chunks<D: Balance, F: Form>(
    dialect: &D,
    rewriter: &Rewriter<D, F>,
    how: &How,
    feed: Feed,
    input: &[u8],
) -> Result<Verdict, String> {
    let make = || rewriter.clone();
    if let Some(difference) = difference(make, input, how.seed) {
        return Err(difference);
    }
    let mut random = Random(how.seed);
    if !random.one_in(4) {
        return Ok(Verdict::Right);
    }
    let Ok(events) = Events::read(make(), how.is_balanced, input) else {
        return Ok(Verdict::Right);
    };
    let edits = draw(&mut random, &events);
    let chunks = feed.chunks(input).count();
    let restored_after = random.below(chunks.max(1));
    let restore = |chunk: usize, rewriter: &mut Rewriter<D, F>| {
        if chunk == restored_after {
            let checkpoint = rewriter.checkpoint();
            *rewriter = Rewriter::restore(dialect.clone(), &checkpoint).expect("a checkpoint");
        }
    };
    let whole = rewritten(make(), Feed::whole(), &events, &edits, input);
    let restored = rewritten_with(make(), feed, &events, &edits, input, restore);
    let show = |result: &Result<_, RewriteError>| format!("{result:?}");
    match show(&whole) == show(&restored) {
        true => Ok(Verdict::Right),
        false => Err(format!(
            "{edits:?}\nwhole    {whole:?}\nrestored {restored:?} after chunk {restored_after}"
        )),
    }
}

/// Encodes some documents in another encoding.
fn drawn(random: &mut Random, dialect: Tested, mut parts: Parts) -> (How, Parts) {
    let names = ["utf-16le", "utf-16be", "iso-2022-jp", "windows-1252"];
    let is_other = matches!(dialect, Tested::Html | Tested::Xml) && random.one_in(2);
    let name = is_other.then(|| names[random.below(names.len())]);
    if let Some(name) = name {
        let encoded = parts.iter().map(|part| encoded::part(random, part, name));
        parts = encoded.collect();
    }
    let how = How {
        dialect,
        is_balanced: random.one_in(2),
        encoding: name.and_then(Encoding::for_label),
        seed: random.number(),
    };
    (how, parts)
}

/// Tests of random edits in random documents of each dialect. Half of the documents of HTML and XML are in other
/// encodings than UTF-8.
pub const TESTS: [RandomTest<How>; 5] = [
    test("html/rewriting, cuts", |random| {
        let document = generate::html::document(random);
        drawn(random, Tested::Html, document)
    }),
    test("xml/rewriting, cuts", |random| {
        let document = generate::xml::document(random);
        drawn(random, Tested::Xml, document)
    }),
    test("microxml/rewriting, cuts", |random| {
        let document = generate::microxml::document(random);
        drawn(random, Tested::MicroXml, document)
    }),
    test("sky/rewriting, cuts", |random| {
        let document = generate::sky::document(random);
        drawn(random, Tested::Sky, document)
    }),
    test("leafxml/rewriting, cuts", |random| {
        let document = match random.one_in(4) {
            true => generate::leafxml::document(random),
            false => generate::plain::document(random),
        };
        drawn(random, Tested::LeafXml, document)
    }),
];

const fn test(name: &'static str, draw: fn(&mut Random) -> (How, Parts)) -> RandomTest<How> {
    RandomTest {
        name,
        quick: 1_000,
        full: 10_000,
        draw,
        check: checked,
        other: [0, 0],
        shrinks: true,
    }
}
