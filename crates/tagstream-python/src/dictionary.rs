//! Elements as nested dictionaries.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};
use tagstream::NodeKind;
use tagstream::tree::Edge;

/// An element that has begun and not ended.
struct Level<'d, 'py> {
    node: tagstream::Node<'d>,
    /// The attributes and the children, if there are any.
    fields: Option<Bound<'py, PyDict>>,
    text: String,
}

impl<'d, 'py> Level<'d, 'py> {
    fn new(py: Python<'py>, node: tagstream::Node<'d>) -> PyResult<Level<'d, 'py>> {
        let mut level = Level {
            node,
            fields: None,
            text: String::new(),
        };
        let mut key = String::new();
        for attribute in node.attributes() {
            key.clear();
            key.push('@');
            key.push_str(attribute.name());
            level
                .fields(py)
                .set_item(PyString::intern(py, &key), attribute.value())?;
        }
        Ok(level)
    }

    fn fields(&mut self, py: Python<'py>) -> &Bound<'py, PyDict> {
        self.fields.get_or_insert_with(|| PyDict::new(py))
    }

    /// Adds the value of a child. A second child with the same name makes a list.
    fn add(&mut self, py: Python<'py>, name: &str, value: Bound<'py, PyAny>) -> PyResult<()> {
        let fields = self.fields(py);
        let name = PyString::intern(py, name);
        match fields.get_item(&name)? {
            None => fields.set_item(name, value),
            Some(before) => match before.cast::<PyList>() {
                Ok(list) => list.append(value),
                Err(_) => fields.set_item(name, PyList::new(py, [before, value])?),
            },
        }
    }

    /// Returns the value of the element.
    fn end(self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let text = self.text.trim();
        Ok(match self.fields {
            None if text.is_empty() => py.None().into_bound(py),
            None => PyString::new(py, text).into_any(),
            Some(fields) => {
                if !text.is_empty() {
                    fields.set_item(pyo3::intern!(py, "#text"), text)?;
                }
                fields.into_any()
            }
        })
    }
}

/// Returns an element as nested dictionaries, without recursion. The caller holds no lock of the tree, because this
/// function creates objects that the garbage collector tracks, and a collection can run code that takes the lock.
pub(crate) fn of(py: Python<'_>, node: tagstream::Node<'_>) -> PyResult<Py<PyAny>> {
    let mut levels: Vec<Level<'_, '_>> = Vec::new();
    let mut edges = node.edges();
    while let Some(edge) = edges.next() {
        match edge {
            Edge::Open(child) if child.is_element() => {
                // PERF: most elements are leaves: one text, no attributes, and therefore no level.
                if let Some(level) = levels.last_mut()
                    && child.attributes().next().is_none()
                    && let Some(text) = only_text(child).map(str::trim)
                    && !text.is_empty()
                {
                    level.add(py, child.name(), PyString::new(py, text).into_any())?;
                    edges.skip_children();
                    edges.next();
                    continue;
                }
                levels.push(Level::new(py, child)?);
            }
            Edge::Close(child) if child.is_element() => {
                let Some(level) = levels.pop() else { continue };
                let name = level.node.name();
                let value = level.end(py)?;
                match levels.last_mut() {
                    Some(parent) => parent.add(py, name, value)?,
                    None => return Ok(value.unbind()),
                }
            }
            Edge::Open(child) if child.is_text() => {
                if let Some(level) = levels.last_mut() {
                    level.text.push_str(child.text());
                }
            }
            _ => {}
        }
    }
    Ok(py.None())
}

/// Returns the text of a text node, comment or processing instruction, or of an element whose only child is a text node,
/// without a copy.
pub(crate) fn only_text(node: tagstream::Node<'_>) -> Option<&str> {
    match node.kind() {
        NodeKind::Text | NodeKind::Comment | NodeKind::ProcessingInstruction => Some(node.text()),
        NodeKind::Element => match node.first_child() {
            None => Some(""),
            Some(child) if child.is_text() && child.next_sibling().is_none() => Some(child.text()),
            Some(_) => None,
        },
        _ => None,
    }
}
