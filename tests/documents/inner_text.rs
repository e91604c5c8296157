//! The text that a browser shows, of trees and of streams in chunks of several sizes.

use tagstream::select::Selector;
use tagstream::{Balance, Buildable, Document, Event, Events, Html, Nested, Source, Xml};
use testing::cases::{self, Case};
use testing::run::{Failed, Program};

pub(crate) fn add(program: &mut Program) {
    let text = include_str!("../data/inner-text.txt");
    let cases = cases::cases("tests/data/inner-text.txt", text);
    cases::add(program, cases, |_| "tree/inner text", check);
}

fn check(case: &Case) -> Result<(), Failed> {
    match case.option("dialect") {
        Some("xml") => check_in(case, Xml::default(), |input, size| {
            let chunks = input.chunks(size);
            streamed(case, Events::chunks(Xml::default(), chunks))
        }),
        _ => check_in(case, Html::default(), |input, size| {
            let chunks = input.chunks(size);
            streamed(case, Events::chunks(Html::default(), chunks).balanced())
        }),
    }
}

fn selector(case: &Case) -> &str {
    case.text("select").unwrap_or("body")
}

fn check_in<D: Buildable>(
    case: &Case,
    dialect: D,
    streamed: impl Fn(&[u8], usize) -> Result<String, Failed>,
) -> Result<(), Failed> {
    // A DOCTYPE, so that the document is not in quirks mode.
    let input = [b"<!DOCTYPE html>".as_slice(), &case.input()].concat();
    let document = Document::parse(dialect, input.clone())?;
    let node = document.select(&Selector::new(selector(case))?)?.next();
    let node = node.ok_or("an element")?;
    case.expect("markup", &node.inner_text())?;
    if case.text("select").is_some() && case.option("streams") != Some("same") {
        return Ok(());
    }
    for size in [usize::MAX, 1, 3] {
        case.expect("markup", &streamed(&input, size)?)?;
    }
    Ok(())
}

/// Returns the text of the first element that the case selects.
fn streamed<D: Balance, S: Source>(
    case: &Case,
    mut events: Events<D, S, Nested>,
) -> Result<String, Failed> {
    while let Some(event) = events.next_event()? {
        if matches!(event, Event::Start(tag) if tag.name() == selector(case)) {
            return Ok(events.read_inner_text()?);
        }
    }
    Err("no element".into())
}
