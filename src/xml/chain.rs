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
            Some(byte) if begins_name(byte) => {
                self.flush_text(input, out, token);
                let name = input.mark();
                let (mut length, mut stop) = input.seek_or_end::<NAME>(1);
                self.colon = stop == Some(b':');
                if self.colon {
                    (length, stop) = input.seek_or_end::<NAME>(length + 1);
                }
                input.skip(length);
                let end = name + length as u32;
                if length > self.limits.name {
                    stop = None;
                }
                match stop {
                    Some(b'>') => {
                        input.skip(1);
                        Some(self.emit_start(input, out, 0, name, end))
                    }
                    Some(b' ' | b'\n' | b'\t' | b'\r') => {
                        input.skip(1);
                        self.attribute_chain(input, out, name, end)
                    }
                    Some(b'/') if input.peek_at(1) == Some(b'>') => {
                        input.skip(2);
                        Some(self.emit_start(input, out, SELF_CLOSING, name, end))
                    }
                    _ => {
                        self.name = name;
                        self.name_reported = false;
                        Some(State::TagName)
                    }
                }
            }
            Some(b'/') => self.end_tag_chain(input, out, token),
            _ => Some(State::Tag),
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
        let want = self.open.current().unwrap_or_default().as_bytes();
        if want.is_empty() || !input.ahead_after(1, want, b'>') {
            return Some(State::Tag);
        }
        let length = want.len();
        out.work.compared += length as u64;
        self.flush_text(input, out, token);
        let a = input.mark() + 1;
        let b = a + length as u32;
        input.skip(length + 2);
        let end = input.mark();
        out.work.copied += input.join(&mut out.carry, token, end) as u64;
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
    fn attribute_chain(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        tag: u32,
        tag_end: u32,
    ) -> Option<State> {
        // Where the chain is left, the states go on with the tag's name.
        self.name = tag;
        self.name_end = tag_end;
        loop {
            let (space, first) = match input.peek() {
                Some(byte) if begins_name(byte) => (0, byte),
                _ => match input.seek::<NOT_SPACE>(0) {
                    Some((space, byte)) => (space, byte),
                    None => return Some(State::TagAttributeNameBefore),
                },
            };
            if !begins_name(first) {
                if first == b'>' {
                    input.skip(space + 1);
                    return Some(self.emit_start(input, out, 0, tag, tag_end));
                }
                if first == b'/' && input.peek_at(space + 1) == Some(b'>') {
                    input.skip(space + 2);
                    return Some(self.emit_start(input, out, SELF_CLOSING, tag, tag_end));
                }
                return Some(State::TagAttributeNameBefore);
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
            if stop != Some(b'=') || !self.may_add_attribute(out, length) {
                self.leave_in_name(Attr {
                    name,
                    flags,
                    ..Attr::EMPTY
                });
                input.skip(length);
                return Some(State::TagAttributeName);
            }
            let attribute = Attr {
                name,
                name_end,
                flags,
                ..Attr::EMPTY
            };
            let count = out.attributes.len() - out.open as usize;
            if count > 0 && self.is_duplicate(input, out, &attribute) {
                self.leave_in_name(attribute);
                input.skip(length);
                return Some(State::TagAttributeName);
            }
            if first == b'x' && length == 5 {
                self.declares = true;
            }
            if input.peek_at(length + 1) != Some(b'"') {
                input.skip(length + 1);
                let at = input.mark() - 1;
                self.leave_in_name(Attr {
                    raw: at,
                    raw_end: at,
                    ..attribute
                });
                return Some(State::TagAttributeValueBefore);
            }
            let raw = name_end + 2;
            let (to, stop) = input.seek_or_end::<DOUBLE_QUOTED>(length + 2);
            if stop != Some(b'"') {
                input.skip(to);
                self.leave_in_name(Attr {
                    raw,
                    raw_end: raw,
                    flags: flags | QUOTED,
                    ..attribute
                });
                self.string = Piece::at(raw);
                return Some(State::TagAttributeValueDoubleQuoted);
            }
            self.prefixed += u32::from(flags != 0);
            out.attributes.push(Attr {
                name,
                name_end,
                raw,
                raw_end: name + to as u32,
                value: 0,
                value_end: 0,
                namespace: 0,
                flags: flags | QUOTED,
            });
            input.skip(to + 1);
            match input.peek() {
                Some(b'>') => {
                    input.skip(1);
                    return Some(self.emit_start(input, out, 0, tag, tag_end));
                }
                Some(b' ' | b'\n' | b'\t' | b'\r') => input.skip(1),
                Some(b'/') if input.peek_at(1) == Some(b'>') => {
                    input.skip(2);
                    return Some(self.emit_start(input, out, SELF_CLOSING, tag, tag_end));
                }
                _ => return Some(State::TagAttributeNameBefore),
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
    #[inline(always)]
    fn leave_in_name(&mut self, attribute: Attr) {
        self.attribute = attribute;
        self.name_reported = false;
        self.dropped = false;
    }
}
