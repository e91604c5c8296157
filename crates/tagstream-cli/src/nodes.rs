//! Trees as JSON: one object. The first key of each node, `node`, is its kind.
//!
//! ```text
//! {"node":"document","doctype":{"name":…,"publicId":…,"systemId":…},"children":[…]}
//! {"node":"element","name":…,"namespace":…,"attributes":[[name,value],…],"children":[…]}
//! {"node":"text","data":…}  {"node":"comment","data":…}  {"node":"pi","target":…,"data":…}
//! ```
//!
//! `doctype` and `namespace` are `null` if absent. The contents of a template element of HTML or Sky are in `content`,
//! before its `children`. A fragment is `{"node":"fragment","children":[…]}`. The functions of this module are not
//! recursive: they find the open nodes in the tree.

use crate::json;
use crate::output::Output;
use std::io;
use tagstream::tree::Edge;
use tagstream::{Document, Node, NodeKind};

/// Depth from which on nodes are not indented further. Otherwise the length of the output would grow with the square of
/// the depth.
const DEEPEST: usize = 64;

/// Writes `document`, or the contents of `fragment`, and a newline. With an indent, each node is on its own line.
pub(crate) fn write(
    document: &Document,
    fragment: Option<Node<'_>>,
    indent: Option<u8>,
    output: &mut Output,
) -> io::Result<()> {
    let root = fragment.unwrap_or(document.root());
    let mut depth = 0;
    for edge in root.edges().through_templates() {
        let out = output.buffer();
        match edge {
            Edge::Open(node) if node == root => {
                match fragment {
                    Some(_) => out.extend_from_slice(br#"{"node":"fragment""#),
                    None => {
                        out.extend_from_slice(br#"{"node":"document""#);
                        doctype(document, out);
                    }
                }
                children(node, out);
                depth = 1;
            }
            Edge::Open(node) => match node.kind() {
                // The DOCTYPE was written with the document.
                NodeKind::Doctype => {}
                // The contents of a template. Its element is open, and its children follow.
                NodeKind::DocumentFragment => out.extend_from_slice(br#","content":["#),
                _ => {
                    if has_sibling_before(node) {
                        out.push(b',');
                    }
                    line(indent, depth, out);
                    open(node, out);
                    depth += usize::from(node.is_element());
                }
            },
            Edge::Close(node) => match node.kind() {
                NodeKind::Doctype => {}
                NodeKind::DocumentFragment if node != root => {
                    close(node, indent, depth - 1, out);
                    out.extend_from_slice(br#","children":["#);
                }
                NodeKind::Element | NodeKind::Document | NodeKind::DocumentFragment => {
                    depth -= 1;
                    close(node, indent, depth, out);
                    out.push(b'}');
                }
                _ => out.push(b'}'),
            },
        }
        output.settle()?;
    }
    output.buffer().push(b'\n');
    Ok(())
}

fn has_sibling_before(node: Node<'_>) -> bool {
    let before = node.previous_sibling();
    before.is_some_and(|before| {
        before.kind() != NodeKind::Doctype || before.previous_sibling().is_some()
    })
}

/// Ends a list of nodes, on its own line if the list is not empty.
fn close(parent: Node<'_>, indent: Option<u8>, depth: usize, out: &mut Vec<u8>) {
    let mut children = parent.children();
    if children.any(|node| node.kind() != NodeKind::Doctype) {
        line(indent, depth, out);
    }
    out.push(b']');
}

fn line(indent: Option<u8>, depth: usize, out: &mut Vec<u8>) {
    if let Some(indent) = indent {
        out.push(b'\n');
        let spaces = usize::from(indent) * depth.min(DEEPEST);
        out.resize(out.len() + spaces, b' ');
    }
}

fn doctype(document: &Document, out: &mut Vec<u8>) {
    out.extend_from_slice(br#","doctype":"#);
    let Some(doctype) = document.doctype() else {
        out.extend_from_slice(b"null");
        return;
    };
    out.extend_from_slice(br#"{"name":"#);
    json::string(doctype.name(), out);
    out.extend_from_slice(br#","publicId":"#);
    json::optional(doctype.public_id(), out);
    out.extend_from_slice(br#","systemId":"#);
    json::optional(doctype.system_id(), out);
    out.push(b'}');
}

/// Writes the part of a node before its children.
fn open(node: Node<'_>, out: &mut Vec<u8>) {
    match node.kind() {
        NodeKind::Element => {
            out.extend_from_slice(br#"{"node":"element","name":"#);
            json::string(node.name(), out);
            out.extend_from_slice(br#","namespace":"#);
            json::optional(node.namespace(), out);
            let attributes = node.attributes();
            json::pairs(attributes.map(|one| (one.name(), one.value())), out);
            children(node, out);
        }
        NodeKind::Text => data(b"text", node, out),
        NodeKind::Comment => data(b"comment", node, out),
        NodeKind::ProcessingInstruction => {
            out.extend_from_slice(br#"{"node":"pi","target":"#);
            json::string(node.name(), out);
            out.extend_from_slice(br#","data":"#);
            json::string(node.text(), out);
        }
        _ => out.extend_from_slice(br#"{"node":null"#),
    }
}

fn data(kind: &[u8], node: Node<'_>, out: &mut Vec<u8>) {
    out.extend_from_slice(br#"{"node":""#);
    out.extend_from_slice(kind);
    out.extend_from_slice(br#"","data":"#);
    json::string(node.text(), out);
}

/// Begins the list of children. For a template, its contents are written first.
fn children(parent: Node<'_>, out: &mut Vec<u8>) {
    if parent.template_contents().is_none() {
        out.extend_from_slice(br#","children":["#);
    }
}
