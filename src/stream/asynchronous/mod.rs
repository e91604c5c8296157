//! [`AsyncEvents`]: events from an asynchronous source of chunks, for programs that use `tokio` or the `futures`
//! crates.

// These modules are first, so that the rustdoc page of `AsyncEvents` begins with its constructors.
#[cfg(feature = "futures")]
mod futures_source;
#[cfg(feature = "tokio")]
mod tokio_source;

mod elements;
mod events;
mod recorded;
mod source;

pub use events::AsyncEvents;
#[cfg(feature = "futures")]
pub use futures_source::{FuturesSource, StreamSource};
pub use source::AsyncSource;
#[cfg(feature = "tokio")]
pub use tokio_source::TokioSource;
