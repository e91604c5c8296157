//! Names of attributes of SVG and MathML as their own standards spell them, and those that are in a
//! namespace. Must not know what is done with any of them.

use crate::html::names::Space;

/// Attributes of SVG whose names have capitals.
#[rustfmt::skip]
const SVG_ATTRIBUTES: [&str; 58] = [
    "attributeName", "attributeType", "baseFrequency", "baseProfile", "calcMode", "clipPathUnits",
    "diffuseConstant", "edgeMode", "filterUnits", "glyphRef", "gradientTransform", "gradientUnits",
    "kernelMatrix", "kernelUnitLength", "keyPoints", "keySplines", "keyTimes", "lengthAdjust",
    "limitingConeAngle", "markerHeight", "markerUnits", "markerWidth", "maskContentUnits",
    "maskUnits", "numOctaves", "pathLength", "patternContentUnits", "patternTransform",
    "patternUnits", "pointsAtX", "pointsAtY", "pointsAtZ", "preserveAlpha", "preserveAspectRatio",
    "primitiveUnits", "refX", "refY", "repeatCount", "repeatDur", "requiredExtensions",
    "requiredFeatures", "specularConstant", "specularExponent", "spreadMethod", "startOffset",
    "stdDeviation", "stitchTiles", "surfaceScale", "systemLanguage", "tableValues", "targetX",
    "targetY", "textLength", "viewBox", "viewTarget", "xChannelSelector", "yChannelSelector",
    "zoomAndPan",
];

/// The one of MathML.
const MATH_ATTRIBUTES: [&str; 1] = ["definitionURL"];

/// Attributes that are in a namespace: of XLink, of XML.
#[rustfmt::skip]
const XLINK_ATTRIBUTES: [&str; 7] = [
    "xlink:actuate", "xlink:arcrole", "xlink:href", "xlink:role", "xlink:show", "xlink:title", "xlink:type",
];
const XML_ATTRIBUTES: [&str; 2] = ["xml:lang", "xml:space"];

/// An attribute of a foreign element, whose name is given in lower case: its spelling there, and the
/// namespace that it is in.
pub(crate) fn adjusted(name: &str, space: Space) -> (&str, Option<Space>) {
    let own: &'static [&'static str] = match space {
        Space::Svg => &SVG_ATTRIBUTES,
        _ => &MATH_ATTRIBUTES,
    };
    if let Some(spelt) = spelt(own, name) {
        (spelt, None)
    } else if XLINK_ATTRIBUTES.contains(&name) {
        (name, Some(Space::XLink))
    } else if XML_ATTRIBUTES.contains(&name) {
        (name, Some(Space::Xml))
    } else if name == "xmlns" || name == "xmlns:xlink" {
        (name, Some(Space::Xmlns))
    } else {
        (name, None)
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
