//! Serialization as Canonical XML 1.0: equivalent documents become identical bytes.
//!
//! <https://www.w3.org/TR/2001/REC-xml-c14n-20010315>. The parser has already replaced entities, added default
//! attributes and normalized attribute values, so that the tree contains the results.

use super::namespaces::{Ranks, Shared, of_attribute};
use super::put::Put;
use super::xml::{Need, Needed, check_local_name, declared};
use crate::engine::text::xml_names::{is_char, is_white_space};
use crate::engine::work;
use crate::tree::arena::document::Document;
use crate::tree::arena::node::{Node, NodeKind};
use crate::tree::arena::node_attribute::Attribute;
use crate::tree::arena::walk::Edge;
use crate::tree::namespaces;
use crate::tree::qualified_name::NamespaceId;
use crate::write::escape::{special_classes, write_replaced};
use crate::write::{
    Namespace, Output, Scope, WriteError, xml_comment, xml_instruction, xml_name, xml_ncname,
};
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write;

/// A form of [Canonical XML](https://www.w3.org/TR/2001/REC-xml-c14n-20010315).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum C14n {
    /// Inclusive Canonical XML 1.0 in which comments are omitted.
    #[default]
    WithoutComments,
    /// Inclusive Canonical XML 1.0 in which comments are kept.
    WithComments,
}

impl Document {
    /// Returns the document as Canonical XML 1.0 of the W3C, the form in which documents are signed and compared. It
    /// has no XML declaration, no document type and no empty-element tags. Attributes and namespace declarations are
    /// sorted, redundant namespace declarations are omitted, and only the characters that must be escaped are escaped.
    ///
    /// ```
    /// use tagstream::tree::C14n;
    /// use tagstream::{Document, Xml};
    ///
    /// let source = "<?xml version='1.0'?><a  z='1' b=\"&#60;\"><!--c--><d /></a>";
    /// let document = Document::parse(Xml::strict(), source)?;
    /// assert_eq!(document.to_c14n(C14n::default())?, r#"<a b="&lt;" z="1"><d></d></a>"#);
    /// assert!(document.to_c14n(C14n::WithComments)?.contains("<!--c-->"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Only whole documents are supported, not the parts of a document that an XPath expression selects. The default
    /// attributes and entities of an external DTD are included only if the program [supplied the
    /// DTD](crate::Xml::external_entities) to the parser.
    ///
    /// # Errors
    ///
    /// An error if the output would not be well-formed, as for [`to_xml`](Document::to_xml), or if the name of a
    /// namespace is a relative URI.
    pub fn to_c14n(&self, form: C14n) -> Result<String, WriteError> {
        let mut out = String::new();
        self.write_c14n(form, &mut out)?;
        Ok(out)
    }

    /// Writes the result of [`to_c14n`](Self::to_c14n) to `out`, which can be any type that takes bytes or text. `out`
    /// receives a few KiB at a time, so that the output is not in memory as a whole.
    ///
    /// ```
    /// use tagstream::tree::C14n;
    /// use tagstream::{Document, Xml};
    ///
    /// let document = Document::parse(Xml::strict(), "<a/>")?;
    /// let mut out = Vec::new();
    /// document.write_c14n(C14n::WithoutComments, &mut out)?;
    /// assert_eq!(out, b"<a></a>");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of `to_c14n` and of `out`.
    pub fn write_c14n<Kind>(&self, form: C14n, out: impl Output<Kind>) -> Result<(), WriteError> {
        Put::all(out, |out| {
            let mut canonical = Canonical {
                out,
                with_comments: form == C14n::WithComments,
                scope: Scope::default(),
                namespaces: Shared::new(self),
                ranks: Ranks::new(self),
                bindings: Vec::new(),
                has_root: false,
            };
            for edge in self.root().edges().through_templates() {
                let (Edge::Open(node) | Edge::Close(node)) = edge;
                let done = match edge {
                    Edge::Open(node) => canonical.open(node),
                    Edge::Close(node) => canonical.close(node),
                };
                done.map_err(|error| error.at(node.id().index()))?;
            }
            match canonical.has_root {
                true => Ok(()),
                false => Err(WriteError::no_root().at(self.root().id().index())),
            }
        })
    }
}

struct Canonical<'o, O> {
    out: &'o mut O,
    with_comments: bool,
    scope: Scope,
    namespaces: Shared<'o>,
    ranks: Ranks,
    /// For each open element, the number of prefix bindings in `scope` before its start tag.
    bindings: Vec<usize>,
    has_root: bool,
}

impl<O: Write> Canonical<'_, O> {
    fn open(&mut self, node: Node<'_>) -> Result<(), WriteError> {
        match node.kind() {
            NodeKind::Element => self.start(node)?,
            // Whitespace outside the root element is not significant and is omitted.
            NodeKind::Text
                if self.bindings.is_empty() && node.text().chars().all(is_white_space) => {}
            NodeKind::Text if self.bindings.is_empty() => {
                return Err(WriteError::outside_root(node.text()));
            }
            NodeKind::Text => c14n_text(self.out, node.text(), false)?,
            NodeKind::Comment if self.with_comments => {
                xml_comment(node.text(), false)?;
                self.apart(|out| write!(out, "<!--{}-->", node.text()))?;
            }
            NodeKind::ProcessingInstruction => {
                let (target, data) = (node.name(), node.text());
                xml_ncname(target)?;
                xml_instruction(target, data, false)?;
                let space = if data.is_empty() { "" } else { " " };
                self.apart(|out| write!(out, "<?{target}{space}{data}?>"))?;
            }
            _ => {}
        }
        Ok(())
    }

    /// Writes a comment or a processing instruction. Outside the root element, a newline separates it from the root
    /// element and from other nodes.
    fn apart(&mut self, write: impl FnOnce(&mut O) -> core::fmt::Result) -> Result<(), WriteError> {
        let is_outside = self.bindings.is_empty();
        if is_outside && self.has_root {
            self.out.write_char('\n')?;
        }
        write(self.out)?;
        if is_outside && !self.has_root {
            self.out.write_char('\n')?;
        }
        Ok(())
    }

    fn start(&mut self, element: Node<'_>) -> Result<(), WriteError> {
        if self.bindings.is_empty() && core::mem::replace(&mut self.has_root, true) {
            return Err(WriteError::second_root(element.name()));
        }
        self.bindings.push(self.scope.len());
        xml_name(element.name())?;
        check_local_name(element.local_name())?;
        if element.prefix().is_some() && element.namespace().is_none() {
            return Err(WriteError::no_name(element.name()));
        }
        write!(self.out, "<{}", element.name())?;
        self.declarations(element)?;
        let attributes = element.attributes().filter(|one| declared(one).is_none());
        let mut attributes: Vec<Attribute<'_>> = attributes.collect();
        attributes.sort_by_key(|one| self.key(one));
        let mut last = None;
        for one in &attributes {
            xml_name(one.name())?;
            if !(one.namespace().is_none() && one.name().starts_with("xml:")) {
                check_local_name(one.local_name())?;
            }
            if one.prefix().is_some() != one.namespace().is_some() {
                return Err(WriteError::no_name(one.name()));
            }
            let key = self.key(one);
            if last.replace(key) == Some(key) {
                return Err(WriteError::twice(one.name()));
            }
            write!(self.out, " {}=\"", one.name())?;
            c14n_text(self.out, one.value(), true)?;
            self.out.write_char('"')?;
        }
        self.out.write_char('>')?;
        Ok(())
    }

    /// Writes the namespace declarations of an element, sorted by prefix: those of its attributes that are not already
    /// in scope, and those that its names need and that no attribute declares.
    fn declarations(&mut self, element: Node<'_>) -> Result<(), WriteError> {
        let needed = Needed::all(element);
        let own = element.attributes().filter_map(|one| {
            let prefix = declared(&one)?;
            (!needed.is_other(prefix, one.value())).then_some(Need {
                prefix,
                namespace: None,
                name: one.value(),
            })
        });
        // The declarations that names need precede the others. Of two equal declarations, the first is therefore kept,
        // which has the ID of the namespace.
        let mut all: Vec<Need<'_>> = needed.iter().chain(own).collect();
        all.sort_by_key(|need| need.prefix);
        all.dedup_by(|later, first| later.prefix == first.prefix && is_same(later, first));
        if let Some(pair) = all.windows(2).find(|pair| pair[0].prefix == pair[1].prefix) {
            return Err(WriteError::bound_twice(pair[0].prefix));
        }
        for need in all {
            let (prefix, namespace) = (need.prefix, need.name);
            if prefix == "xml" && namespace == namespaces::XML {
                continue;
            }
            let wanted = match need.namespace {
                None => Namespace::Text(namespace),
                shared => self.namespaces.name(shared),
            };
            if self.scope.is_bound(prefix, wanted) {
                continue;
            }
            WriteError::check_declaration(prefix, namespace)?;
            self.scope.bind(prefix, namespace);
            let colon = if prefix.is_empty() { "" } else { ":" };
            write!(self.out, " xmlns{colon}{prefix}=\"")?;
            c14n_text(self.out, namespace, true)?;
            self.out.write_char('"')?;
        }
        Ok(())
    }

    /// Returns the sort key of an attribute: the rank of its namespace, and its local name. The byte order of UTF-8 is
    /// the order of code points, as the standard requires. An HTML attribute whose name begins with `xml:` is in no
    /// namespace, but a parser of XML puts it in the namespace of `xml`, and so does the key.
    fn key<'a>(&self, attribute: &Attribute<'a>) -> (usize, &'a str) {
        let name = attribute.name();
        let namespace = of_attribute(attribute);
        match (namespace, name.strip_prefix("xml:")) {
            (None, Some(local)) => (self.ranks.of(Some(NamespaceId::XML)), local),
            _ => (self.ranks.of(namespace), attribute.local_name()),
        }
    }

    fn close(&mut self, node: Node<'_>) -> Result<(), WriteError> {
        if node.is_element() {
            write!(self.out, "</{}>", node.name())?;
            if let Some(bindings) = self.bindings.pop() {
                self.scope.truncate(bindings);
            }
        }
        Ok(())
    }
}

/// Returns true if two declarations bind their prefixes to the same namespace. Namespaces with different names have
/// different IDs. A declaration that comes from an attribute has no ID, so that its name is compared.
fn is_same(one: &Need<'_>, other: &Need<'_>) -> bool {
    match (one.namespace, other.namespace) {
        (Some(one), Some(other)) => one == other,
        _ => {
            work::count(one.name.len().min(other.name.len()));
            one.name == other.name
        }
    }
}

/// Writes a text, or an attribute value if `is_value` is true, with the escapes of Canonical XML. Returns an error for
/// a character that XML does not allow.
fn c14n_text(out: &mut impl Write, text: &str, is_value: bool) -> Result<(), WriteError> {
    if let Some(bad) = text.chars().find(|character| !is_char(*character)) {
        return Err(WriteError::no_character(bad));
    }
    let replacement = |rest: &[u8]| {
        Some(match rest {
            [b'&', ..] => "&amp;",
            [b'<', ..] => "&lt;",
            [b'\r', ..] => "&#xD;",
            [b'>', ..] if !is_value => "&gt;",
            [b'"', ..] if is_value => "&quot;",
            [b'\t', ..] if is_value => "&#x9;",
            [b'\n', ..] if is_value => "&#xA;",
            _ => return None,
        })
    };
    Ok(write_replaced(
        out,
        text,
        special_classes(is_value),
        replacement,
    )?)
}
