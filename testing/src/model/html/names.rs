//! The lists of the standard: categories of elements, scopes, spellings of SVG and MathML, the
//! identifiers of quirks mode. They are lists only, in the standard's words and order.

use std::sync::LazyLock;

/// A list.
pub type Names = LazyLock<Vec<&'static str>>;

fn list(names: &'static str) -> Vec<&'static str> {
    names.split_ascii_whitespace().collect()
}

/// The special category: HTML's.
pub static SPECIAL: Names = Names::new(|| {
    list(
        "address applet area article aside base basefont bgsound blockquote body br button caption \
         center col colgroup dd details dir div dl dt embed fieldset figcaption figure footer form frame \
         frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html iframe img input keygen li link listing \
         main marquee menu meta nav noembed noframes noscript object ol p param plaintext pre script \
         search section select source style summary table tbody td template textarea tfoot th thead \
         title tr track ul wbr xmp",
    )
});

/// Those of MathML that are special, and end a scope.
pub const MATHML_SPECIAL: &[&str] = &["mi", "mo", "mn", "ms", "mtext", "annotation-xml"];

/// Those of SVG that are special, and end a scope.
pub const SVG_SPECIAL: &[&str] = &["foreignObject", "desc", "title"];

/// What ends a scope, of HTML.
pub const SCOPE: &[&str] = &[
    "applet", "caption", "html", "table", "td", "th", "marquee", "object", "select", "template",
];

pub const FORMATTING: &[&str] = &[
    "a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u",
];

/// Whose end tags are implied.
pub const IMPLIED: &[&str] = &[
    "dd", "dt", "li", "optgroup", "option", "p", "rb", "rp", "rt", "rtc",
];

/// Whose end tags are implied thoroughly.
pub const IMPLIED_THOROUGHLY: &[&str] = &[
    "caption", "colgroup", "dd", "dt", "li", "optgroup", "option", "p", "rb", "rp", "rt", "rtc",
    "tbody", "td", "tfoot", "th", "thead", "tr",
];

pub const HEADINGS: &[&str] = &["h1", "h2", "h3", "h4", "h5", "h6"];

/// The elements in which a character is for the "in table text" insertion mode.
pub const TABLE_TEXT: &[&str] = &["table", "tbody", "template", "tfoot", "thead", "tr"];

/// The elements out of which content is fostered.
pub const FOSTERING: &[&str] = &["table", "tbody", "tfoot", "thead", "tr"];

/// The start tags that break out of foreign content, `font` aside.
pub static BREAKOUT: Names = Names::new(|| {
    list(
        "b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li \
         listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var",
    )
});

/// Elements of SVG whose names are not all lowercase.
pub const SVG_ELEMENTS: &str = "altGlyph altGlyphDef altGlyphItem animateColor \
    animateMotion animateTransform clipPath feBlend feColorMatrix feComponentTransfer feComposite \
    feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight feDropShadow feFlood \
    feFuncA feFuncB feFuncG feFuncR feGaussianBlur feImage feMerge feMergeNode feMorphology \
    feOffset fePointLight feSpecularLighting feSpotLight feTile feTurbulence foreignObject \
    glyphRef linearGradient radialGradient textPath";

/// Attributes of SVG whose names are not all lowercase.
pub const SVG_ATTRIBUTES: &str = "attributeName attributeType baseFrequency baseProfile \
    calcMode clipPathUnits diffuseConstant edgeMode filterUnits glyphRef gradientTransform \
    gradientUnits kernelMatrix kernelUnitLength keyPoints keySplines keyTimes lengthAdjust \
    limitingConeAngle markerHeight markerUnits markerWidth maskContentUnits maskUnits numOctaves \
    pathLength patternContentUnits patternTransform patternUnits pointsAtX pointsAtY pointsAtZ \
    preserveAlpha preserveAspectRatio primitiveUnits refX refY repeatCount repeatDur \
    requiredExtensions requiredFeatures specularConstant specularExponent spreadMethod startOffset \
    stdDeviation stitchTiles surfaceScale systemLanguage tableValues targetX targetY textLength \
    viewBox viewTarget xChannelSelector yChannelSelector zoomAndPan";

/// Attributes of foreign elements that are in a namespace.
pub const FOREIGN_ATTRIBUTES: &[(&str, &str, &str)] = &[
    ("xlink:actuate", "xlink", "actuate"),
    ("xlink:arcrole", "xlink", "arcrole"),
    ("xlink:href", "xlink", "href"),
    ("xlink:role", "xlink", "role"),
    ("xlink:show", "xlink", "show"),
    ("xlink:title", "xlink", "title"),
    ("xlink:type", "xlink", "type"),
    ("xml:lang", "xml", "lang"),
    ("xml:space", "xml", "space"),
    // It has no prefix, but the suite shows it with its namespace.
    ("xmlns", "xmlns", "xmlns"),
    ("xmlns:xlink", "xmlns", "xlink"),
];

/// Public identifiers that set quirks mode.
pub const QUIRKS_PUBLIC: &[&str] = &[
    "-//W3O//DTD W3 HTML Strict 3.0//EN//",
    "-/W3C/DTD HTML 4.0 Transitional/EN",
    "HTML",
];

/// The system identifier that sets quirks mode.
pub const QUIRKS_SYSTEM: &str = "http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd";

/// Beginnings of public identifiers that set quirks mode.
pub static QUIRKS_PUBLIC_START: Names = Names::new(|| include_str!("quirks.txt").lines().collect());

/// Beginnings of public identifiers that set quirks mode without a system identifier, else
/// limited-quirks mode.
pub const QUIRKS_WITHOUT_SYSTEM: &[&str] = &[
    "-//W3C//DTD HTML 4.01 Frameset//",
    "-//W3C//DTD HTML 4.01 Transitional//",
];

/// Beginnings of public identifiers that set limited-quirks mode.
pub const LIMITED_QUIRKS: &[&str] = &[
    "-//W3C//DTD XHTML 1.0 Frameset//",
    "-//W3C//DTD XHTML 1.0 Transitional//",
];
