//! The values of expressions: [`XPathValue`] and [`XPathNode`]; and those of variables.

use super::model::Item;
use crate::tree::{Attribute, Node, NodeKind};
use alloc::borrow::Cow;
use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::iter::FusedIterator;
use xpath_eval::Value;

/// The value of an XPath expression.
///
/// ```
/// use tagstream::xpath::{XPath, XPathValue};
/// use tagstream::{Document, Xml};
///
/// let document = Document::parse(Xml::default(), "<a><b>1</b><b>2</b></a>")?;
/// let value = |expression: &str| XPath::new(expression)?.evaluate(document.root());
/// assert_eq!(value("sum(//b)")?, XPathValue::Number(3.0));
/// assert_eq!(value("string(//b)")?, XPathValue::String("1".to_owned()));
/// assert_eq!(value("//b = 2")?, XPathValue::Boolean(true));
/// assert!(matches!(value("//b")?, XPathValue::Nodes(nodes) if nodes.len() == 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum XPathValue<'d> {
    /// Nodes in document order, each of them once.
    Nodes(Vec<XPathNode<'d>>),
    /// A number.
    Number(f64),
    /// A string.
    String(String),
    /// A boolean.
    Boolean(bool),
}

impl XPathValue<'_> {
    /// Converts the value to a boolean as the function `boolean` of XPath does: nodes are true if there is a node, and a
    /// string is true if it is not empty.
    pub fn to_boolean(&self) -> bool {
        match self {
            XPathValue::Nodes(nodes) => !nodes.is_empty(),
            XPathValue::Number(number) => *number != 0.0 && !number.is_nan(),
            XPathValue::String(string) => !string.is_empty(),
            XPathValue::Boolean(boolean) => *boolean,
        }
    }

    /// Converts the value to a number as the function `number` of XPath does. Nodes are converted to a string first. The
    /// result is NaN for a string that is not a number.
    ///
    /// ```
    /// use tagstream::xpath::XPath;
    /// use tagstream::{Document, Html};
    ///
    /// let page = Document::parse(Html::default(), "<table><td> 12.50 </td><td>free</td></table>")?;
    /// for (expression, number) in [("//td", 12.5), ("true()", 1.0)] {
    ///     assert_eq!(XPath::new(expression)?.evaluate(page.root())?.to_number(), number);
    /// }
    /// assert!(XPath::new("//td[2]")?.evaluate(page.root())?.to_number().is_nan());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_number(&self) -> f64 {
        match self {
            XPathValue::Number(number) => *number,
            XPathValue::Boolean(boolean) => f64::from(u8::from(*boolean)),
            XPathValue::Nodes(_) | XPathValue::String(_) => {
                PlainValue::String(self.to_string_value()).to_number()
            }
        }
    }

    /// Returns the type of the value for messages.
    pub(super) fn type_name(&self) -> &'static str {
        match self {
            XPathValue::Nodes(_) => "nodes",
            XPathValue::Number(_) => "a number",
            XPathValue::String(_) => "a string",
            XPathValue::Boolean(_) => "a boolean",
        }
    }

    /// Returns the string of [`Display`](fmt::Display).
    fn to_string_value(&self) -> String {
        match self {
            XPathValue::Nodes(nodes) => {
                let first = nodes.first();
                first.map_or_else(String::new, |first| first.value().into_owned())
            }
            XPathValue::Number(number) => PlainValue::Number(*number).to_xpath_string(),
            XPathValue::String(string) => string.clone(),
            XPathValue::Boolean(boolean) => PlainValue::Boolean(*boolean).to_xpath_string(),
        }
    }
}

/// A value that contains no nodes, whose conversions are those of the evaluator.
type PlainValue = Value<Item<'static, 'static>>;

/// Displays the value as the function `string` of XPath converts it. For nodes this is the string value of the first
/// one.
///
/// ```
/// use tagstream::xpath::XPath;
/// use tagstream::{Document, Xml};
///
/// let document = Document::parse(Xml::default(), "<a><b>1</b><b>2</b></a>")?;
/// for (expression, string) in [("//b", "1"), ("1 div 3", "0.3333333333333333"), ("1 div 0", "Infinity")] {
///     assert_eq!(XPath::new(expression)?.evaluate(document.root())?.to_string(), string);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl fmt::Display for XPathValue<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.to_string_value())
    }
}

/// A node of XPath's data model.
///
/// ```
/// use tagstream::xpath::XPathNode;
/// use tagstream::{Document, Html};
///
/// let page = Document::parse(Html::default(), "<p>See <a href=/a>this</a>")?;
/// for node in page.xpath("//a | //a/@href")? {
///     match node {
///         XPathNode::Node(node) => assert_eq!(node.text_content(), "this"),
///         XPathNode::Attribute { element, attribute } => {
///             assert_eq!((element.name(), attribute.value()), ("a", "/a"));
///         }
///         _ => unreachable!(),
///     }
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum XPathNode<'d> {
    /// A document or fragment, an element, a text, a comment or a processing instruction. If a program has put several
    /// text nodes side by side, they are one node of XPath's data model, and this is the first of them.
    Node(Node<'d>),
    /// An attribute. Declarations of namespaces are no attributes in XPath.
    Attribute {
        /// The element that has the attribute.
        element: Node<'d>,
        /// The attribute.
        attribute: Attribute<'d>,
    },
    /// A prefix that is bound at an element: a node of the axis `namespace`.
    Namespace {
        /// The element at which the prefix is bound.
        element: Node<'d>,
        /// The prefix, or an empty string for the default namespace.
        prefix: &'d str,
        /// The name of the namespace.
        uri: &'d str,
    },
}

impl<'d> XPathNode<'d> {
    /// Returns the qualified name of an element or attribute, the target of a processing instruction, or the prefix of a
    /// namespace. The result for all other nodes is an empty string.
    pub fn name(&self) -> &'d str {
        match self {
            XPathNode::Node(node) => node.name(),
            XPathNode::Attribute { attribute, .. } => attribute.name(),
            XPathNode::Namespace { prefix, .. } => prefix,
        }
    }

    /// Returns the string value: the value of an attribute, the text of a text node, a comment or a processing
    /// instruction, the name of a namespace, or the [text content](Node::text_content) of an element or document.
    ///
    /// ```
    /// use tagstream::{Document, Html};
    ///
    /// let page = Document::parse(Html::default(), "<p class=x>Tom <b>Jerry")?;
    /// let values = page.xpath("//p | //p/@class | //b/text()")?;
    /// let values: Vec<_> = values.map(|node| node.value().into_owned()).collect();
    /// assert_eq!(values, ["Tom Jerry", "x", "Jerry"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn value(&self) -> Cow<'d, str> {
        match self {
            XPathNode::Attribute { attribute, .. } => attribute.value().into(),
            XPathNode::Namespace { uri, .. } => (*uri).into(),
            XPathNode::Node(node) => match node.kind() {
                NodeKind::Comment | NodeKind::ProcessingInstruction => node.text().into(),
                NodeKind::Text => text_value(*node),
                _ => node.text_content().into(),
            },
        }
    }

    /// Returns the node of the tree, or `None` for an attribute and a namespace.
    ///
    /// ```
    /// use tagstream::{Document, Html};
    ///
    /// let page = Document::parse(Html::default(), "<p>a<p>b")?;
    /// let paragraphs = page.xpath("//p[. = 'b']")?.filter_map(|found| found.node());
    /// assert_eq!(paragraphs.count(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn node(&self) -> Option<Node<'d>> {
        match self {
            XPathNode::Node(node) => Some(*node),
            _ => None,
        }
    }
}

/// Returns the text of a text node and of the text nodes that follow it directly.
pub(super) fn text_value(node: Node<'_>) -> Cow<'_, str> {
    let mut text = Cow::from(node.text());
    let mut next = node.next_sibling();
    while let Some(node) = next.filter(Node::is_text) {
        text.to_mut().push_str(node.text());
        next = node.next_sibling();
    }
    text
}

/// The iterator that [`Document::xpath`](crate::Document::xpath) and [`Node::xpath`] return: nodes in document order.
#[derive(Clone, Debug)]
pub struct XPathNodes<'d> {
    pub(super) nodes: alloc::vec::IntoIter<XPathNode<'d>>,
}

impl<'d> Iterator for XPathNodes<'d> {
    type Item = XPathNode<'d>;

    fn next(&mut self) -> Option<XPathNode<'d>> {
        self.nodes.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.nodes.size_hint()
    }
}

impl DoubleEndedIterator for XPathNodes<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.nodes.next_back()
    }
}

impl ExactSizeIterator for XPathNodes<'_> {}

impl FusedIterator for XPathNodes<'_> {}

/// The value of a variable: see [`XPath::variable`](crate::xpath::XPath::variable).
#[derive(Clone, Debug, PartialEq)]
pub enum XPathVariable {
    /// A number.
    Number(f64),
    /// A string.
    String(String),
    /// A boolean.
    Boolean(bool),
}

impl From<f64> for XPathVariable {
    fn from(number: f64) -> XPathVariable {
        XPathVariable::Number(number)
    }
}

impl From<i32> for XPathVariable {
    fn from(number: i32) -> XPathVariable {
        XPathVariable::Number(number.into())
    }
}

impl From<&str> for XPathVariable {
    fn from(string: &str) -> XPathVariable {
        XPathVariable::String(string.to_owned())
    }
}

impl From<String> for XPathVariable {
    fn from(string: String) -> XPathVariable {
        XPathVariable::String(string)
    }
}

impl From<bool> for XPathVariable {
    fn from(boolean: bool) -> XPathVariable {
        XPathVariable::Boolean(boolean)
    }
}
