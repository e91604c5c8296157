//! Prints the text of a web page and its links, each as soon as it is there, and what the page says of its
//! encoding too late.
//!
//! `cargo run --example links [FILE]`

use std::error::Error;
use std::{env, fs::File};
use tagstream::{Event, Events, Html};

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args_os().nth(1);
    let path = path.unwrap_or_else(|| "examples/data/page.html".into());
    // Pages forget end tags: in balanced events a link ends where its element does.
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

/// The words of a text, with one space between them.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
