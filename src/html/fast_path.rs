//! The fast path: text, start tags whose attributes are plain, and end tags, in one loop.
//!
//! It does what the states do, and keeps in local variables what they keep in registers. It takes
//! nothing that it does not finish: at any surprise, and at the end of the window and of the batch, it
//! leaves on a state's border, with the registers as that state wants them, so that no byte is looked at
//! twice.
//!
//! PERF: real pages take a fifth fewer instructions than where each tag was read by itself (`valgrind
//! --tool=callgrind`, events counted and read).

use super::foreign::{code_of, middle};
use super::machine::{Cursor, DOUBLE_QUOTED, HtmlMachine, NAME, NOT_SPACE, TEXT, UNQUOTED};
use super::state::State;
use crate::attributes::FEW;
use crate::event::record::{
    Attr, Kind, NAME_CLEANED, NONE, Piece, QUOTED, Queue, Record, SELF_CLOSING,
};

/// How the reading of a tag ends.
pub(super) enum Exit {
    /// It was taken whole; its flags.
    Tag(u8),
    /// The states go on from here.
    State(State),
}

/// A tag, as far as it was read.
struct Tag {
    /// Its `<`.
    token: u32,
    name: u32,
    name_end: u32,
    is_end: bool,
    /// What stands for its name.
    code: u32,
}

impl HtmlMachine {
    /// Whether the window is worth the fast path, and every tag is not the end of a batch.
    #[inline(always)]
    pub(super) fn is_plain(&self, input: &Cursor<'_>, out: &Queue) -> bool {
        let in_foreign = self.feedback.is_some_and(|feedback| feedback.foreign);
        input.left() >= out.plain && !in_foreign && !self.in_text_element
    }

    /// Reads content in the data state, and leaves in the state that it gives. In the data state, the
    /// next unit is one that the fast path does not take.
    #[inline(never)]
    pub(super) fn fast_path<'w>(
        &mut self,
        input: &Cursor<'w>,
        out: &mut Queue,
    ) -> (State, Cursor<'w>) {
        // A copy, which is kept in registers.
        let mut input = *input;
        let mut text = self.plain_text(&input);
        loop {
            let (length, stop) = input.seek_or_end::<TEXT>(0);
            input.skip(length);
            let is_end = match (stop, input.peek_at(1)) {
                (Some(b'<'), Some(b'a'..=b'z')) => false,
                (Some(b'<'), Some(b'/')) if matches!(input.peek_at(2), Some(b'a'..=b'z')) => true,
                _ => break,
            };
            let state = self.plain_tag(&mut input, out, text, is_end);
            if state != State::Data {
                return (state, input);
            }
            text = input.mark();
            if out.records.len() >= out.capacity {
                input.fence();
                break;
            }
        }
        if text != NONE {
            self.text = Piece::at(text);
        }
        (State::Data, input)
    }

    /// Where the run of text begins that is being read, if all of it is as written and in this chunk;
    /// of any other, its register says more.
    #[inline(always)]
    fn plain_text(&self, input: &Cursor<'_>) -> u32 {
        let start = self.text.start;
        let is_plain = self.text.as_written() == Some(start) && self.nulls == 0;
        match is_plain && start >= input.chunk().1 {
            true => start,
            false => NONE,
        }
    }

    /// A tag, of which the first characters are known; gives the state that follows.
    #[inline(always)]
    fn plain_tag(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        text: u32,
        is_end: bool,
    ) -> State {
        let token = input.mark();
        let from = 1 + usize::from(is_end);
        let (to, mut stop) = input.seek_or_end::<NAME>(from + 1);
        if to - from > self.limits.name {
            stop = None;
        }
        let tag = Tag {
            token,
            name: token + from as u32,
            name_end: token + to as u32,
            is_end,
            code: code_of_name(input, from, to),
        };
        let exit = match stop {
            Some(b'>') => {
                input.skip(to + 1);
                Exit::Tag(0)
            }
            Some(b' ' | b'\n' | b'\t' | b'\x0C' | b'\r') => {
                input.skip(to + 1);
                match is_end {
                    true => Exit::State(State::BeforeAttributeName),
                    false => self.plain_attributes(input, out),
                }
            }
            _ => {
                input.skip(to);
                Exit::State(State::TagName)
            }
        };
        // The first record comes when all is taken: it may be the last of the batch.
        self.emit_plain_text(input, out, text, token);
        match exit {
            Exit::Tag(flags) => self.emit_plain_tag(input, out, &tag, flags),
            Exit::State(state) => {
                self.leave_in_tag(&tag);
                state
            }
        }
    }

    /// Hands out the run of text that begins at the mark `text` and ends before the token.
    #[inline(always)]
    fn emit_plain_text(&mut self, input: &mut Cursor<'_>, out: &mut Queue, text: u32, token: u32) {
        if text == NONE {
            self.flush_text(input, out, token);
        } else if text < token {
            self.tell(out, token);
            out.push(Record::new(Kind::Text, text, token).of(text, token));
        }
        self.text.start = NONE;
    }

    /// White space was taken in a tag, after its name or a value; or the before attribute name state
    /// begins.
    #[inline(always)]
    pub(super) fn plain_attributes(&mut self, input: &mut Cursor<'_>, out: &mut Queue) -> Exit {
        // Where to go on if what comes next is a surprise.
        let mut before = State::BeforeAttributeName;
        loop {
            let (space, first) = match input.peek() {
                Some(byte @ b'a'..=b'z') => (0, Some(byte)),
                _ => input.seek_in(&NOT_SPACE, 0),
            };
            match first {
                Some(b'a'..=b'z') => input.skip(space),
                Some(b'>') => {
                    input.skip(space + 1);
                    return Exit::Tag(0);
                }
                Some(b'/') if input.peek_at(space + 1) == Some(b'>') => {
                    input.skip(space + 2);
                    return Exit::Tag(SELF_CLOSING);
                }
                _ => return Exit::State(before),
            }
            let name = input.mark();
            let (length, stop) = input.seek_or_end::<NAME>(1);
            let name_end = name + length as u32;
            let is_expected = matches!(
                stop,
                Some(b'=' | b' ' | b'\n' | b'\t' | b'\x0C' | b'\r' | b'>')
            );
            if !is_expected || !self.may_add_attribute(input, out, name, name_end) {
                input.skip(length);
                return self.leave_in_attribute_name(name);
            }
            if stop != Some(b'=') {
                out.push_attribute(attribute(name, name_end, name_end, name_end, 0));
                input.skip(length + 1);
                if stop == Some(b'>') {
                    return Exit::Tag(0);
                }
                before = State::AfterAttributeName;
                self.dropped = false;
                continue;
            }
            before = State::BeforeAttributeName;
            if input.peek_at(length + 1) == Some(b'"') {
                let value = name_end + 2;
                let (to, stop) = input.seek_or_end::<DOUBLE_QUOTED>(length + 2);
                if stop != Some(b'"') {
                    out.push_attribute(attribute(name, name_end, name_end, name_end, 0));
                    self.dropped = false;
                    self.string = Piece::at(value);
                    input.skip(to);
                    return Exit::State(State::AttributeValueDoubleQuoted);
                }
                let value_end = name + to as u32;
                out.push_attribute(attribute(name, name_end, value, value_end, QUOTED));
                input.skip(to + 1);
                match input.peek() {
                    Some(b'>') => {
                        input.skip(1);
                        return Exit::Tag(0);
                    }
                    Some(b' ' | b'\n' | b'\t' | b'\x0C' | b'\r') => input.skip(1),
                    Some(b'/') if input.peek_at(1) == Some(b'>') => {
                        input.skip(2);
                        return Exit::Tag(SELF_CLOSING);
                    }
                    _ => return Exit::State(State::AfterAttributeValueQuoted),
                }
                continue;
            }
            let (to, stop) = input.seek_in(&UNQUOTED, length + 1);
            let ends = matches!(stop, Some(b' ' | b'\n' | b'\t' | b'\x0C' | b'\r' | b'>'));
            if to == length + 1 || !ends {
                let value = name_end + 1;
                out.push_attribute(attribute(name, name_end, value, value, 0));
                self.dropped = false;
                input.skip(length + 1);
                return Exit::State(State::BeforeAttributeValue);
            }
            let value_end = name + to as u32;
            out.push_attribute(attribute(name, name_end, name_end + 1, value_end, 0));
            input.skip(to + 1);
            if stop == Some(b'>') {
                return Exit::Tag(0);
            }
        }
    }

    /// Whether one more attribute, with the name between two marks, is within the limits and the first
    /// of its name.
    #[inline(always)]
    fn may_add_attribute(
        &mut self,
        input: &Cursor<'_>,
        out: &mut Queue,
        name: u32,
        name_end: u32,
    ) -> bool {
        let others = &out.attributes[out.open as usize..];
        let length = name_end - name;
        if length as usize > self.limits.name || others.len() >= self.limits.attributes {
            return false;
        }
        let may_be_equal =
            |other: &Attr| other.name_end - other.name == length || other.flags & NAME_CLEANED != 0;
        if others.len() <= FEW && !others.iter().any(may_be_equal) {
            return true;
        }
        let new = attribute(name, name_end, name_end, name_end, 0);
        !self.is_duplicate(input, out, &new)
    }

    /// The states go on with this attribute's name.
    #[cold]
    #[inline(never)]
    fn leave_in_attribute_name(&mut self, name: u32) -> Exit {
        self.attribute = Attr {
            name,
            ..Attr::EMPTY
        };
        Exit::State(State::AttributeName)
    }

    /// The states go on with this tag.
    #[cold]
    #[inline(never)]
    fn leave_in_tag(&mut self, tag: &Tag) {
        self.token = tag.token;
        self.name = tag.name;
        self.name_end = tag.name_end;
        self.odd_name = false;
        self.is_end_tag = tag.is_end;
    }

    /// A tag was taken whole; gives the state that follows.
    #[inline(always)]
    fn emit_plain_tag(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        tag: &Tag,
        flags: u8,
    ) -> State {
        if self.matters(tag) {
            let (state, after) = self.emit_other_tag(*input, out, tag, flags);
            *input = after;
            return state;
        }
        let (start, end) = (tag.token, input.mark());
        self.tell(out, end);
        let record = Record::new(Kind::End, start, end).of(tag.name, tag.name_end);
        if tag.is_end {
            out.push(record);
            return State::Data;
        }
        let (c, d) = (out.open, out.attributes.len() as u32);
        out.push(Record {
            kind: Kind::Start,
            flags,
            c,
            d,
            ..record
        });
        out.open = d;
        if d - c > FEW as u32 {
            self.names.clear();
        }
        State::Data
    }

    /// The same for a tag that more follows from than its event. It takes the cursor by value, so that
    /// that stays in registers.
    #[cold]
    #[inline(never)]
    fn emit_other_tag<'w>(
        &mut self,
        mut input: Cursor<'w>,
        out: &mut Queue,
        tag: &Tag,
        flags: u8,
    ) -> (State, Cursor<'w>) {
        self.leave_in_tag(tag);
        (self.emit_tag(&mut input, out, flags), input)
    }

    /// Whether more follows from a tag than its event; notes what is open.
    #[inline(always)]
    fn matters(&mut self, tag: &Tag) -> bool {
        let tells = self.feedback.is_none();
        if tag.is_end {
            return tells && !self.foreign.ends_last(tag.code);
        }
        let matters = may_matter(tag.code) || !self.foreign.is_absent();
        if !matters && tells {
            self.foreign.note(tag.code);
        }
        matters
    }
}

/// Whether a start tag may switch the tokenizer or begin foreign content, by the length and the first
/// letter of its name.
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

/// What stands for the name between these places of what comes next.
#[inline(always)]
fn code_of_name(input: &Cursor<'_>, from: usize, to: usize) -> u32 {
    let letter = |at: usize| input.peek_at(at).unwrap_or_default();
    let length = to - from;
    code_of(
        letter(from),
        letter(from + middle(length)),
        letter(to - 1),
        length,
    )
}

/// An attribute with the name and the value between these marks.
///
/// PERF: a new one wherever it is needed, so that it is never built in memory and then moved.
#[inline(always)]
fn attribute(name: u32, name_end: u32, raw: u32, raw_end: u32, flags: u32) -> Attr {
    Attr {
        name,
        name_end,
        raw,
        raw_end,
        flags,
        ..Attr::EMPTY
    }
}
