//! An event that is kept across the next one, which may take its memory: `event.to_owned()` keeps it.

use tagstream::{Error, Events, Xml};

fn main() -> Result<(), Error> {
    let mut events = Events::of(Xml::default(), "<a><b/></a>");
    let first = events.next_event()?;
    let second = events.next_event()?;
    println!("{first:?} {second:?}");
    Ok(())
}
