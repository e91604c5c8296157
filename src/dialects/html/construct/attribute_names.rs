//! The tables for the standard's steps "adjust SVG attributes", "adjust MathML attributes" and "adjust foreign
//! attributes". The tokenizer yields attribute names in lowercase; these tables contain the names with uppercase
//! letters and the names that are in a namespace.

use crate::dialects::html::names::Space;

/// SVG attributes with uppercase letters in their names, sorted by their lowercase spelling.
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

/// The MathML attribute with uppercase letters in its name.
const MATH_ATTRIBUTES: [&str; 1] = ["definitionURL"];

/// Attributes that are in the namespace of XLink if their element is in SVG or MathML.
#[rustfmt::skip]
const XLINK_ATTRIBUTES: [&str; 7] = [
    "xlink:actuate", "xlink:arcrole", "xlink:href", "xlink:role", "xlink:show", "xlink:title", "xlink:type",
];
/// Attributes that are in the namespace of XML if their element is in SVG or MathML.
const XML_ATTRIBUTES: [&str; 2] = ["xml:lang", "xml:space"];

/// Returns the adjusted name of an attribute of an element in the namespace `space`, and the namespace of the
/// attribute, if it is in one. `name` is in lowercase.
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

/// Returns the name in `names` whose lowercase spelling is `name`.
fn spelt<'n>(names: &'n [&'n str], name: &str) -> Option<&'n str> {
    let found = names.binary_search_by(|known| {
        let known = known.bytes().map(|byte| byte.to_ascii_lowercase());
        known.cmp(name.bytes())
    });
    found.ok().map(|at| names[at])
}
