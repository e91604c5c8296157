//! Opening of files: chunks of an object store to record batches.

use crate::failure::failure;
use crate::input::{Input, raw};
use crate::options::XmlOptions;
use crate::packed::Chunks;
use crate::part::{Cut, Document, End, Part};
use bytes::Bytes;
use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::common::exec_err;
use datafusion::error::Result;
use datafusion::physical_plan::metrics::Count;
use datafusion_datasource::PartitionedFile;
use datafusion_datasource::file_stream::{FileOpenFuture, FileOpener};
use futures::stream::BoxStream;
use futures::{StreamExt, stream};
use object_store::ObjectStore;
use std::sync::Arc;
use tagstream_arrow::{Decoder, RowIndex};

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
                (Ok(0), Ok(end)) if end >= size => None,
                (Ok(start), Ok(end)) => Some(start..if end < size { end } else { u64::MAX }),
                _ => return exec_err!("{location}: the range {range:?} is not a part of the file"),
            },
        };
        let schema = Arc::clone(&self.schema);
        let returned = self.returned.clone();
        let store = Arc::clone(&self.store);
        let counters = self.counters.clone();
        let split = self.options.split;
        let row_tag = self.options.rows.row_name().map(Box::from);
        Ok(Box::pin(async move {
            if location.as_ref().ends_with(RowIndex::SUFFIX) {
                return Ok(stream::empty().boxed());
            }
            let input = Input::open(&store, &location).await?;
            let (chunks, cut) = match range {
                None => (input.chunks, None),
                Some(range) => {
                    let document = Document {
                        store: &store,
                        location: &location,
                        options: &options,
                        split,
                    };
                    let is_first = range.start == 0;
                    match document.part(input, range).await? {
                        Part::Uncut if is_first => {
                            (Input::open(&store, &location).await?.chunks, None)
                        }
                        Part::Uncut | Part::Nothing => return Ok(stream::empty().boxed()),
                        Part::Cut(cut) => {
                            let raw = raw(&store, &location, cut.start).await?;
                            (raw.chunks, Some(*cut))
                        }
                    }
                }
            };
            let mut rows = Rows {
                decoder,
                chunks,
                file: location.as_ref().into(),
                returned,
                counters,
                counted: 0,
                is_finished: false,
                offset: 0,
                end: None,
                row_tag: None,
            };
            if let Some(Cut { start, head, end }) = cut {
                if let Some(head) = head {
                    rows.row_tag = row_tag;
                    rows.decoder = Decoder::piece(schema, options, &head, start..u64::MAX)
                        .map_err(|error| failure(error.into(), &rows.file))?;
                    rows.counters.cuts.add(1);
                }
                if let Some(limit) = end.limit() {
                    rows.decoder.read_to(limit);
                }
                rows.offset = start;
                rows.end = Some(end);
            }
            Ok(rows.batches())
        }))
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
    /// The name of the row with which the part has to begin, until its first bytes are read.
    row_tag: Option<Box<str>>,
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
            if self.has_reached_end()? {
                return Ok(None);
            }
            match self.chunks.next().await {
                Some(chunk) => {
                    let chunk = chunk?;
                    self.check_start(&chunk)?;
                    self.feed(chunk);
                }
                None => {
                    self.is_finished = true;
                    self.decoder.finish();
                }
            }
        }
    }

    /// Returns an error if the part does not begin with the start tag of a row, because the index is of another document.
    fn check_start(&mut self, chunk: &[u8]) -> Result<()> {
        let Some(row_tag) = self.row_tag.take() else {
            return Ok(());
        };
        let mut expected = [b"<", row_tag.as_bytes()].concat();
        expected.truncate(chunk.len());
        match chunk.starts_with(&expected) {
            true => Ok(()),
            false => exec_err!(
                "{}: no row `{row_tag}` begins at offset {}, at which the document was cut",
                self.file,
                self.offset
            ),
        }
    }

    fn feed(&mut self, chunk: Bytes) {
        // The end of the part must be known before a row that may be after it is read.
        if let Some(end) = &mut self.end
            && end.limit().is_none()
        {
            end.read(self.offset, &chunk);
            if let Some(limit) = end.limit() {
                self.decoder.read_to(limit);
            }
        }
        self.offset += chunk.len() as u64;
        self.counters.bytes_decoded.add(chunk.len());
        self.decoder.feed(chunk);
    }

    /// Returns whether the decoder has read all rows of the part.
    fn has_reached_end(&self) -> Result<bool> {
        let limit = self.end.as_ref().and_then(End::limit);
        let next = self.decoder.next_row().map(|next| next.offset);
        match next {
            None if !self.is_finished => Ok(false),
            next if next == limit => Ok(true),
            next => exec_err!(
                "{}: the document was cut at {limit:?}, but the next row is at {next:?}",
                self.file
            ),
        }
    }
}
