//! Folds the balanced events of HTML into a tree, and compares that with the tree that tree construction builds.
//!
//! If no event is marked as moved, the fold must be the tree. If only start tags, text and comments are moved, the fold
//! must be the tree after these are inserted before the innermost table, or at the end of the innermost template.

use crate::draws;
use crate::generate::Parts;
use crate::generate::html::{TreeOptions, tree_input};
use crate::pull::write_event;
use crate::random::Random;
use crate::random_cases::{Feed, RandomTest, Verdict};
use crate::tree_formats::TreeFormats as _;
use tagstream::tree::{NamespaceId, NodeId, QualifiedName};
use tagstream::{
    AddedAttributes, Attribute, Document, Error, Event, Events, Html, Limits, Parser, StartTag,
    TreeBuilder, TreeSink,
};

/// Tests with random documents.
pub const FOLDS: RandomTest<TreeOptions> = RandomTest {
    name: "html/balanced is the tree",
    quick: 4_000,
    full: 50_000,
    draw: |random| {
        // Events have no shadow roots, and the content of a template that replaces a marker is reported at the
        // template.
        let goes = |part: &Vec<u8>| part.starts_with(b"<template for");
        let mut drawn = tree_input(random);
        while drawn.1.iter().any(goes) {
            drawn = tree_input(random);
        }
        let (how, parts) = drawn;
        let how = TreeOptions {
            shadow_roots: false,
            ..how
        };
        (how, parts)
    },
    check: |how, feed, input| {
        let found = compare(&how.html(), input)?;
        subtrees(&how.html(), input, feed.sizes.window % 7 + 2)?;
        let whole = events(&how.html(), Feed::whole(), input)?;
        let cut = events(&how.html(), feed, input)?;
        let owned = owned(&how.html(), input)?;
        if whole != cut || whole != owned {
            return Err(format!("whole\n{whole}\nbut cut\n{cut}\nowned\n{owned}"));
        }
        Ok(match found.none_moved {
            true => Verdict::Right,
            false => Verdict::Other,
        })
    },
    other: [10, 90],
    shrinks: true,
};

/// Tests with misnested formatting elements and limits that are small for these. The result is the same for every cut,
/// with restored parsers, and with and without plans.
pub const MISNESTED: RandomTest<(TreeOptions, Limits)> = RandomTest {
    name: "html/misnested at limits",
    quick: 1_000,
    full: 20_000,
    draw: |random| {
        let (how, _) = tree_input(random);
        let mut limits = match random.one_in(4) {
            true => draws::small_limits(random),
            false => Limits::none(),
        };
        if !random.one_in(4) {
            limits.depth = random.below(9);
        }
        if random.one_in(3) {
            let most = [4_000, 40_000][random.below(2)];
            limits.memory = 500 + random.below(most);
        }
        ((how, limits), misnested(random))
    },
    check: |(how, limits), feed, input| {
        let whole = at_limits(&how.html(), *limits, Feed::whole(), input, 0)?;
        // Long documents are restored fifty times at most.
        let chunks = feed.chunks(input).count();
        for restores in [0, 3 + chunks / 50] {
            let cut = at_limits(&how.html(), *limits, feed, input, restores)?;
            if whole != cut {
                return Err(format!(
                    "whole\n{whole}\nbut cut, restores {restores}\n{cut}"
                ));
            }
        }
        Ok(match whole.contains("-limit") {
            false => Verdict::Right,
            true => Verdict::Other,
        })
    },
    other: [100, 700],
    shrinks: true,
};

/// Draws a document of tags of formatting elements, and of elements in which they are misnested. One in 32 has up to
/// 60 kB.
fn misnested(random: &mut Random) -> Parts {
    const FORMATTING: [&str; 14] = [
        "a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt",
        "u",
    ];
    const OTHERS: [&str; 15] = [
        "p", "div", "table", "td", "tr", "button", "option", "select", "applet", "template", "svg",
        "desc", "x-y", "li", "caption",
    ];
    let mut names = vec!["a"];
    for _ in 0..=random.below(4) {
        names.push(random.pick(&FORMATTING));
    }
    for _ in 0..random.below(3) {
        names.push(random.pick(&OTHERS));
    }
    let count = match random.below(32) {
        0 => 1_000 + random.below(8_000),
        1..8 => random.below(200),
        _ => random.below(24) + 1,
    };
    let one = |random: &mut Random| {
        let name = random.pick(&names);
        match random.below(12) {
            0..4 => format!("<{name}>"),
            4 | 5 => format!("<{name} i={}>", random.below(30)),
            6..9 => format!("</{name}>"),
            9 => format!("<{}>", random.pick(&OTHERS)),
            10 => format!("</{}>", random.pick(&OTHERS)),
            _ => ["x", " ", "x y", "\0", "&amp;"][random.below(5)].to_owned(),
        }
    };
    (0..count).map(|_| one(random).into_bytes()).collect()
}

/// Returns the balanced events, the tree and the error of each, with limits. The parser and the builder are saved and
/// restored after each `restores` chunks, or never if that is 0.
fn at_limits(
    html: &Html,
    limits: Limits,
    feed: Feed,
    input: &[u8],
    restores: usize,
) -> Result<String, String> {
    let sizes = feed.sizes;
    let is_due = |number: usize| restores > 0 && number.is_multiple_of(restores);
    let parser = Parser::new(html.clone()).balanced().limits(limits);
    let mut parser = parser.report_errors(true).inspect_sizes(sizes);
    let mut written = String::new();
    let mut read = || {
        for (number, chunk) in feed.chunks(input).enumerate() {
            if is_due(number) {
                let restored = Parser::restore(html.clone(), &parser.checkpoint());
                parser = restored.expect("a checkpoint");
            }
            parser.feed(chunk);
            while let Some(event) = parser.next_event()? {
                write_event(&mut written, &event);
            }
        }
        parser.finish();
        while let Some(event) = parser.next_event()? {
            write_event(&mut written, &event);
        }
        Ok::<(), Error>(())
    };
    let done = read().map_err(|error| format!("{error} {} {}", error.span(), error.position()));
    written += &format!("{done:?}\n");
    let builder = TreeBuilder::new(html.clone()).limits(limits);
    let mut builder = builder.inspect_sizes(sizes);
    let mut done = Ok(());
    for (number, chunk) in feed.chunks(input).enumerate() {
        if is_due(number) {
            let restored = TreeBuilder::restore(html.clone(), &builder.checkpoint());
            builder = restored.expect("a checkpoint");
        }
        done = done.and(builder.feed(chunk));
        if number.is_multiple_of(1 + input.len() / 500)
            && let Some(problem) = builder.formatting_problem()
        {
            return Err(format!("active formatting elements: {problem}"));
        }
    }
    match done.and(builder.end()) {
        // The tree may contain a part of the text that exceeded the limit.
        Err(error) => Ok(format!("{written}{error} {}", error.span())),
        Ok(()) => Ok(written + &builder.into_sink().to_html5lib()),
    }
}

/// Returns the events of an input as text.
fn events(html: &Html, feed: Feed, input: &[u8]) -> Result<String, String> {
    let parser = Parser::new(html.clone())
        .balanced()
        .inspect_sizes(feed.sizes);
    let mut written = String::new();
    let done = feed.events(parser, input, |event| write_event(&mut written, &event));
    done.map_err(|error| error.to_string())?;
    Ok(written)
}

/// Returns the owned events of an input as text.
fn owned(html: &Html, input: &[u8]) -> Result<String, String> {
    let mut written = String::new();
    for event in Events::of(html.clone(), input).balanced() {
        let event = event.map_err(|error| error.to_string())?;
        write_event(&mut written, &event.event());
    }
    Ok(written)
}

/// How moved events are inserted in a fold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Manner {
    /// Moved events are inserted like other events.
    AsItComes,
    /// Moved events are inserted before the innermost table or at the end of the innermost template.
    Obeying,
}

/// The result of comparing the folds of an input with its tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// True if no event is moved; true if no end event is moved.
    pub none_moved: bool,
    pub no_end_moved: bool,
    /// True if the fold that ignores the marks equals the tree; true if the fold that obeys them does.
    pub equal: bool,
    pub obeying_equal: bool,
}

const HTML: &str = "http://www.w3.org/1999/xhtml";

/// A tree that is built from events.
struct Fold {
    document: Document,
    manner: Manner,
    /// The open elements, and the nodes to which their content is added.
    open: Vec<(NodeId, NodeId)>,
    roots: [Option<NodeId>; 2],
    found: Found,
}

/// The position at which a node is inserted.
enum Place {
    Inside(NodeId),
    Before(NodeId),
}

impl Fold {
    fn new(manner: Manner) -> Fold {
        Fold {
            document: Document::new(),
            manner,
            open: Vec::new(),
            roots: [None; 2],
            found: Found {
                none_moved: true,
                no_end_moved: true,
                ..Found::default()
            },
        }
    }

    fn take(&mut self, event: &Event<'_>) -> Result<(), String> {
        match event {
            Event::Start(tag) => {
                let place = self.place(tag.is_moved());
                let element = self.element(tag);
                self.put(&place, element);
                let is_template = tag.name() == "template" && tag.namespace() == Some(HTML);
                let inside = match is_template {
                    true => self.document.template_contents(element),
                    false => element,
                };
                self.open.push((element, inside));
            }
            Event::End(tag) => {
                let (element, _) = self.open.pop().ok_or("an end of nothing")?;
                let name = self.document.node(element).map(|node| node.name());
                if name != Some(tag.name()) {
                    return Err(format!("{name:?} ends as {:?}", tag.name()));
                }
                self.found.no_end_moved &= !tag.is_moved();
                self.found.none_moved &= !tag.is_moved();
            }
            Event::Text(text) => match self.place(text.is_moved()) {
                Place::Inside(parent) => {
                    TreeSink::append_text(&mut self.document, parent, text.as_str())
                }
                Place::Before(table) => self.document.insert_text_before(table, text.as_str()),
            },
            Event::Comment(comment) => {
                let place = self.place(comment.is_moved());
                let node = self.document.create_comment(comment.as_str());
                self.put(&place, node);
            }
            Event::ProcessingInstruction(instruction) => {
                let place = self.place(instruction.is_moved());
                let (target, data) = (instruction.target(), instruction.data());
                let node = self.document.create_processing_instruction(target, data);
                self.put(&place, node);
            }
            Event::Doctype(doctype) => {
                let (public_id, system_id) = (doctype.public_id(), doctype.system_id());
                let name = doctype.name();
                let node = self.document.create_doctype(name, public_id, system_id);
                let document = self.document.document();
                TreeSink::append(&mut self.document, document, node);
            }
            Event::Attributes(added) => self.add(added)?,
            _ => {}
        }
        Ok(())
    }

    /// Returns the position of the next node.
    fn place(&mut self, is_moved: bool) -> Place {
        self.found.none_moved &= !is_moved;
        let document = self.document.document();
        let inside = self.open.last().map_or(document, |(_, inside)| *inside);
        if !is_moved || self.manner == Manner::AsItComes {
            return Place::Inside(inside);
        }
        for (element, inside) in self.open.iter().rev() {
            let node = self.document.node(*element).expect("a node");
            match node.name() {
                "table" if node.namespace() == Some(HTML) => return Place::Before(*element),
                "template" if node.namespace() == Some(HTML) => return Place::Inside(*inside),
                _ => {}
            }
        }
        Place::Inside(self.open.first().map_or(document, |(root, _)| *root))
    }

    fn put(&mut self, place: &Place, node: NodeId) {
        match *place {
            Place::Inside(parent) => TreeSink::append(&mut self.document, parent, node),
            Place::Before(table) => self.document.insert_before(table, node),
        }
    }

    fn element(&mut self, tag: &StartTag<'_>) -> NodeId {
        let namespace = tag.namespace().map(|name| self.document.namespace(name));
        let name = QualifiedName::unprefixed(tag.name(), namespace);
        let element = self.document.create_element(name);
        for attribute in tag.attributes() {
            let space = attribute.namespace();
            let space = space.map(|name| self.document.namespace(name));
            let name = attribute_name(&attribute, space);
            self.document
                .add_attribute(element, name, attribute.value());
        }
        if let Some(root) = ["html", "body"].iter().position(|name| *name == tag.name())
            && self.open.len() == root
        {
            self.roots[root] = Some(element);
        }
        element
    }

    /// Adds attributes to the root element or the body.
    fn add(&mut self, added: &AddedAttributes<'_>) -> Result<(), String> {
        let root = usize::from(added.name() == "body");
        let element = self.roots[root].ok_or("attributes of nothing")?;
        for attribute in added.attributes() {
            let name = QualifiedName::new(attribute.name());
            self.document
                .add_missing_attribute(element, name, attribute.value());
        }
        Ok(())
    }
}

fn attribute_name<'a>(
    attribute: &Attribute<'a>,
    space: Option<NamespaceId>,
) -> QualifiedName<'a, NamespaceId> {
    match attribute.prefix() {
        Some(_) => QualifiedName::prefixed(attribute.name(), space),
        None => QualifiedName::unprefixed(attribute.name(), space),
    }
}

/// Folds an input.
fn folded(html: &Html, input: &[u8], manner: Manner) -> Result<(Document, Found), String> {
    let told = |error: Error| error.to_string();
    let mut fold = Fold::new(manner);
    let mut events = Events::of(html.clone(), input).balanced();
    while let Some(event) = events.next_event().map_err(told)? {
        fold.take(&event)?;
    }
    match fold.open.is_empty() {
        true => Ok((fold.document, fold.found)),
        false => Err("elements never ended".to_owned()),
    }
}

/// Checks that each exact subtree is part of the tree. The first element is read as a subtree, then `passed` elements
/// are skipped, and so on. This is repeated with different first elements.
fn subtrees(html: &Html, input: &[u8], passed: usize) -> Result<(), String> {
    let told = |error: Error| error.to_string();
    // The root element is written too, because `Document::to_html` leaves out the root element of a fragment.
    let tree = tree(html, input)?;
    let tree = tree
        .root_element()
        .map_or_else(String::new, |root| root.to_html());
    if ["<frameset", "<selectedcontent"]
        .iter()
        .any(|one| tree.contains(one))
    {
        // These elements remove content of the body or of themselves that was reported as exact before.
        return Ok(());
    }
    for first in 0..4 {
        let mut events = Events::of(html.clone(), input).balanced();
        let mut left = first * passed;
        while let Some(event) = events.next_event().map_err(told)? {
            if !matches!(event, Event::Start(_)) {
                continue;
            }
            if left > 0 {
                left -= 1;
                continue;
            }
            left = passed;
            let subtree = events.subtree().map_err(told)?;
            if subtree.is_exact() && !tree.contains(&subtree.to_html()) {
                let subtree = subtree.to_html();
                return Err(format!("in\n{tree}\nis no exact\n{subtree}"));
            }
        }
    }
    Ok(())
}

/// Builds the tree of an input that is fed at once.
fn tree(html: &Html, input: &[u8]) -> Result<Document, String> {
    let mut builder = TreeBuilder::new(html.clone());
    builder.feed(input).map_err(|error| error.to_string())?;
    builder.finish().map_err(|error| error.to_string())
}

/// Folds an input, and compares the folds with its tree.
///
/// # Errors
///
/// Returns a description of the first difference.
pub fn compare(html: &Html, input: &[u8]) -> Result<Found, String> {
    let written = |document: &Document| document.to_html5lib();
    let tree = written(&tree(html, input)?);
    let (naive, found) = folded(html, input, Manner::AsItComes)?;
    let (obeying, _) = folded(html, input, Manner::Obeying)?;
    let (naive, obeying) = (written(&naive), written(&obeying));
    let found = Found {
        equal: naive == tree,
        obeying_equal: obeying == tree,
        ..found
    };
    if found.none_moved && !found.equal {
        return Err(format!(
            "nothing is moved, but the tree is\n{tree}\nand the events\n{naive}"
        ));
    }
    if found.no_end_moved && !found.obeying_equal {
        return Err(format!(
            "no end is moved, but the tree is\n{tree}\nand the events\n{obeying}"
        ));
    }
    Ok(found)
}
