//! Keeps an event while the next one is read, which may reuse its memory. `event.to_owned()` makes an owned copy.

use tagstream::{Error, Events, Xml};

fn main() -> Result<(), Error> {
    let mut events = Events::of(Xml::default(), "<a><b/></a>");
    let first = events.next_event()?;
    let second = events.next_event()?;
    println!("{first:?} {second:?}");
    Ok(())
}
