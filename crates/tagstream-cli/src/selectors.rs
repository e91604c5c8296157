//! Selectors and XPath expressions of the command line: the namespace prefixes that options declare, and the messages about
//! selectors and expressions that are refused. The messages name options of the program, where those of the library name functions.

use crate::failure::Failure;
use crate::options::SelectOptions;
use tagstream::select::{Selector, SelectorErrorKind};
use tagstream::tree::namespaces;
use tagstream::xpath::{XPath, XPathError, XPathErrorKind};
use tagstream::{SelectorError, Writer};

/// A selector or an expression that the command line has.
pub(crate) enum Query {
    Selector(Selector),
    /// An XPath expression, and the selector that selects the same elements, if start tags decide the expression.
    XPath(Box<XPath>, Option<Selector>),
    /// An XPath expression that selects an attribute, the selector of the elements, and the name of the attribute.
    Attribute(Box<XPath>, Selector, String),
}

impl Query {
    /// Compiles the selector or the expression of the subcommand `select`.
    pub(crate) fn new(options: &SelectOptions) -> Result<Query, Failure> {
        let (text, namespaces) = (&options.selector, &options.namespace);
        if !options.xpath {
            return build(text, namespaces).map(Query::Selector);
        }
        let refused = |error| xpath_failure(text, &error);
        let expression = build_xpath(text, namespaces)?;
        match expression.to_selector() {
            Ok(selector) => Ok(Query::XPath(expression.into(), Some(selector))),
            Err(error) => match error.kind() {
                XPathErrorKind::NotOnStreams
                | XPathErrorKind::NotNodes
                | XPathErrorKind::TooLarge => Ok(match expression.to_attribute_selector() {
                    Ok((selector, name)) => Query::Attribute(expression.into(), selector, name),
                    Err(_) => Query::XPath(expression.into(), None),
                }),
                _ => Err(refused(error)),
            },
        }
    }

    /// Returns the selector with which a stream can be searched. Some selectors need a tree all the same.
    pub(crate) fn on_stream(&self) -> Option<&Selector> {
        match self {
            Query::Selector(selector) => Some(selector),
            Query::XPath(_, selector) => selector.as_ref(),
            Query::Attribute(_, selector, _) => Some(selector),
        }
    }

    /// Returns the name of the attribute whose values are the result.
    pub(crate) fn attribute(&self) -> Option<&str> {
        match self {
            Query::Attribute(_, _, name) => Some(name),
            _ => None,
        }
    }
}

/// Compiles a selector. Each item of `namespaces` is `PREFIX=NAMESPACE`.
pub(crate) fn build(selector: &str, namespaces: &[String]) -> Result<Selector, Failure> {
    let mut builder = Selector::builder();
    for (prefix, name) in declarations(namespaces)? {
        builder = builder.namespace(prefix, name);
    }
    let refused = |error| failure(selector, &error);
    builder.build(selector).map_err(refused)
}

/// Compiles an XPath expression. Each item of `namespaces` is `PREFIX=NAMESPACE`.
fn build_xpath(text: &str, namespaces: &[String]) -> Result<XPath, Failure> {
    let mut expression = XPath::new(text).map_err(|error| xpath_failure(text, &error))?;
    for (prefix, name) in declarations(namespaces)? {
        expression = expression.namespace(prefix, name);
    }
    Ok(expression)
}

/// Compiles an XPath expression that start tags decide, and returns the selector of the same elements.
pub(crate) fn build_stream_xpath(text: &str, namespaces: &[String]) -> Result<Selector, Failure> {
    let expression = build_xpath(text, namespaces)?;
    let selector = expression.to_selector();
    selector.map_err(|error| xpath_failure(text, &error))
}

/// Returns the prefix and the namespace of each option `PREFIX=NAMESPACE`. Refuses declarations that XML does not allow,
/// and a prefix that is declared twice.
pub(crate) fn declarations(options: &[String]) -> Result<Vec<(&str, &str)>, Failure> {
    let mut declared: Vec<(&str, &str)> = Vec::new();
    for given in options {
        let declaration = given.split_once('=');
        let Some((prefix, name)) = declaration.filter(|(prefix, _)| !prefix.is_empty()) else {
            return Err(Failure::Unusable(format!(
                "`{given}` is not PREFIX=NAMESPACE"
            )));
        };
        let reason = match prefix {
            "xmlns" => "the prefix `xmlns` cannot be declared".to_owned(),
            "xml" if name != namespaces::XML => {
                format!("the prefix `xml` is always that of {}", namespaces::XML)
            }
            _ if !is_prefix(prefix) => format!("`{prefix}` cannot be a prefix"),
            _ if name.is_empty() => "the namespace is empty".to_owned(),
            _ if declared.iter().any(|(known, _)| *known == prefix) => {
                format!("the prefix `{prefix}` is declared twice")
            }
            _ => {
                declared.push((prefix, name));
                continue;
            }
        };
        return Err(Failure::Unusable(format!("--namespace {given}: {reason}")));
    }
    Ok(declared)
}

/// Returns true if a string can be the prefix of a name: the name of an XML element without a colon.
fn is_prefix(prefix: &str) -> bool {
    let mut writer = Writer::xml(String::new());
    !prefix.contains(':') && writer.start(prefix).is_ok()
}

/// Returns the failure of an expression that is refused.
pub(crate) fn xpath_failure(expression: &str, error: &XPathError) -> Failure {
    let option = match error.kind() {
        XPathErrorKind::UnknownPrefix => ": declare it with --namespace PREFIX=NAMESPACE",
        _ => "",
    };
    Failure::Unusable(format!("`{expression}`: {error}{option}"))
}

/// Returns the failure of a selector that is refused.
pub(crate) fn failure(selector: &str, error: &SelectorError) -> Failure {
    let reason = match error.kind() {
        SelectorErrorKind::UnknownPrefix => {
            let prefix = error.what();
            format!(
                "unknown namespace prefix `{prefix}`: declare it with --namespace {prefix}=NAMESPACE"
            )
        }
        _ => error.to_string(),
    };
    Failure::Unusable(format!("`{selector}`: {reason}"))
}
