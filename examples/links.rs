//! Prints the text of a web page and its links as soon as they are complete. If the page declares its encoding too late
//! to be used, prints the declared encoding.
//!
//! `cargo run --example links [FILE]`

use std::error::Error;
use std::{env, fs::File};
use tagstream::{Event, Events, Html};

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args_os().nth(1);
    let path = path.unwrap_or_else(|| "examples/data/page.html".into());
    // Pages omit end tags. In balanced events, a link ends where its element ends.
    let mut events = Events::read(Html::default(), File::open(path)?).balanced();
    while let Some(event) = events.next_event()? {
        match event {
            Event::Start(tag) => match (tag.name(), tag.attribute("href")) {
                ("script" | "style", _) => events.skip_element()?,
                ("a", Some(href)) => {
                    let href = href.to_owned();
                    println!("{href}\t{}", words(&events.read_text()?));
                }
                _ => {}
            },
            Event::Text(text) if !text.trim().is_empty() => println!("{}", words(text.as_str())),
            Event::EncodingChange(change) => eprintln!("the page is in {}", change.label()),
            _ => {}
        }
    }
    Ok(())
}

/// Returns the words of a text, separated by single spaces.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
