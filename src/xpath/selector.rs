//! Translation of expressions to selectors, which streams match in constant memory.
//!
//! The result is the text of a CSS selector that selects the same elements: `/a//b[@c = 'd']` becomes `a:root b[c="d" s]`.
//! The pseudo-class `:-xpath-unprefixed` is the rule of XPath for names without prefix. A selector can be in a set, in a
//! rewriter and in a checkpoint, and none of these has to know XPath.

use super::check::{ValueType, find_variable};
use super::error::{XPathError, XPathErrorKind};
use super::expression::{IntoXPath, XPath};
use super::value::XPathVariable;
use crate::engine::dialect::{Balance, Form};
use crate::rewrite::Rewriter;
use crate::select::{Selector, SelectorId};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use xpath_eval::{
    AdditiveOp, Axis, EqualityOp, Expr, FilterExpr, FunctionCall, LocationPath, MultiplicativeOp,
    NodeTest, PathExpr, PrimaryExpr, QName, RelationalOp, Step,
};

impl XPath {
    /// Returns a selector that selects the same elements, for [`Events::select`](crate::Events::select),
    /// [`SelectorSet`](crate::select::SelectorSet) and [`Rewriter::select`](crate::Rewriter::select). Streams do not build
    /// a tree, so start tags must decide the expression:
    ///
    /// - paths of the axes `child` and `descendant`, absolute or relative to the document (`/feed/entry`, `//entry/title`,
    ///   `.//title`), with names, `*` and prefixes;
    /// - predicates with `@a`, `@a = 'text'`, `@a != 'text'`, `contains(@a, 'text')`, `starts-with(@a, 'text')`,
    ///   `local-name() = 'a'`, `self::a`, `and`, `or`, `not(…)`, and with variables instead of literals;
    /// - unions of these.
    ///
    /// ```
    /// use tagstream::xpath::XPath;
    /// use tagstream::{Html, Rewriter};
    ///
    /// let links = XPath::new("//a[starts-with(@href, 'http:')]")?.to_selector()?;
    /// let mut rewriter = Rewriter::new(Html::default());
    /// rewriter.select(&links)?;
    /// rewriter.feed("<p><a href=http:b>c</a><a>d</a>");
    /// rewriter.finish();
    /// while let Some(mut event) = rewriter.next_selected()? {
    ///     event.set_attribute("rel", "nofollow");
    /// }
    /// assert_eq!(rewriter.output(), br#"<p><a href=http:b rel="nofollow">c</a><a>d</a>"#);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The part of the expression that needs a tree, a value that is not nodes, a step that can select other nodes than
    /// elements, a prefix without namespace, or a variable without value.
    ///
    /// ```
    /// use tagstream::xpath::XPath;
    ///
    /// let error = XPath::new("//entry[title]/@id")?.to_selector().unwrap_err();
    /// let message = "streams do not support `child::title`, so the expression needs a tree (offset 8)";
    /// assert_eq!(error.to_string(), message);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_selector(&self) -> Result<Selector, XPathError> {
        self.check_value()?;
        let mut translation = Translation::new(self);
        let css = translation.union(&self.parsed)?;
        build(self, &css)
    }

    /// Returns the selector of the elements, and the name of the attribute, for an expression that selects an attribute of
    /// elements: `//a/@href` selects the attribute `href` of the elements `a[href]`. The start tags of these elements have
    /// the values. In HTML, the name in the tag may be in lower case.
    ///
    /// ```
    /// use tagstream::xpath::XPath;
    /// use tagstream::{Events, Html};
    ///
    /// let (links, name) = XPath::new("//a/@href")?.to_attribute_selector()?;
    /// let mut events = Events::of(Html::default(), "<p><a href=/b>c</a><a>d</a>").balanced();
    /// let mut matches = events.select(&links)?;
    /// while let Some(link) = matches.next_match()? {
    ///     assert_eq!(link.tag().attribute(&name), Some("/b"));
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The same as for [`to_selector`](XPath::to_selector). The last step must be a single attribute without prefix.
    pub fn to_attribute_selector(&self) -> Result<(Selector, String), XPathError> {
        self.check_value()?;
        let mut translation = Translation::new(self);
        let (location, last) = match &self.parsed {
            Expr::Path(PathExpr::Location(location)) => match location.steps.split_last() {
                Some((last, steps)) => (steps, last),
                None => return Err(translation.refuse(&self.parsed)),
            },
            other => return Err(translation.refuse(other)),
        };
        // `//@a` is an attribute of any element.
        let css = match location {
            [step] if step.axis == Axis::DescendantOrSelf && is_plain(step) => {
                translation.steps += 1;
                "*|*".to_string()
            }
            steps => translation.path(steps)?,
        };
        let name = match &last.node_test {
            NodeTest::QName(QName {
                prefix: None,
                local,
            }) if last.axis == Axis::Attribute && last.predicates.is_empty() => local,
            _ => return Err(translation.refuse_step(last)),
        };
        let css = format!("{css}[{}]", identifier(name));
        Ok((build(self, &css)?, name.clone()))
    }

    /// Checks that all prefixes and variables are known, and that the value is nodes.
    fn check_value(&self) -> Result<(), XPathError> {
        match self.check_names()? {
            ValueType::Nodes | ValueType::Unknown => Ok(()),
            other => {
                let name = other.name();
                let message = format!("the value of the expression is {name}, and not nodes");
                Err(XPathError::new(XPathErrorKind::NotNodes, 0, message))
            }
        }
    }
}

impl<D: Balance, F: Form> Rewriter<D, F> {
    /// Adds an XPath expression for elements, as [`select`](Rewriter::select) adds a selector. The elements that the
    /// expression selects are matched while the document is read, so start tags must decide the expression: see
    /// [`XPath::to_selector`]. Call this method before the first `feed`, as often as you like.
    ///
    /// ```
    /// use tagstream::xpath::XPath;
    /// use tagstream::{Rewriter, Xml};
    ///
    /// let links = XPath::new("//a:link[@rel = 'self']")?.namespace("a", "http://www.w3.org/2005/Atom");
    /// let mut rewriter = Rewriter::new(Xml::default());
    /// let links = rewriter.select_xpath(&links)?;
    /// rewriter.feed("<feed xmlns='http://www.w3.org/2005/Atom'><link/><link rel='self'/></feed>");
    /// rewriter.finish();
    /// while let Some(mut event) = rewriter.next_selected()? {
    ///     if event.is_selected(links) {
    ///         event.remove()?;
    ///     }
    /// }
    /// assert_eq!(rewriter.output(), b"<feed xmlns='http://www.w3.org/2005/Atom'><link/></feed>");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`XPath::new`] and of [`XPath::to_selector`]: for example, the part of the expression that needs a tree.
    pub fn select_xpath<'x>(
        &mut self,
        expression: impl IntoXPath<'x>,
    ) -> Result<SelectorId, XPathError> {
        let selector = expression.into_xpath()?.to_selector()?;
        self.select(&selector).map_err(|_| too_large())
    }
}

/// Returns true for `node()` without a predicate.
fn is_plain(step: &Step) -> bool {
    step.node_test == NodeTest::Node && step.predicates.is_empty()
}

/// Compiles the translated text of an expression.
fn build(expression: &XPath, css: &str) -> Result<Selector, XPathError> {
    let mut builder = Selector::builder();
    for (prefix, _) in &expression.outline.prefixes {
        if let Some(name) = expression.find_namespace(prefix) {
            builder = builder.namespace(prefix, name);
        }
    }
    builder.build(css).map_err(|_| too_large())
}

/// Returns the error for an expression whose selector is refused because of its size.
fn too_large() -> XPathError {
    let message = "the expression has too many steps for a stream";
    XPathError::new(XPathErrorKind::TooLarge, 0, message)
}

/// A condition that is true for every element.
const ALWAYS: &str = "";

/// A condition that is false for every element.
const NEVER: &str = ":not(*|*)";

/// The state of translating an expression from left to right.
struct Translation<'x> {
    expression: &'x XPath,
    /// Number of steps and of primary expressions that were translated. The next ones are at these indices of the lists
    /// in the outline.
    steps: usize,
    primaries: usize,
}

/// An operand of a condition.
enum Operand {
    /// The value of an attribute. The string is its name in CSS.
    Attribute(String),
    /// `local-name()`.
    LocalName,
    /// A literal, or the value of a variable.
    Text(String),
}

impl<'x> Translation<'x> {
    fn new(expression: &'x XPath) -> Translation<'x> {
        Translation {
            expression,
            steps: 0,
            primaries: 0,
        }
    }

    /// Translates a union to a list of selectors.
    fn union(&mut self, expression: &Expr) -> Result<String, XPathError> {
        match expression {
            Expr::Union(left, right) => {
                let left = self.union(left)?;
                Ok(format!("{left}, {}", self.union(right)?))
            }
            Expr::Path(PathExpr::Location(location)) => self.path(&location.steps),
            _ => match parenthesized(expression) {
                Some(inner) => {
                    self.primaries += 1;
                    self.union(inner)
                }
                None => Err(self.refuse(expression)),
            },
        }
    }

    /// Translates the steps of a location path to a selector.
    fn path(&mut self, steps: &[Step]) -> Result<String, XPathError> {
        let mut css = String::new();
        let mut is_descendant = false;
        for step in steps {
            match step.axis {
                Axis::DescendantOrSelf if is_plain(step) => is_descendant = true,
                Axis::SelfAxis if is_plain(step) => {}
                Axis::Child | Axis::Descendant => {
                    is_descendant |= step.axis == Axis::Descendant;
                    let Some(test) = element_test(step) else {
                        return Err(not_elements(&shown_step(step), self.step_offset()));
                    };
                    self.steps += 1;
                    let is_first = css.is_empty();
                    css += match is_descendant {
                        _ if is_first => "",
                        true => " ",
                        false => " > ",
                    };
                    css += &test;
                    if is_first && !is_descendant {
                        css += ":root";
                    }
                    is_descendant = false;
                    for predicate in &step.predicates {
                        css += &self.condition(predicate)?;
                    }
                    continue;
                }
                Axis::Attribute | Axis::Namespace => {
                    return Err(not_elements(&shown_step(step), self.step_offset()));
                }
                _ => return Err(self.refuse_step(step)),
            }
            self.steps += 1;
        }
        // The path ends in `/`, `//.` or a similar step.
        if css.is_empty() || is_descendant {
            let last = self.steps.saturating_sub(1);
            let offset = self.expression.outline.steps.get(last);
            let step = if steps.is_empty() { "/" } else { "node()" };
            return Err(not_elements(step, offset.copied().unwrap_or_default()));
        }
        Ok(css)
    }

    /// Translates a predicate or a part of one to simple selectors without a type selector.
    fn condition(&mut self, expression: &Expr) -> Result<String, XPathError> {
        match expression {
            Expr::Or(..) => {
                let mut alternatives = Vec::new();
                self.alternatives(expression, &mut alternatives)?;
                Ok(match alternatives.iter().any(|one| one == ALWAYS) {
                    true => ALWAYS.to_string(),
                    false => format!(":is({})", alternatives.join(", ")),
                })
            }
            Expr::And(left, right) => {
                let left = self.condition(left)?;
                Ok(left + &self.condition(right)?)
            }
            Expr::Equality(left, operator, right) => self.equality(left, *operator, right),
            Expr::Path(PathExpr::Location(location)) => self.existence(location),
            Expr::Path(PathExpr::Filter(FilterExpr {
                primary: PrimaryExpr::Function(call),
                predicates,
            })) if predicates.is_empty() => self.call(call, expression),
            Expr::Path(PathExpr::Filter(FilterExpr {
                primary: PrimaryExpr::Number(_),
                ..
            })) => Err(refusal("a position", self.next_offset())),
            _ => match parenthesized(expression) {
                Some(inner) => {
                    self.primaries += 1;
                    self.condition(inner)
                }
                None => Err(self.refuse(expression)),
            },
        }
    }

    /// Translates the operands of a chain of `or`.
    fn alternatives(
        &mut self,
        expression: &Expr,
        alternatives: &mut Vec<String>,
    ) -> Result<(), XPathError> {
        if let Expr::Or(left, right) = expression {
            self.alternatives(left, alternatives)?;
            return self.alternatives(right, alternatives);
        }
        alternatives.push(self.condition(expression)?);
        Ok(())
    }

    /// Translates a path in a predicate: `@a` or `self::a`.
    fn existence(&mut self, location: &LocationPath) -> Result<String, XPathError> {
        if let Some(name) = self.attribute(location) {
            return Ok(format!("[{name}]"));
        }
        match &location.steps[..] {
            [step] if step.axis == Axis::SelfAxis && step.predicates.is_empty() => {
                let Some(test) = element_test(step) else {
                    return Err(self.refuse_step(step));
                };
                self.steps += 1;
                Ok(format!(":is({test})"))
            }
            [step, ..] => Err(self.refuse_step(step)),
            [] => Err(refusal("`/`", self.next_offset())),
        }
    }

    /// Translates a function call in a predicate. `expression` is the whole call.
    fn call(&mut self, call: &FunctionCall, expression: &Expr) -> Result<String, XPathError> {
        match (&*call.name.local, &call.args[..]) {
            ("true", []) => {
                self.primaries += 1;
                Ok(ALWAYS.to_string())
            }
            ("false", []) => {
                self.primaries += 1;
                Ok(NEVER.to_string())
            }
            ("boolean", [argument]) => {
                self.primaries += 1;
                self.condition(argument)
            }
            ("not", [argument]) => {
                self.primaries += 1;
                let condition = self.condition(argument)?;
                Ok(match &*condition {
                    ALWAYS => NEVER.to_string(),
                    condition => format!(":not({condition})"),
                })
            }
            (name @ ("contains" | "starts-with"), [first, second]) => {
                let whole = (self.steps, self.primaries);
                self.primaries += 1;
                let sign = if name == "contains" { '*' } else { '^' };
                match (self.operand(first)?, self.operand(second)?) {
                    (Operand::Attribute(_), Operand::Text(text)) if text.is_empty() => {
                        Ok(ALWAYS.to_string())
                    }
                    (Operand::Attribute(name), Operand::Text(text)) => {
                        Ok(format!("[{name}{sign}={} s]", string(&text)))
                    }
                    _ => {
                        (self.steps, self.primaries) = whole;
                        Err(self.refuse(expression))
                    }
                }
            }
            _ => Err(self.refuse(expression)),
        }
    }

    /// Translates `=` and `!=`.
    fn equality(
        &mut self,
        left: &Expr,
        operator: EqualityOp,
        right: &Expr,
    ) -> Result<String, XPathError> {
        let offset = self.next_offset();
        let operands = (self.operand(left)?, self.operand(right)?);
        let (condition, exists) = match operands {
            (Operand::Attribute(name), Operand::Text(text))
            | (Operand::Text(text), Operand::Attribute(name)) => {
                let condition = format!("[{name}={} s]", string(&text));
                (condition, format!("[{name}]"))
            }
            // Selectors compare the names of HTML elements in either case.
            (Operand::LocalName, Operand::Text(text))
            | (Operand::Text(text), Operand::LocalName)
                if !text.is_empty() && !text.contains(|one: char| one.is_ascii_uppercase()) =>
            {
                (format!(":is(*|{})", identifier(&text)), ALWAYS.to_string())
            }
            _ => {
                let part = format!("`{}` of these operands", equality_sign(operator));
                return Err(refusal(&part, offset));
            }
        };
        Ok(match operator {
            EqualityOp::Eq => condition,
            EqualityOp::Ne => format!("{exists}:not({condition})"),
        })
    }

    /// Reads an operand of a condition.
    fn operand(&mut self, expression: &Expr) -> Result<Operand, XPathError> {
        let operand = match expression {
            Expr::Path(PathExpr::Location(location)) => match self.attribute(location) {
                Some(name) => return Ok(Operand::Attribute(name)),
                None => match location.steps.first() {
                    Some(step) => return Err(self.refuse_step(step)),
                    None => None,
                },
            },
            Expr::Path(PathExpr::Filter(FilterExpr {
                primary,
                predicates,
            })) if predicates.is_empty() => match primary {
                PrimaryExpr::Literal(text) => Some(Operand::Text(text.clone())),
                PrimaryExpr::Variable(name) => {
                    match find_variable(&self.expression.variables, name) {
                        Some(XPathVariable::String(text)) => Some(Operand::Text(text.clone())),
                        _ => None,
                    }
                }
                PrimaryExpr::Function(call)
                    if call.name.local == "local-name" && call.args.is_empty() =>
                {
                    Some(Operand::LocalName)
                }
                PrimaryExpr::Parenthesized(inner) => {
                    self.primaries += 1;
                    return self.operand(inner);
                }
                _ => None,
            },
            _ => None,
        };
        let operand = operand.ok_or_else(|| self.refuse(expression))?;
        self.primaries += 1;
        Ok(operand)
    }

    /// If a path is an attribute of the context node, returns the name of the attribute in CSS.
    fn attribute(&mut self, location: &LocationPath) -> Option<String> {
        let [step] = &location.steps[..] else {
            return None;
        };
        let is_plain = step.axis == Axis::Attribute && step.predicates.is_empty();
        let name = match &step.node_test {
            NodeTest::QName(name) if is_plain && !location.is_absolute => name,
            _ => return None,
        };
        self.steps += 1;
        Some(match &name.prefix {
            Some(prefix) => format!("{}|{}", identifier(prefix), identifier(&name.local)),
            None => identifier(&name.local),
        })
    }

    /// Returns the byte offset of the next part.
    fn next_offset(&self) -> usize {
        let outline = &self.expression.outline;
        let next = [
            outline.steps.get(self.steps),
            outline.primaries.get(self.primaries),
        ];
        next.into_iter()
            .flatten()
            .copied()
            .min()
            .unwrap_or_default()
    }

    /// Returns the byte offset of the next step.
    fn step_offset(&self) -> usize {
        let offset = self.expression.outline.steps.get(self.steps);
        offset.copied().unwrap_or_default()
    }

    /// Returns the error for the next step.
    fn refuse_step(&self, step: &Step) -> XPathError {
        refusal(&format!("`{}`", shown_step(step)), self.step_offset())
    }

    /// Returns the error for an expression that begins with the next part.
    fn refuse(&self, expression: &Expr) -> XPathError {
        let part = match expression {
            Expr::Path(PathExpr::Location(_)) => "`/`",
            Expr::Path(PathExpr::Filter(filter) | PathExpr::FilterLocation(filter, _)) => {
                match &filter.primary {
                    PrimaryExpr::Function(call) => {
                        let part = format!("`{}()`", call.name.local);
                        return refusal(&part, self.next_offset());
                    }
                    PrimaryExpr::Number(_) => "a number",
                    PrimaryExpr::Literal(_) => "a string",
                    PrimaryExpr::Variable(_) => "a variable",
                    // Parentheses alone are supported.
                    PrimaryExpr::Parenthesized(_) if filter.predicates.is_empty() => {
                        "a step after `(…)`"
                    }
                    PrimaryExpr::Parenthesized(_) => "a predicate after `(…)`",
                }
            }
            operation => {
                let part = format!("`{}`", operator_sign(operation));
                return refusal(&part, self.next_offset());
            }
        };
        refusal(part, self.next_offset())
    }
}

/// Returns the type selector of a step, or `None` if the step can select other nodes than elements.
fn element_test(step: &Step) -> Option<String> {
    Some(match &step.node_test {
        NodeTest::AnyName => "*|*".to_string(),
        NodeTest::NamespaceWildcard(prefix) => format!("{}|*", identifier(prefix)),
        NodeTest::QName(QName {
            prefix: Some(prefix),
            local,
        }) => format!("{}|{}", identifier(prefix), identifier(local)),
        NodeTest::QName(QName {
            prefix: None,
            local,
        }) => format!("*|{}:-xpath-unprefixed", identifier(local)),
        _ => return None,
    })
}

/// Returns the error for a part that streams do not support. `part` is a noun, or code in quotes.
fn refusal(part: &str, offset: usize) -> XPathError {
    let message = format!("streams do not support {part}, so the expression needs a tree");
    XPathError::new(XPathErrorKind::NotOnStreams, offset, message)
}

/// Returns the error for a step that can select other nodes than elements.
fn not_elements(step: &str, offset: usize) -> XPathError {
    let message = format!("`{step}` can select nodes that are not elements");
    XPathError::new(XPathErrorKind::NotOnStreams, offset, message)
}

fn equality_sign(operator: EqualityOp) -> &'static str {
    match operator {
        EqualityOp::Eq => "=",
        EqualityOp::Ne => "!=",
    }
}

/// Returns the operator of an operation.
fn operator_sign(operation: &Expr) -> &'static str {
    match operation {
        Expr::Or(..) => "or",
        Expr::And(..) => "and",
        Expr::Equality(_, operator, _) => equality_sign(*operator),
        Expr::Relational(_, RelationalOp::Lt, _) => "<",
        Expr::Relational(_, RelationalOp::Gt, _) => ">",
        Expr::Relational(_, RelationalOp::Le, _) => "<=",
        Expr::Relational(_, RelationalOp::Ge, _) => ">=",
        Expr::Additive(_, AdditiveOp::Add, _) => "+",
        Expr::Additive(_, AdditiveOp::Sub, _) | Expr::Negate(_) => "-",
        Expr::Multiplicative(_, MultiplicativeOp::Mul, _) => "*",
        Expr::Multiplicative(_, MultiplicativeOp::Div, _) => "div",
        Expr::Multiplicative(_, MultiplicativeOp::Mod, _) => "mod",
        Expr::Union(..) => "|",
        Expr::Path(_) => "/",
    }
}

/// Returns the expression in parentheses.
fn parenthesized(expression: &Expr) -> Option<&Expr> {
    match expression {
        Expr::Path(PathExpr::Filter(FilterExpr {
            primary: PrimaryExpr::Parenthesized(inner),
            predicates,
        })) if predicates.is_empty() => Some(inner),
        _ => None,
    }
}

/// Returns a step without abbreviation.
fn shown_step(step: &Step) -> String {
    let axis = match step.axis {
        Axis::Ancestor => "ancestor",
        Axis::AncestorOrSelf => "ancestor-or-self",
        Axis::Attribute => "attribute",
        Axis::Child => "child",
        Axis::Descendant => "descendant",
        Axis::DescendantOrSelf => "descendant-or-self",
        Axis::Following => "following",
        Axis::FollowingSibling => "following-sibling",
        Axis::Namespace => "namespace",
        Axis::Parent => "parent",
        Axis::Preceding => "preceding",
        Axis::PrecedingSibling => "preceding-sibling",
        Axis::SelfAxis => "self",
    };
    let test = match &step.node_test {
        NodeTest::AnyName => "*".to_string(),
        NodeTest::NamespaceWildcard(prefix) => format!("{prefix}:*"),
        NodeTest::QName(QName {
            prefix: Some(prefix),
            local,
        }) => format!("{prefix}:{local}"),
        NodeTest::QName(QName { local, .. }) => local.clone(),
        NodeTest::Node => "node()".to_string(),
        NodeTest::Text => "text()".to_string(),
        NodeTest::Comment => "comment()".to_string(),
        NodeTest::ProcessingInstruction(_) => "processing-instruction()".to_string(),
    };
    format!("{axis}::{test}")
}

/// Returns a name as an identifier of CSS.
fn identifier(name: &str) -> String {
    let mut written = String::new();
    // Writing to a string does not fail.
    let _ = cssparser::serialize_identifier(name, &mut written);
    written
}

/// Returns a text as a string of CSS.
fn string(text: &str) -> String {
    let mut written = String::new();
    // Writing to a string does not fail.
    let _ = cssparser::serialize_string(text, &mut written);
    written
}
