//! The text of a document as a browser shows it without style sheets: the "rendered text collection steps" of the HTML
//! standard, with the display types of its chapter "Rendering" instead of a layout.

use super::html_element_names::ElementName;
use super::html_element_sets::{Names, set};
use super::html_facts::{KEEPS_WHITESPACE, LAID_OUT_AS_BLOCK, PLAIN_TEXT};
use crate::engine::namespaces;
use alloc::string::String;
use alloc::vec::Vec;

/// The language of an element, which determines how the element is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    Html,
    Svg,
    Math,
    /// Any other namespace, or none: every element is inline.
    Other,
}

impl Language {
    /// Returns the language of the elements of a namespace.
    pub(crate) fn of(namespace: Option<&str>) -> Language {
        match namespace {
            Some(namespaces::HTML) => Language::Html,
            Some(namespaces::SVG) => Language::Svg,
            Some(namespaces::MATHML) => Language::Math,
            _ => Language::Other,
        }
    }
}

/// How an element is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Display {
    /// The element and its content are not shown.
    Nothing,
    /// The element takes a place in a line, and its content is not text.
    Replaced,
    /// The content is part of the surrounding line.
    Inline,
    /// The same, between quotation marks that are shown and are not part of the text.
    Quotation,
    /// The content has lines of its own, and the element takes a place in a line.
    InlineBlock,
    /// The element begins and ends a line.
    Block,
    /// A block with an empty line before and after it.
    Paragraph,
    /// A forced line break.
    Break,
    Table,
    /// A row, which begins a line if it is not the first of its table.
    Row,
    /// A cell, which a tab separates from the cell before it.
    Cell,
    /// The parts of a table that contain rows.
    RowGroup,
}

/// Elements that are never shown.
const NOT_SHOWN: Names = set!(Area Base Basefont Datalist Head Link Meta Noembed Noframes Param Rp Script Source Style
    Template Title Track);

/// Elements that take a place in a line, and whose content is not shown as text.
const REPLACED: Names = set!(Iframe Image Img Input Textarea);

/// Elements that are lines of their own within a line.
const INLINE_BLOCKS: Names = set!(Button Marquee Select);

/// Returns how an element is shown. `attribute` returns the value of an attribute of the element.
pub(crate) fn display<'v>(
    language: Language,
    name: &str,
    attribute: impl Fn(&str) -> Option<&'v str>,
) -> Display {
    match language {
        Language::Html => html_display(name, attribute),
        Language::Svg => match name {
            "svg" => Display::InlineBlock,
            "text" | "foreignObject" => Display::Block,
            "a" | "clipPath" | "defs" | "g" | "marker" | "mask" | "pattern" | "switch"
            | "symbol" | "textPath" | "tspan" => Display::Inline,
            _ => Display::Nothing,
        },
        Language::Math => match name {
            "math" if attribute("display") == Some("block") => Display::Block,
            "math" => Display::InlineBlock,
            "mtable" => Display::Table,
            "mtr" => Display::Row,
            "mtd" => Display::Cell,
            "annotation" | "annotation-xml" | "mphantom" => Display::Nothing,
            _ => Display::Block,
        },
        Language::Other => Display::Inline,
    }
}

fn html_display<'v>(name: &str, attribute: impl Fn(&str) -> Option<&'v str>) -> Display {
    let known = ElementName::find(name);
    let shown = match (known, name) {
        (Some(known), _) => known_display(known, &attribute),
        (None, "audio") if attribute("controls").is_none() => Display::Nothing,
        (None, "audio" | "video" | "meter" | "progress") => Display::Replaced,
        (None, "legend") => Display::Block,
        (None, "q") => Display::Quotation,
        (None, _) => Display::Inline,
    };
    // An element with `hidden=until-found` is shown unless it has lines of its own: "content-visibility" does not apply
    // to inline elements.
    match attribute("hidden") {
        Some(value) if !(value.eq_ignore_ascii_case("until-found") && shown == Display::Inline) => {
            Display::Nothing
        }
        _ => shown,
    }
}

fn known_display<'v>(name: ElementName, attribute: &impl Fn(&str) -> Option<&'v str>) -> Display {
    use ElementName::{
        Bgsound, Br, Dialog, Embed, Input, Object, P, Table, Tbody, Td, Tfoot, Th, Thead, Tr, Xmp,
    };
    let is_hidden_input =
        || attribute("type").is_some_and(|kind| kind.eq_ignore_ascii_case("hidden"));
    match name {
        Br => Display::Break,
        P => Display::Paragraph,
        Table => Display::Table,
        Tbody | Tfoot | Thead => Display::RowGroup,
        Tr => Display::Row,
        Td | Th => Display::Cell,
        Xmp => Display::Block,
        Dialog if attribute("open").is_none() => Display::Nothing,
        Input if is_hidden_input() => Display::Nothing,
        Embed if attribute("src").is_none() => Display::Nothing,
        Embed => Display::Replaced,
        // Without data, the content of the element is shown.
        Object if attribute("data").is_some() => Display::Replaced,
        Object => Display::InlineBlock,
        _ if NOT_SHOWN.holds(name) => Display::Nothing,
        _ if REPLACED.holds(name) => Display::Replaced,
        _ if INLINE_BLOCKS.holds(name) => Display::InlineBlock,
        // The element has no effect, so browsers do not lay it out as a block.
        Bgsound => Display::Inline,
        _ if LAID_OUT_AS_BLOCK.holds(name) => Display::Block,
        _ => Display::Inline,
    }
}

/// Which content of an element is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shown {
    Everything,
    /// A closed `details`: only its first `summary`, which is still to come or not.
    Summary {
        is_to_come: bool,
    },
    /// A `select`: only options and groups of options.
    Options,
    /// Elements, but no text: SVG outside `text`, and MathML outside its tokens.
    Elements,
    Nothing,
}

/// An open element.
#[derive(Clone, Copy, Debug)]
struct Open {
    display: Display,
    shown: Shown,
    /// True if white space is kept, as in `pre`.
    keeps_white_space: bool,
    /// Index of the nearest table and of the nearest row in the list of open elements, each of which may be this element.
    table: Option<usize>,
    row: Option<usize>,
    /// True if the table has a row already, or the row a cell.
    has_part: bool,
}

impl Open {
    const OUTERMOST: Open = Open {
        display: Display::Block,
        shown: Shown::Everything,
        keeps_white_space: false,
        table: None,
        row: None,
        has_part: false,
    };
}

/// The language, the name and the attributes of an element.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Element<'n, A> {
    pub(crate) language: Language,
    pub(crate) name: &'n str,
    pub(crate) attribute: A,
}

/// Collects the text of the elements and texts that the caller passes in document order.
#[derive(Clone, Debug)]
pub(crate) struct RenderedText {
    text: String,
    open: Vec<Open>,
    /// True if anything was collected, also if the caller has taken it.
    has_text: bool,
    /// Number of line breaks that are required before the next text.
    breaks: usize,
    /// True if white space came that becomes a space if more text follows in the line.
    space: bool,
    /// True at the start of a line, where white space is dropped.
    is_line_start: bool,
}

impl RenderedText {
    pub(crate) fn new() -> RenderedText {
        RenderedText {
            text: String::new(),
            open: Vec::new(),
            has_text: false,
            breaks: 0,
            space: false,
            is_line_start: true,
        }
    }

    /// Sets what precedes the text in its line: a text that ends without white space, or the start of the line.
    pub(crate) fn begin_in_line(&mut self, is_line_start: bool) {
        self.is_line_start = is_line_start;
    }

    /// Enters an element whose own display has no effect: an ancestor of the collected content, or its root.
    pub(crate) fn enter<'v>(&mut self, element: Element<'_, impl Fn(&str) -> Option<&'v str>>) {
        let open = self.classify(&element);
        self.open.push(open);
    }

    /// Returns whether the innermost element is a closed `details`, which shows only its first `summary`. If so, its
    /// other content is shown from now on, as if it were open.
    pub(crate) fn unfold(&mut self) -> bool {
        match self.open.last_mut() {
            Some(Open {
                shown: shown @ Shown::Summary { .. },
                ..
            }) => {
                *shown = Shown::Everything;
                true
            }
            _ => false,
        }
    }

    /// Ends the last row of a part of a table, because the table has more rows.
    pub(crate) fn end_rows(&mut self) {
        self.space = false;
        self.put("\n");
    }

    /// Returns whether the innermost element is shown, which need not be true of its content.
    pub(crate) fn is_shown(&self) -> bool {
        self.innermost().display != Display::Nothing
    }

    /// Begins an element.
    pub(crate) fn start<'v>(&mut self, element: Element<'_, impl Fn(&str) -> Option<&'v str>>) {
        let open = self.classify(&element);
        match open.display {
            Display::Nothing | Display::Inline => {}
            Display::Break => {
                self.put("\n");
                self.begin_line();
            }
            Display::Replaced | Display::Quotation => self.take_place(),
            Display::InlineBlock => {
                self.put_space();
                self.begin_line();
            }
            Display::Block | Display::Table => self.require_breaks(1),
            Display::Paragraph => self.require_breaks(2),
            Display::RowGroup => self.begin_line(),
            Display::Row => self.begin_part(open.table, "\n"),
            Display::Cell => self.begin_part(open.row, "\t"),
        }
        self.open.push(open);
    }

    /// Ends the innermost element.
    pub(crate) fn end(&mut self) {
        match self.open.pop().map(|open| open.display) {
            Some(Display::Block | Display::Table) => self.require_breaks(1),
            Some(Display::Paragraph) => self.require_breaks(2),
            Some(Display::Quotation) => self.take_place(),
            Some(Display::InlineBlock) => {
                self.space = false;
                self.is_line_start = false;
            }
            Some(Display::RowGroup | Display::Row | Display::Cell) => self.begin_line(),
            _ => {}
        }
    }

    /// Adds a text.
    pub(crate) fn add(&mut self, text: &str) {
        let innermost = self.innermost();
        if innermost.shown != Shown::Everything {
            return;
        }
        if innermost.keeps_white_space {
            if !text.is_empty() {
                self.put_space();
                self.put(text);
                self.is_line_start = text.ends_with('\n');
            }
            return;
        }
        let is_white = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
        let mut rest = text;
        while !rest.is_empty() {
            let white = rest.bytes().take_while(|byte| is_white(byte)).count();
            self.space |= white > 0 && !self.is_line_start;
            rest = &rest[white..];
            let word = rest
                .bytes()
                .position(|byte| is_white(&byte))
                .unwrap_or(rest.len());
            if word > 0 {
                self.put_space();
                self.put(&rest[..word]);
                self.is_line_start = false;
            }
            rest = &rest[word..];
        }
    }

    /// Returns whether the text ends with white space that becomes a space if its line goes on.
    pub(crate) fn has_space(&self) -> bool {
        self.space
    }

    /// Writes the white space at the end, because the line goes on.
    pub(crate) fn put_space(&mut self) {
        if self.space {
            self.put(" ");
            self.space = false;
        }
    }

    /// Returns the text so far.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Returns the text so far, and goes on with an empty one.
    pub(crate) fn take(&mut self) -> String {
        core::mem::take(&mut self.text)
    }

    pub(crate) fn into_text(self) -> String {
        self.text
    }

    fn innermost(&self) -> Open {
        self.open.last().copied().unwrap_or(Open::OUTERMOST)
    }

    /// Returns how an element is shown at the current place.
    fn classify<'v>(&mut self, element: &Element<'_, impl Fn(&str) -> Option<&'v str>>) -> Open {
        let (parent, index) = (self.innermost(), self.open.len());
        let own = display(element.language, element.name, &element.attribute);
        let is_html = |name: &str| element.language == Language::Html && element.name == name;
        let is_shown = own != Display::Nothing
            && match parent.shown {
                Shown::Everything | Shown::Elements => true,
                Shown::Summary { is_to_come } => {
                    let is_first = is_to_come && is_html("summary");
                    if is_first && let Some(details) = self.open.last_mut() {
                        details.shown = Shown::Summary { is_to_come: false };
                    }
                    is_first
                }
                Shown::Options => is_html("option") || is_html("optgroup"),
                Shown::Nothing => false,
            };
        let display = if is_shown { own } else { Display::Nothing };
        let is = |wanted: Display, inherited: Option<usize>| match display == wanted {
            true => Some(index),
            false => inherited,
        };
        Open {
            display,
            shown: self.shown_in(element, display, parent.shown),
            keeps_white_space: keeps_white_space(element, parent.keeps_white_space),
            table: is(Display::Table, parent.table),
            row: is(
                Display::Row,
                parent.row.filter(|_| display != Display::Table),
            ),
            has_part: false,
        }
    }

    /// Returns which content of an element is shown.
    fn shown_in<'v>(
        &self,
        element: &Element<'_, impl Fn(&str) -> Option<&'v str>>,
        display: Display,
        parent: Shown,
    ) -> Shown {
        if matches!(
            display,
            Display::Nothing | Display::Replaced | Display::Break
        ) {
            return Shown::Nothing;
        }
        match (element.language, element.name) {
            (Language::Html, "details") if (element.attribute)("open").is_none() => {
                Shown::Summary { is_to_come: true }
            }
            (Language::Html, "select") => Shown::Options,
            (Language::Html, "optgroup") if parent == Shown::Options => Shown::Options,
            (Language::Svg, "text" | "foreignObject")
            | (Language::Math, "mi" | "mn" | "mo" | "ms" | "mtd" | "mtext") => Shown::Everything,
            (Language::Svg, "svg") | (Language::Math, _) => Shown::Elements,
            (Language::Svg, _) if parent == Shown::Elements => Shown::Elements,
            _ => Shown::Everything,
        }
    }

    fn put(&mut self, text: &str) {
        let breaks = core::mem::take(&mut self.breaks);
        if self.has_text {
            self.text.extend(core::iter::repeat_n('\n', breaks));
        }
        self.text.push_str(text);
        self.has_text = true;
    }

    /// Goes on after something in the line that is not text.
    fn take_place(&mut self) {
        self.put_space();
        self.is_line_start = false;
    }

    fn begin_line(&mut self) {
        self.space = false;
        self.is_line_start = true;
    }

    fn require_breaks(&mut self, breaks: usize) {
        self.breaks = self.breaks.max(breaks);
        self.begin_line();
    }

    /// Begins a row of the table with this index, or a cell of the row, after writing the separator if there was one
    /// before.
    fn begin_part(&mut self, whole: Option<usize>, separator: &str) {
        if let Some(whole) = whole.and_then(|index| self.open.get_mut(index))
            && core::mem::replace(&mut whole.has_part, true)
        {
            self.space = false;
            self.put(separator);
        }
        self.begin_line();
    }
}

/// Returns whether white space is kept in an element.
fn keeps_white_space<'v>(
    element: &Element<'_, impl Fn(&str) -> Option<&'v str>>,
    inherited: bool,
) -> bool {
    match element.language {
        Language::Html => match ElementName::find(element.name) {
            Some(ElementName::Nobr) => false,
            Some(ElementName::Td | ElementName::Th) if (element.attribute)("nowrap").is_some() => {
                false
            }
            Some(name) => inherited || KEEPS_WHITESPACE.or(PLAIN_TEXT).holds(name),
            None => inherited,
        },
        _ => match (element.attribute)("xml:space") {
            Some("preserve") => true,
            Some("default") => false,
            _ => inherited,
        },
    }
}
