//! The nodes of a tree that belong to the events of a rewriter.

use crate::rewriting::edits::{Events, Item, joined};
use std::collections::{BTreeMap, BTreeSet};
use std::iter::Peekable;
use tagstream::tree::{Edge, NodeId, namespaces};
use tagstream::{Buildable, Document, Node, NodeKind, TreeBuilder};
use unicode_normalization::UnicodeNormalization;

/// The properties of a dialect that matter for the comparison.
pub(crate) fn is_html<D>() -> bool {
    std::any::type_name::<D>().ends_with("Html")
}

pub(crate) fn is_sky<D>() -> bool {
    std::any::type_name::<D>().ends_with("Sky")
}

/// Returns true if there can be text outside of the root element.
pub(crate) fn is_free<D>() -> bool {
    is_html::<D>() || is_sky::<D>()
}

pub(crate) fn is_normal<D>() -> bool {
    std::any::type_name::<D>().ends_with("LeafXml")
}

/// Parses a document, with positions.
///
/// # Errors
///
/// Returns the error that ended the parse.
pub fn tree<D: Buildable>(dialect: &D, input: &[u8]) -> Result<Document, tagstream::Error> {
    let mut builder = TreeBuilder::new(dialect.clone()).positions(true);
    builder.feed(input)?;
    builder.finish()
}

/// Normalizes what dialects normalize: LeafXML normalizes text, some dialects drop comments, and all except HTML drop
/// whitespace outside of the root element.
pub(crate) fn normal<D>(mut items: Vec<Item>) -> Vec<Item> {
    if is_html::<D>() {
        return items;
    }
    // A DOCTYPE after an element is none.
    items.retain(|item| !matches!(item, Item::Other(other) if other.starts_with("doctype")));
    if !std::any::type_name::<D>().ends_with("::Xml") {
        items.retain(|item| !matches!(item, Item::Comment(_)));
        items = joined(items);
    }
    // Without a DOCTYPE, an entity that is not declared is text.
    for item in &mut items {
        if let Item::Other(other) = item
            && let Some(entity) = other.strip_prefix("SkippedEntity(")
        {
            *item = Item::Text(entity.trim_end_matches(')').to_owned());
        }
    }
    items = joined(items);
    let mut open: Vec<String> = Vec::new();
    let mut roots = 0;
    for item in &mut items {
        match item {
            Item::Start(name, _) => {
                roots += usize::from(open.is_empty());
                open.push(name.clone());
            }
            Item::End(name) => {
                // `</>` ends any element.
                let ends = |is: &String| is == name || name.is_empty();
                if let Some(found) = open.iter().rposition(ends) {
                    open.truncate(found);
                }
            }
            // Sky drops texts of whitespace, but not whitespace in other texts.
            Item::Text(text) if is_sky::<D>() => *text = text.replace([' ', '\n'], ""),
            // After the root element, an element is an error.
            Item::Text(text) if open.is_empty() || roots > 1 => {
                text.retain(|one| !one.is_ascii_whitespace());
            }
            Item::Text(text) if is_normal::<D>() => *text = text.nfc().collect(),
            _ => {}
        }
    }
    // Whether `</>` ends an element, and has an event, depends on the names of the open elements.
    items.retain(|item| *item != Item::End(String::new()));
    joined(items)
}

/// Returns the nodes of a tree in document order, and the ends of elements. Adjacent texts are joined.
pub(crate) fn shape<D>(document: &Document, defaults: &BTreeSet<String>) -> Vec<Item> {
    let mut items = Vec::new();
    let is_text_dropped = !is_free::<D>();
    for edge in document.root().edges().through_templates() {
        match edge {
            Edge::Open(node) | Edge::Close(node) if is_wrapper(node) => {}
            Edge::Open(node) => match node.kind() {
                NodeKind::Element => {
                    let attributes = node
                        .attributes()
                        .filter(|one| !defaults.contains(one.name()))
                        .map(|one| (one.name().to_owned(), one.value().to_owned()));
                    items.push(Item::Start(element_name::<D>(node), attributes.collect()));
                }
                // Most dialects have no text outside of the root element.
                NodeKind::Text if is_text_dropped && node.parent() == Some(document.root()) => {}
                NodeKind::Text => items.push(Item::Text(node.text().to_owned())),
                NodeKind::Comment => items.push(Item::Comment(node.text().to_owned())),
                NodeKind::ProcessingInstruction => {
                    items.push(Item::Other(format!("{} {}", node.name(), node.text())));
                }
                NodeKind::DocumentFragment => items.push(Item::Other("content".to_owned())),
                NodeKind::Doctype => items.push(Item::Other(format!("doctype {}", node.name()))),
                _ => {}
            },
            Edge::Close(node) => match node.kind() {
                NodeKind::Element => items.push(Item::End(element_name::<D>(node))),
                NodeKind::DocumentFragment => items.push(Item::Other("content".to_owned())),
                _ => {}
            },
        }
    }
    normal::<D>(joined(items))
}

/// Returns whether an element is the one around all nodes of a MicroXML document that has no single root element.
pub(crate) fn is_wrapper(node: Node<'_>) -> bool {
    node.name() == "#doc"
}

/// Returns the name of an element. Edits of the declarations of XML namespaces change the namespaces of other elements,
/// so that only the namespaces of HTML are compared.
pub(crate) fn element_name<D>(node: Node<'_>) -> String {
    match node.namespace() {
        Some(namespace) if is_html::<D>() && namespace != namespaces::HTML => {
            format!("{} in {namespace}", node.name())
        }
        _ => node.name().to_owned(),
    }
}

/// The nodes of the events.
pub struct Nodes {
    /// The element, comment or processing instruction of each item.
    pub nodes: BTreeMap<usize, NodeId>,
    /// The runs of each text node.
    pub texts: Vec<(NodeId, Vec<usize>)>,
}

impl Nodes {
    /// Finds the nodes of the events: they are in the same order.
    ///
    /// # Errors
    ///
    /// Returns a description of the first node that is not that of the next event.
    pub fn find<D>(document: &Document, events: &Events) -> Result<Nodes, String> {
        let mut found = Nodes {
            nodes: BTreeMap::new(),
            texts: Vec::new(),
        };
        let is_in_tree = |at: &usize| match &events.items[*at] {
            Item::Other(other) => {
                other.starts_with("instruction") || is_html::<D>() && other.starts_with("doctype")
            }
            _ => true,
        };
        // The instructions in a DOCTYPE are not nodes.
        let is_in_tree = |at: &usize| is_in_tree(at) && !events.in_doctype.contains(at);
        let mut items = (0..events.items.len()).filter(is_in_tree).peekable();
        // Whitespace outside of the root element is not in the tree.
        let is_space = |at: usize| match &events.items[at] {
            Item::Text(text) => text.trim_ascii().is_empty(),
            _ => false,
        };
        for edge in document.root().edges().through_templates() {
            let (Edge::Open(node) | Edge::Close(node)) = edge;
            let is_open = matches!(edge, Edge::Open(_));
            if is_wrapper(node) {
                continue;
            }
            // The input ends in a DOCTYPE, which has no event.
            let is_instruction =
                |at: &usize| !is_html::<D>() && matches!(events.items[*at], Item::Other(_));
            let has_event = [NodeKind::Element, NodeKind::Text, NodeKind::Comment];
            let has_event = has_event.contains(&node.kind()) && (is_open || node.is_element());
            while has_event
                && !node.is_text()
                && !is_html::<D>()
                && items.next_if(|at| is_space(*at)).is_some()
            {}
            while has_event && items.next_if(is_instruction).is_some() {}
            let wrong = |at: Option<usize>| {
                let item = at.map(|at| &events.items[at]);
                format!("the events have {item:?}, the tree has {node:?}")
            };
            match node.kind() {
                NodeKind::Text if is_open => {
                    let (text, runs) = take_text::<D>(&mut items, events, node);
                    let is_same = text == node.text()
                        || !is_html::<D>() && text.trim_ascii() == node.text().trim_ascii()
                        || is_normal::<D>() && text.nfc().collect::<String>() == node.text();
                    if !is_same {
                        return Err(format!("{}: {text:?}", wrong(items.next())));
                    }
                    found.texts.push((node.id(), runs));
                }
                NodeKind::Element
                | NodeKind::Comment
                | NodeKind::ProcessingInstruction
                | NodeKind::Doctype => {
                    if !is_open && !node.is_element() {
                        continue;
                    }
                    // The instructions in a DOCTYPE that is in an element are not nodes.
                    let is_other = |at: &usize| {
                        matches!(events.items[*at], Item::Other(_))
                            && node
                                .span()
                                .is_some_and(|span| span.start != events.starts[*at])
                    };
                    while node.kind() == NodeKind::ProcessingInstruction
                        && items.next_if(is_other).is_some()
                    {}
                    let next = items.next();
                    let at = next.ok_or_else(|| wrong(next))?;
                    let is_same = match &events.items[at] {
                        Item::Start(name, _) => is_open && node.name() == name,
                        Item::End(name) => !is_open && node.name() == name,
                        Item::Comment(text) => node.text() == text,
                        Item::Text(_) => false,
                        Item::Other(_) => [NodeKind::ProcessingInstruction, NodeKind::Doctype]
                            .contains(&node.kind()),
                    };
                    let start = node.span().map(|span| span.start);
                    let is_written = is_open && events.written.contains(&at);
                    if !is_same || is_written && start != Some(events.starts[at]) {
                        return Err(wrong(next));
                    }
                    if is_open {
                        found.nodes.insert(at, node.id());
                    }
                }
                _ => {}
            }
        }
        // The input may end in a DOCTYPE.
        let is_dropped = |at: &usize| {
            matches!(events.items[*at], Item::Other(_)) || !is_html::<D>() && is_space(*at)
        };
        let mut rest = items.skip_while(is_dropped);
        match rest.next() {
            None => Ok(found),
            Some(at) => Err(format!("the tree does not have {:?}", events.items[at])),
        }
    }

    /// Finds the nodes of the events of a tree in which nodes are elsewhere than in the input. An event that made several
    /// nodes, or a part of one, has none here.
    #[must_use]
    pub fn find_by_offset(document: &Document, events: &Events) -> Nodes {
        let mut at_offset: BTreeMap<u64, Vec<Node<'_>>> = BTreeMap::new();
        for edge in document.root().edges().through_templates() {
            if let Edge::Open(node) = edge
                && let Some(span) = node.span()
            {
                at_offset.entry(span.start).or_default().push(node);
            }
        }
        let mut found = Nodes {
            nodes: BTreeMap::new(),
            texts: Vec::new(),
        };
        for at in events.written.iter().copied() {
            let nodes = at_offset
                .get(&events.starts[at])
                .map_or(&[][..], |nodes| nodes);
            let is_it = |node: &&Node<'_>| match &events.items[at] {
                Item::Start(name, _) => node.is_element() && node.name() == name,
                Item::Text(text) => node.is_text() && node.text() == text,
                Item::Comment(text) => node.kind() == NodeKind::Comment && node.text() == text,
                _ => false,
            };
            let mut nodes = nodes.iter().filter(is_it);
            if let (Some(node), None) = (nodes.next(), nodes.next()) {
                match node.is_text() {
                    true => found.texts.push((node.id(), vec![at])),
                    false => _ = found.nodes.insert(at, node.id()),
                }
            }
        }
        found
    }

    /// Returns true if the event has a node, or is the end of an element that has one.
    #[must_use]
    pub fn has(&self, events: &Events, at: usize) -> bool {
        let start = events.own.get(&at).unwrap_or(&at);
        self.nodes.contains_key(start) || self.texts.iter().any(|(_, runs)| runs.contains(start))
    }
}

/// Returns the namespace of an element that is parsed as a child of this one.
pub(crate) fn children_namespace(parent: Node<'_>) -> String {
    let is_point = match parent.namespace() {
        Some(namespaces::SVG) => ["foreignObject", "desc", "title"].contains(&parent.local_name()),
        Some(namespaces::MATHML) => {
            let encoding = parent.attribute("encoding").unwrap_or_default();
            let encoding = encoding.to_ascii_lowercase();
            ["mi", "mo", "mn", "ms", "mtext"].contains(&parent.local_name())
                || ["text/html", "application/xhtml+xml"].contains(&&*encoding)
        }
        _ => true,
    };
    match parent.namespace() {
        Some(namespace) if !is_point => namespace.to_owned(),
        _ => namespaces::HTML.to_owned(),
    }
}

/// Takes the runs of text that are one node of the tree. Returns their text and their indices.
fn take_text<D>(
    items: &mut Peekable<impl Iterator<Item = usize>>,
    events: &Events,
    node: Node<'_>,
) -> (String, Vec<usize>) {
    let (mut text, mut runs) = (String::new(), Vec::new());
    // In Sky, adjacent texts are separate nodes.
    let is_whole = |text: &str| is_sky::<D>() && text.len() >= node.text().len();
    while let Some(&at) = items.peek().filter(|_| !is_whole(&text)) {
        match &events.items[at] {
            Item::Text(run) => {
                text.push_str(run);
                runs.push(at);
            }
            // Instructions in a DOCTYPE that is in an element are not nodes.
            Item::Other(_) if !is_html::<D>() && text.len() < node.text().len() => {}
            _ => break,
        }
        items.next();
    }
    (text, runs)
}
