//! Construction of owned events from deserialized values.
//!
//! [`EventCopy::restored`] creates an event of a given kind and position without contents, and the other methods of
//! `EventCopy` in this file add the contents.
//!
//! The values may come from an untrusted source. Every offset and length is validated, and a value that no parser
//! could have produced is refused if it would make a method of the event panic.

use crate::engine::error::{EntityPlace, ErrorCode, Position, Related, Span};
use crate::engine::event::details::{DeclarationDetails, DoctypeDetails};
use crate::engine::event::owned_data::{EventCopy, LineColumn, OwnedData, Spot};
use crate::engine::event::packing::Format;
use crate::engine::event::record::{
    Attr, CLEANED, DEFAULTED, DUPLICATES, IMPLIED, NAME_CLEANED, NULLS, PREFIXED, Payload, QUOTED,
    Record, RecordKind, TARGET_CLEANED, VALUE_CLEANED,
};
use crate::engine::event::strings::{Cleaned, ScratchOffset, StringRange};
use crate::engine::input::BufferOffset;
use crate::engine::input::anchor::Anchor;
use crate::engine::namespaces::{
    HTML, HTML_INDEX, MATHML, MATHML_INDEX, NO_NAMESPACE, SVG, SVG_INDEX, XLINK, XLINK_INDEX, XML,
    XML_INDEX, XMLNS, XMLNS_INDEX, index_of,
};
use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;

/// Maximum offset, line and column that a deserialized value may have. The bound leaves room to add lengths without an
/// overflow.
const MAX_POSITION: u64 = 1 << 62;
/// Maximum length in bytes of a deserialized event, and of all its strings together.
const MAX_EVENT_BYTES: u64 = 1 << 31;

/// The reason why a value is refused, as an error message.
pub(crate) type Wrong = &'static str;

/// A deserialized start tag, or deserialized attributes that were added to an element.
pub(crate) struct RestoredTag<'a> {
    pub(crate) name: &'a str,
    /// The source of the tag.
    pub(crate) raw: &'a str,
    /// Length in bytes of the name in the source.
    pub(crate) written: u32,
    pub(crate) has_duplicates: bool,
    pub(crate) attributes: Vec<RestoredAttribute<'a>>,
    /// Offsets in the source of the tag, and the offsets in the input that belong to them, if these cannot be counted
    /// from the start of the tag. The `bool` is true if the offset is the end of a part of the tag, false if it is the
    /// start.
    pub(crate) spots: Vec<(u32, bool, u64)>,
}

/// A deserialized attribute. `name_at` and `value_at` are ranges in the source of the tag.
pub(crate) struct RestoredAttribute<'a> {
    pub(crate) name: &'a str,
    pub(crate) value: &'a str,
    pub(crate) namespace: Option<&'a str>,
    pub(crate) has_prefix: bool,
    pub(crate) name_at: (u32, u32),
    pub(crate) value_at: (u32, u32),
    pub(crate) is_quoted: bool,
    pub(crate) is_defaulted: bool,
}

impl EventCopy {
    /// Creates an event of the given kind, flags and position, without contents.
    pub(crate) fn restored(
        kind: RecordKind,
        flags: u8,
        span: Span,
        position: Position,
    ) -> Result<EventCopy, Wrong> {
        let length = span.end.checked_sub(span.start);
        let length = length.filter(|length| *length <= MAX_EVENT_BYTES && span.end <= MAX_POSITION);
        let length = length.ok_or("no event has this span")?;
        let numbers = [position.line(), position.column(), position.column_utf16()];
        if numbers
            .iter()
            .any(|number| !(1..=MAX_POSITION).contains(number))
        {
            return Err("no event has this position");
        }
        let mut kept = Box::new(OwnedData::EMPTY);
        kept.offset = span.start;
        kept.record = Record::new(kind, BufferOffset::ZERO, BufferOffset::new(length as u32));
        kept.record.flags = flags;
        kept.record.string = StringRange::cleaned(Cleaned::EMPTY);
        kept.record.flags |= CLEANED;
        let anchor = Anchor {
            mark: BufferOffset::ZERO,
            line: position.line(),
            column: position.column(),
            column_utf16: position.column_utf16(),
            after_cr: false,
        };
        kept.place = LineColumn::of(&anchor);
        if (anchor.line | anchor.column | anchor.column_utf16) >> 32 != 0 {
            kept.place.line = 0;
            kept.apart().anchor = Some(anchor);
        }
        Ok(EventCopy(kept))
    }

    /// Sets the name or data of the event.
    pub(crate) fn set_string(&mut self, string: &str) -> Result<(), Wrong> {
        let string = self.0.put(string)?;
        self.0.record = self.0.record.cleaned(string);
        if self.0.record.kind == RecordKind::Text && self.0.text().contains('\0') {
            self.0.record.flags |= NULLS;
        }
        Ok(())
    }

    /// Sets the byte range of the name of an end tag in the input. `tag` is the range of the tag.
    pub(crate) fn set_written_name(&mut self, tag: Span, name: Span) -> Result<(), Wrong> {
        let is_inside = tag.start < name.start && name.start <= name.end && name.end <= tag.end;
        if !is_inside {
            return Err("the byte range of the name is outside the tag");
        }
        // The tag has at most `MAX_EVENT_BYTES` bytes, which fit into an `u32`.
        let (start, end) = (name.start - tag.start, name.end - tag.start);
        self.0.record.payload = Payload::written_name(start as u32, end as u32);
        Ok(())
    }

    /// Sets the target of a processing instruction.
    pub(crate) fn set_target(&mut self, target: &str) -> Result<(), Wrong> {
        self.0.record.payload = Payload::cleaned_target(self.0.put(target)?);
        self.0.record.flags |= TARGET_CLEANED;
        Ok(())
    }

    /// Sets the namespace of a tag.
    pub(crate) fn set_namespace(&mut self, namespace: Option<&str>, has_prefix: bool) {
        self.0.record.namespace = self.0.keep_name(namespace, has_prefix, true);
    }

    /// Sets the contents of a DOCTYPE.
    pub(crate) fn set_doctype(&mut self, doctype: DoctypeDetails) {
        self.0.apart().doctype = Some(doctype);
    }

    /// Sets the contents of an XML declaration.
    pub(crate) fn set_declaration(&mut self, declaration: DeclarationDetails) {
        self.0.apart().declaration = Some(declaration);
    }

    /// Sets the code of a parse error, the related location that it refers to, and its location in an external
    /// entity.
    pub(crate) fn set_error(
        &mut self,
        code: ErrorCode,
        related: Option<Related>,
        entity: Option<EntityPlace>,
    ) {
        let apart = self.0.apart();
        (apart.code, apart.related) = (Some(code), related);
        apart.entity_place = entity.map(Box::new);
        self.0.record.payload = Payload::error(0, 0);
    }

    /// Sets the contents of a start tag: name, source and attributes.
    pub(crate) fn set_tag(&mut self, tag: &RestoredTag<'_>) -> Result<(), Wrong> {
        let kept = &mut *self.0;
        let length = u32::try_from(tag.raw.len()).ok();
        let length = length.filter(|length| u64::from(*length) <= MAX_EVENT_BYTES);
        let length = length.ok_or("the tag is too long")?;
        let is_written = kept.record.flags & IMPLIED == 0;
        kept.record.end = BufferOffset::new(length);
        kept.strings.push(tag.raw);
        let lent = tag.written.checked_add(1).filter(|_| is_written);
        match lent.and_then(|end| Some((end, tag.raw.get(1..end as usize)?))) {
            Some((end, written)) if written == tag.name => {
                kept.record.flags &= !CLEANED;
                kept.record = kept.record.of(BufferOffset::new(1), BufferOffset::new(end));
            }
            Some(_) => {
                kept.record.written = u16::try_from(tag.written).unwrap_or(u16::MAX);
                let name = kept.put(tag.name)?;
                kept.record = kept.record.cleaned(name);
            }
            None if !is_written => {
                let name = kept.put(tag.name)?;
                kept.record = kept.record.cleaned(name);
            }
            None => return Err("the byte range of the name is outside the tag"),
        }
        let mut records = Vec::new();
        for attribute in &tag.attributes {
            records.push(kept.attribute_of(attribute, tag.raw)?);
        }
        if let Some(first) = records.first_mut()
            && tag.has_duplicates
        {
            first.flags |= DUPLICATES;
        }
        let widest = kept.strings.text().len().max(records.len());
        let format = Format::new(widest, true);
        let count = u32::try_from(records.len()).map_err(|_| "too many attributes")?;
        kept.record.payload = Payload::packed(format.number(), count);
        for record in &records {
            format.write(record, &mut kept.strings);
        }
        kept.keep_spots(&tag.spots)
    }
}

impl OwnedData {
    /// Appends a string, unless the event becomes too long. Returns its range.
    fn put(&mut self, string: &str) -> Result<Cleaned, Wrong> {
        match (self.strings.text().len() + string.len()) as u64 <= MAX_EVENT_BYTES {
            true => Ok(self.push(string)),
            false => Err("the event is too long"),
        }
    }

    /// Returns the record of an attribute, after storing those of its strings that differ from their source. `raw` is
    /// the source of the tag.
    fn attribute_of(
        &mut self,
        attribute: &RestoredAttribute<'_>,
        raw: &str,
    ) -> Result<Attr, Wrong> {
        let (name, name_end) = attribute.name_at;
        let (value, value_end) = attribute.value_at;
        let quoted = u32::from(attribute.is_quoted);
        let part = |from: u32, to: u32| raw.get(from as usize..to as usize);
        let (written_name, written_value) = match self.record.flags & IMPLIED == 0 {
            true => {
                let outside = "the byte range of an attribute is outside the tag";
                let is_inside = (value_end as usize) + (quoted as usize) <= raw.len();
                let strings = part(name, name_end).zip(part(value, value_end));
                let (name, value) = strings.filter(|_| is_inside).ok_or(outside)?;
                (Some(name), Some(value))
            }
            // An attribute of an implied tag has no position of its own.
            false => (None, None),
        };
        let mut record = Attr {
            namespace: self.keep_name(attribute.namespace, attribute.has_prefix, false),
            ..Attr::EMPTY
        };
        if written_name.is_some() {
            (record.name, record.name_end) = (BufferOffset::new(name), BufferOffset::new(name_end));
            (record.raw, record.raw_end) = (BufferOffset::new(value), BufferOffset::new(value_end));
        }
        for (flag, is_set) in [
            (QUOTED, attribute.is_quoted),
            (PREFIXED, attribute.has_prefix),
            (DEFAULTED, attribute.is_defaulted),
        ] {
            record.flags |= if is_set { flag } else { 0 };
        }
        if written_value != Some(attribute.value) {
            record.value = self.put(attribute.value)?;
            record.flags |= VALUE_CLEANED;
        }
        if written_name != Some(attribute.name) {
            if attribute.name.contains('\0') {
                return Err("no name has U+0000");
            }
            record.clean_name = ScratchOffset::end_of(self.strings.text());
            record.flags |= NAME_CLEANED;
            self.put(attribute.name)?;
            self.put("\0")?;
        }
        Ok(record)
    }

    /// Stores the positions of parts of the tag in order.
    fn keep_spots(&mut self, spots: &[(u32, bool, u64)]) -> Result<(), Wrong> {
        if spots.is_empty() {
            return Ok(());
        }
        let mut kept = Vec::with_capacity(spots.len());
        for &(mark, is_end, offset) in spots {
            if offset > MAX_POSITION {
                return Err("no event has this span");
            }
            let mark = BufferOffset::new(mark);
            kept.push(Spot {
                mark,
                is_end,
                offset,
            });
        }
        kept.sort_by_key(|spot| (spot.mark, spot.is_end));
        self.apart().spots = kept;
        Ok(())
    }

    /// Stores the name of a namespace and returns its index. Predefined namespaces have a fixed index. The fixed
    /// indices of HTML, SVG and MathML mean that a colon belongs to the local name, so an XML element with a prefix
    /// in one of these namespaces gets an index of its own.
    fn keep_name(&mut self, name: Option<&str>, has_prefix: bool, is_element: bool) -> u32 {
        let Some(name) = name else {
            return NO_NAMESPACE;
        };
        match name {
            XML => return XML_INDEX,
            XMLNS => return XMLNS_INDEX,
            HTML if is_element && !has_prefix => return HTML_INDEX,
            SVG if is_element && !has_prefix => return SVG_INDEX,
            MATHML if is_element && !has_prefix => return MATHML_INDEX,
            XLINK => return XLINK_INDEX,
            _ => {}
        }
        for (place, kept) in [&mut self.first, &mut self.second].into_iter().enumerate() {
            match kept {
                Some(kept) if **kept != *name => {}
                Some(_) => return index_of(place),
                None => {
                    *kept = Some(Arc::from(name));
                    return index_of(place);
                }
            }
        }
        let names = &self.apart().namespaces;
        // Search only the last few: untrusted values may have any number of namespaces.
        let from = names.len().saturating_sub(8);
        let known = names[from..].iter().position(|other| **other == *name);
        match known {
            Some(at) => index_of(from + at + 2),
            None => self.keep_further(&Arc::from(name)),
        }
    }
}
