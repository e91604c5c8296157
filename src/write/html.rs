//! Facts about HTML elements that the writer needs: content models, and the elements whose children are in another
//! namespace. Names are compared case-insensitively, because programs may spell them in any case.

use crate::engine::text::html_element_names::ElementName;
use crate::engine::text::html_facts;

/// The language that an element belongs to: HTML, or SVG or MathML embedded in HTML.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Space {
    Html,
    Svg,
    Math,
}

/// The content model of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ContentModel {
    /// Elements, text and comments.
    All,
    /// No content: a void element, whose end tag is not written.
    Nothing,
    /// Only text, in which `&` does not begin a reference, as in `script`.
    RawText,
    /// Only text, in which references are recognized, as in `title`.
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

/// Returns true if a parser drops a newline directly after the start tag of an element with this name.
pub(super) fn drops_line_feed(name: &str) -> bool {
    html_facts::DROPS_NEWLINE.contains_in_any_case(name)
}

/// Returns true if whitespace in an element with this name is significant, as in `pre`.
pub(crate) fn keeps_white_space(name: &str) -> bool {
    html_facts::KEEPS_WHITESPACE.contains_in_any_case(name)
}

/// Returns true if whitespace before and after an element with this name has no effect, because the element is laid out
/// as a block.
pub(crate) fn is_block(name: &str) -> bool {
    html_facts::LAID_OUT_AS_BLOCK.contains_in_any_case(name) || name.eq_ignore_ascii_case("legend")
}

/// Returns the language of the element that an HTML parser would create for a start tag with this name. `parent` is the
/// name of its parent and the language of the parent's children. Returns `None` if the start tag would close the
/// parent.
pub(super) fn space(name: &str, parent: Option<(&str, Space)>) -> Option<Space> {
    let (parent, within) = parent.unwrap_or(("", Space::Html));
    let Some(known) = ElementName::find_in_any_case(name) else {
        return Some(within);
    };
    let points = html_facts::MATH_TEXT_INTEGRATION_POINTS;
    Some(match (within, known) {
        (_, ElementName::Svg) if parent.eq_ignore_ascii_case("annotation-xml") => Space::Svg,
        // An HTML parser takes these two names as MathML because of the parent alone, even if the children of the
        // parent are HTML.
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

/// Returns the language of the children of an element with this name in `space`, if the element has no attributes.
pub(super) fn child_space(name: &str, space: Space) -> Space {
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

/// Returns the effects that an attribute has on an SVG or MathML element. First: true if the start tag then closes all
/// open SVG and MathML elements. Second: true if the children of the element are then HTML.
pub(super) fn attribute_effects(element: &str, attribute: &str, value: &str) -> (bool, bool) {
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
