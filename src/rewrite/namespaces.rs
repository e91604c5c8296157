//! Checks of edits that concern namespaces in XML: a prefix that is used stays bound, and a tag has no two attributes with
//! the same local name in the same namespace.

use super::fragment::{Fragments, PrefixScope};
use super::state::RewriterState;
use crate::engine::dialect::Syntax;
use crate::engine::event::StartTag;
use crate::engine::hash_seed::Seeds;
use crate::engine::namespaces::declared_prefix;
use crate::engine::work;
use crate::write::{Reason, Refusal, sure};
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::ControlFlow;
use hashbrown::HashMap;

/// The attributes with prefixes that a tag has after the edits so far, also those with a default value.
///
/// A program may edit each attribute of a long tag, so that an edit must not read all attributes. The names are
/// collected for the first edit of the tag that needs them. Each edit then changes only the names that it concerns: one,
/// or those with the prefix that it declares.
#[derive(Clone, Debug, Default)]
pub(super) struct PrefixedNames {
    prefixes: Vec<Prefix>,
    /// Index in `prefixes` of each prefix.
    indexes: Numbers,
    /// Number of attributes for each [expanded name](expanded).
    counts: Numbers,
}

/// Numbers by a string. All tables have this type, so that the program has its code once.
type Numbers = HashMap<String, usize, Seeds>;

/// The attributes of a tag that have the same prefix.
#[derive(Clone, Debug)]
struct Prefix {
    /// The name of the namespace as it is written, or `None` if the prefix is not bound.
    namespace: Option<String>,
    /// 1 for each local name that an attribute has, and 0 for each that was removed.
    locals: Numbers,
    /// Number of attributes.
    present: usize,
}

/// Returns an expanded name as a string: the name of the namespace, U+0000, and the local name.
fn expanded(namespace: &str, local: &str) -> String {
    [namespace, "\0", local].concat()
}

impl Prefix {
    fn has(&self, local: &str) -> bool {
        self.locals.get(local) == Some(&1)
    }

    /// Returns the local names of the attributes.
    fn locals(&self) -> impl Iterator<Item = &str> {
        let present = self.locals.iter().filter(|(_, count)| **count == 1);
        present.map(|(local, _)| local.as_str())
    }

    /// Adds 1 for an attribute to the counts of expanded names, or subtracts 1 if `is_set` is false.
    fn count(&self, local: &str, is_set: bool, counts: &mut Numbers) {
        if let Some(namespace) = &self.namespace {
            let count = counts.entry(expanded(namespace, local)).or_default();
            match is_set {
                true => *count += 1,
                false => *count -= 1,
            }
        }
    }
}

impl PrefixedNames {
    fn find(&self, prefix: &str) -> Option<&Prefix> {
        self.prefixes.get(*self.indexes.get(prefix)?)
    }

    /// Adds an attribute, or removes it if `is_set` is false. `namespace` returns the namespace of a prefix.
    fn set(&mut self, name: &str, is_set: bool, namespace: impl FnOnce(&str) -> Option<String>) {
        let Some((prefix, local)) = name.split_once(':') else {
            return;
        };
        work::count(1);
        let next = self.prefixes.len();
        let index = *self.indexes.entry(prefix.into()).or_insert(next);
        if index == next {
            self.prefixes.push(Prefix {
                namespace: namespace(prefix),
                locals: Numbers::default(),
                present: 0,
            });
        }
        let prefix = &mut self.prefixes[index];
        if prefix.has(local) != is_set {
            prefix.locals.insert(local.into(), usize::from(is_set));
            match is_set {
                true => prefix.present += 1,
                false => prefix.present -= 1,
            }
            prefix.count(local, is_set, &mut self.counts);
        }
    }

    /// Changes the namespace of a prefix.
    fn bind(&mut self, prefix: &str, namespace: Option<String>) {
        let Some(prefix) = self.indexes.get(prefix).map(|at| &mut self.prefixes[*at]) else {
            return;
        };
        for is_set in [false, true] {
            for local in prefix.locals() {
                work::count(1);
                prefix.count(local, is_set, &mut self.counts);
            }
            if !is_set {
                prefix.namespace.clone_from(&namespace);
            }
        }
    }

    /// Returns true if another attribute than `prefix:local` would have the same expanded name with this namespace.
    fn has_other(&self, prefix: &str, local: &str, namespace: &str) -> bool {
        work::count(1);
        let count = self.counts.get(&expanded(namespace, local));
        let is_counted = self.find(prefix).is_some_and(|prefix| {
            prefix.namespace.as_deref() == Some(namespace) && prefix.has(local)
        });
        count.copied().unwrap_or(0) > usize::from(is_counted)
    }

    /// Returns true if an attribute has this prefix.
    fn uses(&self, prefix: &str) -> bool {
        self.find(prefix).is_some_and(|prefix| prefix.present > 0)
    }
}

/// Returns the namespace of a prefix in the scope of the current tag, with its edits.
fn resolved(scope: &PrefixScope<'_>, prefix: &str, syntax: Syntax) -> Option<String> {
    scope.resolve(prefix, syntax).map(String::from)
}

impl RewriterState {
    /// Checks that an attribute with a new value has another expanded name than the other attributes of the tag. If it
    /// declares a prefix, the attributes with this prefix must have.
    pub(super) fn check_expanded_name(
        &mut self,
        tag: &StartTag<'_>,
        name: &str,
        value: &str,
        document: &dyn Fragments,
    ) -> Result<(), Refusal> {
        let Some((prefix, local)) = name.split_once(':') else {
            return Ok(());
        };
        self.collect_prefixed_names(tag, document);
        let Some(names) = &self.edits.prefixed_names else {
            return Ok(());
        };
        let is_same = match declared_prefix(name) {
            Some(prefix) => names.find(prefix).is_some_and(|of_prefix| {
                let mut locals = of_prefix.locals();
                locals.any(|local| names.has_other(prefix, local, value))
            }),
            None => {
                let scope = PrefixScope::inside(document, &self.edits);
                let namespace = scope.resolve(prefix, self.syntax);
                namespace.is_some_and(|namespace| names.has_other(prefix, local, &namespace))
            }
        };
        sure(!is_same, Reason::Duplicate, name)
    }

    /// Checks that no prefix loses its namespace if an attribute is removed. In a dialect that refuses unbound prefixes, the
    /// contents of the element may use each prefix that the tag declares.
    pub(super) fn check_declaration(
        &mut self,
        tag: &StartTag<'_>,
        name: &str,
        document: &dyn Fragments,
    ) -> Result<(), Refusal> {
        let Some(prefix) = declared_prefix(name).filter(|prefix| !prefix.is_empty()) else {
            return Ok(());
        };
        self.collect_prefixed_names(tag, document);
        let element = self.edits.name.as_deref().unwrap_or(tag.name());
        let is_used = element.split_once(':').is_some_and(|(is, _)| is == prefix)
            || (self.edits.prefixed_names.as_ref()).is_some_and(|names| names.uses(prefix));
        let has_unbound = document.parse(&["<r><p:x/></r>"], &mut |_| ControlFlow::Continue(()));
        sure(!is_used && has_unbound, Reason::Prefix, prefix)
    }

    /// Collects the attributes with prefixes, unless an earlier edit of the tag has done so.
    fn collect_prefixed_names(&mut self, tag: &StartTag<'_>, document: &dyn Fragments) {
        if self.edits.prefixed_names.is_some() {
            return;
        }
        let mut all = PrefixedNames::default();
        let scope = PrefixScope::inside(document, &self.edits);
        let names = tag.attributes().map(|one| one.name());
        let kept = names.filter(|name| self.edits.attributes.get(name).is_none());
        for name in kept.chain(self.edits.attributes.set_names()) {
            all.set(name, true, |prefix| resolved(&scope, prefix, self.syntax));
        }
        self.edits.prefixed_names = Some(all.into());
    }

    /// Called after an attribute of XML was set or removed.
    pub(super) fn update_prefixed_names(
        &mut self,
        name: &str,
        is_set: bool,
        document: &dyn Fragments,
    ) {
        let Some(mut names) = self.edits.prefixed_names.take() else {
            return;
        };
        let scope = PrefixScope::inside(document, &self.edits);
        names.set(name, is_set, |prefix| resolved(&scope, prefix, self.syntax));
        if let Some(prefix) = declared_prefix(name) {
            names.bind(prefix, resolved(&scope, prefix, self.syntax));
        }
        self.edits.prefixed_names = Some(names);
    }

    /// Checks that the contents of an element do not need its namespace declarations.
    pub(super) fn check_no_declaration(&self, tag: &StartTag<'_>) -> Result<(), Refusal> {
        let names = tag.attributes().map(|one| one.name());
        let kept = names.filter(|name| self.edits.attributes.get(name).is_none());
        let all = kept.chain(self.edits.attributes.set_names());
        match all.filter_map(declared_prefix).next() {
            None => Ok(()),
            Some("") => Err(Refusal::new(Reason::Foreign, tag.name())),
            Some(prefix) => Err(Refusal::new(Reason::Prefix, prefix)),
        }
    }
}
