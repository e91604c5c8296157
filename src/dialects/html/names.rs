//! The namespaces of elements and attributes.

pub(crate) use crate::engine::text::html_element_sets::{KNOWN_NAMES, Names, set};

/// A namespace of elements (HTML, SVG, MathML) or of attributes (XLink, XML, XMLNS).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    Html,
    Svg,
    Math,
    XLink,
    Xml,
    Xmlns,
}

impl Space {
    /// Splits the context of a fragment, written `div`, `svg path` or `math mi`, into its namespace and its name.
    pub(crate) fn of_context(context: &str) -> (Space, &str) {
        match context.split_once(' ') {
            Some(("svg", name)) => (Space::Svg, name),
            Some(("math", name)) => (Space::Math, name),
            _ => (Space::Html, context),
        }
    }
}

crate::checkpoint::checkpointable! {
    enum Space { Html, Svg, Math, XLink, Xml, Xmlns }
}
