//! The fast path of the HTML tokenizer: one loop over text, start tags with simple attributes, and end tags.
//!
//! The loop produces the same records as the states, but keeps in local variables what the states keep in the
//! tokenizer's registers. It handles only constructs that are complete in the window and contain nothing unusual.
//! Everything else is left to the states: at an unusual byte, at the end of the window and at the end of the batch,
//! the loop stores its variables in the registers and returns the state that continues there, possibly in the middle
//! of a tag. No byte is read twice.
//!
//! PERF: the loop saves a fifth of the instructions on real pages, compared with a separate call for each tag
//! (`valgrind --tool=callgrind`, a program that reads and counts events).

use super::foreign::{code_of, middle};
use super::machine::{DOUBLE_QUOTED, HtmlMachine, Lexer, NAME, NOT_SPACE, TEXT, UNQUOTED};
use super::state::State;
use crate::engine::attributes::MAX_UNHASHED_ATTRIBUTES;
use crate::engine::event::record::{
    Attr, NAME_CLEANED, Payload, QUOTED, Record, RecordKind, SELF_CLOSING,
};
use crate::engine::input::BufferOffset;
use crate::engine::tokenizer::TextBuffer;

/// The way in which the fast path leaves a tag.
pub(super) enum Exit {
    /// The tag was consumed up to its `>`. The number is its flags: `SELF_CLOSING` or 0.
    Tag(u8),
    /// The states continue in this state, inside the tag.
    State(State),
}

/// The part of a tag that the fast path has read. The offsets are offsets in the buffered text.
struct Tag {
    /// Offset of the `<` of the tag.
    token: BufferOffset,
    /// Start of its name.
    name: BufferOffset,
    /// End of its name.
    name_end: BufferOffset,
    /// True if it is an end tag.
    is_end: bool,
    /// Key of its name, made of three letters and the length: see [`code_of`].
    code: u32,
}

impl HtmlMachine {
    /// Returns whether to enter the fast path: the window is long enough, the content is not text of an element such
    /// as `title`, and the batch does not have to end after every tag.
    #[inline(always)]
    pub(super) fn is_plain(&self, lex: &Lexer<'_>) -> bool {
        let alone = self.dialect.feedback.is_some_and(|feedback| feedback.alone);
        lex.left() >= lex.out.settings.min_fast_path_bytes
            && !alone
            && !self.dialect.in_text_element
    }

    /// Reads content in the data state. Returns the state in which the states continue. If that is the data state,
    /// the next unit is one that the fast path does not handle.
    #[inline(never)]
    pub(super) fn fast_path(&mut self, lex: &mut Lexer<'_>) -> State {
        lex.aside(|lex| self.plain_content(lex))
    }

    #[inline(always)]
    fn plain_content(&mut self, lex: &mut Lexer<'_>) -> State {
        let mut text = self.plain_text(lex);
        loop {
            let (length, stop) = lex.seek_or_end::<TEXT>(0);
            lex.skip(length);
            let is_end = match (stop, lex.peek_at(1)) {
                (Some(b'<'), Some(b'a'..=b'z')) => false,
                (Some(b'<'), Some(b'/')) if matches!(lex.peek_at(2), Some(b'a'..=b'z')) => true,
                _ => break,
            };
            let state = self.plain_tag(lex, text, is_end);
            if state != State::Data {
                return state;
            }
            text = lex.mark();
            if lex.out.has_full_batch() {
                lex.suspend();
                break;
            }
        }
        if !text.is_none() {
            self.text = TextBuffer::at(text);
        }
        State::Data
    }

    /// Returns the start of the current run of text if the run is entirely in this chunk and equals its source. For
    /// any other run, whose details are in the register `text`, returns [`BufferOffset::NONE`].
    #[inline(always)]
    fn plain_text(&self, lex: &Lexer<'_>) -> BufferOffset {
        let start = self.text.start;
        let is_plain = self.text.as_written() == Some(start) && self.dialect.nulls == 0;
        match is_plain && start >= lex.chunk().1 {
            true => start,
            false => BufferOffset::NONE,
        }
    }

    /// Reads a tag whose first letter was peeked, and emits the text before it. `text` is the start of that text.
    /// Returns the state after the tag, or the state that continues in it.
    #[inline(always)]
    fn plain_tag(&mut self, lex: &mut Lexer<'_>, text: BufferOffset, is_end: bool) -> State {
        let token = lex.mark();
        let from = 1 + usize::from(is_end);
        let (to, mut stop) = lex.seek_or_end::<NAME>(from + 1);
        if to - from > self.limits.name {
            stop = None;
        }
        let tag = Tag {
            token,
            name: token + from as u32,
            name_end: token + to as u32,
            is_end,
            code: code_of_name(lex, from, to),
        };
        let exit = match stop {
            Some(b'>') => {
                lex.skip(to + 1);
                Exit::Tag(0)
            }
            Some(b' ' | b'\n' | b'\t' | b'\x0C' | b'\r') => {
                lex.skip(to + 1);
                match is_end {
                    true => Exit::State(State::BeforeAttributeName),
                    false => self.plain_attributes(lex),
                }
            }
            _ => {
                lex.skip(to);
                Exit::State(State::TagName)
            }
        };
        // The records are emitted after all bytes are consumed, because the first record may fill the batch.
        self.emit_plain_text(lex, text, token);
        match exit {
            Exit::Tag(flags) => self.emit_plain_tag(lex, &tag, flags),
            Exit::State(state) => {
                self.leave_in_tag(&tag);
                state
            }
        }
    }

    /// Emits the run of text from the offset `text` to the offset `token`. If `text` is [`BufferOffset::NONE`], the run
    /// is in the register `text`.
    #[inline(always)]
    fn emit_plain_text(&mut self, lex: &mut Lexer<'_>, text: BufferOffset, token: BufferOffset) {
        if text.is_none() {
            self.flush_text(lex, token);
        } else if text < token {
            self.emit_stream_errors(lex.out, token);
            lex.out
                .push(Record::new(RecordKind::Text, text, token).of(text, token));
        }
        self.text.start = BufferOffset::NONE;
    }

    /// Reads attributes up to the end of the tag. The previous unit is whitespace after the name of the tag or after
    /// a value, or the before attribute name state starts here.
    #[inline(always)]
    pub(super) fn plain_attributes(&mut self, lex: &mut Lexer<'_>) -> Exit {
        // The state that continues if the next byte is unusual.
        let mut before = State::BeforeAttributeName;
        loop {
            match self.plain_attribute(lex, before) {
                Ok(next) => before = next,
                Err(exit) => return exit,
            }
        }
    }

    /// Reads one attribute, and the whitespace byte after it. `before` is the state that continues if the next byte
    /// is unusual; returns that state for the byte after the attribute. Returns an error if the tag ends here, or a
    /// state continues.
    #[inline(always)]
    fn plain_attribute(&mut self, lex: &mut Lexer<'_>, before: State) -> Result<State, Exit> {
        let (space, first) = match lex.peek() {
            Some(byte @ b'a'..=b'z') => (0, Some(byte)),
            _ => lex.seek_in(&NOT_SPACE, 0),
        };
        lex.skip(space);
        match first {
            Some(b'a'..=b'z') => {}
            Some(b'>') => {
                lex.skip(1);
                return Err(Exit::Tag(0));
            }
            Some(b'/') if lex.peek_at(1) == Some(b'>') => {
                lex.skip(2);
                return Err(Exit::Tag(SELF_CLOSING));
            }
            _ => return Err(Exit::State(before)),
        }
        let name = lex.mark();
        let (length, stop) = lex.seek_or_end::<NAME>(1);
        let name_end = name + length as u32;
        let is_expected = matches!(
            stop,
            Some(b'=' | b' ' | b'\n' | b'\t' | b'\x0C' | b'\r' | b'>')
        );
        if !is_expected || !self.may_add_attribute(lex, name, name_end) {
            lex.skip(length);
            return Err(self.leave_in_attribute_name(name));
        }
        if stop == Some(b'=') {
            match lex.peek_at(length + 1) {
                Some(b'"') => self.plain_quoted_value(lex, name, length)?,
                _ => self.plain_unquoted_value(lex, name, length)?,
            }
            return Ok(State::BeforeAttributeName);
        }
        lex.out
            .push_attribute(attribute(name, name_end, name_end, name_end, 0));
        lex.skip(length + 1);
        if stop == Some(b'>') {
            return Err(Exit::Tag(0));
        }
        self.dropped = false;
        Ok(State::AfterAttributeName)
    }

    /// Reads a value in double quotes and the whitespace byte after it. The cursor is at the name of the attribute,
    /// whose length in bytes is `length`.
    #[inline(always)]
    fn plain_quoted_value(
        &mut self,
        lex: &mut Lexer<'_>,
        name: BufferOffset,
        length: usize,
    ) -> Result<(), Exit> {
        let name_end = name + length as u32;
        let value = name_end + 2;
        let (to, stop) = lex.seek_or_end::<DOUBLE_QUOTED>(length + 2);
        if stop != Some(b'"') {
            lex.out
                .push_attribute(attribute(name, name_end, name_end, name_end, 0));
            self.dropped = false;
            self.value = TextBuffer::at(value);
            lex.skip(to);
            return Err(Exit::State(State::AttributeValueDoubleQuoted));
        }
        let value_end = name + to as u32;
        lex.out
            .push_attribute(attribute(name, name_end, value, value_end, QUOTED));
        lex.skip(to + 1);
        match lex.peek() {
            Some(b'>') => {
                lex.skip(1);
                Err(Exit::Tag(0))
            }
            Some(b' ' | b'\n' | b'\t' | b'\x0C' | b'\r') => {
                lex.skip(1);
                Ok(())
            }
            Some(b'/') if lex.peek_at(1) == Some(b'>') => {
                lex.skip(2);
                Err(Exit::Tag(SELF_CLOSING))
            }
            _ => Err(Exit::State(State::AfterAttributeValueQuoted)),
        }
    }

    /// Like [`plain_quoted_value`](Self::plain_quoted_value), for a value without quotes.
    #[inline(always)]
    fn plain_unquoted_value(
        &mut self,
        lex: &mut Lexer<'_>,
        name: BufferOffset,
        length: usize,
    ) -> Result<(), Exit> {
        let name_end = name + length as u32;
        let value = name_end + 1;
        let (to, stop) = lex.seek_in(&UNQUOTED, length + 1);
        let ends = matches!(stop, Some(b' ' | b'\n' | b'\t' | b'\x0C' | b'\r' | b'>'));
        if to == length + 1 || !ends {
            lex.out
                .push_attribute(attribute(name, name_end, value, value, 0));
            self.dropped = false;
            lex.skip(length + 1);
            return Err(Exit::State(State::BeforeAttributeValue));
        }
        let value_end = name + to as u32;
        lex.out
            .push_attribute(attribute(name, name_end, value, value_end, 0));
        lex.skip(to + 1);
        match stop {
            Some(b'>') => Err(Exit::Tag(0)),
            _ => Ok(()),
        }
    }

    /// Returns whether the attribute whose name is between two offsets can be added to the tag: it is within the
    /// limits, and the tag has no attribute of that name.
    #[inline(always)]
    fn may_add_attribute(
        &mut self,
        lex: &mut Lexer<'_>,
        name: BufferOffset,
        name_end: BufferOffset,
    ) -> bool {
        let others = &lex.out.attributes[lex.out.open as usize..];
        let length = name_end - name;
        if length as usize > self.limits.name || others.len() >= self.limits.attributes {
            return false;
        }
        let may_be_equal =
            |other: &Attr| other.name_end - other.name == length || other.flags & NAME_CLEANED != 0;
        if others.len() <= MAX_UNHASHED_ATTRIBUTES && !others.iter().any(may_be_equal) {
            return true;
        }
        let new = attribute(name, name_end, name_end, name_end, 0);
        !lex.aside(|lex| lex.has_attribute_cold(&mut self.names, &new, true))
    }

    /// Leaves the fast path in the name of an attribute that starts at `name`.
    #[cold]
    #[inline(never)]
    fn leave_in_attribute_name(&mut self, name: BufferOffset) -> Exit {
        self.attribute = Attr {
            name,
            ..Attr::EMPTY
        };
        Exit::State(State::AttributeName)
    }

    /// Stores the tag in the registers, so that the states can continue with it.
    #[cold]
    #[inline(never)]
    fn leave_in_tag(&mut self, tag: &Tag) {
        self.token = tag.token;
        self.name = tag.name;
        self.name_end = tag.name_end;
        self.dialect.odd_name = false;
        self.dialect.is_end_tag = tag.is_end;
    }

    /// Emits a tag that was consumed completely. Returns the state after it.
    #[inline(always)]
    fn emit_plain_tag(&mut self, lex: &mut Lexer<'_>, tag: &Tag, flags: u8) -> State {
        if self.matters(tag) {
            return lex.aside(|lex| self.emit_other_tag(lex, tag, flags));
        }
        let (start, end) = (tag.token, lex.mark());
        self.emit_stream_errors(lex.out, end);
        let record = Record::new(RecordKind::End, start, end).of(tag.name, tag.name_end);
        if tag.is_end {
            lex.out.push(record);
            return State::Data;
        }
        let (first, last) = (lex.out.open, lex.out.attributes.len() as u32);
        lex.out.push(Record {
            kind: RecordKind::Start,
            flags,
            payload: Payload::attributes(first, last),
            ..record
        });
        lex.out.open = last;
        if last - first > MAX_UNHASHED_ATTRIBUTES as u32 {
            self.names.clear();
        }
        State::Data
    }

    /// Emits a tag with consequences for the tokenizer, through the function that the states use. Returns the state
    /// after the tag.
    #[cold]
    #[inline(never)]
    fn emit_other_tag(&mut self, lex: &mut Lexer<'_>, tag: &Tag, flags: u8) -> State {
        self.leave_in_tag(tag);
        self.emit_tag(lex, flags)
    }

    /// Returns whether a tag has consequences beyond its event. For a tag without any, updates the open elements that
    /// are tracked for foreign content.
    #[inline(always)]
    fn matters(&mut self, tag: &Tag) -> bool {
        let tells = self.dialect.feedback.is_none();
        if tag.is_end {
            return tells && !self.dialect.foreign.ends_last(tag.code);
        }
        let matters = may_matter(tag.code) || !self.dialect.foreign.is_absent();
        if !matters && tells {
            self.dialect.foreign.note(tag.code);
        }
        matters
    }
}

/// Returns whether a start tag may switch the tokenizer's state, start foreign content or declare an encoding, judged
/// by the length and the first letter of its name. Some names without consequences are included.
#[inline(always)]
pub(super) const fn may_matter(code: u32) -> bool {
    let [first, _, _, length] = code.to_le_bytes();
    matches!(
        (length, first),
        (3, b's' | b'x')
            | (4, b'm')
            | (5, b't' | b's')
            | (6, b'i' | b's')
            | (7, b'n')
            | (8, b't' | b'n')
            | (9, b'p')
    )
}

/// Returns the key of the upcoming name, whose start and end are distances in bytes from the cursor.
#[inline(always)]
fn code_of_name(lex: &Lexer<'_>, from: usize, to: usize) -> u32 {
    let letter = |at: usize| lex.peek_at(at).unwrap_or_default();
    let length = to - from;
    code_of(
        letter(from),
        letter(from + middle(length)),
        letter(to - 1),
        length,
    )
}

/// Creates an attribute from the offsets of its name and its value.
///
/// PERF: a new value at each use is built in place. One value that is filled step by step would be built in memory
/// and then moved.
#[inline(always)]
fn attribute(
    name: BufferOffset,
    name_end: BufferOffset,
    raw: BufferOffset,
    raw_end: BufferOffset,
    flags: u32,
) -> Attr {
    Attr {
        name,
        name_end,
        raw,
        raw_end,
        flags,
        ..Attr::EMPTY
    }
}
