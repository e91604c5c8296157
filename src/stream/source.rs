//! Sources of chunks, and the source that reads from an iterator.

use crate::engine::input::chunk::Chunk;
use alloc::sync::Arc;

/// A source of chunks for [`Events`](crate::Events).
///
/// [`Events::read`](crate::Events::read), [`of`](crate::Events::of) and [`chunks`](crate::Events::chunks) create the
/// usual sources. Any other implementation can be passed to [`Events::new`](crate::Events::new) or
/// [`from_source`](crate::Events::from_source).
///
/// ```
/// use tagstream::{Events, Parser, Source, SourceError, Xml};
///
/// struct Countdown(u32);
///
/// impl Source for Countdown {
///     type Chunk = String;
///
///     fn next_chunk(&mut self) -> Result<Option<String>, SourceError> {
///         let Some(next) = self.0.checked_sub(1) else { return Ok(None) };
///         self.0 = next;
///         Ok(Some(format!("<n>{next}</n>")))
///     }
/// }
///
/// let events = Events::new(Parser::new(Xml::default()), Countdown(2));
/// assert_eq!(events.count(), 6);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a source of chunks",
    label = "does not implement `Source`",
    note = "`Events::of` takes a string or bytes, `Events::chunks` an iterator of them, and `Events::read` a reader, with \
            the feature `std`"
)]
pub trait Source {
    /// The type of a chunk: a string or bytes.
    type Chunk: Chunk;

    /// Returns the next chunk, or `None` at the end of the input.
    ///
    /// # Errors
    ///
    /// Returns any error that ends the input early. An [`std::io::Error`] of the kind `WouldBlock` does not end it:
    /// the source is asked again when the program requests the next event.
    fn next_chunk(&mut self) -> Result<Option<Self::Chunk>, SourceError>;

    /// Called before each call of `next_chunk`. `offset` computes an offset in the input, in bytes, before which no byte of
    /// the current event and of later events lies.
    #[doc(hidden)]
    fn discard_before(&mut self, offset: impl FnOnce() -> u64)
    where
        Self: Sized,
    {
        let _ = offset;
    }
}

/// The error of a source.
pub type SourceError = Arc<dyn core::error::Error + Send + Sync>;

/// A source that reads from an iterator of chunks: see [`Events::chunks`](crate::Events::chunks).
#[derive(Clone, Debug)]
pub struct ChunkSource<I>(pub(super) I);

/// The item of an iterator of chunks: a chunk, or a `Result` whose value is a chunk.
pub trait ChunkItem {
    /// The type of the chunk: a string or bytes.
    type Chunk: Chunk;

    #[doc(hidden)]
    fn chunk(self) -> Result<Self::Chunk, SourceError>;
}

impl<C: Chunk> ChunkItem for C {
    type Chunk = C;

    fn chunk(self) -> Result<C, SourceError> {
        Ok(self)
    }
}

impl<C: Chunk, E: core::error::Error + Send + Sync + 'static> ChunkItem for Result<C, E> {
    type Chunk = C;

    fn chunk(self) -> Result<C, SourceError> {
        self.map_err(|error| Arc::new(error) as SourceError)
    }
}

impl<I: Iterator<Item: ChunkItem>> Source for ChunkSource<I> {
    type Chunk = <I::Item as ChunkItem>::Chunk;

    fn next_chunk(&mut self) -> Result<Option<Self::Chunk>, SourceError> {
        self.0.next().map(ChunkItem::chunk).transpose()
    }
}

/// Returns true if an error is temporary, so that the source may return a chunk at the next call: an I/O error of the
/// kind `WouldBlock`.
pub(super) fn is_passing(error: &SourceError) -> bool {
    #[cfg(feature = "std")]
    if let Some(error) = error.downcast_ref::<std::io::Error>() {
        return error.kind() == std::io::ErrorKind::WouldBlock;
    }
    let _ = error;
    false
}
