//! Asynchronous sources of chunks.

use crate::engine::input::chunk::Chunk;
use crate::stream::reader::ReadBuffer;
use crate::stream::source::SourceError;
use alloc::sync::Arc;
use bytes::Bytes;
use core::task::{Context, Poll};
use std::io;

/// An asynchronous source of chunks for [`AsyncEvents`](crate::AsyncEvents).
///
/// [`AsyncEvents::read`](crate::AsyncEvents::read), [`read_futures`](crate::AsyncEvents::read_futures) and
/// [`stream`](crate::AsyncEvents::stream) create the usual sources. Any other implementation can be passed to
/// [`AsyncEvents::new`](crate::AsyncEvents::new) or [`from_source`](crate::AsyncEvents::from_source).
///
/// ```
/// use std::task::{Context, Poll};
/// use tagstream::{AsyncEvents, AsyncSource, Parser, SourceError, Xml};
///
/// struct Countdown(u32);
///
/// impl AsyncSource for Countdown {
///     type Chunk = String;
///
///     fn poll_chunk(&mut self, _: &mut Context<'_>) -> Poll<Result<Option<String>, SourceError>> {
///         let Some(next) = self.0.checked_sub(1) else { return Poll::Ready(Ok(None)) };
///         self.0 = next;
///         Poll::Ready(Ok(Some(format!("<n>{next}</n>"))))
///     }
/// }
///
/// # futures::executor::block_on(async {
/// let mut events = AsyncEvents::new(Parser::new(Xml::default()), Countdown(2));
/// let mut count = 0;
/// while events.next_event().await?.is_some() {
///     count += 1;
/// }
/// assert_eq!(count, 6);
/// # Ok::<(), tagstream::Error>(())
/// # })?;
/// # Ok::<(), tagstream::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an asynchronous source of chunks",
    label = "does not implement `AsyncSource`",
    note = "`AsyncEvents::read` takes the readers of tokio, with the feature `tokio`",
    note = "`AsyncEvents::read_futures` and `AsyncEvents::stream` take the readers and streams of the `futures` crates, \
            with the feature `futures`"
)]
pub trait AsyncSource {
    /// The type of a chunk: a string or bytes.
    type Chunk: Chunk;

    /// Returns the next chunk, or `None` at the end of the input. If no chunk is available yet, it returns
    /// [`Poll::Pending`] and wakes the task when one may be.
    ///
    /// An implementation must be cancel-safe: bytes that were taken from elsewhere have to be stored in the source
    /// until a chunk with them is returned, because the caller may stop polling at any time.
    ///
    /// # Errors
    ///
    /// Returns any error that ends the input early.
    fn poll_chunk(
        &mut self,
        context: &mut Context<'_>,
    ) -> Poll<Result<Option<Self::Chunk>, SourceError>>;

    /// Called before each call of `poll_chunk`. `offset` computes an offset in the input, in bytes, before which no byte of
    /// the current event, of later events and of the element that is being read lies.
    #[doc(hidden)]
    fn discard_before(&mut self, offset: impl FnOnce() -> u64)
    where
        Self: Sized,
    {
        let _ = offset;
    }
}

/// Converts the result of a read to a chunk. `read` is the number of bytes that were read into the free space of
/// `buffer`; 0 means the end of the input.
pub(super) fn chunk_from_read(
    buffer: &mut ReadBuffer,
    read: io::Result<usize>,
) -> Result<Option<Bytes>, SourceError> {
    match read {
        Ok(read) => Ok(buffer.filled(read)),
        Err(error) => Err(Arc::new(error)),
    }
}
