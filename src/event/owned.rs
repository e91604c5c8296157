//! Events that own their strings: the same parts, lent from a small table and one string.

use super::record::{
    Attr, CLEANED, DeclarationDetails, DoctypeDetails, InEntity, Kind, NAME_CLEANED, Record,
    TARGET_CLEANED, VALUE_CLEANED,
};
use super::{Event, Holder, Part, StartTag, lend};
use crate::error::{Code, Span};
use crate::input::line_index::{Anchor, LineIndex};
use crate::namespaces::{brought, index_of};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

/// An event with strings of its own: it can be kept, stored, and sent to another thread.
///
/// ```
/// use tagstream::{Event, Parser, Xml};
///
/// let mut parser = Parser::new(Xml::default());
/// parser.feed("<a b='c'>");
/// let owned = parser.next().unwrap()?;
/// drop(parser);
/// let Event::Start(tag) = owned.event() else { panic!() };
/// assert_eq!(tag.attribute("b"), Some("c"));
/// # Ok::<(), tagstream::Error>(())
/// ```
#[derive(Clone)]
pub struct OwnedEvent {
    record: Record,
    /// What was written, of a start tag; then the strings that are not part of that.
    text: String,
    attributes: Vec<Attr>,
    namespaces: Names,
    apart: Option<Box<Apart>>,
    /// Where it begins: the rest is counted from there when somebody asks.
    offset: u64,
    place: Anchor,
}

/// The namespaces that a tag names: mostly one.
#[derive(Clone)]
enum Names {
    None,
    One(Arc<str>),
    Many(Vec<Arc<str>>),
}

impl Names {
    fn as_slice(&self) -> &[Arc<str>] {
        match self {
            Names::None => &[],
            Names::One(name) => core::slice::from_ref(name),
            Names::Many(names) => names,
        }
    }

    /// Keeps a name of the parser's list; gives its index here.
    #[inline(always)]
    fn keep(&mut self, names: &[Arc<str>], index: u32) -> u32 {
        match brought(names, index) {
            Some(name) => self.keep_name(name),
            None => index,
        }
    }

    fn keep_name(&mut self, name: &Arc<str>) -> u32 {
        // Among the last few only: an attacker may name any number.
        let kept = self.as_slice();
        let from = kept.len().saturating_sub(8);
        let mut last = kept[from..].iter();
        if let Some(at) = last.position(|other| Arc::ptr_eq(other, name)) {
            return index_of(from + at);
        }
        let name = Arc::clone(name);
        *self = match core::mem::replace(self, Names::None) {
            Names::None => Names::One(name),
            Names::One(first) => Names::Many(Vec::from([first, name])),
            Names::Many(mut names) => {
                names.push(name);
                Names::Many(names)
            }
        };
        index_of(self.as_slice().len() - 1)
    }
}

/// What few events have.
#[derive(Clone, Debug, Default)]
struct Apart {
    /// Where the bytes of the event are not those of the input, or its line ends not those written.
    lines: Option<LineIndex>,
    doctype: Option<DoctypeDetails>,
    declaration: Option<DeclarationDetails>,
    code: Option<Code>,
    entity: Option<InEntity>,
}

impl OwnedEvent {
    pub(super) fn new(event: &Event<'_>) -> OwnedEvent {
        let mut owned = OwnedEvent {
            record: Record::new(Kind::Text, 0, 0),
            text: String::new(),
            attributes: Vec::new(),
            namespaces: Names::None,
            apart: None,
            offset: 0,
            place: Anchor::START,
        };
        owned.assign(event);
        owned
    }

    /// Becomes a copy of an event, in the memory that it has.
    pub(super) fn assign(&mut self, event: &Event<'_>) {
        let part = event.part();
        let mut record = *part.record;
        let (start, end) = (record.start, record.end);
        self.offset = part.holder.offset(start);
        self.place = part.holder.anchor(start);
        self.place.mark = 0;
        self.apart = None;
        self.text.clear();
        self.attributes.clear();
        self.namespaces = Names::None;
        (record.start, record.end) = (0, end - start);
        match record.kind {
            Kind::Start => {
                self.put(part.source(start, end));
                record.a = record.a.wrapping_sub(start);
                record.b = record.b.wrapping_sub(start);
                self.assign_attributes(&part, start);
                if record.flags & CLEANED != 0 {
                    (record.a, record.b) = self.put(part.first());
                }
                record.namespace = self.keep(&part, record.namespace);
                (record.c, record.d) = (0, self.attributes.len() as u32);
            }
            Kind::End => {
                (record.a, record.b) = self.put(part.first());
                record.flags |= CLEANED;
                record.namespace = self.keep(&part, record.namespace);
            }
            Kind::Text | Kind::Comment | Kind::SkippedEntity | Kind::EncodingChange => {
                (record.a, record.b) = self.put(part.first());
                record.flags |= CLEANED;
            }
            Kind::ProcessingInstruction | Kind::Doctype | Kind::Declaration | Kind::Error => {
                self.assign_rare(event, &mut record);
            }
        }
        self.record = record;
        if let Some(lines) = part.holder.lines()
            && !lines.is_plain()
        {
            self.apart().lines = Some(lines.section(start, end, self.place));
        }
    }

    /// Adds to the strings; gives where.
    #[inline]
    fn put(&mut self, string: &str) -> (u32, u32) {
        if self.text.capacity() == 0 {
            self.text = String::from(string);
            return (0, string.len() as u32);
        }
        let from = self.text.len() as u32;
        self.text.push_str(string);
        (from, self.text.len() as u32)
    }

    /// Takes the attributes of a tag, of whose source there are the strings from `start` on.
    #[inline]
    fn assign_attributes(&mut self, part: &Part<'_>, start: u32) {
        let (mut flags, mut namespaces) = (0, 0);
        let attributes = part.attributes().iter().map(|attribute| {
            flags |= attribute.flags;
            namespaces |= attribute.namespace;
            let mut attribute = *attribute;
            attribute.rebase(start);
            attribute
        });
        match self.attributes.capacity() {
            0 => self.attributes = attributes.collect(),
            _ => self.attributes.extend(attributes),
        }
        if flags & (NAME_CLEANED | VALUE_CLEANED) != 0 {
            self.put_cleaned(part);
        }
        if namespaces != 0 {
            for index in 0..self.attributes.len() {
                let namespace = self.attributes[index].namespace;
                self.attributes[index].namespace = self.keep(part, namespace);
            }
        }
    }

    /// Adds the names and values of attributes that are not as they were written.
    #[cold]
    fn put_cleaned(&mut self, part: &Part<'_>) {
        let lent = StartTag { part: *part }.attributes();
        let lengths = part.attributes().iter().map(|attribute| {
            let value = attribute.flags & VALUE_CLEANED != 0;
            let length = attribute.value_end.saturating_sub(attribute.value);
            if value { length as usize } else { 0 }
        });
        self.text.reserve_exact(lengths.sum());
        for (index, lent) in lent.enumerate() {
            let flags = self.attributes[index].flags;
            if flags & VALUE_CLEANED != 0 {
                let (value, value_end) = self.put(lent.value());
                self.attributes[index].value = value;
                self.attributes[index].value_end = value_end;
            }
            if flags & NAME_CLEANED != 0 {
                self.attributes[index].clean_name = self.put(lent.name()).0;
                self.put("\0");
            }
        }
    }

    /// Keeps the name of a namespace; gives its index here.
    #[inline]
    fn keep(&mut self, part: &Part<'_>, index: u32) -> u32 {
        self.namespaces.keep(part.holder.namespaces(), index)
    }

    /// Becomes a copy of an event of which most documents have few.
    #[cold]
    fn assign_rare(&mut self, event: &Event<'_>, record: &mut Record) {
        match event {
            Event::ProcessingInstruction(instruction) => {
                let (target, data) = (instruction.target(), instruction.data());
                self.text.reserve_exact(target.len() + data.len());
                (record.c, record.d) = self.put(target);
                (record.a, record.b) = self.put(data);
                record.flags |= CLEANED | TARGET_CLEANED;
            }
            Event::Doctype(doctype) => self.apart().doctype = Some(doctype.details().clone()),
            Event::Declaration(declaration) => {
                self.apart().declaration = Some(declaration.details().clone());
            }
            Event::ParseError(error) => {
                let entity = error.in_entity().cloned();
                (record.c, record.d) = (0, u32::from(entity.is_some()));
                let apart = self.apart();
                apart.code = Some(error.code());
                apart.entity = entity;
            }
            _ => {}
        }
    }

    fn apart(&mut self) -> &mut Apart {
        self.apart.get_or_insert_default()
    }

    /// Lends the event.
    #[inline]
    pub fn event(&self) -> Event<'_> {
        let part = Part {
            record: &self.record,
            holder: Holder::Owned(self),
        };
        lend(part, |event| event)
    }

    /// Where the event stands in the input.
    pub fn span(&self) -> Span {
        self.event().span()
    }
}

/// What its event is lent from.
impl OwnedEvent {
    #[inline(always)]
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    #[inline(always)]
    pub(super) fn attributes(&self) -> &[Attr] {
        &self.attributes
    }

    pub(super) fn namespaces(&self) -> &[Arc<str>] {
        self.namespaces.as_slice()
    }

    /// The places of its bytes, where they are not one behind the other in the input.
    pub(super) fn lines(&self) -> Option<&LineIndex> {
        self.apart.as_ref()?.lines.as_ref()
    }

    pub(super) fn offset(&self, mark: u32) -> u64 {
        match self.lines() {
            Some(lines) => lines.offset(mark),
            None => self.offset + u64::from(mark),
        }
    }

    /// Line and column of a mark.
    pub(super) fn anchor(&self, mark: u32) -> Anchor {
        let passed = match mark {
            0 => &[],
            _ => &self.text.as_bytes()[..mark as usize],
        };
        match self.lines() {
            Some(lines) => lines.after(self.place, passed),
            None => self.place.after(passed),
        }
    }

    pub(super) fn doctype(&self) -> Option<&DoctypeDetails> {
        self.apart.as_ref()?.doctype.as_ref()
    }

    pub(super) fn declaration(&self) -> Option<&DeclarationDetails> {
        self.apart.as_ref()?.declaration.as_ref()
    }

    pub(super) fn codes(&self) -> &[Code] {
        let code = self.apart.as_ref().and_then(|apart| apart.code.as_ref());
        code.map_or(&[], core::slice::from_ref)
    }

    pub(super) fn in_entities(&self) -> &[InEntity] {
        let entity = self.apart.as_ref().and_then(|apart| apart.entity.as_ref());
        entity.map_or(&[], core::slice::from_ref)
    }
}

impl fmt::Debug for OwnedEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.event().fmt(f)
    }
}
