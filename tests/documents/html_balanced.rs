//! HTML as a balanced stream: cases for each of its rules, with the same events for chunks of several sizes.

use tagstream::{Encoding, Html, Limits, Nested, Parser};
use testing::cases::{self, Case};
use testing::event_text::event;
use testing::pull::Pull;
use testing::run::{Failed, Program};

pub(crate) fn add(program: &mut Program) {
    let text = include_str!("../data/html-balanced.txt");
    let cases = cases::cases("tests/data/html-balanced.txt", text);
    cases::add(program, cases, |_| "html/balanced", check);
}

/// Creates a parser with the options of a case.
fn parser(case: &Case) -> Parser<Html, Nested> {
    let html = match case.option("fragment") {
        Some(context) => Html::fragment(context).expect("a context"),
        None => Html::default(),
    };
    let html = html.scripting(case.has("scripting"));
    Parser::new(html.encoding(Encoding::UTF_8))
        .balanced()
        .limits(case.limits(Limits::default()))
        .report_errors(case.has("report-errors"))
}

fn check(case: &Case) -> Result<(), Failed> {
    let input = case.input();
    for size in [usize::MAX, 1, 2, 3, 7] {
        let mut events = Vec::new();
        let mut parser = parser(case);
        let mut take = |parser: &mut Parser<Html, Nested>| -> Result<(), Failed> {
            while let Some(found) = parser.pull()? {
                // HTML's namespace is not shown.
                events.push(event(&found).replace(HTML, ""));
            }
            Ok(())
        };
        for chunk in input.chunks(size) {
            parser.feed(chunk);
            take(&mut parser)?;
        }
        parser.finish();
        take(&mut parser)?;
        case.expect("events", &events.join(", "))?;
    }
    Ok(())
}

const HTML: &str = "{html}";
