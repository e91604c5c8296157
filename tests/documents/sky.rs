//! Sky against its document: a row for every state and arm of the tokeniser, and for the end of the
//! input in each state.

use crate::{limits, none};
use tagstream::{Parser, Sky};
use testing::cuts::{check_balanced, check_cuts, check_parser};
use testing::latency;
use testing::notation;
use testing::rows::{Row, rows};
use testing::run::Program;
use testing::suites::document;

const ROWS: &str = include_str!("../data/sky.txt");

pub(crate) fn add(program: &mut Program) {
    match document("sky-parsing.md") {
        Some(text) => program.case("sky/rows cover the document", move || covers(&text)),
        None => program.leave_out("the states of Sky's document, which is missing"),
    }
    for row in rows(ROWS) {
        let prompt = row.clone();
        program.case(format!("{}, promptly", row.name("sky")), move || {
            promptly(&prompt)
        });
        program.case(row.name("sky"), move || check(&row));
    }
}

fn dialect(row: &Row) -> Sky {
    match &*row.context {
        "application" => Sky::application(),
        "module" => Sky::module(),
        context => match context.strip_prefix("balanced ") {
            Some(names) => Sky::fragment().registered(names.split(' ')),
            None => Sky::fragment(),
        },
    }
}

fn check(row: &Row) -> Result<(), String> {
    let (sky, input) = (dialect(row), &row.input[..]);
    let parser = || Parser::new(sky.clone()).limits(limits(row));
    let balanced = || Parser::new(sky.clone()).balanced().report_errors(true);
    row.compare(&match row.context.starts_with("balanced") {
        true => notation::read(balanced(), input),
        false => notation::read(parser().report_errors(true), input),
    })?;
    check_cuts(parser, input);
    check_parser(&sky, input);
    check_balanced(&sky, input);
    Ok(())
}

fn promptly(row: &Row) -> Result<(), String> {
    let (sky, input) = (dialect(row), &row.input[..]);
    latency::check("events", Parser::new(sky.clone()), input)?;
    latency::check(
        "errors",
        Parser::new(sky.clone()).report_errors(true),
        input,
    )?;
    latency::check("balanced", Parser::new(sky).balanced(), input)
}

/// Every state and arm that the document has is in the rows, and the end of the input in each state
/// that takes anything.
fn covers(text: &str) -> Result<(), String> {
    let (states, arms) = states(text);
    assert_eq!((states.len(), arms.len()), (47, 116));
    let rows = rows(ROWS);
    let has = |state: &str, arm: &str| {
        rows.iter()
            .any(|row| row.section == state && row.arm == arm)
    };
    let mut missing = Vec::new();
    for (state, arm) in &arms {
        if !has(state, arm) {
            missing.push(format!("{state}: arm {arm}"));
        }
    }
    for state in &states {
        if !arms.iter().any(|(of, _)| of == state) && !has(state, "run") {
            missing.push(state.clone());
        }
        let takes = !["Failed signature", "After tag", "After void tag"].contains(&&**state);
        if takes && !has(state, "eof") {
            missing.push(format!("{state}: end of the input"));
        }
    }
    for row in &rows {
        if !states.contains(&row.section)
            && row.section != "Token cleanup"
            && !row.section.starts_with('[')
        {
            missing.push(format!("the document has no state {}", row.section));
        }
    }
    none(&missing)
}

/// The states of the tokeniser, and the arms of each, numbered from 1.
fn states(document: &str) -> (Vec<String>, Vec<(String, String)>) {
    let (mut states, mut arms): (Vec<String>, Vec<(String, String)>) = Default::default();
    let tokeniser = document.split("\nToken cleanup stage\n").next();
    for line in tokeniser.unwrap_or_default().lines() {
        let heading = line.strip_prefix("#### **");
        if let Some(name) = heading.and_then(|rest| rest.strip_suffix("** state ####")) {
            states.push(name.to_owned());
        } else if let (Some(state), true) = (states.last(), line.starts_with("* ")) {
            let before = arms.iter().filter(|(of, _)| of == state).count();
            arms.push((state.clone(), (before + 1).to_string()));
        }
    }
    (states, arms)
}
