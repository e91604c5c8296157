//! Options by name, for programs that read them from a command line, a file, or another language.
//!
//! A type with options has a table of type [`Table`], and a method `set` that calls [`set`] with the table.

use crate::engine::input::encoding::Encoding;
use crate::engine::limits::Limits;
use alloc::borrow::ToOwned;
use alloc::string::String;

/// The error for an option that cannot be set by its name.
///
/// ```
/// use tagstream::Limits;
///
/// let mut limits = Limits::default();
/// let error = limits.set("deepness", "1").unwrap_err();
/// assert_eq!(error.to_string(), "there is no option `deepness`");
/// let error = limits.set("depth", "-1").unwrap_err();
/// assert_eq!(error.to_string(), "the option `depth` cannot be `-1`: expected a whole number");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OptionError {
    /// There is no option with this name.
    #[error("there is no option `{name}`")]
    Unknown {
        /// The name.
        name: String,
    },
    /// The option cannot have this value.
    #[error("the option `{name}` cannot be `{value}`: expected {expected}")]
    Value {
        /// The name of the option.
        name: String,
        /// The value.
        value: String,
        /// A description of the values that are allowed.
        expected: &'static str,
    },
}

/// A function that sets one option of a `T`. The error is a description of the values that are allowed.
pub(crate) type Set<T> = fn(&mut T, &str) -> Result<(), &'static str>;

/// The options of a `T` by name.
pub(crate) type Table<T> = [(&'static str, Set<T>)];

/// Sets the option with a name.
pub(crate) fn set<T>(
    table: &Table<T>,
    options: &mut T,
    name: &str,
    value: &str,
) -> Result<(), OptionError> {
    match table.iter().find(|(known, _)| *known == name) {
        Some((_, set)) => set(options, value).map_err(|expected| OptionError::Value {
            name: name.to_owned(),
            value: value.to_owned(),
            expected,
        }),
        None => Err(OptionError::Unknown {
            name: name.to_owned(),
        }),
    }
}

/// Stores the value of an option, or returns the error.
pub(crate) fn put<T>(field: &mut T, value: Result<T, &'static str>) -> Result<(), &'static str> {
    *field = value?;
    Ok(())
}

/// Parses the value of an option that is on or off.
pub(crate) fn boolean(value: &str) -> Result<bool, &'static str> {
    match value {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err("`true` or `false`"),
    }
}

/// Parses the label of an encoding. `find` looks the label up as the dialect defines labels.
pub(crate) fn encoding(
    label: &str,
    find: fn(&str) -> Option<Encoding>,
) -> Result<Option<Encoding>, &'static str> {
    match find(label) {
        None => Err("the label of an encoding"),
        found => Ok(found),
    }
}

impl Limits {
    /// Sets the limit with the name of a field, as the field's method does. The value is a whole number.
    ///
    /// ```
    /// use tagstream::Limits;
    ///
    /// let mut limits = Limits::default();
    /// limits.set("depth", "100")?;
    /// assert_eq!(limits, Limits::default().depth(100));
    /// # Ok::<(), tagstream::OptionError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error for a name that is unknown, and for a value that is not a whole number. Nothing changes then.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        if !Limits::names().any(|known| known == name) {
            return Err(OptionError::Unknown {
                name: name.to_owned(),
            });
        }
        let number = value.parse().map_err(|_| OptionError::Value {
            name: name.to_owned(),
            value: value.to_owned(),
            expected: "a whole number",
        })?;
        self.set_number(name, number);
        Ok(())
    }
}
