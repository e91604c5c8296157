//! Events: what a parser hands out.
//!
//! [`Event`] is one plain enum of borrowed parts; [`OwnedEvent`] keeps one. Positions are worked out
//! when asked for.

mod attribute;
mod declared;
mod depth;
mod details;
mod end_tag;
mod in_entity;
mod instruction;
mod notice;
mod owned;
mod owned_tag;
mod packing;
mod part;
mod prologue;
pub(crate) mod record;
pub(crate) mod referred;
mod same;
pub(crate) mod strings;
mod tag;
mod text;

pub use attribute::{Attribute, Attributes};
pub use declared::{NotationDeclaration, UnparsedEntity};
pub use end_tag::{AddedAttributes, EndTag};
pub use instruction::ProcessingInstruction;
pub use notice::{EncodingChange, ParseError, SkippedEntity};
pub use owned::OwnedEvent;
#[cfg(feature = "serde")]
pub(crate) use owned::{RestoredAttribute, RestoredTag};
pub use owned_tag::OwnedTag;
pub use prologue::{Doctype, XmlDeclaration};
pub use tag::StartTag;
pub use text::{Comment, Text};

use crate::error::{Position, Span};
pub(crate) use part::{Held, Holder, Part, position_at};
use record::Kind;

/// What was found in the input, lent until the next is asked for.
///
/// Two are the same that say the same, wherever they stand.
///
/// ```
/// use tagstream::{Event, Events, Xml};
///
/// let mut events = Events::of(Xml::default(), "<a>one<!--two--></a>");
/// let mut seen = Vec::new();
/// while let Some(event) = events.next_event()? {
///     match event {
///         Event::Start(tag) => seen.push(format!("{} starts", tag.name())),
///         Event::End(tag) => seen.push(format!("{} ends", tag.name())),
///         Event::Text(text) => seen.push(text.as_str().to_owned()),
///         // There are more, and there may be more yet.
///         _ => {}
///     }
/// }
/// assert_eq!(seen, ["a starts", "one", "a ends"]);
/// # Ok::<(), tagstream::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Event<'a> {
    /// A start tag: `<a href="x">`. In the XML family an empty tag (`<a/>`) is followed by its end.
    Start(StartTag<'a>),
    /// An end tag: `</a>`.
    End(EndTag<'a>),
    /// A run of text, references resolved and line ends normalised; in XML, CDATA sections too.
    Text(Text<'a>),
    /// A comment: `<!-- … -->`.
    Comment(Comment<'a>),
    /// A processing instruction: `<?target data?>`.
    ProcessingInstruction(ProcessingInstruction<'a>),
    /// A DOCTYPE.
    Doctype(Doctype<'a>),
    /// An XML declaration: `<?xml version="1.0"?>`.
    Declaration(XmlDeclaration<'a>),
    /// A reference to an entity that was not read.
    SkippedEntity(SkippedEntity<'a>),
    /// The document says late that it is in another encoding than the one it is read in.
    EncodingChange(EncodingChange<'a>),
    /// Something that was repaired; only where errors were asked for.
    ParseError(ParseError<'a>),
    /// Attributes that come late to an element which is open, in balanced HTML.
    Attributes(AddedAttributes<'a>),
}

impl<'a> Event<'a> {
    /// Where the event stands in the input.
    ///
    /// ```
    /// use tagstream::{Parser, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default());
    /// parser.feed("<a>text</a>");
    /// parser.next_event()?;
    /// let Some(event) = parser.next_event()? else { panic!() };
    /// assert_eq!((event.span().start, event.span().end), (3, 7));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn span(&self) -> Span {
        self.part().span()
    }

    /// Line and column of its beginning.
    ///
    /// ```
    /// use tagstream::{Parser, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default());
    /// parser.feed("\n  <a>");
    /// let Some(event) = parser.next_event()? else { panic!() };
    /// assert_eq!(event.position().to_string(), "2:3");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn position(&self) -> Position {
        self.part().position()
    }

    /// Whether it is elsewhere in the tree than in the events, or ended earlier there: only in balanced HTML,
    /// see [`html`](crate::html#balanced-events).
    ///
    /// ```
    /// use tagstream::{Events, Html};
    ///
    /// let mut events = Events::of(Html::default(), "<table>text</table>").balanced();
    /// let mut moved = 0;
    /// while let Some(event) = events.next_event()? {
    ///     moved += usize::from(event.is_moved());
    /// }
    /// assert_eq!(moved, 1);
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    #[inline(always)]
    pub fn is_moved(&self) -> bool {
        self.part().is_moved()
    }

    /// How many bytes of UTF-8 it is written in.
    #[inline(always)]
    pub(crate) fn length(&self) -> u32 {
        let record = self.part().record;
        record.end - record.start
    }

    #[inline(always)]
    fn part(&self) -> Part<'a> {
        match self {
            Event::Start(tag) => tag.part,
            Event::End(tag) => tag.part,
            Event::Text(text) => text.part,
            Event::Comment(comment) => comment.part,
            Event::ProcessingInstruction(instruction) => instruction.part,
            Event::Doctype(doctype) => doctype.part,
            Event::Declaration(declaration) => declaration.part,
            Event::SkippedEntity(entity) => entity.part,
            Event::EncodingChange(change) => change.part,
            Event::ParseError(error) => error.part,
            Event::Attributes(added) => added.part,
        }
    }

    /// The same event with strings of its own.
    ///
    /// ```
    /// use tagstream::{Event, Events, Xml};
    ///
    /// let mut events = Events::of(Xml::default(), "<a><!--one--><b/><!--two--></a>");
    /// let mut comments = Vec::new();
    /// while let Some(event) = events.next_event()? {
    ///     if let Event::Comment(_) = event {
    ///         comments.push(event.to_owned());
    ///     }
    /// }
    /// assert_eq!(comments.len(), 2);
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn to_owned(&self) -> OwnedEvent {
        OwnedEvent::new(self.part())
    }

    /// The same, in the memory of another one: for programs that keep few of many events.
    ///
    /// ```
    /// use tagstream::{Event, OwnedEvent, Parser, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default());
    /// parser.feed("<list><a/><b/></list>");
    /// let mut last: Option<OwnedEvent> = None;
    /// while let Some(event) = parser.next_event()? {
    ///     if let Event::Start(_) = event {
    ///         match &mut last {
    ///             Some(last) => event.clone_into(last),
    ///             None => last = Some(event.to_owned()),
    ///         }
    ///     }
    /// }
    /// assert_eq!(format!("{last:?}"), "Some(Start(<b/>))");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn clone_into(&self, owned: &mut OwnedEvent) {
        owned.assign(self.part());
    }
}

/// Who is given an event.
pub(crate) trait Receive<'a> {
    type Answer;

    fn receive(self, event: Event<'a>) -> Self::Answer;
}

impl<'a, T, F: FnOnce(Event<'a>) -> T> Receive<'a> for F {
    type Answer = T;

    #[inline(always)]
    fn receive(self, event: Event<'a>) -> T {
        self(event)
    }
}

/// Lends the event of a record: all of them are alike, so that it is a matter of one number which one
/// it is.
#[inline(always)]
pub(crate) fn lend<'a, R: Receive<'a>>(part: Part<'a>, to: R) -> R::Answer {
    to.receive(match part.record.kind {
        Kind::Start => Event::Start(StartTag { part }),
        Kind::End => Event::End(EndTag { part }),
        Kind::Text => Event::Text(Text { part }),
        Kind::Comment => Event::Comment(Comment { part }),
        Kind::ProcessingInstruction => Event::ProcessingInstruction(ProcessingInstruction { part }),
        Kind::Doctype => Event::Doctype(Doctype { part }),
        Kind::Declaration => Event::Declaration(XmlDeclaration { part }),
        Kind::SkippedEntity => Event::SkippedEntity(SkippedEntity { part }),
        Kind::EncodingChange => Event::EncodingChange(EncodingChange { part }),
        Kind::Error => Event::ParseError(ParseError { part }),
        Kind::Attributes => Event::Attributes(AddedAttributes { part }),
        // Whose parser looks after it.
        Kind::Kept => Event::Text(Text { part }),
    })
}
