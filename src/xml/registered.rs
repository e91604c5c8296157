//! Entities that the program knows, whatever the document declares. It must not know what refers to
//! them.

use crate::text::html_references::{Expansion, Match};
use crate::text::xml_names::{is_char, is_name_char, is_name_start_char, predefined};
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::sync::Arc;
use core::fmt;
use core::ops::Bound;

/// The entities, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Registered {
    own: Option<Arc<BTreeMap<Box<str>, Box<str>>>>,
    /// Those that HTML has, too.
    html: bool,
}

/// The longest name that HTML has.
const LONGEST: usize = 32;

impl Registered {
    /// Adds one; what is added later counts.
    pub(super) fn add(&mut self, name: &str, text: &str) {
        let own = Arc::make_mut(self.own.get_or_insert_default());
        own.insert(name.into(), text.into());
    }

    /// Adds those that HTML has.
    pub(super) fn add_html(&mut self) {
        self.html = true;
    }

    /// The length of the longest name.
    pub(super) fn longest_name(&self) -> usize {
        let own = self.own.iter().flat_map(|own| own.keys());
        let longest = own.map(|name| name.len()).max().unwrap_or(0);
        longest.max(if self.html { LONGEST } else { 0 })
    }

    /// What a name stands for.
    pub(super) fn text(&self, name: &str) -> Option<String> {
        if let Some(text) = self.own.as_ref().and_then(|own| own.get(name)) {
            return Some(String::from(&**text));
        }
        let Expansion { first, second } = self.html.then(|| of_html(name))??;
        Some([Some(first), second].into_iter().flatten().collect())
    }

    /// Whether a name begins so.
    pub(super) fn begins(&self, beginning: &str) -> bool {
        let from = (Bound::Included(beginning), Bound::Unbounded);
        let next = |own: &Arc<BTreeMap<Box<str>, Box<str>>>| {
            let next = own.range::<str, _>(from).next();
            next.is_some_and(|(name, _)| name.starts_with(beginning))
        };
        let mut names = Match::new();
        self.own.as_ref().is_some_and(next)
            || self.html && beginning.bytes().all(|byte| names.step(byte))
    }
}

/// What HTML has a name for, which is written with a semicolon.
fn of_html(name: &str) -> Option<Expansion> {
    let mut names = Match::new();
    if !name.bytes().chain([b';']).all(|byte| names.step(byte)) {
        return None;
    }
    let (length, expansion) = names.longest()?;
    (length == name.len() + 1).then_some(expansion)
}

/// Why an entity can't be registered: see [`Xml::entity`](crate::Xml::entity).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EntityError {
    /// No entity can have the name.
    Name,
    /// The name is one of the five that XML has already: `amp`, `lt`, `gt`, `quot`, `apos`.
    Predefined,
    /// The text has a character that XML has not.
    Text,
}

impl EntityError {
    /// What is wrong with an entity, if something is.
    pub(super) fn of(name: &str, text: &str) -> Option<EntityError> {
        let is_name = name.starts_with(is_name_start_char) && name.chars().all(is_name_char);
        match () {
            () if !is_name => Some(EntityError::Name),
            () if predefined(name).is_some() => Some(EntityError::Predefined),
            () if !text.chars().all(is_char) => Some(EntityError::Text),
            () => None,
        }
    }
}

impl fmt::Display for EntityError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            EntityError::Name => "no entity can have this name",
            EntityError::Predefined => "XML has an entity of this name",
            EntityError::Text => "the text of the entity has a character that XML has not",
        })
    }
}

impl core::error::Error for EntityError {}

#[cfg(feature = "checkpoints")]
crate::saved::saved!(Registered { own, html });
