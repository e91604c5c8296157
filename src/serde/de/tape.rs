//! The tape: a byte buffer with recorded events that are read later.
//!
//! serde reads all items of a list in sequence. If other elements lie between the items, these elements have to be
//! buffered until their field is read. They are recorded as bytes: an element takes about as many bytes as its source,
//! and for a string that can be borrowed from the document only the byte range is recorded. Every child that is
//! recorded from the document begins with the location (offset, length, line, column) of its first event, called the base
//! location; the locations inside the child are relative to the base location.
//!
//! ```text
//! child  location of the child, then one text or one element
//! start  START, length (5 bytes), location, name, namespace, number of attributes, attributes
//! attr   location, name, namespace, value
//! text   TEXT or one of BLANKS, location, string
//! end    END, location
//! ```
//!
//! `length` is the number of bytes between the length and the next sibling. With the length, skipping an element takes
//! constant time, so an element inside several buffered elements is not read again at each level. Numbers have a
//! variable length: each byte contains seven bits, the lowest first, and its top bit is set if another byte follows.

use super::blank::Blank;
use super::simple::{Origin, Simple};
use crate::engine::error::{Position, Span};
use crate::engine::event::{Attribute, StartTag};
use crate::engine::hash_seed::Seeds;
use crate::engine::namespaces::{always, index_of};
use alloc::sync::Arc;
use alloc::vec::Vec;
use hashbrown::HashMap;

const START: u8 = 0;
const TEXT: u8 = 1;
const END: u8 = 2;
/// The kinds of texts that consist of whitespace, in the order of [`Blank`].
const BLANKS: [(u8, Blank); 3] = [(3, Blank::Inline), (4, Blank::Alone), (5, Blank::Explicit)];
/// Number of bytes of the field `length` in a recorded start tag.
const LENGTH_BYTES: usize = 5;
/// Maximum number of bytes in the tape, so that the length of every element fits into [`LENGTH_BYTES`] bytes.
pub(super) const MAX_TAPE_BYTES: usize = {
    let most = (1_u64 << (8 * LENGTH_BYTES)) - 1;
    if most > usize::MAX as u64 {
        usize::MAX
    } else {
        most as usize
    }
};

/// The location of an event: its byte range in the document, and its line and column.
#[derive(Clone, Copy)]
pub(super) struct EventLocation {
    offset: u64,
    length: u64,
    position: Position,
}

impl EventLocation {
    pub(super) fn of(span: Span, position: Position) -> EventLocation {
        EventLocation {
            offset: span.start,
            length: span.len(),
            position,
        }
    }
}

/// The kind of an event on the tape.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum TapedKind {
    Start,
    Text,
    End,
}

/// The events of a recorded child that have not been read yet, as a byte range of the tape.
#[derive(Clone, Copy)]
pub(super) struct Replay {
    pub(super) at: usize,
    pub(super) end: usize,
    /// The base location: the locations of the recorded events are relative to this location.
    pub(super) base: EventLocation,
}

/// A start tag that was read back from the tape.
pub(super) struct TapedTag<'de, 'a> {
    pub(super) name: Simple<'de, 'a>,
    pub(super) namespace: Option<&'a str>,
    /// Index of the namespace if it is predefined, and its shared name if the document declares it.
    pub(super) shared_namespace: (u32, Option<&'a Arc<str>>),
    pub(super) attributes: usize,
    /// Byte offset in the tape of the first attribute.
    pub(super) first: usize,
}

/// An attribute that was read back from the tape.
pub(super) struct TapedAttribute<'de, 'a> {
    pub(super) name: Simple<'de, 'a>,
    pub(super) namespace: Option<&'a str>,
    pub(super) value: Simple<'de, 'a>,
    /// The byte range in the document, and its position.
    pub(super) place: (Span, Position),
    /// Byte offset in the tape of the end of the attribute.
    pub(super) end: usize,
}

/// A buffer of recorded events. It is used as a stack: the children that were buffered for an inner element follow
/// those that were buffered for an outer element, and are discarded first.
pub(super) struct Tape<'de> {
    bytes: Vec<u8>,
    /// The document if it is given as a string, otherwise an empty string.
    input: &'de str,
    /// The namespaces of the recorded elements and attributes. A recorded name refers to its namespace by the index.
    namespaces: Vec<Arc<str>>,
    /// The index in `namespaces` of each namespace, by the address of its string. The address is unique, because
    /// `namespaces` keeps the string alive.
    by_address: HashMap<usize, usize, Seeds>,
    /// Estimated number of bytes of memory used by `namespaces`.
    namespace_bytes: usize,
}

impl<'de> Tape<'de> {
    pub(super) fn new(input: &'de str) -> Tape<'de> {
        Tape {
            bytes: Vec::new(),
            input,
            namespaces: Vec::new(),
            by_address: HashMap::default(),
            namespace_bytes: 0,
        }
    }

    /// Returns the byte offset of the end of the tape, where the next event will be recorded.
    pub(super) fn top(&self) -> usize {
        self.bytes.len()
    }

    /// Returns the number of buffered bytes, for comparison with the buffer limit.
    pub(super) fn weight(&self) -> usize {
        self.bytes.len() + self.namespace_bytes
    }

    /// Discards the recorded events from the byte offset `top` on.
    pub(super) fn truncate(&mut self, top: usize) {
        self.bytes.truncate(top);
        if top == 0 && !self.namespaces.is_empty() {
            self.namespaces.clear();
            self.by_address.clear();
            self.namespace_bytes = 0;
        }
    }

    /// Begins the record of a child: writes the location of its first event, which is the base location of the child.
    pub(super) fn begin(&mut self, location: EventLocation) {
        self.put_number(location.offset);
        self.put_number(location.length);
        self.put_position(location.position, 0);
    }

    /// Records a start tag. Returns the byte offset in the tape at which [`close`](Tape::close) will write the length
    /// of the element.
    pub(super) fn start(&mut self, tag: &StartTag<'_>, base: EventLocation) -> usize {
        self.bytes.push(START);
        let length = self.bytes.len();
        self.bytes.extend_from_slice(&[0; LENGTH_BYTES]);
        let location = EventLocation::of(tag.span(), tag.position());
        self.put_location(location, base);
        self.put_string(tag.name(), tag.name_span(), base);
        let namespace = tag.part.holder.declared(tag.namespace_index());
        self.put_namespace(tag.namespace_index(), namespace);
        let attributes = tag.attributes();
        self.put_number(attributes.len() as u64);
        for attribute in attributes {
            self.attribute(tag, &attribute, base);
        }
        length
    }

    fn attribute(&mut self, tag: &StartTag<'_>, attribute: &Attribute<'_>, base: EventLocation) {
        let location = EventLocation::of(attribute.span(), attribute.position());
        self.put_location(location, base);
        self.put_string(attribute.name(), attribute.name_span(), base);
        let index = attribute.namespace_index();
        let namespace = tag.part.holder.declared(index);
        self.put_namespace(index, namespace);
        self.put_string(attribute.value(), attribute.value_span(), base);
    }

    /// Records a text event at a location. If the text can be borrowed from the document, only its byte range is
    /// recorded.
    pub(super) fn text(
        &mut self,
        text: &Simple<'de, '_>,
        blank: Option<Blank>,
        location: EventLocation,
        base: EventLocation,
    ) {
        let kind = BLANKS.iter().find(|(_, reason)| Some(*reason) == blank);
        self.bytes.push(kind.map_or(TEXT, |(kind, _)| *kind));
        self.put_location(location, base);
        let start = text.lent().map(|lent| lent.as_ptr() as usize);
        let start = start.and_then(|start| start.checked_sub(self.input.as_ptr() as usize));
        let start = start.unwrap_or(usize::MAX) as u64;
        let end = start.saturating_add(text.text().len() as u64);
        self.put_string(text.text(), Span { start, end }, base);
    }

    /// Records an end tag at a location.
    pub(super) fn end(&mut self, location: EventLocation, base: EventLocation) {
        self.bytes.push(END);
        self.put_location(location, base);
    }

    /// Completes an element whose end tag was recorded last: writes the length of the element at the byte offset
    /// `length`, which [`start`](Tape::start) returned.
    pub(super) fn close(&mut self, length: usize) {
        let bytes = (self.bytes.len() - length - LENGTH_BYTES) as u64;
        self.bytes[length..length + LENGTH_BYTES]
            .copy_from_slice(&bytes.to_le_bytes()[..LENGTH_BYTES]);
    }

    fn put_number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.bytes.push(number as u8);
    }

    fn put_location(&mut self, location: EventLocation, base: EventLocation) {
        // An event from an entity may have a smaller offset than the child. The subtraction then wraps around, which
        // does no harm: the offset of such an event is not used.
        self.put_number(location.offset.wrapping_sub(base.offset));
        self.put_number(location.length);
        self.put_position(location.position, base.position.line());
    }

    fn put_position(&mut self, position: Position, line: u64) {
        let (column, utf16) = (position.column(), position.column_utf16());
        let line = position.line().saturating_sub(line);
        self.put_number(line << 1 | u64::from(utf16 != column));
        self.put_number(column);
        if utf16 != column {
            self.put_number(utf16);
        }
    }

    /// Records a string: as a byte range if the document contains the string at the end of `span`, otherwise as bytes.
    fn put_string(&mut self, text: &str, span: Span, base: EventLocation) {
        let length = text.len() as u64;
        let start = span.end.wrapping_sub(length);
        if !text.is_empty() && self.slice(start, length) == Some(text) {
            self.put_number(length << 1 | 1);
            return self.put_number(start.wrapping_sub(base.offset));
        }
        self.put_number(length << 1);
        self.bytes.extend_from_slice(text.as_bytes());
    }

    fn slice(&self, start: u64, length: u64) -> Option<&'de str> {
        let end = start.checked_add(length)?;
        self.input
            .get(usize::try_from(start).ok()?..usize::try_from(end).ok()?)
    }

    fn put_namespace(&mut self, index: u32, declared: Option<&Arc<str>>) {
        let first = u64::from(index_of(0));
        match declared {
            None => self.put_number(u64::from(index).min(first - 1)),
            Some(name) => {
                let index = self.namespace_at(name);
                self.put_number(first + index as u64);
            }
        }
    }

    /// Returns the index of a namespace in `namespaces`; adds the namespace if it is not there.
    ///
    /// PERF: namespaces are compared by the address of their string, because comparing long names for each element
    /// would take time proportional to their length.
    fn namespace_at(&mut self, name: &Arc<str>) -> usize {
        let address = Arc::as_ptr(name).cast::<u8>() as usize;
        if let Some(&index) = self.by_address.get(&address) {
            return index;
        }
        self.namespaces.push(Arc::clone(name));
        self.namespace_bytes += name.len() + 64;
        let index = self.namespaces.len() - 1;
        self.by_address.insert(address, index);
        index
    }

    /// Returns the events of the child whose record begins at a byte offset of the tape.
    pub(super) fn child(&self, mut at: usize) -> Replay {
        let base = EventLocation {
            offset: self.number(&mut at),
            length: self.number(&mut at),
            position: self.position(&mut at, 0),
        };
        let end = self.after_item(at);
        Replay { at, end, base }
    }

    /// Returns the byte offset in the tape of the sibling that follows the text or the whole element at the offset
    /// `at`.
    pub(super) fn after_item(&self, at: usize) -> usize {
        match self.kind(at) {
            TapedKind::Start => {
                let mut length = [0; 8];
                if let Some(bytes) = self.bytes.get(at + 1..at + 1 + LENGTH_BYTES) {
                    length[..LENGTH_BYTES].copy_from_slice(bytes);
                }
                at + 1 + LENGTH_BYTES + u64::from_le_bytes(length) as usize
            }
            TapedKind::Text | TapedKind::End => self.after_event(at),
        }
    }

    /// Returns the byte offset in the tape of the event that follows the event at the offset `at`.
    pub(super) fn after_event(&self, at: usize) -> usize {
        let kind = self.kind(at);
        let mut at = at + 1;
        if kind == TapedKind::Start {
            at += LENGTH_BYTES;
        }
        self.skip_location(&mut at);
        match kind {
            TapedKind::Start => {
                self.skip_string(&mut at);
                self.number(&mut at);
                let attributes = self.number(&mut at);
                for _ in 0..attributes {
                    self.skip_location(&mut at);
                    self.skip_string(&mut at);
                    self.number(&mut at);
                    self.skip_string(&mut at);
                }
            }
            TapedKind::Text => self.skip_string(&mut at),
            TapedKind::End => {}
        }
        at
    }

    pub(super) fn kind(&self, at: usize) -> TapedKind {
        match self.bytes.get(at) {
            Some(&START) => TapedKind::Start,
            Some(&END) | None => TapedKind::End,
            Some(_) => TapedKind::Text,
        }
    }

    /// Returns the reason why the text at a byte offset of the tape is content, if it consists of whitespace only.
    pub(super) fn blank_at(&self, at: usize) -> Option<Blank> {
        let kind = self.bytes.get(at);
        let found = BLANKS.iter().find(|(blank, _)| Some(blank) == kind);
        found.map(|(_, reason)| *reason)
    }

    /// Returns the start tag at a byte offset of the tape, or `None` if the event there is not a start tag.
    pub(super) fn tag(&self, at: usize, base: EventLocation) -> Option<TapedTag<'de, '_>> {
        if self.kind(at) != TapedKind::Start {
            return None;
        }
        let mut at = at + 1 + LENGTH_BYTES;
        self.skip_location(&mut at);
        let name = self.string(&mut at, base);
        let shared_namespace = self.shared_namespace(&mut at);
        let attributes = self.number(&mut at) as usize;
        Some(TapedTag {
            name,
            namespace: name_of(shared_namespace),
            shared_namespace,
            attributes,
            first: at,
        })
    }

    /// Returns the attribute at a byte offset of the tape.
    pub(super) fn attribute_at(
        &self,
        mut at: usize,
        base: EventLocation,
    ) -> TapedAttribute<'de, '_> {
        let place = self.place(&mut at, base);
        let name = self.string(&mut at, base);
        let namespace = self.namespace(&mut at);
        let value = self.string(&mut at, base);
        TapedAttribute {
            name,
            namespace,
            value,
            place,
            end: at,
        }
    }

    /// Returns the text at a byte offset of the tape, or an empty string if the event there is not a text.
    pub(super) fn text_at(&self, at: usize, base: EventLocation) -> Simple<'de, '_> {
        if self.kind(at) != TapedKind::Text {
            return Simple::new("");
        }
        let mut at = at + 1;
        self.skip_location(&mut at);
        self.string(&mut at, base)
    }

    /// Returns the byte range in the document, and the position, of the event at a byte offset of the tape.
    pub(super) fn place_at(&self, at: usize, base: EventLocation) -> (Span, Position) {
        let mut at = match self.kind(at) {
            TapedKind::Start => at + 1 + LENGTH_BYTES,
            TapedKind::Text | TapedKind::End => at + 1,
        };
        self.place(&mut at, base)
    }

    fn place(&self, at: &mut usize, base: EventLocation) -> (Span, Position) {
        let start = base.offset.wrapping_add(self.number(at));
        let end = start.wrapping_add(self.number(at));
        let position = self.position(at, base.position.line());
        (Span { start, end }, position)
    }

    fn number(&self, at: &mut usize) -> u64 {
        let (mut number, mut shift) = (0, 0);
        while let Some(&byte) = self.bytes.get(*at) {
            *at += 1;
            number |= u64::from(byte & 0x7F) << shift;
            shift += 7;
            if byte < 0x80 || shift > 63 {
                break;
            }
        }
        number
    }

    fn skip_location(&self, at: &mut usize) {
        self.number(at);
        self.number(at);
        let line = self.number(at);
        self.number(at);
        if line & 1 == 1 {
            self.number(at);
        }
    }

    fn position(&self, at: &mut usize, line: u64) -> Position {
        let number = self.number(at);
        let column = self.number(at);
        let utf16 = match number & 1 {
            1 => self.number(at),
            _ => column,
        };
        Position::new(line + (number >> 1), column, utf16)
    }

    fn skip_string(&self, at: &mut usize) {
        let code = self.number(at);
        match code & 1 {
            1 => {
                self.number(at);
            }
            _ => *at += (code >> 1) as usize,
        }
    }

    fn string(&self, at: &mut usize, base: EventLocation) -> Simple<'de, '_> {
        let code = self.number(at);
        let length = code >> 1;
        if code & 1 == 1 {
            let start = base.offset.wrapping_add(self.number(at));
            let lent = self.slice(start, length).unwrap_or_default();
            return Simple::of(lent, Origin::Known(lent));
        }
        let start = *at;
        *at += length as usize;
        let bytes = self.bytes.get(start..*at).unwrap_or_default();
        // SLOW: the bytes are valid UTF-8, but they are checked again: an unchecked conversion is `unsafe`, which only
        // `src/engine/scan` may use.
        Simple::new(core::str::from_utf8(bytes).unwrap_or_default())
    }

    fn namespace(&self, at: &mut usize) -> Option<&str> {
        name_of(self.shared_namespace(at))
    }

    /// Returns the index of the namespace, and its shared name if the document declares the namespace.
    fn shared_namespace(&self, at: &mut usize) -> (u32, Option<&Arc<str>>) {
        let index = self.number(at);
        let declared = index.checked_sub(u64::from(index_of(0)));
        (
            index as u32,
            declared.and_then(|index| self.namespaces.get(index as usize)),
        )
    }
}

/// Returns the name of a namespace, given its index and its shared name.
fn name_of((index, declared): (u32, Option<&Arc<str>>)) -> Option<&str> {
    declared.map_or_else(|| always(index), |name| Some(name))
}
