//! Checks `Writer`: its output must be read as the events that were written, unless the writer refuses them.
//!
//! - `writing/calls.rs`: random calls, with strings that contain markup.
//! - `writing/coercion.rs`: trees of random documents, coerced to XML.
//! - `writing/trees.rs`: random trees.

mod calls;
mod coercion;
mod trees;

use crate::generate::{self, Parts};
use crate::random::Random;
use crate::random_cases::{Feed, RandomTest, Verdict};
use std::fmt::Write as _;
use tagstream::{Event, Events, Html, Parser, Textwise, WriteError, Writer, Xml};

/// The content of events, one line for each. Adjacent text is joined. Properties of the notation are left out: whether
/// a tag is self-closing, its quotes, the encoding.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Said {
    lines: Vec<String>,
    text: String,
    /// True if names and end tags are normalized as HTML's tokenizer does.
    is_html: bool,
}

const XMLNS: &str = "http://www.w3.org/2000/xmlns/";

/// The void elements of HTML.
const VOID: &str = "area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr";

impl Said {
    /// A list for HTML: names are in lower case, namespaces are left out, and so are the ends of void elements.
    #[must_use]
    pub fn html() -> Said {
        Said {
            is_html: true,
            ..Said::default()
        }
    }

    /// Adds a part of a text.
    pub fn text(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Adds the line of anything else.
    pub fn line(&mut self, line: String) {
        self.end_text();
        self.lines.push(line);
    }

    fn end_text(&mut self) {
        let text = core::mem::take(&mut self.text);
        if !text.is_empty() {
            self.lines.push(format!("text {text:?}"));
        }
    }

    /// Returns all lines.
    #[must_use]
    pub fn all(mut self) -> Vec<String> {
        self.end_text();
        self.lines
    }

    /// Adds a start tag.
    pub fn start(
        &mut self,
        name: (Option<&str>, &str),
        attributes: impl Iterator<Item = (Option<String>, String, String)>,
    ) {
        let mut line = format!("start {}", self.name(name.0, name.1));
        for (namespace, name, value) in attributes {
            let name = self.name(namespace.as_deref(), &name);
            write!(line, " {name}={value:?}").expect("a string takes all");
        }
        self.line(line);
    }

    /// Adds the end of an element. In HTML, the end of a void element is left out, because it may be written or not.
    pub fn end(&mut self, name: &str) {
        let name = self.name(None, name);
        match self.is_html && VOID.split(' ').any(|void| void == name) {
            true => self.end_text(),
            false => self.line(format!("end {name}")),
        }
    }

    /// Returns a name with its namespace.
    #[must_use]
    pub fn name(&self, namespace: Option<&str>, name: &str) -> String {
        match namespace {
            _ if self.is_html => name.to_ascii_lowercase(),
            Some(namespace) => format!("{{{namespace}}}{name}"),
            None => name.to_owned(),
        }
    }

    /// Adds the lines of an event.
    pub fn event(&mut self, event: &Event<'_>) {
        match event {
            Event::Start(tag) => {
                let attributes = tag.attributes().map(|one| {
                    let namespace = one.namespace().map(str::to_owned);
                    (namespace, one.name().to_owned(), one.value().to_owned())
                });
                self.start((tag.namespace(), tag.name()), attributes);
            }
            Event::End(tag) => self.end(tag.name()),
            Event::Text(text) => self.text(text.as_str()),
            Event::Comment(comment) => self.line(format!("comment {:?}", comment.as_str())),
            Event::ProcessingInstruction(one) => {
                self.line(format!("instruction {:?} {:?}", one.target(), one.data()));
            }
            Event::Doctype(doctype) => {
                let ids = (doctype.public_id(), doctype.system_id());
                let mut line = format!("doctype {:?} {ids:?}", doctype.name());
                for one in doctype.notations() {
                    let ids = (one.public_id(), one.system_id());
                    write!(line, " notation {:?} {ids:?}", one.name()).expect("a string");
                }
                for one in doctype.unparsed_entities() {
                    let ids = (one.public_id(), one.system_id(), one.notation());
                    write!(line, " entity {:?} {ids:?}", one.name()).expect("a string");
                }
                if self.is_html {
                    line.make_ascii_lowercase();
                }
                self.line(line);
            }
            Event::Declaration(one) => {
                let version = one.version().unwrap_or("1.0");
                self.line(format!("declaration {version} {:?}", one.standalone()));
            }
            Event::SkippedEntity(entity) => self.line(format!("entity {:?}", entity.name())),
            Event::EncodingChange(_) | Event::ParseError(_) => {}
            other => self.line(format!("{other:?}")),
        }
    }
}

/// Returns the lines of a document that is read as strict XML.
///
/// # Errors
///
/// Returns the error that ended the parse.
pub fn read_xml(xml: Xml, input: &str) -> Result<Vec<String>, String> {
    let mut events = Events::of(xml, input);
    let mut said = Said::default();
    while let Some(event) = events.next_event().map_err(|error| error.to_string())? {
        said.event(&event);
    }
    Ok(said.all())
}

/// Returns the lines of a document of HTML, token by token.
#[must_use]
pub fn read_html(input: &str) -> Vec<String> {
    let mut parser = Parser::new(Html::default());
    parser.feed(input);
    parser.finish();
    let mut said = Said::html();
    while let Some(event) = parser.next_event().expect("HTML is never refused") {
        said.event(&event);
    }
    said.all()
}

/// Returns whether HTML was read as written. Some elements drop the first newline of their text, so the writer adds
/// one, and the document read back may have one more.
#[must_use]
pub fn is_said(read: &[String], said: &[String]) -> bool {
    let drops = |start: &str| {
        let name = start.split(' ').nth(1).unwrap_or_default();
        start.starts_with("start ") && ["pre", "listing", "textarea"].contains(&name)
    };
    let is_same = |at: usize| {
        let (read_line, line) = (&read[at], &said[at]);
        let one_more = line.replacen("text \"\\n", "text \"\\n\\n", 1);
        read_line == line || at > 0 && drops(&said[at - 1]) && *read_line == one_more
    };
    read.len() == said.len() && (0..read.len()).all(is_same)
}

/// The result of writing events.
#[derive(Debug)]
pub struct Written {
    /// The lines of the events that were written.
    pub said: Vec<String>,
    /// The written document, or the error.
    pub document: Result<String, WriteError>,
}

/// A writer of XML, which stops at the first error, and the lines of the events.
pub struct Writing {
    said: Said,
    writer: Result<Writer<String, Textwise>, WriteError>,
}

impl Writing {
    /// Creates a writer with or without namespaces.
    #[must_use]
    pub fn new(namespaces: bool) -> Writing {
        Writing {
            said: Said::default(),
            writer: Ok(Writer::xml(String::new()).namespaces(namespaces)),
        }
    }

    /// Writes an event.
    pub fn event(&mut self, event: &Event<'_>) {
        self.said.event(event);
        if let Ok(writer) = &mut self.writer
            && let Err(error) = writer.event(event).map(|_| ())
        {
            self.writer = Err(error);
        }
    }

    /// The written document, or the error.
    #[must_use]
    pub fn finish(self) -> Written {
        Written {
            said: self.said.all(),
            document: self.writer.and_then(Writer::finish),
        }
    }
}

/// Checks that a written document is read as the events that were written. The writer may only refuse the events if
/// they refer to an entity that was not read, because the written document does not declare it.
///
/// # Errors
///
/// Returns a description of the difference.
pub fn check_xml(written: Written, xml: Xml) -> Result<Verdict, String> {
    let is_skipped = written.said.iter().any(|line| line.starts_with("entity "));
    let document = match written.document {
        Ok(document) => document,
        Err(_) if is_skipped => return Ok(Verdict::Other),
        Err(error) => return Err(format!("{error}, of {:?}", written.said)),
    };
    let read = read_xml(xml, &document).map_err(|error| format!("{document:?}\nis {error}"))?;
    match read == written.said {
        true => Ok(Verdict::Right),
        false => Err(format!(
            "{document:?}\nsays {read:#?}\nand not {:#?}",
            written.said
        )),
    }
}

/// Returns the lines without namespace declarations.
fn without_declarations(lines: &[String]) -> Vec<String> {
    let declaration = format!(" {{{XMLNS}}}");
    let lines = lines.iter().map(|line| match line.starts_with("start ") {
        true => {
            let mut parts = line.split(&declaration);
            let mut rest = parts.next().unwrap_or_default().to_owned();
            for part in parts {
                // The value is in quotes, so it ends at the first quote that is not escaped.
                let value = part.split_once("=\"").map_or("", |(_, value)| value);
                let mut is_escaped = false;
                let end = value.find(|one| {
                    let ends = one == '"' && !is_escaped;
                    is_escaped = one == '\\' && !is_escaped;
                    ends
                });
                rest.push_str(end.map_or("", |end| &value[end + 1..]));
            }
            rest
        }
        false => line.clone(),
    });
    lines.collect()
}

/// Writes an XML document event by event, and checks what is read back.
fn checked(&(of, namespaces): &(usize, bool), feed: Feed, input: &[u8]) -> Result<Verdict, String> {
    let strict = Xml::strict().namespaces(namespaces);
    let pull = |xml: Xml| {
        let parser = Parser::new(xml).inspect_sizes(feed.sizes).balanced();
        let mut writing = Writing::new(namespaces);
        let read = feed.events(parser, input, |event| writing.event(&event));
        read.map(|()| writing.finish())
    };
    match pull(strict.clone()) {
        Ok(written) => check_xml(written, strict),
        Err(error) if of == 0 => Err(format!("it is well-formed: {error}")),
        // The strict parse failed, so the events of the recovering parse are written.
        Err(_) => {
            let written =
                pull(Xml::default().namespaces(namespaces)).map_err(|error| error.to_string())?;
            let Ok(document) = written.document else {
                return Ok(Verdict::Other);
            };
            let read =
                read_xml(strict, &document).map_err(|error| format!("{document:?}\nis {error}"))?;
            match without_declarations(&read) == without_declarations(&written.said) {
                true => Ok(Verdict::Right),
                false => Err(format!(
                    "{document:?}\nsays {read:#?}\nand not {:#?}",
                    written.said
                )),
            }
        }
    }
}

/// Writes an HTML document event by event, and checks the tokens that are read back.
fn checked_html(feed: Feed, input: &[u8]) -> Result<Verdict, String> {
    let html = Html::default().encoding(tagstream::Encoding::UTF_8);
    let parser = Parser::new(html).inspect_sizes(feed.sizes).balanced();
    let mut asked = calls::Asked::new(Said::html(), Writer::html(String::new()));
    let mut refused = None;
    let read = feed.events(parser, input, |event| {
        if refused.is_none() {
            refused = asked.event(&event).err();
        }
    });
    read.map_err(|error| error.to_string())?;
    let (None, Ok((document, said))) = (refused, asked.finish()) else {
        return Ok(Verdict::Other);
    };
    let read = read_html(&document);
    match is_said(&read, &said) {
        true => Ok(Verdict::Right),
        false => Err(format!("{document:?}\nsays {read:#?}\nand not {said:#?}")),
    }
}

/// The kind of documents (0: well-formed ones, 1: any), and whether namespaces are processed.
type Of = (usize, bool);

fn draw(random: &mut Random, of: usize) -> (Of, Parts) {
    let namespaces = !random.one_in(8);
    let parts = match of {
        0 => generate::well_formed::document(random, true),
        _ => match random.below(4) {
            0 => generate::prefixes::document(random),
            1 => generate::plain::document(random),
            _ => generate::xml::document(random),
        },
    };
    ((of, namespaces), parts)
}

/// Well-formed documents, none of which may be refused.
pub const WELL_FORMED: RandomTest<Of> = RandomTest {
    name: "xml/writing well-formed documents",
    quick: 500,
    full: 5_000,
    draw: |random| draw(random, 0),
    check: checked,
    other: [0, 0],
    shrinks: false,
};

/// Documents that may be ill-formed.
pub const ANY: RandomTest<Of> = RandomTest {
    name: "xml/writing",
    draw: |random| draw(random, 1),
    other: [0, 700],
    shrinks: true,
    ..WELL_FORMED
};

/// HTML documents.
pub const HTML: RandomTest<()> = RandomTest {
    name: "html/writing",
    quick: 500,
    full: 5_000,
    draw: |random| ((), generate::html::document(random)),
    check: |(), feed, input| checked_html(feed, input),
    other: [0, 700],
    shrinks: true,
};

pub use calls::CALLS;
pub use coercion::{HTML as COERCED_HTML, XML as COERCED_XML, is_coerced};
pub use trees::{HTML as HTML_TREES, XML as XML_TREES, is_written};
