//! Foreign content as far as events can tell it: whether what comes next is in SVG or MathML.
//!
//! From the tag on that begins SVG or MathML, all elements are followed that are open in it, by the
//! standard's rules for foreign content: which start tags break out of it, which elements lead back to
//! HTML, whose end tags close what. Of the elements of HTML in those, as much is known as their tags
//! say: not what they imply, nor what formatting elements are made again. Of what is open around all
//! that, it is only known which names have been met, by their first letters and lengths: an end tag of
//! one of these closes the foreign content, another one nothing.

use super::content::text_state;
use crate::text::html_element_names::ElementName;
use alloc::vec::Vec;

/// So many elements are followed, as a tree is so deep; deeper ones are not.
const DEEPEST: usize = 512;

/// The elements of foreign content that are open, and those in them.
#[derive(Clone, Debug, Default)]
pub(super) struct Foreign {
    open: Vec<Element>,
    /// A bit for each name of the start tags outside of foreign content, shared by a few.
    outside: [u64; 4],
    /// The first element is the context of a fragment, which is not open.
    has_context: bool,
}

/// An open element.
#[derive(Clone, Copy, Debug)]
struct Element {
    name: Name,
    kind: Kind,
}

/// A name that is known, or what stands for another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Name {
    Known(ElementName),
    Other(u32),
}

/// What an element is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Html,
    Svg,
    Math,
    /// Leads back to HTML: a text integration point of MathML, `annotation-xml` that holds no HTML, an
    /// HTML integration point.
    TextPoint,
    Annotation,
    HtmlPoint,
}

impl Name {
    fn new(name: &str, known: Option<ElementName>) -> Name {
        known.map_or_else(
            || {
                let mix = |hash: u32, byte: u8| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
                Name::Other(name.bytes().fold(0x811c_9dc5, mix))
            },
            Name::Known,
        )
    }
}

/// The bit of a name: by its first and last letter and its length.
#[inline(always)]
fn bit(name: &str) -> (usize, u64) {
    let letters = name.as_bytes();
    let (first, last) = (letters.first(), letters.last());
    let [first, last] =
        [first, last].map(|letter| usize::from(letter.copied().unwrap_or_default()));
    let number = first + 29 * last + 83 * letters.len();
    (number >> 6 & 3, 1 << (number & 63))
}

impl Foreign {
    /// What is open where a fragment begins, in an element written `div`, `svg path` or `math mi`.
    pub(super) fn within(context: &str) -> Foreign {
        let mut foreign = Foreign::default();
        let (kind, name) = match context.split_once(' ') {
            Some(("svg", name)) => (Kind::Svg, name),
            Some(("math", name)) => (Kind::Math, name),
            _ => {
                if ElementName::find(context).is_some_and(is_part_of_table) {
                    foreign.note("table");
                }
                return foreign;
            }
        };
        let name = Name::new(name, ElementName::find(&name.to_ascii_lowercase()));
        let kind = inner(kind, name, false);
        foreign.open.push(Element { name, kind });
        foreign.has_context = true;
        foreign
    }

    /// Whether no element of foreign content is open.
    #[inline(always)]
    pub(super) fn is_absent(&self) -> bool {
        self.open.is_empty()
    }

    /// Whether a CDATA section that comes next is one.
    pub(super) fn reads_cdata(&self) -> bool {
        self.open.last().is_some_and(|last| last.kind != Kind::Html)
    }

    /// A start tag outside of foreign content, which does not begin it.
    #[inline(always)]
    pub(super) fn note(&mut self, name: &str) {
        let (word, bit) = bit(name);
        self.outside[word] |= bit;
    }

    /// Whether an element of that name may be open outside of foreign content.
    fn is_outside(&self, name: &str) -> bool {
        let (word, bit) = bit(name);
        !self.has_context && self.outside[word] & bit != 0
    }

    /// A start tag; gives whether its element is foreign. `holds_html` says that its attributes make an
    /// `annotation-xml` hold HTML, or a `font` one of HTML; `is_open` that it neither closes itself nor
    /// holds only text.
    pub(super) fn start(
        &mut self,
        name: &str,
        known: Option<ElementName>,
        self_closing: bool,
        holds_html: bool,
        holds_text: bool,
    ) -> bool {
        let id = Name::new(name, known);
        let current = self.open.last().map_or(Kind::Html, |last| last.kind);
        let point = matches!(known, Some(ElementName::Mglyph | ElementName::Malignmark));
        let is_html = match current {
            Kind::Html | Kind::HtmlPoint => true,
            Kind::TextPoint => !point,
            Kind::Annotation => known == Some(ElementName::Svg),
            Kind::Svg | Kind::Math => false,
        };
        let breaks = !is_html
            && known
                .is_some_and(|known| breaks_out(known) || known == ElementName::Font && holds_html);
        if breaks {
            self.break_out();
        }
        if !is_html && !breaks {
            let space = match current {
                Kind::Svg => Kind::Svg,
                _ => Kind::Math,
            };
            if !self_closing {
                self.push(id, inner(space, id, holds_html));
            }
            return true;
        }
        if known.is_some_and(closes_paragraph) {
            self.close_in_scope(Name::Known(ElementName::P));
        }
        let closes = known.is_some_and(closes_its_own) && self.close_in_scope(id);
        if known == Some(ElementName::Table) {
            self.close_table();
        }
        match known {
            // It only closes the other one.
            Some(ElementName::Select) if closes => {}
            Some(ElementName::Svg) if !self_closing => self.push(id, Kind::Svg),
            Some(ElementName::Math) if !self_closing => self.push(id, Kind::Math),
            Some(ElementName::Svg | ElementName::Math) => {}
            _ if holds_text || self.open.is_empty() => {}
            Some(known) if is_void(known) => {}
            Some(known) if is_part_of_table(known) && !self.is_in_table() => {
                if self.is_outside("table") {
                    self.open.clear();
                }
            }
            Some(ElementName::Html | ElementName::Head | ElementName::Body) => {}
            Some(ElementName::Frame | ElementName::Frameset) => {}
            _ => self.push(id, Kind::Html),
        }
        false
    }

    /// An end tag.
    pub(super) fn end(&mut self, name: &str, known: Option<ElementName>) {
        let id = Name::new(name, known);
        if self.reads_cdata() {
            if matches!(known, Some(ElementName::Br | ElementName::P)) {
                self.break_out();
            } else {
                let least = usize::from(self.has_context);
                for at in (least..self.open.len()).rev() {
                    match self.open[at] {
                        Element {
                            kind: Kind::Html, ..
                        } => break,
                        element if element.name == id => return self.open.truncate(at),
                        _ => {}
                    }
                }
            }
        }
        self.end_html(name, id, known);
    }

    /// An end tag by the rules of HTML.
    fn end_html(&mut self, name: &str, id: Name, known: Option<ElementName>) {
        let is_template = known == Some(ElementName::Template);
        let of_table =
            known.is_some_and(|known| is_part_of_table(known) || known == ElementName::Table);
        let is_heading = |name| matches!(name, Name::Known(name) if heading(name));
        let least = usize::from(self.has_context);
        // An element that is no end of a scope, but that not every end tag sees through.
        let mut is_hidden = false;
        for at in (least..self.open.len()).rev() {
            let Element { name, kind } = self.open[at];
            let ends = match kind {
                Kind::Html if name == id || is_heading(name) && is_heading(id) => {
                    match is_hidden {
                        // The adoption agency takes it out from under what is in it.
                        true if known.is_some_and(is_formatting) => {
                            self.open.remove(at);
                        }
                        true if !known.is_some_and(is_special) => {}
                        _ => self.open.truncate(at),
                    }
                    return;
                }
                Kind::Html if of_table => {
                    is_any(name, &[ElementName::Table, ElementName::Template])
                }
                Kind::Html => !is_template && ends_scope(name),
                Kind::Svg | Kind::Math => false,
                Kind::TextPoint | Kind::Annotation | Kind::HtmlPoint => !is_template && !of_table,
            };
            if ends {
                return;
            }
            is_hidden |=
                kind == Kind::Html && matches!(name, Name::Known(name) if is_special(name));
        }
        let closes = known.is_none_or(|known| {
            !is_void(known)
                && !matches!(
                    known,
                    ElementName::Html
                        | ElementName::Head
                        | ElementName::Body
                        | ElementName::Frame
                        | ElementName::Frameset
                        | ElementName::P
                )
                && text_state(known, false).is_none()
        });
        let of_table = known.is_some_and(is_part_of_table);
        if closes && self.is_outside(name) && (!of_table || self.is_outside("table")) {
            self.open.clear();
        }
    }

    /// Closes foreign elements up to one in which HTML may stand.
    fn break_out(&mut self) {
        let least = usize::from(self.has_context);
        while self.open.len() > least
            && let Some(last) = self.open.last()
            && matches!(last.kind, Kind::Svg | Kind::Math | Kind::Annotation)
        {
            self.open.pop();
        }
    }

    /// Closes an element of HTML that is open and in scope; gives whether there is one.
    fn close_in_scope(&mut self, id: Name) -> bool {
        for at in (0..self.open.len()).rev() {
            let Element { name, kind } = self.open[at];
            match kind {
                Kind::Html if name == id => {
                    self.open.truncate(at);
                    return true;
                }
                Kind::Html if !ends_scope(name) => {}
                Kind::Svg | Kind::Math => {}
                _ => return false,
            }
        }
        false
    }

    /// A table directly in another one closes that.
    fn close_table(&mut self) {
        let table = self.open.iter().rposition(|element| {
            let Element { name, kind } = *element;
            kind != Kind::Html || ends_scope(name)
        });
        if let Some(at) = table
            && self.open[at].kind == Kind::Html
            && is_any(self.open[at].name, &[ElementName::Table])
        {
            self.open.truncate(at);
        }
    }

    /// Whether an open element makes parts of tables stand there.
    fn is_in_table(&self) -> bool {
        let html = self
            .open
            .iter()
            .rev()
            .take_while(|it| it.kind == Kind::Html);
        let tables = [ElementName::Table, ElementName::Template];
        html.into_iter()
            .any(|element| is_any(element.name, &tables))
    }

    fn push(&mut self, name: Name, kind: Kind) {
        if self.open.len() < DEEPEST {
            self.open.push(Element { name, kind });
        }
    }
}

/// What a foreign element is.
fn inner(space: Kind, name: Name, holds_html: bool) -> Kind {
    use ElementName as Known;
    let Name::Known(name) = name else {
        return space;
    };
    match (space, name) {
        (Kind::Svg, Known::ForeignObject | Known::Desc | Known::Title) => Kind::HtmlPoint,
        (Kind::Math, Known::AnnotationXml) if holds_html => Kind::HtmlPoint,
        (Kind::Math, Known::AnnotationXml) => Kind::Annotation,
        (Kind::Math, Known::Mi | Known::Mo | Known::Mn | Known::Ms | Known::Mtext) => {
            Kind::TextPoint
        }
        _ => space,
    }
}

fn is_any(name: Name, of: &[ElementName]) -> bool {
    matches!(name, Name::Known(name) if of.contains(&name))
}

/// The elements that end the scope in which an end tag looks for its element.
fn ends_scope(name: Name) -> bool {
    use ElementName as Known;
    is_any(
        name,
        &[
            Known::Applet,
            Known::Caption,
            Known::Marquee,
            Known::Object,
            Known::Select,
            Known::Table,
            Known::Td,
            Known::Template,
            Known::Th,
        ],
    )
}

fn is_part_of_table(name: ElementName) -> bool {
    use ElementName as Known;
    matches!(
        name,
        Known::Caption
            | Known::Col
            | Known::Colgroup
            | Known::Tbody
            | Known::Td
            | Known::Tfoot
            | Known::Th
            | Known::Thead
            | Known::Tr
    )
}

/// Elements that are never open.
fn is_void(name: ElementName) -> bool {
    use ElementName as Known;
    matches!(
        name,
        Known::Area
            | Known::Base
            | Known::Basefont
            | Known::Bgsound
            | Known::Br
            | Known::Col
            | Known::Embed
            | Known::Hr
            | Known::Image
            | Known::Img
            | Known::Input
            | Known::Keygen
            | Known::Link
            | Known::Meta
            | Known::Param
            | Known::Source
            | Known::Track
            | Known::Wbr
    )
}

/// The start tags that close a paragraph, but for those of tables and forms.
fn closes_paragraph(name: ElementName) -> bool {
    use ElementName as Known;
    let is_block = matches!(
        name,
        Known::Address
            | Known::Article
            | Known::Aside
            | Known::Blockquote
            | Known::Center
            | Known::Dd
            | Known::Details
            | Known::Dialog
            | Known::Dir
            | Known::Div
            | Known::Dl
            | Known::Dt
            | Known::Fieldset
            | Known::Figcaption
            | Known::Figure
            | Known::Footer
            | Known::Header
            | Known::Hgroup
            | Known::Hr
            | Known::Li
            | Known::Listing
            | Known::Main
            | Known::Menu
            | Known::Nav
            | Known::Ol
            | Known::P
            | Known::Pre
            | Known::Search
            | Known::Section
            | Known::Summary
            | Known::Ul
            | Known::Xmp
    );
    is_block || heading(name)
}

fn heading(name: ElementName) -> bool {
    use ElementName as Known;
    matches!(
        name,
        Known::H1 | Known::H2 | Known::H3 | Known::H4 | Known::H5 | Known::H6
    )
}

/// Elements that the end tags of ordinary ones do not see through.
fn is_special(name: ElementName) -> bool {
    use ElementName as Known;
    closes_paragraph(name)
        || is_part_of_table(name)
        || ends_scope(Name::Known(name))
        || matches!(name, Known::Button | Known::Form | Known::Noscript)
}

fn is_formatting(name: ElementName) -> bool {
    use ElementName as Known;
    matches!(
        name,
        Known::A
            | Known::B
            | Known::Big
            | Known::Code
            | Known::Em
            | Known::Font
            | Known::I
            | Known::Nobr
            | Known::S
            | Known::Small
            | Known::Strike
            | Known::Strong
            | Known::Tt
            | Known::U
    )
}

/// Some of the start tags that close an open element of their name.
fn closes_its_own(name: ElementName) -> bool {
    use ElementName as Known;
    matches!(
        name,
        Known::A
            | Known::Button
            | Known::Dd
            | Known::Dt
            | Known::Li
            | Known::Nobr
            | Known::Option
            | Known::Select
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
