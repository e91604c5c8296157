//! From xml-rs: the elements of a document, indented.
//!
//! Before:
//!
//! ```text
//! use xml::reader::{EventReader, XmlEvent};
//!
//! fn outline(input: impl std::io::Read) -> Result<String, xml::reader::Error> {
//!     let (mut outline, mut depth) = (String::new(), 0);
//!     for event in EventReader::new(input) {
//!         match event? {
//!             XmlEvent::StartElement { name, .. } => {
//!                 outline += &format!("{:depth$}{}\n", "", name.local_name);
//!                 depth += 1;
//!             }
//!             XmlEvent::EndElement { .. } => depth -= 1,
//!             _ => {}
//!         }
//!     }
//!     Ok(outline)
//! }
//! ```
//!
//! After:
//!
//! ```
//! use tagstream::{Error, Event, Events, Xml};
//!
//! fn outline(input: impl std::io::Read) -> Result<String, Error> {
//!     let (mut outline, mut depth) = (String::new(), 0);
//!     let mut events = Events::read(Xml::strict(), input);
//!     while let Some(event) = events.next_event()? {
//!         match event {
//!             Event::Start(tag) => {
//!                 outline += &format!("{:depth$}{}\n", "", tag.local_name());
//!                 depth += 1;
//!             }
//!             Event::End(_) => depth -= 1,
//!             _ => {}
//!         }
//!     }
//!     Ok(outline)
//! }
//!
//! assert_eq!(outline(&b"<a><b/><c/></a>"[..])?, "a\n b\n c\n");
//! # Ok::<(), Error>(())
//! ```
//!
//! | xml-rs | here |
//! |---|---|
//! | `EventReader::new(reader)` | [`Events::read`](crate::Events::read) |
//! | `for event in reader` | the same, with events of their own memory: `match event?.event() { … }`; the loop above copies nothing |
//! | `XmlEvent::StartElement { name, attributes, .. }` | [`StartTag`](crate::StartTag): [`name`](crate::StartTag::name), [`attributes`](crate::StartTag::attributes) |
//! | `XmlEvent::Characters`, `CData`, `Whitespace` | [`Text`](crate::Text), of which [`is_whitespace`](crate::Text::is_whitespace) tells |
//! | `XmlEvent::EndDocument` | `None` |
//! | `reader.position()` | [`position`](crate::Event::position) of each event |
//! | `reader.skip()` | [`skip_element`](crate::Events::skip_element) |
//! | `ParserConfig` | options of [`Xml`](crate::Xml), [`Limits`](crate::Limits) |
//! | `EventWriter` | [`Writer`](crate::Writer), whose [`event`](crate::Writer::event) writes the events that were read; a [tree](crate::Document) is written with [`to_xml`](crate::Document::to_xml) |
