//! State functions of the XML tokenizer, in the groups of XML-ER, and the dispatch from [`State`] to function.
//!
//! Each function reads one unit of input: a byte, the rest of a run of uninteresting bytes with the byte that ends
//! it, or the end of the input. It acts on the unit and returns the next state, or `None` if the window is used up
//! ([`Next`]). In the second case the bytes up to the end of the window are consumed, and the same function continues
//! when more input arrives.

mod attribute;
mod cdata;
mod comment;
mod data;
mod declaration;
mod doctype;
mod markup;
mod pi;
mod reference;
mod tag;

use super::machine::{Lexer, XmlMachine};
use super::state::{Next, State};
pub(super) use doctype::DoctypeState;

impl XmlMachine {
    /// Runs states until one of them suspends. Returns the index in the chunk of the next unread byte, and the number
    /// of bytes that were read more than once.
    ///
    /// PERF: the data state, which calls the fast path, is inlined here. The other states are called out of line with a
    /// copy of the lexer, so that the compiler keeps the lexer itself in CPU registers.
    pub(super) fn run_states(&mut self, mut lex: Lexer<'_>) -> (usize, u32) {
        let lex = &mut lex;
        loop {
            if self.state == State::Data {
                match self.data(lex) {
                    Some(next) => self.state = next,
                    None => return lex.done(),
                }
            } else if !lex.aside(|lex| self.other_states(lex)) {
                return lex.done();
            }
        }
    }

    /// Runs one state. Returns false if the state has suspended. Used in replacement text, where each state's records
    /// are converted at once.
    #[inline(never)]
    pub(super) fn one_state(&mut self, lex: &mut Lexer<'_>) -> bool {
        if self.state != State::Data {
            return self.other_states(lex);
        }
        let next = self.data(lex);
        self.state = next.unwrap_or(self.state);
        next.is_some()
    }

    /// Runs states other than the data state until the next state is the data state or a state suspends. Returns
    /// false in the second case. In replacement text it runs one state only.
    #[inline(never)]
    fn other_states(&mut self, lex: &mut Lexer<'_>) -> bool {
        let in_replacement = !self.dialect.entities.frames.is_empty();
        while self.state != State::Data {
            let Some(next) = self.other_state(lex) else {
                return false;
            };
            self.state = next;
            if in_replacement {
                break;
            }
        }
        true
    }

    #[inline(always)]
    fn other_state(&mut self, lex: &mut Lexer<'_>) -> Next {
        match self.state {
            State::Tag => self.tag(lex),
            State::EndTag => self.end_tag(lex),
            State::EndTagName => self.end_tag_name(lex),
            State::TagName => self.tag_name(lex),
            State::EmptyTag => self.empty_tag(lex),
            State::TagAttributeNameBefore => self.tag_attribute_name_before(lex),
            State::TagAttributeName => self.tag_attribute_name(lex),
            State::TagAttributeValueBefore => self.tag_attribute_value_before(lex),
            State::TagAttributeValueDoubleQuoted => self.tag_attribute_value_quoted(lex, b'"'),
            State::Outside => self.outside(lex),
            State::Start => self.start(lex),
            State::Reference => self.reference(lex),
            State::ReferenceName => self.reference_name(lex),
            State::ReferenceNumber => self.reference_number(lex),
            State::ReferenceDecimal => self.reference_decimal(lex),
            State::ReferenceHexadecimal => self.reference_hexadecimal(lex),
            State::EndTagNameAfter => self.end_tag_name_after(lex),
            State::Pi => self.pi(lex),
            State::PiTarget => self.pi_target(lex),
            State::PiTargetAfter => self.pi_target_after(lex),
            State::PiData => self.pi_data(lex),
            State::PiAfter => self.pi_after(lex),
            State::Declaration => self.declaration(lex),
            State::DeclarationAfter => self.declaration_after(lex),
            State::MarkupDeclaration => self.markup_declaration(lex),
            State::MarkupDeclarationKeyword => self.markup_declaration_keyword(lex),
            State::Comment => self.comment(lex),
            State::CommentDash => self.comment_dash(lex),
            State::CommentEnd => self.comment_end(lex),
            State::Cdata => self.cdata(lex),
            State::CdataBracket => self.cdata_bracket(lex),
            State::CdataEnd => self.cdata_end(lex),
            State::TagAttributeNameAfter => self.tag_attribute_name_after(lex),
            State::TagAttributeValueSingleQuoted => self.tag_attribute_value_quoted(lex, b'\''),
            State::TagAttributeValueUnquoted => self.tag_attribute_value_unquoted(lex),
            State::BogusComment => self.bogus_comment(lex),
            State::Data | State::Finished => None,
            _ => self.doctype_states(lex),
        }
    }
}
