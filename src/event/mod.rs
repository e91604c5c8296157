//! Events: what a parser hands out.
//!
//! [`Event`] is one plain enum of borrowed parts; [`OwnedEvent`] keeps one. Positions are worked out
//! when asked for.

mod declared;
mod owned;
mod owned_tag;
mod packing;
mod part;
pub(crate) mod record;
mod same;
mod tag;

pub use declared::{NotationDeclaration, UnparsedEntity};
pub use owned::OwnedEvent;
pub use owned_tag::OwnedTag;
pub use tag::{AddedAttributes, Attribute, Attributes, EndTag, StartTag};

use crate::error::{EntityPlace, ErrorCode, Position, Span};
use core::fmt;
pub(crate) use part::{Held, Holder, Part, position};
use record::{
    CONTINUED, DeclarationDetails, DoctypeDetails, IN_DOCTYPE, InEntity, Kind, MORE, MOVED, NULLS,
    TARGET_CLEANED,
};

/// What was found in the input, lent until the next is asked for.
///
/// Two are the same that say the same, wherever they stand.
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
    pub fn span(&self) -> Span {
        self.part().span()
    }

    /// Line and column of its beginning.
    pub fn position(&self) -> Position {
        self.part().position()
    }

    /// Whether it is elsewhere in the tree than in the events, or ended earlier there: only in balanced HTML,
    /// see [`html`](crate::html#balanced-events).
    #[inline(always)]
    pub fn is_moved(&self) -> bool {
        self.part().record.flags & MOVED != 0
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

/// A run of text.
#[derive(Clone, Copy)]
pub struct Text<'a> {
    pub(crate) part: Part<'a>,
}

impl<'a> Text<'a> {
    /// The text, references resolved and line ends normalised.
    #[inline(always)]
    pub fn as_str(&self) -> &'a str {
        self.part.first()
    }

    /// Whether more of the same run may follow as a further event: only where text was asked for
    /// in pieces.
    pub fn is_piece(&self) -> bool {
        self.part.record.flags & MORE != 0
    }

    /// Whether it goes on with the run of the text event before it, in Sky.
    #[inline(always)]
    pub(crate) fn is_continued(&self) -> bool {
        self.part.record.flags & CONTINUED != 0
    }

    /// Whether there may be U+0000 in it, in HTML.
    #[inline(always)]
    pub(crate) fn may_have_nulls(&self) -> bool {
        self.part.record.flags & NULLS != 0
    }

    /// Whether it is elsewhere in the tree: see [`Html`](crate::html#balanced-events).
    #[inline(always)]
    pub fn is_moved(&self) -> bool {
        self.part.record.flags & MOVED != 0
    }

    /// Where it stands.
    #[inline]
    pub fn span(&self) -> Span {
        self.part.span()
    }

    /// Line and column of its first character.
    pub fn position(&self) -> Position {
        self.part.position()
    }
}

impl fmt::Debug for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

/// A comment.
#[derive(Clone, Copy)]
pub struct Comment<'a> {
    pub(crate) part: Part<'a>,
}

impl<'a> Comment<'a> {
    /// What stands between `<!--` and `-->`, line ends normalised.
    #[inline(always)]
    pub fn as_str(&self) -> &'a str {
        self.part.first()
    }

    /// Whether it is elsewhere in the tree: see [`Html`](crate::html#balanced-events).
    pub fn is_moved(&self) -> bool {
        self.part.record.flags & MOVED != 0
    }

    /// Where it stands.
    pub fn span(&self) -> Span {
        self.part.span()
    }

    /// Line and column of its `<`.
    pub fn position(&self) -> Position {
        self.part.position()
    }
}

impl fmt::Debug for Comment<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<!--{}-->", self.as_str())
    }
}

/// A processing instruction.
#[derive(Clone, Copy)]
pub struct ProcessingInstruction<'a> {
    pub(crate) part: Part<'a>,
}

impl<'a> ProcessingInstruction<'a> {
    /// The target: its first word.
    pub fn target(&self) -> &'a str {
        let record = self.part.record;
        let (start, end) = record.target();
        if record.flags & TARGET_CLEANED != 0 {
            self.part.scratch(start, end)
        } else {
            self.part.source(start, end)
        }
    }

    /// Whether it stands in a DOCTYPE: then it is no part of the tree.
    pub fn is_in_doctype(&self) -> bool {
        self.part.record.flags & IN_DOCTYPE != 0
    }

    /// What follows the target and white space, line ends normalised.
    pub fn data(&self) -> &'a str {
        self.part.first()
    }

    /// Whether it is elsewhere in the tree: see [`Html`](crate::html#balanced-events).
    pub fn is_moved(&self) -> bool {
        self.part.record.flags & MOVED != 0
    }

    /// Where it stands.
    pub fn span(&self) -> Span {
        self.part.span()
    }

    /// Line and column of its `<`.
    pub fn position(&self) -> Position {
        self.part.position()
    }
}

impl fmt::Debug for ProcessingInstruction<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<?{} {}?>", self.target(), self.data())
    }
}

/// A DOCTYPE.
#[derive(Clone, Copy)]
pub struct Doctype<'a> {
    pub(crate) part: Part<'a>,
}

impl<'a> Doctype<'a> {
    fn details(&self) -> &'a DoctypeDetails {
        self.part.holder.doctype()
    }

    /// The name of the root element, as it says.
    pub fn name(&self) -> &'a str {
        &self.details().name
    }

    /// The public identifier.
    pub fn public_id(&self) -> Option<&'a str> {
        self.details().public_id.as_deref()
    }

    /// The system identifier.
    pub fn system_id(&self) -> Option<&'a str> {
        self.details().system_id.as_deref()
    }

    /// The notations that it declares.
    pub fn notations(&self) -> impl Iterator<Item = NotationDeclaration<'a>> {
        self.details()
            .notations
            .iter()
            .map(|details| NotationDeclaration { details })
    }

    /// The unparsed entities that it declares.
    pub fn unparsed_entities(&self) -> impl Iterator<Item = UnparsedEntity<'a>> {
        self.details()
            .unparsed
            .iter()
            .map(|details| UnparsedEntity { details })
    }

    /// Whether it is so wrong that a tree of HTML is to be in quirks mode, whatever it says.
    pub fn force_quirks(&self) -> bool {
        self.details().force_quirks
    }

    /// Where it stands.
    pub fn span(&self) -> Span {
        self.part.span()
    }

    /// Line and column of its `<`.
    pub fn position(&self) -> Position {
        self.part.position()
    }
}

impl fmt::Debug for Doctype<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<!DOCTYPE {}", self.name())?;
        match (self.public_id(), self.system_id()) {
            (None, None) => {}
            (Some(public), None) => write!(f, " PUBLIC {public:?}")?,
            (Some(public), Some(system)) => write!(f, " PUBLIC {public:?} {system:?}")?,
            (None, Some(system)) => write!(f, " SYSTEM {system:?}")?,
        }
        f.write_str(">")
    }
}

/// An XML declaration.
#[derive(Clone, Copy)]
pub struct XmlDeclaration<'a> {
    pub(crate) part: Part<'a>,
}

impl<'a> XmlDeclaration<'a> {
    fn details(&self) -> &'a DeclarationDetails {
        self.part.holder.declaration()
    }

    /// The version: `1.0`.
    pub fn version(&self) -> Option<&'a str> {
        self.details().version.as_deref()
    }

    /// The encoding, as it says.
    pub fn encoding(&self) -> Option<&'a str> {
        self.details().encoding.as_deref()
    }

    /// Whether the document says that it stands alone.
    pub fn standalone(&self) -> Option<bool> {
        self.details().standalone
    }

    /// Where it stands.
    pub fn span(&self) -> Span {
        self.part.span()
    }

    /// Line and column of its `<`.
    pub fn position(&self) -> Position {
        self.part.position()
    }
}

impl fmt::Debug for XmlDeclaration<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Declaration")
            .field("version", &self.version())
            .field("encoding", &self.encoding())
            .field("standalone", &self.standalone())
            .finish()
    }
}

/// A reference to an entity that was not read.
#[derive(Clone, Copy)]
pub struct SkippedEntity<'a> {
    pub(crate) part: Part<'a>,
}

impl<'a> SkippedEntity<'a> {
    /// The entity's name.
    pub fn name(&self) -> &'a str {
        self.part.first()
    }

    /// Where the reference stands.
    pub fn span(&self) -> Span {
        self.part.span()
    }

    /// Line and column of its `&`.
    pub fn position(&self) -> Position {
        self.part.position()
    }
}

impl fmt::Debug for SkippedEntity<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "&{};", self.name())
    }
}

/// The document says late that it is in another encoding than the one it is read in.
#[derive(Clone, Copy)]
pub struct EncodingChange<'a> {
    pub(crate) part: Part<'a>,
}

impl<'a> EncodingChange<'a> {
    /// The name of the encoding that it says.
    pub fn label(&self) -> &'a str {
        self.part.first()
    }

    /// Where it says so.
    pub fn span(&self) -> Span {
        self.part.span()
    }

    /// Line and column of that.
    pub fn position(&self) -> Position {
        self.part.position()
    }
}

impl fmt::Debug for EncodingChange<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.label())
    }
}

/// Something in the input that was wrong and was repaired.
#[derive(Clone, Copy)]
pub struct ParseError<'a> {
    pub(crate) part: Part<'a>,
}

impl<'a> ParseError<'a> {
    /// What was wrong.
    pub fn code(&self) -> ErrorCode {
        self.part.holder.code(self.part.record.code())
    }

    /// Where.
    pub fn span(&self) -> Span {
        self.part.span()
    }

    /// Line and column of that.
    pub fn position(&self) -> Position {
        self.part.position()
    }

    /// Where it is in an external entity, if it is in one: its span is then that of the reference to
    /// that.
    pub fn entity(&self) -> Option<EntityPlace> {
        self.in_entity().map(InEntity::place)
    }

    fn in_entity(&self) -> Option<&'a InEntity> {
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
        write!(
            f,
            "{}: {} ({})",
            self.position(),
            self.code().message(),
            self.code()
        )
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
