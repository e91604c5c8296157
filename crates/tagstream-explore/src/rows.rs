//! The rows of the tree pane: the nodes of a tree in document order.

use crate::json;
use crate::log::range_of;
use tagstream::tree::{Edge, namespaces};
use tagstream::{Document, Node, NodeId, NodeKind};

/// A node, its depth, and its range in the input.
type Row = (NodeId, u32, Option<(u32, u32)>);

/// The nodes of a tree in document order.
#[derive(Default)]
pub(crate) struct Rows {
    rows: Vec<Row>,
    /// The number of rows of each row's subtree, with the row itself.
    sizes: Vec<u32>,
    /// The row of each node by its index, or `u32::MAX` if the node is in no row.
    row_of: Vec<u32>,
}

impl Rows {
    /// Lists the nodes of a tree. With `is_fragment`, the root element of a fragment of HTML is left out. `ends` has the
    /// end of each closed element, and `open` the elements that are open. Those end at `end`, the length of the input.
    pub(crate) fn new(
        document: &Document,
        is_fragment: bool,
        ends: &Ends,
        open: &[NodeId],
        end: u32,
    ) -> Rows {
        let mut rows = Rows {
            rows: Vec::with_capacity(document.node_count()),
            sizes: Vec::with_capacity(document.node_count()),
            row_of: vec![u32::MAX; document.node_count()],
        };
        let mut is_open = vec![false; document.node_count()];
        for id in open {
            if let Some(is_open) = is_open.get_mut(id.index()) {
                *is_open = true;
            }
        }
        let root = document.root();
        let top = root_of(document, is_fragment);
        // The rows of the nodes around the current one.
        let mut around: Vec<usize> = Vec::new();
        for edge in top.edges().through_templates().through_shadow_roots() {
            let node = match edge {
                Edge::Open(node) => node,
                Edge::Close(_) => {
                    if let Some(row) = around.pop() {
                        rows.sizes[row] = (rows.rows.len() - row) as u32;
                    }
                    continue;
                }
            };
            let id = if node == top { root.id() } else { node.id() };
            let index = id.index();
            if let Some(row) = rows.row_of.get_mut(index) {
                *row = rows.rows.len() as u32;
            }
            let range = node.span().filter(|_| node != top).map(|span| {
                let (start, tag_end) = range_of(span);
                let closed = match is_open.get(index) {
                    Some(true) => end,
                    _ => ends.get(id).unwrap_or_default().min(end),
                };
                (start, tag_end.max(closed))
            });
            let depth = around.len() as u32;
            around.push(rows.rows.len());
            rows.rows.push((id, depth, range));
            rows.sizes.push(1);
        }
        rows
    }

    /// Returns the number of rows.
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Returns the row of a node.
    pub(crate) fn row_of(&self, node: NodeId) -> Option<usize> {
        let row = *self.row_of.get(node.index())?;
        (row != u32::MAX).then_some(row as usize)
    }

    /// Returns rows as a JSON array.
    pub(crate) fn write(&self, document: &Document, from: usize, count: usize) -> String {
        let mut out = String::new();
        let from = from.min(self.rows.len());
        let to = from.saturating_add(count).min(self.rows.len());
        json::list(from..to, &mut out, |row, out| {
            let (id, depth, range) = self.rows[row];
            let Some(node) = document.node(id) else {
                return out.push_str("null");
            };
            out.push('{');
            json::number_field("id", row as u64, out);
            json::number_field("depth", depth.into(), out);
            json::number_field("rows", self.sizes[row].into(), out);
            write_node(node, out);
            match range {
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
    pub(crate) fn node_at(&self, offset: u32) -> Option<usize> {
        let mut found = None;
        for (row, (_, depth, range)) in self.rows.iter().enumerate() {
            if let Some((start, end)) = *range
                && start <= offset
                && offset < end
            {
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

/// The end of each closed element in the input.
#[derive(Default)]
pub(crate) struct Ends {
    /// The ends by the index of the node. That of an element whose end is not known is `None`.
    ends: Vec<Option<u32>>,
    /// Number of closed elements of the document whose ends were set.
    pub(crate) seen: usize,
}

impl Ends {
    /// Sets the end of an element.
    pub(crate) fn set(&mut self, node: NodeId, end: u32) {
        let index = node.index();
        if self.ends.len() <= index {
            self.ends.resize(index + 1, None);
        }
        self.ends[index] = Some(end);
    }

    fn get(&self, node: NodeId) -> Option<u32> {
        self.ends.get(node.index()).copied().flatten()
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
                json::string(json::beginning(attribute.value()), out);
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
    let shown = json::beginning(text);
    json::string_field("text", shown, out);
    if shown.len() < text.len() {
        json::bool_field("cut", true, out);
    }
}
