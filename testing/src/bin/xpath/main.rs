//! Compares the values of random XPath expressions with those of libxml2, through lxml of Python. [`REASONS`] lists the
//! differences that are allowed.
//!
//! The interpreter that has lxml is `TAGSTREAM_PYTHON`, or `python3`:
//!
//! ```text
//! testing/tools/install lxml
//! TAGSTREAM_PYTHON=target/lxml/bin/python TAGSTREAM_DOCUMENTS=2500 cargo run --release -p testing --bin xpath
//! ```
//!
//! With the arguments `times FOLDER`, the times of some expressions in the documents of the benches in a folder are
//! measured beside those of lxml (`times.rs`).

mod times;

use serde_json::json;
use std::collections::BTreeMap;
use std::process::{Command, ExitCode};
use tagstream::xpath::{XPath, XPathError, XPathNode, XPathValue};
use tagstream::{Document, NodeKind, Xml};
use testing::effort;
use testing::generate::xpath::{NAMESPACES, document, expression};
use testing::python::{self, Python};
use testing::random::Random;

/// Number of documents, unless `TAGSTREAM_DOCUMENTS` sets it.
const DOCUMENTS: usize = 500;

/// Number of expressions for each document.
const EXPRESSIONS: usize = 20;

/// Maximum number of differences that are printed.
const MAX_PRINTED: usize = 10;

/// A condition on the expression and on the values of libxml2.
type Reason = fn(&str, &[String]) -> bool;

/// The differences that are allowed: a condition on the expression and on the values of libxml2, and the reason.
const REASONS: [(Reason, &str); 4] = [
    (
        |_, values| values.len() == 2 && values[1].starts_with("Invalid context "),
        "lxml gives the context no position and no size; both are 1 in XPath",
    ),
    (
        |expression, _| expression.contains("namespace::"),
        "libxml2 has its own order of namespace nodes, has a node for `xmlns=''`, and ignores a prefix on this axis",
    ),
    (
        |expression, _| {
            expression.contains("following::")
                && (expression.contains('@') || expression.contains("attribute::"))
        },
        "the children of an element follow its attributes, for which libxml2 omits them",
    ),
    (
        |expression, _| expression.contains("round("),
        "`xpath-eval` rounds −0 to 0",
    ),
];

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let done = match (arguments.next().as_deref(), arguments.next()) {
        (Some("times"), Some(folder)) => times::run(&folder),
        _ => run(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

/// The migration guide, whose first program is in Python.
const GUIDE: &str = include_str!("../../../../docs/migration/lxml.md");

fn run() -> Result<(), String> {
    run_guide()?;
    let (documents, seed) = (
        effort::documents(DOCUMENTS, DOCUMENTS),
        effort::seed(0x7870_6174),
    );
    let mut libxml2 = Python::start(include_str!("evaluate.py"))?;
    let (mut compared, mut found, mut wrong) = (0, 0, 0);
    let mut allowed = BTreeMap::new();
    for number in 0..documents {
        let mut random = Random(Random(seed.wrapping_add(number as u64)).number());
        let elements = [8, 40][random.below(2)];
        let text = document(&mut random, elements);
        let expressions: Vec<String> = (0..EXPRESSIONS)
            .map(|_| expression(&mut random, 3))
            .collect();
        let theirs = values(&mut libxml2, &text, &expressions)?;
        let tree = Document::parse(Xml::strict(), &*text).map_err(|error| error.to_string())?;
        for (expression, theirs) in expressions.iter().zip(theirs) {
            let ours = value(&tree, expression)
                .unwrap_or_else(|error| vec!["error".to_owned(), error.to_string()]);
            compared += 1;
            found += usize::from(ours.len() > 1);
            if ours == theirs {
                continue;
            }
            let reason = REASONS
                .iter()
                .find(|(applies, _)| applies(expression, &theirs));
            if let Some((_, reason)) = reason {
                *allowed.entry(reason).or_insert(0) += 1;
                continue;
            }
            wrong += 1;
            if wrong <= MAX_PRINTED {
                eprintln!("{text}\n{expression}\n  tagstream {ours:?}\n  libxml2   {theirs:?}\n");
            }
        }
    }
    for (reason, times) in allowed {
        println!("{times} differ: {reason}");
    }
    println!("seed {seed}: {compared} values, {found} not empty, {wrong} differences");
    match wrong == 0 && found * 3 > compared {
        true => Ok(()),
        false => Err("libxml2 and tagstream differ".to_owned()),
    }
}

/// Runs the program with lxml in the migration guide, which checks its own result.
fn run_guide() -> Result<(), String> {
    let program = GUIDE.split("```python\n").nth(1).unwrap_or_default();
    let program = program.split("```\n").next().unwrap_or_default();
    let ended = Command::new(python::interpreter())
        .args(["-c", program])
        .status();
    match ended {
        Ok(status) if status.success() && program.contains("assert ") => Ok(()),
        Ok(status) => Err(format!("the program of the guide: {status}")),
        Err(error) => Err(format!("Python: {error}")),
    }
}

/// Returns the value of an expression at the root element, in the form of `evaluate.py`.
fn value(tree: &Document, expression: &str) -> Result<Vec<String>, XPathError> {
    let mut compiled = XPath::new(expression)?;
    for (prefix, name) in NAMESPACES {
        compiled = compiled.namespace(prefix, name);
    }
    let root = tree.root_element().unwrap_or(tree.root());
    let value = compiled.evaluate(root)?;
    let (kind, single) = match &value {
        XPathValue::Nodes(nodes) => {
            let kind = ["nodes".to_owned()].into_iter();
            return Ok(kind.chain(nodes.iter().filter_map(shown)).collect());
        }
        XPathValue::Number(number) if number.is_nan() => ("number", "NaN".to_owned()),
        XPathValue::Number(number) => ("number", format!("{:016x}", number.to_bits())),
        XPathValue::String(string) => ("string", string.clone()),
        XPathValue::Boolean(boolean) => ("boolean", boolean.to_string()),
    };
    Ok(vec![kind.to_owned(), single])
}

/// Returns a node in the form of `evaluate.py`. lxml does not return the document node.
fn shown(node: &XPathNode<'_>) -> Option<String> {
    let value = node.value();
    Some(match node {
        XPathNode::Attribute { attribute, .. } => {
            format!("attribute {} {value}", attribute.local_name())
        }
        XPathNode::Namespace { prefix, .. } => format!("namespace {prefix} {value}"),
        XPathNode::Node(node) => match node.kind() {
            NodeKind::Element => format!("element {} {value}", node.name()),
            NodeKind::Text => format!("text {value}"),
            NodeKind::Comment => format!("comment {value}"),
            NodeKind::ProcessingInstruction => format!("instruction {} {value}", node.name()),
            _ => return None,
        },
        _ => return None,
    })
}

/// Returns the values of expressions at the root element of a document by lxml.
fn values(
    libxml2: &mut Python,
    text: &str,
    expressions: &[String],
) -> Result<Vec<Vec<String>>, String> {
    let namespaces: BTreeMap<&str, &str> = NAMESPACES.into_iter().collect();
    libxml2.ask(&json!({
        "document": text,
        "expressions": expressions,
        "namespaces": namespaces,
    }))
}
