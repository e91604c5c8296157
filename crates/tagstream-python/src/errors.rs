//! Exceptions, which have the code and the place of an error as attributes.

use pyo3::create_exception;
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use tagstream::{Category, Error, Position};

create_exception!(
    tagstream,
    ParseError,
    PyValueError,
    "The input violates the specification of its dialect.\n\n\
     `code` is the name of the error, `line` and `column` begin at 1, and `offset` counts bytes of the input from 0."
);
create_exception!(
    tagstream,
    LimitError,
    ParseError,
    "The input exceeds a limit."
);
create_exception!(
    tagstream,
    SelectorError,
    PyValueError,
    "A selector cannot be parsed, or cannot be matched here. `offset` counts bytes of the selector from 0."
);
create_exception!(
    tagstream,
    XPathError,
    PyValueError,
    "An XPath expression cannot be parsed or evaluated. `offset` counts bytes of the expression from 0."
);
create_exception!(
    tagstream,
    EditError,
    PyValueError,
    "A change of a tree, or of a document that is rewritten, is refused. `code` is the reason, or `None`."
);

/// An error with the place to which it refers, as values of Rust.
#[derive(Clone)]
pub(crate) struct Found {
    pub(crate) message: String,
    pub(crate) code: &'static str,
    pub(crate) position: Position,
    pub(crate) offset: u64,
}

impl Found {
    pub(crate) fn exception(&self, py: Python<'_>) -> PyErr {
        placed(
            py,
            ParseError::new_err(self.message.clone()),
            self.code,
            self.position,
            self.offset,
        )
    }
}

/// Sets the attributes `code`, `line`, `column` and `offset` of an exception.
fn placed(py: Python<'_>, error: PyErr, code: &str, position: Position, offset: u64) -> PyErr {
    let value = error.value(py);
    // An exception has a dictionary, so this fails only without memory.
    let _ = value.setattr("code", code);
    for (name, number) in [
        ("line", position.line()),
        ("column", position.column()),
        ("offset", offset),
    ] {
        let _ = value.setattr(name, number);
    }
    error
}

/// Turns an error of a parse into an exception.
pub(crate) fn exception(py: Python<'_>, error: &Error) -> PyErr {
    let message = error.to_string();
    let raised = match error.category() {
        Category::Limit => LimitError::new_err(message),
        Category::Source => PyOSError::new_err(message),
        _ => ParseError::new_err(message),
    };
    placed(
        py,
        raised,
        error.as_str(),
        error.position(),
        error.span().start,
    )
}

/// Turns a refused edit of a tree into an exception.
pub(crate) fn edit_error(py: Python<'_>, error: impl ToString, code: Option<&str>) -> PyErr {
    let raised = EditError::new_err(error.to_string());
    let _ = raised.value(py).setattr("code", code);
    raised
}

pub(crate) fn selector_error(error: tagstream::SelectorError) -> PyErr {
    offset_error(SelectorError::new_err(error.to_string()), error.offset())
}

pub(crate) fn xpath_error(error: tagstream::XPathError) -> PyErr {
    offset_error(XPathError::new_err(error.to_string()), error.offset())
}

fn offset_error(error: PyErr, offset: usize) -> PyErr {
    Python::attach(|py| {
        let _ = error.value(py).setattr("offset", offset);
    });
    error
}
