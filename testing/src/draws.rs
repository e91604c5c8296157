//! Random sizes of the engine, limits, chunks and documents.
//!
//! Each size and each limit is drawn independently of the others. A fault may need a large batch in a small window, or
//! one small limit beside the usual ones. Sizes that are all small together never reach it.

use crate::generate::{self, Parts, fluent};
use crate::random::Random;
use crate::rewriting::tree::Tested;
use tagstream::{Limits, Sizes};

/// Values of sizes near borders: of the blocks of masks, of the usual windows and of the usual batches.
const NEAR_BORDERS: [usize; 16] = [
    1, 2, 3, 8, 63, 64, 65, 100, 127, 128, 129, 300, 1000, 1023, 1024, 4096,
];

/// Draws the sizes of the engine: the usual ones for a quarter of the documents. In the others, each size is the usual
/// one with a probability of one half.
#[must_use]
pub fn sizes(random: &mut Random) -> Sizes {
    let mut sizes = Sizes::USUAL;
    if random.one_in(4) {
        return sizes;
    }
    for size in [
        &mut sizes.window,
        &mut sizes.cautious,
        &mut sizes.in_place,
        &mut sizes.part,
        &mut sizes.lines,
        &mut sizes.expansion,
        &mut sizes.raw,
        &mut sizes.batch,
        &mut sizes.plain,
        &mut sizes.brief,
        &mut sizes.kept_anchors,
        &mut sizes.linear_edits,
        &mut sizes.wasted,
    ] {
        if random.one_in(2) {
            *size = match random.below(3) {
                0 => 1 + random.below(40),
                _ => NEAR_BORDERS[random.below(NEAR_BORDERS.len())],
            };
        }
    }
    match random.below(8) {
        0 => (sizes.plain, sizes.brief) = (usize::MAX, usize::MAX),
        1 => sizes.plain = usize::MAX,
        2 => sizes.plain = 1,
        3 => sizes.brief = usize::MAX,
        _ => {}
    }
    if random.one_in(4) {
        sizes.tracked_elements = 1 + random.below(6);
    }
    sizes
}

/// Returns the usual sizes, with the one of `sizes` that changes a result. Results for `sizes` are compared with these.
///
/// Elements at a greater depth than `tracked_elements` are not tracked, so that this size changes where an element is
/// foreign.
#[must_use]
pub fn reference(sizes: Sizes) -> Sizes {
    Sizes {
        tracked_elements: sizes.tracked_elements,
        ..Sizes::USUAL
    }
}

/// Draws limits: the usual ones for two thirds of the documents, else one or two limits that a document may meet.
#[must_use]
pub fn limits(random: &mut Random) -> Limits {
    match random.one_in(3) {
        true => small_limits(random),
        false => Limits::default(),
    }
}

/// Draws limits of which one or two are small enough to be met.
#[must_use]
pub fn small_limits(random: &mut Random) -> Limits {
    let mut limits = Limits::default();
    for _ in 0..=usize::from(random.one_in(4)) {
        let scale = [8, 40, 300][random.below(3)];
        let number = 1 + random.below(scale);
        limits = match random.below(12) {
            0 | 1 => limits.depth(number),
            2 => limits.name(number),
            3 => limits.attributes(1 + random.below(5)),
            4 | 5 => limits.token(4 * number),
            6 => limits.declarations(number.min(6)),
            7 => limits.entity_depth(number.min(4)),
            8 => limits.entity_ratio(1).entity_allowance(20 * number),
            9 => limits.memory(1000 + random.below(200 * scale)),
            10 => match random.one_in(2) {
                true => limits.tree_nodes(number),
                false => limits.tree_attributes(number),
            },
            _ => limits
                .tree_ratio(random.below(4))
                .tree_allowance(40 * number),
        };
    }
    limits
}

/// Draws the length of the chunks of an input, which all have the same length.
#[must_use]
pub fn chunk_length(random: &mut Random) -> usize {
    match random.below(4) {
        0 => usize::MAX,
        1 => 1 + random.below(40),
        2 => NEAR_BORDERS[random.below(NEAR_BORDERS.len())],
        _ => 1 + random.below(8192),
    }
}

/// Divides an input into chunks of random lengths.
pub fn chunks<'i>(random: &mut Random, input: &'i [u8]) -> Vec<&'i [u8]> {
    let kind = random.below(4);
    let fixed = chunk_length(random);
    let (mut rest, mut chunks) = (input, Vec::new());
    while !rest.is_empty() {
        let length = match kind {
            0 => fixed,
            1 => 1 + random.below(40),
            2 => 1 + random.below(5000),
            _ => [0, 1, 3, 64, 1000, 4096, 6000][random.below(7)],
        };
        let (chunk, others) = rest.split_at(length.min(rest.len()));
        chunks.push(chunk);
        rest = others;
    }
    chunks
}

/// Draws a document of a dialect with about `most` bytes at most. Half of the documents consist of content that the fast
/// paths read alone. The others have exceptions, or are many small documents of the dialect's generators, which the fast
/// paths leave at every turn.
#[must_use]
pub fn document(random: &mut Random, dialect: Tested, most: usize) -> Parts {
    if !random.one_in(3) {
        return fluent::document(random, dialect, most);
    }
    let length = random.below(most);
    let (mut parts, mut so_far) = (Parts::new(), 0);
    loop {
        let drawn = match dialect {
            Tested::Html => match random.below(3) {
                0 => generate::html::beginning(random),
                _ => generate::html::document(random),
            },
            Tested::Xml => match random.below(4) {
                0 => generate::well_formed::document(random, true),
                1 => generate::prefixes::document(random),
                _ => generate::xml::document(random),
            },
            Tested::MicroXml => generate::microxml::document(random),
            Tested::Sky => generate::sky::document(random),
            Tested::LeafXml => generate::leafxml::document(random),
        };
        so_far += drawn.iter().map(Vec::len).sum::<usize>();
        parts.extend(drawn);
        if so_far >= length {
            return parts;
        }
    }
}

/// Draws a document by `draw`, or, one time in 32, a long document of the dialect.
pub fn some_long(
    random: &mut Random,
    dialect: Tested,
    draw: impl Fn(&mut Random) -> Parts,
) -> Parts {
    match random.one_in(32) {
        true => document(random, dialect, 12_000),
        false => draw(random),
    }
}

/// Draws the maximum length of a document: one in eight may have 60 kB, the others have less than a batch or two.
#[must_use]
pub fn document_length(random: &mut Random) -> usize {
    match random.below(8) {
        0 => 60_000,
        1 => 8_000,
        2 | 3 => 1_200,
        _ => 120,
    }
}
