//! State functions of the Sky tokenizer, in the groups of the specification, and the dispatch from [`State`] to
//! function.
//!
//! Each function reads one unit of input: a byte, or the end of the input. It returns the next state, or `None` if
//! the window is used up ([`Next`]); the same function then continues when more input arrives.

mod attribute;
mod comment;
mod data;
mod raw;
mod reference;
mod signature;
mod tag;

use super::machine::{Lexer, SkyMachine};
use super::state::{Next, State};

impl SkyMachine {
    /// Runs states until one of them suspends. Returns the index in the chunk of the next unread byte, and the number
    /// of bytes that were read more than once.
    ///
    /// PERF: the states of most documents are inlined here. The others are called out of line with a copy of the
    /// lexer, so that the compiler keeps the lexer itself in CPU registers.
    pub(super) fn run_states(&mut self, mut lex: Lexer<'_>) -> (usize, u32) {
        let lex = &mut lex;
        loop {
            let next = match self.state {
                State::Data => self.data(lex),
                State::TagOpen => self.tag_open(lex),
                State::CloseTag => self.close_tag(lex),
                State::TagName => self.tag_name(lex),
                State::BeforeAttributeName => self.before_attribute_name(lex),
                State::AttributeName => self.attribute_name(lex),
                State::BeforeAttributeValue => self.before_attribute_value(lex),
                State::DoubleQuotedAttributeValue => self.double_quoted_attribute_value(lex),
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
            State::Signature => self.signature(lex),
            State::ExpectString => self.expect_string(lex),
            State::AfterSignature => self.after_signature(lex),
            State::ConsumeRestOfLine => self.consume_rest_of_line(lex),
            State::ScriptRawData => self.script_raw_data(lex),
            State::ScriptRawDataClose(n) => self.script_raw_data_close(n, lex),
            State::StyleRawData => self.style_raw_data(lex),
            State::StyleRawDataClose(n) => self.style_raw_data_close(n, lex),
            State::VoidTag => self.void_tag(lex),
            State::AfterAttributeName => self.after_attribute_name(lex),
            State::SingleQuotedAttributeValue => self.single_quoted_attribute_value(lex),
            State::UnquotedAttributeValue => self.unquoted_attribute_value(lex),
            State::CommentStart1 => self.comment_start(State::CommentStart2, lex),
            State::CommentStart2 => self.comment_start(State::Comment, lex),
            State::Comment => self.comment(lex),
            State::CommentEnd1 => self.comment_end_1(lex),
            State::CommentEnd2 => self.comment_end_2(lex),
            State::CharacterReference => self.character_reference(lex),
            State::NumericCharacterReference => self.numeric_character_reference(lex),
            State::BeforeHexadecimalNumericCharacterReference => {
                self.before_hexadecimal_numeric_character_reference(lex)
            }
            State::HexadecimalNumericCharacterReference => {
                self.hexadecimal_numeric_character_reference(lex)
            }
            State::DecimalNumericCharacterReference => {
                self.decimal_numeric_character_reference(lex)
            }
            State::NamedCharacterReference => self.named_character_reference(lex),
            State::Yield => self.yielded(lex),
            State::Data
            | State::TagOpen
            | State::CloseTag
            | State::TagName
            | State::BeforeAttributeName
            | State::AttributeName
            | State::BeforeAttributeValue
            | State::DoubleQuotedAttributeValue
            | State::Finished => None,
        }
    }
}
