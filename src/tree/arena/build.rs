//! `Document`'s implementation of [`TreeSink`], the trait through which a parser builds the tree.

use super::document::{AttributeId, AttributeRecord, Content, Document, Record};
use super::names::{NameId, Names};
use super::node_id::NodeId;
use super::prologue::{Declared, Identified};
use super::strings::Stored;
use super::walk::{Edge, Tour};
use crate::engine::document_mode::{QuirksMode, XmlVersion};
use crate::engine::event::{ParserData, StartTag};
use crate::engine::room::reserve_first;
use crate::tree::origin::Origin;
use crate::tree::patch_target::Patch;
use crate::tree::qualified_name::{NamespaceId, QualifiedName};
use crate::tree::shadow::ShadowRoot;
use crate::tree::sink::{PlainBatch, TreeSink};
use crate::tree::size::TreeSize;
use alloc::string::String;

/// A call that would make the tree invalid does nothing: for example, a call that appends a child to a text node or
/// inserts a node below itself. IDs must come from this document. An ID of another document can denote an unrelated
/// node of this document. If it denotes no node, the call panics.
impl TreeSink for Document {
    type Handle = NodeId;
    type Namespace = NamespaceId;

    fn expect(&mut self, bytes: usize) {
        self.make_room(bytes);
    }

    fn keep_source(&mut self, data: &ParserData) {
        if let Some(chunk) = data.input.chunk_in_place() {
            self.strings.keep_source(chunk);
        }
    }

    #[inline]
    fn append_batch(&mut self, batch: PlainBatch<'_, NodeId, NamespaceId>) -> usize {
        // PERF: not in the function with the loop, which would take one instruction more for each event.
        reserve_first(&mut self.attributes, batch.data.queue.attributes.len());
        self.append_plain(batch)
    }

    #[inline(always)]
    fn size(&self) -> TreeSize {
        let bytes = self.nodes.len() * size_of::<Record>()
            + self.attributes.len() * size_of::<AttributeRecord>()
            + self.instructions.len() * size_of::<(Stored, Stored)>()
            + self.strings.len()
            + self.names.len()
            + self.owners.as_ref().map_or(0, |owners| owners.bytes());
        TreeSize {
            nodes: self.nodes.len() as u64,
            attributes: self.attributes.len() as u64,
            bytes: bytes as u64,
        }
    }

    fn document(&self) -> NodeId {
        NodeId::DOCUMENT
    }

    fn namespace(&mut self, name: &str) -> NamespaceId {
        Names::intern_namespace(&mut self.names, name)
    }

    fn create_element(&mut self, name: QualifiedName<'_>) -> NodeId {
        let name = Names::intern(&mut self.names, &name);
        self.push(Content::element(name))
    }

    #[inline]
    fn create_child(&mut self, parent: NodeId, name: QualifiedName<'_>) -> NodeId {
        let name = Names::intern(&mut self.names, &name);
        match self.is_container(parent) {
            true => self.push_last(parent, Content::element(name)),
            false => self.push(Content::element(name)),
        }
    }

    #[inline]
    fn append_tag<'a>(
        &mut self,
        parent: NodeId,
        name: QualifiedName<'a>,
        tag: &StartTag<'a>,
    ) -> NodeId {
        match self.append_html_tag(parent, &name, tag) {
            Some(element) => element,
            None => self.append_in_steps(parent, name, tag),
        }
    }

    fn add_attribute(&mut self, element: NodeId, name: QualifiedName<'_>, value: &str) {
        let name = Names::intern(&mut self.names, &name);
        let value = self.strings.store(value);
        self.push_attribute(element, name, value);
    }

    fn add_missing_attribute(&mut self, element: NodeId, name: QualifiedName<'_>, value: &str) {
        let name = Names::intern(&mut self.names, &name);
        self.index_attributes(element);
        // The table of names makes this test independent of the number of attributes. This matters because the input can
        // repeat the tag `<html>` or `<body>` any number of times, each time with new attributes.
        if !self.tables.has_attribute(element, name) {
            let value = self.strings.store(value);
            self.push_attribute(element, name, value);
        }
    }

    fn create_comment(&mut self, data: &str) -> NodeId {
        let data = self.strings.store(data);
        self.push(Content::Comment(data))
    }

    fn create_processing_instruction(&mut self, target: &str, data: &str) -> NodeId {
        let target = self.strings.store(target);
        let data = self.strings.store(data);
        self.push_instruction(target, data)
    }

    fn create_doctype(
        &mut self,
        name: &str,
        public_id: Option<&str>,
        system_id: Option<&str>,
    ) -> NodeId {
        self.push_doctype(Identified::new(name, public_id, system_id))
    }

    fn create_fragment(&mut self) -> NodeId {
        self.push(Content::Fragment { host: None })
    }

    fn parent(&self, node: NodeId) -> Option<NodeId> {
        self.record(node).parent
    }

    #[inline]
    fn append(&mut self, parent: NodeId, child: NodeId) {
        if self.record(child).parent == Some(parent)
            && self.record(parent).last_child == Some(child)
        {
            return;
        }
        if self.is_container(parent) && child != parent && self.is_alone(child) {
            self.link(parent, child, None);
        } else {
            self.move_last(parent, child);
        }
    }

    fn append_text(&mut self, parent: NodeId, text: &str) {
        if text.is_empty() || !self.is_container(parent) {
            return;
        }
        let last = self.record(parent).last_child;
        if !last.is_some_and(|last| self.extend_text(last, text)) {
            let text = self.strings.store(text);
            self.push_last(parent, Content::Text(text));
        }
    }

    fn append_text_node(&mut self, parent: NodeId, text: &str) {
        if !text.is_empty() && self.is_container(parent) {
            let text = self.strings.store(text);
            self.push_last(parent, Content::Text(text));
        }
    }

    fn append_cdata(&mut self, parent: NodeId, text: &str, continues: bool) {
        self.append_section(parent, text, continues);
    }

    fn insert_before(&mut self, sibling: NodeId, child: NodeId) {
        if sibling != child
            && let Some(parent) = self.record(sibling).parent
            && self.can_take(parent, child)
        {
            self.unlink(child);
            self.link(parent, child, Some(sibling));
        }
    }

    fn insert_text_before(&mut self, sibling: NodeId, text: &str) {
        let Record {
            parent, previous, ..
        } = *self.record(sibling);
        let Some(parent) = parent else { return };
        if !text.is_empty()
            && !previous.is_some_and(|previous| self.extend_text(previous, text))
            && !self.is_full()
        {
            let node = self.push_text(text);
            self.link(parent, node, Some(sibling));
        }
    }

    fn remove(&mut self, node: NodeId) {
        self.unlink(node);
    }

    fn move_children(&mut self, from: NodeId, to: NodeId) {
        let record = self.record(from);
        let (Some(first), Some(last)) = (record.first_child, record.last_child) else {
            return;
        };
        // `to` may be a descendant of `from`. The children of `from` would then become descendants of themselves.
        if from == to || !self.is_container(to) || self.is_below(to, from) {
            return;
        }
        let mut child = Some(first);
        while let Some(id) = child {
            let record = self.record_mut(id);
            record.parent = Some(to);
            child = record.next;
            self.note_move(id);
        }
        let record = self.record_mut(from);
        record.first_child = None;
        record.last_child = None;
        let previous = self.record_mut(to).last_child.replace(last);
        self.record_mut(first).previous = previous;
        match previous {
            Some(previous) => self.record_mut(previous).next = Some(first),
            None => self.record_mut(to).first_child = Some(first),
        }
    }

    fn clone_element(&mut self, element: NodeId) -> NodeId {
        // The parser copies an open formatting element if a misnested end tag divides the element.
        if self.origins.next.is_some() && self.outer_span_of(element).is_none() {
            self.record_end(element);
        }
        self.clone_node(element)
    }

    fn clone_subtree(&mut self, node: NodeId) -> NodeId {
        let root = self.clone_node(node);
        let mut tour = Tour::new(node).through_all();
        // The copy of the innermost node that is still open: the next copy is appended to it. The first step of the
        // walk opens `node`, which is already copied.
        let mut open = root;
        // The shadow root that the walk is in and that is not copied, because it is not clonable.
        let mut skipped = None;
        tour.step(self);
        while let Some(edge) = tour.step(self) {
            if self.is_full() {
                break;
            }
            if let Some(id) = skipped {
                skipped = (edge != Edge::Close(id)).then_some(id);
                continue;
            }
            match edge {
                Edge::Open(id) if self.shadow_root_of(id).is_some_and(|root| !root.clonable) => {
                    skipped = Some(id);
                }
                Edge::Open(id) if matches!(self.record(id).content, Content::Fragment { .. }) => {
                    let root = self.shadow_root_of(id).copied();
                    open = match root {
                        Some(root) => self.attach_shadow_root(open, root).unwrap_or(open),
                        None => self.template_contents(open),
                    };
                }
                Edge::Open(id) => {
                    let copy = self.clone_node(id);
                    self.link(open, copy, None);
                    open = copy;
                }
                Edge::Close(_) => open = self.parent_or_host(open).unwrap_or(root),
            }
        }
        root
    }

    fn template_contents(&mut self, element: NodeId) -> NodeId {
        if let Some(contents) = self.tables.template(element) {
            return contents;
        }
        if self.is_full() {
            return NodeId::DOCUMENT;
        }
        let contents = self.push(Content::Fragment {
            host: Some(element),
        });
        if let Content::Element { is_template, .. } = &mut self.record_mut(element).content {
            *is_template = true;
        }
        self.tables.add_template(element, contents);
        contents
    }

    fn begin_patch(&mut self, scope: NodeId, name: &str) -> Option<Patch<NodeId>> {
        self.patch(scope, name)
    }

    fn attach_shadow_root(&mut self, host: NodeId, root: ShadowRoot) -> Option<NodeId> {
        let Content::Element {
            is_template: false, ..
        } = self.record(host).content
        else {
            return None;
        };
        if self.is_full() {
            return None;
        }
        let contents = self.push(Content::Fragment { host: Some(host) });
        if let Content::Element { is_template, .. } = &mut self.record_mut(host).content {
            *is_template = true;
        }
        self.tables.add_shadow_root(host, contents, root);
        Some(contents)
    }

    fn associate_form(&mut self, control: NodeId, form: NodeId) {
        self.set_owner(control, form);
    }

    fn set_doctype(&mut self, name: &str, public_id: Option<&str>, system_id: Option<&str>) {
        self.prologue.doctype = Some(Identified::new(name, public_id, system_id));
        self.prologue.doctype_after = self.record(NodeId::DOCUMENT).last_child;
    }

    fn add_notation(&mut self, name: &str, public_id: Option<&str>, system_id: Option<&str>) {
        self.prologue
            .notations
            .push(Identified::new(name, public_id, system_id));
    }

    fn set_internal_subset(&mut self, text: &str) {
        self.prologue.internal_subset = Some(text.into());
    }

    fn set_well_formedness(&mut self, check: fn(&str, &str, bool) -> bool) {
        if self.prologue.internal_subset.is_some() {
            self.prologue.is_well_formed = Some(check);
        }
    }

    fn add_doctype_instruction(&mut self, target: &str, data: &str) {
        self.prologue
            .instructions
            .push((target.into(), data.into()));
    }

    fn set_xml_version(&mut self, version: XmlVersion) {
        self.prologue.version = version;
    }

    fn set_xml_declaration(&mut self, encoding: Option<&str>, standalone: Option<bool>) {
        self.prologue.declaration = Some(Declared {
            encoding: encoding.map(String::from),
            standalone,
        });
    }

    fn set_fragment(&mut self) {
        self.prologue.is_fragment = true;
    }

    fn set_quirks_mode(&mut self, mode: QuirksMode) {
        self.prologue.quirks_mode = mode;
    }

    fn set_origin(&mut self, origin: Option<Origin>) -> Option<Origin> {
        core::mem::replace(&mut self.origins.next, origin)
    }

    fn element_closed(&mut self, element: NodeId) {
        #[cfg(feature = "inspect")]
        self.record_closed(element);
        if self.origins.next.is_some() {
            self.record_end(element);
        }
    }

    fn set_end_tag(&mut self, name: Option<&str>) {
        self.origins
            .end_tag
            .set(name.filter(|_| self.prologue.is_html));
    }

    fn input_ended(&mut self, length: u64) {
        self.end_open_elements(length);
    }

    fn set_scripting(&mut self, scripting: bool) {
        self.prologue.scripting = scripting;
        self.prologue.is_html = true;
    }
}

impl Document {
    /// Returns true if a node is of a kind that can have children: an element, a document or a fragment.
    pub(super) fn is_container(&self, node: NodeId) -> bool {
        let content = self.record(node).content;
        matches!(
            content,
            Content::Document | Content::Fragment { .. } | Content::Element { .. }
        )
    }

    /// Returns the properties of a shadow root. Returns `None` if `fragment` is not a shadow root.
    pub(super) fn shadow_root_of(&self, fragment: NodeId) -> Option<&ShadowRoot> {
        let Content::Fragment { host: Some(host) } = self.record(fragment).content else {
            return None;
        };
        let (root, said) = self.tables.shadow_root(host)?;
        (*root == fragment).then_some(said)
    }

    /// Returns true if the node can be appended without further checks: it has no parent, no children, no template
    /// contents and no shadow root, and is neither a document nor a fragment. Most appended nodes are new, so `append`
    /// seldom has to call [`can_take`](Self::can_take).
    #[inline(always)]
    fn is_alone(&self, node: NodeId) -> bool {
        let record = self.record(node);
        let is_template_or_root = match record.content {
            Content::Element { is_template, .. } => is_template,
            Content::Document | Content::Fragment { .. } => true,
            _ => false,
        };
        record.parent.is_none() && record.first_child.is_none() && !is_template_or_root
    }

    /// Moves a node to the end of `parent`'s children, if the node may become a child of `parent`.
    #[inline(never)]
    fn move_last(&mut self, parent: NodeId, child: NodeId) {
        if self.can_take(parent, child) {
            self.unlink(child);
            self.link(parent, child, None);
        }
    }

    /// Returns true if `child` may become a child of `parent`. It must not be a document, a fragment, `parent` itself
    /// or an ancestor of `parent`, and `parent` must be able to have children.
    pub(super) fn can_take(&self, parent: NodeId, child: NodeId) -> bool {
        self.is_container(parent)
            && !matches!(self.record(child).content, Content::Document | Content::Fragment { .. })
            && child != parent
            // PERF: a node without descendants is not an ancestor of `parent`, so that new nodes need no walk up the
            // tree.
            && (!self.has_below(child) || !self.is_below(parent, child))
    }

    /// Returns true if the node has children, template contents or a shadow root.
    pub(super) fn has_below(&self, node: NodeId) -> bool {
        let record = self.record(node);
        record.first_child.is_some()
            || matches!(
                record.content,
                Content::Element {
                    is_template: true,
                    ..
                }
            )
    }

    /// Returns true if `node` is `above` or one of its descendants. Template contents and shadow roots count as
    /// descendants of their host.
    pub(super) fn is_below(&self, node: NodeId, above: NodeId) -> bool {
        let mut link = Some(node);
        while let Some(id) = link {
            if id == above {
                return true;
            }
            link = self.parent_or_host(id);
        }
        false
    }

    fn push_text(&mut self, text: &str) -> NodeId {
        let text = self.strings.store(text);
        self.push(Content::Text(text))
    }

    /// Appends `text` to a text node. Returns false, and does nothing, if `node` is not a text node.
    pub(super) fn extend_text(&mut self, node: NodeId, text: &str) -> bool {
        let Content::Text(stored) = &mut self.nodes[node.index()].content else {
            return false;
        };
        *stored = self.strings.append(*stored, text);
        self.origins.extend(node);
        true
    }

    pub(super) fn push_instruction(&mut self, target: Stored, data: Stored) -> NodeId {
        if self.is_full() {
            return NodeId::DOCUMENT;
        }
        // The cast to `u32` is lossless, because there are at most as many processing instructions as nodes.
        let index = self.instructions.len() as u32;
        self.instructions.push((target, data));
        self.push(Content::ProcessingInstruction(index))
    }

    pub(super) fn push_doctype(&mut self, doctype: Identified) -> NodeId {
        if self.is_full() {
            return NodeId::DOCUMENT;
        }
        // The cast to `u32` is lossless, because there are at most as many doctypes as nodes.
        let index = self.doctypes.len() as u32;
        self.doctypes.push(doctype);
        self.push(Content::Doctype(index))
    }

    /// Appends an attribute to an element. The call does nothing if the document has the maximum number of attributes,
    /// or if the node is not an element.
    pub(super) fn push_attribute(&mut self, element: NodeId, name: NameId, value: Stored) {
        let is_room = self.free_attribute.is_some() || self.attributes.len() < self.most;
        if !is_room {
            return;
        }
        let new = match self.free_attribute {
            Some(free) => free,
            None => AttributeId::following(self.attributes.len()),
        };
        let Content::Element {
            last_attribute,
            is_indexed,
            is_shared,
            ..
        } = &mut self.nodes[element.index()].content
        else {
            return;
        };
        if *is_shared {
            self.unshare_attributes(element);
            return self.push_attribute(element, name, value);
        }
        let next = match last_attribute.replace(new) {
            Some(last) => {
                let last = &mut self.attributes[last.index()];
                core::mem::replace(&mut last.next, new)
            }
            None => new,
        };
        let record = AttributeRecord { name, value, next };
        match self.free_attribute {
            Some(free) => {
                let before = core::mem::replace(&mut self.attributes[free.index()], record);
                self.free_attribute = (before.next != free).then_some(before.next);
            }
            None => self.attributes.push(record),
        }
        if *is_indexed {
            self.tables.add_attribute(element, name);
        }
    }

    /// Copies the attributes of an element into a ring that only this element refers to. Before the call, clones of the
    /// element may refer to the same ring.
    #[cold]
    pub(super) fn unshare_attributes(&mut self, element: NodeId) {
        let Content::Element {
            last_attribute,
            is_shared,
            ..
        } = &mut self.nodes[element.index()].content
        else {
            return;
        };
        *is_shared = false;
        let Some(last) = last_attribute.take() else {
            return;
        };
        let mut id = last;
        loop {
            id = self.attributes[id.index()].next;
            let AttributeRecord { name, value, .. } = self.attributes[id.index()];
            let [value, copy] = self.strings.duplicate(value);
            self.attributes[id.index()].value = value;
            self.push_attribute(element, name, copy);
            if id == last {
                return;
            }
        }
    }

    /// Adds the names of the attributes of `element` to the table of names, unless an earlier call did so.
    fn index_attributes(&mut self, element: NodeId) {
        let Content::Element {
            last_attribute,
            is_indexed,
            ..
        } = &mut self.nodes[element.index()].content
        else {
            return;
        };
        if core::mem::replace(is_indexed, true) {
            return;
        }
        let Some(last) = *last_attribute else { return };
        let mut id = last;
        loop {
            let attribute = &self.attributes[id.index()];
            self.tables.add_attribute(element, attribute.name);
            id = attribute.next;
            if id == last {
                return;
            }
        }
    }

    /// Creates a copy of one node and returns the ID of the copy. The copy has no parent, children, template contents
    /// or shadow root.
    fn clone_node(&mut self, node: NodeId) -> NodeId {
        match self.record(node).content {
            Content::Document | Content::Fragment { .. } => {
                self.push(Content::Fragment { host: None })
            }
            Content::Doctype(index) => {
                let doctype = self.doctypes[index as usize].clone();
                self.push_doctype(doctype)
            }
            Content::Element {
                name,
                last_attribute,
                ..
            } => {
                // The copy shares the ring of attributes with the element until the attributes of either are changed.
                if let Content::Element { is_shared, .. } = &mut self.record_mut(node).content {
                    *is_shared = true;
                }
                self.push(Content::Element {
                    name,
                    last_attribute,
                    is_template: false,
                    is_indexed: false,
                    is_shared: true,
                })
            }
            content @ (Content::Text(data) | Content::Cdata(data) | Content::Comment(data)) => {
                let [data, copy] = self.strings.duplicate(data);
                self.record_mut(node).content = content.with_string(data);
                self.push(content.with_string(copy))
            }
            Content::ProcessingInstruction(index) => {
                let (target, data) = self.instructions[index as usize];
                let [target, target_copy] = self.strings.duplicate(target);
                let [data, data_copy] = self.strings.duplicate(data);
                self.instructions[index as usize] = (target, data);
                self.push_instruction(target_copy, data_copy)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Document, NodeId, QualifiedName, TreeSink};

    /// In a document with the maximum number of nodes and attributes, calls that would add one leave the tree
    /// unchanged.
    #[test]
    fn a_full_document_stays_as_it_is() {
        let mut document = Document::new();
        document.most = 4;
        let root = document.create_element(QualifiedName::new("a"));
        TreeSink::append(&mut document, NodeId::DOCUMENT, root);
        document.add_attribute(root, QualifiedName::new("b"), "c");
        TreeSink::append_text(&mut document, root, "d");
        let last = document.create_element(QualifiedName::new("e"));
        TreeSink::append(&mut document, root, last);
        let full = document.to_xml().unwrap();
        assert_eq!(full, r#"<a b="c">d<e/></a>"#);

        let element = document.create_element(QualifiedName::new("f"));
        assert_eq!(element, document.document());
        document.add_attribute(element, QualifiedName::new("g"), "h");
        TreeSink::append(&mut document, last, element);
        TreeSink::append_text(&mut document, last, "i");
        TreeSink::append_text(&mut document, element, "j");
        document.insert_before(last, element);
        document.insert_text_before(root, "k");
        let made = [
            document.create_comment("l"),
            document.create_processing_instruction("m", "n"),
            document.create_doctype("o", None, None),
            document.create_fragment(),
            document.template_contents(last),
            document.clone_element(root),
            document.clone_subtree(root),
            document.clone_subtree(element),
        ];
        for node in made {
            TreeSink::append(&mut document, last, node);
            document.insert_before(last, node);
            document.move_children(node, last);
            document.remove(node);
            TreeSink::append(&mut document, NodeId::DOCUMENT, root);
        }
        assert_eq!(document.size().nodes, 4);
        assert_eq!(document.to_xml().unwrap(), full);

        for name in ["p", "q", "r", "s"] {
            document.add_attribute(root, QualifiedName::new(name), name);
        }
        assert_eq!(document.size().attributes, 4);
    }
}
