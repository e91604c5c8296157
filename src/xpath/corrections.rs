//! Changes of the syntax tree between `xpath-eval`'s parser and its evaluator.
//!
//! The evaluator recurses on the operands of operators, and the parser makes chains such as `a or b or c` as deep as they
//! are long. [`balance`] makes their depth logarithmic. [`correct`] replaces calls of functions that `xpath-eval` 0.2.3
//! evaluates wrongly by expressions with the right value. `tests/data/xpath.txt` describes each fault.

use alloc::boxed::Box;
use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;
use xpath_eval::{AdditiveOp, Expr, FilterExpr, FunctionCall, PathExpr, PrimaryExpr, QName};

/// Variables of corrected expressions. No expression can contain these names. While the value of `name(…)` or
/// `local-name(…)` is computed, the model of the document returns the qualified or the local name as the local name; the
/// variables begin and end this, and are empty strings.
pub(super) const BEGIN_NAME: &str = "\0name";
pub(super) const BEGIN_LOCAL_NAME: &str = "\0local-name";
pub(super) const END_NAME: &str = "\0end";

/// `lang($argument)`. The evaluator accepts the attribute `lang` for `xml:lang`, and compares only the first subtag of the
/// attribute with the argument.
const LANG: &str = "ancestor-or-self::*/@xml:lang and starts-with(\
    concat(translate(ancestor-or-self::*[@xml:lang][1]/@xml:lang, \
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz'), '-'), \
    concat(translate($argument, \
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz'), '-'))";

/// Returns the number of levels by which [`correct`] may increase the depth of a call of this function.
pub(super) fn added_levels(function: &str) -> usize {
    match function {
        "lang" => 5,
        "local-name" | "name" | "sum" => 2,
        _ => 0,
    }
}

/// Returns the expression with balanced chains of `or`, `and` and `|`. Its value is the same.
pub(super) fn balance(expression: Expr) -> Expr {
    rebuild(expression, &|expression| expression)
}

/// Returns the expression that the evaluator is to evaluate.
pub(super) fn correct(expression: Expr) -> Expr {
    let has_name = core::cell::Cell::new(false);
    let expression = rebuild(expression, &|expression| {
        has_name.set(has_name.get() || called(&expression) == Some("name"));
        correct_call(expression)
    });
    match has_name.get() {
        true => rebuild(expression, &|expression| correct_name(expression)),
        false => expression,
    }
}

/// Returns the name of the function if the expression is a call.
fn called(expression: &Expr) -> Option<&str> {
    match expression {
        Expr::Path(PathExpr::Filter(FilterExpr {
            primary: PrimaryExpr::Function(call),
            ..
        })) => Some(&call.name.local),
        _ => None,
    }
}

/// Corrects calls of `sum` and `lang`.
fn correct_call(expression: Expr) -> Expr {
    match called(&expression) {
        // The sum of no nodes is −0.
        Some("sum") => {
            let zero = primary(PrimaryExpr::Number(0.0));
            Expr::Additive(expression.into(), AdditiveOp::Add, zero.into())
        }
        Some("lang") => {
            let template = xpath_eval::parse(LANG);
            let (Ok(template), Some(argument)) = (template, argument_of(&expression)) else {
                return expression;
            };
            rebuild(template, &|part| match &part {
                Expr::Path(PathExpr::Filter(FilterExpr {
                    primary: PrimaryExpr::Variable(_),
                    ..
                })) => argument.clone(),
                _ => part,
            })
        }
        _ => expression,
    }
}

/// Corrects calls of `name`: the evaluator returns any prefix that is bound to the namespace of the node, and not the
/// prefix that is written. Calls of `local-name` within them are changed too, because they depend on the same variables.
fn correct_name(expression: Expr) -> Expr {
    let begin = match called(&expression) {
        Some("name") => BEGIN_NAME,
        Some("local-name") => BEGIN_LOCAL_NAME,
        _ => return expression,
    };
    let local_name = call("local-name", argument_of(&expression).into_iter().collect());
    let parts = vec![variable(begin), local_name, variable(END_NAME)];
    call("concat", parts)
}

/// Returns a copy of the first argument of a call.
fn argument_of(expression: &Expr) -> Option<Expr> {
    match expression {
        Expr::Path(PathExpr::Filter(FilterExpr {
            primary: PrimaryExpr::Function(call),
            ..
        })) => call.args.first().cloned(),
        _ => None,
    }
}

fn primary(primary: PrimaryExpr) -> Expr {
    Expr::Path(PathExpr::Filter(FilterExpr {
        primary,
        predicates: Vec::new(),
    }))
}

fn variable(name: &str) -> Expr {
    primary(PrimaryExpr::Variable(unprefixed(name)))
}

fn call(name: &str, args: Vec<Expr>) -> Expr {
    let name = unprefixed(name);
    primary(PrimaryExpr::Function(FunctionCall { name, args }))
}

fn unprefixed(local: &str) -> QName {
    QName {
        prefix: None,
        local: local.to_string(),
    }
}

/// Applies `change` to each part of an expression, after it was applied to the parts of that part, and balances chains.
/// This function recurses on the levels of the expression, but not on the length of chains.
fn rebuild(expression: Expr, change: &dyn Fn(Expr) -> Expr) -> Expr {
    let part = |part: Box<Expr>| Box::new(rebuild(*part, change));
    let rebuilt = match expression {
        Expr::Or(..) => rebuild_chain(expression, change, Expr::Or, |one| match one {
            Expr::Or(left, right) => Link::Operands(left, right),
            other => Link::First(other),
        }),
        Expr::And(..) => rebuild_chain(expression, change, Expr::And, |one| match one {
            Expr::And(left, right) => Link::Operands(left, right),
            other => Link::First(other),
        }),
        Expr::Union(..) => rebuild_chain(expression, change, Expr::Union, |one| match one {
            Expr::Union(left, right) => Link::Operands(left, right),
            other => Link::First(other),
        }),
        Expr::Equality(left, operator, right) => Expr::Equality(part(left), operator, part(right)),
        Expr::Relational(left, operator, right) => {
            Expr::Relational(part(left), operator, part(right))
        }
        Expr::Additive(left, operator, right) => Expr::Additive(part(left), operator, part(right)),
        Expr::Multiplicative(left, operator, right) => {
            Expr::Multiplicative(part(left), operator, part(right))
        }
        Expr::Negate(operand) => Expr::Negate(part(operand)),
        Expr::Path(mut path) => {
            if let PathExpr::Filter(filter) | PathExpr::FilterLocation(filter, _) = &mut path {
                match &mut filter.primary {
                    PrimaryExpr::Parenthesized(inner) => rebuild_in_place(inner, change),
                    PrimaryExpr::Function(call) => {
                        rebuild_all(&mut call.args, change);
                    }
                    _ => {}
                }
                rebuild_all(&mut filter.predicates, change);
            }
            if let PathExpr::Location(location) | PathExpr::FilterLocation(_, location) = &mut path
            {
                for step in &mut location.steps {
                    rebuild_all(&mut step.predicates, change);
                }
            }
            Expr::Path(path)
        }
    };
    change(rebuilt)
}

/// An expression in a chain of one operator: the operands of the operator, or the first operand of the chain.
enum Link {
    Operands(Box<Expr>, Box<Expr>),
    First(Expr),
}

/// Rebuilds the operands of a chain of one associative operator, and makes a balanced tree of them. `split` divides an
/// expression of the chain.
fn rebuild_chain(
    expression: Expr,
    change: &dyn Fn(Expr) -> Expr,
    operator: fn(Box<Expr>, Box<Expr>) -> Expr,
    split: fn(Expr) -> Link,
) -> Expr {
    let mut operands = Vec::new();
    let mut rest = expression;
    let first = loop {
        match split(rest) {
            Link::Operands(left, right) => {
                operands.push(rebuild(*right, change));
                rest = *left;
            }
            Link::First(first) => break first,
        }
    };
    operands.push(rebuild(first, change));
    operands.reverse();
    while operands.len() > 1 {
        let mut halved = Vec::with_capacity(operands.len().div_ceil(2));
        let mut operands_left = operands.into_iter();
        while let Some(left) = operands_left.next() {
            halved.push(match operands_left.next() {
                Some(right) => operator(left.into(), right.into()),
                None => left,
            });
        }
        operands = halved;
    }
    operands.swap_remove(0)
}

fn rebuild_all(expressions: &mut [Expr], change: &dyn Fn(Expr) -> Expr) {
    for expression in expressions {
        rebuild_in_place(expression, change);
    }
}

fn rebuild_in_place(expression: &mut Expr, change: &dyn Fn(Expr) -> Expr) {
    let placeholder = primary(PrimaryExpr::Number(0.0));
    let taken = core::mem::replace(expression, placeholder);
    *expression = rebuild(taken, change);
}
