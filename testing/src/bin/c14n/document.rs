//! Random documents with many namespace declarations, and random edits of their trees.

use std::fmt::Write;
use tagstream::{Document, Node, NodeId, Place};
use testing::random::Random;

/// The names of namespaces. The last one is relative, and is used rarely.
const NAMESPACES: [&str; 5] = ["urn:1", "urn:2", "urn:3", "http://x/?a=1&amp;b", "relative"];
const NAMES: [&str; 7] = ["a", "b", "p:a", "p:b", "q:a", "r:a", "é"];
const ATTRIBUTES: [&str; 8] = ["x", "y", "z", "p:x", "q:x", "r:x", "r:y", "p:z"];
const XML_ATTRIBUTES: [&str; 4] = ["xml:lang", "xml:space", "xml:base", "xml:foo"];
const WORDS: [&str; 10] = [
    "",
    "1",
    "p:x",
    " a\tb\nc ",
    "&#9;&#10;&#13;",
    "\r\n",
    "&lt;>&amp;&quot;'",
    "]]&gt;",
    "é\u{1d11e}",
    "\u{85}",
];
const BESIDE: [&str; 4] = ["<!--beside-->", "<?p  data ?>", "<?q?>", "\n"];

/// Returns a document with at most about `elements` elements.
pub(crate) fn document(random: &mut Random, elements: usize) -> String {
    let mut text = String::new();
    let has_relative = random.one_in(40);
    beside(random, &mut text);
    if random.one_in(4) {
        text += "<!DOCTYPE a [<!ATTLIST b z CDATA 'default' xml:lang CDATA 'en'><!ENTITY e '<c>x</c>&#38;amp;'>]>";
        beside(random, &mut text);
    }
    text += "<a xmlns:p='urn:1' xmlns:q='urn:2' xmlns:r='urn:2'";
    if random.one_in(2) {
        text += " xmlns='urn:1'";
    }
    attributes(random, &mut text);
    text += ">";
    let mut open = Vec::new();
    for _ in 0..1 + random.below(elements) {
        match random.below(9) {
            0..=4 => {
                let name = random.pick(&NAMES);
                write!(text, "<{name}").unwrap();
                declarations(random, &mut text, has_relative);
                attributes(random, &mut text);
                match random.one_in(4) {
                    true => text += "/>",
                    false => {
                        text += ">";
                        open.push(name);
                    }
                }
            }
            5 => text += random.pick(&["<!--c-->", "<!-- <&]]> -->", "<?p a>b?>", "<?q?>"]),
            6 => text += "<![CDATA[<a>&amp;]]]]><![CDATA[>]]>",
            _ => text += random.pick(&WORDS),
        }
        while random.one_in(3)
            && let Some(name) = open.pop()
        {
            write!(text, "</{name}>").unwrap();
        }
    }
    for name in open.iter().rev() {
        write!(text, "</{name}>").unwrap();
    }
    text += "</a>";
    beside(random, &mut text);
    text
}

/// Appends comments and processing instructions beside the root element.
fn beside(random: &mut Random, text: &mut String) {
    while random.one_in(4) {
        *text += random.pick(&BESIDE);
    }
}

/// Appends namespace declarations: prefixes that are bound anew, to the same namespace, or back.
fn declarations(random: &mut Random, text: &mut String, has_relative: bool) {
    let namespaces = NAMESPACES.len() - usize::from(!has_relative);
    for prefix in ["p", "q", "r", "s"] {
        if random.one_in(5) {
            let namespace = NAMESPACES[random.below(namespaces)];
            write!(text, " xmlns:{prefix}='{namespace}'").unwrap();
        }
    }
    match random.below(6) {
        0 => *text += " xmlns=''",
        1 => write!(text, " xmlns='{}'", NAMESPACES[random.below(namespaces)]).unwrap(),
        _ => {}
    }
}

fn attributes(random: &mut Random, text: &mut String) {
    let often = [3, 8, 30][random.below(3)];
    for name in ATTRIBUTES {
        if random.one_in(often) {
            write!(text, " {name}='{}'", random.pick(&WORDS).replace('\'', "")).unwrap();
        }
    }
    for name in XML_ATTRIBUTES {
        if random.one_in(2 * often) {
            write!(text, " {name}='{}'", random.pick(&["", "default", "u/v"])).unwrap();
        }
    }
}

/// Makes random edits of a tree. Returns false if each of them was refused.
pub(crate) fn changed(random: &mut Random, tree: &mut Document) -> bool {
    let mut is_changed = false;
    for _ in 0..1 + random.below(4) {
        let elements = tree.root().descendants().filter(Node::is_element);
        let ids: Vec<NodeId> = elements.map(|node| node.id()).collect();
        let (one, other) = (ids[random.below(ids.len())], ids[random.below(ids.len())]);
        let namespace = ["urn:1", "urn:2", "urn:4", ""][random.below(4)];
        let name = random.pick(&["b", "p:b", "q:b", "s:b"]);
        let edited = match random.below(5) {
            0 => tree.insert(one, Place::LastIn(other)),
            1 => tree.set_attribute(one, random.pick(&["x", "xml:lang"]), "edit\r\n\"<>&"),
            2 => tree.set_attribute_ns(one, namespace, random.pick(&["p:x", "t:x"]), "1"),
            3 => tree.rename(one, name),
            _ => tree
                .new_element_ns(namespace, name)
                .and_then(|new| tree.insert(new, Place::FirstIn(one))),
        };
        is_changed |= edited.is_ok();
    }
    is_changed
}
