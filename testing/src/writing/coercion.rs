//! Trees of random documents, coerced to XML: a strict parser accepts the output, and its tree is the same except for the
//! nodes that were reported.

use crate::generate;
use crate::random_cases::{Feed, RandomTest, Verdict};
use std::collections::HashSet;
use tagstream::tree::{Edge, NodeKind, Serializer, namespaces};
use tagstream::{Document, Encoding, Html, Node, WriteError, Xml};

/// A part of a tree. `is_changed` is true for a node that the coercion reported.
#[derive(Debug)]
struct Part {
    kind: NodeKind,
    content: String,
    is_changed: bool,
}

/// Checks that a tree is coerced to XML that a strict parser reads as the same tree except for the reported nodes, that
/// a tree that needs no coercion is written as without it, and that a second coercion changes nothing.
///
/// # Errors
///
/// Returns a description of the difference.
pub fn is_coerced(document: &Document, has_namespaces: bool) -> Result<Verdict, String> {
    let serializer = Serializer::xml().namespaces(has_namespaces);
    let mut xml = String::new();
    let changes = match serializer.write_coerced(document.root(), &mut xml) {
        Ok(changes) => changes,
        Err(WriteError::Refused(refusal)) if refusal.as_str() == "no-root" => {
            return Ok(Verdict::Other);
        }
        Err(error) => return Err(format!("not coerced: {error}")),
    };
    match serializer.to_string(document.root()) {
        Ok(plain) if plain != xml => return Err(format!("{xml:?}\nand not {plain:?}")),
        Err(error) if changes.count() == 0 => return Err(format!("{xml:?}\nbut {error}")),
        _ => {}
    }
    let strict = Xml::strict().namespaces(has_namespaces);
    let again = Document::parse(strict, &*xml).map_err(|error| format!("{xml:?}\nis {error}"))?;
    let mut second = String::new();
    let more = serializer
        .write_coerced(again.root(), &mut second)
        .map_err(|error| format!("{xml:?}\nagain: {error}"))?;
    if more.count() > 0 || second != xml {
        return Err(format!("{xml:?}\nagain is {second:?}\nwith {more:?}"));
    }
    if changes.count() > changes.first().len() {
        return Ok(Verdict::Right);
    }
    let changed = changes.first().iter().map(|change| change.node()).collect();
    match difference(&parts(document, &changed), &parts(&again, &HashSet::new())) {
        Some(problem) => Err(format!("{xml:?}\n{problem}\nchanges {changes:?}")),
        None => Ok(Verdict::Right),
    }
}

/// Returns the elements, ends, texts, comments and processing instructions of a document. Adjacent texts are joined.
fn parts(document: &Document, changed: &HashSet<tagstream::tree::NodeId>) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    for edge in document.root().edges().through_templates() {
        let (node, is_open) = match edge {
            Edge::Open(node) => (node, true),
            Edge::Close(node) => (node, false),
        };
        let kind = node.kind();
        let content = match kind {
            NodeKind::Element if is_open => start(node),
            NodeKind::Element => "end".to_owned(),
            NodeKind::Text if is_open && node.parent() != Some(document.root()) => {
                node.text().to_owned()
            }
            NodeKind::Comment if is_open => node.text().to_owned(),
            NodeKind::ProcessingInstruction if is_open => {
                format!("{} {}", node.name(), node.text())
            }
            _ => continue,
        };
        let is_changed = changed.contains(&node.id()) && content != "end";
        match parts.last_mut() {
            Some(last) if kind == NodeKind::Text && last.kind == kind => {
                last.content.push_str(&content);
                last.is_changed |= is_changed;
            }
            _ => parts.push(Part {
                kind,
                content,
                is_changed,
            }),
        }
    }
    parts
}

/// Returns the name of an element and its attributes, except the declarations of namespaces, which the serializer adds.
fn start(element: Node<'_>) -> String {
    let mut said = format!("{} {:?}", element.name(), element.namespace());
    for one in element.attributes() {
        // A parser of XML puts names with the prefix `xml` in a namespace, a parser of HTML does not.
        let namespace = match one.name().starts_with("xml:") {
            true => Some(namespaces::XML),
            false => one.namespace(),
        };
        if one.name() != "xmlns" && !one.name().starts_with("xmlns:") {
            said.push_str(&format!(" {}={:?} {namespace:?}", one.name(), one.value()));
        }
    }
    said
}

/// Compares the parts of a tree with those that were read. A text that was changed may be missing.
fn difference(written: &[Part], read: &[Part]) -> Option<String> {
    let mut read = read.iter().peekable();
    for part in written {
        let is_text = part.kind == NodeKind::Text;
        if is_text && part.is_changed && read.peek().is_none_or(|next| next.kind != part.kind) {
            continue;
        }
        let next = read.next();
        let is_same = next.is_some_and(|next| {
            next.kind == part.kind && (part.is_changed || next.content == part.content)
        });
        if !is_same {
            return Some(format!("{part:?}\nis read as {next:?}"));
        }
    }
    read.next().map(|more| format!("{more:?} is read too"))
}

/// The ways in which a document is read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum How {
    Html,
    Xml,
    /// XML without namespaces.
    Plain,
}

fn checked(how: &How, _: Feed, input: &[u8]) -> Result<Verdict, String> {
    let has_namespaces = *how != How::Plain;
    let read = match how {
        How::Html => Document::parse(Html::default().encoding(Encoding::UTF_8), input),
        _ => Document::parse(Xml::default().namespaces(has_namespaces), input),
    };
    is_coerced(&read.map_err(|error| error.to_string())?, has_namespaces)
}

/// Trees of broken XML documents. A document without an element cannot be written.
pub const XML: RandomTest<How> = RandomTest {
    name: "xml/coercion",
    quick: 1_000,
    full: 10_000,
    draw: |random| {
        let how = match random.one_in(4) {
            true => How::Plain,
            false => How::Xml,
        };
        (how, generate::xml::document(random))
    },
    check: checked,
    other: [0, 500],
    shrinks: true,
};

/// Trees of HTML documents. All of them are coerced.
pub const HTML: RandomTest<How> = RandomTest {
    name: "html/coercion",
    draw: |random| (How::Html, generate::html::document(random)),
    other: [0, 0],
    ..XML
};
