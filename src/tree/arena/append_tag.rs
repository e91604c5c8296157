//! Adding the element of a start tag, with the attributes as they are in the records of the parser.

use super::document::{AttributeId, AttributeRecord, Content, Document};
use super::names::Names;
use super::node_id::NodeId;
use super::strings::Stored;
use crate::engine::event::record::{Attr, NAME_CLEANED, PREFIXED};
use crate::engine::event::strings::Str;
use crate::engine::event::{BatchText, Holder, ParserData, StartTag};
use crate::tree::TreeSink;
use crate::tree::qualified_name::{NamespaceId, QualifiedName};

/// The strings of a batch, and their location among the strings of the document.
#[derive(Clone, Copy)]
pub(super) struct TagText<'b> {
    pub(super) text: BatchText<'b>,
    /// Location of the first byte of the chunk, if the chunk is a part of the input that the document keeps.
    location: Option<usize>,
}

impl<'b> TagText<'b> {
    /// Returns the strings of the current batch of a parser.
    #[inline(always)]
    pub(super) fn of(data: &'b ParserData, document: &Document) -> TagText<'b> {
        let text = BatchText::of(data);
        TagText {
            text,
            location: document.strings.location(text.chunk()),
        }
    }

    /// Returns true if all strings of attributes can be read.
    #[inline(always)]
    pub(super) fn has_all(self, attributes: &[Attr]) -> bool {
        let is_here = |one: &Attr| one.name >= self.text.base && self.text.has(one.value());
        let is_plain = |one: &Attr| one.flags & NAME_CLEANED == 0 && is_here(one);
        attributes.iter().all(is_plain)
    }
}

impl Document {
    /// Stores a string of a batch.
    ///
    /// PERF: the part of a chunk that the document keeps is not read, so it costs neither tests for the borders of
    /// characters nor a comparison of addresses.
    #[inline(always)]
    pub(super) fn store_part(&mut self, string: Str, texts: TagText<'_>) -> Stored {
        match (string, texts.location) {
            (Str::Borrowed(start, end), Some(location)) => {
                let from = location + start.index_from(texts.text.base);
                self.strings.store_part(from, (end - start) as usize)
            }
            _ => {
                let text = texts.text.get(string).unwrap_or_default();
                self.strings.store_copy(text)
            }
        }
    }

    /// Adds the attributes of a tag, and returns the last one. [`TagText::has_all`] must be true for them, there must be
    /// room for them, and no free records. `namespace` returns the namespace of an attribute.
    ///
    /// PERF: the attributes are appended to the array one after the other, and the node is written once, with its link
    /// to the last attribute. [`add_attribute`](crate::tree::TreeSink::add_attribute) would read and update the node for
    /// each attribute.
    #[inline(always)]
    pub(super) fn push_attributes(
        &mut self,
        attributes: &[Attr],
        texts: TagText<'_>,
        mut namespace: impl FnMut(&mut Document, &Attr) -> Option<NamespaceId>,
    ) -> Option<AttributeId> {
        let first = self.attributes.len();
        for one in attributes {
            let id = namespace(self, one);
            let is_bound = id.is_some() && one.flags & PREFIXED != 0;
            let name = texts.text.range(one.name, one.name_end);
            let name = Names::intern_plain(&mut self.names, name, id, is_bound);
            let value = self.store_part(one.value(), texts);
            let next = AttributeId::following(self.attributes.len() + 1);
            self.attributes.push(AttributeRecord { name, value, next });
        }
        // The attributes of an element form a ring: the last one refers to the first.
        let count = self.attributes.len();
        if count == first {
            return None;
        }
        self.attributes[count - 1].next = AttributeId::following(first);
        Some(AttributeId::following(count - 1))
    }

    /// Creates the element of a start tag whose attributes have no namespace, and appends it to `parent`. Returns `None`
    /// without a change if that needs more than to append records.
    #[inline(always)]
    pub(super) fn append_html_tag(
        &mut self,
        parent: NodeId,
        name: &QualifiedName<'_>,
        tag: &StartTag<'_>,
    ) -> Option<NodeId> {
        let Holder::Parser(data) = tag.part.holder else {
            return None;
        };
        if !self.is_container(parent) || self.is_full() {
            return None;
        }
        let attributes = &data.queue.attributes[tag.part.record.attributes()];
        let mut texts = None;
        // PERF: for a tag without attributes, no buffer is looked up.
        if !attributes.is_empty() {
            let batch = TagText::of(data, self);
            let has_room = self.attributes.len() + attributes.len() <= self.most;
            if !has_room || self.free_attribute.is_some() || !batch.has_all(attributes) {
                return None;
            }
            texts = Some(batch);
        }
        let name = Names::intern(&mut self.names, name);
        let last_attribute =
            texts.and_then(|texts| self.push_attributes(attributes, texts, |_, _| None));
        let element = Content::element_with(name, last_attribute);
        Some(self.push_last(parent, element))
    }

    /// Does the same as [`append_html_tag`](Self::append_html_tag) by one call for each step.
    #[cold]
    #[inline(never)]
    pub(super) fn append_in_steps(
        &mut self,
        parent: NodeId,
        name: QualifiedName<'_>,
        tag: &StartTag<'_>,
    ) -> NodeId {
        let pairs = tag.attribute_pairs();
        let attributes = pairs.map(|(name, value)| (QualifiedName::new(name), value));
        self.append_element(parent, name, attributes)
    }
}

#[cfg(test)]
mod tests {
    use super::{Document, NodeId, QualifiedName, TreeSink};
    use crate::dialects::html::Html;
    use crate::engine::event::Event;
    use crate::engine::parser::Parser;

    const NAMES: [&str; 3] = ["a", "b", "c"];

    /// The records of a tag make the same element as one call for each step does. This includes documents with records
    /// of removed attributes, and documents with the maximum number of nodes or attributes.
    #[test]
    fn records_make_what_the_steps_make() {
        let mut parser = Parser::new(Html::default());
        parser.feed("<p><p A=1 b=2 c='&amp;' D=\"&lt;\" e b=3><br><hr a=b><i a=1 b=2 c=3>");
        let mut tags = 0;
        while let Ok(Some(event)) = parser.next_event() {
            let Event::Start(tag) = event else { continue };
            tags += 1;
            for (limit, removed) in (2..12).flat_map(|limit| [0, 1, 2].map(|count| (limit, count)))
            {
                let build = |from_records: bool| {
                    let mut document = Document::new();
                    document.most = limit;
                    let root = document.create_child(NodeId::DOCUMENT, QualifiedName::new("x"));
                    for name in &NAMES {
                        document.add_attribute(root, QualifiedName::new(name), name);
                    }
                    TreeSink::append_text(&mut document, root, "text");
                    for name in &NAMES[..removed] {
                        document.remove_attribute(root, name);
                    }
                    let text = document.record(root).first_child.unwrap_or(root);
                    let ids = [root, text, root, NodeId::DOCUMENT].map(|parent| {
                        let name = QualifiedName::new("x");
                        match from_records {
                            true => document.append_tag(parent, name, &tag),
                            false => document.append_in_steps(parent, name, &tag),
                        }
                    });
                    (ids, document.to_html(), document.size())
                };
                assert_eq!(build(true), build(false), "{tag:?} {limit} {removed}");
            }
        }
        assert_eq!(tags, 5);
    }
}
