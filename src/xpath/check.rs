//! Checks of an expression before it is evaluated: functions, their numbers of arguments, and places where only nodes are
//! allowed. The evaluator reports these errors too, but without their places, and only if it reaches them.

use super::error::{XPathError, XPathErrorKind};
use super::outline::Outline;
use super::value::XPathVariable;
use alloc::format;
use alloc::string::String;
use xpath_eval::{Expr, FilterExpr, FunctionCall, LocationPath, PathExpr, PrimaryExpr, QName};

/// The type of an expression's value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ValueType {
    Nodes,
    Number,
    String,
    Boolean,
    /// A variable whose value is not known yet.
    Unknown,
}

use ValueType::{Boolean, Nodes, Number, String as Text};

impl ValueType {
    /// Returns the name of the type for messages.
    pub(super) fn name(self) -> &'static str {
        match self {
            Nodes => "nodes",
            Number => "a number",
            Text => "a string",
            Boolean => "a boolean",
            ValueType::Unknown => "an unknown value",
        }
    }
}

/// A function of the core library.
struct Function {
    name: &'static str,
    /// The least and the greatest number of arguments.
    arguments: (usize, usize),
    value: ValueType,
    /// True if the first argument must be nodes.
    takes_nodes: bool,
}

const fn row(
    name: &'static str,
    arguments: (usize, usize),
    value: ValueType,
    takes_nodes: bool,
) -> Function {
    Function {
        name,
        arguments,
        value,
        takes_nodes,
    }
}

/// The core library of XPath 1.0: <https://www.w3.org/TR/1999/REC-xpath-19991116/#corelib>.
const FUNCTIONS: [Function; 27] = [
    row("last", (0, 0), Number, false),
    row("position", (0, 0), Number, false),
    row("count", (1, 1), Number, true),
    row("id", (1, 1), Nodes, false),
    row("local-name", (0, 1), Text, true),
    row("namespace-uri", (0, 1), Text, true),
    row("name", (0, 1), Text, true),
    row("string", (0, 1), Text, false),
    row("concat", (2, usize::MAX), Text, false),
    row("starts-with", (2, 2), Boolean, false),
    row("contains", (2, 2), Boolean, false),
    row("substring-before", (2, 2), Text, false),
    row("substring-after", (2, 2), Text, false),
    row("substring", (2, 3), Text, false),
    row("string-length", (0, 1), Number, false),
    row("normalize-space", (0, 1), Text, false),
    row("translate", (3, 3), Text, false),
    row("boolean", (1, 1), Boolean, false),
    row("not", (1, 1), Boolean, false),
    row("true", (0, 0), Boolean, false),
    row("false", (0, 0), Boolean, false),
    row("lang", (1, 1), Boolean, false),
    row("number", (0, 1), Number, false),
    row("sum", (1, 1), Number, true),
    row("floor", (1, 1), Number, false),
    row("ceiling", (1, 1), Number, false),
    row("round", (1, 1), Number, false),
];

/// The values of variables by name.
pub(super) type Variables = [(String, XPathVariable)];

/// Checks an expression. `variables` is `None` before the variables have values.
///
/// # Errors
///
/// The first part, from the left, that cannot be evaluated.
pub(super) fn check(
    expression: &Expr,
    outline: &Outline,
    variables: Option<&Variables>,
) -> Result<ValueType, XPathError> {
    let mut check = Check {
        outline,
        variables,
        primaries: 0,
    };
    check.expression(expression)
}

/// The state of checking an expression from left to right.
struct Check<'e> {
    outline: &'e Outline,
    variables: Option<&'e Variables>,
    /// Number of primary expressions that were visited. The next one is at this index in [`Outline::primaries`].
    primaries: usize,
}

impl Check<'_> {
    fn expression(&mut self, expression: &Expr) -> Result<ValueType, XPathError> {
        let (left, right, value) = match expression {
            Expr::Or(left, right) | Expr::And(left, right) => (left, right, Boolean),
            Expr::Equality(left, _, right) => (left, right, Boolean),
            Expr::Relational(left, _, right) => (left, right, Boolean),
            Expr::Additive(left, _, right) => (left, right, Number),
            Expr::Multiplicative(left, _, right) => (left, right, Number),
            Expr::Negate(operand) => {
                self.expression(operand)?;
                return Ok(Number);
            }
            Expr::Union(left, right) => {
                for operand in [left, right] {
                    let offset = self.next_offset();
                    let value = self.expression(operand)?;
                    self.demand_nodes(value, offset, "`|`")?;
                }
                return Ok(Nodes);
            }
            Expr::Path(path) => return self.path(path),
        };
        self.expression(left)?;
        self.expression(right)?;
        Ok(value)
    }

    fn path(&mut self, path: &PathExpr) -> Result<ValueType, XPathError> {
        match path {
            PathExpr::Location(location) => self.steps(location),
            PathExpr::Filter(filter) => self.filter(filter),
            PathExpr::FilterLocation(filter, location) => {
                let offset = self.next_offset();
                let value = self.filter(filter)?;
                self.demand_nodes(value, offset, "`/`")?;
                self.steps(location)
            }
        }
    }

    fn steps(&mut self, location: &LocationPath) -> Result<ValueType, XPathError> {
        for predicate in location.steps.iter().flat_map(|step| &step.predicates) {
            self.expression(predicate)?;
        }
        Ok(Nodes)
    }

    fn filter(&mut self, filter: &FilterExpr) -> Result<ValueType, XPathError> {
        let offset = self.next_offset();
        let value = self.primary(&filter.primary)?;
        if filter.predicates.is_empty() {
            return Ok(value);
        }
        self.demand_nodes(value, offset, "a predicate")?;
        for predicate in &filter.predicates {
            self.expression(predicate)?;
        }
        Ok(Nodes)
    }

    fn primary(&mut self, primary: &PrimaryExpr) -> Result<ValueType, XPathError> {
        let offset = self.next_offset();
        self.primaries += 1;
        match primary {
            PrimaryExpr::Literal(_) => Ok(Text),
            PrimaryExpr::Number(_) => Ok(Number),
            PrimaryExpr::Parenthesized(inner) => self.expression(inner),
            PrimaryExpr::Function(call) => self.function(call, offset),
            PrimaryExpr::Variable(name) => self.variable(name, offset),
        }
    }

    fn variable(&self, name: &QName, offset: usize) -> Result<ValueType, XPathError> {
        let Some(variables) = self.variables else {
            return Ok(ValueType::Unknown);
        };
        match find_variable(variables, name) {
            Some(XPathVariable::Number(_)) => Ok(Number),
            Some(XPathVariable::String(_)) => Ok(Text),
            Some(XPathVariable::Boolean(_)) => Ok(Boolean),
            None => {
                let message = format!("the variable ${} has no value", written(name));
                let kind = XPathErrorKind::UnknownVariable;
                Err(XPathError::new(kind, offset, message))
            }
        }
    }

    fn function(&mut self, call: &FunctionCall, offset: usize) -> Result<ValueType, XPathError> {
        let name = written(&call.name);
        let Some(function) = FUNCTIONS.iter().find(|one| one.name == name) else {
            let message = format!("XPath 1.0 has no function {name}()");
            let kind = XPathErrorKind::UnknownFunction;
            return Err(XPathError::new(kind, offset, message));
        };
        let (least, most) = function.arguments;
        let given = call.args.len();
        if given < least || given > most {
            let expected = match (least, most) {
                (0, 0) => "no arguments".into(),
                (1, 1) => "1 argument".into(),
                (0, 1) => "at most 1 argument".into(),
                (_, usize::MAX) => format!("at least {least} arguments"),
                (least, most) if least == most => format!("{least} arguments"),
                _ => format!("{least} or {most} arguments"),
            };
            let message = format!("{name}() takes {expected}, not {given}");
            let kind = XPathErrorKind::ArgumentCount;
            return Err(XPathError::new(kind, offset, message));
        }
        for (index, argument) in call.args.iter().enumerate() {
            let value = self.expression(argument)?;
            if index == 0 && function.takes_nodes {
                self.demand_nodes(value, offset, &format!("{name}()"))?;
            }
        }
        Ok(function.value)
    }

    /// Returns an error if a value is not nodes. `taker` is the operator or function that needs nodes.
    fn demand_nodes(&self, value: ValueType, offset: usize, taker: &str) -> Result<(), XPathError> {
        if matches!(value, Nodes | ValueType::Unknown) {
            return Ok(());
        }
        let message = format!("{taker} needs nodes, not {}", value.name());
        Err(XPathError::new(XPathErrorKind::NotNodes, offset, message))
    }

    /// Returns the byte offset of the next primary expression.
    fn next_offset(&self) -> usize {
        let next = self.outline.primaries.get(self.primaries);
        next.copied().unwrap_or_default()
    }
}

/// Returns the value of the variable with this name. The last value that the program set applies.
pub(super) fn find_variable<'v>(
    variables: &'v Variables,
    name: &QName,
) -> Option<&'v XPathVariable> {
    let name = written(name);
    let mut values = variables.iter().rev();
    values
        .find(|(known, _)| *known == name)
        .map(|(_, value)| value)
}

/// Returns a name as it is written in the expression.
fn written(name: &QName) -> String {
    match &name.prefix {
        Some(prefix) => format!("{prefix}:{}", name.local),
        None => name.local.clone(),
    }
}
