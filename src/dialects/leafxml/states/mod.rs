//! State functions of the LeafXML tokenizer, in the groups of the specification, and the dispatch from [`State`] to
//! function.
//!
//! Each function reads one unit of input: a byte, or the end of the input. It returns the next state, or `None` if
//! the window is used up ([`Next`]); the same function then continues when more input arrives.

mod attribute;
mod cdata;
mod escape;
mod filtered;
mod name;
mod tag;
mod text;
mod token;

use super::machine::{LeafXmlMachine, Lexer};
use super::state::State;

impl LeafXmlMachine {
    /// Runs states until one of them suspends. Returns the index in the chunk of the next unread byte, and the number
    /// of bytes that were read more than once.
    ///
    /// PERF: the text state, which calls the fast path for tags, is inlined here. The other states are called out of
    /// line with a copy of the lexer, so that the compiler keeps the lexer itself in CPU registers.
    pub(super) fn run_states(&mut self, mut lex: Lexer<'_>) -> (usize, u32) {
        let lex = &mut lex;
        loop {
            if self.state == State::Text {
                match self.text(lex) {
                    Some(next) => self.state = next,
                    None => return lex.done(),
                }
            } else if !lex.aside(|lex| self.other_states(lex)) {
                return lex.done();
            }
        }
    }

    /// Runs states other than the text state until the next state is the text state or a state suspends. Returns
    /// false in the second case.
    ///
    /// PERF: copying the position back from the copied lexer costs as much as a small tag, so it is done once for a
    /// sequence of states.
    #[inline(never)]
    fn other_states(&mut self, lex: &mut Lexer<'_>) -> bool {
        while self.state != State::Text {
            let next = match self.state {
                State::Token => self.token(lex),
                State::EndTag => self.end_tag(lex),
                State::EndTagName => self.end_tag_name(lex),
                State::TagName => self.tag_name(lex),
                State::EmptyTag => self.empty_tag(lex),
                State::AttributeBefore => self.attribute_before(lex),
                State::AttributeName => self.attribute_name(lex),
                State::ValueBefore => self.value_before(lex),
                State::DoubleQuotedValue => self.double_quoted_value(lex),
                State::SingleQuotedValue => self.single_quoted_value(lex),
                State::ValueAfter => self.value_after(lex),
                State::AttributeNameAfter => self.attribute_name_after(lex),
                State::EndTagNameAfter => self.end_tag_name_after(lex),
                State::Outside => self.outside(lex),
                State::TextLineBreak => self.line_break(lex, State::Text),
                State::CdataLineBreak => self.line_break(lex, State::Cdata),
                State::Escape => self.escape(lex),
                State::EscapeNumber => self.escape_number(lex),
                State::EscapeDecimal => self.escape_decimal(lex),
                State::EscapeHexadecimal => self.escape_hexadecimal(lex),
                State::Declaration => self.declaration(lex),
                State::DeclarationWord => self.declaration_word(lex),
                State::Cdata => self.cdata(lex),
                State::CdataBracket => self.cdata_bracket(lex),
                State::CdataEnd => self.cdata_end(lex),
                State::Comment => self.comment(lex),
                State::CommentDash => self.comment_dash(lex),
                State::CommentEnd => self.comment_end(lex),
                State::Instruction => self.instruction(lex),
                State::InstructionEnd => self.instruction_end(lex),
                State::Doctype => self.doctype(lex),
                State::DoctypeSingleQuoted => self.doctype_quoted(lex, b'\''),
                State::DoctypeDoubleQuoted => self.doctype_quoted(lex, b'"'),
                State::Text | State::Finished => None,
            };
            let Some(next) = next else {
                return false;
            };
            self.state = next;
        }
        true
    }
}
