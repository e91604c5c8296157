//! The canonical form of the XML conformance suite. A document with notations has the second form, others the first.
//!
//! This is not the Canonical XML of the W3C: whitespace other than spaces is always written as references, so that a
//! difference can be seen. Comments and namespace declarations are left out, and prefixes are kept.

use super::escape::{Escape, write_escaped};
use std::fmt;
use tagstream::tree::{Attribute, Edge, Notation, XmlVersion};
use tagstream::{Document, Node, NodeKind};

/// Writes a document.
pub(crate) fn write(document: &Document, out: &mut impl fmt::Write) -> fmt::Result {
    let is_xml11 = document.xml_version() == XmlVersion::Xml11;
    if is_xml11 {
        out.write_str("<?xml version=\"1.1\"?>")?;
    }
    let before_doctype = document.node_before_doctype();
    let mut attributes = Vec::new();
    for edge in document.root().edges().through_templates() {
        match edge {
            Edge::Open(node) => match node.kind() {
                NodeKind::Element => write_start(out, node, &mut attributes, is_xml11)?,
                NodeKind::Text => write_escaped(out, node.text(), escape(is_xml11))?,
                NodeKind::ProcessingInstruction => {
                    write_instruction(out, node.name(), node.text())?;
                }
                NodeKind::Document if before_doctype.is_none() => write_doctype(out, document)?,
                _ => {}
            },
            Edge::Close(node) => {
                if node.is_element() {
                    write!(out, "</{}>", node.name())?;
                }
                if before_doctype == Some(node) {
                    write_doctype(out, document)?;
                }
            }
        }
    }
    Ok(())
}

/// Writes the parts of the document type that this form has: its processing instructions and its notations.
fn write_doctype(out: &mut impl fmt::Write, document: &Document) -> fmt::Result {
    for (target, data) in document.doctype_instructions() {
        write_instruction(out, target, data)?;
    }
    let mut notations: Vec<Notation<'_>> = document.notations().collect();
    if notations.is_empty() {
        return Ok(());
    }
    notations.sort_by_key(Notation::name);
    let name = document.doctype().map_or("", |doctype| doctype.name());
    writeln!(out, "<!DOCTYPE {name} [")?;
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
