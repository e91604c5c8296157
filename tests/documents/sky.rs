//! Sky against its specification: cases for every state and arm of the tokenizer, and for the end of the input in each
//! state.

use crate::{limits, none};
use tagstream::{Parser, Sky};
use testing::cases::{self, Case};
use testing::cuts::{check_balanced, check_cuts, check_parser};
use testing::event_text;
use testing::latency;
use testing::run::Program;
use testing::suites::document;

/// Returns all cases.
fn all() -> Vec<Case> {
    cases::cases("tests/data/sky.txt", include_str!("../data/sky.txt"))
}

pub(crate) fn add(program: &mut Program) {
    match document("sky-parsing.md") {
        Some(text) => program.case("sky/cases cover the document", move || covers(&text)),
        None => program.leave_out("the states of Sky's document, which is missing"),
    }
    for case in all() {
        let name = format!("{}, promptly", case.test_name("sky"));
        program.case(name, move || promptly(&case));
    }
    cases::add(program, all(), |_| "sky", check);
}

/// Creates the dialect Sky with the options of a case.
fn dialect(case: &Case) -> Sky {
    match case.option("document") {
        Some("application") => Sky::application(),
        Some("module") => Sky::module(),
        _ if case.has("registered") => Sky::fragment().registered(case.list("registered")),
        _ => Sky::fragment(),
    }
}

fn check(case: &Case) -> Result<(), String> {
    let (sky, input) = (dialect(case), &case.input()[..]);
    let limits = limits(case);
    let parser = || Parser::new(sky.clone()).limits(limits);
    let balanced = || Parser::new(sky.clone()).balanced().report_errors(true);
    let found = match case.has("balanced") {
        true => event_text::read(balanced(), input),
        false => event_text::read(parser().report_errors(true), input),
    };
    case.expect("events", &found)?;
    check_cuts(parser, input);
    check_parser(&sky, input);
    check_balanced(&sky, input);
    Ok(())
}

fn promptly(case: &Case) -> Result<(), String> {
    let (sky, input) = (dialect(case), &case.input()[..]);
    latency::check("events", Parser::new(sky.clone()), input)?;
    latency::check(
        "errors",
        Parser::new(sky.clone()).report_errors(true),
        input,
    )?;
    latency::check("balanced", Parser::new(sky).balanced(), input)
}

/// Asserts that every state and arm of the document has a case, and that every state that consumes input has a case for
/// the end of the input.
fn covers(text: &str) -> Result<(), String> {
    let (states, arms) = states(text);
    assert_eq!((states.len(), arms.len()), (47, 116));
    let cases = all();
    let has = |state: &str, name: &str| {
        let mut cases = cases.iter();
        cases.any(|case| case.section == state && case.name == name)
    };
    let mut missing = Vec::new();
    for (state, arm) in &arms {
        let arm = format!("arm {arm}");
        if !has(state, &arm) {
            missing.push(format!("{state}: {arm}"));
        }
    }
    for state in &states {
        if !arms.iter().any(|(of, _)| of == state) && !has(state, "the state as a whole") {
            missing.push(state.clone());
        }
        let takes = !["Failed signature", "After tag", "After void tag"].contains(&&**state);
        if takes && !has(state, "end of the input") {
            missing.push(format!("{state}: end of the input"));
        }
    }
    for case in &cases {
        if !states.contains(&case.section)
            && case.section != "Token cleanup"
            && !case.section.starts_with("Other cases: ")
        {
            missing.push(format!("the document has no state {}", case.section));
        }
    }
    none(&missing)
}

/// Returns the states of the tokenizer, and the arms of each state, numbered from 1.
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
