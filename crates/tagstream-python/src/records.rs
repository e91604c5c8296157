//! `records`: XML as a table of Arrow, through Arrow's C stream interface, which shares the memory of the columns.

use crate::errors::ParseError;
use crate::settings::text_of;
use crate::source::{CHUNK_BYTES, Source, SourceReader, open, path_of};
use arrow_array::RecordBatchReader;
use arrow_array::ffi::FFI_ArrowSchema;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_schema::{Schema, SchemaRef};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyString};
use std::ffi::CStr;
use std::fs::File;
use std::io::Read;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use tagstream_arrow::{Inferred, Inferrer, Note, Options, ParallelReader, XmlReader, decompress};

const STREAM: &CStr = c"arrow_array_stream";
const SCHEMA: &CStr = c"arrow_schema";

type Reader = Box<dyn RecordBatchReader + Send>;

/// A stream of record batches, which records returns. pyarrow, polars, duckdb, pandas and other libraries read it by the
/// method __arrow_c_stream__, once.
#[pyclass(frozen, module = "tagstream")]
pub(crate) struct Records {
    reader: Mutex<Option<Reader>>,
    schema: SchemaRef,
    notes: Vec<String>,
}

#[pymethods]
impl Records {
    /// The protocol by which libraries for Arrow exchange streams. A second call raises ValueError.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        let reader = self
            .reader
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        let reader =
            reader.ok_or_else(|| PyValueError::new_err("the records have been read already"))?;
        PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(reader), STREAM)
    }

    /// The protocol by which libraries for Arrow exchange schemas.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let exported = FFI_ArrowSchema::try_from(&*self.schema).map_err(value_error)?;
        PyCapsule::new_with_value(py, exported, SCHEMA)
    }

    /// Returns a pyarrow.RecordBatchReader.
    fn to_pyarrow<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let pyarrow = slf.py().import("pyarrow")?;
        pyarrow
            .getattr("RecordBatchReader")?
            .call_method1("from_stream", (slf,))
    }

    /// The names of the columns.
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.schema
            .fields()
            .iter()
            .map(|field| field.name().clone())
            .collect()
    }

    /// The columns whose types inference had to widen, with the reasons.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }
}

fn value_error(error: impl ToString) -> PyErr {
    PyValueError::new_err(error.to_string())
}

fn parse_error(error: impl ToString) -> PyErr {
    ParseError::new_err(error.to_string())
}

/// Returns a remark of inference as text.
fn note(note: &Note) -> String {
    format!(
        "{}:{}: {}: {}",
        note.line, note.character, note.column, note.reason
    )
}

/// Reads the elements with the name row as a table of Arrow. Children and attributes are columns.
///
/// The source is a path (str or pathlib.Path), bytes or another buffer, an object with the method read, or an iterable of
/// chunks; gzip, zstd, bzip2 and xz are decompressed. schema is an object with __arrow_c_schema__, such as a
/// pyarrow.Schema; without it, the schema is inferred from the first infer_bytes bytes (64 MiB by default; None reads
/// everything). A path can be read by several threads. The other options are those of Spark's XML source, in snake case or
/// in camel case.
///
/// Raises ValueError for an option or a schema that cannot be used, and ParseError for the document; the libraries that
/// read the records raise exceptions of their own for what follows.
///
/// >>> import tagstream
/// >>> xml = b"<r><e id='1'><name>a</name></e><e id='2'><name>b</name></e></r>"
/// >>> tagstream.records(xml, "e").columns
/// ['_id', 'name']
#[pyfunction]
#[pyo3(signature = (source, row, *, schema=None, threads=1, infer_bytes=Some(64 << 20), **options),
    text_signature = "(source, row, *, schema=None, threads=1, infer_bytes=67108864, **options)")]
pub(crate) fn records(
    source: &Bound<'_, PyAny>,
    row: &str,
    schema: Option<&Bound<'_, PyAny>>,
    threads: usize,
    infer_bytes: Option<u64>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Records> {
    let py = source.py();
    let mut chosen = Options::new(row);
    for (name, value) in options.into_iter().flatten() {
        let name = name.cast::<PyString>()?.to_str()?.to_owned();
        chosen
            .set(&name, &text_of(&name, &value)?)
            .map_err(value_error)?;
    }
    let schema = schema.map(schema_of).transpose()?;
    let limit = infer_bytes.unwrap_or(u64::MAX);
    let is_reader = source.hasattr("read")?;
    match path_of(source).filter(|_| !is_reader) {
        Some(path) => {
            // Opened here for the exception of a path that cannot be opened.
            let file = open(source, path.clone())?;
            let of = OfPath {
                path,
                file,
                schema,
                options: chosen,
                limit,
                threads,
            };
            py.detach(|| of.open())
        }
        None => {
            let source = Source::of(source)?;
            py.detach(|| of_source(source, schema, chosen, limit))
        }
    }
}

/// A path whose records are read.
struct OfPath {
    path: PathBuf,
    file: File,
    schema: Option<SchemaRef>,
    options: Options,
    limit: u64,
    threads: usize,
}

impl OfPath {
    /// Infers the schema, and opens the file again for the records.
    fn open(self) -> PyResult<Records> {
        let mut notes = Vec::new();
        let schema = match self.schema {
            Some(schema) => schema,
            None => {
                let inferred = inferred(decompress(self.file)?, &self.options, self.limit)?;
                notes.extend(inferred.notes.iter().map(note));
                inferred.schema
            }
        };
        let read = decompress(File::open(&self.path)?)?;
        let reader: Reader = match self.threads {
            0 | 1 => Box::new(XmlReader::new(read, schema, self.options).map_err(value_error)?),
            threads => Box::new(
                ParallelReader::new(read, schema, self.options, threads).map_err(value_error)?,
            ),
        };
        Ok(Records {
            schema: reader.schema(),
            reader: Mutex::new(Some(reader)),
            notes,
        })
    }
}

/// Reads the records of a source that can be read once.
fn of_source(
    source: Source,
    schema: Option<SchemaRef>,
    options: Options,
    limit: u64,
) -> PyResult<Records> {
    let source = SourceReader::new(source);
    let failed = Arc::clone(&source.failed);
    let opened = || -> PyResult<XmlReader<_>> {
        let read = decompress(source)?;
        match schema {
            Some(schema) => XmlReader::new(read, schema, options).map_err(value_error),
            None => XmlReader::infer_from(read, options, limit).map_err(parse_error),
        }
    };
    // The exception of the source itself, if there is one.
    let reader = opened().map_err(|error| {
        let failed = failed.lock().unwrap_or_else(PoisonError::into_inner).take();
        failed.unwrap_or(error)
    })?;
    let inferred = reader
        .inferred()
        .into_iter()
        .flat_map(|inferred| &inferred.notes);
    let notes = inferred.map(note).collect();
    let reader: Reader = Box::new(reader);
    Ok(Records {
        schema: reader.schema(),
        reader: Mutex::new(Some(reader)),
        notes,
    })
}

/// Infers a schema from at most `limit` bytes. A row that the limit cuts off is left out.
fn inferred(mut read: impl Read, options: &Options, limit: u64) -> PyResult<Inferred> {
    let mut inferrer = Inferrer::new(options.clone()).map_err(value_error)?;
    let mut rest = limit;
    while rest > 0 {
        let mut chunk = vec![0; CHUNK_BYTES];
        let length = read.read(&mut chunk)?;
        if length == 0 {
            return inferrer.finish().map_err(parse_error);
        }
        chunk.truncate(length);
        rest = rest.saturating_sub(length as u64);
        inferrer.feed(chunk.into()).map_err(parse_error)?;
    }
    inferrer.finish_early().map_err(parse_error)
}

/// Takes the schema of an object that has the protocol, such as `pyarrow.Schema`.
fn schema_of(object: &Bound<'_, PyAny>) -> PyResult<SchemaRef> {
    let capsule = object.call_method0("__arrow_c_schema__")?;
    let capsule = capsule.cast::<PyCapsule>()?;
    let pointer = capsule
        .pointer_checked(Some(SCHEMA))?
        .cast::<FFI_ArrowSchema>();
    // SAFETY: by the protocol, a capsule with this name has a pointer to an `ArrowSchema`, which lives as long as the
    // capsule.
    let schema = unsafe { pointer.as_ref() };
    Ok(Arc::new(Schema::try_from(schema).map_err(value_error)?))
}
