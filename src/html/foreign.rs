//! Foreign content as far as events can tell it: whether what comes next is in SVG or MathML.
//!
//! All open elements are followed, by the rules of the standard that tags alone decide: which start tags
//! break out of foreign content, which elements lead back to HTML, which start tags close what, which end
//! tag finds its element in scope. Formatting elements that are made again are not known, nor what is
//! moved out of tables.
//!
//! ```text
//! <div> <p> <b> </b>  <svg> <desc> <i>      written
//! \_______________/   \______________/
//!  pending, lazily     open, tag by tag
//! ```
//!
//! PERF: outside of foreign content a start tag only leaves its name, which an end tag of that name
//! right after takes away; what the others mean is worked out when it matters. That costs real
//! pages one to three instructions in a hundred, by callgrind over a program that reads them.

use super::construct::schema::{
    BLOCKS, BOUNDARIES, BREAKOUT, CELLS, FORMATTING, HEADING_TAGS, MATH_TEXT_INTEGRATION_POINTS,
    SPECIAL_NAMES, SVG_HTML_INTEGRATION_POINTS, TABLE_PARTS,
};
use crate::html::names::{Names, Space, set};
use crate::text::html_element_names::ElementName;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

/// The elements in whose fragments parts of tables stand.
const HOLDS_TABLE_PARTS: Names = TABLE_PARTS
    .or(set!(Table Template))
    .without(CELLS.or(set!(Caption)));

/// The start tags that close a paragraph, but for those of tables, which do so in some documents.
const CLOSES_PARAGRAPH: Names = BLOCKS
    .or(HEADING_TAGS)
    .or(set!(Dd Dt Form Hr Li Listing Pre Xmp));

/// Elements that are never open.
const VOID: Names = set!(Area Base Basefont Bgsound Br Col Embed Hr Image Img Input Keygen Link Meta
    Param Source Track Wbr);

/// So many elements are followed, as a tree is so deep; deeper ones are not.
const DEEPEST: usize = 512;

/// So many start tags are kept before it is worked out what they leave open.
const PENDING: usize = 64;

/// The elements that are open.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(super) struct Foreign {
    open: Vec<Element>,
    /// How many of them are of HTML, by name, so that what is not open is not looked for. Empty until there is one.
    counts: Vec<u16>,
    /// How many are of names that are not known, and of foreign content, by name and by whether they are foreign.
    others: BTreeMap<(Name, bool), u16>,
    /// Names of start tags outside of foreign content, above `open`: nothing is closed by them yet.
    pending: Vec<u32>,
    /// How many of the open elements are not of HTML.
    depth: usize,
    /// The first element is the context of a fragment, which is not open.
    has_context: bool,
    /// The context of a fragment is one that parts of tables stand in.
    is_in_table: bool,
}

/// An open element.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
struct Element {
    name: Name,
    kind: Kind,
}

/// A name that is known, or what stands for another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
enum Name {
    Known(ElementName),
    Other(u32),
}

/// What an element is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
enum Kind {
    Html,
    Svg,
    Math,
    /// Leads back to HTML: a text integration point of MathML, `annotation-xml` that holds no HTML, an
    /// HTML integration point.
    TextIntegrationPoint,
    Annotation,
    HtmlIntegrationPoint,
}

/// What stands for a name: its first letter, the one before the middle, the last, its length. No two of the
/// known names share one.
#[inline(always)]
pub(super) const fn code(name: &str) -> u32 {
    let letters = name.as_bytes();
    let length = letters.len();
    if length == 0 {
        return 0;
    }
    let (first, last) = (letters[0], letters[length - 1]);
    code_of(first, letters[middle(length)], last, length)
}

/// Where the letter in the middle is in a name of that length.
#[inline(always)]
pub(super) const fn middle(length: usize) -> usize {
    length * 3 / 8
}

/// What stands for a name of these letters and that length; it is never 0.
#[inline(always)]
pub(super) const fn code_of(first: u8, middle: u8, last: u8, length: usize) -> u32 {
    u32::from_le_bytes([first, middle, last, length as u8])
}

/// The known names by what stands for them, in order.
static CODES: [(u32, ElementName); ElementName::ALL.len()] = {
    let mut codes = [(0, ElementName::A); ElementName::ALL.len()];
    let mut number = 0;
    while number < codes.len() {
        let new = (
            code(ElementName::ALL[number].name()),
            ElementName::ALL[number],
        );
        let mut at = number;
        while at > 0 && codes[at - 1].0 >= new.0 {
            assert!(codes[at - 1].0 != new.0, "two names share a code");
            codes[at] = codes[at - 1];
            at -= 1;
        }
        codes[at] = new;
        number += 1;
    }
    codes
};

impl Name {
    fn new(name: &str, known: Option<ElementName>) -> Name {
        known.map_or_else(|| Name::Other(code(name)), Name::Known)
    }

    fn of_code(code: u32) -> Name {
        match CODES.binary_search_by_key(&code, |known| known.0) {
            Ok(at) => Name::Known(CODES[at].1),
            Err(_) => Name::Other(code),
        }
    }

    fn known(self) -> Option<ElementName> {
        match self {
            Name::Known(name) => Some(name),
            Name::Other(_) => None,
        }
    }
}

impl Foreign {
    /// What is open where a fragment begins, in an element written `div`, `svg path` or `math mi`.
    pub(super) fn within(context: &str) -> Foreign {
        let mut foreign = Foreign::default();
        let (space, name) = Space::of_context(context);
        let kind = match space {
            Space::Svg => Kind::Svg,
            Space::Math => Kind::Math,
            _ => {
                foreign.is_in_table =
                    ElementName::find(name).is_some_and(|name| HOLDS_TABLE_PARTS.holds(name));
                return foreign;
            }
        };
        let name = Name::new(name, ElementName::find(&name.to_ascii_lowercase()));
        foreign.push(name, inner(kind, name, false));
        foreign.has_context = true;
        foreign
    }

    /// Whether no element of foreign content is open.
    #[inline(always)]
    pub(super) fn is_absent(&self) -> bool {
        self.depth == 0
    }

    /// Whether a CDATA section that comes next is one.
    pub(super) fn reads_cdata(&self) -> bool {
        self.open.last().is_some_and(|last| last.kind != Kind::Html)
    }

    /// A start tag outside of foreign content, which neither begins it nor holds only text.
    #[inline(always)]
    pub(super) fn note(&mut self, code: u32) {
        if self.pending.len() == PENDING {
            self.settle();
        }
        self.pending.push(code);
    }

    /// An end tag by what stands for its name: whether it ends the last start tag that is kept.
    #[inline(always)]
    pub(super) fn ends_last(&mut self, code: u32) -> bool {
        let is_last = self.pending.last() == Some(&code);
        if is_last {
            self.pending.pop();
        }
        is_last
    }

    /// Works out what the start tags that are kept leave open.
    #[inline(never)]
    fn settle(&mut self) {
        let mut pending = core::mem::take(&mut self.pending);
        for code in pending.drain(..) {
            // Deeper elements are not looked at, so that a flood of them costs no walks.
            if self.open.len() < DEEPEST {
                self.start_html(Name::of_code(code));
            }
        }
        self.pending = pending;
    }

    /// A start tag in foreign content, or one that begins it; gives whether its element is foreign.
    /// `holds_html` says that its attributes make an `annotation-xml` hold HTML, or a `font` one of HTML.
    pub(super) fn start(
        &mut self,
        name: &str,
        known: Option<ElementName>,
        self_closing: bool,
        holds_html: bool,
        holds_text: bool,
    ) -> bool {
        self.settle();
        let id = Name::new(name, known);
        let current = self.open.last().map_or(Kind::Html, |last| last.kind);
        let point = matches!(known, Some(ElementName::Mglyph | ElementName::Malignmark));
        let is_html = match current {
            Kind::Html | Kind::HtmlIntegrationPoint => true,
            Kind::TextIntegrationPoint => !point,
            Kind::Annotation => known == Some(ElementName::Svg),
            Kind::Svg | Kind::Math => false,
        };
        let breaks = !is_html
            && known.is_some_and(|known| {
                BREAKOUT.holds(known) || known == ElementName::Font && holds_html
            });
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
        match known {
            Some(ElementName::Svg | ElementName::Math) if self_closing => {}
            Some(ElementName::Svg) => self.push(id, Kind::Svg),
            Some(ElementName::Math) => self.push(id, Kind::Math),
            Some(ElementName::Xmp) => self.close_paragraph(),
            _ if holds_text => {}
            _ => self.start_html(id),
        }
        false
    }

    /// A start tag by the rules of HTML, of an element that does not only hold text.
    fn start_html(&mut self, id: Name) {
        use ElementName as Known;
        let Some(known) = id.known() else {
            return self.push(id, Kind::Html);
        };
        if CLOSES_PARAGRAPH.holds(known) {
            if matches!(known, Known::Dd | Known::Dt) {
                self.close_item(&[Known::Dd, Known::Dt]);
            } else if known == Known::Li {
                self.close_item(&[Known::Li]);
            }
            self.close_paragraph();
        }
        match known {
            Known::A | Known::Nobr => self.end_html(id),
            Known::Button => drop(self.close_in_scope(id)),
            Known::Input => drop(self.close_in_scope(Name::Known(Known::Select))),
            // It only closes the other one.
            Known::Select if self.close_in_scope(id) => return,
            Known::Option | Known::Optgroup => self.close_options(known),
            Known::Table => self.close_table(),
            Known::Html | Known::Head | Known::Body | Known::Frame | Known::Frameset => return,
            _ if TABLE_PARTS.holds(known) => return self.start_part_of_table(known),
            _ if HEADING_TAGS.holds(known) && self.last_is(|last| HEADING_TAGS.holds(last)) => {
                self.truncate(self.open.len() - 1)
            }
            _ => {}
        }
        if !VOID.holds(known) {
            self.push(id, Kind::Html);
        }
    }

    /// A start tag of a part of a table: it closes what is open in the table but for the parts that it
    /// stands in, and those of them that are missing are made.
    fn start_part_of_table(&mut self, known: ElementName) {
        use ElementName as Known;
        let is_table = |element: &Element| {
            element.kind == Kind::Html && is_any(element.name, &[Known::Table, Known::Template])
        };
        let around = self.open.iter().rposition(is_table);
        if around.is_none() && !self.is_in_table {
            return;
        }
        let floor = around.map_or(0, |at| at + 1);
        let in_table = around.is_some_and(|at| is_any(self.open[at].name, &[Known::Table]));
        let first = self.open.get(floor).map(|element| element.name);
        let is_part = |name: Name| name.known().is_some_and(|name| TABLE_PARTS.holds(name));
        if around.is_some() && !in_table && !first.is_none_or(is_part) {
            return;
        }
        let is_cell = matches!(known, Known::Td | Known::Th);
        let stands_in: &[Known] = match known {
            _ if is_cell => &[Known::Tr, Known::Tbody, Known::Tfoot, Known::Thead],
            Known::Tr => &[Known::Tbody, Known::Tfoot, Known::Thead],
            _ => &[],
        };
        let mut above = self.open[floor..].iter();
        let row = above.rposition(|it| it.kind == Kind::Html && is_any(it.name, stands_in));
        self.truncate(row.map_or(floor, |at| floor + at + 1));
        if row.is_none() && in_table && (is_cell || known == Known::Tr) {
            self.push(Name::Known(Known::Tbody), Kind::Html);
        }
        let in_rows = |name| matches!(name, Known::Tbody | Known::Tfoot | Known::Thead);
        if is_cell && self.open.len() > floor && self.last_is(in_rows) {
            self.push(Name::Known(Known::Tr), Kind::Html);
        }
        if known != Known::Col {
            self.push(Name::Known(known), Kind::Html);
        }
    }

    /// An end tag that is not known to end the last start tag.
    #[inline(never)]
    pub(super) fn end(&mut self, name: &str) {
        self.settle();
        let id = Name::new(name, ElementName::find(name));
        if self.reads_cdata() {
            if is_any(id, &[ElementName::Br, ElementName::P]) {
                self.break_out();
            } else if self.others.contains_key(&(id, true)) {
                let least = usize::from(self.has_context);
                for at in (least..self.open.len()).rev() {
                    match self.open[at] {
                        Element {
                            kind: Kind::Html, ..
                        } => break,
                        element if element.name == id => return self.truncate(at),
                        _ => {}
                    }
                }
            }
        }
        self.end_html(id);
    }

    /// An end tag by the rules of HTML.
    fn end_html(&mut self, id: Name) {
        use ElementName as Known;
        let known = id.known();
        let is_template = known == Some(Known::Template);
        let of_table = known.is_some_and(|known| TABLE_PARTS.holds(known) || known == Known::Table);
        let is_heading = |name: Name| name.known().is_some_and(|name| HEADING_TAGS.holds(name));
        if !is_heading(id) && !self.has(id) {
            return;
        }
        let least = usize::from(self.has_context);
        // An element that is no end of a scope, but that not every end tag sees through: of other names than
        // these, nothing comes below it.
        let mut is_hidden = false;
        let is_looked_for =
            known.is_some_and(|name| FORMATTING.or(SPECIAL_NAMES).or(BLOCKS).holds(name));
        for at in (least..self.open.len()).rev() {
            let Element { name, kind } = self.open[at];
            let ends = match kind {
                Kind::Html if name == id || is_heading(name) && is_heading(id) => {
                    match is_hidden {
                        // The adoption agency takes it out from under what is in it.
                        true if known.is_some_and(|name| FORMATTING.holds(name)) => {
                            self.remove(at);
                        }
                        true if !is_looked_for => {}
                        // What is in a form stays open, but for one in a template.
                        _ if known == Some(Known::Form) && !self.has_template() => {
                            self.remove(at);
                        }
                        _ => self.truncate(at),
                    }
                    return;
                }
                Kind::Html if of_table => is_any(name, &[Known::Table, Known::Template]),
                Kind::Html if is_template => false,
                Kind::Html => {
                    name.known().is_some_and(|name| BOUNDARIES.holds(name))
                        || known == Some(Known::P) && is_any(name, &[Known::Button])
                        || known == Some(Known::Li) && is_any(name, &[Known::Ol, Known::Ul])
                }
                Kind::Svg | Kind::Math => false,
                Kind::TextIntegrationPoint | Kind::Annotation | Kind::HtmlIntegrationPoint => {
                    !is_template && !of_table
                }
            };
            is_hidden |=
                kind == Kind::Html && name.known().is_some_and(|name| SPECIAL_NAMES.holds(name));
            if ends || is_hidden && !is_looked_for {
                return;
            }
        }
    }

    /// Closes foreign elements up to one in which HTML may stand.
    fn break_out(&mut self) {
        let least = usize::from(self.has_context);
        while self.open.len() > least
            && let Some(last) = self.open.last()
            && matches!(last.kind, Kind::Svg | Kind::Math | Kind::Annotation)
        {
            self.truncate(self.open.len() - 1);
        }
    }

    /// Closes an element of HTML that is open and in scope; gives whether there is one.
    fn close_in_scope(&mut self, id: Name) -> bool {
        let at = self.in_scope(id, None);
        if let Some(at) = at {
            self.truncate(at);
        }
        at.is_some()
    }

    /// Closes a paragraph that is open, and not around a button.
    fn close_paragraph(&mut self) {
        let paragraph = Name::Known(ElementName::P);
        if let Some(at) = self.in_scope(paragraph, Some(ElementName::Button)) {
            self.truncate(at);
        }
    }

    /// Where an element of HTML is open and in scope, which may end at one more element.
    fn in_scope(&self, id: Name, end: Option<ElementName>) -> Option<usize> {
        if !self.has(id) {
            return None;
        }
        for (at, &Element { name, kind }) in self.open.iter().enumerate().rev() {
            match kind {
                Kind::Html if name == id => return Some(at),
                Kind::Html
                    if name.known().is_some_and(|name| BOUNDARIES.holds(name))
                        || end.is_some() && name.known() == end =>
                {
                    break;
                }
                Kind::Html | Kind::Svg | Kind::Math => {}
                Kind::TextIntegrationPoint | Kind::Annotation | Kind::HtmlIntegrationPoint => break,
            }
        }
        None
    }

    /// Closes an item of a list that is open with nothing special in it.
    fn close_item(&mut self, items: &[ElementName]) {
        use ElementName as Known;
        for at in (0..self.open.len()).rev() {
            let Element { name, kind } = self.open[at];
            match (kind, name) {
                (Kind::Html, name) if is_any(name, items) => return self.truncate(at),
                (Kind::Html, Name::Known(Known::Address | Known::Div | Known::P)) => {}
                (Kind::Html, Name::Known(name)) if SPECIAL_NAMES.holds(name) => return,
                (Kind::Html | Kind::Svg | Kind::Math, _) => {}
                _ => return,
            }
        }
    }

    /// What a start tag of an option or a group of them closes.
    fn close_options(&mut self, known: ElementName) {
        use ElementName as Known;
        if self.in_scope(Name::Known(Known::Select), None).is_none() {
            if self.last_is(|last| last == Known::Option) {
                self.truncate(self.open.len() - 1);
            }
            return;
        }
        let is_implied = |last| match last {
            Known::Optgroup => known == Known::Optgroup,
            Known::Dd | Known::Dt | Known::Li | Known::Option | Known::P => true,
            _ => matches!(last, Known::Rb | Known::Rp | Known::Rt | Known::Rtc),
        };
        while self.last_is(is_implied) {
            self.truncate(self.open.len() - 1);
        }
    }

    /// A table directly in another one closes that.
    fn close_table(&mut self) {
        let table = self.open.iter().rposition(|element| {
            let Element { name, kind } = *element;
            kind != Kind::Html || name.known().is_some_and(|name| BOUNDARIES.holds(name))
        });
        if let Some(at) = table
            && self.open[at].kind == Kind::Html
            && is_any(self.open[at].name, &[ElementName::Table])
        {
            self.truncate(at);
        }
    }

    fn has_template(&self) -> bool {
        self.has(Name::Known(ElementName::Template))
    }

    /// Whether an element of HTML of this name is open.
    fn has(&self, name: Name) -> bool {
        let Name::Known(known) = name else {
            return self.others.contains_key(&(name, false));
        };
        self.counts
            .get(known as usize)
            .is_some_and(|count| *count > 0)
    }

    /// Whether the last element is one of HTML of which this holds.
    fn last_is(&self, holds: impl FnOnce(ElementName) -> bool) -> bool {
        let last = self.open.last().filter(|last| last.kind == Kind::Html);
        last.and_then(|last| last.name.known()).is_some_and(holds)
    }

    fn push(&mut self, name: Name, kind: Kind) {
        if self.open.len() >= DEEPEST {
            return;
        }
        self.open.push(Element { name, kind });
        let is_foreign = kind != Kind::Html;
        self.depth += usize::from(is_foreign);
        match name {
            Name::Known(name) if !is_foreign => {
                if self.counts.is_empty() {
                    self.counts = alloc::vec![0; ElementName::ALL.len()];
                }
                self.counts[name as usize] += 1;
            }
            _ => *self.others.entry((name, is_foreign)).or_default() += 1,
        }
    }

    /// Closes all elements from one on.
    fn truncate(&mut self, at: usize) {
        while self.open.len() > at
            && let Some(element) = self.open.pop()
        {
            self.forget(element);
        }
    }

    /// Takes out one of HTML from below others.
    fn remove(&mut self, at: usize) {
        let element = self.open.remove(at);
        self.forget(element);
    }

    fn forget(&mut self, element: Element) {
        let Element { name, kind } = element;
        let is_foreign = kind != Kind::Html;
        self.depth -= usize::from(is_foreign);
        match name {
            Name::Known(name) if !is_foreign => {
                if let Some(count) = self.counts.get_mut(name as usize) {
                    *count = count.saturating_sub(1);
                }
            }
            _ => match self.others.get_mut(&(name, is_foreign)) {
                Some(count) if *count > 1 => *count -= 1,
                _ => drop(self.others.remove(&(name, is_foreign))),
            },
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
        (Kind::Svg, name) if SVG_HTML_INTEGRATION_POINTS.holds(name) => Kind::HtmlIntegrationPoint,
        (Kind::Math, Known::AnnotationXml) if holds_html => Kind::HtmlIntegrationPoint,
        (Kind::Math, Known::AnnotationXml) => Kind::Annotation,
        (Kind::Math, name) if MATH_TEXT_INTEGRATION_POINTS.holds(name) => {
            Kind::TextIntegrationPoint
        }
        _ => space,
    }
}

fn is_any(name: Name, of: &[ElementName]) -> bool {
    matches!(name, Name::Known(name) if of.contains(&name))
}
