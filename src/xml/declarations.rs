//! What the DOCTYPE has declared: entities, and attributes with their types and defaults.
//!
//! The first declaration of a name is the one that counts. It must not know how declarations are
//! read, nor where references stand.

use super::frames::Replacement;
use crate::entity::EntityId;
use crate::event::referred::Referred;
use crate::input::Mark;
use crate::input::held_text::HeldText;
use crate::scan::same;
use crate::seeds::Seeds;
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::{Bound, Deref};
use hashbrown::HashMap;

/// What an entity stands for.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(super) enum Content {
    /// Its replacement text.
    Internal(#[cfg_attr(feature = "checkpoints", serde(with = "crate::saved"))] Arc<str>),
    /// Text that is elsewhere.
    External(External),
    /// Something that is no XML.
    Unparsed,
}

/// An entity that is elsewhere, and its text once that was read.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(super) struct External {
    #[cfg_attr(feature = "checkpoints", serde(with = "crate::saved"))]
    pub(super) id: Arc<EntityId>,
    pub(super) replacement: Option<Replacement>,
}

/// A declared entity.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(super) struct Entity {
    pub(super) content: Content,
    /// It was declared in the external subset or in parameter entities, and nowhere else.
    pub(super) in_parameter: bool,
    /// Its replacement text is being read: a reference to it would be recursion.
    pub(super) open: bool,
    /// Its declaration.
    pub(super) declared: Referred,
}

/// Up to so many names are compared one by one; more are hashed.
const FEW: usize = 16;

/// The attributes declared for one element type.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(super) struct Element {
    name: Box<str>,
    attributes: Vec<Attribute>,
    #[cfg_attr(feature = "checkpoints", serde(with = "crate::saved"))]
    names: HashMap<Box<str>, u32, Seeds>,
    defaulted: Vec<u32>,
}

/// A declared attribute.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(super) struct Attribute {
    pub(super) name: Box<str>,
    /// Its type is not CDATA: white space in its value is normalised further.
    pub(super) tokenized: bool,
    pub(super) default: Option<Box<str>>,
}

/// What was declared, shared by the clones of a machine; nothing to allocate while it is nothing.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(super) struct Shared(
    #[cfg_attr(feature = "checkpoints", serde(with = "crate::saved"))] Option<Arc<Declarations>>,
);

impl Shared {
    /// The declarations, to be changed.
    pub(super) fn change(&mut self) -> &mut Declarations {
        Arc::make_mut(self.0.get_or_insert_default())
    }

    /// What is held before the mark `to` goes: that becomes mark 0.
    pub(super) fn leave(&mut self, text: &HeldText<'_>, to: Mark) {
        if to > Mark::ZERO && self.gone < self.entities.len() {
            let declarations = self.change();
            for entity in &mut declarations.entities[declarations.gone..] {
                let declared = &mut entity.declared;
                declared.spot.leave(text, to);
                declarations.gone += usize::from(declared.spot.is_known());
            }
        }
    }
}

impl Deref for Shared {
    type Target = Declarations;

    #[inline]
    fn deref(&self) -> &Declarations {
        static NONE: Declarations = Declarations {
            entities: Vec::new(),
            gone: 0,
            general: BTreeMap::new(),
            parameter: BTreeMap::new(),
            longest: 0,
            elements: Vec::new(),
            element_names: None,
            marks: 0,
            held: 0,
        };
        self.0.as_deref().unwrap_or(&NONE)
    }
}

/// All that was declared.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(super) struct Declarations {
    entities: Vec<Entity>,
    /// The text of the declarations of so many is not held any more.
    gone: usize,
    general: BTreeMap<Box<str>, usize>,
    parameter: BTreeMap<Box<str>, usize>,
    /// The length of the longest name of an entity.
    longest: usize,
    elements: Vec<Element>,
    #[cfg_attr(feature = "checkpoints", serde(with = "crate::saved"))]
    element_names: Option<HashMap<Box<str>, u32, Seeds>>,
    /// A bit for each element type whose tags are not as they are written: see [`mark`].
    marks: u64,
    /// Bytes that all this takes.
    held: usize,
}

/// What a declaration takes beside its strings, all tables included.
const DECLARATION: usize = 480;

/// One of 64 marks: two names with different marks are different.
///
/// PERF: most tags of a document with a DTD are told by it from those that need a look at their
/// declarations (`benches/peers`, mime.xml: +40 %).
#[inline(always)]
fn mark(name: &[u8]) -> u64 {
    let first = name.first().copied().unwrap_or_default();
    let last = name.last().copied().unwrap_or_default();
    let sum = (name.len() as u8)
        .wrapping_add(first.wrapping_mul(5))
        .wrapping_add(last.wrapping_mul(11));
    1 << (sum & 63)
}

impl Declarations {
    /// Declares an entity, unless one of its name is declared.
    pub(super) fn declare_entity(&mut self, name: &str, is_parameter: bool, entity: Entity) {
        let names = if is_parameter {
            &mut self.parameter
        } else {
            &mut self.general
        };
        if let Some(&index) = names.get(name) {
            self.entities[index].in_parameter &= entity.in_parameter;
            return;
        }
        names.insert(name.into(), self.entities.len());
        let text = match &entity.content {
            Content::Internal(text) => text.len(),
            Content::External(external) => external.id.held(),
            Content::Unparsed => 0,
        };
        self.held += DECLARATION + name.len() + text;
        self.longest = self.longest.max(name.len());
        self.entities.push(entity);
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

    /// Notes the text of an external entity.
    pub(super) fn set_replacement(&mut self, index: usize, replacement: Replacement) {
        if let Content::External(external) = &mut self.entities[index].content {
            external.replacement = Some(replacement);
        }
    }

    /// Bytes that the declarations take.
    pub(super) fn held(&self) -> usize {
        self.held
    }

    /// So many bytes more belong to what was declared.
    pub(super) fn hold(&mut self, bytes: usize) {
        self.held = self.held.saturating_add(bytes);
    }

    /// Declares an attribute, unless the element type has one of its name.
    pub(super) fn declare_attribute(&mut self, element: &str, attribute: Attribute) {
        let index = self.element(element).unwrap_or_else(|| {
            let index = self.elements.len();
            self.elements.push(Element {
                name: element.into(),
                attributes: Vec::new(),
                names: HashMap::default(),
                defaulted: Vec::new(),
            });
            let names = self.element_names.get_or_insert_default();
            names.insert(element.into(), index as u32);
            self.held += DECLARATION + 2 * element.len();
            index
        });
        let declared = &mut self.elements[index];
        if declared.attribute(&attribute.name).is_some() {
            return;
        }
        let index = declared.attributes.len() as u32;
        let default = attribute.default.as_ref().map_or(0, |text| text.len());
        self.held += DECLARATION + 2 * attribute.name.len() + default;
        declared.names.insert(attribute.name.clone(), index);
        if attribute.default.is_some() {
            declared.defaulted.push(index);
        }
        if attribute.tokenized || attribute.default.is_some() {
            self.marks |= mark(element.as_bytes());
        }
        declared.attributes.push(attribute);
    }

    /// Whether the tags of any element type may be other than they are written.
    #[inline(always)]
    pub(super) fn changes_tags(&self) -> bool {
        self.marks != 0
    }

    /// Whether the tags of this element type may be other than they are written.
    #[inline(always)]
    pub(super) fn changes(&self, name: &[u8]) -> bool {
        self.marks & mark(name) != 0
    }

    /// The index of an element type for which attributes are declared.
    pub(super) fn element(&self, name: &str) -> Option<usize> {
        if self.elements.len() <= FEW {
            let is_it = |element: &Element| same(element.name.as_bytes(), name.as_bytes());
            return self.elements.iter().position(is_it);
        }
        let index = self.element_names.as_ref()?.get(name)?;
        Some(*index as usize)
    }

    /// What is declared for an element type, by its index.
    pub(super) fn attributes(&self, element: usize) -> &Element {
        &self.elements[element]
    }
}

impl Element {
    /// The attribute of a name, and its index.
    pub(super) fn attribute(&self, name: &str) -> Option<(u32, &Attribute)> {
        let index = if self.attributes.len() <= FEW {
            let is_it = |declared: &Attribute| same(declared.name.as_bytes(), name.as_bytes());
            self.attributes.iter().position(is_it)? as u32
        } else {
            *self.names.get(name)?
        };
        Some((index, &self.attributes[index as usize]))
    }

    /// How many attributes have defaults.
    pub(super) fn defaults(&self) -> usize {
        self.defaulted.len()
    }

    /// One of the attributes with defaults, in the order of their declarations, and its index.
    pub(super) fn default(&self, at: usize) -> (u32, &Attribute) {
        let index = self.defaulted[at];
        (index, &self.attributes[index as usize])
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

#[cfg(feature = "checkpoints")]
crate::saved::plain!(Declarations);
