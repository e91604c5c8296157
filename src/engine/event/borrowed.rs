//! [`Event`], the enum of all kinds of events; its creation from a record; and [`EventSink`], the trait of consumers.

use super::end_tag::{AddedAttributes, EndTag};
use super::instruction::ProcessingInstruction;
use super::notice::{EncodingChange, ParseError, SkippedEntity};
use super::owned_data::EventCopy;
use super::owned_event::OwnedEvent;
use super::part::{Holder, Part};
use super::prologue::{Doctype, XmlDeclaration};
use super::record::RecordKind;
use super::tag::StartTag;
use super::text::{Comment, Text};
use crate::engine::error::{Position, Span};

/// A part of the input, such as a tag or a run of text. It borrows from the parser until the next event is requested.
///
/// Two events are equal if their contents are equal. Positions are not compared.
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
    /// A start tag: `<a href="x">`. In the XML family, an empty tag (`<a/>`) is followed by an end event.
    Start(StartTag<'a>),
    /// An end tag: `</a>`.
    End(EndTag<'a>),
    /// A run of text, with references resolved and newlines normalized. In XML it includes CDATA sections.
    Text(Text<'a>),
    /// A comment: `<!-- … -->`.
    Comment(Comment<'a>),
    /// A processing instruction: `<?target data?>`.
    ProcessingInstruction(ProcessingInstruction<'a>),
    /// A DOCTYPE.
    Doctype(Doctype<'a>),
    /// An XML declaration: `<?xml version="1.0"?>`.
    Declaration(XmlDeclaration<'a>),
    /// A reference to an entity that was not expanded.
    SkippedEntity(SkippedEntity<'a>),
    /// A late declaration of an encoding that differs from the one in use.
    EncodingChange(EncodingChange<'a>),
    /// A parse error that the parser recovered from. Reported only with
    /// [`Parser::report_errors`](crate::Parser::report_errors).
    ParseError(ParseError<'a>),
    /// Attributes added to an element that is already open, in balanced HTML.
    Attributes(AddedAttributes<'a>),
}

impl<'a> Event<'a> {
    /// Returns the range of bytes of the event in the input.
    #[doc(alias("buffer_position", "source_location"))]
    pub fn span(&self) -> Span {
        self.part().span()
    }

    /// Returns the line and column of the event's start.
    pub fn position(&self) -> Position {
        self.part().position()
    }

    /// Returns whether the event has another place in the tree than in the order of events, or whether the element
    /// ends earlier in the tree. This happens only in balanced HTML: see [`html`](crate::html#balanced-events).
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

    /// Returns false if the token has no closing delimiter: the input ends in a comment, a processing instruction, a
    /// DOCTYPE or a tag; or, in the error recovery of [`MicroXml`](crate::MicroXml), text or other markup begins in a
    /// start tag. Whatever follows such a token in the output of a program would become a part of the token.
    ///
    /// Returns true for text, and for tags that are not in the input.
    ///
    /// ```
    /// use tagstream::{Event, Html, Parser};
    ///
    /// let mut parser = Parser::new(Html::default());
    /// parser.feed("<!--one--><!-- two>");
    /// parser.finish();
    /// let mut complete = Vec::new();
    /// while let Some(event) = parser.next_event()? {
    ///     complete.push(event.is_complete());
    /// }
    /// assert_eq!(complete, [true, false]);
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn is_complete(&self) -> bool {
        self.part().is_complete()
    }

    /// Returns whether the event comes from the replacement text of an entity that the DTD declares. The span of such an
    /// event is that of the reference in the document, which it may share with other events. This happens only in
    /// [`Xml`](crate::Xml).
    ///
    /// A text that contains such a reference is one event, for which this method returns true. The result is false for
    /// character references, for predefined entities (`&amp;`), and for entities that the program has registered
    /// ([`Xml::entity`](crate::Xml::entity)). The content of a DOCTYPE can come from a parameter entity.
    ///
    /// ```
    /// use tagstream::{Parser, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default());
    /// parser.feed("<!DOCTYPE a [<!ENTITY e '<b/>'>]><a>&e;1 &lt; 2</a>");
    /// let mut seen = String::new();
    /// while let Some(event) = parser.next_event()? {
    ///     if event.is_from_entity() {
    ///         seen += &format!("{event:?} ");
    ///         assert_eq!(event.span().len(), "&e;".len() as u64);
    ///     }
    /// }
    /// assert_eq!(seen, "Start(<b/>) End(</b>) ");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn is_from_entity(&self) -> bool {
        self.part().is_from_entity()
    }

    /// Creates the event of a record.
    ///
    /// All variants of [`Event`] have the same content, so the compiler reduces this function to the computation of one
    /// tag number.
    #[inline(always)]
    pub(crate) fn of(part: Part<'a>) -> Event<'a> {
        match part.record.kind {
            RecordKind::Start => Event::Start(StartTag { part }),
            RecordKind::End => Event::End(EndTag { part }),
            RecordKind::Text => Event::Text(Text { part }),
            RecordKind::Comment => Event::Comment(Comment { part }),
            RecordKind::ProcessingInstruction => {
                Event::ProcessingInstruction(ProcessingInstruction { part })
            }
            RecordKind::Doctype => Event::Doctype(Doctype { part }),
            RecordKind::Declaration => Event::Declaration(XmlDeclaration { part }),
            RecordKind::SkippedEntity => Event::SkippedEntity(SkippedEntity { part }),
            RecordKind::EncodingChange => Event::EncodingChange(EncodingChange { part }),
            RecordKind::Error => Event::ParseError(ParseError { part }),
            RecordKind::Attributes => Event::Attributes(AddedAttributes { part }),
            // The caller uses `Event::retained` for this record.
            RecordKind::Retained => Event::Text(Text { part }),
        }
    }

    /// Returns the event of an earlier batch to which a record refers, or `None` for records of all other kinds.
    #[inline]
    pub(crate) fn retained(part: Part<'a>) -> Option<Event<'a>> {
        match part.holder {
            Holder::Parser(data) if part.record.kind == RecordKind::Retained => {
                let event = data.queue.kept.get(part.record.kept())?;
                Some(event.event())
            }
            _ => None,
        }
    }

    /// Returns the length in bytes of the event's source, decoded to UTF-8.
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

    /// Returns a copy of the event that owns its strings.
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
    #[doc(alias = "into_owned")]
    pub fn to_owned(&self) -> OwnedEvent {
        OwnedEvent::of(self.part())
    }

    /// Returns a copy of the event that refers to nothing else, even if a program makes owned events of most events.
    pub(crate) fn copy(&self) -> EventCopy {
        EventCopy::new(self.part())
    }

    /// Copies the event into an existing [`OwnedEvent`] and reuses its memory. This suits programs that keep few of
    /// many events.
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

/// A consumer of events, such as a tree under construction.
pub trait EventSink {
    /// Processes an event.
    fn take(&mut self, event: &Event<'_>);
}

/// Creates the event of a record and passes it to `sink`.
///
/// PERF: `take` is called once for each frequent kind of event, so that the compiler inlines only the part that handles
/// this kind. After [`Event::of`], the sink would match the kind a second time.
#[inline(always)]
pub(crate) fn pass(part: Part<'_>, sink: &mut impl EventSink) {
    match part.record.kind {
        RecordKind::Start => sink.take(&Event::Start(StartTag { part })),
        RecordKind::End => sink.take(&Event::End(EndTag { part })),
        RecordKind::Text => sink.take(&Event::Text(Text { part })),
        _ => pass_rare(part, sink),
    }
}

/// Passes an event to `sink` that is neither a tag nor a text, or that was retained.
#[inline(never)]
fn pass_rare(part: Part<'_>, sink: &mut impl EventSink) {
    let event = Event::retained(part).unwrap_or_else(|| Event::of(part));
    sink.take(&event);
}
