//! Errors of the parser as errors of DataFusion.

use datafusion::error::DataFusionError;
use tagstream_arrow::Error;

/// Adds the file to an error that does not have it.
pub(crate) fn failure(error: Error, file: &str) -> DataFusionError {
    let has_file = matches!(error, Error::Row(_));
    let error = DataFusionError::External(Box::new(error));
    match has_file {
        true => error,
        false => error.context(format!("file {file}")),
    }
}
