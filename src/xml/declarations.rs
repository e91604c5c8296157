//! What the DOCTYPE has declared: entities, and attributes with their types and defaults.
//!
//! The first declaration of a name is the one that counts. It must not know how declarations are
//! read, nor where references stand.

use crate::seeds::Seeds;
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Bound;
use hashbrown::HashMap;

/// What an entity stands for.
#[derive(Clone, Debug)]
pub(super) enum Content {
    /// Its replacement text.
    Internal(Arc<str>),
    /// Text that is elsewhere and is not read.
    External,
    /// Something that is no XML.
    Unparsed,
}

/// A declared entity.
#[derive(Clone, Debug)]
pub(super) struct Entity {
    pub(super) content: Content,
    /// It was declared in the replacement text of a parameter entity.
    pub(super) in_parameter: bool,
    /// Its replacement text is being read: a reference to it would be recursion.
    pub(super) open: bool,
}

/// The attributes declared for one element type.
#[derive(Clone, Debug, Default)]
pub(super) struct Element {
    attributes: Vec<Attribute>,
    names: HashMap<Box<str>, u32, Seeds>,
    defaulted: Vec<u32>,
}

/// A declared attribute.
#[derive(Clone, Debug)]
pub(super) struct Attribute {
    pub(super) name: Box<str>,
    /// Its type is not CDATA: white space in its value is normalised further.
    pub(super) tokenized: bool,
    pub(super) default: Option<Box<str>>,
}

/// All that was declared.
#[derive(Clone, Debug, Default)]
pub(super) struct Declarations {
    entities: Vec<Entity>,
    general: BTreeMap<Box<str>, usize>,
    parameter: BTreeMap<Box<str>, usize>,
    /// The length of the longest name of an entity.
    longest: usize,
    elements: HashMap<Box<str>, Element, Seeds>,
}

impl Declarations {
    /// Declares an entity, unless one of its name is declared.
    pub(super) fn declare_entity(&mut self, name: &str, is_parameter: bool, entity: Entity) {
        let names = if is_parameter {
            &mut self.parameter
        } else {
            &mut self.general
        };
        if !names.contains_key(name) {
            names.insert(name.into(), self.entities.len());
            self.longest = self.longest.max(name.len());
            self.entities.push(entity);
        }
    }

    /// The length of the longest name of an entity.
    pub(super) fn longest_name(&self) -> usize {
        self.longest
    }

    /// The index of a general entity.
    pub(super) fn general(&self, name: &str) -> Option<usize> {
        self.general.get(name).copied()
    }

    /// The index of a parameter entity.
    pub(super) fn parameter(&self, name: &str) -> Option<usize> {
        self.parameter.get(name).copied()
    }

    /// Whether the name of a declared general entity begins so.
    pub(super) fn begins_general(&self, beginning: &str) -> bool {
        self.general
            .range::<str, _>((Bound::Included(beginning), Bound::Unbounded))
            .next()
            .is_some_and(|(name, _)| name.starts_with(beginning))
    }

    /// An entity by its index.
    pub(super) fn entity(&self, index: usize) -> &Entity {
        &self.entities[index]
    }

    /// Notes whether the replacement text of an entity is being read.
    pub(super) fn set_open(&mut self, index: usize, open: bool) {
        self.entities[index].open = open;
    }

    /// Declares an attribute, unless the element type has one of its name.
    pub(super) fn declare_attribute(&mut self, element: &str, attribute: Attribute) {
        let element = self.elements.entry_ref(element).or_default();
        if element.names.contains_key(&attribute.name) {
            return;
        }
        let index = element.attributes.len() as u32;
        element.names.insert(attribute.name.clone(), index);
        if attribute.default.is_some() {
            element.defaulted.push(index);
        }
        element.attributes.push(attribute);
    }

    /// Whether any attribute is declared.
    pub(super) fn has_attributes(&self) -> bool {
        !self.elements.is_empty()
    }

    /// What is declared for the elements of a name.
    pub(super) fn element(&self, name: &str) -> Option<&Element> {
        self.elements.get(name)
    }
}

impl Element {
    /// The attribute of a name, and its index.
    pub(super) fn attribute(&self, name: &str) -> Option<(u32, &Attribute)> {
        let index = *self.names.get(name)?;
        Some((index, &self.attributes[index as usize]))
    }

    /// The attributes with defaults, in the order of their declarations, and their indices.
    pub(super) fn defaulted(&self) -> impl Iterator<Item = (u32, &Attribute)> {
        let attributes = &self.attributes;
        self.defaulted
            .iter()
            .map(|&index| (index, &attributes[index as usize]))
    }
}

/// A value as a type other than CDATA has it: without spaces at its ends, with single ones within.
pub(super) fn tokens(value: &str) -> String {
    let mut tokens = String::with_capacity(value.len());
    for token in value.split(' ').filter(|token| !token.is_empty()) {
        if !tokens.is_empty() {
            tokens.push(' ');
        }
        tokens.push_str(token);
    }
    tokens
}
