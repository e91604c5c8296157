//! Policies for the values of attributes: allowed classes and CSS properties, a prefix for identifiers, and attributes
//! that are set.

use super::attribute_changes::{Change, change_attributes};
use super::css;
use super::ids;
use super::lists;
use super::names::Names;
use super::url::Scheme;
use crate::tree::{Attribute, Document, NodeId};
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;
use hashbrown::HashMap;

/// The policies of a sanitizer, as the walk over a tree sees them. This is a trait, so that the code of the policies is
/// only in programs that call the methods which create them.
pub(super) trait AttributePolicy: fmt::Debug + Send + Sync {
    /// Applies the policies to the attributes of an element. `listed_name` is the name of the element in the form that
    /// lists use: `a`, `svg a`.
    fn apply(&self, document: &mut Document, element: NodeId, listed_name: &str);

    /// Returns true if the policies set an attribute of an element.
    fn sets(&self, listed_name: &str, attribute: &str) -> bool;

    /// Returns a URL that the policies set although its scheme is not one of these.
    fn refused_url(&self, schemes: &[Box<str>]) -> Option<&str>;

    /// Returns a copy of the policies, to which another one can be added.
    fn to_policies(&self) -> Policies;
}

/// The policies for the values of attributes.
#[derive(Clone, Debug, Default)]
pub(super) struct Policies {
    /// The classes that every element may have. `None` if classes are not restricted, unless `elements` has a list.
    pub(super) classes: Option<Names>,
    /// The policies for single elements, by their names in the form that lists use.
    pub(super) elements: HashMap<Box<str>, ElementPolicies>,
    /// The CSS properties that a `style` attribute may contain. `None` if the attribute is not changed.
    pub(super) properties: Option<Names>,
    /// The prefix of identifiers.
    pub(super) id_prefix: Option<Box<str>>,
}

/// The policies for one element.
#[derive(Clone, Debug, Default)]
pub(super) struct ElementPolicies {
    /// The classes that this element may have, in addition to those that every element may have.
    pub(super) classes: Option<Names>,
    /// Names and values of attributes that are set.
    pub(super) set: Vec<(Box<str>, Box<str>)>,
}

impl AttributePolicy for Policies {
    fn apply(&self, document: &mut Document, element: NodeId, listed_name: &str) {
        let own = self.elements.get(listed_name);
        if let Some(own) = own.filter(|own| !own.set.is_empty()) {
            // The attributes are removed first, so that they follow the others, as they do if the lists remove them.
            let is_set = |name: &str| own.set.iter().any(|(set, _)| &**set == name);
            document.retain_each(element, |attribute| !is_set(attribute.name()));
            for (name, value) in &own.set {
                // This fails only for a document with the maximum number of attributes.
                let _ = document.set_attribute(element, name, value);
            }
        }
        change_attributes(document, element, |attribute| {
            self.change(attribute, listed_name, own)
        });
    }

    fn sets(&self, listed_name: &str, attribute: &str) -> bool {
        let own = self.elements.get(listed_name);
        own.is_some_and(|own| own.set.iter().any(|(set, _)| &**set == attribute))
    }

    fn refused_url(&self, schemes: &[Box<str>]) -> Option<&str> {
        let mut set = self.elements.values().flat_map(|element| &element.set);
        let found = set.find(|(name, value)| is_refused_url(name, value, Some(schemes)));
        found.map(|(_, value)| &**value)
    }

    fn to_policies(&self) -> Policies {
        self.clone()
    }
}

/// Returns true if an attribute that is set would contain a URL with the scheme `javascript`, or with another one than
/// these. If `schemes` is `None`, all others are allowed.
pub(super) fn is_refused_url(attribute: &str, value: &str, schemes: Option<&[Box<str>]>) -> bool {
    let local = attribute.rsplit(':').next().unwrap_or(attribute);
    let is_same = |url: &&str| url.eq_ignore_ascii_case(local);
    let is_refused = |scheme: Scheme<'_>| {
        let is_allowed = |schemes: &[Box<str>]| schemes.iter().any(|one| scheme.is(one));
        scheme.is("javascript") || !schemes.is_none_or(is_allowed)
    };
    lists::URL_ATTRIBUTES.iter().any(is_same) && Scheme::of(value).is_some_and(is_refused)
}

impl Policies {
    /// Returns the change of an attribute.
    fn change(
        &self,
        attribute: Attribute<'_>,
        listed_name: &str,
        own: Option<&ElementPolicies>,
    ) -> Change {
        let is = |name: &str| {
            attribute.namespace().is_none() && attribute.local_name().eq_ignore_ascii_case(name)
        };
        let own_classes = own.and_then(|own| own.classes.as_ref());
        let new = if is("class") && (self.classes.is_some() || own_classes.is_some()) {
            let is_allowed = |class: &&str| {
                let mut lists = self.classes.iter().chain(own_classes);
                lists.any(|list| list.contains(*class))
            };
            let classes = attribute
                .value()
                .split_ascii_whitespace()
                .filter(is_allowed);
            classes.collect::<Vec<_>>().join(" ")
        } else if is("style")
            && let Some(properties) = &self.properties
        {
            css::filter(attribute.value(), properties)
        } else if let Some(prefix) = &self.id_prefix {
            let element = listed_name.rsplit(' ').next().unwrap_or(listed_name);
            return match ids::prefixed(prefix, element, attribute) {
                Some(value) => Change::To(value),
                None => Change::None,
            };
        } else {
            return Change::None;
        };
        match new.as_str() {
            "" => Change::Removed,
            same if same == attribute.value() => Change::None,
            _ => Change::To(new),
        }
    }
}
