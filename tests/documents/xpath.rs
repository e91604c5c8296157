//! XPath expressions on trees and on streams.

use std::borrow::Cow;
use tagstream::xpath::{XPath, XPathError, XPathErrorKind, XPathNode, XPathValue};
use tagstream::{Document, Events, Html, Node, NodeKind, Xml};
use testing::cases::{self, Case};
use testing::effort;
use testing::generate;
use testing::random::Random;
use testing::run::{Failed, Program};

pub(crate) fn add(program: &mut Program) {
    let text = include_str!("../data/xpath.txt");
    let all = cases::cases("tests/data/xpath.txt", text);
    cases::add(program, all, prefix, check);
    program.case("xml/xpath, random expressions on streams", streams);
}

/// Random expressions that start tags decide select the same elements in a tree, by their selector in a tree, and by their
/// selector on a stream.
fn streams() -> Result<(), Failed> {
    let seed = effort::seed(0x7374_7265);
    let mut found = 0;
    let documents = effort::documents(1000, 20_000);
    for number in 0..documents {
        let mut random = Random(Random(seed.wrapping_add(number as u64)).number());
        let text = generate::xpath::document(&mut random, 20);
        let written = generate::xpath::stream_expression(&mut random);
        let mut expression = XPath::new(&written)?;
        for (prefix, name) in generate::xpath::NAMESPACES {
            expression = expression.namespace(prefix, name);
        }
        let selector = expression.to_selector()?;
        let tree = Document::parse(Xml::default(), &*text)?;
        let nodes: Vec<XPathNode<'_>> = tree.xpath(&expression)?.collect();
        let selected: Vec<_> = tree.select(&selector)?.map(XPathNode::Node).collect();
        found += usize::from(!nodes.is_empty());
        let tags: Vec<String> = nodes
            .iter()
            .filter_map(|node| node.node())
            .map(|node| format!("{} {:?}", node.name(), node.attribute("x")))
            .collect();
        let mut events = Events::of(Xml::default(), &*text);
        let mut matches = events.select(&selector)?;
        let mut streamed = Vec::new();
        while let Some(found) = matches.next_match()? {
            let tag = found.tag();
            streamed.push(format!("{} {:?}", tag.name(), tag.attribute("x")));
        }
        if nodes != selected || tags != streamed {
            let problem = format!("{tags:?}, as `{selector}` {streamed:?}");
            return Err(format!("seed {seed}: {written} in {text}: {problem}").into());
        }
    }
    match found * 10 > documents {
        true => Ok(()),
        false => Err(format!("only {found} expressions find something").into()),
    }
}

fn prefix(case: &Case) -> &'static str {
    match case.option("dialect") {
        Some("html") => "html/xpath",
        _ => "xml/xpath",
    }
}

/// Compiles an expression. The prefix `p` and the variables `n`, `s` and `b` have values.
fn compile(text: &str) -> Result<XPath, XPathError> {
    let expression = XPath::new(text)?.namespace("p", "uri");
    let expression = expression.variable("n", 2).variable("s", "it's");
    Ok(expression.variable("b", true))
}

fn check(case: &Case) -> Result<(), Failed> {
    let input = case.input_text()?;
    let document = match case.option("dialect") {
        Some("html") => Document::parse(Html::default(), &*input)?,
        _ => Document::parse(Xml::default(), &*input)?,
    };
    let text = case.text("xpath").ok_or("an expression")?;
    let expression = match compile(text) {
        Ok(expression) => expression,
        Err(error) => return Ok(case.expect("error", &error.to_string())?),
    };
    let node = context(case, &document)?;
    match expression.evaluate(node) {
        Err(error) => Ok(case.expect("error", &error.to_string())?),
        Ok(value) => {
            case.expect("value", &shown(&value))?;
            on_stream(case, &expression, &document, &value)
        }
    }
}

/// In the section about streams, compares the selector that an expression becomes, or the part for which there is none. In
/// all sections, the selector selects the same elements as the expression.
fn on_stream(
    case: &Case,
    expression: &XPath,
    document: &Document,
    value: &XPathValue<'_>,
) -> Result<(), Failed> {
    let is_listed = case.section == "Streams";
    let selector = match expression.to_selector() {
        Ok(selector) => selector,
        Err(error) if !is_listed => {
            let is_known = match value {
                XPathValue::Nodes(_) => error.kind() == XPathErrorKind::NotOnStreams,
                _ => error.kind() == XPathErrorKind::NotNodes,
            };
            return is_known.then_some(()).ok_or(error.to_string().into());
        }
        Err(error) => {
            let message = error.to_string();
            let offset = format!(" (offset {})", error.offset());
            let message = message.strip_suffix(&offset).ok_or(&*message)?;
            let part = message.strip_prefix("streams do not support ");
            let part = part.and_then(|part| part.strip_suffix(", so the expression needs a tree"));
            let found = format!("{} at {}", part.unwrap_or(message), error.offset());
            return Ok(case.expect("unsupported-on-streams", &found)?);
        }
    };
    if is_listed {
        case.expect("select", &selector.to_string())?;
    }
    // The selector begins at the document, whatever the context is.
    if case.option("context").is_some() {
        return Ok(());
    }
    let nodes = document.select(&selector)?.map(XPathNode::Node).collect();
    match &XPathValue::Nodes(nodes) == value {
        true => Ok(()),
        false => Err(format!("`{selector}` selects other elements").into()),
    }
}

/// Returns the context node: the document, or the element that the option `context` selects.
fn context<'d>(case: &Case, document: &'d Document) -> Result<Node<'d>, Failed> {
    let Some(selector) = case.option("context") else {
        return Ok(document.root());
    };
    let found = document.select(selector)?.next();
    let element = found.ok_or("no context")?;
    match case.has("template") {
        true => Ok(element.template_contents().ok_or("no template")?),
        false => Ok(element),
    }
}

/// Returns a value in the notation of the cases.
fn shown(value: &XPathValue<'_>) -> String {
    match value {
        XPathValue::Nodes(nodes) if nodes.is_empty() => "no nodes".to_owned(),
        XPathValue::Nodes(nodes) => nodes.iter().map(node).collect::<Vec<_>>().join(", "),
        XPathValue::Number(_) => format!("number {value}"),
        XPathValue::String(string) => format!("string {string:?}"),
        XPathValue::Boolean(boolean) => format!("boolean {boolean}"),
    }
}

fn node(found: &XPathNode<'_>) -> String {
    let (name, value) = (found.name(), found.value());
    match found {
        XPathNode::Attribute { .. } => format!("@{name} {value:?}"),
        XPathNode::Namespace { .. } => format!("namespace {name:?} {value:?}"),
        XPathNode::Node(node) => match node.kind() {
            NodeKind::Element => {
                let id = node
                    .attribute("id")
                    .map_or(Cow::default(), |id| format!(" {id}").into());
                format!("element {name}{id}")
            }
            NodeKind::Text => format!("text {value:?}"),
            NodeKind::Comment => format!("comment {value:?}"),
            NodeKind::ProcessingInstruction => format!("instruction {name} {value:?}"),
            kind => format!("{kind:?}").to_lowercase(),
        },
        _ => String::new(),
    }
}
