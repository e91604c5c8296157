//! A cursor over the elements and texts of a document, with a lookahead of one event. It also records elements that a
//! type reads later, and replays them.

use super::error::{DeError, DeErrorKind};
use super::level::{Known, local};
use super::simple::{Origin, Simple, is_blank};
use super::tape::{Kind, MAX_TAPE_BYTES, Place, Replay, Tape, TapedAttribute, TapedTag};
use crate::engine::dialect::{Balance, Nested};
use crate::engine::error::{Position, Span};
use crate::engine::event::{Attribute, Event, StartTag};
use crate::stream::{Events, Source};
use alloc::string::String;
use alloc::vec::Vec;

/// Bytes that may be buffered of elements between those of a sequence, unless more are allowed.
const BUFFER: usize = 64 << 20;

/// The kind of the next event.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Next {
    Start,
    Text,
    End,
    /// The end of the document.
    Nothing,
}

/// The start tag of an element: of the document, or on the tape.
pub(super) enum Tag<'de, 'a> {
    Live(StartTag<'a>),
    Taped(TapedTag<'de, 'a>),
}

/// An attribute of a [`Tag`].
pub(super) enum TagAttribute<'de, 'a> {
    Live(Attribute<'a>),
    Taped(TapedAttribute<'de, 'a>),
}

/// The place of a start tag on the tape, and of the attribute that is read.
pub(super) struct TapedStart {
    pub(super) at: usize,
    pub(super) base: Place,
    /// Offset in the tape of the attribute that was read last.
    pub(super) attribute: usize,
    /// Offset in the tape of the attribute after it.
    pub(super) next: usize,
}

/// A child that waits on the tape.
#[derive(Clone, Copy)]
pub(super) struct Child {
    /// Offset in the tape.
    pub(super) at: usize,
    /// The place that its places are relative to; `None` if it begins with its own.
    pub(super) base: Option<Place>,
}

pub(super) struct Cursor<'de, D: Balance, S> {
    events: Events<D, S, Nested>,
    /// The document, where it is a string.
    input: &'de str,
    /// The kind of the next event, once it has been peeked.
    next: Option<Next>,
    /// The kind of the parser's current event, until that event is consumed.
    live: Option<Next>,
    is_ended: bool,
    /// The joined text of several events that precede the current event.
    joined: Option<String>,
    /// Events that are read later.
    pub(super) tape: Tape<'de>,
    /// Children on the tape that are read now, the innermost last.
    again: Vec<Replay>,
    /// The elements that are open in the child that is recorded: where their lengths are on the tape.
    recorded: Vec<usize>,
    pub(super) buffer_limit: usize,
    /// Whether a list ends at the first other element.
    pub(super) has_contiguous_lists: bool,
    /// How often something was taken.
    pub(super) taken: u64,
    /// How often a child that waits was looked at.
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
            tape: Tape::new(input),
            again: Vec::new(),
            recorded: Vec::new(),
            buffer_limit: BUFFER,
            has_contiguous_lists: false,
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

    /// Returns the kind of the next event without consuming the event.
    ///
    /// PERF: each event is peeked several times, and its kind is computed once (`benches/peers --only values`).
    #[inline(always)]
    pub(super) fn peek(&mut self) -> Result<Next, DeError> {
        match self.next {
            Some(next) => Ok(next),
            None => self.look(),
        }
    }

    fn look(&mut self) -> Result<Next, DeError> {
        while let Some(replay) = self.again.last() {
            if replay.at < replay.end {
                let next = match self.tape.kind(replay.at) {
                    Kind::Start => Next::Start,
                    Kind::Text => Next::Text,
                    Kind::End => Next::End,
                };
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

    /// Joins the current text with the texts after it that only comments and processing instructions separate from it.
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
            if self.tape.weight() + text.len() > self.buffer_limit {
                return Err(self.fail(DeErrorKind::Buffer(self.buffer_limit)));
            }
            event = self.events.next_event()?;
        }
        self.joined = Some(text);
        Ok(())
    }

    /// Consumes the peeked event. One that is not on the tape stays readable until the next is peeked.
    #[inline]
    pub(super) fn take(&mut self) {
        self.taken += 1;
        self.next = None;
        if let Some(replay) = self.again.last_mut() {
            replay.at = self.tape.after_event(replay.at);
            return;
        }
        if self.joined.take().is_none() {
            self.live = None;
        }
    }

    /// Consumes the start tag that was peeked; gives where it is, if it is on the tape.
    #[inline]
    pub(super) fn take_start(&mut self) -> Option<TapedStart> {
        let start = self.again.last().and_then(|replay| {
            let (at, base) = (replay.at, replay.base);
            let first = self.tape.tag(at, base)?.first;
            Some(TapedStart {
                at,
                base,
                attribute: first,
                next: first,
            })
        });
        self.take();
        start
    }

    /// The tag that was peeked.
    #[inline]
    pub(super) fn tag(&self) -> Option<Tag<'de, '_>> {
        match self.again.last() {
            Some(replay) => self.tape.tag(replay.at, replay.base).map(Tag::Taped),
            None => self.tag_in_hand().map(Tag::Live),
        }
    }

    /// Enters the element that was peeked, for errors in it; gives what [`close`](Cursor::close) wants.
    #[inline]
    pub(super) fn open(&mut self) -> usize {
        let mut path = core::mem::take(&mut self.path);
        let length = path.len();
        if let Some(tag) = self.tag() {
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

    /// The start tag that was taken last, if it is not on the tape.
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
        if let Some(replay) = self.again.last() {
            return self.tape.text_at(replay.at, replay.base);
        }
        text_of(&self.joined, &self.events, self.input)
    }

    /// Whether the text that was peeked is white space alone.
    #[inline]
    pub(super) fn is_blank(&self) -> bool {
        is_blank(self.string())
    }

    /// Returns the text that was peeked, whether it is recorded, joined or current. Returns an empty string for any
    /// other event.
    #[inline]
    fn string(&self) -> &str {
        if let Some(replay) = self.again.last() {
            return self.tape.text_at(replay.at, replay.base).text();
        }
        match (&self.joined, self.events.current()) {
            (Some(text), _) => text,
            (None, Some(Event::Text(text))) => text.as_str(),
            _ => "",
        }
    }

    /// The value of an attribute.
    #[inline]
    pub(super) fn value_of<'a>(&self, attribute: TagAttribute<'de, 'a>) -> Simple<'de, 'a> {
        match (attribute, self.input) {
            (TagAttribute::Taped(attribute), _) => attribute.value,
            (TagAttribute::Live(attribute), "") => Simple::new(attribute.value()),
            (TagAttribute::Live(attribute), input) => Simple::of(
                attribute.value(),
                Origin::Written(input, attribute.value_span()),
            ),
        }
    }

    /// The key that is the end of the name of the peeked tag; borrowed, where the document is a string.
    #[inline]
    pub(super) fn key_in_name<'a>(&self, key: &'a str) -> Simple<'de, 'a> {
        if self.input.is_empty() {
            return Simple::new(key);
        }
        match self.tag() {
            Some(Tag::Live(tag)) => {
                let end = tag.name_span().end;
                let start = end.saturating_sub(key.len() as u64);
                Simple::of(key, Origin::Written(self.input, Span { start, end }))
            }
            Some(Tag::Taped(tag)) => {
                let lent = tag.name.lent().map(local).filter(|lent| *lent == key);
                Simple::of(key, lent.map_or(Origin::Nowhere, Origin::Known))
            }
            None => Simple::new(key),
        }
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
            Next::Start if self.skip_taped() => Ok(()),
            Next::Start => {
                self.take();
                self.taken += 1;
                if self.tag_in_hand().is_none() {
                    return self.skip_open();
                }
                self.events.skip_element()?;
                (self.live, self.next) = (None, None);
                Ok(())
            }
            Next::Text => {
                self.take();
                Ok(())
            }
            Next::End | Next::Nothing => Ok(()),
        }
    }

    /// Passes over the element or the text that is next, if it is on the tape.
    fn skip_taped(&mut self) -> bool {
        let Some(replay) = self.again.last_mut() else {
            return false;
        };
        replay.at = self.tape.after_item(replay.at);
        self.taken += 1;
        self.next = None;
        true
    }

    /// Makes the element or the text that is next wait, because a list of this field has not ended.
    pub(super) fn keep_item(&mut self, field: &str) -> Result<Child, DeError> {
        self.peek()?;
        if let Some(&Replay { at, base, .. }) = self.again.last() {
            self.skip_taped();
            let base = Some(base);
            return Ok(Child { at, base });
        }
        let at = self.tape.top();
        self.recorded.clear();
        match self.record() {
            Ok(()) => Ok(Child { at, base: None }),
            Err(error) => {
                let path = [&*self.path, "/", field].concat();
                Err(error.at(self.position(), &path))
            }
        }
    }

    /// Records the element or the text that is next.
    fn record(&mut self) -> Result<(), DeError> {
        let limit = self.buffer_limit.min(MAX_TAPE_BYTES);
        let base = self.place();
        self.tape.begin(base);
        loop {
            let next = self.peek()?;
            let place = self.place();
            match (next, self.events.current()) {
                (Next::Start, Some(Event::Start(tag))) => {
                    self.recorded.push(self.tape.start(&tag, base));
                }
                (Next::Text, _) => {
                    let text = text_of(&self.joined, &self.events, self.input);
                    self.tape.text(&text, place, base);
                }
                (Next::End, _) => {
                    self.tape.end(place, base);
                    if let Some(length) = self.recorded.pop() {
                        self.tape.close(length);
                    }
                }
                (Next::Start | Next::Nothing, _) => {
                    while let Some(length) = self.recorded.pop() {
                        self.tape.close(length);
                    }
                    return Ok(());
                }
            }
            if self.tape.weight() > limit {
                return Err(DeError::new(DeErrorKind::Buffer(self.buffer_limit)));
            }
            self.take();
            if self.recorded.is_empty() {
                return Ok(());
            }
        }
    }

    /// Returns the offset and the position of the current event of the document.
    fn place(&self) -> Place {
        match self.events.current() {
            Some(event) => Place {
                offset: event.span().start,
                position: event.position(),
            },
            None => Place {
                offset: 0,
                position: Position::new(0, 0, 0),
            },
        }
    }

    /// The start tag of a child that waits, if it is an element.
    pub(super) fn tag_of(&self, child: Child) -> Option<Tag<'de, '_>> {
        let (at, base) = match child.base {
            Some(base) => (child.at, base),
            None => {
                let replay = self.tape.child(child.at);
                (replay.at, replay.base)
            }
        };
        self.tape.tag(at, base).map(Tag::Taped)
    }

    /// The attributes of a tag on the tape.
    pub(super) fn taped_attributes(
        &self,
        tag: &TapedTag<'de, '_>,
    ) -> impl Iterator<Item = TagAttribute<'de, '_>> {
        let base = self.again.last().map(|replay| replay.base);
        let mut at = tag.first;
        (0..tag.attributes).map_while(move |_| {
            let attribute = self.tape.attribute_at(at, base?);
            at = attribute.end;
            Some(TagAttribute::Taped(attribute))
        })
    }

    /// Reads a child that waited, before all else.
    pub(super) fn read_again(&mut self, child: Child) {
        self.next = None;
        self.again.push(match child.base {
            None => self.tape.child(child.at),
            Some(base) => Replay {
                at: child.at,
                end: self.tape.after_item(child.at),
                base,
            },
        });
    }

    /// Discards the children that waited since the tape had this length.
    pub(super) fn forget(&mut self, top: usize) {
        self.tape.truncate(top);
        while self.again.last().is_some_and(|replay| replay.end > top) {
            self.again.pop();
            self.next = None;
        }
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
        let replay = self
            .again
            .iter()
            .rev()
            .find(|replay| replay.at < replay.end);
        if let Some(replay) = replay {
            return Some(self.tape.position_at(replay.at, replay.base));
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
        self.tape.truncate(0);
        self.joined = None;
        (self.live, self.next) = (None, None);
        self.path.clear();
        loop {
            match self.events.current() {
                Some(Event::End(_)) if self.events.depth() as u64 <= depth => return Ok(()),
                None if self.is_ended => return Ok(()),
                _ => {}
            }
            self.is_ended = self.events.next_event()?.is_none();
        }
    }

    /// Returns the number of elements that are open at the current event.
    pub(super) fn depth(&self) -> u64 {
        self.events.depth() as u64
    }
}

impl<'a> Tag<'_, 'a> {
    #[inline]
    pub(super) fn name(&self) -> &'a str {
        match self {
            Tag::Live(tag) => tag.name(),
            Tag::Taped(tag) => tag.name.text(),
        }
    }

    #[inline]
    pub(super) fn namespace(&self) -> Option<&'a str> {
        match self {
            Tag::Live(tag) => tag.namespace(),
            Tag::Taped(tag) => tag.namespace,
        }
    }
}

impl<'a> TagAttribute<'_, 'a> {
    #[inline]
    pub(super) fn name(&self) -> &'a str {
        match self {
            TagAttribute::Live(attribute) => attribute.name(),
            TagAttribute::Taped(attribute) => attribute.name.text(),
        }
    }

    #[inline]
    pub(super) fn value(&self) -> &'a str {
        match self {
            TagAttribute::Live(attribute) => attribute.value(),
            TagAttribute::Taped(attribute) => attribute.value.text(),
        }
    }

    #[inline]
    pub(super) fn namespace(&self) -> Option<&'a str> {
        match self {
            TagAttribute::Live(attribute) => attribute.namespace(),
            TagAttribute::Taped(attribute) => attribute.namespace,
        }
    }

    pub(super) fn position(&self) -> Position {
        match self {
            TagAttribute::Live(attribute) => attribute.position(),
            TagAttribute::Taped(attribute) => attribute.position,
        }
    }
}

/// The text of the document that is next.
#[inline]
fn text_of<'de, 'a, D: Balance, S: Source>(
    joined: &'a Option<String>,
    events: &'a Events<D, S, Nested>,
    input: &'de str,
) -> Simple<'de, 'a> {
    match (joined, events.current()) {
        (Some(text), _) => Simple::new(text),
        (None, Some(Event::Text(text))) => match input {
            "" => Simple::new(text.as_str()),
            input => Simple::of(text.as_str(), Origin::Text(input, text.span())),
        },
        _ => Simple::new(""),
    }
}
