//! Fast path for tags: reads a start tag of the form `<name name="value" …>`, or the expected end tag, in one
//! function.
//!
//! It does what the states do, and calls the same actions, but keeps in local variables what the states keep in
//! registers. It consumes a construct only if the whole construct is in the window and is in the common form.
//! Otherwise it stops at a position where a state can continue, so that no byte is read twice.
//!
//! PERF: without it, documents with many tags are parsed at half the speed (`benches/`).

use super::machine::{DOUBLE_QUOTED, LeafXmlMachine, Lexer, NAME, NOT_SPACE};
use super::normal::Normality;
use super::state::{Next, State, TagName};
use crate::engine::event::record::{Attr, PREFIXED, QUOTED, Record, RecordKind, SELF_CLOSING};
use crate::engine::input::BufferOffset;
use crate::engine::text::normal::plain_run;

/// Returns true if most names that start with `byte` need no further check of this character.
const fn begins_name(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

/// Returns true if `byte` continues a value: it is neither the closing quote nor ASCII whitespace.
fn is_no_end(byte: Option<u8>) -> bool {
    byte.is_some_and(|byte| byte > b' ' && byte != b'"')
}

/// The result of the fast path.
enum Exit {
    /// A complete tag was consumed. Contains its flags.
    Tag(u8),
    /// The given state continues at the current position.
    State(State),
}

impl LeafXmlMachine {
    /// Reads a tag whose `<`, at offset `token`, was just consumed in the text state. Returns the next state, which
    /// is the token state if the tag does not have the common form.
    #[inline(always)]
    pub(super) fn plain_tag(&mut self, lex: &mut Lexer<'_>, token: BufferOffset) -> Next {
        match lex.peek() {
            Some(byte) if begins_name(byte) => {}
            Some(b'/') => return self.plain_end_tag(lex, token),
            _ => return Some(State::Token),
        }
        let start = lex.mark();
        let (mut length, mut stop) = lex.seek_or_end::<NAME>(1);
        let colon = stop == Some(b':');
        if colon {
            (length, stop) = lex.seek_or_end::<NAME>(length + 1);
        }
        let name = TagName {
            end: start + length as u32,
            colon,
            ..TagName::at(start)
        };
        if length > self.limits.name {
            stop = None;
        }
        let exit = match stop {
            Some(b'>') => {
                lex.skip(length + 1);
                Exit::Tag(0)
            }
            Some(b' ' | b'\n' | b'\t' | b'\r') => {
                lex.skip(length + 1);
                self.plain_attributes(lex)
            }
            Some(b'/') if lex.peek_at(length + 1) == Some(b'>') => {
                lex.skip(length + 2);
                Exit::Tag(SELF_CLOSING)
            }
            _ => {
                lex.skip(length);
                self.dialect.tag_normal = Normality::at(start);
                Exit::State(State::TagName)
            }
        };
        // Records are pushed only after all bytes were consumed, because a full batch truncates the window.
        self.flush_text(lex, token);
        match exit {
            Exit::Tag(flags) => Some(self.emit_start(lex, flags, name)),
            Exit::State(state) => {
                self.dialect.name = name;
                Some(state)
            }
        }
    }

    /// Reads the end tag of the current element, if the input continues with exactly this tag.
    #[inline(always)]
    fn plain_end_tag(&mut self, lex: &mut Lexer<'_>, token: BufferOffset) -> Next {
        let want = self.open.current().unwrap_or_default();
        if want.is_empty() || !lex.ahead_after(1, want, b'>') {
            return Some(State::Token);
        }
        let length = want.len();
        lex.out.work.compared += length as u64;
        let a = lex.mark() + 1;
        let b = a + length as u32;
        lex.skip(length + 2);
        let end = lex.mark();
        self.flush_text(lex, token);
        lex.join(token, end);
        let namespace = self.current_namespace();
        let record = Record {
            namespace,
            ..Record::new(RecordKind::End, token, end).of(a, b)
        };
        lex.emit(record);
        self.close(lex.out);
        Some(self.after_tag(lex))
    }

    /// Reads attributes, after whitespace that follows the name of a start tag or a value.
    #[inline(always)]
    fn plain_attributes(&mut self, lex: &mut Lexer<'_>) -> Exit {
        loop {
            let (space, first) = match lex.peek() {
                Some(byte) if begins_name(byte) => (0, byte),
                _ => match lex.seek::<NOT_SPACE>(0) {
                    Some((space, byte)) => (space, byte),
                    None => return Exit::State(State::AttributeBefore),
                },
            };
            if !begins_name(first) {
                if first == b'>' {
                    lex.skip(space + 1);
                    return Exit::Tag(0);
                }
                if first == b'/' && lex.peek_at(space + 1) == Some(b'>') {
                    lex.skip(space + 2);
                    return Exit::Tag(SELF_CLOSING);
                }
                return Exit::State(State::AttributeBefore);
            }
            lex.skip(space);
            let name = lex.mark();
            let (mut length, mut stop) = lex.seek_or_end::<NAME>(1);
            let mut flags = 0;
            if stop == Some(b':') {
                flags = PREFIXED;
                (length, stop) = lex.seek_or_end::<NAME>(length + 1);
            }
            let name_end = name + length as u32;
            let attribute = Attr {
                name,
                name_end,
                flags,
                ..Attr::EMPTY
            };
            if stop != Some(b'=')
                || !self.may_add_attribute(lex, length)
                || self.is_duplicate(lex, attribute)
            {
                self.leave_in_attribute(attribute);
                lex.skip(length);
                return Exit::State(State::AttributeName);
            }
            if first == b'x' && length == 5 {
                self.dialect.declares = true;
            }
            if lex.peek_at(length + 1) != Some(b'"') {
                self.leave_in_attribute(Attr {
                    raw: name_end,
                    raw_end: name_end,
                    ..attribute
                });
                lex.skip(length + 1);
                return Exit::State(State::ValueBefore);
            }
            let value = length + 2;
            let raw = name + value as u32;
            // A single space between two other characters needs no change, and characters that NFC never changes need
            // none either.
            let mut from = value;
            let mut after_space = true;
            let (to, stop) = loop {
                let (to, stop) = lex.seek_or_end::<DOUBLE_QUOTED>(from);
                after_space &= to == from;
                from = match stop {
                    Some(b' ') if !after_space && is_no_end(lex.peek_at(to + 1)) => {
                        after_space = true;
                        to + 1
                    }
                    Some(0x80..) => match plain_run::<false>(lex.ahead(to)) {
                        0 => break (to, stop),
                        run => {
                            after_space = false;
                            to + run
                        }
                    },
                    _ => break (to, stop),
                };
            };
            if stop != Some(b'"') {
                self.leave_in_attribute(Attr {
                    raw,
                    raw_end: raw,
                    flags: flags | QUOTED,
                    ..attribute
                });
                lex.skip(to);
                self.resume_value(raw, lex.mark(), after_space);
                return Exit::State(State::DoubleQuotedValue);
            }
            self.dialect.prefixed += u32::from(flags != 0);
            let raw_end = name + to as u32;
            lex.out.push_attribute(Attr {
                raw,
                raw_end,
                flags: flags | QUOTED,
                ..attribute
            });
            lex.skip(to + 1);
            match lex.peek() {
                Some(b'>') => {
                    lex.skip(1);
                    return Exit::Tag(0);
                }
                Some(b' ' | b'\n' | b'\t' | b'\r') => lex.skip(1),
                Some(b'/') if lex.peek_at(1) == Some(b'>') => {
                    lex.skip(2);
                    return Exit::Tag(SELF_CLOSING);
                }
                _ => return Exit::State(State::ValueAfter),
            }
        }
    }

    /// Returns true if one more attribute, with a name of `length` bytes, is within the limits.
    #[inline(always)]
    fn may_add_attribute(&self, lex: &Lexer<'_>, length: usize) -> bool {
        length <= self.limits.name
            && lex.out.attributes.len() - (lex.out.open as usize) < self.limits.attributes
    }

    /// Sets the registers for a state that continues with `attribute`.
    #[cold]
    #[inline(never)]
    fn leave_in_attribute(&mut self, attribute: Attr) {
        self.attribute = attribute;
        self.dialect.tag_normal = Normality::at(attribute.name);
    }
}
