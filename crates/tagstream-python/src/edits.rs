//! Changes of a tree, as methods of `Node`.

use crate::document::Document;
use crate::errors::{EditError, exception, tree_error};
use crate::node::{Handle, Node};
use crate::sanitizer::Sanitizer;
use crate::settings::str_of;
use pyo3::exceptions::{PyKeyError, PyTypeError};
use pyo3::prelude::*;
use std::borrow::Cow;
use std::sync::LazyLock;
use tagstream::{EditError as NativeEditError, NodeId, Place};

impl Node {
    fn change<T>(
        &self,
        py: Python<'_>,
        change: impl FnOnce(&mut tagstream::Document, NodeId) -> Result<T, NativeEditError>,
    ) -> PyResult<T> {
        change(&mut self.document.get().write(py), self.id).map_err(|error| tree_error(py, &error))
    }

    /// Inserts a node or a string, which becomes a text node. A node of another document is copied.
    fn put(&self, content: &Bound<'_, PyAny>, place: Place) -> PyResult<()> {
        let py = content.py();
        if let Some(text) = str_of(content)? {
            return self.change(py, |tree, _| {
                let id = tree.new_text(text)?;
                tree.insert(id, place)
            });
        }
        let Ok(node) = content.cast::<Node>() else {
            return Err(PyTypeError::new_err("expected a node or a str"));
        };
        let node = node.get();
        if node.document.as_ptr() == self.document.as_ptr() {
            return self.change(py, |tree, _| tree.insert(node.id, place));
        }
        // Two locks are never held at once: the other tree is copied first.
        let other: tagstream::Document = {
            let tree = node.document.get().read(py);
            let mut copy = tagstream::Document::new();
            if let Some(found) = tree.node(node.id) {
                let id = copy.import(found).map_err(|error| tree_error(py, &error))?;
                copy.insert(id, Place::LastIn(copy.root().id()))
                    .map_err(|error| tree_error(py, &error))?;
            }
            copy
        };
        self.change(py, |tree, _| {
            let Some(found) = other.root().first_child() else {
                return Ok(());
            };
            let id = tree.import(found)?;
            tree.insert(id, place)
        })
    }
}

#[pymethods]
impl Node {
    fn __setitem__(&self, py: Python<'_>, name: &str, value: &str) -> PyResult<()> {
        self.change(py, |tree, id| tree.set_attribute(id, name, value))
    }

    fn __delitem__(&self, py: Python<'_>, name: &str) -> PyResult<()> {
        match self
            .document
            .get()
            .write(py)
            .remove_attribute(self.id, name)
        {
            true => Ok(()),
            false => Err(PyKeyError::new_err(name.to_owned())),
        }
    }

    /// Removes the node from the tree. It can be inserted again.
    fn remove(&self, py: Python<'_>) -> bool {
        self.document.get().write(py).remove(self.id)
    }

    /// Replaces the element with its children.
    fn unwrap(&self, py: Python<'_>) -> PyResult<()> {
        self.change(py, |tree, id| tree.unwrap(id))
    }

    /// Changes the name of the element.
    ///
    /// Raises EditError.
    fn rename(&self, py: Python<'_>, name: &str) -> PyResult<()> {
        self.change(py, |tree, id| tree.rename(id, name))
    }

    /// Inserts a node or text as the last child. A node of the same document is moved, one of another document is copied.
    ///
    /// Raises EditError.
    fn append(&self, content: &Bound<'_, PyAny>) -> PyResult<()> {
        self.put(content, Place::LastIn(self.id))
    }

    /// Inserts a node or text as the first child.
    ///
    /// Raises EditError.
    fn prepend(&self, content: &Bound<'_, PyAny>) -> PyResult<()> {
        self.put(content, Place::FirstIn(self.id))
    }

    /// Inserts a node or text before the node.
    ///
    /// Raises EditError.
    fn before(&self, content: &Bound<'_, PyAny>) -> PyResult<()> {
        self.put(content, Place::Before(self.id))
    }

    /// Inserts a node or text after the node.
    ///
    /// Raises EditError.
    fn after(&self, content: &Bound<'_, PyAny>) -> PyResult<()> {
        self.put(content, Place::After(self.id))
    }

    /// Replaces the children with text.
    fn set_text(&self, py: Python<'_>, text: &str) -> PyResult<()> {
        self.change(py, |tree, id| tree.set_text(id, text))
    }

    /// Replaces the children with HTML. The markup is sanitized: by the rules of the standard, or by another sanitizer.
    /// unsafe_=True inserts the markup as it is.
    ///
    /// >>> import tagstream
    /// >>> page = tagstream.parse_html("<p>old")
    /// >>> page.select_one("p").set_html("<b onclick=evil()>new</b><script>evil()</script>")
    /// >>> page.body.inner_html
    /// '<p><b>new</b></p>'
    #[pyo3(signature = (markup, *, sanitizer=None, unsafe_=false))]
    fn set_html(
        &self,
        py: Python<'_>,
        markup: &str,
        sanitizer: Option<&Sanitizer>,
        unsafe_: bool,
    ) -> PyResult<()> {
        static STANDARD: LazyLock<tagstream::Sanitizer> =
            LazyLock::new(tagstream::Sanitizer::default);
        let document: &Document = self.document.get();
        let changed = match (unsafe_, sanitizer) {
            (true, Some(_)) => {
                return Err(EditError::new_err(
                    "a sanitizer and unsafe_=True exclude each other",
                ));
            }
            (true, None) => document.write(py).set_inner_html(self.id, markup),
            (false, None) => document.write(py).set_html(self.id, markup, &STANDARD),
            (false, Some(sanitizer)) => {
                // A filter is a function of Python, which must not be called under the lock of the document.
                let filtered = match sanitizer.has_filter() {
                    true => {
                        let name = self.with(py, |node| node.name().to_owned());
                        Cow::Owned(sanitizer.clean_in(py, markup, &name)?)
                    }
                    false => Cow::Borrowed(markup),
                };
                document
                    .write(py)
                    .set_html(self.id, &filtered, sanitizer.without_filter())
            }
        };
        changed.map_err(|error| exception(py, &error))
    }

    /// Creates an element in the same document, without a parent.
    fn new_element(&self, py: Python<'_>, name: &str) -> PyResult<Handle> {
        let id = self.change(py, |tree, _| tree.new_element(name))?;
        Ok(self.handle(py, id))
    }
}
