//! Opening of files: chunks of an object store to record batches.

use crate::cuts::Prover;
use crate::input::{Chunks, Input, raw};
use crate::options::XmlOptions;
use bytes::Bytes;
use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::common::{exec_err, internal_err};
use datafusion::error::{DataFusionError, Result};
use datafusion::physical_plan::metrics::Count;
use datafusion_datasource::PartitionedFile;
use datafusion_datasource::file_stream::{FileOpenFuture, FileOpener};
use futures::stream::BoxStream;
use futures::{StreamExt, stream};
use object_store::ObjectStore;
use std::ops::Range;
use std::sync::Arc;
use tagstream_arrow::{Decoder, Error, Head, HeadFinder, Options};

/// Opens the files of one partition.
pub(crate) struct XmlOpener {
    pub(crate) options: XmlOptions,
    /// The columns that are read.
    pub(crate) schema: SchemaRef,
    /// Indices in `schema` of the columns that are returned, if they are not all that are read.
    pub(crate) returned: Option<Vec<usize>>,
    pub(crate) batch_size: usize,
    pub(crate) store: Arc<dyn ObjectStore>,
    pub(crate) counters: Counters,
}

/// Metrics of a partition.
#[derive(Clone)]
pub(crate) struct Counters {
    /// Number of rows that are not well-formed or do not fit the schema.
    pub(crate) malformed_rows: Count,
    /// Number of bytes that were decoded, without compression.
    pub(crate) bytes_decoded: Count,
    /// Number of parts of files that were read from a cut on.
    pub(crate) cuts: Count,
}

impl FileOpener for XmlOpener {
    fn open(&self, file: PartitionedFile) -> Result<FileOpenFuture> {
        let location = file.object_meta.location;
        let size = file.object_meta.size;
        let options = self
            .options
            .rows
            .clone()
            .batch_size(self.batch_size)
            .file(Some(location.as_ref()));
        let decoder = Decoder::new(Arc::clone(&self.schema), options.clone())
            .map_err(|error| failure(error.into(), location.as_ref()))?;
        let range = match &file.range {
            None => None,
            Some(range) => match (u64::try_from(range.start), u64::try_from(range.end)) {
                (Ok(start), Ok(end)) => Some(start..if end < size { end } else { u64::MAX }),
                _ => return exec_err!("{location}: the range {range:?} is not a part of the file"),
            },
        };
        let schema = Arc::clone(&self.schema);
        let returned = self.returned.clone();
        let store = Arc::clone(&self.store);
        let counters = self.counters.clone();
        Ok(Box::pin(async move {
            let input = Input::open(&store, &location).await?;
            let mut rows = Rows {
                decoder,
                chunks: input.chunks,
                file: location.as_ref().into(),
                returned,
                counters,
                counted: 0,
                is_finished: false,
                offset: 0,
                end: None,
            };
            if let Some(range) = range {
                let is_first = range.start == 0;
                let end = match input.can_be_cut {
                    true => {
                        let chunks = std::mem::replace(&mut rows.chunks, stream::empty().boxed());
                        End::find(chunks, &options, range, &rows.file).await?
                    }
                    false => None,
                };
                let Some((end, head)) = end else {
                    // The file cannot be cut, so the first partition reads all of it.
                    if !is_first {
                        return Ok(stream::empty().boxed());
                    }
                    rows.chunks = Input::open(&store, &location).await?.chunks;
                    return Ok(rows.batches());
                };
                match end.prover.start() {
                    Some(start) if Some(start) != end.prover.end() => {
                        if !is_first {
                            rows.decoder = Decoder::piece(schema, options, &head, start..u64::MAX)
                                .map_err(|error| failure(error.into(), &rows.file))?;
                            rows.counters.cuts.add(1);
                        }
                        (rows.chunks, _) = raw(&store, &location, start).await?;
                        rows.offset = start;
                        rows.end = Some(end);
                    }
                    _ => return Ok(stream::empty().boxed()),
                }
            }
            Ok(rows.batches())
        }))
    }
}

/// The end of a part of a document: the first cut at or after an offset.
struct End {
    prover: Prover,
    /// Number of bytes of the document that the prover has read.
    proven: u64,
    /// The offset from which on no row is read, if it is known.
    limit: Option<u64>,
}

impl End {
    /// Finds the first cut at or after the start of a range. Returns the head of the document too, after which the part
    /// is read, or `None` if the document cannot be cut.
    async fn find(
        mut chunks: Chunks,
        options: &Options,
        range: Range<u64>,
        file: &str,
    ) -> Result<Option<(End, Head)>> {
        let mut finder = HeadFinder::new(options).map_err(|error| failure(error, file))?;
        // The chunks of the head, which the prover reads when the head is known.
        let mut before = Vec::new();
        loop {
            let Some(chunk) = chunks.next().await else {
                return Ok(None);
            };
            let chunk = chunk?;
            before.push(chunk.clone());
            match finder.feed(chunk) {
                Ok(true) => break,
                Ok(false) => {}
                // The partition that reads all of the document returns the error.
                Err(_) => return Ok(None),
            }
        }
        let (Some(head), Some(row_tag)) = (finder.head(), options.row_name()) else {
            return Ok(None);
        };
        let mut end = End {
            prover: Prover::new(row_tag, head.open_elements(), range),
            proven: 0,
            limit: None,
        };
        let mut before = before.into_iter();
        while end.prover.start().is_none() && !end.prover.is_refused() {
            let chunk = match before.next() {
                Some(chunk) => chunk,
                None => match chunks.next().await {
                    Some(chunk) => chunk?,
                    None => break,
                },
            };
            end.read(end.proven, &chunk);
            // The chunks of a local file are always ready, and a query that has its rows must be able to end.
            tokio::task::yield_now().await;
        }
        Ok(Some((end, head)))
    }

    /// Reads a chunk that begins at an offset of the document, apart from bytes that were read before.
    fn read(&mut self, offset: u64, chunk: &[u8]) {
        let known = usize::try_from(self.proven.saturating_sub(offset)).unwrap_or(usize::MAX);
        if let Some(new) = chunk.get(known..)
            && !new.is_empty()
        {
            self.prover.feed(new);
            self.proven += new.len() as u64;
        }
    }
}

/// The rows of a file, or of a part of one.
struct Rows {
    decoder: Decoder,
    chunks: Chunks,
    file: Arc<str>,
    returned: Option<Vec<usize>>,
    counters: Counters,
    /// Number of malformed rows that were added to the metric.
    counted: u64,
    is_finished: bool,
    /// Offset in the document of the next chunk.
    offset: u64,
    /// The end of the part. `None` if it is that of the document.
    end: Option<End>,
}

impl Rows {
    fn batches(self) -> BoxStream<'static, Result<RecordBatch>> {
        let batches = stream::try_unfold(self, |mut rows| async move {
            Ok(rows.next_batch().await?.map(|batch| (batch, rows)))
        });
        batches.boxed()
    }

    async fn next_batch(&mut self) -> Result<Option<RecordBatch>> {
        loop {
            let next = self.decoder.next_batch();
            let malformed = self.decoder.row_error_count();
            let new = malformed.saturating_sub(self.counted);
            self.counters.malformed_rows.add(new as usize);
            self.counted = malformed;
            if let Some(batch) = next.map_err(|error| failure(error, &self.file))? {
                return Ok(Some(match &self.returned {
                    Some(returned) => batch.project(returned)?,
                    None => batch,
                }));
            }
            if self.is_finished || self.has_reached_end()? {
                return Ok(None);
            }
            match self.chunks.next().await {
                Some(chunk) => self.feed(chunk?),
                None => {
                    self.is_finished = true;
                    self.decoder.finish();
                }
            }
        }
    }

    fn feed(&mut self, chunk: Bytes) {
        // The end of the part must be known before a row that may be after it is read.
        if let Some(end) = &mut self.end
            && end.limit.is_none()
        {
            end.read(self.offset, &chunk);
            if let Some(limit) = end.prover.end() {
                end.limit = Some(limit);
                self.decoder.read_to(limit);
            } else if end.prover.is_refused() {
                // No partition begins after this one.
                self.end = None;
            }
        }
        self.offset += chunk.len() as u64;
        self.counters.bytes_decoded.add(chunk.len());
        self.decoder.feed(chunk);
    }

    /// Returns whether the decoder has read all rows of the part.
    fn has_reached_end(&self) -> Result<bool> {
        let Some(next) = self.decoder.next_row() else {
            return Ok(false);
        };
        match self.end.as_ref().and_then(|end| end.limit) {
            Some(limit) if limit == next.offset => Ok(true),
            limit => internal_err!(
                "{}: the document was cut at {limit:?}, but the next row is at {}",
                self.file,
                next.offset
            ),
        }
    }
}

/// Adds the file to an error that does not have it.
pub(crate) fn failure(error: Error, file: &str) -> DataFusionError {
    let has_file = matches!(error, Error::Row(_));
    let error = DataFusionError::External(Box::new(error));
    match has_file {
        true => error,
        false => error.context(format!("file {file}")),
    }
}
