//! Selectors on a document: what an element of a tree answers, and the ways in which a tree is asked. It must not
//! know how selectors are read, nor of events.

use super::Selector;
use super::automaton::{Automaton, Single, Subject};
use super::html;
use super::inherited::Inherited;
use super::program::{Combinator, Program, Relative, State, Survey, Wanted};
use crate::tree::namespaces::HTML;
use crate::tree::{Document, Edge, Edges, Node, NodeId, QuirksMode};
use alloc::borrow::Cow;
use alloc::vec;
use alloc::vec::Vec;
use core::cell::OnceCell;
use core::fmt;
use core::iter::FusedIterator;

/// A tree that is asked.
#[derive(Debug)]
pub(super) struct Tree<'d> {
    document: &'d Document,
    /// What stands above all of it.
    top: Node<'d>,
    scope: Option<NodeId>,
    is_html: bool,
    is_quirky: bool,
    known: Inherited,
    /// The sets of the program's surveys, each made when it is asked for first.
    sets: Vec<OnceCell<Set>>,
}

/// An element of a tree that is asked.
#[derive(Clone, Copy)]
struct Element<'t, 'd> {
    node: Node<'d>,
    tree: &'t Tree<'d>,
    program: &'t Program,
}

/// Some of a tree's nodes.
#[derive(Clone, Debug)]
struct Set(Vec<u64>);

impl Set {
    fn new(document: &Document) -> Set {
        Set(vec![0; document.node_count().div_ceil(64)])
    }

    fn has(&self, id: NodeId) -> bool {
        let word = self.0.get(id.index() / 64);
        word.is_some_and(|word| word >> (id.index() % 64) & 1 != 0)
    }

    /// Gives whether it is new.
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
        self.node.attribute(name)
    }

    fn any_attribute(&self, mut is_it: impl FnMut(Option<&str>, &str, &str) -> bool) -> bool {
        let mut attributes = self.node.attributes();
        attributes.any(|one| is_it(one.namespace(), one.local_name(), one.value()))
    }

    fn is(&self, state: State) -> bool {
        html::is(self.node, self, state, &self.tree.known)
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

    /// The set of a survey: each element of the tree is asked once.
    fn survey(&self, program: &Program, survey: &Survey) -> Set {
        let mut single = Single::new(&survey.group);
        // The steps that hold at each node.
        let mut steps = vec![0; self.document.node_count()];
        let mut members = Set::new(self.document);
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
                    let here = single.enter(&survey.group, &element);
                    if here & survey.group.accept != 0 {
                        members.add(node.id());
                    }
                    if here != 0 {
                        steps[node.id().index()] = here;
                        found.push(node);
                    }
                }
                Edge::Close(node) if node.is_element() => single.leave(),
                _ => {}
            }
        }
        if let Wanted::Having(relatives) = &survey.wanted {
            for relative in relatives {
                for anchor in self.anchors(relative, &steps, &found) {
                    members.add(anchor.id());
                }
            }
        }
        members
    }

    /// The elements from which a relative selector leads to others: back from its last step to its first.
    fn anchors(&self, relative: &Relative, steps: &[u64], found: &[Node<'d>]) -> Vec<Node<'d>> {
        let holds = |node: &Node<'d>, step: u32| steps[node.id().index()] >> step & 1 != 0;
        let mut nodes = found.to_vec();
        for &(combinator, step) in relative.iter().rev() {
            nodes.retain(|node| holds(node, step));
            nodes = self.before(combinator, &nodes);
        }
        nodes
    }

    /// The elements that have one of these where the combinator says. Each is met once.
    fn before(&self, combinator: Combinator, nodes: &[Node<'d>]) -> Vec<Node<'d>> {
        let mut met = Set::new(self.document);
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
                if !met.add(next.id()) {
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

fn previous_element(node: Node<'_>) -> Option<Node<'_>> {
    let mut before = node.previous_sibling();
    while let Some(one) = before.filter(|one| !one.is_element()) {
        before = one.previous_sibling();
    }
    before
}

/// Enters what is above a node, and where siblings matter what is before that; gives those above and the node
/// itself, from the top on, of which each matches or does not.
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
        if program.looks_beside()
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

/// Whether a node matches.
pub(super) fn matches(node: Node<'_>, program: &Program) -> bool {
    path(node, program).last() == Some(&(node, true))
}

/// The nearest that matches, of a node and those above it.
pub(super) fn closest<'d>(node: Node<'d>, program: &Program) -> Option<Node<'d>> {
    let mut path = path(node, program).into_iter().rev();
    path.find(|(_, matches)| *matches).map(|(node, _)| node)
}

fn path<'d>(node: Node<'d>, program: &Program) -> Vec<(Node<'d>, bool)> {
    let mut tree = Tree::new(node, program);
    tree.scope = node.is_element().then(|| node.id());
    let mut automaton = Automaton::new(program);
    enter_path(&tree, program, &mut automaton, node)
}

/// The elements that a selector selects, in document order: see [`Document::select`].
pub struct Select<'d, 's> {
    selector: Cow<'s, Selector>,
    tree: Tree<'d>,
    automaton: Automaton,
    edges: Edges<'d>,
    /// The node below which is selected.
    from: NodeId,
}

impl fmt::Debug for Select<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut told = f.debug_struct("Select");
        told.field("selector", &self.selector)
            .finish_non_exhaustive()
    }
}

impl<'d, 's> Select<'d, 's> {
    pub(super) fn new(node: Node<'d>, selector: Cow<'s, Selector>) -> Select<'d, 's> {
        let program = &selector.program;
        let mut tree = Tree::new(node, program);
        tree.scope = node.is_element().then(|| node.id());
        let mut automaton = Automaton::new(program);
        // The node itself is entered when the walk opens it.
        if let Some(parent) = node.parent() {
            enter_path(&tree, program, &mut automaton, parent);
            if program.looks_beside() {
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
    /// The steps that were taken: tests of elements, siblings that were counted, elements above that were asked.
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
