//! Reads a wiki dump of any length and prints a record for each page: number, title, time and the length of the text.
//!
//! `cargo run --example dump [FILE]`

use std::error::Error;
use std::{env, fs::File};
use tagstream::{Document, Event, Events, Node, Xml};

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args_os().nth(1);
    let path = path.unwrap_or_else(|| "examples/data/dump.xml".into());
    let mut events = Events::read(Xml::default(), File::open(path)?);
    // Only one page is in memory at a time. Each page reuses the memory of the previous one.
    let mut page = Document::new();
    while let Some(event) = events.next_event()? {
        match event {
            Event::Start(tag) if tag.name() == "page" => {
                let place = tag.position();
                events.subtree_into(&mut page)?;
                match page.root_element().and_then(record) {
                    Some(record) => println!("{record}"),
                    None => eprintln!("{place}: a page without a title or a revision"),
                }
            }
            _ => {}
        }
    }
    Ok(())
}

fn record(page: Node<'_>) -> Option<String> {
    let text = |of: Node<'_>, name| Some(child(of, name)?.text_content());
    let revision = child(page, "revision")?;
    let (id, title) = (text(page, "id")?, text(page, "title")?);
    let time = text(revision, "timestamp").unwrap_or_default();
    let length = text(revision, "text")?.chars().count();
    Some(format!("{id}\t{title}\t{time}\t{length}"))
}

fn child<'a>(of: Node<'a>, name: &str) -> Option<Node<'a>> {
    of.children().find(|node| node.local_name() == name)
}
