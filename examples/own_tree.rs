//! A tree of one's own: the least that a `TreeSink` can be, and what is made of it.
//!
//! `cargo run --example own_tree [FILE]`

use std::error::Error;
use std::rc::Rc;
use std::{env, fs::File, io::Read};
use tagstream::tree::QualifiedName;
use tagstream::{TreeBuilder, TreeSink, Xml};

/// A node is a number: that of its name or text, and of its children. The document is the first.
struct Tree {
    nodes: Vec<(String, Vec<usize>)>,
}

impl Default for Tree {
    fn default() -> Self {
        let document = (String::new(), Vec::new());
        Tree {
            nodes: vec![document],
        }
    }
}

impl Tree {
    fn node(&mut self, name: &str) -> usize {
        self.nodes.push((name.to_owned(), Vec::new()));
        self.nodes.len() - 1
    }
}

impl TreeSink for Tree {
    type Handle = usize;
    type Namespace = Rc<str>;

    fn document(&self) -> usize {
        0
    }

    fn namespace(&mut self, name: &str) -> Rc<str> {
        name.into()
    }

    fn create_element(&mut self, name: QualifiedName<'_, Rc<str>>) -> usize {
        self.node(name.local())
    }

    fn append(&mut self, parent: usize, child: usize) {
        self.nodes[parent].1.push(child);
    }

    fn append_text(&mut self, parent: usize, text: &str) {
        let text = self.node(text);
        self.append(parent, text);
    }

    // What this tree leaves out.
    fn add_attribute(&mut self, _: usize, _: QualifiedName<'_, Rc<str>>, _: &str) {}
    fn set_doctype(&mut self, _: &str, _: Option<&str>, _: Option<&str>) {}
    fn create_comment(&mut self, _: &str) -> usize {
        self.node("")
    }
    fn create_processing_instruction(&mut self, _: &str, _: &str) -> usize {
        self.node("")
    }

    // What trees of HTML, and of Sky, are built with besides.
    fn add_missing_attribute(&mut self, _: usize, _: QualifiedName<'_, Rc<str>>, _: &str) {}
    fn create_doctype(&mut self, _: &str, _: Option<&str>, _: Option<&str>) -> usize {
        self.node("")
    }
    fn create_fragment(&mut self) -> usize {
        self.node("")
    }
    fn parent(&self, _: usize) -> Option<usize> {
        None
    }
    fn insert_before(&mut self, _: usize, _: usize) {}
    fn insert_text_before(&mut self, _: usize, _: &str) {}
    fn remove(&mut self, _: usize) {}
    fn move_children(&mut self, _: usize, _: usize) {}
    fn clone_element(&mut self, _: usize) -> usize {
        self.node("")
    }
    fn clone_subtree(&mut self, _: usize) -> usize {
        self.node("")
    }
    fn template_contents(&mut self, element: usize) -> usize {
        element
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args_os().nth(1);
    let path = path.unwrap_or_else(|| "examples/data/news.atom".into());
    let mut builder = TreeBuilder::with_sink(Xml::default(), Tree::default());
    let mut bytes = Vec::new();
    File::open(path)?.read_to_end(&mut bytes)?;
    builder.feed(bytes)?;
    let tree = builder.finish()?;
    // No recursion: documents may be deep.
    let mut open = vec![(tree.document(), 0)];
    while let Some((node, depth)) = open.pop() {
        let (name, children) = &tree.nodes[node];
        if !name.trim().is_empty() {
            println!("{:2$}{}", "", name.trim(), 2 * depth - 2);
        }
        open.extend(children.iter().rev().map(|child| (*child, depth + 1)));
    }
    Ok(())
}
