//! Copies of nodes into another document: into an existing one ([`Document::import`]), or into a new one that takes
//! less memory ([`Document::compact`]).
//!
//! Clones of an element share their attributes and their long strings. The copies of these clones share them, too.
//! Otherwise, the copy of a document with many clones could be much larger than the document.

use super::document::{AttributeId, AttributeRecord, Content, Document};
use super::names::{NameId, Names};
use super::node::Node;
use super::node_id::{Link, NodeId};
use super::strings::{Stored, Strings};
use super::walk::{Edge, Tour};
use crate::engine::error::EditError;
use crate::tree::qualified_name::QualifiedName;
use crate::tree::sink::TreeSink;
use alloc::sync::Arc;
use alloc::vec::Vec;
use hashbrown::HashMap;

/// A map from the IDs that nodes had before [`Document::compact`] to the IDs that they have after it.
#[derive(Clone, Debug, Default)]
pub struct IdMap {
    /// The new ID of each node, by the index of its old ID.
    ids: Vec<Link>,
}

impl IdMap {
    /// Returns the new ID of a node. Returns `None` if [`Document::compact`] dropped the node because it was not in the
    /// tree.
    ///
    /// ```
    /// use tagstream::{Document, Xml};
    ///
    /// let mut document = Document::parse(Xml::default(), "<a><b/><c/></a>")?;
    /// let ids: Vec<_> = document.root_element().unwrap().children().map(|node| node.id()).collect();
    /// document.remove(ids[0]);
    /// let map = document.compact();
    /// assert_eq!(map.get(ids[0]), None);
    /// assert_eq!(document.node(map.get(ids[1]).unwrap()).unwrap().name(), "c");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn get(&self, before: NodeId) -> Option<NodeId> {
        self.ids.get(before.index()).copied().flatten()
    }
}

impl Document {
    /// Copies a node of another document, with all its descendants, and returns the ID of the copy, which has no
    /// parent. The copy of a whole document is a fragment.
    ///
    /// ```
    /// use tagstream::tree::Place;
    /// use tagstream::{Document, Xml};
    ///
    /// let mut document = Document::parse(Xml::default(), "<a/>")?;
    /// let other = Document::parse(Xml::default(), "<b c='1'>text</b>")?;
    /// let copy = document.import(other.root_element().unwrap())?;
    /// let a = document.root_element().unwrap().id();
    /// document.insert(copy, Place::LastIn(a))?;
    /// assert_eq!(document.to_xml()?, r#"<a><b c="1">text</b></a>"#);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`EditError::Full`] if this document has no room for all of the copy.
    #[doc(alias("adopt_node", "import_node", "importNode", "clone_node"))]
    pub fn import(&mut self, node: Node<'_>) -> Result<NodeId, EditError> {
        Copier::default().copy(node.document, node.id, self, |_, _| {})
    }

    /// Copies the children of a node of another document into the node `to` of this document. The copies are inserted
    /// before `next`, which is a child of `to`, or are appended if `next` is `None`.
    ///
    /// If this document becomes full, the children that were copied before stay inserted.
    pub(crate) fn import_children(
        &mut self,
        from: Node<'_>,
        to: NodeId,
        next: Option<NodeId>,
    ) -> Result<(), EditError> {
        let mut copier = Copier::default();
        for child in from.children() {
            let copy = copier.copy(from.document, child.id, self, |_, _| {})?;
            self.link(to, copy, next);
        }
        Ok(())
    }

    /// Releases the memory of everything that is no longer in the tree: nodes that were removed, and values and texts
    /// that were replaced. The nodes get new IDs. The returned map translates old IDs into new ones.
    ///
    /// ```
    /// use tagstream::{Document, Html};
    ///
    /// let mut page = Document::parse(Html::default(), "<p>text".repeat(1_000))?;
    /// let before = page.heap_size();
    /// let body = page.root_element().unwrap().last_child().unwrap().id();
    /// page.set_text(body, "nothing")?;
    /// page.compact();
    /// assert!(page.heap_size() < before / 10);
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn compact(&mut self) -> IdMap {
        let mut fresh = Document::with(Arc::new(self.names.without_names()), 1);
        fresh.prologue = core::mem::take(&mut self.prologue);
        fresh.most = self.most;
        let mut ids: Vec<Link> = Vec::new();
        ids.resize(self.nodes.len(), None);
        ids[NodeId::DOCUMENT.index()] = Some(NodeId::DOCUMENT);
        let mut copier = Copier::default();
        for child in self.child_ids(NodeId::DOCUMENT) {
            let note = |before: NodeId, after| ids[before.index()] = Some(after);
            // The copy does not fail, because it has at most as many nodes and attributes as this document.
            if let Ok(copy) = copier.copy(self, child, &mut fresh, note) {
                fresh.link(NodeId::DOCUMENT, copy, None);
            }
        }
        if let Some(after) = fresh.prologue.doctype_after {
            fresh.prologue.doctype_after = ids[after.index()];
        }
        fresh.owners = self.owners.take().and_then(|owners| owners.compacted(&ids));
        let origins = core::mem::take(&mut self.origins);
        fresh.origins = origins.moved(fresh.nodes.len(), &ids);
        fresh.shrink_to_fit();
        *self = fresh;
        IdMap { ids }
    }
}

/// The state of a copy: the names, attributes and strings that were already copied, so that later copies can refer to
/// them.
#[derive(Default)]
struct Copier {
    /// For each copied name of the source document, the name in the target document.
    names: HashMap<NameId, NameId>,
    /// The copied attributes that clones of an element share. The key is the last attribute of the element in the
    /// source document, and the value is the last attribute of the copy. Attributes form rings: see
    /// [`AttributeRecord::next`].
    rings: HashMap<AttributeId, AttributeId>,
    /// For each copied long string of the source document, the string in the target document.
    strings: HashMap<Stored, Stored>,
}

impl Copier {
    /// Copies a node with all its descendants, including template contents and shadow roots, and returns the copy.
    /// `note` is called with the old and the new ID of each node.
    ///
    /// If the target document becomes full, the part that was already copied stays in its memory, but is not in its
    /// tree.
    fn copy(
        &mut self,
        from: &Document,
        node: NodeId,
        to: &mut Document,
        mut note: impl FnMut(NodeId, NodeId),
    ) -> Result<NodeId, EditError> {
        let root = self.copy_node(from, node, to)?;
        note(node, root);
        let mut tour = Tour::new(node).through_all();
        // The copy of the innermost node that is still open: the next copy is appended to it. The first step of the
        // walk opens `node`, which is already copied.
        let mut open = root;
        tour.step(from);
        while let Some(edge) = tour.step(from) {
            match edge {
                Edge::Open(id) if matches!(from.record(id).content, Content::Fragment { .. }) => {
                    to.room()?;
                    open = match from.shadow_root_of(id) {
                        Some(root) => to.attach_shadow_root(open, *root).unwrap_or(open),
                        None => to.template_contents(open),
                    };
                    note(id, open);
                }
                Edge::Open(id) => {
                    let copy = self.copy_node(from, id, to)?;
                    to.link(open, copy, None);
                    note(id, copy);
                    open = copy;
                }
                Edge::Close(id) if id == node => break,
                Edge::Close(_) => open = to.parent_or_host(open).unwrap_or(root),
            }
        }
        Ok(root)
    }

    /// Copies one node without its descendants.
    fn copy_node(
        &mut self,
        from: &Document,
        node: NodeId,
        to: &mut Document,
    ) -> Result<NodeId, EditError> {
        to.room()?;
        Ok(match from.record(node).content {
            Content::Document | Content::Fragment { .. } => {
                to.push(Content::Fragment { host: None })
            }
            Content::Doctype(index) => to.push_doctype(from.doctypes[index as usize].clone()),
            content @ (Content::Text(data) | Content::Cdata(data) | Content::Comment(data)) => {
                let data = self.string(from, data, &mut to.strings);
                to.push(content.with_string(data))
            }
            Content::ProcessingInstruction(index) => {
                let (target, data) = from.instructions[index as usize];
                let target = self.string(from, target, &mut to.strings);
                let data = self.string(from, data, &mut to.strings);
                to.push_instruction(target, data)
            }
            Content::Element {
                name,
                last_attribute,
                is_shared,
                ..
            } => {
                let name = self.name(from, name, to);
                let element = to.push(Content::element(name));
                if let Some(last) = last_attribute {
                    self.copy_attributes(from, last, to, element, is_shared)?;
                }
                element
            }
        })
    }

    /// Copies the attributes of an element. If the attributes were already copied for a clone of the element, both
    /// copies share them. `last` is the last attribute of the element in `from`, `element` is the copy of the element
    /// in `to`, and `is_shared` is true if the original may share its attributes with clones.
    fn copy_attributes(
        &mut self,
        from: &Document,
        last: AttributeId,
        to: &mut Document,
        element: NodeId,
        is_shared: bool,
    ) -> Result<(), EditError> {
        if let Some(ring) = self.rings.get(&last)
            && let Content::Element {
                last_attribute,
                is_shared,
                ..
            } = &mut to.record_mut(element).content
        {
            (*last_attribute, *is_shared) = (Some(*ring), true);
            return Ok(());
        }
        let mut id = last;
        loop {
            id = from.attributes[id.index()].next;
            let AttributeRecord { name, value, .. } = from.attributes[id.index()];
            let name = self.name(from, name, to);
            let value = self.string(from, value, &mut to.strings);
            if to.free_attribute.is_none() && to.attributes.len() >= to.most {
                return Err(EditError::Full);
            }
            to.push_attribute(element, name, value);
            if id == last {
                break;
            }
        }
        if is_shared
            && let Content::Element {
                last_attribute: Some(ring),
                is_shared,
                ..
            } = &mut to.record_mut(element).content
        {
            *is_shared = true;
            self.rings.insert(last, *ring);
        }
        Ok(())
    }

    /// Returns the name in the target document that is equal to `name`, which belongs to the source document. The name
    /// is added to the target document at its first use.
    fn name(&mut self, from: &Document, name: NameId, to: &mut Document) -> NameId {
        if let Some(copy) = self.names.get(&name) {
            return *copy;
        }
        let namespace = from
            .names
            .namespace(name)
            .map(|namespace| Names::intern_namespace(&mut to.names, namespace));
        let qualified = from.names.qualified(name);
        let copy = match from.names.prefix(name) {
            Some(_) => QualifiedName::prefixed(qualified, namespace),
            None => QualifiedName::unprefixed(qualified, namespace),
        };
        let copy = Names::intern(&mut to.names, &copy);
        self.names.insert(name, copy);
        copy
    }

    /// Copies a string. A long string that several nodes may share is copied only once.
    fn string(&mut self, from: &Document, stored: Stored, to: &mut Strings) -> Stored {
        let text = from.strings.read(stored);
        if !Strings::may_be_shared(stored) {
            return to.store(text);
        }
        // `to` may have stored the string as an owned string, because its shared buffer is full. Such a string must not
        // be shared, because an append changes it in place.
        match self.strings.get(&stored) {
            Some(copy) => *copy,
            None => {
                let copy = to.store(text);
                if Strings::may_be_shared(copy) {
                    self.strings.insert(stored, copy);
                }
                copy
            }
        }
    }
}
