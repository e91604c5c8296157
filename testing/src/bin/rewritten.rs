//! `cargo run --release -p testing --bin rewritten -- FOLDER…` changes elements of all HTML files below folders at
//! random, with the rewriter and in the tree. The program prints for how many files the output is read as the changed
//! tree, and the reasons why files are left out. It fails if there is a difference without a reason.
//!
//! `TAGSTREAM_DOCUMENTS` sets the maximum number of files, `TAGSTREAM_SEED` the seed of the changes.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use tagstream::tree::{NodeId, Place};
use tagstream::{Document, EditError, Html, RewriteError, Rewriter, TreeBuilder};
use testing::effort;
use testing::html_files::below;
use testing::random::Random;

/// Number of pages, unless `TAGSTREAM_DOCUMENTS` sets it.
const PAGES: usize = 2_000;

/// One element in this number is changed.
const ONE_IN: usize = 6;

/// Size of the chunks of a page, in bytes.
const CHUNK: usize = 4096;

/// Elements whose end is never implied and that may be nearly everywhere: edits may add and remove them.
const PHRASES: &[&str] = &[
    "a", "abbr", "b", "code", "em", "i", "small", "span", "strong", "sup",
];

/// Elements whose text is not moved elsewhere in the tree.
const HOLDERS: &[&str] = &[
    "a", "b", "code", "div", "em", "h1", "h2", "i", "li", "p", "span", "strong", "td",
];

/// A change of an element.
#[derive(Clone, Copy, Debug)]
enum Change {
    SetAttribute,
    RemoveAttribute,
    Remove,
    Unwrap,
    Append,
    SetContent,
}

const NEW: &str = "a \"b\" <c> & d";

fn main() -> ExitCode {
    let folders: Vec<String> = std::env::args().skip(1).collect();
    if folders.is_empty() {
        eprintln!("usage: rewritten FOLDER…");
        return ExitCode::from(2);
    }
    let mut pages: Vec<PathBuf> = folders.iter().flat_map(|folder| below(folder)).collect();
    let most = effort::documents(PAGES, PAGES);
    if pages.len() > most {
        // Pages are taken evenly from all folders.
        let step = pages.len() / most;
        pages = pages.into_iter().step_by(step).take(most).collect();
    }
    let seed = effort::seed(0x7265_7772);
    let (mut counts, mut changes, mut wrong) = (BTreeMap::<&str, usize>::new(), 0, 0);
    for (number, page) in pages.iter().enumerate() {
        let input = match std::fs::read(page) {
            Ok(input) => input,
            Err(error) => {
                wrong += 1;
                eprintln!("{}: {error}", page.display());
                continue;
            }
        };
        let random = Random(Random(seed.wrapping_add(number as u64)).number());
        match compared(&input, random) {
            Ok((outcome, made)) => {
                *counts.entry(outcome).or_default() += 1;
                changes += made;
            }
            Err(problem) => {
                wrong += 1;
                eprintln!("{}: {problem}", page.display());
            }
        }
    }
    println!(
        "{} pages, seed {seed}, {changes} changes, {wrong} wrong",
        pages.len()
    );
    for (outcome, count) in counts {
        println!("{count} {outcome}");
    }
    match wrong {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

/// The result for a page, and the number of its changes.
fn compared(input: &[u8], mut random: Random) -> Result<(&'static str, usize), String> {
    let passed = pass(input, &mut random).map_err(|error| error.to_string())?;
    let made = passed.changes.len();
    let mut builder = TreeBuilder::new(Html::default()).positions(true);
    let fed = builder.feed(input).and_then(|()| builder.finish());
    let mut page = fed.map_err(|error| error.to_string())?;
    if passed.is_moved {
        return Ok(("left out: something is elsewhere in the tree", made));
    }
    if passed.is_refused {
        return Ok(("left out: an edit of an end is refused", made));
    }
    let mut ids = BTreeMap::<(u64, String), Vec<NodeId>>::new();
    for node in page.root().descendants().filter(|node| node.is_element()) {
        if let Some(span) = node.span() {
            let key = (span.start, node.name().to_owned());
            ids.entry(key).or_default().push(node.id());
        }
    }
    for (key, change) in passed.changes {
        let Some(&[id]) = ids.get(&key).map(Vec::as_slice) else {
            return Ok(("left out: a tag is no element, or several", made));
        };
        apply(&mut page, id, change).map_err(|error| format!("{change:?}: {error}"))?;
    }
    let expected = page.to_html();
    let read = |html: &[u8]| Document::parse(Html::default(), html);
    let again = Document::parse(Html::default(), expected.as_str());
    if again.map_err(|error| error.to_string())?.to_html() != expected {
        return Ok((
            "left out: the changed tree, written, is read as another",
            made,
        ));
    }
    let found = read(&passed.out)
        .map_err(|error| error.to_string())?
        .to_html();
    match found == expected {
        true => Ok(("equal", made)),
        false => Err(differs(&found, &expected)),
    }
}

/// The output, and the edits that led to it.
struct Passed {
    out: Vec<u8>,
    /// The edits: the offset and the name of the start tag, and the edit.
    changes: Vec<((u64, String), Change)>,
    is_moved: bool,
    /// True if an edit of the end of an element was refused after its call.
    is_refused: bool,
}

/// Rewrites a page with random edits.
fn pass(input: &[u8], random: &mut Random) -> Result<Passed, RewriteError> {
    let mut rewriter = Rewriter::new(Html::default()).balanced();
    let (mut out, mut changes) = (Vec::new(), Vec::new());
    let (mut is_moved, mut is_refused) = (false, false);
    for chunk in input.chunks(CHUNK).map(Some).chain([None]) {
        match chunk {
            Some(chunk) => rewriter.feed(chunk),
            None => rewriter.finish(),
        }
        loop {
            let mut event = match rewriter.next_event() {
                Ok(Some(event)) => event,
                Ok(None) => break,
                Err(RewriteError::Refused(..)) => {
                    is_refused = true;
                    continue;
                }
                Err(error) => return Err(error),
            };
            is_moved |= event.event().is_moved();
            let Some(tag) = event.as_start().filter(|tag| !tag.is_implied()) else {
                continue;
            };
            if !random.one_in(ONE_IN) {
                continue;
            }
            let name = tag.name();
            let change = match random.below(8) {
                0 if PHRASES.contains(&name) => Change::Remove,
                1 if PHRASES.contains(&name) => Change::Unwrap,
                2 if HOLDERS.contains(&name) => Change::Append,
                3 if HOLDERS.contains(&name) => Change::SetContent,
                4 | 5 => Change::RemoveAttribute,
                _ => Change::SetAttribute,
            };
            let edited = match change {
                Change::SetAttribute => event.set_attribute("data-new", NEW),
                Change::RemoveAttribute => event.remove_attribute("class"),
                Change::Remove => event.remove(),
                Change::Unwrap => event.unwrap_element(),
                Change::Append => event.append(NEW),
                Change::SetContent => event.set_content(NEW),
            };
            if edited.is_ok() {
                changes.push(((tag.span().start, name.to_owned()), change));
            }
        }
        rewriter.output_to(&mut out);
    }
    Ok(Passed {
        out,
        changes,
        is_moved,
        is_refused,
    })
}

/// Makes the same edit in the tree.
fn apply(page: &mut Document, id: NodeId, change: Change) -> Result<(), EditError> {
    match change {
        Change::SetAttribute => page.set_attribute(id, "data-new", NEW),
        Change::RemoveAttribute => {
            page.remove_attribute(id, "class");
            Ok(())
        }
        Change::Remove => {
            page.remove(id);
            Ok(())
        }
        Change::Unwrap => page.unwrap(id),
        Change::Append => {
            let text = page.new_text(NEW)?;
            page.insert(text, Place::LastIn(id))
        }
        Change::SetContent => page.set_text(id, NEW),
    }
}

/// Returns the first difference of two texts.
fn differs(found: &str, expected: &str) -> String {
    let mut pairs = found.bytes().zip(expected.bytes());
    let at = pairs.position(|(one, other)| one != other);
    let at = at
        .unwrap_or(found.len().min(expected.len()))
        .saturating_sub(60);
    let part = |text: &str| text.bytes().skip(at).take(160).collect::<Vec<_>>();
    let shown = |text: &str| String::from_utf8_lossy(&part(text)).into_owned();
    format!("read as\n{:?}\nnot\n{:?}", shown(found), shown(expected))
}
