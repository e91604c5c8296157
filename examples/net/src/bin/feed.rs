//! Reads a feed, RSS or Atom, from a server, and prints each entry as soon as it is complete.
//!
//! `cargo run --manifest-path examples/net/Cargo.toml --bin feed URL`

use std::error::Error;
use tagstream::{AsyncEvents, Event, Xml};

#[derive(Default)]
struct Entry {
    title: String,
    link: String,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let url = std::env::args().nth(1).ok_or("usage: feed URL")?;
    let body = reqwest::get(url).await?.error_for_status()?.bytes_stream();
    // Feeds use the entities of HTML without declaring them.
    let mut events = AsyncEvents::stream(Xml::default().html_entities(), body);
    let mut entry = Entry::default();
    while let Some(event) = events.next_event().await? {
        match event {
            Event::Start(tag) => match tag.name() {
                "item" | "entry" => entry = Entry::default(),
                "title" => entry.title = events.read_text().await?,
                "link" => match (tag.attribute("href"), tag.attribute("rel")) {
                    (Some(href), None | Some("alternate")) => entry.link = href.to_owned(),
                    (Some(_), _) => {}
                    (None, _) => entry.link = events.read_text().await?,
                },
                // These elements have titles and links of their own.
                "image" | "source" => events.skip_element().await?,
                _ => {}
            },
            Event::End(tag) if matches!(tag.name(), "item" | "entry") => {
                println!("{}\t{}", entry.title, entry.link);
            }
            _ => {}
        }
    }
    Ok(())
}
