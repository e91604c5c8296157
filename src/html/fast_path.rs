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
use super::machine::{DOUBLE_QUOTED, HtmlMachine, Lexer, NAME, NOT_SPACE, TEXT, UNQUOTED};
use super::state::State;
use crate::attributes::FEW;
use crate::event::record::{Attr, Kind, NAME_CLEANED, Payload, QUOTED, Record, SELF_CLOSING};
use crate::input::Mark;
use crate::lexer::TextBuffer;

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
    token: Mark,
    name: Mark,
    name_end: Mark,
    is_end: bool,
    /// What stands for its name.
    code: u32,
}

impl HtmlMachine {
    /// Whether the window is worth the fast path, and every tag is not the end of a batch.
    #[inline(always)]
    pub(super) fn is_plain(&self, lex: &Lexer<'_>) -> bool {
        let alone = self.own.feedback.is_some_and(|feedback| feedback.alone);
        lex.left() >= lex.out.plain && !alone && !self.own.in_text_element
    }

    /// Reads content in the data state; gives the state that it leaves in. In the data state, the next
    /// unit is one that the fast path does not take.
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
            if lex.out.records.len() >= lex.out.capacity {
                lex.fence();
                break;
            }
        }
        if !text.is_none() {
            self.text = TextBuffer::at(text);
        }
        State::Data
    }

    /// Where the run of text begins that is being read, if all of it is as written and in this chunk;
    /// of any other, its register says more.
    #[inline(always)]
    fn plain_text(&self, lex: &Lexer<'_>) -> Mark {
        let start = self.text.start;
        let is_plain = self.text.as_written() == Some(start) && self.own.nulls == 0;
        match is_plain && start >= lex.chunk().1 {
            true => start,
            false => Mark::NONE,
        }
    }

    /// A tag, of which the first characters are known; gives the state that follows.
    #[inline(always)]
    fn plain_tag(&mut self, lex: &mut Lexer<'_>, text: Mark, is_end: bool) -> State {
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
        // The first record comes when all is taken: it may be the last of the batch.
        self.emit_plain_text(lex, text, token);
        match exit {
            Exit::Tag(flags) => self.emit_plain_tag(lex, &tag, flags),
            Exit::State(state) => {
                self.leave_in_tag(&tag);
                state
            }
        }
    }

    /// Hands out the run of text that begins at the mark `text` and ends before the token.
    #[inline(always)]
    fn emit_plain_text(&mut self, lex: &mut Lexer<'_>, text: Mark, token: Mark) {
        if text.is_none() {
            self.flush_text(lex, token);
        } else if text < token {
            self.tell(lex.out, token);
            lex.out
                .push(Record::new(Kind::Text, text, token).of(text, token));
        }
        self.text.start = Mark::NONE;
    }

    /// White space was taken in a tag, after its name or a value; or the before attribute name state
    /// begins.
    #[inline(always)]
    pub(super) fn plain_attributes(&mut self, lex: &mut Lexer<'_>) -> Exit {
        // Where to go on if what comes next is a surprise.
        let mut before = State::BeforeAttributeName;
        loop {
            let (space, first) = match lex.peek() {
                Some(byte @ b'a'..=b'z') => (0, Some(byte)),
                _ => lex.seek_in(&NOT_SPACE, 0),
            };
            lex.skip(space);
            match first {
                Some(b'a'..=b'z') => {}
                Some(b'>') => {
                    lex.skip(1);
                    return Exit::Tag(0);
                }
                Some(b'/') if lex.peek_at(1) == Some(b'>') => {
                    lex.skip(2);
                    return Exit::Tag(SELF_CLOSING);
                }
                _ => return Exit::State(before),
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
                return self.leave_in_attribute_name(name);
            }
            if stop != Some(b'=') {
                lex.out
                    .push_attribute(attribute(name, name_end, name_end, name_end, 0));
                lex.skip(length + 1);
                if stop == Some(b'>') {
                    return Exit::Tag(0);
                }
                before = State::AfterAttributeName;
                self.dropped = false;
                continue;
            }
            before = State::BeforeAttributeName;
            if lex.peek_at(length + 1) == Some(b'"') {
                let value = name_end + 2;
                let (to, stop) = lex.seek_or_end::<DOUBLE_QUOTED>(length + 2);
                if stop != Some(b'"') {
                    lex.out
                        .push_attribute(attribute(name, name_end, name_end, name_end, 0));
                    self.dropped = false;
                    self.value = TextBuffer::at(value);
                    lex.skip(to);
                    return Exit::State(State::AttributeValueDoubleQuoted);
                }
                let value_end = name + to as u32;
                lex.out
                    .push_attribute(attribute(name, name_end, value, value_end, QUOTED));
                lex.skip(to + 1);
                match lex.peek() {
                    Some(b'>') => {
                        lex.skip(1);
                        return Exit::Tag(0);
                    }
                    Some(b' ' | b'\n' | b'\t' | b'\x0C' | b'\r') => lex.skip(1),
                    Some(b'/') if lex.peek_at(1) == Some(b'>') => {
                        lex.skip(2);
                        return Exit::Tag(SELF_CLOSING);
                    }
                    _ => return Exit::State(State::AfterAttributeValueQuoted),
                }
                continue;
            }
            let (to, stop) = lex.seek_in(&UNQUOTED, length + 1);
            let ends = matches!(stop, Some(b' ' | b'\n' | b'\t' | b'\x0C' | b'\r' | b'>'));
            if to == length + 1 || !ends {
                let value = name_end + 1;
                lex.out
                    .push_attribute(attribute(name, name_end, value, value, 0));
                self.dropped = false;
                lex.skip(length + 1);
                return Exit::State(State::BeforeAttributeValue);
            }
            let value_end = name + to as u32;
            lex.out
                .push_attribute(attribute(name, name_end, name_end + 1, value_end, 0));
            lex.skip(to + 1);
            if stop == Some(b'>') {
                return Exit::Tag(0);
            }
        }
    }

    /// Whether one more attribute, with the name between two marks, is within the limits and the first
    /// of its name.
    #[inline(always)]
    fn may_add_attribute(&mut self, lex: &mut Lexer<'_>, name: Mark, name_end: Mark) -> bool {
        let others = &lex.out.attributes[lex.out.open as usize..];
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
        !lex.aside(|lex| lex.has_attribute_cold(&mut self.names, &new, true))
    }

    /// The states go on with this attribute's name.
    #[cold]
    #[inline(never)]
    fn leave_in_attribute_name(&mut self, name: Mark) -> Exit {
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
        self.own.odd_name = false;
        self.own.is_end_tag = tag.is_end;
    }

    /// A tag was taken whole; gives the state that follows.
    #[inline(always)]
    fn emit_plain_tag(&mut self, lex: &mut Lexer<'_>, tag: &Tag, flags: u8) -> State {
        if self.matters(tag) {
            return lex.aside(|lex| self.emit_other_tag(lex, tag, flags));
        }
        let (start, end) = (tag.token, lex.mark());
        self.tell(lex.out, end);
        let record = Record::new(Kind::End, start, end).of(tag.name, tag.name_end);
        if tag.is_end {
            lex.out.push(record);
            return State::Data;
        }
        let (first, last) = (lex.out.open, lex.out.attributes.len() as u32);
        lex.out.push(Record {
            kind: Kind::Start,
            flags,
            payload: Payload::attributes(first, last),
            ..record
        });
        lex.out.open = last;
        if last - first > FEW as u32 {
            self.names.clear();
        }
        State::Data
    }

    /// The same for a tag that more follows from than its event.
    #[cold]
    #[inline(never)]
    fn emit_other_tag(&mut self, lex: &mut Lexer<'_>, tag: &Tag, flags: u8) -> State {
        self.leave_in_tag(tag);
        self.emit_tag(lex, flags)
    }

    /// Whether more follows from a tag than its event; notes what is open.
    #[inline(always)]
    fn matters(&mut self, tag: &Tag) -> bool {
        let tells = self.own.feedback.is_none();
        if tag.is_end {
            return tells && !self.own.foreign.ends_last(tag.code);
        }
        let matters = may_matter(tag.code) || !self.own.foreign.is_absent();
        if !matters && tells {
            self.own.foreign.note(tag.code);
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

/// An attribute with the name and the value between these marks.
///
/// PERF: a new one wherever it is needed, so that it is never built in memory and then moved.
#[inline(always)]
fn attribute(name: Mark, name_end: Mark, raw: Mark, raw_end: Mark, flags: u32) -> Attr {
    Attr {
        name,
        name_end,
        raw,
        raw_end,
        flags,
        ..Attr::EMPTY
    }
}
