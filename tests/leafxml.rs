//! LeafXML, sentence by sentence of its document: each that makes a rule has cases that are accepted
//! and cases that are refused, and every case reads the same for every cut.

#[path = "feeding/escapes.rs"]
mod escapes;
mod feeding;
#[path = "feeding/notation.rs"]
mod notation;

use feeding::cuts::{check_cuts, check_pieces};
use libtest_mimic::{Arguments, Failed, Trial};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;
use tagstream::leafxml::errors;
use tagstream::{Balanced, LeafXml, Parser, Status, TextPolicy};

const ROWS: &str = include_str!("data/leafxml.txt");

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

/// One input and what is to come of it.
struct Row {
    kind: char,
    written: String,
    input: Vec<u8>,
    events: String,
}

/// The rows under one sentence, or under a heading.
#[derive(Default)]
struct Section {
    sentence: Option<String>,
    rows: Vec<Row>,
}

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let sections = read();
    let mut trials = vec![Trial::test("every code has a row", codes_have_rows)];
    trials.extend(testing::model::leafxml::trials());
    trials.extend(sentences(&sections));
    for section in sections {
        let balance = section.balance();
        if let Some(sentence) = &section.sentence {
            trials.push(Trial::test(
                format!("both sides of: {sentence}"),
                move || balance,
            ));
        }
        for row in section.rows {
            let name = format!("{} {}", row.kind, row.written);
            trials.push(Trial::test(name, move || check(&row)));
        }
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

impl Section {
    /// Whether there is an accepted and a refused row.
    fn balance(&self) -> Result<(), Failed> {
        let has = |kinds: [char; 2]| self.rows.iter().any(|row| kinds.contains(&row.kind));
        match has(['+', 'x']) && has(['-', 'y']) {
            true => Ok(()),
            false => Err("an accepted or a refused row is missing".into()),
        }
    }
}

fn read() -> Vec<Section> {
    let mut sections = vec![Section::default()];
    for line in ROWS.lines() {
        if let Some(sentence) = line.strip_prefix("> ") {
            sections.push(Section {
                sentence: Some(sentence.to_owned()),
                rows: Vec::new(),
            });
        } else if line.starts_with("## ") {
            sections.push(Section::default());
        } else if !line.is_empty() && !line.starts_with('#') {
            let (input, events) = line[2..].rsplit_once(" => ").expect("events");
            let kind = line.chars().next().unwrap_or_default();
            let bytes = match kind {
                'x' | 'y' => hexadecimal(input),
                _ => escapes::unescape(input).into_bytes(),
            };
            let row = Row {
                kind,
                written: input.to_owned(),
                input: bytes,
                events: events.to_owned(),
            };
            sections.last_mut().expect("a section").rows.push(row);
        }
    }
    sections
}

fn hexadecimal(digits: &str) -> Vec<u8> {
    digits
        .as_bytes()
        .chunks(2)
        .map(|pair| {
            let pair = std::str::from_utf8(pair).expect("digits");
            u8::from_str_radix(pair, 16).expect("digits")
        })
        .collect()
}

/// A test for each sentence of the document that makes a rule: that there are rows for it. And for
/// each quotation: that the document has it.
fn sentences(sections: &[Section]) -> Vec<Trial> {
    let root = std::env::var_os("TAGSTREAM_SUITES").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/suites"),
        Into::into,
    );
    let Ok(text) = std::fs::read_to_string(root.join("../specs/leafxml.md")) else {
        return vec![Trial::test("the document's sentences", || Ok(())).with_ignored_flag(true)];
    };
    let mut quoted: BTreeMap<&str, usize> = BTreeMap::new();
    for sentence in sections.iter().filter_map(|one| one.sentence.as_deref()) {
        *quoted.entry(sentence).or_insert(0) += 1;
    }
    let mut known: BTreeMap<String, usize> = BTreeMap::new();
    for sentence in split(&text) {
        *known.entry(sentence).or_insert(0) += 1;
    }
    let mut trials = Vec::new();
    for (sentence, count) in &quoted {
        let found = known.get(*sentence).copied().unwrap_or(0);
        let fits = found == *count;
        trials.push(Trial::test(
            format!("a quotation: {sentence}"),
            move || match fits {
                true => Ok(()),
                false => Err(format!("the document has it {found} times").into()),
            },
        ));
    }
    let rules: Vec<(&String, &usize)> = known
        .iter()
        .filter(|(sentence, _)| RULES.iter().any(|rule| sentence.contains(rule)))
        .collect();
    let count: usize = rules.iter().map(|(_, count)| *count).sum();
    trials.push(Trial::test("the document's sentences", move || {
        match count == SENTENCES {
            true => Ok(()),
            false => Err(format!("{count} rules were read").into()),
        }
    }));
    for (sentence, _) in rules {
        let found = quoted.contains_key(sentence.as_str());
        trials.push(Trial::test(format!("rows for: {sentence}"), move || {
            found.then_some(()).ok_or_else(|| "there are none".into())
        }));
    }
    trials
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

fn codes_have_rows() -> Result<(), Failed> {
    for code in errors::ALL {
        if !ROWS.contains(&format!("Err {code}@")) {
            return Err(format!("none for {code}").into());
        }
    }
    Ok(())
}

/// The refusal of an input: its place and its span.
fn refusal(input: &[u8]) -> Option<String> {
    let mut parser = Parser::new(LeafXml::default());
    parser.feed_slice(input);
    parser.finish();
    loop {
        match parser.next_event() {
            Ok(Some(_)) => {}
            Ok(None) => {
                assert_eq!(parser.status(), Status::Finished);
                return None;
            }
            Err(error) => {
                assert!(errors::ALL.contains(&error.code().expect("a code")));
                return Some(format!("@{}", error.span()));
            }
        }
    }
}

fn all() -> LeafXml {
    LeafXml::default()
        .comments(true)
        .processing_instructions(true)
        .doctype(true)
}

fn check(row: &Row) -> Result<(), Failed> {
    let dialect = match row.kind {
        'o' => all(),
        _ => LeafXml::default(),
    };
    let input = &row.input[..];
    let refusal = refusal(input);
    let is_refused = refusal.is_some();
    let found = notation::read(Parser::new(dialect), input) + &refusal.unwrap_or_default();
    if found != row.events || is_refused != matches!(row.kind, '-' | 'y') {
        return Err(format!("\nwanted: {}\nfound:  {found}", row.events).into());
    }
    let plain = LeafXml::default();
    check_cuts(|| Parser::new(plain), input);
    check_cuts(|| Parser::new(all()), input);
    check_cuts(|| Balanced::new(plain), input);
    for dialect in [plain, all()] {
        let pieces = || Parser::new(dialect).text(TextPolicy::Pieces);
        check_pieces(|| Parser::new(dialect), pieces, input);
    }
    Ok(())
}
