//! Namespace processing of a start tag: its namespace declarations, and the namespaces of its names.

use super::errors;
use super::machine::{LeafXmlMachine, Lexer};
use crate::engine::error::ErrorCode;
use crate::engine::event::record::{Attr, NAME_CLEANED, PREFIXED};
use crate::engine::event::referred::Referred;
use crate::engine::hash_seed::Seeds;
use crate::engine::input::BufferOffset;
use crate::engine::namespaces::{
    Bindings, NO_NAMESPACE, Now, XML, XMLNS, XMLNS_INDEX, declared_prefix,
};
use crate::engine::text::leafxml_names::is_name_part;
use crate::engine::tokenizer::TagText;
use alloc::vec::Vec;
use hashbrown::HashSet;

/// Maximum number of attributes with prefixes that are compared with each other one by one. More attributes use a
/// hash table.
const MAX_COMPARED_ATTRIBUTES: u32 = 8;

/// An error in the name of a tag or an attribute: its code, and the start and end offset of the name.
type Problem = (ErrorCode, BufferOffset, BufferOffset);

/// Splits a name that contains a colon into prefix and local part. Returns an error if one of them is not a valid
/// name.
fn split(name: &str) -> Result<(&str, &str), ErrorCode> {
    name.split_once(':')
        .filter(|(prefix, local)| is_name_part(prefix) && is_name_part(local))
        .ok_or(errors::INVALID_QUALIFIED_NAME)
}

/// Checks the declaration that maps `prefix` (empty for the default namespace) to `value`. `name` is the name of the
/// attribute.
fn check_declaration(name: &str, prefix: &str, value: &str) -> Result<(), ErrorCode> {
    let wrong = match prefix {
        "xmlns" => Some(errors::MAPPED_XMLNS_PREFIX),
        _ if name != "xmlns" && !is_name_part(prefix) => Some(errors::INVALID_PREFIX),
        _ if value.is_empty() => Some(errors::EMPTY_NAMESPACE),
        "xml" => (value != XML).then_some(errors::MAPPED_XML_PREFIX),
        _ if value == XML => Some(errors::MAPPED_XML_NAMESPACE),
        _ if value == XMLNS => Some(errors::MAPPED_XMLNS_NAMESPACE),
        _ => None,
    };
    wrong.map_or(Ok(()), Err)
}

impl LeafXmlMachine {
    /// Applies the namespace declarations of the current start tag and sets the namespaces of its attributes. Returns
    /// the namespace index of the element. The tag must have been joined, so that its text is contiguous. An error
    /// ends the parse.
    #[cold]
    #[inline(never)]
    pub(super) fn qualify(&mut self, lex: &mut Lexer<'_>) -> u32 {
        match self.try_to_qualify(lex) {
            Ok(namespace) => namespace,
            Err((code, start, end)) => {
                let first = (code == errors::DUPLICATE_EXTERNAL_ATTRIBUTE)
                    .then(|| first_external(lex, start))
                    .flatten();
                self.fail_about(lex, code, (start, end), first);
                NO_NAMESPACE
            }
        }
    }

    /// Does the work of [`qualify`](Self::qualify), and returns the first error.
    fn try_to_qualify(&mut self, lex: &mut Lexer<'_>) -> Result<u32, Problem> {
        self.declare_namespaces(lex)?;
        let namespace = match self.dialect.name.colon {
            true => {
                let name = lex.joined(self.dialect.name.string());
                find(&self.dialect.bindings, name)
                    .map_err(|code| (code, self.dialect.name.start, self.dialect.name.end))?
                    .0
            }
            false => self.dialect.bindings.default(),
        };
        self.qualify_attributes(lex)?;
        Ok(namespace)
    }

    /// Applies the namespace declarations of the current start tag.
    fn declare_namespaces(&mut self, lex: &mut Lexer<'_>) -> Result<(), Problem> {
        let chunk = lex.chunk();
        let out = &mut *lex.out;
        let text = TagText::new(self.token, chunk, &out.retained, &out.scratch);
        for attribute in &mut out.attributes[out.open as usize..] {
            let name = text.name(attribute);
            let Some(prefix) = declared_prefix(name) else {
                continue;
            };
            let value = text.value(attribute);
            check_declaration(name, prefix, value).map_err(|code| at(attribute, code))?;
            attribute.namespace = XMLNS_INDEX;
            out.work.compared += value.len() as u64;
            // The prefix `xml` is always mapped to its namespace.
            if prefix != "xml" {
                let now = Now {
                    history: &mut out.bindings.history,
                    records: out.records.len(),
                    names: &mut out.bindings.namespaces,
                };
                self.dialect.bindings.bind(prefix, value, now);
                self.open.recheck();
            }
        }
        Ok(())
    }

    /// Sets the namespaces of the attributes of the current start tag that have a prefix. No two of them may have the
    /// same namespace and local name.
    fn qualify_attributes(&self, lex: &mut Lexer<'_>) -> Result<(), Problem> {
        let chunk = lex.chunk();
        let out = &mut *lex.out;
        let text = TagText::new(self.token, chunk, &out.retained, &out.scratch);
        let mut external: Vec<(u32, &str)> = Vec::new();
        let mut table: HashSet<(u32, &str), Seeds> = HashSet::default();
        for attribute in &mut out.attributes[out.open as usize..] {
            if attribute.flags & PREFIXED == 0 || attribute.namespace == XMLNS_INDEX {
                continue;
            }
            let key = find(&self.dialect.bindings, text.name(attribute))
                .map_err(|code| at(attribute, code))?;
            attribute.namespace = key.0;
            let is_new = match self.dialect.prefixed <= MAX_COMPARED_ATTRIBUTES {
                true => {
                    let is_new = !external.contains(&key);
                    external.push(key);
                    is_new
                }
                false => table.insert(key),
            };
            out.work.compared += key.1.len() as u64;
            if !is_new {
                return Err(at(attribute, errors::DUPLICATE_EXTERNAL_ATTRIBUTE));
            }
        }
        Ok(())
    }
}

/// Returns an error in the name of an attribute.
fn at(attribute: &Attr, code: ErrorCode) -> Problem {
    (code, attribute.name, attribute.name_end)
}

/// Returns the position of the first attribute that has the same namespace and local name as the attribute whose name
/// starts at offset `name`.
fn first_external(lex: &Lexer<'_>, name: BufferOffset) -> Option<Referred> {
    let attributes = &lex.out.attributes[lex.out.open as usize..];
    let key = |attribute: &Attr| {
        let name = match attribute.flags & NAME_CLEANED != 0 {
            true => attribute.clean_name(&lex.out.scratch),
            false => lex.one_piece(attribute.name, attribute.name_end),
        };
        let local = name.split_once(':').map_or(name, |(_, local)| local);
        (attribute.namespace, local)
    };
    let second = attributes.iter().find(|other| other.name == name)?;
    let is_same = |other: &&Attr| other.flags & PREFIXED != 0 && key(other) == key(second);
    let first = attributes.iter().find(is_same)?;
    Some(Referred::first_attribute((first.name, first.name_end)))
}

/// Returns the namespace index and the local part of a name that contains a colon.
fn find<'a>(bindings: &Bindings, name: &'a str) -> Result<(u32, &'a str), ErrorCode> {
    let (prefix, local) = split(name)?;
    let namespace = bindings.find(prefix).ok_or(errors::UNDECLARED_PREFIX)?;
    Ok((namespace, local))
}
