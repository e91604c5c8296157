//! The operations by which a parser builds a tree, whoever keeps it. It must not know of any
//! parser, nor of [`Document`](super::Document), which is one sink among others.

use core::fmt::Debug;

use super::names::QualifiedName;
use super::prologue::{QuirksMode, XmlVersion};

/// How large a tree is, as its limits count it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TreeSize {
    /// Nodes, those that were taken out of the tree included.
    pub nodes: u64,
    /// Attributes.
    pub attributes: u64,
    /// Bytes of what it holds, by length: of nodes, attributes, names and character data.
    pub bytes: u64,
}

/// A tree under construction.
///
/// Implement it to have a parser build a tree of your own; [`Document`](super::Document) is the
/// implementation that ships. Nodes are made first, without parent, and then put in their place. A
/// child has one parent at a time: `append` and `insert_before` take it out of its old place first.
///
/// XML needs no more than making nodes, [`append`](Self::append),
/// [`append_text`](Self::append_text) and [`set_doctype`](Self::set_doctype). HTML moves nodes
/// after the fact: its adoption agency uses [`clone_element`](Self::clone_element) and
/// [`move_children`](Self::move_children), its foster parenting [`parent`](Self::parent),
/// [`insert_before`](Self::insert_before) and [`insert_text_before`](Self::insert_text_before).
///
/// The caller keeps these promises: handles and namespaces come from the same sink; only elements,
/// fragments and the document get children; fragments and the document get no parent; no node is
/// put below itself; attributes of one element have different names.
pub trait TreeSink {
    /// A node.
    type Handle: Copy + Eq + Debug;

    /// A namespace, cheap to clone and to compare however long its name is.
    type Namespace: Clone + Eq + Debug;

    /// So many bytes of source are at hand, of which nodes will be made: a sink may make room in time.
    fn expect(&mut self, bytes: usize) {
        let _ = bytes;
    }

    /// How large the tree is: what [`TreeBuilder`](crate::TreeBuilder) holds the limits of a tree
    /// against, after each event. A sink that keeps no tree, or has limits of its own, says nothing.
    fn size(&self) -> TreeSize {
        TreeSize::default()
    }

    /// The document, the root of all that is appended.
    fn document(&self) -> Self::Handle;

    /// The handle of the namespace `name`. A builder asks once for each declaration, not for each
    /// element: else a long namespace name would be read again for every one of them.
    fn namespace(&mut self, name: &str) -> Self::Namespace;

    /// A new element without attributes, children or parent.
    fn create_element(&mut self, name: QualifiedName<'_, Self::Namespace>) -> Self::Handle;

    /// The same for an element that will be appended to `parent` once it has its attributes: a sink may
    /// put it there at once.
    fn create_child(
        &mut self,
        parent: Self::Handle,
        name: QualifiedName<'_, Self::Namespace>,
    ) -> Self::Handle {
        let _ = parent;
        self.create_element(name)
    }

    /// Adds an attribute after those that `element` has; none of them has this name.
    fn add_attribute(
        &mut self,
        element: Self::Handle,
        name: QualifiedName<'_, Self::Namespace>,
        value: &str,
    );

    /// Adds an attribute unless `element` has one of this name: what HTML does with a second
    /// `<html>` or `<body>`.
    fn add_missing_attribute(
        &mut self,
        element: Self::Handle,
        name: QualifiedName<'_, Self::Namespace>,
        value: &str,
    );

    /// A new comment without parent.
    fn create_comment(&mut self, data: &str) -> Self::Handle;

    /// A new processing instruction without parent.
    fn create_processing_instruction(&mut self, target: &str, data: &str) -> Self::Handle;

    /// A new doctype node without parent: for HTML, whose tree has the doctype as a child of the
    /// document.
    fn create_doctype(
        &mut self,
        name: &str,
        public_id: Option<&str>,
        system_id: Option<&str>,
    ) -> Self::Handle;

    /// A new fragment: a root for nodes that stand outside the document.
    fn create_fragment(&mut self) -> Self::Handle;

    /// The parent of `node`, if it is in a tree.
    fn parent(&self, node: Self::Handle) -> Option<Self::Handle>;

    /// Makes `child` the last child of `parent`.
    fn append(&mut self, parent: Self::Handle, child: Self::Handle);

    /// Adds text at the end of `parent`: to its last child if that is text, else as a new node. Any
    /// number of small pieces, to any number of parents in turn, must cost time linear in their
    /// bytes.
    fn append_text(&mut self, parent: Self::Handle, text: &str);

    /// Adds text at the end of `parent` as a new node, if its last child is text too: in Sky each
    /// string token is a node. Unless a sink says otherwise, it joins them, as
    /// [`append_text`](Self::append_text) does.
    fn append_text_node(&mut self, parent: Self::Handle, text: &str) {
        self.append_text(parent, text);
    }

    /// Puts `child` immediately before `sibling`; does nothing where `sibling` has no parent.
    fn insert_before(&mut self, sibling: Self::Handle, child: Self::Handle);

    /// Adds text immediately before `sibling`: to the node there if that is text, else as a new
    /// node; does nothing where `sibling` has no parent.
    fn insert_text_before(&mut self, sibling: Self::Handle, text: &str);

    /// Takes `node` with all below it out of its parent; it may be put elsewhere later.
    fn remove(&mut self, node: Self::Handle);

    /// Moves all children of `from` behind those of `to`, in order. Text that comes to stand beside
    /// text stays a node of its own.
    fn move_children(&mut self, from: Self::Handle, to: Self::Handle);

    /// A new element of the same name and with the same attributes, without children or parent.
    fn clone_element(&mut self, element: Self::Handle) -> Self::Handle;

    /// A copy of `node` and all below it, template contents included, without parent. A copy of the
    /// document is a fragment.
    fn clone_subtree(&mut self, node: Self::Handle) -> Self::Handle;

    /// The fragment that holds the contents of a template element, made at the first call.
    fn template_contents(&mut self, element: Self::Handle) -> Self::Handle;

    /// States the document type of the document, without a node for it: for XML. It stood after all
    /// children that the document has now.
    fn set_doctype(&mut self, name: &str, public_id: Option<&str>, system_id: Option<&str>);

    /// A notation that the document type declares.
    fn add_notation(&mut self, name: &str, public_id: Option<&str>, system_id: Option<&str>) {
        let _ = (name, public_id, system_id);
    }

    /// A processing instruction within the document type.
    fn add_doctype_instruction(&mut self, target: &str, data: &str) {
        let _ = (target, data);
    }

    /// The version that the XML declaration states.
    fn set_xml_version(&mut self, version: XmlVersion) {
        let _ = version;
    }

    /// The mode of rendering that an HTML document asks for.
    fn set_quirks_mode(&mut self, mode: QuirksMode) {
        let _ = mode;
    }

    /// Whether an HTML document was read with scripting on, so that the contents of `noscript` are
    /// raw text.
    fn set_scripting(&mut self, scripting: bool) {
        let _ = scripting;
    }

    /// All that was to come into `element` has come, unless HTML moves something there later.
    fn element_closed(&mut self, element: Self::Handle) {
        let _ = element;
    }
}
