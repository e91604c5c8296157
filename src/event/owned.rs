//! Events that own their strings: the same parts, lent from a small table and one string.

use super::record::{
    Attr, CLEANED, DeclarationDetails, DoctypeDetails, InEntity, NAME_CLEANED, Record,
    VALUE_CLEANED,
};
use super::{Event, Holder, Part, lend};
use crate::error::{Code, Span};
use crate::input::places::{Anchor, Places};
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
    text: Box<str>,
    attributes: Box<[Attr]>,
    namespaces: Names,
    places: Places,
    detail: Detail,
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
        match names.get((index as usize).wrapping_sub(1)) {
            Some(name) => self.keep_name(name),
            None => 0,
        }
    }

    fn keep_name(&mut self, name: &Arc<str>) -> u32 {
        // Among the last few only: an attacker may name any number.
        let kept = self.as_slice();
        let from = kept.len().saturating_sub(8);
        let mut last = kept[from..].iter();
        if let Some(at) = last.position(|other| Arc::ptr_eq(other, name)) {
            return (from + at) as u32 + 1;
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
        self.as_slice().len() as u32
    }
}

#[derive(Clone)]
enum Detail {
    None,
    Doctype(Box<DoctypeDetails>),
    Declaration(Box<DeclarationDetails>),
    Error([Code; 1], Option<Box<[InEntity; 1]>>),
}

impl OwnedEvent {
    pub(super) fn new(event: &Event<'_>) -> OwnedEvent {
        OwnedEvent::after(event, None).0
    }

    /// Keeps an event. Its line and column are counted from `known`, a place before it in the same
    /// batch; gives the place of the event, for the next one.
    pub(crate) fn after(event: &Event<'_>, known: Option<Anchor>) -> (OwnedEvent, Anchor) {
        let part = event.part();
        let anchor = anchor(&part, known);
        let mut record = *part.record;
        let (start, end) = (record.start, record.end);
        let mut text = String::with_capacity(length(event));
        let mut attributes = Box::default();
        let mut namespaces = Names::None;
        let mut detail = Detail::None;
        let mut put = |string: &str| {
            let from = text.len() as u32;
            text.push_str(string);
            (from, text.len() as u32)
        };
        match event {
            Event::Start(tag) => {
                put(part.source(start, end));
                let mut kept: Box<[Attr]> = tag.part.attributes().into();
                for (attribute, lent) in kept.iter_mut().zip(tag.attributes()) {
                    if attribute.flags & VALUE_CLEANED != 0 {
                        (attribute.value, attribute.value_end) = put(lent.value());
                    }
                    if attribute.flags & NAME_CLEANED != 0 {
                        attribute.clean_name = put(lent.name()).0;
                        put("\0");
                    }
                    attribute.rebase(start);
                }
                if record.flags & CLEANED != 0 {
                    (record.a, record.b) = put(tag.name());
                } else {
                    record.a -= start;
                    record.b -= start;
                }
                let indices = kept.iter_mut().map(|attribute| &mut attribute.namespace);
                for index in core::iter::once(&mut record.namespace).chain(indices) {
                    *index = namespaces.keep(tag.part.holder.namespaces(), *index);
                }
                record.c = 0;
                record.d = kept.len() as u32;
                attributes = kept;
            }
            Event::End(tag) => {
                (record.a, record.b) = put(tag.name());
                record.flags |= CLEANED;
                record.namespace = namespaces.keep(tag.part.holder.namespaces(), record.namespace);
            }
            Event::ProcessingInstruction(instruction) => {
                (record.c, record.d) = put(instruction.target());
                (record.a, record.b) = put(instruction.data());
                record.flags |= CLEANED;
            }
            Event::Text(_)
            | Event::Comment(_)
            | Event::SkippedEntity(_)
            | Event::EncodingChange(_) => {
                (record.a, record.b) = put(part.first());
                record.flags |= CLEANED;
            }
            Event::Doctype(doctype) => {
                detail = Detail::Doctype(Box::new(doctype.details().clone()))
            }
            Event::Declaration(declaration) => {
                detail = Detail::Declaration(Box::new(declaration.details().clone()));
            }
            Event::ParseError(error) => {
                record.c = 0;
                let entity = error.in_entity().map(|entity| Box::new([entity.clone()]));
                record.d = u32::from(entity.is_some());
                detail = Detail::Error([error.code()], entity);
            }
        }
        record.start = 0;
        record.end = end - start;
        let places = part.holder.places().section(start, end, anchor);
        let text = text.into_boxed_str();
        (
            OwnedEvent {
                record,
                text,
                attributes,
                namespaces,
                places,
                detail,
            },
            anchor,
        )
    }

    /// Lends the event.
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
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn attributes(&self) -> &[Attr] {
        &self.attributes
    }

    pub(super) fn namespaces(&self) -> &[Arc<str>] {
        self.namespaces.as_slice()
    }

    pub(super) fn places(&self) -> &Places {
        &self.places
    }

    pub(super) fn doctype(&self) -> Option<&DoctypeDetails> {
        match &self.detail {
            Detail::Doctype(details) => Some(details),
            _ => None,
        }
    }

    pub(super) fn declaration(&self) -> Option<&DeclarationDetails> {
        match &self.detail {
            Detail::Declaration(details) => Some(details),
            _ => None,
        }
    }

    pub(super) fn codes(&self) -> &[Code] {
        match &self.detail {
            Detail::Error(code, _) => code,
            _ => &[],
        }
    }

    pub(super) fn in_entities(&self) -> &[InEntity] {
        match &self.detail {
            Detail::Error(_, Some(entity)) => &entity[..],
            _ => &[],
        }
    }
}

impl fmt::Debug for OwnedEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.event().fmt(f)
    }
}

/// How many bytes of strings an event has.
#[inline(always)]
fn length(event: &Event<'_>) -> usize {
    match event {
        Event::Start(tag) => {
            let cleaned = |attribute: &Attr| match attribute.flags & VALUE_CLEANED {
                0 => 0,
                _ => (attribute.value_end - attribute.value) as usize,
            };
            let written = (tag.part.record.end - tag.part.record.start) as usize;
            written + tag.part.attributes().iter().map(cleaned).sum::<usize>()
        }
        Event::End(tag) => tag.name().len(),
        Event::ProcessingInstruction(instruction) => {
            instruction.target().len() + instruction.data().len()
        }
        Event::Doctype(_) | Event::Declaration(_) | Event::ParseError(_) => 0,
        _ => event.part().first().len(),
    }
}

/// Line and column of the event, counted from the nearest place known.
fn anchor(part: &Part<'_>, known: Option<Anchor>) -> Anchor {
    let mark = part.record.start;
    let (text, base) = part.holder.text_at(mark);
    let mut from = part.holder.places().anchor(mark);
    if let Some(known) = known
        && known.mark <= mark
        && known.mark >= from.mark.max(base)
    {
        from = known;
    }
    let at = (from.mark.max(base) - base) as usize;
    let passed = &text.as_bytes()[at..(mark - base) as usize];
    part.holder.places().after(from, passed)
}
