//! Comparison of two trees by their content. The trees can belong to different documents.

use super::document::Document;
use super::names::NameId;
use super::node::{Node, NodeKind};
use super::node_attribute::Attribute;
use super::walk::{Edge, Edges};
use alloc::vec::Vec;

impl<'a> Node<'a> {
    /// Returns true if the descendants of `other` are equal to those of this node. Descendants include the contents of
    /// templates and shadow roots. The two nodes themselves are not compared. Adjacent text nodes are compared as one
    /// text, because the serialized form does not show where one ends and the next begins.
    pub(crate) fn holds_same(&self, other: Node<'a>) -> bool {
        let mut names = SameNames {
            documents: (self.document, other.document),
            known: Vec::new(),
        };
        let (mut one, mut other) = (Side::of(*self), Side::of(other));
        // The first edge on each side opens the node itself, which is not compared with the other node.
        let mut is_first = true;
        loop {
            one.fill();
            other.fill();
            let length = one.text.len().min(other.text.len());
            if length > 0 {
                let (text, rest) = one.text.split_at(length);
                let (text_of_other, rest_of_other) = other.text.split_at(length);
                if text != text_of_other {
                    return false;
                }
                (one.text, other.text) = (rest, rest_of_other);
                continue;
            }
            if !one.text.is_empty() || !other.text.is_empty() {
                return false;
            }
            let is_same = match (one.next.take(), other.next.take()) {
                (None, None) => return true,
                (Some(Edge::Open(_)), Some(Edge::Open(_))) if is_first => true,
                (Some(Edge::Open(one)), Some(Edge::Open(other))) => names.is_same(one, other),
                (Some(Edge::Close(_)), Some(Edge::Close(_))) => true,
                _ => false,
            };
            if !is_same {
                return false;
            }
            is_first = false;
        }
    }
}

/// One of the two trees that are compared, from the current position on.
struct Side<'a> {
    edges: Edges<'a>,
    /// The part of the current text node that is not yet compared, in bytes.
    text: &'a [u8],
    /// The edge that follows `text`, or `None` if it is not read yet. It is never an edge of a text node.
    next: Option<Edge<Node<'a>>>,
}

impl<'a> Side<'a> {
    fn of(node: Node<'a>) -> Side<'a> {
        Side {
            edges: node.edges().through_templates().through_shadow_roots(),
            text: &[],
            next: None,
        }
    }

    /// Reads the next edge of the tree and stores it in `text` or `next`, unless one of them has a value that is not
    /// yet compared. At the end of the tree, both stay empty.
    #[inline]
    fn fill(&mut self) {
        while self.text.is_empty() && self.next.is_none() {
            let Some(edge) = self.edges.next() else {
                return;
            };
            match edge {
                Edge::Open(node) if node.is_text() => self.text = node.text().as_bytes(),
                Edge::Close(node) if node.is_text() => {}
                edge => self.next = Some(edge),
            }
        }
    }
}

/// The names of two documents that are known to be equal. The strings of a pair of names are compared only once.
struct SameNames<'a> {
    documents: (&'a Document, &'a Document),
    /// For each name of the first document, by its index, the equal name of the second document, if it is known.
    known: Vec<Option<NameId>>,
}

impl<'a> SameNames<'a> {
    /// Returns true if two nodes have the same kind, name, attributes, text and other properties. Children are not
    /// compared.
    fn is_same(&mut self, one: Node<'a>, other: Node<'a>) -> bool {
        if one.kind() != other.kind() {
            return false;
        }
        match one.kind() {
            NodeKind::Element => {
                let names = one.element_name().zip(other.element_name());
                names.is_some_and(|(one, other)| self.are_same(one, other))
                    && self.have_same_attributes(one, other)
            }
            NodeKind::Document | NodeKind::DocumentFragment => {
                one.as_shadow_root() == other.as_shadow_root()
            }
            NodeKind::Doctype => one.doctype() == other.doctype(),
            _ => one.name() == other.name() && one.text() == other.text(),
        }
    }

    fn have_same_attributes(&mut self, one: Node<'a>, other: Node<'a>) -> bool {
        let (mut ones, mut others) = (one.attributes(), other.attributes());
        loop {
            match (ones.next(), others.next()) {
                (None, None) => return true,
                (Some(one), Some(other)) if self.is_same_attribute(one, other) => {}
                _ => return false,
            }
        }
    }

    fn is_same_attribute(&mut self, one: Attribute<'_>, other: Attribute<'_>) -> bool {
        self.are_same(one.name, other.name) && one.value() == other.value()
    }

    #[inline]
    fn are_same(&mut self, one: NameId, other: NameId) -> bool {
        self.known.get(one.index()) == Some(&Some(other)) || self.compare_strings(one, other)
    }

    /// Compares two names by their strings, and adds them to `known` if they are equal.
    #[cold]
    fn compare_strings(&mut self, one: NameId, other: NameId) -> bool {
        let names = (&self.documents.0.names, &self.documents.1.names);
        let is_same = names.0.qualified(one) == names.1.qualified(other)
            && names.0.local(one) == names.1.local(other)
            && names.0.namespace(one) == names.1.namespace(other);
        if is_same {
            if one.index() >= self.known.len() {
                self.known.resize(one.index() + 1, None);
            }
            self.known[one.index()] = Some(other);
        }
        is_same
    }
}
