//! Selectors on streams, and in a set, must select the same elements as on the tree of the same events.

use crate::draws;
use crate::generate::select::{elements, page, selector};
use crate::generate::{self, Parts};
use crate::random::Random;
use crate::random_cases::{Feed, RandomTest, Verdict};
use crate::rewriting::tree::Tested;
use tagstream::select::{Selector, SelectorErrorKind, SelectorId, SelectorSet};
use tagstream::{Balance, Buildable, Document, Event, Events, Html, TreeSink, Xml};

/// Number of selectors for each document.
const SELECTORS: usize = 12;

/// Compares selectors on HTML.
pub const HTML: RandomTest<u64> = RandomTest {
    name: "html/select on streams",
    quick: 300,
    full: 3_000,
    draw: |random| {
        if random.one_in(8) {
            return (
                random.number(),
                draws::document(random, Tested::Html, 8_000),
            );
        }
        let page = page(random).into_bytes();
        (
            random.number(),
            page.chunks(16).map(<[u8]>::to_vec).collect(),
        )
    },
    check: |seed, feed, input| check(Html::default(), *seed, feed, input),
    other: [0, 200],
    shrinks: true,
};

/// Compares selectors on XML.
pub const XML: RandomTest<u64> = RandomTest {
    name: "xml/select on streams",
    quick: 300,
    full: 3_000,
    draw: |random| (random.number(), xml(random)),
    check: |seed, feed, input| check(Xml::default(), *seed, feed, input),
    other: [0, 600],
    shrinks: true,
};

/// Draws a document. Half of the documents are random pages, and some of the others are long.
fn xml(random: &mut Random) -> Parts {
    match random.below(8) {
        0..4 => vec![page(random).into_bytes()],
        4 => draws::document(random, Tested::Xml, 8_000),
        _ => generate::xml::document(random),
    }
}

/// Compares random selectors on the stream and on its tree. The verdict is `Other` for documents that do not have
/// exactly one root element, and for those in which an event adds attributes to an earlier element.
fn check<D: Balance + Buildable>(
    dialect: D,
    seed: u64,
    feed: Feed,
    input: &[u8],
) -> Result<Verdict, String> {
    let Some(document) = folded(&dialect, feed, input)? else {
        return Ok(Verdict::Other);
    };
    let all = elements(&document);
    let mut random = Random(seed);
    let mut asked = 0;
    let mut set = SelectorSet::new(dialect.clone());
    let mut in_set: Vec<(SelectorId, Selector, Vec<String>)> = Vec::new();
    while asked < SELECTORS {
        // Many selectors are not supported on streams, so most of those are not counted.
        asked += usize::from(random.one_in(8));
        let drawn = selector(&mut random, &all);
        let selector = Selector::new(&drawn).map_err(|error| format!("{drawn}: {error}"))?;
        let found = document
            .select(&selector)
            .map_err(|error| error.to_string())?;
        let wanted: Vec<String> = found
            .map(|node| {
                let depth = node.ancestors().filter(tagstream::Node::is_element).count();
                let attributes: Vec<_> = node.attributes().map(|one| one.value()).collect();
                format!("{} {} {attributes:?}", depth + 1, node.name())
            })
            .collect();
        let mut events = events(&dialect, feed, input);
        let mut matches = match events.select(&selector) {
            Ok(matches) => matches,
            Err(error) if error.kind() == SelectorErrorKind::NotOnStreams => continue,
            Err(error) => return Err(format!("{drawn}: {error}")),
        };
        let mut streamed = Vec::new();
        while let Some(one) = matches.next_match().map_err(|error| error.to_string())? {
            let tag = one.tag();
            let attributes: Vec<_> = tag.attributes().map(|one| one.value()).collect();
            let depth = tag.depth().unwrap_or_default();
            streamed.push(format!("{depth} {} {attributes:?}", tag.name()));
        }
        if streamed != wanted {
            return Err(format!(
                "{drawn}\n  tree:   {wanted:?}\n  stream: {streamed:?}"
            ));
        }
        let id = set
            .add(&selector)
            .map_err(|error| format!("{drawn}: {error}"))?;
        in_set.push((id, selector, wanted));
        asked += 1;
    }
    let mut found = vec![Vec::new(); in_set.len()];
    let mut events = events(&dialect, feed, input);
    while let Some(event) = events.next_event().map_err(|error| error.to_string())? {
        if random.one_in(8) {
            let restored = SelectorSet::restore(dialect.clone(), &set.checkpoint());
            set = restored.map_err(|error| error.to_string())?;
        }
        match event {
            Event::Start(tag) => {
                let any = set.enter(&tag);
                let selected = in_set.iter().filter(|(id, ..)| set.is_selected(*id));
                if any != selected.clone().next().is_some() || any != set.any_selected() {
                    return Err(format!("{tag:?}: a selector matches: {any}"));
                }
                let attributes: Vec<_> = tag.attributes().map(|one| one.value()).collect();
                let depth = tag.depth().unwrap_or_default();
                let element = format!("{depth} {} {attributes:?}", tag.name());
                selected.for_each(|(id, ..)| found[id.index()].push(element.clone()));
            }
            Event::End(_) => set.leave(),
            Event::Doctype(doctype) => set.doctype(&doctype),
            _ => {}
        }
    }
    for ((_, selector, wanted), found) in in_set.iter().zip(found) {
        if found != *wanted {
            return Err(format!(
                "{selector}\n  tree:   {wanted:?}\n  in a set: {found:?}"
            ));
        }
    }
    Ok(Verdict::Right)
}

type Chunks<'i> = std::vec::IntoIter<&'i [u8]>;

fn events<'i, D: Balance>(
    dialect: &D,
    feed: Feed,
    input: &'i [u8],
) -> Events<D, tagstream::ChunkSource<Chunks<'i>>, tagstream::Nested> {
    let chunks: Vec<&[u8]> = feed.chunks(input).collect();
    let events = Events::chunks(dialect.clone(), chunks)
        .as_written()
        .balanced();
    events.configure(|parser| parser.inspect_sizes(feed.sizes))
}

/// Returns the tree of the events, if they have exactly one root element and no event adds attributes to an earlier
/// element.
fn folded<D: Balance + Buildable>(
    dialect: &D,
    feed: Feed,
    input: &[u8],
) -> Result<Option<Document>, String> {
    let told = |error: tagstream::Error| error.to_string();
    let (mut roots, mut added) = (0, false);
    let mut counted = events(dialect, feed, input);
    while let Some(event) = counted.next_event().map_err(told)? {
        match event {
            Event::Start(tag) => roots += usize::from(tag.depth() == Some(1)),
            Event::Attributes(_) => added = true,
            _ => {}
        }
    }
    if roots != 1 || added {
        return Ok(None);
    }
    let mut events = events(dialect, feed, input);
    while let Some(event) = events.next_event().map_err(told)? {
        if matches!(event, Event::Start(_)) {
            break;
        }
    }
    let mut document = events.subtree().map_err(told)?;
    let built = Document::parse(dialect.clone(), input).map_err(told)?;
    document.set_quirks_mode(built.quirks_mode());
    Ok(Some(document))
}
