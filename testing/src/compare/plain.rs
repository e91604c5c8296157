//! Plain documents contain only elements, attributes, text and the five predefined references, and are well-formed in
//! all four dialects of the XML family. They have the same tree in all of these dialects, however they are fed.

use crate::generate::plain::document;
use crate::pull::built;
use crate::random_cases::{Feed, RandomTest, Verdict};
use std::fmt::Write;
use tagstream::microxml::Revision;
use tagstream::tree::Edge;
use tagstream::{
    Buildable, Dialect, Document, Error, Event, LeafXml, MicroXml, Parser, Sky, TreeBuilder, Xml,
};

/// Compares trees.
pub const TREE: RandomTest<()> = RandomTest {
    name: "core/plain documents",
    quick: 300,
    full: 1_000,
    draw: |random| ((), document(random)),
    check: |(), feed, input| plain(feed, input).map(|_| Verdict::Right),
    other: [0, 0],
    shrinks: false,
};

/// Returns a tree as one line of text.
fn written(document: &Document) -> String {
    let mut out = String::new();
    for edge in document.root().edges() {
        match edge {
            Edge::Open(node) if node.is_text() => write!(out, "{:?} ", node.text()).unwrap(),
            Edge::Open(node) if node.is_element() => {
                out.push_str(node.name());
                for attribute in node.attributes() {
                    let (name, value) = (attribute.name(), attribute.value());
                    write!(out, " {name}={value:?}").unwrap();
                }
                out.push('[');
            }
            Edge::Close(node) if node.is_element() => {
                out.truncate(out.trim_end().len());
                out.push_str("] ");
            }
            _ => {}
        }
    }
    out.truncate(out.trim_end().len());
    out
}

fn tree(dialect: impl Buildable, input: &[u8], feed: Feed) -> Result<String, Error> {
    let builder = TreeBuilder::new(dialect).inspect_sizes(feed.sizes);
    built(builder, feed.chunks(input)).map(|document| written(&document))
}

/// Returns the codes of the errors in an input.
fn errors(dialect: impl Dialect, input: &[u8]) -> Result<Vec<&'static str>, Error> {
    let mut parser = Parser::new(dialect).report_errors(true);
    parser.feed(input);
    parser.finish();
    let mut errors = Vec::new();
    while let Some(event) = parser.next_event()? {
        if let Event::ParseError(error) = event {
            errors.push(error.code().as_str());
        }
    }
    Ok(errors)
}

/// Checks that the tree is the same in every dialect and for every chunk size, and that no error is reported. Returns
/// the tree.
///
/// # Errors
///
/// Returns a description of the first difference.
pub fn plain(feed: Feed, input: &[u8]) -> Result<String, String> {
    let microxml = MicroXml::default().revision(Revision::Final);
    let strict = MicroXml::strict().revision(Revision::Final);
    let expected = tree(Xml::default(), input, Feed::whole()).map_err(|error| error.to_string())?;
    let chunks = [usize::MAX, 1, 5].map(|chunk| Feed {
        chunk,
        ..Feed::whole()
    });
    for feed in chunks.into_iter().chain([feed]) {
        for (dialect, found) in [
            ("xml", tree(Xml::default(), input, feed)),
            ("xml, strict", tree(Xml::strict(), input, feed)),
            ("microxml", tree(MicroXml::default(), input, feed)),
            ("microxml, final", tree(microxml, input, feed)),
            ("microxml, strict", tree(MicroXml::strict(), input, feed)),
            ("microxml, strict and final", tree(strict, input, feed)),
            ("sky", tree(Sky::fragment(), input, feed)),
            ("leafxml", tree(LeafXml::default(), input, feed)),
        ] {
            if found.as_ref().ok() != Some(&expected) {
                return Err(format!("{dialect}: {found:?}\nwanted: {expected}"));
            }
        }
    }
    for report in [
        errors(Xml::default(), input),
        errors(MicroXml::default(), input),
        errors(microxml, input),
        errors(Sky::fragment(), input),
    ] {
        if !matches!(&report, Ok(codes) if codes.is_empty()) {
            return Err(format!("reported: {report:?}"));
        }
    }
    Ok(expected)
}
