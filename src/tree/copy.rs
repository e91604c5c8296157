//! Trees copied from one document into another: into one that is there, or into a fresh one that has nothing
//! else, which gives memory back. It must not know why.
//!
//! What the copies of an element share, attributes and long strings, their copies share as well: else a
//! tree could become as much larger as it has copies.

use super::document::{AttributeId, AttributeRecord, Content, Document, Link, NodeId};
use super::names::{NameId, Names};
use super::node::Node;
use super::qualified_name::QualifiedName;
use super::sink::TreeSink;
use super::strings::{Stored, Strings};
use super::walk::{Edge, Tour};
use crate::error::EditError;
use alloc::sync::Arc;
use alloc::vec::Vec;
use hashbrown::HashMap;

/// Which ids the nodes of a document have after [`Document::compact`].
#[derive(Clone, Debug, Default)]
pub struct IdMap {
    /// By the index of the old id.
    ids: Vec<Link>,
}

impl IdMap {
    /// The id that a node has now; none, if it was in no tree and is gone.
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
    /// A copy of a node of another document, with all below it, which stands nowhere yet. The copy of a whole
    /// document is a fragment.
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
    /// [`EditError::Full`].
    #[doc(alias("adopt_node", "import_node", "importNode", "clone_node"))]
    pub fn import(&mut self, node: Node<'_>) -> Result<NodeId, EditError> {
        Copier::default().copy(node.document, node.id, self, |_, _| {})
    }

    /// Copies the children of a node of another document into a node of this one: before its child `next`, or last.
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

    /// Gives back the memory of all that is in the tree no more: of nodes that were taken away, of values
    /// and texts that were replaced. Ids change; the map says which nodes have which.
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
            // There is room for what had room.
            if let Ok(copy) = copier.copy(self, child, &mut fresh, note) {
                fresh.link(NodeId::DOCUMENT, copy, None);
            }
        }
        let after = fresh.prologue.doctype_after.take();
        fresh.prologue.doctype_after = after.and_then(|after| ids[after.index()]);
        fresh.owners = self.owners.take().and_then(|owners| owners.compacted(&ids));
        let origins = core::mem::take(&mut self.origins);
        fresh.origins = origins.moved(fresh.nodes.len(), &ids);
        fresh.shrink_to_fit();
        *self = fresh;
        IdMap { ids }
    }
}

/// What was copied already and serves for more than one copy.
#[derive(Default)]
struct Copier {
    names: HashMap<NameId, NameId>,
    /// Rings of attributes that copies of elements share, by their last.
    rings: HashMap<AttributeId, AttributeId>,
    strings: HashMap<Stored, Stored>,
}

impl Copier {
    /// Copies a node with all below it, templates included, and tells the id of each copy. What was made
    /// before there was no more room stands nowhere.
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
        // The copy that is open. The first step enters the node that has its copy already.
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
            Content::Text(text) => {
                let text = self.string(from, text, &mut to.strings);
                to.push(Content::Text(text))
            }
            Content::Comment(data) => {
                let data = self.string(from, data, &mut to.strings);
                to.push(Content::Comment(data))
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

    /// A string that several may have is copied once.
    fn string(&mut self, from: &Document, stored: Stored, to: &mut Strings) -> Stored {
        let text = from.strings.read(stored);
        if !Strings::may_be_shared(stored) {
            return to.store(text);
        }
        // What could not be shared there is one's own: it may be changed where it stands.
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
