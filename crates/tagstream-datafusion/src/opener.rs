//! Opening of files: chunks of an object store to record batches.

use crate::input::{Chunks, Input};
use crate::options::XmlOptions;
use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::error::{DataFusionError, Result};
use datafusion::physical_plan::metrics::Count;
use datafusion_datasource::PartitionedFile;
use datafusion_datasource::file_stream::{FileOpenFuture, FileOpener};
use futures::{StreamExt, stream};
use object_store::ObjectStore;
use std::sync::Arc;
use tagstream_arrow::{Decoder, Error};

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
}

impl FileOpener for XmlOpener {
    fn open(&self, file: PartitionedFile) -> Result<FileOpenFuture> {
        let location = file.object_meta.location;
        let options = self
            .options
            .rows
            .clone()
            .batch_size(self.batch_size)
            .file(Some(location.as_ref()));
        let decoder = Decoder::new(Arc::clone(&self.schema), options)
            .map_err(|error| DataFusionError::External(Box::new(error)))?;
        let returned = self.returned.clone();
        let store = Arc::clone(&self.store);
        let counters = self.counters.clone();
        Ok(Box::pin(async move {
            let input = Input::open(&store, &location).await?;
            let rows = Rows {
                decoder,
                chunks: input.chunks,
                file: location.as_ref().into(),
                returned,
                counters,
                counted: 0,
                is_finished: false,
            };
            let batches = stream::try_unfold(rows, |mut rows| async move {
                Ok(rows.next_batch().await?.map(|batch| (batch, rows)))
            });
            Ok(batches.boxed())
        }))
    }
}

/// The rows of a file.
struct Rows {
    decoder: Decoder,
    chunks: Chunks,
    file: Arc<str>,
    returned: Option<Vec<usize>>,
    counters: Counters,
    /// Number of malformed rows that were added to the metric.
    counted: u64,
    is_finished: bool,
}

impl Rows {
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
            if self.is_finished {
                return Ok(None);
            }
            match self.chunks.next().await {
                Some(chunk) => {
                    let chunk = chunk?;
                    self.counters.bytes_decoded.add(chunk.len());
                    self.decoder.feed(chunk);
                }
                None => {
                    self.is_finished = true;
                    self.decoder.finish();
                }
            }
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
