//! Names of attributes of SVG and MathML as their own standards spell them, and those that are in a
//! namespace. Must not know what is done with any of them.

/// Attributes of SVG whose names have capitals.
pub(crate) const SVG_ATTRIBUTES: [&str; 58] = [
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
pub(crate) const MATH_ATTRIBUTES: [&str; 1] = ["definitionURL"];

/// Attributes that are in a namespace: of XLink, of XML.
pub(crate) const XLINK_ATTRIBUTES: [&str; 7] = [
    "xlink:actuate",
    "xlink:arcrole",
    "xlink:href",
    "xlink:role",
    "xlink:show",
    "xlink:title",
    "xlink:type",
];
pub(crate) const XML_ATTRIBUTES: [&str; 2] = ["xml:lang", "xml:space"];

/// The spelling of a name that is given in lower case, if it is in a table.
pub(crate) fn spelt<'n>(names: &'n [&'n str], name: &str) -> Option<&'n str> {
    let found = names.binary_search_by(|known| {
        let known = known.bytes().map(|byte| byte.to_ascii_lowercase());
        known.cmp(name.bytes())
    });
    found.ok().map(|at| names[at])
}
