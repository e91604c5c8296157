//! Readers of record batches: from `std::io::Read`, from bytes in memory, and from an iterator of chunks.

use crate::chunks::read_chunk;
use crate::decoder::Decoder;
use crate::error::Error;
use crate::infer::{Inferred, Inferrer};
use crate::options::Options;
use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use bytes::Bytes;
use std::collections::VecDeque;
use std::io::Read;
use std::sync::Arc;

/// Reads record batches from anything that implements [`Read`]. The reader needs no buffer of its own.
///
/// ```
/// use tagstream_arrow::{Options, XmlReader};
///
/// let xml = b"<log><entry n='1'/><entry n='2'/></log>";
/// let mut rows = 0;
/// for batch in XmlReader::infer(&xml[..], Options::new("entry"))? {
///     rows += batch?.num_rows();
/// }
/// assert_eq!(rows, 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct XmlReader<R> {
    read: R,
    /// Chunks that inference has read, and that are read before the rest.
    replayed: VecDeque<Bytes>,
    buffer: Vec<u8>,
    decoder: Decoder,
    is_finished: bool,
    has_failed: bool,
    inferred: Option<Inferred>,
}

impl<R: Read> XmlReader<R> {
    /// Creates a reader of rows with this schema.
    ///
    /// # Errors
    ///
    /// The same as for [`Decoder::new`].
    pub fn new(read: R, schema: SchemaRef, options: Options) -> Result<XmlReader<R>, Error> {
        Ok(XmlReader {
            read,
            replayed: VecDeque::new(),
            buffer: Vec::new(),
            decoder: Decoder::new(schema, options)?,
            is_finished: false,
            has_failed: false,
            inferred: None,
        })
    }

    /// Creates a reader of rows whose schema is inferred from the whole input, which is kept in memory. To bound the
    /// memory, use [`infer_from`](XmlReader::infer_from).
    ///
    /// # Errors
    ///
    /// Returns an error if the input cannot be read or parsed.
    pub fn infer(read: R, options: Options) -> Result<XmlReader<R>, Error> {
        XmlReader::infer_from(read, options, u64::MAX)
    }

    /// Creates a reader of rows whose schema is inferred from the first bytes of the input, which are kept in memory.
    /// Fields that only later rows have are skipped.
    ///
    /// # Errors
    ///
    /// Returns an error if the input cannot be read or parsed.
    pub fn infer_from(mut read: R, options: Options, bytes: u64) -> Result<XmlReader<R>, Error> {
        let mut inferrer = Inferrer::new(options.clone())?;
        let mut replayed = VecDeque::new();
        let mut buffer = Vec::new();
        let mut rest = bytes;
        let mut is_finished = false;
        while rest > 0 {
            let length = read_chunk(&mut read, &mut buffer)?;
            if length == 0 {
                is_finished = true;
                break;
            }
            let chunk = Bytes::copy_from_slice(&buffer[..length]);
            rest = rest.saturating_sub(length as u64);
            inferrer.feed(chunk.clone())?;
            replayed.push_back(chunk);
        }
        let inferred = match is_finished {
            true => inferrer.finish()?,
            false => inferrer.finish_early()?,
        };
        let mut reader = XmlReader::new(read, Arc::clone(&inferred.schema), options)?;
        reader.replayed = replayed;
        reader.inferred = Some(inferred);
        Ok(reader)
    }

    /// Returns the result of inference, if the schema was inferred.
    pub fn inferred(&self) -> Option<&Inferred> {
        self.inferred.as_ref()
    }

    /// Returns the decoder, which has the errors of rows.
    pub fn decoder(&self) -> &Decoder {
        &self.decoder
    }

    /// Returns the next batch, or `None` at the end.
    ///
    /// # Errors
    ///
    /// Returns the errors of the input and of [`Decoder::next_batch`].
    pub fn next_batch(&mut self) -> Result<Option<RecordBatch>, Error> {
        let (read, buffer, replayed) = (&mut self.read, &mut self.buffer, &mut self.replayed);
        pull(&mut self.decoder, &mut self.is_finished, |decoder| {
            if let Some(chunk) = replayed.pop_front() {
                decoder.feed(chunk);
                return Ok(true);
            }
            let length = read_chunk(read, buffer)?;
            decoder.feed_slice(&buffer[..length]);
            Ok(length > 0)
        })
    }
}

impl<R: Read> Iterator for XmlReader<R> {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.has_failed {
            return None;
        }
        let next = self.next_batch();
        self.has_failed = next.is_err();
        next.map_err(ArrowError::from).transpose()
    }
}

impl<R: Read> RecordBatchReader for XmlReader<R> {
    fn schema(&self) -> SchemaRef {
        self.decoder.schema()
    }
}

/// Returns the next batch, or `None` at the end. `feed` feeds the decoder, and returns false at the end of the input.
fn pull(
    decoder: &mut Decoder,
    is_finished: &mut bool,
    mut feed: impl FnMut(&mut Decoder) -> Result<bool, Error>,
) -> Result<Option<RecordBatch>, Error> {
    loop {
        if let Some(batch) = decoder.next_batch()? {
            return Ok(Some(batch));
        }
        if *is_finished {
            return Ok(None);
        }
        if !feed(decoder)? {
            *is_finished = true;
            decoder.finish();
        }
    }
}

/// Reads record batches from an iterator of chunks, which are not copied.
///
/// ```
/// use bytes::Bytes;
/// use tagstream_arrow::{ChunkReader, Options, infer_schema};
///
/// let chunks = [Bytes::from_static(b"<log><entry n='1'/><en"), Bytes::from_static(b"try n='2'/></log>")];
/// let schema = infer_schema(&b"<log><entry n='1'/></log>"[..], &Options::new("entry"))?.schema;
/// let mut rows = 0;
/// for batch in ChunkReader::new(chunks, schema, Options::new("entry"))? {
///     rows += batch?.num_rows();
/// }
/// assert_eq!(rows, 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ChunkReader<I> {
    chunks: I,
    decoder: Decoder,
    is_finished: bool,
    has_failed: bool,
}

impl<I: Iterator<Item = Bytes>> ChunkReader<I> {
    /// Creates a reader of rows with this schema.
    ///
    /// # Errors
    ///
    /// The same as for [`Decoder::new`].
    pub fn new(
        chunks: impl IntoIterator<IntoIter = I>,
        schema: SchemaRef,
        options: Options,
    ) -> Result<ChunkReader<I>, Error> {
        Ok(ChunkReader {
            chunks: chunks.into_iter(),
            decoder: Decoder::new(schema, options)?,
            is_finished: false,
            has_failed: false,
        })
    }

    /// Returns the decoder, which has the errors of rows.
    pub fn decoder(&self) -> &Decoder {
        &self.decoder
    }

    /// Returns the next batch, or `None` at the end.
    ///
    /// # Errors
    ///
    /// The same as for [`Decoder::next_batch`].
    pub fn next_batch(&mut self) -> Result<Option<RecordBatch>, Error> {
        let chunks = &mut self.chunks;
        pull(&mut self.decoder, &mut self.is_finished, |decoder| {
            let chunk = chunks.next();
            let is_fed = chunk.is_some();
            decoder.feed(chunk.unwrap_or_default());
            Ok(is_fed)
        })
    }
}

impl<I: Iterator<Item = Bytes>> Iterator for ChunkReader<I> {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.has_failed {
            return None;
        }
        let next = self.next_batch();
        self.has_failed = next.is_err();
        next.map_err(ArrowError::from).transpose()
    }
}

impl<I: Iterator<Item = Bytes>> RecordBatchReader for ChunkReader<I> {
    fn schema(&self) -> SchemaRef {
        self.decoder.schema()
    }
}
