//! The states of the standard's tokenization, in its order and by its names: an arm for each state.
//! Those from the DOCTYPE on are in `states_more.rs`.

#[path = "states_more.rs"]
mod more;

use super::{Doctype, Standard};

/// The states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    Data,
    Rcdata,
    Rawtext,
    ScriptData,
    Plaintext,
    TagOpen,
    EndTagOpen,
    TagName,
    /// The less-than sign, end tag open and end tag name states of RCDATA, RAWTEXT, script data and
    /// escaped script data differ in what they return to.
    TextLessThanSign(Text),
    TextEndTagOpen(Text),
    TextEndTagName(Text),
    ScriptDataEscapeStart,
    ScriptDataEscapeStartDash,
    ScriptDataEscaped,
    ScriptDataEscapedDash,
    ScriptDataEscapedDashDash,
    ScriptDataDoubleEscapeStart,
    ScriptDataDoubleEscaped,
    ScriptDataDoubleEscapedDash,
    ScriptDataDoubleEscapedDashDash,
    ScriptDataDoubleEscapedLessThanSign,
    ScriptDataDoubleEscapeEnd,
    BeforeAttributeName,
    AttributeName,
    AfterAttributeName,
    BeforeAttributeValue,
    AttributeValueDoubleQuoted,
    AttributeValueSingleQuoted,
    AttributeValueUnquoted,
    AfterAttributeValueQuoted,
    SelfClosingStartTag,
    BogusComment,
    MarkupDeclarationOpen,
    CommentStart,
    CommentStartDash,
    Comment,
    CommentLessThanSign,
    CommentLessThanSignBang,
    CommentLessThanSignBangDash,
    CommentLessThanSignBangDashDash,
    CommentEndDash,
    CommentEnd,
    CommentEndBang,
    Doctype,
    BeforeDoctypeName,
    DoctypeName,
    AfterDoctypeName,
    AfterDoctypePublicKeyword,
    BeforeDoctypePublicIdentifier,
    DoctypePublicIdentifier(char),
    AfterDoctypePublicIdentifier,
    BetweenDoctypePublicAndSystemIdentifiers,
    AfterDoctypeSystemKeyword,
    BeforeDoctypeSystemIdentifier,
    DoctypeSystemIdentifier(char),
    AfterDoctypeSystemIdentifier,
    BogusDoctype,
    CdataSection,
    CdataSectionBracket,
    CdataSectionEnd,
    ProcessingInstructionOpen,
    ProcessingInstructionTarget,
    AfterProcessingInstructionTarget,
    ProcessingInstructionData,
    ProcessingInstructionQuestionable,
    CharacterReference,
    NamedCharacterReference,
    AmbiguousAmpersand,
    NumericCharacterReference,
    HexadecimalCharacterReferenceStart,
    HexadecimalCharacterReference,
    DecimalCharacterReference,
    NumericCharacterReferenceEnd,
    Finished,
}

/// What holds text up to an end tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Text {
    Rcdata,
    Rawtext,
    ScriptData,
    ScriptDataEscaped,
}

impl Text {
    fn state(self) -> State {
        match self {
            Text::Rcdata => State::Rcdata,
            Text::Rawtext => State::Rawtext,
            Text::ScriptData => State::ScriptData,
            Text::ScriptDataEscaped => State::ScriptDataEscaped,
        }
    }
}

const NULL: &str = "unexpected-null-character";

impl Standard {
    pub(super) fn step(&mut self) {
        use State::*;
        match self.state {
            Data | Rcdata | Rawtext | ScriptData | Plaintext => self.text(),
            TagOpen | EndTagOpen | TagName => self.tag(),
            TextLessThanSign(text) | TextEndTagOpen(text) | TextEndTagName(text) => {
                self.text_end_tag(text);
            }
            ScriptDataEscapeStart | ScriptDataEscapeStartDash => self.escape_start(),
            ScriptDataEscaped | ScriptDataEscapedDash | ScriptDataEscapedDashDash => self.escaped(),
            ScriptDataDoubleEscaped
            | ScriptDataDoubleEscapedDash
            | ScriptDataDoubleEscapedDashDash
            | ScriptDataDoubleEscapedLessThanSign => self.double_escaped(),
            ScriptDataDoubleEscapeStart => {
                self.double_escape(ScriptDataDoubleEscaped, ScriptDataEscaped);
            }
            ScriptDataDoubleEscapeEnd => {
                self.double_escape(ScriptDataEscaped, ScriptDataDoubleEscaped);
            }
            BeforeAttributeName
            | AttributeName
            | AfterAttributeName
            | BeforeAttributeValue
            | AfterAttributeValueQuoted
            | SelfClosingStartTag => self.attribute(),
            AttributeValueDoubleQuoted | AttributeValueSingleQuoted | AttributeValueUnquoted => {
                self.attribute_value();
            }
            MarkupDeclarationOpen => self.markup_declaration_open(),
            BogusComment
            | CommentStart
            | CommentStartDash
            | Comment
            | CommentLessThanSign
            | CommentLessThanSignBang
            | CommentLessThanSignBangDash
            | CommentLessThanSignBangDashDash
            | CommentEndDash
            | CommentEnd
            | CommentEndBang => {
                self.comment();
            }
            Doctype | BeforeDoctypeName | DoctypeName | AfterDoctypeName | BogusDoctype => {
                self.doctype();
            }
            AfterDoctypePublicKeyword
            | BeforeDoctypePublicIdentifier
            | DoctypePublicIdentifier(_)
            | AfterDoctypePublicIdentifier
            | BetweenDoctypePublicAndSystemIdentifiers
            | AfterDoctypeSystemKeyword
            | BeforeDoctypeSystemIdentifier
            | DoctypeSystemIdentifier(_)
            | AfterDoctypeSystemIdentifier => self.doctype_identifier(),
            CdataSection | CdataSectionBracket | CdataSectionEnd => self.cdata_section(),
            ProcessingInstructionOpen
            | ProcessingInstructionTarget
            | AfterProcessingInstructionTarget
            | ProcessingInstructionData
            | ProcessingInstructionQuestionable => self.processing_instruction(),
            CharacterReference | NamedCharacterReference | AmbiguousAmpersand => {
                self.character_reference();
            }
            NumericCharacterReference
            | HexadecimalCharacterReferenceStart
            | HexadecimalCharacterReference
            | DecimalCharacterReference
            | NumericCharacterReferenceEnd => self.numeric_character_reference(),
            Finished => {}
        }
    }

    fn text(&mut self) {
        let state = self.state;
        match (self.consume(), state) {
            (Some('&'), State::Data | State::Rcdata) => {
                self.return_state = state;
                self.state = State::CharacterReference;
            }
            (Some('<'), State::Data | State::Rcdata | State::Rawtext | State::ScriptData) => {
                self.mark_token();
                self.state = match state {
                    State::Rcdata => State::TextLessThanSign(Text::Rcdata),
                    State::Rawtext => State::TextLessThanSign(Text::Rawtext),
                    State::ScriptData => State::TextLessThanSign(Text::ScriptData),
                    _ => State::TagOpen,
                };
            }
            (Some('\0'), _) => {
                self.error(NULL);
                self.emit(if state == State::Data {
                    '\0'
                } else {
                    '\u{FFFD}'
                });
            }
            (None, _) => self.emit_end_of_file(),
            (Some(character), _) => self.emit(character),
        }
    }

    fn tag(&mut self) {
        let character = self.consume();
        match (self.state, character) {
            (State::TagOpen, Some('!')) => self.state = State::MarkupDeclarationOpen,
            (State::TagOpen, Some('/')) => self.state = State::EndTagOpen,
            (State::TagOpen | State::EndTagOpen, Some(letter)) if letter.is_ascii_alphabetic() => {
                self.new_tag(self.state == State::EndTagOpen);
                self.reconsume(State::TagName);
            }
            (State::TagOpen, Some('?')) if self.processing_instructions => {
                self.temporary_buffer.clear();
                self.state = State::ProcessingInstructionOpen;
            }
            (State::TagOpen, Some('?')) => {
                self.error("unexpected-question-mark-instead-of-tag-name");
                self.reconsume(State::BogusComment);
            }
            (State::TagOpen | State::EndTagOpen, None) => {
                self.error("eof-before-tag-name");
                self.emit_consumed();
                self.emit_end_of_file();
            }
            (State::TagOpen, Some(_)) => {
                self.error("invalid-first-character-of-tag-name");
                self.emit_consumed();
                self.reconsume(State::Data);
            }
            (State::EndTagOpen, Some('>')) => {
                self.error("missing-end-tag-name");
                self.state = State::Data;
            }
            (State::EndTagOpen, Some(_)) => {
                self.error("invalid-first-character-of-tag-name");
                self.reconsume(State::BogusComment);
            }
            (_, Some('\t' | '\n' | '\x0C' | ' ')) => self.state = State::BeforeAttributeName,
            (_, Some('/')) => self.state = State::SelfClosingStartTag,
            (_, Some('>')) => self.emit_tag(),
            (_, Some('\0')) => {
                self.error(NULL);
                self.tag.name.push('\u{FFFD}');
            }
            (_, None) => {
                self.error("eof-in-tag");
                self.emit_end_of_file();
            }
            (_, Some(character)) => self.tag.name.push(character.to_ascii_lowercase()),
        }
    }

    fn text_end_tag(&mut self, text: Text) {
        let character = self.consume();
        match (self.state, character) {
            (State::TextLessThanSign(_), Some('/')) => self.state = State::TextEndTagOpen(text),
            (State::TextLessThanSign(Text::ScriptData), Some('!')) => {
                self.state = State::ScriptDataEscapeStart;
                self.emit_consumed();
                self.emit('!');
            }
            (State::TextLessThanSign(Text::ScriptDataEscaped), Some(letter))
                if letter.is_ascii_alphabetic() =>
            {
                self.temporary_buffer.clear();
                self.emit_consumed();
                self.reconsume(State::ScriptDataDoubleEscapeStart);
            }
            (State::TextEndTagOpen(_), Some(letter)) if letter.is_ascii_alphabetic() => {
                self.new_tag(true);
                self.reconsume(State::TextEndTagName(text));
            }
            (State::TextEndTagName(_), Some('\t' | '\n' | '\x0C' | ' '))
                if self.is_appropriate_end_tag() =>
            {
                self.state = State::BeforeAttributeName;
            }
            (State::TextEndTagName(_), Some('/')) if self.is_appropriate_end_tag() => {
                self.state = State::SelfClosingStartTag;
            }
            (State::TextEndTagName(_), Some('>')) if self.is_appropriate_end_tag() => {
                self.emit_tag();
            }
            (State::TextEndTagName(_), Some(letter)) if letter.is_ascii_alphabetic() => {
                self.tag.name.push(letter.to_ascii_lowercase());
            }
            _ => {
                self.emit_consumed();
                self.reconsume(text.state());
            }
        }
    }

    fn escape_start(&mut self) {
        if self.consume() != Some('-') {
            return self.reconsume(State::ScriptData);
        }
        self.state = match self.state {
            State::ScriptDataEscapeStart => State::ScriptDataEscapeStartDash,
            _ => State::ScriptDataEscapedDashDash,
        };
        self.emit('-');
    }

    fn escaped(&mut self) {
        match self.consume() {
            Some('-') => {
                self.state = match self.state {
                    State::ScriptDataEscaped => State::ScriptDataEscapedDash,
                    _ => State::ScriptDataEscapedDashDash,
                };
                self.emit('-');
            }
            Some('<') => {
                self.mark_token();
                self.state = State::TextLessThanSign(Text::ScriptDataEscaped);
            }
            Some('>') if self.state == State::ScriptDataEscapedDashDash => {
                self.state = State::ScriptData;
                self.emit('>');
            }
            Some('\0') => {
                self.error(NULL);
                self.state = State::ScriptDataEscaped;
                self.emit('\u{FFFD}');
            }
            None => {
                self.error("eof-in-script-html-comment-like-text");
                self.emit_end_of_file();
            }
            Some(character) => {
                self.state = State::ScriptDataEscaped;
                self.emit(character);
            }
        }
    }

    fn double_escaped(&mut self) {
        let character = self.consume();
        if self.state == State::ScriptDataDoubleEscapedLessThanSign {
            if character != Some('/') {
                return self.reconsume(State::ScriptDataDoubleEscaped);
            }
            self.temporary_buffer.clear();
            self.state = State::ScriptDataDoubleEscapeEnd;
            return self.emit('/');
        }
        match character {
            Some('-') => {
                self.state = match self.state {
                    State::ScriptDataDoubleEscaped => State::ScriptDataDoubleEscapedDash,
                    _ => State::ScriptDataDoubleEscapedDashDash,
                };
                self.emit('-');
            }
            Some('<') => {
                self.state = State::ScriptDataDoubleEscapedLessThanSign;
                self.emit('<');
            }
            Some('>') if self.state == State::ScriptDataDoubleEscapedDashDash => {
                self.state = State::ScriptData;
                self.emit('>');
            }
            Some('\0') => {
                self.error(NULL);
                self.state = State::ScriptDataDoubleEscaped;
                self.emit('\u{FFFD}');
            }
            None => {
                self.error("eof-in-script-html-comment-like-text");
                self.emit_end_of_file();
            }
            Some(character) => {
                self.state = State::ScriptDataDoubleEscaped;
                self.emit(character);
            }
        }
    }

    fn double_escape(&mut self, is_script: State, otherwise: State) {
        match self.consume() {
            Some(character @ ('\t' | '\n' | '\x0C' | ' ' | '/' | '>')) => {
                self.state = match &*self.temporary_buffer {
                    "script" => is_script,
                    _ => otherwise,
                };
                self.emit(character);
            }
            Some(letter) if letter.is_ascii_alphabetic() => {
                self.temporary_buffer.push(letter.to_ascii_lowercase());
                self.emit(letter);
            }
            _ => self.reconsume(otherwise),
        }
    }

    fn attribute(&mut self) {
        use State::*;
        let character = self.consume();
        match (self.state, character) {
            (AttributeName, Some('\t' | '\n' | '\x0C' | ' ' | '/' | '>') | None) => {
                self.leave_attribute_name();
                self.reconsume(AfterAttributeName);
            }
            (AttributeName, Some('=')) => {
                self.leave_attribute_name();
                self.state = BeforeAttributeValue;
            }
            (AttributeName, Some('\0')) => {
                self.error(NULL);
                self.tag.name_of_attribute.push('\u{FFFD}');
            }
            (AttributeName, Some(character)) => {
                if ['"', '\'', '<'].contains(&character) {
                    self.error("unexpected-character-in-attribute-name");
                }
                self.tag
                    .name_of_attribute
                    .push(character.to_ascii_lowercase());
            }
            (BeforeAttributeValue, Some('"')) => self.state = AttributeValueDoubleQuoted,
            (BeforeAttributeValue, Some('\'')) => self.state = AttributeValueSingleQuoted,
            (BeforeAttributeValue, Some('>')) => {
                self.error("missing-attribute-value");
                self.emit_tag();
            }
            (AfterAttributeValueQuoted, Some('\t' | '\n' | '\x0C' | ' ')) => {
                self.state = BeforeAttributeName;
            }
            (SelfClosingStartTag, Some('>')) => {
                self.tag.self_closing = true;
                self.emit_tag();
            }
            (AfterAttributeValueQuoted | SelfClosingStartTag | AfterAttributeName, None) => {
                self.error("eof-in-tag");
                self.emit_end_of_file();
            }
            (SelfClosingStartTag, _) => {
                self.error("unexpected-solidus-in-tag");
                self.reconsume(BeforeAttributeName);
            }
            (_, Some('\t' | '\n' | '\x0C' | ' ')) => {}
            (BeforeAttributeValue, _) => self.reconsume(AttributeValueUnquoted),
            (BeforeAttributeName, Some('/' | '>') | None) => self.reconsume(AfterAttributeName),
            (BeforeAttributeName, Some('=')) => {
                self.error("unexpected-equals-sign-before-attribute-name");
                self.start_attribute();
                self.tag.name_of_attribute.push('=');
                self.state = AttributeName;
            }
            (AfterAttributeName | AfterAttributeValueQuoted, Some('/')) => {
                self.state = SelfClosingStartTag;
            }
            (AfterAttributeName, Some('=')) => self.state = BeforeAttributeValue,
            (AfterAttributeName | AfterAttributeValueQuoted, Some('>')) => self.emit_tag(),
            (AfterAttributeValueQuoted, _) => {
                self.error("missing-whitespace-between-attributes");
                self.reconsume(BeforeAttributeName);
            }
            _ => {
                self.start_attribute();
                self.reconsume(AttributeName);
            }
        }
    }

    fn attribute_value(&mut self) {
        use State::*;
        match (self.state, self.consume()) {
            (AttributeValueDoubleQuoted, Some('"')) | (AttributeValueSingleQuoted, Some('\'')) => {
                self.state = AfterAttributeValueQuoted;
            }
            (AttributeValueUnquoted, Some('\t' | '\n' | '\x0C' | ' ')) => {
                self.state = BeforeAttributeName;
            }
            (AttributeValueUnquoted, Some('>')) => self.emit_tag(),
            (state, Some('&')) => {
                self.return_state = state;
                self.state = CharacterReference;
            }
            (_, Some('\0')) => {
                self.error(NULL);
                self.tag.value.push('\u{FFFD}');
            }
            (_, None) => {
                self.error("eof-in-tag");
                self.emit_end_of_file();
            }
            (state, Some(character)) => {
                let is_odd = ['"', '\'', '<', '=', '`'].contains(&character);
                if is_odd && state == AttributeValueUnquoted {
                    self.error("unexpected-character-in-unquoted-attribute-value");
                }
                self.tag.value.push(character);
            }
        }
    }

    fn markup_declaration_open(&mut self) {
        self.comment.clear();
        if self.next_are("--", true) {
            self.next += 2;
            self.state = State::CommentStart;
        } else if self.next_are("DOCTYPE", false) {
            self.next += 7;
            self.doctype = Doctype::default();
            self.state = State::Doctype;
        } else if self.next_are("[CDATA[", true) && self.is_in_foreign_content {
            self.next += 7;
            self.state = State::CdataSection;
        } else if self.next_are("[CDATA[", true) {
            self.next += 7;
            self.error("cdata-in-html-content");
            self.comment.push_str("[CDATA[");
            self.state = State::BogusComment;
        } else {
            self.error_ahead("incorrectly-opened-comment");
            self.state = State::BogusComment;
        }
    }

    fn comment(&mut self) {
        use State::*;
        let character = self.consume();
        match (self.state, character) {
            (BogusComment | CommentEnd, Some('>')) => {
                self.state = Data;
                self.emit_comment();
            }
            (BogusComment, None) => {
                self.emit_comment();
                self.emit_end_of_file();
            }
            (BogusComment | Comment, Some('\0')) => {
                self.error(NULL);
                self.comment.push('\u{FFFD}');
            }
            (BogusComment, Some(character)) => self.comment.push(character),
            (CommentStart, Some('-')) => self.state = CommentStartDash,
            (CommentStart | CommentStartDash, Some('>')) => {
                self.error("abrupt-closing-of-empty-comment");
                self.state = Data;
                self.emit_comment();
            }
            (CommentStartDash | CommentEndDash, Some('-')) => self.state = CommentEnd,
            (CommentStartDash | Comment | CommentEndDash | CommentEnd | CommentEndBang, None) => {
                self.error("eof-in-comment");
                self.emit_comment();
                self.emit_end_of_file();
            }
            (CommentStartDash | CommentEndDash, _) => {
                self.comment.push('-');
                self.reconsume(Comment);
            }
            (Comment | CommentLessThanSign, Some('<')) => {
                self.comment.push('<');
                self.state = CommentLessThanSign;
            }
            (Comment, Some('-')) => self.state = CommentEndDash,
            (Comment, Some(character)) => self.comment.push(character),
            (CommentLessThanSign, Some('!')) => {
                self.comment.push('!');
                self.state = CommentLessThanSignBang;
            }
            (CommentLessThanSignBang, Some('-')) => self.state = CommentLessThanSignBangDash,
            (CommentLessThanSignBangDash, Some('-')) => {
                self.state = CommentLessThanSignBangDashDash;
            }
            (CommentLessThanSignBangDash, _) => self.reconsume(CommentEndDash),
            (CommentLessThanSignBangDashDash, Some('>') | None) => self.reconsume(CommentEnd),
            (CommentLessThanSignBangDashDash, _) => {
                self.error("nested-comment");
                self.reconsume(CommentEnd);
            }
            (CommentEnd, Some('!')) => self.state = CommentEndBang,
            (CommentEnd, Some('-')) => self.comment.push('-'),
            (CommentEnd, _) => {
                self.comment.push_str("--");
                self.reconsume(Comment);
            }
            (CommentEndBang, Some('-')) => {
                self.comment.push_str("--!");
                self.state = CommentEndDash;
            }
            (CommentEndBang, Some('>')) => {
                self.error("incorrectly-closed-comment");
                self.state = Data;
                self.emit_comment();
            }
            (CommentEndBang, _) => {
                self.comment.push_str("--!");
                self.reconsume(Comment);
            }
            _ => self.reconsume(Comment),
        }
    }
}
