//! The states and arms of XML-ER, each with rows of input and events: no state or arm of the
//! document is without one.

use crate::none;
use tagstream::{Event, Parser, Xml};
use testing::cuts::{check_balanced, check_cuts, check_parser};
use testing::latency;
use testing::notation;
use testing::rows::{Row, rows};
use testing::run::Program;
use testing::suites::document;

const ROWS: &str = include_str!("../data/xml-er.txt");

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

/// Documents of several tokens; the rows of the states are short.
const DOCUMENTS: [&str; 4] = [
    "<?xml version=\"1.0\" encoding=\"utf-8\"?>\r\n<!DOCTYPE list SYSTEM \"x\" [<?y z?><!--q-->]>\r\n\
     <list a='1'\tb=\"2\">one &amp; two<item/>&three;<![CDATA[four]]]]>&#65;</list>\r\n<!-- end -->",
    "<a>x<b>y</c>z</b></>  <!-- - -- --> text </a> <d/>",
    "<p:a xmlns:p='u' p:b='\u{e9}\u{20ac}'>\u{1f600}\r\r\n<p:c></p:c><![CDATA[]]>\u{e9}<![CDATA[</p:a>",
    "<a b=c d = 'e\u{a}f' g>]]>&lt<h i=\"&quot;&unknown;&#x26;\"></h",
];

pub(crate) fn add(program: &mut Program) {
    let rows = rows(ROWS);
    add_arms(program, &rows);
    for row in rows {
        let (name, input) = (row.name("xml"), row.input.clone());
        program.case(format!("{name}, promptly"), move || promptly(&input));
        program.case(name, move || check(&row));
    }
    for (number, input) in DOCUMENTS.into_iter().enumerate() {
        program.case(format!("xml/document {number}, promptly"), move || {
            promptly(input.as_bytes())
        });
    }
}

/// A test for each arm of the document: that there is a row for it.
fn add_arms(program: &mut Program, rows: &[Row]) {
    let Some(text) = document("xml-er.txt") else {
        program.leave_out("the arms of XML-ER's document, which is missing");
        return;
    };
    let wanted = read_arms(&text);
    let mut states: Vec<&String> = wanted.iter().map(|(state, _)| state).collect();
    states.dedup();
    let prose = PROSE.iter().map(|(_, arms)| arms.len()).sum::<usize>();
    let counts = (states.len(), wanted.len() - prose);
    program.case("xml/the document's arms", move || {
        assert_eq!(counts, (STATES, ARMS));
    });
    for (state, arm) in wanted {
        let is_row = |row: &Row| row.section == state && row.arm == arm;
        let found = rows.iter().any(is_row);
        program.case(format!("xml/{state}, {arm}: a row"), move || {
            found.then_some(()).ok_or("there is none")
        });
    }
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

fn check(row: &Row) -> Result<(), String> {
    let (xml, input) = (Xml::default(), &row.input[..]);
    row.compare(&notation::read(
        Parser::new(xml.clone()).report_errors(true),
        input,
    ))?;
    check_parser(&xml, input);
    check_cuts(|| Parser::new(Xml::strict()), input);
    check_balanced(&xml, input);
    check_balance(input)
}

fn promptly(input: &[u8]) -> Result<(), String> {
    let xml = Xml::default();
    latency::check("events", Parser::new(xml.clone()), input)?;
    latency::check(
        "with errors",
        Parser::new(xml.clone()).report_errors(true),
        input,
    )?;
    latency::check("balanced", Parser::new(xml.clone()).balanced(), input)?;
    latency::check("strict", Parser::new(Xml::strict()), input)
}

/// The events of a balanced parser are a tree: every start has its end, there is one root at most,
/// and text is only inside of it.
fn check_balance(input: &[u8]) -> Result<(), String> {
    let mut parser = Parser::new(Xml::default()).balanced();
    parser.feed(input);
    parser.finish();
    let (mut open, mut roots, mut wrong) = (Vec::new(), 0, Vec::new());
    while let Some(event) = parser.next_event().map_err(|error| error.to_string())? {
        match event {
            Event::Start(tag) => {
                roots += usize::from(open.is_empty());
                open.push((tag.name().to_owned(), tag.namespace().map(str::to_owned)));
            }
            Event::End(tag) => {
                let own = (tag.name().to_owned(), tag.namespace().map(str::to_owned));
                let expected = open.pop();
                if expected.as_ref() != Some(&own) {
                    wrong.push(format!("{own:?} ends {expected:?}"));
                }
            }
            Event::Text(text) if open.is_empty() => {
                wrong.push(format!("{text:?} outside the root"));
            }
            _ => {}
        }
    }
    if !open.is_empty() || roots > 1 {
        wrong.push(format!("{roots} roots, {open:?} left open"));
    }
    none(&wrong)
}
