//! Text tokens, and the line breaks of content assemblies.

use crate::event::record::Queue;
use crate::input::cursor::Unit::{Byte, Eof};
use crate::leafxml::errors;
use crate::leafxml::machine::{Cursor, LeafXmlMachine, NOT_SPACE, TEXT};
use crate::leafxml::state::State;
use crate::text::leafxml_names::is_char;
use crate::text::normal::plain_run;

/// Whether the character, before or after the root element, is padding: white space once line breaks
/// are normalized.
pub(in crate::leafxml) const fn is_padding(character: char) -> bool {
    matches!(character, '\t' | '\n' | '\r' | ' ' | '\u{85}' | '\u{2028}')
}

impl LeafXmlMachine {
    /// In a text token inside the root element.
    #[inline(always)]
    pub(in crate::leafxml) fn text(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        match input.until::<TEXT>()? {
            Byte(b'<') => {
                self.token = input.mark() - 1;
                self.state = State::Token;
                self.tag_chain(input, out, self.token)
            }
            Byte(b'&') => Some(self.escape_from(State::Text, input)),
            Byte(byte) => {
                let run = match byte {
                    0x80.. => {
                        let (text, from) = (input.since_last(), input.mark() - 1);
                        self.normal.take_run::<true>(text, input.chunk(), from)
                    }
                    _ => 0,
                };
                if run > 0 {
                    input.skip(run - 1);
                    return Some(State::Text);
                }
                let (state, after) = self.content_character(*input, out, byte, State::Text);
                *input = after;
                Some(state)
            }
            Eof => {
                let (state, after) = self.end_of_file(*input, out);
                *input = after;
                Some(state)
            }
        }
    }

    /// A character of a content assembly that is more than itself, or not ASCII. `within` is the state
    /// that goes on.
    #[cold]
    #[inline(never)]
    pub(in crate::leafxml) fn content_character<'w>(
        &mut self,
        mut cursor: Cursor<'w>,
        out: &mut Queue,
        byte: u8,
        within: State,
    ) -> (State, Cursor<'w>) {
        let input = &mut cursor;
        let state = match byte {
            b'\r' => self.carriage_return(input, out, within),
            0x80.. => {
                self.wide_content(input, out, byte);
                within
            }
            _ => self.fail_here(input, out, byte, errors::DISALLOWED_CHARACTER),
        };
        (state, cursor)
    }

    /// A CR of a content assembly was taken as it was written.
    fn carriage_return(&mut self, input: &Cursor<'_>, out: &mut Queue, within: State) -> State {
        let at = input.mark() - 1;
        if input.peek() == Some(b'\n') {
            // The LF stays for both.
            self.remove_content(input, out, at, at + 1);
            return within;
        }
        self.replace_content(input, out, at, at + 1, '\n');
        self.after_cr = true;
        match within {
            State::Text => State::TextLineBreak,
            _ => State::CdataLineBreak,
        }
    }

    /// After a CR in content: an LF or NEL is the same line break. So it is across the borders of
    /// tokens and escapes.
    pub(in crate::leafxml) fn line_break(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        within: State,
    ) -> Option<State> {
        let Byte(byte) = input.next()? else {
            return Some(within);
        };
        let from = input.mark() - 1;
        match byte {
            b'\n' => {
                self.remove_content(input, out, from, from + 1);
                self.after_cr = false;
            }
            // A window holds whole characters.
            0xC2 if input.peek() == Some(0x85) => {
                input.skip(1);
                self.remove_content(input, out, from, from + 2);
                self.after_cr = false;
            }
            // Another token or an escape may follow, or nothing of either.
            b'<' if within == State::Text => {
                self.token = from;
                return Some(State::Token);
            }
            b'&' if within == State::Text => return Some(self.escape_from(within, input)),
            b']' if within == State::Cdata => return Some(State::CdataBracket),
            b'\t' | b' '..=b'~' => self.after_cr = false,
            _ => {
                self.after_cr = false;
                let (state, after) = self.content_character(*input, out, byte, within);
                *input = after;
                return Some(state);
            }
        }
        Some(within)
    }

    /// Characters of a content assembly beyond ASCII, the first byte of which was taken.
    fn wide_content(&mut self, input: &mut Cursor<'_>, out: &mut Queue, byte: u8) {
        let mut byte = byte;
        loop {
            let run = plain_run::<true>(input.since_last());
            if run > 0 {
                input.skip(run - 1);
                match input.peek() {
                    Some(next @ 0x80..) => {
                        input.skip(1);
                        byte = next;
                    }
                    _ => return,
                }
            }
            let (character, from, to) = Self::character(input, byte);
            if matches!(character, '\u{85}' | '\u{2028}') {
                self.replace_content(input, out, from, to, '\n');
            } else if is_char(character) {
                let before = |at| Self::character_before(input, &out.carry, at);
                self.normal.take_literal(character, from, to, before);
            } else {
                self.fail(input, out, errors::DISALLOWED_CHARACTER, from, to);
                return;
            }
            match input.peek() {
                Some(next @ 0x80..) => {
                    input.skip(1);
                    byte = next;
                }
                _ => return,
            }
        }
    }

    /// What stands between two marks means `character` in the content assembly.
    pub(in crate::leafxml) fn replace_content(
        &mut self,
        input: &Cursor<'_>,
        out: &mut Queue,
        from: u32,
        to: u32,
        character: char,
    ) {
        let mut buffer = [0; 4];
        let meant = &*character.encode_utf8(&mut buffer);
        self.text.replace(*input, out, from, to, meant);
        self.meant = (character, from, to);
        self.normal.take(character, from, to);
        self.normal.replaced(to);
    }

    /// What stands between two marks is not part of the content assembly.
    pub(in crate::leafxml) fn remove_content(
        &mut self,
        input: &Cursor<'_>,
        out: &mut Queue,
        from: u32,
        to: u32,
    ) {
        self.text.remove(*input, out, from, to);
        self.normal.removed(from, to);
    }

    /// In a text token before the first tag or after the last: white space only.
    pub(in crate::leafxml) fn outside(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.until::<NOT_SPACE>()? {
            Byte(b'<') => {
                self.token = input.mark() - 1;
                State::Token
            }
            Byte(b'&') => {
                // The escape is held like a token.
                self.token = input.mark() - 1;
                self.escape_from(State::Outside, input)
            }
            Byte(byte) => self.outside_character(input, out, byte, State::Outside),
            Eof => {
                let (state, after) = self.end_of_file(*input, out);
                *input = after;
                state
            }
        })
    }

    /// A character before the first tag or after the last that is no ASCII white space.
    pub(in crate::leafxml) fn outside_character(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        byte: u8,
        within: State,
    ) -> State {
        let (character, from, to) = Self::character(input, byte);
        if is_padding(character) {
            within
        } else if is_char(character) {
            self.fail(input, out, errors::STRAY_CONTENT, from, to)
        } else {
            self.fail(input, out, errors::DISALLOWED_CHARACTER, from, to)
        }
    }
}
