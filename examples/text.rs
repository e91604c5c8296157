//! Prints each row of a table as a browser shows it, while the page arrives in chunks.
//!
//! `cargo run --example text [ELEMENT [FILE]]`

use std::error::Error;
use std::{env, fs::File};
use tagstream::{Event, Events, Html};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let name = arguments.next().unwrap_or("tr".to_owned());
    let path = arguments
        .next()
        .unwrap_or("examples/data/table.html".to_owned());
    let mut events = Events::read(Html::default(), File::open(path)?).balanced();
    while let Some(event) = events.next_event()? {
        let is_wanted = matches!(event, Event::Start(tag) if tag.name() == name);
        if is_wanted {
            println!("{}", events.read_inner_text()?);
        }
    }
    Ok(())
}
