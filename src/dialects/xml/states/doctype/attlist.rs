//! States in attribute-list declarations, `<!ATTLIST …>`.

use crate::dialects::xml::declarations::{Attribute, is_prefixed, tokens};
use crate::dialects::xml::errors;
use crate::dialects::xml::machine::{Lexer, XmlMachine};
use crate::dialects::xml::state::{Next, State};
use crate::engine::text::xml_names::is_white_space;
use crate::engine::tokenizer::Unit::{Byte, Eof};
use alloc::string::String;
use core::mem::take;

/// Position in the type of a declared attribute.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Type {
    /// In a keyword such as `CDATA`.
    #[default]
    Word,
    /// After the keyword `NOTATION`, before its list of names.
    Notation,
    /// In a list, before a token.
    Before,
    /// In a token of a list.
    Token,
    /// In a list, after a token.
    After,
    /// After the complete type.
    Whole,
}

/// The keyword before the default value of a declared attribute.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Presence {
    /// No keyword.
    #[default]
    None,
    /// `#FIXED`, after which a default value is required.
    Fixed,
    /// `#IMPLIED` or `#REQUIRED`, after which a default value is an error.
    Absent,
}

/// The attribute declaration being read.
#[derive(Clone, Debug)]
pub(super) struct Definition {
    /// Name of the attribute.
    name: String,
    /// True if the type is not CDATA.
    tokenized: bool,
    /// The position in the type.
    place: Type,
    /// True if the type is a list of notations, whose tokens are names. Otherwise a token may start with any name
    /// character.
    names: bool,
    /// The keyword that precedes the default value.
    default: Presence,
}

impl Definition {
    pub(super) const BLANK: Definition = Definition {
        name: String::new(),
        tokenized: false,
        place: Type::Word,
        names: false,
        default: Presence::None,
    };
}

impl Default for Definition {
    fn default() -> Definition {
        Self::BLANK
    }
}

impl XmlMachine {
    /// Implements the *DOCTYPE ATTLIST state*: expects whitespace after `<!ATTLIST`.
    pub(super) fn doctype_attlist(&mut self, lex: &mut Lexer<'_>) -> Next {
        self.after_declaration_keyword(lex, State::DoctypeAttlistNameBefore)
    }

    /// Implements the *DOCTYPE ATTLIST name before state*: skips whitespace before the name of the element type.
    pub(super) fn doctype_attlist_name_before(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match self.declaration_unit(lex)? {
            Byte(b'\t' | b'\n' | b'\r' | b' ') => State::DoctypeAttlistNameBefore,
            Byte(b'>') => self.end_nameless_declaration(lex),
            Byte(byte) => {
                self.start_declared_name(lex, byte, false);
                State::DoctypeAttlistName
            }
            Eof => self.eof_in_doctype(lex),
        })
    }

    /// Implements the *DOCTYPE ATTLIST name state*: reads the name of the element type.
    pub(super) fn doctype_attlist_name(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match self.declaration_unit(lex)? {
            Byte(b'\t' | b'\n' | b'\r' | b' ') => {
                self.end_declared_name(lex, false);
                self.dialect.doctype.declared.spaced = true;
                State::DoctypeAttlistNameAfter
            }
            Byte(b'>') => {
                self.end_declared_name(lex, false);
                State::DoctypeInternalSubset
            }
            Byte(byte) => {
                self.name_character(lex, byte, false);
                State::DoctypeAttlistName
            }
            Eof => self.eof_in_doctype(lex),
        })
    }

    /// Implements the *DOCTYPE ATTLIST name after state*: reads the first byte of the next attribute name, or the end
    /// of the declaration.
    pub(super) fn doctype_attlist_name_after(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match self.declaration_unit(lex)? {
            Byte(b'\t' | b'\n' | b'\r' | b' ') => {
                self.dialect.doctype.declared.spaced = true;
                State::DoctypeAttlistNameAfter
            }
            Byte(b'>') => State::DoctypeInternalSubset,
            Byte(byte) => {
                if !self.dialect.doctype.declared.spaced {
                    self.misplaced(lex, errors::MISSING_WHITE_SPACE);
                }
                if matches!(byte, b'"' | b'\'' | b'#' | b'(') {
                    return Some(self.no_definition(lex));
                }
                self.dialect.doctype.definition = Definition::default();
                self.start_declared_name(lex, byte, false);
                State::DoctypeAttlistAttributeName
            }
            Eof => self.eof_in_doctype(lex),
        })
    }

    /// Reports a byte, which was just consumed, that is not allowed in an attribute declaration. The rest up to `>`
    /// is skipped.
    fn no_definition(&mut self, lex: &mut Lexer<'_>) -> State {
        self.skip_declaration(lex, errors::INVALID_ATTRIBUTE_DEFINITION)
    }

    /// Implements the *DOCTYPE ATTLIST attribute name state*: reads the name of the attribute.
    pub(super) fn doctype_attlist_attribute_name(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match self.declaration_unit(lex)? {
            Byte(b'\t' | b'\n' | b'\r' | b' ') => {
                let name = self.declared_word(lex, false);
                if is_prefixed(&name) && !self.dialect.doctype.wanted {
                    self.end_batch(lex);
                }
                self.dialect.doctype.definition.name = name;
                State::DoctypeAttlistAttributeNameAfter
            }
            Byte(b'>') => self.no_definition(lex),
            Byte(byte) => {
                self.name_character(lex, byte, false);
                State::DoctypeAttlistAttributeName
            }
            Eof => self.eof_in_doctype(lex),
        })
    }

    /// Implements the *DOCTYPE ATTLIST attribute name after state*: reads the first byte of the type.
    pub(super) fn doctype_attlist_attribute_name_after(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match self.declaration_unit(lex)? {
            Byte(b'\t' | b'\n' | b'\r' | b' ') => State::DoctypeAttlistAttributeNameAfter,
            Byte(b'(') => {
                self.dialect.doctype.definition.tokenized = true;
                self.dialect.doctype.definition.place = Type::Before;
                State::DoctypeAttlistAttributeType
            }
            Byte(b'A'..=b'Z') => {
                self.name = lex.mark() - 1;
                self.dialect.doctype.definition.place = Type::Word;
                State::DoctypeAttlistAttributeType
            }
            Byte(_) => self.no_definition(lex),
            Eof => self.eof_in_doctype(lex),
        })
    }

    /// Implements the *DOCTYPE ATTLIST attribute type state*: reads the type, a keyword or a list of tokens in
    /// parentheses.
    pub(super) fn doctype_attlist_attribute_type(&mut self, lex: &mut Lexer<'_>) -> Next {
        let Byte(byte) = self.declaration_unit(lex)? else {
            return Some(self.eof_in_doctype(lex));
        };
        let space = is_white_space(byte.into());
        self.dialect.doctype.definition.place = match (self.dialect.doctype.definition.place, byte)
        {
            (Type::Whole | Type::Notation, _) if space => {
                return Some(State::DoctypeAttlistAttributeTypeAfter);
            }
            (Type::Word, _) if space => return Some(self.end_type_word(lex)),
            (Type::Word, b'A'..=b'Z') => Type::Word,
            (Type::Before, _) if space => Type::Before,
            (Type::Token | Type::After, _) if space => Type::After,
            (Type::Token | Type::After, b'|') => Type::Before,
            (Type::Token | Type::After, b')') => Type::Whole,
            (Type::Before | Type::Token, b'>' | b'"' | b'\'' | b'(' | b')' | b'|' | b'%') => {
                return Some(self.no_definition(lex));
            }
            (place @ (Type::Before | Type::Token), _) => {
                let start = place == Type::Before;
                if start {
                    self.dialect.name_reported = false;
                }
                match self.dialect.doctype.definition.names {
                    true => self.target_character(lex, byte, start),
                    false => self.name_character(lex, byte, false),
                }
                Type::Token
            }
            _ => return Some(self.no_definition(lex)),
        };
        Some(State::DoctypeAttlistAttributeType)
    }

    /// Ends the keyword of a type before the whitespace that was just consumed, and interprets it.
    fn end_type_word(&mut self, lex: &mut Lexer<'_>) -> State {
        let (start, end) = (self.name, lex.mark() - 1);
        let word = lex.short(start, end, 8);
        let definition = &mut self.dialect.doctype.definition;
        definition.tokenized = word != "CDATA";
        definition.place = Type::Whole;
        match &*word {
            "CDATA" | "ID" | "IDREF" | "IDREFS" | "ENTITY" | "ENTITIES" | "NMTOKEN"
            | "NMTOKENS" => {}
            "NOTATION" => definition.place = Type::Notation,
            _ => {
                self.misplaced_word(lex, errors::INVALID_ATTRIBUTE_TYPE, start, end);
                return State::DoctypeDeclaration;
            }
        }
        State::DoctypeAttlistAttributeTypeAfter
    }

    /// Implements the *DOCTYPE ATTLIST attribute type after state*: reads the `#` or the quote that follows a complete
    /// type. After the keyword `NOTATION`, reads the `(` with which its list begins.
    pub(super) fn doctype_attlist_attribute_type_after(&mut self, lex: &mut Lexer<'_>) -> Next {
        let whole = self.dialect.doctype.definition.place == Type::Whole;
        Some(match self.declaration_unit(lex)? {
            Byte(b'\t' | b'\n' | b'\r' | b' ') => State::DoctypeAttlistAttributeTypeAfter,
            Byte(b'(') if !whole => {
                self.dialect.doctype.definition.place = Type::Before;
                self.dialect.doctype.definition.names = true;
                State::DoctypeAttlistAttributeType
            }
            Byte(b'#') if whole => State::DoctypeAttlistAttributeDeclarationBefore,
            Byte(quote @ (b'"' | b'\'')) if whole => self.start_default(quote),
            Byte(_) => self.no_definition(lex),
            Eof => self.eof_in_doctype(lex),
        })
    }

    fn start_default(&mut self, quote: u8) -> State {
        self.start_literal();
        match quote {
            b'"' => State::DoctypeAttlistAttributeValueDoubleQuoted,
            _ => State::DoctypeAttlistAttributeValueSingleQuoted,
        }
    }

    /// Implements the *DOCTYPE ATTLIST attribute declaration before state*: reads the first byte after `#`.
    pub(super) fn doctype_attlist_attribute_declaration_before(
        &mut self,
        lex: &mut Lexer<'_>,
    ) -> Next {
        Some(match self.declaration_unit(lex)? {
            Byte(b'\t' | b'\n' | b'\r' | b' ' | b'>' | b'"' | b'\'') => self.no_definition(lex),
            Byte(_) => {
                lex.back();
                self.name = lex.mark();
                State::DoctypeAttlistAttributeDeclaration
            }
            Eof => self.eof_in_doctype(lex),
        })
    }

    /// Implements the *DOCTYPE ATTLIST attribute declaration state*: reads the word after `#`, which is `REQUIRED`,
    /// `IMPLIED` or `FIXED`.
    pub(super) fn doctype_attlist_attribute_declaration(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match self.declaration_unit(lex)? {
            Byte(byte @ (b'\t' | b'\n' | b'\r' | b' ' | b'>' | b'"' | b'\'')) => {
                let (start, end) = (self.name, lex.mark() - 1);
                let space = is_white_space(byte.into());
                if !space {
                    lex.back();
                }
                self.dialect.doctype.definition.default = match &*lex.short(start, end, 8) {
                    "FIXED" => Presence::Fixed,
                    "IMPLIED" | "REQUIRED" => Presence::Absent,
                    _ => {
                        let code = errors::INVALID_ATTRIBUTE_DEFAULT;
                        self.misplaced_word(lex, code, start - 1, end);
                        Presence::None
                    }
                };
                self.dialect.doctype.declared.spaced = space;
                State::DoctypeAttlistAttributeDeclarationAfter
            }
            Byte(_) => State::DoctypeAttlistAttributeDeclaration,
            Eof => self.eof_in_doctype(lex),
        })
    }

    /// Implements the *DOCTYPE ATTLIST attribute declaration after state*: reads the default value that `#FIXED`
    /// requires, or stores the attribute without one.
    pub(super) fn doctype_attlist_attribute_declaration_after(
        &mut self,
        lex: &mut Lexer<'_>,
    ) -> Next {
        let default = self.dialect.doctype.definition.default;
        Some(match self.declaration_unit(lex)? {
            Byte(b'\t' | b'\n' | b'\r' | b' ') => {
                self.dialect.doctype.declared.spaced = true;
                State::DoctypeAttlistAttributeDeclarationAfter
            }
            Byte(quote @ (b'"' | b'\'')) => {
                if default == Presence::Absent {
                    self.misplaced(lex, errors::INVALID_ATTRIBUTE_DEFINITION);
                } else if !self.dialect.doctype.declared.spaced {
                    self.misplaced(lex, errors::MISSING_WHITE_SPACE);
                }
                self.start_default(quote)
            }
            Byte(_) => {
                lex.back();
                if default == Presence::Fixed {
                    self.misplaced_next(lex, errors::MISSING_DEFAULT_VALUE);
                }
                self.append_attribute(lex, None);
                State::DoctypeAttlistNameAfter
            }
            Eof => self.eof_in_doctype(lex),
        })
    }

    /// Implements the *DOCTYPE ATTLIST attribute value double quoted state* and the *single quoted state*, which
    /// differ in `quote` only: reads the default value.
    pub(super) fn doctype_attlist_attribute_value(
        &mut self,
        lex: &mut Lexer<'_>,
        quote: u8,
    ) -> Next {
        Some(match lex.next()? {
            Byte(byte) if byte == quote => {
                let value = self.end_literal();
                self.append_attribute(lex, Some(value));
                self.dialect.doctype.declared.spaced = false;
                State::DoctypeAttlistNameAfter
            }
            Byte(b'&') => self.reference_from(self.state, lex),
            Byte(byte) => {
                let (character, from, to) = lex.character(byte);
                self.push_literal(character, ' ');
                match character {
                    '<' => self.error(lex, errors::LESS_THAN_IN_VALUE, from, to),
                    _ => self.check(lex, character, from, to),
                }
                self.state
            }
            Eof => self.eof_in_doctype(lex),
        })
    }

    /// Stores the declaration of the attribute that was just read. Ends the parse if there are too many declarations.
    fn append_attribute(&mut self, lex: &mut Lexer<'_>, default: Option<String>) {
        if !self.count_declaration(lex) {
            return;
        }
        if self.is_past_unread() {
            return;
        }
        let definition = take(&mut self.dialect.doctype.definition);
        let tokenized = definition.tokenized;
        let default = default.map(|value| match tokenized {
            true => tokens(&value).into_boxed_str(),
            false => value.into_boxed_str(),
        });
        let attribute = Attribute {
            name: definition.name.into_boxed_str(),
            tokenized,
            default,
        };
        let element = &self.dialect.doctype.declared.name;
        self.dialect
            .dtd
            .declarations
            .change()
            .declare_attribute(element, attribute);
        self.dialect.dtd.changes_tags = self.dialect.dtd.declarations.changes_tags();
    }
}

crate::checkpoint::checkpointable! {
    enum Type { Word, Notation, Before, Token, After, Whole }
    enum Presence { None, Fixed, Absent }
    struct Definition { name, tokenized, place, names, default }
}
