//! The namespace names of HTML, SVG, MathML, XLink, XML and XMLNS.

use crate::engine::namespaces;

/// The namespace of HTML elements.
pub const HTML: &str = namespaces::HTML;
/// The namespace of MathML elements.
pub const MATHML: &str = namespaces::MATHML;
/// The namespace of SVG elements.
pub const SVG: &str = namespaces::SVG;
/// The namespace of XLink attributes.
pub const XLINK: &str = namespaces::XLINK;
/// The namespace to which the prefix `xml` is always bound.
pub const XML: &str = namespaces::XML;
/// The namespace of the attributes that declare namespaces.
pub const XMLNS: &str = namespaces::XMLNS;
