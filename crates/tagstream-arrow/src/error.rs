//! Errors.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// An option that cannot be set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OptionError {
    /// There is no option with this name.
    #[error("there is no option `{name}`")]
    Unknown {
        /// The name.
        name: String,
    },
    /// The option cannot have this value.
    #[error("the option `{name}` cannot be `{value}`: expected {expected}")]
    Value {
        /// The name of the option.
        name: &'static str,
        /// The value.
        value: String,
        /// The values that are allowed.
        expected: &'static str,
    },
}

/// A schema that cannot be read into.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SchemaError {
    /// A column has a type that rows of XML cannot have.
    #[error("the column `{column}` has the type {data_type}, which cannot be read from XML")]
    Type {
        /// The path of the column.
        column: String,
        /// The type.
        data_type: String,
    },
    /// There are two columns of the same name.
    #[error("there are two columns `{column}`")]
    Duplicate {
        /// The path of the column.
        column: String,
    },
    /// The schema has too many columns.
    #[error("the schema has more than {limit} columns: see the option `max_columns`")]
    Columns {
        /// The limit.
        limit: usize,
    },
    /// The schema is nested too deeply.
    #[error("the schema is nested more than {limit} levels deep: see the option `max_depth`")]
    Depth {
        /// The limit.
        limit: usize,
    },
    /// The selector of the rows is not supported.
    #[error("the selector of the rows: {0}")]
    Selector(String),
}

/// The reason of a [`RowError`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RowErrorKind {
    /// The row is not well-formed.
    Malformed(&'static str),
    /// A value does not have the type of its column.
    Value {
        /// The value, cut after 100 bytes.
        value: String,
        /// The type.
        data_type: String,
    },
    /// An element has child elements where its column has a type without fields.
    Children {
        /// The type.
        data_type: String,
    },
    /// A column that is not nullable has no value.
    Null,
    /// A column has a second value in a row, but it is not a list. The first value is lost.
    Repeated,
    /// The source of the row is longer than the option `max_row_bytes` allows.
    TooLong {
        /// The limit in bytes.
        limit: u64,
    },
    /// The structs in the row have more cells than the limit: elements times the columns of each.
    TooManyCells {
        /// The limit.
        limit: u64,
    },
}

impl fmt::Display for RowErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RowErrorKind::Malformed(message) => write!(f, "{message}"),
            RowErrorKind::Value { value, data_type } => {
                write!(f, "{value:?} is not a value of the type {data_type}")
            }
            RowErrorKind::Children { data_type } => {
                write!(
                    f,
                    "the element has child elements, but the type of its column is {data_type}"
                )
            }
            RowErrorKind::Null => write!(f, "there is no value, and the column is not nullable"),
            RowErrorKind::Repeated => write!(
                f,
                "there is a second value, but the column is not a list: the first value is lost"
            ),
            RowErrorKind::TooLong { limit } => {
                write!(
                    f,
                    "the row is longer than {limit} bytes: see the option `max_row_bytes`"
                )
            }
            RowErrorKind::TooManyCells { limit } => write!(
                f,
                "the elements of the row have more than {limit} cells: read fewer columns"
            ),
        }
    }
}

/// An error in a row.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RowError {
    /// The name of the file, if the option is set.
    pub file: Option<Arc<str>>,
    /// The range of bytes of the place in the input.
    pub bytes: Range<u64>,
    /// Offset in bytes of the start tag of the row.
    pub row: u64,
    /// The line, from 1.
    pub line: u64,
    /// The column of the text, in characters from 1.
    pub column: u64,
    /// The path of the column of the schema, such as `author.name`, if the error is in a value.
    pub column_name: Option<String>,
    /// The reason.
    pub kind: RowErrorKind,
}

impl fmt::Display for RowError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "{file}:")?;
        }
        write!(f, "{}:{}: ", self.line, self.column)?;
        if let Some(column) = &self.column_name {
            write!(f, "column `{column}`: ")?;
        }
        write!(
            f,
            "{} (bytes {} to {})",
            self.kind, self.bytes.start, self.bytes.end
        )
    }
}

impl std::error::Error for RowError {}

/// An error of reading or writing.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The parser cannot continue, for example because a limit is exceeded.
    #[error("{0}")]
    Parse(#[from] tagstream::Error),
    /// A row is malformed, and the mode is [`FailFast`](crate::Mode::FailFast).
    #[error("{0}")]
    Row(#[from] Box<RowError>),
    /// The schema cannot be read into.
    #[error("{0}")]
    Schema(#[from] SchemaError),
    /// An option is wrong.
    #[error("{0}")]
    Option(#[from] OptionError),
    /// The source of the input returned an error.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// A row cannot be written.
    #[error("{0}")]
    Write(#[from] tagstream::WriteError),
    /// Arrow returned an error.
    #[error("{0}")]
    Arrow(#[from] arrow_schema::ArrowError),
}

impl From<Error> for arrow_schema::ArrowError {
    fn from(error: Error) -> arrow_schema::ArrowError {
        match error {
            Error::Arrow(error) => error,
            Error::Io(error) => arrow_schema::ArrowError::from(error),
            error => arrow_schema::ArrowError::ExternalError(Box::new(error)),
        }
    }
}
