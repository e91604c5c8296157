//! `Sanitizer` and `sanitize`.

use crate::settings::{Kind, text_of, wrong_type};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use std::borrow::Cow;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// Removes from HTML everything that is not allowed. A sanitizer is created once and used for any number of strings, by
/// any threads.
///
/// The policy is standard (the default of the HTML standard), user-content (for text by users), all or nothing. The options
/// change it: allow_elements, remove_elements, replace_with_children, allow_attributes, remove_attributes,
/// allow_processing_instructions, remove_processing_instructions and url_schemes are iterables of names (in those of
/// attributes, "a@href" is an attribute of one element); link_rel is a str; comments, data_attributes and
/// processing_instructions are True or False. Scripts are removed by every policy. attribute_filter is called with the
/// name of the element, the name of the attribute and its value, and returns the value that stays, or None. An exception
/// in it removes the attribute, and is reported as an exception that cannot be raised (sys.unraisablehook).
///
/// Raises ValueError for a policy or a name that is unknown, and TypeError for an option that is unknown or has a value of
/// another type.
///
/// >>> import tagstream
/// >>> comments = tagstream.Sanitizer("user-content", link_rel="nofollow")
/// >>> comments.clean("<p onclick=evil()>Hi <a href='https://example.org'>there</a><script>evil()</script>")
/// '<p>Hi <a href="https://example.org" rel="nofollow">there</a></p>'
#[pyclass(frozen, module = "tagstream")]
pub(crate) struct Sanitizer {
    /// The sanitizer, without the filter of attributes.
    plain: tagstream::Sanitizer,
    /// The filter of attributes, if there is one.
    filter: Mutex<Option<Filter>>,
}

/// A function of Python that filters attributes, and the sanitizer that calls it.
#[derive(Clone)]
struct Filter {
    function: Arc<Py<PyAny>>,
    sanitizer: Arc<tagstream::Sanitizer>,
}

impl Sanitizer {
    fn filter(&self) -> Option<Filter> {
        self.filter
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Returns true if the sanitizer calls a function of Python.
    pub(crate) fn has_filter(&self) -> bool {
        self.filter().is_some()
    }

    pub(crate) fn without_filter(&self) -> &tagstream::Sanitizer {
        &self.plain
    }

    /// Sanitizes markup that is the content of an element with the name `context`.
    pub(crate) fn clean_in(&self, py: Python<'_>, markup: &str, context: &str) -> PyResult<String> {
        let filter = self.filter();
        let sanitizer = filter
            .as_ref()
            .map_or(&self.plain, |filter| &filter.sanitizer);
        let clean = py.detach(|| sanitizer.clean_in(context, markup));
        clean.map_err(|error| PyValueError::new_err(error.to_string()))
    }
}

#[pymethods]
impl Sanitizer {
    #[new]
    #[pyo3(signature = (policy="standard", *, attribute_filter=None, **options))]
    fn new(
        policy: &str,
        attribute_filter: Option<&Bound<'_, PyAny>>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Sanitizer> {
        let mut plain = policy_of(policy)?;
        for (name, value) in options.into_iter().flatten() {
            if !value.is_none() {
                let name = name.cast::<PyString>()?.to_str()?.to_owned();
                let Some(kind) = kind_of(&name) else {
                    let message = format!("a sanitizer has no option '{name}'");
                    return Err(PyTypeError::new_err(message));
                };
                let text = text_of(&name, &value, kind)?;
                if let Err(error) = plain.set(&name, &text) {
                    return Err(PyValueError::new_err(match kind {
                        // The library expects strings with commas.
                        Kind::Names => {
                            format!("the option '{name}' cannot contain {text:?}: expected names")
                        }
                        _ => error.to_string(),
                    }));
                }
            }
        }
        if let Some(function) = attribute_filter
            && !function.is_callable()
        {
            return Err(wrong_type("attribute_filter", "a function", function));
        }
        let filter = attribute_filter.map(|function| {
            let function = Arc::new(function.clone().unbind());
            let called = Arc::clone(&function);
            let sanitizer = plain.clone().attribute_filter(move |element, name, value| {
                Python::attach(|py| call_filter(py, &called, element, name, value)).map(Cow::Owned)
            });
            Filter {
                function,
                sanitizer: Arc::new(sanitizer),
            }
        });
        Ok(Sanitizer {
            plain,
            filter: Mutex::new(filter),
        })
    }

    /// Visits the filter, which may refer to the sanitizer. Its function is shared by all copies of the filter, so it is
    /// one reference for the garbage collector.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        match self.filter.try_lock() {
            Ok(filter) => filter
                .iter()
                .try_for_each(|filter| visit.call(&*filter.function)),
            Err(_) => Ok(()),
        }
    }

    fn __clear__(&self) {
        let filter = self
            .filter
            .try_lock()
            .ok()
            .and_then(|mut filter| filter.take());
        // Dropped after the lock is given back, because that may call a finalizer.
        drop(filter);
    }

    /// Sanitizes a fragment of HTML, which is the content of an element with the name context.
    #[pyo3(signature = (markup, *, context="div"))]
    fn clean(&self, py: Python<'_>, markup: &str, context: &str) -> PyResult<String> {
        self.clean_in(py, markup, context)
    }
}

/// Returns the kind of an option, or `None` if there is none with this name.
fn kind_of(name: &str) -> Option<Kind> {
    Some(match name {
        "allow_elements"
        | "remove_elements"
        | "replace_with_children"
        | "allow_attributes"
        | "remove_attributes"
        | "allow_processing_instructions"
        | "remove_processing_instructions"
        | "url_schemes" => Kind::Names,
        "link_rel" => Kind::Text,
        "comments" | "data_attributes" | "processing_instructions" => Kind::Flag,
        _ => return None,
    })
}

fn policy_of(name: &str) -> PyResult<tagstream::Sanitizer> {
    Ok(match name {
        "standard" => tagstream::Sanitizer::default(),
        "user-content" => tagstream::Sanitizer::user_content(),
        "all" => tagstream::Sanitizer::allow_all(),
        "nothing" => tagstream::Sanitizer::allow_nothing(),
        other => {
            return Err(PyValueError::new_err(format!(
                "there is no policy '{other}'"
            )));
        }
    })
}

/// Calls the filter of attributes. An exception removes the attribute and is reported as unraisable, because the filter
/// has no other way to stop the sanitizer.
fn call_filter(
    py: Python<'_>,
    filter: &Py<PyAny>,
    element: &str,
    name: &str,
    value: &str,
) -> Option<String> {
    let result = filter
        .call1(py, (element, name, value))
        .and_then(|result| result.extract(py));
    result.unwrap_or_else(|error: PyErr| {
        error.write_unraisable(py, None);
        None
    })
}

/// Sanitizes a fragment of HTML by the default of the HTML standard, or by another policy: see Sanitizer.
///
/// >>> import tagstream
/// >>> tagstream.sanitize("<b onclick=evil()>Hi<script>evil()</script>")
/// '<b>Hi</b>'
#[pyfunction]
#[pyo3(signature = (markup, policy="standard"))]
pub(crate) fn sanitize(py: Python<'_>, markup: &str, policy: &str) -> PyResult<String> {
    static STANDARD: LazyLock<tagstream::Sanitizer> = LazyLock::new(tagstream::Sanitizer::default);
    static USER: LazyLock<tagstream::Sanitizer> = LazyLock::new(tagstream::Sanitizer::user_content);
    match policy {
        "standard" => Ok(py.detach(|| STANDARD.clean(markup))),
        "user-content" => Ok(py.detach(|| USER.clean(markup))),
        other => {
            let sanitizer = policy_of(other)?;
            Ok(py.detach(|| sanitizer.clean(markup)))
        }
    }
}
