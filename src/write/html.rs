//! What HTML alone asks of who writes it: which elements hold what. It must not know how anything is written.

/// In which language an element is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Space {
    Html,
    Svg,
    Math,
}

/// What an element holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(crate) enum Holds {
    /// Elements and text.
    All,
    /// Nothing, and its end is not written.
    Nothing,
    /// Text without references.
    RawText,
    /// Text with references.
    Text,
}

/// The elements that the standard writes without children and end tag.
pub(crate) const VOID: [&str; 18] = [
    "area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "img", "input",
    "keygen", "link", "meta", "param", "source", "track", "wbr",
];

/// The elements whose text has no references.
const RAW_TEXT: [&str; 6] = ["iframe", "noembed", "noframes", "script", "style", "xmp"];

/// Whether the standard writes the text of elements of this name as it is; where scripts run, a `noscript`'s too.
pub(crate) fn writes_as_is(name: &str) -> bool {
    name == "plaintext" || RAW_TEXT.contains(&name)
}

/// The elements of text with references, and those whose first line feed is none of theirs.
const TEXT: [&str; 2] = ["textarea", "title"];
const DROPS_LINE_FEED: [&str; 3] = ["listing", "pre", "textarea"];

/// The elements that begin a line of their own, as browsers lay them out, or are not shown: white space
/// between them changes nothing.
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

/// What an element of HTML holds, by its name.
pub(crate) fn holds(name: &str) -> Holds {
    // The longest of these names.
    match name.len() {
        9.. => Holds::All,
        _ if is_among(name, &VOID) => Holds::Nothing,
        _ if is_among(name, &RAW_TEXT) => Holds::RawText,
        _ if is_among(name, &TEXT) => Holds::Text,
        _ => Holds::All,
    }
}

/// Whether the first line feed in an element is none of its text.
pub(super) fn drops_line_feed(name: &str) -> bool {
    is_among(name, &DROPS_LINE_FEED)
}

/// Whether white space in an element is shown.
pub(crate) fn keeps_white_space(name: &str) -> bool {
    is_among(name, &["listing", "pre", "textarea", "xmp"])
}

/// Whether white space around an element changes nothing.
pub(crate) fn is_block(name: &str) -> bool {
    is_among(name, &BLOCKS) || is_among(name, &["ul"])
}

/// Names that end SVG or MathML where they stand in it.
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

/// What is an element of HTML again in SVG, and in MathML.
const POINTS_IN_SVG: [&str; 3] = ["foreignObject", "desc", "title"];
const POINTS_IN_MATH: [&str; 5] = ["mi", "mo", "mn", "ms", "mtext"];

/// In which language an element is whose name comes in an element of this name, whose children are of this
/// language; nothing, where it would end that.
pub(super) fn space(name: &str, parent: Option<(&str, Space)>) -> Option<Space> {
    let (parent, within) = parent.unwrap_or(("", Space::Html));
    let is = |other: &str| name.eq_ignore_ascii_case(other);
    let is_math_point = within == Space::Html && is_among(parent, &POINTS_IN_MATH);
    Some(match within {
        _ if is("svg") && parent.eq_ignore_ascii_case("annotation-xml") => Space::Svg,
        // HTML's parser knows these two from HTML by their parent alone.
        Space::Html if is_math_point && (is("mglyph") || is("malignmark")) => return None,
        Space::Html if is("svg") => Space::Svg,
        Space::Html if is("math") => Space::Math,
        Space::Html => Space::Html,
        _ if is_among(name, &BREAK_OUT) => return None,
        foreign => foreign,
    })
}

/// In which language the children of an element are, its attributes aside.
pub(super) fn space_within(name: &str, space: Space) -> Space {
    match space {
        Space::Svg if is_among(name, &POINTS_IN_SVG) => Space::Html,
        Space::Math if is_among(name, &POINTS_IN_MATH) => Space::Html,
        space => space,
    }
}

/// What an attribute changes of an element in SVG or MathML: whether it ends that, and whether children are HTML.
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
