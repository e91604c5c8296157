//! Copies of events that own their strings.
//!
//! [`EventCopy`] is a box with an [`OwnedData`], which contains a copy of the event's record. All strings are in one
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

use super::borrowed::Event;
use super::owned_data::{Apart, EventCopy, LineColumn, OwnedData};
use super::packing::{self, Format};
use super::part::{Holder, Part};
use super::record::{
    CLEANED, IN_CDATA, MORE, MOVED, NAME_CLEANED, Payload, RESUMED, Record, RecordKind,
    TARGET_CLEANED, VALUE_CLEANED,
};
use super::strings::{Cleaned, ScratchOffset};
use super::tag::StartTag;
use crate::engine::input::BufferOffset;
use crate::engine::input::anchor::Anchor;
use crate::engine::input::raw::Side;
use crate::engine::namespaces::index_of;
use crate::engine::scan::Packed;
use alloc::boxed::Box;
use alloc::sync::Arc;
use core::fmt;

impl EventCopy {
    /// Creates a copy of a borrowed event.
    #[inline]
    pub(crate) fn new(part: Part<'_>) -> EventCopy {
        let mut kept = Box::new(OwnedData::EMPTY);
        kept.assign(part);
        EventCopy(kept)
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
    #[inline]
    pub(crate) fn event(&self) -> Event<'_> {
        Event::of(self.part())
    }

    pub(super) fn part(&self) -> Part<'_> {
        Part {
            record: &self.0.record,
            holder: Holder::Owned(&self.0),
        }
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

impl fmt::Debug for EventCopy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.event().fmt(f)
    }
}
