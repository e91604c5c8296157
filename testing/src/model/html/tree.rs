//! The nodes that the model builds: what it needs of the DOM, and an outline of it. It must not know
//! what is inserted where.

use crate::model::html::tokenizer::Tag;
use std::fmt::Write;

/// A node, by its number in the tree.
pub type Id = usize;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Namespace {
    Html,
    MathMl,
    Svg,
}

/// An attribute of an element; its namespace by the prefix that the parser gives it.
#[derive(Clone, Debug)]
pub struct Attribute {
    pub prefix: Option<&'static str>,
    pub name: String,
    pub value: String,
}

#[derive(Clone, Debug)]
pub struct Element {
    pub namespace: Namespace,
    pub name: String,
    pub attributes: Vec<Attribute>,
    /// The start tag token that the element was created for.
    pub token: Tag,
    /// The template contents of a `template`.
    pub contents: Option<Id>,
    /// The insertion target, insertion start marker and insertion end marker of a `template`.
    pub patch: Option<(Id, Id, Option<Id>)>,
    /// The shadow root of a host, what is said of it, and whether it is clonable.
    pub shadow_root: Option<(Id, String, bool)>,
    /// The selectedness of an `option`.
    pub selectedness: bool,
    /// Whether a `selectedcontent` is disabled.
    pub is_disabled: bool,
}

impl Element {
    pub fn attribute(&self, name: &str) -> Option<&str> {
        let mut attributes = self.attributes.iter();
        let found = attributes.find(|attribute| attribute.name == name)?;
        Some(&found.value)
    }
}

#[derive(Clone, Debug)]
pub enum Kind {
    Document,
    /// A document fragment, and the `template` whose contents it is.
    DocumentFragment(Option<Id>),
    /// Name, public and system identifier.
    DocumentType(String, String, String),
    Element(Element),
    Text(String),
    Comment(String),
    /// Target and data.
    ProcessingInstruction(String, String),
}

#[derive(Debug)]
struct Node {
    kind: Kind,
    parent: Option<Id>,
    children: Vec<Id>,
}

#[derive(Debug, Default)]
pub struct Tree {
    nodes: Vec<Node>,
}

impl Tree {
    pub fn create(&mut self, kind: Kind) -> Id {
        self.nodes.push(Node {
            kind,
            parent: None,
            children: Vec::new(),
        });
        self.nodes.len() - 1
    }

    /// An element with its template contents, if it is a `template`.
    pub fn create_element(&mut self, element: Element) -> Id {
        let is_template = element.namespace == Namespace::Html && element.name == "template";
        let id = self.create(Kind::Element(element));
        if is_template {
            let contents = self.create(Kind::DocumentFragment(Some(id)));
            self.element_mut(id).contents = Some(contents);
        }
        id
    }

    pub fn kind(&self, id: Id) -> &Kind {
        &self.nodes[id].kind
    }

    pub fn kind_mut(&mut self, id: Id) -> &mut Kind {
        &mut self.nodes[id].kind
    }

    pub fn parent(&self, id: Id) -> Option<Id> {
        self.nodes[id].parent
    }

    pub fn children(&self, id: Id) -> &[Id] {
        &self.nodes[id].children
    }

    pub fn element(&self, id: Id) -> &Element {
        match &self.nodes[id].kind {
            Kind::Element(element) => element,
            other => panic!("no element: {other:?}"),
        }
    }

    pub fn element_mut(&mut self, id: Id) -> &mut Element {
        match &mut self.nodes[id].kind {
            Kind::Element(element) => element,
            other => panic!("no element: {other:?}"),
        }
    }

    /// Whether a node is an HTML element with one of these names.
    pub fn is(&self, id: Id, names: &[&str]) -> bool {
        match &self.nodes[id].kind {
            Kind::Element(element) => {
                element.namespace == Namespace::Html && names.contains(&&*element.name)
            }
            _ => false,
        }
    }

    pub fn has_element_child(&self, id: Id) -> bool {
        let mut children = self.children(id).iter();
        children.any(|&child| matches!(self.kind(child), Kind::Element(_)))
    }

    pub fn remove(&mut self, id: Id) {
        if let Some(parent) = self.nodes[id].parent.take() {
            self.nodes[parent].children.retain(|&child| child != id);
        }
    }

    /// Inserts a node before a child, or as the last one.
    pub fn insert(&mut self, id: Id, parent: Id, before: Option<Id>) {
        self.remove(id);
        let children = &mut self.nodes[parent].children;
        let at = before.and_then(|before| children.iter().position(|&child| child == before));
        children.insert(at.unwrap_or(children.len()), id);
        self.nodes[id].parent = Some(parent);
    }

    pub fn append(&mut self, id: Id, parent: Id) {
        self.insert(id, parent, None);
    }

    /// The ancestors, the nearest first.
    pub fn ancestors(&self, id: Id) -> impl Iterator<Item = Id> {
        std::iter::successors(self.parent(id), |&id| self.parent(id))
    }

    /// dom.spec.whatwg.org/#concept-shadow-including-root
    pub fn shadow_including_root(&self, id: Id) -> Id {
        let root = self.ancestors(id).last().unwrap_or(id);
        match *self.kind(root) {
            Kind::DocumentFragment(Some(host)) if self.is_shadow_root(root, host) => {
                self.shadow_including_root(host)
            }
            _ => root,
        }
    }

    fn is_shadow_root(&self, root: Id, host: Id) -> bool {
        let said = self.element(host).shadow_root.as_ref();
        said.is_some_and(|(shadow, ..)| *shadow == root)
    }

    /// Whether one node is the other or above it, out of template contents too.
    pub fn is_host_including_inclusive_ancestor(&self, above: Id, below: Id) -> bool {
        let mut at = Some(below);
        while let Some(id) = at {
            if id == above {
                return true;
            }
            at = self.parent(id).or(match self.kind(id) {
                Kind::DocumentFragment(host) => *host,
                _ => None,
            });
        }
        false
    }

    /// All below a node, in tree order. Template contents are not below their template.
    pub fn descendants(&self, id: Id) -> Vec<Id> {
        let below = |&child: &Id| [vec![child], self.descendants(child)].concat();
        self.children(id).iter().flat_map(below).collect()
    }

    /// A copy of a node with all that is below it.
    pub fn clone_node(&mut self, id: Id) -> Id {
        let (kind, children) = (self.kind(id).clone(), self.children(id).to_vec());
        let copy = match kind {
            Kind::Element(element) => {
                let contents = element.contents;
                let shadow_root = element.shadow_root.clone();
                let copy = self.create_element(Element {
                    shadow_root: None,
                    ..element
                });
                // Cloned with its host, if it is clonable.
                if let Some((from, said, true)) = shadow_root {
                    let root = self.create(Kind::DocumentFragment(Some(copy)));
                    self.element_mut(copy).shadow_root = Some((root, said, true));
                    let children = self.children(from).to_vec();
                    self.clone_children(&children, root);
                }
                if let (Some(from), Some(to)) = (contents, self.element(copy).contents) {
                    let children = self.children(from).to_vec();
                    self.clone_children(&children, to);
                }
                copy
            }
            kind => self.create(kind),
        };
        self.clone_children(&children, copy);
        copy
    }

    /// Appends copies of nodes.
    pub fn clone_children(&mut self, children: &[Id], parent: Id) {
        for &child in children {
            let copy = self.clone_node(child);
            self.append(copy, parent);
        }
    }

    /// What is below a node, in the notation of the tree-construction suite, but for attributes:
    /// `order` says in which order they are.
    pub fn outline(&self, id: Id, order: Order) -> String {
        let mut out = String::new();
        self.write_children(id, 0, order, &mut out);
        out
    }

    fn write_children(&self, id: Id, depth: usize, order: Order, out: &mut String) {
        for &child in self.children(id) {
            self.write(child, depth, order, out);
        }
    }

    fn write(&self, id: Id, depth: usize, order: Order, out: &mut String) {
        let line = match self.kind(id) {
            Kind::Document | Kind::DocumentFragment(_) => "content".to_owned(),
            Kind::DocumentType(name, public, system) => doctype_line(name, public, system),
            Kind::Element(element) => element_line(element.namespace, &element.name),
            Kind::Text(data) => format!("\"{data}\""),
            Kind::Comment(data) => format!("<!-- {data} -->"),
            Kind::ProcessingInstruction(target, data) => format!("<?{target} {data}?>"),
        };
        write_line(&line, depth, out);
        if let Kind::Element(element) = self.kind(id) {
            let attributes = element.attributes.iter().map(|attribute| {
                let Attribute {
                    prefix,
                    name,
                    value,
                } = attribute;
                let prefix = prefix
                    .map(|prefix| format!("{prefix} "))
                    .unwrap_or_default();
                (format!("{prefix}{name}"), value.clone())
            });
            write_attributes(attributes.collect(), depth + 1, order, out);
            if let Some(contents) = element.contents {
                self.write(contents, depth + 1, order, out);
            }
            if let Some((root, said, _)) = &element.shadow_root {
                write_line(said, depth + 1, out);
                self.write_children(*root, depth + 2, order, out);
            }
        }
        self.write_children(id, depth + 1, order, out);
    }
}

/// The order of attributes in an outline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// As they were added.
    Source,
    /// By name, as the suite has them.
    Sorted,
}

pub fn write_line(line: &str, depth: usize, out: &mut String) {
    writeln!(out, "| {}{line}", "  ".repeat(depth)).expect("a string takes all");
}

pub fn write_attributes(
    mut attributes: Vec<(String, String)>,
    depth: usize,
    order: Order,
    out: &mut String,
) {
    if order == Order::Sorted {
        attributes.sort_by(|(a, _), (b, _)| a.encode_utf16().cmp(b.encode_utf16()));
    }
    for (name, value) in attributes {
        write_line(&format!("{name}=\"{value}\""), depth, out);
    }
}

pub fn element_line(namespace: Namespace, name: &str) -> String {
    match namespace {
        Namespace::Html => format!("<{name}>"),
        Namespace::MathMl => format!("<math {name}>"),
        Namespace::Svg => format!("<svg {name}>"),
    }
}

pub fn doctype_line(name: &str, public: &str, system: &str) -> String {
    match (public, system) {
        ("", "") => format!("<!DOCTYPE {name}>"),
        _ => format!("<!DOCTYPE {name} \"{public}\" \"{system}\">"),
    }
}
