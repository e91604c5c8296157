//! Plain content in one loop: text, start tags `<name name="value">`, and the end tags that are
//! expected.
//!
//! The loop does what the states do, and keeps in local variables what they keep in registers. It takes
//! nothing that it does not finish: at any surprise, at the end of the window and at that of the batch
//! it leaves on a state's border, with the registers as that state wants them, so that no byte is
//! looked at twice. A tag that is whole, and still not simply what it looks like (it declares a
//! namespace, or attributes of its element are declared, or a limit is near), is emitted as the states
//! do it, and the loop goes on.
//!
//! PERF: vk.xml in chunks of 64 bytes takes 92 million instructions, and 110 by the states alone; all at
//! once 38, where each tag by itself took 44 (`valgrind --tool=callgrind`, events counted and read).

use super::machine::{Cursor, DOUBLE_QUOTED, NAME, NOT_SPACE, Phase, TEXT, XmlMachine};
use super::state::State;
use crate::attributes::FEW;
use crate::event::record::{
    Attr, Kind, NONE, PREFIXED, Piece, QUOTED, Queue, Record, SELF_CLOSING,
};
use crate::namespaces::NO_NAMESPACE;

/// The characters that begin most names.
const fn begins_name(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

/// What follows a token.
enum Next {
    /// More content, in this loop.
    Content,
    /// The states go on from here.
    State(State),
}

/// A start tag, as far as it was read.
struct Tag {
    /// Its `<`.
    token: u32,
    name: u32,
    name_end: u32,
    /// The name has a colon.
    colon: bool,
    /// Some attribute may declare the default namespace; so many have prefixes.
    declares: bool,
    prefixed: u32,
}

/// How the reading of a start tag ends.
enum Exit {
    /// It was taken whole; its flags.
    Whole(u8),
    /// The states go on from here.
    State(State),
}

impl XmlMachine {
    /// Whether content is read by the loop: inside the root element, in no replacement text, and where
    /// the window is worth it.
    #[inline(always)]
    pub(super) fn is_plain(&self, input: &Cursor<'_>, out: &Queue) -> bool {
        self.phase == Phase::Main && input.left() >= out.plain && self.frames.is_empty()
    }

    /// Reads content in the data state, and leaves in the state that it gives. In the data state, the
    /// next unit is one that this loop does not take.
    #[inline(never)]
    pub(super) fn content_loop<'w>(
        &mut self,
        mut input: Cursor<'w>,
        out: &mut Queue,
    ) -> (State, Cursor<'w>) {
        let mut text = self.plain_text(&input);
        let state = loop {
            let (length, stop) = input.seek_or_end::<TEXT>(0);
            input.skip(length);
            if stop != Some(b'<') {
                break State::Data;
            }
            let next = match input.peek_at(1) {
                Some(b'/') => self.plain_end_tag(&mut input, out, text),
                Some(byte) if begins_name(byte) => self.plain_start_tag(&mut input, out, text),
                _ => break State::Data,
            };
            if let Next::State(state) = next {
                if state == State::Data {
                    break state;
                }
                return (state, input);
            }
            text = input.mark();
            if out.records.len() >= out.capacity {
                input.fence();
                break State::Data;
            }
        };
        if text != NONE {
            self.text = Piece::at(text);
        }
        (state, input)
    }

    /// Where the run of text begins that is being read, if all of it is as written and in this chunk;
    /// of any other, its register says more.
    #[inline(always)]
    fn plain_text(&self, input: &Cursor<'_>) -> u32 {
        let start = self.text.start;
        match self.text.as_written() == Some(start) && start >= input.chunk().1 {
            true => start,
            false => NONE,
        }
    }

    /// Hands out the run of text that begins at the mark `text` and ends before the token.
    #[inline(always)]
    fn emit_plain_text(&mut self, input: &mut Cursor<'_>, out: &mut Queue, text: u32, token: u32) {
        if text == NONE {
            self.flush_text(input, out, token);
        } else if text < token {
            out.push(Record::new(Kind::Text, text, token).of(text, token));
        }
        self.text.start = NONE;
    }

    /// The end tag of the current element, byte for byte; else its `<` is left to the data state.
    #[inline(always)]
    fn plain_end_tag(&mut self, input: &mut Cursor<'_>, out: &mut Queue, text: u32) -> Next {
        let want = self.open.current().unwrap_or_default();
        // A name with a character that is none of names is reported again: that is not done here.
        let odd = self.open.note() & 2 != 0;
        if want.is_empty() || odd || !input.ahead_after(2, want, b'>') {
            return Next::State(State::Data);
        }
        let length = want.len();
        out.work.compared += length as u64;
        let token = input.mark();
        let name = token + 2;
        input.skip(length + 3);
        self.emit_plain_text(input, out, text, token);
        let record = Record::new(Kind::End, token, input.mark()).of(name, name + length as u32);
        let namespace = self.current_namespace();
        out.push(Record {
            namespace,
            ..record
        });
        self.close();
        match self.phase {
            Phase::Main => Next::Content,
            _ => Next::State(State::Outside),
        }
    }

    /// A start tag, of which the first two characters are known.
    #[inline(always)]
    fn plain_start_tag(&mut self, input: &mut Cursor<'_>, out: &mut Queue, text: u32) -> Next {
        let token = input.mark();
        let name = token + 1;
        input.skip(1);
        let (mut length, mut stop) = input.seek_or_end::<NAME>(1);
        let colon = stop == Some(b':');
        if colon {
            (length, stop) = input.seek_or_end::<NAME>(length + 1);
        }
        if length > self.limits.name {
            stop = None;
        }
        let mut tag = Tag {
            token,
            name,
            name_end: name + length as u32,
            colon,
            declares: false,
            prefixed: 0,
        };
        let exit = match stop {
            Some(b'>') => {
                input.skip(length + 1);
                Exit::Whole(0)
            }
            Some(b' ' | b'\n' | b'\t' | b'\r') => {
                input.skip(length + 1);
                self.plain_attributes(input, out, &mut tag)
            }
            Some(b'/') if input.peek_at(length + 1) == Some(b'>') => {
                input.skip(length + 2);
                Exit::Whole(SELF_CLOSING)
            }
            _ => {
                input.skip(length);
                Exit::State(State::TagName)
            }
        };
        // The first record comes when all is taken: it may be the last of the batch.
        self.emit_plain_text(input, out, text, token);
        match exit {
            Exit::Whole(flags) => self.emit_plain(input, out, &tag, flags),
            Exit::State(state) => {
                self.leave_in_tag(&tag);
                Next::State(state)
            }
        }
    }

    /// White space was taken in a start tag, after its name or a value.
    #[inline(always)]
    fn plain_attributes(&mut self, input: &mut Cursor<'_>, out: &mut Queue, tag: &mut Tag) -> Exit {
        loop {
            match input.peek() {
                Some(byte) if begins_name(byte) => {}
                _ => match input.seek::<NOT_SPACE>(0) {
                    Some((space, byte)) if begins_name(byte) => input.skip(space),
                    Some((space, b'>')) => {
                        input.skip(space + 1);
                        return Exit::Whole(0);
                    }
                    Some((space, b'/')) if input.peek_at(space + 1) == Some(b'>') => {
                        input.skip(space + 2);
                        return Exit::Whole(SELF_CLOSING);
                    }
                    _ => return Exit::State(State::TagAttributeNameBefore),
                },
            }
            if let Some(state) = self.plain_attribute(input, out, tag) {
                return Exit::State(state);
            }
            match input.peek() {
                Some(b'>') => {
                    input.skip(1);
                    return Exit::Whole(0);
                }
                Some(b' ' | b'\n' | b'\t' | b'\r') => input.skip(1),
                Some(b'/') if input.peek_at(1) == Some(b'>') => {
                    input.skip(2);
                    return Exit::Whole(SELF_CLOSING);
                }
                _ => return Exit::State(State::TagAttributeNameBefore),
            }
        }
    }

    /// An attribute, of which the first character is known; gives the state that goes on with it,
    /// unless it was taken whole.
    #[inline(always)]
    fn plain_attribute(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        tag: &mut Tag,
    ) -> Option<State> {
        let name = input.mark();
        let first = input.peek();
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
            input.skip(length);
            return self.leave_in_attribute(attribute, State::TagAttributeName);
        }
        tag.declares |= first == Some(b'x') && length == 5;
        let mut attribute = Attr {
            raw: name_end + 1,
            raw_end: name_end + 1,
            ..attribute
        };
        if input.peek_at(length + 1) != Some(b'"') {
            input.skip(length + 1);
            return self.leave_in_attribute(attribute, State::TagAttributeValueBefore);
        }
        attribute.flags |= QUOTED;
        attribute.raw += 1;
        attribute.raw_end += 1;
        let (to, stop) = input.seek_or_end::<DOUBLE_QUOTED>(length + 2);
        if stop != Some(b'"') {
            input.skip(to);
            self.string = Piece::at(attribute.raw);
            return self.leave_in_attribute(attribute, State::TagAttributeValueDoubleQuoted);
        }
        tag.prefixed += u32::from(flags != 0);
        attribute.raw_end = name + to as u32;
        out.push_attribute(attribute);
        input.skip(to + 1);
        None
    }

    /// Whether one more attribute, with a name of this length, is within the limits.
    #[inline(always)]
    fn may_add_attribute(&self, out: &Queue, length: usize) -> bool {
        length <= self.limits.name
            && out.attributes.len() - (out.open as usize) < self.limits.attributes
    }

    /// The states go on with this attribute, in the state that is given.
    #[cold]
    #[inline(never)]
    fn leave_in_attribute(&mut self, attribute: Attr, state: State) -> Option<State> {
        self.attribute = attribute;
        self.name_reported = false;
        self.dropped = false;
        Some(state)
    }

    /// The states go on with this tag.
    #[cold]
    #[inline(never)]
    fn leave_in_tag(&mut self, tag: &Tag) {
        self.token = tag.token;
        self.name = tag.name;
        self.name_end = tag.name_end;
        self.colon = tag.colon;
        self.odd = false;
        self.name_reported = false;
        self.declares = tag.declares;
        self.prefixed = tag.prefixed;
    }

    /// A start tag was taken whole.
    #[inline(always)]
    fn emit_plain(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        tag: &Tag,
        flags: u8,
    ) -> Next {
        let (chunk, shift) = input.chunk();
        let bytes = chunk.as_bytes();
        let (from, to) = ((tag.name - shift) as usize, (tag.name_end - shift) as usize);
        let is_declared = self.changes_tags && self.declarations.changes(&bytes[from..to]);
        if tag.declares || is_declared || self.open.is_near() {
            return self.emit_other(input, out, tag, flags);
        }
        let mut namespace = self.bindings.default();
        if tag.colon || tag.prefixed > 0 {
            match self.plain_namespaces(bytes, shift, out, tag) {
                Some(found) => namespace = found,
                None => return self.emit_other(input, out, tag, flags),
            }
        }
        let (c, d) = (out.open, out.attributes.len() as u32);
        let record = Record {
            flags,
            c,
            d,
            namespace,
            ..Record::new(Kind::Start, tag.token, input.mark()).of(tag.name, tag.name_end)
        };
        out.push(record);
        out.open = d;
        if d - c > FEW as u32 {
            self.names.clear();
        }
        if flags & SELF_CLOSING != 0 {
            out.push(Record {
                kind: Kind::End,
                start: record.end,
                c: 0,
                d: 0,
                ..record
            });
        } else {
            let note = (self.bindings.len() as u32) << 2 | u32::from(tag.colon);
            self.open.push_part(bytes, from..to, note);
        }
        Next::Content
    }

    /// A start tag that is not simply what it looks like.
    #[cold]
    #[inline(never)]
    fn emit_other(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        tag: &Tag,
        flags: u8,
    ) -> Next {
        self.leave_in_tag(tag);
        match self.emit_start_tag(input, out, flags) {
            State::Data => Next::Content,
            state => Next::State(state),
        }
    }

    /// Finds the namespaces of a tag with prefixes, where each is bound and nothing can be wrong; gives
    /// that of the element. The marks are of `bytes`, which begin at the mark `shift`.
    #[inline(always)]
    fn plain_namespaces(
        &self,
        bytes: &[u8],
        shift: u32,
        out: &mut Queue,
        tag: &Tag,
    ) -> Option<u32> {
        if !self.options.has_namespaces() {
            return Some(NO_NAMESPACE);
        }
        let element = match tag.colon {
            true => {
                self.plain_prefix(bytes, tag.name - shift, tag.name_end - shift)?
                    .0
            }
            false => self.bindings.default(),
        };
        let attributes = &mut out.attributes[out.open as usize..];
        if tag.prefixed > 0 && self.find_prefixes(bytes, shift, attributes).is_none() {
            for attribute in attributes {
                attribute.namespace = NO_NAMESPACE;
            }
            return None;
        }
        Some(element)
    }

    /// Finds the namespaces of attributes with prefixes, some perhaps before it gives up.
    fn find_prefixes(&self, bytes: &[u8], shift: u32, attributes: &mut [Attr]) -> Option<()> {
        if attributes.len() > FEW {
            return None;
        }
        for index in 0..attributes.len() {
            let Attr {
                name,
                name_end,
                flags,
                ..
            } = attributes[index];
            if flags & PREFIXED == 0 {
                continue;
            }
            let (namespace, prefix) = self.plain_prefix(bytes, name - shift, name_end - shift)?;
            // Two names with one prefix differ; with two prefixes of one namespace, they may not.
            let other_prefix = |other: &Attr| {
                other.namespace == namespace
                    && !bytes[(other.name - shift) as usize..].starts_with(prefix)
            };
            if attributes[..index].iter().any(other_prefix) {
                return None;
            }
            attributes[index].namespace = namespace;
        }
        Some(())
    }

    /// The namespace that the prefix of a name is bound to, and that prefix with its colon.
    #[inline(always)]
    fn plain_prefix<'t>(&self, bytes: &'t [u8], from: u32, to: u32) -> Option<(u32, &'t [u8])> {
        let name = &bytes[from as usize..to as usize];
        let colon = name.iter().position(|&byte| byte == b':')?;
        if !name.get(colon + 1).is_some_and(|&byte| begins_name(byte)) {
            return None;
        }
        let namespace = self.bindings.find_few(&name[..colon])?;
        Some((namespace, &name[..=colon]))
    }
}
