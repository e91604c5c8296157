//! Prints the links of a web page with their text, as a crawler would gather them, and what the page
//! says of its encoding too late.
//!
//! `cargo run --example links [FILE]`

use std::error::Error;
use std::fs::File;
use tagstream::{Event, Events, Html};

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args_os().nth(1);
    let path = path.unwrap_or_else(|| "examples/data/page.html".into());
    let mut events = Events::read(Html::default(), File::open(path)?);

    // Pages forget end tags: a link ends where the next begins, too.
    let mut link: Option<(String, String)> = None;
    while let Some(event) = events.next_event()? {
        match event {
            Event::Start(tag) if tag.name() == "a" => {
                print(link.take());
                link = tag
                    .attribute("href")
                    .map(|href| (href.to_owned(), String::new()));
            }
            Event::Text(text) => {
                if let Some((_, words)) = &mut link {
                    words.push_str(text.as_str());
                }
            }
            Event::End(tag) if tag.name() == "a" => print(link.take()),
            Event::EncodingChange(change) => eprintln!("the page is in {}", change.label()),
            _ => {}
        }
    }
    print(link);
    Ok(())
}

fn print(link: Option<(String, String)>) {
    if let Some((href, words)) = link {
        println!(
            "{href}\t{}",
            words.split_whitespace().collect::<Vec<_>>().join(" ")
        );
    }
}
