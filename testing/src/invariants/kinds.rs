//! The checks of any input, of random documents: how each dialect's are drawn, and with which options.

use super::dialects::{check_html, check_leafxml, check_microxml, check_sky, check_xml};
use super::entities::check_entities;
use super::html_tree::check_html_tree;
use super::{Check, Options};
use crate::drawn::{Feed, Kind, Verdict};
use crate::generate::{self, Parts};
use crate::random::Random;

/// The bits of options.
type Bits = u8;

/// Those of all dialects.
pub const KINDS: [Kind<Bits>; 7] = [
    Kind {
        draw: |random| (few(random), generate::xml::encoded(random)),
        check: |bits, feed, input| checked(check_xml, *bits, feed, input),
        ..kind("xml/invariants", 1_000, 10_000)
    },
    Kind {
        draw: |random| (few(random), generate::xml::with_entities(random)),
        check: |bits, feed, input| checked(check_entities, *bits, feed, input),
        ..kind("xml/entities", 1_000, 5_000)
    },
    Kind {
        draw: |random| (seldom_any(random), generate::html::document(random)),
        check: |bits, feed, input| checked(check_html, *bits, feed, input),
        ..kind("html/invariants", 1_000, 10_000)
    },
    Kind {
        draw: |random| (mostly_none(random), generate::html::document(random)),
        check: |bits, feed, input| checked(check_html_tree, *bits, feed, input),
        ..kind("html/tree invariants", 1_000, 10_000)
    },
    Kind {
        draw: |random| (one_of_each(random), generate::microxml::document(random)),
        check: |bits, feed, input| checked(check_microxml, *bits, feed, input),
        ..kind("microxml/invariants", 500, 5_000)
    },
    Kind {
        draw: |random| (one_of_each(random), generate::sky::document(random)),
        check: |bits, feed, input| checked(check_sky, *bits, feed, input),
        ..kind("sky/invariants", 500, 5_000)
    },
    Kind {
        draw: |random| (one_of_each(random), generate::leafxml::document(random)),
        check: |bits, feed, input| checked(check_leafxml, *bits, feed, input),
        ..kind("leafxml/invariants", 500, 5_000)
    },
];

const fn kind(name: &'static str, quick: usize, full: usize) -> Kind<Bits> {
    Kind {
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
    check(Options::new(bits, feed.sizes), input)?;
    Ok(Verdict::Right)
}

/// Mostly none, so that documents without an error are among them.
fn few(random: &mut Random) -> Bits {
    match random.below(8) {
        0..4 => 0,
        4 => 1,
        5 => 2,
        6 => random.below(4) as u8,
        _ => random.below(8) as u8,
    }
}

fn seldom_any(random: &mut Random) -> Bits {
    match random.below(4) {
        0 => random.below(256) as u8,
        1 => 2,
        _ => 0,
    }
}

/// Half of them are documents as they come.
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
        1 => 2,
        2 => 1,
        _ => 0,
    }
}
