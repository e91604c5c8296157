//! Checks of edits that concern namespaces in XML: a prefix that is used stays bound, and a tag has no two attributes with
//! the same local name in the same namespace.

use super::fragment::{Fragments, PrefixScope};
use super::state::RewriterState;
use crate::engine::event::StartTag;
use crate::engine::namespaces::declared_prefix;
use crate::write::{Reason, Refusal, sure};
use alloc::borrow::Cow;
use alloc::collections::BTreeSet;
use alloc::vec::Vec;
use core::ops::ControlFlow;

impl RewriterState {
    /// Checks that an attribute with a new value has another expanded name than the other attributes of the tag. If it
    /// declares a prefix, the attributes with this prefix must have.
    pub(super) fn check_expanded_name(
        &self,
        tag: &StartTag<'_>,
        name: &str,
        value: &str,
        document: &dyn Fragments,
    ) -> Result<(), Refusal> {
        let Some((prefix, local)) = name.split_once(':') else {
            return Ok(());
        };
        let names = self.edited_names(tag);
        let scope = PrefixScope::inside(document, &self.edits);
        let namespace = |prefix: &str| scope.resolve(prefix, self.syntax);
        let (prefix, locals, own) = match declared_prefix(name) {
            Some(prefix) => {
                let names = names.iter().filter_map(|name| name.split_once(':'));
                let locals = names
                    .filter(|(is, _)| *is == prefix)
                    .map(|(_, local)| local);
                (prefix, locals.collect(), Some(Cow::Borrowed(value)))
            }
            None => (prefix, BTreeSet::from([local]), namespace(prefix)),
        };
        let mut others = names.iter().filter_map(|name| name.split_once(':'));
        let is_same = |(other, local): (&str, &str)| {
            other != prefix && locals.contains(local) && own.is_some() && namespace(other) == own
        };
        sure(!others.any(is_same), Reason::Duplicate, name)
    }

    /// Checks that no prefix loses its namespace if an attribute is removed. In a dialect that refuses unbound prefixes, the
    /// contents of the element may use each prefix that the tag declares.
    pub(super) fn check_declaration(
        &self,
        tag: &StartTag<'_>,
        name: &str,
        document: &dyn Fragments,
    ) -> Result<(), Refusal> {
        let Some(prefix) = declared_prefix(name).filter(|prefix| !prefix.is_empty()) else {
            return Ok(());
        };
        let names = self.edited_names(tag);
        let element = self.edits.name.as_deref().unwrap_or(tag.name());
        let mut used = names.into_iter().chain([element]);
        let is_used = used.any(|name| name.split_once(':').is_some_and(|(is, _)| is == prefix));
        let has_unbound = document.parse(&["<r><p:x/></r>"], &mut |_| ControlFlow::Continue(()));
        sure(!is_used && has_unbound, Reason::Prefix, prefix)
    }

    /// Checks that the contents of an element do not need its namespace declarations.
    pub(super) fn check_no_declaration(&self, tag: &StartTag<'_>) -> Result<(), Refusal> {
        let mut declared = self
            .edited_names(tag)
            .into_iter()
            .filter_map(declared_prefix);
        match declared.next() {
            None => Ok(()),
            Some("") => Err(Refusal::new(Reason::Foreign, tag.name())),
            Some(prefix) => Err(Refusal::new(Reason::Prefix, prefix)),
        }
    }

    /// Returns the names of the attributes that the tag has after the edits, also of those with a default value.
    fn edited_names<'n>(&'n self, tag: &StartTag<'n>) -> Vec<&'n str> {
        let names = tag.attributes().map(|one| one.name());
        let kept = names.filter(|name| self.edits.attributes.get(name).is_none());
        kept.chain(self.edits.attributes.set_names()).collect()
    }
}
