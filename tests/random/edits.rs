//! Random edits of trees, compared with the same edits of a simple model. Every call has the same result or the same
//! error as in the model, every link between nodes is correct, and the serialized trees are the same.
//! `TAGSTREAM_DOCUMENTS` sets the number of sequences of calls.

use tagstream::tree::{NodeId, Place, TreeSink};
use tagstream::{Document, EditError, Node, NodeKind, Xml};
use testing::effort;
use testing::random::Random;
use testing::run::{Failed, Program};
use testing::tree_formats::TreeFormats as _;
use testing::writing::is_written;

pub(crate) fn add(program: &mut Program) {
    let seed = effort::seed(0x6564_6974);
    program.case(format!("core/edits/seed {seed}"), move || sequences(seed));
}

fn sequences(seed: u64) -> Result<(), Failed> {
    let mut random = Random(seed);
    for number in 0..effort::documents(300, 3_000) {
        let mut both = Both::new(&mut random);
        for step in 0..=random.below(60) {
            let told = both.change(&mut random).and_then(|done| match step % 8 {
                7 => both.compare(&done),
                _ => Ok(()),
            });
            told.map_err(|wrong| format!("seed {seed}, sequence {number}, step {step}: {wrong}"))?;
        }
        both.compare("the last step")
            .and_then(|()| is_written(&both.document).map(|_| ()))
            .and_then(|()| both.compact(&mut random))
            .map_err(|wrong| format!("seed {seed}, sequence {number}, at the end: {wrong}"))?;
    }
    Ok(())
}

/// A node of the model.
#[derive(Clone, Debug)]
struct Simple {
    kind: NodeKind,
    name: String,
    data: String,
    attributes: Vec<(String, String)>,
    parent: Option<usize>,
    children: Vec<usize>,
    /// The id of the same node in the document.
    id: NodeId,
}

/// A document and the model, which must have the same tree.
struct Both {
    document: Document,
    /// The nodes of the model. The first node is the document.
    simple: Vec<Simple>,
}

type Told = Result<(), String>;

const NAMES: [&str; 6] = ["a", "b", "x:c", "d", "xmlns", "b\""];
const TEXTS: [&str; 7] = [
    "",
    "--",
    "\u{1}",
    "urn:a",
    "one",
    "two three",
    "the long text that several nodes have, so that it's worth keeping it once",
];
const NO_NAMES: [&str; 5] = ["", "a b", "a>", "1", "a/"];

impl Both {
    fn new(random: &mut Random) -> Both {
        let source = [
            "<a b='1' d='2'>one<b/>two<!--three--><d><?a four?></d></a>",
            "<a/>",
        ];
        // The document keeps a chunk that is long, and its strings are parts of it.
        let padding = " ".repeat(*random.pick(&[&0_usize, &5000]));
        let source = format!("{}{padding}", random.pick(&source));
        let document = Document::parse(Xml::strict(), source);
        let mut both = Both {
            document: document.expect("well-formed"),
            simple: Vec::new(),
        };
        both.learn(both.document.root().id(), None);
        both
    }

    /// Adds a node of the document and its descendants to the model.
    fn learn(&mut self, id: NodeId, parent: Option<usize>) {
        let mut open = vec![(id, parent)];
        while let Some((id, parent)) = open.pop() {
            let number = self.simple.len();
            let node = self.document.node(id).expect("a node");
            open.extend(
                node.children()
                    .rev()
                    .map(|child| (child.id(), Some(number))),
            );
            let attributes = node.attributes();
            self.simple.push(Simple {
                kind: node.kind(),
                name: node.name().to_owned(),
                data: node.text().to_owned(),
                attributes: attributes
                    .map(|one| (one.name().to_owned(), one.value().to_owned()))
                    .collect(),
                parent,
                children: Vec::new(),
                id,
            });
            if let Some(parent) = parent {
                self.simple[parent].children.push(number);
            }
        }
    }

    /// Makes one random call on the document and on the model. Returns the name of the call.
    fn change(&mut self, random: &mut Random) -> Result<String, String> {
        let node = random.below(self.simple.len());
        let id = self.simple[node].id;
        let (name, text) = (random.pick(&NAMES), random.pick(&TEXTS));
        let bad = random.one_in(12).then(|| random.pick(&NO_NAMES));
        let name = bad.unwrap_or(name);
        let call = random.below(14);
        let (expected, found) = match call {
            0 => self.create(name, text, random.below(4)),
            1..=4 => {
                let other = random.below(self.simple.len());
                let place = random.below(4);
                let beside = self.simple[other].id;
                let places = [
                    Place::Before(beside),
                    Place::After(beside),
                    Place::FirstIn(beside),
                    Place::LastIn(beside),
                ];
                (
                    self.insert(node, other, place),
                    self.document.insert(id, places[place]),
                )
            }
            5 => {
                let had = self.detach(node);
                let has = self.document.remove(id);
                (Ok(()), same(had, has))
            }
            6 => (self.unwrap(node), self.document.unwrap(id)),
            7 => self.set_text(node, text),
            8 => (self.rename(node, name), self.document.rename(id, name)),
            9 | 10 => (
                self.set_attribute(node, name, text),
                self.document.set_attribute(id, name, text),
            ),
            11 => {
                let attributes = &mut self.simple[node].attributes;
                let before = attributes.len();
                attributes.retain(|(is, _)| is != name);
                let had = attributes.len() < before;
                (Ok(()), same(had, self.document.remove_attribute(id, name)))
            }
            12 if self.simple[node].kind != NodeKind::Document => {
                // The nodes of a copy share their data with the original.
                let copy = self.document.clone_subtree(id);
                self.learn(copy, None);
                (Ok(()), Ok(()))
            }
            12 => {
                let from = Document::parse(Xml::strict(), "<b a='1'>in<x:c xmlns:x='urn:x'/></b>")
                    .expect("well-formed");
                let copy = self.document.import(from.root_element().expect("a root"));
                self.learn(copy.map_err(|error| error.to_string())?, None);
                (Ok(()), Ok(()))
            }
            _ => {
                for child in std::mem::take(&mut self.simple[node].children) {
                    self.simple[child].parent = None;
                }
                (Ok(()), self.document.remove_children(id))
            }
        };
        match expected == found {
            true => Ok(format!("call {call} of node {node}")),
            false => Err(format!(
                "call {call} of {:?}: {found:?} and not {expected:?}",
                self.simple[node]
            )),
        }
    }

    fn create(&mut self, name: &str, text: &str, kind: usize) -> (Asked, Asked) {
        let is_bad = matches!(kind, 0 | 1) && NO_NAMES.contains(&name);
        let made = match kind {
            0 => self.document.new_element(name),
            1 => self.document.new_processing_instruction(name, text),
            2 => self.document.new_text(text),
            _ => self.document.new_comment(text),
        };
        let expected = if is_bad {
            Err(EditError::Name(name.into()))
        } else {
            Ok(())
        };
        if let Ok(id) = made {
            self.learn(id, None);
        }
        (expected, made.map(|_| ()))
    }

    fn insert(&mut self, node: usize, other: usize, place: usize) -> Asked {
        if self.simple[node].kind == NodeKind::Document {
            return Err(EditError::Root);
        }
        let parent = match place {
            0 | 1 => self.simple[other].parent.ok_or(EditError::NoPlace)?,
            _ => other,
        };
        if !matches!(
            self.simple[parent].kind,
            NodeKind::Document | NodeKind::Element
        ) {
            return Err(EditError::NoParent);
        }
        let above = std::iter::successors(Some(parent), |above| self.simple[*above].parent);
        if above.into_iter().any(|above| above == node) {
            return Err(EditError::Cycle);
        }
        if place < 2 && other == node {
            return Ok(());
        }
        self.detach(node);
        let children = &mut self.simple[parent].children;
        let beside = children.iter().position(|child| *child == other);
        let at = match place {
            0 => beside.expect("a child"),
            1 => beside.expect("a child") + 1,
            2 => 0,
            _ => children.len(),
        };
        children.insert(at, node);
        self.simple[node].parent = Some(parent);
        Ok(())
    }

    fn detach(&mut self, node: usize) -> bool {
        let parent = self.simple[node].parent.take();
        if let Some(parent) = parent {
            self.simple[parent].children.retain(|child| *child != node);
        }
        parent.is_some()
    }

    fn unwrap(&mut self, node: usize) -> Asked {
        if self.simple[node].kind != NodeKind::Element {
            return Err(EditError::NoElement);
        }
        let parent = self.simple[node].parent.ok_or(EditError::NoPlace)?;
        let children = std::mem::take(&mut self.simple[node].children);
        for child in &children {
            self.simple[*child].parent = Some(parent);
        }
        let siblings = &mut self.simple[parent].children;
        let at = siblings
            .iter()
            .position(|child| *child == node)
            .expect("a child");
        siblings.splice(at..=at, children);
        self.simple[node].parent = None;
        Ok(())
    }

    fn set_text(&mut self, node: usize, text: &str) -> (Asked, Asked) {
        let id = self.simple[node].id;
        let found = self.document.set_text(id, text);
        match self.simple[node].kind {
            NodeKind::Document => return (Err(EditError::NoData), found),
            NodeKind::Element => {
                let children = self.simple[node].children.clone();
                let only = children.first().filter(|child| {
                    children.len() == 1
                        && self.simple[**child].kind == NodeKind::Text
                        && !text.is_empty()
                });
                if let Some(only) = only {
                    self.simple[*only].data = text.to_owned();
                    return (Ok(()), found);
                }
                for child in children {
                    self.detach(child);
                }
                let child = self.document.node(id).and_then(|node| node.first_child());
                if let Some(child) = child.map(|child| child.id()) {
                    self.learn(child, Some(node));
                }
                let last = self.simple[node].children.last();
                let said = last.map_or("", |last| &self.simple[*last].data);
                if said != text {
                    return (Err(EditError::NoData), found);
                }
            }
            _ => self.simple[node].data = text.to_owned(),
        }
        (Ok(()), found)
    }

    fn rename(&mut self, node: usize, name: &str) -> Asked {
        if NO_NAMES.contains(&name) {
            return Err(EditError::Name(name.into()));
        }
        let simple = &mut self.simple[node];
        match simple.kind {
            NodeKind::Element => {
                // Renaming an element keeps its prefix.
                let prefix = self.document.node(simple.id).and_then(|node| node.prefix());
                simple.name = match prefix {
                    Some(prefix) => format!("{prefix}:{name}"),
                    None => name.to_owned(),
                };
            }
            NodeKind::ProcessingInstruction => simple.name = name.to_owned(),
            _ => return Err(EditError::NoData),
        }
        Ok(())
    }

    fn set_attribute(&mut self, node: usize, name: &str, value: &str) -> Asked {
        let simple = &mut self.simple[node];
        if simple.kind != NodeKind::Element {
            return Err(EditError::NoElement);
        }
        // The name `1` is allowed for attributes, but not for elements.
        if NO_NAMES.contains(&name) && name != "1" {
            return Err(EditError::Name(name.into()));
        }
        match simple.attributes.iter_mut().find(|(is, _)| is == name) {
            Some((_, is)) => *is = value.to_owned(),
            None => simple.attributes.push((name.to_owned(), value.to_owned())),
        }
        Ok(())
    }

    /// Compares every node with the model, including nodes that are in no tree.
    fn compare(&self, after: &str) -> Told {
        for simple in &self.simple {
            let node = self.document.node(simple.id).ok_or("a node is gone")?;
            let ids = |numbers: &[usize]| -> Vec<NodeId> {
                numbers
                    .iter()
                    .map(|number| self.simple[*number].id)
                    .collect()
            };
            let children = ids(&simple.children);
            let attributes = node
                .attributes()
                .map(|one| (one.name().to_owned(), one.value().to_owned()));
            let is_same = node.kind() == simple.kind
                && node.name() == simple.name
                && node.text() == simple.data
                && attributes.eq(simple.attributes.iter().cloned())
                && node.parent().map(|parent| parent.id())
                    == simple.parent.map(|parent| self.simple[parent].id)
                && node
                    .children()
                    .map(|child| child.id())
                    .eq(children.iter().copied())
                && node
                    .children()
                    .rev()
                    .map(|child| child.id())
                    .eq(children.iter().rev().copied())
                && are_linked(node);
            if !is_same {
                return Err(format!("after {after}: {node:?} and not {simple:?}"));
            }
        }
        let (own, simple) = (self.document.root().to_html(), self.written(0));
        match own == simple {
            true => Ok(()),
            false => Err(format!("after {after}: {own} and not {simple}")),
        }
    }

    /// Serializes a tree of the model as HTML. HTML's rules for particular elements are not applied.
    fn written(&self, from: usize) -> String {
        enum Step {
            Open(usize),
            Close(usize),
        }
        let (mut out, mut steps) = (String::new(), vec![Step::Open(from)]);
        while let Some(step) = steps.pop() {
            let number = match step {
                Step::Close(number) => {
                    out.push_str(&format!("</{}>", self.simple[number].name));
                    continue;
                }
                Step::Open(number) => number,
            };
            let node = &self.simple[number];
            match node.kind {
                NodeKind::Element => {
                    out.push_str(&format!("<{}", node.name));
                    for (name, value) in &node.attributes {
                        out.push_str(&format!(" {name}=\"{value}\""));
                    }
                    out.push('>');
                    steps.push(Step::Close(number));
                }
                NodeKind::Text => out.push_str(&node.data),
                NodeKind::Comment => out.push_str(&format!("<!--{}-->", node.data)),
                NodeKind::ProcessingInstruction => {
                    out.push_str(&format!("<?{} {}?>", node.name, node.data))
                }
                _ => {}
            }
            steps.extend(node.children.iter().rev().map(|child| Step::Open(*child)));
        }
        out
    }

    /// Releases the memory of removed nodes. Asserts that the tree is the same, and continues the edits with the new
    /// ids.
    fn compact(&mut self, random: &mut Random) -> Told {
        let (before, nodes) = (
            self.document.to_outline(),
            self.document.root().descendants().count() + 1,
        );
        self.document.shrink_to_fit();
        if self.document.to_outline() != before {
            return Err(format!(
                "shrink_to_fit: {} of {before}",
                self.document.to_outline()
            ));
        }
        let map = self.document.compact();
        if self.document.to_outline() != before || self.document.node_count() != nodes {
            return Err(format!(
                "compact: {} of {before}",
                self.document.to_outline()
            ));
        }
        let mut ids = self.simple.iter().map(|simple| map.get(simple.id));
        let is_below = |mut number: usize| {
            while let Some(parent) = self.simple[number].parent {
                number = parent;
            }
            number == 0
        };
        if !(0..self.simple.len()).all(|number| ids.next().flatten().is_some() == is_below(number))
        {
            return Err("compact: another set of nodes".to_owned());
        }
        // Remove the same nodes from the model.
        let kept: Vec<usize> = (0..self.simple.len())
            .filter(|number| is_below(*number))
            .collect();
        let number = |old: usize| kept.binary_search(&old).expect("in the tree");
        let simple = kept.iter().map(|old| {
            let node = self.simple[*old].clone();
            Simple {
                parent: node.parent.map(number),
                children: node.children.iter().map(|child| number(*child)).collect(),
                id: map.get(node.id).expect("in the tree"),
                ..node
            }
        });
        self.simple = simple.collect();
        for _ in 0..8 {
            self.change(random)?;
        }
        self.compare("compact")
    }
}

type Asked = Result<(), EditError>;

/// Compares the results of two calls that cannot fail.
fn same(had: bool, has: bool) -> Asked {
    match had == has {
        true => Ok(()),
        false => Err(EditError::NoNode),
    }
}

/// Returns true if the siblings and the parent of a node have correct links to the node.
fn are_linked(node: Node<'_>) -> bool {
    let previous = node.previous_sibling();
    let next = node.next_sibling();
    previous.is_none_or(|previous| previous.next_sibling() == Some(node))
        && next.is_none_or(|next| next.previous_sibling() == Some(node))
        && node.parent().is_none_or(|parent| {
            (previous.is_some() || parent.first_child() == Some(node))
                && (next.is_some() || parent.last_child() == Some(node))
        })
}
