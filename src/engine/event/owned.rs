//! Events that own their strings.
//!
//! [`OwnedEvent`] is a box with a [`OwnedData`], which contains a copy of the event's record. All strings are in one
//! buffer, which is the event's buffered text and its scratch buffer at the same time, so [`Part`] reads owned and
//! borrowed events alike:
//!
//! ```text
//! a tag          <A B="1&amp;2">a1&2b<NUL>0123456789ABCDEF
//!                |-------------|---------|---------------|
//!                source         cleaned   packed attributes, which are not text
//!
//! other events   Tom & Jerry
//!                |---------|
//!                cleaned, even if the string equals its source
//! ```
//!
//! Offsets count from the start of the event. Its position in the input is stored once, and positions within the
//! event are counted from there. Data that few events have is in a further box, [`Apart`].
//!
//! `restored.rs` creates owned events from deserialized values.

#[cfg(feature = "serde")]
mod restored;

#[cfg(feature = "serde")]
pub(crate) use restored::{RestoredAttribute, RestoredTag};

use super::packing::{self, Format};
use super::part::AttributeRecord;
use super::record::{
    CLEANED, DeclarationDetails, DoctypeDetails, IN_CDATA, InEntity, MORE, MOVED, NAME_CLEANED,
    Payload, RESUMED, Record, RecordKind, TARGET_CLEANED, VALUE_CLEANED,
};
use super::strings::{Cleaned, ScratchOffset};
use super::{Event, Holder, Part, StartTag};
#[cfg(feature = "serde")]
use crate::engine::error::EntityPlace;
use crate::engine::error::{ErrorCode, Related, Span};
use crate::engine::input::BufferOffset;
use crate::engine::input::line_index::{Anchor, LineIndex};
use crate::engine::input::raw::Side;
use crate::engine::namespaces::index_of;
use crate::engine::scan::Packed;
use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

/// An event that owns its strings. It can be stored, serialized and sent to another thread.
/// [`event`](OwnedEvent::event) borrows the [`Event`], on which a program can match.
///
/// ```
/// use tagstream::{Event, Parser, Xml};
///
/// let mut parser = Parser::new(Xml::default());
/// parser.feed("<a b='c'>");
/// let owned = parser.next().unwrap()?;
/// drop(parser);
/// let Event::Start(tag) = owned.event() else { panic!() };
/// assert_eq!(tag.attribute("b"), Some("c"));
/// # Ok::<(), tagstream::Error>(())
/// ```
#[derive(Clone)]
pub struct OwnedEvent(Box<OwnedData>);

/// The contents of an owned event: a copy of the event's record, its strings, and its position.
#[derive(Clone)]
pub(crate) struct OwnedData {
    record: Record,
    /// The strings, followed by the packed attributes. The strings of a tag are its source and the strings that
    /// differ from the source; other events have no source.
    strings: Packed,
    /// The first two of the namespaces that the tag refers to and that the document declares; `None` if there are
    /// fewer.
    first: Option<Arc<str>>,
    second: Option<Arc<str>>,
    apart: Option<Box<Apart>>,
    /// Offset of the event's start in the input, in bytes.
    offset: u64,
    place: LineColumn,
}

/// The line and column of the event's start, as 32-bit numbers. `line` is 0 if a number does not fit; then
/// [`Apart::anchor`] has the position.
#[derive(Clone, Copy)]
struct LineColumn {
    line: u32,
    column: u32,
    column_utf16: u32,
    after_cr: bool,
}

impl LineColumn {
    const START: LineColumn = LineColumn {
        line: 1,
        column: 1,
        column_utf16: 1,
        after_cr: false,
    };

    #[inline(always)]
    fn of(anchor: &Anchor) -> LineColumn {
        // The column in UTF-16 code units is never less than the column in characters.
        let is_small = (anchor.line | anchor.column_utf16) >> 32 == 0;
        LineColumn {
            line: if is_small { anchor.line as u32 } else { 0 },
            column: anchor.column as u32,
            column_utf16: anchor.column_utf16 as u32,
            after_cr: anchor.after_cr,
        }
    }

    fn anchor(self) -> Anchor {
        Anchor {
            mark: BufferOffset::ZERO,
            line: self.line.into(),
            column: self.column.into(),
            column_utf16: self.column_utf16.into(),
            after_cr: self.after_cr,
        }
    }
}

/// Data that few owned events have, in an allocation of its own.
#[derive(Clone, Debug, Default)]
struct Apart {
    /// Corrections of positions, if the source of the event differs from the bytes of the input because of another
    /// encoding, replaced newlines or ill-formed bytes.
    lines: Option<LineIndex>,
    /// The position of the event's start, if its numbers do not fit into 32 bits.
    anchor: Option<Anchor>,
    /// The third and further namespaces, declared by the document, that the tag refers to.
    namespaces: Vec<Arc<str>>,
    doctype: Option<DoctypeDetails>,
    declaration: Option<DeclarationDetails>,
    /// The code of a parse error; `None` for other events.
    code: Option<ErrorCode>,
    /// The location of a parse error in an external entity.
    entity: Option<InEntity>,
    /// The related location that a parse error refers to.
    related: Option<Related>,
    /// The location of a deserialized parse error in an external entity. It replaces `entity`, which refers to data
    /// of the parser that read the entity.
    #[cfg(feature = "serde")]
    entity_place: Option<Box<EntityPlace>>,
    /// The positions of parts of a deserialized tag in its input, if they cannot be counted from the start of the
    /// tag; in order.
    #[cfg(feature = "serde")]
    spots: Vec<restored::Spot>,
}

impl OwnedEvent {
    /// Creates a copy of a borrowed event.
    #[inline]
    pub(crate) fn new(part: Part<'_>) -> OwnedEvent {
        let mut kept = Box::new(OwnedData::EMPTY);
        kept.assign(part);
        OwnedEvent(kept)
    }

    /// Replaces this event by a copy of a borrowed event. The memory of its strings is reused.
    pub(super) fn assign(&mut self, part: Part<'_>) {
        self.0.strings.clear();
        (self.0.first, self.0.second, self.0.apart) = (None, None, None);
        self.0.assign(part);
    }

    /// Joins a piece of text to this event, if the piece directly follows this one in the input and both are short.
    /// Returns whether the piece was joined.
    pub(crate) fn join(&mut self, part: Part<'_>) -> bool {
        const MAX_JOINED_BYTES: usize = 4 << 10;
        let OwnedData {
            record,
            strings,
            apart,
            offset,
            ..
        } = &mut *self.0;
        let next = part.record;
        let end = *offset + u64::from(record.end - record.start);
        let is_joined = record.kind == RecordKind::Text
            && next.kind == RecordKind::Text
            && next.flags & RESUMED != 0
            && (record.flags ^ next.flags) & (MOVED | IN_CDATA) == 0
            && apart.is_none()
            && part.holder.is_plain()
            && part.holder.offset(next.start, Side::Start) == end
            && strings.text().len() + part.first().len() <= MAX_JOINED_BYTES;
        if is_joined {
            let (_, length) = strings.push(part.first());
            *record = record.cleaned(Cleaned::of(0, length));
            record.end += next.end - next.start;
            record.flags = record.flags & !MORE | next.flags & MORE;
        }
        is_joined
    }

    pub(crate) fn record(&self) -> &Record {
        &self.0.record
    }

    /// Returns the record, to change its flags.
    pub(crate) fn record_mut(&mut self) -> &mut Record {
        &mut self.0.record
    }

    /// Returns the borrowed event.
    ///
    /// ```
    /// use tagstream::{Event, Events, Xml};
    ///
    /// let kept = Events::of(Xml::default(), "<a>text</a>").collect::<Result<Vec<_>, _>>()?;
    /// assert!(matches!(kept[0].event(), Event::Start(tag) if tag.name() == "a"));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    #[inline]
    pub fn event(&self) -> Event<'_> {
        Event::of(self.part())
    }

    pub(super) fn part(&self) -> Part<'_> {
        Part {
            record: &self.0.record,
            holder: Holder::Owned(&self.0),
        }
    }

    /// Returns the range of bytes of the event in the input.
    ///
    /// ```
    /// use tagstream::{Events, Xml};
    ///
    /// let kept = Events::of(Xml::default(), "<a>text</a>").collect::<Result<Vec<_>, _>>()?;
    /// assert_eq!((kept[1].span().start, kept[1].span().end), (3, 7));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn span(&self) -> Span {
        self.event().span()
    }
}

impl OwnedData {
    const EMPTY: OwnedData = OwnedData {
        record: Record::EMPTY,
        strings: Packed::EMPTY,
        first: None,
        second: None,
        apart: None,
        offset: 0,
        place: LineColumn::START,
    };

    /// Fills an empty value with a copy of a borrowed event.
    ///
    /// PERF: short strings need no allocation but the box, and longer ones need one more (`benches/run --only
    /// owned`).
    #[inline]
    fn assign(&mut self, part: Part<'_>) {
        let Record { start, end: _, .. } = *part.record;
        self.record = *part.record;
        self.record.rebase(start);
        self.offset = part.holder.offset(start, Side::Start);
        let anchor = part.holder.anchor(start);
        self.place = LineColumn::of(&anchor);
        if self.place.line == 0 || !part.holder.is_plain() {
            self.keep_place(&part, anchor);
        }
        match part.record.kind {
            RecordKind::Start | RecordKind::Attributes => self.keep_tag(&part),
            RecordKind::End
            | RecordKind::Text
            | RecordKind::Comment
            | RecordKind::SkippedEntity
            | RecordKind::EncodingChange => {
                if part.record.kind == RecordKind::End {
                    let (start, end) = part.record.written_name().unwrap_or_default();
                    self.record.payload = Payload::written_name(start, end);
                }
                let (source, from, to) = part.first_in();
                self.strings.assign(source, from, to);
                self.record = self.record.cleaned(Cleaned::of(0, (to - from) as u32));
                self.record.namespace = self.keep(&part, self.record.namespace);
            }
            RecordKind::ProcessingInstruction
            | RecordKind::Doctype
            | RecordKind::Declaration
            | RecordKind::Error
            | RecordKind::Retained => {
                self.keep_rare(part);
            }
        }
    }

    /// Stores a position that does not fit into [`LineColumn`], and the corrections that convert offsets in the event
    /// to positions.
    #[cold]
    fn keep_place(&mut self, part: &Part<'_>, anchor: Anchor) {
        let anchor = Anchor {
            mark: BufferOffset::ZERO,
            ..anchor
        };
        if self.place.line == 0 {
            self.apart().anchor = Some(anchor);
        }
        #[cfg(feature = "serde")]
        if let Holder::Owned(kept) = part.holder
            && !kept.spots().is_empty()
        {
            self.apart().spots = kept.spots().to_vec();
        }
        let Record { start, end, .. } = *part.record;
        if let Some(lines) = part.holder.lines()
            && !lines.is_plain()
        {
            self.apart().lines = Some(lines.section(start, end, anchor));
        }
    }

    /// Stores a start tag: its source, the strings that differ from the source, and its attributes.
    #[inline]
    fn keep_tag(&mut self, part: &Part<'_>) {
        let Record {
            start, end, flags, ..
        } = *part.record;
        let (mut widest, mut cleaned) = (end - start, 0);
        for attribute in part.attributes() {
            let attribute = attribute.read();
            widest |= packing::widest(&attribute, start);
            cleaned |= attribute.flags & (NAME_CLEANED | VALUE_CLEANED);
        }
        self.record.namespace = self.keep(part, part.record.namespace);
        if (flags & CLEANED) != 0 || cleaned != 0 || !packing::is_small(widest) {
            return self.keep_odd_tag(part, widest, cleaned != 0);
        }
        let (source, from, to) = part.range(start, end);
        let count = part.attributes().len() as u32;
        self.record.payload = Payload::packed(Format::SMALL.number(), count);
        if count == 0 {
            return self.strings.assign(source, from, to);
        }
        let length = part.attributes().len() * Format::SMALL.stride();
        self.strings.reserve(to - from + length);
        self.strings.push(&source[from..to]);
        for attribute in part.attributes() {
            let attribute = attribute.read();
            let namespace = self.keep(part, attribute.namespace);
            let record = packing::small(&attribute, start, namespace);
            self.strings.push_after(&record);
        }
    }

    /// Stores a start tag that is too long for the small format of attributes, or of which a name or value differs from
    /// its source.
    #[cold]
    #[inline(never)]
    fn keep_odd_tag(&mut self, part: &Part<'_>, widest: u32, is_cleaned: bool) {
        let tag = StartTag { part: *part };
        let Record { start, end, .. } = *part.record;
        let source = part.source(start, end);
        let name = (part.record.flags & CLEANED != 0).then(|| part.first());
        let count = tag.attributes().len();
        let mut length = source.len() + name.map_or(0, str::len);
        let cleaned = tag.attributes();
        length += cleaned.map(|one| one.cleaned_length()).sum::<usize>();
        let format = Format::new(widest as usize | length | count, is_cleaned);
        self.strings.reserve(length + count * format.stride());
        self.strings.push(source);
        if let Some(name) = name {
            self.record = self.record.cleaned(self.push(name));
        }
        let mut at = ScratchOffset::end_of(self.strings.text());
        self.put_cleaned(&tag);
        self.record.payload = Payload::packed(format.number(), count as u32);
        for attribute in tag.attributes() {
            let mut record = attribute.record();
            record.rebase(start.get());
            at = attribute.place_cleaned(&mut record, at);
            record.namespace = self.keep(part, record.namespace);
            format.write(&record, &mut self.strings);
        }
    }

    /// Appends a string and returns its range.
    fn push(&mut self, string: &str) -> Cleaned {
        let (start, end) = self.strings.push(string);
        Cleaned::of(start, end)
    }

    /// Appends the names and values of attributes that differ from their source.
    fn put_cleaned(&mut self, tag: &StartTag<'_>) {
        for attribute in tag.attributes() {
            if attribute.record().flags & VALUE_CLEANED != 0 {
                self.strings.push(attribute.value());
            }
            if attribute.record().flags & NAME_CLEANED != 0 {
                self.strings.push(attribute.name());
                self.strings.push("\0");
            }
        }
    }

    /// Stores the name of a namespace, given by its index in the parser. Returns its index in this event.
    #[inline(always)]
    fn keep(&mut self, part: &Part<'_>, index: u32) -> u32 {
        let Some(name) = part.holder.declared(index) else {
            return index;
        };
        for (place, kept) in [&mut self.first, &mut self.second].into_iter().enumerate() {
            match kept {
                Some(kept) if !Arc::ptr_eq(kept, name) => {}
                Some(_) => return index_of(place),
                None => {
                    *kept = Some(Arc::clone(name));
                    return index_of(place);
                }
            }
        }
        self.keep_further(name)
    }

    /// Stores the name of a namespace that is neither `first` nor `second`. Returns the index by which the record
    /// refers to that name.
    #[inline(never)]
    fn keep_further(&mut self, name: &Arc<str>) -> u32 {
        let kept = &mut self.apart().namespaces;
        // Search only the last few: a hostile document may declare any number of namespaces.
        let from = kept.len().saturating_sub(8);
        let mut last = kept[from..].iter();
        let at = last.position(|other| Arc::ptr_eq(other, name));
        let at = at.map_or(kept.len(), |at| from + at);
        if at == kept.len() {
            kept.push(Arc::clone(name));
        }
        index_of(at + 2)
    }

    /// Stores the contents of an event that is neither a tag, nor text, nor a comment.
    #[cold]
    fn keep_rare(&mut self, part: Part<'_>) {
        self.record.payload = Payload::NONE;
        match Event::of(part) {
            Event::ProcessingInstruction(instruction) => {
                let (target, data) = (instruction.target(), instruction.data());
                self.strings.reserve(target.len() + data.len());
                self.record.payload = Payload::cleaned_target(self.push(target));
                self.record.flags |= TARGET_CLEANED;
                self.record = self.record.cleaned(self.push(data));
            }
            Event::Doctype(doctype) => self.apart().doctype = Some(doctype.details().clone()),
            Event::Declaration(declaration) => {
                self.apart().declaration = Some(declaration.details().clone());
            }
            Event::ParseError(error) => {
                let entity = error.in_entity().cloned();
                self.record.payload = Payload::error(0, u32::from(entity.is_some()));
                let apart = self.apart();
                apart.code = Some(error.code());
                apart.related = error.related();
                apart.entity = entity;
                #[cfg(feature = "serde")]
                if let Holder::Owned(kept) = error.part.holder {
                    let place = kept
                        .apart
                        .as_ref()
                        .and_then(|apart| apart.entity_place.clone());
                    apart.entity_place = place;
                }
            }
            _ => {}
        }
    }

    /// Returns the data in [`Apart`], which is created if it does not exist.
    fn apart(&mut self) -> &mut Apart {
        self.apart.get_or_insert_default()
    }
}

/// Methods that return the data that the borrowed event refers to.
impl OwnedData {
    #[inline(always)]
    pub(super) fn text(&self) -> &str {
        self.strings.text()
    }

    /// Returns the packed attribute at an index.
    #[inline(always)]
    pub(super) fn attribute(&self, index: u32) -> AttributeRecord<'_> {
        let format = Format::from_number(self.record.packed().0);
        AttributeRecord::Packed(format, format.record(self.strings.bytes_after(), index))
    }

    /// Returns the name of the namespace with this index, if the document declares that namespace. Returns `None` for
    /// predefined namespaces.
    #[inline]
    pub(super) fn declared(&self, index: u32) -> Option<&Arc<str>> {
        let further = || Some(&*self.apart.as_ref()?.namespaces);
        match index.checked_sub(index_of(0))? {
            0 => self.first.as_ref(),
            1 => self.second.as_ref(),
            place => further()?.get(place as usize - 2),
        }
    }

    /// Returns the corrections of positions, if the source of the event differs from the bytes of the input.
    pub(super) fn lines(&self) -> Option<&LineIndex> {
        self.apart.as_ref()?.lines.as_ref()
    }

    /// Returns the offset in the input, in bytes, that belongs to an offset in the event. `side` matters only within
    /// the text of one encoded sequence: see [`Side`].
    pub(super) fn offset(&self, mark: BufferOffset, side: Side) -> u64 {
        #[cfg(feature = "serde")]
        if let Some(apart) = &self.apart
            && let Some(offset) = apart.spot(mark, side)
        {
            return offset;
        }
        match self.lines() {
            Some(lines) => lines.offset(mark, side),
            None => self.offset + u64::from(mark.get()),
        }
    }

    /// Returns the line and column of an offset in the event.
    pub(super) fn anchor(&self, mark: BufferOffset) -> Anchor {
        let passed = match mark {
            BufferOffset::ZERO => &[],
            _ => &self.text().as_bytes()[..mark.index()],
        };
        let large = self.apart.as_ref().and_then(|apart| apart.anchor);
        let from = large.unwrap_or_else(|| self.place.anchor());
        match self.lines() {
            Some(lines) => lines.after(from, passed),
            None => from.after(passed),
        }
    }

    pub(super) fn doctype(&self) -> Option<&DoctypeDetails> {
        self.apart.as_ref()?.doctype.as_ref()
    }

    pub(super) fn declaration(&self) -> Option<&DeclarationDetails> {
        self.apart.as_ref()?.declaration.as_ref()
    }

    pub(super) fn codes(&self) -> &[ErrorCode] {
        let code = self.apart.as_ref().and_then(|apart| apart.code.as_ref());
        code.map_or(&[], core::slice::from_ref)
    }

    /// Returns whether positions are counted from the start of the event, without corrections.
    pub(super) fn is_plain(&self) -> bool {
        #[cfg(feature = "serde")]
        if !self.spots().is_empty() {
            return false;
        }
        self.lines().is_none_or(LineIndex::is_plain)
    }

    /// Returns the location of a deserialized parse error in an external entity.
    #[cfg(feature = "serde")]
    pub(super) fn entity_place(&self) -> Option<&EntityPlace> {
        self.apart.as_ref()?.entity_place.as_deref()
    }

    pub(super) fn related(&self) -> Option<&Related> {
        self.apart.as_ref()?.related.as_ref()
    }

    pub(super) fn in_entities(&self) -> &[InEntity] {
        let entity = self.apart.as_ref().and_then(|apart| apart.entity.as_ref());
        entity.map_or(&[], core::slice::from_ref)
    }
}

impl fmt::Debug for OwnedEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.event().fmt(f)
    }
}

crate::checkpoint::checkpointable! {
    struct OwnedEvent(data);
    struct OwnedData { record, strings, first, second, apart, offset, place }
    struct LineColumn { line, column, column_utf16, after_cr }
    struct Apart {
        lines, anchor, namespaces, doctype, declaration, code, entity, related,
        #[cfg(feature = "serde")]
        entity_place,
        #[cfg(feature = "serde")]
        spots,
    }
}
