//! Tags and attributes.

use super::content::Reference;
use super::{Standard, State, Tag, Token};

impl Standard {
    /// Returns whether a character is a colon that cannot begin a name, because namespaces are processed, as the
    /// document defines it.
    fn is_colon(&self, character: Option<char>) -> bool {
        self.namespaces && character == Some(':')
    }

    pub(super) fn tag_state(&mut self, character: Option<char>) {
        match character {
            Some('/') => self.state = State::EndTag,
            Some('?') => self.state = State::Pi,
            Some('!') => self.state = State::MarkupDeclaration,
            Some('\t' | '\n' | '\r' | ' ' | '<' | '>') | None => self.no_tag("<"),
            _ if self.is_colon(character) => self.no_tag("<"),
            Some(character) => {
                self.tag = Tag {
                    name: character.to_string(),
                    attributes: Vec::new(),
                };
                self.state = State::TagName;
            }
        }
    }

    fn no_tag(&mut self, characters: &str) {
        self.parse_error();
        self.emit_characters(characters);
        self.reconsume_in(State::Data);
    }

    pub(super) fn end_tag_state(&mut self, character: Option<char>) {
        match character {
            Some('>') => {
                self.emit(Token::ShortEndTag);
                self.state = State::Data;
            }
            Some('\t' | '\n' | '\r' | ' ' | '<') | None => self.no_tag("</"),
            _ if self.is_colon(character) => self.no_tag("</"),
            Some(character) => {
                self.end_tag = character.to_string();
                self.state = State::EndTagName;
            }
        }
    }

    fn emit_end_tag(&mut self) {
        let name = self.end_tag.clone();
        self.emit(Token::EndTag(name));
    }

    pub(super) fn end_tag_name_state(&mut self, character: Option<char>) {
        match character {
            Some('\t' | '\n' | '\r' | ' ') => self.state = State::EndTagNameAfter,
            None => {
                self.parse_error();
                self.emit_end_tag();
                self.reconsume_in(State::Data);
            }
            Some('>') => {
                self.emit_end_tag();
                self.state = State::Data;
            }
            Some(character) => self.end_tag.push(character),
        }
    }

    pub(super) fn end_tag_name_after_state(&mut self, character: Option<char>) {
        match character {
            Some('>') => {
                self.emit_end_tag();
                self.state = State::Data;
            }
            Some('\t' | '\n' | '\r' | ' ') => {}
            None => {
                self.parse_error();
                self.emit_end_tag();
                self.reconsume_in(State::Data);
            }
            Some(_) => self.parse_error(),
        }
    }

    fn emit_tag(&mut self) {
        self.end_attribute();
        self.apply_declarations();
        let tag = self.tag.clone();
        self.emit(Token::StartTag(tag));
        self.state = State::Data;
    }

    fn emit_tag_at_eof(&mut self) {
        self.parse_error();
        self.emit_tag();
        self.reconsume_in(State::Data);
    }

    fn start_attribute(&mut self, character: char) {
        self.end_attribute();
        self.attribute = (character.to_string(), String::new());
        self.is_in_attribute = true;
        self.is_duplicate = false;
    }

    /// Completes the attribute's name.
    fn leave_attribute_name(&mut self) {
        let is_known = |(name, _): &(String, String)| *name == self.attribute.0;
        self.is_duplicate = self.tag.attributes.iter().any(is_known);
        if self.is_duplicate {
            self.parse_error();
        }
    }

    /// Completes the attribute. A duplicate attribute is dropped.
    fn end_attribute(&mut self) {
        if self.is_in_attribute && !self.is_duplicate {
            self.tag.attributes.push(self.attribute.clone());
        }
        self.is_in_attribute = false;
    }

    pub(super) fn tag_name_state(&mut self, character: Option<char>) {
        match character {
            Some('\t' | '\n' | '\r' | ' ') => self.state = State::TagAttributeNameBefore,
            Some('>') => self.emit_tag(),
            None => self.emit_tag_at_eof(),
            Some('/') => self.state = State::EmptyTag,
            Some(character) => self.tag.name.push(character),
        }
    }

    pub(super) fn empty_tag_state(&mut self, character: Option<char>) {
        match character {
            Some('>') => {
                self.end_attribute();
                self.apply_declarations();
                let tag = self.tag.clone();
                self.emit(Token::EmptyTag(tag));
                self.state = State::Data;
            }
            _ => {
                self.parse_error();
                self.reconsume_in(State::TagAttributeNameBefore);
            }
        }
    }

    pub(super) fn tag_attribute_name_before_state(&mut self, character: Option<char>) {
        match character {
            Some('\t' | '\n' | '\r' | ' ') => {}
            Some('>') => self.emit_tag(),
            Some('/') => self.state = State::EmptyTag,
            _ if self.is_colon(character) => self.parse_error(),
            None => self.emit_tag_at_eof(),
            Some(character) => {
                self.start_attribute(character);
                self.state = State::TagAttributeName;
            }
        }
    }

    pub(super) fn tag_attribute_name_state(&mut self, character: Option<char>) {
        let next = match character {
            Some('=') => State::TagAttributeValueBefore,
            Some('>') | None => State::Data,
            Some('\t' | '\n' | '\r' | ' ') => State::TagAttributeNameAfter,
            Some('/') => State::EmptyTag,
            Some(character) => {
                self.attribute.0.push(character);
                return;
            }
        };
        self.leave_attribute_name();
        match character {
            Some('>') => self.emit_tag(),
            None => self.emit_tag_at_eof(),
            _ => self.state = next,
        }
    }

    pub(super) fn tag_attribute_name_after_state(&mut self, character: Option<char>) {
        match character {
            Some('\t' | '\n' | '\r' | ' ') => {}
            Some('=') => self.state = State::TagAttributeValueBefore,
            Some('>') => self.emit_tag(),
            Some('/') => self.state = State::EmptyTag,
            None => self.emit_tag_at_eof(),
            // As in the previous state. The document omits the rule here by mistake.
            _ if self.is_colon(character) => self.parse_error(),
            Some(character) => {
                self.start_attribute(character);
                self.state = State::TagAttributeName;
            }
        }
    }

    pub(super) fn tag_attribute_value_before_state(&mut self, character: Option<char>) {
        match character {
            Some('\t' | '\n' | '\r' | ' ') => {}
            Some('"') => self.state = State::TagAttributeValueDoubleQuoted,
            Some('\'') => self.state = State::TagAttributeValueSingleQuoted,
            Some('&') => self.reconsume_in(State::TagAttributeValueUnquoted),
            Some('>') => self.emit_tag(),
            None => self.emit_tag_at_eof(),
            Some(character) => {
                self.attribute.1.push(character);
                self.state = State::TagAttributeValueUnquoted;
            }
        }
    }

    /// Both states of a quoted value.
    pub(super) fn tag_attribute_value_state(&mut self, character: Option<char>, quote: char) {
        match character {
            Some('&') => self.reference_in_value(),
            None => self.emit_tag_at_eof(),
            Some(character) if character == quote => self.state = State::TagAttributeNameBefore,
            // Values are normalized as defined by XML 1.0.
            Some('\t' | '\n' | '\r') => self.attribute.1.push(' '),
            Some(character) => self.attribute.1.push(character),
        }
    }

    pub(super) fn tag_attribute_value_unquoted_state(&mut self, character: Option<char>) {
        match character {
            Some('\t' | '\n' | '\r' | ' ') => self.state = State::TagAttributeNameBefore,
            Some('&') => self.reference_in_value(),
            Some('>') => self.emit_tag(),
            None => self.emit_tag_at_eof(),
            Some(character) => self.attribute.1.push(character),
        }
    }

    /// Not in the document: a reference as defined by XML 1.0. A reference to an unknown entity stays as written.
    pub(super) fn reference_in_value(&mut self) {
        match self.reference() {
            Reference::Character(character) => self.attribute.1.push(character),
            Reference::Text(text) => self.attribute.1.push_str(&text),
            Reference::Entity(name) => self.entity_in_value(name),
        }
    }
}
