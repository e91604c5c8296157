//! A streaming pull parser for markup: bytes go in, in chunks of any size, as they come off the network;
//! events come out, as soon as the byte that completes them is in.
//!
//! The links and the text of a web page, as they come:
//!
//! ```
//! use tagstream::{Event, Events, Html};
//!
//! fn main() -> Result<(), tagstream::Error> {
//!     let page = "<title>News</title><p>See <a href=/a>this</a>, <A HREF='/b?c&amp;d'>that";
//!     let mut events = Events::of(Html::default(), page);
//!     while let Some(event) = events.next_event()? {
//!         match event {
//!             Event::Start(tag) if tag.name() == "a" => println!("{:?}", tag.attribute("href")),
//!             Event::Text(text) => println!("{:?} at {}", text.as_str(), text.position()),
//!             _ => {}
//!         }
//!     }
//!     Ok(())
//! }
//! ```
//!
//! A feed; `Xml::default()` reads it however broken it is, `Xml::strict()` ends at the first violation:
//!
//! ```
//! use tagstream::{Event, Events, Xml};
//!
//! fn main() -> Result<(), tagstream::Error> {
//!     let feed = "<feed><entry id='1'><title>Tom &amp; Jerry</title></entry><entry id='2'/></feed>";
//!     let mut events = Events::of(Xml::strict(), feed);
//!     while let Some(event) = events.next_event()? {
//!         match event {
//!             Event::Start(tag) if tag.name() == "entry" => println!("{:?}", tag.attribute("id")),
//!             Event::Start(tag) if tag.name() == "title" => println!("{}", events.read_text()?),
//!             _ => {}
//!         }
//!     }
//!     Ok(())
//! }
//! ```
//!
//! A document as a tree:
//!
//! ```
//! use tagstream::{Document, Html};
//!
//! fn main() -> Result<(), tagstream::Error> {
//!     let page = Document::parse(Html::default(), "<p>Tom <b>&amp; Jerry")?;
//!     for node in page.root().descendants().filter(|node| node.is_element()) {
//!         println!("{}: {:?}", node.name(), node.text_content());
//!     }
//!     assert_eq!(
//!         page.to_html(),
//!         "<html><head></head><body><p>Tom <b>&amp; Jerry</b></p></body></html>"
//!     );
//!     Ok(())
//! }
//! ```
//!
//! A loop of your own, around whatever brings the bytes, sync or async:
//!
//! ```
//! use tagstream::{Event, Parser, Xml};
//!
//! fn main() -> Result<(), tagstream::Error> {
//!     let mut parser = Parser::new(Xml::default());
//!     // As they come off the network, cut anywhere.
//!     for chunk in ["<log><entry>Tom &am", "p; Jer", "ry</entry><ent", "ry>2</entry></log>"] {
//!         parser.feed(chunk);
//!         while let Some(event) = parser.next_event()? {
//!             if let Event::Text(text) = event {
//!                 println!("{}", text.as_str());
//!             }
//!         }
//!     }
//!     parser.finish();
//!     while let Some(event) = parser.next_event()? {
//!         println!("{event:?}");
//!     }
//!     Ok(())
//! }
//! ```
//!
//! # What to use
//!
//! - [`Parser`]: feed chunks, ask for events. The core; it does no I/O, so that it fits any loop, sync or
//!   async.
//! - [`Events`]: the same with the loop around it, for strings, readers and iterators of chunks.
//! - [`Balanced`]: events that are a tree: every start has its end.
//! - [`Document`]: a tree; [`TreeBuilder`] builds it of chunks, or your own tree through [`TreeSink`].
//! - [`Subtree`]: one element of a stream as a tree, for documents too long to be held.
//!
//! A dialect says what is read:
//!
//! - [`Html`]: the WHATWG HTML standard, tree construction included; whole pages and fragments.
//! - [`Xml`]: recovering by XML-ER, or with [`Xml::strict`] XML 1.0 (fifth edition) and 1.1 with Namespaces.
//! - [`MicroXml`]: MicroXML with its error recovery, in both revisions, or strict.
//! - [`Sky`]: applications, modules and fragments of Sky.
//! - [`LeafXml`]: XML with namespaces and nothing arcane, normalised to NFC.
//!
//! For who comes from another library there is [`coming_from`]: quick-xml, html5ever and scraper, lol_html,
//! roxmltree, xml-rs.
//!
//! # What can be relied on
//!
//! - The events do not depend on where the chunks were cut: not their strings, spans, errors.
//! - An event is there as soon as it can be told: a tag with its `>`; text once what follows can be no part
//!   of it: not yet with a `<`, which may begin a CDATA section, but with the `</a` of its end tag.
//! - A parser can be cloned in the middle of a document. The clone goes on from there by itself, so that a program
//!   can try something and come back.
//! - Text is whole, one event a run, or in pieces if asked for ([`TextPolicy`]).
//! - Time is linear in the input, and memory bounded, by [`Limits`] that are on by default; [`Stats`] is the
//!   measure.
//! - No input panics, and nothing recurses on input.
//!
//! ```
//! use tagstream::{Event, Parser, Xml};
//!
//! let mut parser = Parser::new(Xml::default());
//! parser.feed("<a>te");
//! assert!(matches!(parser.next_event()?, Some(Event::Start(_))));
//! // The text may go on, so there is no event of it yet.
//! assert!(parser.next_event()?.is_none());
//!
//! // Two ways in which it does.
//! let mut other = parser.clone();
//! parser.feed("xt</a");
//! assert!(matches!(parser.next_event()?, Some(Event::Text(text)) if text.as_str() == "text"));
//! other.feed("a</a");
//! assert!(matches!(other.next_event()?, Some(Event::Text(text)) if text.as_str() == "tea"));
//! # Ok::<(), tagstream::Error>(())
//! ```
//!
//! # What the compiler may say
//!
//! An event is lent until the next is asked for, so that nothing is copied unless it is kept.
//!
//! - E0499, `cannot borrow … as mutable more than once`: an event, or a part of one, is kept across the next.
//!   [`Event::to_owned`] and [`StartTag::to_owned`] keep it; so does `to_owned` of a string.
//! - The same where a tag is returned from the loop that found it: return an [`OwnedTag`].
//! - E0308, ``expected `OwnedEvent`, found `Event` ``: iterators give events that are owned. `match event.event()`
//!   looks into one.
//!
//! ```
//! use tagstream::{Event, Events, Xml};
//!
//! let mut names = Vec::new();
//! for event in Events::of(Xml::default(), "<a><b/></a>") {
//!     if let Event::Start(tag) = event?.event() {
//!         names.push(tag.name().to_owned());
//!     }
//! }
//! assert_eq!(names, ["a", "b"]);
//! # Ok::<(), tagstream::Error>(())
//! ```
//!
//! # Features
//!
//! `std` (default): [`Events::read`], vector instructions chosen at run time, random hash seeds.
//! Without it the crate needs `alloc` only. `html`, `xml`, `microxml`, `sky`, `leafxml` (default): the dialects;
//! one that is not asked for is not compiled. `encodings` (default): those that are tables; without it there are
//! UTF-8, UTF-16, UTF-32, windows-1252, ISO-8859-1, ASCII and x-user-defined, and input in another is an error
//! that says so. `tree` (default): [`Document`], [`TreeBuilder`], [`Subtree`] and the [`Sanitizer`]; events, HTML balanced
//! too, [`Rewriter`] and [`Writer`] do without. `select`: CSS selectors; it needs `std` and `tree`. `tokio` and `futures`: events that are waited for,
//! of readers of tokio's, and of readers and streams of the `futures` crates; both need `std` and `tree`. `serde`:
//! values of documents and documents of values, in `de` and `ser`, and events, errors and limits as values; it needs `alloc`
//! only, but for `de::from_reader`. `checkpoints`: parsers, balanced ones, tree builders and rewriters as bytes, in
//! mid-document; it needs `std`. `cli`: the program `tagstream`.
//!
//! # Versions of Rust
//!
//! The minimum is 1.88, for edition 2021 and 2024 alike. A later one comes with a new minor version of the crate,
//! and is half a year old then.
#![cfg_attr(not(feature = "std"), no_std)]
// On docs.rs items say which feature they need.
#![cfg_attr(docsrs, feature(doc_cfg))]
// What dialects share is not all used where some are left out.
#![cfg_attr(
    not(all(
        feature = "html",
        feature = "xml",
        feature = "microxml",
        feature = "sky",
        feature = "leafxml",
        feature = "encodings",
        feature = "tree"
    )),
    allow(dead_code, unreachable_pub, unused_imports, unused_macros)
)]

extern crate alloc;
#[cfg(feature = "checkpoints")]
#[macro_use]
extern crate serde;

mod attributes;
mod balance;
#[cfg(feature = "tree")]
mod build;
#[cfg(any(doc, doctest))]
pub mod coming_from;
#[cfg(feature = "serde")]
pub mod de;
mod dialect;
mod element;
mod entity;
mod error;
mod event;
#[cfg(feature = "html")]
pub mod html;
mod input;
mod io;
#[cfg(feature = "leafxml")]
pub mod leafxml;
mod lexer;
mod limits;
mod links;
#[cfg(feature = "microxml")]
pub mod microxml;
mod namespaces;
mod parser;
mod pull;
mod rewrite;
#[cfg(all(feature = "html", feature = "tree"))]
pub mod sanitize;
#[cfg(feature = "checkpoints")]
mod saved;
mod scan;
mod seeds;
#[cfg(feature = "select")]
pub mod select;
#[cfg(feature = "serde")]
pub mod ser;
#[cfg(feature = "sky")]
pub mod sky;
mod stack;
#[cfg(feature = "serde")]
mod stored;
mod text;
#[cfg(feature = "tree")]
pub mod tree;
#[cfg(not(feature = "tree"))]
mod tree;
mod write;
#[cfg(feature = "xml")]
pub mod xml;

pub use balance::Balanced;
#[cfg(feature = "tree")]
pub use build::{Buildable, Subtree, TreeBuilder};
pub use bytes::Bytes;
pub use dialect::{AsWritten, Balance, Dialect, Form, Hosted, Nested, Prefixed};
pub use element::{ElementText, Skip};
pub use entity::EntityRequest;
pub use error::{
    Category, EditError, EntityPlace, Error, ErrorCode, ErrorKind, Position, Related, Relation,
    Span,
};
pub use event::{
    AddedAttributes, Attribute, Attributes, Comment, Doctype, EncodingChange, EndTag, Event,
    NotationDeclaration, OwnedEvent, OwnedTag, ParseError, ProcessingInstruction, SkippedEntity,
    StartTag, Text, UnparsedEntity, XmlDeclaration,
};
#[doc(inline)]
#[cfg(feature = "html")]
pub use html::Html;
pub use input::chunk::Chunk;
pub use input::encoding::Encoding;
pub use input::lossy::TextDecoder;
#[cfg(feature = "inspect")]
#[doc(hidden)]
pub use input::sizes::Sizes;
#[cfg(feature = "std")]
pub use io::ReaderSource;
#[cfg(feature = "tokio")]
pub use io::TokioSource;
#[cfg(any(feature = "futures", feature = "tokio"))]
pub use io::{AsyncEvents, AsyncSource};
pub use io::{ChunkItem, ChunkSource, Events, Source, SourceError};
#[cfg(feature = "futures")]
pub use io::{FuturesSource, StreamSource};
#[doc(inline)]
#[cfg(feature = "leafxml")]
pub use leafxml::LeafXml;
pub use limits::{Limit, Limits, Stats};
#[doc(inline)]
#[cfg(feature = "microxml")]
pub use microxml::MicroXml;
pub use parser::{Parser, Status, TextPolicy};
pub use pull::Pull;
pub use rewrite::{Content, RewriteError, RewriteEvent, Rewriter};
#[doc(inline)]
#[cfg(all(feature = "html", feature = "tree"))]
pub use sanitize::Sanitizer;
#[cfg(feature = "checkpoints")]
pub use saved::CheckpointError;
#[cfg(all(feature = "checkpoints", feature = "inspect"))]
#[doc(hidden)]
pub use saved::inspect_checksum;
#[cfg(feature = "select")]
pub use select::{Selector, SelectorError};
#[doc(inline)]
#[cfg(feature = "sky")]
pub use sky::Sky;
#[doc(inline)]
#[cfg(feature = "tree")]
pub use tree::{Document, Node, NodeKind, TreeSink};
pub use write::{Bytewise, Output, Refusal, Textwise, WriteError, Writer, escape};
#[doc(inline)]
#[cfg(feature = "xml")]
pub use xml::Xml;

/// The examples of the README are compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
