//! Why a selector is refused. It must not know how one is read.

use super::{Error, ErrorKind, Position, Span};
use alloc::boxed::Box;
use alloc::string::String;
use core::fmt;

/// Why a selector is refused, and where in it.
///
/// ```
/// use tagstream::select::{Selector, SelectorErrorKind};
///
/// let error = Selector::new("a:hover").unwrap_err();
/// assert_eq!((error.kind(), error.offset()), (SelectorErrorKind::Unsupported, 1));
/// assert_eq!(error.to_string(), "`:hover` at 1: a tree does not tell it");
/// ```
///
/// Where a function returns [`Error`](crate::Error), `?` makes one of it.
///
/// ```
/// use tagstream::{Document, Html};
///
/// fn links(page: &str) -> Result<usize, tagstream::Error> {
///     Ok(Document::parse(Html::default(), page)?.select("a[href]")?.count())
/// }
///
/// assert_eq!(links("<a href=/b>b</a>")?, 1);
/// # Ok::<(), tagstream::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelectorError {
    kind: SelectorErrorKind,
    offset: usize,
    what: String,
}

/// What is wrong with a selector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SelectorErrorKind {
    /// It is no selector.
    Syntax,
    /// It asks for what a tree does not tell, such as `:hover` or `::before`, or what is not known.
    Unsupported,
    /// Its prefix is not known: see [`SelectorBuilder::namespace`](crate::select::SelectorBuilder::namespace).
    UnknownPrefix,
    /// It is nested too deeply, or has more compounds than one selector may.
    TooLarge,
    /// On a stream it cannot be decided when the tag is read: it asks for siblings, or for what comes later.
    NotOnStreams,
}

impl SelectorError {
    pub(crate) fn new(
        kind: SelectorErrorKind,
        offset: usize,
        what: impl Into<String>,
    ) -> SelectorError {
        SelectorError {
            kind,
            offset,
            what: what.into(),
        }
    }

    /// What is wrong.
    ///
    /// ```
    /// use tagstream::select::{Selector, SelectorErrorKind};
    ///
    /// assert_eq!(Selector::new("a >").unwrap_err().kind(), SelectorErrorKind::Syntax);
    /// ```
    pub fn kind(&self) -> SelectorErrorKind {
        self.kind
    }

    /// What is refused, where that is a part of the selector.
    #[cfg(feature = "serde")]
    pub(crate) fn what(&self) -> &str {
        &self.what
    }

    /// Where, in bytes of the selector: what is refused begins there; of what is no selector, it is where
    /// that shows.
    ///
    /// ```
    /// use tagstream::select::Selector;
    ///
    /// assert_eq!(Selector::new("p, a::before").unwrap_err().offset(), 4);
    /// ```
    pub fn offset(&self) -> usize {
        self.offset
    }
}

impl fmt::Display for SelectorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (what, at) = (&self.what, self.offset);
        match self.kind {
            SelectorErrorKind::Syntax => write!(f, "no selector: it goes wrong at {at}"),
            SelectorErrorKind::Unsupported => {
                write!(f, "`{what}` at {at}: a tree does not tell it")
            }
            SelectorErrorKind::UnknownPrefix => {
                write!(f, "the prefix `{what}`, before {at}, is not known")
            }
            SelectorErrorKind::TooLarge => write!(f, "too large a selector at {at}"),
            SelectorErrorKind::NotOnStreams => {
                write!(
                    f,
                    "`{what}` at {at}: on a stream a start tag does not decide it"
                )
            }
        }
    }
}

impl core::error::Error for SelectorError {}

impl From<SelectorError> for Error {
    fn from(error: SelectorError) -> Error {
        Error::new(
            ErrorKind::Selector(Box::new(error)),
            Span::default(),
            Position::new(1, 1, 1),
        )
    }
}
