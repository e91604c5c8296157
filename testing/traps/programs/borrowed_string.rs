//! Feeds a string that is dropped before the parser. This compiles, because the parser copies a borrowed chunk.

use tagstream::{Parser, Xml};

fn main() {
    let mut parser = Parser::new(Xml::default());
    {
        let chunk = String::from("<a>text</a>");
        parser.feed(&chunk);
        parser.feed(chunk.as_str());
        parser.feed(chunk.as_bytes());
    }
    parser.finish();
    assert_eq!(parser.count(), 9);
}
