//! The observer of tree construction that writes balanced events, as records.
//!
//! ```text
//!   construction   html ─ body ──────── p ─ b'        <b>1<p>2</b>3
//!   stream         html ─ body ─ (b) ── p             (b) lingers: it ends after p
//! ```
//!
//! The elements that are open in the stream differ from the construction's stack of open elements in two ways. An
//! element that was removed from the middle of the stack *lingers* in the stream until the elements after it have
//! ended. Copies made by the adoption agency algorithm are not in the stream. All other elements are in both, in the
//! same order.

mod adjusted_attributes;
mod delays;
mod delivery;
mod text_errors;

use super::kept::{Delayed, Reopened, StartTags, tag_bytes};
use super::source_map::SourceMap;
use crate::dialects::html::construct::foreign::spelled;
use crate::dialects::html::construct::formatting::EntryId;
use crate::dialects::html::construct::numbers::Name;
use crate::dialects::html::construct::stack::FrameId;
use crate::dialects::html::construct::stack_observer::{CommentParent, StackObserver};
use crate::dialects::html::names::{KNOWN_NAMES, Space};
use crate::engine::error::ErrorCode;
use crate::engine::event::queue::Queue;
use crate::engine::event::record::{
    Attr, CLEANED, FOREIGN, IMPLIED, MORE, MOVED, NULLS, Payload, RESUMED, Record, RecordKind,
};
use crate::engine::event::strings::{Cleaned, ScratchOffset, Str};
use crate::engine::event::{EventCopy, StartTag};
use crate::engine::input::BufferOffset;
use crate::engine::limits::Limits;
use crate::engine::linked_list::NONE;
use crate::engine::namespaces::{
    HTML_INDEX, MATHML_INDEX, SVG_INDEX, XLINK_INDEX, XML_INDEX, XMLNS_INDEX,
};
use crate::engine::text::html_element_names::ElementName;
use alloc::string::String;
use alloc::vec::Vec;

/// Estimated memory of an open element, in bytes, in the stream and in tree construction together.
const OPEN_ELEMENT_BYTES: usize = 512;

/// The part of [`Limits::memory`] that delayed comments and whitespace may use is one divided by this number.
const WAITING_SHARE: usize = 64;

/// An element whose start event was written, and whose end event was not.
#[derive(Clone, Copy, Debug)]
struct Open {
    name: u32,
    space: Space,
    /// Index in [`Stream::names`] of the first byte of the element's name, if that name is not a known one.
    text: u32,
    state: ElementState,
    is_moved: bool,
    is_head: bool,
    /// Number of the token that caused its start event.
    token: u64,
}

/// The state of an element in the stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ElementState {
    /// The element is also on the stack of tree construction.
    Open,
    /// The element is the head. Tree construction has closed it, and its end event is delayed.
    Waits,
    /// Tree construction has removed the element from its stack, and elements inside it are still open in the stream.
    /// The end event of the element follows their end events.
    Lingers,
}

/// The elements that are open in the stream of events, and the events of the current batch.
#[derive(Clone, Debug, Default)]
pub(super) struct Stream {
    open: Vec<Open>,
    /// The names of those open elements that have unknown names, concatenated.
    names: String,
    /// For each frame of tree construction's stack, the index in `open` of its element, or `NONE`.
    of_frame: Vec<u32>,
    token: CurrentToken,
    /// The offsets in the source of the current token, if it is a text that differs from its source and is split.
    pub(super) source: SourceMap,
    pub(super) batch: Batch,
    pub(super) delayed: Delayed,
    pub(super) start_tags: StartTags,
    /// Start events of reconstructed formatting elements. Their names and attributes are filled in when the batch is
    /// delivered.
    pub(super) reopened: Vec<Reopened>,
    /// True while elements are inserted into a head that is already closed.
    is_head_again: bool,
    /// [`Limits::memory`].
    pub(super) max_memory: usize,
    /// True if no events are delayed, so that all events are in the order of the input.
    pub(super) is_in_order: bool,
    /// Counter of work: number of elements opened and ended.
    steps: u64,
}

/// The events of the current batch, with the strings and attributes that no token has.
#[derive(Clone, Debug, Default)]
pub(super) struct Batch {
    pub(super) events: Vec<Record>,
    /// Strings that no token contains, concatenated. They are inserted into the scratch buffer when the batch is
    /// delivered.
    pub(super) strings: String,
    /// Offset in the scratch buffer at which `strings` will be inserted.
    pub(super) strings_at: ScratchOffset,
    /// Attributes that no token has. They are inserted into the attributes of the queue when the batch is delivered.
    pub(super) attributes: Vec<Attr>,
    /// Index in the attributes of the queue at which `attributes` will be inserted.
    pub(super) attributes_at: u32,
    /// Events of earlier batches that are delivered with this one.
    pub(super) owned: Vec<EventCopy>,
    /// The parts of the current token, if that is a text and texts are returned in pieces.
    pub(super) parts: Vec<TextPart>,
    /// True if texts are returned in pieces and the current token is a text.
    pub(super) is_in_text: bool,
    /// Index in `events` of the first event of the current token. Known if texts are returned in pieces.
    pub(super) token_from: usize,
    /// The errors of the tokenizer before the current token, or in it, that are not emitted yet. Used if texts are
    /// returned in pieces.
    pub(super) held_errors: Vec<Record>,
    /// Offset of the character in the current text at which the limit on memory is exceeded. Known if texts are returned
    /// in pieces.
    pub(super) exceeded_at: Option<BufferOffset>,
    /// True if text is returned in pieces.
    pub(super) splits_text: bool,
    /// The events of this batch that were delayed, in the order of the batch: for each run of such events the number of
    /// events of the batch up to its end, and the start of its first event, as in [`Waiting::start`].
    pub(super) released: Vec<(usize, u64, BufferOffset)>,
}

/// A part of the text of the current token.
#[derive(Clone, Copy, Debug)]
pub(super) struct TextPart {
    /// Index in the events of the batch of the first event of the part.
    from: usize,
    /// Offset of the part in the buffered text.
    start: BufferOffset,
    /// Number of errors of tree construction in the token up to the end of the part.
    errors: usize,
    /// Number of the token.
    token: u64,
}

/// The token being processed.
#[derive(Clone, Debug, Default)]
struct CurrentToken {
    record: Record,
    /// Address in memory of the token's text, by which parts of this text are recognized.
    text_address: usize,
    /// Length of the token's text, in bytes.
    text_length: usize,
    /// Number of the token, counted from 1.
    number: u64,
    /// Number of the token's name, if the token is a tag; otherwise `NONE`. All unknown names have the number
    /// [`KNOWN_NAMES`].
    name: u32,
    /// True if the token is an end tag that has already become the end event of an element, so that it cannot become
    /// another one.
    is_claimed: bool,
    /// Index in the events of the batch of that end event, if the element is in SVG or MathML; otherwise `NONE`.
    foreign_end: u32,
    /// Number of the token whose text was written last.
    text_written_of: u64,
    /// Offset of the end of the part of the text that is being processed, if the text is split.
    part_end: BufferOffset,
}

impl Stream {
    pub(super) fn set_limits(&mut self, limits: &Limits) {
        self.max_memory = limits.memory;
        self.delayed.max_bytes = limits.memory / WAITING_SHARE;
    }

    /// Returns the number of elements that are open in the stream.
    pub(super) fn depth(&self) -> u64 {
        self.open.len() as u64
    }

    /// Returns the memory of delayed events and names, in bytes. The start tags of formatting elements are counted with
    /// the list of active formatting elements.
    #[inline(always)]
    fn bytes(&self) -> usize {
        self.names.len() * 3 + self.delayed.bytes
    }

    /// Returns the memory in use, in bytes, together with that of tree construction: see
    /// [`TreeConstruction::retained`](crate::dialects::html::construct::TreeConstruction::retained).
    #[inline(always)]
    pub(super) fn memory_used(&self, retained: usize) -> usize {
        self.bytes() + retained
    }

    #[cfg(feature = "inspect")]
    pub(super) fn steps(&self) -> u64 {
        self.steps
    }

    /// Starts a batch of `tokens`.
    pub(super) fn begin_batch(&mut self, queue: &Queue, tokens: &[Record]) {
        self.batch.strings_at = queue.unfinished;
        self.batch.attributes_at = queue.open;
        self.batch.released.clear();
        self.batch.splits_text = queue.settings.splits_at_markup;
        // The root element of a fragment was inserted before any token. It is returned with the first window, at the start
        // of the input.
        for record in &mut self.batch.events {
            (record.start, record.end) = (BufferOffset::ZERO, BufferOffset::ZERO);
            if let Str::Cleaned(name) = record.string() {
                *record = record.cleaned(name.moved(self.batch.strings_at));
            }
        }
        self.batch.events.reserve(tokens.len() + tokens.len() / 4);
    }

    /// Starts a token.
    #[inline(always)]
    pub(super) fn begin(&mut self, token: &Record) {
        self.token.record = *token;
        self.token.text_length = 0;
        self.token.number += 1;
        self.token.is_claimed = false;
        self.token.foreign_end = NONE;
        self.token.name = NONE;
    }

    /// Prepares to split the text of the current token, which differs from its source. The source is the concatenation
    /// of `first` and `second`.
    #[cold]
    pub(super) fn map_source(&mut self, text: &str, first: &str, second: &str) {
        let (start, token) = (self.token.record.start, self.token.number);
        let joined;
        let source = match (first, second) {
            (source, "") | ("", source) => source,
            _ => {
                joined = String::from_iter([first, second]);
                &*joined
            }
        };
        self.source.make(text, source, start, token);
    }

    /// Returns the range of a part of the current token's text, as indices of its bytes in that text. Returns `None` if
    /// `text` is no part of it.
    #[inline(always)]
    fn part_of_text(&self, text: &str) -> Option<(usize, usize)> {
        let at = (text.as_ptr() as usize).wrapping_sub(self.token.text_address);
        let end = at.checked_add(text.len())?;
        (end <= self.token.text_length).then_some((at, end))
    }

    /// Returns the offset, in the buffered text, of the source of the byte with the given index in the current token's
    /// text. Returns `None` if it is not known.
    #[inline(always)]
    fn source_of(&self, at: usize) -> Option<BufferOffset> {
        match self.token.record.string() {
            Str::Borrowed(from, _) => Some(from + at as u32),
            Str::Cleaned(_) if self.source.token == self.token.number => {
                Some(self.source.offset(at))
            }
            Str::Cleaned(_) => None,
        }
    }

    /// Returns whether the text of the current token, or a part of it, became an event or was delayed.
    pub(super) fn has_written_text(&self) -> bool {
        self.token.text_written_of == self.token.number
    }

    /// Inserts records into the events of the batch, before the event at the index `from`.
    #[cold]
    fn put_before(&mut self, from: usize, records: Vec<Record>) {
        for reopened in self.reopened.iter_mut().rev() {
            if reopened.at < from {
                break;
            }
            reopened.at += records.len();
        }
        for (end, ..) in self.batch.released.iter_mut().rev() {
            if *end <= from {
                break;
            }
            *end += records.len();
        }
        self.batch.events.splice(from..from, records);
    }

    /// Copies a string to the batch's own strings. Returns the range that it will have in the scratch buffer.
    #[inline]
    pub(super) fn add_string(&mut self, text: &str) -> Cleaned {
        let start = self.batch.strings_at + self.batch.strings.len() as u32;
        self.batch.strings.push_str(text);
        let end = start + text.len() as u32;
        Cleaned { start, end }
    }

    /// Copies an attribute's name, followed by a NUL. Returns its offset in the scratch buffer.
    #[inline]
    pub(super) fn add_name(&mut self, name: &str) -> ScratchOffset {
        let name = self.add_string(name);
        self.batch.strings.push('\0');
        name.start
    }

    /// Creates an event that is not in the source, with an empty span at an offset.
    fn implied(&self, kind: RecordKind, at: BufferOffset) -> Record {
        Record {
            flags: IMPLIED,
            ..Record::new(kind, at, at)
        }
    }

    /// Returns the offset of a tag that the current token implies: the start of the token, or its end if the token has
    /// already become an event.
    fn implied_offset(&self) -> BufferOffset {
        let start = self.token.record.start;
        match self.batch.events.last() {
            // These do not have the order of the input: an error precedes the event that it is about.
            Some(last) if matches!(last.kind, RecordKind::Error | RecordKind::Retained) => start,
            Some(last) => start.max(last.end),
            None => start,
        }
    }

    /// Sets the name of a record.
    fn name(&mut self, record: &mut Record, name: &str) {
        *record = record.cleaned(self.add_string(name));
    }

    /// Returns whether the innermost element is a closed head whose end event is delayed.
    #[inline(always)]
    fn head_waits(&self) -> bool {
        self.open
            .last()
            .is_some_and(|top| top.state == ElementState::Waits)
    }

    /// Adds an element to the open elements.
    #[inline(always)]
    fn push(&mut self, name: u32, text: &str, space: Space) {
        self.steps += 1;
        self.open.push(Open {
            name,
            space,
            text: self.names.len() as u32,
            state: ElementState::Open,
            is_moved: false,
            is_head: false,
            token: self.token.number,
        });
        if name as usize >= KNOWN_NAMES {
            self.names.push_str(text);
        }
    }

    /// Ends the innermost element.
    #[inline(never)]
    fn end_top(&mut self) {
        self.end_top_inline();
    }

    /// The same as [`end_top`](Self::end_top), for the call that ends nearly all elements.
    #[inline(always)]
    fn end_top_inline(&mut self) {
        let Some(open) = self.open.pop() else { return };
        self.steps += 1;
        let mut record = self.end(&open);
        record.namespace = index(open.space);
        if open.is_moved {
            record.flags |= MOVED;
        }
        self.names.truncate(open.text as usize);
        self.batch.events.push(record);
    }

    /// Returns the record of the end event of an element that was just removed from the open elements.
    #[inline(always)]
    fn end(&mut self, open: &Open) -> Record {
        let token = &self.token.record;
        let lingered = open.state == ElementState::Lingers;
        let is_html = open.space == Space::Html;
        if open.name == self.token.name
            && token.kind == RecordKind::End
            && !lingered
            && (!self.token.is_claimed || is_html && self.token.foreign_end != NONE)
        {
            if self.token.is_claimed {
                // The tag closes an HTML element. An element of SVG or MathML in it with the same name has no end tag.
                let at = core::mem::replace(&mut self.token.foreign_end, NONE);
                for end in &mut self.batch.events[at as usize..] {
                    end.flags |= IMPLIED;
                    (end.start, end.end) = (token.start, token.start);
                }
            }
            self.token.is_claimed = true;
            let mut record = Record {
                kind: RecordKind::End,
                ..*token
            };
            if !is_html {
                self.token.foreign_end = self.batch.events.len() as u32;
                if let Str::Borrowed(from, to) = record.string() {
                    record.payload = Payload::written_name(from - record.start, to - record.start);
                }
                self.name_of(&mut record, open);
            }
            return record;
        }
        match self.batch.events.last() {
            // The last event is the start of this element. The end can share its name, unless that is still to be
            // filled in.
            Some(start)
                if start.kind == RecordKind::Start
                    && open.token == self.token.number
                    && start.flags & (IMPLIED | CLEANED) != IMPLIED =>
            {
                self.implied(RecordKind::End, start.end).named_as(start)
            }
            _ => {
                let mut record = self.implied(RecordKind::End, self.implied_offset());
                self.name_of(&mut record, open);
                record
            }
        }
    }

    /// Sets the name of a record to that of an element.
    #[inline]
    fn name_of(&mut self, record: &mut Record, open: &Open) {
        if let Some(known) = ElementName::ALL.get(open.name as usize) {
            let name = match open.space {
                Space::Svg => known.svg_name(),
                _ => known.name(),
            };
            return self.name(record, name);
        }
        let (names, from) = (core::mem::take(&mut self.names), open.text as usize);
        self.name(record, &names[from..]);
        self.names = names;
    }

    /// Ends the innermost elements, one after the other, while the innermost element is in the state
    /// [`ElementState::Lingers`].
    #[inline(always)]
    fn end_lingering(&mut self) {
        while let Some(top) = self.open.last()
            && top.state == ElementState::Lingers
        {
            self.end_top();
        }
    }

    /// Dissociates a frame from its element. Returns the index of the element, if it is in the stream.
    #[inline(always)]
    fn forget(&mut self, frame: FrameId) -> Option<usize> {
        let place = self.of_frame.get_mut(frame as usize)?;
        let at = core::mem::replace(place, NONE);
        (at != NONE).then_some(at as usize)
    }

    /// Handles the removal of an element from tree construction's stack. `at` is the index of the element in `open`.
    /// The element ends, unless elements inside it are open, so that it lingers, or it is a head, which waits.
    #[inline(always)]
    fn close(&mut self, at: usize) {
        if at + 1 < self.open.len() {
            self.end_waiting_head();
        }
        if at + 1 < self.open.len() {
            let open = &mut self.open[at];
            (open.state, open.is_moved) = (ElementState::Lingers, true);
            return;
        }
        let open = &mut self.open[at];
        if open.is_head && !self.is_in_order {
            open.state = ElementState::Waits;
            return;
        }
        if at == 0 {
            self.emit_delayed_until(CommentParent::Root);
        }
        self.end_top_inline();
        if at == 0 {
            self.emit_delayed_until(CommentParent::Document);
        }
        self.end_lingering();
    }

    /// Creates the record of `text`, which is part of the current token. If `last` is the record of the preceding
    /// part of the same token, the text is joined to that record instead, and `None` is returned.
    ///
    /// Text up to the end of the token (nearly all text) is a range of the token's text. Other text is copied,
    /// because more may be joined to it.
    #[inline(always)]
    fn text_record(&mut self, text: &str, last: Option<&mut Record>) -> Option<Record> {
        let token = self.token.record;
        let part = self.part_of_text(text);
        let mut record = Record {
            flags: token.flags & !NULLS,
            ..token
        };
        let is_first = core::mem::replace(&mut self.token.text_written_of, self.token.number)
            != self.token.number;
        match part {
            Some((0, end)) if end == self.token.text_length && is_first => return Some(record),
            Some((at, end)) => {
                let is_last = end == self.token.text_length;
                if let Some(start) = self.source_of(at).filter(|_| at > 0) {
                    record.start = start;
                }
                if let Some(end) = self.source_of(end).filter(|_| !is_last) {
                    record.end = end;
                }
                if is_last && is_first {
                    record.string = token.string.without_first(at as u32);
                    return Some(record);
                }
            }
            // The text replaces a part of the token's text.
            None => record.end = self.token.part_end,
        }
        let is_piece = self.batch.splits_text;
        match is_piece {
            // Parts with ignored text between them are pieces of one run, as if the token had been divided there.
            true => {
                record.flags |= RESUMED * u8::from(!is_first);
                record.flags |= MORE * u8::from(record.end != token.end);
            }
            // A part of the token before is another text.
            false if !is_first => record.flags &= !RESUMED,
            false => {}
        }
        let made = self.add_string(text);
        if let Some(last) = last
            && !is_first
            && last.kind == RecordKind::Text
            && let Str::Cleaned(before) = last.string()
            && before.end == made.start
            && (!is_piece || last.end == record.start)
        {
            *last = last.cleaned(Cleaned {
                start: before.start,
                end: made.end,
            });
            last.end = record.end.max(last.end);
            last.flags = last.flags & !MORE | record.flags & MORE;
            return None;
        }
        Some(record.cleaned(made))
    }

    /// Emits text. `moved` is the flag [`MOVED`] or 0.
    ///
    /// PERF: nearly all text is the whole text of a token and needs no comparison with the event before it.
    #[inline(always)]
    fn push_text(&mut self, text: &str, moved: u8) {
        let token = &mut self.token;
        let is_whole = text.as_ptr() as usize == token.text_address
            && text.len() == token.text_length
            && token.text_written_of != token.number;
        if !is_whole {
            return self.push_part_of_text(text, moved);
        }
        token.text_written_of = token.number;
        self.batch.events.push(Record {
            flags: token.record.flags & !NULLS | moved,
            ..token.record
        });
    }

    /// Emits text that need not be the whole text of the current token.
    #[inline(never)]
    fn push_part_of_text(&mut self, text: &str, moved: u8) {
        let mut last = self.batch.events.pop();
        let is_like = |last: &&mut Record| last.flags & MOVED == moved;
        let record = self.text_record(text, last.as_mut().filter(is_like));
        self.batch.events.extend(last);
        if let Some(mut record) = record {
            record.flags |= moved;
            self.batch.events.push(record);
        }
    }
}

/// Returns the index by which records refer to a namespace.
#[inline(always)]
fn index(space: Space) -> u32 {
    match space {
        Space::Html => HTML_INDEX,
        Space::Svg => SVG_INDEX,
        Space::Math => MATHML_INDEX,
        Space::XLink => XLINK_INDEX,
        Space::Xml => XML_INDEX,
        Space::Xmlns => XMLNS_INDEX,
    }
}

/// Returns the flag [`MOVED`] if `moved` is true, otherwise 0.
#[inline(always)]
fn flag(moved: bool) -> u8 {
    if moved { MOVED } else { 0 }
}

impl StackObserver for Stream {
    const HAS_TREE: bool = false;

    #[inline(always)]
    fn tag(&mut self, number: u32) {
        self.token.name = number;
    }

    #[inline(always)]
    fn started(&mut self, name: Name<'_>, space: Space, tag: Option<&StartTag<'_>>, moved: bool) {
        let mut moved = moved;
        match self.head_waits() {
            true if !self.is_head_again => self.end_head(),
            false if self.is_head_again => moved = true,
            _ => {}
        }
        let mut record = match tag {
            Some(tag) => *tag.part.record,
            None => self.implied(RecordKind::Start, self.implied_offset()),
        };
        let spelled = spelled(name, space);
        let is_own = name.number == self.token.name;
        if tag.is_none() || !is_own || space != Space::Html && spelled != name.text {
            if let Str::Borrowed(from, to) = record.string() {
                record.written = (to - from).min(u16::MAX.into()) as u16;
            }
            self.name(&mut record, spelled);
        }
        record.namespace = index(space);
        record.flags |= flag(moved);
        if space != Space::Html {
            record.flags |= FOREIGN;
            if let Some(tag) = tag {
                self.adjust_attributes(&mut record, tag, space);
            }
        }
        self.batch.events.push(record);
        self.push(name.number, name.text, space);
    }

    fn reopened(&mut self, entry: EntryId, moved: bool) -> u64 {
        self.end_waiting_head();
        let Some(listed) = self
            .start_tags
            .by_entry
            .get(entry as usize)
            .and_then(Option::as_ref)
        else {
            return 0;
        };
        self.reopened.push(Reopened {
            at: self.batch.events.len(),
            entry,
            number: listed.number,
            tag: listed.tag.clone(),
        });
        let (name, length) = (listed.name, listed.length);
        let mut record = self.implied(RecordKind::Start, self.implied_offset());
        record.namespace = HTML_INDEX;
        record.flags |= flag(moved);
        self.batch.events.push(record);
        self.push(name, "", Space::Html);
        length.into()
    }

    #[inline(always)]
    fn opened(&mut self, frame: FrameId) {
        let frame = frame as usize;
        if frame >= self.of_frame.len() {
            self.of_frame.resize(frame + 1, NONE);
        }
        self.of_frame[frame] = self.open.len() as u32 - 1;
    }

    #[inline(always)]
    fn ended(&mut self) {
        self.end_top();
    }

    #[inline(always)]
    fn closed(&mut self, frame: FrameId) {
        if let Some(at) = self.forget(frame) {
            self.close(at);
        }
    }

    #[cold]
    fn taken_out(&mut self, frame: FrameId) {
        self.closed(frame);
    }

    #[cold]
    fn moved(&mut self, frame: FrameId) {
        let at = self.of_frame.get(frame as usize).copied().unwrap_or(NONE);
        if let Some(open) = self.open.get_mut(at as usize) {
            open.is_moved = true;
        }
    }

    const ELEMENT_BYTES: u32 = OPEN_ELEMENT_BYTES as u32;

    #[inline(always)]
    fn tag_bytes(tag: &StartTag<'_>) -> u32 {
        tag_bytes(tag.part.record)
    }

    #[inline]
    fn formatting_added(&mut self, entry: EntryId, tag: &StartTag<'_>) {
        self.list(entry, self.open.last().map_or(NONE, |open| open.name), tag);
    }

    fn head(&mut self) {
        if let Some(open) = self.open.last_mut() {
            open.is_head = true;
        }
    }

    #[cold]
    fn head_again(&mut self, again: bool) {
        self.is_head_again = again;
    }

    #[inline(always)]
    fn token_text(&mut self, text: &str) {
        self.token.text_address = text.as_ptr() as usize;
        self.token.text_length = text.len();
    }

    #[inline(always)]
    fn text_part(&mut self, text: &str) {
        let Some((at, end)) = self.part_of_text(text) else {
            return;
        };
        let is_last = end == self.token.text_length;
        let end = self.source_of(end).filter(|_| !is_last);
        self.token.part_end = end.unwrap_or(self.token.record.end);
        // Tags that this part implies are at its start, and not at the start of the token.
        if let Some(start) = self.source_of(at).filter(|_| at > 0) {
            self.token.record.start = start;
        }
        if self.batch.splits_text {
            self.begin_part();
        }
    }

    #[cold]
    fn part_errors(&mut self, codes: &mut Vec<ErrorCode>, is_known: bool) {
        if self.batch.splits_text {
            self.end_part(codes, is_known);
        }
    }

    #[inline(always)]
    fn measures_parts(&self) -> bool {
        self.batch.splits_text
    }

    #[cold]
    fn part_ended(&mut self, part: &str, retained: usize, is_stored: bool) {
        if self.memory_used(retained) > self.max_memory {
            self.exceed(part, retained, is_stored);
        }
    }

    #[inline(always)]
    fn text(&mut self, text: &str, moved: bool) {
        if self.delayed.is_releasing {
            self.delayed.is_releasing = false;
            let waiting = core::mem::take(&mut self.delayed.in_table);
            return self.emit_delayed(waiting, flag(moved));
        }
        if self.head_waits() {
            return self.text_after_head(text);
        }
        self.push_text(text, flag(moved));
    }

    fn hold(&mut self) {
        self.delayed.in_table.clear();
    }

    fn table_text(&mut self, text: &str) {
        let mut waiting = core::mem::take(&mut self.delayed.in_table);
        if let Some(record) = self.text_record(text, waiting.last_mut()) {
            waiting.push(record, text.len());
        }
        self.delayed.in_table = waiting;
    }

    fn release(&mut self) {
        self.delayed.is_releasing = true;
    }

    fn comment(&mut self, parent: CommentParent) {
        let mut record = self.token.record;
        let waits = match parent {
            CommentParent::Current(_) => self.head_waits(),
            _ => !self.open.is_empty(),
        };
        if waits && self.delay(parent, record) {
            return;
        }
        match parent {
            CommentParent::Current(moved) => {
                self.end_waiting_head();
                record.flags |= flag(moved);
            }
            _ => record.flags |= flag(waits),
        }
        self.batch.events.push(record);
    }

    #[cold]
    fn attributes(&mut self) {
        let token = self.token.record;
        if token.kind == RecordKind::Start && !token.attributes().is_empty() {
            self.batch.events.push(Record {
                kind: RecordKind::Attributes,
                namespace: HTML_INDEX,
                ..token
            });
        }
    }

    fn doctype(&mut self) {
        self.batch.events.push(self.token.record);
    }
}

crate::checkpoint::checkpointable! {
    struct Open { name, space, text, state, is_moved, is_head, token }
    enum ElementState { Open, Waits, Lingers }
    struct Stream {
        open, names, of_frame, token, batch, delayed, start_tags, reopened, is_head_again, max_memory,
        is_in_order, steps
        ; skip source = Default::default()
    }
    struct Batch {
        events, strings, strings_at, attributes, attributes_at, owned, splits_text, released
        ; skip parts = Vec::new(), token_from = 0, is_in_text = false, exceeded_at = None, held_errors = Vec::new()
    }
    struct CurrentToken {
        record, text_address, text_length, number, name, is_claimed, foreign_end,
        text_written_of, part_end,
    }
}
