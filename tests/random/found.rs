//! Inputs that the random tests found to be handled incorrectly. They are checked in the same way as random documents.

use tagstream::{Encoding, Event, Html, Limits, Parser, Sizes, TextPolicy, Xml};
use testing::cases::{self, Case};
use testing::cuts::by;
use testing::effort::Effort;
use testing::generate::xml::SEPARATOR;
use testing::invariants::dialects::{check_html, check_sky, check_xml};
use testing::invariants::entities::check_entities;
use testing::invariants::{Check, Options};
use testing::pull::in_chunks;
use testing::random_cases::Feed;
use testing::rewriting::tree::{How, Tested, checked_tree, checked_written};
use testing::run::{Failed, Program};

/// Documents that a rewriter processed incorrectly, with the length of the chunks and the sizes of the engine, in bytes.
const CHANGED: &[(&str, How, usize, usize, &str)] = &[(
    "xml/found, changed/a DOCTYPE in an end tag that ends nothing",
    (Tested::Xml, 724_878_953_327_023_081),
    1,
    64,
    "<'><![CDATA[c]]></a<!DOCTYPE>",
)];

pub(crate) fn add(program: &mut Program) {
    for &(name, how, chunk, size, document) in CHANGED {
        let feed = Feed {
            chunk,
            sizes: Sizes::all(size),
            ..Feed::whole()
        };
        program.case(name, move || {
            checked_tree(&how, feed, document.as_bytes())?;
            checked_written(&how, feed, document.as_bytes()).map(drop)
        });
    }
    let text = include_str!("../data/found.txt");
    let cases = cases::cases("tests/data/found.txt", text);
    cases::add(program, cases, prefix, check);
    // A text with a reference fills the batch: the elements around it are on two lists.
    for elements in 60..66 {
        program.case(
            format!("xml/found/a text with a reference fills the batch after {elements} elements"),
            move || mixed_content(elements),
        );
    }
    // The batch becomes full in a reference, when the first byte of the character after it has been read.
    for events in 1..12 {
        program.case(
            format!("html/found/a batch of {events} full in a reference"),
            move || {
                let sizes = Sizes {
                    batch: events,
                    plain: usize::MAX,
                    ..Sizes::USUAL
                };
                let document = "x\u{fdd0}&notit\u{fdd0}<p>&notn\u{10ffff}&\u{fdd0}&#x;\u{fdd0}";
                for document in [document.to_owned(), document.replace("<p>", "<svg>")] {
                    let whole = text_and_errors(&document, sizes, usize::MAX)?;
                    let bytes = text_and_errors(&document, Sizes::USUAL, 1)?;
                    assert_eq!(whole, bytes, "{document}");
                }
                Ok::<(), Failed>(())
            },
        );
    }
    // A DOCTYPE exactly as long as the limit of tokens, and an error at the end of its external subset.
    for doctype in ["<!DOCTYPE a SYSTEM'2'>", "<!DOCTYPE a SYSTEM'3'[>]>"] {
        let name = format!("xml/found/an error in an external subset fills the batch, {doctype}");
        program.case(name, move || {
            let sizes = Sizes {
                batch: 1,
                ..Sizes::USUAL
            };
            let limits = Limits::default().token(doctype.len());
            let document = [doctype.as_bytes(), b"a", &[SEPARATOR; 3], b"<"].concat();
            check_entities(Options::new(0, sizes).limits(limits), &document)
        });
    }
    for document in ["x", "<!DOCTYPE html>x<b>y</b>z", "<p>x", "x</>y"] {
        let name = format!("html/found/depth and roots in pieces, {document}");
        program.case(name, move || depth_and_root(document));
    }
    // The batch becomes full at the text before an end tag.
    for events in 120..136 {
        program.case(
            format!("xml/found/a batch full after {events} events"),
            move || {
                let (elements, comment) = ("<b/>".repeat(events / 2), "<!---->".repeat(events % 2));
                all_sizes(
                    check_xml,
                    0,
                    Limits::default(),
                    format!("<a>{elements}{comment}x</a>").as_bytes(),
                )
            },
        );
    }
}

/// Reads mixed content after a number of elements, in chunks of each length.
fn mixed_content(elements: usize) -> Result<(), Failed> {
    let before = "<e/>".repeat(elements);
    let document = format!("<r>{before}x<a>&amp;<b>x</b>y</a></r>{}", " ".repeat(1024));
    let expected = by(Parser::new(Xml::strict()), document.as_bytes(), 1);
    for chunk in (2..=2000)
        .step_by(Effort::choose(7, 1))
        .chain([document.len()])
    {
        if by(Parser::new(Xml::strict()), document.as_bytes(), chunk) != expected {
            return Err(format!("chunks of {chunk} give other events").into());
        }
    }
    match expected.contains("Err") {
        true => Err(expected.into()),
        false => Ok(()),
    }
}

/// Compares the depth at each tag, and the places of tags in a fragment, for text that is whole, in pieces and in pieces
/// of a byte, with a parse error at the end.
fn depth_and_root(document: &str) -> Result<(), Failed> {
    let document = format!("{document}\u{ffff}");
    let fragment = Html::fragment("div")?;
    for html in [Html::default(), fragment] {
        let tags = |policy: TextPolicy, chunk: usize| -> Result<Vec<String>, Failed> {
            let parser = Parser::new(html.clone().encoding(Encoding::UTF_8));
            let mut parser = parser.balanced().report_errors(true).text(policy);
            let mut tags = Vec::new();
            for chunk in document.as_bytes().chunks(chunk).map(Some).chain([None]) {
                match chunk {
                    Some(chunk) => parser.feed(chunk),
                    None => parser.finish(),
                }
                while let Some(event) = parser.next_event()? {
                    if matches!(event, Event::Start(_) | Event::End(_)) {
                        let shown = format!("{event:?} {}", event.span());
                        tags.push(format!("{shown} at {}", parser.depth()));
                    }
                }
            }
            Ok(tags)
        };
        let expected = tags(TextPolicy::Whole, usize::MAX)?;
        for (policy, chunk) in [
            (TextPolicy::Whole, 1),
            (TextPolicy::Pieces, usize::MAX),
            (TextPolicy::Pieces, 1),
        ] {
            assert_eq!(
                tags(policy, chunk)?,
                expected,
                "{policy:?}, chunks of {chunk}"
            );
        }
    }
    Ok(())
}

/// Returns the text and the parse errors of balanced HTML in pieces.
fn text_and_errors(
    document: &str,
    sizes: Sizes,
    chunk: usize,
) -> Result<(String, Vec<String>), Failed> {
    let parser = Parser::new(Html::default().encoding(Encoding::UTF_8)).balanced();
    let mut parser = (parser.report_errors(true).text(TextPolicy::Pieces)).inspect_sizes(sizes);
    let (mut text, mut errors) = (String::new(), Vec::new());
    in_chunks(
        &mut parser,
        document.as_bytes(),
        chunk,
        |event| match event {
            Event::Text(piece) => text.push_str(piece.as_str()),
            Event::ParseError(error) => errors.push(format!("{error:?}")),
            _ => {}
        },
    )?;
    Ok((text, errors))
}

fn prefix(case: &Case) -> &'static str {
    match case.option("dialect") {
        Some("xml") => "xml/found",
        Some("html") => "html/found",
        _ => "sky/found",
    }
}

fn check(case: &Case) -> Result<(), Failed> {
    let check = match case.option("dialect") {
        Some("xml") if case.has("external-entities") => check_entities as Check,
        Some("xml") => check_xml,
        Some("html") => check_html,
        _ => check_sky,
    };
    // The bits of the options that the checks read.
    let options = [
        ("no-namespaces", 1),
        ("registered", 1),
        ("latin-1", 4),
        ("fragment", 8),
    ];
    let set = options.into_iter().filter(|(option, _)| case.has(option));
    let bits = set.map(|(_, bit)| bit).sum();
    let limits = match case.has("small-limits") {
        true => Limits::default().depth(4).name(6).attributes(3).token(40),
        false => Limits::default(),
    };
    all_sizes(check, bits, limits, &case.input())
}

fn all_sizes(check: Check, bits: u8, limits: Limits, document: &[u8]) -> Result<(), Failed> {
    for sizes in [Sizes::USUAL, Sizes::all(1), Sizes::all(16), Sizes::all(64)] {
        check(Options::new(bits, sizes).limits(limits), document)?;
    }
    Ok(())
}
