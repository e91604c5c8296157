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

/// Whether white space around an element changes nothing.
pub(super) fn is_block(name: &str) -> bool {
    is_among(name, &BLOCKS) || is_among(name, &["ul"])
}

/// In which language an element is that stands in another.
pub(super) fn space(name: &str, parent: Option<(&str, Space)>) -> Space {
    match name {
        "svg" => return Space::Svg,
        "math" => return Space::Math,
        _ => {}
    }
    match parent {
        Some(("foreignObject" | "desc" | "title", Space::Svg)) => Space::Html,
        Some(("mi" | "mo" | "mn" | "ms" | "mtext" | "annotation-xml", Space::Math)) => Space::Html,
        Some((_, space)) => space,
        None => Space::Html,
    }
}
