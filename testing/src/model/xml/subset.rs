//! The internal subset of the DOCTYPE. All states of a construct are one procedure, which stops at the end of the input
//! or of the replacement text.

use super::content::{Reference, is_name, is_name_start};
use super::{Standard, State, Token};

/// The replacement of an entity.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Entity {
    Internal(String),
    External,
    Unparsed,
}

/// Returns whether a character is whitespace. A carriage return comes from a character reference in the value of an
/// entity.
pub(super) fn is_space(character: char) -> bool {
    matches!(character, '\t' | '\n' | '\r' | ' ')
}

impl Standard {
    pub(super) fn doctype_internal_subset_state(&mut self, character: Option<char>) {
        match character {
            Some('<') => self.state = State::DoctypeTag,
            None => self.doctype_eof(),
            Some('%') => self.parameter_reference(),
            Some(']') => {
                // The effect of a bracket in a parameter entity is undefined.
                self.is_unsaid |= !self.open_parameters.is_empty();
                self.state = State::DoctypeInternalSubsetAfter;
            }
            Some(_) => {}
        }
    }

    pub(super) fn doctype_internal_subset_after_state(&mut self, character: Option<char>) {
        match character {
            Some('>') => {
                let doctype = self.doctype.clone();
                self.emit(Token::Doctype(doctype));
                self.state = State::Data;
            }
            None => self.doctype_eof(),
            Some(_) => {}
        }
    }

    /// Handles a `%` that was consumed between declarations.
    fn parameter_reference(&mut self) {
        let start = self.at;
        let name = self.name();
        if name.is_empty() || !self.next_are(";") {
            self.parse_error();
            self.at = start + name.chars().count();
            return;
        }
        self.at += 1;
        self.check_no_colon(&name);
        if self.open_parameters.contains(&name) {
            self.parse_error();
            return;
        }
        let found = self.parameters.iter().find(|(known, _)| *known == name);
        let found = found.map(|(_, entity)| entity.clone());
        let Some(Entity::Internal(text)) = found else {
            self.unread_declarations = true;
            self.has_unread_parameter = true;
            return;
        };
        // Even if the parameter entity is read, it may declare entities.
        self.unread_declarations = true;
        self.open_parameters.push(name);
        let outer = core::mem::replace(&mut self.input, text.chars().collect());
        let at = core::mem::replace(&mut self.at, 0);
        while self.at < self.input.len() && !self.is_unsaid {
            let character = self.consume();
            self.step(character);
        }
        // An unfinished construct at the end of a parameter entity is dropped.
        self.is_unsaid |= self.state != State::DoctypeInternalSubset;
        self.state = State::DoctypeInternalSubset;
        (self.input, self.at) = (outer, at);
        self.open_parameters.pop();
    }

    /// Consumes a name of XML 1.0. Empty if there is no name.
    fn name(&mut self) -> String {
        let rest = self.input.get(self.at..).unwrap_or_default();
        let mut name = String::new();
        for &character in rest {
            let is_part = match name.is_empty() {
                true => is_name_start(character),
                false => is_name(character),
            };
            if !is_part {
                break;
            }
            name.push(character);
            self.at += 1;
        }
        name
    }

    pub(super) fn doctype_tag_state(&mut self, character: Option<char>) {
        match character {
            Some('!') => self.doctype_markup_declaration_state(),
            Some('?') => self.doctype_pi_states(),
            None => self.doctype_eof(),
            // All transitions to that state reconsume the character.
            Some(_) => {
                self.at -= 1;
                self.doctype_bogus_comment_state();
            }
        }
    }

    /// Handles ELEMENT, which is not in the document. The declaration ends like the others, and the result is undefined
    /// if the name contains a quote.
    fn doctype_element_state(&mut self) {
        let rest = self.input[self.at..].iter().copied();
        let mut name = rest
            .skip_while(|character| is_space(*character))
            .take_while(|character| !is_space(*character) && *character != '>');
        self.is_unsaid |= name.any(|character| matches!(character, '\'' | '"'));
        self.up_to_end_of_declaration();
    }

    fn doctype_markup_declaration_state(&mut self) {
        let names = ["--", "ENTITY", "ATTLIST", "NOTATION", "ELEMENT"];
        let Some(name) = names.into_iter().find(|name| self.next_are(name)) else {
            self.parse_error();
            self.doctype_bogus_comment_state();
            return;
        };
        self.at += name.len();
        match name {
            "--" => {
                self.up_to("-->");
            }
            _ => match self.input.get(self.at) {
                None => self.doctype_eof_next(),
                Some(&character) if is_space(character) => match name {
                    "ENTITY" => self.doctype_entity_states(),
                    "ATTLIST" => self.doctype_attlist_states(),
                    "ELEMENT" => self.doctype_element_state(),
                    _ => {
                        self.up_to_end_of_declaration();
                    }
                },
                Some(_) => {
                    self.parse_error();
                    self.doctype_bogus_comment_state();
                }
            },
        }
    }

    /// Moves to the end of the input, which is an error.
    pub(super) fn doctype_eof_next(&mut self) {
        self.at = self.input.len() + 1;
        self.doctype_eof();
        // The construct is unfinished, and in a parameter entity it is dropped.
    }

    fn doctype_bogus_comment_state(&mut self) {
        self.parse_error();
        self.up_to(">");
    }

    /// Consumes everything up to and including `end`, and returns to the internal subset.
    fn up_to(&mut self, end: &str) -> Option<String> {
        let start = self.at;
        while self.at < self.input.len() {
            if self.next_are(end) {
                let text = self.input[start..self.at].iter().collect();
                self.at += end.len();
                self.state = State::DoctypeInternalSubset;
                return Some(text);
            }
            self.at += 1;
        }
        self.doctype_eof_next();
        None
    }

    /// Consumes everything up to and including the first `>` outside quotes, and returns to the internal subset.
    pub(super) fn up_to_end_of_declaration(&mut self) -> Option<String> {
        let start = self.at;
        let mut quote = None;
        while let Some(character) = self.input.get(self.at).copied() {
            match (quote, character) {
                (None, '>') => {
                    let text = self.input[start..self.at].iter().collect();
                    self.at += 1;
                    self.state = State::DoctypeInternalSubset;
                    return Some(text);
                }
                (None, '"' | '\'') => quote = Some(character),
                (Some(open), _) if open == character => quote = None,
                _ => {}
            }
            self.at += 1;
        }
        self.doctype_eof_next();
        None
    }

    /// Reads a processing instruction of the subset, and emits it as a token.
    fn doctype_pi_states(&mut self) {
        let Some(text) = self.up_to("?>") else {
            // The result for an incomplete instruction is undefined.
            self.is_unsaid = true;
            return;
        };
        let is_end = |character| is_space(character) || character == '?';
        let (target, data) = match text.find(is_end) {
            // The result for an instruction without a target is undefined.
            Some(0) => {
                self.is_unsaid = true;
                return;
            }
            Some(at) => (&text[..at], text[at..].trim_start_matches(is_space)),
            None => (text.as_str(), ""),
        };
        self.is_unsaid |= text.is_empty();
        self.check_no_colon(target);
        self.emit(Token::ProcessingInstruction(
            target.to_owned(),
            data.to_owned(),
        ));
    }

    pub(super) fn skip_space(&mut self) {
        while self.input.get(self.at).is_some_and(|one| is_space(*one)) {
            self.at += 1;
        }
    }

    /// The DOCTYPE ENTITY states, starting at the whitespace.
    fn doctype_entity_states(&mut self) {
        // DOCTYPE ENTITY type before
        self.skip_space();
        let is_parameter = self.next_are("%");
        if is_parameter {
            // DOCTYPE ENTITY parameter before
            self.at += 1;
            match self.input.get(self.at).copied() {
                None => return self.doctype_eof_next(),
                Some(character) if !is_space(character) => {
                    self.parse_error();
                    return self.doctype_bogus_comment_state();
                }
                Some(_) => self.skip_space(),
            }
        }
        // DOCTYPE ENTITY name: a `>` ends the declaration, as in the other states.
        let mut name = String::new();
        loop {
            match self.consume() {
                None => return self.doctype_eof(),
                Some('>') => {
                    self.parse_error();
                    self.state = State::DoctypeInternalSubset;
                    return;
                }
                Some(character) if is_space(character) && !name.is_empty() => break,
                Some(character) => name.push(character),
            }
        }
        self.check_no_colon(&name);
        // DOCTYPE ENTITY name after
        self.skip_space();
        let entity = match self.consume() {
            None => return self.doctype_eof(),
            Some(quote @ ('"' | '\'')) => {
                let Some(value) = self.doctype_entity_value(quote) else {
                    return self.doctype_eof_next();
                };
                // DOCTYPE ENTITY value after
                if self.up_to(">").is_none() {
                    return;
                }
                Some(Entity::Internal(value))
            }
            Some(_) => {
                self.at -= 1;
                let Some(text) = self.up_to_end_of_declaration() else {
                    return;
                };
                self.external_entity(&text, is_parameter)
            }
        };
        let Some(entity) = entity else {
            self.parse_error();
            return;
        };
        if self.has_unread_parameter && !self.is_standalone {
            return;
        }
        // If the input is standalone, a reference to an entity that is declared in a parameter entity has an undefined
        // result.
        self.is_unsaid |= self.is_standalone && !self.open_parameters.is_empty();
        let list = match is_parameter {
            true => &mut self.parameters,
            false => &mut self.entities,
        };
        if list.iter().all(|(known, _)| *known != name) {
            list.push((name, entity));
        }
    }

    /// Both DOCTYPE ENTITY value states. Numeric references are replaced.
    fn doctype_entity_value(&mut self, quote: char) -> Option<String> {
        let mut value = String::new();
        loop {
            match self.consume()? {
                '&' => {
                    let start = self.at - 1;
                    let is_numeric = self.next_are("#");
                    match self.reference() {
                        Reference::Character(character) if is_numeric => value.push(character),
                        _ => value.extend(&self.input[start..self.at]),
                    }
                }
                // This is a parse error, and the `%` is kept. The effect on later declarations is undefined.
                '%' => {
                    let start = self.at;
                    let name = self.name();
                    self.is_unsaid |= !name.is_empty() && self.next_are(";");
                    self.at = start;
                    self.parse_error();
                    value.push('%');
                }
                character if character == quote => return Some(value),
                character => value.push(character),
            }
        }
    }

    /// The DOCTYPE ENTITY identifier states: the part between the name and `>`.
    fn external_entity(&mut self, text: &str, is_parameter: bool) -> Option<Entity> {
        let mut words = Vec::new();
        let mut word = String::new();
        let mut quote = None;
        for character in text.chars() {
            match quote {
                Some(open) if open == character => {
                    quote = None;
                    words.push("'".to_owned());
                }
                Some(_) => {}
                None if matches!(character, '"' | '\'') || is_space(character) => {
                    if !word.is_empty() {
                        words.push(core::mem::take(&mut word));
                    }
                    quote = (!is_space(character)).then_some(character);
                }
                None => word.push(character),
            }
        }
        if !word.is_empty() {
            words.push(word);
        }
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        match words[..] {
            ["SYSTEM", "'"] | ["PUBLIC", "'", "'"] => Some(Entity::External),
            ["SYSTEM", "'", "NDATA", name] | ["PUBLIC", "'", "'", "NDATA", name]
                if !is_parameter =>
            {
                self.check_no_colon(name);
                Some(Entity::Unparsed)
            }
            ["SYSTEM"] | ["PUBLIC"] | ["PUBLIC", "'"] => None,
            _ => {
                self.is_unsaid = true;
                None
            }
        }
    }

    /// A reference in content to an entity that is not predefined.
    pub(super) fn entity_in_data(&mut self, name: String) {
        let found = self.entities.iter().find(|(known, _)| *known == name);
        match found.map(|(_, entity)| entity.clone()) {
            None if self.may_be_declared() => self.emit(Token::Skipped(name)),
            Some(Entity::External) => self.emit(Token::Skipped(name)),
            Some(Entity::Internal(text)) if !self.open_entities.contains(&name) => {
                // The replacement text is read as input. No token extends beyond it.
                self.emit(Token::BeginMarked);
                self.open_entities.push(name);
                let outer = core::mem::replace(&mut self.input, text.chars().collect());
                let at = core::mem::replace(&mut self.at, 0);
                self.read();
                (self.input, self.at) = (outer, at);
                self.open_entities.pop();
            }
            _ => {
                self.parse_error();
                self.emit(Token::BeginMarked);
                self.emit_characters(&format!("&{name};"));
            }
        }
    }

    /// Returns whether an undeclared entity may be declared in a part of the DTD that was not read.
    fn may_be_declared(&self) -> bool {
        (self.has_external_subset || self.unread_declarations) && !self.is_standalone
    }

    /// Handles a reference in a value to an entity that is not predefined. The replacement text is only text.
    pub(super) fn entity_in_value(&mut self, name: String) {
        let found = self.entities.iter().find(|(known, _)| *known == name);
        match found.map(|(_, entity)| entity.clone()) {
            Some(Entity::Internal(text)) if !self.open_entities.contains(&name) => {
                self.open_entities.push(name);
                let outer = core::mem::replace(&mut self.input, text.chars().collect());
                let at = core::mem::replace(&mut self.at, 0);
                while let Some(character) = self.consume() {
                    match character {
                        '&' => self.reference_in_value(),
                        _ if is_space(character) => self.attribute.1.push(' '),
                        _ => self.attribute.1.push(character),
                    }
                }
                (self.input, self.at) = (outer, at);
                self.open_entities.pop();
            }
            found => {
                if found.is_some() || !self.may_be_declared() {
                    self.parse_error();
                }
                self.attribute.1.push_str(&format!("&{name};"));
            }
        }
    }
}
