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
//! PERF: vk.xml in chunks of 64 bytes takes 82 million instructions, all at once 36, of which 16 are here
//! (`valgrind --tool=callgrind`, events read as in `benches/peers`).

use super::classes::XmlClasses;
use super::machine::{Lexer, NAME, NOT_SPACE, Phase, QUOTED_VALUE, TEXT, XmlMachine};
use super::state::State;
use crate::engine::attributes::FEW;
use crate::engine::event::record::{
    Attr, PREFIXED, Payload, QUOTED, Queue, Record, RecordKind, SELF_CLOSING,
};
use crate::engine::input::BufferOffset;
use crate::engine::namespaces::NO_NAMESPACE;
use crate::engine::tokenizer::{self, TextBuffer};
use core::ops::Range;

type Window<'w> = tokenizer::Window<'w, XmlClasses>;

/// The characters that begin most names.
const fn begins_name(byte: u8) -> bool {
    (byte | 0x20).is_ascii_lowercase() || byte == b'_'
}

/// An element that the loop has opened, and closes mostly too: its name stays where it is as long as the
/// loop runs. No bindings came with it.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(super) struct Brief {
    /// Index in the window, and length.
    name: u32,
    length: u32,
    /// Offset of the end of the start tag.
    end: u32,
    namespace: u32,
}

/// The part of a start tag that was read, as indices in the window. Rare parts of a tag are stored in the tokenizer's
/// state at once, in the form that the states need.
#[derive(Clone, Copy)]
struct Tag {
    /// That of its `<`.
    open: u32,
    name_end: u32,
    /// That of the colon in its name; 0 if there is none.
    colon: u32,
}

/// The names of a tag's attributes have so many bits: twice as many attributes use all of them, or are
/// looked at by themselves.
const BITS: usize = u64::BITS as usize;

/// How the reading of a start tag ends, and where.
enum Exit {
    /// It was taken whole; its flags.
    Whole(u8, u32),
    /// The states go on from here.
    State(State, u32),
}

/// Hands out the run of text that begins at the mark `text` and ends before the token, if it has begun in
/// the loop; otherwise its register says more.
#[inline(always)]
fn push_text(out: &mut Queue, text: BufferOffset, token: BufferOffset) -> bool {
    if text < token {
        out.push(Record::new(RecordKind::Text, text, token).of(text, token));
    }
    !text.is_none()
}

impl XmlMachine {
    /// Whether content is read by the loop: inside the root element, in no replacement text, and where
    /// the window is worth it.
    #[inline(always)]
    pub(super) fn is_plain(&self, lex: &Lexer<'_>) -> bool {
        self.own.phase == Phase::Main && lex.left() >= lex.out.plain && self.own.frames.is_empty()
    }

    /// Whether the start tag of the root element comes next, and is read by the loop.
    #[inline(always)]
    pub(super) fn is_plain_root(&self, lex: &Lexer<'_>) -> bool {
        self.own.phase == Phase::Start
            && lex.left() >= lex.out.plain
            && self.own.frames.is_empty()
            && lex.peek() == Some(b'<')
            && lex.peek_at(1).is_some_and(begins_name)
    }

    /// Reads content in the data state, and leaves in the state that it gives. In the data state, the
    /// next unit is one that this loop does not take.
    ///
    /// PERF: what is called out of line is given a copy of the lexer, so that nothing here must be in
    /// memory.
    #[inline(never)]
    pub(super) fn content_loop(&mut self, lex: &mut Lexer<'_>) -> State {
        let state = lex.aside(|lex| self.plain_content(lex));
        if !self.own.brief.is_empty() {
            self.keep_brief(lex.window());
        }
        state
    }

    #[inline(always)]
    fn plain_content(&mut self, lex: &mut Lexer<'_>) -> State {
        let mut window = lex.window();
        let mut at = lex.index() as u32;
        let mut text = self.plain_text(lex);
        loop {
            let open = window.find::<TEXT>(at);
            if window.byte(open) != b'<' {
                // A run of text that begins with CR LF, as between the lines of a file. Its text begins at the LF.
                let is_cr_lf = window.byte(open) == b'\r' && window.byte(open + 1) == b'\n';
                if is_cr_lf && text == window.mark(open) {
                    at = open + 1;
                    let line_feed = window.mark(at);
                    let Some(next) = self.end_of_plain_run(window, at) else {
                        self.text = TextBuffer::after_cr(text, line_feed);
                        text = BufferOffset::NONE;
                        break;
                    };
                    let token = window.mark(next);
                    let record = Record::new(RecordKind::Text, text, token);
                    lex.out.push(record.of(line_feed, token));
                    (at, text) = (next, token);
                    if lex.out.records.len() >= lex.out.capacity {
                        lex.take_to(at as usize);
                        lex.suspend();
                        break;
                    }
                    continue;
                }
                at = window.clamp(open).max(at);
                break;
            }
            let token = window.mark(open);
            match window.byte(open + 1) {
                b'/' => {
                    let expected = self.expected_end_tag(window, open);
                    let Some((name_end, namespace, is_brief)) = expected else {
                        at = open;
                        break;
                    };
                    lex.out.work.compared += u64::from(name_end - open - 2);
                    at = name_end + 1;
                    if !push_text(lex.out, text, token) {
                        lex.take_to(at as usize);
                        lex.aside(|lex| self.flush_before(lex, token));
                        window = lex.window();
                    }
                    text = window.mark(at);
                    let name = (window.mark(open + 2), window.mark(name_end));
                    let record = Record::new(RecordKind::End, token, text).of(name.0, name.1);
                    lex.out.push(Record {
                        namespace,
                        ..record
                    });
                    if is_brief {
                        self.own.brief.pop();
                    } else {
                        self.close(lex.out);
                        if self.open.is_empty() {
                            self.text.start = BufferOffset::NONE;
                            lex.take_to(at as usize);
                            return self.content(lex);
                        }
                    }
                }
                byte if begins_name(byte) => {
                    let mut tag = Tag {
                        open,
                        name_end: open + 2,
                        colon: 0,
                    };
                    let exit = self.plain_start_tag(lex, window, &mut tag);
                    let (Exit::Whole(_, end) | Exit::State(_, end)) = exit;
                    at = end;
                    // The first record comes when all is taken: it may be the last of the batch.
                    if !push_text(lex.out, text, token) {
                        lex.take_to(at as usize);
                        lex.aside(|lex| self.flush_before(lex, token));
                        window = lex.window();
                    }
                    match exit {
                        Exit::State(state, _) => {
                            self.leave_in_tag(lex, tag);
                            lex.take_to(at as usize);
                            return state;
                        }
                        Exit::Whole(flags, _) => {
                            if !self.emit_plain(window, lex.out, tag, flags, at) {
                                lex.take_to(at as usize);
                                let state = lex.aside(|lex| self.emit_other(lex, tag, flags));
                                if state != State::Data {
                                    return state;
                                }
                                window = lex.window();
                            }
                        }
                    }
                    text = window.mark(at);
                }
                _ => {
                    at = open;
                    break;
                }
            }
            if lex.out.records.len() >= lex.out.capacity {
                lex.take_to(at as usize);
                lex.suspend();
                break;
            }
        }
        if !text.is_none() {
            self.text = TextBuffer::at(text);
        }
        lex.take_to(at as usize);
        State::Data
    }

    /// Returns the offset of the start of the current run of text, if the whole run equals its source and is in the
    /// current chunk. For any other run the result is `NONE`, and the tokenizer's state describes the run.
    #[inline(always)]
    fn plain_text(&self, lex: &Lexer<'_>) -> BufferOffset {
        let start = self.text.start;
        match self.text.as_written() == Some(start) && start >= lex.chunk().1 {
            true => start,
            false => BufferOffset::NONE,
        }
    }

    /// The index of the tag that ends the run of text at `at`, if no byte of the rest of the run differs from its
    /// meaning and this loop reads the tag.
    ///
    /// PERF: out of line, as files with LF never call it, and code in the loop slows them down.
    #[inline(never)]
    fn end_of_plain_run(&self, window: Window<'_>, at: u32) -> Option<u32> {
        let next = window.find::<TEXT>(at);
        let is_tag = window.byte(next) == b'<'
            && match window.byte(next + 1) {
                b'/' => self.expected_end_tag(window, next).is_some(),
                byte => begins_name(byte),
            };
        is_tag.then_some(next)
    }

    /// Hands out the run of text before a token that was taken.
    #[cold]
    #[inline(never)]
    fn flush_before(&mut self, lex: &mut Lexer<'_>, token: BufferOffset) {
        self.flush_text(lex, token);
    }

    /// If the end tag at `open` is that of the current element, byte for byte: where its name ends, the
    /// namespace of that element, and whether that is one of those that the loop has opened.
    #[inline(always)]
    fn expected_end_tag(&self, window: Window<'_>, open: u32) -> Option<(u32, u32, bool)> {
        let Some(brief) = self.own.brief.last() else {
            let (want, note) = self.open.innermost()?;
            // A name with a character that is none of names is reported again: that is not done here.
            let is_odd = note & 2 != 0;
            let end = open + 2 + want.len() as u32;
            let is_so = !is_odd && window.byte(end) == b'>' && window.has(open + 2, want);
            return is_so.then(|| (end, self.namespace_noted(note), false));
        };
        let end = open + 2 + brief.length;
        let want = window.between(brief.name, brief.name + brief.length);
        let is_so = window.byte(end) == b'>' && window.has(open + 2, want);
        is_so.then_some((end, brief.namespace, true))
    }

    /// The states are to find the elements that are open where they look for them.
    #[cold]
    #[inline(never)]
    fn keep_brief(&mut self, window: Window<'_>) {
        let scope = self.own.bindings.len() as u32;
        for brief in self.own.brief.drain(..) {
            let name = window.between(brief.name, brief.name + brief.length);
            let tag = (window.mark(brief.name - 1), window.mark(brief.end));
            // Of a name in the default namespace it need not be known whether it has a prefix.
            let has_prefix = brief.namespace != self.own.bindings.default();
            self.open
                .push_bytes(name, scope << 2 | u32::from(has_prefix), tag);
        }
    }

    /// A start tag, of which the first two characters are known.
    #[inline(always)]
    fn plain_start_tag(&mut self, lex: &mut Lexer<'_>, window: Window<'_>, tag: &mut Tag) -> Exit {
        let mut at = window.find::<NAME>(tag.name_end);
        let mut ahead = window.four(at);
        if ahead[0] == b':' {
            tag.colon = at;
            at = window.find::<NAME>(at + 1);
            ahead = window.four(at);
        }
        tag.name_end = at;
        if (at - tag.open - 1) as usize > self.limits.name {
            // It is the states that say so.
            tag.name_end = window.clamp(at);
            return Exit::State(State::TagName, tag.name_end);
        }
        let mut names = if self.limits.attributes < 2 * BITS {
            !0
        } else {
            0
        };
        // After the name, and after each attribute, the same may follow.
        loop {
            let [stop, mut first, ..] = ahead;
            match stop {
                b' ' => {}
                b'>' => return Exit::Whole(0, at + 1),
                b'/' if first == b'>' => return Exit::Whole(SELF_CLOSING, at + 2),
                b'\n' | b'\t' | b'\r' => {}
                _ if at == tag.name_end => return Exit::State(State::TagName, window.clamp(at)),
                _ => return Exit::State(State::TagAttributeNameBefore, window.clamp(at)),
            }
            at += 1;
            if !begins_name(first) {
                at = window.find::<NOT_SPACE>(at);
                first = window.byte(at);
                match first {
                    b'>' => return Exit::Whole(0, at + 1),
                    b'/' if window.byte(at + 1) == b'>' => {
                        return Exit::Whole(SELF_CLOSING, at + 2);
                    }
                    _ if begins_name(first) => {}
                    _ => return Exit::State(State::TagAttributeNameBefore, window.clamp(at)),
                }
            }
            match self.plain_attribute(lex, window, (at, first), &mut names) {
                Ok((end, next)) => (at, ahead) = (end, next),
                Err((state, end)) => return Exit::State(state, end),
            }
        }
    }

    /// An attribute, of which the first character is known; gives its end and what comes there, or the
    /// state that goes on with it and where. `names` has a bit for each name of the tag, by which most
    /// are seen to be new.
    #[inline(always)]
    fn plain_attribute(
        &mut self,
        lex: &mut Lexer<'_>,
        window: Window<'_>,
        (from, first): (u32, u8),
        names: &mut u64,
    ) -> Result<(u32, [u8; 4]), (State, u32)> {
        let mut flags = QUOTED;
        let mut namespace = NO_NAMESPACE;
        let mut end = window.find::<NAME>(from + 1);
        let mut around = window.four(end - 1);
        if around[1] == b':' {
            flags |= PREFIXED;
            namespace = self.attribute_namespace(window.number(from, end), around[2]);
            end = window.find::<NAME>(end + 1);
            around = window.four(end - 1);
        }
        let [last, stop, quote, _] = around;
        let length = end - from;
        let bit = 1 << ((u32::from(last) ^ length << 3) % 64);
        if stop != b'=' || length as usize > self.limits.name {
            return Err(self.leave_in_name(lex, from..end, flags));
        }
        if *names & bit != 0 {
            if self.is_repeated_or_beyond(lex, from, end) {
                return Err(self.leave_in_name(lex, from..end, flags));
            }
            if lex.out.attributes.len() - lex.out.open as usize > FEW {
                // They are in a table, which is to have each of them from here on.
                *names = !0;
            }
        }
        *names |= bit;
        if length == 5 && first == b'x' {
            self.own.declares = true;
        }
        let value = end + 2;
        let mut to = window.find::<QUOTED_VALUE>(value);
        let mut behind = window.four(to);
        while behind[0] != quote && matches!(behind[0], b'"' | b'\'') {
            to = window.find::<QUOTED_VALUE>(to + 1);
            behind = window.four(to);
        }
        if behind[0] != quote || !matches!(quote, b'"' | b'\'') {
            return Err(self.leave_in_value(lex, from..end, to, flags));
        }
        lex.out.push_attribute(Attr {
            name: window.mark(from),
            name_end: window.mark(end),
            raw: window.mark(value),
            raw_end: window.mark(to),
            namespace,
            flags,
            ..Attr::EMPTY
        });
        let [_, stop, first, _] = behind;
        Ok((to + 1, [stop, first, 0, 0]))
    }

    /// The namespace of an attribute with this prefix, whose local part has this first character.
    #[inline(never)]
    fn attribute_namespace(&mut self, prefix: u64, first: u8) -> u32 {
        self.own.prefixed += 1;
        let found = self.plain_namespace(prefix, first);
        let is_other = self.own.prefixed > 1 && self.own.bindings.has_synonyms();
        if found.is_none() || is_other {
            // It takes a closer look, as if it were a declaration.
            self.own.declares = true;
        }
        found.unwrap_or(NO_NAMESPACE)
    }

    /// Whether one more attribute, with the name between two indices, is one too many or the second of
    /// its name.
    #[cold]
    #[inline(never)]
    fn is_repeated_or_beyond(&mut self, lex: &mut Lexer<'_>, from: u32, to: u32) -> bool {
        let window = lex.window();
        let new = Attr {
            name: window.mark(from),
            name_end: window.mark(to),
            ..Attr::EMPTY
        };
        let count = lex.out.attributes.len() - lex.out.open as usize;
        count >= self.limits.attributes || lex.has_attribute(&mut self.names, &new)
    }

    /// The states go on with the name of an attribute.
    #[cold]
    #[inline(never)]
    fn leave_in_name(&mut self, lex: &Lexer<'_>, name: Range<u32>, flags: u32) -> (State, u32) {
        let window = lex.window();
        let end = window.clamp(name.end);
        let attribute = Attr {
            name: window.mark(name.start),
            name_end: window.mark(end),
            flags: flags & PREFIXED,
            ..Attr::EMPTY
        };
        self.leave_in_attribute(attribute);
        (State::TagAttributeName, end)
    }

    /// The states go on after the `=` of an attribute, or in its value.
    #[cold]
    #[inline(never)]
    fn leave_in_value(
        &mut self,
        lex: &Lexer<'_>,
        name: Range<u32>,
        to: u32,
        flags: u32,
    ) -> (State, u32) {
        let window = lex.window();
        let value = name.end + 1;
        let mut attribute = Attr {
            name: window.mark(name.start),
            name_end: window.mark(name.end),
            raw: window.mark(value),
            raw_end: window.mark(value),
            flags: flags & PREFIXED,
            ..Attr::EMPTY
        };
        let state = match window.byte(value) {
            b'"' => State::TagAttributeValueDoubleQuoted,
            b'\'' => State::TagAttributeValueSingleQuoted,
            _ => {
                self.leave_in_attribute(attribute);
                return (State::TagAttributeValueBefore, value);
            }
        };
        attribute.flags |= QUOTED;
        attribute.raw += 1;
        attribute.raw_end += 1;
        self.value = TextBuffer::at(attribute.raw);
        self.leave_in_attribute(attribute);
        (state, window.clamp(to))
    }

    /// The states go on with this attribute.
    fn leave_in_attribute(&mut self, attribute: Attr) {
        self.attribute = attribute;
        self.own.prefixed -= u32::from(attribute.flags & PREFIXED != 0);
        self.own.name_reported = false;
        self.dropped = false;
    }

    /// The states go on with this tag, and find the namespaces themselves.
    #[cold]
    #[inline(never)]
    fn leave_in_tag(&mut self, lex: &mut Lexer<'_>, tag: Tag) {
        let window = lex.window();
        self.text.start = BufferOffset::NONE;
        self.token = window.mark(tag.open);
        self.name = window.mark(tag.open + 1);
        self.name_end = window.mark(tag.name_end);
        self.own.colon = tag.colon != 0;
        self.own.odd = false;
        self.own.name_reported = false;
        for attribute in &mut lex.out.attributes[lex.out.open as usize..] {
            attribute.namespace = NO_NAMESPACE;
        }
    }

    /// A start tag was taken whole, up to the index `taken`; gives whether it is simply what it looks like, and was
    /// emitted.
    #[inline(always)]
    fn emit_plain(
        &mut self,
        window: Window<'_>,
        out: &mut Queue,
        tag: Tag,
        flags: u8,
        taken: u32,
    ) -> bool {
        let is_declared = self.own.changes_tags && {
            let name = window.between(tag.open + 1, tag.name_end);
            self.own.declarations.changes(name)
        };
        // Before the root element a limit always counts as near, so that its tag goes the states' way.
        // Names that are lent from the window are no longer than what was read of it.
        let is_near = self
            .open
            .is_near_with(self.own.brief.len(), tag.open as usize);
        if self.own.declares || is_declared || is_near {
            return false;
        }
        debug_assert!(self.own.phase == Phase::Main, "the root element is open");
        let mut namespace = self.own.bindings.default();
        if tag.colon != 0 {
            let prefix = window.number(tag.open + 1, tag.colon);
            match self.plain_namespace(prefix, window.byte(tag.colon + 1)) {
                Some(found) => namespace = found,
                None => return false,
            }
        }
        let (first, last) = (out.open, out.attributes.len() as u32);
        let (token, end) = (window.mark(tag.open), window.mark(taken));
        let record = Record {
            flags,
            payload: Payload::attributes(first, last),
            namespace,
            ..Record::new(RecordKind::Start, token, end).of(token + 1, window.mark(tag.name_end))
        };
        out.push(record);
        out.open = last;
        self.own.prefixed = 0;
        if last - first > FEW as u32 {
            self.names.clear();
        }
        if flags & SELF_CLOSING != 0 {
            out.push(Record {
                kind: RecordKind::End,
                start: end,
                payload: Payload::NONE,
                ..record
            });
        } else if window.length() < out.brief {
            let note = (self.own.bindings.len() as u32) << 2 | u32::from(tag.colon != 0);
            let name = window.between(tag.open + 1, tag.name_end);
            self.open.push_bytes(name, note, (token, end));
        } else {
            self.own.brief.push(Brief {
                name: tag.open + 1,
                length: tag.name_end - tag.open - 1,
                end: taken,
                namespace,
            });
        }
        true
    }

    /// A start tag that is not simply what it looks like.
    #[cold]
    #[inline(never)]
    fn emit_other(&mut self, lex: &mut Lexer<'_>, tag: Tag, flags: u8) -> State {
        self.keep_brief(lex.window());
        self.leave_in_tag(lex, tag);
        self.emit_start_tag(lex, flags)
    }

    /// The namespace of a name with this prefix, whose local part has this first character.
    #[inline(always)]
    fn plain_namespace(&self, prefix: u64, first: u8) -> Option<u32> {
        if !self.own.options.has_namespaces() {
            return Some(NO_NAMESPACE);
        }
        match begins_name(first) {
            true => self.own.bindings.find_few(prefix),
            false => None,
        }
    }
}
