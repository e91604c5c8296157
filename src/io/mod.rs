//! Adapters that put the loop around `feed` and `finish`: one loop is left to the program.

#[cfg(any(feature = "futures", feature = "tokio"))]
mod async_elements;
#[cfg(any(feature = "futures", feature = "tokio"))]
mod async_events;
#[cfg(any(feature = "futures", feature = "tokio"))]
mod async_source;
#[cfg(feature = "tree")]
mod document;
mod events;
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
pub use events::Events;
#[cfg(feature = "std")]
pub use source::ReaderSource;
pub use source::{ChunkItem, ChunkSource, Source, SourceError};
