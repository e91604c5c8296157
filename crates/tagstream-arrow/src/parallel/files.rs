//! Several files on several threads.

use crate::decoder::Decoder;
use crate::error::Error;
use crate::options::Options;
use crate::reader::XmlReader;
use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use std::fs::File;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;

/// Batches of one file, in their order.
type FileBatches = Receiver<Result<RecordBatch, ArrowError>>;

/// Reads several files on several threads. See [`read_files`].
#[derive(Debug)]
pub struct FilesReader {
    schema: SchemaRef,
    files: Receiver<FileBatches>,
    current: Option<FileBatches>,
    has_failed: bool,
}

/// Reads several files with the same schema, each on one of several threads. The rows are in the order of the files.
///
/// # Errors
///
/// Returns an error if the schema cannot be read into.
pub fn read_files(
    paths: Vec<PathBuf>,
    schema: SchemaRef,
    options: Options,
    threads: usize,
) -> Result<FilesReader, Error> {
    Decoder::new(Arc::clone(&schema), options.clone())?;
    // A thread announces its file while it holds the lock, so that the files are in order.
    let (announce, files) = std::sync::mpsc::channel::<FileBatches>();
    let paths = Arc::new(Mutex::new((paths.into_iter(), announce)));
    for _ in 0..threads.max(1) {
        let (paths, schema, options) = (Arc::clone(&paths), Arc::clone(&schema), options.clone());
        thread::spawn(move || {
            loop {
                let (path, batches) = {
                    let Ok(mut paths) = paths.lock() else {
                        return;
                    };
                    let Some(path) = paths.0.next() else {
                        return;
                    };
                    let (batches, receiver) = sync_channel(2);
                    if paths.1.send(receiver).is_err() {
                        return;
                    }
                    (path, batches)
                };
                let options = options.clone().file(Some(&path.to_string_lossy()));
                let opened = File::open(&path).map_err(Error::from);
                match opened.and_then(|file| XmlReader::new(file, Arc::clone(&schema), options)) {
                    Ok(reader) => {
                        for batch in reader {
                            if batches.send(batch).is_err() {
                                return;
                            }
                        }
                    }
                    Err(error) => _ = batches.send(Err(error.into())),
                }
            }
        });
    }
    Ok(FilesReader {
        schema,
        files,
        current: None,
        has_failed: false,
    })
}

impl Iterator for FilesReader {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.has_failed {
            if let Some(batches) = &self.current
                && let Ok(batch) = batches.recv()
            {
                self.has_failed = batch.is_err();
                return Some(batch);
            }
            self.current = Some(self.files.recv().ok()?);
        }
        None
    }
}

impl RecordBatchReader for FilesReader {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }
}
