//! Prints the addresses of a sitemap, with the date of the last change, while the file is decompressed.
//!
//! `cargo run --example sitemap [FILE.gz]`

use flate2::read::MultiGzDecoder;
use std::error::Error;
use std::{env, fs::File};
use tagstream::{Event, Events, Xml};

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args_os().nth(1);
    let path = path.unwrap_or_else(|| "examples/data/sitemap.xml.gz".into());
    // Any reader of bytes can be used. `next_event` returns the errors of damaged compressed data.
    let unpacked = MultiGzDecoder::new(File::open(path)?);
    let mut events = Events::read(Xml::strict(), unpacked);
    let (mut address, mut changed) = (String::new(), String::new());
    while let Some(event) = events.next_event()? {
        match event {
            Event::Start(tag) => match tag.local_name() {
                "loc" => address = events.read_text()?,
                "lastmod" => changed = events.read_text()?,
                _ => {}
            },
            // An index of sitemaps has the same structure.
            Event::End(tag) if matches!(tag.local_name(), "url" | "sitemap") => {
                println!("{}\t{}", changed.trim(), address.trim());
                changed.clear();
            }
            _ => {}
        }
    }
    Ok(())
}
