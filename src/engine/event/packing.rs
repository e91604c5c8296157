//! Attributes of owned events, packed into bytes. The packed attributes follow the strings of the event in the same
//! buffer.
//!
//! Most tags are short, so all offsets, flags and indices fit into 16 bits. A [`Format`] says how the attributes of
//! one tag are packed: fields of two or four bytes, and six or nine fields per attribute.
//!
//! ```text
//! fields  name  name_end  raw  raw_end  namespace  flags | value.start  value.end  clean_name
//!         always present                                 | only if some string of the tag is cleaned
//! ```

use super::record::Attr;
use super::strings::{Cleaned, ScratchOffset};
use crate::engine::input::BufferOffset;
use crate::engine::scan::Packed;

/// The record of an attribute: borrowed from the queue of a parser, or packed in an owned event.
#[derive(Clone, Copy)]
pub(super) enum AttributeRecord<'a> {
    Borrowed(&'a Attr),
    Packed(Format, &'a [u8]),
}

impl AttributeRecord<'_> {
    /// Returns the record. The compiler unpacks only those fields of a packed record that the caller uses.
    #[inline(always)]
    pub(super) fn read(&self) -> Attr {
        match self {
            AttributeRecord::Borrowed(record) => **record,
            AttributeRecord::Packed(format, bytes) => format.read(bytes),
        }
    }
}

/// Number of fields of an attribute that has no cleaned string.
const PLAIN: usize = 6;

/// The format in which all attributes of one tag are packed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Format {
    /// True if a field has four bytes, false if it has two.
    is_wide: bool,
    /// True if some attribute of the tag has a cleaned string, so that an attribute has nine fields.
    is_cleaned: bool,
}

impl Format {
    /// The usual format: two bytes for each field, no cleaned strings.
    pub(super) const SMALL: Format = Format {
        is_wide: false,
        is_cleaned: false,
    };

    /// Returns the smallest format whose fields can hold all numbers up to `widest`, the largest offset or length in the tag.
    /// `is_cleaned` is true if some
    /// attribute of the tag has a cleaned string.
    #[inline]
    pub(super) fn new(widest: usize, is_cleaned: bool) -> Format {
        let is_wide = widest > u16::MAX.into();
        Format {
            is_wide,
            is_cleaned,
        }
    }

    /// Returns the number of the format, for the payload of a record.
    #[inline]
    pub(super) fn number(self) -> u32 {
        u32::from(self.is_wide) | u32::from(self.is_cleaned) << 1
    }

    /// Returns the format with the given number.
    #[inline(always)]
    pub(super) fn from_number(number: u32) -> Format {
        Format {
            is_wide: number & 1 != 0,
            is_cleaned: number & 2 != 0,
        }
    }

    /// Returns the size of an attribute in bytes.
    #[inline(always)]
    pub(super) fn stride(self) -> usize {
        let fields = if self.is_cleaned { 9 } else { PLAIN };
        fields * if self.is_wide { 4 } else { 2 }
    }

    /// Appends an attribute to `out`.
    pub(super) fn write(self, attribute: &Attr, out: &mut Packed) {
        let fields = [
            attribute.name.get(),
            attribute.name_end.get(),
            attribute.raw.get(),
            attribute.raw_end.get(),
            attribute.namespace,
            attribute.flags,
            attribute.value.start.get(),
            attribute.value.end.get(),
            attribute.clean_name.get(),
        ];
        for field in &fields[..if self.is_cleaned { 9 } else { PLAIN }] {
            let bytes = field.to_le_bytes();
            out.push_after(if self.is_wide { &bytes } else { &bytes[..2] });
        }
    }

    /// Returns the bytes of the attribute at an index.
    #[inline(always)]
    pub(super) fn record(self, bytes: &[u8], index: u32) -> &[u8] {
        let stride = self.stride();
        &bytes[index as usize * stride..][..stride]
    }

    /// Unpacks an attribute from its bytes.
    #[inline(always)]
    pub(super) fn read(self, bytes: &[u8]) -> Attr {
        Attr {
            name: BufferOffset::new(self.field(bytes, 0)),
            name_end: BufferOffset::new(self.field(bytes, 1)),
            raw: BufferOffset::new(self.field(bytes, 2)),
            raw_end: BufferOffset::new(self.field(bytes, 3)),
            namespace: self.field(bytes, 4),
            flags: self.field(bytes, 5),
            value: Cleaned::of(self.field(bytes, 6), self.field(bytes, 7)),
            clean_name: ScratchOffset::new(self.field(bytes, 8)),
        }
    }

    /// Returns the field at an index, or 0 if the format does not have the field.
    #[inline(always)]
    fn field(self, bytes: &[u8], field: usize) -> u32 {
        if self.is_wide {
            let bytes = bytes.get(4 * field..).and_then(<[u8]>::first_chunk);
            bytes.map_or(0, |bytes| u32::from_le_bytes(*bytes))
        } else {
            let bytes = bytes.get(2 * field..).and_then(<[u8]>::first_chunk);
            bytes.map_or(0, |bytes| u16::from_le_bytes(*bytes).into())
        }
    }
}

/// Returns an upper bound of the attribute's offsets, relative to `start`: their bitwise or, which needs as many bits
/// as the largest of them.
#[inline(always)]
pub(super) fn widest(attribute: &Attr, start: BufferOffset) -> u32 {
    let places = [
        attribute.name,
        attribute.name_end,
        attribute.raw,
        attribute.raw_end,
    ];
    places
        .into_iter()
        .fold(0, |widest, place| widest | place.rebased(start.get()).get())
}

/// Returns whether fields of at most `widest` fit into two bytes.
#[inline(always)]
pub(super) fn is_small(widest: u32) -> bool {
    widest <= u16::MAX.into()
}

/// Packs an attribute in the format [`Format::SMALL`]. `start` is the offset of its tag, from which packed offsets
/// count.
///
/// PERF: built from two integers. The compiler would vectorize stores of single fields, and the load of the vector
/// would wait for the stores.
#[inline(always)]
pub(super) fn small(attribute: &Attr, start: BufferOffset, namespace: u32) -> [u8; 2 * PLAIN] {
    let place = |mark: BufferOffset| u64::from(mark.rebased(start.get()).get());
    let name = place(attribute.name) | place(attribute.name_end) << 16;
    let value = place(attribute.raw) | place(attribute.raw_end) << 16;
    let mut bytes = [0; 2 * PLAIN];
    bytes[..8].copy_from_slice(&(name | value << 32).to_le_bytes());
    bytes[8..].copy_from_slice(&(namespace | attribute.flags << 16).to_le_bytes());
    bytes
}
