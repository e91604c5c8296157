//! Sources of chunks: iterators and readers.

use crate::engine::input::chunk::Chunk;
use alloc::sync::Arc;
#[cfg(feature = "std")]
use bytes::Bytes;

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
    /// ```
    /// use tagstream::{Source, SourceError};
    ///
    /// struct Lines<'a>(std::str::Lines<'a>);
    ///
    /// impl<'a> Source for Lines<'a> {
    ///     type Chunk = &'a str;
    ///
    ///     fn next_chunk(&mut self) -> Result<Option<&'a str>, SourceError> {
    ///         Ok(self.0.next())
    ///     }
    /// }
    ///
    /// let mut lines = Lines("<a>\n</a>".lines());
    /// assert_eq!(lines.next_chunk().ok().flatten(), Some("<a>"));
    /// ```
    ///
    /// # Errors
    ///
    /// Returns any error that ends the input early. An [`std::io::Error`] of the kind `WouldBlock` does not end it:
    /// the source is asked again when the program requests the next event.
    fn next_chunk(&mut self) -> Result<Option<Self::Chunk>, SourceError>;
}

/// The error of a source.
pub type SourceError = Arc<dyn core::error::Error + Send + Sync>;

/// A source that reads from an iterator of chunks: see [`Events::chunks`](crate::Events::chunks).
#[derive(Clone, Debug)]
pub struct ChunkSource<I>(pub(super) I);

/// The item of an iterator of chunks: a chunk, or a result of a chunk.
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

/// A source that reads from a reader: see [`Events::read`](crate::Events::read).
#[cfg(feature = "std")]
#[derive(Clone, Debug)]
pub struct ReaderSource<R> {
    pub(super) reader: R,
    room: Room,
}

#[cfg(feature = "std")]
impl<R: std::io::Read> ReaderSource<R> {
    /// Creates a source. The reader does not need a buffer.
    pub(crate) fn new(reader: R) -> ReaderSource<R> {
        ReaderSource {
            reader,
            room: Room::default(),
        }
    }
}

#[cfg(feature = "std")]
impl<R: std::io::Read> Source for ReaderSource<R> {
    type Chunk = Bytes;

    fn next_chunk(&mut self) -> Result<Option<Bytes>, SourceError> {
        loop {
            match self.reader.read(self.room.free()) {
                Ok(read) => return Ok(self.room.filled(read)),
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(Arc::new(error)),
            }
        }
    }
}

/// A buffer for reading chunks. Each chunk that was read is split off without copying.
#[cfg(feature = "std")]
#[derive(Clone, Debug, Default)]
pub(super) struct Room {
    buffer: bytes::BytesMut,
}

#[cfg(feature = "std")]
impl Room {
    /// Size of an allocation, in bytes.
    const WHOLE: usize = 64 << 10;

    /// Minimum free space in bytes for a read. With less free space, the buffer is allocated again.
    const LEAST: usize = 8 << 10;

    /// Returns the free space. Several short reads share one allocation.
    pub(super) fn free(&mut self) -> &mut [u8] {
        if self.buffer.len() < Room::LEAST {
            // If all chunks of the old allocation were dropped, `resize` reuses it.
            self.buffer.clear();
            self.buffer.resize(Room::WHOLE, 0);
        }
        &mut self.buffer
    }

    /// Returns a chunk of the first `read` bytes of the free space, which were filled by a read. Returns `None` if
    /// `read` is 0, which means the end of the input.
    pub(super) fn filled(&mut self, read: usize) -> Option<Bytes> {
        (read > 0).then(|| self.buffer.split_to(read).freeze())
    }
}

/// Returns whether the source may return a chunk if it is asked again.
pub(super) fn is_passing(error: &SourceError) -> bool {
    #[cfg(feature = "std")]
    if let Some(error) = error.downcast_ref::<std::io::Error>() {
        return error.kind() == std::io::ErrorKind::WouldBlock;
    }
    let _ = error;
    false
}
