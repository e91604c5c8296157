//! A custom tree: the smallest possible `TreeSink`, and a program that prints the tree.
//!
//! `cargo run --example own_tree [FILE]`

use std::error::Error;
use std::{env, fs::File, io::Read};
use tagstream::tree::QualifiedName;
use tagstream::{TreeBuilder, TreeSink, Xml};

/// The smallest tree. A handle is an index of this list, and each node has its name or text and the indexes of its
/// children. The first node is the document.
struct Tree(Vec<(String, Vec<usize>)>);

impl Tree {
    fn node(&mut self, name: &str) -> usize {
        self.0.push((name.to_owned(), Vec::new()));
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
        self.node(name.local())
    }
    fn add_attribute(&mut self, _: usize, _: QualifiedName<'_, ()>, _: &str) {}
    fn append(&mut self, parent: usize, child: usize) {
        self.0[parent].1.push(child);
    }
    fn append_text(&mut self, parent: usize, text: &str) {
        let text = self.node(text);
        self.append(parent, text);
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args_os().nth(1);
    let path = path.unwrap_or_else(|| "examples/data/news.atom".into());
    let document = vec![(String::new(), Vec::new())];
    let mut builder = TreeBuilder::with_sink(Xml::default(), Tree(document));
    let mut bytes = Vec::new();
    File::open(path)?.read_to_end(&mut bytes)?;
    builder.feed(bytes)?;
    builder.end()?;
    let tree = builder.into_sink();
    // Without recursion, because documents may be deep.
    let mut open = vec![(tree.document(), 0)];
    while let Some((node, depth)) = open.pop() {
        let (name, children) = &tree.0[node];
        if !name.trim().is_empty() {
            println!("{:2$}{}", "", name.trim(), 2 * depth - 2);
        }
        open.extend(children.iter().rev().map(|child| (*child, depth + 1)));
    }
    Ok(())
}
