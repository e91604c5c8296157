//! The end tags of RCDATA and RAWTEXT elements: their less-than sign, end tag open and end tag name
//! states.

use crate::event::record::{NONE, Queue};
use crate::html::machine::{Cursor, HtmlMachine};
use crate::html::state::State;
use crate::input::cursor::Unit::{self, Byte};

impl HtmlMachine {
    /// RCDATA less-than sign state
    pub(in crate::html) fn rcdata_less_than_sign(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b'/') => State::RcdataEndTagOpen,
            unit => self.text_again(input, out, unit, State::Rcdata),
        })
    }

    /// RCDATA end tag open state
    pub(in crate::html) fn rcdata_end_tag_open(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(byte) if byte.is_ascii_alphabetic() => {
                self.start_name(input.mark() - 1, byte);
                State::RcdataEndTagName
            }
            unit => self.text_again(input, out, unit, State::Rcdata),
        })
    }

    /// RCDATA end tag name state
    pub(in crate::html) fn rcdata_end_tag_name(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        let unit = input.next()?;
        Some(self.text_end_tag_name(input, out, unit, State::Rcdata))
    }

    /// RAWTEXT less-than sign state
    pub(in crate::html) fn rawtext_less_than_sign(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b'/') => State::RawtextEndTagOpen,
            unit => self.text_again(input, out, unit, State::Rawtext),
        })
    }

    /// RAWTEXT end tag open state
    pub(in crate::html) fn rawtext_end_tag_open(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(byte) if byte.is_ascii_alphabetic() => {
                self.start_name(input.mark() - 1, byte);
                State::RawtextEndTagName
            }
            unit => self.text_again(input, out, unit, State::Rawtext),
        })
    }

    /// RAWTEXT end tag name state
    pub(in crate::html) fn rawtext_end_tag_name(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        let unit = input.next()?;
        Some(self.text_end_tag_name(input, out, unit, State::Rawtext))
    }

    /// What was taken since the `<` is text, and `unit` is reconsumed in the state of that text.
    pub(in crate::html) fn text_again(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        unit: Unit,
        state: State,
    ) -> State {
        self.token = NONE;
        self.again(input, out, unit, state)
    }

    /// What the end tag name states of RCDATA, RAWTEXT and script data have in common: `unit` was
    /// taken in the name of what may be the end tag of the text that is read in `state`.
    pub(in crate::html) fn text_end_tag_name(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        unit: Unit,
        state: State,
    ) -> State {
        let after = match unit {
            Byte(b'\t' | b'\n' | b'\x0C' | b'\r' | b' ') => State::BeforeAttributeName,
            Byte(b'/') => State::SelfClosingStartTag,
            Byte(b'>') => State::Data,
            Byte(byte) if byte.is_ascii_alphabetic() => {
                self.odd_name |= byte.is_ascii_uppercase();
                return self.state;
            }
            _ => return self.text_again(input, out, unit, state),
        };
        if !self.is_appropriate_end_tag(input, out, input.mark() - 1) {
            return self.text_again(input, out, unit, state);
        }
        self.is_end_tag = true;
        self.name_end = input.mark() - 1;
        if after != State::Data {
            self.flush_text(input, out, self.token);
            return after;
        }
        self.flush_text(input, out, self.token);
        self.emit_tag(input, out, 0)
    }

    /// Whether the name that ends at the mark `end` is that of the last start tag.
    fn is_appropriate_end_tag(&self, input: &Cursor<'_>, out: &mut Queue, end: u32) -> bool {
        if (end - self.name) as usize != self.last_start_tag.len() {
            return false;
        }
        out.work.compared += u64::from(end - self.name);
        let (first, second) = input.pieces(&out.carry, self.name, end);
        let name = first.bytes().chain(second.bytes());
        name.map(|byte| byte.to_ascii_lowercase())
            .eq(self.last_start_tag.bytes())
    }
}
