//! MicroXML against its documents: a row for every lexical token in every mode, for the end of the
//! input in each state, and for what is refused strictly.

use crate::{limits, none};
use tagstream::microxml::Revision;
use tagstream::{MicroXml, Parser};
use testing::cuts::{check_balanced, check_cuts, check_parser};
use testing::latency;
use testing::notation;
use testing::rows::{Row, rows};
use testing::run::Program;
use testing::suites::document;

const FIRST: &str = include_str!("../data/microxml.txt");
const FINAL: &str = include_str!("../data/microxml-final.txt");

pub(crate) fn add(program: &mut Program) {
    match document("microxml-error-recovery.md") {
        Some(text) => program.case("microxml/rows cover the document", move || covers(&text)),
        None => program.leave_out("the modes of MicroXML's document, which is missing"),
    }
    program.case(
        "microxml/rows cover the final revision",
        covers_the_final_revision,
    );
    program.case("microxml/strict agrees with recovering", strict_agrees);
    for (of, text, revision) in [
        ("microxml", FIRST, Revision::First),
        ("microxml/final", FINAL, Revision::Final),
    ] {
        for row in rows(text) {
            let microxml = match &*row.context {
                "strict" => MicroXml::strict(),
                _ => MicroXml::default(),
            };
            let microxml = microxml.revision(revision);
            let input = row.input.clone();
            program.case(format!("{}, promptly", row.name(of)), move || {
                promptly(microxml, &input)
            });
            program.case(row.name(of), move || check(microxml, &row));
        }
    }
}

fn check(dialect: MicroXml, row: &Row) -> Result<(), String> {
    let input = &row.input[..];
    let parser = || Parser::new(dialect).limits(limits(row));
    row.compare(&notation::read(parser().report_errors(true), input))?;
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

/// What is accepted strictly gives the same events in both modes, and no report.
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

/// Every mode of the final revision has a row for each lexical token, and for the end of the input.
fn covers_the_final_revision() -> Result<(), String> {
    let modes = FINAL_MODES.lines().map(|line| {
        let (mode, tokens) = line.split_once(": ").expect("a mode");
        (
            mode.to_owned(),
            tokens.split(' ').map(str::to_owned).collect(),
        )
    });
    none(&missing(&rows(FINAL), &modes.collect::<Vec<_>>()))
}

/// Every mode of the document has a row for each lexical token that it recognises.
fn covers(text: &str) -> Result<(), String> {
    let modes = modes(text);
    assert_eq!(modes.len(), 7, "{modes:?}");
    none(&missing(&rows(FIRST), &modes))
}

/// Modes and tokens that no row has.
fn missing(rows: &[Row], modes: &[(String, Vec<String>)]) -> Vec<String> {
    let mut missing = Vec::new();
    let eof = String::from("EOF");
    for (mode, tokens) in modes {
        for token in tokens.iter().chain([&eof]) {
            if !rows
                .iter()
                .any(|row| row.section == *mode && row.arm == *token)
            {
                missing.push(format!("{mode}: {token}"));
            }
        }
    }
    missing
}

/// The modes and the lexical tokens that each recognises.
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
