//! Reads a document without the standard library: `settings` needs only `alloc`. `main` prints, so it uses `std`.
//!
//! `cargo run --example no_std`

#![no_std]

extern crate alloc;
extern crate std;

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use tagstream::{Error, Event, Events, Xml};

/// The data that a device receives, in pieces that fit its buffer.
const ARRIVES: [&str; 3] = [
    "<settings><set name='lamp'>on</set><set na",
    "me='level'>4",
    "2</set></settings>",
];

fn main() -> Result<(), Error> {
    for (name, value) in settings(ARRIVES)? {
        std::println!("{name} = {value}");
    }
    Ok(())
}

fn settings(
    pieces: impl IntoIterator<Item = &'static str>,
) -> Result<Vec<(String, String)>, Error> {
    let mut events = Events::chunks(Xml::strict(), pieces);
    let mut settings = Vec::new();
    while let Some(event) = events.next_event()? {
        match event {
            Event::Start(tag) if tag.name() == "set" => {
                let name = tag.attribute("name").unwrap_or_default().to_string();
                settings.push((name, events.read_text()?));
            }
            _ => {}
        }
    }
    Ok(settings)
}
