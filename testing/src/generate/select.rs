//! Random pages, and random selectors for a page. Most selectors are derived from an element of the page, so that they
//! select something.

use crate::random::Random;
use std::fmt::Write;
use tagstream::{Document, Node};

/// Names of elements that have content.
const NAMES: &[&str] = &[
    "div",
    "div",
    "section",
    "ul",
    "li",
    "p",
    "b",
    "i",
    "span",
    "form",
    "bdi",
    "fieldset",
    "legend",
    "label",
    "button",
    "a",
    "svg",
    "g",
    "select",
    "optgroup",
    "option",
    "table",
    "tr",
    "td",
    "x-y",
    "math",
    "mi",
    "template",
    "foreignObject",
];

/// Names of void elements.
const VOIDS: &[&str] = &["input", "input", "input", "br", "img", "area", "link", "hr"];

/// Attributes of the elements.
const ATTRIBUTES: &[&str] = &[
    "id=a",
    "id=b",
    "id=C",
    "class=x",
    "class='x y'",
    "class=' Y z\n'",
    "class=X",
    "lang=en-GB",
    "lang=EN",
    "href",
    "href=/x",
    "title='a b'",
    "title=A",
    "type=checkbox",
    "type=RADIO",
    "type=text",
    "type=TEXT",
    "type=hidden",
    "type=submit",
    "type=range",
    "type=number",
    "type=date",
    "checked",
    "selected",
    "disabled",
    "required",
    "readonly",
    "multiple",
    "size=2",
    "size=1",
    "placeholder=p",
    "value",
    "value=v",
    "contenteditable",
    "contenteditable=false",
    "rel=NEXT",
    "xlink:href=x",
    "data-A=1",
    "viewbox=1",
    "dir=LTR",
    "dir=rtl",
    "dir=auto",
    "type=tel",
    "value=\u{5d0}",
    "data-e=''",
];

/// Pieces of text between elements.
const TEXTS: &[&str] = &[
    "x",
    " ",
    "",
    "<!--c-->",
    "\n",
    "a&amp;b",
    "1 \u{5d0}",
    "\u{627}x",
];

/// Draws a page of a few dozen elements.
#[must_use]
pub fn page(random: &mut Random) -> String {
    let mut page = String::from(match random.below(4) {
        0 => "",
        _ => "<!DOCTYPE html>",
    });
    let elements = 8 + random.below(60);
    let mut open: Vec<&str> = Vec::new();
    for _ in 0..elements {
        while !open.is_empty() && random.percent(40) {
            let name = open.pop().expect("one is open");
            let _ = write!(page, "</{name}>");
        }
        page.push_str(random.pick(TEXTS));
        let is_void = random.percent(25);
        let name = random.pick(if is_void { VOIDS } else { NAMES });
        let _ = write!(page, "<{name}");
        for _ in 0..random.below(4) {
            let _ = write!(page, " {}", random.pick(ATTRIBUTES));
        }
        page.push('>');
        if !is_void {
            open.push(name);
        }
    }
    page
}

/// Pseudo-classes whose arguments do not depend on the page.
pub const PSEUDO_CLASSES: &[&str] = &[
    "root",
    "scope",
    "empty",
    "first-child",
    "last-child",
    "only-child",
    "first-of-type",
    "last-of-type",
    "only-of-type",
    "link",
    "any-link",
    "checked",
    "disabled",
    "enabled",
    "required",
    "optional",
    "read-only",
    "read-write",
    "placeholder-shown",
    "open",
    "defined",
    "hover",
    "focus-within",
    "visited",
    "target",
    "dir(ltr)",
    "dir(rtl)",
];

const COUNTS: &[&str] = &[
    "odd", "even", "1", "2", "3", "n", "2n", "n+2", "-n+3", "2n + 1", "3n-1", "-2n+5", "0n+2", "0",
];

/// Draws a list of selectors for a document with these elements.
#[must_use]
pub fn selector(random: &mut Random, elements: &[Node<'_>]) -> String {
    let mut list = complex(random, elements, 2);
    while random.one_in(8) {
        let _ = write!(list, ", {}", complex(random, elements, 2));
    }
    list
}

/// Draws a selector that matches one of these elements in most cases.
fn complex(random: &mut Random, elements: &[Node<'_>], depth: usize) -> String {
    let mut node = elements[random.below(elements.len())];
    let mut selector = compound(random, node, elements, depth);
    while random.percent(45) {
        let (step, found) = match random.below(6) {
            0 | 1 => (" ", any_above(random, node)),
            2 | 3 => (" > ", node.parent().filter(Node::is_element)),
            4 => (" + ", before(node)),
            _ => ("~", any_before(random, node)),
        };
        let Some(found) = found else { break };
        node = found;
        selector = compound(random, node, elements, depth) + step + &selector;
    }
    selector
}

fn any_above<'d>(random: &mut Random, node: Node<'d>) -> Option<Node<'d>> {
    let above: Vec<Node<'d>> = node.ancestors().filter(Node::is_element).collect();
    (!above.is_empty()).then(|| above[random.below(above.len())])
}

fn before(node: Node<'_>) -> Option<Node<'_>> {
    let mut one = node.previous_sibling();
    while let Some(found) = one.filter(|found| !found.is_element()) {
        one = found.previous_sibling();
    }
    one
}

fn any_before<'d>(random: &mut Random, node: Node<'d>) -> Option<Node<'d>> {
    let mut found = before(node)?;
    while random.percent(50)
        && let Some(one) = before(found)
    {
        found = one;
    }
    Some(found)
}

/// Draws a compound selector that matches an element in most cases.
fn compound(random: &mut Random, node: Node<'_>, elements: &[Node<'_>], depth: usize) -> String {
    let mut compound = match random.below(10) {
        0..5 => name(random, node),
        5 => "*".to_owned(),
        _ => String::new(),
    };
    if compound.is_empty() || random.percent(30) {
        compound += &fact(random, node);
    }
    if random.percent(30) {
        compound += &pseudo(random, node, elements, depth);
    }
    match compound.is_empty() {
        true => name(random, node),
        false => compound,
    }
}

fn name(random: &mut Random, node: Node<'_>) -> String {
    let mut name = node.local_name().to_owned();
    if random.one_in(12) {
        name.make_ascii_uppercase();
    }
    let any = if random.one_in(12) { "*|" } else { "" };
    format!("{any}{}", identifier(&name))
}

/// Returns a selector of an id, a class or an attribute of an element.
fn fact(random: &mut Random, node: Node<'_>) -> String {
    let attributes: Vec<_> = node.attributes().collect();
    if attributes.is_empty() {
        return String::new();
    }
    let attribute = attributes[random.below(attributes.len())];
    let value = attribute.value();
    let mut classes = value.split_ascii_whitespace();
    match attribute.name() {
        "id" if !value.is_empty() && random.percent(60) => {
            return format!("#{}", identifier(value));
        }
        "class" if random.percent(60) => {
            if let Some(class) = classes.next() {
                return format!(".{}", identifier(class));
            }
        }
        _ => {}
    }
    let prefix = if attribute.namespace().is_some() {
        "*|"
    } else {
        ""
    };
    let mut name = identifier(attribute.local_name());
    if random.one_in(12) {
        name.make_ascii_uppercase();
    }
    let mut written = value.to_owned();
    if random.one_in(6) {
        written = match random.below(2) {
            0 => written.to_ascii_uppercase(),
            _ => written.to_ascii_lowercase(),
        };
    }
    let middle = written.chars().count() / 2;
    let first: String = written.chars().take(middle).collect();
    let last: String = written.chars().skip(middle).collect();
    let word = written.split_ascii_whitespace().last().unwrap_or_default();
    let language = written.split('-').next().unwrap_or_default();
    let (operator, part) = match random.below(8) {
        0 | 1 => return format!("[{prefix}{name}]"),
        2 => ("=", &*written),
        3 => ("~=", word),
        4 => ("|=", language),
        5 => ("^=", &*first),
        6 => ("$=", &*last),
        _ => ("*=", &*first),
    };
    let flag = ["", "", "", "", " i", " s"][random.below(6)];
    format!("[{prefix}{name}{operator}{}{flag}]", string(part))
}

fn pseudo(random: &mut Random, node: Node<'_>, elements: &[Node<'_>], depth: usize) -> String {
    let count = random.pick(COUNTS);
    let functions = if depth == 0 { 4 } else { 10 };
    match random.below(10 + functions) {
        0..10 => format!(":{}", random.pick(PSEUDO_CLASSES)),
        10 => format!(":nth-child({count})"),
        11 => format!(":nth-last-child({count})"),
        12 => format!(":nth-of-type({count})"),
        13 => format!(":nth-last-of-type({count})"),
        14 => format!(
            ":nth-child({count} of {})",
            own(random, node, elements, depth)
        ),
        15 => format!(
            ":nth-last-child({count} of {})",
            own(random, node, elements, depth)
        ),
        16 => format!(":is({})", own(random, node, elements, depth)),
        17 => format!(":where({})", own(random, node, elements, depth)),
        18 => format!(":not({})", complex(random, elements, depth - 1)),
        _ => has(random, node),
    }
}

/// Returns a list of selectors, one of which matches this element.
fn own(random: &mut Random, node: Node<'_>, elements: &[Node<'_>], depth: usize) -> String {
    let own = compound(random, node, elements, depth - 1);
    // `:has` may not contain another `:has`.
    let own = if own.contains(":has") {
        name(random, node)
    } else {
        own
    };
    let other = complex(random, elements, 0);
    match random.below(3) {
        0 => own,
        1 => format!("{own}, {other}"),
        _ => format!("{other}, {own}"),
    }
}

/// Returns a `:has` that matches an element because of its descendants and siblings.
fn has(random: &mut Random, node: Node<'_>) -> String {
    let below: Vec<_> = node.descendants().filter(Node::is_element).collect();
    let mut after = node.next_sibling();
    while let Some(one) = after.filter(|one| !one.is_element()) {
        after = one.next_sibling();
    }
    let child = node.children().find(Node::is_element);
    match (random.below(6), after, child) {
        (0, Some(after), _) => format!(":has(+ {})", name(random, after)),
        (1, Some(after), _) => format!(":has(~ {})", name(random, after)),
        (2, _, Some(child)) => format!(":has(> {})", compound(random, child, &[node], 0)),
        (3, _, Some(child)) => format!(":has(> {} {})", name(random, child), random.pick(NAMES)),
        (_, _, Some(_)) => {
            let found = below[random.below(below.len())];
            let parent = found.parent().filter(|parent| *parent != node);
            let above = parent.map_or(String::new(), |parent| name(random, parent) + " > ");
            format!(":has({above}{})", compound(random, found, &[node], 0))
        }
        _ => ":not(:has(*))".to_owned(),
    }
}

/// Writes a name as a CSS identifier.
fn identifier(name: &str) -> String {
    let mut written = String::new();
    for (at, character) in name.chars().enumerate() {
        let plain = match character {
            'a'..='z' | 'A'..='Z' | '_' | '\u{80}'.. => true,
            '0'..='9' | '-' => at > 0,
            _ => false,
        };
        match plain {
            true => written.push(character),
            false => {
                let _ = write!(written, "\\{:x} ", u32::from(character));
            }
        }
    }
    written
}

fn string(text: &str) -> String {
    let mut written = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' | '\0'..='\u{1f}' => {
                let _ = write!(written, "\\{:x} ", u32::from(character));
            }
            _ => written.push(character),
        }
    }
    written + "\""
}

/// The elements of a document, in order.
#[must_use]
pub fn elements(document: &Document) -> Vec<Node<'_>> {
    let nodes = document.root().descendants();
    nodes.filter(Node::is_element).collect()
}
