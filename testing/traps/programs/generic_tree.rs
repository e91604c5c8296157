//! Builds a tree in code that is generic over dialects. The bound must be `D: Buildable`.

use tagstream::{Dialect, Document, Error};

fn text<D: Dialect>(dialect: D, input: &str) -> Result<String, Error> {
    Ok(Document::parse(dialect, input)?.root().text_content())
}

fn main() {
    let _ = text(tagstream::Xml::default(), "<a/>");
}
