//! Python objects as input: bytes and strings without a copy, other buffers, paths, objects with `read`, and iterables of
//! chunks.

use crate::errors::os_error;
use pyo3::buffer::PyBuffer;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};
use pyo3::types::{PyBytes, PyIterator, PyString};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use tagstream::{Buildable, Bytes, SharedText, TreeBuilder, TreeSink};

/// Number of bytes that are requested from a file at once.
pub(crate) const CHUNK_BYTES: usize = 256 * 1024;

/// A chunk of input. It shares the memory of a Python object that cannot change: `bytes` or `str`.
pub(crate) enum Chunk {
    Bytes(Bytes),
    Text(SharedText),
}

/// The owner of a string that a parser shares. Its last reference may be dropped by a thread without the GIL: PyO3 then
/// releases the object when a thread attaches to the interpreter.
struct TextOwner(PyBackedStr);

impl AsRef<[u8]> for TextOwner {
    fn as_ref(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

struct BytesOwner(PyBackedBytes);

impl AsRef<[u8]> for BytesOwner {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl Chunk {
    /// Returns `bytes` or a `str` as a chunk. The contents of other buffers (`bytearray`, `memoryview`, `mmap`) are
    /// copied, because their owner may change them while they are parsed.
    pub(crate) fn of(object: &Bound<'_, PyAny>) -> PyResult<Chunk> {
        if let Ok(bytes) = object.cast::<PyBytes>() {
            let owner = BytesOwner(bytes.clone().into());
            return Ok(Chunk::Bytes(Bytes::from_owner(owner)));
        }
        if let Ok(text) = object.cast::<PyString>() {
            let owner = TextOwner(PyBackedStr::try_from(text.clone())?);
            let text = SharedText::try_from(Bytes::from_owner(owner));
            return text
                .map(Chunk::Text)
                .map_err(|error| PyValueError::new_err(error.to_string()));
        }
        match PyBuffer::<u8>::get(object) {
            Ok(buffer) => Ok(Chunk::Bytes(buffer.to_vec(object.py())?.into())),
            Err(_) => {
                let name = object.get_type().name()?;
                Err(PyTypeError::new_err(format!(
                    "expected bytes, str or a buffer of bytes, not {name}"
                )))
            }
        }
    }

    /// Returns the bytes, which are UTF-8 if the chunk is a string.
    pub(crate) fn into_bytes(self) -> Bytes {
        match self {
            Chunk::Bytes(bytes) => bytes,
            Chunk::Text(text) => text.into(),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        match self {
            Chunk::Bytes(bytes) => bytes.is_empty(),
            Chunk::Text(text) => text.is_empty(),
        }
    }

    /// Divides the chunk after at most `length` bytes. A string stays whole.
    pub(crate) fn split(self, length: usize) -> (Chunk, Option<Chunk>) {
        match self {
            Chunk::Bytes(mut bytes) if bytes.len() > length => {
                let first = bytes.split_to(length);
                (Chunk::Bytes(first), Some(Chunk::Bytes(bytes)))
            }
            chunk => (chunk, None),
        }
    }

    /// Supplies the chunk to a tree builder.
    pub(crate) fn supply<D: Buildable, S: TreeSink>(self, builder: &mut TreeBuilder<D, S>) {
        match self {
            Chunk::Bytes(bytes) => builder.supply(bytes),
            Chunk::Text(text) => builder.supply(text),
        }
    }
}

/// A document that is read in pieces.
pub(crate) enum Source {
    /// A chunk, or `None` after it was read.
    Memory(Option<Chunk>),
    File(File),
    /// An object with the method `read`.
    Reader(Py<PyAny>),
    /// An iterator over chunks.
    Chunks(Py<PyIterator>),
}

impl Source {
    /// Returns the source for a document that is given as markup: a `str` is the document itself.
    pub(crate) fn of_markup(object: &Bound<'_, PyAny>) -> PyResult<Source> {
        match object.is_instance_of::<PyString>() {
            true => Ok(Source::Memory(Some(Chunk::of(object)?))),
            false => Source::of(object),
        }
    }

    /// Returns the source for a document that is given as a file: a `str` is a path, as in the standard library. Opens
    /// paths.
    pub(crate) fn of(object: &Bound<'_, PyAny>) -> PyResult<Source> {
        if object.is_instance_of::<PyBytes>() {
            return Ok(Source::Memory(Some(Chunk::of(object)?)));
        }
        if is_reader(object)? {
            return Ok(Source::Reader(object.clone().unbind()));
        }
        if let Some(path) = path_of(object)? {
            return Ok(Source::File(open(&path)?));
        }
        if PyBuffer::<u8>::get(object).is_ok() {
            return Ok(Source::Memory(Some(Chunk::of(object)?)));
        }
        match object.try_iter() {
            Ok(chunks) => Ok(Source::Chunks(chunks.unbind())),
            Err(_) => {
                let name = object.get_type().name()?;
                let expected =
                    "expected a path, bytes, an object with read, or an iterable of chunks";
                Err(PyTypeError::new_err(format!("{expected}, not {name}")))
            }
        }
    }

    /// Visits the object of Python that is read.
    pub(crate) fn traverse(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        match self {
            Source::Memory(_) | Source::File(_) => Ok(()),
            Source::Reader(reader) => visit.call(reader),
            Source::Chunks(chunks) => visit.call(chunks),
        }
    }

    /// Returns the next chunk, or `None` at the end. Attaches to the interpreter only to call a Python object.
    pub(crate) fn next(&mut self) -> PyResult<Option<Chunk>> {
        match self {
            Source::Memory(chunk) => Ok(chunk.take()),
            Source::File(file) => {
                let mut buffer = vec![0; CHUNK_BYTES];
                let read = file.read(&mut buffer);
                let length =
                    read.map_err(|error| Python::attach(|py| os_error(py, error, None)))?;
                buffer.truncate(length);
                Ok((length > 0).then(|| Chunk::Bytes(buffer.into())))
            }
            Source::Reader(reader) => Python::attach(|py| {
                let read = pyo3::intern!(py, "read");
                let chunk = Chunk::of(&reader.bind(py).call_method1(read, (CHUNK_BYTES,))?)?;
                Ok(Some(chunk).filter(|chunk| !chunk.is_empty()))
            }),
            Source::Chunks(chunks) => Python::attach(|py| {
                let next = chunks.bind(py).clone().next().transpose()?;
                next.map(|chunk| Chunk::of(&chunk)).transpose()
            }),
        }
    }
}

/// Returns true for an object with the method `read`. An `mmap` has this method and is a buffer.
fn is_reader(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(object.hasattr("read")? && !object.hasattr("__buffer__").unwrap_or(false))
}

/// Returns the path that an object is, or `None` if it is no path: `bytes` and objects with `read` are never a path here.
pub(crate) fn path_of(object: &Bound<'_, PyAny>) -> PyResult<Option<PathBuf>> {
    let is_path = object.is_instance_of::<PyString>() || object.hasattr("__fspath__")?;
    match is_path && !is_reader(object)? {
        true => object.extract().map(Some),
        false => Ok(None),
    }
}

/// Opens a file. The exceptions are those of `open` in Python, also for a directory, which Rust opens on some systems.
pub(crate) fn open(path: &Path) -> PyResult<File> {
    let opened = File::open(path).and_then(|mut file| match file.metadata()?.is_dir() {
        true => file.read(&mut [0]).map(|_| file),
        false => Ok(file),
    });
    opened.map_err(|error| Python::attach(|py| os_error(py, error, Some(path))))
}

/// A source as a reader of bytes, for the readers of Arrow records.
pub(crate) struct SourceReader {
    source: Source,
    rest: Bytes,
    /// The exception of the source, which `std::io::Error` cannot carry unchanged through another library.
    pub(crate) failed: std::sync::Arc<std::sync::Mutex<Option<PyErr>>>,
}

impl SourceReader {
    pub(crate) fn new(source: Source) -> SourceReader {
        SourceReader {
            source,
            rest: Bytes::new(),
            failed: std::sync::Arc::default(),
        }
    }
}

impl Read for SourceReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if let Source::File(file) = &mut self.source {
            return file.read(buffer);
        }
        while self.rest.is_empty() {
            match self.source.next() {
                Ok(Some(chunk)) => self.rest = chunk.into_bytes(),
                Ok(None) => return Ok(0),
                Err(error) => {
                    let message = error.to_string();
                    if let Ok(mut failed) = self.failed.lock() {
                        *failed = Some(error);
                    }
                    return Err(io::Error::other(message));
                }
            }
        }
        let length = self.rest.len().min(buffer.len());
        buffer[..length].copy_from_slice(&self.rest.split_to(length));
        Ok(length)
    }
}
