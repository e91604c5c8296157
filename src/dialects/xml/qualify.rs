//! Namespace processing of a start tag: its namespace declarations, the prefixes of its names, and the errors in
//! both.

use super::errors;
use super::machine::{Lexer, XmlMachine};
use crate::engine::error::ErrorCode;
use crate::engine::event::record::{ODD, PREFIXED};
use crate::engine::hash_seed::Seeds;
use crate::engine::input::BufferOffset;
use crate::engine::namespaces::{NO_NAMESPACE, Now, XML, XMLNS, XMLNS_INDEX, declared_prefix};
use crate::engine::text::xml_names::is_ncname;
use crate::engine::tokenizer::TagText;
use alloc::vec::Vec;
use hashbrown::HashMap;
use hashbrown::hash_map::Entry;

/// Splits a qualified name with a prefix into prefix and local name. Returns `None` if `name` has no colon or is not a
/// valid qualified name. `odd` is true if the tokenizer has found a character in the name that is illegal in names.
fn split(name: &str, odd: bool) -> Option<(&str, &str)> {
    let colon = name.bytes().position(|byte| byte == b':')?;
    let (prefix, local) = (&name[..colon], &name[colon + 1..]);
    // PERF: most names need no lookup of character classes. If the tokenizer has found no illegal character (`odd`),
    // the name is a qualified one if the local name starts with an ASCII letter or `_` and has no second colon.
    let mut letters = local.bytes();
    let plain = letters
        .next()
        .is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_')
        && letters.all(|byte| byte != b':')
        && colon > 0;
    let qualified = match plain && !odd {
        true => true,
        false => is_ncname(prefix) && is_ncname(local),
    };
    qualified.then_some((prefix, local))
}

/// An error in the name of a tag or an attribute: its code, and the start and end offset of the name.
type Problem = (ErrorCode, BufferOffset, BufferOffset);

/// Map from namespace index and local name to the start and end offset of the first attribute with this expanded
/// name.
type Seen<'t> = HashMap<(u32, &'t str), (BufferOffset, BufferOffset), Seeds>;

impl XmlMachine {
    /// Applies the namespace declarations of the current start tag and sets the namespaces of its attributes. Returns
    /// the namespace index of the element. The tag must have been joined, so that its text is contiguous.
    ///
    /// Called only if the tag has a colon in some name, or may have an `xmlns` attribute. Attributes with an expanded
    /// name that the tag has already are reported and removed.
    #[cold]
    #[inline(never)]
    pub(super) fn qualify(&mut self, lex: &mut Lexer<'_>) -> u32 {
        if !self.dialect.options.has_namespaces() {
            return NO_NAMESPACE;
        }
        let mut problems: Vec<Problem> = Vec::new();
        let others = self.declare_namespaces(lex, &mut problems);
        let namespace = self.element_namespace(lex, &mut problems);
        if others > 0 {
            self.qualify_attributes(lex, &mut problems);
        }
        let firsts = match others > 1 {
            true => self.remove_duplicates(lex, &mut problems),
            false => Vec::new(),
        };
        if self.dialect.bindings.is_stale() {
            lex.out.is_ended = true;
            lex.suspend();
        }
        let mut firsts = firsts.into_iter();
        for (code, start, end) in problems {
            let mut first = None;
            if code == errors::DUPLICATE_EXPANDED_NAME {
                lex.mark_duplicates();
                first = firsts.next().and_then(|name| self.first_attribute(name));
            }
            self.error_about(lex, code, (start, end), first);
        }
        namespace
    }

    /// Applies the namespace declarations of the current start tag. Returns the number of other attributes whose
    /// names contain a colon.
    fn declare_namespaces(&mut self, lex: &mut Lexer<'_>, problems: &mut Vec<Problem>) -> usize {
        let open = lex.out.open as usize;
        let text = TagText::new(self.token, lex.chunk(), &lex.out.retained, &lex.out.scratch);
        let mut others = 0;
        for attribute in &mut lex.out.attributes[open..] {
            let name = text.name(attribute);
            let Some(declared) = declared_prefix(name) else {
                others += usize::from(attribute.flags & PREFIXED != 0);
                continue;
            };
            let value = text.value(attribute);
            let mut problem = check_declaration(name, declared, value);
            if self.dialect.version.is_1_1() && problem == Some(errors::EMPTY_NAMESPACE) {
                // Namespaces in XML 1.1 allows a declaration that removes the binding of a prefix.
                problem = None;
            }
            if let Some(code) = problem {
                problems.push((code, attribute.name, attribute.name_end));
            }
            if problem.is_none_or(|code| code == errors::EMPTY_NAMESPACE) {
                attribute.namespace = XMLNS_INDEX;
                if declared != "xml" {
                    let now = Now {
                        history: &mut lex.out.bindings.history,
                        records: lex.out.records.len(),
                        names: &mut lex.out.bindings.namespaces,
                    };
                    self.dialect.bindings.bind(declared, value, now);
                    self.open.recheck();
                }
            }
        }
        others
    }

    /// Returns the namespace index of the element of the current start tag.
    fn element_namespace(&self, lex: &Lexer<'_>, problems: &mut Vec<Problem>) -> u32 {
        if !self.dialect.tag.has_colon {
            return self.dialect.bindings.default();
        }
        let text = TagText::new(self.token, lex.chunk(), &lex.out.retained, &lex.out.scratch);
        let name = text.between(self.name, self.name_end);
        let found = self.find_namespace(name, self.dialect.tag.is_odd);
        found.unwrap_or_else(|code| {
            problems.push((code, self.name, self.name_end));
            NO_NAMESPACE
        })
    }

    /// Returns the namespace index of a name that contains a colon. `odd` is true if the name contains a character
    /// that is illegal in names.
    fn find_namespace(&self, name: &str, odd: bool) -> Result<u32, ErrorCode> {
        match split(name, odd) {
            None => Err(errors::INVALID_QUALIFIED_NAME),
            Some(("xmlns", _)) => Err(errors::RESERVED_PREFIX),
            Some((prefix, _)) => {
                let found = self.dialect.bindings.find(prefix);
                found.ok_or(errors::UNDECLARED_PREFIX)
            }
        }
    }

    /// Sets the namespaces of the attributes of the current start tag whose names contain a colon.
    fn qualify_attributes(&self, lex: &mut Lexer<'_>, problems: &mut Vec<Problem>) {
        let open = lex.out.open as usize;
        let text = TagText::new(self.token, lex.chunk(), &lex.out.retained, &lex.out.scratch);
        for attribute in &mut lex.out.attributes[open..] {
            let name = text.name(attribute);
            let declares = name.starts_with("xmlns:") || attribute.namespace != NO_NAMESPACE;
            if attribute.flags & PREFIXED == 0 || declares {
                continue;
            }
            match self.find_namespace(name, attribute.flags & ODD != 0) {
                Ok(namespace) => attribute.namespace = namespace,
                Err(code) => problems.push((code, attribute.name, attribute.name_end)),
            }
        }
    }

    /// Removes attributes of the current start tag that have the expanded name of an earlier one. Returns, for each
    /// removed attribute, the start and end offset of the name of the earlier one.
    fn remove_duplicates(
        &self,
        lex: &mut Lexer<'_>,
        problems: &mut Vec<Problem>,
    ) -> Vec<(BufferOffset, BufferOffset)> {
        let open = lex.out.open as usize;
        let text = TagText::new(self.token, lex.chunk(), &lex.out.retained, &lex.out.scratch);
        let (mut firsts, mut dropped) = (Vec::new(), Vec::new());
        let mut seen = Seen::default();
        for (index, attribute) in lex.out.attributes.iter().enumerate().skip(open) {
            if attribute.flags & PREFIXED == 0 || attribute.namespace <= XMLNS_INDEX {
                continue;
            }
            let name = text.name(attribute);
            let local = split(name, attribute.flags & ODD != 0).map_or(name, |(_, local)| local);
            match seen.entry((attribute.namespace, local)) {
                Entry::Vacant(entry) => {
                    entry.insert((attribute.name, attribute.name_end));
                }
                Entry::Occupied(first) => {
                    let code = errors::DUPLICATE_EXPANDED_NAME;
                    problems.push((code, attribute.name, attribute.name_end));
                    firsts.push(*first.get());
                    dropped.push(index);
                }
            }
        }
        drop(seen);
        if !dropped.is_empty() {
            let mut dropped = dropped.into_iter().peekable();
            let mut index = 0;
            lex.out.attributes.retain(|_| {
                index += 1;
                dropped.next_if_eq(&(index - 1)).is_none()
            });
        }
        firsts
    }
}

/// Returns the error in a namespace declaration, if there is one. `name` is the name of the attribute, `prefix` the
/// declared prefix (empty for the default namespace), `value` the namespace name.
fn check_declaration(name: &str, prefix: &str, value: &str) -> Option<ErrorCode> {
    if name != "xmlns" && !is_ncname(prefix) {
        return Some(errors::INVALID_QUALIFIED_NAME);
    }
    match prefix {
        "xmlns" => Some(errors::RESERVED_PREFIX),
        "xml" => (value != XML).then_some(errors::RESERVED_PREFIX),
        _ if value == XML || value == XMLNS => Some(errors::RESERVED_NAMESPACE),
        "" => None,
        _ => value.is_empty().then_some(errors::EMPTY_NAMESPACE),
    }
}
