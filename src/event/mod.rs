//! Events: what a parser hands out.
//!
//! [`Event`] is one plain enum of borrowed parts; [`OwnedEvent`] keeps one. Positions are worked out
//! when asked for.

mod declared;
mod emit;
mod owned;
pub(crate) mod record;
mod tag;

pub use declared::{NotationDeclaration, UnparsedEntity};
pub use owned::OwnedEvent;
pub use tag::{Attribute, Attributes, EndTag, StartTag};

use crate::error::{Code, EntityPlace, Position, Span};
use crate::input::places::Places;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use record::{
    Attr, CLEANED, CONTINUED, DeclarationDetails, DoctypeDetails, IN_DOCTYPE, InEntity, Kind, MORE,
    NULLS, Record, TARGET_CLEANED,
};

/// What was found in the input, lent until the next is asked for.
#[derive(Clone, Copy, Debug)]
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
    Declaration(Declaration<'a>),
    /// A reference to an entity that was not read.
    SkippedEntity(SkippedEntity<'a>),
    /// The document says late that it is in another encoding than the one it is read in.
    EncodingChange(EncodingChange<'a>),
    /// Something that was repaired; only where errors were asked for.
    ParseError(ParseError<'a>),
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
        }
    }

    /// The same event with strings of its own.
    pub fn to_owned(&self) -> OwnedEvent {
        OwnedEvent::new(self)
    }
}

/// What all parts of an event share: the record, and what its ranges are ranges of.
#[derive(Clone, Copy)]
pub(crate) struct Part<'a> {
    pub(crate) record: &'a Record,
    /// The carry-over or the chunk, whichever holds the record, and the mark at which it begins.
    pub(crate) source: &'a str,
    pub(crate) base: u32,
    pub(crate) scratch: &'a str,
    pub(crate) places: &'a Places,
}

impl<'a> Part<'a> {
    #[inline(always)]
    fn source(&self, from: u32, to: u32) -> &'a str {
        &self.source[(from - self.base) as usize..(to - self.base) as usize]
    }

    /// What was written between two marks, line ends that are read as others too.
    fn written(&self, from: u32, to: u32) -> &'a str {
        match self.places.written(from, to) {
            Some(written) => written,
            None => self.source(from, to),
        }
    }

    /// What is read there as bytes, for which nobody looks whether it is whole characters.
    #[inline(always)]
    fn source_bytes(&self, from: u32, to: u32) -> &'a [u8] {
        &self.source.as_bytes()[(from - self.base) as usize..(to - self.base) as usize]
    }

    #[inline(always)]
    fn string(&self, from: u32, to: u32) -> &'a str {
        if self.record.flags & CLEANED != 0 {
            &self.scratch[from as usize..to as usize]
        } else {
            self.source(from, to)
        }
    }

    /// The string that every kind of record has.
    #[inline(always)]
    fn first(&self) -> &'a str {
        self.string(self.record.a, self.record.b)
    }

    #[inline]
    fn span_of(&self, from: u32, to: u32) -> Span {
        Span {
            start: self.places.offset(from),
            end: self.places.offset(to),
        }
    }

    #[inline]
    fn span(&self) -> Span {
        self.span_of(self.record.start, self.record.end)
    }

    fn position_of(&self, mark: u32) -> Position {
        position(self.places, self.source, self.base, mark)
    }

    fn position(&self) -> Position {
        self.position_of(self.record.start)
    }
}

/// Line and column of a mark in `source`, which begins at the mark `base`.
pub(crate) fn position(places: &Places, source: &str, base: u32, mark: u32) -> Position {
    let anchor = places.anchor(mark);
    let from = (anchor.mark.max(base) - base) as usize;
    let place = places.after(anchor, &source.as_bytes()[from..(mark - base) as usize]);
    Position::new(place.line, place.column, place.column_utf16)
}

impl fmt::Debug for Part<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.span())
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
        if record.flags & TARGET_CLEANED != 0 {
            &self.part.scratch[record.c as usize..record.d as usize]
        } else {
            self.part.source(record.c, record.d)
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
    pub(crate) details: &'a DoctypeDetails,
}

impl<'a> Doctype<'a> {
    /// The name of the root element, as it says.
    pub fn name(&self) -> &'a str {
        &self.details.name
    }

    /// The public identifier.
    pub fn public_id(&self) -> Option<&'a str> {
        self.details.public_id.as_deref()
    }

    /// The system identifier.
    pub fn system_id(&self) -> Option<&'a str> {
        self.details.system_id.as_deref()
    }

    /// The notations that it declares.
    pub fn notations(&self) -> impl Iterator<Item = NotationDeclaration<'a>> {
        self.details
            .notations
            .iter()
            .map(|details| NotationDeclaration { details })
    }

    /// The unparsed entities that it declares.
    pub fn unparsed_entities(&self) -> impl Iterator<Item = UnparsedEntity<'a>> {
        self.details
            .unparsed
            .iter()
            .map(|details| UnparsedEntity { details })
    }

    /// Whether it is so wrong that a tree of HTML is to be in quirks mode, whatever it says.
    pub fn force_quirks(&self) -> bool {
        self.details.force_quirks
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
pub struct Declaration<'a> {
    pub(crate) part: Part<'a>,
    pub(crate) details: &'a DeclarationDetails,
}

impl<'a> Declaration<'a> {
    /// The version: `1.0`.
    pub fn version(&self) -> Option<&'a str> {
        self.details.version.as_deref()
    }

    /// The encoding, as it says.
    pub fn encoding(&self) -> Option<&'a str> {
        self.details.encoding.as_deref()
    }

    /// Whether the document says that it stands alone.
    pub fn standalone(&self) -> Option<bool> {
        self.details.standalone
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

impl fmt::Debug for Declaration<'_> {
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
    pub(crate) code: Code,
    pub(crate) entity: Option<&'a InEntity>,
}

impl ParseError<'_> {
    /// What was wrong.
    pub fn code(&self) -> Code {
        self.code
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
        self.entity.map(InEntity::place)
    }
}

impl fmt::Debug for ParseError<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {}", self.code, self.part.span())
    }
}

impl fmt::Display for ParseError<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}: {} ({})",
            self.position(),
            self.code.sentence(),
            self.code
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

/// Lends the event of a record. The rare kinds are left to `rare`, so that what only they need is not
/// fetched for all.
///
/// PERF: it is handed on in each arm, and not the event of any, so that an event is never built in
/// memory and then moved.
#[inline(always)]
pub(crate) fn lend<'a, R: Receive<'a>>(
    part: Part<'a>,
    attributes: &'a [Attr],
    namespaces: &'a [Arc<str>],
    rare: impl FnOnce(Part<'a>) -> Event<'a>,
    to: R,
) -> R::Answer {
    let record = part.record;
    match record.kind {
        Kind::Start => {
            let attributes = &attributes[record.c as usize..record.d as usize];
            to.receive(Event::Start(StartTag {
                part,
                attributes,
                namespaces,
            }))
        }
        Kind::End => to.receive(Event::End(EndTag { part, namespaces })),
        Kind::Text => to.receive(Event::Text(Text { part })),
        Kind::Comment => to.receive(Event::Comment(Comment { part })),
        _ => to.receive(rare(part)),
    }
}

/// What only rare events need.
#[derive(Clone, Copy)]
pub(crate) struct Details<'a> {
    pub(crate) codes: &'a [Code],
    pub(crate) in_entities: &'a [InEntity],
    pub(crate) doctype: Option<&'a DoctypeDetails>,
    pub(crate) declaration: Option<&'a DeclarationDetails>,
}

/// Lends an event that is seldom met.
pub(crate) fn lend_rare<'a>(part: Part<'a>, details: Details<'a>) -> Event<'a> {
    static NO_DOCTYPE: DoctypeDetails = DoctypeDetails {
        name: String::new(),
        public_id: None,
        system_id: None,
        notations: Vec::new(),
        unparsed: Vec::new(),
        force_quirks: false,
    };
    static NO_DECLARATION: DeclarationDetails = DeclarationDetails {
        version: None,
        encoding: None,
        standalone: None,
    };
    match part.record.kind {
        Kind::Doctype => Event::Doctype(Doctype {
            part,
            details: details.doctype.unwrap_or(&NO_DOCTYPE),
        }),
        Kind::Declaration => {
            let details = details.declaration.unwrap_or(&NO_DECLARATION);
            Event::Declaration(Declaration { part, details })
        }
        Kind::SkippedEntity => Event::SkippedEntity(SkippedEntity { part }),
        Kind::EncodingChange => Event::EncodingChange(EncodingChange { part }),
        Kind::Error => {
            let code = details.codes[part.record.c as usize];
            let in_entities = details.in_entities;
            let entity = (part.record.d as usize).checked_sub(1);
            let entity = entity.and_then(|index| in_entities.get(index));
            Event::ParseError(ParseError { part, code, entity })
        }
        _ => Event::ProcessingInstruction(ProcessingInstruction { part }),
    }
}
