//! The options of a [`Sanitizer`] by name.

use super::names::{NameError, NameKind};
use super::sanitizer::Sanitizer;
use crate::engine::options::{OptionError, Table, boolean, set};
use alloc::vec::Vec;

/// A method that takes a list of names.
type Method = fn(Sanitizer, &[&str]) -> Result<Sanitizer, NameError>;

/// A method that takes the name of an element and a list of names.
type MethodOn = fn(Sanitizer, &str, &[&str]) -> Result<Sanitizer, NameError>;

fn names(value: &str) -> Vec<&str> {
    let names = value.split(',').map(str::trim);
    names.filter(|name| !name.is_empty()).collect()
}

/// Calls a method with the names of a list.
fn list(sanitizer: &mut Sanitizer, value: &str, method: Method) -> Result<(), &'static str> {
    let changed = method(sanitizer.clone(), &names(value));
    *sanitizer = changed.map_err(|error| match error.kind() {
        NameKind::SetUrl => "names that include the schemes of the URLs that are set",
        _ => "names with commas between them",
    })?;
    Ok(())
}

/// Calls a method for each attribute of a list: `title` is an attribute of every element, `a@href` of one.
fn attributes(
    sanitizer: &mut Sanitizer,
    value: &str,
    method: Method,
    method_on: MethodOn,
) -> Result<(), &'static str> {
    let mut changed = sanitizer.clone();
    for name in names(value) {
        let next = match name.split_once('@') {
            Some((element, attribute)) => method_on(changed, element, &[attribute]),
            None => method(changed, &[name]),
        };
        changed = next
            .map_err(|_| "names of attributes, or `element@attribute`, with commas between them")?;
    }
    *sanitizer = changed;
    Ok(())
}

/// Calls a method with `true` or `false`.
fn flag(
    sanitizer: &mut Sanitizer,
    value: &str,
    method: fn(Sanitizer, bool) -> Sanitizer,
) -> Result<(), &'static str> {
    *sanitizer = method(sanitizer.clone(), boolean(value)?);
    Ok(())
}

/// The options that have a name.
const OPTIONS: &Table<Sanitizer> = &[
    ("allow_elements", |sanitizer, value| {
        list(sanitizer, value, Sanitizer::allow_elements)
    }),
    ("remove_elements", |sanitizer, value| {
        list(sanitizer, value, Sanitizer::remove_elements)
    }),
    ("replace_with_children", |sanitizer, value| {
        list(sanitizer, value, Sanitizer::replace_with_children)
    }),
    ("allow_attributes", |sanitizer, value| {
        let on = Sanitizer::allow_attributes_on;
        attributes(sanitizer, value, Sanitizer::allow_attributes, on)
    }),
    ("remove_attributes", |sanitizer, value| {
        let on = Sanitizer::remove_attributes_on;
        attributes(sanitizer, value, Sanitizer::remove_attributes, on)
    }),
    ("allow_processing_instructions", |sanitizer, value| {
        list(sanitizer, value, Sanitizer::allow_processing_instructions)
    }),
    ("remove_processing_instructions", |sanitizer, value| {
        list(sanitizer, value, Sanitizer::remove_processing_instructions)
    }),
    ("url_schemes", |sanitizer, value| {
        list(sanitizer, value, Sanitizer::url_schemes)
    }),
    ("link_rel", |sanitizer, value| {
        *sanitizer = sanitizer.clone().link_rel(value);
        Ok(())
    }),
    ("comments", |sanitizer, value| {
        flag(sanitizer, value, Sanitizer::comments)
    }),
    ("data_attributes", |sanitizer, value| {
        flag(sanitizer, value, Sanitizer::data_attributes)
    }),
    ("processing_instructions", |sanitizer, value| {
        flag(sanitizer, value, Sanitizer::processing_instructions)
    }),
];

impl Sanitizer {
    /// Sets an option by its name, which is that of the method: `allow_elements`, `remove_elements`,
    /// `replace_with_children`, `allow_attributes`, `remove_attributes`, `allow_processing_instructions`,
    /// `remove_processing_instructions` or `url_schemes`, whose values are lists with commas; `link_rel`; or `comments`,
    /// `data_attributes` or `processing_instructions`, which are `true` or `false`. In lists of attributes, `title` is an
    /// attribute of every element, and `a@href` of one element.
    ///
    /// ```
    /// use tagstream::Sanitizer;
    ///
    /// let mut sanitizer = Sanitizer::allow_nothing();
    /// sanitizer.set("allow_elements", "a,b")?;
    /// sanitizer.set("allow_attributes", "a@href")?;
    /// assert_eq!(sanitizer.clean("<a href=c id=d>e</a><b href=f>g</b>"), r#"<a href="c">e</a><b>g</b>"#);
    /// # Ok::<(), tagstream::OptionError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error for a name that is unknown, and for a value that is not allowed. Nothing changes then.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        set(OPTIONS, self, name, value)
    }
}
