//! Validation of a document that was loaded from a checkpoint: every reference in it must exist.

use super::document::{AttributeId, Content, Document, Record};
use super::node_id::{Link, NodeId};
use crate::checkpoint::Damaged;

impl Document {
    /// Returns an error if the document, which was loaded from a checkpoint, refers to a node, an attribute, a name or
    /// a string that does not exist.
    pub(super) fn validate(&mut self) -> Result<(), Damaged> {
        match self.is_complete() {
            true => Ok(()),
            false => Err(Damaged),
        }
    }

    fn is_complete(&self) -> bool {
        let nodes = self.nodes.len();
        let is_node = |id: NodeId| id.index() < nodes;
        let is_link = |link: Link| link.is_none_or(is_node);
        let is_attribute = |id: AttributeId| id.index() < self.attributes.len();
        let is_string = |stored| self.strings.find(stored).is_some();
        nodes > 0
            && nodes <= self.most
            && self.strings.is_valid()
            && self.nodes.iter().all(|node| self.is_complete_node(node))
            && self.attributes.iter().all(|attribute| {
                self.names.has(attribute.name)
                    && is_string(attribute.value)
                    && is_attribute(attribute.next)
            })
            && self.free_attribute.is_none_or(is_attribute)
            && self
                .instructions
                .iter()
                .all(|(target, data)| is_string(*target) && is_string(*data))
            && self.tables.is_valid(is_node, |name| self.names.has(name))
            && self
                .owners
                .as_ref()
                .is_none_or(|owners| owners.is_valid(is_node))
            && is_link(self.prologue.doctype_after)
    }

    /// Returns true if all nodes, attributes, names and strings that a node refers to exist.
    fn is_complete_node(&self, node: &Record) -> bool {
        let is_link = |link: Link| link.is_none_or(|id| id.index() < self.nodes.len());
        let is_attribute = |id: AttributeId| id.index() < self.attributes.len();
        let is_string = |stored| self.strings.find(stored).is_some();
        let links = [
            node.parent,
            node.previous,
            node.next,
            node.first_child,
            node.last_child,
        ];
        links.into_iter().all(is_link)
            && match node.content {
                Content::Document => true,
                Content::Fragment { host } => is_link(host),
                Content::Doctype(index) => (index as usize) < self.doctypes.len(),
                Content::Element {
                    name,
                    last_attribute,
                    ..
                } => self.names.has(name) && last_attribute.is_none_or(is_attribute),
                Content::Text(text) | Content::Cdata(text) | Content::Comment(text) => {
                    is_string(text)
                }
                Content::ProcessingInstruction(index) => (index as usize) < self.instructions.len(),
            }
    }
}
