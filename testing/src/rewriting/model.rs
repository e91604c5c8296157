//! A model of a document that is edited: a plain tree of the events, on which each edit is one simple operation.
//!
//! The model shares no code with the rewriter. Removed and unwrapped elements stay in the tree with a mark, so that the
//! edits of one event can be made in any order: content beside a removed element has its place, and whatever else is
//! called, a removed element is not written.
//!
//! Tags as written form a tree too: an element ends at its own end tag, or where an element around it ends. Only an
//! element with its own end tag has the event of its end.

use crate::rewriting::edits::{Edit, Events, Item, Op, Part, Piece, VALUE, joined};
use crate::rewriting::nodes::{Nodes, children_namespace, element_name, is_html, is_wrapper};
use std::collections::BTreeMap;
use tagstream::tree::{Edge, namespaces};
use tagstream::{Document, NodeKind};

/// A node of the model.
#[derive(Clone, Debug, Default)]
struct ModelNode {
    /// The start tag, or the only event of the node. `None` for the document, and for the contents of a template.
    item: Option<Item>,
    /// The event of the end, if the node has one.
    end: Option<Item>,
    parent: usize,
    children: Vec<usize>,
    /// The namespace of inserted children, if it is not that of HTML.
    children_namespace: Option<String>,
    /// True for the contents of a template, which have a mark at both ends.
    is_contents: bool,
    /// True if the start tag ends the element, so that inserted content needs an end tag.
    closes_itself: bool,
    /// True for elements of SVG and MathML as written.
    is_foreign: bool,
    is_removed: bool,
    is_unwrapped: bool,
}

/// A document that is edited.
#[derive(Clone, Debug)]
pub struct Model {
    /// The nodes. The first one is the document.
    nodes: Vec<ModelNode>,
    /// The node of each event that can be edited, except for the ends of elements.
    of_item: BTreeMap<usize, usize>,
    /// True for tags of HTML as written.
    is_written: bool,
}

/// The item at both ends of the contents of a template.
fn contents_mark() -> Item {
    Item::Other("content".to_owned())
}

impl Model {
    /// Returns the model of tags as written.
    #[must_use]
    pub fn of_events<D>(events: &Events) -> Model {
        let mut model = Model::empty();
        model.is_written = is_html::<D>();
        // The open elements: each node with the index of the event that ends it.
        let mut open: Vec<(usize, usize)> = vec![(0, usize::MAX)];
        let mut items = events.items.clone();
        if is_html::<D>() {
            drop_ignored_newlines(&mut items);
        }
        for (at, item) in items.iter().enumerate() {
            if let Some(start) = events.own.get(&at) {
                model.nodes[model.of_item[start]].end = Some(item.clone());
                open.retain(|(_, end)| *end != at);
                continue;
            }
            let parent = open.last().expect("the document is open").0;
            let node = model.append(parent, item.clone());
            model.of_item.insert(at, node);
            model.nodes[node].is_foreign = events.foreign.contains(&at);
            match (item, events.ends.get(&at)) {
                (Item::Start(..), Some(&end)) if end == at => {
                    model.nodes[node].closes_itself = true
                }
                (Item::Start(..), Some(&end)) => open.push((node, end)),
                _ => {}
            }
        }
        model
    }

    /// Returns the model of the tree of a document. `nodes` has the nodes of the events.
    #[must_use]
    pub fn of_tree<D>(document: &Document, events: &Events, nodes: &Nodes) -> Model {
        let mut model = Model::empty();
        let item_of: BTreeMap<_, _> = nodes.nodes.iter().map(|(at, id)| (*id, *at)).collect();
        let runs_of: BTreeMap<_, _> = nodes.texts.iter().map(|(id, runs)| (*id, runs)).collect();
        let mut parent = 0;
        for edge in document.root().edges().through_templates() {
            let (Edge::Open(node) | Edge::Close(node)) = edge;
            if is_wrapper(node) {
                continue;
            }
            let is_open = matches!(edge, Edge::Open(_));
            match node.kind() {
                NodeKind::Element | NodeKind::DocumentFragment if !is_open => {
                    parent = model.nodes[parent].parent;
                }
                NodeKind::Element => {
                    let name = element_name::<D>(node);
                    let attributes = node.attributes();
                    let attributes = attributes.filter(|one| !events.defaults.contains(one.name()));
                    let attributes = attributes
                        .map(|one| (one.name().to_owned(), one.value().to_owned()))
                        .collect();
                    parent = model.append(parent, Item::Start(name.clone(), attributes));
                    model.nodes[parent].end = Some(Item::End(name));
                    let namespace = children_namespace(node);
                    let is_foreign = is_html::<D>() && namespace != namespaces::HTML;
                    model.nodes[parent].children_namespace = is_foreign.then_some(namespace);
                    if let Some(at) = item_of.get(&node.id()) {
                        model.of_item.insert(*at, parent);
                    }
                }
                NodeKind::DocumentFragment => {
                    parent = model.append(parent, contents_mark());
                    model.nodes[parent].item = None;
                    model.nodes[parent].is_contents = true;
                }
                NodeKind::Text if is_open => {
                    let runs = runs_of.get(&node.id()).map_or(&[][..], |runs| &runs[..]);
                    if runs.is_empty() {
                        model.append(parent, Item::Text(node.text().to_owned()));
                    }
                    for run in runs {
                        let text = model.append(parent, events.items[*run].clone());
                        model.of_item.insert(*run, text);
                    }
                }
                kind if is_open => {
                    let item = match kind {
                        NodeKind::Comment => Item::Comment(node.text().to_owned()),
                        NodeKind::Doctype => Item::Other(format!("doctype {}", node.name())),
                        NodeKind::ProcessingInstruction => {
                            Item::Other(format!("{} {}", node.name(), node.text()))
                        }
                        _ => continue,
                    };
                    let leaf = model.append(parent, item);
                    if let Some(at) = item_of.get(&node.id()) {
                        model.of_item.insert(*at, leaf);
                    }
                }
                _ => {}
            }
        }
        model
    }

    /// Returns the events of the document with these edits.
    #[must_use]
    pub fn edited(&self, events: &Events, made: &[Edit]) -> Vec<Item> {
        let mut model = self.clone();
        made.iter().for_each(|edit| model.apply(events, edit));
        model.items()
    }

    fn empty() -> Model {
        Model {
            nodes: vec![ModelNode::default()],
            of_item: BTreeMap::new(),
            is_written: false,
        }
    }

    fn append(&mut self, parent: usize, item: Item) -> usize {
        let node = self.nodes.len();
        self.nodes.push(ModelNode {
            item: Some(item),
            parent,
            ..ModelNode::default()
        });
        self.nodes[parent].children.push(node);
        node
    }

    /// Makes an edit.
    fn apply(&mut self, events: &Events, Edit { at, op }: &Edit) {
        let start = events.own.get(at).unwrap_or(at);
        // A declaration has no node in a tree.
        let Some(&node) = self.of_item.get(start) else {
            return;
        };
        let is_end = start != at;
        match op {
            Op::SetAttribute(name) => self.attributes(node, |attributes| {
                match attributes.iter_mut().find(|(is, _)| is == name) {
                    Some((_, value)) => VALUE.clone_into(value),
                    None => attributes.push((name.clone(), VALUE.to_owned())),
                }
            }),
            Op::RemoveAttribute(name) => {
                self.attributes(node, |attributes| attributes.retain(|(is, _)| is != name));
            }
            Op::Rename(new) => {
                let node = &mut self.nodes[node];
                for item in [&mut node.item, &mut node.end] {
                    match item {
                        // `</>` has no name.
                        Some(Item::Start(name, _) | Item::End(name)) if !name.is_empty() => {
                            let namespace = name.find(" in ").map_or("", |at| &name[at..]);
                            *name = [new, namespace].concat();
                        }
                        _ => {}
                    }
                }
            }
            Op::Remove => self.nodes[node].is_removed = true,
            Op::Unwrap => self.nodes[node].is_unwrapped = true,
            Op::Before(piece) if is_end => self.fill(node, usize::MAX, *piece),
            Op::Before(piece) => self.insert_beside(node, 0, *piece),
            Op::After(piece) => self.insert_beside(node, 1, *piece),
            Op::Prepend(piece) => self.fill(node, 0, *piece),
            Op::Append(piece) => self.fill(node, usize::MAX, *piece),
            Op::SetContent(piece) => {
                let holder = self.holder(node);
                self.nodes[holder].children.clear();
                self.fill(node, 0, *piece);
            }
            Op::SetText(text) => {
                if let Some(Item::Text(old) | Item::Comment(old)) = &mut self.nodes[node].item {
                    old.clone_from(text);
                }
            }
        }
    }

    fn attributes(&mut self, node: usize, edit: impl FnOnce(&mut Vec<(String, String)>)) {
        if let Some(Item::Start(_, attributes)) = &mut self.nodes[node].item {
            edit(attributes);
        }
    }

    /// Returns the node with the children of an element: the element, or the contents of a template.
    fn holder(&self, node: usize) -> usize {
        let children = &self.nodes[node].children;
        let mut contents = children
            .iter()
            .filter(|child| self.nodes[**child].is_contents);
        contents.next().copied().unwrap_or(node)
    }

    fn insert_beside(&mut self, node: usize, side: usize, piece: Piece) {
        let parent = self.nodes[node].parent;
        let mut siblings = self.nodes[parent].children.iter();
        // A removed child of an element with new contents has no place.
        if let Some(index) = siblings.position(|sibling| *sibling == node) {
            self.insert(parent, index + side, piece);
        }
    }

    /// Inserts content into an element at an index, or at the end.
    fn fill(&mut self, node: usize, index: usize, piece: Piece) {
        let holder = self.holder(node);
        let index = index.min(self.nodes[holder].children.len());
        self.insert(holder, index, piece);
    }

    fn insert(&mut self, parent: usize, index: usize, piece: Piece) {
        let namespace = self.nodes[parent].children_namespace.clone();
        let mut added = Vec::new();
        for part in piece.parts() {
            let node = self.nodes.len();
            match part {
                Part::Text(text) => _ = self.append(parent, Item::Text(text.to_owned())),
                Part::Comment(text) => _ = self.append(parent, Item::Comment(text.to_owned())),
                Part::Element(name) => {
                    let name = match &namespace {
                        Some(namespace) => format!("{name} in {namespace}"),
                        None => name.to_owned(),
                    };
                    self.append(parent, Item::Start(name.clone(), Vec::new()));
                    self.nodes[node].end = Some(Item::End(name));
                    self.append(node, Item::Text("m".to_owned()));
                }
            }
            self.nodes[parent].children.pop();
            added.push(node);
        }
        self.nodes[parent].children.splice(index..index, added);
    }

    /// Returns true for a void element of HTML. In tags as written, it has no end tag.
    fn has_no_end(&self, node: usize, name: &str) -> bool {
        self.is_written && ["br", "frame"].contains(&name) && !self.nodes[node].is_foreign
    }

    /// Returns the events of the edited document.
    fn items(&self) -> Vec<Item> {
        enum Step {
            Open(usize),
            Item(Item),
        }
        let (mut items, mut steps) = (Vec::new(), vec![Step::Open(0)]);
        while let Some(step) = steps.pop() {
            let number = match step {
                Step::Item(item) => {
                    items.push(item);
                    continue;
                }
                Step::Open(number) => number,
            };
            let node = &self.nodes[number];
            if node.is_removed {
                continue;
            }
            let has_tags = !node.is_unwrapped;
            let has_marks = node.is_contents && !self.nodes[node.parent].is_unwrapped;
            items.extend(node.item.clone().filter(|_| has_tags));
            items.extend(has_marks.then(contents_mark));
            let end = match &node.item {
                Some(Item::Start(name, _)) if self.has_no_end(number, name) => None,
                Some(Item::Start(name, _)) if node.closes_itself && !node.children.is_empty() => {
                    Some(Item::End(name.clone()))
                }
                _ => node.end.clone(),
            };
            steps.extend(end.filter(|_| has_tags).map(Step::Item));
            steps.extend(has_marks.then(contents_mark).map(Step::Item));
            steps.extend(node.children.iter().rev().copied().map(Step::Open));
        }
        joined(items)
    }
}

/// Removes the newlines that a parser of HTML ignores, at the start of some elements, from tags as written.
pub fn drop_ignored_newlines(items: &mut [Item]) {
    for at in 1..items.len() {
        let ignores = match &items[at - 1] {
            Item::Start(name, _) => ["pre", "listing", "textarea"].contains(&&**name),
            _ => false,
        };
        if let Item::Text(text) = &mut items[at]
            && ignores
            && text.starts_with('\n')
        {
            text.remove(0);
        }
    }
}

/// Writes the nodes of a tree as HTML.
#[must_use]
pub fn to_html(items: &[Item]) -> String {
    const RAW: [&str; 8] = [
        "script",
        "style",
        "xmp",
        "iframe",
        "noembed",
        "noframes",
        "noscript",
        "plaintext",
    ];
    const VOID: [&str; 18] = [
        "area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "img", "input",
        "keygen", "link", "meta", "param", "source", "track", "wbr",
    ];
    let escape = |text: &str| {
        let text = text.replace('&', "&amp;").replace('<', "&lt;");
        text.replace('"', "&quot;").replace('\r', "&#13;")
    };
    let mut out = String::new();
    let mut before: Option<&Item> = None;
    for item in items {
        match item {
            Item::Start(name, attributes) => {
                let name = name.split(" in ").next().unwrap_or(name);
                out.extend(["<", name]);
                for (name, value) in attributes {
                    out.extend([" ", name, "=\"", &escape(value), "\""]);
                }
                out.push('>');
            }
            Item::End(name) if VOID.contains(&name.as_str()) => {}
            Item::End(name) => {
                out.extend(["</", name.split(" in ").next().unwrap_or(name), ">"]);
            }
            Item::Text(text) => {
                let parent = match before {
                    Some(Item::Start(name, _)) => name.as_str(),
                    _ => "",
                };
                if ["pre", "textarea", "listing"].contains(&parent) && text.starts_with('\n') {
                    out.push('\n');
                }
                match RAW.contains(&parent) {
                    true => out.push_str(text),
                    false => out.push_str(&escape(text)),
                }
            }
            Item::Comment(text) => out.extend(["<!--", text, "-->"]),
            Item::Other(other) => {
                if let Some(name) = other.strip_prefix("doctype ") {
                    out.extend(["<!DOCTYPE ", name, ">"]);
                }
            }
        }
        before = Some(item);
    }
    out
}
