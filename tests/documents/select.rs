//! Selectors on trees and on streams. A stream refuses some selectors; it selects the same elements as a tree with all
//! others.

use tagstream::select::Selector;
use tagstream::{Balance, Buildable, Document, Events, Html, Node, Xml};
use testing::cases::{self, Case};
use testing::run::{Failed, Program};

pub(crate) fn add(program: &mut Program) {
    let text = include_str!("../data/select.txt");
    let cases = cases::cases("tests/data/select.txt", text);
    cases::add(program, cases, prefix, check);
}

fn prefix(case: &Case) -> &'static str {
    match case.option("dialect") {
        Some("xml") => "xml/select",
        _ => "html/select",
    }
}

fn check(case: &Case) -> Result<(), Failed> {
    let selector = case.text("select").ok_or("a selector")?;
    let selector = match Selector::builder().namespace("p", "uri").build(selector) {
        Ok(selector) => selector,
        Err(error) => {
            let _ = case.written();
            return Ok(case.expect("error", &error.to_string())?);
        }
    };
    let input = case.input_text()?;
    let is_xml = case.option("dialect") == Some("xml");
    match case.option("fragment") {
        Some(context) => both(Html::fragment(context)?, &selector, &input, case),
        None if is_xml => both(Xml::default(), &selector, &input, case),
        None if case.has("quirks") => both(Html::default(), &selector, &input, case),
        None => {
            let input = format!("<!DOCTYPE html>{input}");
            both(Html::default(), &selector, &input, case)
        }
    }
}

/// Compares the elements that the tree and the stream select, or the reason for which the stream refuses the selector.
fn both<D: Balance + Buildable>(
    dialect: D,
    selector: &Selector,
    input: &str,
    case: &Case,
) -> Result<(), Failed> {
    let page = Document::parse(dialect.clone(), input)?;
    let selected = page.select(selector)?.map(|node| of_node(&node));
    let found = selected.collect::<Vec<_>>().join(", ");
    let one_by_one = page.root().descendants().filter(|node| node.is_element());
    let one_by_one = one_by_one.filter(|node| node.matches(selector) == Ok(true));
    let one_by_one = one_by_one.map(|node| of_node(&node)).collect::<Vec<_>>();
    let one_by_one = one_by_one.join(", ");
    // For a single element, `:scope` is the element itself.
    if one_by_one != found && !selector.to_string().contains(":scope") {
        return Err(format!("one by one: {one_by_one}, not {found}").into());
    }
    case.expect("events", &found)?;
    let refused = match streamed(dialect, selector, input) {
        Err(refused) => {
            let (what, rest) = refused
                .split_once(" is not supported on streams")
                .ok_or(refused.clone())?;
            let offset = rest.rsplit_once("(offset ").ok_or(refused.clone())?.1;
            format!("{what} at {}", offset.trim_end_matches(')'))
        }
        Ok(streamed) if streamed == found => String::new(),
        Ok(streamed) => return Err(format!("streamed: {streamed}, not {found}").into()),
    };
    Ok(case.expect("unsupported-on-streams", &refused)?)
}

fn streamed<D: Balance>(dialect: D, selector: &Selector, input: &str) -> Result<String, String> {
    let mut events = Events::of(dialect, input).as_written().balanced();
    let mut matches = events.select(selector).map_err(|error| error.to_string())?;
    let mut found = Vec::new();
    while let Some(one) = matches.next_match().map_err(|error| error.to_string())? {
        let tag = one.tag();
        found.push(shown(tag.name(), tag.attribute("id")));
    }
    Ok(found.join(", "))
}

fn of_node(node: &Node<'_>) -> String {
    shown(node.name(), node.attribute("id"))
}

/// Returns the start of an element, with only its id.
fn shown(name: &str, id: Option<&str>) -> String {
    let id = id.map_or(String::new(), |id| format!(" id=\"{id}\""));
    format!("start {name}{id}")
}
