//! `Node::inner_text`: the text of a node as a browser shows it.

use super::node::{Node, NodeKind};
use super::walk::Edge;
use crate::engine::text::rendered::{self, Display, Element, Language, RenderedText};
use alloc::string::String;
use alloc::vec::Vec;

impl<'a> Node<'a> {
    /// Returns the text of the node as a browser shows it without style sheets: the `innerText` of the DOM.
    ///
    /// - Blocks begin and end a line, `br` begins a line, a `p` has an empty line before and after it, the rows of a
    ///   table are lines, and its cells are separated by tabs.
    /// - White space becomes one space, and none at the start and the end of a line, except in `pre` and similar
    ///   elements.
    /// - The contents of `script`, `style`, `template`, `title`, `textarea`, of elements with the attribute `hidden`,
    ///   of closed `details` and `dialog` elements, and of everything else that the HTML standard does not show are
    ///   left out. `noscript` is left out if the document was parsed with scripting.
    ///
    /// Style sheets and the attribute `style` have no effect. Elements that are not HTML, SVG or MathML continue the
    /// line, and keep white space if they have `xml:space="preserve"`.
    ///
    /// The text of an element in a closed `details`, except its `summary`, is empty. If the node itself is not shown for
    /// another reason, or is neither an element nor a document, the result is that of
    /// [`text_content`](Self::text_content), as the standard requires.
    ///
    /// The time is proportional to the size of the node, its depth, and the part of its line outside the node that
    /// consists of white space and empty elements.
    ///
    /// ```
    /// use tagstream::{Document, Html};
    ///
    /// let page = Document::parse(Html::default(), "<h1>Tom</h1><p>and\n <b>Jerry</b><script>x</script><p>a<br>b")?;
    /// assert_eq!(page.root().inner_text(), "Tom\n\nand Jerry\n\na\nb");
    /// let page = Document::parse(Html::default(), "<table><tr><td>a<td>b<tr><td>c</table>")?;
    /// assert_eq!(page.root().inner_text(), "a\tb\nc");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    #[doc(alias("innerText", "outerText", "get_text"))]
    pub fn inner_text(&self) -> String {
        let is_whole = matches!(self.kind(), NodeKind::Document | NodeKind::DocumentFragment);
        if !is_whole && !self.is_element() {
            return self.text_content();
        }
        let mut rendered = RenderedText::new();
        let ancestors: Vec<Node<'_>> = self.ancestors().filter(Node::is_element).collect();
        let mut is_folded = false;
        for element in ancestors
            .iter()
            .rev()
            .chain(self.is_element().then_some(self))
        {
            is_folded |= rendered.unfold() && !is_first_summary(*element);
            rendered.enter(described(*element));
        }
        if !rendered.is_shown() {
            return self.text_content();
        }
        if is_folded {
            return String::new();
        }
        let own = if is_whole {
            Display::Block
        } else {
            display(*self)
        };
        rendered.begin_in_line(match own {
            Display::Inline => begins_line(*self),
            Display::Quotation => false,
            _ => true,
        });
        for edge in self.edges() {
            match edge {
                Edge::Open(node) if node == *self => {}
                Edge::Close(node) if node == *self => {}
                Edge::Open(node) if node.is_text() => rendered.add(node.text()),
                Edge::Open(node) if node.is_element() => rendered.start(described(node)),
                Edge::Close(node) if node.is_element() => rendered.end(),
                _ => {}
            }
        }
        let is_within_line = match own {
            Display::Inline => rendered.has_space() && goes_on(*self),
            Display::Quotation => true,
            _ => false,
        };
        if is_within_line {
            rendered.put_space();
        }
        if own == Display::RowGroup && self.children().any(is_row) && rows_follow(*self) {
            rendered.end_rows();
        }
        rendered.into_text()
    }
}

/// The description of an element for the display rules.
fn described<'a>(node: Node<'a>) -> Element<'a, impl Fn(&str) -> Option<&'a str>> {
    let is_scripting = node.document().is_scripting();
    Element {
        language: Language::of(node.namespace()),
        name: node.local_name(),
        attribute: move |name: &str| match node.attribute(name) {
            None if name == "hidden" && is_scripting && node.local_name() == "noscript" => Some(""),
            value => value,
        },
    }
}

fn display(node: Node<'_>) -> Display {
    let element = described(node);
    rendered::display(element.language, element.name, element.attribute)
}

/// Returns whether an element is the `summary` that a closed `details` shows.
fn is_first_summary(element: Node<'_>) -> bool {
    let is_summary = |node: &Node<'_>| node.local_name() == "summary";
    let mut before = core::iter::successors(element.previous_sibling(), Node::previous_sibling);
    is_summary(&element) && !before.any(|node| is_summary(&node))
}

fn is_row(node: Node<'_>) -> bool {
    node.is_element() && display(node) == Display::Row
}

/// Returns whether the table of a part of a table has rows after the part.
fn rows_follow(part: Node<'_>) -> bool {
    let mut after = core::iter::successors(part.next_sibling(), Node::next_sibling);
    after.any(|node| {
        is_row(node) || node.children().any(is_row) && display(node) == Display::RowGroup
    })
}

/// A place in a line.
enum Place {
    /// Text that is not white space, or an element that takes a place in the line.
    Content,
    /// The start or the end of the line, or white space.
    Edge,
    /// Nothing, so that the neighbour decides.
    Nothing,
}

/// Returns what the node, without its children, contributes to its line. `is_before` is true if its last character
/// counts, false if its first one does.
fn place(node: Node<'_>, is_before: bool) -> Place {
    if !node.is_element() {
        // White space before the node is kept where it stands, so that the node begins like a line. White space after the
        // node decides nothing.
        let is_white = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
        let text = if node.is_text() {
            node.text().as_bytes()
        } else {
            &[]
        };
        return match (is_before, text.last()) {
            (_, None) => Place::Nothing,
            (true, Some(last)) if is_white(last) => Place::Edge,
            (false, _) if text.iter().all(is_white) => Place::Nothing,
            _ => Place::Content,
        };
    }
    match display(node) {
        Display::Nothing | Display::Inline => Place::Nothing,
        Display::Replaced | Display::InlineBlock | Display::Quotation => Place::Content,
        _ => Place::Edge,
    }
}

/// Returns whether an inline element is at the start of a line, or follows white space.
fn begins_line(element: Node<'_>) -> bool {
    matches!(neighbour(element, true), Place::Edge | Place::Nothing)
}

/// Returns whether more content follows an inline element in its line.
fn goes_on(element: Node<'_>) -> bool {
    matches!(neighbour(element, false), Place::Content)
}

/// Returns what is before or after an inline element in its line: walks from node to node until one decides.
fn neighbour<'a>(element: Node<'a>, is_before: bool) -> Place {
    let beside = |node: Node<'a>| match is_before {
        true => node.previous_sibling(),
        false => node.next_sibling(),
    };
    let first_in = |node: Node<'a>| match is_before {
        true => node.last_child(),
        false => node.first_child(),
    };
    let mut current = element;
    loop {
        // Next, the walk enters the neighbour, or leaves the parent.
        let mut entered = beside(current);
        let Some(next) = entered else {
            match current.parent() {
                Some(parent) if parent.is_element() => match display(parent) {
                    Display::Inline => {
                        current = parent;
                        continue;
                    }
                    Display::Quotation => return Place::Content,
                    _ => return Place::Edge,
                },
                _ => return Place::Edge,
            }
        };
        current = next;
        while let Some(node) = entered {
            match place(node, is_before) {
                Place::Nothing => {}
                decided => return decided,
            }
            current = node;
            let is_inline = node.is_element() && display(node) == Display::Inline;
            entered = if is_inline { first_in(node) } else { None };
        }
    }
}
