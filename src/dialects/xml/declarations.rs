//! Storage for the declarations of the DOCTYPE: entities, and the types and default values of attributes.
//!
//! If a name is declared several times, the first declaration counts, as in XML 1.0. The states of the DOCTYPE fill
//! [`Declarations`]; references (`entities.rs`) and start tags (`defaults.rs`) read it. Its memory use is counted in
//! bytes, so that the parser can enforce [`Limits::memory`](crate::Limits::memory).

use super::frames::Replacement;
use crate::engine::entity::EntityId;
use crate::engine::event::referred::Referred;
use crate::engine::hash_seed::Seeds;
use crate::engine::input::BufferOffset;
use crate::engine::input::held_text::HeldText;
use crate::engine::scan::same;
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::{Bound, Deref};
use hashbrown::HashMap;

/// The content of a declared entity, by kind of entity.
#[derive(Clone, Debug)]
pub(super) enum Content {
    /// An internal entity, with its replacement text.
    Internal(Arc<str>),
    /// An external parsed entity, whose text the program supplies if it wants the entity to be read.
    External(External),
    /// An unparsed entity (`NDATA`), which is not XML. A reference to one is an error.
    Unparsed,
}

/// An external parsed entity: its identifiers, and its text after the program has supplied the bytes.
#[derive(Clone, Debug)]
pub(super) struct External {
    pub(super) id: Arc<EntityId>,
    /// The decoded text, kept for further references, or `None` if it was not read yet.
    pub(super) replacement: Option<Replacement>,
}

/// A declared general or parameter entity.
#[derive(Clone, Debug)]
pub(super) struct Entity {
    pub(super) content: Content,
    /// True if the entity was declared only in the external subset or in parameter entities. In a `standalone="yes"`
    /// document, such an entity does not exist for references in the document itself.
    pub(super) in_parameter: bool,
    /// True while the replacement text of the entity is being read. A reference to an open entity is recursive, which
    /// is an error.
    pub(super) open: bool,
    /// Position of the declaration, for errors that refer to it.
    pub(super) declared: Referred,
}

/// Maximum number of names that are searched one by one. Longer lists use a hash table.
const MAX_LINEAR_SEARCH_NAMES: usize = 16;

/// All attributes declared for one element type.
#[derive(Clone, Debug)]
pub(super) struct Element {
    /// Name of the element type.
    name: Box<str>,
    /// The declared attributes, in the order of their declarations.
    attributes: Vec<Attribute>,
    /// Index in `attributes` of each name. Searched only if there are more than [`MAX_LINEAR_SEARCH_NAMES`] attributes.
    names: HashMap<Box<str>, u32, Seeds>,
    /// Indices in `attributes` of the attributes that have a default value.
    defaulted: Vec<u32>,
}

/// A declared attribute.
#[derive(Clone, Debug)]
pub(super) struct Attribute {
    pub(super) name: Box<str>,
    /// True if the declared type is not CDATA. Leading and trailing spaces of the value are then removed and runs of
    /// spaces are replaced by one space.
    pub(super) tokenized: bool,
    /// The default value, normalized, if the declaration has one.
    pub(super) default: Option<Box<str>>,
}

/// Copy-on-write handle to the [`Declarations`]. Clones of a tokenizer share them, and a document without
/// declarations allocates nothing.
#[derive(Clone, Debug, Default)]
pub(super) struct Shared(Option<Arc<Declarations>>);

impl Shared {
    /// Returns the declarations for modification. Copies them first if another clone of the tokenizer shares them.
    pub(super) fn change(&mut self) -> &mut Declarations {
        Arc::make_mut(self.0.get_or_insert_default())
    }

    /// Prepares for the removal of the buffered text before offset `to`, which becomes offset 0. Declarations in the
    /// removed text get absolute positions; the offsets of the others are decreased by `to`.
    pub(super) fn before_discard(&mut self, text: &HeldText<'_>, to: BufferOffset) {
        if to > BufferOffset::ZERO && self.gone < self.entities.len() {
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
            memory_used: 0,
        };
        self.0.as_deref().unwrap_or(&NONE)
    }
}

/// All declarations of a document.
#[derive(Clone, Debug, Default)]
pub(super) struct Declarations {
    /// All entities, in the order of their declarations. `general` and `parameter` hold indices in this list.
    entities: Vec<Entity>,
    /// Number of entities at the beginning of `entities` whose declarations are no longer in the buffered text. They
    /// already have absolute positions.
    gone: usize,
    /// Index in `entities` of each general entity, by name. The order of the map allows searches by the beginning of
    /// a name.
    general: BTreeMap<Box<str>, usize>,
    /// Index in `entities` of each parameter entity, by name.
    parameter: BTreeMap<Box<str>, usize>,
    /// Length in bytes of the longest entity name.
    longest: usize,
    /// The element types for which attributes are declared.
    elements: Vec<Element>,
    /// Index in `elements` of each element name. Searched only if there are more than [`MAX_LINEAR_SEARCH_NAMES`]
    /// element types.
    element_names: Option<HashMap<Box<str>, u32, Seeds>>,
    /// Bit set with the [`mark`] of each element type whose start tags may need a change, because an attribute has a
    /// default value or a type other than CDATA.
    marks: u64,
    /// Estimated memory of all declarations, in bytes.
    memory_used: usize,
}

/// Estimated memory of one declaration in addition to its strings, in bytes. Includes its share of the tables.
const DECLARATION: usize = 480;

/// Returns a number in which one of 64 bits is set. The length, the first and the last byte of `name` determine the
/// bit, so equal names have equal bits. If the bit of an element's name is not in [`Declarations::marks`], no start tag
/// with this name needs a change.
///
/// PERF: with this test, most start tags of a document with a DTD need no lookup of their declarations
/// (`benches/peers`, mime.xml: +40 %).
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
    /// Declares an entity. If an entity of this name exists, keeps it, and only notes whether it is now declared
    /// outside parameter entities too.
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
            Content::External(external) => external.id.memory_used(),
            Content::Unparsed => 0,
        };
        self.memory_used += DECLARATION + name.len() + text;
        self.longest = self.longest.max(name.len());
        self.entities.push(entity);
    }

    /// Returns the length in bytes of the longest entity name. A longer name in a reference needs no lookup.
    pub(super) fn longest_name(&self) -> usize {
        self.longest
    }

    /// Returns the index of the general entity called `name`.
    pub(super) fn general(&self, name: &str) -> Option<usize> {
        self.general.get(name).copied()
    }

    /// Returns the index of the parameter entity called `name`.
    pub(super) fn parameter(&self, name: &str) -> Option<usize> {
        self.parameter.get(name).copied()
    }

    /// Returns true if the name of some declared general entity starts with `beginning`.
    pub(super) fn begins_general(&self, beginning: &str) -> bool {
        self.general
            .range::<str, _>((Bound::Included(beginning), Bound::Unbounded))
            .next()
            .is_some_and(|(name, _)| name.starts_with(beginning))
    }

    /// Returns the entity at `index`.
    pub(super) fn entity(&self, index: usize) -> &Entity {
        &self.entities[index]
    }

    /// Sets whether the replacement text of the entity at `index` is being read.
    pub(super) fn set_open(&mut self, index: usize, open: bool) {
        self.entities[index].open = open;
    }

    /// Stores the text of the external entity at `index`, after the program has supplied it.
    pub(super) fn set_replacement(&mut self, index: usize, replacement: Replacement) {
        if let Content::External(external) = &mut self.entities[index].content {
            external.replacement = Some(replacement);
        }
    }

    /// Returns the estimated memory of the declarations, in bytes.
    pub(super) fn memory_used(&self) -> usize {
        self.memory_used
    }

    /// Adds `bytes` to the estimated memory, for data that belongs to a declaration and is stored elsewhere.
    pub(super) fn hold(&mut self, bytes: usize) {
        self.memory_used = self.memory_used.saturating_add(bytes);
    }

    /// Declares an attribute of the element type `element`. Does nothing if the element type has an attribute of this
    /// name.
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
            self.memory_used += DECLARATION + 2 * element.len();
            index
        });
        let declared = &mut self.elements[index];
        if declared.attribute(&attribute.name).is_some() {
            return;
        }
        let index = declared.attributes.len() as u32;
        let default = attribute.default.as_ref().map_or(0, |text| text.len());
        self.memory_used += DECLARATION + 2 * attribute.name.len() + default;
        declared.names.insert(attribute.name.clone(), index);
        if attribute.default.is_some() {
            declared.defaulted.push(index);
        }
        if attribute.tokenized || attribute.default.is_some() {
            self.marks |= mark(element.as_bytes());
        }
        declared.attributes.push(attribute);
    }

    /// Returns true if the start tags of at least one element type may need default values or normalization.
    #[inline(always)]
    pub(super) fn changes_tags(&self) -> bool {
        self.marks != 0
    }

    /// Returns true if start tags called `name` may need default values or normalization. May be true for other names
    /// too, because it compares the 64-bit marks only.
    #[inline(always)]
    pub(super) fn changes(&self, name: &[u8]) -> bool {
        self.marks & mark(name) != 0
    }

    /// Returns the index of the element type called `name`, if attributes are declared for it.
    pub(super) fn element(&self, name: &str) -> Option<usize> {
        if self.elements.len() <= MAX_LINEAR_SEARCH_NAMES {
            let is_it = |element: &Element| same(element.name.as_bytes(), name.as_bytes());
            return self.elements.iter().position(is_it);
        }
        let index = self.element_names.as_ref()?.get(name)?;
        Some(*index as usize)
    }

    /// Returns the declarations of the element type at index `element`.
    pub(super) fn attributes(&self, element: usize) -> &Element {
        &self.elements[element]
    }
}

impl Element {
    /// Returns the declared attribute called `name`, with its index.
    pub(super) fn attribute(&self, name: &str) -> Option<(u32, &Attribute)> {
        let index = if self.attributes.len() <= MAX_LINEAR_SEARCH_NAMES {
            let is_it = |declared: &Attribute| same(declared.name.as_bytes(), name.as_bytes());
            self.attributes.iter().position(is_it)? as u32
        } else {
            *self.names.get(name)?
        };
        Some((index, &self.attributes[index as usize]))
    }

    /// Returns the number of attributes that have a default value.
    pub(super) fn defaults(&self) -> usize {
        self.defaulted.len()
    }

    /// Returns true if an attribute that has a default value has a prefix or declares a namespace.
    pub(super) fn has_prefixed_defaults(&self) -> bool {
        let names = (0..self.defaults()).map(|at| &*self.default(at).1.name);
        let mut prefixed = names.filter(|name| is_prefixed(name));
        prefixed.next().is_some()
    }

    /// Returns the attribute with the default value number `at`, counted in the order of the declarations, and its
    /// index among all attributes.
    pub(super) fn default(&self, at: usize) -> (u32, &Attribute) {
        let index = self.defaulted[at];
        (index, &self.attributes[index as usize])
    }
}

/// Returns true if the name of an attribute has a prefix or declares a namespace.
pub(super) fn is_prefixed(name: &str) -> bool {
    name == "xmlns" || name.contains(':')
}

/// Normalizes the value of an attribute whose type is not CDATA: removes spaces at both ends and replaces runs of
/// spaces by one space.
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

crate::checkpoint::checkpointable! {
    enum Content { Internal(value), External(value), Unparsed }
    struct External { id, replacement }
    struct Entity { content, in_parameter, open, declared }
    struct Element { name, attributes, names, defaulted }
    struct Attribute { name, tokenized, default }
    struct Shared(value);
    struct Declarations {
        entities, gone, general, parameter, longest, elements, element_names, marks, memory_used,
    }
}
