//! Adapters that read chunks from a source, feed them to a parser and finish it, so that a program needs only one
//! loop over events.
//!
//! [`Events`] reads from strings, iterators, readers and any [`Source`]; `AsyncEvents` reads from asynchronous
//! readers, streams and any `AsyncSource`. Both also read whole elements as text or as a tree. `Document::parse` and
//! `Document::read` are in `document.rs`.
//!
//! Invariant: the parser and everything below it use no I/O and no asynchronous code. Reading is done here.

// These modules are first, so that the rustdoc pages of the types that they implement begin with the constructors.
#[cfg(any(feature = "futures", feature = "tokio"))]
pub(crate) mod asynchronous;
#[cfg(feature = "tree")]
mod document;
#[cfg(feature = "std")]
mod reader;

mod element;
mod events;
mod recorded;
mod source;
#[cfg(feature = "tree")]
mod subtree;

pub use element::{ElementText, InnerText, Skip};
pub use events::Events;
#[cfg(feature = "std")]
pub use reader::ReaderSource;
pub use recorded::{RecordedSource, SourceBuffer};
pub use source::{ChunkItem, ChunkSource, Source, SourceError};
