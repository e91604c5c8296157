//! `Parser`: chunks in, events out.

use super::Made;
use crate::errors::exception;
use crate::settings::Settings;
use crate::source::Chunk;
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::PyDict;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tagstream::{AnyParser, TextPolicy};

/// A pull parser of html, xml, microxml, sky or leafxml: feed chunks of any size, and iterate over the events that are
/// ready. The input ends with close.
///
/// Events are those of the tree, so that each start tag has its end tag, unless balanced=False is given. Options: those of
/// parse_html and parse_xml, for the dialect; text_pieces=True returns text as it arrives; errors=True returns parse
/// errors as events; positions=True computes lines and columns.
///
/// HTML waits for its encoding: without encoding=, no event comes before 1,024 bytes or the end of the input, because a
/// meta element may name the encoding.
///
/// Iteration raises ParseError and LimitError, after all events before the error, and ValueError if a chunk was fed after
/// close.
///
/// >>> import tagstream
/// >>> from tagstream import StartTag, Text
/// >>> parser = tagstream.Parser("xml")
/// >>> for chunk in [b"<log><entry id='1'>Tom &am", b"p; Jerry</entry>"]:
/// ...     for event in parser.feed(chunk):
/// ...         match event:
/// ...             case StartTag("entry", attributes):
/// ...                 print(attributes)
/// ...             case Text(text):
/// ...                 print(text)
/// {'id': '1'}
/// Tom & Jerry
//
// The lock is held only while Rust reads events. Python's objects that the garbage collector tracks are created after it
// was given back, because a finalizer may use the parser.
#[pyclass(frozen, module = "tagstream")]
pub(crate) struct Parser {
    state: Mutex<AnyParser>,
    positions: bool,
}

impl Parser {
    /// Detaches from the interpreter before it waits for the lock, because the thread that has the lock creates strings
    /// of Python.
    fn lock(&self, py: Python<'_>) -> MutexGuard<'_, AnyParser> {
        self.state
            .lock_py_attached(py)
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn next(&self, py: Python<'_>) -> PyResult<Option<Made>> {
        let mut parser = self.lock(py);
        loop {
            let error = match parser.next_event() {
                Ok(None) => return Ok(None),
                Ok(Some(event)) => match Made::of(py, event, self.positions) {
                    None => continue,
                    made => return Ok(made),
                },
                Err(error) => error,
            };
            drop(parser);
            return Err(exception(py, &error));
        }
    }
}

#[pymethods]
impl Parser {
    #[new]
    #[pyo3(signature = (dialect, *, balanced=true, text_pieces=false, errors=false, positions=false, **options))]
    fn new(
        dialect: &str,
        balanced: bool,
        text_pieces: bool,
        errors: bool,
        positions: bool,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Parser> {
        let Settings { dialect, limits } = Settings::new(dialect, options)?;
        let policy = match text_pieces {
            true => TextPolicy::Pieces,
            false => TextPolicy::Whole,
        };
        let parser = match balanced {
            true => dialect.balanced_parser(),
            false => dialect.parser(),
        };
        let parser = parser.limits(limits).text(policy).report_errors(errors);
        Ok(Parser {
            state: Mutex::new(parser),
            positions,
        })
    }

    /// Takes a chunk, which is bytes, str or another buffer, and returns the parser, which is an iterator over the events
    /// that are ready. bytes and str are shared, not copied.
    fn feed<'py>(slf: Bound<'py, Self>, chunk: &Bound<'py, PyAny>) -> PyResult<Bound<'py, Self>> {
        let chunk = Chunk::of(chunk)?;
        {
            let mut parser = slf.get().lock(slf.py());
            match chunk {
                Chunk::Bytes(bytes) => parser.feed(bytes),
                Chunk::Text(text) => parser.feed(text),
            }
        }
        Ok(slf)
    }

    /// Ends the input and returns the parser, which is an iterator over the rest of the events.
    fn close(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf.get().lock(slf.py()).finish();
        slf
    }

    /// Discards the document and begins another one with the same options.
    fn reset(&self, py: Python<'_>) {
        self.lock(py).reset();
    }

    /// The name of the encoding, or None while it is not known.
    #[getter]
    fn encoding(&self, py: Python<'_>) -> Option<&'static str> {
        self.lock(py).encoding().map(|encoding| encoding.name())
    }

    /// Returns the events that are ready as a list.
    fn read<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let mut events = Vec::new();
        while let Some(event) = self.next(py)? {
            events.push(event.into_object(py)?);
        }
        Ok(events)
    }

    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.next(py)?
            .map(|event| event.into_object(py))
            .transpose()
    }
}
