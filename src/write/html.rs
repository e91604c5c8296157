//! HTML elements as the writer sees them: content models, and which parents change the namespace. Programs spell names
//! in any case.

use crate::engine::text::html_element_names::ElementName;
use crate::engine::text::html_facts;

/// The language of an element: HTML, or one that is embedded in HTML.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Space {
    Html,
    Svg,
    Math,
}

/// The content model of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

/// Returns the content model of the HTML element with this name.
pub(crate) fn content_model(name: &str) -> ContentModel {
    match ElementName::find_in_any_case(name) {
        Some(name) if html_facts::VOID.holds(name) => ContentModel::Nothing,
        Some(name) if html_facts::RAW_TEXT.holds(name) => ContentModel::RawText,
        Some(name) if html_facts::ESCAPABLE_TEXT.holds(name) => ContentModel::Text,
        _ => ContentModel::All,
    }
}

/// Returns true if a parser drops a newline at the start of the element.
pub(super) fn drops_line_feed(name: &str) -> bool {
    html_facts::DROPS_NEWLINE.contains_in_any_case(name)
}

/// Returns true if whitespace in the element is significant.
pub(crate) fn keeps_white_space(name: &str) -> bool {
    html_facts::KEEPS_WHITESPACE.contains_in_any_case(name)
}

/// Returns true if whitespace around the element has no effect.
pub(crate) fn is_block(name: &str) -> bool {
    html_facts::LAID_OUT_AS_BLOCK.contains_in_any_case(name) || name.eq_ignore_ascii_case("legend")
}

/// Returns the language in which a parser would put an element with this name. `parent` is the name of its parent and
/// the language of the parent's children. Returns `None` if the start tag would close the parent.
pub(super) fn space(name: &str, parent: Option<(&str, Space)>) -> Option<Space> {
    let (parent, within) = parent.unwrap_or(("", Space::Html));
    let Some(known) = ElementName::find_in_any_case(name) else {
        return Some(within);
    };
    let points = html_facts::MATH_TEXT_INTEGRATION_POINTS;
    Some(match (within, known) {
        (_, ElementName::Svg) if parent.eq_ignore_ascii_case("annotation-xml") => Space::Svg,
        // An HTML parser decides by the parent alone that these two names are MathML.
        (Space::Html, _)
            if html_facts::MATH_IN_TEXT.holds(known) && points.contains_in_any_case(parent) =>
        {
            return None;
        }
        (Space::Html, ElementName::Svg) => Space::Svg,
        (Space::Html, ElementName::Math) => Space::Math,
        (Space::Html, _) => Space::Html,
        _ if html_facts::BREAKOUT.holds(known) => return None,
        (foreign, _) => foreign,
    })
}

/// Returns the language of an element's children, without regard to its attributes.
pub(super) fn space_within(name: &str, space: Space) -> Space {
    let points = match space {
        Space::Svg => html_facts::SVG_HTML_INTEGRATION_POINTS,
        Space::Math => html_facts::MATH_TEXT_INTEGRATION_POINTS,
        Space::Html => return space,
    };
    match points.contains_in_any_case(name) {
        true => Space::Html,
        false => space,
    }
}

/// Returns two effects of an attribute on an element of SVG or MathML: whether the start tag closes the foreign
/// elements, and whether the children are HTML.
pub(super) fn changed_by(element: &str, attribute: &str, value: &str) -> (bool, bool) {
    let is_any = |names: &[&str]| names.iter().any(|one| one.eq_ignore_ascii_case(attribute));
    (
        element.eq_ignore_ascii_case("font") && is_any(html_facts::BREAKOUT_FONT),
        element.eq_ignore_ascii_case("annotation-xml")
            && attribute.eq_ignore_ascii_case("encoding")
            && html_facts::is_html_encoding(value),
    )
}

crate::checkpoint::checkpointable! {
    enum ContentModel { All, Nothing, RawText, Text }
}
