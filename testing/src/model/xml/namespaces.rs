//! Namespaces in XML 1.0, for the emitted tags.

use super::Tag;
use super::content::{is_name, is_name_start};

const XML: &str = "http://www.w3.org/XML/1998/namespace";
const XMLNS: &str = "http://www.w3.org/2000/xmlns/";

/// A prefix, which is empty for the default namespace, and the namespace that it is bound to. `None` unbinds the
/// prefix.
type Binding = (String, Option<String>);

/// The bindings of the open elements, the innermost last.
#[derive(Debug, Default)]
pub struct Bindings(Vec<Vec<Binding>>);

/// The namespace of a tag, and its attributes with their namespaces, names and values.
#[derive(Debug, Default)]
pub struct Qualified {
    pub namespace: Option<String>,
    pub attributes: Vec<(Option<String>, String, String)>,
}

impl Bindings {
    /// Drops the bindings of all elements except the first `open` ones.
    pub fn truncate(&mut self, open: usize) {
        self.0.truncate(open);
    }

    /// Opens the element of a start tag.
    pub fn start(&mut self, tag: &Tag) -> Qualified {
        let declared = tag.attributes.iter();
        let declared = declared.filter_map(|(name, value)| declaration(name, value));
        self.0.push(declared.collect());
        let mut qualified = Qualified::default();
        if let Some((prefix, _)) = split(&tag.name) {
            qualified.namespace = self.find(prefix);
        }
        for (name, value) in &tag.attributes {
            let (namespace, local) = match split(name) {
                _ if declaration(name, value).is_some() => (Some(XMLNS.to_owned()), name.as_str()),
                // A declaration that breaks a rule of the reserved names is in no namespace, like an attribute without
                // a prefix.
                Some(("" | "xmlns", local)) => (None, local),
                Some((prefix, local)) => (self.find(prefix), local),
                None => (None, name.as_str()),
            };
            let is_same = |(other, found, _): &(Option<String>, String, String)| {
                let found = split(found).map_or("", |(_, local)| local);
                namespace.is_some() && *other == namespace && found == local
            };
            // If two attributes have the same expanded name, the first is kept.
            if !qualified.attributes.iter().any(is_same) {
                let attribute = (namespace, name.clone(), value.clone());
                qualified.attributes.push(attribute);
            }
        }
        qualified
    }

    fn find(&self, prefix: &str) -> Option<String> {
        if prefix == "xml" {
            return Some(XML.to_owned());
        }
        let all = self.0.iter().rev().flatten();
        let mut found = all.filter(|(bound, _)| bound == prefix);
        found.next().and_then(|(_, namespace)| namespace.clone())
    }
}

/// Returns the prefix and the name that an attribute binds. `None` if it is not a declaration, or if it breaks a rule
/// of the reserved names.
fn declaration(name: &str, value: &str) -> Option<Binding> {
    let prefix = match split(name)? {
        ("", "xmlns") => "",
        ("xmlns", local) => local,
        _ => return None,
    };
    let is_right = match prefix {
        "xml" => value == XML,
        "xmlns" => false,
        _ => value != XML && value != XMLNS,
    };
    // An empty value unbinds a prefix. That is an error, which is reported elsewhere; for the default namespace it is
    // permitted.
    let namespace = (!value.is_empty()).then(|| value.to_owned());
    is_right.then(|| (prefix.to_owned(), namespace))
}

/// Splits a qualified name into its prefix, which may be empty, and its local part. A name without a colon is accepted
/// whatever its characters are, because wrong characters are not an error of namespaces.
fn split(name: &str) -> Option<(&str, &str)> {
    match name.split_once(':') {
        None => Some(("", name)),
        Some((prefix, local)) if is_part(prefix) && is_part(local) => Some((prefix, local)),
        Some(_) => None,
    }
}

/// Returns whether a text is a name without a colon.
fn is_part(name: &str) -> bool {
    name.starts_with(is_name_start) && name.chars().all(|one| is_name(one) && one != ':')
}
