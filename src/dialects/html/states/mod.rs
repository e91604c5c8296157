//! The functions of the states, one file for each group of states in the standard, and the function that calls them
//! ([`HtmlMachine::run_states`]).
//!
//! A state function consumes one unit from the lexer and returns the next state. If the window has no more bytes, it
//! returns `None` without any change, and is called again with the next window.

mod attribute;
mod cdata;
mod comment;
mod data;
mod doctype;
mod doctype_identifier;
mod markup;
mod processing_instruction;
mod reference;
mod script;
mod script_escaped;
mod tag;
mod text;

use super::machine::{HtmlMachine, Lexer};
use super::state::{Next, State};
use doctype_identifier::{PUBLIC, SYSTEM};

impl HtmlMachine {
    /// Runs states until one suspends, and the fast path in the data state. Returns `lex.done()`: the index of the
    /// next byte in the chunk, and the number of bytes read more than once.
    #[inline(always)]
    pub(super) fn run_states(&mut self, mut lex: Lexer<'_>) -> (usize, u32) {
        loop {
            if self.state == State::Data && self.is_plain(&lex) {
                self.state = self.fast_path(&mut lex);
            }
            match self.run_state(&mut lex) {
                Some(state) => self.state = state,
                None => {
                    if self.dialect.reported < self.dialect.stream.len() {
                        self.emit_stream_errors_at_end(&mut lex);
                    }
                    return lex.done();
                }
            }
        }
    }

    /// Runs the function of the current state.
    #[inline(always)]
    fn run_state(&mut self, lex: &mut Lexer<'_>) -> Next {
        match self.state {
            State::Data => self.data(lex),
            State::Rcdata => self.rcdata(lex),
            State::Rawtext => self.rawtext(lex),
            State::ScriptData => self.script_data(lex),
            State::Plaintext => self.plaintext(lex),
            State::TagOpen => self.tag_open(lex),
            State::EndTagOpen => self.end_tag_open(lex),
            State::TagName => self.tag_name(lex),
            State::RcdataLessThanSign => self.rcdata_less_than_sign(lex),
            State::RcdataEndTagOpen => self.rcdata_end_tag_open(lex),
            State::RcdataEndTagName => self.rcdata_end_tag_name(lex),
            State::RawtextLessThanSign => self.rawtext_less_than_sign(lex),
            State::RawtextEndTagOpen => self.rawtext_end_tag_open(lex),
            State::RawtextEndTagName => self.rawtext_end_tag_name(lex),
            State::ScriptDataLessThanSign => self.script_data_less_than_sign(lex),
            State::ScriptDataEndTagOpen => self.script_data_end_tag_open(lex),
            State::ScriptDataEndTagName => self.script_data_end_tag_name(lex),
            State::ScriptDataEscapeStart => self.script_data_escape_start(lex),
            State::ScriptDataEscapeStartDash => self.script_data_escape_start_dash(lex),
            State::ScriptDataEscaped => self.script_data_escaped(lex),
            State::ScriptDataEscapedDash => self.script_data_escaped_dash(lex),
            State::ScriptDataEscapedDashDash => self.script_data_escaped_dash_dash(lex),
            State::ScriptDataEscapedLessThanSign => self.script_data_escaped_less_than_sign(lex),
            State::ScriptDataEscapedEndTagOpen => self.script_data_escaped_end_tag_open(lex),
            State::ScriptDataEscapedEndTagName => self.script_data_escaped_end_tag_name(lex),
            State::ScriptDataDoubleEscapeStart => self.script_data_double_escape_start(lex),
            State::ScriptDataDoubleEscaped => self.script_data_double_escaped(lex),
            State::ScriptDataDoubleEscapedDash => self.script_data_double_escaped_dash(lex),
            State::ScriptDataDoubleEscapedDashDash => {
                self.script_data_double_escaped_dash_dash(lex)
            }
            State::ScriptDataDoubleEscapedLessThanSign => {
                self.script_data_double_escaped_less_than_sign(lex)
            }
            State::ScriptDataDoubleEscapeEnd => self.script_data_double_escape_end(lex),
            State::BeforeAttributeName => self.before_attribute_name(lex),
            State::AttributeName => self.attribute_name(lex),
            State::AfterAttributeName => self.after_attribute_name(lex),
            State::BeforeAttributeValue => self.before_attribute_value(lex),
            State::AttributeValueDoubleQuoted => self.attribute_value_double_quoted(lex),
            State::AttributeValueSingleQuoted => self.attribute_value_single_quoted(lex),
            State::AttributeValueUnquoted => self.attribute_value_unquoted(lex),
            State::AfterAttributeValueQuoted => self.after_attribute_value_quoted(lex),
            State::SelfClosingStartTag => self.self_closing_start_tag(lex),
            State::BogusComment => self.bogus_comment(lex),
            State::MarkupDeclarationOpen => self.markup_declaration_open(lex),
            State::MarkupDeclarationKeyword => self.markup_declaration_keyword(lex),
            State::CommentStart => self.comment_start(lex),
            State::CommentStartDash => self.comment_start_dash(lex),
            State::Comment => self.comment(lex),
            State::CommentLessThanSign => self.comment_less_than_sign(lex),
            State::CommentLessThanSignBang => self.comment_less_than_sign_bang(lex),
            State::CommentLessThanSignBangDash => self.comment_less_than_sign_bang_dash(lex),
            State::CommentLessThanSignBangDashDash => {
                self.comment_less_than_sign_bang_dash_dash(lex)
            }
            State::CommentEndDash => self.comment_end_dash(lex),
            State::CommentEnd => self.comment_end(lex),
            State::CommentEndBang => self.comment_end_bang(lex),
            State::Doctype => self.doctype(lex),
            State::BeforeDoctypeName => self.before_doctype_name(lex),
            State::DoctypeName => self.doctype_name(lex),
            State::AfterDoctypeName => self.after_doctype_name(lex),
            State::AfterDoctypeNameKeyword => self.after_doctype_name_keyword(lex),
            State::AfterDoctypePublicKeyword => self.after_doctype_public_keyword(lex),
            State::BeforeDoctypePublicIdentifier => self.before_doctype_identifier(lex, &PUBLIC),
            State::DoctypePublicIdentifierDoubleQuoted => {
                self.doctype_identifier(lex, b'"', &PUBLIC)
            }
            State::DoctypePublicIdentifierSingleQuoted => {
                self.doctype_identifier(lex, b'\'', &PUBLIC)
            }
            State::AfterDoctypePublicIdentifier => self.after_doctype_public_identifier(lex),
            State::BetweenDoctypePublicAndSystemIdentifiers => {
                self.between_doctype_public_and_system_identifiers(lex)
            }
            State::AfterDoctypeSystemKeyword => self.after_doctype_system_keyword(lex),
            State::BeforeDoctypeSystemIdentifier => self.before_doctype_identifier(lex, &SYSTEM),
            State::DoctypeSystemIdentifierDoubleQuoted => {
                self.doctype_identifier(lex, b'"', &SYSTEM)
            }
            State::DoctypeSystemIdentifierSingleQuoted => {
                self.doctype_identifier(lex, b'\'', &SYSTEM)
            }
            State::AfterDoctypeSystemIdentifier => self.after_doctype_system_identifier(lex),
            State::BogusDoctype => self.bogus_doctype(lex),
            State::CdataSection => self.cdata_section(lex),
            State::CdataSectionBracket => self.cdata_section_bracket(lex),
            State::CdataSectionEnd => self.cdata_section_end(lex),
            State::ProcessingInstructionOpen => self.processing_instruction_open(lex),
            State::ProcessingInstructionTarget => self.processing_instruction_target(lex),
            State::AfterProcessingInstructionTarget => {
                self.after_processing_instruction_target(lex)
            }
            State::ProcessingInstructionData => self.processing_instruction_data(lex),
            State::ProcessingInstructionQuestionable => {
                self.processing_instruction_questionable(lex)
            }
            State::CharacterReference => self.character_reference(lex),
            State::NamedCharacterReference => self.named_character_reference(lex),
            State::AmbiguousAmpersand => self.ambiguous_ampersand(lex),
            State::NumericCharacterReference => self.numeric_character_reference(lex),
            State::HexadecimalCharacterReferenceStart => {
                self.hexadecimal_character_reference_start(lex)
            }
            State::HexadecimalCharacterReference => self.hexadecimal_character_reference(lex),
            State::DecimalCharacterReference => self.decimal_character_reference(lex),
            State::Finished => None,
        }
    }
}
