//! The text of an element, of events that are no tree: `.balanced()` makes them one.

use tagstream::{Error, Events, Html};

fn main() -> Result<(), Error> {
    let mut events = Events::of(Html::default(), "<p>text");
    events.next_event()?;
    println!("{}", events.read_text()?);
    Ok(())
}
