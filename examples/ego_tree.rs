//! Builds a tree of the crate `ego_tree`, which `scraper` and other crates use, with all operations that HTML needs.
//!
//! `cargo run --example ego_tree [FILE]`

use ego_tree::{NodeId, NodeMut, Tree};
use std::error::Error;
use std::{env, fs::File, io::Read};
use tagstream::tree::QualifiedName;
use tagstream::{Html, TreeBuilder, TreeSink};

#[derive(Clone, Debug)]
enum Node {
    Document,
    Element(String, Vec<(String, String)>),
    Text(String),
    Comment(String),
}

struct Page(Tree<Node>);

impl Page {
    fn node(&mut self, id: NodeId) -> NodeMut<'_, Node> {
        self.0.get_mut(id).expect("a node of this tree")
    }

    fn add_text(&mut self, before: Option<NodeId>, text: &str) -> bool {
        let Some(mut node) = before.and_then(|before| self.0.get_mut(before)) else {
            return false;
        };
        let Node::Text(said) = node.value() else {
            return false;
        };
        said.push_str(text);
        true
    }
}

impl TreeSink for Page {
    type Handle = NodeId;
    type Namespace = ();

    fn document(&self) -> NodeId {
        self.0.root().id()
    }
    fn namespace(&mut self, _: &str) {}
    fn create_element(&mut self, name: QualifiedName<'_, ()>) -> NodeId {
        let name = name.qualified().to_owned();
        self.0.orphan(Node::Element(name, Vec::new())).id()
    }
    fn add_attribute(&mut self, element: NodeId, name: QualifiedName<'_, ()>, value: &str) {
        if let Node::Element(_, attributes) = self.node(element).value() {
            attributes.push((name.qualified().to_owned(), value.to_owned()));
        }
    }
    fn append(&mut self, parent: NodeId, child: NodeId) {
        self.node(parent).append_id(child);
    }
    fn append_text(&mut self, parent: NodeId, text: &str) {
        let last = self.node(parent).last_child().map(|last| last.id());
        if !self.add_text(last, text) {
            self.node(parent).append(Node::Text(text.to_owned()));
        }
    }

    // Nodes that are optional for a sink.
    fn create_comment(&mut self, data: &str) -> NodeId {
        self.0.orphan(Node::Comment(data.to_owned())).id()
    }

    // Operations that HTML needs.
    fn add_missing_attribute(&mut self, element: NodeId, name: QualifiedName<'_, ()>, value: &str) {
        if let Node::Element(_, attributes) = self.node(element).value()
            && !attributes.iter().any(|(is, _)| is == name.qualified())
        {
            attributes.push((name.qualified().to_owned(), value.to_owned()));
        }
    }
    fn parent(&self, node: NodeId) -> Option<NodeId> {
        self.0.get(node)?.parent().map(|parent| parent.id())
    }
    fn insert_before(&mut self, sibling: NodeId, child: NodeId) {
        self.node(sibling).insert_id_before(child);
    }
    fn insert_text_before(&mut self, sibling: NodeId, text: &str) {
        let before = self.node(sibling).prev_sibling().map(|before| before.id());
        if !self.add_text(before, text) {
            self.node(sibling)
                .insert_before(Node::Text(text.to_owned()));
        }
    }
    fn remove(&mut self, node: NodeId) {
        self.node(node).detach();
    }
    fn move_children(&mut self, from: NodeId, to: NodeId) {
        self.node(to).reparent_from_id_append(from);
    }
    fn clone_element(&mut self, element: NodeId) -> NodeId {
        let copy = self.node(element).value().clone();
        self.0.orphan(copy).id()
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args_os().nth(1);
    let path = path.unwrap_or_else(|| "examples/data/page.html".into());
    let mut bytes = Vec::new();
    File::open(path)?.read_to_end(&mut bytes)?;
    let mut builder = TreeBuilder::with_sink(Html::default(), Page(Tree::new(Node::Document)));
    builder.feed(bytes)?;
    builder.end()?;
    let Page(tree) = builder.into_sink();
    for node in tree.root().descendants().skip(1) {
        let indent = 2 * node.ancestors().count() - 2;
        match node.value() {
            Node::Element(name, attributes) => {
                print!("{:indent$}<{name}", "");
                for (name, value) in attributes {
                    print!(" {name}={value:?}");
                }
                println!(">");
            }
            Node::Text(text) if text.trim().is_empty() => {}
            Node::Text(text) => println!("{:indent$}{:?}", "", text.trim()),
            Node::Comment(data) => println!("{:indent$}<!--{data}-->", ""),
            Node::Document => {}
        }
    }
    Ok(())
}
