//! Foreign content: the names of SVG and MathML as their own standards spell them, integration
//! points, breakout and end tags.

use super::TreeConstruction;
use super::notation::Space;
use super::schema::{self, Mode};
use super::token::Token;
use crate::html::errors;
use crate::text::html_attribute_names::{
    MATH_ATTRIBUTES, SVG_ATTRIBUTES, XLINK_ATTRIBUTES, XML_ATTRIBUTES, spelt,
};
use crate::text::html_element_names::ElementName;
use crate::text::html_name_sets::{Name, known};
use crate::tree::{QualifiedName, TreeSink};

/// The name of an element: those of SVG may have capitals.
#[inline(always)]
pub(super) fn element_name(name: Name<'_>, space: Space) -> &str {
    match space {
        Space::Svg => ElementName::ALL
            .get(name.number as usize)
            .map_or(name.text, |known| known.svg_name()),
        Space::Html | Space::Math => name.text,
    }
}

/// The rules that apply in a foreign element, before those of the insertion mode.
pub(super) fn point<'a>(
    name: u32,
    space: Space,
    attribute: impl Fn(&str) -> Option<&'a str>,
) -> Option<Mode> {
    let number = known(name);
    match space {
        Space::Html => None,
        Space::Svg if schema::SVG_HTML_POINTS.has(number) => Some(Mode::HtmlPoint),
        Space::Math if schema::MATH_TEXT_POINTS.has(number) => Some(Mode::MathText),
        Space::Math if schema::MATH_POINTS.has(number) => {
            let encoding = attribute("encoding").unwrap_or_default();
            let holds = |known: &&str| encoding.eq_ignore_ascii_case(known);
            match schema::HOLDS_HTML.iter().any(holds) {
                true => Some(Mode::HtmlPoint),
                false => Some(Mode::AnnotationXml),
            }
        }
        Space::Svg | Space::Math => Some(Mode::Foreign),
    }
}

impl<S: TreeSink> TreeConstruction<S> {
    /// The name of an attribute of a foreign element.
    pub(super) fn foreign_attribute<'a>(
        &self,
        name: &'a str,
        space: Space,
    ) -> QualifiedName<'a, S::Namespace> {
        let own: &'static [&'static str] = match space {
            Space::Svg => &SVG_ATTRIBUTES,
            Space::Html | Space::Math => &MATH_ATTRIBUTES,
        };
        let namespace = if let Some(spelt) = spelt(own, name) {
            return QualifiedName::new(spelt);
        } else if !name.starts_with('x') {
            return QualifiedName::new(name);
        } else if XLINK_ATTRIBUTES.contains(&name) {
            &self.xlink
        } else if XML_ATTRIBUTES.contains(&name) {
            &self.xml
        } else if name == "xmlns" || name == "xmlns:xlink" {
            &self.xmlns
        } else {
            return QualifiedName::new(name);
        };
        QualifiedName::prefixed(name, Some(namespace.clone()))
    }

    /// Pops all that HTML does not stand in.
    pub(super) fn break_out(&mut self) {
        while let current = self.stack.current()
            && current.space != Space::Html
            && !matches!(current.point, Some(Mode::MathText | Mode::HtmlPoint))
        {
            self.pop();
        }
    }

    /// An end tag in foreign content; gives whether the rules for HTML content are to look at it.
    pub(super) fn close_foreign(&mut self, token: &Token<'_>) -> bool {
        let name = token.name.number;
        let current = self.stack.current();
        if current.name != name || current.space == Space::Html {
            self.error(errors::MISNESTED_END_TAG);
        }
        if self.stack.depth() == 1 {
            return false;
        }
        match self.stack.find_foreign(name) {
            Some(found) => {
                self.pop_through_frame(found);
                false
            }
            None => true,
        }
    }
}
