//! Prints the links of a document: LeafXml in ten lines.
//!
//! `cargo run --example hrefs_leafxml [FILE]`

use std::error::Error;
use std::{env, fs::File};
use tagstream::{Event, Events, LeafXml};

const FILE: &str = "examples/data/links.leafxml";

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args_os().nth(1).unwrap_or(FILE.into());
    let mut events = Events::read(LeafXml::default(), File::open(path)?);
    while let Some(event) = events.next_event()? {
        if let Event::Start(tag) = event {
            tag.attribute("href").inspect(|href| println!("{href}"));
        }
    }
    Ok(())
}
