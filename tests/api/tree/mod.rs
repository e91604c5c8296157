//! The public API of trees: trees are built with `TreeSink`, traversed, edited and serialized in every format. These
//! tests do not use a parser to build them.

mod coerced;
mod deep;
mod kept;
mod nodes;
mod subtrees;
mod written;

use tagstream::tree::{Document, Node, NodeId, NodeKind, QualifiedName, TreeSink};
use testing::run::Program;

pub(crate) fn add(program: &mut Program) {
    coerced::add(program);
    deep::add(program);
    kept::add(program);
    nodes::add(program);
    subtrees::add(program);
    written::add(program);
}

fn element(document: &mut Document, parent: NodeId, name: &str) -> NodeId {
    let element = document.create_element(QualifiedName::new(name));
    TreeSink::append(document, parent, element);
    element
}

/// Creates an element in a namespace. If the name contains a colon, the part before the first colon is the prefix.
fn element_in(document: &mut Document, parent: NodeId, name: &str, namespace: &str) -> NodeId {
    let namespace = document.namespace(namespace);
    let element = document.create_element(QualifiedName::prefixed(name, Some(namespace)));
    TreeSink::append(document, parent, element);
    element
}

fn attribute(document: &mut Document, element: NodeId, name: &str, value: &str) {
    document.add_attribute(element, QualifiedName::new(name), value);
}

fn attribute_ns(
    document: &mut Document,
    element: NodeId,
    name: &str,
    namespace: &str,
    value: &str,
) {
    let namespace = document.namespace(namespace);
    document.add_attribute(
        element,
        QualifiedName::prefixed(name, Some(namespace)),
        value,
    );
}

fn comment(document: &mut Document, parent: NodeId, data: &str) -> NodeId {
    let comment = document.create_comment(data);
    TreeSink::append(document, parent, comment);
    comment
}

fn instruction(document: &mut Document, parent: NodeId, target: &str, data: &str) -> NodeId {
    let instruction = document.create_processing_instruction(target, data);
    TreeSink::append(document, parent, instruction);
    instruction
}

fn names(nodes: impl Iterator<Item = impl AsName>) -> String {
    nodes
        .map(|node| node.as_name())
        .collect::<Vec<_>>()
        .join(" ")
}

/// The representation of a node as one word: its name, or its data.
trait AsName {
    fn as_name(&self) -> String;
}

impl AsName for Node<'_> {
    fn as_name(&self) -> String {
        match self.kind() {
            NodeKind::Document => "#document".into(),
            NodeKind::DocumentFragment => "#fragment".into(),
            NodeKind::Text | NodeKind::Comment => self.text().into(),
            _ => self.name().into(),
        }
    }
}

/// `<a><b>x<c/></b><!--y--><d><?e f?></d></a>`
fn sample() -> (Document, [NodeId; 4]) {
    let mut document = Document::new();
    let root = document.document();
    let a = element(&mut document, root, "a");
    let b = element(&mut document, a, "b");
    TreeSink::append_text(&mut document, b, "x");
    let c = element(&mut document, b, "c");
    comment(&mut document, a, "y");
    let d = element(&mut document, a, "d");
    instruction(&mut document, d, "e", "f");
    (document, [a, b, c, d])
}

/// Creates a document with a root element.
fn with_root(name: &str) -> (Document, NodeId) {
    let mut document = Document::new();
    let root = document.document();
    let root = element(&mut document, root, name);
    (document, root)
}
