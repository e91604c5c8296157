//! Errors of deserialization, with their position and the path of elements.

use crate::engine::error::{Error, ErrorKind, Position, Span};
use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use core::fmt;

/// The error that is returned if a document, or a part of it, is not a value of the requested type.
///
/// ```
/// use serde::Deserialize;
/// use tagstream::de::{DeErrorKind, from_str};
///
/// #[derive(Deserialize, Debug)]
/// struct Feed {
///     entry: Vec<Entry>,
/// }
///
/// #[derive(Deserialize, Debug)]
/// struct Entry {
///     #[serde(rename = "@id")]
///     id: u32,
/// }
///
/// let error = from_str::<Feed>("<feed>\n  <entry id='one'/>\n</feed>").unwrap_err();
/// assert_eq!(error.position().unwrap().to_string(), "2:10");
/// assert_eq!(error.path(), "feed/entry/@id");
/// assert!(matches!(error.kind(), DeErrorKind::Custom(_)));
/// assert!(error.to_string().starts_with("2:10: feed/entry/@id: invalid type: string \"one\""));
/// ```
#[derive(Clone, PartialEq)]
pub struct DeError(Box<Inner>);

#[derive(Clone, Debug, PartialEq)]
struct Inner {
    kind: DeErrorKind,
    place: Option<(Span, Position)>,
    path: String,
}

/// The kind of a deserialization error.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum DeErrorKind {
    /// The parse ended: the document is not well-formed, a limit was reached, or the source failed.
    Parse(Error),
    /// The type refused the value, with a message of its own: for example, a field is missing.
    Custom(String),
    /// An element was found where only text is allowed.
    Mixed,
    /// Elements are nested deeper than the limit, which [`Deserializer::depth_limit`] sets.
    ///
    /// [`Deserializer::depth_limit`]: super::Deserializer::depth_limit
    Depth(usize),
    /// The elements between the items of a list, or the parts of a text between comments, take more memory than the
    /// limit, which [`Deserializer::buffer_limit`] sets. The path ends with the field of the list.
    ///
    /// [`Deserializer::buffer_limit`]: super::Deserializer::buffer_limit
    Buffer(usize),
    /// The text contains a reference to an entity that was not read, so the text is incomplete. Contains the name of
    /// the entity.
    Entity(String),
    /// An element or text is repeated, and its value in a map is not a list. The map would contain one of them only.
    Repeated,
    /// An element was expected, but the document or the parent element ends.
    End,
    /// The document continues after the element that is the value.
    Trailing,
}

impl fmt::Display for DeErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DeErrorKind::Parse(error) => error.fmt(f),
            DeErrorKind::Custom(message) => f.write_str(message),
            DeErrorKind::Mixed => f.write_str("an element where there is to be text alone"),
            DeErrorKind::Depth(limit) => write!(f, "elements in more than {limit} others"),
            DeErrorKind::Buffer(limit) => {
                write!(
                    f,
                    "more than {limit} bytes would be buffered: `buffer_limit` allows more"
                )
            }
            DeErrorKind::Entity(name) => write!(f, "the entity `{name}` was not read"),
            DeErrorKind::Repeated => {
                f.write_str("a repeated part of the element: its value in the map has to be a list")
            }
            DeErrorKind::End => f.write_str("there is no element"),
            DeErrorKind::Trailing => f.write_str("there is more input after the element"),
        }
    }
}

impl DeError {
    pub(super) fn new(kind: DeErrorKind) -> DeError {
        DeError(Box::new(Inner {
            kind,
            place: None,
            path: String::new(),
        }))
    }

    /// Adds a byte range with its position, and a path of element names, to the error, if it has no position yet.
    #[cold]
    pub(super) fn at(mut self, place: Option<(Span, Position)>, path: &str) -> DeError {
        if self.0.place.is_none() {
            self.0.place = place;
            self.0.path = path.to_string();
        }
        self
    }

    /// Returns the kind of the error.
    pub fn kind(&self) -> &DeErrorKind {
        &self.0.kind
    }

    /// Returns the line and column of the invalid part. If something is missing, returns the position of the end tag
    /// before which it is missing. Returns `None` if the document has no element.
    pub fn position(&self) -> Option<Position> {
        Some(self.0.place?.1)
    }

    /// Returns the byte range of the invalid part in the input: a tag, a text or an attribute. Returns `None` if the
    /// document has no element.
    pub fn span(&self) -> Option<Span> {
        Some(self.0.place?.0)
    }

    /// Returns the names of the elements around the invalid part, separated by slashes. If an attribute is invalid, the
    /// path ends with its name after `@`.
    pub fn path(&self) -> &str {
        &self.0.path
    }
}

crate::engine::error::debug_as_display!(DeError);

impl fmt::Display for DeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The message of an error that ends the parse contains the position already.
        if !matches!(self.0.kind, DeErrorKind::Parse(_)) {
            if let Some(position) = self.position() {
                write!(f, "{position}: ")?;
            }
            if !self.0.path.is_empty() {
                write!(f, "{}: ", self.0.path.escape_debug())?;
            }
        }
        self.0.kind.fmt(f)
    }
}

impl core::error::Error for DeError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match &self.0.kind {
            DeErrorKind::Parse(error) => Some(error),
            _ => None,
        }
    }
}

impl serde_core::de::Error for DeError {
    fn custom<T: fmt::Display>(message: T) -> DeError {
        DeError::new(DeErrorKind::Custom(message.to_string()))
    }
}

impl From<Error> for DeError {
    fn from(error: Error) -> DeError {
        let place = (error.span(), error.position());
        DeError(Box::new(Inner {
            kind: DeErrorKind::Parse(error),
            place: Some(place),
            path: String::new(),
        }))
    }
}

/// Converts an error that ended the parse to this [`Error`], and any other error to an
/// [`ErrorKind::Other`](crate::ErrorKind::Other) with the same span and position.
///
/// ```
/// use tagstream::Error;
///
/// fn number(document: &str) -> Result<u8, Error> {
///     Ok(tagstream::de::from_str(document)?)
/// }
///
/// assert_eq!(number("<a>7</b>").unwrap_err().as_str(), "stray-end-tag");
/// let error = number("<a>\nseven</a>").unwrap_err();
/// assert_eq!((error.span().start, error.position().to_string()), (3, "1:4".to_owned()));
/// assert!(error.to_string().starts_with("1:4: a: invalid type"));
/// ```
impl From<DeError> for Error {
    fn from(error: DeError) -> Error {
        match error.0.kind {
            DeErrorKind::Parse(error) => error,
            _ => {
                let (span, position) = error.0.place.unwrap_or_default();
                Error::new(ErrorKind::Other(Arc::new(error)), span, position)
            }
        }
    }
}
