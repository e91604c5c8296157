//! Text that is written as a CDATA section.

use super::document::{Content, Document};
use super::node::Node;
use super::node_id::NodeId;
use crate::engine::error::EditError;

impl Node<'_> {
    /// Returns true for a text node that [`to_xml`](Node::to_xml) writes as a CDATA section. Such a node is a text node
    /// in all other respects. Documents have them if [`TreeBuilder::keep_cdata`](crate::TreeBuilder::keep_cdata) is set,
    /// and after [`Document::set_cdata`].
    pub fn is_cdata(&self) -> bool {
        matches!(self.document.record(self.id).content, Content::Cdata(_))
    }
}

impl Document {
    /// Sets whether a text node is written as a CDATA section in XML.
    ///
    /// A section cannot contain `]]>` and some other characters. [`to_xml`](Document::to_xml) therefore writes several
    /// sections for such a text, with character references between them where they are needed.
    ///
    /// ```
    /// use tagstream::{Document, Xml};
    ///
    /// let mut document = Document::parse(Xml::default(), "<script>if (a &lt; b) c[d[0]]&gt;e</script>")?;
    /// let text = document.root_element().unwrap().first_child().unwrap().id();
    /// document.set_cdata(text, true)?;
    /// assert_eq!(
    ///     document.to_xml()?,
    ///     "<script><![CDATA[if (a < b) c[d[0]]]]><![CDATA[>e]]></script>",
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`EditError::NoNode`] if the document has no node with this ID, and [`EditError::NoData`] if the node is not a
    /// text node.
    pub fn set_cdata(&mut self, node: NodeId, is_cdata: bool) -> Result<(), EditError> {
        self.node(node).ok_or(EditError::NoNode)?;
        let content = &mut self.record_mut(node).content;
        let (Content::Text(text) | Content::Cdata(text)) = *content else {
            return Err(EditError::NoData);
        };
        *content = match is_cdata {
            true => Content::Cdata(text),
            false => Content::Text(text),
        };
        Ok(())
    }

    /// Adds text of a CDATA section at the end of `parent`: as a new node, or, if `continues` is true, to the last child
    /// if this is a section.
    pub(super) fn append_section(&mut self, parent: NodeId, text: &str, continues: bool) {
        if text.is_empty() || !self.is_container(parent) {
            return;
        }
        if let Some(last) = self.record(parent).last_child
            && continues
            && let Content::Cdata(stored) = &mut self.nodes[last.index()].content
        {
            *stored = self.strings.append(*stored, text);
            self.origins.extend(last);
            return;
        }
        let text = self.strings.store(text);
        self.push_last(parent, Content::Cdata(text));
    }
}
