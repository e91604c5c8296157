//! A reader that is fed: `Events::read` reads it.

use std::fs::File;
use tagstream::{Parser, Xml};

fn main() -> std::io::Result<()> {
    let mut parser = Parser::new(Xml::default());
    parser.feed(File::open("feed.xml")?);
    Ok(())
}
