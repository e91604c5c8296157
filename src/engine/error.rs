//! Errors in the input, and their positions.
//!
//! A [`ParseError`](crate::ParseError) is an error that a recovering dialect repaired; parsing continued after it. An
//! [`Error`] ended the parse. Both contain an [`ErrorCode`] or an [`ErrorKind`], and a [`Span`]. Error messages are
//! formatted only when they are displayed.

mod about;
#[cfg(feature = "checkpoints")]
mod checkpoint;
mod edit;
mod entity_place;
mod related;
#[cfg(feature = "select")]
mod selector;

pub(crate) use about::About;
pub use edit::EditError;
pub use entity_place::EntityPlace;
pub use related::{Related, Relation};
#[cfg(feature = "select")]
pub use selector::{SelectorError, SelectorErrorKind};

use crate::engine::input::anchor::Anchor;
use crate::engine::input::encoding::Encoding;
use crate::engine::limits::Limit;
#[cfg(feature = "select")]
use alloc::boxed::Box;
use alloc::sync::Arc;
use core::fmt;
use core::ops::Range;

/// A range of bytes in the input. Offsets count from the start of the input.
///
/// Offsets refer to the input as it was fed, in every encoding: the bytes from `start` to `end` are the bytes that
/// were written there. An escape sequence of ISO-2022-JP belongs to the character after it. For UTF-8 input an offset
/// costs nothing to compute. For other encodings the parser decodes some KiB of the input again;
/// [`Stats::places`](crate::Stats::places) counts these computations.
///
/// ```
/// use tagstream::{Encoding, Event, Parser, Xml};
///
/// let input = b"<a>\xC4\xE3\xBA\xC3</a>";
/// let gbk = Encoding::for_xml_label("gbk").unwrap();
/// let mut parser = Parser::new(Xml::default().encoding(gbk));
/// parser.feed(input);
/// parser.next_event()?;
/// if let Some(Event::Text(text)) = parser.next_event()? {
///     let span = text.span();
///     assert_eq!((text.as_str(), span.start, span.end), ("\u{4F60}\u{597D}", 3, 7));
/// }
/// # Ok::<(), tagstream::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u64,
    /// Offset after the last byte.
    pub end: u64,
}

impl Span {
    /// Returns the same range as indices into an input that is in memory as a whole. An offset greater than
    /// `usize::MAX` becomes `usize::MAX`.
    ///
    /// ```
    /// use tagstream::{Event, Events, Xml};
    ///
    /// let input = "<a>one<b/></a>";
    /// let mut events = Events::of(Xml::default(), input);
    /// while let Some(event) = events.next_event()? {
    ///     if let Event::Text(text) = event {
    ///         assert_eq!(&input[text.span().range()], "one");
    ///     }
    /// }
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn range(self) -> Range<usize> {
        let index = |offset: u64| usize::try_from(offset).unwrap_or(usize::MAX);
        index(self.start)..index(self.end)
    }

    /// Returns the length in bytes.
    pub fn len(self) -> u64 {
        self.end.saturating_sub(self.start)
    }

    /// Returns true if the range is empty. An item that the input does not contain has an empty range: for example
    /// the end event of an empty-element tag.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }
}

impl From<Span> for Range<u64> {
    fn from(span: Span) -> Range<u64> {
        span.start..span.end
    }
}

/// Converts as [`Span::range`] does.
impl From<Span> for Range<usize> {
    fn from(span: Span) -> Range<usize> {
        span.range()
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.start, self.end)
    }
}

/// A line and a column, for display to people.
///
/// A line ends at LF, CR, or CR LF.
///
/// ```
/// use tagstream::{Event, Parser, Xml};
///
/// let mut parser = Parser::new(Xml::default());
/// parser.feed("\n<!--\u{1F600}--><a>");
/// parser.next_event()?;
/// let Some(Event::Start(tag)) = parser.next_event()? else { panic!() };
/// let position = tag.position();
/// assert_eq!((position.line(), position.column(), position.column_utf16()), (2, 9, 10));
/// # Ok::<(), tagstream::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    line: u64,
    column: u64,
    column_utf16: u64,
}

impl Position {
    pub(crate) fn new(line: u64, column: u64, column_utf16: u64) -> Position {
        Position {
            line,
            column,
            column_utf16,
        }
    }

    /// Converts a position of the index of lines.
    pub(crate) fn at(place: Anchor) -> Position {
        Position::new(place.line, place.column, place.column_utf16)
    }

    /// Returns the line, counted from 1.
    pub fn line(self) -> u64 {
        self.line
    }

    /// Returns the column in characters, counted from 1.
    pub fn column(self) -> u64 {
        self.column
    }

    /// Returns the column in UTF-16 code units, counted from 1. Editors and browsers count columns this way.
    pub fn column_utf16(self) -> u64 {
        self.column_utf16
    }

    /// Returns the position in a document, given the position in a part of the document: the difference of lines, and the
    /// differences of columns in the first line of the part, in characters and in UTF-16 code units.
    #[doc(hidden)]
    #[must_use]
    pub fn moved(self, first_line: u64, lines: i64, columns: [i64; 2]) -> Position {
        let columns = match self.line == first_line {
            true => columns,
            false => [0, 0],
        };
        Position {
            line: self.line.saturating_add_signed(lines),
            column: self.column.saturating_add_signed(columns[0]),
            column_utf16: self.column_utf16.saturating_add_signed(columns[1]),
        }
    }
}

impl Default for Position {
    fn default() -> Position {
        Position::new(1, 1, 1)
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// The name of a kind of error in the input. The name is spelled as in the specification of the dialect, or in the
/// same style if the specification names no errors.
///
/// The module of each dialect lists its codes.
///
/// ```
/// use tagstream::xml::errors::UNQUOTED_VALUE;
///
/// assert_eq!(UNQUOTED_VALUE.as_str(), "unquoted-value");
/// assert_eq!(UNQUOTED_VALUE.message(), "expected quotes around the attribute value");
/// ```
#[derive(Clone, Copy)]
pub struct ErrorCode {
    /// The row of the code. A single reference contains all of it, so that a code is as small as a pointer.
    row: &'static CodeRow,
}

/// A row of a dialect's table of error codes.
pub(crate) struct CodeRow {
    pub(crate) name: &'static str,
    pub(crate) message: &'static str,
    /// True if the error means that the end tag of the current element was expected.
    pub(crate) expects_end_tag: bool,
}

impl ErrorCode {
    /// Creates the code of a row.
    pub(crate) const fn new(row: &'static CodeRow) -> ErrorCode {
        ErrorCode { row }
    }

    /// Returns true if the error means that another end tag was expected. Its message then names the open element.
    pub(crate) fn expects_end_tag(self) -> bool {
        self.row.expects_end_tag
    }

    /// Returns the name, for example `duplicate-attribute`.
    pub fn as_str(self) -> &'static str {
        self.row.name
    }

    /// Returns a sentence, without a full stop, that describes the error.
    pub fn message(self) -> &'static str {
        self.row.message
    }
}

/// Defines the error codes of a dialect: a constant for each, with its name and its message. `end_tag` follows the
/// message if the error means that another end tag was expected.
macro_rules! codes {
    ($($(#[$doc:meta])* $constant:ident = $name:literal, $sentence:literal $(, $end_tag:ident)?;)*) => {
        $($(#[$doc])* #[doc = concat!("`", $name, "`: ", $sentence, ".")]
        pub const $constant: ErrorCode = ErrorCode::new(&$crate::engine::error::CodeRow {
            name: $name,
            message: $sentence,
            expects_end_tag: $crate::engine::error::codes!(@ $($end_tag)?),
        });)*

        /// All codes, in the order in which this page lists them.
        pub const ALL: &[ErrorCode] = &[$($constant),*];
    };
    (@) => { false };
    (@ end_tag) => { true };
}

pub(crate) use codes;

impl PartialEq for ErrorCode {
    fn eq(&self, other: &ErrorCode) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for ErrorCode {}

impl core::hash::Hash for ErrorCode {
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

impl fmt::Debug for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The reason why a parse or an operation failed.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The input violates the grammar of a strict dialect.
    #[error("{} ({code})", .0.message(), code = .0)]
    Syntax(ErrorCode),
    /// A limit was reached.
    #[error("{0}")]
    Limit(Limit),
    /// The program fed a chunk after it had called `finish`.
    #[error("a chunk was fed after `finish` was called")]
    FeedAfterFinish,
    /// The program fed a string after bytes in another encoding than UTF-8.
    #[error("a string was fed after bytes in another encoding than UTF-8")]
    TextAfterBytes,
    /// The input is in an encoding that this build does not [have](Encoding::is_available).
    #[error("the input is in {name}, which the feature `encodings` of tagstream reads", name = .0.name())]
    UnavailableEncoding(Encoding),
    /// The program called `finish` while the parser waits for its host, which runs scripts or loads modules, or for an
    /// external entity.
    #[error("`finish` was called while the parser waits for its host or for an external entity")]
    Waiting,
    /// The program called [`TreeBuilder::write`](crate::TreeBuilder::write), which writes as a script does, but the
    /// builder is not paused at a script.
    #[error("`write` was called while the tree builder is not paused at a script")]
    NotPaused,
    /// The program called a method that needs a start tag, but the current event is not a start tag.
    #[error("the current event is not a start tag")]
    NoElement,
    /// The program tried to change a tree in a way that is not allowed.
    #[error("{0}")]
    Edit(EditError),
    /// A selector was refused: see [`SelectorError`](crate::select::SelectorError).
    #[cfg(feature = "select")]
    #[error("{0}")]
    Selector(Box<SelectorError>),
    /// The source of the input failed, for example when reading a file.
    #[error("the source of the input failed: {0}")]
    Source(#[source] Arc<dyn core::error::Error + Send + Sync>),
    /// Another error that `?` converted: an [`io::Error`](std::io::Error), a [`WriteError`](crate::WriteError), a
    /// [`RewriteError`](crate::RewriteError), an error of deserialization (`de::DeError`, with the feature `serde`) or
    /// the error of a [fragment's context](crate::Html::fragment).
    /// [`Error::source`](core::error::Error::source) returns it.
    #[error("{0}")]
    Other(#[source] Arc<dyn core::error::Error + Send + Sync>),
}

/// Compares the kinds and their codes, limits, edits, selectors and encodings. The errors in `Source` and `Other` are
/// not compared.
impl PartialEq for ErrorKind {
    fn eq(&self, other: &ErrorKind) -> bool {
        match (self, other) {
            (ErrorKind::Syntax(one), ErrorKind::Syntax(other)) => one == other,
            (ErrorKind::Limit(one), ErrorKind::Limit(other)) => one == other,
            (ErrorKind::Edit(one), ErrorKind::Edit(other)) => one == other,
            #[cfg(feature = "select")]
            (ErrorKind::Selector(one), ErrorKind::Selector(other)) => one == other,
            (ErrorKind::UnavailableEncoding(one), ErrorKind::UnavailableEncoding(other)) => {
                one == other
            }
            _ => core::mem::discriminant(self) == core::mem::discriminant(other),
        }
    }
}

impl Eq for ErrorKind {}

impl ErrorKind {
    /// Returns the name of the error, and the party that can correct its cause.
    fn name_and_category(&self) -> (&'static str, Category) {
        match self {
            ErrorKind::Syntax(code) => (code.as_str(), Category::Input),
            ErrorKind::Limit(limit) => (limit.as_str(), Category::Limit),
            ErrorKind::FeedAfterFinish => ("feed-after-finish", Category::Use),
            ErrorKind::TextAfterBytes => ("text-after-bytes", Category::Use),
            ErrorKind::UnavailableEncoding(_) => ("unavailable-encoding", Category::Use),
            ErrorKind::Waiting => ("waiting", Category::Use),
            ErrorKind::NotPaused => ("not-paused", Category::Use),
            ErrorKind::NoElement => ("no-element", Category::Use),
            ErrorKind::Edit(error) => (error.as_str(), Category::Use),
            #[cfg(feature = "select")]
            ErrorKind::Selector(_) => ("selector", Category::Use),
            ErrorKind::Source(_) => ("source", Category::Source),
            ErrorKind::Other(_) => ("other", Category::Other),
        }
    }
}

/// The party that can correct the cause of an [`Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Category {
    /// The author of the input.
    Input,
    /// The party that set the limit. The input may be valid.
    Limit,
    /// The program that calls the parser.
    Use,
    /// The provider of the bytes, such as the file system or the network.
    Source,
    /// Unknown: the category depends on the error that was converted. See [`ErrorKind::Other`].
    Other,
}

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

/// Compares kind and position. The errors in [`ErrorKind::Source`] and [`ErrorKind::Other`] are not compared.
impl PartialEq for Error {
    fn eq(&self, other: &Error) -> bool {
        self.kind == other.kind
            && (self.span, self.position) == (other.span, other.position)
            && self.entity == other.entity
    }
}

impl Eq for Error {}

/// Implements `Debug` for error types as `Display`, because a program that returns an error from `main` prints it with
/// `Debug`.
macro_rules! debug_as_display {
    ($($error:ty),*) => {$(
        impl core::fmt::Debug for $error {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                core::fmt::Display::fmt(self, f)
            }
        }
    )*};
}
pub(crate) use debug_as_display;

debug_as_display!(Error, EditError);

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
    struct Span { start, end }
    struct Position { line, column, column_utf16 }
}
