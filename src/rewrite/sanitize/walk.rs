//! The standard's "sanitize" algorithm on a tree, without recursion: each node is kept, removed, or replaced with its
//! children.
//!
//! <https://wicg.github.io/sanitizer-api/#sanitization>

use super::attribute_changes::{Change, change_attributes};
use super::attribute_rule::AttributeRule;
use super::rules::{Rules, Verdict};
use super::sanitizer::Fate;
use crate::tree::{Document, Node, NodeId, NodeKind, namespaces};

/// A sanitizing walk over a document.
pub(super) struct Walk<'a> {
    rules: Rules<'a>,
    document: &'a mut Document,
    is_page: bool,
    rule: Option<&'a AttributeRule>,
}

impl<'a> Walk<'a> {
    pub(super) fn new(rules: Rules<'a>, document: &'a mut Document) -> Walk<'a> {
        Walk {
            rule: rules.attribute_rule(),
            rules,
            document,
            is_page: false,
        }
    }

    /// Makes the walk keep the root element if it is `html`, and its `head` and `body` unless a list names them.
    pub(super) fn of_page(self) -> Walk<'a> {
        Walk {
            is_page: true,
            ..self
        }
    }

    /// Sanitizes the descendants of a node, in document order. When an element is replaced with its children, each
    /// child moves up by one level. This happens to each node at most once, because elements farther up were already
    /// replaced. Sanitizing the result again changes nothing: the decision on a node depends only on the node itself,
    /// and for text also on the element that finally contains it.
    pub(super) fn below(&mut self, root: NodeId) {
        let mut next = self.first(root);
        while let Some(id) = next {
            next = match self.fate(id) {
                Fate::Removed => {
                    let after = self.after(id, root);
                    self.document.remove(id);
                    after
                }
                fate @ (Fate::Replaced | Fate::Escaped) => {
                    if fate == Fate::Escaped
                        && let Some(unknown) = self.rules.sanitizer.unknown
                    {
                        (unknown.show)(self.document, id);
                    }
                    let child = self.document.node(id).and_then(|node| node.first_child());
                    let child = child.map(|child| child.id());
                    let next = child.or_else(|| self.after(id, root));
                    // `unwrap` only fails for a node without a parent, and this element has one.
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

    /// Returns the first node of a node's subtree. For a template this is in its contents, and for a shadow host in its
    /// shadow root.
    fn first(&self, id: NodeId) -> Option<NodeId> {
        let node = self.document.node(id)?;
        let apart = node.template_contents().or(node.shadow_root());
        let contents = apart.and_then(|contents| contents.first_child());
        contents.or(node.first_child()).map(|node| node.id())
    }

    /// Returns the node after the subtree of this node, in document order.
    fn after(&self, id: NodeId, root: NodeId) -> Option<NodeId> {
        let mut node = self.document.node(id)?;
        while node.id() != root {
            if let Some(next) = node.next_sibling() {
                return Some(next.id());
            }
            let above = self.document.parent_or_host(node.id())?;
            let above_node = self.document.node(above)?;
            // A template's children follow its contents.
            if node.parent().is_none()
                && let Some(child) = above_node.first_child()
            {
                return Some(child.id());
            }
            node = above_node;
        }
        None
    }

    /// Decides whether a node is kept, removed, or replaced with its children.
    fn fate(&mut self, id: NodeId) -> Fate {
        let Some(node) = self.document.node(id) else {
            return Fate::Removed;
        };
        let stays = match node.kind() {
            NodeKind::Element => {
                let part = self.is_page.then(|| part_of_page(node)).flatten();
                return match part {
                    Some(Part::Root) => Fate::Allowed,
                    part => self.rules.fate(node, part.is_some()),
                };
            }
            NodeKind::Comment => self.rules.allows_comment(node.text()),
            NodeKind::ProcessingInstruction => {
                self.rules.allows_instruction(node.name(), node.text())
            }
            NodeKind::Text => self.rules.allows_text(node),
            _ => true,
        };
        match stays {
            true => Fate::Allowed,
            false => Fate::Removed,
        }
    }

    /// Applies the program's function for attribute values, removes the attributes that are not allowed, and sets the
    /// `rel` attribute of links if the sanitizer prescribes one.
    fn attributes(&mut self, id: NodeId) {
        if let Some(rule) = self.rule {
            self.apply(rule, id);
        }
        let (sanitizer, form) = (self.rules.sanitizer, self.rules.form);
        let Some(node) = self.document.node(id).filter(Node::is_element) else {
            return;
        };
        let Some(known) = self.rules.known(node) else {
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
            && known.name() == "a"
        {
            let node = self.document.node(id);
            let has_href = node.is_some_and(|node| node.attribute("href").is_some());
            // An attribute that is set follows `rel`, so a second time changes nothing.
            let policies = sanitizer.policies.as_ref();
            let gets_href = || policies.is_some_and(|one| one.sets(&known.listed_name, "href"));
            if has_href || gets_href() {
                let _ = self.document.set_attribute(id, "rel", rel);
            }
        }
        if let Some(policies) = &sanitizer.policies {
            policies.apply(self.document, id, &known.listed_name);
        }
    }

    /// Applies the function for attribute values to the attributes that the lists allow. The new values are judged
    /// afterwards, like those of the markup.
    fn apply(&mut self, rule: &AttributeRule, id: NodeId) {
        let (sanitizer, form) = (self.rules.sanitizer, self.rules.form);
        let Some(node) = self.document.node(id).filter(Node::is_element) else {
            return;
        };
        let Some(known) = self.rules.known(node) else {
            return;
        };
        change_attributes(self.document, id, |attribute| {
            if known.verdict(attribute, sanitizer, form) == Verdict::Goes {
                return Change::None;
            }
            let value = attribute.value();
            match rule.apply(&known.listed_name, attribute.name(), value) {
                None => Change::Removed,
                Some(new) if new != value => Change::To(new.into_owned()),
                Some(_) => Change::None,
            }
        });
    }
}

/// One of the elements that every page has: `html`, `head` or `body`.
enum Part {
    Root,
    HeadOrBody,
}

/// Returns which part of a page an element is: `html` if its parent is the document, `head` or `body` if its parent is
/// that `html`.
fn part_of_page(element: Node<'_>) -> Option<Part> {
    if element.namespace() != Some(namespaces::HTML) {
        return None;
    }
    let parent = element.parent()?;
    match element.local_name() {
        "html" if parent.kind() == NodeKind::Document => Some(Part::Root),
        "head" | "body" => match part_of_page(parent)? {
            Part::Root => Some(Part::HeadOrBody),
            Part::HeadOrBody => None,
        },
        _ => None,
    }
}
