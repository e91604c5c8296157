//! Trees as an outline for people: a node a line, indented by its depth.
//!
//! Beyond a depth of [`INDENTED`] lines begin with their depth as a number instead of ever more
//! spaces, so that the outline of a deep tree stays in proportion to the tree.

use alloc::string::String;
use core::fmt;

use super::escape::{Escape, write_escaped, written};
use crate::tree::arena::prologue::Doctype;
use crate::tree::{Document, Edge, Node, NodeKind};

/// The levels that are shown by indentation.
const INDENTED: usize = 64;

impl Document {
    /// The document for people to read: a node a line, indented by its depth.
    ///
    /// ```text
    /// <!DOCTYPE html>
    /// <p class="a">
    ///   "Text with a newline\nin it"
    ///   <!-- comment -->
    /// ```
    ///
    /// What may break a line, end a quotation, command a terminal or change the order in which text is
    /// read is escaped: `\n`, `\"`, `\u{1b}`, `\u{202e}`.
    ///
    /// ```
    /// use tagstream::{Document, Xml};
    ///
    /// let document = Document::parse(Xml::default(), "<a b='1'>text</a>")?;
    /// assert_eq!(document.to_outline(), "<a b=\"1\">\n  \"text\"\n");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn to_outline(&self) -> String {
        self.root().to_outline()
    }

    /// Writes what [`to_outline`](Self::to_outline) returns.
    ///
    /// ```
    /// use tagstream::{Document, Xml};
    ///
    /// let document = Document::parse(Xml::default(), "<a>text</a>")?;
    /// let mut out = String::new();
    /// document.write_outline(&mut out).expect("a string takes all");
    /// assert_eq!(out, "<a>\n  \"text\"\n");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of `out`.
    pub fn write_outline(&self, out: &mut impl fmt::Write) -> fmt::Result {
        self.root().write_outline(out)
    }
}

impl Node<'_> {
    /// The node and all below it for people to read: a node a line, indented by its depth. Of a
    /// document or a fragment, what it holds.
    ///
    /// ```
    /// use tagstream::{Document, Xml};
    ///
    /// let document = Document::parse(Xml::default(), "<a><b/></a>")?;
    /// let a = document.root_element().unwrap();
    /// assert_eq!(a.to_outline(), "<a>\n  <b>\n");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn to_outline(&self) -> String {
        written(|out| self.write_outline(out))
    }

    /// Writes what [`to_outline`](Self::to_outline) returns.
    ///
    /// ```
    /// use tagstream::{Document, Xml};
    ///
    /// let document = Document::parse(Xml::default(), "<a/>")?;
    /// let mut out = String::new();
    /// let a = document.root_element().unwrap();
    /// a.write_outline(&mut out).expect("a string takes all");
    /// assert_eq!(out, "<a>\n");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of `out`.
    pub fn write_outline(&self, out: &mut impl fmt::Write) -> fmt::Result {
        let document = self.document();
        let doctype = document
            .prologue
            .doctype
            .as_ref()
            .map(|doctype| doctype.doctype());
        let doctype = doctype.filter(|_| self.kind() == NodeKind::Document);
        let mut depth = 0;
        for edge in self.edges().through_templates().through_shadow_roots() {
            match edge {
                Edge::Open(node) => {
                    let is_root = matches!(node.kind(), NodeKind::Document)
                        || node.kind() == NodeKind::DocumentFragment && node == *self;
                    if !is_root {
                        write_indentation(out, depth)?;
                        write_line(out, node)?;
                        depth += 1;
                    }
                    if let Some(doctype) = doctype
                        && node == *self
                        && document.doctype_after().is_none()
                    {
                        write_doctype(out, doctype)?;
                        out.write_char('\n')?;
                    }
                }
                Edge::Close(node) => {
                    depth = depth.saturating_sub(1);
                    if let Some(doctype) = doctype
                        && document.doctype_after() == Some(node.id())
                    {
                        write_doctype(out, doctype)?;
                        out.write_char('\n')?;
                    }
                }
            }
        }
        Ok(())
    }
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
        NodeKind::Document => {}
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
/// order: control characters, direction marks and overrides, and line and paragraph separators.
fn escape(character: char) -> Option<Escape> {
    match character {
        '\n' => Some(Escape::As("\\n")),
        '\r' => Some(Escape::As("\\r")),
        '\t' => Some(Escape::As("\\t")),
        '"' => Some(Escape::As("\\\"")),
        '\\' => Some(Escape::As("\\\\")),
        ' '..='~' => None,
        '\u{61C}' | '\u{200E}' | '\u{200F}' => Some(Escape::Braced),
        '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => Some(Escape::Braced),
        other => other.is_control().then_some(Escape::Braced),
    }
}
