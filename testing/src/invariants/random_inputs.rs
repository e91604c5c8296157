//! The checks of random documents: the generators and the options of each dialect.

use super::call_order::check_orders;
use super::dialects::{
    ENCODINGS, OF_HTML, check_encoded_html, check_encoded_xml, check_html, check_leafxml,
    check_microxml, check_sky, check_xml,
};
use super::entities::check_entities;
use super::html_tree::check_html_tree;
use super::{Check, Options};
use crate::draws;
use crate::generate::{self, Parts};
use crate::random::Random;
use crate::random_cases::{Feed, RandomTest, Verdict};
use crate::rewriting::tree::Tested;

/// The bits of the options.
type Bits = u8;

/// The tests of all dialects.
pub const TESTS: [RandomTest<Bits>; 11] = [
    RandomTest {
        draw: |random| {
            let fragment = Bits::from(random.one_in(4)) << 3;
            let document = draws::some_long(random, Tested::Xml, generate::xml::encoded);
            (few(random) | fragment, document)
        },
        check: |bits, feed, input| checked(check_xml, *bits, feed, input),
        ..kind("xml/invariants", 1_000, 10_000)
    },
    RandomTest {
        draw: |random| (few(random), generate::xml::with_entities(random)),
        check: |bits, feed, input| checked(check_entities, *bits, feed, input),
        ..kind("xml/entities", 1_000, 5_000)
    },
    RandomTest {
        draw: |random| (few(random), generate::xml::with_entities(random)),
        check: |bits, feed, input| {
            // A limit of exactly the length of the document up to the end of a tag or of a DOCTYPE.
            let ends = input.iter().enumerate().filter(|(_, byte)| **byte == b'>');
            let end = ends.map(|(at, _)| at + 1).nth(usize::from(*bits) % 3);
            let token = end.unwrap_or(input.len());
            let limits = feed.limits.token(token);
            checked(check_entities, *bits, Feed { limits, ..feed }, input)
        },
        ..kind("xml/entities at limits", 1_000, 5_000)
    },
    RandomTest {
        draw: |random| {
            let document = draws::some_long(random, Tested::Html, generate::html::document);
            (seldom_any(random), document)
        },
        check: |bits, feed, input| checked(check_html, *bits, feed, input),
        ..kind("html/invariants", 1_000, 10_000)
    },
    RandomTest {
        draw: |random| encoded(random, OF_HTML, generate::html::document),
        check: |bits, feed, input| checked(check_encoded_html, *bits, feed, input),
        ..kind("html/encodings", 500, 5_000)
    },
    RandomTest {
        draw: |random| encoded(random, ENCODINGS.len(), generate::xml::document),
        check: |bits, feed, input| checked(check_encoded_xml, *bits, feed, input),
        ..kind("xml/encodings", 500, 5_000)
    },
    RandomTest {
        draw: |random| {
            let document = draws::some_long(random, Tested::Html, generate::html::document);
            (mostly_none(random), document)
        },
        check: |bits, feed, input| checked(check_html_tree, *bits, feed, input),
        ..kind("html/tree invariants", 1_000, 10_000)
    },
    RandomTest {
        draw: |random| {
            let document = draws::some_long(random, Tested::MicroXml, generate::microxml::document);
            (one_of_each(random), document)
        },
        check: |bits, feed, input| checked(check_microxml, *bits, feed, input),
        ..kind("microxml/invariants", 500, 5_000)
    },
    RandomTest {
        draw: |random| {
            let document = draws::some_long(random, Tested::Sky, generate::sky::document);
            (one_of_each(random), document)
        },
        check: |bits, feed, input| checked(check_sky, *bits, feed, input),
        ..kind("sky/invariants", 500, 5_000)
    },
    RandomTest {
        draw: |random| {
            let document = draws::some_long(random, Tested::LeafXml, generate::leafxml::document);
            (one_of_each(random), document)
        },
        check: |bits, feed, input| checked(check_leafxml, *bits, feed, input),
        ..kind("leafxml/invariants", 500, 5_000)
    },
    RandomTest {
        draw: |random| {
            let bits = random.below(256) as u8;
            let document = match random.below(5) {
                0 => generate::html::document(random),
                1 => generate::xml::with_entities(random),
                2 => generate::microxml::document(random),
                3 => generate::sky::document(random),
                _ => generate::leafxml::document(random),
            };
            (bits, document)
        },
        check: |bits, feed, input| checked(check_orders, *bits, feed, input),
        ..kind("core/orders", 500, 5_000)
    },
];

const fn kind(name: &'static str, quick: usize, full: usize) -> RandomTest<Bits> {
    RandomTest {
        name,
        quick,
        full,
        draw: |_| (0, Parts::new()),
        check: |_, _, _| Ok(Verdict::Right),
        other: [0, 0],
        shrinks: true,
    }
}

fn checked(check: Check, bits: Bits, feed: Feed, input: &[u8]) -> Result<Verdict, String> {
    check(Options::new(bits, feed.sizes).limits(feed.limits), input)?;
    Ok(Verdict::Right)
}

/// Draws a document in an encoding. Some documents contain bytes that are ill-formed in the encoding.
fn encoded(random: &mut Random, of: usize, draw: fn(&mut Random) -> Parts) -> (Bits, Parts) {
    let index = random.below(of);
    let parts = draw(random)
        .into_iter()
        .map(|part| match random.one_in(16) {
            true => generate::encoded::ill_formed(random),
            false => generate::encoded::part(random, &part, ENCODINGS[index]),
        });
    (index as Bits, parts.collect())
}

/// Draws options. Half of the documents have none, so that some documents have no errors.
fn few(random: &mut Random) -> Bits {
    match random.below(8) {
        0..5 => 0,
        5 | 6 => 1,
        _ => random.below(8) as u8,
    }
}

fn seldom_any(random: &mut Random) -> Bits {
    match random.below(4) {
        0 => random.below(256) as u8,
        _ => 0,
    }
}

/// Draws options. Half of the documents have at most the first option.
fn mostly_none(random: &mut Random) -> Bits {
    match random.below(4) {
        0..2 => random.below(2) as u8,
        2 => random.below(8) as u8,
        _ => random.below(256) as u8,
    }
}

fn one_of_each(random: &mut Random) -> Bits {
    match random.below(4) {
        0 => random.below(32) as u8,
        1 => 1,
        _ => 0,
    }
}
