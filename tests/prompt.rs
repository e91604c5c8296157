//! Promptness: after each prefix of an input, the events that are out are those that every
//! continuation has in common, no fewer and no more.

#[path = "feeding/escapes.rs"]
mod escapes;
#[path = "feeding/prompt.rs"]
mod prompt;
#[path = "feeding/pull.rs"]
mod pull;
#[path = "feeding/rows.rs"]
mod rows;

use libtest_mimic::{Arguments, Failed, Trial};
use prompt::check_with;
use std::process::ExitCode;
use tagstream::microxml::Revision;
use tagstream::{Balanced, Encoding, Html, LeafXml, MicroXml, Parser, Sky, Xml};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let rows = rows::read(include_str!("data/xml-er.txt"));
    let mut trials: Vec<Trial> = rows
        .into_iter()
        .map(|row| {
            let name = row.name();
            Trial::test(name, move || check(&row.input, &row.events))
        })
        .collect();
    for (number, document) in DOCUMENTS.into_iter().enumerate() {
        let name = format!("document {number}");
        trials.push(Trial::test(name, move || check(document, "see the input")));
    }
    for row in rows::read(include_str!("data/html.txt")) {
        let name = format!("html: {}", row.name());
        trials.push(Trial::test(name, move || check_html(&row.input)));
    }
    trials.extend(leafxml());
    trials.extend(microxml());
    trials.extend(sky());
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// The inputs of LeafXML's cases, as they are and with all that is discarded.
fn leafxml() -> impl Iterator<Item = Trial> {
    let lines = include_str!("data/leafxml.txt").lines();
    let inputs = lines.filter_map(|line| {
        let row = ["+ ", "- ", "o "]
            .iter()
            .find_map(|kind| line.strip_prefix(kind))?;
        Some(escapes::unescape(row.rsplit_once(" => ")?.0))
    });
    inputs.map(|input| {
        Trial::test(format!("LeafXML {input:?}"), move || {
            let plain = LeafXml::default();
            let all = plain
                .comments(true)
                .processing_instructions(true)
                .doctype(true);
            check_with("events", Parser::new(plain), input.as_bytes())
                .and_then(|()| check_with("all", Parser::new(all), input.as_bytes()))
                .map_err(|report| format!("{input:?}\n{report}").into())
        })
    })
}

fn check_html(input: &str) -> Result<(), Failed> {
    let html = Html::default().encoding(Encoding::UTF_8);
    let bytes = input.as_bytes();
    check_with("events", Parser::new(html.clone()), bytes)
        .and_then(|()| check_with("with errors", Parser::new(html).errors(true), bytes))
        .map_err(|report| format!("{input:?}\n{report}").into())
}

/// Contexts and inputs of a table of rows.
fn inputs(table: &'static str) -> impl Iterator<Item = (&'static str, String)> {
    table.lines().map(|line| {
        let mut columns = line.split('\t').skip(2);
        let (context, input) = (columns.next(), columns.next());
        let input = input.unwrap_or_default().replace("\\0", "\\u{0}");
        let input = input.replace("\\f", "\\u{c}").replace("\\b", "\\u{feff}");
        (context.unwrap_or_default(), escapes::unescape(&input))
    })
}

/// The inputs of MicroXML's cases, by both revisions and strictly.
fn microxml() -> impl Iterator<Item = Trial> {
    let first = inputs(include_str!("microxml/tokens.rows"));
    let inputs = first.chain(inputs(include_str!("microxml/final.rows")));
    inputs.map(|(context, input)| {
        Trial::test(format!("MicroXML {context} {input:?}"), move || {
            let bytes = input.as_bytes();
            let microxml = match context {
                "S" => MicroXml::strict(),
                "F" => MicroXml::default().revision(Revision::Final),
                _ => MicroXml::default(),
            };
            check_with("events", Parser::new(microxml), bytes)
                .and_then(|()| check_with("errors", Parser::new(microxml).errors(true), bytes))
                .and_then(|()| check_with("balanced", Balanced::new(microxml), bytes))
                .and_then(|()| check_with("strict", Parser::new(MicroXml::strict()), bytes))
                .map_err(|report| format!("{input:?}\n{report}").into())
        })
    })
}

/// The inputs of Sky's cases.
fn sky() -> impl Iterator<Item = Trial> {
    inputs(include_str!("sky/states.rows")).map(|(context, input)| {
        Trial::test(format!("Sky {context} {input:?}"), move || {
            let sky = match context {
                "A" => Sky::application(),
                "M" => Sky::module(),
                _ => Sky::fragment(),
            };
            let parser = || Parser::new(sky.clone());
            check_with("events", parser(), input.as_bytes())
                .and_then(|()| check_with("errors", parser().errors(true), input.as_bytes()))
                .and_then(|()| check_with("balanced", Balanced::new(sky.clone()), input.as_bytes()))
                .map_err(|report| format!("{input:?}\n{report}").into())
        })
    })
}

/// Documents of several tokens; the rows of the states are short.
const DOCUMENTS: [&str; 4] = [
    "<?xml version=\"1.0\" encoding=\"utf-8\"?>\r\n<!DOCTYPE list SYSTEM \"x\" [<?y z?><!--q-->]>\r\n\
     <list a='1'\tb=\"2\">one &amp; two<item/>&three;<![CDATA[four]]]]>&#65;</list>\r\n<!-- end -->",
    "<a>x<b>y</c>z</b></>  <!-- - -- --> text </a> <d/>",
    "<p:a xmlns:p='u' p:b='\u{e9}\u{20ac}'>\u{1f600}\r\r\n<p:c></p:c><![CDATA[]]>\u{e9}<![CDATA[</p:a>",
    "<a b=c d = 'e\u{a}f' g>]]>&lt<h i=\"&quot;&unknown;&#x26;\"></h",
];

fn check(input: &str, events: &str) -> Result<(), Failed> {
    let bytes = input.as_bytes();
    let (recovering, strict) = (Xml::default(), Xml::strict());
    check_with("events", Parser::new(recovering), bytes)
        .and_then(|()| check_with("with errors", Parser::new(recovering).errors(true), bytes))
        .and_then(|()| check_with("balanced", Balanced::new(recovering), bytes))
        .and_then(|()| check_with("strict", Parser::new(strict), bytes))
        .map_err(|report| format!("{input:?}: {events}\n{report}").into())
}
