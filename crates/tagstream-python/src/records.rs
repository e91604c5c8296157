//! `records`: XML as a table of Arrow, through Arrow's C stream interface, which shares the memory of the columns.

use crate::errors::records_error;
use crate::settings::{Kind, text_of};
use crate::source::{CHUNK_BYTES, Source, SourceReader, open, path_of};
use arrow_array::RecordBatchReader;
use arrow_array::ffi::FFI_ArrowSchema;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_schema::{Schema, SchemaRef};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyString};
use std::ffi::CStr;
use std::io::Read;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use tagstream_arrow::{
    Error, Inferred, Inferrer, Note, OptionError, Options, ParallelReader, XmlReader, decompress,
};

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

/// Turns an error of a thread that is detached from the interpreter into an exception.
fn exception_of(error: impl Into<Error>) -> PyErr {
    let error = error.into();
    Python::attach(|py| records_error(py, error))
}

/// Options that are True or False, in small letters and without underscores.
const FLAGS: &[&str] = &[
    "ignoresurroundingspaces",
    "excludeattribute",
    "ignorenamespace",
    "inferschema",
    "preferdate",
    "prefersdecimal",
];

/// Options that are whole numbers.
const NUMBERS: &[&str] = &[
    "batchsize",
    "maxbatchbytes",
    "maxrowbytes",
    "maxcolumns",
    "maxdepth",
];

/// Returns the value of an option as text. As in Spark, a str can be the value of every option.
fn value_of(name: &str, value: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Err(OptionError::Unknown { .. }) = Options::default().set(name, "") {
        let message = format!("records has no option '{name}'");
        return Err(PyTypeError::new_err(message));
    }
    let plain = name.replace('_', "").to_ascii_lowercase();
    let kind = match plain.as_str() {
        _ if value.is_instance_of::<PyString>() => Kind::Text,
        plain if FLAGS.contains(&plain) => Kind::Flag,
        plain if NUMBERS.contains(&plain) => Kind::Number,
        "samplingratio" => Kind::Fraction,
        _ => Kind::Text,
    };
    text_of(name, value, kind)
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
/// Raises TypeError or ValueError for an option or a schema that cannot be used, OSError for a file that cannot be read, and
/// ParseError or LimitError for the document. The libraries that read the records raise exceptions of their own for errors
/// after the part that was read for the schema.
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
            .set(&name, &value_of(&name, &value)?)
            .map_err(value_error)?;
    }
    let schema = schema.map(schema_of).transpose()?;
    let limit = infer_bytes.unwrap_or(u64::MAX);
    match path_of(source)? {
        Some(path) => {
            let of = OfPath {
                path,
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
    schema: Option<SchemaRef>,
    options: Options,
    limit: u64,
    threads: usize,
}

impl OfPath {
    /// Infers the schema, and opens the file again for the records.
    fn open(self) -> PyResult<Records> {
        let mut notes = Vec::new();
        let read = || decompress(open(&self.path)?).map_err(exception_of);
        let schema = match &self.schema {
            Some(schema) => Arc::clone(schema),
            None => {
                let inferred = inferred(read()?, &self.options, self.limit)?;
                notes.extend(inferred.notes.iter().map(note));
                inferred.schema
            }
        };
        let (read, options) = (read()?, self.options.clone());
        let reader: Reader = match self.threads {
            0 | 1 => Box::new(XmlReader::new(read, schema, options).map_err(exception_of)?),
            threads => {
                Box::new(ParallelReader::new(read, schema, options, threads).map_err(exception_of)?)
            }
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
    let raised = Arc::clone(&source.failed);
    let opened = || -> Result<XmlReader<_>, Error> {
        let read = decompress(source)?;
        match schema {
            Some(schema) => XmlReader::new(read, schema, options),
            None => XmlReader::infer_from(read, options, limit),
        }
    };
    // The exception of the source itself, if there is one.
    let reader = opened().map_err(|error| {
        let raised = raised.lock().unwrap_or_else(PoisonError::into_inner).take();
        raised.unwrap_or_else(|| exception_of(error))
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
    let mut inferrer = Inferrer::new(options.clone()).map_err(exception_of)?;
    let mut rest = limit;
    while rest > 0 {
        let mut chunk = vec![0; CHUNK_BYTES];
        let length = read.read(&mut chunk).map_err(exception_of)?;
        if length == 0 {
            return inferrer.finish().map_err(exception_of);
        }
        chunk.truncate(length);
        rest = rest.saturating_sub(length as u64);
        inferrer.feed(chunk.into()).map_err(exception_of)?;
    }
    inferrer.finish_early().map_err(exception_of)
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
