//! `Selector` and `XPath`: compiled queries, and strings that are compiled once.

use crate::errors::{selector_error, xpath_error};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict};
use std::borrow::Cow;
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
    fn new(text: &str, namespaces: Option<HashMap<String, String>>) -> PyResult<Selector> {
        let mut builder = tagstream::Selector::builder();
        for (prefix, name) in namespaces.iter().flatten() {
            builder = builder.namespace(prefix, name);
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
        let Ok(text) = object.extract::<Cow<'_, str>>() else {
            return Err(PyTypeError::new_err(
                "expected a selector: a str, a Selector or an XPath",
            ));
        };
        compiled(&text).map(Query::Text).map_err(selector_error)
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
        namespaces: Option<HashMap<String, String>>,
        variables: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<XPath> {
        let mut expression = tagstream::XPath::new(text).map_err(xpath_error)?;
        for (prefix, name) in namespaces.iter().flatten() {
            expression = expression.namespace(prefix, name);
        }
        for (name, value) in variables.into_iter().flatten() {
            let name = name.extract::<String>()?;
            let value = match value.cast::<PyBool>() {
                Ok(value) => XPathVariable::Boolean(value.is_true()),
                Err(_) => match value.extract::<f64>() {
                    Ok(number) => XPathVariable::Number(number),
                    Err(_) => XPathVariable::String(value.extract()?),
                },
            };
            expression = expression.variable(&name, value);
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
        let Ok(text) = object.extract::<Cow<'_, str>>() else {
            return Err(PyTypeError::new_err(
                "expected an expression: a str or an XPath",
            ));
        };
        let expression = tagstream::XPath::new(&text).map_err(xpath_error)?;
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
