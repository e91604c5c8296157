//! Matches an owned event like a borrowed one. The correct code is `match event.event() { … }`.

use tagstream::{Error, Event, Events, Xml};

fn main() -> Result<(), Error> {
    for event in Events::of(Xml::default(), "<a>text</a>") {
        match event? {
            Event::Start(tag) => println!("{}", tag.name()),
            _ => {}
        }
    }
    Ok(())
}
