//! Foreign content (SVG and MathML) in tree construction: the spelling of names, integration points, tags that end
//! foreign content, and end tags.

use super::act::{DONE, Flow};
use super::modes::Mode;
use super::numbers::{Name, known};
use super::schema;
use super::stack_observer::StackObserver;
use super::state::TreeConstruction;
use crate::dialects::html::construct::attribute_names::adjusted;
use crate::dialects::html::construct::rules::Token;
use crate::dialects::html::errors;
use crate::dialects::html::names::Space;
use crate::engine::text::html_element_names::ElementName;
use crate::engine::text::html_facts;
use crate::tree::{QualifiedName, TreeSink};

/// Returns the qualified name of an element. Names of SVG elements get their uppercase letters, as in `foreignObject`.
#[inline(always)]
pub(super) fn element_name<N>(name: Name<'_>, space: Space, namespace: N) -> QualifiedName<'_, N> {
    let known = ElementName::ALL.get(name.number as usize).copied();
    QualifiedName::known(spelled(name, space), namespace, known)
}

/// Returns the name of an element as it is spelled in its namespace: some names in SVG contain uppercase letters.
#[inline(always)]
pub(in crate::dialects::html) fn spelled<'n>(name: Name<'n>, space: Space) -> &'n str {
    match (space, ElementName::ALL.get(name.number as usize)) {
        (Space::Svg, Some(known)) => known.svg_name(),
        _ => name.text,
    }
}

/// Returns the table of rules for tokens while the given foreign element is the current node. These rules are applied
/// before those of the insertion mode. Returns `None` for HTML elements. `attribute` returns the value of an
/// attribute of the element.
pub(super) fn foreign_rules<'a>(
    name: u32,
    space: Space,
    attribute: impl Fn(&str) -> Option<&'a str>,
) -> Option<Mode> {
    let number = known(name);
    match space {
        Space::Html => None,
        Space::Svg if html_facts::SVG_HTML_INTEGRATION_POINTS.has(number) => {
            Some(Mode::HtmlIntegrationPoint)
        }
        Space::Math if html_facts::MATH_TEXT_INTEGRATION_POINTS.has(number) => {
            Some(Mode::MathTextIntegrationPoint)
        }
        Space::Math if schema::MATH_INTEGRATION_POINTS.has(number) => {
            match attribute("encoding").is_some_and(html_facts::is_html_encoding) {
                true => Some(Mode::HtmlIntegrationPoint),
                false => Some(Mode::AnnotationXml),
            }
        }
        _ => Some(Mode::Foreign),
    }
}

impl<S: TreeSink, W: StackObserver> TreeConstruction<S, W> {
    /// Returns the qualified name of an attribute of an element in the namespace `space`, which is SVG or MathML.
    /// `name` is in lowercase.
    pub(super) fn foreign_attribute<'a>(
        &self,
        name: &'a str,
        space: Space,
    ) -> QualifiedName<'a, S::Namespace> {
        match adjusted(name, space) {
            (name, None) => QualifiedName::new(name),
            (name, space) => QualifiedName::prefixed(name, space.map(|space| self.space(space))),
        }
    }

    /// Pops foreign elements up to an element whose content is HTML: an HTML element or an integration point.
    pub(super) fn break_out(&mut self) {
        while let current = self.stack.current()
            && current.space != Space::Html
            && !matches!(
                current.foreign_rules,
                Some(Mode::MathTextIntegrationPoint | Mode::HtmlIntegrationPoint)
            )
        {
            self.pop();
        }
    }

    /// Handles an end tag in foreign content. It closes the foreign element with its name, which may be a script,
    /// unless an HTML element comes before that on the stack. Then the rules of the insertion mode apply.
    pub(super) fn close_foreign<'a>(&mut self, token: &mut Token<'a>) -> Flow {
        let name = token.name.number;
        let current = self.stack.current();
        if current.name != name || current.space == Space::Html {
            self.error(errors::MISNESTED_END_TAG);
        }
        if self.stack.depth() == 1 {
            return DONE;
        }
        let Some(found) = self.stack.find(name, true) else {
            return self.apply(self.insertion_mode(), token);
        };
        if self.stack.frames.last() == found {
            self.end_script();
        }
        self.pop_through_frame(found);
        DONE
    }
}
