//! Adapters that read chunks from a source, feed them to a parser and finish it, so that a program needs only one
//! loop over events.
//!
//! [`Events`] reads from strings, iterators, readers and any [`Source`]; `AsyncEvents` reads from asynchronous
//! readers, streams and any `AsyncSource`. Both also read whole elements as text or as a tree. `Document::parse` and
//! `Document::read` are in `document.rs`.
//!
//! Invariant: the parser and everything below it use no I/O and no asynchronous code. Reading is done here.

// First, so that the pages of `AsyncEvents` and `Document` begin with what makes one.
#[cfg(any(feature = "futures", feature = "tokio"))]
mod async_events;
#[cfg(feature = "tree")]
mod document;
mod events;

#[cfg(any(feature = "futures", feature = "tokio"))]
mod async_elements;
#[cfg(any(feature = "futures", feature = "tokio"))]
mod async_source;
mod element;
mod source;
#[cfg(feature = "tree")]
mod subtree;

#[cfg(any(feature = "futures", feature = "tokio"))]
pub use async_events::AsyncEvents;
#[cfg(any(feature = "futures", feature = "tokio"))]
pub use async_source::AsyncSource;
#[cfg(feature = "tokio")]
pub use async_source::TokioSource;
#[cfg(feature = "futures")]
pub use async_source::{FuturesSource, StreamSource};
pub use element::{ElementText, Skip};
pub use events::Events;
#[cfg(feature = "std")]
pub use source::ReaderSource;
pub use source::{ChunkItem, ChunkSource, Source, SourceError};
