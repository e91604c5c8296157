//! Writes a start tag: its attributes, the requested namespaces of its names, and its namespace declarations.

use super::check::{html_attribute_name, sure};
use super::error::{Reason, Refusal};
use super::html::{Space, changed_by};
use super::scope::{Namespace, Scope};
use super::value::{Escaping, Value, may_declare};
use super::writer_state::{Language, Wanted, WantedNamespace, WriterState};
use crate::engine::namespaces::{XML, declared_prefix};
use crate::engine::work;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt::Write;
use core::ops::Range;

/// Maximum number of attributes of a tag that are compared with each other when they are written. The names of more
/// attributes are compared when the tag is complete.
const MAX_COMPARED_ATTRIBUTES: usize = 8;

impl WriterState {
    /// Notes that a name, by its range in `WriterState::text`, is to be in a namespace.
    pub(super) fn want(&mut self, name: Range<usize>, namespace: Namespace<'_>) {
        let namespace = match namespace {
            Namespace::Shared(shared) => WantedNamespace::Shared(Arc::clone(shared)),
            Namespace::Text(text) => {
                work::count(text.len());
                let from = self.tag.namespaces.len();
                self.tag.namespaces.push_str(text);
                WantedNamespace::Text(from..self.tag.namespaces.len())
            }
        };
        self.tag.wanted.push(Wanted { name, namespace });
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
        match self.language {
            Language::Xml => self.xml_name(name)?,
            Language::Html => html_attribute_name(name)?,
        }
        self.check_first_attributes(name)?;
        let is_spaced = is_xml && self.has_namespaces;
        if let Some(prefix) = is_spaced.then(|| declared_prefix(name)).flatten() {
            return self.declare(name, prefix, value);
        }
        self.check_foreign_attribute(name, value)?;
        // The default namespace is none of attributes.
        let has_prefix = name.as_bytes().contains(&b':');
        // That is bound everywhere, and no other prefix is to its namespace.
        let is_xml_name = has_prefix && name.starts_with("xml:");
        self.tag.has_prefixes |= has_prefix && !is_xml_name;
        let is_in_none = namespace.is_none_or(|namespace| namespace.as_str().is_empty());
        let is_well = has_prefix || is_in_none || !is_spaced;
        sure(is_well, Reason::Prefix, name)?;
        let from = self.text.len() + 1;
        self.push_attribute(name, value)?;
        if !is_xml && self.is_in_html() {
            // HTML reads the name so. In SVG and MathML it may have capitals.
            self.text[from..from + name.len()].make_ascii_lowercase();
        }
        if is_spaced && name == "xml:space" {
            self.keep_space(from);
        }
        if let Some(namespace) = namespace.filter(|_| is_spaced && has_prefix)
            && !(is_xml_name && namespace.as_str() == XML)
        {
            self.want(from..from + name.len(), namespace);
        }
        Ok(())
    }

    /// Refuses an attribute whose name is that of one of the first attributes of the tag.
    fn check_first_attributes(&self, name: &str) -> Result<(), Refusal> {
        if self.tag.attributes.len() >= MAX_COMPARED_ATTRIBUTES {
            return Ok(());
        }
        let is_html = !self.is_xml();
        let is_same = |other: &Range<usize>| {
            work::count(1);
            let other = &self.text[other.clone()];
            other == name || is_html && other.eq_ignore_ascii_case(name)
        };
        let is_repeated = self.tag.attributes.iter().any(is_same);
        sure(!is_repeated, Reason::Duplicate, name)
    }

    /// Writes the attribute `name`, which declares the namespace `value` for `prefix`.
    fn declare(&mut self, name: &str, prefix: &str, value: Value<'_>) -> Result<(), Refusal> {
        self.tag.value.clear();
        let _ = write!(self.tag.value, "{value}");
        may_declare(prefix, &self.tag.value, self.document.is_xml11)?;
        let value = core::mem::take(&mut self.tag.value);
        self.push_attribute(name, Value::Text(&value))?;
        self.tag.declared.push((String::from(prefix), value));
        Ok(())
    }

    /// Refuses an attribute that would end the SVG or MathML in HTML that the tag is part of. Notes it if the attribute
    /// makes the content of the element HTML.
    fn check_foreign_attribute(&mut self, name: &str, value: Value<'_>) -> Result<(), Refusal> {
        let open = self.open.last_mut();
        let Some(open) = open.filter(|open| open.space != Space::Html) else {
            return Ok(());
        };
        let mut written = String::new();
        let _ = write!(written, "{value}");
        let (ends, is_html) = changed_by(&self.names[open.name..], name, &written);
        sure(!ends, Reason::Foreign, name)?;
        if is_html {
            open.within = Space::Html;
        }
        Ok(())
    }

    /// Whether the innermost element is one of HTML, not of SVG or MathML.
    fn is_in_html(&self) -> bool {
        self.open
            .last()
            .is_none_or(|open| open.space == Space::Html)
    }

    /// Writes an attribute; nothing of it, if its value cannot be written.
    fn push_attribute(&mut self, name: &str, value: Value<'_>) -> Result<(), Refusal> {
        let before = self.text.len();
        self.text.push(' ');
        self.text.push_str(name);
        self.text.push_str("=\"");
        let mut escaping = Escaping {
            context: self.escape_context(true),
            out: &mut self.text,
            refusal: None,
        };
        let written = match value {
            Value::Text(text) => escaping.write_str(text),
            Value::Any(value) => write!(escaping, "{value}"),
        };
        let refusal = escaping.refusal;
        if refusal.is_some() || written.is_err() {
            self.text.truncate(before);
            return Err(refusal.unwrap_or_else(|| Refusal::new(Reason::Character, name)));
        }
        self.text.push('"');
        self.tag
            .attributes
            .push(before + 1..before + 1 + name.len());
        Ok(())
    }

    /// Completes the tag that is open, if one is.
    #[inline(always)]
    pub(super) fn close_tag(&mut self, is_empty: bool) -> Result<(), Refusal> {
        if let Some(failed) = &self.failed {
            return Err(failed.clone());
        }
        match self.tag.name.take() {
            Some(name) => {
                let from = name.start - 1;
                self.complete(name, is_empty).inspect_err(|refusal| {
                    // Nothing of it is written.
                    self.text.truncate(from);
                    self.failed = Some(refusal.clone());
                })
            }
            None => Ok(()),
        }
    }

    pub(super) fn complete(&mut self, name: Range<usize>, is_empty: bool) -> Result<(), Refusal> {
        if self.tag.attributes.len() > MAX_COMPARED_ATTRIBUTES {
            self.find_duplicates()?;
        }
        if self.is_xml() && self.has_namespaces {
            for (prefix, namespace) in self.tag.declared.drain(..) {
                self.scope.bind(&prefix, &namespace);
            }
            if !self.tag.wanted.is_empty() {
                self.declare_wanted()?;
            }
            if self.tag.has_prefixes {
                self.find_unbound(name)?;
            }
        }
        self.tag.has_prefixes = false;
        self.tag.attributes.clear();
        self.text.push_str(if is_empty { "/>" } else { ">" });
        Ok(())
    }

    /// Refuses an attribute whose name has come before.
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

    /// Declares the namespaces that names of the tag are to be in, and are not.
    fn declare_wanted(&mut self) -> Result<(), Refusal> {
        if self
            .tag
            .wanted
            .iter()
            .all(bound_in(&mut self.scope, &self.text, &self.tag.namespaces))
        {
            self.tag.wanted.clear();
            self.tag.namespaces.clear();
            return Ok(());
        }
        let wanted = core::mem::take(&mut self.tag.wanted);
        let namespaces = core::mem::take(&mut self.tag.namespaces);
        for Wanted { name, namespace } in &wanted {
            let namespace = namespace.name(&namespaces);
            let name = String::from(&self.text[name.clone()]);
            let prefix = prefix(&name);
            if self.scope.is_bound(prefix, namespace) {
                continue;
            }
            let is_declared = |name: &Range<usize>| {
                let declared = declared_prefix(&self.text[name.clone()]);
                declared == Some(prefix)
            };
            // One prefix for two namespaces, in one tag.
            let is_taken = self.tag.attributes.iter().any(is_declared);
            sure(!is_taken, Reason::Prefix, &name)?;
            let namespace = namespace.as_str();
            may_declare(prefix, namespace, self.document.is_xml11)?;
            let declaration = match prefix {
                "" => String::from("xmlns"),
                prefix => alloc::format!("xmlns:{prefix}"),
            };
            self.push_attribute(&declaration, Value::Text(namespace))?;
            self.scope.bind(prefix, namespace);
        }
        // A later name may have taken the prefix of an earlier one.
        let mut is_bound = bound_in(&mut self.scope, &self.text, &namespaces);
        for one in &wanted {
            sure(is_bound(one), Reason::Prefix, &self.text[one.name.clone()])?;
        }
        drop(is_bound);
        (self.tag.wanted, self.tag.namespaces) = (wanted, namespaces);
        self.tag.wanted.clear();
        self.tag.namespaces.clear();
        Ok(())
    }

    /// Refuses prefixes that are not bound, and attributes that are one by namespace and local name.
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

    /// Leaves the white space in the element that begins as it is, if the attribute that begins here asks for that.
    fn keep_space(&mut self, from: usize) {
        let keeps = self.text[from..].ends_with("=\"preserve\"");
        if let Some(open) = self.open.last_mut().filter(|_| keeps) {
            open.has_text = true;
        }
    }
}

/// The prefix of a name, which is empty if it has none.
fn prefix(name: &str) -> &str {
    name.split_once(':').map_or("", |(prefix, _)| prefix)
}

/// Whether a name is in the namespace that it is to be in. `text` and `namespaces` are those of the writer state.
fn bound_in<'p>(
    scope: &'p mut Scope,
    text: &'p str,
    namespaces: &'p str,
) -> impl FnMut(&Wanted) -> bool + 'p {
    move |wanted| {
        let prefix = prefix(&text[wanted.name.clone()]);
        scope.is_bound(prefix, wanted.namespace.name(namespaces))
    }
}
