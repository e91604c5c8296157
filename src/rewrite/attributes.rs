//! Edits of the attributes of one tag, found by name. A program may edit all attributes of a tag, so the time to find
//! one must not grow with their number.

use crate::dialect::Syntax;
use crate::event::{Attribute, StartTag};
use crate::seeds::Seeds;
use crate::work;
use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use hashbrown::HashMap;

/// Number of edits up to which one is found by a linear search.
pub(super) const FEW: usize = 8;

/// The edits of the attributes of a tag.
pub(super) struct AttributeEdits<'e> {
    /// Names, each with its new value, or `None` to remove the attribute.
    edits: &'e [(String, Option<String>)],
    /// Whether names are equal in any case.
    is_html: bool,
    /// Index of the first edit of each name, if there are more than `FEW`.
    places: HashMap<Cow<'e, str>, usize, Seeds>,
}

impl<'e> AttributeEdits<'e> {
    pub(super) fn new(edits: &'e [(String, Option<String>)], syntax: Syntax) -> AttributeEdits<'e> {
        let is_html = matches!(syntax, Syntax::Html { .. });
        let mut places = HashMap::default();
        if edits.len() > FEW {
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

    /// Index of the first edit of an attribute's name.
    fn place(&self, name: &str) -> Option<usize> {
        if self.edits.len() > FEW {
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

    /// The edit of an attribute: its new value, or `Some(None)` to remove it. `None` if it stays.
    pub(super) fn change(&self, attribute: &Attribute<'_>) -> Option<Option<&'e str>> {
        let (_, value) = &self.edits[self.place(attribute.name())?];
        Some(value.as_deref())
    }

    /// The attributes to add: those that get a value and that the tag does not have.
    pub(super) fn added(&self, tag: &StartTag<'_>) -> impl Iterator<Item = (&'e str, &'e str)> {
        let mut has = alloc::vec![false; self.edits.len()];
        if !has.is_empty() {
            let written = tag.attributes().filter(Attribute::is_specified);
            for at in written.filter_map(|attribute| self.place(attribute.name())) {
                has[at] = true;
            }
        }
        // An edit of a name that came before, in other letters, is of the same attribute.
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

/// The name by which an edit is found.
fn folded(name: &str, is_html: bool) -> Cow<'_, str> {
    match is_html && name.bytes().any(|byte| byte.is_ascii_uppercase()) {
        true => Cow::Owned(name.to_ascii_lowercase()),
        false => Cow::Borrowed(name),
    }
}
