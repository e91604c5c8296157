//! Prints the links of a document: Xml in ten lines.
//!
//! `cargo run --example hrefs_xml [FILE]`

use std::error::Error;
use std::{env, fs::File};
use tagstream::{Event, Events, Xml};

const FILE: &str = "examples/data/feed.xml";

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args_os().nth(1).unwrap_or(FILE.into());
    let mut events = Events::read(Xml::default(), File::open(path)?);
    while let Some(event) = events.next_event()? {
        if let Event::Start(tag) = event {
            tag.attribute("href").inspect(|href| println!("{href}"));
        }
    }
    Ok(())
}
