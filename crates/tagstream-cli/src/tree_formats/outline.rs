//! An outline for people: a node per line, indented by its depth.
//!
//! ```text
//! <!DOCTYPE html>
//! <p class="a">
//!   "Text with a newline\nin it"
//!   <!-- comment -->
//! ```
//!
//! Characters that would break a line, end a quotation, control a terminal or change the reading order are escaped: `\n`,
//! `\"`, `\u{1b}`. Below a depth of [`INDENTED`], a line begins with its depth as a number instead of further spaces, so
//! that the outline of a deep tree is not much longer than the tree.

use super::escape::{Escape, is_unseen, write_escaped};
use std::fmt;
use tagstream::tree::{Doctype, Edge};
use tagstream::{Node, NodeKind};

/// Number of levels that are shown by indentation.
const INDENTED: usize = 64;

/// Writes a node and all nodes below it. For a document or a fragment, writes only the nodes below it.
pub(crate) fn write(top: Node<'_>, out: &mut impl fmt::Write) -> fmt::Result {
    let mut doctype = doctype_without_node(top);
    let before_doctype = doctype.and_then(|_| top.document().node_before_doctype());
    let mut depth = 0;
    for edge in top.edges().through_templates().through_shadow_roots() {
        let at_doctype = match edge {
            Edge::Open(node) => {
                let is_root = matches!(node.kind(), NodeKind::Document)
                    || node.kind() == NodeKind::DocumentFragment && node == top;
                if !is_root {
                    write_indentation(out, depth)?;
                    write_line(out, node)?;
                    depth += 1;
                }
                node == top && before_doctype.is_none()
            }
            Edge::Close(node) => {
                depth = depth.saturating_sub(1);
                before_doctype == Some(node)
            }
        };
        if at_doctype && let Some(doctype) = doctype.take() {
            write_doctype(out, doctype)?;
            out.write_char('\n')?;
        }
    }
    Ok(())
}

/// Returns the document type of a document, if no node of the tree has it.
fn doctype_without_node(top: Node<'_>) -> Option<Doctype<'_>> {
    let is_node = |node: Node<'_>| node.kind() == NodeKind::Doctype;
    if top.kind() != NodeKind::Document || top.children().any(is_node) {
        return None;
    }
    top.document().doctype()
}

fn write_indentation(out: &mut impl fmt::Write, depth: usize) -> fmt::Result {
    for _ in 0..depth.min(INDENTED) {
        out.write_str("  ")?;
    }
    if depth > INDENTED {
        write!(out, "({depth}) ")?;
    }
    Ok(())
}

fn write_line(out: &mut impl fmt::Write, node: Node<'_>) -> fmt::Result {
    match node.kind() {
        NodeKind::Element => {
            out.write_char('<')?;
            write_escaped(out, node.name(), escape)?;
            for attribute in node.attributes() {
                out.write_char(' ')?;
                write_escaped(out, attribute.name(), escape)?;
                out.write_str("=\"")?;
                write_escaped(out, attribute.value(), escape)?;
                out.write_char('"')?;
            }
            out.write_char('>')?;
        }
        NodeKind::Text => {
            out.write_char('"')?;
            write_escaped(out, node.text(), escape)?;
            out.write_char('"')?;
        }
        NodeKind::Comment => {
            out.write_str("<!-- ")?;
            write_escaped(out, node.text(), escape)?;
            out.write_str(" -->")?;
        }
        NodeKind::ProcessingInstruction => {
            out.write_str("<?")?;
            write_escaped(out, node.name(), escape)?;
            out.write_char(' ')?;
            write_escaped(out, node.text(), escape)?;
            out.write_str("?>")?;
        }
        NodeKind::Doctype => {
            if let Some(doctype) = node.doctype() {
                write_doctype(out, doctype)?;
            }
        }
        NodeKind::DocumentFragment => match node.as_shadow_root() {
            Some(root) => write!(out, "{root}")?,
            None => out.write_str("content")?,
        },
        // A document is never below another node.
        _ => {}
    }
    out.write_char('\n')
}

fn write_doctype(out: &mut impl fmt::Write, doctype: Doctype<'_>) -> fmt::Result {
    out.write_str("<!DOCTYPE ")?;
    write_escaped(out, doctype.name(), escape)?;
    if let Some(public_id) = doctype.public_id() {
        out.write_str(" PUBLIC")?;
        write_quoted(out, public_id)?;
    } else if doctype.system_id().is_some() {
        out.write_str(" SYSTEM")?;
    }
    if let Some(system_id) = doctype.system_id() {
        write_quoted(out, system_id)?;
    }
    out.write_char('>')
}

fn write_quoted(out: &mut impl fmt::Write, text: &str) -> fmt::Result {
    out.write_str(" \"")?;
    write_escaped(out, text, escape)?;
    out.write_char('"')
}

/// Returns the escape of a character that would break a line, end a quotation, control a terminal or change the reading
/// order.
fn escape(character: char) -> Option<Escape> {
    match character {
        '\n' => Some(Escape::As("\\n")),
        '\r' => Some(Escape::As("\\r")),
        '\t' => Some(Escape::As("\\t")),
        '"' => Some(Escape::As("\\\"")),
        '\\' => Some(Escape::As("\\\\")),
        other => is_unseen(other).then_some(Escape::Braced),
    }
}
