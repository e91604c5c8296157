//! XPath's data model over a [`Document`]: the node type for which `xpath-eval` evaluates expressions.
//!
//! Specification: <https://www.w3.org/TR/1999/REC-xpath-19991116/#data-model>. For HTML documents, names are compared as
//! browsers do: <https://html.spec.whatwg.org/multipage/infrastructure.html#interactions-with-xpath-and-xslt>.

use super::order::DocumentOrder;
use super::value::{XPathNode, text_value};
use crate::tree::namespaces::{HTML, XML, XMLNS};
use crate::tree::{Attribute, Document, Node, NodeId, NodeKind};
use alloc::borrow::ToOwned;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use core::cell::RefCell;
use core::cmp::Ordering;
use xpath_eval::{ExpandedName, NodeKind as Kind};

/// A document during one evaluation.
pub(super) struct Tree<'d> {
    pub(super) document: &'d Document,
    order: DocumentOrder,
    /// For each open call of `name` or `local-name`, innermost last: true if it is `name`, for which the model returns
    /// qualified names as local names. The module `corrections` explains why.
    pub(super) names: RefCell<Vec<bool>>,
}

/// A node of XPath's data model.
#[derive(Clone, Copy)]
pub(super) struct Item<'t, 'd> {
    tree: &'t Tree<'d>,
    /// The node of the tree. Of consecutive text nodes, which are one node of the model, the first one.
    node: NodeId,
    part: Part<'d>,
}

/// The part of a node of the tree that a node of XPath's data model is.
#[derive(Clone, Copy)]
enum Part<'d> {
    /// The node itself.
    Whole,
    /// A binding of a prefix that is in scope. An empty prefix is the default namespace.
    Namespace { prefix: &'d str, uri: &'d str },
    /// An attribute, with its index among the attributes of the element.
    Attribute(u32, Attribute<'d>),
}

impl<'d> Tree<'d> {
    pub(super) fn new(document: &'d Document) -> Tree<'d> {
        Tree {
            document,
            order: DocumentOrder::default(),
            names: RefCell::default(),
        }
    }

    /// Returns the node of the model that contains a node of the tree. A DOCTYPE is no node of the model, and is replaced
    /// by its parent.
    pub(super) fn item<'t>(&'t self, node: Node<'d>) -> Item<'t, 'd> {
        let node = match (node.kind(), node.parent()) {
            (NodeKind::Doctype, Some(parent)) => parent,
            _ => core::iter::successors(Some(node), previous_text)
                .last()
                .unwrap_or(node),
        };
        Item {
            tree: self,
            node: node.id(),
            part: Part::Whole,
        }
    }
}

/// If both a node and the node before it are text, returns the node before it.
fn previous_text<'d>(node: &Node<'d>) -> Option<Node<'d>> {
    let previous = node.is_text().then(|| node.previous_sibling()).flatten();
    previous.filter(Node::is_text)
}

impl<'t, 'd> Item<'t, 'd> {
    /// Returns the node of the tree.
    fn node(self) -> Node<'d> {
        // The ID is one of this document, so the node exists.
        self.tree
            .document
            .node(self.node)
            .unwrap_or(self.tree.document.root())
    }

    /// Returns the same node of the tree with another part.
    fn with(self, part: Part<'d>) -> Item<'t, 'd> {
        Item { part, ..self }
    }

    /// Returns the node of the result.
    pub(super) fn result(self) -> XPathNode<'d> {
        let element = self.node();
        match self.part {
            Part::Whole => XPathNode::Node(element),
            Part::Namespace { prefix, uri } => XPathNode::Namespace {
                element,
                prefix,
                uri,
            },
            Part::Attribute(_, attribute) => XPathNode::Attribute { element, attribute },
        }
    }

    /// Returns true for an HTML element in an HTML document, and for its attributes.
    fn is_html(self) -> bool {
        self.tree.document.is_html() && self.node().namespace() == Some(HTML)
    }

    /// Returns the values that order the parts of one node of the tree: an element precedes its namespaces, and these
    /// precede its attributes.
    fn part_order(&self) -> (u8, u32, &str) {
        match self.part {
            Part::Whole => (0, 0, ""),
            Part::Namespace { prefix, .. } => (1, 0, prefix),
            Part::Attribute(index, _) => (2, index, ""),
        }
    }

    /// Returns the name without prefix and the namespace of a node that has a name.
    fn name(self) -> Option<(Option<&'d str>, &'d str)> {
        let node = self.node();
        match self.part {
            Part::Attribute(_, attribute) => Some((attribute.namespace(), attribute.local_name())),
            Part::Namespace { prefix, .. } => Some((None, prefix)),
            Part::Whole => match node.kind() {
                NodeKind::Element => Some((node.namespace(), node.local_name())),
                NodeKind::ProcessingInstruction => Some((None, node.name())),
                _ => None,
            },
        }
    }

    /// Returns the name as it is written, with its prefix.
    fn qualified_name(self) -> &'d str {
        match self.part {
            Part::Attribute(_, attribute) => attribute.name(),
            Part::Namespace { prefix, .. } => prefix,
            Part::Whole => self.node().name(),
        }
    }
}

impl PartialEq for Item<'_, '_> {
    fn eq(&self, other: &Self) -> bool {
        self.node == other.node && self.part_order() == other.part_order()
    }
}

impl Eq for Item<'_, '_> {}

/// Returns the bindings of prefixes that are in scope at an element, in the order of the prefixes. HTML has no
/// declarations of namespaces.
fn namespaces_in_scope<'d>(element: Node<'d>) -> BTreeMap<&'d str, &'d str> {
    let mut bindings = BTreeMap::new();
    if !element.is_element() || element.document().is_html() {
        return bindings;
    }
    bindings.insert("xml", XML);
    for element in core::iter::successors(Some(element), Node::parent) {
        for attribute in element.attributes().filter(is_declaration) {
            let prefix = attribute.prefix().map_or("", |_| attribute.local_name());
            bindings.entry(prefix).or_insert(attribute.value());
        }
    }
    bindings.retain(|_, uri| !uri.is_empty());
    bindings
}

/// Returns true for a declaration of a namespace, which is no attribute of XPath's data model.
fn is_declaration(attribute: &Attribute<'_>) -> bool {
    attribute.namespace() == Some(XMLNS)
}

impl<'t, 'd> xpath_eval::Node<'t> for Item<'t, 'd> {
    fn kind(self) -> Kind {
        match self.part {
            Part::Attribute(..) => Kind::Attribute,
            Part::Namespace { .. } => Kind::Namespace,
            Part::Whole => match self.node().kind() {
                NodeKind::Element => Kind::Element,
                NodeKind::Text => Kind::Text,
                NodeKind::Comment => Kind::Comment,
                NodeKind::ProcessingInstruction => Kind::ProcessingInstruction,
                _ => Kind::Root,
            },
        }
    }

    fn parent(self) -> Option<Self> {
        match self.part {
            Part::Whole => self.node().parent().map(|parent| self.tree.item(parent)),
            _ => Some(self.with(Part::Whole)),
        }
    }

    fn children(self) -> impl Iterator<Item = Self> + 't {
        let node = matches!(self.part, Part::Whole).then(|| self.node());
        let children = node.into_iter().flat_map(|node| node.children());
        let is_node =
            |node: &Node<'d>| node.kind() != NodeKind::Doctype && previous_text(node).is_none();
        children.filter(is_node).map(move |node| Item {
            node: node.id(),
            ..self
        })
    }

    fn attributes(self) -> impl Iterator<Item = Self> + 't {
        let node = matches!(self.part, Part::Whole).then(|| self.node());
        let attributes = node.into_iter().flat_map(|node| node.attributes());
        let attributes = attributes.enumerate();
        attributes
            .filter(|(_, attribute)| !is_declaration(attribute))
            .map(move |(index, attribute)| self.with(Part::Attribute(index as u32, attribute)))
    }

    fn namespaces(self) -> impl Iterator<Item = Self> + 't {
        let bindings = match self.part {
            Part::Whole => namespaces_in_scope(self.node()),
            _ => BTreeMap::new(),
        };
        let bindings = bindings.into_iter();
        bindings.map(move |(prefix, uri)| self.with(Part::Namespace { prefix, uri }))
    }

    fn expanded_name(self) -> Option<ExpandedName> {
        let (namespace, local_name) = self.name()?;
        let local_name = match self.tree.names.borrow().last() {
            Some(true) => self.qualified_name(),
            _ => local_name,
        };
        Some(ExpandedName {
            namespace_uri: namespace.map(ToOwned::to_owned),
            local_name: local_name.to_owned(),
        })
    }

    fn has_expanded_name(self, namespace: Option<&str>, local_name: &str) -> bool {
        let Some((own_namespace, own_name)) = self.name() else {
            return false;
        };
        let is_element = self.kind() == Kind::Element;
        match self.is_html() {
            true if is_element => {
                namespace.is_none_or(|namespace| namespace == HTML)
                    && own_name.eq_ignore_ascii_case(local_name)
            }
            true if namespace.is_none() => {
                own_namespace.is_none() && own_name.eq_ignore_ascii_case(local_name)
            }
            // In HTML, a name without prefix is the name of an HTML element.
            false if is_element && namespace.is_none() && self.tree.document.is_html() => false,
            _ => own_namespace == namespace && own_name == local_name,
        }
    }

    fn string_value(self) -> String {
        self.with_string_value(ToOwned::to_owned)
    }

    fn with_string_value<R>(self, use_value: impl FnOnce(&str) -> R) -> R {
        let node = self.node();
        match self.part {
            Part::Attribute(_, attribute) => use_value(attribute.value()),
            Part::Namespace { uri, .. } => use_value(uri),
            Part::Whole => match node.kind() {
                NodeKind::Comment | NodeKind::ProcessingInstruction => use_value(node.text()),
                NodeKind::Text => use_value(&text_value(node)),
                _ => use_value(&node.text_content()),
            },
        }
    }

    fn document_order(self, other: Self) -> Ordering {
        let nodes = match self.node == other.node {
            true => Ordering::Equal,
            false => self.tree.order.compare(self.node(), other.node()),
        };
        nodes.then_with(|| self.part_order().cmp(&other.part_order()))
    }

    /// Returns true for the attributes that DOM calls IDs, whatever a DTD declares, and for `xml:id`.
    fn is_id_attribute(self) -> bool {
        matches!(self.name(), Some((None | Some(XML), "id")))
    }
}
