//! The namespace names that serialisers treat in a way of their own.

/// The namespace of HTML elements.
pub const HTML: &str = "http://www.w3.org/1999/xhtml";
/// The namespace of MathML elements.
pub const MATHML: &str = "http://www.w3.org/1998/Math/MathML";
/// The namespace of SVG elements.
pub const SVG: &str = "http://www.w3.org/2000/svg";
/// The namespace of XLink attributes.
pub const XLINK: &str = "http://www.w3.org/1999/xlink";
/// The namespace to which the prefix `xml` is always bound.
pub const XML: &str = "http://www.w3.org/XML/1998/namespace";
/// The namespace of the attributes that declare namespaces.
pub const XMLNS: &str = "http://www.w3.org/2000/xmlns/";
