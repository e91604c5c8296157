//! States in element type declarations, `<!ELEMENT …>`, and in declarations that are skipped.
//!
//! The parser does not validate, so it stores nothing of an element declaration. It checks the syntax of the content
//! specification with a small state machine of its own ([`Specification`]).

use crate::dialects::xml::errors;
use crate::dialects::xml::machine::{Lexer, XmlMachine};
use crate::dialects::xml::state::{Next, State};
use crate::engine::error::ErrorCode;
use crate::engine::text::xml_names::is_white_space;
use crate::engine::tokenizer::Unit::{Byte, Eof};
use alloc::vec::Vec;

/// Position in an element type declaration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum ElementTypePosition {
    /// Before the name of the element type.
    #[default]
    NameBefore,
    /// In the name of the element type.
    Name,
    /// Between the name and the content specification.
    NameAfter,
    /// In `EMPTY` or `ANY`, after this number of letters.
    Word(u8),
    /// After `(` or a separator, where a name or a group must follow.
    Particle,
    /// In a name in a group.
    Item,
    /// Directly after a name or a group, where `*`, `+` or `?` may follow.
    Modifier,
    /// After a complete particle, where a separator or `)` must follow.
    After,
    /// In `#PCDATA`, after this number of letters.
    Characters(u8),
    /// After the complete content specification.
    End,
}

/// The content specification being read.
#[derive(Clone, Debug)]
pub(super) struct Specification {
    /// The position in the declaration.
    place: ElementTypePosition,
    /// For each open group, its separator (`|` or `,`), or 0 if none was read yet.
    groups: Vec<u8>,
    /// True if the specification is mixed content, which starts with `#PCDATA`.
    mixed: bool,
    /// True if the specification contains the name of an element type.
    named: bool,
    /// First letter of the keyword being read: `E` for `EMPTY`, `A` for `ANY`.
    letter: u8,
}

impl Default for Specification {
    fn default() -> Specification {
        Self::BLANK
    }
}

impl Specification {
    pub(super) const BLANK: Specification = Specification {
        place: ElementTypePosition::NameBefore,
        groups: Vec::new(),
        mixed: false,
        named: false,
        letter: 0,
    };

    /// Processes a byte of the content specification that is not part of a name. Returns the error if the byte is not
    /// allowed at this position.
    fn take(&mut self, byte: u8) -> Result<(), ErrorCode> {
        let space = is_white_space(byte.into());
        self.place = match (self.place, byte) {
            (
                ElementTypePosition::NameAfter
                | ElementTypePosition::Particle
                | ElementTypePosition::After
                | ElementTypePosition::End,
                _,
            ) if space => self.place,
            (ElementTypePosition::NameAfter, b'(') => self.open(),
            (ElementTypePosition::NameAfter, b'E' | b'A') => {
                self.letter = byte;
                ElementTypePosition::Word(1)
            }
            (ElementTypePosition::Word(read), _) => match self.word().get(read as usize) {
                Some(&letter) if letter == byte => ElementTypePosition::Word(read + 1),
                None if space => ElementTypePosition::End,
                _ => return Err(errors::INVALID_CONTENT_SPECIFICATION),
            },
            (ElementTypePosition::Particle, b'(') if !self.mixed => self.open(),
            (ElementTypePosition::Particle, b'#') if self.groups == [0] => {
                self.mixed = true;
                ElementTypePosition::Characters(0)
            }
            (ElementTypePosition::Characters(read), _) => match b"PCDATA".get(read as usize) {
                Some(&letter) if letter == byte => ElementTypePosition::Characters(read + 1),
                None if space => ElementTypePosition::After,
                None => return self.after(byte),
                _ => return Err(errors::INVALID_MIXED_CONTENT),
            },
            (ElementTypePosition::Modifier, _) => return self.modifier(byte),
            (ElementTypePosition::After, _) => return self.after(byte),
            _ => return Err(self.code()),
        };
        Ok(())
    }

    /// Processes the byte directly after a name or a group, which may be `*`, `+` or `?`.
    fn modifier(&mut self, byte: u8) -> Result<(), ErrorCode> {
        let is_modifier = matches!(byte, b'?' | b'*' | b'+');
        let is_wrong = match is_modifier {
            true => byte != b'*' || !self.groups.is_empty(),
            false => self.named && self.groups.is_empty(),
        };
        if self.mixed && is_wrong {
            return Err(errors::INVALID_MIXED_CONTENT);
        }
        self.place = self.position_after_particle();
        match is_modifier || is_white_space(byte.into()) {
            true => Ok(()),
            false => self.after(byte),
        }
    }

    /// Returns the keyword that begins with the letter that was read.
    fn word(&self) -> &'static [u8] {
        match self.letter {
            b'E' => b"EMPTY",
            _ => b"ANY",
        }
    }

    /// Returns the position after a particle: in the enclosing group, or after the whole specification.
    fn position_after_particle(&self) -> ElementTypePosition {
        match self.groups.is_empty() {
            true => ElementTypePosition::End,
            false => ElementTypePosition::After,
        }
    }

    /// Opens a group, and returns the position after its `(`.
    fn open(&mut self) -> ElementTypePosition {
        self.groups.push(0);
        ElementTypePosition::Particle
    }

    /// Processes the first byte after a particle, which must be a separator or the `)` of the group.
    fn after(&mut self, byte: u8) -> Result<(), ErrorCode> {
        let code = self.code();
        let separator = self.groups.last_mut().ok_or(code)?;
        self.place = match byte {
            b')' => {
                self.groups.pop();
                ElementTypePosition::Modifier
            }
            b'|' | b',' if *separator == 0 || *separator == byte => {
                if self.mixed && byte == b',' {
                    return Err(code);
                }
                *separator = byte;
                ElementTypePosition::Particle
            }
            _ => return Err(code),
        };
        Ok(())
    }

    /// Returns the error code for a byte that is not allowed at this position.
    fn code(&self) -> ErrorCode {
        if self.mixed {
            errors::INVALID_MIXED_CONTENT
        } else if self.groups.is_empty() {
            errors::INVALID_CONTENT_SPECIFICATION
        } else {
            errors::INVALID_CONTENT_MODEL
        }
    }

    /// Returns true if the content specification is complete, so that `>` may follow.
    fn is_whole(&self) -> bool {
        match self.place {
            ElementTypePosition::End => true,
            ElementTypePosition::Word(read) => read as usize == self.word().len(),
            ElementTypePosition::Modifier => self.groups.is_empty() && !(self.mixed && self.named),
            _ => false,
        }
    }

    /// Returns true if `byte` continues a name, or starts one where a name may start.
    fn is_in_name(&self, byte: u8) -> bool {
        let ends = b"\t\n\r ()|,?*+>\"'%#&<;=/!";
        matches!(
            self.place,
            ElementTypePosition::Particle | ElementTypePosition::Item
        ) && !ends.contains(&byte)
    }
}

impl XmlMachine {
    /// Our own state: expects whitespace after `<!ELEMENT`.
    pub(super) fn doctype_element(&mut self, lex: &mut Lexer<'_>) -> Next {
        self.dialect.doctype.specification = Specification::default();
        self.after_declaration_keyword(lex, State::DoctypeElementSpecification)
    }

    /// Our own state: reads the name of the element type and its content specification.
    pub(super) fn doctype_element_specification(&mut self, lex: &mut Lexer<'_>) -> Next {
        let Byte(byte) = self.declaration_unit(lex)? else {
            return Some(self.eof_in_doctype(lex));
        };
        let space = is_white_space(byte.into());
        let place = self.dialect.doctype.specification.place;
        match place {
            ElementTypePosition::NameBefore if space => {}
            ElementTypePosition::NameBefore if byte == b'>' => {
                return Some(self.end_nameless_declaration(lex));
            }
            ElementTypePosition::NameBefore => {
                self.start_declared_name(lex, byte, false);
                self.dialect.doctype.specification.place = ElementTypePosition::Name;
            }
            ElementTypePosition::Name if space || byte == b'>' => {
                self.end_declared_name(lex, false);
                self.dialect.doctype.specification.place = ElementTypePosition::NameAfter;
                if !space {
                    let code = errors::INVALID_CONTENT_SPECIFICATION;
                    return Some(self.skip_declaration(lex, code));
                }
            }
            ElementTypePosition::Name => self.name_character(lex, byte, false),
            _ if self.dialect.doctype.specification.is_in_name(byte) => {
                let starts = place == ElementTypePosition::Particle;
                if starts {
                    self.name = lex.mark() - 1;
                    self.dialect.name_reported = false;
                }
                self.dialect.doctype.specification.place = ElementTypePosition::Item;
                self.dialect.doctype.specification.named = true;
                self.name_character(lex, byte, starts);
            }
            _ => return Some(self.content_specification_byte(lex, byte)),
        }
        Some(State::DoctypeElementSpecification)
    }

    /// Handles a byte of a content specification that is not part of a name. Returns the next state.
    fn content_specification_byte(&mut self, lex: &mut Lexer<'_>, byte: u8) -> State {
        let is_after_item = self.dialect.doctype.specification.place == ElementTypePosition::Item;
        if is_after_item {
            self.declared_word(lex, false);
            let specification = &mut self.dialect.doctype.specification;
            specification.place = match specification.mixed {
                true => ElementTypePosition::After,
                false => ElementTypePosition::Modifier,
            };
        }
        let specification = &mut self.dialect.doctype.specification;
        if byte == b'>' && specification.is_whole() {
            return State::DoctypeInternalSubset;
        }
        let is_space = is_white_space(byte.into());
        if is_after_item && specification.mixed && is_space {
            return State::DoctypeElementSpecification;
        }
        match specification.take(byte) {
            Ok(()) => State::DoctypeElementSpecification,
            Err(code) => self.skip_declaration(lex, code),
        }
    }

    /// Our own state: skips the rest of a declaration up to the `>` outside quotes.
    pub(super) fn doctype_declaration(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'>') => State::DoctypeInternalSubset,
            Byte(quote @ (b'"' | b'\'')) => {
                self.dialect.subset.quote = quote;
                State::DoctypeDeclarationQuoted
            }
            Byte(byte) => {
                self.check_character(lex, byte);
                State::DoctypeDeclaration
            }
            Eof => self.eof_in_doctype(lex),
        })
    }

    /// Our own state: skips a literal in a declaration that is skipped.
    pub(super) fn doctype_declaration_quoted(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(byte) if byte == self.dialect.subset.quote => State::DoctypeDeclaration,
            Byte(byte) => {
                self.check_character(lex, byte);
                State::DoctypeDeclarationQuoted
            }
            Eof => self.eof_in_doctype(lex),
        })
    }
}

crate::checkpoint::checkpointable! {
    enum ElementTypePosition {
        NameBefore, Name, NameAfter, Word(value), Particle, Item, Modifier, After,
        Characters(value), End,
    }
    struct Specification { place, groups, mixed, named, letter }
}
