//! Trees in the canonical form of the XML conformance suite, its second form where there are
//! notations.
//!
//! Not the W3C's Canonical XML: white space other than spaces is written as references everywhere,
//! so that a difference can be seen. Comments and the names of no namespaces are left out; prefixes
//! stay as they are.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::escape::{Escape, write_escaped, written};
use crate::engine::document_mode::XmlVersion;
use crate::tree::{Attribute, Document, Edge, Node, NodeKind, Notation};

impl Document {
    /// The document in the canonical form of the XML conformance suite: with notations its second
    /// form, else its first.
    ///
    /// ```
    /// use tagstream::{Document, Xml};
    ///
    /// let document = Document::parse(Xml::default(), "<a b=\"1\"/>")?;
    /// assert_eq!(document.to_canonical(), r#"<a b="1"></a>"#);
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn to_canonical(&self) -> String {
        written(|out| self.write_canonical(out))
    }

    /// Writes what [`to_canonical`](Self::to_canonical) returns.
    ///
    /// ```
    /// use tagstream::{Document, Xml};
    ///
    /// let document = Document::parse(Xml::default(), "<a/>")?;
    /// let mut out = String::new();
    /// document.write_canonical(&mut out).expect("a string takes all");
    /// assert_eq!(out, "<a></a>");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of `out`.
    pub fn write_canonical(&self, out: &mut impl fmt::Write) -> fmt::Result {
        let is_xml11 = self.xml_version() == XmlVersion::Xml11;
        if is_xml11 {
            out.write_str("<?xml version=\"1.1\"?>")?;
        }
        let mut attributes = Vec::new();
        for edge in self.root().edges().through_templates() {
            match edge {
                Edge::Open(node) => match node.kind() {
                    NodeKind::Element => write_start(out, node, &mut attributes, is_xml11)?,
                    NodeKind::Text => write_escaped(out, node.text(), escape(is_xml11))?,
                    NodeKind::ProcessingInstruction => {
                        write_instruction(out, node.name(), node.text())?;
                    }
                    NodeKind::Document if self.doctype_after().is_none() => {
                        self.write_canonical_doctype(out)?;
                    }
                    _ => {}
                },
                Edge::Close(node) => {
                    if node.is_element() {
                        write!(out, "</{}>", node.name())?;
                    }
                    if self.doctype_after() == Some(node.id()) {
                        self.write_canonical_doctype(out)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Writes what the document type leaves in this form: its processing instructions and its
    /// notations.
    fn write_canonical_doctype(&self, out: &mut impl fmt::Write) -> fmt::Result {
        for (target, data) in self.doctype_instructions() {
            write_instruction(out, target, data)?;
        }
        let mut notations: Vec<Notation<'_>> = self.notations().collect();
        if notations.is_empty() {
            return Ok(());
        }
        notations.sort_by_key(Notation::name);
        writeln!(
            out,
            "<!DOCTYPE {} [",
            self.doctype().map_or("", |doctype| doctype.name())
        )?;
        for notation in notations {
            write!(out, "<!NOTATION {} ", notation.name())?;
            match (notation.public_id(), notation.system_id()) {
                (Some(public_id), Some(system_id)) => {
                    write!(out, "PUBLIC '{public_id}' '{system_id}'")?;
                }
                (Some(public_id), None) => write!(out, "PUBLIC '{public_id}'")?,
                (None, system_id) => write!(out, "SYSTEM '{}'", system_id.unwrap_or_default())?,
            }
            out.write_str(">\n")?;
        }
        out.write_str("]>\n")
    }
}

fn write_start<'a>(
    out: &mut impl fmt::Write,
    element: Node<'a>,
    attributes: &mut Vec<Attribute<'a>>,
    is_xml11: bool,
) -> fmt::Result {
    write!(out, "<{}", element.name())?;
    attributes.clear();
    attributes.extend(element.attributes());
    // The order of UTF-8 is that of code points.
    attributes.sort_by_key(Attribute::name);
    for attribute in attributes {
        write!(out, " {}=\"", attribute.name())?;
        write_escaped(out, attribute.value(), escape(is_xml11))?;
        out.write_char('"')?;
    }
    out.write_char('>')
}

fn write_instruction(out: &mut impl fmt::Write, target: &str, data: &str) -> fmt::Result {
    write!(out, "<?{target} {data}?>")
}

fn escape(is_xml11: bool) -> impl Fn(char) -> Option<Escape> {
    move |character| match character {
        '&' => Some(Escape::As("&amp;")),
        '<' => Some(Escape::As("&lt;")),
        '>' => Some(Escape::As("&gt;")),
        '"' => Some(Escape::As("&quot;")),
        '\t' | '\n' | '\r' => Some(Escape::Decimal),
        _ if is_xml11 && character.is_control() => Some(Escape::Decimal),
        _ => None,
    }
}
