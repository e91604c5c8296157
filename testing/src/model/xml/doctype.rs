//! The DOCTYPE, except its internal subset.

use super::{Doctype, Identifier, Standard, State, Token};

impl Standard {
    pub(super) fn doctype_state(&mut self, character: Option<char>) {
        match character {
            Some('\t' | '\n' | '\r' | ' ') => {
                self.doctype = Doctype::default();
                self.identifiers.clear();
                self.state = State::DoctypeRootNameBefore;
            }
            None => self.doctype_eof(),
            Some(_) => {
                self.parse_error();
                self.reconsume_in(State::BogusComment);
            }
        }
    }

    /// Handles the end of the input in a DOCTYPE. An incomplete DOCTYPE is not emitted.
    pub(super) fn doctype_eof(&mut self) {
        self.parse_error();
        self.reconsume_in(State::Data);
    }

    fn emit_doctype(&mut self) {
        self.external_identifier();
        let doctype = self.doctype.clone();
        self.emit(Token::Doctype(doctype));
        self.state = State::Data;
    }

    pub(super) fn doctype_root_name_before_state(&mut self, character: Option<char>) {
        match character {
            Some('\t' | '\n' | '\r' | ' ') => {}
            Some('>') => self.emit_doctype(),
            None => self.doctype_eof(),
            Some(character) => {
                self.doctype.name.push(character);
                self.state = State::DoctypeRootName;
            }
        }
    }

    pub(super) fn doctype_root_name_state(&mut self, character: Option<char>) {
        match character {
            Some('\t' | '\n' | '\r' | ' ') => self.state = State::DoctypeRootNameAfter,
            Some('>') => self.emit_doctype(),
            Some('[') => self.begin_subset(),
            None => self.doctype_eof(),
            Some(character) => self.doctype.name.push(character),
        }
    }

    fn begin_subset(&mut self) {
        self.external_identifier();
        self.state = State::DoctypeInternalSubset;
    }

    pub(super) fn doctype_root_name_after_state(&mut self, character: Option<char>) {
        match character {
            Some('>') => self.emit_doctype(),
            Some('"') => self.begin_identifier(State::DoctypeIdentifierDoubleQuoted),
            Some('\'') => self.begin_identifier(State::DoctypeIdentifierSingleQuoted),
            Some('[') => self.begin_subset(),
            None => self.doctype_eof(),
            Some(character) => self.identifiers.push(Identifier::Character(character)),
        }
    }

    fn begin_identifier(&mut self, state: State) {
        self.identifiers.push(Identifier::Literal(String::new()));
        self.state = state;
    }

    /// Both states of a quoted identifier.
    pub(super) fn doctype_identifier_state(&mut self, character: Option<char>, quote: char) {
        match character {
            None => self.doctype_eof(),
            Some(character) if character == quote => self.state = State::DoctypeRootNameAfter,
            Some(character) => {
                if let Some(Identifier::Literal(literal)) = self.identifiers.last_mut() {
                    literal.push(character);
                }
            }
        }
    }

    /// Not in the document: the external identifier as defined by XML 1.0, from the characters after the name.
    fn external_identifier(&mut self) {
        let parts = core::mem::take(&mut self.identifiers);
        let mut words = String::new();
        let mut literals = Vec::new();
        for part in &parts {
            match part {
                Identifier::Character(character) => words.push(*character),
                Identifier::Literal(literal) => {
                    words.push('"');
                    literals.push(literal.clone());
                }
            }
        }
        let words: String = words.split(['\t', '\n', ' ']).collect();
        match words.as_str() {
            "" => return,
            "SYSTEM\"" => self.doctype.system = Some(literals[0].clone()),
            "PUBLIC\"\"" => {
                // Whitespace in a public identifier is normalized.
                let public: Vec<&str> = literals[0].split([' ', '\n']).collect();
                let public = public.into_iter().filter(|word| !word.is_empty());
                self.doctype.public = Some(public.collect::<Vec<_>>().join(" "));
                self.doctype.system = Some(literals[1].clone());
            }
            _ => self.is_unsaid = true,
        }
        self.has_external_subset |= self.doctype.system.is_some();
    }
}
