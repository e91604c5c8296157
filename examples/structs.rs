//! Prints the entries of an Atom feed, which are deserialized to structs.
//!
//! `cargo run --features serde --example structs [FILE]`

use serde::Deserialize;
use std::{env, error::Error, fs};

#[derive(Deserialize)]
struct Feed {
    title: String,
    #[serde(default)]
    entry: Vec<Entry>,
}

#[derive(Deserialize)]
struct Entry {
    title: String,
    updated: Option<String>,
    #[serde(default)]
    link: Vec<Link>,
}

#[derive(Deserialize)]
struct Link {
    #[serde(rename = "@href")]
    href: String,
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args_os().nth(1);
    let path = path.unwrap_or("examples/data/news.atom".into());
    let feed: Feed = tagstream::de::from_str(&fs::read_to_string(path)?)?;
    println!("{}", feed.title);
    for entry in feed.entry {
        let links: Vec<&str> = entry.link.iter().map(|link| &*link.href).collect();
        let updated = entry.updated.as_deref().unwrap_or("-");
        println!("{updated}\t{}\t{}", entry.title, links.join(" "));
    }
    Ok(())
}
