//! Builds the tree of a file and walks it.
//!
//! `cargo run --example tree [FILE]`

use std::error::Error;
use std::fs::File;
use std::io::Read;
use tagstream::{TreeBuilder, Xml};

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args_os().nth(1);
    let path = path.unwrap_or_else(|| "examples/data/feed.xml".into());
    let mut file = File::open(path)?;

    // The tree grows as chunks arrive, and can be read between chunks.
    let mut builder = TreeBuilder::new(Xml::default());
    let mut buffer = [0; 4096];
    loop {
        match file.read(&mut buffer)? {
            0 => break,
            read => builder.feed(&buffer[..read])?,
        }
    }
    let document = builder.finish()?;
    for element in document.root().descendants() {
        if element.is_element() {
            let depth = element.ancestors().count();
            let namespace = element.namespace().unwrap_or("no namespace");
            println!("{:2$}{} ({namespace})", "", element.name(), 2 * depth - 2);
        }
    }
    // The output is well-formed, even if the input was not.
    println!("{}", document.to_xml()?);
    Ok(())
}
