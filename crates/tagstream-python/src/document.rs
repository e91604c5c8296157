//! `Document`: a tree. Nodes are handles into it (`node.rs`).

use crate::errors::{Found, exception, selector_error};
use crate::node::{Handle, Node};
use crate::query::{Expression, Query};
use crate::settings::Settings;
use crate::source::Source;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::RwLockExt;
use pyo3::types::{PyDict, PyList, PyString};
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use tagstream::tree::QuirksMode;
use tagstream::{
    AnyDialect, Balance, Buildable, DialectVisitor, Error, Event, Limits, NodeId, TreeBuilder,
};

/// A tree of nodes. It is freed when neither the document nor any of its nodes is referenced.
///
/// >>> import tagstream
/// >>> page = tagstream.parse_html("<title>News</title><p>See <a href=/a>this</a>")
/// >>> [link["href"] for link in page.select("a")]
/// ['/a']
///
/// Documents can be used by several threads.
//
// A lock protects the tree. Three rules exclude deadlocks. A thread that is attached to the interpreter detaches
// before it waits for the lock (`read`, `write`), because the thread that has the lock may wait for the interpreter: for
// the GIL, or for a garbage collection that stops all threads. A thread that is detached gives the lock back before it
// attaches again (`read_detached`). While a thread has the lock, it creates no object that the garbage collector tracks
// and calls no code of Python, because a finalizer may use the document.
#[pyclass(frozen, module = "tagstream", weakref)]
pub(crate) struct Document {
    tree: RwLock<tagstream::Document>,
    errors: Vec<Found>,
}

impl Document {
    pub(crate) fn new(tree: tagstream::Document) -> Document {
        Document {
            tree: RwLock::new(tree),
            errors: Vec::new(),
        }
    }

    #[inline]
    pub(crate) fn read(&self, py: Python<'_>) -> RwLockReadGuard<'_, tagstream::Document> {
        self.tree
            .read_py_attached(py)
            .unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn write(&self, py: Python<'_>) -> RwLockWriteGuard<'_, tagstream::Document> {
        self.tree
            .write_py_attached(py)
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls a function with the tree, detached from the interpreter.
    pub(crate) fn read_detached<T: Send>(
        &self,
        py: Python<'_>,
        read: impl FnOnce(&tagstream::Document) -> T + Send,
    ) -> T {
        py.detach(|| read(&self.tree.read().unwrap_or_else(PoisonError::into_inner)))
    }

    /// Returns the strings that a function collects from the elements that a selector matches.
    fn collect<'py>(
        slf: &Bound<'py, Self>,
        selector: &Query,
        value: impl Fn(tagstream::Node<'_>) -> Option<String> + Send,
    ) -> PyResult<Bound<'py, PyList>> {
        let py = slf.py();
        let values = slf.get().read_detached(py, |tree| {
            let found = tree.select(selector.as_ref())?;
            Ok(found.filter_map(value).collect::<Vec<_>>())
        });
        let values = values.map_err(selector_error)?;
        PyList::new(py, values.iter().map(|value| PyString::new(py, value)))
    }

    fn child_of_root(slf: &Bound<'_, Self>, name: &str) -> Option<Handle> {
        let id = {
            let tree = slf.get().read(slf.py());
            let mut children = tree.root_element()?.element_children();
            children
                .find(|node| node.has_name(name))
                .map(|node| node.id())
        };
        id.map(|id: NodeId| Handle::new(slf, id))
    }

    fn root_node(slf: &Bound<'_, Self>) -> Node {
        let id = slf.get().read(slf.py()).root().id();
        Node {
            document: slf.clone().unbind(),
            id,
        }
    }
}

#[pymethods]
impl Document {
    /// The document node.
    #[getter]
    fn root(slf: &Bound<'_, Self>) -> Handle {
        Handle::new(slf, slf.get().read(slf.py()).root().id())
    }

    /// The root element, or None.
    #[getter]
    fn root_element(slf: &Bound<'_, Self>) -> Option<Handle> {
        let id = slf
            .get()
            .read(slf.py())
            .root_element()
            .map(|node| node.id());
        id.map(|id| Handle::new(slf, id))
    }

    /// The element head of an HTML page, or None.
    #[getter]
    fn head(slf: &Bound<'_, Self>) -> Option<Handle> {
        Self::child_of_root(slf, "head")
    }

    /// The element body of an HTML page, or None.
    #[getter]
    fn body(slf: &Bound<'_, Self>) -> Option<Handle> {
        Self::child_of_root(slf, "body")
    }

    /// The parse errors that the parser recovered from, as instances of ParseError, if errors=True was given.
    #[getter]
    fn errors(&self, py: Python<'_>) -> Vec<Py<PyAny>> {
        let errors = self.errors.iter().map(|found| found.exception(py));
        errors
            .map(|error| error.into_value(py).into_any())
            .collect()
    }

    /// The text of the internal subset of the document type, if the document was parsed with internal_subset=True and has
    /// one; otherwise None.
    #[getter]
    fn internal_subset(&self, py: Python<'_>) -> Option<String> {
        self.read(py).internal_subset().map(str::to_owned)
    }

    /// no-quirks, limited-quirks or quirks.
    #[getter]
    fn quirks_mode(&self, py: Python<'_>) -> &'static str {
        match self.read(py).quirks_mode() {
            QuirksMode::Quirks => "quirks",
            QuirksMode::LimitedQuirks => "limited-quirks",
            _ => "no-quirks",
        }
    }

    /// Returns the elements that match a selector, in document order.
    ///
    /// Raises SelectorError.
    fn select(slf: &Bound<'_, Self>, selector: Query) -> PyResult<Vec<Handle>> {
        let ids = slf
            .get()
            .read_detached(slf.py(), |tree| tree.select_ids(selector.as_ref()));
        Ok(Handle::all(slf, ids.map_err(selector_error)?))
    }

    /// Returns the first element that matches a selector, or None.
    fn select_one(slf: &Bound<'_, Self>, selector: Query) -> PyResult<Option<Handle>> {
        let id = slf.get().read_detached(slf.py(), |tree| {
            tree.select(selector.as_ref())
                .map(|mut found| found.next().map(|node| node.id()))
        });
        Ok(id.map_err(selector_error)?.map(|id| Handle::new(slf, id)))
    }

    /// Returns the value of one attribute of each element that matches a selector, without an object for each element.
    /// Elements without the attribute are skipped.
    ///
    /// >>> import tagstream
    /// >>> tagstream.parse_html("<a href=/a>b</a><a name=c>").select_values("a", "href")
    /// ['/a']
    fn select_values<'py>(
        slf: &Bound<'py, Self>,
        selector: Query,
        attribute: &str,
    ) -> PyResult<Bound<'py, PyList>> {
        Document::collect(slf, &selector, |node| {
            node.attribute(attribute).map(str::to_owned)
        })
    }

    /// Returns the text of each element that matches a selector.
    fn select_texts<'py>(slf: &Bound<'py, Self>, selector: Query) -> PyResult<Bound<'py, PyList>> {
        Document::collect(slf, &selector, |node| Some(node.text_content()))
    }

    /// Evaluates an expression of XPath 1.0: see Node.xpath.
    fn xpath(slf: &Bound<'_, Self>, expression: Expression) -> PyResult<Py<PyAny>> {
        Document::root_node(slf).xpath(slf.py(), expression)
    }

    /// Writes the tree as HTML.
    fn to_html(&self, py: Python<'_>) -> String {
        self.read_detached(py, |tree| tree.to_html())
    }

    /// Writes the tree as XML. The result is parsed as the same tree; a tree for which this is impossible raises
    /// ValueError.
    fn to_xml(&self, py: Python<'_>) -> PyResult<String> {
        let written = self.read_detached(py, |tree| tree.to_xml());
        written.map_err(|error| PyValueError::new_err(error.to_string()))
    }

    /// Returns the root element as nested dictionaries: see Node.to_dict.
    fn to_dict(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let tree = self.read_detached(py, |tree| tree.clone());
        match tree.root_element() {
            Some(element) => crate::dictionary::of(py, element),
            None => Ok(py.None()),
        }
    }

    /// The number of bytes of the tree on the heap.
    fn __sizeof__(&self, py: Python<'_>) -> usize {
        self.read(py).heap_size() + size_of::<Self>()
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        format!("<Document of {} nodes>", self.read(py).node_count())
    }

    fn __copy__(&self, py: Python<'_>) -> Document {
        let tree = self.read_detached(py, |tree| tree.clone());
        Document {
            tree: RwLock::new(tree),
            errors: self.errors.clone(),
        }
    }

    fn __deepcopy__(&self, memo: &Bound<'_, PyAny>) -> Document {
        self.__copy__(memo.py())
    }
}

/// An error of the parser, or an exception of the object that is read.
pub(crate) enum Stop {
    Parser(Error),
    Source(PyErr),
}

impl Stop {
    pub(crate) fn exception(self, py: Python<'_>) -> PyErr {
        match self {
            Stop::Parser(error) => exception(py, &error),
            Stop::Source(error) => error,
        }
    }
}

/// Builds the tree of a document.
struct Build {
    source: Source,
    limits: Limits,
    errors: bool,
    positions: bool,
    cdata: bool,
}

impl DialectVisitor for Build {
    type Output = Result<Document, Stop>;

    fn visit<D: Balance + Buildable>(mut self, dialect: D) -> Result<Document, Stop> {
        let mut builder = TreeBuilder::new(dialect)
            .limits(self.limits)
            .report_errors(self.errors)
            .positions(self.positions)
            .keep_cdata(self.cdata);
        let mut errors = Vec::new();
        let mut is_finished = false;
        while !is_finished {
            match self.source.next().map_err(Stop::Source)? {
                Some(chunk) => chunk.supply(&mut builder),
                None => {
                    builder.supply_end();
                    is_finished = true;
                }
            }
            match self.errors {
                true => collect_errors(&mut builder, &mut errors),
                false => builder.build(),
            }
            .map_err(Stop::Parser)?;
        }
        let tree = builder.finish().map_err(Stop::Parser)?;
        Ok(Document {
            errors,
            ..Document::new(tree)
        })
    }
}

fn collect_errors<D: Buildable>(
    builder: &mut TreeBuilder<D>,
    errors: &mut Vec<Found>,
) -> Result<(), Error> {
    while let Some(event) = builder.next_event()? {
        if let Event::ParseError(error) = event {
            errors.push(Found {
                message: error.to_string(),
                code: error.code().as_str(),
                position: error.position(),
                offset: error.span().start,
            });
        }
    }
    Ok(())
}

/// Parses all of a document without the GIL.
fn parse(py: Python<'_>, dialect: AnyDialect, build: Build) -> PyResult<Document> {
    py.detach(|| dialect.visit(build))
        .map_err(|stop| stop.exception(py))
}

/// Parses a page of HTML as browsers do, and returns its tree.
///
/// The source is the markup as str, bytes or another buffer; or a pathlib.Path, an object with the method read, or an
/// iterable of chunks. Options: fragment (the name of the element whose contents the markup is), encoding, scripting,
/// shadow_roots, processing_instructions, and limits (a mapping of names to numbers). With errors=True, Document.errors
/// lists the parse errors; with positions=True, nodes have a line and a column.
///
/// Raises LimitError.
///
/// >>> import tagstream
/// >>> tagstream.parse_html("<p>one<p>two").body.inner_html
/// '<p>one</p><p>two</p>'
/// >>> tagstream.parse_html("<td>1<td>2", fragment="tr").to_html()
/// '<td>1</td><td>2</td>'
#[pyfunction]
#[pyo3(signature = (source, *, errors=false, positions=false, **options))]
pub(crate) fn parse_html(
    source: &Bound<'_, PyAny>,
    errors: bool,
    positions: bool,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Document> {
    let Settings { dialect, limits } = Settings::new("html", options)?;
    let build = Build {
        source: Source::of_markup(source)?,
        limits,
        errors,
        positions,
        cdata: false,
    };
    parse(source.py(), dialect, build)
}

/// Parses a document of XML, and returns its tree. The first violation of XML 1.0 or of Namespaces in XML raises
/// ParseError, unless recover=True is given.
///
/// The source is the markup as str, bytes or another buffer; or a pathlib.Path, an object with the method read, or an
/// iterable of chunks. Options: recover, namespaces, fragment (content without a root element), html_entities, encoding,
/// and limits (a mapping of names to numbers). dialect is xml, microxml, sky or leafxml. With errors=True,
/// Document.errors lists the parse errors that the parser recovered from; with positions=True, nodes have a line and a
/// column. With cdata=True, CDATA sections are text nodes of their own, which to_xml writes as sections; with
/// internal_subset=True, the document has the text of the internal subset of XML, which to_xml writes.
///
/// External entities are never read. Raises ParseError and LimitError.
///
/// >>> import tagstream
/// >>> tagstream.parse_xml("<list><item id='1'/></list>").select_one("item")["id"]
/// '1'
/// >>> try:
/// ...     tagstream.parse_xml("<list>\n  <item b=c/>\n</list>")
/// ... except tagstream.ParseError as error:
/// ...     print(error.line, error.column, error.code)
/// 2 11 unquoted-value
#[pyfunction]
#[pyo3(signature = (
    source, *, dialect="xml", errors=false, positions=false, cdata=false, internal_subset=false, **options
))]
pub(crate) fn parse_xml(
    source: &Bound<'_, PyAny>,
    dialect: &str,
    errors: bool,
    positions: bool,
    cdata: bool,
    internal_subset: bool,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Document> {
    let name = dialect;
    let Settings {
        mut dialect,
        limits,
    } = Settings::new(name, options)?;
    if internal_subset && dialect.set("internal_subset", "true").is_err() {
        let message = format!("the dialect {name} has no option 'internal_subset'");
        return Err(PyTypeError::new_err(message));
    }
    let build = Build {
        source: Source::of_markup(source)?,
        limits,
        errors,
        positions,
        cdata,
    };
    parse(source.py(), dialect, build)
}
