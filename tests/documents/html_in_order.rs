//! Balanced events of HTML in the order of the input, each with its byte range.
//!
//! `TAGSTREAM_REWRITE=1 cargo test --test documents html/in-order` replaces the expected results; review the difference
//! before you commit it.

use crate::html_events::dialect;
use std::fmt::Write;
use tagstream::{Encoding, Html, Nested, Parser, Sizes};
use testing::cases::{self, Case};
use testing::cuts::check_cuts;
use testing::event_text::event;
use testing::run::{Failed, Program};

pub(crate) fn add(program: &mut Program) {
    let path = testing::source::root().join("tests/data/html-in-order.txt");
    if std::env::var_os("TAGSTREAM_REWRITE").is_some() {
        cases::rewrite(&path, |case| {
            let input = case.input();
            vec![("events", events(parser(case), &input, usize::MAX))]
        });
    }
    let text = std::fs::read_to_string(path).expect("the cases");
    let cases = cases::cases("tests/data/html-in-order.txt", &text);
    cases::add(program, cases, |_| "html/in-order", check);
}

fn html(case: &Case) -> Html {
    let encoding = case.option("encoding").map(Encoding::for_label);
    let html = dialect(case);
    match encoding {
        Some(encoding) => html.encoding(encoding.expect("an encoding")),
        None => html,
    }
}

fn parser(case: &Case) -> Parser<Html, Nested> {
    Parser::new(html(case)).balanced_in_order()
}

/// The events are the same for each cut, after a reset, and after a checkpoint.
fn check(case: &Case) -> Result<(), Failed> {
    let input = case.input();
    let sizes = |sizes| parser(case).inspect_sizes(sizes);
    case.expect("events", &events(parser(case), &input, usize::MAX))?;
    for chunk in [1, 2, 3, 7] {
        case.expect("events", &events(parser(case), &input, chunk))?;
        case.expect("events", &events(sizes(Sizes::all(1)), &input, chunk))?;
    }
    let mut again = Parser::restore(html(case), &parser(case).checkpoint())?;
    again.feed("<table>a");
    while again.next_event()?.is_some() {}
    again.reset();
    case.expect("events", &events(again, &input, 1))?;
    check_cuts(|| parser(case), &input);
    Ok(())
}

/// The namespace that is not shown.
const HTML: &str = "{html}";

/// Returns the events, each with its byte range, and asserts that the ranges are in order and do not overlap.
fn events(mut parser: Parser<Html, Nested>, input: &[u8], chunk: usize) -> String {
    let mut found = Vec::new();
    let mut reached = 0;
    let mut pull = |parser: &mut Parser<Html, Nested>| {
        while let Some(next) = parser.next_event().expect("HTML has no fatal errors") {
            let (span, mut line) = (next.span(), event(&next).replace(HTML, ""));
            write!(line, " {span}").expect("a string");
            // A formatting element that is reconstructed for the text of a table is reported at the token after the text.
            if !(line.contains("implied") && next.is_moved()) {
                assert!(span.start >= reached, "{line} after {reached}");
                reached = reached.max(span.end);
            }
            found.push(line);
        }
    };
    for piece in input.chunks(chunk) {
        parser.feed(piece);
        pull(&mut parser);
    }
    parser.finish();
    pull(&mut parser);
    found.join(", ")
}
