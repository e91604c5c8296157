//! Reads a file and prints its links, in one loop over the events.
//!
//! `cargo run --example events [FILE]`

use std::error::Error;
use std::fs::File;
use tagstream::{Event, Events, Xml};

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args_os().nth(1);
    let path = path.unwrap_or_else(|| "examples/data/feed.xml".into());

    let mut events = Events::read(Xml::default(), File::open(path)?);
    while let Some(event) = events.next_event()? {
        // The strings are borrowed: nothing is copied unless the program does so.
        let Event::Start(tag) = event else { continue };
        if let Some(href) = tag.attribute("href") {
            println!("{}: {} links to {href}", tag.position(), tag.name());
        }
    }
    Ok(())
}
