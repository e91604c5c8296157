//! The XML conformance suite of the W3C: what is accepted, what is refused, canonical output, and
//! the same events for every cut.

mod feeding;
#[path = "feeding/suites.rs"]
mod suites;

use feeding::cuts::{check_cuts, check_pieces};
use libtest_mimic::{Failed, Trial};
use serde_json::Value;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use tagstream::{Error, Event, Parser, TextPolicy, TreeBuilder, Xml};

fn main() -> ExitCode {
    suites::run("xmlconf", cases)
}

/// A document of the suite, and what is to come of it.
struct Case {
    input: Vec<u8>,
    dialect: Xml,
    strict: Xml,
    accepted: bool,
    output: Option<String>,
}

fn cases(folder: &Path) -> Vec<Trial> {
    let manifest = std::fs::read_to_string(folder.join("manifest.jsonl")).expect("a manifest");
    let mut trials = Vec::new();
    for line in manifest.lines() {
        let entry: Value = serde_json::from_str(line).expect("an entry of the manifest");
        let field = |name: &str| entry[name].as_str().unwrap_or_default();
        let input = std::fs::read(folder.join(field("uri"))).expect("a document");
        let id = field("id");
        let namespaces = field("namespace") != "no";
        let dialect = Xml::default().namespaces(namespaces);
        let edition = field("edition");
        let edition_holds = edition.is_empty() || edition.contains('5');
        if edition_holds && field("type") != "error" && is_in_scope(&entry) {
            let output = Some(field("output")).filter(|path| !path.is_empty());
            let case = Arc::new(Case {
                input: input.clone(),
                dialect,
                strict: Xml::strict().namespaces(namespaces),
                accepted: field("type") != "not-wf",
                output: output
                    .map(|path| std::fs::read_to_string(folder.join(path)).expect("an output")),
            });
            trials.push(Trial::test(format!("result {id}"), move || {
                check_result(&case)
            }));
        }
        trials.push(Trial::test(format!("cuts {id}"), move || {
            check_cuts(|| Parser::new(dialect).errors(true), &input);
            let pieces = move || Parser::new(dialect).text(TextPolicy::Pieces);
            check_pieces(|| Parser::new(dialect), pieces, &input);
            Ok(())
        }));
    }
    trials
}

/// Whether the result depends on nothing that this parser does not read: external entities, and the
/// rules of XML 1.1.
fn is_in_scope(entry: &Value) -> bool {
    let field = |name: &str| entry[name].as_str().unwrap_or_default();
    field("entities") == "none" && field("version") != "1.1"
}

/// The first parse error of the recovering parser: its code, and where it is.
fn first_error(dialect: Xml, input: &[u8]) -> Result<Option<String>, Error> {
    let mut parser = Parser::new(dialect).errors(true);
    parser.feed_slice(input);
    parser.finish();
    while let Some(event) = parser.next_event()? {
        if let Event::ParseError(error) = event {
            let (code, span) = (error.code(), error.span());
            return Ok(Some(format!("{code} {span} {}", error.position())));
        }
    }
    Ok(None)
}

/// What the strict parser refuses the input with.
fn refusal(dialect: Xml, input: &[u8]) -> Option<String> {
    let mut parser = Parser::new(dialect);
    parser.feed_slice(input);
    parser.finish();
    loop {
        match parser.next_event() {
            Ok(Some(_)) => {}
            Ok(None) => return None,
            Err(error) => {
                let name = error.as_str();
                return Some(format!("{name} {} {}", error.span(), error.position()));
            }
        }
    }
}

fn check_result(case: &Case) -> Result<(), Failed> {
    let found = first_error(case.dialect, &case.input)?;
    if case.accepted != found.is_none() {
        let wanted = if case.accepted { "none" } else { "one" };
        return Err(format!("parse errors: wanted {wanted}, found {found:?}").into());
    }
    let strict = refusal(case.strict, &case.input);
    if strict != found {
        return Err(format!("strict: {strict:?}, recovering: {found:?}").into());
    }
    if let Some(output) = &case.output {
        let mut builder = TreeBuilder::new(case.dialect);
        builder.feed_slice(&case.input);
        builder.finish();
        builder.build()?;
        let canonical = builder.sink().to_canonical();
        if canonical != *output {
            return Err(format!("wanted {output:?}\nfound  {canonical:?}").into());
        }
    }
    Ok(())
}
