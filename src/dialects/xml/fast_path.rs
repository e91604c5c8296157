//! The fast path of the XML tokenizer: one loop over text, start tags of the form `<name name="value">`, and the
//! expected end tags.
//!
//! The loop produces the same records as the states, but keeps in local variables what the states keep in the
//! tokenizer's registers. At an unusual byte, at the end of the window and at the end of the batch, the loop stores its
//! variables in the registers and returns the state that continues there, possibly in the middle of a tag. No byte is
//! read twice. A complete tag with consequences (it declares a namespace, attributes of its element are declared, or a
//! limit is near) is emitted by the function that the states use, and the loop goes on.
//!
//! PERF: vk.xml in chunks of 64 bytes takes 82 million instructions, all at once 36, of which 16 are here
//! (`valgrind --tool=callgrind`, events read as in `benches/peers`).

use super::classes::XmlClasses;
use super::machine::{Lexer, NAME, NOT_SPACE, Phase, QUOTED_VALUE, TEXT, XmlMachine};
use super::state::State;
use crate::engine::attributes::MAX_UNHASHED_ATTRIBUTES;
use crate::engine::event::queue::Queue;
use crate::engine::event::record::{
    Attr, PREFIXED, Payload, QUOTED, Record, RecordKind, SELF_CLOSING,
};
use crate::engine::input::BufferOffset;
use crate::engine::namespaces::NO_NAMESPACE;
use crate::engine::room::reserve_first;
use crate::engine::text::xml_names::{MAX_PREDEFINED_BYTES, predefined_bytes};
use crate::engine::tokenizer::{self, TextBuffer};
use core::ops::Range;

type Window<'w> = tokenizer::Window<'w, XmlClasses>;

/// Returns true if most names that start with `byte` need no further check of this character.
const fn begins_name(byte: u8) -> bool {
    (byte | 0x20).is_ascii_lowercase() || byte == b'_'
}

/// An element that the loop has opened and that is not on the stack of open elements yet. In most cases the loop closes
/// it too, so that its name is never copied: in the last window of the input, whatever its length, because there it
/// closes all elements of a well-formed document. The name is in the window as long as the loop runs. Only the start tag
/// of the root element may declare namespaces. No namespaces are declared before that tag.
#[derive(Clone, Copy, Debug)]
pub(super) struct Brief {
    /// Index of its name in the window.
    name: u32,
    /// Length of its name, in bytes.
    length: u32,
    /// Index in the window of the end of the start tag.
    end: u32,
    namespace: u32,
}

/// Number of elements for which `brief` gets memory with the root element.
const FIRST_BRIEF: usize = 8;

/// Returns true if the names of the elements that the loop opens are copied at once: in a short window, unless the input
/// ends with it, few of these elements are closed in the loop.
#[inline(always)]
fn copies_names(lex: &Lexer<'_>) -> bool {
    !lex.is_last() && lex.window().length() < lex.out.settings.min_brief_bytes
}

/// The part of a start tag that was read, as indices in the window. Rare parts of a tag are stored in the tokenizer's
/// state at once, in the form that the states need.
#[derive(Clone, Copy)]
struct Tag {
    /// Index of its `<`.
    open: u32,
    /// Index of the end of its name.
    name_end: u32,
    /// Index of the colon in its name, or 0 if there is none.
    colon: u32,
}

/// Number of bits of the set `names`, in which each attribute name of a tag sets one bit. A name whose bit is not set
/// yet is certainly new. So at most this number of attributes is added to a tag without a comparison of the number with
/// the limit.
const NAME_BITS: usize = u64::BITS as usize;

/// The way in which the fast path leaves a start tag, with the index of the next unread byte.
enum Exit {
    /// The tag was consumed up to its `>`. The first number is its flags.
    Whole(u8, u32),
    /// This state continues, inside the tag.
    State(State, u32),
}

/// Variables of the loop.
struct LoopState<'w> {
    window: Window<'w>,
    /// Index in the window of the next byte that was not consumed.
    at: u32,
    /// Offset of the start of the current run of text, if the run equals its source and is in the current chunk.
    /// Otherwise `BufferOffset::NONE`, and the tokenizer's state describes the run.
    text: BufferOffset,
    /// True if the names of elements are copied at once: see [`copies_names`].
    copies_names: bool,
}

/// The result of one pass of the loop.
enum Step {
    /// A construct was consumed, and the loop continues.
    Next,
    /// The loop ends, and the data state continues.
    Leave,
    /// The loop ends, and this state continues. The registers of the tokenizer are up to date.
    Return(State),
}

/// Emits the run of text from the offset `text` to the offset `token`. Returns false if `text` is `BufferOffset::NONE`,
/// because the tokenizer's state then describes the run.
#[inline(always)]
fn push_text(out: &mut Queue, text: BufferOffset, token: BufferOffset) -> bool {
    if text < token {
        out.push(Record::new(RecordKind::Text, text, token).of(text, token));
    }
    !text.is_none()
}

/// Returns the end and the character of the reference to a predefined entity whose `&` has the index `open`. Returns
/// `None` for any other reference, and if the window ends in it.
#[inline(never)]
fn predefined_reference(window: Window<'_>, open: u32) -> Option<(u32, char)> {
    let name = open + 1;
    let end = (name..=name + MAX_PREDEFINED_BYTES).find(|&at| window.byte(at) == b';')?;
    let character = predefined_bytes(window.between(name, end))?;
    Some((end + 1, character))
}

impl XmlMachine {
    /// Returns whether to enter the fast path: inside the root element, not in replacement text, and if the window is
    /// long enough.
    #[inline(always)]
    pub(super) fn is_plain(&self, lex: &Lexer<'_>) -> bool {
        self.dialect.phase == Phase::Main
            && lex.left() >= lex.out.settings.min_fast_path_bytes
            && self.dialect.entities.frames.is_empty()
    }

    /// Returns whether the start tag of the root element is next, and the fast path reads it.
    #[inline(always)]
    pub(super) fn is_plain_root(&self, lex: &Lexer<'_>) -> bool {
        self.dialect.phase == Phase::Start
            && lex.left() >= lex.out.settings.min_fast_path_bytes
            && self.dialect.entities.frames.is_empty()
            && lex.peek() == Some(b'<')
            && lex.peek_at(1).is_some_and(begins_name)
    }

    /// Reads content in the data state. Returns the state in which the states continue. If that is the data state,
    /// the next unit is one that the fast path does not handle.
    ///
    /// PERF: functions that are not inlined get a copy of the lexer, so that the compiler keeps the lexer itself in CPU
    /// registers.
    #[inline(never)]
    pub(super) fn fast_path(&mut self, lex: &mut Lexer<'_>) -> State {
        let state = lex.aside(|lex| self.plain_content(lex));
        if !self.dialect.brief.is_empty() {
            self.keep_brief(lex.window());
        }
        debug_assert!(self.dialect.brief.is_empty(), "offsets in this window");
        state
    }

    #[inline(always)]
    fn plain_content(&mut self, lex: &mut Lexer<'_>) -> State {
        let mut here = LoopState {
            window: lex.window(),
            at: lex.index() as u32,
            text: self.plain_text(lex),
            copies_names: copies_names(lex),
        };
        loop {
            let open = here.window.find::<TEXT>(here.at);
            let step = match here.window.byte(open) {
                b'<' => match here.window.byte(open + 1) {
                    b'/' => self.plain_end_tag(lex, &mut here, open),
                    byte if begins_name(byte) => self.plain_tag(lex, &mut here, open),
                    _ => {
                        here.at = open;
                        Step::Leave
                    }
                },
                b'&' => self.plain_reference(lex, &mut here, open),
                _ => self.plain_line_end(lex, &mut here, open),
            };
            match step {
                Step::Next => {}
                Step::Leave => break,
                Step::Return(state) => return state,
            }
            if lex.out.has_full_batch() {
                lex.take_to(here.at as usize);
                lex.suspend();
                break;
            }
        }
        if !here.text.is_none() {
            self.text = TextBuffer::at(here.text);
        }
        lex.take_to(here.at as usize);
        State::Data
    }

    /// Reads a run of text that begins with CR LF, as between the lines of a file. The text of the run begins at the
    /// LF. Leaves the loop at any other byte `open` that ends text and is not `<`.
    #[inline(always)]
    fn plain_line_end(&mut self, lex: &mut Lexer<'_>, here: &mut LoopState<'_>, open: u32) -> Step {
        let window = here.window;
        let is_cr_lf = window.byte(open) == b'\r' && window.byte(open + 1) == b'\n';
        if !is_cr_lf || here.text != window.mark(open) {
            here.at = window.clamp(open).max(here.at);
            return Step::Leave;
        }
        here.at = open + 1;
        let line_feed = window.mark(here.at);
        let Some(next) = self.end_of_plain_run(window, here.at) else {
            self.text = TextBuffer::after_cr(here.text, line_feed);
            here.text = BufferOffset::NONE;
            return Step::Leave;
        };
        let token = window.mark(next);
        let record = Record::new(RecordKind::Text, here.text, token);
        lex.out.push(record.of(line_feed, token));
        (here.at, here.text) = (next, token);
        Step::Next
    }

    /// Reads the reference whose `&` has the index `open`, if it is a reference to a predefined entity.
    ///
    /// PERF: a dump of Wikipedia has a reference for each forty bytes of text.
    #[inline(always)]
    fn plain_reference(
        &mut self,
        lex: &mut Lexer<'_>,
        here: &mut LoopState<'_>,
        open: u32,
    ) -> Step {
        let window = here.window;
        let Some((end, character)) = predefined_reference(window, open) else {
            here.at = open;
            return Step::Leave;
        };
        if !here.text.is_none() {
            self.text = TextBuffer::at(here.text);
            here.text = BufferOffset::NONE;
        }
        here.at = end;
        let (from, to) = (window.mark(open), window.mark(end));
        lex.aside(|lex| lex.replace_by(&mut self.text, from, to, character));
        Step::Next
    }

    /// Reads the end tag whose `<` has the index `open`, if it is the one that is expected.
    #[inline(always)]
    fn plain_end_tag<'w>(
        &mut self,
        lex: &mut Lexer<'w>,
        here: &mut LoopState<'w>,
        open: u32,
    ) -> Step {
        let window = here.window;
        let Some((name_end, namespace, is_brief)) = self.expected_end_tag(window, open) else {
            here.at = open;
            return Step::Leave;
        };
        let token = window.mark(open);
        lex.out.work.compared += u64::from(name_end - open - 2);
        here.at = name_end + 1;
        self.end_plain_text(lex, here, token);
        let window = here.window;
        here.text = window.mark(here.at);
        let name = (window.mark(open + 2), window.mark(name_end));
        let record = Record::new(RecordKind::End, token, here.text).of(name.0, name.1);
        lex.out.push(Record {
            namespace,
            ..record
        });
        if is_brief {
            self.dialect.brief.pop();
            if !self.dialect.brief.is_empty() || !self.open.is_empty() {
                return Step::Next;
            }
            self.end_brief_root(lex.out);
        } else {
            self.close(lex.out);
        }
        if self.open.is_empty() {
            self.text.start = BufferOffset::NONE;
            lex.take_to(here.at as usize);
            return Step::Return(self.content(lex));
        }
        Step::Next
    }

    /// Reads the start tag whose `<` has the index `open`, and whose next character begins a name.
    #[inline(always)]
    fn plain_tag<'w>(&mut self, lex: &mut Lexer<'w>, here: &mut LoopState<'w>, open: u32) -> Step {
        let mut tag = Tag {
            open,
            name_end: open + 2,
            colon: 0,
        };
        let token = here.window.mark(open);
        let exit = self.plain_start_tag(lex, here.window, &mut tag);
        let (Exit::Whole(_, end) | Exit::State(_, end)) = exit;
        here.at = end;
        // The first record is pushed after all bytes were consumed, because it may be the last of the batch.
        self.end_plain_text(lex, here, token);
        match exit {
            Exit::State(state, _) => {
                self.leave_in_tag(lex, tag);
                lex.take_to(here.at as usize);
                return Step::Return(state);
            }
            Exit::Whole(flags, _) => {
                let end = (here.at, here.copies_names);
                if !self.emit_plain(here.window, lex.out, tag, flags, end) {
                    lex.take_to(here.at as usize);
                    let state = lex.aside(|lex| self.emit_other(lex, tag, flags));
                    if state != State::Data {
                        return Step::Return(state);
                    }
                    here.window = lex.window();
                }
            }
        }
        here.text = here.window.mark(here.at);
        Step::Next
    }

    /// Emits the run of text before the token at the offset `token`, which was consumed up to `here.at`.
    #[inline(always)]
    fn end_plain_text<'w>(
        &mut self,
        lex: &mut Lexer<'w>,
        here: &mut LoopState<'w>,
        token: BufferOffset,
    ) {
        if !push_text(lex.out, here.text, token) {
            lex.take_to(here.at as usize);
            lex.aside(|lex| self.flush_before(lex, token));
            here.window = lex.window();
        }
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

    /// Returns the index of the tag that ends the run of text at `at`, if the rest of the run equals its source and
    /// this loop reads the tag.
    ///
    /// PERF: not inlined, because files with LF newlines never call it, and more code in the loop slows them down.
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

    /// Emits the run of text before a token that was consumed.
    #[cold]
    #[inline(never)]
    fn flush_before(&mut self, lex: &mut Lexer<'_>, token: BufferOffset) {
        self.flush_text(lex, token);
    }

    /// Checks whether the end tag at `open` has exactly the name of the current element. Returns the index of the end
    /// of its name, the namespace index of the element, and true if the element is in `brief`.
    #[inline(always)]
    fn expected_end_tag(&self, window: Window<'_>, open: u32) -> Option<(u32, u32, bool)> {
        let Some(brief) = self.dialect.brief.last() else {
            let (want, note) = self.open.innermost()?;
            // The states report a name that contains an illegal character in the end tag again.
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

    /// Moves the elements in `brief` to the stack of open elements, where the states find them.
    #[cold]
    #[inline(never)]
    fn keep_brief(&mut self, window: Window<'_>) {
        let is_document = self.dialect.outer_phase() == Phase::End;
        let bindings = self.dialect.bindings.len() as u32;
        for brief in self.dialect.brief.drain(..) {
            let is_root = is_document && self.open.is_empty();
            let scope = if is_root { 0 } else { bindings };
            let name = window.between(brief.name, brief.name + brief.length);
            let tag = (window.mark(brief.name - 1), window.mark(brief.end));
            // For a name in the default namespace, the note need not say whether the name has a prefix.
            let has_prefix = brief.namespace != self.dialect.bindings.default();
            self.open
                .push_bytes(name, scope << 2 | u32::from(has_prefix), tag);
        }
    }

    /// Opens the root element of a document, whose start tag was emitted by [`emit_other`](Self::emit_other).
    pub(super) fn open_brief_root(&mut self, lex: &Lexer<'_>, namespace: u32) {
        let window = lex.window();
        reserve_first(&mut self.dialect.brief, FIRST_BRIEF);
        self.dialect.brief.push(Brief {
            name: self.name - window.mark(0),
            length: self.name_end - self.name,
            end: lex.index() as u32,
            namespace,
        });
    }

    /// Handles the end of the outermost element, which was the last one in `brief`.
    fn end_brief_root(&mut self, out: &mut Queue) {
        self.dialect.phase = self.dialect.outer_phase();
        if self.dialect.phase == Phase::End && self.dialect.bindings.len() > 0 {
            self.dialect.bindings.truncate(0, out.now());
        }
    }

    /// Reads a start tag whose first two characters were checked.
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
            // The states report the violation of the limit.
            tag.name_end = window.clamp(at);
            return Exit::State(State::TagName, tag.name_end);
        }
        let mut names = if self.limits.attributes < 2 * NAME_BITS {
            !0
        } else {
            0
        };
        // The same bytes may follow the name and each attribute.
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

    /// Reads an attribute whose first character is `first`. Returns the index of its end and the bytes there, or the
    /// state that continues in it and the index of the next unread byte. `names` is a bit set with one bit for each
    /// name of the tag so far; a name whose bit is not set yet is certainly new.
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
        if *names & bit != 0 && !self.is_new(lex, from..end, names) {
            return Err(self.leave_in_name(lex, from..end, flags));
        }
        *names |= bit;
        if length == 5 && first == b'x' {
            self.dialect.tag.may_declare = true;
        }
        let value = end + 2;
        let (to, after) = end_of_value(window, value, quote);
        if after[0] != quote || !matches!(quote, b'"' | b'\'') {
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
        let [_, stop, first, _] = after;
        Ok((to + 1, [stop, first, 0, 0]))
    }

    /// Returns true if the attribute whose name has these indices can be added, although a bit of `names` says that
    /// the tag may have the name already.
    #[inline(always)]
    fn is_new(&mut self, lex: &mut Lexer<'_>, name: Range<u32>, names: &mut u64) -> bool {
        if self.is_repeated_or_beyond(lex, name.start, name.end) {
            return false;
        }
        if lex.out.attributes.len() - lex.out.open as usize > MAX_UNHASHED_ATTRIBUTES {
            // The names are in a table, and every further name has to be added to the table.
            *names = !0;
        }
        true
    }

    /// Returns the namespace index of an attribute with this prefix, whose local name starts with `first`.
    #[inline(never)]
    fn attribute_namespace(&mut self, prefix: u64, first: u8) -> u32 {
        self.dialect.tag.prefixed_attributes += 1;
        let found = self.plain_namespace(prefix, first);
        let is_other =
            self.dialect.tag.prefixed_attributes > 1 && self.dialect.bindings.has_synonyms();
        if found.is_none() || is_other {
            // The tag needs a closer look, as if it declared a namespace.
            self.dialect.tag.may_declare = true;
        }
        found.unwrap_or(NO_NAMESPACE)
    }

    /// Returns true if one more attribute, whose name is between two indices, exceeds the limit or has the name of an
    /// earlier one.
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

    /// Leaves the fast path in the name of an attribute.
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

    /// Leaves the fast path after the `=` of an attribute, or in its value.
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

    /// Stores the attribute in the registers, so that the states can continue with it.
    fn leave_in_attribute(&mut self, attribute: Attr) {
        self.attribute = attribute;
        self.dialect.tag.prefixed_attributes -= u32::from(attribute.flags & PREFIXED != 0);
        self.dialect.name_reported = false;
        self.dropped = false;
    }

    /// Stores the tag in the registers, so that the states can continue with it. They find the namespaces again.
    #[cold]
    #[inline(never)]
    fn leave_in_tag(&mut self, lex: &mut Lexer<'_>, tag: Tag) {
        let window = lex.window();
        self.text.start = BufferOffset::NONE;
        self.token = window.mark(tag.open);
        self.name = window.mark(tag.open + 1);
        self.name_end = window.mark(tag.name_end);
        self.dialect.tag.has_colon = tag.colon != 0;
        self.dialect.tag.is_odd = false;
        self.dialect.name_reported = false;
        for attribute in &mut lex.out.attributes[lex.out.open as usize..] {
            attribute.namespace = NO_NAMESPACE;
        }
    }

    /// Emits a start tag that was consumed up to the index `taken`. Returns false, and does nothing, if the tag has
    /// consequences beyond its event. `copies_name` is true if the name is copied at once.
    #[inline(always)]
    fn emit_plain(
        &mut self,
        window: Window<'_>,
        out: &mut Queue,
        tag: Tag,
        flags: u8,
        (taken, copies_name): (u32, bool),
    ) -> bool {
        if !self.is_simple(window, tag) {
            return false;
        }
        debug_assert!(
            self.dialect.phase == Phase::Main,
            "the root element is open"
        );
        let Some(namespace) = self.plain_element_namespace(window, tag) else {
            return false;
        };
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
        self.dialect.tag.prefixed_attributes = 0;
        if last - first > MAX_UNHASHED_ATTRIBUTES as u32 {
            self.names.clear();
        }
        if flags & SELF_CLOSING != 0 {
            out.push(Record {
                kind: RecordKind::End,
                start: end,
                payload: Payload::NONE,
                ..record
            });
        } else if copies_name {
            let note = (self.dialect.bindings.len() as u32) << 2 | u32::from(tag.colon != 0);
            let name = window.between(tag.open + 1, tag.name_end);
            debug_assert!(
                self.dialect.brief.is_empty(),
                "those are below this element"
            );
            self.open.push_bytes(name, note, (token, end));
        } else {
            self.dialect.brief.push(Brief {
                name: tag.open + 1,
                length: tag.name_end - tag.open - 1,
                end: taken,
                namespace,
            });
        }
        true
    }

    /// Returns the namespace index of an element, or `None` if the states have to find it.
    #[inline(always)]
    fn plain_element_namespace(&self, window: Window<'_>, tag: Tag) -> Option<u32> {
        if tag.colon == 0 {
            return Some(self.dialect.bindings.default());
        }
        let prefix = window.number(tag.open + 1, tag.colon);
        self.plain_namespace(prefix, window.byte(tag.colon + 1))
    }

    /// Returns true if a start tag has no namespace declarations and no declared attributes, and is not near a limit.
    #[inline(always)]
    fn is_simple(&mut self, window: Window<'_>, tag: Tag) -> bool {
        let is_declared = self.dialect.dtd.changes_tags && {
            let name = window.between(tag.open + 1, tag.name_end);
            self.dialect.dtd.declarations.changes(name)
        };
        // Before the root element a limit always counts as near: see `emit_plain_root`. A name in the window is no
        // longer than the part of the window that was read.
        let is_near = self
            .open
            .is_near_with(self.dialect.brief.len(), tag.open as usize);
        !self.dialect.tag.may_declare && !is_declared && !is_near
    }

    /// Emits the start tag of the root element as any other, if it has no other consequences. Returns false, and does
    /// nothing, for any other tag.
    #[inline(always)]
    fn emit_plain_root(&mut self, lex: &mut Lexer<'_>, tag: Tag, flags: u8) -> bool {
        let may_be_plain = self.dialect.phase == Phase::Start
            && self.dialect.bindings.len() == 0
            && !self.dialect.tag.may_declare
            && flags & SELF_CLOSING == 0;
        if !may_be_plain || self.open.check(self.memory_used()).is_some() {
            return false;
        }
        self.dialect.phase = Phase::Main;
        let end = (lex.index() as u32, copies_names(lex));
        if !end.1 {
            reserve_first(&mut self.dialect.brief, FIRST_BRIEF);
        }
        let is_plain = self.emit_plain(lex.window(), lex.out, tag, flags, end);
        if !is_plain {
            self.dialect.phase = Phase::Start;
        }
        is_plain
    }

    /// Emits the start tag of the root element, or one with consequences, through the function that the states use.
    /// Returns the state after the tag.
    #[cold]
    #[inline(never)]
    fn emit_other(&mut self, lex: &mut Lexer<'_>, tag: Tag, flags: u8) -> State {
        if self.emit_plain_root(lex, tag, flags) {
            return State::Data;
        }
        self.keep_brief(lex.window());
        self.leave_in_tag(lex, tag);
        self.emit_start_tag_from(lex, flags, true)
    }

    /// Returns the namespace index of a name with this prefix, whose local name starts with `first`, or `None` if the
    /// states have to find it.
    #[inline(always)]
    fn plain_namespace(&self, prefix: u64, first: u8) -> Option<u32> {
        if !self.dialect.options.has_namespaces() {
            return Some(NO_NAMESPACE);
        }
        match begins_name(first) {
            true => self.dialect.bindings.find_few(prefix),
            false => None,
        }
    }
}

/// Returns the index of the byte that ends the value at the index `value`, and the four bytes from there: `quote`, or a
/// byte for which the states have to continue.
#[inline(always)]
fn end_of_value(window: Window<'_>, value: u32, quote: u8) -> (u32, [u8; 4]) {
    let mut to = window.find::<QUOTED_VALUE>(value);
    let mut after = window.four(to);
    while after[0] != quote && matches!(after[0], b'"' | b'\'') {
        to = window.find::<QUOTED_VALUE>(to + 1);
        after = window.four(to);
    }
    (to, after)
}

crate::checkpoint::checkpointable! {
    struct Brief { name, length, end, namespace }
}
