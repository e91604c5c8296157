//! The fused chain: text, `<`, a name, ` name="value"` any number of times, `>`; and the end tag that
//! is expected.
//!
//! It does what the states do, with their own actions, but keeps in local variables what they keep in
//! registers. It takes nothing that it does not finish: at any surprise, and at the end of the
//! window, it leaves on a state's border, so that no byte is looked at twice.
//!
//! PERF: on real documents full of tags this is about twice as fast as the states alone; see
//! `benches/peers`.

use super::machine::{Cursor, DOUBLE_QUOTED, NAME, NOT_SPACE, XmlMachine};
use super::state::State;
use crate::event::record::{Attr, Kind, PREFIXED, Piece, QUOTED, Queue, Record, SELF_CLOSING};

/// The characters that begin most names.
const fn begins_name(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

/// How the chain ends.
enum Exit {
    /// A whole tag was taken; its flags.
    Tag(u8),
    /// The states go on from here.
    State(State),
}

impl XmlMachine {
    /// A `<` was taken in the data state; the next state is the tag state or one further on.
    #[inline(always)]
    pub(super) fn tag_chain(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        token: u32,
    ) -> Option<State> {
        match input.peek() {
            Some(byte) if begins_name(byte) => {}
            Some(b'/') => return self.end_tag_chain(input, out, token),
            _ => return Some(State::Tag),
        }
        let name = input.mark();
        self.odd = false;
        let (mut length, mut stop) = input.seek_or_end::<NAME>(1);
        self.colon = stop == Some(b':');
        if self.colon {
            (length, stop) = input.seek_or_end::<NAME>(length + 1);
        }
        let end = name + length as u32;
        if length > self.limits.name {
            stop = None;
        }
        let exit = match stop {
            Some(b'>') => {
                input.skip(length + 1);
                Exit::Tag(0)
            }
            Some(b' ' | b'\n' | b'\t' | b'\r') => {
                input.skip(length + 1);
                self.attribute_chain(input, out)
            }
            Some(b'/') if input.peek_at(length + 1) == Some(b'>') => {
                input.skip(length + 2);
                Exit::Tag(SELF_CLOSING)
            }
            _ => {
                input.skip(length);
                self.name_reported = false;
                Exit::State(State::TagName)
            }
        };
        // The first record comes when all is taken: it may be the last of the batch.
        self.flush_text(input, out, token);
        match exit {
            Exit::Tag(flags) => Some(self.emit_start(input, out, flags, name, end)),
            Exit::State(state) => {
                self.name = name;
                self.name_end = end;
                Some(state)
            }
        }
    }

    /// The end tag of the current element, byte for byte.
    #[inline(always)]
    fn end_tag_chain(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        token: u32,
    ) -> Option<State> {
        let want = self.open.current().unwrap_or_default();
        // A name with a character that is none of names is reported again: that is not done here.
        let odd = self.open.note() & 2 != 0;
        if want.is_empty() || odd || !input.ahead_after(1, want, b'>') {
            return Some(State::Tag);
        }
        let length = want.len();
        out.work.compared += length as u64;
        let a = input.mark() + 1;
        let b = a + length as u32;
        input.skip(length + 2);
        let end = input.mark();
        self.flush_text(input, out, token);
        self.join(input, out, token, end);
        let namespace = self.current_namespace();
        let record = Record {
            a,
            b,
            namespace,
            ..Record::new(Kind::End, token, end)
        };
        self.push(input, out, record);
        self.close();
        Some(self.after_tag(input))
    }

    /// White space was taken in a start tag, after its name or a value.
    #[inline(always)]
    fn attribute_chain(&mut self, input: &mut Cursor<'_>, out: &mut Queue) -> Exit {
        loop {
            let (space, first) = match input.peek() {
                Some(byte) if begins_name(byte) => (0, byte),
                _ => match input.seek::<NOT_SPACE>(0) {
                    Some((space, byte)) => (space, byte),
                    None => return Exit::State(State::TagAttributeNameBefore),
                },
            };
            if !begins_name(first) {
                if first == b'>' {
                    input.skip(space + 1);
                    return Exit::Tag(0);
                }
                if first == b'/' && input.peek_at(space + 1) == Some(b'>') {
                    input.skip(space + 2);
                    return Exit::Tag(SELF_CLOSING);
                }
                return Exit::State(State::TagAttributeNameBefore);
            }
            input.skip(space);
            let name = input.mark();
            let (mut length, mut stop) = input.seek_or_end::<NAME>(1);
            let mut flags = 0;
            if stop == Some(b':') {
                flags = PREFIXED;
                (length, stop) = input.seek_or_end::<NAME>(length + 1);
            }
            let name_end = name + length as u32;
            let attribute = Attr {
                name,
                name_end,
                flags,
                ..Attr::EMPTY
            };
            if stop != Some(b'=')
                || !self.may_add_attribute(out, length)
                || self.is_duplicate(input, out, name, name_end)
            {
                self.leave_in_attribute(attribute);
                input.skip(length);
                return Exit::State(State::TagAttributeName);
            }
            if first == b'x' && length == 5 {
                self.declares = true;
            }
            if input.peek_at(length + 1) != Some(b'"') {
                self.leave_in_attribute(Attr {
                    raw: name_end + 1,
                    raw_end: name_end + 1,
                    ..attribute
                });
                input.skip(length + 1);
                return Exit::State(State::TagAttributeValueBefore);
            }
            let raw = name_end + 2;
            let (to, stop) = input.seek_or_end::<DOUBLE_QUOTED>(length + 2);
            if stop != Some(b'"') {
                let flags = flags | QUOTED;
                self.leave_in_attribute(Attr {
                    raw,
                    raw_end: raw,
                    flags,
                    ..attribute
                });
                input.skip(to);
                self.string = Piece::at(raw);
                return Exit::State(State::TagAttributeValueDoubleQuoted);
            }
            self.prefixed += u32::from(flags != 0);
            let raw_end = name + to as u32;
            out.push_attribute(Attr {
                raw,
                raw_end,
                flags: flags | QUOTED,
                ..attribute
            });
            input.skip(to + 1);
            match input.peek() {
                Some(b'>') => {
                    input.skip(1);
                    return Exit::Tag(0);
                }
                Some(b' ' | b'\n' | b'\t' | b'\r') => input.skip(1),
                Some(b'/') if input.peek_at(1) == Some(b'>') => {
                    input.skip(2);
                    return Exit::Tag(SELF_CLOSING);
                }
                _ => return Exit::State(State::TagAttributeNameBefore),
            }
        }
    }

    /// Whether one more attribute, with a name of this length, is within the limits.
    #[inline(always)]
    fn may_add_attribute(&self, out: &Queue, length: usize) -> bool {
        length <= self.limits.name
            && out.attributes.len() - (out.open as usize) < self.limits.attributes
    }

    /// The states go on with this attribute.
    #[cold]
    #[inline(never)]
    fn leave_in_attribute(&mut self, attribute: Attr) {
        self.attribute = attribute;
        self.name_reported = false;
        self.dropped = false;
    }
}
