//! Reads the text of an element from events that are not balanced. `.balanced()` balances them.

use tagstream::{Error, Events, Html};

fn main() -> Result<(), Error> {
    let mut events = Events::of(Html::default(), "<p>text");
    events.next_event()?;
    println!("{}", events.read_text()?);
    Ok(())
}
