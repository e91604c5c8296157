//! Errors in the input, and their positions.
//!
//! A [`ParseError`](crate::ParseError) is an error that a recovering dialect repaired; parsing continued after it. An
//! [`Error`] ended the parse. Both contain an [`ErrorCode`] or an [`ErrorKind`], and a [`Span`]. Error messages are
//! formatted only when they are displayed.

mod about;
#[cfg(feature = "checkpoints")]
mod checkpoint;
pub(crate) mod code;
mod debug;
mod edit;
mod entity_place;
mod kind;
mod position;
mod related;
#[cfg(feature = "select")]
mod selector;

pub(crate) use about::About;
pub use code::ErrorCode;
pub(crate) use code::codes;
pub(crate) use debug::debug_as_display;
pub use edit::EditError;
pub use entity_place::EntityPlace;
pub use kind::{Category, ErrorKind};
pub use position::{Position, Span};
pub use related::{Related, Relation};
#[cfg(feature = "select")]
pub use selector::{SelectorError, SelectorErrorKind};

use crate::engine::limits::Limit;
#[cfg(feature = "select")]
use alloc::boxed::Box;
use alloc::sync::Arc;
use core::fmt;

/// An error that ended a parse. All events before the error were delivered.
///
/// After an error, every later request for an event returns the same error again.
///
/// ```
/// use tagstream::{Document, Error, Xml};
///
/// let error: Error = Document::parse(Xml::strict(), "<list>\n  <item b=c/>\n</list>").unwrap_err();
/// assert_eq!(error.position().to_string(), "2:11");
/// assert_eq!(error.as_str(), "unquoted-value");
/// println!("{error}");
/// ```
#[derive(Clone)]
pub struct Error {
    kind: ErrorKind,
    span: Span,
    position: Position,
    entity: Option<Arc<EntityPlace>>,
    about: Option<Arc<About>>,
}

/// Two errors are equal if their kinds, spans, positions and entities are equal. The errors inside
/// [`ErrorKind::Source`] and [`ErrorKind::Other`] make no difference.
impl PartialEq for Error {
    fn eq(&self, other: &Error) -> bool {
        self.kind == other.kind
            && (self.span, self.position) == (other.span, other.position)
            && self.entity == other.entity
    }
}

impl Eq for Error {}

debug_as_display!(Error);

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // These errors are not caused by the input, so they have no position to display.
        match &self.kind {
            ErrorKind::Edit(error) => return error.fmt(f),
            ErrorKind::Other(error) => return error.fmt(f),
            #[cfg(feature = "select")]
            ErrorKind::Selector(error) => return error.fmt(f),
            _ => {}
        }
        write!(f, "{}: ", self.position)?;
        if let Some(place) = &self.entity {
            write!(f, "{place}: ")?;
        }
        let (message, code) = match &self.kind {
            ErrorKind::Syntax(code) => (code.message(), code.as_str()),
            ErrorKind::Limit(limit) => (limit.message(), limit.as_str()),
            kind => return kind.fmt(f),
        };
        f.write_str(message)?;
        if let Some(about) = &self.about {
            about.fmt(f)?;
        }
        write!(f, " ({code})")
    }
}

/// Converts an I/O error to an [`ErrorKind::Other`], for functions that open files and parse them.
///
/// ```
/// use tagstream::{Document, Error, Xml};
///
/// fn count(path: &str) -> Result<usize, Error> {
///     let document = Document::read(Xml::default(), std::fs::File::open(path)?)?;
///     Ok(document.root().descendants().count())
/// }
///
/// let error = count("no/such/file").unwrap_err();
/// let source = std::error::Error::source(&error).unwrap();
/// assert!(source.downcast_ref::<std::io::Error>().is_some());
/// ```
#[cfg(feature = "std")]
impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Error {
        Error::other(error)
    }
}

impl From<EditError> for Error {
    fn from(error: EditError) -> Error {
        Error::new(
            ErrorKind::Edit(error),
            Span::default(),
            Position::new(1, 1, 1),
        )
    }
}

#[cfg(feature = "select")]
impl From<SelectorError> for Error {
    fn from(error: SelectorError) -> Error {
        Error::new(
            ErrorKind::Selector(Box::new(error)),
            Span::default(),
            Position::new(1, 1, 1),
        )
    }
}

impl core::error::Error for Error {
    /// Returns the error of the source of the input, or the error that was converted.
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match &self.kind {
            // The error itself, not the `Arc` around it, so that it can be downcast.
            ErrorKind::Source(error) | ErrorKind::Other(error) => Some(&**error),
            _ => self.kind.source(),
        }
    }
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, span: Span, position: Position) -> Error {
        Error {
            kind,
            span,
            position,
            entity: None,
            about: None,
        }
    }

    /// Creates an error that was not caused by the input and has no position in it.
    pub(crate) fn other(error: impl core::error::Error + Send + Sync + 'static) -> Error {
        let kind = ErrorKind::Other(Arc::new(error));
        Error::new(kind, Span::default(), Position::default())
    }

    pub(crate) fn about(self, about: About) -> Error {
        let is_something = about != About::default();
        Error {
            about: is_something.then(|| Arc::new(about)),
            ..self
        }
    }

    /// Returns the error with other places: `place` converts each span, and the position of its start.
    #[doc(hidden)]
    #[must_use]
    pub fn with_places(mut self, place: impl Fn(Span, Position) -> (Span, Position)) -> Error {
        (self.span, self.position) = place(self.span, self.position);
        if let Some(about) = &mut self.about
            && let Some(related) = &about.related
        {
            let related = Some(related.clone().with_place(place));
            *about = Arc::new(About {
                written: about.written.clone(),
                open: about.open.clone(),
                related,
                limit: about.limit,
            });
        }
        self
    }

    /// Returns the error with positions relative to the text after the prefix `before`, which was parsed together with
    /// that text. The prefix contains no newline, so only columns in line 1 change.
    pub(crate) fn without(self, before: &str) -> Error {
        let Position {
            line,
            column,
            column_utf16,
        } = self.position;
        let less = |from: u64, by: usize| from.saturating_sub(by as u64);
        let position = match line {
            1 => Position::new(
                line,
                less(column, before.chars().count()).max(1),
                less(column_utf16, before.encode_utf16().count()).max(1),
            ),
            _ => self.position,
        };
        let span = Span {
            start: less(self.span.start, before.len()),
            end: less(self.span.end, before.len()),
        };
        Error {
            span,
            position,
            ..self
        }
    }

    pub(crate) fn in_entity(self, place: Option<EntityPlace>) -> Error {
        Error {
            entity: place.map(Arc::new),
            ..self
        }
    }

    /// Returns the kind of the error.
    pub fn kind(&self) -> &ErrorKind {
        &self.kind
    }

    /// Returns the error code if the input violated the grammar of a strict dialect.
    pub fn code(&self) -> Option<ErrorCode> {
        match self.kind {
            ErrorKind::Syntax(code) => Some(code),
            _ => None,
        }
    }

    /// Returns the limit, if the input exceeded one.
    pub fn limit(&self) -> Option<Limit> {
        match self.kind {
            ErrorKind::Limit(limit) => Some(limit),
            _ => None,
        }
    }

    /// Returns the party that can correct the cause of the error.
    ///
    /// ```
    /// use tagstream::{Document, Xml};
    ///
    /// let error = Document::parse(Xml::strict(), "<a>\n</b>").unwrap_err();
    /// assert_eq!(error.category(), tagstream::Category::Input);
    /// ```
    pub fn category(&self) -> Category {
        self.kind.name_and_category().1
    }

    /// Returns the byte range of the error in the input.
    pub fn span(&self) -> Span {
        self.span
    }

    /// Returns the line and column of the error.
    pub fn position(&self) -> Position {
        self.position
    }

    /// Returns the input at the position of the error, if it is short: for example the reference to an entity that is
    /// not declared. If the error is in an external entity, returns the text there.
    ///
    /// ```
    /// use tagstream::{Document, Xml};
    ///
    /// let error = Document::parse(Xml::strict(), "<a>&nbsp;</a>").unwrap_err();
    /// assert_eq!(error.written(), Some("&nbsp;"));
    /// ```
    pub fn written(&self) -> Option<&str> {
        let written = &*self.about.as_ref()?.written;
        (!written.is_empty()).then_some(written)
    }

    /// Returns the name of the element whose end tag was expected, if another end tag or the end of the input was
    /// found instead.
    ///
    /// ```
    /// use tagstream::{Document, Xml};
    ///
    /// let error = Document::parse(Xml::strict(), "<a><b></a>").unwrap_err();
    /// assert_eq!((error.open_element(), error.written()), (Some("b"), Some("</a>")));
    /// assert!(error.to_string().contains("expected `</b>`, opened at 1:4, found `</a>`"));
    /// ```
    pub fn open_element(&self) -> Option<&str> {
        let open = &*self.about.as_ref()?.open;
        (!open.is_empty()).then_some(open)
    }

    /// Returns the value of the limit, if the input exceeded one.
    #[cfg(feature = "serde")]
    pub(crate) fn limited_to(&self) -> Option<usize> {
        self.about.as_ref()?.limit
    }

    /// Returns a second position that explains the error: the start tag of the element whose end tag is missing, the
    /// first of two equal attributes, or the declaration of an entity. The start tags of elements with more than
    /// 10,000 ancestors are not recorded.
    ///
    /// ```
    /// use tagstream::{Document, Xml};
    ///
    /// let error = Document::parse(Xml::strict(), "<a>\n <b>\n</a>").unwrap_err();
    /// assert_eq!(error.related().unwrap().position().to_string(), "2:2");
    /// assert!(error.to_string().contains("expected `</b>`, opened at 2:2, found `</a>`"));
    /// ```
    pub fn related(&self) -> Option<&Related> {
        self.about.as_ref()?.related.as_ref()
    }

    /// Returns the position in an external entity, if the error is in one. The span of the error is then that of the
    /// reference to the entity.
    pub fn entity(&self) -> Option<&EntityPlace> {
        self.entity.as_deref()
    }

    /// Returns the name of the error: the error code, the name of the limit, the name of the [`EditError`], or one of
    /// `feed-after-finish`, `text-after-bytes`, `unavailable-encoding`, `waiting`, `not-paused`, `no-element`,
    /// `selector`, `source` and `other`.
    pub fn as_str(&self) -> &'static str {
        self.kind.name_and_category().0
    }
}

crate::checkpoint::checkpointable! {
    struct Error { kind, span, position, entity, about }
}
