//! Trees as XML that gives the same tree when it is read again, or that is refused.
//!
//! What the tree was read from need not be XML: declarations are added where a name's namespace would not be bound
//! otherwise. It must not know what is well-formed: the writer does.

use super::layout::{Before, Layout, Rules};
use crate::tree::mode::XmlVersion;
use crate::tree::prologue::Doctype;
use crate::tree::{Attribute, Document, Edge, Node, NodeId, NodeKind};
use crate::write::{Output, Subset, WriteError, Writer};
use alloc::vec::Vec;

/// How a tree is written.
pub(super) struct Style<'s> {
    pub(super) indent: Option<&'s str>,
    pub(super) has_namespaces: bool,
    /// The node itself is not written, but what is in it.
    pub(super) is_inner: bool,
}

/// Writes a node and all below it.
pub(super) fn write<W: Output<Kind>, Kind>(
    top: Node<'_>,
    style: &Style<'_>,
    output: W,
) -> Result<(), WriteError> {
    let document = top.document();
    let is_xml11 = document.xml_version() == XmlVersion::Xml11;
    let is_whole = top.kind() == NodeKind::Document && !style.is_inner;
    let mut out = Writer::xml(output).namespaces(style.has_namespaces);
    if !is_whole {
        out = out.content(is_xml11);
    } else if is_xml11 {
        out.declare_version("1.1")?;
    }
    let is_top_written = !style.is_inner && top.kind() != NodeKind::Document;
    let mut tree = Tree {
        document,
        style,
        layout: style
            .indent
            .is_some()
            .then(|| Layout::new(Rules::Xml, is_top_written)),
        doctype: document
            .doctype()
            .filter(|_| is_whole && has_doctype(document)),
        out,
    };
    for edge in top.edges().through_templates() {
        let (Edge::Open(node) | Edge::Close(node)) = edge;
        let is_written = is_top_written || node != top;
        let done = match edge {
            Edge::Open(node) => tree.open(node, is_written),
            Edge::Close(node) => tree.close(node, is_written),
        };
        done.map_err(|error| error.at(node.id().index()))?;
    }
    let root = NodeId::DOCUMENT.index();
    tree.out.finish().map_err(|error| error.at(root))?;
    Ok(())
}

/// Whether the document type is none of the nodes.
fn has_doctype(document: &Document) -> bool {
    document.prologue.doctype.is_some()
}

struct Tree<'a, 's, W, Kind> {
    document: &'a Document,
    style: &'s Style<'s>,
    layout: Option<Layout>,
    /// The one that is no node, and is yet to be written.
    doctype: Option<Doctype<'a>>,
    out: Writer<W, Kind>,
}

impl<W: Output<Kind>, Kind> Tree<'_, '_, W, Kind> {
    fn open(&mut self, node: Node<'_>, is_written: bool) -> Result<(), WriteError> {
        let before = self.layout.as_ref().map(|layout| layout.before(node));
        match before {
            Some(Before::Gone) => return Ok(()),
            Some(Before::Line(depth)) if self.out.is_begun() => {
                self.out
                    .begin_line(self.style.indent.unwrap_or_default(), depth);
            }
            _ => {}
        }
        match node.kind() {
            NodeKind::Element if is_written => {
                self.start(node)?;
                match is_empty(node) {
                    true => self.out.end().map(|_| ())?,
                    false => self.out.complete_tag()?,
                }
            }
            NodeKind::Text => self.out.text(node.text()).map(|_| ())?,
            NodeKind::Comment => self.out.comment(node.text()).map(|_| ())?,
            NodeKind::ProcessingInstruction => {
                self.out
                    .processing_instruction(node.name(), node.text())
                    .map(|_| ())?;
            }
            NodeKind::Doctype => {
                if let Some(doctype) = node.doctype() {
                    self.doctype(doctype, &Subset::default())?;
                }
            }
            NodeKind::Document if self.document.doctype_after().is_none() => {
                self.late_doctype()?;
            }
            NodeKind::Element | NodeKind::Document | NodeKind::DocumentFragment => {}
        }
        if let (Some(layout), true) = (&mut self.layout, is_parent(node)) {
            layout.enter(node);
        }
        Ok(())
    }

    fn close(&mut self, node: Node<'_>, is_written: bool) -> Result<(), WriteError> {
        let layout = self.layout.as_mut().filter(|_| is_parent(node));
        let before = layout.map(Layout::leave);
        if node.is_element() && is_written && !is_empty(node) {
            if let Some(Before::Line(depth)) = before {
                self.out
                    .begin_line(self.style.indent.unwrap_or_default(), depth);
            }
            self.out.end()?;
        }
        match self.document.doctype_after() == Some(node.id()) {
            true => self.late_doctype(),
            false => Ok(()),
        }
    }

    /// The document type that is no node, where it stands.
    fn late_doctype(&mut self) -> Result<(), WriteError> {
        let document = NodeId::DOCUMENT.index();
        self.whole_doctype().map_err(|error| error.at(document))
    }

    fn whole_doctype(&mut self) -> Result<(), WriteError> {
        let Some(doctype) = self.doctype.take() else {
            return Ok(());
        };
        let mut subset = Subset::default();
        for (target, data) in self.document.doctype_instructions() {
            self.out.add_instruction(&mut subset, target, data)?;
        }
        for one in self.document.notations() {
            let ids = (one.public_id(), one.system_id());
            self.out.add_notation(&mut subset, one.name(), ids)?;
        }
        if self.layout.is_some() && self.out.is_begun() {
            self.out.begin_line("", 0);
        }
        self.doctype(doctype, &subset)
    }

    fn doctype(&mut self, doctype: Doctype<'_>, subset: &Subset) -> Result<(), WriteError> {
        let public = doctype.public_id();
        // XML has no public identifier alone, as HTML has.
        let system = doctype.system_id().or(public.map(|_| ""));
        self.out
            .doctype_of(doctype.name(), (public, system), subset)
    }

    fn start(&mut self, element: Node<'_>) -> Result<(), WriteError> {
        if !self.style.has_namespaces {
            self.out.start(element.name())?;
            for attribute in element.attributes() {
                self.out.attribute(attribute.name(), attribute.value())?;
            }
            return Ok(());
        }
        let namespace = element.namespace().unwrap_or_default();
        sure_local(element.local_name())?;
        self.out.start_ns(namespace, element.name())?;
        let needed = Needed::of(element);
        for attribute in element.attributes() {
            let (name, value) = (attribute.name(), attribute.value());
            if let Some(prefix) = declared(&attribute) {
                // The namespaces of names go before what an attribute of HTML says.
                if !needed.is_other(prefix, value) {
                    self.out.attribute(name, value)?;
                }
            } else if attribute.namespace().is_none() && name.starts_with("xml:") {
                self.out.attribute(name, value)?;
            } else {
                sure_local(attribute.local_name())?;
                let namespace = attribute.namespace().unwrap_or_default();
                self.out.attribute_ns(namespace, name, value)?;
            }
        }
        Ok(())
    }
}

/// A colon in a local name would be read as the end of a prefix.
pub(super) fn sure_local(name: &str) -> Result<(), WriteError> {
    match name.contains(':') {
        true => Err(WriteError::no_name(name)),
        false => Ok(()),
    }
}

/// The prefix that an attribute declares.
pub(super) fn declared<'a>(attribute: &Attribute<'a>) -> Option<&'a str> {
    match attribute.name().strip_prefix("xmlns")? {
        "" => Some(""),
        rest => rest.strip_prefix(':'),
    }
}

/// The namespaces of the names of a tag, by their prefixes, in order; none, where the tag declares nothing.
pub(super) struct Needed<'a>(Vec<(&'a str, &'a str)>);

impl<'a> Needed<'a> {
    pub(super) fn of(element: Node<'a>) -> Needed<'a> {
        match element.attributes().any(|one| declared(&one).is_some()) {
            true => Needed::all(element),
            false => Needed(Vec::new()),
        }
    }

    /// The same, whether the tag declares any.
    pub(super) fn all(element: Node<'a>) -> Needed<'a> {
        let mut needed = Vec::new();
        let prefix = element.prefix().unwrap_or_default();
        needed.push((prefix, element.namespace().unwrap_or_default()));
        let prefixed = element.attributes().filter(|one| declared(one).is_none());
        needed.extend(prefixed.filter_map(|one| Some((one.prefix()?, one.namespace()?))));
        needed.sort_unstable();
        needed.dedup();
        Needed(needed)
    }

    /// By prefixes.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&'a str, &'a str)> + '_ {
        self.0.iter().copied()
    }

    /// Whether a declaration would bind a prefix to another namespace than names of the tag are in.
    pub(super) fn is_other(&self, prefix: &str, namespace: &str) -> bool {
        let at = self.0.partition_point(|(other, _)| *other < prefix);
        let found = self.0.get(at).filter(|(other, _)| *other == prefix);
        found.is_some_and(|(_, needed)| !needed.is_empty() && *needed != namespace)
    }
}

/// Whether an element is written as an empty tag.
fn is_empty(element: Node<'_>) -> bool {
    element.first_child().is_none()
        && element
            .template_contents()
            .is_none_or(|contents| contents.first_child().is_none())
}

pub(super) fn is_parent(node: Node<'_>) -> bool {
    matches!(
        node.kind(),
        NodeKind::Element | NodeKind::Document | NodeKind::DocumentFragment
    )
}
