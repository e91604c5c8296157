//! Trees as XML that gives the same tree when it is read again.
//!
//! What the tree was read from need not be XML: declarations are added where a name's namespace
//! would not be bound otherwise. What XML cannot say is written as near to it as possible: `-->` in
//! a comment as `-- >`, `?>` in a processing instruction as `? >`, a control character as it is.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::escape::{Escape, write_defused, write_escaped, written};
use crate::tree::names::{NamespaceId, PrefixId};
use crate::tree::prologue::{Doctype, XmlVersion};
use crate::tree::{Document, Edge, Node, NodeKind};

impl Document {
    /// The document as XML that gives the same tree when it is read again.
    ///
    /// ```
    /// use tagstream::{Document, Xml};
    ///
    /// let document = Document::parse(Xml::default(), "<a b=1>text")?;
    /// assert_eq!(document.to_xml(), r#"<a b="1">text</a>"#);
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn to_xml(&self) -> String {
        self.root().to_xml()
    }

    /// Writes what [`to_xml`](Self::to_xml) returns.
    ///
    /// ```
    /// use tagstream::{Document, Xml};
    ///
    /// let document = Document::parse(Xml::default(), "<a/>")?;
    /// let mut out = String::new();
    /// document.write_xml(&mut out).expect("a string takes all");
    /// assert_eq!(out, "<a/>");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of `out`.
    pub fn write_xml(&self, out: &mut impl fmt::Write) -> fmt::Result {
        self.root().write_xml(out)
    }
}

impl Node<'_> {
    /// The node and all below it as XML; namespaces that are declared further up are declared on
    /// it.
    ///
    /// ```
    /// use tagstream::{Document, Xml};
    ///
    /// let document = Document::parse(Xml::default(), "<a xmlns='urn:a'><b/></a>")?;
    /// let b = document.root().descendants().last().unwrap();
    /// assert_eq!(b.to_xml(), r#"<b xmlns="urn:a"/>"#);
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn to_xml(&self) -> String {
        written(|out| self.write_xml(out))
    }

    /// Writes what [`to_xml`](Self::to_xml) returns.
    ///
    /// ```
    /// use tagstream::{Document, Xml};
    ///
    /// let document = Document::parse(Xml::default(), "<a/>")?;
    /// let mut out = String::new();
    /// let a = document.root_element().unwrap();
    /// a.write_xml(&mut out).expect("a string takes all");
    /// assert_eq!(out, "<a/>");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of `out`.
    pub fn write_xml(&self, out: &mut impl fmt::Write) -> fmt::Result {
        let document = self.document();
        let is_xml11 = document.xml_version() == XmlVersion::Xml11;
        let mut scope = Scope::new(document);
        let doctype = document
            .prologue
            .doctype
            .is_some()
            .then(|| document.doctype())
            .flatten();
        let doctype = doctype.filter(|_| self.kind() == NodeKind::Document);
        if self.kind() == NodeKind::Document && is_xml11 {
            out.write_str("<?xml version=\"1.1\"?>")?;
        }
        for edge in self.edges().through_templates() {
            match edge {
                Edge::Open(node) => match node.kind() {
                    NodeKind::Element => write_start(out, node, &mut scope, is_xml11)?,
                    NodeKind::Text => write_escaped(out, node.text(), text_escape(is_xml11))?,
                    NodeKind::Comment => {
                        out.write_str("<!--")?;
                        write_defused(out, node.text(), "-->", "-- >")?;
                        out.write_str("-->")?;
                    }
                    NodeKind::ProcessingInstruction => {
                        write_instruction(out, node.name(), node.text())?;
                    }
                    NodeKind::Doctype => {
                        if let Some(doctype) = node.doctype() {
                            write_doctype(out, doctype, None)?;
                        }
                    }
                    NodeKind::Document if document.doctype_after().is_none() => {
                        if let Some(doctype) = doctype {
                            write_doctype(out, doctype, Some(document))?;
                        }
                    }
                    NodeKind::Document | NodeKind::DocumentFragment => {}
                },
                Edge::Close(node) => {
                    if node.is_element() {
                        if !is_empty(node) {
                            write!(out, "</{}>", node.name())?;
                        }
                        scope.close();
                    }
                    if let Some(doctype) = doctype
                        && document.doctype_after() == Some(node.id())
                    {
                        write_doctype(out, doctype, Some(document))?;
                    }
                }
            }
        }
        Ok(())
    }
}

/// Whether an element is written as an empty tag.
fn is_empty(element: Node<'_>) -> bool {
    element.first_child().is_none()
        && element
            .template_contents()
            .is_none_or(|contents| contents.first_child().is_none())
}

fn write_start<'a>(
    out: &mut impl fmt::Write,
    element: Node<'a>,
    scope: &mut Scope<'a>,
    is_xml11: bool,
) -> fmt::Result {
    write!(out, "<{}", element.name())?;
    scope.open(element);
    for attribute in element.attributes() {
        if scope.is_added(attribute.name()) {
            continue;
        }
        write!(out, " {}=\"", attribute.name())?;
        write_escaped(out, attribute.value(), value_escape(is_xml11))?;
        out.write_char('"')?;
    }
    for (name, namespace) in &scope.added {
        write!(out, " {name}=\"")?;
        write_escaped(out, namespace, value_escape(is_xml11))?;
        out.write_char('"')?;
    }
    out.write_str(if is_empty(element) { "/>" } else { ">" })
}

fn write_instruction(out: &mut impl fmt::Write, target: &str, data: &str) -> fmt::Result {
    write!(out, "<?{target}")?;
    if !data.is_empty() {
        out.write_char(' ')?;
        write_defused(out, data, "?>", "? >")?;
    }
    out.write_str("?>")
}

/// Writes a doctype; with the notations and processing instructions of `subset` if it has any.
fn write_doctype(
    out: &mut impl fmt::Write,
    doctype: Doctype<'_>,
    subset: Option<&Document>,
) -> fmt::Result {
    write!(out, "<!DOCTYPE {}", doctype.name())?;
    write_identifiers(out, doctype.public_id(), doctype.system_id(), true)?;
    let subset = subset.filter(|document| {
        document.notations().next().is_some() || document.doctype_instructions().next().is_some()
    });
    if let Some(document) = subset {
        out.write_str(" [")?;
        for (target, data) in document.doctype_instructions() {
            write_instruction(out, target, data)?;
        }
        for notation in document.notations() {
            write!(out, "<!NOTATION {}", notation.name())?;
            write_identifiers(out, notation.public_id(), notation.system_id(), false)?;
            out.write_char('>')?;
        }
        out.write_char(']')?;
    }
    out.write_char('>')
}

/// Writes the identifiers of a doctype, whose public identifier never stands alone, or of a
/// notation.
fn write_identifiers(
    out: &mut impl fmt::Write,
    public_id: Option<&str>,
    system_id: Option<&str>,
    needs_system: bool,
) -> fmt::Result {
    if let Some(public_id) = public_id {
        out.write_str(" PUBLIC ")?;
        write_quoted(out, public_id)?;
    }
    let system_id = system_id.or((needs_system && public_id.is_some()).then_some(""));
    if let Some(system_id) = system_id {
        out.write_str(if public_id.is_some() { " " } else { " SYSTEM " })?;
        write_quoted(out, system_id)?;
    }
    Ok(())
}

/// Writes an identifier between quotes that it does not contain; one that has both kinds gets `%22`
/// for one.
fn write_quoted(out: &mut impl fmt::Write, identifier: &str) -> fmt::Result {
    if identifier.contains('"') && !identifier.contains('\'') {
        write!(out, "'{identifier}'")
    } else {
        out.write_char('"')?;
        write_defused(out, identifier, "\"", "%22")?;
        out.write_char('"')
    }
}

fn text_escape(is_xml11: bool) -> impl Fn(char) -> Option<Escape> {
    move |character| match character {
        '&' => Some(Escape::As("&amp;")),
        '<' => Some(Escape::As("&lt;")),
        '>' => Some(Escape::As("&gt;")),
        '\r' => Some(Escape::As("&#13;")),
        _ if is_xml11 && needs_reference(character) => Some(Escape::Decimal),
        _ => None,
    }
}

fn value_escape(is_xml11: bool) -> impl Fn(char) -> Option<Escape> {
    move |character| match character {
        '&' => Some(Escape::As("&amp;")),
        '<' => Some(Escape::As("&lt;")),
        '>' => Some(Escape::As("&gt;")),
        '"' => Some(Escape::As("&quot;")),
        '\t' => Some(Escape::As("&#9;")),
        '\n' => Some(Escape::As("&#10;")),
        '\r' => Some(Escape::As("&#13;")),
        _ if is_xml11 && needs_reference(character) => Some(Escape::Decimal),
        _ => None,
    }
}

/// Whether XML 1.1 has this character by reference only, or would read it as the end of a line.
fn needs_reference(character: char) -> bool {
    matches!(character, '\u{1}'..='\u{8}' | '\u{B}' | '\u{C}' | '\u{E}'..='\u{1F}')
        || matches!(character, '\u{7F}'..='\u{9F}' | '\u{2028}')
}

/// What a prefix is bound to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Binding {
    /// Nothing; the prefix is not declared, or the default is no namespace.
    Unbound,
    /// A namespace that names of the document are in.
    To(NamespaceId),
    /// A namespace that no name of the document is in.
    Foreign,
}

/// Which prefix is bound to what, at the element that is being written.
///
/// Prefixes and namespaces are the numbers that the document has given them, so that no look-up
/// depends on how many declarations are in scope or how long they are.
struct Scope<'a> {
    document: &'a Document,
    /// By prefix.
    bindings: Vec<Binding>,
    /// What the open elements have changed: the prefix and its binding before.
    changes: Vec<(PrefixId, Binding)>,
    /// For each open element, how many changes there were before it; without those that changed
    /// nothing.
    elements: Vec<Change>,
    /// The declarations that the element which was opened last needs and does not have.
    added: Vec<(String, &'a str)>,
}

/// Open elements with the same changes in scope.
struct Change {
    before: usize,
    elements: usize,
}

impl<'a> Scope<'a> {
    fn new(document: &'a Document) -> Self {
        let mut bindings = Vec::new();
        bindings.resize(document.names.prefix_count(), Binding::Unbound);
        bindings[PrefixId::XML.index()] = Binding::To(NamespaceId::XML);
        Self {
            document,
            bindings,
            changes: Vec::new(),
            elements: Vec::new(),
            added: Vec::new(),
        }
    }

    /// Takes in the declarations of an element, and notes those that it needs beyond them.
    fn open(&mut self, element: Node<'a>) {
        let before = self.changes.len();
        self.added.clear();
        let names = &self.document.names;
        for attribute in element.attributes() {
            if names.namespace_id(attribute.name) != Some(NamespaceId::XMLNS) {
                continue;
            }
            let prefix = match attribute.prefix() {
                Some(_) => names.find_prefix(attribute.local_name()),
                None => Some(PrefixId::NONE),
            };
            // A prefix that no name has is of no interest.
            if let Some(prefix) = prefix {
                let binding = match attribute.value() {
                    "" => Binding::Unbound,
                    name => names
                        .find_namespace(name)
                        .map_or(Binding::Foreign, Binding::To),
                };
                self.bind(prefix, binding);
            }
        }
        if let Some(name) = element.element_name() {
            let prefix = names.prefix_id(name);
            let namespace = names.namespace_id(name);
            // A name with a colon and no prefix was not read as a qualified name, and will not be
            // again.
            if prefix != PrefixId::NONE || namespace.is_some() || !element.name().contains(':') {
                self.need(prefix, namespace);
            }
        }
        for attribute in element.attributes() {
            let namespace = names.namespace_id(attribute.name);
            let prefix = names.prefix_id(attribute.name);
            if prefix != PrefixId::NONE && namespace != Some(NamespaceId::XMLNS) {
                self.need(prefix, namespace);
            }
        }
        match self.elements.last_mut() {
            Some(last) if before == self.changes.len() => last.elements += 1,
            _ => self.elements.push(Change {
                before,
                elements: 1,
            }),
        }
        // In order, to be searched; and no name twice, even if it is needed for two namespaces.
        self.added.sort_unstable();
        self.added.dedup_by(|(a, _), (b, _)| a == b);
    }

    /// Forgets the declarations of the element that was opened last.
    fn close(&mut self) {
        let Some(last) = self.elements.last_mut() else {
            return;
        };
        last.elements -= 1;
        if last.elements > 0 {
            return;
        }
        let before = last.before;
        self.elements.pop();
        for (prefix, binding) in self.changes.drain(before..).rev() {
            self.bindings[prefix.index()] = binding;
        }
    }

    /// Whether the element that was opened last gets a declaration of this name.
    fn is_added(&self, name: &str) -> bool {
        self.added
            .binary_search_by(|(added, _)| added.as_str().cmp(name))
            .is_ok()
    }

    /// Declares the prefix if it is bound to something else.
    fn need(&mut self, prefix: PrefixId, namespace: Option<NamespaceId>) {
        let needed = namespace.map_or(Binding::Unbound, Binding::To);
        let cannot_be_unbound = prefix != PrefixId::NONE && namespace.is_none();
        if self.bindings[prefix.index()] == needed || prefix == PrefixId::XML || cannot_be_unbound {
            return;
        }
        self.bind(prefix, needed);
        let names = &self.document.names;
        let name = match prefix {
            PrefixId::NONE => String::from("xmlns"),
            _ => alloc::format!("xmlns:{}", names.prefix_name(prefix)),
        };
        self.added.push((
            name,
            namespace.map_or("", |namespace| names.namespace_name(namespace)),
        ));
    }

    fn bind(&mut self, prefix: PrefixId, binding: Binding) {
        let before = core::mem::replace(&mut self.bindings[prefix.index()], binding);
        self.changes.push((prefix, before));
    }
}
