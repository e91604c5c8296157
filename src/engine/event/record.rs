//! Records: events as the tokenizer writes them to the [`Queue`](super::queue::Queue).
//!
//! A [`Record`] is an event as the tokenizer queues it: small, without references. Its strings are ranges. A string
//! that equals its source text is a range of the buffered text, as two [`BufferOffset`]s. Any other string (references
//! resolved, newlines or case normalized) is *cleaned*: it was copied to the scratch buffer, and its range is one of
//! that buffer. A flag says which of the two is meant.

use super::strings::{Cleaned, ScratchOffset, Str, StringRange};
use crate::engine::input::BufferOffset;
use core::ops::Range;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RecordKind {
    Start,
    End,
    Text,
    Comment,
    ProcessingInstruction,
    Doctype,
    Declaration,
    SkippedEntity,
    EncodingChange,
    Error,
    /// Attributes added to an element that is already open, by a second `<html>` or `<body>` tag.
    Attributes,
    /// An event that was retained from an earlier batch (see `Queue::kept`).
    Retained,
}

/// Flag: the string of the record is in the scratch buffer.
pub(crate) const CLEANED: u8 = 1;
/// Flag of a tag: it ends in `/>`.
pub(crate) const SELF_CLOSING: u8 = 2;
/// Flag of an end tag: it has no name in the source, as in `</>`.
pub(crate) const SHORT: u8 = 4;
/// Flag of a text: more text of the same run may follow in a further event.
pub(crate) const MORE: u8 = 8;
/// Flag of a tag: it is not in the source. Another token opens or closes the element.
pub(crate) const IMPLIED: u8 = 16;
/// Flag: the event has another place in the tree than in the order of events. Set in balanced HTML only.
pub(crate) const MOVED: u8 = 32;

/// Flag of an event other than text: the input ends, or other markup begins, before the closing delimiter of its token.
pub(crate) const INCOMPLETE: u8 = 8;

/// Flag of an event other than text: it comes from the replacement text of an entity. Set in XML only.
pub(crate) const FROM_ENTITY: u8 = 128;

/// Flag of a text: a part of it comes from the replacement text of an entity. Set in XML only.
pub(crate) const TEXT_FROM_ENTITY: u8 = 16;

/// Flag of a start tag: the element is in SVG or MathML. Set in HTML only.
pub(crate) const FOREIGN: u8 = 64;

/// Flag of a processing instruction: it is inside a DOCTYPE.
pub(crate) const IN_DOCTYPE: u8 = 4;

/// Flag of a processing instruction: its target is in the scratch buffer.
pub(crate) const TARGET_CLEANED: u8 = 64;

/// Flag of a text: it continues the run of text of the event before it. Set if text is split at markup only.
pub(crate) const RESUMED: u8 = 2;

/// Flag of a text: it is in a CDATA section. Set if text is split at markup only.
pub(crate) const IN_CDATA: u8 = 4;

/// Flag of a text: it continues the string token of the previous text event. Set in Sky only.
pub(crate) const CONTINUED: u8 = 64;

/// Flag of a text: it may contain U+0000. Set in HTML only.
pub(crate) const NULLS: u8 = 128;

/// Two numbers of a record whose meaning depends on its [`RecordKind`]. Each constructor belongs to one kind, and so
/// does each method of [`Record`] that reads them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Payload(u32, u32);

impl Payload {
    pub(crate) const NONE: Payload = Payload(0, 0);

    /// Creates the payload of a start tag in the queue: the range of its attributes in `Queue::attributes`.
    #[inline(always)]
    pub(crate) const fn attributes(first: u32, end: u32) -> Payload {
        Payload(first, end)
    }

    /// Creates the payload of a start tag in an owned event: the number of its format (see `packing.rs`), and the
    /// number of its attributes.
    #[inline(always)]
    pub(super) const fn packed(format: u32, count: u32) -> Payload {
        Payload(format, count)
    }

    /// Creates the payload of a processing instruction: the range of its target in the buffered text.
    pub(crate) const fn target(start: BufferOffset, end: BufferOffset) -> Payload {
        Payload(start.get(), end.get())
    }

    /// Creates the payload of a processing instruction whose target is in the scratch buffer. The record needs the
    /// flag [`TARGET_CLEANED`].
    pub(crate) const fn cleaned_target(target: Cleaned) -> Payload {
        Payload(target.start.get(), target.end.get())
    }

    /// Creates the payload of an end tag whose name is in the scratch buffer: the range of the name in the source. Both
    /// ends are distances in bytes from the start of the tag.
    pub(crate) const fn written_name(start: u32, end: u32) -> Payload {
        Payload(start, end)
    }

    /// Creates the payload of a retained event: its index in `Queue::kept`.
    pub(crate) const fn kept(index: u32) -> Payload {
        Payload(index, 0)
    }

    /// Creates the payload of an error: the index of its code in [`BatchErrors::codes`](super::queue::BatchErrors), and
    /// its number in [`BatchErrors::in_entities`](super::queue::BatchErrors), counted from 1, or 0 if it is not in an
    /// external entity.
    pub(crate) const fn error(code: u32, entity: u32) -> Payload {
        Payload(code, entity)
    }
}

/// An event as the tokenizer queues it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Record {
    pub(crate) kind: RecordKind,
    pub(crate) flags: u8,
    /// Length in bytes of the name of a start tag in the source, if the name itself is in the scratch buffer because it
    /// differs from its source. `u16::MAX` for longer names.
    pub(crate) written: u16,
    /// Start and end of the event's source text, as offsets in the buffered text.
    pub(crate) start: BufferOffset,
    pub(crate) end: BufferOffset,
    /// Range of the name or data: see [`string`](Record::string).
    pub(crate) string: StringRange,
    pub(crate) payload: Payload,
    /// Index of the namespace of a tag: see `namespaces.rs`. 0 is no namespace.
    pub(crate) namespace: u32,
}

// PERF: two records fit into a cache line.
const _: () = assert!(size_of::<Record>() == 32 && size_of::<Attr>() == 36);

impl Default for Record {
    fn default() -> Record {
        Record::EMPTY
    }
}

impl Record {
    /// An empty text at the start of the buffered text.
    pub(crate) const EMPTY: Record =
        Record::new(RecordKind::Text, BufferOffset::ZERO, BufferOffset::ZERO);

    pub(crate) const fn new(kind: RecordKind, start: BufferOffset, end: BufferOffset) -> Record {
        Record {
            kind,
            flags: 0,
            written: 0,
            start,
            end,
            string: StringRange::lent(start, start),
            payload: Payload::NONE,
            namespace: 0,
        }
    }

    /// Returns the range of the attributes of a start tag, or of added attributes, in `Queue::attributes`.
    #[inline(always)]
    pub(crate) fn attributes(&self) -> Range<usize> {
        self.has_attributes();
        self.payload.0 as usize..self.payload.1 as usize
    }

    /// Returns the number of the attributes of a start tag, or of added attributes, in `Queue::attributes`.
    #[inline(always)]
    pub(crate) fn attribute_count(&self) -> u32 {
        self.has_attributes();
        self.payload.1.wrapping_sub(self.payload.0)
    }

    /// Returns the number of the format, and the number of attributes, of a start tag in an owned event.
    #[inline(always)]
    pub(super) fn packed(&self) -> (u32, u32) {
        self.has_attributes();
        (self.payload.0, self.payload.1)
    }

    #[inline(always)]
    fn has_attributes(&self) {
        let has = matches!(self.kind, RecordKind::Start | RecordKind::Attributes);
        debug_assert!(has, "start tags have attributes");
    }

    /// Returns the range of the target of a processing instruction.
    pub(crate) fn target(&self) -> Str {
        debug_assert_eq!(
            self.kind,
            RecordKind::ProcessingInstruction,
            "it has a target"
        );
        let Payload(start, end) = self.payload;
        StringRange(start, end).read(self.flags & TARGET_CLEANED != 0)
    }

    /// Returns the range of the name of an end tag in the source, as distances in bytes from the start of the tag.
    /// Returns `None` if the source contains no name, not even an empty one.
    pub(super) fn written_name(&self) -> Option<(u32, u32)> {
        debug_assert_eq!(self.kind, RecordKind::End, "it is an end tag");
        if self.flags & (IMPLIED | SELF_CLOSING) != 0 {
            return None;
        }
        match self.string() {
            Str::Borrowed(start, end) => Some((start - self.start, end - self.start)),
            Str::Cleaned(_) => (self.payload.0 > 0).then_some((self.payload.0, self.payload.1)),
        }
    }

    /// Returns the index of a retained event in `Queue::kept`.
    pub(crate) fn kept(&self) -> usize {
        debug_assert_eq!(self.kind, RecordKind::Retained, "it was kept");
        self.payload.0 as usize
    }

    /// Returns the index of the code of an error in [`BatchErrors::codes`](super::queue::BatchErrors).
    pub(super) fn code(&self) -> u32 {
        debug_assert_eq!(self.kind, RecordKind::Error, "errors have codes");
        self.payload.0
    }

    /// Returns the number of an error in [`BatchErrors::in_entities`](super::queue::BatchErrors), counted from 1, or 0
    /// if the error is not in an external entity.
    pub(super) fn entity(&self) -> u32 {
        debug_assert_eq!(self.kind, RecordKind::Error, "errors have places");
        self.payload.1
    }

    /// Returns the record with the text between two offsets as its name or data.
    #[inline(always)]
    pub(crate) fn of(self, start: BufferOffset, end: BufferOffset) -> Record {
        debug_assert_eq!(self.flags & CLEANED, 0, "it is lent");
        let string = StringRange::lent(start, end);
        Record { string, ..self }
    }

    /// Returns the record with a string of the scratch buffer as its name or data.
    #[inline(always)]
    pub(crate) fn cleaned(self, string: Cleaned) -> Record {
        Record {
            string: StringRange::cleaned(string),
            flags: self.flags | CLEANED,
            ..self
        }
    }

    /// Returns the record with the given name or data.
    #[inline(always)]
    pub(crate) fn with(self, string: Str) -> Record {
        match string {
            Str::Borrowed(start, end) => self.of(start, end),
            Str::Cleaned(string) => self.cleaned(string),
        }
    }

    /// Subtracts `by` from all offsets in the buffered text. An owned event subtracts its own start, so that its
    /// offsets count from there.
    #[inline(always)]
    pub(super) fn rebase(&mut self, by: BufferOffset) {
        let by = by.get();
        (self.start, self.end) = (self.start.rebased(by), self.end.rebased(by));
        if let Str::Borrowed(start, end) = self.string() {
            self.string = StringRange::lent(start.rebased(by), end.rebased(by));
        }
    }

    /// Returns the record with the name or data of another record.
    #[inline(always)]
    pub(crate) fn named_as(self, other: &Record) -> Record {
        Record {
            string: other.string,
            flags: self.flags | other.flags & CLEANED,
            ..self
        }
    }

    /// Returns the range of the name or data.
    #[inline(always)]
    pub(crate) fn string(&self) -> Str {
        self.string.read(self.flags & CLEANED != 0)
    }
}

/// An attribute of a start tag. All fields of type [`BufferOffset`] are offsets in the buffered text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attr {
    pub(crate) name: BufferOffset,
    pub(crate) name_end: BufferOffset,
    /// Start and end of the value in the source, without quotes.
    pub(crate) raw: BufferOffset,
    pub(crate) raw_end: BufferOffset,
    /// Range of the value in the scratch buffer, if the flags contain [`VALUE_CLEANED`].
    pub(crate) value: Cleaned,
    /// Start of the name in the scratch buffer, if the flags contain [`NAME_CLEANED`]. The name ends before the next
    /// NUL there.
    pub(crate) clean_name: ScratchOffset,
    pub(crate) namespace: u32,
    pub(crate) flags: u32,
}

/// Flag of an attribute: its value is in the scratch buffer.
pub(crate) const VALUE_CLEANED: u32 = 1;
/// Flag of an attribute: its value has quotes.
pub(crate) const QUOTED: u32 = 2;
/// Flag of an attribute: its name contains a colon.
pub(crate) const PREFIXED: u32 = 4;
/// Flag of an attribute: its name contains a character that is not allowed in names. In HTML it may also be a
/// character that has to be normalized: an uppercase ASCII letter or U+0000.
pub(crate) const ODD: u32 = 8;
/// Flag of an attribute: its name is in the scratch buffer.
pub(crate) const NAME_CLEANED: u32 = 16;
/// Flag of an attribute: it is not in the tag. Its value is the default from the attribute's declaration.
pub(crate) const DEFAULTED: u32 = 32;
/// Flag of the first attribute of a tag: further attributes of the tag were dropped because their names are
/// duplicates.
pub(crate) const DUPLICATES: u32 = 64;

impl Attr {
    pub(crate) const EMPTY: Attr = Attr {
        name: BufferOffset::ZERO,
        name_end: BufferOffset::ZERO,
        raw: BufferOffset::ZERO,
        raw_end: BufferOffset::ZERO,
        value: Cleaned::EMPTY,
        clean_name: ScratchOffset::new(0),
        namespace: 0,
        flags: 0,
    };

    /// Returns the range of the value.
    #[inline(always)]
    pub(crate) fn value(&self) -> Str {
        match self.flags & VALUE_CLEANED != 0 {
            true => Str::Cleaned(self.value),
            false => Str::Borrowed(self.raw, self.raw_end),
        }
    }

    /// Sets the value to a string of the scratch buffer.
    #[inline(always)]
    pub(crate) fn set_value(&mut self, value: Cleaned) {
        self.value = value;
        self.flags |= VALUE_CLEANED;
    }

    /// Sets the name to the string of the scratch buffer that starts at `name` and ends before the next NUL.
    pub(crate) fn set_name(&mut self, name: ScratchOffset) {
        self.clean_name = name;
        self.flags |= NAME_CLEANED;
    }

    /// Returns the name, for an attribute whose name is in the scratch buffer.
    pub(crate) fn clean_name<'a>(&self, scratch: &'a str) -> &'a str {
        let rest = &scratch[self.clean_name.index()..];
        memchr::memchr(0, rest.as_bytes()).map_or(rest, |end| &rest[..end])
    }

    pub(crate) fn rebase(&mut self, by: u32) {
        for mark in [
            &mut self.name,
            &mut self.name_end,
            &mut self.raw,
            &mut self.raw_end,
        ] {
            *mark = mark.rebased(by);
        }
    }

    pub(crate) fn rebase_scratch(&mut self, by: u32) {
        self.value = self.value.rebased(by);
        self.clean_name = self.clean_name.rebased(by);
    }
}

crate::checkpoint::checkpointable! {
    enum RecordKind {
        Start, End, Text, Comment, ProcessingInstruction, Doctype, Declaration, SkippedEntity,
        EncodingChange, Error, Attributes, Retained,
    }
    struct Payload(value, second);
    struct Record { kind, flags, written, start, end, string, payload, namespace }
    struct Attr { name, name_end, raw, raw_end, value, clean_name, namespace, flags }
}
