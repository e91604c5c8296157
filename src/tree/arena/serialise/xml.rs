//! Serialization as XML. A parser of the output returns the same tree. If this is impossible for a tree, the serializer
//! returns an error.
//!
//! The tree can also come from HTML or from a program. Namespace declarations are therefore added for names whose
//! namespace is not declared by an attribute. The `Writer` checks that the output is well-formed.

use super::coerce::Coerce;
use super::layout::{Before, Layout, Rules, is_html};
use super::namespaces::{Shared, of_attribute, of_element};
use super::tag::AttributeKind;
use crate::engine::document_mode::XmlVersion;
use crate::engine::namespaces::declared_prefix;
use crate::engine::text::html_facts;
use crate::engine::work;
use crate::tree::arena::document::Document;
use crate::tree::arena::node::{Node, NodeKind};
use crate::tree::arena::node_attribute::Attribute;
use crate::tree::arena::node_id::NodeId;
use crate::tree::arena::prologue::Doctype;
use crate::tree::arena::walk::Edge;
use crate::tree::qualified_name::NamespaceId;
use crate::write::{Output, Reason, Subset, WriteError, Writer};
use alloc::vec::Vec;

/// The options for writing a tree as XML.
pub(super) struct Style<'s> {
    pub(super) indent: Option<&'s str>,
    pub(super) has_namespaces: bool,
    /// True if a document begins with an XML declaration even in XML 1.0.
    pub(super) has_declaration: bool,
    /// True if only the content of the node is written, without the node itself.
    pub(super) is_inner: bool,
    /// The text of the internal subset, if it is written as it is in the document.
    pub(super) subset: Option<&'s str>,
}

/// Writes a node with its descendants, or only the descendants if [`Style::is_inner`] is true, to `output`.
/// With a coercer, what XML cannot express is coerced instead of refused. Returns the coercer.
pub(super) fn write<'a, W: Output<Kind>, Kind, C: Coerce<'a>>(
    top: Node<'a>,
    style: &Style<'_>,
    coercer: Option<C>,
    output: W,
) -> Result<Option<C>, WriteError> {
    let document = top.document();
    let is_xml11 = document.xml_version() == XmlVersion::Xml11;
    let is_whole = top.kind() == NodeKind::Document && !style.is_inner;
    let mut out = Writer::xml(output).namespaces(style.has_namespaces);
    if !is_whole {
        out = out.content(is_xml11);
    } else if is_xml11 || style.has_declaration {
        let version = if is_xml11 { "1.1" } else { "1.0" };
        let (has_encoding, standalone) = match document.xml_declaration() {
            _ if !style.has_declaration => (false, None),
            Some(xml) => (xml.encoding().is_some(), xml.standalone()),
            None => (true, None),
        };
        out.declare_xml(version, has_encoding, standalone)?;
    }
    let is_top_written = !style.is_inner && top.kind() != NodeKind::Document;
    let mut tree = Tree {
        document,
        style,
        namespaces: Shared::new(document),
        coercer,
        is_whole,
        layout: style
            .indent
            .is_some()
            .then(|| Layout::new(Rules::Xml, is_top_written)),
        doctype: document
            .doctype()
            .filter(|_| is_whole && has_doctype(document)),
        out,
    };
    let root = NodeId::DOCUMENT.index();
    let done = tree.all(top, is_top_written).and_then(|()| {
        let ended = tree.out.check_end();
        ended.map_err(|error| error.at(root))
    });
    if let Err(error) = done {
        // After an error, buffered output is discarded, so that it is not written when the writer is dropped.
        tree.out.discard();
        return Err(error);
    }
    tree.out.finish().map_err(|error| error.at(root))?;
    Ok(tree.coercer)
}

/// Returns true if the document has a document type that is not a node, which is the case in XML.
fn has_doctype(document: &Document) -> bool {
    document.prologue.doctype.is_some()
}

struct Tree<'a, 's, W: Output<Kind>, Kind, C> {
    document: &'a Document,
    style: &'s Style<'s>,
    namespaces: Shared<'a>,
    coercer: Option<C>,
    /// True if a whole document is written, in which only whitespace, comments and processing instructions are outside
    /// the root element.
    is_whole: bool,
    layout: Option<Layout>,
    /// The document type that is not a node, until it is written.
    doctype: Option<Doctype<'a>>,
    out: Writer<W, Kind>,
}

impl<'a, W: Output<Kind>, Kind, C: Coerce<'a>> Tree<'a, '_, W, Kind, C> {
    /// Writes the descendants of `top`, and `top` itself if `is_top_written` is true.
    fn all(&mut self, top: Node<'a>, is_top_written: bool) -> Result<(), WriteError> {
        for edge in top.edges().through_templates() {
            let (Edge::Open(node) | Edge::Close(node)) = edge;
            let is_written = is_top_written || node != top;
            let done = match edge {
                Edge::Open(node) => self.open(node, is_written),
                Edge::Close(node) => self.close(node, is_written),
            };
            done.map_err(|error| error.at(node.id().index()))?;
        }
        Ok(())
    }

    fn open(&mut self, node: Node<'a>, is_written: bool) -> Result<(), WriteError> {
        let before = self.layout.as_ref().map(|layout| layout.before(node));
        match before {
            Some(Before::Gone) => {
                // Characters beside the whitespace can be left out with it, which is reported.
                if let Some(coercer) = &mut self.coercer {
                    coercer.set_node(node.id());
                    coercer.content(node, self.is_whole);
                }
                return Ok(());
            }
            Some(Before::Line(depth)) if self.out.is_begun() => {
                self.out
                    .begin_line(self.style.indent.unwrap_or_default(), depth);
            }
            _ => {}
        }
        if let Some(coercer) = &mut self.coercer {
            coercer.set_node(node.id());
        }
        match node.kind() {
            NodeKind::Element if is_written => {
                match self.coercer.is_some() {
                    true => self.start_coerced(node)?,
                    false => self.start(node)?,
                }
                match self.is_empty(node) {
                    true => self.out.end().map(|_| ())?,
                    false => self.out.complete_tag()?,
                }
            }
            NodeKind::Text | NodeKind::Comment | NodeKind::ProcessingInstruction => {
                let coerced = self
                    .coercer
                    .as_mut()
                    .map(|coercer| coercer.content(node, self.is_whole));
                let (name, text) = match &coerced {
                    Some((name, text)) => (&**name, &**text),
                    None => (node.name(), node.text()),
                };
                match node.kind() {
                    NodeKind::Text if node.is_cdata() => self.out.sections(text)?,
                    NodeKind::Text => _ = self.out.text(text)?,
                    NodeKind::Comment => _ = self.out.comment(text)?,
                    _ => _ = self.out.processing_instruction(name, text)?,
                }
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
            let (coercer, is_whole) = (self.coercer.as_ref(), self.is_whole);
            layout.enter(node, &|node, text| match coercer {
                Some(coercer) => coercer.written(node, text, is_whole),
                None => text.into(),
            });
        }
        Ok(())
    }

    fn close(&mut self, node: Node<'_>, is_written: bool) -> Result<(), WriteError> {
        let layout = self.layout.as_mut().filter(|_| is_parent(node));
        let before = layout.map(Layout::leave);
        if node.is_element() && is_written && !self.is_empty(node) {
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

    /// Returns true if an element is written as an empty-element tag, such as `<a/>`: nothing is written between its tags,
    /// and it is not an element of HTML that can have content. A parser of HTML ignores the slash in `<p/>`, so the
    /// standard for serialization in scripts (<https://w3c.github.io/DOM-Parsing/>) writes `<p></p>`. Without namespaces,
    /// the output has no elements of HTML.
    fn is_empty(&self, element: Node<'_>) -> bool {
        let is_left_out = |node: Node<'_>| {
            let coercer = self.coercer.as_ref();
            let written = coercer.map(|coercer| coercer.written(node, node.text(), self.is_whole));
            node.is_text() && written.is_some_and(|written| written.is_empty())
        };
        element.children().all(is_left_out)
            && (!self.style.has_namespaces
                || !is_html(element)
                || html_facts::VOID.contains(element.local_name()))
            && element
                .template_contents()
                .is_none_or(|contents| contents.first_child().is_none())
    }

    /// Writes the document type that is not a node, if it is not yet written. Called at the position of the document
    /// type.
    fn late_doctype(&mut self) -> Result<(), WriteError> {
        let document = NodeId::DOCUMENT.index();
        self.whole_doctype().map_err(|error| error.at(document))
    }

    fn whole_doctype(&mut self) -> Result<(), WriteError> {
        let Some(doctype) = self.doctype.take() else {
            return Ok(());
        };
        let mut subset = Subset::default();
        if let Some(coercer) = &mut self.coercer {
            coercer.set_node(NodeId::DOCUMENT);
        }
        match self.style.subset {
            Some(text) => subset = Subset(text.into()),
            None => self.add_declarations(&mut subset)?,
        }
        if self.layout.is_some() && self.out.is_begun() {
            self.out.begin_line("", 0);
        }
        self.doctype(doctype, &subset)
    }

    /// Adds the processing instructions and the notations of the document type to its internal subset.
    fn add_declarations(&mut self, subset: &mut Subset) -> Result<(), WriteError> {
        let document = self.document;
        if let (Some(coercer), Some(text)) = (&mut self.coercer, document.internal_subset()) {
            coercer.report(Reason::Subset, text, None);
        }
        for (target, data) in document.doctype_instructions() {
            let (target, data) = match &mut self.coercer {
                Some(coercer) => coercer.instruction(target, data),
                None => (target.into(), data.into()),
            };
            self.out.add_instruction(subset, &target, &data)?;
        }
        for one in document.notations() {
            let ids = (one.public_id(), one.system_id());
            let Some(coercer) = &mut self.coercer else {
                self.out.add_notation(subset, one.name(), ids)?;
                continue;
            };
            if let Some(one) = coercer.notation(one.name(), ids) {
                let ids = (one.public_id.as_deref(), one.system_id.as_deref());
                self.out.add_notation(subset, &one.name, ids)?;
            }
        }
        Ok(())
    }

    fn doctype(&mut self, doctype: Doctype<'_>, subset: &Subset) -> Result<(), WriteError> {
        let public = doctype.public_id();
        // HTML allows a public identifier without a system identifier, but XML does not: an empty system identifier is
        // added.
        let system = doctype.system_id().or(public.map(|_| ""));
        let Some(coercer) = &mut self.coercer else {
            return self
                .out
                .doctype_of(doctype.name(), (public, system), subset);
        };
        if !self.out.may_have_doctype() {
            coercer.report(Reason::Doctype, doctype.name(), None);
            return Ok(());
        }
        let coerced = coercer.doctype(doctype.name(), (public, system));
        let ids = (coerced.public_id.as_deref(), coerced.system_id.as_deref());
        self.out.doctype_of(&coerced.name, ids, subset)
    }

    /// Writes the beginning of the start tag of an element, coerced.
    fn start_coerced(&mut self, element: Node<'a>) -> Result<(), WriteError> {
        let Some(coercer) = &mut self.coercer else {
            return Ok(());
        };
        let tag = coercer.tag(&mut self.namespaces, element);
        if !self.style.has_namespaces {
            self.out.start(&tag.name)?;
        } else {
            let namespace = self.namespaces.name(tag.namespace);
            self.out.start_in(namespace, &tag.name)?;
        }
        for one in &tag.attributes {
            match one.kind {
                AttributeKind::In(namespace) if self.style.has_namespaces => {
                    let namespace = self.namespaces.name(namespace);
                    self.out.attribute_in(namespace, &one.name, &one.value)?;
                }
                _ => _ = self.out.attribute(&one.name, &*one.value)?,
            }
        }
        Ok(())
    }

    fn start(&mut self, element: Node<'_>) -> Result<(), WriteError> {
        if !self.style.has_namespaces {
            self.out.start(element.name())?;
            for attribute in element.attributes() {
                self.out.attribute(attribute.name(), attribute.value())?;
            }
            return Ok(());
        }
        check_local_name(element.local_name())?;
        let namespace = self.namespaces.name(of_element(element));
        self.out.start_in(namespace, element.name())?;
        let needed = Needed::of(element);
        for attribute in element.attributes() {
            let (name, value) = (attribute.name(), attribute.value());
            if let Some(prefix) = declared(&attribute) {
                // HTML does not treat `xmlns` attributes as declarations. If such an attribute contradicts the
                // namespace of a name, it is omitted.
                if !needed.is_other(prefix, value) {
                    self.out.attribute(name, value)?;
                }
            } else if attribute.namespace().is_none() && name.starts_with("xml:") {
                self.out.attribute(name, value)?;
            } else {
                check_local_name(attribute.local_name())?;
                let namespace = self.namespaces.name(of_attribute(&attribute));
                self.out.attribute_in(namespace, name, value)?;
            }
        }
        Ok(())
    }
}

/// Returns an error if a local name contains a colon, because a parser would take the colon for the end of a prefix.
pub(super) fn check_local_name(name: &str) -> Result<(), WriteError> {
    match name.contains(':') {
        true => Err(WriteError::no_name(name)),
        false => Ok(()),
    }
}

/// Returns the prefix that an attribute declares: an empty string for `xmlns`, and `None` if the attribute is not a
/// namespace declaration.
pub(super) fn declared<'a>(attribute: &Attribute<'a>) -> Option<&'a str> {
    declared_prefix(attribute.name())
}

/// A prefix that names of a tag use, with the namespace that it must be bound to.
#[derive(Clone, Copy)]
pub(super) struct Need<'a> {
    pub(super) prefix: &'a str,
    pub(super) namespace: Option<NamespaceId>,
    /// The name of the namespace; empty for no namespace.
    pub(super) name: &'a str,
}

/// The prefixes that the names of a tag use, with their namespaces, sorted by prefix. The list stays empty if the tag
/// has no namespace declarations, because it is used to check these.
pub(super) struct Needed<'a>(Vec<Need<'a>>);

impl<'a> Needed<'a> {
    pub(super) fn of(element: Node<'a>) -> Needed<'a> {
        match element.attributes().any(|one| declared(&one).is_some()) {
            true => Needed::all(element),
            false => Needed(Vec::new()),
        }
    }

    /// Returns the prefixes that the names of a tag use, even if the tag has no namespace declarations.
    pub(super) fn all(element: Node<'a>) -> Needed<'a> {
        let mut needed = Vec::new();
        needed.push(Need {
            prefix: element.prefix().unwrap_or_default(),
            namespace: of_element(element),
            name: element.namespace().unwrap_or_default(),
        });
        let prefixed = element.attributes().filter(|one| declared(one).is_none());
        needed.extend(prefixed.filter_map(|one| {
            Some(Need {
                prefix: one.prefix()?,
                namespace: of_attribute(&one),
                name: one.namespace()?,
            })
        }));
        // Namespaces are compared by their IDs. A comparison of their names, which can be long, would read equal names
        // to the end.
        let key = |need: &Need<'a>| (need.prefix, need.namespace.map(NamespaceId::index));
        needed.sort_unstable_by_key(key);
        needed.dedup_by_key(|need| key(need));
        Needed(needed)
    }

    /// Returns the prefixes with their namespaces, sorted by prefix.
    pub(super) fn iter(&self) -> impl Iterator<Item = Need<'a>> + '_ {
        self.0.iter().copied()
    }

    /// Returns true if a declaration of `prefix` as `namespace` contradicts the names of the tag, because these use the
    /// prefix for another namespace.
    pub(super) fn is_other(&self, prefix: &str, namespace: &str) -> bool {
        let at = self.0.partition_point(|need| need.prefix < prefix);
        let found = self.0.get(at).filter(|need| need.prefix == prefix);
        found.is_some_and(|need| {
            work::count(need.name.len().min(namespace.len()));
            !need.name.is_empty() && need.name != namespace
        })
    }
}

pub(super) fn is_parent(node: Node<'_>) -> bool {
    matches!(
        node.kind(),
        NodeKind::Element | NodeKind::Document | NodeKind::DocumentFragment
    )
}
