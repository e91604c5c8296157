//! A string that is borrowed for less than the parser lives: fed, and dropped.

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
