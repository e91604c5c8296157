//! What was wrong once with random documents, put to the same checks.

use tagstream::Sizes;
use testing::invariants::dialects::{check_html, check_sky, check_xml};
use testing::invariants::entities::check_entities;
use testing::invariants::{Check, Options};
use testing::random_cases::{Feed, sizes};
use testing::rewriting::{How, checked};
use testing::rows::rows;
use testing::run::{Failed, Program};

/// The documents.
const ROWS: &str = include_str!("../data/found.txt");

/// Documents that were changed as they passed, in chunks of so many bytes, and the number of the sizes.
const CHANGED: &[(&str, How, usize, u64, &str)] = &[(
    "xml/found, changed/a DOCTYPE in an end tag that ends nothing",
    (1, 724_878_953_327_023_081),
    1,
    5,
    "<'><![CDATA[c]]></a<!DOCTYPE>",
)];

pub(crate) fn add(program: &mut Program) {
    for &(name, how, chunk, number, document) in CHANGED {
        let feed = Feed {
            chunk,
            sizes: sizes(number),
        };
        program.case(name, move || {
            checked(&how, feed, document.as_bytes()).map(drop)
        });
    }
    for row in rows(ROWS) {
        let check = match &*row.section {
            "xml/found" => check_xml as Check,
            "xml/found with entities" => check_entities,
            "html/found" => check_html,
            "sky/found" => check_sky,
            other => panic!("no section: {other}"),
        };
        program.case(format!("{}/{}", row.section, row.arm), move || {
            all_sizes(check, row.context.parse()?, &row.input)
        });
    }
    // A batch that is full at the text before an end tag.
    for events in 120..136 {
        program.case(
            format!("xml/found/a batch full after {events} events"),
            move || {
                let (elements, comment) = ("<b/>".repeat(events / 2), "<!---->".repeat(events % 2));
                all_sizes(
                    check_xml,
                    0,
                    format!("<a>{elements}{comment}x</a>").as_bytes(),
                )
            },
        );
    }
}

fn all_sizes(check: Check, bits: u8, document: &[u8]) -> Result<(), Failed> {
    for sizes in [Sizes::USUAL, Sizes::all(1), Sizes::all(16), Sizes::all(64)] {
        check(Options::new(bits, sizes), document)?;
    }
    Ok(())
}
