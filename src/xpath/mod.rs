//! XPath 1.0 for a [`Document`] and a [`Node`], and for the start tags of a stream.
//!
//! ```
//! use tagstream::{Document, Html};
//!
//! let page = Document::parse(Html::default(), "<p>See <a href=/a>this</a>, <a href=/b>that")?;
//! let links: Vec<_> = page.xpath("//a/@href")?.map(|link| link.value()).collect();
//! assert_eq!(links, ["/a", "/b"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! An [`XPath`] is compiled once and can be used many times, and has [namespaces](XPath::namespace) and
//! [variables](XPath::variable). Functions that accept a string compile it at each call. [`XPath::evaluate`] returns
//! values of all four types: nodes, numbers, strings and booleans.
//!
//! # Supported expressions
//!
//! All of XPath 1.0: thirteen axes, predicates, unions, operators, and the 27 functions of the core library. Expressions
//! that are longer than 16 KiB or nested more deeply than 64 levels are refused.
//!
//! **Expressions must come from the program**, and not from strangers: the evaluation of some takes quadratic time or
//! more, such as `count(//a//a)` in a document with many nested `a` elements. The evaluation does not recurse on the
//! depth of the document.
//!
//! # The document
//!
//! - Text is one node up to the next element, comment or processing instruction; CDATA sections are part of it. The
//!   DOCTYPE is not a node. Declarations of namespaces are not attributes, but nodes of the axis `namespace`.
//! - `id('a')` finds the attributes `id` in no namespace and `xml:id`, as DOM does, whatever a DTD declares.
//! - The contents of a template are a separate tree: evaluate expressions there with [`Node::template_contents`]. The same
//!   applies to shadow roots.
//! - In an HTML document, a name without prefix is the name of HTML elements, and upper and lower case do not differ, as
//!   in `document.evaluate` of browsers: `//DIV` and `//div` select the same elements. Elements of SVG and MathML need a
//!   prefix (`//svg:path`). The names of attributes of HTML elements do not differ in case either. HTML has no
//!   declarations of namespaces, so the axis `namespace` is empty.

// - `error.rs`: the error type; `value.rs`: values and nodes of results.
// - `expression.rs`: the type `XPath`, which parses and evaluates with the crate `xpath-eval`.
// - `outline.rs`, `check.rs`: places and depth of the parts of an expression, and checks before the evaluation.
// - `corrections.rs`: changes of the syntax tree between parsing and evaluation.
// - `model.rs`, `order.rs`: XPath's data model over a tree, and document order.
// - `selector.rs`: translation of expressions to selectors, for streams.

mod check;
mod corrections;
mod error;
mod expression;
mod model;
mod order;
mod outline;
#[cfg(feature = "select")]
mod selector;
mod value;

pub use error::{XPathError, XPathErrorKind};
pub use expression::{IntoXPath, XPath};
pub use value::{XPathNode, XPathNodes, XPathValue, XPathVariable};

use crate::tree::{Document, Node};

impl Document {
    /// Returns the nodes that an XPath expression selects, in document order. The expression is a string or an
    /// [`XPath`]; relative paths begin at the document. For numbers, strings and booleans, see [`XPath::evaluate`].
    ///
    /// ```
    /// use tagstream::{Document, Xml};
    ///
    /// let feed = Document::parse(Xml::default(), "<feed><entry/><entry id='2'><x/></entry></feed>")?;
    /// assert_eq!(feed.xpath("/feed/entry")?.count(), 2);
    /// let entry = feed.xpath("//x/parent::entry")?.next().and_then(|found| found.node());
    /// assert_eq!(entry.and_then(|entry| entry.attribute("id")), Some("2"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`XPath::new`] and [`XPath::evaluate`], and an expression whose value is not nodes.
    #[doc(alias("evaluate", "findall", "xpath_eval"))]
    pub fn xpath<'x>(&self, expression: impl IntoXPath<'x>) -> Result<XPathNodes<'_>, XPathError> {
        self.root().xpath(expression)
    }
}

impl<'d> Node<'d> {
    /// Returns the nodes that an XPath expression selects, in document order. Relative paths begin at this node. An
    /// absolute path, such as `//a`, begins at the document: write `.//a` for descendants of this node.
    ///
    /// ```
    /// use tagstream::{Document, Html};
    ///
    /// let page = Document::parse(Html::default(), "<ul><li>a</ul><ul><li>b<li>c</ul>")?;
    /// let list = page.xpath("//ul[2]")?.next().and_then(|found| found.node()).unwrap();
    /// assert_eq!(list.xpath(".//li")?.count(), 2);
    /// assert_eq!(list.xpath("//li")?.count(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The same as for [`Document::xpath`].
    #[doc(alias("evaluate", "findall", "xpath_eval"))]
    pub fn xpath<'x>(&self, expression: impl IntoXPath<'x>) -> Result<XPathNodes<'d>, XPathError> {
        let expression = expression.into_xpath()?;
        let nodes = match expression.evaluate(*self)? {
            XPathValue::Nodes(nodes) => nodes,
            value => {
                let message = alloc::format!(
                    "the value of the expression is {}, and not nodes: use `XPath::evaluate`",
                    value.type_name()
                );
                return Err(XPathError::new(XPathErrorKind::NotNodes, 0, message));
            }
        };
        Ok(XPathNodes {
            nodes: nodes.into_iter(),
        })
    }
}
