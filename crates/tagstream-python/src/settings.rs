//! Keyword arguments as a dialect and limits.
//!
//! The library sets options by name, from strings. Each option of this package has a [`Kind`], which is the type of its
//! values in Python; a value of another type raises TypeError.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt, PyMapping, PyString};
use tagstream::{AnyDialect, Limits, OptionError};

/// The type of the values of an option.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    /// `bool`.
    Flag,
    /// `str`.
    Text,
    /// An iterable of `str` that is not a `str`.
    Names,
    /// `int`.
    Number,
    /// `float` or `int`.
    Fraction,
}

impl Kind {
    fn expected(self) -> &'static str {
        match self {
            Kind::Flag => "True or False",
            Kind::Text => "a str",
            Kind::Names => "an iterable of str",
            Kind::Number => "an int",
            Kind::Fraction => "a float",
        }
    }
}

/// Returns the kind of an option of a dialect, or `None` if no dialect has it in Python.
fn kind_of(dialect: &str, name: &str) -> Option<Kind> {
    Some(match name {
        "fragment" if dialect == "html" => Kind::Text,
        "comments"
        | "doctype"
        | "fragment"
        | "html_entities"
        | "namespaces"
        | "processing_instructions"
        | "recover"
        | "scripting"
        | "shadow_roots" => Kind::Flag,
        "content_type" | "context" | "encoding" | "fallback_encoding" | "revision" => Kind::Text,
        "registered" => Kind::Names,
        _ => return None,
    })
}

/// A dialect with its options, and the limits of a parse.
#[derive(Clone)]
pub(crate) struct Settings {
    pub(crate) dialect: AnyDialect,
    pub(crate) limits: Limits,
}

impl Settings {
    /// Returns the dialect with a name and with the options that keyword arguments set. An argument that is `None` sets
    /// nothing. XML and MicroXML are strict, unless `recover` is true.
    pub(crate) fn new(name: &str, options: Option<&Bound<'_, PyDict>>) -> PyResult<Settings> {
        let Some(dialect) = AnyDialect::new(name) else {
            return Err(PyValueError::new_err(format!(
                "there is no dialect '{name}'"
            )));
        };
        let mut settings = Settings {
            dialect,
            limits: Limits::default(),
        };
        // Dialects without the option ignore nothing of their input in the first place.
        let _ = settings.dialect.set("strict", "true");
        for (key, value) in options.into_iter().flatten() {
            if !value.is_none() {
                settings.set(name, key.cast::<PyString>()?.to_str()?, &value)?;
            }
        }
        Ok(settings)
    }

    fn set(&mut self, dialect: &str, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        if name == "limits" {
            return self.set_limits(value);
        }
        let unknown =
            || PyTypeError::new_err(format!("the dialect {dialect} has no option '{name}'"));
        let text = text_of(name, value, kind_of(dialect, name).ok_or_else(unknown)?)?;
        let result = match name {
            "recover" => {
                let strict = if text == "true" { "false" } else { "true" };
                self.dialect.set("strict", strict)
            }
            _ => self.dialect.set(name, &text),
        };
        result.map_err(|error| match error {
            OptionError::Unknown { .. } => unknown(),
            error => PyValueError::new_err(error.to_string()),
        })
    }

    fn set_limits(&mut self, limits: &Bound<'_, PyAny>) -> PyResult<()> {
        for (name, value) in entries("limits", limits)? {
            let text = text_of(&name, &value, Kind::Number)?;
            self.limits
                .set(&name, &text)
                .map_err(|error| PyValueError::new_err(error.to_string()))?;
        }
        Ok(())
    }
}

/// Returns the items of a mapping whose keys are strings.
pub(crate) fn entries<'py>(
    option: &str,
    mapping: &Bound<'py, PyAny>,
) -> PyResult<Vec<(String, Bound<'py, PyAny>)>> {
    let Ok(mapping) = mapping.cast::<PyMapping>() else {
        return Err(wrong_type(option, "a mapping", mapping));
    };
    let entry = |item: Bound<'py, PyAny>| {
        let (key, value): (Bound<'py, PyAny>, Bound<'py, PyAny>) = item.extract()?;
        match str_of(&key)? {
            Some(name) => Ok((name.to_owned(), value)),
            None => Err(wrong_type(option, "a mapping from str", &key)),
        }
    };
    mapping.items()?.iter().map(entry).collect()
}

/// Returns the text of a `str`, or `None` for another object. A string with surrogates has no UTF-8: the exception is
/// UnicodeEncodeError.
pub(crate) fn str_of<'a>(object: &'a Bound<'_, PyAny>) -> PyResult<Option<&'a str>> {
    match object.cast::<PyString>() {
        Ok(text) => text.to_str().map(Some),
        Err(_) => Ok(None),
    }
}

/// Returns the value of an option in the form in which the library reads values: `true`, `false`, a number, a string, or
/// strings with commas between them.
pub(crate) fn text_of(name: &str, value: &Bound<'_, PyAny>, kind: Kind) -> PyResult<String> {
    // numpy has a bool and integers of its own, which are good too.
    let flag = value.extract::<bool>().ok();
    let text = match kind {
        Kind::Flag => flag.map(|flag| flag.to_string()),
        Kind::Text => str_of(value)?.map(str::to_owned),
        Kind::Names => names_of(name, value)?,
        _ if flag.is_some() => None,
        Kind::Number => match value.extract::<u64>() {
            Ok(number) => Some(number.to_string()),
            // The library says which numbers are allowed.
            Err(_) if value.is_instance_of::<PyInt>() => Some(value.str()?.to_string()),
            Err(_) => None,
        },
        Kind::Fraction => value.extract::<f64>().ok().map(|number| number.to_string()),
    };
    text.ok_or_else(|| wrong_type(name, kind.expected(), value))
}

/// Returns the strings of an iterable with commas between them, or `None` for an object that is no iterable of strings.
fn names_of(option: &str, value: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    if value.is_instance_of::<PyString>() {
        return Ok(None);
    }
    let Ok(iterator) = value.try_iter() else {
        return Ok(None);
    };
    let mut names = Vec::new();
    for item in iterator {
        let item = item?;
        let Some(name) = str_of(&item)? else {
            return Err(wrong_type(option, "an iterable of str", &item));
        };
        // The library would read these strings as other names, or as several.
        if name.is_empty() || name.contains(',') || name.trim() != name {
            return Err(PyValueError::new_err(format!(
                "the option '{option}' cannot contain {name:?}: expected names"
            )));
        }
        names.push(name.to_owned());
    }
    Ok(Some(names.join(",")))
}

/// Returns the exception for a value of an option that has another type than `expected`.
pub(crate) fn wrong_type(option: &str, expected: &str, value: &Bound<'_, PyAny>) -> PyErr {
    match value.get_type().name() {
        Ok(found) => PyTypeError::new_err(format!(
            "the option '{option}' must be {expected}, not {found}"
        )),
        Err(error) => error,
    }
}
