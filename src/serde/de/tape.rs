//! A compact record of events that are read later.
//!
//! A list whose items lie apart makes the elements between them wait. They are recorded as bytes: an element costs
//! about as much as its source, and the strings that the document can lend cost only their range. Every child that is
//! recorded from the document begins with the place of its first event; the places in it are relative to that.
//!
//! ```text
//! child  place of the child, then one text or one element
//! start  START, length (5 bytes), place, name, namespace, number of attributes, attributes
//! attr   place, name, namespace, value
//! text   TEXT, place, string
//! end    END, place
//! ```
//!
//! `length` is the number of bytes from there to the next sibling. It makes skipping an element independent of its
//! size, so an element that waits in an element that waits is not read once for each level. Numbers are variable in
//! length: seven bits in a byte, the lowest first.

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
/// Bytes of the length in a start.
const LENGTH: usize = 5;
/// The longest tape whose lengths fit into [`LENGTH`] bytes.
pub(super) const MAX_TAPE_BYTES: usize = {
    let most = (1_u64 << (8 * LENGTH)) - 1;
    if most > usize::MAX as u64 {
        usize::MAX
    } else {
        most as usize
    }
};

/// The location of an event: its offset in the document, and its line and column.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) offset: u64,
    pub(super) position: Position,
}

/// The kind of an event on the tape.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Kind {
    Start,
    Text,
    End,
}

/// Events of a child that are still to be read, as a range of the tape.
#[derive(Clone, Copy)]
pub(super) struct Replay {
    pub(super) at: usize,
    pub(super) end: usize,
    /// The place that others are relative to.
    pub(super) base: Place,
}

/// A start tag on the tape.
pub(super) struct TapedTag<'de, 'a> {
    pub(super) name: Simple<'de, 'a>,
    pub(super) namespace: Option<&'a str>,
    pub(super) attributes: usize,
    /// Offset in the tape of the first attribute.
    pub(super) first: usize,
}

/// An attribute on the tape.
pub(super) struct TapedAttribute<'de, 'a> {
    pub(super) name: Simple<'de, 'a>,
    pub(super) namespace: Option<&'a str>,
    pub(super) value: Simple<'de, 'a>,
    pub(super) position: Position,
    /// Offset in the tape of the byte after it.
    pub(super) end: usize,
}

/// The bytes, as a stack: what an inner element makes wait lies above what an outer one does.
pub(super) struct Tape<'de> {
    bytes: Vec<u8>,
    /// The document, where it is a string.
    input: &'de str,
    /// The namespaces that the recorded names are in.
    namespaces: Vec<Arc<str>>,
    /// The index of each of them by its address, which is no other's while it is in the list.
    by_address: HashMap<usize, usize, Seeds>,
    /// Bytes of their names.
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

    /// Offset of the next byte.
    pub(super) fn top(&self) -> usize {
        self.bytes.len()
    }

    /// Bytes that are buffered.
    pub(super) fn weight(&self) -> usize {
        self.bytes.len() + self.namespace_bytes
    }

    /// Discards what lies above an offset.
    pub(super) fn truncate(&mut self, top: usize) {
        self.bytes.truncate(top);
        if top == 0 && !self.namespaces.is_empty() {
            self.namespaces.clear();
            self.by_address.clear();
            self.namespace_bytes = 0;
        }
    }

    /// Begins a child with the place of its first event.
    pub(super) fn begin(&mut self, place: Place) {
        self.put_number(place.offset);
        self.put_position(place.position, 0);
    }

    /// Records a start tag; gives the offset at which [`close`](Tape::close) writes its length.
    pub(super) fn start(&mut self, tag: &StartTag<'_>, base: Place) -> usize {
        self.bytes.push(START);
        let length = self.bytes.len();
        self.bytes.extend_from_slice(&[0; LENGTH]);
        let offset = tag.span().start;
        self.put_place(offset, tag.position(), base);
        self.put_string(tag.name(), tag.name_span(), base);
        let namespace = tag.part.holder.brought(tag.namespace_index());
        self.put_namespace(tag.namespace_index(), namespace);
        let attributes = tag.attributes();
        self.put_number(attributes.len() as u64);
        for attribute in attributes {
            self.attribute(tag, &attribute, base);
        }
        length
    }

    fn attribute(&mut self, tag: &StartTag<'_>, attribute: &Attribute<'_>, base: Place) {
        self.put_place(attribute.span().start, attribute.position(), base);
        self.put_string(attribute.name(), attribute.name_span(), base);
        let index = attribute.namespace_index();
        let namespace = tag.part.holder.brought(index);
        self.put_namespace(index, namespace);
        self.put_string(attribute.value(), attribute.value_span(), base);
    }

    /// Records a text that is at a place, and in this range of the document, if it is in one.
    pub(super) fn text(&mut self, text: &Simple<'de, '_>, place: Place, base: Place) {
        self.bytes.push(TEXT);
        self.put_place(place.offset, place.position, base);
        let start = text.lent().map(|lent| lent.as_ptr() as usize);
        let start = start.and_then(|start| start.checked_sub(self.input.as_ptr() as usize));
        let start = start.unwrap_or(usize::MAX) as u64;
        let end = start.saturating_add(text.text().len() as u64);
        self.put_string(text.text(), Span { start, end }, base);
    }

    /// Records an end tag.
    pub(super) fn end(&mut self, place: Place, base: Place) {
        self.bytes.push(END);
        self.put_place(place.offset, place.position, base);
    }

    /// Writes the length of the element whose end was recorded last.
    pub(super) fn close(&mut self, length: usize) {
        let bytes = (self.bytes.len() - length - LENGTH) as u64;
        self.bytes[length..length + LENGTH].copy_from_slice(&bytes.to_le_bytes()[..LENGTH]);
    }

    fn put_number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.bytes.push(number as u8);
    }

    fn put_place(&mut self, offset: u64, position: Position, base: Place) {
        // What an entity brings may be placed before the child; its offset is not used.
        self.put_number(offset.wrapping_sub(base.offset));
        self.put_position(position, base.position.line());
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

    /// Records a string: as a range of the document if it ends the given span there, as bytes otherwise.
    fn put_string(&mut self, text: &str, span: Span, base: Place) {
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

    fn put_namespace(&mut self, index: u32, brought: Option<&Arc<str>>) {
        let first = u64::from(index_of(0));
        match brought {
            None => self.put_number(u64::from(index).min(first - 1)),
            Some(name) => {
                let index = self.namespace_at(name);
                self.put_number(first + index as u64);
            }
        }
    }

    /// PERF: the namespace is known by its address, because comparing long names would cost their length for each
    /// element.
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

    /// The events of the child that begins at an offset of the tape.
    pub(super) fn child(&self, mut at: usize) -> Replay {
        let offset = self.number(&mut at);
        let position = self.position(&mut at, 0);
        let end = self.after_item(at);
        Replay {
            at,
            end,
            base: Place { offset, position },
        }
    }

    /// Offset of the sibling that follows the text or the element at an offset.
    pub(super) fn after_item(&self, at: usize) -> usize {
        match self.kind(at) {
            Kind::Start => {
                let mut length = [0; 8];
                if let Some(bytes) = self.bytes.get(at + 1..at + 1 + LENGTH) {
                    length[..LENGTH].copy_from_slice(bytes);
                }
                at + 1 + LENGTH + u64::from_le_bytes(length) as usize
            }
            Kind::Text | Kind::End => self.after_event(at),
        }
    }

    /// Offset of the event that follows the one at an offset.
    pub(super) fn after_event(&self, at: usize) -> usize {
        let kind = self.kind(at);
        let mut at = at + 1;
        if kind == Kind::Start {
            at += LENGTH;
        }
        self.skip_place(&mut at);
        match kind {
            Kind::Start => {
                self.skip_string(&mut at);
                self.number(&mut at);
                let attributes = self.number(&mut at);
                for _ in 0..attributes {
                    self.skip_place(&mut at);
                    self.skip_string(&mut at);
                    self.number(&mut at);
                    self.skip_string(&mut at);
                }
            }
            Kind::Text => self.skip_string(&mut at),
            Kind::End => {}
        }
        at
    }

    pub(super) fn kind(&self, at: usize) -> Kind {
        match self.bytes.get(at) {
            Some(&START) => Kind::Start,
            Some(&TEXT) => Kind::Text,
            _ => Kind::End,
        }
    }

    /// The start tag at an offset; `None` if another event is there.
    pub(super) fn tag(&self, at: usize, base: Place) -> Option<TapedTag<'de, '_>> {
        if self.kind(at) != Kind::Start {
            return None;
        }
        let mut at = at + 1 + LENGTH;
        self.skip_place(&mut at);
        let name = self.string(&mut at, base);
        let namespace = self.namespace(&mut at);
        let attributes = self.number(&mut at) as usize;
        Some(TapedTag {
            name,
            namespace,
            attributes,
            first: at,
        })
    }

    /// The attribute at an offset.
    pub(super) fn attribute_at(&self, mut at: usize, base: Place) -> TapedAttribute<'de, '_> {
        self.number(&mut at);
        let position = self.position(&mut at, base.position.line());
        let name = self.string(&mut at, base);
        let namespace = self.namespace(&mut at);
        let value = self.string(&mut at, base);
        TapedAttribute {
            name,
            namespace,
            value,
            position,
            end: at,
        }
    }

    /// The text at an offset; of another event, an empty one.
    pub(super) fn text_at(&self, at: usize, base: Place) -> Simple<'de, '_> {
        if self.kind(at) != Kind::Text {
            return Simple::new("");
        }
        let mut at = at + 1;
        self.skip_place(&mut at);
        self.string(&mut at, base)
    }

    /// Line and column of the event at an offset.
    pub(super) fn position_at(&self, at: usize, base: Place) -> Position {
        let mut at = match self.kind(at) {
            Kind::Start => at + 1 + LENGTH,
            Kind::Text | Kind::End => at + 1,
        };
        self.number(&mut at);
        self.position(&mut at, base.position.line())
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

    fn skip_place(&self, at: &mut usize) {
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

    fn string(&self, at: &mut usize, base: Place) -> Simple<'de, '_> {
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
        // SLOW: checked again, because only `src/engine/scan` may leave that out.
        Simple::new(core::str::from_utf8(bytes).unwrap_or_default())
    }

    fn namespace(&self, at: &mut usize) -> Option<&str> {
        let index = self.number(at);
        match index.checked_sub(u64::from(index_of(0))) {
            None => always(index as u32),
            Some(index) => Some(self.namespaces.get(index as usize)?),
        }
    }
}
