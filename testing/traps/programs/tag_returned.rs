//! A tag that is returned from the loop that found it: as an `OwnedTag`, by `tag.to_owned()`.

use tagstream::{Error, Event, Events, StartTag, Xml};

fn first_item(input: &str) -> Result<Option<StartTag<'_>>, Error> {
    let mut events = Events::of(Xml::default(), input);
    while let Some(event) = events.next_event()? {
        match event {
            Event::Start(tag) if tag.name() == "item" => return Ok(Some(tag)),
            _ => {}
        }
    }
    Ok(None)
}

fn main() {
    let _ = first_item("<item/>");
}
