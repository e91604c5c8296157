//! A client's half of an XMPP stream without I/O: bytes of the server go in, in pieces of any size, and stanzas come
//! out, each as a tree.
//!
//! `cargo run --example xmpp`

use std::error::Error;
use tagstream::{Document, Event, Nested, Parser, Subtree, Xml};

/// The data of the server, in the pieces that a connection delivers. After `success`, a new stream begins on the same
/// connection.
const ARRIVES: &[&str] = &[
    "<?xml version='1.0'?><stream:stream xmlns='jabber:client' xml",
    "ns:stream='http://etherx.jabber.org/streams' id='s1' from='example.org'>",
    "<stream:features><mechanisms xmlns='urn:ietf:params:xml:ns:xmpp-sasl'><mechanism>PLAIN</mech",
    "anism></mechanisms></stream:features>",
    "<success xmlns='urn:ietf:params:xml:ns:xmpp-sasl'/>",
    "<?xml version='1.0'?><stream:stream xmlns='jabber:client' id='s2' from='example.org' ",
    "xmlns:stream='http://etherx.jabber.org/streams'>",
    "<message from='anna@example.org'><body>The tide is &lt;",
    " 3 m</body></message><presence from='ben@example.org'/><mess",
    "age><body>bye</body></message></stream:stream>",
];

fn main() -> Result<(), Box<dyn Error>> {
    let mut stream = Stream::new();
    for bytes in ARRIVES {
        stream.receive(bytes.as_bytes());
        while let Some(arrived) = stream.next()? {
            match arrived {
                Arrived::Opened(id) => println!("stream {id}"),
                Arrived::Stanza(stanza) => {
                    println!("{}", stanza.to_xml()?);
                    let root = stanza.root_element();
                    if root.is_some_and(|root| root.local_name() == "success") {
                        stream.restart();
                    }
                }
                Arrived::Closed => println!("closed"),
            }
        }
    }
    Ok(())
}

enum Arrived {
    /// The stream has begun. Contains the stream's id.
    Opened(String),
    /// A child of the stream is complete.
    Stanza(Box<Document>),
    Closed,
}

struct Stream {
    parser: Parser<Xml, Nested>,
    is_open: bool,
    stanza: Option<Subtree>,
}

impl Stream {
    fn new() -> Self {
        Stream {
            // XMPP requires well-formed XML. The first violation ends the stream.
            parser: Parser::new(Xml::strict()).balanced(),
            is_open: false,
            stanza: None,
        }
    }

    fn receive(&mut self, bytes: &[u8]) {
        self.parser.feed(bytes);
    }

    /// Returns what has arrived next, or `None` if more bytes are needed.
    fn next(&mut self) -> Result<Option<Arrived>, tagstream::Error> {
        while let Some(event) = self.parser.next_event()? {
            if let Some(stanza) = self.stanza.take_if(|stanza| stanza.take(&event)) {
                return Ok(Some(Arrived::Stanza(Box::new(stanza.into_sink()))));
            }
            if self.stanza.is_some() {
                continue;
            }
            match event {
                Event::Start(tag) if !self.is_open => {
                    self.is_open = true;
                    let id = tag.attribute("id").unwrap_or("without a number");
                    return Ok(Some(Arrived::Opened(id.to_owned())));
                }
                Event::Start(_) => self.stanza = self.parser.subtree(),
                Event::End(_) => return Ok(Some(Arrived::Closed)),
                // Whitespace between stanzas keeps the connection alive.
                _ => {}
            }
        }
        Ok(None)
    }

    /// Begins the next document on the same connection, with the same options and memory.
    fn restart(&mut self) {
        self.parser.reset();
        self.is_open = false;
        self.stanza = None;
    }
}
