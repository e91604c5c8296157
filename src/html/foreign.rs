//! Foreign content as far as events can tell it: whether what comes next is in SVG or MathML.
//!
//! The rule, which looks at tags only: `svg` and `math` open foreign content, and their end tags
//! close it with all that is open in it. In SVG, `foreignObject`, `desc` and `title` lead back to HTML
//! up to their end tags; in MathML, `mi`, `mo`, `mn`, `ms`, `mtext`, and `annotation-xml` that says it
//! holds HTML; CDATA sections are read in these up to the first tag. The start tags that the standard lets break out of foreign content do so, and the end
//! tags of these elements: none of them can be open in it, so that one outside is meant. Elements of
//! other names are not followed.

use crate::text::html_element_names::ElementName;
use alloc::vec::Vec;

/// So many are followed; deeper ones are not.
const DEEPEST: usize = 1 << 16;

/// The elements that lead into foreign content or out of it, and are open.
#[derive(Clone, Debug, Default)]
pub(super) struct Foreign {
    open: Vec<ElementName>,
    /// How many of each are open, so that an end tag without a start tag costs no walk.
    counts: [u32; 11],
    /// The tag before was that of an element which leads back to HTML: what comes next is in it, and
    /// in no element of HTML.
    begins: bool,
}

/// The place of an element in the counts, if it is followed.
fn place(name: ElementName) -> Option<usize> {
    Some(match name {
        ElementName::Svg => 0,
        ElementName::Math => 1,
        ElementName::ForeignObject => 2,
        ElementName::Desc => 3,
        ElementName::Title => 4,
        ElementName::Mi => 5,
        ElementName::Mo => 6,
        ElementName::Mn => 7,
        ElementName::Ms => 8,
        ElementName::Mtext => 9,
        ElementName::AnnotationXml => 10,
        _ => return None,
    })
}

impl Foreign {
    /// What is open where a fragment begins, in an element written `div`, `svg path` or `math mi`.
    pub(super) fn within(context: &str) -> Foreign {
        let mut foreign = Foreign::default();
        let (outer, name) = match context.split_once(' ') {
            Some(("svg", name)) => (ElementName::Svg, name),
            Some(("math", name)) => (ElementName::Math, name),
            _ => return foreign,
        };
        foreign.start(outer, false, false);
        let known = ElementName::find(&name.to_ascii_lowercase());
        if let Some(name) = known.filter(|&name| name != outer && !breaks_out(name)) {
            foreign.start(name, false, false);
        }
        foreign
    }

    /// Whether no element of foreign content is open.
    #[inline(always)]
    pub(super) fn is_absent(&self) -> bool {
        self.open.is_empty()
    }

    /// Whether what comes next is foreign content.
    #[inline(always)]
    pub(super) fn is_current(&self) -> bool {
        matches!(self.open.last(), Some(ElementName::Svg | ElementName::Math))
    }

    /// Whether a CDATA section that comes next is one.
    pub(super) fn reads_cdata(&self) -> bool {
        self.is_current() || self.begins
    }

    /// A tag of a name that nothing follows from.
    #[inline(always)]
    pub(super) fn other_tag(&mut self) {
        self.begins = false;
    }

    /// A start tag; gives whether its element is foreign. `holds_html` says that its attributes make an
    /// `annotation-xml` hold HTML, or a `font` one of HTML.
    pub(super) fn start(
        &mut self,
        name: ElementName,
        self_closing: bool,
        holds_html: bool,
    ) -> bool {
        let current = self.open.last().copied();
        let is_foreign = self.is_current();
        self.begins = false;
        if self.is_current() && (breaks_out(name) || (name == ElementName::Font && holds_html)) {
            while self.is_current() {
                self.pop();
            }
            return false;
        }
        let follows = match (name, current) {
            (ElementName::Svg | ElementName::Math, _) => true,
            (
                ElementName::ForeignObject | ElementName::Desc | ElementName::Title,
                Some(ElementName::Svg),
            ) => true,
            (ElementName::AnnotationXml, Some(ElementName::Math)) => holds_html,
            (
                ElementName::Mi
                | ElementName::Mo
                | ElementName::Mn
                | ElementName::Ms
                | ElementName::Mtext,
                Some(ElementName::Math),
            ) => true,
            _ => false,
        };
        if follows
            && !self_closing
            && self.open.len() < DEEPEST
            && let Some(place) = place(name)
        {
            self.open.push(name);
            self.counts[place] += 1;
            self.begins = !self.is_current();
        }
        is_foreign
    }

    /// An end tag.
    pub(super) fn end(&mut self, name: ElementName) {
        self.begins = false;
        if self.is_current() && closes_outside(name) {
            while self.is_current() {
                self.pop();
            }
        }
        if place(name).is_some_and(|place| self.counts[place] > 0) {
            while self.pop().is_some_and(|closed| closed != name) {}
        }
    }

    fn pop(&mut self) -> Option<ElementName> {
        let name = self.open.pop()?;
        if let Some(place) = place(name) {
            self.counts[place] -= 1;
        }
        Some(name)
    }
}

/// The end tags that end foreign content: those of the elements whose start tags do, but for the ones
/// that close nothing.
fn closes_outside(name: ElementName) -> bool {
    use ElementName as Name;
    breaks_out(name)
        && !matches!(
            name,
            Name::Body | Name::Embed | Name::Head | Name::Hr | Name::Img | Name::Meta
        )
}

/// The start tags that end foreign content.
fn breaks_out(name: ElementName) -> bool {
    use ElementName as Name;
    matches!(
        name,
        Name::B
            | Name::Big
            | Name::Blockquote
            | Name::Body
            | Name::Br
            | Name::Center
            | Name::Code
            | Name::Dd
            | Name::Div
            | Name::Dl
            | Name::Dt
            | Name::Em
            | Name::Embed
            | Name::H1
            | Name::H2
            | Name::H3
            | Name::H4
            | Name::H5
            | Name::H6
            | Name::Head
            | Name::Hr
            | Name::I
            | Name::Img
            | Name::Li
            | Name::Listing
            | Name::Menu
            | Name::Meta
            | Name::Nobr
            | Name::Ol
            | Name::P
            | Name::Pre
            | Name::Ruby
            | Name::S
            | Name::Small
            | Name::Span
            | Name::Strong
            | Name::Strike
            | Name::Sub
            | Name::Sup
            | Name::Table
            | Name::Tt
            | Name::U
            | Name::Ul
            | Name::Var
    )
}
