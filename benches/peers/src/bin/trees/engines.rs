//! The engines: each builds the tree of a page and drops it, or walks it before from end to end. They
//! know nothing of each other.

use crate::lexbor::{self, Seen};
use crate::reading::{Reading, kind};
use bytes::Bytes;
use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::tree_builder::TreeBuilderOpts;
use html5ever::{ParseOpts, parse_document};
use markup5ever_rcdom::{Handle, NodeData, RcDom};
use std::hint::black_box;
use tagstream::tree::Edge;
use tagstream::{Document, Encoding, Html, NodeKind, TreeBuilder};

/// A page, as each engine takes it without a copy.
pub struct Page {
    text: String,
    bytes: Bytes,
    tendril: StrTendril,
}

impl Page {
    pub fn new(text: String) -> Page {
        Page {
            bytes: Bytes::from(text.clone()),
            tendril: StrTendril::from_slice(&text),
            text,
        }
    }

    pub fn len(&self) -> usize {
        self.text.len()
    }
}

/// An engine.
pub struct Engine {
    pub name: &'static str,
    /// Builds the tree and drops it.
    pub build: fn(&Page),
    /// Builds the tree, walks it and drops it.
    pub read: fn(&Page) -> Reading,
}

/// All that are there.
pub fn engines() -> Vec<Engine> {
    let mut engines = vec![
        Engine {
            name: "html5ever",
            build: |page| drop(black_box(html5ever(page))),
            read: |page| read_html5ever(&html5ever(page)),
        },
        Engine {
            name: "tagstream",
            build: |page| drop(black_box(tagstream(page))),
            read: |page| read_tagstream(&tagstream(page)),
        },
    ];
    if lexbor::is_there() {
        engines.push(Engine {
            name: "lexbor",
            build: |page| {
                let is_parsed = lexbor::call(&page.text, None, false, None, std::ptr::null_mut());
                assert!(is_parsed, "a tree");
            },
            read: read_lexbor,
        });
    }
    engines
}

fn tagstream(page: &Page) -> Document {
    let mut builder = TreeBuilder::new(Html::default().encoding(Encoding::UTF_8));
    builder.feed(page.bytes.clone());
    builder.finish();
    builder.build().expect("pages within the limits");
    builder.into_sink()
}

fn read_tagstream(document: &Document) -> Reading {
    let mut reading = Reading::default();
    let mut depth = 0_usize;
    for edge in document.root().edges().through_templates() {
        let Edge::Open(node) = edge else {
            depth = depth.saturating_sub(1);
            continue;
        };
        match node.kind() {
            NodeKind::Document => continue,
            NodeKind::Element => {
                let namespace = node.namespace().unwrap_or_default();
                reading.node(depth, kind::of_element(namespace), node.name(), "");
                for attribute in node.attributes() {
                    reading.attribute(attribute.name(), attribute.value());
                }
            }
            NodeKind::Text => reading.node(depth, kind::TEXT, "", node.text()),
            NodeKind::Comment => reading.node(depth, kind::COMMENT, "", node.text()),
            NodeKind::Doctype => reading.node(depth, kind::DOCTYPE, node.name(), ""),
            NodeKind::DocumentFragment => reading.node(depth, kind::CONTENT, "", ""),
            _ => reading.node(depth, kind::INSTRUCTION, node.name(), node.text()),
        }
        depth += 1;
    }
    reading
}

fn html5ever(page: &Page) -> RcDom {
    let options = ParseOpts {
        tree_builder: TreeBuilderOpts {
            scripting_enabled: false,
            ..TreeBuilderOpts::default()
        },
        ..ParseOpts::default()
    };
    parse_document(RcDom::default(), options).one(page.tendril.clone())
}

fn read_html5ever(dom: &RcDom) -> Reading {
    let mut reading = Reading::default();
    let mut waiting: Vec<(usize, Handle)> = Vec::new();
    waiting.extend(
        dom.document
            .children
            .borrow()
            .iter()
            .rev()
            .map(|node| (0, node.clone())),
    );
    while let Some((depth, node)) = waiting.pop() {
        let children = node.children.borrow();
        waiting.extend(
            children
                .iter()
                .rev()
                .map(|child| (depth + 1, child.clone())),
        );
        match &node.data {
            NodeData::Element {
                name,
                attrs,
                template_contents,
                ..
            } => {
                reading.node(depth, kind::of_element(&name.ns), &name.local, "");
                for attribute in attrs.borrow().iter() {
                    match &attribute.name.prefix {
                        Some(prefix) if !prefix.is_empty() => {
                            let name = format!("{prefix}:{}", attribute.name.local);
                            reading.attribute(&name, &attribute.value);
                        }
                        _ => reading.attribute(&attribute.name.local, &attribute.value),
                    }
                }
                if let Some(contents) = &*template_contents.borrow() {
                    waiting.push((depth + 1, contents.clone()));
                }
            }
            NodeData::Text { contents } => {
                reading.node(depth, kind::TEXT, "", &contents.borrow());
            }
            NodeData::Comment { contents } => reading.node(depth, kind::COMMENT, "", contents),
            NodeData::Doctype { name, .. } => reading.node(depth, kind::DOCTYPE, name, ""),
            NodeData::Document => reading.node(depth, kind::CONTENT, "", ""),
            NodeData::ProcessingInstruction { target, contents } => {
                reading.node(depth, kind::INSTRUCTION, target, contents);
            }
        }
    }
    reading
}

fn read_lexbor(page: &Page) -> Reading {
    let mut reading = Reading::default();
    lexbor::walk(&page.text, None, false, |depth, seen| match seen {
        Seen::Element(namespace, name) => {
            reading.node(depth, kind::of_element(namespace), name, "");
        }
        Seen::Attribute(_, name, value) => reading.attribute(name, value),
        Seen::Text(text) => reading.node(depth, kind::TEXT, "", text),
        Seen::Comment(text) => reading.node(depth, kind::COMMENT, "", text),
        Seen::Doctype(name, _) => reading.node(depth, kind::DOCTYPE, name, ""),
        Seen::SystemId(_) => {}
        Seen::Content => reading.node(depth, kind::CONTENT, "", ""),
        Seen::Instruction(target, data) => reading.node(depth, kind::INSTRUCTION, target, data),
    });
    reading
}
