//! Facts about HTML elements that a writer needs: content models, and which parents change the namespace.

/// The language of an element: HTML, or one that is embedded in HTML.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Space {
    Html,
    Svg,
    Math,
}

/// The content model of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(crate) enum ContentModel {
    /// Elements and text.
    All,
    /// No content. The end tag is not written.
    Nothing,
    /// Text without references.
    RawText,
    /// Text with references.
    Text,
}

/// The void elements: the standard serializes them without children and end tag.
pub(crate) const VOID: [&str; 18] = [
    "area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "img", "input",
    "keygen", "link", "meta", "param", "source", "track", "wbr",
];

/// The elements whose text contains no references.
const RAW_TEXT: [&str; 6] = ["iframe", "noembed", "noframes", "script", "style", "xmp"];

/// Returns true if the standard serializes the text of the element without escaping. With scripting, the text of a
/// `noscript` element is not escaped either.
pub(crate) fn writes_as_is(name: &str) -> bool {
    name == "plaintext" || RAW_TEXT.contains(&name)
}

/// The elements that contain only text with references.
const TEXT: [&str; 2] = ["textarea", "title"];
/// The elements at whose start a parser drops a newline.
const DROPS_LINE_FEED: [&str; 3] = ["listing", "pre", "textarea"];

/// The elements that browsers lay out as blocks or do not show: whitespace between them has no effect.
const BLOCKS: [&str; 68] = [
    "address",
    "article",
    "aside",
    "base",
    "basefont",
    "bgsound",
    "blockquote",
    "body",
    "caption",
    "center",
    "col",
    "colgroup",
    "datalist",
    "dd",
    "details",
    "dialog",
    "dir",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "frame",
    "frameset",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "head",
    "header",
    "hgroup",
    "hr",
    "html",
    "legend",
    "li",
    "link",
    "listing",
    "main",
    "menu",
    "meta",
    "nav",
    "noembed",
    "noframes",
    "ol",
    "optgroup",
    "option",
    "p",
    "param",
    "plaintext",
    "pre",
    "script",
    "search",
    "section",
    "style",
    "summary",
    "table",
    "tbody",
    "td",
    "tfoot",
    "th",
    "thead",
    "title",
    "tr",
];

fn is_among(name: &str, names: &[&str]) -> bool {
    names.iter().any(|one| one.eq_ignore_ascii_case(name))
}

/// Returns the content model of the HTML element with this name.
pub(crate) fn content_model(name: &str) -> ContentModel {
    // The longest name in the tables below has 8 bytes.
    match name.len() {
        9.. => ContentModel::All,
        _ if is_among(name, &VOID) => ContentModel::Nothing,
        _ if is_among(name, &RAW_TEXT) => ContentModel::RawText,
        _ if is_among(name, &TEXT) => ContentModel::Text,
        _ => ContentModel::All,
    }
}

/// Returns true if a parser drops a newline at the start of the element.
pub(super) fn drops_line_feed(name: &str) -> bool {
    is_among(name, &DROPS_LINE_FEED)
}

/// Returns true if whitespace in the element is significant.
pub(crate) fn keeps_white_space(name: &str) -> bool {
    is_among(name, &["listing", "pre", "textarea", "xmp"])
}

/// Returns true if whitespace around the element has no effect.
pub(crate) fn is_block(name: &str) -> bool {
    is_among(name, &BLOCKS) || is_among(name, &["ul"])
}

/// Names of the start tags that close open elements of SVG and MathML.
const BREAK_OUT: [&str; 44] = [
    "b",
    "big",
    "blockquote",
    "body",
    "br",
    "center",
    "code",
    "dd",
    "div",
    "dl",
    "dt",
    "em",
    "embed",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "head",
    "hr",
    "i",
    "img",
    "li",
    "listing",
    "menu",
    "meta",
    "nobr",
    "ol",
    "p",
    "pre",
    "ruby",
    "s",
    "small",
    "span",
    "strong",
    "strike",
    "sub",
    "sup",
    "table",
    "tt",
    "u",
    "ul",
    "var",
];

/// The HTML integration points of SVG, and the text integration points of MathML.
const POINTS_IN_SVG: [&str; 3] = ["foreignObject", "desc", "title"];
const POINTS_IN_MATH: [&str; 5] = ["mi", "mo", "mn", "ms", "mtext"];

/// Returns the language in which a parser would put an element with this name. `parent` is the name of its parent and
/// the language of the parent's children. Returns `None` if the start tag would close the parent.
pub(super) fn space(name: &str, parent: Option<(&str, Space)>) -> Option<Space> {
    let (parent, within) = parent.unwrap_or(("", Space::Html));
    let is = |other: &str| name.eq_ignore_ascii_case(other);
    let is_math_point = within == Space::Html && is_among(parent, &POINTS_IN_MATH);
    Some(match within {
        _ if is("svg") && parent.eq_ignore_ascii_case("annotation-xml") => Space::Svg,
        // An HTML parser decides by the parent alone that these two names are MathML.
        Space::Html if is_math_point && (is("mglyph") || is("malignmark")) => return None,
        Space::Html if is("svg") => Space::Svg,
        Space::Html if is("math") => Space::Math,
        Space::Html => Space::Html,
        _ if is_among(name, &BREAK_OUT) => return None,
        foreign => foreign,
    })
}

/// Returns the language of an element's children, without regard to its attributes.
pub(super) fn space_within(name: &str, space: Space) -> Space {
    match space {
        Space::Svg if is_among(name, &POINTS_IN_SVG) => Space::Html,
        Space::Math if is_among(name, &POINTS_IN_MATH) => Space::Html,
        space => space,
    }
}

/// Returns two effects of an attribute on an element of SVG or MathML: whether the start tag closes the foreign
/// elements, and whether the children are HTML.
pub(super) fn changed_by(element: &str, attribute: &str, value: &str) -> (bool, bool) {
    let is_html = ["text/html", "application/xhtml+xml"]
        .iter()
        .any(|one| one.eq_ignore_ascii_case(value));
    (
        element.eq_ignore_ascii_case("font") && is_among(attribute, &["color", "face", "size"]),
        element.eq_ignore_ascii_case("annotation-xml")
            && attribute.eq_ignore_ascii_case("encoding")
            && is_html,
    )
}
