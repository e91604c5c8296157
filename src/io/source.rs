//! Where chunks come from.

use crate::input::chunk::Chunk;
use alloc::sync::Arc;
#[cfg(feature = "std")]
use bytes::Bytes;

/// Where the chunks of [`Events`](crate::Events) come from.
///
/// [`Events::read`](crate::Events::read), [`of`](crate::Events::of) and [`chunks`](crate::Events::chunks) make
/// the usual ones. One of your own goes into [`Events::new`](crate::Events::new).
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
pub trait Source {
    /// A string or bytes.
    type Chunk: Chunk;

    /// The next chunk, or `None` at the end of the input.
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
    /// Whatever ends the events before the input has ended. An [`std::io::Error`] of the kind `WouldBlock` does
    /// not end them: who asks again may get more.
    fn next_chunk(&mut self) -> Result<Option<Self::Chunk>, SourceError>;
}

/// What a source fails with.
pub type SourceError = Arc<dyn core::error::Error + Send + Sync>;

/// Chunks of an iterator: see [`Events::chunks`](crate::Events::chunks).
#[derive(Clone, Debug)]
pub struct ChunkSource<I>(pub(super) I);

/// What an iterator of chunks yields: chunks, or results of chunks.
///
/// The trait can't be implemented outside this crate.
pub trait ChunkItem {
    /// A string or bytes.
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

/// Chunks read from a reader: see [`Events::read`](crate::Events::read).
#[cfg(feature = "std")]
#[derive(Clone, Debug)]
pub struct ReaderSource<R> {
    pub(super) reader: R,
    room: Room,
}

#[cfg(feature = "std")]
impl<R: std::io::Read> ReaderSource<R> {
    /// Reads from the reader as it comes; it needs no buffer of its own.
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

/// Where a reader's next bytes go.
#[cfg(feature = "std")]
#[derive(Clone, Debug, Default)]
pub(super) struct Room {
    buffer: bytes::BytesMut,
}

#[cfg(feature = "std")]
impl Room {
    /// How much is asked of a reader at a time.
    const WHOLE: usize = 64 << 10;

    /// With less than this, other room is made.
    const LEAST: usize = 8 << 10;

    /// The room that there is; small reads share what was made for one large one.
    pub(super) fn free(&mut self) -> &mut [u8] {
        if self.buffer.len() < Room::LEAST {
            // Once the chunk given last has been read, its memory is used again.
            self.buffer.clear();
            self.buffer.resize(Room::WHOLE, 0);
        }
        &mut self.buffer
    }

    /// So many bytes of it have been filled; `None` if it was none, which is the end.
    pub(super) fn filled(&mut self, read: usize) -> Option<Bytes> {
        (read > 0).then(|| self.buffer.split_to(read).freeze())
    }
}

/// Whether who asks again may get more.
pub(super) fn is_passing(error: &SourceError) -> bool {
    #[cfg(feature = "std")]
    if let Some(error) = error.downcast_ref::<std::io::Error>() {
        return error.kind() == std::io::ErrorKind::WouldBlock;
    }
    let _ = error;
    false
}
