//! The elements and texts of a document, one ahead, and those that are kept to be read later. It must not know of
//! types.

use super::error::{DeError, DeErrorKind};
use super::simple::{Origin, Simple};
use crate::dialect::{Balance, Nested};
use crate::error::Position;
use crate::event::{Attribute, Event, OwnedEvent, StartTag};
use crate::io::{Events, Source};
use alloc::string::String;
use alloc::vec::{IntoIter, Vec};

/// So much is kept of elements between those of a sequence, in bytes, unless more is allowed.
const BUFFER: usize = 64 << 20;
/// An event that is kept takes so much beside its strings.
const KEPT: usize = 160;

/// What is next.
pub(super) enum View<'a> {
    Start(StartTag<'a>),
    Text(&'a str),
    End,
    /// The end of the document.
    Nothing,
}

/// An event that is kept.
pub(super) enum Kept {
    Event(OwnedEvent),
    /// Text that comments or instructions interrupt.
    Joined(String),
}

/// A child that is kept: an element with all that is in it, or a text.
pub(super) struct Child {
    pub(super) events: Vec<Kept>,
    weight: usize,
}

pub(super) struct Cursor<'de, D: Balance, S> {
    events: Events<D, S, Nested>,
    /// The document, where it is a string.
    input: &'de str,
    /// Whether the event in hand is still to be taken.
    is_live: bool,
    is_ended: bool,
    /// Text of more events than one, before the event in hand.
    joined: Option<String>,
    /// Children that were kept and are read now, the innermost last.
    again: Vec<IntoIter<Kept>>,
    /// How much is kept.
    kept: usize,
    pub(super) buffer_limit: usize,
    /// How often something was taken.
    pub(super) taken: u64,
    /// The names of the elements that are open.
    pub(super) path: String,
    /// The name of a field, while it is looked for.
    pub(super) key: String,
}

impl<'de, D: Balance, S: Source> Cursor<'de, D, S> {
    pub(super) fn new(events: Events<D, S, Nested>, input: &'de str) -> Cursor<'de, D, S> {
        Cursor {
            events,
            input,
            is_live: false,
            is_ended: false,
            joined: None,
            again: Vec::new(),
            kept: 0,
            buffer_limit: BUFFER,
            taken: 0,
            path: String::new(),
            key: String::new(),
        }
    }

    pub(super) fn into_events(self) -> Events<D, S, Nested> {
        self.events
    }

    /// What is next, which stays next.
    #[inline]
    pub(super) fn peek(&mut self) -> Result<View<'_>, DeError> {
        while let Some(child) = self.again.last() {
            if !child.as_slice().is_empty() {
                return Ok(self.view());
            }
            self.again.pop();
        }
        if !self.is_live && self.joined.is_none() && !self.is_ended {
            self.advance()?;
        }
        Ok(self.view())
    }

    #[inline]
    fn view(&self) -> View<'_> {
        match self.again.last().and_then(|child| child.as_slice().first()) {
            Some(Kept::Event(event)) => return View::of(event.event()),
            Some(Kept::Joined(text)) => return View::Text(text),
            None => {}
        }
        match &self.joined {
            Some(text) => View::Text(text),
            None if self.is_live => self.events.current().map_or(View::Nothing, View::of),
            None => View::Nothing,
        }
    }

    /// Goes on to the next element, end or text in the document.
    fn advance(&mut self) -> Result<(), DeError> {
        loop {
            match self.events.next_event()? {
                Some(Event::Start(_) | Event::End(_)) => {
                    self.is_live = true;
                    return Ok(());
                }
                Some(Event::Text(_)) => break,
                Some(Event::SkippedEntity(entity)) => {
                    let kind = DeErrorKind::Entity(entity.name().into());
                    let position = Some(entity.position());
                    return Err(DeError::new(kind).at(position, &self.path));
                }
                Some(_) => {}
                None => {
                    self.is_ended = true;
                    return Ok(());
                }
            }
        }
        match self.events.peek()? {
            Some(Event::Start(_) | Event::End(_)) | None => {
                self.is_live = true;
                Ok(())
            }
            Some(_) => self.join(),
        }
    }

    /// Joins the text in hand with what comments and instructions part from it.
    #[cold]
    fn join(&mut self) -> Result<(), DeError> {
        let mut text = String::new();
        let mut event = self.events.current();
        loop {
            match event {
                Some(Event::Text(part)) => text.push_str(part.as_str()),
                Some(Event::Start(_) | Event::End(_)) => {
                    self.is_live = true;
                    break;
                }
                Some(Event::SkippedEntity(entity)) => {
                    let kind = DeErrorKind::Entity(entity.name().into());
                    let position = Some(entity.position());
                    return Err(DeError::new(kind).at(position, &self.path));
                }
                Some(_) => {}
                None => {
                    self.is_ended = true;
                    break;
                }
            }
            if self.kept + text.len() > self.buffer_limit {
                return Err(self.fail(DeErrorKind::Buffer(self.buffer_limit)));
            }
            event = self.events.next_event()?;
        }
        self.joined = Some(text);
        Ok(())
    }

    /// Takes what was peeked; gives it, if it was kept. What was not is in hand until the next is peeked.
    #[inline]
    pub(super) fn take(&mut self) -> Option<Kept> {
        self.taken += 1;
        if let Some(child) = self.again.last_mut() {
            return child.next();
        }
        if self.joined.take().is_none() {
            self.is_live = false;
        }
        None
    }

    /// Enters the element that was peeked, for errors in it; gives what [`close`](Cursor::close) wants.
    #[inline]
    pub(super) fn open(&mut self) -> usize {
        let mut path = core::mem::take(&mut self.path);
        let length = path.len();
        if let View::Start(tag) = self.view() {
            if length > 0 {
                path.push('/');
            }
            path.push_str(tag.name());
        }
        self.path = path;
        length
    }

    /// Leaves it.
    #[inline]
    pub(super) fn close(&mut self, length: usize) {
        self.path.truncate(length);
    }

    /// The start tag that was taken last, if it was not kept.
    #[inline]
    pub(super) fn tag_in_hand(&self) -> Option<StartTag<'_>> {
        match self.events.current() {
            Some(Event::Start(tag)) => Some(tag),
            _ => None,
        }
    }

    /// The text that was peeked.
    #[inline]
    pub(super) fn text(&self) -> Simple<'de, '_> {
        match self.again.last().and_then(|child| child.as_slice().first()) {
            Some(Kept::Event(event)) => return self.text_of(event.event()),
            Some(Kept::Joined(text)) => return Simple::new(text),
            None => {}
        }
        match (&self.joined, self.events.current()) {
            (Some(text), _) => Simple::new(text),
            (None, Some(event)) if self.is_live => self.text_of(event),
            _ => Simple::new(""),
        }
    }

    #[inline]
    fn text_of<'a>(&self, event: Event<'a>) -> Simple<'de, 'a> {
        match event {
            Event::Text(text) => Simple::of(text.as_str(), Origin::Text(self.input, text)),
            _ => Simple::new(""),
        }
    }

    /// The value of an attribute.
    #[inline]
    pub(super) fn value_of<'a>(&self, attribute: Attribute<'a>) -> Simple<'de, 'a> {
        let origin = Origin::Attribute(self.input, attribute);
        Simple::of(attribute.value(), origin)
    }

    /// Passes over the rest of the element whose start was taken.
    pub(super) fn skip_rest(&mut self, was_kept: bool) -> Result<(), DeError> {
        self.taken += 1;
        if !was_kept && self.tag_in_hand().is_some() {
            self.events.skip_element()?;
            self.is_live = false;
            return Ok(());
        }
        self.skip_open()
    }

    /// Passes over what is left of an element that was begun.
    pub(super) fn skip_open(&mut self) -> Result<(), DeError> {
        let mut depth = 1_u64;
        while depth > 0 {
            match self.peek()? {
                View::Start(_) => depth += 1,
                View::End => depth -= 1,
                View::Text(_) => {}
                View::Nothing => return Ok(()),
            }
            self.take();
        }
        Ok(())
    }

    /// Passes over the element or the text that is next.
    pub(super) fn skip_item(&mut self) -> Result<(), DeError> {
        match self.peek()? {
            View::Start(_) => {
                let was_kept = self.take().is_some();
                self.skip_rest(was_kept)
            }
            View::Text(_) => {
                self.take();
                Ok(())
            }
            View::End | View::Nothing => Ok(()),
        }
    }

    /// Takes the element or the text that is next, to be read later.
    pub(super) fn keep_item(&mut self) -> Result<Child, DeError> {
        let mut child = Child {
            events: Vec::new(),
            weight: 0,
        };
        let mut depth = 0_u64;
        loop {
            let (step, weight) = match self.peek()? {
                View::Start(tag) => {
                    let values = tag.attributes().map(|one| one.value().len());
                    (1, tag.raw().len() + values.sum::<usize>())
                }
                View::Text(text) => (0, text.len()),
                View::End => (-1, 0),
                View::Nothing => break,
            };
            let owned = match (&self.joined, self.events.current()) {
                _ if !self.again.is_empty() => None,
                (Some(text), _) => Some(Kept::Joined(text.clone())),
                (None, event) => event.map(|event| Kept::Event(event.to_owned())),
            };
            let weight = weight + KEPT;
            child.weight += weight;
            self.kept += weight;
            if self.kept > self.buffer_limit {
                return Err(self.fail(DeErrorKind::Buffer(self.buffer_limit)));
            }
            let taken = self.take();
            child.events.extend(taken.or(owned));
            depth = depth.saturating_add_signed(step);
            if depth == 0 {
                break;
            }
        }
        Ok(child)
    }

    /// Reads a child that was kept, before all else.
    pub(super) fn read_again(&mut self, child: Child) {
        self.kept -= child.weight;
        self.again.push(child.events.into_iter());
    }

    /// An error at what is next.
    #[cold]
    pub(super) fn fail(&self, kind: DeErrorKind) -> DeError {
        self.placed(DeError::new(kind))
    }

    /// Says of an error that it is at what is next, or was taken last.
    #[cold]
    pub(super) fn placed(&self, error: DeError) -> DeError {
        error.at(self.position(), &self.path)
    }

    fn position(&self) -> Option<Position> {
        for child in self.again.iter().rev() {
            if let Some(Kept::Event(event)) = child.as_slice().first() {
                return Some(event.event().position());
            }
        }
        self.events.current().map(|event| event.position())
    }

    /// The next start tag of the document, which is to be taken then.
    pub(super) fn next_start(&mut self) -> Result<Option<StartTag<'_>>, DeError> {
        loop {
            match self.events.next_event()? {
                Some(Event::Start(_)) => break,
                Some(_) => {}
                None => {
                    self.is_ended = true;
                    return Ok(None);
                }
            }
        }
        self.is_live = true;
        Ok(self.tag_in_hand())
    }

    /// Forgets what is kept, and goes on to the end of the element of this depth.
    pub(super) fn leave(&mut self, depth: u64) -> Result<(), DeError> {
        self.again.clear();
        (self.kept, self.joined, self.is_live) = (0, None, false);
        self.path.clear();
        loop {
            match self.events.current() {
                Some(Event::End(_)) if self.events.depth() <= depth => return Ok(()),
                None if self.is_ended => return Ok(()),
                _ => {}
            }
            self.is_ended = self.events.next_event()?.is_none();
        }
    }

    /// How many elements are open at the event in hand.
    pub(super) fn depth(&self) -> u64 {
        self.events.depth()
    }
}

impl<'a> View<'a> {
    #[inline]
    fn of(event: Event<'a>) -> View<'a> {
        match event {
            Event::Start(tag) => View::Start(tag),
            Event::Text(text) => View::Text(text.as_str()),
            Event::End(_) => View::End,
            _ => View::Nothing,
        }
    }
}
