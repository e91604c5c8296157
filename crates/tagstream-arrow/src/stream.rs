//! `BatchStream`: an asynchronous stream of batches from an asynchronous stream of chunks.

use crate::decoder::Decoder;
use crate::error::Error;
use crate::options::Options;
use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, SchemaRef};
use bytes::Bytes;
use futures_core::Stream;
use std::pin::Pin;
use std::task::{Context, Poll};

/// Reads record batches from an asynchronous stream of chunks, for example from an object store or an HTTP response. Each
/// poll decodes at most one batch.
///
/// ```
/// use bytes::Bytes;
/// use futures::{StreamExt, stream};
/// use tagstream_arrow::{BatchStream, Options, infer_schema};
///
/// let chunks = ["<log><entry n='1'/><en", "try n='2'/></log>"].map(|chunk| Ok::<_, std::io::Error>(Bytes::from(chunk)));
/// let schema = infer_schema(&b"<log><entry n='1'/></log>"[..], &Options::new("entry"))?.schema;
/// let mut batches = BatchStream::new(stream::iter(chunks), schema, Options::new("entry"))?;
/// let batch = futures::executor::block_on(batches.next());
/// assert_eq!(batch.transpose()?.map(|batch| batch.num_rows()), Some(2));
/// # Ok::<(), tagstream_arrow::Error>(())
/// ```
#[derive(Debug)]
pub struct BatchStream<S> {
    chunks: S,
    decoder: Decoder,
    is_finished: bool,
    has_failed: bool,
}

impl<S, E> BatchStream<S>
where
    S: Stream<Item = Result<Bytes, E>> + Unpin,
    E: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    /// Creates a stream of rows with this schema.
    ///
    /// # Errors
    ///
    /// The same as for [`Decoder::new`].
    pub fn new(chunks: S, schema: SchemaRef, options: Options) -> Result<BatchStream<S>, Error> {
        Ok(BatchStream::with_decoder(
            chunks,
            Decoder::new(schema, options)?,
        ))
    }

    /// Creates a stream that feeds a decoder, for example one of a [piece](Decoder::piece).
    pub fn with_decoder(chunks: S, decoder: Decoder) -> BatchStream<S> {
        BatchStream {
            chunks,
            decoder,
            is_finished: false,
            has_failed: false,
        }
    }

    /// Returns the schema of the batches.
    pub fn schema(&self) -> SchemaRef {
        self.decoder.schema()
    }

    /// Returns the decoder, which has the errors of rows.
    pub fn decoder(&self) -> &Decoder {
        &self.decoder
    }

    fn poll_batch(
        &mut self,
        context: &mut Context<'_>,
    ) -> Poll<Result<Option<RecordBatch>, Error>> {
        loop {
            if let Some(batch) = self.decoder.next_batch()? {
                return Poll::Ready(Ok(Some(batch)));
            }
            // A decoder of a piece needs no input after the next row.
            if self.is_finished || self.decoder.next_row().is_some() {
                return Poll::Ready(Ok(None));
            }
            match Pin::new(&mut self.chunks).poll_next(context) {
                Poll::Pending => return Poll::Pending,
                Poll::Ready(Some(Ok(chunk))) => self.decoder.feed(chunk),
                Poll::Ready(Some(Err(error))) => {
                    return Poll::Ready(Err(std::io::Error::other(error).into()));
                }
                Poll::Ready(None) => {
                    self.is_finished = true;
                    self.decoder.finish();
                }
            }
        }
    }
}

impl<S, E> Stream for BatchStream<S>
where
    S: Stream<Item = Result<Bytes, E>> + Unpin,
    E: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    type Item = Result<RecordBatch, ArrowError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if self.has_failed {
            return Poll::Ready(None);
        }
        match self.poll_batch(context) {
            Poll::Pending => Poll::Pending,
            Poll::Ready(batch) => {
                self.has_failed = batch.is_err();
                Poll::Ready(batch.map_err(ArrowError::from).transpose())
            }
        }
    }
}
