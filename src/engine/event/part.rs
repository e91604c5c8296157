//! The representation of a borrowed event: a reference to its record, and one to the owner of the data that the
//! record's ranges refer to.
//!
//! The owner is a parser ([`ParserData`]) or an owned event ([`OwnedData`]). [`Part`] combines both and is the only
//! field of [`StartTag`](super::StartTag), [`Text`](super::Text) and the other parts of events. No string and no
//! position is computed before a method asks for it, so returning an event is cheap.

#[cfg(feature = "serde")]
use super::attribute::Attribute;
use super::details::{DeclarationDetails, DoctypeDetails};
use super::in_entity::InEntity;
use super::owned_data::OwnedData;
use super::packing::AttributeRecord;
use super::queue::Queue;
use super::record::{
    Attr, FROM_ENTITY, INCOMPLETE, MOVED, NAME_CLEANED, Record, RecordKind, TEXT_FROM_ENTITY,
    VALUE_CLEANED,
};
use super::shared_batch::Sharing;
use super::strings::{Cleaned, Str};
use crate::engine::error::{ErrorCode, Position, Related, Span};
use crate::engine::input::BufferOffset;
use crate::engine::input::Input;
use crate::engine::input::anchor::Anchor;
use crate::engine::input::held_text::HeldText;
use crate::engine::input::line_index::LineIndex;
use crate::engine::input::raw::Side;
#[cfg(feature = "select")]
use crate::engine::namespaces::NO_NAMESPACE;
use crate::engine::namespaces::{always, declared, has_prefixes};
use alloc::sync::Arc;
use core::fmt;
use core::ops::Range;

/// The data that a parser's events borrow from: the buffered text with its positions, and the batch of records.
#[derive(Clone, Debug)]
pub struct ParserData {
    pub(crate) input: Input,
    pub(crate) queue: Queue,
    pub(crate) sharing: Sharing,
}

/// The owner of the data that an event borrows: a parser, or an event that owns its strings.
#[derive(Clone, Copy)]
pub(crate) enum Holder<'a> {
    Parser(&'a ParserData),
    Owned(&'a OwnedData),
}

impl ParserData {
    /// Returns the buffered text between two offsets: the part in the retained bytes, and the part in the current chunk.
    pub(crate) fn pieces(&self, from: BufferOffset, to: BufferOffset) -> (&str, &str) {
        let (chunk, chunk_start) = self.input.chunk();
        let zero = BufferOffset::ZERO;
        let (first, second) = (from.min(chunk_start), to.min(chunk_start));
        let retained = self
            .queue
            .retained
            .get(first.index_from(zero)..second.index_from(zero));
        let (first, second) = (from.max(chunk_start), to.max(chunk_start));
        let rest = chunk.get(first.index_from(chunk_start)..second.index_from(chunk_start));
        (retained.unwrap_or_default(), rest.unwrap_or_default())
    }

    /// Returns the current chunk.
    #[inline(always)]
    pub(crate) fn chunk(&self) -> Source<'_> {
        let (text, base) = self.input.chunk();
        Source { text, base }
    }

    /// Returns the buffered text with its positions.
    pub(crate) fn text(&self) -> HeldText<'_> {
        let (chunk, chunk_start) = self.input.chunk();
        HeldText {
            lines: self.input.lines(),
            retained: &self.queue.retained,
            chunk,
            chunk_start,
        }
    }
}

impl<'a> Holder<'a> {
    /// Returns the buffer that contains the byte at the offset `mark` and the rest of its token, and the offset at
    /// which that buffer starts. The buffer is the retained bytes or the current chunk; a token is never split
    /// between the two.
    #[inline(always)]
    pub(super) fn text_at(self, mark: BufferOffset) -> (&'a str, BufferOffset) {
        match self {
            Holder::Parser(data) => {
                let (chunk, chunk_start) = data.input.chunk();
                match mark < chunk_start {
                    true => (&data.queue.retained, BufferOffset::ZERO),
                    false => (chunk, chunk_start),
                }
            }
            Holder::Owned(kept) => (kept.text(), BufferOffset::ZERO),
        }
    }

    #[inline(always)]
    fn scratch(self) -> &'a str {
        match self {
            Holder::Parser(data) => &data.queue.scratch,
            Holder::Owned(kept) => kept.text(),
        }
    }

    /// Returns the number of open elements at the event of a record, or `None` for an owned event.
    pub(super) fn depth(self, record: &Record) -> Option<u64> {
        match self {
            Holder::Parser(data) if data.sharing.is_copy() => None,
            Holder::Parser(data) => data.queue.depth_of(record),
            Holder::Owned(_) => None,
        }
    }

    /// Returns the line index, which converts offsets in the buffered text to positions. Returns `None` if all
    /// positions can be counted from the start of the event, as in most owned events.
    #[inline(always)]
    pub(super) fn lines(self) -> Option<&'a LineIndex> {
        match self {
            Holder::Parser(data) => Some(data.input.lines()),
            Holder::Owned(kept) => kept.lines(),
        }
    }

    /// Returns whether the source of the event equals the bytes of the input, so that its positions can be counted
    /// from its start.
    #[inline(always)]
    pub(super) fn is_plain(self) -> bool {
        match self {
            Holder::Parser(data) => data.input.lines().is_plain(),
            Holder::Owned(kept) => kept.is_plain(),
        }
    }

    /// Returns the offset in the input, in bytes, that belongs to an offset in the buffered text. `side` matters only
    /// within the text of one encoded sequence: see [`Side`].
    #[inline]
    pub(super) fn offset(self, mark: BufferOffset, side: Side) -> u64 {
        match self {
            Holder::Parser(data) => data.input.lines().offset(mark, side),
            Holder::Owned(kept) => kept.offset(mark, side),
        }
    }

    /// Returns the line and column of an offset in the buffered text.
    #[inline(always)]
    pub(super) fn anchor(self, mark: BufferOffset) -> Anchor {
        match self {
            Holder::Parser(data) => {
                let (text, base) = self.text_at(mark);
                data.input.lines().place(mark, text, base)
            }
            Holder::Owned(kept) => kept.anchor(mark),
        }
    }

    /// Returns the name of the namespace with this index, if the document declares that namespace. Returns `None` for
    /// predefined namespaces.
    #[inline(always)]
    pub(crate) fn declared(self, index: u32) -> Option<&'a Arc<str>> {
        match self {
            Holder::Parser(data) => declared(&data.queue.bindings.namespaces, index),
            Holder::Owned(kept) => kept.declared(index),
        }
    }

    /// Returns the contents of a DOCTYPE event, or empty contents if the event has none.
    #[cold]
    pub(super) fn doctype(self) -> &'a DoctypeDetails {
        static NONE: DoctypeDetails = DoctypeDetails::BLANK;
        let details = match self {
            Holder::Parser(data) => data.queue.prologue.doctype.as_deref(),
            Holder::Owned(kept) => kept.doctype(),
        };
        details.unwrap_or(&NONE)
    }

    /// Returns the contents of an XML declaration event.
    #[cold]
    pub(super) fn declaration(self) -> &'a DeclarationDetails {
        static NONE: DeclarationDetails = DeclarationDetails {
            version: None,
            encoding: None,
            standalone: None,
        };
        let details = match self {
            Holder::Parser(data) => data.queue.prologue.declaration.as_deref(),
            Holder::Owned(kept) => kept.declaration(),
        };
        details.unwrap_or(&NONE)
    }

    /// Returns the code of the parse error whose record contains this index.
    #[cold]
    pub(super) fn code(self, index: u32) -> ErrorCode {
        let codes = match self {
            Holder::Parser(data) => &data.queue.errors.codes,
            Holder::Owned(kept) => kept.codes(),
        };
        codes[index as usize]
    }

    /// Returns the location of an error in an external entity. `index` is the number in the error's record, which
    /// counts from 1; 0 means that the error is in no entity.
    #[cold]
    pub(super) fn in_entity(self, index: u32) -> Option<&'a InEntity> {
        let places = match self {
            Holder::Parser(data) => &data.queue.errors.in_entities,
            Holder::Owned(kept) => kept.in_entities(),
        };
        places.get((index as usize).checked_sub(1)?)
    }

    /// Returns the related location that an error refers to. `index` is the index of the error's code.
    #[cold]
    pub(super) fn related(self, index: u32) -> Option<Related> {
        match self {
            Holder::Parser(data) => {
                let referred = &data.queue.errors.referred;
                let at = referred.binary_search_by_key(&index, |(code, _)| *code);
                Some(referred[at.ok()?].1.related(&data.text()))
            }
            Holder::Owned(kept) => kept.related().cloned(),
        }
    }
}

/// Iterator over the records of the attributes of a start tag.
#[derive(Clone)]
pub(super) enum AttributeRecords<'a> {
    Borrowed(core::slice::Iter<'a, Attr>),
    Packed(&'a OwnedData, Range<u32>),
}

impl<'a> Iterator for AttributeRecords<'a> {
    type Item = AttributeRecord<'a>;

    #[inline(always)]
    fn next(&mut self) -> Option<AttributeRecord<'a>> {
        match self {
            AttributeRecords::Borrowed(records) => records.next().map(AttributeRecord::Borrowed),
            AttributeRecords::Packed(kept, rest) => rest.next().map(|index| kept.attribute(index)),
        }
    }

    #[inline(always)]
    fn nth(&mut self, count: usize) -> Option<AttributeRecord<'a>> {
        match self {
            AttributeRecords::Borrowed(records) => {
                records.nth(count).map(AttributeRecord::Borrowed)
            }
            AttributeRecords::Packed(kept, rest) => {
                rest.nth(count).map(|index| kept.attribute(index))
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match self {
            AttributeRecords::Borrowed(records) => records.size_hint(),
            AttributeRecords::Packed(_, rest) => rest.size_hint(),
        }
    }
}

impl ExactSizeIterator for AttributeRecords<'_> {}

impl DoubleEndedIterator for AttributeRecords<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        match self {
            AttributeRecords::Borrowed(records) => {
                records.next_back().map(AttributeRecord::Borrowed)
            }
            AttributeRecords::Packed(kept, rest) => {
                rest.next_back().map(|index| kept.attribute(index))
            }
        }
    }
}

/// Iterator over the names and values of a start tag's attributes.
///
/// PERF: the storage of the records is matched once for each tag, and the rare cases are in functions of
/// their own. `next` is then small enough for the compiler to inline it. Over [`AttributeRecords`], which has
/// two variants, the body of a loop is compiled twice and called out of line, at some 80 instructions for each
/// attribute (`valgrind --tool=callgrind`).
#[derive(Clone)]
pub(crate) struct AttributePairs<'a> {
    /// Records that are left in the parser's queue; empty if an owned event holds the attributes.
    records: core::slice::Iter<'a, Attr>,
    /// The text that names and values are ranges of, unless they were changed (`NAME_CLEANED`, `VALUE_CLEANED`).
    source: Source<'a>,
    part: Part<'a>,
    /// The owned event that holds the attributes, and the indices of those that are left.
    packed: Option<(&'a OwnedData, Range<u32>)>,
}

impl<'a> Iterator for AttributePairs<'a> {
    type Item = (&'a str, &'a str);

    #[inline(always)]
    fn next(&mut self) -> Option<(&'a str, &'a str)> {
        match self.records.next() {
            Some(record) => Some(match record.flags & (NAME_CLEANED | VALUE_CLEANED) {
                0 => (
                    self.source.between(record.name, record.name_end),
                    self.source.between(record.raw, record.raw_end),
                ),
                _ => self.cleaned(record),
            }),
            None if self.packed.is_none() => None,
            None => self.next_packed(),
        }
    }
}

impl<'a> AttributePairs<'a> {
    /// Returns the name and the value of an attribute of which at least one differs from its source.
    #[inline(never)]
    fn cleaned(&self, record: &Attr) -> (&'a str, &'a str) {
        let name = match record.flags & NAME_CLEANED != 0 {
            true => self.part.clean_name(record),
            false => self.source.between(record.name, record.name_end),
        };
        let value = match record.value() {
            Str::Cleaned(value) => self.part.cleaned(value),
            Str::Borrowed(start, end) => self.source.between(start, end),
        };
        (name, value)
    }

    /// Returns the next pair of an attribute that is packed in an owned event.
    #[cold]
    fn next_packed(&mut self) -> Option<(&'a str, &'a str)> {
        let (kept, rest) = self.packed.as_mut()?;
        let record = kept.attribute(rest.next()?).read();
        Some(self.cleaned(&record))
    }
}

/// The buffer that contains the source of a token: the retained bytes, the current chunk, or the strings of an owned
/// event.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a> {
    pub(super) text: &'a str,
    /// Offset, in the buffered text, of the start of `text`.
    pub(super) base: BufferOffset,
}

impl<'a> Source<'a> {
    /// The source of no token.
    const NONE: Source<'a> = Source {
        text: "",
        base: BufferOffset::ZERO,
    };

    /// Returns the text between two offsets of the token.
    #[inline(always)]
    pub(super) fn between(self, from: BufferOffset, to: BufferOffset) -> &'a str {
        cut(
            self.text,
            from.index_from(self.base),
            to.index_from(self.base),
        )
    }

    /// Returns the text between two offsets of the token as bytes, without the check for character boundaries.
    #[inline(always)]
    pub(super) fn bytes_between(self, from: BufferOffset, to: BufferOffset) -> &'a [u8] {
        &self.text.as_bytes()[from.index_from(self.base)..to.index_from(self.base)]
    }
}

/// Returns `text[from..to]`.
///
/// PERF: for a part that is not empty and does not end at the end of the text, as in most strings, this takes half of
/// the comparisons. Together with looking up the [`Source`] once per tag, a read of Gtk-3.0.gir takes 4 million
/// instructions fewer, of 147 (`valgrind --tool=callgrind`, `benches/peers`).
#[inline(always)]
pub(crate) fn cut(text: &str, from: usize, to: usize) -> &str {
    match from < to && to < text.len() {
        true => &text[from..to],
        false => cut_at_edge(text, from, to),
    }
}

#[cold]
#[inline(never)]
fn cut_at_edge(text: &str, from: usize, to: usize) -> &str {
    &text[from..to]
}

/// A borrowed event: its record, and the owner of the data that the record refers to.
#[derive(Clone, Copy)]
pub(crate) struct Part<'a> {
    pub(crate) record: &'a Record,
    pub(crate) holder: Holder<'a>,
}

impl<'a> Part<'a> {
    /// Returns the text between two offsets of the event.
    #[inline(always)]
    pub(super) fn source(&self, from: BufferOffset, to: BufferOffset) -> &'a str {
        let (text, from, to) = self.range(from, to);
        cut(text, from, to)
    }

    /// Returns the text between two offsets of the event as a buffer and a range of indices in it.
    #[inline(always)]
    pub(super) fn range(&self, from: BufferOffset, to: BufferOffset) -> (&'a str, usize, usize) {
        let (text, base) = self.holder.text_at(from);
        (text, from.index_from(base), to.index_from(base))
    }

    /// Returns the source text between two offsets, with line ends as they are in the input.
    pub(super) fn written(&self, from: BufferOffset, to: BufferOffset) -> &'a str {
        let lines = self.holder.lines();
        match lines.and_then(|lines| lines.written(from, to)) {
            Some(written) => written,
            None => self.source(from, to),
        }
    }

    /// Returns a string of the scratch buffer.
    #[inline(always)]
    pub(super) fn cleaned(&self, string: Cleaned) -> &'a str {
        let Cleaned { start, end } = string;
        cut(self.holder.scratch(), start.index(), end.index())
    }

    /// Returns the name of an attribute whose name is in the scratch buffer.
    pub(super) fn clean_name(&self, attribute: &Attr) -> &'a str {
        attribute.clean_name(self.holder.scratch())
    }

    /// Returns the name or data of the event: the string that every kind of record has.
    #[inline(always)]
    pub(super) fn first(&self) -> &'a str {
        let (text, from, to) = self.first_in();
        cut(text, from, to)
    }

    /// Returns the name or data of the event as a buffer and a range of indices in it.
    #[inline(always)]
    pub(crate) fn first_in(&self) -> (&'a str, usize, usize) {
        let (text, base) = match self.record.string() {
            Str::Cleaned(_) => (self.holder.scratch(), BufferOffset::ZERO),
            Str::Borrowed(start, _) => self.holder.text_at(start),
        };
        let (from, to) = self.record.string.indices(base);
        (text, from, to)
    }

    /// Returns true if the name or data of the event equals a string.
    ///
    /// PERF: most names have another length, so that their text is not looked up.
    #[inline(always)]
    pub(super) fn is_first(&self, string: &str) -> bool {
        let (from, to) = self.record.string.indices(BufferOffset::ZERO);
        to - from == string.len() && self.first() == string
    }

    /// Returns the text of a text event.
    #[inline(always)]
    pub(crate) fn text(&self) -> &'a str {
        self.first()
    }

    /// Returns the records of the attributes of a start tag.
    #[inline(always)]
    pub(super) fn attributes(&self) -> AttributeRecords<'a> {
        match self.holder {
            Holder::Parser(data) => {
                let range = self.record.attributes();
                AttributeRecords::Borrowed(data.queue.attributes[range].iter())
            }
            Holder::Owned(kept) => AttributeRecords::Packed(kept, 0..self.record.packed().1),
        }
    }

    /// Returns an iterator over the qualified names and the values of a start tag's attributes.
    #[inline(always)]
    pub(super) fn attribute_pairs(&self) -> AttributePairs<'a> {
        let (records, packed): (&[Attr], _) = match self.holder {
            Holder::Parser(data) => (&data.queue.attributes[self.record.attributes()], None),
            Holder::Owned(kept) => (&[], Some((kept, 0..self.record.packed().1))),
        };
        let first = records
            .first()
            .map_or(BufferOffset::ZERO, |first| first.name);
        let (text, base) = self.holder.text_at(first);
        AttributePairs {
            records: records.iter(),
            source: Source { text, base },
            part: *self,
            packed,
        }
    }

    /// Returns the attribute at an index.
    #[cfg(feature = "serde")]
    #[inline]
    pub(super) fn attribute_at(&self, index: usize) -> Option<Attribute<'a>> {
        let (record, mark) = match self.holder {
            Holder::Parser(data) => {
                let record = data.queue.attributes[self.record.attributes()].get(index)?;
                (AttributeRecord::Borrowed(record), record.name)
            }
            Holder::Owned(kept) => {
                let index = u32::try_from(index).ok();
                let index = index.filter(|index| *index < self.record.packed().1)?;
                (kept.attribute(index), BufferOffset::ZERO)
            }
        };
        let (text, base) = self.holder.text_at(mark);
        Some(Attribute::new(*self, Source { text, base }, record))
    }

    /// Returns the buffer that contains the names and values of the attributes. A tag is contiguous, so the buffer of
    /// the first attribute has them all. The first attribute decides, not the record of the event: an element of HTML
    /// that is opened again has the attributes of another tag.
    #[inline(always)]
    pub(super) fn source_of(&self, attributes: &AttributeRecords<'a>) -> Source<'a> {
        let first = match attributes {
            AttributeRecords::Borrowed(records) => match records.as_slice().first() {
                Some(first) => first.name,
                // PERF: most tags have no attributes, so no buffer is looked up.
                None => return Source::NONE,
            },
            AttributeRecords::Packed(..) => BufferOffset::ZERO,
        };
        let (text, base) = self.holder.text_at(first);
        Source { text, base }
    }

    /// Returns the prefix of the name of a tag, if it has one.
    #[inline(always)]
    pub(super) fn prefix(&self) -> Option<&'a str> {
        match has_prefixes(self.record.namespace) {
            true => split(self.first(), true).0,
            false => None,
        }
    }

    /// Returns the name of a tag without its prefix.
    #[inline(always)]
    pub(crate) fn local_name(&self) -> &'a str {
        split(self.first(), has_prefixes(self.record.namespace)).1
    }

    /// Returns false if the token of the event has no closing delimiter.
    #[inline]
    pub(crate) fn is_complete(&self) -> bool {
        self.record.kind == RecordKind::Text || self.record.flags & INCOMPLETE == 0
    }

    /// Returns whether the event, or a part of its text, comes from the replacement text of an entity.
    pub(crate) fn is_from_entity(&self) -> bool {
        let flag = match self.record.kind {
            RecordKind::Text => TEXT_FROM_ENTITY,
            _ => FROM_ENTITY,
        };
        self.record.flags & flag != 0
    }

    /// Returns whether the event has another place in the tree than in the order of events.
    #[inline(always)]
    pub(super) fn is_moved(&self) -> bool {
        self.record.flags & MOVED != 0
    }

    /// Returns the name of the namespace with this index as the string that the events of a parser share, or `None` if
    /// the name is a constant, as those of HTML are.
    pub(crate) fn shared_namespace(&self, index: u32) -> Option<&'a Arc<str>> {
        self.holder.declared(index)
    }

    /// Returns the name of the namespace with this index.
    pub(crate) fn namespace(&self, index: u32) -> Option<&'a str> {
        match always(index) {
            None => Some(self.holder.declared(index)?),
            always => always,
        }
    }

    /// Returns the range in the input that belongs to two offsets in the buffered text.
    #[inline]
    pub(super) fn span_of(&self, from: BufferOffset, to: BufferOffset) -> Span {
        Span {
            start: self.holder.offset(from, Side::Start),
            end: self.holder.offset(to, Side::End),
        }
    }

    #[inline]
    pub(super) fn span(&self) -> Span {
        self.span_of(self.record.start, self.record.end)
    }

    /// Returns the line and column of an offset in the buffered text.
    #[inline(never)]
    pub(super) fn position_of(&self, mark: BufferOffset) -> Position {
        Position::at(self.holder.anchor(mark))
    }

    pub(super) fn position(&self) -> Position {
        self.position_of(self.record.start)
    }
}

/// Splits a name into its prefix, if it has one and `may_have_prefix` is true, and the local name.
pub(super) fn split(name: &str, may_have_prefix: bool) -> (Option<&str>, &str) {
    match may_have_prefix.then(|| name.split_once(':')).flatten() {
        Some((prefix, local)) => (Some(prefix), local),
        None => (None, name),
    }
}

#[cfg(feature = "select")]
impl<'a> Part<'a> {
    /// Returns the value of the attribute of a start tag that has this name and is in no namespace.
    ///
    /// PERF: compares the lengths of names before their bytes, and reads no other string of the attributes.
    #[inline]
    pub(super) fn attribute_in_no_namespace(&self, name: &str) -> Option<&'a str> {
        let attributes = self.attributes();
        let source = self.source_of(&attributes);
        match attributes {
            AttributeRecords::Borrowed(mut records) => {
                let found = records.find(|record| self.is_plain(record, source, name))?;
                Some(self.value_in(found, source))
            }
            AttributeRecords::Packed(..) => {
                let mut records = attributes.map(|record| record.read());
                let found = records.find(|record| self.is_plain(record, source, name))?;
                Some(self.value_in(&found, source))
            }
        }
    }

    /// Returns true if an attribute has this name and is in no namespace.
    #[inline(always)]
    fn is_plain(&self, record: &Attr, source: Source<'a>, name: &str) -> bool {
        let found = match record.flags & NAME_CLEANED {
            0 => source.bytes_between(record.name, record.name_end),
            _ => self.clean_name(record).as_bytes(),
        };
        found == name.as_bytes() && record.namespace == NO_NAMESPACE
    }

    /// Returns the value of an attribute.
    #[inline(always)]
    fn value_in(&self, record: &Attr, source: Source<'a>) -> &'a str {
        match record.value() {
            Str::Cleaned(value) => self.cleaned(value),
            Str::Borrowed(start, end) => source.between(start, end),
        }
    }
}

impl fmt::Debug for Part<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.span())
    }
}

crate::checkpoint::checkpointable! {
    struct ParserData {
        input, queue; skip sharing = Sharing::default(); then ParserData::validate
    }
}
