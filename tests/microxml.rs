//! MicroXML against its document: a row for every lexical token in every mode, for the end of the
//! input in each state, and for what is refused strictly; trees; and what every dialect promises.
//!
//! `tests/microxml/tokens.rows` and, for the final revision, `final.rows` have the rows: lexical token (or `EOF`), mode, what it is read as (`1`,
//! `F` by the final revision, or `S` strictly), input, and what comes out, on one line, escaped.

mod feeding;
#[path = "microxml/promises.rs"]
mod promises;
#[path = "feeding/table.rs"]
mod table;

use feeding::cuts::{check_cuts, check_pieces};
use libtest_mimic::{Arguments, Failed, Trial};
use std::process::ExitCode;
use table::{Row, document, outcome, rows};
use tagstream::microxml::Revision;
use tagstream::{Balanced, MicroXml, Parser, TextPolicy};

const TOKENS: &str = include_str!("microxml/tokens.rows");
const FINAL: &str = include_str!("microxml/final.rows");

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let mut trials = vec![
        covers_the_document(),
        Trial::test("rows cover the final revision", covers_the_final_revision),
    ];
    for (number, row) in rows(TOKENS).into_iter().chain(rows(FINAL)).enumerate() {
        let name = format!("tokens {number} {} {} {:?}", row.state, row.arm, row.input);
        trials.push(Trial::test(name, move || check(&row)));
    }
    trials.extend(testing::model::microxml::trials());
    trials.extend(promises::trials());
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn dialect(context: &str) -> MicroXml {
    match context {
        "S" => MicroXml::strict(),
        "F" => MicroXml::default().revision(Revision::Final),
        _ => MicroXml::default(),
    }
}

fn check(row: &Row) -> Result<(), Failed> {
    let (dialect, input) = (dialect(&row.context), row.input.as_bytes());
    let found = outcome(Parser::new(dialect).errors(true), input);
    if found != row.expected {
        return Err(format!("wanted: {}\nfound:  {found}", row.expected).into());
    }
    check_cuts(|| Parser::new(dialect).errors(true), input);
    check_cuts(|| Parser::new(dialect), input);
    check_cuts(|| Balanced::new(dialect).errors(true), input);
    let whole = || Parser::new(dialect);
    check_pieces(whole, || whole().text(TextPolicy::Pieces), input);
    let whole = || Balanced::new(dialect);
    check_pieces(whole, || whole().text(TextPolicy::Pieces), input);
    Ok(())
}

/// The modes of the final revision and the lexical tokens that each recognises.
const FINAL_MODES: [(&str, &str); 9] = [
    (
        "Main",
        "DATA_CHAR NAMED_CHAR_REF NUMERIC_CHAR_REF START_TAG_OPEN END_TAG COMMENT PI CDATA_OPEN \
         DOCTYPE_OPEN",
    ),
    (
        "Tag",
        "ATTRIBUTE_NAME_EQUALS BOOLEAN_ATTRIBUTE START_TAG_CLOSE EMPTY_ELEMENT_TAG_CLOSE S EMPTY",
    ),
    (
        "StartAttributeValue",
        "S SINGLE_QUOTE DOUBLE_QUOTE START_TAG_CLOSE EMPTY_ELEMENT_TAG_CLOSE EMPTY",
    ),
    (
        "Unquoted",
        "DATA_CHAR NAMED_CHAR_REF NUMERIC_CHAR_REF START_TAG_CLOSE EMPTY_ELEMENT_TAG_CLOSE S",
    ),
    (
        "SingleQuoted",
        "ATTRIBUTE_VALUE_CHAR NAMED_CHAR_REF NUMERIC_CHAR_REF ANGLE_SINGLE SINGLE_QUOTE EMPTY",
    ),
    (
        "DoubleQuoted",
        "ATTRIBUTE_VALUE_CHAR NAMED_CHAR_REF NUMERIC_CHAR_REF ANGLE_DOUBLE DOUBLE_QUOTE EMPTY",
    ),
    ("CData", "DATA_CHAR CDATA_CLOSE"),
    (
        "Doctype",
        "DECL_CHAR LITERAL SUBSET_OPEN START_TAG_CLOSE EMPTY",
    ),
    ("Subset", "COMMENT PI DECL S SUBSET_CLOSE EMPTY"),
];

/// Every mode of the final revision has a row for each lexical token, and for the end of the input.
fn covers_the_final_revision() -> Result<(), Failed> {
    let rows = rows(FINAL);
    for (mode, tokens) in FINAL_MODES {
        for token in tokens.split_whitespace().chain(["EOF"]) {
            let has = rows.iter().any(|row| row.arm == mode && row.state == token);
            assert!(has, "{mode}: {token}");
        }
    }
    Ok(())
}

/// Every mode of the document has a row for each lexical token that it recognises.
fn covers_the_document() -> Trial {
    let Some(text) = document("microxml-error-recovery.md") else {
        return Trial::test("rows cover the document", || Ok(())).with_ignored_flag(true);
    };
    Trial::test("rows cover the document", move || {
        let modes = modes(&text);
        assert_eq!(modes.len(), 7, "{modes:?}");
        let rows = rows(TOKENS);
        let mut missing = Vec::new();
        for (mode, mut tokens) in modes {
            tokens.push(String::from("EOF"));
            for token in tokens {
                if !rows.iter().any(|row| row.arm == mode && row.state == token) {
                    missing.push(format!("{mode}: {token}"));
                }
            }
        }
        match missing.is_empty() {
            true => Ok(()),
            false => Err(missing.join("\n").into()),
        }
    })
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
