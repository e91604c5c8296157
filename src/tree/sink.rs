//! The operations by which a tree builder makes a tree. [`Document`](super::Document) is one implementation.

use core::fmt::Debug;

use super::origin::Origin;
use super::patch_target::Patch;
use super::qualified_name::QualifiedName;
use super::shadow::ShadowRoot;
use super::size::TreeSize;
use crate::engine::document_mode::{QuirksMode, XmlVersion};

/// A tree under construction.
///
/// Implement it to have a parser build a tree of your own; [`Document`](super::Document) is the
/// implementation that ships. Nodes are made first, without parent, and then put in their place. A
/// child has one parent at a time: `append` and `insert_before` take it out of its old place first.
///
/// A tree of XML needs six methods: [`document`](Self::document), [`namespace`](Self::namespace),
/// [`create_element`](Self::create_element), [`add_attribute`](Self::add_attribute), [`append`](Self::append) and
/// [`append_text`](Self::append_text). All others have a default, which leaves out what the method is about: comments,
/// instructions, the document type. HTML moves nodes after the fact, so that a sink which is to have the standard's
/// tree needs more: for the adoption agency [`clone_element`](Self::clone_element), [`remove`](Self::remove) and
/// [`move_children`](Self::move_children); for foster parenting [`parent`](Self::parent),
/// [`insert_before`](Self::insert_before) and [`insert_text_before`](Self::insert_text_before); for templates
/// [`template_contents`](Self::template_contents) and [`create_fragment`](Self::create_fragment); for shadow roots
/// [`attach_shadow_root`](Self::attach_shadow_root); for the forms of controls
/// [`associate_form`](Self::associate_form); for copies into a `selectedcontent`
/// [`clone_subtree`](Self::clone_subtree); for what `<template for>` puts elsewhere [`begin_patch`](Self::begin_patch);
/// and [`add_missing_attribute`](Self::add_missing_attribute).
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
/// The caller keeps these promises: handles and namespaces come from the same sink; only elements,
/// fragments and the document get children; fragments and the document get no parent; no node is
/// put below itself; attributes of one element have different names.
pub trait TreeSink {
    /// A node.
    type Handle: Copy + Eq + Debug;

    /// A namespace, cheap to clone and to compare however long its name is.
    type Namespace: Clone + Eq + Debug;

    /// Called before nodes are made of this number of bytes of source, so that a sink can reserve memory.
    ///
    /// ```
    /// use tagstream::tree::{Document, TreeSink};
    ///
    /// let mut tree = Document::new();
    /// tree.expect(1 << 20);
    /// assert_eq!(tree.node_count(), 1);
    /// ```
    fn expect(&mut self, bytes: usize) {
        let _ = bytes;
    }

    /// How large the tree is: what [`TreeBuilder`](crate::TreeBuilder) holds the limits of a tree
    /// against, after each event. A sink that keeps no tree, or has limits of its own, says nothing.
    ///
    /// ```
    /// use tagstream::{Document, TreeSink, Xml};
    ///
    /// let document = Document::parse(Xml::default(), "<a b='1'>text</a>").unwrap();
    /// assert_eq!((document.size().nodes, document.size().attributes), (3, 1));
    /// ```
    fn size(&self) -> TreeSize {
        TreeSize::default()
    }

    /// The document, the root of all that is appended.
    ///
    /// ```
    /// use tagstream::tree::{Document, TreeSink};
    ///
    /// let mut tree = Document::new();
    /// let comment = tree.create_comment("a");
    /// tree.append(tree.document(), comment)?;
    /// assert_eq!(tree.to_html(), "<!--a-->");
    /// # Ok::<(), tagstream::EditError>(())
    /// ```
    fn document(&self) -> Self::Handle;

    /// The handle of the namespace `name`. A builder asks once for each declaration, not for each
    /// element: else a long namespace name would be read again for every one of them.
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

    /// A new element without attributes, children or parent.
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

    /// The same for an element that will be appended to `parent` once it has its attributes: a sink may
    /// put it there at once.
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

    /// Adds an attribute after those that `element` has; none of them has this name.
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

    /// Creates an element, adds its attributes and appends it to `parent`. The default calls
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

    /// Adds an attribute unless `element` has one of this name, as HTML does for a second `<html>` or `<body>`.
    /// The default ignores the attribute.
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

    /// A new comment without parent.
    /// A sink that keeps none gives the document, which is put nowhere: unless it says otherwise, it does.
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

    /// A new processing instruction without parent.
    /// A sink that keeps none gives the document, which is put nowhere: unless it says otherwise, it does.
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

    /// A new doctype node without parent: for HTML, whose tree has the doctype as a child of the
    /// document.
    /// A sink that keeps none gives the document, which is put nowhere: unless it says otherwise, it does.
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

    /// A new fragment: a root for nodes that stand outside the document.
    /// Unless a sink says otherwise, it is an element of the name `#document-fragment`.
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

    /// The parent of `node`, if it has one. The default returns `None`: content that HTML moves out of a table is
    /// then appended to the element that the table is in.
    ///
    /// ```
    /// use tagstream::tree::{Document, QualifiedName, TreeSink};
    ///
    /// let mut tree = Document::new();
    /// let a = tree.create_child(tree.document(), QualifiedName::new("a"));
    /// assert_eq!(tree.parent(a), Some(tree.document()));
    /// ```
    fn parent(&self, node: Self::Handle) -> Option<Self::Handle> {
        let _ = node;
        None
    }

    /// Makes `child` the last child of `parent`.
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

    /// Adds text at the end of `parent`: to its last child if that is text, else as a new node. Any
    /// number of small pieces, to any number of parents in turn, must cost time linear in their
    /// bytes.
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

    /// Adds text at the end of `parent` as a new node, if its last child is text too: in Sky each
    /// string token is a node. Unless a sink says otherwise, it joins them, as
    /// [`append_text`](Self::append_text) does.
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

    /// Puts `child` immediately before `sibling`; does nothing where `sibling` has no parent.
    /// Unless a sink says otherwise, it comes last.
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

    /// Adds text immediately before `sibling`: to the node there if that is text, else as a new
    /// node; does nothing where `sibling` has no parent.
    /// Unless a sink says otherwise, it comes last.
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

    /// Takes `node` with all below it out of its parent; it may be put elsewhere later.
    /// Unless a sink says otherwise, it stays.
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

    /// A new element of the same name and with the same attributes, without children or parent.
    /// Unless a sink says otherwise, it is a fragment.
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

    /// A copy of `node` and all below it, template contents and [clonable](ShadowRoot::clonable) shadow roots included,
    /// without parent. A copy of the document is a fragment.
    /// Unless a sink says otherwise, it has nothing below it.
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

    /// The fragment that holds the contents of a template element, made at the first call.
    /// Unless a sink says otherwise, they are the children of the element.
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

    /// HTML meets the end tag of that template: the markers go out. Without an end tag they stay.
    /// Unless a sink says otherwise, they are taken out by [`remove`](Self::remove).
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

    /// HTML meets a control while a form is open that the control does not stand in, as the form was in a table and is
    /// empty: the form is the control's owner all the same. Both are elements, and where they belong.
    /// Unless a sink says otherwise, it is left out.
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

    /// States the document type of the document, without a node for it: for XML. It stood after all
    /// children that the document has now.
    /// Unless a sink says otherwise, it is left out.
    ///
    /// ```
    /// use tagstream::tree::{Document, TreeSink};
    ///
    /// let mut tree = Document::new();
    /// tree.set_doctype("a", None, Some("a.dtd"));
    /// assert_eq!(tree.doctype().and_then(|doctype| doctype.system_id()), Some("a.dtd"));
    /// ```
    fn set_doctype(&mut self, name: &str, public_id: Option<&str>, system_id: Option<&str>) {
        let _ = (name, public_id, system_id);
    }

    /// A notation that the document type declares.
    ///
    /// ```
    /// use tagstream::tree::{Document, TreeSink};
    ///
    /// let mut tree = Document::new();
    /// tree.add_notation("gif", Some("GIF"), None);
    /// assert!(tree.notations().map(|notation| notation.name()).eq(["gif"]));
    /// ```
    fn add_notation(&mut self, name: &str, public_id: Option<&str>, system_id: Option<&str>) {
        let _ = (name, public_id, system_id);
    }

    /// A processing instruction within the document type.
    ///
    /// ```
    /// use tagstream::tree::{Document, TreeSink};
    ///
    /// let mut tree = Document::new();
    /// tree.add_doctype_instruction("a", "b");
    /// assert!(tree.doctype_instructions().eq([("a", "b")]));
    /// ```
    fn add_doctype_instruction(&mut self, target: &str, data: &str) {
        let _ = (target, data);
    }

    /// The version that the XML declaration states.
    ///
    /// ```
    /// use tagstream::tree::{Document, TreeSink, XmlVersion};
    ///
    /// let mut tree = Document::new();
    /// tree.set_xml_version(XmlVersion::Xml11);
    /// assert_eq!(tree.xml_version(), XmlVersion::Xml11);
    /// ```
    fn set_xml_version(&mut self, version: XmlVersion) {
        let _ = version;
    }

    /// The document has an XML declaration, with this encoding and this value of `standalone`. Its version is passed to
    /// [`set_xml_version`](Self::set_xml_version).
    ///
    /// ```
    /// use tagstream::tree::{Document, TreeSink};
    ///
    /// let mut tree = Document::new();
    /// tree.set_xml_declaration(Some("UTF-8"), None);
    /// assert_eq!(tree.xml_declaration().and_then(|xml| xml.encoding()), Some("UTF-8"));
    /// ```
    fn set_xml_declaration(&mut self, encoding: Option<&str>, standalone: Option<bool>) {
        let _ = (encoding, standalone);
    }

    /// The document is a fragment of HTML: its root element is not part of the input and only holds the nodes of the
    /// fragment.
    ///
    /// ```
    /// use tagstream::tree::{Document, TreeSink};
    ///
    /// let mut tree = Document::new();
    /// tree.set_fragment();
    /// assert!(tree.is_fragment());
    /// ```
    fn set_fragment(&mut self) {}

    /// The mode of rendering that an HTML document asks for.
    ///
    /// ```
    /// use tagstream::tree::{Document, QuirksMode, TreeSink};
    ///
    /// let mut tree = Document::new();
    /// tree.set_quirks_mode(QuirksMode::Quirks);
    /// assert_eq!(tree.quirks_mode(), QuirksMode::Quirks);
    /// ```
    fn set_quirks_mode(&mut self, mode: QuirksMode) {
        let _ = mode;
    }

    /// Whether an HTML document was read with scripting on, so that the contents of `noscript` are
    /// raw text.
    ///
    /// ```
    /// use tagstream::tree::{Document, TreeSink};
    ///
    /// let mut tree = Document::new();
    /// tree.set_scripting(true);
    /// assert!(tree.is_scripting());
    /// ```
    fn set_scripting(&mut self, scripting: bool) {
        let _ = scripting;
    }

    /// Sets the position in the input of the nodes that are made next, if
    /// [`TreeBuilder::positions`](crate::TreeBuilder::positions) is on; `None` at the end of the input. Returns the
    /// position that was set before, if the sink stores positions.
    ///
    /// ```
    /// use tagstream::tree::{Document, TreeSink};
    ///
    /// let mut tree = Document::new();
    /// assert_eq!(tree.set_origin(None), None);
    /// ```
    fn set_origin(&mut self, origin: Option<Origin>) -> Option<Origin> {
        let _ = origin;
        None
    }

    /// All that was to come into `element` has come, unless HTML moves something there later.
    ///
    /// ```
    /// use tagstream::tree::{Document, QualifiedName, TreeSink};
    ///
    /// let mut tree = Document::new();
    /// let a = tree.create_child(tree.document(), QualifiedName::new("a"));
    /// tree.element_closed(a);
    /// assert_eq!(tree.to_xml().unwrap(), "<a/>");
    /// ```
    fn element_closed(&mut self, element: Self::Handle) {
        let _ = element;
    }
}
