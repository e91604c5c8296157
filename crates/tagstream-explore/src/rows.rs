//! The rows of the tree pane: the nodes of a tree in document order.

use crate::json;
use crate::log::range_of;
use tagstream::tree::{Edge, namespaces};
use tagstream::{Document, Node, NodeId, NodeKind};

/// Maximum length of a text in a row, in characters.
const MAX_CHARACTERS: usize = 200;

/// The nodes of a tree in document order.
#[derive(Default)]
pub(crate) struct Rows {
    /// Each node with its depth.
    rows: Vec<(NodeId, u32)>,
    /// The row of each node by its index, or `u32::MAX` if the node is in no row.
    row_of: Vec<u32>,
}

impl Rows {
    /// Lists the nodes of a tree. With `is_fragment`, the root element of a fragment of HTML is left out.
    pub(crate) fn new(document: &Document, is_fragment: bool) -> Rows {
        let mut rows = Rows {
            rows: Vec::with_capacity(document.node_count()),
            row_of: vec![u32::MAX; document.node_count()],
        };
        let root = document.root();
        let top = root_of(document, is_fragment);
        let mut depth = 0;
        for edge in top.edges().through_templates().through_shadow_roots() {
            match edge {
                Edge::Open(node) => {
                    let id = if node == top { root.id() } else { node.id() };
                    let place = rows.rows.len() as u32;
                    if let Some(row) = rows.row_of.get_mut(id.inspect_index()) {
                        *row = place;
                    }
                    rows.rows.push((id, depth));
                    depth += 1;
                }
                Edge::Close(_) => depth -= 1,
            }
        }
        rows
    }

    /// Returns the number of rows.
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Returns the row of a node.
    pub(crate) fn row_of(&self, node: NodeId) -> Option<usize> {
        let row = *self.row_of.get(node.inspect_index())?;
        (row != u32::MAX).then_some(row as usize)
    }

    /// Returns rows as a JSON array. `ends` has the end of each closed element.
    pub(crate) fn write(
        &self,
        document: &Document,
        ends: &Ends,
        from: usize,
        count: usize,
    ) -> String {
        let mut out = String::new();
        let from = from.min(self.rows.len());
        let to = from.saturating_add(count).min(self.rows.len());
        json::list(from..to, &mut out, |row, out| {
            let (id, depth) = self.rows[row];
            let Some(node) = document.node(id) else {
                return out.push_str("null");
            };
            out.push('{');
            json::number_field("id", row as u64, out);
            json::number_field("depth", depth.into(), out);
            write_node(node, out);
            match ends.range(node) {
                Some(range) => json::range_field(range, out),
                None => {
                    json::key_of("range", out);
                    out.push_str("null");
                }
            }
            out.push('}');
        });
        out
    }

    /// Returns the row of the deepest node whose range contains an offset. Of several nodes at that depth, this is the
    /// one with the shortest range.
    pub(crate) fn node_at(&self, document: &Document, ends: &Ends, offset: u32) -> Option<usize> {
        let mut found = None;
        for (row, (id, depth)) in self.rows.iter().enumerate() {
            let Some((start, end)) = document.node(*id).and_then(|node| ends.range(node)) else {
                continue;
            };
            if start <= offset && offset < end {
                let rank = (*depth, u32::MAX - (end - start));
                if found.is_none_or(|(_, best)| rank > best) {
                    found = Some((row, rank));
                }
            }
        }
        found.map(|(row, _)| row)
    }
}

/// Returns the node whose children are the top of the tree: the document, or the root element of a fragment.
pub(crate) fn root_of(document: &Document, is_fragment: bool) -> Node<'_> {
    let root = document.root_element().filter(|_| is_fragment);
    root.unwrap_or(document.root())
}

/// The end of each closed element in the input, by the index of its node.
#[derive(Default)]
pub(crate) struct Ends(Vec<u32>);

impl Ends {
    /// Sets the end of an element.
    pub(crate) fn set(&mut self, node: NodeId, end: u32) {
        let index = node.inspect_index();
        if self.0.len() <= index {
            self.0.resize(index + 1, 0);
        }
        self.0[index] = self.0[index].max(end);
    }

    /// Returns the range of a node. That of an element ends after its end tag, or where the element was closed.
    fn range(&self, node: Node<'_>) -> Option<(u32, u32)> {
        let (start, end) = range_of(node.span()?);
        let closed = self.0.get(node.id().inspect_index()).copied();
        Some((start, end.max(closed.unwrap_or_default())))
    }
}

fn write_node(node: Node<'_>, out: &mut String) {
    match node.kind() {
        NodeKind::Element => {
            json::string_field("kind", "element", out);
            json::string_field("name", node.name(), out);
            json::key_of("namespace", out);
            let namespace = node.namespace().map(|namespace| match namespace {
                namespaces::HTML => "html",
                namespaces::SVG => "svg",
                namespaces::MATHML => "math",
                other => other,
            });
            json::optional(namespace, out);
            json::key_of("attributes", out);
            json::list(node.attributes(), out, |attribute, out| {
                out.push('[');
                json::string(attribute.name(), out);
                out.push(',');
                json::string(beginning(attribute.value()), out);
                out.push(']');
            });
        }
        NodeKind::Text => text("text", node.text(), out),
        NodeKind::Comment => text("comment", node.text(), out),
        NodeKind::ProcessingInstruction => {
            json::string_field("name", node.name(), out);
            text("pi", node.text(), out);
        }
        NodeKind::Doctype => {
            json::string_field("kind", "doctype", out);
            json::string_field("name", node.name(), out);
            if let Some(doctype) = node.doctype() {
                for (key, id) in [
                    ("public", doctype.public_id()),
                    ("system", doctype.system_id()),
                ] {
                    json::key_of(key, out);
                    json::optional(id, out);
                }
            }
        }
        NodeKind::DocumentFragment => match node.as_shadow_root() {
            Some(root) => {
                json::string_field("kind", "shadow", out);
                json::string_field("text", &root.to_string(), out);
            }
            None => json::string_field("kind", "content", out),
        },
        _ => json::string_field("kind", "document", out),
    }
}

fn text(kind: &str, text: &str, out: &mut String) {
    json::string_field("kind", kind, out);
    let shown = beginning(text);
    json::string_field("text", shown, out);
    if shown.len() < text.len() {
        json::bool_field("cut", true, out);
    }
}

fn beginning(text: &str) -> &str {
    let end = text.char_indices().nth(MAX_CHARACTERS);
    &text[..end.map_or(text.len(), |(at, _)| at)]
}
