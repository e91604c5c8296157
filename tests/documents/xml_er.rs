//! XML-ER: each state and each arm of the specification has a case.

use crate::none;
use tagstream::{Encoding, Event, Parser, Xml};
use testing::cases::{self, Case};
use testing::cuts::{check_balanced, check_cuts, check_parser};
use testing::event_text;
use testing::latency;
use testing::run::Program;
use testing::suites::document;

/// Returns all cases.
fn all() -> Vec<Case> {
    cases::cases("tests/data/xml-er.txt", include_str!("../data/xml-er.txt"))
}

/// The number of states in the specification, and the number of arms that are not described in prose.
const STATES: usize = 72;
const ARMS: usize = 332;

/// The arms of the states that the specification describes in prose.
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

/// Documents with several tokens, in contrast to the short inputs of the cases.
const DOCUMENTS: [&str; 4] = [
    "<?xml version=\"1.0\" encoding=\"utf-8\"?>\r\n<!DOCTYPE list SYSTEM \"x\" [<?y z?><!--q-->]>\r\n\
     <list a='1'\tb=\"2\">one &amp; two<item/>&three;<![CDATA[four]]]]>&#65;</list>\r\n<!-- end -->",
    "<a>x<b>y</c>z</b></>  <!-- - -- --> text </a> <d/>",
    "<p:a xmlns:p='u' p:b='\u{e9}\u{20ac}'>\u{1f600}\r\r\n<p:c></p:c><![CDATA[]]>\u{e9}<![CDATA[</p:a>",
    "<a b=c d = 'e\u{a}f' g>]]>&lt<h i=\"&quot;&unknown;&#x26;\"></h",
];

pub(crate) fn add(program: &mut Program) {
    add_arms(program, &all());
    for case in all() {
        let name = format!("{}, promptly", case.test_name("xml"));
        program.case(name, move || promptly(&case.input()));
    }
    cases::add(program, all(), |_| "xml", check);
    for (number, input) in DOCUMENTS.into_iter().enumerate() {
        program.case(format!("xml/document {number}, promptly"), move || {
            promptly(input.as_bytes())
        });
    }
}

/// Adds a test for each arm of the specification: the arm has a case.
fn add_arms(program: &mut Program, cases: &[Case]) {
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
        let covers = |case: &Case| case.section == state && case.name == arm;
        let found = cases.iter().any(covers);
        program.case(format!("xml/{state}, {arm}: a case"), move || {
            found.then_some(()).ok_or("there is none")
        });
    }
}

/// Returns the state and the name of each arm, as in the specification.
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

fn check(case: &Case) -> Result<(), String> {
    let (xml, input) = (Xml::default(), &case.input()[..]);
    let parser = Parser::new(xml.clone()).report_errors(true);
    case.expect("events", &event_text::read(parser, input))?;
    check_parser(&xml, input);
    check_cuts(|| Parser::new(Xml::strict()), input);
    check_balanced(&xml, input);
    check_balance(input)
}

fn promptly(input: &[u8]) -> Result<(), String> {
    // Nothing can be delivered before the encoding is known, which a declaration after whitespace may determine.
    let xml = match input.first().is_some_and(u8::is_ascii_whitespace) {
        true => Xml::default().encoding(Encoding::UTF_8),
        false => Xml::default(),
    };
    latency::check("events", Parser::new(xml.clone()), input)?;
    latency::check(
        "with errors",
        Parser::new(xml.clone()).report_errors(true),
        input,
    )?;
    latency::check("balanced", Parser::new(xml.clone()).balanced(), input)?;
    latency::check("strict", Parser::new(Xml::strict()), input)
}

/// Asserts that balanced events form a tree: every start has an end, there is at most one root, and text is inside the
/// root.
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
