//! Prints the value of an XPath expression: nodes one a line, or a number, a string or a boolean.
//!
//! `cargo run --example xpath --features xpath [EXPRESSION [FILE]]`

use std::error::Error;
use std::{env, fs::File};
use tagstream::xpath::{XPath, XPathValue};
use tagstream::{Document, Xml};

const EXPRESSION: &str = "//atom:entry/atom:title | //atom:link/@href";
const FILE: &str = "examples/data/feed.xml";

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let text = arguments.next().unwrap_or(EXPRESSION.to_owned());
    let path = arguments.next().unwrap_or(FILE.to_owned());
    let expression = XPath::new(&text)?.namespace("atom", "http://www.w3.org/2005/Atom");
    let document = Document::read(Xml::default(), File::open(path)?)?;
    match expression.evaluate(document.root())? {
        XPathValue::Nodes(nodes) => {
            for node in nodes {
                println!("{}: {}", node.name(), node.value().trim());
            }
        }
        value => println!("{value}"),
    }
    Ok(())
}
