//! The standard's "sanitize" over a tree, without recursion: each node stays, goes, or gives place to its children.
//!
//! <https://wicg.github.io/sanitizer-api/#sanitization>

use super::lists;
use super::url::{has_scheme, scheme};
use super::{Element, Fate, Names, Sanitizer};
use crate::tree::{Attribute, Document, Node, NodeId, NodeKind, namespaces};
use alloc::string::String;

/// What the tree is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// It stays a tree.
    Tree,
    /// It becomes a string, which may be read elsewhere.
    String,
}

/// A walk over a document.
pub(super) struct Walk<'a> {
    sanitizer: &'a Sanitizer,
    document: &'a mut Document,
    form: Form,
}

impl<'a> Walk<'a> {
    pub(super) fn new(
        sanitizer: &'a Sanitizer,
        document: &'a mut Document,
        form: Form,
    ) -> Walk<'a> {
        Walk {
            sanitizer,
            document,
            form,
        }
    }

    /// Sanitizes what is below a node, in document order. A node is moved into the place of its parent once at
    /// most, for the parent's parent has given place before.
    pub(super) fn below(&mut self, root: NodeId) {
        let mut next = self.first(root);
        while let Some(id) = next {
            let Some(node) = self.document.node(id) else {
                return;
            };
            let fate = self.fate(node);
            let (child, after) = (
                node.first_child().map(|node| node.id()),
                self.after(id, root),
            );
            next = match fate {
                Fate::Removed => {
                    self.document.remove(id);
                    after
                }
                Fate::Replaced => {
                    // What has a parent and is an element can be taken out of it.
                    let _ = self.document.unwrap(id);
                    child.or(after)
                }
                Fate::Allowed | Fate::Unsaid => {
                    if node.is_element() {
                        self.attributes(id);
                        self.keep_newline(id);
                    }
                    self.first(id).or(after)
                }
            };
        }
    }

    /// The first node below this one: of a template, in its contents.
    fn first(&self, id: NodeId) -> Option<NodeId> {
        let node = self.document.node(id)?;
        let contents = node
            .template_contents()
            .and_then(|contents| contents.first_child());
        contents.or(node.first_child()).map(|node| node.id())
    }

    /// The node that comes after all below this one.
    fn after(&self, id: NodeId, root: NodeId) -> Option<NodeId> {
        let mut node = self.document.node(id)?;
        while node.id() != root {
            if let Some(next) = node.next_sibling() {
                return Some(next.id());
            }
            let above = self.document.parent_or_host(node.id())?;
            let above_node = self.document.node(above)?;
            // The children of a template come after its contents.
            if node.parent().is_none()
                && let Some(child) = above_node.first_child()
            {
                return Some(child.id());
            }
            node = above_node;
        }
        None
    }

    /// What becomes of a node.
    fn fate(&self, node: Node<'_>) -> Fate {
        let stays = match node.kind() {
            NodeKind::Element => return self.fate_of_element(node),
            NodeKind::Comment => self.sanitizer.comments && self.is_plain(node),
            NodeKind::ProcessingInstruction => {
                let is_listed = self.sanitizer.instructions.contains(node.name());
                is_listed == self.sanitizer.only_instructions && self.is_plain(node)
            }
            NodeKind::Text => !node.parent().is_some_and(is_raw_text) || self.is_plain(node),
            _ => true,
        };
        match stays {
            true => Fate::Allowed,
            false => Fate::Removed,
        }
    }

    /// Whether what a node says, which is written as it is, can be no markup.
    fn is_plain(&self, node: Node<'_>) -> bool {
        self.form == Form::Tree || !node.text().contains(['<', '>'])
    }

    fn fate_of_element(&self, node: Node<'_>) -> Fate {
        let name = node.local_name();
        let space = space(node);
        let is_unsafe = match (space, self.form) {
            (_, Form::String) => {
                let is = |one: &&str| one.eq_ignore_ascii_case(name);
                lists::UNSAFE_HTML.iter().any(is) || lists::UNSAFE_SVG.iter().any(is)
            }
            (Some(0), Form::Tree) => lists::UNSAFE_HTML.contains(&name),
            (Some(1), Form::Tree) => lists::UNSAFE_SVG.contains(&name),
            _ => false,
        };
        if is_unsafe {
            return Fate::Removed;
        }
        match self.said(node).map_or(Fate::Unsaid, |element| element.fate) {
            Fate::Unsaid if self.sanitizer.only_elements => Fate::Removed,
            fate => fate,
        }
    }

    /// What the configuration says of an element.
    fn said(&self, node: Node<'_>) -> Option<&'a Element> {
        self.sanitizer.elements[space(node)?].get(node.local_name())
    }

    /// Takes away the attributes that may not stay, and sets the `rel` of links.
    fn attributes(&mut self, id: NodeId) {
        let Some(node) = self.document.node(id) else {
            return;
        };
        let (sanitizer, form) = (self.sanitizer, self.form);
        let said = self.said(node);
        let element = Named {
            space: space(node),
            name: node.local_name().into(),
        };
        if node.attributes().next().is_some() {
            self.document.retain_each(id, |attribute| {
                sanitizer.allows(said, attribute)
                    && !is_handler(attribute)
                    && !element.runs(attribute, form)
                    && sanitizer.allows_scheme(attribute)
            });
        }
        if let Some(rel) = &sanitizer.rel
            && element.name == "a"
            && self
                .document
                .node(id)
                .is_some_and(|node| node.attribute("href").is_some())
        {
            let _ = self.document.set_attribute(id, "rel", rel);
        }
    }

    /// A parser drops a line end behind the start tag of these: one more is written.
    fn keep_newline(&mut self, id: NodeId) {
        if self.form == Form::Tree {
            return;
        }
        let Some(node) = self.document.node(id) else {
            return;
        };
        let drops =
            matches!(node.local_name(), "pre" | "listing" | "textarea") && space(node) == Some(0);
        let Some(first) = node.first_child().filter(|_| drops) else {
            return;
        };
        if first.is_text() && first.text().starts_with('\n') {
            let text = ["\n", first.text()].concat();
            let first = first.id();
            let _ = self.document.set_text(first, &text);
        }
    }
}

/// What an element is, beside the document.
struct Named {
    space: Option<usize>,
    name: String,
}

impl Named {
    /// Whether an attribute leads a browser to a script.
    fn runs(&self, attribute: Attribute<'_>, form: Form) -> bool {
        let (name, namespace) = (attribute.local_name(), attribute.namespace());
        if form == Form::String {
            let name = name.rsplit(':').next().unwrap_or(name);
            let is = |one: &&str| one.eq_ignore_ascii_case(name);
            return lists::URL_ATTRIBUTES.iter().any(is)
                && has_scheme(attribute.value(), "javascript")
                || name.eq_ignore_ascii_case("attributename") && animates_url(attribute.value());
        }
        let own = (self.name.as_str(), name);
        let navigates = match (self.space, namespace) {
            (Some(0), None) => lists::NAVIGATING_HTML.contains(&own),
            (Some(1), None | Some(namespaces::XLINK)) => own == ("a", "href"),
            (Some(2), None | Some(namespaces::XLINK)) => name == "href",
            _ => false,
        };
        let animates = self.space == Some(1)
            && lists::ANIMATING_SVG.contains(&self.name.as_str())
            && (name, namespace) == ("attributeName", None);
        navigates && has_scheme(attribute.value(), "javascript")
            || animates && matches!(attribute.value(), "href" | "xlink:href")
    }
}

fn animates_url(value: &str) -> bool {
    let value = value.trim_matches(|character: char| character.is_ascii_whitespace());
    value
        .rsplit(':')
        .next()
        .is_some_and(|name| name.eq_ignore_ascii_case("href"))
}

impl Sanitizer {
    /// Whether the lists let an attribute stay on an element, of which this is said.
    fn allows(&self, said: Option<&Element>, attribute: Attribute<'_>) -> bool {
        let allowed = said.and_then(|element| element.allowed.as_ref());
        let is_removed = said.is_some_and(|element| has(&element.removed, attribute));
        if is_removed {
            return false;
        }
        if self.only_attributes {
            return has(&self.attributes, attribute)
                || allowed.is_some_and(|allowed| has(allowed, attribute))
                || self.data_attributes
                    && attribute.namespace().is_none()
                    && attribute.local_name().starts_with("data-");
        }
        allowed.is_none_or(|allowed| has(allowed, attribute)) && !has(&self.attributes, attribute)
    }

    /// Whether a URL, if the attribute is one, has a scheme that it may have.
    fn allows_scheme(&self, attribute: Attribute<'_>) -> bool {
        let Some(schemes) = &self.schemes else {
            return true;
        };
        !lists::URL_ATTRIBUTES.contains(&attribute.local_name())
            || scheme(attribute.value()).is_none()
            || schemes
                .iter()
                .any(|scheme| has_scheme(attribute.value(), scheme))
    }
}

fn has(names: &Names, attribute: Attribute<'_>) -> bool {
    let prefix = match attribute.namespace() {
        None => return names.contains(attribute.local_name()),
        Some(namespaces::XLINK) => "xlink ",
        Some(namespaces::XML) => "xml ",
        Some(namespaces::XMLNS) => "xmlns ",
        Some(_) => return false,
    };
    names.contains(&*[prefix, attribute.local_name()].concat())
}

/// Whether it is what runs when something happens: all that begin so are, in this browser or the next.
fn is_handler(attribute: Attribute<'_>) -> bool {
    let name = attribute.local_name().as_bytes();
    attribute.namespace().is_none() && name.len() > 2 && name[..2].eq_ignore_ascii_case(b"on")
}

/// The number of the namespace of an element: HTML, SVG, MathML.
fn space(node: Node<'_>) -> Option<usize> {
    match node.namespace()? {
        namespaces::HTML => Some(0),
        namespaces::SVG => Some(1),
        namespaces::MATHML => Some(2),
        _ => None,
    }
}

/// Whether text in this element is written as it is.
fn is_raw_text(node: Node<'_>) -> bool {
    space(node) == Some(0)
        && matches!(
            node.local_name(),
            "iframe" | "noembed" | "noframes" | "plaintext" | "script" | "style" | "xmp"
        )
}
