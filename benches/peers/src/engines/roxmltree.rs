//! roxmltree: builds and walks a tree. The tree has no qualified names, so the exact reading takes them from the
//! source. The quick reading uses local names.

use super::{Done, Job};
use crate::reading::Reading;
use roxmltree::{Attribute, Document, Node, ParsingOptions};

pub fn tree<R: Reading>(job: &Job<'_>, reading: &mut R) -> Done {
    let options = ParsingOptions {
        allow_dtd: true,
        ..ParsingOptions::default()
    };
    let text = std::str::from_utf8(&job.input.bytes)?;
    let document = Document::parse_with_options(text, options)?;
    let mut node = document.root();
    loop {
        open(node, reading);
        if let Some(child) = node.first_child() {
            node = child;
            continue;
        }
        loop {
            if node.is_element() {
                reading.end(name::<R>(node));
            }
            if let Some(sibling) = node.next_sibling() {
                node = sibling;
                break;
            }
            match node.parent() {
                Some(parent) => node = parent,
                None => return Ok(()),
            }
        }
    }
}

fn open<R: Reading>(node: Node<'_, '_>, reading: &mut R) {
    if node.is_element() {
        reading.start(name::<R>(node));
        for attribute in node.attributes() {
            reading.attribute(attribute_name::<R>(node, attribute), attribute.value());
        }
    } else if node.is_text() {
        reading.text(node.text().unwrap_or_default());
    }
}

fn name<'a, R: Reading>(node: Node<'a, '_>) -> &'a str {
    if !R::EXACT {
        return node.tag_name().name();
    }
    let source = &node.document().input_text()[node.range().start + 1..];
    let end = source.find(|c: char| c.is_ascii_whitespace() || c == '/' || c == '>');
    &source[..end.unwrap_or_default()]
}

fn attribute_name<'a, R: Reading>(node: Node<'a, '_>, attribute: Attribute<'a, '_>) -> &'a str {
    if R::EXACT {
        &node.document().input_text()[attribute.range_qname()]
    } else {
        attribute.name()
    }
}
