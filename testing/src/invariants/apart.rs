//! Checks that a document gives the same result for all sizes of the engine, limits, chunks and interruptions, which are
//! drawn independently of each other, in each form: events as written, balanced and in order, in pieces and owned,
//! trees, and rewritten documents without edits. Documents have up to 60 kB, and so many batches and windows.
//!
//! The result is compared with that of the same document byte by byte in the usual sizes.

use super::checkpoints::Restored;
use super::recording::{Feeding, Seen, pull, same};
use crate::draws;
use crate::generate::large;
use crate::pull::{Pull, built, drain, end, write_event};
use crate::random::Random;
use crate::random_cases::{Drawn, Feed, RandomTest, Verdict};
use crate::rewriting::is_same;
use crate::rewriting::tree::Tested;
use crate::tree_text;
use bytes::Bytes;
use tagstream::{
    Balance, Buildable, Dialect, Document, Encoding, Error, Html, LeafXml, MicroXml, Parser, Sizes,
    Sky, TextPolicy, TreeBuilder, Xml, microxml,
};

/// The way in which a document is read.
#[derive(Clone, Copy, Debug)]
pub struct How {
    dialect: Tested,
    form: Form,
    /// True if parse errors are reported.
    errors: bool,
    /// The options of the dialect.
    options: usize,
    /// The seed of the chunks and the interruptions.
    seed: u64,
}

/// The forms in which a document is read.
#[derive(Clone, Copy, Debug)]
enum Form {
    AsWritten,
    Balanced,
    InOrder,
    Pieces,
    BalancedPieces,
    Tree,
    Rewritten,
}

/// The tests of all dialects, of short documents and of long ones.
pub const TESTS: [RandomTest<How>; 10] = [
    short("html/sizes apart", |random| drawn(random, Tested::Html, 0)),
    short("xml/sizes apart", |random| drawn(random, Tested::Xml, 0)),
    short("microxml/sizes apart", |random| {
        drawn(random, Tested::MicroXml, 0)
    }),
    short("sky/sizes apart", |random| drawn(random, Tested::Sky, 0)),
    short("leafxml/sizes apart", |random| {
        drawn(random, Tested::LeafXml, 0)
    }),
    long("html/long documents", |random| {
        drawn(random, Tested::Html, LONGEST)
    }),
    long("xml/long documents", |random| {
        drawn(random, Tested::Xml, LONGEST)
    }),
    long("microxml/long documents", |random| {
        drawn(random, Tested::MicroXml, LONGEST)
    }),
    long("sky/long documents", |random| {
        drawn(random, Tested::Sky, LONGEST)
    }),
    long("leafxml/long documents", |random| {
        drawn(random, Tested::LeafXml, LONGEST)
    }),
];

/// Maximum length of most long documents, in bytes. One in 32 has up to 200 KB.
const LONGEST: usize = 60_000;

const fn short(name: &'static str, draw: fn(&mut Random) -> Drawn<How>) -> RandomTest<How> {
    RandomTest {
        name,
        quick: 2_000,
        full: 20_000,
        draw,
        check,
        other: [0, 1000],
        shrinks: true,
    }
}

const fn long(name: &'static str, draw: fn(&mut Random) -> Drawn<How>) -> RandomTest<How> {
    RandomTest {
        quick: 100,
        full: 400,
        ..short(name, draw)
    }
}

/// Draws a document: a short one, or one of up to `longest` bytes.
fn drawn(random: &mut Random, dialect: Tested, longest: usize) -> Drawn<How> {
    use Form::*;
    const FORMS: [Form; 7] = [
        AsWritten,
        Balanced,
        InOrder,
        Pieces,
        BalancedPieces,
        Tree,
        Rewritten,
    ];
    let how = How {
        dialect,
        form: FORMS[random.below(FORMS.len())],
        errors: random.one_in(2),
        options: random.below(6),
        seed: random.number(),
    };
    let is_largest = longest > 0 && random.one_in(32);
    let parts = match longest {
        0 => draws::document(random, dialect, [40, 120, 600][how.options % 3]),
        _ if is_largest => large(random, |random| draws::document(random, dialect, 200)),
        _ => draws::document(random, dialect, longest),
    };
    (how, parts)
}

fn check(how: &How, feed: Feed, input: &[u8]) -> Result<Verdict, String> {
    match (how.dialect, how.options) {
        (Tested::Html, 0) => of(&Html::default(), how, feed, input),
        (Tested::Html, _) => {
            let html = Html::default().encoding(Encoding::UTF_8);
            of(
                &html.scripting(how.options.is_multiple_of(2)),
                how,
                feed,
                input,
            )
        }
        (Tested::Xml, 0..2) => of(&Xml::strict(), how, feed, input),
        (Tested::Xml, 2..4) => of(&Xml::default(), how, feed, input),
        (Tested::Xml, 4) => of(&Xml::default().namespaces(false), how, feed, input),
        (Tested::Xml, _) => of(&Xml::strict().fragment(), how, feed, input),
        (Tested::MicroXml, 0) => of(&MicroXml::strict(), how, feed, input),
        (Tested::MicroXml, 1..3) => of(&MicroXml::default(), how, feed, input),
        (Tested::MicroXml, _) => {
            let revision = microxml::Revision::Final;
            of(&MicroXml::default().revision(revision), how, feed, input)
        }
        (Tested::Sky, _) => of(&Sky::fragment(), how, feed, input),
        (Tested::LeafXml, options) => {
            let dialect = LeafXml::default().comments(options.is_multiple_of(2));
            of(
                &dialect.doctype(options.is_multiple_of(3)),
                how,
                feed,
                input,
            )
        }
    }
}

fn of<D: Balance + Buildable>(
    dialect: &D,
    how: &How,
    feed: Feed,
    input: &[u8],
) -> Result<Verdict, String> {
    let random = &mut Random(how.seed);
    let (limits, errors) = (feed.limits, how.errors);
    let parser = |sizes| {
        let parser = Parser::new(dialect.clone()).limits(limits);
        parser.report_errors(errors).inspect_sizes(sizes)
    };
    let balanced = |sizes| {
        let parser = Parser::new(dialect.clone()).balanced().limits(limits);
        parser.report_errors(errors).inspect_sizes(sizes)
    };
    let in_order = |sizes| {
        let parser = Parser::new(dialect.clone()).balanced_in_order();
        parser.limits(limits).inspect_sizes(sizes)
    };
    match how.form {
        Form::AsWritten => events(dialect, parser, feed.sizes, random, input),
        Form::Balanced => events(dialect, balanced, feed.sizes, random, input),
        Form::InOrder => plain_events(in_order, feed.sizes, random, input),
        Form::Pieces => {
            let parser = |sizes| parser(sizes).text(TextPolicy::Pieces);
            pieces(how, parser, feed.sizes, random, input)
        }
        Form::BalancedPieces => {
            let parser = |sizes| balanced(sizes).text(TextPolicy::Pieces);
            pieces(how, parser, feed.sizes, random, input)
        }
        Form::Tree => {
            let builder = |sizes| {
                let builder = TreeBuilder::new(dialect.clone()).limits(limits);
                builder.report_errors(errors).inspect_sizes(sizes)
            };
            let reference = builder(draws::reference(feed.sizes));
            let expected = tree(built(reference, input.chunks(1)));
            let chunks = draws::chunks(random, input);
            differ(&expected, &tree(built(builder(feed.sizes), chunks)))
        }
        Form::Rewritten => {
            let chunks = draws::chunks(random, input);
            is_same(dialect, feed.sizes, input, chunks.into_iter())
        }
    }?;
    Ok(Verdict::Right)
}

/// Compares the events of a parser that is saved and restored, cloned and reset at random.
fn events<D: Dialect, P: Pull + Restored<D>>(
    dialect: &D,
    parser: impl Fn(Sizes) -> P,
    sizes: Sizes,
    random: &mut Random,
    input: &[u8],
) -> Result<(), String> {
    let expected = byte_by_byte(parser(draws::reference(sizes)), input);
    let restore = |parser: &P| {
        let restored = parser.restored(dialect.clone());
        restored.expect("the checkpoint of the parser itself")
    };
    differ(&expected, &read(parser(sizes), restore, random, input))
}

/// Compares the events of a parser that has no checkpoints.
fn plain_events<P: Pull>(
    parser: impl Fn(Sizes) -> P,
    sizes: Sizes,
    random: &mut Random,
    input: &[u8],
) -> Result<(), String> {
    let expected = byte_by_byte(parser(draws::reference(sizes)), input);
    differ(&expected, &read(parser(sizes), P::clone, random, input))
}

/// Compares the joined pieces of text and the other events. A piece may be returned before a limit is met, so that text
/// at the end is left out if there is an error.
fn pieces<P: Pull>(
    how: &How,
    parser: impl Fn(Sizes) -> P,
    sizes: Sizes,
    random: &mut Random,
    input: &[u8],
) -> Result<(), String> {
    // Discarded constructs of LeafXML are reported before the run of text that contains them.
    let comparable = |seen: &Seen| {
        let mut joined = match how.dialect {
            Tested::LeafXml => seen.without_errors().without_others().joined(),
            _ => seen.without_errors().joined(),
        };
        if seen.failure.is_some() && joined.events.last().is_some_and(|last| last.is_text()) {
            joined.events.pop();
        }
        joined
    };
    let ends = ends(draws::chunks(random, input));
    let expected = pull(parser(draws::reference(sizes)), input, &Feeding::Bytes)?;
    let found = pull(parser(sizes), input, &Feeding::Cuts(&ends))?;
    same("pieces", &comparable(&expected), &comparable(&found))?;
    if matches!(how.form, Form::BalancedPieces) {
        return Ok(());
    }
    same("beside text", &expected.beside_text(), &found.beside_text())
}

/// Returns the offsets at which chunks end, except for the last one.
fn ends(chunks: Vec<&[u8]>) -> Vec<usize> {
    let lengths = chunks.iter().map(|chunk| chunk.len());
    let mut ends: Vec<usize> = lengths
        .scan(0, |end, length| {
            *end += length;
            Some(*end)
        })
        .collect();
    ends.pop();
    ends
}

fn byte_by_byte(mut parser: impl Pull, input: &[u8]) -> String {
    let mut out = String::new();
    for byte in input.chunks(1) {
        parser.feed(byte);
        drain(&mut parser, &mut out);
    }
    end(parser, &mut out);
    out
}

/// Reads an input in random chunks of random types, lazily or at once, as borrowed or as owned events. Some parsers are
/// reset before, and some are replaced by a copy or by one that is restored from a checkpoint.
fn read<P: Pull>(
    mut parser: P,
    restore: impl Fn(&P) -> P,
    random: &mut Random,
    input: &[u8],
) -> String {
    let mut out = String::new();
    if random.one_in(6) {
        feed(
            &mut parser,
            random,
            &input[..random.clone().below(input.len() + 1)],
        );
        for _ in 0..random.below(300) {
            if !matches!(parser.pull(), Ok(Some(_))) {
                break;
            }
        }
        assert!(parser.reset());
    }
    let (replaced, lazy, owned) = (random.one_in(4), random.one_in(3), random.one_in(6));
    for chunk in draws::chunks(random, input) {
        feed(&mut parser, random, chunk);
        if replaced && random.one_in(8) {
            parser = restore(&parser);
        }
        if replaced && random.one_in(8) {
            parser = parser.clone();
        }
        if lazy && random.one_in(2) {
            for _ in 0..random.below(200) {
                match parser.pull() {
                    Ok(Some(event)) => write_event(&mut out, &event),
                    _ => break,
                }
                if replaced && random.one_in(50) {
                    parser = restore(&parser);
                }
            }
        } else if owned {
            while let Some(Ok(event)) = parser.pull_owned() {
                write_event(&mut out, &event.event());
            }
        } else {
            drain(&mut parser, &mut out);
        }
    }
    end(parser, &mut out);
    out
}

fn feed(parser: &mut impl Pull, random: &mut Random, chunk: &[u8]) {
    match random.below(3) {
        0 => parser.feed(chunk),
        1 => parser.feed(Bytes::copy_from_slice(chunk)),
        _ => parser.feed(chunk.to_vec()),
    }
}

fn tree(result: Result<Document, Error>) -> String {
    match result {
        Ok(document) => tree_text::of_xml(&document),
        Err(error) => format!("{} {} {}", error.as_str(), error.span(), error.position()),
    }
}

/// Returns the first line in which two results differ, as an error.
fn differ(expected: &str, found: &str) -> Result<(), String> {
    if expected == found {
        return Ok(());
    }
    let mut lines = expected.lines().zip(found.lines()).enumerate();
    let shown =
        |text: Option<&str>| -> String { text.unwrap_or("nothing").chars().take(300).collect() };
    let at = lines.find(|(_, (one, two))| one != two).map(|(at, _)| at);
    let at = at.unwrap_or_else(|| expected.lines().count().min(found.lines().count()));
    Err(format!(
        "line {at}: expected\n    {}\nbut found\n    {}",
        shown(expected.lines().nth(at)),
        shown(found.lines().nth(at))
    ))
}
