//! Keyword arguments as a dialect and limits.
//!
//! The library knows the options by name, so an option that a dialect gets there is a keyword argument here without
//! further code.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyInt, PyMapping, PyString};
use tagstream::{AnyDialect, Limits, OptionError};

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
        let text = text_of(name, value)?;
        let result = match name {
            "recover" => {
                let strict = match text.as_str() {
                    "true" => "false",
                    "false" => "true",
                    _ => {
                        return Err(PyValueError::new_err(format!(
                            "the option 'recover' cannot be '{text}': expected True or False"
                        )));
                    }
                };
                self.dialect.set("strict", strict)
            }
            _ => self.dialect.set(name, &text),
        };
        result.map_err(|error| match error {
            OptionError::Unknown { .. } => {
                PyTypeError::new_err(format!("the dialect {dialect} has no option '{name}'"))
            }
            error => PyValueError::new_err(error.to_string()),
        })
    }

    fn set_limits(&mut self, limits: &Bound<'_, PyAny>) -> PyResult<()> {
        for item in limits.cast::<PyMapping>()?.items()?.iter() {
            let (name, value): (String, Bound<'_, PyAny>) = item.extract()?;
            let text = text_of(&name, &value)?;
            self.limits
                .set(&name, &text)
                .map_err(|error| PyValueError::new_err(error.to_string()))?;
        }
        Ok(())
    }
}

/// Returns the value of an option in the form in which the library reads values: `true`, `false`, a number, a string, or
/// strings with commas between them.
pub(crate) fn text_of(name: &str, value: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(value) = value.cast::<PyBool>() {
        return Ok(value.is_true().to_string());
    }
    if value.is_instance_of::<PyString>()
        || value.is_instance_of::<PyInt>()
        || value.extract::<f64>().is_ok()
    {
        return Ok(value.str()?.to_str()?.to_owned());
    }
    match value.extract::<Vec<String>>() {
        Ok(names) => Ok(names.join(",")),
        Err(_) => Err(PyTypeError::new_err(format!(
            "the option '{name}' has a value of another type"
        ))),
    }
}
