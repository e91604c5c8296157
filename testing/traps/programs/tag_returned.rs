//! Returns a tag from the loop that found it. `tag.to_owned()` returns an `OwnedTag`, which can be returned.

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
