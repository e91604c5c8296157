//! The treatment of elements that no list of a [`Sanitizer`](super::Sanitizer) names, if the program asks that they are
//! not removed: they are replaced with their children, or shown as text.

use super::lists;
use super::sanitizer::Fate;
use crate::engine::text::html_facts;
use crate::tree::{Document, Node, NodeId, NodeKind, Place, namespaces};
use alloc::string::String;

/// The functions that treat elements which no list names. A sanitizer has pointers to them, so that their code is only in
/// programs that request them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unknown {
    /// Returns the treatment of an element. The arguments are the number of its namespace, its local name, and true if
    /// the element can run a script.
    pub(super) fate: fn(Option<usize>, &str, bool) -> Fate,
    /// Inserts the text that shows an element whose fate is [`Fate::Escaped`]. Afterwards the element is replaced with
    /// its children.
    pub(super) show: fn(&mut Document, NodeId),
}

impl Unknown {
    /// Unknown elements are replaced with their children.
    pub(super) const UNWRAPPED: Unknown = Unknown {
        fate: unwrapped,
        show: |_, _| {},
    };
    /// Unknown elements are shown as text.
    pub(super) const ESCAPED: Unknown = Unknown {
        fate: escaped,
        show,
    };
}

/// Returns the fate of an element that is to be replaced with its children: it is removed if a browser does not show its
/// contents, or if they cannot be elsewhere.
fn unwrapped(space: Option<usize>, name: &str, is_unsafe: bool) -> Fate {
    let Some(space) = space.filter(|_| !is_unsafe) else {
        return Fate::Removed;
    };
    match space == 0 && lists::NOT_SHOWN.contains(&name) || changes_namespace(space, name) {
        true => Fate::Removed,
        false => Fate::Replaced,
    }
}

/// Returns the fate of an element that is to be shown as text. Elements in other namespaces than those of HTML, SVG and
/// MathML are removed.
fn escaped(space: Option<usize>, _: &str, _: bool) -> Fate {
    match space {
        Some(_) => Fate::Escaped,
        None => Fate::Removed,
    }
}

/// Returns true if the children of an element can be in another namespace than its siblings, or mean something else
/// there: the parser would read other elements if they had no such parent.
fn changes_namespace(space: usize, name: &str) -> bool {
    lists::NOT_REPLACED.contains(&(space, name))
        || match space {
            0 => false,
            1 => html_facts::SVG_HTML_INTEGRATION_POINTS.contains(name),
            _ => {
                html_facts::MATH_TEXT_INTEGRATION_POINTS.contains(name) || name == "annotation-xml"
            }
        }
}

/// Inserts the tags of an element as text, before and after its children. If its children cannot be elsewhere, the text
/// of the whole element replaces them.
fn show(document: &mut Document, id: NodeId) {
    let Some(element) = document.node(id) else {
        return;
    };
    let (space, name) = (known_space(element), element.local_name());
    let is_whole = changes_namespace(space, name) || space == 0 && name == "template";
    let is_void = space == 0 && html_facts::VOID.contains(name);
    let allows_text = element.parent().is_some_and(allows_text);
    let before = match is_whole {
        true => element.to_html(),
        false => start_tag(element),
    };
    let has_end = !is_whole && !is_void;
    let after = has_end.then(|| ["</", element.name(), ">"].concat());
    // The edits fail only for nodes that the document does not have, and if the document has the maximum number of nodes.
    if is_whole {
        let _ = document.remove_children(id);
    }
    // The texts become nodes of their own: texts that grow in turn would be copied each time.
    if allows_text {
        let _ = document.insert_adjacent(Place::Before(id), before.as_str());
        if let Some(after) = after {
            let _ = document.append(id, after.as_str());
        }
    }
}

/// Returns the number of the namespace of an element that is in HTML, SVG or MathML.
fn known_space(element: Node<'_>) -> usize {
    match element.namespace() {
        Some(namespaces::HTML) => 0,
        Some(namespaces::SVG) => 1,
        _ => 2,
    }
}

/// Returns true if text in a node stays there when it is written and parsed again. The parser moves text in a table out
/// of the table, and adds the missing parts of tables, which would be shown again. Text without escapes would be parsed
/// as markup.
fn allows_text(parent: Node<'_>) -> bool {
    let above = parent.parent().map(|above| above.kind());
    if above == Some(NodeKind::Document) && parent.document().is_fragment() {
        return true;
    }
    let name = parent.local_name();
    let is_moved = html_facts::WITHOUT_TEXT.contains(name);
    let is_raw = html_facts::unescaped(false).contains(name);
    parent.kind() != NodeKind::Document
        && !(parent.namespace() == Some(namespaces::HTML) && (is_moved || is_raw))
}

/// Returns the start tag of an element.
fn start_tag(element: Node<'_>) -> String {
    let mut tag = String::from("<");
    tag.push_str(element.name());
    for attribute in element.attributes() {
        tag.push(' ');
        tag.push_str(attribute.name());
        tag.push_str("=\"");
        for character in attribute.value().chars() {
            match character {
                '"' => tag.push_str("&quot;"),
                '&' => tag.push_str("&amp;"),
                _ => tag.push(character),
            }
        }
        tag.push('"');
    }
    tag.push('>');
    tag
}
