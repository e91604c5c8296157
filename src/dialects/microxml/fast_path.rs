//! Fast path for the attributes of a start tag: reads ` name="value"` any number of times, and the `>`, in one loop.
//!
//! The loop does what the states do, and calls the same actions. It consumes a construct only if the whole construct
//! is in the window and is in the common form. Otherwise it stops at a position where a state can continue, so that
//! no byte is read twice. In the final revision the states would have to look ahead for the `=` after a name; here it
//! is found at once.
//!
//! PERF: documents with many attributes are parsed 1.3 times as fast with this loop, in the final revision 1.8 times
//! (`benches/peers`, `--bin dialects`).

use super::classes::{DOUBLE_QUOTED, NAME};
use super::machine::{Lexer, MicroXmlMachine};
use super::state::{Next, State};
use crate::engine::event::record::{QUOTED, SELF_CLOSING};
use crate::engine::input::BufferOffset;
use crate::engine::text::microxml_names::is_name_start_byte;

impl MicroXmlMachine {
    /// Reads the attributes after the name of a start tag and one whitespace byte, which were just consumed. Returns
    /// `None`, and consumes nothing, if this window does not continue with a name and `=`.
    #[inline(always)]
    pub(super) fn plain_attributes(&mut self, lex: &mut Lexer<'_>) -> Next {
        let length = attribute_ahead(lex, 0)?;
        self.take_attribute_name(lex, 0, length);
        self.dialect.carriage = BufferOffset::NONE;
        self.flush_text(lex, self.token);
        self.check_tag_name(lex);
        self.start_attribute(lex);
        Some(self.plain_values(lex))
    }

    /// Continues in a tag after the first byte of a name, which was just consumed. Returns `None`, and consumes
    /// nothing, if this window does not continue with the rest of the name and `=`.
    #[inline(always)]
    pub(super) fn more_plain_attributes(&mut self, lex: &mut Lexer<'_>) -> Next {
        let (length, b'=') = lex.seek::<NAME>(0)? else {
            return None;
        };
        self.attribute.name_end = lex.mark() + length as u32;
        lex.skip(length + 1);
        self.start_attribute(lex);
        Some(self.plain_values(lex))
    }

    /// Reads values in double quotes and further attributes, after an `=` that was just consumed. Returns the state
    /// that continues.
    #[inline(always)]
    fn plain_values(&mut self, lex: &mut Lexer<'_>) -> State {
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

    /// Consumes `space` bytes of whitespace, a name of `length` bytes and its `=`, and sets the name of the current
    /// attribute.
    #[inline(always)]
    fn take_attribute_name(&mut self, lex: &mut Lexer<'_>, space: usize, length: usize) {
        self.attribute.name = lex.mark() + space as u32;
        self.attribute.name_end = self.attribute.name + length as u32;
        lex.skip(space + length + 1);
    }
}

/// Returns the length of the name that follows `space` bytes of whitespace, if it is followed by `=` in this window.
/// Consumes nothing.
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
