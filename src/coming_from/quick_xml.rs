//! From quick-xml: the titles of a feed.
//!
//! Before:
//!
//! ```text
//! use quick_xml::Reader;
//! use quick_xml::events::Event;
//!
//! fn titles(feed: &str) -> Result<Vec<String>, quick_xml::Error> {
//!     let mut reader = Reader::from_str(feed);
//!     let mut titles = Vec::new();
//!     loop {
//!         match reader.read_event()? {
//!             Event::Start(tag) if tag.name().as_ref() == b"title" => {
//!                 let text = reader.read_text(tag.name())?;
//!                 titles.push(quick_xml::escape::unescape(&text)?.into_owned());
//!             }
//!             Event::Eof => return Ok(titles),
//!             _ => {}
//!         }
//!     }
//! }
//! ```
//!
//! After:
//!
//! ```
//! use tagstream::{Error, Event, Events, Xml};
//!
//! fn titles(feed: &str) -> Result<Vec<String>, Error> {
//!     let mut events = Events::of(Xml::strict(), feed);
//!     let mut titles = Vec::new();
//!     while let Some(event) = events.next_event()? {
//!         match event {
//!             Event::Start(tag) if tag.name() == "title" => titles.push(events.read_text()?),
//!             _ => {}
//!         }
//!     }
//!     Ok(titles)
//! }
//!
//! assert_eq!(titles("<feed><title>Tom &amp; Jerry</title></feed>")?, ["Tom & Jerry"]);
//! # Ok::<(), Error>(())
//! ```
//!
//! | quick-xml | here |
//! |---|---|
//! | `Reader::from_str`, `from_reader` | [`Events::of`](crate::Events::of), [`Events::read`](crate::Events::read) |
//! | `NsReader` | every reader: [`namespace`](crate::StartTag::namespace), [`local_name`](crate::StartTag::local_name) |
//! | `read_event_into_async` | with the feature `tokio` or `futures`, `AsyncEvents`; without, [`Parser::feed`](crate::Parser::feed) after whatever `await` brought the bytes |
//! | `read_event_into(&mut buf)`, `buf.clear()` | [`next_event`](crate::Events::next_event): there is no buffer to look after |
//! | `Event::Eof` | `None` |
//! | `Event::Empty` | `Start`, of which [`is_self_closing`](crate::StartTag::is_self_closing) tells, then `End` |
//! | `Event::CData`, `Event::GeneralRef`, `unescape` | parts of the `Text` that they stand in, resolved |
//! | `try_get_attribute("id")?`, `unescape_value` | [`attribute("id")`](crate::StartTag::attribute) |
//! | `read_to_end(name)` | [`skip_element`](crate::Events::skip_element) |
//! | `event.into_owned()` | [`event.to_owned()`](crate::Event::to_owned) |
//! | `buffer_position()` | [`span`](crate::Event::span) and [`position`](crate::Event::position) of each event, tag, attribute |
//! | `config_mut().check_end_names` and the like | [`Xml::strict`](crate::Xml::strict) checks all, [`Xml::default`](crate::Xml) repairs all |
//! | `Writer`, `write_event`, `create_element` | [`Writer`](crate::Writer): [`event`](crate::Writer::event), [`start`](crate::Writer::start), [`text`](crate::Writer::text), [`end`](crate::Writer::end) |
//! | reading events, changing some, and writing all | [`Rewriter`](crate::Rewriter), which copies what is not changed byte for byte |
//! | `de::from_str`, `se::to_string`, with the feature `serialize` | `de::from_str`, `ser::to_string`, with the feature `serde`; the module `de` lists the differences |
//!
//! Names and text are `&str`, decoded from whatever encoding the document says it is in.
