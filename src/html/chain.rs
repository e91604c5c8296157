//! The fused chain: `<`, a name, attributes any number of times, `>`; and end tags.
//!
//! It does what the states do, with their own actions, but keeps in local variables what they keep in
//! registers. It takes nothing that it does not finish: at any surprise, and at the end of the
//! window, it leaves on a state's border, so that no byte is looked at twice.
//!
//! PERF: half as fast again on real pages; see `benches/run --only HTML`.

use super::foreign::{code_of, middle};
use super::machine::{Cursor, DOUBLE_QUOTED, HtmlMachine, NAME, NOT_SPACE, UNQUOTED};
use super::state::State;
use crate::attributes::FEW;
use crate::event::record::{Attr, NAME_CLEANED, Piece, QUOTED, Queue, SELF_CLOSING};

/// How the chain ends.
enum Exit {
    /// A whole tag was taken; its flags.
    Tag(u8),
    /// The states go on from here.
    State(State),
}

impl HtmlMachine {
    /// A `<` was taken in the data state; the next state is the tag open state or one further on.
    #[inline(always)]
    pub(super) fn tag_chain(&mut self, input: &mut Cursor<'_>, out: &mut Queue) -> Option<State> {
        let skip = match input.peek() {
            Some(b'a'..=b'z') => 0,
            Some(b'/') if matches!(input.peek_at(1), Some(b'a'..=b'z')) => 1,
            _ => return Some(State::TagOpen),
        };
        let is_end_tag = skip == 1;
        let from = input.mark();
        let (length, mut stop) = input.seek_or_end::<NAME>(skip + 1);
        if length > self.limits.name {
            stop = None;
        }
        let code = code_of_name(input, skip, length);
        let exit = match stop {
            Some(b'>') => {
                input.skip(length + 1);
                Exit::Tag(0)
            }
            Some(b' ' | b'\n' | b'\t' | b'\x0C' | b'\r') => {
                input.skip(length + 1);
                if is_end_tag {
                    Exit::State(State::BeforeAttributeName)
                } else {
                    self.attribute_chain(input, out)
                }
            }
            _ => {
                input.skip(length);
                Exit::State(State::TagName)
            }
        };
        // The first record comes when all is taken: it may be the last of the batch.
        self.flush_text(input, out, self.token);
        self.name = from + skip as u32;
        self.name_end = from + length as u32;
        self.odd_name = false;
        self.is_end_tag = is_end_tag;
        Some(match exit {
            Exit::Tag(flags) => self.emit_tag_inlined(input, out, flags, Some(code)),
            Exit::State(state) => state,
        })
    }

    /// White space was taken in a start tag, after its name or a value.
    #[inline(always)]
    fn attribute_chain(&mut self, input: &mut Cursor<'_>, out: &mut Queue) -> Exit {
        // Where to go on if what comes next is a surprise.
        let mut before = State::BeforeAttributeName;
        loop {
            let (space, first) = match input.peek() {
                Some(byte @ b'a'..=b'z') => (0, byte),
                _ => match input.seek_in(&NOT_SPACE, 0) {
                    (space, Some(byte)) => (space, byte),
                    (_, None) => return Exit::State(before),
                },
            };
            match first {
                b'a'..=b'z' => input.skip(space),
                b'>' => {
                    input.skip(space + 1);
                    return Exit::Tag(0);
                }
                b'/' if input.peek_at(space + 1) == Some(b'>') => {
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
                self.attribute = Attr {
                    name,
                    ..Attr::EMPTY
                };
                return Exit::State(State::AttributeName);
            }
            self.dropped = false;
            if stop != Some(b'=') {
                out.push_attribute(attribute(name, name_end, name_end, name_end, 0));
                input.skip(length + 1);
                if stop == Some(b'>') {
                    return Exit::Tag(0);
                }
                before = State::AfterAttributeName;
                continue;
            }
            before = State::BeforeAttributeName;
            if input.peek_at(length + 1) == Some(b'"') {
                let value = name_end + 2;
                let (to, stop) = input.seek_or_end::<DOUBLE_QUOTED>(length + 2);
                if stop != Some(b'"') {
                    out.push_attribute(attribute(name, name_end, name_end, name_end, 0));
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
