//! The documents: files, or, where none is given, some that are made up.

#[path = "../../documents/mod.rs"]
mod documents;

use bytes::Bytes;
use documents::{Document, documents};
use html5ever::tendril::ByteTendril;
use std::io::Read;
use std::path::Path;
use std::sync::OnceLock;
use tagstream::{Event, Events, OwnedEvent, Parser, Xml};

/// Size of each document that is made up.
const BYTES: usize = 4 << 20;

/// A document.
#[derive(Debug)]
pub struct Input {
    /// Its name, short.
    pub name: String,
    /// All of it.
    pub bytes: Bytes,
    /// The same, as html5ever takes it without a copy.
    pub tendril: ByteTendril,
    /// Elements and attributes in it, where it is known how many there are.
    pub counts: Option<(u64, u64)>,
    /// How often the bytes come, between the tags of [`Repeated`].
    pub times: usize,
    /// What it says, as XML, for who writes it.
    events: OnceLock<Vec<OwnedEvent>>,
}

impl Input {
    /// A document of a name.
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

    /// What the document says, as XML, read once.
    pub fn events(&self) -> &[OwnedEvent] {
        self.events.get_or_init(|| {
            let events = Events::of(Xml::strict(), self.bytes.clone());
            events.map(|event| event.expect("well-formed")).collect()
        })
    }

    /// How many bytes an engine reads of it.
    pub fn size(&self) -> usize {
        self.bytes.len() * self.times
    }

    /// The document as a string, which it is known to be.
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.bytes).expect("documents are UTF-8")
    }

    /// An endless document, or nearly so.
    pub fn repeated(&self) -> Repeated<'_> {
        Repeated {
            rest: b"<records>\n",
            block: &self.bytes,
            left: self.times,
        }
    }
}

/// A reader of the same bytes again and again, within an element.
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

/// XML that is made up.
pub fn made_up() -> Vec<Input> {
    let input = |document: Document| Input {
        counts: Some((document.elements, document.attributes)),
        ..Input::new(document.name, &document.text)
    };
    documents(BYTES).into_iter().map(input).collect()
}

/// Files of XML.
pub fn files(paths: &[impl AsRef<Path>]) -> Result<Vec<Input>, String> {
    let input = |path| Ok(without_doctype(file(path)?));
    paths.iter().map(|path| input(path.as_ref())).collect()
}

/// A file as it is.
pub fn file(path: &Path) -> Result<Input, String> {
    let text = std::fs::read_to_string(path);
    let text = text.map_err(|error| format!("{}: {error}", path.display()))?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    Ok(Input::new(&name, &text))
}

/// The document without its DOCTYPE: attributes that it gives defaults are none to the peers.
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
