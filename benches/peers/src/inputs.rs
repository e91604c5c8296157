//! The documents: files, or, where none is given, some that are made up.

#[path = "../../documents/mod.rs"]
mod documents;

use bytes::Bytes;
use documents::{Document, documents};
use std::path::Path;
use tagstream::{Event, Parser, Xml};

/// Size of each document that is made up.
const BYTES: usize = 4 << 20;

/// A document.
#[derive(Debug)]
pub struct Input {
    /// Its name, short.
    pub name: String,
    /// All of it.
    pub bytes: Bytes,
    /// The same, for engines that take a string.
    pub text: String,
    /// Elements and attributes in it, where it is known how many there are.
    pub counts: Option<(u64, u64)>,
}

impl Input {
    fn new(name: String, text: String, counts: Option<(u64, u64)>) -> Input {
        Input {
            name,
            bytes: Bytes::from(text.clone()),
            text,
            counts,
        }
    }
}

/// Reads the files.
pub fn inputs(files: &[String]) -> Result<Vec<Input>, String> {
    if files.is_empty() {
        let documents = documents(BYTES).into_iter();
        let input = |document: Document| {
            let counts = (document.elements, document.attributes);
            Input::new(document.name.to_owned(), document.text, Some(counts))
        };
        return Ok(documents.map(input).collect());
    }
    let read = |file: &String| {
        let text = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
        let text = without_doctype(text);
        let name = Path::new(file).file_stem().unwrap_or_default();
        Ok(Input::new(name.to_string_lossy().into_owned(), text, None))
    };
    files.iter().map(read).collect()
}

/// The document without its DOCTYPE: attributes that it gives defaults are none to the peers.
fn without_doctype(mut text: String) -> String {
    let mut parser = Parser::new(Xml::default());
    parser.feed_slice(text.as_bytes());
    while let Ok(Some(event)) = parser.next_event() {
        match event {
            Event::Doctype(doctype) => {
                let span = doctype.span();
                text.replace_range(span.start as usize..span.end as usize, "");
                break;
            }
            Event::Start(_) => break,
            _ => {}
        }
    }
    text
}
