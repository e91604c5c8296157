//! A cursor over the elements and texts of a document, with a lookahead of one event. The cursor also records elements
//! that a type reads later on a tape (see `tape.rs`), and replays the recorded events.

use super::blank::{Blank, Spaces, is_blank};
use super::error::{DeError, DeErrorKind};
use super::level::Known;
use super::names::local;
use super::simple::{Origin, Simple};
use super::tag::{Tag, TagAttribute};
use super::tape::{EventLocation, MAX_TAPE_BYTES, Replay, Tape, TapedKind, TapedTag};
use crate::engine::dialect::{Balance, Nested};
use crate::engine::error::{Position, Span};
use crate::engine::event::{Event, StartTag};
use crate::engine::namespaces::declared_prefix;
use crate::stream::{Events, Source};
use alloc::string::String;
use alloc::vec::Vec;

/// Default for `buffer_limit`: the maximum number of bytes for buffering elements between the items of a list.
const DEFAULT_BUFFER_BYTES: usize = 64 << 20;

/// Maximum length, in bytes, of a key with a namespace that is not charged to the buffer limit.
const MAX_SHORT_KEY_BYTES: usize = 256;

/// The kind of the next event.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Next {
    Start,
    Text,
    End,
    /// The end of the document.
    Nothing,
}

/// A start tag recorded on the tape, and how far its attributes have been read.
pub(super) struct TapedStart {
    /// The location that the locations in the start tag are relative to.
    pub(super) base: EventLocation,
    /// Byte offset in the tape of the first attribute.
    pub(super) first: usize,
    /// Byte offset in the tape of the attribute that was read last, or of the first if none has been read.
    pub(super) attribute: usize,
    /// Byte offset in the tape of the attribute that is read next.
    pub(super) next: usize,
}

/// A child element or text that was recorded on the tape because its field is read later.
#[derive(Clone, Copy)]
pub(super) struct Child {
    /// Byte offset of the child in the tape.
    pub(super) at: usize,
    /// The location that the locations in the child are relative to; `None` if the record of the child begins with it.
    pub(super) base: Option<EventLocation>,
}

/// The reading position in a document. The events of recorded children that are replayed come before the events of the
/// parser.
pub(super) struct Cursor<'de, D: Balance, S> {
    events: Events<D, S, Nested>,
    /// The document if it is given as a string, otherwise an empty string.
    input: &'de str,
    /// The kind of the next event, once it has been peeked.
    next: Option<Next>,
    /// The kind of the parser's current event, until that event is consumed.
    live: Option<Next>,
    is_ended: bool,
    /// The joined text of several events that precede the current event.
    joined: Option<String>,
    /// For a text of the parser that consists of whitespace only, the reason why it is not ignored.
    blank: Option<Blank>,
    /// True if an end tag follows the parser's text.
    is_before_end: bool,
    spaces: Spaces,
    /// The recorded events of elements and texts that are read later.
    pub(super) tape: Tape<'de>,
    /// The recorded children that are being replayed, the innermost last. Their events are read before those of the
    /// parser.
    again: Vec<Replay>,
    /// While a child is recorded: for each of its open elements, the byte offset in the tape of the element's length.
    recorded: Vec<usize>,
    pub(super) buffer_limit: usize,
    /// True if a list ends at the first element that is not one of its items.
    pub(super) has_contiguous_lists: bool,
    /// True if the deserialization of an item of a sequence failed because only whitespace is left that the type of the
    /// item does not take.
    pub(super) has_no_item: bool,
    /// Number of events and skipped items that were consumed so far.
    pub(super) taken: u64,
    /// Number of times that a recorded child was examined to decide whether it belongs to a list. Tests read it.
    pub(super) looked_at: u64,
    /// The names of the open elements, separated by `/`, for error messages.
    pub(super) path: String,
    /// A buffer for the name of the field of an attribute, reused for all attributes.
    pub(super) key: String,
    pub(super) known: Known,
    /// Total length of the long keys that [`charge_key`](Cursor::charge_key) was called for, in bytes.
    long_key_bytes: usize,
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
            blank: None,
            is_before_end: false,
            spaces: Spaces::default(),
            tape: Tape::new(input),
            again: Vec::new(),
            recorded: Vec::new(),
            buffer_limit: DEFAULT_BUFFER_BYTES,
            has_contiguous_lists: false,
            has_no_item: false,
            taken: 0,
            looked_at: 0,
            path: String::new(),
            key: String::new(),
            known: Known::default(),
            long_key_bytes: 0,
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
                    TapedKind::Start => Next::Start,
                    TapedKind::Text => Next::Text,
                    TapedKind::End => Next::End,
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

    /// Advances the parser to the next start tag, end tag or text of the document. Whitespace that only indents
    /// elements is skipped.
    fn advance(&mut self) -> Result<(), DeError> {
        let is_after_start = self.current_tag().is_some();
        loop {
            let next = self.next_content()?;
            self.live = Some(next);
            if next != Next::Text {
                return Ok(());
            }
            let after = match self.events.peek()? {
                Some(Event::Start(_)) => Next::Start,
                Some(Event::End(_)) => Next::End,
                None => Next::Nothing,
                Some(_) => self.join()?,
            };
            self.is_before_end = after == Next::End;
            let Some(reason) = self.blank else {
                return Ok(());
            };
            self.blank = self.reason(
                reason == Blank::Explicit,
                is_after_start && self.is_before_end,
                after,
            );
            if self.blank.is_some() {
                return Ok(());
            }
            // Skip the text. If it was joined, the parser is at the next event already.
            if self.joined.take().is_some() {
                return Ok(());
            }
        }
    }

    /// Returns the reason why the peeked whitespace is content, or `None` if it only indents elements. `after` is the kind
    /// of the event after it.
    fn reason(&mut self, is_explicit: bool, is_alone: bool, after: Next) -> Option<Blank> {
        let has_line_end = self.string().contains(['\n', '\r']);
        // PERF: most whitespace indents elements, and its depth, which is found by a walk over the batch, is not needed.
        if has_line_end && !is_explicit && !is_alone && self.spaces.are_none() {
            return None;
        }
        let is_past = self.joined.is_some() && after == Next::Start;
        match self.events.depth() - usize::from(is_past) {
            0 => None,
            depth if is_explicit || self.spaces.is_preserved(depth) => Some(Blank::Explicit),
            _ if is_alone => Some(Blank::Alone),
            _ if has_line_end => None,
            _ => Some(Blank::Inline),
        }
    }

    /// Advances the parser to the next start tag, end tag or text, or to the end of the document. Sets `blank` for a
    /// text, as far as the text alone decides.
    ///
    /// PERF: each text is read from the batch once (`benches/peers --only values`).
    #[inline(always)]
    fn next_content(&mut self) -> Result<Next, DeError> {
        loop {
            match self.events.next_event()? {
                Some(Event::Start(tag)) => {
                    self.spaces.add(&tag);
                    return Ok(Next::Start);
                }
                Some(Event::End(_)) => return Ok(Next::End),
                Some(Event::Text(text)) => {
                    self.blank = is_blank(text.as_str()).then(|| Blank::of_text(text.has_markup()));
                    return Ok(Next::Text);
                }
                Some(Event::SkippedEntity(entity)) => {
                    let kind = DeErrorKind::Entity(entity.name().into());
                    let place = Some((entity.span(), entity.position()));
                    return Err(DeError::new(kind).at(place, &self.path));
                }
                Some(_) => {}
                None => {
                    self.is_ended = true;
                    return Ok(Next::Nothing);
                }
            }
        }
    }

    /// Joins the current text with the texts that follow it, up to the next start tag or end tag, whose kind is
    /// returned. Only comments and processing instructions lie between these texts. The joined text is explicit
    /// whitespace if it consists of whitespace and one of the texts is explicit whitespace.
    #[cold]
    fn join(&mut self) -> Result<Next, DeError> {
        let mut text = String::new();
        let mut is_explicit = false;
        let mut next = Next::Text;
        while next == Next::Text {
            if let Some(Event::Text(part)) = self.events.current() {
                text.push_str(part.as_str());
            }
            is_explicit |= self.blank == Some(Blank::Explicit);
            if self.tape.weight() + text.len() > self.buffer_limit {
                return Err(self.fail(DeErrorKind::Buffer(self.buffer_limit)));
            }
            next = self.next_content()?;
        }
        self.live = Some(next);
        self.blank = is_blank(&text).then(|| Blank::of_text(is_explicit));
        self.joined = Some(text);
        Ok(next)
    }

    /// Consumes the peeked event. If the parser supplied the event, it stays readable until the next event is peeked.
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

    /// Consumes the peeked start tag. Returns its offsets in the tape, or `None` if the tag is not recorded on the
    /// tape.
    #[inline]
    pub(super) fn take_start(&mut self) -> Option<TapedStart> {
        let start = self.again.last().and_then(|replay| {
            let (at, base) = (replay.at, replay.base);
            let first = self.tape.tag(at, base)?.first;
            Some(TapedStart {
                base,
                first,
                attribute: first,
                next: first,
            })
        });
        self.take();
        start
    }

    /// Returns the peeked start tag, or `None` if the peeked event is not a start tag.
    #[inline]
    pub(super) fn tag(&self) -> Option<Tag<'de, '_>> {
        match self.again.last() {
            Some(replay) => self.tape.tag(replay.at, replay.base).map(Tag::Taped),
            None => self.current_tag().map(Tag::Live),
        }
    }

    /// Appends the name of the peeked element to the path for error messages. Returns the previous length of the path,
    /// which has to be passed to [`close`](Cursor::close).
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

    /// Removes the name of an element from the path for error messages. `length` is the value that
    /// [`open`](Cursor::open) returned.
    #[inline]
    pub(super) fn close(&mut self, length: usize) {
        self.path.truncate(length);
    }

    /// Returns the current event of the parser if it is a start tag, even if the tag has been consumed already.
    #[inline]
    pub(super) fn current_tag(&self) -> Option<StartTag<'_>> {
        match self.events.current() {
            Some(Event::Start(tag)) => Some(tag),
            _ => None,
        }
    }

    /// Returns the peeked text.
    #[inline]
    pub(super) fn text(&self) -> Simple<'de, '_> {
        if let Some(replay) = self.again.last() {
            return self.tape.text_at(replay.at, replay.base);
        }
        text_of(&self.joined, &self.events, self.input)
    }

    /// Returns the reason why the peeked text is content although it consists of whitespace only. Returns `None` if it
    /// contains other characters.
    #[inline]
    pub(super) fn blank(&self) -> Option<Blank> {
        match self.again.last() {
            Some(replay) => self.tape.blank_at(replay.at),
            None => self.blank,
        }
    }

    /// Returns whether the peeked text is followed by the end tag of its element.
    fn is_before_end(&self) -> bool {
        match self.again.last() {
            Some(replay) => self.tape.kind(self.tape.after_event(replay.at)) == TapedKind::End,
            None => self.is_before_end,
        }
    }

    /// Returns whether the rest of an element whose start tag has been consumed is its end tag, or one text and its end
    /// tag.
    pub(super) fn is_at_text(&mut self) -> Result<bool, DeError> {
        Ok(match self.peek()? {
            Next::Text => self.is_before_end(),
            Next::End => true,
            Next::Start | Next::Nothing => false,
        })
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

    /// Returns the value of an attribute, with its origin in the document so that the value can be borrowed.
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

    /// Returns a key for the peeked tag. `key` is the local name of the tag. The key can be borrowed from the document
    /// if the document is given as a string.
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

    /// Counts a key that contains a namespace. The document contains the namespace once, and a map may have many such
    /// keys, so an error is returned if long keys take more memory than the limit for buffering.
    pub(super) fn charge_key(&mut self, key_bytes: usize) -> Result<(), DeError> {
        if key_bytes > MAX_SHORT_KEY_BYTES {
            self.long_key_bytes = self.long_key_bytes.saturating_add(key_bytes);
        }
        match self.long_key_bytes > self.buffer_limit {
            true => Err(self.fail(DeErrorKind::Buffer(self.buffer_limit))),
            false => Ok(()),
        }
    }

    /// Skips the rest of an element whose start tag has been consumed, including its end tag.
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

    /// Skips the next element or text. Does nothing if an end tag or the end of the document is next.
    pub(super) fn skip_item(&mut self) -> Result<(), DeError> {
        match self.peek()? {
            Next::Start if self.skip_taped() => Ok(()),
            Next::Start => {
                self.take();
                self.taken += 1;
                if self.current_tag().is_none() {
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

    /// Skips the next element or text if it is recorded on the tape. Returns whether it is.
    fn skip_taped(&mut self) -> bool {
        let Some(replay) = self.again.last_mut() else {
            return false;
        };
        replay.at = self.tape.after_item(replay.at);
        self.taken += 1;
        self.next = None;
        true
    }

    /// Records the next element or text on the tape, because it is not an item of the list that is being read. `field`
    /// is the name of the list's field, for error messages.
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
                Err(error.at(self.place(), &path))
            }
        }
    }

    /// Records the next element or text of the document on the tape.
    fn record(&mut self) -> Result<(), DeError> {
        let limit = self.buffer_limit.min(MAX_TAPE_BYTES);
        let base = self.location();
        self.tape.begin(base);
        loop {
            let next = self.peek()?;
            let location = self.location();
            match (next, self.events.current()) {
                (Next::Start, Some(Event::Start(tag))) => {
                    self.recorded.push(self.tape.start(&tag, base));
                }
                (Next::Text, _) => {
                    let text = text_of(&self.joined, &self.events, self.input);
                    self.tape.text(&text, self.blank, location, base);
                }
                (Next::End, _) => {
                    self.tape.end(location, base);
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
    fn location(&self) -> EventLocation {
        match self.events.current() {
            Some(event) => EventLocation::of(event.span(), event.position()),
            None => EventLocation::of(Span::default(), Position::new(0, 0, 0)),
        }
    }

    /// Returns the start tag of a recorded child, or `None` if the child is a text.
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

    /// Returns the attributes of a start tag that is recorded on the tape.
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

    /// Returns whether a start tag has attributes, and whether it has declarations of namespaces.
    pub(super) fn kinds_of_attributes(&self, tag: &Tag<'de, '_>) -> (bool, bool) {
        let mut kinds = (false, false);
        let mut add = |name: &str| match declared_prefix(name) {
            Some(_) => kinds.1 = true,
            None => kinds.0 = true,
        };
        match tag {
            Tag::Live(tag) => tag.attributes().for_each(|one| add(one.name())),
            Tag::Taped(tag) => self.taped_attributes(tag).for_each(|one| add(one.name())),
        }
        kinds
    }

    /// Returns whether the next event is replayed.
    pub(super) fn is_replaying(&self) -> bool {
        !self.again.is_empty()
    }

    /// Starts to replay a recorded child: its events are the next ones that the cursor returns.
    pub(super) fn read_again(&mut self, child: Child) {
        self.next = None;
        let replay = match child.base {
            None => self.tape.child(child.at),
            Some(base) => Replay {
                at: child.at,
                end: self.tape.after_item(child.at),
                base,
            },
        };
        debug_assert!(replay.end <= self.tape.top(), "the child is recorded");
        self.again.push(replay);
    }

    /// Discards the children that were recorded at or after the byte offset `top` of the tape.
    pub(super) fn forget(&mut self, top: usize) {
        self.tape.truncate(top);
        while self.again.last().is_some_and(|replay| replay.end > top) {
            self.again.pop();
            self.next = None;
        }
    }

    /// Returns an error of the given kind, with the position of the next event and the path of open elements.
    #[cold]
    pub(super) fn fail(&self, kind: DeErrorKind) -> DeError {
        self.placed(DeError::new(kind))
    }

    /// Adds the position of the current event and the path of open elements to an error that has no position yet.
    #[cold]
    pub(super) fn placed(&self, error: DeError) -> DeError {
        error.at(self.place(), &self.path)
    }

    /// Returns the byte range and the position of the next event.
    fn place(&self) -> Option<(Span, Position)> {
        let replay = self
            .again
            .iter()
            .rev()
            .find(|replay| replay.at < replay.end);
        if let Some(replay) = replay {
            return Some(self.tape.place_at(replay.at, replay.base));
        }
        let event = self.events.current()?;
        Some((event.span(), event.position()))
    }

    /// Advances to the next start tag of the document, skipping other events. The tag is not consumed yet.
    pub(super) fn next_start(&mut self) -> Result<Option<StartTag<'_>>, DeError> {
        loop {
            match self.events.next_event()? {
                Some(Event::Start(tag)) => {
                    self.spaces.add(&tag);
                    break;
                }
                Some(_) => {}
                None => {
                    self.is_ended = true;
                    return Ok(None);
                }
            }
        }
        (self.live, self.next) = (Some(Next::Start), None);
        Ok(self.current_tag())
    }

    /// Discards all recorded events, and advances to the end tag of the element at the given depth.
    pub(super) fn leave(&mut self, depth: u64) -> Result<(), DeError> {
        self.again.clear();
        self.tape.truncate(0);
        self.joined = None;
        (self.live, self.next) = (None, None);
        self.long_key_bytes = 0;
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

/// Returns the joined text if there is one, otherwise the current text of the parser.
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
