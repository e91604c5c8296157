//! Adapters that put the loop around `feed` and `finish`: one loop is left to the program.

mod document;
mod events;
mod source;

pub use events::Events;
#[cfg(feature = "std")]
pub use source::ReaderSource;
pub use source::{ChunkItem, ChunkSource, Source, SourceError};
