//! The format of the tree-construction tests of html5lib: each line begins with `| ` and two spaces for each level.
//!
//! The length of the output grows with the product of the depth and the number of nodes.

use std::borrow::Cow;
use std::fmt;
use tagstream::tree::{Attribute, Edge, namespaces};
use tagstream::{Node, NodeKind};

/// The notation of namespaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// As in the HTML tests: `<svg path>`, `xlink href="…"`.
    Html,
    /// As in the XML tests: `<{namespace}prefix:name>`, `{namespace}prefix:name="…"`.
    Xml,
}

/// Writes the descendants of a node. A document type that is not a node is left out.
pub(crate) fn write(top: Node<'_>, style: Style, out: &mut impl fmt::Write) -> fmt::Result {
    let mut depth = 0_usize;
    for edge in top.edges().through_templates().through_shadow_roots() {
        match edge {
            Edge::Open(node) if node == top => {}
            Edge::Open(node) => {
                write_node(out, node, depth, style)?;
                depth += 1;
            }
            Edge::Close(_) => depth = depth.saturating_sub(1),
        }
    }
    Ok(())
}

fn write_node(
    out: &mut impl fmt::Write,
    node: Node<'_>,
    depth: usize,
    style: Style,
) -> fmt::Result {
    write_indentation(out, depth)?;
    match node.kind() {
        NodeKind::Element => {
            writeln!(out, "<{}>", element_name(node, style))?;
            write_attributes(out, node, depth + 1, style)
        }
        NodeKind::Text => writeln!(out, "\"{}\"", node.text()),
        NodeKind::Comment => writeln!(out, "<!-- {} -->", node.text()),
        NodeKind::ProcessingInstruction => writeln!(out, "<?{} {}?>", node.name(), node.text()),
        NodeKind::Doctype => {
            write!(out, "<!DOCTYPE {}", node.name())?;
            let identifiers = node.doctype().map(|doctype| {
                let public_id = doctype.public_id().unwrap_or_default();
                (public_id, doctype.system_id().unwrap_or_default())
            });
            match identifiers {
                Some(("", "")) | None => {}
                Some((public_id, system_id)) => write!(out, " \"{public_id}\" \"{system_id}\"")?,
            }
            out.write_str(">\n")
        }
        NodeKind::DocumentFragment => match node.as_shadow_root() {
            Some(root) => writeln!(out, "{root}"),
            None => out.write_str("content\n"),
        },
        // A document is never below another node, and html5lib has no format for further kinds.
        _ => out.write_char('\n'),
    }
}

fn write_attributes(
    out: &mut impl fmt::Write,
    element: Node<'_>,
    depth: usize,
    style: Style,
) -> fmt::Result {
    let attributes = element.attributes();
    let mut attributes: Vec<_> = attributes
        .map(|attribute| (attribute_name(attribute, style), attribute.value()))
        .collect();
    attributes.sort_by(|(a, _), (b, _)| a.encode_utf16().cmp(b.encode_utf16()));
    for (name, value) in attributes {
        write_indentation(out, depth)?;
        writeln!(out, "{name}=\"{value}\"")?;
    }
    Ok(())
}

fn write_indentation(out: &mut impl fmt::Write, depth: usize) -> fmt::Result {
    out.write_str("| ")?;
    (0..depth).try_for_each(|_| out.write_str("  "))
}

fn element_name(element: Node<'_>, style: Style) -> Cow<'_, str> {
    match (style, element.namespace()) {
        (Style::Html, Some(namespaces::SVG)) => Cow::Owned(format!("svg {}", element.local_name())),
        (Style::Html, Some(namespaces::MATHML)) => {
            Cow::Owned(format!("math {}", element.local_name()))
        }
        (Style::Xml, Some(namespace)) => Cow::Owned(format!("{{{namespace}}}{}", element.name())),
        (Style::Html | Style::Xml, _) => Cow::Borrowed(element.name()),
    }
}

fn attribute_name(attribute: Attribute<'_>, style: Style) -> Cow<'_, str> {
    let designator = match (style, attribute.namespace()) {
        (_, None) => return Cow::Borrowed(attribute.name()),
        (Style::Xml, Some(namespace)) => {
            return Cow::Owned(format!("{{{namespace}}}{}", attribute.name()));
        }
        (Style::Html, Some(namespaces::XLINK)) => "xlink",
        (Style::Html, Some(namespaces::XML)) => "xml",
        (Style::Html, Some(namespaces::XMLNS)) => "xmlns",
        (Style::Html, Some(_)) => return Cow::Borrowed(attribute.name()),
    };
    Cow::Owned(format!("{designator} {}", attribute.local_name()))
}
