//! Exceptions, which have the code and the place of an error as attributes.

use pyo3::create_exception;
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use std::io;
use std::path::Path;
use tagstream::{Category, Error, ErrorKind, Position};
use tagstream_arrow::{RowError, RowErrorKind, SchemaError};

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
            line_and_column(self.position),
            self.offset,
        )
    }
}

fn line_and_column(position: Position) -> (u64, u64) {
    (position.line(), position.column())
}

/// Sets the attributes `code`, `line`, `column` and `offset` of an exception.
fn placed(
    py: Python<'_>,
    error: PyErr,
    code: &str,
    (line, column): (u64, u64),
    offset: u64,
) -> PyErr {
    let value = error.value(py);
    // An exception has a dictionary, so this fails only without memory.
    let _ = value.setattr("code", code);
    for (name, number) in [("line", line), ("column", column), ("offset", offset)] {
        let _ = value.setattr(name, number);
    }
    error
}

/// Turns an error of a parse into an exception.
pub(crate) fn exception(py: Python<'_>, error: &Error) -> PyErr {
    let message = error.to_string();
    let raised = match error.category() {
        Category::Use => return misuse(py, error.kind()),
        Category::Limit => LimitError::new_err(message),
        Category::Source => PyOSError::new_err(message),
        _ => ParseError::new_err(message),
    };
    placed(
        py,
        raised,
        error.as_str(),
        line_and_column(error.position()),
        error.span().start,
    )
}

/// Turns an error of the program into an exception. The messages have the names of this package, not those of the library.
fn misuse(py: Python<'_>, kind: &ErrorKind) -> PyErr {
    let message = match kind {
        ErrorKind::Edit(error) => return tree_error(py, error),
        ErrorKind::FeedAfterFinish => "feed was called after close".to_owned(),
        ErrorKind::TextAfterBytes => {
            "a str was fed after bytes in another encoding than UTF-8".to_owned()
        }
        kind => kind.to_string(),
    };
    PyValueError::new_err(message)
}

/// Turns an error of an operation on a file into the exception that Python's own functions raise: the subclass of OSError
/// for the error's number, with `errno`, `strerror`, and `filename` if there is a path.
pub(crate) fn os_error(py: Python<'_>, error: io::Error, path: Option<&Path>) -> PyErr {
    let Some(number) = error.raw_os_error() else {
        return match path {
            // `open` raises this exception for a path with a null byte, which reaches no system call.
            Some(_) if error.kind() == io::ErrorKind::InvalidInput => {
                PyValueError::new_err("embedded null byte")
            }
            _ => error.into(),
        };
    };
    let message = error.to_string();
    let message = message
        .split(" (os error ")
        .next()
        .unwrap_or_default()
        .to_owned();
    let class = py.get_type::<PyOSError>();
    let made = match path.map(Path::as_os_str) {
        None if !cfg!(windows) => class.call1((number, message)),
        // The fourth argument is the number of an error of Windows, and is ignored elsewhere.
        path => class.call1((number, message, path, number)),
    };
    made.map_or_else(|error| error, PyErr::from_value)
}

/// Turns an error of reading records into an exception.
pub(crate) fn records_error(py: Python<'_>, error: tagstream_arrow::Error) -> PyErr {
    match error {
        tagstream_arrow::Error::Parse(error) => exception(py, &error),
        tagstream_arrow::Error::Row(error) => row_error(py, &error),
        tagstream_arrow::Error::Io(error) => os_error(py, error, None),
        tagstream_arrow::Error::Schema(error) => {
            let code = match error {
                SchemaError::Columns { .. } => "columns-limit",
                SchemaError::Depth { .. } => "schema-depth-limit",
                error => return PyValueError::new_err(error.to_string()),
            };
            // A schema has no place in the input.
            let raised = LimitError::new_err(error.to_string());
            placed(py, raised, code, (1, 1), 0)
        }
        error => PyValueError::new_err(error.to_string()),
    }
}

fn row_error(py: Python<'_>, error: &RowError) -> PyErr {
    let (code, is_limit) = match error.kind {
        RowErrorKind::Malformed(_) => ("malformed-row", false),
        RowErrorKind::Value { .. } => ("value-type", false),
        RowErrorKind::Children { .. } => ("value-with-children", false),
        RowErrorKind::Null => ("missing-value", false),
        RowErrorKind::Repeated => ("repeated-value", false),
        RowErrorKind::TooLong { .. } => ("row-bytes-limit", true),
        RowErrorKind::TooManyCells { .. } => ("row-cells-limit", true),
        _ => ("row", false),
    };
    let raised = match is_limit {
        true => LimitError::new_err(error.to_string()),
        false => ParseError::new_err(error.to_string()),
    };
    placed(
        py,
        raised,
        code,
        (error.line, error.column),
        error.bytes.start,
    )
}

/// Turns a refused change of a tree into an exception.
pub(crate) fn tree_error(py: Python<'_>, error: &tagstream::EditError) -> PyErr {
    edit_error(py, error, Some(error.as_str()))
}

/// Turns a refused edit into an exception.
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
