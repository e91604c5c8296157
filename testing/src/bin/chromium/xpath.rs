//! Values of random XPath expressions in random documents, and in the pages below folders, compared with those of Chromium's
//! `document.evaluate`. [`DIFFERENCES`] lists the differences that are allowed.

use super::{LeftOut, REASONS, SHOWN, in_parallel, readable};
use std::collections::{BTreeMap, HashMap};
use tagstream::tree::NodeId;
use tagstream::xpath::{XPath, XPathNode, XPathValue};
use tagstream::{Document, Html, Limits, Node, NodeKind, TreeBuilder};
use testing::browser::Browser;
use testing::effort;
use testing::generate::html::{Case, case};
use testing::generate::xpath::expression;
use testing::html_files::below;
use testing::random::Random;

/// Number of random documents, unless `TAGSTREAM_DOCUMENTS` sets it.
const DOCUMENTS: usize = 2_000;

/// Number of expressions for each random document, and for each page.
const EXPRESSIONS: usize = 10;
const PAGE_EXPRESSIONS: usize = 40;

/// Number of documents on one page of the browser.
const PAGE: usize = 100;

/// Maximum number of pages from folders, and of bytes of such a page.
const FOUND: usize = 300;
const BYTES: usize = 1 << 18;

/// Maximum number of nodes of a value that are compared one by one. The number of all nodes is compared too.
const MAX_NODES: usize = 40;

/// The prefixes of expressions, with their namespaces.
const NAMESPACES: [(&str, &str); 4] = [
    ("h", "http://www.w3.org/1999/xhtml"),
    ("svg", "http://www.w3.org/2000/svg"),
    ("math", "http://www.w3.org/1998/Math/MathML"),
    ("xlink", "http://www.w3.org/1999/xlink"),
];

/// A condition on the expression, on our value and on Chromium's value.
type Condition = fn(&str, &[String], &[String]) -> bool;

/// The differences that are allowed: a condition, and the reason.
const DIFFERENCES: [(Condition, &str); 3] = [
    (
        |expression, _, theirs| {
            expression.contains("node()") && theirs.iter().any(|one| one.contains(" xmlns"))
        },
        "Chromium's `@node()` selects declarations of namespaces",
    ),
    (
        |expression, _, theirs| {
            let is_infinite = expression.contains("substring(") && expression.contains("div 0");
            is_infinite && theirs.first().is_some_and(|kind| kind != "nodes")
        },
        "`substring` from −Infinity has all characters, and none in Chromium",
    ),
    (
        |expression, _, _| expression.contains("round("),
        "`xpath-eval` rounds −0 to 0",
    ),
];

/// A document, the number of its elements, the number of the context element (−1: the document), and expressions with our
/// values.
struct Question {
    document: String,
    elements: usize,
    context: i64,
    expressions: Vec<(String, Vec<String>)>,
}

/// The values of Chromium that differ, each with the number of the expression.
type Answer = Vec<(i64, Vec<String>)>;

/// Compares values in random documents and in the pages below the folders that the arguments name.
///
/// # Errors
///
/// Returns an error if a value differs without a reason, or if Chromium gives no answer.
pub(crate) fn run() -> Result<(), String> {
    let seed = effort::seed(0x5850_6174_6831_2e30);
    let documents = effort::documents(DOCUMENTS, DOCUMENTS);
    println!("seed {seed}");
    let mut random = Random(seed);
    let mut left_out = LeftOut([0; REASONS.len()]);
    let drawn = (0..documents).map(|_| {
        readable(Case {
            context: None,
            ..case(&mut random)
        })
    });
    let texts: Vec<String> = drawn
        .filter(|case| left_out.admits(case))
        .map(|case| case.text())
        .collect();
    print!("{left_out}");
    let folders = std::env::args().skip(2);
    let pages = folders.flat_map(|folder| below(&folder)).take(FOUND);
    let pages = pages.filter_map(|path| {
        let page = std::fs::read_to_string(path).ok()?;
        let page = page.trim_start_matches('\u{feff}').to_owned();
        (page.len() <= BYTES).then_some(page)
    });
    let mut questions: Vec<Question> = texts
        .into_iter()
        .map(|text| question(&mut random, text, EXPRESSIONS))
        .collect();
    questions.extend(pages.map(|page| question(&mut random, page, PAGE_EXPRESSIONS)));
    let values = questions.iter().flat_map(|one| &one.expressions);
    let is_found = |value: &&(String, Vec<String>)| value.1.get(1).is_some_and(|one| one != "0");
    let (compared, found) = (values.clone().count(), values.filter(is_found).count());
    println!(
        "documents: {}, values: {compared}, not empty: {found}",
        questions.len()
    );
    let browser = Browser::new().map_err(|problem| problem.to_string())?;
    let differences = in_parallel(&questions, PAGE, |page| ask(&browser, page))?;
    let mut allowed = BTreeMap::new();
    let mut wrong = Vec::new();
    for difference in differences.iter().flatten() {
        let Difference {
            expression,
            ours,
            theirs,
            ..
        } = difference;
        let reason = DIFFERENCES
            .iter()
            .find(|(applies, _)| applies(expression, ours, theirs));
        match reason {
            Some((_, reason)) => *allowed.entry(*reason).or_insert(0) += 1,
            None => wrong.push(difference),
        }
    }
    for (reason, times) in allowed {
        println!("{times} differ: {reason}");
    }
    // The shortest documents are the easiest ones to understand.
    wrong.sort_by_key(|one| one.document.len() + one.expression.len());
    for difference in wrong.iter().take(SHOWN) {
        let Difference {
            document,
            context,
            expression,
            ours,
            theirs,
        } = difference;
        let document: String = document.chars().take(2_000).collect();
        println!("\n{document:?}\nelement {context}: {expression}");
        println!("Chromium:  {theirs:?}\ntagstream: {ours:?}");
    }
    match wrong.len() {
        0 if found * 3 > compared => Ok(()),
        0 => Err("most values are empty".to_owned()),
        different => Err(format!("{different} values differ")),
    }
}

/// Draws expressions for a document, and evaluates them.
fn question(random: &mut Random, document: String, expressions: usize) -> Question {
    let mut builder = TreeBuilder::new(Html::default()).limits(Limits::none());
    let built = builder.feed(&*document).and_then(|()| builder.finish());
    let tree: Document = built.expect("HTML has no fatal errors");
    let elements: Vec<Node<'_>> = tree.root().descendants().filter(Node::is_element).collect();
    let numbers: HashMap<NodeId, usize> = elements
        .iter()
        .enumerate()
        .map(|(number, element)| (element.id(), number))
        .collect();
    let (context, node) = match random.one_in(2) {
        true => (-1, tree.root()),
        false => {
            let number = random.below(elements.len());
            (number as i64, elements[number])
        }
    };
    let drawn = (0..expressions).map(|_| {
        let drawn = expression(random, 3);
        let text = for_html(random, &drawn);
        let value = value(&text, node, &numbers);
        (text, value)
    });
    Question {
        expressions: drawn.collect(),
        elements: elements.len(),
        context,
        document,
    }
}

/// Returns an expression with names of HTML, SVG and MathML instead of the names of the generator.
fn for_html(random: &mut Random, expression: &str) -> String {
    let mut text = String::new();
    let mut rest = expression;
    while let Some(first) = rest.chars().next() {
        let is_name = |one: char| one.is_ascii_alphanumeric() || matches!(one, '-' | '_');
        let length = match first {
            '\'' => 2 + rest[1..].find('\'').unwrap_or(rest.len() - 2),
            _ if first.is_ascii_alphabetic() => {
                let end = rest.find(|one| !is_name(one)).unwrap_or(rest.len());
                let local = rest[end..]
                    .strip_prefix(':')
                    .filter(|after| !after.starts_with(':'));
                let local = local.map(|after| match after.starts_with('*') {
                    true => 2,
                    false => 1 + after.find(|one| !is_name(one)).unwrap_or(after.len()),
                });
                end + local.unwrap_or(0)
            }
            _ => first.len_utf8(),
        };
        let token;
        (token, rest) = rest.split_at(length);
        text += match token {
            "a" | "b" | "c" => random.pick(&[
                "a", "b", "div", "DIV", "p", "span", "td", "tr", "table", "li", "Body", "html",
                "head", "title", "svg", "i", "option", "template", "script",
            ]),
            "x" | "y" => random.pick(&["id", "class", "HREF", "href", "title", "lang", "viewBox"]),
            "p:a" | "q:b" => random.pick(&[
                "svg:svg",
                "h:p",
                "h:P",
                "math:mi",
                "svg:foreignObject",
                "svg:title",
            ]),
            "q:*" => random.pick(&["svg:*", "math:*", "h:*"]),
            "p:x" | "q:x" => "xlink:href",
            "p:*" => "xlink:*",
            token => token,
        };
    }
    text
}

/// Returns the value of an expression at a node, in the form of `xpath.js`.
fn value(expression: &str, node: Node<'_>, numbers: &HashMap<NodeId, usize>) -> Vec<String> {
    let compiled = XPath::new(expression).map(|compiled| {
        let declare = |compiled: XPath, (prefix, name)| compiled.namespace(prefix, name);
        NAMESPACES.into_iter().fold(compiled, declare)
    });
    let value = match compiled.as_ref().map(|compiled| compiled.evaluate(node)) {
        Ok(Ok(value)) => value,
        Ok(Err(error)) => return vec!["error".to_owned(), error.to_string()],
        Err(error) => return vec!["error".to_owned(), error.to_string()],
    };
    let (kind, single) = match &value {
        XPathValue::Nodes(nodes) => {
            let head = ["nodes".to_owned(), nodes.len().to_string()].into_iter();
            let nodes = nodes.iter().take(MAX_NODES);
            return head.chain(nodes.map(|node| shown(node, numbers))).collect();
        }
        XPathValue::Number(number) if number.is_nan() => ("number", "NaN".to_owned()),
        XPathValue::Number(number) => ("number", format!("{:016x}", number.to_bits())),
        XPathValue::String(string) => ("string", string.clone()),
        XPathValue::Boolean(boolean) => ("boolean", boolean.to_string()),
    };
    vec![kind.to_owned(), single]
}

fn shown(node: &XPathNode<'_>, numbers: &HashMap<NodeId, usize>) -> String {
    let at = |element: Node<'_>| {
        numbers
            .get(&element.id())
            .map_or(-1, |number| *number as i64)
    };
    match node {
        XPathNode::Attribute { element, attribute } => {
            let (name, value) = (attribute.name(), attribute.value());
            format!("attribute {} {name} {value}", at(*element))
        }
        XPathNode::Node(node) => {
            let parent = node.parent().map_or(-1, at);
            match node.kind() {
                NodeKind::Element => format!("element {}", at(*node)),
                NodeKind::Text => format!("text {parent} {}", node.text()),
                NodeKind::Comment => format!("comment {parent} {}", node.text()),
                NodeKind::ProcessingInstruction => {
                    format!("instruction {parent} {} {}", node.name(), node.text())
                }
                NodeKind::Document => "document".to_owned(),
                _ => "other".to_owned(),
            }
        }
        _ => "other".to_owned(),
    }
}

/// An expression whose values differ.
struct Difference {
    document: String,
    context: i64,
    expression: String,
    ours: Vec<String>,
    theirs: Vec<String>,
}

fn ask(browser: &Browser, page: &[Question]) -> Result<Vec<Vec<Difference>>, String> {
    let questions: Vec<_> = page
        .iter()
        .map(|one| (&one.document, one.elements, one.context, &one.expressions))
        .collect();
    let json = serde_json::to_string(&questions).map_err(|problem| problem.to_string())?;
    let answers: Vec<(usize, Answer)> = browser.ask(include_str!("xpath.js"), &json, page.len())?;
    let of_document = |(number, answer): (usize, Answer)| {
        let question = &page[number];
        let different = answer.into_iter().map(|(at, theirs)| {
            let at = usize::try_from(at);
            let own = at.ok().and_then(|at| question.expressions.get(at));
            let (expression, ours) =
                own.ok_or_else(|| format!("{:?}: {theirs:?}", question.document))?;
            Ok(Difference {
                document: question.document.clone(),
                context: question.context,
                expression: expression.clone(),
                ours: ours.clone(),
                theirs,
            })
        });
        different.collect()
    };
    answers.into_iter().map(of_document).collect()
}
