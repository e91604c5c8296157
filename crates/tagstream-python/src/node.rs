//! `Node`: a handle of a node, which is a reference to the document and the ID of the node. The document does not refer to
//! its handles, so there are no cycles, and handles need no garbage collection.

use crate::dictionary::{self, only_text};
use crate::document::Document;
use crate::errors::{edit_error, selector_error, xpath_error};
use crate::query::{Expression, Query};
use crate::untracked::untracked;
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use tagstream::xpath::{XPathNode, XPathValue};
use tagstream::{EditError, NodeId, NodeKind};

/// A node of a document: an element, a text, a comment, or another kind. Two handles of one node are equal.
///
/// node["name"] is the value of an attribute, "name" in node tests for one, and iteration returns the children that are
/// elements.
///
/// >>> import tagstream
/// >>> page = tagstream.parse_html("<p class=a>one <b>two</b>")
/// >>> paragraph = page.select_one("p")
/// >>> paragraph["class"], paragraph.text, [child.name for child in paragraph]
/// ('a', 'one two', ['b'])
#[pyclass(frozen, module = "tagstream")]
pub(crate) struct Node {
    pub(crate) document: Py<Document>,
    pub(crate) id: NodeId,
}

/// The value of an expression, without a borrow of the tree.
enum Value {
    List(Vec<Item>),
    Number(f64),
    String(String),
    Boolean(bool),
}

/// An item of a list of nodes.
enum Item {
    Node(NodeId),
    Text(String),
}

impl Item {
    fn of(node: &XPathNode<'_>) -> Item {
        match node.node() {
            Some(node) => Item::Node(node.id()),
            None => Item::Text(node.value().into_owned()),
        }
    }
}

/// A node on its way to Python.
pub(crate) struct Handle(Node);

impl<'py> IntoPyObject<'py> for Handle {
    type Target = Node;
    type Output = Bound<'py, Node>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Bound<'py, Node>> {
        Bound::new(py, self.0).map(untracked)
    }
}

impl Handle {
    pub(crate) fn new(document: &Bound<'_, Document>, id: NodeId) -> Handle {
        Handle(Node {
            document: document.clone().unbind(),
            id,
        })
    }

    pub(crate) fn all(document: &Bound<'_, Document>, ids: Vec<NodeId>) -> Vec<Handle> {
        ids.into_iter()
            .map(|id| Handle::new(document, id))
            .collect()
    }
}

impl Node {
    pub(crate) fn handle(&self, py: Python<'_>, id: NodeId) -> Handle {
        Handle(Node {
            document: self.document.clone_ref(py),
            id,
        })
    }

    /// Calls a function with the node. The IDs of handles are those of their document, which never shrinks.
    #[inline]
    pub(crate) fn with<T>(&self, py: Python<'_>, read: impl FnOnce(tagstream::Node<'_>) -> T) -> T {
        let tree = self.document.get().read(py);
        read(tree.node(self.id).unwrap_or(tree.root()))
    }

    /// The same without the GIL, for work that is proportional to the subtree.
    fn with_detached<T: Send>(
        &self,
        py: Python<'_>,
        read: impl FnOnce(tagstream::Node<'_>) -> T + Send,
    ) -> T {
        let id = self.id;
        self.document
            .get()
            .read_detached(py, move |tree| read(tree.node(id).unwrap_or(tree.root())))
    }

    /// Returns the handle of another node, which a function finds.
    #[inline]
    fn other(
        &self,
        py: Python<'_>,
        find: impl for<'d> FnOnce(tagstream::Node<'d>) -> Option<tagstream::Node<'d>>,
    ) -> Option<Handle> {
        let id = self.with(py, |node| find(node).map(|found| found.id()))?;
        Some(self.handle(py, id))
    }

    fn others(&self, py: Python<'_>, ids: Vec<NodeId>) -> Vec<Handle> {
        ids.into_iter().map(|id| self.handle(py, id)).collect()
    }
}

#[pymethods]
impl Node {
    /// element, text, comment, document, doctype, fragment or processing-instruction.
    #[getter]
    fn kind(&self, py: Python<'_>) -> &'static str {
        self.with(py, |node| match node.kind() {
            NodeKind::Element => "element",
            NodeKind::Text => "text",
            NodeKind::Comment => "comment",
            NodeKind::Document => "document",
            NodeKind::Doctype => "doctype",
            NodeKind::ProcessingInstruction => "processing-instruction",
            _ => "fragment",
        })
    }

    /// True for an element.
    #[getter]
    fn is_element(&self, py: Python<'_>) -> bool {
        self.with(py, |node| node.is_element())
    }

    /// True for a text that to_xml writes as a CDATA section: see parse_xml.
    #[getter]
    fn is_cdata(&self, py: Python<'_>) -> bool {
        self.with(py, |node| node.is_cdata())
    }

    /// The document of the node.
    #[getter]
    fn document(&self, py: Python<'_>) -> Py<Document> {
        self.document.clone_ref(py)
    }

    /// The qualified name of an element, or the target of a processing instruction. Names are interned, so a comparison is usually one of pointers.
    #[getter]
    fn name<'py>(&self, py: Python<'py>) -> Bound<'py, PyString> {
        self.with(py, |node| PyString::intern(py, node.name()))
    }

    /// The name of an element without its prefix.
    #[getter]
    fn local_name<'py>(&self, py: Python<'py>) -> Bound<'py, PyString> {
        self.with(py, |node| PyString::intern(py, node.local_name()))
    }

    /// The namespace of an element, or None.
    #[getter]
    fn namespace<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyString>> {
        self.with(py, |node| {
            node.namespace().map(|name| PyString::intern(py, name))
        })
    }

    /// The text of the node and its descendants.
    #[getter]
    fn text<'py>(&self, py: Python<'py>) -> Bound<'py, PyString> {
        self.with(py, |node| match only_text(node) {
            Some(text) => PyString::new(py, text),
            None => PyString::new(py, &node.text_content()),
        })
    }

    /// The attributes, as a new dictionary.
    #[getter]
    fn attributes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        self.with(py, |node| {
            node.attributes().try_for_each(|attribute| {
                dict.set_item(
                    PyString::intern(py, attribute.name()),
                    PyString::new(py, attribute.value()),
                )
            })
        })?;
        Ok(dict)
    }

    /// Returns the value of an attribute, or the default.
    #[pyo3(signature = (name, default=None))]
    fn get<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        default: Option<Bound<'py, PyAny>>,
    ) -> Option<Bound<'py, PyAny>> {
        self.with(py, |node| {
            node.attribute(name)
                .map(|value| PyString::new(py, value).into_any())
        })
        .or(default)
    }

    fn __getitem__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyString>> {
        let value = self.with(py, |node| {
            node.attribute(name).map(|value| PyString::new(py, value))
        });
        value.ok_or_else(|| PyKeyError::new_err(name.to_owned()))
    }

    fn __contains__(&self, py: Python<'_>, name: &str) -> bool {
        self.with(py, |node| node.attribute(name).is_some())
    }

    /// The parent, or None.
    #[getter]
    fn parent(&self, py: Python<'_>) -> Option<Handle> {
        self.other(py, |node| node.parent())
    }

    /// The first child, or None.
    #[getter]
    fn first_child(&self, py: Python<'_>) -> Option<Handle> {
        self.other(py, |node| node.first_child())
    }

    /// The last child, or None.
    #[getter]
    fn last_child(&self, py: Python<'_>) -> Option<Handle> {
        self.other(py, |node| node.last_child())
    }

    /// The next sibling, or None.
    #[getter]
    fn next_sibling(&self, py: Python<'_>) -> Option<Handle> {
        self.other(py, |node| node.next_sibling())
    }

    /// The previous sibling, or None.
    #[getter]
    fn previous_sibling(&self, py: Python<'_>) -> Option<Handle> {
        self.other(py, |node| node.previous_sibling())
    }

    /// The shadow root of an element, or None.
    #[getter]
    fn shadow_root(&self, py: Python<'_>) -> Option<Handle> {
        self.other(py, |node| node.shadow_root())
    }

    /// The contents of a template element, or None.
    #[getter]
    fn template_contents(&self, py: Python<'_>) -> Option<Handle> {
        self.other(py, |node| node.template_contents())
    }

    /// The name, the public identifier and the system identifier of a document type, or None.
    #[getter]
    fn doctype(&self, py: Python<'_>) -> Option<(String, String, String)> {
        self.with(py, |node| {
            let doctype = node.doctype()?;
            let owned = |id: Option<&str>| id.unwrap_or_default().to_owned();
            Some((
                doctype.name().to_owned(),
                owned(doctype.public_id()),
                owned(doctype.system_id()),
            ))
        })
    }

    /// The children, as a list of nodes.
    #[getter]
    fn children(&self, py: Python<'_>) -> Vec<Handle> {
        let ids = self.with(py, |node| node.children().map(|child| child.id()).collect());
        self.others(py, ids)
    }

    /// The descendants in document order, as a list of nodes.
    #[getter]
    fn descendants(&self, py: Python<'_>) -> Vec<Handle> {
        let ids = self.with(py, |node| {
            node.descendants().map(|child| child.id()).collect()
        });
        self.others(py, ids)
    }

    /// Returns an iterator over the children that are elements.
    fn __iter__(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let ids = self.with(py, |node| {
            node.children()
                .filter(|child| child.is_element())
                .map(|child| child.id())
                .collect()
        });
        let list = self.others(py, ids).into_pyobject(py)?;
        Ok(list.try_iter()?.into_any().unbind())
    }

    /// Returns the descendants that match a selector, in document order.
    ///
    /// Raises SelectorError.
    fn select(&self, py: Python<'_>, selector: Query) -> PyResult<Vec<Handle>> {
        let ids = self.with_detached(py, |node| {
            let found = node.select(selector.as_ref())?;
            Ok(found.map(|found| found.id()).collect())
        });
        Ok(self.others(py, ids.map_err(selector_error)?))
    }

    /// Returns the first descendant that matches a selector, or None.
    fn select_one(&self, py: Python<'_>, selector: Query) -> PyResult<Option<Handle>> {
        let id = self.with_detached(py, |node| {
            Ok(node
                .select(selector.as_ref())?
                .next()
                .map(|found| found.id()))
        });
        let id = id.map_err(selector_error)?;
        Ok(id.map(|id| self.handle(py, id)))
    }

    /// Returns True if the element matches a selector.
    fn matches(&self, py: Python<'_>, selector: Query) -> PyResult<bool> {
        self.with(py, |node| node.matches(selector.as_ref()))
            .map_err(selector_error)
    }

    /// Returns the element itself or the nearest ancestor that matches a selector, or None.
    fn closest(&self, py: Python<'_>, selector: Query) -> PyResult<Option<Handle>> {
        let id = self.with(py, |node| {
            node.closest(selector.as_ref())
                .map(|found| found.map(|node| node.id()))
        });
        let id = id.map_err(selector_error)?;
        Ok(id.map(|id| self.handle(py, id)))
    }

    /// Evaluates an expression of XPath 1.0 with the node as the context: a str or an XPath. Returns a list, a float, a str
    /// or a bool. A list contains nodes; attributes and namespaces are their values.
    ///
    /// Raises XPathError.
    ///
    /// >>> import tagstream
    /// >>> page = tagstream.parse_html("<a href=/b>c</a>")
    /// >>> page.xpath("//a/@href"), page.xpath("count(//a)"), page.xpath("string(//a)")
    /// (['/b'], 1.0, 'c')
    pub(crate) fn xpath(&self, py: Python<'_>, expression: Expression) -> PyResult<Py<PyAny>> {
        let value = self.with_detached(py, |node| match expression.as_ref().evaluate(node)? {
            XPathValue::Nodes(nodes) => Ok(Value::List(nodes.iter().map(Item::of).collect())),
            XPathValue::Number(number) => Ok(Value::Number(number)),
            XPathValue::String(string) => Ok(Value::String(string)),
            XPathValue::Boolean(boolean) => Ok(Value::Boolean(boolean)),
        });
        Ok(match value.map_err(xpath_error)? {
            Value::List(items) => {
                let items = items.into_iter().map(|item| match item {
                    Item::Node(id) => Ok(self.handle(py, id).into_pyobject(py)?.into_any()),
                    Item::Text(text) => Ok(PyString::new(py, &text).into_any()),
                });
                items
                    .collect::<PyResult<Vec<_>>>()?
                    .into_pyobject(py)?
                    .unbind()
            }
            Value::Number(number) => number.into_pyobject(py)?.into_any().unbind(),
            Value::String(string) => string.into_pyobject(py)?.into_any().unbind(),
            Value::Boolean(boolean) => boolean.into_pyobject(py)?.to_owned().into_any().unbind(),
        })
    }

    /// Returns the text as a browser shows it, with line breaks between blocks and without scripts: the innerText of
    /// HTML, for a page without style sheets.
    ///
    /// >>> import tagstream
    /// >>> tagstream.parse_html("<p>one  <b>two</b><p>three<script>x</script>").body.inner_text()
    /// 'one two\n\nthree'
    fn inner_text(&self, py: Python<'_>) -> String {
        self.with_detached(py, |node| node.inner_text())
    }

    /// The line on which the node begins, from 1, if the document was parsed with positions=True; otherwise None.
    #[getter]
    fn line(&self, py: Python<'_>) -> Option<u64> {
        self.with(py, |node| node.position().map(|position| position.line()))
    }

    /// The column at which the node begins, from 1, if the document was parsed with positions=True; otherwise None.
    #[getter]
    fn column(&self, py: Python<'_>) -> Option<u64> {
        self.with(py, |node| node.position().map(|position| position.column()))
    }

    /// The byte offset at which the node begins, if the document was parsed with positions=True; otherwise None.
    #[getter]
    fn offset(&self, py: Python<'_>) -> Option<u64> {
        self.with(py, |node| node.span().map(|span| span.start))
    }

    /// Writes the node as HTML.
    fn to_html(&self, py: Python<'_>) -> String {
        self.with_detached(py, |node| node.to_html())
    }

    /// Writes the node as XML. Raises ValueError for a tree that has no form in XML.
    fn to_xml(&self, py: Python<'_>) -> PyResult<String> {
        let written =
            self.with_detached(py, |node| node.to_xml().map_err(|error| error.to_string()));
        written.map_err(PyValueError::new_err)
    }

    /// The children, written as HTML.
    #[getter]
    fn inner_html(&self, py: Python<'_>) -> String {
        self.with_detached(py, |node| node.to_inner_html())
    }

    /// Returns the element as nested dictionaries: attributes have the prefix @, repeated children are lists, an element
    /// without attributes and children is its text or None, and the text of other elements is the item #text.
    ///
    /// >>> import tagstream
    /// >>> tagstream.parse_xml("<a x='1'><b>2</b><b>3</b></a>").root_element.to_dict()
    /// {'@x': '1', 'b': ['2', '3']}
    fn to_dict(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        // A copy, because dictionaries must not be created under the lock of the document.
        let copy = self.with_detached(py, |node| {
            let mut copy = tagstream::Document::new();
            let id = copy.import(node)?;
            Ok((copy, id))
        });
        let (copy, id) = copy.map_err(|error: EditError| edit_error(py, error, None))?;
        match copy.node(id) {
            Some(node) => dictionary::of(py, node),
            None => Ok(py.None()),
        }
    }

    fn __eq__(&self, other: &Node) -> bool {
        self.id == other.id && self.document.as_ptr() == other.document.as_ptr()
    }

    fn __hash__(&self) -> u64 {
        // Objects are aligned to 16 bytes, so that the lower bits of their addresses are the same.
        let document = self.document.as_ptr() as usize as u64 >> 4;
        document.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ self.id.index() as u64
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        self.with(py, |node| match node.kind() {
            NodeKind::Element => format!("<Node {}>", node.name()),
            NodeKind::Text => format!(
                "<Node text {:?}>",
                node.text().chars().take(40).collect::<String>()
            ),
            kind => format!("<Node {kind:?}>"),
        })
    }
}
