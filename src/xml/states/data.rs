//! The data state.

use crate::event::record::{NONE, Piece, Queue};
use crate::input::cursor::Unit::{Byte, Eof};
use crate::xml::errors;
use crate::xml::frames::FIRST;
use crate::xml::machine::{Cursor, NOT_SPACE, TEXT, XmlMachine};
use crate::xml::state::State;

impl XmlMachine {
    /// Data state
    #[inline(always)]
    pub(in crate::xml) fn data(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        if self.is_plain(input, out) {
            let (state, after) = self.content_loop(*input, out);
            *input = after;
            if state != State::Data {
                return Some(state);
            }
        }
        Some(match input.until::<TEXT>()? {
            Byte(b'<') => {
                self.token = input.mark() - 1;
                State::Tag
            }
            Byte(b'&') => self.reference_from(State::Data, input),
            Byte(b'\r') => {
                *input = self.data_carriage_return(*input, out);
                State::Data
            }
            Byte(b'>') => {
                *input = self.check_cdata_end(*input, out);
                State::Data
            }
            Byte(byte) => {
                self.check_character(input, out, byte);
                State::Data
            }
            Eof => self.end_of_file(input, out),
        })
    }

    #[cold]
    #[inline(never)]
    fn data_carriage_return<'w>(&mut self, input: Cursor<'w>, out: &mut Queue) -> Cursor<'w> {
        self.carriage_return(&input, out, "\n");
        input
    }

    /// A `>` was taken: with `]]` before it, it is an error. The two stand in this run if they are
    /// there at all: references, CDATA sections and tags end with other characters.
    #[cold]
    #[inline(never)]
    fn check_cdata_end<'w>(&mut self, mut input: Cursor<'w>, out: &mut Queue) -> Cursor<'w> {
        let end = input.mark();
        // The mark before replacement text stands for what is no part of it.
        let begin = match self.frames.is_empty() {
            true => self.text.start,
            false => self.text.start.max(FIRST),
        };
        if end - begin >= 3 {
            input.looked(2);
            let [first, second] = [3, 2].map(|back| input.byte(&out.carry, end - back));
            if first == b']' && second == b']' {
                self.error(&mut input, out, errors::CDATA_END_IN_TEXT, end - 3, end);
            }
        }
        input
    }

    /// Not in the document: the data state outside the root element. White space is no event there.
    pub(in crate::xml) fn outside(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        if self.is_plain_root(input, out) {
            let (state, after) = self.content_loop(*input, out);
            *input = after;
            return Some(state);
        }
        Some(match input.until::<NOT_SPACE>()? {
            Byte(b'<') => {
                self.token = input.mark() - 1;
                State::Tag
            }
            Byte(_) => {
                input.back();
                self.error_next(input, out, errors::TEXT_OUTSIDE_ROOT);
                self.text = Piece::at(input.mark());
                State::Data
            }
            Eof => self.end_of_file(input, out),
        })
    }

    /// What was taken for the beginning of a token is text; the unit taken last is reconsumed in the
    /// data state.
    pub(in crate::xml) fn emit_as_text(&mut self) -> State {
        if self.text.is_none() {
            self.text = Piece::at(self.token);
        }
        self.token = NONE;
        State::Data
    }
}
