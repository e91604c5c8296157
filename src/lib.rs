//! A streaming pull parser for HTML, XML, MicroXML, Sky and LeafXML. The program feeds bytes in chunks of any size,
//! as they arrive from the network, and gets each event as soon as the byte that completes the event was fed.
//!
//! Print the links and the text of a web page:
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
//! Read a feed. `Xml::default()` recovers from errors in the document; `Xml::strict()` stops at the first violation
//! of the specification:
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
//! Parse a document into a tree:
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
//! Write the loop around the parser yourself, with any source of bytes, sync or async:
//!
//! ```
//! use tagstream::{Event, Parser, Xml};
//!
//! fn main() -> Result<(), tagstream::Error> {
//!     let mut parser = Parser::new(Xml::default());
//!     // Chunks as they arrive from the network, cut at any byte.
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
//! # Overview of types
//!
//! - [`Parser`]: takes chunks and returns events. This is the core of the crate. It does no I/O, so it fits into any
//!   loop, sync or async.
//! - [`Events`]: a parser together with its input: a string, a reader or an iterator of chunks.
//! - [`Parser::balanced`]: changes a parser so that its events form a tree: every start tag has its end tag.
//! - [`Document`]: a tree. [`TreeBuilder`] builds it from chunks, or builds your own tree type through [`TreeSink`].
//! - [`Subtree`]: the tree of one element of a stream, for documents that do not fit into memory.
//! - [`Rewriter`]: passes a document on with the edits that a program makes, in the tags as written or in the tree.
//!   Everything else stays the same, byte for byte.
//!
//! The dialect determines the language of the input:
//!
//! - [`Html`]: the WHATWG HTML standard, including tree construction; whole pages and fragments.
//! - [`Xml`]: with error recovery by XML-ER; or, with [`Xml::strict`], XML 1.0 (fifth edition) and 1.1 with
//!   Namespaces.
//! - [`MicroXml`]: MicroXML with its error recovery, in both revisions, or strict.
//! - [`Sky`]: applications, modules and fragments of Sky.
//! - [`LeafXml`]: a subset of XML with namespaces, normalised to NFC.
//!
//! The module [`migration`] has guides for users of quick-xml, html5ever and scraper, lol_html, lxml, roxmltree and
//! xml-rs.
//!
//! # Guarantees
//!
//! - Events do not depend on how the input is divided into chunks. This includes their strings, spans and errors.
//! - An event is available as soon as the input determines it. A tag is available after its `>`. Text is available
//!   once the next input cannot belong to it: not yet after `<`, which could begin a CDATA section, but after the
//!   `</a` of an end tag.
//! - A parser can be cloned in the middle of a document. The clone continues independently, so that a program can try
//!   something and return to the original.
//! - Each run of text is one event, or several pieces if the program asks for them ([`TextPolicy`]).
//! - Time is linear in the input. Memory is bounded by [`Limits`], which are on by default. [`Stats`] reports the
//!   work done.
//! - No input causes a panic, and no function recurses on the depth of the input.
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
//! # Common compiler errors
//!
//! An event borrows from the parser until the program asks for the next event. Nothing is copied unless the program
//! keeps it.
//!
//! - E0499, `cannot borrow … as mutable more than once`: the program keeps an event, or a part of an event, while it
//!   asks for the next one. Copy it with [`Event::to_owned`], [`StartTag::to_owned`] or, for a string, `to_owned`.
//! - The same error where a tag is returned from the loop that found it: return an [`OwnedTag`].
//! - E0599, ``no method named `select` ``, E0432, E0433, ``unresolved import``: the item needs a feature that is not
//!   on by default. The documentation of the item names the feature. For `select`, write `tagstream = { version =
//!   "0.1", features = ["select"] }`.
//! - E0308, ``expected `OwnedEvent`, found `Event` ``: iterators return owned events. Use `match event.event()` to
//!   inspect one.
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
//! - `std` (default): [`Events::read`], vector instructions chosen at run time, random hash seeds. Without this
//!   feature the crate needs only `alloc`.
//! - `html`, `xml`, `microxml`, `sky`, `leafxml` (default): the dialects. A dialect whose feature is off is not
//!   compiled.
//! - `encodings` (default): the encodings that need tables. Without this feature the crate decodes UTF-8, UTF-16,
//!   UTF-32, windows-1252, ISO-8859-1, ASCII and x-user-defined; input in any other encoding is an error that names
//!   this feature.
//! - `tree` (default): [`Document`], [`TreeBuilder`], [`Subtree`] and the [`Sanitizer`]. Events (also balanced ones
//!   of HTML), [`Rewriter`] and [`Writer`] do not need this feature.
//! - `select`: CSS selectors. Needs `std` and `tree`.
//! - `xpath`: XPath 1.0. Needs `std` and `tree`; with `select`, also on streams.
//! - `tokio` and `futures`: async events from the readers of tokio, and from the readers and streams of the `futures`
//!   crates. Both need `std` and `tree`.
//! - `serde`: conversion between documents and values, in `de` and `ser`, and serialization of events, errors and
//!   limits. Needs only `alloc`, except for `de::from_reader`.
//! - `checkpoints`: serialization of parsers, balanced parsers, tree builders and rewriters in the middle of a
//!   document. Needs only `alloc`.
//! - `inspect`: access to internals, for the tests of this crate and for the page that shows parsing at work
//!   (`crates/tagstream-explore`). It is not documented, and not covered by semantic versioning. Needs `std`.
//!
//! # Minimum Rust version
//!
//! The minimum is Rust 1.88, with edition 2021 or 2024. Raising the minimum takes a new minor version of the crate,
//! and the new minimum is at least half a year old at that time.
#![cfg_attr(not(feature = "std"), no_std)]
// On docs.rs, each item shows the feature that it needs.
#![cfg_attr(docsrs, feature(doc_cfg))]
// Code shared by the dialects and by trees is partly unused if one of them is off. With all of them, no lint is silenced,
// whatever the other features are.
#![cfg_attr(
    not(all(
        feature = "html",
        feature = "xml",
        feature = "microxml",
        feature = "sky",
        feature = "leafxml",
        feature = "tree"
    )),
    allow(dead_code, unreachable_pub, unused_imports, unused_macros)
)]

extern crate alloc;

// These modules are first, so that the rustdoc page of a type that several modules implement begins with its
// constructors.
mod engine;
mod stream;
#[cfg(feature = "tree")]
pub mod tree;
#[cfg(not(feature = "tree"))]
mod tree;

#[cfg(all(
    feature = "tree",
    any(
        feature = "html",
        feature = "xml",
        feature = "microxml",
        feature = "sky",
        feature = "leafxml"
    )
))]
mod any_dialect;
#[cfg(feature = "checkpoints")]
mod checkpoint;
#[cfg(not(feature = "checkpoints"))]
#[path = "checkpoint/disabled.rs"]
mod checkpoint;
mod dialects;
mod rewrite;
#[cfg(feature = "select")]
pub mod select;
#[cfg(feature = "serde")]
mod serde;
#[cfg(feature = "tree")]
mod tree_builder;
mod write;
#[cfg(feature = "xpath")]
pub mod xpath;

#[cfg(feature = "serde")]
pub use crate::serde::{de, ser};
#[cfg(all(
    feature = "tree",
    any(
        feature = "html",
        feature = "xml",
        feature = "microxml",
        feature = "sky",
        feature = "leafxml"
    )
))]
pub use any_dialect::{AnyDialect, AnyParser, DialectVisitor};
pub use bytes::Bytes;
#[cfg(feature = "checkpoints")]
pub use checkpoint::CheckpointError;
#[cfg(all(feature = "checkpoints", feature = "inspect"))]
#[doc(hidden)]
pub use checkpoint::inspect_checksum;
#[cfg(all(feature = "inspect", feature = "html"))]
#[doc(hidden)]
pub use dialects::html::construct::AppliedRow;
#[doc(inline)]
#[cfg(feature = "html")]
pub use dialects::html::{self, Html};
#[doc(inline)]
#[cfg(feature = "leafxml")]
pub use dialects::leafxml::{self, LeafXml};
#[doc(inline)]
#[cfg(feature = "microxml")]
pub use dialects::microxml::{self, MicroXml};
#[doc(inline)]
#[cfg(feature = "sky")]
pub use dialects::sky::{self, Sky};
#[doc(inline)]
#[cfg(feature = "xml")]
pub use dialects::xml::{self, Xml};
pub use engine::dialect::{AsWritten, Balance, Dialect, Form, Hosted, Nested, Prefixed};
pub use engine::entity::EntityRequest;
pub use engine::error::{
    Category, EditError, EntityPlace, Error, ErrorCode, ErrorKind, Position, Related, Relation,
    Span,
};
pub use engine::event::{
    AddedAttributes, Attribute, Attributes, Comment, Doctype, ElementReader, EncodingChange,
    EndTag, Event, Leaf, NotationDeclaration, OwnedEvent, OwnedTag, ParseError,
    ProcessingInstruction, SkippedEntity, StartTag, Text, UnparsedEntity, XmlDeclaration,
};
pub use engine::input::chunk::{Chunk, SharedText};
pub use engine::input::encoding::Encoding;
pub use engine::input::lossy::TextDecoder;
#[cfg(feature = "inspect")]
#[doc(hidden)]
pub use engine::input::sizes::Sizes;
pub use engine::limits::{Limit, Limits, Stats};
pub use engine::options::OptionError;
pub use engine::parser::{Parser, Status, TextPolicy};
#[cfg(feature = "inspect")]
#[doc(hidden)]
pub use engine::work::inspect_work;
#[doc(inline)]
#[cfg(all(feature = "html", feature = "tree"))]
pub use rewrite::sanitize::{self, Sanitizer};
pub use rewrite::{Content, RewriteError, RewriteEvent, Rewriter};
#[cfg(feature = "select")]
pub use select::{Selector, SelectorError};
#[cfg(feature = "std")]
pub use stream::ReaderSource;
#[cfg(any(feature = "futures", feature = "tokio"))]
pub use stream::asynchronous::*;
pub use stream::{
    ChunkItem, ChunkSource, ElementText, Events, InnerText, RecordedSource, Skip, Source,
    SourceBuffer, SourceError,
};
#[doc(inline)]
#[cfg(feature = "tree")]
pub use tree::{Document, Insertion, Node, NodeId, NodeKind, Place, TreeSink};
#[cfg(feature = "tree")]
pub use tree_builder::{Buildable, Subtree, TreeBuilder};
pub use write::{Bytewise, Output, Refusal, StringWriter, Textwise, WriteError, Writer, escape};
#[cfg(feature = "xpath")]
pub use xpath::{XPath, XPathError};

// Each guide links to items of the crate by their names alone, so that it is also readable as a plain Markdown file.
#[cfg(any(doc, doctest))]
pub mod migration {
    //! Migration guides: a small program in another library and in this one, and a table of names. The guides name the
    //! other libraries' items as their documentation of 2026 does.
    //!
    //! - [`quick_xml`]: a loop over events that reads text
    //! - [`html5ever`], with scraper: the tree of a page, and the events of a page
    //! - [`lol_html`]: a page that is changed while it arrives
    //! - `lxml` (feature `xpath`), with xmllint and xmlstarlet: XPath
    //! - [`roxmltree`]: a search in a tree of XML
    //! - [`xml_rs`]: a loop over the events of a reader

    use crate::*;

    #[doc = include_str!("../docs/migration/html5ever.md")]
    pub mod html5ever {}
    #[doc = include_str!("../docs/migration/lol_html.md")]
    pub mod lol_html {}
    #[cfg(feature = "xpath")]
    #[doc = include_str!("../docs/migration/lxml.md")]
    pub mod lxml {}
    #[doc = include_str!("../docs/migration/quick_xml.md")]
    pub mod quick_xml {}
    #[doc = include_str!("../docs/migration/roxmltree.md")]
    pub mod roxmltree {}
    #[doc = include_str!("../docs/migration/xml_rs.md")]
    pub mod xml_rs {}
}

/// Compiles and runs the examples of the README as doc tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
