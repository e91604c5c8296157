//! The namespace names of HTML, SVG, MathML, XLink, XML and XMLNS.

use crate::engine::namespaces;

/// The name of the namespace of HTML elements.
pub const HTML: &str = namespaces::HTML;
/// The name of the namespace of MathML elements.
pub const MATHML: &str = namespaces::MATHML;
/// The name of the namespace of SVG elements.
pub const SVG: &str = namespaces::SVG;
/// The name of the namespace of XLink attributes, such as `xlink:href`.
pub const XLINK: &str = namespaces::XLINK;
/// The name of the namespace to which the prefix `xml` is always bound.
pub const XML: &str = namespaces::XML;
/// The name of the namespace of the attributes that declare namespaces, such as `xmlns:svg`.
pub const XMLNS: &str = namespaces::XMLNS;

/// The prefixes that need no declaration in selectors and in XPath expressions, each with the name of its namespace.
#[cfg(any(feature = "select", feature = "xpath"))]
pub(crate) const PREDEFINED_PREFIXES: [(&str, &str); 5] = [
    ("html", HTML),
    ("svg", SVG),
    ("math", MATHML),
    ("xlink", XLINK),
    ("xml", XML),
];
