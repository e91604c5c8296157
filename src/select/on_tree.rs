//! Matching of selectors against a tree: [`Select`], `matches` and `closest`, and the properties of an element that
//! selectors test.

use super::automaton::{Automaton, Subject, SurveyMatcher};
use super::direction::Direction;
use super::html;
use super::inherited::Inherited;
use super::program::{Combinator, HtmlPseudoClass, Program, Relative, Survey, SurveyResult};
use super::selector::Selector;
use crate::tree::namespaces::HTML;
use crate::tree::{Document, Edge, Edges, Node, NodeId, QuirksMode};
use alloc::borrow::Cow;
use alloc::vec;
use alloc::vec::Vec;
use core::cell::OnceCell;
use core::fmt;
use core::iter::FusedIterator;

/// A tree that a selector is matched against, with caches that the matching of all elements shares.
#[derive(Debug)]
pub(super) struct Tree<'d> {
    document: &'d Document,
    /// The topmost ancestor of the node at which the search began: the document, the root of a detached subtree, or the
    /// root of the contents of a template.
    top: Node<'d>,
    /// The element that `:scope` matches, or `None` for the root element.
    scope: Option<NodeId>,
    /// True if the document is HTML.
    is_html: bool,
    /// True if the document is in quirks mode.
    is_quirky: bool,
    /// The cached states that elements inherit from their ancestors.
    known: Inherited,
    /// For each survey in [`Program::surveys`], the set of elements that the survey found. Each set is computed when a
    /// test first needs it.
    sets: Vec<OnceCell<NodeSet>>,
}

/// An element of a tree, as an element that a selector is matched against.
#[derive(Clone, Copy)]
struct Element<'t, 'd> {
    /// The element.
    node: Node<'d>,
    /// The tree of the element, with the caches.
    tree: &'t Tree<'d>,
    /// The compiled selector.
    program: &'t Program,
}

/// A set of nodes of a document: bit *n* % 64 of word *n* / 64 is set if the node with the ID *n* is in the set.
#[derive(Clone, Debug)]
struct NodeSet(Vec<u64>);

impl NodeSet {
    /// Returns an empty set with space for all nodes of the document.
    fn new(document: &Document) -> NodeSet {
        NodeSet(vec![0; document.node_count().div_ceil(64)])
    }

    /// Returns true if the node is in the set.
    fn has(&self, id: NodeId) -> bool {
        let word = self.0.get(id.index() / 64);
        word.is_some_and(|word| word >> (id.index() % 64) & 1 != 0)
    }

    /// Adds a node. Returns true if the node was not in the set.
    fn add(&mut self, id: NodeId) -> bool {
        let is_new = !self.has(id);
        if let Some(word) = self.0.get_mut(id.index() / 64) {
            *word |= 1 << (id.index() % 64);
        }
        is_new
    }
}

impl Subject for Element<'_, '_> {
    #[inline(always)]
    fn local_name(&self) -> &str {
        self.node.local_name()
    }

    fn namespace(&self) -> Option<&str> {
        self.node.namespace()
    }

    fn is_html(&self) -> bool {
        self.tree.is_html && self.node.namespace() == Some(HTML)
    }

    fn is_quirky(&self) -> bool {
        self.tree.is_quirky
    }

    fn is_root(&self) -> bool {
        let parent = self.node.parent();
        parent.is_some_and(|parent| parent == self.tree.document.root())
    }

    fn is_scope(&self) -> bool {
        match self.tree.scope {
            Some(scope) => self.node.id() == scope,
            None => self.is_root(),
        }
    }

    fn attribute(&self, name: &str) -> Option<&str> {
        let mut attributes = self.node.attributes();
        let found = attributes.find(|one| one.name() == name && one.namespace().is_none());
        found.map(|found| found.value())
    }

    fn any_attribute(&self, mut is_it: impl FnMut(Option<&str>, &str, &str) -> bool) -> bool {
        let mut attributes = self.node.attributes();
        attributes.any(|one| is_it(one.namespace(), one.local_name(), one.value()))
    }

    fn is(&self, pseudo_class: HtmlPseudoClass) -> bool {
        html::matches(self.node, self, pseudo_class, &self.tree.known)
    }

    fn language(&self) -> &str {
        self.tree.known.language(self.node)
    }

    fn direction(&self) -> Direction {
        self.tree.known.direction(self.node)
    }

    fn is_empty(&self) -> bool {
        let mut children = self.node.children();
        children.all(|child| !child.is_element() && (!child.is_text() || child.text().is_empty()))
    }

    fn is_in(&self, survey: usize) -> bool {
        let Some(cell) = self.tree.sets.get(survey) else {
            return false;
        };
        let set = cell.get_or_init(|| {
            self.tree
                .survey(self.program, &self.program.surveys[survey])
        });
        set.has(self.node.id())
    }

    fn count(&self, mut counts: impl FnMut(&Self) -> bool) -> u64 {
        let Some(parent) = self.node.parent() else {
            return 1;
        };
        let siblings = parent.children().filter(Node::is_element);
        let elements = siblings.map(|node| {
            self.tree.known.work.add(1);
            Element { node, ..*self }
        });
        elements.filter(|element| counts(element)).count() as u64
    }
}

impl<'d> Tree<'d> {
    fn new(node: Node<'d>, program: &Program) -> Tree<'d> {
        let document = node.document();
        Tree {
            document,
            top: node.ancestors().last().unwrap_or(node),
            scope: None,
            is_html: document.is_html(),
            is_quirky: document.quirks_mode() == QuirksMode::Quirks,
            known: Inherited::default(),
            sets: vec![OnceCell::new(); program.surveys.len()],
        }
    }

    /// Computes the set of elements that a survey searches for, in one walk over the tree.
    fn survey(&self, program: &Program, survey: &Survey) -> NodeSet {
        let mut matcher = SurveyMatcher::new(&survey.group);
        // For each node, the set of steps that hold at the node.
        let mut steps = vec![0; self.document.node_count()];
        let mut members = NodeSet::new(self.document);
        let mut found = Vec::new();
        for edge in self.top.edges() {
            match edge {
                Edge::Open(node) if node.is_element() => {
                    let tree = self;
                    let element = Element {
                        node,
                        tree,
                        program,
                    };
                    let here = matcher.enter(&survey.group, &element);
                    if here & survey.group.accept != 0 {
                        members.add(node.id());
                    }
                    if here != 0 {
                        steps[node.id().index()] = here;
                        found.push(node);
                    }
                }
                Edge::Close(node) if node.is_element() => matcher.leave(),
                _ => {}
            }
        }
        if let SurveyResult::Having(relatives) = &survey.result {
            for relative in relatives {
                for anchor in self.anchors(relative, &steps, &found) {
                    members.add(anchor.id());
                }
            }
        }
        members
    }

    /// Returns the elements that match `:has(relative)`. `steps` is the set of steps that hold at each node, by node
    /// ID, and `found` are the nodes at which any step holds. The search goes backward: it begins with the elements at
    /// which the last step of the relative selector holds, and follows the combinators from right to left.
    fn anchors(&self, relative: &Relative, steps: &[u64], found: &[Node<'d>]) -> Vec<Node<'d>> {
        let holds = |node: &Node<'d>, step: u32| steps[node.id().index()] >> step & 1 != 0;
        let mut nodes = found.to_vec();
        for &(combinator, step) in relative.iter().rev() {
            nodes.retain(|node| holds(node, step));
            nodes = self.left_of_combinator(combinator, &nodes);
        }
        nodes
    }

    /// Returns the elements that a combinator relates to one of `nodes` on its right side: parents, ancestors, previous
    /// siblings, or all earlier siblings. Each element is visited once.
    fn left_of_combinator(&self, combinator: Combinator, nodes: &[Node<'d>]) -> Vec<Node<'d>> {
        let mut visited = NodeSet::new(self.document);
        let mut before = Vec::new();
        for &node in nodes {
            let mut at = node;
            loop {
                let next = match combinator {
                    Combinator::Descendant | Combinator::Child => at.parent(),
                    Combinator::Next | Combinator::Later => previous_element(at),
                };
                let Some(next) = next.filter(Node::is_element) else {
                    break;
                };
                self.known.work.add(1);
                if !visited.add(next.id()) {
                    break;
                }
                before.push(next);
                if matches!(combinator, Combinator::Child | Combinator::Next) {
                    break;
                }
                at = next;
            }
        }
        before
    }
}

/// Returns the previous sibling that is an element.
fn previous_element(node: Node<'_>) -> Option<Node<'_>> {
    let mut before = node.previous_sibling();
    while let Some(one) = before.filter(|one| !one.is_element()) {
        before = one.previous_sibling();
    }
    before
}

/// Enters the ancestors of a node into the automaton, from the topmost down, and then the node. If the selector depends
/// on siblings, the earlier siblings of each are entered and left before. Returns the ancestors and the node in this
/// order, each with a flag that is true if the element matches.
fn enter_path<'d>(
    tree: &Tree<'d>,
    program: &Program,
    automaton: &mut Automaton,
    node: Node<'d>,
) -> Vec<(Node<'d>, bool)> {
    let above = core::iter::once(node).chain(node.ancestors());
    let mut path: Vec<_> = above.filter(Node::is_element).collect();
    path.reverse();
    let mut found = Vec::with_capacity(path.len());
    for node in path {
        let element = |node| Element {
            node,
            tree,
            program,
        };
        if program.depends_on_siblings()
            && let Some(parent) = node.parent()
        {
            let siblings = parent.children().take_while(|one| *one != node);
            for sibling in siblings.filter(Node::is_element) {
                automaton.enter(program, &element(sibling));
                automaton.leave();
            }
        }
        found.push((node, automaton.enter(program, &element(node))));
    }
    found
}

/// Returns true if a node matches the selector.
pub(super) fn matches(node: Node<'_>, program: &Program) -> bool {
    path(node, program).last() == Some(&(node, true))
}

/// Returns the nearest element that matches the selector, among a node and its ancestors.
pub(super) fn closest<'d>(node: Node<'d>, program: &Program) -> Option<Node<'d>> {
    let mut path = path(node, program).into_iter().rev();
    path.find(|(_, matches)| *matches).map(|(node, _)| node)
}

/// Matches a node and its ancestors. Returns them from the topmost ancestor to the node, each with a flag that is true
/// if the element matches.
fn path<'d>(node: Node<'d>, program: &Program) -> Vec<(Node<'d>, bool)> {
    let mut tree = Tree::new(node, program);
    tree.scope = node.is_element().then(|| node.id());
    let mut automaton = Automaton::new(program);
    enter_path(&tree, program, &mut automaton, node)
}

/// An iterator over the elements that match a selector, in document order: see [`Document::select`].
pub struct Select<'d, 's> {
    /// The selector, borrowed if the program passed a reference.
    selector: Cow<'s, Selector>,
    /// The tree that is searched, with caches.
    tree: Tree<'d>,
    /// The state of matching: the steps that hold at each open element.
    automaton: Automaton,
    /// The rest of the walk over the tree.
    edges: Edges<'d>,
    /// The node at which the search began. Only its descendants are returned.
    from: NodeId,
}

impl fmt::Debug for Select<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("Select");
        debug
            .field("selector", &self.selector)
            .finish_non_exhaustive()
    }
}

impl<'d, 's> Select<'d, 's> {
    pub(super) fn new(node: Node<'d>, selector: Cow<'s, Selector>) -> Select<'d, 's> {
        let program = &selector.program;
        let mut tree = Tree::new(node, program);
        tree.scope = node.is_element().then(|| node.id());
        let mut automaton = Automaton::new(program);
        // The node itself is not entered here, because the walk over `edges` enters it.
        if let Some(parent) = node.parent() {
            enter_path(&tree, program, &mut automaton, parent);
            if program.depends_on_siblings() {
                let siblings = parent.children().take_while(|one| *one != node);
                for node in siblings.filter(Node::is_element) {
                    let tree = &tree;
                    automaton.enter(
                        program,
                        &Element {
                            node,
                            tree,
                            program,
                        },
                    );
                    automaton.leave();
                }
            }
        }
        Select {
            edges: node.edges(),
            from: node.id(),
            tree,
            automaton,
            selector,
        }
    }
}

#[cfg(feature = "inspect")]
impl Select<'_, '_> {
    /// Returns the number of steps so far: elements tested, siblings counted and ancestors visited.
    #[doc(hidden)]
    pub fn inspect_work(&self) -> u64 {
        self.automaton.work() + self.tree.known.work.get()
    }
}

impl<'d> Iterator for Select<'d, '_> {
    type Item = Node<'d>;

    fn next(&mut self) -> Option<Node<'d>> {
        let program = &self.selector.program;
        loop {
            match self.edges.next()? {
                Edge::Open(node) if node.is_element() => {
                    let tree = &self.tree;
                    let element = Element {
                        node,
                        tree,
                        program,
                    };
                    if self.automaton.enter(program, &element) && node.id() != self.from {
                        return Some(node);
                    }
                }
                Edge::Close(node) if node.is_element() => self.automaton.leave(),
                _ => {}
            }
        }
    }
}

impl FusedIterator for Select<'_, '_> {}
