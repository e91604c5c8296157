//! A [`TreeSink`] that sanitizes while HTML is parsed: elements that are not allowed are never inserted into the tree.
//!
//! The parser creates every element, so that its stack of open elements and its list of active formatting elements are
//! those of the raw markup. [`Filter`] decides where it inserts a node:
//!
//! - An element that is *removed* gets no parent. Its children are appended to it, outside the tree. The adoption
//!   agency algorithm can still move them into the tree.
//! - An element that is *replaced* with its children gets no parent either. [`Filter`] stores the [`Location`] at which
//!   the element would have been inserted. Nodes that the parser inserts into the element are inserted at that
//!   location. This corresponds to the insertion target redirection map in the standard's text.
//!
//! A replaced element can be inside another replaced element, so locations form chains. [`Filter::resolve`] follows a
//! chain once and stores the result in every element of the chain. The stored results are discarded when an element of
//! the chain gets another location.
//!
//! This file removes whole nodes only. [`Walk`](super::walk::Walk) visits the tree afterwards, sanitizes attributes,
//! and checks every element again.

use super::rules::Rules;
use super::sanitizer::Fate;
use crate::tree::{
    Document, NodeId, Patch, QualifiedName, QuirksMode, ShadowRoot, TreeSink, TreeSize, namespaces,
};
use alloc::vec::Vec;
use hashbrown::HashMap;

/// A position in the tree: before a child of `parent`, or after its last child.
#[derive(Clone, Copy, Debug)]
struct Location {
    parent: NodeId,
    before: Option<NodeId>,
}

impl Location {
    fn end_of(parent: NodeId) -> Location {
        Location {
            parent,
            before: None,
        }
    }
}

/// An element that the parser has created but that is not in the tree, because it is removed or replaced with its
/// children.
#[derive(Clone, Copy, Debug)]
struct Absent {
    is_replaced: bool,
    /// The location at which the parser inserted the element; `None` before the parser has inserted it.
    location: Option<Location>,
    /// The location in the tree at which the chain of replaced elements ends that begins at `location`. `None` until
    /// the chain has been followed, or if the stored result was discarded.
    resolved: Option<Location>,
    /// A node that is inserted once the location of this element is known. The adoption agency algorithm appends one
    /// node to its copy of a replaced formatting element before it inserts the copy. This node is inserted at the
    /// location of the copy.
    waiting: Option<NodeId>,
}

/// A document under construction, without the elements that a sanitizer removes or replaces.
#[derive(Debug)]
pub(super) struct Filter<'a> {
    document: Document,
    rules: Rules<'a>,
    is_page: bool,
    /// True once the parser has created the root element. The root of a fragment is always allowed, because it contains
    /// the result.
    has_root: bool,
    absent: HashMap<NodeId, Absent>,
    /// For each parent element, the replaced element that the parser inserted last into this parent and that is still
    /// open.
    replaced_in: HashMap<NodeId, NodeId>,
    /// For each replaced element, the other replaced elements whose chain of locations contains it. Their stored
    /// results are discarded when this element is moved.
    resolved_by: HashMap<NodeId, Vec<NodeId>>,
    /// Number of replaced elements visited, in all chains. Tests compare this number with the length of the markup.
    steps: u64,
}

impl<'a> Filter<'a> {
    pub(super) fn new(rules: Rules<'a>, is_page: bool) -> Filter<'a> {
        Filter {
            document: Document::new(),
            rules,
            is_page,
            has_root: false,
            absent: HashMap::new(),
            replaced_in: HashMap::new(),
            resolved_by: HashMap::new(),
            steps: 0,
        }
    }

    /// Consumes the filter. Returns the tree, the rules for the walk over the tree that follows, and the number of
    /// replaced elements that were visited.
    pub(super) fn finish(self) -> (Document, Rules<'a>, u64) {
        (self.document, self.rules, self.steps)
    }

    /// Returns the treatment of a new element by the sanitizer: it is inserted, removed, or replaced with its children.
    fn fate(&mut self, element: NodeId) -> Fate {
        let is_root = !core::mem::replace(&mut self.has_root, true);
        let Some(node) = self.document.node(element) else {
            return Fate::Removed;
        };
        let is_html = node.namespace() == Some(namespaces::HTML);
        let name = node.local_name();
        if is_root || self.is_page && is_html && name == "html" {
            return Fate::Allowed;
        }
        let is_part_of_page = self.is_page && is_html && matches!(name, "head" | "body");
        let is_template = is_html && name == "template";
        match self.rules.fate(node, is_part_of_page) {
            // The contents of a template are not its children, so a template cannot be replaced with its children.
            Fate::Replaced if is_template => Fate::Removed,
            fate => fate,
        }
    }

    fn add_absent(&mut self, element: NodeId, is_replaced: bool) {
        let absent = Absent {
            is_replaced,
            location: None,
            resolved: None,
            waiting: None,
        };
        self.absent.insert(element, absent);
    }

    /// Follows locations until one is in an element that is not replaced. Returns `Err` with the copy of a replaced
    /// element if the chain ends at a copy that has no location yet.
    fn resolve(&mut self, location: Location) -> Result<Location, NodeId> {
        let mut found = location;
        let mut chain: Vec<NodeId> = Vec::new();
        while let Some(absent) = self.absent.get(&found.parent)
            && absent.is_replaced
        {
            self.steps += 1;
            chain.push(found.parent);
            if let Some(resolved) = absent.resolved {
                found = resolved;
                break;
            }
            found = absent.location.ok_or(found.parent)?;
        }
        for (at, element) in chain.iter().enumerate() {
            if let Some(absent) = self.absent.get_mut(element)
                && absent.resolved.replace(found).is_none()
                && let Some(next) = chain.get(at + 1)
            {
                self.resolved_by.entry(*next).or_default().push(*element);
            }
        }
        let before = found.before;
        found.before =
            before.filter(|node| TreeSink::parent(&self.document, *node) == Some(found.parent));
        Ok(found)
    }

    /// Discards the resolved location of an element, and all resolved locations that were found through it. A step of
    /// [`resolve`](Filter::resolve) stored each of them, so the total number discarded is at most the number of steps
    /// taken.
    fn forget(&mut self, element: NodeId) {
        let mut outdated = Vec::from([element]);
        while let Some(element) = outdated.pop() {
            if let Some(absent) = self.absent.get_mut(&element) {
                absent.resolved = None;
            }
            outdated.extend(self.resolved_by.remove(&element).unwrap_or_default());
        }
    }

    /// Inserts a node that the parser has created. An element that the sanitizer removes or replaces with its children
    /// is not inserted: its location is recorded, and the node that waits for it is inserted.
    fn put(&mut self, location: Location, node: NodeId) {
        let Some(absent) = self.absent.get_mut(&node) else {
            return self.link(location, node);
        };
        let is_moved = absent.location.replace(location).is_some();
        let waiting = absent.waiting.take();
        if absent.is_replaced {
            self.replaced_in.insert(location.parent, node);
            if is_moved {
                self.forget(node);
            }
        }
        if let Some(waiting) = waiting {
            self.link(location, waiting);
        }
    }

    /// Inserts a node that the sanitizer keeps. If its location is in a replaced element that has no location yet,
    /// removes the node from its parent and records that it waits for that element.
    fn link(&mut self, location: Location, node: NodeId) {
        match self.resolve(location) {
            Ok(found) => match found.before {
                Some(before) => self.document.insert_before(before, node),
                None => TreeSink::append(&mut self.document, found.parent, node),
            },
            Err(copy) => {
                TreeSink::remove(&mut self.document, node);
                if let Some(copy) = self.absent.get_mut(&copy) {
                    copy.waiting = Some(node);
                }
            }
        }
    }

    /// Moves a replaced element to another location. Nodes that are inserted into the element later are inserted there.
    fn relocate(&mut self, replaced: NodeId, location: Location) {
        if let Some(absent) = self.absent.get_mut(&replaced) {
            absent.location = Some(location);
            self.replaced_in.insert(location.parent, replaced);
            self.forget(replaced);
        }
    }
}

impl TreeSink for Filter<'_> {
    type Handle = NodeId;
    type Namespace = <Document as TreeSink>::Namespace;
    /// The builder of a sanitizer records no positions.
    const STORES_ORIGINS: bool = false;

    fn expect(&mut self, bytes: usize) {
        self.document.expect(bytes);
    }

    fn size(&self) -> TreeSize {
        self.document.size()
    }

    fn document(&self) -> NodeId {
        self.document.document()
    }

    fn namespace(&mut self, name: &str) -> Self::Namespace {
        self.document.namespace(name)
    }

    fn create_element(&mut self, name: QualifiedName<'_, Self::Namespace>) -> NodeId {
        let element = self.document.create_element(name);
        match self.fate(element) {
            Fate::Allowed | Fate::Unsaid | Fate::Escaped => {}
            fate => self.add_absent(element, fate == Fate::Replaced),
        }
        element
    }

    fn add_attribute(
        &mut self,
        element: NodeId,
        name: QualifiedName<'_, Self::Namespace>,
        value: &str,
    ) {
        self.document.add_attribute(element, name, value);
    }

    fn add_missing_attribute(
        &mut self,
        element: NodeId,
        name: QualifiedName<'_, Self::Namespace>,
        value: &str,
    ) {
        self.document.add_missing_attribute(element, name, value);
    }

    fn create_comment(&mut self, data: &str) -> NodeId {
        match self.rules.allows_comment(data) {
            true => self.document.create_comment(data),
            false => self.document(),
        }
    }

    fn create_processing_instruction(&mut self, target: &str, data: &str) -> NodeId {
        match self.rules.allows_instruction(target, data) {
            true => self.document.create_processing_instruction(target, data),
            false => self.document(),
        }
    }

    fn create_doctype(
        &mut self,
        name: &str,
        public_id: Option<&str>,
        system_id: Option<&str>,
    ) -> NodeId {
        self.document.create_doctype(name, public_id, system_id)
    }

    fn create_fragment(&mut self) -> NodeId {
        self.document.create_fragment()
    }

    fn parent(&self, node: NodeId) -> Option<NodeId> {
        TreeSink::parent(&self.document, node)
    }

    fn append(&mut self, parent: NodeId, child: NodeId) {
        // The create methods return the document in place of a comment or an instruction that is not allowed.
        if child != self.document() {
            self.put(Location::end_of(parent), child);
        }
    }

    fn append_text(&mut self, parent: NodeId, text: &str) {
        if let Ok(found) = self.resolve(Location::end_of(parent)) {
            match found.before {
                Some(before) => self.document.insert_text_before(before, text),
                None => TreeSink::append_text(&mut self.document, found.parent, text),
            }
        }
    }

    fn insert_before(&mut self, sibling: NodeId, child: NodeId) {
        if let Some(parent) = self.parent(sibling)
            && child != self.document()
        {
            let before = Some(sibling);
            self.put(Location { parent, before }, child);
        }
    }

    fn insert_text_before(&mut self, sibling: NodeId, text: &str) {
        self.document.insert_text_before(sibling, text);
    }

    fn remove(&mut self, node: NodeId) {
        TreeSink::remove(&mut self.document, node);
    }

    fn move_children(&mut self, from: NodeId, to: NodeId) {
        let is_replaced = |node| self.absent.get(node).is_some_and(|one| one.is_replaced);
        // The children of a replaced copy are those of the node that contains the copy, so they stay in that node.
        if !is_replaced(&to) {
            self.document.move_children(from, to);
        }
        if let Some(replaced) = self.replaced_in.remove(&from) {
            self.relocate(replaced, Location::end_of(to));
        }
    }

    fn clone_element(&mut self, element: NodeId) -> NodeId {
        let copy = self.document.clone_element(element);
        if let Some(Absent { is_replaced, .. }) = self.absent.get(&element).copied() {
            self.add_absent(copy, is_replaced);
        }
        copy
    }

    fn clone_subtree(&mut self, node: NodeId) -> NodeId {
        self.document.clone_subtree(node)
    }

    fn template_contents(&mut self, element: NodeId) -> NodeId {
        self.document.template_contents(element)
    }

    fn begin_patch(&mut self, scope: NodeId, name: &str) -> Option<Patch<NodeId>> {
        self.document.begin_patch(scope, name)
    }

    fn attach_shadow_root(&mut self, _: NodeId, _: ShadowRoot) -> Option<NodeId> {
        None
    }

    fn associate_form(&mut self, control: NodeId, form: NodeId) {
        self.document.associate_form(control, form);
    }

    fn set_quirks_mode(&mut self, mode: QuirksMode) {
        self.document.set_quirks_mode(mode);
    }

    fn set_fragment(&mut self) {
        self.document.set_fragment();
    }

    fn set_scripting(&mut self, scripting: bool) {
        self.document.set_scripting(scripting);
    }

    /// Redirects what the parser still inserts into a replaced element that is open to the location of the closed
    /// element.
    fn element_closed(&mut self, element: NodeId) {
        let absent = self.absent.get(&element).copied();
        let location = absent.and_then(|absent| absent.location);
        if let Some(Location { parent, .. }) = location
            && self.replaced_in.get(&parent) == Some(&element)
        {
            self.replaced_in.remove(&parent);
        }
        if let Some(replaced) = self.replaced_in.remove(&element) {
            let parent = || Some(Location::end_of(self.parent(element)?));
            match location.or_else(parent) {
                Some(location) => self.relocate(replaced, location),
                None => {
                    self.replaced_in.insert(element, replaced);
                }
            }
        }
    }
}
