//! The start tag of a writer: attributes, and the namespace declarations that its names need.

use super::check::{html_attribute_name, sure};
use super::error::{Reason, Refusal};
use super::escape::push;
use super::html::{Space, attribute_effects};
use super::scope::{Namespace, Scope};
use super::value::{Escaping, Value, check_namespace_declaration};
use super::writer_state::{Language, RequestedName, RequestedNamespace, WriterState};
use crate::engine::namespaces::{XML, declared_prefix};
use crate::engine::scan::same;
use crate::engine::text::xml_names::prefix;
use crate::engine::work;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt::Write;
use core::ops::Range;

/// Number of attributes up to which each new attribute of a tag is compared with all others at once. If a tag has more
/// attributes, their names are sorted and compared when the tag is complete, which takes less than quadratic time.
const MAX_COMPARED_ATTRIBUTES: usize = 8;

impl WriterState {
    /// Stores that a name of the unfinished tag must be in `namespace`. `name` is the range of the name in
    /// `WriterState::text`. A namespace to which the prefix is not bound is declared when the tag is complete, because a
    /// later attribute may declare it.
    pub(super) fn request_namespace(
        &mut self,
        name: Range<usize>,
        prefix: &str,
        namespace: Namespace<'_>,
    ) {
        if !namespace.as_str().is_empty() && self.scope.is_bound(prefix, namespace) {
            self.tag.bound.push(name);
            return;
        }
        self.tag.has_prefixes |= !prefix.is_empty();
        let namespace = match namespace {
            Namespace::Shared(shared) => RequestedNamespace::Shared(Arc::clone(shared)),
            Namespace::Text(text) => {
                work::count(text.len());
                let from = self.tag.namespaces.len();
                self.tag.namespaces.push_str(text);
                RequestedNamespace::Text(from..self.tag.namespaces.len())
            }
        };
        self.tag.requested.push(RequestedName { name, namespace });
    }

    /// Writes an attribute of the unfinished tag.
    pub(super) fn attribute(
        &mut self,
        name: &str,
        namespace: Option<Namespace<'_>>,
        value: Value<'_>,
    ) -> Result<(), Refusal> {
        sure(self.tag.name.is_some(), Reason::NoTag, name)?;
        let is_xml = self.is_xml();
        let has_prefix = match self.language {
            Language::Xml => self.xml_name(name)?,
            Language::Html => {
                html_attribute_name(name)?;
                name.contains(':')
            }
        };
        self.check_first_attributes(name)?;
        let is_spaced = is_xml && self.has_namespaces;
        if let Some(prefix) = is_spaced.then(|| declared_prefix(name)).flatten() {
            return self.declare(name, prefix, value);
        }
        self.apply_foreign_attribute(name, value)?;
        // Attributes without a prefix are not in the default namespace.
        // The prefix `xml` is bound in every document, and it is the only prefix for its namespace.
        let is_xml_name = has_prefix && name.starts_with("xml:");
        let is_in_none = namespace.is_none_or(|namespace| namespace.as_str().is_empty());
        let is_well = has_prefix || is_in_none || !is_spaced;
        sure(is_well, Reason::Prefix, name)?;
        let from = self.text.len() + 1;
        self.push_attribute(name, value)?;
        if !is_xml && self.is_in_html() {
            // HTML's parser lowercases the names of attributes, except for some names in SVG and MathML.
            self.text[from..from + name.len()].make_ascii_lowercase();
        }
        if is_spaced && name == "xml:space" {
            self.apply_xml_space(from);
        }
        if let Some(namespace) = namespace.filter(|_| is_spaced && has_prefix)
            && !(is_xml_name && namespace.as_str() == XML)
        {
            let prefix = prefix(name).unwrap_or_default();
            self.request_namespace(from..from + name.len(), prefix, namespace);
        } else {
            self.tag.has_prefixes |= has_prefix && !is_xml_name;
        }
        Ok(())
    }

    /// Returns an error if an attribute of the tag has this name. If the tag has at least [`MAX_COMPARED_ATTRIBUTES`]
    /// attributes, compares nothing: [`find_duplicates`](Self::find_duplicates) finds a repeated name when the tag is
    /// complete.
    fn check_first_attributes(&self, name: &str) -> Result<(), Refusal> {
        if self.tag.attributes.len() >= MAX_COMPARED_ATTRIBUTES {
            return Ok(());
        }
        let is_html = !self.is_xml();
        let is_same = |other: &Range<usize>| {
            work::count(1);
            let other = &self.text.as_bytes()[other.clone()];
            same(other, name.as_bytes()) || is_html && other.eq_ignore_ascii_case(name.as_bytes())
        };
        let is_repeated = self.tag.attributes.iter().any(is_same);
        sure(!is_repeated, Reason::Duplicate, name)
    }

    /// Writes the namespace declaration `name`, which binds `prefix` to the namespace `value`.
    fn declare(&mut self, name: &str, prefix: &str, value: Value<'_>) -> Result<(), Refusal> {
        self.tag.value.clear();
        let _ = write!(self.tag.value, "{value}");
        check_namespace_declaration(prefix, &self.tag.value, self.document.is_xml11)?;
        let value = core::mem::take(&mut self.tag.value);
        self.push_attribute(name, Value::Text(&value))?;
        self.tag.declared.push((String::from(prefix), value));
        Ok(())
    }

    /// Applies the effect of an attribute on an element of SVG or MathML in HTML: if the attribute makes the children
    /// HTML, this is stored in the open element. Returns an error if the attribute would make a parser close the
    /// element.
    fn apply_foreign_attribute(&mut self, name: &str, value: Value<'_>) -> Result<(), Refusal> {
        let open = self.open.last_mut();
        let Some(open) = open.filter(|open| open.space != Space::Html) else {
            return Ok(());
        };
        let mut written = String::new();
        let _ = write!(written, "{value}");
        let (ends, is_html) = attribute_effects(&self.names[open.name..], name, &written);
        sure(!ends, Reason::Foreign, name)?;
        if is_html {
            open.within = Space::Html;
        }
        Ok(())
    }

    /// Returns true if the innermost open element is one of HTML, not of SVG or MathML.
    fn is_in_html(&self) -> bool {
        self.open
            .last()
            .is_none_or(|open| open.space == Space::Html)
    }

    /// Writes an attribute, and stores the range of its name. If the value cannot be written, nothing is written.
    fn push_attribute(&mut self, name: &str, value: Value<'_>) -> Result<(), Refusal> {
        let before = self.text.len();
        self.text.push(' ');
        self.text.push_str(name);
        self.text.push_str("=\"");
        let context = self.escape_context(true);
        let written = match value {
            Value::Text(text) => push(&mut self.text, text, context),
            Value::Any(value) => {
                let mut escaping = Escaping {
                    context,
                    out: &mut self.text,
                    refusal: None,
                };
                let written = write!(escaping, "{value}");
                match escaping.refusal {
                    Some(refusal) => Err(refusal),
                    None => written.map_err(|_| Refusal::new(Reason::Character, name)),
                }
            }
        };
        written.inspect_err(|_| self.text.truncate(before))?;
        self.text.push('"');
        self.tag
            .attributes
            .push(before + 1..before + 1 + name.len());
        Ok(())
    }

    /// Completes the unfinished start tag, if there is one: with `/>` if `is_empty` is true, with `>` otherwise. If the
    /// tag is refused, it is removed from the text, and all later calls return the error.
    #[inline(always)]
    pub(super) fn close_tag(&mut self, is_empty: bool) -> Result<(), Refusal> {
        if let Some(failed) = &self.failed {
            return Err(failed.clone());
        }
        match self.tag.name.take() {
            Some(name) => {
                let from = name.start - 1;
                self.complete(name, is_empty).inspect_err(|refusal| {
                    // Remove the refused tag from the text.
                    self.text.truncate(from);
                    self.failed = Some(refusal.clone());
                })
            }
            None => Ok(()),
        }
    }

    /// Completes a start tag, `name` being the range of its name in `WriterState::text`: checks its attributes and
    /// prefixes, declares the requested namespaces, and writes the end of the tag.
    fn complete(&mut self, name: Range<usize>, is_empty: bool) -> Result<(), Refusal> {
        if self.tag.attributes.len() > MAX_COMPARED_ATTRIBUTES {
            self.find_duplicates()?;
        }
        if self.is_xml() && self.has_namespaces {
            if !(self.tag.declared.is_empty() && self.tag.requested.is_empty())
                || self.tag.is_in_no_namespace && self.scope.len() > 0
            {
                self.declare_all(&name)?;
            }
            let attributes = self.tag.bound.iter().filter(|one| one.start != name.start);
            if self.tag.has_prefixes || attributes.count() > 1 {
                self.find_unbound(name)?;
            }
        }
        (self.tag.has_prefixes, self.tag.is_in_no_namespace) = (false, false);
        self.tag.bound.clear();
        self.tag.attributes.clear();
        self.text.push_str(if is_empty { "/>" } else { ">" });
        Ok(())
    }

    /// Applies the namespace declarations of the tag, and writes those that its names need. `element` is the range of the
    /// element's name.
    fn declare_all(&mut self, element: &Range<usize>) -> Result<(), Refusal> {
        self.request_bound();
        for (prefix, namespace) in self.tag.declared.drain(..) {
            self.scope.bind(&prefix, &namespace);
        }
        // Without any binding, names without a prefix are in no namespace.
        if self.tag.is_in_no_namespace && (self.scope.len() > 0 || !self.tag.requested.is_empty()) {
            let namespace = RequestedNamespace::Text(0..0);
            let name = element.clone();
            self.tag
                .requested
                .insert(0, RequestedName { name, namespace });
        }
        match self.tag.requested.is_empty() {
            true => Ok(()),
            false => self.declare_requested(),
        }
    }

    /// Requests the namespaces to which the prefixes of names are bound before the tag, because the tag may bind the
    /// prefixes to others. The requests are then in the order of the names.
    fn request_bound(&mut self) {
        let mut others = core::mem::take(&mut self.tag.requested)
            .into_iter()
            .peekable();
        for name in self.tag.bound.iter().cloned() {
            while let Some(other) = others.next_if(|other| other.name.start < name.start) {
                self.tag.requested.push(other);
            }
            let prefix = prefix(&self.text[name.clone()]).unwrap_or_default();
            self.tag.has_prefixes |= !prefix.is_empty();
            // No declaration can bind the prefix `xml` to another namespace.
            if prefix == "xml" {
                continue;
            }
            let namespace = self.scope.namespace(prefix).map(Arc::clone);
            let none = RequestedNamespace::Text(0..0);
            let namespace = namespace.map_or(none, RequestedNamespace::Shared);
            self.tag.requested.push(RequestedName { name, namespace });
        }
        self.tag.requested.extend(others);
    }

    /// Returns an error if two attributes of the tag have the same name. Takes n log n comparisons.
    #[cold]
    fn find_duplicates(&self) -> Result<(), Refusal> {
        let mut names: Vec<String> = self
            .tag
            .attributes
            .iter()
            .map(|name| match self.language {
                Language::Xml => String::from(&self.text[name.clone()]),
                Language::Html => self.text[name.clone()].to_ascii_lowercase(),
            })
            .collect();
        names.sort_unstable();
        match names.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(Refusal::new(Reason::Duplicate, &pair[0])),
            None => Ok(()),
        }
    }

    /// Writes a namespace declaration for each name of the tag whose prefix is not bound to the requested namespace.
    fn declare_requested(&mut self) -> Result<(), Refusal> {
        if self.tag.requested.iter().all(is_bound_in(
            &mut self.scope,
            &self.text,
            &self.tag.namespaces,
        )) {
            self.tag.requested.clear();
            self.tag.namespaces.clear();
            return Ok(());
        }
        let requested = core::mem::take(&mut self.tag.requested);
        let namespaces = core::mem::take(&mut self.tag.namespaces);
        for RequestedName { name, namespace } in &requested {
            let namespace = namespace.name(&namespaces);
            let name = String::from(&self.text[name.clone()]);
            let prefix = prefix(&name).unwrap_or_default();
            if self.scope.is_bound(prefix, namespace) {
                continue;
            }
            let is_declared = |name: &Range<usize>| {
                let declared = declared_prefix(&self.text[name.clone()]);
                declared == Some(prefix)
            };
            // The tag declares this prefix for another namespace already.
            let is_taken = self.tag.attributes.iter().any(is_declared);
            sure(!is_taken, Reason::Prefix, &name)?;
            let namespace = namespace.as_str();
            check_namespace_declaration(prefix, namespace, self.document.is_xml11)?;
            let declaration = match prefix {
                "" => String::from("xmlns"),
                prefix => alloc::format!("xmlns:{prefix}"),
            };
            self.push_attribute(&declaration, Value::Text(namespace))?;
            self.scope.bind(prefix, namespace);
        }
        // The declaration for a later name may have bound the prefix of an earlier one to another namespace.
        let mut is_bound = is_bound_in(&mut self.scope, &self.text, &namespaces);
        for one in &requested {
            sure(is_bound(one), Reason::Prefix, &self.text[one.name.clone()])?;
        }
        drop(is_bound);
        (self.tag.requested, self.tag.namespaces) = (requested, namespaces);
        self.tag.requested.clear();
        self.tag.namespaces.clear();
        Ok(())
    }

    /// Returns an error if a prefix in the tag is not bound, or if two attributes have the same namespace and local
    /// name.
    fn find_unbound(&self, name: Range<usize>) -> Result<(), Refusal> {
        let name = &self.text[name];
        if let Some((prefix, _)) = name.split_once(':') {
            let is_bound = self.scope.find(prefix).is_some() && prefix != "xmlns";
            sure(is_bound, Reason::Prefix, name)?;
        }
        let mut prefixed = Vec::new();
        for name in &self.tag.attributes {
            let name = &self.text[name.clone()];
            let Some((prefix, local)) = name.split_once(':') else {
                continue;
            };
            if prefix == "xmlns" {
                continue;
            }
            let namespace = self.scope.find(prefix);
            sure(namespace.is_some(), Reason::Prefix, name)?;
            prefixed.push((local, namespace));
        }
        if prefixed.len() > 1 {
            prefixed.sort_unstable();
            if let Some(pair) = prefixed.windows(2).find(|pair| pair[0] == pair[1]) {
                return Err(Refusal::new(Reason::Duplicate, pair[0].0));
            }
        }
        Ok(())
    }

    /// Applies `xml:space` to the innermost element: if the attribute at `attribute_start` in the text has the value
    /// `preserve`, no whitespace is inserted in the element.
    fn apply_xml_space(&mut self, attribute_start: usize) {
        let keeps = self.text[attribute_start..].ends_with("=\"preserve\"");
        if let Some(open) = self.open.last_mut().filter(|_| keeps) {
            open.has_text = true;
        }
    }
}

/// Returns a function that returns true if a name has a prefix that is bound to the requested namespace. `text` is
/// [`WriterState::text`], and `namespaces` is
/// [`UnfinishedTag::namespaces`](super::writer_state::UnfinishedTag::namespaces).
fn is_bound_in<'p>(
    scope: &'p mut Scope,
    text: &'p str,
    namespaces: &'p str,
) -> impl FnMut(&RequestedName) -> bool + 'p {
    move |requested| {
        let prefix = prefix(&text[requested.name.clone()]).unwrap_or_default();
        scope.is_bound(prefix, requested.namespace.name(namespaces))
    }
}
