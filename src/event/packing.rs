//! Records of attributes as bytes, for an event that owns its strings: they stand behind these, in the
//! same allocation. Fields that are small, as they mostly are, take two bytes each.

use super::record::Attr;
use super::strings::{Cleaned, ScratchOffset};
use crate::input::Mark;
use crate::scan::Packed;

/// How many fields a record has where no string is a cleaned one.
const PLAIN: usize = 6;

/// How the records of one tag are written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Format {
    /// Fields have four bytes.
    is_wide: bool,
    /// Some attribute has a cleaned string.
    is_cleaned: bool,
}

impl Format {
    /// Two bytes for each field, and no string is a cleaned one.
    pub(super) const SMALL: Format = Format {
        is_wide: false,
        is_cleaned: false,
    };

    /// The format of records no field of which is larger.
    #[inline]
    pub(super) fn new(widest: usize, is_cleaned: bool) -> Format {
        let is_wide = widest > u16::MAX.into();
        Format {
            is_wide,
            is_cleaned,
        }
    }

    /// The number of this format, from which it is made again.
    #[inline]
    pub(super) fn number(self) -> u32 {
        u32::from(self.is_wide) | u32::from(self.is_cleaned) << 1
    }

    #[inline(always)]
    pub(super) fn from_number(number: u32) -> Format {
        Format {
            is_wide: number & 1 != 0,
            is_cleaned: number & 2 != 0,
        }
    }

    /// Bytes of a record.
    #[inline(always)]
    pub(super) fn stride(self) -> usize {
        let fields = if self.is_cleaned { 9 } else { PLAIN };
        fields * if self.is_wide { 4 } else { 2 }
    }

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
            out.push_behind(if self.is_wide { &bytes } else { &bytes[..2] });
        }
    }

    /// The bytes of the record of this index.
    #[inline(always)]
    pub(super) fn record(self, bytes: &[u8], index: u32) -> &[u8] {
        let stride = self.stride();
        &bytes[index as usize * stride..][..stride]
    }

    /// A record from its bytes.
    #[inline(always)]
    pub(super) fn read(self, bytes: &[u8]) -> Attr {
        Attr {
            name: Mark::new(self.field(bytes, 0)),
            name_end: Mark::new(self.field(bytes, 1)),
            raw: Mark::new(self.field(bytes, 2)),
            raw_end: Mark::new(self.field(bytes, 3)),
            namespace: self.field(bytes, 4),
            flags: self.field(bytes, 5),
            value: Cleaned::of(self.field(bytes, 6), self.field(bytes, 7)),
            clean_name: ScratchOffset::new(self.field(bytes, 8)),
        }
    }

    /// A field; 0 if there are not so many.
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

/// As large as the largest of the fields that are places in a source that begins at a mark, or larger.
#[inline(always)]
pub(super) fn widest(attribute: &Attr, start: Mark) -> u32 {
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

/// Whether fields that are no larger have two bytes.
#[inline(always)]
pub(super) fn is_small(widest: u32) -> bool {
    widest <= u16::MAX.into()
}

/// The record of an attribute in the format [`Format::SMALL`].
///
/// PERF: in words, of which the compiler makes no vectors that wait for what was just written.
#[inline(always)]
pub(super) fn small(attribute: &Attr, start: Mark, namespace: u32) -> [u8; 2 * PLAIN] {
    let place = |mark: Mark| u64::from(mark.rebased(start.get()).get());
    let name = place(attribute.name) | place(attribute.name_end) << 16;
    let value = place(attribute.raw) | place(attribute.raw_end) << 16;
    let mut bytes = [0; 2 * PLAIN];
    bytes[..8].copy_from_slice(&(name | value << 32).to_le_bytes());
    bytes[8..].copy_from_slice(&(namespace | attribute.flags << 16).to_le_bytes());
    bytes
}
