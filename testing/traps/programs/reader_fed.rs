//! Feeds a reader to a parser. `Events::read` reads from a reader.

use std::fs::File;
use tagstream::{Parser, Xml};

fn main() -> std::io::Result<()> {
    let mut parser = Parser::new(Xml::default());
    parser.feed(File::open("feed.xml")?);
    Ok(())
}
