//! The representation of a copied event: [`EventCopy`] is a box with an [`OwnedData`].
//!
//! `owned.rs` explains the layout, and creates the events.

use super::details::{DeclarationDetails, DoctypeDetails};
use super::in_entity::InEntity;
use super::packing::{AttributeRecord, Format};
use super::record::Record;
#[cfg(feature = "serde")]
use crate::engine::error::EntityPlace;
use crate::engine::error::{ErrorCode, Related};
use crate::engine::input::BufferOffset;
use crate::engine::input::anchor::Anchor;
use crate::engine::input::line_index::LineIndex;
use crate::engine::input::raw::Side;
use crate::engine::namespaces::index_of;
use crate::engine::scan::Packed;
use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;

/// A copy of one event, with its own strings.
#[derive(Clone)]
pub(crate) struct EventCopy(pub(super) Box<OwnedData>);

/// The contents of an owned event: a copy of the event's record, its strings, and its position.
#[derive(Clone)]
pub(crate) struct OwnedData {
    pub(super) record: Record,
    /// The strings, followed by the packed attributes. The strings of a tag are its source and the strings that
    /// differ from the source; other events have no source.
    pub(super) strings: Packed,
    /// The first two of the namespaces that the tag refers to and that the document declares; `None` if there are
    /// fewer.
    pub(super) first: Option<Arc<str>>,
    pub(super) second: Option<Arc<str>>,
    pub(super) apart: Option<Box<Apart>>,
    /// Offset of the event's start in the input, in bytes.
    pub(super) offset: u64,
    pub(super) place: LineColumn,
}

/// The line and column of the event's start, as 32-bit numbers. `line` is 0 if a number does not fit; then
/// [`Apart::anchor`] has the position.
#[derive(Clone, Copy)]
pub(super) struct LineColumn {
    pub(super) line: u32,
    pub(super) column: u32,
    pub(super) column_utf16: u32,
    pub(super) after_cr: bool,
}

impl LineColumn {
    pub(super) const START: LineColumn = LineColumn {
        line: 1,
        column: 1,
        column_utf16: 1,
        after_cr: false,
    };

    #[inline(always)]
    pub(super) fn of(anchor: &Anchor) -> LineColumn {
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
pub(super) struct Apart {
    /// Corrections of positions, if the source of the event differs from the bytes of the input because of another
    /// encoding, replaced newlines or ill-formed bytes.
    pub(super) lines: Option<LineIndex>,
    /// The position of the event's start, if its numbers do not fit into 32 bits.
    pub(super) anchor: Option<Anchor>,
    /// The third and further namespaces, declared by the document, that the tag refers to.
    pub(super) namespaces: Vec<Arc<str>>,
    pub(super) doctype: Option<DoctypeDetails>,
    pub(super) declaration: Option<DeclarationDetails>,
    /// The code of a parse error; `None` for other events.
    pub(super) code: Option<ErrorCode>,
    /// The location of a parse error in an external entity.
    pub(super) entity: Option<InEntity>,
    /// The related location that a parse error refers to.
    pub(super) related: Option<Related>,
    /// The location of a deserialized parse error in an external entity. It replaces `entity`, which refers to data
    /// of the parser that read the entity.
    #[cfg(feature = "serde")]
    pub(super) entity_place: Option<Box<EntityPlace>>,
    /// The positions of parts of a deserialized tag in its input, if they cannot be counted from the start of the
    /// tag; in order.
    #[cfg(feature = "serde")]
    pub(super) spots: Vec<Spot>,
}

/// A byte offset in the source of a tag, and the offset in the input that belongs to it. The two are stored if they
/// cannot be computed from each other, because the input was not UTF-8.
#[cfg(feature = "serde")]
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    /// Offset in the source of the tag.
    pub(super) mark: BufferOffset,
    /// True if the offset is the end of a part of the tag, false if it is the start.
    pub(super) is_end: bool,
    /// Offset in the input, in bytes.
    pub(super) offset: u64,
}

#[cfg(feature = "serde")]
impl Apart {
    /// Returns the offset in the input that belongs to an offset in the tag, or `None` if no positions are stored.
    /// `side` says whether a part of the tag starts or ends there. The result is counted from the nearest stored
    /// position before the offset.
    fn spot(&self, mark: BufferOffset, side: Side) -> Option<u64> {
        let is_end = matches!(side, Side::End);
        let key = |spot: &Spot| (spot.mark, spot.is_end);
        let at = self
            .spots
            .partition_point(|spot| key(spot) <= (mark, is_end));
        let spot = self.spots.get(at.checked_sub(1)?)?;
        Some(spot.offset + u64::from(mark - spot.mark))
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

    /// Returns the stored positions of parts of the tag.
    #[cfg(feature = "serde")]
    pub(super) fn spots(&self) -> &[Spot] {
        self.apart.as_ref().map_or(&[], |apart| &apart.spots)
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

crate::checkpoint::checkpointable! {
    struct EventCopy(data);
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

#[cfg(feature = "serde")]
crate::checkpoint::checkpointable! {
    struct Spot { mark, is_end, offset }
}
