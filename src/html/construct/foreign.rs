//! Foreign content: the names of SVG and MathML as their own standards spell them, integration
//! points, breakout and end tags.

use super::TreeConstruction;
use super::notation::Mode;
use super::stack::{Frame, Space};
use super::token::{Name, Token};
use super::{elements::KNOWN, schema};
use crate::html::errors;
use crate::text::html_element_names::ElementName;
use crate::tree::{QualifiedName, TreeSink};

/// Attributes of SVG whose names have capitals.
const SVG_ATTRIBUTES: [&str; 58] = [
    "attributeName",
    "attributeType",
    "baseFrequency",
    "baseProfile",
    "calcMode",
    "clipPathUnits",
    "diffuseConstant",
    "edgeMode",
    "filterUnits",
    "glyphRef",
    "gradientTransform",
    "gradientUnits",
    "kernelMatrix",
    "kernelUnitLength",
    "keyPoints",
    "keySplines",
    "keyTimes",
    "lengthAdjust",
    "limitingConeAngle",
    "markerHeight",
    "markerUnits",
    "markerWidth",
    "maskContentUnits",
    "maskUnits",
    "numOctaves",
    "pathLength",
    "patternContentUnits",
    "patternTransform",
    "patternUnits",
    "pointsAtX",
    "pointsAtY",
    "pointsAtZ",
    "preserveAlpha",
    "preserveAspectRatio",
    "primitiveUnits",
    "refX",
    "refY",
    "repeatCount",
    "repeatDur",
    "requiredExtensions",
    "requiredFeatures",
    "specularConstant",
    "specularExponent",
    "spreadMethod",
    "startOffset",
    "stdDeviation",
    "stitchTiles",
    "surfaceScale",
    "systemLanguage",
    "tableValues",
    "targetX",
    "targetY",
    "textLength",
    "viewBox",
    "viewTarget",
    "xChannelSelector",
    "yChannelSelector",
    "zoomAndPan",
];

/// The one of MathML.
const MATH_ATTRIBUTES: [&str; 1] = ["definitionURL"];

/// Attributes that are in a namespace: of XLink, of XML.
const XLINK_ATTRIBUTES: [&str; 7] = [
    "xlink:actuate",
    "xlink:arcrole",
    "xlink:href",
    "xlink:role",
    "xlink:show",
    "xlink:title",
    "xlink:type",
];
const XML_ATTRIBUTES: [&str; 2] = ["xml:lang", "xml:space"];

/// The name of a foreign element.
pub(super) fn element_name(name: Name<'_>, space: Space) -> &str {
    match ElementName::ALL.get(name.number as usize) {
        Some(known) if space == Space::Svg => known.svg_name(),
        _ => name.text,
    }
}

/// Finds a name by its lower-case spelling.
fn spelt<'n>(names: &'n [&'n str], name: &str) -> Option<&'n str> {
    let found = names.binary_search_by(|known| {
        let known = known.bytes().map(|byte| byte.to_ascii_lowercase());
        known.cmp(name.bytes())
    });
    found.ok().map(|at| names[at])
}

/// Notes what rules apply in a foreign element, and what else is asked of it.
pub(super) fn make_point<'a, H>(frame: &mut Frame<H>, attribute: impl Fn(&str) -> Option<&'a str>) {
    let number = (frame.name as usize).min(KNOWN);
    let holds_html = || {
        attribute("encoding").is_some_and(|encoding| {
            ["text/html", "application/xhtml+xml"]
                .iter()
                .any(|known| encoding.eq_ignore_ascii_case(known))
        })
    };
    frame.point = match frame.space {
        Space::Html => None,
        Space::Svg if schema::SVG_HTML_POINTS.has(number) => Some(Mode::HtmlPoint),
        Space::Math if schema::MATH_TEXT_POINTS.has(number) => Some(Mode::MathText),
        Space::Math if schema::MATH_ANNOTATION.has(number) => match holds_html() {
            true => Some(Mode::HtmlPoint),
            false => Some(Mode::AnnotationXml),
        },
        Space::Svg | Space::Math => Some(Mode::Foreign),
    };
    if frame.space == Space::Svg && schema::SVG_SCRIPTS.has(number) {
        frame.groups = frame.groups.or(schema::SVG_SCRIPT);
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
            Space::Html => &[],
            Space::Svg => &SVG_ATTRIBUTES,
            Space::Math => &MATH_ATTRIBUTES,
        };
        if let Some(spelt) = spelt(own, name) {
            return QualifiedName::new(spelt);
        }
        if !name.starts_with('x') {
            return QualifiedName::new(name);
        }
        if XLINK_ATTRIBUTES.contains(&name) {
            QualifiedName::prefixed(name, Some(self.spaces.xlink.clone()))
        } else if XML_ATTRIBUTES.contains(&name) {
            QualifiedName::prefixed(name, Some(self.spaces.xml.clone()))
        } else if name == "xmlns" || name == "xmlns:xlink" {
            QualifiedName::prefixed(name, Some(self.spaces.xmlns.clone()))
        } else {
            QualifiedName::new(name)
        }
    }

    /// Pops all that HTML does not stand in.
    pub(super) fn break_out(&mut self) {
        while let Some(current) = self.stack.current()
            && current.space != Space::Html
            && !matches!(current.point, Some(Mode::MathText | Mode::HtmlPoint))
        {
            self.pop();
        }
    }

    /// An end tag in foreign content; gives whether the rules for HTML content are to look at it.
    pub(super) fn close_foreign(&mut self, token: &Token<'_>) -> bool {
        let name = token.name.number;
        let Some(current) = self.stack.current() else {
            return true;
        };
        if current.name != name || current.space == Space::Html {
            self.error(errors::MISNESTED_END_TAG);
        }
        if self.stack.len() == 1 {
            return false;
        }
        match self.stack.find_foreign(name) {
            Some(found) => {
                while self.stack.top != found {
                    self.pop();
                }
                self.pop();
                false
            }
            None => true,
        }
    }
}
