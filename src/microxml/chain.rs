//! The fused chain: after the name of a start tag, ` name="value"` any number of times, and `>`.
//!
//! It does what the states do, with their own actions. It takes nothing that it does not finish: at any
//! surprise, and at the end of the window, it leaves on a state's border, so that no byte is taken
//! twice. In the final revision an attribute's `=` is all that a look-ahead has to find.
//!
//! PERF: documents full of attributes are read 1.3 times as fast with it, by the final revision 1.8
//! times; `benches/peers`, `--bin dialects`, shows it.

use super::classes::{DOUBLE_QUOTED, NAME};
use super::machine::{Lexer, MicroXmlMachine};
use super::state::{Next, State};
use crate::event::record::{QUOTED, SELF_CLOSING};
use crate::input::Mark;
use crate::text::microxml_names::is_name_start_byte;

impl MicroXmlMachine {
    /// White space was taken after the name of a start tag. Gives the next state if a name and `=` come
    /// next in this window.
    #[inline(always)]
    pub(super) fn first_attribute_chain(&mut self, lex: &mut Lexer<'_>) -> Next {
        let length = attribute_ahead(lex, 0)?;
        self.take_attribute_name(lex, 0, length);
        self.own.carriage = Mark::NONE;
        self.flush_text(lex, self.token);
        self.check_tag_name(lex);
        self.start_attribute(lex);
        Some(self.value_chain(lex))
    }

    /// The first byte of a name was taken in a tag. Gives the next state if the rest of it and `=` come
    /// next in this window.
    #[inline(always)]
    pub(super) fn next_attribute_chain(&mut self, lex: &mut Lexer<'_>) -> Next {
        let (length, b'=') = lex.seek::<NAME>(0)? else {
            return None;
        };
        self.attribute.name_end = lex.mark() + length as u32;
        lex.skip(length + 1);
        self.start_attribute(lex);
        Some(self.value_chain(lex))
    }

    /// The `=` after an attribute's name was taken.
    #[inline(always)]
    fn value_chain(&mut self, lex: &mut Lexer<'_>) -> State {
        loop {
            let value = match lex.peek() {
                Some(b'"') => lex.seek::<DOUBLE_QUOTED>(1),
                _ => None,
            };
            let Some((length, b'"')) = value else {
                return State::StartAttributeValue;
            };
            self.attribute.raw = lex.mark() + 1;
            self.attribute.raw_end = lex.mark() + length as u32;
            self.attribute.flags |= QUOTED;
            self.add_attribute(lex);
            lex.skip(length + 1);
            let flags = match (lex.peek(), lex.peek_at(1)) {
                (Some(b'>'), _) => 0,
                (Some(b'/'), Some(b'>')) => SELF_CLOSING,
                (Some(b' '), _) => match attribute_ahead(lex, 1) {
                    Some(length) => {
                        self.take_attribute_name(lex, 1, length);
                        self.start_attribute(lex);
                        continue;
                    }
                    None => return State::Tag,
                },
                _ => return State::Tag,
            };
            lex.skip(if flags == 0 { 1 } else { 2 });
            let end = lex.mark();
            self.emit_start_tag(lex, flags, end);
            return State::Main;
        }
    }

    /// Takes an attribute's name of this length, after some white space, and its `=`.
    #[inline(always)]
    fn take_attribute_name(&mut self, lex: &mut Lexer<'_>, space: usize, length: usize) {
        self.attribute.name = lex.mark() + space as u32;
        self.attribute.name_end = self.attribute.name + length as u32;
        lex.skip(space + length + 1);
    }
}

/// The length of the name that comes after so much white space, if `=` follows it in this window.
#[inline(always)]
fn attribute_ahead(lex: &Lexer<'_>, space: usize) -> Option<usize> {
    if !is_name_start_byte(lex.peek_at(space)?) {
        return None;
    }
    match lex.seek::<NAME>(space + 1)? {
        (end, b'=') => Some(end - space),
        _ => None,
    }
}
