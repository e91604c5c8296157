//! HTML whose scripts write markup. The tree is that of the document with the written markup inserted, and the
//! positions of nodes are those of the bytes that they come from.

use crate::random::Random;
use crate::random_cases::{Drawn, Feed, RandomTest, Verdict};
use crate::scripted::{self, Origin};
use crate::tree_formats::TreeFormats as _;
use std::fmt::Write;
use tagstream::tree::Edge;
use tagstream::{Document, Encoding, Html, Limits, TreeBuilder};

/// The seed of the markup that scripts write, the seed of the clones and restores of the builder, and the encoding of the
/// document.
#[derive(Clone, Copy, Debug)]
pub struct How {
    writes: u64,
    plan: u64,
    is_utf_16: bool,
    positions: bool,
}

/// Compares trees and positions.
pub const TREE: RandomTest<How> = RandomTest {
    name: "html/written",
    quick: 1_000,
    full: 10_000,
    draw,
    check,
    other: [0, 0],
    shrinks: true,
};

fn draw(random: &mut Random) -> Drawn<How> {
    let case = scripted::draw(random);
    let how = How {
        writes: random.number(),
        plan: random.number(),
        is_utf_16: random.one_in(4),
        positions: random.one_in(2),
    };
    let tokens = case.tokens.into_iter().map(String::into_bytes);
    (how, tokens.collect())
}

fn check(how: &How, feed: Feed, input: &[u8]) -> Result<Verdict, String> {
    let told = |error: tagstream::Error| error.to_string();
    let text = String::from_utf8_lossy(input);
    let html = Html::default().scripting(true);
    let html = html.shadow_roots(true).encoding(Encoding::UTF_8);
    let writes = scripted::writes(how.writes);
    let (flat, origins) = scripted::flattened(&html, depth(feed), &text, &writes).map_err(told)?;
    let (bytes, encoding) = match how.is_utf_16 {
        true => (
            text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
            Encoding::UTF_16LE,
        ),
        false => (text.as_bytes().to_vec(), Encoding::UTF_8),
    };
    let found = hosted(how, feed, &html.clone().encoding(encoding), &bytes).map_err(told)?;
    let mut plain = TreeBuilder::new(html)
        .limits(depth(feed))
        .positions(how.positions);
    plain.feed(flat.as_str()).map_err(told)?;
    let plain = plain.finish().map_err(told)?;
    let [expected, found_tree] = [&plain, &found].map(shown);
    if expected != found_tree {
        return Err(format!(
            "tree of {flat:?}:\n{expected}\nfound:\n{found_tree}"
        ));
    }
    if how.positions {
        let expected = places(&plain, |place| from(place, &origins, &text, how.is_utf_16));
        let found = places(&found, |place| place);
        if expected != found {
            return Err(format!(
                "places of what is from {flat:?}:\n{expected}\nfound:\n{found}"
            ));
        }
    }
    Ok(Verdict::Right)
}

/// Returns the limit of depth that was drawn, without other limits: the document with the written markup has other
/// positions, and so other places of errors.
fn depth(feed: Feed) -> Limits {
    Limits::none().depth(feed.limits.depth)
}

/// Returns the tree as text, with the quirks mode of the document.
fn shown(document: &Document) -> String {
    let mode = document.quirks_mode();
    format!("{}{mode:?}\n", document.to_html5lib())
}

/// Builds the tree of a document whose scripts write markup. The builder is sometimes cloned, or saved and restored.
fn hosted(how: &How, feed: Feed, html: &Html, input: &[u8]) -> Result<Document, tagstream::Error> {
    let (mut random, writes) = (Random(how.plan), scripted::writes(how.writes));
    let builder = TreeBuilder::new(html.clone()).limits(depth(feed));
    let builder = builder.positions(how.positions).inspect_sizes(feed.sizes);
    let mut builder = builder.hosted();
    let mut step = |builder: &mut TreeBuilder<Html>| match random.below(24) {
        0 => *builder = builder.clone(),
        1 => {
            let restored = TreeBuilder::restore_hosted(html.clone(), &builder.checkpoint());
            *builder = restored.expect("its own checkpoint");
        }
        _ => {}
    };
    for chunk in feed.chunks(input) {
        builder.feed(chunk)?;
        // In some documents, the scripts run only after all chunks were fed, as with a slow host.
        if !how.plan.is_multiple_of(5) {
            scripted::run(&mut builder, &writes, &mut step)?;
        }
    }
    builder.supply_end();
    builder.build()?;
    scripted::run(&mut builder, &writes, &mut step)?;
    builder.finish()
}

/// The start and end offsets, and the line and column in text form.
type Place = (usize, usize, String);

/// Returns the nodes with their positions. `told` converts a position.
fn places(document: &Document, told: impl Fn(Place) -> Place) -> String {
    let mut out = String::new();
    for edge in document
        .root()
        .edges()
        .through_templates()
        .through_shadow_roots()
    {
        if let Edge::Open(node) = edge {
            let place = node.span().zip(node.position());
            let place = place.map(|(span, position)| {
                let (start, end, position) =
                    told((span.start as usize, span.end as usize, position.to_string()));
                format!("{start}..{end} {position}")
            });
            writeln!(out, "{:?} {} {place:?}", node.kind(), node.name()).expect("a string");
        }
    }
    out
}

/// Converts a position in the document with the inserted markup to a position in the original document.
fn from((start, end, _): Place, origins: &[Origin], text: &str, is_utf_16: bool) -> Place {
    let first = match origins.get(start) {
        Some(origin) => origin.offset,
        None => text.len(),
    };
    let last = match end.checked_sub(1).filter(|_| start < end) {
        Some(last) => origins[last].offset + usize::from(!origins[last].is_written),
        None => first,
    };
    let offset = |at: usize| match is_utf_16 {
        true => 2 * text[..at].encode_utf16().count(),
        false => at,
    };
    (offset(first), offset(last), position(&text[..first]))
}

/// Returns the line and the column after a text.
fn position(text: &str) -> String {
    let lines = text.replace("\r\n", "\n").replace('\r', "\n");
    let last = lines.rsplit('\n').next().unwrap_or_default();
    format!(
        "{}:{}",
        lines.matches('\n').count() + 1,
        last.chars().count() + 1
    )
}
