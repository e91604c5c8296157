//! What sanitizers leave out while they parse: rows, which `tests/data/sanitizer-parsing.txt` explains.

use crate::sanitizer::configured;
use tagstream::tree::Edge;
use tagstream::{Html, Node, NodeKind};
use testing::rows::{Row, rows};
use testing::run::{Failed, Program};

pub(crate) fn add(program: &mut Program) {
    for row in rows(include_str!("../data/sanitizer-parsing.txt")) {
        program.case(row.name("html/sanitizer/parsing"), move || check(&row));
    }
}

fn check(row: &Row) -> Result<(), Failed> {
    let (sanitizer, context) = configured(&row.context)?;
    let input = String::from_utf8(row.input.clone())?;
    let html = Html::fragment(&context)?;
    let document = sanitizer.parse(&html, &input)?;
    let found = written(document.root_element().ok_or("a root")?);
    row.compare(&found)?;
    for (cut, _) in input.char_indices() {
        let (before, after) = input.split_at(cut);
        let (document, _) = sanitizer.parse_chunks(&html, &[before, after])?;
        let of_chunks = written(document.root_element().ok_or("a root")?);
        if of_chunks != found {
            return Err(format!("cut at {cut}: {of_chunks}").into());
        }
    }
    Ok(())
}

/// The children of a node, with each text in quotes.
fn written(root: Node<'_>) -> String {
    let mut text = String::new();
    for edge in root.edges().through_templates() {
        match edge {
            Edge::Open(node) | Edge::Close(node) if node.id() == root.id() => {}
            Edge::Open(node) if node.is_text() => text += &format!("\"{}\"", node.text()),
            Edge::Open(node) if node.is_element() => {
                text += &format!("<{}", node.local_name());
                for attribute in node.attributes() {
                    text += &format!(" {}=\"{}\"", attribute.name(), attribute.value());
                }
                text += ">";
            }
            Edge::Close(node) if node.is_element() => text += &format!("</{}>", node.local_name()),
            Edge::Open(node) if node.kind() == NodeKind::Comment => text += "<!---->",
            Edge::Open(_) | Edge::Close(_) => {}
        }
    }
    text
}
