//! Events from a `std::io::Read`.

use super::events::Events;
use super::source::{Source, SourceError};
use crate::engine::dialect::Dialect;
use alloc::sync::Arc;
use bytes::Bytes;

impl<D: Dialect, R: std::io::Read> Events<D, ReaderSource<R>> {
    /// Reads from a reader. The reader does not need a buffer.
    ///
    /// ```
    /// use tagstream::{Event, Events, Xml};
    ///
    /// let mut events = Events::read(Xml::default(), &b"<a>text</a>"[..]);
    /// let mut text = String::new();
    /// while let Some(event) = events.next_event()? {
    ///     if let Event::Text(run) = event {
    ///         text.push_str(run.as_str());
    ///     }
    /// }
    /// assert_eq!(text, "text");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    #[doc(alias("from_reader", "from_file"))]
    pub fn read(dialect: D, reader: R) -> Events<D, ReaderSource<R>> {
        Events::from_source(dialect, ReaderSource::new(reader))
    }

    /// Starts a new document from another reader: see [`Parser::reset`](crate::Parser::reset).
    ///
    /// ```
    /// use tagstream::{Events, Xml};
    ///
    /// let mut events = Events::read(Xml::default(), &b"<a>text</a>"[..]);
    /// assert_eq!(events.by_ref().count(), 3);
    /// events.reset(&b"<b/>"[..]);
    /// assert_eq!(events.count(), 2);
    /// ```
    pub fn reset(&mut self, reader: R) {
        self.parser.reset();
        self.source.reader = reader;
    }
}

/// A source that reads from a reader: see [`Events::read`](crate::Events::read).
#[derive(Clone, Debug)]
pub struct ReaderSource<R> {
    reader: R,
    buffer: ReadBuffer,
}

impl<R: std::io::Read> ReaderSource<R> {
    /// Creates a source. The reader does not need a buffer.
    pub(crate) fn new(reader: R) -> ReaderSource<R> {
        ReaderSource {
            reader,
            buffer: ReadBuffer::default(),
        }
    }
}

impl<R: std::io::Read> Source for ReaderSource<R> {
    type Chunk = Bytes;

    fn next_chunk(&mut self) -> Result<Option<Bytes>, SourceError> {
        loop {
            match self.reader.read(self.buffer.free()) {
                Ok(read) => return Ok(self.buffer.filled(read)),
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(Arc::new(error)),
            }
        }
    }
}

/// A buffer into which a source reads. The bytes of each read become a chunk that shares the buffer's allocation,
/// without copying.
#[derive(Clone, Debug, Default)]
pub(super) struct ReadBuffer {
    buffer: bytes::BytesMut,
}

impl ReadBuffer {
    /// Size of the buffer's allocation, in bytes.
    const CAPACITY_BYTES: usize = 64 << 10;

    /// Minimum free space for a read, in bytes. If the free space is less, a new buffer is allocated.
    const MIN_FREE_BYTES: usize = 8 << 10;

    /// Returns the free space of the buffer, for the next read. Several short reads share one allocation.
    pub(super) fn free(&mut self) -> &mut [u8] {
        if self.buffer.len() < ReadBuffer::MIN_FREE_BYTES {
            // If all chunks of the old allocation were dropped, `resize` reuses it.
            self.buffer.clear();
            self.buffer.resize(ReadBuffer::CAPACITY_BYTES, 0);
        }
        &mut self.buffer
    }

    /// Returns a chunk of the first `read` bytes of the free space, which were filled by a read. Returns `None` if
    /// `read` is 0, which means the end of the input.
    pub(super) fn filled(&mut self, read: usize) -> Option<Bytes> {
        (read > 0).then(|| self.buffer.split_to(read).freeze())
    }
}
