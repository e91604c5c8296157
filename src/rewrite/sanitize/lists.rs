//! Table: names in the predefined sanitizers: the built-in lists of the HTML standard, and the lists for user content.
//!
//! <https://wicg.github.io/sanitizer-api/#sanitization-defaults>

/// Groups of elements. Each entry contains element names, separated by spaces, and the attributes that these elements
/// may have in addition to the attributes that every element may have.
pub(super) type Elements = &'static [(&'static str, &'static [&'static str])];

/// The HTML elements of the built-in safe default configuration.
pub(super) const DEFAULT_ELEMENTS: Elements = &[
    (
        "abbr address article aside b bdi bdo body br caption cite code dd dfn div dl dt em",
        &[],
    ),
    (
        "figcaption figure footer h1 h2 h3 h4 h5 h6 head header hgroup hr html i kbd main mark",
        &[],
    ),
    (
        "menu nav p pre q rp rt ruby s samp search section small span strong sub sup table tbody",
        &[],
    ),
    ("tfoot thead title tr u ul var wbr", &[]),
    ("a", &["href", "hreflang", "type"]),
    ("blockquote", &["cite"]),
    ("col colgroup", &["span"]),
    ("data li", &["value"]),
    ("del ins", &["cite", "datetime"]),
    ("ol", &["reversed", "start", "type"]),
    ("td", &["colspan", "headers", "rowspan"]),
    ("th", &["abbr", "colspan", "headers", "rowspan", "scope"]),
    ("time", &["datetime"]),
];

/// The SVG elements of the built-in safe default configuration.
pub(super) const DEFAULT_SVG: Elements = &[
    ("defs desc g metadata title", &[]),
    ("a", &["href", "hreflang", "type"]),
    ("circle", &["cx", "cy", "pathLength", "r"]),
    ("ellipse", &["cx", "cy", "pathLength", "rx", "ry"]),
    ("foreignObject", &["height", "width", "x", "y"]),
    ("line", &["pathLength", "x1", "x2", "y1", "y2"]),
    (
        "marker",
        &[
            "markerHeight",
            "markerUnits",
            "markerWidth",
            "orient",
            "preserveAspectRatio",
            "refX",
            "refY",
            "viewBox",
        ],
    ),
    ("path", &["d", "pathLength"]),
    ("polygon polyline", &["pathLength", "points"]),
    (
        "rect",
        &["height", "pathLength", "rx", "ry", "width", "x", "y"],
    ),
    (
        "svg",
        &[
            "height",
            "preserveAspectRatio",
            "viewBox",
            "width",
            "x",
            "y",
        ],
    ),
    (
        "text tspan",
        &["dx", "dy", "lengthAdjust", "rotate", "textLength", "x", "y"],
    ),
    (
        "textPath",
        &[
            "lengthAdjust",
            "method",
            "path",
            "side",
            "spacing",
            "startOffset",
            "textLength",
        ],
    ),
];

/// The MathML elements of the built-in safe default configuration.
pub(super) const DEFAULT_MATH: Elements = &[
    (
        "math merror mfrac mi mmultiscripts mn mphantom mprescripts mroot mrow ms msqrt mstyle",
        &[],
    ),
    ("msub msubsup msup mtable mtext mtr semantics", &[]),
    (
        "mo",
        &[
            "fence",
            "form",
            "largeop",
            "lspace",
            "maxsize",
            "minsize",
            "movablelimits",
            "rspace",
            "separator",
            "stretchy",
            "symmetric",
        ],
    ),
    ("mover", &["accent"]),
    (
        "mpadded",
        &["depth", "height", "lspace", "voffset", "width"],
    ),
    ("mspace", &["depth", "height", "width"]),
    ("mtd", &["columnspan", "rowspan"]),
    ("munder", &["accentunder"]),
    ("munderover", &["accent", "accentunder"]),
];

/// The attributes that every element may have in the built-in safe default configuration.
pub(super) const DEFAULT_ATTRIBUTES: &str = "alignment-baseline baseline-shift clip-path clip-rule color \
    color-interpolation cursor dir direction display displaystyle dominant-baseline fill fill-opacity fill-rule \
    font-family font-size font-size-adjust font-stretch font-style font-variant font-weight lang letter-spacing \
    marker-end marker-mid marker-start mathbackground mathcolor mathsize opacity paint-order pointer-events \
    scriptlevel shape-rendering stop-color stop-opacity stroke stroke-dasharray stroke-dashoffset stroke-linecap \
    stroke-linejoin stroke-miterlimit stroke-opacity stroke-width text-anchor text-decoration text-overflow \
    text-rendering title transform transform-origin unicode-bidi vector-effect visibility white-space \
    word-spacing writing-mode";

/// The elements allowed in user content such as comments and posts: structured text, links and images.
pub(super) const USER_ELEMENTS: Elements = &[
    (
        "abbr b bdi bdo br caption cite code dd dfn dl dt em figcaption figure h1 h2 h3 h4 h5 h6",
        &[],
    ),
    (
        "hr i kbd mark p pre rp rt ruby s samp small strong sub summary sup table tbody tfoot thead",
        &[],
    ),
    ("tr u ul var wbr", &[]),
    ("a", &["href", "hreflang"]),
    ("blockquote q", &["cite"]),
    ("col colgroup", &["span"]),
    ("del ins", &["cite", "datetime"]),
    ("details", &["open"]),
    ("img", &["alt", "height", "src", "width"]),
    ("li", &["value"]),
    ("ol", &["reversed", "start", "type"]),
    ("td", &["colspan", "rowspan"]),
    ("th", &["abbr", "colspan", "rowspan", "scope"]),
    ("time", &["datetime"]),
];

/// The elements that are replaced with their children in user content: they only change the presentation, or structure
/// a page.
pub(super) const USER_REPLACED: &str = "acronym address article aside big center div dir fieldset font footer \
    form header hgroup label legend main menu nav nobr search section span strike tt";

/// The attributes that every element may have in user content.
pub(super) const USER_ATTRIBUTES: &str = "dir lang title";

/// The URL schemes allowed in user content.
pub(super) const USER_SCHEMES: [&str; 3] = ["http", "https", "mailto"];

/// The HTML elements that every configuration removes: those of the standard's built-in safe baseline configuration,
/// and `base`, which changes the target of relative links.
pub(super) const UNSAFE_HTML: [&str; 6] = ["base", "embed", "frame", "iframe", "object", "script"];

/// The SVG elements that every configuration removes.
pub(super) const UNSAFE_SVG: [&str; 2] = ["script", "use"];

/// The standard's built-in navigating URL attributes of HTML, as pairs of element and attribute. `Known::leads`
/// contains the rules for SVG and MathML.
pub(super) const NAVIGATING_HTML: [(&str, &str); 6] = [
    ("a", "href"),
    ("area", "href"),
    ("base", "href"),
    ("button", "formaction"),
    ("form", "action"),
    ("input", "formaction"),
];

/// The SVG elements that can set another attribute to a URL: their attribute `attributeName` is in the standard's list
/// of "animating URL attributes".
pub(super) const ANIMATING_SVG: [&str; 3] = ["animate", "animateTransform", "set"];

/// The attributes that contain a URL, to which a list of allowed schemes applies.
pub(super) const URL_ATTRIBUTES: [&str; 12] = [
    "action",
    "background",
    "cite",
    "classid",
    "codebase",
    "data",
    "formaction",
    "href",
    "longdesc",
    "manifest",
    "poster",
    "src",
];

/// Elements that are removed where the configuration replaces them with their children, each with the index of its
/// namespace (0 is HTML, 1 is SVG, 2 is MathML).
pub(super) const NOT_REPLACED: [(usize, &str); 3] = [(0, "html"), (1, "svg"), (2, "math")];

/// HTML elements whose contents a browser does not show, or a template's, which are not its children. If unknown elements
/// are replaced with their children, these are removed.
pub(super) const NOT_SHOWN: [&str; 5] = ["noembed", "noframes", "style", "template", "title"];

/// The form in which the value of an attribute contains identifiers.
#[derive(Clone, Copy, Debug)]
pub(super) enum IdentifierForm {
    /// The value is an identifier.
    One,
    /// Identifiers with white space between them.
    List,
    /// A URL, which refers to an identifier if it consists of a fragment only: `#a`.
    Fragment,
    /// A value of CSS that may contain `url(#a)`.
    Urls,
    /// Times of an animation, separated by semicolons: `a.click; b.end+1s`.
    Times,
}

/// Attributes, and the elements on which they contain identifiers; no elements means all. Names are in lowercase.
/// The names of other elements and attributes differ from those that are listed, so namespaces need not be compared.
pub(super) const IDENTIFIERS: &[(&str, &str, IdentifierForm)] = &[
    ("id", "", IdentifierForm::One),
    ("for", "output", IdentifierForm::List),
    ("for", "", IdentifierForm::One),
    (
        "name",
        "a embed form iframe img map object",
        IdentifierForm::One,
    ),
    (
        "form",
        "button fieldset img input label object output select textarea",
        IdentifierForm::One,
    ),
    ("list", "input", IdentifierForm::One),
    (
        "anchor commandfor contextmenu interestfor popovertarget xref",
        "",
        IdentifierForm::One,
    ),
    ("headers itemref", "", IdentifierForm::List),
    ("aria-activedescendant", "", IdentifierForm::One),
    (
        "aria-actions aria-controls aria-describedby aria-details aria-errormessage aria-flowto aria-labelledby aria-owns",
        "",
        IdentifierForm::List,
    ),
    ("href longdesc usemap", "", IdentifierForm::Fragment),
    (
        "clip-path cursor fill filter marker marker-end marker-mid marker-start mask stroke",
        "",
        IdentifierForm::Urls,
    ),
    (
        "begin end",
        "animate animatecolor animatemotion animatetransform discard set",
        IdentifierForm::Times,
    ),
];
