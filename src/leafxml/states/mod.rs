//! The state functions, by the document's groups, and which state is which function. A state asks the
//! lexer for one unit and names the next state; `None` is "no input yet".

mod attribute;
mod cdata;
mod escape;
mod filtered;
mod name;
mod tag;
mod text;
mod token;

pub(super) use name::TagName;

use super::machine::{LeafXmlMachine, Lexer};
use super::state::State;

impl LeafXmlMachine {
    /// Runs states until one suspends. The text state, with the chain that it begins, is part of this
    /// function; the others are out of line, so that the lexer stays in registers here. Gives where that
    /// stands.
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

    /// Runs states other than the text state, until that comes or one suspends; gives which.
    ///
    /// PERF: to go on where a copy has left the lexer costs as much as a small tag; it is done once for all of them.
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
