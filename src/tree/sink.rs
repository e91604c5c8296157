//! [`TreeSink`]: the trait through which a parser builds a tree. [`Document`](super::Document) is one implementation.

use core::fmt::Debug;

use super::origin::Origin;
use super::patch_target::Patch;
use super::qualified_name::QualifiedName;
use super::shadow::ShadowRoot;
use super::size::TreeSize;
use crate::engine::document_mode::{QuirksMode, XmlVersion};
use crate::engine::event::{ParserData, StartTag};
use alloc::sync::Arc;
use alloc::vec::Vec;

/// A namespace: its name if the document declared the namespace, or `None` if it is predefined; and the sink's handle
/// of the namespace.
pub(crate) type Named<N> = (Option<Arc<str>>, N);

/// Returns the sink's handle of the namespace that has an index in the parser now. `name` is the name of the namespace if
/// the document declared it. Calls `make` if `known`, the handles by index, has none for this namespace: the parser may
/// have reused the index of another one.
pub(crate) fn namespace_handle<N: Clone>(
    known: &mut Vec<Option<Named<N>>>,
    index: u32,
    name: Option<&Arc<str>>,
    make: impl FnOnce() -> N,
) -> N {
    let index = index as usize;
    if let Some(Some((known, handle))) = known.get(index) {
        let is_current = match (known, name) {
            (Some(known), Some(name)) => Arc::ptr_eq(known, name),
            (None, None) => true,
            _ => false,
        };
        if is_current {
            return handle.clone();
        }
    }
    let handle = make();
    if known.len() <= index {
        known.resize(index + 1, None);
    }
    known[index] = Some((name.cloned(), handle.clone()));
    handle
}

/// A batch of events that form a tree, and the state of the tree construction.
pub struct PlainBatch<'b, H, N> {
    pub(crate) data: &'b ParserData,
    /// The document and the open elements, outermost first.
    pub(crate) open: &'b mut Vec<(H, H)>,
    /// The namespaces for which the sink returned a handle, by the index that the parser gave to the namespace.
    pub(crate) namespaces: &'b mut Vec<Option<Named<N>>>,
}

/// A tree that a parser builds.
///
/// Implement this trait to let a parser build a tree of your own type. [`Document`](super::Document) is the
/// implementation in this crate. A node is created without a parent, and inserted by a later call. A node has at most
/// one parent: `append` and `insert_before` first remove the node from its present parent.
///
/// A sink for XML needs six methods: [`document`](Self::document), [`namespace`](Self::namespace),
/// [`create_element`](Self::create_element), [`add_attribute`](Self::add_attribute), [`append`](Self::append) and
/// [`append_text`](Self::append_text). All other methods have default implementations, which ignore the data that the
/// method passes: comments, processing instructions and the document type.
///
/// The HTML standard moves and copies nodes that are already in the tree. A sink that needs the standard's tree also
/// implements:
///
/// - [`clone_element`](Self::clone_element), [`remove`](Self::remove) and [`move_children`](Self::move_children), for
///   misnested end tags (the adoption agency algorithm);
/// - [`parent`](Self::parent), [`insert_before`](Self::insert_before) and
///   [`insert_text_before`](Self::insert_text_before), for content that is moved out of a table (foster parenting);
/// - [`template_contents`](Self::template_contents) and [`create_fragment`](Self::create_fragment), for templates;
/// - [`attach_shadow_root`](Self::attach_shadow_root), for shadow roots;
/// - [`associate_form`](Self::associate_form), for the form owners of controls;
/// - [`clone_subtree`](Self::clone_subtree), for the copy of an option in a `selectedcontent`;
/// - [`begin_patch`](Self::begin_patch), for the content of `<template for>`, which is inserted elsewhere;
/// - [`add_missing_attribute`](Self::add_missing_attribute), for repeated `<html>` and `<body>` tags.
///
/// ```
/// use tagstream::tree::QualifiedName;
/// use tagstream::{TreeBuilder, TreeSink, Xml};
///
/// /// The number of elements, and the bytes of text.
/// #[derive(Debug, Default, PartialEq)]
/// struct Count(usize, usize);
///
/// impl TreeSink for Count {
///     type Handle = usize;
///     type Namespace = ();
///     fn document(&self) -> usize { 0 }
///     fn namespace(&mut self, _: &str) {}
///     fn create_element(&mut self, _: QualifiedName<'_, ()>) -> usize { self.0 += 1; self.0 }
///     fn add_attribute(&mut self, _: usize, _: QualifiedName<'_, ()>, _: &str) {}
///     fn append(&mut self, _: usize, _: usize) {}
///     fn append_text(&mut self, _: usize, text: &str) { self.1 += text.len(); }
/// }
///
/// let mut builder = TreeBuilder::with_sink(Xml::default(), Count::default());
/// builder.feed("<a>one<b/>two<!--three--></a>")?;
/// assert_eq!(builder.finish()?, Count(2, 6));
/// # Ok::<(), tagstream::Error>(())
/// ```
///
/// The parser guarantees the following: all handles and namespaces that it passes come from the same sink; only
/// elements, fragments and the document get children; fragments and the document get no parent; no node is inserted
/// below itself; and the attributes of an element have different names.
pub trait TreeSink {
    /// The ID of a node, or a reference to a node.
    type Handle: Copy + Eq + Debug;

    /// The ID of a namespace, or a reference to a namespace. Clones and comparisons must be cheap, even if the name of
    /// the namespace is long.
    type Namespace: Clone + Eq + Debug;

    /// False if the sink never stores positions. A program then does not contain the code that computes them.
    #[doc(hidden)]
    const STORES_ORIGINS: bool = true;

    /// Called before the parser creates the nodes for `bytes` bytes of source, so that the sink can reserve memory. The
    /// default implementation does nothing.
    fn expect(&mut self, bytes: usize) {
        let _ = bytes;
    }

    /// Called before the events of a batch are added: the sink may keep the chunk of input that the batch comes from.
    #[doc(hidden)]
    fn keep_source(&mut self, data: &ParserData) {
        let _ = data;
    }

    /// Adds the events of a batch, as far as they are plain. Returns their number.
    #[doc(hidden)]
    fn append_batch(&mut self, batch: PlainBatch<'_, Self::Handle, Self::Namespace>) -> usize {
        let _ = batch;
        0
    }

    /// Returns the size of the tree. [`TreeBuilder`](crate::TreeBuilder) compares the size with its limits after each
    /// event. The default implementation returns zero for all sizes, so that the limits do not apply. This is right for
    /// a sink that stores no tree or has limits of its own.
    fn size(&self) -> TreeSize {
        TreeSize::default()
    }

    /// Returns the document node, the root of the tree.
    fn document(&self) -> Self::Handle;

    /// Returns the handle of the namespace with this name. A tree builder calls the method once for each namespace
    /// declaration, not for each element, so that a long name is not read again for each element.
    ///
    /// ```
    /// use tagstream::tree::{Document, QualifiedName, TreeSink};
    ///
    /// let mut tree = Document::new();
    /// let svg = tree.namespace("http://www.w3.org/2000/svg");
    /// let path = tree.create_element(QualifiedName::unprefixed("path", Some(svg)));
    /// assert_eq!(tree.node(path).unwrap().namespace(), Some("http://www.w3.org/2000/svg"));
    /// ```
    fn namespace(&mut self, name: &str) -> Self::Namespace;

    /// Creates an element without attributes, children or parent, and returns it.
    ///
    /// ```
    /// use tagstream::tree::{Document, QualifiedName, TreeSink};
    ///
    /// let mut tree = Document::new();
    /// let a = tree.create_element(QualifiedName::new("a"));
    /// assert_eq!(tree.parent(a), None);
    /// tree.append(tree.document(), a)?;
    /// assert_eq!(tree.to_xml()?, "<a/>");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn create_element(&mut self, name: QualifiedName<'_, Self::Namespace>) -> Self::Handle;

    /// Creates an element that the parser will append to `parent` after it has added the attributes. A sink may append
    /// the element immediately; the later call of [`append`](Self::append) then has no effect. The default
    /// implementation calls [`create_element`](Self::create_element).
    ///
    /// ```
    /// use tagstream::tree::{Document, QualifiedName, TreeSink};
    ///
    /// let mut tree = Document::new();
    /// let a = tree.create_child(tree.document(), QualifiedName::new("a"));
    /// tree.append(tree.document(), a)?;
    /// assert_eq!(tree.to_xml()?, "<a/>");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn create_child(
        &mut self,
        parent: Self::Handle,
        name: QualifiedName<'_, Self::Namespace>,
    ) -> Self::Handle {
        let _ = parent;
        self.create_element(name)
    }

    /// Adds an attribute to `element`, after all others. The element has no attribute with this name yet.
    ///
    /// ```
    /// use tagstream::tree::{Document, QualifiedName, TreeSink};
    ///
    /// let mut tree = Document::new();
    /// let a = tree.create_child(tree.document(), QualifiedName::new("a"));
    /// tree.add_attribute(a, QualifiedName::new("b"), "1");
    /// assert_eq!(tree.to_xml().unwrap(), r#"<a b="1"/>"#);
    /// ```
    fn add_attribute(
        &mut self,
        element: Self::Handle,
        name: QualifiedName<'_, Self::Namespace>,
        value: &str,
    );

    /// Creates an element, adds its attributes, appends it to `parent` and returns it. The default implementation calls
    /// [`create_child`](Self::create_child), [`add_attribute`](Self::add_attribute) and [`append`](Self::append).
    ///
    /// ```
    /// use tagstream::tree::{Document, QualifiedName, TreeSink};
    ///
    /// let mut tree = Document::new();
    /// let attributes = [(QualifiedName::new("b"), "1")];
    /// tree.append_element(tree.document(), QualifiedName::new("a"), attributes.into_iter());
    /// assert_eq!(tree.to_html(), r#"<a b="1"></a>"#);
    /// ```
    fn append_element<'a>(
        &mut self,
        parent: Self::Handle,
        name: QualifiedName<'a, Self::Namespace>,
        attributes: impl Iterator<Item = (QualifiedName<'a, Self::Namespace>, &'a str)>,
    ) -> Self::Handle
    where
        Self: Sized,
    {
        let element = self.create_child(parent, name);
        attributes.for_each(|(name, value)| self.add_attribute(element, name, value));
        self.append(parent, element);
        element
    }

    /// Creates the element of a start tag of HTML, adds the attributes, appends the element to `parent` and returns it.
    #[doc(hidden)]
    #[inline(always)]
    fn append_tag<'a>(
        &mut self,
        parent: Self::Handle,
        name: QualifiedName<'a, Self::Namespace>,
        tag: &StartTag<'a>,
    ) -> Self::Handle
    where
        Self: Sized,
    {
        let pairs = tag.attribute_pairs();
        let attributes = pairs.map(|(name, value)| (QualifiedName::new(name), value));
        self.append_element(parent, name, attributes)
    }

    /// Adds an attribute to `element`, unless the element has an attribute with this name. The HTML parser calls the
    /// method for the attributes of a second `<html>` or `<body>` tag. The default implementation does nothing.
    ///
    /// ```
    /// use tagstream::tree::{Document, QualifiedName, TreeSink};
    ///
    /// let mut tree = Document::new();
    /// let a = tree.create_child(tree.document(), QualifiedName::new("a"));
    /// tree.add_attribute(a, QualifiedName::new("b"), "1");
    /// tree.add_missing_attribute(a, QualifiedName::new("b"), "2");
    /// assert_eq!(tree.to_xml().unwrap(), r#"<a b="1"/>"#);
    /// ```
    fn add_missing_attribute(
        &mut self,
        element: Self::Handle,
        name: QualifiedName<'_, Self::Namespace>,
        value: &str,
    ) {
        let _ = (element, name, value);
    }

    /// Creates a comment without a parent and returns it. The default implementation creates nothing and returns the
    /// document. The parser never inserts the document anywhere, so a sink without comments returns it, too.
    ///
    /// ```
    /// use tagstream::tree::{Document, QualifiedName, TreeSink};
    ///
    /// let mut tree = Document::new();
    /// let a = tree.create_child(tree.document(), QualifiedName::new("a"));
    /// let comment = tree.create_comment("b");
    /// tree.append(a, comment)?;
    /// assert_eq!(tree.to_xml()?, "<a><!--b--></a>");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn create_comment(&mut self, data: &str) -> Self::Handle {
        let _ = data;
        self.document()
    }

    /// Creates a processing instruction without a parent and returns it. The default implementation creates nothing and
    /// returns the document. The parser never inserts the document anywhere, so a sink without processing instructions
    /// returns it, too.
    ///
    /// ```
    /// use tagstream::tree::{Document, QualifiedName, TreeSink};
    ///
    /// let mut tree = Document::new();
    /// let a = tree.create_child(tree.document(), QualifiedName::new("a"));
    /// let instruction = tree.create_processing_instruction("b", "c");
    /// tree.append(a, instruction)?;
    /// assert_eq!(tree.to_xml()?, "<a><?b c?></a>");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn create_processing_instruction(&mut self, target: &str, data: &str) -> Self::Handle {
        let _ = (target, data);
        self.document()
    }

    /// Creates a doctype node without a parent and returns it. Only the HTML parser calls the method, because the
    /// document type of XML is not a node: see [`set_doctype`](Self::set_doctype). The default implementation creates
    /// nothing and returns the document. The parser never inserts the document anywhere, so a sink without doctypes
    /// returns it, too.
    ///
    /// ```
    /// use tagstream::tree::{Document, TreeSink};
    ///
    /// let mut tree = Document::new();
    /// let doctype = tree.create_doctype("html", None, None);
    /// tree.append(tree.document(), doctype)?;
    /// assert_eq!(tree.to_html(), "<!DOCTYPE html>");
    /// # Ok::<(), tagstream::EditError>(())
    /// ```
    fn create_doctype(
        &mut self,
        name: &str,
        public_id: Option<&str>,
        system_id: Option<&str>,
    ) -> Self::Handle {
        let _ = (name, public_id, system_id);
        self.document()
    }

    /// Creates a document fragment and returns it. A fragment is the root of nodes that are not part of the document.
    /// The default implementation creates an element with the name `#document-fragment`.
    ///
    /// ```
    /// use tagstream::tree::{Document, TreeSink};
    ///
    /// let mut tree = Document::new();
    /// let fragment = tree.create_fragment();
    /// tree.append_text(fragment, "text")?;
    /// assert_eq!(tree.node(fragment).unwrap().text_content(), "text");
    /// assert_eq!(tree.root().children().count(), 0);
    /// # Ok::<(), tagstream::EditError>(())
    /// ```
    fn create_fragment(&mut self) -> Self::Handle {
        self.create_element(QualifiedName::new("#document-fragment"))
    }

    /// Returns the parent of `node`, or `None` if it has none. The default implementation always returns `None`:
    /// content that HTML moves out of a table is then appended to the element that contains the table.
    fn parent(&self, node: Self::Handle) -> Option<Self::Handle> {
        let _ = node;
        None
    }

    /// Makes `child` the last child of `parent`. If `child` has a parent, it is removed from there first.
    ///
    /// ```
    /// use tagstream::tree::{Document, QualifiedName, TreeSink};
    ///
    /// let mut tree = Document::new();
    /// let a = tree.create_child(tree.document(), QualifiedName::new("a"));
    /// let b = tree.create_element(QualifiedName::new("b"));
    /// TreeSink::append(&mut tree, a, b);
    /// assert_eq!(tree.to_xml().unwrap(), "<a><b/></a>");
    /// ```
    fn append(&mut self, parent: Self::Handle, child: Self::Handle);

    /// Adds text at the end of `parent`. If the last child is a text node, this node is extended; otherwise a new text
    /// node is added. The parser can append many small pieces, to several parents in turn. All these calls together
    /// should take time linear in the number of bytes, or an attacker can make parsing slow.
    ///
    /// ```
    /// use tagstream::tree::{Document, QualifiedName, TreeSink};
    ///
    /// let mut tree = Document::new();
    /// let a = tree.create_child(tree.document(), QualifiedName::new("a"));
    /// TreeSink::append_text(&mut tree, a, "one ");
    /// TreeSink::append_text(&mut tree, a, "text");
    /// assert_eq!(tree.root_element().unwrap().children().count(), 1);
    /// ```
    fn append_text(&mut self, parent: Self::Handle, text: &str);

    /// Adds a new text node as the last child of `parent`, even if the last child is already a text node. The Sky
    /// dialect uses this, because each of its string tokens is a node. The default implementation calls
    /// [`append_text`](Self::append_text), which joins adjacent texts.
    ///
    /// ```
    /// use tagstream::tree::{Document, QualifiedName, TreeSink};
    ///
    /// let mut tree = Document::new();
    /// let a = tree.create_child(tree.document(), QualifiedName::new("a"));
    /// tree.append_text_node(a, "two ");
    /// tree.append_text_node(a, "nodes");
    /// assert_eq!(tree.root_element().unwrap().children().count(), 2);
    /// ```
    fn append_text_node(&mut self, parent: Self::Handle, text: &str) {
        self.append_text(parent, text);
    }

    /// Adds text of a CDATA section at the end of `parent`. `continues` is true for a further piece of the section whose
    /// text was added last. Called instead of [`append_text`](Self::append_text), if the tree is to tell CDATA sections
    /// from other text ([`TreeBuilder::keep_cdata`](crate::TreeBuilder::keep_cdata)). The default implementation calls
    /// `append_text`.
    ///
    /// ```
    /// use tagstream::tree::{Document, QualifiedName, TreeSink};
    ///
    /// let mut tree = Document::new();
    /// let a = tree.create_child(tree.document(), QualifiedName::new("a"));
    /// tree.append_cdata(a, "1 <", false);
    /// tree.append_cdata(a, " 2", true);
    /// tree.append_cdata(a, "3", false);
    /// assert_eq!(tree.to_xml().unwrap(), "<a><![CDATA[1 < 2]]><![CDATA[3]]></a>");
    /// ```
    fn append_cdata(&mut self, parent: Self::Handle, text: &str, continues: bool) {
        let _ = continues;
        self.append_text(parent, text);
    }

    /// Inserts `child` immediately before `sibling`. If `child` has a parent, it is removed from there first. The call
    /// does nothing if `sibling` has no parent. The default implementation appends `child` to the parent of `sibling`.
    ///
    /// ```
    /// use tagstream::tree::{Document, QualifiedName, TreeSink};
    ///
    /// let mut tree = Document::new();
    /// let a = tree.create_child(tree.document(), QualifiedName::new("a"));
    /// let comment = tree.create_comment("b");
    /// tree.insert_before(a, comment);
    /// assert_eq!(tree.to_xml().unwrap(), "<!--b--><a/>");
    /// ```
    fn insert_before(&mut self, sibling: Self::Handle, child: Self::Handle) {
        if let Some(parent) = self.parent(sibling) {
            self.append(parent, child);
        }
    }

    /// Adds text immediately before `sibling`. If the previous sibling is a text node, this node is extended; otherwise
    /// a new text node is inserted. The call does nothing if `sibling` has no parent. The default implementation
    /// appends the text to the parent of `sibling`.
    ///
    /// ```
    /// use tagstream::tree::{Document, QualifiedName, TreeSink};
    ///
    /// let mut tree = Document::new();
    /// let a = tree.create_child(tree.document(), QualifiedName::new("a"));
    /// let b = tree.create_element(QualifiedName::new("b"));
    /// tree.append(a, b)?;
    /// tree.insert_text_before(b, "text");
    /// assert_eq!(tree.to_xml()?, "<a>text<b/></a>");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn insert_text_before(&mut self, sibling: Self::Handle, text: &str) {
        if let Some(parent) = self.parent(sibling) {
            self.append_text(parent, text);
        }
    }

    /// Removes `node`, with its descendants, from its parent. The parser may insert the node again later. The default
    /// implementation does nothing.
    ///
    /// ```
    /// use tagstream::tree::{Document, QualifiedName, TreeSink};
    ///
    /// let mut tree = Document::new();
    /// let a = tree.create_child(tree.document(), QualifiedName::new("a"));
    /// tree.remove(a);
    /// assert_eq!(tree.parent(a), None);
    /// assert_eq!(tree.to_html(), "");
    /// ```
    fn remove(&mut self, node: Self::Handle) {
        let _ = node;
    }

    /// Moves all children of `from` to the end of the children of `to`, in order. Adjacent text nodes are not merged.
    /// The default implementation does nothing.
    ///
    /// ```
    /// use tagstream::tree::{Document, QualifiedName, TreeSink};
    ///
    /// let mut tree = Document::new();
    /// let a = tree.create_child(tree.document(), QualifiedName::new("a"));
    /// tree.append_text(a, "text")?;
    /// let b = tree.create_element(QualifiedName::new("b"));
    /// tree.move_children(a, b);
    /// tree.append(a, b)?;
    /// assert_eq!(tree.to_xml()?, "<a><b>text</b></a>");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn move_children(&mut self, from: Self::Handle, to: Self::Handle) {
        let _ = (from, to);
    }

    /// Creates an element with the same name and attributes as `element`, without children and parent, and returns it.
    /// The default implementation creates a fragment.
    ///
    /// ```
    /// use tagstream::tree::{Document, QualifiedName, TreeSink};
    ///
    /// let mut tree = Document::new();
    /// let a = tree.create_child(tree.document(), QualifiedName::new("a"));
    /// tree.append_text(a, "text")?;
    /// let copy = tree.clone_element(a);
    /// tree.append(a, copy)?;
    /// assert_eq!(tree.to_xml()?, "<a>text<a/></a>");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn clone_element(&mut self, element: Self::Handle) -> Self::Handle {
        let _ = element;
        self.create_fragment()
    }

    /// Creates a copy of `node` with its descendants and returns the copy, which has no parent. The copy includes
    /// template contents and [clonable](ShadowRoot::clonable) shadow roots. The copy of the document is a fragment. The
    /// default implementation calls [`clone_element`](Self::clone_element), so that the copy has no descendants.
    ///
    /// ```
    /// use tagstream::tree::{Document, QualifiedName, TreeSink};
    ///
    /// let mut tree = Document::new();
    /// let a = tree.create_child(tree.document(), QualifiedName::new("a"));
    /// tree.append_text(a, "text")?;
    /// let copy = tree.clone_subtree(a);
    /// tree.append(a, copy)?;
    /// assert_eq!(tree.to_xml()?, "<a>text<a>text</a></a>");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn clone_subtree(&mut self, node: Self::Handle) -> Self::Handle {
        self.clone_element(node)
    }

    /// Returns the fragment with the contents of a template element. The first call for an element creates the
    /// fragment. The default implementation returns the element itself, so that the contents of a template are its
    /// children.
    ///
    /// ```
    /// use tagstream::tree::{Document, QualifiedName, TreeSink};
    ///
    /// let mut tree = Document::new();
    /// let template = tree.create_element(QualifiedName::new("template"));
    /// let contents = tree.template_contents(template);
    /// tree.append_text(contents, "text")?;
    /// assert_eq!(tree.template_contents(template), contents);
    /// assert_eq!(tree.node(template).unwrap().children().count(), 0);
    /// # Ok::<(), tagstream::EditError>(())
    /// ```
    fn template_contents(&mut self, element: Self::Handle) -> Self::Handle {
        element
    }

    /// Called for the HTML start tag `<template for=name>`. The sink finds the markers with that name below `scope`,
    /// the first ones in tree order, and removes the nodes between them. The content of the template is then inserted
    /// there. Markers are processing instructions: `<?marker name="x">` marks a position, and `<?start name="x">` …
    /// `<?end>` a range. A range without an end extends to the end of its parent. If there is no such marker, or if the
    /// sink does not patch, it returns `None`, and the template is inserted like any other. The default implementation
    /// returns `None`.
    ///
    /// ```
    /// use tagstream::{Document, Html};
    ///
    /// let page = "<ul><?marker name='rest'></ul><p>…</p><template for=rest><li>Tom<li>Jerry</template>";
    /// let page = Document::parse(Html::default(), page)?;
    /// assert!(page.to_html().contains("<ul><li>Tom</li><li>Jerry</li></ul><p>…</p>"));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    fn begin_patch(&mut self, scope: Self::Handle, name: &str) -> Option<Patch<Self::Handle>> {
        let _ = (scope, name);
        None
    }

    /// Called for the end tag of a template for which [`begin_patch`](Self::begin_patch) returned a position. Without
    /// an end tag in the input, the method is not called. The default implementation removes the markers by
    /// [`remove`](Self::remove).
    ///
    /// ```
    /// use tagstream::tree::{Document, QualifiedName, TreeSink};
    ///
    /// let mut tree = Document::new();
    /// let a = tree.create_child(tree.document(), QualifiedName::new("a"));
    /// let marker = tree.create_processing_instruction("marker", "name='x'");
    /// tree.append(a, marker)?;
    /// let patch = tree.begin_patch(a, "x").unwrap();
    /// tree.insert_text_before(patch.end.unwrap(), "text");
    /// tree.end_patch(patch);
    /// assert_eq!(tree.to_html(), "<a>text</a>");
    /// # Ok::<(), tagstream::EditError>(())
    /// ```
    fn end_patch(&mut self, patch: Patch<Self::Handle>) {
        self.remove(patch.start);
        if let Some(end) = patch.end {
            self.remove(end);
        }
    }

    /// Attaches a shadow root to an element and returns the fragment that is the shadow root. If the result is `None`,
    /// the template that declares the shadow root becomes an ordinary element. The method is called only if
    /// [`Html::shadow_roots`](crate::Html::shadow_roots) is set, and once for an element. When the fragment is
    /// complete, [`element_closed`](Self::element_closed) is called for it, as for an element. The default
    /// implementation returns `None`.
    ///
    /// ```
    /// use tagstream::tree::{Document, QualifiedName, ShadowRoot, TreeSink};
    ///
    /// let mut tree = Document::new();
    /// let host = tree.create_element(QualifiedName::new("div"));
    /// let root = tree.attach_shadow_root(host, ShadowRoot::default()).unwrap();
    /// tree.append_text(root, "text")?;
    /// assert_eq!(tree.node(host).unwrap().shadow_root().unwrap().text_content(), "text");
    /// assert_eq!(tree.attach_shadow_root(host, ShadowRoot::default()), None);
    /// # Ok::<(), tagstream::EditError>(())
    /// ```
    fn attach_shadow_root(&mut self, host: Self::Handle, root: ShadowRoot) -> Option<Self::Handle> {
        let _ = (host, root);
        None
    }

    /// Called when the HTML parser inserts a control that is not a descendant of the open form, but belongs to it. This
    /// happens for a form in a table: the parser closes the form immediately, so that it is empty in the tree. Both
    /// `control` and `form` are elements, and both are already in the tree. The default implementation does nothing.
    ///
    /// ```
    /// use tagstream::{Document, Html};
    ///
    /// let page = Document::parse(Html::default(), "<table><form id=a><tr><td><input>").unwrap();
    /// let input = page.root().descendants().last().unwrap();
    /// assert!(input.form().is_some() && input.ancestors().all(|node| node.name() != "form"));
    /// ```
    fn associate_form(&mut self, control: Self::Handle, form: Self::Handle) {
        let _ = (control, form);
    }

    /// Sets the document type of an XML document, which is not a node. In the source, the document type follows all
    /// nodes that are children of the document at the time of the call. The default implementation does nothing.
    fn set_doctype(&mut self, name: &str, public_id: Option<&str>, system_id: Option<&str>) {
        let _ = (name, public_id, system_id);
    }

    /// Sets the text of the internal subset of the document type, if the parser keeps it
    /// ([`Xml::internal_subset`](crate::Xml::internal_subset)). Only the parser calls this method: a [`Document`](super::Document)
    /// cannot be written with a subset that comes from elsewhere. The default implementation does nothing.
    fn set_internal_subset(&mut self, text: &str) {
        let _ = text;
    }

    /// Sets the function that checks whether a document with the internal subset is well-formed: the document, the subset,
    /// and whether the document has to obey the rules of namespaces.
    #[doc(hidden)]
    fn set_well_formedness(&mut self, check: fn(&str, &str, bool) -> bool) {
        let _ = check;
    }

    /// Adds a notation that the document type declares. The default implementation does nothing.
    fn add_notation(&mut self, name: &str, public_id: Option<&str>, system_id: Option<&str>) {
        let _ = (name, public_id, system_id);
    }

    /// Adds a processing instruction that is within the document type. The default implementation does nothing.
    fn add_doctype_instruction(&mut self, target: &str, data: &str) {
        let _ = (target, data);
    }

    /// Sets the version that the XML declaration states. The default implementation does nothing.
    fn set_xml_version(&mut self, version: XmlVersion) {
        let _ = version;
    }

    /// Called if the document has an XML declaration, with its encoding and its value of `standalone`. The version is
    /// passed to [`set_xml_version`](Self::set_xml_version). The default implementation does nothing.
    fn set_xml_declaration(&mut self, encoding: Option<&str>, standalone: Option<bool>) {
        let _ = (encoding, standalone);
    }

    /// Called if the document is a fragment of HTML. The root element of a fragment is not part of the input and only
    /// contains the nodes of the fragment. The default implementation does nothing.
    fn set_fragment(&mut self) {}

    /// Sets the quirks mode of an HTML document, which the parser derives from the doctype. The default implementation
    /// does nothing.
    fn set_quirks_mode(&mut self, mode: QuirksMode) {
        let _ = mode;
    }

    /// Called once for an HTML document. `scripting` is true if the document is parsed with scripting enabled, so that
    /// the content of a `noscript` element is raw text. The default implementation does nothing.
    fn set_scripting(&mut self, scripting: bool) {
        let _ = scripting;
    }

    /// Sets the position in the input for the nodes that are created next. The parser calls the method only if
    /// [`TreeBuilder::positions`](crate::TreeBuilder::positions) is set, and passes `None` after each event.
    /// Returns the position that was set before, or `None` if the sink does not store positions. The default
    /// implementation does nothing.
    fn set_origin(&mut self, origin: Option<Origin>) -> Option<Origin> {
        let _ = origin;
        None
    }

    /// Sets the name of the end tag that the parser processes next, or `None` if the next token is not an end tag. The
    /// parser calls the method after [`set_origin`](Self::set_origin) with a position. The default implementation does
    /// nothing.
    fn set_end_tag(&mut self, name: Option<&str>) {
        let _ = name;
    }

    /// Called at the end of the document, with the length of the input in bytes, if
    /// [`TreeBuilder::positions`](crate::TreeBuilder::positions) is set. The default implementation does nothing.
    fn input_ended(&mut self, length: u64) {
        let _ = length;
    }

    /// Called when the parser has inserted all content of `element`. Only the HTML parser can still insert content
    /// later, because it moves nodes. The default implementation does nothing.
    fn element_closed(&mut self, element: Self::Handle) {
        let _ = element;
    }
}
