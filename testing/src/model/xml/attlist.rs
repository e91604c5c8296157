//! Attribute-list declarations. The XML-ER document only defines the states; the effects on a tag are those of XML 1.0.

use super::content::is_name;
use super::subset::is_space;
use super::{Standard, State};

/// A declared attribute.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Declared {
    tag: String,
    name: String,
    is_cdata: bool,
    default: Option<String>,
}

/// The types whose values are tokenized: all types but CDATA, NOTATION and enumerations.
const TYPES: [&str; 7] = [
    "ID", "IDREF", "IDREFS", "ENTITY", "ENTITIES", "NMTOKEN", "NMTOKENS",
];

impl Standard {
    /// The DOCTYPE ATTLIST states, starting at the whitespace. A `>` outside quotes ends the declaration.
    pub(super) fn doctype_attlist_states(&mut self) {
        // DOCTYPE ATTLIST name before, and name
        self.skip_space();
        let Some(tag) = self.word() else { return };
        self.is_unsaid |= tag.is_empty();
        loop {
            // DOCTYPE ATTLIST name after
            self.skip_space();
            if self.ends_declaration() {
                return;
            }
            // DOCTYPE ATTLIST attribute name, and name after
            let Some(name) = self.word() else { return };
            self.skip_space();
            // DOCTYPE ATTLIST attribute type, and type after
            let Some(is_cdata) = self.attribute_type() else {
                return self.misfit();
            };
            self.skip_space();
            let Some(default) = self.attribute_default() else {
                return self.misfit();
            };
            let declared = Declared {
                tag: tag.clone(),
                name,
                is_cdata,
                default: default.map(|value| normalised(is_cdata, value)),
            };
            let is_same = |one: &Declared| one.tag == declared.tag && one.name == declared.name;
            let is_read = self.is_standalone || !self.has_unread_parameter;
            if is_read && !self.attributes.iter().any(is_same) {
                self.attributes.push(declared);
            }
        }
    }

    /// Handles text that is not a definition of an attribute: skips everything up to `>` outside quotes.
    fn misfit(&mut self) {
        self.parse_error();
        self.up_to_end_of_declaration();
    }

    /// Returns whether the declaration or the input ends here.
    fn ends_declaration(&mut self) -> bool {
        match self.input.get(self.at) {
            Some('>') => {
                self.at += 1;
                self.state = State::DoctypeInternalSubset;
                true
            }
            Some(_) => false,
            None => {
                self.doctype_eof_next();
                true
            }
        }
    }

    /// Consumes everything up to whitespace or `>`. `None` if the input ends first.
    fn word(&mut self) -> Option<String> {
        let mut word = String::new();
        loop {
            match self.input.get(self.at).copied() {
                None => {
                    self.doctype_eof_next();
                    return None;
                }
                Some(character) if is_space(character) || character == '>' => return Some(word),
                Some(character) => word.push(character),
            }
            self.at += 1;
        }
    }

    /// Consumes an attribute type. Returns whether it is CDATA, or `None` if the type is wrong, for which the result is
    /// undefined.
    fn attribute_type(&mut self) -> Option<bool> {
        let start = self.at;
        let mut word = String::new();
        while self.input.get(self.at).is_some_and(|one| is_name(*one)) {
            word.push(self.input[self.at]);
            self.at += 1;
        }
        let is_cdata = word == "CDATA";
        let mut is_known = is_cdata || TYPES.contains(&word.as_str());
        if word == "NOTATION" || word.is_empty() {
            let before = self.at;
            self.skip_space();
            is_known = (word.is_empty() || self.at > before) && self.group(!word.is_empty());
        }
        let next = self.input.get(self.at).copied();
        if !is_known || !next.is_some_and(is_space) {
            self.is_unsaid |= self.at > start || next != Some('>');
            return None;
        }
        Some(is_cdata)
    }

    /// Consumes names in parentheses: the names of notations, or name tokens. Returns whether they are well-formed.
    fn group(&mut self, are_notations: bool) -> bool {
        let mut group = String::new();
        while let Some(character) = self.input.get(self.at).copied() {
            self.at += 1;
            group.push(character);
            if character == ')' {
                break;
            }
        }
        if are_notations {
            self.check_no_colon(&group);
        }
        let inner = group
            .strip_prefix('(')
            .and_then(|one| one.strip_suffix(')'));
        inner.is_some_and(|inner| {
            inner.split('|').all(|name| {
                let name = name.trim_matches(is_space);
                !name.is_empty() && name.chars().all(is_name)
            })
        })
    }

    /// The DOCTYPE ATTLIST attribute declaration states. The effect of a wrong keyword is undefined.
    fn attribute_default(&mut self) -> Option<Option<String>> {
        let is_keyword = self.next_are("#");
        let mut is_fixed = false;
        if is_keyword {
            self.at += 1;
            let word = self.word()?;
            self.is_unsaid |= !matches!(word.as_str(), "IMPLIED" | "REQUIRED" | "FIXED");
            is_fixed = word == "FIXED";
            self.skip_space();
        }
        match self.input.get(self.at).copied() {
            Some(quote @ ('"' | '\'')) => {
                self.at += 1;
                // A literal after a keyword other than FIXED is a default value, as the document defines it.
                self.default_value(quote).map(Some)
            }
            _ if is_keyword && !is_fixed => Some(None),
            next => {
                self.is_unsaid |= is_fixed || next != Some('>');
                None
            }
        }
    }

    /// Both DOCTYPE ATTLIST attribute value states, which read a value as in a tag.
    fn default_value(&mut self, quote: char) -> Option<String> {
        let outer = core::mem::take(&mut self.attribute);
        let mut is_whole = false;
        while let Some(character) = self.input.get(self.at).copied() {
            self.at += 1;
            match character {
                '&' => self.reference_in_value(),
                _ if character == quote => {
                    is_whole = true;
                    break;
                }
                _ if is_space(character) => self.attribute.1.push(' '),
                _ => self.attribute.1.push(character),
            }
        }
        let (_, value) = core::mem::replace(&mut self.attribute, outer);
        is_whole.then_some(value)
    }

    /// Completes a tag: normalizes values by their declared types, and adds default values.
    pub(super) fn apply_declarations(&mut self) {
        let declared: Vec<&Declared> = self
            .attributes
            .iter()
            .filter(|one| one.tag == self.tag.name)
            .collect();
        for (name, value) in &mut self.tag.attributes {
            if let Some(own) = declared.iter().find(|one| one.name == *name) {
                *value = normalised(own.is_cdata, core::mem::take(value));
            }
        }
        for one in declared {
            let is_there = self
                .tag
                .attributes
                .iter()
                .any(|(name, _)| *name == one.name);
            if let (false, Some(default)) = (is_there, &one.default) {
                let attribute = (one.name.clone(), default.clone());
                self.tag.attributes.push(attribute);
            }
        }
    }
}

/// Normalizes a value, unless its type is CDATA: removes spaces at both ends, and joins adjacent spaces.
fn normalised(is_cdata: bool, value: String) -> String {
    if is_cdata {
        return value;
    }
    let words: Vec<&str> = value.split(' ').filter(|word| !word.is_empty()).collect();
    words.join(" ")
}
