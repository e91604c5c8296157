//! The edits of the attributes of one tag, with a lookup by attribute name. A program may edit all attributes of a tag
//! with many attributes, so the lookup uses a hash table once there are more than a few edits.

use crate::engine::dialect::Syntax;
use crate::engine::event::{Attribute, StartTag};
use crate::engine::hash_seed::Seeds;
use crate::engine::work;
use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use hashbrown::HashMap;

/// Maximum number of edits for which the lookup is a linear search. If there are more, a hash table is used.
pub(super) const MAX_LINEAR_EDITS: usize = 8;

/// The edits of the attributes of a tag.
pub(super) struct AttributeEdits<'e> {
    /// Attribute names, each with its new value, or with `None` to remove the attribute.
    edits: &'e [(String, Option<String>)],
    /// True if names are compared ASCII case-insensitively.
    is_html: bool,
    /// Index in `edits` of the first edit of each attribute name. Empty if there are at most `MAX_LINEAR_EDITS` edits, which are
    /// searched linearly.
    places: HashMap<Cow<'e, str>, usize, Seeds>,
}

impl<'e> AttributeEdits<'e> {
    pub(super) fn new(edits: &'e [(String, Option<String>)], syntax: Syntax) -> AttributeEdits<'e> {
        let is_html = matches!(syntax, Syntax::Html { .. });
        let mut places = HashMap::default();
        if edits.len() > MAX_LINEAR_EDITS {
            for (at, (name, _)) in edits.iter().enumerate() {
                places.entry(folded(name, is_html)).or_insert(at);
            }
        }
        AttributeEdits {
            edits,
            is_html,
            places,
        }
    }

    /// Returns the index of the first edit of an attribute name.
    fn place(&self, name: &str) -> Option<usize> {
        if self.edits.len() > MAX_LINEAR_EDITS {
            work::count(1);
            return self.places.get(&*folded(name, self.is_html)).copied();
        }
        self.edits.iter().position(|(other, _)| {
            work::count(1);
            match self.is_html {
                true => other.eq_ignore_ascii_case(name),
                false => other == name,
            }
        })
    }

    /// Returns the edit of an attribute: its new value, or `Some(None)` to remove the attribute. Returns `None` if the
    /// attribute is not edited.
    pub(super) fn change(&self, attribute: &Attribute<'_>) -> Option<Option<&'e str>> {
        let (_, value) = &self.edits[self.place(attribute.name())?];
        Some(value.as_deref())
    }

    /// Returns the attributes to add: those that get a value and that the tag does not have.
    pub(super) fn added(&self, tag: &StartTag<'_>) -> impl Iterator<Item = (&'e str, &'e str)> {
        let mut has = alloc::vec![false; self.edits.len()];
        if !has.is_empty() {
            let written = tag.attributes().filter(Attribute::is_specified);
            for at in written.filter_map(|attribute| self.place(attribute.name())) {
                has[at] = true;
            }
        }
        // In HTML, two edits whose names differ only in case are edits of the same attribute.
        let first = |(at, (name, _)): (usize, &(String, _))| self.place(name).unwrap_or(at);
        let has: Vec<bool> = self
            .edits
            .iter()
            .enumerate()
            .map(first)
            .map(|at| has[at])
            .collect();
        let added = self.edits.iter().zip(has).filter(|(_, has)| !has);
        added.filter_map(|((name, value), _)| Some((name.as_str(), value.as_deref()?)))
    }
}

/// Returns an attribute name in the form of the keys of the lookup: lowercase in HTML, unchanged elsewhere.
fn folded(name: &str, is_html: bool) -> Cow<'_, str> {
    match is_html && name.bytes().any(|byte| byte.is_ascii_uppercase()) {
        true => Cow::Owned(name.to_ascii_lowercase()),
        false => Cow::Borrowed(name),
    }
}
