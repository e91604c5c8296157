//! `iterparse` and `Subtrees`: the elements that a selector matches, one by one, each as a tree of its own.

use crate::dictionary;
use crate::document::{Document, Stop};
use crate::errors::selector_error;
use crate::node::Handle;
use crate::query::Query;
use crate::settings::Settings;
use crate::source::{CHUNK_BYTES, Chunk, Source};
use crate::untracked::untracked;
use pyo3::exceptions::PyValueError;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::collections::VecDeque;
use std::mem::replace;
use std::sync::{Mutex, PoisonError};
use tagstream::select::EventMatcher;
use tagstream::{
    Balance, Buildable, DialectVisitor, Error, Limits, Nested, Parser, SelectorError, Subtree,
};

/// The trees that are complete.
type Ready = VecDeque<tagstream::Document>;

/// The parser, the matcher, and the tree of the element that is open.
struct Records<D: Balance> {
    parser: Parser<D, Nested>,
    matcher: EventMatcher<D>,
    open: Option<Subtree>,
}

/// The methods of `Records` of any dialect.
trait Read: Send {
    /// Reads a chunk, or the end of the input, and adds each tree that is complete.
    fn read(&mut self, chunk: Option<Chunk>, ready: &mut Ready) -> Result<(), Error>;
}

impl<D: Balance> Read for Records<D> {
    fn read(&mut self, chunk: Option<Chunk>, ready: &mut Ready) -> Result<(), Error> {
        match chunk {
            Some(Chunk::Bytes(bytes)) => self.parser.feed(bytes),
            Some(Chunk::Text(text)) => self.parser.feed(text),
            None => self.parser.finish(),
        }
        while let Some(event) = self.parser.next_event()? {
            let matches = self.matcher.matches(&event);
            let is_whole = match &mut self.open {
                Some(subtree) => subtree.take(&event),
                None if matches => {
                    self.open = self.parser.subtree();
                    self.open.as_ref().is_some_and(Subtree::is_whole)
                }
                None => false,
            };
            if is_whole {
                ready.extend(self.open.take().map(Subtree::into_sink));
            }
        }
        Ok(())
    }
}

/// Creates the `Records` of a dialect.
struct New<'a> {
    selector: &'a tagstream::Selector,
    limits: Limits,
}

impl DialectVisitor for New<'_> {
    type Output = Result<Box<dyn Read>, SelectorError>;

    fn visit<D: Balance + Buildable>(self, dialect: D) -> Self::Output {
        let matcher = EventMatcher::new(dialect.clone(), self.selector)?;
        let parser = Parser::new(dialect).balanced().limits(self.limits);
        Ok(Box::new(Records {
            parser,
            matcher,
            open: None,
        }))
    }
}

fn new(
    dialect: &str,
    selector: &Query,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Box<dyn Read>> {
    let Settings { dialect, limits } = Settings::new(dialect, options)?;
    dialect
        .visit(New {
            selector: selector.as_ref(),
            limits,
        })
        .map_err(selector_error)
}

/// Returns the root element of a tree as a node.
fn node_of(py: Python<'_>, tree: tagstream::Document) -> PyResult<Handle> {
    let id = tree
        .root_element()
        .map_or(tree.root().id(), |node| node.id());
    let document = untracked(Bound::new(py, Document::new(tree))?);
    Ok(Handle::new(&document, id))
}

struct State {
    records: Box<dyn Read>,
    source: Source,
    /// The part of a chunk in memory that was not read yet. A chunk is read in pieces, so that few trees are ready at
    /// once.
    rest: Option<Chunk>,
    ready: Ready,
    /// The exception that is raised after the trees before it.
    error: Option<PyErr>,
    is_finished: bool,
}

impl State {
    /// Reads chunks, without the GIL, until there is a tree or the input ends.
    fn fill(&mut self) -> Result<(), Stop> {
        while self.ready.is_empty() && !self.is_finished {
            if self.rest.is_none() {
                self.rest = self.source.next().map_err(Stop::Source)?;
            }
            let chunk = self.rest.take().map(|chunk| {
                let (first, rest) = chunk.split(CHUNK_BYTES);
                self.rest = rest;
                first
            });
            self.is_finished = chunk.is_none();
            self.records
                .read(chunk, &mut self.ready)
                .map_err(Stop::Parser)?;
        }
        Ok(())
    }

    /// Returns the next tree.
    fn next(&mut self, py: Python<'_>) -> PyResult<Option<tagstream::Document>> {
        if self.ready.is_empty() {
            if let Some(error) = self.error.take() {
                return Err(error);
            }
            if let Err(stop) = py.detach(|| self.fill()) {
                self.is_finished = true;
                self.error = Some(stop.exception(py));
                if self.ready.is_empty() {
                    return self.next(py);
                }
            }
        }
        Ok(self.ready.pop_front())
    }
}

/// An iterator over elements, which iterparse returns. The memory is bounded by one chunk and the trees in it.
#[pyclass(frozen, module = "tagstream")]
pub(crate) struct Iterparse {
    state: Mutex<State>,
    as_dict: bool,
}

#[pymethods]
impl Iterparse {
    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        // The source may be a Python object that calls this method again: the lock is then taken already.
        let Ok(mut state) = self.state.try_lock() else {
            return Err(PyValueError::new_err(
                "the iterator is in use, by another thread or by its own source",
            ));
        };
        let tree = state.next(py)?;
        drop(state);
        let Some(tree) = tree else { return Ok(None) };
        if self.as_dict {
            return match tree.root_element() {
                Some(element) => dictionary::of(py, element).map(Some),
                None => Ok(Some(py.None())),
            };
        }
        Ok(Some(
            node_of(py, tree)?.into_pyobject(py)?.into_any().unbind(),
        ))
    }

    /// Visits the source, which may refer to the iterator. If another thread uses the iterator, it is not garbage.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        match self.state.try_lock() {
            Ok(state) => state.source.traverse(visit),
            Err(_) => Ok(()),
        }
    }

    fn __clear__(&self) {
        let source = match self.state.try_lock() {
            Ok(mut state) => replace(&mut state.source, Source::Memory(None)),
            Err(_) => return,
        };
        // Dropped after the lock is given back, because that may call a finalizer.
        drop(source);
    }
}

/// Yields the elements that match a selector, each as a tree of its own, while the document is read. The memory is
/// bounded, whatever the size of the document, and there is nothing to clear.
///
/// The source is a path (str or pathlib.Path), bytes or another buffer, an object with the method read, or an iterable of
/// chunks. Only selectors that start tags decide can be used: "feed > entry" and not "entry:last-child". Elements in a
/// matching element are part of its tree. With as_dict=True, elements are nested dictionaries: see Node.to_dict. Options:
/// dialect (xml is the default), and those of parse_xml and parse_html.
///
/// Raises SelectorError, and, after all elements before the error, ParseError, LimitError and the exceptions of the
/// source.
///
/// >>> import tagstream
/// >>> dump = b"<dump><page id='1'><title>One</title></page><page id='2'><title>Two</title></page></dump>"
/// >>> [page.select_one("title").text for page in tagstream.iterparse(dump, "dump > page")]
/// ['One', 'Two']
/// >>> next(tagstream.iterparse(dump, "page", as_dict=True))
/// {'@id': '1', 'title': 'One'}
#[pyfunction]
#[pyo3(signature = (source, selector, *, dialect="xml", as_dict=false, **options))]
pub(crate) fn iterparse(
    source: &Bound<'_, PyAny>,
    selector: Query,
    dialect: &str,
    as_dict: bool,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Iterparse> {
    let state = State {
        records: new(dialect, &selector, options)?,
        source: Source::of(source)?,
        rest: None,
        ready: VecDeque::new(),
        error: None,
        is_finished: false,
    };
    Ok(Iterparse {
        state: Mutex::new(state),
        as_dict,
    })
}

/// The same as iterparse for chunks that the program feeds, for example from a connection: feed and close return the
/// elements that are complete.
///
/// Raises ParseError and LimitError, and ValueError for feed after close. If elements are complete before an error, they are returned, and the next call
/// raises the error.
///
/// >>> import tagstream
/// >>> messages = tagstream.Subtrees("stream > message")
/// >>> messages.feed(b"<stream><message to='a'>Hel")
/// []
/// >>> messages.feed(b"lo</message><mess")
/// [<Node message>]
#[pyclass(frozen, module = "tagstream")]
pub(crate) struct Subtrees {
    records: Mutex<(Box<dyn Read>, Option<Error>)>,
}

#[pymethods]
impl Subtrees {
    #[new]
    #[pyo3(signature = (selector, *, dialect="xml", **options))]
    fn new(
        selector: Query,
        dialect: &str,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Subtrees> {
        Ok(Subtrees {
            records: Mutex::new((new(dialect, &selector, options)?, None)),
        })
    }

    /// Reads a chunk and returns the elements that are complete.
    fn feed(&self, py: Python<'_>, chunk: &Bound<'_, PyAny>) -> PyResult<Vec<Handle>> {
        let chunk = Chunk::of(chunk)?;
        self.read(py, Some(chunk))
    }

    /// Ends the input and returns the elements that are complete.
    fn close(&self, py: Python<'_>) -> PyResult<Vec<Handle>> {
        self.read(py, None)
    }
}

impl Subtrees {
    fn read(&self, py: Python<'_>, chunk: Option<Chunk>) -> PyResult<Vec<Handle>> {
        let read = py.detach(|| {
            let mut records = self.records.lock().unwrap_or_else(PoisonError::into_inner);
            let (records, failed) = &mut *records;
            if let Some(error) = failed.take() {
                return Err(error);
            }
            let mut ready = Ready::new();
            match records.read(chunk, &mut ready) {
                Err(error) if ready.is_empty() => return Err(error),
                Err(error) => *failed = Some(error),
                Ok(()) => {}
            }
            Ok(ready)
        });
        let trees = read.map_err(|error| Stop::Parser(error).exception(py))?;
        trees.into_iter().map(|tree| node_of(py, tree)).collect()
    }
}
