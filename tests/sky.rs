//! Sky against its document: a row for every state and arm of the tokeniser, and for the end of the
//! input in each state; trees; the host; and the promises that hold for every dialect.
//!
//! `tests/sky/states.rows` has the rows: state, arm (its number, `eof`, or `run` for what the state
//! does without arms), parsing context, input, and what comes out, on one line, escaped.

#[path = "sky/construct.rs"]
mod construct;
mod feeding;
#[path = "sky/promises.rs"]
mod promises;
#[path = "feeding/table.rs"]
mod table;

use feeding::cuts::{check_cuts, check_pieces};
use libtest_mimic::{Arguments, Failed, Trial};
use std::process::ExitCode;
use table::{Row, document, outcome, rows};
use tagstream::{Balanced, Parser, Sky, TextPolicy};

const STATES: &str = include_str!("sky/states.rows");

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let mut trials = vec![covers_the_document()];
    for (number, row) in rows(STATES).into_iter().enumerate() {
        let name = format!("states {number} {} {} {:?}", row.state, row.arm, row.input);
        trials.push(Trial::test(name, move || check(&row)));
    }
    trials.extend(construct::trials());
    trials.extend(testing::model::sky::trials());
    trials.extend(promises::trials());
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn dialect(context: &str) -> Sky {
    match context {
        "A" => Sky::application(),
        "M" => Sky::module(),
        _ => Sky::fragment(),
    }
}

fn check(row: &Row) -> Result<(), Failed> {
    let parser = || Parser::new(dialect(&row.context)).errors(true);
    let found = outcome(parser(), row.input.as_bytes());
    if found != row.expected {
        return Err(format!("wanted: {}\nfound:  {found}", row.expected).into());
    }
    every_feeding(&dialect(&row.context), row.input.as_bytes());
    Ok(())
}

/// The same however the input is fed: events, balanced events, text in pieces.
fn every_feeding(sky: &Sky, input: &[u8]) {
    check_cuts(|| Parser::new(sky.clone()).errors(true), input);
    check_cuts(|| Parser::new(sky.clone()), input);
    check_cuts(|| Balanced::new(sky.clone()).errors(true), input);
    let whole = || Parser::new(sky.clone());
    check_pieces(whole, || whole().text(TextPolicy::Pieces), input);
    let whole = || Balanced::new(sky.clone());
    check_pieces(whole, || whole().text(TextPolicy::Pieces), input);
}

/// Every state and arm that the document has is in the rows, and the end of the input in each state
/// that takes anything.
fn covers_the_document() -> Trial {
    let Some(text) = document("sky-parsing.md") else {
        return Trial::test("rows cover the document", || Ok(())).with_ignored_flag(true);
    };
    Trial::test("rows cover the document", move || {
        let (states, arms) = states(&text);
        assert_eq!((states.len(), arms.len()), (47, 116));
        let rows = rows(STATES);
        let mut missing = Vec::new();
        let has =
            |state: &str, arm: &str| rows.iter().any(|row| row.state == state && row.arm == arm);
        for (state, arm) in &arms {
            if !has(state, arm) {
                missing.push(format!("{state}: arm {arm}"));
            }
        }
        for state in &states {
            let armless = !arms.iter().any(|(of, _)| of == state);
            if armless && !has(state, "run") {
                missing.push(state.clone());
            }
            let takes = !matches!(
                &**state,
                "Failed signature" | "After tag" | "After void tag"
            );
            if takes && !has(state, "eof") {
                missing.push(format!("{state}: end of the input"));
            }
        }
        for row in &rows {
            if !states.contains(&row.state) && row.state != "Token cleanup" {
                missing.push(format!("the document has no state {}", row.state));
            }
        }
        match missing.is_empty() {
            true => Ok(()),
            false => Err(missing.join("\n").into()),
        }
    })
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
