//! Entities that the program registers for documents that do not declare them: [`Xml::entity`](crate::Xml::entity)
//! and [`Xml::html_entities`](crate::Xml::html_entities).

use crate::engine::text::html_references::{Expansion, Match};
use crate::engine::text::xml_names::{is_char, is_name_char, is_name_start_char, predefined};
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::sync::Arc;
use core::fmt;
use core::ops::Bound;

/// The registered entities.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Registered {
    /// The texts of the entities that the program has registered one by one, by name. The order of the map allows
    /// searches by the beginning of a name.
    entities: Option<Arc<BTreeMap<Box<str>, Box<str>>>>,
    /// True if the named entities of HTML are registered too.
    html: bool,
}

/// Upper bound for the length in bytes of the names of HTML's entities.
const MAX_HTML_NAME_BYTES: usize = 32;

impl Registered {
    /// Registers an entity, or replaces its text if its name is registered already.
    pub(super) fn add(&mut self, name: &str, text: &str) {
        let entities = Arc::make_mut(self.entities.get_or_insert_default());
        entities.insert(name.into(), text.into());
    }

    /// Registers the named entities of HTML.
    pub(super) fn add_html(&mut self) {
        self.html = true;
    }

    /// Returns an upper bound for the length in bytes of a registered name.
    pub(super) fn longest_name(&self) -> usize {
        let entities = self.entities.iter().flat_map(|entities| entities.keys());
        let longest = entities.map(|name| name.len()).max().unwrap_or(0);
        longest.max(if self.html { MAX_HTML_NAME_BYTES } else { 0 })
    }

    /// Returns the text of the entity called `name`, if it is registered.
    pub(super) fn text(&self, name: &str) -> Option<String> {
        if let Some(text) = self
            .entities
            .as_ref()
            .and_then(|entities| entities.get(name))
        {
            return Some(String::from(&**text));
        }
        let Expansion { first, second } = self.html.then(|| of_html(name))??;
        Some([Some(first), second].into_iter().flatten().collect())
    }

    /// Returns true if the name of some registered entity starts with `beginning`.
    pub(super) fn begins(&self, beginning: &str) -> bool {
        let from = (Bound::Included(beginning), Bound::Unbounded);
        let next = |entities: &Arc<BTreeMap<Box<str>, Box<str>>>| {
            let next = entities.range::<str, _>(from).next();
            next.is_some_and(|(name, _)| name.starts_with(beginning))
        };
        let mut names = Match::new();
        self.entities.as_ref().is_some_and(next)
            || self.html && beginning.bytes().all(|byte| names.step(byte))
    }
}

/// Returns the characters of the HTML entity called `name`. Only the names that HTML writes with a semicolon are
/// found.
fn of_html(name: &str) -> Option<Expansion> {
    let mut names = Match::new();
    if !name.bytes().chain([b';']).all(|byte| names.step(byte)) {
        return None;
    }
    let (length, expansion) = names.longest()?;
    (length == name.len() + 1).then_some(expansion)
}

/// The reason why an entity cannot be registered: see [`Xml::entity`](crate::Xml::entity).
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EntityError {
    /// The name is not a valid entity name.
    Name,
    /// The name is one of the five entities that XML predefines: `amp`, `lt`, `gt`, `quot`, `apos`.
    Predefined,
    /// The text contains a character that XML does not allow.
    Text,
}

impl EntityError {
    /// Checks the name and the text of an entity. Returns `None` if it can be registered.
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

crate::engine::error::debug_as_display!(EntityError);

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

crate::checkpoint::checkpointable! {
    struct Registered { entities, html }
}
