//! The states and arms of XML-ER, each with rows of input and events: no state or arm of the
//! document is without one, and every row reads the same for every cut.

#[path = "feeding/escapes.rs"]
mod escapes;
mod feeding;
#[path = "feeding/notation.rs"]
mod notation;
#[path = "feeding/rows.rs"]
mod rows;

use feeding::cuts::{check_cuts, check_pieces};
use libtest_mimic::{Arguments, Failed, Trial};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::ExitCode;
use tagstream::{Balanced, Event, Parser, TextPolicy, Xml};

const ROWS: &str = include_str!("data/xml-er.txt");

/// The document has so many states, and so many arms beside those in prose.
const STATES: usize = 72;
const ARMS: usize = 332;

/// The arms of the states that the document has in prose.
const PROSE: [(&str, &[&str]); 4] = [
    (
        "Markup declaration state",
        &["--", "[CDATA[", "DOCTYPE", "Otherwise", "EOF"],
    ),
    (
        "DOCTYPE markup declaration state",
        &["--", "ENTITY", "ATTLIST", "NOTATION", "Otherwise", "EOF"],
    ),
    ("Bogus comment state", &[">", "EOF"]),
    ("DOCTYPE bogus comment state", &[">", "EOF"]),
];

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let rows = rows::read(ROWS);
    let known: BTreeSet<(String, String)> = rows
        .iter()
        .map(|row| (row.section.clone(), row.arm.clone()))
        .collect();
    let mut trials: Vec<Trial> = rows
        .into_iter()
        .map(|row| Trial::test(row.name(), move || check(&row)))
        .collect();
    trials.extend(arms(&known));
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// A test for each arm of the document: that there is a row for it.
fn arms(known: &BTreeSet<(String, String)>) -> Vec<Trial> {
    let root = std::env::var_os("TAGSTREAM_SUITES").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/suites"),
        Into::into,
    );
    let Ok(text) = std::fs::read_to_string(root.join("../specs/xml-er.txt")) else {
        return vec![Trial::test("the document's arms", || Ok(())).with_ignored_flag(true)];
    };
    let wanted = read_arms(&text);
    let states: BTreeSet<&String> = wanted.iter().map(|(state, _)| state).collect();
    let prose = PROSE.iter().map(|(_, arms)| arms.len()).sum::<usize>();
    let counts = (states.len(), wanted.len() - prose);
    let mut trials = vec![Trial::test("the document's arms", move || {
        match counts == (STATES, ARMS) {
            true => Ok(()),
            false => Err(format!("{counts:?} states and arms were read").into()),
        }
    })];
    for (state, arm) in wanted {
        let found = known.contains(&(state.clone(), arm.clone()));
        trials.push(Trial::test(
            format!("a row for {state}: {arm}"),
            move || found.then_some(()).ok_or_else(|| "there is none".into()),
        ));
    }
    trials
}

/// State and arm, as the document names them.
fn read_arms(text: &str) -> Vec<(String, String)> {
    let mut arms = Vec::new();
    let mut state = "";
    let body = text
        .split("\n3.4 Tree construction\n")
        .next()
        .unwrap_or(text);
    for line in body.lines() {
        let short = line.len() < 60 && !line.contains('.');
        if short && line.ends_with(" state") {
            state = line;
            if let Some((_, own)) = PROSE.iter().find(|(name, _)| *name == state) {
                arms.extend(own.iter().map(|arm| (state.to_owned(), (*arm).to_owned())));
            }
        } else if !state.is_empty() {
            let arm = line.trim_start_matches('u').trim_end_matches(':');
            if arm.starts_with("U+") && arm.len() <= 10 || arm == "EOF" || arm == "Anything else" {
                arms.push((state.to_owned(), arm.to_owned()));
            }
        }
    }
    arms
}

fn check(row: &rows::Row) -> Result<(), Failed> {
    let input = row.input.as_bytes();
    let found = notation::read(Parser::new(Xml::default()).errors(true), input);
    if found != row.events {
        return Err(format!("{:?}\nwanted: {}\nfound:  {found}", row.input, row.events).into());
    }
    check_cuts(|| Parser::new(Xml::default()).errors(true), input);
    check_balance(input)?;
    check_cuts(|| Parser::new(Xml::strict()), input);
    check_cuts(|| Balanced::new(Xml::default()).errors(true), input);
    check_pieces(
        || Parser::new(Xml::default()),
        || Parser::new(Xml::default()).text(TextPolicy::Pieces),
        input,
    );
    Ok(())
}

/// Balanced events are a tree: every start has its end, there is one root at most, and text stands
/// in it only.
fn check_balance(input: &[u8]) -> Result<(), Failed> {
    let mut parser = Balanced::new(Xml::default());
    parser.feed_slice(input);
    parser.finish();
    let (mut open, mut roots) = (Vec::new(), 0);
    while let Some(event) = parser.next_event()? {
        match event {
            Event::Start(tag) => {
                roots += usize::from(open.is_empty());
                open.push((tag.name().to_owned(), tag.namespace().map(str::to_owned)));
            }
            Event::End(tag) => {
                let own = (tag.name().to_owned(), tag.namespace().map(str::to_owned));
                let expected = open.pop();
                if expected.as_ref() != Some(&own) {
                    return Err(format!("balanced: {own:?} ends {expected:?}").into());
                }
            }
            Event::Text(text) if open.is_empty() => {
                return Err(format!("balanced: {text:?} outside the root").into());
            }
            _ => {}
        }
    }
    match open.is_empty() && roots <= 1 {
        true => Ok(()),
        false => Err(format!("balanced: {roots} roots, {open:?} left open").into()),
    }
}
