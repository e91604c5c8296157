//! What can be wrong with the input, and where.
//!
//! A [`ParseError`](crate::ParseError) is what a recovering dialect repaired and went on; an [`Error`]
//! is what ended the parse. Both say it with an [`ErrorCode`] or a kind, and a [`Span`]; text is made only
//! when somebody wants to read it.

mod about;
mod edit;
mod entity_place;
mod related;
#[cfg(feature = "checkpoints")]
mod saved;
#[cfg(feature = "select")]
mod selector;

pub(crate) use about::About;
pub use edit::EditError;
pub use entity_place::EntityPlace;
pub use related::{Related, Relation};
#[cfg(feature = "checkpoints")]
pub(crate) use saved::of_codes;
#[cfg(feature = "select")]
pub use selector::{SelectorError, SelectorErrorKind};

use crate::input::encoding::Encoding;
use crate::limits::Limit;
#[cfg(feature = "select")]
use alloc::boxed::Box;
use alloc::sync::Arc;
use core::fmt;
use core::ops::Range;

/// A range of bytes in the input, counted from its start.
///
/// Offsets are in the input as it was fed, in every encoding: what is between them is what was written.
/// An escape sequence of ISO-2022-JP belongs to the character behind it. In UTF-8 an offset is at hand; in
/// another encoding some KiB are decoded again for it, which [`Stats::places`](crate::Stats::places) counts.
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
    /// Length in bytes.
    ///
    /// ```
    /// use tagstream::Span;
    ///
    /// assert_eq!(Span { start: 3, end: 7 }.len(), 4);
    /// ```
    pub fn len(self) -> u64 {
        self.end.saturating_sub(self.start)
    }

    /// Whether nothing is in it: the place of something that was not written, as the end of an empty
    /// element.
    ///
    /// ```
    /// use tagstream::Span;
    ///
    /// assert!(Span { start: 3, end: 3 }.is_empty());
    /// ```
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }
}

impl From<Span> for Range<u64> {
    fn from(span: Span) -> Range<u64> {
        span.start..span.end
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.start, self.end)
    }
}

/// A place for people: line and column.
///
/// A line ends at LF, CR, or CR LF.
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

    /// The line, counted from 1.
    ///
    /// ```
    /// use tagstream::{Event, Parser, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default());
    /// parser.feed("\n<a>");
    /// let Some(Event::Start(tag)) = parser.next_event()? else { panic!() };
    /// assert_eq!(tag.position().line(), 2);
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn line(self) -> u64 {
        self.line
    }

    /// The column in characters, counted from 1.
    ///
    /// ```
    /// use tagstream::{Event, Parser, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default());
    /// parser.feed("<!--\u{1F600}--><a>");
    /// parser.next_event()?;
    /// let Some(Event::Start(tag)) = parser.next_event()? else { panic!() };
    /// assert_eq!(tag.position().column(), 9);
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn column(self) -> u64 {
        self.column
    }

    /// The column in UTF-16 code units, counted from 1, as editors and browsers want it.
    ///
    /// ```
    /// use tagstream::{Event, Parser, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default());
    /// parser.feed("<!--\u{1F600}--><a>");
    /// parser.next_event()?;
    /// let Some(Event::Start(tag)) = parser.next_event()? else { panic!() };
    /// assert_eq!(tag.position().column_utf16(), 10);
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn column_utf16(self) -> u64 {
        self.column_utf16
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

/// The name of something that is wrong with the input, as the dialect's document spells it, or in
/// the same style where the document has no names.
///
/// Each dialect's module lists its codes.
#[derive(Clone, Copy)]
pub struct ErrorCode {
    /// Name and sentence: one reference, so that a code is as small as can be.
    words: &'static [&'static str; 2],
}

impl ErrorCode {
    /// A code of a name and a sentence.
    pub(crate) const fn new(words: &'static [&'static str; 2]) -> ErrorCode {
        ErrorCode { words }
    }

    /// The name: `duplicate-attribute`.
    ///
    /// ```
    /// use tagstream::xml::errors::UNQUOTED_VALUE;
    ///
    /// assert_eq!(UNQUOTED_VALUE.as_str(), "unquoted-value");
    /// ```
    pub fn as_str(self) -> &'static str {
        self.words[0]
    }

    /// A sentence without its full stop that says what is wrong.
    ///
    /// ```
    /// use tagstream::xml::errors::UNQUOTED_VALUE;
    ///
    /// assert_eq!(UNQUOTED_VALUE.message(), "the value of an attribute stands between quotes");
    /// ```
    pub fn message(self) -> &'static str {
        self.words[1]
    }
}

/// The codes of a dialect: each a constant, its name and its sentence.
macro_rules! codes {
    ($($(#[$doc:meta])* $constant:ident = $name:literal, $sentence:literal;)*) => {
        $($(#[$doc])* #[doc = concat!("`", $name, "`: ", $sentence, ".")]
        pub const $constant: ErrorCode = ErrorCode::new(&[$name, $sentence]);)*

        /// Every code, in the order of this page.
        pub const ALL: &[ErrorCode] = &[$($constant),*];
    };
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

/// Why a parse ended before its input did.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The input is not what a strict dialect accepts.
    #[error("{} ({code})", .0.message(), code = .0)]
    Syntax(ErrorCode),
    /// A limit was reached.
    #[error("{0}")]
    Limit(Limit),
    /// The program fed a chunk after it had called `finish`.
    #[error("a chunk was fed after finish was called")]
    FeedAfterFinish,
    /// The program fed a string after bytes in another encoding than UTF-8.
    #[error("a string was fed after bytes in another encoding than UTF-8")]
    TextAfterBytes,
    /// The input is in an encoding that this build does not [have](Encoding::is_available).
    #[error("the input is in {name}, which the feature `encodings` of tagstream reads", name = .0.name())]
    UnavailableEncoding(Encoding),
    /// The program wants to finish while the parse waits for its host, or for an external entity.
    #[error("finish was called while the parse waits for an answer")]
    Waiting,
    /// The program writes where a script would, and the builder is not paused at one: see
    /// [`TreeBuilder::write`](crate::TreeBuilder::write).
    #[error("write was called while no script is paused at")]
    NotPaused,
    /// The program asks for an element, and the event in hand is no start tag.
    #[error("the event in hand is no start tag")]
    NoElement,
    /// The program wants to change a tree in a way that no tree can be changed.
    #[error("{0}")]
    Edit(EditError),
    /// A selector was refused: see [`SelectorError`](crate::select::SelectorError).
    #[cfg(feature = "select")]
    #[error("{0}")]
    Selector(Box<SelectorError>),
    /// The source of the bytes failed: reading a file, say.
    #[error("the source of the input failed: {0}")]
    Source(#[source] Arc<dyn core::error::Error + Send + Sync>),
}

/// What the source failed with is left aside.
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

/// Who can do something about an [`Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Category {
    /// Whoever wrote the input.
    Input,
    /// Whoever set the limit: the input may be fine.
    Limit,
    /// The program that calls the parser.
    Use,
    /// The source of the bytes.
    Source,
}

/// What ended a parse: everything read before it was delivered.
///
/// Every later call that asks for an event gives the same error again.
///
/// ```
/// use tagstream::{Document, Error, Xml};
///
/// let error: Error = Document::parse(Xml::strict(), "<list>\n  <item b=c/>\n</list>").unwrap_err();
/// assert_eq!(error.position().to_string(), "2:11");
/// assert_eq!(error.as_str(), "unquoted-value");
/// println!("{error}");
/// ```
#[derive(Clone, Debug)]
pub struct Error {
    kind: ErrorKind,
    span: Span,
    position: Position,
    entity: Option<Arc<EntityPlace>>,
    about: Option<Arc<About>>,
}

/// Two are equal that are of one kind and in one place; what a source failed with is left aside.
impl PartialEq for Error {
    fn eq(&self, other: &Error) -> bool {
        self.kind == other.kind
            && (self.span, self.position) == (other.span, other.position)
            && self.entity == other.entity
    }
}

impl Eq for Error {}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // What is wrong is no place in the input.
        match &self.kind {
            ErrorKind::Edit(error) => return error.fmt(f),
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

impl core::error::Error for Error {
    /// What the source of the input failed with.
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        self.kind.source()
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

    pub(crate) fn about(self, about: About) -> Error {
        let is_something = about != About::default();
        Error {
            about: is_something.then(|| Arc::new(about)),
            ..self
        }
    }

    pub(crate) fn in_entity(self, place: Option<EntityPlace>) -> Error {
        Error {
            entity: place.map(Arc::new),
            ..self
        }
    }

    /// What it is.
    ///
    /// ```
    /// use tagstream::{Document, Xml};
    ///
    /// let error = Document::parse(Xml::strict(), "<a>\n</b>").unwrap_err();
    /// assert!(matches!(error.kind(), tagstream::ErrorKind::Syntax(_)));
    /// ```
    pub fn kind(&self) -> &ErrorKind {
        &self.kind
    }

    /// The code, where a strict dialect refused the input.
    ///
    /// ```
    /// use tagstream::{Document, Xml};
    ///
    /// let error = Document::parse(Xml::strict(), "<a>\n</b>").unwrap_err();
    /// assert!(error.code().is_some());
    /// ```
    pub fn code(&self) -> Option<ErrorCode> {
        match self.kind {
            ErrorKind::Syntax(code) => Some(code),
            _ => None,
        }
    }

    /// The limit, where one was reached.
    ///
    /// ```
    /// use tagstream::{Limit, Limits, TreeBuilder, Xml};
    ///
    /// let limits = Limits::default().depth(1);
    /// let error = TreeBuilder::new(Xml::default()).limits(limits).feed("<a><b>").unwrap_err();
    /// assert_eq!(error.limit(), Some(Limit::Depth));
    /// ```
    pub fn limit(&self) -> Option<Limit> {
        match self.kind {
            ErrorKind::Limit(limit) => Some(limit),
            _ => None,
        }
    }

    /// Who can do something about it.
    ///
    /// ```
    /// use tagstream::{Document, Xml};
    ///
    /// let error = Document::parse(Xml::strict(), "<a>\n</b>").unwrap_err();
    /// assert_eq!(error.category(), tagstream::Category::Input);
    /// ```
    pub fn category(&self) -> Category {
        match self.kind {
            ErrorKind::Syntax(_) => Category::Input,
            ErrorKind::Limit(_) => Category::Limit,
            ErrorKind::FeedAfterFinish
            | ErrorKind::TextAfterBytes
            | ErrorKind::UnavailableEncoding(_)
            | ErrorKind::Waiting
            | ErrorKind::NotPaused
            | ErrorKind::NoElement
            | ErrorKind::Edit(_) => Category::Use,
            #[cfg(feature = "select")]
            ErrorKind::Selector(_) => Category::Use,
            ErrorKind::Source(_) => Category::Source,
        }
    }

    /// Where it is, in bytes.
    ///
    /// ```
    /// use tagstream::{Document, Xml};
    ///
    /// let error = Document::parse(Xml::strict(), "<a>\n</b>").unwrap_err();
    /// assert_eq!((error.span().start, error.span().end), (4, 8));
    /// ```
    pub fn span(&self) -> Span {
        self.span
    }

    /// Where it is, in lines and columns.
    ///
    /// ```
    /// use tagstream::{Document, Xml};
    ///
    /// let error = Document::parse(Xml::strict(), "<a>\n</b>").unwrap_err();
    /// assert_eq!(error.position().to_string(), "2:1");
    /// ```
    pub fn position(&self) -> Position {
        self.position
    }

    /// What is written at its place, where that is short: the name of an entity that is not declared, say. In
    /// an external entity, what is written there.
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

    /// The name of the element whose end tag should have come: where another end tag came, or the end of the
    /// input.
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

    /// The number that the limit is, if it is one.
    #[cfg(feature = "serde")]
    pub(crate) fn limited_to(&self) -> Option<usize> {
        self.about.as_ref()?.limit
    }

    /// A second place that it refers to: where the element was opened whose end tag is missing, the first of two
    /// attributes, the declaration of an entity.
    /// Of an element within more than 10,000 others nothing is kept.
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

    /// Where it is in an external entity, if it is in one: its span is then that of the reference to
    /// that.
    ///
    /// ```
    /// use tagstream::{Document, Xml};
    ///
    /// let error = Document::parse(Xml::strict(), "<a>\n</b>").unwrap_err();
    /// assert!(error.entity().is_none());
    /// ```
    pub fn entity(&self) -> Option<&EntityPlace> {
        self.entity.as_deref()
    }

    /// Its name: the code, the limit's name, `feed-after-finish`, `text-after-bytes`,
    /// `unavailable-encoding`, `waiting`, `not-paused`, `no-element`, `selector` or `source`.
    ///
    /// ```
    /// use tagstream::{Document, Xml};
    ///
    /// let error = Document::parse(Xml::strict(), "<a>\n</b>").unwrap_err();
    /// println!("{}", error.as_str());
    /// assert_eq!(Some(error.as_str()), error.code().map(|code| code.as_str()));
    /// ```
    pub fn as_str(&self) -> &'static str {
        match &self.kind {
            ErrorKind::Syntax(code) => code.as_str(),
            ErrorKind::Limit(limit) => limit.as_str(),
            ErrorKind::FeedAfterFinish => "feed-after-finish",
            ErrorKind::TextAfterBytes => "text-after-bytes",
            ErrorKind::UnavailableEncoding(_) => "unavailable-encoding",
            ErrorKind::Waiting => "waiting",
            ErrorKind::NotPaused => "not-paused",
            ErrorKind::NoElement => "no-element",
            ErrorKind::Edit(error) => error.as_str(),
            #[cfg(feature = "select")]
            ErrorKind::Selector(_) => "selector",
            ErrorKind::Source(_) => "source",
        }
    }
}

#[cfg(feature = "checkpoints")]
crate::saved::saved!(Span { start, end });

#[cfg(feature = "checkpoints")]
crate::saved::saved!(Position {
    line,
    column,
    column_utf16
});
