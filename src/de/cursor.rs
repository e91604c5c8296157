//! The elements and texts of a document, one ahead, and those that are kept to be read later. It must not know of
//! types.

use super::error::{DeError, DeErrorKind};
use super::level::Known;
use super::simple::{Origin, Simple, is_blank};
use crate::dialect::{Balance, Nested};
use crate::error::Position;
use crate::event::{Attribute, Event, OwnedTag, StartTag};
use crate::io::{Events, Source};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::{IntoIter, Vec};

/// So much is kept of elements between those of a sequence, in bytes, unless more is allowed.
const BUFFER: usize = 64 << 20;
/// A start tag that is kept takes so much beside its strings, and anything else.
const KEPT_TAG: usize = 256;
const KEPT: usize = 64;

/// What is next.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Next {
    Start,
    Text,
    End,
    /// The end of the document.
    Nothing,
}

/// What is kept of an event.
pub(super) enum Kept<'de> {
    Start(OwnedTag),
    /// Text, and where it is; of more events than one, nowhere.
    Text(Box<str>, Option<Position>),
    /// Text that the document lends.
    Lent(&'de str, Position),
    End(Position),
}

/// A child that is kept: an element with all that is in it, or a text.
pub(super) struct Child<'de> {
    pub(super) events: Vec<Kept<'de>>,
    weight: usize,
}

pub(super) struct Cursor<'de, D: Balance, S> {
    events: Events<D, S, Nested>,
    /// The document, where it is a string.
    input: &'de str,
    /// What is next, once that is known.
    next: Option<Next>,
    /// What the event in hand is, while it is to be taken.
    live: Option<Next>,
    is_ended: bool,
    /// Text of more events than one, before the event in hand.
    joined: Option<String>,
    /// Children that were kept and are read now, the innermost last.
    again: Vec<IntoIter<Kept<'de>>>,
    /// How much is kept.
    kept: usize,
    pub(super) buffer_limit: usize,
    /// How often something was taken.
    pub(super) taken: u64,
    /// How often a child that is kept was looked at.
    pub(super) looked_at: u64,
    /// The names of the elements that are open.
    pub(super) path: String,
    /// The name of a field, while it is looked for.
    pub(super) key: String,
    pub(super) known: Known,
}

impl<'de, D: Balance, S: Source> Cursor<'de, D, S> {
    pub(super) fn new(events: Events<D, S, Nested>, input: &'de str) -> Cursor<'de, D, S> {
        Cursor {
            events,
            input,
            next: None,
            live: None,
            is_ended: false,
            joined: None,
            again: Vec::new(),
            kept: 0,
            buffer_limit: BUFFER,
            taken: 0,
            looked_at: 0,
            path: String::new(),
            key: String::new(),
            known: Known::default(),
        }
    }

    pub(super) fn into_events(self) -> Events<D, S, Nested> {
        self.events
    }

    /// What is next, which stays next.
    ///
    /// PERF: it is asked several times for each event, and found once (`benches/peers --only values`).
    #[inline(always)]
    pub(super) fn peek(&mut self) -> Result<Next, DeError> {
        match self.next {
            Some(next) => Ok(next),
            None => self.look(),
        }
    }

    fn look(&mut self) -> Result<Next, DeError> {
        while let Some(child) = self.again.last() {
            if let Some(kept) = child.as_slice().first() {
                let next = kept.kind();
                self.next = Some(next);
                return Ok(next);
            }
            self.again.pop();
        }
        if self.live.is_none() && self.joined.is_none() && !self.is_ended {
            self.advance()?;
        }
        let next = match &self.joined {
            Some(_) => Next::Text,
            None => self.live.unwrap_or(Next::Nothing),
        };
        self.next = Some(next);
        Ok(next)
    }

    /// Goes on to the next element, end or text in the document.
    #[inline]
    fn advance(&mut self) -> Result<(), DeError> {
        loop {
            match self.events.next_event()? {
                Some(Event::Start(_)) => {
                    self.live = Some(Next::Start);
                    return Ok(());
                }
                Some(Event::End(_)) => {
                    self.live = Some(Next::End);
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
                self.live = Some(Next::Text);
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
                Some(Event::Start(_)) => {
                    self.live = Some(Next::Start);
                    break;
                }
                Some(Event::End(_)) => {
                    self.live = Some(Next::End);
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
    pub(super) fn take(&mut self) -> Option<Kept<'de>> {
        self.taken += 1;
        self.next = None;
        if let Some(child) = self.again.last_mut() {
            return child.next();
        }
        if self.joined.take().is_none() {
            self.live = None;
        }
        None
    }

    /// The tag that was peeked.
    #[inline]
    pub(super) fn tag(&self) -> Option<StartTag<'_>> {
        tag_of(&self.again, &self.events)
    }

    /// Enters the element that was peeked, for errors in it; gives what [`close`](Cursor::close) wants.
    #[inline]
    pub(super) fn open(&mut self) -> usize {
        let length = self.path.len();
        if let Some(tag) = tag_of(&self.again, &self.events) {
            if length > 0 {
                self.path.push('/');
            }
            self.path.push_str(tag.name());
        }
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
            Some(Kept::Text(text, _)) => return Simple::new(text),
            Some(Kept::Lent(text, _)) => return Simple::of(text, Origin::Known(text)),
            Some(Kept::Start(_) | Kept::End(_)) => return Simple::new(""),
            None => {}
        }
        match (&self.joined, self.events.current()) {
            (Some(text), _) => Simple::new(text),
            (None, Some(Event::Text(text))) => match self.input {
                "" => Simple::new(text.as_str()),
                input => Simple::of(text.as_str(), Origin::Text(input, text.span())),
            },
            _ => Simple::new(""),
        }
    }

    /// Whether the text that was peeked is white space alone.
    #[inline]
    pub(super) fn is_blank(&self) -> bool {
        is_blank(self.string())
    }

    /// The text that was peeked, wherever it stands; of anything else, nothing.
    #[inline]
    fn string(&self) -> &str {
        match self.again.last().and_then(|child| child.as_slice().first()) {
            Some(Kept::Text(text, _)) => return text,
            Some(Kept::Lent(text, _)) => return text,
            Some(Kept::Start(_) | Kept::End(_)) => return "",
            None => {}
        }
        match (&self.joined, self.events.current()) {
            (Some(text), _) => text,
            (None, Some(Event::Text(text))) => text.as_str(),
            _ => "",
        }
    }

    /// The value of an attribute.
    #[inline]
    pub(super) fn value_of<'a>(&self, attribute: Attribute<'a>) -> Simple<'de, 'a> {
        match self.input {
            "" => Simple::new(attribute.value()),
            input => Simple::of(
                attribute.value(),
                Origin::Attribute(input, attribute.value_span()),
            ),
        }
    }

    /// Passes over the rest of the element whose start was taken.
    pub(super) fn skip_rest(&mut self, was_kept: bool) -> Result<(), DeError> {
        self.taken += 1;
        if !was_kept && self.tag_in_hand().is_some() {
            self.events.skip_element()?;
            (self.live, self.next) = (None, None);
            return Ok(());
        }
        self.skip_open()
    }

    /// Passes over what is left of an element that was begun.
    pub(super) fn skip_open(&mut self) -> Result<(), DeError> {
        let mut depth = 1_u64;
        while depth > 0 {
            match self.peek()? {
                Next::Start => depth += 1,
                Next::End => depth -= 1,
                Next::Text => {}
                Next::Nothing => return Ok(()),
            }
            self.take();
        }
        Ok(())
    }

    /// Passes over the element or the text that is next.
    pub(super) fn skip_item(&mut self) -> Result<(), DeError> {
        match self.peek()? {
            Next::Start => {
                let was_kept = self.take().is_some();
                self.skip_rest(was_kept)
            }
            Next::Text => {
                self.take();
                Ok(())
            }
            Next::End | Next::Nothing => Ok(()),
        }
    }

    /// Takes the element or the text that is next, to be read later.
    pub(super) fn keep_item(&mut self) -> Result<Child<'de>, DeError> {
        let mut child = Child {
            events: Vec::new(),
            weight: 0,
        };
        let mut depth = 0_u64;
        loop {
            let next = self.peek()?;
            let step = match next {
                Next::Start => 1,
                Next::Text => 0,
                Next::End => -1,
                Next::Nothing => break,
            };
            let weight = match next {
                Next::Start => KEPT_TAG + self.tag().map_or(0, |tag| weight(&tag)),
                Next::Text => KEPT + self.string().len(),
                Next::End | Next::Nothing => KEPT,
            };
            child.weight += weight;
            self.kept += weight;
            if self.kept > self.buffer_limit {
                return Err(self.fail(DeErrorKind::Buffer(self.buffer_limit)));
            }
            let owned = if self.again.is_empty() {
                self.kept_of_next()
            } else {
                None
            };
            let taken = self.take();
            child.events.extend(taken.or(owned));
            depth = depth.saturating_add_signed(step);
            if depth == 0 {
                break;
            }
        }
        Ok(child)
    }

    /// What is next, to be kept.
    fn kept_of_next(&self) -> Option<Kept<'de>> {
        if let Some(text) = &self.joined {
            return Some(Kept::Text(text.as_str().into(), None));
        }
        match self.events.current()? {
            Event::Start(tag) => Some(Kept::Start(tag.to_owned())),
            Event::End(tag) => Some(Kept::End(tag.position())),
            Event::Text(text) => Some(match self.text().lent() {
                Some(lent) => Kept::Lent(lent, text.position()),
                None => Kept::Text(text.as_str().into(), Some(text.position())),
            }),
            _ => None,
        }
    }

    /// Reads a child that was kept, before all else.
    pub(super) fn read_again(&mut self, child: Child<'de>) {
        self.kept -= child.weight;
        self.next = None;
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
            match child.as_slice().first() {
                Some(Kept::Start(tag)) => return Some(tag.position()),
                Some(Kept::Text(_, Some(position))) => return Some(*position),
                Some(Kept::Lent(_, position) | Kept::End(position)) => return Some(*position),
                Some(Kept::Text(_, None)) | None => {}
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
        (self.live, self.next) = (Some(Next::Start), None);
        Ok(self.tag_in_hand())
    }

    /// Forgets what is kept, and goes on to the end of the element of this depth.
    pub(super) fn leave(&mut self, depth: u64) -> Result<(), DeError> {
        self.again.clear();
        (self.kept, self.joined) = (0, None);
        (self.live, self.next) = (None, None);
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

impl Kept<'_> {
    fn kind(&self) -> Next {
        match self {
            Kept::Start(_) => Next::Start,
            Kept::Text(..) | Kept::Lent(..) => Next::Text,
            Kept::End(_) => Next::End,
        }
    }
}

impl Child<'_> {
    /// Its start tag, if it is an element.
    pub(super) fn tag(&self) -> Option<StartTag<'_>> {
        match self.events.first() {
            Some(Kept::Start(tag)) => Some(tag.as_tag()),
            _ => None,
        }
    }
}

/// Bytes of the strings of a tag, if it is kept.
fn weight(tag: &StartTag<'_>) -> usize {
    let values = tag.attributes().map(|one| one.value().len());
    tag.raw().len() + values.sum::<usize>()
}

/// The tag that is next.
#[inline]
fn tag_of<'a, D: Balance, S: Source>(
    again: &'a [IntoIter<Kept<'_>>],
    events: &'a Events<D, S, Nested>,
) -> Option<StartTag<'a>> {
    match again.last().and_then(|child| child.as_slice().first()) {
        Some(Kept::Start(tag)) => return Some(tag.as_tag()),
        Some(_) => return None,
        None => {}
    }
    match events.current() {
        Some(Event::Start(tag)) => Some(tag),
        _ => None,
    }
}
