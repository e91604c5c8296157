//! `Document`'s implementation of [`TreeSink::append_element`], which appends a new element with its attributes in one
//! call.

use super::document::{AttributeId, AttributeRecord, Content, Document};
use super::names::{NameId, Names};
use super::node_id::NodeId;
use crate::tree::qualified_name::QualifiedName;
use crate::tree::sink::TreeSink;

impl Document {
    /// Creates an element, adds its attributes and appends it to `parent`.
    ///
    /// PERF: the attributes are appended to the array one after the other, and the node is written once, with its link
    /// to the last attribute. [`add_attribute`](TreeSink::add_attribute) would read and update the node for each
    /// attribute.
    #[inline]
    pub(super) fn append_new_element<'a>(
        &mut self,
        parent: NodeId,
        name: QualifiedName<'a>,
        attributes: impl Iterator<Item = (QualifiedName<'a>, &'a str)>,
    ) -> NodeId {
        let name = Names::intern(&mut self.names, &name);
        if !self.is_container(parent) || self.is_full() || self.free_attribute.is_some() {
            return self.append_in_steps(parent, name, attributes);
        }
        let first = self.attributes.len();
        for (name, value) in attributes {
            let name = Names::intern_inline(&mut self.names, &name);
            let value = self.strings.store(value);
            if self.attributes.len() < self.most {
                let next = AttributeId::following(self.attributes.len() + 1);
                self.attributes.push(AttributeRecord { name, value, next });
            }
        }
        // The attributes of an element form a ring: the last one refers to the first.
        let mut last_attribute = None;
        let count = self.attributes.len();
        if count > first {
            self.attributes[count - 1].next = AttributeId::following(first);
            last_attribute = Some(AttributeId::following(count - 1));
        }
        self.push_last(
            parent,
            Content::Element {
                name,
                last_attribute,
                is_template: false,
                is_indexed: false,
                is_shared: false,
            },
        )
    }

    /// Creates and appends an element with its attributes, with one call for each step. This covers the cases in which
    /// attributes cannot simply be appended to the array: the parent cannot have children, the document is full, or
    /// there are free records of removed attributes, which are reused first.
    #[cold]
    fn append_in_steps<'a>(
        &mut self,
        parent: NodeId,
        name: NameId,
        attributes: impl Iterator<Item = (QualifiedName<'a>, &'a str)>,
    ) -> NodeId {
        let element = self.push(Content::element(name));
        attributes.for_each(|(name, value)| self.add_attribute(element, name, value));
        TreeSink::append(self, parent, element);
        element
    }
}

#[cfg(test)]
mod tests {
    use super::{Document, NodeId, QualifiedName, TreeSink};

    /// Creates an element, adds `count` attributes and appends the element by the three calls that
    /// [`TreeSink::append_element`] replaces.
    fn append_by_three_methods(document: &mut Document, parent: NodeId, count: usize) -> NodeId {
        let element = document.create_child(parent, QualifiedName::new("x"));
        for name in &NAMES[..count] {
            document.add_attribute(element, QualifiedName::new(name), name);
        }
        TreeSink::append(document, parent, element);
        element
    }

    const NAMES: [&str; 4] = ["a", "b", "c", "d"];

    /// One call appends the same element as several calls do. This includes documents with records of removed
    /// attributes, and documents with the maximum number of nodes or attributes.
    #[test]
    fn one_call_appends_what_the_steps_append() {
        for limit in 2..12 {
            for removed in 0..3 {
                for count in 0..=4 {
                    let mut documents = [(); 2].map(|()| Document::new());
                    let ids = [0, 1].map(|which| {
                        let document = &mut documents[which];
                        document.most = limit;
                        let root = append_by_three_methods(document, NodeId::DOCUMENT, 3);
                        TreeSink::append_text(document, root, "text");
                        for name in &NAMES[..removed] {
                            document.remove_attribute(root, name);
                        }
                        let text = document.record(root).first_child.unwrap_or(root);
                        [root, text, root, NodeId::DOCUMENT].map(|parent| match which {
                            0 => append_by_three_methods(document, parent, count),
                            _ => {
                                let names = NAMES[..count].iter();
                                let pairs = names.map(|name| (QualifiedName::new(name), *name));
                                document.append_element(parent, QualifiedName::new("x"), pairs)
                            }
                        })
                    });
                    let [steps, call] = &documents;
                    assert_eq!(ids[0], ids[1], "{limit} {removed} {count}");
                    assert_eq!(steps.to_html(), call.to_html());
                    assert_eq!(steps.size(), call.size(), "{limit} {removed} {count}");
                }
            }
        }
    }
}
