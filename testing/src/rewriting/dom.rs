//! Random edits of HTML documents, as edits of the DOM of a browser.

use crate::random::Random;
use crate::random_cases::Feed;
use crate::rewriting::edits::{Edit, Events, Item, Op, Part, Piece, draw, rewritten};
use crate::rewriting::nodes::{Nodes, tree};
use crate::rewriting::tree::{Outcome, balanced, is_compared};
use tagstream::tree::NodeId;
use tagstream::{Document, Html, Node, Rewriter};

/// An inserted node: its kind, and its text or name.
pub type DomNode = (&'static str, String);

/// An edit of a node: the indexes of its ancestors and of the node among their siblings, the operation, a name or the new
/// data, and the inserted nodes.
pub type DomEdit = (Vec<usize>, &'static str, String, Vec<DomNode>);

/// The output of a rewriter, and its edits.
#[derive(Clone, Debug)]
pub struct DomEdited {
    /// The edits.
    pub edits: Vec<DomEdit>,
    /// The output.
    pub output: String,
}

/// Rewrites a document with random edits, and returns them as edits of its tree. Returns `None` if no edit was made, or
/// if the document cannot be compared.
///
/// # Errors
///
/// Returns an error if the tree that this library builds of the output is not as expected.
pub fn edited(html: &Html, seed: u64, document: &str) -> Result<Option<DomEdited>, String> {
    let input = document.as_bytes();
    let choose = |events: &Events| draw(&mut Random(seed), events);
    if balanced(html, Feed::whole(), &choose, input)? != Outcome::Equal {
        return Ok(None);
    }
    let rewriter = Rewriter::new(html.clone()).balanced();
    let told = |error: tagstream::RewriteError| error.to_string();
    let events = Events::read(rewriter.clone(), true, input).map_err(told)?;
    // The nodes of such a document are not in the order of the events.
    if !events.moved.is_empty() {
        return Ok(None);
    }
    let mut edits = draw(&mut Random(seed), &events);
    edits.retain(|edit| is_compared::<Html>(&events, edit));
    let done = rewritten(rewriter, Feed::whole(), &events, &edits, input).map_err(told)?;
    // An edit that was refused at the end of an element is not known exactly.
    // A browser moves a removed node out of the tree, so that further edits have no place there.
    let start = |edit: &Edit| events.own.get(&edit.at).copied().unwrap_or(edit.at);
    let mut starts: Vec<usize> = done.made.iter().map(start).collect();
    starts.sort_unstable();
    starts.dedup();
    let is_known = done.late.is_empty()
        && starts.len() == done.made.len()
        && done.made.iter().all(|edit| is_known(edit, &events));
    if !is_known {
        return Ok(None);
    }
    let document = tree(html, input).map_err(|error| error.to_string())?;
    let nodes = Nodes::find::<Html>(&document, &events)?;
    let path = |id: NodeId| path(&document, id);
    let mut dom = Vec::new();
    for Edit { at, op } in &done.made {
        let of = match &events.items[*at] {
            Item::Text(_) => continue,
            Item::End(_) => events.own[at],
            _ => *at,
        };
        let is_end = of != *at;
        let (operation, name, piece) = match op {
            Op::SetAttribute(name) => ("set", name.clone(), None),
            Op::RemoveAttribute(name) => ("unset", name.clone(), None),
            Op::Rename(name) => ("rename", (*name).to_owned(), None),
            Op::Remove => ("remove", String::new(), None),
            Op::Unwrap => ("unwrap", String::new(), None),
            Op::Before(piece) if is_end => ("append", String::new(), Some(piece)),
            Op::Before(piece) => ("before", String::new(), Some(piece)),
            Op::After(piece) => ("after", String::new(), Some(piece)),
            Op::Prepend(piece) => ("prepend", String::new(), Some(piece)),
            Op::Append(piece) => ("append", String::new(), Some(piece)),
            Op::SetContent(piece) => ("content", String::new(), Some(piece)),
            Op::SetText(text) => ("data", text.clone(), None),
        };
        let content = piece.map(|piece| nodes_of(*piece)).unwrap_or_default();
        dom.push((path(nodes.nodes[&of]), operation, name, content));
    }
    for (node, runs) in &nodes.texts {
        let is_edited = |edit: &Edit| runs.contains(&edit.at);
        if !done.made.iter().any(is_edited) {
            continue;
        }
        let mut all = Vec::new();
        for run in runs {
            let Item::Text(text) = &events.items[*run] else {
                continue;
            };
            let (mut before, mut after, mut text) = (Vec::new(), Vec::new(), text.clone());
            for edit in done.made.iter().filter(|edit| edit.at == *run) {
                match &edit.op {
                    Op::Before(piece) => before.extend(nodes_of(*piece)),
                    Op::After(piece) => after.extend(nodes_of(*piece)),
                    Op::SetText(new) => text.clone_from(new),
                    _ => {}
                }
            }
            all.append(&mut before);
            all.push(("text", text));
            all.append(&mut after);
        }
        dom.push((path(*node), "replace", String::new(), all));
    }
    let output = String::from_utf8(done.out).map_err(|error| error.to_string())?;
    Ok(Some(DomEdited { edits: dom, output }))
}

/// Returns false if the DOM does not allow the name of an attribute.
fn is_known(edit: &Edit, events: &Events) -> bool {
    let is_name = |name: &str| {
        name.bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte == b'-')
    };
    match (&edit.op, &events.items[edit.at]) {
        (Op::SetAttribute(name) | Op::RemoveAttribute(name), _) => is_name(name),
        _ => true,
    }
}

fn nodes_of(piece: Piece) -> Vec<DomNode> {
    let parts = piece.parts().into_iter();
    let node = |part| match part {
        Part::Text(text) => ("text", text.to_owned()),
        Part::Comment(text) => ("comment", text.to_owned()),
        Part::Element(name) => ("element", name.to_owned()),
    };
    parts.map(node).collect()
}

/// Returns the index of a node among its siblings, and those of its ancestors, the topmost first. The content of a
/// template has no index.
fn path(document: &Document, id: NodeId) -> Vec<usize> {
    let mut path = Vec::new();
    let mut next = document.node(id);
    while let Some(node) = next {
        let index = std::iter::successors(node.previous_sibling(), Node::previous_sibling).count();
        match node.parent() {
            Some(parent) => {
                path.push(index);
                next = Some(parent);
            }
            None => next = template_of(document, node),
        }
    }
    path.reverse();
    path
}

/// Returns the template with this content.
fn template_of<'d>(document: &'d Document, contents: Node<'d>) -> Option<Node<'d>> {
    let mut edges = document.root().edges().through_templates();
    edges.find_map(|edge| {
        let (tagstream::tree::Edge::Open(node) | tagstream::tree::Edge::Close(node)) = edge;
        (node.template_contents() == Some(contents)).then_some(node)
    })
}
