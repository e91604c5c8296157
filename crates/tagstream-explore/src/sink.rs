//! The tree that a session builds: a document, and the end of each element in the input.

use std::cell::RefCell;
use tagstream::tree::{
    NamespaceId, Origin, Patch, QualifiedName, QuirksMode, ShadowRoot, TreeSize, XmlVersion,
};
use tagstream::{Document, NodeId, TreeSink};

/// A document, and the elements that the current event has closed.
#[derive(Debug)]
pub(crate) struct Sink {
    pub(crate) document: Document,
    /// The elements that were closed since the caller has emptied this list. The caller gets only a
    /// shared reference to the sink.
    pub(crate) closed: RefCell<Vec<NodeId>>,
}

impl Sink {
    pub(crate) fn new() -> Sink {
        Sink {
            document: Document::new(),
            closed: RefCell::default(),
        }
    }
}

/// Passes each call to the document.
impl TreeSink for Sink {
    type Handle = NodeId;
    type Namespace = NamespaceId;

    fn expect(&mut self, bytes: usize) {
        self.document.expect(bytes);
    }

    fn size(&self) -> TreeSize {
        self.document.size()
    }

    fn document(&self) -> NodeId {
        self.document.document()
    }

    fn namespace(&mut self, name: &str) -> NamespaceId {
        self.document.namespace(name)
    }

    fn create_element(&mut self, name: QualifiedName<'_, NamespaceId>) -> NodeId {
        self.document.create_element(name)
    }

    fn create_child(&mut self, parent: NodeId, name: QualifiedName<'_, NamespaceId>) -> NodeId {
        self.document.create_child(parent, name)
    }

    fn add_attribute(
        &mut self,
        element: NodeId,
        name: QualifiedName<'_, NamespaceId>,
        value: &str,
    ) {
        self.document.add_attribute(element, name, value);
    }

    fn append_element<'a>(
        &mut self,
        parent: NodeId,
        name: QualifiedName<'a, NamespaceId>,
        attributes: impl Iterator<Item = (QualifiedName<'a, NamespaceId>, &'a str)>,
    ) -> NodeId {
        self.document.append_element(parent, name, attributes)
    }

    fn add_missing_attribute(
        &mut self,
        element: NodeId,
        name: QualifiedName<'_, NamespaceId>,
        value: &str,
    ) {
        self.document.add_missing_attribute(element, name, value);
    }

    fn create_comment(&mut self, data: &str) -> NodeId {
        self.document.create_comment(data)
    }

    fn create_processing_instruction(&mut self, target: &str, data: &str) -> NodeId {
        self.document.create_processing_instruction(target, data)
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
        TreeSink::append(&mut self.document, parent, child);
    }

    fn append_text(&mut self, parent: NodeId, text: &str) {
        TreeSink::append_text(&mut self.document, parent, text);
    }

    fn append_text_node(&mut self, parent: NodeId, text: &str) {
        self.document.append_text_node(parent, text);
    }

    fn insert_before(&mut self, sibling: NodeId, child: NodeId) {
        self.document.insert_before(sibling, child);
    }

    fn insert_text_before(&mut self, sibling: NodeId, text: &str) {
        self.document.insert_text_before(sibling, text);
    }

    fn remove(&mut self, node: NodeId) {
        TreeSink::remove(&mut self.document, node);
    }

    fn move_children(&mut self, from: NodeId, to: NodeId) {
        self.document.move_children(from, to);
    }

    fn clone_element(&mut self, element: NodeId) -> NodeId {
        self.document.clone_element(element)
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

    fn end_patch(&mut self, patch: Patch<NodeId>) {
        self.document.end_patch(patch);
    }

    fn attach_shadow_root(&mut self, host: NodeId, root: ShadowRoot) -> Option<NodeId> {
        self.document.attach_shadow_root(host, root)
    }

    fn associate_form(&mut self, control: NodeId, form: NodeId) {
        self.document.associate_form(control, form);
    }

    fn set_doctype(&mut self, name: &str, public_id: Option<&str>, system_id: Option<&str>) {
        self.document.set_doctype(name, public_id, system_id);
    }

    fn add_notation(&mut self, name: &str, public_id: Option<&str>, system_id: Option<&str>) {
        self.document.add_notation(name, public_id, system_id);
    }

    fn add_doctype_instruction(&mut self, target: &str, data: &str) {
        self.document.add_doctype_instruction(target, data);
    }

    fn set_xml_version(&mut self, version: XmlVersion) {
        self.document.set_xml_version(version);
    }

    fn set_xml_declaration(&mut self, encoding: Option<&str>, standalone: Option<bool>) {
        self.document.set_xml_declaration(encoding, standalone);
    }

    fn set_fragment(&mut self) {
        self.document.set_fragment();
    }

    fn set_quirks_mode(&mut self, mode: QuirksMode) {
        self.document.set_quirks_mode(mode);
    }

    fn set_scripting(&mut self, scripting: bool) {
        self.document.set_scripting(scripting);
    }

    fn set_origin(&mut self, origin: Option<Origin>) -> Option<Origin> {
        self.document.set_origin(origin)
    }

    fn element_closed(&mut self, element: NodeId) {
        self.document.element_closed(element);
        self.closed.get_mut().push(element);
    }
}
