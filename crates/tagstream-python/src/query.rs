//! `Selector` and `XPath`: compiled queries, and strings that are compiled once.

use crate::errors::{selector_error, xpath_error};
use crate::settings::{Kind, entries, str_of, text_of, wrong_type};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyBool;
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use tagstream::xpath::XPathVariable;

/// A compiled CSS selector, for programs that use it often, and for selectors with namespaces.
///
/// Raises `SelectorError` if the text is no selector, or if its prefixes are not declared.
///
/// >>> import tagstream
/// >>> atom = tagstream.Selector("atom|title", namespaces={"atom": "http://www.w3.org/2005/Atom"})
/// >>> feed = tagstream.parse_xml('<feed xmlns="http://www.w3.org/2005/Atom"><title>News</title></feed>')
/// >>> feed.select_one(atom).text
/// 'News'
#[pyclass(frozen, module = "tagstream")]
pub(crate) struct Selector(pub(crate) tagstream::Selector);

#[pymethods]
impl Selector {
    #[new]
    #[pyo3(signature = (text, *, namespaces=None))]
    fn new(text: &str, namespaces: Option<&Bound<'_, PyAny>>) -> PyResult<Selector> {
        let mut builder = tagstream::Selector::builder();
        for (prefix, name) in prefixes(namespaces)? {
            builder = builder.namespace(&prefix, &name);
        }
        builder.build(text).map(Selector).map_err(selector_error)
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Selector({:?})", self.0.to_string())
    }
}

/// Returns the prefixes of namespaces with their names.
fn prefixes(namespaces: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<(String, String)>> {
    let Some(namespaces) = namespaces else {
        return Ok(Vec::new());
    };
    let named = |(prefix, name): (String, Bound<'_, PyAny>)| {
        Ok((prefix, text_of("namespaces", &name, Kind::Text)?))
    };
    let entries = entries("namespaces", namespaces)?;
    entries.into_iter().map(named).collect()
}

/// A selector as an argument: a string, a compiled selector, or an expression of XPath that is as good as a selector.
pub(crate) enum Query {
    Text(Arc<tagstream::Selector>),
    Compiled(Py<Selector>),
}

/// Maximum number of selectors in the cache.
const MAX_CACHED_SELECTORS: usize = 512;

/// Compiles a selector, or returns it from a cache. No thread calls Python while it has the lock of the cache.
fn compiled(text: &str) -> Result<Arc<tagstream::Selector>, tagstream::SelectorError> {
    static CACHE: LazyLock<Mutex<HashMap<String, Arc<tagstream::Selector>>>> =
        LazyLock::new(Mutex::default);
    let lock = || CACHE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(selector) = lock().get(text) {
        return Ok(Arc::clone(selector));
    }
    let selector = Arc::new(tagstream::Selector::new(text)?);
    let mut cache = lock();
    if cache.len() >= MAX_CACHED_SELECTORS {
        cache.clear();
    }
    cache.insert(text.to_owned(), Arc::clone(&selector));
    Ok(selector)
}

impl<'a, 'py> FromPyObject<'a, 'py> for Query {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Query> {
        if let Ok(compiled) = object.cast::<Selector>() {
            return Ok(Query::Compiled(compiled.to_owned().unbind()));
        }
        if let Ok(expression) = object.cast::<XPath>() {
            let selector = expression.get().0.to_selector().map_err(xpath_error)?;
            return Ok(Query::Text(Arc::new(selector)));
        }
        let Some(text) = str_of(&object)? else {
            return Err(PyTypeError::new_err(
                "expected a selector: a str, a Selector or an XPath",
            ));
        };
        compiled(text).map(Query::Text).map_err(selector_error)
    }
}

impl AsRef<tagstream::Selector> for Query {
    fn as_ref(&self) -> &tagstream::Selector {
        match self {
            Query::Text(selector) => selector,
            Query::Compiled(selector) => &selector.get().0,
        }
    }
}

/// A compiled expression of XPath 1.0, with namespaces and variables.
///
/// Where a selector is expected, an expression can be given too if start tags decide it: "//entry/title" and not
/// "//entry[last()]".
///
/// Raises `XPathError` if the text is no expression.
///
/// >>> import tagstream
/// >>> cheap = tagstream.XPath("//book[price < $most]/@id", variables={"most": 10})
/// >>> books = tagstream.parse_xml("<books><book id='a'><price>8</price></book><book id='b'/></books>")
/// >>> books.xpath(cheap)
/// ['a']
#[pyclass(frozen, module = "tagstream")]
pub(crate) struct XPath(pub(crate) tagstream::XPath, String);

#[pymethods]
impl XPath {
    #[new]
    #[pyo3(signature = (text, *, namespaces=None, variables=None))]
    fn new(
        text: &str,
        namespaces: Option<&Bound<'_, PyAny>>,
        variables: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<XPath> {
        let mut expression = tagstream::XPath::new(text).map_err(xpath_error)?;
        for (prefix, name) in prefixes(namespaces)? {
            expression = expression.namespace(&prefix, &name);
        }
        if let Some(variables) = variables {
            for (name, value) in entries("variables", variables)? {
                expression = expression.variable(&name, variable(&value)?);
            }
        }
        Ok(XPath(expression, text.to_owned()))
    }

    fn __str__(&self) -> &str {
        &self.1
    }

    fn __repr__(&self) -> String {
        format!("XPath({:?})", self.1)
    }
}

/// Returns the value of a variable.
fn variable(value: &Bound<'_, PyAny>) -> PyResult<XPathVariable> {
    if let Ok(value) = value.cast::<PyBool>() {
        return Ok(XPathVariable::Boolean(value.is_true()));
    }
    if let Some(text) = str_of(value)? {
        return Ok(XPathVariable::String(text.to_owned()));
    }
    match value.extract::<f64>() {
        Ok(number) => Ok(XPathVariable::Number(number)),
        Err(_) => Err(wrong_type(
            "variables",
            "a mapping to str, float or bool",
            value,
        )),
    }
}

/// An expression as an argument: a string or a compiled expression.
pub(crate) enum Expression {
    Text(Box<tagstream::XPath>),
    Compiled(Py<XPath>),
}

impl<'a, 'py> FromPyObject<'a, 'py> for Expression {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Expression> {
        if let Ok(compiled) = object.cast::<XPath>() {
            return Ok(Expression::Compiled(compiled.to_owned().unbind()));
        }
        let Some(text) = str_of(&object)? else {
            return Err(PyTypeError::new_err(
                "expected an expression: a str or an XPath",
            ));
        };
        let expression = tagstream::XPath::new(text).map_err(xpath_error)?;
        Ok(Expression::Text(Box::new(expression)))
    }
}

impl AsRef<tagstream::XPath> for Expression {
    fn as_ref(&self) -> &tagstream::XPath {
        match self {
            Expression::Text(expression) => expression,
            Expression::Compiled(expression) => &expression.get().0,
        }
    }
}
