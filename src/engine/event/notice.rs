//! Events about the parse itself: skipped entities, encoding changes and parse errors.

use super::in_entity::InEntity;
#[cfg(feature = "serde")]
use super::part::Holder;
use super::part::Part;
use crate::engine::error::{EntityPlace, ErrorCode, Position, Related, Span};
use core::fmt;

/// A reference to an entity that was not expanded.
///
/// ```
/// use tagstream::{Event, Parser, Xml};
///
/// let input = "<!DOCTYPE a [<!ENTITY b SYSTEM 'b.xml'>]><a>&b;</a>";
/// let mut parser = Parser::new(Xml::default());
/// parser.feed(input);
/// parser.next_event()?;
/// parser.next_event()?;
/// let Some(Event::SkippedEntity(entity)) = parser.next_event()? else { panic!() };
/// assert_eq!((entity.name(), &input[entity.span().range()]), ("b", "&b;"));
/// # Ok::<(), tagstream::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct SkippedEntity<'a> {
    pub(crate) part: Part<'a>,
}

impl<'a> SkippedEntity<'a> {
    /// Returns the name of the entity.
    pub fn name(&self) -> &'a str {
        self.part.first()
    }

    /// Returns the range of bytes of the reference in the input.
    pub fn span(&self) -> Span {
        self.part.span()
    }

    /// Returns the line and column of the `&`.
    pub fn position(&self) -> Position {
        self.part.position()
    }
}

impl fmt::Debug for SkippedEntity<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "&{};", self.name())
    }
}

/// A late declaration of an encoding that differs from the one in use: a `meta` tag in HTML, after the part of the
/// input that is searched for it. The parser goes on in the old encoding. A program can parse the document again in
/// the declared one.
///
/// ```
/// use tagstream::{Event, Events, Html};
///
/// // Browsers look for the encoding in the first 1024 bytes; this one comes later.
/// let page = format!("<title>\u{e9}</title>{}<meta charset=iso-8859-2>", " ".repeat(2000));
/// let mut events = Events::of(Html::default(), page.into_bytes());
/// let mut label = None;
/// while let Some(event) = events.next_event()? {
///     if let Event::EncodingChange(change) = event {
///         label = Some(change.label().to_owned());
///     }
/// }
/// assert_eq!(label.as_deref(), Some("ISO-8859-2"));
/// # Ok::<(), tagstream::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct EncodingChange<'a> {
    pub(crate) part: Part<'a>,
}

impl<'a> EncodingChange<'a> {
    /// Returns the name of the declared encoding.
    pub fn label(&self) -> &'a str {
        self.part.first()
    }

    /// Returns the range of bytes of the declaration in the input.
    pub fn span(&self) -> Span {
        self.part.span()
    }

    /// Returns the line and column of the declaration's start.
    pub fn position(&self) -> Position {
        self.part.position()
    }
}

impl fmt::Debug for EncodingChange<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.label())
    }
}

/// A parse error that the parser recovered from.
///
/// ```
/// use tagstream::xml::errors::UNQUOTED_VALUE;
/// use tagstream::{Event, Parser, Xml};
///
/// let mut parser = Parser::new(Xml::default()).report_errors(true);
/// parser.feed("<a b=c>");
/// let Some(Event::ParseError(error)) = parser.next_event()? else { panic!() };
/// assert_eq!((error.code(), error.position().column()), (UNQUOTED_VALUE, 6));
/// # Ok::<(), tagstream::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct ParseError<'a> {
    pub(crate) part: Part<'a>,
}

impl<'a> ParseError<'a> {
    /// Returns the code of the error.
    pub fn code(&self) -> ErrorCode {
        self.part.holder.code(self.part.record.code())
    }

    /// Returns the range of bytes of the error in the input.
    pub fn span(&self) -> Span {
        self.part.span()
    }

    /// Returns the line and column of the error's start.
    pub fn position(&self) -> Position {
        self.part.position()
    }

    /// Returns the location of the error in an external entity, if it is in one. The [span](Self::span) of such an
    /// error is that of the reference to the entity in the document.
    pub fn entity(&self) -> Option<EntityPlace> {
        #[cfg(feature = "serde")]
        if let Holder::Owned(kept) = self.part.holder
            && let Some(place) = kept.entity_place()
        {
            return Some(place.clone());
        }
        self.in_entity().map(InEntity::place)
    }

    /// Returns the related location that the error refers to, if there is one: the start tag of the element whose end
    /// tag is missing, the first of two attributes with the same name, or the declaration of an entity.
    ///
    /// ```
    /// use tagstream::{Event, Parser, Relation, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default()).report_errors(true);
    /// parser.feed("<a b='1' b='2'>");
    /// let Some(Event::ParseError(error)) = parser.next_event()? else { panic!() };
    /// let related = error.related().unwrap();
    /// assert_eq!(related.relation(), Relation::FirstAttribute);
    /// assert_eq!(related.span().start, 3);
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn related(&self) -> Option<Related> {
        self.part.holder.related(self.part.record.code())
    }

    /// Returns the range of the error in the text of an external entity, or `None` if the error is not in one.
    pub(super) fn in_entity(&self) -> Option<&'a InEntity> {
        self.part.holder.in_entity(self.part.record.entity())
    }
}

impl fmt::Debug for ParseError<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {}", self.code(), self.part.span())
    }
}

impl fmt::Display for ParseError<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let code = self.code();
        write!(f, "{}: {}", self.position(), code.message())?;
        if let Some(related) = self.related() {
            write!(f, ": {related}")?;
        }
        write!(f, " ({code})")
    }
}
