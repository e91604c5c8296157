//! LeafXML, sentence by sentence of its document: each that makes a rule has cases that are accepted
//! and cases that are refused.

use std::collections::BTreeMap;
use tagstream::leafxml::errors;
use tagstream::{LeafXml, Parser};
use testing::cuts::{check_balanced, check_parser};
use testing::latency;
use testing::notation;
use testing::rows::{Row, rows, sections};
use testing::run::Program;
use testing::suites::document;

const ROWS: &str = include_str!("../data/leafxml.txt");

/// What marks a sentence of the document as a rule.
const RULES: [&str; 6] = [
    "must",
    "may not",
    "error",
    "not allowed",
    "rejected",
    "No prefix",
];

/// The document has so many of them.
const SENTENCES: usize = 34;

pub(crate) fn add(program: &mut Program) {
    let rows = rows(ROWS);
    for code in errors::ALL {
        program.case(format!("leafxml/a row for {code}"), move || {
            let found = ROWS.contains(&format!("Err {code}@"));
            found.then_some(()).ok_or("there is none")
        });
    }
    match document("leafxml.md") {
        Some(text) => add_sentences(program, &text),
        None => program.leave_out("the sentences of LeafXML's document, which is missing"),
    }
    for sentence in sections(ROWS).filter(|section| section.starts_with("> ")) {
        let mut own = rows.iter().filter(|row| row.section == sentence);
        let (refused, accepted): (Vec<&Row>, Vec<&Row>) = own
            .by_ref()
            .filter(|row| row.context.is_empty())
            .partition(|row| row.events.contains("Err "));
        let both = !refused.is_empty() && !accepted.is_empty();
        program.case(format!("leafxml/both sides of: {sentence}"), move || {
            both.then_some(())
                .ok_or("an accepted or a refused row is missing")
        });
    }
    for row in rows {
        let prompt = row.clone();
        program.case(format!("{}, promptly", row.name("leafxml")), move || {
            promptly(&prompt)
        });
        program.case(row.name("leafxml"), move || check(&row));
    }
}

/// A test for each sentence of the document that makes a rule: that there are rows for it. And for
/// each quotation: that the document has it as often.
fn add_sentences(program: &mut Program, text: &str) {
    let mut quoted: BTreeMap<&str, usize> = BTreeMap::new();
    for sentence in sections(ROWS).filter_map(|section| section.strip_prefix("> ")) {
        *quoted.entry(sentence).or_insert(0) += 1;
    }
    let mut known: BTreeMap<String, usize> = BTreeMap::new();
    for sentence in split(text) {
        *known.entry(sentence).or_insert(0) += 1;
    }
    for (sentence, count) in &quoted {
        let (count, found) = (*count, known.get(*sentence).copied().unwrap_or(0));
        program.case(format!("leafxml/a quotation: {sentence}"), move || {
            assert_eq!(
                count, found,
                "quoted so often, and in the document so often"
            );
        });
    }
    known.retain(|sentence, _| RULES.iter().any(|rule| sentence.contains(rule)));
    let count: usize = known.values().sum();
    program.case("leafxml/the document's sentences", move || {
        assert_eq!(count, SENTENCES);
    });
    for sentence in known.keys() {
        let found = quoted.contains_key(sentence.as_str());
        program.case(format!("leafxml/rows for: {sentence}"), move || {
            found.then_some(()).ok_or("there are none")
        });
    }
}

/// The sentences of the document.
fn split(text: &str) -> Vec<String> {
    let mut sentences = Vec::new();
    for paragraph in text.split("\n\n") {
        let mut sentence = String::new();
        for word in paragraph.split_whitespace() {
            let ended = sentence.ends_with(['.', ':']);
            if ended && word.starts_with(|c: char| c.is_uppercase() || matches!(c, '_' | '`')) {
                sentences.push(std::mem::take(&mut sentence));
            }
            if !sentence.is_empty() {
                sentence.push(' ');
            }
            sentence.push_str(word);
        }
        sentences.push(sentence);
    }
    sentences
}

fn all() -> LeafXml {
    LeafXml::default()
        .comments(true)
        .processing_instructions(true)
        .doctype(true)
}

fn check(row: &Row) -> Result<(), String> {
    let (plain, input) = (LeafXml::default(), &row.input[..]);
    let dialect = match &*row.context {
        "all" => all(),
        _ => plain,
    };
    let found = notation::read(Parser::new(dialect), input);
    row.compare(&found)?;
    // Whether it is refused, and where, does not depend on what is told; and the code is one of its own.
    let refusal = |found: &str| found.split_once("Err ").map(|(_, error)| error.to_owned());
    let refused = refusal(&found);
    for other in [plain, all()] {
        assert_eq!(refused, refusal(&notation::read(Parser::new(other), input)));
    }
    let code = refused.as_deref().and_then(|error| error.split('@').next());
    let is_known = |code: &str| errors::ALL.iter().any(|known| known.as_str() == code);
    assert!(code.is_none_or(is_known), "{code:?}");
    check_parser(&plain, input);
    check_parser(&all(), input);
    check_balanced(&plain, input);
    Ok(())
}

fn promptly(row: &Row) -> Result<(), String> {
    latency::check("events", Parser::new(LeafXml::default()), &row.input)?;
    latency::check(
        "balanced",
        Parser::new(LeafXml::default()).balanced(),
        &row.input,
    )?;
    latency::check("all", Parser::new(all()), &row.input)
}
