//! `XPath`: a compiled expression with its namespaces and variables, and its evaluation.

use super::check::{ValueType, Variables, check, find_variable};
use super::corrections::{self, BEGIN_LOCAL_NAME, BEGIN_NAME, END_NAME};
use super::error::{XPathError, XPathErrorKind};
use super::model::{Item, Tree};
use super::outline::Outline;
use super::value::{XPathValue, XPathVariable};
use crate::tree::Node;
use crate::tree::namespaces::PREDEFINED_PREFIXES;
use alloc::borrow::{Cow, ToOwned};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;
use xpath_eval::{DocumentCache, EvaluationContext, Expr, PathExpr, QName, Value};

/// A compiled XPath expression: see [`xpath`](crate::xpath).
///
/// ```
/// use tagstream::xpath::XPath;
/// use tagstream::{Document, Html};
///
/// let links = XPath::new("//a[starts-with(@href, 'http:')]/@href")?;
/// for page in ["<a href=http:/a>a</a>", "<a>b</a><a href=http:/c>c</a>"] {
///     assert_eq!(Document::parse(Html::default(), page)?.xpath(&links)?.count(), 1);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct XPath {
    /// The text of the expression.
    text: String,
    /// The places of the parts of the expression.
    pub(super) outline: Outline,
    /// The syntax tree as parsed, with balanced chains.
    pub(super) parsed: Expr,
    /// The syntax tree for the evaluator.
    corrected: Expr,
    /// True if an absolute path in a predicate is evaluated again for each node, so that a cache of the document's nodes
    /// makes the evaluation faster.
    needs_cache: bool,
    /// Pairs of prefix and namespace name. The last declaration of a prefix applies.
    namespaces: Vec<(String, String)>,
    /// Pairs of name and value. The last value of a variable applies.
    pub(super) variables: Vec<(String, XPathVariable)>,
}

impl fmt::Debug for XPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "XPath({:?})", self.text)
    }
}

impl fmt::Display for XPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for XPath {
    type Err = XPathError;

    fn from_str(text: &str) -> Result<XPath, XPathError> {
        XPath::new(text)
    }
}

impl XPath {
    /// Compiles an expression.
    ///
    /// ```
    /// use tagstream::xpath::XPath;
    ///
    /// assert!(XPath::new("//a[@href]").is_ok());
    /// let error = XPath::new("//a[@href").unwrap_err();
    /// assert_eq!(error.offset(), 9);
    /// ```
    ///
    /// # Errors
    ///
    /// A syntax error, a function that XPath 1.0 does not have or that has a wrong number of arguments, a number, string
    /// or boolean where nodes are needed, or an expression that is too long or nested too deeply.
    #[doc(alias("parse", "compile"))]
    pub fn new(text: &str) -> Result<XPath, XPathError> {
        let outline = Outline::new(text)?;
        let parsed = xpath_eval::parse(text).map_err(|error| {
            let message = format!("invalid XPath expression: {}", error.message);
            XPathError::new(XPathErrorKind::Syntax, error.position, message)
        })?;
        let parsed = corrections::balance(parsed);
        check(&parsed, &outline, None)?;
        let corrected = corrections::correct(parsed.clone());
        Ok(XPath {
            text: text.to_owned(),
            outline,
            needs_cache: has_absolute_path_in_predicate(&parsed, false),
            parsed,
            corrected,
            namespaces: Vec::new(),
            variables: Vec::new(),
        })
    }

    /// Declares the namespace of a prefix. The prefixes `html`, `svg`, `math`, `xlink` and `xml` are predefined, and a
    /// declaration of `xml` has no effect. XPath has no default namespace, so a declaration of the empty prefix has no
    /// effect either: a name without prefix is a name in no namespace, except in HTML documents.
    ///
    /// ```
    /// use tagstream::xpath::XPath;
    /// use tagstream::{Document, Xml};
    ///
    /// let titles = XPath::new("//atom:entry/atom:title")?.namespace("atom", "http://www.w3.org/2005/Atom");
    /// let feed = "<feed xmlns='http://www.w3.org/2005/Atom'><entry><title>One</title></entry></feed>";
    /// assert_eq!(Document::parse(Xml::default(), feed)?.xpath(&titles)?.count(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn namespace(mut self, prefix: &str, name: &str) -> XPath {
        self.namespaces.push((prefix.to_owned(), name.to_owned()));
        self
    }

    /// Sets the value of a variable. Use variables for strings that come from elsewhere, because a string literal cannot
    /// contain both kinds of quotes.
    ///
    /// ```
    /// use tagstream::xpath::XPath;
    /// use tagstream::{Document, Html};
    ///
    /// let page = Document::parse(Html::default(), "<p id=1>a</p><p id=2>\"it's\"</p>")?;
    /// let paragraph = XPath::new("//p[. = $text]/@id")?.variable("text", "\"it's\"");
    /// assert_eq!(paragraph.evaluate(page.root())?.to_string(), "2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn variable(mut self, name: &str, value: impl Into<XPathVariable>) -> XPath {
        self.variables.push((name.to_owned(), value.into()));
        self
    }

    /// Evaluates the expression. `node` is the context node, from which relative paths begin. Absolute paths begin at
    /// the topmost ancestor of `node`: the document, or the root of a subtree that is not in the document.
    ///
    /// The time depends on the expression. Most expressions take time proportional to the number of nodes that they
    /// visit, but some take quadratic time, such as `count(//a//a)`, or more. Expressions must come from the program, and
    /// not from strangers.
    ///
    /// ```
    /// use tagstream::xpath::{XPath, XPathValue};
    /// use tagstream::{Document, Html};
    ///
    /// let page = Document::parse(Html::default(), "<ul><li>a<li>b<li>c")?;
    /// let list = page.xpath("//ul")?.next().and_then(|found| found.node()).unwrap();
    /// assert_eq!(XPath::new("count(li)")?.evaluate(list)?, XPathValue::Number(3.0));
    /// assert_eq!(XPath::new("li[last()]")?.evaluate(list)?.to_string(), "c");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A prefix without namespace, a variable without value, or a variable that is not nodes where nodes are needed.
    pub fn evaluate<'d>(&self, node: Node<'d>) -> Result<XPathValue<'d>, XPathError> {
        self.check_names()?;
        let tree = Tree::new(node.document());
        let namespaces = |prefix: &str| self.find_namespace(prefix).map(ToOwned::to_owned);
        let variables = |name: &QName| variable(&tree, &self.variables, name);
        let cache = DocumentCache::new();
        let mut context = EvaluationContext::new(tree.item(node));
        context.namespaces = Some(&namespaces);
        context.variables = Some(&variables);
        context.cache = self.needs_cache.then_some(&cache);
        let value = xpath_eval::evaluate(&self.corrected, &context).map_err(|error| {
            // The checks find all other errors before.
            XPathError::new(XPathErrorKind::NotNodes, 0, format!("{error}"))
        })?;
        Ok(match value {
            Value::NodeSet(nodes) => {
                XPathValue::Nodes(nodes.into_iter().map(Item::result).collect())
            }
            Value::Number(number) => XPathValue::Number(number),
            Value::String(string) => XPathValue::String(string),
            Value::Boolean(boolean) => XPathValue::Boolean(boolean),
        })
    }

    /// Checks that all prefixes and variables are known, and returns the type of the value.
    pub(super) fn check_names(&self) -> Result<ValueType, XPathError> {
        for (prefix, offset) in &self.outline.prefixes {
            if self.find_namespace(prefix).is_none() {
                let message = format!("the namespace prefix `{prefix}` is not declared");
                let kind = XPathErrorKind::UnknownPrefix;
                return Err(XPathError::new(kind, *offset, message));
            }
        }
        check(&self.parsed, &self.outline, Some(&self.variables))
    }

    /// Returns the name of the namespace to which a prefix is bound.
    pub(super) fn find_namespace(&self, prefix: &str) -> Option<&str> {
        let mut declared = self.namespaces.iter().rev();
        let declared = declared.find(|(known, _)| known == prefix && prefix != "xml");
        if let Some((_, name)) = declared {
            return Some(name);
        }
        let mut predefined = PREDEFINED_PREFIXES.iter();
        let found = predefined.find(|(known, _)| *known == prefix);
        found.map(|(_, name)| *name)
    }
}

/// Returns the value of a variable for the evaluator. The variables of [`corrections`] change the state of the model.
fn variable<'t, 'd>(
    tree: &Tree<'d>,
    variables: &Variables,
    name: &QName,
) -> Option<Value<Item<'t, 'd>>> {
    let mut names = tree.names.borrow_mut();
    match &*name.local {
        BEGIN_NAME => names.push(true),
        BEGIN_LOCAL_NAME => names.push(false),
        END_NAME => {
            names.pop();
        }
        _ => {
            return Some(match find_variable(variables, name)? {
                XPathVariable::Number(number) => Value::Number(*number),
                XPathVariable::String(string) => Value::String(string.clone()),
                XPathVariable::Boolean(boolean) => Value::Boolean(*boolean),
            });
        }
    }
    Some(Value::String(String::new()))
}

/// Returns true if a predicate contains an absolute path. `is_predicate` is true if the expression itself is in a
/// predicate.
fn has_absolute_path_in_predicate(expression: &Expr, is_predicate: bool) -> bool {
    let has = |part: &Expr| has_absolute_path_in_predicate(part, is_predicate);
    match expression {
        Expr::Or(left, right)
        | Expr::And(left, right)
        | Expr::Equality(left, _, right)
        | Expr::Relational(left, _, right)
        | Expr::Additive(left, _, right)
        | Expr::Multiplicative(left, _, right)
        | Expr::Union(left, right) => has(left) || has(right),
        Expr::Negate(operand) => has(operand),
        Expr::Path(path) => {
            let (filter, location) = match path {
                PathExpr::Location(location) => (None, Some(location)),
                PathExpr::Filter(filter) => (Some(filter), None),
                PathExpr::FilterLocation(filter, location) => (Some(filter), Some(location)),
            };
            let primary = filter.map(|filter| &filter.primary);
            let parts = match primary {
                Some(xpath_eval::PrimaryExpr::Parenthesized(inner)) => {
                    core::slice::from_ref(&**inner)
                }
                Some(xpath_eval::PrimaryExpr::Function(call)) => &call.args,
                _ => &[],
            };
            let steps = location.into_iter().flat_map(|location| &location.steps);
            let predicates = steps.flat_map(|step| &step.predicates);
            let mut predicates =
                predicates.chain(filter.into_iter().flat_map(|filter| &filter.predicates));
            let is_absolute = location.is_some_and(|location| location.is_absolute);
            is_predicate && is_absolute
                || parts.iter().any(has)
                || predicates.any(|one| has_absolute_path_in_predicate(one, true))
        }
    }
}

/// A type that can be used as an expression: a string, which is compiled at each call, or an [`XPath`].
///
/// ```
/// use tagstream::xpath::{IntoXPath, XPath};
///
/// assert!("//a/@href".into_xpath().is_ok());
/// assert!(XPath::new("//a/@href")?.into_xpath().is_ok());
/// # Ok::<(), tagstream::xpath::XPathError>(())
/// ```
pub trait IntoXPath<'x>: Sealed {
    /// Returns the compiled expression.
    ///
    /// # Errors
    ///
    /// The same as for [`XPath::new`].
    fn into_xpath(self) -> Result<Cow<'x, XPath>, XPathError>;
}

/// Supertrait of [`IntoXPath`] that is not exported, so that other crates cannot implement it.
pub trait Sealed {}

impl Sealed for &str {}
impl Sealed for &String {}
impl Sealed for &XPath {}
impl Sealed for XPath {}

impl<'x> IntoXPath<'x> for &str {
    fn into_xpath(self) -> Result<Cow<'x, XPath>, XPathError> {
        XPath::new(self).map(Cow::Owned)
    }
}

impl<'x> IntoXPath<'x> for &String {
    fn into_xpath(self) -> Result<Cow<'x, XPath>, XPathError> {
        XPath::new(self).map(Cow::Owned)
    }
}

impl<'x> IntoXPath<'x> for &'x XPath {
    fn into_xpath(self) -> Result<Cow<'x, XPath>, XPathError> {
        Ok(Cow::Borrowed(self))
    }
}

impl<'x> IntoXPath<'x> for XPath {
    fn into_xpath(self) -> Result<Cow<'x, XPath>, XPathError> {
        Ok(Cow::Owned(self))
    }
}
