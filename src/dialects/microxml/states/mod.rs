//! State functions of the MicroXML tokenizer, grouped by the modes of the specification, and the dispatch from
//! [`State`] to function.
//!
//! Each function reads one unit of input: a byte, or the end of the input. It returns the next state, or `None` if
//! the window is used up ([`Next`]); the same function then continues when more input arrives.

mod ahead;
mod angle;
mod cdata;
mod comment;
mod context;
mod doctype;
mod main;
mod pi;
mod reference;
mod tag;
mod value;

pub(super) use ahead::Closer;

use super::machine::{Lexer, MicroXmlMachine};
use super::state::{Next, State};

impl MicroXmlMachine {
    /// Runs states until one of them suspends. Returns the index in the chunk of the next unread byte, and the number
    /// of bytes that were read more than once.
    ///
    /// PERF: the states of most documents are inlined here. The others are called out of line with a copy of the
    /// lexer, so that the compiler keeps the lexer itself in CPU registers.
    pub(super) fn run_states(&mut self, mut lex: Lexer<'_>) -> (usize, u32) {
        let lex = &mut lex;
        loop {
            let next = match self.state {
                State::Main => self.main(lex),
                State::Open => self.open(lex),
                State::StartTagName => self.start_tag_name(lex),
                State::StartTagSpace => self.start_tag_space(lex),
                State::StartTagAttribute => self.start_tag_attribute(lex),
                State::EndTag => self.end_tag(lex),
                State::EndTagName => self.end_tag_name(lex),
                State::StartAttributeValue => self.start_attribute_value(lex),
                State::DoubleQuoteAttributeValue => self.double_quote_attribute_value(lex),
                State::Tag => self.tag(lex),
                State::TagName => self.tag_name(lex),
                _ => lex.aside(|lex| self.other_states(lex)),
            };
            match next {
                Some(state) => self.state = state,
                None => return lex.done(),
            }
        }
    }

    /// Runs one of the states that are less frequent.
    #[inline(never)]
    fn other_states(&mut self, lex: &mut Lexer<'_>) -> Next {
        match self.state {
            State::StartTagSlash => self.start_tag_slash(lex),
            State::StartTagEquals => self.start_tag_equals(lex),
            State::EndTagSpace => self.end_tag_space(lex),
            State::CommentOpen(read) => self.comment_open(read, lex),
            State::Comment => self.comment(lex),
            State::CommentDash => self.comment_dash(lex),
            State::CommentDashDash => self.comment_dash_dash(lex),
            State::TagSlash => self.tag_slash(lex),
            State::TagNameSpace => self.tag_name_space(lex),
            State::StartAttributeValueSlash => self.start_attribute_value_slash(lex),
            State::UnquoteAttributeValue => self.unquote_attribute_value(lex),
            State::UnquoteAttributeValueSlash => self.unquote_attribute_value_slash(lex),
            State::SingleQuoteAttributeValue => self.single_quote_attribute_value(lex),
            State::Reference => self.reference(lex),
            State::ReferenceName => self.reference_name(lex),
            State::ReferenceNumber => self.reference_number(lex),
            State::ReferenceHexNumber => self.reference_hex_number(lex),
            State::ReferenceDecimalNumber => self.reference_decimal_number(lex),
            State::CdataOpen => self.cdata_open(lex),
            State::Cdata => self.cdata(lex),
            State::CdataBracket(read) => self.cdata_bracket(read, lex),
            State::Pi => self.pi(lex),
            State::DoctypeOpen => self.doctype_open(lex),
            State::Doctype => self.doctype(lex),
            State::DoctypeLiteral => self.doctype_literal(lex),
            State::Subset => self.subset(lex),
            State::SubsetOpen => self.subset_open(lex),
            State::SubsetDeclaration(read) => self.subset_declaration(read, lex),
            State::Decl => self.decl(lex),
            State::DeclLiteral => self.decl_literal(lex),
            State::SubsetClose => self.subset_close(lex),
            State::ContextName => self.context_name(lex),
            State::ContextSpace => self.context_space(lex),
            State::ContextSlash => self.context_slash(lex),
            State::Angle => self.angle(lex),
            State::AngleQuote => self.angle_quote(lex),
            State::AngleSlash => self.angle_slash(lex),
            _ => None,
        }
    }
}
