//! Adapters that put the loop around `feed` and `finish`: one loop is left to the program.

mod events;

#[cfg(feature = "std")]
pub use events::Reads;
pub use events::{Chunks, Events, Source, SourceError};
