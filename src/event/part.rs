//! What an event is: a reference to its record and one to who holds what the record's ranges are
//! ranges of. Nothing is looked up before it is asked for, so that an event costs no more to lend than
//! to name. It must not know what kinds of events there are.

use super::owned::Kept;
use super::packing::Format;
use super::record::{Attr, DeclarationDetails, DoctypeDetails, InEntity, MOVED, Queue, Record};
use super::strings::{Cleaned, Str};
use crate::error::{ErrorCode, Position, Related, Span};
use crate::input::Input;
use crate::input::Mark;
use crate::input::held_text::HeldText;
use crate::input::line_index::{Anchor, LineIndex};
use crate::input::raw::Side;
use crate::namespaces::{always, brought, has_prefixes};
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

/// What a parser's events are lent from: the chunk in hand, and the batch of records.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub struct Held {
    pub(crate) input: Input,
    pub(crate) queue: Queue,
}

/// Who lends an event: a parser, or an event that owns its strings.
#[derive(Clone, Copy)]
pub(crate) enum Holder<'a> {
    Parser(&'a Held),
    Owned(&'a Kept),
}

impl Held {
    /// The text that events are lent from.
    pub(crate) fn text(&self) -> HeldText<'_> {
        let (chunk, shift) = self.input.chunk();
        HeldText {
            lines: self.input.lines(),
            retained: &self.queue.retained,
            chunk,
            shift,
        }
    }
}

impl<'a> Holder<'a> {
    /// The text that holds a mark and what of its token follows, and the mark at which it begins: the
    /// retained-over or the chunk.
    #[inline(always)]
    pub(super) fn text_at(self, mark: Mark) -> (&'a str, Mark) {
        match self {
            Holder::Parser(held) => {
                let (chunk, shift) = held.input.chunk();
                match mark < shift {
                    true => (&held.queue.retained, Mark::ZERO),
                    false => (chunk, shift),
                }
            }
            Holder::Owned(kept) => (kept.text(), Mark::ZERO),
        }
    }

    #[inline(always)]
    fn scratch(self) -> &'a str {
        match self {
            Holder::Parser(held) => &held.queue.scratch,
            Holder::Owned(kept) => kept.text(),
        }
    }

    /// How many elements are open at the event of a record.
    pub(super) fn depth(self, record: &Record) -> Option<u64> {
        match self {
            Holder::Parser(held) => held.queue.depth_of(record),
            Holder::Owned(_) => None,
        }
    }

    /// The places of marks, if these are not simply counted from the beginning of the event.
    #[inline(always)]
    pub(super) fn lines(self) -> Option<&'a LineIndex> {
        match self {
            Holder::Parser(held) => Some(held.input.lines()),
            Holder::Owned(kept) => kept.lines(),
        }
    }

    /// Whether they are.
    #[inline(always)]
    pub(super) fn is_plain(self) -> bool {
        match self {
            Holder::Parser(held) => held.input.lines().is_plain(),
            Holder::Owned(kept) => kept.is_plain(),
        }
    }

    /// Offset in the input, where something begins or ends.
    #[inline]
    pub(super) fn offset(self, mark: Mark, side: Side) -> u64 {
        match self {
            Holder::Parser(held) => held.input.lines().offset(mark, side),
            Holder::Owned(kept) => kept.offset(mark, side),
        }
    }

    /// Line and column.
    #[inline(always)]
    pub(super) fn anchor(self, mark: Mark) -> Anchor {
        match self {
            Holder::Parser(held) => {
                let (text, base) = self.text_at(mark);
                held.input.lines().place(mark, text, base)
            }
            Holder::Owned(kept) => kept.anchor(mark),
        }
    }

    /// The name of a namespace, by its index, if the document brought it.
    #[inline(always)]
    pub(crate) fn brought(self, index: u32) -> Option<&'a Arc<str>> {
        match self {
            Holder::Parser(held) => brought(&held.queue.namespaces, index),
            Holder::Owned(kept) => kept.brought(index),
        }
    }

    #[cold]
    pub(super) fn doctype(self) -> &'a DoctypeDetails {
        static NONE: DoctypeDetails = DoctypeDetails {
            name: String::new(),
            public_id: None,
            system_id: None,
            notations: Vec::new(),
            unparsed: Vec::new(),
            force_quirks: false,
        };
        let details = match self {
            Holder::Parser(held) => held.queue.doctype.as_deref(),
            Holder::Owned(kept) => kept.doctype(),
        };
        details.unwrap_or(&NONE)
    }

    #[cold]
    pub(super) fn declaration(self) -> &'a DeclarationDetails {
        static NONE: DeclarationDetails = DeclarationDetails {
            version: None,
            encoding: None,
            standalone: None,
        };
        let details = match self {
            Holder::Parser(held) => held.queue.declaration.as_deref(),
            Holder::Owned(kept) => kept.declaration(),
        };
        details.unwrap_or(&NONE)
    }

    /// The code of an error, by its index.
    #[cold]
    pub(super) fn code(self, index: u32) -> ErrorCode {
        let codes = match self {
            Holder::Parser(held) => &held.queue.codes,
            Holder::Owned(kept) => kept.codes(),
        };
        codes[index as usize]
    }

    /// The place of an error in an external entity, by its index, which is counted from 1.
    #[cold]
    pub(super) fn in_entity(self, index: u32) -> Option<&'a InEntity> {
        let places = match self {
            Holder::Parser(held) => &held.queue.in_entities,
            Holder::Owned(kept) => kept.in_entities(),
        };
        places.get((index as usize).checked_sub(1)?)
    }

    /// What an error refers to, by the index of its code.
    #[cold]
    pub(super) fn related(self, index: u32) -> Option<Related> {
        match self {
            Holder::Parser(held) => {
                let referred = &held.queue.referred;
                let at = referred.binary_search_by_key(&index, |(code, _)| *code);
                Some(referred[at.ok()?].1.related(&held.text()))
            }
            Holder::Owned(kept) => kept.related().cloned(),
        }
    }
}

/// An attribute's record, as who lends the event keeps it.
#[derive(Clone, Copy)]
pub(super) enum AttributeRecord<'a> {
    Lent(&'a Attr),
    Packed(Format, &'a [u8]),
}

/// The record of one attribute, and what it stands in.
#[cfg(feature = "serde")]
pub(super) struct AttributeAt<'a> {
    pub(super) source: Source<'a>,
    pub(super) record: AttributeRecord<'a>,
}

/// The records of the attributes of a start tag.
#[derive(Clone)]
pub(super) enum AttributeRecords<'a> {
    Lent(core::slice::Iter<'a, Attr>),
    Packed(&'a Kept, Range<u32>),
}

impl<'a> Iterator for AttributeRecords<'a> {
    type Item = AttributeRecord<'a>;

    #[inline(always)]
    fn next(&mut self) -> Option<AttributeRecord<'a>> {
        match self {
            AttributeRecords::Lent(records) => records.next().map(AttributeRecord::Lent),
            AttributeRecords::Packed(kept, rest) => rest.next().map(|index| kept.attribute(index)),
        }
    }

    #[inline(always)]
    fn nth(&mut self, count: usize) -> Option<AttributeRecord<'a>> {
        match self {
            AttributeRecords::Lent(records) => records.nth(count).map(AttributeRecord::Lent),
            AttributeRecords::Packed(kept, rest) => {
                rest.nth(count).map(|index| kept.attribute(index))
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match self {
            AttributeRecords::Lent(records) => records.size_hint(),
            AttributeRecords::Packed(_, rest) => rest.size_hint(),
        }
    }
}

impl ExactSizeIterator for AttributeRecords<'_> {}

impl DoubleEndedIterator for AttributeRecords<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        match self {
            AttributeRecords::Lent(records) => records.next_back().map(AttributeRecord::Lent),
            AttributeRecords::Packed(kept, rest) => {
                rest.next_back().map(|index| kept.attribute(index))
            }
        }
    }
}

impl AttributeRecord<'_> {
    /// The record: of a packed one no more is read than is asked of it.
    #[inline(always)]
    pub(super) fn read(&self) -> Attr {
        match self {
            AttributeRecord::Lent(record) => **record,
            AttributeRecord::Packed(format, bytes) => format.read(bytes),
        }
    }
}

/// The text that a token stands in.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    text: &'a str,
    /// The mark at which it begins.
    base: Mark,
}

impl<'a> Source<'a> {
    /// What is read between two marks of the token.
    #[inline(always)]
    pub(super) fn between(self, from: Mark, to: Mark) -> &'a str {
        cut(
            self.text,
            from.index_from(self.base),
            to.index_from(self.base),
        )
    }

    /// The same as bytes, for which nobody looks whether it is whole characters.
    #[inline(always)]
    pub(super) fn bytes_between(self, from: Mark, to: Mark) -> &'a [u8] {
        &self.text.as_bytes()[from.index_from(self.base)..to.index_from(self.base)]
    }
}

/// A part of a text.
///
/// PERF: what is neither empty nor at the end of the text, as most strings are, is cut with half of the
/// questions. With who asks for its source once a tag, a read of Gtk-3.0.gir takes 4 million instructions
/// fewer, of 147 (`valgrind --tool=callgrind`, `benches/peers`).
#[inline(always)]
fn cut(text: &str, from: usize, to: usize) -> &str {
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

/// What all events are.
#[derive(Clone, Copy)]
pub(crate) struct Part<'a> {
    pub(crate) record: &'a Record,
    pub(crate) holder: Holder<'a>,
}

impl<'a> Part<'a> {
    /// What is read between two marks of the event.
    #[inline(always)]
    pub(super) fn source(&self, from: Mark, to: Mark) -> &'a str {
        let (text, from, to) = self.range(from, to);
        cut(text, from, to)
    }

    /// The same, as a range in what holds it.
    #[inline(always)]
    pub(super) fn range(&self, from: Mark, to: Mark) -> (&'a str, usize, usize) {
        let (text, base) = self.holder.text_at(from);
        (text, from.index_from(base), to.index_from(base))
    }

    /// What was written between two marks, line ends that are read as others too.
    pub(super) fn written(&self, from: Mark, to: Mark) -> &'a str {
        let lines = self.holder.lines();
        match lines.and_then(|lines| lines.written(from, to)) {
            Some(written) => written,
            None => self.source(from, to),
        }
    }

    /// A string of the scratch buffer.
    #[inline(always)]
    pub(super) fn cleaned(&self, string: Cleaned) -> &'a str {
        let Cleaned { start, end } = string;
        cut(self.holder.scratch(), start.index(), end.index())
    }

    /// The name as meant of an attribute whose name is in the scratch buffer.
    pub(super) fn clean_name(&self, attribute: &Attr) -> &'a str {
        attribute.clean_name(self.holder.scratch())
    }

    /// The string that every kind of record has.
    #[inline(always)]
    pub(super) fn first(&self) -> &'a str {
        let (text, from, to) = self.first_in();
        cut(text, from, to)
    }

    /// The same, as a range in what holds it.
    #[inline(always)]
    pub(super) fn first_in(&self) -> (&'a str, usize, usize) {
        let (text, base) = match self.record.string() {
            Str::Cleaned(_) => (self.holder.scratch(), Mark::ZERO),
            Str::Lent(start, _) => self.holder.text_at(start),
        };
        let (from, to) = self.record.string.behind(base);
        (text, from, to)
    }

    /// The characters of a run of text.
    #[inline(always)]
    pub(crate) fn text(&self) -> &'a str {
        self.first()
    }

    /// The records of the attributes of a start tag.
    #[inline(always)]
    pub(super) fn attributes(&self) -> AttributeRecords<'a> {
        match self.holder {
            Holder::Parser(held) => {
                let range = self.record.attributes();
                AttributeRecords::Lent(held.queue.attributes[range].iter())
            }
            Holder::Owned(kept) => AttributeRecords::Packed(kept, 0..self.record.packed().1),
        }
    }

    /// The record of the attribute of an index, and what it stands in.
    #[cfg(feature = "serde")]
    #[inline]
    pub(super) fn attribute_at(&self, index: usize) -> Option<AttributeAt<'a>> {
        let (record, mark) = match self.holder {
            Holder::Parser(held) => {
                let record = held.queue.attributes[self.record.attributes()].get(index)?;
                (AttributeRecord::Lent(record), record.name)
            }
            Holder::Owned(kept) => {
                let index = u32::try_from(index).ok();
                let index = index.filter(|index| *index < self.record.packed().1)?;
                (kept.attribute(index), Mark::ZERO)
            }
        };
        let (text, base) = self.holder.text_at(mark);
        let source = Source { text, base };
        Some(AttributeAt { source, record })
    }

    /// What the attributes of a start tag stand in: where the first is, all are, as each tag is one piece;
    /// of an element that is opened again it is another tag than that of the event.
    #[inline(always)]
    pub(super) fn source_of(&self, attributes: &AttributeRecords<'a>) -> Source<'a> {
        let first = match attributes {
            AttributeRecords::Lent(records) => records.as_slice().first(),
            AttributeRecords::Packed(..) => None,
        };
        let (text, base) = self
            .holder
            .text_at(first.map_or(Mark::ZERO, |first| first.name));
        Source { text, base }
    }

    /// The prefix of the name of a tag, if it has one.
    #[inline(always)]
    pub(super) fn prefix(&self) -> Option<&'a str> {
        match has_prefixes(self.record.namespace) {
            true => split(self.first(), true).0,
            false => None,
        }
    }

    /// The name of a tag without its prefix.
    pub(super) fn local_name(&self) -> &'a str {
        split(self.first(), has_prefixes(self.record.namespace)).1
    }

    /// It is elsewhere in the tree than in the events.
    #[inline(always)]
    pub(super) fn is_moved(&self) -> bool {
        self.record.flags & MOVED != 0
    }

    /// The name of a namespace, by its index.
    pub(crate) fn namespace(&self, index: u32) -> Option<&'a str> {
        match always(index) {
            None => Some(self.holder.brought(index)?),
            always => always,
        }
    }

    #[inline]
    pub(super) fn span_of(&self, from: Mark, to: Mark) -> Span {
        Span {
            start: self.holder.offset(from, Side::Start),
            end: self.holder.offset(to, Side::End),
        }
    }

    #[inline]
    pub(super) fn span(&self) -> Span {
        self.span_of(self.record.start, self.record.end)
    }

    #[inline(never)]
    pub(super) fn position_of(&self, mark: Mark) -> Position {
        position_at(self.holder.anchor(mark))
    }

    pub(super) fn position(&self) -> Position {
        self.position_of(self.record.start)
    }
}

/// Line and column, as users have them.
pub(crate) fn position_at(place: Anchor) -> Position {
    Position::new(place.line, place.column, place.column_utf16)
}

/// A name as its prefix, if it may have one and does, and the rest.
pub(super) fn split(name: &str, may_have_prefix: bool) -> (Option<&str>, &str) {
    match may_have_prefix.then(|| name.split_once(':')).flatten() {
        Some((prefix, local)) => (Some(prefix), local),
        None => (None, name),
    }
}

impl fmt::Debug for Part<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.span())
    }
}

#[cfg(feature = "checkpoints")]
impl Held {
    /// Whether what a checkpoint has of it fits together.
    pub(crate) fn is_sound(&self) -> bool {
        self.input.is_sound(&self.queue.retained) && self.queue.is_sound()
    }
}
