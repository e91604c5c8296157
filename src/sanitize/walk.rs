//! The standard's "sanitize" over a tree, without recursion: each node stays, goes, or gives place to its children.
//!
//! <https://wicg.github.io/sanitizer-api/#sanitization>

use super::lists;
use super::url::Scheme;
use super::{Element, Fate, Names, Sanitizer};
use crate::tree::{Attribute, Document, Node, NodeId, NodeKind, namespaces};
use crate::write::html::writes_as_is;
use alloc::boxed::Box;
use alloc::vec::Vec;

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
    /// What is known of elements, by the numbers of their names.
    known: Vec<Option<Known<'a>>>,
}

/// What holds of all elements of a name.
struct Known<'a> {
    space: Option<usize>,
    name: Box<str>,
    /// What the configuration says of them.
    said: Option<&'a Element>,
    fate: Fate,
    /// Text in them is written as it is.
    is_raw: bool,
    /// What holds of their attributes, by the numbers of their names.
    attributes: Vec<(usize, Verdict)>,
}

/// What becomes of all attributes of a name on the elements of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Stays,
    Goes,
    /// Their values say it.
    ByValue(Leads),
}

/// What a value is looked at for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Leads {
    /// A browser may go where it says.
    navigates: bool,
    /// It says which attribute is animated.
    animates: bool,
    /// It has a scheme that may be none of those that are allowed.
    has_scheme: bool,
}

/// So many verdicts are kept for the elements of a name: hardly any have more attributes.
const MOST_KEPT: usize = 32;

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
            known: Vec::new(),
        }
    }

    /// Sanitizes what is below a node, in document order. A node is moved into the place of its parent once at
    /// most, for the parent's parent has given place before. What was sanitized is the same when it is sanitized again:
    /// what stays does so for what it says itself, and text for the element that it comes to stand in.
    pub(super) fn below(&mut self, root: NodeId) {
        let mut next = self.first(root);
        while let Some(id) = next {
            next = match self.fate(id) {
                Fate::Removed => {
                    let after = self.after(id, root);
                    self.document.remove(id);
                    after
                }
                Fate::Replaced => {
                    let child = self.document.node(id).and_then(|node| node.first_child());
                    let child = child.map(|child| child.id());
                    let next = child.or_else(|| self.after(id, root));
                    // What has a parent and is an element can be taken out of it.
                    let _ = self.document.unwrap(id);
                    next
                }
                Fate::Allowed | Fate::Unsaid => {
                    self.attributes(id);
                    self.first(id).or_else(|| self.after(id, root))
                }
            };
        }
    }

    /// The first node below this one: of a template, in its contents; of a host, in its shadow root.
    fn first(&self, id: NodeId) -> Option<NodeId> {
        let node = self.document.node(id)?;
        let apart = node.template_contents().or(node.shadow_root());
        let contents = apart.and_then(|contents| contents.first_child());
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
    fn fate(&mut self, id: NodeId) -> Fate {
        let Some(node) = self.document.node(id) else {
            return Fate::Removed;
        };
        let (sanitizer, form) = (self.sanitizer, self.form);
        // What is written as it is can be no markup.
        let is_plain = || form == Form::Tree || !node.text().contains(['<', '>']);
        let stays = match node.kind() {
            NodeKind::Element => {
                let known = known(&mut self.known, node, sanitizer, form);
                return known.map_or(Fate::Removed, |known| known.fate);
            }
            NodeKind::Comment => sanitizer.comments && is_plain(),
            NodeKind::ProcessingInstruction => {
                let is_listed = sanitizer.instructions.contains(node.name());
                is_listed == sanitizer.only_instructions && is_plain()
            }
            NodeKind::Text if form == Form::Tree => true,
            NodeKind::Text => {
                let parent = node.parent();
                let parent =
                    parent.and_then(|parent| known(&mut self.known, parent, sanitizer, form));
                !parent.is_some_and(|parent| parent.is_raw) || is_plain()
            }
            _ => true,
        };
        match stays {
            true => Fate::Allowed,
            false => Fate::Removed,
        }
    }

    /// Takes away the attributes that may not stay, and sets the `rel` of links.
    fn attributes(&mut self, id: NodeId) {
        let (sanitizer, form) = (self.sanitizer, self.form);
        let Some(node) = self.document.node(id).filter(Node::is_element) else {
            return;
        };
        let Some(known) = known(&mut self.known, node, sanitizer, form) else {
            return;
        };
        let mut all_stay = true;
        for attribute in node.attributes() {
            let verdict = known.verdict(attribute, sanitizer, form);
            all_stay &= verdict.stays(attribute, sanitizer, form);
        }
        if !all_stay {
            self.document.retain_each(id, |attribute| {
                let verdict = known.kept(attribute);
                let verdict = verdict.unwrap_or_else(|| known.judge(attribute, sanitizer, form));
                verdict.stays(attribute, sanitizer, form)
            });
        }
        if let Some(rel) = &sanitizer.rel
            && &*known.name == "a"
            && self
                .document
                .node(id)
                .is_some_and(|node| node.attribute("href").is_some())
        {
            let _ = self.document.set_attribute(id, "rel", rel);
        }
    }
}

/// What holds of the elements of the name of this one.
fn known<'k, 'a>(
    all: &'k mut Vec<Option<Known<'a>>>,
    node: Node<'_>,
    sanitizer: &'a Sanitizer,
    form: Form,
) -> Option<&'k mut Known<'a>> {
    let number = node.name_number()?;
    if number >= all.len() {
        all.resize_with(number + 1, || None);
    }
    let place = &mut all[number];
    Some(place.get_or_insert_with(|| Known::of(node, sanitizer, form)))
}

impl<'a> Known<'a> {
    #[cold]
    fn of(node: Node<'_>, sanitizer: &'a Sanitizer, form: Form) -> Known<'a> {
        let (name, space) = (node.local_name(), space(node));
        let said = space.and_then(|space| sanitizer.elements[space].get(name));
        let is_unsafe = match (space, form) {
            (_, Form::String) => {
                let is = |one: &&str| one.eq_ignore_ascii_case(name);
                lists::UNSAFE_HTML.iter().any(is) || lists::UNSAFE_SVG.iter().any(is)
            }
            (Some(0), Form::Tree) => lists::UNSAFE_HTML.contains(&name),
            (Some(1), Form::Tree) => lists::UNSAFE_SVG.contains(&name),
            _ => false,
        };
        let fate = match said.map_or(Fate::Unsaid, |element| element.fate) {
            _ if is_unsafe => Fate::Removed,
            Fate::Unsaid if sanitizer.only_elements => Fate::Removed,
            fate => fate,
        };
        Known {
            space,
            name: name.into(),
            said,
            fate,
            is_raw: space == Some(0) && writes_as_is(name),
            attributes: Vec::new(),
        }
    }

    /// What becomes of the attributes of the name of this one.
    #[inline]
    fn verdict(&mut self, attribute: Attribute<'_>, sanitizer: &Sanitizer, form: Form) -> Verdict {
        if let Some(verdict) = self.kept(attribute) {
            return verdict;
        }
        let verdict = self.judge(attribute, sanitizer, form);
        if self.attributes.len() < MOST_KEPT {
            self.attributes.push((attribute.name_number(), verdict));
        }
        verdict
    }

    #[inline]
    fn kept(&self, attribute: Attribute<'_>) -> Option<Verdict> {
        let number = attribute.name_number();
        let mut kept = self.attributes.iter();
        let found = kept.find(|(other, _)| *other == number);
        found.map(|(_, verdict)| *verdict)
    }

    fn judge(&self, attribute: Attribute<'_>, sanitizer: &Sanitizer, form: Form) -> Verdict {
        if !sanitizer.allows(self.said, attribute) || is_handler(attribute) {
            return Verdict::Goes;
        }
        let leads = self.leads(attribute, sanitizer, form);
        match leads.navigates || leads.animates || leads.has_scheme {
            true => Verdict::ByValue(leads),
            false => Verdict::Stays,
        }
    }

    fn leads(&self, attribute: Attribute<'_>, sanitizer: &Sanitizer, form: Form) -> Leads {
        let (name, namespace) = (attribute.local_name(), attribute.namespace());
        let has_scheme = sanitizer.schemes.is_some() && lists::URL_ATTRIBUTES.contains(&name);
        if form == Form::String {
            let name = name.rsplit(':').next().unwrap_or(name);
            let is = |one: &&str| one.eq_ignore_ascii_case(name);
            return Leads {
                navigates: lists::URL_ATTRIBUTES.iter().any(is),
                animates: name.eq_ignore_ascii_case("attributename"),
                has_scheme,
            };
        }
        let own = (&*self.name, name);
        Leads {
            navigates: match (self.space, namespace) {
                (Some(0), None) => lists::NAVIGATING_HTML.contains(&own),
                (Some(1), None | Some(namespaces::XLINK)) => own == ("a", "href"),
                (Some(2), None | Some(namespaces::XLINK)) => name == "href",
                _ => false,
            },
            animates: self.space == Some(1)
                && lists::ANIMATING_SVG.contains(&&*self.name)
                && (name, namespace) == ("attributeName", None),
            has_scheme,
        }
    }
}

impl Verdict {
    /// Whether an attribute stays that it is of.
    #[inline]
    fn stays(self, attribute: Attribute<'_>, sanitizer: &Sanitizer, form: Form) -> bool {
        match self {
            Verdict::Stays => true,
            Verdict::Goes => false,
            Verdict::ByValue(leads) => leads.may(attribute.value(), sanitizer, form),
        }
    }
}

impl Leads {
    /// Whether it leads to no script, nor anywhere else than it may.
    fn may(self, value: &str, sanitizer: &Sanitizer, form: Form) -> bool {
        let is_animated = match form {
            Form::String => animates_url(value),
            Form::Tree => matches!(value, "href" | "xlink:href"),
        };
        if self.animates && is_animated {
            return false;
        }
        let Some(scheme) = Scheme::of(value) else {
            return true;
        };
        let allowed = sanitizer.schemes.as_ref().filter(|_| self.has_scheme);
        !(self.navigates && scheme.is("javascript"))
            && allowed.is_none_or(|allowed| allowed.iter().any(|one| scheme.is(one)))
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
