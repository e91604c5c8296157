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
//! PERF: vk.xml in chunks of 64 bytes takes 80 million instructions; all at once 36, where each tag by
//! itself took 44 (`valgrind --tool=callgrind`, events counted and read).

use super::classes::XmlClasses;
use super::machine::{Lexer, NAME, NOT_SPACE, Phase, QUOTED_VALUE, TEXT, XmlMachine};
use super::state::State;
use crate::attributes::FEW;
use crate::event::record::{Attr, Kind, NONE, PREFIXED, QUOTED, Queue, Record, SELF_CLOSING};
use crate::lexer::{self, TextBuffer};
use crate::namespaces::NO_NAMESPACE;
use crate::scan::same;
use core::ops::Range;

type Window<'w> = lexer::Window<'w, XmlClasses>;

/// The characters that begin most names.
const fn begins_name(byte: u8) -> bool {
    (byte | 0x20).is_ascii_lowercase() || byte == b'_'
}

/// The characters of white space.
const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\t' | b'\r')
}

/// A start tag, as far as it was read: indices in the window.
#[derive(Clone, Copy)]
struct Tag {
    /// That of its `<`.
    open: usize,
    name_end: usize,
    /// The name has a colon.
    colon: bool,
    /// Some attribute may declare the default namespace; so many have prefixes.
    declares: bool,
    prefixed: u32,
}

/// How the reading of a start tag ends, and where.
enum Exit {
    /// It was taken whole; its flags.
    Whole(u8, usize),
    /// The states go on from here.
    State(State, usize),
}

/// Hands out the run of text that begins at the mark `text` and ends before the token, if it has begun in
/// the loop; otherwise its register says more.
#[inline(always)]
fn push_text(out: &mut Queue, text: u32, token: u32) -> bool {
    if text < token {
        out.push(Record::new(Kind::Text, text, token).of(text, token));
    }
    text != NONE
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
        lex.aside(|lex| self.plain_content(lex))
    }

    #[inline(always)]
    fn plain_content(&mut self, lex: &mut Lexer<'_>) -> State {
        let mut window = lex.window();
        let mut at = lex.index();
        let mut text = self.plain_text(lex);
        loop {
            let open = window.find::<TEXT>(at);
            if window.byte(open) != b'<' {
                at = window.clamp(open).max(at);
                break;
            }
            let token = window.mark(open);
            match window.byte(open + 1) {
                b'/' => {
                    let Some((name_end, note)) = self.expected_end_tag(window, open) else {
                        at = open;
                        break;
                    };
                    lex.out.work.compared += (name_end - open - 2) as u64;
                    at = name_end + 1;
                    if !push_text(lex.out, text, token) {
                        lex.take_to(at);
                        lex.aside(|lex| self.flush_before(lex, token));
                        window = lex.window();
                    }
                    text = window.mark(at);
                    let name = (window.mark(open + 2), window.mark(name_end));
                    let record = Record::new(Kind::End, token, text).of(name.0, name.1);
                    let namespace = self.namespace_noted(note);
                    lex.out.push(Record {
                        namespace,
                        ..record
                    });
                    self.close_noted(note);
                    if self.open.is_empty() {
                        self.text.start = NONE;
                        lex.take_to(at);
                        return State::Outside;
                    }
                }
                byte if begins_name(byte) => {
                    let mut tag = Tag {
                        open,
                        name_end: open + 2,
                        colon: false,
                        declares: false,
                        prefixed: 0,
                    };
                    let exit = self.plain_start_tag(lex, window, &mut tag);
                    let (Exit::Whole(_, end) | Exit::State(_, end)) = exit;
                    at = end;
                    // The first record comes when all is taken: it may be the last of the batch.
                    if !push_text(lex.out, text, token) {
                        lex.take_to(at);
                        lex.aside(|lex| self.flush_before(lex, token));
                        window = lex.window();
                    }
                    match exit {
                        Exit::State(state, _) => {
                            self.leave_in_tag(window, tag);
                            lex.take_to(at);
                            return state;
                        }
                        Exit::Whole(flags, _) => {
                            if !self.emit_plain(window, lex.out, tag, flags, at) {
                                lex.take_to(at);
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
                lex.take_to(at);
                lex.fence();
                break;
            }
        }
        if text != NONE {
            self.text = TextBuffer::at(text);
        }
        lex.take_to(at);
        State::Data
    }

    /// Where the run of text begins that is being read, if all of it is as written and in this chunk;
    /// of any other, its register says more.
    #[inline(always)]
    fn plain_text(&self, lex: &Lexer<'_>) -> u32 {
        let start = self.text.start;
        match self.text.as_written() == Some(start) && start >= lex.chunk().1 {
            true => start,
            false => NONE,
        }
    }

    /// Hands out the run of text before a token that was taken.
    #[cold]
    #[inline(never)]
    fn flush_before(&mut self, lex: &mut Lexer<'_>, token: u32) {
        self.flush_text(lex, token);
    }

    /// If the end tag at `open` is that of the current element, byte for byte: where its name ends, and
    /// that element's note.
    #[inline(always)]
    fn expected_end_tag(&self, window: Window<'_>, open: usize) -> Option<(usize, u32)> {
        let (want, note) = self.open.innermost()?;
        // A name with a character that is none of names is reported again: that is not done here.
        let is_odd = note & 2 != 0;
        let end = open + 2 + want.len();
        let is_so = !is_odd && window.byte(end) == b'>' && window.has(open + 2, want);
        is_so.then_some((end, note))
    }

    /// A start tag, of which the first two characters are known.
    #[inline(always)]
    fn plain_start_tag(&mut self, lex: &mut Lexer<'_>, window: Window<'_>, tag: &mut Tag) -> Exit {
        let mut at = window.find::<NAME>(tag.name_end);
        let mut stop = window.byte(at);
        if stop == b':' {
            tag.colon = true;
            at = window.find::<NAME>(at + 1);
            stop = window.byte(at);
        }
        tag.name_end = at;
        if at - tag.open - 1 > self.limits.name {
            // It is the states that say so.
            let end = window.clamp(at);
            tag.name_end = end;
            return Exit::State(State::TagName, end);
        }
        // After the name, and after each attribute, the same may follow.
        let mut state = State::TagName;
        loop {
            match stop {
                b'>' => return Exit::Whole(0, at + 1),
                b'/' if window.byte(at + 1) == b'>' => {
                    return Exit::Whole(SELF_CLOSING, at + 2);
                }
                _ if is_space(stop) => {}
                _ => return Exit::State(state, window.clamp(at)),
            }
            at += 1;
            let mut first = window.byte(at);
            if !begins_name(first) {
                let next = window.find::<NOT_SPACE>(at);
                first = window.byte(next);
                match first {
                    b'>' => return Exit::Whole(0, next + 1),
                    b'/' if window.byte(next + 1) == b'>' => {
                        return Exit::Whole(SELF_CLOSING, next + 2);
                    }
                    _ if begins_name(first) => at = next,
                    _ => return Exit::State(State::TagAttributeNameBefore, at),
                }
            }
            match self.plain_attribute(lex, window, tag, at) {
                Ok(end) => at = end,
                Err((state, end)) => return Exit::State(state, end),
            }
            stop = window.byte(at);
            state = State::TagAttributeNameBefore;
        }
    }

    /// An attribute, of which the first character is known; gives its end, or the state that goes on
    /// with it and where.
    #[inline(always)]
    fn plain_attribute(
        &mut self,
        lex: &mut Lexer<'_>,
        window: Window<'_>,
        tag: &mut Tag,
        from: usize,
    ) -> Result<usize, (State, usize)> {
        let mut flags = QUOTED;
        let mut end = window.find::<NAME>(from + 1);
        let mut stop = window.byte(end);
        if stop == b':' {
            flags |= PREFIXED;
            end = window.find::<NAME>(end + 1);
            stop = window.byte(end);
        }
        let name = window.mark(from);
        let length = end - from;
        let count = lex.out.attributes.len() - lex.out.open as usize;
        if stop != b'='
            || length > self.limits.name
            || count >= self.limits.attributes
            || (count > 0 && self.is_repeated(lex, window, from..end))
        {
            let end = window.clamp(end);
            let attribute = Attr {
                name,
                name_end: window.mark(end),
                flags: flags & PREFIXED,
                ..Attr::EMPTY
            };
            self.leave_in_attribute(attribute);
            return Err((State::TagAttributeName, end));
        }
        tag.declares |= length == 5 && window.byte(from) == b'x';
        let value = end + 2;
        let quote = window.byte(end + 1);
        let mut to = window.find::<QUOTED_VALUE>(value);
        while window.byte(to) != quote && matches!(window.byte(to), b'"' | b'\'') {
            to = window.find::<QUOTED_VALUE>(to + 1);
        }
        if window.byte(to) != quote || !matches!(quote, b'"' | b'\'') {
            return Err(self.leave_in_value(window, from..end, to, flags));
        }
        tag.prefixed += u32::from(flags & PREFIXED != 0);
        lex.out.push_attribute(Attr {
            name,
            name_end: window.mark(end),
            raw: window.mark(value),
            raw_end: window.mark(to),
            flags,
            ..Attr::EMPTY
        });
        Ok(to + 1)
    }

    /// Whether an attribute of this name stands on the tag already.
    #[inline(always)]
    fn is_repeated(&mut self, lex: &mut Lexer<'_>, window: Window<'_>, name: Range<usize>) -> bool {
        let others = &lex.out.attributes[lex.out.open as usize..];
        if others.len() > FEW {
            let (from, to) = (window.mark(name.start), window.mark(name.end));
            let new = Attr {
                name: from,
                name_end: to,
                ..Attr::EMPTY
            };
            return lex.aside(|lex| lex.has_attribute_cold(&mut self.names, &new, false));
        }
        let bytes = window.bytes();
        for other in others {
            let from = window.index_of(other.name);
            if (other.name_end - other.name) as usize == name.len()
                && same(&bytes[from..from + name.len()], &bytes[name.clone()])
            {
                return true;
            }
        }
        false
    }

    /// The states go on after the `=` of an attribute, or in its value.
    #[cold]
    #[inline(never)]
    fn leave_in_value(
        &mut self,
        window: Window<'_>,
        name: Range<usize>,
        to: usize,
        flags: u32,
    ) -> (State, usize) {
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
    #[cold]
    #[inline(never)]
    fn leave_in_attribute(&mut self, attribute: Attr) {
        self.attribute = attribute;
        self.own.name_reported = false;
        self.dropped = false;
    }

    /// The states go on with this tag.
    #[cold]
    #[inline(never)]
    fn leave_in_tag(&mut self, window: Window<'_>, tag: Tag) {
        self.text.start = NONE;
        self.token = window.mark(tag.open);
        self.name = window.mark(tag.open + 1);
        self.name_end = window.mark(tag.name_end);
        self.own.colon = tag.colon;
        self.own.odd = false;
        self.own.name_reported = false;
        self.own.declares = tag.declares;
        self.own.prefixed = tag.prefixed;
    }

    /// A start tag was taken whole, up to `end`; gives whether it is simply what it looks like, and was
    /// emitted.
    #[inline(always)]
    fn emit_plain(
        &mut self,
        window: Window<'_>,
        out: &mut Queue,
        tag: Tag,
        flags: u8,
        end: usize,
    ) -> bool {
        let bytes = window.bytes();
        let name = tag.open + 1..tag.name_end;
        let is_declared =
            self.own.changes_tags && self.own.declarations.changes(&bytes[name.clone()]);
        // Before the root element a limit always counts as near, so that its tag goes the states' way.
        if tag.declares || is_declared || self.open.is_near() {
            return false;
        }
        debug_assert!(self.own.phase == Phase::Main, "the root element is open");
        let mut namespace = self.own.bindings.default();
        if tag.colon || tag.prefixed > 0 {
            match self.plain_namespaces(window, out, tag) {
                Some(found) => namespace = found,
                None => return false,
            }
        }
        let (c, d) = (out.open, out.attributes.len() as u32);
        let (token, end) = (window.mark(tag.open), window.mark(end));
        let record = Record {
            flags,
            c,
            d,
            namespace,
            ..Record::new(Kind::Start, token, end).of(token + 1, window.mark(tag.name_end))
        };
        out.push(record);
        out.open = d;
        if d - c > FEW as u32 {
            self.names.clear();
        }
        if flags & SELF_CLOSING != 0 {
            out.push(Record {
                kind: Kind::End,
                start: end,
                c: 0,
                d: 0,
                ..record
            });
        } else {
            let note = (self.own.bindings.len() as u32) << 2 | u32::from(tag.colon);
            self.open.push_part(bytes, name, note);
        }
        true
    }

    /// A start tag that is not simply what it looks like.
    #[cold]
    #[inline(never)]
    fn emit_other(&mut self, lex: &mut Lexer<'_>, tag: Tag, flags: u8) -> State {
        self.leave_in_tag(lex.window(), tag);
        self.emit_start_tag(lex, flags)
    }

    /// Finds the namespaces of a tag with prefixes, where each is bound and nothing can be wrong; gives
    /// that of the element.
    #[inline(always)]
    fn plain_namespaces(&self, window: Window<'_>, out: &mut Queue, tag: Tag) -> Option<u32> {
        if !self.own.options.has_namespaces() {
            return Some(NO_NAMESPACE);
        }
        let name = &window.bytes()[tag.open + 1..tag.name_end];
        let element = match tag.colon {
            true => self.plain_prefix(name)?.0,
            false => self.own.bindings.default(),
        };
        let attributes = &mut out.attributes[out.open as usize..];
        if tag.prefixed > 0 && self.find_prefixes(window, attributes).is_none() {
            for attribute in attributes {
                attribute.namespace = NO_NAMESPACE;
            }
            return None;
        }
        Some(element)
    }

    /// Finds the namespaces of attributes with prefixes, some perhaps before it gives up.
    fn find_prefixes(&self, window: Window<'_>, attributes: &mut [Attr]) -> Option<()> {
        if attributes.len() > FEW {
            return None;
        }
        let bytes = window.bytes();
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
            let name = &bytes[window.index_of(name)..window.index_of(name_end)];
            let (namespace, prefix) = self.plain_prefix(name)?;
            // Two names with one prefix differ; with two prefixes of one namespace, they may not.
            let other_prefix = |other: &Attr| {
                other.namespace == namespace
                    && !bytes[window.index_of(other.name)..].starts_with(prefix)
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
    fn plain_prefix<'t>(&self, name: &'t [u8]) -> Option<(u32, &'t [u8])> {
        let colon = name.iter().position(|&byte| byte == b':')?;
        if !name.get(colon + 1).is_some_and(|&byte| begins_name(byte)) {
            return None;
        }
        let namespace = self.own.bindings.find_few(&name[..colon])?;
        Some((namespace, &name[..=colon]))
    }
}
