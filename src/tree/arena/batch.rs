//! Adding a whole batch of events to a `Document`, from the records of the parser.
//!
//! The loop creates the same nodes as the methods of `TreeSink` do for one event after the other. It keeps the place in
//! the tree in local variables, and stops at the first event that needs more than a start tag, an end tag or a text
//! does.
//!
//! PERF: a tree of 1 MB of XML with short elements takes 28.6 million instructions instead of 40.0 million, together
//! with strings that are parts of the chunk (`valgrind --tool=callgrind`).

use super::append_tag::TagText;
use super::document::{Content, Document, Record};
use super::names::Names;
use super::node_id::{Link, NodeId};
use crate::engine::event::record::{self, CLEANED, IN_CDATA, RecordKind};
use crate::engine::event::strings::Str;
use crate::engine::namespaces::{NO_NAMESPACE, always, declared, has_prefixes};
use crate::tree::qualified_name::NamespaceId;
use crate::tree::sink::{PlainBatch, TreeSink, namespace_handle};

type Batch<'b> = PlainBatch<'b, NodeId, NamespaceId>;

/// The namespace that was looked up last: its index in the parser, and its ID.
struct LastNamespace {
    index: u32,
    id: Option<NamespaceId>,
}

impl LastNamespace {
    /// Returns the ID of the namespace with an index, and adds the namespace to the document if it is new.
    #[inline(always)]
    fn get(
        &mut self,
        index: u32,
        document: &mut Document,
        batch: &mut Batch<'_>,
    ) -> Option<NamespaceId> {
        if index == NO_NAMESPACE {
            return None;
        }
        if index != self.index {
            (self.index, self.id) = (index, look_up(index, document, batch));
        }
        self.id
    }
}

/// Returns the ID of the namespace with an index, and adds the namespace to the document if it is new.
#[inline(never)]
fn look_up(index: u32, document: &mut Document, batch: &mut Batch<'_>) -> Option<NamespaceId> {
    let declared = declared(&batch.data.queue.bindings.namespaces, index);
    let name = always(index).or(declared.map(|name| &**name))?;
    let make = || document.namespace(name);
    Some(namespace_handle(batch.namespaces, index, declared, make))
}

/// Returns the records before the first text of a CDATA section, which is not plain.
#[cold]
fn before_section(records: &[record::Record]) -> &[record::Record] {
    let is_section =
        |one: &record::Record| one.kind == RecordKind::Text && one.flags & IN_CDATA != 0;
    let plain = records.iter().position(is_section);
    &records[..plain.unwrap_or(records.len())]
}

/// The place at which the next node is added.
struct Cursor {
    parent: NodeId,
    /// The last child of `parent`. The record of `parent` gets it when the element ends, or at the end of the loop.
    previous: Link,
    /// True if `previous` is a text, to which more text is appended.
    is_text: bool,
}

impl Document {
    /// Adds the events of a batch, from the next one on, up to the first that is not plain. Returns their number.
    #[inline(never)]
    pub(super) fn append_plain(&mut self, mut batch: Batch<'_>) -> usize {
        let data = batch.data;
        let queue = &data.queue;
        let mut records = queue.records.get(queue.head..).unwrap_or_default();
        if queue.settings.splits_at_sections {
            records = before_section(records);
        }
        let Some(&(_, parent)) = batch.open.last() else {
            return 0;
        };
        let has_room = self.nodes.len() + records.len() < self.most
            && self.attributes.len() + queue.attributes.len() < self.most;
        let is_usual = self.free_attribute.is_none() && self.origins.next.is_none();
        if !has_room || !is_usual || !self.is_container(parent) {
            return 0;
        }
        let texts = TagText::of(data, self);
        let mut namespace = LastNamespace {
            index: NO_NAMESPACE,
            id: None,
        };
        let previous = self.record(parent).last_child;
        let is_text = |id| matches!(self.record(id).content, Content::Text(_));
        let is_text = previous.is_some_and(is_text);
        let mut at = Cursor {
            parent,
            previous,
            is_text,
        };
        let mut taken = 0;
        for record in records {
            let is_taken = match record.kind {
                RecordKind::Text => {
                    let is_here = texts.text.has(record.string());
                    if is_here {
                        self.append_plain_text(&mut at, record.string(), texts);
                    }
                    is_here
                }
                RecordKind::End if batch.open.len() > 1 => {
                    batch.open.pop();
                    self.record_mut(at.parent).last_child = at.previous;
                    self.element_closed(at.parent);
                    (at.previous, at.is_text) = (Some(at.parent), false);
                    at.parent = batch.open.last().map_or(NodeId::DOCUMENT, |open| open.1);
                    true
                }
                RecordKind::Start => {
                    let element =
                        self.append_plain_start(&at, record, texts, &mut namespace, &mut batch);
                    if let Some(element) = element {
                        self.record_mut(at.parent).last_child = element.into();
                        batch.open.push((element, element));
                        (at.parent, at.previous, at.is_text) = (element, None, false);
                    }
                    element.is_some()
                }
                _ => false,
            };
            if !is_taken {
                break;
            }
            taken += 1;
        }
        self.record_mut(at.parent).last_child = at.previous;
        taken
    }

    /// Appends text to the text before it, or as a new node.
    #[inline(always)]
    fn append_plain_text(&mut self, at: &mut Cursor, text: Str, texts: TagText<'_>) {
        match at.previous {
            Some(last) if at.is_text => {
                self.extend_text(last, texts.text.get(text).unwrap_or_default());
            }
            _ if text.is_empty() => {}
            _ => {
                let text = self.store_part(text, texts);
                at.previous = Some(self.push_after(at, Content::Text(text)));
                at.is_text = true;
            }
        }
    }

    /// Adds the element of a start tag. Returns `None` without a change if the tag is not plain.
    #[inline(always)]
    fn append_plain_start(
        &mut self,
        at: &Cursor,
        record: &record::Record,
        texts: TagText<'_>,
        namespace: &mut LastNamespace,
        batch: &mut Batch<'_>,
    ) -> Option<NodeId> {
        let Str::Borrowed(start, end) = record.string() else {
            return None;
        };
        if record.flags & CLEANED != 0 || record.start < texts.text.base {
            return None;
        }
        let attributes = &batch.data.queue.attributes[record.attributes()];
        if !texts.has_all(attributes) {
            return None;
        }
        let id = namespace.get(record.namespace, self, batch);
        let has_prefix = has_prefixes(record.namespace);
        let name = texts.text.range(start, end);
        let name = Names::intern_plain(&mut self.names, name, id, has_prefix);
        let last_attribute = self.push_attributes(attributes, texts, |document, one| {
            namespace.get(one.namespace, document, batch)
        });
        let element = Content::element_with(name, last_attribute);
        Some(self.push_after(at, element))
    }

    /// Adds a node after the last child of the parent. The caller stores the new last child.
    #[inline(always)]
    fn push_after(&mut self, at: &Cursor, content: Content) -> NodeId {
        let id = NodeId::at(self.nodes.len());
        match at.previous {
            Some(previous) => self.record_mut(previous).next = Some(id),
            None => self.record_mut(at.parent).first_child = Some(id),
        }
        self.nodes.push(Record {
            parent: Some(at.parent),
            previous: at.previous,
            next: None,
            first_child: None,
            last_child: None,
            content,
        });
        id
    }
}
