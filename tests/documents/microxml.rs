//! MicroXML against its specifications: cases for every lexical token in every mode, for the end of the input in each
//! state, and for the errors of the strict mode.

use crate::{limits, none};
use tagstream::microxml::Revision;
use tagstream::{MicroXml, Parser};
use testing::cases::{self, Case};
use testing::cuts::{check_balanced, check_cuts, check_parser};
use testing::event_text;
use testing::latency;
use testing::run::Program;
use testing::suites::document;

/// Returns the cases of the first revision.
fn first() -> Vec<Case> {
    let text = include_str!("../data/microxml.txt");
    cases::cases("tests/data/microxml.txt", text)
}

/// Returns the cases of the final revision.
fn last() -> Vec<Case> {
    let text = include_str!("../data/microxml-final.txt");
    cases::cases("tests/data/microxml-final.txt", text)
}

pub(crate) fn add(program: &mut Program) {
    match document("microxml-error-recovery.md") {
        Some(text) => program.case("microxml/cases cover the document", move || covers(&text)),
        None => program.leave_out("the modes of MicroXML's document, which is missing"),
    }
    program.case(
        "microxml/cases cover the final revision",
        covers_the_final_revision,
    );
    program.case("microxml/strict agrees with recovering", strict_agrees);
    for (of, cases, revision) in [
        ("microxml", first(), Revision::First),
        ("microxml/final", last(), Revision::Final),
    ] {
        for case in cases {
            let microxml = match case.has("strict") {
                true => MicroXml::strict(),
                false => MicroXml::default(),
            };
            let microxml = microxml.revision(revision);
            let (name, input) = (case.test_name(of), case.input());
            program.case(format!("{name}, promptly"), move || {
                promptly(microxml, &input)
            });
            program.case(name, move || case.check(|case| check(microxml, case)));
        }
    }
}

fn check(dialect: MicroXml, case: &Case) -> Result<(), String> {
    let input = &case.input()[..];
    let parser = || Parser::new(dialect).limits(limits(case));
    case.expect(
        "events",
        &event_text::read(parser().report_errors(true), input),
    )?;
    check_cuts(parser, input);
    check_parser(&dialect, input);
    check_balanced(&dialect, input);
    Ok(())
}

fn promptly(dialect: MicroXml, input: &[u8]) -> Result<(), String> {
    latency::check("events", Parser::new(dialect), input)?;
    latency::check("errors", Parser::new(dialect).report_errors(true), input)?;
    latency::check("balanced", Parser::new(dialect).balanced(), input)?;
    latency::check("strict", Parser::new(MicroXml::strict()), input)
}

/// A document that the strict mode accepts gives the same events in both modes, and no error.
fn strict_agrees() {
    for input in [
        "<a/>",
        "<a b='c' d = \"e\"\r\n>f&lt;<!-- g --><h>&#xA0;é</h ></a>\n",
        "\u{FEFF}<a>\t\r\n</a><!-- - -->",
    ] {
        let read = |dialect| {
            testing::pull::dump(Parser::new(dialect).report_errors(true), input.as_bytes())
        };
        let strict = read(MicroXml::strict());
        assert_eq!(strict, read(MicroXml::default()), "{input}");
        assert!(!strict.contains(" error "), "{strict}");
    }
}

/// The modes of the final revision and the lexical tokens that each recognises.
const FINAL_MODES: &str = "\
Main: DATA_CHAR NAMED_CHAR_REF NUMERIC_CHAR_REF START_TAG_OPEN END_TAG COMMENT PI CDATA_OPEN DOCTYPE_OPEN
Tag: ATTRIBUTE_NAME_EQUALS BOOLEAN_ATTRIBUTE START_TAG_CLOSE EMPTY_ELEMENT_TAG_CLOSE S EMPTY
StartAttributeValue: S SINGLE_QUOTE DOUBLE_QUOTE START_TAG_CLOSE EMPTY_ELEMENT_TAG_CLOSE EMPTY
Unquoted: DATA_CHAR NAMED_CHAR_REF NUMERIC_CHAR_REF START_TAG_CLOSE EMPTY_ELEMENT_TAG_CLOSE S
SingleQuoted: ATTRIBUTE_VALUE_CHAR NAMED_CHAR_REF NUMERIC_CHAR_REF ANGLE_SINGLE SINGLE_QUOTE EMPTY
DoubleQuoted: ATTRIBUTE_VALUE_CHAR NAMED_CHAR_REF NUMERIC_CHAR_REF ANGLE_DOUBLE DOUBLE_QUOTE EMPTY
CData: DATA_CHAR CDATA_CLOSE
Doctype: DECL_CHAR LITERAL SUBSET_OPEN START_TAG_CLOSE EMPTY
Subset: COMMENT PI DECL S SUBSET_CLOSE EMPTY";

/// Every mode of the final revision has a case for each lexical token, and for the end of the input.
fn covers_the_final_revision() -> Result<(), String> {
    let modes = FINAL_MODES.lines().map(|line| {
        let (mode, tokens) = line.split_once(": ").expect("a mode");
        (
            mode.to_owned(),
            tokens.split(' ').map(str::to_owned).collect(),
        )
    });
    none(&missing(&last(), &modes.collect::<Vec<_>>()))
}

/// Every mode of the document has a case for each lexical token that it recognises.
fn covers(text: &str) -> Result<(), String> {
    let modes = modes(text);
    assert_eq!(modes.len(), 7, "{modes:?}");
    none(&missing(&first(), &modes))
}

/// Returns the modes and tokens that no case covers.
fn missing(cases: &[Case], modes: &[(String, Vec<String>)]) -> Vec<String> {
    let mut missing = Vec::new();
    let eof = String::from("EOF");
    for (mode, tokens) in modes {
        for token in tokens.iter().chain([&eof]) {
            let covers = |case: &Case| case.section == *mode && case.name == *token;
            if !cases.iter().any(covers) {
                missing.push(format!("{mode}: {token}"));
            }
        }
    }
    missing
}

/// Returns the modes, each with the lexical tokens that it recognizes.
fn modes(document: &str) -> Vec<(String, Vec<String>)> {
    let mut modes: Vec<(String, Vec<String>)> = Vec::new();
    let mut in_modes = false;
    for line in document.lines() {
        if let Some(heading) = line.strip_prefix("### ") {
            in_modes = heading.to_lowercase().contains("mode");
            let name = heading.split(" tokenization").next().unwrap_or_default();
            let name = name.trim_end_matches(" mode");
            let name = match name {
                "TagMode" => name,
                _ => name.trim_end_matches("Mode"),
            };
            if in_modes {
                modes.push((name.to_owned(), Vec::new()));
            }
        } else if line.starts_with("## ") {
            in_modes = false;
        } else if let (true, Some(rule)) = (in_modes, line.strip_prefix("+ ")) {
            let tokens = rule.split(" - ").next().unwrap_or_default();
            let tokens = tokens.split(", ").map(str::to_owned);
            modes.last_mut().expect("a mode").1.extend(tokens);
        }
    }
    modes
}
