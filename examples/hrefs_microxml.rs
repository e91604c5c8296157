//! Prints the links of a document: MicroXml in ten lines.
//!
//! `cargo run --example hrefs_microxml [FILE]`

use std::error::Error;
use std::{env, fs::File};
use tagstream::{Event, Events, MicroXml};

const FILE: &str = "examples/data/links.microxml";

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args_os().nth(1).unwrap_or(FILE.into());
    let mut events = Events::read(MicroXml::default(), File::open(path)?);
    while let Some(event) = events.next_event()? {
        if let Event::Start(tag) = event {
            tag.attribute("href").inspect(|href| println!("{href}"));
        }
    }
    Ok(())
}
