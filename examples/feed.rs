//! Reads a feed, RSS or Atom, and prints the date, the title and the link of each entry.
//!
//! `cargo run --example feed [FILE]`

use std::error::Error;
use std::{env, fs::File};
use tagstream::{Event, Events, Xml};

#[derive(Default)]
struct Entry {
    title: String,
    link: String,
    date: String,
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args_os().nth(1);
    let path = path.unwrap_or_else(|| "examples/data/news.rss".into());
    // Feeds use the entities of HTML without declaring them.
    let mut events = Events::read(Xml::default().html_entities(), File::open(path)?);
    let mut entry = Entry::default();
    while let Some(event) = events.next_event()? {
        match event {
            // `name` includes the prefix, so `media:title` does not match.
            Event::Start(tag) => match tag.name() {
                "item" | "entry" => entry = Entry::default(),
                "title" => entry.title = events.read_text()?,
                "pubDate" | "published" | "updated" => entry.date = events.read_text()?,
                "link" => match (tag.attribute("href"), tag.attribute("rel")) {
                    (Some(href), None | Some("alternate")) => entry.link = href.to_owned(),
                    (Some(_), _) => {}
                    (None, _) => entry.link = events.read_text()?,
                },
                // These elements have titles and links of their own.
                "image" | "source" => events.skip_element()?,
                _ => {}
            },
            Event::End(tag) if matches!(tag.name(), "item" | "entry") => {
                println!("{}\t{}\t{}", entry.date, entry.title, entry.link);
            }
            _ => {}
        }
    }
    Ok(())
}
