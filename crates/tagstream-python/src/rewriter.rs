//! `Rewriter`: passes a document on, with the edits that callbacks make.

use crate::errors::{edit_error, exception, selector_error};
use crate::query::Query;
use crate::settings::Settings;
use crate::source::Chunk;
use pyo3::exceptions::{PyKeyError, PyRuntimeError, PyTypeError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::{PyBytes, PyDict, PyString};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};
use tagstream::select::SelectorId;
use tagstream::{
    Balance, Buildable, Content, DialectVisitor, Form, Limits, RewriteError, SelectorError,
};

/// An event of the library, with the methods that edit it.
type Native<'r> = tagstream::RewriteEvent<'r>;

/// The methods of a rewriter of any dialect and form.
trait Run: Send {
    fn select(&mut self, selector: &tagstream::Selector) -> Result<SelectorId, SelectorError>;
    fn feed(&mut self, chunk: Chunk);
    fn finish(&mut self);
    fn next_selected(&mut self) -> Result<Option<Native<'_>>, RewriteError>;
    fn current(&mut self) -> Option<Native<'_>>;
    fn output(&mut self) -> &[u8];
}

impl<D: Balance, F: Form> Run for tagstream::Rewriter<D, F> {
    fn select(&mut self, selector: &tagstream::Selector) -> Result<SelectorId, SelectorError> {
        tagstream::Rewriter::select(self, selector)
    }

    fn feed(&mut self, chunk: Chunk) {
        match chunk {
            Chunk::Bytes(bytes) => tagstream::Rewriter::feed(self, bytes),
            Chunk::Text(text) => tagstream::Rewriter::feed(self, text),
        }
    }

    fn finish(&mut self) {
        tagstream::Rewriter::finish(self);
    }

    fn next_selected(&mut self) -> Result<Option<Native<'_>>, RewriteError> {
        tagstream::Rewriter::next_selected(self)
    }

    fn current(&mut self) -> Option<Native<'_>> {
        tagstream::Rewriter::current(self)
    }

    fn output(&mut self) -> &[u8] {
        tagstream::Rewriter::output(self)
    }
}

/// Creates the rewriter of a dialect.
struct New {
    balanced: bool,
    limits: Limits,
}

impl DialectVisitor for New {
    type Output = Box<dyn Run>;

    fn visit<D: Balance + Buildable>(self, dialect: D) -> Box<dyn Run> {
        let rewriter = tagstream::Rewriter::new(dialect);
        match self.balanced {
            true => Box::new(rewriter.balanced().limits(self.limits)),
            false => Box::new(rewriter.limits(self.limits)),
        }
    }
}

struct State {
    rewriter: Box<dyn Run>,
    handlers: Vec<(SelectorId, Py<PyAny>)>,
    /// Number of events that were passed to handlers. An object of Python is of the current event if it has this number.
    serial: u64,
    /// True after the first call of `feed` or `close`.
    has_begun: bool,
    /// The thread that rewrites a chunk.
    running: Option<ThreadId>,
}

impl State {
    /// Raises an exception while a chunk is rewritten.
    fn check_unused(&self) -> PyResult<()> {
        let message = match self.running {
            None => return Ok(()),
            Some(thread) if thread == thread::current().id() => {
                "the rewriter is in use: a handler must not call it"
            }
            Some(_) => "the rewriter is in use: another thread is feeding it",
        };
        Err(PyRuntimeError::new_err(message))
    }
}

/// Rewrites a document chunk by chunk: calls functions with the start tags that match selectors, and passes everything
/// that the functions do not change on, byte for byte.
///
/// With balanced=True, elements begin and end as in the tree that a browser builds; without it, an element ends at its end
/// tag, which is faster. Options: those of parse_html, or of parse_xml with dialect="xml"; XML recovers from errors.
///
/// >>> import tagstream
/// >>> rewriter = tagstream.Rewriter()
/// >>> rewriter.on("a[href]", lambda link: link.set("rel", "nofollow"))
/// >>> rewriter.feed(b"<P>see <a  hr") + rewriter.feed(b"ef=b>this</a>") + rewriter.close()
/// b'<P>see <a  href=b rel="nofollow">this</a>'
#[pyclass(frozen, module = "tagstream", weakref)]
pub(crate) struct Rewriter {
    state: Mutex<State>,
}

fn rewrite_error(py: Python<'_>, error: &RewriteError) -> PyErr {
    match error {
        RewriteError::Read(error) => exception(py, error),
        RewriteError::Refused(refusal, _) => edit_error(py, error, Some(refusal.as_str())),
        error => edit_error(py, error, None),
    }
}

impl Rewriter {
    /// Detaches from the interpreter before it waits for the lock.
    fn lock(&self, py: Python<'_>) -> MutexGuard<'_, State> {
        self.state
            .lock_py_attached(py)
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Moves to the next selected tag, and returns its number and the handlers of its selectors.
    fn advance(&self, py: Python<'_>) -> PyResult<Option<(u64, Vec<Py<PyAny>>)>> {
        let advanced = py.detach(|| {
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            let State {
                rewriter,
                handlers,
                serial,
                ..
            } = &mut *state;
            *serial += 1;
            let Some(event) = rewriter.next_selected()? else {
                return Ok(None);
            };
            let selected = handlers
                .iter()
                .enumerate()
                .filter(|(_, (id, _))| event.is_selected(*id));
            let selected: Vec<usize> = selected.map(|(index, _)| index).collect();
            event.keep();
            Ok(Some((*serial, selected)))
        });
        let Some((serial, selected)) = advanced.map_err(|error| rewrite_error(py, &error))? else {
            return Ok(None);
        };
        let state = self.lock(py);
        let handlers = selected
            .into_iter()
            .filter_map(|index| state.handlers.get(index));
        Ok(Some((
            serial,
            handlers.map(|(_, handler)| handler.clone_ref(py)).collect(),
        )))
    }

    /// Calls the handlers of all tags that are complete.
    fn call_handlers(slf: &Bound<'_, Self>) -> PyResult<()> {
        let py = slf.py();
        while let Some((serial, handlers)) = slf.get().advance(py)? {
            let event = Bound::new(
                py,
                RewriteEvent {
                    rewriter: slf.clone().unbind(),
                    serial,
                },
            )?;
            for handler in handlers {
                handler.call1(py, (&event,))?;
            }
        }
        Ok(())
    }

    /// Rewrites a chunk, or the end of the input.
    fn run<'py>(slf: &Bound<'py, Self>, chunk: Option<Chunk>) -> PyResult<Bound<'py, PyBytes>> {
        let py = slf.py();
        let rewriter = slf.get();
        {
            let mut state = rewriter.lock(py);
            state.check_unused()?;
            state.running = Some(thread::current().id());
            state.has_begun = true;
            match chunk {
                Some(chunk) => state.rewriter.feed(chunk),
                None => state.rewriter.finish(),
            }
        }
        let called = Rewriter::call_handlers(slf);
        let mut state = rewriter.lock(py);
        state.running = None;
        // The event has ended, also if a handler has raised an exception.
        state.serial += 1;
        called?;
        Ok(PyBytes::new(py, state.rewriter.output()))
    }
}

#[pymethods]
impl Rewriter {
    #[new]
    #[pyo3(signature = (dialect="html", *, balanced=false, **options))]
    fn new(
        dialect: &str,
        balanced: bool,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Rewriter> {
        let Settings {
            mut dialect,
            limits,
        } = Settings::new(dialect, options)?;
        let is_recovering = match options {
            Some(options) => options
                .get_item("recover")?
                .is_none_or(|value| value.is_none()),
            None => true,
        };
        if is_recovering {
            // A document that is passed on should not be cut off at an error.
            let _ = dialect.set("strict", "false");
        }
        let rewriter = dialect.visit(New { balanced, limits });
        let state = State {
            rewriter,
            handlers: Vec::new(),
            serial: 0,
            has_begun: false,
            running: None,
        };
        Ok(Rewriter {
            state: Mutex::new(state),
        })
    }

    /// Registers a function that is called with each start tag that matches a selector. Only selectors that start tags
    /// decide can be used.
    ///
    /// Raises SelectorError, TypeError for a handler that cannot be called, and RuntimeError after the first call of feed
    /// or close, also in a handler.
    fn on(&self, selector: Query, handler: &Bound<'_, PyAny>) -> PyResult<()> {
        if !handler.is_callable() {
            let found = handler.get_type().name()?;
            let message = format!("the handler must be a function, not {found}");
            return Err(PyTypeError::new_err(message));
        }
        let mut state = self.lock(handler.py());
        state.check_unused()?;
        if state.has_begun {
            let message = "on must be called before the first call of feed or close";
            return Err(PyRuntimeError::new_err(message));
        }
        let id = state
            .rewriter
            .select(selector.as_ref())
            .map_err(selector_error)?;
        state.handlers.push((id, handler.clone().unbind()));
        Ok(())
    }

    /// Takes a chunk and returns the output that is complete. An exception of a handler passes through; the output before
    /// it is returned by the next call.
    ///
    /// Raises LimitError, ParseError for strict XML, EditError for edits that turn out to be impossible at the end of an
    /// element, ValueError after close, and RuntimeError in a handler and while another thread feeds the rewriter.
    fn feed<'py>(
        slf: &Bound<'py, Self>,
        chunk: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        Rewriter::run(slf, Some(Chunk::of(chunk)?))
    }

    /// Ends the input and returns the rest of the output.
    fn close<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyBytes>> {
        Rewriter::run(slf, None)
    }

    /// Visits the handlers, which may refer to the rewriter. If another thread uses the rewriter, it is not garbage.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        match self.state.try_lock() {
            Ok(state) => state
                .handlers
                .iter()
                .try_for_each(|(_, handler)| visit.call(handler)),
            Err(_) => Ok(()),
        }
    }

    fn __clear__(&self) {
        let handlers = match self.state.try_lock() {
            Ok(mut state) => std::mem::take(&mut state.handlers),
            Err(_) => Vec::new(),
        };
        // Dropped after the lock is given back, because that may call a finalizer.
        drop(handlers);
    }
}

/// A start tag in a handler, with the edits of the tag and of its element. It cannot be used after the handler has
/// returned: RuntimeError.
///
/// Edits raise EditError if they cannot be made; its code is the reason. Text is escaped unless markup=True is given.
#[pyclass(frozen, module = "tagstream")]
pub(crate) struct RewriteEvent {
    rewriter: Py<Rewriter>,
    serial: u64,
}

impl RewriteEvent {
    /// Calls a function with the event, if it is the current one. The function must not create objects that the garbage
    /// collector tracks.
    fn with<T>(&self, py: Python<'_>, run: impl FnOnce(&mut Native<'_>) -> T) -> PyResult<T> {
        let mut state = self.rewriter.get().lock(py);
        let current = match state.serial == self.serial {
            true => state.rewriter.current(),
            false => None,
        };
        let Some(mut event) = current else {
            return Err(PyRuntimeError::new_err(
                "the handler of this event has returned",
            ));
        };
        let result = run(&mut event);
        event.keep();
        Ok(result)
    }

    fn edit(
        &self,
        py: Python<'_>,
        edit: impl for<'e, 'r> FnOnce(&'e mut Native<'r>) -> Result<&'e mut Native<'r>, RewriteError>,
    ) -> PyResult<()> {
        self.with(py, |event| edit(event).map(drop))?
            .map_err(|error| rewrite_error(py, &error))
    }
}

/// Text, which is escaped, or markup.
fn content(text: &str, markup: bool) -> Content<'_> {
    match markup {
        true => Content::Markup(text),
        false => Content::Text(text),
    }
}

#[pymethods]
impl RewriteEvent {
    /// The name of the element.
    #[getter]
    fn name<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        self.with(py, |event| {
            PyString::intern(py, event.as_start().map_or("", |tag| tag.name()))
        })
    }

    /// The line of the tag, from 1.
    #[getter]
    fn line(&self, py: Python<'_>) -> PyResult<u64> {
        self.with(py, |event| event.event().position().line())
    }

    /// The column of the tag, from 1.
    #[getter]
    fn column(&self, py: Python<'_>) -> PyResult<u64> {
        self.with(py, |event| event.event().position().column())
    }

    /// The byte offset of the tag in the input.
    #[getter]
    fn offset(&self, py: Python<'_>) -> PyResult<u64> {
        self.with(py, |event| event.event().span().start)
    }

    /// The attributes of the tag in the input, as a new dictionary.
    #[getter]
    fn attributes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        self.with(py, |event| {
            let mut attributes = event
                .as_start()
                .into_iter()
                .flat_map(|tag| tag.attributes());
            attributes.try_for_each(|attribute| dict.set_item(attribute.name(), attribute.value()))
        })??;
        Ok(dict)
    }

    /// Returns the value of an attribute in the input, or the default.
    #[pyo3(signature = (name, default=None))]
    fn get<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        default: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let value = self.with(py, |event| {
            let value = event.as_start()?.attribute(name)?;
            Some(PyString::new(py, value).into_any())
        });
        Ok(value?.or(default))
    }

    fn __getitem__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        self.get(py, name, None)?
            .ok_or_else(|| PyKeyError::new_err(name.to_owned()))
    }

    fn __contains__(&self, py: Python<'_>, name: &str) -> PyResult<bool> {
        self.with(py, |event| {
            event
                .as_start()
                .is_some_and(|tag| tag.attribute(name).is_some())
        })
    }

    fn __setitem__(&self, py: Python<'_>, name: &str, value: &str) -> PyResult<()> {
        self.edit(py, |event| event.set_attribute(name, value))
    }

    fn __delitem__(&self, py: Python<'_>, name: &str) -> PyResult<()> {
        self.edit(py, |event| event.remove_attribute(name))
    }

    /// Sets the value of an attribute, as event[name] = value does.
    fn set(&self, py: Python<'_>, name: &str, value: &str) -> PyResult<()> {
        self.__setitem__(py, name, value)
    }

    /// Changes the name of the element.
    fn rename(&self, py: Python<'_>, name: &str) -> PyResult<()> {
        self.edit(py, |event| event.rename(name))
    }

    /// Removes the element and its content.
    fn remove(&self, py: Python<'_>) -> PyResult<()> {
        self.edit(py, |event| event.remove())
    }

    /// Removes the tags of the element, and not its content.
    fn unwrap(&self, py: Python<'_>) -> PyResult<()> {
        self.edit(py, |event| event.unwrap_element())
    }

    /// Inserts content before the element.
    #[pyo3(signature = (text, *, markup=false))]
    fn before(&self, py: Python<'_>, text: &str, markup: bool) -> PyResult<()> {
        self.edit(py, |event| event.before(content(text, markup)))
    }

    /// Inserts content after the element.
    #[pyo3(signature = (text, *, markup=false))]
    fn after(&self, py: Python<'_>, text: &str, markup: bool) -> PyResult<()> {
        self.edit(py, |event| event.after(content(text, markup)))
    }

    /// Inserts content at the beginning of the element.
    #[pyo3(signature = (text, *, markup=false))]
    fn prepend(&self, py: Python<'_>, text: &str, markup: bool) -> PyResult<()> {
        self.edit(py, |event| event.prepend(content(text, markup)))
    }

    /// Inserts content at the end of the element.
    #[pyo3(signature = (text, *, markup=false))]
    fn append(&self, py: Python<'_>, text: &str, markup: bool) -> PyResult<()> {
        self.edit(py, |event| event.append(content(text, markup)))
    }

    /// Replaces the content of the element.
    #[pyo3(signature = (text, *, markup=false))]
    fn set_content(&self, py: Python<'_>, text: &str, markup: bool) -> PyResult<()> {
        self.edit(py, |event| event.set_content(content(text, markup)))
    }
}
