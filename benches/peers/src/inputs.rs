//! The documents that are read: files, or generated documents.

#[path = "../../documents/mod.rs"]
mod documents;

use bytes::Bytes;
use documents::{Document, documents};
use html5ever::tendril::ByteTendril;
use std::io::Read;
use std::path::Path;
use std::sync::OnceLock;
use tagstream::{Event, Events, OwnedEvent, Parser, Xml};

/// Size of each generated document, in bytes.
const BYTES: usize = 4 << 20;

/// A document.
#[derive(Debug)]
pub struct Input {
    /// A short name.
    pub name: String,
    /// The bytes of the document.
    pub bytes: Bytes,
    /// The same bytes as a tendril, which html5ever takes without a copy.
    pub tendril: ByteTendril,
    /// Numbers of elements and attributes, if they are known.
    pub counts: Option<(u64, u64)>,
    /// Number of times that [`Repeated`] reads the bytes.
    pub times: usize,
    /// The events of the document, which is XML, for the engines that write.
    events: OnceLock<Vec<OwnedEvent>>,
}

impl Input {
    /// Returns a document with a name and a text.
    pub fn new(name: &str, text: &str) -> Input {
        Input {
            name: name.to_owned(),
            bytes: Bytes::copy_from_slice(text.as_bytes()),
            tendril: ByteTendril::from_slice(text.as_bytes()),
            counts: None,
            times: 1,
            events: OnceLock::new(),
        }
    }

    /// Returns the events of the document, which must be XML. They are read once.
    pub fn events(&self) -> &[OwnedEvent] {
        self.events.get_or_init(|| {
            let events = Events::of(Xml::strict(), self.bytes.clone());
            events.map(|event| event.expect("well-formed")).collect()
        })
    }

    /// Returns the number of bytes that an engine reads.
    pub fn size(&self) -> usize {
        self.bytes.len() * self.times
    }

    /// Returns the document as a string.
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.bytes).expect("documents are UTF-8")
    }

    /// Returns a reader of a very long document.
    pub fn repeated(&self) -> Repeated<'_> {
        Repeated {
            rest: b"<records>\n",
            block: &self.bytes,
            left: self.times,
        }
    }
}

/// A reader of the same bytes, repeated inside one element.
#[derive(Clone, Debug)]
pub struct Repeated<'a> {
    rest: &'a [u8],
    block: &'a [u8],
    left: usize,
}

impl Read for Repeated<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.rest.is_empty() && !self.block.is_empty() {
            if self.left == 0 {
                (self.rest, self.block) = (b"</records>", b"");
            } else {
                self.rest = self.block;
                self.left -= 1;
            }
        }
        self.rest.read(buffer)
    }
}

/// Returns the generated XML documents.
pub fn made_up() -> Vec<Input> {
    let input = |document: Document| Input {
        counts: Some((document.elements, document.attributes)),
        ..Input::new(document.name, &document.text)
    };
    documents(BYTES).into_iter().map(input).collect()
}

/// Reads XML files.
pub fn files(paths: &[impl AsRef<Path>]) -> Result<Vec<Input>, String> {
    let input = |path| Ok(without_doctype(file(path)?));
    paths.iter().map(|path| input(path.as_ref())).collect()
}

/// Reads a file without a change.
pub fn file(path: &Path) -> Result<Input, String> {
    let text = std::fs::read_to_string(path);
    let text = text.map_err(|error| format!("{}: {error}", path.display()))?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    Ok(Input::new(&name, &text))
}

/// Removes the DOCTYPE of a document, because the other parsers do not add the default attributes that it declares.
fn without_doctype(input: Input) -> Input {
    let mut parser = Parser::new(Xml::default());
    parser.feed(input.bytes.clone());
    while let Ok(Some(event)) = parser.next_event() {
        match event {
            Event::Doctype(doctype) => {
                let span = doctype.span();
                let mut text = input.text().to_owned();
                text.replace_range(span.start as usize..span.end as usize, "");
                return Input::new(&input.name, &text);
            }
            Event::Start(_) => break,
            _ => {}
        }
    }
    input
}
