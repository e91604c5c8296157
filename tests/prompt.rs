//! Promptness: after each prefix of an input, the events that are out are those that every
//! continuation has in common, no fewer and no more.

#[path = "feeding/escapes.rs"]
mod escapes;
#[path = "feeding/pull.rs"]
mod pull;
#[path = "feeding/rows.rs"]
mod rows;

use bytes::Bytes;
use libtest_mimic::{Arguments, Failed, Trial};
use pull::{Pull, write_event, write_position};
use std::process::ExitCode;
use tagstream::microxml::Revision;
use tagstream::{Balanced, Encoding, Event, Html, LeafXml, MicroXml, Parser, Sky, Status, Xml};

/// How an input may go on; each is tried after each prefix.
const CONTINUATIONS: [&[u8]; 49] = [
    b"",
    b">",
    b"<",
    b"</",
    b"</>",
    b"x",
    b"x>",
    b"-",
    b"->",
    b"-->",
    b"]]>",
    b"]>",
    b">]]>",
    b"?>",
    b"??>x?>",
    b"\"",
    b"'",
    b"\">",
    b"'>",
    b" ",
    b" >",
    b"\n",
    b"\r",
    b"\r\n",
    b"&amp;",
    b"&x",
    b";",
    b"1;",
    b"=",
    b"='1'>",
    b"/>",
    b"!",
    b"!--",
    b"<!--",
    b"--x-->",
    b"<![CDATA[",
    b"CDATA[",
    b"[CDATA[x]]>",
    b"DOCTYPE y>",
    b"<?p ?>",
    "\u{e9}<".as_bytes(),
    b"\x80\x80\x80>",
    b"!>",
    b"--!>",
    b"title>",
    b"/script>",
    b"e;",
    b"n;",
    b"\0",
];

/// More of them, of several tokens.
const COMBINATIONS: [&[u8]; 6] = [
    b" x='1'>t</a>",
    b"\"']]>--></a>",
    b"\xa9</a><b/>",
    b"[CDATA[]]></a>",
    b"OCTYPE y [<!-- --> <?p?>]></a>",
    b"[x>y<z/>",
];

/// Tokens that a text may go on with or past; each may have begun already.
const TOKENS: [&str; 13] = [
    "<![CDATA[y]]>z",
    "<!DOCTYPE y>z",
    "<!DOCTYPE y SYSTEM 's'>z",
    "<!DOCTYPE y PUBLIC 'p'>z",
    "<!--y-->z",
    "<!--y--> ",
    "<?y?>z",
    "&amp;z",
    "&lt;z",
    "&#x41;z",
    "</script x>z",
    "</style>z",
    " b c='d' e>z",
];

/// What is left of a token after each of its beginnings.
fn rests() -> impl Iterator<Item = &'static [u8]> {
    TOKENS
        .into_iter()
        .flat_map(|token| (0..token.len()).map(|at| &token.as_bytes()[at..]))
}

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

/// Feeds byte by byte; after each, goes on in every way.
fn check_with(mode: &str, mut parser: impl Pull, input: &[u8]) -> Result<(), String> {
    let mut out = Vec::new();
    for at in 0..=input.len() {
        let mut common: Option<Vec<String>> = None;
        let own = [input[at..].to_vec()];
        let continuations = CONTINUATIONS.into_iter().chain(COMBINATIONS);
        let continuations = continuations.chain(rests()).map(Vec::from);
        for more in continuations.chain(own) {
            let mut clone = parser.clone();
            clone.feed(Bytes::from(more));
            clone.finish();
            let mut all = out.clone();
            while let Some(Ok(event)) = clone.pull_owned() {
                push(&mut all, &event.event());
            }
            pull(&mut clone, &mut all);
            assert_ne!(clone.status(), Status::NeedsInput);
            common = Some(match common {
                None => all,
                Some(events) => {
                    let pairs = events.iter().zip(&all);
                    let length = pairs.take_while(|(one, two)| one == two).count();
                    events[..length].to_vec()
                }
            });
        }
        let common = common.unwrap_or_default();
        if common != out {
            let prefix = String::from_utf8_lossy(&input[..at]).into_owned();
            let report = format!("{mode}, after {prefix:?}\nwanted: {common:#?}\nfound:  {out:#?}");
            return Err(report);
        }
        if let Some(byte) = input.get(at) {
            parser.feed_slice(&[*byte]);
            pull(&mut parser, &mut out);
        }
    }
    Ok(())
}

fn push(out: &mut Vec<String>, event: &Event<'_>) {
    let mut line = String::new();
    write_event(&mut line, event);
    out.push(line);
}

fn pull(parser: &mut impl Pull, out: &mut Vec<String>) {
    loop {
        match parser.pull() {
            Ok(Some(event)) => push(out, &event),
            Ok(None) => break,
            Err(error) => {
                let mut line = format!("Err {} {}", error.as_str(), error.span());
                write_position(&mut line, error.position());
                if out.last() != Some(&line) {
                    out.push(line);
                }
                break;
            }
        }
    }
}
