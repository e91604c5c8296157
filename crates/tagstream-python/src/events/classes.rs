//! The classes of events. Each has the fields of its kind, and the place of the event: `offset` and `end` in bytes from 0,
//! `line` and `column` from 1, or 0 if they were not requested.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

/// Shows an event as the call that would match it.
fn shown(event: &Bound<'_, PyAny>, fields: &[&str]) -> PyResult<String> {
    let mut values = Vec::new();
    for field in fields {
        values.push(event.getattr(*field)?.repr()?.to_string());
    }
    Ok(format!(
        "{}({})",
        event.get_type().name()?,
        values.join(", ")
    ))
}

/// A start tag: StartTag(name, attributes) in a match statement.
#[pyclass(frozen, get_all, module = "tagstream")]
pub(crate) struct StartTag {
    pub(super) name: Py<PyString>,
    /// Set when the object of Python is created.
    pub(super) attributes: Option<Py<PyDict>>,
    pub(super) is_implied: bool,
    pub(super) is_self_closing: bool,
    pub(super) is_moved: bool,
    pub(super) offset: u64,
    pub(super) end: u64,
    pub(super) line: u64,
    pub(super) column: u64,
}

#[pymethods]
impl StartTag {
    #[classattr]
    #[pyo3(name = "__match_args__")]
    const MATCH_ARGS: (&'static str, &'static str) = ("name", "attributes");

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        shown(slf, &["name", "attributes"])
    }
}

/// An end tag: EndTag(name) in a match statement.
#[pyclass(frozen, get_all, module = "tagstream")]
pub(crate) struct EndTag {
    pub(super) name: Py<PyString>,
    pub(super) is_implied: bool,
    pub(super) is_moved: bool,
    pub(super) offset: u64,
    pub(super) end: u64,
    pub(super) line: u64,
    pub(super) column: u64,
}

#[pymethods]
impl EndTag {
    #[classattr]
    #[pyo3(name = "__match_args__")]
    const MATCH_ARGS: (&'static str,) = ("name",);

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        shown(slf, &["name"])
    }
}

/// A run of text, with references resolved: Text(text) in a match statement.
#[pyclass(frozen, get_all, module = "tagstream")]
pub(crate) struct Text {
    pub(super) text: Py<PyString>,
    pub(super) is_moved: bool,
    pub(super) offset: u64,
    pub(super) end: u64,
    pub(super) line: u64,
    pub(super) column: u64,
}

#[pymethods]
impl Text {
    #[classattr]
    #[pyo3(name = "__match_args__")]
    const MATCH_ARGS: (&'static str,) = ("text",);

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        shown(slf, &["text"])
    }
}

/// A comment: Comment(text) in a match statement.
#[pyclass(frozen, get_all, module = "tagstream")]
pub(crate) struct Comment {
    pub(super) text: Py<PyString>,
    pub(super) is_moved: bool,
    pub(super) offset: u64,
    pub(super) end: u64,
    pub(super) line: u64,
    pub(super) column: u64,
}

#[pymethods]
impl Comment {
    #[classattr]
    #[pyo3(name = "__match_args__")]
    const MATCH_ARGS: (&'static str,) = ("text",);

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        shown(slf, &["text"])
    }
}

/// A processing instruction: ProcessingInstruction(target, data) in a match statement.
#[pyclass(frozen, get_all, module = "tagstream")]
pub(crate) struct ProcessingInstruction {
    pub(super) target: Py<PyString>,
    pub(super) data: Py<PyString>,
    pub(super) is_moved: bool,
    pub(super) offset: u64,
    pub(super) end: u64,
    pub(super) line: u64,
    pub(super) column: u64,
}

#[pymethods]
impl ProcessingInstruction {
    #[classattr]
    #[pyo3(name = "__match_args__")]
    const MATCH_ARGS: (&'static str, &'static str) = ("target", "data");

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        shown(slf, &["target", "data"])
    }
}

/// A document type: Doctype(name, public_id, system_id) in a match statement.
#[pyclass(frozen, get_all, module = "tagstream")]
pub(crate) struct Doctype {
    pub(super) name: Py<PyString>,
    pub(super) public_id: Option<String>,
    pub(super) system_id: Option<String>,
    pub(super) force_quirks: bool,
    pub(super) offset: u64,
    pub(super) end: u64,
    pub(super) line: u64,
    pub(super) column: u64,
}

#[pymethods]
impl Doctype {
    #[classattr]
    #[pyo3(name = "__match_args__")]
    const MATCH_ARGS: (&'static str, &'static str, &'static str) =
        ("name", "public_id", "system_id");

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        shown(slf, &["name", "public_id", "system_id"])
    }
}

/// The declaration of XML: XmlDeclaration(version, encoding, standalone) in a match statement.
#[pyclass(frozen, get_all, module = "tagstream")]
pub(crate) struct XmlDeclaration {
    pub(super) version: Option<String>,
    pub(super) encoding: Option<String>,
    pub(super) standalone: Option<bool>,
    pub(super) offset: u64,
    pub(super) end: u64,
    pub(super) line: u64,
    pub(super) column: u64,
}

#[pymethods]
impl XmlDeclaration {
    #[classattr]
    #[pyo3(name = "__match_args__")]
    const MATCH_ARGS: (&'static str, &'static str, &'static str) =
        ("version", "encoding", "standalone");

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        shown(slf, &["version", "encoding", "standalone"])
    }
}

/// A reference to an entity that was not expanded: SkippedEntity(name) in a match statement.
#[pyclass(frozen, get_all, module = "tagstream")]
pub(crate) struct SkippedEntity {
    pub(super) name: Py<PyString>,
    pub(super) offset: u64,
    pub(super) end: u64,
    pub(super) line: u64,
    pub(super) column: u64,
}

#[pymethods]
impl SkippedEntity {
    #[classattr]
    #[pyo3(name = "__match_args__")]
    const MATCH_ARGS: (&'static str,) = ("name",);

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        shown(slf, &["name"])
    }
}

/// A late declaration of another encoding than the one in use: EncodingChange(label) in a match statement.
#[pyclass(frozen, get_all, module = "tagstream")]
pub(crate) struct EncodingChange {
    pub(super) label: String,
    pub(super) offset: u64,
    pub(super) end: u64,
    pub(super) line: u64,
    pub(super) column: u64,
}

#[pymethods]
impl EncodingChange {
    #[classattr]
    #[pyo3(name = "__match_args__")]
    const MATCH_ARGS: (&'static str,) = ("label",);

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        shown(slf, &["label"])
    }
}

/// Attributes that a second html or body tag adds to its element: AddedAttributes(name, attributes) in a match statement.
#[pyclass(frozen, get_all, module = "tagstream")]
pub(crate) struct AddedAttributes {
    pub(super) name: Py<PyString>,
    /// Set when the object of Python is created.
    pub(super) attributes: Option<Py<PyDict>>,
    pub(super) offset: u64,
    pub(super) end: u64,
    pub(super) line: u64,
    pub(super) column: u64,
}

#[pymethods]
impl AddedAttributes {
    #[classattr]
    #[pyo3(name = "__match_args__")]
    const MATCH_ARGS: (&'static str, &'static str) = ("name", "attributes");

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        shown(slf, &["name", "attributes"])
    }
}

/// A parse error that the parser recovered from: ErrorEvent(code) in a match statement.
#[pyclass(frozen, get_all, module = "tagstream")]
pub(crate) struct ErrorEvent {
    pub(super) code: &'static str,
    pub(super) message: String,
    pub(super) offset: u64,
    pub(super) end: u64,
    pub(super) line: u64,
    pub(super) column: u64,
}

#[pymethods]
impl ErrorEvent {
    #[classattr]
    #[pyo3(name = "__match_args__")]
    const MATCH_ARGS: (&'static str,) = ("code",);

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        shown(slf, &["code"])
    }
}
