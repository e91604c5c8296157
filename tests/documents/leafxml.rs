//! LeafXML, checked against each sentence of its specification. Each sentence that states a rule has cases that are
//! accepted and cases that are refused.

use std::collections::BTreeMap;
use tagstream::leafxml::errors;
use tagstream::{LeafXml, Parser};
use testing::cases::{self, Case, sections};
use testing::cuts::{check_balanced, check_parser};
use testing::event_text::{self, fatal};
use testing::latency;
use testing::run::Program;
use testing::suites::document;

const TEXT: &str = include_str!("../data/leafxml.txt");

/// A sentence of the specification states a rule if it contains one of these strings.
const RULES: [&str; 6] = [
    "must",
    "may not",
    "error",
    "not allowed",
    "rejected",
    "No prefix",
];

/// The number of sentences that state a rule.
const SENTENCES: usize = 34;

pub(crate) fn add(program: &mut Program) {
    let all = || cases::cases("tests/data/leafxml.txt", TEXT);
    for code in errors::ALL {
        program.case(format!("leafxml/a case for {code}"), move || {
            let found = TEXT.contains(&format!("fatal {code} "));
            found.then_some(()).ok_or("there is none")
        });
    }
    match document("leafxml.md") {
        Some(text) => add_sentences(program, &text),
        None => program.leave_out("the sentences of LeafXML's document, which is missing"),
    }
    let cases = all();
    for sentence in sections(TEXT).filter(|section| section.starts_with("> ")) {
        let own = cases.iter().filter(|case| case.section == sentence);
        let own = own.filter(|case| !case.has_options());
        let is_refused = |case: &&Case| {
            case.expected("events")
                .is_some_and(|it| fatal(it).is_some())
        };
        let (refused, accepted): (Vec<&Case>, Vec<&Case>) = own.partition(is_refused);
        let both = !refused.is_empty() && !accepted.is_empty();
        program.case(format!("leafxml/both sides of: {sentence}"), move || {
            both.then_some(())
                .ok_or("there is no accepted case, or no refused case")
        });
    }
    for case in cases {
        let name = format!("{}, promptly", case.test_name("leafxml"));
        program.case(name, move || promptly(&case));
    }
    cases::add(program, all(), |_| "leafxml", check);
}

/// Adds two kinds of tests: each sentence of the specification that states a rule has cases; and each quotation occurs
/// in the specification as often as in the file of the cases.
fn add_sentences(program: &mut Program, text: &str) {
    let mut quoted: BTreeMap<&str, usize> = BTreeMap::new();
    for sentence in sections(TEXT).filter_map(|section| section.strip_prefix("> ")) {
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

/// Splits the document into sentences.
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

fn everything() -> LeafXml {
    LeafXml::default()
        .comments(true)
        .processing_instructions(true)
        .doctype(true)
}

fn check(case: &Case) -> Result<(), String> {
    let (plain, input) = (LeafXml::default(), &case.input()[..]);
    let dialect = plain
        .comments(case.has("comments"))
        .processing_instructions(case.has("instructions"))
        .doctype(case.has("doctype"));
    let found = event_text::read(Parser::new(dialect), input);
    case.expect("events", &found)?;
    // The options that select events have no effect on the error. The code of the error is one of LeafXML's codes.
    let refused = fatal(&found);
    for other in [plain, everything()] {
        let found = event_text::read(Parser::new(other), input);
        assert_eq!(refused, fatal(&found));
    }
    let code = refused.and_then(|error| error.split(' ').next());
    let is_known = |code: &str| errors::ALL.iter().any(|known| known.as_str() == code);
    assert!(code.is_none_or(is_known), "{code:?}");
    check_parser(&plain, input);
    check_parser(&everything(), input);
    check_balanced(&plain, input);
    Ok(())
}

fn promptly(case: &Case) -> Result<(), String> {
    let input = &case.input()[..];
    latency::check("events", Parser::new(LeafXml::default()), input)?;
    latency::check(
        "balanced",
        Parser::new(LeafXml::default()).balanced(),
        input,
    )?;
    latency::check("all", Parser::new(everything()), input)
}
