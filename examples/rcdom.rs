//! A tree of reference-counted nodes, as in `markup5ever_rcdom`, with all operations that HTML needs. Nodes have strong
//! references to their children, and a weak one to their parent.
//!
//! `cargo run --example rcdom [FILE]`

use std::cell::{Cell, RefCell};
use std::error::Error;
use std::rc::{Rc, Weak};
use std::{env, fs::File, io::Read};
use tagstream::tree::QualifiedName;
use tagstream::{Html, TreeBuilder, TreeSink};

enum Data {
    Document,
    Element(String, RefCell<Vec<(String, String)>>),
    Text(RefCell<String>),
    Comment(String),
}

struct Node {
    /// The handle of the node. 0 for text nodes, which have no handle.
    number: usize,
    data: Data,
    parent: Cell<Option<Weak<Node>>>,
    children: RefCell<Vec<Rc<Node>>>,
}

impl Node {
    fn new(number: usize, data: Data) -> Rc<Node> {
        Rc::new(Node {
            number,
            data,
            parent: Cell::new(None),
            children: RefCell::default(),
        })
    }

    fn parent(&self) -> Option<Rc<Node>> {
        let parent = self.parent.take();
        let strong = parent.as_ref().and_then(Weak::upgrade);
        self.parent.set(parent);
        strong
    }

    fn detach(self: &Rc<Node>) {
        if let Some(parent) = self.parent() {
            parent
                .children
                .borrow_mut()
                .retain(|child| !Rc::ptr_eq(child, self));
            self.parent.set(None);
        }
    }

    fn insert(self: &Rc<Node>, at: usize, child: Rc<Node>) {
        child.parent.set(Some(Rc::downgrade(self)));
        self.children.borrow_mut().insert(at, child);
    }

    fn insert_text(self: &Rc<Node>, at: usize, text: &str) {
        let before = at
            .checked_sub(1)
            .map(|before| self.children.borrow()[before].clone());
        match before.as_ref().map(|node| &node.data) {
            Some(Data::Text(said)) => said.borrow_mut().push_str(text),
            _ => self.insert(at, Node::new(0, Data::Text(RefCell::new(text.to_owned())))),
        }
    }

    /// Returns the parent, and the index of the node among its children.
    fn place(self: &Rc<Node>) -> Option<(Rc<Node>, usize)> {
        let parent = self.parent()?;
        let is_self = |child: &Rc<Node>| Rc::ptr_eq(child, self);
        let at = parent.children.borrow().iter().position(is_self)?;
        Some((parent, at))
    }
}

/// Drops deep trees without recursion.
impl Drop for Node {
    fn drop(&mut self) {
        let mut open = self.children.take();
        while let Some(node) = open.pop() {
            if Rc::strong_count(&node) == 1 {
                open.append(&mut node.children.borrow_mut());
            }
        }
    }
}

/// A list of all nodes that have a handle. A handle is an index of this list.
struct Tree(Vec<Rc<Node>>);

impl Tree {
    fn add(&mut self, data: Data) -> usize {
        self.0.push(Node::new(self.0.len(), data));
        self.0.len() - 1
    }
}

impl TreeSink for Tree {
    type Handle = usize;
    type Namespace = ();

    fn document(&self) -> usize {
        0
    }
    fn namespace(&mut self, _: &str) {}
    fn create_element(&mut self, name: QualifiedName<'_, ()>) -> usize {
        self.add(Data::Element(
            name.qualified().to_owned(),
            RefCell::default(),
        ))
    }
    fn add_attribute(&mut self, element: usize, name: QualifiedName<'_, ()>, value: &str) {
        if let Data::Element(_, attributes) = &self.0[element].data {
            attributes
                .borrow_mut()
                .push((name.qualified().to_owned(), value.to_owned()));
        }
    }
    fn append(&mut self, parent: usize, child: usize) {
        let child = self.0[child].clone();
        child.detach();
        let at = self.0[parent].children.borrow().len();
        self.0[parent].insert(at, child);
    }
    fn append_text(&mut self, parent: usize, text: &str) {
        let at = self.0[parent].children.borrow().len();
        self.0[parent].insert_text(at, text);
    }

    // Nodes that are optional for a sink.
    fn create_comment(&mut self, data: &str) -> usize {
        self.add(Data::Comment(data.to_owned()))
    }

    // Operations that HTML needs.
    fn add_missing_attribute(&mut self, element: usize, name: QualifiedName<'_, ()>, value: &str) {
        if let Data::Element(_, attributes) = &self.0[element].data {
            let is_missing = !attributes
                .borrow()
                .iter()
                .any(|(is, _)| is == name.qualified());
            if is_missing {
                self.add_attribute(element, name, value);
            }
        }
    }
    fn parent(&self, node: usize) -> Option<usize> {
        self.0[node].parent().map(|parent| parent.number)
    }
    fn insert_before(&mut self, sibling: usize, child: usize) {
        let child = self.0[child].clone();
        child.detach();
        if let Some((parent, at)) = self.0[sibling].place() {
            parent.insert(at, child);
        }
    }
    fn insert_text_before(&mut self, sibling: usize, text: &str) {
        if let Some((parent, at)) = self.0[sibling].place() {
            parent.insert_text(at, text);
        }
    }
    fn remove(&mut self, node: usize) {
        self.0[node].detach();
    }
    fn move_children(&mut self, from: usize, to: usize) {
        let children = self.0[from].children.take();
        for child in &children {
            child.parent.set(Some(Rc::downgrade(&self.0[to])));
        }
        self.0[to].children.borrow_mut().extend(children);
    }
    fn clone_element(&mut self, element: usize) -> usize {
        let copy = match &self.0[element].data {
            Data::Element(name, attributes) => Data::Element(name.clone(), attributes.clone()),
            _ => Data::Document,
        };
        self.add(copy)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args_os().nth(1);
    let path = path.unwrap_or_else(|| "examples/data/page.html".into());
    let mut bytes = Vec::new();
    File::open(path)?.read_to_end(&mut bytes)?;
    let mut builder =
        TreeBuilder::with_sink(Html::default(), Tree(vec![Node::new(0, Data::Document)]));
    builder.feed(bytes)?;
    builder.end()?;
    let document = builder.into_sink().0.swap_remove(0);
    let mut open = vec![(document, 0)];
    while let Some((node, depth)) = open.pop() {
        match &node.data {
            Data::Element(name, attributes) => {
                print!("{:1$}<{name}", "", depth);
                for (name, value) in attributes.borrow().iter() {
                    print!(" {name}={value:?}");
                }
                println!(">");
            }
            Data::Text(text) if text.borrow().trim().is_empty() => {}
            Data::Text(text) => println!("{:2$}{:?}", "", text.borrow().trim(), depth),
            Data::Comment(data) => println!("{:1$}<!--{data}-->", "", depth),
            Data::Document => {}
        }
        let below = depth + 2 * usize::from(!matches!(node.data, Data::Document));
        let children = node.children.borrow();
        open.extend(children.iter().rev().map(|child| (child.clone(), below)));
    }
    Ok(())
}
