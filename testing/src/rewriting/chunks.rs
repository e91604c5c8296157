//! Tests of random edits of documents in chunks, in several encodings, and with checkpoints between chunks. The sizes of
//! the engine, the limits, the chunks and the times at which output is taken are drawn independently, and some documents
//! have up to 60 kB. Some documents are rewritten without edits.

use crate::draws;
use crate::generate::{self, Parts, encoded};
use crate::random::Random;
use crate::random_cases::{Feed, RandomTest, Verdict};
use crate::rewriting::cuts::{Rewriting, difference};
use crate::rewriting::edits::{Events, draw, rewritten, rewritten_with};
use crate::rewriting::tree::Tested;
use tagstream::{
    Balance, Encoding, Form, Html, LeafXml, MicroXml, RewriteError, Rewriter, Sizes, Sky, Xml,
    microxml,
};

/// The options of a document.
#[derive(Clone, Copy, Debug)]
pub struct How {
    dialect: Tested,
    is_balanced: bool,
    /// The encoding, if it is not UTF-8.
    encoding: Option<Encoding>,
    /// The options of the dialect.
    options: usize,
    /// True if events are edited.
    is_edited: bool,
    seed: u64,
}

/// Checks that neither the output nor the refused edits depend on the chunks, or on a checkpoint.
fn checked(how: &How, feed: Feed, input: &[u8]) -> Result<Verdict, String> {
    let encoding = how.encoding.unwrap_or(Encoding::UTF_8);
    match how.dialect {
        Tested::Html => in_form(&Html::default().encoding(encoding), how, feed, input),
        Tested::Xml => {
            let xml = match how.options {
                0 => Xml::strict(),
                1 => Xml::strict().fragment(),
                _ => Xml::default(),
            };
            match how.encoding {
                Some(encoding) => in_form(&xml.encoding(encoding), how, feed, input),
                None => in_form(&xml, how, feed, input),
            }
        }
        Tested::MicroXml if how.options.is_multiple_of(2) => {
            let revision = microxml::Revision::Final;
            in_form(&MicroXml::default().revision(revision), how, feed, input)
        }
        Tested::MicroXml => in_form(&MicroXml::default(), how, feed, input),
        Tested::Sky => in_form(&Sky::fragment(), how, feed, input),
        Tested::LeafXml => {
            let dialect = LeafXml::default().comments(how.options.is_multiple_of(2));
            in_form(
                &dialect.doctype(how.options.is_multiple_of(3)),
                how,
                feed,
                input,
            )
        }
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
    let make = |sizes: Sizes| {
        let rewriter = rewriter.clone().inspect_sizes(sizes);
        rewriter.limits(feed.limits)
    };
    let restored = |rewriter: &Rewriter<D, F>| {
        let restored = Rewriter::restore(dialect.clone(), &rewriter.checkpoint());
        restored.expect("the checkpoint of the rewriter itself")
    };
    let rewriting = Rewriting {
        input,
        sizes: feed.sizes,
        seed: how.seed,
        is_edited: how.is_edited,
    };
    if let Some(difference) = difference(make, restored, rewriting) {
        return Err(difference);
    }
    let make = || make(draws::reference(feed.sizes));
    let mut random = Random(how.seed);
    if !random.one_in(4) || !how.is_edited {
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
            *rewriter = restored(rewriter);
        }
    };
    let reference = Feed {
        sizes: draws::reference(feed.sizes),
        ..Feed::whole()
    };
    let whole = rewritten(make(), reference, &events, &edits, input);
    let in_chunks = rewritten_with(make(), feed, &events, &edits, input, restore);
    let show = |result: &Result<_, RewriteError>| format!("{result:?}");
    match show(&whole) == show(&in_chunks) {
        true => Ok(Verdict::Right),
        false => Err(format!(
            "{edits:?}\nwhole    {whole:?}\nrestored {in_chunks:?} after chunk {restored_after}"
        )),
    }
}

/// Draws a document, half of which are of the generator of the test and short. Encodes some documents in another
/// encoding.
fn drawn(random: &mut Random, dialect: Tested, short: fn(&mut Random) -> Parts) -> (How, Parts) {
    let mut parts = match random.one_in(2) {
        true => short(random),
        false => {
            let length = draws::document_length(random);
            draws::document(random, dialect, length)
        }
    };
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
        options: random.below(6),
        is_edited: !random.one_in(6),
        seed: random.number(),
    };
    (how, parts)
}

/// Tests of random edits in random documents of each dialect. Half of the documents of HTML and XML are in other
/// encodings than UTF-8.
pub const TESTS: [RandomTest<How>; 5] = [
    test("html/rewriting, cuts", |random| {
        drawn(random, Tested::Html, generate::html::document)
    }),
    test("xml/rewriting, cuts", |random| {
        drawn(random, Tested::Xml, generate::xml::document)
    }),
    test("microxml/rewriting, cuts", |random| {
        drawn(random, Tested::MicroXml, generate::microxml::document)
    }),
    test("sky/rewriting, cuts", |random| {
        drawn(random, Tested::Sky, generate::sky::document)
    }),
    test("leafxml/rewriting, cuts", |random| {
        drawn(random, Tested::LeafXml, |random| match random.one_in(4) {
            true => generate::leafxml::document(random),
            false => generate::plain::document(random),
        })
    }),
];

const fn test(name: &'static str, draw: fn(&mut Random) -> (How, Parts)) -> RandomTest<How> {
    RandomTest {
        name,
        quick: 600,
        full: 2_000,
        draw,
        check: checked,
        other: [0, 0],
        shrinks: true,
    }
}
