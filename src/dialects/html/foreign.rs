//! Tracking of open elements for foreign content: decides, without a tree construction, whether the next token is in
//! SVG or MathML.
//!
//! [`Foreign`] tracks all open elements, by those rules of the standard that can be applied to tags alone: which
//! start tags break out of foreign content, which elements contain HTML again (integration points), which start tags
//! close other elements, and which end tags have an element in scope. Three things are not tracked. Two need a tree
//! construction: formatting elements that are reconstructed, and content that is moved out of tables. The third would
//! take at least 1 % more instructions: a start tag that is still pending when its own end tag follows does not close
//! other elements (`<li><li></li>` leaves one `li` open).
//!
//! ```text
//! <div> <p> <b> </b>  <svg> <desc> <i>      source
//! \_______________/   \______________/
//!  pending             open, updated at each tag
//! ```
//!
//! PERF: outside of foreign content, a start tag only appends a key of its name to `pending`, and an end tag of the
//! same name directly after it removes the key. The rules are applied to the pending tags only when the result is
//! needed. Tracking costs real pages 1 to 3 % of the instructions (callgrind, a program that reads events).

use crate::dialects::html::names::{Names, Space, set};
use crate::engine::input::sizes::Sizes;
use crate::engine::text::html_element_names::ElementName;
use crate::engine::text::html_facts::{
    BLOCKS, BOUNDARIES, BREAKOUT, CELLS, FORMATTING, HEADING_TAGS, MATH_IN_TEXT,
    MATH_TEXT_INTEGRATION_POINTS, SPECIAL_NAMES, SVG_HTML_INTEGRATION_POINTS, TABLE_PARTS, VOID,
};
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

/// Context elements in whose fragments start tags of table parts, such as `<tr>`, are not ignored.
const HOLDS_TABLE_PARTS: Names = TABLE_PARTS
    .or(set!(Table Template))
    .without(CELLS.or(set!(Caption)));

/// Start tags that close an open `p`, except `table`, which does so only in some documents.
const CLOSES_PARAGRAPH: Names = BLOCKS
    .or(HEADING_TAGS)
    .or(set!(Dd Dt Form Hr Li Listing Pre Xmp));

/// Start tags whose elements are never on the stack of open elements. `image` is read as `img`. A `frame` is ignored
/// except in framesets, which contain nothing foreign.
const NEVER_OPEN: Names = VOID.without(set!(Frame)).or(set!(Image));

/// Start tags outside of foreign content that have no effect on the open elements.
const INERT: Names = NEVER_OPEN
    .without(CLOSES_PARAGRAPH)
    .without(TABLE_PARTS)
    .without(set!(Input));

/// The open elements, as far as they can be derived from tags.
#[derive(Clone, Debug)]
pub(super) struct Foreign {
    open: Vec<Element>,
    /// Number of open HTML elements for each known name, so that a search for an element that is not open is avoided.
    /// Empty until an element is open.
    counts: Vec<u16>,
    /// Number of open elements for each unknown name and for each name in foreign content. The bool is true for
    /// foreign elements.
    others: BTreeMap<(Name, bool), u16>,
    /// Keys of the names of start tags that follow the elements in `open` and are outside of foreign content. The rules
    /// are not applied to these tags yet.
    pending: Vec<u32>,
    /// Number of open elements that are foreign.
    depth: usize,
    /// True if the first element is the context of a fragment, which end tags cannot close.
    has_context: bool,
    /// True if the context of the fragment is one in which start tags of table parts are not ignored.
    is_in_table: bool,
    /// Maximum number of open elements that are tracked, and of pending tags. It equals the maximum depth of a tree.
    /// Elements at a greater depth are ignored.
    max_tracked: usize,
}

impl Default for Foreign {
    fn default() -> Foreign {
        Foreign {
            open: Vec::new(),
            counts: Vec::new(),
            others: BTreeMap::new(),
            pending: Vec::new(),
            depth: 0,
            has_context: false,
            is_in_table: false,
            max_tracked: Sizes::USUAL.tracked_elements,
        }
    }
}

/// An open element.
#[derive(Clone, Copy, Debug)]
struct Element {
    name: Name,
    kind: ForeignKind,
}

/// A name: a known one, or the key of another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Name {
    Known(ElementName),
    Other(u32),
}

/// The namespace of an open element, and the kind of content that the element has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ForeignKind {
    Html,
    Svg,
    Math,
    /// A MathML text integration point: `mi`, `mo`, `mn`, `ms` or `mtext`. Its content is HTML, except for two
    /// elements.
    TextIntegrationPoint,
    /// An `annotation-xml` whose content is MathML, except that a `svg` in it is SVG.
    Annotation,
    /// An HTML integration point: an element of SVG or MathML whose content is HTML.
    HtmlIntegrationPoint,
}

/// Returns the key of a name: its first letter, a letter near its middle, its last letter, and its length. No two
/// known names have the same key. The key of an empty name is 0.
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

/// Returns the index of the middle letter that is part of the key, for a name of the given length.
#[inline(always)]
pub(super) const fn middle(length: usize) -> usize {
    length * 3 / 8
}

/// Returns the key of a name with the given letters and length. A key is never 0.
#[inline(always)]
pub(super) const fn code_of(first: u8, middle: u8, last: u8, length: usize) -> u32 {
    u32::from_le_bytes([first, middle, last, length as u8])
}

/// The known names with their keys, sorted by key.
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
    /// Returns the open elements at the start of a fragment whose context is written `div`, `svg path` or `math mi`.
    pub(super) fn within(context: &str) -> Foreign {
        let mut foreign = Foreign::default();
        let (space, name) = Space::of_context(context);
        let kind = match space {
            Space::Svg => ForeignKind::Svg,
            Space::Math => ForeignKind::Math,
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

    /// Sets the maximum number of tracked elements.
    #[cfg(feature = "inspect")]
    pub(super) fn set_sizes(&mut self, sizes: &Sizes) {
        self.max_tracked = sizes.tracked_elements;
    }

    /// Sets the same maximum number as that of `other`.
    pub(super) fn keep_sizes(&mut self, other: &Foreign) {
        self.max_tracked = other.max_tracked;
    }

    /// Returns whether no foreign element is open.
    #[inline(always)]
    pub(super) fn is_absent(&self) -> bool {
        self.depth == 0
    }

    /// Returns whether a CDATA section would be recognized here: the innermost open element is foreign.
    pub(super) fn reads_cdata(&self) -> bool {
        self.open
            .last()
            .is_some_and(|last| last.kind != ForeignKind::Html)
    }

    /// Handles a start tag outside of foreign content that neither starts foreign content nor has text as content.
    /// `code` is the key of its name.
    #[inline(always)]
    pub(super) fn note(&mut self, code: u32) {
        if self.pending.len() >= self.max_tracked {
            self.settle();
        }
        self.pending.push(code);
    }

    /// Handles an end tag by the key of its name, if it closes the start tag that directly precedes it in `pending`.
    /// Returns whether it does.
    #[inline(always)]
    pub(super) fn ends_last(&mut self, code: u32) -> bool {
        let is_last = self.pending.last() == Some(&code);
        if is_last {
            self.pending.pop();
        }
        is_last
    }

    /// Applies the rules for HTML content to the pending start tags, and moves them to `open`.
    #[inline(never)]
    fn settle(&mut self) {
        let mut pending = core::mem::take(&mut self.pending);
        for code in pending.drain(..) {
            // Elements at a greater depth are not tracked, so that many of them do not cost a search each.
            if self.open.len() < self.max_tracked {
                self.start_html(Name::of_code(code));
            }
        }
        self.pending = pending;
    }

    /// Handles a start tag in foreign content, or one that starts it. Returns whether its element is foreign.
    /// `holds_html` is true if its attributes make an `annotation-xml` contain HTML, or make a `font` end foreign
    /// content. `holds_text` is true if an HTML element of this name contains text.
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
        let current = self.open.last().map_or(ForeignKind::Html, |last| last.kind);
        let point = known.is_some_and(|known| MATH_IN_TEXT.holds(known));
        let is_html = match current {
            ForeignKind::Html | ForeignKind::HtmlIntegrationPoint => true,
            ForeignKind::TextIntegrationPoint => !point,
            ForeignKind::Annotation => known == Some(ElementName::Svg),
            ForeignKind::Svg | ForeignKind::Math => false,
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
                ForeignKind::Svg => ForeignKind::Svg,
                _ => ForeignKind::Math,
            };
            if !self_closing {
                self.push(id, inner(space, id, holds_html));
            }
            return true;
        }
        match known {
            Some(ElementName::Svg | ElementName::Math) if self_closing => {}
            Some(ElementName::Svg) => self.push(id, ForeignKind::Svg),
            Some(ElementName::Math) => self.push(id, ForeignKind::Math),
            Some(ElementName::Xmp) => self.close_paragraph(),
            _ if holds_text => {}
            _ => self.start_html(id),
        }
        false
    }

    /// Handles a start tag by the rules for HTML content, unless its content is text.
    fn start_html(&mut self, id: Name) {
        use ElementName as Known;
        let Some(known) = id.known() else {
            return self.push(id, ForeignKind::Html);
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
            // A `<select>` in a select only closes the outer one.
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
        if !NEVER_OPEN.holds(known) {
            self.push(id, ForeignKind::Html);
        }
    }

    /// Handles the start tag of a table part. It closes elements in the table, except the table parts that can
    /// contain the new element. If some of these parts are missing, they are inserted.
    fn start_part_of_table(&mut self, known: ElementName) {
        use ElementName as Known;
        let is_table = |element: &Element| {
            element.kind == ForeignKind::Html
                && is_any(element.name, &[Known::Table, Known::Template])
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
        let replacing: &[Known] = match known {
            _ if is_cell => &[Known::Tr, Known::Tbody, Known::Tfoot, Known::Thead],
            Known::Tr => &[Known::Tbody, Known::Tfoot, Known::Thead],
            _ => &[],
        };
        let mut above = self.open[floor..].iter();
        let row = above.rposition(|it| it.kind == ForeignKind::Html && is_any(it.name, replacing));
        self.truncate(row.map_or(floor, |at| floor + at + 1));
        if row.is_none() && in_table && (is_cell || known == Known::Tr) {
            self.push(Name::Known(Known::Tbody), ForeignKind::Html);
        }
        let in_rows = |name| matches!(name, Known::Tbody | Known::Tfoot | Known::Thead);
        if is_cell && self.open.len() > floor && self.last_is(in_rows) {
            self.push(Name::Known(Known::Tr), ForeignKind::Html);
        }
        if known != Known::Col {
            self.push(Name::Known(known), ForeignKind::Html);
        }
    }

    /// Handles an end tag that [`ends_last`](Self::ends_last) has not handled.
    #[inline(never)]
    pub(super) fn end(&mut self, name: &str) {
        // PERF: an end tag after an element without an end tag, such as an `img`, then needs no rules.
        let is_inert = |code: &u32| {
            Name::of_code(*code)
                .known()
                .is_some_and(|name| INERT.holds(name))
        };
        let inert = self.pending.iter().rev().take_while(|code| is_inert(code));
        self.pending.truncate(self.pending.len() - inert.count());
        if self.ends_last(code(name)) {
            return;
        }
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
                            kind: ForeignKind::Html,
                            ..
                        } => break,
                        element if element.name == id => return self.truncate(at),
                        _ => {}
                    }
                }
            }
        }
        self.end_html(id);
    }

    /// Handles an end tag by the rules for HTML content.
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
        // True once the search has passed an element of the category "special" that does not end a scope. Only the
        // end tags in `is_looked_for` close an element below such an element; for all others the search ends there.
        let mut is_hidden = false;
        let is_looked_for =
            known.is_some_and(|name| FORMATTING.or(SPECIAL_NAMES).or(BLOCKS).holds(name));
        for at in (least..self.open.len()).rev() {
            let Element { name, kind } = self.open[at];
            let ends = match kind {
                ForeignKind::Html if name == id || is_heading(name) && is_heading(id) => {
                    if !is_hidden || is_looked_for {
                        self.close_html(at, known, is_hidden);
                    }
                    return;
                }
                ForeignKind::Html if of_table => is_any(name, &[Known::Table, Known::Template]),
                ForeignKind::Html if is_template => false,
                ForeignKind::Html => {
                    name.known().is_some_and(|name| BOUNDARIES.holds(name))
                        || known == Some(Known::P) && is_any(name, &[Known::Button])
                        || known == Some(Known::Li) && is_any(name, &[Known::Ol, Known::Ul])
                }
                ForeignKind::Svg | ForeignKind::Math => false,
                ForeignKind::TextIntegrationPoint
                | ForeignKind::Annotation
                | ForeignKind::HtmlIntegrationPoint => !is_template && !of_table,
            };
            is_hidden |= kind == ForeignKind::Html
                && name.known().is_some_and(|name| SPECIAL_NAMES.holds(name));
            if ends || is_hidden && !is_looked_for {
                return;
            }
        }
    }

    /// Closes the HTML element at an index for its end tag. `is_hidden` is true if an element of the category "special"
    /// is open in it.
    fn close_html(&mut self, at: usize, known: Option<ElementName>, is_hidden: bool) {
        // The adoption agency algorithm removes the element from the stack, and the elements in it stay open.
        let is_adopted = is_hidden && known.is_some_and(|name| FORMATTING.holds(name));
        // The elements in a form stay open when the form is closed, unless a template is open.
        let is_form = known == Some(ElementName::Form) && !self.has_template();
        match is_adopted || is_form {
            true => self.remove(at),
            false => self.truncate(at),
        }
    }

    /// Closes foreign elements up to one whose content is HTML, as the standard's rules for start tags that break out
    /// of foreign content.
    fn break_out(&mut self) {
        let least = usize::from(self.has_context);
        while self.open.len() > least
            && let Some(last) = self.open.last()
            && matches!(
                last.kind,
                ForeignKind::Svg | ForeignKind::Math | ForeignKind::Annotation
            )
        {
            self.truncate(self.open.len() - 1);
        }
    }

    /// Closes the HTML element of this name that is in scope, and the elements in it. Returns whether there is one.
    fn close_in_scope(&mut self, id: Name) -> bool {
        let at = self.in_scope(id, None);
        if let Some(at) = at {
            self.truncate(at);
        }
        at.is_some()
    }

    /// Closes the `p` element in button scope, if there is one.
    fn close_paragraph(&mut self) {
        let paragraph = Name::Known(ElementName::P);
        if let Some(at) = self.in_scope(paragraph, Some(ElementName::Button)) {
            self.truncate(at);
        }
    }

    /// Returns the index of the HTML element of this name that is in scope. `end` is an additional element that
    /// limits the scope.
    fn in_scope(&self, id: Name, end: Option<ElementName>) -> Option<usize> {
        if !self.has(id) {
            return None;
        }
        for (at, &Element { name, kind }) in self.open.iter().enumerate().rev() {
            match kind {
                ForeignKind::Html if name == id => return Some(at),
                ForeignKind::Html
                    if name.known().is_some_and(|name| BOUNDARIES.holds(name))
                        || end.is_some() && name.known() == end =>
                {
                    break;
                }
                ForeignKind::Html | ForeignKind::Svg | ForeignKind::Math => {}
                ForeignKind::TextIntegrationPoint
                | ForeignKind::Annotation
                | ForeignKind::HtmlIntegrationPoint => break,
            }
        }
        None
    }

    /// Closes a list item with one of these names, unless an element of the category "special" other than `address`,
    /// `div` and `p` is open in it.
    fn close_item(&mut self, items: &[ElementName]) {
        use ElementName as Known;
        for at in (0..self.open.len()).rev() {
            let Element { name, kind } = self.open[at];
            match (kind, name) {
                (ForeignKind::Html, name) if is_any(name, items) => return self.truncate(at),
                (ForeignKind::Html, Name::Known(Known::Address | Known::Div | Known::P)) => {}
                (ForeignKind::Html, Name::Known(name)) if SPECIAL_NAMES.holds(name) => return,
                (ForeignKind::Html | ForeignKind::Svg | ForeignKind::Math, _) => {}
                _ => return,
            }
        }
    }

    /// Closes the elements that a start tag `option` or `optgroup` closes.
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

    /// Closes the open table if a `<table>` follows directly in it, and not in one of its cells or in another
    /// boundary of scopes.
    fn close_table(&mut self) {
        let table = self.open.iter().rposition(|element| {
            let Element { name, kind } = *element;
            kind != ForeignKind::Html || name.known().is_some_and(|name| BOUNDARIES.holds(name))
        });
        if let Some(at) = table
            && self.open[at].kind == ForeignKind::Html
            && is_any(self.open[at].name, &[ElementName::Table])
        {
            self.truncate(at);
        }
    }

    fn has_template(&self) -> bool {
        self.has(Name::Known(ElementName::Template))
    }

    /// Returns whether an HTML element of this name is open.
    fn has(&self, name: Name) -> bool {
        let Name::Known(known) = name else {
            return self.others.contains_key(&(name, false));
        };
        self.counts
            .get(known as usize)
            .is_some_and(|count| *count > 0)
    }

    /// Returns whether the innermost open element is an HTML element with a known name that satisfies `holds`.
    fn last_is(&self, holds: impl FnOnce(ElementName) -> bool) -> bool {
        let last = self
            .open
            .last()
            .filter(|last| last.kind == ForeignKind::Html);
        last.and_then(|last| last.name.known()).is_some_and(holds)
    }

    fn push(&mut self, name: Name, kind: ForeignKind) {
        if self.open.len() >= self.max_tracked {
            return;
        }
        self.open.push(Element { name, kind });
        let is_foreign = kind != ForeignKind::Html;
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

    /// Closes all elements from index `at` on.
    fn truncate(&mut self, at: usize) {
        while self.open.len() > at
            && let Some(element) = self.open.pop()
        {
            self.forget(element);
        }
    }

    /// Removes the HTML element at index `at`. The elements in it stay open.
    fn remove(&mut self, at: usize) {
        let element = self.open.remove(at);
        self.forget(element);
    }

    fn forget(&mut self, element: Element) {
        let Element { name, kind } = element;
        let is_foreign = kind != ForeignKind::Html;
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

/// Returns the kind of an element of SVG or MathML. `space` is the kind of its namespace, `Svg` or `Math`. It is also
/// the result, unless the element is an integration point or an `annotation-xml`, which have kinds of their own.
/// `holds_html` says that the attributes of an `annotation-xml` make its content HTML.
fn inner(space: ForeignKind, name: Name, holds_html: bool) -> ForeignKind {
    use ElementName as Known;
    let Name::Known(name) = name else {
        return space;
    };
    match (space, name) {
        (ForeignKind::Svg, name) if SVG_HTML_INTEGRATION_POINTS.holds(name) => {
            ForeignKind::HtmlIntegrationPoint
        }
        (ForeignKind::Math, Known::AnnotationXml) if holds_html => {
            ForeignKind::HtmlIntegrationPoint
        }
        (ForeignKind::Math, Known::AnnotationXml) => ForeignKind::Annotation,
        (ForeignKind::Math, name) if MATH_TEXT_INTEGRATION_POINTS.holds(name) => {
            ForeignKind::TextIntegrationPoint
        }
        _ => space,
    }
}

fn is_any(name: Name, of: &[ElementName]) -> bool {
    matches!(name, Name::Known(name) if of.contains(&name))
}

crate::checkpoint::checkpointable! {
    struct Foreign {
        open, counts, others, pending, depth, has_context, is_in_table, max_tracked
    }
    struct Element { name, kind }
    enum Name { Known(value), Other(value) }
    enum ForeignKind { Html, Svg, Math, TextIntegrationPoint, Annotation, HtmlIntegrationPoint }
}
