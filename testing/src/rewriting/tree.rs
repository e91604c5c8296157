//! Random edits of documents, compared with the same edits of trees and of events. The output of a rewriter with balanced
//! events is parsed as the tree of the input with the same edits. The output of a rewriter with tags as written has the
//! events of the input with the same edits.

use crate::draws;
use crate::generate::{self, Parts};
use crate::random::Random;
use crate::random_cases::{Feed, RandomTest, Verdict};
use crate::rewriting::edits::{Edit, Events, Item, Op, Rewritten, draw, joined, rewritten};
use crate::rewriting::model::{Model, drop_ignored_newlines, to_html};
use crate::rewriting::nodes::{Nodes, is_free, is_html, is_sky, normal, shape, tree};
use tagstream::{
    Balance, Buildable, Document, Html, LeafXml, MicroXml, RewriteError, Rewriter, Sizes, Sky, Xml,
};

/// The result for a document whose output is right, or cannot be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The output is as expected, and an edit was made.
    Equal,
    /// No edit was accepted, and the output is the input.
    Unedited,
    /// The input ends in an error.
    Unread,
    /// A node is elsewhere in the tree than in the input.
    Moved,
    /// No HTML document has the expected tree.
    Unwritable,
    /// The input has a tag or text that tree construction ignores, and that it does not ignore after the edits.
    Ignored,
    /// An element could not be unwrapped, renamed or removed completely, and the rewriter returned an error at its end.
    Refused,
}

/// Chooses the edits of a document with these events.
pub type Choose<'c> = &'c dyn Fn(&Events) -> Vec<Edit>;

/// Edits a document with tags as written, and compares the events of the output.
///
/// # Errors
///
/// Returns a description of the difference.
pub fn written<D: Balance>(
    dialect: &D,
    feed: Feed,
    choose: Choose<'_>,
    input: &[u8],
) -> Result<Outcome, String> {
    let mut feed = feed;
    if is_html::<D>() {
        // Edits can change the number of open elements, of which only some are tracked.
        feed.sizes.tracked_elements = Sizes::USUAL.tracked_elements;
    }
    let make = || reference(dialect, feed);
    let Ok(events) = Events::read(make(), false, input) else {
        return Ok(Outcome::Unread);
    };
    let mut edits = choose(&events);
    // Tags as written are read differently in foreign content, which some tags end, and in a template of Sky.
    let is_special = |name: &str| match is_html::<D>() {
        true => ["svg", "math"].contains(&name),
        false => is_sky::<D>() && name == "template",
    };
    let starts = |item: &Item| matches!(item, Item::Start(name, _) if is_special(name));
    let has_foreign = is_html::<D>() && events.items.iter().any(starts);
    edits.retain(|edit| {
        let renames = matches!(edit.op, Op::Rename(_) | Op::Unwrap);
        let is_well = !renames || !starts(&events.items[edit.at]);
        // A run of text continues after a DOCTYPE in an element, whose instructions are events.
        let next = events.items.get(edit.at + 1);
        let is_divided = matches!(
            (&events.items[edit.at], next, &edit.op),
            (Item::Text(_), Some(Item::Other(_)), Op::After(_))
        );
        is_well && !is_divided && !(has_foreign && edit.op.inserts_html())
    });
    let done =
        rewritten(make(), feed, &events, &edits, input).map_err(|error| error.to_string())?;
    let keeps_root = !done
        .made
        .iter()
        .any(|edit| changes_root::<D>(&events, edit))
        && !changes_entities(&events, &done.made);
    let read = match Events::read(make(), false, &done.out) {
        Err(error) if keeps_root => {
            let out = String::from_utf8_lossy(&done.out);
            return Err(format!("{:?}: {out:?} cannot be read: {error}", done.made));
        }
        Err(_) => return Ok(Outcome::Unwritable),
        Ok(read) => read,
    };
    // The rewriter writes a space before bytes that would be a byte order mark at the beginning.
    let has_space = done.out.starts_with(b" ") && !input.starts_with(b" ");
    let trimmed = |mut items: Vec<Item>| {
        if let Some(Item::Text(text)) = items.first_mut()
            && has_space
            && is_html::<D>()
        {
            *text = text.trim_start().to_owned();
        }
        normal::<D>(joined(items))
    };
    let mut found = read.items;
    if is_html::<D>() {
        drop_ignored_newlines(&mut found);
    }
    let found = trimmed(found);
    let model = Model::of_events::<D>(&events);
    let expected = |made: &[Edit]| {
        let expected = trimmed(model.edited(&events, made));
        Ok((keeps_root || expected == found).then_some(expected))
    };
    compared(&events, &done, input, &found, expected)
}

/// Returns a rewriter with the usual sizes, and with those of `feed` that change the events.
fn reference<D: Balance>(dialect: &D, feed: Feed) -> Rewriter<D> {
    Rewriter::new(dialect.clone()).inspect_sizes(draws::reference(feed.sizes))
}

/// Compares what the output was read as with the expected content. `expected` returns the content with some of the
/// edits, or `None` if that cannot be written. An edit that was refused at the end of an element is not made.
fn compared<T: PartialEq + std::fmt::Debug>(
    events: &Events,
    done: &Rewritten,
    input: &[u8],
    found: &T,
    expected: impl Fn(&[Edit]) -> Result<Option<T>, String>,
) -> Result<Outcome, String> {
    if done.made.is_empty() && done.late.is_empty() && done.out != input {
        return Err(format!(
            "without an edit: {:?}",
            String::from_utf8_lossy(&done.out)
        ));
    }
    undocumented(done)?;
    let is_at_end = |edit: &Edit| {
        let is_start = matches!(events.items[edit.at], Item::Start(..));
        is_start && matches!(edit.op, Op::After(_) | Op::Append(_) | Op::Rename(_))
    };
    let is_partial = |edit: &Edit| {
        let of_tag = [
            Op::SetAttribute(String::new()),
            Op::RemoveAttribute(String::new()),
        ];
        let is_of_tag = of_tag.iter().any(|op| op.method() == edit.op.method());
        is_of_tag
            || matches!(
                edit.op,
                Op::Rename(_) | Op::Unwrap | Op::Remove | Op::SetContent(_)
            )
    };
    let mut first = None;
    for without in 0..1_usize << done.made.len() {
        let is_out = |number: usize| without >> number & 1 == 1;
        let made = done.made.iter().enumerate();
        let left_out = made.clone().filter(|(number, _)| is_out(*number));
        // Without an error at the end of an element, all edits were made. An error can also concern the end tag of an
        // element whose start tag was edited.
        let has_partial = done.made.iter().any(is_partial);
        if left_out.clone().any(|(_, edit)| !is_at_end(edit))
            || done.late.is_empty() && without != 0
            || !done.late.is_empty() && without == 0 && !has_partial
        {
            continue;
        }
        let made: Vec<Edit> = made
            .filter(|(number, _)| !is_out(*number))
            .map(|(_, edit)| edit.clone())
            .collect();
        match expected(&made)? {
            None => return Ok(Outcome::Unwritable),
            Some(expected) if expected == *found => {
                return Ok(match made.is_empty() {
                    true => Outcome::Unedited,
                    // An element is renamed or unwrapped, although the rewriter returned an error.
                    false if without == 0 && !done.late.is_empty() => Outcome::Refused,
                    false => Outcome::Equal,
                });
            }
            Some(expected) => first = first.or(Some(expected)),
        }
    }
    if !done.late.is_empty() && done.made.iter().any(is_partial) {
        return Ok(Outcome::Refused);
    }
    let out = String::from_utf8_lossy(&done.out);
    let edits: Vec<_> = done
        .made
        .iter()
        .map(|edit| (&events.items[edit.at], &edit.op))
        .collect();
    Err(format!(
        "edits {edits:?}\nlate {:?}\noutput {out:?}\nfound    {found:?}\nexpected {first:?}",
        done.late
    ))
}

/// Returns an error if the documentation of a method does not have the reason for which an edit was refused.
fn undocumented(done: &Rewritten) -> Result<(), String> {
    let late = done
        .late_reasons
        .iter()
        .map(|reason| ("next_event", *reason));
    for (method, reason) in done.refused.iter().copied().chain(late) {
        let (rewriter, event) = (
            include_str!("../../../src/rewrite/mod.rs"),
            include_str!("../../../src/rewrite/event.rs"),
        );
        let mut documentation = match method {
            "next_event" => vec![documentation(rewriter, "pub fn next_event")],
            _ => vec![
                documentation(event, "pub struct RewriteEvent"),
                documentation(event, &format!("pub fn {method}")),
            ],
        };
        if documentation
            .iter()
            .any(|one| one.contains("The same as for [`before`]"))
        {
            documentation.push(self::documentation(event, "pub fn before"));
        }
        let word = format!("`{reason}`");
        if !documentation.iter().any(|one| one.contains(&word)) {
            return Err(format!("{method} does not document the reason {reason}"));
        }
    }
    Ok(())
}

/// Returns the documentation of an item in the text of a module. The name of another item can begin with the same name.
fn documentation<'t>(module: &'t str, item: &str) -> &'t str {
    let mut found = module.match_indices(item).map(|(at, _)| at);
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let is_whole = |at: &usize| {
        !module
            .as_bytes()
            .get(at + item.len())
            .copied()
            .is_some_and(is_name)
    };
    let end = found.find(is_whole).unwrap_or_default();
    let start = module[..end].rfind("\n\n").unwrap_or_default();
    &module[start..end]
}

/// Edits a document with balanced events, and compares the tree of the output.
///
/// # Errors
///
/// Returns a description of the difference.
pub fn balanced<D: Balance + Buildable>(
    dialect: &D,
    feed: Feed,
    choose: Choose<'_>,
    input: &[u8],
) -> Result<Outcome, String> {
    let outcome = balanced_once(dialect, feed, choose, input);
    if outcome.is_err() && is_html::<D>() {
        let rewriter = reference(dialect, feed);
        let written = Events::read(rewriter.clone(), false, input);
        let events = Events::read(rewriter.balanced(), true, input);
        let (Ok(written), Ok(events)) = (written, events) else {
            return outcome;
        };
        // All that is ignored, or only the start tags that are no longer ignored if the text before them is removed.
        for is_frameset in [false, true] {
            let rest = without_ignored(input, &written, &events, is_frameset);
            let read = Events::read(Rewriter::new(dialect.clone()).balanced(), true, &rest);
            // The edits are the same, because they depend on the items only.
            let is_same = rest != input && read.is_ok_and(|read| read.items == events.items);
            if is_same && balanced_once(dialect, Feed::whole(), choose, &rest).is_ok() {
                return Ok(Outcome::Ignored);
            }
        }
    }
    outcome
}

/// Returns the input without the tags and texts that tree construction ignores, or only without such tags `<frameset>`.
fn without_ignored(input: &[u8], written: &Events, events: &Events, is_frameset: bool) -> Vec<u8> {
    let is_text = |items: &[Item], at: usize| matches!(items[at], Item::Text(_));
    let is_used = |at: usize| {
        let (start, stop) = (written.starts[at], written.stops[at]);
        // A run of text goes on after a tag that is ignored.
        let mut used = (0..events.items.len()).filter(|&used| {
            events.written.contains(&used)
                && (is_text(&written.items, at) || !is_text(&events.items, used))
        });
        used.any(|used| events.starts[used] < stop && start < events.stops[used])
    };
    let mut rest = Vec::new();
    let mut from = 0;
    for at in (0..written.items.len()).filter(|at| written.written.contains(at)) {
        let is_named = matches!(&written.items[at], Item::Start(name, _) if name == "frameset");
        if !is_used(at) && (is_named || !is_frameset) {
            rest.extend_from_slice(&input[from..(written.starts[at] as usize).max(from)]);
            from = (written.stops[at] as usize).max(from);
        }
    }
    rest.extend_from_slice(&input[from..]);
    rest
}

fn balanced_once<D: Balance + Buildable>(
    dialect: &D,
    feed: Feed,
    choose: Choose<'_>,
    input: &[u8],
) -> Result<Outcome, String> {
    let make = || reference(dialect, feed).balanced();
    let Ok(events) = Events::read(make(), true, input) else {
        return Ok(Outcome::Unread);
    };
    if is_html::<D>() && has_late_attributes(input, &events) {
        return Ok(Outcome::Moved);
    }
    let document = tree(dialect, input).map_err(|error| error.to_string())?;
    let is_moved = !events.moved.is_empty();
    let nodes = match is_moved {
        true => Nodes::find_by_offset(&document, &events),
        false => Nodes::find::<D>(&document, &events)?,
    };
    let mut edits = choose(&events);
    if is_moved {
        // Content beside a start tag is moved like the tag, or stays where the tag was.
        let is_beside = |edit: &Edit| {
            let is_content = matches!(edit.op, Op::Before(_) | Op::After(_) | Op::Prepend(_));
            is_content && matches!(events.items[edit.at], Item::Start(..))
        };
        edits.retain(|edit| {
            nodes.has(&events, edit.at) && !(is_beside(edit) && events.has_moved(edit.at))
        });
        if edits.is_empty() {
            return Ok(Outcome::Moved);
        }
    }
    edits.retain(|edit| is_compared::<D>(&events, edit));
    let done =
        rewritten(make(), feed, &events, &edits, input).map_err(|error| error.to_string())?;
    let keeps_root = !done
        .made
        .iter()
        .any(|edit| changes_root::<D>(&events, edit))
        && !changes_entities(&events, &done.made);
    let read = match tree(dialect, &done.out) {
        Err(error) if keeps_root => {
            let out = String::from_utf8_lossy(&done.out);
            return Err(format!("{:?}: {out:?} cannot be read: {error}", done.made));
        }
        Err(_) => return Ok(Outcome::Unwritable),
        Ok(read) => read,
    };
    let model = Model::of_tree::<D>(&document, &events, &nodes);
    let shape = |document: &Document| shape::<D>(document, &events.defaults);
    let found = shape(&read);
    let expected = |made: &[Edit]| {
        let items = model.edited(&events, made);
        let markup = to_html(&items);
        let expected = normal::<D>(items);
        if is_html::<D>() && expected != found {
            let again = tree(dialect, markup.as_bytes());
            if again.is_ok_and(|again| shape(&again) != expected) {
                return Ok(None);
            }
        }
        if expected != found && !keeps_root {
            return Ok(None);
        }
        Ok(Some(expected))
    };
    compared(&events, &done, input, &found, expected)
}

/// Returns true if an edit can be compared with the same edit of a tree.
pub(crate) fn is_compared<D>(events: &Events, edit: &Edit) -> bool {
    match &events.items[edit.at] {
        // A tree has no node for the declarations of XML, and the DOCTYPE of HTML determines the mode.
        Item::Other(other) if other.starts_with("doctype") => {
            is_html::<D>() && matches!(edit.op, Op::Before(_) | Op::After(_))
        }
        Item::Other(other) => other.starts_with("instruction"),
        // The contents of a template of Sky are parsed differently.
        Item::Start(name, _) if is_sky::<D>() && name == "template" => {
            !matches!(edit.op, Op::Rename(_) | Op::Unwrap)
        }
        _ => true,
    }
}

/// Returns true if an edit can make another element the root element, which changes how most dialects parse the rest.
fn changes_root<D>(events: &Events, Edit { at, op }: &Edit) -> bool {
    let is_inner = events.ends.range(..at).any(|(_, end)| end > at);
    let is_start = matches!(events.items[*at], Item::Start(..));
    let is_end = events.own.contains_key(at);
    let changes = match op {
        Op::Remove | Op::Unwrap => is_start,
        Op::Before(piece) if !is_end => piece.has_element(),
        Op::After(piece) => piece.has_element(),
        _ => false,
    };
    // Without its end tag, an element in it that has none ends later.
    let end = events.ends.get(at);
    let mut inner = events.ends.range(at + 1..);
    let moves_end = *op == Op::Unwrap && inner.any(|(_, other)| Some(other) == end);
    !is_free::<D>() && (changes && !is_inner || moves_end)
}

/// Returns true if the document has references whose meaning depends on a DOCTYPE, and an edit can remove the DOCTYPE.
fn changes_entities(events: &Events, made: &[Edit]) -> bool {
    let is_skipped =
        |item: &Item| matches!(item, Item::Other(other) if other.starts_with("SkippedEntity"));
    let removes = |edit: &Edit| matches!(edit.op, Op::Remove | Op::SetContent(_));
    events.items.iter().any(is_skipped) && made.iter().any(removes)
}

/// Returns true if a tag adds attributes to an `html` or `body` element that has another tag.
fn has_late_attributes(input: &[u8], events: &Events) -> bool {
    let html = Html::default().encoding(tagstream::Encoding::UTF_8);
    let Ok(tags) = Events::read(Rewriter::new(html), false, input) else {
        return false;
    };
    let is_in_tree = |start: u64, name: &str| {
        let starts = events.starts.iter().zip(&events.items);
        let mut starts = starts.filter(|(at, _)| **at == start);
        starts.any(|(_, item)| matches!(item, Item::Start(is, _) if is == name))
    };
    let mut tags = tags.starts.iter().zip(&tags.items);
    tags.any(|(start, item)| match item {
        Item::Start(name, attributes) if ["html", "body"].contains(&name.as_str()) => {
            !attributes.is_empty() && !is_in_tree(*start, name)
        }
        _ => false,
    })
}

/// Rewrites a document with random edits, with balanced events or with tags as written.
///
/// # Errors
///
/// Returns the error that ended the parse.
pub fn edit<D: Balance>(
    dialect: &D,
    is_balanced: bool,
    feed: Feed,
    seed: u64,
    input: &[u8],
) -> Result<Rewritten, RewriteError> {
    let rewriter = reference(dialect, feed);
    let mut random = Random(seed);
    if is_balanced {
        let rewriter = rewriter.balanced();
        let events = Events::read(rewriter.clone(), true, input)?;
        return rewritten(rewriter, feed, &events, &draw(&mut random, &events), input);
    }
    let events = Events::read(rewriter.clone(), false, input)?;
    rewritten(rewriter, feed, &events, &draw(&mut random, &events), input)
}

/// A dialect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tested {
    /// HTML in UTF-8.
    Html,
    Xml,
    MicroXml,
    Sky,
    LeafXml,
}

/// The dialect, and the seed of the edits.
pub type How = (Tested, u64);

/// Checks the output for a document with balanced events.
///
/// # Errors
///
/// Returns a description of the difference.
pub fn checked_tree(how: &How, feed: Feed, input: &[u8]) -> Result<Verdict, String> {
    outcome_balanced(how, feed, input).map(verdict)
}

/// Checks the output for a document with tags as written.
///
/// # Errors
///
/// Returns a description of the difference.
pub fn checked_written(how: &How, feed: Feed, input: &[u8]) -> Result<Verdict, String> {
    outcome_written(how, feed, input).map(verdict)
}

fn verdict(outcome: Outcome) -> Verdict {
    match outcome {
        Outcome::Equal | Outcome::Unedited => Verdict::Right,
        _ => Verdict::Other,
    }
}

/// Returns the result for a document with balanced events.
///
/// # Errors
///
/// Returns a description of the difference.
pub fn outcome_balanced(how: &How, feed: Feed, input: &[u8]) -> Result<Outcome, String> {
    outcome(how, true, feed, input)
}

/// Returns the result for a document with tags as written.
///
/// # Errors
///
/// Returns a description of the difference.
pub fn outcome_written(how: &How, feed: Feed, input: &[u8]) -> Result<Outcome, String> {
    outcome(how, false, feed, input)
}

fn outcome(
    &(dialect, seed): &How,
    is_balanced: bool,
    feed: Feed,
    input: &[u8],
) -> Result<Outcome, String> {
    match dialect {
        Tested::Html => in_form(&html(), is_balanced, feed, seed, input),
        Tested::Xml => in_form(&Xml::default(), is_balanced, feed, seed, input),
        Tested::MicroXml => in_form(&MicroXml::default(), is_balanced, feed, seed, input),
        Tested::Sky => in_form(&Sky::fragment(), is_balanced, feed, seed, input),
        Tested::LeafXml => in_form(&LeafXml::default(), is_balanced, feed, seed, input),
    }
}

fn in_form<D: Balance + Buildable>(
    dialect: &D,
    is_balanced: bool,
    feed: Feed,
    seed: u64,
    input: &[u8],
) -> Result<Outcome, String> {
    let choose = |events: &Events| draw(&mut Random(seed), events);
    match is_balanced {
        true => balanced(dialect, feed, &choose, input),
        false => written(dialect, feed, &choose, input),
    }
}

fn html() -> Html {
    Html::default().encoding(tagstream::Encoding::UTF_8)
}

/// Tests of random edits in random documents of each dialect: trees, and events as written. Many documents of the
/// generator of LeafXML end in an error.
pub const TESTS: [RandomTest<How>; 14] = [
    TREE.of("html/rewriting, tree", html_document, 300),
    WRITTEN.of("html/rewriting, written", html_document, 5),
    TREE.of("xml/rewriting, tree", xml, 15),
    WRITTEN.of("xml/rewriting, written", xml, 15),
    TREE.of("xml/rewriting, tree, plain documents", plain, 150),
    WRITTEN.of("xml/rewriting, written, plain documents", plain, 150),
    TREE.of("xml/rewriting, tree, prefixes", prefixes, 60),
    WRITTEN.of("xml/rewriting, written, prefixes", prefixes, 60),
    TREE.of("microxml/rewriting, tree", microxml, 50),
    WRITTEN.of("microxml/rewriting, written", microxml, 50),
    TREE.of("sky/rewriting, tree", sky, 5),
    WRITTEN.of("sky/rewriting, written", sky, 5),
    TREE.of("leafxml/rewriting, tree", leafxml, 350),
    WRITTEN.of("leafxml/rewriting, written", leafxml, 350),
];

fn html_document(random: &mut Random) -> (How, Parts) {
    let seed = random.number();
    ((Tested::Html, seed), generate::html::document(random))
}

fn xml(random: &mut Random) -> (How, Parts) {
    let seed = random.number();
    ((Tested::Xml, seed), generate::xml::document(random))
}

fn plain(random: &mut Random) -> (How, Parts) {
    let seed = random.number();
    ((Tested::Xml, seed), generate::plain::document(random))
}

fn prefixes(random: &mut Random) -> (How, Parts) {
    let seed = random.number();
    ((Tested::Xml, seed), generate::prefixes::document(random))
}

fn microxml(random: &mut Random) -> (How, Parts) {
    let seed = random.number();
    (
        (Tested::MicroXml, seed),
        generate::microxml::document(random),
    )
}

fn sky(random: &mut Random) -> (How, Parts) {
    let seed = random.number();
    ((Tested::Sky, seed), generate::sky::document(random))
}

/// Draws a document of LeafXML. Most documents of the first generator end in an error.
fn leafxml(random: &mut Random) -> (How, Parts) {
    let document = match random.one_in(4) {
        true => generate::leafxml::document(random),
        false => generate::plain::document(random),
    };
    ((Tested::LeafXml, random.number()), document)
}

const TREE: RandomTest<How> = RandomTest {
    name: "",
    quick: 1_000,
    full: 10_000,
    draw: leafxml,
    check: checked_tree,
    other: [0, 0],
    shrinks: true,
};

const WRITTEN: RandomTest<How> = RandomTest {
    check: checked_written,
    ..TREE
};

impl RandomTest<How> {
    /// Returns the test with another name and other documents. `other` is the maximum number of documents, out of a
    /// thousand, whose verdict is `Other`.
    const fn of(
        self,
        name: &'static str,
        draw: fn(&mut Random) -> (How, Parts),
        other: usize,
    ) -> RandomTest<How> {
        RandomTest {
            name,
            draw,
            other: [0, other],
            ..self
        }
    }
}
